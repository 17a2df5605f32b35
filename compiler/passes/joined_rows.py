"""Loop collapsing of short rows: a kernel that adds one vector to rows too short for vector registers computes many
rows as one.

    %y: f32[9000, 5] = kernel(%x, %b) {            %t: f32[18, 5] = kernel(%b) {… copied(…)}
        %s: f32[9000, 5] = add(%x, %b)             %y: f32[500, 90] = kernel(%x, %t) {
        %y: f32[9000, 5] = tanh(%s)                    %s: f32[500, 90] = add(%x, %t)
    }                                                  %y: f32[500, 90] = tanh(%s)
                                                   }

The vector is repeated. If the kernel also sums over all rows, it sums the joined rows first, and then the
parts of the result.
"""

from __future__ import annotations

import math

from ...runtime.native.builder import Unsupported
from .. import ops
from ..ir.code import Reduction
from ..ir.graph import Graph, Node, make_node
from ..ir.op import Op
from ..ir.subgraphs import map_inside
from ..ir.values import Literal, Operand, Value
from ..kernels import eligible
from ..kernels.groups import translate
from ..ops.places import COMBINATIONS

VECTOR = 64  # bytes of the widest vectors
LONGEST_ROW = 8 * VECTOR  # bytes: the last vector of a longer one is a small part of it
FULL_ROW = 2 * VECTOR  # bytes of a row of whole vectors that takes less time than a loop around it
JOINED = 4 * VECTOR  # bytes of a joined row at least, where the last vector is full
MOST_JOINED = 256 * VECTOR
LARGE = 1 << 15  # elements, from which on what is saved is more than what repeating takes


def join_short_rows(graph: Graph) -> Graph:
    """Compute many short rows as one, also in sub-graphs."""
    if ops.kernel not in graph.ops or all(type.known_size < LARGE for type in graph.value_types):
        return graph
    found = {node: made for node in graph.nodes if node.op is ops.kernel and (made := _joined(graph, node))}
    if found:
        graph = graph.with_nodes(tuple([each for node in graph.nodes for each in found.get(node, (node,))]))
    return map_inside(graph, join_short_rows)


def _joined(graph: Graph, node: Node) -> list[Node]:
    """The nodes in place of a kernel; none if its rows stay."""
    if all(value.type.size < LARGE for value in (*node.inputs, *node.outputs)):  # as most
        return []
    body: Graph = node.attrs["body"]
    shape = max((each.outputs[0].type.static_shape for each in body.nodes), key=math.prod)
    itemsize = node.outputs[0].type.dtype.np.itemsize
    if len(shape) < 2 or math.prod(shape) < LARGE or shape[-1] < 2:
        return []
    row_bytes = shape[-1] * itemsize
    if row_bytes > (LONGEST_ROW if row_bytes % VECTOR else FULL_ROW):
        return []
    vectors = [operand for operand in node.inputs if _is_vector(operand, shape)]
    sums = {each.output for each in body.nodes if each.op.kind == "reduction"}
    count = _count(math.prod(shape[:-1]), row_bytes)
    if not (vectors or sums) or not count or not _is_by_element(graph, node, body, shape, sums):
        return []
    try:
        return _Joining(node, shape, count).run()
    except Unsupported:
        return []


def _is_vector(operand: Operand, shape: tuple[int, ...]) -> bool:
    """Whether an operand is the same for all rows, but not for all columns."""
    type = operand.type
    return type.rank > 0 and type.is_static and type.size == type.static_shape[-1] == shape[-1]


