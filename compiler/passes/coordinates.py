"""Scalar replacement of short axes: if all readers of a value take single elements along an axis, each element is
computed as a value of its own.

    %c: f32[500, 500, 2] = minimum(%a, %b)          %a0: f32[500, 1, 1] = slice(%a, ...)
    %x: f32[500, 500, 1] = slice(%c, ...)           %b0: f32[1, 500, 1] = slice(%b, ...)
    %y: f32[500, 500, 1] = slice(%c, ...)           %x: f32[500, 500, 1] = minimum(%a0, %b0)
                                                    ... and %y likewise

Slices move up through elementwise nodes and views, to what is smaller or read from memory anyway. Each element is
computed once. So the long axes become the columns of kernels. The two sides of a box would not fill a vector, and
kernels would write and read them at every second place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import ops
from ..analysis.union_find import Mergeable
from ..ir.graph import Graph, Node
from ..ir.layouts import cuts_of
from ..ir.subgraphs import map_inside
from ..ir.values import Operand, Value
from .dce import eliminate_dead_code
from .joined import FEW_JOINED, element, reduced, reduces_parts
from .rewriter import Rewriter, Rule
from .simplify import simplifications

LONG = 16  # columns that are left at least for sums of elements
FEWER = 8  # times fewer elements than a value that sums of it have
MOST = 200  # nodes that computing by elements makes

Axes = Mapping[Operand, int]


def compute_by_coordinates(graph: Graph) -> Graph:
    """Compute the elements of short axes one by one, where nothing reads them together."""
    if not any(op is ops.slice or op.kind == "reduction" for op in graph.ops):
        return graph
    axes = _divisible(graph)
    if axes:
        return compute_by_coordinates(_Division(graph, axes).run())  # another axis of these values may be short, too
    return map_inside(graph, compute_by_coordinates)


class _Region(Mergeable):
    """Neighbouring values that can be computed by element.

    Attributes:
        made: nodes that computing by element makes, without views.
        sliced: whether elements of them are read.
        largest: elements of the largest of them.
        stored: elements of the largest value that they are computed of.
    """

    __slots__ = ("largest", "made", "sliced", "stored")

    def __init__(self, node: Node, axis: int) -> None:
        super().__init__()
        self.made = node.output.type.static_shape[axis] * (node.op.kind == "elementwise")
        self.sliced = False
        self.largest = node.output.type.size
        self.stored = 0

    def merge(self, other: _Region) -> None:
        """Become part of another region."""
        if self is not other:
            self.parent = other
            other.made += self.made
            other.sliced |= self.sliced
            other.largest = max(self.largest, other.largest)

    @property
    def pays(self) -> bool:
        """Whether it is worth it. Where only sums of them are read, these read whole rows of what is in memory."""
        return 0 < self.made <= MOST and (self.sliced or self.stored < self.largest)


def _divisible(graph: Graph) -> Axes:
    """The values that are computed element by element, and along which axis."""
    types = {value.type for node in graph.nodes for value in node.outputs}
    short = {type for type in types if type.is_static and _short_axes(type.static_shape)}
    if not short:
        return {}
    axes: dict[Operand, int] = {}
    regions: dict[Operand, _Region] = {}
    computed: set[Operand] = set()  # values that are no mere views of what is in memory, which many regions may read
    for node in graph.nodes:
        kind = node.op.kind
        if kind == "elementwise" or (
            kind == "view"
            and (
                len(node.inputs) > 1
                or _size(node.outputs[0]) > _size(node.inputs[0])
                or not computed.isdisjoint(node.inputs)
            )
        ):
            computed.update(node.outputs)
    for node in reversed(graph.nodes):
        if len(node.outputs) != 1 or node.outputs[0].type not in short or node.outputs[0] not in computed:
            continue
        value, readers = node.output, graph.readers.get(node.output, ())
        axis = _axis(value, readers, axes)
        is_slice = node.op is ops.slice and node.inputs[0].type.is_static
        if axis is None or (_labels(node, axis) is None and not is_slice):
            continue
        axes[value] = axis
        regions[value] = region = _Region(node, axis)
        for reader in readers:
            assert reader is not None
            if len(reader.outputs) == 1 and reader.output in regions:
                regions[reader.output].find().merge(region.find())
            else:
                region.find().sliced |= reader.op is ops.slice
    for node in graph.nodes if regions else ():
        if len(node.outputs) == 1 and node.output in regions:
            region = regions[node.output].find()
            region.stored = max(region.stored, *[_size(x) for x in node.inputs if x not in regions], 0)
    return {value: axis for value, axis in axes.items() if regions[value].find().pays}


def _size(operand: Operand) -> int:
    return operand.type.size if operand.type.is_static else 0


def _axis(value: Value, readers: Sequence[Node | None], axes: Axes) -> int | None:
    """The short axis along which all readers take a value apart."""
    if not value.type.is_static or not value.type.size:
        return None
    short: set[int] | None = None
    for reader in readers:
        if reader is None or short == set() or not _may_read_elements(reader, axes):  # as most
            return None
        if short is None:
            short = _short_axes(value.type.static_shape)
        short = {axis for axis in short if _reads_elements(reader, value, axis, axes)}
    return max(short) if short else None


def _short_axes(shape: Sequence[int]) -> set[int]:
    """The axes whose elements may be computed one by one."""
    return {axis for axis, size in enumerate(shape) if 1 < size <= FEW_JOINED}


def _may_read_elements(reader: Node, axes: Axes) -> bool:
    """Whether there is an axis along which a reader may read single elements."""
    op = reader.op
    return op.kind == "reduction" or op is ops.slice or (len(reader.outputs) == 1 and reader.outputs[0] in axes)


def _reads_elements(reader: Node, value: Value, axis: int, axes: Axes) -> bool:
    """Whether a reader reads single elements along an axis, is itself divided along it, or reduces them."""
    if reader.op.kind == "reduction":
        return _is_reduced(reader, axis)
    if reader.op is ops.slice and reader.output.type.shape[axis] == 1:
        return True
    if len(reader.outputs) != 1 or reader.output not in axes:
        return False
    labels = _labels(reader, axes[reader.output])
    if labels is None:  # a slice, of more than an element
        return axes[reader.output] == axis
    return all(at == axis for at, read in zip(labels, reader.inputs, strict=True) if read is value)


def _is_reduced(node: Node, axis: int) -> bool:
    """Whether a node reduces the elements of an axis one by one, and to few if it keeps the axis."""
    type = node.inputs[0].type
    if not reduces_parts(node, axis):
        return False
    others = [size for other, size in enumerate(type.static_shape) if other != axis]
    few = node.output.type.size * FEWER <= type.size
    return axis in node.attrs["axis"] or (few and bool(others) and others[-1] >= LONG)


def _labels(node: Node, axis: int) -> list[int | None] | None:
    """For each input of a node the axis that becomes this axis of the output, if there is one; None where a node is
    not computed element by element."""
    cuts = cuts_of(node)
    label = None if cuts is None else cuts.outputs[0][axis]
    if cuts is None or label is None or cuts.local is not None or not all(x.type.is_static for x in node.inputs):
        return None  # a size that only the run knows may be broadcast
    found = [labels.index(label) if label in labels else None for labels in cuts.inputs]
    size = node.output.type.shape[axis]
    pairs = zip(node.inputs, found, strict=True)
    return found if all(at is None or x.type.shape[at] == size for x, at in pairs) else None


class _Division:
    """One graph while values are divided into elements."""

    def __init__(self, graph: Graph, axes: Axes) -> None:
        self.graph = graph
        self.axes = axes
        self.elements: dict[Operand, list[Operand]] = {}
        self.readers = {
            node.output: node
            for node in graph.nodes
            if len(node.outputs) == 1 and node.output not in axes and not axes.keys().isdisjoint(node.inputs)
        }
        self.rewriter = Rewriter(graph, self.rules, compute_by_coordinates)

    def run(self) -> Graph:
        """The graph with elements in place of values."""
        for node in self.graph.nodes:
            self.rewriter.visit(node)
            if len(node.outputs) == 1 and node.output in self.axes:
                self.divide(node, self.axes[node.output])
        outputs = tuple(map(self.rewriter.current, self.graph.outputs))
        return eliminate_dead_code(self.graph.with_nodes(tuple(self.rewriter.nodes), outputs))

    def rules(self, node: Node) -> Sequence[Rule]:
        """The rule for readers of elements; for other nodes those of `simplify`."""
        return (self.read,) if node.output in self.readers else simplifications(self.rewriter, node)

    def divide(self, node: Node, axis: int) -> None:
        """Compute the elements of a node's output."""
        shape, cuts, labels = node.output.type.static_shape, cuts_of(node), _labels(node, axis)
        self.elements[node.output] = found = []
        for place in range(shape[axis]):
            if cuts is None or labels is None:
                found.append(self.taken(node, axis, place))
                continue
            operands = [self.element(operand, at, place) for operand, at in zip(node.inputs, labels, strict=True)]
            part = (*shape[:axis], 1, *shape[axis + 1 :])
            attrs = {**node.attrs, **(cuts.attrs(part) if cuts.attrs is not None else {})}
            found.append(self.rewriter.make(node.op, operands, **attrs))

    def element(self, operand: Operand, axis: int | None, place: int) -> Operand:
        """One element of a value along an axis; the value itself if it does not have the axis."""
        if axis is not None and self.axes.get(operand) == axis:
            return self.elements[operand][place]
        operand = self.rewriter.current(operand)
        return operand if axis is None else element(self.rewriter, operand, operand.type.rank - axis, place)

    def taken(self, node: Node, axis: int, place: int) -> Operand:
        """One element, along an axis, of a slice.

        What it slices may be divided along this axis, or another one of which the slice has one element.
        """
        (x,) = node.inputs
        source: Operand = x
        start, stop, step = (list(node.attrs[name]) for name in ("start", "stop", "step"))
        for at, chosen in {self.axes.get(x, axis): 0, axis: place}.items():
            first = range(x.type.static_shape[at])[slice(start[at], stop[at], step[at])][chosen]
            if at == self.axes.get(x):
                source, first = self.elements[x][first], 0
            start[at], stop[at], step[at] = first, first + 1, 1
        bounds = {"start": tuple(start), "stop": tuple(stop), "step": tuple(step)}
        return self.rewriter.make(ops.slice, [self.rewriter.current(source)], **bounds)

    def read(self, rewriter: Rewriter, node: Node) -> Operand:
        """What a node reads of a value: an element, a part of one, or a reduction of all."""
        node = self.readers[node.output]
        (x,) = node.inputs
        axis = self.axes[x]
        if node.op.kind == "reduction":
            return reduced(rewriter, node, axis, self.elements[x])
        return self.taken(node, axis, 0)
