"""Outcomes, variables and loops: the data that the parts of control flow exchange."""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...runtime.records import NamedTuple

Thunk = Callable[[], Any]
Names = tuple[str, ...]


class Outcome:
    """How a block of converted code ended, if it did not return a value."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __call__(self) -> Outcome:
        """As a continuation: nothing is left to do."""
        return self


fall_through = Outcome("fall_through")
break_ = Outcome("break_")
continue_ = Outcome("continue_")


def identity(value: Any) -> Any:
    """The value itself."""
    return value


def return_none() -> None:
    """The continuation of a function that ends without a return statement."""


class Mixed(Outcome):
    """An outcome that only the run knows. Builders make these."""

    may_fall_through = False


class _Undefined:
    """The value of a name that is not bound."""

    def __repr__(self) -> str:
        return "UNDEFINED"


UNDEFINED = _Undefined()


GLOBAL = "global "  # before a name that is no variable of the function


def read_variable(holder: Any, name: str) -> Any:
    """The value of a variable, in its cell or in the globals of a module; UNDEFINED if it is not bound."""
    if isinstance(holder, types.CellType):
        try:
            return holder.cell_contents
        except ValueError:
            return UNDEFINED
    return holder.get(name, UNDEFINED)


def write_variable(holder: Any, name: str, value: Any) -> None:
    """Give a variable a value; UNDEFINED unbinds it."""
    if isinstance(holder, types.CellType):
        if value is not UNDEFINED:
            holder.cell_contents = value
        elif read_variable(holder, name) is not UNDEFINED:
            del holder.cell_contents
    elif value is UNDEFINED:
        holder.pop(name, None)
    else:
        holder[name] = value


class Snapshot(NamedTuple):
    """The values of variables at one moment."""

    held: list[Any]  # of those in cells, in the order of these
    others: list[tuple[str, Any]]  # of further names


class Variables:
    """The names that a branch or loop passes on, read and written where the user's function keeps them."""

    def __init__(
        self, names: tuple[str, ...], functions: tuple[Callable[..., Any] | None, ...], keeps: tuple[str, ...] = (),
        in_expression: bool = False,
    ) -> None:  # fmt: skip
        self.names = names
        self.in_expression = in_expression  # the functions are operands that the run may skip
        self.keeps = frozenset(keeps)  # names that count even after a return
        self._cells: dict[str, types.CellType] = {}
        self._globals: dict[str, Any] = {}
        for function in functions:
            if isinstance(function, types.FunctionType):
                self._globals = function.__globals__
                self._cells.update(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))

    @classmethod
    def bound(cls, names: tuple[str, ...], operands: tuple[Any, ...]) -> Variables:
        """The names that some operands of an expression may bind; all of them count even after a return."""
        every = cls((), operands)
        mine = tuple(name for name in names if name in every._cells or (name.startswith(GLOBAL) and every._globals))
        return cls(mine, operands, mine, in_expression=True)

    def get(self) -> tuple[Any, ...]:
        """The current values of the names; UNDEFINED if a name is not bound."""
        try:
            return tuple([self._cells[name].cell_contents for name in self.names])
        except (KeyError, ValueError):  # a global, or an unbound name
            return tuple([self._get(name) for name in self.names])

    def steps_since(self, before: tuple[Any, ...]) -> dict[str, int]:
        """By how much Python integers in local variables have changed since `get` returned `before`."""
        return {
            name: end - start
            for name, start, end in zip(self.names, before, self.get(), strict=True)
            if type(start) is int and type(end) is int and start != end and not name.startswith(GLOBAL)
        }

    def _get(self, name: str) -> Any:
        if name.startswith(GLOBAL):
            return read_variable(self._globals, name[len(GLOBAL) :])
        return read_variable(self._cells[name], name)

    def set(self, values: tuple[Any, ...]) -> None:
        """Give the names new values; UNDEFINED unbinds a name."""
        for name, value in zip(self.names, values, strict=True):
            self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        if name.startswith(GLOBAL):
            write_variable(self._globals, name[len(GLOBAL) :], value)
        else:
            write_variable(self._cells[name], name, value)

    def kept(self) -> Variables:
        """The same variables, all of which count."""
        return self.union(Variables((), (), self.names))

    def only(self, name: str) -> Variables:
        """One of the names."""
        return self.beside((name,), ())

    def beside(self, names: tuple[str, ...], keeps: tuple[str, ...]) -> Variables:
        """Other names of the same functions."""
        result = Variables(names, (), keeps)
        result._cells, result._globals = self._cells, self._globals
        return result

    def union(self, other: Variables) -> Variables:
        """The names of both."""
        if not other.names and not other.keeps and self._cells is other._cells:
            return self
        result = Variables(tuple(dict.fromkeys((*self.names, *other.names))), (), (*self.keeps, *other.keeps))
        result._cells = {**self._cells, **other._cells}
        result._globals = self._globals or other._globals
        return result

    def held(self) -> list[Any]:
        """The contents of the cells that functions around the branch could rebind."""
        try:
            return [cell.cell_contents for cell in self._cells.values()]
        except ValueError:
            return [read_variable(cell, name) for name, cell in self._cells.items()]

    def snapshot(self) -> Snapshot:
        """All variables that functions around the branch could rebind, for `restore`."""
        return Snapshot(self.held(), [(name, self._get(name)) for name in self.names if name not in self._cells])

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot."""
        for (name, cell), value in zip(self._cells.items(), snapshot.held, strict=True):
            if value is UNDEFINED:
                write_variable(cell, name, value)
            else:
                cell.cell_contents = value
        for name, value in snapshot.others:
            self._set(name, value)

    def has(self, holder: Any, name: str) -> bool:
        """Whether a variable in a cell or in the globals of a module is one of the names."""
        if isinstance(holder, types.CellType):
            return name in self.names and self._cells.get(name) is holder
        return GLOBAL + name in self.names and self._globals is holder

    def cells(self) -> list[tuple[str, types.CellType]]:
        """All cells that functions around the branch or loop read or rebind, with their names."""
        return list(self._cells.items())

    def cell(self, name: str) -> types.CellType | None:
        """The cell of a name; None for a global name."""
        return self._cells.get(name)


class SourceLoop:
    """A loop of the user's function in its converted form."""

    def __init__(
        self,
        body: Callable[..., Any],
        orelse: Callable[[], Any] | None,
        variables: Variables,
        jumps: bool,
        test: Callable[[], Any] | None = None,
        word: str = "",
    ) -> None:
        self.test = test  # None for a for loop, whose body takes the item
        self.word = word or ("for" if test is None else "while")  # that the user has written
        self.body = body
        self.orelse = orelse
        self.variables = variables
        self.jumps = jumps  # whether the body returns an outcome
        self.key: Any = getattr(body, "__code__", body)  # stands for the loop of the user's text

    def run_body(self, *item: Any) -> Any:
        """Run one iteration of the body. Returns its outcome."""
        outcome = self.body(*item)
        return outcome if self.jumps else fall_through

    def run_else(self) -> Any:
        """Run the else clause, after a loop that was not left by break. Returns its outcome."""
        if self.orelse is None:
            return fall_through
        outcome = self.orelse()
        return outcome if self.jumps else fall_through


