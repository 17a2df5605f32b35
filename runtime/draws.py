"""Samples from probability distributions, the same in eager mode and in programs.

A draw takes `(shape, dtype, parameters…, out=None, state=None)`. Without `state` it uses the global generator. Floats
narrower than float64 are drawn in float32.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from . import random
from .random import Array, RandomState, Stream

Shape = Sequence[int]
BLOCK = 1 << 14  # numbers that are drawn at once
NORMALS = 1 << 10  # normal numbers of which kernels make two from two
POLAR = """over 512
in x float32[1024] 4
in y float32[1024] 4 from 2048
out c float32[1024] 4
out s float32[1024] 4 from 2048
left = subtract(1.0, x)
part = log(left)
square = multiply(-2.0, part)
radius = sqrt(square)
angle = multiply(6.2831853, y)
cosine = cos(angle)
sine = sin(angle)
c = multiply(radius, cosine)
s = multiply(radius, sine)"""


def _float_target(shape: Shape, dtype: Any, out: Array | None) -> Array:
    """The array for a draw of floats: `out` if it is contiguous and NumPy can draw its dtype, else a new one."""
    size, dtype = tuple(shape), np.dtype(dtype)
    if out is not None and out.shape != size:
        raise ValueError(f"out has shape {out.shape}, but the numbers drawn have shape {size}")
    if out is not None and out.flags.c_contiguous and out.dtype == dtype and dtype in (np.float32, np.float64):
        return out
    return np.empty(size, np.float64 if dtype == np.float64 else np.float32)


def _deliver(numbers: Array, dtype: Any, out: Array | None) -> Array:
    """The draw in the wanted dtype, written to `out` if there is one."""
    if out is None:
        return numbers.astype(dtype, copy=False)
    if out is not numbers:
        np.copyto(out, numbers, casting="unsafe")
    return out


def _stream(state: RandomState | None) -> Stream:
    return (random.DEFAULT if state is None else state).next_stream()


def _generator(state: RandomState | None) -> np.random.Generator:
    return _stream(state).generator()


def _fill(stream: Stream, target: Array) -> None:
    """Fill a vector with uniformly distributed numbers in [0, 1): the upper bits of words, as NumPy's generator does.
    Only the last vector of a draw may have a size that is no multiple of 16: `words` gives whole blocks."""
    size = target.dtype.itemsize
    bits, signed = np.dtype(f"u{size}"), np.dtype(f"i{size}")
    kept = np.finfo(target.dtype).nmant + 1
    for start in range(0, target.size, BLOCK):
        block = target[start : start + BLOCK]
        numbers = stream.words(-(-block.size * size // 8)).view(bits)[: block.size]
        np.right_shift(numbers, bits.type(8 * size - kept), out=numbers)
        block[...] = numbers.view(signed)  # which NumPy casts sooner
        np.multiply(block, target.dtype.type(0.5**kept), out=block)


def uniform(
    shape: Shape, dtype: Any = np.float32, low: Any = 0.0, high: Any = 1.0, out: Array | None = None,
    state: RandomState | None = None,
) -> Array:  # fmt: skip
    """Uniformly distributed numbers in [low, high); the bounds may be arrays that broadcast to the shape."""
    target = _float_target(shape, dtype, out)
    _fill(_stream(state), target.reshape(-1))
    if not (isinstance(low, int | float) and isinstance(high, int | float) and (low, high) == (0, 1)):
        lower, upper = np.asarray(low, target.dtype), np.asarray(high, target.dtype)
        np.multiply(target, upper - lower, out=target)
        np.add(target, lower, out=target)
        # Rounding may have reached the upper bound.
        np.minimum(target, np.nextafter(upper, lower), out=target)
    if target.dtype != np.dtype(dtype):  # rounding to the narrower dtype may reach it, too
        target = np.minimum(target.astype(dtype), np.nextafter(np.asarray(high, dtype), np.asarray(low, dtype)))
    return _deliver(target, dtype, out)


def normal(
    shape: Shape, dtype: Any = np.float32, mean: Any = 0.0, std: Any = 1.0, out: Array | None = None,
    state: RandomState | None = None,
) -> Array:  # fmt: skip
    """Normally distributed numbers; mean and standard deviation may be arrays that broadcast to the shape."""
    target, stream = _float_target(shape, dtype, out), _stream(state)
    if target.dtype == np.float32 and target.size >= 2 * NORMALS:
        _many_normals(stream, target.reshape(-1))
    else:
        stream.generator().standard_normal(out=target, dtype=target.dtype)
    _scale(target, std)
    if not (isinstance(mean, int | float) and mean == 0):
        np.add(target, np.asarray(mean, target.dtype), out=target)
    return _deliver(target, dtype, out)


@cache
def _polar() -> Callable[..., Any]:
    from .native.codegen import compile_kernel  # late: `import mycel` needs no machine code

    return compile_kernel(POLAR)


def _many_normals(stream: Stream, target: Array) -> None:
    """Fill a vector with normal numbers in polar coordinates (G. E. P. Box and M. E. Muller, 1958), in a fifth of the
    time of NumPy's generator."""
    whole = target.size // NORMALS * NORMALS
    for start in range(0, whole, BLOCK):
        _fill_normal(stream, target[start : min(start + BLOCK, whole)])
    if whole < target.size:
        last = np.empty(NORMALS, np.float32)
        _fill_normal(stream, last)
        target[whole:] = last[: target.size - whole]


