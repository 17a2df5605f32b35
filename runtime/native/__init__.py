"""Machine code for kernels: a text describes the computation, and becomes a function of arrays without any compiler."""
