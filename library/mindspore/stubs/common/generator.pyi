# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.library.mindspore.random_state import _DefaultGenerator
from mycel.frontend.api.jit import (
    compile_cell as compile_cell, jit as jit, jit_class as jit_class, jit as _ms_function, jit_class as _ms_class,
)
from mycel.library.functions.random import (
    get_seed as get_seed, like_shape as like_shape, manual_seed as manual_seed, normal_of as normal_of,
    rand as rand, randint as randint, randint_like as randint_like, randn as randn, randperm as randperm,
    set_seed as set_seed, shuffle as shuffle, sizes as sizes, uniform_like as uniform_like,
    uniform_of as uniform_of,
)
from mycel.library.mindspore.random_state import (
    Generator as Generator, get_rng_state as get_rng_state, initial_seed as initial_seed, seed as seed,
    set_rng_state as set_rng_state,
)
from mycel.library.ops import rand_like as rand_like, randn_like as randn_like
ms_function = _ms_function
ms_class = _ms_class

default_generator: _DefaultGenerator
