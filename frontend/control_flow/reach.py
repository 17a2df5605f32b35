"""Reachability: the objects that values hold, which whoever gets the values may change."""

from __future__ import annotations

import array
import gc
import itertools
import types
import weakref
from collections import deque
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..errors.classes import GraphBreak
from ..source.policy import should_convert
from ..values.cell import Cell
from ..values.tensor import Tensor

ARRAYS = (np.ndarray, array.array)
CONTAINERS = (list, dict, set, bytearray, deque)
MAX_REACHED = 10_000
_CLOSED = (Tensor, Cell, type, types.ModuleType, types.CodeType, types.GeneratorType)
"""Objects whose changes are seen otherwise, or that hold the whole program."""
_BINARY = "add sub mul matmul truediv floordiv mod pow and or xor lshift rshift"
_OTHERS = "neg pos invert abs getitem contains len bool int float index eq ne lt le gt ge hash"
_OPERATORS = (*_BINARY.split(), *(f"r{name}" for name in _BINARY.split()), *_OTHERS.split())
_SCALARS = frozenset((bool, int, float, complex, str, bytes, type(None), type(...), slice, range))
_BESIDE = frozenset((__name__.split(".")[0], "logging", "warnings", "inspect"))
"""Packages whose objects change for reasons of their own."""

_JOINED = (enumerate, zip, tuple, itertools.islice)
"""Iterators that only take the items of others."""
_PLAIN: tuple[Any, ...] = (
    (), [], set(), "", b"", bytearray(), range(0), range(1 << 70), {}, {}.keys(), {}.values(), {}.items(), reversed([]),
    reversed({}), itertools.count(), itertools.repeat(0),
)  # fmt: skip
_TAKING = frozenset(type(iter(each)) for each in _PLAIN)

_operated: weakref.WeakKeyDictionary[type, bool] = weakref.WeakKeyDictionary()


def has_operators(kind: type) -> bool:
    """Whether Python itself calls methods of a user's class, which are not converted, for operators."""
    found = _operated.get(kind)
    if found is None:
        methods = (getattr(kind, f"__{name}__", None) for name in _OPERATORS)
        found = any(type(method) is types.FunctionType and should_convert(method) for method in methods)
        _operated[kind] = found
    return found


def calls_back(iterator: Any) -> bool:
    """Whether what has items may call functions for them, which are not converted."""
    if isinstance(iterator, _JOINED):
        return any(map(calls_back, gc.get_referents(iterator)))
    kind = type(iterator)
    start = getattr(kind, "__iter__", None)
    if isinstance(start, types.FunctionType) and should_convert(start):
        return True
    return hasattr(kind, "__next__") and kind not in _TAKING and kind is not types.GeneratorType


def reached(values: Iterable[Any]) -> list[Any]:
    """All objects that values hold, the nearest first, in so far as a function that gets the values may change them.

    GraphBreak if there are too many to compare.
    """
    found: dict[int, Any] = {}
    queue = list(values)
    for value in queue:
        kind = type(value)
        if kind in _SCALARS or id(value) in found or isinstance(value, _CLOSED):
            continue
        if str(kind.__module__).partition(".")[0] in _BESIDE:
            continue
        found[id(value)] = value
        if len(found) > MAX_REACHED:
            raise GraphBreak(f"a function that is not converted may change more than {MAX_REACHED} objects")
        queue += _parts(value, kind)
    return list(found.values())


def _parts(value: Any, kind: type) -> Iterable[Any]:
    """The objects that a value holds."""
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, (list, tuple, set, frozenset, deque)):
        return value
    if kind is types.FunctionType:
        if not should_convert(value):
            return ()
        names = value.__globals__
        cells = gc.get_referents(*(value.__closure__ or ()))
        return [*cells, *(value.__defaults__ or ()), *(names.get(name) for name in value.__code__.co_names)]
    if isinstance(value, np.ndarray):
        return (value.base, *(value.flat if value.dtype.hasobject else ()))
    # methods, partial functions and iterators have parts that no attribute shows
    return [getattr(value, "__dict__", None), *gc.get_referents(value)]
