"""Rematerialization across the peak: the backward pass computes large cheap values again, in place of reading them.

    %u: f32[1024, 4096] = matmul(%x, %w)       %u: f32[1024, 4096] = matmul(%x, %w)
    %y: f32[1024, 4096] = sin(%u)              %y: f32[1024, 4096] = sin(%u)
    … what reads %y …                          …
    %d_v: … = matmul(transpose(%y), %d_z)      %u_1: f32[1024, 4096] = barrier(%u, %d_z)
                                               %y_1: f32[1024, 4096] = sin(%u_1)
    … what reads %u …                          %d_v: … = matmul(transpose(%y_1), %d_z)

A value counts if it lives when most memory is in use, and its elements follow from others that live then anyway, or are
small. Most of them are results of normalizations and activations that products read. The cheapest for their size are
taken, for up to a fiftieth of the time of the products.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.values import Operand, Value

LEAST = 1 << 21  # bytes of a value
LARGEST = 16  # bytes of an element
ENOUGH = 1 << 26  # bytes of all of them, from which on they count
SMALL = 16  # times that what is kept for a value must be smaller
MOST_NODES = 16  # that compute a value again
SHARE = 0.02  # of the time of products
FLOPS_PER_SECOND = 2e11  # of large products on one processor
BYTES_PER_SECOND = 2e10  # of kernels
SECONDS = 5e-10  # of an element of a costly function


def recompute_values(graph: Graph) -> Graph:
    """Compute large values that follow from others again, where that needs less memory."""
    if not any(type.known_size * LARGEST >= LEAST for type in graph.value_types):
        return graph
    large = [node for node in graph.nodes if node.outputs and node.outputs[0].type.known_size * LARGEST >= LEAST]
    if sum(node.output.type.nbytes >= LEAST for node in large if _is_cheap(node)) < 2:
        return graph
    peak = _Peak(graph)
    time = SHARE * sum(node.flops for node in graph.nodes) / FLOPS_PER_SECOND
    chosen: list[_Again] = []
    for each in sorted(peak.found(), key=lambda each: each.seconds / each.saved):
        if each.seconds <= time:
            time -= each.seconds
            chosen.append(each)
    return peak.rewritten(chosen) if sum(each.saved for each in chosen) >= ENOUGH else graph


def _is_cheap(node: Node) -> bool:
    """Whether a node computes element by element, and its value is static."""
    return node.op.kind == "elementwise" and len(node.outputs) == 1 and node.output.type.is_static


def _is_view(node: Node) -> bool:
    return node.op.kind == "view" and len(node.outputs) == 1


class _Again:
    """Values that are computed again by `nodes` of large `leaves`. `kept`: the bytes of what is kept for that;
    `stored`: what others than kernels read, which compute what only they read."""

    def __init__(
        self, values: list[Value], nodes: set[Node], leaves: list[Operand], kept: int, stored: Collection[Operand]
    ) -> None:
        self.values, self.nodes, self.leaves = values, nodes, leaves
        costly = sum(node.output.type.size for node in nodes if node.op.kind == "elementwise" and not node.op.cheap)
        moved = sum(each.type.nbytes for each in [*leaves, *[value for value in values if value in stored]])
        self.saved = sum(value.type.nbytes for value in values) - kept
        self.seconds = moved / BYTES_PER_SECOND + costly * SECONDS


class _Peak:
    """A graph and the node at which most memory is in use.

    Attributes:
        peak: its position.
        late: by the value, the positions of the nodes behind it that read the value, or a view of it.
        stored: what such nodes read that are no elementwise nodes or reductions.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph, self.order, self.producers = graph, graph.order, graph.producers
        self.bases: dict[Operand, Operand] = {}  # what views are views of
        reads: dict[Operand, list[int]] = {}
        for position, node in enumerate(graph.nodes):
            if _is_view(node):
                self.bases[node.outputs[0]] = self.base(node.inputs[0]) if node.inputs else node.outputs[0]
                continue
            for operand in node.inputs:
                reads.setdefault(self.base(operand), []).append(position)
        for operand in graph.outputs:
            reads.setdefault(self.base(operand), []).append(len(graph.nodes))
        change = [0] * (len(graph.nodes) + 2)
        for value, positions in reads.items():
            if value in self.producers and value.type.is_static:
                change[self.order[self.producers[value]]] += value.type.nbytes
                change[positions[-1] + 1] -= value.type.nbytes
        most = now = self.peak = 0
        for position, bytes_more in enumerate(change[:-2]):
            now += bytes_more
            if now > most:
                most, self.peak = now, position
        self.stored = {
            self.base(operand)
            for node in graph.nodes[self.peak :]
            if node.op.kind not in ("view", "elementwise", "reduction")
            for operand in node.inputs
        }
        self.late = {value: [at for at in positions if at > self.peak] for value, positions in reads.items()}

    def base(self, operand: Operand) -> Operand:
        """What a value is a view of."""
        return self.bases.get(operand, operand)

    def found(self) -> list[_Again]:
        """What could be computed again: all that follows from a product, then what follows from values that stay."""
        nodes, end = self.graph.nodes[: self.peak], len(self.graph.nodes)
        values = [node.output for node in nodes if _is_cheap(node) and node.output.type.nbytes >= LEAST]
        values = [value for value in values if self.late.get(value) and self.late[value][-1] < end]
        groups: dict[Operand, list[tuple[Value, set[Node]]]] = {}
        for value in values:
            nodes_of, leaves = self.cut(value, lambda operand: False)
            if len(leaves) == 1:
                groups.setdefault(leaves[0], []).append((value, nodes_of))
        found: list[_Again] = []
        gone: set[Operand] = set()
        for leaf, group in groups.items():
            kept = 0 if self.late.get(leaf) else leaf.type.nbytes
            each = _Again(
                [value for value, _ in group], set().union(*[some for _, some in group]), [leaf], kept, self.stored
            )
            if each.saved >= LEAST:
                found.append(each)
                gone.update(each.values)
        for value in values:
            if value not in gone:
                nodes_of, leaves = self.cut(value, lambda operand: bool(self.late.get(operand)) and operand not in gone)
                if leaves and all(map(self.late.get, leaves)):
                    found.append(_Again([value], nodes_of, leaves, 0, self.stored))
                    gone.add(value)
        return found

    def cut(self, value: Value, stays: Callable[[Operand], bool]) -> tuple[set[Node], list[Operand]]:
        """The nodes that compute a value again, and the large ones of the values that they need: those that stay, and
        what nothing cheap computes. There are none if it takes too many."""
        taken: set[Node] = set()
        leaves: list[Operand] = []
        pending: list[Operand] = [value]
        while pending:
            operand = pending.pop()
            node = self.producers.get(operand)
            if node is None or node in taken or operand in leaves:
                continue
            if not operand.type.is_static:
                return set(), []
            if operand is not value and SMALL * operand.type.nbytes <= value.type.nbytes:
                continue
            cheap = _is_cheap(node) or _is_view(node)
            if operand is not value and (not cheap or (not _is_view(node) and stays(operand))):
                leaves.append(operand)
            elif cheap and len(taken) < MOST_NODES:
                taken.add(node)
                pending += node.inputs
            else:
                return set(), []
        return taken, leaves

    def behind(self) -> dict[int, Value]:
        """For positions behind the peak the last value before it that follows from what is computed there."""
        known: set[Operand] = set(self.graph.nodes[self.peak].outputs)
        last: dict[int, Value] = {}
        for position, node in enumerate(self.graph.nodes[self.peak :], self.peak):
            if known and not known.isdisjoint(node.inputs):
                known.update(node.outputs)
            if node.outputs and node.outputs[0] in known:
                newest = node.outputs[0]
            last[position + 1] = newest
        return last

    def rewritten(self, chosen: list[_Again]) -> Graph:
        """The graph that computes these values again."""
        changed: set[Operand] = {value for each in chosen for value in each.values}
        again: dict[int, list[tuple[Value, _Again]]] = {}
        places: dict[Operand, int] = {}
        for each in chosen:
            for value in each.values:
                again.setdefault(self.late[value][0], []).append((value, each))
            first = min(self.late[value][0] for value in each.values)
            for leaf in each.leaves:
                places[leaf] = min([first, *self.late.get(leaf, ()), places.get(leaf, first)])
        changed.update(places)
        behind = self.behind()
        leaves: dict[int, list[Operand]] = {}
        for leaf, place in places.items():
            leaves.setdefault(place, []).append(leaf)
        copies: dict[Operand, Operand] = {}  # those made so far
        made: list[Node] = []
        for position, node in enumerate(self.graph.nodes):
            for leaf in leaves.get(position, ()):
                barrier = make_node(ops.barrier, (leaf, behind[position]), {}, self.producers[leaf].location)
                made.append(barrier)
                copies[leaf] = barrier.output
            for value, each in again.get(position, ()):
                for one in self.needed(value, each.nodes):
                    self.copy(one, copies, made)
            made.append(self.reading(node, copies, changed, made) if position > self.peak else node)
        return self.graph.with_nodes(tuple(made))

    def needed(self, value: Value, nodes: set[Node]) -> list[Node]:
        """Those of the nodes that compute a value, in order."""
        needed: set[Operand] = {value}
        found = []
        for node in sorted(nodes, key=self.order.__getitem__, reverse=True):
            if node.output in needed:
                needed.update(node.inputs)
                found.append(node)
        return found[::-1]

    def reading(self, node: Node, copies: dict[Operand, Operand], changed: set[Operand], made: list[Node]) -> Node:
        """A node behind the peak that reads copies of what has changed, or views of these."""
        if _is_view(node):
            return node
        others = [operand for operand in node.inputs if self.base(operand) in changed]
        for operand in others:
            self.view(operand, copies, made)
        return node.with_inputs(copies[x] if x in others else x for x in node.inputs) if others else node

    def view(self, operand: Operand, copies: dict[Operand, Operand], made: list[Node]) -> None:
        """Add a view of a copy, and those that it is a view of."""
        if operand not in copies:
            node = self.producers[operand]
            self.view(node.inputs[0], copies, made)
            self.copy(node, copies, made)

    def copy(self, node: Node, copies: dict[Operand, Operand], made: list[Node]) -> None:
        """Add a node that reads the copies made so far, if there is none yet."""
        if node.output not in copies:
            copies[node.output] = output = Value(node.output.type, node.output.name)
            made.append(replace(node, inputs=tuple([copies.get(x, x) for x in node.inputs]), outputs=(output,)))
