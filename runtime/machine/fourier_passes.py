"""The inner parts of Fourier transforms: passes that transform a few numbers in registers, for all places.

Real and imaginary parts lie in vectors of their own; lanes are transforms side by side. A pass of radix r reads r
numbers that are n / r apart, transforms them, multiplies them by roots of unity, and writes them so that in the end all
are in order (Stockham's algorithm, by decimation in frequency).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ..records import dataclass
from .assembler import (
    JUMP_NOT_EQUAL,
    MAP_0F,
    MAP_0F3A,
    MAP_0F38,
    NONE,
    P66,
    PF2,
    PF3,
    R8,
    R9,
    R10,
    R11,
    RAX,
    RCX,
    RDI,
    RDX,
    RSI,
    Form,
    Memory,
    Operand,
    Pooled,
)
from .fourier_sizes import IN_REGISTERS
from .frame_words import FrameWords
from .sizes import WIDTH
from .vector_assembler import INTO_FIRST, PERMUTE, VectorAssembler
from .wide_assembler import (
    ADD,
    LOAD,
    MULTIPLY,
    MULTIPLY_ADD,
    STORE,
    SUBTRACT,
    SUBTRACT_PRODUCT,
    UNPACK_HIGH,
    UNPACK_LOW,
    WideAssembler,
)

ALIGNED = 64  # bytes, of what lies in the room
Pair = tuple[int, int]
"""Registers of real and imaginary parts."""

ROOM = FrameWords.LEAD
"""The word of the address of the memory to work in; behind it are those of the tables, and of counts."""
TABLES, OUTER, BLOCKS, BETWEEN, SQUARES, PARTS = range(ROOM + 1, ROOM + 7)

SPREAD = {4: Form(P66, MAP_0F38, 0x18), 8: Form(P66, MAP_0F38, 0x19)}  # by the bytes of an element, as all below
STORE_FIRST = {4: Form(PF3, MAP_0F, 0x11), 8: Form(PF2, MAP_0F, 0x11, 1)}
SHUFFLE = {4: Form(NONE, MAP_0F, 0xC6), 8: Form(P66, MAP_0F, 0xC6)}
QUARTERS = Form(P66, MAP_0F3A, 0x01, 1)
"""Elements of 8 bytes in another order, by the last byte."""
HALVES = Form(P66, MAP_0F3A, 0x06)


@dataclass
class Strand:
    """Where numbers of one side of a pass lie.

    Attributes:
        bases: what holds the addresses of the first real and imaginary part: registers; or an offset in the room.
        step: the bytes between numbers.
        apart: the bytes between a real part and its imaginary part, if there is one base.
        swapped: whether real and imaginary parts change places: so the inverse is the same transform.
        paired: whether parts alternate in memory: two vectors hold a vector of each.
    """

    bases: tuple[int, ...] = ()
    room: int = 0
    step: int = 0
    apart: int = 0
    swapped: bool = False
    paired: bool = False


MOST_KEPT = 128
_KEPT: dict[tuple[object, ...], tuple[WideAssembler, list[Pair], list[int]]] = {}
"""The code of short transforms by their registers, the registers of the results, and those that are free then."""


def narrow_assembler() -> WideAssembler:
    """An assembler for AVX2, whose file few processors need."""
    from .narrow_assembler import NarrowAssembler

    return NarrowAssembler()


class Passes:
    """Writes the passes for vectors of a dtype."""

    def __init__(self, dtype: str, vector: int) -> None:
        self.code: WideAssembler = VectorAssembler() if vector == WIDTH else narrow_assembler()
        self.vector = vector
        self.dtype = np.dtype(dtype)
        self.size = self.dtype.itemsize
        self.free = list(range(self.code.registers))
        self.room = 0

    def reserve(self, nbytes: int) -> int:
        """So many bytes of the room; where they begin."""
        here = self.room
        self.room += -(-nbytes // ALIGNED) * ALIGNED
        return here

    # Registers and arithmetic

    def take(self) -> int:
        """A free vector register."""
        return self.free.pop(0)

    def give(self, *registers: int) -> None:
        """Registers that are free again."""
        self.free[:0] = registers

    def calculate(self, form: dict[int, Form], register: int, first: int, second: Operand) -> None:
        """An instruction on vectors."""
        self.code.vector(form[self.size], register, first, second)

    def number(self, value: float) -> Pooled:
        """A constant in all lanes."""
        return Pooled(np.full(self.vector // self.size, value, self.dtype).tobytes())

    def both(self, a: int, b: int) -> Pair:
        """Replace two registers by their sum and their difference."""
        difference = self.take()
        self.calculate(SUBTRACT, difference, a, b)
        self.calculate(ADD, a, a, b)
        self.give(b)
        return a, difference

    def butterfly(self, a: Pair, b: Pair) -> tuple[Pair, Pair]:
        """a + b and a - b."""
        (real, less_real), (imag, less_imag) = self.both(a[0], b[0]), self.both(a[1], b[1])
        return (real, imag), (less_real, less_imag)

    def turned(self, a: Pair, b: Pair) -> tuple[Pair, Pair]:
        """a - ib and a + ib."""
        (real, other_real), (other_imag, imag) = self.both(a[0], b[1]), self.both(a[1], b[0])
        return (real, imag), (other_real, other_imag)

    def multiply(self, a: Pair, real: int, imag: int) -> Pair:
        """a * (real + i imag), in place of a."""
        other = self.take()
        self.calculate(MULTIPLY, other, a[0], imag)
        self.calculate(MULTIPLY, a[0], a[0], real)
        self.calculate(SUBTRACT_PRODUCT, a[0], a[1], imag)
        self.calculate(MULTIPLY_ADD, other, a[1], real)
        self.give(a[1])
        return a[0], other

    def by_table(self, a: Pair, place: Memory, whole: bool) -> Pair:
        """a times a number of a table: one for all lanes, or a vector of real and one of imaginary parts."""
        factors = self.factors(place, whole)
        product = self.multiply(a, *factors)
        self.give(*factors)
        return product

    def factors(self, place: Memory, whole: bool) -> Pair:
        """Load a number of a table."""
        real, imag = self.take(), self.take()
        form, apart = (LOAD, self.vector) if whole else (SPREAD, self.size)
        self.calculate(form, real, 0, place)
        self.calculate(form, imag, 0, place._replace(offset=place.offset + apart))
        return real, imag

    # Short transforms

    def transform(self, x: list[Pair]) -> list[Pair]:
        """The transform of a few numbers. Its instructions are kept: most passes have the same ones."""
        key = self.vector, self.size, *x, *self.free
        known = _KEPT.get(key)
        if known is None:
            if len(_KEPT) >= MOST_KEPT:
                _KEPT.clear()
            code, self.code = self.code, type(self.code)()
            made = self.written(x)
            own, self.code = self.code, code
            known = _KEPT[key] = own, made, [*self.free]
        own, made, free = known
        self.code.paste(own, 0)
        self.free[:] = free
        return [*made]

    def written(self, x: list[Pair]) -> list[Pair]:
        """The transform of a few numbers, written anew."""
        count = len(x)
        if count == 2:
            return list(self.butterfly(*x))
        if count == 4:
            (a, b), (c, d) = self.butterfly(x[0], x[2]), self.butterfly(x[1], x[3])
            (first, third), (second, fourth) = self.butterfly(a, c), self.turned(b, d)
            return [first, second, third, fourth]
        return self.of_eight(x) if count == 8 else self.of_odd(x)

    def of_eight(self, x: list[Pair]) -> list[Pair]:
        """The transform of eight numbers: those of four even and four odd ones, and butterflies."""
        even, odd = self.written(x[::2]), self.written(x[1::2])
        root = self.number(math.sqrt(0.5))
        (plus, minus) = self.both(odd[1][1], odd[1][0])  # imag + real, imag - real
        for register in (plus, minus):
            self.calculate(MULTIPLY, register, register, root)
        first = self.butterfly(even[1], (plus, minus))
        plus, minus = self.both(odd[3][1], odd[3][0])
        for register in (plus, minus):
            self.calculate(MULTIPLY, register, register, root)
        # The factor is -(1 + i) / root of 2: the product is (minus, -plus).
        last = self.turned(even[3], (plus, minus))
        zero, second = self.butterfly(even[0], odd[0]), self.turned(even[2], odd[2])
        return [zero[0], first[0], second[0], last[0], zero[1], first[1], second[1], last[1]]

    def of_odd(self, x: list[Pair]) -> list[Pair]:
        """The transform of an odd number of numbers, by sums and differences of those that mirror each other."""
        count = len(x)
        half = count // 2
        sums, differences = [x[0]], []
        for number in range(1, half + 1):
            plus, minus = self.butterfly(x[number], x[count - number])
            sums.append(plus)
            differences.append(minus)
        angles = 2 * math.pi / count * np.outer(np.arange(1, half + 1), np.arange(1, half + 1))
        weights = np.concatenate([np.ones((half + 1, 1)), np.vstack([np.ones(half), np.cos(angles)])], axis=1)
        reals, imags = (self.weighted([each[part] for each in sums], weights) for part in (0, 1))
        turns = [self.weighted([each[part] for each in differences], np.sin(angles)) for part in (0, 1)]
        result = [(reals[0], imags[0])] * count
        for number in range(1, half + 1):
            pair = (reals[number], imags[number]), (turns[0][number - 1], turns[1][number - 1])
            result[number], result[count - number] = self.turned(*pair)
        return result

    def of_prime(self, radix: int, load: Callable[[int], Pair], finish: Callable[[int, Pair], None]) -> None:
        """The transform of more numbers than registers hold: sums and differences of those that mirror each other lie
        where RAX points, and a few results at a time are weighted sums of these."""
        half, together = radix // 2, 4 if self.vector == WIDTH else 2
        first, total = load(0), (self.take(), self.take())
        for register, given in zip(total, first, strict=True):
            self.calculate(LOAD, register, 0, given)
        for number in range(1, half + 1):
            plus, minus = self.butterfly(load(number), load(radix - number))
            for register, given in zip(total, plus, strict=True):
                self.calculate(ADD, register, register, given)
            for part, register in enumerate((*plus, *minus)):
                self.calculate(STORE, register, 0, Memory(RAX, (4 * number + part - 4) * self.vector))
            self.give(*plus, *minus)
        finish(0, total)
        for start in range(1, half + 1, together):
            chosen = range(start, min(start + together, half + 1))
            sums = self.few_of_prime(radix, first, chosen)
            for number, (a, b, c, d) in zip(chosen, sums, strict=True):
                here, there = self.turned((a, b), (c, d))
                finish(number, here)
                finish(radix - number, there)
        self.give(*first)

    def few_of_prime(self, radix: int, first: Pair, chosen: Sequence[int]) -> list[tuple[int, ...]]:
        """The weighted sums for some results: those of sums, with the first number, and those of differences."""
        sums = [tuple(self.take() for _ in range(4)) for _ in chosen]
        for number in range(1, radix // 2 + 1):
            given = [self.take() for _ in range(4)]
            for part, register in enumerate(given):
                self.calculate(LOAD, register, 0, Memory(RAX, (4 * number + part - 4) * self.vector))
            for result, parts in zip(chosen, sums, strict=True):
                angle = 2 * math.pi * (number * result % radix) / radix
                weights = (math.cos(angle),) * 2 + (math.sin(angle),) * 2
                for part, (register, weight) in enumerate(zip(parts, weights, strict=True)):
                    if number == 1 and part < 2:
                        self.calculate(LOAD, register, 0, first[part])
                    form = MULTIPLY if number == 1 and part >= 2 else MULTIPLY_ADD
                    self.calculate(form, register, given[part], self.number(weight))
            self.give(*given)
        return sums

    def weighted(self, given: list[int], weights: np.ndarray) -> list[int]:
        """Weighted sums of registers, in place of them."""
        made = []
        for row in weights:
            total = self.take()
            if row[0] == 1:
                self.calculate(LOAD, total, 0, given[0])
            else:
                self.calculate(MULTIPLY, total, given[0], self.number(row[0]))
            for register, weight in zip(given[1:], row[1:], strict=True):
                if weight == 1:
                    self.calculate(ADD, total, total, register)
                else:
                    self.calculate(MULTIPLY_ADD, total, register, self.number(weight))
            made.append(total)
        self.give(*given)
        return made

    # Memory

    def begin(self, side: Strand, registers: Sequence[int]) -> list[int]:
        """Point to the first number of a side; the registers."""
        code = self.code
        if not side.bases:
            code.load(registers[0], FrameWords.at(ROOM))
            code.add(registers[0], side.room)
            return [registers[0]]
        for register, base in zip(registers, side.bases, strict=False):
            code.load(register, base)
        return list(registers[: len(side.bases)])

    def places(self, side: Strand, pointers: Sequence[int], number: int) -> tuple[Memory, Memory]:
        """Where the parts of a number are."""
        offset = number * side.step
        if len(pointers) == 2:
            return Memory(pointers[0], offset), Memory(pointers[1], offset)
        return Memory(pointers[0], offset), Memory(pointers[0], offset + (self.vector if side.paired else side.apart))

    def load(self, side: Strand, pointers: Sequence[int], number: int) -> Pair:
        """Load a number of a side."""
        real, imag = self.take(), self.take()
        here, there = self.places(side, pointers, number)
        self.calculate(LOAD, real, 0, here)
        self.calculate(LOAD, imag, 0, there)
        if side.paired:
            real, imag = self.separate(real, imag)
        return (imag, real) if side.swapped else (real, imag)

    def store(self, side: Strand, pointers: Sequence[int], number: int, pair: Pair) -> None:
        """Store a number of a side."""
        real, imag = pair[::-1] if side.swapped else pair
        if side.paired:
            real, imag = self.alternate(real, imag)
        here, there = self.places(side, pointers, number)
        self.calculate(STORE, real, 0, here)
        self.calculate(STORE, imag, 0, there)
        self.give(real, imag)

    def separate(self, first: int, second: int) -> Pair:
        """The elements with even and with odd numbers of two vectors."""
        lanes = self.vector // self.size
        if self.vector == WIDTH:
            return self.mixed(first, second, [[2 * place + odd for place in range(lanes)] for odd in (0, 1)])
        made = self.take(), self.take()
        for register, choice in zip(made, ((0x88, 0xDD), (0x0, 0xF))[self.size == 8], strict=True):
            self.code.vector(SHUFFLE[self.size], register, first, second, choice)
            self.code.vector(QUARTERS, register, 0, register, 0xD8)
        self.give(first, second)
        return made

    def alternate(self, first: int, second: int) -> Pair:
        """Two vectors in which the elements of both alternate."""
        if self.vector == WIDTH:
            lanes = self.vector // self.size
            return self.mixed(first, second, [[place // 2 + lanes * (place % 2) + half * lanes // 2
                                               for place in range(lanes)] for half in (0, 1)])  # fmt: skip
        low, high = self.take(), self.take()
        self.calculate(UNPACK_LOW, low, first, second)
        self.calculate(UNPACK_HIGH, high, first, second)
        self.code.vector(HALVES, first, low, high, 0x20)
        self.code.vector(HALVES, second, low, high, 0x31)
        self.give(low, high)
        return first, second

    def mixed(self, first: int, second: int, choices: Sequence[Sequence[int]]) -> Pair:
        """Two vectors of elements of two, by their numbers, in place of these."""
        order, copy = self.take(), self.take()
        integer = {4: np.int32, 8: np.int64}[self.size]
        self.calculate(LOAD, copy, 0, first)
        for target, numbers in zip((copy, first), choices, strict=True):
            self.calculate(LOAD, order, 0, Pooled(np.array(numbers, integer).tobytes()))
            self.code.vector(INTO_FIRST[self.size], target, order, second)
        self.give(order, second)
        return copy, first

    def reverse(self, register: int) -> None:
        """The elements of a vector, the last one first."""
        lanes = self.vector // self.size
        if self.vector != WIDTH and self.size == 8:
            self.code.vector(QUARTERS, register, 0, register, 0x1B)
            return
        order = self.take()
        integer = {4: np.int32, 8: np.int64}[self.size]
        self.calculate(LOAD, order, 0, Pooled(np.arange(lanes, dtype=integer)[::-1].tobytes()))
        self.code.vector(PERMUTE[self.size], register, order, register)
        self.give(order)

    # Passes

    def columns(
        self, radices: Sequence[int], tables: Sequence[int], source: Strand, target: Strand, room: int,
        scale: float = 1.0, between: bool = False,
    ) -> None:  # fmt: skip
        """Transform vectors of columns, by a pass for each radix; between them numbers lie in the room, from `room` on.

        With `between` the results are multiplied by a table of vectors, whose address is in a word.
        """
        whole, done = math.prod(radices), 1
        works = [Strand(room=room + 2 * self.vector * whole * half, step=2 * self.vector, apart=self.vector)
                 for half in (0, 1)]  # fmt: skip
        for number, radix in enumerate(radices):
            last = number == len(radices) - 1
            before = source if number == 0 else works[number % 2]
            after = target if last else works[(number + 1) % 2]
            outer = whole // radix // done
            self.one_pass(radix, outer, done, before, after, tables[number], scale if last else 1.0, last and between)
            done *= radix

    def one_pass(
        self,
        radix: int,
        outer: int,
        inner: int,
        source: Strand,
        target: Strand,
        table: int,
        scale: float,
        between: bool,
    ) -> None:
        """A pass; `outer` times `inner` short transforms, with a row of the table for each of the outer ones."""
        code, at = self.code, FrameWords.at
        self.free.sort()
        here, there = self.begin(source, (RSI, RDI)), self.begin(target, (R8, R9))
        if outer > 1:
            code.load(R10, at(TABLES))
            code.add(R10, table)
            code.constant(RCX, outer)
        if between:
            code.load(R11, at(BETWEEN))
        in_memory = radix % 2 and radix > IN_REGISTERS[self.vector]
        if in_memory:
            code.load(RAX, at(ROOM))
            code.add(RAX, self.reserve(4 * (radix // 2) * self.vector))
        rows, again = code.new_label(), code.new_label()
        code.place(rows)
        if inner > 1:
            code.constant(RDX, inner)
        code.place(again)

        def load(number: int) -> Pair:
            return self.load(source, here, number * outer * inner)

        def finish(each: int, pair: Pair) -> None:
            if outer > 1 and each:
                pair = self.by_table(pair, Memory(R10, 2 * self.size * (each - 1)), False)
            if between:
                pair = self.by_table(pair, Memory(R11, 2 * self.vector * each * inner), True)
            if scale != 1.0:
                for register in pair:
                    self.calculate(MULTIPLY, register, register, self.number(scale))
            self.store(target, there, each * inner, pair)

        if in_memory:
            self.of_prime(radix, load, finish)
        else:
            for each, pair in enumerate(self.transform([load(number) for number in range(radix)])):
                finish(each, pair)
        self.advance(source, here, 1)
        self.advance(target, there, 1)
        if between:
            code.add(R11, 2 * self.vector)
        if inner > 1:
            code.decrement(RDX)
            code.jump(again, JUMP_NOT_EQUAL)
        if outer > 1:
            self.advance(target, there, inner * (radix - 1))
            code.add(R10, 2 * self.size * (radix - 1))
            code.decrement(RCX)
            code.jump(rows, JUMP_NOT_EQUAL)

    def advance(self, side: Strand, pointers: Sequence[int], count: int) -> None:
        """Move the pointers of a side by some numbers."""
        for pointer in pointers:
            self.code.add(pointer, count * side.step)
