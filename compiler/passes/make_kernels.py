"""Fusion into kernels: elementwise nodes of any size, and reductions between them, become machine code.

    %a: f32[4] = tanh(%x)                        %b: f32[4] = kernel(%x) {
    %b: f32[4] = multiply(%a, 2.0)                   body = graph block(%x) { %a = tanh(%x) ... return %b }
                                                 }

A counted loop over such nodes becomes a `loop_kernel`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ...runtime.native.builder import Unsupported
from ...runtime.native.stages import MOST_AGAIN
from ...runtime.records import NamedTuple
from .. import ops
from ..analysis.views import blank
from ..ir.code import Reduction
from ..ir.graph import Graph, Node, block_node
from ..ir.op import Op
from ..ir.subgraphs import map_inside
from ..ir.types import Shape, TensorType
from ..ir.values import Operand, Value
from ..kernels import eligible, groups as native
from ..kernels.fission import distributed
from ..kernels.loops import as_kernel
from ..kernels.translation import Layout, Translation, moves_in_row
from .equal_results import write_equal_results
from .group_rows import elementwise_rows, rows_of, size_of
from .grouping import Group, Partition, block_of
from .loop_stacks import arrange_stacks
from .near_copies import with_near_columns, with_turned
from .rematerialize import fits, rematerialize
from .unreadable_views import copy_unreadable

MOST_SCANNED = 1 << 10  # elements of a vector: scans have code for AVX2 alone
MOST_TOGETHER = 1 << 12  # elements of a vector that one kernel reduces and reads again: of more, two are as quick
MOST_NODES = 200  # of a kernel: a longer one would rather wait for the frame than for memory
FEW_ELEMENTS = 4096  # up to which NumPy's call takes longer than its computation, even of a single node
LARGE = 1 << 14  # elements of a value that two kernels would read from memory
MOST_PLAIN_WINDOWS = 4  # of a group: more may divide its columns into too many parts
MOST_SHARING = 64  # nodes of two kernels that become one
MOST_SMALL_SHARING = 16  # of two kernels of few elements

AGAIN = 4  # times that a value is computed at least, where it would rather be stored

FEW_ROWS = 512  # that are added


class Known:
    """How groups and graphs were divided so far. Those that are structurally equal, as equal layers, are divided once.

    Attributes:
        parts: the positions of the nodes in each part of a group.
        inner: of graphs inside: the position of each node that stays, and for each kernel those of its nodes and its
            graph. None for a graph that got other nodes, too.
    """

    def __init__(self) -> None:
        self.parts: dict[Hashable, list[list[int]]] = {}
        self.inner: dict[Hashable, list[int | tuple[list[int], Graph]] | None] = {}


def make_kernels(graph: Graph) -> Graph:
    """Replace groups that machine code can compute by `kernel` nodes. Without machine code nothing changes."""
    return write_equal_results(_divided(graph, Known(), False)) if eligible.is_available() else graph


def _inside(graph: Graph, known: Known) -> Graph:
    """`make_kernels` of a graph inside another one."""
    if graph.holders:
        return _divided(graph, known, True)
    key = graph.structure
    if key not in known.inner:
        made = _divided(graph, known, True)
        known.inner[key] = _places(graph, made)
        return made
    places = known.inner[key]
    return _divided(graph, known, True) if places is None else _again(graph, places)


def _places(graph: Graph, made: Graph) -> list[int | tuple[list[int], Graph]] | None:
    """Where the nodes of a graph with kernels come from, as `Known.inner` has it."""
    order = graph.order
    found: list[int | tuple[list[int], Graph]] = []
    for node in made.nodes:
        if node in order:
            found.append(order[node])
        elif node.op is ops.kernel and order.keys() >= {*node.attrs["body"].nodes}:
            found.append(([order[inner] for inner in node.attrs["body"].nodes], node.attrs["body"]))
        else:
            return None
    return found


def _again(graph: Graph, places: Sequence[int | tuple[list[int], Graph]]) -> Graph:
    """A graph with the same kernels as one of the same structure."""
    nodes: list[Node] = []
    for place in places:
        if isinstance(place, int):
            nodes.append(graph.nodes[place])
        else:
            positions, body = place
            block = block_of(graph, [graph.nodes[position] for position in positions])
            block.share_structure(body)
            nodes.append(_kernel(block))
    return graph.with_nodes(tuple(nodes))


def _kernel(block: Graph) -> Node:
    """The `kernel` node of a block. The values of its graph are those of the nodes that it replaces."""
    return block_node(ops.kernel, block, block.nodes[0].location)


def _divided(graph: Graph, known: Known, inner: bool) -> Graph:
    """The graph with kernels. `inner`: whether it is inside of another."""
    if "loop" in [node.op.kind for node in graph.holders]:
        graph = map_inside(with_near_columns(arrange_stacks(graph)), lambda inner: _inside(inner, known))
        graph = graph.with_nodes(tuple([made for node in graph.nodes for made in as_kernel(node)]))
    elif graph.holders:
        graph = map_inside(graph, lambda inner: _inside(inner, known))
    policy = _Kernels(graph, known, inner)
    made = copy_unreadable(with_turned(rematerialize(Partition(graph, policy).run(), inner)))
    if policy.trusts and not all(fits(node) for node in made.nodes if node.op is ops.kernel):
        policy = _Kernels(graph, Known(), inner, careful=True)
        made = copy_unreadable(with_turned(rematerialize(Partition(graph, policy).run(), inner)))
    if any(node.op is ops.kernel and not node.outputs for node in made.nodes):  # nobody reads what it computes
        made = made.with_nodes(tuple([node for node in made.nodes if node.op is not ops.kernel or node.outputs]))
    return made


def _is_worth_a_kernel(node: Node) -> bool:
    """Whether a kernel of this node alone is quicker than NumPy, however large."""
    if node.op.kind != "reduction":
        return bool(node.op.native or node.op.scan or node.op.placed or node.op.windows)
    if not isinstance(node.op.emit, Reduction):
        return False
    axis, shape = node.attrs["axis"], node.inputs[0].type.static_shape
    # A product with ones adds whole matrices of floats as fast, and long columns faster.
    apart = axis[0] > 0 or axis != tuple(range(len(axis)))
    return (
        node.op.emit.ufunc != "add"
        or not node.output.type.dtype.is_float
        or len(shape) - 1 in axis
        or (apart and math.prod(shape[a] for a in axis) <= FEW_ROWS)
    )


def _is_plain(nodes: Sequence[Node]) -> bool:
    """Whether a group computes elements of one shape from others of that shape, numbers, and a few shifted inputs. Such
    groups fit into kernels, which are translated when they are complete: others that read them often change them."""
    shape = nodes[-1].outputs[0].type.shape
    made, windows = {node.outputs[0] for node in nodes}, 0
    for node in nodes:
        if node.op.windows is not None:
            windows += 1
            if len(node.inputs) > 1 or windows > MOST_PLAIN_WINDOWS or not made.isdisjoint(node.inputs):
                return False
        elif node.op.kind != "elementwise" or any(x.type.shape not in (shape, ()) for x in node.inputs):
            return False
        if not shape or node.outputs[0].type.shape != shape:
            return False
    return True


class Misfit(NamedTuple):
    """Nodes that do not fit into one kernel: how many first nodes may at most. `final`: whether that is known without
    the nodes that follow."""

    most: int
    final: bool


def _is_repeated(few: Group, group: Group) -> bool:
    """Whether a kernel of two groups would compute what the first one computes again and again: for each position along
    an axis before the columns. What is the same for all columns is computed once for each row."""
    if few.elements * AGAIN > group.elements:
        return False
    if not any(node.op.kind == "elementwise" for node in few.nodes):
        return False
    types = [operand.type for node in group.nodes for operand in (*node.inputs, node.output)]
    large = {type.shape for type in types if type.is_static and type.size == group.elements}
    shapes = [node.output.type.shape for node in few.nodes]
    return any(len(shape) == len(one) and shape[-1:] == one[-1:] != (1,) for shape in shapes for one in large)


@lru_cache(maxsize=4096)
def _elementwise(op: Op, given: eligible.Given, made: TensorType) -> tuple[int | None, Shape | None]:
    """Element size and rows of an elementwise node by its op and types; None for one that no kernel can have."""
    lanes = eligible.elementwise_lanes(op, given, made)
    shapes = [type.shape for type in given if isinstance(type, TensorType)]
    return lanes, None if lanes is None else elementwise_rows(op, shapes, made.shape)


class _Kernels:
    """The policy for groups that machine code computes."""

    def __init__(self, graph: Graph, known: Known, inner: bool = False, careful: bool = False) -> None:
        self.graph = graph
        self.known = known
        self.inner = inner  # whether the graph is inside of another
        self.broadcasts = ops.broadcast_to in [node.op for node in graph.nodes]
        self.trusts = not careful and not self.broadcasts  # that kernels without anything special fit
        self.lanes: dict[Node, int | None] = {}
        self.blocks: dict[tuple[Node, ...], Graph] = {}

    def rows(self, node: Node, made: Mapping[Operand, Group]) -> Shape | None:
        """All dimensions that the node has in common with its inputs, perhaps none; None for a node that no kernel can
        have."""
        if node.op.kind == "elementwise" and len(node.outputs) == 1:
            self.lanes[node], rows = _elementwise(*eligible.elementwise_types(node))
            return rows
        lanes = self.lanes[node] = eligible.lane_bytes(node)
        if lanes is None:
            return None
        if node.op.scan:  # a short vector is read, and computed, with its neighbours
            shape = node.output.type.static_shape
            return shape if len(shape) == 1 and shape[0] <= MOST_SCANNED else shape[:-1]
        if node.op.placed:
            region: Shape = node.attrs["region"]
            return region
        if node.op.windows is not None:
            shape = node.output.type.static_shape
            return shape[:-1] if moves_in_row(node) else shape
        return rows_of(node)

    def start(self, group: Group) -> None:
        """Store the element size of the group, and whether it is a vector."""
        (node,) = group.nodes
        group.lanes = self.lanes[node] or 0
        most = group.elements
        if most == 1:
            group.vector = not self.inner
        elif not self.inner and most <= (MOST_SCANNED if node.op.scan else MOST_TOGETHER):
            given = node.inputs[0].type.shape if node.inputs else ()
            group.vector = most in node.outputs[0].type.shape or most in given

    def may_combine(self, group: Group, other: Group, rows: Shape) -> bool:
        """Whether elements have one size, and the rows are the same. A vector is one row, short enough to be computed
        without threads."""
        lanes = group.lanes
        if lanes and other.lanes and lanes != other.lanes:
            return False
        if len(group.nodes) + len(other.nodes) > MOST_NODES:
            return False
        elements = group.elements
        largest = elements if elements > other.elements else other.elements
        if largest >= LARGE and (_is_repeated(group, other) or _is_repeated(other, group)):
            return False
        if largest == 1 or size_of(rows) >= 2 or (self.inner and largest <= MOST_SCANNED):
            return True
        if not (group.vector and other.vector and min(group.elements, other.elements) in (1, largest)):
            return False
        return any(node.op.kind != "view" for node in other.nodes)  # views of what is there have no rows to lose

    def is_accumulated(self, node: Node) -> bool:
        """Whether it is a reduction over other axes than the last. These are read only when they are complete."""
        if node.op.kind != "reduction":
            return node.op is ops.scattered
        axis, shape = node.attrs["axis"], node.inputs[0].type.shape
        rank = len(shape)
        return (axis[0] == 0 and shape[:-1].count(1) < rank - 1) or axis != tuple(range(rank - len(axis), rank))

    def shared(self) -> list[tuple[Operand, bool]]:
        """Values that are so large that they are worth reading once, not twice, as complex ones of any size are, and
        those of which groups are so small that their calls take longer than they compute: small ones, and those that
        have views."""
        found = [(value, value.type.known_size) for value, users in self.graph.readers.items() if len(users) > 1]
        pairs = {node.inputs[0] for node in self.graph.nodes if node.op is ops.part}
        large = [(value, True) for value, size in found if size >= LARGE or value in pairs]
        viewed = [node.inputs[0] for node in self.graph.nodes if node.op.kind == "view"]
        small = [value for value, size in found if 0 < size <= MOST_SCANNED]
        return large + [(value, False) for value in dict.fromkeys([*small, *viewed])]

    def may_share(self, group: Group, other: Group, large: bool) -> bool:
        """Whether both fit into one kernel, and none does what would slow the other down."""
        nodes = [*group.nodes, *other.nodes]
        if group.elements != other.elements or len(nodes) > MOST_SHARING:
            return False
        if not self.may_combine(group, other, group.rows) or any(node.op.scan or node.op.placed for node in nodes):
            return False
        if not large:
            whole = group.elements == size_of(group.rows) or (group.vector and other.vector)
            return whole and group.elements <= MOST_SCANNED and len(nodes) <= MOST_SMALL_SHARING
        nodes.sort(key=self.graph.order.__getitem__)
        return self.misfit(group, nodes) is None

    def make(self, group: Group, block: Graph) -> Node:
        """A `kernel` node."""
        return _kernel(block)

    def parts(self, group: Group) -> list[Group]:
        """The kernels for a group. Groups that are structurally equal are divided once."""
        if [node for node in group.nodes if node.op.windows is not None and len(node.inputs) > 1]:
            return self.divided(group)  # by what else reads and makes its values
        body = self.block(group.nodes)
        key = body.structure, group.elements, self.inner, *self.layouts(body).items()
        found = self.known.parts.get(key)
        if found is not None:
            nodes = group.nodes
            return [
                group if len(part) == len(nodes) else group.part([nodes[position] for position in part])
                for part in found
            ]
        parts = self.divided(group)
        positions = {node: position for position, node in enumerate(group.nodes)}
        self.known.parts[key] = [[positions[node] for node in part.nodes] for part in parts]
        return parts

    def divided(self, group: Group) -> list[Group]:
        """The kernels for a group: one, or as few as possible, each with as many of the next nodes as fit."""
        found: list[Group] = []
        nodes = group.nodes
        while nodes:
            taken = self.longest(group, nodes)
            part = group.part(nodes[: max(1, taken)])
            alone = group.elements <= FEW_ELEMENTS or any(map(_is_worth_a_kernel, part.nodes))
            if taken and part.count() >= (1 if alone else 2) and not all(map(self.needs_no_call, part.nodes)):
                found += self.distributed(part) if len(part.nodes) > 1 else [part]
            nodes = nodes[max(1, taken) :]
        return found

    def needs_no_call(self, node: Node) -> bool:
        """Whether a node only puts values one behind the other, which are computed in their places (concat elision)."""
        if node.op.windows is None or len(node.inputs) < 2:
            return False
        if math.prod(node.output.type.static_shape[: node.attrs.get("axis")]) != 1:
            return False
        small = node.output.type.size <= FEW_ELEMENTS
        return not small or (not self.inner and all(map(self.is_placed, node.inputs)))

    def is_placed(self, part: Operand) -> bool:
        """Whether a value can be computed in its place in the one concatenation that it is part of."""
        readers = self.graph.readers.get(part, ())
        made = self.graph.producers.get(part)
        while made is not None and made.op.kind == "view" and made.op.keeps_order:
            made = self.graph.producers.get(made.inputs[0])
        joined = sum(reader is not None and reader.op.windows is not None for reader in readers)
        return made is not None and made.op.kind != "view" and joined < 2

    def longest(self, group: Group, nodes: Sequence[Node]) -> int:
        """The number of first nodes that fit into one kernel; nearly the largest number."""
        low, high, trial = 0, len(nodes) + 1, len(nodes)
        hint: Misfit | None = Misfit(trial, True)
        while high - low > 1:
            misfit = self.misfit(group, nodes[:trial])
            if misfit is not None:
                high = trial
                hint = misfit if low < misfit.most < trial - 1 else None
                trial = hint.most if hint is not None else (low + high) // 2
            elif hint is not None and hint.final:
                return trial
            else:
                low, trial = trial, trial + 1 if hint is not None else (trial + high) // 2
                hint = None
        return low

    def misfit(self, group: Group, nodes: Sequence[Node]) -> Misfit | None:
        """Why nodes do not fit into one kernel; None if they do."""
        part = group.part(nodes)
        if not part.nodes:
            return Misfit(len(nodes) - 1, True)
        if self.trusts and _is_plain(part.nodes):
            return None
        try:
            self.translated(part)
        except Unsupported as error:
            most = len(nodes) - 1 if error.position is None else nodes.index(part.nodes[error.position])
            return Misfit(most, error.final)
        return None

    def translated(self, part: Group) -> tuple[Graph, Translation]:
        """The graph of a group, and its kernel. Raises `Unsupported` if there is none."""
        body = self.block(part.nodes)
        return body, native.translate(body, self.layouts(body))

    def block(self, nodes: Sequence[Node]) -> Graph:
        """The graph of some nodes. Several ask for the same."""
        key = tuple(nodes)
        found = self.blocks.get(key)
        if found is None:
            found = self.blocks[key] = block_of(self.graph, key)
        return found

    def layouts(self, body: Graph) -> dict[int, Layout]:
        """The layouts of the parameters that are broadcasts."""
        if not self.broadcasts:
            return {}
        found = [(n, self.broadcast_layout(value)) for n, value in enumerate(body.parameters)]
        return {n: layout for n, layout in found if layout is not None}

    def distributed(self, part: Group) -> list[Group]:
        """The kernels of a group that fits into one: what it computes for rows has its own, if that is quicker."""
        if self.trusts and _is_plain(part.nodes):
            return [part]
        divided = [part.part(nodes) for nodes in distributed(*self.translated(part))]
        if len(divided) == 1 or any(self.misfit(each, each.nodes) is not None for each in divided):
            return [part]
        return divided

    def broadcast_layout(self, value: Value) -> Layout | None:
        """The layout of a broadcast, which kernels read where it lies: NumPy would take long to copy it."""
        node = self.graph.producers.get(value)
        if node is None or node.op is not ops.broadcast_to or not node.inputs[0].type.is_static:
            return None
        if math.prod(value.type.static_shape) == math.prod(node.inputs[0].type.static_shape):
            return None  # nothing is repeated: a reshape takes its place
        return Layout(
            node.inputs[0].type.static_shape, 0, node.op.kernel(blank(node.inputs[0].type), **node.attrs).strides
        )

    def sink(self, chosen: dict[Node, Group]) -> None:
        """Producer sinking: a cheap value that only one later kernel reads is computed there, and need not be
        stored. Kernels are translated when they have all such values; only if one does not fit, after each."""
        kept, nodes = dict(chosen), {group: group.nodes for group in chosen.values()}
        if len(nodes) < 2 or all(self.misfit(group, group.nodes) is None for group in self.sunk(chosen, False)):
            return
        chosen.update(kept)
        for group, before in nodes.items():
            group.nodes = before
        self.sunk(chosen, True)

    def sunk(self, chosen: dict[Node, Group], careful: bool) -> set[Group]:
        """The groups that values were sunk into; `careful`: only such values with which they fit."""
        order, readers, changed = self.graph.order, self.graph.readers, set[Group]()
        find: Callable[[Any], Group | None] = chosen.get
        for node in reversed(self.graph.nodes):
            group = find(node)
            if group is None:
                continue
            users = readers.get(node.outputs[0], ())
            target = find(users[0]) if users else None
            if target is None or target is group or target.update != group.update:
                continue
            if len(users) > 1 and False in [find(user) is target for user in users]:
                continue
            moved = self.sinkable(node, group, chosen)
            if not moved or len(target.nodes) + len(moved) > MOST_NODES:
                continue
            trial = target.part(sorted({*target.nodes, *moved}, key=order.__getitem__))
            if careful and self.misfit(trial, trial.nodes) is not None:
                continue
            changed.add(target)
            target.nodes = trial.nodes
            group.nodes = [other for other in group.nodes if other not in moved]
            chosen.update(dict.fromkeys(moved, target))
        return changed

    def sinkable(self, node: Node, group: Group, chosen: Mapping[Node, Group]) -> set[Node]:
        """A node of a group, and the nodes that only it needs, if they are cheap and read one value; else none.

        That value must be stored anyway: it comes from outside, or is an output. It must live as long, or be no larger.
        """
        found, leaves = self.cheap_producers(node, group, chosen)
        if len(leaves) != 1:
            return set()
        (leaf,) = leaves
        order, producers, readers = self.graph.order, self.graph.producers, self.graph.readers
        inside = chosen.get(producers[leaf]) is group if leaf in producers else False
        others = [user for user in readers[leaf] if user not in found]
        if inside and all(user is not None and chosen.get(user) is group for user in others):
            return set()
        first = min(order[user] for user in readers[node.output] if user is not None)
        target = chosen.get(readers[node.output][0])  # type: ignore[arg-type]
        lives = leaf not in producers or any(
            user is None or order[user] >= first or chosen.get(user) is target for user in others
        )
        return found if lives or leaf.type.nbytes <= node.output.type.nbytes else set()

    def cheap_producers(self, node: Node, group: Group, chosen: Mapping[Node, Group]) -> tuple[set[Node], set[Operand]]:
        """A node and the cheap nodes of its group that only it needs, and the values that these read; nothing if one is
        not cheap."""
        found: set[Node] = set()
        leaves: set[Operand] = set()
        pending = [node]
        while pending:
            here = pending.pop()
            if here.op.kind != "elementwise" or not here.op.cheap or len(found) >= MOST_AGAIN:
                return set(), set()
            found.add(here)
            for operand in here.inputs:
                producer = self.graph.producers.get(operand)
                users = self.graph.readers.get(operand, [])
                if producer is not None and chosen.get(producer) is group and all(user in found for user in users):
                    pending.append(producer)
                elif isinstance(operand, Value) and operand.type.shape:
                    leaves.add(operand)
        return found, leaves
