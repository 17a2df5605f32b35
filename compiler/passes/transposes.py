"""Elementwise nodes and reductions between transposes are computed in the order in which their elements lie.

%t: f32[4, 56, 56, 48] = transpose(%x, axes=(0, 2, 3, 1))     %m: f32[4, 1, 56, 56] = sum(%x, axis=(1,), keepdims=True)
%m: f32[4, 56, 56, 1] = sum(%t, axis=(3,), keepdims=True)     %y: f32[4, 48, 56, 56] = subtract(%x, %m)
%d: f32[4, 56, 56, 48] = subtract(%t, %m)
%y: f32[4, 48, 56, 56] = transpose(%d, axes=(0, 3, 1, 2))

A layer norm over the channels of images is written like this. Its rows would have elements far from one another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from ...runtime.records import dataclass
from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.naming import take_name
from ..ir.op import Op
from ..ir.subgraphs import map_inside
from ..ir.values import Operand, Value

LEAST_GAIN = 1 << 12  # elements that need not be moved

Axes = tuple[int, ...]


def move_transposes(graph: Graph) -> Graph:
    """Compute what lies between transposes without them, wherever fewer elements are moved then."""
    if ops.transpose not in graph.ops:
        return graph
    graph = map_inside(graph, move_transposes)
    # Those that nothing else reads stay where they are.
    readers = [node for node in graph.nodes if node.op is ops.transpose or node.op.kind in ("reduction", "elementwise")]
    read = {operand for node in readers for operand in node.inputs}
    starts = {node.output for node in readers if node.op is ops.transpose and node.output.type.is_static} & read
    while starts:
        moved = _Moved(graph, starts)
        lost = {start for start in starts if moved.gain(start) < LEAST_GAIN}
        if not lost:
            return moved.graph
        starts -= lost
    return graph


@dataclass
class _Region:
    """Values that are computed before a transpose instead of behind it. `gain`: how many elements are not moved."""

    gain: int = 0
    joined: _Region | None = None

    def root(self) -> _Region:
        """The region that this one has become part of."""
        return self if self.joined is None else self.joined.root()


@dataclass(frozen=True)
class _Late:
    """What a node computes is the transpose of a value."""

    value: Operand
    axes: Axes
    region: _Region = field(compare=False)
    node: Node = field(compare=False)


class _Moved:
    """The graph with the transposes of some values moved as far back as possible."""

    def __init__(self, graph: Graph, starts: set[Value]) -> None:
        self.nodes: list[Node] = []
        self.mapping: dict[Operand, Operand] = {}
        self.late: dict[Operand, _Late] = {}
        self.regions: dict[Value, _Region] = {}
        for node in graph.nodes:
            if not self._moves(node, starts):
                self.nodes.append(node.with_inputs([self.now(operand) for operand in node.inputs]))
        outputs = tuple(self.now(operand) for operand in graph.outputs)
        self.graph = graph.with_nodes(tuple(self.nodes), outputs)

    def gain(self, start: Value) -> int:
        """How many elements less are moved in the region of a transpose."""
        return self.regions[start].root().gain

    def add(self, op: Op, inputs: Sequence[Operand], like: Node, **attrs: object) -> Value:
        """The output of a new node."""
        self.nodes.append(make_node(op, inputs, attrs, like.location))
        return self.nodes[-1].output

    def now(self, operand: Operand) -> Operand:
        """What the operand is in the new graph; a transpose is computed where it is needed."""
        late = self.late.get(operand)
        if late is not None and isinstance(operand, Value) and operand not in self.mapping:
            late.region.root().gain -= operand.type.size
            value = self.add(ops.transpose, [late.value], late.node, axes=late.axes)
            take_name(value, operand)
            self.mapping[operand] = value
        return self.mapping.get(operand, operand)

    def _moves(self, node: Node, starts: set[Value]) -> bool:
        """Whether the node is computed in another order, or not at all."""
        if node.op is ops.transpose:
            return self._transpose(node, starts)
        late = [self.late[operand] for operand in node.inputs if operand in self.late]
        if not late or len(node.outputs) != 1 or any(other.axes != late[0].axes for other in late[1:]):
            return False
        if node.op.kind == "reduction":
            return self._reduces(node, late[0])
        return node.op.kind == "elementwise" and self._computes(node, late)

    def _transpose(self, node: Node, starts: set[Value]) -> bool:
        """A transpose of a late value, or one that is late itself."""
        axes, late = node.attrs["axes"], self.late.get(node.inputs[0])
        if late is not None:
            axes = tuple(late.axes[axis] for axis in axes)
            if list(axes) == sorted(axes):
                late.region.root().gain += node.output.type.size
                self.mapping[node.output] = late.value
                self.regions[node.output] = late.region
                return True
        elif node.output not in starts:
            return False
        region = self.regions[node.output] = _Region(node.output.type.size)
        value = self.now(node.inputs[0]) if late is None else late.value
        self.late[node.output] = _Late(value, axes, region, node)
        return True

    def _reduces(self, node: Node, late: _Late) -> bool:
        """A reduction of a late value, over the same axes where they are now."""
        axis, keepdims = node.attrs.get("axis"), node.attrs.get("keepdims")
        if not isinstance(axis, tuple) or keepdims is None:
            return False
        there = tuple(sorted(late.axes[a] for a in axis))
        value = self.add(node.op, [late.value], node, **{**node.attrs, "axis": there})
        take_name(value, node.output)
        axes = late.axes
        if not keepdims:
            kept = [a for number, a in enumerate(axes) if number not in axis]
            axes = tuple(sorted(kept).index(a) for a in kept)
        if list(axes) == sorted(axes):
            self.mapping[node.output] = value
        else:
            self.late[node.output] = _Late(value, axes, late.region, node)
        return True

    def _computes(self, node: Node, late: Sequence[_Late]) -> bool:
        """An elementwise node of late values; what is broadcast is moved to the axes where they are now."""
        axes, output = late[0].axes, node.output.type
        if any(isinstance(given, tuple) for given in node.attrs.values()) or output.rank != len(axes):
            return False
        for operand in node.inputs:
            type = operand.type
            if not type.is_static or (operand in self.late and type.rank != output.rank):
                return False
            if operand not in self.late and type.size > 1 and type.size >= output.size:
                return False
        region = late[0].region.root()
        for other in late[1:]:
            joined = other.region.root()
            if joined is not region:
                region.gain, joined.joined = region.gain + joined.gain, region
        inputs = [self.late[x].value if x in self.late else self._broadcast(x, axes, node) for x in node.inputs]
        value = self.add(node.op, inputs, node, **node.attrs)
        take_name(value, node.output)
        self.late[node.output] = _Late(value, axes, region, node)
        return True

    def _broadcast(self, operand: Operand, axes: Axes, node: Node) -> Operand:
        """A small operand with its axes where those of late values are."""
        given, shape = self.now(operand), operand.type.static_shape
        if operand.type.size == 1:
            return given
        shape = (1,) * (len(axes) - len(shape)) + shape
        back = tuple(axes.index(axis) for axis in range(len(axes)))
        moved = tuple(shape[axis] for axis in back)
        order = [axis for axis in back if shape[axis] > 1]
        if order == sorted(order):
            return given if moved == operand.type.static_shape else self.add(ops.reshape, [given], node, shape=moved)
        if shape != operand.type.static_shape:
            given = self.add(ops.reshape, [given], node, shape=shape)
        return self.add(ops.transpose, [given], node, axes=back)
