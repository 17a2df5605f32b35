"""Blocks that move with the counter of a loop are rows that it scans, so that none is copied.

    %b = dynamic_slice(%x, %i, sizes=(9,))      ->      %rows = blocks(%x, axis=0, size=9, step=1), outside

The frontend makes small ones rows before there is a gradient. The gradient of rows is kept for all iterations, so large
ones become rows here, after it.
"""

from __future__ import annotations

from typing import Any

from .. import ops
from ..analysis.affine import affine_numbers
from ..ir.graph import Graph, Node, make_node
from ..ir.loops import Loop
from ..ir.op import Op
from ..ir.subgraphs import map_subgraphs
from ..ir.values import Literal, Operand, Value


def scan_blocks(graph: Graph) -> Graph:
    """Make blocks of what does not change in a loop scanned operands."""
    if not graph.holders:
        return graph
    nodes: list[Node] = []
    mapping: dict[Operand, Operand] = {}
    for node in graph.nodes:
        if not mapping.keys().isdisjoint(node.inputs):
            node = node.with_inputs([mapping.get(item, item) for item in node.inputs])
        node = map_subgraphs(node, scan_blocks)
        nodes += _with_blocks(node, mapping) if node.op is ops.scan else [node]
    if all(new is old for new, old in zip(nodes, graph.nodes, strict=False)):
        return graph
    return graph.with_nodes(tuple(nodes), tuple([mapping.get(item, item) for item in graph.outputs]))


def _with_blocks(node: Node, mapping: dict[Operand, Operand]) -> list[Node]:
    """A loop with the nodes before it that make its rows. Stacks of these rows are added to the mapping."""
    loop = Loop.of(node)
    body, first = loop.body, loop.rows.stop
    whole: dict[Operand, Operand] = dict(zip(body.parameters[first:], node.inputs[first:], strict=True))
    numbers = affine_numbers(body.parameters[0], body.nodes)
    made: list[Node] = []

    def outside(op: Op, operand: Operand, **attrs: Any) -> Operand:
        made.append(make_node(op, [operand], attrs, node.location))
        return made[-1].output

    found: dict[Operand, Operand] = {}  # what an iteration reads, and the rows of all iterations
    for each in body.nodes:
        if each.op is ops.dynamic_slice and each.inputs[0] in whole and loop.length:
            axes = [axis for axis, start in enumerate(each.inputs[1:]) if start in numbers]
            zeros = sum(isinstance(start, Literal) and not start.value for start in each.inputs[1:])
            if len(axes) != 1 or zeros + 1 < len(each.inputs[1:]) or not each.output.type.is_static:
                continue
            (axis,), source = axes, whole[each.inputs[0]]
            (step, start), size = numbers[each.inputs[1 + axis]], each.attrs["sizes"][axis]
            stop, shape = start + step * (loop.length - 1) + size, source.type.shape
            sizes = (*each.attrs["sizes"][:axis], shape[axis], *each.attrs["sizes"][axis + 1 :])
            if step < 1 or start < 0 or sizes != shape or stop > shape[axis]:
                continue
            if (start, stop) != (0, shape[axis]):
                source = outside(
                    ops.slice, source, start=_with(axis, start, [0] * len(shape)), stop=_with(axis, stop, shape),
                    step=(1,) * len(shape),
                )  # fmt: skip
            found[each.output] = outside(ops.blocks, source, axis=axis, size=size, step=step)
    if not found:
        return [node]
    kept = tuple([each for each in body.nodes if each.op is not ops.dynamic_slice or each.output not in found])
    rows: list[Value] = [value for value in found if isinstance(value, Value)]
    outputs, results = [*body.outputs], [*node.outputs]
    for number in reversed(range(loop.carried, len(outputs))):
        if outputs[number] in found:
            mapping[results.pop(number)] = found[outputs.pop(number)]
    parameters = (*body.parameters[:first], *rows, *body.parameters[first:])
    body = Graph(body.name, parameters, kept, tuple(outputs))
    inputs = (*node.inputs[:first], *found.values(), *node.inputs[first:])
    attrs = {**node.attrs, "body": body, "scanned": loop.scanned + len(rows)}
    return [*made, Node(node.op, inputs, tuple(results), attrs, node.location)]


def _with(axis: int, number: int, others: Any) -> tuple[int, ...]:
    """Numbers, with another one for an axis."""
    return (*others[:axis], number, *others[axis + 1 :])
