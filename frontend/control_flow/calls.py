"""What converted code calls, under the name `_mc`: native Python for Python values, the builder for traced ones."""

from __future__ import annotations

import functools
import operator
import sys
import types
from collections import deque
from collections.abc import Callable
from typing import Any

from .handlers import catching, managed
from .state import (
    Loop,
    Mixed,
    Variables,
    break_,
    builder,
    continue_,
    fall_through,
    is_traced,
    return_none,
    use_builder,
)
from .texts import field, format_string, fstring, percent

__all__ = [
    "and_",
    "assert_",
    "at",
    "augmented",
    "break_",
    "builder",
    "call",
    "catching",
    "compare",
    "continue_",
    "convert",
    "delattr_",
    "delitem",
    "equal",
    "fall_through",
    "field",
    "for_",
    "fstring",
    "getattr_",
    "getitem",
    "if_",
    "in_",
    "is_",
    "is_not",
    "is_traced",
    "jumped",
    "managed",
    "method",
    "not_",
    "not_in",
    "or_",
    "owns",
    "percent",
    "proceed",
    "raised",
    "read",
    "return_none",
    "setattr_",
    "setitem",
    "ternary",
    "unequal",
    "use_builder",
    "use_converter",
    "use_overloads",
    "while_",
]

Thunk = Callable[[], Any]
Names = tuple[str, ...]

ROLL_TRIES = 2  # from which rounds on a loop may be rolled: after the first one its variables have their types


# Branches and loops


def if_(
    test: Any,
    then: Thunk,
    orelse: Thunk | None = None,
    joins: Names = (),
    cells: Thunk | None = None,
    rest: Thunk | None = None,
    exits: Names = (),
    keeps: Names = (),
) -> Any:
    """`if test: … else: …`, and with rest everything after it; gives the outcome, which counts only with rest.

    joins are the names that code after the branches may read, exits those that code after rest may read, keeps those
    that count even after a return.
    """
    test = _condition(test)
    if is_traced(test):
        around = then, orelse, rest, cells
        joined, leaving = Variables(joins, around), Variables(exits, around, keeps)
        return _builder(test).cond(test, then, orelse, joined, rest, leaving)
    if test:
        outcome = then()
    elif orelse is not None:
        outcome = orelse()
    else:
        outcome = fall_through
    return outcome if rest is None else _go_on(outcome, rest, exits, keeps, then, orelse, cells)


def while_(
    test: Thunk,
    body: Thunk,
    carries: Names = (),
    cells: Thunk | None = None,
    orelse: Thunk | None = None,
    jumps: bool = False,
    rest: Thunk | None = None,
    exits: Names = (),
    keeps: Names = (),
) -> Any:
    """`while test(): body() … else: …`, and with rest everything after it; carries are the names a round hands on."""
    loop = Loop(body, orelse, Variables(carries, (body, test, orelse, cells), keeps), jumps, test)
    outcome = _while_outcome(loop, test)
    return outcome if rest is None else _go_on(outcome, rest, exits, keeps, body, test, orelse, cells)


def _while_outcome(loop: Loop, test: Thunk) -> Any:
    """Run a while loop; gives how it ended."""
    active = builder()
    tries = 0 if active is None else ROLL_TRIES
    while True:
        condition = _condition(test())
        if is_traced(condition):
            return _builder(condition).while_loop(condition, loop)
        if not condition:
            return loop.run_else()
        if tries and type(condition) is not bool and active is not None:
            tries -= 1
            if active.roll_while(condition, loop, tries == 0):
                return loop.run_else()
        outcome = loop.run_body()
        if outcome is fall_through or outcome is continue_:
            continue
        if outcome is break_:
            return fall_through
        if isinstance(outcome, Mixed):
            return _builder(outcome).while_after(outcome, loop)
        return outcome


def for_(
    iterable: Any,
    body: Callable[[Any], Any],
    carries: Names = (),
    cells: Thunk | None = None,
    orelse: Thunk | None = None,
    jumps: bool = False,
    rest: Thunk | None = None,
    exits: Names = (),
    keeps: Names = (),
) -> Any:
    """`for item in iterable: body(item) … else: …`, and with rest everything after it."""
    loop = Loop(body, orelse, Variables(carries, (body, orelse, cells), keeps), jumps)
    outcome = _for_outcome(loop, iterable)
    return outcome if rest is None else _go_on(outcome, rest, exits, keeps, body, orelse, cells)


