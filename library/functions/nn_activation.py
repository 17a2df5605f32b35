"""Activation functions and gated linear units."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import choice, need_flags, one_axis
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.operands import floating as floating, need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import Shared
from .array_shape import reshape
from .array_split import split
from .documentation import common
from .table import known_as, method, on_one

__all__ = [
    "celu", "elu", "fast_gelu", "gelu", "glu", "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "leaky_relu",
    "log_softmax", "logsigmoid", "mish", "prelu", "relu", "relu6", "selu", "sigmoid", "silu", "softmax", "softmin",
    "softplus", "softshrink", "softsign", "swiglu", "tanhshrink", "threshold",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        input: a floating-point tensor of any shape.
        x: a floating-point tensor of any shape.
        input_x: a floating-point tensor of any shape.
        alpha: the limit for negative elements, with its sign changed.
        lambd: the bound.
    """,
    common,
)


SELU_ALPHA = 1.6732632423543772
SELU_SCALE = 1.0507009873554805


@known_as(method=True, primitive="ReLU ReLUV2", shared=_shared)
def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """The elements that are positive, 0 in place of the others.

    Args:
        input: a tensor of any shape, of a real dtype.
        inplace: whether to change the tensor itself.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.relu(ms.Tensor([-1.0, 2.0])))
        [0. 2.]
    """
    need_flags("relu", inplace=inplace)
    x = need_tensor(input, "relu")
    out = x if x.dtype is dtypes.bool_ else apply(prims.relu, x)
    if inplace:
        from ...frontend.values.inplace import assign_inplace

        return assign_inplace(input, out)
    return out


@on_one(
    "The elements no smaller than 0 and no larger than 6; the derivative is 0 at 0 and 1 at 6.",
    "Tensor([-1.0, 3.0, 9.0]) -> [0. 3. 6.]", argument="x", primitive="ReLU6", takes="floating",
)  # fmt: skip
def relu6(x: Tensor) -> Tensor:
    positive = apply(prims.relu, x)
    return apply(prims.select, apply(prims.greater, positive, 6.0), 6.0, positive)


@_shared
def leaky_relu(input: Tensor, alpha: float = 0.2) -> Tensor:
    """The elements that are positive, `alpha` times the others; where both are 0 the derivative is their mean.

    Args:
        alpha: the factor of negative elements.

    Examples:
        >>> print(ops.leaky_relu(Tensor([-1.0, 2.0])))
        [-0.2  2. ]
    """
    x = floating(input, "leaky_relu")
    return apply(prims.maximum if alpha <= 1 else prims.minimum, x, apply(prims.multiply, x, alpha))


@_shared
def elu(input_x: Tensor, alpha: float = 1.0) -> Tensor:
    """x where it is positive, alpha * (exp(x) - 1) elsewhere.

    Examples:
        >>> print(ops.elu(Tensor([-1.0, 2.0])))
        [-0.63212055  2.        ]
    """
    return _exponential(floating(input_x, "elu", "input_x"), 1.0, alpha, 1.0)


@_shared
def celu(x: Tensor, alpha: float = 1.0) -> Tensor:
    """The elements that are positive, alpha * (exp(x / alpha) - 1) in place of the others.

    Raises:
        ValueError: if `alpha` is 0.

    Examples:
        >>> print(ops.celu(Tensor([-1.0, 2.0])))
        [-0.63212055  2.        ]
    """
    if alpha == 0:
        raise ValueError("celu: 'alpha' should not be 0")
    return _exponential(floating(x, "celu", "x"), 1.0, alpha, 1.0 / alpha)


@on_one(
    "`elu` with the alpha and scale that keep mean and variance: 1.0507 * elu(x, 1.6733).",
    "Tensor([-1.0, 1.0]) -> [-1.1113307  1.050701 ]", argument="input_x", primitive="SeLU", takes="floating",
)  # fmt: skip
def selu(x: Tensor) -> Tensor:
    return _exponential(x, SELU_SCALE, SELU_ALPHA * SELU_SCALE, 1.0)


def _exponential(x: Tensor, scale: float, alpha: float, rate: float) -> Tensor:
    # The exponential is taken of what is negative only, so that what is not chosen cannot overflow.
    low = apply(prims.select, apply(prims.less, x, 0.0), x, 0.0)
    bent = apply(prims.expm1, low if rate == 1.0 else apply(prims.multiply, low, rate))
    bent = bent if alpha == 1.0 else apply(prims.multiply, bent, alpha)
    straight = x if scale == 1.0 else apply(prims.multiply, x, scale)
    return apply(prims.select, apply(prims.less, x, 0.0), bent, straight)


