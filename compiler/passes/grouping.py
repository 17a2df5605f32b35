"""Graph partitioning for fusion: nodes that can run together become groups, and each group becomes one node.

A group has rows: its leading dimensions, the same for all its nodes. A value of the group has all of them, and any
dimensions behind them. The inputs of a node have either these rows, too, or none of them (then they are the same for
every row). So the whole group can be computed for a block of rows at a time, while the block is in the cache. A
reduction over dimensions behind the rows is complete within the block. A reduction over the tiled axis is combined over
the blocks, and is an output of the group.

Nodes are visited once, in order. Each starts a group, which merges with those of its inputs if their rows agree and no
path leaves the merged group and comes back to it. For that test each group has a reachability bitset: all groups that
it depends on, as bits of an integer. Merged groups are a union-find. What differs between passes is in their `Policy`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from ...runtime.records import cached_property
from .. import ops
from ..analysis.union_find import Mergeable
from ..analysis.updates import find_updates
from ..ir.code import Reduction
from ..ir.graph import Graph, Node
from ..ir.subgraphs import is_kept
from ..ir.types import Shape
from ..ir.values import Operand, Value
from ..kernels.translator import moves_in_row


class Group(Mergeable):
    """Nodes that run together.

    Attributes:
        nodes: in no order while groups are merged.
        rows: their common leading dimensions.
        bits: this group and those merged into it.
        predecessors: all groups that must be complete before, as bits, at least one of each.
        update: whether the nodes only update parameters.
        elements: of the largest value.
        lanes: for kernels the element size, if it is known.
    """

    __slots__ = ("bits", "elements", "lanes", "nodes", "predecessors", "rows", "update")

    def __init__(
        self, nodes: list[Node], rows: Shape, bits: int, predecessors: int, update: bool, elements: int
    ) -> None:
        super().__init__()
        self.nodes = nodes
        self.rows = rows
        self.bits = bits
        self.predecessors = predecessors
        self.update = update
        self.elements = elements
        self.lanes = 0

    def part(self, nodes: Sequence[Node]) -> Group:
        """A group of some of the nodes."""
        return Group(trim(list(nodes)), self.rows, self.bits, self.predecessors, self.update, self.elements)

    def count(self) -> int:
        """The number of nodes that compute something."""
        return sum(node.op.kind != "view" for node in self.nodes)


class Uses:
    """The producer and the readers of each value of a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.readers: dict[Operand, list[Node | None]] = {}
        for node in graph.nodes:
            for operand in node.inputs:
                self.readers.setdefault(operand, []).append(node)
        for operand in graph.outputs:
            self.readers.setdefault(operand, []).append(None)

    @cached_property
    def order(self) -> dict[Node, int]:
        """The position of each node."""
        return {node: position for position, node in enumerate(self.graph.nodes)}

    @cached_property
    def producers(self) -> dict[Operand, Node]:
        """The node of each value."""
        return {value: node for node in self.graph.nodes for value in node.outputs}

    def borders(self, group: Group, chosen: Mapping[Node, Group]) -> tuple[list[Value], list[Value]]:
        """The values that a group reads from outside, and its values that are read outside."""
        made = [node.outputs[0] for node in group.nodes]
        inside = set(made)
        read = [operand for node in group.nodes for operand in node.inputs if isinstance(operand, Value)]
        inputs = dict.fromkeys([value for value in read if value not in inside])
        outputs = []
        for value in made:
            for user in self.readers.get(value, ()):
                if user is None or chosen.get(user) is not group:
                    outputs.append(value)
                    break
        return list(inputs), outputs


class Policy(Protocol):
    """The decisions of a pass about groups."""

    def rows(self, node: Node, reads_group: bool) -> Shape | None:
        """The leading dimensions along which a node can be in a group; None if it cannot be in one."""

    def start(self, group: Group) -> None:
        """Store what the pass must know of a new group of one node."""

    def may_combine(self, group: Group, other: Group, rows: Shape) -> bool:
        """Whether two groups can be one with these rows."""

    def is_accumulated(self, node: Node) -> bool:
        """Whether the node's output is complete only after the last row."""

    def is_shared(self, value: Operand) -> bool:
        """Whether groups that read a value should be one group, if they can be."""

    def may_share(self, group: Group, other: Group) -> bool:
        """Whether two groups that do not need each other can be one."""

    def parts(self, group: Group) -> list[Group]:
        """The groups that a group is divided into; none if single nodes are as good."""

    def sink(self, chosen: dict[Node, Group]) -> None:
        """Move nodes between groups where that is better."""

    def make(self, group: Group, body: Graph, inputs: Sequence[Value], outputs: Sequence[Value]) -> Node:
        """The node for a group."""


