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

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from .. import ops
from ..analysis.union_find import Mergeable
from ..analysis.updates import find_updates
from ..ir.graph import Graph, Node
from ..ir.subgraphs import is_kept
from ..ir.types import Shape
from ..ir.values import Operand, Value
from .group_rows import common, reads_rows, size_of


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
        vector: for kernels whether the largest values are a single row.
    """

    __slots__ = ("bits", "elements", "lanes", "nodes", "predecessors", "rows", "update", "vector")

    def __init__(
        self, nodes: list[Node], rows: Shape, bits: int, predecessors: int, update: bool, elements: int
    ) -> None:
        self.parent = None
        self.nodes = nodes
        self.rows = rows
        self.bits = bits
        self.predecessors = predecessors
        self.update = update
        self.elements = elements
        self.lanes = 0
        self.vector = False

    def part(self, nodes: Sequence[Node]) -> Group:
        """A group of some of the nodes."""
        return Group(trim(list(nodes)), self.rows, self.bits, self.predecessors, self.update, self.elements)

    def count(self) -> int:
        """The number of nodes that compute something."""
        return len(self.nodes) - [node.op.kind for node in self.nodes].count("view")


def block_of(graph: Graph, nodes: Sequence[Node]) -> Graph:
    """The graph of some nodes of one output, with the same values as the graph around it. Its parameters are those that
    they read from outside, its outputs those that are read outside."""
    if len(nodes) == 1:
        (node,) = nodes
        inputs = dict.fromkeys([operand for operand in node.inputs if type(operand) is Value])
        return Graph("block", tuple(inputs), (node,), node.outputs if node.outputs[0] in graph.readers else ())
    made = [node.outputs[0] for node in nodes]
    inside, own, readers = set(made), set(nodes), graph.readers
    read = [operand for node in nodes for operand in node.inputs]
    inputs = dict.fromkeys([operand for operand in read if operand not in inside and type(operand) is Value])
    outputs = [value for value in made if not own.issuperset(readers.get(value, ()))]
    return Graph("block", tuple(inputs), tuple(nodes), tuple(outputs))


class Policy(Protocol):
    """The decisions of a pass about groups."""

    def rows(self, node: Node, made: Mapping[Operand, Group]) -> Shape | None:
        """The leading dimensions along which a node can be in a group; None if it cannot be in one. `made`: what groups
        compute so far."""

    def start(self, group: Group) -> None:
        """Store what the pass must know of a new group of one node."""

    def may_combine(self, group: Group, other: Group, rows: Shape) -> bool:
        """Whether two groups can be one with these rows."""

    def is_accumulated(self, node: Node) -> bool:
        """Whether the node's output is complete only after the last row."""

    def shared(self) -> list[tuple[Operand, bool]]:
        """Values of which all groups that read one should be one group, if they can be, and whether they are large."""

    def may_share(self, group: Group, other: Group, large: bool) -> bool:
        """Whether two groups that do not need each other, and read a large or small value, can be one."""

    def parts(self, group: Group) -> list[Group]:
        """The groups that a group is divided into; none if single nodes are as good."""

    def sink(self, chosen: dict[Node, Group]) -> None:
        """Move nodes between groups where that is better."""

    def block(self, nodes: Sequence[Node]) -> Graph:
        """`block_of` some nodes, of which a pass may know some already."""

    def make(self, group: Group, block: Graph) -> Node:
        """The node for a group, whose graph is the block."""


