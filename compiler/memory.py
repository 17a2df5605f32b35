"""The memory plan: how long every value lives, and where in one arena it is kept.

    homes     every value gets a home: an input's array, a constant, bytes in the arena, a fresh result, or an array that is made
              at run time (shapes with `?`, kernels that allocate). Views live in their base's home.
    merging   values share a home where one is written as the other is read for the last time (in place), where a loop's body
              computes its next state, and where a branch computes an output of its cond.
    offsets   the arena's homes are laid out greedily by size and, for comparison, by best fit in order of birth; the smaller
              peak wins. Homes that live at the same time never overlap: `check_plan` proves it for each plan.
"""

from __future__ import annotations

import keyword
import re
from bisect import insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..runtime import dtypes
from .blocks import Block, make_block
from .ir import Graph, IRError, Literal, Node, Operand, Value, copy_graph
from .passes.subgraphs import map_subgraphs
from .schedule import schedule
from .types import TensorType

ALIGNMENT = 64
MOST_BUFFERS_BY_SIZE = 3000  # the greedy layout by size is quadratic; beyond this only the best fit is tried

INPUT, CONSTANT, ARENA, RESULT, HEAP = "input", "constant", "arena", "result", "heap"


class Home:
    """Where values are kept. Homes are merged: `find` gives the one that stands for all of them."""

    __slots__ = ("first", "kind", "last", "merged", "name", "offset", "type")

    def __init__(self, kind: str, type: TensorType, name: str, first: int) -> None:
        self.kind = kind
        self.type = type
        self.name = name
        self.first = first
        self.last = first
        self.offset = -1
        self.merged: Home | None = None

    def find(self) -> Home:
        """The home that this one was merged into, or itself."""
        home = self
        while home.merged is not None:
            home = home.merged
        return home

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name} [{self.first}, {self.last}]>"


@dataclass
class Place:
    """How a value relates to its home: `whole` where it is the home's array itself, else a view made by its node.

    `known`: whether its layout in the home is known before the run. `shares`: other homes whose memory it may share.
    """

    home: Home
    whole: bool
    known: bool
    shares: tuple[Home, ...] = ()

    @property
    def bound(self) -> bool:
        """Whether the array can be made once, when the program is loaded."""
        return self.known and self.home.find().kind in (ARENA, CONSTANT)


@dataclass(frozen=True)
class Buffer:
    """One line of the plan: bytes in the arena and the nodes, counted in program order, from which to which they live."""

    name: str
    type: TensorType
    nbytes: int
    offset: int
    first: int
    last: int


@dataclass(frozen=True)
class BlockPlan:
    """How a fused group runs: the plan of one block, and where its scratch is, `stride` bytes for each thread.

    `sums`: for each output that adds up over the blocks, the offset of its sum in the scratch.
    """

    block: Block
    plan: Plan
    scratch: Home
    stride: int
    sums: Mapping[int, int]


