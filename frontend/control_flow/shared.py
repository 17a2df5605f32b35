"""Shared variables: `nonlocal` and `global` names that a call in a branch or loop body may rebind.

The text of the branch shows the call, but not the names that it rebinds. So the variables themselves are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .state import Variables, read_variable, write_variable

Key = tuple[int, str]  # of a cell or of a module's globals, and the name
Variable = tuple[Any, str, Any]  # the cell or the globals, the name, a value


class SharedRegion:
    """One run of a branch or of a loop body.

    Attributes:
        before: the variables that there were before it, with their values then.
        born: the variables of calls that began inside.
    """

    def __init__(self, before: dict[Key, Variable]) -> None:
        self.before = before
        self.born: dict[Key, tuple[Any, str]] = {}

    def changes(self, explicit: Variables) -> dict[Key, Variable]:
        """The variables with a new value, and that value, without those that the branch or loop itself names."""
        found = {}
        for key, (holder, name, before) in self.before.items():
            value = read_variable(holder, name)
            if value is not before and not explicit.has(holder, name):
                found[key] = holder, name, value
        return found


class SharedVariables:
    """The variables that functions of the user may rebind for others, as far as a trace has met them."""

    def __init__(self) -> None:
        self.known: dict[Key, tuple[Any, str]] = {}
        self.regions: list[SharedRegion] = []

    def found(self, holder: Any, name: str, value: Any) -> None:
        """A variable that existed before the trace, and that traced code has not changed yet."""
        key = id(holder), name
        if key not in self.known:
            self.known[key] = holder, name
            for region in self.regions:
                region.before[key] = holder, name, value

    def owns(self, names: Callable[[], Any]) -> None:
        """A call has begun whose inner functions may rebind the names that a function reads."""
        for name, cell in zip(names.__code__.co_freevars, names.__closure__ or (), strict=True):
            self._own((id(cell), name), (cell, name))

    def _own(self, key: Key, variable: tuple[Any, str]) -> None:
        self.known[key] = variable
        if self.regions:
            self.regions[-1].born[key] = variable

    def resume(self, born: dict[Key, tuple[Any, str]]) -> None:
        """A branch with these variables continues."""
        for key, variable in born.items():
            self._own(key, variable)

    def begin(self) -> SharedRegion:
        """Enter a branch or a loop body."""
        region = SharedRegion(
            {key: (holder, name, read_variable(holder, name)) for key, (holder, name) in self.known.items()},
        )
        self.regions.append(region)
        return region

    def end(self) -> None:
        """Leave it: the variables are restored, and its own ones dropped."""
        region = self.regions.pop()
        for holder, name, value in region.before.values():
            if read_variable(holder, name) is not value:
                write_variable(holder, name, value)
        for key in region.born:
            self.known.pop(key, None)