def _for_outcome(loop: Loop, iterable: Any) -> Any:
    """Run a for loop; gives how it ended."""
    if is_traced(_condition(iterable)):
        return _builder(iterable).for_traced(iterable, loop)  # the tensor itself, which the loop may update in place
    items = iter(iterable)
    active = builder() if type(iterable) is range else None
    for position, item in enumerate(items):
        last = position == ROLL_TRIES - 1
        if active is not None and position < ROLL_TRIES and active.roll_range(iterable[position:], loop, last):
            return loop.run_else()
        outcome = loop.run_body(item)
        if outcome is fall_through or outcome is continue_:
            continue
        if outcome is break_:
            return fall_through
        if isinstance(outcome, Mixed):
            rest = iterable[position + 1 :] if type(iterable) is range else None
            return _builder(outcome).for_after(outcome, items, loop, rest)
        return outcome
    return loop.run_else()


def jumped(outcome: Any) -> bool:
    """Whether a try, with or match block has to be left with this outcome at once."""
    return outcome is not fall_through and not (isinstance(outcome, Mixed) and outcome.may_fall_through)


def proceed(outcome: Any, rest: Thunk, exits: Names = (), keeps: Names = (), cells: Thunk | None = None) -> Any:
    """Everything after a try, with or match that ended with an outcome."""
    return _go_on(outcome, rest, exits, keeps, cells)


def _go_on(outcome: Any, rest: Thunk, exits: Names, keeps: Names, *around: Callable[..., Any] | None) -> Any:
    """Run the continuation where control falls through to it."""
    if outcome is fall_through:
        return rest()
    if isinstance(outcome, Mixed) and outcome.may_fall_through:
        return _builder(outcome).proceed(outcome, rest, Variables(exits, (rest, *around), keeps))
    return outcome


def _condition(value: Any) -> Any:
    """A value that decides about control flow: tensors from outside of the trace count as traced."""
    active = builder()
    return value if active is None else active.lift(value)


def _builder(value: Any) -> Any:
    """The builder that takes a traced value."""
    active = builder()
    if active is None:
        what = f"a value of type {type(value).__name__}"
        raise RuntimeError(f"control flow met {what} that only a compiled run can know, but nothing is being compiled")
    return active


# Operators that look at truth values


def and_(value: Any, *others: Thunk, joins: Names = ()) -> Any:
    """`value and …`; joins are the names that the operands after the first may bind."""
    for position, other in enumerate(others):
        if is_traced(_condition(value)):
            return _builder(value).and_(value, others[position:], Variables.bound(joins, others[position:]))
        if not value:
            return value
        value = other()
    return value


def or_(value: Any, *others: Thunk, joins: Names = ()) -> Any:
    """`value or …`; joins are the names that the operands after the first may bind."""
    for position, other in enumerate(others):
        if is_traced(_condition(value)):
            return _builder(value).or_(value, others[position:], Variables.bound(joins, others[position:]))
        if value:
            return value
        value = other()
    return value


def not_(value: Any) -> Any:
    """`not value`."""
    value = _condition(value)
    return _builder(value).not_(value) if is_traced(value) else not value


def ternary(test: Any, then: Thunk, orelse: Thunk, joins: Names = ()) -> Any:
    """`then() if test else orelse()`."""
    test = _condition(test)
    if is_traced(test):
        return _builder(test).ternary(test, then, orelse, Variables(joins, (then, orelse), joins))
    return then() if test else orelse()


def compare(left: Any, symbol: str, right: Any, *others: Any, joins: Names = ()) -> Any:
    """A chain of comparisons `left < right < …`; each value is computed once, and only when it is needed."""
    result = _COMPARISONS[symbol](left, right)
    if not others:
        return result

    def chain() -> Any:
        return compare(right, others[0], others[1](), *others[2:], joins=joins)

    if is_traced(_condition(result)):
        return _builder(result).and_(result, (chain,), Variables.bound(joins, others))
    return chain() if result else result


def in_(value: Any, container: Any) -> Any:
    """`value in container`."""
    active = builder()
    if active is not None:
        found = active.contains(container, value)
        if found is not NotImplemented:
            return found
    return value in container


def not_in(value: Any, container: Any) -> Any:
    """`value not in container`."""
    return not_(in_(value, container))


def is_(left: Any, right: Any) -> Any:
    """`left is right`."""
    active = builder()
    return left is right if active is None else active.is_(left, right)


