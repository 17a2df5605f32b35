# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.library.mindspore.random_state import _DefaultGenerator
from mycel.frontend.api.jit import compile_cell, jit, jit as ms_function, jit_class, jit_class as ms_class
from mycel.library.functions.random import (
    get_seed, like_shape, manual_seed, normal_of, rand, rand_like, randint, randint_like, randn, randn_like,
    randperm, set_seed, shuffle, sizes, uniform_of,
)
from mycel.library.mindspore.random_state import Generator, get_rng_state, initial_seed, seed, set_rng_state

__all__ = [
    "Generator", "compile_cell", "default_generator", "get_rng_state", "get_seed", "initial_seed", "jit", "jit_class",
    "like_shape", "manual_seed", "ms_class", "ms_function", "normal_of", "rand", "rand_like", "randint", "randint_like",
    "randn", "randn_like", "randperm", "seed", "set_rng_state", "set_seed", "shuffle", "sizes", "uniform_of",
]

default_generator: _DefaultGenerator
