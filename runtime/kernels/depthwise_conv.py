"""Depthwise convolutions, a kernel for each channel, and their gradients: sums over taps of shifted images, in machine
code.

Images are copied into frames of zeros. For a stride along the rows the columns of a frame are sorted by their remainder
("phases"), so that neighbours of the result see neighbours; the taps of a phase are one call. The gradient by input is
a convolution with the mirrored kernel of the results' gradient, with zeros between its elements for a stride.
Microseconds on one core, forward / gradient by input / by weight, and in brackets as matrix products:
    (4, 48, 28, 28) with 7x7                 150 / 150 / 160     (1150 / 1190 / 1600)
    (8, 144, 28, 28) with 3x3, stride 2      200 / 450 / 250     (1270 / 2040 / 1500)
With AVX2 alone:
    (4, 48, 28, 28) with 7x7                 280 / 295 / 344     (1393 / 1419 / 1421)
    (8, 144, 28, 28) with 3x3, stride 2      408 / 375 / 516     (1270 / 5474 / 1031)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..machine.array_functions import compile_depthwise, compile_narrow_depthwise
from ..machine.product import vector_bytes
from ..machine.sizes import MOST_ROWS, WIDTH
from ..processors import TEAM_FLOPS, thread_count, worth_sharing
from ..records import NamedTuple, dataclass
from .copies import add_call, copy_call, zeros
from .precision import Array, deliver, result_buffer
from .together import MachineCall, run_together
from .windows import Convolution, clip, output_spatial

if TYPE_CHECKING:
    from ..machine.executable import Function

PLAIN = np.dtype(np.float32)
BLOCK_ELEMENTS = 96 * 1024  # of the frames that are computed at once
SLOWER = 3  # an operation takes so many times as long as one of a matrix product

Block = tuple[slice, slice]  # images, channels
Part = tuple[int | slice, ...]


class TapsCall(NamedTuple):
    """A call of machine code for some taps of the kernel."""

    function: Function
    rows: slice  # of the kernel
    columns: slice
    shape: tuple[int, ...]  # of what they see in a frame: these taps, and the results
    offset: int  # in bytes, where the first tap begins to see a frame
    steps: tuple[int, ...]  # in bytes, along the axes of the shape

    def seen(self, frames: Array) -> Array:
        """What the taps see of frames (images, channels, phases, rows, columns)."""
        shape, steps = (*frames.shape[:2], *self.shape), (*frames.strides[:2], *self.steps)
        return np.ndarray(shape, PLAIN, frames, self.offset, steps)


@dataclass(frozen=True)
class DepthwisePlan:
    """The plan of a depthwise convolution, or of one of its gradients, as one over two axes."""

    in_shape: tuple[int, ...]  # of what is seen: images, or the gradient of results
    out_shape: tuple[int, ...]  # of what each tap sees
    kernel: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    starts: tuple[int, int]  # where the first element of what is seen lies in a frame
    apart: tuple[int, int]  # distance there of its elements
    frame: tuple[int, int, int]  # phases, rows and columns
    most: int  # elements of frames that a block has at most
    vector: int  # bytes of the vectors of machine code
    sums: int  # elements of the gradient by weight of a block, at most
    parts: tuple[tuple[Block, ...], ...]  # of each thread

    @property
    def lanes(self) -> int:
        """Sums that the gradient of an element of the weight consists of."""
        return self.vector // PLAIN.itemsize

    @property
    def scratch_size(self) -> int:
        """Elements of scratch: of all threads, and the weight, or sums for its gradient."""
        weight = self.in_shape[1] * math.prod(self.kernel)
        return len(self.parts) * (self.most + self.sums) + weight * (self.lanes if self.sums else 1)

    @cached_property
    def calls(self) -> tuple[TapsCall, ...]:
        """The calls for each block: the taps of a phase together see neighbours."""
        found, (step, spread), kind = [], (self.stride[1], self.dilation[1]), "weight" if self.sums else "forward"
        every = step // math.gcd(step, spread)
        row_step = PLAIN.itemsize * self.frame[2]
        below, down = row_step * self.dilation[0], row_step * self.stride[0]
        for row in range(0, self.kernel[0], MOST_ROWS):
            for first in range(min(every, self.kernel[1])):
                rows, columns = slice(row, row + MOST_ROWS), slice(first, None, every)
                count = [len(range(taps)[cut]) for taps, cut in zip(self.kernel, (rows, columns), strict=True)]
                offset = first * spread % step * self.frame[1] * row_step + row * below + 4 * (first * spread // step)
                steps = below, 4 * (every * spread // step), down, 4
                seen = (*count, *self.out_shape[2:])
                found.append(TapsCall(self._function(kind, count[0]), rows, columns, seen, offset, steps))
        return tuple(found)

    def _function(self, kind: str, rows: int) -> Function:
        """The function of machine code for so many rows of the kernel."""
        common = math.gcd(self.stride[0], self.dilation[0])
        distances = self.stride[0] // common, self.dilation[0] // common
        if self.vector == WIDTH:
            return compile_depthwise(kind, rows, *distances)
        return compile_narrow_depthwise(kind, rows, *distances, self.out_shape[3])

    @cached_property
    def copies(self) -> tuple[tuple[Part, Part], ...]:
        """The parts of frames that are copied, and of what is seen."""
        every, step, found = slice(None), self.stride[1], []
        rows, from_rows = clip(self.frame[1], self.apart[0], self.starts[0], self.in_shape[2])
        for phase in range(self.frame[0]):
            if self.apart[1] > 1 or step == 1:
                columns, from_columns = clip(self.frame[2], self.apart[1], self.starts[1], self.in_shape[3])
            else:  # the element of column c lies in column c // step of phase c % step
                from_columns, columns = clip(self.in_shape[3], step, phase - self.starts[1], self.frame[2])
            if rows != slice(0, 0) and columns != slice(0, 0):
                found.append(((every, every, phase, rows, columns), (every, every, from_rows, from_columns)))
        return tuple(found)


@lru_cache(maxsize=4096)
def plan_depthwise(convolution: Convolution) -> DepthwisePlan | None:
    """The plan of a convolution or of its gradient.

    None where the convolution is not depthwise, or there is no machine code for it.
    """
    purpose, x_shape, w_shape, _, _, _, groups, dtype = convolution
    axes = len(w_shape) - 2
    if axes not in (1, 2) or len(x_shape) != axes + 2 or dtype != PLAIN or 0 in x_shape:
        return None
    vector = vector_bytes()
    if w_shape[:2] != (groups, 1) or x_shape[1] != groups or math.prod(w_shape[2:]) < 2 or not vector:
        return None
    steps, pairs, spreads = convolution.windows()
    made = output_spatial(x_shape[2:], w_shape[2:], steps, pairs, spreads)
    lead = (1,) * (2 - axes)
    height, width = (*lead, *x_shape[2:])
    kernel, step, spread, made = (*lead, *w_shape[2:]), (*lead, *steps), (*lead, *spreads), (*lead, *made)
    low = tuple(pair[0] for pair in (*((0, 0),) * (2 - axes), *pairs))
    reach = [(taps - 1) * distance for taps, distance in zip(kernel, spread, strict=True)]
    apart: tuple[int, ...] = (1, 1)
    given = (*x_shape[:2], height, width)
    if purpose == "input":
        given, apart, step = (*x_shape[:2], *made), step, (1, 1)
        low, made = tuple(far - before for far, before in zip(reach, low, strict=True)), (height, width)
    rows, columns = ((count - 1) * by + far + 1 for count, by, far in zip(made, step, reach, strict=True))
    frame = (step[1], rows, -(-columns // step[1]))
    blocks_of = _blocks(x_shape[0], x_shape[1], math.prod(frame))
    work = SLOWER * 2 * math.prod(x_shape[:2]) * math.prod(made) * math.prod(kernel)
    threads = worth_sharing(min(thread_count(), groups), work, TEAM_FLOPS)
    cuts = [groups * i // threads for i in range(threads + 1)]
    parts = tuple(blocks_of(cuts[i], cuts[i + 1]) for i in range(threads))
    sizes = [
        (images.stop - images.start, channels.stop - channels.start) for part in parts for images, channels in part
    ]
    most = max(images * channels for images, channels in sizes) * math.prod(frame)
    sums = max(channels for _, channels in sizes) * math.prod(kernel) * vector // 4 if purpose == "weight" else 0
    sizes_of = (given, (*x_shape[:2], *made), kernel, step, spread, low, apart, frame)
    return DepthwisePlan(*sizes_of, most, vector, sums, parts)  # type: ignore[arg-type]


def _blocks(images: int, channels: int, frame: int) -> Callable[[int, int], tuple[Block, ...]]:
    """A function that divides a range of channels, of all images, into blocks of frames of so many elements."""

    def of_range(start: int, stop: int) -> tuple[Block, ...]:
        wide = _equal(stop - start, BLOCK_ELEMENTS // frame)
        tall = _equal(images, BLOCK_ELEMENTS // (frame * wide))
        return tuple(
            (slice(image, min(images, image + tall)), slice(channel, min(stop, channel + wide)))
            for channel in range(start, stop, wide)
            for image in range(0, images, tall)
        )

    return of_range


def _equal(count: int, most: int) -> int:
    """The size of as few equal parts as there can be, of at most so many each if that is not zero; but for the last."""
    return -(-count // -(-count // max(1, most)))


def _each_block(
    plan: DepthwisePlan,
    scratch: Array,
    given: Array,
    result: Array,
    calls_of_block: Callable[[Block, list[Array], Array], list[MachineCall]],
) -> None:
    """Run `calls_of_block(block, seen, sums)` for all blocks, with what each call sees; several threads share them if
    that is faster. They work on what is given, on the result, and on scratch."""
    given = given.reshape(plan.in_shape)
    room = plan.most + plan.sums

    def calls_of(part: int) -> list[MachineCall]:
        own = scratch[part * room : (part + 1) * room]
        shape: tuple[int, ...] = ()
        calls = []
        for block in plan.parts[part]:
            images = given[block]
            if images.shape != shape:  # frames lie in other places
                shape = images.shape
                frames = own[: math.prod((*shape[:2], *plan.frame))].reshape(*shape[:2], *plan.frame)
                rows = frames.reshape(shape[0] * shape[1], -1)
                calls.append(copy_call(rows, zeros(*rows.shape)))
                insides = [(frames[here], there) for here, there in plan.copies]
                seen = [call.seen(frames) for call in plan.calls]
            calls += [copy_call(target, images[there]) for target, there in insides]
            calls += calls_of_block(block, seen, own[plan.most :])
        return calls

    if not run_together(plan, (given, result, scratch), lambda: [calls_of(part) for part in range(len(plan.parts))]):
        raise MemoryError("machine code got no memory for a depthwise convolution")


def _room(plan: DepthwisePlan, scratch: Array | None) -> tuple[Array, Array]:
    """The caller's scratch, if it is large enough, or new; and its part for the weight or its gradient."""
    if scratch is None or scratch.size < plan.scratch_size or scratch.dtype is not PLAIN:
        scratch = np.empty(plan.scratch_size, PLAIN)
    first = len(plan.parts) * (plan.most + plan.sums)
    return scratch, scratch[first : plan.scratch_size].reshape(plan.in_shape[1], *plan.kernel, -1)


