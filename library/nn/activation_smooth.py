"""Smooth activation layers: exponentials, sigmoids and hyperbolic tangents."""

from __future__ import annotations

from typing import Any

from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from .. import ops
from .checks import check_bool
from .elementwise import Elementwise, ElementwiseInputX
from .held import primitives
from .sections import OF_X, elementwise, sections

_TAKES_TENSORS = True  # its Cells say which input should be a Tensor; Cell reads this


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


@elementwise("input_x")
class SeLU(ElementwiseInputX):
    """The scaled exponential linear unit: s · x where x is positive, s · a · (exp(x) - 1) elsewhere.

    Here s = 1.0507… and a = 1.6732…, for which layers keep mean 0 and variance 1.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.SeLU()(Tensor([-1.0, 2.0])))
        [-1.1113307  2.101402 ]
    """

    _function = staticmethod(ops.selu)
    _held = primitives(selu="SeLU")


@elementwise()
class SiLU(Elementwise):
    """x · sigmoid(x) of each element, also called swish.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.SiLU()(Tensor([-1.0, 0.0, 2.0])))
        [-0.2689414  0.         1.761594 ]
    """

    _function = staticmethod(ops.silu)


@elementwise()
class Sigmoid(Elementwise):
    """1 / (1 + exp(-x)) of each element.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Sigmoid()(Tensor([-1.0, 0.0, 2.0])))
        [0.2689414 0.5       0.880797 ]
    """

    _function = staticmethod(ops.sigmoid)
    _held = primitives(sigmoid="Sigmoid")


@elementwise("input_x")
class LogSigmoid(ElementwiseInputX):
    """log(1 / (1 + exp(-x))) of each element.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.LogSigmoid()(Tensor([-1.0, 0.0, 2.0])))
        [-1.3132616 -0.6931472 -0.126928 ]
    """

    _function = staticmethod(ops.logsigmoid)
    _held = primitives(mul="Mul", exp="Exp", add="Add", rec="Reciprocal", log="Log")


@elementwise()
class Tanh(Elementwise):
    """The hyperbolic tangent of each element.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Tanh()(Tensor([-1.0, 0.0, 2.0])))
        [-0.7615942  0.         0.9640276]
    """

    _function = staticmethod(ops.tanh)
    _held = primitives(tanh="Tanh")


@elementwise()
class Tanhshrink(Elementwise):
    """x - tanh(x) of each element.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Tanhshrink()(Tensor([-1.0, 0.0, 2.0])))
        [-0.23840582  0.          1.0359724 ]
    """

    _function = staticmethod(lambda x: x - ops.tanh(x))


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


@elementwise()
class FastGelu(Elementwise):
    """x · sigmoid(1.702 · x) of each element, which is near GELU.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.FastGelu()(Tensor([-1.0, 0.0, 2.0])))
        [-0.15420423  0.          1.9356586 ]
    """

    _function = staticmethod(lambda x: x * ops.sigmoid(x * 1.702))
    _held = primitives(fast_gelu="FastGeLU")


@elementwise("input_x")
class Mish(ElementwiseInputX):
    """x · tanh(log(1 + exp(x))) of each element.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Mish()(Tensor([-1.0, 0.0, 2.0])))
        [-0.3034014  0.         1.9439589]
    """

    _function = staticmethod(ops.mish)
    _held = primitives(mish="Mish")


@elementwise()
class Softsign(Elementwise):
    """x / (1 + |x|) of each element.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Softsign()(Tensor([-1.0, 0.0, 3.0])))
        [-0.5   0.    0.75]
    """

    _function = staticmethod(ops.softsign)
    _held = primitives(softsign="Softsign")


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

    _held = primitives(spilt=lambda layer: ops.Split(layer.dim, 2), sigmoid="Sigmoid")

    def __init__(self, axis: int = -1) -> None:
        super().__init__()
        self.dim = axis

    def construct(self, x: Any) -> Tensor:
        """First half · sigmoid(second half)."""
        return ops.glu(x, self.dim)
