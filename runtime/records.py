"""Lazy dataclasses: `dataclass` as in the standard library, whose methods are made when the first object is.

Python writes the methods of a dataclass as text and compiles it, which takes half a millisecond. `import mycel` defines
dozens of these classes, of which most programs use a few.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(kind: Any = None, **options: bool) -> Any:
        """The decorator, with the options `frozen`, `eq` and `repr`. A class with `__slots__` is made at once."""
        return _deferred(kind, options) if kind is not None else lambda kind: _deferred(kind, options)


_LOCK = threading.RLock()
_FIELDS = "__dataclass_fields__"


class _Fields:
    """The fields of a class, in their place until someone asks for them."""

    def __init__(self, finish: Callable[[], None]) -> None:
        self.finish = finish

    def __get__(self, instance: Any, owner: Any) -> Any:
        self.finish()
        return getattr(owner, _FIELDS)


def _deferred(kind: Any, options: dict[str, bool]) -> Any:
    """The class with stand-ins for what the decorator of the standard library makes."""
    written = dict(vars(kind))
    if "__slots__" in written:
        return dataclasses.dataclass(**options)(kind)
    frozen, compared = options.get("frozen", False), options.get("eq", True)
    stand_ins: dict[str, Any] = {}

    def finish() -> None:
        with _LOCK:
            if isinstance(vars(kind)[_FIELDS], _Fields):
                _complete(kind, written, options, stand_ins)

    def stand_in(name: str) -> None:
        def method(self: Any, *args: Any, **named: Any) -> Any:
            finish()
            return getattr(kind, name)(self, *args, **named)

        if written.get(name) is None:
            method.__name__, method.__qualname__ = name, f"{kind.__qualname__}.{name}"
            stand_ins[name] = method
            setattr(kind, name, method)

    has_hash = written.get("__hash__") is not None
    stand_in("__init__")
    if options.get("repr", True):
        stand_in("__repr__")
    if compared:
        stand_in("__eq__")
    if compared and frozen:
        stand_in("__hash__")
    elif compared and not has_hash:
        kind.__hash__ = None
    if frozen:
        kind.__setattr__, kind.__delattr__ = _refusals(kind)
    setattr(kind, _FIELDS, _Fields(finish))
    return kind


def _complete(kind: Any, written: dict[str, Any], options: dict[str, bool], stand_ins: dict[str, Any]) -> None:
    """Give the class what the standard library makes for one with the same statements."""
    left_out = ("__dict__", "__weakref__")
    namespace = {name: value for name, value in written.items() if name not in left_out}
    namespace |= {"__annotations__": kind.__annotations__, "__qualname__": kind.__qualname__}
    made: Any = dataclasses.dataclass(**options)(type(kind.__name__, kind.__bases__, namespace))
    for name in kind.__annotations__:  # the defaults, which may be written as `field(...)`
        if name in vars(made):
            setattr(kind, name, vars(made)[name])
        elif name in vars(kind):
            delattr(kind, name)
    for name in ("__match_args__", "__dataclass_params__"):
        setattr(kind, name, vars(made)[name])
    setattr(kind, _FIELDS, vars(made)[_FIELDS])
    for name, stand_in in stand_ins.items():
        if vars(kind).get(name) is stand_in:
            setattr(kind, name, vars(made)[name])


def _refusals(kind: Any) -> tuple[Callable[..., None], Callable[..., None]]:
    """The methods that set and delete an attribute, of a class whose objects do not change."""

    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is kind or name in getattr(kind, _FIELDS):
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is kind or name in getattr(kind, _FIELDS):
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    return __setattr__, __delattr__