def correlate(
    plan: DepthwisePlan, x: Array, w: Array, mirrored: bool, out: Array | None, scratch: Array | None
) -> Array:
    """The convolution of x with w; or, if `mirrored`, that of a result's gradient, which is the gradient by input."""
    scratch, weight = _room(plan, scratch)
    weight = weight[..., 0]
    weight[...] = w.reshape(weight.shape)
    if mirrored:
        weight = weight[:, ::-1, ::-1]
    shape = (*plan.out_shape[:2], *plan.out_shape[4 - (x.ndim - 2) :])
    result = _result(out, shape)
    images = result.reshape(plan.out_shape)
    factors = [weight[:, call.rows, call.columns] for call in plan.calls]

    def calls(block: Block, seen: list[Array], _: Array) -> list[MachineCall]:
        target = images[block]
        return [
            MachineCall(call.function, (view, weights[block[1]], target, *(target,) * (number > 0)), _correlate_taps)
            for number, (call, weights, view) in enumerate(zip(plan.calls, factors, seen, strict=True))
        ]

    _each_block(plan, scratch, _plain(x), images, calls)
    return deliver(result, PLAIN, out)


def _correlate_taps(seen: Array, weight: Array, target: Array, *added: Array) -> None:
    """What machine code does for some taps."""
    target[...] = np.einsum("ncijyx,cij->ncyx", seen, weight) + (target if added else 0)


