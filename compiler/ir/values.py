"""Values of graphs: inputs and outputs of nodes, scalar constants, and lines of the user's source."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from operator import attrgetter
from typing import Union, final
from weakref import WeakValueDictionary

import numpy as np

from ...runtime import dtypes
from .types import TensorType


class IRError(Exception):
    """A graph is malformed. This is always a bug of mycel."""


class Location:
    """A line of the user's source. Nobody changes it. Locations of one line are equal.

    Attributes:
        cell: the path of the Cell that runs there, such as `encoder.layers.0`; of the outermost one, its class.
        text: the line itself, where it is to be printed.
    """

    __slots__ = ("cell", "file", "line", "text")

    def __init__(self, file: str, line: int, cell: str = "", text: str = "") -> None:
        self.file = file
        self.line = line
        self.cell = cell
        self.text = text

    def with_text(self, text: str) -> Location:
        """The same line with its text."""
        return Location(self.file, self.line, self.cell, text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Location) and self.line == other.line and self.file == other.file

    def __hash__(self) -> int:
        return self.line

    def __repr__(self) -> str:
        return f"Location({self.file!r}, {self.line}, {self.cell!r}, {self.text!r})"

    def __str__(self) -> str:
        name = self.file.replace("\\", "/").rsplit("/", 1)[-1]
        if not name.isprintable():  # it stands in a line of text, which it may not break
            name = "".join(character if character.isprintable() else "_" for character in name)
        return f"{name}:{self.line}"


@final
class Value:
    """One tensor in a graph, defined by a parameter or by a node. Values are compared by identity; `name` is only a
    hint."""

    __slots__ = ("name", "type")

    def __init__(self, type: TensorType, name: str = "") -> None:
        self.type = type
        self.name = name

    def __repr__(self) -> str:
        return f"%{self.name or '?'}: {self.type}"


@final
class Literal:
    """A scalar known at compile time, typed like any other operand. There is one object for each number and type, so
    that equal literals are identical."""

    __slots__ = ("__weakref__", "type", "value")
    type: TensorType
    value: bool | int | float | complex

    def __new__(cls, value: bool | int | float | complex, type: TensorType) -> Literal:
        """The literal of this number and type."""
        # By text, so that nan is found again, and -0.0 differs from 0.0.
        key = repr(value), type.dtype, type.shape
        found = _LITERALS.get(key)
        if found is None:
            made = object.__new__(cls)
            object.__setattr__(made, "value", value)
            object.__setattr__(made, "type", type)
            with _LOCK:
                found = _LITERALS.setdefault(key, made)
        return found

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cannot assign to field {name!r}")

    def __reduce__(self) -> tuple[object, ...]:
        return Literal, (self.value, self.type)

    def __repr__(self) -> str:
        return f"Literal(value={self.value!r}, type={self.type!r})"

    @property
    def array(self) -> np.ndarray:
        """The value as a 0-d array of its dtype."""
        return np.asarray(self.value, self.type.dtype.np)


_LITERALS: WeakValueDictionary[Hashable, Literal] = WeakValueDictionary()
_LOCK = threading.Lock()

Operand = Union[Value, Literal]  # noqa: UP007 evaluated at run time by Python 3.10

type_of: Callable[[Operand], TensorType] = attrgetter("type")
"""The type of an operand. Python maps it over the few operands of a node sooner than it makes a comprehension."""


def literal(value: bool | int | float | complex, dtype: dtypes.DType) -> Literal:
    """`value` as a 0-d literal of `dtype`, converted to the kind of Python number that the dtype holds."""
    if dtype.is_float and (type(value) is float or type(value) is int):  # as most are
        return Literal(float(value), TensorType(dtype, ()))
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        raise TypeError(f"a number is expected, but got the string {value!r}")
    if isinstance(value, complex) and value.imag and not dtype.is_complex:
        raise TypeError(f"{value} is complex, which no number of {dtype} is")
    if dtype.is_bool:
        value = bool(value)
    elif dtype.is_integer:
        value = int(value.real if isinstance(value, complex) else value)
        low, span = (0, 1 << dtype.bits) if dtype.kind == "u" else (-(1 << (dtype.bits - 1)), 1 << dtype.bits)
        value = (value - low) % span + low  # wraps as the tensor would
    elif dtype.is_float:
        value = float(value.real if isinstance(value, complex) else value)
    else:
        value = complex(value)
    return Literal(value, TensorType(dtype, ()))
