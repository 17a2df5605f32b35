"""Random programs with run-time conditions: the compiled function behaves as the eager one."""

# ruff: noqa: E501 lines of program text read best whole

from __future__ import annotations

import itertools
import linecache
import warnings
import weakref
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import currently_in_test_context, given, note, settings, strategies as st

import mycel as ms
from mycel import Tensor
from mycel.frontend.control_flow import iteration_trace

INPUTS = ((1.0, 2.0), (-3.0, 0.5), (4.0, -1.0), (0.0, 0.0))
_numbers = itertools.count()


def define(text: str, wanted: str = "program") -> Callable[..., Any]:
    """A function of a text that has a file of its own."""
    filename = f"<random traced program {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names: dict[str, Any] = {"ms": ms, "Tensor": Tensor, "Holder": Holder}
    exec(compile(text, filename, "exec"), names)
    program: Callable[..., Any] = names[wanted]
    weakref.finalize(program, linecache.cache.pop, filename, None)  # long searches draw tens of thousands
    return program


class Holder:
    """An object with attributes."""

    def __init__(self) -> None:
        self.n = 1
        self.t = Tensor(2.0)


class Writer:
    """Writes random functions of two scalar tensors whose values keep their types."""

    rounds: tuple[str, ...] = ("2", "3")  # of loops

    def __init__(self, random: Random) -> None:
        self.random = random
        self.counters = itertools.count()
        # after a run-time loop nobody knows which tensor a name is, so that programs have loops or updates in place
        self.in_place = self.chance(0.4)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def chance(self, share: float = 0.5) -> bool:
        return self.random.random() < share

    def tensor(self, depth: int = 2) -> str:
        """An expression whose value is a Float32 tensor."""
        if not depth or self.chance(0.4):
            return self.pick("a", "b", "c", "p[0]", "p[1]", "holder.t", "q['k']", "items[0]")
        x, y = self.tensor(depth - 1), self.tensor(depth - 1)
        return self.pick(
            f"({x} + {y})", f"({x} - {y})", f"({x} * 0.5 + n)", f"({x} if {self.test()} else {y})", f"helper({x}, {y})"
        )

    def number(self) -> str:
        """An expression whose value is a Python int."""
        return self.pick("n", "m", "n + 1", "m - 2", "3", "holder.n", f"(n if {self.test()} else m)")

    increment = number

    def test(self) -> str:
        """A condition, mostly one only the run knows."""
        x = self.pick("a", "b", "c", "p[0]")
        y = self.pick("0", "1.5", "b", "c", "n")
        simple = f"{x} {self.pick('<', '>', '<=')} {y}"
        return self.pick(
            simple, simple, simple, f"not {simple}", f"({simple} and n < 4)", f"({simple} or b > 1)", "n < 3", "m == 2", "flag",
            f"-2 < {x} <= 3",
        )  # fmt: skip

    def block(self, depth: int, loops: int, size: int = 3) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, size)):
            lines.extend(self.statement(depth, loops))
        return ["    " + line for line in lines]

    def statement(self, depth: int, loops: int) -> list[str]:
        kind = self.random.randint(0, 23 if depth else 13)
        name = self.pick("a", "b", "c")
        if kind <= 2:
            return [f"{name} = {self.tensor()}"]
        if kind == 3:
            operator = self.pick("+", "-")
            return [f"{name} {operator}= {self.tensor()}" if self.in_place else f"{name} = {name} {operator} b"]
        if kind == 4:
            return [f"{self.pick('n', 'm')} {self.pick('=', '=', '+=')} {self.increment()}"]
        own = " * 1.0" if self.in_place else ""  # a tensor that is no other
        if kind == 5:
            return [f"p = ({self.tensor()}{own}, {self.tensor()}{own})"]
        if kind == 6:
            return [f"a, b = {self.tensor()}, {self.tensor()}"]
        if kind == 7:
            return [f"holder.t = {self.tensor()}{own}"]
        if kind == 8:
            return [f"holder.n = {self.number()}"]
        if kind == 9:
            return [
                self.pick(
                    f"items[0] = {self.tensor()}{own}",
                    f"q['k'] = {self.tensor()}{own}",
                    f"items[-1] = items[0] - {name}",
                )
            ]
        if kind == 10:
            return [f"flag = {self.pick('a > 0', 'b < c', 'not flag')}"]
        if kind in (11, 12):
            jump = (
                self.pick("break", "continue")
                if loops and self.chance(0.7)
                else f"return {self.tensor()}, b, c, {self.number()}, m, p, flag, items, q"
            )
            return [f"if {self.test()}:", f"    {jump}"]
        if kind == 13:
            return ["def inner(k):", "    nonlocal c", f"    c = c + k * {self.tensor(1)}", "inner(0.5)"]
        if kind <= 18:
            lines = [f"if {self.test()}:", *self.block(depth - 1, loops)]
            if self.chance(0.3):
                lines += [f"elif {self.test()}:", *self.block(depth - 1, loops)]
            if self.chance():
                lines += ["else:", *self.block(depth - 1, loops)]
            return lines
        orelse = ["else:", *self.block(depth - 1, loops)] if self.chance(0.3) else []
        counter = f"i{next(self.counters)}"
        if kind <= 20 and not self.in_place:
            start, step = self.pick(
                (f"{counter} = 0", f"{counter} += 1"), (f"{counter} = a * 0", f"{counter} = {counter} + 1")
            )  # type: ignore[arg-type]
            test = f"{counter} < {self.pick(*self.rounds)}" + self.pick("", f" and {self.test()}")
            return [start, f"while {test}:", f"    {step}", *self.block(depth - 1, loops + 1), *orelse]
        if kind <= 21:
            bound = self.rounds[0] if self.in_place else self.pick(*self.rounds[::-1], "int(abs(b) % 3)")
            return [f"for {counter} in range({bound}):", *self.block(depth - 1, loops + 1), *orelse]
        if kind == 22:
            return [
                f"for {counter} in {self.pick('(a, b)', 'p', 'items')}:",
                f"    c = c + {counter}",
                *self.block(depth - 1, loops + 1),
                *orelse,
            ]
        return ["try:", *self.block(depth - 1, loops), "finally:", "    n += 1"]

    def program(self) -> str:
        lines = [
            "def helper(x, y):",
            f"    {'if x < y: return x - 1' if self.chance() else 'y = y + 1'}",
            "    return x * y * 0.25",
        ]
        lines += ["def program(a, b, holder):"]
        setup = [
            "c = a + b",
            "n = 1",
            "m = 2",
            "p = (a * 1, b * 2)",
            "flag = a > b",
            "items = [a * 3, b * 1]",
            "q = {'k': b * 2}",
        ]
        lines += ["    " + line for line in setup]
        lines += self.block(3, 0, 6)
        return "\n".join([*lines, "    return a, b, c, n, m, p, flag, items, q"]) + "\n"


