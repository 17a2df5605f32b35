"""Rematerialization: a program within a memory limit, by another order of nodes and by values that are computed twice.

    %a = tanh(%x)                            %a = tanh(%x)
    %b = exp(%a)                             %b = exp(%a)
    ...  a lives on, for its last reader     ...
    %z = multiply(%y, %a)                    %c = tanh(%x)
                                             %z = multiply(%y, %c)

The peak is at the time when the most bytes are live. Some of the values that are live there are not read there. The
search removes those first that save the most bytes for the time of their rematerialization: their node, and nodes
before it whose values are gone, are placed a second time before the next reader. A step is kept only if it improves the
plan. The same nodes run on the same numbers, so results are equal to the last bit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from ...runtime.calibration import Thresholds
from ...runtime.records import dataclass
from ..analysis.costs import node_cost
from ..ir.graph import Graph, Node
from ..ir.subgraphs import is_kept
from ..ir.values import Literal, Operand, Value
from ..passes.dce import eliminate_dead_code
from .layout import aligned
from .limits import MemoryLimitError
from .plan import ARENA, Plan
from .planner import make_plan
from .usage import Measured, Usage, location_of, memory_usage

MOST_TRIALS = 500  # plans that are made in search of one that fits
TRIALS_A_STEP = 16
MOST_SEARCHES = 4  # for the smallest limit that an error names
LONGEST_CHAIN = 48  # nodes that are rematerialized for one value
CALL_SECONDS, BYTE_SECONDS, FLOP_SECONDS = 1e-6, 1e-10, 2e-11  # rough; only their relation matters
SHOWN = 6
SURELY = 4  # times the bytes of all values: more than any run allocates


def plan_within(
    graph: Graph,
    limit: int,
    disabled: Collection[str],
    measured: Callable[[], Thresholds] | None = None,
) -> Plan:
    """A plan for the graph's numbers with a peak of at most `limit` bytes, and the graph that it is for.

    Raises:
        MemoryLimitError: if none is found.
    """
    plan = make_plan(graph, disabled, measured=measured)
    if _surely_fits(plan, limit):
        return plan
    search = _Search(limit, lambda graph: make_plan(graph, disabled, measured=measured))
    state = search.run(plan.graph)
    if not state.fits:
        raise MemoryLimitError(_message(graph.name, limit, *_reached(search, plan.graph)))
    return state.plan


def _reached(search: _Search, graph: Graph) -> tuple[int, _State]:
    """A limit within which a plan is found, and the plan.

    What a search tries depends on its limit, so the smallest plan of one is not always found by the next.
    """
    assert search.smallest is not None
    state, failed = search.smallest, {search.limit}
    limit = state.usage.peak
    for _ in range(MOST_SEARCHES):
        again = _Search(limit, search.make)
        state = again.run(graph)
        if state.fits and (state.usage.peak == limit or state.usage.peak in failed):
            break
        if not state.fits:
            failed.add(limit)
            assert again.smallest is not None
            state = again.smallest
        limit = state.usage.peak
    return limit, state


def _surely_fits(plan: Plan, limit: int) -> bool:
    """Whether a plan fits even if every value and the most expensive kernel took far more than they can."""
    values = [value for value in plan.storage if value.type.is_static]
    return plan.nbytes + SURELY * sum(value.type.nbytes for value in values) <= limit


@dataclass(frozen=True)
class _State:
    """A plan and its cost: the bytes above the limit, summed over all times; then its peak."""

    plan: Plan
    usage: Usage
    fits: bool
    badness: tuple[int, int]
    worst: int  # the position of the node at which most live


class _Search:
    """The search for a plan that fits."""

    def __init__(self, limit: int, make: Callable[[Graph], Plan]) -> None:
        self.limit = limit
        self.make = make
        self.measured: Measured = {}
        self.trials = 0
        self.smallest: _State | None = None  # of all that were tried

    def plan(self, graph: Graph) -> _State:
        """The plan of a graph, and its cost."""
        self.trials += 1
        plan = self.make(graph)
        usage = memory_usage(plan, self.measured)
        vars(plan)["usage"] = usage  # measured once
        room = self.limit - usage.allocated - (usage.arena - usage.live)
        change: dict[int, int] = {}
        for buffer in plan.buffers:
            change[buffer.first] = change.get(buffer.first, 0) + aligned(buffer.nbytes)
            change[buffer.last + 1] = change.get(buffer.last + 1, 0) - aligned(buffer.nbytes)
        now = area = most = worst = 0
        times = sorted(change)
        for time, after in zip(times, [*times[1:], times[-1] + 1] if times else (), strict=True):
            now += change[time]
            area += max(0, now - room) * (after - time)
            if now > most:
                most, worst = now, time
        starts = {node: time for time, node in plan.times.items()}
        position = bisect_right([starts[node] for node in plan.graph.nodes], worst) - 1
        state = _State(plan, usage, usage.peak <= self.limit, (area, usage.peak), position)
        if self.smallest is None or usage.peak < self.smallest.usage.peak:
            self.smallest = state
        return state

    def run(self, graph: Graph) -> _State:
        """The last state of the search, which fits or cannot be improved."""
        state = self.plan(graph)
        if state.fits:
            return state
        moved = self.plan(_reordered(state.plan.graph))
        better: _State | None = moved if moved.badness < state.badness else state
        while better is not None:
            state = better
            better = None if state.fits else self.step(state)
        return state

    def step(self, state: _State) -> _State | None:
        """A better state, with one value less at the peak; None if there is none."""
        for rematerialization in _rematerializations(state)[:TRIALS_A_STEP]:
            if self.trials >= MOST_TRIALS:
                return None
            found = self.plan(rematerialization.apply())
            if found.badness < state.badness:
                return found
        return None


class _Uses:
    """The nodes that compute and read each value of a graph. A view counts as its base."""

    def __init__(self, plan: Plan) -> None:
        graph = plan.graph
        self.graph = graph
        self.made: dict[Value, int] = {}
        self.base: dict[Operand, Value] = {}
        self.views: dict[Value, list[Value]] = {}
        self.read: dict[Operand, list[int]] = {}  # positions, in order
        self.last: dict[Value, int] = {}  # of a base and all its views
        for value in graph.parameters:
            self.base[value] = value
        for position, node in enumerate(graph.nodes):
            for operand in dict.fromkeys(node.inputs):
                self.read.setdefault(operand, []).append(position)
                if operand in self.base:
                    self.last[self.base[operand]] = position
            for value in node.outputs:
                self.made[value] = position
                self.base[value] = value
                stored, source = plan.storage.get(value), node.inputs[0] if node.inputs else None
                if stored is not None and not stored.whole and isinstance(source, Value):
                    self.base[value] = self.base[source]
                    self.views.setdefault(self.base[source], []).append(value)
        for operand in graph.outputs:
            if operand in self.base:
                self.last[self.base[operand]] = len(graph.nodes)


@dataclass(frozen=True)
class _Rematerialization:
    """A rematerialization: the nodes to repeat (in order) before a position, and the readers of their values."""

    graph: Graph
    nodes: tuple[Node, ...]
    before: int
    replaced: tuple[Value, ...]
    gain: float

    def apply(self) -> Graph:
        """The graph with the value computed twice."""
        mapping: dict[Operand, Operand] = {}
        again: list[Node] = []
        wanted = {operand for node in self.nodes for operand in node.inputs} | set(self.replaced)
        for node in self.nodes:
            node = _trimmed(node, wanted)
            outputs = tuple(Value(value.type, value.name) for value in node.outputs)
            inputs = tuple(mapping.get(operand, operand) for operand in node.inputs)
            again.append(replace(node, inputs=inputs, outputs=outputs))
            mapping.update(zip(node.outputs, outputs, strict=True))
        later: dict[Operand, Operand] = {value: mapping[value] for value in self.replaced}
        nodes = list(self.graph.nodes[: self.before]) + again
        for node in self.graph.nodes[self.before :]:
            read = any(operand in later for operand in node.inputs)
            nodes.append(node.with_inputs(later.get(o, o) for o in node.inputs) if read else node)
        return self.graph.with_nodes(tuple(nodes))


def _rematerializations(state: _State) -> list[_Rematerialization]:
    """The values that are live across the peak and can be rematerialized, the best first."""
    plan, worst = state.plan, state.worst
    uses = _Uses(plan)
    returned = {uses.base[operand] for operand in plan.graph.outputs if operand in uses.base}
    found: list[_Rematerialization] = []
    for value, made in uses.made.items():
        allocation = plan.storage[plan.resolve(value)].allocation.find()
        if made >= worst or uses.base[value] is not value or allocation.kind != ARENA or value in returned:
            continue
        family = [value, *uses.views.get(value, ())]
        positions = [position for member in family for position in uses.read.get(member, ())]
        later = [position for position in positions if position > worst]
        if not later or worst in positions:
            continue
        before = min(later)
        replaced = tuple(
            member
            for member in family
            if uses.made[member] < before and any(position >= before for position in uses.read.get(member, ()))
        )
        nodes = _chain(uses, value, replaced, before)
        if nodes is not None:
            seconds = sum(_seconds(node) for node in nodes)
            gain = aligned(value.type.nbytes) / seconds
            found.append(_Rematerialization(plan.graph, nodes, before, replaced, gain))
    return sorted(found, key=lambda rematerialization: -rematerialization.gain)


def _chain(uses: _Uses, value: Operand, replaced: Iterable[Value], before: int) -> tuple[Node, ...] | None:
    """The nodes that recompute a value and its views, in order; None if they cannot run again."""
    nodes = uses.graph.nodes
    needed: set[int] = set()
    pending = [uses.made[member] for member in replaced]
    while pending:
        position = pending.pop()
        if position in needed:
            continue
        node = nodes[position]
        if is_kept(node) or len(needed) >= LONGEST_CHAIN:
            return None
        needed.add(position)
        for operand in node.inputs:
            if isinstance(operand, Literal) or operand not in uses.made:
                continue  # numbers and parameters are always there
            base = uses.base[operand]
            if base is value or uses.last.get(base, -1) < before:
                pending.append(uses.made[operand])
    return tuple(nodes[position] for position in sorted(needed))


def _seconds(node: Node) -> float:
    cost = node_cost(node)
    return CALL_SECONDS + (cost.read + cost.written) * BYTE_SECONDS + cost.flops * FLOP_SECONDS


def _trimmed(node: Node, wanted: Collection[Operand]) -> Node:
    """A fused group without the outputs that nothing reads.

    A group with reductions stays whole: with fewer values it could run in other blocks, and its sums in another order.
    """
    if not node.op.is_group or all(value in wanted for value in node.outputs):
        return node
    body: Graph = node.attrs["body"]
    if any(inner.op.kind == "reduction" for inner in body.nodes):
        return node
    kept = [position for position, value in enumerate(node.outputs) if value in wanted]
    body = eliminate_dead_code(replace(body, outputs=tuple(body.outputs[position] for position in kept)))
    read = {operand for inner in body.nodes for operand in inner.inputs}
    inputs = [(o, p) for o, p in zip(node.inputs, body.parameters, strict=True) if p in read]
    body = replace(body, parameters=tuple(parameter for _, parameter in inputs))
    return replace(
        node,
        inputs=tuple(operand for operand, _ in inputs),
        outputs=tuple(node.outputs[position] for position in kept),
        attrs={**node.attrs, "body": body},
    )


def _reordered(graph: Graph) -> Graph:
    """The nodes in an order in which each node adds the fewest bytes to the live set. Effects stay in order."""
    waiting, after = _dependences(graph)
    live = _LiveSet(graph)
    ready = [node for node in graph.nodes if not waiting[node]]
    result: list[Node] = []
    while ready:
        node = min(ready, key=lambda node: (live.added_by(node), graph.order[node]))
        ready.remove(node)
        result.append(node)
        live.run(node)
        for other in after.get(node, ()):
            waiting[other] -= 1
            if not waiting[other]:
                ready.append(other)
    return graph.with_nodes(tuple(result))


def _dependences(graph: Graph) -> tuple[dict[Node, int], dict[Node, list[Node]]]:
    """For each node how many nodes have to run before it, and which nodes wait for it."""
    waiting: dict[Node, int] = {}
    after: dict[Node, list[Node]] = {}
    producers = graph.producers
    effect: Node | None = None
    for node in graph.nodes:
        needed = {producers[operand] for operand in node.inputs if operand in producers}
        if is_kept(node):
            if effect is not None:
                needed.add(effect)
            effect = node
        waiting[node] = len(needed)
        for other in needed:
            after.setdefault(other, []).append(node)
    return waiting, after


class _LiveSet:
    """The values that nodes have still to read. A view counts as its base."""

    def __init__(self, graph: Graph) -> None:
        self._root: dict[Operand, Operand] = {}
        self._readers: dict[Operand, int] = {}
        self._own = {value for node in graph.nodes for value in node.outputs}
        for node in graph.nodes:
            if node.op.kind == "view" and node.inputs:
                self._root[node.output] = self._seen(node.inputs[0])
            for operand in self._reads(node):
                self._readers[operand] = self._readers.get(operand, 0) + 1
        for operand in map(self._seen, graph.outputs):
            self._readers[operand] = self._readers.get(operand, 0) + 1

    def _seen(self, operand: Operand) -> Operand:
        return self._root.get(operand, operand)

    def _reads(self, node: Node) -> set[Operand]:
        return {self._seen(operand) for operand in node.inputs}

    def added_by(self, node: Node) -> int:
        """The bytes that a node adds to the live set."""
        made = 0 if node.op.kind == "view" else sum(_size(value) for value in node.outputs)
        freed = [operand for operand in self._reads(node) if operand in self._own and self._readers[operand] == 1]
        return made - sum(map(_size, freed))

    def run(self, node: Node) -> None:
        """A node has run, and reads its inputs no more."""
        for operand in self._reads(node):
            self._readers[operand] -= 1


def _size(operand: Operand) -> int:
    return aligned(operand.type.nbytes) if operand.type.is_static else 0


def _message(name: str, limit: int, reached: int, state: _State) -> str:
    """The text of the error: the smallest peak, and the buffers in it."""
    usage, plan = state.usage, state.plan
    lines = [
        f"the smallest plan found for '{name}' takes {reached} bytes in a run, more than its memory limit of "
        f"{limit}: an arena of {usage.arena}, and {usage.allocated} for results and what kernels allocate."
    ]
    if usage.live_at is not None:
        lines[0] += f" The arena holds most{location_of(usage.live_at)}:"
    lines += largest_buffers(plan)
    lines.append("Give it a higher limit, smaller batches, or fewer values that its backward reads.")
    return "\n".join(lines)


def largest_buffers(plan: Plan) -> list[str]:
    """The contents of a plan's arena at its peak: bytes, type and line of the largest buffers."""
    worst = max(
        (buffer.first for buffer in plan.buffers),
        key=lambda time: sum(b.nbytes for b in plan.buffers if b.first <= time <= b.last),
        default=0,
    )
    lines: list[str] = []
    made = [(value, node.location) for node in plan.graph.nodes for value in node.outputs]
    locations = {plan.names[value]: location for value, location in made if value in plan.names}
    alive = [buffer for buffer in plan.buffers if buffer.first <= worst <= buffer.last]
    for buffer in sorted(alive, key=lambda buffer: -buffer.nbytes)[:SHOWN]:
        location = locations.get(buffer.name)
        lines.append(f"  {buffer.nbytes} bytes: {buffer.type}{f', from {location}' if location else f' {buffer.name}'}")
    return lines
