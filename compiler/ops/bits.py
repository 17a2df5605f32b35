"""Ops on the bits of numbers, which passes use in place of slower ops."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..ir.attributes import DTYPE
from ..ir.code import Call
from ..ir.op import Op, Sample
from ..ir.types import TensorType, broadcast_shapes
from .batching import leading
from .records import elementwise_op
from .samples import booleans, integers, pair

Array = np.ndarray


def _infer_bitcast(x: TensorType, *, dtype: DType) -> TensorType:
    if dtype.is_bool and not x.dtype.is_bool:
        raise TypeError(f"bitcast: the bytes of {x.dtype} need not be 0 or 1, as those of Bool")
    if x.dtype.np.itemsize != dtype.np.itemsize:
        raise TypeError(f"bitcast: {x.dtype} and {dtype} differ in size")
    return x.with_dtype(dtype)


bitcast = Op(
    "bitcast",
    kind="view",
    keeps_order=True,
    cheap=True,
    attrs={"dtype": DTYPE},
    infer=_infer_bitcast,
    kernel=lambda x, *, dtype: np.asarray(x).view(dtype.np),
    batch=leading,
    emit=lambda node, arguments, out: Call(".view", (*arguments, f"np.{node.attrs['dtype'].np.name}")),
    samples=lambda: [Sample(pair((3, 4)), {"dtype": dtypes.int64}, gradient=False)],
    doc="The bits of x read as another dtype of the same size.",
)


def _infer_mask_bits(x: TensorType, condition: TensorType) -> TensorType:
    if not x.dtype.is_integer or not condition.dtype.is_bool:
        raise TypeError(f"mask_bits: operands should be an integer and Bool, but got {x.dtype} and {condition.dtype}")
    return TensorType(x.dtype, broadcast_shapes(x.shape, condition.shape))


def _emit_mask_bits(node: Any, arguments: Any, out: str | None) -> Call:
    return Call("np.multiply", (*arguments, out) if out else tuple(arguments))


mask_bits = elementwise_op(
    "mask_bits",
    _infer_mask_bits,
    np.multiply,
    emit=_emit_mask_bits,
    native=True,
    cheap=True,
    samples=lambda: [
        Sample((*integers((3, 4)), *booleans((3, 4)))),
        Sample((*integers((3, 1)), *booleans((4,)))),
    ],
    doc="x where the condition holds, no bits elsewhere.",
)
