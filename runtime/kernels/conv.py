"""N-d convolution and its two gradients, as matrix products over blocks of images.

Arrays are (N, C, spatial…), weights (O, C/groups, kernel…). Stride and dilation are an integer or a tuple with one for
each spatial axis; padding is with zeros, an integer, a tuple of integers or of (low, high). All float dtypes; halves
compute in float32. The only loops are over blocks of images that fit into the cache, and over the leading taps of the
kernel; `conv_plan` says how data is laid out and why.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from ..blocks import run_blocks
from ..processors import TEAM_FLOPS, worth_sharing
from .conv_plan import ConvPlan, plan_conv
from .copies import add_to, copy_to
from .depthwise_conv import (
    DepthwisePlan,
    correlate as correlate_depthwise,
    plan_depthwise,
    weight_grad as depthwise_weight_grad,
)
from .direct_conv import DirectPlan, correlate as correlate_directly, plan_direct, weight_grad as direct_weight_grad
from .precision import Array, compute_dtype, deliver, result_buffer
from .products import add_products, matmul, matmul_in_parts, unpaired
from .tiled_conv import LINE, TilePlan, correlate as correlate_tiles, plan_tiles, weight_grad as tiled_weight_grad
from .windows import Convolution, Padding, PerAxis

Buffers = dict[str, Array]
Blocks = tuple[tuple[int, int], ...]


@lru_cache(maxsize=4096)
def plans(
    *sizes: Any, pairs: bool = False
) -> tuple[Convolution, DepthwisePlan | None, DirectPlan | None, TilePlan | None]:
    """The convolution of these sizes, and the ways to compute it: one look-up for each call. Those of pairs are direct
    sums."""
    convolution = Convolution(*sizes)
    if pairs:
        return convolution, None, plan_direct(convolution, True), None
    direct = plan_direct(convolution)
    depthwise = plan_depthwise(convolution) if direct is None or convolution.groups > 1 else None  # of one channel
    return convolution, depthwise, direct, plan_tiles(convolution)


def conv(
    x: Array, w: Array, stride: PerAxis = 1, padding: Padding = 0, dilation: PerAxis = 1, groups: int = 1, *,
    pairs: bool = False, out: Array | None = None, scratch: Array | None = None,
) -> Array:  # fmt: skip
    """Convolution (cross-correlation) of x with w; `scratch`: see `conv_scratch_size`, purpose "forward". `pairs`: two
    bfloat16 that are neighbours along an axis that is added up are the bits of one float32."""
    sizes, depthwise, direct, tiles = plans(
        "forward", x.shape, w.shape, stride, padding, dilation, groups, x.dtype, pairs=pairs
    )
    if depthwise is not None:
        return correlate_depthwise(depthwise, x, w, False, out, scratch)
    if direct is not None and (result := correlate_directly(direct, x, w, out, scratch)) is not None:
        return result
    if tiles is not None and (result := correlate_tiles(tiles, x, w, False, out, scratch)) is not None:
        return result
    if pairs:
        return conv(unpaired(x, 1), unpaired(w, 1), stride, padding, dilation, groups, out=out)
    plan = plan_conv(sizes)
    return _correlate(plan, x, _by_tap(plan, w), out, scratch)


def conv_input_grad(
    dout: Array, w: Array, spatial: tuple[int, ...],
    stride: PerAxis = 1, padding: Padding = 0, dilation: PerAxis = 1, groups: int = 1, *,
    pairs: bool = False, out: Array | None = None, scratch: Array | None = None,
) -> Array:  # fmt: skip
    """The gradient of `conv` by x, whose spatial shape is given; also the transposed convolution of `dout`."""
    x_shape = (dout.shape[0], w.shape[1] * groups, *spatial)
    windows = stride, padding, dilation, groups
    sizes, depthwise, direct, tiles = plans("input", x_shape, w.shape, *windows, dout.dtype, pairs=pairs)
    plan = plan_conv(sizes)
    _check_dout(plan.in_shape if plan.turned else plan.out_shape, dout)
    if depthwise is not None and np.isfinite(w).all():  # there are zeros between the elements of dout
        return correlate_depthwise(depthwise, dout, w, True, out, scratch)
    if direct is not None:
        result = correlate_directly(direct, dout, w, out, scratch)
        if result is not None:
            return result
    if pairs:
        return conv_input_grad(unpaired(dout, 1), unpaired(w, 0), spatial, *windows, out=out)
    if tiles is not None and (result := correlate_tiles(tiles, dout, w, True, out, scratch)) is not None:
        return result
    if plan.turned:
        # The kernel mirrored, and its channels and outputs exchanged.
        by_group = w.reshape(groups, plan.group_channels, *w.shape[1:])
        mirrored = by_group[(slice(None),) * 3 + (slice(None, None, -1),) * len(spatial)].swapaxes(1, 2)
        if len(plan.kernel) > len(spatial):
            mirrored = mirrored[:, :, :, None]
        order = (3, 0, 1, 2, *range(4, mirrored.ndim))
        return _correlate(plan, dout, mirrored.transpose(order), out, scratch)
    return _scatter(plan, dout, _by_tap(plan, w), out, scratch)


def conv_weight_grad(
    dout: Array, x: Array, kernel: tuple[int, ...],
    stride: PerAxis = 1, padding: Padding = 0, dilation: PerAxis = 1, groups: int = 1, *,
    pairs: bool = False, out: Array | None = None, scratch: Array | None = None,
) -> Array:  # fmt: skip
    """The gradient of `conv` by w, whose kernel shape is given."""
    w_shape = (dout.shape[1], x.shape[1] // groups, *kernel)
    windows = stride, padding, dilation, groups
    sizes, depthwise, direct, tiles = plans("weight", x.shape, w_shape, *windows, x.dtype, pairs=pairs)
    plan = plan_conv(sizes)
    _check_dout(plan.out_shape, dout)
    if depthwise is not None:
        return depthwise_weight_grad(depthwise, dout, x, out, scratch)
    if direct is not None and (summed := direct_weight_grad(direct, dout, x, out, scratch)) is not None:
        return summed
    if pairs:
        return conv_weight_grad(unpaired(dout, 0), unpaired(x, 0), kernel, *windows, out=out)
    if tiles is not None and (summed := tiled_weight_grad(tiles, dout, x, out, scratch)) is not None:
        return summed
    compute = compute_dtype(x.dtype)
    buffers = plan.buffers(scratch, compute)
    result = result_buffer(out, w_shape, compute)
    if not plan.parts[0]:
        result.fill(0)
    elif plan.merged:
        _merged_weight_grad(plan, dout, x, result, buffers[0])
    else:
        _summed_weight_grad(plan, dout, x, result, buffers)
    return deliver(result, x.dtype, out)


def direct_sizes(convolution: Convolution, pairs: bool = False) -> tuple[Any, ...] | None:
    """The sizes of the function of machine code (`compile_direct`) that a program may call itself; None if there is
    none."""
    plan = plan_direct(convolution, pairs)
    return tuple(plan.sizes) if plan is not None and plan.threads == 1 else None


def conv_scratch_size(convolution: Convolution, pairs: bool = False) -> int:
    """The number of elements of scratch for `conv`, `conv_input_grad` or `conv_weight_grad`.

    Scratch is a vector of the dtype of the computation: that of the arrays, float32 for halves. Without scratch, and
    for results of halves, the kernels allocate memory themselves.
    """
    _, depthwise, direct, tiles = plans(*convolution, pairs=pairs)
    if depthwise is not None:
        return depthwise.scratch_size
    if direct is not None:
        return direct.scratch_size
    if tiles is not None:
        return tiles.scratch_size(convolution.purpose == "weight") + LINE
    return plan_conv(convolution).scratch_size


def _check_dout(expected: tuple[int, ...], dout: Array) -> None:
    """ValueError unless dout has the shape of the convolution's result."""
    if dout.shape != expected:
        raise ValueError(f"dout has shape {dout.shape}, but the convolution gives {expected}")