@on_one(
    "1 / (1 + exp(-x)).", "Tensor([0.0]) -> [0.5]",
    mint=True, functional=True, method=True, inplace=True, primitive="Sigmoid", takes="floating",
)  # fmt: skip
def sigmoid(x: Tensor) -> Tensor:
    return apply(prims.sigmoid, x)


@on_one(
    "log(sigmoid(x)), without overflow.", "Tensor([0.0]) -> [-0.6931472]",
    argument="x", primitive="LogSigmoid", takes="floating",
)  # fmt: skip
def logsigmoid(x: Tensor) -> Tensor:
    return apply(prims.log_sigmoid, x)


@on_one(
    "x * sigmoid(x).", "Tensor([-1.0, 1.0]) -> [-0.2689414  0.7310586]", method=True, primitive="SiLU", takes="floating"
)
def silu(x: Tensor) -> Tensor:
    return apply(prims.multiply, x, apply(prims.sigmoid, x))


@known_as(functional=True, method=True, shared=_shared)
def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """x times the probability that a standard normal number is below x; "tanh" for the usual estimate.

    Args:
        approximate: "none", or "tanh" for the usual estimate.

    Raises:
        ValueError: if `approximate` is another word.

    Examples:
        >>> print(ops.gelu(Tensor([-1.0, 2.0])))
        [-0.15865523  1.9544997 ]
    """
    choice(approximate, ("none", "tanh"), "gelu", "approximate")
    return apply(prims.gelu, floating(input, "gelu"), approximate=approximate)


@on_one(
    "x / (1 + exp(-1.702 |x|)) * exp(0.851 (x - |x|)), an estimate of gelu.",
    "Tensor([-1.0, 2.0]) -> [-0.15420423  1.9356586 ]", argument="x", primitive="FastGeLU FastGelu", takes="floating",
)  # fmt: skip
def fast_gelu(x: Tensor) -> Tensor:
    return apply(prims.multiply, x, apply(prims.sigmoid, apply(prims.multiply, x, 1.702)))


def _hard_gate(x: Tensor, below: Any, above: Any) -> Tensor:
    """(x + 3) / 6 between 0 and 1; the comparisons decide whether the derivative at -3 and 3 is that inside."""
    slope = apply(prims.multiply, apply(prims.add, x, 3.0), 1 / 6)
    high = apply(prims.select, apply(above, x, 3.0), 1.0, slope)
    return apply(prims.select, apply(below, x, -3.0), 0.0, high)


@on_one(
    "relu6(x + 3) / 6.", "Tensor([-4.0, 0.0, 4.0]) -> [0.  0.5 1. ]",
    functional=True, primitive="HSigmoid", takes="signed",
)  # fmt: skip
def hardsigmoid(x: Tensor) -> Tensor:
    if x.dtype.is_integer:  # of integers the fraction is dropped
        return cast(apply(prims.greater_equal, x, 3), x.dtype)
    return _hard_gate(x, prims.less_equal, prims.greater_equal)


@on_one(
    "x * relu6(x + 3) / 6.", "Tensor([-4.0, 0.0, 4.0]) -> [0. 0. 4.]",
    functional=True, primitive="HSwish", takes="signed",
)  # fmt: skip
def hardswish(x: Tensor) -> Tensor:
    if x.dtype.is_integer:  # 1 of 2, and that below is no whole number
        large = apply(prims.greater_equal, x, 3)
        return apply(prims.select, large, x, cast(apply(prims.equal, x, 2), x.dtype))
    kept = apply(prims.select, apply(prims.less, x, -3.0), 0.0, x)  # not -inf, whose product with 0 is nan
    return apply(prims.multiply, kept, _hard_gate(x, prims.less, prims.greater))


@_shared
def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """Each element clipped to the range from `min_val` to `max_val`.

    Args:
        input: a tensor of any shape, of floating-point numbers or integers.
        min_val, max_val: the two bounds.

    Raises:
        ValueError: if `min_val` is above `max_val`.

    Examples:
        >>> print(ops.hardtanh(Tensor([-4.0, 0.5, 4.0])))
        [-1.   0.5  1. ]
    """
    x = need_tensor(input, "hardtanh")
    if x.dtype.is_integer:  # as in MindSpore, the bounds are cut off
        least = 0 if x.dtype.kind == "u" else min_val
        min_val, max_val = max(int(min_val), int(least)), max(int(max_val), int(least))
    else:
        floating(x, "hardtanh")
    if min_val > max_val:
        raise ValueError(f"hardtanh: 'min_val' {min_val} should not be larger than 'max_val' {max_val}")
    return apply(prims.clip, x, min_val, max_val)


