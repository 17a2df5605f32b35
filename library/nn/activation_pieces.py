"""Activation layers that are linear in pieces: ReLU and its relatives."""

from __future__ import annotations

from typing import Any

from ...frontend.values.cell import Cell
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from ..initializer import initializer
from .checks import check_number, check_positive_int
from .elementwise import layer
from .held import primitives
from .sections import OF_INPUT, OF_X, sections

_TAKES_TENSORS = True


ReLU = layer(
    "ReLU", ops.relu, "The rectified linear unit: max(x, 0) of each element.",
    "[-1.0, 2.0] -> [0. 2.]", argument="input", dtype="float or int", relu="ReLU",
)  # fmt: skip


ReLU6 = layer("ReLU6", ops.relu6, "min(max(x, 0), 6) of each element.", "[-1.0, 2.0, 8.0] -> [0. 2. 6.]", relu6="ReLU6")


@sections(**OF_X)
class LeakyReLU(Cell):
    """x where it is positive, alpha · x elsewhere.

    Args:
        alpha: a number, the slope for negative x. Default: 0.2.

    Raises:
        TypeError: if alpha is no number, or x is no Tensor.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.LeakyReLU(0.5)(Tensor([-1.0, 2.0])))
        [-0.5  2. ]
    """

    def __init__(self, alpha: float = 0.2) -> None:
        super().__init__()
        check_number(alpha, "alpha", "LeakyReLU")
        self.alpha = alpha

    def construct(self, x: Any) -> Tensor:
        """x or alpha · x."""
        return ops.leaky_relu(x, self.alpha)


class PReLU(Cell):
    """x where it is positive, w · x elsewhere, with a learnable w for each channel or one for all.

    Args:
        channel: a positive int, the size of axis 1 of the input; 1: one slope for all channels. Default: 1.
        w: the initial slope: a number, or a list or Tensor of `channel` numbers. Default: 0.25.

    Inputs:
        x: a float tensor of shape [N, channel, ...], or of any shape if `channel` is 1.

    Outputs:
        A tensor of the shape and dtype of x.

    Raises:
        TypeError: if channel is no int, or w is no number, list or Tensor.
        ValueError: if channel is not positive, or w has not `channel` numbers.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.PReLU(2, w=[0.5, 0.25])(Tensor([[-1.0, -1.0], [2.0, 3.0]])))
        [[-0.5  -0.25]
         [ 2.    3.  ]]
    """

    _held = primitives(prelu="PReLU")

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

    def construct(self, x: Any) -> Tensor:
        """x or w · x."""
        return ops.prelu(x, self.w)


@sections(**OF_X)
class RReLU(Cell):
    """x where it is positive, a slope times x elsewhere.

    In training each element has its own slope, drawn uniformly from [lower, upper). Otherwise the slope is the mean of
    both.

    Args:
        lower: a number, the smallest slope. Default: 1/8.
        upper: a number, the largest slope. Default: 1/3.

    Raises:
        TypeError: if lower or upper is no number, or x is no Tensor.
        ValueError: if lower is larger than upper.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.RReLU(0.25, 0.75)(Tensor([-1.0, 2.0])))
        [-0.5  2. ]
    """

    _held = primitives("Sign")

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3) -> None:
        super().__init__()
        if check_number(lower, "lower", "RReLU") > check_number(upper, "upper", "RReLU"):
            raise ValueError(f"For 'RReLU', the 'lower' should be at most 'upper', but got {lower} and {upper}")
        self.lower = float(lower)
        self.upper = float(upper)

    def construct(self, x: Any) -> Tensor:
        """x or a slope times x."""
        if not self.training:
            return ops.leaky_relu(x, (self.lower + self.upper) / 2)
        slopes = ops.rand_like(x) * (self.upper - self.lower) + self.lower
        return ops.where(x >= 0, x, x * slopes)


@sections(**OF_X)
class Hardtanh(Cell):
    """x clipped: max(min(x, max_val), min_val) of each element.

    Args:
        min_val: a number, the smallest result. Default: -1.0.
        max_val: a number, the largest result. Default: 1.0.

    Raises:
        TypeError: if a bound is no number, or x is no Tensor.
        ValueError: if min_val is larger than max_val.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Hardtanh()(Tensor([-3.0, 0.5, 2.0])))
        [-1.   0.5  1. ]
    """

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0) -> None:
        super().__init__()
        if check_number(min_val, "min_val", "Hardtanh") > check_number(max_val, "max_val", "Hardtanh"):
            raise ValueError(
                f"For 'Hardtanh', the 'min_val' should be at most 'max_val', but got {min_val} and {max_val}"
            )
        self.min_val = min_val
        self.max_val = max_val

    def construct(self, x: Any) -> Tensor:
        """x between the bounds."""
        return ops.hardtanh(x, self.min_val, self.max_val)


HSwish = layer(
    "HSwish", ops.hardswish, "The hard swish: x · relu6(x + 3) / 6 of each element.",
    "[-3.0, 0.0, 3.0] -> [-0.  0.  3.]", argument="input", hswish="HSwish",
)  # fmt: skip


HSigmoid = layer(
    "HSigmoid", ops.hardsigmoid, "The hard sigmoid: relu6(x + 3) / 6 of each element.",
    "[-3.0, 0.0, 3.0] -> [0.  0.5 1. ]", argument="input", hsigmoid="HSigmoid",
)  # fmt: skip


class _Shrink(Cell):
    """An activation with the bound `lambd`."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        check_number(lambd, "lambd", type(self).__name__)
        self.lambd = lambd


@sections(Raises="TypeError: if lambd is no number, or the input is no float Tensor.")
@sections(**OF_INPUT)
class HShrink(_Shrink):
    """x where |x| > lambd, zero elsewhere.

    Args:
        lambd: a number, the bound. Default: 0.5.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.HShrink()(Tensor([-1.0, 0.25, 2.0])))
        [-1.  0.  2.]
    """

    _held = primitives(hshrink=lambda layer: ops.HShrink(layer.lambd))

    def construct(self, input: Any) -> Tensor:
        """x or zero."""
        return ops.hardshrink(input, self.lambd)


@sections(Raises="TypeError: if lambd is no number, or the input is no float Tensor.")
@sections(**OF_INPUT)
class SoftShrink(_Shrink):
    """x moved by lambd towards zero: x - lambd above lambd, x + lambd below -lambd, zero between.

    Args:
        lambd: a number, how far x is moved. Default: 0.5.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.SoftShrink()(Tensor([-1.0, 0.25, 2.0])))
        [-0.5  0.   1.5]
    """

    _held = primitives(softshrink=lambda layer: ops.SoftShrink(layer.lambd))

    def construct(self, input: Any) -> Tensor:
        """x nearer to zero."""
        return ops.softshrink(input, self.lambd)


class Threshold(Cell):
    """x where it is above a threshold, a value elsewhere.

    Args:
        threshold: a number, the bound.
        value: a number, what takes the place of x at or below the bound.

    Inputs:
        input_x: a float tensor of any shape.

    Outputs:
        A tensor of the shape and dtype of input_x.

    Raises:
        TypeError: if input_x is no Tensor.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Threshold(0.5, 9.0)(Tensor([-1.0, 0.5, 2.0])))
        [9. 9. 2.]
    """

    def __init__(self, threshold: float, value: float) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value

    def construct(self, input_x: Any) -> Tensor:
        """x or the value."""
        return ops.threshold(input_x, self.threshold, self.value)
