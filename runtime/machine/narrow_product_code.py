"""Matrix products, as in `product_code.py`, on the 16 registers of AVX2: blocks of up to 6 rows by 2 vectors.

There are no masks. If the columns do not fill the last vector of a group, this vector begins earlier, and has columns
of the one before it in the same block, too. Both compute the same sums of these, and write the same numbers. So a group
has at least as many columns as a vector; products with fewer are refused.
"""

from __future__ import annotations

from collections.abc import Callable

from .assembler import (
    JUMP_EQUAL,
    JUMP_LESS,
    JUMP_NOT_EQUAL,
    R8,
    R9,
    R10,
    R11,
    R15,
    RAX,
    RBX,
    RCX,
    RDI,
    RDX,
    RSI,
    Memory,
)
from .frame_words import FrameWords
from .narrow_assembler import NarrowAssembler
from .packing_choice import ProductParts
from .product_blocks import (
    DEPTH,
    FIRST,
    FIRST_ROWS,
    FIRST_STEP,
    RESULT,
    RESULT_ROWS,
    SECOND,
    SECOND_STEP,
    exchanged,
    row_address,
)
from .product_boundary import ProductBoundary
from .product_code import ProductCode
from .sizes import FEWEST_COLUMNS, LEADING, MOST_TURNED, NARROW
from .wide_assembler import (
    ADD,
    BROADCAST,
    JUMP_GREATER,
    JUMP_GREATER_OR_EQUAL,
    JUMP_LESS_OR_EQUAL,
    LOAD,
    MULTIPLY_ADD,
    STORE,
)

VECTORS = 2  # of a block
FACTORS, SPREAD = 12, (14, 15)  # registers of vectors of the second operand, and of elements of the first one
PARTS = {4: ProductParts(256, 36 * NARROW), 8: ProductParts(192, 48 * NARROW)}
"""Rows of `b` that a part has at most, and bytes of such a row, by the bytes of an element: 295 kB in all."""
FAR_NBYTES, FAR_COLUMNS, FAR_DEPTH, APART_DEPTH, FAR_PARTS = 1 << 19, 1 << 15, 16, 8, 256
"""Few rows of `a` read a `b` of more bytes than a second-level cache has in parts of so many bytes of so many rows, of
fewer if these are pages apart: these are read side by side, which a processor foresees. 4x768 by 768x3072 reads 28 GB/s
so, and 15 in parts of 192 rows. A sum has so many parts at most, for they are added one after the other."""
PAGE = 4096
UNPACKED_ROWS, UNPACKED_NBYTES, UNPACKED_ROWS_OF_LARGE = 24, 1 << 16, 11
"""A product of at most this number of rows reads the second operand where it is; if that has more bytes, or rows that
are pages apart, of fewer rows."""
PACKED_NBYTES = 96
"""Bytes of a column of `a` that are packed together: those of two blocks of six elements of eight bytes, or of four
blocks of six of four. Fewer would read lines of the cache twice."""
PACKED_PLACES = {24: (0, 8), 48: (0, 16, 32)}
"""Where halves of vectors begin in a block's column, by its bytes: nothing is read behind it."""
FEWEST_VECTORS, FEWEST_DEPTHS = 5, 120
"""Columns of `a` are packed if there are so many, for so many vectors of columns of the result."""
APART, APART_VECTORS, FEWEST_APART = 1024, 16, 16
"""So are fewer, for more vectors, if they are a multiple of so many bytes apart: then they share four sets of the
first-level cache. 64x512 transposed by 64x512 runs at 90 GF/s so, and at 81 where it is."""
NEXT_FIRST = FrameWords.COLUMNS_LEFT
"""The word with the address of the next rows of `a` if they are packed, or 0. Only packing of `b` uses it otherwise."""
COLUMNS_AHEAD = 32
"""How many columns before it is packed a column of `a` is prefetched."""
LAST_ROWS = 130
"""The next part of `b` is prefetched by blocks of the last rows of `a`: it would leave the cache before."""
LARGE_RESULT = 1 << 18
"""Lines of a result of at least so many bytes are prefetched: they are not in the second-level cache."""
ASKS_RESULT = FrameWords.LATER
"""The word that tells it. Only turned products use it otherwise."""
FEWEST_ASKED, LINE = 32, 64
"""Elements of rows of `a` that are prefetched before they are read; bytes that are read at once."""
PLACE_OF_LAST = FrameWords.TAIL_MASK
"""The word with the bytes from the first vector of the last panel to the second one."""
SECOND_OFFSET, SECOND_RESULT = R15, R11
"""Registers: the bytes from a row's first vector to the second one, and where the second one's results are."""
assert FIRST_ROWS[3] == R11  # seven times the distance of rows: blocks have fewer
assert RESULT_ROWS[3] == R15


