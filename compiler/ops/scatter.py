"""Gather and scatter at positions that a tensor gives: along one axis (…_elements) or as coordinates (…_nd)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import bool_
from ...runtime.kernels.positions import checked_indices, segment_places as _segment_places
from ...runtime.kernels.scatter import accumulate_at, take_at
from ...runtime.native.counts import assign_at, last_at
from ..ir.attributes import INT, SIZE, TEXT
from ..ir.layouts import cuts_alike
from ..ir.op import Op, Sample
from ..ir.rules import Batch
from ..ir.types import Shape, TensorType, UnknownShapeError, show_shape
from ..ir.values import literal
from .arithmetic import divide, multiply
from .batching import leading, shifted
from .comparison import equal, select
from .conversion import cast
from .creation import zeros_as
from .index_batching import OPERAND, Spec
from .indexing import index, index_add, index_last, index_update, positions, range_error
from .infer import same_dtype
from .joining import concatenate
from .places import REDUCTIONS as COMBINED, by_spec, elements_along, gather_by, scatter_by
from .reduction import sum as sum_
from .samples import pair
from .shape import broadcast_to, drop_axes, insert_axes
from .slicing import check_fits, slice_axis, start_from

Array = np.ndarray
Key = tuple[Any, ...]

REDUCTIONS: dict[str, np.ufunc | None] = {"update": None, **COMBINED}
"""How written values change an element: the last value replaces it, or all are combined with it by a ufunc."""


def _need_integers(what: str, indices: TensorType) -> None:
    if not indices.dtype.is_integer:
        raise TypeError(f"{what}: indices should be integers, but their dtype is {indices.dtype}{dtypes.AS_INTEGERS}")


def _elements_shape(what: str, x: Shape, indices: TensorType, axis: int) -> Shape:
    _need_integers(what, indices)
    if not 0 <= axis < len(x):
        raise ValueError(f"{what}: axis should be in [0, {len(x)}), but got {axis}")
    if len(x) != indices.rank or any(
        size is not None and most is not None and size > most and position != axis
        for position, (size, most) in enumerate(zip(indices.shape, x, strict=False))
    ):
        raise ValueError(
            f"{what}: indices of shape {show_shape(indices.shape)} should have as many dimensions as a tensor of shape "
            f"{show_shape(x)}, and none that is longer, except dimension {axis}"
        )
    return indices.shape


def _elements_key(x: Array, indices: Array, axis: int) -> Key:
    indices = checked_indices(indices, x.shape[axis], axis, x.shape)
    rank = indices.ndim
    return tuple(
        indices if place == axis else np.arange(size).reshape(size, *[1] * (rank - 1 - place))
        for place, size in enumerate(indices.shape)
    )


def _nd_shape(what: str, x: Shape, indices: TensorType) -> Shape:
    _need_integers(what, indices)
    depth = indices.shape[-1] if indices.rank else None
    if depth is None:
        raise UnknownShapeError(f"{what}: the last dimension of the indices, {indices}, should be known before the run")
    if depth > len(x):
        raise ValueError(
            f"{what}: indices of shape {show_shape(indices.shape)} give {depth} coordinates, but the tensor of shape "
            f"{show_shape(x)} has {len(x)} dimensions"
        )
    return (*indices.shape[:-1], *x[depth:])


def _nd_key(indices: Array) -> Key:
    """The index of coordinates into the result of `_rows_of`."""
    if not indices.shape[-1]:
        return (np.zeros(indices.shape[:-1], np.intp),)
    return tuple(np.moveaxis(indices.astype(np.intp), -1, 0))


def _rows_of(x: Array, indices: Array) -> Array:
    """The tensor. If coordinates are empty, each means the whole tensor, so it gets a first axis of size one."""
    return x if indices.shape[-1] else x[np.newaxis]


def _write_nd(x: Array, indices: Array, updates: Array, reduction: str, out: Array | None) -> Array:
    result = start_from(x, out)
    rows = _rows_of(result, indices)
    _write(rows, _nd_key(indices), updates, reduction, rows)
    return result


def _write(x: Array, key: Key, updates: Array, reduction: str, out: Array | None) -> Array:
    result = start_from(x, out)
    ufunc = REDUCTIONS[reduction]
    try:
        if ufunc is None:
            if not assign_at(result, key, updates):
                result[key] = updates
        elif not assign_at(result, key, updates, ufunc):
            accumulate_at(ufunc, result, key, updates)
    except IndexError as error:
        raise range_error(error, x) from None
    return result


def _read_nd(x: Array, indices: Array) -> Array:
    try:
        return take_at(_rows_of(x, indices), _nd_key(indices))
    except IndexError as error:
        raise range_error(error, x) from None


def _vjp_write(
    read_op: Op,
    write_op: Op,
    last: Callable[..., Any],
    x: Any,
    indices: Any,
    updates: Any,
    out: Any,
    dout: Any,
    reduction: str,
    **attrs: Any,
) -> tuple[Any, None, Any]:
    """The cotangents of x and of the updates. The ops read, write and find the last writes at the same positions."""

    def read(x: Any) -> Any:
        return read_op(x, indices, **attrs)

    def write(x: Any, updates: Any, reduction: str) -> Any:
        return write_op(x, indices, updates, reduction=reduction, **attrs)

    zero = literal(0, dout.dtype)
    if reduction == "update":
        dupdates = read(dout) * last(dout, indices, **attrs)  # before the write, which may then take dout's place
        return write(dout, zero, "update"), None, dupdates
    if reduction == "add":
        return dout, None, read(dout)
    if reduction == "multiply":
        # An update's factor is the product of all others: by division where nothing is 0, else by counting zeros.
        # (Second derivatives by updates of one element that are both 0 are lost.)
        one = literal(1, dout.dtype)
        is_zero = equal(updates, zero)
        divisor = select(is_zero, one, updates)
        zeros = read(write(zeros_as(dout), cast(is_zero, dtype=dout.dtype), "add"))
        product = read(write(x, divisor, "multiply"))
        others = select(is_zero, product, divide(product, divisor))
        alone = equal(zeros, cast(is_zero, dtype=dout.dtype))
        factor = write(zeros_as(dout) + one, updates, "multiply")
        return dout * factor, None, multiply(read(dout), select(alone, others, zero))
    stays, wins = equal(out, x), equal(read(out), updates)
    count = write(cast(stays, dtype=dout.dtype), cast(wins, dtype=dout.dtype), "add")
    share = divide(dout, count)
    return select(stays, share, zero), None, select(wins, read(share), zero)


# Along one axis


gather_elements: Op = Op(
    "gather_elements",
    attrs={"axis": INT},
    infer=lambda x, indices, *, axis: x.with_shape(_elements_shape("gather_elements", x.shape, indices, axis)),
    kernel=lambda x, indices, *, axis: x[_elements_key(x, indices, axis)],
    vjp=lambda x, indices, out, dout, *, axis: (
        scatter_elements(zeros_as(x), indices, dout, axis=axis, reduction="add"),
        None,
    ),
    batch=shifted("axis"),
    gathers=lambda x, indices, *, axis: gather_by(elements_along(x, indices, axis), x),
    samples=lambda: [
        Sample((*pair((3, 4)), positions(3, 0, 0, -1, 2, 2).reshape(2, 3)), {"axis": 1}),
        Sample((*pair((2, 3)), positions(1, 0, 1, 1, -2, 0, 0, 0, 1).reshape(3, 3)), {"axis": 0}),
    ],
    doc="For each place of the indices the element of x there, except that on one axis the index says where.",
)


def _infer_scatter_elements(
    x: TensorType, indices: TensorType, updates: TensorType, *, axis: int, reduction: str
) -> TensorType:
    same_dtype(x, updates)
    _check_reduction(x, reduction)
    check_fits(updates.shape, _elements_shape("scatter_elements", x.shape, indices, axis))
    return x


def _check_reduction(x: TensorType, reduction: str) -> None:
    if reduction not in REDUCTIONS:
        raise ValueError(f"the reduction of a scatter should be one of {', '.join(REDUCTIONS)}, but got {reduction!r}")
    if reduction != "update" and x.dtype.is_bool:
        raise TypeError(f"the reduction {reduction!r} of a scatter is not defined on Bool tensors")


def _scatter_samples(indices: Array, shape: tuple[int, ...], region: tuple[int, ...], attrs: dict[str, Any]) -> Any:
    x = np.random.default_rng(0).permutation(int(np.prod(shape))).reshape(shape) / 4.0 - 1.1
    updates = np.random.default_rng(1).permutation(int(np.prod(region))).reshape(region) / 4.0 - 0.8
    return [Sample((x, indices, updates), {**attrs, "reduction": reduction}) for reduction in REDUCTIONS]


def _elements_samples() -> list[Sample]:
    indices = positions(3, 0, 0, -1, 2, 2).reshape(2, 3)
    return [*_scatter_samples(indices, (3, 4), (2, 3), {"axis": 1})]


def _batch_scatter_elements(batch: Batch, x: Any, indices: Any, updates: Any, *, axis: int, reduction: str) -> Any:
    rank = batch.rank((x,), 0)
    x, indices = batch.stack(x, batch.mapped[0]), batch.stack(indices, batch.mapped[1])
    updates = batch.align(updates, batch.mapped[2], rank)
    return scatter_elements(x, indices, updates, axis=axis + 1, reduction=reduction)


scatter_elements: Op = Op(
    "scatter_elements",
    attrs={"axis": INT, "reduction": TEXT},
    infer=_infer_scatter_elements,
    kernel=lambda x, indices, updates, *, axis, reduction, out=None: _write(
        x, _elements_key(x, indices, axis), updates, reduction, out
    ),
    vjp=lambda *given, **attrs: _vjp_write(gather_elements, scatter_elements, scatter_elements_last, *given, **attrs),
    batch=_batch_scatter_elements,
    scatters=lambda x, indices, updates, *, axis, reduction: scatter_by(
        elements_along(x, indices, axis), x, updates, reduction
    ),
    inplace=True,
    samples=_elements_samples,
    doc="x with updates written where gather_elements would read; `reduction` says what becomes of the elements.",
)
scatter_elements_last: Op = Op(
    "scatter_elements_last",
    attrs={"axis": INT},
    infer=lambda x, indices, *, axis: x.with_shape(_elements_shape("scatter_elements", x.shape, indices, axis)),
    kernel=lambda x, indices, *, axis, out=None: last_at(x.shape, _elements_key(x, indices, axis), x.dtype, out),
    batch=shifted("axis"),
    stays=(gather_elements, scatter_elements),
    samples=lambda: [Sample((*pair((4,)), positions(1, 2, 1)), {"axis": 0}, gradient=False)],
    doc="1 where scatter_elements leaves that update in place, 0 where a later one replaces it.",
)


# Whole coordinates


def _row_coordinates(batch: Batch, indices: Any, mapped: bool) -> Any:
    """Coordinates into a batch: the row's number, then the coordinates into the row."""
    stacked = batch.stack(indices, mapped)
    numbers = cast(batch.rows(stacked.rank - 1), dtype=indices.dtype)
    return concatenate(broadcast_to(numbers, shape=(*stacked.shape[:-1], 1)), stacked, axis=stacked.rank - 1)


