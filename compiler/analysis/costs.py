"""What a node asks of the machine: floating-point operations of products and convolutions, bytes read and written."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ..ir.graph import Graph, Node
from ..ir.types import TensorType
from ..ir.values import Literal, Operand
from ..ops import OPS

CONV, INPUT_GRADIENT, WEIGHT_GRADIENT = OPS["conv"], OPS["conv_input_grad"], OPS["conv_weight_grad"]


@dataclass(frozen=True)
class Cost:
    """What one run of a node takes; a multiplication and an addition are two operations.

    Attributes:
        flops: of products and convolutions; 0 for other nodes.
        read, written: bytes of the inputs and outputs, each counted once; of sizes that only the run knows none.
    """

    flops: int
    read: int
    written: int


def node_cost(node: Node) -> Cost:
    """The cost of a node; of a loop or branch what goes in and out, its sub-graphs not included."""
    if node.op.kind == "view":
        return Cost(0, 0, 0)
    written = sum(_bytes(value) for value in node.outputs)
    return Cost(_flops(node), sum(_bytes(operand) for operand in _different(node.inputs)), written)


def _flops(node: Node) -> int:
    types = [operand.type for operand in node.inputs]
    if node.op.is_group:
        body: Graph = node.attrs["body"]
        return sum(map(_flops, body.nodes))
    if node.op.kind == "matmul" and len(types) == 2:
        return 2 * _size(node.output.type) * (types[0].shape[-1] or 0)
    if node.op is CONV:
        return 2 * _size(node.output.type) * _window(types[1])
    if node.op is INPUT_GRADIENT:
        return 2 * _size(types[0]) * _window(types[1])
    if node.op is WEIGHT_GRADIENT:
        return 2 * _size(types[0]) * _window(node.output.type)
    return 0


def _window(weight: TensorType) -> int:
    """Elements of a convolution's weight for one output channel."""
    return math.prod(size or 0 for size in weight.shape[1:])


def _size(type: TensorType) -> int:
    return type.size if type.is_static else 0


def _bytes(operand: Operand) -> int:
    if isinstance(operand, Literal) or not operand.type.is_static:
        return 0
    return operand.type.nbytes


def _different(operands: Iterable[Operand]) -> list[Operand]:
    return list({id(operand): operand for operand in operands}.values())
