"""Gather and scatter in kernels: index arrays choose rows and elements, and each position is checked twice.

Before a kernel writes anything it checks all positions, and refuses arguments with one outside of its array. While the
kernel lets other threads run, one of them may change a position. So each position is checked again when it is used; one
that is now outside becomes the last one.

If all columns of a row have one position, the pointer to the array is moved once for each row. Otherwise
inputs are read, and outputs updated, one column after the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ..kernels.positions import LOWEST, PositionError, below_message, range_error
from ..machine.assembler import (
    JUMP_BELOW,
    JUMP_LESS,
    JUMP_NOT_EQUAL,
    MAP_0F,
    MAP_0F38,
    NONE,
    P66,
    RAX,
    RCX,
    RDX,
    Assembler,
    Form,
    Memory,
)
from ..records import NamedTuple
from .builder import FORMS, VECTOR, Unsupported
from .language import INDEX, POSITIONS, READ, SIZES, Array, Kernel, Place, is_computed, is_part, is_scattered, names_of

MOST_PLACES = 8  # of one array
MOST_KEPT = 1 << 10  # columns of a row whose positions are computed, and kept until they are used
MOST_POSITIONS = 1 << 31  # of one index array

ADD = {4: FORMS["add.int32"], 8: FORMS["add.int64"]}
TO_VECTOR = {4: Form(P66, MAP_0F, 0x6E), 8: Form(P66, MAP_0F, 0x6E, 1)}
SPREAD = {4: Form(P66, MAP_0F38, 0x58), 8: Form(P66, MAP_0F38, 0x59)}
LOAD = Form(NONE, MAP_0F, 0x10)
SIGNS = {4: Form(NONE, MAP_0F, 0x50), 8: Form(P66, MAP_0F, 0x50)}


PositionErrors = Callable[..., PositionError]


class Progression(NamedTuple):
    """The elements of an index array that the loops reach: bytes before the first, from each to the next, how many."""

    start: int
    step: int
    number: int


def progression(array: Array, extents: Sequence[int]) -> Progression:
    """The addresses of an index array's positions. Raises `Unsupported` if they are not evenly spaced."""
    moves = sorted(
        (abs(stride), extent) for stride, extent in zip(array.strides, extents, strict=True) if stride and extent > 1
    )
    start = array.offset + sum(
        stride * (extent - 1) for stride, extent in zip(array.strides, extents, strict=True) if stride < 0
    )
    step = moves[0][0] if moves else SIZES[array.dtype]
    count = 1
    for stride, extent in moves:
        if stride != step * count:
            raise Unsupported(f"the positions of {array.name} are not evenly spaced")
        count *= extent
    return Progression(start, step, count)


def sizes_of(kernel: Kernel) -> dict[str, int]:
    """For each index array the number of positions, not negative ones, of the smallest array that it indexes."""
    found: dict[str, int] = {}
    for array in kernel.arrays:
        for place in array.at:
            size = place.size - place.last
            found[place.array] = min(size, found.get(place.array, size))
    return found


def lasts_of(kernel: Kernel) -> set[str]:
    """The index arrays whose negative positions are the last one."""
    return {place.array for array in kernel.arrays for place in array.at if place.last}


