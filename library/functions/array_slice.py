"""Parts of tensors: slices, strided slices and narrowed dimensions."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import alternative, cut, one_axis, shape_of, whole_number, whole_numbers
from ...frontend.values.dispatch import apply
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...frontend.values.traced_tensor import is_traced
from ...runtime import dtypes
from ..docstrings import Shared
from .array_shape import reshape
from .documentation import common
from .table import known_as, method

__all__ = ["narrow", "slice", "strided_slice"]

_shared = Shared(
    """
    Args:
        start: the first position.
        length: how many.
    """,
    common,
)


@known_as(primitive="Slice")
def slice(input_x: Tensor, begin: Any, size: Any) -> Tensor:
    """The block of `size` (-1: up to the end) that begins at `begin`.

    Args:
        begin: where it begins, one int a dimension.
        size: how large it is, one int a dimension.

    Raises:
        ValueError: if the block leaves the tensor.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.slice(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (0, 1), (2, -1)))
        [[2 3]
         [5 6]]
    """
    x = need_tensor(input_x, "slice", "input_x")
    wanted = whole_numbers(size, "slice", "size")
    if is_traced(begin) or (isinstance(begin, (tuple, list)) and any(is_traced(item) for item in begin)):
        return _slice_from(x, begin, wanted)
    starts = whole_numbers(begin, "slice", "begin")
    if not len(starts) == len(wanted) == x.ndim:
        raise ValueError(f"slice: 'begin' {starts} and 'size' {wanted} should have one number a dimension of {x.shape}")
    for axis, (start, count) in enumerate(zip(starts, wanted, strict=True)):
        length = shape_of(x)[axis]
        if length is not None and not (0 <= start <= length and -1 <= count <= length - start):
            raise ValueError(f"slice: {count} elements from {start} leave dimension {axis} of shape {x.shape}")
        x = cut(x, axis, start, None if count == -1 else start + count)
    return x


def _slice_from(x: Tensor, begin: Any, wanted: tuple[int, ...]) -> Tensor:
    """A block of a known size at a place that only the run knows."""
    items = [cut(begin, 0, axis, axis + 1) for axis in range(x.ndim)] if isinstance(begin, Tensor) else list(begin)
    if -1 in wanted or len(items) != x.ndim or len(wanted) != x.ndim:
        raise ValueError(f"slice: with 'begin' from a tensor, 'size' should give a count a dimension, but got {wanted}")
    starts = [reshape(item, ()) if isinstance(item, Tensor) else Tensor(item, dtypes.int64) for item in items]
    return apply(prims.dynamic_slice, x, *starts, sizes=wanted)


@_shared
def strided_slice(
    input_x: Tensor, begin: Any, end: Any, strides: Any, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0,
) -> Tensor:  # fmt: skip
    """The elements from `begin` to `end` by `strides` along each dimension, as Python slices.

    Args:
        begin, end, strides: tuples of ints, one a dimension.
        begin_mask, end_mask: bits of the places where `begin` or `end` is ignored.
        ellipsis_mask: the bit of the place that stands for all dimensions not named.
        new_axis_mask: bits of the places that make a new dimension of size one.
        shrink_axis_mask: bits of the places that take the element at `begin` only, without a dimension.

    Raises:
        ValueError: if a stride is 0.

    Examples:
        >>> print(ops.strided_slice(Tensor([1, 2, 3, 4]), (0,), (4,), (2,)))
        [1 3]
    """
    x = need_tensor(input_x, "strided_slice", "input_x")
    starts, stops = whole_numbers(begin, "strided_slice", "begin"), whole_numbers(end, "strided_slice", "end")
    steps = whole_numbers(strides, "strided_slice", "strides")
    if not len(starts) == len(stops) == len(steps):
        raise ValueError(f"strided_slice: 'begin' {starts}, 'end' {stops} and 'strides' {steps} differ in length")
    key: list[Any] = []
    for place, (start, stop, step) in enumerate(zip(starts, stops, steps, strict=True)):
        bit = 1 << place
        if ellipsis_mask & bit:
            key.append(Ellipsis)
        elif new_axis_mask & bit:
            key.append(None)
        elif shrink_axis_mask & bit:
            key.append(start)
        else:
            key.append(_bounds(None if begin_mask & bit else start, None if end_mask & bit else stop, step))
    return x[tuple(key)]


def _bounds(start: int | None, stop: int | None, step: int) -> Any:
    import builtins

    return builtins.slice(start, stop, step)


@known_as(primitive="SliceExt", shared=_shared)
def narrow(input: Tensor, axis: int, start: Any, length: int) -> Tensor:
    """The `length` elements from `start` on along an axis.

    Raises:
        ValueError: if they leave the tensor.

    Examples:
        >>> print(ops.narrow(Tensor([1, 2, 3]), 0, 1, 2))
        [2 3]
    """
    x = need_tensor(input, "narrow")
    place, count = one_axis(axis, x.ndim, "narrow"), whole_number(length, "narrow", "length")
    if is_traced(start):
        zero = Tensor(0, dtypes.int64)
        starts = [reshape(start, ()) if position == place else zero for position in range(x.ndim)]
        wanted = tuple(count if position == place else int(size) for position, size in enumerate(x.shape))
        return apply(prims.dynamic_slice, x, *starts, sizes=wanted)
    first = whole_number(start, "narrow", "start")
    whole = shape_of(x)[place]
    if whole is not None:
        first = first + whole if first < 0 else first
        if first < 0 or not 0 <= count <= whole - first:
            raise ValueError(f"narrow: {length} elements from {start} leave dimension {place} of shape {x.shape}")
    return cut(x, place, first, first + count)


@method("narrow", shared=_shared)
def narrow_method(self: Tensor, axis: Any = None, start: Any = None, length: Any = None, *, dim: Any = None) -> Tensor:
    """The `length` elements from `start` on along an axis; see `ops.narrow`.

    Raises:
        ValueError: if `axis` is out of range, or the part does not lie inside the tensor.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1, 2, 3]).narrow(0, 1, 2))
        [2 3]
    """
    return narrow(self, alternative(axis, dim, None), start, length)