def is_not(left: Any, right: Any) -> Any:
    """`left is not right`."""
    return not_(is_(left, right))


def equal(left: Any, right: Any) -> Any:
    """`left == right`; tuples and lists may hold numbers that only the run knows, as run-time shapes do."""
    active = builder()
    return left == right if active is None or not _are_sequences(left, right) else active.equal(left, right)


def unequal(left: Any, right: Any) -> Any:
    """`left != right`."""
    if builder() is None or not _are_sequences(left, right):
        return left != right
    return not_(equal(left, right))


def _are_sequences(left: Any, right: Any) -> bool:
    """Whether two values are tuples, or lists."""
    return type(left) is type(right) and type(left) in (tuple, list)


_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": equal,
    "!=": unequal,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": in_,
    "not in": not_in,
    "is": is_,
    "is not": is_not,
}


# Names, attributes and items


def read(name: Callable[[], Any]) -> Any:
    """A local variable that may be unbound."""
    try:
        return name()
    except NameError:
        pass
    code = name.__code__
    variable = code.co_freevars[0]
    active = builder()
    cell = (name.__closure__ or ())[0]
    reason = active.why_unbound(cell) if active is not None else None
    if reason is not None:
        reason = f"{reason} (line {code.co_firstlineno})"
    elif sys.version_info >= (3, 11):
        reason = f"cannot access local variable '{variable}' where it is not associated with a value"
    else:
        reason = f"local variable '{variable}' referenced before assignment"
    error = UnboundLocalError(reason)
    error.name = variable
    raise error


def getattr_(owner: Any, name: str) -> Any:
    """`owner.name`."""
    active = builder()
    return getattr(owner, name) if active is None else active.getattr(owner, name)


def setattr_(owner: Any, name: str, value: Any) -> None:
    """`owner.name = value`."""
    active = builder()
    if active is None:
        setattr(owner, name, value)
    else:
        active.setattr(owner, name, value)


def delattr_(owner: Any, name: str) -> None:
    """`del owner.name`."""
    active = builder()
    if active is None:
        delattr(owner, name)
    else:
        active.delattr(owner, name)


def owns(names: Callable[[], Any]) -> None:
    """The start of a function some of whose variables (those that `names` reads) its inner functions rebind."""
    active = builder()
    if active is not None:
        active.owns(names)


class _At:
    """`at[1:2, i]` is what stands between the brackets, as a value."""

    def __getitem__(self, index: Any) -> Any:
        return index


at = _At()


def getitem(container: Any, index: Any) -> Any:
    """`container[index]`."""
    if is_traced(index) and not is_traced(container):
        return _builder(index).getitem(container, index)
    return container[index]


def setitem(value: Any, into: Any, at: Any) -> None:
    """`into[at] = value`."""
    _touch(into)
    into[at] = value


def delitem(container: Any, index: Any) -> None:
    """`del container[index]`."""
    _touch(container)
    del container[index]


def augmented(symbol: str, left: Any, right: Any) -> Any:
    """`left += right` and its relatives; gives the new value of left."""
    _touch(left)
    return _AUGMENTED[symbol](left, right)


_AUGMENTED: dict[str, Callable[[Any, Any], Any]] = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "@=": operator.imatmul,
    "/=": operator.itruediv,
    "%=": operator.imod,
    "**=": operator.ipow,
    "<<=": operator.ilshift,
    ">>=": operator.irshift,
    "|=": operator.ior,
    "^=": operator.ixor,
    "&=": operator.iand,
    "//=": operator.ifloordiv,
}

_HEAP_TYPE = 1 << 9  # classes made by class statements
_CONTAINERS = (list, dict, set, bytearray, deque)
_CHANGING = {
    *(
        "append",
        "extend",
        "insert",
        "pop",
        "remove",
        "clear",
        "sort",
        "reverse",
        "update",
        "setdefault",
        "popitem",
        "add",
    ),
    *("discard", "appendleft", "extendleft", "popleft", "rotate", "difference_update", "intersection_update"),
    *("symmetric_difference_update", "__setitem__", "__delitem__", "__iadd__", "__ior__"),
}


def _touch(container: Any, how: str = "") -> None:
    """Tell the builder that a container is about to change in place, by a method of this name."""
    active = builder()
    if active is not None and isinstance(container, _CONTAINERS):
        active.touch(container, how)


# Exceptions


