"""Instrumentation: a planned graph is emitted with a clock call after the statements of each node."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ...runtime.program import Program
from ...runtime.records import NamedTuple
from ..ir.graph import Node
from ..ir.spelling import spell
from ..memory.plan import Plan
from .emitter import Emitter
from .python_code import parse_line
from .writer import Writer

RESULTS = -1
"""The mark of what comes after the last node: copies of results and commits."""

MOST_EVENTS = 200_000  # of a timeline: loops mark each iteration


class Clock:
    """Adds up the time between marks. The time of a mark itself is subtracted, as far as it can be measured."""

    def __init__(self) -> None:
        self.nanoseconds: dict[int, int] = {}
        self.counts: dict[int, int] = {}
        self.last = 0
        self.events: list[tuple[int, int, int]] | None = None  # where wanted: node, begin and end of each mark

    def start(self) -> None:
        """Start a run."""
        self.nanoseconds, self.counts = {}, {}
        self.last = time.perf_counter_ns()

    def mark(self, index: int) -> None:
        """Charge the time since the last mark to the node with this index."""
        passed = time.perf_counter_ns() - self.last
        self.nanoseconds[index] = self.nanoseconds.get(index, 0) + passed
        self.counts[index] = self.counts.get(index, 0) + 1
        if self.events is not None and len(self.events) < MOST_EVENTS:
            self.events.append((index, self.last, self.last + passed))
        self.last = time.perf_counter_ns()

    def own_cost(self) -> float:
        """The nanoseconds that a mark charges to a node that does nothing."""
        clock = Clock()
        best = float("inf")
        for _ in range(20):
            clock.start()
            for _ in range(50):
                clock.mark(0)
            best = min(best, clock.nanoseconds[0] / clock.counts[0])
        return best


class Instrumented(NamedTuple):
    """A program that clocks itself, and the nodes of its marks."""

    run: Callable[..., tuple[np.ndarray, ...]]
    nodes: tuple[Node, ...]
    clock: Clock


def instrument(plan: Plan, name: str) -> Instrumented:
    """The program of a planned graph with a mark for each node that has a statement. A fused group is one node."""
    marks = _Marks()
    emitted = Emitter(plan, f"{name} with marks", marks).run()
    program = Program(f"{name} with marks", emitted.source, plan.nbytes, emitted.constants, emitted.kernels)
    return Instrumented(program.run, tuple(marks.nodes), marks.clock)


class _Marks:
    """Calls of a clock."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.nodes: list[Node] = []

    def before(self, writer: Writer) -> list[ast.stmt]:
        """The start of a run."""
        return [_call_of(writer, "start", self.clock.start)]

    def after(self, writer: Writer, node: Node) -> list[ast.stmt]:
        """The node that has run."""
        self.nodes.append(node)
        return [_call_of(writer, "mark", self.clock.mark, len(self.nodes) - 1)]

    def last(self, writer: Writer) -> list[ast.stmt]:
        """The end of a run: copies of results, and commits."""
        return [_call_of(writer, "mark", self.clock.mark, RESULTS)]


def _call_of(writer: Writer, name: str, function: Callable[..., Any], *arguments: int) -> ast.stmt:
    """The statement that calls a function of the clock."""
    return parse_line(f"{writer.function_named(name, function)}({', '.join(map(spell, arguments))})")
