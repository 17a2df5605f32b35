"""Values that are read through slices, as neighbours in a stencil, or between zeros, as gradients of these are, are
computed for each of these readers again.

    %d = subtract(%a, %b)                              %p = slice(%a, start=(0,), ...)
    %y = slice(%d, start=(0,), ...)                    %q = slice(%b, start=(0,), ...)
    %z = slice(%d, start=(1,), ...)                    %y = subtract(%p, %q)
                                                       ...
Kernels read neighbours from the nearest cache, but what one of them stores for another one is a pass over memory.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from ...runtime.machine.product import vector_bytes
from ...runtime.machine.sizes import WIDTH
from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.subgraphs import map_inside
from ..ir.values import Literal, Operand, Value
from ..kernels import eligible
from .cloning import is_fusible
from .cse import eliminate_common_subexpressions
from .dce import eliminate_dead_code
from .simplify import simplify

SMALLEST = 3 << 11  # elements: two arrays of these fill the nearest cache; less is read again from it
MOST = 8  # operations and reads of an element more than before, at most
LARGE, LARGE_MOST = 1 << 19, 32  # bytes from which on a pass takes the time of as many, with vectors of AVX-512

Spread = dict[Operand, list[Node]]


def read_through(graph: Graph) -> Graph:
    """Compute cheap values where slices or paddings of them are read. Without machine code nothing changes."""
    while (ops.slice in graph.ops or ops.pad in graph.ops) and eligible.is_available():
        spread: Spread = {}
        read = {node.inputs[0] for node in graph.nodes if node.op is ops.slice or node.op is ops.pad}
        for node in graph.nodes:
            if len(node.outputs) == 1 and node.output in read and node.output.type.known_size >= SMALLEST:
                found = _needed(graph, node, spread)
                if found:
                    spread[node.output] = found
        if not spread:
            break
        graph = eliminate_common_subexpressions(simplify(eliminate_dead_code(_Readers(graph, spread).run())))
    return map_inside(graph, read_through)


def _needed(graph: Graph, node: Node, spread: Spread) -> list[Node]:
    """The nodes that compute a value from what is in memory, if it is slices or paddings in kernels that read it, and
    it takes little more to compute these; else none. What reads slices of `spread` waits: it will take more."""
    readers = graph.readers.get(node.output, ())
    moved = [each for each in readers if each is not None and _is_moved(graph, each)]
    padded = [each for each in moved if each.op is ops.pad]
    alone = len(moved) == len(readers)
    if not moved or not (alone or (not padded and all(is_fusible(each) for each in readers if each not in moved))):
        return []
    most = LARGE_MOST * vector_bytes() // WIDTH if node.output.type.nbytes >= LARGE else MOST
    taken: dict[Node, None] = {}
    leaves: set[Operand] = set()
    pending: list[Operand] = [node.output]
    while pending and len(taken) + len(leaves) <= most:
        operand = pending.pop()
        made = graph.producers.get(operand)
        if not isinstance(operand, Value) or 2 * operand.type.known_size <= node.output.type.size:
            continue
        if made is None or not is_fusible(made):
            leaves.add(operand)
            if made is not None and made.inputs and made.inputs[0] in spread:
                return []
            if made is not None and made.op.windows:
                most = MOST
        elif made.op.kind == "elementwise" and made.op.cheap:
            taken[made] = None
            pending += made.inputs
        else:
            return []
    size = node.output.type.size
    more = sum([each.output.type.size for each in moved]) - alone * size
    if pending or more * (len(taken) + len(leaves)) > most * size:
        return []
    found = sorted(taken, key=graph.order.__getitem__)
    if not padded or not found:
        return found
    frame = _of_zeros(found, node.output.type.static_shape)
    if frame is None or frame.any():
        return []
    signed = padded if any(frame.tobytes()) else []  # whose zeros become -0.0
    told = (
        each is None or _tells_zeros_apart(each, made.output) for made in signed for each in graph.readers[made.output]
    )
    return [] if any(told) else found


def _tells_zeros_apart(node: Node, operand: Operand) -> bool:
    """Whether a node gives something else for an operand that is -0.0 than for 0.0, as quotients do, but not sums."""
    if node.op.kind != "elementwise":
        return True
    found: dict[int, set[bytes]] = {1: set(), -1: set()}  # for other operands of these numbers
    with np.errstate(all="ignore"):
        for other, zero in product(found, (0.0, -0.0)):
            given = [x.array if isinstance(x, Literal) else zero if x is operand else other for x in node.inputs]
            arrays = [np.asarray(one).astype(x.type.dtype.np) for one, x in zip(given, node.inputs, strict=True)]
            found[other].add(np.asarray(node.op.kernel(*arrays, **node.attrs)).tobytes())
    return any(len(results) > 1 for results in found.values())


def _of_zeros(nodes: list[Node], shape: tuple[int, ...]) -> np.ndarray | None:
    """What nodes give where all that they read in memory, of this shape, is zero; None where something has another
    shape."""
    known: dict[Operand, np.ndarray] = {}
    with np.errstate(all="ignore"):
        for node in nodes:
            for x in node.inputs:
                if isinstance(x, Literal):
                    known[x] = x.array
                elif x not in known:
                    if x.type.shape != shape:
                        return None
                    known[x] = np.zeros((), x.type.dtype.np)
            known[node.output] = np.asarray(node.op.kernel(*[known[x] for x in node.inputs], **node.attrs))
    return known[nodes[-1].output]


def _is_moved(graph: Graph, node: Node) -> bool:
    """Whether a node is a slice from first to last, or something between zeros, that only kernels read."""
    attrs = node.attrs
    if node.op is ops.slice:
        is_moved = min(attrs["step"], default=1) > 0
    elif node.op is ops.pad:
        is_moved = not attrs["value"] and min(*attrs["low"], *attrs["high"]) >= 0
    else:
        return False
    readers = graph.readers.get(node.output, (None,))
    return is_moved and node.output.type.is_static and all(each is not None and is_fusible(each) for each in readers)


def _positions(node: Node) -> list[range]:
    """The positions along each axis that a slice takes."""
    sizes, attrs = node.inputs[0].type.static_shape, node.attrs
    bounds = zip(sizes, attrs["start"], attrs["stop"], attrs["step"], strict=True)
    return [range(size)[first:last:step] for size, first, last, step in bounds]


class _Readers:
    """A graph while readers of some values are computed."""

    def __init__(self, graph: Graph, spread: Spread) -> None:
        self.graph = graph
        self.spread = spread
        self.nodes: list[Node] = []
        self.made: dict[tuple[Operand, tuple[range, ...]], Value] = {}

    def run(self) -> Graph:
        """The graph."""
        for node in self.graph.nodes:
            if node.inputs and node.inputs[0] in self.spread and _is_moved(self.graph, node):
                self.compute(node)
            else:
                self.nodes.append(node)
        return self.graph.with_nodes(tuple(self.nodes))

    def compute(self, node: Node) -> None:
        """Compute what a slice or a padding gives."""
        known: dict[Operand, Operand] = {}
        for each in self.spread[node.inputs[0]]:
            inputs = [known[x] if x in known else self.part(x, node) for x in each.inputs]
            made = make_node(each.op, inputs, each.attrs, each.location)
            if each.output is node.inputs[0]:
                made = Node(made.op, made.inputs, node.outputs, made.attrs, made.location)
            known[each.output] = made.output
            self.nodes.append(made)

    def part(self, operand: Operand, node: Node) -> Operand:
        """What a slice or padding needs of an operand that is computed with: all along axes that are repeated."""
        if not operand.type.shape:
            return operand
        if node.op is ops.pad:
            self.nodes.append(make_node(ops.pad, (operand,), node.attrs, node.location))
            return self.nodes[-1].output
        sizes, whole = operand.type.static_shape, node.inputs[0].type.static_shape
        before = len(whole) - len(sizes)
        found = [range(size) for size in sizes]
        for axis, (size, taken) in enumerate(zip(sizes, _positions(node)[before:], strict=True)):
            if size == whole[before + axis]:
                found[axis] = taken
        if found == [range(size) for size in sizes]:
            return operand
        source = self.graph.producers.get(operand)
        if source is not None and source.op is ops.slice and all(step == 1 for step in source.attrs["step"]):
            found = [
                range(each.start + by.start, each.stop + by.start, each.step)
                for each, by in zip(found, _positions(source), strict=True)
            ]
            operand = source.inputs[0]
        key = operand, tuple(found)
        if key not in self.made:
            attrs = {name: tuple([getattr(each, name) for each in found]) for name in ("start", "stop", "step")}
            self.nodes.append(make_node(ops.slice, (operand,), attrs, node.location))
            self.made[key] = self.nodes[-1].output
        return self.made[key]
