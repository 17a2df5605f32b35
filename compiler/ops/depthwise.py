"""Depthwise convolution, a kernel for each channel, as a sum of shifted images that are scaled.

    out[n, c, p] = Σ over taps i of  w[c, 0, i] * x[n, c, p * stride + i * dilation - low]

As matrix products these would be products with one row for each channel. A kernel of machine code reads the shifted
images without copying them, with zeros outside of the image (`runtime/native/windows.py`). So a convolution, or a
gradient of one, is one pass over its result. With a stride, every tap reads a strided view of the image. The gradient
by input would be assembled from such views; there the matrix products are as fast.

For float32 a function keeps results in registers over all taps: `runtime/kernels/depthwise_conv.py`. It is two to five
times as fast, but nothing else is computed on the way. So convolutions of few taps without a stride, and their
gradients by input, stay sums of shifted images, which join their neighbours in a kernel.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

from ...runtime.kernels.windows import output_spatial
from ...runtime.machine.array_functions import has_depthwise
from .arithmetic import multiply_add
from .joining import concatenate
from .reduction import sum
from .shape import reshape
from .slicing import pad, slice

MOST_TAPS = 25
"""Taps of a convolution, or of its gradient by input, at most. The kernel reads one array for each tap."""

MOST_SUMS = 9
"""Taps of a gradient by weight, at most. Each tap is a sum, and only a few sums stay in registers."""

FEW_TAPS = 9
"""Taps at most, where there is the function; none with a stride, or of a gradient by weight."""

Pairs = tuple[tuple[int, int], ...]


def shifted_conv(x: Any, w: Any, *, stride: Any, padding: Pairs, dilation: Any, groups: int) -> Any:
    """A convolution; None where it is not depthwise."""
    if not _is_depthwise(x, w, groups, MOST_TAPS, FEW_TAPS if all(step == 1 for step in stride) else 0):
        return None
    sizes = output_spatial(x.shape[2:], w.shape[2:], stride, padding, dilation)
    return _sum_of_shifted(x, w, 1, sizes, stride, padding, dilation)


def shifted_input_grad(
    dout: Any, w: Any, *like: Any, spatial: tuple[int, ...], stride: Any, padding: Pairs, dilation: Any, groups: int
) -> Any:
    """The gradient of a convolution by its input; None where it is not depthwise, or has a stride."""
    if like or any(step != 1 for step in stride) or not _is_depthwise(dout, w, groups, MOST_TAPS, FEW_TAPS):
        return None
    return _sum_of_shifted(dout, w, -1, spatial, stride, padding, dilation)


def shifted_weight_grad(
    dout: Any, x: Any, *like: Any, kernel: tuple[int, ...], stride: Any, padding: Pairs, dilation: Any, groups: int
) -> Any:
    """The gradient of a convolution by its weight; None where it is not depthwise.

    Each image is summed separately, because one long sum loses digits.
    """
    weight = (dout.shape[1], 0 if x.shape[1] is None else x.shape[1] // groups, *kernel)
    if like or not _is_depthwise(x, dout, groups, MOST_SUMS, 0, weight):
        return None
    axes = tuple(range(2, len(x.shape)))
    sums = []
    for _, reach in _taps(kernel, dilation):
        starts = [far - low for (low, _), far in zip(padding, reach, strict=True)]
        shifted = _shifted(x, starts, dout.shape[2:], stride)
        if shifted is None:
            return None
        sums.append(sum(dout * shifted, axis=axes, keepdims=False))
    images, channels = x.shape[:2]
    parts = [reshape(part, shape=(images, channels, 1)) for part in sums]
    joined = sum(concatenate(*parts, axis=2), axis=(0,), keepdims=False)
    return reshape(joined, shape=weight)


def _is_depthwise(x: Any, w: Any, groups: int, most: int, few: int, weight: Any = None) -> bool:
    """Whether each channel has one small kernel, and all sizes are known. `few` taps at most where there is the
    function."""
    weight = w.shape if weight is None else weight
    if None in x.shape or None in w.shape or x.dtype is not w.dtype or x.dtype.name not in ("Float32", "Float64"):
        return False
    if len(weight) <= 4 and x.dtype.name == "Float32" and has_depthwise():
        most = few
    several = 1 < math.prod(weight[2:]) <= most and 0 not in x.shape and 0 not in w.shape
    return several and x.shape[1] == groups and weight[:2] == (groups, 1)


def _sum_of_shifted(
    images: Any, w: Any, sign: int, sizes: tuple[int, ...], stride: Any, padding: Pairs, dilation: Any
) -> Any:
    """Σ over taps of the tap's weights times the images, shifted towards the tap (sign 1) or away from it (sign -1).

    The sum has these sizes. None if no tap meets an image.
    """
    total = None
    for tap, reach in _taps(w.shape[2:], dilation):
        starts = [sign * (far - low) for (low, _), far in zip(padding, reach, strict=True)]
        shifted = _shifted(images, starts, sizes, stride)
        if shifted is None:
            continue
        weights = slice(w, start=(0, 0, *tap), stop=(w.shape[0], 1, *[i + 1 for i in tap]), step=(1,) * len(w.shape))
        weights = reshape(weights, shape=(1, w.shape[0], *[1] * len(tap)))
        total = shifted * weights if total is None else multiply_add(shifted, weights, total)
    return total


def _taps(kernel: tuple[int, ...], dilation: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Each tap, and how far it is from the first along each axis."""
    for tap in itertools.product(*map(range, kernel)):
        yield tap, [index * spread for index, spread in zip(tap, dilation, strict=True)]


def _shifted(x: Any, starts: list[int], sizes: Any, stride: Any) -> Any:
    """The images shifted by these offsets, in frames of these sizes; None if nothing of them is inside."""
    first = [start % step for start, step in zip(starts, stride, strict=True)]
    low = [(own - start) // step for own, start, step in zip(first, starts, stride, strict=True)]
    if any(own >= size for own, size in zip(first, x.shape[2:], strict=True)):
        return None
    if any(step > 1 for step in stride):
        x = slice(x, start=(0, 0, *first), stop=tuple(x.shape), step=(1, 1, *stride))
    high = [size - place - own for size, place, own in zip(sizes, low, x.shape[2:], strict=True)]
    for own, before, after in zip(x.shape[2:], low, high, strict=True):
        if own + min(before, 0) + min(after, 0) < 1 or own + before < 1 or own + after < 1:
            return None
    return pad(x, low=(0, 0, *low), high=(0, 0, *high), value=0)