def check_places(array: Array, kernel: Kernel) -> tuple[int, int]:
    """How far positions can move an array, backwards and forwards, in bytes. Raises `Unsupported` for wrong ones."""
    if not array.at:
        return 0, 0
    size = SIZES[array.dtype]
    scattered = array.role not in READ
    computed = is_computed(array, kernel)
    narrow = size < 4 and (array.role != "in" or computed or is_scattered(array, kernel))
    if (array.role != "in" and not scattered and not computed) or narrow or array.bounds:
        raise Unsupported(f"{array.name} of {array.dtype} has places")
    if len(array.at) > MOST_PLACES or (computed and not may_compute(array, kernel)):
        raise Unsupported(f"{array.name} is at {array.at[0].array}, which gives no positions here")
    if scattered and kernel.pieces and (array.role == "out" or array.offset):
        raise Unsupported("threads do not share what is scattered")
    whole = [(other.role, other.dtype, other.shape) for other in kernel.arrays if other.at and not other.offset]
    if is_part(array) and (array.role, array.dtype, array.shape) not in whole:
        raise Unsupported(f"only a part of {array.name} is initialised")
    if math.prod(array.shape) >= 1 << 31:
        raise Unsupported(f"{array.name} is too large to have places")
    low = high = 0
    for place in array.at:
        if (place.array in kernel.indices) == computed:
            raise Unsupported(f"{array.name} is at {place.array}, which gives no positions")
        if place.stride % size or abs(place.stride) >= 1 << 31 or not 0 < place.size < 1 << 31:
            raise Unsupported(f"{array.name} has {place.size} places, {place.stride} bytes apart")
        low += min(0, place.stride * (place.size - 1))
        high += max(0, place.stride * (place.size - 1))
    return low, high


def may_compute(array: Array, kernel: Kernel) -> bool:
    """Whether the kernel may compute positions of this array: there is one column, or it is a sum at positions of one
    axis; in one pass, and no threads."""
    rows = any("row_" in one.function or "scan_" in one.function for one in kernel.statements)
    if kernel.pieces or rows or any(place.last for place in array.at):
        return False
    if kernel.extents[-1] > 1:
        fits = len(array.at) == 1 and not array.strides[-1] and kernel.extents[-1] <= MOST_KEPT
        return array.role == "add" and fits
    return array.role in ("in", "state", "out")


def check_index(array: Array, kernel: Kernel) -> None:
    """Raise `Unsupported` for an index array whose positions cannot be checked."""
    if array.dtype not in POSITIONS or array.bounds or array.at:
        raise Unsupported(f"positions of {array.dtype}")
    if progression(array, kernel.extents).number >= MOST_POSITIONS:
        raise Unsupported("there are too many positions")
    if len({place.last for other in kernel.arrays for place in other.at if place.array == array.name}) > 1:
        raise Unsupported(f"negative positions of {array.name} have two meanings")


# Positions that are given


def wrong_position(kernel: Kernel, arrays: Sequence[Any]) -> PositionError | None:
    """The error for the first index array with a position out of range; None if all are in range."""
    sizes, lasts = sizes_of(kernel), lasts_of(kernel)
    for array, given in zip(kernel.arrays, arrays, strict=True):
        if array.role != INDEX or array.name not in sizes:
            continue
        start, step, count = progression(array, kernel.extents)
        memory = given.reshape(-1).view(np.uint8).data
        positions = np.ndarray((count,), array.dtype, memory, start, (step,))
        size = sizes[array.name]
        low, high = int(positions.min()), int(positions.max())
        if high >= size or low < (LOWEST if array.name in lasts else -size):
            wrong = high if high >= size else low
            other, place = next(
                (one, place)
                for one in kernel.arrays
                for place in one.at
                if (place.array, place.size - place.last) == (array.name, size)
            )
            return error_at(kernel, other, place)(wrong, size)
    return None


def error_at(kernel: Kernel, array: Array, place: Place) -> PositionErrors:
    """What makes the errors of an array's positions. It stays alive, as machine code refers to it."""
    names, axis = names_of(kernel), _axis_of(array, place)
    shape = () if axis is None else array.shape
    return _errors((names.index(array.name), names.index(place.array)), axis, shape, place.size, place.last)


@cache
def _errors(names: tuple[int, int], axis: int | None, shape: tuple[int, ...], of: int, last: bool) -> PositionErrors:
    def error(wrong: int, size: int = of) -> PositionError:
        found = PositionError(below_message(wrong, size)) if last else range_error(wrong, size, axis, shape)
        found.names = names
        return found

    return error


def _axis_of(array: Array, place: Place) -> int | None:
    """The axis of an array that positions are in; None where the array is seen in another shape."""
    step = SIZES[array.dtype]
    for axis in reversed(range(len(array.shape))):
        if (array.shape[axis], step) == (place.size, place.stride):
            return axis
        step *= array.shape[axis]
    return None


