"""Scalar replacement of complex numbers: real and imaginary parts become values of their own.

%b: c64[4] = multiply(%a, %a)            %p: f32[4], %q: f32[4] = separate(%a)
%y: f32[4] = real(%b)                    %t: f32[4] = multiply(%p, %p)
                                         %u: f32[4] = multiply(%q, %q)
                                         %y: f32[4] = subtract(%t, %u)

Kernels compute the parts, and so does machine code for Fourier transforms. What kernels alone read stays in place:
`view_parts` makes views (`part`) of a `separate`, and `complex` in a kernel writes pairs. Ops that have no rule for it
(`Op.parts`) get complex numbers, which are put together for them. The state of a loop is parts if all of its body is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.loops import Loop
from ..ir.naming import take_name
from ..ir.subgraphs import map_subgraphs
from ..ir.types import TensorType
from ..ir.values import Literal, Operand, Value, literal
from ..kernels import eligible
from ..ops.conversion import real_dtype
from ..ops.parts import Parts
from ..transforms.symbolic import UNNAMED, Recorder, Symbol
from .cloning import is_fusible
from .dce import eliminate_dead_code

TRANSFORM = 4  # what a transform or a function in machine code gains, in passes over an array


def split_complex(graph: Graph) -> Graph:
    """Replace complex values by their parts where more is computed with them than is put together and taken apart."""
    if not _has_complex(graph) or not eligible.is_available():
        return graph
    return _Splitting(graph).run()


def view_parts(graph: Graph) -> Graph:
    """Let kernels read the parts of complex numbers where these lie. What else reads parts gets them side by side."""
    if not _has_complex(graph) or not eligible.is_available():
        return graph
    copied = {operand for position, operand in enumerate(graph.outputs) if position not in graph.donated}
    return _with_views(graph, copied)


def _with_views(graph: Graph, copied: Collection[Operand] = ()) -> Graph:
    """`view_parts` of a graph; `copied`: results of which kernels make copies, where they are views."""
    nodes: list[Node] = []
    for node in graph.nodes:
        node = map_subgraphs(node, _with_views)
        if node.op is ops.separate and all(_is_for_kernels(graph, value, copied) for value in node.outputs):
            for imag, value in enumerate(node.outputs):
                made = make_node(ops.part, node.inputs, {"imag": bool(imag)}, node.location)
                nodes.append(replace(made, outputs=(value,)))
        else:
            nodes += _before_reshape(graph, node) if node.op.paired else [node]
    return graph.with_nodes(tuple(nodes))


def _before_reshape(graph: Graph, node: Node) -> list[Node]:
    """The nodes that put together what is reshaped, and reshape that: so the kernel that computes the parts does it."""
    made = [graph.producers.get(part) for part in node.inputs]
    given = [view.inputs[0] for view in made if view is not None and view.op is ops.reshape]
    if len(given) < 2 or given[0].type != given[1].type:
        return [node]
    together = make_node(node.op, given, {}, node.location)
    shape = {"shape": node.output.type.static_shape}
    return [together, replace(make_node(ops.reshape, together.outputs, shape, node.location), outputs=node.outputs)]


def _is_for_kernels(graph: Graph, value: Value, copied: Collection[Operand]) -> bool:
    """Whether kernels alone read a value, perhaps through views, or copy it. What is read within bounds, as what is
    rolled, takes less time side by side."""

    def is_read(reader: Node | None) -> bool:
        if reader is None or is_fusible(reader):
            return reader is not None or value in copied
        if reader.op is ops.scan:
            return _is_unread(Loop.of(reader), value)
        return reader.op.kind == "view" and _is_for_kernels(graph, reader.output, copied)

    return all(map(is_read, graph.readers.get(value, ())))


def _is_unread(loop: Loop, value: Value) -> bool:
    """Whether no iteration reads a value that a loop is given, now that what stays the same is computed before."""
    body = loop.body
    given = enumerate(zip(loop.node.inputs, body.parameters, strict=True))
    return all(
        position >= loop.rows.stop and not body.readers.get(parameter)
        for position, (operand, parameter) in given
        if operand is value
    )


def _has_complex(graph: Graph) -> bool:
    """Whether a value is complex, also in a graph inside."""
    return any(type.dtype.is_complex for type in graph.value_types)


def _is_complex(operand: Operand) -> bool:
    return operand.type.dtype.is_complex


def _is_in_kernels(operand: Operand) -> bool:
    """Whether kernels read and write a value, if they compute with it elementwise."""
    return operand.type.is_static and operand.type.size > 0


class _Splitting:
    """The nodes of one graph so far, on parts of complex values."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.recorder = Recorder(graph.name, naming=lambda: UNNAMED)
        self.now: dict[Operand, Operand] = {}  # values that are not split, or that are put together again
        self.parts: dict[Operand, Parts] = {}
        self.gained = self.lost = 0

    def run(self) -> Graph:
        """The graph on parts; the graph itself, but for its subgraphs, if it is not worth it."""
        graph = self.graph
        for value in graph.parameters:
            self.now[value] = value
        inner = tuple(map_subgraphs(node, split_complex) for node in graph.nodes)
        with self.recorder:
            for node, before in zip(inner, graph.nodes, strict=True):
                if node.op.kind != "loop" or not self.repeat(before):
                    self.visit(node)
            outputs = tuple(map(self.whole, graph.outputs))
        if self.gained < max(1, self.lost):
            changed = any(new is not old for new, old in zip(inner, graph.nodes, strict=True))
            return graph.with_nodes(inner, graph.outputs) if changed else graph
        return graph.with_nodes(tuple(self.recorder.nodes), outputs)

    def visit(self, node: Node) -> None:
        """Add a node, or what computes it on parts."""
        location = node.location
        self.recorder.locate = lambda: location
        if not any(map(_is_complex, (*node.inputs, *node.outputs))) or not self.split(node):
            inputs = tuple(map(self.whole, node.inputs))
            self.recorder.nodes.append(node if inputs == node.inputs else node.with_inputs(inputs))
            self.now.update((value, value) for value in node.outputs)

    def repeat(self, node: Node) -> bool:
        """Repeat a graph on parts, if it has complex operands, and all that it computes is on parts then."""
        loop = Loop.of(node)
        if not any(map(_is_complex, node.inputs)):
            return False
        attrs: dict[str, Any] = {**node.attrs, "carried": _count(loop.initial)}
        for name, given in node.attrs.items():
            if isinstance(given, Graph):
                attrs[name] = graph = _on_parts(given)
                if _has_complex(graph):
                    return False
        if loop.test is None:
            attrs["scanned"] = _count(node.inputs[loop.rows.start : loop.rows.stop])
        inputs: list[Operand] = []
        for operand in node.inputs:
            if _is_complex(operand):
                shape = operand.type.shape
                parts = [
                    x if x.shape == shape else ops.broadcast_to(x, shape=shape) for x in self.part(operand).filled()
                ]
                inputs += map(self.recorder.lift, parts)
            else:
                inputs.append(self.now.get(operand, operand))
        made = make_node(node.op, inputs, attrs, node.location)
        self.recorder.nodes.append(made)
        outputs = iter(made.outputs)
        for value in node.outputs:
            self.now[value] = next(outputs)
            take_name(self.now[value], value)
            if _is_complex(value):
                real, imag = (Symbol(each, self.recorder) for each in (self.now.pop(value), next(outputs)))
                self.parts[value] = Parts(real, imag)
                self.gained += TRANSFORM
        return True

    def split(self, node: Node) -> bool:
        """Compute a node on parts, if it has a rule for it."""
        rule = node.op.parts
        if rule is None:
            return False
        marks = len(self.recorder.nodes), dict(self.parts), self.lost
        known = {*self.parts}
        given = [self.part(operand) if _is_complex(operand) else self.symbol(operand) for operand in node.inputs]
        found = rule(node.op, *given, **node.attrs)
        if found is None:
            del self.recorder.nodes[marks[0] :]
            self.parts, self.lost = marks[1:]
            return False
        value = node.output
        if node.op.kind not in ("elementwise", "reduction") or not _is_in_kernels(value):
            self.lost += len(self.parts.keys() - known)
        if isinstance(found, Parts):
            self.parts[value] = found
            function = node.op.kind == "elementwise" and not node.op.cheap
            gain = TRANSFORM if function or node.op.kind == "opaque" else 1
            self.gained += gain * (node.op.kind == "opaque" or any(map(_is_complex, node.inputs)))
        else:
            self.now[value] = self.recorder.lift(found)
            self.gained += TRANSFORM if node.op.kind == "opaque" else _is_in_kernels(value)
            take_name(self.now[value], value)
        return True

    def symbol(self, operand: Operand) -> Symbol:
        """The symbol of an operand."""
        return Symbol(self.now.get(operand, operand), self.recorder)

    def part(self, operand: Operand) -> Parts:
        """The parts of a complex operand."""
        if isinstance(operand, Literal):
            dtype, number = real_dtype(operand.type.dtype), complex(operand.value)
            real, imag = (Symbol(literal(each, dtype), self.recorder) for each in (number.real, number.imag))
            return Parts(real if number.real or not number.imag else None, imag if number.imag else None)
        if operand not in self.parts:
            x = self.symbol(operand)
            self.parts[operand] = Parts(*ops.separate(x))
        return self.parts[operand]

    def whole(self, operand: Operand) -> Operand:
        """An operand, put together if it was split."""
        if isinstance(operand, Literal):
            return operand
        if operand not in self.now:
            node = self.graph.producers.get(operand)
            self.lost += node is None or node.op.kind != "elementwise" or not _is_in_kernels(operand)
            self.now[operand] = made = self.recorder.lift(_together(self.parts[operand], operand.type))
            if isinstance(operand, Value):
                take_name(made, operand)
        return self.now[operand]


