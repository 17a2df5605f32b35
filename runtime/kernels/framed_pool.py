"""Pooling over one or two axes, and the gradient of maxima, by machine code.

Microseconds on one core, maxima / their gradient, and in brackets by NumPy, for windows of 3 by 3 with stride 2:
    (4, 64, 56, 56)     80 / 260    (510 / 2710)
    (16, 64, 16, 16)    45 / 140    (280 / 1120)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..blocks import run_blocks
from ..machine.pool_sizes import MOST_PHASES, MOST_TAPS, PoolSizes
from ..machine.pools import compile_pool
from ..machine.product import has_products
from ..processors import thread_count, worth_sharing
from .precision import Array

# Elements from which on threads share them.
PARALLEL_ELEMENTS = 400_000
DTYPES = ("float32", "float64")


def frame_sizes(
    spatial: tuple[int, ...],
    low: tuple[int, ...],
    frame: tuple[int, ...],
    kernel: tuple[int, ...],
    stride: tuple[int, ...],
    dilation: tuple[int, ...],
    windows: tuple[int, ...],
    covering: bool,
) -> dict[str, PoolSizes]:
    """The sizes for machine code by the dtype; none where there is no such code."""
    lead = 2 - len(spatial)
    if lead < 0 or math.prod(kernel) > MOST_TAPS or math.prod(stride) > MOST_PHASES or not has_products():
        return {}
    whole: list[Any] = [(1,) * lead + sizes for sizes in (spatial, frame, kernel, stride, dilation, windows)]
    first = (whole[0], ((0,) * lead + low), *whole[1], *whole[2:])
    return {dtype: PoolSizes(dtype, *first, covering) for dtype in DTYPES}  # type: ignore[call-arg]


def combine_windows(kind: str, sizes: PoolSizes, fill: Any, images: Array, results: Array) -> bool:
    """The "maximum" of each window of images (number, …), or their sum ("add"); False if machine code does not."""
    function = compile_pool(kind, sizes)

    def work(start: int, stop: int) -> bool:
        return function(images[start:stop], results[start:stop], np.full((1, sizes.frame), fill, images.dtype))

    images, results = images.reshape(-1, *sizes.image), results.reshape(-1, *sizes.windows)
    return _shared(len(images), sizes, work)


def route_to_maxima(sizes: PoolSizes, images: Array, maxima: Array, gradients: Array, target: Array) -> bool:
    """The gradient of maxima; False if machine code does not compute it."""
    function = compile_pool("gradient", sizes)

    def work(start: int, stop: int) -> bool:
        room = np.empty((1, sizes.places + 2 * sizes.frame), images.dtype)
        room[0, : sizes.numbers] = np.arange(sizes.numbers)
        room[0, sizes.numbers : sizes.places] = -1
        room[0, sizes.places :] = np.nan
        part = slice(start, stop)
        return function(maxima[part], gradients[part], images[part], target[part], room)

    images, target = images.reshape(-1, *sizes.image), target.reshape(-1, *sizes.image)
    maxima, gradients = maxima.reshape(-1, *sizes.windows), gradients.reshape(-1, *sizes.windows)
    return _shared(len(images), sizes, work)


def _shared(number: int, sizes: PoolSizes, work: Callable[[int, int], bool]) -> bool:
    """Call `work` for all images, in parts of several threads if that is faster; whether all of them were done."""
    threads = worth_sharing(min(thread_count(), number), number * sizes.frame, PARALLEL_ELEMENTS)
    done: list[bool] = []

    def of_range(start: int, stop: int) -> None:
        done.append(work(start, stop))

    if number:
        run_blocks(of_range, number, -(-number // threads), (), [()] * threads)
    return all(done)