class Partition:
    """The state of one graph's partitioning.

    Attributes:
        member: the groups of values that exist block by block.
        depends: for other values groups that they depend on, as bits; `reachable` adds indirect ones.
        effects: the same for the last effect.
        needed: the bits of groups that others may depend on.
        reached: the last mask that `reachable` was asked for, and what it found.
    """

    def __init__(self, uses: Uses, policy: Policy) -> None:
        self.uses = uses
        self.graph = uses.graph
        self.policy = policy
        self.updates = find_updates(self.graph)
        self.groups: list[Group] = []
        self.member: dict[Operand, Group] = {}
        self.depends: dict[Operand, int] = {}
        self.effects = self.needed = 0
        self.reached = 0, 0

    def run(self) -> Graph:
        """The graph with its groups as nodes."""
        for node in self.graph.nodes:
            rows = self.policy.rows(node, not self.member.keys().isdisjoint(node.inputs))
            if rows is None:
                self.leave(node)
            else:
                self.add(node, rows)
        self.merge_siblings()
        chosen: dict[Node, Group] = {}
        for group in self.groups:
            if group.parent is None:
                group.nodes = trim(sorted(group.nodes, key=self.uses.order.__getitem__))
                for part in self.policy.parts(group):
                    chosen.update(dict.fromkeys(part.nodes, part))
        self.policy.sink(chosen)
        return self.assemble(chosen) if chosen else self.graph

    def leave(self, node: Node) -> None:
        """Store the dependences of a node that is in no group."""
        mask = 0
        for operand in node.inputs:
            mask |= self.mask(operand)
        if is_kept(node):
            mask |= self.effects
            self.effects = mask
        for value in node.outputs:
            self.depends[value] = mask

    def add(self, node: Node, rows: Shape) -> None:
        """Start a group with a node, and merge it with those of its inputs."""
        predecessors = 0
        around: set[Group] = set()
        for operand in node.inputs:
            member = self.member.get(operand)
            if member is not None:
                around.add(member if member.parent is None else member.find())
            elif operand in self.depends:
                predecessors |= self.reachable(self.depends[operand])
        group = Group([node], rows, 0, predecessors, node in self.updates, _largest(node))
        self.policy.start(group)
        group = self.joined(group, around, node) or self.started(group, around, node)
        if self.policy.is_accumulated(node):
            self.depends[node.output] = group.bits
            # The bits of groups that merge later are found by way of this one's.
        else:
            self.member[node.outputs[0]] = group

    def joined(self, group: Group, around: set[Group], node: Node) -> Group | None:
        """The only group that a node reads, if the node can join it and needs nothing that this group does not need:
        then it needs no bit of its own, and nothing else changes. None for another node."""
        if len(around) != 1:
            return None
        (other,) = around
        if group.predecessors & ~other.predecessors or not self.may_merge(group, other, node, 0):
            return None
        return _merged(group, other)

    def started(self, group: Group, around: set[Group], node: Node) -> Group:
        """A new group of one node, merged with the groups that it reads."""
        group.bits = 1 << len(self.groups)
        self.groups.append(group)
        # The latest first: it may depend on the others, which then cannot take the node in.
        candidates = list(around)
        if len(candidates) > 1:
            candidates.sort(key=lambda other: other.bits.bit_length(), reverse=True)
        for position, other in enumerate(candidates):
            rest = 0
            for later in candidates[position + 1 :]:
                rest |= later.bits
            if self.may_merge(group, other, node, rest):
                group = self.merge(group, other)
            else:
                group.predecessors |= other.bits | other.predecessors
        self.needed |= group.predecessors
        return group

    def mask(self, operand: Operand) -> int:
        """The groups that must be complete before an operand is complete."""
        if operand in self.member:
            return self.member[operand].find().bits
        return self.depends.get(operand, 0)

    def reachable(self, mask: int) -> int:
        """The groups of a mask, and all that must be complete before them."""
        if not mask:
            return 0
        known, found = self.reached  # most masks have the bits of the one before, and few more
        if known & ~mask:
            found = 0
        rest = mask & ~found
        while rest:
            group = self.groups[rest.bit_length() - 1].find()
            found |= group.bits | group.predecessors
            rest &= ~found
        self.reached = mask, found
        return found

    def merge(self, group: Group, other: Group) -> Group:
        """Merge two groups. What depends on either then depends on all that the other needs."""
        needed = group.predecessors | other.predecessors
        grown = [one.bits for one in (group, other) if one.predecessors != needed]
        group = _merged(group, other)
        self.needed |= needed
        if self.reached[1] & group.bits:
            self.reached = 0, 0
        if not self.needed & group.bits:
            return group
        # A group that depends on another has a later node than the first of that one, so a bit above its lowest.
        start = min(((bits & -bits).bit_length() for bits in grown), default=len(self.groups))
        for later in {one.find() for one in self.groups[start:]}:
            if later.predecessors & group.bits:
                later.predecessors |= needed
        return group

    def may_merge(self, group: Group, other: Group, node: Node, rest: int) -> bool:
        """Whether the node's group may merge with an input's; `rest` are its inputs that have not been tried."""
        rows = common(group.rows, other.rows)
        if group.update != other.update or not self.policy.may_combine(group, other, rows):
            return False
        out = node.outputs[0].type
        for operand in node.inputs:
            if operand.type is out and node.op.kind == "elementwise":
                continue  # which is read row by row
            member = self.member.get(operand)
            if member is not None and member.find() is other and not _reads_rows(node, operand, rows):
                return False
        # No path may leave the merged group and come back.
        before = group.predecessors | other.predecessors | self.reachable(rest)
        return not before & (group.bits | other.bits)

    def merge_siblings(self) -> None:
        """Sibling fusion: groups with the same rows that read one value merge if none depends on the other."""
        if len(self.groups) < 2:
            return
        within = {node: group for group in self.groups if group.parent is None for node in group.nodes}
        for value, users in self.uses.readers.items():
            if len(users) < 2:
                continue
            read = [within[user].find() for user in users if user is not None and user in within]
            groups = list(dict.fromkeys(read))
            if len(groups) < 2 or not self.policy.is_shared(value):
                continue
            maker = self.uses.producers.get(value)
            inside = within[maker].find() if maker is not None and maker in within else None
            first = groups[0]
            for other in groups[1:]:
                apart = not (first.predecessors & other.bits or other.predecessors & first.bits)
                alike = first.rows == other.rows and first.update == other.update and inside not in (first, other)
                if apart and alike and first is not other and self.policy.may_share(first, other):
                    first = self.merge(first, other)

    def assemble(self, chosen: Mapping[Node, Group]) -> Graph:
        """The nodes and groups in an order in which they can run. Effects stay in order."""
        whole = chosen.get(self.graph.nodes[0])
        if whole is not None and len(whole.nodes) == len(self.graph.nodes):
            return self.graph.with_nodes((self.node(whole, chosen),))
        units = self.dependences(chosen)
        result: list[Node] = []
        done: set[Node | Group] = set()
        final = {group: group.nodes[-1] for group in chosen.values()}
        for node in self.graph.nodes:
            if node in chosen and final[chosen[node]] is not node:
                continue
            for item in _depth_first(chosen.get(node, node), units, done):
                result.append(self.node(item, chosen) if isinstance(item, Group) else item)
        return self.graph.with_nodes(tuple(result))

    def dependences(self, chosen: Mapping[Node, Group]) -> Callable[[Node | Group], list[Node | Group]]:
        """The nodes and groups that must run before a node or group."""
        last_effect: dict[Node, Node] = {}
        effect: Node | None = None
        for node in self.graph.nodes:
            if is_kept(node):
                if effect is not None:
                    last_effect[node] = effect
                effect = node
        producers = self.uses.producers

        def needed(item: Node | Group) -> list[Node | Group]:
            nodes = item.nodes if isinstance(item, Group) else [item]
            found = [producers[operand] for node in nodes for operand in node.inputs if operand in producers]
            if last_effect:
                found += [last_effect[node] for node in nodes if node in last_effect]
            return [other for node in found if (other := chosen.get(node, node)) is not item]

        return needed

    def node(self, group: Group, chosen: Mapping[Node, Group]) -> Node:
        """The node for a group, with a graph of its own values."""
        inputs, outputs = self.uses.borders(group, chosen)
        mapping: dict[Operand, Value] = {value: Value(value.type, value.name) for value in inputs}
        parameters = tuple(mapping.values())
        get = mapping.get
        nodes = []
        for node in group.nodes:
            read = tuple([get(operand, operand) for operand in node.inputs])
            value = node.outputs[0]
            made = mapping[value] = Value(value.type, value.name)
            nodes.append(Node(node.op, read, (made,), node.attrs, node.location))
        body = Graph("block", parameters, tuple(nodes), tuple([mapping[value] for value in outputs]))
        return self.policy.make(group, body, inputs, outputs)