def _fill_normal(stream: Stream, target: Array) -> None:
    kernel = _polar()
    _fill(stream, target)
    for start in range(0, target.size, NORMALS):
        block = target[start : start + NORMALS]
        kernel(block, block, block, block)


def truncated_normal(
    shape: Shape, dtype: Any = np.float32, mean: float = 0.0, std: float = 1.0, low: float = -2.0, high: float = 2.0,
    out: Array | None = None, state: RandomState | None = None,
) -> Array:  # fmt: skip
    """Numbers of a normal distribution that is cut to [low, high]."""
    whole = 0 < std < math.inf and low < high
    lower, upper = ((low - mean) / std, (high - mean) / std) if whole else (math.nan, math.nan)
    if not (lower < math.inf and upper > -math.inf):  # no number would ever be accepted
        raise ValueError(
            f"expected finite std > 0 and mean, and low < high, but got std={std}, mean={mean}, low={low}, high={high}"
        )
    target = _float_target(shape, dtype, out)
    generator = _generator(state)

    def scale(numbers: Array) -> None:
        np.multiply(numbers, numbers.dtype.type(std), out=numbers)
        np.add(numbers, numbers.dtype.type(mean), out=numbers)
        np.clip(numbers, low, high, out=numbers)

    flat = target.reshape(-1)
    missing = _first_normals(generator, flat, lower, upper, scale) if _is_wide(lower, upper) else np.arange(flat.size)
    while len(missing):
        proposed, accepted = _truncated_proposals(generator, len(missing), lower, upper, target.dtype)
        found = proposed[accepted].astype(target.dtype, copy=False)
        scale(found)
        flat[missing[accepted]] = found
        missing = missing[~accepted]
    return _deliver(target, dtype, out)


def _is_wide(low: float, high: float) -> bool:
    """Whether more than one in ten of the numbers of a standard normal distribution are in [low, high]."""
    return (math.erf(high / math.sqrt(2)) - math.erf(low / math.sqrt(2))) / 2 > 0.1


