"""Layers that are one elementwise function without options: records, and a base for each name of the input."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from .held import primitives
from .sections import elementwise

_TAKES_TENSORS = True


class _Function(Cell):
    """A layer that is one function; `_function` is it."""

    _function: Callable[[Any], Any]


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


_BASES: dict[str, type[_Function]] = {"x": Elementwise, "input": ElementwiseInput, "input_x": ElementwiseInputX}


def layer(
    name: str, function: Callable[[Any], Any], summary: str, example: str, *, argument: str = "x",
    dtype: str = "float", **held: str,
) -> type[Cell]:  # fmt: skip
    """A layer without options.

    Args:
        name: its name.
        function: what it computes.
        summary: the same in words.
        example: an input and what is printed, such as "[-1.0, 2.0] -> [0. 2.]".
        argument: the input's name.
        dtype: the kind of numbers that it takes, for the docstring.
        held: the primitives that MindSpore's layer has as attributes, by their names.
    """
    given, _, printed = example.partition(" -> ")
    text = (
        f"{summary}\n\nExamples:\n    >>> from mycel import Tensor, nn\n    >>> print(nn.{name}()(Tensor({given})))\n"
    )
    members: dict[str, Any] = {
        "__doc__": f"{text}    {printed}\n",
        "__module__": sys._getframe(1).f_globals["__name__"],  # that of the record, so that the layer can be pickled
        "_function": staticmethod(function),
        **({"_held": primitives(**held)} if held else {}),
    }

    def __init__(self: Cell) -> None:
        Cell.__init__(self)

    __init__.__qualname__ = f"{name}.__init__"  # errors about its arguments say so
    return elementwise(argument, dtype)(type(name, (_BASES[argument],), {**members, "__init__": __init__}))
