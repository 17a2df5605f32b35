# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.library.mindspore.random_state import _DefaultGenerator
from mycel.frontend.api.jit import compile_cell, jit, jit as ms_function, jit_class, jit_class as ms_class
from mycel.library.functions import (
    bernoulli, gamma, laplace, log_normal, multinomial, multinomial_with_replacement, normal, poisson, rand,
    rand_like, randint, randint_like, randn, randn_like, random_categorical, random_gamma, random_poisson, shuffle,
    standard_laplace, standard_normal, uniform,
)
from mycel.library.functions.random import get_seed, manual_seed, randperm, set_seed
from mycel.library.mindspore.random_state import Generator, get_rng_state, initial_seed, seed, set_rng_state

__all__ = [
    "Generator", "bernoulli", "compile_cell", "default_generator", "gamma", "get_rng_state", "get_seed", "initial_seed",
    "jit", "jit_class", "laplace", "log_normal", "manual_seed", "ms_class", "ms_function", "multinomial",
    "multinomial_with_replacement", "normal", "poisson", "rand", "rand_like", "randint", "randint_like", "randn",
    "randn_like", "random_categorical", "random_gamma", "random_poisson", "randperm", "seed", "set_rng_state",
    "set_seed", "shuffle", "standard_laplace", "standard_normal", "uniform",
]

default_generator: _DefaultGenerator
