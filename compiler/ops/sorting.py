"""Sorting and searching: sort, topk, searchsorted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import DType
from ...runtime.kernels import order
from ...runtime.machine.array_functions import compile_best, compile_quick, compile_search, costs
from ...runtime.native.counts import LONGEST_SOUGHT, SOUGHT, search
from ..ir.attributes import DTYPE, FLAG, INT
from ..ir.code import Attempt, Code, MadeFunction
from ..ir.graph import Node
from ..ir.op import Op, Sample
from ..ir.rules import Batch
from ..ir.types import TensorType, show_shape
from .along import take_along, take_along_add
from .batching import shifted
from .comparison import (
    bitwise_and,
    bitwise_not,
    bitwise_xor,
    equal,
    greater_equal,
    left_shift,
    less,
    less_equal,
    logical_or,
    not_equal,
    right_shift,
    select,
)
from .conversion import cast
from .creation import full, iota, zeros_as
from .cumulative import check_axis
from .discrete import bitcast
from .joining import concatenate
from .reduction import sum
from .samples import integers, pair
from .shape import flatten_axes, insert_axes, reshape, reshape_as
from .slicing import slice as slice_, slice_axis

Array = np.ndarray
SORTED_AT_ONCE = 1 << 15  # elements of rows: the working memory is several times as large
KEYED, KEYED_COST = (dtypes.float32, dtypes.int32), 7.0  # numbers that get keys; about ns to put one of a row in order
MOST_EXCHANGES = 36  # all of an axis of 9 elements
MOST_HALVED, MOST_COMPARED = 16, 1 << 14
"""Elements of a vector that are compared with each value one by one; comparisons with all those of a longer one."""


def _exchanged(x: Any, axis: int, k: int, largest: bool, dtype: DType | None = None) -> list[list[Any]] | None:
    """The k best elements along a short axis in order: neighbours change places, from the last to the first, until the
    best is in front (a bubble sort, for all rows at once). With a dtype also the positions they come from, for equal
    elements keep their order. None where this takes more exchanges than NumPy's time is worth."""
    type = x.type
    if not type.is_static or not type.size or type.dtype.is_half or not (type.dtype.is_float or type.dtype.is_integer):
        return None
    count = type.static_shape[axis]
    if not 0 < k * (2 * count - k - 1) // 2 <= MOST_EXCHANGES:
        return None
    rows = [[slice_axis(x, axis, at, at + 1) for at in range(count)]]
    if dtype is not None:
        number = dtypes.int32 if type.dtype.bits == 32 else dtype
        rows.append([full(shape=(1,) * type.rank, value=at, dtype=number) for at in range(count)])
    for best in range(k):
        for at in range(count - 2, best - 1, -1):
            one, other = rows[0][at], rows[0][at + 1]
            stays = (greater_equal if largest else less_equal)(one, other)
            if type.dtype.is_float:  # nan is the largest
                last = one if largest else other
                stays = logical_or(stays, not_equal(last, last))
            for row in rows:
                row[at : at + 2] = select(stays, row[at], row[at + 1]), select(stays, row[at + 1], row[at])
    return [row[:k] for row in rows]


def _ordered_by_exchanges(x: Any, *, axis: int, descending: bool) -> Any:
    found = _exchanged(x, axis, x.shape[axis] or 0, descending)
    return found and concatenate(*found[0], axis=axis)


def _best_by_exchanges(x: Any, *, k: int, axis: int, largest: bool, dtype: DType) -> Any:
    found = _exchanged(x, axis, k, largest, dtype)
    if found is None:
        return None
    values, positions = [concatenate(*parts, axis=axis) for parts in found]
    return values, positions if positions.dtype is dtype else cast(positions, dtype=dtype)


def check_positions(dtype: DType) -> None:
    """Raise TypeError for positions that are no integers."""
    if not dtype.is_integer:
        raise TypeError(f"the dtype of positions should be an integer, but got {dtype}")


