"""Container operations on traced values: items at run-time positions, membership, equality."""

from __future__ import annotations

import functools
from typing import Any

from ..errors.classes import GraphBreak
from ..values import logic
from ..values.logic import equal
from ..values.tensor import UNKNOWN_BASE, Tensor
from ..values.traced_tensor import TracedTensor, wrap
from .aliases import is_position
from .effects import record_check
from .flow import Flow
from .iteration_trace import LARGE_STATE
from .join import describe, number_kind
from .loop_blocks import MovingSlice, moving_slice
from .numbers import Numbers
from .operators import and_, compare, ternary
from .rerolling import Rerolling
from .state import identity, is_traced


class Containers:
    """Reads containers for one trace."""

    def __init__(self, flow: Flow, numbers: Numbers, rerolling: Rerolling) -> None:
        self.flow = flow
        self.trace = flow.trace
        self.numbers = numbers
        self.rerolling = rerolling

    def getitem(self, container: Any, index: Any) -> Any:
        """An item of a Python container at a run-time index."""
        if isinstance(container, Tensor):
            return container[index]
        if isinstance(container, (dict, set, str, bytes, range)) or not hasattr(container, "__len__"):
            raise GraphBreak(
                f"{describe(container)} cannot be indexed by a number that only the run knows", "Use a list or a tensor"
            )
        behind = self._item_behind(container, index)
        if behind is not None:
            return behind
        items = list(container)
        alike = bool(items) and all(isinstance(item, Tensor) and number_kind(item) is None for item in items)
        alike = alike and items[0]._type.is_static and all(item._type == items[0]._type for item in items)
        if self.rerolling.attempts and not (alike and self._are_rows(container, items, index)):
            place = self._place_in_turn(container, index)
            if place is not None:
                return container[place]
            raise self.rerolling.refuse(f"{describe(container)} is indexed by the number of the iteration")
        if not items:
            raise IndexError(f"{type(container).__name__} index out of range")
        if self.flow.may_catch(IndexError):
            raise GraphBreak(f"{describe(container)} is indexed by a run-time number inside of a try or with statement")
        if alike:
            at = wrap(self.trace.read(self.numbers.number(int, index)), int)
            result = logic.stack(items)[at]
            result._base = None if all(item._base is None for item in items) else UNKNOWN_BASE
            for number, item in enumerate(items):
                self.flow.aliases.link(result, item, functools.partial(is_position, at, number, len(items)))
            return result
        position = self.numbers.number(int, index)
        inside = self.trace.read(self.flow.condition((position >= -len(items)) & (position < len(items))))
        size = len(items)
        text = f"{type(container).__name__} index out of range: the index should be in range[-{size}, {size})"
        record_check(self.trace, inside, text, "IndexError")
        result = items[-1]
        for place in range(len(items) - 2, -1, -1):
            here = is_position(position, place, len(items))
            result = ternary(here, functools.partial(identity, items[place]), functools.partial(identity, result))
        return result

    def block(self, container: Any, index: Any) -> MovingSlice | None:
        """The block of a tensor that a slice chooses whose bounds are both the counter of a rerolled loop, times a
        number, plus numbers."""
        loop = self.rerolling.counted
        if not isinstance(container, Tensor) or loop is None:
            return None
        return moving_slice(container, index, loop.affine, len(loop.iterations), self._is_own(container, loop))

    def setitem(self, container: Any, index: Any, value: Any) -> None:
        """Assign to an item of a Python container at a run-time index."""
        place = self._place_in_turn(container, index)
        container[index if place is None else place] = value

    def _place_in_turn(self, container: Any, index: Any) -> int | None:
        """Where the first iteration of a rerolled loop finds the item of a list that the iterations take in turn."""
        loop = self.rerolling.counted
        return None if loop is None else loop.item_in_turn(container, index)

    def _item_behind(self, container: Any, index: Any) -> Any:
        """The item of a list that grows in a rerolled loop, at an index that grows with it; None for others."""
        loop = self.rerolling.counted
        return None if loop is None or type(container) is not list else loop.item_behind(container, index)

    def _are_rows(self, container: Any, items: list[Any], index: Any) -> bool:
        """Whether each iteration of a rerolled loop takes one of these tensors from outside by its counter, so that the
        loop can scan them as one stack. Those that the function has not computed are copied to it in each run, so they
        must be small."""
        loop = self.rerolling.counted
        if loop is None or any(self._is_own(item, loop) for item in items):
            return False
        if any(list_ is container for list_ in loop.carried.growing):
            return False
        given = [item for item in items if not self._is_computed(item)]
        factor, offset = loop.affine(index) or (0, -1)
        ends = offset, offset + factor * (len(loop.iterations) - 1)
        return sum(item.size for item in given) <= LARGE_STATE and 0 <= min(ends) <= max(ends) < len(items)

    def _is_own(self, tensor: Any, loop: Any) -> bool:
        """Whether a tensor is of the loop's iteration."""
        return self.trace.read(tensor).recorder is loop.side.recorder

    def _is_computed(self, tensor: Any) -> bool:
        """Whether an operation of the function made a tensor: it is no argument, Parameter or number."""
        symbol = self.trace.read(tensor)
        return isinstance(tensor, TracedTensor) and symbol.operand not in symbol.recorder.parameters

    def items(self, iterable: Any, what: str) -> None:
        """The items of a container are about to be taken."""
        self.flow.outside.moving.items(iterable, what)
        self.flow.iterates(iterable)

    def contains(self, container: Any, value: Any) -> Any:
        """`value in container`. NotImplemented means that Python decides."""
        value = self.flow.lift(value)
        traced = isinstance(value, TracedTensor)
        if isinstance(container, Tensor):
            return equal(container, value).any()
        if not isinstance(container, (list, tuple)):
            if traced and isinstance(container, (dict, set, frozenset, range)):
                raise GraphBreak(f"whether a run-time value is in {describe(container)} is known only at run time")
            return NotImplemented
        items = [self.flow.lift(item) for item in container]
        if not traced and not any(isinstance(item, TracedTensor) for item in items):
            return NotImplemented
        found: Any = False
        for item in items:
            same = self._equal(item, value)
            if same is True:
                return True
            if same is not False:
                found = same if found is False else found | same
        return found

    def equal(self, left: Any, right: Any) -> Any:
        """`left == right` for tuples or lists."""
        if not any(map(_has_traced, (*left, *right))):
            return left == right
        if len(left) != len(right):
            return False
        result: Any = True
        for one, other in zip(left, right, strict=True):
            result = and_(result, functools.partial(compare, one, "==", other))
        return result

    def _equal(self, item: Any, value: Any) -> Any:
        """Whether two values are equal, for `in`: tensors if all elements are, and to a number if they have one
        element."""
        a, b = number_kind(item), number_kind(value)
        if a is not None and b is not None:
            return item == value
        numbers = [number is not None or isinstance(entry, Tensor) for number, entry in ((a, item), (b, value))]
        if not all(numbers):
            return item is value
        if a is not None or b is not None:
            tensor = value if a is not None else item
            return self.flow.condition(item == value) if tensor.size == 1 else False
        if item.shape != value.shape:
            return False
        same = logic.equal(item, value)
        return same.all() if same.ndim else same


def _has_traced(value: Any) -> bool:
    """Whether only the run knows a value, or an item of a tuple or list."""
    return any(map(_has_traced, value)) if type(value) in (tuple, list) else is_traced(value)