def is_traced(value: Any) -> bool:
    """Whether only the run of the graph knows a value."""
    return getattr(type(value), "_is_traced_tensor", False)


# a call of converted code takes up to three times the frames of the call it stands for
_FRAMES = 4
_lock = threading.RLock()  # a signal handler may come to it again
_users: dict[int, int] = {}  # threads, and in how many blocks they are
_limits = [0, 0]  # the usual one, and that of a deeper stack


@contextmanager
def deeper_stack() -> Iterator[None]:
    """A context with room for the frames of converted code, so that recursion goes as deep as without conversion."""
    depth = stack_depth()
    with _lock:
        if not _users:
            _limits[0] = sys.getrecursionlimit()
            _limits[1] = _limits[0] * _FRAMES
            sys.setrecursionlimit(_limits[1])
        _users[threading.get_ident()] = depth + 1
    try:
        yield
    finally:
        usual_stack(depth)


def stack_depth() -> int:
    """The number of `deeper_stack` contexts of this thread."""
    return _users.get(threading.get_ident(), 0)


def usual_stack(depth: int) -> None:
    """Set the number of `deeper_stack` contexts of this thread. If no thread has any, the usual limit is restored."""
    with _lock:
        if not _users:
            return
        if depth:
            _users[threading.get_ident()] = depth
        else:
            _users.pop(threading.get_ident(), None)
        if not _users and sys.getrecursionlimit() == _limits[1]:  # unless the user has set another
            sys.setrecursionlimit(_limits[0])