class NarrowProductBoundary(ProductBoundary):
    """Entry and exits, which refuse products with few columns."""

    panel = VECTORS * NARROW
    reads_rows = False

    def _leave_unpacked(self, chosen: int) -> None:
        """Rows that are so many pages apart share a few places of the first-level cache: 64 by 256 by 1024 runs at 56
        GF/s where they are, and at 89 packed. Rows of a large operand come from the third-level cache, once instead of
        for each few rows of `a`: 64 by 192 by 768 runs at 52 GF/s, and at 70 packed."""
        code, at = self.code, FrameWords.at
        large = code.new_label()
        code.compare(at(FrameWords.M), UNPACKED_ROWS_OF_LARGE)
        code.jump(chosen, JUMP_LESS_OR_EQUAL)
        code.load(RAX, at(FrameWords.B_ROWS))
        code.bit_and(RAX, PAGE - 1)
        code.jump(large, JUMP_EQUAL)
        code.load(RAX, at(FrameWords.K))
        code.multiply_registers(RAX, at(FrameWords.N))
        code.compare(RAX, UNPACKED_NBYTES // self.size)
        code.jump(large, JUMP_GREATER)
        code.compare(at(FrameWords.M), UNPACKED_ROWS)
        code.jump(chosen, JUMP_LESS_OR_EQUAL)
        code.place(large)

    def _divide_by_rows(self) -> None:
        """Choose the parts of a large `b` that a few rows of `a` use: R8 rows, R9 columns."""
        code, at = self.code, FrameWords.at
        others, near, deep = (code.new_label() for _ in range(3))
        code.compare(at(FrameWords.PACKING), 0)
        code.jump(others, JUMP_NOT_EQUAL)
        code.compare(at(FrameWords.M), UNPACKED_ROWS_OF_LARGE)
        code.jump(others, JUMP_GREATER)
        code.load(RAX, at(FrameWords.K))
        code.multiply_registers(RAX, at(FrameWords.N))
        code.compare(RAX, FAR_NBYTES // self.size)
        code.jump(others, JUMP_LESS_OR_EQUAL)
        code.constant(RCX, FAR_DEPTH)
        code.load(RAX, at(FrameWords.B_ROWS))
        code.bit_and(RAX, PAGE - 1)
        code.jump(near, JUMP_NOT_EQUAL)
        code.constant(RCX, APART_DEPTH)
        code.place(near)
        code.load(RAX, at(FrameWords.K))
        code.add(RAX, FAR_PARTS - 1)
        code.shift_right(RAX, FAR_PARTS.bit_length() - 1)
        code.compare_registers(RAX, RCX)
        code.jump(deep, JUMP_GREATER)
        code.load(RAX, RCX)
        code.place(deep)
        code.compare_registers(RAX, R8)
        code.jump(others, JUMP_GREATER)
        code.load(R8, RAX)
        code.constant(R9, FAR_COLUMNS // self.size)
        code.place(others)

    def _find_steps(self) -> None:
        """Set the distance of columns of the result, and whether its lines are prefetched."""
        super()._find_steps()
        code, at, small = self.code, FrameWords.at, self.code.new_label()
        code.store_number(at(ASKS_RESULT), 0)
        code.load(RAX, at(FrameWords.M))
        code.multiply_registers(RAX, at(FrameWords.N))
        code.compare(RAX, LARGE_RESULT // self.size)
        code.jump(small, JUMP_LESS)
        code.store_number(at(ASKS_RESULT), 1)
        code.place(small)

    def _leave_vectors(self) -> None:
        super()._leave_vectors()
        code, straight = self.code, self.code.new_label()
        columns = FEWEST_COLUMNS[self.size]
        code.compare(FrameWords.at(FrameWords.N), columns)
        self._refuse(JUMP_LESS)
        code.compare(FrameWords.at(FrameWords.B_COLUMNS), self.size)
        code.jump(straight, JUMP_EQUAL)
        code.compare(FrameWords.at(FrameWords.K), columns)
        self._refuse(JUMP_LESS)
        code.compare(FrameWords.at(FrameWords.K), MOST_TURNED)
        self._refuse(JUMP_GREATER)
        code.place(straight)


class NarrowProductCode(ProductCode):
    """Writes the code of the function for one dtype."""

    assembler = NarrowAssembler
    rows = (6, 5, 4, 3, 2, 1)
    most_vectors = VECTORS
    # The last panel has two vectors, unless there is only one: then they fill it.
    panels = ((3, JUMP_EQUAL, 1), (1, JUMP_EQUAL, 1), (0, JUMP_GREATER, 2))

    def make_boundary(self) -> ProductBoundary:
        """Entry and exit."""
        return NarrowProductBoundary(self.code, self.dtype, PARTS[self.size], PACKED_NBYTES, self.threads)

    def _group_of_columns(self) -> None:
        """Set the number of columns of a group, their vectors, and the place of the last one.

        If fewer columns than a vector has would be left, the group leaves it some of its own.
        """
        code, at = self.code, FrameWords.at
        enough = code.new_label()
        self._smaller(FrameWords.COLUMNS, FrameWords.N, FrameWords.COLUMN, FrameWords.MOST_COLUMNS)
        code.load(RCX, at(FrameWords.N))
        code.subtract_register(RCX, at(FrameWords.COLUMN))
        code.subtract_register(RCX, RAX)
        code.compare(RCX, 0)
        code.jump(enough, JUMP_EQUAL)
        code.compare(RCX, self.lanes)
        code.jump(enough, JUMP_GREATER_OR_EQUAL)
        code.add(RAX, -self.lanes)
        code.store(at(FrameWords.COLUMNS), RAX)
        code.place(enough)
        code.add(RAX, self.lanes - 1)
        code.constant(RDX, 0)
        code.constant(RCX, self.lanes)
        code.divide_by(RCX)
        code.store(at(FrameWords.VECTORS), RAX)
        code.add(RDX, 1)  # the columns of the last vector
        code.multiply(RDX, RDX, self.size)
        code.store(at(PLACE_OF_LAST), RDX)

    def _mask(self, vectors: int) -> None:
        """Set the register of the second vector's place in memory."""
        if vectors < VECTORS:
            return
        code, chosen = self.code, self.code.new_label()
        code.constant(SECOND_OFFSET, self.width)
        code.compare(FrameWords.at(FrameWords.VECTORS_LEFT), vectors)
        code.jump(chosen, JUMP_NOT_EQUAL)
        code.load(SECOND_OFFSET, FrameWords.at(PLACE_OF_LAST))
        code.place(chosen)

    # Packing

    def _count_ahead(self, done: int) -> None:
        code, at = self.code, FrameWords.at
        for position, whole, most, step in (
            (RDI, FrameWords.K, FrameWords.MOST_DEPTHS, FrameWords.B_ROWS),
            (RBX, FrameWords.N, FrameWords.MOST_COLUMNS, FrameWords.B_COLUMNS),
        ):
            fits = code.new_label()
            code.load(RDX, at(whole))
            code.subtract_register(RDX, position)
            code.compare_registers(RDX, at(most))
            code.jump(fits, JUMP_LESS)
            code.load(RDX, at(most))
            code.place(fits)
            code.store(at(FrameWords.AHEAD_LEFT), RDX)
            code.load(RAX, at(step))
            code.store(at(FrameWords.AHEAD_STEP), RAX)
            code.compare(at(FrameWords.B_COLUMNS), self.size)  # only columns of a transposed matrix lie in one piece
            code.jump(done, JUMP_EQUAL)

    def _prefetch_others(self) -> None:
        """Each block prefetches a row."""

    def _squares(self) -> None:
        """Pack a vector of columns; RDX is the distance of rows in the panel, RBX that of columns of `b`.

        The last columns, and the last rows, are those that end where the part does: some are packed twice.
        """
        code, at = self.code, FrameWords.at
        whole, again, fits, done = (code.new_label() for _ in range(4))
        code.load(RSI, at(FrameWords.SOURCE))
        code.load(RDI, at(FrameWords.PLACE))
        code.load(R10, at(FrameWords.DEPTHS))
        code.load(RAX, at(FrameWords.COLUMNS_LEFT))
        code.add(RAX, -self.lanes)
        code.store(at(FrameWords.COLUMNS_LEFT), RAX)
        code.compare(RAX, 0)
        code.jump(whole, JUMP_GREATER_OR_EQUAL)
        code.multiply_registers(RAX, RBX)
        code.add_register(RSI, RAX)
        code.place(whole)
        code.place(again)
        code.load(RAX, RSI)
        for column in range(self.lanes):
            code.wide(LOAD[self.size], column, 0, Memory(RAX))
            code.add_register(RAX, RBX)
        code.load(RAX, RDI)
        for register in exchanged(code, self.size):
            code.wide(STORE[self.size], register, 0, Memory(RAX))
            code.add_register(RAX, RDX)
        code.add(R10, -self.lanes)
        code.compare(R10, 0)
        code.jump(done, JUMP_EQUAL)
        code.load(R9, R10)
        code.compare(R9, self.lanes)
        code.jump(fits, JUMP_LESS)
        code.constant(R9, self.lanes)
        code.place(fits)
        code.multiply(RAX, R9, self.size)
        code.add_register(RSI, RAX)
        code.multiply_registers(R9, RDX)
        code.add_register(RDI, R9)
        code.compare(R10, self.lanes)
        code.jump(again, JUMP_GREATER_OR_EQUAL)
        code.constant(R10, self.lanes)
        code.jump(again)
        code.place(done)
        code.multiply(RAX, RBX, self.lanes)
        code.add_register(RAX, at(FrameWords.SOURCE))
        code.store(at(FrameWords.SOURCE), RAX)

    # Blocks

    def _all_rows(self) -> None:
        self.code.store_number(FrameWords.at(NEXT_FIRST), 0)
        super()._all_rows()

    def _rows_of_first(self) -> None:
        """Pack rows of a transposed `a` for some blocks, one behind the other: columns that are far apart do not stay
        in the cache from one panel to the next. 1024x1024 by 1024x1024 runs at 70 GF/s so, and at 55 where it is."""
        code, at = self.code, FrameWords.at
        strip = self.rows[0] * self.size  # bytes of a block's column
        packed, chosen = code.new_label(), code.new_label()
        code.load(RSI, at(NEXT_FIRST))
        code.store_number(at(NEXT_FIRST), 0)
        code.compare(RSI, 0)
        code.jump(packed, JUMP_NOT_EQUAL)
        code.load(RSI, at(FrameWords.A_ROW))
        code.load(RBX, at(FrameWords.A_COLUMNS))
        for word, number, condition in (
            (FrameWords.ROWS_LEFT, PACKED_NBYTES // self.size, JUMP_LESS), (FrameWords.PACKING, 0, JUMP_EQUAL),
            (FrameWords.A_ROWS, self.size, JUMP_NOT_EQUAL), (FrameWords.VECTORS, FEWEST_VECTORS, JUMP_LESS),
        ):  # fmt: skip
            code.compare(at(word), number)
            code.jump(chosen, condition)
        self._leave_few_columns(chosen)
        self._pack_first(strip)
        code.load(RSI, at(FrameWords.FIRST_SCRATCH))
        code.place(packed)
        code.constant(RBX, strip)
        code.load(RDX, at(FrameWords.DEPTHS))
        code.multiply(RAX, RDX, strip)
        code.multiply(RDX, RDX, PACKED_NBYTES)
        code.add_register(RAX, RSI)
        code.add_register(RDX, at(FrameWords.FIRST_SCRATCH))
        code.compare_registers(RAX, RDX)
        code.jump(chosen, JUMP_GREATER_OR_EQUAL)
        code.store(at(NEXT_FIRST), RAX)
        code.place(chosen)
        code.store(at(self.first), RSI)
        code.store(at(self.first_step), RBX)
        self._prefetch_rows()

    def _leave_few_columns(self, chosen: int) -> None:
        """Jump if there are too few columns of `a` to pack them; RBX is their distance."""
        code, at, many = self.code, FrameWords.at, self.code.new_label()
        code.compare(at(FrameWords.DEPTHS), FEWEST_DEPTHS)
        code.jump(many, JUMP_GREATER_OR_EQUAL)
        for word, number in ((FrameWords.DEPTHS, FEWEST_APART), (FrameWords.VECTORS, APART_VECTORS)):
            code.compare(at(word), number)
            code.jump(chosen, JUMP_LESS)
        code.load(RAX, RBX)
        code.bit_and(RAX, APART - 1)
        code.jump(chosen, JUMP_NOT_EQUAL)
        code.place(many)

    def _pack_first(self, strip: int) -> None:
        """Pack parts of the columns of `a` that begin at RSI and have the distance RBX; `strip`: bytes of a block's."""
        code, at, again = self.code, FrameWords.at, self.code.new_label()
        code.load(RCX, at(FrameWords.DEPTHS))
        code.load(RDI, at(FrameWords.FIRST_SCRATCH))
        code.multiply(R9, RCX, strip)
        code.multiply(R10, R9, 3)
        code.multiply(R8, RBX, COLUMNS_AHEAD)
        code.add_register(R8, RSI)
        code.place(again)
        code.prefetch(Memory(R8))
        code.prefetch(Memory(R8, PACKED_NBYTES - 1))
        copies = []
        for block in range(PACKED_NBYTES // strip):
            behind = (None, 1), (R9, 1), (R9, 2), (R10, 1)  # the blocks before
            for place in PACKED_PLACES[strip]:
                copies.append((Memory(RSI, block * strip + place), Memory(RDI, place, *behind[block])))
        for register, (read, _) in enumerate(copies):
            code.wide(LOAD[self.size], register, 0, read, half=True)
        for register, (_, written) in enumerate(copies):
            code.wide(STORE[self.size], register, 0, written, half=True)
        code.add_register(RSI, RBX)
        code.add_register(R8, RBX)
        code.add(RDI, strip)
        code.decrement(RCX)
        code.jump(again, JUMP_NOT_EQUAL)

    def _prefetch_rows(self) -> None:
        """Ask for the rows of `a` that come next, one after the other: 64 products of 128 by 128 by 32, of matrices in
        the third-level cache, run at 62 GF/s so, and at 44 without."""
        code, at = self.code, FrameWords.at
        rows, again, done = (code.new_label() for _ in range(3))
        for word, number, condition in (
            (FrameWords.DEPTHS, FEWEST_ASKED, JUMP_LESS), (FrameWords.A_COLUMNS, self.size, JUMP_NOT_EQUAL),
        ):  # fmt: skip
            code.compare(at(word), number)
            code.jump(done, condition)
        code.load(RBX, at(FrameWords.A_ROWS))
        code.constant(RDX, self.rows[0])
        code.multiply(RAX, RBX, self.rows[0])
        code.add_register(RSI, RAX)
        code.compare_registers(RDX, at(FrameWords.ROWS_LEFT))
        code.jump(rows, JUMP_LESS)
        code.load(RSI, at(FrameWords.A))  # the last rows: those of the next matrix
        code.add_register(RSI, at(FrameWords.A_LEAD + LEADING - 1))
        code.place(rows)
        code.load(RDI, RSI)
        code.load(RCX, at(FrameWords.DEPTHS))
        code.place(again)
        code.prefetch(Memory(RDI))
        code.add(RDI, LINE)
        code.add(RCX, -(LINE // self.size))
        code.jump(again, JUMP_GREATER)
        code.add_register(RSI, RBX)
        code.decrement(RDX)
        code.jump(rows, JUMP_NOT_EQUAL)
        code.place(done)

    def _prepare_block(self, vectors: int) -> None:
        if vectors < VECTORS:
            return
        code, at = self.code, FrameWords.at
        there = code.new_label()
        self._mask(vectors)
        code.load(SECOND_RESULT, at(FrameWords.TARGET))
        code.add_register(SECOND_RESULT, SECOND_OFFSET)
        code.compare(at(FrameWords.PACKING), 0)
        code.jump(there, JUMP_EQUAL)
        code.constant(SECOND_OFFSET, self.width)
        code.place(there)

    def _adds_block(self, vectors: int) -> Callable[[int], None]:
        return lambda rows: self._add_block(vectors, rows)

    def _add_block(self, vectors: int, rows: int) -> None:
        """Add the products of some rows of the first operand and some vectors of columns of the second."""
        code, size = self.code, self.size
        zeros = code.new_label()
        results = [
            (row * vectors + vector, row_address((RESULT, SECOND_RESULT)[vector], RESULT_ROWS, row))
            for row in range(rows)
            for vector in range(vectors)
        ]
        for register, _ in results:
            code.clear(register)
        there = code.new_label()
        code.compare(FrameWords.at(ASKS_RESULT), 0)
        code.jump(there, JUMP_EQUAL)
        for _, place in results:
            code.prefetch(place, written=True)
        code.place(there)
        stored = code.new_label()
        if rows == self.rows[0]:  # as the first rows have, which pack
            self._other_products(vectors, rows, stored)
        self._add_products(vectors, rows)
        code.place(stored)
        code.compare(FrameWords.at(FrameWords.STARTS), 0)
        code.jump(zeros, JUMP_EQUAL)
        for register, place in results:  # before any is stored: the last two vectors may have the same columns
            code.wide(ADD[size], register, register, place)
        code.place(zeros)
        for register, place in results:
            code.wide(STORE[size], register, 0, place)

    def _other_products(self, vectors: int, rows: int, done: int) -> None:
        """Add the products of a block that packs the second operand's vectors, or prefetches a row of its next part."""
        code, at = self.code, FrameWords.at
        early, plain = code.new_label(), code.new_label()
        code.load(RESULT, at(FrameWords.PACKED))
        code.compare(RESULT, 0)
        code.jump(early, JUMP_EQUAL)
        self._add_products(vectors, rows, packs=True)
        code.store(at(FrameWords.PACKED), RESULT)
        code.load(RESULT, at(FrameWords.TARGET))
        code.jump(done)
        code.place(early)
        code.load(RESULT, at(FrameWords.AHEAD))
        code.compare(at(FrameWords.AHEAD_LEFT), 0)
        code.jump(plain, JUMP_LESS_OR_EQUAL)
        code.compare(at(FrameWords.ROWS_LEFT), LAST_ROWS)
        code.jump(plain, JUMP_GREATER)
        self._add_products(vectors, rows, early=True)
        code.add(at(FrameWords.AHEAD_LEFT), -1)
        code.load(RAX, at(FrameWords.AHEAD_STEP))
        code.add_to_memory(at(FrameWords.AHEAD), RAX)
        code.load(RESULT, at(FrameWords.TARGET))
        code.jump(done)
        code.place(plain)
        code.load(RESULT, at(FrameWords.TARGET))

    def _add_products(self, vectors: int, rows: int, packs: bool = False, early: bool = False) -> None:
        """The loop over a block's terms. RESULT is where vectors are packed, or what is prefetched: eight bytes further
        with each term, so that these requests do not delay others."""
        code, size, again = self.code, self.size, self.code.new_label()
        code.place(again)
        for vector in range(vectors):
            code.wide(LOAD[size], FACTORS + vector, 0, Memory(SECOND, 0, SECOND_OFFSET if vector else None))
        if early:
            code.prefetch(Memory(RESULT, -8, DEPTH, 8), level=2)
        if packs:
            code.prefetch(Memory(SECOND, 2 * vectors * self.width - 1))  # what the next panel has of this row
            for vector in range(vectors):
                code.wide(STORE[size], FACTORS + vector, 0, Memory(RESULT, vector * self.width))
            code.add(RESULT, vectors * self.width)
        for row in range(rows):
            element = SPREAD[row % len(SPREAD)]
            code.wide(BROADCAST[size], element, 0, row_address(FIRST, FIRST_ROWS, row), spread=size)
            for vector in range(vectors):
                code.wide(MULTIPLY_ADD[size], row * vectors + vector, FACTORS + vector, element)
        code.add_register(FIRST, FIRST_STEP)
        code.add_register(SECOND, SECOND_STEP)
        code.decrement(DEPTH)
        code.jump(again, JUMP_NOT_EQUAL)