class LongLoops(Writer):
    """As `Writer`, with loops of more iterations. Numbers grow slowly: their sums have 64 bits in a graph."""

    rounds = ("4", "5")

    def increment(self) -> str:
        return "1"


def plain(value: Any) -> Any:
    """A result as numbers."""
    if isinstance(value, Tensor):
        if value.ndim == 0 and value.dtype is ms.bool_:
            return ("bool", bool(value))  # `not` of a tensor is a tensor in a graph
        return ("tensor", str(value.dtype), value.shape, np.asarray(value.asnumpy(), np.float64).tolist())
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, *map(plain, value)]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return (type(value).__name__, value)


def close(a: Any, b: Any) -> bool:
    """Whether two plain results are equal up to rounding."""
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(close(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, float) and isinstance(b, (int, float)):
        return bool(np.isclose(a, b, rtol=1e-4, atol=1e-4, equal_nan=True))
    return bool(a == b)


def run(program: Callable[..., Any], inputs: tuple[float, float]) -> Any:
    """The result or the error of a call, and its changes of its arguments."""
    a, b = (Tensor(value, ms.float32) for value in inputs)
    holder = Holder()
    try:
        result = plain(program(a, b, holder))
    except Exception as error:
        return type(error).__name__, str(error)
    return [result, plain(a), plain(b), plain(holder.n), plain(holder.t)]


def compare(text: str) -> str:
    """The function and its compiled form do the same; how the compiled form ran."""
    if currently_in_test_context():
        note(text)
    program = define(text)
    compiled = ms.jit(program)
    ways = []
    for inputs in INPUTS:
        expected = run(program, inputs)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ms.FallbackWarning)
            got = run(compiled, inputs)
        ways.append("eager" if any(trace.eager for trace in compiled.explain().traces) else "graph")
        if got[0] == "UnboundLocalError" and ("not defined" in got[1] or "outside of the loop" in got[1]):
            return "refused"
        assert close(got, expected), (inputs, got, expected)
    return ways[-1]


