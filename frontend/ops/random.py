"""Functions that draw random numbers, from the generator that `set_seed` seeds: the same draws in eager and graph mode."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...runtime import dtypes, random as _random
from ...runtime.dtypes import DType
from ..dispatch import apply, as_tensor, cast
from ..tensor import Tensor

__all__ = [
    "bernoulli", "gamma", "laplace", "log_normal", "manual_seed", "multinomial", "multinomial_with_replacement", "normal",
    "poisson", "rand", "rand_like", "randint", "randint_like", "randn", "randn_like", "random_gamma", "random_poisson",
    "randperm", "shuffle", "standard_laplace", "standard_normal", "uniform",
]  # fmt: skip


def set_seed(seed: int) -> None:
    """Seed the generator that every random function and initializer draws from.

    Raises:
        TypeError: if `seed` is no int. ValueError: if it is negative.

    Examples:
        >>> import mycel as ms
        >>> ms.set_seed(1)
        >>> a = ms.ops.rand(3)
        >>> ms.set_seed(1)
        >>> print((a == ms.ops.rand(3)).all())
        True
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise TypeError(f"set_seed: 'seed' should be an int, but got {type(seed).__name__}")
    if seed < 0:
        raise ValueError(f"set_seed: 'seed' should not be negative, but got {seed}")
    _random.set_seed(int(seed))


def get_seed() -> int | None:
    """The seed that `set_seed` was given last; None before."""
    return _random.get_seed()


def manual_seed(seed: int) -> None:
    """As `set_seed`."""
    set_seed(seed)


def _shape(size: tuple[Any, ...], function: str) -> tuple[int, ...]:
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = tuple(size[0])
    elif len(size) == 1 and isinstance(size[0], Tensor):
        size = tuple(size[0].asnumpy().tolist())
    for length in size:
        if isinstance(length, (bool, float)) or not hasattr(length, "__index__"):
            raise TypeError(f"{function}: a shape should hold ints, but got {length!r}")
        if length.__index__() < 0:
            raise ValueError(f"{function}: a shape should not hold negative sizes, but got {size}")
    return tuple(length.__index__() for length in size)


def _float(dtype: Any, function: str) -> DType:
    result = dtypes.float32 if dtype is None else dtypes.as_dtype(dtype)
    if not result.is_float:
        raise ValueError(f"{function}: 'dtype' should be floating-point, but got {result}")
    return result


def rand(*size: Any, dtype: Any = None, seed: int | None = None) -> Tensor:
    """Numbers uniform in [0, 1).

    Args:
        size: the shape, as ints or one tuple.
        dtype: a floating-point dtype; float32 by default.
        seed: accepted; draws come from the generator that `set_seed` seeds.

    Examples:
        >>> from mycel import ops
        >>> print(ops.rand(2, 3).shape)
        (2, 3)
    """
    return apply(  # type: ignore[no-any-return]
        prims.random_uniform, shape=_shape(size, "rand"), dtype=_float(dtype, "rand"), low=0.0, high=1.0
    )


def randn(*size: Any, dtype: Any = None, seed: int | None = None) -> Tensor:
    """Numbers of the standard normal distribution; arguments as `rand`."""
    return apply(  # type: ignore[no-any-return]
        prims.random_normal, shape=_shape(size, "randn"), dtype=_float(dtype, "randn"), mean=0.0, std=1.0
    )


def rand_like(input: Tensor, *, dtype: Any = None, seed: int | None = None) -> Tensor:
    """Numbers uniform in [0, 1), in the shape (and dtype) of `input`."""
    return rand(*input.shape, dtype=input.dtype if dtype is None else dtype)


def randn_like(input: Tensor, *, dtype: Any = None, seed: int | None = None) -> Tensor:
    """Numbers of the standard normal distribution, in the shape (and dtype) of `input`."""
    return randn(*input.shape, dtype=input.dtype if dtype is None else dtype)


