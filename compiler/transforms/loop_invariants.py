"""Loop-invariant code motion: values that a body computes from outside values alone are computed once, before the loop.

%y = while_loop(%x, %w) {                %e = exp(%w)
  %e = exp(%w)                           %y = while_loop(%x, %e) {
  return multiply(%s, %e)                  return multiply(%s, %e)
}                                        }

What may raise, such as an inverse, or a sum of sizes that only the run knows, moves only from loops that run it in any
case.
"""

from __future__ import annotations

from dataclasses import replace

from ..ir.graph import Graph, Node, walk
from ..ir.loops import Loop
from ..ir.subgraphs import map_subgraphs
from ..ir.values import Operand, Value


def move_invariants(graph: Graph) -> Graph:
    """Move loop-invariant nodes of every while_loop and scan in front of it."""
    if not any(op.kind == "loop" for op in graph.ops):
        return graph
    nodes: list[Node] = []
    for node in graph.nodes:
        node = map_subgraphs(node, move_invariants)
        if node.op.kind == "loop":
            before, node = _move(node)
            nodes += before
        nodes.append(node)
    return graph.with_nodes(tuple(nodes))


def _move(node: Node) -> tuple[list[Node], Node]:
    loop = Loop.of(node)
    body, test, varying = loop.body, loop.test, loop.rows.stop
    outside: dict[Operand, Operand] = dict(zip(body.parameters[varying:], node.inputs[varying:], strict=True))
    before: list[Node] = []
    moved: list[Value] = []  # the moved values that the body still reads, under their names in the body
    kept: list[Node] = []
    needed: set[Operand] = set()
    runs = bool(loop.length) and not any(inner.op.kind in ("effect", "collective") for inner in walk(body))
    for inner in body.nodes:
        movable = inner.is_speculatable or (runs and (inner.op.is_speculatable or inner.op.kind == "opaque"))
        invariant = movable and all(operand in outside or not isinstance(operand, Value) for operand in inner.inputs)
        if invariant and any(isinstance(operand, Value) for operand in inner.inputs):
            outputs = tuple(Value(value.type, value.name) for value in inner.outputs)
            inputs = tuple(outside.get(operand, operand) for operand in inner.inputs)
            before.append(replace(inner, inputs=inputs, outputs=outputs))
            outside.update(zip(inner.outputs, outputs, strict=True))
            moved += inner.outputs
        else:
            kept.append(inner)
            needed.update(inner.inputs)
    if not before:
        return [], node
    needed.update(body.outputs)
    captured = [value for value in moved if value in needed]
    new_body = replace(body, nodes=tuple(kept), parameters=(*body.parameters, *captured))
    attrs = {**node.attrs, "body": new_body}
    if test is not None:
        extra = tuple(Value(value.type, value.name) for value in captured)
        attrs["test"] = replace(test, parameters=(*test.parameters, *extra))
    inputs = (*node.inputs, *[outside[value] for value in captured])
    return before, replace(node, inputs=inputs, attrs=attrs)
