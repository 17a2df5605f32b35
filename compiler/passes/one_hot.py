"""Strength reduction of products with one-hot matrices to reads or sums of rows.

    %h: f32[9, 5] = select(equal(%ids, 0..4), 1.0, 0.0)        %t: f32[6, 4] = pad(%w, high=(1, 0))
    %y: f32[9, 4] = matmul(%h, %w)                             %y: f32[9, 4] = take(%t, %place, axis=0)

An index out of range chooses one more row, of zeros. In a product, a nan in a row that is not chosen would spoil the
result; here it does not.
"""

from __future__ import annotations

import numpy as np

from ...runtime.dtypes import int32, int64
from .. import ops
from ..ir.graph import Node
from ..ir.values import Literal, Operand, literal
from .rewriter import Rewriter, Rules, reads

RULES = Rules()


@RULES.for_op(ops.matmul)
@reads(ops.cast, ops.reshape, ops.select, ops.equal, ops.transpose)
def product_of_one_hot(rewriter: Rewriter, node: Node) -> Operand | None:
    """A one-hot matrix times a matrix is the matrix's rows; a transposed one adds up rows."""
    a, b = node.inputs
    if b.type.rank != 2 or not all(type.is_static and type.size for type in (a.type, b.type)):
        return None
    depth, width = b.type.static_shape
    ids = _indices(rewriter, a)
    if ids is not None:
        table = rewriter.make(ops.pad, [b], low=(0, 0), high=(1, 0), value=0)
        lead = rewriter.make(ops.reshape, [ids], shape=a.type.static_shape[:-1])
        return rewriter.make(ops.take, [table, _place(rewriter, lead, depth)], axis=0)
    turned = rewriter.producer(a, ops.transpose)
    ids = None if turned is None or a.type.rank != 2 else _indices(rewriter, turned.inputs[0])
    if ids is None:
        return None
    size = a.type.static_shape[0]
    flat = rewriter.make(ops.reshape, [ids], shape=(depth,))  # of the product's rows: one index each
    zeros = rewriter.make(ops.full, [], shape=(size + 1, width), value=0, dtype=b.type.dtype)
    sums = rewriter.make(ops.take_add, [zeros, _place(rewriter, flat, size), b], axis=0)
    return rewriter.make(ops.slice, [sums], start=(0, 0), stop=(size, width), step=(1, 1))


def _place(rewriter: Rewriter, ids: Operand, depth: int) -> Operand:
    """Indices, those outside of [0, depth) as depth."""
    dtype = ids.type.dtype
    low = rewriter.make(ops.less, [ids, literal(0, dtype)])
    high = rewriter.make(ops.greater, [ids, literal(depth, dtype)])
    outside = rewriter.make(ops.logical_or, [low, high])
    return rewriter.make(ops.select, [outside, literal(depth, dtype), ids])


def _indices(rewriter: Rewriter, operand: Operand) -> Operand | None:
    """The indices of a matrix that has 1 where the column has the number of the row's index, and 0 elsewhere."""
    node = rewriter.producer(operand)
    if node is None or not operand.type.is_static or not operand.type.rank:
        return None
    depth = operand.type.static_shape[-1]
    if node.op is ops.cast or (node.op is ops.reshape and node.inputs[0].type.shape[-1:] == (depth,)):
        return _indices(rewriter, node.inputs[0])
    if node.op is ops.select:
        mask, on, off = node.inputs
        numbers = [x.value for x in (on, off) if isinstance(x, Literal)]
        return _indices(rewriter, mask) if numbers == [1, 0] and mask.type.shape == operand.type.shape else None
    if node.op is not ops.equal:
        return None
    for ids, steps in (node.inputs, node.inputs[::-1]):
        fits = ids.type.dtype in (int32, int64) and ids.type.shape == (*operand.type.static_shape[:-1], 1)
        if fits and counts(rewriter, steps, depth):
            return ids
    return None


def counts(rewriter: Rewriter, operand: Operand, depth: int, whole: bool = False) -> bool:
    """Whether these are the numbers from 0 to depth - 1, along the last axis alone, or anywhere with `whole`."""
    node = rewriter.producer(operand)
    if node is None or not operand.type.is_static or operand.type.size != depth:
        return False
    if node.op is ops.reshape:
        return (whole or operand.type.shape[-1:] == (depth,)) and counts(rewriter, node.inputs[0], depth, whole)
    if node.op is ops.iota:
        return (node.attrs["start"], node.attrs["step"]) == (0, 1)
    if node.op is not ops.constant or not (whole or operand.type.shape[-1:] == (depth,)):
        return False
    return np.array_equal(node.attrs["value"].reshape(-1), np.arange(depth))
