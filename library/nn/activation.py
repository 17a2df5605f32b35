"""Activation layers, and `get_activation`, which finds one by its name."""

from __future__ import annotations

from typing import Any

from ...frontend.api.checks import check_value_type
from ...frontend.values.cell import Cell
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..initializer import initializer
from .checks import check_bool, check_number, check_positive_int

_TAKES_TENSORS = True  # its Cells say which input should be a Tensor; Cell reads this

__all__ = [
    "CELU",
    "ELU",
    "GELU",
    "GLU",
    "FastGelu",
    "HShrink",
    "HSigmoid",
    "HSwish",
    "Hardtanh",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "Mish",
    "PReLU",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SeLU",
    "SiLU",
    "Sigmoid",
    "SoftShrink",
    "Softmax",
    "Softmax2d",
    "Softmin",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    "Threshold",
    "get_activation",
]


class _Plain(Cell):
    """An activation without options."""

    def __init__(self) -> None:
        super().__init__()


class ReLU(_Plain):
    """max(x, 0), elementwise."""

    def construct(self, x: Any) -> Any:
        """max(x, 0)."""
        return ops.relu(x)


class ReLU6(_Plain):
    """min(max(x, 0), 6), elementwise."""

    def construct(self, x: Any) -> Any:
        """min(max(x, 0), 6)."""
        return ops.relu6(x)


class LeakyReLU(Cell):
    """x where it is positive, alpha·x elsewhere.

    Args:
        alpha: the slope for negative x.
    """

    def __init__(self, alpha: float = 0.2) -> None:
        super().__init__()
        check_number(alpha, "alpha", "LeakyReLU")
        self.alpha = alpha

    def construct(self, x: Any) -> Any:
        """x or alpha·x."""
        return ops.leaky_relu(x, self.alpha)


class PReLU(Cell):
    """x where it is positive, w·x elsewhere, with a learnable w for each channel or one for all.

    Args:
        channel: the number of channels (axis 1 of the input), or 1.
        w: the initial slope: a number, a list or a Tensor of `channel` numbers.

    Raises:
        ValueError: if `w` has not `channel` numbers.
    """

    def __init__(self, channel: int = 1, w: Any = 0.25) -> None:
        super().__init__()
        check_positive_int(channel, "channel", "PReLU")
        if isinstance(w, (list, tuple)):
            w = Tensor(w, dtypes.float32)
        if isinstance(w, Tensor):
            if tuple(w.shape) != (channel,):
                raise ValueError(f"For 'PReLU', the 'w' should have {channel} numbers, but has shape {w.shape}")
        elif isinstance(w, bool) or not isinstance(w, (int, float)):
            raise TypeError(f"For 'PReLU', the 'w' should be a number, a list or a Tensor, but got {type(w).__name__}")
        self.w = Parameter(initializer(w, (channel,)), name="a")

    def construct(self, x: Any) -> Any:
        """x or w·x."""
        return ops.prelu(x, self.w)


class RReLU(Cell):
    """As LeakyReLU, with slopes drawn from [lower, upper) in training and their mean otherwise.

    Args:
        lower, upper: the bounds of the slopes.

    Raises:
        ValueError: if lower is larger than upper.
    """

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3) -> None:
        super().__init__()
        if check_number(lower, "lower", "RReLU") > check_number(upper, "upper", "RReLU"):
            raise ValueError(f"For 'RReLU', the 'lower' should be at most 'upper', but got {lower} and {upper}")
        self.lower = float(lower)
        self.upper = float(upper)

    def construct(self, x: Any) -> Any:
        """x or a slope times x."""
        if not self.training:
            return ops.leaky_relu(x, (self.lower + self.upper) / 2)
        slopes = ops.rand_like(x) * (self.upper - self.lower) + self.lower
        return ops.where(x >= 0, x, x * slopes)


class ELU(Cell):
    """x where it is positive, alpha·(exp(x) - 1) elsewhere.

    Args:
        alpha: the factor for negative x.
    """

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Any) -> Any:
        """x or alpha·(exp(x) - 1)."""
        return ops.elu(x, self.alpha)


