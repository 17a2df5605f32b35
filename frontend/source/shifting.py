"""Relocation of code: a copy of a function has the same instructions, at other lines of the file."""

from __future__ import annotations

import types
import weakref

ORIGINS: dict[int, tuple[int, int]] = {}
"""For relocated code, by identity, that of the code above, and by how many lines it stands further down."""

_shifted: dict[int, dict[int, types.CodeType]] = {}  # by identity, and lines


def shifted(function: types.FunctionType, lines: int) -> types.FunctionType:
    """A function that stands so many lines further down."""
    code = function.__code__
    known = _shifted.get(id(code))
    if known is None:
        known = _shifted.setdefault(id(code), {})
        weakref.finalize(code, _forget, id(code)).atexit = False
    moved = known.get(lines)
    if moved is None:  # of two threads, both take what one has made: only that is forgotten in time
        moved = known.setdefault(lines, _shifted_code(code, lines))
        ORIGINS[id(moved)] = id(code), lines
    return types.FunctionType(moved, function.__globals__, function.__name__, None, function.__closure__)


def _forget(key: int) -> None:
    """What happens when code goes: another object may have its identity, and that of the relocated code, from then
    on."""
    for moved in _shifted.pop(key, {}).values():
        ORIGINS.pop(id(moved), None)


def _shifted_code(code: types.CodeType, lines: int) -> types.CodeType:
    inside = [_shifted_code(each, lines) if isinstance(each, types.CodeType) else each for each in code.co_consts]
    return code.replace(co_firstlineno=code.co_firstlineno + lines, co_consts=tuple(inside))
