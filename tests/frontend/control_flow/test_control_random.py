"""Random programs: the converted function behaves as the original, statement by statement."""

from __future__ import annotations

import itertools
import linecache
import reprlib
import traceback
import weakref
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from case_floors import Floor
from hypothesis import given, note, settings, strategies as st

from mycel.frontend.control_flow.calls import converted as convert
from mycel.frontend.control_flow.conversion import converted_source
from mycel.frontend.source.functions import forget_trees

NAMES = ("a", "b", "c", "d")
_numbers = itertools.count()


def define(text: str, names: dict[str, Any]) -> Callable[..., Any]:
    """The function `program` of a text that has a file of its own."""
    filename = f"<random program {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    exec(compile(text, filename, "exec"), names)
    program: Callable[..., Any] = names["program"]
    weakref.finalize(program, linecache.cache.pop, filename, None)  # long searches draw tens of thousands
    return program


class Swallow:
    """A context manager that logs, and swallows some exceptions."""

    def __init__(self, log: Callable[..., Any], kinds: tuple[type[BaseException], ...]) -> None:
        self.log = log
        self.kinds = kinds

    def __enter__(self) -> int:
        self.log("enter")
        return 7

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        self.log("exit", kind)
        return kind is not None and issubclass(kind, self.kinds)


class Holder:
    """An object with attributes and items."""

    def __init__(self) -> None:
        self.n = 1
        self.items = [1, 2, 3]


short = reprlib.repr  # values may hold one another many times


def run(program: Callable[..., Any], names: dict[str, Any]) -> tuple[Any, list[Any]]:
    """The result or the error of a call, with the line, and everything that it logged."""
    events: list[Any] = []
    fuel = [60]

    def log(*values: Any) -> Any:
        events.append(short(values))
        if len(events) > 300:
            raise OverflowError
        return values[0]

    def more() -> bool:
        fuel[0] -= 1
        return fuel[0] > 0

    names.update(log=log, more=more, quiet=lambda *kinds: Swallow(log, kinds), holder=Holder(), G=5)
    try:
        result: Any = ("result", short(program(3, 4)))
    except Exception as error:
        filename = program.__code__.co_filename
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == filename]
        # An unbound variable that several statements lead to is read in code that CPython keeps once, with one's line.
        line = None if type(error) is UnboundLocalError else lines[-1]
        result = (type(error), str(error) if type(error) in (ValueError, KeyError, AssertionError) else "", line)
    holder = names["holder"]
    return result, [*events, short((holder.n, holder.items, names["G"]))]


