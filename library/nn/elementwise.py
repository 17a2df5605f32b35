"""Bases of layers that are one elementwise function without options: one for each name that the input may have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor

_TAKES_TENSORS = True  # its Cells say which input should be a Tensor; Cell reads this


class _Function(Cell):
    """A layer that is one function; `_function` is it."""

    _function: Callable[[Any], Any]

    def __init__(self) -> None:
        super().__init__()


class Elementwise(_Function):
    """A function of `x`."""

    def construct(self, x: Any) -> Tensor:
        """The function of x."""
        return type(self)._function(x)


class ElementwiseInput(_Function):
    """A function of `input`."""

    def construct(self, input: Any) -> Tensor:
        """The function of the input."""
        return type(self)._function(input)


class ElementwiseInputX(_Function):
    """A function of `input_x`."""

    def construct(self, input_x: Any) -> Tensor:
        """The function of the input."""
        return type(self)._function(input_x)
