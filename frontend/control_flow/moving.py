"""Stateful objects from outside: iterators, files and random generators give something else at each use.

A trace would use their values once, for all runs. So a trace that meets such a use is given up before the object
changes. Objects that the traced code makes itself start anew in each run, and may be used.
"""

from __future__ import annotations

import builtins
import contextvars
import functools
import io
import os
import sys
import types
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from ...runtime.dtypes import DType
from ..errors.classes import GraphBreak
from ..source.policy import should_convert
from ..tracing.guards import Guards
from ..values import tree
from ..values.cell import Cell
from ..values.parameter import Parameter
from ..values.tensor import Tensor
from ..values.traced_tensor import TracedTensor
from .foreign import is_alone, is_foreign, run_watched
from .random_draws import Draws, numpys_generator
from .reach import ARRAYS, has_operators
from .surroundings import ANEW, environment, is_generator, is_now, needs_seed, question, unseeded
from .texts import TracedText

MOST_COPIED = 1 << 20  # bytes of an array of which a trace keeps a copy

_PACKAGE = __name__.partition(".")[0]
_SCALARS = (bool, int, float, complex, str, bytes, type(None))
_NOTED = (type, types.ModuleType, types.FunctionType, Cell, Tensor)
"""Objects whose changes are seen otherwise."""
_INERT = frozenset((*_SCALARS, list, tuple, dict, Tensor, TracedTensor, Parameter, DType))
"""Classes of values that do not change by being read, and are not called."""
_FIXED = _INERT - {list, tuple, dict}
"""Those of them without containers: nobody who gets such a value can change it, but for the numbers of a tensor."""
_STILL = frozenset((*_SCALARS, type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, TracedTensor))
"""Classes of which most values from outside are."""
_METHODS = frozenset((types.BuiltinFunctionType, types.MethodType))
_LOOKING = frozenset(
    id(function)
    for function in (
        builtins.isinstance, builtins.issubclass, builtins.type, builtins.id, builtins.hasattr, builtins.getattr,
        builtins.setattr, builtins.delattr, builtins.callable, builtins.repr, builtins.str, builtins.hash,
        builtins.len, builtins.bool, builtins.print, builtins.iter,
    )
)  # fmt: skip
"""Functions that leave what they are given where it is."""
_STANDING = frozenset(("fileno", "isatty", "readable", "writable", "seekable", "getstate", "get_state", "flush"))
"""Methods that leave the object as it is."""


def _global_generators() -> list[Any]:
    """The generators that functions of Python and NumPy draw from, if they are loaded: each is that of a method."""
    found = [getattr(getattr(sys.modules.get("random"), "random", None), "__self__", None), numpys_generator()]
    return [generator for generator in found if generator is not None]


def is_moving(value: Any) -> bool:
    """Whether each use of a value may give something else."""
    return hasattr(type(value), "__next__") or isinstance(value, io.IOBase) or is_generator(value)


def is_fixed(values: Iterable[Any]) -> bool:
    """Whether nobody who gets these values can change them, but for tensors."""
    if _FIXED.issuperset(map(type, values)):
        return True
    return all(is_fixed(value) if type(value) is tuple else type(value) in _FIXED for value in values)


def _is_run_time(value: Any) -> bool:
    """Whether a value is a number or a text that only the run knows, or a container that holds one."""
    if type(value) in (list, tuple, dict):
        return any(map(_is_run_time, value.values() if type(value) is dict else value))
    return type(value) is TracedText or (type(value) is TracedTensor and value._number is not None)


def _break(value: Any, function: str) -> GraphBreak:
    kind = f"{type(value).__name__} from outside"
    if is_generator(value):
        return GraphBreak(
            f"{function}() draws from a random generator of Python or NumPy, which it does anew in each run",
            "Draw outside and pass the numbers, or use a function of mycel.ops",
        )
    if isinstance(value, io.IOBase):
        return GraphBreak(
            f"{function}() reads or writes a file ({kind}), {ANEW}",
            "Read before the call and pass what was read",
        )
    return GraphBreak(
        f"{function} takes items of an iterator ({kind}), which gives others in each run",
        "Take them before the call and pass them, or use a list",
    )


