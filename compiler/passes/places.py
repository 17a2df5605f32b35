"""Gathers and scatters in the form that kernels have, next to the elementwise nodes that read them.

    %r: f32[9, 4] = take(%x, %i, axis=0)     %r: f32[9, 4] = gathered(%x, %i_1, axes=(-1, 1), region=(9, 4))
    %z: f32[5, 4] = full(value=0.0)          %g: f32[5, 4] = scattered(%v, %j_1, axes=(-1, 1), region=(9, 4), …)
    %g: f32[5, 4] = take_add(%z, %j, %v)

A scatter into a tensor other than zeros becomes a scatter into zeros and an addition, unless the tensor is large. Each
elementwise reader gets a gather of its own, so that gathered elements are never written to memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from ...runtime.dtypes import int32, int64
from ...runtime.native.counts import COMBINED_ROW, FEW
from ...runtime.processors import cache_bytes
from .. import ops
from ..ir.graph import Graph, Node, freeze
from ..ir.naming import take_name
from ..ir.subgraphs import map_inside
from ..ir.values import Operand
from ..kernels import eligible
from ..transforms.symbolic import UNNAMED, Recorder, Symbol
from .chosen import add_together, choose_early, store_few_rows, use_last_place
from .cloning import clone_producers, is_fusible
from .dce import eliminate_dead_code

LARGER, SMALL = 4, 1 << 13
"""A tensor so many times as large as the scattered values, and of more elements than these, is updated in place, which
takes some ten microseconds more."""


def use_places(graph: Graph) -> Graph:
    """Bring reads and sums at positions into the form of kernels; without machine code nothing changes."""
    if not any(op.gathers or op.scatters for op in graph.ops) or not eligible.is_available():
        return graph
    graph = map_inside(graph, use_places)
    if not any(node.op.gathers or node.op.scatters for node in graph.nodes):
        return graph
    graph = add_together(store_few_rows(use_last_place(choose_early(eliminate_dead_code(_converted(graph))))))
    return clone_producers(eliminate_dead_code(graph), lambda node: node.op is ops.gathered)


def place_scatters(graph: Graph) -> Graph:
    """Bring the sums at positions of a graph, without its sub-graphs, into the form of kernels."""
    if not any(node.op.scatters for node in graph.nodes) or not eligible.is_available():
        return graph
    return eliminate_dead_code(_converted(graph, gathers=False))


def _converted(graph: Graph, gathers: bool = True) -> Graph:
    recorder = Recorder(graph.name, naming=lambda: UNNAMED)
    location: Any = None
    recorder.locate = lambda: location
    mapping: dict[Operand, Operand] = {}
    kept: list[Node] = []
    views: dict[Hashable, Operand] = {}  # of positions: one for all nodes that read at them
    producers = graph.producers

    def convert(node: Node, rule: Any, *places: Node) -> bool:
        nonlocal location
        location, recorder.nodes = node.location, []
        given = [mapping.get(operand, operand) for operand in node.inputs]
        if node.op.gathers is not None:  # positions of 32 bits need no cast
            given[1:] = [_uncast(operand, producers) for operand in given[1:]]
        symbols = [Symbol(operand, recorder) for operand in given]
        found = rule(*symbols, **node.attrs)
        if found is None:
            return False
        if len(places) == 2:
            made = recorder.nodes.pop()
            found = ops.taken(*[Symbol(operand, recorder) for operand in made.inputs], **made.attrs)
        if node.op.scatters is not None:
            found = _with_rest(graph, node, recorder.nodes[-1], symbols[0], found)
            if found is None:
                return False
        for made in recorder.nodes:
            made = made.with_inputs(mapping.get(operand, operand) for operand in made.inputs)
            first, known = made.outputs[0], None
            if made.op.kind == "view":
                known = views.setdefault((made.op, made.inputs, freeze(sorted(made.attrs.items()))), first)
            if known in (None, first):
                kept.append(made)
            else:
                mapping[first] = known
        for place, symbol in zip(places, found if isinstance(found, tuple) else (found,), strict=True):
            operand = mapping[place.output] = recorder.lift(symbol)
            take_name(operand, place.output)
        return True

    taken = _taken(graph) if gathers else {}
    with recorder:
        for node in graph.nodes:
            if node in taken:
                convert(node, *taken[node])  # the others stay, and nothing reads them
            rule = (node.op.gathers if gathers else None) or node.op.scatters
            if rule is None or not convert(node, rule, node):
                if not mapping.keys().isdisjoint(node.inputs):
                    node = node.with_inputs(map(mapping.get, node.inputs, node.inputs))
                kept.append(node)
    outputs = tuple(mapping.get(operand, operand) for operand in graph.outputs)
    return graph.with_nodes(tuple(kept), outputs)


def _uncast(operand: Operand, producers: Mapping[Operand, Node]) -> Operand:
    """What an operand is a cast to int64 of, if that is int32; else the operand."""
    made = producers.get(operand)
    if made is None or made.op is not ops.cast or made.output.type.dtype is not int64:
        return operand
    return made.inputs[0] if made.inputs[0].type.dtype is int32 else operand


def _taken(graph: Graph) -> dict[Node, tuple[Callable[..., Any] | None, Node, Node]]:
    """The nodes that say which writes stay where both gradients of an assignment are: with the rule of what is read,
    the node that assigns zeros, and the one that chooses among what is read."""
    found: dict[Node, tuple[Callable[..., Any] | None, Node, Node]] = {}
    for last in graph.nodes:
        if last.op.stays is None or not last.output.type.is_static or last.output.type.size < FEW:
            continue
        if last.output.type.dtype.bits < 32:  # no kernel takes them out
            continue
        same = {node.op: node for node in graph.nodes if node.op in last.op.stays and _places(node) == _places(last)}
        if len(same) == 2:
            read, zeros = [same[op] for op in last.op.stays]
            for node in graph.nodes:
                if node.op is ops.multiply and {*node.inputs} == {last.output, read.output}:
                    found[last] = read.op.gathers, zeros, node
    return found


def _places(node: Node) -> tuple[list[Operand], dict[str, Any]]:
    """What says where a node reads, or assigns zeros."""
    return [one for one in node.inputs if getattr(one, "value", None) != 0], {"reduction": "update", **node.attrs}


def _with_rest(graph: Graph, node: Node, recorded: Node, x: Any, found: Any) -> Any:
    """A scattered sum combined with the tensor that it is added to; None if it should be added in place."""
    reduction, shape = node.attrs.get("reduction", "add"), found.type.static_shape
    made = graph.producers.get(node.inputs[0])
    if made is not None and made.op is ops.full and made.attrs["value"] == ops.identity(reduction, found.dtype.np):
        return found
    region = recorded.attrs["region"]
    in_place = math.prod(shape) > max(LARGER * math.prod(region), SMALL) or _is_large(graph, node, recorded)
    return None if in_place else ops.combine(reduction, x, found)


def _is_large(graph: Graph, node: Node, recorded: Node) -> bool:
    """Whether rows are combined with those of a tensor that no core's cache holds, and no kernel computes on: to write
    zeros and to add them takes longer than the rows, which machine code adds in place."""
    at, *rest = recorded.attrs["axes"]
    if at != ops.AT or ops.AT in rest or math.prod(recorded.attrs["shape"][1:]) < COMBINED_ROW:
        return False
    readers = graph.readers.get(node.output, ())
    return node.output.type.nbytes > 2 * cache_bytes() and not any(map(is_fusible, filter(None, readers)))