def _by_tap(plan: ConvPlan, w: Array) -> Array:
    """The weight reshaped to (leading taps, groups, outputs, channels, other taps)."""
    split = w.reshape(plan.groups, plan.group_outputs, plan.group_channels, plan.kernel[0], -1)
    return split.transpose(3, 0, 1, 2, 4)


def _correlate(plan: ConvPlan, x: Array, by_tap: Array, out: Array | None, scratch: Array | None) -> Array:
    """The convolution of x by weights (leading taps, groups, outputs, channels, other taps…)."""
    shape, compute = plan.out_shape, compute_dtype(x.dtype)
    buffers = plan.buffers(scratch, compute)
    if "weights" in buffers[0]:
        weights = buffers[0]["weights"]
        copy_to(weights.reshape(by_tap.shape), by_tap)
    else:
        weights = by_tap.reshape(1, plan.groups, plan.group_outputs, plan.depth)
    if plan.pieces > 1:
        weights = weights[:, :, None]
    result = result_buffer(out, shape, compute)
    images = result.reshape(plan.batch, plan.groups, plan.group_outputs, plan.length)
    multiply = _product(plan)

    def correlate(blocks: Blocks, buffers: Buffers) -> None:
        for first, count in blocks:
            strip = _load_strip(plan, x, first, count, buffers)
            target = images[first : first + count]
            if plan.merged:
                product = buffers["product"][: target.size].reshape(plan.groups, plan.group_outputs, -1)
                multiply(weights[0], strip, product)
                np.copyto(target, product.reshape(*product.shape[:2], count, -1).transpose(2, 0, 1, 3))
                continue
            target = _cut(plan, target)
            for tap, start in enumerate(plan.taps):
                window = _cut(plan, strip[..., start : start + plan.length])
                multiply(weights[tap], window, target, add=tap > 0, spare=buffers.get("product"))

    _for_each_part(plan, buffers, correlate)
    return deliver(result, x.dtype, out)


