"""Introspection: methods with which users inspect a compiled function, for objects that hold one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ParamSpec, Protocol

from .compiled import CompiledFunction
from .explanation import Explanation

if TYPE_CHECKING:
    from .profile import Profile
    from .stages import Stages

_P = ParamSpec("_P")


class Inspected(Protocol[_P]):
    """The methods of `Inspectable` for type checkers, with the arguments of the function."""

    def stages(self, *args: _P.args, **kwargs: _P.kwargs) -> Stages:
        """All stages, from the converted source to the program, for these arguments."""
        ...

    def profile(self, *args: Any, **kwargs: Any) -> Profile:
        """How long each line takes, for these arguments."""
        ...

    def compile(self, *args: _P.args, **kwargs: _P.kwargs) -> None:
        """Trace and compile for these arguments, without a run."""
        ...

    def explain(self) -> Explanation:
        """Every trace of the function, and why it was made."""
        ...


class Inspectable:
    """Base of functions that are made from functions and hold a compiled function.

    Attributes:
        name: its name in errors and graphs.
    """

    name: str
    _compiled: CompiledFunction

    def stages(self, *args: Any, **kwargs: Any) -> Stages:
        """All stages for these arguments, without a run: forward, backward, joint and optimised graph, plan and
        program."""
        return self._compiled.stages(*args, **kwargs)

    def profile(self, *args: Any, **kwargs: Any) -> Profile:
        """The time of each node for these arguments; see `profile` of a function under `jit`."""
        return self._compiled.profile(*args, **kwargs)

    def explain(self) -> Explanation:
        """Every trace made so far, and why."""
        return self._compiled.explain()

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Trace and compile for these arguments, without running."""
        self._compiled.compile(*args, **kwargs)
