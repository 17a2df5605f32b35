"""Convolutions, pooling, resizing and batch normalization."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....compiler.ir.graph import Node
from ....runtime import dtypes
from ....runtime.kernels.adaptive_pool import adaptive_avg_pool
from ....runtime.kernels.pool import avg_pool as mean_windows
from ....runtime.kernels.resize import resize as resized
from ....runtime.kernels.windows import output_spatial, unfold as columns
from .shapes import filled, padded
from .writer import NoForm, Rule, Writer, elements, window_attributes


def conv(w: Writer, node: Node, x: str, weight: str, *, stride: Any, padding: Any, dilation: Any, groups: int) -> Any:
    return w.add("Conv", x, weight, group=groups, **window_attributes(stride, padding, dilation))


def conv_input_grad(
    w: Writer, node: Node, dout: str, weight: str, *like: str,
    spatial: Any, stride: Any, padding: Any, dilation: Any, groups: int,
) -> Any:  # fmt: skip
    sizes, windows = node.output.type.shape[2:], node.inputs[0].type.shape[2:]
    taps = node.inputs[1].type.shape[2:]
    if None in (*sizes, *windows, *taps):
        raise NoForm("ConvTranspose needs the spatial sizes")
    extra = [
        size + low + high - ((count - 1) * step + (tap - 1) * spread + 1)
        for size, (low, high), count, step, tap, spread in zip(
            sizes, padding, windows, stride, taps, dilation, strict=True
        )
    ]
    given = window_attributes(stride, padding, dilation)
    return w.add("ConvTranspose", dout, weight, group=groups, output_padding=extra, **given)


def conv_weight_grad(
    w: Writer, node: Node, dout: str, x: str, *like: str,
    kernel: Any, stride: Any, padding: Any, dilation: Any, groups: int,
) -> Any:  # fmt: skip
    """A convolution of x with dout, in which batch and channels have changed places, and stride and dilation too."""
    shape, taps = node.inputs[1].type.shape, node.output.type.shape[2:]
    if None in (*shape[1:], *taps):
        raise NoForm("Conv needs the sizes of channels and images")
    channels, images = int(shape[1] or 0), [size or 0 for size in shape[2:]]
    inner = range(3, 3 + len(images))
    parts = w.reshape(x, -1, groups, channels // groups, *images)
    parts = w.add("Transpose", parts, perm=[2, 1, 0, *inner])
    parts = w.reshape(parts, channels // groups, -1, *images)
    swapped = [1, 0, *range(2, 2 + len(images))]
    given = window_attributes(dilation, padding, stride)
    found = w.add("Conv", parts, w.add("Transpose", dout, perm=swapped), group=groups, **given)
    spatial = range(2, 2 + len(images))
    found = w.add("Slice", found, w.ints(*[0] * len(images)), w.ints(*[size or 0 for size in taps]), w.ints(*spatial))
    return w.add("Transpose", found, perm=swapped)


def _maxima(w: Writer, x: str, count: int, windows: dict[str, Any]) -> Any:
    given = window_attributes(windows["stride"], windows["padding"], windows["dilation"])
    ceil = int(windows["ceil_mode"])
    return w.add("MaxPool", x, count=count, kernel_shape=list(windows["kernel"]), ceil_mode=ceil, **given)


def max_pool(w: Writer, node: Node, x: str, **windows: Any) -> Any:
    return _maxima(w, x, 1, windows)


def max_pool_grad(w: Writer, node: Node, x: str, pooled: str, dout: str, **windows: Any) -> Any:
    _, positions = _maxima(w, x, 2, windows)
    type = node.inputs[0].type
    shape = w.sizes(x, type)
    zeros = filled(w, w.add("ReduceProd", shape, keepdims=1), type, 0)
    flat, values = w.reshape(positions, -1), w.reshape(dout, -1)
    return w.add("Reshape", w.add("ScatterElements", zeros, flat, values, axis=0, reduction="add"), shape, allowzero=1)


def max_pool_indices(w: Writer, node: Node, x: str, pooled: str, **windows: Any) -> Any:
    _, positions = _maxima(w, x, 2, windows)
    return w.add("Mod", positions, w.constant(elements(w.static(node.inputs[0])[2:]), np.int64))


def _divisor(spatial: tuple[int, ...], windows: dict[str, Any]) -> np.ndarray:
    """By what the sum of each window of an image is divided: what its mean makes of ones and of the kernel's size."""
    if windows["divisor"] is not None:
        return np.asarray(windows["divisor"], np.float64)
    given: dict[str, Any] = {name: windows[name] for name in ("kernel", "stride", "padding", "ceil_mode")}
    ones = np.ones((1, 1, *spatial))
    inside = mean_windows(ones, **given, divisor_override=1)
    if not inside.all():
        raise NoForm("a window sees nothing but padding")
    return inside / mean_windows(ones, **given, count_include_pad=windows["count_include_pad"])


