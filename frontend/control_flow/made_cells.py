"""Cells that a compiled function makes: each is made during the trace, and is a constant of the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors.classes import GraphBreak
from ..state import STATE
from ..values import tree
from ..values.cell import Cell
from ..values.tensor import TracedTensor


def is_cell_class(kind: type) -> bool:
    """Whether the instances of a class are Cells."""
    return issubclass(kind, Cell)


def cell_maker(kind: type[Cell]) -> Callable[..., Cell]:
    """The function that makes an instance of a Cell class in converted code: plain Python, which records nothing.

    As in MindSpore's graphs the Cell is made once for each trace, and later calls keep its Parameters. Python would
    make a new Cell in each call. So where the code would otherwise run as plain Python, as under a gradient, a Cell
    with Parameters causes a fallback.
    """

    def make(*arguments: Any, **keywords: Any) -> Cell:
        trace = STATE.trace
        if trace is None:
            return kind(*arguments, **keywords)
        if any(isinstance(leaf, TracedTensor) for leaf in tree.leaves((arguments, keywords))):
            raise GraphBreak(
                f"{kind.__name__} is made with a tensor whose numbers only the run knows",
                "Make it in __init__, or outside of the compiled function",
            )
        tape = STATE.tape
        STATE.set(trace=None, tape=None, eager=STATE.eager)
        try:
            cell = kind(*arguments, **keywords)
        finally:
            STATE.set(trace=trace, tape=tape, eager=STATE.eager)
        if trace.is_python and next(iter(cell.get_parameters()), None) is not None:
            raise GraphBreak(
                f"each call makes a new {kind.__name__} with Parameters of its own",
                "Make it in __init__, or outside of the function",
            )
        return cell

    return make
