# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel.library.ops import *
from mycel.library.functions.random import (
    get_seed as get_seed, like_shape as like_shape, normal_of as normal_of, set_seed as set_seed, sizes as sizes,
    uniform_like as uniform_like, uniform_of as uniform_of,
)
