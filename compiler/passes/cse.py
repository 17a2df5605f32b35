"""Common subexpression elimination: equal nodes are computed once.

%a: f32[4] = tanh(%x)                    %a: f32[4] = tanh(%x)
%b: f32[4] = tanh(%x)                    %c: f32[4] = add(%a, %a)
%c: f32[4] = add(%a, %b)
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from ..ir.graph import Graph, Node, freeze
from ..ir.loops import Loop
from ..ir.subgraphs import is_kept, map_subgraphs
from ..ir.values import Operand, Value


def eliminate_common_subexpressions(graph: Graph) -> Graph:
    """Merge nodes with the same op, attributes and inputs (sub-graphs are compared by structure). Effects are never
    merged."""
    if len(graph.nodes) < 2 and not graph.holders:
        return graph
    known: dict[Hashable, Node | dict[Hashable, Node]] = {}
    mapping: dict[Operand, Operand] = {}
    kept: list[Node] = []
    has_effect = graph.has_effect
    for node in graph.nodes:
        if mapping and not mapping.keys().isdisjoint(node.inputs):
            node = node.with_inputs(map(mapping.get, node.inputs, node.inputs))
        if node.op.holds_graphs:
            counted = node.op.kind == "loop" and Loop.of(node).test is None
            node = map_subgraphs(_with_operands_once(node) if counted else node, eliminate_common_subexpressions)
            if counted:
                mapping.update(_stacked_twice(node))
        if not (has_effect and is_kept(node)):
            op, inputs = node.op, node.inputs
            if op.commutative and len(inputs) > 1 and id(inputs[1]) < id(inputs[0]):
                inputs = (inputs[1], inputs[0], *inputs[2:])
            key = op, inputs
            first = known.setdefault(key, node)
            found = None if first is node else _same(node, key, first, known)
            if found is not None:
                mapping.update(zip(node.outputs, found.outputs, strict=True))
                continue
        kept.append(node)
    return graph.with_nodes(tuple(kept), tuple([mapping.get(operand, operand) for operand in graph.outputs]))


def _same(
    node: Node, key: Hashable, first: Node | dict[Hashable, Node], known: dict[Hashable, Node | dict[Hashable, Node]]
) -> Node | None:
    """The known node that computes the same; if there is none, the node is known from now on. `first`: what is known
    under its key.

    Attributes, which may be whole graphs, are compared only where ops and inputs are equal.
    """
    if isinstance(first, Node):
        if not first.attrs and not node.attrs:
            return first
        first = known[key] = {_attributes(first): first}
    found = first.setdefault(_attributes(node), node)
    return None if found is node else found


def _with_operands_once(node: Node) -> Node:
    """A scan whose body reads the first of several equal operands; those that nothing reads any more are left to dead
    code elimination."""
    loop = Loop.of(node)
    known: dict[tuple[Operand, bool], int] = {}
    renamed: dict[Operand, Operand] = {}
    for position in range(loop.rows.start, len(node.inputs)):
        key = node.inputs[position], position in loop.rows
        first = known.setdefault(key, position)
        if first != position:
            renamed[loop.body.parameters[position]] = loop.body.parameters[first]
    if not renamed:
        return node
    nodes = [each.with_inputs(renamed.get(operand, operand) for operand in each.inputs) for each in loop.body.nodes]
    outputs = tuple(renamed.get(operand, operand) for operand in loop.body.outputs)
    return replace(node, attrs={**node.attrs, "body": loop.body.with_nodes(tuple(nodes), outputs)})


def _stacked_twice(node: Node) -> dict[Operand, Operand]:
    """For each output of a scan that stacks the same values as an earlier one this one."""
    loop = Loop.of(node)
    known: dict[Operand, Value] = {}
    found: dict[Operand, Operand] = {}
    for stack, value in zip(node.outputs[loop.finals :], loop.body.outputs[loop.carried :], strict=True):
        first = known.setdefault(value, stack)
        if first is not stack:
            found[stack] = first
    return found


def _attributes(node: Node) -> tuple[Any, ...]:
    """A key for the attributes of a node."""
    return tuple([(name, freeze(value)) for name, value in sorted(node.attrs.items())])
