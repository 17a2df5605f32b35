"""Numbers drawn from distributions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.dispatch import apply, as_tensor, cast
from ...frontend.values.operands import need_float, need_tensor, to_float
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..docstrings import Shared
from .documentation import common
from .math import add, mul, sub, true_divide
from .random import like_shape, normal_of, sizes, uniform_of
from .requirements import require_no_negative
from .seeds import draw, takes_seed
from .table import known_as, made

__all__ = [
    "bernoulli", "gamma", "laplace", "log_normal", "multinomial", "multinomial_with_replacement", "normal",
    "poisson", "random_categorical", "random_gamma", "random_poisson", "standard_laplace", "standard_normal",
    "uniform",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        shape: a tuple of ints.
        alpha: a tensor of any shape.
        mean: a tensor of any shape.
        rate: a tensor of any shape.
        seed: of a generator for these draws; None: the global one.

    Raises:
        TypeError: if `alpha` is no Tensor.
        TypeError: if `mean` is no Tensor.
        TypeError: if `rate` is no Tensor.
    """,
    common,
)


def _spread(shape: Any, function: str, *parameters: Any) -> tuple[int, ...]:
    """A shape broadcast with those of parameters."""
    return np.broadcast_shapes(sizes(shape, function), *[sizes(item.shape, function) for item in parameters])


@takes_seed
def uniform(shape: Any, minval: Any, maxval: Any, seed: int | None = None, dtype: Any = dtypes.float32) -> Tensor:
    """Numbers uniform in [minval, maxval).

    Args:
        shape: the shape.
        minval: the lower bound, a tensor or number that broadcasts with the shape.
        maxval: the upper bound, a tensor or number that broadcasts with the shape.
        seed: of a generator for these draws; None: the global one. `mycel.set_seed` begins both anew.
        dtype: the dtype; an integer one gives whole numbers.

    Raises:
        TypeError: if the shape is not made of ints.

    Examples:
        >>> import mycel as ms
        >>> x = ms.ops.uniform((2,), ms.Tensor(3.0), ms.Tensor(4.0))
        >>> bool((x >= 3).all()), bool((x < 4).all())
        (True, True)
    """
    wanted = dtypes.as_dtype(dtype)
    low, high = as_tensor(minval, wanted), as_tensor(maxval, wanted)
    size = _spread(shape, "uniform", low, high)
    if not wanted.is_integer:
        return add(mul(uniform_of(size, wanted), sub(high, low)), low)
    span = cast(sub(high, low), dtypes.float64)
    return add(low, cast(apply(prims.floor, mul(uniform_of(size, dtypes.float64), span)), wanted))


@takes_seed
def normal(shape: Any, mean: Any, stddev: Any, seed: int | None = None) -> Tensor:
    """Normally distributed numbers, of Float32 unless the mean is a tensor of another floating-point dtype.

    Args:
        shape: the shape.
        mean: the mean, a tensor or number that broadcasts with the shape.
        stddev: the standard deviation, a tensor or number that broadcasts with the shape.
        seed: of a generator for these draws; None: the global one. `mycel.set_seed` begins both anew.

    Raises:
        ValueError: if the shapes do not fit, or a deviation is negative.

    Examples:
        >>> from mycel import ops
        >>> print(ops.normal((2, 3), 0.0, 1.0).shape)
        (2, 3)
    """
    centre = as_tensor(mean)
    dtype = centre.dtype if centre.dtype.is_float else dtypes.float32
    centre, scale = cast(centre, dtype), as_tensor(stddev, dtype)
    require_no_negative(scale, "normal", "stddev")
    return add(mul(normal_of(_spread(shape, "normal", centre, scale), dtype), scale), centre)


def _standard(name: str, distribution: str, drawn: Callable[[tuple[int, ...]], Tensor]) -> Callable[..., Tensor]:
    """`standard_normal` and `standard_laplace`."""

    def run(shape: Any, seed: int | None = None) -> Tensor:
        """Float32 numbers of the {distribution}.

        Args:
            shape: the shape, a tuple of ints.
            seed: of a generator for these draws; None: the global one.

        Raises:
            ValueError: if a size is negative.

        Examples:
            >>> from mycel import ops
            >>> print(ops.{name}((2, 3)).shape)
            (2, 3)
        """
        return drawn(sizes(shape, name))

    return takes_seed(made(run, name, distribution=distribution))