def _infer_sort(x: TensorType, *, axis: int, descending: bool, dtype: DType) -> tuple[TensorType, TensorType]:
    check_axis(x, axis)
    check_positions(dtype)
    return x, x.with_dtype(dtype)


def _kernel_sort(x: Array, *, axis: int, descending: bool, dtype: DType, out: Any = None) -> tuple[Array, Array]:
    found = order.best(x, x.shape[axis], axis, descending, dtype.np)
    if found is not None:
        return _delivered(found, out)
    length, arrays = x.shape[axis], (x, *(out or ()))
    in_rows = axis == x.ndim - 1 and all(y.flags.c_contiguous for y in arrays)
    if not out or not in_rows or not 0 < length <= SORTED_AT_ONCE < x.size:
        return _delivered(_ordered(x, axis, descending, dtype), out)
    rows = [y.reshape(-1, length) for y in arrays]
    step = SORTED_AT_ONCE // length
    for start in range(0, len(rows[0]), step):
        part, *into = (y[start : start + step] for y in rows)
        _delivered(_ordered(part, 1, descending, dtype), into)
    return arrays[1], arrays[2]


def _ordered(x: Array, axis: int, descending: bool, dtype: DType) -> tuple[Array, Array]:
    positions = order.argsort(x, axis, descending, dtype.np)
    return order.values_at(x, positions, axis), positions


def _delivered(found: tuple[Array, Array], out: Any) -> tuple[Array, Array]:
    for target, part in zip(out or (), found, strict=False):
        np.copyto(target, part)
    return out or found


def _emit_best(node: Node, arguments: Sequence[str], *outs: str | None) -> Code | None:
    """The function that finds the best elements of rows, where it takes less time than NumPy."""
    names = [out for out in outs if out is not None]
    chosen = _selection(node.inputs[0].type, node.attrs) if len(names) == 2 else None
    return Attempt(MadeFunction(compile_best, chosen, "best"), (*arguments, *names), None) if chosen else None


