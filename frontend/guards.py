"""Guards: conditions on the Python values that a trace has read, under which its graph may be used again."""

from __future__ import annotations

from collections.abc import Callable
from types import BuiltinFunctionType, CellType, ModuleType
from typing import Any

from .tensor import Tensor

_MISSING = object()


def fingerprint(value: Any) -> Any:
    """A value that changes when what a trace could have read of `value` changes.

    Numbers, strings and None by value; lists, tuples, sets and dicts by their items; everything else by identity.
    """
    kind = type(value)
    if value is None or kind in (bool, int, str, bytes):
        return (kind, value)
    if kind in (float, complex):
        return (kind, repr(value))
    if kind in (list, tuple):
        return (kind, *map(fingerprint, value))
    if kind is dict:
        return (dict, *[(fingerprint(key), fingerprint(item)) for key, item in value.items()])
    if kind in (set, frozenset):
        return (kind, frozenset(map(fingerprint, value)))
    return _Identity(value)


class _Identity:
    """Equal only to a fingerprint of the same object, which it keeps alive so that its id stays its own."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)

    def __repr__(self) -> str:
        return f"<{type(self.value).__name__} at {id(self.value):#x}>"


class Guard:
    """One value read: how to read it again, what to call it, and what it was."""

    __slots__ = ("expected", "name", "read", "simple")

    def __init__(self, name: str, read: Callable[[], Any], value: Any) -> None:
        self.name = name
        self.read = read
        # Most reads are of one object, for which identity is the cheapest test.
        self.simple = type(value) not in (list, dict, set, float, int, str, tuple, complex)
        self.expected = value if self.simple else fingerprint(value)

    def holds(self) -> bool:
        """Whether the value is as it was."""
        value = self.read()
        return value is self.expected if self.simple else fingerprint(value) == self.expected

    def difference(self) -> str:
        """What has changed, for people."""
        value = self.read()
        now = "gone" if value is _MISSING else repr(value)
        return f"{self.name} is now {now if len(now) < 80 else now[:77] + '...'}"


class Guards:
    """The guards of one trace, one a place read."""

    def __init__(self) -> None:
        self.items: dict[Any, Guard] = {}
        self.written: set[Any] = set()

    def read_global(self, namespace: dict[str, Any], name: str) -> None:
        """Guard a module's global."""
        key = (id(namespace), name)
        if key in self.items or name not in namespace:
            return
        value = namespace[name]
        if not _can_change(value):
            return
        self.items[key] = Guard(f"global '{name}'", lambda: namespace.get(name, _MISSING), value)

    def read_cell(self, cell: CellType, name: str) -> None:
        """Guard a variable of an enclosing function."""
        key = (id(cell), "cell")
        if key in self.items:
            return
        value = _contents(cell)
        self.items[key] = Guard(f"variable '{name}' of the enclosing function", lambda: _contents(cell), value)

    def read_attribute(self, owner: Any, name: str, value: Any) -> None:
        """Guard an attribute."""
        key = (id(owner), "." + name)
        if key in self.items or key in self.written:
            return
        self.items[key] = Guard(
            f"attribute '{name}' of {type(owner).__name__}", lambda: getattr(owner, name, _MISSING), value
        )

    def read_value(self, key: Any, name: str, read: Callable[[], Any]) -> None:
        """Guard anything that `read` gives."""
        if key not in self.items:
            self.items[key] = Guard(name, read, read())

    def hold(self) -> bool:
        """Whether every guard holds."""
        return all(guard.holds() for guard in self.items.values())

    def differences(self) -> list[str]:
        """What has changed."""
        return [guard.difference() for guard in self.items.values() if not guard.holds()]


def _contents(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not bound yet
        return _MISSING


def _can_change(value: Any) -> bool:
    """Whether a global is worth a guard: modules, classes and builtins are taken for constants."""
    return not isinstance(value, (ModuleType, type, BuiltinFunctionType)) or isinstance(value, Tensor)
