"""Values accumulated at positions that may repeat, in the forms that NumPy does fast.

`ufunc.at` with several index arrays takes 10 times as long as with one into a vector (64k values into (64, 1000): 1.0
ms against 0.1), and rows of a matrix as long as that again, so positions are turned into numbers first. Long rows are
added with ordinary indexing, every row of the target at most once at a time (4096 rows of 128 into 10000: 0.5 ms, in
place of 4.7 with `add.at` and 2.8 with a sort and `add.reduceat`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .precision import Array, is_half

# So few positions are not worth the 15 microseconds of turning them into numbers.
FEW = 64
# Rows at least so long are added as rows, shorter ones element by element.
LONG_ROW = 32
# Rows that take more than so many are summed by reduceat, which costs half a microsecond for each row of the target.
ROUNDS = 8

Key = tuple[Any, ...]


def accumulate_at(ufunc: np.ufunc, target: Array, key: Key, values: Array) -> None:
    """target[key] = ufunc(target[key], values) for one value after the other; the target is changed.

    The key is what NumPy takes in brackets, the ufunc add, multiply, maximum or minimum; values broadcast. IndexError
    where an index is out of range.
    """
    if is_half(target.dtype):
        # Rounded once at the end, and many times faster.
        wide = target.astype(np.float32)
        accumulate_at(ufunc, wide, key, values)
        np.copyto(target, wide, casting="unsafe")
        return
    depth = len(key)
    worth = depth > 0 and target.flags.c_contiguous and max(map(np.size, key)) > FEW
    if not worth or not all(map(_is_integers, key)):
        ufunc.at(target, key, values)
        return
    rows = _row_numbers(key, target.shape)
    length = math.prod(target.shape[depth:])
    shape = (*rows.shape, *target.shape[depth:])
    if ufunc is np.add and length >= LONG_ROW:
        added = np.broadcast_to(values, shape).reshape(-1, length)
        add_rows(target.reshape(-1, length), rows.reshape(-1), added)
        return
    numbers = rows if length == 1 else rows[..., None] * length + np.arange(length)
    flat = np.broadcast_to(values, shape).reshape(-1)
    ufunc.at(target.reshape(-1), numbers.reshape(-1), np.ascontiguousarray(flat, target.dtype))


def add_rows(target: Array, rows: Array, values: Array) -> None:
    """target[rows[i]] += values[i] for each i; numbers of rows (a vector, none negative) may repeat."""
    # A stable sort of 16-bit integers is linear.
    order = np.argsort(rows.astype(np.uint16) if len(target) <= 2**16 else rows, kind="stable")
    ordered = rows[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))[: len(rows)]
    if len(starts) == len(rows):
        target[rows] += values
        return
    counts = np.diff(starts, append=len(rows))
    few = counts <= ROUNDS
    for turn in range(int(counts[few].max(initial=0))):
        places = order[starts[few & (counts > turn)] + turn]
        target[rows[places]] += values[places]
    if not few.all():
        many = ~few
        ends = np.cumsum(counts[many])
        sums = np.add.reduceat(values[order[np.repeat(many, counts)]], ends - counts[many], axis=0, dtype=target.dtype)
        target[ordered[starts[many]]] += sums


def _is_integers(item: Any) -> bool:
    """Whether an item of a key is an integer or an array of them; True, a new axis, is not."""
    return type(item) is int or (isinstance(item, np.ndarray) and item.dtype.kind in "iu")


def _row_numbers(key: Key, shape: tuple[int, ...]) -> Array:
    """The number in C order of what integer arrays, one for each of the first axes, name; IndexError if nothing."""
    numbers: Any = 0
    for axis, (item, size) in enumerate(zip(key, shape, strict=False)):
        index = np.asarray(item).astype(np.intp, copy=False)
        if index.size:
            low, high = index.min(), index.max()
            if low < -size or high >= size:
                wrong = high if high >= size else low
                raise IndexError(f"index {wrong} is out of bounds for axis {axis} with size {size}")
            if low < 0:
                index = np.where(index < 0, index + size, index)
        numbers = numbers * size + index
    return np.asarray(numbers)
