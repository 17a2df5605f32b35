"""The values in the body of a loop that are a multiple of its counter, plus a number."""

from __future__ import annotations

from collections.abc import Iterable

from .. import ops
from ..ir.graph import Node
from ..ir.values import Literal, Operand

Affine = tuple[int, int]  # a * i + b


def affine_numbers(index: Operand, nodes: Iterable[Node]) -> dict[Operand, Affine]:
    """The values in a body that are the counter `index` times a number, plus a number."""
    found: dict[Operand, Affine] = {index: (1, 0)}

    def of(operand: Operand) -> Affine | None:
        if isinstance(operand, Literal):
            return (0, operand.value) if type(operand.value) is int else None
        return found.get(operand)

    for node in nodes:
        if node.op.kind == "view" and node.inputs[0] in found and node.output.type == index.type:
            found[node.output] = found[node.inputs[0]]
        if len(node.inputs) != 2 or node.inputs[0].type != index.type or node.inputs[1].type != index.type:
            continue
        one, other = of(node.inputs[0]), of(node.inputs[1])
        if one is None or other is None:
            continue
        if node.op is ops.add:
            found[node.output] = one[0] + other[0], one[1] + other[1]
        elif node.op is ops.subtract:
            found[node.output] = one[0] - other[0], one[1] - other[1]
        elif node.op is ops.multiply and 0 in (one[0], other[0]):
            found[node.output] = one[0] * other[1] + other[0] * one[1], one[1] * other[1]
    return found
