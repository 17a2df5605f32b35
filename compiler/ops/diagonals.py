"""Ops on diagonals and triangles of matrices."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..ir.attributes import INT
from ..ir.graph import Node
from ..ir.op import Op, Sample
from ..ir.rules import Batch
from ..ir.types import Dimension, Shape, TensorType, show_shape
from ..ir.values import literal
from .batching import leading, shifted
from .comparison import greater_equal, less_equal, logical_and, select
from .creation import constant, zeros_as
from .infer import same_dtype
from .samples import pair
from .shape import reshape
from .slicing import check_fits, start_from

MOST_MASKED = 1 << 16  # elements of matrices whose triangles are chosen by a mask, a constant
MOST_CHOSEN = 1 << 12  # elements; a kernel that replaces a diagonal passes over all of a matrix


def _diagonal_shape(what: str, shape: Shape, offset: int, axis1: int, axis2: int) -> Shape:
    rank = len(shape)
    if not (0 <= axis1 < rank and 0 <= axis2 < rank) or axis1 == axis2:
        raise ValueError(
            f"{what}: the two axes should be distinct and in [0, {rank}) for a tensor of shape {show_shape(shape)}, "
            f"but got {axis1} and {axis2}"
        )
    rows, columns = shape[axis1], shape[axis2]
    length: Dimension = None
    if rows is not None and columns is not None:
        length = max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
    return (*(size for axis, size in enumerate(shape) if axis not in (axis1, axis2)), length)


def _kernel_diagonal_scatter(
    x: np.ndarray, value: np.ndarray, *, offset: int, axis1: int, axis2: int, out: np.ndarray | None = None
) -> np.ndarray:
    result = start_from(x, out)
    elements = result.diagonal(offset, axis1, axis2)
    elements.flags.writeable = True  # NumPy's view is not, lest one takes it for a copy
    elements[...] = value
    return result


def _infer_diagonal_scatter(x: TensorType, value: TensorType, *, offset: int, axis1: int, axis2: int) -> TensorType:
    same_dtype(x, value)
    check_fits(value.shape, _diagonal_shape("diagonal_scatter", x.shape, offset, axis1, axis2))
    return x


def _batch_diagonal_scatter(batch: Batch, x: Any, value: Any, *, offset: int, axis1: int, axis2: int) -> Any:
    x, value = batch.stack(x, batch.mapped[0]), batch.align(value, batch.mapped[1], batch.rank((x, value), 0) - 1)
    return diagonal_scatter(x, value, offset=offset, axis1=axis1 + 1, axis2=axis2 + 1)


def _by_mask(x: Any, value: Any, *, offset: int, axis1: int, axis2: int) -> Any:
    """diagonal_scatter of small square matrices as a choice, for kernels."""
    size, ends = x.shape[-1], (x.rank - 2, x.rank - 1)
    if offset or {axis1, axis2} != set(ends) or None in (*x.shape, *value.shape) or x.shape[-2:] != (size, size):
        return None
    if not value.rank or value.shape[-1] != size or not 0 < math.prod(x.shape) <= MOST_CHOSEN:
        return None
    rows = reshape(value, shape=(*value.shape[:-1], 1, size))
    return select(constant(value=np.eye(size, dtype=np.bool_)), rows, x)


def flat_diagonal(node: Node) -> tuple[int, int, int] | None:
    """Start, stop and step of the diagonal of a node's matrix among its elements in one row; None without one."""
    if node.output.type.rank != 2 or not node.output.type.is_static:
        return None
    offset = node.attrs["offset"] if node.attrs["axis1"] == 0 else -node.attrs["offset"]
    rows, columns = node.output.type.static_shape
    start, length = max(offset, -offset * columns), min(rows + min(offset, 0), columns - max(offset, 0))
    return (start, start + (length - 1) * (columns + 1) + 1, columns + 1) if length > 0 else None