def _scatter(plan: ConvPlan, dout: Array, by_tap: Array, out: Array | None, scratch: Array | None) -> Array:
    """The gradient by x: each element of the strip's gradient is added to the element of x that it was copied from."""
    shape, compute = plan.in_shape, compute_dtype(dout.dtype)
    buffers = plan.buffers(scratch, compute)
    if "weights" in buffers[0]:
        weights = buffers[0]["weights"]
        target = weights.reshape(*by_tap.shape[:2], *by_tap.shape[3:], plan.group_outputs)
        np.copyto(target, by_tap.transpose(0, 1, 3, 4, 2))
    else:
        weights = by_tap.reshape(1, plan.groups, plan.group_outputs, plan.depth).swapaxes(2, 3)
    result = result_buffer(out, shape, compute)
    result.fill(0)
    images = result.reshape(*shape[:2], *plan.spatial)
    slices = plan.scatter_slices()
    inner = (len(plan.phases), plan.rows, *plan.out_spatial[1:])
    multiply = _product(plan)

    def scatter(blocks: Blocks, buffers: Buffers) -> None:
        for first, count in blocks:
            columns = _dout_columns(plan, dout, first, count, buffers)
            flat = buffers["strip"][: count * plan.groups * plan.depth * plan.columns]
            if plan.merged:
                multiply(weights[0], columns, flat.reshape(plan.groups, plan.depth, count * plan.columns))
                view = _images_first(flat.reshape(shape[1], *plan.kernel[1:], count, *inner), len(plan.kernel))
            else:
                strip = flat.reshape(count, plan.groups, plan.depth, plan.columns)
                multiply(weights[0], columns, strip[..., : plan.length])
                strip[..., plan.length :] = 0
                for tap, start in enumerate(plan.taps[1:], 1):
                    window = strip[..., start : start + plan.length]
                    multiply(weights[tap], columns, window, add=True, spare=buffers.get("product"))
                view = flat.reshape(count, shape[1], *plan.kernel[1:], *inner)
            block = images[first : first + count]
            for landing, source in slices:
                add_to(block[landing], view[source])

    _for_each_part(plan, buffers, scatter)
    return deliver(result, dout.dtype, out)


