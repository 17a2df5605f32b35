"""Max and average pooling over n spatial axes, and their gradients.

Arrays are (N, C, spatial…). The maximum or sum of a window is taken along one axis after the other. For each tap this
is one operation on strided views of the whole array; the leading axes come first because their views have contiguous
rows. Gradients visit the taps of the whole window. All work is done in blocks of images that fit into the cache.

Over one or two axes machine code pools. Microseconds on one core, maxima / their gradient, and in brackets by NumPy,
for windows of 3 by 3 with stride 2:
    (4, 64, 56, 56)     80 / 260    (510 / 2710)
    (16, 64, 16, 16)    45 / 140    (280 / 1120)
With AVX2 alone:
    (8, 64, 56, 56)     354 / 990   (1508 / 7508)
    (32, 16, 28, 28)    91 / 231    (458 / 2007)
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from ..blocks import run_blocks
from ..machine.array_functions import compile_pool
from ..machine.pool_sizes import MOST_PHASES, MOST_TAPS, PoolSizes
from ..machine.product import vector_bytes
from ..machine.sizes import WIDTH
from ..processors import thread_count, worth_sharing
from ..records import dataclass
from .axis_maps import three_axes
from .precision import Array, compute_dtype, deliver, result_buffer, widen
from .together import MachineCall, run_together
from .windows import Padding, PerAxis, clip, output_spatial, padding_pairs, per_axis

# Elements of a block of images: 2 MiB in single precision, a second-level cache.
BLOCK_ELEMENTS = 512 * 1024
# Elements from which on threads share them.
PARALLEL_ELEMENTS = 200_000

Taps = tuple[tuple[slice, slice], ...]  # for each tap: which outputs see an element, and which elements they see


@dataclass(frozen=True)
class PoolPlan:
    """The windows of one pooling."""

    spatial: tuple[int, ...]
    out_spatial: tuple[int, ...]
    taps: tuple[Taps, ...]  # for each axis
    counts: tuple[Array, ...]  # for each axis, elements in each window: with padding, and without
    inner_counts: tuple[Array, ...]
    low: tuple[int, ...]  # padding before the first element
    frame: tuple[int, ...]  # lengths with all padding that windows see
    frame_taps: tuple[tuple[slice, ...], ...]  # for each axis and tap: the elements of the frame it sees
    framed: bool  # some window sees padding
    disjoint: bool  # no element is in two windows
    covering: bool  # and every element is in one
    sizes: dict[np.dtype[Any], PoolSizes]  # for machine code, by dtype

    @property
    def is_coarse(self) -> bool:
        """Whether windows divide the image into blocks that are too large for code, and steps, of each element."""
        return self.covering and not self.framed and math.prod(map(len, self.taps)) > MOST_PHASES

    @cached_property
    def elements(self) -> Array:
        """The elements of coarse windows in the flattened image, (windows, elements), both in C order."""
        axes = [number for pair in zip(self.out_spatial, map(len, self.taps), strict=True) for number in pair]
        blocks = np.arange(math.prod(axes)).reshape(axes)
        order = *range(0, len(axes), 2), *range(1, len(axes), 2)
        return blocks.transpose(order).reshape(math.prod(self.out_spatial), -1)

    @property
    def window_taps(self) -> Iterator[tuple[tuple[slice, ...], tuple[slice, ...]]]:
        """For each tap of the window, in C order: the outputs whose window has the tap inside the input, and these
        elements."""
        for pairs in itertools.product(*self.taps):
            yield (
                (slice(None), *(pair[0] for pair in pairs)),
                (slice(None), *(pair[1] for pair in pairs)),
            )


@lru_cache(maxsize=4096)
def plan_pool(
    spatial: tuple[int, ...], kernel: PerAxis, stride: PerAxis | None, padding: Padding, dilation: PerAxis,
    ceil_mode: bool,
) -> PoolPlan:  # fmt: skip
    """The plan for these arguments. The default stride is the size of the kernel."""
    axes = len(spatial)
    if axes < 1:
        raise ValueError("pooling takes an input (N, C, spatial…) with at least one spatial axis")
    kernels = per_axis(kernel, axes, "kernel")
    strides = kernels if stride is None else per_axis(stride, axes, "stride")
    spreads, pairs = per_axis(dilation, axes, "dilation"), padding_pairs(padding, axes)
    out_spatial = output_spatial(spatial, kernels, strides, pairs, spreads, ceil_mode)
    taps, counts, inner_counts, frame, frame_taps = [], [], [], [], []
    for size, taps_here, step, spread, (low, high), windows in zip(
        spatial, kernels, strides, spreads, pairs, out_spatial, strict=True
    ):
        taps.append(tuple(clip(size, step, tap * spread - low, windows)[::-1] for tap in range(taps_here)))
        reach = (windows - 1) * step + (taps_here - 1) * spread + 1
        frame.append(max(low + size, reach))
        frame_taps.append(
            tuple(slice(tap * spread, tap * spread + (windows - 1) * step + 1, step) for tap in range(taps_here))
        )
        elements = np.arange(windows)[:, None] * step + np.arange(taps_here) * spread - low
        counts.append((elements < size + high).sum(axis=1))
        inner_counts.append(((elements >= 0) & (elements < size)).sum(axis=1))
    disjoint = all(step >= size for step, size in zip(strides, kernels, strict=True)) and max(spreads) == 1
    covering = disjoint and all(
        step == size and windows * step == length
        for step, size, windows, length in zip(strides, kernels, out_spatial, frame, strict=True)
    )
    lows = tuple(low for low, _ in pairs)
    return PoolPlan(
        spatial, out_spatial, tuple(taps), tuple(counts), tuple(inner_counts), lows,
        tuple(frame), tuple(frame_taps), tuple(frame) != spatial, disjoint, covering,
        frame_sizes(spatial, lows, tuple(frame), kernels, strides, spreads, out_spatial, covering),
    )  # fmt: skip


def max_pool(
    x: Array, kernel: PerAxis, stride: PerAxis | None = None, padding: Padding = 0, dilation: PerAxis = 1,
    ceil_mode: bool = False, *, out: Array | None = None, scratch: Array | None = None,
) -> Array:  # fmt: skip
    """The maximum of each window. Padding counts only in windows that contain nothing else. Machine code works in
    `scratch`, a vector with what `PoolSizes.room` says for each thread."""
    plan = plan_pool(x.shape[2:], kernel, stride, padding, dilation, ceil_mode)
    return _reduce_windows(np.maximum, _lowest(compute_dtype(x.dtype)), plan, x, None, out, scratch)


def max_pool_grad(
    x: Array, pooled: Array, dout: Array, kernel: PerAxis, stride: PerAxis | None = None, padding: Padding = 0,
    dilation: PerAxis = 1, ceil_mode: bool = False, *, out: Array | None = None, scratch: Array | None = None,
) -> Array:  # fmt: skip
    """The gradient of `max_pool` by x; `pooled` is its result. The first maximum of a window, in C order, receives the
    gradient."""
    plan = plan_pool(x.shape[2:], kernel, stride, padding, dilation, ceil_mode)
    compute = compute_dtype(x.dtype)
    rows = math.prod(x.shape[:2])
    source, maxima, gradient = (_rows(array, rows) for array in (x, pooled, dout))
    result = result_buffer(out, x.shape, compute)
    target = result.reshape(source.shape)
    sizes = plan.sizes.get(compute)
    if sizes is not None and route_to_maxima(sizes, source, maxima, gradient, target, scratch):
        return deliver(result, x.dtype, out)
    if plan.is_coarse:
        target.fill(0)
        elements = first_maxima(source.reshape(rows, -1), plan.elements)
        np.put_along_axis(target.reshape(rows, -1), elements, gradient.reshape(rows, -1), 1)
        return deliver(result, x.dtype, out)
    inside = (slice(None), *(slice(low, low + size) for low, size in zip(plan.low, plan.spatial, strict=True)))

    def route(block: slice) -> None:
        images, landing = source[block], target[block]
        if plan.framed:
            # With a frame every tap sees an element for every output, so that masks are contiguous.
            shape = (len(images), *plan.frame)
            images, landing = np.full(shape, _lowest(compute), compute), np.empty(shape, compute)
            np.copyto(images[inside], source[block])
        if not plan.covering:
            landing.fill(0)
        _route_to_maxima(plan, images, maxima[block], gradient[block], landing)
        if plan.framed:
            np.copyto(target[block], landing[inside])

    for_row_blocks(rows, math.prod(plan.frame), route)
    return deliver(result, x.dtype, out)


def _route_to_maxima(plan: PoolPlan, images: Array, maxima: Array, gradient: Array, landing: Array) -> None:
    """Add the gradient of each output to the first element of its window that equals its maximum.

    Masks are bytes 0 and -1. Widened to the size of the gradient they clear or keep all bits of an element. Unlike a
    product with 0 or 1, this is right for inf and nan, too.
    """
    bits = np.dtype(f"i{gradient.itemsize}")
    untaken, equal = np.full(maxima.shape, -1, np.int8), np.empty(maxima.shape, bool)
    taken = None if plan.disjoint else np.empty(maxima.shape, gradient.dtype)
    mask, kept = equal.view(np.int8), gradient.view(bits)
    window = list(itertools.product(*plan.frame_taps))
    for number, tap in enumerate(window, 1):
        elements = (slice(None), *tap)
        if number == len(window) and plan.covering:
            mask = untaken  # Whatever no other tap has taken.
        else:
            np.equal(images[elements], maxima, out=equal)
            np.negative(mask, out=mask)
            np.bitwise_and(mask, untaken, out=mask)
            np.bitwise_xor(untaken, mask, out=untaken)
        part = landing[elements]
        if taken is None:
            np.bitwise_and(kept, mask, out=part.view(bits))
        else:
            np.bitwise_and(kept, mask, out=taken.view(bits))
            np.add(part, taken, out=part)


def first_maxima(images: Array, elements: Array) -> Array:
    """The elements of images (number, elements) that are the first maxima of windows (windows, elements)."""
    result, numbers = np.empty((len(images), len(elements)), np.int64), np.arange(len(elements))

    def find(block: slice) -> None:
        taken = images[block].take(elements, 1) if len(elements) > 1 else images[block][:, None]
        result[block] = elements[numbers, taken.argmax(-1)]

    for_row_blocks(len(images), elements.size, find)
    return result


def pool_sizes(
    kind: str, shape: tuple[int, ...], dtype: np.dtype[Any], windows: dict[str, Any]
) -> tuple[PoolSizes, int] | None:  # fmt: skip
    """The sizes of machine code for the "maximum" of windows or its "gradient", or for their sum ("add") or its
    gradient ("spread"), and its number of threads; None if there is no such code."""
    kernel, stride, padding, ceil_mode = (windows[key] for key in ("kernel", "stride", "padding", "ceil_mode"))
    plan = plan_pool(shape[2:], kernel, stride, padding, windows.get("dilation", 1), ceil_mode)
    sizes = plan.sizes.get(dtype)
    return None if sizes is None else (sizes, threads_of(kind, math.prod(shape[:2]), sizes))


def max_pool_indices(
    x: Array, pooled: Array, kernel: PerAxis, stride: PerAxis | None = None, padding: Padding = 0,
    dilation: PerAxis = 1, ceil_mode: bool = False, *, dtype: Any = np.int64, out: Array | None = None,
) -> Array:  # fmt: skip
    """The index of the first maximum of each window in its flattened image; `pooled` is the result of `max_pool`."""
    plan = plan_pool(x.shape[2:], kernel, stride, padding, dilation, ceil_mode)
    rows = math.prod(x.shape[:2])
    source, maxima = _rows(x, rows), _rows(pooled, rows)
    if plan.is_coarse:
        found = first_maxima(source.reshape(rows, -1), plan.elements)
        return deliver(found.reshape(pooled.shape).astype(dtype, copy=False), np.dtype(dtype), out)
    result = np.zeros(maxima.shape, dtype)
    positions = np.arange(math.prod(plan.spatial), dtype=dtype).reshape(1, *plan.spatial)
    # The last write stays, so the taps are visited backwards.
    for outputs, elements in reversed(list(plan.window_taps)):
        equal = source[elements] == maxima[outputs]
        np.copyto(result[outputs], positions[elements], where=equal)
    return deliver(result.reshape(pooled.shape), np.dtype(dtype), out)


def avg_pool(
    x: Array, kernel: PerAxis, stride: PerAxis | None = None, padding: Padding = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None, *, out: Array | None = None,
    scratch: Array | None = None,
) -> Array:  # fmt: skip
    """The mean of each window: its sum divided by its size, with or without the padding, or by the given divisor."""
    plan = plan_pool(x.shape[2:], kernel, stride, padding, 1, ceil_mode)
    divisor = _divisor(plan, count_include_pad, divisor_override, compute_dtype(x.dtype))
    return _reduce_windows(np.add, 0, plan, x, None if divisor_override == 1 else divisor, out, scratch)


def divisors(
    spatial: tuple[int, ...], dtype: np.dtype[Any], *, kernel: PerAxis, stride: PerAxis, padding: Padding,
    ceil_mode: bool, count_include_pad: bool, divisor: int | None,
) -> Array:  # fmt: skip
    """What the sums of windows are divided by: one number, or one for each window."""
    return _divisor(plan_pool(spatial, kernel, stride, padding, 1, ceil_mode), count_include_pad, divisor, dtype)


def avg_pool_grad(
    dout: Array, spatial: tuple[int, ...], kernel: PerAxis, stride: PerAxis | None = None, padding: Padding = 0,
    ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None, *,
    out: Array | None = None, scratch: Array | None = None,
) -> Array:  # fmt: skip
    """The gradient of `avg_pool` by x, whose spatial shape is given."""
    plan = plan_pool(spatial, kernel, stride, padding, 1, ceil_mode)
    compute = compute_dtype(dout.dtype)
    rows, shape = math.prod(dout.shape[:2]), (*dout.shape[:2], *spatial)
    source = _rows(dout, rows)
    result = result_buffer(out, shape, compute)
    target = result.reshape(rows, *spatial)
    divisor = _divisor(plan, count_include_pad, divisor_override, compute)
    sizes = plan.sizes.get(compute)
    given = source if divisor_override == 1 and source.dtype == compute else np.divide(source, divisor, dtype=compute)
    if sizes is not None and spread_sums(sizes, given, target, scratch):
        return deliver(result, dout.dtype, out)

    def spread(block: slice) -> None:
        part = source[block] / divisor
        # The last axis is spread first, while there is less to spread.
        for axis in reversed(range(len(spatial))):
            wide = target[block]
            if axis:
                wide = np.empty((len(part), *plan.out_spatial[:axis], *spatial[axis:]), compute)
            _spread_axis(part, wide, axis + 1, plan.taps[axis])
            part = wide

    for_row_blocks(rows, math.prod(spatial), spread)
    return deliver(result, dout.dtype, out)


def _reduce_windows(
    combine: np.ufunc, neutral: Any, plan: PoolPlan, x: Array, divisor: Array | None, out: Array | None,
    scratch: Array | None = None,
) -> Array:  # fmt: skip
    """Each window combined along one axis after the other, and divided."""
    compute = compute_dtype(x.dtype)
    shape, rows = (*x.shape[:2], *plan.out_spatial), math.prod(x.shape[:2])
    source = _rows(x, rows)
    result = result_buffer(out, shape, compute)
    target = result.reshape(rows, *plan.out_spatial)
    axes, sizes = len(plan.spatial), plan.sizes.get(compute)
    kind = "add" if combine is np.add else "maximum"
    if sizes is not None and combine_windows(kind, sizes, source, target, scratch):
        if divisor is not None:
            np.divide(target, divisor, out=target)
        return deliver(result, x.dtype, out)

    def reduce(block: slice) -> None:
        narrowed, goal = source[block], target[block]
        for axis in range(axes):
            sizes = (*plan.out_spatial[: axis + 1], *plan.spatial[axis + 1 :])
            narrow = goal if axis == axes - 1 else np.empty((len(goal), *sizes), compute)
            _combine_axis(combine, neutral, narrowed, narrow, axis + 1, plan.taps[axis])
            narrowed = narrow
        if divisor is not None:
            np.divide(goal, divisor, out=goal)

    for_row_blocks(rows, math.prod(plan.spatial), reduce)
    return deliver(result, x.dtype, out)


def _combine_axis(combine: np.ufunc, neutral: Any, source: Array, target: Array, axis: int, taps: Taps) -> None:
    """Combine the taps along one axis, with as few passes as possible."""
    source, target = three_axes(source, axis), three_axes(target, axis)
    everywhere = [elements for outputs, elements in taps if outputs == slice(0, target.shape[1])]
    others = [pair for pair in taps if pair[0] != slice(0, target.shape[1])]
    if len(everywhere) > 1:
        combine(source[:, everywhere[0]], source[:, everywhere[1]], out=target)
    elif everywhere:
        np.copyto(target, source[:, everywhere[0]])
    else:
        target.fill(neutral)
    for elements in everywhere[2:]:
        combine(target, source[:, elements], out=target)
    for outputs, elements in others:
        part = target[:, outputs]
        combine(part, source[:, elements], out=part)


def _spread_axis(source: Array, target: Array, axis: int, taps: Taps) -> None:
    """The transpose of a sum along an axis: each output's value is added to every element of its window."""
    source, target = three_axes(source, axis), three_axes(target, axis)
    target.fill(0)
    for outputs, elements in taps:
        part = target[:, elements]
        np.add(part, source[:, outputs], out=part)


