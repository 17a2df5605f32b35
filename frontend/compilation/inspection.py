"""Introspection: the methods by which users look into a compiled function, for objects that hold one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .compiled import CompiledFunction
from .explanation import Explanation
from .stages import Stages

if TYPE_CHECKING:
    from .profile import Profile


class Inspectable:
    """Base of functions made from functions, which hold a compiled function.

    Attributes:
        name: what errors and graphs call it.
    """

    name: str
    _compiled: CompiledFunction

    def stages(self, *args: Any, **kwargs: Any) -> Stages:
        """Forward, backward, joint and optimised graph, plan and program for these arguments, which are not run."""
        return self._compiled.stages(*args, **kwargs)

    def profile(self, *args: Any, **kwargs: Any) -> Profile:
        """Where the time goes at these arguments, node by node; see the `profile` of `jit`'s functions."""
        return self._compiled.profile(*args, **kwargs)

    def explain(self) -> Explanation:
        """Every trace made so far, and why."""
        return self._compiled.explain()

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Trace and compile for these arguments, without running."""
        self._compiled.compile(*args, **kwargs)