def _reach(spatial: Sequence[int], windows: dict[str, Any]) -> tuple[list[int], list[int], tuple[int, ...]]:
    """How much is added before and after each axis so that all windows are whole, and how many there are."""
    kernel, stride, padding = windows["kernel"], windows["stride"], windows["padding"]
    counts = output_spatial(spatial, kernel, stride, padding, (1,) * len(kernel), windows["ceil_mode"])
    low = [before for before, _ in padding]
    ends = [(count - 1) * step + taps for count, step, taps in zip(counts, stride, kernel, strict=True)]
    return low, [end - before - size for end, before, size in zip(ends, low, spatial, strict=True)], counts


def avg_pool(w: Writer, node: Node, x: str, **windows: Any) -> Any:
    if not windows["ceil_mode"] and windows["divisor"] is None:
        given = window_attributes(windows["stride"], windows["padding"], ())
        del given["dilations"]
        include = int(windows["count_include_pad"])
        return w.add("AveragePool", x, kernel_shape=list(windows["kernel"]), count_include_pad=include, **given)
    spatial = w.static(node.inputs[0])[2:]
    low, high, _ = _reach(spatial, windows)
    whole = padded(w, node, x, [0, 0, *low], [0, 0, *high])
    means = w.add("AveragePool", whole, kernel_shape=list(windows["kernel"]), strides=list(windows["stride"]))
    return w.add("Mul", means, w.like(node.inputs[0], elements(windows["kernel"]) / _divisor(spatial, windows)))


def avg_pool_grad(w: Writer, node: Node, dout: str, *like: str, spatial: Any, **windows: Any) -> Any:
    """Each cotangent, divided, goes to all elements of its window: a transposed convolution with ones."""
    sizes = w.static(node.output)[2:]
    channels = int(node.output.type.shape[1] or 0)
    low, high, _ = _reach(sizes, windows)
    shares = w.add("Div", dout, w.like(node.inputs[0], _divisor(sizes, windows)))
    ones = w.like(node.inputs[0], np.ones((channels, 1, *windows["kernel"])))
    found = w.add("ConvTranspose", shares, ones, group=channels, strides=list(windows["stride"]))
    return padded(w, node, found, [0, 0, *[-size for size in low]], [0, 0, *[-size for size in high]])


def _along(w: Writer, node: Node, x: str, axis: int, rank: int, matrix: np.ndarray) -> str:
    """The product of each vector along an axis with a matrix (inputs, outputs)."""
    order = [each for each in range(rank) if each != axis] + [axis]
    turned = x if axis == rank - 1 else w.add("Transpose", x, perm=order)
    found = w.add("MatMul", turned, w.like(node.inputs[0], matrix))
    return str(found if axis == rank - 1 else w.add("Transpose", found, perm=np.argsort(order).tolist()))


def linear(kernel: Callable[..., np.ndarray], transposed: bool) -> Rule:
    """The rule of an op that is a linear map along each spatial axis: a product with what the kernel makes of units."""

    def rule(w: Writer, node: Node, x: str, *like: str, **attributes: Any) -> Any:
        given, result = w.static(node.inputs[0])[2:], w.static(node.output)[2:]
        scales = attributes.pop("scales", None)
        attributes = {name: value for name, value in attributes.items() if name not in ("size", "spatial")}
        for axis, (before, after) in enumerate(zip(given, result, strict=True)):
            inputs, outputs = (after, before) if transposed else (before, after)
            own = {"scales": (scales[axis],)} if scales is not None else {}
            matrix = kernel(np.eye(inputs)[:, None], (outputs,), **attributes, **own)[:, 0]
            if not (inputs == outputs and np.array_equal(matrix, np.eye(inputs))):
                x = _along(w, node, x, axis + 2, len(given) + 2, matrix.T if transposed else matrix)
        return x

    return rule


def _taps(shape: tuple[int, ...], windows: dict[str, Any]) -> np.ndarray:
    """Which element of an image each element of each window is, from 1 on, with 0 for padding: (taps, windows)."""
    numbers = np.arange(1.0, elements(shape) + 1).reshape(1, 1, *shape)
    return np.asarray(columns(numbers, **windows)[0]).astype(np.int64)


