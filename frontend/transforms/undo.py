"""Undo log: a gradient that follows a plain call of the same Cell does not repeat what the call has done.

Outside of graph mode a training step calls its network for the loss, and the gradient function runs it again. The two
are one computation: moving averages move once, and dropout leaves out the same elements. So a call of a Cell with
`set_grad()` notes the numbers of Parameters before it assigns to them. The gradient starts from these, and leaves
Parameters and random generator as it found them. Other Cells are not noted, as in MindSpore.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ...runtime import random
from ..state import STATE
from ..values.cell import Cell
from ..values.parameter import Parameter
from ..values.tensor import Tensor

KEPT = 4  # calls, for steps that call several Cells before they ask for gradients


class UndoLog:
    """What a call of a Cell has changed: the numbers of Parameters before it, and the random generator's state.

    Args:
        cell: the Cell.
        args: the positional arguments of the call.
    """

    def __init__(self, cell: Cell, args: tuple[Any, ...]) -> None:
        self.cell = weakref.ref(cell)
        self.args = [weakref.ref(arg) if isinstance(arg, Tensor) else arg for arg in args]
        self.before: dict[int, tuple[Parameter, np.ndarray]] = {}
        self.random = random.get_state()

    def note(self, parameter: Parameter) -> None:
        """Keep the numbers of a Parameter, which is assigned to after this, if it is the first time."""
        if id(parameter) not in self.before:
            self.before[id(parameter)] = parameter, parameter._data.copy()

    def fits(self, function: Any, args: tuple[Any, ...]) -> bool:
        """Whether it is about a call of this Cell on these objects."""
        return self.cell() is function and len(args) == len(self.args) and all(map(_is, self.args, args))

    def around(self, call: Callable[[], Any]) -> Any:
        """Make a call from the state before the noted one. It leaves no trace."""
        now = [(parameter, parameter._data.copy()) for parameter, _ in self.before.values()]
        state = random.get_state()
        try:
            random.set_state(self.random)
            for parameter, numbers in self.before.values():
                parameter.set_data(Tensor._wrap(numbers))
            return call()
        finally:
            random.set_state(state)
            for parameter, numbers in now:
                parameter.set_data(Tensor._wrap(numbers))


def _is(kept: Any, arg: Any) -> bool:
    if isinstance(kept, weakref.ref):
        return kept() is arg
    return kept is arg or (isinstance(arg, (bool, int, float, str)) and type(kept) is type(arg) and bool(kept == arg))


def noted(call: Callable[[], Any], cell: Cell, args: tuple[Any, ...]) -> Any:
    """Make a call of a Cell, with a log of it for a gradient that follows."""
    log = STATE.undo = UndoLog(cell, args)
    try:
        result = call()
    finally:
        STATE.undo = None
    if log.before or log.random != random.get_state():
        STATE.undone = [*(old for old in STATE.undone if not old.fits(cell, args)), log][-KEPT:]
    return result


def follows(function: Any, args: tuple[Any, ...]) -> UndoLog | None:
    """The log of the last call of a Cell on these arguments, which is forgotten."""
    for log in reversed(STATE.undone):
        if log.fits(function, args):
            STATE.undone = [other for other in STATE.undone if other is not log]
            return log
    return None
