"""Source sites: the user's line, and the variable to which a traced result is assigned.

Both are read from the innermost frame of the user's code. If the instruction after the call stores a variable, the
result gets its name. If it returns, the name comes from the caller of the function.
"""

from __future__ import annotations

import dis
import re
import sys
import types
from bisect import bisect_left
from typing import Any

from ...compiler.ir.values import Location
from ...compiler.transforms.symbolic import Naming
from ..errors.user_files import IS_USER_FILE, is_user_file
from ..source.shifting import ORIGINS

LONG_CODE = 2048  # bytes of the table of lines
RETURNED = ("return",)  # no variable has this name
_NOWHERE = 0, 0  # of code that is no other code further down

_EXTENDED = dis.opmap["EXTENDED_ARG"]
_SKIPPED = bytes(dis.opmap[name] for name in ("CACHE", "COPY", "DUP_TOP", "NOP", "RESUME") if name in dis.opmap)
_skip = re.compile(b"(?:[" + re.escape(_SKIPPED) + b"].)*", re.DOTALL).match
_RETURN = dis.opmap["RETURN_VALUE"]
_UNPACK = dis.opmap["UNPACK_SEQUENCE"]
_FAST, _DEREF = dis.opmap["STORE_FAST"], dis.opmap["STORE_DEREF"]
_GLOBAL = {dis.opmap["STORE_NAME"], dis.opmap["STORE_GLOBAL"]}
_STORE_FIRST = {dis.opmap[name] for name in ("STORE_FAST_STORE_FAST", "STORE_FAST_LOAD_FAST") if name in dis.opmap}
_FOLLOWERS = {_EXTENDED, _FAST, _DEREF, _RETURN, _UNPACK, *_GLOBAL, *_STORE_FIRST}
_STORE_TWO = dis.opmap.get("STORE_FAST_STORE_FAST")


class Sites:
    """The source sites of one trace.

    Attributes:
        outside: the frame that the trace runs in: assignments in its callers give no names.
        cell: the path of the Cell that is running.
        around: the frame of the call of that Cell.
    """

    def __init__(self) -> None:
        self.outside: types.FrameType | None = None
        self.cell = ""
        self.around: _Around | None = None
        # Code objects compare by value, so they are known by identity, and kept alive.
        self._sites: dict[tuple[int, int, str], tuple[Location, tuple[str, ...], types.CodeType]] = {}
        self._instructions: dict[tuple[int, int], tuple[int, tuple[str, ...]]] = {}  # of any Cell
        self._locations: dict[tuple[int, int, str], Location] = {}  # by code, line and Cell
        self._long: dict[int, list[tuple[Any, ...]]] = {}  # where lines of long code begin and end, and these
        self._names: tuple[str, ...] = ()
        self._frame: types.FrameType | None = None
        self._inside = True  # whether that frame is not around the trace
        self._entered: list[types.FrameType] = []  # that frame, and those around it in which something was recorded
        self._call: object = None  # the frame that the named call runs in

    def locate(self) -> Location | None:
        """The innermost line of the user's code on the stack."""
        frame, call = _outward(sys._getframe(2), None, self.around)  # the package asks
        if frame is None:
            self._names = ()
            return None
        location, names, _ = self._site(frame)
        if frame is not self._frame:
            self._frame, self._inside = frame, self._enters(frame)
        self._names = names if self._inside else ()
        self._call = call
        return location

    def _enters(self, frame: types.FrameType) -> bool:
        """Whether a frame on the stack is not that which the trace runs in, nor one around it. The search ends at the
        first frame that is known."""
        outside, entered = self.outside, self._entered
        if frame is outside:
            return False
        step: types.FrameType | None = frame
        while step is not None and step is not outside and step not in entered:
            step = step.f_back
        if step is None:
            return False
        del entered[0 if step is outside else entered.index(step) + 1 :]
        if step is not frame:
            entered.append(frame)
        return True

    def naming(self) -> Naming | None:
        """The variable to which the result at the last `locate` is assigned; None if there is none."""
        names = self._names
        if not names:
            return None
        if names is RETURNED:
            call: types.FrameType | None = self._frame
            frame = call.f_back if call is not None else None
            while frame is not None:
                if frame is self.outside:
                    return None
                if is_user_file(frame.f_code.co_filename):
                    names = self._site(frame)[1]
                    if names is not RETURNED:
                        break
                call, frame = frame, frame.f_back
            if frame is None or not names:
                return None
            self._call = call
        return Naming(names, self._call)

    def enter(self, cell: str) -> tuple[str, _Around | None]:
        """A call of a Cell begins in the caller's frame. Returns what `leave` takes."""
        before = self.cell, self.around
        self.cell, self.around = cell, _Around(sys._getframe(1), self.around)
        return before

    def leave(self, before: tuple[str, _Around | None]) -> None:
        """The call of a Cell ends."""
        self.cell, self.around = before

    def clear(self) -> None:
        """Release frames and code."""
        for known in (self._sites, self._instructions, self._locations, self._long):
            known.clear()
        self._entered.clear()
        self._frame = self._call = self.outside = None

    def forget(self) -> None:
        """Release the frames of the last call, which would keep its variables alive."""
        self._entered.clear()
        self._frame = self._call = None

    def _site(self, frame: types.FrameType) -> tuple[Location, tuple[str, ...], types.CodeType]:
        """The location of a frame's current instruction, the variables to which its result is assigned, its code."""
        code, at = frame.f_code, frame.f_lasti
        key = id(code), at, self.cell
        site = self._sites.get(key)
        if site is None:
            line, names = self._instructions.get(key[:2]) or self._instruction(code, frame)
            place = key[0], line, key[2]
            location = self._locations.get(place)
            if location is None:
                location = self._locations[place] = Location(code.co_filename, line, key[2])
            site = self._sites[key] = location, names, code
        return site

    def _instruction(self, code: types.CodeType, frame: types.FrameType) -> tuple[int, tuple[str, ...]]:
        """The line of a frame's current instruction, and the variables to which its result is assigned."""
        at = frame.f_lasti
        above, lines = ORIGINS.get(id(code), _NOWHERE)
        known = self._instructions.get((above, at)) if lines else None
        found = (self._line(code, frame), _stored(code, at)) if known is None else (known[0] + lines, known[1])
        self._instructions[id(code), at] = found
        return found

    def _line(self, code: types.CodeType, frame: types.FrameType) -> int:
        """The current line of a frame. Python searches it from the first line on, which is slow in long functions."""
        if len(code.co_linetable) < LONG_CODE:
            return frame.f_lineno
        known = self._long.get(id(code))
        if known is None:
            known = self._long[id(code)] = [*code.co_lines()]
        place = bisect_left(known, (frame.f_lasti + 1,)) - 1
        while known[place][2] is None:  # an instruction that Python has added
            place -= 1
        return known[place][2]


