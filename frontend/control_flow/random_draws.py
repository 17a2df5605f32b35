"""What random generators of Python and NumPy give during a trace.

A run would draw anew, so a trace that draws is given up. Initial values of layers that traced code makes are constants
of the graph: their draws count as none.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

from ..state import STATE
from ..tracing.snapshots import snapshot

Drawn = TypeVar("Drawn")


class Draws:
    """The states of random generators at one time, and after the initial values that were drawn since."""

    def __init__(self, generators: Iterable[Any]) -> None:
        self.first = self.states = [(generator, _state(generator)) for generator in generators]
        if STATE.draws is None:
            STATE.draws = weakref.WeakSet()
        STATE.draws.add(self)

    def moved(self) -> bool:
        """Whether a generator has drawn other numbers."""
        return not all(_equal(_state(generator), state) for generator, state in self.states)

    def restore(self) -> bool:
        """Restore the states at the beginning if a generator has drawn other numbers than initial values. Whether one
        has."""
        moved = self.moved()
        if moved:
            self.put_back()
        return moved

    def put_back(self) -> None:
        """Restore the states at the beginning: what is run anew draws the same initial values again."""
        for generator, state in self.first:
            if hasattr(generator, "setstate"):
                generator.setstate(state)
            elif hasattr(generator, "set_state"):
                generator.set_state(state)
            else:
                _bits(generator).state = state

    def renew(self) -> None:
        """Take the present states for those at the beginning."""
        self.states = [(generator, _state(generator)) for generator, _ in self.states]


def draw_initial(draw: Callable[..., Drawn], *arguments: Any) -> Drawn:
    """Call a function that draws initial values, and return what it gives. What the trace drew before still counts."""
    unmoved = [each for each in STATE.draws or () if not each.moved()]  # outside of traces none
    try:
        return draw(*arguments)
    finally:
        for each in unmoved:
            each.renew()


def _bits(generator: Any) -> Any:
    """The bit generator of one of NumPy's generators."""
    return getattr(generator, "bit_generator", generator)


def _state(generator: Any) -> Any:
    if hasattr(generator, "getstate"):
        return generator.getstate()
    # NumPy's older generators draw normal numbers in pairs, and keep the second one beside their bits.
    return generator.get_state(legacy=False) if hasattr(generator, "get_state") else _bits(generator).state


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal(value, other[key]) for key, value in one.items())
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.tobytes() == other.tobytes()
    return one == other if isinstance(one, tuple) else snapshot(one) == snapshot(other)
