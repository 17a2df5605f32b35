"""Copies of what kernels would read at places far apart in memory.

%t: f32[512, 512] = transpose(%x, axes=(1, 0))    %t: f32[512, 512] = turned(%x, axes=(1, 0))
%y: f32[512, 512] = kernel(%t, %z) { ... }        %y: f32[512, 512] = kernel(%t, %z) { ... }
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...runtime.native.builder import Unsupported
from ...runtime.native.turned_rows import turned_inputs
from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.loops import Loop
from ..ir.naming import take_name
from ..ir.values import Operand, Value
from ..kernels import eligible, groups as native
from ..kernels.groups import seen_in_base
from ..kernels.short_rows import far_rows, unrolled

Producers = Mapping[Operand, Node]

FEWEST_APART, MOST_APART = 16, 1 << 14  # elements of a column that is copied before a loop


def with_near_columns(graph: Graph) -> Graph:
    """Copy what the iterations of a loop read again and again, and whose elements lie apart, before the loop."""
    if not any(node.op.kind == "loop" for node in graph.holders):
        return graph
    producers: dict[Operand, Node] = {node.output: node for node in graph.nodes if node.op.kind == "view"}
    copies: dict[Operand, Operand] = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        inputs = list(node.inputs)
        for position in range(Loop.of(node).rows.stop, len(inputs)) if node.op.kind == "loop" else ():
            operand = inputs[position]
            if isinstance(operand, Value) and operand not in copies and _lies_apart(operand, producers):
                nodes.append(make_node(ops.copy, (operand,), {}, node.location))
                take_name(nodes[-1].output, operand)
                copies[operand] = nodes[-1].output
            inputs[position] = copies.get(operand, operand)
        nodes.append(node.with_inputs(inputs) if inputs != list(node.inputs) else node)
    return graph.with_nodes(tuple(nodes)) if copies else graph


def _lies_apart(operand: Operand, producers: Mapping[Operand, Node]) -> bool:
    """Whether a value is a view of a few columns of another one, in the sizes that are copied at once."""
    type = operand.type
    if not type.is_static or not FEWEST_APART <= type.size <= MOST_APART:
        return False
    made = producers.get(operand)
    while made is not None and made.op.keeps_order and made.op is not ops.slice:
        made = producers.get(made.inputs[0])
    if (
        made is None
        or made.op is not ops.slice
        or eligible.lane_bytes(make_node(ops.copy, (operand,), {}, None)) is None
    ):
        return False
    taken, given = made.output.type.static_shape, made.inputs[0].type.shape
    return len(taken) > 1 and taken[-1] == 1 and (given[-1] or 0) > 1


def with_turned(graph: Graph) -> Graph:
    """Copy the large transposes that kernels read, mirrored or not: their columns are far apart in memory. So are those
    of short rows that many other rows are combined with; their copies have the columns first."""
    viewed: Producers = {node.output: node for node in graph.nodes if node.op.kind == "view" and len(node.inputs) == 1}
    producers: Producers = {value: node for value, node in viewed.items() if node.op is ops.transpose}
    copies: dict[Node, Node] = {}
    views: dict[Operand, Node] = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        if node.op is not ops.kernel:
            nodes.append(node)
            continue
        inputs = list(node.inputs)
        for position in _far_inputs(node):
            operand, last = inputs[position], inputs[position].type.rank - 1
            if operand in producers and producers[operand].attrs["axes"][-1] < last:
                continue  # neighbouring rows are neighbours in what the transpose is of
            if operand not in views:
                copy = make_node(ops.turned, [operand], {"axes": (last, *range(last))}, node.location)
                back = make_node(ops.transpose, [copy.output], {"axes": (*range(1, last + 1), 0)}, node.location)
                nodes += [copy, back]
                views[operand] = back
            inputs[position] = views[operand].output
        for position, view, mirror in _turned_inputs(node, producers, viewed):
            if view not in copies:
                copies[view] = make_node(ops.turned, view.inputs, {"axes": view.attrs["axes"]}, view.location)
                take_name(copies[view].output, view.output)
                nodes.append(copies[view])
            inputs[position] = copies[view].output
            if mirror is not None:
                nodes.append(make_node(ops.reverse, (inputs[position],), mirror.attrs, mirror.location))
                inputs[position] = nodes[-1].output
        nodes.append(node.with_inputs(inputs) if inputs != list(node.inputs) else node)
    return graph.with_nodes(tuple(nodes)) if copies or views else graph


def _far_inputs(node: Node) -> Collection[int]:
    """The inputs of a kernel whose short rows lie one behind the other; neighbouring rows should be neighbours."""
    body: Graph = node.attrs["body"]
    if "reduction" not in [inner.op.kind for inner in body.nodes]:
        return ()
    if not any(operand.type.rank > 1 for operand in node.inputs):
        return ()
    try:
        return far_rows(native.translate(body))
    except Unsupported:
        return ()


def _turned_inputs(node: Node, producers: Producers, viewed: Producers) -> list[tuple[int, Node, Node | None]]:
    """The inputs of a kernel that are transposes worth a copy: their positions, the nodes that make them, and the
    `reverse` of the transpose, if the kernel reads that.

    A kernel that reduces chooses the order of its loops by what it reads; one that gives as many elements does not.
    Many kernels have buffers for such inputs.
    """
    found: list[tuple[int, Node, Node | None]] = []
    if viewed.keys().isdisjoint(node.inputs):
        return found
    for position, operand in enumerate(node.inputs):
        made = viewed.get(operand)
        mirror = made if made is not None and made.op is ops.reverse else None
        view = producers.get(operand if mirror is None else mirror.inputs[0])
        if view is None or not ops.is_worth_turning(view.inputs[0].type, view.attrs["axes"]):
            continue
        if all(value.type.is_static and value.type.size >= operand.type.size for value in node.outputs):
            found.append((position, view, mirror))
    buffered = _buffered(node, viewed) if found else ()
    return [each for each in found if each[0] not in buffered]


def _buffered(node: Node, viewed: Producers) -> Collection[int]:
    """The inputs of a kernel that it reads through buffers."""
    seen = {position: seen_in_base(operand, viewed) for position, operand in enumerate(node.inputs)}
    try:
        made = unrolled(native.translate(node.attrs["body"], {at: each[1] for at, each in seen.items() if each}))
    except Unsupported:
        return ()
    turned = turned_inputs(made.kernel)
    return {at for at, array in zip(made.inputs, made.kernel.arrays, strict=False) if array in turned}
