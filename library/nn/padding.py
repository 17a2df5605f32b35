"""Padding layers: with a constant, with mirrored and with repeated numbers."""

from __future__ import annotations

from typing import Any

from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from .checks import check_choice, need_type
from .held import primitives
from .sections import PADDED, sections

_TAKES_TENSORS = True

__all__ = [
    "ConstantPad1d", "ConstantPad2d", "ConstantPad3d", "Pad", "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d",
    "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "ZeroPad2d",
]  # fmt: skip


class Pad(Cell):
    """Pads a tensor at both ends of each axis.

    Args:
        paddings: a tuple of (before, after) for each axis.
        mode: 'CONSTANT' (zeros), 'REFLECT' (mirrored without the edge) or 'SYMMETRIC' (mirrored with it). Default:
            'CONSTANT'.

    Inputs:
        x: a tensor of numbers of any shape [n, ...].

    Outputs:
        A tensor of the dtype of x, of shape [before + n + after, ...].

    Raises:
        TypeError: if `paddings` is no tuple.
        ValueError: for another mode, or pads that are no pairs.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.Pad(((0, 0), (1, 1)), mode="SYMMETRIC")(Tensor([[1.0, 2.0]])))
        [[1. 1. 2. 2.]]
    """

    _held = primitives(pad=lambda layer: ops.Pad(layer.paddings))

    def __init__(self, paddings: Any, mode: str = "CONSTANT") -> None:
        super().__init__()
        need_type(paddings, tuple, "For 'Pad', the 'paddings' should be a tuple")
        self.mode = check_choice(mode, ("CONSTANT", "REFLECT", "SYMMETRIC"), "mode", "Pad")
        for pair in paddings:
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise ValueError(f"For 'Pad', the 'paddings' should be pairs, one for each axis, but got {paddings}")
        self.paddings = tuple((int(low), int(high)) for low, high in paddings)

    def construct(self, x: Any) -> Tensor:
        """x, padded."""
        if len(self.paddings) != x.ndim:
            raise ValueError(f"Pad has pads for {len(self.paddings)} axes, but the shape is {x.shape}")
        if self.mode == "CONSTANT":
            flat = [size for pair in reversed(self.paddings) for size in pair]
            return ops.pad(x, tuple(flat))
        for axis, (low, high) in enumerate(self.paddings):
            x = mirrored(x, axis, low, high, self.mode == "SYMMETRIC")
        return x


def mirrored(x: Any, axis: int, low: int, high: int, edge: bool) -> Any:
    """x with numbers mirrored at both ends of an axis; with `edge` the outermost is repeated."""
    size = x._type.shape[axis]
    reach = size if edge else size - 1
    if max(low, high) > reach:
        raise ValueError(
            f"padding by reflection takes at most {reach} for an axis of size {size}, but got {low}, {high}"
        )
    if not low and not high:
        return x
    offset = 0 if edge else 1
    positions = [
        *range(low - 1 + offset, offset - 1, -1),
        *range(size),
        *range(size - 1 - offset, size - 1 - offset - high, -1),
    ]
    return ops.gather(x, _ints(positions), axis)


def _ints(numbers: list[int]) -> Any:
    return Tensor(numbers, dtypes.int32)


