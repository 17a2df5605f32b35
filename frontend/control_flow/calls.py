"""The runtime library of converted code, which calls it `_mc`. It converts each function that such code calls.

With Python values everything here behaves as Python; for traced values it calls the builder of the trace. No handler
in traced code catches an error that only the run can raise. Cells that such code makes are constants of the graph.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable
from types import TracebackType
from typing import Any

from ..errors.classes import GraphBreak
from ..source.functions import SourceError
from ..source.policy import is_builtin, should_convert
from ..source.template import is_converted
from ..state import STATE
from ..values import tree
from ..values.cell import Cell
from ..values.traced_tensor import TracedTensor
from . import access, blocks, builtins, conversion, foreign, moving, operators, readers
from .access import (
    at,
    augmented,
    delattr_,
    delitem,
    getattr_,
    getitem,
    items,
    items_of,
    owns,
    read,
    setattr_,
    setitem,
    touching,
)
from .blocks import for_, if_, if_else, jumped, pends, proceed, while_
from .builder import ControlFlowBuilder, builder, builder_for, lifted
from .managers import may_drop
from .operators import and_, compare, equal, in_, is_, is_not, not_, not_in, or_, ternary, unequal
from .readers import global_names
from .state import Thunk, break_, continue_, fall_through, is_traced, return_none
from .texts import field, format_string, fstring, percent

__all__ = [
    "and_", "assert_", "at", "augmented", "break_", "builder", "call", "catching", "compare", "continue_", "convert",
    "converted", "delattr_", "delitem", "equal", "fall_through", "field", "for_", "fstring", "getattr_", "getitem",
    "global_names", "if_", "if_else", "in_", "is_", "is_not", "is_traced", "items", "items_of", "jumped", "managed",
    "method", "not_", "not_in", "or_", "owns", "pends", "percent", "proceed", "raised", "read", "return_none",
    "setattr_", "setitem", "ternary", "unequal", "while_",
]  # fmt: skip

STANDS_IN = tuple(
    module.__name__ for module in (access, blocks, builtins, foreign, moving, operators, readers, sys.modules[__name__])
)
"""The names of the modules whose functions run in place of Python's own operations."""

_HELPERS = types.CellType(sys.modules[__name__])  # where converted code finds `_mc`


# Exceptions


def assert_(test: Any, message: Thunk | None = None) -> Any:
    """The condition of an assert statement. A traced one becomes part of the graph, and counts as true for now."""
    test = lifted(test)
    if is_traced(test):
        builder_for(test).effects.check(test, None if message is None else message())
        return True
    return test


def raised(error: Any) -> Any:
    """The exception of a raise statement."""
    active = builder()
    return error if active is None else active.effects.raised(error)


# Calls


def converted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The converted form of a function; see `conversion.convert`."""
    return conversion.convert(function, _HELPERS)


def _callee(function: types.FunctionType) -> Callable[..., Any]:
    """The function that a call in converted code runs: the converted one, or the original if it stays native."""
    if is_converted(function.__code__) or not should_convert(function):
        return function
    try:
        return converted(function)
    except SourceError:
        # without its text a function can still run; a traced condition in it raises its own error
        return function


def convert(function: Any) -> Any:
    """The function that a call `function(…)` in converted code runs: the user's functions converted, builtins that know
    tensors."""
    active = builder()
    if active is None:
        return _chosen(function)
    chosen = active.calls.callee(function)
    if chosen is not None:
        return chosen
    chosen = _chosen(function)
    is_native = chosen is function or id(function) in _OVERLOADS
    return active.calls.native(function, chosen) if is_native else chosen


def _chosen(function: Any) -> Any:
    """The choice of the policy for a callee."""
    kind = type(function)
    reader = readers.reader(function, convert)
    if reader is not None:
        return reader
    if kind is types.FunctionType:
        return _callee(function)
    if kind is types.MethodType:
        inner = function.__func__
        return types.MethodType(convert(inner), function.__self__) if type(inner) is types.FunctionType else function
    if kind is types.BuiltinFunctionType or kind is type:
        overload = _OVERLOADS.get(id(function))
        if overload is not None:
            return overload
        if kind is type:
            return _constructor(function)
        return touching(function)
    if kind is types.MethodWrapperType:
        return touching(function)
    if kind is functools.partial:
        return functools.partial(convert(function.func), *function.args, **function.keywords)
    if isinstance(function, type):
        return _constructor(function)
    return _callable_object(function)


def _constructor(kind: type) -> Any:
    """The function that creates an instance of a class, with its user-written __init__ converted. Cells are constants
    of a graph."""
    if is_cell_class(kind):
        return cell_maker(kind)
    initializer = kind.__init__  # type: ignore[misc]
    if type(kind).__call__ is not type.__call__ or is_builtin(kind):
        return kind
    converted = _callee(initializer) if type(initializer) is types.FunctionType else None
    if (converted is None or converted is initializer) and builder() is None:
        return kind

    def construct(*arguments: Any, **keywords: Any) -> Any:
        """type.__call__ with the converted __init__."""
        active = builder()
        if converted is None:
            if active is None:
                return kind(*arguments, **keywords)
            instance = active.calls.native(kind, kind)(*arguments, **keywords)
            active.attributes.made(instance)
            return instance
        new: Any = kind.__new__
        plain: Any = object.__new__
        instance = new(kind) if new is plain else new(kind, *arguments, **keywords)
        if isinstance(instance, kind):
            if active is not None:
                active.attributes.made(instance)
            # __new__ may give an instance of a subclass
            initialize = converted if type(instance) is kind else convert(type(instance).__init__)
            result = initialize(instance, *arguments, **keywords)
            if result is not None:
                raise TypeError(f"__init__() should return None, not '{type(result).__name__}'")
        return instance

    return construct


def _callable_object(function: Any) -> Any:
    """The function for a call of an object: the user's `__call__` is converted, also that of a Cell. That of
    mycel's Cells converts their construct itself."""
    call = getattr(type(function), "__call__", None)  # noqa: B004 - the function itself is wanted
    if type(call) is not types.FunctionType:
        return function
    converted = _callee(call)
    return function if converted is call else types.MethodType(converted, function)


