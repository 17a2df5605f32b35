"""Plans of n-d convolutions: which data is copied, which is only shifted, how many images make a block, which buffers
are needed.

A convolution is a sum of matrix products: for each tap of the kernel, the weights of that tap times the image shifted
by the tap. A shifted image is no matrix that the BLAS accepts, unless it is copied ("unfolded"). Taps that differ along
the *leading* spatial axis only need no copies of their own. In a copy that is unfolded along the other axes they are
windows on the same rows, one or more image rows further on. So in general the plan is:

    strip[channel, other taps, rows, other outputs]    the image, unfolded along all axes but the leading one
    out = Σ over leading taps i of  weights[i] @ strip[:, window i]

With a leading stride of s the rows are sorted by their remainder modulo s ("phases"), which makes the windows
contiguous again. To unfold along every axis, an additional leading axis of length one is used. If windows do not
overlap ("patches"), and their rows have several elements, the strip is stored with a row for each position of the
result, so that rows of windows are copied in one piece.

Measured on one core with a sgemm peak of 100 GF/s, milliseconds forward / gradient by input / by weight; in brackets
the best of unfolding every axis (whole batch, by four images, in NHWC), products shifted in NHWC, and col2im:
    (32, 1, 32, 32) with (6, 1, 5, 5)             0.24 / 0.45 / 0.18    (0.23 / 0.79 / 0.22)
    (32, 6, 14, 14) with (16, 6, 5, 5)            0.29 / 0.58 / 0.29    (0.30 / 0.97 / 0.37)
    (32, 3, 32, 32) with (32, 3, 3, 3), same      0.83 / 1.31 / 0.84    (0.78 / 1.62 / 0.76)
    (32, 32, 16, 16) with (64, 32, 3, 3), same    3.50 / 4.01 / 3.95    (3.96 / 6.16 / 4.53)
    (32, 64, 8, 8) with (64, 64, 3, 3), same      1.85 / 1.86 / 2.05    (1.76 / 4.01 / 2.19)
With products in machine code (`runtime/machine/product.py`, 220 GF/s), which add up shifted images in place, the last
three take 0.54 / 0.74 / 0.74, 1.81 / 2.18 / 1.95 and 1.14 / 1.12 / 1.15. On two free cores and the BLAS they take
0.50 / 0.77 / 0.55, 1.90 / 2.10 / 2.09 and 1.05 / 1.04 / 1.15.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import Any

import numpy as np

from ..machine.product import has_products
from ..processors import PARALLEL_FLOPS, thread_count, worth_sharing
from ..records import dataclass
from ..threads import sharing
from .precision import Array, is_half
from .windows import Convolution, Pairs, clip, output_spatial

# Elements of a block of images (strip, frame and result): 2 MiB in single precision, a second-level cache. Half of it
# costs the BLAS up to 7 % (more, shorter calls), a batch of many blocks at once 5 to 20 %. Products in machine code are
# as fast on a fourth.
BLOCK_ELEMENTS = 512 * 1024
# OpenBLAS multiplies matrices with M·N·K up to a million without packing them first, 15 to 20 % faster than larger
# ones (AVX-512: 64x96 by 96x256 at 89 GF/s, by 96x128 at 111 GF/s).
UNPACKED_PRODUCT = 1_000_000
# Products with a transposed matrix are 25 to 40 % slower; copying dout transposed costs as much as is gained on so
# many rows (3x3 on 64 channels gains 17 % in all, 1x1 on 64 channels loses 15 %, 3x3 on 3 channels more).
TRANSPOSING_PAYS = 96
# Weights of more elements than this do not stay in the second-level cache while small images pass one at a time
# (512 channels on 7x7, 3x3: 28 ms image by image, 22 ms merged).
LARGE_WEIGHTS = 192 * 1024
SMALL_IMAGE = 256
SHORTEST_ROW = 4  # of a patch


Layout = tuple[tuple[str, int, int, tuple[int, ...]], ...]  # of buffers: name, start and stop in scratch, shape


@dataclass(frozen=True)
class ConvPlan:
    """The plan of one convolution, or of one of its gradients, with all sizes fixed.

    The tuples over spatial axes begin with the additional leading axis, if every axis is unfolded.
    """

    turned: bool  # this is the gradient by input, as a convolution with the mirrored kernel
    batch: int
    groups: int
    group_channels: int
    group_outputs: int
    in_shape: tuple[int, ...]  # of the array convolved; in a scattering plan, of the gradient
    out_shape: tuple[int, ...]  # of the convolution
    spatial: tuple[int, ...]
    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    padding: Pairs
    out_spatial: tuple[int, ...]
    phases: tuple[int, ...]  # the remainders modulo the leading stride that taps use
    rows: int  # of one phase of the strip
    taps: tuple[int, ...]  # where in the strip's columns the window of each leading tap starts
    length: int  # columns of a window: positions of the result in one image and channel
    depth: int  # rows of the strip in one group: channels times unfolded taps
    columns: int  # columns of the strip of one image
    patches: bool  # the strip is stored by columns
    merged: bool  # the images of a block share one matrix, which then reads the weights only once
    pieces: int  # the number of parts of each product, for the BLAS
    parts: tuple[tuple[tuple[int, int], ...], ...]  # first image and number of images of the blocks of each thread
    layouts: tuple[Layout, ...]  # the buffers of each thread
    scratch_size: int
    sharers: int  # threads that share products, where they do not share images

    def buffers(self, scratch: Array | None, dtype: np.dtype[Any]) -> list[dict[str, Array]]:
        """The buffers of each thread by name, in the caller's scratch array if that is large enough.

        A scratch array that is too small was made for fewer threads than there are now.
        """
        if scratch is not None and (scratch.dtype != dtype or scratch.ndim != 1):
            raise ValueError(
                f"scratch must be a vector of {dtype}, but has shape {scratch.shape} and dtype {scratch.dtype}"
            )
        if scratch is None or scratch.size < self.scratch_size:
            scratch = np.empty(self.scratch_size, dtype)
        return [{name: scratch[a:b].reshape(shape) for name, a, b, shape in layout} for layout in self.layouts]

    def scatter_slices(self) -> list[tuple[tuple[Any, ...], tuple[Any, ...]]]:
        """For each unfolded tap and phase: the target in the unpadded image, and the part of the strip that is added
        there."""
        pairs = []
        lead, lead_stride, lead_low = self.spatial[0], self.stride[0], self.padding[0][0]
        trailing = list(zip(self.spatial[1:], self.stride[1:], self.dilation[1:], self.padding[1:], strict=True))
        for taps in itertools.product(*(range(size) for size in self.kernel[1:])):
            for index, phase in enumerate(self.phases):
                clipped = [clip(lead, lead_stride, phase - lead_low, self.rows)]
                for tap, count, (size, step, spread, (low, _)) in zip(
                    taps, self.out_spatial[1:], trailing, strict=True
                ):
                    clipped.append(clip(size, step, tap * spread - low, count))
                target = (slice(None), slice(None), *(item[0] for item in clipped))
                source = (slice(None), slice(None), *taps, index, *(item[1] for item in clipped))
                pairs.append((target, source))
        return pairs


@lru_cache(maxsize=4096)
def plan_conv(convolution: Convolution) -> ConvPlan:
    """The plan of a convolution or of its gradient."""
    purpose, x_shape, w_shape, _, _, _, groups, _ = convolution
    _check_shapes(x_shape, w_shape, groups)
    strides, pairs, spreads = convolution.windows()
    out_spatial = output_spatial(x_shape[2:], w_shape[2:], strides, pairs, spreads)
    turned = _turned_padding(w_shape, strides, pairs, spreads, groups) if purpose == "input" else None
    if turned is None:
        return _plan(_Geometry(convolution, out_spatial), x_shape, turned=False)
    dout_shape = (x_shape[0], w_shape[0], *out_spatial)
    w_turned = (w_shape[1] * groups, w_shape[0] // groups, *w_shape[2:])
    dout = convolution._replace(purpose="forward", x_shape=dout_shape, w_shape=w_turned, padding=turned)
    return _plan(_Geometry(dout, x_shape[2:]), dout_shape, turned=True)


def _turned_padding(
    w_shape: tuple[int, ...], stride: tuple[int, ...], padding: Pairs, dilation: tuple[int, ...], groups: int
) -> Pairs | None:
    """The padding with which the gradient by input is a convolution of dout; None if scattering is faster.

    A convolution adds up inside the products, but it also covers the zeros around dout, and it unfolds all of dout's
    channels. Scattering writes one value for each input channel and tap, so it is faster if these are few: 16 to 6
    channels, 5x5 on 10x10 0.55 ms against 0.65; 32 to 3, 3x3 on 32x32 1.3 against 2.0; but 64 to 64, 3x3 on 8x8 2.5
    against 1.8.
    """
    if any(step != 1 for step in stride) or 2 * w_shape[1] < w_shape[0] // groups:
        return None
    reaches = [(taps - 1) * spread for taps, spread in zip(w_shape[2:], dilation, strict=True)]
    turned = tuple((reach - low, reach - high) for reach, (low, high) in zip(reaches, padding, strict=True))
    return None if any(low < 0 or high < 0 for low, high in turned) else turned


class _Geometry:
    """The sizes of one plan: the reach of the kernel over the image, and the shape of a strip."""

    def __init__(self, convolution: Convolution, out_spatial: tuple[int, ...]) -> None:
        self.purpose, x_shape, w_shape, _, _, _, groups, dtype = convolution
        stride, padding, dilation = convolution.windows()
        self.half, self.groups = is_half(dtype), groups
        self.batch, self.spatial, self.kernel = x_shape[0], x_shape[2:], w_shape[2:]
        self.group_channels, self.group_outputs = w_shape[1], w_shape[0] // groups
        self.channels, self.outputs = self.group_channels * groups, self.group_outputs * groups
        self.out_shape, self.length = (self.batch, self.outputs, *out_spatial), math.prod(out_spatial)
        self.native = has_products()
        self.work = 2 * self.batch * math.prod(w_shape) * self.length
        self.patches = (
            self.native and self.purpose != "input" and max(dilation) == 1 and w_shape[-1] >= SHORTEST_ROW
            and all(step >= taps for step, taps in zip(stride, self.kernel, strict=True))
        )  # fmt: skip
        large = math.prod(w_shape) // groups > LARGE_WEIGHTS and self.length <= SMALL_IMAGE
        self.merged = large or (self.patches and self.purpose == "weight")
        self.stride, self.dilation, self.padding, self.out_spatial = stride, dilation, padding, out_spatial
        if self.merged or self.unfolds_every_axis():
            self.spatial, self.kernel, self.out_spatial = (1, *self.spatial), (1, *self.kernel), (1, *out_spatial)
            self.stride, self.dilation, self.padding = (1, *stride), (1, *dilation), ((0, 0), *padding)
        self.measure_strip()

    def unfolds_every_axis(self) -> bool:
        """Whether to unfold along the leading axis, too. Each further leading tap costs one more pass over the outputs
        if it is shifted, over the strip if it is unfolded."""
        others = self.group_channels * math.prod(self.kernel[1:])
        return self.kernel[0] > 1 and self.purpose == "forward" and (self.patches or self.group_outputs > others)

    def measure_strip(self) -> None:
        """Rows and columns of the strip, and the start of the window of each leading tap."""
        step = self.stride[0]
        reaches = [tap * self.dilation[0] for tap in range(self.kernel[0])]
        self.phases = tuple(sorted({reach % step for reach in reaches}))
        self.rows = reaches[-1] // step + self.out_spatial[0]
        row = math.prod(self.out_spatial[1:])
        self.taps = tuple((self.phases.index(reach % step) * self.rows + reach // step) * row for reach in reaches)
        self.columns = len(self.phases) * self.rows * row
        self.depth = self.group_channels * math.prod(self.kernel[1:])
        pairs = zip(self.spatial, self.padding, strict=True)
        self.frame = tuple(size + low + high for size, (low, high) in pairs)
        self.padded = self.frame != self.spatial
        # Without padding, the strip may be the image itself: every column an element of it, in order.
        same = self.depth == self.group_channels and max(self.stride) == 1 and not (self.half or self.merged)
        self.direct = same and not self.padded and self.rows == self.spatial[0] and self.purpose != "input"
        self.strip = self.groups * self.depth * self.columns

    def pieces(self) -> int:
        """The number of parts of each product."""
        if self.native:
            return 1
        cuttable = 1 if self.merged else self.depth if self.purpose == "weight" else self.out_spatial[0]
        return _pieces(self.group_outputs * self.depth * self.length, cuttable)

    def threads(self, pieces: int) -> int:
        """How many threads share the images."""
        if sharing.threads() > 1:
            shareable = not (self.merged and self.purpose == "weight")
        else:  # the BLAS divides large products among threads of its own, which others would stand in the way of
            product = self.group_outputs * self.depth * self.length // pieces
            shareable = not self.merged and (self.native or product <= UNPACKED_PRODUCT)
        if not shareable or not self.batch:
            return 1
        return worth_sharing(min(thread_count(), self.batch), self.work, PARALLEL_FLOPS)

    def block(self, threads: int) -> int:
        """How many images are computed at a time. A merged product must be long, or the weights are read too often."""
        frame = self.channels * math.prod(self.frame) if self.padded else 0
        per_image = self.strip + self.outputs * self.length + frame
        elements = BLOCK_ELEMENTS * 4 if self.merged else BLOCK_ELEMENTS // (4 if self.native else 1)
        block = elements // max(1, per_image)
        return max(1, min(-(-self.batch // threads), block))

    def shared_buffers(self, turned: bool) -> dict[str, tuple[int, ...]]:
        """Shapes of the buffers that all threads read."""
        if self.purpose == "weight" or not (len(self.taps) > 1 or self.half or turned):
            return {}
        matrix = (self.depth, self.group_outputs)
        return {"weights": (len(self.taps), self.groups, *(matrix if self.purpose == "input" else matrix[::-1]))}

    def own_buffers(self, block: int, threads: int) -> dict[str, tuple[int, ...]]:
        """Shapes of the buffers of each thread."""
        own: dict[str, tuple[int, ...]] = {}
        if not self.direct:
            own["strip"] = (block * self.strip,)
        if self.padded and self.purpose != "input":
            own["frame"] = (block, self.channels, *self.frame)
        own.update(self.product_buffers(block, threads))
        if self.purpose != "forward" and (self.half or self.merged):
            own["dout"] = (block * self.outputs * self.length,)
        return own

    def product_buffers(self, block: int, threads: int) -> dict[str, tuple[int, ...]]:
        """Shapes of the buffers for products that are added up or moved afterwards. Machine code adds as it goes."""
        groups, depth, outputs = self.groups, self.depth, self.group_outputs
        if self.purpose != "weight":
            if not ((len(self.taps) > 1 and not self.native) or (self.merged and self.purpose == "forward")):
                return {}
            rows = groups * depth if self.purpose == "input" else self.outputs
            return {"product": (block * rows * self.length,)}
        if self.merged:
            return {"product": (groups, outputs, depth)} if block < self.batch else {}
        own: dict[str, tuple[int, ...]] = {"weights": (len(self.taps), groups, depth, outputs)}
        if self.native:
            return own
        own["product"] = (block, groups, depth, outputs)
        if len(self.taps) * depth >= TRANSPOSING_PAYS:
            own["transposed"] = (block, groups, self.length, outputs)
        if threads * block < self.batch:
            own["sum"] = (groups, depth, outputs)
        return own


def _plan(g: _Geometry, x_shape: tuple[int, ...], turned: bool) -> ConvPlan:
    """The plan for these sizes."""
    pieces = g.pieces()
    threads = g.threads(pieces)
    block = g.block(threads)
    own = g.own_buffers(block, threads)
    common, size = _layout(g.shared_buffers(turned), 0)
    layouts = []
    for _ in range(threads):
        layout, size = _layout(own, size)
        layouts.append(common + layout)
    return ConvPlan(
        turned, g.batch, g.groups, g.group_channels, g.group_outputs, x_shape, g.out_shape,
        g.spatial, g.kernel, g.stride, g.dilation, g.padding, g.out_spatial,
        g.phases, g.rows, g.taps, g.length, g.depth, g.columns, g.patches, g.merged, pieces,
        _parts(g.batch if g.length else 0, threads, block), tuple(layouts), size,
        sharing.threads() if threads == 1 else 1,
    )  # fmt: skip


def _parts(batch: int, threads: int, block: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The images divided among threads, and the images of each thread divided into blocks."""
    parts = []
    for thread in range(threads):
        first, last = batch * thread // threads, batch * (thread + 1) // threads
        parts.append(tuple((start, min(block, last - start)) for start in range(first, last, block)))
    return tuple(parts)


