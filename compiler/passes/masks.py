"""If-conversion of selects: a choice between numbers becomes bit arithmetic, which is far faster than `np.where`.

%a: f32[4] = select(%p, %x, 0.0)         %t: i32[4] = bitcast(%x, dtype=i32)
                                         %u: i32[4] = mask_bits(%t, %p)
                                         %a: f32[4] = bitcast(%u, dtype=f32)
"""

from __future__ import annotations

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import DType
from .. import ops
from ..ir.graph import Graph, Node, Replacement
from ..ir.naming import take_name
from ..ir.subgraphs import map_inside
from ..ir.values import Literal, Operand, literal

INTEGER_OF_BITS = {32: dtypes.int32, 64: dtypes.int64}


def select_by_bits(graph: Graph) -> Graph:
    """Replace each select of 32- or 64-bit numbers by bit operations with the condition, which preserve nan and inf.

    A select with a zero is one product of bits. Any other starts from the bits of y, and where x is wanted flips those
    in which x differs.
    """
    if ops.select not in graph.ops:
        return graph
    nodes: list[Node] = []
    mapping: dict[Operand, Operand] = {}
    for node in map_inside(graph, select_by_bits).nodes:
        if mapping and any(operand in mapping for operand in node.inputs):
            node = node.with_inputs(mapping.get(operand, operand) for operand in node.inputs)
        dtype = node.outputs[0].type.dtype if node.op is ops.select else dtypes.bool_
        if dtype.bits in INTEGER_OF_BITS and not dtype.is_complex:
            written = _Bits(node, INTEGER_OF_BITS[dtype.bits])
            mapping[node.output] = written.select()
            take_name(mapping[node.output], node.output)
            nodes += written.nodes
        else:
            nodes.append(node)
    outputs = tuple(mapping.get(operand, operand) for operand in graph.outputs)
    return graph.with_nodes(tuple(nodes), outputs)


class _Bits(Replacement):
    """The nodes that replace one select."""

    def __init__(self, node: Node, integer: DType) -> None:
        super().__init__(node)
        self.integer = integer

    def bits(self, operand: Operand) -> Operand:
        """The bits of an operand as an integer."""
        if isinstance(operand, Literal):
            return literal(int(operand.array.view(self.integer.np)), self.integer)
        return operand if operand.type.dtype is self.integer else self.add(ops.bitcast, operand, dtype=self.integer)

    def select(self) -> Operand:
        """The selected numbers."""
        condition = self.node.inputs[0]
        x, y = map(self.bits, self.node.inputs[1:])
        dtype, shape = self.node.output.type.dtype, self.node.output.type.shape
        if _is_zero(y):
            chosen = self.add(ops.mask_bits, x, condition)
        elif _is_zero(x):
            chosen = self.add(ops.mask_bits, y, self.add(ops.logical_not, condition))
        else:
            different = self.add(ops.bitwise_xor, x, y)
            chosen = self.add(ops.bitwise_xor, y, self.add(ops.mask_bits, different, condition))
        if dtype is not self.integer:
            chosen = self.add(ops.bitcast, chosen, dtype=dtype)
        assert chosen.type.shape == shape
        return chosen


def _is_zero(operand: Operand) -> bool:
    return isinstance(operand, Literal) and not np.any(operand.array)
