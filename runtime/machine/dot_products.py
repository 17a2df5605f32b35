"""Products of few rows by a transposed matrix as dot products: the terms of each sum lie side by side in both operands.

So nothing is packed. Four rows by four columns of the result are sixteen vectors of sums. Their elements are added up
in one vector, whose quarters are stored in four rows. The last rows and columns may be those of the block before, too;
of two or three rows, one is computed more than once. More than four rows are multiplied part by part of the terms,
which stays in the first-level cache for all columns.
"""

from __future__ import annotations

from .assembler import (  # isort: skip
    JUMP_EQUAL, JUMP_LESS, JUMP_NOT_EQUAL, MAP_0F3A, P66, R8, R9, R10, R11, R12, R13, RAX, RBX, RCX, RDI, RDX, RSI,
    Form, Memory,
)  # fmt: skip
from .frame_words import FrameWords
from .product_blocks import TAIL
from .turned_product import LANE, LANES, SIDE, STORE_LANE
from .wide_assembler import (
    ADD,
    EVEN_LANES,
    JUMP_GREATER,
    JUMP_GREATER_OR_EQUAL,
    JUMP_LESS_OR_EQUAL,
    LOAD,
    ODD_LANES,
    SHUFFLE_LANES,
    UNPACK_HIGH,
    UNPACK_LOW,
    WIDTH,
    WideAssembler,
    wide_instruction,
)

ROWS, COLUMNS = 16, 20  # the first registers of the operands' vectors
FREE = 24
TERMS = 384  # of a part; the last one may have twice as many
NEW = 2  # the mask register of the elements of a block that are in no block before it
ROWS_NEW, COLUMNS_NEW = FrameWords.PANEL_LEFT, FrameWords.PLACE  # which only packing uses: masks of such
INSERT_LANE = Form(P66, MAP_0F3A, 0x18)
"""Replaces 16 of the 64 bytes of a vector."""


