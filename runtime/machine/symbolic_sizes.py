"""Symbolic integers: code that is written for some sizes becomes a template for others.

A generator of machine code that is given symbolic integers as its sizes leaves a trace: each number that it computes of
them, and each comparison with its outcome, which is a guard. For other sizes with which all guards hold, the generator
would write the same instructions; only the numbers in them are computed again. A symbolic integer that is used as a
plain one, as the length of a range is, is a guard, too: it holds for this number alone.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, final

if TYPE_CHECKING:
    Base = int  # which generators take
else:
    Base = object

Made = TypeVar("Made")
Step = tuple[Callable[[int, int], int] | None, int, int, bool | None]
"""A function, the values that it is given, by their numbers, and the outcome of a guard; None if it gives a value.
Without a function the first number is a value itself."""


class SizeTrace:
    """What a generator has done with sizes, which are the first values."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = [Symbolic(self, number, size) for number, size in enumerate(sizes)]
        self.steps: list[Step] = []
        self.count = len(sizes)
        self._plain: dict[int, int] = {}  # the numbers of plain integers
        self._known: dict[tuple[object, int, int], Any] = {}

    def apply(self, function: Callable[[int, int], int], first: Any, second: Any, guard: bool) -> Any:
        """A function of two integers, one of which is symbolic: a symbolic integer, or the outcome of a guard."""
        if type(first) is Symbolic:
            one, first = first.number, first.value
        else:
            one = self._plain.get(first) or self._keep(first)
        if type(second) is Symbolic:
            other, second = second.number, second.value
        else:
            other = self._plain.get(second) or self._keep(second)
        key = function, one, other
        found = self._known.get(key)
        if found is None:
            found = function(first, second)
            if guard:
                self.steps.append((function, one, other, found))  # type: ignore[arg-type]
            else:
                self.steps.append((function, one, other, None))
                found = Symbolic(self, self.count, found)
                self.count += 1
            self._known[key] = found
        return found

    def _keep(self, value: int) -> int:
        """The number of a plain integer."""
        number = self._plain[value] = self.count
        self.steps.append((None, value, 0, None))
        self.count += 1
        return number

    def close(self) -> None:
        """Forget what only the generator needed."""
        self.sizes.clear()
        self._plain.clear()
        self._known.clear()

    def again(self, sizes: Sequence[int]) -> list[int] | None:
        """All values for other sizes; None if a guard does not hold, or the generator would divide by zero."""
        values = [*sizes]
        try:
            for function, first, second, outcome in self.steps:
                if function is None:
                    values.append(first)
                elif outcome is None:
                    values.append(function(values[first], values[second]))
                elif function(values[first], values[second]) is not outcome:
                    return None
        except ZeroDivisionError:
            return None
        return values


@final
class Symbolic(Base):
    """A symbolic integer of a trace. It has no hash, so that no table keeps it."""

    __slots__ = ("number", "trace", "value")

    def __init__(self, trace: SizeTrace, number: int, value: int) -> None:
        self.trace = trace
        self.number = number
        self.value = value

    __hash__ = None  # type: ignore[assignment]

    def __index__(self) -> int:
        self.trace.apply(operator.eq, self, self.value, True)
        return self.value

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __neg__(self) -> Any:
        return 0 - self

    def __divmod__(self, other: int) -> Any:
        return self // other, self % other


def _method(function: Callable[[int, int], int], guard: bool, turned: bool) -> Callable[..., Any]:
    def method(self: Any, other: Any) -> Any:
        if type(other) is not Symbolic and not isinstance(other, int):
            return NotImplemented
        first, second = (other, self) if turned else (self, other)
        return self.trace.apply(function, first, second, guard)

    return method


for _name in ("add", "sub", "mul", "floordiv", "mod", "and_", "lshift", "rshift"):
    for _turned in (False, True):
        _title = f"__{'r' * _turned}{_name.rstrip('_')}__"
        setattr(Symbolic, _title, _method(getattr(operator, _name), False, _turned))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Symbolic, f"__{_name}__", _method(getattr(operator, _name), True, False))


def uncached(function: Callable[..., Any], *values: int) -> Callable[..., Any]:
    """A function with a cache; without it for symbolic integers, which have no hash."""
    if Symbolic in map(type, values):
        return getattr(function, "__wrapped__", function)
    return function


class Templates(Generic[Made]):
    """Code that was written with symbolic sizes, by what it has in common.

    The first code of a kind is written with plain sizes, the second one with symbolic ones, which takes a little
    longer.
    """

    def __init__(self, most: int = 32) -> None:
        self.most = most  # for one kind: those that were asked for last, the last one first
        self.known: dict[Hashable, tuple[tuple[int, ...], tuple[tuple[SizeTrace, Made], ...]]] = {}
        self.plain: set[Hashable] = set()  # kinds whose generators need plain sizes

    def forget(self) -> None:
        """Forget all code."""
        self.known.clear()
        self.plain.clear()

    def code(
        self,
        kind: Hashable,
        sizes: tuple[int, ...],
        write: Callable[[SizeTrace | None], Made],
        fill: Callable[[Made, list[int]], Made | None],
        several: bool = False,
    ) -> Made:
        """The code for some sizes.

        Args:
            kind: what is in common.
            sizes: of the code.
            write: writes the code, with the sizes of a trace if there is one.
            fill: puts other values of the trace into code, if nothing else keeps it from that.
            several: whether code for other sizes is known to follow.
        """
        first, found = self.known.setdefault(kind, (sizes, ()))
        if first == sizes and not found and not several:
            return write(None)
        for place, (trace, made) in enumerate(found):
            values = trace.again(sizes)
            again = fill(made, values) if values is not None else None
            if again is not None:
                if place:
                    self.known[kind] = first, (found[place], *found[:place], *found[place + 1 :])
                return again
        if kind in self.plain:
            return write(None)
        trace = SizeTrace(sizes)
        try:
            made = write(trace)
        except TypeError:  # a symbolic integer where there has to be a plain one
            self.plain.add(kind)
            return write(None)
        finally:
            trace.close()
        self.known[kind] = first, ((trace, made), *found[: self.most - 1])
        return made
