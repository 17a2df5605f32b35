"""Loops of the graph: a `while` with a run-time condition, or a `for` with a run-time length."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...compiler.transforms.symbolic import Symbol
from ...runtime import dtypes
from ..errors.classes import GraphBreak
from ..values.tensor import Tensor
from ..values.traced_tensor import wrap
from .branches import Branches
from .join import describe, number_item
from .loop_trace import LoopTrace, test_after
from .lvalues import carried_variables
from .outcomes import GOING_ON, RETURN, as_outcome, goes_on, is_kind, split
from .state import UNDEFINED, Mixed, SourceLoop, Variables, fall_through

MAX_ATTEMPTS = 50  # traces of a body until its changes are known; each adds at least one value


class TracedRange:
    """range() with bounds that only the run knows."""

    _is_traced_tensor = True

    def __init__(self, start: Any, stop: Any, step: Any) -> None:
        self.start = start
        self.stop = stop
        self.step = step

    def __iter__(self) -> Iterator[Any]:
        raise GraphBreak(
            "a range with run-time bounds is iterated over outside of a for statement",
            "Loop over it with for, directly",
        )

    def __len__(self) -> int:
        raise GraphBreak("the length of a range with run-time bounds is known only at run time")

    def __getitem__(self, key: Any) -> Any:
        raise GraphBreak("the items of a range with run-time bounds are known only at run time")

    __reversed__ = __iter__


class WhileLoops:
    """Records loops as `while_loop` nodes, and the iterations of a loop over items one by one."""

    def __init__(self, branches: Branches) -> None:
        self.flow = branches.flow
        self.trace = branches.trace
        self.branches = branches
        self.rebound: dict[Any, set[Any]] = {}  # the known changes of a body, for the next time it is traced

    def while_loop(self, test: Any, loop: SourceLoop) -> Any:
        """A while whose first test gave a traced value. Returns the outcome of the loop."""
        return self.record(self.flow.condition_symbol(test), loop, fall_through)

    def while_after(self, outcome: Mixed, loop: SourceLoop) -> Any:
        """The iterations of a while after one with a mixed outcome."""
        go_on, _ = test_after(self.branches, outcome, loop)
        return self.record(go_on, loop, outcome)

    def over_rows(self, tensor: Tensor, loop: SourceLoop) -> Any:
        """A for over the rows of a tensor: one by one, or as a loop of the graph if only the run knows their number."""
        shape = tensor._type.shape
        if not shape or shape[0] is not None:
            return self.for_items(iter(tensor), loop, fall_through)
        return self.counted(TracedRange(0, tensor.shape[0], 1), loop, lambda index: tensor[index])

    def for_items(self, items: Iterator[Any], loop: SourceLoop, outcome: Any) -> Any:
        """The iterations over known items, each under the condition that the loop continues."""
        for item in items:
            kinds, code, _ = split(outcome)
            if not kinds & GOING_ON:
                break
            if kinds <= GOING_ON:
                outcome = loop.run_body(item)
                continue
            before = outcome

            def body(item: Any = item) -> Any:
                return loop.run_body(item)

            def over(before: Any = before, kinds: frozenset[int] = kinds) -> Any:
                return as_outcome(kinds - GOING_ON, *split(before)[1:])

            outcome = self.branches.choose_outcome(goes_on(kinds, code), body, over, loop.variables)
        return self.after_loop(outcome, loop)

    def after_loop(self, outcome: Any, loop: SourceLoop) -> Any:
        """The outcome of a whole loop, including its else clause."""
        kinds, code, value = split(outcome)
        if loop.orelse is not None and kinds & GOING_ON:
            if kinds <= GOING_ON:
                return loop.run_else()
            broken = as_outcome(kinds - GOING_ON, code, value)
            before = loop.variables.get()

            def orelse() -> Any:
                outcome = loop.run_else()
                for name, was, now in zip(loop.variables.names, before, loop.variables.get(), strict=True):
                    if was is UNDEFINED and now is not UNDEFINED:
                        raise GraphBreak(
                            f"'{name}' is bound by the else clause of a loop, and otherwise only where it breaks",
                            "Give it a value before the loop",
                        )
                return outcome

            outcome = self.branches.choose_outcome(
                goes_on(kinds, code), orelse, lambda: self._after_break(broken), loop.variables
            )
            return outcome
        return self._after_break(outcome)

    def _after_break(self, outcome: Any) -> Any:
        """The outcome after a loop: a break falls through to the next statement, a return returns."""
        kinds, code, value = split(outcome)
        if RETURN not in kinds:
            return fall_through
        if kinds == {RETURN}:
            return outcome
        return self.branches.choose_outcome(
            is_kind(code, RETURN), lambda: value, lambda: fall_through, Variables((), ())
        )

    def counted(self, bounds: TracedRange, loop: SourceLoop, item: Callable[[Any], Any]) -> Any:
        """A for over a run-time range, as a counting while."""
        counting = self.counting(bounds, loop, item)
        assert counting.test is not None
        return self.record(self.flow.condition_symbol(counting.test()), counting, fall_through)

    def counting(self, bounds: TracedRange, loop: SourceLoop, item: Callable[[Any], Any]) -> SourceLoop:
        """The counting while for a for over a range."""
        _range_index: Any = self._run_time_int(bounds.start)
        step = bounds.step

        def goes_on() -> Any:
            if isinstance(step, Tensor):
                return ((step > 0) & (_range_index < bounds.stop)) | ((step < 0) & (_range_index > bounds.stop))
            return _range_index < bounds.stop if step > 0 else _range_index > bounds.stop

        def body() -> Any:
            nonlocal _range_index
            index, _range_index = _range_index, _range_index + step
            return loop.run_body(item(index))

        own = Variables(("_range_index",), (body, goes_on))
        orelse = None if loop.orelse is None else loop.run_else
        counting = SourceLoop(body, orelse, own.union(loop.variables), True, goes_on, "for")
        counting.key = loop.key
        return counting

    def _run_time_int(self, value: Any) -> Any:
        """A bound of a range as a run-time int."""
        if isinstance(value, Tensor):
            if not value.dtype.is_integer:
                raise TypeError(f"range() should get integers, but got {describe(value)}")
            return wrap(self.trace.read(self.cast_int(value)), int)
        return wrap(Symbol(number_item(int(value)), self.trace.root), int)

    @staticmethod
    def cast_int(value: Any) -> Any:
        """An integer tensor of one element as a 0-d Int64 one."""
        whole = value.astype(dtypes.int64)
        return whole.reshape(()) if whole.ndim else whole

    def record(self, go_on: Any, loop: SourceLoop, outcome: Any) -> Any:
        """A loop of the graph that starts with a condition and the outcome so far. Returns the outcome of the loop."""
        attempt = self.settle(loop, outcome)
        return self.after_loop(attempt.record(go_on, split(outcome)[1]), loop)

    def settle(self, loop: SourceLoop, outcome: Any) -> LoopTrace:
        """Trace the body of a loop, after an outcome, until the changes of an iteration are known."""
        known = self.rebound.setdefault(loop.key, set())
        carried = carried_variables(loop.variables, known)
        kinds, _, value = split(outcome)
        carried.kinds = kinds - GOING_ON
        carried.going |= kinds & GOING_ON
        for _ in range(MAX_ATTEMPTS):
            attempt = LoopTrace(self.branches, loop, carried, value)
            if not attempt.run():
                known |= {(name, path) for name, path in carried.leaves if isinstance(name, str)}
                return attempt
            attempt.discard()
        raise GraphBreak("what a run-time loop changes differs from iteration to iteration")