def _batch_gather_nd(batch: Batch, x: Any, indices: Any) -> Any:
    return gather_nd(x, _row_coordinates(batch, indices, batch.mapped[1]) if batch.mapped[0] else indices)


def _batch_scatter_nd(batch: Batch, x: Any, indices: Any, updates: Any, *, reduction: str) -> Any:
    depth, rank = indices.shape[-1], indices.rank - batch.mapped[1] - 1
    region = rank + batch.rank((x,), 0) - depth
    x, coordinates = batch.stack(x, batch.mapped[0]), _row_coordinates(batch, indices, batch.mapped[1])
    return scatter_nd(x, coordinates, batch.align(updates, batch.mapped[2], region), reduction=reduction)


def _last_nd(x: Any, indices: Any) -> Any:
    """1 where scatter_nd leaves an update in place, 0 where a later one replaces it."""
    if indices.shape[-1]:
        return _by_index(index_last, x, indices)
    zeros = sum_(indices, axis=(indices.rank - 1,), keepdims=False)
    return index_last(insert_axes(x, (0,)), zeros, spec=(OPERAND,))


WRITES = {"update": index_update, "add": index_add}


def _coordinates(indices: Any) -> tuple[list[Any], Spec]:
    """What the last dimension of indices holds, one by one, and the index expression of these."""
    depth, last = indices.shape[-1], indices.rank - 1
    return [drop_axes(slice_axis(indices, last, k, k + 1), (last,)) for k in range(depth)], (OPERAND,) * depth