def _laplace(size: tuple[int, ...]) -> Tensor:
    return draw(prims.random_laplace, shape=size, dtype=dtypes.float32, mean=0.0, scale=1.0)


standard_normal = _standard(
    "standard_normal", "standard normal distribution", lambda size: normal_of(size, dtypes.float32)
)
standard_laplace = _standard("standard_laplace", "Laplace distribution with mean 0 and scale 1", _laplace)


@takes_seed
def laplace(shape: Any, mean: Any, lambda_param: Any, seed: int | None = None) -> Tensor:
    """Float32 numbers of a Laplace distribution; mean and scale are tensors or numbers that broadcast with the shape.

    Args:
        shape: the shape, a tuple of ints.
        mean, lambda_param: tensors or numbers that can be broadcast to it.
        seed: of a generator for these draws; None: the global one.

    Raises:
        TypeError: if `mean` or `lambda_param` holds no numbers.
        ValueError: if the shapes do not fit.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.laplace((2, 3), Tensor(1.0), Tensor(2.0)).shape)
        (2, 3)
    """
    centre, scale = as_tensor(mean, dtypes.float32), as_tensor(lambda_param, dtypes.float32)
    return add(mul(standard_laplace(_spread(shape, "laplace", centre, scale)), scale), centre)


@known_as(method=True)
def log_normal(input: Tensor, mean: float = 1.0, std: float = 2.0) -> Tensor:
    """Numbers whose logarithms are normally distributed, in the shape and dtype of a tensor.

    Args:
        mean, std: of the logarithms, numbers.

    Examples:
        >>> print(ops.log_normal(Tensor([1.0, 2.0])).shape)
        (2,)
    """
    drawn = add(mul(normal_of(like_shape(input, "log_normal"), dtypes.float32), float(std)), float(mean))
    return cast(apply(prims.exp, drawn), input.dtype)


def _each(shape: Any, function: str, *parameters: Tensor) -> tuple[int, ...]:
    """`shape` draws for each of the parameters, broadcast together."""
    inner = np.broadcast_shapes(*[sizes(item.shape, function) for item in parameters])
    return (*sizes(shape, function), *inner)


@takes_seed
def gamma(shape: Any, alpha: Any, beta: Any, seed: int | None = None) -> Tensor:
    """Gamma distributed Float32 numbers: `shape` of them for each shape parameter `alpha` and rate `beta`.

    Args:
        shape: a tuple of ints.
        alpha, beta: tensors of shapes that can be broadcast together.
        seed: of a generator for these draws; None: the global one.

    Raises:
        TypeError: if `alpha` or `beta` is no Tensor.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.gamma((5,), Tensor([1.0, 2.0]), Tensor([1.0, 1.0])).shape)
        (5, 2)
    """
    a, b = need_tensor(alpha, "gamma", "alpha"), need_tensor(beta, "gamma", "beta")
    a, b = cast(a, dtypes.float32), cast(b, dtypes.float32)
    drawn = draw(prims.random_gamma, a, shape=_each(shape, "gamma", a, b), dtype=dtypes.float32)
    return true_divide(drawn, b)


@_shared
@takes_seed
def random_gamma(shape: Any, alpha: Any, seed: int | None = None) -> Tensor:
    """Gamma distributed Float32 numbers of rate 1: `shape` of them for each shape parameter `alpha`.

    Examples:
        >>> print(ops.random_gamma((5,), Tensor([1.0, 2.0])).shape)
        (5, 2)
    """
    a = cast(need_tensor(alpha, "random_gamma", "alpha"), dtypes.float32)
    return draw(prims.random_gamma, a, shape=_each(shape, "random_gamma", a), dtype=dtypes.float32)


@_shared
@takes_seed
def poisson(shape: Any, mean: Any, seed: int | None = None) -> Tensor:
    """Poisson distributed Int32 numbers: `shape` of them for each mean.

    Examples:
        >>> print(ops.poisson((5,), Tensor([1.0, 2.0])).shape)
        (5, 2)
    """
    return random_poisson(shape, need_tensor(mean, "poisson", "mean"), dtype=dtypes.int32)


