"""The sizes of Fourier transforms in machine code, how they are divided, and their tables of roots of unity."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ..arena import Arena
from ..records import NamedTuple
from .sizes import NARROW, WIDTH

COMPLEX, TO_HALF, FROM_HALF = "complex", "to_half", "from_half"
"""The kinds: of complex numbers; of real ones, to the first half of the spectrum; and from such a half."""

MOST = 1 << 20
"""The longest transform."""
CACHED = 1 << 14
"""Bytes of the numbers that are transformed side by side, at most, where transforms can be divided instead."""
ROOMY = 1 << 23
"""Bytes to work in, at most, for columns."""
BLOCK = 1 << 13
"""The roots of unity that are computed at a time: memory that is touched for the first time costs most."""
QUARTERS = np.array([1, -1j, -1, 1j])
ODD_RADICES = (43, 41, 37, 31, 29, 23, 19, 17, 13, 11, 7, 5, 3)
IN_REGISTERS = {WIDTH: 11, NARROW: 5}
"""The longest odd transform in registers, by the bytes of a vector. What longer ones sum lies in memory."""


class FourierSizes(NamedTuple):
    """The sizes of transforms along an axis of arrays of (*before, length, *after) elements, real and imaginary parts
    apart.

    `scale` is a factor of the result. The inverse of complex numbers is the same transform of parts that change places.
    Where a spectrum is a half, its first element and, for an even length, its last one have another factor `ends`, in
    the result or before it is transformed.
    """

    kind: str
    dtype: str
    before: tuple[int, ...]
    length: int
    after: tuple[int, ...]
    inverse: bool
    scale: float
    ends: float
    vector: int  # bytes of a vector, of AVX-512 or of AVX2

    @property
    def size(self) -> int:
        """The bytes of an element."""
        return 4 if self.dtype == "float32" else 8

    @property
    def lanes(self) -> int:
        """Elements of a vector."""
        return self.vector // self.size

    @property
    def outer(self) -> int:
        """The number of matrices whose columns are transformed."""
        return math.prod(self.before)

    @property
    def inner(self) -> int:
        """Their columns."""
        return math.prod(self.after)

    @property
    def points(self) -> int:
        """The complex numbers that are transformed: two real ones are one of these."""
        return self.length if self.kind == COMPLEX else self.length // 2

    @property
    def given(self) -> int:
        """The elements along the axis."""
        return self.length // 2 + 1 if self.kind == FROM_HALF else self.length

    @property
    def made(self) -> int:
        """The elements along the axis of the result."""
        return self.length // 2 + 1 if self.kind == TO_HALF else self.length

    def shape(self, count: int) -> tuple[int, ...]:
        """The shape of arrays with so many elements along the axis."""
        return *self.before, count, *self.after

    @property
    def divided(self) -> tuple[int, int] | None:
        """Two factors of the points, for transforms of rows in two steps; None if there are none that vectors fill."""
        return factors_of(self.points, self.lanes, self.vector) if self.inner == 1 else None

    @property
    def way(self) -> str:
        """How it is computed: "columns" side by side, "rows" that are turned to columns, or rows that are "divided";
        "" if it is not."""
        lanes, points = self.lanes, self.points
        if points < 2 or self.length > MOST or (self.kind != COMPLEX and self.length % 2):
            return ""
        if radices_of(points, self.vector) is None:
            return ""
        if self.inner >= lanes:  # offsets in instructions have 32 bits
            fits = 4 * self.vector * points <= ROOMY and self.length * self.inner * self.size < 1 << 31
            return "columns" if fits else ""
        if self.inner > 1:
            return ""
        large = points * 2 * self.vector > CACHED
        if self.divided is not None and (large or self.outer < lanes):
            return "divided"
        rows = min(self.given, self.made) >= lanes and not (large and points > 1 << 15)
        return "rows" if rows and 4 * self.outer >= lanes else ""


def radices_of(count: int, vector: int) -> tuple[int, ...] | None:
    """The lengths of short transforms whose product this is; None if there are none."""
    found: list[int] = []
    twos = (count & -count).bit_length() - 1
    left = count >> twos
    for radix in ODD_RADICES:
        while left % radix == 0:
            found.append(radix)
            left //= radix
    if left > 1:
        return None
    most = 3 if vector == WIDTH else 2
    passes = -(-twos // most)
    return (*(1 << twos // passes + (number < twos % passes) for number in range(passes)), *found)


@lru_cache(maxsize=1024)
def factors_of(points: int, lanes: int, vector: int) -> tuple[int, int] | None:
    """Two factors whose transforms fill vectors, with the fewest vectors in all passes; about equal and small ones."""
    found = []
    small = [rows for rows in range(1, math.isqrt(points) + 1) if points % rows == 0]
    for rows in {*small, *[points // rows for rows in small]}:
        if lanes <= rows <= points // lanes:
            columns = points // rows
            passes = [len(radices_of(count, vector) or ()) for count in (rows, columns)]
            blocks = -(-columns // lanes) * rows, -(-rows // lanes) * columns
            work = sum(block * (count + 1) for block, count in zip(blocks, passes, strict=True))
            largest = max(rows, columns)
            found.append((4 * vector * largest > 8 * CACHED, work, largest, rows))
    return (min(found)[3], points // min(found)[3]) if found else None


def roots(numbers: np.ndarray, order: int) -> np.ndarray:
    """e to the power of -2 pi i k / order, for each k; exact for quarters."""
    unit = math.gcd(order, 4)
    given = np.ascontiguousarray(numbers).reshape(-1)
    found = np.empty(given.size, np.complex128)
    nearest: np.ndarray | None = None  # to a quarter: the roots of an eighth behind it, and of one before it
    most = order // (2 * unit)
    if given.size > order // 8:
        behind = _near_one(np.arange(most + 1) * unit, order)
        nearest = np.concatenate([behind[:0:-1].conj(), behind])
    for start in range(0, given.size, BLOCK):
        places = given[start : start + BLOCK]
        places = places - places // order * order  # a fifth of the time of a remainder
        quarters = (8 * places + order) // (2 * order)
        places = 4 * places - quarters * order  # from the nearest quarter, in fourths
        near = _near_one(places, order) if nearest is None else nearest[places // unit + most]
        np.multiply(near, QUARTERS[quarters & 3], out=found[start : start + BLOCK])
    return found.reshape(numbers.shape)


def _near_one(fourths: np.ndarray, order: int) -> np.ndarray:
    """The roots for a fourth of each number."""
    angles = -np.pi / 2 * (fourths / order)
    found = np.empty(angles.shape, np.complex128)
    np.cos(angles, out=found.real)
    np.add(np.sin(angles), 0.0, out=found.imag)  # of -0.0 makes 0.0
    return found


def starts(count: int, lanes: int) -> np.ndarray:
    """Where vectors of so many columns begin; the last one is not behind the end."""
    return np.minimum(np.arange(0, count, lanes), max(count - lanes, 0))


class Tables:
    """The numbers that a function reads, one vector of them, and where each table begins."""

    def __init__(self, sizes: FourierSizes) -> None:
        self.sizes = sizes
        self.count = 0
        self.numbers = self._room(6 * sizes.points)  # what nobody writes takes no memory

    def _room(self, count: int) -> np.ndarray:
        return Arena(count * self.sizes.size).memory.view(self.sizes.dtype)

    def add(self, part: np.ndarray) -> int:
        """Add a table of complex numbers, as pairs; the bytes before it."""
        return self._keep(part, (*part.shape, 2), -1)

    def passes(self, count: int, radices: Sequence[int]) -> list[int]:
        """The factors of each pass but the last one: for each p, those of the results 1 and following."""
        found = []
        for radix in radices:
            inner = count // radix
            found.append(self.add(roots(np.arange(inner)[:, None] * np.arange(1, radix), count)) if inner > 1 else 0)
            count = inner
        return found

    def between(self, rows: int, columns: int, scale: float) -> int:
        """The factors between two steps, times a scale: for each vector of columns and each row, the real and the
        imaginary parts."""
        lanes, row = self.sizes.lanes, np.arange(rows)[:, None]
        begin = starts(columns, lanes)[:, None, None]
        return self.of_sums(begin * row, np.arange(lanes) * row, rows * columns, scale)

    def of_sums(self, first: np.ndarray, second: np.ndarray, order: int, scale: float = 1.0) -> int:
        """A table of the roots for the sums of numbers, multiplied by a scale, whose last axis is a vector: of its real
        parts, and then of its imaginary parts. Those of float32 are products in float64 of the few roots of each."""
        shape = np.broadcast_shapes(first.shape, second.shape)
        if self.sizes.size > 4:
            return self._keep(scale * roots(first + second, order), (*shape[:-1], 2, shape[-1]), -2)
        # A pair times a matrix is a vector of real parts, and one of imaginary parts: BLAS multiplies many pairs.
        ones, others = roots(first, order).view(np.float64), scale * roots(second, order)
        factors = np.stack([np.concatenate([x.real, x.imag], -1) for x in (others, 1j * others)], -2)
        here, target = self._next((*shape[:-1], 2 * shape[-1]))
        ones, target = (np.moveaxis(each, 0, -2) for each in (ones, target))
        step = max(1, BLOCK * shape[0] // math.prod(shape))
        for start in range(0, shape[0], step):
            part = ..., slice(start, start + step), slice(None)
            target[part] = ones[part] @ factors
        return here

    def _keep(self, numbers: np.ndarray, shape: tuple[int, ...], axis: int) -> int:
        here, table = self._next(shape)
        real, imaginary = np.moveaxis(table, axis, 0)
        real[...], imaginary[...] = numbers.real, numbers.imag
        return here

    def _next(self, shape: tuple[int, ...]) -> tuple[int, np.ndarray]:
        """The bytes before a table of this shape, and the table."""
        here, end = self.count, self.count + math.prod(shape)
        if end >= self.numbers.size:
            before, self.numbers = self.numbers, self._room(2 * end)
            self.numbers[:here] = before[:here]
        self.count = end
        return here * self.sizes.size, self.numbers[here:end].reshape(shape)

    def all(self) -> np.ndarray:
        """All of them. Vectors end behind the last one, at most."""
        self.numbers[self.count] = 0
        return self.numbers[: self.count + 1]
