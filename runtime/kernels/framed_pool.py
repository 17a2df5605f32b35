"""Pooling over one or two axes, and its gradients, by machine code.

Microseconds on one core, maxima / their gradient, and in brackets by NumPy, for windows of 3 by 3 with stride 2:
    (4, 64, 56, 56)     80 / 260    (510 / 2710)
    (16, 64, 16, 16)    45 / 140    (280 / 1120)
With AVX2 alone:
    (8, 64, 56, 56)     354 / 990   (1508 / 7508)
    (32, 16, 28, 28)    91 / 231    (458 / 2007)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..machine.pool_sizes import MOST_PHASES, MOST_TAPS, PoolSizes
from ..machine.pools import compile_pool
from ..machine.product import vector_bytes
from ..machine.sizes import WIDTH
from ..processors import thread_count, worth_sharing
from .precision import Array
from .together import MachineCall, run_together

PARALLEL_NANOSECONDS = 20_000  # of work from which on threads share it
NANOSECONDS = {"maximum": 0.08, "add": 0.08, "gradient": 0.25, "spread": 0.2}
"""What an element of a frame takes, of float32 with AVX-512; about two and a half times as much with AVX2."""
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
    vector = vector_bytes()
    if lead < 0 or math.prod(kernel) > MOST_TAPS or math.prod(stride) > MOST_PHASES or not vector:
        return {}
    whole: list[Any] = [(1,) * lead + sizes for sizes in (spatial, frame, kernel, stride, dilation, windows)]
    first = (whole[0], ((0,) * lead + low), *whole[1], *whole[2:])
    return {dtype: PoolSizes(dtype, *first, covering, vector) for dtype in DTYPES}  # type: ignore[call-arg]


def combine_windows(kind: str, sizes: PoolSizes, images: Array, results: Array, scratch: Array | None) -> bool:
    """The "maximum" of each window of images (number, …), or their sum ("add"); False if machine code does not."""
    return _shared(kind, sizes, [(images, sizes.image), (results, sizes.windows)], scratch)


def route_to_maxima(
    sizes: PoolSizes, images: Array, maxima: Array, gradients: Array, target: Array, scratch: Array | None
) -> bool:
    """The gradient of maxima; False if machine code does not compute it."""
    windows, image = sizes.windows, sizes.image
    arrays = [(maxima, windows), (gradients, windows), (images, image), (target, image)]
    return _shared("gradient", sizes, arrays, scratch)


def spread_sums(sizes: PoolSizes, gradients: Array, target: Array) -> bool:
    """The gradient of sums; False if machine code does not compute it."""
    return _shared("spread", sizes, [(gradients, sizes.windows), (target, sizes.image)], None)


def threads_of(kind: str, rows: int, sizes: PoolSizes) -> int:
    """The number of threads that pool so many images of one channel."""
    slower = (1 if sizes.vector == WIDTH else 2.5) * sizes.size / 4
    work = rows * sizes.frame * NANOSECONDS[kind] * slower
    return worth_sharing(min(thread_count(), rows), work, PARALLEL_NANOSECONDS)


def _shared(kind: str, sizes: PoolSizes, arrays: list[tuple[Array, tuple[int, int]]], scratch: Array | None) -> bool:
    """Call the function for all images, in parts of several threads if that is faster; whether all were computed."""
    function, shaped = compile_pool(kind, *sizes), [array.reshape(-1, 1, *shape) for array, shape in arrays]
    number, length = len(shaped[0]), sizes.room(kind)
    threads = threads_of(kind, number, sizes)
    if scratch is None or scratch.shape != (threads * length,) or scratch.dtype != arrays[0][0].dtype:
        scratch = np.empty(threads * length, arrays[0][0].dtype)
    rooms, cuts = scratch.reshape(threads, length), [number * part // threads for part in range(threads + 1)]

    def calls_of(part: int) -> list[MachineCall]:
        here = slice(cuts[part], cuts[part + 1])
        return [MachineCall(function, (*(array[here] for array in shaped), rooms[part]))]

    if threads == 1:
        return not number or calls_of(0)[0].run()
    return run_together(function, (*shaped, rooms), lambda: [calls_of(part) for part in range(threads)])
