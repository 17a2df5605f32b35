"""Smooth activation layers: exponentials, sigmoids, hyperbolic tangents, softmax and its relatives."""

from __future__ import annotations

from typing import Any

from ...frontend.api.checks import check_value_type
from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from .. import ops
from .checks import check_bool, check_rank
from .elementwise import layer
from .held import primitives
from .sections import OF_X, OVER_AXIS, sections

_TAKES_TENSORS = True


class _Exponential(Cell):
    """An activation with the factor `alpha`."""

    def __init__(self, alpha: float = 1.0) -> None:
        super().__init__()
        self.alpha = alpha


@sections(**OF_X)
class ELU(_Exponential):
    """x where it is positive, alpha · (exp(x) - 1) elsewhere.

    Args:
        alpha: a number, the factor for negative x. Default: 1.0.

    Raises:
        TypeError: if x is no float Tensor.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.ELU()(Tensor([-1.0, 2.0])))
        [-0.63212055  2.        ]
    """

    _held = primitives(elu=lambda layer: ops.Elu(layer.alpha))

    def construct(self, x: Any) -> Tensor:
        """x or alpha · (exp(x) - 1)."""
        return ops.elu(x, self.alpha)


@sections(**OF_X)
class CELU(_Exponential):
    """max(x, 0) + min(0, alpha · (exp(x / alpha) - 1)) of each element.

    Args:
        alpha: a number, not zero. Default: 1.0.

    Raises:
        TypeError: if x is no float Tensor.
        ValueError: if alpha is zero.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.CELU(2.0)(Tensor([-1.0, 2.0])))
        [-0.78693867  2.        ]
    """

    _held = primitives(celu=lambda layer: ops.CeLU(layer.alpha))

    def construct(self, x: Any) -> Tensor:
        """CELU of x."""
        return ops.celu(x, self.alpha)


SeLU = layer(
    "SeLU", ops.selu,
    "The scaled exponential linear unit: s · x where x is positive, s · a · (exp(x) - 1) elsewhere.\n\n"
    "Here s = 1.0507… and a = 1.6732…, for which layers keep mean 0 and variance 1.",
    "[-1.0, 2.0] -> [-1.1113307  2.101402 ]", argument="input_x", selu="SeLU",
)  # fmt: skip


SiLU = layer(
    "SiLU", ops.silu, "x · sigmoid(x) of each element, also called swish.",
    "[-1.0, 0.0, 2.0] -> [-0.2689414  0.         1.761594 ]",
)  # fmt: skip


Sigmoid = layer(
    "Sigmoid", ops.sigmoid, "1 / (1 + exp(-x)) of each element.",
    "[-1.0, 0.0, 2.0] -> [0.2689414 0.5       0.880797 ]", sigmoid="Sigmoid",
)  # fmt: skip


LogSigmoid = layer(
    "LogSigmoid", ops.logsigmoid, "log(1 / (1 + exp(-x))) of each element.",
    "[-1.0, 0.0, 2.0] -> [-1.3132616 -0.6931472 -0.126928 ]",
    argument="input_x", mul="Mul", exp="Exp", add="Add", rec="Reciprocal", log="Log",
)  # fmt: skip


Tanh = layer(
    "Tanh", ops.tanh, "The hyperbolic tangent of each element.",
    "[-1.0, 0.0, 2.0] -> [-0.7615942  0.         0.9640276]", tanh="Tanh",
)  # fmt: skip


Tanhshrink = layer(
    "Tanhshrink", lambda x: x - ops.tanh(x), "x - tanh(x) of each element.",
    "[-1.0, 0.0, 2.0] -> [-0.23840582  0.          1.0359724 ]",
)  # fmt: skip


@sections(**OF_X)
class GELU(Cell):
    """x times the normal distribution function of x: x · Φ(x).

    Args:
        approximate: whether x · (1 + tanh(sqrt(2/π) · (x + 0.044715 · x³))) / 2 takes its place. Default: True.

    Raises:
        TypeError: if approximate is no bool, or x is no float Tensor.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.GELU()(Tensor([-1.0, 0.0, 2.0])))
        [-0.158808   0.         1.9545977]
    """

    def __init__(self, approximate: bool = True) -> None:
        super().__init__()
        self.approximate = check_bool(approximate, "approximate", "GELU")

    def construct(self, x: Any) -> Tensor:
        """GELU of x."""
        return ops.gelu(x, "tanh" if self.approximate else "none")


FastGelu = layer(
    "FastGelu", lambda x: x * ops.sigmoid(x * 1.702), "x · sigmoid(1.702 · x) of each element, which is near GELU.",
    "[-1.0, 0.0, 2.0] -> [-0.15420423  0.          1.9356586 ]", fast_gelu="FastGeLU",
)  # fmt: skip


