"""Sums of narrow integers in 64 bits, as sums of 32 bits that kernels compute with what comes before them.

%w: i64[64, 512] = cast(%x, dtype=i64)        %l: i32[64, 512] = bitwise_and(%x, 65535)
%s: i64[64] = sum(%w, axis=(1,))              %h: i32[64, 512] = right_shift(%x, 16)
                                              … the sums of both, and 65536 times the second one with the first
A minimum or maximum of such a sum and a number has 32 bits, too.
"""

from __future__ import annotations

import math

from ...runtime.dtypes import int32, int64
from .. import ops
from ..ir.graph import Graph, Node, walk
from ..ir.values import Literal, Operand, literal
from .dce import eliminate_dead_code
from .rewriter import Rewriter, Rules

MOST = 1 << 15  # halves of 16 bits, whose sum has 31
MANY = 1 << 14  # elements; fewer are summed sooner by two calls of NumPy

RULES = Rules()


def narrow_sums(graph: Graph) -> Graph:
    """Replace sums of integers and bools that are cast to 64 bits."""
    if ops.sum not in graph.ops or not any(
        node.op is ops.sum and node.output.type.dtype is int64 for node in walk(graph)
    ):
        return graph
    rewriter = Rewriter(graph, lambda node: RULES.by_op.get(node.op, ()), narrow_sums)
    for node in graph.nodes:
        rewriter.visit(node)
    outputs = tuple(map(rewriter.current, graph.outputs))
    return eliminate_dead_code(graph.with_nodes(tuple(rewriter.nodes), outputs))


@RULES.for_op(ops.sum)
def _narrow(rewriter: Rewriter, node: Node) -> Operand | None:
    made = rewriter.producer(node.inputs[0], ops.cast)
    if made is None or node.output.type.dtype is not int64:
        return None
    x, type = made.inputs[0], made.output.type
    if not type.is_static or not 0 < type.size < 1 << 31:
        return None
    flags = rewriter.producer(x, ops.cast)
    if flags is not None and flags.inputs[0].type.dtype.is_bool:
        x = flags.inputs[0]
    if x.type.dtype.is_bool:
        ones = rewriter.make(ops.cast, [x], dtype=int32)
        return rewriter.make(ops.cast, [rewriter.make(ops.sum, [ones], **node.attrs)], dtype=int64)
    return _by_halves(rewriter, node, x) if x.type.dtype is int32 and type.size >= MANY else None


@RULES.for_op(ops.minimum, ops.maximum)
def _narrow_choice(rewriter: Rewriter, node: Node) -> Operand | None:
    """The smaller, or larger, of a number and what was cast from 32 bits, which then may be computed with the sum."""
    x, y = node.inputs
    made = rewriter.producer(x, ops.cast)
    if made is None or made.inputs[0].type.dtype is not int32 or made.output.type.dtype is not int64:
        return None
    if not isinstance(y, Literal) or not isinstance(y.value, int) or not -(1 << 31) <= y.value < 1 << 31:
        return None
    return rewriter.make(ops.cast, [rewriter.make(node.op, [made.inputs[0], literal(y.value, int32)])], dtype=int64)


def _by_halves(rewriter: Rewriter, node: Node, x: Operand) -> Operand | None:
    """A sum of 32-bit integers: over as many of the last axes as the sums have room for, then over the others."""
    shape, axes = x.type.static_shape, sorted(node.attrs["axis"])
    within: list[int] = []
    while axes and math.prod(shape[axis] for axis in (*within, axes[-1])) <= MOST:
        within.append(axes.pop())
    if not within or math.prod(shape[axis] for axis in within) < 16:
        return None
    low = rewriter.make(ops.bitwise_and, [x, literal((1 << 16) - 1, int32)])
    high = rewriter.make(ops.right_shift, [x, literal(16, int32)])
    wide = []
    for half in (low, high):
        total = rewriter.make(ops.sum, [half], axis=tuple(sorted(within)), keepdims=True)
        wide.append(rewriter.make(ops.cast, [total], dtype=int64))
    scaled = rewriter.make(ops.multiply, [wide[1], literal(1 << 16, int64)])
    total = rewriter.make(ops.add, [wide[0], scaled])
    if axes:
        total = rewriter.make(ops.sum, [total], axis=tuple(axes), keepdims=True)
    return rewriter.make(ops.reshape, [total], shape=node.output.type.static_shape)
