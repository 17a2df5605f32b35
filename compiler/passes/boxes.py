"""In-place assembly: a kernel writes what it computes in its box of a larger tensor, and the edges are assigned.

    %v: f32[8, 7] = kernel(%x) {…}                 %w: f32[8, 9] = kernel(%x) {… in_box(…, low=(0, 1))}
    %y: f32[8, 9] = kernel(%v, %a, %b) {           %u: f32[8, 9] = update_slice(%w, %a, …)
        assembled(…)                               %y: f32[8, 9] = update_slice(%u, %b, …)
    }                                              %v: f32[8, 7] = slice(%y, start=(0, 1), stop=(8, 8), …)

The elements of the box are then written once, and no kernel copies them. A large result with zeros around it is written
so, too. Where the edges are those of a tensor that nothing reads later, the box is written in that tensor's memory:
`in_box(…, %x)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from ...runtime.native.builder import Unsupported
from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.loops import Loop
from ..ir.subgraphs import map_subgraphs
from ..ir.values import Operand, Value, literal
from ..kernels.groups import translate
from .dce import eliminate_dead_code

LARGE_PART = 2  # a part that is smaller than half of the whole is copied
TINY = 256  # elements, whose kernels take as long as their calls
SMALL = 4096  # elements: assignments of the edges take longer than a kernel that passes over these
MOST_EDGES = 6
THIN = 16  # times that the zeros around a part are fewer than all elements, at least

_NONE: Mapping[Operand, Value] = MappingProxyType({})

_Part = tuple[Value, tuple[int, ...]]
"""A value, and where it begins in the whole."""
_Region = dict[str, tuple[int, ...]]
"""The attributes of a slice."""


def write_in_boxes(graph: Graph, states: Mapping[Operand, Value] = _NONE) -> Graph:
    """Let kernels write parts of assembled tensors in place, also in sub-graphs. `states`: for each result of a loop's
    body the state that it replaces."""
    if graph.holders:
        graph = graph.with_nodes(tuple([_inside(node) if node.op.holds_graphs else node for node in graph.nodes]))
    found = [node for node in graph.nodes if _is_assembly(node, states)]
    for node in found:
        graph = _written(graph, node, states.get(node.outputs[0]))
    return eliminate_dead_code(graph) if found else graph


def _inside(node: Node) -> Node:
    """The node with the pass applied to its graphs."""
    if node.op.kind != "loop":
        return map_subgraphs(node, write_in_boxes)
    loop = Loop.of(node)
    states = dict(zip(loop.body.outputs, loop.states, strict=False))
    return map_subgraphs(node, lambda inner: write_in_boxes(inner, states if inner is loop.body else _NONE))


def _is_assembly(node: Node, states: Mapping[Operand, Value]) -> bool:
    """Whether a kernel only puts parts beside each other, or a node that makes the next state of a loop."""
    if node.op is not ops.kernel:
        return node.op.windows is not None and node.output in states
    body: Graph = node.attrs["body"]
    return len(body.nodes) == 1 and body.nodes[0].op.windows is not None and len(node.outputs) == 1


def _written(graph: Graph, node: Node, state: Value | None) -> Graph:
    """The graph with the largest part of an assembled tensor written by its own kernel, if that is possible. `state`:
    the state of a loop that the tensor replaces."""
    parts, whole = _parts(node), node.output
    padded, zeros = _with_zeros(node) if not parts and state is None else ([], [])
    parts = parts or padded
    if not parts or whole.type.size < TINY:
        return graph
    value, low = max(parts, key=lambda each: each[0].type.size)
    maker = graph.producers.get(value)
    if maker is None or maker.op is not ops.kernel or value.type.size * LARGE_PART < whole.type.size:
        return graph
    edges = [each for each in parts if each[0] is not value]
    at = graph.order[maker]
    if len(edges) != len(parts) - 1 or not all(_is_before(graph, part, at) for part, _ in edges):
        return graph
    if not all(_is_kernel_reader(graph, reader) for reader in graph.readers[value] if reader is not node):
        return graph
    around = _around(graph, maker, node, value, low, edges, state) if edges else None
    if around is None and (whole.type.size < SMALL or node.op is not ops.kernel):
        return graph
    rest = edges if around is None else [edge for edge in edges if _cut_from(graph, *edge) is not around]
    written = _in_box(maker, value, low, Value(whole.type, value.name) if rest or zeros else whole, around)
    if written is None:
        return graph
    made = [written]
    if rest or zeros:
        made += _assigned(graph, written.outputs[maker.outputs.index(value)], rest, zeros, node)
    part = make_node(ops.slice, [whole], _region(value, low), maker.location)
    made.append(replace(part, outputs=(value,)))
    needed = {operand for part, _ in edges for operand in _chain(graph, part)}
    moved = [one for one in graph.nodes if graph.order[one] > at and not needed.isdisjoint(one.outputs)]
    nodes: list[Node] = []
    for one in graph.nodes:
        if one is maker:
            nodes += [*moved, *made]
        elif one is not node and one not in moved:
            nodes.append(one)
    return graph.with_nodes(tuple(nodes))


def _parts(node: Node) -> list[_Part]:
    """The parts of an assembled tensor if they are few and cover it."""
    made, given = node, dict[Operand, Operand]()
    if node.op is ops.kernel:
        body: Graph = node.attrs["body"]
        (made,), given = body.nodes, dict(zip(body.parameters, node.inputs, strict=True))
    parts: list[_Part] = []
    for one in made.windows or ():
        part = given.get(made.inputs[one.input], made.inputs[one.input])
        if not isinstance(part, Value) or min(one.low, default=0) < 0:
            return []
        parts.append((part, one.low))
    covered = sum(part.type.size for part, _ in parts)
    return parts if 2 <= len(parts) <= 1 + MOST_EDGES and covered == node.output.type.size else []


def _with_zeros(node: Node) -> tuple[list[_Part], list[_Region]]:
    """The only part of a large tensor, which few zeros are around, and where these are."""
    body: Graph = node.attrs["body"]
    (made,), whole = body.nodes, node.output.type
    windows = made.windows
    given: dict[Operand, Operand] = dict(zip(body.parameters, node.inputs, strict=True))
    part, low = given.get(made.inputs[0]), windows[0].low if windows else ()
    if (
        not isinstance(part, Value)
        or len(windows or ()) != 1
        or part.type.rank != whole.rank
        or min(low, default=-1) < 0
    ):
        return [], []
    sizes, shape = part.type.static_shape, whole.static_shape
    ends = [first + size for first, size in zip(low, sizes, strict=True)]
    few = (whole.size - part.type.size) * THIN <= whole.size and whole.size >= SMALL * THIN
    if not few or whole.dtype.is_bool or any(end > size for end, size in zip(ends, shape, strict=True)):
        return [], []
    regions: list[_Region] = []
    around = [(0, size) for size in shape]
    for axis, (first, end, size) in enumerate(zip(low, ends, shape, strict=True)):
        for side in ((0, first), (end, size)):
            if side[0] < side[1]:
                start, stop = zip(*around[:axis], side, *around[axis + 1 :], strict=True)
                regions.append({"start": start, "stop": stop, "step": (1,) * len(shape)})
        around[axis] = first, end
    return [(part, tuple(low))], regions


def _region(part: Value, low: tuple[int, ...]) -> _Region:
    """The attributes of a slice that takes a part."""
    stop = tuple(first + size for first, size in zip(low, part.type.static_shape, strict=True))
    return {"start": low, "stop": stop, "step": (1,) * len(low)}


def _assigned(graph: Graph, current: Value, edges: Sequence[_Part], zeros: Sequence[_Region], node: Node) -> list[Node]:
    """The nodes that assign the edges, and zeros. The last one has the output of a node."""
    given: list[tuple[Operand, _Region]] = [(literal(0, node.output.type.dtype), region) for region in zeros]
    for part, low in edges:
        single = [each for each in _chain(graph, part) if each.type.shape == ()]  # NumPy broadcasts it
        given.append(((single or [part])[0], _region(part, low)))
    nodes = []
    for value, region in given:
        nodes.append(make_node(ops.update_slice, [current, value], region, node.location))
        current = nodes[-1].output
    return [*nodes[:-1], replace(nodes[-1], outputs=node.outputs)]


def _chain(graph: Graph, operand: Operand) -> list[Operand]:
    """A value, and those of which it is a view."""
    found = [operand]
    while (made := graph.producers.get(found[-1])) is not None and made.op.kind == "view":
        found.append(made.inputs[0])
    return found


def _is_before(graph: Graph, operand: Operand, at: int) -> bool:
    """Whether a value is computed before a position, or is a view of one that is: of known bounds."""
    for each in _chain(graph, operand):
        made = graph.producers.get(each)
        if made is None or graph.order[made] < at:
            return True
        if len(made.inputs) > 1:
            return False
    return False


def _is_kernel_reader(graph: Graph, reader: Node | None) -> bool:
    """Whether a reader is a kernel, which reads views as they lie, or a slice that only kernels read."""
    if reader is None:
        return False
    if reader.op is ops.slice:
        return all(_is_kernel_reader(graph, other) for other in graph.readers.get(reader.output, ()))
    return reader.op is ops.kernel


def _around(
    graph: Graph,
    maker: Node,
    node: Node,
    value: Value,
    low: tuple[int, ...],
    edges: Sequence[_Part],
    state: Value | None,
) -> Value | None:
    """The tensor in whose memory a kernel may write the box: the state of a loop, or one that has all edges in their
    places. None if there is none."""
    x = state or _cut_from(graph, *edges[0])
    if not isinstance(x, Value) or x.type != node.output.type:
        return None
    if state is None:
        made = graph.producers.get(x)
        if made is None or not (made.op is ops.kernel or made.op.inplace):
            return None
    for edge in edges:
        if _cut_from(graph, *edge) is not x and (state is None or x in _chain(graph, edge[0])):
            return None
    for operand in maker.inputs:
        if x in _chain(graph, operand) and (operand.type != value.type or _cut_from(graph, operand, low) is not x):
            return None
    return x if _is_read_before(graph, x, maker, node) else None


def _cut_from(graph: Graph, operand: Operand, low: tuple[int, ...]) -> Operand | None:
    """What an operand is a slice of that begins at these positions."""
    made = graph.producers.get(operand)
    if made is None or made.op is not ops.slice or not isinstance(operand, Value):
        return None
    same = dict(made.attrs) == _region(operand, low)
    return made.inputs[0] if same else None


def _is_read_before(graph: Graph, x: Value, maker: Node, node: Node) -> bool:
    """Whether a value, and all views of it, are read before a node, by it, or as edges of another one."""
    for reader in graph.readers.get(x, ()):
        if reader is None:
            return False
        if reader.op.kind == "view":
            if not all(_is_read_before(graph, each, maker, node) for each in reader.outputs):
                return False
        elif reader is not maker and reader is not node and graph.order[reader] > graph.order[maker]:
            return False
    return True


def _in_box(maker: Node, value: Value, low: tuple[int, ...], whole: Value, around: Value | None) -> Node | None:
    """The kernel with an output written in a box of the whole, whose other elements are those of the tensor around it;
    None if there is no such kernel."""
    body: Graph = maker.attrs["body"]
    position = maker.outputs.index(value)
    own = body.outputs[position]
    if own not in body.producers or body.outputs.count(own) > 1:
        return None
    attrs = {"low": low, "shape": whole.type.static_shape}
    given = [] if around is None else [Value(around.type, around.name)]
    box = make_node(ops.in_box, [own, *given], attrs, body.producers[own].location)
    inside = tuple([box.output if number == position else each for number, each in enumerate(body.outputs)])
    larger = replace(body, parameters=(*body.parameters, *given), nodes=(*body.nodes, box), outputs=inside)
    try:
        translate(larger)
    except Unsupported:
        return None
    outputs = tuple([whole if number == position else each for number, each in enumerate(maker.outputs)])
    inputs = maker.inputs if around is None else (*maker.inputs, around)
    return Node(maker.op, inputs, outputs, {**maker.attrs, "body": larger}, maker.location)
