"""The regions that index expressions select: their shapes, and the errors of those that do not fit, for users."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir.types import Dimension, Shape, TensorType, broadcast_shapes, show_shape
from .index_batching import OPERAND, Spec, inputs_of
from .slicing import sliced_size


def infer_region(shape: Shape, operands: Sequence[TensorType], spec: Spec) -> Shape:
    """The shape that an index expression selects. IndexError, in the user's terms, if it does not fit."""
    given = zip(inputs_of(spec), operands, strict=True)
    indexed = any(not bound and (operand.rank > 0 or operand.dtype.is_bool) for (_, bound), operand in given)
    region = _Region(shape, operands, advanced=indexed or any(entry is True for entry in spec))
    for position, entry in enumerate(spec):
        if entry is None:
            region.sizes.append(1)
        elif isinstance(entry, tuple):
            region.slice(entry)
        else:
            region.index(position, entry)
    return region.whole()


class _Region:
    """The selection of an index expression, entry by entry.

    Attributes:
        advanced: whether there are index tensors: all entries that are no slices broadcast with each other.
        axis: the axis that the next entry is about.
        sizes: of the dimensions that slices and new axes have given so far.
        tensors: shapes of the index tensors.
        positions: positions of the entries that are, or go with, index tensors.
        start: where the broadcast dimensions go if these entries are neighbours.
    """

    def __init__(self, shape: Shape, operands: Sequence[TensorType], advanced: bool) -> None:
        self.shape = shape
        self.remaining = iter(operands)
        self.advanced = advanced
        self.axis = 0
        self.sizes: list[Dimension] = []
        self.tensors: list[Shape] = []
        self.positions: list[int] = []
        self.start = 0

    def slice(self, entry: tuple[Any, ...]) -> None:
        """A slice of the next axis; its bounds may be operands."""
        _check_axis(self.axis, self.shape)
        for part in entry:
            if part == OPERAND:
                check_bound(next(self.remaining))
        start, stop, step = entry
        self.sizes.append(None if OPERAND in entry else sliced_size(start, stop, step, self.shape[self.axis]))
        self.axis += 1

    def index(self, position: int, entry: Any) -> None:
        """A number, True, or an operand."""
        if self.advanced:
            self.start = self.start if self.positions else len(self.sizes)
            self.positions.append(position)
        if entry is True:
            self.tensors.append((1,))
        elif entry == OPERAND:
            self.tensor(next(self.remaining))
        else:
            _check_axis(self.axis, self.shape)
            check_position(entry, self.axis, self.shape)
            self.tensors.append(())
            self.axis += 1

    def tensor(self, operand: TensorType) -> None:
        """A mask over as many axes as it has, or integers that index one."""
        if operand.dtype.is_bool:
            _check_mask(operand.shape, self.shape, self.axis)
            self.tensors.append((None,))
            self.axis += operand.rank
            return
        if not operand.dtype.is_integer:
            raise IndexError(
                f"a tensor used as an index should be of integers or Bool, but its dtype is {operand.dtype}"
            )
        _check_axis(self.axis, self.shape)
        self.tensors.append(operand.shape)
        self.axis += 1

    def whole(self) -> Shape:
        """The shape of the selection."""
        rest = self.shape[self.axis :]
        if not self.advanced:
            return (*self.sizes, *rest)
        try:
            common = broadcast_shapes(*self.tensors)
        except ValueError:
            raise IndexError(
                f"index tensors of shapes {' and '.join(map(show_shape, self.tensors))} cannot be broadcast together"
            ) from None
        neighbours = self.positions[-1] - self.positions[0] + 1 == len(self.positions)
        start = self.start if neighbours else 0
        return (*self.sizes[:start], *common, *self.sizes[start:], *rest)


def _check_axis(axis: int, shape: Shape) -> None:
    if axis >= len(shape):
        raise IndexError(f"too many indices for a tensor of shape {show_shape(shape)}")


def check_position(index: int, axis: int, shape: Shape) -> None:
    """Raise IndexError if a constant index is out of range."""
    size = shape[axis]
    if size is not None and not -size <= index < size:
        raise IndexError(
            f"index {index} is out of range for dimension {axis} of a tensor of shape {show_shape(shape)}, "
            f"of size {size}: 'begin[{axis}]' must be in [{-size}, {size})"
        )


def check_bound(bound: TensorType) -> None:
    if bound.shape not in ((), (1,)) or not bound.dtype.is_integer:
        raise IndexError(f"a tensor that bounds a slice should hold one integer, but got {bound}")


def _check_mask(mask: Shape, shape: Shape, axis: int) -> None:
    if axis + len(mask) > len(shape):
        raise IndexError(
            f"a mask of shape {show_shape(mask)} has too many dimensions for a tensor of {show_shape(shape)}"
        )
    for offset, (given, size) in enumerate(zip(mask, shape[axis:], strict=False)):
        if given is not None and size is not None and given != size:
            raise IndexError(
                f"a mask of shape {show_shape(mask)} does not fit a tensor of shape {show_shape(shape)}: dimension "
                f"{axis + offset} is of size {size}, that of the mask of size {given}"
            )