class _Around:
    """A frame of the package during whose call those around it stay as they are: what `_outward` finds from there."""

    __slots__ = ("found", "frame", "outer")

    def __init__(self, frame: types.FrameType, outer: _Around | None) -> None:
        self.frame = frame
        self.outer = outer
        self.found: tuple[types.FrameType | None, types.FrameType | None] | None = None


def _outward(
    frame: types.FrameType | None, call: types.FrameType | None, around: _Around | None
) -> tuple[types.FrameType | None, types.FrameType | None]:
    """The innermost frame of the user's from `frame` on, and the one that it calls; `call` is called by `frame`."""
    is_user, known = IS_USER_FILE, None if around is None else around.frame
    while frame is not None and not is_user[frame.f_code.co_filename]:
        if frame is known:
            if around.found is None:  # type: ignore[union-attr]
                around.found = _outward(frame.f_back, frame, around.outer)  # type: ignore[union-attr]
            return around.found  # type: ignore[union-attr]
        call = frame
        frame = frame.f_back
    return frame, call


def _stored(code: types.CodeType, at: int) -> tuple[str, ...]:
    """The variables that the instruction after the one at `at` stores; RETURNED if it returns."""
    instructions = code.co_code
    found: list[str] = []
    missing, argument, place = 1, 0, at + 2
    while True:
        place = _skip(instructions, place).end()  # type: ignore[union-attr]
        if place >= len(instructions) or instructions[place] not in _FOLLOWERS:  # as inside of most expressions
            return ()
        op, argument = instructions[place], argument << 8 | instructions[place + 1]
        place += 2
        if op == _EXTENDED:
            continue
        if op == _DEREF:
            found.append(_cell(code, argument))
        elif op == _FAST:
            found.append(code.co_varnames[argument])
        elif op == _RETURN:
            return () if found else RETURNED
        elif op == _UNPACK and missing == 1 and not found:
            missing = argument
        elif op in _STORE_FIRST:
            found.append(code.co_varnames[argument >> 4])
            if op == _STORE_TWO and len(found) < missing:
                found.append(code.co_varnames[argument & 15])
        elif op in _GLOBAL:
            found.append(code.co_names[argument])
        else:
            return ()
        if len(found) == missing:
            return tuple(found)
        argument = 0


def _cell(code: types.CodeType, argument: int) -> str:
    """The name of a variable that inner functions share."""
    if sys.version_info < (3, 11):
        return (code.co_cellvars + code.co_freevars)[argument]
    names = code.co_varnames
    if not code.co_cellvars:
        return code.co_freevars[argument - len(names)]
    return (*names, *[name for name in code.co_cellvars if name not in names], *code.co_freevars)[argument]
