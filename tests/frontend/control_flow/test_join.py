"""Values of different kinds that meet after a branch or a loop of the run: joined, run as Python, or an error."""

from __future__ import annotations

import itertools
import linecache
import sys
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops

_numbers = itertools.count()


class Writer:
    """Writes random functions whose bools are Bool tensors here and bools of the run there."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.counters = itertools.count()

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def boolean(self, depth: int = 2) -> str:
        """An expression whose value is a bool of one kind or the other."""
        if not depth or self.random.random() < 0.3:
            return self.pick(
                "f", "g", "h", "x > 0", "y < 2", "k > 1", "k == j", "bool(x > y)", "not g", "x + y > k", "True",
                "int(y) > 1", "float(x) < 2.0",
            )  # fmt: skip
        a, b, c = (self.boolean(depth - 1) for _ in range(3))
        return self.pick(
            f"({a} and {b})", f"({a} or {b})", f"({a} and {b} or {c})", f"(not {a})", f"({a} if {b} else {c})",
            f"any([{a}, {b}])", f"all(({a}, {b}))", f"(large(x, y) and {a})", f"({a} or large(y, x))", f"mixed(x, {a})",
        )  # fmt: skip

    def block(self, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(depth)
        return ["    " + line for line in lines]

    def statement(self, depth: int) -> list[str]:
        kind = self.random.randint(0, 11 if depth else 6)
        if kind <= 2:
            return [f"{self.pick('f', 'g', 'h')} = {self.boolean()}"]
        if kind == 3:
            return [f"{self.pick('k', 'j')} {self.pick('=', '+=')} {self.pick('1', 'j', 'k + 1', 'int(x)')}"]
        if kind == 4:
            return [f"{self.pick('x', 'y')} = {self.pick('x + 0.5', 'y * 0.5', 'x - y', 'y + k')}"]
        if kind == 5:
            leave = self.pick("return f, g, h, x, y, k, j", "return x > 1, g, f, y, x, k, j", "x = x + 1", "f = True")
            return [f"if {self.boolean()}:", f"    {leave}"]
        if kind == 6:
            return [f"f, g = {self.boolean()}, {self.boolean()}"]
        if kind <= 8:
            orelse = ["else:", *self.block(depth - 1)] if self.random.random() < 0.5 else []
            return [f"if {self.boolean()}:", *self.block(depth - 1), *orelse]
        counter = f"i{next(self.counters)}"
        if kind == 9:
            return [f"for {counter} in range({self.pick('2', '3', 'int(n)')}):", *self.block(depth - 1)]
        test = f"{counter} < {self.pick('n', '2')} and {self.boolean(1)}"
        return [f"{counter} = n * 0", f"while {test}:", f"    {counter} = {counter} + 1", *self.block(depth - 1)]

    def program(self) -> str:
        head = """
def large(x, y):
    for _ in range(3):
        x = x * 0.5 + y * y - ops.tanh(x)
    return x > y
def mixed(x, b):
    if x > 1:
        return b
    return x < 3
def program(x, y, n):
    f, g, h, k, j = x > y, False, int(y) > 0, int(n), 1
