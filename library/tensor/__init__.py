"""Tensor's operators and methods, by the functions of the library."""
