"""Reductions over axes: sums, products, extrema, logic, positions of extrema."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import DType
from ...runtime.kernels.precision import compute_dtype, deliver, is_half
from ...runtime.native.language import MOST_ROWS, SHORT_SUM
from ..ir.attributes import DTYPE, INT, REDUCTION
from ..ir.code import Reduction
from ..ir.graph import Node
from ..ir.layouts import Cuts, labelled
from ..ir.op import Infer, Op, Sample
from ..ir.types import TensorType, show_shape
from ..ir.values import Operand
from . import infer
from .batching import shifted
from .comparison import equal, logical_or, not_equal, select
from .conversion import cast, in_single
from .creation import constant, zeros_like
from .infer import reduced_shape
from .parts import of_each
from .samples import booleans, integers, pair
from .shape import broadcast_as, expand_axes, reshape, reshape_as, sum_like
from .slicing import slice_axis

Array = np.ndarray


LONGEST_SUM = 1 << 16  # numbers that a kernel adds up one after the other


def infer_reduction(x: TensorType, *, axis: tuple[int, ...], keepdims: bool) -> TensorType:
    """The type after reducing over `axis`: a sorted tuple of axes counted from the front."""
    if list(axis) != sorted(set(axis)) or builtins.any(not 0 <= a < x.rank for a in axis):
        raise ValueError(f"axis should be a sorted tuple of distinct axes in [0, {x.rank}), but got {axis}")
    return x.with_shape(reduced_shape(x.shape, axis, keepdims))


def _infer_numeric(x: TensorType, *, axis: tuple[int, ...], keepdims: bool) -> TensorType:
    return infer_reduction(infer.broadcast_numeric(x), axis=axis, keepdims=keepdims)


def _infer_logical(x: TensorType, *, axis: tuple[int, ...], keepdims: bool) -> TensorType:
    return infer_reduction(infer.logical(x), axis=axis, keepdims=keepdims)


def _infer_extremum(x: TensorType, *, axis: tuple[int, ...], keepdims: bool) -> TensorType:
    if builtins.any(x.shape[a] == 0 for a in axis if a < x.rank):
        raise ValueError(f"there is no extremum over axis {axis} of an empty tensor of shape {show_shape(x.shape)}")
    return infer_reduction(x, axis=axis, keepdims=keepdims)


def restore(dout: Any, x: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    """A reduced symbol broadcast back to the shape of the reduction's input x."""
    return broadcast_as(dout if keepdims else expand_axes(dout, axis, x.shape), x)


def no_axes(node: Node) -> Operand | None:
    """The rewrite of a reduction over no axis to its input."""
    return node.inputs[0] if node.attrs["axis"] == () else None


def reduction_samples() -> list[Sample]:
    """Samples for a reduction: one axis, several, all, with and without kept dimensions."""
    return [
        Sample(pair((2, 3, 4)), {"axis": (1,), "keepdims": False}),
        Sample(pair((2, 3, 4)), {"axis": (0, 2), "keepdims": True}),
        Sample(pair((2, 3)), {"axis": (0, 1), "keepdims": False}),
        Sample(pair((2, 3)), {"axis": (), "keepdims": False}),
    ]


def _integer_samples() -> list[Sample]:
    return [
        Sample(integers((2, 3, 4)), {"axis": (1,), "keepdims": False}),
        Sample(integers((7,), dtype=np.int8), {"axis": (0,), "keepdims": True}),
    ]


def _reduce(ufunc: Any, x: Array, axis: tuple[int, ...], dtype: Any, keepdims: bool, out: Array | None = None) -> Array:
    """`ufunc.reduce`, without its type stub, which accepts keepdims only as a literal."""
    return ufunc.reduce(x, axis=axis, dtype=dtype, out=out, keepdims=keepdims)


def _accumulating(ufunc: np.ufunc) -> Callable[..., Array]:
    """The reduction by a ufunc in the dtype of x; halves are added in single precision."""

    def kernel(x: Array, *, axis: tuple[int, ...], keepdims: bool, out: Array | None = None) -> Array:
        x = np.asarray(x)
        if not is_half(x.dtype):
            return _reduce(ufunc, x, axis, x.dtype, keepdims, out)
        return deliver(_reduce(ufunc, x, axis, np.float32, keepdims), x.dtype, out)

    return kernel


def _cuts_reduction(node: Node, by: str) -> Cuts:
    """Each process reduces its part, and `by` combines the results; "" if nothing does."""
    axes, keepdims = node.attrs["axis"], node.attrs["keepdims"]
    (found,) = labelled(node.inputs[0].type.shape)
    if node.inputs[0].type.dtype.is_bool:  # which processes do not reduce
        by = ""
    labels = tuple(label if by or axis not in axes else None for axis, label in enumerate(found))
    kept = [None if axis in axes else label for axis, label in enumerate(found) if keepdims or axis not in axes]
    return Cuts((labels,), (tuple(kept),), by)


