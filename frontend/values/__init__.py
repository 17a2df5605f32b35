"""Values: what users hold (Tensor, Parameter, Cell), and how operations on them reach the compiler's ops."""
