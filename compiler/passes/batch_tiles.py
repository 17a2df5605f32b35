"""Loop tiling of batches: products of many matrices, and what is computed between them, run some matrices at a time.

    %s: f32[2, 8, 256, 256] = matmul(%q, %k)      %q_1: f32[4, 1, 4, 256, 32] = reshape(%q, …)
    … a softmax of %s, which is %p                …
    %y: f32[2, 8, 256, 32] = matmul(%p, %v)       %y_1: f32[4, 1, 4, 256, 32] = scan(4, %q_1, %k_1, %v_1) { … }
                                                  %y: f32[2, 8, 256, 32] = reshape(%y_1, …)

So large values between products, as the scores of attention, are stored for some matrices at a time, and stay in the
cache. What is computed for one matrix must not depend on others: the ops' rules for parts tell (`Op.cuts`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ...runtime.dtypes import int64
from ...runtime.processors import thread_count
from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.layouts import cuts_of
from ..ir.naming import take_name
from ..ir.subgraphs import map_inside
from ..ir.types import Shape
from ..ir.values import Operand, Value, literal
from .dce import eliminate_dead_code
from .fuse import fused_node, is_dense, layout_of
from .group_rows import common, size_of
from .grouping import Group, Partition, block_of

LEAST = 1 << 21  # bytes of a value that is not stored whole
TILE = 1 << 20  # bytes of the part that is, for each thread


def tile_batches(graph: Graph) -> Graph:
    """Divide products of batches whose results are larger than what is computed of them."""
    if not any(type.is_static and type.nbytes >= LEAST for type in graph.value_types):
        return graph
    if not any(op.kind == "matmul" for op in graph.ops):
        return graph
    graph = map_inside(graph, tile_batches)
    if not any(_is_seed(node) for node in graph.nodes):
        return graph
    policy = _Batches(graph)
    found = Partition(graph, policy).run()
    nodes = [one for node in found.nodes for one in (policy.loop(node) if node in policy.made else (node,))]
    # Views outside of the loop, which has its own, would keep their operands alive.
    return eliminate_dead_code(found.with_nodes(tuple(nodes))) if policy.made else graph


def _is_seed(node: Node) -> bool:
    return node.op.kind == "matmul" and node.output.type.is_static and node.output.type.nbytes >= LEAST


def _rows(node: Node) -> Shape:
    """The leading dimensions along which a node can be computed part by part, from the same parts of some inputs."""
    cuts = cuts_of(node)
    if len(node.outputs) != 1 or cuts is None or cuts.local is not None or not node.output.type.is_static:
        return ()
    shape = node.output.type.static_shape
    inputs = [(x.type.shape, labels) for x, labels in zip(node.inputs, cuts.inputs, strict=True)]
    reads: set[int] | None = None  # the inputs that have the dimensions
    for axis, label in enumerate(cuts.outputs[0]):
        if label is None:
            if shape[axis] != 1 or any(len(sizes) > axis and sizes[axis] != 1 for sizes, _ in inputs):
                return shape[:axis]
            continue
        having = {number for number, (_, labels) in enumerate(inputs) if label in labels}
        whole = any(inputs[one][0][: axis + 1] != shape[: axis + 1] for one in having)
        if whole or any(inputs[one][1].index(label) != axis for one in having) or reads not in (None, having):
            return shape[:axis]
        reads = having
    return shape


def _reads_parts(node: Node, rows: Shape) -> list[bool]:
    """For each input of a node whether it is read part by part, along these rows."""
    cuts = cuts_of(node)
    assert cuts is not None
    along = {label for label in cuts.outputs[0][: len(rows)] if label is not None}
    return [not along.isdisjoint(labels) for labels in cuts.inputs]


class _Batches:
    """The policy for groups that run some matrices at a time."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.made: dict[Node, tuple[int, ...]] = {}  # the tile of each loop

    def rows(self, node: Node, made: Mapping[Operand, Group]) -> Shape | None:
        """The leading dimensions of a product of batches, or of a node that reads a group."""
        product = node.op.kind == "matmul"
        rows = _rows(node) if product or not made.keys().isdisjoint(node.inputs) else ()
        if size_of(rows) < 2 or (product and not all(_reads_parts(node, rows))):
            return None
        return rows

    def start(self, group: Group) -> None:
        """Nothing more needs to be known of a group."""

    def may_combine(self, group: Group, other: Group, rows: Shape) -> bool:
        """Whether there are several parts."""
        return size_of(rows) >= 2

    def is_accumulated(self, node: Node) -> bool:
        """No node of a group adds up parts."""
        return False

    def shared(self) -> list[tuple[Operand, bool]]:
        """Groups that only read the same stay apart."""
        return []

    def may_share(self, group: Group, other: Group, large: bool) -> bool:
        """They stay apart."""
        return False

    def sink(self, chosen: dict[Node, Group]) -> None:
        """Nodes stay in their groups."""

    def parts(self, group: Group) -> list[Group]:
        """What a group computes from one product to another, if it need not be stored whole."""
        part = group.part(self._between(group.nodes))
        if not part.nodes:
            return []
        part.rows = _common_rows(part.nodes)
        return [part] if self.tile(part.nodes, part.rows) else []

    def _between(self, nodes: Sequence[Node]) -> list[Node]:
        """The nodes that read a product, directly or not, and that a product reads; and the products."""
        behind: set[Operand] = set()
        before: set[Operand] = set()
        for node in nodes:
            if node.op.kind == "matmul" or not behind.isdisjoint(node.inputs):
                behind.add(node.output)
        for node in reversed(nodes):
            if node.op.kind == "matmul" or node.output in before:
                before.update((*node.inputs, node.output))
        return [node for node in nodes if node.output in behind and node.output in before]

    def tile(self, nodes: Sequence[Node], rows: Shape) -> tuple[int, ...]:
        """The leading dimensions of the parts; none if parts do not pay."""
        inside = set(nodes)
        made = {node.output for node in nodes if node.op.kind != "view"}
        outputs = {x for x in made if any(one is None or one not in inside for one in self.graph.readers.get(x, ()))}
        within = max([x.type.nbytes for x in made - outputs], default=0)
        if within < LEAST or any(2 * x.type.nbytes > within for x in outputs):
            return ()
        dense = len(rows)
        for node in nodes:
            for operand, parts in zip(node.inputs, _reads_parts(node, rows), strict=True):
                if parts and operand not in made:
                    layout = layout_of(operand, self.graph.producers)
                    while not is_dense(layout, dense):
                        dense -= 1
        sizes, left = [1] * len(rows), TILE * thread_count() * size_of(rows) // within  # so many matrices
        for axis in reversed(range(len(rows))):
            size = rows[axis] or 0
            sizes[axis] = size if axis >= dense else max(n for n in range(1, max(left, 1) + 1) if size % n == 0)
            left //= sizes[axis]
            if sizes[axis] < size:
                break
        return tuple(sizes) if math.prod(sizes) < size_of(rows) else ()

    def block(self, nodes: Sequence[Node]) -> Graph:
        """The graph of a group."""
        return block_of(self.graph, nodes)

    def make(self, group: Group, block: Graph) -> Node:
        """A node that `loop` replaces."""
        node = fused_node(group, block, len(group.rows))
        self.made[node] = self.tile(group.nodes, group.rows)
        return node

    def loop(self, node: Node) -> list[Node]:
        """The loop over the parts, and the views before and behind it."""
        tile, block = self.made[node], node.attrs["body"]
        rank, rows = len(tile), _common_rows(block.nodes)
        count = size_of(rows) // math.prod(tile)
        views: list[Node] = []
        scanned: dict[Operand, Value] = {}  # the rows of what the loop reads part by part
        constants: dict[Operand, Value] = {}
        given = dict(zip(block.parameters, node.inputs, strict=True))
        mapping: dict[Operand, Value] = {}
        nodes: list[Node] = []
        for one in block.nodes:
            inputs: list[Operand] = []
            for operand, parts in zip(one.inputs, _reads_parts(one, rows), strict=True):
                if operand in mapping or not isinstance(operand, Value):
                    inputs.append(mapping.get(operand, operand))
                elif parts:
                    if operand not in scanned:
                        shape = (*tile, *operand.type.static_shape[rank:])
                        views.append(
                            make_node(ops.reshape, (given[operand],), {"shape": (count, *shape)}, one.location)
                        )
                        scanned[operand] = Value(operand.type.with_shape(shape), operand.name)
                    inputs.append(scanned[operand])
                else:
                    inputs.append(constants.setdefault(operand, Value(operand.type, operand.name)))
            shape = (*tile, *one.output.type.static_shape[rank:])
            cuts = cuts_of(one)
            more: Mapping[str, object] = cuts.attrs(shape) if cuts is not None and cuts.attrs is not None else {}
            nodes.append(make_node(one.op, inputs, {**one.attrs, **more}, one.location))
            mapping[one.output] = nodes[-1].output
            take_name(nodes[-1].output, one.output)
        index = Value(ops.INDEX, "i")
        body = Graph(
            "part", (index, *scanned.values(), *constants.values()), tuple(nodes),
            tuple(mapping[output] for output in block.outputs),
        )  # fmt: skip
        attrs = {"body": body, "carried": 0, "scanned": len(scanned), "length": count, "reverse": False}
        operands = [literal(count, int64), *[view.output for view in views], *[given[x] for x in constants]]
        loop = make_node(ops.scan, operands, attrs, node.location)
        back = [
            Node(ops.reshape, (stack,), (value,), {"shape": value.type.static_shape}, node.location)
            for stack, value in zip(loop.outputs, node.outputs, strict=True)
        ]
        return [*views, loop, *back]


def _common_rows(nodes: Sequence[Node]) -> Shape:
    rows = _rows(nodes[0])
    for node in nodes[1:]:
        rows = common(rows, _rows(node))
    return rows
