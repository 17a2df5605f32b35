"""Short-circuit evaluation: `and`, `or`, `all()` and `any()` of traced values.

Only the run knows whether a later operand is evaluated. A small one without effects is always computed; any other
becomes a branch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...compiler.transforms.symbolic import Symbol
from ..errors.classes import GraphBreak
from ..values import logic
from ..values.inplace import is_number
from ..values.tensor import Tensor
from ..values.traced_tensor import wrap
from .branches import Branches
from .flow import Flow
from .join import Side
from .operators import and_, or_
from .state import Thunk, Variables

INLINE_NODES = 8  # operands of and/or of up to this many nodes are computed in any case


class ShortCircuits:
    """Operators and builtins that may skip operands."""

    def __init__(self, flow: Flow, branches: Branches) -> None:
        self.flow = flow
        self.trace = flow.trace
        self.branches = branches

    def and_(self, value: Any, others: tuple[Thunk, ...], joins: Variables) -> Any:
        """`value and …` with a traced value."""
        return self._shortcut(value, others, joins, stop=False)

    def or_(self, value: Any, others: tuple[Thunk, ...], joins: Variables) -> Any:
        """`value or …` with a traced value."""
        return self._shortcut(value, others, joins, stop=True)

    def _shortcut(self, value: Any, others: tuple[Thunk, ...], joins: Variables, stop: bool) -> Any:
        """`and` and `or`: the operand that decides, without a branch if that is cheap."""
        condition = self.flow.condition(value, "an operand of 'and' or 'or'")
        going_on, stopping = self.branches.side("operand", others[0]), self.branches.side("decided", others[0])
        chain, logical = (or_, logic.logical_or) if stop else (and_, logic.logical_and)
        before = dict(zip(joins.names, joins.get(), strict=True))
        self.branches.run(going_on, lambda: chain(others[0](), *others[1:], joins=joins.names), joins)
        binds = any(going_on.values[name] is not value for name, value in before.items())
        inlined = None if binds else self._inlined(value, going_on)
        if inlined is not None:
            number = is_number(value) and (type(inlined) is bool or is_number(inlined))
            if inlined is stop:  # whatever the first one is: a branch is not traced that never runs
                return stop if number else Tensor(stop)
            result = logical(condition, inlined)
            return wrap(self.trace.read(result), bool) if number else result
        self.branches.run(stopping, lambda: value, joins)
        sides = (stopping, going_on) if stop else (going_on, stopping)
        return self.branches.join(self.trace.read(condition), sides, joins)

    def _inlined(self, value: Any, side: Side) -> Any:
        """The boolean value of a small operand, always computed; None if a branch is needed."""
        nodes = side.recorder.nodes
        other = side.outcome
        changes = side.raised or side.updates or side.attributes or side.containers or side.shared
        if changes or len(nodes) > INLINE_NODES or any(node.has_effect or node.subgraphs for node in nodes):
            return None
        if not value.dtype.is_bool or type(other) is bool:
            return other if value.dtype.is_bool else None
        if not isinstance(other, Tensor) or not other._type.dtype.is_bool or other._type.shape not in ((), (1,)):
            return None
        (result,) = self._recorded_again(side, [other])
        flag = wrap(result)
        return wrap(self.trace.read(flag.reshape(()) if flag.ndim else flag), bool if is_number(other) else None)

    def _recorded_again(self, side: Side, tensors: list[Tensor]) -> tuple[Symbol, ...]:
        """A function that records tensors of a branch outside of it, so that they are always computed."""
        with side.recorder:
            graph = side.recorder.finish([side.symbol(tensor) for tensor in tensors])
        outer = self.trace.recorder
        return outer.inline(graph, [Symbol(captured, outer) for captured in side.recorder.captures])

    def items_left(self, values: Iterator[Any]) -> list[Any]:
        """The items of a lazy sequence that all() or any() may skip, always computed.

        Raises:
            GraphBreak: if making them does more than giving a value.
        """
        side = self.branches.side("items", None)
        self.branches.run(side, lambda: list(values), Variables((), ()))
        changes = side.raised or side.updates or side.attributes or side.containers or side.shared
        if changes or any(node.has_effect for node in side.recorder.nodes):
            raise GraphBreak(
                "only the run knows whether all() or any() gets to an item, and the code that gives the item changes "
                "something or has an effect",
                "Make a list of the items first",
            )
        inside = [item for item in side.outcome if side.is_born_inside(item)]
        again = iter(self._recorded_again(side, inside))
        return [wrap(next(again), item._number) if side.is_born_inside(item) else item for item in side.outcome]