def _by_index(op: Op | None, x: Any, indices: Any, *values: Any) -> Any:
    """An op of index expressions at coordinates; None without any."""
    parts, spec = _coordinates(indices)
    return op(x, *values, *parts, spec=spec) if op is not None and spec else None


gather_nd: Op = Op(
    "gather_nd",
    infer=lambda x, indices: x.with_shape(_nd_shape("gather_nd", x.shape, indices)),
    kernel=_read_nd,
    definition=lambda x, indices: _by_index(index, x, indices),
    vjp=lambda x, indices, out, dout: (scatter_nd(zeros_as(x), indices, dout, reduction="add"), None),
    batch=_batch_gather_nd,
    samples=lambda: [
        Sample((*pair((3, 4)), positions(0, 1, 2, -1, 0, 1).reshape(3, 2))),
        Sample((*pair((3, 4)), positions(2, 0, 2).reshape(3, 1))),
        Sample((*pair((3,)), positions(2).reshape(1))),
    ],
    doc="The elements, or rows, of x at coordinates that the last dimension of the indices gives.",
)


def _infer_scatter_nd(x: TensorType, indices: TensorType, updates: TensorType, *, reduction: str) -> TensorType:
    same_dtype(x, updates)
    _check_reduction(x, reduction)
    check_fits(updates.shape, _nd_shape("scatter_nd", x.shape, indices))
    return x


