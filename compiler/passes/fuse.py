"""Fusion: large elementwise nodes, and reductions between them, become groups that run together block by block.

A group has rows: its leading dimensions, the same for all its nodes. A value of the group has them all, and any
dimensions behind them. What a node reads either has the rows too, or none of them (it is the same for every row). A
block of rows of the whole group can then be computed at a time, while it stays in the cache: a reduction over
dimensions behind the rows is complete within the block; one over all the rows adds up over the blocks, and is an
output of the group.

Nodes are visited once, in order. Each starts a group and merges with those of its inputs where their rows agree and
no path leaves the merged group and comes back to it. For that every value knows the groups that it depends on, as
bits of an integer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...runtime.native.builder import Unsupported
from ...runtime.native.stages import MOST_AGAIN
from .. import ops
from ..analysis.updates import find_updates
from ..ir.code import Reduction
from ..ir.graph import Graph, Node
from ..ir.subgraphs import is_kept, map_subgraphs
from ..ir.types import Shape
from ..ir.values import Operand, Value
from ..kernels import groups as native
from ..kernels.loops import as_kernel

SMALLEST_GROUP = 32768  # elements; below, whole arrays stay in the cache by themselves
MOST_NODES = 200  # of a kernel: a longer one would rather wait for the frame than for memory
FEW_ELEMENTS = 4096  # up to which NumPy's call takes longer than what it computes, even of a single node
LARGEST_ROW = 65536  # elements of a row; a block holds at least one


def fuse(graph: Graph) -> Graph:
    """Replace groups by `fused` nodes, in sub-graphs too; updates of parameters are kept apart from the rest."""
    nodes = tuple(map_subgraphs(node, fuse) for node in graph.nodes)
    graph = replace(graph, nodes=nodes)
    if not any(_is_large(node) for node in nodes):
        return graph
    return _Fusion(graph).run()


def make_kernels(graph: Graph) -> Graph:
    """As `fuse`, for groups of any size that machine code can compute; where there is none, nothing changes."""
    if not native.is_available():
        return graph
    nodes = tuple(as_kernel(map_subgraphs(node, make_kernels)) for node in graph.nodes)
    return _Kernels(replace(graph, nodes=nodes)).run()


def _is_large(node: Node) -> bool:
    return any(_size(value.type.shape) >= SMALLEST_GROUP for value in node.outputs)


def _reads_large(node: Node) -> bool:
    return any(_size(operand.type.shape) >= SMALLEST_GROUP for operand in node.inputs)


def _size(shape: Shape) -> int:
    return math.prod(0 if size is None else size for size in shape)


class _Group:
    """Nodes that run together.

    `rows`: their common leading dimensions. `bits`: this group and those merged into it. `needs`: groups that must be
    complete before.
    """

    __slots__ = ("bits", "elements", "lanes", "merged", "needs", "nodes", "rows", "update")

    def __init__(self, node: Node, rows: Shape, bit: int, needs: int, update: bool, elements: int) -> None:
        self.nodes = [node]
        self.rows = rows
        self.bits = bit
        self.needs = needs
        self.update = update
        self.elements = elements
        self.lanes = 0  # for kernels: the bytes of their numbers, as far as it is known
        self.merged: _Group | None = None

    def find(self) -> _Group:
        """The group that this one was merged into, or itself."""
        group = self
        while group.merged is not None:
            group = group.merged
        return group


class _Fusion:
    """One graph, while it is divided into groups."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.updates = find_updates(graph)
        self.groups: list[_Group] = []
        self.member: dict[Operand, _Group] = {}  # values that exist block by block
        self.depends: dict[Operand, int] = {}  # for other values: the groups that they depend on
        self.effects = 0  # the groups that the last effect depends on
        self.producers: dict[Operand, Node] = {value: node for node in graph.nodes for value in node.outputs}
        self.used: dict[Operand, list[Node | None]] = {}
        for node in graph.nodes:
            for operand in node.inputs:
                self.used.setdefault(operand, []).append(node)
        for operand in graph.outputs:
            self.used.setdefault(operand, []).append(None)

    def run(self) -> Graph:
        """The graph with its groups as nodes."""
        for node in self.graph.nodes:
            rows = self.rows(node)
            if rows is None:
                self.leave(node)
            else:
                self.join(node, rows)
        chosen: dict[Node, _Group] = {}
        order = {node: position for position, node in enumerate(self.graph.nodes)}
        for group in self.groups:
            if group.merged is None:
                group.nodes = _trim(sorted(group.nodes, key=order.__getitem__))
                for part in self.parts(group):
                    chosen.update(dict.fromkeys(part.nodes, part))
        self.settle(chosen, order)
        return self.assemble(chosen) if chosen else self.graph

    def settle(self, chosen: dict[Node, _Group], order: Mapping[Node, int]) -> None:
        """Move nodes from group to group where that is better."""

    def rows(self, node: Node) -> Shape | None:
        """The leading dimensions along which a node can be in a group; None if it cannot."""
        # A small node is worth looking at only where it reads a group, such as what a softmax divides by.
        wanted = any(operand in self.member for operand in node.inputs) or _is_large(node) or _reads_large(node)
        return (rows_of(node) or None) if wanted else None

    def may_combine(self, group: _Group, other: _Group, rows: Shape) -> bool:
        """Whether two groups can be one with these rows."""
        elements = max(group.elements, other.elements)
        return _size(rows) >= 2 and elements // _size(rows) <= LARGEST_ROW

    def parts(self, group: _Group) -> list[_Group]:
        """A group that is better than its nodes; what it is to be divided into, or nothing."""
        return [group] if _count(group) > 1 and group.elements >= SMALLEST_GROUP else []

    def adds_up(self, node: Node) -> bool:
        """Whether the node's output is there only after the last row."""
        return accumulates(node)

    def node(self, group: _Group, body: Graph, inputs: Sequence[Operand], outputs: Sequence[Value]) -> Node:
        """The node that holds a group."""
        attrs = {"body": body, "rows": _rows_without_copies(group, inputs, self.producers)}
        return Node(ops.fused, tuple(inputs), tuple(outputs), attrs, group.nodes[0].location)

    def leave(self, node: Node) -> None:
        """Note what a node that is in no group depends on."""
        mask = 0
        for operand in node.inputs:
            mask |= self.mask(operand)
        if is_kept(node):
            mask |= self.effects
            self.effects = mask
        for value in node.outputs:
            self.depends[value] = mask

    def join(self, node: Node, rows: Shape) -> None:
        """Let a node start a group, and merge it with those of its inputs."""
        needs = 0
        around: set[_Group] = set()
        for operand in node.inputs:
            if operand in self.member:
                around.add(self.member[operand].find())
            else:
                needs |= self.depends.get(operand, 0)
        elements = max(_size(operand.type.shape) for operand in (*node.inputs, *node.outputs))
        group = self.start(node, rows, needs, elements)
        self.groups.append(group)
        # The latest first: it may depend on the others, which then cannot take the node in.
        candidates = sorted(around, key=lambda other: other.bits.bit_length(), reverse=True)
        for position, other in enumerate(candidates):
            rest = 0
            for later in candidates[position + 1 :]:
                rest |= later.bits
            if self.may_merge(group, other, node, rest):
                group = _merged(group, other)
            else:
                group.needs |= other.bits
        if self.adds_up(node):
            self.depends[node.output] = group.bits
            # The bits of groups that merge later are found by way of this one's.
        else:
            self.member[node.output] = group

    def start(self, node: Node, rows: Shape, needs: int, elements: int) -> _Group:
        """A group of one node."""
        return _Group(node, rows, 1 << len(self.groups), needs, node in self.updates, elements)

    def mask(self, operand: Operand) -> int:
        """The groups that must be complete before an operand is there as a whole."""
        if operand in self.member:
            return self.member[operand].find().bits
        return self.depends.get(operand, 0)

    def before(self, mask: int) -> int:
        """The groups of a mask, and all that must be complete before them."""
        found, pending = 0, mask
        while pending:
            group = self.groups[(pending & -pending).bit_length() - 1].find()
            found |= group.bits
            pending = (pending | group.needs) & ~found
        return found

    def may_merge(self, group: _Group, other: _Group, node: Node, rest: int) -> bool:
        """Whether the node's group may merge with an input's; `rest` are those of its inputs still to be tried."""
        rows = _common(group.rows, other.rows)
        if group.update != other.update or not self.may_combine(group, other, rows):
            return False
        for operand in node.inputs:
            if operand in self.member and self.member[operand].find() is other and not _reads_rows(node, operand, rows):
                return False
        # No path may leave the merged group and come back.
        return not self.before(group.needs | other.needs | rest) & (group.bits | other.bits)

    # Assembly

    def assemble(self, chosen: Mapping[Node, _Group]) -> Graph:
        """The nodes in an order in which groups and all else can run; effects stay in theirs."""
        producers, used = self.producers, self.used
        last_effect: dict[Node, Node] = {}
        effect: Node | None = None
        for node in self.graph.nodes:
            if is_kept(node):
                if effect is not None:
                    last_effect[node] = effect
                effect = node

        def unit(node: Node) -> Node | _Group:
            return chosen.get(node, node)

        def needed(item: Node | _Group) -> list[Node | _Group]:
            nodes = item.nodes if isinstance(item, _Group) else [item]
            found = [unit(producers[operand]) for node in nodes for operand in node.inputs if operand in producers]
            found += [unit(last_effect[node]) for node in nodes if node in last_effect]
            return [other for other in found if other is not item]

        result: list[Node] = []
        done: set[Node | _Group] = set()
        final = {group: group.nodes[-1] for group in chosen.values()}
        for node in self.graph.nodes:
            if node in chosen and final[chosen[node]] is not node:
                continue
            stack = [unit(node)]
            while stack:
                item = stack[-1]
                missing = [] if item in done else [other for other in needed(item) if other not in done]
                if missing:
                    stack += missing
                    continue
                stack.pop()
                if item not in done:
                    done.add(item)
                    if isinstance(item, _Group):
                        item = self.node(item, *_body(item, used, chosen))
                    result.append(item)
        return replace(self.graph, nodes=tuple(result))


