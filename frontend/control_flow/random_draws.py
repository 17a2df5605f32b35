"""What random generators of Python and NumPy give during a trace.

A run would draw anew, so a trace that draws is given up. Initial values of layers that traced code makes are constants
of the graph: their draws count as none.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

from ..state import STATE
from ..tracing.snapshots import snapshot

Drawn = TypeVar("Drawn")


class Draws:
    """The states of random generators at one time, and after the initial values that were drawn since.

    Attributes:
        late: whether NumPy's own generator counts, too, once a first use has loaded it.
    """

    def __init__(self, generators: Iterable[Any], late: bool = False) -> None:
        self.late = late and numpys_generator() is None
        self.first = self.states = [(generator, _state(generator)) for generator in generators]
        if STATE.draws is None:
            STATE.draws = weakref.WeakSet()
        STATE.draws.add(self)

    def moved(self) -> bool:
        """Whether a generator has drawn other numbers."""
        same = all(_equal(_state(generator), state) for generator, state in self.states)
        return not same or (self.late and _has_drawn(numpys_generator()))

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
        generators = [generator for generator, _ in self.states]
        if self.late and (loaded := numpys_generator()) is not None:
            generators.append(loaded)
            self.late = False
        self.states = [(generator, _state(generator)) for generator in generators]


def numpys_generator() -> Any:
    """The generator that functions of `np.random` draw from; None if it is not loaded, as before its first use."""
    return getattr(getattr(sys.modules.get("numpy.random.mtrand"), "random_sample", None), "__self__", None)


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


def _has_drawn(generator: Any) -> bool:
    """Whether NumPy's generator has left the place where each begins in its row of numbers."""
    if generator is None:
        return False
    now, new = (_state(each) for each in (generator, type(generator)()))
    return bool((now["state"]["pos"], now["has_gauss"]) != (new["state"]["pos"], new["has_gauss"]))


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal(value, other[key]) for key, value in one.items())
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.tobytes() == other.tobytes()
    return one == other if isinstance(one, tuple) else snapshot(one) == snapshot(other)