def randint(low: int, high: int, size: Any, dtype: Any = None, *, seed: int | None = None) -> Tensor:
    """Whole numbers uniform in [low, high), int64 by default.

    Raises:
        TypeError: if a bound is no int. ValueError: if low is not below high.
    """
    for name, bound in (("low", low), ("high", high)):
        if isinstance(bound, (bool, float)) or not hasattr(bound, "__index__"):
            raise TypeError(f"randint: '{name}' should be an int, but got {type(bound).__name__}")
    if low >= high:
        raise ValueError(f"randint: 'low' should be below 'high', but got {low} and {high}")
    wanted = dtypes.int64 if dtype is None else dtypes.as_dtype(dtype)
    drawn = wanted if wanted.is_integer else dtypes.int64
    shape = _shape(tuple(size) if isinstance(size, (tuple, list)) else (size,), "randint")
    result = apply(prims.random_integers, shape=shape, dtype=drawn, low=int(low), high=int(high))
    return cast(result, wanted)


def randint_like(input: Tensor, low: int, high: int, *, dtype: Any = None, seed: int | None = None) -> Tensor:
    """Whole numbers uniform in [low, high), in the shape (and dtype) of `input`."""
    return randint(low, high, input.shape, input.dtype if dtype is None else dtype)


def randperm(n: int, seed: int = 0, offset: int = 0, dtype: Any = dtypes.int64) -> Tensor:
    """The numbers from 0 to n - 1 in random order."""
    if isinstance(n, (bool, float)) or not hasattr(n, "__index__") or n.__index__() < 0:
        raise ValueError(f"randperm: 'n' should be an int that is not negative, but got {n!r}")
    result = apply(prims.random_permutation, count=n.__index__(), dtype=dtypes.int64)
    return cast(result, dtypes.as_dtype(dtype))


def uniform(shape: Any, minval: Any, maxval: Any, seed: int | None = None, dtype: Any = dtypes.float32) -> Tensor:
    """Numbers uniform in [minval, maxval); bounds are tensors or numbers that broadcast with the shape.

    Integer dtypes give whole numbers.
    """
    wanted = dtypes.as_dtype(dtype)
    size = _shape((shape,) if not isinstance(shape, int) else (shape,), "uniform")
    if wanted.is_integer:
        low, high = as_tensor(minval, wanted), as_tensor(maxval, wanted)
        unit = apply(prims.random_uniform, shape=size, dtype=dtypes.float64, low=0.0, high=1.0)
        span = cast(high - low, dtypes.float64)
        return low + cast(apply(prims.floor, unit * span), wanted)  # type: ignore[no-any-return]
    unit = apply(prims.random_uniform, shape=size, dtype=wanted, low=0.0, high=1.0)
    low, high = as_tensor(minval, wanted), as_tensor(maxval, wanted)
    return unit * (high - low) + low  # type: ignore[no-any-return]


def normal(shape: Any, mean: Any, stddev: Any, seed: int | None = None) -> Tensor:
    """Normally distributed numbers; mean and standard deviation are tensors or numbers that broadcast with the shape."""
    mean, stddev = as_tensor(mean), as_tensor(stddev)
    dtype = mean.dtype if mean.dtype.is_float else dtypes.float32
    unit = apply(prims.random_normal, shape=_shape((shape,), "normal"), dtype=dtype, mean=0.0, std=1.0)
    return unit * cast(stddev, dtype) + cast(mean, dtype)  # type: ignore[no-any-return]


def standard_normal(shape: Any, seed: int | None = None) -> Tensor:
    """Float32 numbers of the standard normal distribution."""
    return randn(shape if not isinstance(shape, int) else (shape,))


def standard_laplace(shape: Any, seed: int | None = None) -> Tensor:
    """Float32 numbers of the Laplace distribution with mean 0 and scale 1."""
    size = _shape((shape,), "standard_laplace")
    return apply(  # type: ignore[no-any-return]
        prims.random_laplace, shape=size, dtype=dtypes.float32, mean=0.0, scale=1.0
    )