def _rows(array: Array, rows: int) -> Array:
    """The array as rows, one for each image and channel, in the dtype of the computation."""
    return np.ascontiguousarray(widen(array)).reshape(rows, *array.shape[2:])


def for_row_blocks(rows: int, elements: int, work: Callable[[slice], None]) -> None:
    """Run the work on blocks of rows of `elements` elements each, on several threads if that is faster."""
    threads = worth_sharing(min(thread_count(), rows), rows * elements, PARALLEL_ELEMENTS)
    step = max(1, min(-(-rows // threads), BLOCK_ELEMENTS // max(1, elements)))

    def of_range(start: int, stop: int) -> None:
        for first in range(start, stop, step):
            work(slice(first, min(stop, first + step)))

    if rows:
        run_blocks(of_range, rows, step, (), [()] * threads)


def _lowest(dtype: np.dtype[Any]) -> Any:
    """The least value of a dtype."""
    return -np.inf if dtype.kind == "f" else False if dtype.kind == "b" else np.iinfo(dtype).min


def _divisor(plan: PoolPlan, count_include_pad: bool, override: int | None, dtype: np.dtype[Any]) -> Array:
    """The divisor of the sums of windows: one number, or one for each window of an image."""
    if override is not None:
        if override == 0:
            raise ValueError("divisor_override must not be 0")
        return np.asarray(override, dtype)
    counts = plan.counts if count_include_pad else plan.inner_counts
    if all(count.min() == count.max() for count in counts):
        return np.asarray(math.prod(int(count[0]) for count in counts), dtype)
    grid = np.ones((), np.int64)
    for count in counts:
        grid = grid[..., None] * count
    return np.maximum(grid, 1).astype(dtype)


PARALLEL_NANOSECONDS = 50_000  # of work, by the estimate below, from which on threads share it: 30 in fact
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
) -> dict[np.dtype[Any], PoolSizes]:
    """The sizes for machine code by the dtype; none where there is no such code."""
    lead = 2 - len(spatial)
    vector = vector_bytes()
    if lead < 0 or math.prod(kernel) > MOST_TAPS or math.prod(stride) > MOST_PHASES or not vector:
        return {}
    whole: list[Any] = [(1,) * lead + sizes for sizes in (spatial, frame, kernel, stride, dilation, windows)]
    first = (whole[0], ((0,) * lead + low), *whole[1], *whole[2:])
    return {np.dtype(name): PoolSizes(name, *first, covering, vector) for name in DTYPES}  # type: ignore[call-arg]


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


def spread_sums(sizes: PoolSizes, gradients: Array, target: Array, scratch: Array | None) -> bool:
    """The gradient of sums; False if machine code does not compute it."""
    return _shared("spread", sizes, [(gradients, sizes.windows), (target, sizes.image)], scratch)


def threads_of(kind: str, rows: int, sizes: PoolSizes) -> int:
    """The number of threads that pool so many images of one channel."""
    return worth_sharing(min(thread_count(), rows), rows * _needs(kind, sizes)[1], PARALLEL_NANOSECONDS)


@lru_cache(1024)
def _needs(kind: str, sizes: PoolSizes) -> tuple[int, float]:
    """The elements that the function works in, and the nanoseconds that it takes for an image."""
    slower = (1 if sizes.vector == WIDTH else 2.5) * sizes.size / 4
    return sizes.room(kind), sizes.frame * NANOSECONDS[kind] * slower


def _shared(kind: str, sizes: PoolSizes, arrays: list[tuple[Array, tuple[int, int]]], scratch: Array | None) -> bool:
    """Call the function for all images, in parts of several threads if that is faster; whether all were computed."""
    function, shaped = compile_pool(kind, *sizes), [array.reshape(-1, 1, *shape) for array, shape in arrays]
    number, length = len(shaped[0]), _needs(kind, sizes)[0]
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
