"""Choice of a loop's form: long loops over traced values are rerolled, others become loops of the graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...runtime import dtypes
from ..values.tensor import Tensor
from ..values.traced_tensor import TracedTensor, wrap
from .blocks import REROLL_TRIES
from .branches import Branches
from .counted_floats import derived_from
from .iteration_trace import ItemAt, is_long
from .join import number_kind
from .loop_rows import integers_at
from .loop_trace import LoopTrace, test_after
from .outcomes import GOING_ON, TracedMixed, split
from .repeatable import catches
from .rerolling import Rerolling
from .state import Mixed, SourceLoop, fall_through, identity
from .while_loops import TracedRange, WhileLoops

MOST_APART = 4  # first iterations, in which a condition differs from the others


class Loops:
    """Chooses the form in which a loop is recorded.

    Attributes:
        not_rerolled_exits: bodies that cannot be rerolled even after an iteration that may have left the loop.
    """

    def __init__(self, branches: Branches) -> None:
        self.while_loops = WhileLoops(branches)
        self.rerolling = Rerolling(branches, self.while_loops)
        self.not_rerolled_exits: dict[int, Any] = {}

    def while_loop(self, test: Any, loop: SourceLoop) -> Any:
        """A while whose first test gave a traced value. Returns the outcome of the loop."""
        return self.while_loops.while_loop(test, loop)

    def while_after(self, outcome: Mixed, loop: SourceLoop) -> Any:
        """The iterations of a while after one with a mixed outcome."""
        return self.while_loops.while_after(outcome, loop)

    def reroll_range(self, iterations: range, loop: SourceLoop, last: bool, item_at: ItemAt | None = None) -> bool:
        """Whether the iterations of a for were recorded as one node. `last`: this is not asked again."""
        return self.rerolling.reroll_range(iterations, loop, last, item_at)

    @property
    def waits(self) -> bool:
        """Whether the loop that was asked for last can be recorded after the first iterations."""
        return self.rerolling.waits

    def reroll_while(self, test: Any, loop: SourceLoop, steps: dict[str, int], last: bool) -> bool:
        """`reroll_range` for a while whose test gave a true value; an iteration has changed integers by `steps`."""
        return self.rerolling.reroll_while(test, loop, steps, last)

    def decided(self, value: Any) -> Any:
        """A condition; or what it is in all iterations of a loop that is recorded once, if the counter decides it.
        If a few first iterations alone differ, each is traced by itself, and the loop records the others."""
        loop = self.rerolling.counted
        if loop is None or not (isinstance(value, TracedTensor) and value._number is bool):
            return value
        symbol, recorder = loop.trace.read(value), loop.side.recorder
        if symbol.recorder is not recorder:
            return value
        found = integers_at(symbol.operand, recorder.nodes, loop.index.operand, len(loop.iterations))
        if found is None:
            return value
        found = found[::-1] if loop.reverse else found
        differing = np.flatnonzero(found != found[-1])
        if not len(differing):
            return bool(found[0])
        if differing[-1] + 1 != len(differing) or len(differing) > MOST_APART or loop.last:
            return value
        self.rerolling.apart[id(loop.loop.body.__code__)] = loop.loop.body.__code__
        raise self.rerolling.refuse("a condition that is another in the first iterations")

    def of_counter(self, name: str, value: Any) -> Any:
        """The op of this name of a number that a loop recorded once computes from its counter alone; None for others.
        It is computed in double precision for all iterations at once, as Python does."""
        loop = self.rerolling.counted
        if loop is None or number_kind(value) is None:
            return None
        symbol, recorder = loop.trace.read(value), loop.side.recorder
        if symbol.recorder is not recorder or symbol.operand not in derived_from(loop.index.operand, recorder.nodes):
            return None
        number = loop.trace.read(value.astype(dtypes.as_dtype(float)))
        return wrap(recorder.apply(prims.OPS[name], (number,), {}), float)

    def for_traced(self, iterable: Any, loop: SourceLoop) -> Any:
        """A for over a traced value: a range, or the rows of a tensor, which are rerolled if they are many."""
        if not isinstance(iterable, Tensor):
            return self.while_loops.counted(iterable, loop, lambda index: index)
        shape = iterable._type.shape
        if not shape or shape[0] is None or not is_long(range(shape[0])):
            return self.while_loops.over_rows(iterable, loop)
        iterations = range(shape[0])
        outcome: Any = fall_through
        for position in range(REROLL_TRIES):
            last = position == REROLL_TRIES - 1
            if self.rerolling.reroll_range(iterations[position:], loop, last, iterable.__getitem__):
                return loop.run_else()
            outcome = loop.run_body(iterable[position])
            if not split(outcome)[0] <= GOING_ON:
                break
        left = iterations[position + 1 :]
        return self.for_after(outcome, (iterable[number] for number in left), loop, left, iterable.__getitem__)

    def for_after(
        self,
        outcome: Any,
        items: Iterator[Any],
        loop: SourceLoop,
        iterations: range | None = None,
        item_at: ItemAt | None = None,
    ) -> Any:
        """The iterations of a for after some that were traced one by one: a loop of the graph, if they are many."""
        if isinstance(outcome, TracedMixed) and iterations is not None and is_long(iterations):
            counting = self.while_loops.counting(
                TracedRange(iterations.start, iterations.stop, iterations.step), loop, item_at or identity
            )
            trace = self._settled(loop, counting, outcome)
            if trace is not None:
                going = test_after(self.while_loops.branches, outcome, counting)[0]
                return self.while_loops.after_loop(trace.record(going, split(outcome)[1]), counting)
        return self.while_loops.for_items(items, loop, outcome)

    def _settled(self, loop: SourceLoop, counting: SourceLoop, outcome: TracedMixed) -> LoopTrace | None:
        """A trace of the iterations as a counting while; None if the body must be traced in each iteration."""
        body: Any = getattr(loop.body, "__code__", None)
        if not split(outcome)[0] & GOING_ON or body is None or id(body) in self.not_rerolled_exits:
            return None

        def settle() -> LoopTrace:
            with self.rerolling.guarded():
                return self.while_loops.settle(counting, outcome)

        trace = None if catches(body) else self.rerolling.attempted(loop, settle)
        if trace is None:
            self.not_rerolled_exits[id(body)] = body
        return trace