def laplace(shape: Any, mean: Any, lambda_param: Any, seed: int | None = None) -> Tensor:
    """Laplace distributed numbers of this mean and scale."""
    return standard_laplace(shape) * as_tensor(lambda_param) + as_tensor(mean)  # type: ignore[no-any-return]


def log_normal(input: Tensor, mean: float = 1.0, std: float = 2.0) -> Tensor:
    """Numbers whose logarithm is normally distributed, in the shape of `input`."""
    drawn = apply(prims.random_normal, shape=input.shape, dtype=dtypes.float32, mean=float(mean), std=float(std))
    return cast(apply(prims.exp, drawn), input.dtype)


def _joined(shape: Any, *parameters: Tensor) -> tuple[int, ...]:
    inner = np.broadcast_shapes(*[parameter.shape for parameter in parameters])
    return (*_shape((shape,), "shape"), *inner)


def gamma(shape: Any, alpha: Any, beta: Any, seed: int | None = None) -> Tensor:
    """Gamma distributed numbers of shape parameter `alpha` and rate `beta`: `shape` of them for each parameter."""
    a, b = as_tensor(alpha, dtypes.float32), as_tensor(beta, dtypes.float32)
    drawn = apply(prims.random_gamma, a, shape=_joined(shape, a, b), dtype=dtypes.float32)
    return drawn / b  # type: ignore[no-any-return]


def random_gamma(shape: Any, alpha: Any, seed: int | None = None) -> Tensor:
    """Gamma distributed numbers of rate 1: `shape` of them for each shape parameter in `alpha`."""
    a = as_tensor(alpha)
    return apply(  # type: ignore[no-any-return]
        prims.random_gamma, cast(a, dtypes.float32), shape=_joined(shape, a), dtype=dtypes.float32
    )


def poisson(shape: Any, mean: Any, seed: int | None = None) -> Tensor:
    """Poisson distributed int32 numbers: `shape` of them for each mean."""
    return random_poisson(shape, mean, dtype=dtypes.int32)


def random_poisson(shape: Any, rate: Any, seed: int | None = None, dtype: Any = dtypes.float32) -> Tensor:
    """Poisson distributed numbers: `shape` of them for each rate."""
    r = as_tensor(rate)
    wanted = dtypes.as_dtype(dtype)
    drawn = apply(prims.random_poisson, cast(r, dtypes.float32), shape=_joined(shape, r), dtype=dtypes.int64)
    return cast(drawn, wanted)


def bernoulli(input: Tensor, p: Any = 0.5, seed: int | None = None) -> Tensor:
    """1 with probability `p` (a number, or a tensor that broadcasts with `input`), else 0, in the shape of `input`."""
    if isinstance(p, Tensor):
        coins = apply(prims.random_uniform, shape=input.shape, dtype=dtypes.float32, low=0.0, high=1.0)
        return cast(coins < cast(p, dtypes.float32), input.dtype)  # type: ignore[operator]
    if not 0 <= p <= 1:
        raise ValueError(f"bernoulli: 'p' should be in [0, 1], but got {p}")
    coins = apply(
        prims.random_bernoulli, shape=input.shape, dtype=dtypes.float32, probability=float(p), scale=1.0
    )
    return cast(coins, input.dtype)


def multinomial(input: Tensor, num_samples: int, replacement: bool = True, seed: int | None = None) -> Tensor:
    """Positions drawn in proportion to the weights in the last dimension of `input` (a vector or matrix), as int64.

    Raises:
        ValueError: if more samples are asked for than there are weights, without replacement.
    """
    weights = input if input.dtype.is_float else cast(input, dtypes.float32)
    return apply(  # type: ignore[no-any-return]
        prims.random_multinomial, weights, samples=int(num_samples), replacement=bool(replacement), dtype=dtypes.int64
    )


def multinomial_with_replacement(x: Tensor, seed: int, offset: int, numsamples: int, replacement: bool = False) -> Tensor:
    """As `multinomial`."""
    return multinomial(x, numsamples, replacement)


def shuffle(x: Tensor, seed: int | None = None) -> Tensor:
    """The rows of x in random order."""
    return x[randperm(x.shape[0])]
