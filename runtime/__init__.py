"""Arrays, kernels, memory and random state; knows no graph."""
