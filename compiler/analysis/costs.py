"""The cost model: floating-point operations of products and convolutions, bytes read and written."""

from __future__ import annotations

from collections.abc import Iterable

from ...runtime.records import dataclass
from ..ir.graph import Node
from ..ir.values import Literal, Operand

FLOPS_PER_SECOND = 3e10
BYTES_PER_SECOND = 1e10


@dataclass(frozen=True)
class Cost:
    """The cost of one run of a node. A multiplication and an addition are two operations.

    Attributes:
        flops: of products and convolutions; 0 for other nodes.
        read, written: bytes of the inputs and outputs, each counted once; of sizes that only the run knows none.
    """

    flops: int
    read: int
    written: int


def node_cost(node: Node) -> Cost:
    """The cost of a node. For a loop or branch only its inputs and outputs count, not its sub-graphs."""
    if node.op.kind == "view":
        return Cost(0, 0, 0)
    written = sum(_bytes(value) for value in node.outputs)
    return Cost(node.flops, sum(_bytes(operand) for operand in _different(node.inputs)), written)


def seconds_of(node: Node) -> float:
    """A rough estimate of a node's time on one thread of a common processor."""
    cost = node_cost(node)
    return cost.flops / FLOPS_PER_SECOND + (cost.read + cost.written) / BYTES_PER_SECOND


def _bytes(operand: Operand) -> int:
    if isinstance(operand, Literal) or not operand.type.is_static:
        return 0
    return operand.type.nbytes


def _different(operands: Iterable[Operand]) -> list[Operand]:
    return list({id(operand): operand for operand in operands}.values())
