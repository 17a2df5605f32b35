"""The loops of eliminations (`elimination_code.py`) over blocks of rows, down and up.

A group of blocks is reduced together. Within its own columns each block's multiples are subtracted from the rows below
at once, for the next pivots are found there. The columns right of the group, and right-hand sides, have their turn
once for a group: so working memory is read and written once for eight blocks, not for each.
"""

from __future__ import annotations

from .assembler import JUMP_EQUAL, JUMP_NOT_EQUAL, R12, RAX, RCX, RDI, RDX, RSI, Memory
from .column_pivots import ColumnPivots
from .elimination_panels import LOADED, STORE_ONE, EliminationPanels, Words
from .elimination_sizes import NUMBER, EliminationSizes
from .wide_assembler import JUMP_GREATER_OR_EQUAL

GROUP = 8
"""Blocks of a group."""


class EliminationBlocks(EliminationPanels):
    """Writes the loops. `triangle`: the matrix is triangular, so only right-hand sides change."""

    def __init__(
        self, sizes: EliminationSizes, symmetric: bool, turned: bool, factored: bool, inverts: bool, triangle: bool
    ) -> None:
        super().__init__(sizes, symmetric, turned, factored, inverts)
        self.triangle = triangle
        self.beside = sizes.blocks * self.width  # bytes from a row to its right-hand sides
        self.subtraction = self.code.new_label()

    def run_down(self) -> None:
        """From the first block to the last: factor, and reduce the rows below."""
        code, at = self.code, Words.at
        again, last, inside, reduced = (code.new_label() for _ in range(4))
        lower, sizes = self.triangle, self.sizes
        self._begin(0)
        code.store_number(at(Words.BELOW), self.padded)
        beside = 0 if self.factored else sizes.vectors
        fixed = lower or self.inverts  # an inverse has a block of columns less and one of right-hand sides more
        code.store_number(at(Words.RIGHT), beside if lower else sizes.blocks + (0 if fixed else beside - 1))
        self._begin_group()
        code.place(again)
        code.load(R12, at(Words.INVERTED))
        if self.symmetric:
            self.root()
        elif sizes.by_columns and not lower:
            self.with_largest(ColumnPivots(self).find)
        elif not lower:
            self.pivots()
        if self.inverts:
            self._begin_sides()
        self._reduce_block()
        code.load(R12, at(Words.INVERTED))
        code.load(RSI, at(Words.SIDES if lower else Words.SQUARE))
        code.add(RSI, 0 if lower else self.width)
        code.store(at(Words.SOURCE), RSI)
        code.load(RCX, at(Words.RIGHT))
        self.substitute(RCX, upwards=False, scaled=self.symmetric or lower)
        code.add(at(Words.BELOW), -self.lanes)
        code.jump(last, JUMP_EQUAL)
        code.compare(at(Words.INSIDE), 0)
        code.jump(inside, JUMP_NOT_EQUAL)
        code.load(RAX, at(Words.RIGHT))
        self._reduce_below(Words.BEHIND)
        self._begin_group()
        code.jump(reduced)
        code.place(inside)
        if not lower:
            code.load(RAX, at(Words.INSIDE))
            self._reduce_below(None)
        code.add(at(Words.BEHIND), 1)
        code.add(at(Words.INSIDE), -1)
        code.place(reduced)
        self._move(1)
        if not fixed:
            code.add(at(Words.RIGHT), -1)
        code.jump(again)
        code.place(last)

    def _begin_sides(self) -> None:
        """Store ones in the diagonal of a block's right-hand sides."""
        code = self.code
        code.load(RSI, Words.at(Words.SQUARE))
        code.vector(LOADED, 1, 0, self.all_of(1))
        for row in range(self.lanes):
            self.one(STORE_ONE, 1, 0, Memory(RSI, self.beside + row * (self.stride + NUMBER)))

    def _begin_group(self) -> None:
        """Begin a group with the next block: of as many blocks as one has, or as there are below."""
        code, at, chosen = self.code, Words.at, self.code.new_label()
        code.store_number(at(Words.BEHIND), 0)
        code.store_number(at(Words.INSIDE), GROUP - 1)
        code.load(RAX, at(Words.BELOW))
        code.compare(RAX, GROUP * self.lanes)
        code.jump(chosen, JUMP_GREATER_OR_EQUAL)
        code.constant(RDX, 0)
        code.constant(RCX, self.lanes)
        code.divide_by(RCX)
        code.add(RAX, -1)
        code.store(at(Words.INSIDE), RAX)
        code.place(chosen)

    def _reduce_block(self) -> None:
        """Subtract multiples of the group's blocks before from what a block has right of the group."""
        code, at, done = self.code, Words.at, self.code.new_label()
        code.load(RDX, at(Words.BEHIND))
        code.compare(RDX, 0)
        code.jump(done, JUMP_EQUAL)
        code.load(RAX, at(Words.RIGHT))
        if not self.triangle:
            code.subtract_register(RAX, at(Words.INSIDE))
        code.store(at(Words.VECTORS_HERE), RAX)
        if self.triangle:
            code.load(RSI, at(Words.SIDES))
        else:
            code.multiply(RSI, at(Words.INSIDE), self.width)
            code.add_register(RSI, at(Words.SQUARE))
            code.add(RSI, self.width)
        code.store(at(Words.RESULT), RSI)
        code.load(RDI, at(Words.SQUARE))
        self._go_back(RDX)
        code.store_number(at(Words.HEIGHT), self.lanes)
        if self.symmetric:
            code.store_number(at(Words.GROWTH), 0)
        self._subtract()
        code.place(done)

    def _go_back(self, blocks: int) -> None:
        """Set what is subtracted to so many blocks as a register says, before the row in RSI and the factors in RDI."""
        code, at = self.code, Words.at
        code.multiply(RAX, blocks, self.lanes)
        code.store(at(Words.DEPTH_HERE), RAX)
        for register, word, step in (
            (RSI, Words.SOURCE, self.block),
            (RDI, Words.FACTORS, self.lanes * self.factor_step),
        ):
            code.multiply(RAX, blocks, step)
            code.subtract_register(register, RAX)
            code.store(at(word), register)

    def _reduce_below(self, behind: int | None) -> None:
        """Subtract multiples of a block, or with it of those behind it in the group, from the rows below.

        RAX: the vectors, from SOURCE on. `behind`: the word with the number of blocks, or None.
        """
        code, at = self.code, Words.at
        code.store(at(Words.VECTORS_HERE), RAX)
        code.constant(RDX, 1)
        if behind is not None:
            code.add_register(RDX, at(behind))
        code.load(RSI, at(Words.SOURCE))
        code.add(RSI, self.block)
        code.store(at(Words.RESULT), RSI)
        code.load(RDI, at(Words.SQUARE))
        code.add(RDI, self.lanes * (self.step + self.factor_step))
        self._go_back(RDX)
        if self.symmetric:
            code.store_number(at(Words.HEIGHT), 0)
            code.store_number(at(Words.GROWTH), self.lanes)
        else:
            code.load(RAX, at(Words.BELOW))
            code.store(at(Words.HEIGHT), RAX)
        self._subtract()

    def run_up(self) -> None:
        """From the last block to the first: solve for its right-hand sides, and take them from those above."""
        code, at = self.code, Words.at
        again, last, reduced, inside = (code.new_label() for _ in range(4))
        self._begin(self.sizes.blocks - 1)
        code.store_number(at(Words.BELOW), self.padded)
        code.store_number(at(Words.BEHIND), 0)
        code.place(again)
        code.load(RDX, at(Words.BEHIND))
        code.compare(RDX, 0)
        code.jump(reduced, JUMP_EQUAL)
        code.load(RSI, at(Words.SIDES))
        code.store(at(Words.RESULT), RSI)
        code.add(RSI, self.block)
        code.load(RDI, at(Words.SQUARE))
        code.add(RDI, self.lanes * self.factor_step)
        code.store_number(at(Words.HEIGHT), self.lanes)
        self._subtract_upwards()
        code.place(reduced)
        code.load(R12, at(Words.INVERTED))
        code.load(RSI, at(Words.SIDES))
        code.constant(RCX, self.sizes.vectors)
        self.substitute(RCX, upwards=True, scaled=True)
        code.add(at(Words.BELOW), -self.lanes)
        code.jump(last, JUMP_EQUAL)
        code.add(at(Words.BEHIND), 1)
        code.compare(at(Words.BEHIND), GROUP)
        code.jump(inside, JUMP_NOT_EQUAL)
        code.load(RDX, at(Words.BEHIND))
        code.load(RAX, at(Words.BELOW))
        code.store(at(Words.HEIGHT), RAX)
        code.multiply(RDI, RAX, self.factor_step)  # the rows above are as many as the columns before
        code.load(RAX, at(Words.BASE))
        code.add_register(RDI, RAX)
        code.add(RAX, self.beside)
        code.store(at(Words.RESULT), RAX)
        code.load(RSI, at(Words.SIDES))
        self._subtract_upwards()
        code.store_number(at(Words.BEHIND), 0)
        code.place(inside)
        self._move(-1)
        code.jump(again)
        code.place(last)

    def _subtract_upwards(self) -> None:
        """Subtract multiples of so many blocks as RDX says, from RSI on, with the factors from RDI on."""
        code, at = self.code, Words.at
        code.store(at(Words.SOURCE), RSI)
        code.store(at(Words.FACTORS), RDI)
        code.multiply(RDX, RDX, self.lanes)
        code.store(at(Words.DEPTH_HERE), RDX)
        code.store_number(at(Words.VECTORS_HERE), self.sizes.vectors)
        self._subtract()

    def _begin(self, block: int) -> None:
        """Go to a block."""
        self.set_masks()
        for word, offset in (
            (Words.SQUARE, block * (self.block + self.width)), (Words.SIDES, block * self.block + self.beside),
            (Words.INVERTED, self.reciprocals + block * self.lanes * NUMBER),
        ):  # fmt: skip
            self.at_base(RAX, offset)
            self.code.store(Words.at(word), RAX)

    def _move(self, blocks: int) -> None:
        """Go to another block."""
        for word, step in (
            (Words.SQUARE, self.block + self.width), (Words.SIDES, self.block), (Words.INVERTED, self.lanes * NUMBER)
        ):  # fmt: skip
            self.code.add(Words.at(word), blocks * step)

    def _subtract(self) -> None:
        """Call the code that subtracts."""
        code, back = self.code, self.code.new_label()
        code.address_of(RAX, back)
        code.store(Words.at(Words.RETURN), RAX)
        code.jump(self.subtraction)
        code.place(back)
