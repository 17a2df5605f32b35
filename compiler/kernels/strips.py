"""Strip-mining: a long loop of machine code becomes a loop of short ones, between which Python can handle signals.

%y = loop_kernel(150000000, %x)    ->      %y = scan(24, %x) { %y = loop_kernel(6250000, %x) }
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ...runtime.native.language import Kernel
from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.loops import INDEX, Loop
from ..ir.values import Operand, Value, literal
from .tiny_loops import VECTOR, duration

STRIP = 10e6  # estimated nanoseconds of a strip
LEAST = 16  # iterations of a strip, as each may copy the state
TRIED = 1000  # numbers of strips, to find one that leaves no rest


def in_strips(node: Node, kernel: Kernel) -> list[Node]:
    """A counted `loop_kernel` with this kernel, or a loop of shorter ones that computes the same."""
    loop = Loop.of(node)
    length = loop.length or 0
    total = length * duration(kernel) * max(1.0, math.prod(kernel.extents[1:]) / VECTOR)
    wanted = min(length // LEAST, int(total / STRIP))
    if loop.until is not None or wanted < 2:
        return [node]
    count = next((n for n in range(wanted, min(2 * wanted, wanted + TRIED)) if length % n == 0), wanted)
    strip, rest = divmod(length, count)
    nodes: list[Node] = []
    inputs, stacks = list(node.inputs), list[Operand]()
    if rest:  # comes first: the first rows, or the last ones where these come first
        cut = length - rest if loop.reverse else rest
        ends = [(cut, length), (0, cut)] if loop.reverse else [(0, cut), (cut, length)]
        for position in loop.rows:
            inputs[position] = _cut(nodes, node.inputs[position], ends[0])
        nodes.append(_part(node, inputs, rest))
        inputs[1 : 1 + loop.carried] = nodes[-1].outputs[: loop.carried]
        stacks += nodes[-1].outputs[loop.carried :]
        for position in loop.rows:
            inputs[position] = _cut(nodes, node.inputs[position], ends[1])
    for position in loop.rows:
        inputs[position] = _shaped(nodes, inputs[position], (count, strip, *inputs[position].type.static_shape[1:]))
    made = _strips(node, inputs, count, strip)
    nodes.append(replace(made, outputs=(*node.outputs[: loop.carried], *made.outputs[loop.carried :])))
    for number, (value, whole) in enumerate(zip(loop.stacks, made.outputs[loop.carried :], strict=True)):
        joined = _shaped(nodes, whole, (count * strip, *whole.type.static_shape[2:]))
        if rest:
            parts = (joined, stacks[number]) if loop.reverse else (stacks[number], joined)
            nodes.append(make_node(ops.concatenate, parts, {"axis": 0}, node.location))
        nodes[-1] = replace(nodes[-1], outputs=(value,))
    return nodes


def _strips(node: Node, inputs: Sequence[Operand], count: int, strip: int) -> Node:
    """The scan over strips."""
    loop = Loop.of(node)
    parameters = [Value(INDEX, "strip"), *[Value(operand.type, value.name) for operand, value in
                  zip(inputs[1:], loop.body.parameters[1:], strict=True)]]  # fmt: skip
    for position in loop.rows:
        type = inputs[position].type
        parameters[position] = Value(type.with_shape(type.shape[1:]), parameters[position].name)
    inner = _part(node, parameters, strip)
    attrs = {**node.attrs, "body": Graph("strip", tuple(parameters), (inner,), inner.outputs), "length": count}
    attrs.pop("until", None)
    return make_node(ops.scan, (literal(count, INDEX.dtype), *inputs[1:]), attrs, node.location)


def _part(node: Node, inputs: Sequence[Operand], length: int) -> Node:
    """The loop of so many iterations."""
    inputs = (literal(length, INDEX.dtype), *inputs[1:])
    return make_node(ops.loop_kernel, inputs, {**node.attrs, "length": length}, node.location)


def _cut(nodes: list[Node], operand: Operand, ends: tuple[int, int]) -> Value:
    """Some of the rows."""
    rest = operand.type.static_shape[1:]
    attrs = {"start": (ends[0], *[0] * len(rest)), "stop": (ends[1], *rest), "step": (1,) * (1 + len(rest))}
    nodes.append(make_node(ops.slice, (operand,), attrs, None))
    return nodes[-1].output


def _shaped(nodes: list[Node], operand: Operand, shape: tuple[int, ...]) -> Value:
    """The same elements in another shape."""
    nodes.append(make_node(ops.reshape, (operand,), {"shape": shape}, None))
    return nodes[-1].output
