"""Escaping values: a compiled function returns lazy sequences as tuples and lists, and no value of the trace."""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors.classes import GraphBreak
from ..values import tree
from ..values.tensor import Tensor
from .builder import builder
from .builtins import finished, materialize
from .join import ChosenFunction, describe
from .state import is_traced, read_variable
from .texts import TracedText
from .while_loops import TracedRange


def finished_value(value: Any) -> Any:
    """A value that leaves the compiled function: lazy sequences as tuples and lists."""
    return finished(value, _leaving)


def _leaving(value: Any) -> Any:
    """A value, or an item of a container, that leaves the compiled function."""
    value = materialize(value)
    if isinstance(value, TracedText):
        raise GraphBreak(
            f"the string {value.outline()!r} holds values that exist only when the program runs",
            "Return the tensors, or print the string",
        )
    if isinstance(value, slice) and any(map(is_traced, (value.start, value.stop, value.step))):
        raise GraphBreak("a slice whose bounds only the run knows cannot leave the compiled function")
    if isinstance(value, Iterator):
        raise GraphBreak("an iterator, whose items the trace may have computed, cannot leave the compiled function")
    if isinstance(value, TracedRange):
        raise GraphBreak("a range whose bounds only the run knows cannot leave the compiled function")
    if isinstance(value, ChosenFunction):
        raise GraphBreak(f"{value!r} is known only at run time and cannot leave the compiled function")
    if any(map(_is_of_trace, _inside(value))):
        raise GraphBreak(f"{describe(value)} is, or holds, what each run has to make, and cannot leave the graph")
    return value


def _is_of_trace(value: Any) -> bool:
    """Whether a value exists in the trace alone, or is an object that each run has to make."""
    if is_traced(value) or isinstance(value, (TracedText, ChosenFunction, TracedRange)):
        return True
    active = builder()
    return active is not None and id(value) in active.attributes.own and tree.children(value) is None


def _inside(value: Any) -> list[Any]:
    """A value that is no container, and what the items of sets and the variables of functions in it hold."""
    found = [] if isinstance(value, Tensor) or tree.children(value) is not None else [value]
    seen: set[int] = set()
    for each in found:
        items: Iterable[Any] = ()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, (set, frozenset)):
            items = each
        elif isinstance(each, types.FunctionType):
            cells = [read_variable(cell, "") for cell in each.__closure__ or ()]
            items = [*cells, *(each.__defaults__ or ()), *(each.__kwdefaults__ or {}).values()]
        elif isinstance(each, types.MethodType):
            items = [each.__self__]
        found += [leaf for item in items for leaf in tree.leaves(item)]
    return found