def _selection(x: TensorType, attrs: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """What `compile_best` makes the function of; None where NumPy takes less time."""
    if not x.is_static or attrs["axis"] != x.rank - 1:
        return None
    chars, length, k = (x.dtype.np.char, attrs["dtype"].np.char), x.shape[-1], attrs.get("k", x.shape[-1])
    largest = attrs["largest" if "k" in attrs else "descending"]
    fits = order.selection(*chars, x.size, length, k, largest) is not None
    return (*chars, length, k, largest, x.rank - 1) if fits else None


def _keyed(x: Any, *, axis: int, descending: bool, dtype: DType) -> Any:
    """x in order along its last axis, and the positions it comes from: 64-bit keys of numbers and positions are put in
    order, and are equal nowhere. None where the best are found one by one sooner, or NumPy is to sort."""
    type = x.type
    if not type.is_static or not type.size or axis != type.rank - 1 or type.dtype not in KEYED:
        return None
    length = type.static_shape[axis]
    if not order.is_quick(np.dtype(np.int64), length, length) or min(costs(length, length)) < KEYED_COST * length:
        return None
    number = x
    if type.dtype.is_float:  # one zero, one nan behind all; the bits of negative numbers descend
        bits = bitcast(x + 0.0, dtype=dtypes.int32)
        number = bitwise_xor(bits, bitwise_and(right_shift(bits, 31), 0x7FFFFFFF))
        number = select(equal(x, x), number, 0x7FFFFFFF)
    number = cast(bitwise_not(number) if descending else number, dtype=dtypes.int64)
    keys = left_shift(number, 32) + iota(start=0, step=1, size=length, dtype=dtypes.int64)
    places = bitwise_and(ordered(keys, axis=axis, descending=False), 0xFFFFFFFF)
    return take_along(x, places, axis=axis), cast(places, dtype=dtype)


def _sorted_in_kernels(x: Any, *, axis: int, descending: bool, dtype: DType) -> Any:
    found = _best_by_exchanges(x, k=x.shape[axis] or 0, axis=axis, largest=descending, dtype=dtype)
    return found or _keyed(x, axis=axis, descending=descending, dtype=dtype)


def _places_in_kernels(x: Any, **attrs: Any) -> Any:
    """The positions alone: those of a sort by machine code."""
    found = _sorted_in_kernels(x, **attrs)
    if found is None and _selection(x.type, attrs) is not None:
        found = sort(x, **attrs)
    return found and found[1]


def _vjp_values(x: Any, out: Any, dout: Any, *, axis: int, **attrs: Any) -> Any:
    return None if dout[0] is None else take_along_add(zeros_as(x), out[1], dout[0], axis=axis)


def _sort_samples() -> list[Sample]:
    ties = Sample((np.array([1.0, 3.0, 3.0, 2.0, np.nan]),), {"axis": 0}, gradient=False)
    floats = [Sample(pair((3, 5)), {"axis": 1}), Sample(pair((4, 2, 3)), {"axis": 0})]
    return [
        Sample(sample.inputs, {**sample.attrs, "descending": descending, "dtype": dtypes.int32}, sample.gradient)
        for sample in (*floats, Sample(integers((7,)), {"axis": 0}), ties)
        for descending in (False, True)
    ]


def _kernel_ordered(x: Array, *, axis: int, descending: bool, out: Any = None, scratch: Any = None) -> Array:
    found = order.ascending(x, axis)
    found = np.ascontiguousarray(np.flip(found, axis)) if descending else found
    return found if out is None else _delivered_one(found, out)


def _delivered_one(found: Array, out: Array) -> Array:
    np.copyto(out, found)
    return out


def _is_quick(x: TensorType, axis: int, descending: bool) -> bool:
    """Whether machine code puts the rows of tensors in order."""
    if not x.is_static or axis != x.rank - 1 or descending or x.size == 0:
        return False
    return order.is_quick(x.dtype.np, x.static_shape[axis], x.static_shape[axis])


def _emit_ordered(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
    x = node.inputs[0].type
    if out is None or not _is_quick(x, **node.attrs):
        return None
    made = MadeFunction(compile_quick, (x.dtype.np.char, x.static_shape[-1], x.rank - 1), "quick")
    return Attempt(made, (*arguments, out), None, with_scratch=True)


def _vjp_ordered(x: Any, out: Any, dout: Any, *, axis: int, descending: bool) -> Any:
    positions = argsort(x, axis=axis, descending=descending, dtype=dtypes.int64)
    return take_along_add(zeros_as(x), positions, dout, axis=axis)


ordered: Op = Op(
    "ordered",
    attrs={"axis": INT, "descending": FLAG},
    infer=lambda x, *, axis, descending: _infer_sort(x, axis=axis, descending=descending, dtype=dtypes.int64)[0],
    kernel=_kernel_ordered,
    emit=_emit_ordered,
    scratch=lambda x, **attrs: x.with_shape(x.shape[-1:]) if _is_quick(x, **attrs) else None,
    c_order=True,
    native_definition=_ordered_by_exchanges,
    vjp=_vjp_ordered,
    batch=shifted("axis"),
    internal=True,
    samples=lambda: [
        Sample(sample.inputs, {name: sample.attrs[name] for name in ("axis", "descending")}, sample.gradient)
        for sample in _sort_samples()
    ],
    doc="x in order along an axis. Which of two zeros comes first is left open.",
)
sort: Op = Op(
    "sort",
    distinct=True,
    alone=ordered,
    attrs={"axis": INT, "descending": FLAG, "dtype": DTYPE},
    infer=_infer_sort,
    kernel=_kernel_sort,
    emit=_emit_best,
    native_definition=_sorted_in_kernels,
    vjp=_vjp_values,
    batch=shifted("axis"),
    samples=_sort_samples,
    doc="x in order along an axis, equal ones as they stood, and the positions they come from.",
)
argsort: Op = Op(
    "argsort",
    distinct=True,
    attrs={"axis": INT, "descending": FLAG, "dtype": DTYPE},
    infer=lambda x, **attrs: _infer_sort(x, **attrs)[1],
    kernel=lambda x, *, axis, descending, dtype: order.argsort(x, axis, descending, dtype.np),
    native_definition=_places_in_kernels,
    batch=shifted("axis"),
    samples=_sort_samples,
    doc="The positions that put x in order along an axis, equal ones as they stand.",
)


def _infer_topk(x: TensorType, *, k: int, axis: int, largest: bool, dtype: DType) -> tuple[TensorType, TensorType]:
    check_axis(x, axis)
    check_positions(dtype)
    size = x.shape[axis]
    if k < 0 or (size is not None and k > size):
        raise ValueError(f"topk: k should be in [0, {size}], as axis {axis} of {show_shape(x.shape)}, but got {k}")
    values = x.with_shape((*x.shape[:axis], k, *x.shape[axis + 1 :]))
    return values, values.with_dtype(dtype)


def _kernel_topk(x: Array, *, k: int, axis: int, largest: bool, dtype: DType, out: Any = None) -> tuple[Array, Array]:
    if k > x.shape[axis]:
        raise ValueError(f"topk: k is {k}, but axis {axis} of shape {show_shape(x.shape)} has fewer elements")
    found = order.best(x, k, axis, largest, dtype.np)
    if found is None:
        positions = order.topk(x, k, axis, largest)
        found = order.values_at(x, positions, axis), positions.astype(dtype.np)
    return _delivered(found, out)


topk: Op = Op(
    "topk",
    distinct=True,
    attrs={"k": INT, "axis": INT, "largest": FLAG, "dtype": DTYPE},
    infer=_infer_topk,
    kernel=_kernel_topk,
    emit=_emit_best,
    native_definition=_best_by_exchanges,
    vjp=_vjp_values,
    batch=shifted("axis"),
    samples=lambda: [
        Sample(pair((3, 5)), {"k": 2, "axis": 1, "largest": True, "dtype": dtypes.int32}),
        Sample(pair((4, 3)), {"k": 1, "axis": 0, "largest": False, "dtype": dtypes.int64}),
        Sample((np.array([1.0, 3.0, 3.0, 2.0]),), {"k": 3, "axis": 0, "largest": True, "dtype": dtypes.int32}, False),
        Sample(integers((7,)), {"k": 7, "axis": 0, "largest": False, "dtype": dtypes.int32}),
    ],
    doc="The k largest (or smallest) elements along an axis, the best first, and their positions.",
)


def _infer_searchsorted(sequence: TensorType, values: TensorType, *, right: bool, dtype: DType) -> TensorType:
    check_positions(dtype)
    if sequence.dtype is not values.dtype:
        raise TypeError(f"searchsorted: {values.dtype} values cannot be looked up in a {sequence.dtype} sequence")
    rows = sequence.rank == values.rank and all(
        m is None or n is None or m == n for m, n in zip(sequence.shape[:-1], values.shape[:-1], strict=True)
    )
    if sequence.rank != 1 and not (sequence.rank > 1 and rows):
        raise ValueError(
            f"searchsorted: the sequence {show_shape(sequence.shape)} should be a vector, or agree with the values "
            f"{show_shape(values.shape)} in every dimension but the last"
        )
    return values.with_dtype(dtype)


def _kernel_searchsorted(sequence: Array, values: Array, *, right: bool, dtype: DType, out: Any = None) -> Array:
    found = search(sequence, values, right, dtype.np)
    found = order.searchsorted(sequence, values, right).astype(dtype.np) if found is None else found
    return found if out is None else _delivered_one(found, out)


def _emit_searchsorted(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
    sequence, values = (operand.type for operand in node.inputs)
    dtype, places = sequence.dtype.np.char, node.attrs["dtype"].np.char
    if out is None or not (sequence.is_static and values.is_static and sequence.size):
        return None
    if dtype not in SOUGHT or places not in "il" or not values.size or values.dtype is not sequence.dtype:
        return None
    length, row = sequence.static_shape[-1], values.static_shape[-1] if sequence.rank > 1 else None
    if length >= LONGEST_SOUGHT or (row or 0) >= LONGEST_SOUGHT:
        return None
    made = MadeFunction(compile_search, (dtype, length, node.attrs["right"], places, values.rank, row), "search")
    return Attempt(made, (*arguments, out), None)


def _batch_searchsorted(batch: Batch, sequence: Any, values: Any, **attrs: Any) -> Any:
    if not batch.mapped[0] and sequence.rank == 1:
        return searchsorted(sequence, values, **attrs)
    alike = batch.rank((sequence, values), 0) > 1 or values.rank - batch.mapped[1] == 1
    sequence, values = batch.stacked((sequence, values))
    if alike:
        return searchsorted(sequence, values, **attrs)
    flat = insert_axes(values, (1,)) if values.rank == 1 else flatten_axes(values, 1, values.rank)
    return reshape_as(searchsorted(sequence, flat, **attrs), values)


def _found_by_comparisons(sequence: Any, values: Any, *, right: bool, dtype: DType) -> Any:
    """The positions of values in a vector. In a short one all elements are compared, and their comparisons lead to the
    position by halving, as in other vectors; in a longer one they are counted."""
    count, width = sequence.shape[0], values.dtype.np.itemsize
    if sequence.rank != 1 or not count or width < 4 or None in values.shape:
        return None
    if count > MOST_HALVED and not 0 < count * values.type.size <= MOST_COMPARED:
        return None
    below, number = less_equal if right else less, dtypes.int32 if width == 4 else dtypes.int64
    first = {"axis": (0,), "keepdims": False}
    if count <= MOST_HALVED:
        found = _halved(sequence, values, below, number, 0, count)
    else:
        each = insert_axes(sequence, tuple(range(1, 1 + values.rank)))
        found = sum(cast(below(each, values), dtype=number), **first)
    if values.dtype.is_float:
        last = count if right else sum(cast(equal(sequence, sequence), dtype=number), **first)
        found = select(equal(values, values), found, last)
    return cast(found, dtype=dtype)


def _halved(sequence: Any, values: Any, below: Any, number: DType, low: int, high: int) -> Any:
    """The positions from `low` to `high`, by a comparison with the middle, and positions in both halves."""
    middle = (low + high) // 2
    one = reshape(slice_(sequence, start=(middle,), stop=(middle + 1,), step=(1,)), shape=())
    here = below(one, values)
    if high - low == 1:
        return cast(here, dtype=number) + low if low else cast(here, dtype=number)
    above = _halved(sequence, values, below, number, middle + 1, high) if middle + 1 < high else high
    return select(here, above, _halved(sequence, values, below, number, low, middle))


searchsorted: Op = Op(
    "searchsorted",
    attrs={"right": FLAG, "dtype": DTYPE},
    infer=_infer_searchsorted,
    kernel=_kernel_searchsorted,
    emit=_emit_searchsorted,
    c_order=True,
    native_definition=_found_by_comparisons,
    batch=_batch_searchsorted,
    samples=lambda: [
        Sample((np.array([1.0, 3.0, 3.0, 4.0]), np.array([[3.0, 2.0]])), {"right": False, "dtype": dtypes.int64}),
        Sample(
            (np.array([1.0, 3.0, 3.0, 4.0]), np.array([3.0, 4.0, np.nan, 0.0])), {"right": True, "dtype": dtypes.int32}
        ),
        Sample((np.sort(pair((2, 5))[0], -1), *pair((2, 3), seed=1)), {"right": True, "dtype": dtypes.int32}),
    ],
    doc="The positions at which values would be put into an ordered sequence (each row into its own).",
)