class _Kernels(_Fusion):
    """One graph, while it is divided into groups that machine code computes."""

    def rows(self, node: Node) -> Shape | None:
        """All dimensions that a node of numbers has in common with what it reads, even none."""
        return None if native.lane_bytes(node) is None else rows_of(node)

    def start(self, node: Node, rows: Shape, needs: int, elements: int) -> _Group:
        """A group of one node."""
        group = super().start(node, rows, needs, elements)
        group.lanes = native.lane_bytes(node) or 0
        return group

    def may_combine(self, group: _Group, other: _Group, rows: Shape) -> bool:
        """Whether the numbers are of one width, and the rows are the same."""
        if group.lanes and other.lanes and group.lanes != other.lanes:
            return False
        if len(group.nodes) + len(other.nodes) > MOST_NODES:
            return False
        return _size(rows) >= 2 or max(group.elements, other.elements) == 1

    def parts(self, group: _Group) -> list[_Group]:
        """The kernels that a group gives: one, or as few as possible, each with as many of the next nodes as it can."""
        found: list[_Group] = []
        nodes = group.nodes
        while nodes:
            taken = self.longest(group, nodes)
            part = self.part(group, nodes[: max(1, taken)])
            if taken and _count(part) >= (1 if group.elements <= FEW_ELEMENTS else 2):
                found.append(part)
            nodes = nodes[max(1, taken) :]
        return found

    def longest(self, group: _Group, nodes: Sequence[Node]) -> int:
        """How many of the nodes make a kernel, the first ones; about as many as can."""
        low, high, trial = 0, len(nodes) + 1, len(nodes)
        hinted = True
        while high - low > 1:
            limit = self.first_that_does_not_fit(group, nodes[:trial])
            if limit is None:
                if hinted:
                    return trial
                low = trial
            else:
                high = trial
            hinted = limit is not None and low < limit < trial - 1
            trial = limit if hinted and limit is not None else (low + high) // 2
        return low

    def part(self, group: _Group, nodes: Sequence[Node]) -> _Group:
        """A group of some of the nodes of another."""
        part = _Group(nodes[0], group.rows, group.bits, group.needs, group.update, group.elements)
        part.nodes = _trim(list(nodes))
        return part

    def first_that_does_not_fit(self, group: _Group, nodes: Sequence[Node]) -> int | None:
        """The number of nodes that may be computed together, at most; None if that is all."""
        part = self.part(group, nodes)
        if not part.nodes:
            return len(nodes) - 1
        inputs, outputs = _borders(part, self.used, dict.fromkeys(part.nodes, part))
        try:
            native.translate(Graph("block", tuple(inputs), tuple(part.nodes), tuple(outputs)))
        except Unsupported as error:
            return len(nodes) - 1 if error.position is None else nodes.index(part.nodes[error.position])
        return None

    def settle(self, chosen: dict[Node, _Group], order: Mapping[Node, int]) -> None:
        """Compute what only one later kernel reads, and is cheap, in that kernel: it need not be kept until then."""
        for node in reversed(self.graph.nodes):
            group = chosen.get(node)
            if group is None:
                continue
            users = self.used.get(node.output, [])
            target = chosen.get(users[0]) if users and users[0] is not None else None
            if target is None or target is group or target.update != group.update:
                continue
            if any(user is None or chosen.get(user) is not target for user in users):
                continue
            moved = self.cone(node, group, chosen, order)
            if not moved or len(target.nodes) + len(moved) > MOST_NODES:
                continue
            trial = self.part(target, sorted({*target.nodes, *moved}, key=order.__getitem__))
            if self.first_that_does_not_fit(trial, trial.nodes) is not None:
                continue
            target.nodes = trial.nodes
            group.nodes = [other for other in group.nodes if other not in moved]
            chosen.update(dict.fromkeys(moved, target))

    def cone(self, node: Node, group: _Group, chosen: Mapping[Node, _Group], order: Mapping[Node, int]) -> set[Node]:
        """A node of a group, and the nodes that only it needs, if they are cheap and read one value; else none.

        That value has to be there anyhow: it comes from outside, or goes there. It is to live as long, or be no larger.
        """
        cone: set[Node] = set()
        leaves: set[Operand] = set()
        pending = [node]
        while pending:
            here = pending.pop()
            if here.op.kind != "elementwise" or not here.op.cheap or len(cone) >= MOST_AGAIN:
                return set()
            cone.add(here)
            for operand in here.inputs:
                producer = self.producers.get(operand)
                users = self.used.get(operand, [])
                if producer is not None and chosen.get(producer) is group and all(user in cone for user in users):
                    pending.append(producer)
                elif isinstance(operand, Value) and operand.type.shape:
                    leaves.add(operand)
        if len(leaves) != 1:
            return set()
        (leaf,) = leaves
        inside = chosen.get(self.producers[leaf]) is group if leaf in self.producers else False
        others = [user for user in self.used[leaf] if user not in cone]
        if inside and all(user is not None and chosen.get(user) is group for user in others):
            return set()
        first = min(order[user] for user in self.used[node.output] if user is not None)
        lives = leaf not in self.producers or any(user is None or order[user] >= first for user in others)
        return cone if lives or leaf.type.nbytes <= node.output.type.nbytes else set()

    def adds_up(self, node: Node) -> bool:
        """Reductions over other axes than the last are read only when they are complete."""
        if node.op.kind != "reduction":
            return False
        axis, rank = node.attrs["axis"], node.inputs[0].type.rank
        return (axis[0] == 0 and rank > 1) or axis != tuple(range(rank - len(axis), rank))

    def node(self, group: _Group, body: Graph, inputs: Sequence[Operand], outputs: Sequence[Value]) -> Node:
        """The node that holds a group."""
        return Node(ops.kernel, tuple(inputs), tuple(outputs), {"body": body}, group.nodes[0].location)


