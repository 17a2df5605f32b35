"""Random numbers: a counter-based generator, and draws from it that are the same in eager mode and in programs.

Every draw takes the next number of its generator's counter, and what it gives depends on nothing but the seed and this
number (Philox 4x64-10, Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011). So whoever makes the same
draws in the same order gets the same numbers, whatever else runs in between.

A draw takes `(shape, dtype, parameters…, out=None, state=None)`: without `state` it is from the global generator.
Floats below double precision are drawn in single precision.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Shape = Sequence[int]
Key = tuple[int, ...]

_WORD = 2**64 - 1


class State(NamedTuple):
    """All that a generator is: its seed, and how many draws it has made."""

    seed: int
    draws: int


class RandomState:
    """A generator of random numbers. May be used by several threads; each draw of each gets a number of its own."""

    def __init__(self, seed: int | None = None) -> None:
        self._lock = threading.Lock()
        self._state = State(_entropy() if seed is None else _checked_seed(seed), 0)

    @property
    def state(self) -> State:
        """Seed and number of draws; setting it makes the generator continue from there."""
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        seed, draws = state
        with self._lock:
            self._state = State(_checked_seed(seed), int(draws))

    def seed(self, seed: int) -> None:
        """Start anew."""
        self.state = State(seed, 0)

    def take(self) -> State:
        """Seed and number of the next draw, which is then taken."""
        with self._lock:
            taken = self._state
            self._state = State(taken.seed, taken.draws + 1)
        if _THREAD.taken is not None:
            _THREAD.taken.append((self, taken))
        return taken

    def give_back(self, taken: State) -> None:
        """Undo a draw, if it was the last one."""
        with self._lock:
            if self._state == (taken.seed, taken.draws + 1):
                self._state = taken

    def next_generator(self) -> np.random.Generator:
        """NumPy's generator set to the next draw; the thread's own, valid until its next draw."""
        taken = self.take()
        own = _THREAD.own
        if own is None:  # not before the first draw: NumPy loads its generators then
            own = _THREAD.own = _Generator()
        own.key[:] = taken.seed & _WORD, taken.seed >> 64
        # The lower two words of the counter count within the draw.
        own.counter[:] = 0, 0, taken.draws & _WORD, taken.draws >> 64
        own.bits.state = own.state
        return own.generator


class _Thread(threading.local):
    """A thread's generator, and the state to set it to: a new one for every draw would cost eight times as much."""

    def __init__(self) -> None:
        self.taken: list[tuple[RandomState, State]] | None = None  # the draws of a run, which an error undoes
        self.own: _Generator | None = None


class _Generator:
    """A generator of NumPy, and the state to set it to."""

    __slots__ = ("bits", "counter", "generator", "key", "state")

    def __init__(self) -> None:
        self.bits = np.random.Philox(0)
        self.generator = np.random.Generator(self.bits)
        self.state: Any = self.bits.state
        self.key: Array = self.state["state"]["key"]
        self.counter: Array = self.state["state"]["counter"]


_THREAD = _Thread()


