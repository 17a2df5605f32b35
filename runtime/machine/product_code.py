"""The code of matrix products: the loops around the blocks of `product_blocks.py`.

The product is divided three times. Columns of `b` and `out` go in groups, and rows of `b` too, so that such a part of
`b` stays in the second-level cache; it is packed there, panel by panel, unless few rows of `a` use it. Blocks of the
result stay in registers. Each sum is added in the order of its terms: those of a part, and then the parts, so that
errors hardly grow with their number. How large parts are depends on the sizes, also on those of a thread's piece.
"""

from __future__ import annotations

from collections.abc import Callable

from ..processors import cache_bytes
from .assembler import (
    JUMP_EQUAL,
    JUMP_LESS,
    JUMP_NOT_EQUAL,
    RAX,
    RCX,
    RDX,
    Memory,
)
from .dot_products import dot_products
from .executable import is_from_intel
from .frame_words import FrameWords
from .packing_choice import ProductParts
from .product_blocks import (
    BELOW,
    DEPTH,
    FIRST,
    FIRST_ROWS,
    FIRST_STEP,
    RESULT,
    RESULT_ROWS,
    SECOND,
    SECOND_STEP,
    TAIL,
    BlockRow,
    add_products,
    beginnings,
    block_rows,
    load_steps,
    row_address,
)
from .product_boundary import ProductBoundary, each_matrix
from .product_packing import ProductPacking
from .turned_product import TOGETHER, TurningBoundary, add_parts, next_part, store_turned
from .wide_assembler import (
    ADD_PAIRS,
    JUMP_GREATER,
    JUMP_GREATER_OR_EQUAL,
    JUMP_LESS_OR_EQUAL,
    MULTIPLY_ADD,
    WIDTH,
)

PARTS = ProductParts(400, 18 * WIDTH)
"""The sizes of parts: six panels, and 442 kB in all."""
PARTS_OF_INTEL = {
    4: ProductParts(512, 36 * WIDTH, (200, 72 * WIDTH)),
    8: ProductParts(256, 36 * WIDTH, (128, 72 * WIDTH)),
}
"""The same for processors of Intel with 2 MB of second-level cache, by the bytes of an element. Blocks of more terms
begin less often: 1024x1024x1024 runs at 163 GF/s so, and at 159 in parts of 200 terms. But a large `b` that few rows
use is read sooner in long pieces of rows: 32x768 by 768x3072 runs at 117 GF/s there, and at 100 in parts of 512. A
transposed `a` is copied once for each piece."""