def _merged(group: _Group, other: _Group) -> _Group:
    """The two groups as one; the smaller joins the larger."""
    if len(group.nodes) > len(other.nodes):
        group, other = other, group
    other.rows = _common(group.rows, other.rows)
    other.elements = max(group.elements, other.elements)
    other.nodes += group.nodes
    other.bits |= group.bits
    other.lanes |= group.lanes
    other.needs |= group.needs
    group.merged = other
    group.nodes = []
    return other


def rows_of(node: Node) -> Shape:
    """The leading dimensions along which a node can run block by block; none where it cannot."""
    op, kind = node.op, node.op.kind
    if len(node.outputs) != 1 or not node.output.type.is_static or not node.inputs:
        return ()
    out, first = node.output.type.shape, node.inputs[0].type.shape
    if kind == "elementwise" and op.writes_out:
        rows = out
        for operand in node.inputs:
            rows = _common(rows, _rows_read(operand.type.shape, out))
        return rows
    if None in first:
        return ()
    if kind == "reduction" and isinstance(op.emit, Reduction) and node.attrs["axis"]:
        axis: Sequence[int] = node.attrs["axis"]
        return first[: axis[0] or next((i for i, a in enumerate(axis) if a != i), len(axis))]
    return _common(first, out) if op.keeps_order else ()


