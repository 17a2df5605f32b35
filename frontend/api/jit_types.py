"""Protocols for type checkers and IDEs: the types of functions under `jit`.

At run time such a function is a `CompiledFunction`; no object of these classes exists. They keep the function's
signature, for calls and for `stages`, and bind methods.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, overload

from ..compilation.inspection import Inspected
from ..values.cell import Cell

_P = ParamSpec("_P")
_Q = ParamSpec("_Q")
_R = TypeVar("_R")
_R_co = TypeVar("_R_co", covariant=True)
_Self = TypeVar("_Self")
_Cell = TypeVar("_Cell", bound=Cell)


class Nobody:
    """An unused class: only a function whose first parameter has no type accepts it."""


class JitFunction(Inspected[_P], Protocol[_P, _R_co]):
    """A compiled function: it is called as the original, and its stages can be inspected."""

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R_co: ...
    def clear(self) -> None:
        """Delete all programs."""
        ...

    @property
    def function(self) -> Any:
        """The function as it was written."""
        ...

    @overload
    def __get__(
        self: JitFunction[Concatenate[_Self, _Q], _R], instance: None, owner: Any = None
    ) -> JitFunction[Concatenate[_Self, _Q], _R]: ...
    @overload
    def __get__(
        self: JitFunction[Concatenate[_Self, _Q], _R], instance: _Self, owner: Any = None
    ) -> JitFunction[_Q, _R]: ...


class JitDecorator(Protocol):
    """The result of `jit(...)` without a function."""

    # The order is that of jit's own overloads, which say why.
    @overload
    def __call__(self, function: Callable[Concatenate[Nobody, _Q], _R], /) -> JitFunction[..., _R]: ...
    @overload
    def __call__(self, function: Callable[Concatenate[_Cell, _P], _R], /) -> Callable[Concatenate[_Cell, _P], _R]: ...
    @overload
    def __call__(self, function: Callable[_P, _R], /) -> JitFunction[_P, _R]: ...
