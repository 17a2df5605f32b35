"""Histograms of integers, assignments at positions, and searches in ordered vectors, by kernels for arrays of one size.

A histogram adds 1 at each position, in a third of NumPy's time. The processor overlaps searches without branches, which
take a fifth of NumPy's time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..machine.array_functions import compile_search, has_small
from ..processors import thread_count, worth_sharing
from ..records import NamedTuple
from ..threads import share
from .language import SIZES

if TYPE_CHECKING:
    from ..machine.executable import Function

FEW = 1 << 10  # elements, which NumPy counts in two microseconds
FEW_SOUGHT = 16  # values, which NumPy seeks about as fast
LONGEST_SOUGHT = 1 << 23  # elements of a vector, or values that share one: their bytes and work fit 32 bits
SOUGHT = "filILd"
MOST = 1 << 16  # numbers that are counted
SHARED, PIECES = 1 << 16, 4  # values that are sought by several threads, and the pieces for each of these


class _Kernel:
    """A kernel that is compiled where it is asked for a second time, as that takes a millisecond."""

    def __init__(self, *what: Any) -> None:
        self.what = what
        self.known = False
        self.kernel: Function | None = None

    def function(self) -> Function | None:
        """The kernel; None for the first time."""
        if self.known and self.kernel is None:
            self.kernel = self.compiled()
        self.known = True
        return self.kernel

    def compiled(self) -> Function:
        """The kernel of a text."""
        from .codegen import compile_kernel  # late, too

        return compile_kernel(*self.what)


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
    count = len(x)
    if not FEW <= count < 1 << 31 or not 0 < length <= MOST or length > count or not has_small():
        return None
    weight = "" if weights is None else {"f": "float32", "d": "float64"}.get(weights.dtype.char, "other")
    if x.dtype.char not in "il" or weight == "other":
        return None
    # Negative numbers are positions from the end, so they would count in the second half.
    kernel, counts = _counter(count, x.itemsize, 2 * length, weight).function(), np.zeros(2 * length, weight or int)
    given = (x,) if weights is None else (x, weights)
    if kernel is None or not kernel(*given, counts):
        return None
    if weight:
        if x.min() < 0 or x.max() >= length:  # also where the weight is zero
            return None
    elif counts[length:].tobytes() != bytes(8 * length):  # a sixth of the time of `any`
        return None
    return counts[:length].copy()


def _steps(shape: Sequence[int], extents: Sequence[int], size: int) -> list[int]:
    """The bytes from one element to the next along loops, of an array in C order that broadcasts with them."""
    steps = [0] * (len(extents) - len(shape))
    for axis, extent in enumerate(shape):
        steps.append(0 if extent == 1 else math.prod(shape[axis + 1 :]) * size)
    return steps


class _Region(NamedTuple):
    """Elements of an array at positions, which broadcast with each other.

    Attributes:
        positions: their shapes, and their sizes in bytes.
        region: the shape of the elements.
        shape: of the array.
        axes: for each of its axes the dimension of the region along it; -1 where the next positions index it.
    """

    positions: tuple[tuple[tuple[int, ...], int], ...]
    region: tuple[int, ...]
    shape: tuple[int, ...]
    axes: tuple[int, ...]

    def text(
        self,
        arrays: Sequence[tuple[str, str, tuple[int, ...] | None]],
        statements: str,
        back: bool = False,
        common: tuple[int, ...] | None = None,
    ) -> str:
        """A kernel over the region. `arrays`: their roles and names, dtypes, and shapes; None for the array at
        positions. `back`: from the last element to the first one wherever they may be the same, one by one. `common`:
        the shape that the arrays of positions have, if it is not the one that broadcasts."""
        lines = list[tuple[str, list[int], str]]()
        given = [(f"index p{n}", f"int{8 * size}", shape) for n, (shape, size) in enumerate(self.positions)]
        for name, dtype, shape in (*given, *arrays):
            place, size = "", SIZES[dtype]
            steps = _steps(shape or (), self.region, size)
            if shape is None:
                shape, place, number = self.shape, " at", 0
                for dimension, extent, step in zip(self.axes, shape, _steps(shape, shape, size), strict=True):
                    if dimension < 0:
                        place += f" p{number} {step} {extent}"
                        number += 1
                    else:
                        steps[dimension] = step
            if common is not None and name.startswith("index"):
                shape = common
            lines.append((f"{name} {dtype}[{_listed(shape)}]", steps, place))
        starts, loops = [0] * len(lines), list[tuple[int, list[int]]]()
        for axis, extent in enumerate(self.region):
            now = [steps[axis] for _, steps, _ in lines]
            if back and axis not in self.axes:
                starts = [start + step * (extent - 1) for start, step in zip(starts, now, strict=True)]
                now = [-step for step in now]
            if loops and all(before == step * extent for before, step in zip(loops[-1][1], now, strict=True)):
                loops[-1] = loops[-1][0] * extent, now
            elif extent > 1:
                loops.append((extent, now))
        if not loops or (back and not loops[-1][1][-1]):
            loops.append((1, [0] * len(lines)))
        text = [" ".join(map(str, ("over", *[extent for extent, _ in loops])))]
        for number, ((head, _, place), start) in enumerate(zip(lines, starts, strict=True)):
            text.append(f"{head} {' '.join(str(steps[number]) for _, steps in loops)} from {start}{place}")
        return "\n".join([*text, statements])


def _listed(shape: Sequence[int]) -> str:
    return ",".join(map(str, shape))


@lru_cache(maxsize=64)
def _assignment(region: _Region, number: str, function: str, values: tuple[int, ...]) -> _Kernel:
    """Writes values at positions, or combines them by a function with what is there, in order."""
    arrays = [("in v", number, values), *([("in s", number, None)] if function else []), ("out x", number, None)]
    return _Kernel(region.text(arrays, f"x = {function}(s, v)" if function else "x = v"))


@lru_cache(maxsize=64)
def compile_assignment(
    number: str,
    shape: tuple[int, ...],
    axes: tuple[int, ...],
    sizes: tuple[int, ...],
    values: tuple[int, ...],
    common: tuple[int, ...] = (),
) -> Callable[..., bool]:
    """The function (*positions, values, x) that assigns to x at positions of each axis with -1 in `axes`; the others
    have the number of their dimension in the values. `sizes`: the bytes of each position; `common`: the shape of the
    positions, whose dimensions come where the first one indexes.

    It returns False, and writes nothing, if it does not take the arrays or a position is out of range.
    """
    from .builder import Unsupported
    from .codegen import compile_kernel

    region = [size for size, axis in zip(shape, axes, strict=True) if axis >= 0]
    first = axes.index(-1)
    region[first:first] = common
    aligned = (*common, *(1,) * (len(region) - first - len(common))) if common else ()
    found = _Region(tuple((aligned, size) for size in sizes), tuple(region), shape, axes)
    try:
        text = found.text([("in v", number, values), ("out x", number, None)], "x = v", common=common)
        return compile_kernel(text, "assign")
    except Unsupported:
        return _refuse


def _refuse(*arrays: np.ndarray) -> bool:
    return False


@lru_cache(maxsize=64)
def _comparison(region: _Region, number: str, dtype: str) -> _Kernel:
    """Whether the elements at positions are the numbers of these."""
    arrays = [("in v", number, region.region), ("in s", number, None), ("out x", dtype, region.region)]
    return _Kernel(region.text(arrays, f"same = equal(s, v)\nx = cast(same, {dtype})"))


@lru_cache(maxsize=64)
def _removal(region: _Region, number: str) -> _Kernel:
    """Moves the elements at positions to another array, and leaves zeros."""
    arrays = [("in s", number, None), ("out v", number, region.region), ("out x", number, None)]
    return _Kernel(region.text(arrays, f"v = s\nx = {number}(0)", back=True))


def is_positions(part: Any) -> bool:
    """Whether a part of a key is an array of signed integers."""
    return isinstance(part, np.ndarray) and part.dtype.kind == "i"


COMBINED_ROW = 16  # columns: of shorter rows several would be in one vector, and they may be the same


def _region(
    shape: tuple[int, ...], parts: Sequence[np.ndarray], axes: tuple[int, ...], region: tuple[int, ...]
) -> _Region | None:
    """Elements at positions; None for few or too many of them."""
    if not FEW <= math.prod(region) < 1 << 31 or not 0 < math.prod(shape) < 1 << 31 or not has_small():
        return None
    return _Region(tuple((part.shape, part.itemsize) for part in parts), region, shape, axes)


def _rows_at(shape: tuple[int, ...], key: tuple[Any, ...]) -> tuple[_Region, list[np.ndarray], int] | None:
    """The rows of an array that a key chooses, their positions, and the axes of a row; None for another key, or for few
    or too many elements. ValueError if the positions do not broadcast."""
    while 1 < len(key) <= len(shape) and isinstance(key[-1], slice):
        if key[-1] != slice(0, shape[len(key) - 1], 1):
            return None
        key = key[:-1]
    if not 0 < len(key) <= len(shape) or not all(map(is_positions, key)):
        return None
    shapes, rest = [part.shape for part in key], shape[len(key) :]
    common = np.broadcast_shapes(*shapes) if len(key) > 1 else shapes[0]
    if math.prod(common) * math.prod(rest) < FEW:  # most are: nothing else is looked at
        return None
    parts = [np.ascontiguousarray(part) if part.itemsize >= 4 else part.astype(np.int32) for part in key]
    parts = [part.reshape(*part.shape, *(1,) * len(rest)) for part in parts]
    axes = (*(-1,) * len(key), *range(len(common), len(common) + len(rest)))
    region = _region(shape, parts, axes, (*common, *rest))
    return None if region is None else (region, parts, len(rest))


def assign_at(target: np.ndarray, key: tuple[Any, ...], values: np.ndarray, ufunc: np.ufunc | None = None) -> bool:
    """Do target[key] = values, of which the last ones stay; with a ufunc combine each row with the one that is there.
    False, and nothing is done, where NumPy is to do it, or a position is out of range."""
    size, given = target.itemsize, _rows_at(target.shape, key)
    if given is None or values.dtype != target.dtype or target.dtype.kind not in "fi" or size not in (4, 8):
        return False
    region, parts, rest = given
    if not target.flags.c_contiguous or not values.flags.c_contiguous:
        return False
    columns = math.prod(target.shape[target.ndim - rest :])
    if ufunc is not None and (columns < COMBINED_ROW or target.dtype.name not in SIZES):
        return False
    if values.ndim and values.shape != region.region:
        return False
    number = f"int{8 * size}" if ufunc is None else target.dtype.name
    name = "" if ufunc is None else ufunc.__name__
    kernel = _assignment(region, number, name, values.shape).function()
    if kernel is None or any(np.may_share_memory(target, other) for other in (values, *parts)):
        return False
    whole = target.view(number)
    return kernel(*parts, values.view(number), *([whole] if name else []), whole)


def last_at(shape: tuple[int, ...], key: tuple[Any, ...], dtype: np.dtype[Any], out: Any = None) -> np.ndarray:
    """1 where target[key] = values leaves a value in place, for a target of a shape, and 0 where a later one replaces
    it. IndexError if a position is out of range."""
    given = _rows_at(shape, key)
    if given is not None and dtype.kind in "fi" and dtype.itemsize in (4, 8):
        found, parts, rest = given
        ones, lead = (1,) * rest, len(shape) - rest
        region = (*found.region[: len(found.region) - rest], *ones)
        one, number = found._replace(region=region, shape=(*shape[:lead], *ones)), f"int{8 * dtype.itemsize}"
        order = np.arange(math.prod(region), dtype=number).reshape(region)
        writer, reader = (
            _assignment(one, number, "", region).function(),
            _comparison(one, number, dtype.name).function(),
        )
        owner, whole = np.empty(one.shape, number), np.empty(found.region, dtype) if out is None else out
        if writer is not None and reader is not None and writer(*parts, order, owner):
            last = np.empty(region, dtype)
            reader(*parts, order, owner, last)
            whole[...] = last
            return whole
    numbers = np.zeros(shape, np.intp)
    common = numbers[key].shape
    order = np.arange(1, math.prod(common) + 1).reshape(common)
    numbers[key] = order
    whole = np.empty(common, dtype) if out is None else out
    whole[...] = numbers[key] == order
    return whole


def take_out(x: np.ndarray, parts: Sequence[np.ndarray], axes: tuple[int, ...], values: np.ndarray) -> bool:
    """Move the elements at positions to `values`, of the shape of a region, and leave zeros: each element goes to the
    last of its positions, the others get zeros. False, and nothing is done, where NumPy is to do it, or a position is
    out of range."""
    region = _region(x.shape, parts, axes, values.shape)
    if region is None or not (x.flags.c_contiguous and values.flags.c_contiguous):
        return False
    number = f"int{8 * x.itemsize}"
    kernel, whole = _removal(region, number).function(), x.view(number)
    return kernel is not None and kernel(*map(np.ascontiguousarray, parts), whole, values.view(number), whole)


class _Search(_Kernel):
    """A function that seeks values."""

    def compiled(self) -> Function:
        """The function."""
        return compile_search(*self.what)


_searching = lru_cache(maxsize=64)(_Search)


def search(sequence: np.ndarray, values: np.ndarray, right: bool, dtype: np.dtype) -> np.ndarray | None:
    """The places of values in an ordered vector, or of rows of values in ordered rows; None where NumPy is to look for
    them."""
    count, rows = values.size, sequence.ndim > 1
    length, row = sequence.shape[-1], values.shape[-1] if rows else None
    if not FEW_SOUGHT <= count < 1 << 31 or not 0 < length < LONGEST_SOUGHT or not has_small():
        return None
    if sequence.dtype.char not in SOUGHT or values.dtype != sequence.dtype or dtype.char not in "il":
        return None
    if (row or 0) >= LONGEST_SOUGHT:
        return None
    function = _searching(sequence.dtype.char, length, right, dtype.char, 1 + rows, row).function()
    if function is None:
        return None
    shape = (-1, row) if rows else (-1,)
    sequence, given = np.ascontiguousarray(sequence), np.ascontiguousarray(values).reshape(shape)
    sequence = sequence.reshape(-1, length) if rows else sequence
    places, threads = np.empty(given.shape, dtype), worth_sharing(thread_count(), count, SHARED)
    found, step = [], -(-len(given) // (PIECES * threads if threads > 1 else 1))

    def seek(number: int, _: int = 0) -> None:
        part = slice(number * step, (number + 1) * step)
        vectors = sequence[part] if rows else sequence
        found.append(given[part].size == 0 or function(vectors, given[part], places[part]))

    if threads > 1:
        share(seek, PIECES * threads, threads)
    else:
        seek(0)
    return places.reshape(values.shape) if all(found) else None