"""
        lines = [*self.block(3), *self.block(2), *self.block(3)]
        return head + "\n".join([*lines, "    return f, g, h, x, y, k, j"]) + "\n"


def define(text: str) -> Callable[..., Any]:
    """The function of a text that has a file of its own."""
    filename = f"<random program of bools {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names: dict[str, Any] = {"ops": ops}
    exec(compile(text, filename, "exec"), names)
    program: Callable[..., Any] = names["program"]
    return program


def numbers(function: Callable[..., Any], inputs: tuple[float, float, int]) -> list[float]:
    """The result of a call as numbers."""
    x, y, n = inputs
    result = function(Tensor(x, ms.float32), Tensor(y, ms.float32), Tensor(n, ms.int32))
    return [float(value) for value in result]


def compare(seed: int) -> bool:
    """The compiled function agrees with Python. Returns whether it is a graph."""
    program = define(Writer(Random(seed)).program())
    compiled = ms.jit(program)
    for inputs in ((1.0, 2.0, 2), (3.0, -1.0, 1), (-2.0, 0.5, 3)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ms.FallbackWarning)
            found = numbers(compiled, inputs)
        np.testing.assert_allclose(found, numbers(program, inputs), rtol=1e-4, atol=1e-4, err_msg=str((seed, inputs)))
    return not any(trace.eager for trace in compiled.explain().traces)


@pytest.mark.parametrize("first", [0, pytest.param(15, marks=pytest.mark.slow)])
def test_random_bools_of_both_kinds(first: int) -> None:
    assert sum(map(compare, range(first, first + 15))) >= 9


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 5_000, 100))
def test_many_random_bools_of_both_kinds(start: int) -> None:
    assert sum(map(compare, range(start, start + 100))) >= 60


def by_branch(x: Any, y: Any) -> Any:
    return x > 0 if x > y else bool(y > 0)


def by_constant(x: Any, y: Any) -> Any:
    flag = False
    if x > y:
        flag = x > 0
    return flag


def by_loop(x: Any, y: Any) -> Any:
    flag = False
    while x < y:
        flag = (flag or x > 0) and y > 0
        x = x + 1
    return flag


def by_loop_to_a_bool(x: Any, y: Any) -> Any:
    flag = x > y
    while x < y:
        flag = int(y) > 3
        x = x + 1
    return flag


def by_nested_loops(x: Any, y: Any) -> Any:
    flag, other = True, x > y
    while x < y:
        for _ in range(int(y)):
            flag = other and (flag or int(x) > 1)
            other = flag or (large(x, y) and x < y)
        x = x + 1
    return flag


def large(x: Any, y: Any) -> Any:
    for _ in range(3):
        x = x * 0.5 + y * y - ops.tanh(x)
    return x > y


@pytest.mark.parametrize("function", [by_branch, by_constant, by_loop, by_loop_to_a_bool, by_nested_loops])
@pytest.mark.parametrize(("x", "y"), [(1.0, 2.0), (3.0, -1.0), (-1.0, 4.0), (-3.0, -1.0)])
def test_a_bool_tensor_and_a_bool_of_the_run(function: Any, x: float, y: float) -> None:
    """They are one Bool tensor in a graph."""
    inputs = Tensor(x), Tensor(y)
    found = ms.jit(function, fullgraph=True)(*inputs)
    assert isinstance(found, Tensor)
    assert found.dtype is ms.bool_
    assert bool(found) == bool(function(*inputs))


def tensor_or_number(x: Any) -> Any:
    return x if x > 0 else 1.0


def number_of_two_kinds(x: Any) -> Any:
    return 1 if x > 0 else 2.5


def grows_to_a_float(x: Any) -> Any:
    total = 0
    while x > 0:
        total = total + 0.5
        x = x - 1
    return total


def grows_to_a_tensor(x: Any) -> Any:
    total = 0.0
    while x > 0:
        total = total + x
        x = x - 1
    return total


@pytest.mark.parametrize("function", [tensor_or_number, number_of_two_kinds, grows_to_a_float, grows_to_a_tensor])
def test_python_values_of_different_kinds(function: Any) -> None:
    """Python accepts them, so the function runs as Python; under `fullgraph` it is refused."""
    for number in (2.0, -2.0):
        x = Tensor(number)
        with pytest.warns(ms.FallbackWarning, match="Cannot join the return values of different branches"):
            found = ms.jit(function)(x)
        assert type(found) is type(function(x))
        assert found == function(x)
        with pytest.raises(TypeError, match="Cannot join the return values of different branches"):
            ms.jit(function, fullgraph=True)(x)


def test_gradients_of_values_of_different_kinds() -> None:
    def f(x: Any) -> Any:
        return (x if x > 0 else 1.0) * x

    with pytest.warns(ms.FallbackWarning, match="Cannot join"):
        found = ms.jit(ms.grad(f))(Tensor(3.0))
    assert found == 6.0


@pytest.mark.parametrize("updates", [False, True])
def test_what_a_name_may_stand_for_is_computed_where_it_is_asked_for(updates: bool) -> None:
    def function(x: Tensor) -> Tensor:
        y = x * 1
        z = y
        if x.sum() > 0:
            z = x * 2
        if updates:
            z += 1
        return y + 3 * z

    for numbers in ([1.0, 2.0], [4.0, 5.0], [-1.0, -2.0]):
        x = Tensor(numbers)
        compiled = ms.jit(function)
        np.testing.assert_array_equal(compiled(x).asnumpy(), function(x).asnumpy())
        assert ("logical_not" in str(compiled.stages(x).forward)) is updates


def test_errors_name_the_lines_of_both_branches() -> None:
    """Also in code of one function, for values that no node computes."""

    @ms.jit
    def one_line(x: Tensor) -> Any:
        # fmt: off
        if x > 0: y: Any = "a"  # noqa: E701
        else: y = 3  # noqa: E701
        # fmt: on
        return x * y

    @ms.jit
    def spread(x: Tensor) -> Any:
        y: Any = 0
        if x > 0:
            # no statement
            y = "a"
            y = y + "b"
        else:
            # none, too
            y = 3
        return x * y

    for function, lines in ((one_line, (2, 3)), (spread, (4, 8))):
        first = function.__wrapped__.__code__.co_firstlineno + 1
        then, orelse = (f"test_join.py:{first + line}" for line in lines)
        with pytest.raises(TypeError, match=rf"true branch \({then}\), but .* false branch \({orelse}\)"):
            function(Tensor(1.0))


@pytest.mark.parametrize("number", [2, -2])
def test_a_debugger_sees_the_lines_of_the_branch_that_runs(number: int) -> None:
    def function(x: Tensor, number: int) -> Tensor:
        y = x
        if number > 0:
            y = x + 1
        else:
            y = x + 2
        return y

    seen: set[int] = set()

    def note(frame: Any, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != __file__:
            return None
        if event == "line":
            seen.add(frame.f_lineno - function.__code__.co_firstlineno)
        return note

    ms.jit(function)(Tensor(1.0), 0)  # converts it
    before = sys.gettrace()
    sys.settrace(note)
    try:
        ms.jit(function)(Tensor(1.0), number)
    finally:
        sys.settrace(before)
    assert seen == {1, 2, 3 if number > 0 else 5, 6}


def a_returned_dict(s: Tensor, x: Tensor) -> Any:
    table = {"x": x - 1}
    if s > 0.25:
        table = {"x": x - 2}
        if x.sum() > 2:
            return s, table
        table["x"] = x * 3
    return -s, table


def a_list_in_a_returned_tuple(s: Tensor, x: Tensor) -> Any:
    items = [x - 1, (x,)]
    if s > 0.25:
        items = [x - 2, (x + 1,)]
        if x.sum() > 2:
            return s, (items, x), items[1][0]
        items[0] = items[0] * x
        items[1] = (items[0],)
    return -s, (items, x), items[0]


def a_nested_list_that_the_rest_changes(s: Tensor, x: Tensor) -> Any:
    found: dict[str, Any] = {"all": [x - 1]}
    if s > 0.25:
        found = {"all": [x - 2]}
        if x.sum() > 2:
            found["all"][0] = found["all"][0] + s
            return s, found
        found["all"][0] = found["all"][0] * x
        if x.sum() > 1:
            return s * 2, found
        found["all"][0] = found["all"][0] - x
    return -s, found


@pytest.mark.parametrize("x", [0.25, 0.75, 3.0])
@pytest.mark.parametrize("s", [0.125, 0.5])
@pytest.mark.parametrize("function", [a_returned_dict, a_list_in_a_returned_tuple, a_nested_list_that_the_rest_changes])
def test_containers_of_a_branch_that_are_returned_early_and_changed_later(
    function: Callable[[Tensor, Tensor], Any], s: float, x: float
) -> None:
    inputs = Tensor(s), Tensor([x, x])
    assert str(ms.jit(function)(*inputs)) == str(function(*inputs))
