"""The code that copies arrays of float32, or adds them, as in `copy_code.py`, with vectors of AVX2.

What is left of a row is half a vector and single elements. Between the elements that are written nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable

from .assembler import JUMP_EQUAL, RAX, Memory
from .copy_code import SOURCE, SOURCE_STEP, TAIL, TARGET, TARGET_STEP, VECTORS, CopyCode, CopyWords
from .narrow_assembler import EXTRACT_HALF, INSERT_HALF, SHUFFLE, NarrowAssembler
from .wide_assembler import ADD, LOAD

LANES, HALF = 8, 4  # elements of a vector, and of half a one
EVERY_OTHER = 0xD8
"""Two elements from the first vector, at 0 and 2, and two from the second, at 1 and 3."""


class NarrowCopyCode(CopyCode):
    """Writes the code of the function."""

    code: NarrowAssembler
    assembler = NarrowAssembler

    def _divide_row(self) -> None:
        code, at = self.code, CopyWords.at
        code.load(VECTORS, at(CopyWords.EXTENTS))
        code.load(TAIL, VECTORS)
        code.bit_and(TAIL, LANES - 1)
        code.shift_right(VECTORS, 3)
        for step, word in ((SOURCE_STEP, CopyWords.SOURCE_STEPS), (TARGET_STEP, CopyWords.TARGET_STEPS)):
            code.multiply(step, at(word), LANES)

    def _choose_every_other(self) -> None:
        """Nothing is needed."""

    def _choose_apart(self) -> None:
        """Nothing is needed."""

    def _last_columns(self, row: Callable[[int], None]) -> None:
        code, (source, target) = self.code, self.distances
        for bit, count in ((HALF, HALF), (2, 1), (1, 1)):
            without = code.new_label()
            code.load(RAX, TAIL)
            code.bit_and(RAX, bit)
            code.jump(without, JUMP_EQUAL)
            for _ in range(bit // count):
                row(count)
                code.add(SOURCE, source * count)
                code.add(TARGET, target * count)
            code.place(without)

    def _copy(self, count: int) -> None:
        self.code.load_first(0, Memory(SOURCE), 4 * count)
        self.code.store_first(0, Memory(TARGET), 4 * count)

    def _add(self, count: int) -> None:
        code = self.code
        for register, place in enumerate((SOURCE, TARGET)):
            code.load_first(register, Memory(place), 4 * count)
        code.vector(ADD[4], 0, 0, 1)
        code.store_first(0, Memory(TARGET), 4 * count)

    def _load_every_other(self, register: int, place: int, count: int) -> None:
        """Load every second element, and nothing behind the last one. Overwrites the register behind it."""
        code = self.code
        if count == 1:
            code.load_first(register, Memory(place), 4)
            return
        for target, first in ((register, 0), (register + 1, 3)):
            code.vector(LOAD[4], target, 0, Memory(place, 4 * first), bits=128)
            if count == LANES:
                code.vector(INSERT_HALF, target, target, Memory(place, 4 * (LANES + first)), 1)
        code.vector(SHUFFLE, register, register, register + 1, EVERY_OTHER)

    def _copy_every_other(self, count: int) -> None:
        self._load_every_other(0, SOURCE, count)
        self.code.store_first(0, Memory(TARGET), 4 * count)

    def _write_apart(self, count: int, *, adds: bool) -> None:
        code = self.code
        code.load_first(0, Memory(SOURCE), 4 * count)
        if adds:
            self._load_every_other(1, TARGET, count)
            code.vector(ADD[4], 0, 0, 1)
        for number in range(count):
            if number == HALF:
                code.vector(EXTRACT_HALF, 0, 0, 0, 1)
            code.store_lane(0, Memory(TARGET, 8 * number), 4, number % HALF)
