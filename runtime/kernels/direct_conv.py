"""Convolutions over up to three axes by direct sums in machine code, and both their gradients.

`machine/direct_code.py` says how. It copies no image for the taps of a kernel, so it suits small images, strides and
few channels; Winograd's tiles have fewer products for larger ones. Microseconds on one core, forward / gradient by
input / by weight, and in brackets by tiles or products:
    (32, 16, 8, 8) with (16, 16, 3, 3), same            43 / 43 / 44         (72 / 73 / 86)
    (32, 16, 8, 8) with (32, 16, 3, 3), stride 2        22 / 26 / 25         (76 / 145 / 76)
    (8, 64, 28, 28) with (128, 64, 3, 3), stride 2      980 / 1000 / 1010    (1260 / 1320 / 1320)
    (4, 3, 112, 112) with (64, 3, 7, 7), stride 2       990 / - / 1050       (1180 / - / 1840)
On a slower core (112 GF/s), in groups, over three axes, and of float64:
    (8, 64, 14, 14) with (64, 8, 3, 3), 8 groups        156 / 157 / 165      (253 / 264 / 411)
    (1, 64, 8, 28, 28) with (64, 64, 3, 3, 3), same     12300 / 12400 / 12300    (18200 / 18700 / 15100)
    (8, 24, 14, 14) with (24, 24, 3, 3), float64        298 / 299 / 301      (425 / 429 / 429)
By vectors of AVX2 (115 GF/s):
    (32, 16, 8, 8) with (16, 16, 3, 3), same            96 / 96 / 99         (125 / 127 / 138)
    (32, 16, 8, 8) with (32, 16, 3, 3), stride 2        52 / 65 / 53         (204 / 352 / 229)
    (8, 64, 28, 28) with (128, 64, 3, 3), stride 2      2310 / 2760 / 2450   (3120 / 4220 / 3590)
    (4, 3, 112, 112) with (64, 3, 7, 7), stride 2       2330 / - / 2730      (3220 / - / 4670)
    (8, 64, 14, 14) with (64, 8, 3, 3), 8 groups        174 / 175 / 163      (519 / 526 / 542)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..machine.array_functions import compile_direct
from ..machine.direct_sizes import DirectSizes
from ..machine.executable import is_from_intel
from ..machine.product import has_pairs, vector_bytes
from ..machine.sizes import NARROW, WIDTH
from ..processors import TEAM_FLOPS, cache_bytes, thread_count, worth_sharing
from ..records import NamedTuple
from .precision import Array, deliver, is_plain, plain, plain_buffer
from .tiled_conv import plan_tiles
from .together import MachineCall, run_together
from .windows import Convolution, output_spatial

if TYPE_CHECKING:
    from ..machine.executable import Function

DTYPES = {np.dtype(kind): np.dtype(kind) for kind in (np.float32, np.float64)}
MOST_TAPS = 128
MOST_STRIDE = 4  # of a gradient by input
# Larger weights do not stay in the cache: they are read for each image, and brought in order for all of them.
LARGE_WEIGHTS, SMALL_PLANE, FEW_PIXELS = 3 * cache_bytes() // 16, 25, 150  # elements; pixels
LARGE_MATRIX = 192 * 1024  # elements of a weight of one tap
PADDED_PART = 0.03  # of the vectors of a plane, which hold no pixels: direct sums are sooner
FEW_FOR_PRODUCTS, SMALL_WEIGHTS, FEW_LANES = 300, 32 * 1024, 64  # pixels; elements; channels
LARGE_IMAGE = {1: 1024 * 1024, 2: 1024 * 1024, 3: 4 * 1024 * 1024}  # by axes; does not stay there either
TILES_CALL, COPIED_CALL = 20_000, 15_000  # nanoseconds: of a call with tiles, and of one with copies for each tap


class Rates(NamedTuple):
    """What convolutions take: operations of float32 in a nanosecond, and nanoseconds.

    Attributes:
        flops: operations.
        copied: the same with copies for each tap, where channels are few.
        summed: the same of such gradients by weight.
        products: the same of products of tiles.
        tiles: the time of a row of up to 16 tiles of a channel.
        turned: of a gradient by weight, the further time to turn a number of the larger tiles.
        copy: the further time to copy an element for a tap. Where results have few channels, most of the time is this.
        write: the time of a vector of direct sums that is written.
        calls: how many times as long calls of other ways take.
    """

    flops: float
    copied: float
    summed: float
    products: float
    tiles: float
    turned: float
    copy: float
    write: float
    calls: float = 1


RATES = {WIDTH: Rates(220, 80, 50, 220, 10, 0, 0, 0.6), NARROW: Rates(108, 55, 45, 108, 45, 0, 0, 1.2)}
"""By the bytes of the processor's vectors."""

