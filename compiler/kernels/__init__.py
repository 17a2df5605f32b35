"""Kernels: fused groups and counted loops in the language of machine code, and groups as tiles."""