class CELU(Cell):
    """max(x, 0) + min(0, alpha·(exp(x/alpha) - 1)).

    Args:
        alpha: not zero.
    """

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Any) -> Any:
        """CELU of x."""
        return ops.celu(x, self.alpha)


class SeLU(_Plain):
    """The scaled exponential linear unit."""

    def construct(self, input_x: Any) -> Any:
        """SELU of x."""
        return ops.selu(input_x)


class SiLU(_Plain):
    """x · sigmoid(x)."""

    def construct(self, x: Any) -> Any:
        """x · sigmoid(x)."""
        return ops.silu(x)


class Sigmoid(_Plain):
    """1 / (1 + exp(-x))."""

    def construct(self, x: Any) -> Any:
        """sigmoid(x)."""
        return ops.sigmoid(x)


class LogSigmoid(_Plain):
    """log(sigmoid(x))."""

    def construct(self, x: Any) -> Any:
        """log(sigmoid(x))."""
        return ops.logsigmoid(x)


class Tanh(_Plain):
    """The hyperbolic tangent."""

    def construct(self, x: Any) -> Any:
        """tanh(x)."""
        return ops.tanh(x)


class Tanhshrink(_Plain):
    """x - tanh(x)."""

    def construct(self, input_x: Any) -> Any:
        """x - tanh(x)."""
        return input_x - ops.tanh(input_x)


class Hardtanh(Cell):
    """x held between two values.

    Args:
        min_val, max_val: the bounds.

    Raises:
        ValueError: if min_val is larger than max_val.
    """

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0) -> None:
        super().__init__()
        if check_number(min_val, "min_val", "Hardtanh") > check_number(max_val, "max_val", "Hardtanh"):
            raise ValueError(
                f"For 'Hardtanh', the 'min_val' should be at most 'max_val', but got {min_val} and {max_val}"
            )
        self.min_val = min_val
        self.max_val = max_val

    def construct(self, x: Any) -> Any:
        """x between the bounds."""
        return ops.hardtanh(x, self.min_val, self.max_val)


class GELU(Cell):
    """x times the normal distribution function of x.

    Args:
        approximate: whether by its tanh approximation.
    """

    def __init__(self, approximate: bool = True) -> None:
        super().__init__()
        self.approximate = check_bool(approximate, "approximate", "GELU")

    def construct(self, x: Any) -> Any:
        """GELU of x."""
        return ops.gelu(x, "tanh" if self.approximate else "none")


class FastGelu(_Plain):
    """x · sigmoid(1.702·x), which is near GELU."""

    def construct(self, x: Any) -> Any:
        """x · sigmoid(1.702·x)."""
        return x * ops.sigmoid(x * 1.702)


class HSwish(_Plain):
    """x · relu6(x + 3) / 6."""

    def construct(self, x: Any) -> Any:
        """Hard swish of x."""
        return ops.hardswish(x)


class HSigmoid(_Plain):
    """relu6(x + 3) / 6."""

    def construct(self, input_x: Any) -> Any:
        """Hard sigmoid of x."""
        return ops.hardsigmoid(input_x)


class Mish(_Plain):
    """x · tanh(log(1 + exp(x)))."""

    def construct(self, x: Any) -> Any:
        """Mish of x."""
        return ops.mish(x)


class Softsign(_Plain):
    """x / (1 + |x|)."""

    def construct(self, x: Any) -> Any:
        """x / (1 + |x|)."""
        return ops.softsign(x)


class HShrink(Cell):
    """x outside [-lambd, lambd], zero inside.

    Args:
        lambd: the bound.
    """

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        check_number(lambd, "lambd", "HShrink")
        self.lambd = lambd

    def construct(self, input_x: Any) -> Any:
        """x or zero."""
        return ops.hardshrink(input_x, self.lambd)


