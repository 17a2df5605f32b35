"""Machine code for kernels: a text that says what to compute becomes a function of arrays, without any compiler."""