def assert_(test: Any, message: Thunk | None = None) -> Any:
    """The condition of an assert statement; a traced one becomes part of the graph and holds for now."""
    test = _condition(test)
    if is_traced(test):
        _builder(test).check(test, None if message is None else message())
        return True
    return test


def raised(error: Any) -> Any:
    """The exception of a raise statement."""
    active = builder()
    return error if active is None else active.raised(error)


# Calls


def _no_converter(function: types.FunctionType) -> Callable[..., Any]:
    """What stands in until frontend.convert is imported."""
    return function


_converter: Callable[[types.FunctionType], Callable[..., Any]] = _no_converter


def use_converter(converter: Callable[[types.FunctionType], Callable[..., Any]]) -> None:
    """Have Python functions that converted code calls go through a converter."""
    global _converter
    _converter = converter


_overloads: dict[int, Callable[..., Any]] = {}


def use_overloads(overloads: dict[int, Callable[..., Any]]) -> None:
    """Have some builtins, given by identity, replaced where converted code calls them."""
    _overloads.update(overloads)


def convert(function: Any) -> Any:
    """What a call `function(…)` in converted code runs: the user's functions converted, builtins that know tensors."""
    active = builder()
    if active is not None:
        chosen = active.callee(function)
        if chosen is not None:
            return chosen
    kind = type(function)
    if kind is types.FunctionType:
        return _converter(function)
    if kind is types.MethodType:
        inner = function.__func__
        return types.MethodType(convert(inner), function.__self__) if type(inner) is types.FunctionType else function
    if kind is types.BuiltinFunctionType or kind is type:
        overload = _overloads.get(id(function))
        if overload is not None:
            return overload
        if kind is type:
            return _constructor(function)
        return _touching(function)
    if kind is types.MethodWrapperType:
        return _touching(function)
    if kind is functools.partial:
        return functools.partial(convert(function.func), *function.args, **function.keywords)
    if isinstance(function, type):
        return _constructor(function)
    return _callable_object(function)


def _touching(method: Any) -> Any:
    """A method in C, which may be about to change the container it belongs to."""
    if isinstance(method.__self__, _CONTAINERS) and method.__name__ in _CHANGING:
        _touch(method.__self__, method.__name__)
    return method


def _constructor(kind: type) -> Any:
    """What creates an instance of a class: its user-written __init__ is converted."""
    initializer = kind.__init__  # type: ignore[misc]
    if type(kind).__call__ is not type.__call__ or not kind.__flags__ & _HEAP_TYPE:
        return kind
    converted = _converter(initializer) if type(initializer) is types.FunctionType else None
    if (converted is None or converted is initializer) and builder() is None:
        return kind

    def construct(*arguments: Any, **keywords: Any) -> Any:
        """type.__call__ with the converted __init__."""
        active = builder()
        if converted is None:
            instance = kind(*arguments, **keywords)
            if active is not None:
                active.made(instance)
            return instance
        new: Any = kind.__new__
        plain: Any = object.__new__
        instance = new(kind) if new is plain else new(kind, *arguments, **keywords)
        if isinstance(instance, kind):
            if active is not None:
                active.made(instance)
            # __new__ may give an instance of a subclass
            initialize = converted if type(instance) is kind else convert(type(instance).__init__)
            result = initialize(instance, *arguments, **keywords)
            if result is not None:
                raise TypeError(f"__init__() should return None, not '{type(result).__name__}'")
        return instance

    return construct


def _callable_object(function: Any) -> Any:
    """An object that is called: Cells convert their construct themselves, for others __call__ is converted."""
    if hasattr(type(function), "construct"):
        return function
    call = getattr(type(function), "__call__", None)  # noqa: B004 - the function itself is wanted
    if type(call) is not types.FunctionType:
        return function
    converted = _converter(call)
    return function if converted is call else types.MethodType(converted, function)


def call(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    """Call a function as converted code does: for library code that runs the user's functions."""
    active = builder()
    return convert(function)(*arguments, **keywords) if active is None else active.call(function, arguments, keywords)


def method(owner: Any, name: str) -> Any:
    """What a call `owner.name(…)` in converted code runs."""
    if type(owner) is str and name == "format":
        return functools.partial(format_string, owner)
    if type(owner) is dict and name == "has_key" and builder() is not None:
        return owner.__contains__  # a method that dictionaries have in MindSpore's graphs
    return convert(getattr_(owner, name))