class Writer:
    """Writes random functions."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.plus = "+"

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def chance(self) -> bool:
        return self.random.random() < 0.5

    def expression(self, depth: int = 2) -> str:
        """An expression on the names."""
        kind = self.random.randint(0, 17 if depth else 4)
        name = self.pick(*NAMES)
        if kind <= 1:
            return name
        if kind == 2:
            return str(self.random.randint(-3, 9))
        if kind == 3:
            return self.pick("log(1)", "more()", "holder.n", "G", "e", "len(holder.items)")
        if kind == 4:
            return self.pick("None", "True", "False", "''", "[]", "[0, 1]", "{}")
        x, y, z = (self.expression(depth - 1) for _ in range(3))
        return {
            5: f"({x} and {y})",
            6: f"({x} or {y} or {z})",
            7: f"(not {x})",
            8: f"({x} if {y} else {z})",
            9: f"({x} < {y} <= {z})",
            10: f"log({x})",
            11: f"({x} {self.plus} {y})",
            12: f"({name} := {x})",
            13: f"({x} == {y})",
            14: f"[i + {name} for i in range(3) if i != {x}]",
            15: f"({x} in ({y}, {z}))",
            16: f"(lambda p, q={x}: (p, q, {name}))({y})",
            17: f"f'{{{name}!r:>4.6}}-{{{x}!s:.6}}'".replace("''", '""'),
        }[kind]

    def block(self, depth: int, loops: int, size: int = 3) -> list[str]:
        """The lines of an indented block."""
        lines: list[str] = []
        for _ in range(self.random.randint(1, size)):
            lines.extend(self.statement(depth, loops))
        return ["    " + line for line in lines]

    def statement(self, depth: int, loops: int) -> list[str]:
        """The lines of one statement."""
        kind = self.random.randint(0, 27 if depth else 13)
        return self.compound(kind, depth - 1, loops) if kind > 13 else self.simple(kind, loops)

    def simple(self, kind: int, loops: int) -> list[str]:
        name, value = self.pick(*NAMES), self.expression()
        if kind <= 2:
            return [f"{name} = {value}"]
        if kind == 3:
            return [f"{name} {self.plus}= {value}"]
        if kind == 4:
            return [f"log({value}, {self.expression()})"]
        if kind == 5:
            return [self.pick("break", "continue") if loops else "pass"]
        if kind == 6:
            return [f"return {value}"]
        if kind == 7:
            return [self.pick("raise ValueError('v')", "raise KeyError(1) from None", f"assert {value}, log('m')")]
        if kind == 8:
            return [self.pick(f"del {name}", f"holder.n = {value}", f"holder.n += {value}")]
        if kind == 9:
            return [
                self.pick(f"holder.items[0] = {value}", f"holder.items[log(1)] += {value}", f"{name}, *e = 1, {value}")
            ]
        if kind == 10:
            return [f"{name}, holder.n = {value}, 2"]
        if kind == 11:
            return ["def inner(k=1):", "    nonlocal b", f"    b = ({value}, k)", f"    return {name}", "log(inner())"]
        if kind == 12:
            return [f"{name} = [{value}, 1]", f"{name}[0] = {self.expression()}", f"{name}[-1] += 1"]
        return [f"G = {value}" if self.chance() else f"thunks.append(lambda: {name})"]

    def compound(self, kind: int, depth: int, loops: int) -> list[str]:
        name, value = self.pick(*NAMES), self.expression()
        if kind <= 18:
            lines = [f"if {value}:", *self.block(depth, loops)]
            if self.chance():
                lines += [f"elif {self.expression()}:", *self.block(depth, loops)]
            if self.chance():
                lines += ["else:", *self.block(depth, loops)]
            return lines
        if kind <= 23:
            head = f"while more() and {value}:"
            if kind > 20:
                target = self.pick(name, f"({name}, e)", "holder.n", "holder.items[0]", "i")
                head = f"for {target} in {self.pick('range(3)', '[(1, 2), (3, 4)]', '[[]]', 'holder.items', value)}:"
            orelse = ["else:", *self.block(depth, loops)] if self.chance() else []
            self.plus = "-"  # a text that doubles in every iteration gets too long
            looped = self.block(depth, loops + 1)
            self.plus = "+" if not loops else "-"
            return [head, *looped, *orelse]
        if kind <= 25:
            return self.try_statement(depth, loops)
        if kind == 26:
            return [f"with quiet({self.pick('', 'ValueError', 'Exception')}) as {name}:", *self.block(depth, loops)]
        lines = [f"match {value}:"]
        for case in ("int(e) if e > 3", "[x, *b]", "{'k': c, **d}", "_"):
            lines += [f"    case {case}:", *("    " + line for line in self.block(depth, loops))]
        return lines

    def try_statement(self, depth: int, loops: int) -> list[str]:
        lines = ["try:", *self.block(depth, loops)]
        final = self.chance()
        if self.chance() or not final:
            handler = self.pick("except ValueError as e:", "except (KeyError, TypeError):", "except Exception as e:")
            lines += [handler, *self.block(depth, loops)]
            if self.chance():
                lines += ["else:", *self.block(depth, loops)]
        return lines + (["finally:", *self.block(depth, loops)] if final else [])

    def program(self) -> str:
        """The text of a function."""
        declared = ["    global G"] if self.chance() else []
        body = self.block(3, 0, 6)
        lines = ["def program(a, b):", *declared, "    thunks = []", *body, "    return a, b, [t() for t in thunks]"]
        return "\n".join(lines) + "\n"


def compare(text: str, floor: Floor | None = None) -> None:
    """The function and its converted form do the same."""
    if floor is not None:
        floor.case()
    names: dict[str, Any] = {}
    try:
        program = define(text, names)
    except SyntaxError:
        return  # such as two patterns that bind different names
    if floor is not None:
        floor.check()
    note(text)
    expected = run(program, names)
    note(converted_source(program))
    assert run(convert(program), names) == expected
    forget_trees()  # compilation does; this only converts


randoms = st.randoms(use_true_random=True)


def test_random_programs() -> None:
    @settings(max_examples=30, deadline=None)
    @given(randoms)
    def check(random: Random) -> None:
        compare(Writer(random).program(), floor)

    with Floor(0.4) as floor:
        check()


@pytest.mark.slow
@settings(max_examples=30_000, deadline=None)
@given(randoms)
def test_many_random_programs(random: Random) -> None:
    compare(Writer(random).program())
