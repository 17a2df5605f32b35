"""Slices in a loop whose bounds move with its counter: blocks of one size, so shapes do not depend on the iteration.

x[t : t + 1]                     a row, with an axis of one element
x[:, 4 * t + 2 : 4 * t + 5]      dynamic_slice(x, 0, 4 * t + 2, ...)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...compiler.analysis.affine import Affine
from ...runtime import dtypes
from ...runtime.records import dataclass
from ..values.dispatch import apply, as_tensor, cast
from ..values.indexing import getitem, setitem
from ..values.tensor import Tensor


@dataclass(frozen=True)
class MovingSlice:
    """A selection `x[key]` whose entry at `position` is a slice of `size` elements from `start` on along an axis.

    `own`: whether x is computed in the loop; `joins`: whether the blocks of all iterations follow each other.
    """

    x: Any
    key: tuple[Any, ...]
    position: int
    axis: int
    start: Any
    size: int
    own: bool
    joins: bool

    def read(self) -> Tensor | None:
        """The selection; None if each iteration would copy it from what the loop computes."""
        if self.size == 1:
            whole = (slice(None),) * self.axis
            block = getitem(getitem(self.x, (*whole, self.start)), (*whole, None))
        elif self.own:
            return None
        else:
            block = apply(prims.dynamic_slice, self.x, *self._starts(), sizes=self._sizes())
        result = getitem(block, self._with(slice(None)))
        result._base = (self.x, self.key)
        return result

    def written(self, value: Any) -> Tensor | None:
        """The tensor after an assignment to the selection, if it is one row, or joins those of other iterations."""
        if not isinstance(value, (Tensor, int, float)):
            return None
        after = [item for item in self.key[self.position + 1 :] if item is not Ellipsis]
        shown = sum(item is None or isinstance(item, slice) for item in after)
        behind = self.x.ndim - 1 - self.axis - sum(item is not None for item in after) + shown
        if self.size > 1:
            given = cast(as_tensor(value, self.x.dtype), self.x.dtype)
            whole = all(item is Ellipsis or item == slice(None) for item in self._with(...))
            if not self.joins or not whole or given.ndim > self.x.ndim:
                return None
            given = apply(prims.broadcast_to, given, shape=self._sizes())
            return apply(prims.dynamic_update_slice, self.x, given, *self._starts())
        if isinstance(value, Tensor) and value.ndim > behind:
            if value._type.shape[-1 - behind] != 1:
                return None
            value = getitem(value, (..., 0, *[slice(None)] * behind))
        return setitem(self.x, self._with(self.start), value)

    def _starts(self) -> list[Any]:
        zero = Tensor(0, dtypes.int64)
        return [self.start if axis == self.axis else zero for axis in range(self.x.ndim)]

    def _sizes(self) -> tuple[int, ...]:
        return (*self.x.shape[: self.axis], self.size, *self.x.shape[self.axis + 1 :])

    def _with(self, entry: Any) -> tuple[Any, ...]:
        """The key with another entry in place of the slice."""
        return (*self.key[: self.position], entry, *self.key[self.position + 1 :])


def moving_slice(x: Any, key: Any, affine: Callable[[Any], Affine | None], count: int, own: bool) -> MovingSlice | None:
    """The block that `x[key]` is in each iteration, if it has one size and lies inside of x in all of them.

    `affine`: what a bound is, by the counter of the loop; `own`: whether x is computed in the loop. Other entries may
    be ints, slices, new axes and an ellipsis.
    """
    entries = key if type(key) is tuple else (key,)
    moving = [n for n, each in enumerate(entries) if type(each) is slice and isinstance(each.start, Tensor)]
    if len(moving) != 1 or not all(each is None or each is Ellipsis or type(each) in (int, slice) for each in entries):
        return None
    (position,) = moving
    item = entries[position]
    start, stop = affine(item.start), affine(item.stop)
    if start is None or stop is None or start[0] != stop[0] or item.step not in (None, 1):
        return None
    before = [each for each in entries[:position] if each is not None]
    if any(each is Ellipsis for each in before):
        axis = x.ndim - sum(each is not None for each in entries[position:])
    else:
        axis = len(before)
    ends, size = (start[1], start[0] * (count - 1) + start[1]), stop[1] - start[1]
    length = x._type.shape[axis] if axis < x.ndim else None
    if size < 1 or length is None or min(ends) < 0 or max(ends) + size > length:
        return None
    return MovingSlice(x, entries, position, axis, item.start, size, own, start[0] == size)
