"""Tracing: one run of a function on traced tensors, and what its graph depends on."""