def drawing(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose draws are undone where it raises an error, but those before a draw of another thread."""

    def run(*arrays: Array) -> Any:
        outer, _THREAD.taken = _THREAD.taken, []
        try:
            result = function(*arrays)
            if outer is not None:
                outer += _THREAD.taken
            return result
        except BaseException:
            for generator, taken in reversed(_THREAD.taken):
                generator.give_back(taken)
            raise
        finally:
            _THREAD.taken = outer

    return run


def _entropy() -> int:
    """A seed that nobody chose."""
    return int.from_bytes(os.urandom(8), "little")


def _checked_seed(seed: int) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise TypeError(f"the seed must be an int, but got {seed!r} of type {type(seed).__name__}")
    if not 0 <= seed < 2**128:
        raise ValueError(f"the seed must be at least 0 and below 2**128, but got {seed}")
    return int(seed)


# The global generator

DEFAULT = RandomState()
_global_seed: int | None = None
_seedings = 0


def set_seed(seed: int) -> None:
    """Start the global generator anew, and NumPy's global one, from which MindSpore scripts draw too.

    Args:
        seed: an int from 0 to 2**32 - 1.

    Raises:
        TypeError: if seed is no int.
        ValueError: if it is out of range.

    Example:
        >>> from mycel.runtime import random
        >>> random.set_seed(7)
        >>> first = random.uniform((2,))
        >>> random.set_seed(7)
        >>> bool((random.uniform((2,)) == first).all())
        True
    """
    global _global_seed, _seedings
    seed = _checked_seed(seed)
    if seed >= 2**32:
        raise ValueError(f"the seed must be at most 2**32 - 1, but got {seed}")
    _global_seed = seed
    _seedings += 1
    DEFAULT.seed(seed)
    _SEEDED.clear()
    np.random.seed(seed)


def get_seed() -> int | None:
    """The seed last given to `set_seed`, or None."""
    return _global_seed


def seedings() -> int:
    """How often `set_seed` was called; generators that start from its seed start anew when this changes."""
    return _seedings


# Generators of their own for draws that were given a seed

_SEEDED: dict[Key, RandomState] = {}
_OWNED: dict[Key, RandomState] = {}


def generator_of(key: Key | None) -> RandomState | None:
    """The generator for draws with a key; None, the global one, without a key.

    Args:
        key: `(seed,)`: draws that go on from call to call, and begin anew with `set_seed`. `(seed, second, owner)`:
            the same, but of one owner, and what `set_seed` does not concern; with an owner of 0 every draw begins anew.
    """
    if key is None:
        return None
    if len(key) == 1:
        found = _SEEDED.get(key)
        if found is None:
            found = _SEEDED.setdefault(key, RandomState(_mixed(key[0], _global_seed or 0)))
        return found
    if not key[2]:
        return RandomState(_mixed(key[0], key[1]))
    found = _OWNED.get(key)
    if found is None:
        found = _OWNED.setdefault(key, RandomState(_mixed(key[0], key[1])))
    return found


def forget(key: Key) -> None:
    """Drop the generator of an owner that is no more."""
    _OWNED.pop(key, None)


def _mixed(first: int, second: int) -> int:
    """One seed of two."""
    return (first & _WORD) << 64 | (second & _WORD) | 1 << 63


def get_state() -> State:
    """Seed and number of draws of the global generator."""
    return DEFAULT.state


def set_state(state: State) -> None:
    """Let the global generator continue from a state that `get_state` gave."""
    DEFAULT.state = state


def initial_generator() -> np.random.Generator:
    """A NumPy generator of its own for initial values of parameters; counts as one draw."""
    seed, draws = DEFAULT.take()
    words = (0, 0, draws & _WORD, draws >> 64)
    return np.random.Generator(np.random.Philox(key=seed, counter=np.array(words, np.uint64)))


# Draws


def _float_target(shape: Shape, dtype: Any, out: Array | None) -> Array:
    """Where a float draw is made: in `out`, where it is contiguous and of a dtype that NumPy draws."""
    size, dtype = tuple(shape), np.dtype(dtype)
    if out is not None and out.shape != size:
        raise ValueError(f"out has shape {out.shape}, but the numbers drawn have shape {size}")
    if out is not None and out.flags.c_contiguous and out.dtype == dtype and dtype in (np.float32, np.float64):
        return out
    return np.empty(size, np.float64 if dtype == np.float64 else np.float32)


def _deliver(numbers: Array, dtype: Any, out: Array | None) -> Array:
    """The numbers drawn in the dtype asked for, in `out` where there is one."""
    if out is None:
        return numbers.astype(dtype, copy=False)
    if out is not numbers:
        np.copyto(out, numbers, casting="unsafe")
    return out


def _generator(state: RandomState | None) -> np.random.Generator:
    return (DEFAULT if state is None else state).next_generator()


def uniform(
    shape: Shape,
    dtype: Any = np.float32,
    low: Any = 0.0,
    high: Any = 1.0,
    out: Array | None = None,
    state: RandomState | None = None,
) -> Array:
    """Numbers equally likely anywhere in [low, high), which may be arrays that broadcast to the shape."""
    target = _float_target(shape, dtype, out)
    _generator(state).random(out=target, dtype=target.dtype)
    if not (isinstance(low, int | float) and isinstance(high, int | float) and (low, high) == (0, 1)):
        lower, upper = np.asarray(low, target.dtype), np.asarray(high, target.dtype)
        np.multiply(target, upper - lower, out=target)
        np.add(target, lower, out=target)
        # Rounding may have reached the upper bound.
        np.minimum(target, np.nextafter(upper, lower), out=target)
    return _deliver(target, dtype, out)


def normal(
    shape: Shape,
    dtype: Any = np.float32,
    mean: Any = 0.0,
    std: Any = 1.0,
    out: Array | None = None,
    state: RandomState | None = None,
) -> Array:
    """Normally distributed numbers; mean and standard deviation may be arrays that broadcast to the shape."""
    target = _float_target(shape, dtype, out)
    _generator(state).standard_normal(out=target, dtype=target.dtype)
    _scale(target, std)
    if not (isinstance(mean, int | float) and mean == 0):
        np.add(target, np.asarray(mean, target.dtype), out=target)
    return _deliver(target, dtype, out)


def truncated_normal(
    shape: Shape,
    dtype: Any = np.float32,
    mean: float = 0.0,
    std: float = 1.0,
    low: float = -2.0,
    high: float = 2.0,
    out: Array | None = None,
    state: RandomState | None = None,
) -> Array:
    """Normally distributed numbers of those in [low, high] only."""
    if not (std > 0 and low < high):
        raise ValueError(f"expected std > 0 and low < high, but got std={std}, low={low} and high={high}")
    target = _float_target(shape, dtype, out)
    lower, upper = (low - mean) / std, (high - mean) / std
    generator = _generator(state)
    flat = target.reshape(-1)
    missing = np.arange(flat.size)
    while len(missing):
        proposed, accepted = _truncated_proposals(generator, len(missing), lower, upper, target.dtype)
        flat[missing[accepted]] = proposed[accepted]
        missing = missing[~accepted]
    np.multiply(target, target.dtype.type(std), out=target)
    np.add(target, target.dtype.type(mean), out=target)
    np.clip(target, low, high, out=target)
    return _deliver(target, dtype, out)


def _truncated_proposals(
    generator: np.random.Generator, count: int, low: float, high: float, dtype: Any
) -> tuple[Array, Array]:
    """Proposals for a standard normal in [low, high], and which to accept, at least one in ten on average.

    Three proposals as in C. P. Robert, Simulation of truncated normal variables, Statistics and Computing 5 (1995).
    """
    if (math.erf(high / math.sqrt(2)) - math.erf(low / math.sqrt(2))) / 2 > 0.1:
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
    shape: Shape,
    dtype: Any = np.float32,
    rate: Any = 1.0,
    out: Array | None = None,
    state: RandomState | None = None,
) -> Array:
    """Exponentially distributed numbers, of mean 1 / rate."""
    target = _float_target(shape, dtype, out)
    _generator(state).standard_exponential(out=target, dtype=target.dtype)
    _scale(target, 1 / np.asarray(rate, target.dtype))
    return _deliver(target, dtype, out)


def gamma(
    shape: Shape,
    dtype: Any = np.float32,
    alpha: Any = 1.0,
    rate: Any = 1.0,
    out: Array | None = None,
    state: RandomState | None = None,
) -> Array:
    """Gamma distributed numbers of shape parameter alpha and mean alpha / rate."""
    target = _float_target(shape, dtype, out)
    np.copyto(target, _generator(state).standard_gamma(alpha, target.shape), casting="same_kind")
    _scale(target, 1 / np.asarray(rate, target.dtype))
    return _deliver(target, dtype, out)


def laplace(
    shape: Shape,
    dtype: Any = np.float32,
    mean: Any = 0.0,
    scale: Any = 1.0,
    out: Array | None = None,
    state: RandomState | None = None,
) -> Array:
    """Laplace distributed numbers."""
    return _deliver(np.asarray(_generator(state).laplace(mean, scale, tuple(shape))), dtype, out)


def poisson(
    shape: Shape,
    dtype: Any = np.int32,
    rate: Any = 1.0,
    out: Array | None = None,
    state: RandomState | None = None,
) -> Array:
    """Poisson distributed numbers of mean `rate`."""
    return _deliver(np.asarray(_generator(state).poisson(rate, tuple(shape))), dtype, out)


def integers(
    shape: Shape,
    dtype: Any = np.int32,
    low: Any = 0,
    high: Any = 2,
    out: Array | None = None,
    state: RandomState | None = None,
) -> Array:
    """Whole numbers in [low, high), which may be arrays that broadcast to the shape."""
    dtype = np.dtype(dtype)
    drawn_as: Any = dtype if dtype.kind in "iu" else np.int64
    return _deliver(np.asarray(_generator(state).integers(low, high, tuple(shape), drawn_as)), dtype, out)


def permutation(count: int, dtype: Any = np.int64, out: Array | None = None, state: RandomState | None = None) -> Array:
    """The numbers from 0 to count - 1 in random order."""
    return _deliver(_generator(state).permutation(int(count)), dtype, out)


def bernoulli(
    shape: Shape,
    dtype: Any = np.bool_,
    probability: Any = 0.5,
    scale: float = 1.0,
    out: Array | None = None,
    state: RandomState | None = None,
) -> Array:
    """`scale` (True) with the given probability, which may be an array, and else 0 (False)."""
    size, generator = tuple(shape), _generator(state)
    if isinstance(probability, float | int):
        _check_probability(0 <= probability <= 1, probability)
        mask = _coins(generator, size, probability)
    else:
        _check_probability(bool(np.all((probability >= 0) & (probability <= 1))), probability)
        mask = generator.random(size) < probability
    if scale == 1.0:
        return _deliver(mask, dtype, out)
    target = _float_target(shape, dtype, out)
    np.multiply(mask, target.dtype.type(scale), out=target)
    return _deliver(target, dtype, out)


def _check_probability(valid: bool, probability: Any) -> None:
    if not valid:
        raise ValueError(f"a probability must be in [0, 1], but got {probability}")


def _coins(generator: np.random.Generator, shape: tuple[int, ...], probability: float) -> Array:
    """True with one probability, exactly: by 16 random bits each, and by more where these leave it open."""
    size = math.prod(shape)
    numbers = generator.bit_generator.random_raw((size + 3) // 4).view(np.uint16)[:size]
    bound, rest = divmod(probability * 2**16, 1.0)
    if bound >= 2**16:
        return np.ones(shape, bool)
    mask = numbers < np.uint16(bound)
    if rest:
        (undecided,) = np.nonzero(numbers == np.uint16(bound))
        mask[undecided] = generator.random(len(undecided)) < rest
    return mask.reshape(shape)


def multinomial(
    weights: Array,
    samples: int,
    replacement: bool = True,
    dtype: Any = np.int64,
    out: Array | None = None,
    state: RandomState | None = None,
) -> Array:
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
        # The order in which exponential clocks of these rates ring is that of drawing one after the other.
        clocks = generator.standard_exponential(rows.shape)
        with np.errstate(divide="ignore"):
            clocks /= rows
        drawn = np.argsort(clocks, axis=1)[:, :samples]
    return _deliver(drawn.reshape(*weights.shape[:-1], samples), dtype, out)


def _scale(target: Array, factor: Any) -> None:
    """Multiply in place, unless by 1."""
    if not (np.ndim(factor) == 0 and factor == 1):
        np.multiply(target, np.asarray(factor, target.dtype), out=target)
