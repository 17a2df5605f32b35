# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.library.functions import *
from mycel.library.functions.random import get_seed as get_seed, set_seed as set_seed
