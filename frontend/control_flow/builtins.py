"""Overloads of builtin functions: on Python values they are Python's own, on traced values they call the builder."""

from __future__ import annotations

import builtins
import functools
import math
import operator
from collections.abc import Callable, ItemsView, Iterable, KeysView, ValuesView
from types import GeneratorType
from typing import Any

import numpy as np

from ..errors.classes import GraphBreak
from ..values import tree
from ..values.tensor import Tensor
from .access import delattr_, getattr_, setattr_
from .builder import builder, lift
from .join import check_known
from .state import is_traced
from .texts import TracedText, field

Converter = Callable[[Any], Any]


_TUPLES: tuple[type, ...] = (range, zip, enumerate, reversed, KeysView, ValuesView)
_LISTS: tuple[type, ...] = (filter, ItemsView, GeneratorType)
_LIST_ITERATOR: type = type(iter([]))


def materialize(value: Any) -> Any:
    """A value in the form in which a compiled function returns it: lazy sequences as tuples or lists, NumPy's numbers
    as Python's."""
    if isinstance(value, (np.number, np.bool_)):
        return value.item()
    sequence: Any = value
    if isinstance(value, map):  # of the kind of its first sequence
        return list(sequence) if type(sequence.__reduce__()[1][1]) is _LIST_ITERATOR else tuple(sequence)
    if isinstance(value, _TUPLES):
        return tuple(sequence)
    return list(sequence) if isinstance(value, _LISTS) else value


def finished(value: Any, leaf: Callable[[Any], Any] = materialize) -> Any:
    """A value that leaves the outermost function or Cell. `leaf` is applied to everything in its containers."""
    if isinstance(value, Tensor):
        return value
    value = leaf(value)
    if type(value) in (tuple, list):
        items = [finished(item, leaf) for item in value]
        return value if all(map(operator.is_, items, value)) else type(value)(items)
    if type(value) is dict:
        changed = {key: finished(item, leaf) for key, item in value.items()}
        return value if all(map(operator.is_, changed.values(), value.values())) else changed
    return tree.map_tree(leaf, value) if tree.is_namedtuple(value) else value


def _lifted(values: Iterable[Any]) -> list[Any]:
    """Several values, lifted."""
    return [lift(value) for value in values]


def _active() -> Any:
    """The builder. It exists wherever there are traced values."""
    return builder()


def _print(*values: Any, **options: Any) -> None:
    active = builder()
    if active is None:
        print(*values, **options)
    else:
        active.effects.print(values, options)


def _len(value: Any, /) -> Any:
    return _active().numbers.length(value) if is_traced(value) else len(value)


def _number(kind: type) -> Callable[..., Any]:
    """int, float or bool."""

    def number(*arguments: Any, **keywords: Any) -> Any:
        if len(arguments) == 1 and not keywords and is_traced(value := lift(arguments[0])):
            return _active().numbers.number(kind, value)
        return kind(*arguments, **keywords)

    return number


