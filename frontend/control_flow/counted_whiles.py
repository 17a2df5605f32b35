"""While loops that count with Python's integers, as in `while i < n: ...; i += 1`.

An iteration that has run shows which variables count, and by how much. Their numbers in a later iteration follow from
the number of the iteration, so the loop becomes a loop over a range: the test is traced once for all iterations, which
gives their number. The trace of the body then has to confirm both, the counters and the test.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiler.ir.types import TensorType
from ...compiler.transforms.symbolic import Symbol
from ...runtime import dtypes
from ..errors.classes import GraphBreak
from ..values.tensor import Tensor
from ..values.traced_tensor import TracedTensor, wrap
from .branches import Branches
from .flow import Flow
from .iteration_trace import IterationTrace
from .loop_rows import integers_at
from .state import SourceLoop

FEW = 1 << 6  # iterations for which the test is computed at first; 16 times as many, as long as it holds
MOST_COUNTED = 1 << 22


class CountedWhile(SourceLoop):
    """A while as a loop over the numbers of its iterations, for a trace that records them once.

    Args:
        loop: the while.
        steps: of its counters, which have the values of the next iteration.
        flow: of the trace.
        attempt: gives the trace of the body that runs it.
    """

    def __init__(
        self, loop: SourceLoop, steps: dict[str, int], flow: Flow, attempt: Callable[[], IterationTrace]
    ) -> None:
        super().__init__(loop.body, loop.orelse, loop.variables, loop.jumps, loop.test, loop.word)
        self.flow = flow
        self.attempt = attempt
        self.counters = [(loop.variables.only(name), step) for name, step in steps.items()]
        self.starts: list[int] = [counter.get()[0] for counter, _ in self.counters]

    def put(self, number: Any) -> None:
        """Set the counters to what they are before the iteration of this number, a Python or a run-time int."""
        for (counter, step), start in zip(self.counters, self.starts, strict=True):
            scaled = number if step == 1 else number * step
            counter.set((scaled if start == 0 else scaled + start,))

    def run_test(self) -> Symbol:
        """Run the test. Returns its result.

        Raises:
            GraphBreak: if the trace knows it: then it does not depend on the counters.
        """
        assert self.test is not None
        result = self.flow.lift(self.test())
        if not isinstance(result, Tensor):
            raise GraphBreak("the test of the loop does not depend on its counters")
        return self.flow.trace.read(self.flow.condition(result))

    def run_body(self, *item: Any) -> Any:
        """Run the iteration of a number, and the test after it. The counters are as before the loop then: Python's
        numbers, which the loop does not hand on."""
        self.put(item[0])
        outcome = super().run_body()
        last = len(self.attempt().iterations)
        after = np.arange(1, last + 1)
        for (counter, step), start in zip(self.counters, self.starts, strict=True):
            if not self._has(counter.get()[0], start + step * after):
                raise GraphBreak(f"'{counter.names[0]}' does not count by {step} in each iteration")
        if not self._has(self.run_test(), after < last):
            raise GraphBreak("the iterations change what the test of the loop depends on, not only its counters")
        self.put(0)
        return outcome

    def _has(self, value: Any, numbers: np.ndarray) -> bool:
        """Whether a run-time number, or its symbol, is computed from the iteration's number and has these values."""
        attempt = self.attempt()
        recorder = attempt.side.recorder
        symbol = self.flow.trace.read(value) if isinstance(value, TracedTensor) else value
        if not isinstance(symbol, Symbol) or symbol.recorder is not recorder:
            return False
        found = integers_at(symbol.operand, recorder.nodes, attempt.index.operand, len(numbers), MOST_COUNTED)
        return found is not None and np.array_equal(found, numbers)


def iterations_left(loop: CountedWhile, branches: Branches) -> range | None:
    """The numbers of the iterations that follow; None if it is not the counters alone that end the loop."""
    side = branches.side("test", loop.test)
    marks = side.recorder.names.marks()
    index = side.recorder.parameter(TensorType(dtypes.int64, ()), "i", own=True)

    def test() -> Symbol:
        loop.put(wrap(index, int))
        return loop.run_test()

    branches.run(side, test, loop.variables)
    side.recorder.discard(marks)
    changes = side.raised or not side.is_quiet or any(node.has_effect for node in side.recorder.nodes)
    result = side.outcome
    if changes or result.recorder is not side.recorder:
        return None
    size = FEW
    while size <= MOST_COUNTED:
        holds = integers_at(result.operand, side.recorder.nodes, index.operand, size, MOST_COUNTED)
        if holds is None:
            return None
        if not holds.all():
            return range(int(np.argmin(holds)))
        size *= 16
    return None
