"""Histograms of integers, assignments at positions, and searches in ordered vectors, by kernels for arrays of one size.

A histogram adds 1 at each position, in a third of NumPy's time. A search reads an element for every value at once, and
moves each value's position by half of what is left; that takes a tenth of the time of searches one after the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels.scatter import row_numbers
from .language import SIZES

if TYPE_CHECKING:
    from ..machine.executable import Function

FEW = 1 << 12  # elements, which NumPy counts in a few microseconds
MOST = 1 << 16  # numbers that are counted


@cache
def _unavailable() -> Callable[[], str | None]:
    from ..machine.executable import unavailable  # late: `import mycel` needs no machine code

    return unavailable


def _has_machine_code() -> bool:
    return _unavailable()() is None


class _Kernel:
    """A kernel that is compiled where it is asked for a second time, as that takes a millisecond."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.known = False
        self.kernel: Function | None = None

    def function(self) -> Function | None:
        """The kernel; None for the first time."""
        if self.known and self.kernel is None:
            from .codegen import compile_kernel  # late, too

            self.kernel = compile_kernel(self.text)
        self.known = True
        return self.kernel


@lru_cache(maxsize=64)
def _counter(count: int, size: int, length: int, weight: str) -> _Kernel:
    """Counts numbers below a length in a vector of integers of a size in bytes, or adds up their weights."""
    given, dtype = (f"in w {weight}[{count}] {SIZES[weight]}\n", weight) if weight else ("", "int64")
    return _Kernel(
        f"over {count}\nindex x int{8 * size}[{count}] {size}\n{given}"
        f"add counts {dtype}[{length}] 0 at x {SIZES[dtype]} {length}\ncounts = {'w' if weight else 'int64(1)'}"
    )


def counts_below(x: np.ndarray, length: int, weights: np.ndarray | None = None) -> np.ndarray | None:
    """How often each number from 0 stands in a vector, or the sums of weights; None where NumPy is to count, or one is
    outside of the range."""
    if not _has_machine_code() or not FEW <= len(x) < 1 << 31 or not 0 < length <= min(MOST, len(x)):
        return None
    weight = "" if weights is None else weights.dtype.name
    if x.dtype.kind != "i" or x.itemsize not in (4, 8) or weight not in ("", "float32", "float64"):
        return None
    # Negative numbers are positions from the end, so they would count in the second half.
    kernel, counts = _counter(len(x), x.itemsize, 2 * length, weight).function(), np.zeros(2 * length, weight or int)
    given = (x,) if weights is None else (x, weights)
    if kernel is None or not kernel(*given, counts) or (weight and x.min() < 0) or counts[length:].any():
        return None
    return counts[:length].copy()


@lru_cache(maxsize=64)
def _assignment(count: int, index: int, length: int, columns: int, number: str, function: str, one: bool) -> _Kernel:
    """Writes rows of numbers, or one number, at positions, or combines them by a function with the rows that are there,
    in order."""
    size = SIZES[number]
    row = columns * size
    over, last = ("", "") if columns == 1 else (f" {columns}", f" {size}")
    rows = f"{number}[{length},{columns}] 0{last} at p {row} {length}"
    return _Kernel(
        f"over {count}{over}\nindex p int{8 * index}[{count}] {index}{last and ' 0'}\n"
        f"in v {number}{'[] 0' + (last and ' 0') if one else f'[{count},{columns}] {row}{last}'}\n"
        + (f"in s {rows}\nout x {rows}\nx = {function}(s, v)" if function else f"out x {rows}\nx = v")
    )


def is_positions(part: Any) -> bool:
    """Whether a part of a key is an array of signed integers."""
    return isinstance(part, np.ndarray) and part.dtype.kind == "i"


COMBINED_ROW = 16  # columns: of shorter rows several would be in one vector, and they may be the same