def _count(operands: Iterable[Operand]) -> int:
    """The number of operands, with one for each part."""
    return sum(1 + _is_complex(operand) for operand in operands)


def _on_parts(graph: Graph) -> Graph:
    """A graph that takes and gives the parts of complex numbers."""
    parameters, before, after, outputs = list[Value](), list[Node](), list[Node](), list[Operand]()
    for value in graph.parameters:
        if not _is_complex(value):
            parameters.append(value)
            continue
        parts = [Value(value.type.with_dtype(real_dtype(value.type.dtype)), value.name) for _ in range(2)]
        parameters += parts
        before.append(replace(make_node(ops.complex, parts), outputs=(value,)))
    for operand in graph.outputs:
        if _is_complex(operand):
            after += [make_node(ops.real, [operand]), make_node(ops.imag, [operand])]
            outputs += [node.output for node in after[-2:]]
        else:
            outputs.append(operand)
    nodes = (*before, *graph.nodes, *after)
    made = split_complex(replace(graph, parameters=tuple(parameters), nodes=nodes, outputs=tuple(outputs)))
    return eliminate_dead_code(made)


def _together(parts: Parts, type: TensorType) -> Any:
    """The complex value of parts, whose shape may be that of one of them."""
    zero = literal(0.0, real_dtype(type.dtype))
    made = ops.complex(*[zero if part is None else part for part in parts])
    return made if made.shape == type.shape else ops.broadcast_to(made, shape=type.shape)
