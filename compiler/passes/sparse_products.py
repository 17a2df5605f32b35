"""Strength reduction of products with one-hot matrices, and with sparse constant ones, to reads and sums of rows.

    %h: f32[9, 5] = select(equal(%ids, 0..4), 1.0, 0.0)        %t: f32[6, 4] = pad(%w, high=(1, 0))
    %y: f32[9, 4] = matmul(%h, %w)                             %y: f32[9, 4] = take(%t, %place, axis=0)

An index out of range chooses one more row, of zeros.

    %y: f32[9, 4] = matmul(%c, %x)        %t: f32[9, 4] = take(%x, %places, axis=0)
                                          %u: f32[9, 4] = take(%x, %others, axis=0)
                                          %y: f32[9, 4] = add(multiply(%t, %weights), multiply(%u, %rest))

A row of a sparse constant, as those that resize images, has few numbers that are not zero. So a row of the result is
the sum of as few rows of the other operand, times these numbers. In a product, a nan in a row that is not read would
spoil the result; here it does not.
"""

from __future__ import annotations

import numpy as np

from ...runtime.dtypes import float32, float64, int32, int64
from .. import ops
from ..ir.graph import Node
from ..ir.values import Literal, Operand, literal
from ..kernels import eligible
from .rewriter import Rewriter, Rules, reads, reads_first

RULES = Rules()


@RULES.for_op(ops.matmul)
@reads_first(ops.cast, ops.reshape, ops.select, ops.equal, ops.transpose)
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


MOST = 8
"""Numbers in a row that are not zero."""
LEAST_ROWS, LEAST_COLUMNS = 8, 16
"""The depth of the product for each of these, at least: rows are read one by one, or elements are gathered."""
LEAST = 4096
"""Elements of a result."""

FIRST_ROWS = 8
"""Of a matrix, which are looked at first: most constants are not sparse, and may be large."""

Terms = tuple[np.ndarray, np.ndarray]
"""The places of numbers in their rows, and the numbers: of shape (numbers in a row, rows)."""


@RULES.for_op(ops.matmul)
@reads(ops.constant, ops.transpose)
def product_of_sparse(rewriter: Rewriter, node: Node) -> Operand | None:
    """A sparse constant matrix times a matrix, or the other way round."""
    a, b = node.inputs
    type = node.output.type
    if min(a.type.rank, b.type.rank) < 2 or not type.is_static or type.size < LEAST:
        return None
    if type.dtype not in (float32, float64) or not eligible.is_available():
        return None
    found = _terms(rewriter, a, LEAST_ROWS)
    if found is not None:
        places, weights = found
        return _sum(rewriter, b, places, weights[..., None], -2)
    found = _terms(rewriter, b, LEAST_COLUMNS, turned=True)
    return None if found is None else _sum(rewriter, a, *found, -1)


def _sum(rewriter: Rewriter, x: Operand, places: np.ndarray, weights: np.ndarray, axis: int) -> Operand:
    """The sum of what is read of an axis at each of some places, times weights."""
    terms = []
    for chosen, weight in zip(places, weights, strict=True):
        index = rewriter.make(ops.constant, [], value=chosen)
        part = rewriter.make(ops.take, [x, index], axis=x.type.rank + axis)
        terms.append(rewriter.make(ops.multiply, [part, rewriter.make(ops.constant, [], value=weight)]))
    while len(terms) > 1:
        terms = [rewriter.make(ops.add, terms[:2]), *terms[2:]]
    return terms[0]


def _terms(rewriter: Rewriter, operand: Operand, least: int, turned: bool = False) -> Terms | None:
    """For each row of a sparse constant matrix, or each column of a `turned` one, the places and numbers that count;
    None for other operands."""
    node = rewriter.producer(operand)
    while node is not None and node.op is ops.transpose and operand.type.rank == 2:
        node, turned = rewriter.producer(node.inputs[0]), not turned
    if node is None or node.op is not ops.constant or operand.type.rank != 2:
        return None
    matrix: np.ndarray = node.attrs["value"].T if turned else node.attrs["value"]
    if np.count_nonzero(matrix[:FIRST_ROWS]) > MOST * FIRST_ROWS:
        return None
    most = int(np.count_nonzero(matrix, axis=1).max())
    if not 0 < most <= min(MOST, matrix.shape[1] // least) or not np.isfinite(matrix).all():
        return None
    places = np.argsort(matrix == 0, axis=1, kind="stable")[:, :most]
    weights = np.take_along_axis(matrix, places, 1)
    places = np.where(weights == 0, places[:, :1], places)
    return np.ascontiguousarray(places.T), np.ascontiguousarray(weights.T)