def assign_at(target: np.ndarray, key: tuple[Any, ...], values: np.ndarray, ufunc: np.ufunc | None = None) -> bool:
    """Do target[key] = values, of which the last ones stay; with a ufunc combine each row with the one that is there.
    False, and nothing is done, where NumPy is to do it. IndexError if one of several positions is out of range."""
    while 1 < len(key) <= target.ndim and isinstance(key[-1], slice):
        if key[-1] != slice(0, target.shape[len(key) - 1], 1):
            return False
        key = key[:-1]
    if not 0 < len(key) <= target.ndim or not all(map(is_positions, key)):
        return False
    if not target.flags.c_contiguous or not values.flags.c_contiguous:
        return False
    rest = target.shape[len(key) :]
    given = key[0].shape if len(key) == 1 else np.broadcast_shapes(*[part.shape for part in key])
    columns, count, size = math.prod(rest), math.prod(given), target.itemsize
    if not FEW <= count * columns < 1 << 31 or not 0 < target.size < 1 << 31 or target.dtype.kind not in "fi":
        return False
    one = values.ndim == 0 and ufunc is None
    if values.dtype != target.dtype or not (one or values.shape == (*given, *rest)) or size not in (4, 8):
        return False
    if (ufunc is not None and (columns < COMBINED_ROW or target.dtype.name not in SIZES)) or not _has_machine_code():
        return False
    positions = (key[0] if len(key) == 1 else row_numbers(key, target.shape)).reshape(-1)
    if positions.itemsize not in (4, 8):
        return False
    number = f"int{8 * size}" if ufunc is None else target.dtype.name
    name = "" if ufunc is None else ufunc.__name__
    length = target.size // columns
    kernel = _assignment(count, positions.itemsize, length, columns, number, name, one).function()
    if kernel is None or np.may_share_memory(target, values) or np.may_share_memory(target, positions):
        return False
    rows = target.reshape(length, columns).view(number)
    values = values.view(number) if one else values.reshape(count, columns).view(number)
    return kernel(positions, values, *([rows] if name else []), rows)


@lru_cache(maxsize=64)
def _halving(count: int, length: int, kind: str, size: int, right: bool) -> _Kernel:
    """Moves positions up where the element there is before a value (to the right of equal ones: not behind it), and
    down elsewhere. As for NumPy, nan is behind all numbers."""
    dtype, whole = f"{'float' if kind == 'f' else 'int'}{8 * size}", f"int{8 * size}"
    first, second = ("v", "s") if right else ("s", "v")
    before = [f"less = less({first}, {second})"]
    if kind == "f":
        before += [f"last = isnan({second})", f"other = isnan({first})", "number = logical_not(other)"]
        before += ["ends = logical_and(last, number)", "before = logical_or(less, ends)"]
    else:
        before += ["before = copy(less)"]
    return _Kernel(
        "\n".join(
            [
                f"over {count}",
                f"index p {whole}[{count}] {size}",
                f"in place {whole}[{count}] {size}",
                f"in s {dtype}[{length}] 0 at p {size} {length}",
                f"in v {dtype}[{count}] {size}",
                f"in up {whole}[] 0",
                f"in down {whole}[] 0",
                f"out q {whole}[{count}] {size}",
                *before,
                f"move = select(before, {'down, up' if right else 'up, down'})",
                "q = add(place, move)",
            ]
        )
    )


def search(sequence: np.ndarray, values: np.ndarray, right: bool) -> np.ndarray | None:
    """The places of values in an ordered vector; None where NumPy is to look for them."""
    count, dtype = values.size, sequence.dtype
    if not _has_machine_code() or not FEW <= count < 1 << 31 or not 16 <= len(sequence) < 1 << 30:
        return None
    if dtype.kind not in "fi" or dtype.itemsize not in (4, 8) or values.dtype != dtype or sequence.ndim != 1:
        return None
    length = 1 << len(sequence).bit_length()
    kernel = _halving(count, length, dtype.kind, dtype.itemsize, right).function()
    if kernel is None:
        return None
    padded = np.full(length, np.nan if dtype.kind == "f" else np.iinfo(dtype).max, dtype)
    padded[: len(sequence)] = sequence
    given = np.ascontiguousarray(values).reshape(-1)
    whole = np.dtype(f"i{dtype.itemsize}")
    places, other, half = np.full(count, length // 2 - 1, whole), np.empty(count, whole), length // 2
    while half:
        half //= 2
        up, down = (np.array(step, whole) for step in ((half, -half) if half else (1, 0)))
        if not kernel(places, places, padded, given, up, down, other):
            return None
        places, other = other, places
    return np.minimum(places, len(sequence)).reshape(values.shape)