RATES_OF_INTEL = {
    WIDTH: Rates(145, 80, 80, 83, 15, 0.1, 0.6, 0.9, 2),
    NARROW: Rates(108, 80, 80, 108, 20, 0, 0.4, 1.2, 2),
}
"""The same of processors of Intel, fitted to 2,200 convolutions: whole vectors compute more slowly, and caches, which
copies and tiles need, are slower still."""


@dataclass(frozen=True, slots=True)
class DirectPlan:
    """The plan of a convolution, or of one of its gradients.

    Threads divide the images. Where these are fewer, each is computed in parts: of the groups, or of the channels of
    the result.
    """

    kind: str
    sizes: DirectSizes
    threads: int
    parts: int
    length: int  # of the scratch of a thread
    function: Function

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of all arrays."""
        return DTYPES[np.dtype(f"float{8 * self.sizes.size}")]

    @property
    def scratch_size(self) -> int:
        """Elements of scratch of all threads, and of weights in parts. For a gradient by weight, all images but the
        first one have sums of their own."""
        others = self.threads // self.parts - 1 if self.kind == "weight" else int(self.copies_weight)
        return self.threads * self.length + others * self.weights

    @property
    def weights(self) -> int:
        """Elements of the weight."""
        sizes = self.sizes
        return sizes.outputs * sizes.groups * sizes.channels * sizes.taps

    @property
    def copies_weight(self) -> bool:
        """Whether parts of the weight lie apart, in its second axis."""
        return self.kind == "input" and self.parts > 1 and self.sizes.groups == 1

    def images(self, batch: int, number: int) -> slice:
        """Those of a thread."""
        pieces, number = self.threads // self.parts, number // self.parts
        return slice(batch * number // pieces, batch * (number + 1) // pieces)

    def cut(self, channels: int, number: int) -> slice:
        """The thread's part of so many channels."""
        each = channels // self.parts
        return slice(each * (number % self.parts), each * (number % self.parts + 1))

    def seen(self, channels: int, number: int) -> slice:
        """The channels of what is convolved that its part depends on: those of its groups, or all."""
        return self.cut(channels, number) if self.sizes.groups > 1 else slice(channels)


