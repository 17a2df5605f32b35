"""Array functions that write elements: tensor_scatter_…, scatter_… into Parameters, index_add; unsorted_segment_…"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.types import Shape, show_shape
from ...frontend.errors.spelling import bound
from ...frontend.values.arguments import alternative, choice, cut, one_axis, shape_of, whole_number, whole_numbers
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...frontend.values.traced_tensor import is_traced
from ...runtime import dtypes
from .array_gather import need_indices, need_positions
from .array_shape import reshape
from .documentation import common
from .table import known_as, made, method

__all__ = [
    "scatter", "scatter_add", "scatter_div", "scatter_max", "scatter_min", "scatter_mul", "scatter_nd",
    "scatter_nd_add", "scatter_nd_div", "scatter_nd_max", "scatter_nd_min", "scatter_nd_mul", "scatter_nd_sub",
    "scatter_nd_update", "scatter_sub", "scatter_update", "sequence_mask", "tensor_scatter_add", "tensor_scatter_div",
    "tensor_scatter_elements", "tensor_scatter_max", "tensor_scatter_min", "tensor_scatter_mul", "tensor_scatter_sub",
    "tensor_scatter_update", "unsorted_segment_max", "unsorted_segment_min", "unsorted_segment_prod",
    "unsorted_segment_sum",
]  # fmt: skip

_ELEMENTS = {"none": "update", "add": "add", "mul": "multiply", "max": "maximum", "min": "minimum", "amax": "maximum",
             "amin": "minimum", "multiply": "multiply"}  # fmt: skip


def in_place(target: Tensor, new: Tensor) -> Tensor:
    """Give a tensor new numbers. Returns the result of an in-place function."""
    from ...frontend.values.inplace import assign_inplace, updated

    return updated(assign_inplace(target, new))


def written(x: Tensor, updates: Any, function: str) -> Tensor:
    """Updates in the dtype of their target."""
    values = updates if isinstance(updates, Tensor) else Tensor(updates, x.dtype)
    if values.dtype is not x.dtype:
        raise TypeError(f"{function}: 'updates' of {values.dtype} should have the dtype {x.dtype} of the input")
    return values


def _scatter_coordinates(x: Tensor, indices: Tensor, updates: Any, reduction: str, function: str) -> Tensor:
    values = written(x, updates, function)
    places = need_positions(indices, function, "indices")
    _check_updates(shape_of(x), shape_of(places), shape_of(values), function)
    if reduction == "subtract":
        return apply(prims.scatter_nd, x, places, apply(prims.negative, values), reduction="add")
    if reduction == "divide" and values.dtype.is_integer:
        return _divided(x, places, values, function)
    if reduction == "divide":
        return apply(prims.scatter_nd, x, places, _inverse(values), reduction="multiply")
    return apply(prims.scatter_nd, x, places, values, reduction=reduction)


def _check_updates(x: Shape, places: Shape, given: Shape, function: str) -> None:
    """Raise ValueError unless there is one element or block for each row of coordinates; a number counts for all."""
    depth = places[-1] if places and given else None
    if depth is None:
        return
    wanted = (*places[:-1], *x[depth:])
    if len(given) != len(wanted) or any(
        None not in pair and pair[0] != pair[1] for pair in zip(given, wanted, strict=True)
    ):
        raise ValueError(
            f"{function}: 'updates' should have shape {show_shape(wanted)}, but have {show_shape(given)}: one element "
            "or block of the input for each row of 'indices'"
        )


def _divided(x: Tensor, places: Any, values: Tensor, function: str) -> Tensor:
    """Integers divided by one update after another, each quotient rounded towards zero, which equals one division by
    their product.

    Raises:
        ValueError: if an update is known to be 0.
    """
    if not is_traced(values) and not values.asnumpy().all():
        raise ValueError(f"{function}: 'updates' must not contain 0")
    wide = x.dtype if x.dtype is dtypes.uint64 else dtypes.int64
    ones = apply(prims.add, apply(prims.zeros_like, cast(x, wide)), 1)
    divisors = apply(prims.scatter_nd, ones, places, cast(values, wide), reduction="multiply")
    whole = cast(x, wide)
    rest = apply(prims.fmod, whole, divisors)
    return cast(apply(prims.floor_divide, apply(prims.subtract, whole, rest), divisors), x.dtype)


def _inverse(values: Tensor) -> Tensor:
    if not values.dtype.is_float:
        raise TypeError(f"dividing by updates of {values.dtype} is not supported; use floating-point tensors")
    return apply(prims.divide, 1.0, values)


_WRITTEN = """{summary}

