"""Functions that draw random numbers while training: dropout of elements and channels, rrelu, gumbel_softmax."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import insert_axes, one_axis, shape_of
from ...frontend.values.dispatch import apply
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.random import RANK_KEY
from ..distributed.parallel import is_data_parallel
from ..docstrings import Shared
from .documentation import common
from .nn_activation import floating, softmax
from .seeds import draw, takes_seed

__all__ = [
    "alpha_dropout", "dropout", "dropout1d", "dropout2d", "dropout3d", "gumbel_softmax", "rrelu",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        training: whether anything is dropped.
        input: a floating-point tensor of any shape.
        p: the probability of each channel to be dropped.

    Raises:
        ValueError: if `p` is not between 0 and 1.
    """,
    common,
)


def _check_probability(p: Any, function: str) -> float:
    if isinstance(p, bool) or not isinstance(p, (int, float)):
        raise TypeError(f"{function}: 'p' should be a number, but got {type(p).__name__}")
    if not 0 <= p <= 1:
        raise ValueError(f"{function}: 'p' should be in [0, 1], but got {p}")
    return float(p)


def keep_mask(x: Tensor, p: float, shape: tuple[int | None, ...], **stream: Any) -> Tensor:
    """A mask of 1 / (1 - p) with probability 1 - p, else 0, in the dtype of x, of the leading sizes of its shape.

    Processes that train on batches of their own drop different elements.
    """
    if is_data_parallel():
        stream = {"stream": RANK_KEY, **stream}
    attrs = {**stream, "probability": 1.0 - p, "scale": 1.0 / (1.0 - p), "dtype": x.dtype}
    if None in shape:
        like = x if len(shape) == x.ndim else apply(prims.sum, x, axis=tuple(range(len(shape), x.ndim)), keepdims=False)
        return draw(prims.random_bernoulli, like, shape=None, **attrs)
    return draw(prims.random_bernoulli, shape=shape, **attrs)


@_shared
@takes_seed
def dropout(input: Tensor, p: float = 0.5, training: bool = True, seed: int | None = None) -> Tensor:
    """Each element zero with probability `p`, else divided by 1 - p; the tensor itself when not training.

    Args:
        p: the probability of each element to be dropped.
        seed: of a generator for these draws; None: the global one. `set_seed` begins both anew.

    Raises:
        ValueError: if `p` is not in [0, 1].

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.dropout(ms.Tensor([1.0, 2.0]), training=False))
        [1. 2.]
    """
    x, chance = floating(input, "dropout"), _check_probability(p, "dropout")
    if not training or chance == 0:
        return x
    if chance == 1:
        return apply(prims.zeros_like, x)
    return apply(prims.multiply, x, keep_mask(x, chance, shape_of(x)))


def drop_channels(x: Tensor, p: float, training: bool, function: str) -> Tensor:
    """Each channel of (batch, channels, …) zero with probability `p`, else divided by 1 - p."""
    chance = _check_probability(p, function)
    if not training or chance == 0:
        return x
    if chance == 1:
        return apply(prims.zeros_like, x)
    mask = keep_mask(x, chance, shape_of(x)[:2])
    return apply(prims.multiply, x, insert_axes(mask, tuple(range(2, x.ndim))))


def _drop_channels(input: Tensor, p: float, training: bool, axes: int, function: str) -> Tensor:
    x = floating(input, function)
    if x.ndim == axes + 1:
        return drop_channels(insert_axes(x, (0,)), p, training, function)[0]
    if x.ndim != axes + 2:
        raise ValueError(f"{function}: 'input' should have {axes + 1} or {axes + 2} dimensions, but got {x.shape}")
    return drop_channels(x, p, training, function)


@_shared
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Each channel of (N, C, L) zero with probability `p`, else divided by 1 - p.

    Args:
        input: a floating-point tensor of shape (N, C, L), or without N.

    Raises:
        ValueError: if `p` is not between 0 and 1, or the shape does not fit.

    Examples:
        >>> from mycel import ops
        >>> print(ops.dropout1d(ops.ones((1, 2, 3)), training=False).shape)
        (1, 2, 3)
    """
    return _drop_channels(input, p, training, 1, "dropout1d")


@_shared
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Each channel of (N, C, H, W) zero with probability `p`, else divided by 1 - p.

    Args:
        input: a floating-point tensor of shape (N, C, H, W), or without N.

    Examples:
        >>> from mycel import ops
        >>> print(ops.dropout2d(ops.ones((1, 2, 3, 3)), training=False).shape)
        (1, 2, 3, 3)
    """
    return _drop_channels(input, p, training, 2, "dropout2d")


