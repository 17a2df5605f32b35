"""Side effects on outside state: containers, globals and enclosing variables that traced code changes.

A trace leaves all of it unchanged. The changes of a run are stored as attribute writes, which every run of the compiled
program makes.
"""

from __future__ import annotations

import functools
import operator
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from ..errors.classes import GraphBreak
from ..errors.user_files import user_level
from ..source.policy import is_builtin
from ..tracing.trace import Trace
from ..values import tree
from .growing import Growing
from .moving import Moving
from .reach import CONTAINERS
from .shared import SharedVariables
from .state import UNDEFINED, read_variable, write_variable
from .surroundings import ANEW

# As in MindSpore's graphs: appending to a list from outside, or writing its items, changes a copy of the function's
# own; these change the list itself.
LASTING = frozenset({"pop", "reverse", "clear", "sort", "remove", "extend", "insert"})

_UNCHANGED = (
    "a graph changes a copy of a list from outside, as in MindSpore: the list itself stays as it is. Return the items, "
    "or use extend, which changes the list itself"
)


def contents(container: Any) -> Any:
    """The current contents of a container, in a container of a plain kind. No method of a user's class is called: one
    may make what it gives."""
    if isinstance(container, bytearray):
        return bytes(container)
    kind = _builtin(container)
    if isinstance(container, dict):
        return dict(kind.items(container))
    items = kind.__iter__(container)
    return list(items) if isinstance(container, (list, deque)) else set(items)


def is_same(one: Any, other: Any) -> bool:
    """Whether two containers of a kind hold the same objects."""
    if isinstance(one, (set, bytes)):
        return one == other
    parts: Iterable[Any] = ([*item, *item.values()] if isinstance(item, dict) else item for item in (one, other))
    first, second = (list(map(id, part)) for part in parts)
    return first == second


def replace_contents(container: Any, items: Any) -> None:
    """Replace the contents of a container."""
    kind = _builtin(container)
    if isinstance(container, (list, bytearray)):
        kind.__setitem__(container, slice(None), items)
    else:
        kind.clear(container)
        kind.extend(container, items) if isinstance(container, deque) else kind.update(container, items)


def _builtin(container: Any) -> Any:
    """The class of a container, or its nearest base, that is built in: a user's class may have other methods."""
    return next(kind for kind in type(container).__mro__ if is_builtin(kind))