def _merged_weight_grad(plan: ConvPlan, dout: Array, x: Array, result: Array, buffers: Buffers) -> None:
    """The weight gradient with one product for a block of images; the result has the layout of the weight itself."""
    target = result.reshape(plan.groups, plan.group_outputs, plan.depth)
    multiply = _product(plan)
    if "frame" in buffers:
        buffers["frame"].fill(0)
    for first, count in plan.parts[0]:
        strip = _load_strip(plan, x, first, count, buffers)
        columns = _dout_columns(plan, dout, first, count, buffers)
        if first == 0:
            multiply(columns, strip.swapaxes(1, 2), target)
        else:
            multiply(columns, strip.swapaxes(1, 2), buffers["product"])
            np.add(target, buffers["product"], out=target)


def _summed_weight_grad(plan: ConvPlan, dout: Array, x: Array, result: Array, buffers: list[Buffers]) -> None:
    """The weight gradient with one product for each image and leading tap, summed over the images."""

    def add_up(blocks: Blocks, buffers: Buffers) -> None:
        total = buffers["weights"]
        for first, count in blocks:
            strip = _load_strip(plan, x, first, count, buffers)
            transposed = _dout_columns(plan, dout, first, count, buffers).swapaxes(2, 3)
            if "transposed" in buffers:
                copied = buffers["transposed"][:count]
                np.copyto(copied, transposed)
                transposed = copied
            if "product" not in buffers:
                if first == blocks[0][0]:
                    total.fill(0)
                for tap, start in enumerate(plan.taps):
                    add_products(strip[..., start : start + plan.length], transposed, total[tap])
                continue
            product = buffers["product"][:count]
            cut = product.reshape(count, plan.groups, plan.pieces, -1, plan.group_outputs)
            for tap, start in enumerate(plan.taps):
                window = strip[..., start : start + plan.length]
                window = window.reshape(count, plan.groups, plan.pieces, -1, plan.length)
                matmul(window, transposed[:, :, None], cut)
                if first == blocks[0][0]:
                    np.add.reduce(product, axis=0, out=total[tap])
                else:
                    np.add(total[tap], np.add.reduce(product, axis=0, out=buffers["sum"]), out=total[tap])

    _for_each_part(plan, buffers, add_up)
    # In this order whichever threads there were, so that the sum is always the same.
    total = buffers[0]["weights"]
    for others in buffers[1:]:
        np.add(total, others["weights"], out=total)
    split = total.reshape(plan.kernel[0], plan.groups, plan.group_channels, -1, plan.group_outputs)
    shape = (plan.groups, plan.group_outputs, plan.group_channels, plan.kernel[0], split.shape[3])
    np.copyto(result.reshape(shape), split.transpose(1, 4, 2, 0, 3))


def _product(plan: ConvPlan) -> Callable[..., Any]:
    """What multiplies matrices: threads that do not share the images of a plan share its products."""
    if plan.sharers == 1:
        return matmul

    def multiply(a: Array, b: Array, out: Array, add: bool = False, spare: Array | None = None) -> None:
        threads = worth_sharing(plan.sharers, 2 * out.size * a.shape[-1], TEAM_FLOPS)
        if threads > 1:
            matmul_in_parts(a, b, threads=threads, out=out, add=add)
        else:
            matmul(a, b, out, add=add, spare=spare)

    return multiply


def _for_each_part(plan: ConvPlan, buffers: list[Buffers], work: Callable[[Blocks, Buffers], None]) -> None:
    """Run the work of every part, each with its own buffers, on all free threads."""

    def of_range(start: int, stop: int) -> None:
        for part in range(start, stop):
            if "frame" in buffers[part]:
                buffers[part]["frame"].fill(0)  # blocks fill the inside only
            work(plan.parts[part], buffers[part])

    run_blocks(of_range, len(plan.parts), 1, (), [()] * len(plan.parts))


