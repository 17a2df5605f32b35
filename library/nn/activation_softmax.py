"""Softmax and its relatives as layers."""

from __future__ import annotations

from typing import Any

from ...frontend.api.checks import check_value_type
from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from .. import ops
from .checks import check_rank
from .held import primitives
from .sections import OVER_AXIS, sections

_TAKES_TENSORS = True


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
