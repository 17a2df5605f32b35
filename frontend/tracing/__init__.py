"""Tracing: one run of a function on traced tensors, and the values that its graph depends on."""
