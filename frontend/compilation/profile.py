"""Profiling: `profile` times each node of a compiled function."""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import field, replace
from typing import Any

import numpy as np

from ...compiler.analysis.communication import Communication, communication_of
from ...compiler.analysis.costs import node_cost
from ...compiler.codegen.instrument import RESULTS, instrument
from ...compiler.ir.graph import Node
from ...compiler.memory.plan import Plan
from ...runtime import random
from ...runtime.distributed.calls import Traffic
from ...runtime.records import dataclass
from .communication import slowest, traffic_of

SECONDS = 0.5
LEAST_RUNS, MOST_RUNS = 3, 2000
SHOWN_LINES = 40
SHOWN_OPS = 6
WIDEST_TYPE = 44
LEFT_COLUMNS = (0, 1, 8)


@dataclass(frozen=True)
class ProfileLine:
    """One node of the optimised graph; a fused group is one node.

    Attributes:
        op: name of the op, of a fused group the names of its ops.
        type: types of the outputs.
        calls: how often it runs in one call of the function.
        seconds: time of all these runs: median over the calls.
        share: part of the time of all nodes.
        read, written: bytes of inputs and outputs in all these runs.
        flops: floating-point operations, of products and convolutions; otherwise 0.
        line: the user's source line, `file:line`, of a group the first and last; empty where there is none.
        values: the names of the outputs in the program.
    """

    op: str
    type: str
    calls: int
    seconds: float
    share: float
    read: int
    written: int
    flops: int
    line: str
    values: tuple[str, ...] = ()

    @property
    def rate(self) -> str:
        """GF/s if there are flops, else GB/s; empty if nothing is read or written."""
        if not self.seconds or not (self.flops or self.read or self.written):
            return ""
        if self.flops:
            return f"{self.flops / self.seconds / 1e9:.1f} GF/s"
        return f"{(self.read + self.written) / self.seconds / 1e9:.1f} GB/s"


@dataclass(frozen=True)
class TimedRun:
    """One run of a node, in a run of the program that was recorded completely.

    Attributes:
        op, type, line: as in `ProfileLine`.
        begin, end: nanoseconds since the program began.
    """

    op: str
    type: str
    line: str
    begin: int
    end: int


