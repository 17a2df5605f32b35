"""Transformations: functions made from functions: gradients, products, Jacobians, vmap, and custom backwards."""
