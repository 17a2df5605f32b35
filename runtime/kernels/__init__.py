"""NumPy kernels for what NumPy itself lacks: convolution, pooling, special functions, scans, gathers and resizing."""
