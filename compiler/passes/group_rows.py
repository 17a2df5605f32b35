"""The rows of a node: the leading dimensions along which it can run block by block, and which operands it reads so."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from .. import ops
from ..ir.code import Reduction
from ..ir.graph import Node
from ..ir.op import Op
from ..ir.types import Shape
from ..ir.values import Operand
from ..kernels.translation import moves_in_row


def rows_of(node: Node) -> Shape:
    """The leading dimensions along which a node can run block by block; none if it cannot."""
    op, kind = node.op, node.op.kind
    if len(node.outputs) != 1 or not node.inputs:
        return ()
    out, first = node.outputs[0].type.shape, node.inputs[0].type.shape
    if None in out:
        return ()
    if kind == "elementwise" and op.writes_out:
        return elementwise_rows(op, [operand.type.shape for operand in node.inputs], out)
    if None in first:
        return ()
    if kind == "reduction" and isinstance(op.emit, Reduction) and node.attrs["axis"]:
        axis: Sequence[int] = node.attrs["axis"]
        return first[: axis[0] or next((i for i, a in enumerate(axis) if a != i), len(axis))]
    return common(first, out) if op.keeps_order else ()


def elementwise_rows(op: Op, shapes: Sequence[Shape], out: Shape) -> Shape:
    """`rows_of` an elementwise node by the shapes of its inputs and of its output."""
    if not op.writes_out or None in out:
        return ()
    rows = out
    for shape in shapes:
        if shape and shape != out:  # else it has all rows, or none
            rows = common(rows, _rows_read(shape, out))
    return rows


def is_accumulated(node: Node) -> bool:
    """Whether the node reduces over the tiled axis, so that its output is complete only after the last block."""
    return node.op.kind == "reduction" and node.attrs["axis"][0] == 0


@lru_cache(maxsize=4096)
def common(a: Shape, b: Shape) -> Shape:
    """The common leading dimensions of two shapes."""
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return a[:count]


def _rows_read(shape: Shape, out: Shape) -> Shape:
    """The leading dimensions of `out` of which an operand of this shape has all or none."""
    full = (1,) * (len(out) - len(shape)) + shape
    ones = next((i for i, size in enumerate(full) if size != 1), len(full))
    return out[: max(len(common(full, out)), ones)]


def reads_rows(node: Node, operand: Operand, rows: Shape) -> bool:
    """Whether the node reads an operand row by row, not the whole operand for every row."""
    if node.op.windows is not None:  # elements that other rows compute, or other columns
        return moves_in_row(node) and rows == operand.type.shape[: len(rows)] != operand.type.shape
    if node.op is ops.gathered:
        return False
    if node.op is ops.scattered:
        parts = ops.scattered_parts(node.inputs, node.attrs["axes"])
        is_value, is_place = any(operand is part[0] for part in parts), any(operand in part[1:] for part in parts)
        if is_place and (is_value or not _may_compute(node, operand)):
            return False
        return operand.type.shape[: len(rows)] == rows
    shape = operand.type.shape
    return shape[: len(rows)] == rows and (node.op.kind != "elementwise" or len(shape) == node.output.type.rank)


def _may_compute(node: Node, position: Operand) -> bool:
    """Whether a sum at positions may be in the kernel that computes these: of one axis, in numbers of one size."""
    whole = position.type.shape == node.attrs["region"] and ops.LAST not in node.attrs["axes"]
    alike = position.type.dtype.np.itemsize == node.output.type.dtype.np.itemsize
    return whole and alike and sum(axis < 0 for axis in node.attrs["axes"]) == 1 and node.attrs["reduction"] == "add"


def size_of(shape: Shape) -> int:
    """Number of elements; 0 if only the run knows it."""
    return 0 if None in shape else math.prod(shape)  # type: ignore[arg-type]