def reduction_op(name: str, infer: Infer, kernel: Callable[..., Any], combined: str = "", **record: Any) -> Op:
    """An op that reduces over the axes `axis`. With no axes it changes nothing.

    Args:
        name, infer, kernel, record: of the record.
        combined: how the results of processes are combined that reduce a part each; "": they are not.
    """
    common: dict[str, Any] = {
        "attrs": REDUCTION,
        "batch": shifted("axis"),
        "cuts": lambda node: _cuts_reduction(node, combined),
        "rewrites": (no_axes,),
        "single": True,
    }
    return Op(name, kind="reduction", infer=infer, kernel=kernel, **common, **record)


def _by_rows(x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """A sum of more numbers than kernels add up in one row, where no shorter rows are equally long, as that of rows and
    of the rest."""
    size = x.type.known_size
    if len(axis) < x.rank or size <= LONGEST_SUM or builtins.any(not size % part for part in range(MOST_ROWS, 255, -1)):
        return None
    flat, end = reshape(x, shape=(size,)), size - size % MOST_ROWS
    rows = reshape(slice_axis(flat, 0, 0, end), shape=(end // MOST_ROWS, MOST_ROWS))
    total = sum(rows, axis=(0, 1), keepdims=False) + sum(slice_axis(flat, 0, end, size), axis=(0,), keepdims=False)
    return reshape(total, shape=reduced_shape(x.shape, axis, keepdims))


def _in_parts(x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """A sum of more rows than kernels add up in one place, as a sum of sums over parts of the first axis."""
    if None in x.shape or not x.dtype.is_float or not axis or axis[-1] != x.rank - 1:
        return None
    outer = list(axis)
    while outer and outer[-1] == x.rank - len(axis) + len(outer) - 1:
        outer.pop()
    if not outer:
        return _by_rows(x, axis=axis, keepdims=keepdims)
    sizes, row = [x.shape[each] for each in outer], math.prod(x.shape[each] for each in axis[len(outer) :])
    if row <= SHORT_SUM or math.prod(sizes) <= MOST_ROWS:
        return None
    first, count, others = outer[0], sizes[0], math.prod(sizes[1:])
    part = next((n for n in range(MOST_ROWS // others, 0, -1) if count % n == 0), 0)
    if not part or not 1 < count // part <= MOST_ROWS:
        return None
    parts = reshape(x, shape=(*x.shape[:first], count // part, part, *x.shape[first + 1 :]))
    total = sum(parts, axis=tuple([each + 1 for each in axis]), keepdims=False)
    return reshape(sum(total, axis=(first,), keepdims=False), shape=reduced_shape(x.shape, axis, keepdims))


sum = reduction_op(
    "sum",
    infer_reduction,
    _accumulating(np.add),
    combined="sum",
    parts=of_each,
    native_definition=_in_parts,
    vjp=lambda x, out, dout, *, axis, keepdims: restore(dout, x, axis, keepdims),
    emit=Reduction("add"),
    samples=lambda: [*reduction_samples(), *_integer_samples()],
    doc="Sum over axes, in the dtype of x.",
)


def sum_as(x: Any, like: Any) -> Any:
    """The symbol x summed over the axes along which `like` was broadcast to its shape."""
    if x.shape == like.shape and like.type.is_static:
        return x
    if not (x.type.is_static and like.type.is_static):
        return sum_like(x, like)
    lead = x.rank - like.rank
    axes = tuple(range(lead)) + tuple(
        axis + lead for axis, size in enumerate(like.shape) if size == 1 and x.shape[axis + lead] != 1
    )
    return reshape_as(sum(x, axis=axes, keepdims=False), like) if axes else reshape_as(x, like)


def _others(x: Any, axis: int) -> Any:
    """For each element the product of all others along an axis, also if some are zero."""
    from .cumulative import cumprod  # late, as other ops that few derivatives need

    before = cumprod(x, axis=axis, exclusive=True, reverse=False)
    return before * cumprod(x, axis=axis, exclusive=True, reverse=True)


@in_single
def _vjp_prod(x: Any, out: Any, dout: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    if not axis:
        return dout
    if not keepdims:
        dout = expand_axes(dout, axis, x.shape)
    *first, last = axis
    if first:  # a product of products: through the outer one first
        inner = prod(x, axis=(last,), keepdims=True)
        dout = _vjp_prod(inner, None, dout, axis=tuple(first), keepdims=True)
    return dout * _others(x, last)


prod = reduction_op(
    "prod",
    _infer_numeric,
    _accumulating(np.multiply),
    combined="prod",
    vjp=_vjp_prod,
    emit=Reduction("multiply"),
    samples=lambda: [
        *reduction_samples(),
        *_integer_samples(),
        Sample((np.array([[2.0, 0.0, 3.0], [0.0, 0.0, 5.0]]),), {"axis": (1,), "keepdims": False}),
        Sample((np.array([[2.0, 0.0, 3.0], [1.0, 4.0, 5.0]]),), {"axis": (0, 1), "keepdims": True}),
    ],
    doc="Product over axes, in the dtype of x.",
)


def _kernel_mean(x: Array, *, axis: tuple[int, ...], keepdims: bool, out: Array | None = None) -> Array:
    x = np.asarray(x)
    count = math.prod(x.shape[a] for a in axis)
    if x.dtype.kind in "iu":
        total = _reduce(np.add, x, axis, np.int64, keepdims)
        result = np.sign(total) * (np.abs(total) // count if count else total)  # towards zero, as MindSpore
    else:
        total = _reduce(np.add, x, axis, compute_dtype(x.dtype), keepdims)
        result = total / np.asarray(count, total.real.dtype)
    if out is None:
        return result.astype(x.dtype)
    np.copyto(out, result, casting="unsafe")
    return out


def _known_count(x: Any, axis: tuple[int, ...]) -> int | None:
    """The number of elements that are reduced to one; None if it is 0 or only the run knows it."""
    sizes = [x.shape[a] for a in axis]
    return None if None in sizes or 0 in sizes else math.prod(sizes)


def _divided(total: Any, x: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
    """A symbol of the reduced shape, divided by the number of elements that are reduced to one."""
    count = _known_count(x, axis)
    if count is not None:
        divisor: Any = count
    else:
        divisor = sum(zeros_like(x) + 1, axis=axis, keepdims=keepdims)
    if total.dtype.is_integer:
        from .discrete import floor_divide

        return floor_divide(total, divisor)
    return total / divisor


@in_single
def _vjp_mean(x: Any, out: Any, dout: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    return restore(_divided(dout, x, axis, keepdims), x, axis, keepdims)


def _mean_definition(x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    if x.dtype.is_integer or x.dtype.is_half or _known_count(x, axis) is None:
        return None
    return _divided(sum(x, axis=axis, keepdims=keepdims), x, axis, keepdims)


mean = reduction_op(
    "mean",
    _infer_numeric,
    _kernel_mean,
    vjp=_vjp_mean,
    definition=_mean_definition,
    samples=lambda: [*reduction_samples(), *_integer_samples()],
    doc="Mean over axes, in the dtype of x; that of integers loses its fraction.",
)


def _extremum(ufunc: np.ufunc) -> Callable[..., Array]:
    def kernel(x: Array, *, axis: tuple[int, ...], keepdims: bool, out: Array | None = None) -> Array:
        return _reduce(ufunc, x, axis, None, keepdims, out)

    return kernel


@in_single
def _vjp_extremum(x: Any, out: Any, dout: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    if _known_count(x, axis) == 1:
        return restore(dout, x, axis, keepdims)
    mask = equal(x, restore(out, x, axis, keepdims))
    ties = sum(cast(mask, dtype=x.dtype), axis=axis, keepdims=keepdims)
    if x.dtype.is_integer:
        from .discrete import floor_divide

        share = floor_divide(dout, ties)
    else:
        share = dout / ties
    return select(mask, restore(share, x, axis, keepdims), 0)


def _extremum_samples() -> list[Sample]:
    return [
        *reduction_samples(),
        *_integer_samples(),
        Sample((np.array([[1.0, 3.0, 3.0], [2.0, 2.0, np.nan]]),), {"axis": (1,), "keepdims": False}, False),
        Sample((*booleans((3, 4)),), {"axis": (1,), "keepdims": False}, False),
    ]


def _extreme(name: str, ufunc: np.ufunc, doc: str) -> Op:
    return reduction_op(
        name, _infer_extremum, _extremum(ufunc), combined=name, vjp=_vjp_extremum, emit=Reduction(ufunc.__name__),
        samples=_extremum_samples, doc=doc,
    )  # fmt: skip


max = _extreme("max", np.maximum, "The largest element over axes; equal ones share the gradient.")
min = _extreme("min", np.minimum, "The smallest element over axes; equal ones share the gradient.")


def _logic_samples() -> list[Sample]:
    return [
        Sample(booleans((2, 3, 4)), {"axis": (1,), "keepdims": False}),
        Sample(booleans((2, 3)), {"axis": (0, 1), "keepdims": True}),
        Sample((np.zeros((2, 0), bool),), {"axis": (1,), "keepdims": False}),
    ]


MOST_BOOLS, SHORT_BOOLS = 1 << 15, 256  # that kernels look at as integers, in all or in rows; NumPy is faster for more


def _logic(name: str, ufunc: np.ufunc, extreme: Op, doc: str) -> Op:
    def define(x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
        if not x.dtype.is_bool or None in x.shape or 0 in x.shape or not axis:
            return None
        if math.prod(x.shape) > MOST_BOOLS and (math.prod(x.shape[a] for a in axis) > SHORT_BOOLS):
            return None
        return not_equal(extreme(cast(x, dtype=dtypes.int32), axis=axis, keepdims=keepdims), 0)

    return reduction_op(
        name, _infer_logical, _extremum(ufunc), native_definition=define, samples=_logic_samples, doc=doc
    )  # fmt: skip


all = _logic("all", np.logical_and, min, "Whether every element over axes holds.")
any = _logic("any", np.logical_or, max, "Whether an element over axes holds.")


MOST_POSITIONS = 1 << 12  # along an axis where kernels find positions, as their numbers are a constant
MOST_APART = 1 << 16  # where neighbours along it lie apart: NumPy moves the elements first, in up to 16 times the time
LONG_ROW = 64  # elements of many rows at most: in longer ones NumPy finds positions as fast


def _infer_position(x: TensorType, *, axis: int, dtype: DType) -> TensorType:
    if not 0 <= axis < x.rank:
        raise ValueError(f"axis should be in [0, {x.rank}), but got {axis}")
    if not dtype.is_integer:
        raise TypeError(f"the dtype of positions should be an integer, but got {dtype}")
    return _infer_extremum(x, axis=(axis,), keepdims=False).with_dtype(dtype)


def _cuts_position(node: Node) -> Cuts:
    axis = node.attrs["axis"]
    (found,) = labelled(node.inputs[0].type.shape)
    return Cuts(((*found[:axis], None, *found[axis + 1 :]),), ((*found[:axis], *found[axis + 1 :]),))


def _by_extremum(extreme: Op) -> Callable[..., Any]:
    """The position of an extremum as the first of those that hold it, or of nan: for kernels."""

    def define(x: Any, *, axis: int, dtype: DType) -> Any:
        size = x.shape[axis]
        if x.dtype.is_bool or (x.dtype.is_integer and x.dtype.itemsize < 4):
            x = cast(x, dtype=dtypes.int32)
        numbers = {"float32": np.int32, "int32": np.int32, "float64": np.int64, "int64": np.int64}.get(
            x.dtype.numpy_name
        )
        if None in x.shape or 0 in x.shape or numbers is None or size == 1:
            return None
        behind = math.prod(x.shape[axis + 1 :])
        if size > (MOST_POSITIONS if behind == 1 else MOST_APART):
            return None
        if math.prod(x.shape) > MOST_POSITIONS and behind == 1 and size > LONG_ROW:
            return None
        found = equal(x, extreme(x, axis=(axis,), keepdims=True))
        if x.dtype.is_float:
            found = logical_or(found, not_equal(x, x))
        shape = [size if place == axis else 1 for place in range(x.rank)]
        places = constant(value=np.arange(size, dtype=numbers).reshape(shape))
        return cast(min(select(found, places, size), axis=(axis,), keepdims=False), dtype=dtype)

    return define


def _position(name: str, extreme: Op, function: Callable[..., Any], doc: str) -> Op:
    def kernel(x: Array, *, axis: int, dtype: DType, out: Array | None = None) -> Array:
        if out is not None and out.dtype == np.intp:
            return function(x, axis, out)
        result = np.asarray(function(x, axis))
        if out is None:
            return result.astype(dtype.np)
        np.copyto(out, result, casting="unsafe")
        return out

    return Op(
        name,
        attrs={"axis": INT, "dtype": DTYPE},
        cuts=_cuts_position,
        infer=_infer_position,
        kernel=kernel,
        single=True,
        native_definition=_by_extremum(extreme),
        batch=shifted("axis"),
        samples=lambda: [
            Sample(pair((3, 4)), {"axis": 1, "dtype": dtypes.int32}),
            Sample(pair((3, 4)), {"axis": 0, "dtype": dtypes.int64}),
            Sample((np.array([1, 3, 3, 1], np.int32),), {"axis": 0, "dtype": dtypes.int64}),
        ],
        doc=doc,
    )


argmax = _position("argmax", max, np.argmax, "The position of the first largest element along an axis.")
argmin = _position("argmin", min, np.argmin, "The position of the first smallest element along an axis.")
