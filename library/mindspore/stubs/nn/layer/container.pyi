# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel.library.nn import *
from mycel.library.functions.nn_conv import dense as _linear
linear = _linear
