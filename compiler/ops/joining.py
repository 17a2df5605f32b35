"""Ops that join tensors along an axis, and their parts again: concatenate, part_like, pad_like."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...runtime.kernels.copies import copy_to
from ..ir.attributes import INT
from ..ir.graph import Node
from ..ir.layouts import Cuts
from ..ir.op import Op, Sample
from ..ir.types import Dimension, TensorType, show_shape
from .batching import shifted
from .infer import same_dtype
from .parts import of_each
from .samples import pair
from .slicing import slice_axis
from .windows import of_concatenation


def _infer_concatenate(*parts: TensorType, axis: int) -> TensorType:
    if not parts:
        raise ValueError("concatenate needs at least one tensor")
    dtype = same_dtype(*parts)
    first = parts[0]
    if not 0 <= axis < first.rank:
        raise ValueError(f"concatenate: axis should be in [0, {first.rank}), but got {axis}")
    shape = list(first.shape)
    total: Dimension = 0
    for part in parts:
        if part.rank != first.rank:
            raise ValueError(
                f"concatenate: tensors should have the same number of dimensions, but got shapes "
                f"{show_shape(first.shape)} and {show_shape(part.shape)}"
            )
        for position, size in enumerate(part.shape):
            if position == axis or size is None:
                continue
            if shape[position] is None:
                shape[position] = size
            elif shape[position] != size:
                raise ValueError(
                    f"concatenate: shapes should agree except along axis {axis}, but got {show_shape(first.shape)} "
                    f"and {show_shape(part.shape)}"
                )
        here = part.shape[axis]
        total = None if total is None or here is None else total + here
    shape[axis] = total
    return TensorType(dtype, tuple(shape))


def _vjp_concatenate(*values: Any, axis: int) -> tuple[Any, ...]:
    *parts, _, dout = values
    results = []
    begin: Dimension = 0
    for position, part in enumerate(parts):
        size = part.shape[axis]
        if begin is not None and size is not None:
            results.append(slice_axis(dout, axis, begin, begin + size))
            begin += size
        else:
            begin = None
            results.append(part_like(dout, *parts[: position + 1], axis=axis))
    return tuple(results)


def _cuts_concatenate(node: Node) -> Cuts:
    """Other dimensions than the one along which tensors follow each other can be cut."""
    axis = node.attrs["axis"]
    labels = tuple(None if i == axis or size in (1, None) else i for i, size in enumerate(node.output.type.shape))
    return Cuts((labels,) * len(node.inputs), (labels,))


SHORT_ROW = 64  # elements of a part, which NumPy takes 15 ns to begin with


def _kernel_concatenate(*parts: np.ndarray, axis: int, out: np.ndarray | None = None) -> np.ndarray:
    row = math.prod(parts[0].shape[axis:])
    if out is None or not 1 < row <= SHORT_ROW or out.dtype.char != "f" or out.size <= 2 * row * len(parts):
        return np.concatenate(parts, axis, out=out)
    begin = 0
    for part in parts:
        end = begin + part.shape[axis]
        copy_to(out[(slice(None),) * axis + (slice(begin, end),)], part)
        begin = end
    return out


concatenate: Op = Op(
    "concatenate",
    parts=of_each,
    cuts=_cuts_concatenate,
    attrs={"axis": INT},
    infer=_infer_concatenate,
    kernel=_kernel_concatenate,
    vjp=_vjp_concatenate,
    batch=shifted("axis"),
    rewrites=(lambda node: node.inputs[0] if len(node.inputs) == 1 else None,),
    windows=of_concatenation,
    samples=lambda: [
        Sample(pair((2, 3), (2, 1), (2, 2)), {"axis": 1}),
        Sample(pair((2, 3), (1, 3)), {"axis": 0}),
        Sample(pair((3,)), {"axis": 0}),
    ],
    doc="Tensors one after the other along an axis.",
)


def _check_parts(what: str, whole: TensorType, parts: tuple[TensorType, ...], axis: int) -> None:
    """Raise ValueError unless these can be the first tensors of a concatenation of this type."""
    known = 0
    for part in parts:
        if part.rank != whole.rank or not 0 <= axis < whole.rank:
            raise ValueError(f"{what}: {part} is no part of {whole} along axis {axis}")
        known += part.shape[axis] or 0
        for position, (size, all_of_it) in enumerate(zip(part.shape, whole.shape, strict=True)):
            if position != axis and None not in (size, all_of_it) and size != all_of_it:
                raise ValueError(f"{what}: {part} is no part of {whole} along axis {axis}")
    length = whole.shape[axis] if parts else None
    if not parts or (length is not None and known > length):
        raise ValueError(f"{what}: parts with {known} rows in all do not fit {whole}")


def _infer_part_like(whole: TensorType, *parts: TensorType, axis: int) -> TensorType:
    _check_parts("part_like", whole, parts, axis)
    return parts[-1].with_dtype(whole.dtype)


def _of_last(parts: Sequence[np.ndarray], axis: int, size: int) -> tuple[slice, ...]:
    """The region of the last part in a concatenation, of this size along the axis."""
    begin = sum(part.shape[axis] for part in parts[:-1])
    return (slice(None),) * axis + (slice(begin, begin + size),)


def _kernel_part_like(whole: np.ndarray, *parts: np.ndarray, axis: int) -> np.ndarray:
    result = whole[_of_last(parts, axis, parts[-1].shape[axis])].copy()
    if result.shape != parts[-1].shape:
        raise ValueError(f"part_like: the part has shape {show_shape(result.shape)}, not {show_shape(parts[-1].shape)}")
    return result


def _vjp_part_like(*values: Any, axis: int) -> tuple[Any, ...]:
    whole, *parts, _, dout = values
    rest = pad_like(dout, whole, *parts, axis=axis)
    return (rest, *[None] * len(parts))


part_like: Op = Op(
    "part_like",
    attrs={"axis": INT},
    infer=_infer_part_like,
    kernel=_kernel_part_like,
    vjp=_vjp_part_like,
    batch=shifted("axis"),
    samples=lambda: [Sample(pair((5, 2), (2, 2), (1, 2)), {"axis": 0})],
    doc="The part of the first tensor that the last one has in a concatenation of the others, and perhaps more.",
)


def _infer_pad_like(x: TensorType, whole: TensorType, *parts: TensorType, axis: int) -> TensorType:
    _check_parts("pad_like", whole, parts, axis)
    return whole.with_dtype(x.dtype)


def _kernel_pad_like(x: np.ndarray, whole: np.ndarray, *parts: np.ndarray, axis: int) -> np.ndarray:
    result = np.zeros(whole.shape, x.dtype)
    result[_of_last(parts, axis, x.shape[axis])] = x
    return result


def _vjp_pad_like(*values: Any, axis: int) -> tuple[Any, ...]:
    _, _, *parts, _, dout = values
    return (part_like(dout, *parts, axis=axis), None, *[None] * len(parts))


pad_like: Op = Op(
    "pad_like",
    attrs={"axis": INT},
    infer=_infer_pad_like,
    kernel=_kernel_pad_like,
    vjp=_vjp_pad_like,
    batch=shifted("axis"),
    samples=lambda: [Sample(pair((1, 2), (5, 2), (2, 2), (1, 2)), {"axis": 0})],
    doc="Zeros of the shape of the second tensor, with x where part_like of the others would take it.",
)