def accumulates(node: Node) -> bool:
    """Whether the node adds up over the rows, so that its output is there only after the last block."""
    return node.op.kind == "reduction" and node.attrs["axis"][0] == 0


def _common(a: Shape, b: Shape) -> Shape:
    """The dimensions that both shapes start with."""
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return a[:count]


def _rows_read(shape: Shape, out: Shape) -> Shape:
    """The leading dimensions of `out` all or none of which an operand of this shape has."""
    full = (1,) * (len(out) - len(shape)) + shape
    ones = next((i for i, size in enumerate(full) if size != 1), len(full))
    return out[: max(len(_common(full, out)), ones)]


def _reads_rows(node: Node, operand: Operand, rows: Shape) -> bool:
    """Whether the node reads an operand row by row (and not the whole of it for every row)."""
    shape = operand.type.shape
    return shape[: len(rows)] == rows and (node.op.kind != "elementwise" or len(shape) == node.output.type.rank)


def _trim(nodes: list[Node]) -> list[Node]:
    """The nodes of a group in order, without views of what comes in, or that only go out."""
    inside = {node.output for node in nodes}
    kept: list[Node] = []
    for node in nodes:
        if node.op.kind == "view" and node.inputs[0] not in inside:
            inside.discard(node.output)
        else:
            kept.append(node)
    read: set[Operand] = set()
    result: list[Node] = []
    for node in reversed(kept):
        if node.op.kind != "view" or node.output in read:
            read.update(node.inputs)
            result.append(node)
    return result[::-1]


