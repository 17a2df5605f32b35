"""Windows: an op's output as parts, each a shifted input, with zeros around them."""

from __future__ import annotations

import itertools

from ...runtime.records import NamedTuple
from ..ir.graph import Node
from ..ir.types import normalize_axis


class Window(NamedTuple):
    """An input, and the position of its first element in the output along each axis. It may be outside."""

    input: int
    low: tuple[int, ...]


Windows = tuple[Window, ...]


def of_pad(node: Node) -> Windows | None:
    """The window of a padding with zeros."""
    return (Window(0, tuple(node.attrs["low"])),) if _is_zero(node.attrs["value"]) else None


def of_shift(node: Node) -> Windows | None:
    """The window of a shift along one axis that is filled with zeros."""
    if not _is_zero(node.attrs["fill"]):
        return None
    low = [0] * node.output.type.rank
    low[node.attrs["axis"]] = node.attrs["offset"]
    return (Window(0, tuple(low)),)


def of_roll(node: Node) -> Windows | None:
    """The windows of a roll along some axes: the main part, and the parts that wrap around."""
    shape = node.output.type.static_shape
    total = [0] * len(shape)
    for count, axis in zip(node.attrs["shift"], node.attrs["axis"], strict=True):
        total[normalize_axis(axis, len(shape))] += count
    moved = [count % size for count, size in zip(total, shape, strict=True)]
    ends = [(count, count - size) if count else (0,) for count, size in zip(moved, shape, strict=True)]
    return tuple(Window(0, low) for low in itertools.product(*ends))


MOST_PARTS = 8
"""Of a concatenation in a kernel, which reads each part, masked, at each column."""


def of_concatenation(node: Node) -> Windows | None:
    """The windows of some tensors one after the other; None if there are too many or if some are empty."""
    axis, start, found = node.attrs["axis"], 0, []
    for number, part in enumerate(node.inputs):
        size = part.type.static_shape[axis]
        low = [0] * part.type.rank
        low[axis] = start
        found.append(Window(number, tuple(low)))
        start += size
    return tuple(found) if 1 < len(found) <= MOST_PARTS else None


def _is_zero(value: float) -> bool:
    """Whether a number is +0."""
    return value == 0 and not str(value).startswith("-")
