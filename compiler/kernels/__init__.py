"""Kernels: fused groups and counted loops in the kernel language, and groups as tiles."""