def _first_normals(
    generator: np.random.Generator, flat: Array, low: float, high: float, scale: Callable[[Array], None]
) -> Array:
    """Fill an array with normal numbers and scale them, block by block, while they are in the cache; the positions of
    those outside of [low, high]."""
    missing = []
    for start in range(0, flat.size, BLOCK):
        block = flat[start : start + BLOCK]
        generator.standard_normal(out=block, dtype=block.dtype)
        if block.min() < low or block.max() > high:
            missing.append(start + np.flatnonzero((block < low) | (block > high)))
        scale(block)
    return np.concatenate(missing) if missing else np.empty(0, np.intp)


def _truncated_proposals(
    generator: np.random.Generator, count: int, low: float, high: float, dtype: Any
) -> tuple[Array, Array]:
    """Proposals for a standard normal in [low, high], and which to accept: at least one in ten on average.

    The three methods of C. P. Robert, Simulation of truncated normal variables, Statistics and Computing 5 (1995).
    """
    if _is_wide(low, high):
        numbers: Array = generator.standard_normal(count, dtype)
        return numbers, (numbers >= low) & (numbers <= high)
    if high <= 0:
        numbers, accepted = _truncated_proposals(generator, count, -high, -low, dtype)
        return -numbers, accepted
    closest = max(low, 0.0)
    if high - low < 2 / (closest + math.sqrt(closest**2 + 4)) * math.exp(0.5):
        numbers = generator.random(count) * (high - low) + low
        chance = np.exp((closest**2 - numbers**2) / 2)
    else:
        rate = (low + math.sqrt(low**2 + 4)) / 2
        numbers = generator.standard_exponential(count) / rate + low
        chance = np.exp(-((numbers - rate) ** 2) / 2) * (numbers <= high)
    return numbers, generator.random(count) < chance


def exponential(
    shape: Shape, dtype: Any = np.float32, rate: Any = 1.0, out: Array | None = None, state: RandomState | None = None
) -> Array:
    """Exponentially distributed numbers, of mean 1 / rate."""
    target = _float_target(shape, dtype, out)
    _generator(state).standard_exponential(out=target, dtype=target.dtype)
    _scale(target, 1 / np.asarray(rate, target.dtype))
    return _deliver(target, dtype, out)


def gamma(
    shape: Shape, dtype: Any = np.float32, alpha: Any = 1.0, rate: Any = 1.0, out: Array | None = None,
    state: RandomState | None = None,
) -> Array:  # fmt: skip
    """Gamma distributed numbers of shape parameter alpha and mean alpha / rate."""
    target = _float_target(shape, dtype, out)
    np.copyto(target, _generator(state).standard_gamma(alpha, target.shape), casting="same_kind")
    _scale(target, 1 / np.asarray(rate, target.dtype))
    return _deliver(target, dtype, out)


def laplace(
    shape: Shape, dtype: Any = np.float32, mean: Any = 0.0, scale: Any = 1.0, out: Array | None = None,
    state: RandomState | None = None,
) -> Array:  # fmt: skip
    """Laplace distributed numbers."""
    return _deliver(np.asarray(_generator(state).laplace(mean, scale, tuple(shape))), dtype, out)


def poisson(
    shape: Shape, dtype: Any = np.int32, rate: Any = 1.0, out: Array | None = None, state: RandomState | None = None
) -> Array:
    """Poisson distributed numbers of mean `rate`."""
    return _deliver(np.asarray(_generator(state).poisson(rate, tuple(shape))), dtype, out)


def integers(
    shape: Shape, dtype: Any = np.int32, low: Any = 0, high: Any = 2, out: Array | None = None,
    state: RandomState | None = None,
) -> Array:  # fmt: skip
    """Whole numbers in [low, high), which may be arrays that broadcast to the shape."""
    dtype = np.dtype(dtype)
    drawn_as: Any = dtype if dtype.kind in "iu" else np.int64
    return _deliver(np.asarray(_generator(state).integers(low, high, tuple(shape), drawn_as)), dtype, out)


def permutation(count: int, dtype: Any = np.int64, out: Array | None = None, state: RandomState | None = None) -> Array:
    """The numbers from 0 to count - 1 in random order."""
    return _deliver(_generator(state).permutation(int(count)), dtype, out)