def _count(rows: int, row_bytes: int) -> int:
    """How many rows are joined: so many that they fill vectors, or else the last one is a small part. 0 for none."""
    found = 0
    for count in range(2, MOST_JOINED // row_bytes + 1):
        if rows % count == 0 and count * row_bytes >= JOINED:
            if count * row_bytes % VECTOR == 0:
                return count
            if not found and count * row_bytes >= 2 * LONGEST_ROW:
                found = count
    return found


def _is_by_element(graph: Graph, node: Node, body: Graph, shape: tuple[int, ...], sums: set[Value]) -> bool:
    """Whether a kernel computes element by element of rows that follow each other in memory, and combines rows at the
    end."""
    for operand in node.inputs:
        made = graph.producers.get(operand)
        is_whole = operand.type.shape == shape and (made is None or made.op.kind != "view" or made.op is ops.reshape)
        if not (is_whole or _is_vector(operand, shape) or operand.type.size == 1):
            return False
    axes = tuple(range(len(shape)))
    for each in body.nodes:
        if not sums.isdisjoint(each.inputs) or eligible.lane_bytes(each) is None:
            return False
        if each.op.kind == "reduction":
            emit = each.op.emit
            if not isinstance(emit, Reduction) or emit.ufunc not in COMBINATIONS or each.attrs["keepdims"]:
                return False
            if each.inputs[0].type.shape != shape or each.attrs["axis"] not in (axes, axes[:-1]):
                return False
        elif each.op.kind != "elementwise" or each.output.type.shape != shape:
            return False
    return True


def _kernel_of(node: Node) -> Node:
    """A kernel that computes one node."""
    body = Graph("block", node.inputs, (node,), node.outputs)  # type: ignore[arg-type]
    return Node(ops.kernel, node.inputs, node.outputs, {"body": body}, node.location)


class _Joining:
    """A kernel while its rows are joined."""

    def __init__(self, node: Node, shape: tuple[int, ...], count: int) -> None:
        self.node, self.shape, self.count = node, shape, count
        self.rows = math.prod(shape[:-1]) // count, count * shape[-1]  # of joined ones
        self.before: list[Node] = []
        self.after: list[Node] = []

    def run(self) -> list[Node]:
        """The nodes in place of the kernel."""
        body: Graph = self.node.attrs["body"]
        inputs = [self.given(operand) for operand in self.node.inputs]
        inside: dict[Operand, Operand] = {
            parameter: Value(operand.type, parameter.name)
            for parameter, operand in zip(body.parameters, inputs, strict=True)
        }
        parameters = tuple([inside[parameter] for parameter in body.parameters])
        nodes: list[Node] = []
        for each in body.nodes:
            attrs = dict(each.attrs)
            if each.op.kind == "reduction":
                attrs["axis"] = (0,) if len(attrs["axis"]) < len(self.shape) else (0, 1)
            nodes.append(make_node(each.op, [inside.get(x, x) for x in each.inputs], attrs, each.location))
            inside[each.output] = nodes[-1].output
        larger = Graph("block", parameters, tuple(nodes), tuple([inside[out] for out in body.outputs]))  # type: ignore[arg-type]
        translate(larger)
        outputs = [self.result(out, inside[own]) for out, own in zip(self.node.outputs, body.outputs, strict=True)]
        made = Node(ops.kernel, tuple(inputs), tuple(outputs), {"body": larger}, self.node.location)
        return [*self.before, made, *self.after]

    def given(self, operand: Operand) -> Operand:
        """An operand for joined rows."""
        if operand.type.shape == self.shape:
            return self.add(self.before, ops.reshape, operand, shape=self.rows)
        if not _is_vector(operand, self.shape):
            return operand if isinstance(operand, Literal) else self.add(self.before, ops.reshape, operand, shape=())
        row = self.add(self.before, ops.reshape, operand, shape=(1, self.shape[-1]))
        rows = self.add(self.before, ops.broadcast_to, row, shape=(self.count, self.shape[-1]))
        copy = make_node(ops.copied, [rows], {}, self.node.location)
        self.before.append(_kernel_of(copy))
        return self.add(self.before, ops.reshape, copy.output, shape=(self.rows[1],))

    def result(self, out: Value, made: Operand) -> Value:
        """The kernel's output for one of rows, which is computed from it afterwards."""
        value = Value(made.type, out.name)
        if value.type == out.type:
            return out
        if out.type.shape == self.shape:
            self.after.append(Node(ops.reshape, (value,), (out,), {"shape": self.shape}, self.node.location))
            return value
        body: Graph = self.node.attrs["body"]
        own = body.producers[body.outputs[self.node.outputs.index(out)]]
        rows = self.add(self.after, ops.reshape, value, shape=(self.count, self.shape[-1]))
        total = Node(own.op, (rows,), (out,), {**own.attrs, "axis": (0,)}, self.node.location)
        self.after.append(_kernel_of(total))
        return value

    def add(self, nodes: list[Node], op: Op, operand: Operand, **attrs: object) -> Value:
        """The output of a new node."""
        nodes.append(make_node(op, [operand], attrs, self.node.location))
        return nodes[-1].output