def _of_float(native: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `math` of one float."""

    def of_float(*arguments: Any) -> Any:
        found = _active().loops.of_counter(native.__name__, arguments[0]) if any(map(is_traced, arguments)) else None
        return native(*arguments) if found is None else found

    return of_float


def _text(native: Callable[..., Any], conversion: str) -> Callable[..., Any]:
    """str, repr or ascii."""

    def text(*arguments: Any, **keywords: Any) -> Any:
        if len(arguments) == 1 and not keywords:
            written = field(arguments[0], conversion)
            return written if isinstance(written, (str, TracedText)) else TracedText((written,))
        return native(*arguments, **keywords)

    return text


def _format(value: Any, spec: str = "", /) -> Any:
    written = field(value, "", spec)
    return written if isinstance(written, (str, TracedText)) else TracedText((written,))


def _range(*bounds: Any) -> Any:
    bounds = tuple(_lifted(bounds))
    return _active().numbers.range(bounds) if any(map(is_traced, bounds)) else range(*bounds)


def _extreme(native: Callable[..., Any], convert: Converter) -> Callable[..., Any]:
    """min or max."""

    def extreme(*values: Any, **options: Any) -> Any:
        if options.get("key") is not None:
            return native(*values, **{**options, "key": convert(options["key"])})
        if len(values) == 1:
            only = lift(values[0])
            if is_traced(only):
                return _active().numbers.reduce(native.__name__, only)
            values = tuple(only) if hasattr(only, "__iter__") else (only,)
            if not any(map(is_traced, _lifted(values))):
                return native(values, **options) if hasattr(only, "__iter__") else native(only, **options)
        elif not any(map(is_traced, _lifted(values))):
            return native(*values, **options)
        return values[0] if len(values) == 1 else _active().numbers.reduce(native.__name__, tuple(values))

    return extreme


def _sum(iterable: Any, /, *start: Any, **options: Any) -> Any:
    values = lift(iterable)
    if not is_traced(values):
        return sum(values, *start, **options)
    total = _active().numbers.reduce("sum", values)
    initial = start[0] if start else options.get("start")
    return total if initial is None else initial + total


def _quantifier(native: Callable[[Iterable[Any]], bool]) -> Callable[[Any], Any]:
    """all or any."""
    deciding = native is any

    def quantifier(iterable: Any, /) -> Any:
        iterable = lift(iterable)
        if is_traced(iterable):
            return _active().numbers.reduce(native.__name__, iterable)
        values = iter(iterable)
        for item in values:
            value = lift(item)
            if is_traced(value):
                left = _active().shortcuts.items_left(values) if values is iterable else values
                return _active().numbers.reduce(native.__name__, (value, *_lifted(left)))
            if bool(value) is deciding:
                return deciding
        return not deciding

    return quantifier


def _isinstance(value: Any, kinds: Any, /) -> bool:
    if type(value) is TracedText:
        return issubclass(str, kinds)
    check_known(value, "the type of")
    return _active().numbers.isinstance(value, kinds) if is_traced(value) else isinstance(value, kinds)


def _pow(base: Any, exp: Any, mod: Any = None) -> Any:
    if mod is not None and any(map(is_traced, (base, exp, mod))):
        raise GraphBreak("pow() of a number that only the run knows takes no modulus", "Write base**exp % mod")
    return pow(base, exp, mod)


def _type(*arguments: Any, **keywords: Any) -> Any:
    if len(arguments) == 1 and type(arguments[0]) is TracedText:
        return str
    if len(arguments) == 1 and is_traced(arguments[0]):
        return _active().numbers.type_of(arguments[0])
    return type(*arguments, **keywords)


def _higher_order(convert: Converter) -> tuple[tuple[Any, Callable[..., Any]], ...]:
    """The builtins that call a function that they are given, with their replacements."""

    def map_(function: Any, /, *iterables: Any, **options: Any) -> Any:
        return map(convert(function), *iterables, **options)

    def filter_(function: Any, iterable: Any, /) -> Any:
        return filter(function if function is None else convert(function), iterable)

    def sorted_(iterable: Any, /, *, key: Any = None, reverse: bool = False) -> Any:
        return sorted(iterable, key=key if key is None else convert(key), reverse=reverse)

    def reduce(function: Any, iterable: Any, /, *initial: Any) -> Any:
        return functools.reduce(convert(function), iterable, *initial)

    return (
        (builtins.map, map_),
        (builtins.filter, filter_),
        (builtins.sorted, sorted_),
        (functools.reduce, reduce),
        (builtins.min, _extreme(min, convert)),
        (builtins.max, _extreme(max, convert)),
    )


def _getattr(owner: Any, name: str, /, *default: Any) -> Any:
    if len(default) > 1 or not isinstance(name, str):
        return getattr(owner, name, *default)
    try:
        return getattr_(owner, name)
    except AttributeError:
        if default:
            return default[0]
        raise


def _hasattr(owner: Any, name: str, /) -> bool:
    if not isinstance(name, str):
        return hasattr(owner, name)
    try:
        getattr_(owner, name)
    except AttributeError:
        return False
    return True


def _vars(owner: Any, /) -> Any:
    return getattr_(owner, "__dict__")


def _outside(native: Callable[..., Any]) -> Callable[..., Any]:
    """open or input: a trace would run them once, but they must run in each run."""

    def outside(*arguments: Any, **keywords: Any) -> Any:
        if builder() is not None:
            raise GraphBreak(
                f"{native.__name__}() cannot be part of a graph", "Call it outside of the compiled function"
            )
        return native(*arguments, **keywords)

    return outside


_OVERLOADS: tuple[tuple[Any, Callable[..., Any]], ...] = (
    (builtins.print, _print),
    (builtins.open, _outside(builtins.open)),
    (builtins.input, _outside(builtins.input)),
    (builtins.len, _len),
    (builtins.int, _number(int)),
    (builtins.float, _number(float)),
    (builtins.bool, _number(bool)),
    *((getattr(math, name), _of_float(getattr(math, name))) for name in ("sqrt", "exp", "log", "sin", "cos", "tanh")),
    (builtins.str, _text(str, "s")),
    (builtins.repr, _text(repr, "r")),
    (builtins.ascii, _text(ascii, "a")),
    (builtins.format, _format),
    (builtins.pow, _pow),
    (builtins.range, _range),
    (builtins.sum, _sum),
    (builtins.all, _quantifier(all)),
    (builtins.any, _quantifier(any)),
    (builtins.isinstance, _isinstance),
    (builtins.type, _type),
    (builtins.getattr, _getattr),
    (builtins.hasattr, _hasattr),
    (builtins.vars, _vars),
    (builtins.setattr, setattr_),
    (builtins.delattr, delattr_),
)


def overloads(convert: Converter) -> dict[int, Callable[..., Any]]:
    """The replacements of builtins in converted code, by the identity of each, because not every callee has a hash.

    `convert` gives the replacement of a function that is passed to a builtin.
    """
    return {id(builtin): overload for builtin, overload in (*_OVERLOADS, *_higher_order(convert))}
