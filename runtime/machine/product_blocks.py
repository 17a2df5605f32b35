"""The inner parts of matrix products in machine code: blocks of the result, and packing of the second operand.

A block is up to 8 rows by 3 vectors of columns of the result. It stays in registers while all its products are added.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from .assembler import (
    JUMP_NOT_EQUAL,
    R8,
    R9,
    R10,
    R11,
    R12,
    R13,
    R14,
    R15,
    RAX,
    RBX,
    RCX,
    RDI,
    RDX,
    RSI,
    Form,
    Memory,
)
from .wide_assembler import (
    ADD,
    BROADCAST,
    JUMP_LESS_OR_EQUAL,
    LOAD,
    STORE,
    UNPACK_HIGH,
    UNPACK_LOW,
    WIDTH,
    WideAssembler,
    wide_instruction,
)

ROWS = (8, 4, 2, 1)
"""The numbers of rows that blocks have."""
MOST_VECTORS = 3
FACTORS = 24  # the first register of the second operand's vectors; below are the sums
SPREAD = 27  # the first of the registers for elements of the first operand
BELOW = 8
"""The number of rows further down in a panel that are prefetched: they are in the second-level cache, and read soon."""
TAIL = 1
"""The mask register of the columns that the result has of a block's last vector."""

# The registers of a block: addresses of its first elements, and distances in bytes.
FIRST, SECOND, RESULT = RDI, RSI, RDX
FIRST_ROWS = (R8, R9, R10, R11)
RESULT_ROWS = (R12, R13, R14, R15)
ROW_STEPS = ((None, 1), (0, 1), (0, 2), (1, 1), (0, 4), (2, 1), (1, 2), (3, 1))
"""The distance of a row from the first one: which of four such registers, and a factor."""
FIRST_STEP, SECOND_STEP, DEPTH = RAX, RBX, RCX


def row_address(base: int, steps: tuple[int, int, int, int], row: int, offset: int = 0) -> Memory:
    """The memory of a row: `steps` are registers with 1, 3, 5 and 7 times the distance of two rows."""
    step, scale = ROW_STEPS[row]
    return Memory(base, offset, None if step is None else steps[step], scale)


def load_steps(code: WideAssembler, steps: tuple[int, int, int, int], distance: Memory) -> None:
    """Load the registers of `row_address` for rows at this distance, a word of memory."""
    one, three, five, seven = steps
    code.load(one, distance)
    code.address(three, Memory(one, 0, one, 2))
    code.address(five, Memory(one, 0, one, 4))
    code.address(seven, Memory(three, 0, one, 4))


BlockRow = tuple[bytes | bytearray, bytes | bytearray, bytes | bytearray]
"""The code for one row of a block: what adds the result to the sums, what adds a product to each, and what stores
them."""


def block_rows(size: int, vectors: int, form: Form, half: bool = False) -> list[BlockRow]:
    """The code for each row of a block with this number of vectors. A block of fewer rows takes the first ones.

    `size`: the bytes of an element. `form`: the instruction that adds a product, or subtracts it. `half`: half of the
    last vector has all its columns; some processors take half the time for it.
    """
    return [_block_row(size, vectors, row, form, half) for row in range(ROWS[0])]


def _block_row(size: int, vectors: int, row: int, form: Form, half: bool) -> BlockRow:
    earlier, stores = bytearray(), bytearray()
    sums = range(row * MOST_VECTORS, row * MOST_VECTORS + vectors)
    for vector, register in enumerate(sums):
        place = row_address(RESULT, RESULT_ROWS, row, vector * WIDTH)
        last = vector == vectors - 1
        earlier += wide_instruction(ADD[size], register, register, place, TAIL if last else 0)
        stores += wide_instruction(STORE[size], register, 0, place, TAIL if last else 0)
    place = row_address(FIRST, FIRST_ROWS, row)
    if vectors == 1:
        return earlier, wide_instruction(form, sums[0], FACTORS, place, spread=size, half=half), stores
    element = SPREAD + row % (32 - SPREAD)
    adds = bytearray(wide_instruction(BROADCAST[size], element, 0, place, spread=size))
    for vector, register in enumerate(sums):
        adds += wide_instruction(form, register, FACTORS + vector, element, half=half and vector == vectors - 1)
    return earlier, adds, stores


def add_block(code: WideAssembler, size: int, vectors: int, rows: Sequence[BlockRow]) -> None:
    """Add the products of some rows of the first operand and some vectors of columns of the second to the result.

    The registers above say where they are. All vectors are whole, as the mask TAIL says. The products are added up
    first, as they are often smaller than the result: each sum is rounded.
    """
    for row in range(len(rows)):
        for vector in range(vectors):
            code.clear(row * MOST_VECTORS + vector)
    add_products(code, size, vectors, rows, ahead=False, masked=False)
    code.append(*(earlier + stores for earlier, _, stores in rows))


def add_products(
    code: WideAssembler, size: int, vectors: int, rows: Sequence[BlockRow], half: bool = False, packs: bool = False,
    ahead: bool = True, early: Memory | None = None, copies: bool = False, masked: bool = True,
) -> None:  # fmt: skip
    """The loop over the terms of a block's sums, which are in registers. `size`: the bytes of an element.

    `ahead`: prefetch vectors of the second operand that are read later, at the distance in RESULT; its rows are too far
    apart for a processor to foresee that. And for the next rows of the first one, which are far apart too if it is
    transposed. `half`: as of `block_rows`. `packs`: copy the second operand's vectors to RESULT, one row behind the
    other. `copies`: the same of the elements of the first one. `early`: the distance of what is prefetched early, from
    RESULT on. With any of these three, rows below are prefetched. `masked`: whether the last vector may have fewer
    columns, as the mask TAIL says; a load with a mask takes one of the two units that multiply.
    """
    again = code.new_label()
    code.place(again)
    begins, ends = _around_rows(size, vectors, half, packs, ahead, early, len(rows) if copies else 0, masked)
    code.append(begins, *(adds for _, adds, _ in rows), ends)
    code.jump(again, JUMP_NOT_EQUAL)


