"""Kinds of attributes: the values that an op's attributes may have. The verifier checks them.

An op declares its attributes by these kinds in its record (`Op.attrs`), and nowhere else. A kind checks the value
alone. Whether a value fits the operands' shapes (an axis in range, say) is checked by the op's `infer`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import DType
from .graph import Graph
from .op import Attribute

LARGEST = 1 << 63  # no integer attribute is beyond 64 bits
TEXT_LENGTH = 100_000

_CONVERSIONS = ("", "s", "r", "n", "g", "v")  # of pieces of a text, as in runtime/effects.py


def _is_int(value: Any) -> bool:
    return type(value) is int and -LARGEST <= value < 2 * LARGEST


def _is_size(value: Any) -> bool:
    return type(value) is int and 0 <= value < LARGEST


def _is_number(value: Any) -> bool:
    return _is_int(value) or type(value) in (bool, float, complex)


def _is_text(value: Any) -> bool:
    return type(value) is str and len(value) <= TEXT_LENGTH


def _is_bound(value: Any) -> bool:
    return value is None or value == "operand" or _is_int(value)


def _is_index_item(value: Any) -> bool:
    if isinstance(value, tuple):
        return len(value) == 3 and all(map(_is_bound, value))
    return value is True or _is_bound(value)


def _is_part(value: Any) -> bool:
    if isinstance(value, tuple):
        if len(value) != 3:
            return False
        position, conversion, spec = value
        return _is_size(position) and conversion in _CONVERSIONS and type(spec) is str and len(spec) <= 100
    return _is_text(value) or _is_size(value)


def tuple_of(kind: Attribute, what: str) -> Attribute:
    """A tuple whose items are of a kind."""
    return Attribute(what, lambda value: isinstance(value, tuple) and all(map(kind.holds, value)))


def or_none(kind: Attribute) -> Attribute:
    """The kind, or None."""
    return Attribute(f"{kind.what}, or None", lambda value: value is None or kind.holds(value), kind.required)


def optional(kind: Attribute) -> Attribute:
    """The kind, for an attribute that may be left out."""
    return replace(kind, required=False)


INT = Attribute("an integer", _is_int)
SIZE = Attribute("an integer that is not negative", _is_size)
FLAG = Attribute("True or False", lambda value: type(value) is bool)
FLOAT = Attribute("a number", lambda value: type(value) is float or _is_int(value))
NUMBER = Attribute("a number", _is_number)
TEXT = Attribute("a string", _is_text)
DTYPE = Attribute("an element type", lambda value: isinstance(value, DType))
GRAPH = Attribute("a graph", lambda value: isinstance(value, Graph))
ARRAY = Attribute("an array", lambda value: isinstance(value, np.ndarray) and value.dtype in _held())
INTS = tuple_of(INT, "a tuple of integers")
SIZES = tuple_of(SIZE, "a tuple of integers that are not negative")
OPEN_SIZES = tuple_of(or_none(SIZE), "a tuple of integers that are not negative, or None for each that is not known")
SHAPES = tuple_of(SIZES, "a tuple of shapes")
BOUNDS = tuple_of(or_none(INT), "a tuple of integers or None")
PAIRS = Attribute(
    "a tuple of pairs of integers",
    lambda value: isinstance(value, tuple) and all(INTS.holds(item) and len(item) == 2 for item in value),
)
FLOATS = tuple_of(or_none(FLOAT), "a tuple of numbers or None")
STREAM = optional(or_none(SIZES))
INDEX_ITEMS = Attribute(
    "the items of an index", lambda value: isinstance(value, tuple) and all(map(_is_index_item, value))
)
TEMPLATE = Attribute("the pieces of a text", lambda value: isinstance(value, tuple) and all(map(_is_part, value)))

REDUCTION: Mapping[str, Attribute] = {"axis": INTS, "keepdims": FLAG}
"""Attributes of reductions over axes."""


def _held() -> frozenset[np.dtype[Any]]:
    return frozenset(dtype.np for dtype in dtypes.ALL if dtype.np != np.dtype(object))