def dot_products(code: WideAssembler, form: Form) -> None:
    """Write the result of one product, four columns after the other; `form` adds products."""
    at, parts, columns = FrameWords.at, code.new_label(), code.new_label()
    _rows_apart(code, R8, R9, FrameWords.A_ROWS)
    code.load(R10, at(FrameWords.B_COLUMNS))
    code.address(R11, Memory(R10, 0, R10, 2))
    code.store_number(at(FrameWords.DEPTH), 0)
    code.place(parts)
    _next_part(code)
    code.load(R12, at(FrameWords.DEPTH))
    code.multiply(R12, R12, WIDTH // LANES)
    code.add_register(R12, at(FrameWords.B))
    code.load(R13, at(FrameWords.C))
    code.load(RAX, at(FrameWords.N))
    code.store(at(FrameWords.COLUMNS_LEFT), RAX)
    code.store_number(at(COLUMNS_NEW), -1)
    code.place(columns)
    _rows(code, form)
    _next(code, columns, FrameWords.COLUMNS_LEFT, ((R12, FrameWords.B_COLUMNS), (R13, FrameWords.COLUMN_STEP)))
    code.load(RAX, at(FrameWords.DEPTH))
    code.add_register(RAX, at(FrameWords.DEPTHS))
    code.store(at(FrameWords.DEPTH), RAX)
    code.compare_registers(RAX, at(FrameWords.K))
    code.jump(parts, JUMP_LESS)


def _next_part(code: WideAssembler) -> None:
    """Set the word DEPTHS to the terms of the next part, and the mask of the last ones."""
    at, whole = FrameWords.at, code.new_label()
    code.load(RCX, at(FrameWords.K))
    code.subtract_register(RCX, at(FrameWords.DEPTH))
    code.compare(at(FrameWords.M), SIDE)
    code.jump(whole, JUMP_LESS_OR_EQUAL)
    code.compare(RCX, 2 * TERMS)
    code.jump(whole, JUMP_LESS_OR_EQUAL)
    code.constant(RCX, TERMS)
    code.place(whole)
    code.store(at(FrameWords.DEPTHS), RCX)
    code.bit_and(RCX, LANES - 1)
    code.constant(RAX, 1)
    code.shift_left_by_rcx(RAX)
    code.add(RAX, -1)
    code.set_mask(TAIL, RAX)


def _rows_apart(code: WideAssembler, step: int, thrice: int, word: int) -> None:
    """Load the distances of the second and the fourth of four rows from the first. Of three rows the last one is the
    fourth, too; of two rows the first one is also the second and the third."""
    ready, rows = code.new_label(), FrameWords.at(FrameWords.M)
    code.load(step, FrameWords.at(word))
    code.address(thrice, Memory(step, 0, step, 2))
    code.compare(rows, SIDE)
    code.jump(ready, JUMP_GREATER_OR_EQUAL)
    code.address(thrice, Memory(step, 0, step))
    code.compare(rows, 3)
    code.jump(ready, JUMP_EQUAL)
    code.load(thrice, step)
    code.constant(step, 0)
    code.place(ready)


def _next(code: WideAssembler, again: int, word: int, moved: tuple[tuple[int, int], ...]) -> None:
    """Go on by four rows or columns, or by fewer to the last four; jump unless these are done."""
    at, whole, done = FrameWords.at, code.new_label(), code.new_label()
    code.load(RCX, at(word))
    code.add(RCX, -SIDE)
    code.jump(done, JUMP_LESS_OR_EQUAL)
    code.store(at(word), RCX)
    code.compare(RCX, SIDE)
    code.jump(whole, JUMP_GREATER)
    code.store_number(at(word), SIDE)
    code.jump(whole, JUMP_EQUAL)
    code.add(RCX, -SIDE)
    for register, distance in moved:
        code.load(RAX, at(distance))
        code.multiply_registers(RAX, RCX)
        code.add_register(register, RAX)
    _leave_old(code, word == FrameWords.ROWS_LEFT)
    code.place(whole)
    for register, distance in moved:
        code.load(RAX, at(distance))
        code.address(register, Memory(register, 0, RAX, SIDE))
    code.jump(again)
    code.place(done)


def _leave_old(code: WideAssembler, rows: bool) -> None:
    """Set the mask of the last four rows, or columns, without those that the block before has, too: -RCX of them."""
    code.multiply(RCX, RCX, -SIDE if rows else -1)
    code.constant(RAX, (1 << LANES if rows else 1 << SIDE) - 1)
    code.shift_left_by_rcx(RAX)
    if not rows:
        code.bit_and(RAX, (1 << SIDE) - 1)
        code.multiply(RAX, RAX, 0x1111)
    code.store(FrameWords.at(ROWS_NEW if rows else COLUMNS_NEW), RAX)


def _rows(code: WideAssembler, form: Form) -> None:
    """Four columns of the result, from R13 on; R12 is where they begin in `b`."""
    at, rows, again, added = FrameWords.at, *(code.new_label() for _ in range(3))
    code.load(RBX, at(FrameWords.DEPTH))
    code.multiply(RBX, RBX, WIDTH // LANES)
    code.add_register(RBX, at(FrameWords.A))
    code.load(RDX, R13)
    code.load(RAX, at(FrameWords.M))
    code.store(at(FrameWords.ROWS_LEFT), RAX)
    code.store_number(at(ROWS_NEW), -1)
    code.place(rows)
    code.store(at(FrameWords.C_ROW), RDX)
    for register in range(SIDE * SIDE):
        code.clear(register)
    code.load(RDI, RBX)
    code.load(RSI, R12)
    code.address(RDX, Memory(RSI, 0, R10, SIDE))
    code.load(RCX, at(FrameWords.DEPTHS))
    code.shift_right(RCX, 4)
    code.place(again)
    _add_products(code, form, 0)
    for row in range(SIDE):
        code.prefetch(_row(RDX, R10, R11, row))
    for register in (RDI, RSI, RDX):
        code.add(register, WIDTH)
    code.decrement(RCX)
    code.jump(again, JUMP_NOT_EQUAL)
    code.load(RAX, at(FrameWords.DEPTHS))
    code.bit_and(RAX, LANES - 1)
    code.compare(RAX, 0)
    code.jump(added, JUMP_EQUAL)
    _add_products(code, form, TAIL)
    code.place(added)
    total = _add_up(code)
    code.load(RDX, at(FrameWords.C_ROW))
    _rows_apart(code, RSI, RDI, FrameWords.C_ROWS)
    _add_earlier(code, total)
    for lane in range(SIDE):
        place = _row(RDX, RSI, RDI, lane)
        code.append(wide_instruction(STORE_LANE, total, 0, place, spread=LANE), bytes((lane,)))
    _next(code, rows, FrameWords.ROWS_LEFT, ((RBX, FrameWords.A_ROWS), (RDX, FrameWords.C_ROWS)))


def _add_earlier(code: WideAssembler, total: int) -> None:
    """Add the sums of the parts before, unless there are none: once only, where blocks have rows or columns in common.
    RDX is the address of a block of the result."""
    at, first = FrameWords.at, code.new_label()
    code.compare(at(FrameWords.DEPTH), 0)
    code.jump(first, JUMP_EQUAL)
    code.load(RAX, at(ROWS_NEW))
    code.and_word(RAX, at(COLUMNS_NEW))
    code.set_mask(NEW, RAX)
    for lane in range(SIDE):
        code.wide(INSERT_LANE, FREE, FREE, _row(RDX, RSI, RDI, lane), spread=LANE, immediate=lane)
    code.wide(ADD[4], FREE, FREE, total, mask=NEW, keep=True)
    code.wide(LOAD[4], total, 0, FREE)
    code.place(first)


def _row(base: int, step: int, thrice: int, row: int) -> Memory:
    return Memory(base, 0, (None, step, step, thrice)[row], (1, 1, 2, 1)[row])


def _add_products(code: WideAssembler, form: Form, mask: int) -> None:
    """Multiply vectors of four rows of both operands with each other."""
    for column in range(SIDE):
        code.wide(LOAD[4], COLUMNS + column, 0, _row(RSI, R10, R11, column), mask=mask)
    for row in range(SIDE):
        code.wide(LOAD[4], ROWS + row, 0, _row(RDI, R8, R9, row), mask=mask)
        for column in range(SIDE):
            code.wide(form, row * SIDE + column, ROWS + row, COLUMNS + column)


def _add_up(code: WideAssembler) -> int:
    """Add up the elements of all sums: the register that has them, a row in each quarter."""
    sums = list(range(SIDE * SIDE))
    for low, high, last in (
        ((UNPACK_LOW[4], None), (UNPACK_HIGH[4], None), 8),
        ((UNPACK_LOW[8], None), (UNPACK_HIGH[8], None), 4),
        ((SHUFFLE_LANES, EVEN_LANES), (SHUFFLE_LANES, ODD_LANES), 2),
        ((SHUFFLE_LANES, EVEN_LANES), (SHUFFLE_LANES, ODD_LANES), 1),
    ):
        for position in range(last):
            one, other = sums[2 * position], sums[2 * position + 1]
            free = FREE + position % 4 * 2
            for register, (form, immediate) in ((free, low), (free + 1, high)):
                code.wide(form, register, one, other, immediate=immediate)
            code.wide(ADD[4], one, free, free + 1)
        sums = sums[::2]
    return sums[0]
