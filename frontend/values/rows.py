"""Rows of a tensor that are recorded when they are first read: a list of many is often put together again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.values import Location
from ...compiler.transforms.symbolic import Symbol
from .tensor import Tensor
from .traced_tensor import TracedTensor, wrap

__all__ = ["Rows", "put_together"]


class Rows:
    """The rows of a traced tensor along its first axis."""

    def __init__(self, whole: Symbol, location: Location | None) -> None:
        self.whole = whole
        self.location = location

    def row(self, place: int) -> TracedTensor:
        """One of the rows."""
        row: _Row = object.__new__(_Row)
        row._rows, row._place = self, place
        return row

    def record(self, place: int) -> Symbol:
        """Record the nodes of a row, in the graph of the tensor: other graphs may read it later."""
        recorder, value = self.whole.recorder, self.whole.operand
        rest = self.whole.type.static_shape[1:]
        zeros, ones = (0,) * len(rest), (1,) * len(rest)
        attrs = {"start": (place, *zeros), "stop": (place + 1, *rest), "step": (1, *ones)}
        part = recorder.append(prims.slice, (value,), attrs, "row", self.location).output
        node = recorder.append(prims.reshape, (part,), {"shape": rest}, "row", self.location)
        return Symbol(node.output, recorder)


class _Row(TracedTensor):
    """A row that may be without a symbol so far. With one, it is like any traced tensor."""

    _rows: Rows
    _place: int

    def __getattr__(self, name: str) -> Any:
        if name != "_symbol":
            return object.__getattribute__(self, name)  # which raises the usual error
        self._symbol = symbol = self._rows.record(self._place)
        self.__class__ = TracedTensor  # type: ignore[assignment]
        return symbol


_Row.__name__ = _Row.__qualname__ = TracedTensor.__name__


def put_together(tensors: Sequence[Any]) -> Tensor | None:
    """The stack of tensors along a first axis as a part of a tensor, if they are its rows at equal distances, none of
    which was read or updated before."""
    found = [item for item in tensors if item.__class__ is _Row and "_symbol" not in item.__dict__]
    if len(found) < max(len(tensors), 2):
        return None
    rows, start, step = found[0]._rows, found[0]._place, found[1]._place - found[0]._place
    if any(row._rows is not rows or row._place != start + step * at for at, row in enumerate(found)) or not step:
        return None
    whole, stop = wrap(rows.whole), start + step * len(found)
    if (start, stop, step) == (0, rows.whole.type.static_shape[0], 1):
        return whole
    return whole[slice(start, None if stop < 0 else stop, step)]
