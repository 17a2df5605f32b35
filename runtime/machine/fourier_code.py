"""The code of `fourier.py`: where the passes of transforms along an axis read and write."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from ..arena import Arena
from .assembler import (
    JUMP_NOT_EQUAL,
    R8,
    R9,
    R10,
    R11,
    R12,
    R13,
    R14,
    R15,
    RAX,
    RBX,
    RDI,
    RDX,
    RSI,
    Memory,
)
from .fixed_boundary import FixedBoundary
from .fourier_passes import (
    ALIGNED,
    BETWEEN,
    BLOCKS,
    OUTER,
    PARTS,
    ROOM,
    SPREAD,
    SQUARES,
    STORE_FIRST,
    TABLES,
    Pair,
    Passes,
    Strand,
)
from .fourier_sizes import COMPLEX, FROM_HALF, TO_HALF, FourierSizes, Tables, radices_of, roots, starts
from .frame_words import FrameWords
from .product_blocks import exchanged
from .wide_assembler import LOAD, MULTIPLY, MULTIPLY_ADD, STORE, SUBTRACT_PRODUCT

Assembled = tuple[bytes, np.ndarray, int]
"""The code of a function, its tables, which it reads where they are, and how many elements the room has."""


def assemble(sizes: FourierSizes) -> Assembled:
    """The function for one list of sizes. Complex rows that are divided have the factor of the result in a table: with
    another factor they have the same code."""
    if sizes.kind != COMPLEX or sizes.way != "divided":
        return FourierCode(sizes).assemble()
    made = _divided(sizes._replace(scale=1.0))
    if not made:
        first = FourierCode(sizes)
        assembled = first.assemble()
        made.append((sizes.scale, first.scaled, *assembled))
    scale, scaled, code, tables, room = made[0]
    if sizes.scale == scale:
        return code, tables, room
    other = Arena(tables.nbytes).memory.view(tables.dtype)[: tables.size]
    other[...] = tables
    other[scaled] *= sizes.scale / scale
    before, after = (struct.pack("<Q", each.ctypes.data) for each in (tables, other))
    return code.replace(before, after), other, room


@lru_cache(maxsize=16)  # tables are large
def _divided(sizes: FourierSizes) -> list[tuple[float, slice, bytes, np.ndarray, int]]:
    """A place for what is assembled first for these sizes: its factor, where that stands in the tables, and these."""
    return []


class FourierCode(Passes):
    """Writes the function for one list of sizes.

    R12 and R13 point to the real and imaginary parts that are read, R14 and R15 to those that are written.
    """

    def __init__(self, sizes: FourierSizes) -> None:
        super().__init__(sizes.dtype, sizes.vector)
        self.sizes = sizes
        self.tables = Tables(sizes)
        self.pair = 2 * self.vector
        self.sources = (R12, R13)[: 2 - (sizes.kind == TO_HALF)]
        self.targets = (R14, R15)[: 2 - (sizes.kind == FROM_HALF)]
        self.scaled = slice(0)  # the numbers of the tables that have the factor of complex results

    def assemble(self) -> Assembled:
        """The function's code, tables and room."""
        ways = {"columns": self.of_columns, "rows": self.of_rows, "divided": self.of_divided}
        body = ways[self.sizes.way]
        code, arrays = self.code, len(self.sources) + len(self.targets)
        start = self.code.new_label()
        code.jump(start)  # the sizes of tables and room are known when the body is written
        inner = code.new_label()
        code.place(inner)
        body()
        room, tables = (self.room + ALIGNED) // self.size, self.tables.all()
        boundary = self.boundary(room)
        boundary.leave()
        code.place(start)
        boundary.enter()
        at = FrameWords.at
        code.load(RAX, at(arrays))
        code.add(RAX, ALIGNED - 1)
        code.bit_and(RAX, -ALIGNED)
        code.store(at(ROOM), RAX)
        code.constant(RAX, tables.ctypes.data)
        code.store(at(TABLES), RAX)
        self.point_to_arrays()
        code.jump(inner)
        return code.finish(), tables, room

    def boundary(self, room: int) -> FixedBoundary:
        """The function's entry and exits."""
        sizes, read, written = self.sizes, len(self.sources), len(self.targets)
        given, made = map(sizes.shape, (sizes.given, sizes.made))
        shapes = [*[given] * read, *[made] * written, (room,)]
        work = sizes.outer * sizes.length * sizes.inner * 8
        return FixedBoundary(self.code, self.dtype, shapes, set(range(read, len(shapes))), work)

    def point_to_arrays(self) -> None:
        """Load the addresses of the arrays."""
        for position, register in enumerate((*self.sources, *self.targets)):
            self.code.load(register, FrameWords.at(position))

    def point(self, register: int, room: int) -> None:
        """Point to a place in the room."""
        self.code.load(register, FrameWords.at(ROOM))
        self.code.add(register, room)

    # Loops

    def repeated(self, word: int, count: int, body: Callable[[], None]) -> None:
        """Run the body some times; the word counts what is left."""
        code, at, again = self.code, FrameWords.at, self.code.new_label()
        code.store_number(at(word), count)
        code.place(again)
        body()
        if count > 1:
            code.add(at(word), -1)
            code.jump(again, JUMP_NOT_EQUAL)

    def blocks(self, word: int, columns: int, moved: dict[int, int], body: Callable[[], None]) -> None:
        """Run the body for each vector of columns, or of rows. `moved` are registers and the bytes from one column to
        the next. The last vector is not behind the end; then the registers are."""
        code, at, lanes = self.code, FrameWords.at, self.sizes.lanes
        found = starts(columns, lanes)
        back = int(found[-1]) - lanes * (len(found) - 1)

        def block() -> None:
            body()
            for register, step in moved.items():
                code.add(register, lanes * step)
            if back:
                inside = code.new_label()
                code.compare(at(word), 2)
                code.jump(inside, JUMP_NOT_EQUAL)
                for register, step in moved.items():
                    code.add(register, back * step)
                code.place(inside)

        self.repeated(word, len(found), block)

    # The three ways

    def of_columns(self) -> None:
        """Transforms side by side."""
        sizes, step = self.sizes, self.sizes.inner * self.size
        transform = self.vectors(Strand(self.sources, step=step), Strand(self.targets, step=step))
        moved = dict.fromkeys((*self.sources, *self.targets), self.size)

        def matrix() -> None:
            self.blocks(BLOCKS, sizes.inner, moved, transform)
            for registers, count in ((self.sources, sizes.given), (self.targets, sizes.made)):
                for register in registers:
                    self.code.add(register, (count - 1) * step)

        self.repeated(OUTER, sizes.outer, matrix)

    def of_rows(self) -> None:
        """Transforms of rows, which become columns, and rows again."""
        sizes, vector = self.sizes, self.vector
        sides, steps = [], [vector * len(registers) for registers in (self.sources, self.targets)]
        for count, step in zip((sizes.given, sizes.made), steps, strict=True):
            sides.append(Strand(room=self.reserve(count * step), step=step, apart=vector))
        transform = self.vectors(*sides)
        rows = min(sizes.lanes, sizes.outer)

        def block() -> None:
            for number, register in enumerate(self.sources):
                self.turn(register, sides[0].room + number * vector, sizes.given, steps[0], rows, True)
            transform()
            for number, register in enumerate(self.targets):
                self.turn(register, sides[1].room + number * vector, sizes.made, steps[1], rows, False)

        moved = dict.fromkeys(self.sources, sizes.given * self.size)
        moved |= dict.fromkeys(self.targets, sizes.made * self.size)
        self.blocks(OUTER, sizes.outer, moved, block)

    def of_divided(self) -> None:
        """Transforms of rows, as matrices: of their columns, and then of their rows."""
        sizes, size, vector = self.sizes, self.size, self.vector
        rows, columns = sizes.divided or (0, 0)
        plane = -(-(rows * columns + 1) * size // ALIGNED) * ALIGNED
        middle, packed = self.reserve(2 * plane), self.reserve(columns * self.pair)
        half = self.reserve(0 if sizes.kind == COMPLEX else 2 * plane)
        work = self.reserve(2 * self.pair * max(rows, columns))
        first, second = (radices_of(count, vector) or () for count in (rows, columns))
        tables = self.tables.passes(rows, first), self.tables.passes(columns, second)
        between = self.tables.between(rows, columns, sizes.scale if sizes.kind == COMPLEX else 1.0)
        self.scaled = slice(between // size, self.tables.count)
        spectrum = Strand(room=half, step=size, apart=plane)
        join = self.mirrored(Strand(self.sources, step=size), spectrum) if sizes.kind == FROM_HALF else None
        split = self.mirrored(spectrum, Strand(self.targets, step=size)) if sizes.kind == TO_HALF else None

        def side(registers: tuple[int, ...], step: int, is_half: bool, is_real: bool) -> tuple[Strand, dict[int, int]]:
            if is_half:
                self.point(registers[0], half)
            return self.side(registers, step, plane if is_half else 0, is_real)

        def row() -> None:
            code, at = self.code, FrameWords.at
            self.point_to_arrays()
            if join is not None:
                join()
            code.load(RAX, at(TABLES))
            code.add(RAX, between)
            code.store(at(BETWEEN), RAX)
            source, moved = side((R12, R13), columns * size, sizes.kind == FROM_HALF, sizes.kind == TO_HALF)
            self.point(R14, middle)

            def down() -> None:
                target = Strand((R14,), 0, columns * size, plane)
                self.columns(first, tables[0], source, target, work, between=True)
                code.add(at(BETWEEN), rows * self.pair)

            self.blocks(BLOCKS, columns, {**moved, R14: size}, down)
            self.point_to_arrays()
            self.point(R12, middle)
            target, moved = side((R14, R15), rows * size, sizes.kind == TO_HALF, sizes.kind == FROM_HALF)

            def along() -> None:
                self.turn(R12, packed, columns, self.pair, sizes.lanes, True, plane)
                lines = Strand(room=packed, step=self.pair, apart=vector)
                self.columns(second, tables[1], lines, target, work)

            self.blocks(BLOCKS, rows, {**moved, R12: columns * size}, along)
            self.point_to_arrays()
            if split is not None:
                split()
            for position in range(len(self.sources) + len(self.targets)):
                count = sizes.given if position < len(self.sources) else sizes.made
                code.add(at(position), count * size)

        self.repeated(OUTER, sizes.outer, row)

    def side(self, registers: tuple[int, ...], step: int, plane: int, is_real: bool) -> tuple[Strand, dict[int, int]]:
        """What complex transforms read or write, and how it moves. With `plane`, both parts are in one room."""
        made = Strand(registers, 0, step, 0, self.sizes.kind == FROM_HALF)
        if plane:
            made.bases, made.apart = registers[:1], plane
        if is_real:
            made.bases, made.step, made.paired = registers[:1], 2 * step, True
        return made, dict.fromkeys(made.bases, self.size * (1 + is_real))

    def turn(self, register: int, room: int, columns: int, step: int, rows: int, read: bool, plane: int = 0) -> None:
        """Copy rows from where a register points to columns in the room, a vector each, or back. `plane`: bytes from
        real parts to imaginary parts, which become the vectors behind the others."""
        code, lanes, pitch = self.code, self.sizes.lanes, columns * self.size
        code.load(RSI, register)
        self.point(RDI, room)

        def square() -> None:
            for place in range(lanes):
                if not read:
                    self.calculate(LOAD, place, 0, Memory(RDI, place * step))
                elif place < rows:
                    self.calculate(LOAD, place, 0, Memory(RSI, place * pitch))
                else:
                    code.clear(place)
            for place, column in enumerate(exchanged(code, self.size)):
                if read:
                    self.calculate(STORE, column, 0, Memory(RDI, place * step))
                elif place < rows:
                    self.calculate(STORE, column, 0, Memory(RSI, place * pitch))

        def part() -> None:
            self.blocks(SQUARES, columns, {RSI: self.size, RDI: step}, square)
            if plane:
                code.add(RSI, plane - columns * self.size)
                code.add(RDI, self.vector - columns * step)

        self.repeated(PARTS, 1 + bool(plane), part)

    # Halves of spectra

    def vectors(self, source: Strand, target: Strand) -> Callable[[], None]:
        """What transforms one vector of columns."""
        sizes, points = self.sizes, self.sizes.points
        radices = radices_of(points, self.vector) or ()
        tables = self.tables.passes(points, radices)
        work = self.reserve(2 * points * self.pair)
        if sizes.kind == COMPLEX:
            return lambda: self.columns(radices, tables, source, target, work, sizes.scale)
        spectrum = Strand(room=self.reserve((points + 1) * self.pair), step=self.pair, apart=self.vector)
        fold = self.mirrored(source, spectrum) if sizes.kind == FROM_HALF else self.mirrored(spectrum, target)
        outer = source if sizes.kind == TO_HALF else target
        swapped = sizes.kind == FROM_HALF
        real = Strand(outer.bases, outer.room, 2 * outer.step, outer.step, swapped)
        given = Strand(room=spectrum.room, step=self.pair, apart=self.vector, swapped=swapped)

        def run() -> None:
            if sizes.kind == FROM_HALF:
                fold()
                self.columns(radices, tables, given, real, work)
            else:
                self.columns(radices, tables, real, given, work)
                fold()

        return run

    def mirrored(self, source: Strand, target: Strand) -> Callable[[], None]:
        """What turns the spectrum of pairs of real numbers to that of real numbers, or back: each number is made of
        those at k and at n - k."""
        sizes, points = self.sizes, self.sizes.points
        whole, split = sizes.way == "divided", sizes.kind == TO_HALF
        count, scale = points + split, sizes.scale / 2 if split else sizes.scale
        if whole:
            begin, lane = starts(count, sizes.lanes)[:, None], np.arange(sizes.lanes)
            table = self.tables.of_sums(begin, lane, sizes.length, scale)
        else:
            table = self.tables.add(scale * roots(np.arange(count), sizes.length))

        def run() -> None:
            code = self.code
            if split:
                self.close(source)
            here, back = self.begin(source, (RSI, RDI)), self.begin(source, (R11, RBX))
            for register in back:
                code.add(register, points * source.step - (sizes.lanes - 1) * self.size * whole)
            there = self.begin(target, (R8, R9))
            code.load(R10, FrameWords.at(TABLES))
            code.add(R10, table)
            moved = dict.fromkeys(here, source.step) | dict.fromkeys(back, -source.step)
            moved |= dict.fromkeys(there, target.step)

            def number() -> None:
                first, second = self.load(source, here, 0), self.load(source, back, 0)
                for register in second if whole else ():
                    self.reverse(register)
                self.store(target, there, 0, self.folded(first, second, self.factors(Memory(R10), whole)))
                code.add(R10, self.pair if whole else 2 * self.size)

            if whole:
                self.blocks(BLOCKS, count, moved, number)
            else:
                again = code.new_label()
                code.constant(RDX, count)
                code.place(again)
                number()
                for register, step in moved.items():
                    code.add(register, step)
                code.decrement(RDX)
                code.jump(again, JUMP_NOT_EQUAL)
            self.mend(source, target)

        return run

    def folded(self, first: Pair, second: Pair, factors: Pair) -> Pair:
        """A number of a spectrum, of two of the other one."""
        (plus, minus), (cross, differ) = self.both(first[0], second[0]), self.both(first[1], second[1])
        split, inverse = self.sizes.kind == TO_HALF, self.sizes.inverse
        # The imaginary parts have the other sign where the conjugate is made, or given.
        scale, turned = self.sizes.scale / (1 + split), inverse if split else not inverse
        real, imag = factors
        self.calculate(MULTIPLY, plus, plus, self.number(scale))
        self.calculate(MULTIPLY, differ, differ, self.number(-scale if turned else scale))
        add, subtract = (SUBTRACT_PRODUCT, MULTIPLY_ADD) if turned else (MULTIPLY_ADD, SUBTRACT_PRODUCT)
        if split:
            self.calculate(MULTIPLY_ADD, plus, cross, real)
            self.calculate(MULTIPLY_ADD, plus, minus, imag)
            self.calculate(subtract, differ, minus, real)
            self.calculate(add, differ, cross, imag)
        else:
            self.calculate(subtract, plus, cross, real)
            self.calculate(MULTIPLY_ADD, plus, minus, imag)
            self.calculate(MULTIPLY_ADD, differ, minus, real)
            self.calculate(add, differ, cross, imag)
        self.give(cross, minus, real, imag)
        return plus, differ

    def close(self, spectrum: Strand) -> None:
        """Write the first number behind the last one, too."""
        points, pointers = self.sizes.points, self.begin(spectrum, (RSI,))
        for here, there in zip(*(self.places(spectrum, pointers, number) for number in (0, points)), strict=True):
            self.single(self.sizes.way == "divided", here, there)

    def single(self, one: bool, here: Memory, there: Memory, factor: float = 1.0) -> None:
        """Copy one element, or a vector, and multiply it."""
        register = self.element(one, here)
        if factor != 1.0:
            self.calculate(MULTIPLY, register, register, self.number(factor))
        self.put(one, there, register)

    def element(self, one: bool, place: Memory) -> int:
        """Load one element, or a vector."""
        register = self.take()
        self.calculate(SPREAD if one else LOAD, register, 0, place)
        return register

    def put(self, one: bool, place: Memory, register: int) -> None:
        """Store one element, or a vector."""
        if one:
            self.code.vector(STORE_FIRST[self.size], register, 0, place, bits=128)
        else:
            self.calculate(STORE, register, 0, place)
        self.give(register)

    def mend(self, source: Strand, target: Strand) -> None:
        """The ends of spectra of real numbers have a factor of their own; their imaginary parts count for nothing."""
        sizes, one, points = self.sizes, self.sizes.way == "divided", self.sizes.points
        there = self.begin(target, (R8, R9))
        if sizes.kind == TO_HALF:
            for number in (0, points) if sizes.ends != 1.0 else ():
                place = self.places(target, there, number)[0]
                self.single(one, place, place, sizes.ends)
            return
        here = self.begin(source, (RSI, RDI))
        first, last = (self.element(one, self.places(source, here, number)[0]) for number in (0, points))
        for register, place in zip(self.both(first, last), self.places(target, there, 0), strict=True):
            self.calculate(MULTIPLY, register, register, self.number(sizes.scale * sizes.ends))
            self.put(one, place, register)
