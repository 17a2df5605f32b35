"""Smooth activation layers: exponentials, sigmoids and hyperbolic tangents."""

from __future__ import annotations

from typing import Any

from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from .. import ops
from .checks import check_bool
from .elementwise import layer
from .held import primitives
from .sections import OF_X, sections

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
