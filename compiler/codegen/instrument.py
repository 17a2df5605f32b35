"""Programs that clock themselves: a planned graph emitted with a mark after every node's statements."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...runtime.program import Program
from ..ir.graph import Graph, Node
from ..ir.spelling import spell
from ..memory.plan import Plan
from .emitter import Emitted, Emitter
from .python_code import parse_line

RESULTS = -1
"""The mark of what comes after the last node: copies of results and commits."""


class Clock:
    """Adds up the time between marks. A mark's own time is left out, as far as it can be measured."""

    def __init__(self) -> None:
        self.nanoseconds: dict[int, int] = {}
        self.counts: dict[int, int] = {}
        self.last = 0

    def start(self) -> None:
        """A run begins."""
        self.nanoseconds, self.counts = {}, {}
        self.last = time.perf_counter_ns()

    def mark(self, index: int) -> None:
        """What has run since the last mark was the node of this index."""
        passed = time.perf_counter_ns() - self.last
        self.nanoseconds[index] = self.nanoseconds.get(index, 0) + passed
        self.counts[index] = self.counts.get(index, 0) + 1
        self.last = time.perf_counter_ns()

    def own_cost(self) -> float:
        """Nanoseconds that a mark charges to a node that does nothing."""
        clock = Clock()
        best = float("inf")
        for _ in range(20):
            clock.start()
            for _ in range(50):
                clock.mark(0)
            best = min(best, clock.nanoseconds[0] / clock.counts[0])
        return best


class Instrumented(NamedTuple):
    """A program that clocks itself, and the nodes that its marks stand for."""

    run: Callable[..., tuple[np.ndarray, ...]]
    nodes: tuple[Node, ...]
    clock: Clock


def instrument(plan: Plan, name: str) -> Instrumented:
    """The program of a planned graph with a mark for each node that has a statement; a fused group is one node."""
    emitter = _MarkedEmitter(plan, f"{name} with marks")
    emitted = emitter.run()
    program = Program(f"{name} with marks", emitted.source, plan.nbytes, emitted.constants, emitted.kernels)
    return Instrumented(program.run, tuple(emitter.marked), emitter.clock)


class _MarkedEmitter(Emitter):
    """Writes a program with marks."""

    commits_whole = False

    def __init__(self, plan: Plan, name: str) -> None:
        super().__init__(plan, name)
        self.clock = Clock()
        self.marked: list[Node] = []

    def run(self) -> Emitted:
        """The whole program."""
        self.body.append(self.call_of("start", self.clock.start))
        return super().run()

    def block(self, graph: Graph) -> None:
        """The statements of a graph's nodes, each with its mark."""
        for node in graph.nodes:
            before = len(self.body)
            super().block(replace(graph, nodes=(node,)))
            if len(self.body) > before:
                self.marked.append(node)
                self.body.append(self.call_of("mark", self.clock.mark, len(self.marked) - 1))

    def finish(self, graph: Graph, first: int, updates: list[ast.stmt], apart: bool) -> None:
        """The results and commits, with a mark of their own."""
        super().finish(graph, first, updates, apart)
        self.body.insert(-1, self.call_of("mark", self.clock.mark, RESULTS))

    def call_of(self, name: str, function: Callable[..., Any], *arguments: int) -> ast.stmt:
        """The statement that calls a function of the clock."""
        self.kernels[name] = function
        return parse_line(f"{self.outside('kernels', name, name)}({', '.join(map(spell, arguments))})")