@dataclass(frozen=True)
class Profile:
    """The result of `profile`. It prints as a table, sorted by time.

    Attributes:
        name: the function's.
        lines: the nodes, the slowest first.
        seconds: median time of the program without clocks.
        calls: how many runs were measured.
        arena_bytes: the memory of the program's intermediate values.
        timeline: when each node ran, in one of the runs.
        communication: the messages to other processes, with the computation that runs meanwhile.
        traffic: the traffic of these in the runs without clocks.
    """

    name: str
    lines: tuple[ProfileLine, ...]
    seconds: float
    calls: int
    arena_bytes: int
    timeline: tuple[TimedRun, ...] = ()
    communication: Communication = field(default_factory=lambda: Communication(()))
    traffic: Traffic = field(default_factory=Traffic)

    def __str__(self) -> str:
        return self.table(SHOWN_LINES)

    def trace(self) -> str:
        """The timeline of one run as JSON in Chrome's trace format, which Perfetto (ui.perfetto.dev) opens, too."""
        events: list[dict[str, Any]] = [
            {"ph": "M", "pid": 1, "tid": 1, "name": "process_name", "args": {"name": self.name}}
        ]
        for span in self.timeline:
            events.append(
                {
                    "ph": "X", "pid": 1, "tid": 1, "cat": "node", "name": span.op, "ts": span.begin / 1e3,
                    "dur": (span.end - span.begin) / 1e3, "args": {"type": span.type, "line": span.line},
                }
            )  # fmt: skip
        return json.dumps({"traceEvents": events, "displayTimeUnit": "ns"}, indent=0)

    def save_trace(self, path: str | os.PathLike[str]) -> None:
        """Write the result of `trace` to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.trace())

    def table(self, limit: int | None = None) -> str:
        """The slowest nodes, at most `limit` (None: all), the sum of the others, and totals."""
        shown = self.lines[:limit]
        rows = [("op", "type", "calls", "µs", "share", "read kB", "written kB", "rate", "line"), *map(_row, shown)]
        rest = self.lines[len(shown) :]
        if rest:
            rows.append(_row(_together(rest)))
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        texts = [
            "  ".join(
                text.ljust(width) if column in LEFT_COLUMNS else text.rjust(width)
                for column, (text, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        together = _together(self.lines)
        rate = f", {together.flops / 1e6:.3g} Mflop at {together.flops / self.seconds / 1e9:.1f} GF/s"
        texts.append(
            f"{self.name}: {self.seconds * 1e6:.1f} µs a run without clocks{rate if together.flops else ''}; the nodes "
            f"add up to {together.seconds * 1e6:.1f} µs; arena of {self.arena_bytes / 1e3:.1f} kB; "
            f"medians of {self.calls} runs"
        )
        if self.communication.messages:
            texts.append(f"communication: {self.communication.total()}; {self.traffic}")
        return "\n".join(texts)

    __repr__ = __str__


def _row(line: ProfileLine) -> tuple[str, ...]:
    return (
        line.op, _shortened(line.type, WIDEST_TYPE), str(line.calls), f"{line.seconds * 1e6:.1f}", f"{line.share:.1%}",
        f"{line.read / 1e3:.1f}", f"{line.written / 1e3:.1f}", line.rate, line.line,
    )  # fmt: skip


def _together(lines: Sequence[ProfileLine]) -> ProfileLine:
    """Several nodes as one line."""
    return ProfileLine(
        f"({len(lines)} more nodes)", "", sum(line.calls for line in lines), sum(line.seconds for line in lines),
        sum(line.share for line in lines), sum(line.read for line in lines), sum(line.written for line in lines),
        sum(line.flops for line in lines), "",
    )  # fmt: skip


def profile_program(plan: Plan, run: Callable[..., Any], name: str, arrays: Sequence[np.ndarray]) -> Profile:
    """Run a program and its clocked form on copies of the arrays. The random generator is not changed."""
    clocked = instrument(plan, name)
    sends = communication_of(plan.graph)
    copies = [array.copy() for array in arrays]
    committed = sorted(set(plan.graph.donated.values()))

    def start_anew() -> None:  # training on and on would reach numbers that take other time: denormals, infinities
        for position in committed:
            np.copyto(copies[position], arrays[position])

    samples: list[tuple[dict[int, int], dict[int, int]]] = []

    def sample() -> None:
        clocked.run(*copies)
        samples.append((clocked.clock.nanoseconds, clocked.clock.counts))

    before = random.get_state()
    events: list[tuple[int, int, int]] = []
    try:
        took = copy(traffic_of(sends))
        seconds, _ = _repeat(lambda: run(*copies), start_anew, SECONDS / 3, sends)
        took = traffic_of(sends) - took
        _, calls = _repeat(sample, start_anew, SECONDS, sends)
        start_anew()
        clocked.clock.events = events
        clocked.run(*copies)
        clocked.clock.events = None
    finally:
        random.set_state(before)
    own = clocked.clock.own_cost()
    lines = []
    for index, node in [*enumerate(clocked.nodes), (RESULTS, None)]:
        count = round(statistics.median(counts.get(index, 0) for _, counts in samples))
        if not count:
            continue
        spent = statistics.median(times.get(index, 0) - own * counts.get(index, 0) for times, counts in samples)
        lines.append(_line(node, count, max(0.0, spent) / 1e9, plan))
    total = sum(line.seconds for line in lines) or 1.0
    lines = [replace(line, share=line.seconds / total) for line in lines]
    lines.sort(key=lambda line: -line.seconds)
    timeline = _timeline(clocked.nodes, events, plan)
    return Profile(name, tuple(lines), seconds, calls, plan.nbytes, timeline, sends, took)


def _timeline(nodes: Sequence[Node], events: Sequence[tuple[int, int, int]], plan: Plan) -> tuple[TimedRun, ...]:
    """The records of a clock, starting at 0."""
    first = min((begin for _, begin, _ in events), default=0)
    seen = {index for index, *_ in events}
    titles = {index: _line(None if index == RESULTS else nodes[index], 1, 0.0, plan) for index in seen}
    return tuple(
        TimedRun(titles[index].op, titles[index].type, titles[index].line, begin - first, end - first)
        for index, begin, end in events
    )


def _repeat(
    call: Callable[[], Any], prepare: Callable[[], None], seconds: float, sends: Communication
) -> tuple[float, int]:
    """The median time of a call in seconds, and the number of calls, after one that does not count.

    Where it communicates, the first few calls say how many follow, on all processes alike.
    """
    prepare()
    call()
    times: list[float] = []
    end = time.perf_counter() + seconds
    most = MOST_RUNS
    while len(times) < LEAST_RUNS or (len(times) < most and (sends.messages or time.perf_counter() < end)):
        prepare()
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
        if sends.messages and len(times) == LEAST_RUNS:
            most = min(MOST_RUNS, int(seconds / max(slowest(sends, statistics.median(times)), 1e-9)))
    return statistics.median(times), len(times)


def _line(node: Node | None, count: int, seconds: float, plan: Plan) -> ProfileLine:
    if node is None:
        return ProfileLine("(results)", "", count, seconds, 0.0, 0, 0, 0, "")
    cost = node_cost(node)
    if node.op.kind in ("branch", "loop"):  # the nodes inside have lines of their own
        cost = replace(cost, read=0, written=0, flops=0)
    types = ", ".join(str(value.type) for value in node.outputs)
    return ProfileLine(
        _title(node), types, count, seconds, 0.0,
        cost.read * count, cost.written * count, cost.flops * count, _where(node),
        tuple(plan.names[value] for value in node.outputs if value in plan.names),
    )  # fmt: skip


def _title(node: Node) -> str:
    """The name of the op; for a fused group the names of its first ops, without repetition."""
    if not node.op.is_group:
        return node.op.name
    names = list(dict.fromkeys(inner.op.name for inner in node.attrs["body"].nodes))
    more = f" +{len(names) - SHOWN_OPS}" if len(names) > SHOWN_OPS else ""
    return f"fused: {' '.join(names[:SHOWN_OPS])}{more}"


def _where(node: Node) -> str:
    """The source line; for a fused group a range of lines in the file that most of it is from."""
    if not node.op.is_group or node.location is not None:
        return "" if node.location is None else str(node.location)
    places = [inner.location for inner in node.attrs["body"].nodes if inner.location is not None]
    if not places:
        return ""
    file = statistics.mode(place.file for place in places)
    here = [place for place in places if place.file == file]
    first, last = min(here, key=lambda place: place.line), max(here, key=lambda place: place.line)
    return str(first) if first.line == last.line else f"{first}-{last.line}"


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"