def _cut(plan: ConvPlan, columns: Array) -> Array:
    """(images, groups, rows, columns) with the columns divided into the plan's pieces, along a new axis."""
    if plan.pieces == 1:
        return columns
    return columns.reshape(*columns.shape[:3], plan.pieces, -1).swapaxes(2, 3)


def _images_first(array: Array, axis: int) -> Array:
    """The array with its axis of images moved to the front."""
    return array.transpose(axis, *range(axis), *range(axis + 1, array.ndim))


def _dout_columns(plan: ConvPlan, dout: Array, first: int, count: int, buffers: Buffers) -> Array:
    """A block of dout as right-hand operands of products."""
    block = dout[first : first + count].reshape(count, plan.groups, plan.group_outputs, plan.length)
    if "dout" not in buffers:
        return block
    flat = buffers["dout"][: block.size]
    if plan.merged:
        np.copyto(flat.reshape(plan.groups, plan.group_outputs, count, plan.length), block.transpose(1, 2, 0, 3))
        return flat.reshape(plan.groups, plan.group_outputs, count * plan.length)
    copied = flat.reshape(block.shape)
    np.copyto(copied, block)
    return copied


def _load_strip(plan: ConvPlan, x: Array, first: int, count: int, buffers: Buffers) -> Array:
    """The strip of a block of images: (images, groups, depth, columns), or (groups, depth, columns) if merged."""
    images = x[first : first + count]
    if "strip" not in buffers:
        return images.reshape(count, plan.groups, plan.depth, plan.columns)
    images = images.reshape(count, plan.in_shape[1], *plan.spatial)
    if "frame" in buffers:
        frame = buffers["frame"]
        inside = [slice(None), slice(None)]
        inside += [slice(low, low + size) for size, (low, _) in zip(plan.spatial, plan.padding, strict=True)]
        frame = frame[:count]
        copy_to(frame[tuple(inside)], images)
        images = frame
    elif not images.flags.c_contiguous:
        images = np.ascontiguousarray(images)
    flat = buffers["strip"][: count * plan.groups * plan.depth * plan.columns]
    outer = (plan.in_shape[1], *plan.kernel[1:])
    inner = (len(plan.phases), plan.rows, *plan.out_spatial[1:])
    if plan.patches:
        strip = flat.reshape(count, *inner, *outer)
        strip = strip.transpose(0, *range(1 + len(inner), strip.ndim), *range(1, 1 + len(inner)))
    elif plan.merged:
        strip = _images_first(flat.reshape(*outer, count, *inner), len(outer))
    else:
        strip = flat.reshape(count, *outer, *inner)
    steps = images.strides
    tap_steps = [step * spread for step, spread in zip(steps[3:], plan.dilation[1:], strict=True)]
    out_steps = [step * stride for step, stride in zip(steps[3:], plan.stride[1:], strict=True)]
    every_tap = (slice(None),) * (1 + len(outer))
    for index, phase in enumerate(plan.phases):
        # The last phases may have a row less in the image; no window reaches the row this leaves unwritten.
        rows = min(plan.rows, -((phase - images.shape[2]) // plan.stride[0]))
        seen = np.ndarray(
            (count, *outer, rows, *plan.out_spatial[1:]),
            images.dtype,
            images,
            phase * steps[2],
            (*steps[:2], *tap_steps, steps[2] * plan.stride[0], *out_steps),
        )
        of_phase: tuple[Any, ...] = (*every_tap, index, slice(rows))
        target = strip[of_phase]
        if plan.patches:
            order = (0, *range(1 + len(outer), seen.ndim), *range(1, 1 + len(outer)))
            target, seen = target.transpose(order), seen.transpose(order)
        copy_to(target, seen)
    if plan.patches:
        if plan.merged:
            return flat.reshape(count * plan.columns, plan.groups, plan.depth).transpose(1, 2, 0)
        return flat.reshape(count, plan.columns, plan.groups, plan.depth).transpose(0, 2, 3, 1)
    if plan.merged:
        return flat.reshape(plan.groups, plan.depth, count * plan.columns)
    return flat.reshape(count, plan.groups, plan.depth, plan.columns)
