"""Guards: conditions on the Python values that a trace has read, under which its graph may be used again."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from types import BuiltinFunctionType, CellType, ModuleType
from typing import Any

from .cell import Cell, Changes
from .tensor import Tensor

_MISSING = object()
_SCALARS = (bool, int, float, str, complex, bytes)


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
    return Identity(value)


class Identity:
    """Equal only to a fingerprint of the same object, which it keeps alive so that its id stays its own."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)

    def __repr__(self) -> str:
        return f"<{type(self.value).__name__} at {id(self.value):#x}>"


class Guard:
    """One value read: how to read it again, what to call it, and what it was."""

    __slots__ = ("by_identity", "expected", "name", "place", "read")

    def __init__(self, name: str, read: Callable[[], Any], value: Any, place: tuple[Any, Any] | None = None) -> None:
        self.name = name
        self.read = read
        self.place = place  # (dict, key) where it is simply that: emitted dispatch looks there itself
        # Most reads are of one object, for which identity is the cheapest test.
        self.by_identity = not isinstance(value, (*_SCALARS, list, tuple, dict, set))
        self.expected = value if self.by_identity else fingerprint(value)

    def holds(self) -> bool:
        """Whether the value is as it was."""
        value = self.read()
        return value is self.expected if self.by_identity else fingerprint(value) == self.expected

    def difference(self) -> str:
        """What has changed, for people."""
        value = self.read()
        now = "gone" if value is _MISSING else repr(value)
        return f"{self.name} is now {now if len(now) < 80 else now[:77] + '...'}"