def _depth_first(
    first: Node | Group, needed: Callable[[Node | Group], list[Node | Group]], done: set[Node | Group]
) -> list[Node | Group]:
    """The items that must run before an item and are not done, then the item."""
    result: list[Node | Group] = []
    stack = [first]
    while stack:
        item = stack[-1]
        missing = [] if item in done else [other for other in needed(item) if other not in done]
        if missing:
            stack += missing
            continue
        stack.pop()
        if item not in done:
            done.add(item)
            result.append(item)
    return result


def _merged(group: Group, other: Group) -> Group:
    """The merged group; the smaller one joins the larger."""
    if len(group.nodes) > len(other.nodes):
        group, other = other, group
    other.rows = common(group.rows, other.rows)
    other.elements = max(group.elements, other.elements)
    other.nodes += group.nodes
    other.bits |= group.bits
    other.lanes |= group.lanes
    other.predecessors |= group.predecessors
    group.parent = other
    group.nodes = []
    return other


def rows_of(node: Node) -> Shape:
    """The leading dimensions along which a node can run block by block; none if it cannot."""
    op, kind = node.op, node.op.kind
    if len(node.outputs) != 1 or not node.inputs:
        return ()
    out, first = node.outputs[0].type.shape, node.inputs[0].type.shape
    if None in out:
        return ()
    if kind == "elementwise" and op.writes_out:
        rows = out
        for operand in node.inputs:
            shape = operand.type.shape
            if shape and shape != out:  # else it has all rows, or none
                rows = common(rows, _rows_read(shape, out))
        return rows
    if None in first:
        return ()
    if kind == "reduction" and isinstance(op.emit, Reduction) and node.attrs["axis"]:
        axis: Sequence[int] = node.attrs["axis"]
        return first[: axis[0] or next((i for i, a in enumerate(axis) if a != i), len(axis))]
    return common(first, out) if op.keeps_order else ()