def _count(group: _Group) -> int:
    return sum(node.op.kind != "view" for node in group.nodes)


def _layout(operand: Operand, producers: Mapping[Operand, Node]) -> np.ndarray:
    """An array of the operand's layout in bytes for elements, of no content: with gaps where it is a view with gaps."""
    node = producers.get(operand)
    if node is None or node.op.kind != "view" or len(node.inputs) != 1 or not node.inputs[0].type.is_static:
        return np.empty(operand.type.static_shape, np.bool_)
    seen = _layout(node.inputs[0], producers)
    return seen if node.op is ops.bitcast else node.op.kernel(seen, **node.attrs)


def _is_dense(layout: np.ndarray, count: int) -> bool:
    """Whether the first dimensions can be seen as one."""
    pairs = [pair for pair in zip(layout.shape[:count], layout.strides, strict=False) if pair[0] != 1]
    return all(pairs[i - 1][1] == pairs[i][0] * pairs[i][1] for i in range(1, len(pairs)))


def _rows_without_copies(group: _Group, inputs: Sequence[Operand], producers: Mapping[Operand, Node]) -> int:
    """How many of its leading dimensions a group may see as one, so that no input with gaps is copied for it."""
    count = len(group.rows)
    for operand in inputs:
        node = producers.get(operand)
        if node is not None and node.op.kind == "view" and operand.type.shape[: len(group.rows)] == group.rows:
            layout = _layout(operand, producers)
            while not _is_dense(layout, count):
                count -= 1
    rows = _size(group.rows[:count])
    return count if rows > 1 and group.elements // rows <= LARGEST_ROW else len(group.rows)


def _borders(
    group: _Group, used: Mapping[Operand, Sequence[Node | None]], chosen: Mapping[Node, _Group]
) -> tuple[list[Value], list[Value]]:
    """What a group reads from outside, and what is read outside of it."""
    inside = {node.output for node in group.nodes}
    inputs = dict.fromkeys(
        operand
        for node in group.nodes
        for operand in node.inputs
        if isinstance(operand, Value) and operand not in inside
    )
    outputs = [
        node.output
        for node in group.nodes
        if any(user is None or chosen.get(user) is not group for user in used.get(node.output, ()))
    ]
    return list(inputs), outputs


def _body(
    group: _Group, used: Mapping[Operand, Sequence[Node | None]], chosen: Mapping[Node, _Group]
) -> tuple[Graph, list[Value], list[Value]]:
    """The graph of a group, what it reads from outside, and what is read outside of it."""
    inputs, outputs = _borders(group, used, chosen)
    parameters: dict[Operand, Value] = {value: Value(value.type, value.name) for value in inputs}
    results = [node.output for node in group.nodes]
    inner: dict[Operand, Value] = {value: Value(value.type, value.name) for value in results}
    mapping: dict[Operand, Operand] = {**parameters, **inner}
    nodes = [
        replace(node, inputs=tuple(mapping.get(o, o) for o in node.inputs), outputs=(inner[node.output],))
        for node in group.nodes
    ]
    body = Graph("block", tuple(parameters.values()), tuple(nodes), tuple(inner[value] for value in outputs))
    return body, inputs, outputs
