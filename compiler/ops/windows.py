"""Windows: an op's output as parts, each an input moved along the axes, and zeros around all of them."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from ..ir.graph import Node
from ..ir.types import normalize_axis


class Window(NamedTuple):
    """An input, and where in the output its first element would stand along each axis, be it outside."""

    input: int
    low: tuple[int, ...]


Windows = tuple[Window, ...]


def of_pad(node: Node) -> Windows | None:
    """What is padded with zeros."""
    return (Window(0, tuple(node.attrs["low"])),) if _is_zero(node.attrs["value"]) else None


def of_shift(node: Node) -> Windows | None:
    """What is moved along one axis, and filled up with zeros."""
    if not _is_zero(node.attrs["fill"]):
        return None
    low = [0] * node.output.type.rank
    low[node.attrs["axis"]] = node.attrs["offset"]
    return (Window(0, tuple(low)),)


def of_roll(node: Node) -> Windows | None:
    """What moves on along some axes, and the parts that come in at the other ends."""
    shape = node.output.type.static_shape
    total = [0] * len(shape)
    for count, axis in zip(node.attrs["shift"], node.attrs["axis"], strict=True):
        total[normalize_axis(axis, len(shape))] += count
    moved = [count % size for count, size in zip(total, shape, strict=True)]
    ends = [(count, count - size) if count else (0,) for count, size in zip(moved, shape, strict=True)]
    return tuple(Window(0, low) for low in itertools.product(*ends))


def _is_zero(value: float) -> bool:
    """Whether a number is zero without a sign."""
    return value == 0 and not str(value).startswith("-")
