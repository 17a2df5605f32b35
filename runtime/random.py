"""Random number generation by a counter-based generator, with the same draws in eager mode and in programs.

Every draw takes the next number of its generator's counter. Its result depends only on the seed and this number (Philox
4x64-10, Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011). So the same draws in the same order give the
same numbers, whatever else runs in between.

The distributions are in `draws.py`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .records import NamedTuple

Array = np.ndarray[Any, np.dtype[Any]]
Shape = Sequence[int]
Key = tuple[int, ...]

_WORD = 2**64 - 1
_STEPS = np.outer(np.arange(10, dtype=np.uint64), np.array([0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B], np.uint64))
"""What Philox adds to its two keys before each of its rounds."""
MANY_WORDS = 1 << 8  # that machine code makes


class State(NamedTuple):
    """The state of a generator: its seed, and the number of draws so far."""

    seed: int
    draws: int


class RandomState:
    """A random number generator. Several threads may use it; each draw gets a number of its own."""

    def __init__(self, seed: int | None = None) -> None:
        self._lock = threading.Lock()
        self._state = State(_entropy() if seed is None else _checked_seed(seed), 0)

    @property
    def state(self) -> State:
        """Seed and number of draws. If it is set, the generator continues from there."""
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        seed, draws = state
        with self._lock:
            self._state = State(_checked_seed(seed), int(draws))

    def seed(self, seed: int) -> None:
        """Start again from a seed."""
        self.state = State(seed, 0)

    def take(self) -> State:
        """Take the next draw: its seed and number."""
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
        """A NumPy generator for the next draw. It belongs to the thread, and is valid until its next draw."""
        return self.next_stream().generator()

    def next_stream(self) -> Stream:
        """The random bits of the next draw. They belong to the thread, and are valid until its next draw."""
        taken = self.take()
        own = _THREAD.own
        if own is None:  # not before the first draw: NumPy loads its generators then
            own = _THREAD.own = Stream()
        own.start(taken)
        return own


class _Thread(threading.local):
    """A thread's generator and its state. A new generator for every draw would take eight times as long."""

    def __init__(self) -> None:
        self.taken: list[tuple[RandomState, State]] | None = None  # the draws of a run, which an error undoes
        self.own: Stream | None = None


class Stream:
    """The random bits of one draw: words, and a NumPy generator that goes on behind these."""

    __slots__ = ("_bits", "_counter", "_generator", "_key", "_rounds", "_state", "_taken")

    def __init__(self) -> None:
        self._bits = np.random.Philox(0)
        self._generator = np.random.Generator(self._bits)
        self._state: Any = self._bits.state
        self._key: Array = self._state["state"]["key"]
        self._counter: Array = self._state["state"]["counter"]
        self._rounds = np.empty(4 + _STEPS.size, np.uint64)  # the counter, and the keys of all rounds
        self._taken = 0

    def start(self, draw: State) -> None:
        """Begin with the bits of a draw."""
        self._key[:] = draw.seed & _WORD, draw.seed >> 64
        # The lower two words of the counter count within the draw.
        self._counter[:] = 0, 0, draw.draws & _WORD, draw.draws >> 64
        self._taken = 0

    def words(self, count: int) -> Array:
        """The next words of 64 bits: several blocks of four, or the last ones that are taken.

        Machine code makes many of them, in half of the time of NumPy's generator.
        """
        begun, self._taken = self._taken, self._taken + count
        if count < MANY_WORDS:
            return self._behind(begun).random_raw(count)
        from .machine.array_functions import compile_philox  # late: `import mycel` needs no machine code

        found = np.empty((-(-count // 4), 4), np.uint64)
        self._rounds[:4] = self._counter
        self._rounds[0] = begun // 4
        np.add(self._key, _STEPS, out=self._rounds[4:].reshape(_STEPS.shape))
        if not compile_philox()(self._rounds, found):
            return self._behind(begun).random_raw(count)
        return found.reshape(-1)[:count]

    def generator(self) -> np.random.Generator:
        """NumPy's generator for the bits behind these words."""
        self._behind(self._taken)
        return self._generator

    def _behind(self, words: int) -> np.random.Philox:
        self._counter[0] = words // 4
        self._bits.state = self._state
        if words % 4:
            self._bits.random_raw(words % 4)
        return self._bits


_THREAD = _Thread()


def drawing(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, but if it raises an error its draws are undone, except those before a draw of another thread."""

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
    """A random seed."""
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
        >>> from mycel.runtime import draws, random
        >>> random.set_seed(7)
        >>> first = draws.uniform((2,))
        >>> random.set_seed(7)
        >>> bool((draws.uniform((2,)) == first).all())
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
    """The number of calls of `set_seed`. Generators that start from its seed start again when this changes."""
    return _seedings


# Generators of their own for draws that were given a seed

_SEEDED: dict[Key, RandomState] = {}
_OWNED: dict[Key, RandomState] = {}


def generator_of(key: Key | None) -> RandomState | None:
    """The generator for draws with a key; None, the global one, without a key.

    Args:
        key: `()`: draws of the global generator that differ from process to process, where there are several.
            `(seed,)`: draws that go on from call to call, and begin anew with `set_seed`. `(seed, second, owner)`:
            the same, but of one owner, and what `set_seed` does not concern; with an owner of 0 every draw begins anew.
    """
    if key is None:
        return None
    if not key:
        return _RANKED
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


RANK_KEY: Key = ()
"""The key of draws that differ from process to process."""


class _Ranked(RandomState):
    """The global generator with the rank mixed into its seed. Its draws count there, so that all processes stay in
    step."""

    rank = 0

    def take(self) -> State:
        seed, draws = DEFAULT.take()
        return State(seed ^ self.rank << 64, draws)


_RANKED = _Ranked(0)


def set_rank(rank: int) -> None:
    """Set the rank of this process."""
    _RANKED.rank = rank


def forget(key: Key) -> None:
    """Delete the generator of an owner that no longer exists."""
    _OWNED.pop(key, None)


def _mixed(first: int, second: int) -> int:
    """One seed made of two."""
    return (first & _WORD) << 64 | (second & _WORD) | 1 << 63


def get_state() -> State:
    """The seed and the number of draws of the global generator."""
    return DEFAULT.state


def set_state(state: State) -> None:
    """Let the global generator continue from a state of `get_state`."""
    DEFAULT.state = state