class Moving:
    """The stateful objects that a trace has read from outside."""

    def __init__(self, guards: Guards) -> None:
        self.guards = guards
        self.watch: Any = None  # that of the library's call that is running; False while it rests
        self.known: dict[int, Any] = {id(value): value for value in _global_generators()}
        self.arrays: dict[int, Any] = {}
        self.numbers: dict[int, np.ndarray] = {}  # of arrays of moderate size, before the trace
        # Objects with methods in Python that are not converted; a compiled function must not keep them.
        self.objects: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self.operated: dict[int, Any] = {}  # objects whose classes have operators, which are not converted
        self.moved: dict[int, Any] = {}  # iterators of which finished branches have taken items
        self.regions: list[dict[int, Any]] = []  # those of which the branches that are traced have taken items
        self.noted: set[type] = set()  # classes of which no object needs a look
        self._own: dict[int, Any] = {}
        self._traced: dict[type, bool] = {}

    def is_own(self, function: Any) -> bool:
        """Whether a function is this package's, and is not converted; also a method of a tensor. It asks nobody, and
        moves nothing but what it is given."""
        if type(function) is types.MethodType and isinstance(function.__self__, Tensor):
            function = function.__func__
        if id(function) in self._own:
            return True
        if type(function) is not types.FunctionType or not _is_own(function) or should_convert(function):
            return False
        self._own[id(function)] = function
        return True

    def is_traced(self, function: Any) -> bool:
        """Whether a call of an object runs this package's code, which is traced and looks at what it calls itself: of a
        Cell, or of an object of this package."""
        kind = type(function)
        found = self._traced.get(kind)
        if found is None:
            call = getattr(kind, "__call__", None)  # noqa: B004 the function itself is wanted
            found = type(call) is types.FunctionType and not should_convert(call) and not issubclass(kind, type)
            found = found and _is_own(call) and not is_foreign(call) and (issubclass(kind, Cell) or _is_own(kind))
            self._traced[kind] = found
        return found

    def put_back(self) -> None:
        """Give arrays that the trace has changed their numbers from before: the function is about to run again."""
        for key, numbers in self.numbers.items():
            array = self.arrays[key]
            if array.shape == numbers.shape and array.tobytes() != numbers.tobytes():
                array[...] = numbers

    def is_noted(self, value: Any) -> bool:
        """Whether a value needs no look because of its class."""
        kind = type(value)
        return kind in _STILL or (kind in self.noted and value.__class__ is kind)

    def found(self, value: Any) -> None:
        """A value was read from outside."""
        if self.is_noted(value):
            return
        kind = type(value)
        if isinstance(value, ARRAYS):
            if id(value) not in self.arrays and type(value) is np.ndarray and value.nbytes <= MOST_COPIED:
                self.numbers[id(value)] = value.copy()
            self.arrays[id(value)] = value
        elif is_moving(value):
            self.known[id(value)] = value
        elif value is os.environ:
            self._guard_environment()
        elif isinstance(value, _NOTED) or _is_own(kind):
            self.noted.add(kind)
        elif hasattr(value, "__dict__"):
            with suppress(TypeError):  # few objects have no weak references
                self.objects[id(value)] = value
            self.made(value)

    def of_module(self, value: Any) -> None:
        """A value was read from a library's module. `np.random` is loaded by the first read of it, which may be this
        trace's: then the generator is not known yet whose method it is."""
        owner = getattr(value, "__self__", None) if type(value) in _METHODS else None
        self.found(owner if owner is not None and is_generator(owner) else value)

    def made(self, value: Any) -> None:
        """An object was read from outside, or made by the traced code."""
        if has_operators(type(value)):
            self.operated[id(value)] = value

    def _guard_environment(self) -> None:
        self.guards.read_value("environment", "the environment of the process", environment)

    @contextmanager
    def holding(self, *functions: Any) -> Iterator[None]:
        """A block in which no item is taken of the iterators that functions read, because they are run once to see
        what they do."""
        found = (item for function in functions for item in _iterators(function).items())
        held = {key: value for key, value in found if key not in self.known}
        self.known |= held
        try:
            yield
        finally:
            for key in held:
                del self.known[key]

    def is_known(self, value: Any) -> bool:
        """Whether a value is such an object."""
        return id(value) in self.known

    def items(self, iterable: Any, what: str) -> None:
        """Items of a value are about to be taken. GraphBreak if that changes an object from outside, or if only the run
        knows which items are left."""
        if id(iterable) in self.known:
            raise _break(iterable, what)
        if hasattr(type(iterable), "__next__"):
            if id(iterable) in self.moved:
                raise GraphBreak(
                    f"{what} takes items of an iterator of which a branch or loop takes some, if the run gets there",
                    "Take them before, or use a list",
                )
            if self.regions:
                self.regions[-1][id(iterable)] = iterable

    def method(self, function: Any) -> Any:
        """A function that is not converted is about to be called. It may be a method of such an object, or ask the
        clock or the system. Returns the function to call instead, if its arguments decide."""
        owner = getattr(function, "__self__", None)
        if id(owner) in self.known:
            name = getattr(function, "__name__", "")
            if name not in _STANDING and not _is_converted_method(function):
                raise _break(owner, name)
        elif hasattr(type(owner), "__next__"):
            self.items(owner, getattr(function, "__name__", ""))
        elif function is os.getenv:
            self._guard_environment()
        elif reason := question(function):
            raise GraphBreak(reason, "Call it outside of the compiled function and pass what it gives")
        return _Seeded(function) if needs_seed(function) else None

    def watched(
        self, function: Callable[..., Any], found: Callable[..., Any], seen: Callable[[types.FunctionType], None]
    ) -> Callable[..., Any]:
        """The function to run for one that is not converted: `found`, unless it is given an object from outside.

        `seen` is told of the user's functions that it may call back.
        """
        if self.is_own(function):
            return _WatchedOwn(self, function, found, seen)
        return found if id(function) in _LOOKING else _Watched(self, function, found, seen)

    def given(self, function: Any, values: tuple[Any, ...], seen: Callable[[types.FunctionType], None]) -> None:
        """A function that is not converted is called with these values."""
        if is_now(function, values):
            raise GraphBreak(f"{function.__name__}({values[0]!r}) reads the clock, which differs in each run")
        for value in (function, *values):
            callback = value.pyfunc if isinstance(value, np.vectorize) else value
            if type(callback) is types.FunctionType and should_convert(callback):
                seen(callback)
        for value in values:
            if type(value) not in _INERT:
                self.items(value, getattr(function, "__name__", type(function).__name__))

    def run(self, function: Any, found: Callable[..., Any], values: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Call a function that is not converted, and guard what it reads."""
        if type(function) is types.FunctionType and should_convert(function):
            return found(*values, **keywords)
        owner = self._owner(function, values)
        if is_foreign(function) and not self.is_traced(function):
            result = run_watched(function, found, values, keywords, self, owner)
        else:
            result = self.call(function, found, values, keywords)
        if type(function) is weakref.ref:
            self.guards.read_value((id(function), "alive"), "a weak reference", lambda: function() is None)
        elif isinstance(function, _CACHED) or type(getattr(function, "__self__", None)) is contextvars.ContextVar:
            self._guard_result(function, values, keywords)
        else:
            given = (*values, *keywords.values()) if type(function) is types.FunctionType else ()
            for item in (owner, *given):
                if item is not None and id(item) in self.objects:
                    self.guard_state(item)
        return result

    @staticmethod
    def call(function: Any, found: Callable[..., Any], values: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Call a function. GraphBreak if it takes no number that only the run knows."""
        try:
            return found(*values, **keywords)
        except (TypeError, ValueError, AttributeError) as error:
            text = TracedText.__name__ in str(error)  # that of an iterator
            if text or (found is function and any(map(_is_run_time, values))):
                name = getattr(function, "__name__", type(function).__name__)
                raise GraphBreak(f"{name}() takes no number or text that only the run knows") from error
            raise

    def guard_state(self, item: Any, state: Any = None) -> None:
        """Guard the state of an object that a function reads, or the one that it had before the call."""
        what = f"the state of an object of {type(item).__name__}"
        alive = weakref.ref(item)  # a compiled function must not keep it
        self.guards.read_value((id(item), "state"), what, lambda: state_of(alive()), state)

    def _owner(self, function: Any, values: tuple[Any, ...]) -> Any:
        """The object from outside whose method is called; None if there is none."""
        owner = function if id(function) in self.objects else getattr(function, "__self__", None)
        if type(function) is types.FunctionType and values:  # a method is called as a function with its object
            owner = values[0] if getattr(type(values[0]), function.__name__, None) is function else None
        return owner if id(owner) in self.objects else None

    def _guard_result(self, function: Any, values: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        """Guard what a function without side effects gives. Only arguments without tensors can be asked again."""
        try:
            key = (id(function), values, tuple(sorted(keywords.items())))
            hash(key)
        except TypeError:
            return
        if not any(isinstance(leaf, Tensor) for leaf in tree.leaves((values, keywords))):
            name = getattr(function, "__name__", type(function).__name__)
            self.guards.read_value(key, f"the result of {name}()", lambda: function(*values, **keywords))

    def bound(self, function: functools.partial[Any]) -> None:
        """Guard the arguments that a partial function holds."""
        held = (function.args, function.keywords)
        if not any(isinstance(leaf, Tensor) for leaf in tree.leaves(held)):
            self.guards.read_value((id(function), "partial"), "an argument of a partial function", lambda: held)


def _iterators(function: Any) -> dict[int, Any]:
    """The iterators that a function reads as variables of functions around it."""
    found: dict[int, Any] = {}
    for cell in getattr(function, "__closure__", None) or ():
        with suppress(ValueError):  # a variable that is not bound yet
            if hasattr(type(cell.cell_contents), "__next__"):
                found[id(cell.cell_contents)] = cell.cell_contents
    return found


def _is_own(kind: Any) -> bool:
    """Whether a class, such as that of a gradient, or a function is of mycel: guards would cost microseconds."""
    return str(kind.__module__).partition(".")[0] == _PACKAGE  # of functions made by Cython it is a descriptor


_CACHED = type(functools.lru_cache(lambda: None))


def state_of(owner: Any) -> Any:
    """The state of an object as far as it is cheap to compare: numbers and texts among its attributes, and which other
    objects it holds, with their lengths."""
    held: dict[str, Any] = getattr(owner, "__dict__", {})
    return tuple(
        (name, value if isinstance(value, _SCALARS) else (id(value), _length(value)))
        for name, value in list(held.items())
    )


def _length(value: Any) -> int:
    return len(value) if isinstance(value, (list, tuple, dict, set, deque)) else 0


class WithoutDraws:
    """A block of traced code in which no random generator of Python or NumPy may draw, not even where no call is seen:
    in `__iter__`, properties, or libraries."""

    def __enter__(self) -> None:
        alone = is_alone()
        self._draws = Draws(_global_generators() if alone else (), late=alone)

    def __exit__(self, kind: Any, *error: object) -> None:
        if kind is not None and issubclass(kind, GraphBreak):
            self._draws.put_back()
        elif self._draws.restore() and kind is None:
            raise GraphBreak(
                "it draws from a random generator of Python or NumPy, which it does anew in each run",
                "Draw outside and pass the numbers, or use a function of mycel.ops",
            )


class _Watched:
    """A function that is not converted, with a check of its arguments."""

    def __init__(
        self, moving: Moving, function: Callable[..., Any], found: Callable[..., Any],
        seen: Callable[[types.FunctionType], None],
    ) -> None:  # fmt: skip
        self.moving, self.function, self.found, self.seen = moving, function, found, seen

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        self.moving.given(self.function, (*arguments, *keywords.values()), self.seen)
        return self.moving.run(self.function, self.found, arguments, keywords)


class _WatchedOwn(_Watched):
    """The same for a function of this package."""

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        if _INERT.issuperset(map(type, arguments)) and _INERT.issuperset(map(type, keywords.values())):
            return self.found(*arguments, **keywords)
        return super().__call__(*arguments, **keywords)


class _Seeded:
    """A random generator's class, or a function that seeds one; it requires a seed."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        if reason := unseeded(self.function, arguments, keywords):
            raise GraphBreak(reason, "Give it a seed, or make it outside of the compiled function")
        return self.function(*arguments, **keywords)


def _is_converted_method(function: Any) -> bool:
    """Whether a method belongs to a user's class, so that its changes are seen."""
    if type(function) is not types.MethodType:
        return False
    return not (isinstance(function.__self__, io.IOBase) or is_generator(function.__self__))
