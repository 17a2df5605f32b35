"""Sums of outer products become one GEMM: a loop stacks the factors, and the product follows the loop.

    %w, %ys = scan(8, %w0, %as, %bs) {       %ys, %ss, %ts = scan(8, %as, %bs) {
      %p = matmul(%a, %b)                      return %y, %s, %t
      %w = add(%w, %p)                       }
      return %w, %y                          %p = matmul(%ss, %ts)
    }                                        %w = add(%w0, %p)

The backward of a loop adds to the gradient of a matrix in every iteration: a product with few rows, and an addition as
large as the matrix. With the rows of all iterations stacked, it is one product. Sums of rows, and of small terms, are
moved behind the loop, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from .. import ops
from ..ir.graph import Graph, Node, make_node, uses
from ..ir.loops import Loop
from ..ir.op import Op
from ..ir.subgraphs import map_subgraphs
from ..ir.values import Operand, Value
from .dce import eliminate_dead_code

MOST_STACKED = 1 << 21  # elements that a sum may stack, which the loop would not have kept
SMALL_TERM = 1 << 12  # elements; of larger ones adding up takes longer than the calls that stacking saves


def sum_outer_products(graph: Graph) -> Graph:
    """Move sums that a scan of known length carries, and does not otherwise read, behind it; also in sub-graphs."""
    nodes: list[Node] = []
    mapping: dict[Operand, Operand] = {}
    producers: dict[Operand, Node] = {}
    for node in graph.nodes:
        node = map_subgraphs(node, sum_outer_products)
        if mapping and any(operand in mapping for operand in node.inputs):
            node = node.with_inputs(mapping.get(operand, operand) for operand in node.inputs)
        loop = Loop.of(node) if node.op.kind == "loop" else None
        if loop is not None and loop.length is not None:
            found = _find_sums(loop, loop.length)
            if found:
                new = _Loop(node).without(found, producers, mapping)
                producers.update((value, each) for each in new for value in each.outputs)
                nodes += new
                continue
        producers.update((value, node) for value in node.outputs)
        nodes.append(node)
    outputs = tuple(mapping.get(operand, operand) for operand in graph.outputs)
    return graph.with_nodes(tuple(nodes), outputs)


@dataclass(frozen=True)
class _Sum:
    """A sum that a loop carries at `position`: of products of `parts`, or, if there is one part, of that part over
    `axis`."""

    position: int
    parts: tuple[Value, ...]
    axis: tuple[int, ...]
    keepdims: bool


def _find_sums(loop: Loop, length: int) -> list[_Sum]:
    """The sums that the body of a scan carries and does not otherwise read."""
    body, carried = loop.body, loop.carried
    producers: dict[Operand, Node] = {value: inner for inner in body.nodes for value in inner.outputs}
    counts = uses(body)
    invariant: set[Operand] = {body.parameters[0], *body.parameters[loop.rows.stop :]}
    kept = {value for value in loop.stacked if isinstance(value, Value)}
    kept.update(body.parameters[loop.rows.start : loop.rows.stop])
    found: list[_Sum] = []
    for position in range(carried):
        total, result = body.parameters[1 + position], body.outputs[position]
        adding = producers.get(result)
        if adding is None or adding.op is not ops.add or counts.get(total) != 1 or counts[adding.output] != 1:
            continue
        terms = [operand for operand in adding.inputs if operand is not total]
        if len(terms) != 1 or terms[0].type != total.type or not total.type.is_static or terms[0] not in producers:
            continue
        each = _parts(position, terms[0], producers)
        if any(part in invariant or not isinstance(part, Value) for part in each.parts):
            continue
        new = sum(part.type.size for part in dict.fromkeys(each.parts) if part not in kept)
        if new * length <= MOST_STACKED and (new <= SMALL_TERM or new <= 2 * total.type.size):
            if len(each.parts) == 1 and not each.axis and total.type.size > SMALL_TERM:
                continue
            found.append(each)
    return found


def _parts(position: int, term: Operand, producers: dict[Operand, Node]) -> _Sum:
    """The values to stack for a term, so that it can be summed later."""
    node = producers[term]
    if node.op is ops.matmul and all(x.type.rank == 2 and x.type.is_static for x in node.inputs):
        left = producers.get(node.inputs[0])
        if left is not None and left.op is ops.transpose and left.attrs["axes"] == (1, 0):
            return _Sum(position, (left.inputs[0], node.inputs[1]), (), False)  # type: ignore[arg-type]
    if node.op is ops.sum and node.inputs[0].type.is_static and isinstance(node.inputs[0], Value):
        return _Sum(position, (node.inputs[0],), tuple(node.attrs["axis"]), node.attrs["keepdims"])
    return _Sum(position, (term,), (), False)  # type: ignore[arg-type]


class _Loop:
    """A scan that is being rewritten."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.nodes: list[Node] = []

    def add(self, op: Op, *inputs: Operand, **attrs: Any) -> Value:
        """The output of a new node behind the loop."""
        self.nodes.append(make_node(op, inputs, attrs, self.node.location))
        return self.nodes[-1].output

    def without(
        self, sums: Sequence[_Sum], producers: dict[Operand, Node], mapping: dict[Operand, Operand]
    ) -> list[Node]:
        """The loop without these sums and the nodes that compute them. `mapping` gets their replacements."""
        node, attrs = self.node, self.node.attrs
        body: Graph = attrs["body"]
        carried, scanned, length = attrs["carried"], attrs["scanned"], attrs["length"]
        gone = {each.position for each in sums}
        states = [i for i in range(carried) if i not in gone]
        stacked: dict[Operand, Operand] = {}
        for position in range(1 + carried, 1 + carried + scanned):
            stacked[body.parameters[position]] = node.inputs[position]
        for operand, value in zip(body.outputs[carried:], node.outputs[carried:], strict=True):
            stacked.setdefault(operand, value)
        more: list[Value] = []
        stacks: list[Value] = []
        for part in dict.fromkeys(part for each in sums for part in each.parts):
            if part not in stacked:
                more.append(part)
                stacks.append(Value(part.type.with_shape((length, *part.type.static_shape)), part.name))
                stacked[part] = stacks[-1]
        inner = replace(
            body,
            parameters=tuple(value for i, value in enumerate(body.parameters) if i - 1 not in gone),
            outputs=(*[body.outputs[i] for i in states], *body.outputs[carried:], *more),
        )
        loop = replace(
            node,
            inputs=tuple(operand for i, operand in enumerate(node.inputs) if i - 1 not in gone),
            outputs=(*[node.outputs[i] for i in states], *node.outputs[carried:], *stacks),
            attrs={**attrs, "body": eliminate_dead_code(inner), "carried": len(states)},
        )
        for each in sums:
            total = self.total(each, [stacked[part] for part in each.parts])
            start = node.inputs[1 + each.position]
            made = producers.get(start)
            if made is None or made.op is not ops.full or made.attrs["value"] != 0:
                total = self.add(ops.add, start, total)
            mapping[node.outputs[each.position]] = total
        return [loop, *self.nodes]

    def total(self, each: _Sum, stacks: Sequence[Operand]) -> Value:
        """A sum over all iterations."""
        if len(stacks) == 2:
            left, right = (
                self.add(ops.reshape, x, shape=(math.prod(x.type.static_shape[:2]), x.type.static_shape[2]))
                for x in stacks
            )
            return self.add(ops.matmul, self.add(ops.transpose, left, axes=(1, 0)), right)
        axis = (0, *[a + 1 for a in each.axis])
        if not each.keepdims:
            return self.add(ops.sum, stacks[0], axis=axis, keepdims=False)
        total = self.add(ops.sum, stacks[0], axis=axis, keepdims=True)
        return self.add(ops.reshape, total, shape=total.type.static_shape[1:])
