"""Means over windows in simpler forms: of whole images they are sums, which kernels add up beside other operations, and
equal windows at equal distances are those of `avg_pool`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from .reduction import sum
from .shape import broadcast_to


def mean_of_whole(x: Any, *, kernel: Any, padding: Any, divisor: int | None, **windows: Any) -> Any:
    """`avg_pool` over windows that are the whole image; None for others."""
    if tuple(x.shape[2:]) != tuple(kernel) or any(map(any, padding)) or x.dtype.is_half:
        return None
    return sum(x, axis=_spatial(x), keepdims=True) / float(divisor or math.prod(kernel))


def mean_of_whole_grad(dout: Any, *like: Any, kernel: Any, padding: Any, divisor: int | None, **windows: Any) -> Any:
    """Its gradient; None as there."""
    spatial = tuple(windows["spatial"])
    if like or spatial != tuple(kernel) or any(map(any, padding)) or dout.dtype.is_half:
        return None
    return broadcast_to(dout / float(divisor or math.prod(kernel)), shape=(*dout.shape[:2], *spatial))


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


def _spatial(x: Any) -> tuple[int, ...]:
    return tuple(range(2, len(x.shape)))
