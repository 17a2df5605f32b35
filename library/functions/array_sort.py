"""Array functions that order and count: sort, argsort, topk, searchsorted, unique, bincount, …"""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import alternative, cut, drop_axes, need_flags, one_axis, shape_of, whole_number
from ...frontend.values.dispatch import apply, as_tensor, cast, common_dtype
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import Shared
from .array_gather import need_indices, ravel_single
from .array_shape import moveaxis, ravel, reshape
from .documentation import common
from .table import known_as, method

__all__ = [
    "argsort", "bincount", "bucketize", "histc", "intopk", "kthvalue", "msort", "searchsorted", "sort", "top_k",
    "topk", "unique", "unique_consecutive",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        descending: whether the largest come first.
        sorted: accepted: they always come in order.
        stable: accepted: the order is always stable.
        k: how many.
    """,
    common,
)


@_shared
def sort(input_x: Tensor, axis: int = -1, descending: bool = False) -> tuple[Tensor, Tensor]:
    """The elements in order along an axis (equal ones as they stood), and the positions, Int32, they come from.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.sort(ms.Tensor([3, 1, 2]))[0])
        [1 2 3]
    """
    need_flags("sort", descending=descending)
    x = need_tensor(input_x, "sort", "input_x")
    place = one_axis(axis, x.ndim, "sort")
    return apply(prims.sort, x, axis=place, descending=bool(descending), dtype=dtypes.int32)


@method("sort", shared=_shared)
def sort_method(
    self: Tensor, axis: int | None = None, descending: bool = False, *, dim: int | None = None, stable: bool = False
) -> tuple[Tensor, Tensor]:
    """The elements in order along an axis, and the positions they come from; see `ops.sort`.

    Examples:
        >>> from mycel import Tensor
        >>> print(*Tensor([3, 1, 2]).sort())
        [1 2 3] [1 2 0]
    """
    return sort(self, alternative(axis, dim, -1), descending)


@_shared
def argsort(input: Tensor, axis: int = -1, descending: bool = False) -> Tensor:
    """The positions, Int32, that put the elements in order along an axis.

    Examples:
        >>> print(ops.argsort(Tensor([3.0, 1.0, 2.0])))
        [1 2 0]
    """
    need_flags("argsort", descending=descending)
    x = need_tensor(input, "argsort")
    place = one_axis(axis, x.ndim, "argsort")
    return apply(prims.argsort, x, axis=place, descending=bool(descending), dtype=dtypes.int32)


@method("argsort", shared=_shared)
def argsort_method(
    self: Tensor, axis: int | None = None, descending: bool = False, stable: bool = False, *, dim: int | None = None
) -> Tensor:
    """The positions that put the elements in order along an axis; see `ops.argsort`.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([3.0, 1.0, 2.0]).argsort())
        [1 2 0]
    """
    return argsort(self, alternative(axis, dim, -1), descending)


@known_as(method=True, shared=_shared)
def msort(input: Tensor) -> Tensor:
    """The elements in order along the first axis.

    Examples:
        >>> print(ops.msort(Tensor([3, 1, 2])))
        [1 2 3]
    """
    return sort(input, 0)[0]


@known_as(method=True, primitive="TopkExt", shared=_shared)
def topk(
    input: Tensor, k: Any, dim: int | None = None, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, Tensor]:
    """The k largest (or smallest) elements along a dimension, the last by default, and their positions, Int32.

    Args:
        input: a tensor of numbers of at least one dimension.
        dim: the dimension; a negative one counts from the end.
        largest: whether the largest or the smallest.

    Raises:
        ValueError: if there are fewer than k elements.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.topk(ms.Tensor([1.0, 3.0, 2.0]), 2)[0])
        [3. 2.]
    """
    need_flags("topk", largest=largest, sorted=sorted)
    x = need_tensor(input, "topk")
    axis = one_axis(-1 if dim is None else dim, x.ndim, "topk", "dim")
    count = whole_number(k, "topk", "k")
    return apply(prims.topk, x, k=count, axis=axis, largest=bool(largest), dtype=dtypes.int32)


@known_as(method=True, shared=_shared)
def top_k(input_x: Tensor, k: Any, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest elements along the last dimension, and their positions.

    Args:
        input_x: a tensor of numbers of at least one dimension.

    Raises:
        ValueError: if `k` is out of range.

    Examples:
        >>> print(*ops.top_k(Tensor([3.0, 1.0, 2.0]), 2))
        [3. 2.] [0 2]
    """
    need_flags("top_k", sorted=sorted)
    return topk(input_x, k)


