"""Python's operators on symbols, for rules and composites: each is a call of an op."""

from __future__ import annotations

from typing import Any

from .arithmetic import add, divide, multiply, negative, subtract
from .linalg import matmul


class Operators:
    """The arithmetic of symbols."""

    __slots__ = ()
    __array_ufunc__ = None  # NumPy arrays and scalars leave mixed arithmetic to us

    def __add__(self, other: Any) -> Any:
        return add(self, other)

    def __radd__(self, other: Any) -> Any:
        return add(other, self)

    def __sub__(self, other: Any) -> Any:
        return subtract(self, other)

    def __rsub__(self, other: Any) -> Any:
        return subtract(other, self)

    def __mul__(self, other: Any) -> Any:
        return multiply(self, other)

    def __rmul__(self, other: Any) -> Any:
        return multiply(other, self)

    def __truediv__(self, other: Any) -> Any:
        return divide(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return divide(other, self)

    def __matmul__(self, other: Any) -> Any:
        return matmul(self, other)

    def __neg__(self) -> Any:
        return negative(self)