@lru_cache(maxsize=4096)
def plan_direct(convolution: Convolution, pairs_of_halves: bool = False) -> DirectPlan | None:
    """The plan of a convolution or of its gradient.

    None where there is no machine code, or others are faster. `pairs_of_halves`: elements of what is added up are
    pairs of bfloat16.
    """
    purpose, x_shape, w_shape, _, _, _, groups, dtype = convolution
    axes = len(w_shape) - 2
    if axes not in (1, 2, 3) or len(x_shape) != axes + 2 or dtype not in DTYPES:
        return None
    if groups < 1 or w_shape[0] % groups or x_shape[1] != w_shape[1] * groups or 0 in x_shape or 0 in w_shape:
        return None
    width = vector_bytes()
    if not width or (pairs_of_halves and not has_pairs()):
        return None
    steps, pairs, spreads = convolution.windows()
    made = output_spatial(x_shape[2:], w_shape[2:], steps, pairs, spreads)
    each = (x_shape[2:], made, w_shape[2:], steps, spreads, tuple([pair[0] for pair in pairs]))
    sizes = DirectSizes(w_shape[1], w_shape[0] // groups, *each, groups, dtype.itemsize, width, pairs_of_halves)
    if not _suits(purpose, x_shape[0], sizes):
        return None
    batch, work = x_shape[0], 2 * x_shape[0] * math.prod(w_shape) * math.prod(made)
    others = _time_of_others(convolution, work, sizes)
    wanted = worth_sharing(thread_count(), work, TEAM_FLOPS)
    pieces, parts = min(wanted, batch), max(1, wanted // batch)
    part = sizes.divided(purpose, parts)
    if part is None or part.vectors(purpose) * part.groups == sizes.vectors(purpose) * sizes.groups:
        part, parts = sizes, 1  # vectors that parts would fill less
    fewer = wanted > pieces * parts  # threads than those that others have
    if (fewer or not sizes.is_product) and _time(purpose, work // parts, batch, part) / pieces > others / wanted:
        return None
    return DirectPlan(purpose, sizes, pieces * parts, parts, part.room(purpose), compile_direct(purpose, *part))


def _in_single(convolution: Convolution) -> Convolution:
    """A convolution of pairs, as one of float32."""
    purpose, (batch, channels, *image), (outputs, inputs, *kernel) = convolution[:3]
    many = 2 if purpose == "forward" else 1
    x = (2 * batch if purpose == "weight" else batch, many * channels, *image)
    w = (2 * outputs if purpose == "input" else outputs, many * inputs, *kernel)
    return convolution._replace(x_shape=x, w_shape=w)


def _suits(kind: str, batch: int, sizes: DirectSizes) -> bool:
    """Whether there is code for these sizes, and the caches hold what it needs."""
    if sizes.taps > MOST_TAPS:
        return False
    if kind == "input" and max(sizes.stride) > MOST_STRIDE:
        return False
    weights = sizes.channels * sizes.outputs * sizes.taps * sizes.groups
    pixels = math.prod(sizes.made)
    if sizes.is_product:
        if not _beats_products(kind, batch, pixels, weights, sizes):
            return False
    elif weights > LARGE_WEIGHTS and (pixels < SMALL_PLANE or batch * pixels < FEW_PIXELS):
        return False
    return sizes.seen(kind) * math.prod(sizes.frame(kind)) <= LARGE_IMAGE[len(sizes.image)]


def _beats_products(kind: str, batch: int, pixels: int, weights: int, sizes: DirectSizes) -> bool:
    """Whether direct sums are faster for kernels of one tap, by measurements.

    Vectors of products hold pixels, the last of a plane only some. For gradients one operand is transposed: direct sums
    of (16, 256, 14, 14) with (64, 256, 1, 1) run at 112 / 106 / 109 GF/s, and products at 104 / 95 / 104.
    """
    wide = sizes.width == WIDTH
    if sizes.size != 4 or sizes.groups > 1:
        return False
    if kind == "forward":
        return wide and -pixels % sizes.across > PADDED_PART * pixels
    few = batch * pixels < FEW_FOR_PRODUCTS
    if kind == "weight":
        return weights <= LARGE_MATRIX or not few or (wide and batch * pixels >= FEW_PIXELS)
    if few:
        return sizes.outputs <= sizes.channels or weights <= SMALL_WEIGHTS
    return wide or 2 * sizes.channels <= min(sizes.outputs, 2 * FEW_LANES)


def _rates(width: int) -> Rates:
    """Those of this processor."""
    return (RATES_OF_INTEL if is_from_intel() else RATES)[width]


def _time_of_others(convolution: Convolution, work: int, sizes: DirectSizes) -> float:
    """About how many nanoseconds the convolution takes by tiles, or else with copies for each tap."""
    rates, weighs = _rates(sizes.width), convolution.purpose == "weight"
    tiles = plan_tiles(_in_single(convolution) if sizes.pairs else convolution)
    if tiles is not None:
        products, rows = tiles.cost
        turned = rates.turned * weighs * products / min(tiles.channels, tiles.outputs)
        return 2 * products / rates.products + rates.tiles * rows + turned + rates.calls * TILES_CALL
    each = (1 + sizes.pairs) / (rates.summed if weighs else rates.copied) + rates.copy / (2 * sizes.outputs)
    return work * each * sizes.size / 4 + rates.calls * COPIED_CALL


def _time(kind: str, work: int, batch: int, sizes: DirectSizes) -> float:
    """About how many nanoseconds direct sums take: products, some in lanes that nobody needs, and writing."""
    lanes, across, vectors = sizes.lanes(kind), sizes.across, sizes.vectors(kind)
    rates = _rates(sizes.width)
    written = {"forward": sizes.made, "input": sizes.image, "weight": (0,)}[kind]
    if kind == "input":  # it adds zeros around the gradients, too
        work = work // math.prod(sizes.made) * math.prod(sizes.image) // math.prod(sizes.stride)
    computed = work * vectors * across * sizes.size / (4 * lanes * rates.flops)
    return computed + rates.write * vectors * sizes.groups * batch * math.prod(written)


def correlate(plan: DirectPlan, x: Array, w: Array, out: Array | None, scratch: Array | None) -> Array | None:
    """The convolution of x with w; or that of a result's gradient, which is the gradient by input. None if machine code
    does not compute it."""
    sizes, dtype = plan.sizes, plan.dtype
    spatial, channels = (sizes.image, sizes.channels) if plan.kind == "input" else (sizes.made, sizes.outputs)
    shape = (x.shape[0], channels * sizes.groups, *spatial)
    result = plain_buffer(out, shape, dtype)
    given, weight, made = plain(x, dtype), plain(w, dtype), result
    scratch = _room(plan, scratch)
    if plan.copies_weight:
        by_part = weight.reshape(len(weight), plan.parts, -1, *weight.shape[2:]).swapaxes(0, 1)
        weight = scratch[plan.threads * plan.length :][: weight.size].reshape(by_part.shape)
        np.copyto(weight, by_part)

    def arguments(number: int) -> tuple[Array, ...]:
        images = plan.images(len(given), number)
        seen, cut = plan.seen(given.shape[1], number), plan.cut(made.shape[1], number)
        part = weight[number % plan.parts] if plan.copies_weight else weight[plan.cut(len(weight), number)]
        return given[images, seen], part, made[images, cut]

    done = _each_part(plan, scratch, (given, result, weight), arguments)
    return deliver(result, dtype, out) if done else None


def weight_grad(plan: DirectPlan, dout: Array, x: Array, out: Array | None, scratch: Array | None) -> Array | None:
    """The gradient of a convolution by its weight; None if machine code does not compute it."""
    sizes, dtype = plan.sizes, plan.dtype
    shape = (sizes.outputs * sizes.groups, sizes.channels, *sizes.kernel)
    result = plain_buffer(out, shape, dtype)
    scratch = _room(plan, scratch)
    others = scratch[plan.threads * plan.length : plan.scratch_size]
    sums = [result, *others.reshape(-1, *shape)]
    images, gradients = plain(x, dtype), plain(dout, dtype)

    def arguments(number: int) -> tuple[Array, ...]:
        here, cut = plan.images(len(images), number), plan.cut(shape[0], number)
        seen = images[here, plan.seen(images.shape[1], number)]
        return seen, gradients[here, cut], sums[number // plan.parts][cut]

    if not _each_part(plan, scratch, (images, gradients, result), arguments):
        return None
    for other in sums[1:]:
        np.add(sums[0], other, out=sums[0])
    return deliver(result, dtype, out)


def _room(plan: DirectPlan, scratch: Array | None) -> Array:
    """The caller's scratch, if it is large enough, or new."""
    if scratch is None or scratch.size < plan.scratch_size or not is_plain(scratch, plan.dtype):
        return np.empty(plan.scratch_size, plan.dtype)
    return scratch


def _each_part(
    plan: DirectPlan, scratch: Array, arrays: tuple[Array, ...], arguments: Callable[[int], tuple[Array, ...]]
) -> bool:
    """Call the function with `arguments(number)` and scratch for the part of each thread; whether all were computed.
    The arguments are parts of the arrays and of scratch."""

    def calls_of(number: int) -> list[MachineCall]:
        room = scratch[number * plan.length : (number + 1) * plan.length]
        return [MachineCall(plan.function, (*arguments(number), room))]

    if plan.threads == 1:
        return calls_of(0)[0].run()
    return run_together(plan, (*arrays, scratch), lambda: [calls_of(number) for number in range(plan.threads)])