@known_as(method=True, shared=_shared)
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The k-th smallest element along a dimension, counted from 1, and its position.

    Args:
        k: which, counted from 1.
        dim: the dimension; a negative one counts from the end.
        keepdim: whether the reduced dimensions stay as dimensions of size one.

    Raises:
        ValueError: if `dim` is out of range, or `k` or the dimension is out of range.

    Examples:
        >>> print(*ops.kthvalue(Tensor([3.0, 1.0, 2.0]), 2))
        2.0 2
    """
    need_flags("kthvalue", keepdim=keepdim)
    x = need_tensor(input, "kthvalue")
    axis, count = one_axis(dim, x.ndim, "kthvalue", "dim"), whole_number(k, "kthvalue", "k")
    size = shape_of(x)[axis]
    if size is not None and not 1 <= count <= size:
        raise ValueError(f"kthvalue: 'k' should be in [1, {size}], but got {k}")
    values, positions = sort(x, axis)
    picked = tuple(cut(item, axis, count - 1, count) for item in (values, positions))
    return picked if keepdim else tuple(drop_axes(item, (axis,)) for item in picked)  # type: ignore[return-value]


@known_as(mint=True)
def searchsorted(
    sorted_sequence: Tensor, values: Any, *, out_int32: bool = False, right: bool = False, side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The positions, Int64, at which values would be put into an ordered sequence.

    Args:
        sorted_sequence: a vector, or rows that are each in order.
        values: a Tensor or number, looked up in the rows of the same position.
        out_int32: whether the positions are Int32.
        right: whether equal elements stay before the position. `side="right"` says the same.
        side: "left" or "right", in place of `right`.
        sorter: integers, the positions that put the sequence in order.

    Raises:
        TypeError: if `sorted_sequence` or `values` is no Tensor.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.searchsorted(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([2.0, 2.5])))
        [1 2]
    """
    need_flags("searchsorted", out_int32=out_int32, right=right)
    sequence = need_tensor(sorted_sequence, "searchsorted", "sorted_sequence")
    if side not in (None, "left", "right") or (side == "left" and right):
        raise ValueError(f"searchsorted: 'side' should be 'left' or 'right' and agree with 'right', but got {side!r}")
    if sorter is not None:
        sequence = apply(prims.take_along, sequence, sorter, axis=sequence.ndim - 1)
    wanted = as_tensor(values) if isinstance(values, Tensor) else Tensor(values)
    if isinstance(values, Tensor):
        sequence = cast(sequence, common_dtype(sequence, wanted))
    wanted = cast(wanted, sequence.dtype)
    dtype = dtypes.int32 if out_int32 else dtypes.int64
    return apply(prims.searchsorted, sequence, wanted, right=right or side == "right", dtype=dtype)


@method("searchsorted")
def searchsorted_method(self: Tensor, v: Any, side: str = "left", sorter: Any = None) -> Tensor:
    """The positions at which values would be put into this ordered tensor; see `ops.searchsorted`.

    Args:
        v: a tensor or number.
        side: "left" or "right": on which side of equal elements.
        sorter: positions that put the tensor in order.

    Raises:
        ValueError: if `side` is another word.

    Examples:
        >>> print(Tensor([1.0, 3.0]).searchsorted(2.0))
        1
    """
    return searchsorted(self, v, side=side, right=side == "right", sorter=sorter, out_int32=True)


