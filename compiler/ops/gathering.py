"""Ops that read and write rows along an axis, and blocks, at run-time positions: take, take_add, dynamic_slice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.kernels.positions import checked_indices
from ...runtime.kernels.scatter import accumulate_at
from ...runtime.native.counts import assign_at
from ..ir.attributes import INT, SIZES
from ..ir.graph import Node
from ..ir.layouts import Cuts, Label, Part, labelled
from ..ir.op import Op, Sample
from ..ir.rules import Batch
from ..ir.types import Shape, TensorType, show_shape
from ..ir.values import literal
from .comparison import greater_equal, less, logical_and, select
from .conversion import cast
from .creation import iota, zeros_as
from .index_batching import OPERAND, read_rows, write_rows
from .indexing import index, index_add, index_update, positions
from .infer import same_dtype
from .parts import of_each
from .places import along_axis, gather_by, scatter_by
from .regions import check_bound
from .samples import pair
from .shape import insert_axes, reshape, transpose
from .slicing import check_fits, start_from

# Rows along one axis


def _take_shape(x: Shape, indices: TensorType, axis: int) -> Shape:
    if not 0 <= axis < len(x):
        raise ValueError(f"take: axis should be in [0, {len(x)}), but got {axis}")
    if not indices.dtype.is_integer:
        raise TypeError(f"take: indices should be integers, but their dtype is {indices.dtype}{dtypes.AS_INTEGERS}")
    return (*x[:axis], *indices.shape, *x[axis + 1 :])


def _kernel_take(x: np.ndarray, indices: np.ndarray, *, axis: int, out: np.ndarray | None = None) -> np.ndarray:
    indices = checked_indices(indices, x.shape[axis], axis, x.shape)
    if indices.size == 0:
        return np.empty((*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]), x.dtype) if out is None else out
    return np.take(x, indices, axis, out, "wrap")  # in range already; "raise" would fill a buffer first


def _batch_take(batch: Batch, x: Any, indices: Any, *, axis: int) -> Any:
    if not batch.mapped[1]:
        return take(x, indices, axis=axis + 1)
    if batch.mapped[0]:
        return read_rows(batch, index, x, (indices,), (*((None, None, 1),) * axis, OPERAND))
    result = take(x, indices, axis=axis)
    return transpose(result, axes=(axis, *range(axis), *range(axis + 1, result.rank))) if axis else result


def _labels(node: Node) -> tuple[tuple[Label, ...], tuple[Label, ...], tuple[Label, ...]]:
    """Labels of the tensor, of the indices, and of the result. The axis that is indexed has the label "rows"."""
    axis = node.attrs["axis"]
    (found,), (given,) = labelled(node.inputs[0].type.shape), labelled(node.inputs[1].type.shape)
    places = tuple(None if label is None else ("index", label) for label in given)
    rows = found[axis] if found[axis] is None else "rows"
    return (*found[:axis], rows, *found[axis + 1 :]), places, (*found[:axis], *places, *found[axis + 1 :])


def _own_rows(part: Part, indices: Any, size: int, rank: int, axis: int) -> tuple[Any, Any]:
    """Indices into a process's rows, of `size` rows in all, and a mask of those that are there. The mask
    broadcasts with rows of a tensor of `rank` dimensions. Indices that are out of range stay out of range."""
    own = size // part.count("rows")
    if indices.dtype.bits < 32:
        indices = cast(indices, dtype=dtypes.int32)
    counted = select(less(indices, 0), indices + size, indices)
    place = counted - own * part.position(("rows",))
    here = logical_and(greater_equal(place, 0), less(place, own))
    valid = logical_and(greater_equal(counted, 0), less(counted, size))
    where = select(here, place, select(valid, 0, indices))
    return where, insert_axes(here, tuple(range(here.rank, here.rank + rank - axis - 1)))


def _cuts_take(node: Node) -> Cuts:
    x, places, read = _labels(node)
    size, rank = node.inputs[0].type.shape[node.attrs["axis"]], node.inputs[0].type.rank

    def local(part: Part, x: Any, indices: Any, *, axis: int) -> Any:
        if part.count("rows") == 1:
            return take(x, indices, axis=axis)
        where, here = _own_rows(part, indices, size or 0, rank, axis)
        return select(here, take(x, where, axis=axis), 0)

    return Cuts((x, places), (read,), "sum", local=local)


take: Op = Op(
    "take",
    parts=of_each,
    cuts=_cuts_take,
    attrs={"axis": INT},
    infer=lambda x, indices, *, axis: x.with_shape(_take_shape(x.shape, indices, axis)),
    kernel=_kernel_take,
    vjp=lambda x, indices, out, dout, *, axis: (take_add(zeros_as(x), indices, dout, axis=axis), None),
    batch=_batch_take,
    gathers=lambda x, indices, *, axis: gather_by(along_axis(x, indices, axis), x),
    samples=lambda: [
        Sample((*pair((4, 3)), positions(3, -1, 0, 3)), {"axis": 0}),
        Sample((*pair((2, 4)), positions(1, 3).reshape(2, 1)), {"axis": 1}),
        Sample((*pair((2, 4)), np.array(2, np.int32)), {"axis": 1}),
    ],
    doc="The rows of x along an axis at these indices (negative ones count from the end).",
)


def _infer_take_add(x: TensorType, indices: TensorType, value: TensorType, *, axis: int) -> TensorType:
    same_dtype(x, value)
    check_fits(value.shape, _take_shape(x.shape, indices, axis))
    return x


def _kernel_take_add(
    x: np.ndarray, indices: np.ndarray, value: np.ndarray, *, axis: int, out: np.ndarray | None = None
) -> np.ndarray:
    indices = checked_indices(indices, x.shape[axis], axis, x.shape)
    result = start_from(x, out)
    if indices.ndim == 0:
        result[(slice(None),) * axis + (int(indices),)] += value
        return result
    if x.size == 0 or indices.size == 0:
        return result
    # The axis and those before it as one axis of rows, so that rows are added as wholes.
    lead, length, trail = math.prod(x.shape[:axis]), x.shape[axis], math.prod(x.shape[axis + 1 :])
    rows = np.arange(0, lead * length, length)[:, None] + indices.ravel().astype(np.intp, copy=False) % length
    values = np.broadcast_to(value, (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])).reshape(-1, trail)
    target = np.ascontiguousarray(result)
    target_rows, key = target.reshape(lead * length, trail), (rows.ravel(),)
    if not assign_at(target_rows, key, values, np.add):
        accumulate_at(np.add, target_rows, key, values)
    if target is not result:
        np.copyto(result, target)
    return result


def _batch_take_add(batch: Batch, x: Any, indices: Any, value: Any, *, axis: int) -> Any:
    if not batch.mapped[1]:
        rank = batch.rank((x, indices, value), 0) - 1 + indices.rank
        return take_add(
            batch.stack(x, batch.mapped[0]), indices, batch.align(value, batch.mapped[2], rank), axis=axis + 1
        )
    batch = batch.with_mapped(batch.mapped[0], batch.mapped[2], True)
    return write_rows(batch, index_add, x, value, (indices,), (*((None, None, 1),) * axis, OPERAND))


def _cuts_take_add(node: Node) -> Cuts | None:
    x, places, read = _labels(node)
    size, rank = node.inputs[0].type.shape[node.attrs["axis"]], node.inputs[0].type.rank
    if node.inputs[2].type.rank != len(read):
        return None

    def local(part: Part, x: Any, indices: Any, value: Any, *, axis: int) -> Any:
        if part.position(label for label in places if label is not None):
            x = zeros_as(x)  # another process adds it
        if part.count("rows") > 1:
            indices, here = _own_rows(part, indices, size or 0, rank, axis)
            value = select(here, value, 0)
        return take_add(x, indices, value, axis=axis)

    value = tuple(None if s == 1 else label for s, label in zip(node.inputs[2].type.shape, read, strict=True))
    return Cuts((x, places, value), (x,), "sum", local=local)


take_add: Op = Op(
    "take_add",
    parts=of_each,
    cuts=_cuts_take_add,
    attrs={"axis": INT},
    infer=_infer_take_add,
    kernel=_kernel_take_add,
    vjp=lambda x, indices, value, out, dout, *, axis: (dout, None, take(dout, indices, axis=axis)),
    batch=_batch_take_add,
    scatters=lambda x, indices, value, *, axis: scatter_by(along_axis(x, indices, axis), x, value),
    inplace=True,
    samples=lambda: [
        Sample((pair((4, 3))[0], positions(3, -1, 0, 3), pair((4, 3), seed=1)[0]), {"axis": 0}),
        Sample((pair((2, 4))[0], positions(1, 3).reshape(2, 1), pair((2, 2, 1), seed=1)[0]), {"axis": 1}),
        Sample((pair((4,))[0], positions(1, 1), pair((), seed=1)[0]), {"axis": 0}),
    ],
    doc="x with a value (broadcast) added to its rows along an axis at these indices, which may repeat.",
)


# Blocks at starts that only the run knows


def _infer_dynamic_slice(x: TensorType, *starts: TensorType, sizes: tuple[int, ...]) -> TensorType:
    if not len(starts) == len(sizes) == x.rank:
        raise ValueError(
            f"dynamic_slice: {len(starts)} starts and {len(sizes)} sizes are given for shape {show_shape(x.shape)}"
        )
    for start in starts:
        check_bound(start)
    for axis, (size, whole) in enumerate(zip(sizes, x.shape, strict=True)):
        if size < 0 or (whole is not None and size > whole):
            raise ValueError(f"dynamic_slice: size {size} of dimension {axis} does not fit shape {show_shape(x.shape)}")
    return x.with_shape(sizes)


def _block(x: np.ndarray, starts: Sequence[np.ndarray], sizes: Sequence[int]) -> tuple[slice, ...]:
    region = []
    for axis, (array, size, whole) in enumerate(zip(starts, sizes, x.shape, strict=True)):
        start = int(array.item())
        begin = start + whole if start < 0 else start
        if not 0 <= begin <= whole - size:
            raise IndexError(
                f"{size} elements from {start} are out of range for dimension {axis}, of size {whole}, of a tensor of "
                f"shape {show_shape(x.shape)}"
            )
        region.append(slice(begin, begin + size))
    return tuple(region)


def _kernel_dynamic_slice(
    x: np.ndarray, *starts: np.ndarray, sizes: tuple[int, ...], out: np.ndarray | None = None
) -> np.ndarray:
    block = x[_block(x, starts, sizes)]
    if out is None:
        return block.copy()
    np.copyto(out, block)
    return out


def _vjp_dynamic_slice(x: Any, *rest: Any, sizes: tuple[int, ...]) -> tuple[Any, ...]:
    *starts, _, dout = rest
    return (dynamic_update_slice(zeros_as(x), dout, *starts), *[None] * len(starts))


def _starts(batch: Batch, starts: Sequence[Any], mapped: Sequence[bool], sizes: Sequence[int]) -> list[Any]:
    """For each row the start of its block along each axis, in shapes that broadcast with each other."""
    positions = []
    for axis, (start, here, size) in enumerate(zip(starts, mapped, sizes, strict=True)):
        steps = iota(start=0, step=1, size=size, dtype=start.dtype)
        first = reshape(start, shape=(batch.size, 1)) if here else reshape(start, shape=(1,))
        positions.append(insert_axes(first + steps, tuple(range(1 + here, len(sizes) - axis + here))))
    return positions


def _batch_dynamic_slice(batch: Batch, x: Any, *starts: Any, sizes: tuple[int, ...]) -> Any:
    if not any(batch.mapped[1:]):
        return dynamic_slice(x, literal(0, starts[0].dtype), *starts, sizes=(batch.size, *sizes))
    positions = _starts(batch, starts, batch.mapped[1:], sizes)
    return read_rows(batch, index, x, positions, (OPERAND,) * len(sizes))


def _batch_dynamic_update_slice(batch: Batch, x: Any, value: Any, *starts: Any) -> Any:
    if not any(batch.mapped[2:]):
        x, value = batch.stack(x, batch.mapped[0]), batch.stack(value, batch.mapped[1])
        return dynamic_update_slice(x, value, literal(0, starts[0].dtype), *starts)
    sizes = value.shape[1:] if batch.mapped[1] else value.shape
    positions = _starts(batch, starts, batch.mapped[2:], sizes)
    return write_rows(batch, index_update, x, value, positions, (OPERAND,) * len(sizes))


dynamic_slice: Op = Op(
    "dynamic_slice",
    attrs={"sizes": SIZES},
    infer=_infer_dynamic_slice,
    kernel=_kernel_dynamic_slice,
    vjp=_vjp_dynamic_slice,
    batch=_batch_dynamic_slice,
    samples=lambda: [Sample((*pair((4, 5)), np.array(1, np.int64), np.array(-3, np.int64)), {"sizes": (2, 3)})],
    doc="A block of x of a known size, at starts (one tensor an axis) that only the run knows.",
)


def _infer_dynamic_update_slice(x: TensorType, value: TensorType, *starts: TensorType) -> TensorType:
    same_dtype(x, value)
    _infer_dynamic_slice(x, *starts, sizes=value.static_shape)
    return x


def _kernel_dynamic_update_slice(
    x: np.ndarray, value: np.ndarray, *starts: np.ndarray, out: np.ndarray | None = None
) -> np.ndarray:
    region = _block(x, starts, value.shape)
    result = start_from(x, out)
    result[region] = value
    return result


def _vjp_dynamic_update_slice(x: Any, value: Any, *rest: Any) -> tuple[Any, ...]:
    *starts, _, dout = rest
    return (
        dynamic_update_slice(dout, zeros_as(value), *starts),
        dynamic_slice(dout, *starts, sizes=value.shape),
        *[None] * len(starts),
    )


dynamic_update_slice: Op = Op(
    "dynamic_update_slice",
    infer=_infer_dynamic_update_slice,
    kernel=_kernel_dynamic_update_slice,
    vjp=_vjp_dynamic_update_slice,
    batch=_batch_dynamic_update_slice,
    inplace=True,
    samples=lambda: [Sample((*pair((4, 5), (2, 3)), np.array(1, np.int64), np.array(2, np.int64)))],
    doc="x with a block, at starts (one tensor an axis) that only the run knows, replaced by a value.",
)
