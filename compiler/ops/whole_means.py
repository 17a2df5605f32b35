"""Means over windows in simpler forms: of whole images and of blocks they are sums, which kernels add up beside other
operations, and equal windows at equal distances are those of `avg_pool`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from .reduction import sum
from .shape import broadcast_to, reshape

FEWEST_IN_BLOCKS = 4  # columns of windows that are added up as blocks; shorter rows have code of their own
FEWEST_GRAD = 7  # columns of windows that a gradient is broadcast to


def mean_of_blocks(x: Any, *, kernel: Any, stride: Any, padding: Any, divisor: int | None, **windows: Any) -> Any:
    """`avg_pool` over windows that are the whole image, or that divide it into blocks; None for others."""
    counts = _counts(x.shape[2:], kernel, stride, padding)
    if counts is None or x.dtype.is_half:
        return None
    number = float(divisor or math.prod(kernel))
    if set(counts) == {1}:
        return sum(x, axis=tuple(range(2, len(x.shape))), keepdims=True) / number
    if kernel[-1] < FEWEST_IN_BLOCKS or None in x.shape:
        return None
    blocks = reshape(x, shape=(*x.shape[:2], *itertools.chain(*zip(counts, kernel, strict=True))))
    return sum(blocks, axis=tuple(range(3, len(blocks.shape), 2)), keepdims=False) / number


def mean_of_blocks_grad(
    dout: Any, *like: Any, spatial: Any, kernel: Any, stride: Any, padding: Any, divisor: int | None, **windows: Any
) -> Any:
    """Its gradient; None as there."""
    counts = None if like else _counts(spatial, kernel, stride, padding)
    if counts is None or dout.dtype.is_half:
        return None
    part = dout / float(divisor or math.prod(kernel))
    if set(counts) == {1}:
        return broadcast_to(part, shape=(*dout.shape[:2], *spatial))
    if kernel[-1] < FEWEST_GRAD or None in dout.shape:
        return None
    lead = dout.shape[:2]
    spread = reshape(part, shape=(*lead, *itertools.chain(*((count, 1) for count in counts))))
    blocks = broadcast_to(spread, shape=(*lead, *itertools.chain(*zip(counts, kernel, strict=True))))
    return reshape(blocks, shape=(*lead, *spatial))


def _counts(spatial: Sequence[int | None], kernel: Any, stride: Any, padding: Any) -> tuple[int, ...] | None:
    """How many windows there are along each axis, if they divide the image without gaps; else None."""
    counts = []
    for length, size, step, edges in zip(spatial, kernel, stride, padding, strict=True):
        if not length or any(edges) or length % size or (length > size and step != size):
            return None
        counts.append(length // size)
    return tuple(counts)


def equal_windows(spatial: Sequence[int | None], size: Sequence[int | None]) -> dict[str, Any] | None:
    """The attributes of an `avg_pool` with the windows of adaptive pooling; None if these differ."""
    kernels: list[int] = []
    strides: list[int] = []
    for length, parts in zip(spatial, size, strict=True):
        if not length or not parts:
            return None
        starts = [part * length // parts for part in range(parts)]
        lengths = {-(-(part + 1) * length // parts) - start for part, start in enumerate(starts)}
        steps = {after - before for before, after in itertools.pairwise(starts)} or {length}
        if len(lengths) > 1 or len(steps) > 1 or 0 in steps:
            return None
        kernels += lengths
        strides += steps
    padding = ((0, 0),) * len(kernels)
    attrs = {"kernel": tuple(kernels), "stride": tuple(strides), "padding": padding, "ceil_mode": False}
    return {**attrs, "count_include_pad": True, "divisor": None}