@_shared
@takes_seed
def random_poisson(shape: Any, rate: Any, seed: int | None = None, dtype: Any = dtypes.float32) -> Tensor:
    """Poisson distributed numbers: `shape` of them for each rate.

    Args:
        dtype: the dtype of the result.

    Examples:
        >>> print(ops.random_poisson((5,), Tensor([1.0, 2.0])).shape)
        (5, 2)
    """
    r = cast(need_tensor(rate, "random_poisson", "rate"), dtypes.float32)
    drawn = draw(prims.random_poisson, r, shape=_each(shape, "random_poisson", r), dtype=dtypes.int64)
    return cast(drawn, dtypes.as_dtype(dtype))


@known_as()
@takes_seed
def bernoulli(input: Tensor, p: Any = 0.5, seed: int | None = None) -> Tensor:
    """1 with probability `p`, else 0, in the shape and dtype of a tensor.

    Args:
        p: the probability, a number or a tensor that broadcasts with `input`.
        seed: of a generator for these draws; None: the global one. `mycel.set_seed` begins both anew.

    Raises:
        ValueError: if a number `p` is not in [0, 1].

    Examples:
        >>> print(ops.bernoulli(Tensor([1.0, 2.0]), 1.0))
        [1. 1.]
    """
    size = like_shape(input, "bernoulli")
    if isinstance(p, Tensor):
        coins = uniform_of(size, dtypes.float32)
        return cast(apply(prims.less, coins, cast(p, dtypes.float32)), input.dtype)
    if not 0 <= p <= 1:
        raise ValueError(f"bernoulli: 'p' should be in [0, 1], but got {p}")
    coins = draw(prims.random_bernoulli, shape=size, dtype=dtypes.float32, probability=float(p), scale=1.0)
    return cast(coins, input.dtype)


@known_as(method=True)
@takes_seed
def multinomial(input: Tensor, num_samples: Any, replacement: bool = True, seed: int | None = None) -> Tensor:
    """Positions (Int32) drawn in proportion to the weights in the last dimension.

    Args:
        input: a vector or matrix of weights, which need not add up to 1.
        num_samples: how many to draw from each row.
        replacement: whether a position may be drawn again.
        seed: of a generator for these draws; None: the global one. `mycel.set_seed` begins both anew.

    Raises:
        ValueError: if more are asked for than there are, without replacement.

    Examples:
        >>> print(ops.multinomial(Tensor([0.0, 1.0]), 3))
        [1 1 1]
    """
    weights = to_float(need_tensor(input, "multinomial"))
    return _positions(weights, num_samples, replacement, dtypes.int32, "multinomial")


def _positions(weights: Tensor, samples: Any, replacement: bool, dtype: DType, function: str) -> Tensor:
    count = sizes(samples, function, "num_samples")[0]
    return draw(prims.random_multinomial, weights, samples=count, replacement=bool(replacement), dtype=dtype)


@common
@takes_seed
def multinomial_with_replacement(
    x: Tensor, seed: int, offset: int, numsamples: int, replacement: bool = False
) -> Tensor:
    """Positions (Int64) drawn in proportion to the weights in the last dimension; arguments as for `multinomial`.

    Args:
        x: a floating-point tensor of one or two dimensions.
        seed, offset: of a generator for these draws.
        numsamples: how many.
        replacement: whether a position may be drawn again.

    Raises:
        ValueError: if a shape or number does not fit.

    Examples:
        >>> print(ops.multinomial_with_replacement(Tensor([0.0, 1.0]), 2, 5, 2, True))
        [1 1]
    """
    weights = to_float(need_tensor(x, "multinomial_with_replacement", "x"))
    return _positions(weights, numsamples, replacement, dtypes.int64, "multinomial_with_replacement")


@takes_seed
def random_categorical(logits: Tensor, num_sample: int, seed: int = 0, dtype: Any = dtypes.int64) -> Tensor:
    """Positions drawn in proportion to the exponentials of the rows of a matrix, with replacement.

    Args:
        logits: a matrix of floating-point numbers.
        num_sample: how many to draw from each row.
        seed: of a generator for these draws; None: the global one. `mycel.set_seed` begins both anew.
        dtype: the dtype of the positions.

    Raises:
        TypeError: if `logits` is not of a floating-point dtype.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.random_categorical(Tensor([[-100.0, 100.0]]), 3))
        [[1 1 1]]
    """
    x = need_float(need_tensor(logits, "random_categorical", "logits"), "random_categorical")
    shares = apply(prims.softmax, x, axis=x.ndim - 1)
    return _positions(shares, num_sample, True, dtypes.as_dtype(dtype), "random_categorical")
