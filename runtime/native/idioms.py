"""Idiom recognition: statements that count bits or rotate them become one instruction of AVX-512.

    a = left_shift(x, 5)                y = rotate_left(x, 5)
    b = right_shift(x, 27)       ->
    c = bitwise_and(b, 31)
    y = bitwise_or(a, c)

Bits are counted in pairs, fours and bytes, and the bytes added up by shifts or by a product.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .language import READ, SIZES, Argument, Kernel, Number, Statement

JOINS = ("bitwise_or", "bitwise_xor", "add")
"""Functions that join values without a common bit."""


def with_idioms(kernel: Kernel, dtypes: Mapping[str, str], counts: bool) -> Kernel:
    """The kernel with rotations and, if `counts`, counts of bits, and without the statements that only these read."""
    if not any(statement.function == "right_shift" for statement in kernel.statements):
        return kernel
    made = {statement.name: statement for statement in kernel.statements}
    found = []
    for statement in kernel.statements:
        dtype = dtypes[statement.name]
        whole = "int" in dtype and SIZES[dtype] > 2  # narrow ones have no such instruction
        idioms = _Idioms(made, 8 * SIZES[dtype], dtype.startswith("uint")) if whole else None
        x = idioms.counted(statement.name) if idioms and counts else None
        new = (x and statement._replace(function="bit_count", arguments=(x,))) or (idioms and idioms.turned(statement))
        found.append(new or statement)
    return kernel if tuple(found) == kernel.statements else without_dead(kernel, found)


def results_of(kernel: Kernel) -> set[str]:
    """The names of the values that a kernel writes, or uses as positions."""
    names = {array.name for array in kernel.arrays if array.role not in READ}
    return names.union(place.array for array in kernel.arrays for place in array.at)


def without_dead(kernel: Kernel, statements: list[Statement]) -> Kernel:
    """The kernel with those of the statements that have an effect."""
    read = results_of(kernel)
    kept = []
    for statement in reversed(statements):
        if statement.name in read:
            kept.append(statement)
            read.update(argument for argument in statement.arguments if isinstance(argument, str))
    return replace(kernel, statements=tuple(reversed(kept)))


class _Idioms:
    """The idioms of integers of one size. Each method gives the value that they are about, or None."""

    def __init__(self, made: Mapping[str, Statement], bits: int, unsigned: bool) -> None:
        self.made = made
        self.bits = bits
        self.unsigned = unsigned

    def pair(self, argument: Argument, *functions: str) -> tuple[Argument, Argument] | None:
        """The arguments of a value that one of some functions of two numbers gives."""
        step = self.made.get(argument) if isinstance(argument, str) else None
        if step is None or step.function not in functions:
            return None
        x, y = step.arguments
        return (y, x) if isinstance(x, Number) and step.function in ("bitwise_and", "multiply") else (x, y)

    def by_number(self, argument: Argument, function: str) -> tuple[str, int] | tuple[None, int]:
        """The value, and the number, that a function combines."""
        x, y = self.pair(argument, function) or (None, None)
        if not isinstance(x, str) or not isinstance(y, Number):
            return None, 0
        return x, int(y.value) & ((1 << self.bits) - 1)

    def repeated(self, pattern: int, size: int) -> int:
        """A pattern of some bits, all over a number."""
        return sum(pattern << at for at in range(0, self.bits, size))

    def part(self, argument: Argument, shift: int, mask: int) -> str | None:
        """The x of `(x >> shift) & mask`."""
        x, number = self.by_number(argument, "bitwise_and")
        if x is None or number != mask:
            return None
        return self.moved(x, shift) if shift else x

    def moved(self, argument: Argument, shift: int) -> str | None:
        """The x of `x >> shift`."""
        x, number = self.by_number(argument, "right_shift")
        return x if number == shift else None

    def neighbours(self, argument: Argument, shift: int) -> str | None:
        """The x of `(x & mask) + ((x >> shift) & mask)`, the sums of neighbours that have so many bits each."""
        mask = self.repeated((1 << shift) - 1, 2 * shift)
        x, y = self.pair(argument, "add") or (None, None)
        for a, b in ((x, y), (y, x)):
            found = None if a is None or b is None else self.part(a, 0, mask)
            if found is not None and b is not None and found == self.part(b, shift, mask):
                return found
        return None

    def halved(self, argument: Argument, shift: int) -> str | None:
        """The x of `x + (x >> shift)`."""
        x, y = self.pair(argument, "add") or (None, None)
        for a, b in ((x, y), (y, x)):
            if isinstance(a, str) and b is not None and self.moved(b, shift) == a:
                return a
        return None

    def bytes_counted(self, argument: Argument) -> str | None:
        """The x whose bits a value counts in each byte."""
        fours, mask = self.neighbours(argument, 4), self.repeated(0x0F, 8)
        if fours is None:
            x, number = self.by_number(argument, "bitwise_and")
            fours = self.halved(x, 4) if x is not None and number == mask else None
        twos = None if fours is None else self.neighbours(fours, 2)
        if twos is None:
            return None
        whole, odd = self.pair(twos, "subtract") or (None, None)
        if isinstance(whole, str) and odd is not None and self.part(odd, 1, self.repeated(1, 2)) == whole:
            return whole
        return self.neighbours(twos, 1)

    def counted(self, argument: Argument) -> str | None:
        """The x whose bits a value counts."""
        x = self.moved(argument, self.bits - 8)
        if x is not None:
            total, number = self.by_number(x, "multiply")
            return self.bytes_counted(total) if total is not None and number == self.repeated(1, 8) else None
        total, number = self.by_number(argument, "bitwise_and")
        most = 2 * self.bits - 1  # the count is in the lowest byte, and the bits above it are others
        if total is None or number > 0xFF or number & most != most:
            return None
        return self.bytes_added(total, {shift for shift in (8, 16, 32) if shift < self.bits})

    def bytes_added(self, argument: Argument, shifts: set[int]) -> str | None:
        """The x whose bits a value counts in its lowest byte: bytes are added up by shifts."""
        for shift in shifts:
            half = self.halved(argument, shift)
            if half is not None:
                return self.bytes_added(half, shifts - {shift})
        return None if shifts else self.bytes_counted(argument)

    def turned(self, statement: Statement) -> Statement | None:
        """A statement that joins both parts of rotated numbers, as a rotation."""
        x, y = self.pair(statement.name, *JOINS) or (None, None)
        for a, b in ((x, y), (y, x)):
            source, count = (None, 0) if a is None else self.by_number(a, "left_shift")
            if source is None or b is None or not 0 < count < self.bits:
                continue
            right = self.bits - count
            # The right shift of signed numbers repeats the sign, which a mask removes.
            if source in (self.part(b, right, (1 << count) - 1), self.moved(b, right) if self.unsigned else None):
                return statement._replace(function="rotate_left", arguments=(source, Number(count)))
        return None
