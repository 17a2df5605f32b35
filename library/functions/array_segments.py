"""Reductions of the rows of each segment, and masks of sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import cut, shape_of, whole_number
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .array_gather import need_indices
from .array_shape import reshape
from .documentation import common
from .table import known_as, made

__all__ = [
    "sequence_mask", "unsorted_segment_max", "unsorted_segment_min", "unsorted_segment_prod",
    "unsorted_segment_sum",
]  # fmt: skip


def _segments(x: Tensor, segment_ids: Tensor, num_segments: Any, reduction: str, start: Any, function: str) -> Tensor:
    values, ids = need_tensor(x, function, "x"), need_indices(segment_ids, function, "segment_ids")
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
