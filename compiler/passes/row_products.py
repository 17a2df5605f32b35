"""Loop fission: products of a loop's rows with one matrix are one product before the loop.

    %y = scan(60, %s, %xs, %w) {              %p: f32[480, 4] = matmul(reshape(%xs), %w)
      %a: f32[8, 4] = matmul(%x, %w)          %y = scan(60, %s, reshape(%p)) {
      %s: f32[8, 4] = add(%s, %a)               %s: f32[8, 4] = add(%s, %a)
      return %s                                 return %s
    }                                         }

So a recurrent layer multiplies the inputs of all steps at once. Elementwise functions of rows of one number, such as
casts, are computed for all rows at once, too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.loops import Loop
from ..ir.subgraphs import map_subgraphs
from ..ir.values import Operand, Value
from .dce import eliminate_dead_code

LARGEST_ROW = 1 << 10  # elements of a product; larger ones gain nothing
LARGEST = 1 << 21  # elements of all products


def multiply_rows(graph: Graph) -> Graph:
    """Move products of rows with matrices that do not change before the loops; also in sub-graphs."""
    if ops.scan not in graph.ops:
        return graph
    nodes: list[Node] = []
    for node in graph.nodes:
        node = map_subgraphs(node, multiply_rows)
        nodes += _divided(node) if node.op is ops.scan else [node]
    return graph.with_nodes(tuple(nodes))


def _divided(node: Node) -> list[Node]:
    """The nodes of products before a loop, and the loop without them."""
    loop = Loop.of(node)
    rows: dict[Operand, Operand] = dict(
        zip(_part(loop.body.parameters, loop.rows), _part(node.inputs, loop.rows), strict=True)
    )
    fixed: dict[Operand, Operand] = dict(
        zip(loop.body.parameters[loop.rows.stop :], node.inputs[loop.rows.stop :], strict=True)
    )
    before: list[Node] = []
    found: dict[Operand, Operand] = {}
    for inner in loop.body.nodes:
        if inner.op is ops.reshape and inner.inputs[0] in rows and inner.output.type.is_static:
            rows[inner.output] = rows[inner.inputs[0]]
        elif _is_product(inner, loop.length) and inner.inputs[0] in rows and inner.inputs[1] in fixed:
            height, width = inner.inputs[0].type.static_shape
            columns = inner.output.type.static_shape[1]
            shape, location = (loop.length or 0, height, columns), inner.location
            flat = make_node(ops.reshape, [rows[inner.inputs[0]]], {"shape": (shape[0] * height, width)}, location)
            product = make_node(ops.matmul, [flat.output, fixed[inner.inputs[1]]], None, location)
            whole = make_node(ops.reshape, [product.output], {"shape": shape}, location, inner.output.name)
            before += [flat, product, whole]
            found[inner.output] = whole.output
        elif _is_number(inner):
            given: list[Any] = [
                rows.get(item, fixed.get(item)) if isinstance(item, Value) else item for item in inner.inputs
            ]
            ranks = {-1 if each is None else each.type.rank for each in given}
            if ranks in ({1}, {0, 1}):
                whole = make_node(inner.op, given, inner.attrs, inner.location, inner.output.name)
                before.append(whole)
                rows[inner.output] = found[inner.output] = whole.output
    if not found:
        return [node]
    at, body = loop.rows.stop, loop.body
    kept = tuple(inner for inner in body.nodes if found.keys().isdisjoint(inner.outputs))
    read = {*body.outputs, *[item for inner in kept for item in inner.inputs]}
    found = {value: whole for value, whole in found.items() if value in read}
    new: dict[Operand, Value] = {}
    for value in found:
        new[value] = Value(value.type, getattr(value, "name", ""))
    kept = tuple(inner.with_inputs(new.get(item, item) for item in inner.inputs) for inner in kept)
    parameters = (*body.parameters[:at], *new.values(), *body.parameters[at:])
    outputs = tuple(new.get(item, item) for item in body.outputs)
    inner_graph = eliminate_dead_code(replace(body, parameters=parameters, nodes=kept, outputs=outputs))
    attrs = {**node.attrs, "body": inner_graph, "scanned": loop.scanned + len(found)}
    inputs = (*node.inputs[:at], *found.values(), *node.inputs[at:])
    return [*before, replace(node, inputs=inputs, attrs=attrs)]


def _part(values: tuple[Operand, ...], positions: range) -> tuple[Operand, ...]:
    return values[positions.start : positions.stop]


def _is_number(node: Node) -> bool:
    """Whether a node is an elementwise function of numbers."""
    numbers = all(item.type.shape == () for item in (*node.inputs, *node.outputs) if isinstance(item, Value))
    return node.op.kind == "elementwise" and numbers


def _is_product(node: Node, length: int | None) -> bool:
    """Whether a node is a small product of two matrices."""
    if node.op is not ops.matmul or length is None or not node.output.type.is_static:
        return False
    sizes = {operand.type.rank for operand in node.inputs}
    return sizes == {2} and node.output.type.size <= min(LARGEST_ROW, LARGEST // max(length, 1))
