"""Demanded parts: of a value that is only read through one slice, no more than that is computed.

    %y: f32[100, 64] = tanh(%x)                      %p: f32[1, 64] = slice(%x, start=(99, 0), ...)
    %z: f32[1, 64] = slice(%y, start=(99, 0), ...)   %z: f32[1, 64] = tanh(%p)

Backwards, each value gets the part that all its readers want. `Op.cuts` says which dimensions of a node's inputs belong
to those of its output, so a slice moves up through elementwise operations, sums along other axes, products of matrices,
and a softmax with all that it consists of. Slices of values of few elements, or of inputs, stay: they are views.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping

from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.layouts import Cuts, cuts_of
from ..ir.naming import take_name
from ..ir.subgraphs import map_inside
from ..ir.values import Operand, Value

FEWEST = 1024  # elements that are computed: a part of fewer is no quicker, and a view of an input may need a copy
LESS = 2  # times fewer elements than the whole value that a part has, unless kernels compute it
LONG = 64  # elements of rows that kernels read as parts of longer rows

Part = tuple[range | None, ...]  # the positions along each axis; None: all


def compute_demanded(graph: Graph) -> Graph:
    """Compute only the part of a value that one slice reads."""
    if ops.slice in graph.ops:
        cut = _parts(graph)
        if cut:
            graph = _Cutting(cut).run(graph)
    return map_inside(graph, compute_demanded)


def _parts(graph: Graph) -> dict[Node, Part]:
    """The part of their output that nodes are to compute, for those that compute less than the whole."""
    wanted: dict[Operand, Part] = {operand: _whole(operand) for operand in graph.outputs}
    found: dict[Node, Part] = {}
    for node in reversed(graph.nodes):
        if len(node.outputs) == 1 and _is_worth(node, wanted.get(node.output, ())):
            found[node] = wanted[node.output]
        if node.op is not ops.slice and node not in found:  # as most
            wanted.update(zip(node.inputs, map(_whole, node.inputs), strict=True))
            continue
        is_small = node.op is ops.slice and _most(graph.producers.get(node.inputs[0])) < FEWEST
        read = [*map(_whole, node.inputs)] if is_small else _read(node, found.get(node))
        for operand, part in zip(node.inputs, read, strict=True):
            before = wanted.get(operand, part)
            wanted[operand] = tuple([each if each == other else None for each, other in zip(before, part, strict=True)])
    return found


def _whole(operand: Operand) -> Part:
    return (None,) * operand.type.rank


def _most(node: Node | None) -> int:
    """The number of elements of the largest value that a node computes, or computes with; 0 if there is none."""
    return 0 if node is None else max([operand.type.known_size for operand in (*node.inputs, *node.outputs)])


def _is_worth(node: Node, part: Part) -> bool:
    """Whether a node can compute a part alone, which is much less than the whole. A slice can be one of a slice."""
    if node.op is ops.slice and node.inputs[0].type.is_static:
        return any(part)
    rule = cuts_of(node) if any(part) else None
    if rule is None or rule.local is not None or not all(x.type.is_static for x in (*node.inputs, node.output)):
        return False
    shape = node.output.type.static_shape
    labels = _labelled(rule, part)
    if len(labels) != sum(one is not None for one in part) or None in labels:
        return False
    whole = dict(zip(rule.outputs[0], shape, strict=True))
    for x, row in zip(node.inputs, rule.inputs, strict=True):
        if any(label in labels and size != whole[label] for size, label in zip(x.type.static_shape, row, strict=True)):
            return False
    sizes = [size if one is None else len(one) for size, one in zip(shape, part, strict=True)]
    in_kernels = node.op.kind == "elementwise" and (part[-1] is None or (sizes[-1] >= LONG and part[-1].step == 1))
    return in_kernels or math.prod(sizes) * LESS <= math.prod(shape)


def _labelled(rule: Cuts, part: Part) -> dict[Hashable, range]:
    """The positions along the dimensions with each label."""
    return {label: each for label, each in zip(rule.outputs[0], part, strict=True) if each is not None}


def _read(node: Node, part: Part | None) -> list[Part]:
    """The part of each input that a node reads. `part`: of its output, where it computes less than the whole."""
    if part is not None and node.op is not ops.slice:
        rule = cuts_of(node)
        assert rule is not None
        labels = _labelled(rule, part)
        return [tuple([labels.get(label) for label in row]) for row in rule.inputs]
    if node.op is not ops.slice or not node.inputs[0].type.is_static:
        return [_whole(operand) for operand in node.inputs]
    shape = node.inputs[0].type.static_shape
    last = len(shape) - 1
    return [
        tuple(
            None if not each or each.step < 0 or len(each) == size or (axis == last and each.step > 1) else each
            for axis, (each, size) in enumerate(zip(_taken(node, part), shape, strict=True))
        )
    ]


def _taken(node: Node, part: Part | None) -> list[range]:
    """The positions that a slice takes along each axis, for a part of its output."""
    attrs = node.attrs
    bounds = zip(attrs["start"], attrs["stop"], attrs["step"], node.inputs[0].type.static_shape, strict=True)
    found = [range(size)[start:stop:step] for start, stop, step, size in bounds]
    if part is None:
        return found
    return [each if one is None else each[_bounds(one)] for each, one in zip(found, part, strict=True)]


class _Cutting:
    """A graph while its values are cut.

    Attributes:
        parts: those that nodes compute.
        known: for each value what stands for it, and which part of it that is.
        nodes: of the new graph.
    """

    def __init__(self, parts: Mapping[Node, Part]) -> None:
        self.parts = parts
        self.known: dict[Operand, tuple[Operand, Part]] = {}
        self.slices: dict[tuple[Operand, Part], Value] = {}
        self.nodes: list[Node] = []

    def run(self, graph: Graph) -> Graph:
        """The graph with smaller values."""
        for node in graph.nodes:
            self.visit(node)
        return graph.with_nodes(tuple(self.nodes), tuple([self.known.get(x, (x,))[0] for x in graph.outputs]))

    def visit(self, node: Node) -> None:
        """Add a node: whole, or for its part."""
        part = self.parts.get(node)
        if part is None and self.known.keys().isdisjoint(node.inputs):  # as most
            self.nodes.append(node)
            return
        wanted = _read(node, part)
        if node.op is ops.slice and (part is not None or node.inputs[0] in self.known):
            operand = node.inputs[0]
            found, has = self.known.get(operand, (operand, _whole(operand)))
            pairs = zip(_taken(node, part), has, operand.type.static_shape, strict=True)
            rest = tuple([None if own or each == range(size) else each for each, own, size in pairs])
            cut = self.sliced(found, rest, node)
            self.known[node.output] = cut, part or _whole(cut)
            return
        inputs = [self.taken(x, each, node) for x, each in zip(node.inputs, wanted, strict=True)]
        if part is None:
            self.nodes.append(node if inputs == list(node.inputs) else node.with_inputs(inputs))
            return
        shape = tuple(
            [
                size if each is None else len(each)
                for size, each in zip(node.output.type.static_shape, part, strict=True)
            ]
        )
        rule = cuts_of(node)
        more = rule.attrs(shape) if rule is not None and rule.attrs is not None else {}
        made = make_node(node.op, inputs, {**node.attrs, **more}, node.location)
        assert made.output.type.shape == shape
        take_name(made.output, node.output)
        self.nodes.append(made)
        self.known[node.output] = made.output, part

    def taken(self, operand: Operand, part: Part, reader: Node) -> Operand:
        """A part of a value, of what is known of it."""
        if reader not in self.parts and reader.op is ops.slice:
            return operand
        found, has = self.known.get(operand, (operand, _whole(operand)))
        return self.sliced(found, tuple([None if own else each for each, own in zip(part, has, strict=True)]), reader)

    def sliced(self, operand: Operand, part: Part, reader: Node) -> Operand:
        """A slice of a value that is in the new graph."""
        if not any(each is not None for each in part):
            return operand
        if (operand, part) not in self.slices:
            pairs = zip(part, operand.type.static_shape, strict=True)
            bounds = [slice(0, size, 1) if each is None else _bounds(each) for each, size in pairs]
            attrs = {name: tuple([getattr(each, name) for each in bounds]) for name in ("start", "stop", "step")}
            made = make_node(ops.slice, (operand,), attrs, reader.location)
            self.nodes.append(made)
            self.slices[operand, part] = made.output
        return self.slices[operand, part]


def _bounds(positions: range) -> slice:
    """The slice that takes these positions."""
    stop = positions.start if not positions else positions[-1] + (1 if positions.step > 0 else -1)
    return slice(positions.start, stop if stop >= 0 else None, positions.step)