def look_at_positions(code: Assembler, array: Array, size: int, kernel: Kernel, refused: int) -> None:
    """Jump to `refused` if a position is outside of [-size, size); of [LOWEST, size) where negative ones are the last.

    RAX points to the array; it, RCX and RDX are overwritten.
    """
    start, step, count = progression(array, kernel.extents)
    width = SIZES[array.dtype]
    if start:
        code.add(RAX, start, RCX)
    lanes, lowest = VECTOR // width, LOWEST if array.name in lasts_of(kernel) else -size
    if step != width or count < lanes:
        _look_one_by_one(code, width, progression(array, kernel.extents), size, lowest, refused)
        return
    number, limit, low, high, other = range(5)
    wide = width == 8
    for register, value in ((number, -lowest if wide else lowest), (limit, size - 1 - lowest if wide else size - 1)):
        code.constant(RCX, value)
        code.vector(TO_VECTOR[width], register, 0, RCX, bits=128)
        code.vector(SPREAD[width], register, 0, register)
    code.vector(FORMS["xor"], low, low, low)
    if wide:
        code.vector(FORMS["xor"], high, high, high)
    else:  # below what may be no position at all: the limit is -1 where only negative ones are
        code.vector(FORMS["or"], high, number, number)
    code.constant(RCX, 0)

    def look() -> None:
        place = Memory(RAX, 0, RCX, width)
        if width == 4:
            code.vector(LOAD, other, 0, place)
            code.vector(FORMS["smaller.int32"], low, low, other)
            code.vector(FORMS["larger.int32"], high, high, other)
        else:  # the sign of either is set for one outside; a sum that overflows is negative
            code.vector(ADD[8], other, number, place)
            code.vector(FORMS["or"], low, low, other)
            code.vector(FORMS["subtract.int64"], other, limit, other)
            code.vector(FORMS["or"], high, high, other)

    label = code.new_label()
    code.place(label)
    look()
    code.add(RCX, lanes)
    code.compare(RCX, count - lanes + 1)
    code.jump(label, JUMP_LESS)
    if count % lanes:
        code.constant(RCX, count - lanes)
        look()
    if width == 4:
        code.vector(FORMS["greater.int32"], low, number, low)
        code.vector(FORMS["greater.int32"], high, high, limit)
    code.vector(FORMS["or"], low, low, high)
    code.vector(SIGNS[width], RAX, 0, low)
    code.compare(RAX, 0)
    code.zero_upper()
    code.jump(refused, JUMP_NOT_EQUAL)


def _look_one_by_one(code: Assembler, width: int, places: Progression, size: int, lowest: int, refused: int) -> None:
    """The same for a few positions, or for positions that are not adjacent. Overwrites RAX, RCX and RDX."""
    label, inside = code.new_label(), code.new_label()
    code.constant(RCX, places.number)
    code.place(label)
    load_position(code, RDX, Memory(RAX), width)
    code.compare(RDX, size)
    code.jump(inside, JUMP_BELOW)
    code.compare(RDX, lowest)
    code.jump(refused, JUMP_LESS)
    code.compare(RDX, 0)
    code.jump(inside, JUMP_LESS)
    code.jump(refused)
    code.place(inside)
    code.add(RAX, places.step, RDX)
    code.add(RCX, -1)
    code.jump(label, JUMP_NOT_EQUAL)


def load_position(code: Assembler, register: int, place: Memory, width: int) -> None:
    """Load a position as a 64-bit number."""
    if width == 4:
        code.load_signed(register, place)
    else:
        code.load(register, place)


def move_inside(code: Assembler, register: int, place: Place, inside: int) -> None:
    """Jump to `inside` with a position that counts from the end, or the last one for any other outside of an array."""
    if not place.last:
        code.add(register, place.size)
        code.compare(register, place.size)
        code.jump(inside, JUMP_BELOW)
    code.constant(register, place.size - 1)
    code.jump(inside)