@cache
def _around_rows(
    size: int, vectors: int, half: bool, packs: bool, ahead: bool, early: Memory | None, copies: int, masked: bool
) -> tuple[bytearray, bytearray]:
    """What stands before and behind the rows in the loop of `add_products`; `copies`: so many elements are copied.
    Blocks of all numbers of rows have the same."""
    begins, ends = WideAssembler(), WideAssembler()
    for vector in range(vectors):
        last = vector == vectors - 1
        place = Memory(SECOND, vector * WIDTH)
        begins.wide(LOAD[size], FACTORS + vector, 0, place, mask=TAIL if last and masked else 0, half=half and last)
    if ahead and (vectors > 1 or packs):  # a single vector is the last one of its rows
        begins.prefetch(Memory(FIRST, WIDTH))
        for vector in range(vectors):
            below = packs or copies or early is not None
            begins.prefetch(Memory(SECOND, vector * WIDTH, *((SECOND_STEP, BELOW) if below else (RESULT, 1))))
    if early is not None:
        begins.prefetch(Memory(RESULT), level=2)
        begins.add_register(RESULT, early)
    if packs:
        for vector in range(vectors):
            begins.wide(STORE[size], FACTORS + vector, 0, Memory(RESULT, vector * WIDTH))
        begins.add(RESULT, vectors * WIDTH)
    if copies:
        ends.wide(LOAD[size], SPREAD, 0, Memory(FIRST), half=size == 4)
        ends.wide(STORE[size], SPREAD, 0, Memory(RESULT), half=size == 4)
        ends.add(RESULT, copies * size)
    ends.add_register(FIRST, FIRST_STEP)
    ends.add_register(SECOND, SECOND_STEP)
    ends.decrement(DEPTH)
    return begins.code, ends.code


@cache
def beginnings(vectors: int) -> list[tuple[bytearray, bytearray]]:
    """For each row of a block: what sets its sums to zero, and what prefetches the lines of the result."""
    found = []
    for row in range(ROWS[0]):
        zeros, lines = WideAssembler(), WideAssembler()
        for vector in range(vectors):
            zeros.clear(row * MOST_VECTORS + vector)
            lines.prefetch(row_address(RESULT, RESULT_ROWS, row, vector * WIDTH), written=True)
        found.append((zeros.code, lines.code))
    return found


def pack_columns(code: WideAssembler, size: int, mask: int = 0, ahead: int | None = None) -> None:
    """Copy a square of elements and exchange its rows and columns, which begin at RSI and RDI.

    RBX and RDX are the distances of rows, there and here; R8 and R9 the numbers of rows there and here, at most those
    of a vector's elements. The mask has R9 columns. What lies beyond R8 rows becomes zero; or it is not written, if
    there is another `mask` of R8 columns. Overwrites RAX, R8 and R9. From the address in the register `ahead` on,
    memory is prefetched that is read soon.
    """
    lanes = WIDTH // size
    loaded, stored = code.new_label(), code.new_label()
    for row in range(lanes):
        code.clear(row)
    code.load(RAX, RSI)
    for row in range(lanes):
        code.wide(LOAD[size], row, 0, Memory(RAX), mask=TAIL)
        if ahead is not None:
            code.prefetch(Memory(ahead, row * WIDTH))
        code.add_register(RAX, RBX)
        code.decrement(R8)
        code.jump(loaded, JUMP_LESS_OR_EQUAL)
    code.place(loaded)
    code.load(RAX, RDI)
    for register in exchanged(code, size):
        code.wide(STORE[size], register, 0, Memory(RAX), mask=mask)
        code.add_register(RAX, RDX)
        code.decrement(R9)
        code.jump(stored, JUMP_LESS_OR_EQUAL)
    code.place(stored)


def exchanged(code: WideAssembler, size: int) -> list[int]:
    """Exchange rows and columns in registers; the registers of the columns."""
    lanes, free_from = code.width // size, code.registers // 2
    values, free = list(range(lanes)), list(range(free_from, free_from + lanes))

    def step(pairs: list[tuple[int, int]], low: tuple[Form, int | None], high: tuple[Form, int | None]) -> None:
        """Replace values at each pair of positions by two mixtures of both."""
        nonlocal values, free
        made = list(free)
        for first, second in pairs:
            for target, (form, immediate) in ((first, low), (second, high)):
                code.wide(form, made[target], values[first], values[second], immediate=immediate)
        values, free = made, values

    def pairs(distance: int) -> list[tuple[int, int]]:
        return [(i, i + distance) for i in range(lanes) if not i & distance]

    if size == 4:
        step(pairs(1), (UNPACK_LOW[4], None), (UNPACK_HIGH[4], None))
    step(pairs(2 if size == 4 else 1), (UNPACK_LOW[8], None), (UNPACK_HIGH[8], None))
    for distance in (lanes // 4, lanes // 2) if code.width == WIDTH else (lanes // 2,):
        step(pairs(distance), *code.half_mixtures)
    return [values[_position(column, size)] for column in range(lanes)]


def _position(column: int, size: int) -> int:
    """Where the steps above leave a column."""
    return column if size == 8 else column & ~3 | column >> 1 & 1 | column << 1 & 2
