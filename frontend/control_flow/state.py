"""What the helpers of converted code share: the outcomes of blocks, the variables of branches, the builder at work."""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from ..state import STATE

__all__ = [
    "GLOBAL",
    "UNDEFINED",
    "Builder",
    "Loop",
    "Mixed",
    "Names",
    "Outcome",
    "Thunk",
    "Variables",
    "break_",
    "builder",
    "builder_for",
    "continue_",
    "deeper_stack",
    "fall_through",
    "is_traced",
    "lifted",
    "return_none",
    "use_builder",
]


Thunk = Callable[[], Any]
Names = tuple[str, ...]


class Outcome:
    """How a block of converted code ended when it did not return a value."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __call__(self) -> Outcome:
        """As a continuation: there is nothing left to do."""
        return self


fall_through = Outcome("fall_through")
break_ = Outcome("break_")
continue_ = Outcome("continue_")


def return_none() -> None:
    """The continuation of a function that ends without a return statement."""


class Mixed(Outcome):
    """An outcome only the run can know; builders make these."""

    may_fall_through = False


class _Undefined:
    """The value of a name that is not bound."""

    def __repr__(self) -> str:
        return "UNDEFINED"


UNDEFINED = _Undefined()


GLOBAL = "global "  # before a name that is no variable of the function


def _contents(cell: types.CellType) -> Any:
    """What a cell holds."""
    try:
        return cell.cell_contents
    except ValueError:
        return UNDEFINED


def _put(cell: types.CellType, value: Any) -> None:
    """Let a cell hold a value, or nothing."""
    if value is not UNDEFINED:
        cell.cell_contents = value
    elif _contents(cell) is not UNDEFINED:
        del cell.cell_contents


class Variables:
    """The names a branch or loop hands on, read and written where the user's function keeps them."""

    def __init__(
        self, names: tuple[str, ...], functions: tuple[Callable[..., Any] | None, ...], keeps: tuple[str, ...] = ()
    ) -> None:
        self.names = names
        self.keeps = frozenset(keeps)  # those that count even after a return
        self._cells: dict[str, types.CellType] = {}
        self._globals: dict[str, Any] = {}
        for function in functions:
            if isinstance(function, types.FunctionType):
                self._globals = function.__globals__
                self._cells.update(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))

    @classmethod
    def bound(cls, names: tuple[str, ...], operands: tuple[Any, ...]) -> Variables:
        """Those of the names that some operands of an expression may bind; all of them count even after a return."""
        every = cls((), operands)
        mine = tuple(name for name in names if name in every._cells or (name.startswith(GLOBAL) and every._globals))
        return cls(mine, operands, mine)

    def get(self) -> tuple[Any, ...]:
        """The values of the names now; UNDEFINED where a name is not bound."""
        return tuple(self._get(name) for name in self.names)

    def _get(self, name: str) -> Any:
        if name.startswith(GLOBAL):
            return self._globals.get(name[len(GLOBAL) :], UNDEFINED)
        return _contents(self._cells[name])

    def set(self, values: tuple[Any, ...]) -> None:
        """Give the names new values; UNDEFINED unbinds a name."""
        for name, value in zip(self.names, values, strict=True):
            self._set(name, value)

    def _set(self, name: str, value: Any) -> None:
        if not name.startswith(GLOBAL):
            _put(self._cells[name], value)
        elif value is not UNDEFINED:
            self._globals[name[len(GLOBAL) :]] = value
        else:
            self._globals.pop(name[len(GLOBAL) :], None)

    def kept(self) -> Variables:
        """The same variables, of which all count."""
        return self.union(Variables((), (), self.names))

    def only(self, name: str) -> Variables:
        """One of the names."""
        result = Variables((name,), ())
        result._cells, result._globals = self._cells, self._globals
        return result

    def union(self, other: Variables) -> Variables:
        """The names of both."""
        result = Variables(tuple(dict.fromkeys((*self.names, *other.names))), (), (*self.keeps, *other.keeps))
        result._cells = {**self._cells, **other._cells}
        result._globals = self._globals or other._globals
        return result

    def snapshot(self) -> tuple[Any, ...]:
        """Everything that functions around the branch could rebind, to be put back by `restore`."""
        cells = [(cell, _contents(cell)) for cell in self._cells.values()]
        return cells, [(name, self._get(name)) for name in self.names if name not in self._cells]

    def restore(self, snapshot: tuple[Any, ...]) -> None:
        """Put back what `snapshot` noted."""
        for cell, value in snapshot[0]:
            _put(cell, value)
        for name, value in snapshot[1]:
            self._set(name, value)

    def has(self, place: Any, name: str) -> bool:
        """Whether a variable in a cell or in the globals of a module is one of the names."""
        if isinstance(place, types.CellType):
            return name in self.names and self._cells.get(name) is place
        return GLOBAL + name in self.names and self._globals is place

    def cell(self, name: str) -> types.CellType | None:
        """The cell a name lives in; None for a global name."""
        return self._cells.get(name)


