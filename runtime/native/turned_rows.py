"""Inputs whose rows, not columns, are neighbours in memory, as those of a transpose: squares of some rows change rows
and columns in registers, and go to a buffer in the cache, from which the kernel reads columns side by side.

    over 64 512
    in x float32[512,64] 4 256              in x float32[512,64] 2112 4, in the buffer
    in y float32[64,512] 2048 4

So a transpose costs no pass over memory of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..machine.assembler import (
    JUMP_EQUAL,
    JUMP_NOT_EQUAL,
    R8,
    R9,
    R10,
    R11,
    RAX,
    RCX,
    RDI,
    RDX,
    RSI,
    Assembler,
    Memory,
)
from ..machine.wide_assembler import JUMP_GREATER, LOAD, STORE, WideAssembler
from .allocate import Frame
from .boundary import POINTERS, Words
from .language import NEAR, SIZES, Array, Kernel
from .stages import WIDEST, row_bytes, width_of

LEAST = 1 << 10  # elements of a row and column together from which on squares pay
AHEAD = 256  # bytes of a row of memory that are read together, if the buffer has room
ROOM = 1 << 18  # bytes of all buffers, if they can be so small
MOST_ROOM = 1 << 20
MOST_TURNED = 4  # inputs of a kernel


def turned_inputs(kernel: Kernel) -> tuple[Array, ...]:
    """The inputs that are read from buffers."""
    if len(kernel.extents) < 2 or kernel.until:
        return ()
    *_, rows, columns = kernel.extents
    found = [array for array in kernel.arrays if array.role == "in" and not array.at and not array.bounds]
    found = [array for array in found if _lies_turned(array) and rows > 1]
    if not found or rows * columns < LEAST or len(found) > MOST_TURNED:
        return ()
    width = width_of(kernel)
    if min(rows, columns) * width < WIDEST or any(SIZES[array.dtype] != width for array in found):
        return ()
    return tuple(found) if _pitch(kernel) * len(found) * WIDEST // width <= MOST_ROOM else ()


def _lies_turned(array: Array) -> bool:
    size = SIZES[array.dtype]  # strides but the last may be symbolic sizes, each comparison of which counts
    return size > 2 and array.strides[-1] > NEAR * size and array.strides[-2:-1] == (size,)


def _pitch(kernel: Kernel) -> int:
    """The bytes from row to row of a buffer: never a power of two, which caches have few places for."""
    return row_bytes(kernel, width_of(kernel))


def rows_in_buffer(kernel: Kernel, count: int, lanes: int) -> int:
    """The rows of each of so many buffers: whole squares."""
    most = min(AHEAD // width_of(kernel), ROOM // (_pitch(kernel) * count), kernel.extents[-2])
    return max(most // lanes, 1) * lanes


def buffer_bytes(kernel: Kernel, lanes: int = 0) -> int:
    """The bytes of all buffers of a kernel. `lanes`: of its vectors; by default of the longest."""
    count = len(turned_inputs(kernel))
    lanes = lanes or WIDEST // width_of(kernel)
    return rows_in_buffer(kernel, count, lanes) * _pitch(kernel) * count if count else 0


def with_near(kernel: Kernel) -> Kernel:
    """The kernel with these inputs as they are in buffers."""
    turned = turned_inputs(kernel)
    if not turned:
        return kernel

    def near(array: Array) -> Array:
        strides = (*array.strides[:-2], _pitch(kernel), SIZES[array.dtype])
        return array._replace(strides=strides) if array in turned else array

    return replace(kernel, arrays=tuple(map(near, kernel.arrays)))


class TurnedRows:
    """Writes what fills the buffers of a kernel, as its text has it.

    Attributes:
        sources: for each input that has one the memory for the address of its current row.
        pitch: the bytes from row to row of a buffer.
    """

    def __init__(self, kernel: Kernel, code: Assembler, frame: Frame, words: Words) -> None:
        self.kernel = kernel
        self.code = code
        self.frame = frame
        self.words = words
        self.turned = turned_inputs(kernel)
        self.pitch = _pitch(kernel)
        self.size = width_of(kernel)
        self.lanes = frame.vector // self.size
        self.rows = rows_in_buffer(kernel, len(self.turned), self.lanes)
        self.slots = [frame.new() for _ in range(len(self.turned) + 2)]

    def begin(self, pointer: Callable[[Array], int]) -> None:
        """Keep the pointers to the first rows."""
        code, kernel, words = self.code, self.kernel, self.words
        *slots, self.waiting, self.left = map(self.frame.memory, self.slots)
        self.sources = {array.name: slot for array, slot in zip(self.turned, slots, strict=True)}
        for array in self.turned:
            code.store(self.sources[array.name], pointer(array))
        code.store_number(self.waiting, 1)  # the rows in the buffers that are not read yet, and one
        self.counter = words.at(words.counters + len(kernel.extents) - 2)
        self.shared = kernel.pieces > 0 and len(kernel.extents) == 2
        if self.shared:  # the counter is that of a piece; rows behind it may be read, too
            code.constant(RAX, kernel.extents[0])
            code.subtract_register(RAX, words.at(words.first_row))
            code.store(self.left, RAX)

    def fill(self, start: int) -> None:
        """Before a row: fill the buffers, if all their rows are read. `start`: where they are in the frame."""
        code, arrays, filled = self.code, self.kernel.arrays, self.code.new_label()
        code.add(self.waiting, -1)
        code.jump(filled, JUMP_NOT_EQUAL)
        for position, register in enumerate(POINTERS[: len(arrays)]):
            code.store(self.words.at(position), register)
        code.load(RCX, self.counter)
        code.constant(RAX, self.rows)
        code.compare_registers(RCX, RAX)
        code.move_if_above(RCX, RAX)
        code.store(self.waiting, RCX)
        code.add(RCX, self.lanes - 1)
        code.bit_and(RCX, -self.lanes)
        # The last squares begin where they end with the input: so many rows before the current one.
        code.load(RAX, self.left if self.shared else self.counter)
        code.compare_registers(RAX, RCX)
        code.move_if_above(RAX, RCX)
        code.load(RDX, RCX)
        code.subtract_register(RDX, RAX)
        if self.shared:
            code.add(self.left, -self.rows)
        for number, array in enumerate(self.turned):
            self._turn(array, start + number * self.rows * self.pitch)
        for position, register in enumerate(POINTERS[: len(arrays)]):
            code.load(register, self.words.at(position))
        code.place(filled)

    def _turn(self, array: Array, start: int) -> None:
        """Fill the buffer of an input with the RCX rows that begin RDX before the current one, and set its pointer."""
        code, step, lanes = self.code, array.strides[-1], self.lanes
        column, square, done = (code.new_label() for _ in range(3))
        whole, rest = divmod(self.kernel.extents[-1], lanes)
        code.load(RSI, self.sources[array.name])
        code.multiply(RAX, RDX, self.size)
        code.subtract_register(RSI, RAX)
        code.address(RDI, Memory(self.frame.base, start))
        code.multiply(RAX, RDX, self.pitch)
        code.add_register(RAX, RDI)
        code.store(self.words.at(self.kernel.arrays.index(array)), RAX)
        code.constant(R8, step)
        code.constant(R9, self.pitch)
        code.constant(R11, whole + (rest > 0))
        code.place(column)
        code.load(R10, RCX)
        code.place(square)
        code.paste(self._square(), done)
        code.add(RSI, self.frame.vector)
        code.add(RDI, lanes * self.pitch)
        code.add(R10, -lanes)
        code.jump(square, JUMP_GREATER)
        for register, distance in ((RSI, self.size), (RDI, self.pitch)):
            code.multiply(RAX, RCX, distance)
            code.subtract_register(register, RAX)
        code.add(R11, -1)
        code.jump(done, JUMP_EQUAL)
        code.add(RSI, lanes * step)
        code.add(RDI, self.frame.vector)
        if rest:  # the last columns begin before those before them end
            code.compare(R11, 1)
            code.jump(column, JUMP_NOT_EQUAL)
            code.add(RSI, (rest - lanes) * step)
            code.add(RDI, (rest - lanes) * self.size)
        code.jump(column)
        code.place(done)

    def _square(self) -> Assembler:
        """Copy a square, with rows and columns exchanged, from RSI to RDI."""
        from ..machine.narrow_assembler import NarrowAssembler  # which few kernels need
        from ..machine.product_blocks import exchanged

        size, code = self.size, WideAssembler() if self.frame.vector == WIDEST else NarrowAssembler()
        code.load(RAX, RSI)
        for row in range(self.lanes):
            code.wide(LOAD[size], row, 0, Memory(RAX))
            code.add_register(RAX, R8)
        code.load(RAX, RDI)
        for register in exchanged(code, size):
            code.wide(STORE[size], register, 0, Memory(RAX))
            code.add_register(RAX, R9)
        return code
