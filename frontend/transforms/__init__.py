"""Transformations, which make functions from functions: gradients, products, Jacobians, vmap, and custom backwards."""
