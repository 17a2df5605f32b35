"""Ops on sizes that only the run knows: the size of a dimension, and tensors in shapes with such sizes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..ir.attributes import DTYPE, INT, NUMBER, OPEN_SIZES
from ..ir.graph import Node
from ..ir.op import Op, Sample
from ..ir.types import Dimension, TensorType
from ..ir.values import Operand, literal
from .samples import pair


def _infer_extent(x: TensorType, *, axis: int) -> TensorType:
    if not 0 <= axis < x.rank:
        raise ValueError(f"extent: axis should be in [0, {x.rank}), but got {axis}")
    return TensorType(dtypes.int64, ())


def _known_extent(node: Node) -> Operand | None:
    size = node.inputs[0].type.shape[node.attrs["axis"]]
    return None if size is None else literal(size, dtypes.int64)


extent: Op = Op(
    "extent",
    attrs={"axis": INT},
    infer=_infer_extent,
    kernel=lambda x, *, axis: np.asarray(np.shape(x)[axis], np.int64),
    batch=lambda batch, x, *, axis: batch.whole(extent(x, axis=axis + 1)),
    rewrites=(_known_extent,),
    samples=lambda: [Sample(pair((2, 3)), {"axis": 1}, gradient=False)],
    doc="The size of a dimension of x, as a number of the run.",
)


def _check_size(size: TensorType) -> None:
    if size.shape != () or size.dtype is not dtypes.int64:
        raise TypeError(f"a size should be a 0-d Int64 tensor, but got {size}")


def _infer_open_full(*sizes: TensorType, shape: tuple[Dimension, ...], value: Any, dtype: DType) -> TensorType:
    for size in sizes:
        _check_size(size)
    if len(sizes) != shape.count(None):
        raise ValueError(f"open_full: {len(sizes)} sizes are given for shape {shape}")
    return TensorType(dtype, shape)


def _whole(size: np.ndarray) -> int:
    length = int(size)
    if length < 0:
        raise ValueError(f"the size of a dimension should not be negative, but got {length}")
    return length


def _kernel_open_full(*sizes: np.ndarray, shape: tuple[Dimension, ...], value: Any, dtype: DType) -> np.ndarray:
    given = iter(sizes)
    return np.full([_whole(next(given)) if size is None else size for size in shape], value, dtype.np)


open_full: Op = Op(
    "open_full",
    attrs={"shape": OPEN_SIZES, "value": NUMBER, "dtype": DTYPE},
    infer=_infer_open_full,
    kernel=_kernel_open_full,
    samples=lambda: [
        Sample((np.array(3),), {"shape": (2, None), "value": 1.5, "dtype": dtypes.float32}, gradient=False)
    ],
    doc="A tensor of one value in a shape, whose unknown sizes the inputs give.",
)


def _infer_open_iota(size: TensorType) -> TensorType:
    _check_size(size)
    return TensorType(dtypes.int64, (None,))


open_iota: Op = Op(
    "open_iota",
    infer=_infer_open_iota,
    kernel=lambda size: np.arange(_whole(size), dtype=np.int64),
    samples=lambda: [Sample((np.array(3),), gradient=False)],
    doc="0, 1, … up to a number of the run.",
)