class Guards:
    """The guards of one trace, one a place read.

    Attributes:
        cells: guards on attributes of Cells, which need a look only after some Cell has changed.
        others: guards on globals, closure variables and other objects.
    """

    def __init__(self) -> None:
        self.cells: dict[Any, Guard] = {}
        self.others: dict[Any, Guard] = {}
        self.written: set[Any] = set()
        self.seen = Changes.version
        self.instance: weakref.ref[Any] | None = None  # the object whose method is compiled: it is not to be kept alive

    def read_global(self, namespace: dict[str, Any], name: str) -> None:
        """Guard a module's global."""
        key = (id(namespace), name)
        if key in self.others or key in self.written or name not in namespace:
            return
        value = namespace[name]
        if isinstance(value, (ModuleType, BuiltinFunctionType)) or (isinstance(value, type) and _is_own(value)):
            return  # taken for constants
        if (getattr(value, "__module__", "") or "").startswith(_PACKAGE) and not isinstance(value, (Tensor, Cell)):
            return
        read = lambda: namespace.get(name, _MISSING)  # noqa: E731
        self.others[key] = Guard(f"global '{name}'", read, value, (namespace, name))

    def read_cell(self, cell: CellType, name: str) -> None:
        """Guard a variable of an enclosing function."""
        key = (id(cell), "cell")
        if key in self.others or key in self.written:
            return
        self.others[key] = Guard(
            f"variable '{name}' of the enclosing function", lambda: _contents(cell), _contents(cell)
        )

    def read_attribute(self, owner: Any, name: str, value: Any) -> None:
        """Guard an attribute that was read as `value`."""
        guards = self.cells if isinstance(owner, Cell) else self.others
        key = (id(owner), "." + name)
        if key in guards or key in self.written:
            return
        what = f"attribute '{name}' of {type(owner).__name__}"
        instance = self.instance
        if instance is not None and instance() is owner:
            guards[key] = Guard(what, lambda: getattr(instance(), name, _MISSING), value)
        else:
            guards[key] = Guard(what, lambda: getattr(owner, name, _MISSING), value)

    def wrote_attribute(self, owner: Any, name: str) -> None:
        """Reads from here on see what the trace wrote."""
        self.written.add((id(owner), "." + name))

    def visit(self, cell: Cell) -> None:
        """Guard everything of a Cell whose construct runs as it is, unconverted."""
        key = (id(cell), "*")
        if key not in self.cells:
            what = f"an attribute of {type(cell).__name__}"
            self.cells[key] = Guard(what, lambda: cell.__dict__.get("_changes"), cell.__dict__["_changes"])

    def visit_class(self, cell: Cell) -> None:
        """Guard the modes of a Cell whose construct is converted, so that its other attributes are guarded one by
        one."""
        self.read_attribute(cell, "_float_dtype", cell._float_dtype)
        self.read_attribute(cell, "_recompute", cell._recompute)
        hooks = cell._forward_pre_hooks, cell._forward_hooks, cell._backward_hooks, cell._backward_pre_hooks
        if (id(cell), "hooks") not in self.cells:

            def read() -> tuple[Any, ...]:
                return tuple(tuple(functions.values()) for functions in hooks)

            self.cells[id(cell), "hooks"] = Guard(f"a hook of {type(cell).__name__}", read, read())

    def read_hooks(self, tensor: Tensor) -> None:
        """Guard the hooks on a Parameter's gradient."""

        def read() -> tuple[Any, ...]:
            return tuple((tensor._gradient_hooks or {}).values())

        if (id(tensor), "hooks") not in self.cells:
            name = getattr(tensor, "name", "")
            self.cells[id(tensor), "hooks"] = Guard(f"a hook of Parameter '{name}'", read, read())

    def visit_method(self, cell: Cell) -> None:
        """Guard what a method of one of mycel's classes, which runs as it is, could read of its Cell."""
        if _is_own(type(cell)):
            self.visit(cell)
        elif (id(cell), "native") not in self.cells:
            what = f"an attribute of {type(cell).__name__}"
            owner = self.instance if self.instance is not None and self.instance() is cell else lambda: cell
            self.cells[id(cell), "native"] = Guard(what, lambda: _plain_attributes(owner()), _plain_attributes(cell))

    def read_value(self, key: Any, name: str, read: Callable[[], Any]) -> None:
        """Guard anything that `read` gives."""
        if key not in self.others:
            self.others[key] = Guard(name, read, read())

    def cells_hold(self) -> bool:
        """Whether the guards on Cells hold; remembers when they did."""
        version = Changes.version
        if self.seen == version:
            return True
        if all(guard.holds() for guard in self.cells.values()):
            self.seen = version
            return True
        return False

    def hold(self) -> bool:
        """Whether every guard holds."""
        return self.cells_hold() and all(guard.holds() for guard in self.others.values())

    def swaps(self) -> list[tuple[Guard, Tensor]]:
        """The guards that do not hold, with the tensors that are there now; empty unless all are attributes that hold
        another plain tensor of the same type in place of one that nothing else is known to hold."""
        found: list[tuple[Guard, Tensor]] = []
        kept: set[int] = set()
        for key, guard in (*self.cells.items(), *self.others.items()):
            if guard.holds():
                kept.add(id(guard.expected))
                continue
            old, new = guard.expected, guard.read()
            attribute = isinstance(key, tuple) and isinstance(key[-1], str) and key[-1].startswith(".")
            if not attribute or not (type(old) is type(new) is Tensor) or old._type != new._type:
                return []
            found.append((guard, new))
        olds, news = (
            {id(tensor) for tensor in some} for some in ([g.expected for g, _ in found], [t for _, t in found])
        )
        alone = len(olds) == len(news) == len(found) and not kept & (olds | news)
        return found if alone else []

    def differences(self) -> list[str]:
        """What has changed."""
        guards = [*self.cells.values(), *self.others.values()]
        return [guard.difference() for guard in guards if not guard.holds()]


_PACKAGE = __name__.split(".")[0] + "."


def _is_own(value: type) -> bool:
    return (value.__module__ or "").startswith((_PACKAGE, "builtins", "numpy"))


def _plain_attributes(cell: Any) -> tuple[Any, ...]:
    """The Parameters, Cells, numbers and strings of a Cell."""
    if cell is None:  # gone
        return ()
    found: list[Any] = [*cell._params.items(), *cell._cells.items()]
    found += [
        (name, value)
        for name, value in cell.__dict__.items()
        if (value is None or isinstance(value, (*_SCALARS, tuple))) and name not in Cell._OWN
    ]
    return tuple(found)


def _contents(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not bound yet
        return _MISSING
