"""What functions that are not converted change: a trace compares what they can reach, before and after a call.

The containers that they change become changes of the branch or loop that the call is in, as if the user's code had made
them. Nothing restores arrays and random generators: if one from before the branch changes, the trace ends.
"""

from __future__ import annotations

import copy
import functools
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors.classes import GraphBreak
from ..tracing.snapshots import snapshot
from .moving import state_of
from .outside import contents, is_same
from .random_draws import Draws
from .reach import ARRAYS, CONTAINERS, reached
from .surroundings import generators_among

_METHODS = (types.BuiltinFunctionType, types.MethodDescriptorType, types.MethodWrapperType, types.WrapperDescriptorType)
_STATE = (bool, int, float, complex, str, bytes, list, tuple, dict, set)


def watching(flow: Any, function: Any, run: Callable[..., Any]) -> Callable[..., Any]:
    """`run`, which calls a function that is not converted, with a look at what it changes."""
    return functools.partial(_watched, flow, function, run)


def _watched(flow: Any, function: Any, run: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    before = Before(flow, [function, getattr(function, "__self__", None), *arguments, *keywords.values()])
    try:
        return run(*arguments, **keywords)
    finally:
        before.compare(function)


class Before:
    """What a call can reach, before it."""

    def __init__(self, flow: Any, roots: list[Any]) -> None:
        self.flow = flow
        known = flow.outside.moving.objects  # from outside
        objects: list[Any] = reached(roots) if flow.journals else [*roots]
        found = [each for each in objects if id(each) in known]
        self.states = [(each, dict(vars(each)), state_of(each)) for each in found]
        for _, attributes, _ in self.states:
            held = [value for value in attributes.values() if isinstance(value, CONTAINERS)]
            flow.outside.found(held)
            objects += held
        own = {id(vars(each)) for each in found}
        self.containers = [
            (each, contents(each))
            for each in objects
            if isinstance(each, CONTAINERS) and id(each) not in own and (flow.journals or flow.outside.has(each))
        ]
        self.arrays: list[tuple[Any, Any]] = []
        self.draws: Draws | None = None
        self.changed = set(flow.outside.changed)
        self.noted: set[int] = set()
        if flow.journals:
            self.arrays += [(each, copy.copy(each)) for each in objects if isinstance(each, ARRAYS)]
            self.draws = Draws(each for each in generators_among(objects) if flow.is_before(each))
            self.noted.update(flow.journals[-1])

    def compare(self, function: Any = None) -> None:
        """After the call of a function: tell what it has changed. GraphBreak if nothing restores it."""
        if not (self.containers or self.draws or self.flow.journals):
            return
        name = getattr(function, "__name__", "an operator")
        for container, before in self.containers:
            if not is_same(contents(container), before):
                self._restore_guards(container)
                # a library changes the list itself, also one from outside
                how = name if type(function) in _METHODS and hasattr(list, name) else "extend"
                self.flow.touch(container, how, before)
                # what has been seen later was not the first change
                if function is None and id(container) not in self.noted:
                    self.flow.journals[-1][id(container)] = container, before
                    if id(container) in self.flow.outside.changed and id(container) not in self.changed:
                        self.flow.outside.changed[id(container)] = container, before
        for item, attributes, _ in self.states if self.flow.journals else ():
            for key, value in attributes.items():
                now = vars(item).get(key)
                both = isinstance(value, _STATE) and isinstance(now, _STATE)
                if both and now is not value and snapshot(now) != snapshot(value):
                    vars(item).update(attributes)
                    raise _anew(f"{name}() changes '{key}' of its {type(item).__name__}")
        for buffer, numbers in self.arrays:
            if buffer.tobytes() != numbers.tobytes() and self.flow.is_before(buffer):
                operator.setitem(buffer, ... if isinstance(buffer, np.ndarray) else slice(None), numbers)
                self.flow.writes(buffer)
        if self.draws and self.draws.restore():
            raise _anew(f"{name}() draws from a random generator in a branch or loop of the run")

    def _restore_guards(self, container: Any) -> None:
        """Guard the states before the call of objects from outside that hold a container which has changed."""
        for item, attributes, state in self.states:
            if any(value is container for value in attributes.values()):
                self.flow.outside.moving.guard_state(item, state)


def _anew(what: str) -> GraphBreak:
    return GraphBreak(f"{what}, anew in each run", "Call it outside of the compiled function and pass what it gives")