def is_accumulated(node: Node) -> bool:
    """Whether the node reduces over the tiled axis, so that its output is complete only after the last block."""
    return node.op.kind == "reduction" and node.attrs["axis"][0] == 0


def common(a: Shape, b: Shape) -> Shape:
    """The common leading dimensions of two shapes."""
    if a == b:
        return a
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return a[:count]


def _rows_read(shape: Shape, out: Shape) -> Shape:
    """The leading dimensions of `out` of which an operand of this shape has all or none."""
    full = (1,) * (len(out) - len(shape)) + shape
    ones = next((i for i, size in enumerate(full) if size != 1), len(full))
    return out[: max(len(common(full, out)), ones)]


def _reads_rows(node: Node, operand: Operand, rows: Shape) -> bool:
    """Whether the node reads an operand row by row, not the whole operand for every row."""
    if node.op.windows is not None:  # elements that other rows compute, or other columns
        return moves_in_row(node) and rows == operand.type.shape[: len(rows)] != operand.type.shape
    if node.op is ops.gathered:
        return False
    if node.op is ops.scattered:
        return operand is node.inputs[0] and operand not in node.inputs[1:] and operand.type.shape[: len(rows)] == rows
    shape = operand.type.shape
    return shape[: len(rows)] == rows and (node.op.kind != "elementwise" or len(shape) == node.output.type.rank)


def trim(nodes: list[Node]) -> list[Node]:
    """The nodes of a group in order, without views of inputs, and without views that are only outputs."""
    if "view" not in [node.op.kind for node in nodes]:
        return nodes
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


def _largest(node: Node) -> int:
    """Number of elements of the largest value that a node reads or makes."""
    one = node.op is ops.gathered and node.outputs[0].type.size == 1
    if one or node.op.kind == "elementwise":  # which broadcasts its inputs
        return size_of(node.outputs[0].type.shape)
    return max([size_of(operand.type.shape) for operand in (*node.inputs, *node.outputs)])


def size_of(shape: Shape) -> int:
    """Number of elements; 0 if only the run knows it."""
    return 0 if None in shape else math.prod(shape)  # type: ignore[arg-type]
