"""Ops that make tensors from attributes, and symbols of zeros."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..ir.attributes import ARRAY, DTYPE, NUMBER, OPEN_SIZES, SIZE, SIZES
from ..ir.code import Call, Code
from ..ir.graph import Node
from ..ir.layouts import Cuts, Part, labelled
from ..ir.op import Op, Sample
from ..ir.spelling import is_plain
from ..ir.types import TensorType
from .batching import leading
from .samples import pair


def _infer_full(*, shape: tuple[int, ...], value: Any, dtype: DType) -> TensorType:
    if isinstance(value, complex) and not dtype.is_complex:
        raise TypeError(f"full: {value} is complex, which no number of {dtype} is")
    return TensorType(dtype, shape)


def _kernel_full(*, shape: tuple[int, ...], value: Any, dtype: DType) -> np.ndarray:
    return np.full(shape, value, dtype.np)


def _emit_full(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
    value, dtype = node.attrs["value"], node.attrs["dtype"]
    if not is_plain(value) or not hasattr(np, dtype.np.name):
        return None
    return Call("np.full", (node.attrs["shape"], value, f"np.{dtype.np.name}"))


def _part_of_iota(part: Part, *, start: Any, step: Any, size: int, dtype: DType) -> Any:
    size //= part.count(0)
    return iota(start=start + step * size * part.position((0,)), step=step, size=size, dtype=dtype)


full = Op(
    "full",
    kind="creation",
    cuts=lambda node: Cuts((), labelled(node.attrs["shape"]), attrs=lambda shape: {"shape": shape}),
    attrs={"shape": SIZES, "value": NUMBER, "dtype": DTYPE},
    emit=_emit_full,
    infer=_infer_full,
    kernel=_kernel_full,
    samples=lambda: [Sample((), {"shape": (2, 3), "value": 1.5, "dtype": dtypes.float32})],
    doc="A tensor of one value.",
)
iota: Op = Op(
    "iota",
    kind="creation",
    cuts=lambda node: Cuts((), ((0,),), local=_part_of_iota),
    attrs={"start": NUMBER, "step": NUMBER, "size": SIZE, "dtype": DTYPE},
    infer=lambda *, start, step, size, dtype: TensorType(dtype, (size,)),
    kernel=lambda *, start, step, size, dtype: (np.arange(size) * step + start).astype(dtype.np),
    samples=lambda: [Sample((), {"start": 1, "step": 2, "size": 4, "dtype": dtypes.int64})],
    doc="start, start + step, …: `size` numbers.",
)
constant = Op(
    "constant",
    kind="creation",
    attrs={"value": ARRAY},
    infer=lambda *, value: TensorType(dtypes.of_numpy(value.dtype), value.shape),
    kernel=lambda *, value: value,
    samples=lambda: [Sample((), {"value": np.array([[1.0, 2.0]], np.float32)})],
    doc="A tensor whose numbers are part of the program.",
)
undefined = Op(
    "undefined",
    kind="creation",
    attrs={"shape": OPEN_SIZES, "dtype": DTYPE},
    infer=lambda *, shape, dtype: TensorType(dtype, shape),
    kernel=lambda *, shape, dtype: np.zeros(tuple(0 if size is None else size for size in shape), dtype.np),
    samples=lambda: [
        Sample((), {"shape": (2, 3), "dtype": dtypes.float32}),
        Sample((), {"shape": (None, 3), "dtype": dtypes.int64}),
    ],
    doc="A placeholder that nothing reads: what a branch that was not taken would have saved for the backward pass.",
)


def _kernel_zeros_like(x: np.ndarray) -> np.ndarray:
    x = np.asarray(x)
    if x.dtype != object:
        return np.zeros_like(x)
    result = np.empty_like(x)  # a ragged stack: see runtime/arena.py
    for position, row in enumerate(x):
        result[position] = _kernel_zeros_like(row)
    return result


zeros_like = Op(
    "zeros_like",
    infer=lambda x: x,
    kernel=_kernel_zeros_like,
    batch=leading,
    samples=lambda: [Sample(pair((2, 3)))],
    doc="Zeros of the type that x has at run time.",
)


def zeros_as(x: Any) -> Any:
    """A symbol of zeros of the type of the symbol x."""
    if x.type.is_static:
        return full(shape=x.shape, value=_zero(x.dtype), dtype=x.dtype)
    return zeros_like(x)


def zeros_of(type: TensorType) -> Any:
    """A symbol of zeros of a static type."""
    return full(shape=type.static_shape, value=_zero(type.dtype), dtype=type.dtype)


def _zero(dtype: DType) -> Any:
    return False if dtype.is_bool else 0.0 if dtype.is_float else 0j if dtype.is_complex else 0