class Loop:
    """A loop of the user's function, as its converted form gives it."""

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
        self.jumps = jumps  # whether what body returns is an outcome
        self.key: Any = getattr(body, "__code__", body)  # stands for the loop of the user's text

    def run_body(self, *item: Any) -> Any:
        """One round of the body; gives its outcome."""
        outcome = self.body(*item)
        return outcome if self.jumps else fall_through

    def run_else(self) -> Any:
        """The else clause, after a loop that was not left by break; gives its outcome."""
        if self.orelse is None:
            return fall_through
        outcome = self.orelse()
        return outcome if self.jumps else fall_through


class Builder(Protocol):
    """What turns traced conditions into graph nodes, and guards what tracing reads."""

    handlers: int  # blocks, one in the other, out of which exceptions may be caught

    def passes(self, error: BaseException | None) -> None:
        """An exception leaves a block and may be caught."""

    def equal(self, left: Any, right: Any) -> Any:
        """`left == right` for tuples or lists."""

    def lift(self, value: Any) -> Any:
        """The traced form of a tensor that tracing meets from outside; any other value as it is."""

    def cond(
        self,
        test: Any,
        then: Callable[[], Any],
        orelse: Callable[[], Any] | None,
        joins: Variables,
        rest: Callable[[], Any] | None,
        exits: Variables,
    ) -> Any:
        """An if on a traced condition; rest is None where the branches have no outcome; gives the outcome."""

    def proceed(self, outcome: Mixed, rest: Callable[[], Any], exits: Variables) -> Any:
        """Go on where an outcome fell through."""

    def while_loop(self, test: Any, loop: Loop) -> Any:
        """A while whose test, evaluated once, gave a traced value; gives the outcome of the loop."""

    def while_after(self, outcome: Mixed, loop: Loop) -> Any:
        """The rounds of a while after one that ended with a mixed outcome."""

    def roll_range(self, rounds: range, loop: Loop, last: bool) -> bool:
        """Whether the rounds of a for were recorded as one node; last says that nobody will ask again."""

    def roll_while(self, test: Any, loop: Loop, last: bool) -> bool:
        """The same of a while whose test, evaluated once, gave a true value that is no bool."""

    def for_traced(self, iterable: Any, loop: Loop) -> Any:
        """A for over a traced value."""

    def for_after(self, outcome: Mixed, items: Iterator[Any], loop: Loop, rounds: range | None = None) -> Any:
        """The rounds of a for over static items (of a range, if given) after one that ended with a mixed outcome."""

    def ternary(self, test: Any, then: Callable[[], Any], orelse: Callable[[], Any], joins: Variables) -> Any:
        """A conditional expression on a traced condition."""

    def and_(self, value: Any, others: tuple[Callable[[], Any], ...], joins: Variables) -> Any:
        """`value and …` with a traced value."""

    def or_(self, value: Any, others: tuple[Callable[[], Any], ...], joins: Variables) -> Any:
        """`value or …` with a traced value."""

    def not_(self, value: Any) -> Any:
        """`not value` of a traced value."""

    def is_(self, left: Any, right: Any) -> Any:
        """`left is right` where one is traced."""

    def contains(self, container: Any, value: Any) -> Any:
        """`value in container`; NotImplemented leaves it to Python."""

    def getattr(self, owner: Any, name: str) -> Any:
        """Read an attribute of any object."""

    def setattr(self, owner: Any, name: str, value: Any) -> None:
        """Write an attribute of any object."""

    def delattr(self, owner: Any, name: str) -> None:
        """Delete an attribute of any object."""

    def getitem(self, container: Any, index: Any) -> Any:
        """An item of a Python container at a traced index."""

    def touch(self, container: Any, how: str = "") -> None:
        """A list, dictionary or set is about to change in place, by a method of this name."""

    def owns(self, names: Callable[[], Any]) -> None:
        """A call has begun whose inner functions rebind the names that `names` reads."""

    def made(self, instance: Any) -> None:
        """Converted code has made an object."""

    def call(self, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Run a function of the user for library code."""

    def callee(self, function: Any) -> Any:
        """What a call in converted code runs; None leaves the choice to the conversion policy."""

    def native(self, function: Any, found: Any) -> Any:
        """What runs where a function that is not converted is called, for which the policy chose `found`."""

    def items(self, iterable: Any, what: str) -> None:
        """The items of something are about to be taken; what says by which statement or expression."""

    def why_unbound(self, cell: types.CellType) -> str | None:
        """Why a traced branch or loop left a variable unbound."""

    def check(self, test: Any, message: Any) -> None:
        """Assert a traced condition."""

    def raised(self, error: Any) -> Any:
        """The user's code is about to raise this exception; gives the one to raise."""

    def print(self, values: tuple[Any, ...], options: dict[str, Any]) -> None:
        """print(); called for every print while tracing."""

    def number(self, kind: type, value: Any, what: str = "") -> Any:
        """int(), float(), bool() of a traced value."""

    def length(self, value: Any) -> Any:
        """len() of a traced value."""

    def isinstance(self, value: Any, kinds: Any) -> bool:
        """isinstance() of a traced value."""

    def type_of(self, value: Any) -> Any:
        """type() of a traced value."""

    def item(self, tensor: Any, index: Any) -> Any:
        """`tensor.item(index)`; None where it is known while tracing."""

    def items_left(self, values: Iterator[Any]) -> list[Any]:
        """The items of a lazy sequence that all() or any() may not get to."""

    def reduce(self, name: str, values: Any) -> Any:
        """min, max, sum, all or any of a traced value, or of a tuple of values some of which are traced."""

    def range(self, bounds: tuple[Any, ...]) -> Any:
        """range() with traced bounds."""


class _State(threading.local):
    """The builder that works in this thread outside of traces."""

    builder: Builder | None = None


_state = _State()


def builder() -> Builder | None:
    """The builder at work in this thread; None outside of tracing."""
    trace = STATE.trace
    if trace is None:
        return _state.builder
    found: Builder | None = trace.builder
    return found


def is_traced(value: Any) -> bool:
    """Whether only the run of the graph will know a value."""
    return getattr(type(value), "_is_traced_tensor", False)


def lifted(value: Any) -> Any:
    """A value that decides about control flow: tensors from outside of the trace count as traced."""
    active = builder()
    return value if active is None else active.lift(value)


def builder_for(value: Any) -> Builder:
    """The builder that takes a traced value."""
    active = builder()
    if active is None:
        what = f"a value of type {type(value).__name__}"
        raise RuntimeError(f"control flow met {what} that only a compiled run can know, but nothing is being compiled")
    return active


@contextmanager
def use_builder(new: Builder) -> Iterator[None]:
    """Let a builder take the traced conditions of converted code that runs in this block, outside of traces."""
    old, _state.builder = _state.builder, new
    try:
        yield
    finally:
        _state.builder = old


# a call of converted code takes up to three times the frames of the call it stands for
_FRAMES = 4
_lock = threading.Lock()
_users = 0
_usual_limit = 0


@contextmanager
def deeper_stack() -> Iterator[None]:
    """Room for the frames of converted code, so that recursion goes as deep as without conversion."""
    global _users, _usual_limit
    with _lock:
        if _users == 0:
            _usual_limit = sys.getrecursionlimit()
            sys.setrecursionlimit(_usual_limit * _FRAMES)
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                sys.setrecursionlimit(_usual_limit)
