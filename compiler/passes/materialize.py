"""Materialization of views: kernels copy those that are reshaped to no view, and results whose elements lie apart.
They fill tensors of one number that are results, too, or that a node overwrites.

    %b: f32[4, 2] = transpose(%a, axes=(1, 0))     %b: f32[4, 2] = transpose(%a, axes=(1, 0))
    %y: f32[8] = reshape(%b, shape=(8,))           %c: f32[4, 2] = copied(%b)
    return %y                                      %y: f32[8] = reshape(%c, shape=(8,))
                                                   return %y

NumPy copies such elements one by one. Kernels read and write whole vectors of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...runtime.dtypes import bfloat16, uint16
from ...runtime.native.builder import Unsupported
from ...runtime.native.language import NEAR
from .. import ops
from ..analysis.views import blank, view_of
from ..ir.graph import Graph, Node, make_node
from ..ir.naming import take_name
from ..ir.op import Op
from ..ir.values import Operand
from ..kernels import eligible
from .cloning import is_fusible
from .dce import eliminate_dead_code

FEWEST_BESIDE, FEWEST_BOOLS = 64, 48  # elements and bools side by side, which NumPy copies as fast
SHARED = 1 << 18  # bytes from which on several threads copy faster than NumPy, which uses one

Producers = Mapping[Operand, Node]


def materialize_views(graph: Graph) -> Graph:
    """Copy views by kernels. Without machine code nothing changes."""
    graph = _fill(graph)
    if "view" not in [op.kind for op in graph.ops]:
        return graph
    producers: Producers = {node.output: node for node in graph.nodes if node.op.kind == "view"}
    read = {node.inputs[0] for node in producers.values() if node.op is ops.reshape}
    results = {operand for position, operand in enumerate(graph.outputs) if position not in graph.donated}
    wanted = {operand for operand in read | results if operand in producers and _is_large(producers[operand])}
    if not wanted or not eligible.is_available():
        return graph
    copies: dict[Operand, Operand] = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        if node.op is ops.reshape and node.inputs[0] in copies and _is_copied(node, producers):
            node = node.with_inputs((copies[node.inputs[0]],))
        nodes.append(node)
        if node.op.kind == "view" and node.output in wanted:
            made = _computed(node, graph, producers) or _copy(node, graph, producers, node.output in results)
            if made:
                copies[node.output] = made[-1].output
                nodes += made
    if not copies:
        return graph
    outputs = tuple(copies.get(operand, operand) if operand in results else operand for operand in graph.outputs)
    return eliminate_dead_code(graph.with_nodes(tuple(nodes), outputs))


def _fill(graph: Graph) -> Graph:
    """Have kernels fill large tensors of one number that are results, or that a node changes in place. Else they would
    be constants, which are kept, and copied in each run."""
    fulls = {
        node.output: node for node in graph.nodes
        if node.op is ops.full and node.output.type.is_static and node.output.type.size >= eligible.FEWEST
    }  # fmt: skip
    if not fulls or not eligible.is_available():
        return graph
    results = {operand for position, operand in enumerate(graph.outputs) if position not in graph.donated}
    copies: dict[Operand, Operand] = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        if node.op.inplace and node.inputs and node.inputs[0] in fulls:
            nodes += _filled(fulls[node.inputs[0]])
            node = node.with_inputs((nodes[-1].output, *node.inputs[1:]))
        nodes.append(node)
        if node.outputs and node.outputs[0] in fulls and node.output in results:
            nodes += _filled(node)
            copies[node.output] = nodes[-1].output
    outputs = tuple(copies.get(operand, operand) if operand in results else operand for operand in graph.outputs)
    return eliminate_dead_code(graph.with_nodes(tuple(nodes), outputs))


def _filled(node: Node) -> list[Node]:
    """The nodes that fill an array of one number."""
    number = make_node(ops.full, (), {**node.attrs, "shape": ()}, node.location)
    spread = make_node(ops.broadcast_to, (number.output,), {"shape": node.output.type.shape}, node.location)
    made = make_node(ops.copied, (spread.output,), {}, node.location)
    take_name(made.output, node.output)
    return [number, spread, made]


def _is_large(node: Node) -> bool:
    """Whether a view of known size is large enough."""
    return node.inputs[0].type.is_static and node.output.type.is_static and node.output.type.size >= eligible.FEWEST


def _layout(operand: Operand, producers: Producers) -> np.ndarray:
    """An array without content that has the strides of a value."""
    node = producers.get(operand)
    if node is None or not node.inputs[0].type.is_static:
        return blank(operand.type)
    view = view_of(node, _layout(node.inputs[0], producers))
    return blank(operand.type) if view is None else view


def _is_copied(node: Node, producers: Producers) -> bool:
    """Whether a reshape cannot be a view."""
    return view_of(node, _layout(node.inputs[0], producers)) is None


def _run(array: np.ndarray) -> int:
    """The number of elements that lie one behind the other in memory, again and again."""
    count = 1
    for stride, size in zip(reversed(array.strides), reversed(array.shape), strict=True):
        if size > 1 and stride != count * array.itemsize:
            break
        count *= size
    return count


def _copy(node: Node, graph: Graph, producers: Producers, is_result: bool) -> list[Node]:
    """The nodes that copy a view that is reshaped to no view, or a result whose neighbours lie apart; else none."""
    is_reshaped = any(
        reader is not None and reader.op is ops.reshape and _is_copied(reader, producers)
        for reader in graph.readers[node.output]
    )
    array = _layout(node.output, producers)
    near = _run(array) >= FEWEST_BESIDE and (array.nbytes < SHARED or array.flags.c_contiguous)
    if not is_reshaped and (near or not is_result):
        return []
    if array.dtype == bfloat16.np:
        return _copied_bits(node, producers)
    if node.op is ops.transpose and ops.is_worth_turning(node.inputs[0].type, node.attrs["axes"]):
        made = make_node(ops.turned, node.inputs, {"axes": node.attrs["axes"]}, node.location)
    else:
        made = make_node(ops.copied, (node.output,), {}, node.location)
        lanes = eligible.lane_bytes(made)
        if lanes is None or (not lanes and _run(array) >= FEWEST_BOOLS):
            return []
    take_name(made.output, node.output)
    return [made]


def _computed(node: Node, graph: Graph, producers: Producers) -> list[Node]:
    """The nodes that compute a transposed result from transposed inputs, if what is transposed is computed elementwise
    for it alone: from inputs whose neighbours lie near each other, as pixels with three channels that become three
    planes, or from a large one, which kernels read block by block. Else none."""
    if node.op is not ops.transpose or graph.readers[node.output] != [None]:
        return []
    is_large = ops.is_worth_turning(node.inputs[0].type, node.attrs["axes"])
    if not is_large and not _is_near(node, producers):
        return []
    sunk = _Sunk(node, graph, producers, is_large)
    try:
        sunk.below(node.inputs[0], (node,))
    except Unsupported:
        return []
    take_name(sunk.nodes[-1].output, node.output)
    return sunk.nodes if sunk.nodes[-1].op.kind == "elementwise" else []


class _Sunk:
    """A transpose that moves below the elementwise nodes that compute its input, down to their own inputs."""

    def __init__(self, node: Node, graph: Graph, producers: Producers, is_large: bool) -> None:
        self.node, self.graph, self.producers, self.is_large = node, graph, producers, is_large
        self.nodes: list[Node] = []
        self._whole: set[Operand] = set()  # inputs of the result's size
        self._made: dict[tuple[Operand, tuple[Node, ...]], Operand] = {}

    def below(self, operand: Operand, views: tuple[Node, ...]) -> Operand:
        """What stands for these views of a value, one after the other.

        Raises:
            Unsupported: if kernels would read one of the inputs slowly.
        """
        if not operand.type.shape or (operand, views) in self._made:
            return self._made.get((operand, views), operand)
        producer = self.graph.producers.get(operand)
        is_whole = operand.type.shape == views[0].inputs[0].type.shape  # others are broadcast behind their own views
        if producer is not None and self._is_moved(operand):
            found = self._add(producer.op, [self.below(each, views) for each in producer.inputs], producer.attrs)
        elif is_whole and producer is not None and _is_place(producer) and self._is_moved(producer.inputs[0]):
            found = self.below(producer.inputs[0], (producer, *views))
        else:
            found = self._view(operand, views)
        self._made[operand, views] = found
        return found

    def _is_moved(self, operand: Operand) -> bool:
        """Whether a value is computed elementwise, for one node."""
        producer = self.graph.producers.get(operand)
        if producer is None or len({*self.graph.readers[operand]}) != 1:
            return False
        return producer.op.kind == "elementwise" and is_fusible(producer)

    def _view(self, operand: Operand, views: tuple[Node, ...]) -> Operand:
        """These views of an input; one that is broadcast is given the axes that it lacks."""
        producer = self.graph.producers.get(operand)
        shape, found = views[0].inputs[0].type.static_shape, operand
        sizes = (1,) * (len(shape) - operand.type.rank) + operand.type.static_shape
        if (producer is not None and producer.op.windows) or (sizes != shape and len(views) > 1):
            raise Unsupported("its views are not as cheap to read")
        if sizes != operand.type.shape:
            found = self._add(ops.reshape, [operand], {"shape": sizes})
        for each in views:
            found = self._add(each.op, [found], each.attrs)
        if sizes == shape:
            self._whole.add(operand)
            near = _is_near(self.nodes[-1], {**self.producers, **{each.output: each for each in self.nodes}})
            if not near and not (self.is_large and len(self._whole) < 2):
                raise Unsupported("its neighbours lie apart")
        return found

    def _add(self, op: Op, inputs: Sequence[Operand], attrs: Mapping[str, object]) -> Operand:
        self.nodes.append(make_node(op, inputs, attrs, self.node.location))
        return self.nodes[-1].output


def _is_place(node: Node) -> bool:
    """Whether a view only tells places, and no other dtype for the same bits."""
    return node.op.kind == "view" and node.inputs[0].type.dtype is node.output.type.dtype


def _is_near(node: Node, producers: Producers) -> bool:
    """Whether the neighbours in a row of a view lie so near each other that vectors of memory have several."""
    array = _layout(node.output, producers)
    return bool(array.ndim) and array.itemsize < abs(array.strides[-1]) <= NEAR * array.itemsize


def _copied_bits(node: Node, producers: Producers) -> list[Node]:
    """The nodes that copy a view of BFloat16: the same view of bits, which kernels read."""
    views = [node]
    while (made := producers.get(views[-1].inputs[0])) is not None and made.op.kind == "view" and len(made.inputs) == 1:
        views.append(made)
    x = views[-1].inputs[0]
    if {x.type.dtype, *[view.output.type.dtype for view in views]} - {bfloat16, uint16}:
        return []
    nodes: list[Node] = []

    def add(op: Op, x: Operand, attrs: Mapping[str, object]) -> Operand:
        nodes.append(make_node(op, (x,), attrs, node.location))
        return nodes[-1].output

    bits = add(ops.bitcast, x, {"dtype": uint16}) if x.type.dtype is bfloat16 else x
    for view in reversed(views):
        bits = bits if view.op is ops.bitcast else add(view.op, bits, view.attrs)
    bits = add(ops.copied, bits, {})
    if not eligible.lane_bytes(nodes[-1]):
        return []
    add(ops.bitcast, bits, {"dtype": bfloat16})
    return nodes
