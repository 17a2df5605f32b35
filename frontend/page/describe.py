"""The description of a page: all stages of a function as one JSON object, with the differences between the lines of two
stages (edit scripts, in time n log n)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ...compiler import pipeline
from ...compiler.analysis.phases import plain
from ...compiler.codegen.emitter import nodes_of_lines
from ...compiler.ir.graph import Graph, Node, walk
from ...compiler.ir.values import Location, Value
from ...compiler.memory.plan import Plan
from ...compiler.memory.usage import largest_live_set
from ...runtime.calibration import measured_peaks
from ...runtime.native.language import text_without_names, without_names
from .drawing import Drawing, Sources
from .listing import KERNEL, KERNEL_END, Keys, Line, Pool, graph_lines, plan_lines, program_lines, record

MOST_RUNS = 5000  # runs of nodes that the page draws in time


class DescribedStages(Protocol):
    """The parts of `Stages` that a page reads."""

    @property
    def name(self) -> str: ...
    @property
    def converted(self) -> str: ...
    @property
    def forward(self) -> Graph: ...
    @property
    def backward(self) -> Graph | None: ...
    @property
    def joint(self) -> Graph: ...
    @property
    def plan(self) -> Plan: ...
    @property
    def program(self) -> str: ...
    @property
    def passes(self) -> Mapping[str, Graph]: ...
    @property
    def seconds(self) -> Mapping[str, float]: ...


class DescribedNode(Protocol):
    """The parts of a profile's line that a page reads."""

    @property
    def op(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def calls(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def share(self) -> float: ...
    @property
    def read(self) -> int: ...
    @property
    def written(self) -> int: ...
    @property
    def flops(self) -> int: ...
    @property
    def rate(self) -> str: ...
    @property
    def line(self) -> str: ...
    @property
    def values(self) -> tuple[str, ...]: ...


class DescribedRun(Protocol):
    """The parts of a node's run that a page reads."""

    @property
    def op(self) -> str: ...
    @property
    def line(self) -> str: ...
    @property
    def begin(self) -> int: ...
    @property
    def end(self) -> int: ...


class DescribedProfile(Protocol):
    """The parts of a `Profile` that a page reads."""

    @property
    def lines(self) -> Sequence[DescribedNode]: ...
    @property
    def seconds(self) -> float: ...
    @property
    def calls(self) -> int: ...
    @property
    def timeline(self) -> Sequence[DescribedRun]: ...


def describe(stages: DescribedStages, profile: DescribedProfile | None = None) -> dict[str, Any]:
    """The page for these stages, as dicts, lists, texts and numbers."""
    return _Description(stages).all(profile)


class _Description:
    def __init__(self, stages: DescribedStages) -> None:
        self.stages = stages
        self.keys = Keys()
        self.pool = Pool()
        self.sources = Sources()
        self.listed: list[dict[str, Any]] = []

    def all(self, profile: DescribedProfile | None) -> dict[str, Any]:
        stages = self.stages
        graphs = [("forward", stages.forward), ("backward", stages.backward), ("joint", stages.joint)]
        texts = [(name, graph_lines(graph, self.keys)) for name, graph in graphs if graph is not None]
        places = list(self.keys.locations)
        self.list_lines("converted", self.converted_lines(places))
        for name, lines in texts:
            self.list_lines(name, lines)
        base = self.pool.add(graph_lines(plain(stages.joint), self.keys))
        self.list_passes(base)
        self.list_program()
        drawing = Drawing(self.keys, self.sources.path).draw(stages.joint, stages.forward, stages.backward)
        memory = self.memory()
        keys = self.keys
        return {
            "name": stages.name,
            "files": self.sources.describe(keys.locations),
            "places": [[place.file, place.line] for place in keys.locations],
            "values": [list(value) for value in zip(keys.names, keys.types, keys.places, keys.ops, strict=True)],
            "lines": [record(line) for line in self.pool.lines],
            "stages": self.listed,
            "base": base,
            "graph": drawing,
            "memory": memory,
            "profile": None if profile is None else self.profile(profile),
        }

    def list_lines(self, name: str, lines: Sequence[Line]) -> None:
        """Add a stage."""
        self.listed.append({"name": name, "lines": self.pool.add(lines)})

    def converted_lines(self, places: Sequence[Location]) -> list[Line]:
        """The converted source, each line beside the source line that it comes from."""
        lines = []
        for text in self.stages.converted.splitlines():
            place = self.sources.origin(text, places)
            lines.append(Line(text, self.keys.location(place)))
        return lines

    def list_passes(self, joint: list[int]) -> None:
        """Add each pass as a diff, starting from the lines of the joint graph."""
        reasons = pass_reasons()
        before, graph = joint, self.stages.joint
        for name, after in self.stages.passes.items():
            numbers = before if after is graph else self.pool.add(graph_lines(after, self.keys))
            counts = (0, 0, 0) if after is graph else count_changes(graph, after, self.keys)
            seconds = self.stages.seconds.get(name)
            self.listed.append(
                {
                    "name": name, "edits": edit_script(before, numbers), "counts": counts,
                    "nodes": [graph.count_nodes(), after.count_nodes()], "why": reasons.get(name, ""),
                    "seconds": seconds,
                }
            )  # fmt: skip
            before, graph = numbers, after

    def list_program(self) -> None:
        """Add plan, kernels and program."""
        plan, keys = self.stages.plan, self.keys
        owners = {name: value for value, name in plan.names.items()}
        buffers = {b.name: keys.of(owners[b.name], b.name) for b in plan.buffers if b.name in owners}
        self.list_lines("plan", plan_lines(str(plan.table()) + self._usage(), buffers))
        kernels: dict[str, Node] = {}
        for node, planned in plan.kernels.items():
            kernels.setdefault(str(without_names(planned.kernel)), node)
        nodes = nodes_of_lines(plan, self.stages.joint.name)
        lines = program_lines(self.stages.program, plan.names, nodes, kernels, keys)
        self.list_lines("kernels", kernel_lines(lines, kernels))
        self.list_lines("program", lines)

    def _usage(self) -> str:
        """The lines below the table of the printed plan."""
        text = str(self.stages.plan)
        table = self.stages.plan.table()
        return text[len(table) :] if text.startswith(table) else ""

    def memory(self) -> dict[str, Any]:
        """The arena over time: buffers, the node that runs at each time, and the peak."""
        plan = self.stages.plan
        owners = {name: value for value, name in plan.names.items()}
        live, at = largest_live_set(plan)
        buffers = [
            [b.name, self.keys.of(owners[b.name], b.name) if b.name in owners else -1, b.nbytes, b.offset,
             *plan.shown(b), str(b.type)]
            for b in plan.buffers
        ]  # fmt: skip
        times: dict[int, Any] = {}
        for time, node in plan.times.items():
            values = [self.keys.of(value, plan.names.get(value, "")) for value in node.outputs]
            times.setdefault(plan.statement(time)[0], [node.op.name, values, self.keys.location(node.location)])
        at = plan.statement(at)[0]
        return {"nbytes": plan.nbytes, "live": live, "at": at, "buffers": buffers, "times": times}

    def profile(self, profile: DescribedProfile) -> dict[str, Any]:
        """The measured nodes, each with its values and its source line."""
        owners = {name: value for value, name in self.stages.plan.names.items()}
        places = {str(place): number for number, place in reversed(list(enumerate(self.keys.locations)))}
        nodes = []
        for line in profile.lines:
            values = [self.keys.of(owners[name], name) for name in line.values if name in owners]
            place = places.get(line.line, next((p for p in map(self._place_of, values) if p >= 0), -1))
            moved = line.read + line.written
            nodes.append([line.op, values, place, line.seconds, line.calls, line.flops, moved, line.line, line.type])
        runs = [[run.op, places.get(run.line, -1), run.begin, run.end] for run in profile.timeline[:MOST_RUNS]]
        peaks = measured_peaks()
        return {
            "seconds": profile.seconds, "calls": profile.calls, "nodes": nodes, "runs": runs,
            "peaks": [peaks.flops, peaks.bandwidth],
        }  # fmt: skip

    def _place_of(self, number: int) -> int:
        return self.keys.places[number]


def kernel_lines(program: Sequence[Line], kernels: Mapping[str, Node]) -> list[Line]:
    """The kernels of a program, each below a line with its ops and their source lines."""
    lines: list[Line] = []
    at = 0
    while at < len(program):
        match = KERNEL.match(program[at].text)
        if match:
            end = next(i for i in range(at, len(program)) if program[i].text == KERNEL_END)
            body = program[at + 1 : end]
            node = kernels.get(text_without_names("\n".join(line.text for line in body)))
            title = f"{match[1]}:  # {_contents(node)}" if node is not None else f"{match[1]}:"
            lines += [Line("")] if lines else []
            lines += [program[at]._replace(text=title), *body]
            at = end
        at += 1
    return lines


def _contents(node: Node) -> str:
    """The ops and source lines in a group."""
    inner = [below for graph in node.subgraphs for below in walk(graph)] or [node]
    ops = ", ".join(dict.fromkeys(below.op.name for below in inner))
    places = dict.fromkeys(str(below.location) for below in inner if below.location is not None)
    return f"{ops}  ({', '.join(places)})"


def count_changes(old: Graph, new: Graph, keys: Keys) -> tuple[int, int, int]:
    """How many nodes a pass removed, added, and replaced: a value's node has another op or other inputs."""
    before, after = _definitions(old, keys), _definitions(new, keys)
    removed = sum(1 for value in before if value not in after)
    added = sum(1 for value in after if value not in before)
    replaced = sum(1 for value, node in after.items() if value in before and before[value] != node)
    return removed, added, replaced


def _definitions(graph: Graph, keys: Keys) -> dict[Any, Any]:
    """Each node's values, and the op and inputs that compute them."""
    found: dict[Any, Any] = {}
    for node in walk(graph):
        values = tuple(keys.of(value, value.name) for value in node.outputs) or (node.op.name, len(found))
        reads = tuple(keys.of(o, o.name) if isinstance(o, Value) else repr(o) for o in node.inputs)
        found[values] = (node.op.name, reads)
    return found


def pass_reasons() -> dict[str, str]:
    """For each pass what holds after it, from the compiler's own table."""
    found = {}
    for row in pipeline.INVARIANTS.splitlines():
        name, _, holds = row.partition("  ")
        if name and holds and not name.startswith("-"):
            found[name.strip()] = holds.strip()
    return found


Edit = tuple[int, int, list[int]]
"""How many lines are kept, then how many are removed, then which are added."""


def edit_script(old: Sequence[int], new: Sequence[int]) -> list[Edit]:
    """The lines to keep, remove and add, in order, that turn `old` into `new`."""
    edits: list[Edit] = []
    kept = at_old = at_new = 0
    for i, j in [*_common(old, new), (len(old), len(new))]:
        if i > at_old or j > at_new:
            edits.append((kept, i - at_old, list(new[at_new:j])))
            kept = 0
        kept += 1
        at_old, at_new = i + 1, j + 1
    if kept > 1:
        edits.append((kept - 1, 0, []))
    return edits


def _common(old: Sequence[int], new: Sequence[int]) -> list[tuple[int, int]]:
    """Positions of common lines in the same order: lines that occur once in each, and equal neighbours."""
    once_old, once_new = Counter(old), Counter(new)
    where = {line: i for i, line in enumerate(old) if once_old[line] == 1}
    anchors = [(where[line], j) for j, line in enumerate(new) if once_new[line] == 1 and line in where]
    pairs: list[tuple[int, int]] = []

    def close(end_old: int, end_new: int) -> None:
        """Match equal lines after the last pair and before an anchor."""
        start_old, start_new = (pairs[-1][0] + 1, pairs[-1][1] + 1) if pairs else (0, 0)
        while start_old < end_old and start_new < end_new and old[start_old] == new[start_new]:
            pairs.append((start_old, start_new))
            start_old, start_new = start_old + 1, start_new + 1
        before = []
        while start_old < end_old and start_new < end_new and old[end_old - 1] == new[end_new - 1]:
            end_old, end_new = end_old - 1, end_new - 1
            before.append((end_old, end_new))
        pairs.extend(reversed(before))

    for i, j in _longest_rising(anchors):
        close(i, j)
        pairs.append((i, j))
    close(len(old), len(new))
    return pairs


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest subsequence of pairs, sorted by their second numbers, in which the first numbers rise."""
    tails: list[int] = []
    places: list[int] = []
    before: list[int] = []
    for place, (first, _) in enumerate(pairs):
        at = bisect_left(tails, first)
        before.append(places[at - 1] if at else -1)
        if at == len(tails):
            tails.append(first)
            places.append(place)
        else:
            tails[at], places[at] = first, place
    found, place = [], places[-1] if places else -1
    while place >= 0:
        found.append(pairs[place])
        place = before[place]
    return found[::-1]
