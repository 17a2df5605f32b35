"""Convolutions by direct sums, as in `direct_code.py`, on the 16 registers of AVX2: up to 12 vectors of sums."""

from __future__ import annotations

from .assembler import RAX, RBX, RCX, RDI, RDX, RSI, Memory
from .direct_code import DirectCode
from .narrow_assembler import COMPARE, EXTRACT_HALF, SIGNS, UNORDERED, NarrowAssembler
from .product_blocks import exchanged


class NarrowDirectCode(DirectCode):
    """Writes the code of one function."""

    assembler = NarrowAssembler
    spreads = False

    def _exchange(self, rows: int, columns: int, whole: bool = True) -> None:
        code, size = self.code, self.size
        code.load(RAX, RSI)
        for row in range(self.across):
            if row < rows:
                code.load_first(row, Memory(RAX), size * columns)
                code.add_register(RAX, RBX)
            else:
                code.clear(row)
        code.load(RAX, RDI)
        for register in exchanged(code, size)[:columns]:
            code.store_first(register, Memory(RAX), size * (self.across if whole else rows))
            code.add_register(RAX, RDX)

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