diagonal: Op = Op(
    "diagonal",
    kind="view",
    attrs={"offset": INT, "axis1": INT, "axis2": INT},
    infer=lambda x, *, offset, axis1, axis2: x.with_shape(_diagonal_shape("diagonal", x.shape, offset, axis1, axis2)),
    kernel=lambda x, *, offset, axis1, axis2: np.diagonal(x, offset, axis1, axis2),
    vjp=lambda x, out, dout, **attrs: diagonal_scatter(zeros_as(x), dout, **attrs),
    batch=shifted("axis1", "axis2"),
    samples=lambda: [
        Sample(pair((3, 4)), {"offset": 0, "axis1": 0, "axis2": 1}),
        Sample(pair((3, 2, 4)), {"offset": -1, "axis1": 2, "axis2": 0}),
        Sample(pair((2, 3)), {"offset": 3, "axis1": 0, "axis2": 1}),
    ],
    doc="The diagonals of the matrices over two axes, as a last dimension (a view).",
)
diagonal_scatter: Op = Op(
    "diagonal_scatter",
    attrs={"offset": INT, "axis1": INT, "axis2": INT},
    infer=_infer_diagonal_scatter,
    kernel=_kernel_diagonal_scatter,
    native_definition=_by_mask,
    vjp=lambda x, value, out, dout, **attrs: (
        diagonal_scatter(dout, literal(0, dout.dtype), **attrs),
        diagonal(dout, **attrs),
    ),
    batch=_batch_diagonal_scatter,
    inplace=True,
    samples=lambda: [
        Sample(pair((3, 4), (3,)), {"offset": 0, "axis1": 0, "axis2": 1}),
        Sample(pair((3, 2, 4), (2, 1)), {"offset": 1, "axis1": 2, "axis2": 0}),
    ],
    doc="x with the elements that diagonal would take replaced by a value (broadcast).",
)


def _infer_triangle(x: TensorType, *, k: int) -> TensorType:
    if x.rank < 2:
        raise ValueError(f"tril and triu need a tensor of at least two dimensions, but got shape {show_shape(x.shape)}")
    return x


def _below(x: np.ndarray, k: int) -> np.ndarray:
    """A mask of the elements of a matrix up to the k-th diagonal, for any `k`, also beyond 64 bits."""
    rows, columns = x.shape[-2:]
    return np.tri(rows, columns, max(-rows, min(k, columns)), dtype=np.bool_)


def _kept(x: np.ndarray, mask: np.ndarray, out: np.ndarray | None) -> np.ndarray:
    if out is None:
        return np.where(mask, x, np.zeros((), x.dtype))
    if out is not x:
        np.copyto(out, x)
    np.copyto(out, np.zeros((), x.dtype), where=~mask)
    return out


def _chosen(mask: Callable[[np.ndarray, int], np.ndarray], compare: Op) -> Callable[..., Any]:
    """A triangle as a choice, for kernels: by a mask, or in large matrices by a comparison of rows and columns."""

    def kept(chosen: Any, x: Any) -> Any:
        return logical_and(chosen, x) if x.dtype.is_bool else select(chosen, x, 0)

    def definition(x: Any, *, k: int) -> Any:
        if None in x.shape or x.dtype.is_complex or not x.shape[-1] * x.shape[-2]:
            return None
        rows, columns = x.shape[-2:]
        if rows * columns <= MOST_MASKED:
            return kept(constant(value=mask(np.empty((rows, columns)), k)), x)
        numbers = np.dtype(np.int64 if x.dtype.itemsize == 8 else np.int32)
        last = np.arange(rows, dtype=numbers)[:, None] + numbers.type(max(-rows, min(k, columns)))
        return kept(compare(constant(value=np.arange(columns, dtype=numbers)), constant(value=last)), x)

    return definition


def _above(x: np.ndarray, k: int) -> np.ndarray:
    """A mask of the elements of a matrix from the k-th diagonal on."""
    return ~_below(x, k - 1)


tril: Op = Op(
    "tril",
    attrs={"k": INT},
    infer=_infer_triangle,
    kernel=lambda x, *, k, out=None: _kept(x, _below(x, k), out),
    native_definition=_chosen(_below, less_equal),
    vjp=lambda x, out, dout, *, k: tril(dout, k=k),
    batch=leading,
    inplace=True,
    samples=lambda: [Sample(pair((3, 4)), {"k": 0}), Sample(pair((2, 3, 3)), {"k": -1})],
    doc="The lower triangles of matrices, up to the k-th diagonal; zeros above.",
)
triu: Op = Op(
    "triu",
    attrs={"k": INT},
    infer=_infer_triangle,
    kernel=lambda x, *, k, out=None: _kept(x, _above(x, k), out),
    native_definition=_chosen(_above, greater_equal),
    vjp=lambda x, out, dout, *, k: triu(dout, k=k),
    batch=leading,
    inplace=True,
    samples=lambda: [Sample(pair((3, 4)), {"k": 0}), Sample(pair((2, 3, 3)), {"k": 1})],
    doc="The upper triangles of matrices, from the k-th diagonal; zeros below.",
)
