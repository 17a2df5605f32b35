"""Kernels that sort, search and count: stable orders, the k largest, distinct elements."""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any

import numpy as np

from ..machine.array_functions import MOST_BEST, compile_best, compile_quick, costs
from ..machine.product import has_wide_code
from ..processors import thread_count, worth_sharing
from ..threads import share
from .precision import Array, compute_dtype, widen

# So few of the best may be sought one by one. Nanoseconds: to look through a row, for each of its elements and besides;
# to find all the best by keys, for each element.
FEW_BEST = 64
ELEMENT_COST, ROW_COST, KEY_COST = 0.075, 40.0, 2.1
# To sort the keys of a row, for each of them; to prepare those of all rows; to find the best element of each row.
SORT_COST, KEYS_COST, ONE_COST = 8.0, 2.5e4, 5e3
# Shorter axes sort faster without keys.
LONG_AXIS = 48
# Integers of 8 and 16 bits along an axis of this length or longer are sorted by their digits.
LONG_DIGITS = 512
# One row of this length or longer, and several of so many bytes, are sorted by machine code: numbers of these dtypes.
QUICK_ROW, QUICK_BYTES = 64, 4096
QUICK = "fdilIL"
# So many elements find their distinct ones by an order sooner than NumPy does.
LEAST_ORDERED = 512
# So many numbers of 64 bits, and axes of them of this length or longer, are sorted by keys.
MANY_WORDS, LONG_WORDS = 1 << 12, 128
KEYED = "fdiIlLqQ" if np.dtype("l").itemsize == 8 else "fdiIqQ"
HIGHEST = 0x7FF0000000000000  # the key of infinity among those of float64
# Elements whose keys are sorted at once, in the cache.
BLOCK = 1 << 14
SHARED = 1 << 18  # elements of rows that threads share
# The keys of infinities lie between these.
BEFORE_INFINITY, BEHIND_INFINITY = 0x007FFFFF << 32, (0xFF800001 << 32) - 1
# Which of the two words of a 64-bit number is the high one.
HIGH = int(sys.byteorder == "little")