class Argument:
    """A list or dict among the arguments of a compiled function. Each call has its own.

    Attributes:
        path: where it is: the argument's position or name, then positions and keys in containers.
    """

    def __init__(self, path: tuple[Any, ...]) -> None:
        self.path = path

    def get(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The container in this call."""
        first, *rest = self.path
        return functools.reduce(operator.getitem, rest, kwargs[first] if isinstance(first, str) else args[first])

    def change(self, args: tuple[Any, ...], kwargs: dict[str, Any], items: Any) -> None:
        """Replace the contents of the container in this call; `Kept` stands for an item that it holds already."""
        _change(self.get(args, kwargs), items)


class Kept:
    """A placeholder for an item that a container held before the call, at this position or key."""

    def __init__(self, key: Any) -> None:
        self.key = key


def arguments_in(args: list[Any], kwargs: dict[str, Any]) -> dict[int, tuple[Any, tuple[Any, ...]]]:
    """Lists and dicts among the arguments by their ids, each with its path."""
    found: dict[int, tuple[Any, tuple[Any, ...]]] = {}
    stack: list[tuple[Any, tuple[Any, ...]]] = [(value, (key,)) for key, value in enumerate(args)]
    stack.extend((value, (key,)) for key, value in kwargs.items())
    while stack:
        value, path = stack.pop()
        kind = type(value)
        if kind is list or kind is dict:
            found[id(value)] = (value, path)
        elif kind is not tuple:
            continue
        items = value.items() if kind is dict else enumerate(value)
        stack.extend((item, (*path, key)) for key, item in items)
    return found


def _marked(now: Any, before: Any) -> Any:
    """The contents of a container in which `Kept` stands for each item that it held before."""
    if not isinstance(now, (dict, list)):
        return now
    keys = {id(item): key for key, item in (before.items() if isinstance(before, dict) else enumerate(before))}

    def mark(item: Any) -> Any:
        return Kept(keys[id(item)]) if id(item) in keys else item

    return {key: mark(item) for key, item in now.items()} if isinstance(now, dict) else [mark(item) for item in now]


def _change(container: Any, items: Any) -> None:
    """Replace the contents of a container; `Kept` stands for an item that it held before."""
    if isinstance(items, dict):
        new: Any = {key: container[item.key] if isinstance(item, Kept) else item for key, item in items.items()}
    elif isinstance(items, list):
        new = [container[item.key] if isinstance(item, Kept) else item for item in items]
    else:
        new = items
    replace_contents(container, new)


class _AttributeWriter:
    """Receives the attribute write that stands for another kind of change."""

    def __init__(self, write: Callable[[Any], None]) -> None:
        object.__setattr__(self, "write", write)

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__["write"](value)


class Outside:
    """The outside state that a trace finds, and its restoration."""

    def __init__(self, trace: Trace, shared: SharedVariables) -> None:
        self.trace = trace
        self.shared = shared
        self.moving = Moving(trace.guards)
        # reachable from values that the trace has read
        self.containers: dict[int, Any] = {}  # besides the arguments, which a trace gets after its builder
        self.changed: dict[int, tuple[Any, Any]] = {}  # container, contents before
        self.lasting: set[int] = set()
        self.lines: dict[int, tuple[Any, int]] = {}  # frame and line that change a list first
        self.variables: dict[Any, tuple[Any, str, Any]] = {}  # cell or namespace, name, value before
        self.stored: dict[Any, Any] = {}  # what functions of this trace that have ended change in each run

    def found(self, value: Any) -> None:
        """A value was read from outside. Everything in it is outside, too."""
        if self.moving.is_noted(value):
            return
        stack = [value]
        while stack:
            item = stack.pop()
            if isinstance(item, CONTAINERS):
                if id(item) in self.containers:
                    continue
                self.containers[id(item)] = item
            elif type(item) is not tuple:
                self.moving.found(item)
                continue
            stack.extend(item.values() if isinstance(item, dict) else item)

    def given(self, arguments: Any) -> None:
        """The function has been called with these arguments."""
        for leaf in tree.leaves(arguments):
            self.moving.found(leaf)

    def has(self, value: Any) -> bool:
        """Whether a value is a container from outside."""
        return id(value) in self.containers or id(value) in self.trace.arguments

    def touch(self, container: Any, how: str, before: Any = None) -> None:
        """A container is about to change; `how` is the method that changes it. `before`: its contents, if it has."""
        if self.has(container):
            if id(container) not in self.changed:
                self.changed[id(container)] = container, contents(container) if before is None else before
            if not isinstance(container, list) or how in LASTING:
                self.lasting.add(id(container))
            elif id(container) not in self.lines:
                frame = sys._getframe(user_level() - 1)
                self.lines[id(container)] = frame, frame.f_lineno

    def variable(self, holder: Any, name: str) -> None:
        """A variable (the cell, or the globals it is in) that converted code may write."""
        if (id(holder), name) not in self.variables:
            value = read_variable(holder, name)
            if isinstance(value, Growing):
                raise GraphBreak("a function that is called first in a loop reads a list that grows there")
            self.variables[id(holder), name] = (holder, name, value)
            self.shared.found(holder, name, value)
            self.found(value)

    def copied(self, value: Any) -> Any:
        """A result in which changed containers, which will be restored, are copies.

        A container from outside that the function has not changed, or has changed for all, is the result itself: the
        trace knows where a run finds it.
        """
        key = id(value)
        whole = key not in self.changed or key in self.lasting
        if key in self.changed:
            self.lines.pop(key, None)
            value = type(value)(contents(value))
        parts = tree.children(value)
        if parts is not None:
            items = [self.copied(item) for item in parts[0]]
            if not all(map(operator.is_, items, parts[0])):
                value, whole = parts[1](items), False
        if whole and key in self.trace.arguments:
            self.trace.held[id(value)] = (value, Argument(self.trace.arguments[key][1]))
        elif whole and key in self.containers:
            self.trace.held[id(value)] = (value, self.containers[key])
        return value

    def commit(self) -> None:
        """Store the changes for the runs."""
        for place, (written, value) in self.trace.attributes.items():
            self.trace.attributes[place] = (written, self.copied(value))
        for key, (container, before) in self.changed.items():
            if key not in self.lasting and self.trace.is_python and not is_same(contents(container), before):
                kind = type(container).__name__
                raise GraphBreak(
                    f"it changes a {kind} from outside, {ANEW}",
                    f"Return what the {kind} is to hold",
                )
            if key not in self.lasting:
                continue
            self._store(key, container, f"a {type(container).__name__}")
            if key in self.trace.arguments:
                owner: Any = Argument(self.trace.arguments[key][1])
            else:
                owner = _AttributeWriter(functools.partial(_change, container))
            self.trace.set_attribute(owner, "contents", _marked(contents(container), before))
        for key, (frame, line) in self.lines.items():
            container, before = self.changed[key]
            if key not in self.lasting and isinstance(container, list) and not is_same(container, before):
                seen = frame.f_globals.setdefault("__warningregistry__", {})
                warnings.warn_explicit(_UNCHANGED, UserWarning, frame.f_code.co_filename, line, registry=seen)
        for key, (holder, name, before) in self.variables.items():
            now = read_variable(holder, name)
            if now is not before and now is not UNDEFINED:
                self._store(key, holder, f"'{name}'")
                write = functools.partial(write_variable, holder, name)
                self.trace.set_attribute(_AttributeWriter(write), name, self.copied(now))

    def now(self) -> dict[Any, Any]:
        """What changed containers and variables hold now."""
        containers = {key: contents(container) for key, (container, _) in self.changed.items() if key in self.lasting}
        return {**containers, **{key: read_variable(*place[:2]) for key, place in self.variables.items()}}

    def check_unchanged(self, before: dict[Any, Any], when: str) -> None:
        """Raise GraphBreak if the containers and variables hold something else than `now` gave."""
        for key, (container, first) in self.changed.items():
            if key in self.lasting and not is_same(contents(container), before.get(key, first)):
                raise GraphBreak(f"{when} a {type(container).__name__} from outside is changed, {ANEW}")
        for key, (holder, name, value) in self.variables.items():
            if read_variable(holder, name) is not before.get(key, value):
                raise GraphBreak(f"{when} the variable '{name}' is set, {ANEW}")

    def _store(self, key: Any, holder: Any, what: str) -> None:
        """Note what each run changes. GraphBreak if a function that has ended changes it, too: this one began with the
        contents from before."""
        if key in self.stored:
            raise GraphBreak(f"several functions, such as hooks, change {what} from outside, {ANEW}")
        self.stored[key] = holder

    def restore(self) -> None:
        """Restore everything. A further function of the trace, as that of the tangents in `jvp`, has changed nothing
        then."""
        for container, before in self.changed.values():
            replace_contents(container, before)
        for holder, name, before in self.variables.values():
            if read_variable(holder, name) is not before:
                write_variable(holder, name, before)
        self.lines.clear()
        self.changed.clear()
        self.lasting.clear()  # not the variables: each function is asked for them once
