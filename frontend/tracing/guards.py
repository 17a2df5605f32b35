"""Guards: conditions on the Python values that a trace has read. While they hold, its graph may be used again."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from types import BuiltinFunctionType, CellType, FunctionType, MethodType, ModuleType
from typing import Any

from ..values.cell import Cell
from ..values.cell_hooks import Changes
from ..values.tensor import Tensor
from .snapshots import changes_inside, contents, snapshot

MISSING = object()
_NO_SCALAR = object()
_SCALARS = (bool, int, float, str, complex, bytes)


class Guard:
    """One value that was read: how to read it again, its name, and its value then."""

    __slots__ = ("by_identity", "contents", "expected", "name", "read", "scalar", "slot")

    def __init__(
        self, name: str, read: Callable[[], Any], value: Any, slot: tuple[Any, Any] | None = None,
        changes: bool | None = None,
    ) -> None:  # fmt: skip
        self.name = name
        self.read = read
        self.slot = slot  # (dict, key) or (object, attribute) where it is simply that: dispatch looks there itself
        is_scalar = isinstance(value, _SCALARS)
        # Most reads are of one object, for which identity is the cheapest test.
        self.by_identity = not is_scalar and not (changes_inside(value) if changes is None else changes)
        self.expected = value if self.by_identity else snapshot(value)
        self.scalar = value if is_scalar else _NO_SCALAR  # the same object is the same number
        # Lists and dicts of numbers and the like are the same as long as their items are the same objects.
        self.contents = None if is_scalar or self.by_identity else contents(value)

    @property
    def has_scalar(self) -> bool:
        """Whether the value is a number or a string."""
        return self.scalar is not _NO_SCALAR

    def holds(self) -> bool:
        """Whether the value is unchanged."""
        value = self.read()
        if self.by_identity:
            return value is self.expected
        if value is self.scalar:
            return True
        if self.contents is not None and self.contents.same_in(value):
            return True
        return bool(snapshot(value) == self.expected)

    def difference(self) -> str:
        """The change, as text for people."""
        value = self.read()
        now = "gone" if value is MISSING else repr(value)
        return f"{self.name} is now {now if len(now) < 80 else now[:77] + '...'}"


class Guards:
    """The guards of one trace, one for each value that was read.

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
        self._walked(value)
        read = lambda: namespace.get(name, MISSING)  # noqa: E731
        self.others[key] = Guard(f"global '{name}'", read, value, (namespace, name))

    def read_cell(self, cell: CellType, name: str) -> None:
        """Guard a variable of an enclosing function."""
        key = (id(cell), "cell")
        if key in self.others or key in self.written:
            return
        self._walked(_contents(cell))
        what, slot = f"variable '{name}' of the enclosing function", (cell, "cell_contents")
        self.others[key] = Guard(what, lambda: _contents(cell), _contents(cell), slot)

    def read_attribute(self, owner: Any, name: str, value: Any) -> None:
        """Guard an attribute that was read as `value`."""
        # no Cell notes changes inside of a value, or on a class
        changes = changes_inside(value)
        noted = not changes and isinstance(owner, Cell) and not _is_of_class(owner, name, value)
        guards = self.cells if noted else self.others
        key = (id(owner), "." + name)
        if key in guards or key in self.written:
            return
        self._walked(value)
        get = self._holder(owner)
        what = f"attribute '{name}' of {type(owner).__name__}"
        guards[key] = Guard(what, lambda: getattr(get(), name, MISSING), value, changes=changes)

    def _walked(self, value: Any) -> None:
        """Guard the state of a container of Cells, which may be walked through without being called."""
        if isinstance(value, Cell) and _is_own(type(value)):
            self.visit(value)

    def _holder(self, owner: Any) -> Callable[[], Any]:
        """A function that returns an object, or None after its deletion. The owner of the graphs is held weakly."""
        instance = self.instance
        return instance if instance is not None and instance() is owner else lambda: owner

    def read_method(self, owner: Any, name: str, value: MethodType) -> None:
        """Guard a method: the class attribute, and that the object has no attribute of this name."""
        kind: Any = getattr(owner, "__self_class__", None) if isinstance(owner, super) else type(owner)
        function = value.__func__
        if not isinstance(function, FunctionType) or _is_own(function):
            return
        if isinstance(owner, super):
            below: Any = getattr(owner, "__thisclass__")  # noqa: B009 what mypy does not know of super
            above = super(below, kind)  # does not hold the object, unlike `owner`
            self.read_value((kind, below, name), f"method '{name}'", lambda: _function(above, name))
        elif isinstance(owner, type):
            self.read_value((owner, name), f"method '{name}'", lambda: _function(owner, name))
        else:
            own = getattr(owner, "__dict__", None)
            present = None if own is None else own.get(name)
            if present is None:
                self.read_class(owner, name)
            if own is not None:  # one of the object's own would come first
                group = self.cells if isinstance(owner, Cell) else self.others
                if (id(owner), "." + name) not in group:
                    what, get = f"method '{name}' of an object of {kind.__name__}", self._holder(owner)
                    where = None if get is self.instance else (own, name)
                    read = lambda: getattr(get(), "__dict__", {}).get(name)  # noqa: E731
                    group[id(owner), "." + name] = Guard(what, read, present, where)

    def read_class(self, owner: Any, name: str) -> None:
        """Guard which class an object is of, and a method or property of that class."""
        kind = type(owner)
        if (kind, name) not in self.others:
            found = getattr(kind, name, None)
            slot = (kind, name) if isinstance(found, (FunctionType, property)) else None
            what = f"{'property' if isinstance(found, property) else 'method'} '{name}' of {kind.__name__}"
            self.others[kind, name] = Guard(what, lambda: _function(kind, name), _function(kind, name), slot)
        group = self.cells if isinstance(owner, Cell) else self.others
        if (id(owner), "class") not in group:
            get = self._holder(owner)
            slot = (owner, "__class__") if get is not self.instance else None
            what = f"the class of an object of {kind.__name__}"
            group[id(owner), "class"] = Guard(what, lambda: type(get()), kind, slot)

    def read_function(self, function: FunctionType) -> None:
        """Guard a function's code and defaults."""
        key = (id(function), "code")
        if key in self.others:
            return
        name = f"function '{function.__name__}'"
        self.others[key] = Guard(
            f"the code of {name}", lambda: function.__code__, function.__code__, (function, "__code__")
        )
        if function.__defaults__:
            slot = (function, "__defaults__")
            guard = Guard(f"a default of {name}", lambda: function.__defaults__, function.__defaults__, slot)
            if not any(map(changes_inside, function.__defaults__)):
                guard.by_identity, guard.expected = True, function.__defaults__  # a tuple of immutable values
            self.others[id(function), "defaults"] = guard
        if function.__kwdefaults__:
            self.read_value((id(function), "keywords"), f"a default of {name}", lambda: function.__kwdefaults__)

    def wrote_attribute(self, owner: Any, name: str) -> None:
        """Store that the trace wrote an attribute: later reads see the new value."""
        self.written.add((id(owner), "." + name))

    def visit(self, cell: Cell) -> None:
        """Guard the whole state of a Cell whose construct is not converted."""
        key = (id(cell), "*")
        if key not in self.cells:
            what, get = f"an attribute of {type(cell).__name__}", self._holder(cell)
            read = lambda: getattr(get(), "__dict__", {}).get("_changes")  # noqa: E731
            self.cells[key] = Guard(what, read, cell.__dict__["_changes"])

    def visit_class(self, cell: Cell) -> None:
        """Guard the modes of a Cell whose construct is converted. Its other attributes are guarded one by one."""
        self.read_class(cell, "construct")
        self.read_attribute(cell, "_float_dtype", cell._float_dtype)
        self.read_attribute(cell, "_recompute", cell._recompute)
        hooks = cell._forward_pre_hooks, cell._forward_hooks, cell._backward_hooks, cell._backward_pre_hooks
        if (id(cell), "hooks") not in self.cells:

            def read() -> tuple[Any, ...] | None:  # mostly there are none
                return tuple([tuple(functions.values()) for functions in hooks]) if any(hooks) else None

            self.cells[id(cell), "hooks"] = Guard(f"a hook of {type(cell).__name__}", read, read())

    def read_hooks(self, tensor: Tensor) -> None:
        """Guard the hooks on a Parameter's gradient."""

        def read() -> tuple[Any, ...]:
            return tuple((tensor._gradient_hooks or {}).values())

        if (id(tensor), "hooks") not in self.cells:
            name = getattr(tensor, "name", "")
            self.cells[id(tensor), "hooks"] = Guard(f"a hook of Parameter '{name}'", read, read())

    def visit_method(self, cell: Cell) -> None:
        """Guard the state of a Cell that a native method of one of mycel's classes could read."""
        if _is_own(type(cell)):
            self.visit(cell)
        elif (id(cell), "native") not in self.cells:
            what = f"an attribute of {type(cell).__name__}"
            get = self._holder(cell)
            self.cells[id(cell), "native"] = Guard(what, lambda: _plain_attributes(get()), _plain_attributes(cell))

    def read_value(self, key: Any, name: str, read: Callable[[], Any], before: Any = None) -> None:
        """Guard the result of `read`, or the one that there was before a change."""
        if key not in self.others or before is not None:
            self.others[key] = Guard(name, read, read() if before is None else before)

    def cells_hold(self) -> bool:
        """Whether the guards on Cells hold. Stores when they were last checked."""
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
        """The guards that do not hold, with the current tensors. Empty unless all are attributes that hold another
        plain tensor of the same type, and nothing else is known to hold the old one."""
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
        """All changes, as text for people."""
        guards = [*self.cells.values(), *self.others.values()]
        return [guard.difference() for guard in guards if not guard.holds()]


_PACKAGE = __name__.split(".")[0] + "."


def _is_of_class(owner: Cell, name: str, value: Any) -> bool:
    """Whether an attribute is a value of the user's class, or a simple one that its `__getattr__` gives or refuses, and
    the object has none of its own."""
    if name in owner.__dict__:
        return False
    kinds = type(owner).__mro__
    base = next((base for base in kinds if name in base.__dict__), None)
    if base is None:
        simple = value is MISSING or value is None or isinstance(value, _SCALARS)
        giver = next((base for base in kinds if "__getattr__" in base.__dict__), Cell)  # a weak proxy's class has none
        return simple and not _is_own(giver)
    return not _is_own(base) and not hasattr(type(base.__dict__[name]), "__get__")


def _function(owner: Any, name: str) -> Any:
    """The function that a class has by a name."""
    found = getattr(owner, name, None)
    return getattr(found, "__func__", found)


def _is_own(value: Any) -> bool:
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
        return MISSING