def _layout(shapes: dict[str, tuple[int, ...]], start: int) -> tuple[Layout, int]:
    """Buffers one after the other from an offset in the scratch array, and the offset after them."""
    layout = []
    for name, shape in shapes.items():
        stop = start + math.prod(shape)
        layout.append((name, start, stop, shape))
        start = stop
    return tuple(layout), start


def _pieces(product: int, cuttable: int) -> int:
    """The number of parts of a product along an axis of the given length."""
    for pieces in (1, 2, 3, 4, 6, 8):
        if cuttable % pieces == 0 and product // pieces <= UNPACKED_PRODUCT:
            return pieces
    return 1


def _check_shapes(x_shape: tuple[int, ...], w_shape: tuple[int, ...], groups: int) -> None:
    """ValueError unless input and weight agree in rank, channels and groups."""
    if len(x_shape) < 3 or len(x_shape) != len(w_shape):
        raise ValueError(
            f"convolution takes an input (N, C, spatial…) and a weight (O, C/groups, kernel…) of the same rank, "
            f"but got shapes {x_shape} and {w_shape}"
        )
    if groups < 1 or w_shape[0] % groups or x_shape[1] != w_shape[1] * groups or min(w_shape) < 1:
        raise ValueError(
            f"the input has {x_shape[1]} channels, but a weight of shape {w_shape} in {groups} groups "
            f"takes {w_shape[1] * groups} and gives a multiple of {groups}"
        )