class _EdgePad(Cell):
    """Padding of the last axes: (before, after) of the last, then of the one before it, …

    Attributes:
        axes: how many axes. ranks: the numbers of dimensions of the input.
    """

    axes = 2
    mode = "constant"
    value: Any = None

    def __init__(self, padding: Any) -> None:
        super().__init__()
        owner = type(self).__name__
        need_type(padding, int | tuple | list, f"For '{owner}', the 'padding' should be an int or a tuple")
        if isinstance(padding, int):
            padding = (padding,) * (2 * self.axes)
        if len(padding) != 2 * self.axes:
            raise ValueError(
                f"For '{owner}', the 'padding' should be an int or {2 * self.axes} ints, but got {padding}"
            )
        if self.mode != "constant" and min(padding) < 0:
            raise ValueError(f"For '{owner}', the 'padding' should not be negative, but got {padding}")
        self.padding = tuple(padding)

    def construct(self, x: Any) -> Tensor:
        """x, padded."""
        if x.ndim < self.axes:
            raise ValueError(f"{type(self).__name__} pads {self.axes} axes, but the shape is {x.shape}")
        return self._padded(x)

    def _padded(self, x: Any) -> Any:
        for place in range(self.axes):
            low, high = self.padding[2 * place : 2 * place + 2]
            x = self._axis_padded(x, x.ndim - 1 - place, low, high)
        return x

    def _axis_padded(self, x: Any, axis: int, low: int, high: int) -> Any:
        raise NotImplementedError


class _ConstantPad(_EdgePad):
    def __init__(self, padding: Any, value: Any) -> None:
        super().__init__(padding)
        self.value = need_type(value, int | float, f"For '{type(self).__name__}', the 'value' should be a number")

    def _padded(self, x: Any) -> Any:
        for place in range(self.axes):  # negative pads cut off
            low, high = self.padding[2 * place : 2 * place + 2]
            axis = x.ndim - 1 - place
            if low < 0 or high < 0:
                index = [slice(None)] * x.ndim
                index[axis] = slice(max(-low, 0), x.shape[axis] - max(-high, 0))
                x = x[tuple(index)]
        positive = tuple(max(size, 0) for size in self.padding)
        return ops.pad(x, positive, value=self.value) if any(positive) else x


_CONSTANT = {
    "Raises": """
        TypeError: if padding is no int or tuple of ints, value is no number, or x is no Tensor.
        ValueError: if padding has another length, or x has too few dimensions.
    """
}


_LINE = {"Outputs": "A tensor of the dtype of x, of shape [..., W + left + right]."}


@sections(**_CONSTANT, **_LINE)
class ConstantPad1d(_ConstantPad):
    """Pads the last axis with a constant.

    Args:
        padding: an int for all sides, or (left, right); negative ones cut off.
        value: a number, the constant.

    Inputs:
        x: a tensor of numbers of shape [..., W].

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.ConstantPad1d(1, 0.5)(Tensor([[1.0, 2.0, 3.0]])))
        [[0.5 1.  2.  3.  0.5]]
    """

    axes = 1


_PLANE = {"Outputs": "A tensor of the dtype of x, of shape [..., H + top + bottom, W + left + right]."}


@sections(**_CONSTANT, **_PLANE)
class ConstantPad2d(_ConstantPad):
    """Pads the last two axes with a constant.

    Args:
        padding: an int for all sides, or (left, right, top, bottom); negative ones cut off.
        value: a number, the constant.

    Inputs:
        x: a tensor of numbers of shape [..., H, W].

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.ConstantPad2d(1, 0.5)(Tensor([[[1.0, 2.0], [3.0, 4.0]]])).shape)
        (1, 4, 4)
    """


_VOLUME = {
    "Outputs": """
        A tensor of the dtype of x, of shape [..., D + front + back, H + top + bottom, W + left + right].
    """
}


@sections(**_CONSTANT, **_VOLUME)
class ConstantPad3d(_ConstantPad):
    """Pads the last three axes with a constant.

    Args:
        padding: an int for all sides, or (left, right, top, bottom, front, back); negative ones cut off.
        value: a number, the constant.

    Inputs:
        x: a tensor of numbers of shape [..., D, H, W].

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.ConstantPad3d(1, 0.5)(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])).shape)
        (1, 3, 4, 4)
    """

    axes = 3