@_shared
def bucketize(input: Tensor, boundaries: Any, *, right: bool = False) -> Tensor:
    """The number, Int32, of the interval between ordered boundaries that each element lies in.

    Args:
        boundaries: the boundaries in ascending order, a sequence of numbers.
        right: whether an element that equals a boundary lies in the interval above it.

    Examples:
        >>> print(ops.bucketize(Tensor([0.5, 2.5]), [1.0, 2.0]))
        [0 2]
    """
    edges = boundaries if isinstance(boundaries, Tensor) else Tensor(list(map(float, boundaries)), dtypes.float32)
    x = need_tensor(input, "bucketize")
    return searchsorted(edges, reshape(cast(x, edges.dtype), x.shape), right=right, out_int32=True)


@known_as(mint=True, method=True, primitive="BincountExt", shared=_shared)
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each number from 0 on occurs, as Float32, or the sums of its weights.

    Args:
        input: a vector of integers that are not negative, or of Bool.
        weights: a tensor of the shape of `input`, or None.
        minlength: the least length of the result.

    Raises:
        ValueError: if `input` is no vector.

    Examples:
        >>> print(ops.bincount(Tensor([0, 1, 1])))
        [1. 2.]
    """
    given = need_tensor(input, "bincount")
    x = need_indices(cast(given, dtypes.int32) if given.dtype.is_bool else given, "bincount", "input")
    if x.ndim != 1:
        raise ValueError(f"bincount: 'input' should be a vector, but its shape is {x.shape}")
    length = whole_number(minlength, "bincount", "minlength")
    if length < 0:
        raise ValueError(f"bincount: 'minlength' should not be negative, but got {minlength}")
    if weights is None:
        return cast(apply(prims.bincount, x, length=length), dtypes.float32)
    factors = need_tensor(weights, "bincount", "weights")
    factors = factors if factors.dtype.is_float else cast(factors, dtypes.float32)
    if factors.shape != x.shape:
        raise ValueError(f"bincount: 'weights' of shape {factors.shape} should have the shape {x.shape} of 'input'")
    return apply(prims.bincount, x, factors, length=length)


@known_as(primitive="Unique", shared=_shared)
def unique(input: Tensor) -> tuple[Tensor, Tensor]:
    """The different elements, in the order they first occur, and for each element which of them it is.

    These numbers are Int32; of Int64 elements they are Int64, too.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.unique(ms.Tensor([3, 1, 3]))[0])
        [3 1]
    """
    x = need_tensor(input, "unique")
    dtype = dtypes.int64 if x.dtype is dtypes.int64 else dtypes.int32
    values, inverse, _ = apply(prims.unique, x, sort=False, dtype=dtype)
    return values, inverse


@method("unique", shared=_shared)
def unique_method(
    self: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The different elements in order; optionally which of them each element is, and how often each occurs.

    Args:
        return_inverse: whether to give which of them each element is.
        return_counts: whether to give how often each occurs.
        dim: the dimension along which slices are compared; None: all elements.

    Raises:
        ValueError: if the dimension is out of range.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([2, 1, 2]).unique())
        [1 2]
    """
    if dim is not None:
        raise TypeError("unique along one dimension is not supported; leave 'dim' out")
    values, inverse, counts = apply(prims.unique, need_tensor(self, "unique"), sort=bool(sorted), dtype=dtypes.int64)
    result = (values, *([inverse] if return_inverse else []), *([counts] if return_counts else []))
    return result if len(result) > 1 else values