def unfold(w: Writer, node: Node, x: str, **windows: Any) -> Any:
    shape = w.static(node.inputs[0])
    taps = _taps(shape[2:], windows)
    flat = padded(w, node, w.reshape(x, *shape[:2], -1), [0, 0, 1], [0, 0, 0])
    return w.reshape(w.add("Gather", flat, w.constant(taps), axis=2), *w.static(node.output))


def fold(w: Writer, node: Node, x: str, *, size: tuple[int, ...], **windows: Any) -> Any:
    shape = w.static(node.output)
    taps = _taps(size, windows).ravel()
    values = w.reshape(x, *shape[:2], len(taps))
    zeros = w.like(node.inputs[0], np.zeros((*shape[:2], elements(size) + 1)))
    positions = w.add("Expand", w.constant(taps), w.ints(*shape[:2], len(taps)))
    found = w.add("ScatterElements", zeros, positions, values, axis=2, reduction="add")
    return w.reshape(w.add("Slice", found, w.ints(1), w.ints(elements(size) + 1), w.ints(2)), *shape)


class _Channels:
    """Statistics of each channel of x (batch, channels, …), in single precision at least."""

    def __init__(self, w: Writer, node: Node) -> None:
        self.w, self.type = w, node.inputs[0].type
        self.dtype = dtypes.float32 if self.type.dtype.bits == 16 else self.type.dtype
        self.axes = w.ints(0, *range(2, self.type.rank))

    def wide(self, name: str) -> str:
        return self.w.cast(name, self.dtype)

    def mean(self, name: str, keepdims: int = 1) -> Any:
        return self.w.add("ReduceMean", name, self.axes, keepdims=keepdims)

    def total(self, name: str) -> Any:
        return self.w.add("ReduceSum", name, self.axes, keepdims=0)

    def spread(self, name: str) -> Any:
        """One number for each channel, in a shape that broadcasts with x."""
        return self.w.add("Unsqueeze", self.wide(name), self.w.ints(0, *range(2, self.type.rank)))

    def normal(self, x: str, mean: str, variance: str, epsilon: float) -> tuple[Any, Any]:
        """x normalized, and one over its deviation."""
        add, small = self.w.add, self.w.constant(epsilon, self.dtype.np)
        inverse = add("Reciprocal", add("Sqrt", add("Add", variance, small)))
        return add("Mul", add("Sub", self.wide(x), mean), inverse), inverse


def batch_norm(w: Writer, node: Node, x: str, gamma: str, beta: str, *, epsilon: float) -> tuple[str, ...]:
    of = _Channels(w, node)
    mean = of.mean(of.wide(x))
    centred = w.add("Sub", of.wide(x), mean)
    variance = of.mean(w.add("Mul", centred, centred))
    normal, _ = of.normal(x, mean, variance, epsilon)
    result = w.add("Add", w.add("Mul", normal, of.spread(gamma)), of.spread(beta))
    squeezed = [w.add("Squeeze", each, of.axes) for each in (mean, variance)]
    return w.cast(result, of.type.dtype), *squeezed


def batch_norm_grad(
    w: Writer, node: Node, x: str, gamma: str, mean: str, variance: str, dout: str, *, epsilon: float
) -> tuple[str, ...]:
    of = _Channels(w, node)
    normal, inverse = of.normal(x, of.spread(mean), of.spread(variance), epsilon)
    gradient = of.wide(dout)
    along = w.add("Mul", gradient, normal)
    rest = w.add("Sub", w.add("Sub", gradient, of.mean(gradient)), w.add("Mul", normal, of.mean(along)))
    dx = w.add("Mul", rest, w.add("Mul", of.spread(gamma), inverse))
    own = node.inputs[1].type.dtype
    return w.cast(dx, of.type.dtype), w.cast(of.total(along), own), w.cast(of.total(gradient), own)


RULES: dict[str, Rule] = {
    "batch_norm": batch_norm, "batch_norm_grad": batch_norm_grad, "conv": conv, "conv_input_grad": conv_input_grad,
    "conv_weight_grad": conv_weight_grad, "max_pool": max_pool, "max_pool_grad": max_pool_grad,
    "max_pool_indices": max_pool_indices, "avg_pool": avg_pool,
    "avg_pool_grad": avg_pool_grad, "adaptive_avg_pool": linear(adaptive_avg_pool, False),
    "adaptive_avg_pool_grad": linear(adaptive_avg_pool, True), "resize": linear(resized, False),
    "resize_grad": linear(resized, True), "unfold": unfold, "fold": fold,
}  # fmt: skip