Mish = layer(
    "Mish", ops.mish, "x · tanh(log(1 + exp(x))) of each element.",
    "[-1.0, 0.0, 2.0] -> [-0.3034014  0.         1.9439589]", argument="input_x", mish="Mish",
)  # fmt: skip


Softsign = layer(
    "Softsign", ops.softsign, "x / (1 + |x|) of each element.",
    "[-1.0, 0.0, 3.0] -> [-0.5   0.    0.75]", softsign="Softsign",
)  # fmt: skip


class GLU(Cell):
    """The gated linear unit: the first half of the input along an axis times the sigmoid of the second half.

    Args:
        axis: an int, the axis that is halved; its size is even. Default: -1.

    Inputs:
        x: a float tensor of shape [..., n].

    Outputs:
        A tensor of the dtype of x, with half its size along the axis: [..., n] becomes [..., n / 2].

    Raises:
        TypeError: if x is no float Tensor.
        ValueError: if the axis is out of range, or its size is odd.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.GLU()(Tensor([1.0, 2.0, 0.0, 0.0])))
        [0.5 1. ]
    """

    _held = primitives("Sigmoid", spilt=lambda layer: ops.Split(layer.dim, 2))

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.dim = axis

    def construct(self, x: Any) -> Tensor:
        """First half · sigmoid(second half)."""
        return ops.glu(x, self.dim)


class Softmax(Cell):
    """exp(x) / sum(exp(x)), with the sum over an axis.

    Args:
        axis: an int, or a tuple of ints for a sum over several axes. Default: -1.

    Inputs:
        input: a float tensor of shape [...], with the axis.

    Outputs:
        A tensor of the shape and dtype of the input. The numbers along the axis add up to 1.

    Raises:
        TypeError: if axis is no int or tuple, or the input is no float Tensor.
        ValueError: if the axis is out of range.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Softmax()(Tensor([[0.0, 0.0], [0.0, 1.0]])))
        [[0.5       0.5      ]
         [0.2689414 0.7310586]]
    """

    _held = primitives(softmax=lambda layer: ops.Softmax(layer.axis))

    def __init__(self, axis: Any = -1) -> None:
        super().__init__()
        self.axis = check_value_type("axis", axis, (int, tuple), "Softmax")

    def construct(self, input: Any) -> Tensor:
        """Softmax of the input."""
        if isinstance(self.axis, tuple) and len(self.axis) > 1:
            shifted = ops.exp(input - ops.stop_gradient(ops.amax(input, self.axis, True)))
            return shifted / ops.sum(shifted, self.axis, True)
        return ops.softmax(input, self.axis[0] if isinstance(self.axis, tuple) else self.axis)


class _OverAxis(Cell):
    """A function over one axis."""

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.axis = axis


@sections(**OVER_AXIS)
class Softmin(_OverAxis):
    """Softmax of -x over an axis: exp(-x) / sum(exp(-x)).

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Softmin()(Tensor([0.0, 1.0])))
        [0.7310586 0.2689414]
    """

    _held = primitives(softmax=lambda layer: ops.Softmax(layer.axis))

    def construct(self, x: Any) -> Tensor:
        """Softmax of -x."""
        return ops.softmax(-x, self.axis)


@sections(**OVER_AXIS)
class LogSoftmax(_OverAxis):
    """The logarithm of softmax over an axis: x - log(sum(exp(x))).

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.LogSoftmax()(Tensor([0.0, 0.0])))
        [-0.6931472 -0.6931472]
    """

    _held = primitives(log_softmax=lambda layer: ops.LogSoftmax(layer.axis))

    def construct(self, x: Any) -> Tensor:
        """log(softmax(x))."""
        return ops.log_softmax(x, self.axis)


class Softmax2d(Cell):
    """Softmax over the channels of images: the numbers of all channels at one pixel add up to 1.

    Inputs:
        x: a float tensor of shape [N, C, H, W] or [C, H, W].

    Outputs:
        A tensor of the shape and dtype of x.

    Raises:
        TypeError: if x is no float Tensor.
        ValueError: if x has not 3 or 4 dimensions.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Softmax2d()(Tensor([[[0.0]], [[0.0]]])).flatten())
        [0.5 0.5]
    """

    _held = primitives("Shape", softmax=lambda layer: ops.Softmax(-3))

    def __init__(self) -> None:
        super().__init__()

    def construct(self, x: Any) -> Tensor:
        """Softmax over the third axis from the end."""
        check_rank(x, (3, 4), "Softmax2d")
        return ops.softmax(x, -3)
