"""The compilation target: the function or Cell that is compiled, the function that is traced for it, and the eager
one."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ...compiler.options import Options
from ..control_flow import calls as control
from ..control_flow.conversion import converted_source, should_convert, template_of
from ..errors.classes import GraphBreak, SourceError
from ..state import CONTEXT, STATE
from ..values.cell import Cell

STRICT, COMPATIBLE, LAX = 0, 1, 2
"""Levels of `jit_syntax_level`: STRICT refuses what a graph cannot hold; the others run it eagerly with a warning."""


class Target:
    """A function or Cell to compile.

    Args:
        function: the function as the user wrote it.
        traced: the function that a trace runs.
        eager: the function that runs if there can be no graph.
        strict: whether code that a graph cannot hold is an error.
        options: how it is compiled.
        owned: whether the function is an object that has this one, which is then held weakly: both go with the last
            reference to the object.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        traced: Callable[..., Any] | None = None,
        eager: Callable[..., Any] | None = None,
        name: str | None = None,
        strict: bool = False,
        options: Options | None = None,
        owned: bool = False,
    ) -> None:
        self.owner: weakref.ref[Any] | None = weakref.ref(function) if owned else None
        self._function = None if owned else function
        self.name: str = name or getattr(function, "__name__", "") or type(function).__name__
        self.traced = traced
        self.eager = eager or (_weakly(function) if owned else function)
        self.strict = strict
        self.options = options

    @property
    def function(self) -> Any:
        """The function as the user wrote it."""
        return self._function if self.owner is None else self.owner()

    def with_function(
        self,
        function: Callable[..., Any],
        traced: Callable[..., Any] | None = None,
        eager: Callable[..., Any] | None = None,
    ) -> Target:
        """The target for another function, which it does not own, with the same name and options."""
        return Target(function, traced=traced, eager=eager, name=self.name, strict=self.strict, options=self.options)

    def call_traced(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run the function in the trace that is being recorded."""
        trace = STATE.trace
        outer = trace.is_python
        trace.is_python = outer and self.is_python()  # a gradient may be of a compiled function
        try:
            if self.traced is not None:
                return self.traced(*args, **kwargs)
            return control.call(self.function, *args, **kwargs)
        finally:
            trace.is_python = outer

    def is_strict(self) -> bool:
        """Whether code that a graph cannot hold is an error."""
        return self.strict or CONTEXT.settings.get("jit_syntax_level", LAX) == STRICT

    def is_python(self) -> bool:
        """Whether the function would otherwise run as plain Python.

        Gradients outside of graph mode are compiled only for speed: the differentiated function is plain Python.
        """
        return not (CONTEXT.graph_mode or self.traced is None or isinstance(self.function, Cell))

    def check_source(self) -> None:
        """Raise SourceError unless the text of the function, or of the Cell's construct, can be found and converted,
        TypeError if it is an async function, GraphBreak if it is a generator."""
        if self.traced is not None and not isinstance(self.function, Cell):
            return  # a gradient function, whose function may run without conversion
        function = self.python_function()
        if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(
                f"'{self.name}' is an async function, but a graph is computed without waiting: define it with 'def'"
            )
        if inspect.isgeneratorfunction(function):
            raise GraphBreak(
                f"{function.__name__} is a generator, which computes a value when it is asked for the next",
                "Return a list or a tuple in place of each 'yield'",
            )
        if isinstance(function, FunctionType) and should_convert(function):
            template_of(function)

    def converted(self) -> str:
        """The converted source of the function, or of the Cell's construct."""
        try:
            return converted_source(self.python_function())
        except SourceError as error:
            return f"# not converted: {error}"

    def python_function(self) -> Any:
        """The Python function without its wrappers."""
        function = self.innermost()
        while isinstance(function, Cell):
            function = _unwrapped(type(function).construct)
        return function

    def innermost(self) -> Any:
        """The function or Cell without its wrappers."""
        return _unwrapped(self.function)

    def argument_names(self, count: int) -> list[str]:
        """The names of the first positional arguments; `x0`, `x1`, for those without a name."""
        function = self.python_function()
        code = getattr(function, "__code__", None)
        known: list[str] = []
        if code is not None:
            known = list(code.co_varnames[: code.co_argcount])
            if isinstance(self.innermost(), Cell):
                known = known[1:]
        return [*known[:count], *[f"x{position}" for position in range(len(known), count)]]

    def first_line(self) -> str:
        """`file:line` of the function, if it has a file."""
        function = self.python_function()
        code = getattr(function, "__code__", None)
        return "" if code is None or code.co_filename.startswith("<") else f"{code.co_filename}:{code.co_firstlineno}"


def _unwrapped(function: Any) -> Any:
    """The function or Cell that an object wraps."""
    while not isinstance(function, Cell):
        inner = getattr(function, "function", None)
        if inner is None:
            break
        function = inner
    return function


def _weakly(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with a weak reference to its owner."""
    reference = weakref.ref(function)
    return lambda *args, **kwargs: reference()(*args, **kwargs)  # type: ignore[misc]
