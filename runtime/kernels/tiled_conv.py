"""Convolutions with kernels of 3 by 3 by Winograd's algorithm: 16 products for each 2 by 2 results, not 36.

Kernels of one row of 3 or 5 take 4 or 6 products for 2 results, not 6 or 10. Of images with one axis, those of a batch
are the rows.

    tiles = Bᵀ · 4 by 4 pixels · B        weights = G · w · Gᵀ        results = Aᵀ · (weights @ tiles) · A

The product in the middle adds over the channels, for each of a tile's 16 numbers, all tiles of a block at once. The
gradient by input is such a convolution with the mirrored kernel. The gradient by weight has a product of the same tiles
with those of the results' gradients. Results differ from direct sums by about twice their rounding. A pixel that is
infinite or nan would spoil its whole tile: then the convolution is computed again, by direct sums. A kernel with a
dilation of d sees images of every d-th row, one after the other; of columns, tiles take every d-th one. Milliseconds on
one core, forward / gradient by input / by weight, and in brackets by `conv.py`:
    (8, 64, 28, 28) with (64, 64, 3, 3), same       1.27 / 1.25 / 1.25    (2.47 / 2.43 / 2.49)
    (8, 128, 14, 14) with (128, 128, 3, 3), same    1.33 / 1.37 / 1.20    (2.58 / 2.57 / 2.54)
    (16, 128, 8, 8) with (128, 128, 3, 3), same     0.78 / 0.79 / 0.85    (1.77 / 1.80 / 1.89)
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..machine.array_functions import can_transform, transform_of_size
from ..machine.product import compile_matmul
from ..processors import TEAM_FLOPS, cache_bytes, thread_count, worth_sharing
from ..records import dataclass
from .precision import Array, deliver, is_plain, plain, plain_buffer
from .products import add_product, matmul
from .together import MachineCall, run_together
from .windows import Convolution

if TYPE_CHECKING:
    from ..machine.executable import Function

LINE = 16  # elements of a cache line
# Elements of a block's tiles: a fourth of the second-level cache, in which they should stay. Rows of tiles of 32
# channels of 56 by 56 run at 171 GF/s so where it has 2 MB, and at 155 in blocks of half the size.
BLOCK_ELEMENTS = cache_bytes() // 16
LEAST_TILES = 48  # below, the weights take longer than is saved; a block has as many, for products of wide rows
# Larger weights do not stay in the cache from block to block, so blocks are larger.
LARGE_WEIGHTS, LARGE_TILES = 80 * 1024, 256
# Products of the channels, divided by their sum: what products save, for what the tiles cost.
LEAST_GAIN = 8

_THREE = np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]], np.float32)
_POINTS = np.array([0, 1, -1, 2, -2])[:, None]
_FIVE = np.vstack([_POINTS ** np.arange(5) / [[4], [-6], [-6], [24], [24]], [0, 0, 0, 0, 1]]).astype(np.float32)
TO_TILES = {9: np.kron(_THREE, _THREE), 3: _THREE, 5: _FIVE}
"""What makes numbers of a tile from the weights of 9 taps, or of 3 or 5 in a row."""
MIRRORED = {taps: np.ascontiguousarray(matrix[:, ::-1]) for taps, matrix in TO_TILES.items()}

MOST_SPREAD = {9: 8, 3: 8, 5: 7}  # the largest dilation, by taps
Block = tuple[int, int, int, int, int]  # first image, images, first row of tiles, rows of tiles, first row of pixels
PLAIN = np.dtype(np.float32)


@dataclass(frozen=True)
class TilePlan:
    """The plan of one convolution by tiles, or of one of its gradients."""

    taps: int  # of the kernel: 9, or 3 or 5 in a row
    w_shape: tuple[int, ...]
    channels: int  # of what is convolved: for the gradient by input, the results' gradient
    outputs: int
    out_shape: tuple[int, ...]
    top: int
    left: int
    dilation: tuple[int, int]
    wide: int  # tiles in a row
    step: int  # elements from one channel's tiles to the next one's
    parts: tuple[tuple[Block, ...], ...]  # the blocks of each thread

    @property
    def numbers(self) -> int:
        """The numbers of a tile."""
        return len(TO_TILES[self.taps])

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Elements of the weights, and of the tiles of inputs and of results."""
        return self.numbers * self.channels * self.outputs, self._plane(self.channels), self._plane(self.outputs)

    @property
    def cost(self) -> tuple[int, int]:
        """Products; and rows of tiles that fill a vector, or not, of all channels, fewer for tiles of fewer numbers."""
        rows = sum(block[1] * block[3] for part in self.parts for block in part)
        vectors = rows * -(-self.wide // LINE) * (self.channels + self.outputs)
        return self.numbers * self.channels * self.outputs * rows * self.wide, vectors * (16 + self.numbers) // 32

    def _plane(self, channels: int) -> int:
        return self.numbers * (channels * self.step + LINE)

    def scratch_size(self, weight: bool) -> int:
        """Elements of scratch. For a gradient by weight each thread has sums of its own."""
        weights, inputs, results = self.sizes
        own = inputs + results + LINE
        return len(self.parts) * (own + weights) if weight else weights + LINE + len(self.parts) * own

    def transform(self, kind: str, images: Array) -> Function:
        """The function that makes tiles of images, or images of tiles."""
        left = self.left if kind == "input" else 0
        return transform_of_size(kind, self.dilation[1], self.taps, images.shape[-1], left, self.wide)

    def seen(self, x: Array, block: Block) -> tuple[Array, int]:
        """The rows of what is convolved that a block's results depend on, and the rows of zeros before them."""
        spread = self.dilation[0]
        start = (block[4] - self.top) % spread
        return self._rows(x, block, start), (self.top + start - block[4]) // spread

    def made(self, result: Array, block: Block) -> Array:
        """The rows of results that a block belongs to."""
        return self._rows(result, block, block[4])

    def _rows(self, images: Array, block: Block, start: int) -> Array:
        images = images if images.ndim == 4 else images.swapaxes(0, 1)[None]
        return images[block[0] : block[0] + block[1], :, start :: self.dilation[0]]

    def tiles(self, flat: Array, channels: int, block: Block) -> Array:
        """The tiles of a block (numbers, channels, images, rows, columns) in a vector."""
        _, count, _, rows, _ = block
        return np.ndarray(
            (self.numbers, channels, count, rows, self.wide), PLAIN, flat, 0,
            (4 * (channels * self.step + LINE), 4 * self.step, 4 * rows * self.wide, 4 * self.wide, 4),
        )  # fmt: skip

    def matrices(self, flat: Array, channels: int, block: Block) -> Array:
        """The same as matrices (numbers, channels, tiles)."""
        _, count, _, rows, _ = block
        return np.ndarray(
            (self.numbers, channels, count * rows * self.wide), PLAIN, flat, 0,
            (4 * (channels * self.step + LINE), 4 * self.step, 4),
        )  # fmt: skip


@lru_cache(maxsize=4096)
def plan_tiles(convolution: Convolution) -> TilePlan | None:
    """The plan of a convolution or of its gradient.

    None where tiles are not possible, or do not pay.
    """
    purpose, x_shape, w_shape, _, _, _, groups, dtype = convolution
    kernel = w_shape[2:]
    taps = math.prod(kernel)
    in_row = taps < 9  # a kernel of one row
    if taps not in TO_TILES or groups != 1 or dtype != PLAIN:
        return None
    if kernel not in (((taps,), (1, taps)) if in_row else ((3, 3),)):
        return None
    axes = len(kernel)
    steps, pairs, spreads = convolution.windows()
    spread, across = 1 if in_row else spreads[0], spreads[-1]
    if len(x_shape) != len(w_shape) or x_shape[1] != w_shape[1] or max(steps) > 1 or across > MOST_SPREAD[taps]:
        return None
    (top, bottom), (left, right) = pairs[0] if axes == 2 else (0, 0), pairs[-1]
    batch, channels, outputs = x_shape[0], w_shape[1], w_shape[0]
    batch, tall, wide = (1, batch, x_shape[2]) if axes == 1 else (batch, *x_shape[2:])
    down, along = 0 if in_row else 2 * spread, (kernel[-1] - 1) * across  # what a kernel reaches
    height, width = tall + top + bottom - down, wide + left + right - along
    if max(top, bottom) > down or max(left, right) > along:
        return None
    if min(height, tall) < spread or min(width, wide) < across:
        return None
    shape: tuple[int, ...] = (batch, outputs, height, width) if axes == 2 else (height, outputs, width)
    if purpose == "input":
        channels, outputs, top, left = outputs, channels, down - top, along - left
        height, width, shape = tall, wide, x_shape
    numbers, rows = len(TO_TILES[taps]), 1 if in_row else 2  # rows of pixels that a row of tiles gives
    wide = -(-width // (2 * across)) * across
    tiles = batch * -(-height // (rows * spread)) * wide  # of one phase: every so many rows
    least = LEAST_TILES if channels * outputs <= LARGE_WEIGHTS else LARGE_TILES
    if tiles < least or channels * outputs < LEAST_GAIN * (channels + outputs):
        return None
    if 4 * taps * batch * height * width < 5 * numbers * spread * tiles:
        return None
    if not can_transform(across):
        return None
    at_once = max(least, BLOCK_ELEMENTS // (numbers * (channels + outputs)))
    blocks = [
        (*block, phase)
        for phase in range(spread)
        for block in _blocks(batch, -(-(height - phase) // (rows * spread)), wide, at_once)
    ]
    work = 2 * numbers * spread * tiles * channels * outputs
    threads = worth_sharing(min(thread_count(), len(blocks)), work, TEAM_FLOPS)
    most = max(count * rows for _, count, _, rows, _ in blocks) * wide
    lines = -(-most // LINE) | 1  # an odd number, so that rows do not share the same few places of a cache
    parts = tuple(tuple(blocks[len(blocks) * i // threads : len(blocks) * (i + 1) // threads]) for i in range(threads))
    return TilePlan(taps, w_shape, channels, outputs, shape, top, left, (spread, across), wide, LINE * lines, parts)


def _blocks(batch: int, tall: int, wide: int, tiles: int) -> list[tuple[int, int, int, int]]:
    """Blocks of about so many tiles: images, or rows of tiles in an image."""
    images = max(1, tiles // (tall * wide))
    if images > 1 or tall * wide <= tiles:
        number = -(-batch // images)
        cuts = [batch * i // number for i in range(number + 1)]
        return [(start, stop - start, 0, tall) for start, stop in itertools.pairwise(cuts)]
    number = -(-tall // max(1, tiles // wide))
    cuts = [tall * i // number for i in range(number + 1)]
    return [(image, 1, start, stop - start) for image in range(batch) for start, stop in itertools.pairwise(cuts)]


def correlate(
    plan: TilePlan, x: Array, w: Array, mirrored: bool, out: Array | None, scratch: Array | None
) -> Array | None:
    """The convolution of x with w; or, if `mirrored`, that of a result's gradient, which is the gradient by input.

    None if not all results are finite.
    """
    scratch = _room(scratch, plan.scratch_size(weight=False))
    size, inputs, results = plan.sizes
    weights = scratch[:size].reshape(plan.numbers, -1)
    matmul((MIRRORED if mirrored else TO_TILES)[plan.taps], plain(w, PLAIN).reshape(-1, plan.taps).T, weights)
    weights = weights.reshape(plan.numbers, *w.shape[:2])
    if mirrored:
        weights = weights.swapaxes(1, 2)
    x, result = plain(x, PLAIN), plain_buffer(out, plan.out_shape, PLAIN)
    apart, together = plan.transform("input", x), plan.transform("output", result)

    def calls_of(part: int) -> list[MachineCall]:
        flat = scratch[size + part * (inputs + results + LINE) :]
        flat, made, calls = flat[:inputs], flat[inputs:], []
        for block in plan.parts[part]:
            seen, top = plan.seen(x, block)
            tiles = plan.tiles(flat, plan.channels, block), plan.tiles(made, plan.outputs, block)
            products = weights, plan.matrices(flat, plan.channels, block), plan.matrices(made, plan.outputs, block)
            calls += [
                MachineCall(apart, (seen, tiles[0], top, plan.left, block[2])),
                MachineCall(compile_matmul(PLAIN.name), products, matmul),
                MachineCall(together, (plan.made(result, block), tiles[1], 0, 0, block[2])),
            ]
        return calls

    done = run_together(plan, (x, result, scratch), lambda: [calls_of(part) for part in range(len(plan.parts))])
    return deliver(result, PLAIN, out) if done else None


def weight_grad(plan: TilePlan, dout: Array, x: Array, out: Array | None, scratch: Array | None) -> Array | None:
    """The gradient of a convolution by its weight; None if it is not finite."""
    scratch = _room(scratch, plan.scratch_size(weight=True))
    size, inputs, results = plan.sizes
    dout, x = plain(dout, PLAIN), plain(x, PLAIN)
    apart, spread = plan.transform("input", x), plan.transform("gradient", dout)
    sums = []
    for part in range(len(plan.parts)):
        start = part * (size + inputs + results + LINE)
        sums.append(scratch[start : start + size].reshape(plan.numbers, plan.outputs, plan.channels))

    def calls_of(part: int) -> list[MachineCall]:
        flat = scratch[part * (size + inputs + results + LINE) + size :]
        flat, made, calls = flat[:inputs], flat[inputs:], []
        for number, block in enumerate(plan.parts[part]):
            seen, top = plan.seen(x, block)
            gradients = plan.matrices(made, plan.outputs, block)
            across = plan.matrices(flat, plan.channels, block).swapaxes(1, 2)
            products = gradients, across, *(sums[part],) * (1 + (number > 0))
            calls += [
                MachineCall(apart, (seen, plan.tiles(flat, plan.channels, block), top, plan.left, block[2])),
                MachineCall(spread, (plan.made(dout, block), plan.tiles(made, plan.outputs, block), 0, 0, block[2])),
                MachineCall(compile_matmul(PLAIN.name), products, add_product if number else matmul),
            ]
        return calls

    if not run_together(plan, (dout, x, scratch), lambda: [calls_of(part) for part in range(len(plan.parts))]):
        return None
    for others in sums[1:]:
        np.add(sums[0], others, out=sums[0])
    result = plain_buffer(out, plan.w_shape, PLAIN)
    matmul(sums[0].reshape(plan.numbers, -1).T, TO_TILES[plan.taps], result.reshape(-1, plan.taps))
    return deliver(result, PLAIN, out) if np.isfinite(result).all() else None


def _room(scratch: Array | None, size: int) -> Array:
    """The caller's scratch, if it is large enough, or new; at the start of a cache line."""
    if scratch is None or scratch.size < size + LINE or not is_plain(scratch, PLAIN):
        scratch = np.empty(size + LINE, PLAIN)
    skipped = -scratch.ctypes.data % 64 // 4
    return scratch[skipped : skipped + size]