class Partition:
    """The state of one graph's partitioning.

    Attributes:
        member: the groups of values that exist block by block.
        depends: for other values groups that they depend on, as bits; `reachable` adds indirect ones.
        effects: the same for the last of those `ordered`.
        ordered: the nodes that stay in order: effects, and what raises if sizes that only the run knows do not fit.
        needed: the bits of groups that others may depend on.
        reached: the last mask that `reachable` was asked for, and what it found.
    """

    def __init__(self, graph: Graph, policy: Policy) -> None:
        self.graph = graph
        self.policy = policy
        self.updates = find_updates(self.graph)
        self.groups: list[Group] = []
        self.member: dict[Operand, Group] = {}
        self.depends: dict[Operand, int] = {}
        self.effects = self.needed = 0
        self.ordered: list[Node] = []
        self.reached = 0, 0

    def run(self) -> Graph:
        """The graph with its groups as nodes."""
        rows_of, member = self.policy.rows, self.member
        for node in self.graph.nodes:
            rows = rows_of(node, member)
            if rows is None:
                self.leave(node)
            else:
                self.add(node, rows)
        self.merge_siblings()
        whole = [group for group in self.groups if group.parent is None]
        for group in whole:
            if len(group.nodes) > 1:
                group.nodes.sort(key=self.graph.order.__getitem__)
            group.nodes = trim(group.nodes)
        # Now, because `parts` translates each group: one that changes afterwards is translated twice.
        self.policy.sink({node: group for group in whole if len(group.nodes) > 1 for node in group.nodes})
        chosen: dict[Node, Group] = {}
        again = False
        for group in whole:
            parts = self.policy.parts(group) if group.nodes else []
            again |= len(parts) > 1 or len(group.nodes) == 1 == len(parts)
            for part in parts:
                chosen.update(dict.fromkeys(part.nodes, part))
        if again:  # between parts, and groups of one node that have proved to be worth a kernel
            self.policy.sink(chosen)
        return self.assemble(chosen) if chosen else self.graph

    def leave(self, node: Node) -> None:
        """Store the dependences of a node that is in no group."""
        mask = 0
        for operand in node.inputs:
            mask |= self.mask(operand)
        if self.graph.has_effect and (is_kept(node) or (node.op.is_speculatable and not node.is_speculatable)):
            mask |= self.effects
            self.effects = mask
            self.ordered.append(node)
        for value in node.outputs:
            self.depends[value] = mask

    def add(self, node: Node, rows: Shape) -> None:
        """Start a group with a node, and merge it with those of its inputs."""
        predecessors = 0
        around: set[Group] = set()
        known = self.member.get
        for operand in node.inputs:
            member = known(operand)
            if member is not None:
                around.add(member if member.parent is None else member.find())
            elif operand in self.depends:
                predecessors |= self.reachable(self.depends[operand])
        group = Group([node], rows, 0, predecessors, node in self.updates, _largest(node))
        self.policy.start(group)
        group = self.joined(group, around, node) or self.started(group, around, node)
        if node.op.kind != "elementwise" and self.policy.is_accumulated(node):
            self.depends[node.outputs[0]] = group.bits
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
                self.spread(group, [group.bits])
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
        self.spread(group, grown)
        return group

    def spread(self, group: Group, grown: list[int]) -> None:
        """Let all that depends on a group need what it needs. `grown`: the bits of its parts that need more now."""
        if self.reached[1] & group.bits:
            self.reached = 0, 0
        if not self.needed & group.bits:
            return
        # A group that depends on another has a later node than the first of that one, so a bit above its lowest.
        start = min(((bits & -bits).bit_length() for bits in grown), default=len(self.groups))
        for later in {one.find() for one in self.groups[start:]}:
            if later.predecessors & group.bits:
                later.predecessors |= group.predecessors

    def may_merge(self, group: Group, other: Group, node: Node, rest: int) -> bool:
        """Whether the node's group may merge with an input's; `rest` are its inputs that have not been tried."""
        rows = group.rows if group.rows == other.rows else common(group.rows, other.rows)
        if group.update != other.update or not self.policy.may_combine(group, other, rows):
            return False
        same = node.outputs[0].type if node.op.kind == "elementwise" else None
        for operand in node.inputs:
            if operand.type is same:
                continue  # which is read row by row
            member = self.member.get(operand)
            if member is None:
                continue
            if member.find() is other and not reads_rows(node, operand, rows):
                return False
            if group.update and node.op.placed and operand in node.inputs[1:]:
                return False  # an error would leave some parameters updated
        # No path may leave the merged group and come back.
        before = group.predecessors | other.predecessors
        if rest:
            before |= self.reachable(rest)
        if other.vector and other.elements > 1 and size_of(rows) < 2 and self.delays(other, before):
            return False
        return not before & (group.bits | other.bits)

    def delays(self, vector: Group, before: int) -> bool:
        """Whether a vector would have to wait for groups that are none: what reads it could not join these."""
        more = before & ~(vector.predecessors | vector.bits)
        while more:
            group = self.groups[more.bit_length() - 1].find()
            if not group.vector:
                return True
            more &= ~group.bits
        return False

    def merge_siblings(self) -> None:
        """Sibling fusion: groups with the same rows that read one value merge if none depends on the other. Small ones,
        which may read views of it, merge if they depend on the same, so that none waits for the other."""
        shared = self.policy.shared() if len(self.groups) > 1 else ()
        if not shared:
            return
        within = {node: group for group in self.groups if group.parent is None for node in group.nodes}
        for value, large in shared:
            users = self.users(value, large)
            read = dict.fromkeys([within[user] for user in users if user in within])
            groups = list(dict.fromkeys([group.find() for group in read])) if len(read) > 1 else []
            if len(groups) < 2:
                continue
            maker = self.graph.producers.get(value)
            inside = within[maker].find() if maker is not None and maker in within else None
            kin: dict[tuple[Shape, bool, int], Group] = {}
            for other in groups:
                rows = (other.elements,) if other.vector else other.rows
                key = rows, other.update, 0 if large else other.predecessors
                first = kin.setdefault(key, other)
                if other is first or inside is other:
                    continue
                apart = not (first.predecessors & other.bits or other.predecessors & first.bits)
                if apart and inside is not first and self.policy.may_share(first, other, large):
                    kin[key] = self.merge(first, other)
                elif not large:
                    kin[key] = other

    def users(self, value: Operand, large: bool) -> list[Node | None]:
        """The nodes that read a value, also its parts, if it is complex, and small ones through views."""
        found = list(self.graph.readers.get(value, ()))
        for node in found:
            if node is not None and node.op.kind == "view" and (not large or node.op is ops.part):
                found += self.graph.readers.get(node.output, ())
        return found

    def assemble(self, chosen: Mapping[Node, Group]) -> Graph:
        """The nodes and groups in an order in which they can run. Those `ordered` stay so."""
        whole = chosen.get(self.graph.nodes[0])
        if whole is not None and len(whole.nodes) == len(self.graph.nodes):
            return self.graph.with_nodes((self.policy.make(whole, self.policy.block(whole.nodes)),))
        done: set[Node | Group] = set()
        missing = self.missing(chosen, done)
        result: list[Node] = []
        pending: set[Operand] = {*self.graph.producers}  # what is not computed yet
        in_order = not self.graph.has_effect
        for node in self.graph.nodes:
            group = chosen.get(node)
            if group is None:
                first: Node | Group = node
            elif group.nodes[-1] is node:
                first = group
            else:
                continue
            if first in done:
                continue
            read = node.inputs if group is None else self.policy.block(group.nodes).parameters
            if in_order and pending.isdisjoint(read):
                done.add(first)
                items = [first]
            else:
                items = _depth_first(first, missing, done)
            for item in items:
                made = self.policy.make(item, self.policy.block(item.nodes)) if isinstance(item, Group) else item
                pending.difference_update(made.outputs)
                result.append(made)
        return self.graph.with_nodes(tuple(result))

    def missing(
        self, chosen: Mapping[Node, Group], done: Collection[Node | Group]
    ) -> Callable[[Node | Group], list[Node | Group]]:
        """The nodes and groups that must run before a node or group, and are not done."""
        before: dict[Node | Group, Node] = dict(zip(self.ordered[1:], self.ordered, strict=False))
        producers = self.graph.producers

        def needed(item: Node | Group) -> list[Node | Group]:
            operands = self.policy.block(item.nodes).parameters if isinstance(item, Group) else item.inputs
            found: list[Node | Group] = []
            for operand in operands:
                node = producers.get(operand)
                if node is not None and (other := chosen.get(node, node)) not in done:
                    found.append(other)
            if item in before and before[item] not in done:
                found.append(before[item])
            return found

        return needed


def _depth_first(
    first: Node | Group, needed: Callable[[Node | Group], list[Node | Group]], done: set[Node | Group]
) -> list[Node | Group]:
    """The items that must run before an item and are not done, then the item. `needed` gives what an item misses."""
    result: list[Node | Group] = []
    stack = [first]
    while stack:
        item = stack[-1]
        missing = [] if item in done else needed(item)
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
    if group.rows != other.rows:
        other.rows = common(group.rows, other.rows)
    if group.elements > other.elements:
        other.elements = group.elements
    other.nodes += group.nodes
    other.bits |= group.bits
    other.lanes |= group.lanes
    other.vector &= group.vector
    other.predecessors |= group.predecessors
    group.parent = other
    group.nodes = []
    return other


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
    out = node.outputs[0].type
    if node.op.kind == "elementwise" or (node.op is ops.gathered and out.size == 1):  # the first broadcasts its inputs
        return out.known_size
    return max([operand.type.known_size for operand in (*node.inputs, *node.outputs)])