class ProductCode(ProductPacking):
    """Writes the code of the function for one dtype. All numbers of the function are words of its frame."""

    rows: tuple[int, ...] = (8, 7, 6, 5, 4, 3, 2, 1)
    first, first_step = FrameWords.PLACE, FrameWords.PANEL_LEFT  # which only packing uses
    """The words of the first row of `a` of a block, and of the distance of its columns."""

    def __init__(self, dtype: str, pairs: bool = False, threads: int = 1) -> None:
        super().__init__(dtype)
        self.threads = threads
        self.form = ADD_PAIRS if pairs else MULTIPLY_ADD[self.size]
        self.boundary = self.make_boundary()

    def make_boundary(self) -> ProductBoundary:
        """Entry and exit."""
        make = TurningBoundary if self.turns else ProductBoundary
        parts = PARTS_OF_INTEL[self.size] if is_from_intel() and cache_bytes() >= 2 << 20 else PARTS
        return make(self.code, self.dtype, parts, self.rows[0] * self.size, self.threads)

    @property
    def turns(self) -> bool:
        """Whether products may be turned (`turned_product.py`)."""
        return self.size == 4 and self.width == WIDTH

    def assemble(self) -> bytes:
        """The function's code."""
        self.boundary.enter()
        each_matrix(self.code, self._product)
        self.boundary.leave()
        return self.code.finish()

    def _product(self) -> None:
        """One product of two matrices: all groups of columns, and of them all groups of rows of `b`."""
        code, at = self.code, FrameWords.at
        columns, depths, done = (code.new_label() for _ in range(3))
        if self.turns:
            others = code.new_label()
            code.compare(at(FrameWords.DOTS), 0)
            code.jump(others, JUMP_EQUAL)
            dot_products(code, self.form)
            code.jump(done)
            code.place(others)
        code.store_number(at(FrameWords.COLUMN), 0)
        code.place(columns)
        self._group_of_columns()
        code.store_number(at(FrameWords.DEPTH), 0)
        code.place(depths)
        self._start()
        self._smaller(FrameWords.DEPTHS, FrameWords.K, FrameWords.DEPTH, FrameWords.MOST_DEPTHS)
        self._pack()
        self._all_rows()
        self._next(FrameWords.DEPTH, FrameWords.DEPTHS, FrameWords.K, depths)
        self._next(FrameWords.COLUMN, FrameWords.COLUMNS, FrameWords.N, columns)
        code.place(done)

    def _start(self) -> None:
        """Set the word STARTS: zero for the first part of a product that is not added."""
        code, at = self.code, FrameWords.at
        code.load(RAX, at(FrameWords.DEPTH))
        code.add_register(RAX, at(FrameWords.ADDS))
        code.store(at(FrameWords.STARTS), RAX)

    def _smaller(self, target: int, whole: int, done: int, most: int) -> None:
        """Set a word to what is left of a whole, but at most to another word."""
        code, at = self.code, FrameWords.at
        fits = code.new_label()
        code.load(RAX, at(whole))
        code.subtract_register(RAX, at(done))
        code.compare_registers(RAX, at(most))
        code.jump(fits, JUMP_LESS)
        code.load(RAX, at(most))
        code.place(fits)
        code.store(at(target), RAX)

    def _next(self, done: int, count: int, whole: int, again: int) -> None:
        """Go on behind a group; jump unless it was the last."""
        code, at = self.code, FrameWords.at
        code.load(RAX, at(done))
        code.add_register(RAX, at(count))
        code.store(at(done), RAX)
        code.compare_registers(RAX, at(whole))
        code.jump(again, JUMP_LESS)

    def _group_of_columns(self) -> None:
        """Set the number of columns of a group, their vectors, and the mask of the last one."""
        code, at = self.code, FrameWords.at
        self._smaller(FrameWords.COLUMNS, FrameWords.N, FrameWords.COLUMN, FrameWords.MOST_COLUMNS)
        code.add(RAX, self.lanes - 1)
        code.constant(RDX, 0)
        code.constant(RCX, self.lanes)
        code.divide_by(RCX)
        code.store(at(FrameWords.VECTORS), RAX)
        code.load(RCX, RDX)  # the columns of the last vector, less one
        code.constant(RAX, 2)
        code.shift_left_by_rcx(RAX)
        code.add(RAX, -1)
        code.store(at(FrameWords.TAIL_MASK), RAX)

    def _mask(self, vectors: int) -> None:
        """Set the mask of a panel's last vector: only the last panel has fewer columns."""
        code, at = self.code, FrameWords.at
        full = code.new_label()
        code.constant(RAX, (1 << self.lanes) - 1)
        code.compare(at(FrameWords.VECTORS_LEFT), vectors)
        code.jump(full, JUMP_NOT_EQUAL)
        code.load(RAX, at(FrameWords.TAIL_MASK))
        code.place(full)
        code.set_mask(TAIL, RAX)

    def _panels(self, panel: Callable[[int], None]) -> None:
        """Go through the panels of a part."""
        code, at = self.code, FrameWords.at
        code.load(RAX, at(FrameWords.VECTORS))
        code.store(at(FrameWords.VECTORS_LEFT), RAX)
        again, done = code.new_label(), code.new_label()
        labels = {vectors: code.new_label() for vectors in range(1, self.most_vectors + 1)}
        code.place(again)
        code.load(RAX, at(FrameWords.VECTORS_LEFT))
        for number, condition, vectors in self.panels:
            code.compare(RAX, number)
            code.jump(labels[vectors], condition)
        code.jump(done)
        for vectors, label in labels.items():
            code.place(label)
            panel(vectors)
            code.add(at(FrameWords.VECTORS_LEFT), -vectors)
            code.jump(again)
        code.place(done)

    # Blocks

    def _all_rows(self) -> None:
        """Add the products of all rows of `a` with the part of `b`."""
        code, at = self.code, FrameWords.at
        code.load(RAX, at(FrameWords.DEPTH))
        code.multiply_registers(RAX, at(FrameWords.A_COLUMNS))
        code.add_register(RAX, at(FrameWords.A))
        code.store(at(FrameWords.A_ROW), RAX)
        code.load(RAX, at(FrameWords.COLUMN))
        code.multiply_registers(RAX, at(FrameWords.COLUMN_STEP))
        code.add_register(RAX, at(FrameWords.C))
        code.store(at(FrameWords.C_ROW), RAX)
        code.load(RAX, at(FrameWords.M))
        code.store(at(FrameWords.ROWS_LEFT), RAX)
        again, chosen = code.new_label(), code.new_label()
        code.place(again)
        self._choose_rows(chosen)
        code.place(chosen)
        code.store(at(FrameWords.ROWS), RAX)
        self._rows_of_first()
        self._row_of_blocks()
        code.load(RCX, at(FrameWords.ROWS))
        for place, step in ((FrameWords.A_ROW, FrameWords.A_ROWS), (FrameWords.C_ROW, FrameWords.C_ROWS)):
            code.load(RAX, at(step))
            code.multiply_registers(RAX, RCX)
            code.add_to_memory(at(place), RAX)
        code.load(RAX, at(FrameWords.ROWS_LEFT))
        code.subtract_register(RAX, RCX)
        code.store(at(FrameWords.ROWS_LEFT), RAX)
        code.jump(again, JUMP_NOT_EQUAL)

    def _choose_rows(self, chosen: int) -> None:
        """Set RAX to the number of rows of the next blocks, and jump: as many as a block can have, or half of what is
        left, for a block of one or two rows would read as much of `b`. Turned products have no such."""
        code, most = self.code, self.rows[0]
        code.load(RAX, FrameWords.at(FrameWords.ROWS_LEFT))
        code.compare(RAX, most)
        code.jump(chosen, JUMP_LESS_OR_EQUAL)
        self._halve_rows(chosen)
        code.constant(RAX, most)

    def _halve_rows(self, chosen: int) -> None:
        """Jump with half of RAX rows if two blocks can have them."""
        code, whole = self.code, self.code.new_label()
        code.compare(RAX, 2 * self.rows[0])
        code.jump(whole, JUMP_GREATER_OR_EQUAL)
        self._if_turned(lambda: code.jump(whole))
        code.add(RAX, 1)
        code.shift_right(RAX, 1)
        code.jump(chosen)
        code.place(whole)

    def _rows_of_first(self) -> None:
        """Find some rows of `a`, and whether their first block copies them: not if it packs `b`, too."""
        code, at, chosen = self.code, FrameWords.at, self.code.new_label()
        for target, word in ((self.first, FrameWords.A_ROW), (self.first_step, FrameWords.A_COLUMNS)):
            code.load(RAX, at(word))
            code.store(at(target), RAX)
        code.store_number(at(FrameWords.COPY), 0)
        for word, number, condition in (
            (FrameWords.COPIES, 0, JUMP_EQUAL), (FrameWords.PACKED, 0, JUMP_NOT_EQUAL),
            (FrameWords.ROWS, self.rows[0], JUMP_NOT_EQUAL), (FrameWords.VECTORS, self.panels[0][0], JUMP_LESS),
        ):  # fmt: skip
            code.compare(at(word), number)
            code.jump(chosen, condition)
        code.load(RAX, at(FrameWords.FIRST_SCRATCH))
        code.store(at(FrameWords.COPY), RAX)
        code.place(chosen)

    def _row_of_blocks(self) -> None:
        """Compute all blocks of some rows of the result; the word ROWS has their number."""
        code, at = self.code, FrameWords.at
        load_steps(code, FIRST_ROWS, at(FrameWords.A_ROWS))
        load_steps(code, RESULT_ROWS, at(FrameWords.C_ROWS))
        self._if_turned(lambda: load_steps(code, RESULT_ROWS, at(FrameWords.COLUMN_STEP)))
        packed, chosen, later = code.new_label(), code.new_label(), code.new_label()
        code.store_number(at(FrameWords.NEAR), 1)
        code.load(RAX, at(FrameWords.ROWS_LEFT))
        code.compare_registers(RAX, at(FrameWords.M))
        code.jump(later, JUMP_NOT_EQUAL)
        code.load(RAX, at(FrameWords.IS_NEAR))
        code.store(at(FrameWords.NEAR), RAX)
        code.place(later)
        code.load(SECOND, at(FrameWords.SCRATCH))
        code.compare(at(FrameWords.PACKING), 0)
        code.jump(packed, JUMP_NOT_EQUAL)
        self._start_of_part(FrameWords.SOURCE)
        code.jump(chosen)
        code.place(packed)
        code.store(at(FrameWords.SOURCE), SECOND)
        code.place(chosen)
        code.load(RAX, at(FrameWords.C_ROW))
        code.store(at(FrameWords.TARGET), RAX)
        self._panels(self._block)
        there = code.new_label()
        code.compare(at(FrameWords.PACKED), 0)
        code.jump(there, JUMP_EQUAL)
        code.store_number(at(FrameWords.PACKED), 0)
        code.store_number(at(FrameWords.PACKING), 1)
        code.place(there)
        self._prefetch_others()

    def _prefetch_others(self) -> None:
        """The next row of blocks prefetches other vectors of the next part."""
        code, at, first = self.code, FrameWords.at, self.code.new_label()
        code.add(at(FrameWords.AHEAD_LEFT), -1)
        code.compare(at(FrameWords.AHEAD_LEFT), self.most_vectors)
        code.jump(first, JUMP_EQUAL)
        code.add(at(FrameWords.AHEAD), self.width)
        code.place(first)

    def _block(self, vectors: int) -> None:
        """Compute a block with this number of vectors, and go on to the next one."""
        code, at = self.code, FrameWords.at
        packed, chosen, added, done = (code.new_label() for _ in range(4))
        self._prepare_block(vectors)
        code.load(FIRST, at(self.first))
        code.load(FIRST_STEP, at(self.first_step))
        code.load(SECOND, at(FrameWords.SOURCE))
        code.load(DEPTH, at(FrameWords.DEPTHS))
        self._if_turned(self._first_part)
        code.load(RESULT, at(FrameWords.TARGET))
        code.compare(at(FrameWords.PACKING), 0)
        code.jump(packed, JUMP_NOT_EQUAL)
        code.load(SECOND_STEP, at(FrameWords.B_ROWS))
        code.add(at(FrameWords.SOURCE), vectors * self.width)
        code.jump(chosen)
        code.place(packed)
        code.constant(SECOND_STEP, vectors * self.width)
        code.place(chosen)
        add = self._adds_block(vectors)
        for rows in self.rows:
            others = code.new_label()
            code.compare(at(FrameWords.ROWS), rows)
            code.jump(others, JUMP_NOT_EQUAL)
            add(rows)
            code.jump(added)
            code.place(others)
        code.place(added)
        code.load(RAX, at(FrameWords.COLUMN_STEP))
        code.multiply(RAX, RAX, vectors * self.lanes)
        code.add_to_memory(at(FrameWords.TARGET), RAX)
        code.compare(at(FrameWords.PACKING), 0)
        code.jump(done, JUMP_EQUAL)
        code.store(at(FrameWords.SOURCE), SECOND)
        code.place(done)

    def _first_part(self) -> None:
        code, at = self.code, FrameWords.at
        code.store(at(FrameWords.DEPTHS_LEFT), DEPTH)
        code.store_number(at(FrameWords.LATER), 0)
        next_part(code)

    def _prepare_block(self, vectors: int) -> None:
        """Choose how many columns a block has, and what it prefetches: rows below, or the next panel if `b` is far."""
        self._mask(vectors)
        code, at, found = self.code, FrameWords.at, self.code.new_label()
        code.constant(RAX, BELOW * vectors * self.width)
        code.compare(at(FrameWords.PACKING), 0)
        code.jump(found, JUMP_NOT_EQUAL)
        code.constant(RAX, vectors * self.width)
        code.compare(at(FrameWords.NEAR), 0)
        code.jump(found, JUMP_EQUAL)
        code.multiply(RAX, at(FrameWords.B_ROWS), BELOW)
        code.place(found)
        code.store(at(FrameWords.AHEAD_STEP), RAX)

    def _adds_block(self, vectors: int) -> Callable[[int], None]:
        """What writes the code of a block with so many rows."""
        whole, half = (block_rows(self.size, vectors, self.form, half) for half in (False, True))
        return lambda rows: self._add_wide_block(vectors, whole[:rows], half[:rows])

    def _add_wide_block(self, vectors: int, whole: list[BlockRow], half: list[BlockRow]) -> None:
        """A block of so many rows: by half a vector if the last one has no more columns."""
        code, at, rows = self.code, FrameWords.at, len(whole)
        again, many, added, stored, final = (code.new_label() for _ in range(5))
        code.place(again)
        self._begin_sums(vectors, rows)
        if rows == self.rows[0]:  # as the first rows have, which pack
            self._prefetch_next_rows(vectors)
            self._pack_and_add(vectors, whole, added)
        if vectors == 1 or rows == self.rows[0]:
            code.compare(at(FrameWords.VECTORS_LEFT), vectors)
            code.jump(many, JUMP_NOT_EQUAL)
            code.compare(at(FrameWords.TAIL_MASK), (1 << self.lanes // 2) - 1)
            code.jump(many, JUMP_GREATER)
            code.load(RESULT, at(FrameWords.AHEAD_STEP))
            add_products(code, self.size, vectors, half, half=True)
            code.load(RESULT, at(FrameWords.TARGET))
            code.jump(added)
            code.place(many)
        if rows == self.rows[0]:
            self._prefetch_and_add(vectors, whole, added)
        if rows > self.rows[0] // 2:
            self._add_whole_vectors(vectors, whole, added)
        code.load(RESULT, at(FrameWords.AHEAD_STEP))
        add_products(code, self.size, vectors, whole)
        code.load(RESULT, at(FrameWords.TARGET))
        code.place(added)

        def store() -> None:
            add_parts(code, rows, vectors, again)
            store_turned(code, rows, vectors)
            code.jump(stored)

        if rows % TOGETHER == 0:
            self._if_turned(store)
        code.compare(at(FrameWords.STARTS), 0)
        code.jump(final, JUMP_EQUAL)
        code.append(*(sums for sums, _, _ in whole))
        code.place(final)
        code.append(*(stores for _, _, stores in whole))
        code.place(stored)

    def _pack_and_add(self, vectors: int, rows: list[BlockRow], added: int) -> None:
        """Add the products of a block that packs rows of `b`, or copies those of `a`, if the next one is such."""
        code, at = self.code, FrameWords.at
        for word in (FrameWords.PACKED, FrameWords.COPY)[: 2 if vectors == self.most_vectors else 1]:
            plain, copies = code.new_label(), word == FrameWords.COPY
            code.compare(at(word), 0)
            code.jump(plain, JUMP_EQUAL)
            code.load(RESULT, at(word))
            add_products(code, self.size, vectors, rows, packs=not copies, copies=copies, masked=not copies)
            if copies:
                code.load(RESULT, at(word))
                code.store(at(self.first), RESULT)
                code.store_number(at(self.first_step), len(rows) * self.size)
                code.constant(RESULT, 0)
            code.store(at(word), RESULT)
            code.load(RESULT, at(FrameWords.TARGET))
            code.jump(added)
            code.place(plain)

    def _add_whole_vectors(self, vectors: int, rows: list[BlockRow], added: int) -> None:
        """Add the products of a block whose last vector has all its columns, as most have: loads need no mask, which
        would take one of the two units that multiply."""
        code, at, partial = self.code, FrameWords.at, self.code.new_label()
        code.get_mask(RESULT, TAIL)
        code.compare(RESULT, (1 << self.lanes) - 1)
        code.jump(partial, JUMP_NOT_EQUAL)
        code.load(RESULT, at(FrameWords.AHEAD_STEP))
        add_products(code, self.size, vectors, rows, masked=False)
        code.load(RESULT, at(FrameWords.TARGET))
        code.jump(added)
        code.place(partial)

    def _prefetch_and_add(self, vectors: int, rows: list[BlockRow], added: int) -> None:
        """Add the products of a block, and prefetch a vector of the rows of the next part of `b`, if any is left."""
        code, at, plain = self.code, FrameWords.at, self.code.new_label()
        for number, condition in ((0, JUMP_LESS_OR_EQUAL), (self.most_vectors, JUMP_GREATER)):
            code.compare(at(FrameWords.AHEAD_LEFT), number)
            code.jump(plain, condition)
        code.load(RESULT, at(FrameWords.VECTORS))
        code.subtract_register(RESULT, at(FrameWords.VECTORS_LEFT))
        code.multiply(RESULT, RESULT, self.width)
        code.add_register(RESULT, at(FrameWords.AHEAD))
        add_products(code, self.size, vectors, rows, early=at(FrameWords.B_ROWS))
        code.load(RESULT, at(FrameWords.TARGET))
        code.jump(added)
        code.place(plain)

    def _begin_sums(self, vectors: int, rows: int) -> None:
        """Begin the sums of a block with zeros. Prefetch the result's lines, which may be far away, where it is added:
        others are only written, and the lines of `a` and `b` come sooner without them."""
        code, written, found = self.code, self.code.new_label(), beginnings(vectors)[:rows]
        code.append(*(zeros for zeros, _ in found))
        code.compare(FrameWords.at(FrameWords.STARTS), 0)
        code.jump(written, JUMP_EQUAL)
        code.append(*(lines for _, lines in found))
        code.place(written)

    def _prefetch_next_rows(self, vectors: int) -> None:
        """In the last block of some rows of `a`, prefetch the first lines of the next ones: no load comes before them
        that would let the processor foresee it."""
        code, at, others = self.code, FrameWords.at, self.code.new_label()
        code.compare(at(FrameWords.VECTORS_LEFT), vectors)
        code.jump(others, JUMP_NOT_EQUAL)
        code.address(RESULT, Memory(FIRST, 0, FIRST_ROWS[0], self.rows[0]))
        for row in range(self.rows[0]):
            code.prefetch(row_address(RESULT, FIRST_ROWS, row))
        code.load(RESULT, at(FrameWords.TARGET))
        code.place(others)

    def _if_turned(self, write: Callable[[], None]) -> None:
        """Write code that runs only for turned products."""
        if not self.turns:
            return
        code, plain = self.code, self.code.new_label()
        code.compare(FrameWords.at(FrameWords.COLUMN_STEP), self.size)
        code.jump(plain, JUMP_EQUAL)
        write()
        code.place(plain)
