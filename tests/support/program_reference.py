"""The meaning of random programs, in plain NumPy: tensors, Parameters, Cells and operations, one by one in float64."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np


def raw(value: Any) -> Any:
    """The numbers of a value."""
    return value.data if isinstance(value, Array) else value


class Array:
    """A tensor: reads give new ones; `+=` and item assignments change it, also assignments to `x[i]`."""

    base: Any = None  # (array, index) of a selection by numbers and slices

    def __init__(self, data: Any, dtype: Any = None) -> None:
        data = np.array(raw(data))
        self.data = data if data.dtype.kind in "bi" and dtype is None else data.astype(np.float64)

    def __bool__(self) -> bool:
        return bool(self.data)

    def __int__(self) -> int:
        return int(self.data)

    def __float__(self) -> float:
        return float(self.data)

    def __len__(self) -> int:
        return len(self.data)

    def __iter__(self) -> Any:
        return (self[position] for position in range(len(self)))

    def __getitem__(self, index: Any) -> Array:
        found = Array(self.data[raw(index)])
        parts = index if isinstance(index, tuple) else (index,)
        if all(isinstance(part, (int, slice)) for part in parts):
            found.base = (self, index)
        return found

    def __setitem__(self, index: Any, value: Any) -> None:
        if self.base is not None:
            whole, place = self.base
            part = np.array(whole.data[place])
            part[raw(index)] = raw(value)
            whole[place] = part
        self.data = self.data.copy()
        self.data[raw(index)] = raw(value)

    def __contains__(self, value: Any) -> bool:
        return bool((self.data == raw(value)).any())

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    @property
    def ndim(self) -> int:
        return self.data.ndim

    @property
    def T(self) -> Array:
        return Array(self.data.T)

    def assign(self, value: Any) -> Array:
        self.data = np.array(raw(value), np.float64)
        return self

    def reshape(self, *shape: Any) -> Array:
        return Array(self.data.reshape(*shape))

    def sum(self, axis: Any = None) -> Array:
        return Array(self.data.sum(axis))

    def mean(self, axis: Any = None) -> Array:
        return Array(self.data.mean(axis))

    def max(self, axis: Any = None) -> Array:
        return Array(self.data.max(axis))

    def min(self, axis: Any = None) -> Array:
        return Array(self.data.min(axis))

    def all(self) -> Array:
        return Array(self.data.all())

    def any(self) -> Array:
        return Array(self.data.any())

    def __hash__(self) -> int:
        return id(self)


def _operators() -> None:
    def binary(name: str, function: Callable[..., Any]) -> None:
        setattr(Array, f"__{name}__", lambda self, other: Array(function(self.data, raw(other))))
        setattr(Array, f"__r{name}__", lambda self, other: Array(function(raw(other), self.data)))

    def in_place(name: str, function: Callable[..., Any]) -> None:
        setattr(Array, f"__i{name}__", lambda self, other: self.assign(function(self.data, raw(other))))

    for name, function in {
        "add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.divide, "matmul": np.matmul,
        "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal,
        "ne": np.not_equal, "mod": np.mod, "pow": np.power, "and": np.logical_and, "or": np.logical_or,
    }.items():  # fmt: skip
        binary(name, function)
        if name in ("add", "sub", "mul", "truediv"):
            in_place(name, function)
    Array.__neg__ = lambda self: Array(-self.data)  # type: ignore[attr-defined]
    Array.__abs__ = lambda self: Array(abs(self.data))  # type: ignore[attr-defined]
    Array.__invert__ = lambda self: Array(~self.data)  # type: ignore[attr-defined]


_operators()


class Parameter(Array):
    """A Parameter."""

    def __init__(self, data: Any, name: str = "") -> None:
        super().__init__(data)
        self.name = name

    def set_data(self, value: Any) -> Parameter:
        self.assign(value)
        return self


class Cell:
    """A Cell: assigning an attribute that is a Parameter updates it."""

    def __setattr__(self, name: str, value: Any) -> None:
        old = self.__dict__.get(name)
        if isinstance(old, Parameter):
            if value is not old:
                old.assign(value)
        else:
            self.__dict__[name] = value

    def __call__(self, *arguments: Any) -> Any:
        return self.construct(*arguments)  # type: ignore[attr-defined]


def _function(function: Callable[..., Any]) -> Callable[..., Array]:
    return lambda *values, **options: Array(function(*map(raw, values), **options))


def _joined(function: Callable[..., Any]) -> Callable[..., Array]:
    return lambda values, axis=0: Array(function([raw(value) for value in values], axis))


ops = SimpleNamespace(
    tanh=_function(np.tanh), sin=_function(np.sin), abs=_function(np.abs), where=_function(np.where),
    maximum=_function(np.maximum), minimum=_function(np.minimum), matmul=_function(np.matmul),
    sigmoid=_function(lambda x: 1 / (1 + np.exp(-x))), relu=_function(lambda x: np.maximum(x, 0)),
    stack=_joined(np.stack), concat=_joined(np.concatenate), zeros_like=_function(np.zeros_like),
    cumsum=_function(np.cumsum), logical_not=_function(np.logical_not), logical_and=_function(np.logical_and),
    assign=lambda parameter, value: parameter.assign(value),
    assign_add=lambda parameter, value: parameter.assign(parameter.data + raw(value)),
)  # fmt: skip
nn = SimpleNamespace(Cell=Cell)