@sections(**_PLANE)
class ZeroPad2d(_ConstantPad):
    """Pads the last two axes with zeros.

    Args:
        padding: an int for all sides, or (left, right, top, bottom); negative ones cut off.

    Inputs:
        x: a tensor of numbers of shape [..., H, W].

    Raises:
        TypeError: if padding is no int or tuple of ints, or x is no Tensor.
        ValueError: if padding has another length, or x has too few dimensions.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.ZeroPad2d((1, 0, 0, 0))(Tensor([[[1.0, 2.0], [3.0, 4.0]]])))
        [[[0. 1. 2.]
          [0. 3. 4.]]]
    """

    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0)


class _ReflectionPad(_EdgePad):
    mode = "reflect"

    def _axis_padded(self, x: Any, axis: int, low: int, high: int) -> Any:
        return mirrored(x, axis, low, high, False)


@sections(**PADDED, **_LINE)
class ReflectionPad1d(_ReflectionPad):
    """Pads the last axis with mirrored numbers, without the edge itself.

    Args:
        padding: an int for all sides, or (left, right); each is less than the size of its axis.

    Inputs:
        x: a tensor of numbers of shape [N, C, W] or without N.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.ReflectionPad1d(1)(Tensor([[1.0, 2.0, 3.0]])))
        [[2. 1. 2. 3. 2.]]
    """

    axes = 1


@sections(**PADDED, **_PLANE)
class ReflectionPad2d(_ReflectionPad):
    """Pads the last two axes with mirrored numbers, without the edge itself.

    Args:
        padding: an int for all sides, or (left, right, top, bottom); each is less than the size of its axis.

    Inputs:
        x: a tensor of numbers of shape [N, C, H, W] or without N.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.ReflectionPad2d(1)(Tensor([[[1.0, 2.0], [3.0, 4.0]]])).shape)
        (1, 4, 4)
    """


@sections(**PADDED, **_VOLUME)
class ReflectionPad3d(_ReflectionPad):
    """Pads the last three axes with mirrored numbers, without the edge itself.

    Args:
        padding: an int for all sides, or (left, right, top, bottom, front, back); each is less than the size of its
            axis.

    Inputs:
        x: a tensor of numbers of shape [N, C, D, H, W] or without N.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.ReflectionPad3d(1)(Tensor([[[[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]]])).shape)
        (1, 4, 4, 4)
    """

    axes = 3


class _ReplicationPad(_EdgePad):
    mode = "edge"

    def _axis_padded(self, x: Any, axis: int, low: int, high: int) -> Any:
        if not low and not high:
            return x
        last = x._type.shape[axis] - 1
        return ops.gather(x, _ints([0] * low + list(range(last + 1)) + [last] * high), axis)


@sections(**PADDED, **_LINE)
class ReplicationPad1d(_ReplicationPad):
    """Pads the last axis with the numbers at the edges.

    Args:
        padding: an int for all sides, or (left, right); each is not negative.

    Inputs:
        x: a tensor of numbers of shape [N, C, W] or without N.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.ReplicationPad1d(1)(Tensor([[1.0, 2.0, 3.0]])))
        [[1. 1. 2. 3. 3.]]
    """

    axes = 1


@sections(**PADDED, **_PLANE)
class ReplicationPad2d(_ReplicationPad):
    """Pads the last two axes with the numbers at the edges.

    Args:
        padding: an int for all sides, or (left, right, top, bottom); each is not negative.

    Inputs:
        x: a tensor of numbers of shape [N, C, H, W] or without N.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.ReplicationPad2d(1)(Tensor([[[1.0, 2.0], [3.0, 4.0]]])).shape)
        (1, 4, 4)
    """


@sections(**PADDED, **_VOLUME)
class ReplicationPad3d(_ReplicationPad):
    """Pads the last three axes with the numbers at the edges.

    Args:
        padding: an int for all sides, or (left, right, top, bottom, front, back); each is not negative.

    Inputs:
        x: a tensor of numbers of shape [N, C, D, H, W] or without N.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.ReplicationPad3d(1)(Tensor([[[[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]]])).shape)
        (1, 4, 4, 4)
    """

    axes = 3
