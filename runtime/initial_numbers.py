"""Counter-based generation of initial values: Philox 4x32-10 with MindSpore's seeds, so that weights are MindSpore's.

Each count gives four words of random bits (Salmon et al., 2011), so threads fill parts of an array in any order.
Uniform numbers are MindSpore's to the last bit, normal ones up to the rounding of logarithms and cosines.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from . import processors, threads
from .kernels.error_function import INVERSE_TAIL, SINGLE_INVERSE_MIDDLE, erfinv, polynomial

Array = np.ndarray[Any, np.dtype[Any]]

COUNTS = 1 << 12
"""Counts of a block, whose numbers stay in the cache."""
BLOCKS = 32
"""Blocks of one piece of a large array; threads share the pieces."""
LARGE = 1 << 19
"""Numbers that a process draws before it pays to compile a kernel, which then draws all."""
VECTOR = 1 << 10
"""How many numbers NumPy would draw in the time that it takes to begin a vector."""
WORD = 2**32 - 1
ROUNDS = 10
_DRAWN = [0]  # numbers drawn so far, and what beginning took
FACTORS = np.array([[0xD2511F53], [0xCD9E8D57]], np.uint64)
STEPS = np.array([0x9E3779B9, 0xBB67AE85], np.uint32)  # of the keys, from round to round


def initial_seed() -> int:
    """A seed for the initial values of one Parameter. It is MindSpore's draw from NumPy's global generator: so
    `np.random.seed` fixes weights, too, and a script draws the same numbers behind its network."""
    return int(np.random.randint(1, 1 << 63, dtype=np.int64))


def uniform(flat: Array, low: float, high: float) -> None:
    """Fill a vector with numbers in [low, high)."""
    start = float(np.float32(low))
    span = float(np.float32(high)) - start
    _fill(flat, initial_seed(), lambda words: words * 2.0**-32 * span + start)


def normal(flat: Array, mean: float, deviation: float) -> None:
    """Fill a vector with normal numbers in polar coordinates (G. E. P. Box and M. E. Muller, 1958)."""

    def turn(words: Array) -> Array:
        numbers = (words & np.uint32(0x7FFFFF)).astype(np.float32)
        numbers *= np.float32(2**-23)
        radius, angle = np.maximum(numbers[::2], np.float32(1e-7)), numbers[1::2] * np.float32(2 * math.pi)
        radius = np.sqrt(np.log(radius, out=radius) * np.float32(-2)) * np.float32(deviation)
        numbers[::2], numbers[1::2] = radius * np.cos(angle), radius * np.sin(angle)
        numbers += np.float32(mean)
        return numbers

    _fill(flat, initial_seed(), turn)


def truncated_normal(flat: Array, mean: float, deviation: float, low: float, high: float) -> bool:
    """Fill a vector with numbers of a normal distribution cut to [low, high]. It returns False, and does nothing,
    in tails where the inverse of the distribution is too steep, and for wrong arguments."""
    scale = math.sqrt(0.5) / deviation if deviation > 0 else math.nan
    first, last = (math.erf((bound - mean) * scale) for bound in (low, high))
    if not last - first > 1e-4:
        return False

    def turn(words: Array) -> Array:
        shares = words + 0.5
        shares *= 2.0**-32 * (last - first)
        shares += first
        numbers, far = _inverse(shares.astype(np.float32)), np.flatnonzero(np.abs(shares) > 0.9967)
        if far.size:
            y = shares[far]
            numbers[far] = y * polynomial(np.sqrt(-np.log((1 - y) * (1 + y))) - 4, INVERSE_TAIL)
        return np.clip(numbers * (deviation * math.sqrt(2)) + mean, low, high)

    _fill(flat, initial_seed(), turn)
    return True


def _fill(flat: Array, seed: int, turn: Callable[[Array], Array]) -> None:
    """Fill a vector with what `turn` makes of words of random bits."""
    size, block = flat.size, 4 * COUNTS
    _DRAWN[0] += VECTOR + size
    draw = (_by_kernel if _DRAWN[0] > LARGE else _by_numpy)(seed)

    def fill(piece: int, thread: int) -> None:
        end = min(size, (piece + 1) * BLOCKS * block)
        for start in range(piece * BLOCKS * block, end, block):
            count = min(block, end - start)
            flat[start : start + count] = turn(draw(start // 4, -(-count // 4)))[:count]

    pieces = -(-size // (BLOCKS * block))
    threads.share(fill, pieces, processors.thread_count() if pieces > 1 else 1)


def _by_numpy(seed: int) -> Callable[[int, int], Array]:
    """What gives the words of `count` counts from the first one."""
    keys = _keys(seed)[:, :, None]

    def draw(first: int, count: int) -> Array:
        even, products = np.zeros((2, count), np.uint64), np.empty((2, count), np.uint64)
        even[0], even[1] = np.arange(first, first + count), seed & WORD
        low, halves = even.view(np.uint32)[:, ::2], products.view(np.uint32)[::-1]
        odd, high = halves[:, ::2], halves[:, 1::2]
        odd[0], odd[1] = 0, seed >> 32
        for key in keys:
            mixed = odd ^ key
            np.multiply(even, FACTORS, products)
            np.bitwise_xor(high, mixed, low)
        return np.stack([low.T, odd.T], axis=-1).reshape(-1)

    return draw


def _keys(seed: int) -> Array:
    """The two keys of each round."""
    halves = np.array([seed & WORD, seed >> 32], np.uint32)
    return np.arange(ROUNDS, dtype=np.uint32)[:, None] * STEPS + halves


@cache
def _kernel() -> Callable[..., Any]:
    """Words of a whole block. It takes counts, the halves of the seed and the keys, and writes to an array twice."""
    names = [f"k{number}" for number in range(2 * ROUNDS)]
    lines = [f"over {COUNTS}", f"in a uint64[{COUNTS}] 8"]
    lines += [f"in {name} uint64[] 0" for name in ("c", "d", *names)]
    lines += [f"out {name} uint64[{2 * COUNTS}] 16 from {8 * half}" for half, name in enumerate(("left", "right"))]
    lines.append("b = bitwise_and(a, 0)")
    a, b, c, d = "abcd"
    for number in range(ROUNDS):
        p, q, t, u, v, w = (f"{letter}{number}" for letter in "pqtuvw")
        lines += [f"{p} = multiply({a}, {FACTORS[0, 0]})", f"{q} = multiply({c}, {FACTORS[1, 0]})"]
        for high, part, other, key in ((t, q, b, f"k{2 * number}"), (u, p, d, f"k{2 * number + 1}")):
            lines += [f"{high}h = right_shift({part}, 32)", f"{high}x = bitwise_xor({high}h, {other})"]
            lines.append(f"{high} = bitwise_xor({high}x, {key})")
        lines += [f"{v} = bitwise_and({q}, {WORD})", f"{w} = bitwise_and({p}, {WORD})"]
        a, b, c, d = t, v, u, w
    for name, low, high in (("left", a, b), ("right", c, d)):
        lines += [f"{name}_high = left_shift({high}, 32)", f"{name} = bitwise_or({name}_high, {low})"]
    from .native.codegen import compile_kernel  # late: `import mycel` needs no machine code

    return compile_kernel("\n".join(lines))


def _inverse(y: Array) -> Array:
    """The inverse of the error function in [-0.9967, 0.9967]."""
    if y.size < 4 * COUNTS:
        return erfinv(y)
    _inverse_kernel()(y, y)
    return y


@cache
def _inverse_kernel() -> Callable[..., Any]:
    size = 4 * COUNTS
    lines = [f"over {size}", f"in y float32[{size}] 4", f"out z float32[{size}] 4", "l = subtract(1.0, y)"]
    lines += ["r = add(1.0, y)", "s = multiply(l, r)", "g = log(s)", "w = subtract(-2.5, g)"]
    highest, *rest = reversed(SINGLE_INVERSE_MIDDLE)
    lines.append(f"p0 = multiply(w, {highest})")
    for number, coefficient in enumerate(rest):
        factor, name = ("w", f"p{number + 1}") if number < len(rest) - 1 else ("y", "z")
        lines += [f"a{number} = add(p{number}, {coefficient})", f"{name} = multiply(a{number}, {factor})"]
    from .native.codegen import compile_kernel

    return compile_kernel("\n".join(lines))


def _by_kernel(seed: int) -> Callable[[int, int], Array]:
    """`_by_numpy` with the kernel, which draws whole blocks. It gives as many: what `turn` computes of a whole block is
    rounded otherwise than of a part of one."""
    numbers = np.array([seed & WORD, seed >> 32, *_keys(seed).flat], np.uint64)
    kernel, scalars = _kernel(), [numbers[place, ...] for place in range(numbers.size)]

    def draw(first: int, count: int) -> Array:
        words = np.empty(2 * COUNTS, np.uint64)
        kernel(np.arange(first, first + COUNTS, dtype=np.uint64), *scalars, words, words)
        return words.view(np.uint32)[: 4 * count]

    return draw