def bernoulli(
    shape: Shape, dtype: Any = np.bool_, probability: Any = 0.5, scale: float = 1.0, out: Array | None = None,
    state: RandomState | None = None,
) -> Array:  # fmt: skip
    """`scale` (True) with the given probability, which may be an array, else 0 (False)."""
    size, stream = tuple(shape), _stream(state)
    if isinstance(probability, float | int):
        _check_probability(0 <= probability <= 1, probability)
        mask = _coins(stream, size, probability)
    else:
        _check_probability(bool(np.all((probability >= 0) & (probability <= 1))), probability)
        numbers = np.empty(size)
        _fill(stream, numbers.reshape(-1))
        mask = numbers < probability
    if scale == 1.0:
        return _deliver(mask, dtype, out)
    target = _float_target(shape, dtype, out)
    np.multiply(mask, target.dtype.type(scale), out=target)
    return _deliver(target, dtype, out)


def _check_probability(valid: bool, probability: Any) -> None:
    if not valid:
        raise ValueError(f"a probability must be in [0, 1], but got {probability}")


def _coins(stream: Stream, shape: tuple[int, ...], probability: float) -> Array:
    """True with an exact probability: 16 random bits decide, and more bits where 16 are not enough."""
    size = math.prod(shape)
    numbers = stream.words((size + 3) // 4).view(np.uint16)[:size]
    bound, rest = divmod(probability * 2**16, 1.0)
    if bound >= 2**16:
        return np.ones(shape, bool)
    mask = numbers < np.uint16(bound)
    if rest:
        (undecided,) = np.nonzero(numbers == np.uint16(bound))
        mask[undecided] = stream.generator().random(len(undecided)) < rest
    return mask.reshape(shape)


def multinomial(
    weights: Array, samples: int, replacement: bool = True, dtype: Any = np.int64, out: Array | None = None,
    state: RandomState | None = None,
) -> Array:  # fmt: skip
    """Categories (…, samples) drawn in proportion to the weights (…, categories), which need not sum to 1."""
    rows = np.asarray(weights, np.float64).reshape(-1, weights.shape[-1])
    if not (np.isfinite(rows).all() and (rows >= 0).all() and (rows.sum(axis=1) > 0).all()):
        raise ValueError("multinomial needs finite weights of at least 0, with some above 0 in every row")
    generator = _generator(state)
    if replacement:
        # One ordered vector of all rows' cumulated weights, row i from i to i + 1.
        bounds = np.cumsum(rows, axis=1)
        bounds /= bounds[:, -1:]
        offsets = np.arange(len(rows))[:, None]
        numbers = generator.random((len(rows), samples))
        places = np.searchsorted((bounds + offsets).reshape(-1), numbers + offsets, "right")
        drawn = places - offsets * rows.shape[1]
        # Adding the offset may have rounded a number up to its row's end.
        last = rows.shape[1] - 1 - np.argmax(rows[:, ::-1] > 0, axis=1)
        np.minimum(drawn, last[:, None], out=drawn)
    else:
        most = np.count_nonzero(rows, axis=1).min()
        if samples > most:
            raise ValueError(
                f"cannot draw {samples} categories without replacement where only {most} have a weight above 0"
            )
        # The order of exponential arrival times with these rates is that of draws one after the other.
        clocks = generator.standard_exponential(rows.shape)
        with np.errstate(divide="ignore"):
            clocks /= rows
        drawn = np.argsort(clocks, axis=1)[:, :samples]
    return _deliver(drawn.reshape(*weights.shape[:-1], samples), dtype, out)


def _scale(target: Array, factor: Any) -> None:
    """Multiply in place. Nothing happens for a factor of 1."""
    if not (np.ndim(factor) == 0 and factor == 1):
        np.multiply(target, np.asarray(factor, target.dtype), out=target)
