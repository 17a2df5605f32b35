"""Packing: tensors of any shapes as one vector, and back."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ...runtime.packing import pack as pack_arrays, unpack as unpack_array
from ..ir.attributes import SHAPES
from ..ir.op import Op, Sample
from ..ir.rules import Batch
from ..ir.types import Shape, TensorType, show_shape
from .creation import zeros_as
from .infer import same_dtype
from .joining import concatenate
from .samples import pair
from .shape import reshape
from .slicing import slice_axis

_SHAPES = ((2, 3), (), (4,))


def _infer_pack(*parts: TensorType) -> TensorType:
    if not parts:
        raise ValueError("pack needs at least one tensor")
    dtype = same_dtype(*parts)
    if not all(part.is_static for part in parts):
        raise ValueError("pack needs tensors whose shapes are known")
    return TensorType(dtype, (sum(part.size for part in parts),))


def _infer_unpack(flat: TensorType, *, shapes: tuple[Shape, ...]) -> tuple[TensorType, ...]:
    parts = tuple(TensorType(flat.dtype, shape) for shape in shapes)
    if flat.rank != 1 or flat.shape[0] not in (None, sum(part.size for part in parts)):
        shown = ", ".join(map(show_shape, shapes))
        raise ValueError(f"unpack: tensors of shapes {shown} are not the parts of a vector {show_shape(flat.shape)}")
    return parts


def _kernel_unpack(flat: np.ndarray, *, shapes: tuple[tuple[int, ...], ...]) -> Any:
    parts = unpack_array(flat, shapes=shapes)
    return parts if len(parts) != 1 else parts[0]


def _vjp_pack(*values: Any) -> tuple[Any, ...]:
    *parts, _, dout = values
    given = unpack(dout, shapes=tuple(part.shape for part in parts))
    return given if isinstance(given, tuple) else (given,)


def _vjp_unpack(flat: Any, out: Any, dout: Any, *, shapes: tuple[Shape, ...]) -> Any:
    outs, douts = (out, dout) if isinstance(out, tuple) else ((out,), (dout,))
    return pack(*[zeros_as(part) if given is None else given for part, given in zip(outs, douts, strict=True)])


def _batch_pack(batch: Batch, *parts: Any) -> Any:
    rows = [reshape(x, shape=(batch.size, math.prod(x.type.static_shape[1:]))) for x in batch.stacked(parts)]
    return concatenate(*rows, axis=1)


def _batch_unpack(batch: Batch, flat: Any, *, shapes: tuple[tuple[int, ...], ...]) -> Any:
    sizes = [math.prod(shape) for shape in shapes]
    ends = list(itertools.accumulate(sizes))
    parts = [slice_axis(flat, 1, end - size, end) for size, end in zip(sizes, ends, strict=True)]
    return tuple(reshape(x, shape=(batch.size, *shape)) for x, shape in zip(parts, shapes, strict=True))


pack: Op = Op(
    "pack",
    infallible=True,
    infer=_infer_pack,
    kernel=pack_arrays,
    vjp=_vjp_pack,
    batch=_batch_pack,
    samples=lambda: [Sample(pair(*_SHAPES)), Sample(pair((3, 1)))],
    doc="Tensors of any shapes as one vector, one after the other.",
)
unpack: Op = Op(
    "unpack",
    infallible=True,
    attrs={"shapes": SHAPES},
    infer=_infer_unpack,
    kernel=_kernel_unpack,
    vjp=_vjp_unpack,
    batch=_batch_unpack,
    samples=lambda: [Sample(pair((sum(map(math.prod, _SHAPES)),)), {"shapes": _SHAPES})],
    doc="The parts of a vector as tensors of these shapes, one after the other.",
)