class SoftShrink(Cell):
    """x moved by lambd towards zero.

    Args:
        lambd: how far.
    """

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        check_number(lambd, "lambd", "SoftShrink")
        self.lambd = lambd

    def construct(self, input_x: Any) -> Any:
        """x nearer to zero."""
        return ops.softshrink(input_x, self.lambd)


class Threshold(Cell):
    """x where it is above a threshold, a value elsewhere.

    Args:
        threshold: the bound.
        value: what takes the place of x at or below it.
    """

    def __init__(self, threshold: float, value: float) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value

    def construct(self, input_x: Any) -> Any:
        """x or the value."""
        return ops.threshold(input_x, self.threshold, self.value)


class GLU(Cell):
    """The first half of the input along an axis times the sigmoid of the second.

    Args:
        axis: of an even size.
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.dim = axis

    def construct(self, x: Any) -> Any:
        """first · sigmoid(second)."""
        return ops.glu(x, self.dim)


class Softmax(Cell):
    """exp(x) / sum(exp(x)) over an axis.

    Args:
        axis: the axis, an int or a tuple of ints.
    """

    def __init__(self, axis: Any = -1) -> None:
        super().__init__()
        self.axis = check_value_type("axis", axis, (int, tuple), "Softmax")

    def construct(self, input: Any) -> Any:
        """Softmax of the input."""
        if isinstance(self.axis, tuple) and len(self.axis) > 1:
            shifted = ops.exp(input - ops.stop_gradient(ops.amax(input, self.axis, True)))
            return shifted / ops.sum(shifted, self.axis, True)
        return ops.softmax(input, self.axis[0] if isinstance(self.axis, tuple) else self.axis)


class Softmin(Cell):
    """Softmax of -x over an axis.

    Args:
        axis: the axis.
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Any) -> Any:
        """Softmax of -x."""
        return ops.softmax(-x, self.axis)


class Softmax2d(_Plain):
    """Softmax over the channels of [N, C, H, W] or [C, H, W]."""

    def construct(self, x: Any) -> Any:
        """Softmax over the third axis from the end."""
        if x.ndim not in (3, 4):
            raise ValueError(f"Softmax2d takes inputs of 3 or 4 dimensions, but the shape is {x.shape}")
        return ops.softmax(x, -3)


class LogSoftmax(Cell):
    """The logarithm of softmax over an axis.

    Args:
        axis: the axis.
    """

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis

    def construct(self, x: Any) -> Any:
        """log(softmax(x))."""
        return ops.log_softmax(x, self.axis)


_ACTIVATIONS: dict[str, type[Cell]] = {
    "softmin": Softmin,
    "softmax": Softmax,
    "softmax2d": Softmax2d,
    "logsoftmax": LogSoftmax,
    "relu": ReLU,
    "relu6": ReLU6,
    "rrelu": RReLU,
    "silu": SiLU,
    "tanh": Tanh,
    "tanhshrink": Tanhshrink,
    "gelu": GELU,
    "fast_gelu": FastGelu,
    "elu": ELU,
    "selu": SeLU,
    "celu": CELU,
    "sigmoid": Sigmoid,
    "softsign": Softsign,
    "prelu": PReLU,
    "leakyrelu": LeakyReLU,
    "hswish": HSwish,
    "hsigmoid": HSigmoid,
    "mish": Mish,
    "logsigmoid": LogSigmoid,
    "softshrink": SoftShrink,
    "hshrink": HShrink,
    "threshold": Threshold,
}


def get_activation(name: Any, prim_name: str | None = None) -> Any:
    """The activation layer of a name.

    Args:
        name: such as 'relu', 'sigmoid' or 'softmax'; None and '' give None.
        prim_name: put before the error message.

    Raises:
        KeyError: if there is none of that name.

    Examples:
        >>> from mycel import nn
        >>> nn.get_activation("relu")
        ReLU()
    """
    if not name:
        return None
    if name not in _ACTIVATIONS:
        where = f"{prim_name}: " if prim_name else ""
        raise KeyError(f"{where}there is no activation named {name!r}; the names are {', '.join(_ACTIVATIONS)}")
    return _ACTIVATIONS[name]()
