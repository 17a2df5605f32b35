"""Convolutions by direct sums, as in `direct_code.py`, on the 16 registers of AVX2: up to 12 vectors of sums."""

from __future__ import annotations

from .assembler import RAX, RCX, Memory
from .direct_code import DirectCode
from .narrow_assembler import COMPARE, EXTRACT_HALF, SIGNS, UNORDERED, NarrowAssembler
from .turn_code import exchange_square


class NarrowDirectCode(DirectCode):
    """Writes the code of one function."""

    assembler = NarrowAssembler
    code: NarrowAssembler
    spreads = False

    def _exchange(self, rows: int, columns: int, whole: bool = True) -> None:
        exchange_square(self.code, self.size, rows, columns, self.across if whole else rows)

    def _find_nan(self, register: int) -> None:
        self.code.vector(COMPARE[self.size], register, register, register, UNORDERED)
        self.code.vector(SIGNS[self.size], RAX, 0, register)

    def _write_apart(
        self, registers: list[int], pixels: range, columns: int, apart: tuple[int, ...], plane: int
    ) -> None:
        """As for AVX-512, element by element."""
        code, size, across = self.code, self.size, self.sizes.image[2]
        half = self.across // 2
        places = [divmod(pixel, columns) for pixel in pixels]
        for register in registers:
            for number, (row, column) in enumerate(places):
                if number == half:
                    code.vector(EXTRACT_HALF, register, 0, register, 1)
                place = Memory(RCX, size * (row * apart[0] * across + column * apart[1]))
                code.store_lane(register, place, size, number % half)
            code.add(RCX, plane)
