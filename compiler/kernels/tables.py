"""Tables of an expanded loop: values whose elements are read and written at positions that iterations compute.

    %q2 = index_update(%q, %v, %s)           state q float32[25] 0 0 at s 4 25
                                             out q2 float32[25] 0 0 at s 4 25

A table stays in memory. What is written to it is known until the end of the iteration: an element that is read behind
a write is chosen between the new value and the old one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ...runtime.native.builder import Unsupported
from ...runtime.native.language import Argument, Array, Number, Place
from ...runtime.records import NamedTuple
from ..ir.values import Value
from .translation import Layout

Where = tuple[Argument | int, ...]
"""For each axis of a table the position of an element, or its number."""


class Write(NamedTuple):
    """An element that an iteration writes."""

    where: Where
    element: Argument


class Table(NamedTuple):
    """A state, and what was written to it."""

    state: Value
    writes: tuple[Write, ...] = ()


class ElementReader(Protocol):
    """The parts of an expansion (`tiny_loops.Expansion`) that tables use."""

    def add(self, value: Value, function: str, given: Sequence[Argument], dtype: str | None = None) -> str:
        """The name of a statement's value."""

    def layout(self, value: Value) -> tuple[Layout, int, int]:
        """The layout of a parameter's row, the bytes to the next one, and to the first element of the first."""

    def array(self, value: Value, layout: Layout, step: int, offset: int, role: str, at: tuple[Place, ...] = ()) -> str:
        """The name of an array that reads one element in each iteration."""


def read(expansion: ElementReader, out: Value, table: Table, where: Where, role: str) -> Argument:
    """The element of a table, which the value `out` gets, as it is behind all writes."""
    sizes = table.state.type.static_shape
    layout, step, start = expansion.layout(table.state)
    offset, at = _places(where, sizes, layout.strides)
    found: Argument = expansion.array(table.state, layout, step, start + offset, role, at)
    for written, element in table.writes:
        equal: list[str] = []
        apart = False
        for one, other, size in zip(where, written, sizes, strict=True):
            if isinstance(one, int) and isinstance(other, int):
                apart |= one != other
            elif one != other:
                a, b = (_from_start(expansion, out, position, size) for position in (one, other))
                equal.append(expansion.add(out, "equal", (b, a) if isinstance(a, Number) else (a, b)))
        if apart:
            continue
        chosen = equal[0] if equal else None
        for more in equal[1:]:
            chosen = expansion.add(out, "logical_and", (str(chosen), more))
        found = element if chosen is None else expansion.add(out, "select", (chosen, element, found))
    return found


def written(table: Table, write: Write, name: str, strides: Sequence[int]) -> Array:
    """The array that a write goes to."""
    type = table.state.type
    offset, at = _places(write.where, type.static_shape, strides)
    return Array("out", name, type.dtype.numpy_name, type.static_shape, (0, 0), offset, (), at)


def where(axes: Sequence[int], positions: Sequence[Argument], index: Sequence[int], sizes: Sequence[int]) -> Where:
    """Where an element is: along an axis at the next position, or at an index of the region."""
    given, found = iter(positions), list[Argument | int]()
    for axis, size in zip(axes, sizes, strict=True):
        each: Argument | int = index[axis] if axis >= 0 else next(given)
        if isinstance(each, Number):
            each = int(each.value) + (size if each.value < 0 else 0)
            if not 0 <= each < size:
                raise Unsupported("a position is out of range")
        found.append(each)
    return tuple(found)


def _places(where: Where, sizes: Sequence[int], strides: Sequence[int]) -> tuple[int, tuple[Place, ...]]:
    """The bytes to an element that are known, and its positions."""
    known = sum(each * stride for each, stride in zip(where, strides, strict=True) if isinstance(each, int))
    at = [
        Place(each, stride, size)
        for each, size, stride in zip(where, sizes, strides, strict=True)
        if isinstance(each, str)
    ]
    return int(np.int64(known)), tuple(at)


def _from_start(expansion: ElementReader, out: Value, position: Argument | int, size: int) -> Argument:
    """A position that counts from the start."""
    if isinstance(position, int):
        return Number(position)
    negative = expansion.add(out, "less", (position, Number(0)))
    return expansion.add(out, "select", (negative, expansion.add(out, "add", (position, Number(size))), position))