@known_as(mint=True, method=True, shared=_shared)
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The first of each run of equal elements; optionally which run each element is in, and how long each run is.

    Args:
        return_inverse: whether to give which run each element is in.
        return_counts: whether to give the lengths of the runs.
        dim: the dimension along which slices are compared; None: all elements in order.

    Examples:
        >>> print(ops.unique_consecutive(Tensor([1, 1, 2])))
        [1 2]
    """
    need_flags("unique_consecutive", return_inverse=return_inverse, return_counts=return_counts)
    x = need_tensor(input, "unique_consecutive")
    place = None if dim is None else one_axis(dim, x.ndim, "unique_consecutive", "dim")
    if place is None or x.ndim == 1:
        values, inverse, counts = apply(prims.unique_consecutive, ravel(x), dtype=dtypes.int64)
        inverse = reshape(inverse, x.shape)
    else:
        _, inverse, counts = apply(prims.unique_consecutive, _runs_of_slices(x, place), dtype=dtypes.int64)
        ends = apply(prims.cumsum, counts, axis=0, exclusive=True, reverse=False)
        values = apply(prims.take, x, ends, axis=place)
    result: tuple[Any, ...] = (values,)
    if return_inverse:
        result += (inverse,)
    if return_counts:
        result += (counts,)
    return result if len(result) > 1 else values


def _runs_of_slices(x: Tensor, place: int) -> Tensor:
    """For each slice along an axis the number of the run of equal slices that it is in."""
    length = x.shape[place]
    rows = reshape(moveaxis(x, place, 0), (length, -1 if length else 1))
    differ = apply(prims.not_equal, cut(rows, 0, 1, None), cut(rows, 0, None, -1))
    new = cast(apply(prims.any, differ, axis=(1,), keepdims=False), dtypes.int64)
    runs = apply(prims.cumsum, new, axis=0, exclusive=False, reverse=False)
    first = apply(prims.full, shape=(1 if length else 0,), value=0, dtype=dtypes.int64)
    return apply(prims.concatenate, first, runs, axis=0)


@_shared
def intopk(x1: Tensor, x2: Tensor, k: int) -> Tensor:
    """For each row of `x1` whether its element at the position of `x2` is among the k largest.

    Args:
        x1: a floating-point matrix.
        x2: a vector of integers, one for each row.
        k: how many count as the largest.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.intopk(Tensor([[1.0, 2.0, 3.0]]), Tensor([1]), 2))
        [ True]
    """
    x, targets = need_tensor(x1, "intopk", "x1"), need_indices(x2, "intopk", "x2")
    picked = apply(prims.take_along, x, reshape(targets, (-1, 1)), axis=1)
    better = cast(apply(prims.greater, x, picked), dtypes.int32)
    return apply(prims.less, apply(prims.sum, better, axis=(1,), keepdims=False), whole_number(k, "intopk", "k"))


@known_as(mint=True, method=True, primitive="HistcExt", shared=_shared)
def histc(input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Tensor:
    """How many elements lie in each of equal intervals from `min` to `max` (equal: from the least to the largest).

    Args:
        input: a tensor of numbers, of any shape.
        bins: how many intervals.
        min, max: the ends of the intervals.

    Raises:
        ValueError: if `bins` is not positive, or `max` is below `min`.

    Examples:
        >>> print(ops.histc(Tensor([1.0, 2.0, 2.0]), 2))
        [1. 2.]
    """
    x = need_tensor(input, "histc")
    if not isinstance(bins, int) or bins < 1:
        raise ValueError(f"histc: 'bins' should be a positive int, but got {bins!r}")
    if max < min:
        raise ValueError(f"histc: 'max' should not be below 'min', but got {max} and {min}")
    flat = ravel(x if x.dtype.is_float else cast(x, dtypes.float32))
    if min == max:
        low: Any = apply(prims.min, flat, axis=(0,), keepdims=False)
        high: Any = apply(prims.max, flat, axis=(0,), keepdims=False)
        alone = cast(apply(prims.equal, low, high), flat.dtype)
        low, high = apply(prims.subtract, low, alone), apply(prims.add, high, alone)
    else:
        low, high = ravel_single(Tensor(min, flat.dtype)), ravel_single(Tensor(max, flat.dtype))
    width = apply(prims.divide, apply(prims.subtract, high, low), float(bins))
    scaled = apply(prims.floor, apply(prims.divide, apply(prims.subtract, flat, low), width))
    inside = apply(prims.logical_and, apply(prims.greater_equal, flat, low), apply(prims.less_equal, flat, high))
    position = cast(apply(prims.clip, scaled, 0.0, float(bins - 1)), dtypes.int32)
    counts = apply(prims.full, shape=(bins,), value=0, dtype=dtypes.int32)
    total = apply(prims.take_add, counts, position, cast(inside, dtypes.int32), axis=0)
    return cast(total, x.dtype if x.dtype.is_float or x.dtype is dtypes.int32 else dtypes.float32)