@known_as(functional=True, method=True, shared=_shared)
def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """The elements further from 0 than `lambd`, 0 in place of the others.

    Examples:
        >>> print(ops.hardshrink(Tensor([-1.0, 0.2])))
        [-1.  0.]
    """
    x = floating(input, "hardshrink")
    return apply(prims.select, apply(prims.greater, apply(prims.absolute, x), lambd), x, 0.0)


@known_as("soft_shrink", functional=True, method="soft_shrink", shared=_shared)
def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """The elements moved towards 0 by `lambd`; 0 for elements that are nearer.

    Raises:
        ValueError: if `lambd` is negative.

    Examples:
        >>> print(ops.softshrink(Tensor([-1.0, 0.2])))
        [-0.5  0. ]
    """
    x = floating(input, "softshrink")
    if lambd < 0:
        raise ValueError(f"softshrink: 'lambd' should not be negative, but got {lambd}")
    low = apply(prims.select, apply(prims.less, x, -lambd), apply(prims.add, x, lambd), 0.0)
    return apply(prims.select, apply(prims.greater, x, lambd), apply(prims.subtract, x, lambd), low)


@on_one("x - tanh(x).", "Tensor([0.0, 1.0]) -> [0.         0.23840582]", takes="to_float")
def tanhshrink(x: Tensor) -> Tensor:
    return apply(prims.subtract, x, apply(prims.tanh, x))


@known_as(functional=True, primitive="Softplus SoftplusExt", shared=_shared)
def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """log(1 + exp(beta * x)) / beta, and x itself where beta * x is above the threshold.

    Args:
        beta: the steepness.
        threshold: above it the function is x itself.

    Raises:
        ValueError: if `beta` is 0.

    Examples:
        >>> print(ops.softplus(Tensor([0.0, 1.0])))
        [0.6931472 1.3132616]
    """
    x = floating(input, "softplus")
    if beta == 0:
        raise ValueError("softplus: 'beta' should not be 0")
    if beta == 1:
        smooth = apply(prims.softplus, x)
    else:
        smooth = apply(prims.divide, apply(prims.softplus, apply(prims.multiply, x, float(beta))), float(beta))
    if beta == 1 and threshold >= 20:
        return smooth
    steep = apply(prims.greater, apply(prims.multiply, x, float(beta)), float(threshold))
    return apply(prims.select, steep, x, smooth)


@on_one(
    "x * tanh(log(1 + exp(x))).", "Tensor([0.0, 1.0]) -> [0.        0.8650984]",
    argument="x", primitive="Mish", takes="floating",
)  # fmt: skip
def mish(x: Tensor) -> Tensor:
    return apply(prims.multiply, x, apply(prims.tanh, apply(prims.softplus, x)))


@on_one("x / (1 + |x|).", "Tensor([-1.0, 1.0]) -> [-0.5  0.5]", argument="x", primitive="Softsign", takes="floating")
def softsign(x: Tensor) -> Tensor:
    return apply(prims.divide, x, apply(prims.add, apply(prims.absolute, x), 1.0))


@common
def threshold(input: Tensor, thr: float, value: float) -> Tensor:
    """The elements above `thr`, `value` in place of the others.

    Args:
        thr: the threshold.
        value: the number.

    Examples:
        >>> print(ops.threshold(Tensor([0.0, 1.0]), 0.5, -1.0))
        [-1.  1.]
    """
    x = need_tensor(input, "threshold")
    return apply(prims.select, apply(prims.greater, x, thr), x, value)


@known_as(functional=True, primitive="PReLU")
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """The elements that are positive, `weight` (one number, or one a channel of dimension 1) times the others.

    Args:
        input: a floating-point tensor of any shape.
        weight: a vector of one element, or of one for each channel.

    Raises:
        ValueError: if `weight` is no vector of one element or of as many as there are channels.

    Examples:
        >>> print(ops.prelu(Tensor([-2.0, 2.0]), Tensor([0.5])))
        [-1.  2.]
    """
    x, slope = floating(input, "prelu"), floating(weight, "prelu", "weight")
    if slope.ndim > 1:
        raise ValueError(f"prelu: 'weight' should be a vector, but its shape is {slope.shape}")
    count = slope.size
    if count != 1:
        if x.ndim < 2 or x.shape[1] != count:
            raise ValueError(f"prelu: 'weight' of shape {slope.shape} does not fit the channels of shape {x.shape}")
        slope = reshape(slope, (count, *(1,) * (x.ndim - 2)))
    elif slope.ndim and x.ndim == 0:
        slope = reshape(slope, ())
    bent = apply(prims.multiply, x, slope if slope.dtype is x.dtype else cast(slope, x.dtype))
    return apply(prims.select, apply(prims.greater, x, 0.0), x, bent)