randoms = st.randoms(use_true_random=True)


def test_random_traced_programs() -> None:
    for seed in (*range(4), 305, 416, 941, 1345, 1517):  # always the same ones: the slow tests draw others
        compare(Writer(Random(seed)).program())


@pytest.mark.slow
@settings(max_examples=5_000, deadline=None)
@given(randoms)
def test_many_random_traced_programs(random: Random) -> None:
    compare(Writer(random).program())


@pytest.fixture
def loops_of_three(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops are recorded once from three iterations on."""
    monkeypatch.setattr(iteration_trace, "MIN_ITERATIONS", 3)
    monkeypatch.setattr(iteration_trace, "MIN_OF_COSTLY", 3)


@pytest.mark.usefixtures("loops_of_three")
def test_random_programs_with_loops_recorded_once() -> None:
    for seed in range(5):
        compare(LongLoops(Random(seed)).program())


@pytest.mark.slow
@pytest.mark.usefixtures("loops_of_three")
def test_many_random_programs_with_loops_recorded_once() -> None:
    for seed in range(2_000):
        compare(LongLoops(Random(seed)).program())


TAIL = """
def total(value):
    if isinstance(value, Tensor):
        return value * 1.0 if value.dtype == ms.float32 else 0.0
    if isinstance(value, dict):
        value = list(value.values())
    result = 0.0
    if isinstance(value, (list, tuple)):
        for position, item in enumerate(value):
            result = result + total(item) * (1 + position)
    return result
def loss(a, b):
    holder = Holder()
    return total(program(a, b, holder)) + holder.t * 0.5
"""


def gradients(function: Callable[..., Any], inputs: tuple[float, float]) -> Any:
    """The gradients of a function of two scalar tensors, or its error."""
    a, b = (Tensor(value, ms.float32) for value in inputs)
    try:
        return plain(function(a, b))
    except Exception as error:
        return type(error).__name__, str(error)


def compare_gradients(text: str) -> str:
    """Gradients in the graph are those of the tape. Returns how the compiled form ran."""
    if currently_in_test_context():
        note(text)
    loss = define(text + TAIL, "loss")
    gradient = ms.grad(loss, (0, 1))
    compiled = ms.jit(gradient)
    for inputs in INPUTS:
        with ms.disable_jit():
            expected = gradients(gradient, inputs)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ms.FallbackWarning)
            got = gradients(compiled, inputs)
        if got[0] == "UnboundLocalError" and ("not defined" in got[1] or "outside of the loop" in got[1]):
            return "refused"
        assert close(got, expected), (inputs, got, expected)
    return "eager" if any(trace.eager for trace in compiled.explain().traces) else "graph"


def test_random_gradients() -> None:
    for seed in range(6):
        compare_gradients(Writer(Random(seed)).program())


@pytest.mark.slow
@settings(max_examples=2_000, deadline=None)
@given(randoms)
def test_many_random_gradients(random: Random) -> None:
    compare_gradients(Writer(random).program())


def compare_rows(text: str) -> None:
    """A batch has the values and gradients of its rows."""
    gradient = ms.value_and_grad(define(text + TAIL, "loss"), (0, 1))
    compiled = ms.jit(gradient)
    expected = [plain(compiled(*[Tensor(value, ms.float32) for value in inputs])) for inputs in INPUTS]
    if any(trace.eager for trace in compiled.explain().traces):
        return
    columns = [Tensor(np.array(column, np.float32)) for column in zip(*INPUTS, strict=True)]
    value, (da, db) = ms.vmap(gradient)(*columns)
    for row, want in enumerate(expected):
        got = plain((value[row], (da[row], db[row])))
        assert close(got[2:], want[2:]), (INPUTS[row], got, want)
        assert close(float(got[1][-1]), float(want[1][-1])), (INPUTS[row], got, want)


def test_random_programs_on_batches() -> None:
    for seed in (7, 13, 21, 51, 60, 61, 62):
        compare_rows(Writer(Random(seed)).program())