def call(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    """Call a function as converted code does, for library code that runs the user's functions."""
    active = builder()
    if active is None:
        return convert(function)(*arguments, **keywords)
    return active.calls.call(function, arguments, keywords)


def method(owner: Any, name: str) -> Any:
    """The function that a call `owner.name(…)` in converted code runs."""
    if type(owner) is str and name == "format":
        return functools.partial(format_string, owner)
    if type(owner) is dict and name == "has_key" and builder() is not None:
        return owner.__contains__  # a method that dictionaries have in MindSpore's graphs
    return convert(getattr_(owner, name))


_OVERLOADS = builtins.overloads(convert)


class catching:
    """The body of a try or with statement, which may drop its exceptions: of all classes, or of those that `kinds`
    gives."""

    def __init__(self, drops: bool = True, kinds: Callable[[], Any] | None = None) -> None:
        self.active: ControlFlowBuilder | None = builder()
        self.drops = drops
        self.kinds = kinds

    def __enter__(self) -> None:
        if self.active is not None and self.drops:
            self.active.flow.handlers.append(self.kinds)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        if self.active is not None:
            if self.drops:
                self.active.flow.handlers.pop()
            self.active.flow.passes(error)


class _Managed:
    """A context manager whose `__exit__` may record operations, and drop exceptions."""

    def __init__(self, manager: Any) -> None:
        self.manager = manager
        self.body = catching(may_drop(manager))

    def __enter__(self) -> Any:
        value = convert(type(self.manager).__enter__)(self.manager)
        self.body.__enter__()
        return value

    def __exit__(self, kind: Any, error: BaseException | None, trace: TracebackType | None) -> Any:
        self.body.__exit__(kind, error, trace)
        return convert(type(self.manager).__exit__)(self.manager, kind, error, trace)


def managed(manager: Any) -> Any:
    """The context manager of a with statement."""
    kind = type(manager)
    if builder() is None or kind.__module__.split(".")[0] == _PACKAGE:
        return manager
    return _Managed(manager) if hasattr(kind, "__enter__") and hasattr(kind, "__exit__") else manager


_PACKAGE = __name__.split(".")[0]


def is_cell_class(kind: type) -> bool:
    """Whether the instances of a class are Cells."""
    return issubclass(kind, Cell)


def cell_maker(kind: type[Cell]) -> Callable[..., Cell]:
    """The function that makes an instance of a Cell class in converted code: plain Python, which records nothing.

    As in MindSpore's graphs the Cell is made once for each trace, and later calls keep its Parameters. Python would
    make a new Cell in each call. So where the code would otherwise run as plain Python, as under a gradient, a Cell
    with Parameters causes a fallback.
    """

    def make(*arguments: Any, **keywords: Any) -> Cell:
        trace = STATE.trace
        if trace is None:
            return kind(*arguments, **keywords)
        if any(isinstance(leaf, TracedTensor) for leaf in tree.leaves((arguments, keywords))):
            raise GraphBreak(
                f"{kind.__name__} is made with a tensor whose numbers only the run knows",
                "Make it in __init__, or outside of the compiled function",
            )
        tape = STATE.tape
        STATE.set(trace=None, tape=None, eager=STATE.eager)
        try:
            cell = kind(*arguments, **keywords)
        finally:
            STATE.set(trace=trace, tape=tape, eager=STATE.eager)
        if trace.is_python and next(iter(cell.get_parameters()), None) is not None:
            raise GraphBreak(
                f"each call makes a new {kind.__name__} with Parameters of its own",
                "Make it in __init__, or outside of the function",
            )
        return cell

    return make
