"""How a matrix product in machine code divides its second operand, and whether it packs the parts."""

from __future__ import annotations

from ..records import NamedTuple
from .assembler import JUMP_EQUAL, JUMP_LESS, JUMP_NOT_EQUAL, R8, R9, RAX, RCX, RDX
from .frame_words import FrameWords
from .wide_assembler import JUMP_GREATER, JUMP_LESS_OR_EQUAL, WIDTH, WideAssembler

UNPACKED_ROWS = 384
"""A product of at most this number of rows reads the rows of the second operand where they are, because packing them
gains nothing: 64x784 by 784x512 runs at 228 GF/s so, and at 201 packed."""
UNPACKED_SHORT, SHORT = 96, 128
"""The same if the second operand has at most `SHORT` rows: the result takes the place of what is read in the cache."""
UNPACKED_APART = 32
"""The same if rows of the second operand are pages apart: 64x1024x1024 runs at 235 GF/s so, and at 252 packed."""
FEW_ROWS = 24
"""For at most this number of rows one panel at a time is packed: it fits the first-level cache, and is 37 kB in all."""
NEAR, APART = 3 << 19, 1 << 12
"""A second operand of at most so many bytes is in the caches. Its rows further down are prefetched, not the next panel:
unless the distance of rows is a multiple of a page, whose lines take each other's places in the cache."""
FAR_ROWS = 192
"""At most this number of rows of `a` read another `b` in longer pieces."""
FAR_PARTS = ((8, 3 << 18, 32), (24, NEAR, 32), (8, NEAR, 16))
FAR_NBYTES, LONG_ROW = 288 * WIDTH, 1 << 12
"""Rows of `a` at most, bytes of `b` at least, and rows of its parts: few rows of `a` use each byte once, and it is far.
Parts of some whole rows of `b`, up to so many bytes, go on side by side, and a processor foresees what is read; where
rows are short and apart it does not. 4x768 by 768x3072 reads 24 GB/s so, and 19 in parts of 200 rows."""
MOST_PARTS = 256
"""Such parts of a sum at most: they are added one after the other, so errors would grow with their number."""
COPIED = 32
"""The rows and columns of a transposed `a` whose rows are copied, at least."""


class ProductParts(NamedTuple):
    """How many rows of `b` a part has at most, and how many bytes of each; `far`: the same for a large `b` that few
    rows of `a` use, and for a transposed `a`, if it differs."""

    depth: int
    nbytes: int
    far: tuple[int, int] | None = None


