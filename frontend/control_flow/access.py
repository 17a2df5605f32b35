"""Reads and writes of converted code: names, attributes, items, and updates in place.

The builder is told of each, so that it guards reads and undoes writes of a trace.
"""

from __future__ import annotations

import operator
import sys
import types
from collections.abc import Callable
from typing import Any

from ..errors.classes import GraphBreak
from .builder import builder, builder_for
from .reach import CONTAINERS
from .state import is_traced


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
    reason = active.flow.why_unbound(cell) if active is not None else None
    if reason is not None:
        if active is not None and active.flow.may_catch(UnboundLocalError):
            raise GraphBreak(f"'{variable}' is bound in one branch alone, and read inside of a try or with statement")
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
    return getattr(owner, name) if active is None else active.attributes.getattr(owner, name)


def setattr_(owner: Any, name: str, value: Any) -> None:
    """`owner.name = value`."""
    active = builder()
    if active is None:
        setattr(owner, name, value)
    else:
        active.attributes.setattr(owner, name, value)


def delattr_(owner: Any, name: str) -> None:
    """`del owner.name`."""
    active = builder()
    if active is None:
        delattr(owner, name)
    else:
        active.attributes.delattr(owner, name)


def owns(names: Callable[[], Any]) -> None:
    """The start of a function whose inner functions may rebind the variables that `names` reads."""
    active = builder()
    if active is not None:
        active.flow.shared.owns(names)


def items(iterable: Any, what: str) -> Any:
    """A container whose items Python itself takes."""
    active = builder()
    if active is not None:
        active.containers.items(iterable, what)
    return iterable


def items_of(function: Callable[..., Any], what: str) -> Callable[..., Any]:
    """A function that gives a container whose items Python itself takes."""
    if builder() is None:
        return function

    def call(*args: Any, **kwargs: Any) -> Any:
        return items(function(*args, **kwargs), what)

    return call


class _At:
    """`at[1:2, i]` is the index between the brackets, as a value."""

    def __getitem__(self, index: Any) -> Any:
        return index


at = _At()


def special(owner: Any, name: str, *arguments: Any) -> Any:
    """The result of a special method that is not built in, run as a call of converted code; else NotImplemented."""
    method = getattr(type(owner), name, None)
    active = builder() if type(method) is types.FunctionType else None
    return NotImplemented if active is None else active.calls.special(method, owner, *arguments)


def getitem(container: Any, index: Any) -> Any:
    """`container[index]`."""
    if is_traced(container):
        return container[index]
    found = special(container, "__getitem__", index)
    if found is not NotImplemented:
        return found
    if is_traced(index):
        return builder_for(index).containers.getitem(container, index)
    if hasattr(type(container), "__missing__") and index not in container:
        touch(container)  # which may get an item
    return container[index]


def setitem(value: Any, into: Any, at: Any) -> None:
    """`into[at] = value`."""
    items(value, "an assignment")
    touch(into)
    if special(into, "__setitem__", at, value) is not NotImplemented:
        return
    if type(into) is list and is_traced(at):
        builder_for(at).containers.setitem(into, at, value)
    else:
        into[at] = value


def delitem(container: Any, index: Any) -> None:
    """`del container[index]`."""
    touch(container)
    if special(container, "__delitem__", index) is NotImplemented:
        del container[index]


def augmented(symbol: str, left: Any, right: Any) -> Any:
    """`left += right` and the like. Returns the new value of left."""
    touch(left)
    items(right, symbol)
    change = _AUGMENTED[symbol]
    found = special(left, f"__{change.__name__}__", right)
    return change(left, right) if found is NotImplemented else found


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


def touch(container: Any, how: str = "") -> None:
    """Tell the builder that a method of this name is about to change a container in place."""
    active = builder()
    if active is None:
        return
    if isinstance(container, CONTAINERS):
        active.flow.touch(container, how)
    elif isinstance(getattr(type(container), "__setitem__", None), types.WrapperDescriptorType):  # as of NumPy's arrays
        active.flow.writes(container)


def touching(method: Any) -> Any:
    """A method in C that may change the container that it belongs to."""
    if isinstance(method.__self__, CONTAINERS) and method.__name__ in _CHANGING:
        touch(method.__self__, method.__name__)
    return method
