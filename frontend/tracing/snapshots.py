"""Snapshots: what a guard compares to find out whether a mutable value has changed."""

from __future__ import annotations

import array
import zlib
from collections import OrderedDict, defaultdict, deque
from operator import is_
from types import MappingProxyType
from typing import Any

import numpy as np

_SMALL = 4096  # bytes up to which an array is compared directly
_BYTES = (bytearray, memoryview, array.array)
_CONTAINERS = (list, tuple, dict, set, frozenset, deque, np.ndarray, MappingProxyType, *_BYTES)
_PLAIN = (list, tuple, dict, set, frozenset, deque, OrderedDict, defaultdict)
_SPECIAL = ("__getitem__", "__len__", "__iter__", "__contains__", "__bool__")
_special: dict[type, bool] = {}
_changing: dict[type, bool] = {}


def changes_inside(value: Any) -> bool:
    """Whether a value may change without becoming another object, other than by its attributes."""
    kind = type(value)
    if value.__class__ is not kind:  # as a proxy
        return isinstance(value, _CONTAINERS) or _is_container(kind)
    found = _changing.get(kind)
    if found is None:
        found = _changing[kind] = issubclass(kind, _CONTAINERS) or _is_container(kind)
    return found


def _is_container(kind: type) -> bool:
    """Whether objects of a user's class have items, a length or a truth value."""
    found = _special.get(kind)
    if found is None:
        found = not getattr(kind, "_OWN", None) and any(
            getattr(getattr(kind, name, None), "__code__", None) is not None for name in _SPECIAL
        )
        found = _special[kind] = found and not (kind.__module__ or "").startswith(_PACKAGE)
    return found


_PACKAGE = __name__.split(".")[0] + "."


def snapshot(value: Any, around: tuple[int, ...] = ()) -> Any:
    """A value that is different if any part of `value` that a trace could have read is different.

    Numbers, strings and None count by value; lists, tuples, sets, dicts and the like by their items; arrays by their
    numbers; the user's container objects by their attributes; everything else by identity.

    Args:
        value: the value.
        around: the ids of the containers that it is in.
    """
    kind = type(value)
    if value is None or kind in (bool, int, str, bytes):
        return (kind, value)
    if kind in (float, complex):
        return (kind, repr(value))
    if id(value) in around:
        return SameObject(value)
    if kind is list or kind is tuple:
        around = (*around, id(value))
        return (kind, *[snapshot(item, around) for item in value])
    if isinstance(value, _BYTES):
        return (kind, bytes(value))
    if isinstance(value, (dict, MappingProxyType)):
        around = (*around, id(value))
        return (kind, *[(snapshot(key, around), snapshot(item, around)) for key, item in value.items()])
    if isinstance(value, (set, frozenset)):
        return (kind, frozenset(snapshot(item, (*around, id(value))) for item in value))
    if isinstance(value, (list, tuple, deque)):
        around = (*around, id(value))
        return (
            kind,
            *[snapshot(item, around) for item in value],
            snapshot(getattr(value, "__dict__", None), around),
        )
    if isinstance(value, np.ndarray):
        return (kind, value.dtype.str, value.shape, _numbers(value))
    if _is_container(kind):
        return (SameObject(value), snapshot(getattr(value, "__dict__", None), (*around, id(value))))
    return SameObject(value)


def _numbers(array: np.ndarray) -> Any:
    """The numbers of an array, or a checksum of them if they are many."""
    if array.dtype.hasobject:
        return snapshot(array.tolist())
    if array.nbytes <= _SMALL:
        return array.tobytes()
    return zlib.crc32(np.ascontiguousarray(array).data.cast("B"))


class Contents:
    """The items of a container of Python's own kinds, and of containers among them, as objects.

    To compare them takes a tenth of the time of a snapshot. Different objects may still be equal.
    """

    __slots__ = ("inner", "items", "kind")

    def __init__(self, value: Any, inner: list[tuple[Any, Contents]]) -> None:
        self.kind = type(value)
        self.items = _items(value)
        self.inner = inner  # the containers among the items, which may change

    def same_in(self, value: Any) -> bool:
        """Whether a value is a container of this kind, and has the same objects as items at all depths."""
        if type(value) is not self.kind:
            return False
        items = _items(value)
        if len(items) != len(self.items) or not all(map(is_, items, self.items)):
            return False
        return all(part.same_in(container) for container, part in self.inner)


def _items(value: Any) -> tuple[Any, ...]:
    return (*value, *value.values()) if isinstance(value, dict) else tuple(value)


def _is_plain(value: Any) -> bool:
    """Whether a container's items are all that it has: it is of a kind of Python's own, or a named tuple."""
    kind = type(value)
    return kind in _PLAIN or (
        isinstance(value, tuple) and kind.__iter__ is tuple.__iter__ and not hasattr(value, "__dict__")
    )


def contents(value: Any, around: tuple[int, ...] = ()) -> Contents | None:
    """The contents of a container; None for others, and where some item may change in another way."""
    if not _is_plain(value) or id(value) in around:
        return None
    inner = []
    for item in _items(value):
        if changes_inside(item):
            part = contents(item, (*around, id(value)))
            if part is None:
                return None
            inner.append((item, part))
    return Contents(value, inner)


class SameObject:
    """An object compared by identity. It is kept alive, so that no other object gets its id."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameObject) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)

    def __repr__(self) -> str:
        return f"<{type(self.value).__name__} at {id(self.value):#x}>"