class PackingChoice:
    """Writes the choice, which sets the words of the frame that say how `b` is divided and packed."""

    code: WideAssembler
    size: int
    parts: ProductParts | None
    panel = 3 * WIDTH
    """Bytes of a row of the largest panel of `b`."""

    def _choose_packing(self) -> None:
        """Choose the sizes of parts of b, and whether they are packed: not (0), as they are (1), or transposed (2)."""
        code, at = self.code, FrameWords.at
        straight, chosen, far = code.new_label(), code.new_label(), code.new_label()
        code.store_number(at(FrameWords.IS_NEAR), 0)
        code.load(RAX, at(FrameWords.B_ROWS))
        code.bit_and(RAX, APART - 1)
        code.compare(RAX, 0)
        code.jump(far, JUMP_EQUAL)
        code.load(RAX, at(FrameWords.K))
        code.multiply_registers(RAX, at(FrameWords.N))
        code.compare(RAX, NEAR // self.size)
        code.jump(far, JUMP_GREATER)
        code.store_number(at(FrameWords.IS_NEAR), 1)
        code.place(far)
        code.store_number(at(FrameWords.PACKING), 0)
        code.compare(at(FrameWords.B_COLUMNS), self.size)
        code.jump(straight, JUMP_EQUAL)
        code.store_number(at(FrameWords.PACKING), 2)
        code.jump(chosen)
        code.place(straight)
        self._leave_unpacked(chosen)
        code.compare(at(FrameWords.N), self.panel // self.size)
        code.jump(chosen, JUMP_LESS_OR_EQUAL)
        code.store_number(at(FrameWords.PACKING), 1)
        code.place(chosen)
        if self.parts:
            self._divide(self.parts)

    def _divide(self, parts: ProductParts) -> None:
        """Set the sizes of parts."""
        code, at = self.code, FrameWords.at
        near, far, many = (code.new_label() for _ in range(3))
        code.constant(R8, parts.depth)
        code.constant(R9, parts.nbytes // self.size)
        if parts.far:
            code.compare(at(FrameWords.A_COLUMNS), self.size)
            code.jump(far, JUMP_NOT_EQUAL)
            code.compare(at(FrameWords.M), FAR_ROWS)
            code.jump(near, JUMP_GREATER)
            code.load(RAX, at(FrameWords.K))
            code.multiply_registers(RAX, at(FrameWords.N))
            code.compare(RAX, NEAR // self.size)
            code.jump(near, JUMP_LESS_OR_EQUAL)
            code.place(far)
            code.constant(R8, parts.far[0])
            code.constant(R9, parts.far[1] // self.size)
            code.place(near)
        self._divide_by_rows()
        code.compare(at(FrameWords.PACKING), 2)
        code.jump(many, JUMP_NOT_EQUAL)
        code.compare(at(FrameWords.M), FEW_ROWS)
        code.jump(many, JUMP_GREATER)
        code.constant(R8, (parts.far or parts)[0] // 2)
        code.constant(R9, 3 * WIDTH // self.size)
        code.place(many)
        self._equal_parts(FrameWords.MOST_DEPTHS, FrameWords.K, R8, 1)
        self._equal_parts(FrameWords.MOST_COLUMNS, FrameWords.N, R9, self.panel // self.size)
        self._choose_copies()

    def _divide_by_rows(self) -> None:
        """Choose parts of a few whole rows of `b` where a few rows of `a` use it: R8 rows, R9 columns."""
        if self.parts is None or not self.parts.far:
            return
        code, at = self.code, FrameWords.at
        long, others = code.new_label(), code.new_label()
        code.compare(at(FrameWords.PACKING), 0)
        code.jump(others, JUMP_NOT_EQUAL)
        code.multiply(RAX, at(FrameWords.N), self.size)
        code.compare_registers(RAX, at(FrameWords.B_ROWS))
        code.jump(long, JUMP_EQUAL)
        code.compare(RAX, LONG_ROW)
        code.jump(others, JUMP_LESS)
        code.place(long)
        code.multiply_registers(RAX, at(FrameWords.K))
        for rows, nbytes, depth in FAR_PARTS:
            more = code.new_label()
            code.compare(at(FrameWords.M), rows)
            code.jump(more, JUMP_GREATER)
            code.compare(RAX, nbytes)
            code.jump(more, JUMP_LESS)
            code.compare(at(FrameWords.K), MOST_PARTS * depth)
            code.jump(more, JUMP_GREATER)
            code.constant(R8, depth)
            code.constant(R9, FAR_NBYTES // self.size)
            code.place(more)
        code.place(others)

    def _equal_parts(self, word: int, whole: int, most: int, unit: int) -> None:
        """Set a word to the size of about equal parts, a multiple of `unit`; `most` is a register."""
        code, at = self.code, FrameWords.at
        code.load(RAX, at(whole))
        code.add(RAX, -1)
        code.constant(RDX, 0)
        code.divide_by(most)
        code.add(RAX, 1)
        code.multiply(RCX, RAX, unit)
        code.load(RAX, at(whole))
        code.add(RAX, -1)
        code.constant(RDX, 0)
        code.divide_by(RCX)
        code.add(RAX, 1)
        code.multiply(RAX, RAX, unit)
        code.store(at(word), RAX)

    def _choose_copies(self) -> None:
        """Choose whether rows of a transposed `a` are copied with the first panel: columns that are far apart do not
        stay in the cache until the next one. 1024 by 128 by 1024 runs at 246 GF/s where they are, and at 256 copied."""
        code, at, none = self.code, FrameWords.at, self.code.new_label()
        code.store_number(at(FrameWords.COPIES), 0)
        for word, number, condition in (
            (FrameWords.A_ROWS, self.size, JUMP_NOT_EQUAL), (FrameWords.A_COLUMNS, self.size, JUMP_EQUAL),
            (FrameWords.K, COPIED, JUMP_LESS), (FrameWords.M, COPIED, JUMP_LESS),
            (FrameWords.N, 4 * WIDTH // self.size, JUMP_LESS_OR_EQUAL),
        ):  # fmt: skip
            code.compare(at(word), number)
            code.jump(none, condition)
        code.store_number(at(FrameWords.COPIES), 1)
        code.place(none)

    def _leave_unpacked(self, chosen: int) -> None:
        """Jump if so few rows of `a` use each row of `b` that packing does not pay."""
        code, at = self.code, FrameWords.at
        deep, near = code.new_label(), code.new_label()
        code.load(RAX, at(FrameWords.B_ROWS))
        code.bit_and(RAX, APART - 1)
        code.jump(near, JUMP_NOT_EQUAL)
        code.compare(at(FrameWords.M), UNPACKED_APART)
        code.jump(deep, JUMP_GREATER)
        code.place(near)
        code.compare(at(FrameWords.M), UNPACKED_SHORT)
        code.jump(chosen, JUMP_LESS_OR_EQUAL)
        code.compare(at(FrameWords.K), SHORT)
        code.jump(deep, JUMP_LESS_OR_EQUAL)
        code.compare(at(FrameWords.M), UNPACKED_ROWS)
        code.jump(chosen, JUMP_LESS_OR_EQUAL)
        code.place(deep)
