"""Signatures: the key of a call's arguments, the run-time inputs among them, and which of these are aliases: a graph
that updates a tensor is valid only for calls with the same ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ...compiler.transforms.symbolic import Symbol
from ..errors.classes import GraphBreak
from ..values.mutable import NUMBERS, MutableDict, MutableList, MutableTuple
from ..values.parameter import Parameter
from ..values.tensor import Tensor
from ..values.traced_tensor import TracedTensor
from ..values.tree import is_namedtuple
from .snapshots import SameObject
from .trace import Trace

Leaves = list[Any]
MOST_WORK = 1 << 16
"""Steps in which NumPy is to find out whether arrays share memory: for some strides it needs years."""


def signature(value: Any, leaves: Leaves) -> Any:
    """A hashable key of the argument. Arguments with equal keys can share a graph. Its run-time inputs are appended to
    `leaves`."""
    kind = type(value)
    if kind is Tensor:
        if value._const_arg:
            return ("const", value._data.dtype, value._data.shape, value._data.tobytes())
        leaves.append(value)
        return (value._data.dtype, value._data.shape)
    if kind is int or kind is bool or kind is str or value is None:
        return (kind, value)
    if kind is float:
        return (float, value.hex())  # nan equals itself, and -0.0 is not 0.0
    if kind is tuple or kind is list or kind is MutableTuple or kind is MutableList:
        return (kind, *[signature(item, leaves) for item in value])
    if kind is dict or kind is MutableDict:
        return (kind, *[(key, signature(item, leaves)) for key, item in value.items()])
    if kind in NUMBERS:
        leaves.append(value)
        return kind
    if isinstance(value, Parameter):
        return SameObject(value)
    if isinstance(value, Tensor):
        leaves.append(value)
        return (kind, value._data.dtype, value._data.shape)
    if isinstance(value, (np.ndarray, np.generic)):
        return ("array", value.dtype.str, value.shape, value.tobytes())
    if is_namedtuple(value) or isinstance(value, (tuple, list)):
        return (kind, *[signature(item, leaves) for item in value])
    if isinstance(value, dict):
        return (kind, *[(key, signature(item, leaves)) for key, item in value.items()])
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return (kind, *[signature(getattr(value, name), leaves) for name in names])
    if kind is complex or kind is bytes:
        return (kind, repr(value))
    if isinstance(value, slice):
        return (slice, *[signature(item, leaves) for item in (value.start, value.stop, value.step)])
    return SameObject(value)


def replace_leaves(value: Any, leaf: Callable[[Any], Any], parameters: bool = False) -> Any:
    """The argument with its run-time inputs replaced, in the order of `signature`.

    Parameters are identified by identity and stay; with `parameters` they are replaced, too.
    """
    kind = type(value)
    if kind is Tensor:
        return value if value._const_arg else leaf(value)
    if kind is tuple or kind is list:
        return kind(replace_leaves(item, leaf, parameters) for item in value)
    if kind is MutableTuple or kind is MutableList:
        return kind(replace_leaves(item, leaf, parameters) for item in value)
    if kind is dict or kind is MutableDict:
        return kind({key: replace_leaves(item, leaf, parameters) for key, item in value.items()})
    if kind in NUMBERS:
        return leaf(value)
    if isinstance(value, Parameter):
        return leaf(value) if parameters else value
    if isinstance(value, Tensor):
        return leaf(value)
    if is_namedtuple(value):
        return kind(*[replace_leaves(item, leaf, parameters) for item in value])
    if isinstance(value, (tuple, list)):
        return kind([replace_leaves(item, leaf, parameters) for item in value])
    if isinstance(value, dict):
        new = kind()
        for key, item in value.items():
            new[key] = replace_leaves(item, leaf, parameters)
        return new
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        new = object.__new__(kind)
        for field in dataclasses.fields(value):
            object.__setattr__(new, field.name, replace_leaves(getattr(value, field.name), leaf, parameters))
        return new
    if isinstance(value, slice):
        return slice(*[replace_leaves(item, leaf, parameters) for item in (value.start, value.stop, value.step)])
    return value


def overlapping(leaves: Sequence[Any], *arguments: Any) -> dict[tuple[int, int], tuple[Tensor, Tensor]]:
    """The pairs of different tensors among arguments, Parameters included, that share memory: both have that of one
    array, or one is the `data` of the other. `leaves` are the run-time inputs of the arguments. The keys are the
    numbers of the tensors, in order."""
    if not any(isinstance(leaf, Tensor) and leaf._shares for leaf in leaves):
        return {}
    found: dict[int, Tensor] = {}

    def note(leaf: Any) -> None:
        if isinstance(leaf, Tensor):
            found[id(leaf)] = leaf

    replace_leaves(arguments, note, parameters=True)
    tensors = list(found.values())
    pairs: dict[tuple[int, int], tuple[Tensor, Tensor]] = {}
    for i, one in enumerate(tensors):
        for j, other in enumerate(tensors) if one._shares else ():
            if i != j and (i < j or not other._shares) and _share_memory(one, other):
                pairs[min(i, j), max(i, j)] = (one, other)
    return pairs


def _share_memory(a: Tensor, b: Tensor) -> bool:
    try:
        return np.shares_memory(a._data, b._data, MOST_WORK)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


def array_of(leaf: Any) -> np.ndarray:
    """The array of a run-time input."""
    if isinstance(leaf, Tensor):
        return leaf._data
    kind = NUMBERS[type(leaf)]
    return np.asarray(kind(leaf), np.float32 if kind is float else None)


def describe(key: Any) -> str:
    """A signature as text for people."""
    if isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], np.dtype):
        return f"{key[0].name}{list(key[1])}"
    if isinstance(key, tuple) and key and isinstance(key[0], type):
        if key[0] in (int, bool, str, type(None), float, complex, bytes):
            return repr(key[1]) if key[0] is not float else repr(float.fromhex(key[1]))
        if issubclass(key[0], dict):
            return "{" + ", ".join(f"{name!r}: {describe(item)}" for name, item in key[1:]) + "}"
        return f"{key[0].__name__}({', '.join(describe(item) for item in key[1:])})"
    if isinstance(key, tuple) and key and key[0] == "array":
        return f"ndarray {key[1]}{list(key[2])}"
    if isinstance(key, tuple) and key and key[0] == "overlapping":
        return "tensors that share memory: " + ", ".join([f"{i + 1} and {j + 1}" for i, j in key[1:]])
    if isinstance(key, type):
        return f"run-time {key.__name__}"
    return f"{type(key.value).__name__} object" if isinstance(key, SameObject) else repr(key)


def sharing_of(leaves: Sequence[Any], captured: Sequence[Tensor]) -> list[tuple[int, bool]]:
    """For each argument and captured tensor: the earlier position of the same tensor (0 if there is none), and whether
    it is a selection of another tensor, to which an item assignment goes through."""
    first: dict[int, int] = {}
    found: list[tuple[int, bool]] = []
    for position, value in enumerate((*leaves, *captured), start=1):
        again = first.setdefault(id(value), position) if isinstance(value, Tensor) else position
        found.append((0 if again == position else again, getattr(value, "_base", None) is not None))
    return found


def updates_tensors(trace: Trace, values: list[TracedTensor], before: list[Symbol]) -> bool:
    """Whether the traced function updates an argument, or a captured tensor that is no Parameter."""
    if any(value._symbol is not symbol for value, symbol in zip(values, before, strict=True)):
        return True
    states = [state for state in trace.states.values() if state.commits and not isinstance(state.tensor, Parameter)]
    return any(state.symbol is not state.initial for state in states)


def refuse_overlaps(
    trace: Trace, leaves: list[Any], values: list[TracedTensor], before: list[Symbol], pairs: Iterable[tuple[Any, Any]]
) -> None:
    """End a trace that updates one of two arguments that share memory: the graph would read the other's old numbers."""
    updated = [leaf for leaf, value, old in zip(leaves, values, before, strict=True) if value._symbol is not old]
    updated += [state.tensor for state in trace.states.values() if state.commits and state.symbol is not state.initial]
    if {id(tensor) for tensor in updated} & {id(tensor) for pair in pairs for tensor in pair}:
        raise GraphBreak(
            "two arguments share memory, and one of them is updated in place", "Pass one of them as a copy, `x.copy()`"
        )


def link_names(trace: Trace, leaves: list[Any], values: list[TracedTensor], captured: Sequence[Tensor]) -> None:
    """Link arguments and captured tensors that are the same tensor, so that an update reaches all of them."""
    first: dict[int, Tensor] = {id(tensor): tensor for tensor in captured}
    for leaf, value in zip(leaves, values, strict=True):
        if isinstance(leaf, Tensor):
            other = first.setdefault(id(leaf), value)
            if other is not value:
                trace.builder.flow.aliases.link(value, other, True)