def best(x: Array, k: int, axis: int, largest: bool, dtype: Any) -> tuple[Array, Array] | None:
    """The k best elements along an axis in order, and their positions, by machine code; None where NumPy is to sort."""
    wide, length, last = widen(x), x.shape[axis] if x.ndim else 0, axis == x.ndim - 1
    dtype = np.dtype(dtype)
    if wide.itemsize == 8 and 0 < k < length:
        return _best_of_words(wide, k, axis, largest, dtype)
    function = selection(wide.dtype.char, dtype.char, x.size, length, k, largest)
    if function is None:
        return None
    moved = np.ascontiguousarray(wide if last else np.moveaxis(wide, axis, -1))
    shape = (x.size // length, k)
    values, positions = np.empty(shape, wide.dtype), np.empty(shape, dtype)
    if not function(moved.reshape(-1, length), values, positions):
        return None
    values = values.astype(x.dtype, copy=False)
    if x.ndim == 2 and last:
        return values, positions
    found = [part.reshape(*moved.shape[:-1], k) for part in (values, positions)]
    if not last:
        found = [np.ascontiguousarray(np.moveaxis(part, -1, axis)) for part in found]
    return found[0], found[1]


def _best_of_words(x: Array, k: int, axis: int, largest: bool, dtype: Any) -> tuple[Array, Array] | None:
    """The k best of 64-bit numbers are those of the nearest numbers of 32 bits, if these are better than the next."""
    if x.dtype.char not in KEYED or selection("f", dtype.char, x.size, x.shape[axis], k + 1, largest) is None:
        return None
    with np.errstate(over="ignore"):
        found = best(x.astype(np.float32), k + 1, axis, largest, dtype)
    if found is None:
        return None
    first, last, behind = ((*(slice(None),) * axis, key) for key in (slice(0, k), k - 1, k))
    keys, positions = found[0], np.ascontiguousarray(found[1][first])
    values = values_at(x, positions, axis)
    if (keys[last] == keys[behind]).any() or (values != values).any():
        return None
    order = _stable(values, axis, largest)
    return values_at(values, order, axis), values_at(positions, order, axis)


@lru_cache(maxsize=1024)
def selection(kind: str, positions: str, size: int, length: int, k: int, largest: bool) -> Any:
    """The function of machine code for rows of a length; None where NumPy takes less time."""
    if kind not in "fi" or positions not in "il" or not size or not 0 < k <= min(MOST_BEST, length):
        return None
    if k == 1:
        once, other = ONE_COST, ROW_COST / 2 + 0.15 * length
    else:
        once = KEYS_COST if k < length else KEYS_COST / 2
        other = ROW_COST * 6 + (KEY_COST if k < length else SORT_COST) * length
    if length >= LONG_AXIS and size // length * (min(costs(length, k)) - other) > once:
        return None
    return compile_best(kind, positions, length, k, largest)


def ascending(x: Array, axis: int) -> Array:
    """x in order along an axis, in C order.

    NumPy's stable sort of small integers is a radix sort: two to a hundred times as fast as its others on long rows.
    Short rows of 8 bits are sorted by vector instructions, as 32 bits, and so are rows of halves.
    """
    narrow = x.dtype.kind in "iu" and x.dtype.itemsize <= 2
    by_digits = narrow and x.shape[axis] >= LONG_DIGITS
    wider = np.dtype(np.int32) if narrow and not by_digits and x.dtype.itemsize == 1 else compute_dtype(x.dtype)
    if not by_digits and is_quick(wider, x.shape[axis], x.size):
        last = axis in (-1, x.ndim - 1)
        found = _quick(np.ascontiguousarray(x if last else np.moveaxis(x, axis, -1), wider))
        return (
            found.astype(x.dtype, copy=False) if last else np.ascontiguousarray(np.moveaxis(found, -1, axis), x.dtype)
        )
    found = np.array(x, wider, order="C")
    found.sort(axis, "stable" if by_digits else None)
    return found.astype(x.dtype, copy=False)


def is_quick(dtype: np.dtype, length: int, size: int) -> bool:
    """Whether rows are sorted by machine code in less time than by NumPy."""
    worth = length >= QUICK_ROW if length == size else length * dtype.itemsize >= QUICK_BYTES
    return worth and dtype.char in QUICK and has_wide_code()


def _quick(x: Array) -> Array:
    """Rows in order, by machine code."""
    function, found = compile_quick(x.dtype.char), np.empty(x.shape, x.dtype)
    room = np.empty(x.shape[-1], x.dtype)
    pairs = [(x, found)] if x.ndim == 1 else zip(x.reshape(-1, len(room)), found.reshape(-1, len(room)), strict=True)
    for row, target in pairs:
        if not function(row, target, room):
            target[...] = np.sort(row)
    return found


def argsort(x: Array, axis: int, descending: bool, dtype: Any = np.intp) -> Array:
    """The indices that sort x along an axis. Equal elements keep their order; nan counts as the largest."""
    found = best(x, x.shape[axis] if x.ndim else 0, axis, descending, dtype)
    if found is not None:
        return found[1]
    rows = _rows(x, axis)
    if rows is not None:
        return _by_keys(x, rows, axis, x.shape[axis], descending, dtype)
    x = widen(x)  # of bfloat16, NumPy's order of nan is none
    return _stable(x, axis, descending).astype(dtype, copy=False)


def _stable(x: Array, axis: int, descending: bool) -> Array:
    """NumPy's stable order."""
    if not descending:
        return np.argsort(np.array(x), axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - np.argsort(np.flip(x, axis), axis, kind="stable"), axis)


def topk(x: Array, k: int, axis: int, largest: bool) -> Array:
    """The indices of the k best elements along an axis, the best first; of equal elements the first one first."""
    if k == 1:
        return np.expand_dims((np.argmax if largest else np.argmin)(x, axis), axis)
    rows, length = _rows(x, axis), x.shape[axis]
    sooner = rows is None or rows.itemsize == 8 or k * (ELEMENT_COST * length + ROW_COST) < KEY_COST * length
    best = _one_by_one(x, k, axis, largest) if sooner and 0 < k <= FEW_BEST and k * 4 <= length else None
    if best is not None:
        return best
    if rows is not None and rows.itemsize == 4 and 0 < k < x.shape[axis]:
        return _by_keys(x, rows, axis, k, largest, np.intp)
    return argsort(x, axis, largest)[(slice(None),) * axis + (slice(0, k),)]


def values_at(x: Array, positions: Array, axis: int) -> Array:
    """The elements at positions along an axis, as `argsort` and `topk` give them."""
    if x.ndim == 1 and positions.size:
        return x.take(positions, mode="wrap")
    if axis != x.ndim - 1 or not x.flags.c_contiguous or not positions.size:
        return np.take_along_axis(x, positions, axis)
    starts = np.arange(0, x.size, x.shape[-1]).reshape(*x.shape[:-1], 1)
    return x.reshape(-1).take(positions + starts, mode="wrap")


def _one_by_one(x: Array, k: int, axis: int, largest: bool) -> Array | None:
    """The k best, found one after another: each found element is overwritten with a mark. None if the mark is itself
    among the elements found."""
    x = widen(x)
    if x.dtype.kind not in "fi" or x.size == 0:
        return None
    left = np.moveaxis(x, axis, -1).reshape(-1, x.shape[axis]).copy()
    limits = (-np.inf, np.inf) if x.dtype.kind == "f" else (np.iinfo(x.dtype).min, np.iinfo(x.dtype).max)
    gone = limits[0 if largest else 1]
    rows = np.arange(len(left))
    positions = np.empty((k, len(left)), np.intp)
    for place in positions:
        (left.argmax if largest else left.argmin)(-1, out=place)
        found = left[rows, place]
        if (found == gone).any() or not (largest or (found == found).all()):  # argmin takes nan for the smallest
            return None
        left[rows, place] = gone
    shape = (k, *x.shape[:axis], *x.shape[axis + 1 :])
    return np.ascontiguousarray(np.moveaxis(positions.reshape(shape), 0, axis))


def _rows(x: Array, axis: int) -> Array | None:
    """The numbers of 32 or 64 bits along an axis as rows; None for other dtypes, and for few."""
    x = widen(x)
    if x.dtype.char not in KEYED or x.ndim == 0 or not LONG_AXIS <= x.shape[axis] < 2**32:
        return None
    if x.itemsize == 8 and (x.size < MANY_WORDS or x.shape[axis] < LONG_WORDS):
        return None
    moved = x if axis == x.ndim - 1 else np.moveaxis(x, axis, -1)
    return np.ascontiguousarray(moved).reshape(-1, x.shape[axis])


def _by_keys(x: Array, rows: Array, axis: int, count: int, descending: bool, dtype: Any) -> Array:
    """The positions of the first elements of each row, sorted by keys; the rows are those of x along an axis."""
    found = np.empty((len(rows), count), dtype)
    step = max(1, BLOCK // rows.shape[1])

    def sort(number: int, _: int) -> None:
        start = number * step
        block = rows[start : start + step]
        if block.itemsize == 8:
            found[start : start + step] = _by_words(block, descending)
            return
        keys = _sorted(_keys(block, descending), count)
        if block.dtype == np.float32 and count and _has_unknown(keys):
            one_nan = np.where(block == block, block, np.float32(np.nan))
            keys = _sorted(_keys(one_nan, descending), count)
        found[start : start + step] = keys.view(np.uint32).reshape(-1, count, 2)[..., 1 - HIGH]

    pieces = -(-len(rows) // step)
    threads = worth_sharing(min(thread_count(), pieces), rows.size, SHARED)
    if threads > 1:
        share(sort, pieces, threads)
    else:
        for number in range(pieces):
            sort(number, 0)
    found = found.reshape(*x.shape[:axis], *x.shape[axis + 1 :], count)
    return found if axis == x.ndim - 1 else np.ascontiguousarray(np.moveaxis(found, -1, axis))


def _sorted(keys: Array, count: int) -> Array:
    """The first keys of each row in order."""
    if count < keys.shape[1]:
        keys.partition(count - 1, axis=-1)
        keys = keys[:, :count].copy()
    if is_quick(keys.dtype, keys.shape[1], keys.size):
        return _quick(keys)
    keys.sort(axis=-1)
    return keys


def _keys(x: Array, descending: bool) -> Array:
    """64-bit keys whose order is that of 32-bit numbers, which have one kind of nan at most, and then of positions in
    their row.

    So the sort need not be stable, and needs no positions beside the values. On (64, 1000) it takes 0.2 ms in place of
    5.5.
    """
    if x.dtype == np.float32:
        x = x + np.float32(0)  # one zero
        # The bits of positive floats ascend, and those of negative floats descend.
        bits = x.view(np.int32)
        ordered = bits >> 31
        ordered |= np.int32(-(2**31))
        ordered ^= bits
    else:
        ordered = x.view(np.int32) ^ np.int32(-(2**31) if x.dtype == np.int32 else 0)
    keys = np.empty(x.shape, np.uint64)
    words = keys.view(np.uint32).reshape(*x.shape, 2)
    words[..., HIGH] = (~ordered if descending else ordered).view(np.uint32)
    words[..., 1 - HIGH] = _places(x.shape[-1])
    return keys


def _by_words(x: Array, descending: bool) -> Array:
    """The positions that sort rows of 64-bit numbers. Their highest bits are keys, as many as positions leave room for:
    few numbers differ in lower bits alone."""
    if x.dtype.kind == "f":
        keys = (x + 0.0).view(np.int64)  # one zero
        keys ^= (keys >> 63) & (2**63 - 1)
    else:
        keys = x.view(np.int64) ^ (-(2**63) if x.dtype.kind == "u" else 0)
    low, high = int(keys.min()), int(keys.max())
    if x.dtype.kind == "f" and not -HIGHEST - 1 <= low <= high <= HIGHEST:  # nan
        return _stable(x, 1, descending)
    order, width = keys.view(np.uint64), np.uint64((x.shape[1] - 1).bit_length())
    if descending:
        np.subtract(np.uint64(high % 2**64), order, out=order)
    else:
        order -= np.uint64(low % 2**64)
    shift = (high - low).bit_length() + int(width) - 64
    words = order >> np.uint64(shift) if shift > 0 else order
    words <<= width
    words |= _places(x.shape[1])
    words = _sorted(words, x.shape[1])
    equal = shift > 0 and not (words[:, 1:] ^ words[:, :-1]).min() >> width
    words &= (np.uint64(1) << width) - np.uint64(1)
    found = words.view(np.int64)
    if equal:
        taken = values_at(order, found, 1)
        if (taken[:, 1:] < taken[:, :-1]).any():
            return _stable(x, 1, descending)
    return found


@lru_cache(maxsize=64)
def _places(count: int) -> Array:
    return np.arange(count, dtype=np.uint32)


def _has_unknown(keys: Array) -> bool:
    """Whether a key in these ordered rows is that of nan: before those of the infinities, or behind them."""
    return min(keys[:, 0].tolist()) < BEFORE_INFINITY or max(keys[:, -1].tolist()) > BEHIND_INFINITY


def searchsorted(sequence: Array, values: Array, right: bool) -> Array:
    """The indices at which values would be inserted into an ordered vector, or rows of values into ordered rows."""
    side = "right" if right else "left"
    if sequence.ndim == 1:
        return np.asarray(np.searchsorted(sequence, values, side))  # type: ignore[call-overload]
    result = np.empty(values.shape, np.intp)
    for row in np.ndindex(*values.shape[:-1]):
        result[row] = np.searchsorted(sequence[row], values[row], side)  # type: ignore[call-overload]
    return result


def unique(x: Array, sort: bool) -> tuple[Array, Array, Array]:
    """The distinct elements, sorted or in order of appearance; for each element its index among them; their counts."""
    flat = x.ravel()
    values, first, inverse, counts = _from_table(flat) or _from_order(flat)
    inverse = inverse.reshape(x.shape)
    if sort:
        return values, inverse, counts
    appearance = argsort(first, 0, False)
    rank = np.empty(len(first), np.intp)
    rank[appearance] = np.arange(len(first))
    return values[appearance], rank[inverse], counts[appearance]


def distinct(x: Array, sort: bool) -> Array:
    """The distinct elements, sorted or in order of appearance."""
    flat = x.ravel()
    if len(flat) < LEAST_ORDERED or flat.dtype.kind not in "iuf":
        return unique(flat, sort)[0]
    if sort and flat.dtype.kind != "f":  # of equal floats the first one stands for all: zero has two signs
        ordered = ascending(flat, 0)
        return ordered[_starts(ordered)]
    order = argsort(flat, 0, False)
    ordered = flat[order]
    starts = _starts(ordered)
    if sort:
        return ordered[starts]
    first = np.zeros(len(flat), bool)
    first[order[starts]] = True
    return flat[first]


def _from_table(flat: Array) -> tuple[Array, Array, Array, Array] | None:
    """As `np.unique`, of integers that lie so close that a table of all between them costs less than their order."""
    if flat.dtype.kind not in "iu" or not flat.size:
        return None
    low = int(flat.min())
    span = int(flat.max()) - low + 1
    if span > 4 * len(flat):
        return None
    keys = flat.astype(np.intp) - low if -(2**62) < low < 2**62 else (flat - flat.dtype.type(low)).astype(np.intp)
    table = np.bincount(keys, minlength=span)
    present = np.flatnonzero(table)
    counts = table[present]
    table[keys[::-1]] = np.arange(len(flat) - 1, -1, -1)  # the last assignment stays: the first position
    first = table[present]
    table[present] = np.arange(len(present))
    return flat[first], first, table[keys], counts


def _from_order(flat: Array) -> tuple[Array, Array, Array, Array]:
    """As `np.unique`, by an order of all elements."""
    if len(flat) < LEAST_ORDERED or flat.dtype.kind not in "iuf":
        return np.unique(flat, return_index=True, return_inverse=True, return_counts=True)
    order = argsort(flat, 0, False)
    ordered = flat[order]
    starts = _starts(ordered)
    counts = np.diff(starts, append=len(flat))
    inverse = np.empty(len(flat), np.intp)
    inverse[order] = np.repeat(np.arange(len(starts)), counts)
    return ordered[starts], order[starts], inverse, counts


def _starts(ordered: Array) -> Array:
    """Where runs of equal elements begin in a vector that is sorted."""
    new = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    if ordered[-1] != ordered[-1]:  # nan stands last, and counts as one element
        new[len(ordered) - np.count_nonzero(ordered != ordered) + 1 :] = False
    return np.flatnonzero(new)


def unique_consecutive(x: Array) -> tuple[Array, Array, Array]:
    """The first of each run of equal elements of a vector; for each element the index of its run; the lengths of the
    runs."""
    new = np.ones(len(x), bool)
    new[1:] = x[1:] != x[:-1]
    starts = np.flatnonzero(new)
    return x[starts], np.cumsum(new) - 1, np.diff(starts, append=len(x))
