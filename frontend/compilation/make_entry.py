"""Compile or fall back: an entry is traced and compiled; a function that cannot be a graph runs eagerly."""

from __future__ import annotations

import warnings
from typing import Any

from ..errors import out_of_memory
from ..errors.classes import (
    FallbackWarning,
    GraphBreak,
    GraphError,
    JoinBreak,
    MemoryLimitError,
    NoSourceError,
    NumbersBreak,
    NumbersError,
    OutOfMemoryError,
)
from ..errors.user_files import innermost_user_frame, user_level
from ..source.functions import forget_trees
from ..state import STATE
from ..tracing.guards import Guards
from ..values.cell import Cell
from ..values.cell_inputs import check_arguments
from .blame import blame
from .entry import Entry
from .target import Target
from .trace_call import CallTracer, Finish


class EntryMaker:
    """Makes the entries of a target. `finish` makes an entry of a finished trace."""

    def __init__(self, target: Target, finish: Finish) -> None:
        self.target = target
        self.tracer = CallTracer(target, finish)

    def make(self, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Entry:
        """The entry for arguments of a signature.

        Raises:
            GraphError: for a strict target that cannot be a graph. Errors of the traced code name the user's line.
        """
        target = self.target
        if isinstance(target.function, Cell):
            check_arguments(target.function, args, kwargs)
        try:
            target.check_source()
            return self.tracer.entry(key, args, kwargs)
        except GraphBreak as problem:
            if isinstance(problem, JoinBreak) and target.is_strict():
                raise blame(TypeError(str(problem)).with_traceback(problem.__traceback__)) from None
            return fall_back(target, key, problem)
        except NoSourceError as problem:
            if target.is_strict():
                raise
            return fall_back(target, key, GraphBreak(str(problem)))
        except Exception as error:
            told: Exception = error
            if isinstance(error, MemoryError) and not isinstance(error, (MemoryLimitError, OutOfMemoryError)):
                told = out_of_memory.of_program(error, target.name, None, []).with_traceback(error.__traceback__)
            told = blame(told)
            if told is error:
                raise
            raise told from error.__cause__
        finally:
            if STATE.trace is None:
                forget_trees()


def fall_back(target: Target, key: Any, problem: GraphBreak) -> Entry:
    """An entry that runs eagerly, with a warning; an error for a strict target."""
    where = _user_line(problem) or target.first_line()
    place = f"{where}: " if where else ""
    if target.is_strict():
        kind = NumbersError if isinstance(problem, NumbersBreak) else GraphError
        raise kind(f"{place}'{target.name}' cannot be compiled to a graph: {problem}") from problem
    warnings.warn(
        f"{place}'{target.name}' runs eagerly, without a graph: {problem}", FallbackWarning, stacklevel=user_level()
    )
    return Entry(key, Guards(), eager=problem.reason)


def _user_line(problem: BaseException) -> str:
    """`file:line` of the innermost user's frame in the traceback."""
    frame = innermost_user_frame(problem)
    return "" if frame is None else f"{frame.filename}:{frame.lineno}"
