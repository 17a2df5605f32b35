"""The state of the generators of random numbers (`mindspore.get_rng_state`, `Generator`)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ...frontend.values.tensor import Tensor
from ...runtime import random
from ..functions.random import manual_seed as _manual_seed

__all__ = ["Generator", "default_generator", "get_rng_state", "initial_seed", "seed", "set_rng_state"]

_WORD = 2**64 - 1


def get_rng_state() -> Tensor:
    """The state of the generator of the process, for `set_rng_state`: a tensor of bytes.

    Examples:
        >>> import mycel as ms
        >>> state = ms.get_rng_state()
        >>> first = ms.ops.rand(2)
        >>> ms.set_rng_state(state)
        >>> print((ms.ops.rand(2) == first).all())
        True
    """
    return _as_tensor(random.get_state())


def set_rng_state(state: Tensor) -> None:
    """Continue from a state that `get_rng_state` gave.

    Raises:
        TypeError: if it is no tensor.
        ValueError: if it is no such state.

    Examples:
        >>> import mycel as ms
        >>> state = ms.get_rng_state()
        >>> first = ms.ops.rand(3)
        >>> ms.set_rng_state(state)
        >>> bool((ms.ops.rand(3) == first).all())
        True
    """
    random.set_state(_as_state(state, "set_rng_state"))


def seed() -> int:
    """Seed the generator of the process with a number that nobody knows before; the number.

    Examples:
        >>> import mycel as ms
        >>> ms.seed() == ms.initial_seed()
        True
    """
    drawn = int.from_bytes(os.urandom(4), "little")
    _manual_seed(drawn)
    return drawn


def initial_seed() -> int:
    """The number that the generator of the process was seeded with.

    Examples:
        >>> import mycel as ms
        >>> ms.set_seed(5)
        >>> ms.initial_seed()
        5
    """
    return random.get_state().seed


def _as_tensor(state: random.State) -> Tensor:
    words = [state.seed & _WORD, state.seed >> 64, state.draws & _WORD, state.draws >> 64]
    return Tensor(np.frombuffer(np.array(words, np.uint64).tobytes(), np.uint8).copy())


def _as_state(state: Any, owner: str) -> random.State:
    if not isinstance(state, Tensor):
        raise TypeError(f"{owner} takes the tensor that get_rng_state() gives, but got {type(state).__name__}")
    numbers = state.asnumpy()
    if numbers.dtype != np.uint8 or numbers.shape != (32,):
        raise ValueError(f"{owner} takes the tensor that get_rng_state() gives, but got one of shape {state.shape}")
    low, high, draws, more = (int(word) for word in np.frombuffer(numbers.tobytes(), np.uint64))
    return random.State(low | high << 64, draws | more << 64)


class Generator:
    """A generator of random numbers with a state of its own.

    Examples:
        >>> import mycel as ms
        >>> generator = ms.Generator()
        >>> print(generator.manual_seed(5).initial_seed())
        5
    """

    def __init__(self) -> None:
        self._state = random.RandomState(0)

    def set_state(self, state: Tensor) -> None:
        """Continue from a state of `get_state`; errors as for `set_rng_state`."""
        self._state.state = _as_state(state, "set_state")

    def get_state(self) -> Tensor:
        """The state, for `set_state`."""
        return _as_tensor(self._state.state)

    def seed(self) -> int:
        """Seed it with a number that nobody knows before; the number."""
        drawn = int.from_bytes(os.urandom(4), "little")
        self._state.seed(drawn)
        return drawn

    def manual_seed(self, seed: int) -> Generator:
        """Start anew from a seed; the generator itself.

        Raises:
            TypeError: if it is no int.
        """
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise TypeError("Seed must be an integer.")
        self._state.seed(seed)
        return self

    def initial_seed(self) -> int:
        """The number that it was seeded with."""
        return self._state.state.seed


class _DefaultGenerator(Generator):
    """The generator of the process."""

    def set_state(self, state: Tensor) -> None:
        """Continue from a state."""
        set_rng_state(state)

    def get_state(self) -> Tensor:
        """The state."""
        return get_rng_state()

    def seed(self) -> int:
        """Seed it with a number that nobody knows before; the number."""
        return seed()

    def manual_seed(self, seed: int) -> Generator:
        """Start anew from a seed; the generator itself."""
        _manual_seed(seed)
        return self

    def initial_seed(self) -> int:
        """The number that it was seeded with."""
        return initial_seed()


default_generator: Generator = _DefaultGenerator()