scatter_nd: Op = Op(
    "scatter_nd",
    attrs={"reduction": TEXT},
    infer=_infer_scatter_nd,
    kernel=lambda x, indices, updates, *, reduction, out=None: _write_nd(x, indices, updates, reduction, out),
    vjp=lambda *given, **attrs: _vjp_write(gather_nd, scatter_nd, _last_nd, *given, **attrs),
    batch=_batch_scatter_nd,
    definition=lambda x, indices, updates, *, reduction: _by_index(WRITES.get(reduction), x, indices, updates),
    scatters=lambda x, indices, updates, *, reduction: scatter_by(
        by_spec(x, *_coordinates(indices)), x, updates, reduction
    ),
    inplace=True,
    samples=lambda: [
        *_scatter_samples(positions(0, 1, 2, -1, 0, 1).reshape(3, 2), (3, 4), (3,), {}),
        *_scatter_samples(positions(2, 0, 2).reshape(3, 1), (3, 2), (3, 2), {}),
    ],
    doc="x with updates written where gather_nd would read; `reduction` says what becomes of the elements.",
)


def _infer_segment_places(ids: TensorType, *, count: int) -> TensorType:
    _need_integers("segment_places", ids)
    return ids.with_dtype(dtypes.int64 if ids.dtype.bits == 64 else dtypes.int32)


segment_places: Op = Op(
    "segment_places",
    attrs={"count": SIZE},
    infer=_infer_segment_places,
    cuts=cuts_alike,
    kernel=_segment_places,
    batch=leading,
    samples=lambda: [
        Sample((np.array([2, -1, 0, -9]),), {"count": 3}, gradient=False),
        Sample((np.array([[1], [-7]], np.int8),), {"count": 2}, gradient=False),
    ],
    doc="Ids of segments, checked to be below their count; negative ones, which count for nothing, are the count.",
)


# One-hot vectors


def _infer_one_hot(indices: TensorType, on: TensorType, off: TensorType, *, depth: int, axis: int) -> TensorType:
    _need_integers("one_hot", indices)
    dtype = same_dtype(on, off)
    if on.rank or off.rank:
        raise ValueError(f"one_hot: the values on and off should be of one element, but got {on} and {off}")
    if depth < 0 or not 0 <= axis <= indices.rank:
        raise ValueError(f"one_hot: depth {depth} should not be negative, axis {axis} be in [0, {indices.rank}]")
    return TensorType(dtype, (*indices.shape[:axis], depth, *indices.shape[axis:]))


def _kernel_one_hot(indices: Array, on: Array, off: Array, *, depth: int, axis: int, out: Array | None = None) -> Array:
    shape = (*indices.shape[:axis], depth, *indices.shape[axis:])
    result = np.empty(shape, on.dtype) if out is None else out
    steps = np.arange(depth).reshape((depth,) + (1,) * (indices.ndim - axis))
    result[...] = off
    np.copyto(result, on, where=np.expand_dims(indices, axis) == steps)
    return result


def _vjp_one_hot(indices: Any, on: Any, off: Any, out: Any, dout: Any, **attrs: Any) -> tuple[Any, ...]:
    where = one_hot(indices, literal(1, dout.dtype), literal(0, dout.dtype), **attrs)
    axes = tuple(range(dout.rank))
    don = sum_(dout * where, axis=axes, keepdims=False)
    return None, don, sum_(dout, axis=axes, keepdims=False) - don


def _batch_one_hot(batch: Batch, indices: Any, on: Any, off: Any, *, depth: int, axis: int) -> Any:
    where = batch.mapped[0]
    if not any(batch.mapped[1:]):
        return one_hot(indices, on, off, depth=depth, axis=axis + where)
    hot = one_hot(indices, literal(True, bool_), literal(False, bool_), depth=depth, axis=axis + where)
    rank = batch.rank((indices,), 0) + 1
    return select(
        batch.stack(hot, where), *[batch.align(x, h, rank) for x, h in zip((on, off), batch.mapped[1:], strict=True)]
    )


one_hot: Op = Op(
    "one_hot",
    attrs={"depth": SIZE, "axis": INT},
    infer=_infer_one_hot,
    kernel=_kernel_one_hot,
    vjp=_vjp_one_hot,
    batch=_batch_one_hot,
    samples=lambda: [
        Sample((positions(2, 0, 5, -1), np.array(1.5), np.array(-0.5)), {"depth": 3, "axis": 1}),
        Sample((positions(1, 0).reshape(1, 2), np.array(1.0), np.array(0.0)), {"depth": 2, "axis": 0}),
    ],
    doc="A new axis of `depth` elements: `on` at the index, `off` elsewhere (everywhere if the index is out of range).",
)