def weight_grad(plan: DepthwisePlan, dout: Array, x: Array, out: Array | None, scratch: Array | None) -> Array:
    """The gradient of a convolution by its weight."""
    gradients, ones = _plain(dout).reshape(plan.out_shape), np.ones(plan.lanes, PLAIN)
    scratch, totals = _room(plan, scratch)

    def calls(block: Block, seen: list[Array], room: Array) -> list[MachineCall]:
        given, images = gradients[block], block[0]
        total = totals[block[1]]
        sums = room[: total.size].reshape(total.shape) if images.start else total
        found = [
            MachineCall(call.function, (view, sums[:, call.rows, call.columns], given), _sum_taps)
            for call, view in zip(plan.calls, seen, strict=True)
        ]
        return [*found, add_call(total, sums)] if images.start else found

    _each_block(plan, scratch, _plain(x), gradients, calls)
    total = totals.reshape(-1, plan.lanes).dot(ones)
    result = _result(out, (plan.in_shape[1], 1, *plan.kernel[4 - x.ndim :]))
    np.copyto(result, total.reshape(result.shape))
    return deliver(result, PLAIN, out)


def _sum_taps(seen: Array, sums: Array, gradients: Array) -> None:
    """What machine code does for some taps."""
    sums[...] = np.einsum("ncijyx,ncyx->cij", seen, gradients)[..., None] / sums.shape[-1]


def _plain(array: Array) -> Array:
    """The array, or a copy that machine code takes."""
    return np.ascontiguousarray(array, PLAIN)


def _result(out: Array | None, shape: tuple[int, ...]) -> Array:
    """Where the result is computed: `out`, if machine code takes it."""
    usable = out is not None and out.dtype is PLAIN and out.flags.aligned
    result = result_buffer(out, shape, PLAIN)
    return result if usable or out is None else np.empty(shape, PLAIN)
