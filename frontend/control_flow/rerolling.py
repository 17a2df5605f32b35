"""Loop rerolling: a long `for` over a range, or a `while` that counts, becomes one `scan`, not a copy of the body for
each iteration.

One iteration is traced with its number as a run-time int. If that is not possible, or would have other effects than the
single iterations, the attempt is given up, everything is restored, and the iterations are traced one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from ..errors.classes import GraphBreak
from ..values.tensor import Tensor
from .branches import Branches
from .counted_whiles import CountedWhile, iterations_left
from .flow import BranchRaised
from .iteration_trace import MIN_OF_COSTLY, ItemAt, IterationTrace, is_long
from .lvalues import carried_variables
from .repeatable import catches, is_repeatable
from .state import SourceLoop, identity
from .while_loops import MAX_ATTEMPTS, WhileLoops

Settled = TypeVar("Settled")

COSTLY = 600  # nodes that the iterations of a loop record in all, from which a short one is rerolled, too


class Rerolling:
    """Records loops with a known number of iterations as one node.

    Attributes:
        attempts: how many attempts stand inside one another here.
        refused: whether the innermost one met an operation that needs single iterations.
        not_rerolled: bodies that cannot be rerolled, by the identity of their code.
        tried: those that could not be, before their first iteration ran.
        apart: those whose first iterations have to run by themselves.
        waits: whether the loop that was tried last is one of them.
        recorded: by the keys of loops, before their last iteration: the recorder, the iterations left, its nodes.
        running: the attempts that trace an iteration now, the innermost last.
    """

    def __init__(self, branches: Branches, loops: WhileLoops) -> None:
        self.trace = branches.trace
        self.branches = branches
        self.loops = loops
        self.attempts = 0
        self.refused = False
        self.not_rerolled: dict[int, Any] = {}
        self.tried: dict[int, Any] = {}
        self.recorded: dict[int, Any] = {}
        self.apart: dict[int, Any] = {}
        self.running: list[IterationTrace] = []
        self.waits = False

    def reroll_range(self, iterations: range, loop: SourceLoop, last: bool, item_at: ItemAt | None = None) -> bool:
        """Record the iterations of a for as one node, if possible. `last`: this is not asked again.

        The body gets the number of the iteration, or the result of `item_at` for it.
        """
        self.waits = False
        wanted = is_long(iterations) or self._records_much(iterations, loop)
        return wanted and self._reroll(iterations, loop, last, item_at or identity)

    def _records_much(self, iterations: range, loop: SourceLoop) -> bool:
        """Whether the iterations that are left of a short loop record very many nodes, if the last one tells."""
        left, recorder = len(iterations), self.trace.recorder
        count = len(recorder.nodes)
        *before, known = self.recorded.get(loop.key, (None, 0, 0))
        self.recorded[loop.key] = recorder, left, count
        return before == [recorder, left + 1] and left >= MIN_OF_COSTLY and (count - known) * left >= COSTLY

    def reroll_while(self, test: Any, loop: SourceLoop, steps: dict[str, int], last: bool) -> bool:
        """Record the iterations of a while, whose test gave a known true value, as one node, if possible.

        `steps`: by how much its last iteration has changed Python integers.
        """
        if not isinstance(test, Tensor):
            return bool(steps) and self._reroll_counted(loop, steps, last)
        return test.size == 1 and bool(test) and self._reroll(None, loop, last)

    def _reroll_counted(self, loop: SourceLoop, steps: dict[str, int], last: bool) -> bool:
        """`reroll_while` for one that counts with Python integers, which they are before and after."""
        if id(getattr(loop.body, "__code__", None)) in self.not_rerolled:
            return False
        counted = CountedWhile(loop, steps, self.branches.flow, lambda: self.running[-1])
        with self.branches.flow.outside.moving.holding(loop.body):
            iterations = self.attempted(loop, lambda: self._iterations_left(counted))
        if iterations is None or not self.reroll_range(iterations, counted, last):
            return False
        counted.put(len(iterations))
        return True

    def _iterations_left(self, loop: CountedWhile) -> range | None:
        """The numbers of the iterations of a while with counters."""
        with self.guarded():
            return iterations_left(loop, self.branches)

    def _reroll(self, iterations: range | None, loop: SourceLoop, last: bool, item_at: ItemAt | None = None) -> bool:
        """Try to record the iterations as one node."""
        code = getattr(loop.body, "__code__", None)
        if code is None or id(code) in self.not_rerolled:
            return False
        last = last or id(code) in self.tried
        done = not catches(code) and self._recorded(iterations, loop, last, item_at)
        if done:
            self.tried.pop(id(code), None)
        elif last:
            self.not_rerolled[id(code)] = code
        elif id(code) not in self.apart:
            self.tried[id(code)] = code
        self.waits = self.apart.pop(id(code), None) is not None
        return done

    def _recorded(self, iterations: range | None, loop: SourceLoop, last: bool, item_at: ItemAt | None) -> bool:
        """Trace an iteration until its changes are known, and record the node; False if that is not possible."""
        with self.branches.flow.outside.moving.holding(loop.body):
            attempt = self.attempted(loop, lambda: self._settled(iterations, loop, last, item_at))
        if attempt is not None:
            attempt.record_scan()
        return attempt is not None

    def attempted(self, loop: SourceLoop, settle: Callable[[], Settled]) -> Settled | None:
        """The result of a function; None if it fails, with everything restored."""
        derivatives = len(self.trace.derivatives)
        try:
            return settle()
        except (Exception, BranchRaised):
            # Whatever it is, it is the business of the iterations one by one, which will meet it too if it is an error.
            self.loops.rebound.pop(loop.key, None)
            del self.trace.derivatives[derivatives:]
            return None

    def _settled(
        self, iterations: range | None, loop: SourceLoop, last: bool, item_at: ItemAt | None
    ) -> IterationTrace:
        """Trace an iteration until its changes are known."""
        finals: set[Any] = set()
        known = self.loops.rebound.setdefault(loop.key, set())
        carried = carried_variables(loop.variables, known)
        for _ in range(MAX_ATTEMPTS):
            with self.guarded():
                attempt = IterationTrace(self.branches, loop, carried, iterations, last, item_at, finals)
                self.running.append(attempt)
                try:
                    grown = attempt.run()
                    if not grown:
                        attempt.check()
                except BaseException:
                    attempt.discard()
                    raise
                finally:
                    self.running.pop()
            if not grown:
                known |= {(name, path) for name, path in carried.leaves if isinstance(name, str)}
                return attempt
            attempt.discard()
        raise GraphBreak("what the loop changes differs from iteration to iteration")

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Give up if something was refused inside."""
        refused, self.refused = self.refused, False
        self.attempts += 1
        try:
            yield
            if self.refused:
                raise GraphBreak("something in the body of the loop can only be done one iteration at a time")
        finally:
            self.attempts -= 1
            self.refused = refused

    def refuse(self, what: str) -> GraphBreak:
        """The error for an operation that requires single iterations."""
        self.refused = True
        return GraphBreak(f"{what} in the body of a loop that is recorded once")

    @property
    def counted(self) -> Any:
        """The innermost attempt that traces an iteration now, if it is of a loop over a range."""
        loop = self.running[-1] if self.running else None
        return None if loop is None or loop.iterations is None else loop

    def check_callee(self, function: Any) -> None:
        """Inside of an attempt: give up at calls with effects that may not be undone."""
        if self.attempts and not is_repeatable(function):
            raise self.refuse(f"a call of {function!r}")