@dataclass(frozen=True)
class Plan:
    """Where every value of a graph is kept. Printing it shows the arena's buffers and their peak."""

    graph: Graph
    buffers: tuple[Buffer, ...]
    nbytes: int
    places: Mapping[Value, Place] = field(repr=False)
    aliases: Mapping[Value, Operand] = field(repr=False)
    names: Mapping[Value, str] = field(repr=False)
    layouts: Mapping[Value, np.ndarray] = field(repr=False)  # of views: an array of the same layout, of no content
    returned: frozenset[int]  # outputs whose arrays can be handed out as they are; the others are copied
    commits: Mapping[int, int]
    blocks: Mapping[Node, BlockPlan] = field(repr=False)

    def resolve(self, operand: Operand) -> Operand:
        """What a parameter of a sub-graph stands for."""
        while isinstance(operand, Value) and operand in self.aliases:
            operand = self.aliases[operand]
        return operand

    def __str__(self) -> str:
        rows = [("buffer", "type", "bytes", "offset", "first", "last")]
        rows += [
            (b.name, str(b.type), str(b.nbytes), str(b.offset), str(b.first), str(b.last)) for b in self.buffers
        ]
        widths = [max(len(row[column]) for row in rows) for column in range(6)]
        lines = [
            "  ".join(
                text.ljust(width) if column < 2 else text.rjust(width)
                for column, (text, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        ]
        lines.append(f"peak: {self.nbytes} bytes in {len(self.buffers)} buffers")
        return "\n".join(lines)


def make_plan(
    graph: Graph, commits: Mapping[int, int] | None = None, kept: frozenset[int] | None = None
) -> Plan:
    """The plan of a graph.

    `commits` maps outputs to the parameters that they are written to in the end. For a block, outputs in `kept` stay in the arena.
    """
    commits = dict(commits or {})
    graph, direct = schedule(_with_distinct_values(graph, set()), commits)
    names = name_values(graph)
    planner = _Planner(graph, commits, direct, names, kept)
    planner.run()
    homes = list(dict.fromkeys(home.find() for home in planner.homes if home.find().kind == ARENA))
    homes.sort(key=lambda home: (home.first, home.last))
    nbytes = lay_out(homes)
    buffers = tuple(
        Buffer(home.name, home.type, home.type.nbytes, home.offset, home.first, home.last) for home in homes
    )
    return Plan(
        graph,
        buffers,
        nbytes,
        planner.places,
        planner.aliases,
        names,
        planner.layouts,
        frozenset(planner.returned),
        planner.commits,
        planner.blocks,
    )


RESERVED = frozenset(keyword.kwlist) | {"arena", "bind", "constants", "kernels", "np", "int", "range", "float"}


def name_values(graph: Graph) -> dict[Value, str]:
    """A Python identifier for every value of the program, all different, made from the values' hints."""
    names: dict[Value, str] = {}
    taken: dict[str, int] = dict.fromkeys(RESERVED, 0)

    def define(value: Value) -> None:
        hint = re.sub(r"\W+", "_", value.name, flags=re.ASCII).strip("_") or f"t{len(names)}"
        if hint[0].isdigit():
            hint = f"v{hint}"
        name = hint
        while name in taken:
            taken[hint] += 1
            name = f"{hint}_{taken[hint]}"
        taken[name] = 0
        names[value] = name

    def visit(inner: Graph) -> None:
        for value in inner.parameters:
            define(value)
        for node in inner.nodes:
            for value in node.outputs:
                define(value)
            for below in node.subgraphs:
                visit(below)

    visit(graph)
    return names


def check_plan(plan: Plan) -> Plan:
    """IRError if two buffers that live at the same time overlap, lie askew, or if the peak is not the arena's size."""
    live: list[Buffer] = []
    peak = 0
    for buffer in sorted(plan.buffers, key=lambda b: b.first):
        live = [other for other in live if other.last >= buffer.first]
        for other in live:
            if (
                buffer.nbytes
                and other.nbytes
                and buffer.offset < other.offset + other.nbytes
                and other.offset < buffer.offset + buffer.nbytes
            ):
                raise IRError(f"buffers {buffer.name} and {other.name} overlap while both live\n{plan}")
        if buffer.offset % ALIGNMENT:
            raise IRError(f"buffer {buffer.name} is not aligned\n{plan}")
        peak = max(peak, buffer.offset + buffer.nbytes)
        live.append(buffer)
    if _align(peak) != plan.nbytes:
        raise IRError(f"the arena has {plan.nbytes} bytes, but the buffers end at {peak}\n{plan}")
    return plan


def _align(nbytes: int) -> int:
    return -(-nbytes // ALIGNMENT) * ALIGNMENT


def lay_out(homes: Sequence[Home]) -> int:
    """Give every home an offset so that none overlaps another that lives at the same time; the bytes needed."""
    by_birth = sorted(homes, key=lambda home: (home.first, -home.type.nbytes))
    peak = _best_fit(by_birth)
    if len(homes) > MOST_BUFFERS_BY_SIZE:
        return peak
    offsets = [home.offset for home in homes]
    if _greedy_by_size(homes) > peak:
        for home, offset in zip(homes, offsets, strict=True):
            home.offset = offset
        return peak
    return max((home.offset + _align(home.type.nbytes) for home in homes), default=0)


def _greedy_by_size(homes: Sequence[Home]) -> int:
    """Largest first, each at the lowest offset that is free for its whole life."""
    placed: list[tuple[int, int, Home]] = []  # offset, end, home; sorted
    peak = 0
    for home in sorted(homes, key=lambda home: (-home.type.nbytes, home.first)):
        size = _align(home.type.nbytes)
        offset = 0
        if size:
            for start, end, other in placed:
                if other.last < home.first or home.last < other.first:
                    continue
                if start - offset >= size:
                    break
                offset = max(offset, end)
            insort(placed, (offset, offset + size, home), key=lambda item: item[:2])
        home.offset = offset
        peak = max(peak, offset + size)
    return peak


def _best_fit(homes: Sequence[Home]) -> int:
    """In order of birth, each in the smallest gap that holds it, freeing what has died."""
    live: list[tuple[int, int, Home]] = []  # offset, end, home; sorted
    peak = 0
    for home in homes:
        live = [item for item in live if item[2].last >= home.first]
        size = _align(home.type.nbytes)
        best, best_gap, at = None, None, 0
        if not size:
            home.offset = 0
            continue
        for start, end, _ in live:
            gap = start - at
            if gap >= size and (best_gap is None or gap < best_gap):
                best, best_gap = at, gap
            at = max(at, end)
        home.offset = at if best is None else best
        insort(live, (home.offset, home.offset + size, home), key=lambda item: item[:2])
        peak = max(peak, home.offset + size)
    return peak


def _with_distinct_values(graph: Graph, seen: set[Value]) -> Graph:
    """The graph with sub-graphs copied where two nodes hold the same one, so that every value has one place."""
    if any(value in seen for value in graph.parameters) or any(v in seen for n in graph.nodes for v in n.outputs):
        graph = copy_graph(graph)
    seen.update(graph.parameters)
    nodes = []
    for node in graph.nodes:
        seen.update(node.outputs)
        nodes.append(map_subgraphs(node, lambda inner: _with_distinct_values(inner, seen)))
    return Graph(graph.name, graph.parameters, tuple(nodes), graph.outputs, graph.notes)


def may_share(node: Node) -> bool:
    """Whether the node's outputs may share memory with its inputs: views, and kernels that do not write to `out`."""
    return node.op.kind == "view" or (
        not node.op.writes_out and node.op.kind not in ("creation", "random", "effect", "control")
    )


class _Planner:
    """Walks the program once for homes and lifetimes, then once to merge homes in place."""

    def __init__(
        self,
        graph: Graph,
        commits: dict[int, int],
        direct: dict[Value, Value],
        names: Mapping[Value, str],
        kept: frozenset[int] | None,
    ) -> None:
        self.graph = graph
        self.direct = direct
        self.kept = kept or frozenset()
        # A block may write its outputs over its inputs, so these are no scratch for what comes before.
        self.mergeable_kinds = (ARENA, RESULT) if kept is None else (ARENA,)
        self.blocks: dict[Node, BlockPlan] = {}
        self.names = names
        self.commits = commits
        self.places: dict[Value, Place] = {}
        self.aliases: dict[Value, Operand] = {}
        self.homes: list[Home] = []
        self.clock = 0
        self.touched: set[Home] = set()
        self.steps: dict[Value, tuple[int, Node]] = {}  # when and by which node a value is computed
        self.returned: set[int] = set()
        self.layouts: dict[Value, np.ndarray] = {}  # for views: an array of the same layout on untouched memory

    def home(self, kind: str, value: Value, first: int | None = None) -> Home:
        """A new home, born now."""
        home = Home(kind, value.type, self.names[value], self.clock if first is None else first)
        self.homes.append(home)
        self.touched.add(home)
        return home

    def run(self) -> None:
        """Plan the whole graph."""
        graph = self.graph
        for value in graph.parameters:
            self.places[value] = Place(self.home(INPUT, value), True, False)
        self.block(graph)
        self.clock += 1
        for operand in graph.outputs:
            self.touch(operand)
        self.results()
        for value, (time, node) in self.steps.items():
            self.in_place(value, time, node)

    def resolve(self, operand: Operand) -> Operand:
        """What a parameter of a sub-graph stands for."""
        while isinstance(operand, Value) and operand in self.aliases:
            operand = self.aliases[operand]
        return operand

    def touch(self, operand: Operand) -> None:
        """Note that the value is read now."""
        operand = self.resolve(operand)
        if isinstance(operand, Literal):
            return
        place = self.places[operand]
        for home in (place.home, *place.shares):
            home = home.find()
            home.last = max(home.last, self.clock)
            self.touched.add(home)

    def block(self, graph: Graph) -> None:
        """Plan the nodes of one graph, in order."""
        for node in graph.nodes:
            self.clock += 1
            for operand in node.inputs:
                self.touch(operand)
            if node.op.kind == "control":
                self.control(node)
            else:
                self.plain(node)

    def plain(self, node: Node) -> None:
        """Homes for the outputs of a node that holds no graphs."""
        op = node.op
        for value in node.outputs:
            self.steps[value] = self.clock, node
        static = all(value.type.is_static for value in node.outputs)
        if node.outputs and node.outputs[0] in self.direct:
            home = self.places[self.direct[node.output]].home
            self.places[node.output] = Place(home, True, False)
        elif op.kind == "view":
            self.view(node)
        elif op.kind == "creation" and static:
            for value in node.outputs:
                self.places[value] = Place(self.home(CONSTANT, value, 0), True, True)
        elif op.writes_out and static:
            for value in node.outputs:
                self.places[value] = Place(self.home(ARENA, value), True, True)
        else:
            shares: list[Home] = []
            if may_share(node):
                for operand in map(self.resolve, node.inputs):
                    if isinstance(operand, Value):
                        shares += [self.places[operand].home, *self.places[operand].shares]
            for value in node.outputs:
                self.places[value] = Place(self.home(HEAP, value), True, False, tuple(dict.fromkeys(shares)))

    def view(self, node: Node) -> None:
        """A view lives where its base does, if it truly shares memory; else it is a copy with a home of its own."""
        base, value = self.resolve(node.inputs[0]), node.output
        if isinstance(base, Literal):
            self.places[value] = Place(self.home(CONSTANT, value, 0), True, True)
            return
        place = self.places[base]
        if not (place.known and value.type.is_static and len(node.inputs) == 1):
            shares = list(place.shares)
            for operand in map(self.resolve, node.inputs[1:]):
                if isinstance(operand, Value):
                    shares += [self.places[operand].home, *self.places[operand].shares]
            self.places[value] = Place(place.home, False, False, tuple(dict.fromkeys(shares)))
            return
        layout = self.layouts.get(base)
        if layout is None:
            layout = self.layouts[base] = np.empty(base.type.static_shape, base.type.dtype.np)
        seen = node.op.kernel(layout, **node.attrs)
        if np.may_share_memory(seen, layout) or not seen.size:
            self.layouts[value] = seen
            self.places[value] = Place(place.home, False, True, place.shares)
        else:
            self.places[value] = Place(self.home(ARENA, value), True, True)

    def control(self, node: Node) -> None:
        """Homes for what a node with sub-graphs computes, inside and outside."""
        if "then" in node.attrs:
            self.branches(node, node.subgraphs)
        elif "rows" in node.attrs:
            self.group(node)
        else:
            self.loop(node)

    def group(self, node: Node) -> None:
        """A fused group: its blocks have a plan of their own, in scratch that the group has for itself."""
        block = make_block(node)
        sums = {position: 0 for position, (_, ufunc) in enumerate(block.outputs) if ufunc is not None}
        plan = make_plan(block.graph, kept=frozenset(sums))
        stride = plan.nbytes
        for position in sums:
            sums[position] = stride
            stride += _align(block.graph.outputs[position].type.nbytes)
        nbytes = TensorType(dtypes.uint8, (stride * block.threads,))
        scratch = Home(ARENA, nbytes, "scratch", self.clock)
        self.homes.append(scratch)
        self.blocks[node] = BlockPlan(block, plan, scratch, stride, sums)
        for position, value in enumerate(node.outputs):
            self.steps[value] = self.clock, node
            parameter = self.direct.get(value)
            if parameter is not None and not self.written_after_read(node, parameter, position):
                del self.direct[value]
                parameter = None
            if parameter is not None:
                self.places[value] = Place(self.places[parameter].home, True, False)
            else:
                self.places[value] = Place(self.home(ARENA, value), True, True)

    def written_after_read(self, node: Node, operand: Operand, position: int) -> bool:
        """Whether a block writes this output only once it has read all of its rows of an input, and reads no others."""
        planned = self.blocks[node]
        block, plan = planned.block, planned.plan
        if block.outputs[position][1] is not None:
            return False
        out = block.graph.outputs[position]
        place = plan.places[out]  # type: ignore[index]
        first = place.home.find().first
        if not place.whole:
            return False
        for (index, has_rows, shape), parameter in zip(block.inputs, block.graph.parameters, strict=True):
            if self.resolve(node.inputs[index]) is not operand:
                continue
            if not has_rows or shape != block.outputs[position][0] or plan.places[parameter].home.last > first:
                return False
        return True

    def branches(self, node: Node, graphs: Sequence[Graph]) -> None:
        """A cond: each branch computes its outputs where those of the node live, or copies them there."""
        start = self.clock
        for value in node.outputs:
            static = value.type.is_static
            self.places[value] = Place(self.home(ARENA if static else HEAP, value), True, static)
        for graph in graphs:
            self.aliases.update(zip(graph.parameters, node.inputs[1:], strict=True))
            self.block(graph)
            self.clock += 1
            for operand in graph.outputs:
                self.touch(operand)
            for value, operand in zip(node.outputs, graph.outputs, strict=True):
                home = self.mergeable(operand, start)
                if home is not None and self.places[value].known and operand.type == value.type:
                    home.merged = self.places[value].home
        for value in node.outputs:
            self.touch(value)

    def mergeable(self, operand: Operand, start: int) -> Home | None:
        """The home of a value that a sub-graph computes since `start` for itself alone, in bytes that another home may lend."""
        operand = self.resolve(operand)
        if isinstance(operand, Literal) or not self.places[operand].whole or operand not in self.steps:
            return None
        home = self.places[operand].home
        return home if home.kind == ARENA and home.merged is None and home.first > start else None

    def loop(self, node: Node) -> None:
        """A while_loop or scan: the state lives in homes that each iteration overwrites."""
        attrs = node.attrs
        body: Graph = attrs["body"]
        test: Graph | None = attrs.get("test")
        carried: int = attrs["carried"]
        scanned: int = attrs.get("scanned", 0)
        first = 0 if test is not None else 1
        outside, self.touched = self.touched, set()
        start = self.clock
        for position, value in enumerate(body.parameters):
            static = value.type.is_static
            if position < first + carried:  # the state; for scan, before it, the index
                self.places[value] = Place(self.home(ARENA if static else HEAP, value), True, static)
            elif position < first + carried + scanned:
                place = self.places[self.resolve(node.inputs[position])]  # type: ignore[index]
                self.places[value] = Place(place.home, False, False, place.shares)
            else:
                self.aliases[value] = node.inputs[position]
        states = body.parameters[first : first + carried]
        if test is not None:
            self.aliases.update(zip(test.parameters, body.parameters, strict=True))
            self.block(test)
            self.clock += 1
            self.touch(test.outputs[0])
        self.block(body)
        self.clock += 1
        for operand in body.outputs:
            self.touch(operand)
        for value, operand in zip(states, body.outputs, strict=False):
            self.merge_state(value, operand, start)
        self.clock += 1
        for home in self.touched:
            if home.first <= start:
                home.find().last = max(home.find().last, self.clock)
        self.touched |= outside
        for value in states:
            self.touch(value)
        self.aliases.update(zip(node.outputs, states, strict=False))
        for value in node.outputs[carried:]:
            static = value.type.is_static
            self.places[value] = Place(self.home(ARENA if static else HEAP, value, start), True, static)
            self.touch(value)

    def merge_state(self, state: Value, operand: Operand, start: int) -> None:
        """Let the body compute its next state in place of the old, where nothing reads the old one afterwards."""
        home, old = self.mergeable(operand, start), self.places[state].home
        operand = self.resolve(operand)
        if home is None or old.kind != ARENA or operand.type != state.type:
            return
        time, node = self.steps[operand]  # type: ignore[index]
        if old.last < time or (old.last == time and self.may_overwrite(node, old, operand)):
            home.merged = old

    def may_overwrite(self, node: Node, home: Home, output: Operand) -> bool:
        """Whether the node may write its output over the inputs that live in this home."""
        if node in self.blocks:
            return self.group_may_overwrite(node, home, output)
        if not (node.op.writes_out and (node.op.kind == "elementwise" or node.op.inplace)):
            return False
        for position, operand in enumerate(map(self.resolve, node.inputs)):
            if isinstance(operand, Literal):
                continue
            place = self.places[operand]
            if home not in [place.home.find(), *[shared.find() for shared in place.shares]]:
                continue
            if not place.known or operand.type != output.type or (position and node.op.kind != "elementwise"):
                return False
            layout = self.layouts.get(operand)
            if not place.whole and not (layout is not None and layout.flags.c_contiguous):
                return False
        return True

    def group_may_overwrite(self, node: Node, home: Home, output: Operand) -> bool:
        """As `may_overwrite`, for a fused group."""
        position = node.outputs.index(output)  # type: ignore[arg-type]
        if any(self.places[value].home.find() is home for value in node.outputs):
            return False
        for operand in map(self.resolve, node.inputs):
            if isinstance(operand, Literal):
                continue
            place = self.places[operand]
            if home not in [place.home.find(), *[shared.find() for shared in place.shares]]:
                continue
            if not place.known or not (place.whole or self.covers(operand, home)):
                return False
            if not self.written_after_read(node, operand, position):
                return False
        return True

    def in_place(self, value: Value, time: int, node: Node) -> None:
        """Merge the home of a value with that of an input which is read for the last time as the value is written."""
        place = self.places[value]
        home = place.home.find()
        if not place.whole or home.first != time or home.kind not in self.mergeable_kinds:
            return
        if len(node.outputs) != 1 and node not in self.blocks:
            return
        for operand in map(self.resolve, node.inputs):
            if isinstance(operand, Literal):
                continue
            source = self.places[operand].home.find()
            if (
                source is not home
                and source.kind == ARENA
                and source.last == time
                and source.type.nbytes == home.type.nbytes
                and self.may_overwrite(node, source, value)
            ):
                home.merged = source
                source.kind = home.kind
                source.last = max(source.last, home.last)
                return

    def results(self) -> None:
        """Let the outputs be computed in fresh arrays of their own, where they have a home for themselves."""
        given: set[Home] = set()
        for position, operand in enumerate(self.graph.outputs):
            operand = self.resolve(operand)
            if isinstance(operand, Literal) or position in self.commits or position in self.kept:
                continue
            place = self.places[operand]
            home = place.home.find()
            if home.kind == ARENA and (place.whole or self.covers(operand, home)):
                home.kind = RESULT
                self.returned.add(position)
            elif home.kind == HEAP and place.whole and not place.shares and home not in given:
                given.add(home)
                self.returned.add(position)

    def covers(self, value: Value, home: Home) -> bool:
        """Whether a view is all of its home in C order."""
        layout = self.layouts.get(value)
        return layout is not None and layout.flags.c_contiguous and value.type.nbytes == home.type.nbytes