Args:
    input_x: {input}.
    indices: {indices}, integers.
    updates: the numbers, of the dtype of `input_x`, of shape {updates}.{locking}

Returns:
    {returns}

Raises:
    TypeError: if `input_x` is no Tensor, or `updates` has another dtype.
    IndexError: if an index is out of range.

Examples:
    >>> from mycel import Parameter, Tensor, ops
    >>> x = {kind}(Tensor([8.0, 8.0, 8.0]), name="x")
    >>> print(ops.{name}(x, Tensor({places}), Tensor([2.0, 4.0])))
    {result}
"""
_LOCKING = "\n    use_locking: accepted; nothing else writes at the same time."
_PRINTED = {
    "update": "[2. 8. 4.]", "add": "[10.  8. 12.]", "subtract": "[6. 8. 4.]", "multiply": "[16.  8. 32.]",
    "divide": "[4. 8. 2.]", "maximum": "[8. 8. 8.]", "minimum": "[2. 8. 4.]",
}  # fmt: skip


def _coordinate_function(
    name: str, reduction: str, sentence: str, primitive: str, method: str = ""
) -> Callable[..., Tensor]:
    """`tensor_scatter_...`: the tensor with updates written at coordinates."""

    def scatter(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
        return _scatter_coordinates(need_tensor(input_x, name, "input_x"), indices, updates, reduction, name)

    text = _WRITTEN.format(
        summary=f"The tensor with its elements or blocks at coordinates {sentence}.",
        input="a tensor of at least one dimension", indices="coordinates of shape (..., k), one in each row",
        updates="(..., *input_x.shape[k:])", locking="", returns="A tensor of the shape and dtype of `input_x`.",
        kind="Tensor", name=name, places="[[0], [2]]", result=_PRINTED[reduction],
    ).replace(', name="x")', ")")  # fmt: skip
    return known_as(primitive=primitive, method=method)(made(scatter, name, (), text))


def _updating(name: str, reduction: str, sentence: str, rows: bool) -> Callable[..., Tensor]:
    """`scatter_nd_...` and `scatter_...`: a Parameter changed in place at coordinates, or in rows."""

    def scatter(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
        target = need_tensor(input_x, name, "input_x")
        if rows:
            indices = need_indices(indices, name, "indices")
            indices = reshape(indices, (*indices.shape, 1))
        return in_place(target, _scatter_coordinates(target, indices, updates, reduction, name))

    what = "rows at `indices`" if rows else "elements or blocks at coordinates"
    text = _WRITTEN.format(
        summary=f"Change a Parameter: its {what} are {sentence}. Gives its new numbers.",
        input="a Parameter of at least one dimension",
        indices="rows, of any shape" if rows else "coordinates of shape (..., k), one in each row",
        updates="(*indices.shape, *input_x.shape[1:])" if rows else "(..., *input_x.shape[k:])",
        locking=_LOCKING, returns="A tensor with the new numbers.", kind="Parameter", name=name,
        places="[0, 2]" if rows else "[[0], [2]]", result=_PRINTED[reduction],
    )  # fmt: skip
    return made(scatter, name, (), text)


_REPLACED, _RAISED, _LOWERED = "replaced by updates", "raised by updates", "lowered by updates"
_TIMES, _OVER, _LEAST, _MOST = (
    "multiplied by updates",
    "divided by updates",
    "the smaller of themselves and updates",
    "the larger of themselves and updates",
)
tensor_scatter_update = _coordinate_function("tensor_scatter_update", "update", _REPLACED, "TensorScatterUpdate")
tensor_scatter_add = _coordinate_function("tensor_scatter_add", "add", _RAISED, "TensorScatterAdd")
tensor_scatter_sub = _coordinate_function("tensor_scatter_sub", "subtract", _LOWERED, "TensorScatterSub", "scatter_sub")
tensor_scatter_mul = _coordinate_function("tensor_scatter_mul", "multiply", _TIMES, "TensorScatterMul", "scatter_mul")
tensor_scatter_div = _coordinate_function("tensor_scatter_div", "divide", _OVER, "TensorScatterDiv", "scatter_div")
tensor_scatter_max = _coordinate_function("tensor_scatter_max", "maximum", _MOST, "TensorScatterMax", "scatter_max")
tensor_scatter_min = _coordinate_function("tensor_scatter_min", "minimum", _LEAST, "TensorScatterMin", "scatter_min")
scatter_nd_update = _updating("scatter_nd_update", "update", _REPLACED, rows=False)
scatter_nd_add = _updating("scatter_nd_add", "add", _RAISED, rows=False)
scatter_nd_sub = _updating("scatter_nd_sub", "subtract", _LOWERED, rows=False)
scatter_nd_mul = _updating("scatter_nd_mul", "multiply", _TIMES, rows=False)
scatter_nd_div = _updating("scatter_nd_div", "divide", _OVER, rows=False)
scatter_nd_max = _updating("scatter_nd_max", "maximum", _MOST, rows=False)
scatter_nd_min = _updating("scatter_nd_min", "minimum", _LEAST, rows=False)
scatter_update = _updating("scatter_update", "update", _REPLACED, rows=True)
scatter_add = _updating("scatter_add", "add", _RAISED, rows=True)
scatter_sub = _updating("scatter_sub", "subtract", _LOWERED, rows=True)
scatter_mul = _updating("scatter_mul", "multiply", _TIMES, rows=True)
scatter_div = _updating("scatter_div", "divide", _OVER, rows=True)
scatter_max = _updating("scatter_max", "maximum", _MOST, rows=True)
scatter_min = _updating("scatter_min", "minimum", _LEAST, rows=True)


@known_as(primitive="ScatterNd")
def scatter_nd(indices: Tensor, updates: Tensor, shape: Any) -> Tensor:
    """Zeros of a shape with updates added at coordinates, the rows of `indices`.

    Args:
        indices: integers of shape (..., k), a position in each row.
        updates: the numbers, of shape (..., *shape[k:]).
        shape: the shape of the result, a tuple of ints.

    Raises:
        IndexError: if an index is out of range.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.scatter_nd(ms.Tensor([[0], [2]]), ms.Tensor([1.0, 2.0]), (4,)))
        [1. 0. 2. 0.]
    """
    values = need_tensor(updates, "scatter_nd", "updates")
    zeros = apply(prims.full, shape=whole_numbers(shape, "scatter_nd", "shape"), value=0, dtype=values.dtype)
    return _scatter_coordinates(zeros, indices, values, "add", "scatter_nd")


def tensor_scatter_elements(
    input_x: Tensor, indices: Tensor, updates: Tensor, axis: int = 0, reduction: str = "none"
) -> Tensor:
    """The tensor with updates written where `gather_elements` would read.

    Args:
        input_x: a tensor of any shape and dtype.
        indices: integers of as many dimensions as `input_x`.
        updates: a tensor of the dtype of `input_x` and the shape of `indices`.
        axis: the axis; a negative one counts from the end.
        reduction: "none" replaces elements, "add" adds to them.

    Raises:
        ValueError: if the shapes do not fit, or `reduction` is another word.

    Examples:
        >>> import mycel as ms
        >>> x = ms.Tensor([[1.0, 2.0, 3.0]])
        >>> print(ms.ops.tensor_scatter_elements(x, ms.Tensor([[2]]), ms.Tensor([[9.0]]), 1))
        [[1. 2. 9.]]
    """
    x = need_tensor(input_x, "tensor_scatter_elements", "input_x")
    choice(reduction, tuple(_ELEMENTS), "tensor_scatter_elements", "reduction")
    return _scatter_elements(x, indices, updates, axis, _ELEMENTS[reduction], "tensor_scatter_elements")


def _scatter_elements(x: Tensor, indices: Any, updates: Any, axis: int, reduction: str, function: str) -> Tensor:
    places = need_positions(indices, function, "indices")
    place = one_axis(axis, x.ndim, function)
    values = written(x, updates, function)
    if values.ndim == places.ndim and shape_of(values) != shape_of(places):
        for position, (size, wanted) in enumerate(zip(shape_of(values), shape_of(places), strict=True)):
            if size is not None and wanted is not None and size > wanted:
                values = cut(values, position, 0, wanted)
    return apply(prims.scatter_elements, x, places, values, axis=place, reduction=reduction)


@common
def scatter(input: Tensor, axis: int, index: Tensor, src: Any, *, reduce: str = "none") -> Tensor:
    """The tensor with the elements of `src` (or a number) written where `gather_elements` would read.

    Args:
        index: integers of as many dimensions as `input`.
        src: a tensor of the dtype of `input` and the shape of `index`, or a number.
        reduce: "none" replaces elements, "add" adds to them, "multiply" multiplies them.

    Raises:
        TypeError: if `input`, `index` or `src` is no Tensor.
        ValueError: if `axis` is out of range, or the shapes do not fit, or `reduce` is another word.

    Examples:
        >>> print(ops.scatter(Tensor([[1, 2, 3]]), 1, Tensor([[2]]), Tensor([[9]])))
        [[1 2 9]]
    """
    x = need_tensor(input, "scatter")
    choice(reduce, tuple(_ELEMENTS), "scatter", "reduce")
    return _scatter_elements(x, index, src, axis, _ELEMENTS[reduce], "scatter")


@method("scatter", inplace="scatter_", shared=common)
def scatter_method(
    self: Tensor, axis: Any = None, index: Any = None, src: Any = None, *, dim: Any = None, value: Any = None,
    reduce: str = "none",
) -> Tensor:  # fmt: skip
    """The tensor with elements written along an axis; see `ops.scatter`.

    Args:
        index: integers of as many dimensions as the tensor.
        src, value: a tensor of the dtype of this one and the shape of `index`, or a number.
        reduce: "none", "add" or "multiply".

    Raises:
        TypeError: if `index` or `src` is no Tensor.
        ValueError: if `axis` is out of range, or the shapes do not fit, or `reduce` is another word.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([[1, 2, 3]]).scatter(1, Tensor([[2]]), Tensor([[9]])))
        [[1 2 9]]
    """
    return scatter(self, alternative(axis, dim, 0), index, src if src is not None else value, reduce=reduce)


@method("scatter_add", inplace="scatter_add_")
def scatter_add_method(self: Tensor, *positional: Any, **named: Any) -> Tensor:
    """`x.scatter_add(indices, updates)`: added at coordinates; `x.scatter_add(dim, index, src)`: along a dimension.

    Args:
        positional, named: the arguments: tensors of indices and of updates, or a dimension and both.

    Raises:
        TypeError: if `named` is no Tensor, or an index is no Tensor.

    Examples:
        >>> print(Tensor([[1, 2, 3]]).scatter_add(1, Tensor([[2]]), Tensor([[9]])))
        [[ 1  2 12]]
    """
    if len(positional) + len(named) == 2:
        return tensor_scatter_add(self, *positional, **named)
    dim, index, src = bound("scatter_add", ("dim", "index", "src"), positional, named)
    return _scatter_elements(self, index, src, dim, "add", "scatter_add")


def _segments(x: Tensor, segment_ids: Tensor, num_segments: Any, reduction: str, start: Any, function: str) -> Tensor:
    values, ids = need_tensor(x, function, "x"), need_positions(segment_ids, function, "segment_ids")
    count = whole_number(num_segments, function, "num_segments")
    if shape_of(values)[: ids.ndim] != shape_of(ids):
        raise ValueError(f"{function}: 'segment_ids' {ids.shape} should be of the leading shape of {values.shape}")
    rest = values._type.static_shape[ids.ndim :]
    empty = apply(prims.full, shape=(count + 1, *rest), value=start, dtype=values.dtype)
    places = apply(prims.segment_places, ids, count=count)  # rows of negative ids count for nothing
    rows = reshape(places, (*ids.shape, 1))
    return cut(apply(prims.scatter_nd, empty, rows, values, reduction=reduction), 0, 0, count)


def _lowest(x: Tensor, sign: int) -> Any:
    import numpy as np

    if x.dtype.is_float:
        return float(sign * dtypes.limits(x.dtype).max)
    bounds = np.iinfo(x.dtype.np)
    return int(bounds.max if sign > 0 else bounds.min)


def _segment_function(
    name: str, reduction: str, start: Any, what: str, empty: str, result: str, x: str = "x"
) -> Callable[..., Tensor]:
    """`unsorted_segment_...`; `start` is the result for empty segments, or -1 or 1 for the lowest or largest number."""

    def segments(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
        """The {what} of the rows with the same segment id; {empty} for segments without rows.

        Args:
            {x}: a tensor of shape (rows, ...), whose first dimensions are those of `segment_ids`.
            segment_ids: the segment of each row, integers; rows with a negative one do not count.
            num_segments: how many segments there are.

        Returns:
            A tensor of shape (num_segments, ...) and the dtype of `{x}`.

        Raises:
            TypeError: if `{x}` is no Tensor.
            ValueError: if the shape of `segment_ids` is not the beginning of that of `{x}`.
            IndexError: when it runs, for a segment id that is `num_segments` or more, or below -2**31.

        Examples:
            >>> from mycel import Tensor, ops
            >>> print(ops.{name}(Tensor([1.0, 2.0, 3.0]), Tensor([0, 0, 1]), 2))
            {result}
        """
        first = start if reduction in ("add", "multiply") else _lowest(need_tensor(x, name), start)
        return _segments(x, segment_ids, num_segments, reduction, first, name)

    primitive = "".join(map(str.capitalize, name.split("_")))
    names = (x, "segment_ids", "num_segments")
    return known_as(method=True, primitive=primitive)(
        made(segments, name, names, what=what, empty=empty, result=result, x=x)
    )


unsorted_segment_sum = _segment_function("unsorted_segment_sum", "add", 0, "sums", "zeros", "[3. 3.]", "input_x")


unsorted_segment_prod = _segment_function("unsorted_segment_prod", "multiply", 1, "products", "ones", "[2. 3.]")


unsorted_segment_max = _segment_function(
    "unsorted_segment_max", "maximum", -1, "maxima", "the lowest number", "[2. 3.]"
)


unsorted_segment_min = _segment_function(
    "unsorted_segment_min", "minimum", 1, "minima", "the largest number", "[1. 3.]"
)


@common
def sequence_mask(lengths: Tensor, maxlen: int | None = None) -> Tensor:
    """For each length as many True as it says, then False, up to `maxlen` (the largest length).

    Args:
        lengths: integers of any shape.
        maxlen: the size of the new last dimension; None: the largest length.

    Examples:
        >>> print(ops.sequence_mask(Tensor([1, 3])))
        [[ True False False]
         [ True  True  True]]
    """
    counts = need_indices(lengths, "sequence_mask", "lengths")
    size = int(max(counts.asnumpy().max(), 0)) if maxlen is None else whole_number(maxlen, "sequence_mask", "maxlen")
    steps = cast(apply(prims.iota, start=0, step=1, size=size, dtype=dtypes.int64), counts.dtype)
    return apply(prims.less, steps, reshape(counts, (*counts.shape, 1)))
