"""Strength reduction of products with sparse constant matrices, as those that resize images, to reads and sums.

    %y: f32[9, 4] = matmul(%c, %x)        %t: f32[9, 4] = take(%x, %places, axis=0)
                                          %u: f32[9, 4] = take(%x, %others, axis=0)
                                          %y: f32[9, 4] = add(multiply(%t, %weights), multiply(%u, %rest))

A row of the matrix has few numbers that are not zero. So a row of the result is the sum of as few rows of the other
operand, times these numbers. A nan in a row that is not read would spoil the product; here it does not.
"""

from __future__ import annotations

import numpy as np

from ...runtime.dtypes import float32, float64
from .. import ops
from ..ir.graph import Node
from ..ir.values import Operand
from ..kernels import eligible
from .rewriter import Rewriter, Rules, reads

RULES = Rules()
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
