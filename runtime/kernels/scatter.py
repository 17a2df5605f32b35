"""Accumulation of values at positions that may repeat, in forms that NumPy computes fast.

`ufunc.at` with several index arrays takes 10 times as long as with one index array into a vector (64k values into (64,
1000): 1.0 ms against 0.1), and for rows of a matrix it takes 10 times as long again. So positions are first turned into
flat indices. Long rows are added in turns: a turn adds at most one row to every row of the target (4096 rows of 128
into 10000: 0.5 ms, in place of 4.7 with `add.at` and 2.8 with a sort and `add.reduceat`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .precision import Array, is_half

# So few positions are not worth the 15 microseconds of turning them into numbers.
FEW = 64
# Rows at least so long are added as rows, shorter ones element by element.
LONG_ROW = 8
# Of fewer elements, all are added one by one sooner than their rows are sorted.
MANY_ELEMENTS = 1 << 15
# What adding costs in ns: a turn in which many sums get a row each, and by reduceat a sum and each of its rows; either
# way an element.
TURN_COST = 3000.0
SUM_COST = 400.0
ROW_COST = 25.0
ELEMENT_COST = 0.5

Key = tuple[Any, ...]


def accumulate_at(ufunc: np.ufunc, target: Array, key: Key, values: Array) -> None:
    """target[key] = ufunc(target[key], values), one value after the other. The target is changed.

    The key is an index as NumPy takes it in brackets. The ufunc is add, multiply, maximum or minimum; values broadcast.
    IndexError if an index is out of range.
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
    rows = row_numbers(key, target.shape)
    length = math.prod(target.shape[depth:])
    shape = (*rows.shape, *target.shape[depth:])
    if ufunc is np.add and length >= LONG_ROW and math.prod(shape) > MANY_ELEMENTS:
        added = np.broadcast_to(values, shape).reshape(-1, length)
        add_rows(target.reshape(-1, length), rows.reshape(-1), added)
        return
    numbers = rows if length == 1 else rows[..., None] * length + np.arange(length)
    flat = np.broadcast_to(values, shape).reshape(-1)
    ufunc.at(target.reshape(-1), numbers.reshape(-1), np.ascontiguousarray(flat, target.dtype))


def add_rows(target: Array, rows: Array, values: Array) -> None:
    """target[rows[i]] += values[i] for each i. `rows` is a vector of row numbers, none negative, which may repeat."""
    # A stable sort of 16-bit integers is linear.
    order = np.argsort(rows.astype(np.uint16) if len(target) <= 2**16 else rows, kind="stable")
    ordered = rows[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))[: len(rows)]
    if len(starts) == len(rows):
        target[rows] += values
        return
    counts = np.diff(starts, append=len(rows))
    by_count = np.argsort(-counts, kind="stable")
    counts, starts = counts[by_count], starts[by_count]
    # In each turn, the sums that have another row get it; they are the first ones.
    turns = np.arange(int(counts[0]) + 1)
    left = len(counts) - np.searchsorted(counts[::-1], turns, side="right")
    count = _best_turns(left, values.shape[1])
    if count == 0:
        sums = np.zeros((len(starts), values.shape[1]), target.dtype)
    else:
        sums = values.take(order[starts], axis=0).astype(target.dtype, copy=False)
    for turn in range(1, count):
        some = sums[: left[turn]]
        np.add(some, values.take(order[starts[: left[turn]] + turn], axis=0), out=some, casting="unsafe")
    many = int(left[count])
    if many:
        # The remaining rows of the sums with most rows, by reduceat.
        lengths = counts[:many] - count
        ends = np.cumsum(lengths)
        places = np.repeat(starts[:many] + count - (ends - lengths), lengths) + np.arange(int(ends[-1]))
        rest = values.take(order[places], axis=0)
        sums[:many] += np.add.reduceat(rest, ends - lengths, axis=0, dtype=target.dtype)
    target[ordered[starts]] += sums


def _best_turns(left: Array, length: int) -> int:
    """The number of turns to take, from their cost and from the cost of reduceat for the rest, in ns.

    `left[i]` is the number of sums that get a row in turn i; the last number is 0.
    """
    turns = np.cumsum(TURN_COST + left * (length * ELEMENT_COST)) - TURN_COST
    rest = np.cumsum((left * (ROW_COST + length * ELEMENT_COST))[::-1])[::-1] + left * SUM_COST
    before = np.concatenate(([0.0], turns[:-1]))
    return int(np.argmin(before + rest))


def _is_integers(item: Any) -> bool:
    """Whether an item of a key is an integer or an array of integers. True, which adds an axis, is not."""
    return type(item) is int or (isinstance(item, np.ndarray) and item.dtype.kind in "iu")


def take_at(x: Array, key: Key) -> Array:
    """x[key] for a key of integer arrays, one for each of the first axes. IndexError if an index is out of range."""
    if not (x.flags.c_contiguous and key and max(map(np.size, key)) > FEW):
        return np.array(x[key])
    rows = row_numbers(key, x.shape)
    tail = x.shape[len(key) :]
    return x.reshape(-1, *tail).take(rows.reshape(-1), axis=0, mode="wrap").reshape(*rows.shape, *tail)


def row_numbers(key: Key, shape: tuple[int, ...]) -> Array:
    """The flat C-order indices for integer arrays, one for each of the first axes. IndexError if out of range."""
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