@_shared
def dropout3d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Each channel of (N, C, D, H, W) zero with probability `p`, else divided by 1 - p.

    Args:
        input: a floating-point tensor of shape (N, C, D, H, W), or without N.

    Examples:
        >>> from mycel import ops
        >>> print(ops.dropout3d(ops.ones((1, 2, 3, 3, 3)), training=False).shape)
        (1, 2, 3, 3, 3)
    """
    return _drop_channels(input, p, training, 3, "dropout3d")


def _like(x: Tensor, op: Any, **attrs: Any) -> Tensor:
    if None in shape_of(x):
        return apply(op, x, shape=None, dtype=x.dtype, **attrs)
    return apply(op, shape=shape_of(x), dtype=x.dtype, **attrs)


@_shared
def rrelu(input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3) -> Tensor:
    """The elements that are positive, the others times a slope drawn from [lower, upper).

    Args:
        lower, upper: the bounds of the slope.

    Raises:
        ValueError: if `lower` is above `upper`, or one is not between 0 and 1.

    Examples:
        >>> print(ops.rrelu(Tensor([1.0, 2.0])))
        [1. 2.]
    """
    x = floating(input, "rrelu")
    if not 0 <= lower <= upper <= 1:
        raise ValueError(f"rrelu: 'lower' and 'upper' should be in [0, 1] and in order, but got {lower} and {upper}")
    slope = _like(x, prims.random_uniform, low=float(lower), high=float(upper))
    found = apply(prims.select, apply(prims.greater, x, 0.0), x, apply(prims.multiply, x, slope))
    # MindSpore's gradient at 0 is 0.
    return apply(prims.select, apply(prims.equal, x, 0.0), apply(prims.zeros_like, x), found)


@_shared
def gumbel_softmax(logits: Tensor, tau: float = 1.0, hard: bool = False, dim: int = -1) -> Tensor:
    """The softmax of logits plus Gumbel noise, over `tau`; with `hard` one-hot, with the soft result's gradient.

    Args:
        logits: a floating-point tensor of at least one dimension.
        tau: the temperature.
        hard: whether to give one-hot vectors.
        dim: the dimension; a negative one counts from the end.

    Raises:
        ValueError: if `dim` is out of range, or `tau` is not positive.

    Examples:
        >>> print(ops.gumbel_softmax(Tensor([[1.0, 2.0]])).shape)
        (1, 2)
    """
    x = floating(logits, "gumbel_softmax", "logits")
    if tau <= 0:
        raise ValueError(f"gumbel_softmax: 'tau' should be positive, but got {tau}")
    axis = one_axis(dim, x.ndim, "gumbel_softmax", "dim")
    noise = apply(prims.negative, apply(prims.log, _like(x, prims.random_exponential, rate=1.0)))
    soft = softmax(apply(prims.divide, apply(prims.add, x, noise), float(tau)), axis)
    if not hard:
        return soft
    best = apply(prims.argmax, soft, axis=axis, dtype=dtypes.int64)
    one, zero = Tensor(1.0, x.dtype), Tensor(0.0, x.dtype)
    hot = apply(prims.one_hot, best, one, zero, depth=int(x.shape[axis]), axis=axis)
    return apply(prims.add, apply(prims.stop_gradient, apply(prims.subtract, hot, soft)), soft)


@_shared
def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False) -> Tensor:
    """Dropout that keeps mean and variance after selu: dropped elements are its limit at minus infinity.

    Args:
        p: the probability of each element to be dropped.

    Examples:
        >>> print(ops.alpha_dropout(Tensor([1.0, 2.0]), training=False))
        [1. 2.]
    """
    x, chance = floating(input, "alpha_dropout"), _check_probability(p, "alpha_dropout")
    if not training or chance == 0:
        return x
    limit = -1.7580993408473766
    keep = _like(x, prims.random_bernoulli, probability=1.0 - chance, scale=1.0)
    scale = (1.0 - chance + limit**2 * chance * (1.0 - chance)) ** -0.5 if chance < 1 else 0.0
    mixed = apply(prims.select, apply(prims.not_equal, keep, 0.0), x, limit)
    return apply(prims.add, apply(prims.multiply, mixed, scale), -limit * chance * scale)
