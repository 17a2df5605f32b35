# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel.library.nn import *
from mycel.library.nn.gradient_cells import Jvp as Jvp, Vjp as Vjp
