# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.library.nn import *
