"""Lazy dataclasses: `dataclass` as in the standard library, whose methods are made when the first object is; and
`NamedTuple` as there, without compiling.

Python writes the methods of a dataclass as text and compiles it, which takes half a millisecond, for a named tuple a
tenth. `import mycel` defines dozens of these classes, of which most programs use a few.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import threading
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from reprlib import recursive_repr
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from functools import cached_property as cached_property
    from typing import NamedTuple as NamedTuple
else:

    def dataclass(kind: Any = None, **options: bool) -> Any:
        """The decorator, with the options `frozen`, `eq` and `repr`. A class with `__slots__` is made at once."""
        return _deferred(kind, options) if kind is not None else lambda kind: _deferred(kind, options)

    class cached_property:
        """`functools.cached_property` as it is since Python 3.12: before, it takes a lock for each first value."""

        def __init__(self, function: Callable[[Any], Any]) -> None:
            self.function = function
            self.__doc__ = function.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            found = self.function(instance)
            # By way of `__dict__`, Python would then read all attributes of the object three times as slowly.
            _store(instance, self.name, found)
            return found

    _store = object.__setattr__

    class _NamedTuple(type):
        def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> type:
            """The class of tuples for a class statement."""
            # From Python 3.14 on a function has the annotations of a module that does not import them from __future__.
            late = space.get("__annotate_func__")
            fields = tuple(late(1) if late else space.get("__annotations__", ()))
            defaults = {name: space.pop(name) for name in fields if name in space}
            new = FunctionType(_code_of_new(fields), globals(), "__new__", tuple(defaults.values()))
            new.__qualname__ = f"{space['__qualname__']}.__new__"
            item = collections._tuplegetter
            space |= {name: item(position, f"Field {position}") for position, name in enumerate(fields)}
            space |= {"__slots__": (), "__new__": new, "__match_args__": fields, "_fields": fields}
            return type(name, (_Tuple,), space | {"_field_defaults": defaults})

    NamedTuple = type.__new__(_NamedTuple, "NamedTuple", (), {})


class _Tuple(tuple[Any, ...]):
    """The methods of all named tuples."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()

    @classmethod
    def _make(cls, values: Iterable[Any]) -> Any:
        made = _new(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
        return made

    def _replace(self, **changes: Any) -> Any:
        made = _new(self.__class__, map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"Got unexpected field names: {list(changes)}")
        return made

    __replace__ = _replace  # of `copy.replace`, since Python 3.13

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{self.__class__.__name__}({values})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


_new: Any = tuple.__new__
_NEW: tuple[Callable[..., Any], ...] = (
    lambda cls: _new(cls, ()),
    lambda cls, a: _new(cls, (a,)),
    lambda cls, a, b: _new(cls, (a, b)),
    lambda cls, a, b, c: _new(cls, (a, b, c)),
    lambda cls, a, b, c, d: _new(cls, (a, b, c, d)),
    lambda cls, a, b, c, d, e: _new(cls, (a, b, c, d, e)),
    lambda cls, a, b, c, d, e, f: _new(cls, (a, b, c, d, e, f)),
    lambda cls, a, b, c, d, e, f, g: _new(cls, (a, b, c, d, e, f, g)),
    lambda cls, a, b, c, d, e, f, g, h: _new(cls, (a, b, c, d, e, f, g, h)),
)


def _code_of_new(fields: tuple[str, ...]) -> CodeType:
    """The code that makes a named tuple: that of one with as many fields, with other names."""
    if len(fields) < len(_NEW):
        code: CodeType = _NEW[len(fields)].__code__
    else:
        code = eval(f"lambda cls, {', '.join(fields)}: _new(cls, ({', '.join(fields)}))").__code__
    return code.replace(co_name="__new__", co_varnames=("_cls", *fields))


_LOCK = threading.RLock()
_FIELDS = "__dataclass_fields__"


class _Late:
    """What describes the fields of a class, in its place until someone asks for it."""

    def __init__(self, name: str, finish: Callable[[], None]) -> None:
        self.name = name
        self.finish = finish

    def __get__(self, instance: Any, owner: Any) -> Any:
        self.finish()
        return getattr(owner, self.name)


def _deferred(kind: Any, options: dict[str, bool]) -> Any:
    """The class with stand-ins for what the decorator of the standard library makes."""
    written = dict(vars(kind))
    if "__slots__" in written:
        return _with_slots(kind, options)
    frozen, compared = options.get("frozen", False), options.get("eq", True)
    stand_ins: dict[str, Any] = {}

    def finish() -> None:
        with _LOCK:
            if isinstance(vars(kind)[_FIELDS], _Late):
                _complete(kind, written, options, stand_ins)

    def begin() -> None:
        with _LOCK:
            if vars(kind).get("__init__") is not stand_ins.get("__init__"):
                return
            fields = _own_fields(kind, written)
            if fields is None:
                finish()
                return
            for name, given in written.items():
                if isinstance(given, dataclasses.Field):
                    _set_default(kind, name, given.default)
            kind.__init__ = (_init if _is_plain(fields) else _first_init)(kind, fields, frozen)

    def stand_in(name: str, make: Callable[[], None] = finish) -> None:
        def method(self: Any, *args: Any, **named: Any) -> Any:
            make()
            return getattr(kind, name)(self, *args, **named)

        if written.get(name) is None:
            method.__name__, method.__qualname__ = name, f"{kind.__qualname__}.{name}"
            stand_ins[name] = method
            setattr(kind, name, method)

    has_hash = written.get("__hash__") is not None
    stand_in("__init__", begin)
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
    for name in (_FIELDS, "__match_args__"):
        setattr(kind, name, _Late(name, finish))
    kind.__replace__ = dataclasses.replace  # of `copy.replace`, since Python 3.13
    return kind


def _with_slots(kind: Any, options: dict[str, bool]) -> Any:
    """The class of the standard library. That it is frozen is left to type checkers: objects that refuse changes take
    twice as long to make."""
    if options.get("frozen", False):
        options = {**options, "frozen": False, "unsafe_hash": options.get("eq", True)}
    return dataclasses.dataclass(**options)(kind)


def _own_fields(kind: Any, written: dict[str, Any]) -> list[Any] | None:
    """The fields for `__init__`, which is all that the first object needs, in a tenth of the standard library's time.
    None for a class whose fields only that understands: one that inherits, or has variables that are no fields."""
    if any(_FIELDS in vars(base) for base in kind.__mro__[1:]):
        return None
    fields = []
    for name, type in kind.__annotations__.items():
        if not isinstance(type, str) or any(word in type for word in ("ClassVar", "InitVar", "KW_ONLY")):
            return None
        given = written.get(name, dataclasses.MISSING)
        one: Any = given if isinstance(given, dataclasses.Field) else dataclasses.field(default=given)
        one.name, one.type = name, type
        if not one.init and (one.default is not dataclasses.MISSING or one.default_factory is not dataclasses.MISSING):
            return None
        if one.kw_only is dataclasses.MISSING:
            one.kw_only = False
        fields.append(one)
    return fields


def _complete(kind: Any, written: dict[str, Any], options: dict[str, bool], stand_ins: dict[str, Any]) -> None:
    """Give the class what the standard library makes for one with the same statements.

    That finds the fields. The methods are written here, for it would compile each of them alone.
    """
    left_out = ("__dict__", "__weakref__")
    namespace = {name: value for name, value in written.items() if name not in left_out}
    namespace |= {"__annotations__": kind.__annotations__, "__qualname__": kind.__qualname__}
    inherits = any(_FIELDS in vars(base) for base in kind.__mro__[1:])  # then it checks that all or none are frozen
    plain = dataclasses.dataclass(init=False, repr=False, eq=False, frozen=inherits and options.get("frozen", False))
    made: Any = plain(type(kind.__name__, kind.__bases__, namespace))
    for name in kind.__annotations__:  # the defaults, which may be written as `field(...)`
        _set_default(kind, name, vars(made).get(name, dataclasses.MISSING))
    parameters = vars(made)["__dataclass_params__"]
    for name, value in {"init": True, "repr": True, "eq": True, **options}.items():
        setattr(parameters, name, value)
    for name in ("__dataclass_params__", "__match_args__", _FIELDS):
        setattr(kind, name, vars(made)[name])
    fields = dataclasses.fields(made)
    for name, stand_in in stand_ins.items():
        if vars(kind).get(name) is stand_in:
            make = _WRITERS.get(name)
            method = make(kind, fields) if make else _init(kind, fields, options.get("frozen", False))
            method.__name__, method.__qualname__ = name, f"{kind.__qualname__}.{name}"
            setattr(kind, name, method)


def _set_default(kind: Any, name: str, default: Any) -> None:
    """Give the class the default of a field as an attribute, or none."""
    if default is not dataclasses.MISSING:
        setattr(kind, name, default)
    elif name in vars(kind):
        delattr(kind, name)


FEW_OBJECTS = 64
"""How many objects of a class with default factories are made without a compiled method. To compile one takes as long
as to make these objects; most such classes have fewer."""


def _is_plain(fields: Sequence[Any]) -> bool:
    """Whether all fields are arguments, in order."""
    return all(one.init and not one.kw_only and one.default_factory is dataclasses.MISSING for one in fields)


def _first_init(kind: Any, fields: Sequence[Any], frozen: bool) -> Any:
    """The method that sets all fields of the first objects. Then, or for wrong arguments, `_init` replaces it."""
    order = [one.name for one in fields if one.init and not one.kw_only]
    allowed = {one.name for one in fields if one.init}
    needed = {one.name for one in fields if one.init and one.default is one.default_factory is dataclasses.MISSING}
    after, left = hasattr(kind, "__post_init__"), [FEW_OBJECTS]
    factories = {one.name: one.default_factory for one in fields if one.default_factory is not dataclasses.MISSING}
    blank = {one.name: one.default for one in fields if one.init or one.name in factories}  # in order

    def method(self: Any, *args: Any, **named: Any) -> None:
        given = {**dict(zip(order, args, strict=False)), **named}
        fits = len(given) == len(args) + len(named) and needed <= given.keys() <= allowed
        if not fits or left[0] < 1:  # several threads may count below 0
            kind.__init__ = _init(kind, fields, frozen)
            kind.__init__(self, *args, **named)
            return
        left[0] -= 1
        values = {**blank, **given}
        for name, make in factories.items():
            if name not in given:
                values[name] = make()
        for name, value in values.items():
            _set(self, name, value)
        if after:
            self.__post_init__()

    return _as_init(kind, method, fields)


_set = object.__setattr__


def _init(kind: Any, fields: Sequence[Any], frozen: bool) -> Any:
    """The method that sets all fields."""
    # A debugger knows by the name of the module that the code is the package's.
    known: dict[str, Any] = {"__name__": kind.__module__, "set_": object.__setattr__, "MADE": _MADE}
    after = hasattr(kind, "__post_init__")
    if _is_plain(fields):
        names = [one.name for one in fields]
        defaults = tuple([one.default for one in fields if one.default is not dataclasses.MISSING])
        found = FunctionType(_code_of_init(names, frozen, after), known, "__init__", defaults)
        return _as_init(kind, found, fields)
    lines, arguments = [], []
    for one in sorted(fields, key=lambda one: one.kw_only):
        value = one.name
        if one.default_factory is not dataclasses.MISSING:
            known[f"make_{one.name}"] = one.default_factory
            value = f"make_{one.name}() if {one.name} is MADE else {one.name}" if one.init else f"make_{one.name}()"
        if one.init:
            if one.kw_only and "*" not in arguments:
                arguments.append("*")
            default: Any = _MADE if one.default_factory is not dataclasses.MISSING else one.default
            known[f"default_{one.name}"] = default
            arguments.append(one.name if default is dataclasses.MISSING else f"{one.name}=default_{one.name}")
        elif one.default_factory is dataclasses.MISSING:
            continue
        lines.append(f"fields[{one.name!r}] = {value}" if frozen else f"self.{one.name} = {value}")
    if frozen:
        lines.insert(0, "fields = self.__dict__")  # a fifth of the time of `object.__setattr__`
    if after:
        lines.append("self.__post_init__()")
    exec(f"def __init__(self, {', '.join(arguments)}):\n    " + ("\n    ".join(lines) or "pass"), known)
    return _as_init(kind, known["__init__"], fields)


def _as_init(kind: Any, found: Any, fields: Sequence[Any]) -> Any:
    found.__module__, found.__qualname__ = kind.__module__, f"{kind.__qualname__}.__init__"
    found.__annotations__ = {one.name: one.type for one in fields if one.init} | {"return": None}
    return found


def _code_of_init(names: Sequence[str], frozen: bool, after: bool) -> CodeType:
    """The code of a method that sets all fields to its arguments: that for as many fields, with other names."""
    code = _code_for_fields(len(names), frozen, after)
    new = {f"field{number}": name for number, name in enumerate(names)}

    def named(old: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple([new.get(value, value) for value in old])

    constants = named(code.co_consts) if frozen else code.co_consts
    return code.replace(co_varnames=named(code.co_varnames), co_names=named(code.co_names), co_consts=constants)


@functools.cache
def _code_for_fields(count: int, frozen: bool, after: bool) -> CodeType:
    fields = [f"field{number}" for number in range(count)]
    lines = [f"set_(self, {name!r}, {name})" if frozen else f"self.{name} = {name}" for name in fields]
    lines += ["self.__post_init__()"] * after
    space: dict[str, Any] = {"__name__": __name__}  # for debuggers, as in `_init`
    exec(f"def __init__(self, {', '.join(fields)}):\n    " + ("\n    ".join(lines) or "pass"), space)
    code: CodeType = space["__init__"].__code__
    return code


class _Factory:
    """The default of an argument whose value is made in each call."""

    def __repr__(self) -> str:
        return "<factory>"


_MADE = _Factory()


def _values(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives some fields of an object."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda own: tuple(getattr(own, name) for name in names)


def _repr(kind: Any, fields: Sequence[Any]) -> Any:
    names = [one.name for one in fields if one.repr]

    @recursive_repr()
    def __repr__(self: Any) -> str:
        return f"{self.__class__.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return __repr__


def _eq(kind: Any, fields: Sequence[Any]) -> Any:
    values = _values([one.name for one in fields if one.compare])

    def __eq__(self: Any, other: Any) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(kind: Any, fields: Sequence[Any]) -> Any:
    values = _values([one.name for one in fields if (one.compare if one.hash is None else one.hash)])

    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


_WRITERS = {"__repr__": _repr, "__eq__": _eq, "__hash__": _hash}


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