def _halves(x: Tensor, axis: int, function: str) -> tuple[Tensor, ...]:
    place = one_axis(axis, x.ndim, function)
    length = int(x.shape[place])
    if length % 2:
        raise ValueError(f"{function}: dimension {place} of shape {x.shape} should be even")
    return split(x, length // 2, place)


@common
def glu(x: Tensor, axis: int = -1) -> Tensor:
    """The first half along an axis times the sigmoid of the second. ValueError if it is of odd size.

    Args:
        x: a floating-point tensor of any shape.

    Raises:
        ValueError: if `axis` is out of range, or the axis is of odd size.

    Examples:
        >>> print(ops.glu(Tensor([1.0, 0.0])))
        [0.5]
    """
    first, second = _halves(floating(x, "glu", "x"), axis, "glu")
    return apply(prims.multiply, first, apply(prims.sigmoid, second))


@known_as(primitive="Swiglu", shared=common)
def swiglu(input: Tensor, dim: int = -1) -> Tensor:
    """The silu of the first half along a dimension times the second half.

    Args:
        input: a floating-point tensor of any shape.
        dim: the dimension; a negative one counts from the end.

    Raises:
        ValueError: if `dim` is out of range, or the dimension is of odd size.

    Examples:
        >>> print(ops.swiglu(Tensor([1.0, 2.0])))
        [1.4621172]
    """
    first, second = _halves(floating(input, "swiglu"), dim, "swiglu")
    return apply(prims.multiply, silu(first), second)


_softmaxes = Shared(
    """
    Args:
        dtype: the dtype to convert to first.
    """,
    common,
)


def softmax(input: Tensor, axis: Any = -1, *, dtype: Any = None) -> Tensor:
    """exp(x) over its sum along an axis (or a tuple of axes), computed without overflow.

    Args:
        input: a floating-point tensor of at least one dimension.
        axis: the axis, or a tuple of axes.
        dtype: the dtype to convert to first.

    Raises:
        TypeError: if the tensor is not floating-point.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.softmax(ms.Tensor([0.0, 0.0])))
        [0.5 0.5]
    """
    x = need_tensor(input, "softmax")
    x = floating(x if dtype is None else cast(x, dtypes.as_dtype(dtype)), "softmax")
    if isinstance(axis, (tuple, list)):
        if len(axis) != 1:
            return _softmax_over(x, tuple(one_axis(place, x.ndim, "softmax") for place in axis))
        (axis,) = axis
    if x.ndim == 0:
        return reshape(apply(prims.softmax, reshape(x, (1,)), axis=0), ())
    return apply(prims.softmax, x, axis=one_axis(axis, x.ndim, "softmax"))


def _softmax_over(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    total = apply(prims.logsumexp, x, axis=tuple(sorted(axes)), keepdims=True)
    return apply(prims.exp, apply(prims.subtract, x, total))


@known_as(method=True, shared=_softmaxes)
def log_softmax(logits: Tensor, axis: int = -1) -> Tensor:
    """The logarithm of `softmax` along an axis, computed without overflow.

    Args:
        logits: a floating-point tensor of at least one dimension.

    Examples:
        >>> print(ops.log_softmax(Tensor([0.0, 0.0])))
        [-0.6931472 -0.6931472]
    """
    x = floating(logits, "log_softmax", "logits")
    return apply(prims.log_softmax, x, axis=one_axis(axis, x.ndim, "log_softmax"))


@_softmaxes
def softmin(x: Tensor, axis: int = -1, *, dtype: Any = None) -> Tensor:
    """`softmax` of the negated tensor.

    Args:
        x: a floating-point tensor of at least one dimension.

    Examples:
        >>> print(ops.softmin(Tensor([0.0, 0.0])))
        [0.5 0.5]
    """
    x = need_tensor(x, "softmin", "x")
    return softmax(apply(prims.negative, x if dtype is None else cast(x, dtypes.as_dtype(dtype))), axis)


@method("softmax", shared=_softmaxes)
def softmax_method(self: Tensor, axis: Any = None, dtype: Any = None, *, dim: Any = None) -> Tensor:
    """exp(x) over its sum along an axis; see `ops.softmax`.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([0.0, 0.0]).softmax())
        [0.5 0.5]
    """
    return softmax(self, axis if axis is not None else dim if dim is not None else -1, dtype=dtype)
