"""Variables that called functions rebind (`nonlocal`, `global`) where only the run knows whether the call is made."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor

TOTAL: Any = None
COUNT: Any = 0
KEPT: dict[str, Any] = {}


def numbers(value: Any) -> Any:
    """Tensors as lists."""
    if isinstance(value, (tuple, list)):
        return [numbers(item) for item in value]
    return value.asnumpy().astype(float).tolist() if isinstance(value, Tensor) else value


def close(a: Any, b: Any) -> bool:
    """Whether lists of numbers are equal but for rounding."""
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(close, a, b))
    return bool(np.isclose(float(a), float(b), rtol=1e-5))


# Functions whose variables others rebind


def add_total(x: Any) -> Any:
    global TOTAL
    TOTAL = TOTAL + x
    return TOTAL


def add_twice(x: Any) -> Any:
    return add_total(x * 2) * 0.5


def counted(x: Any) -> Any:
    global COUNT
    COUNT = COUNT + 1
    return x * COUNT


def make_adder() -> tuple[Callable[..., Any], Callable[..., Any]]:
    kept: Any = None

    def add(x: Any) -> Any:
        nonlocal kept
        kept = kept + x
        return kept

    def reset(value: Any = None) -> Any:
        nonlocal kept
        if value is not None:
            kept = value
        return kept

    return add, reset


add, kept_sum = make_adder()


def make_counter() -> Callable[[], int]:
    n = 0

    def tick() -> int:
        nonlocal n
        n += 1
        return n

    return tick


def reset() -> None:
    global TOTAL, COUNT
    TOTAL, COUNT = Tensor([1.0, 2.0]), 0
    KEPT["a"] = Tensor([1.0, 1.0])
    kept_sum(Tensor([3.0, 4.0]))


# Programs


def ternary(x: Any) -> Any:
    y = x * 2

    def bump(a: Any) -> Any:
        nonlocal y
        y = y + a
        return y

    z = bump(x) if x.sum() > 0 else bump(x * 3)
    return z, y


def ternary_in_place(x: Any) -> Any:
    y = x * 1

    def bump(a: Any) -> Any:
        nonlocal y
        y[0] = a[1]
        y = y + a
        return y

    z = bump(x) if x.sum() > 0 else y
    z += 1
    return z, y


def and_or(x: Any) -> Any:
    y = x * 2

    def bump(a: Any) -> Any:
        nonlocal y
        y = y + a
        return y.sum() > 0

    return x.sum() > 0 and bump(x), y, x[0] > 0 or bump(x * 3), y


def chain(x: Any) -> Any:
    y = x

    def bump(a: Any) -> Any:
        nonlocal y
        y = y + a
        return y.sum()

    return 0 < bump(x) < bump(x * 2) < bump(x * 3), y


def walrus(x: Any) -> Any:
    y = w = u = x
    z = x.sum() > 0 and (y := x * 3).sum() > 1
    q = (w := x * 5) if x[0] > 0 else x
    c = 0 < x.sum() < (u := x * 7).sum() < 100
    a = b = x
    d = x.sum() > 0 and (a := x * 2).sum() > 3 and (b := x * 9).sum() > 0
    return z, y, q, w, c, u, a, b, d


def walrus_of_a_global(x: Any) -> Any:
    global TOTAL
    z = (TOTAL := TOTAL + x) if x.sum() > 0 else x
    w = x[0] > 0 and (TOTAL := TOTAL * 2).sum() > 0
    return z, w, TOTAL


def walrus_nonlocal(x: Any) -> Any:
    y = x

    def inner(a: Any) -> Any:
        nonlocal y
        b = a.sum() > 0 and (y := y + a).sum() > 0
        y = (y := y * 2) if a[0] > 0 else y
        return b

    return inner(x), y


def global_in_expression(x: Any) -> Any:
    z = add_total(x) if x.sum() > 0 else x
    return z, TOTAL


def global_in_statement(x: Any) -> Any:
    z = x
    if x.sum() > 0:
        z = add_twice(x)
    return z, TOTAL


def global_number(x: Any) -> Any:
    z = counted(x) if x.sum() > 0 else x
    return z, x * COUNT


def global_in_condition(x: Any) -> Any:
    z = x.sum() if (x.sum() > 0 and add_total(x).sum() > 2) else TOTAL.sum()
    return z, TOTAL


def global_in_rows(x: Any) -> Any:
    for v in x:
        if v > 0:
            add_total(v)
            break
    return TOTAL


def closure_of_another_function(x: Any) -> Any:
    z = add(x) if x.sum() > 0 else x
    if x[0] > 0:
        z = z + add(x)
    return z, kept_sum()


def closure_in_a_while(x: Any) -> Any:
    z = x * 1
    while z.sum() < 5 and z.sum() > -1:
        z = z + 1
        add(z)
    return z, kept_sum()


def closure_in_a_range(x: Any) -> Any:
    z = x * 1
    for _ in range(abs((x.sum() * 10).astype(ms.int32)) % 4):
        z = (z + add(z) * 0.5) if z[0] > 0 else z * 0.5
    return z, kept_sum()


def number_in_a_while(x: Any) -> Any:
    n = 0

    def tick(a: Any) -> Any:
        nonlocal n
        n = n + 1
        return a

    i = x.sum() * 0
    while i < 3:
        i = i + 1
        x = tick(x) * 2
    return x * n


def many_rounds(x: Any) -> Any:
    y = x * 0

    def bump(a: Any) -> Any:
        nonlocal y
        y = y + a
        return y

    for _ in range(60):
        x = (bump(x) if x.sum() > 0 else bump(x * 0.5)) * 0.1
        add(x)
    return x, y, kept_sum()


def two_levels(x: Any) -> Any:
    y = x * 2

    def bump(a: Any) -> Any:
        nonlocal y
        y = y + a
        return y

    def outer(a: Any) -> Any:
        def inner(b: Any) -> Any:
            nonlocal y
            y = y * b
            return bump(b)

        return inner(a) if a.sum() > 0 else bump(a)

    z = outer(x) if x[0] > 0 else x
    return z, y


def recursion(x: Any) -> Any:
    y = x * 0

    def again(a: Any, n: int) -> Any:
        nonlocal y
        y = y + a
        return again(a * 0.5, n - 1) if n > 0 else a

    z = again(x, 3) if x.sum() > 0 else x
    return z, y


def comprehension(x: Any) -> Any:
    y = x * 2

    def bump(a: Any) -> Any:
        nonlocal y
        y = y + a
        return y

    z = [bump(x) if v > 0 else x for v in x]
    return z, y


def while_condition(x: Any) -> Any:
    y = x * 2

    def bump(a: Any) -> Any:
        nonlocal y
        y = y + a
        return y.sum() > 3

    z = x
    while bump(x) and y.sum() < 20:
        z = z + y
    return z, y


def default_argument(x: Any) -> Any:
    y = x * 2

    def bump(a: Any) -> Any:
        nonlocal y
        y = y + a
        return y

    def inner(a: Any, b: Any = (bump(x) if x.sum() > 0 else x)) -> Any:  # noqa: B008
        return a + b

    return inner(x), y


def generator(x: Any) -> Any:
    y = x * 2

    def bump(a: Any) -> Any:
        nonlocal y
        y = y + a
        return y

    def rows() -> Any:
        nonlocal y
        yield bump(x) if x.sum() > 0 else x
        y = y * 2
        yield bump(x * 2)

    z = sum(rows()) if x[0] > 0 else x
    return z, y


def given_to_builtins(x: Any) -> Any:
    y = x

    def bump(a: Any) -> Any:
        nonlocal y
        y = y + a
        return y

    z = functools.reduce(lambda a, b: bump(a + b), [x, x, x]) if x.sum() > 0 else x
    w = list(map(bump, [x, x]))[1] if x[0] > 0 else x
    return z, w, y


def method(x: Any) -> Any:
    y = x

    class Box:
        def go(self, a: Any) -> Any:
            nonlocal y
            y = y + a
            self.last = y
            return y

    box = Box()
    box.last = x  # type: ignore[attr-defined]
    z = box.go(x) if x.sum() > 0 else x
    w = x[0] > 0 and box.go(x).sum() > 0
    return z, w, y, box.last  # type: ignore[attr-defined]


def containers(x: Any) -> Any:
    items, table = [x, x * 2], {"k": x}
    pair = [x, 0]

    def put(v: Any) -> Any:
        nonlocal pair
        items.append(v)
        items[0] = v
        table["k"] = v
        pair = [pair[0] + v, pair[1] + 1]
        return v.sum() > 0

    x.sum() > 0 and put(x * 3)
    return items[0], table["k"], pair[0], pair[1] * x


def container_of_the_module(x: Any) -> Any:
    KEPT.__setitem__("a", x) if x.sum() > 0 else None
    return KEPT["a"]


def variable_of_the_call(x: Any) -> Any:
    def helper(a: Any) -> Any:
        k = None

        def bump(b: Any) -> Any:
            nonlocal k
            k = b * 2 if k is None else k + b
            return k

        bump(a)
        return bump(a) if a[0] > 0 else k

    return helper(x) if x.sum() > 1 else x


def counters_of_a_maker(x: Any) -> Any:
    tick = make_counter()
    z = x * tick() if x.sum() > 0 else x
    return z, x * tick()


def raises(x: Any) -> Any:
    y = x

    def bump(a: Any) -> Any:
        nonlocal y
        y = y + a
        if a.sum() > 100:
            raise ValueError("too large")
        return y

    z = bump(x) if x.sum() > 0 else x
    return z, y


GRAPHS = [
    ternary, ternary_in_place, and_or, chain, walrus, walrus_of_a_global, walrus_nonlocal, global_in_expression,
    global_in_statement, global_number, global_in_condition, global_in_rows, closure_of_another_function,
    closure_in_a_while, closure_in_a_range, number_in_a_while, many_rounds, two_levels, recursion, comprehension,
    while_condition, default_argument, generator, given_to_builtins, method, containers, container_of_the_module,
    variable_of_the_call, counters_of_a_maker, raises,
]  # fmt: skip
FALLS_BACK = [containers, generator]  # a list's length depends on the branch; a generator keeps its conditions
INPUTS = [[1.0, 2.0], [-1.0, -2.0], [3.0, -1.0], [-1.0, 3.0], [0.2, 0.1], [60.0, 70.0]]


def outcome(function: Callable[..., Any], values: list[float]) -> Any:
    """The results or errors of two calls, and their effects outside."""
    reset()
    given = []
    for factor in (1.0, 0.5):
        try:
            given.append(numbers(function(Tensor(np.array(values, np.float32) * np.float32(factor)))))
        except ValueError as error:
            given.append([float(str(error).startswith("too large"))])
    return [*given, numbers([TOTAL, COUNT, KEPT["a"], kept_sum()])]


def check(compiled: Callable[..., Any], function: Callable[..., Any]) -> None:
    """The compiled function has the same results and effects as the original."""
    for values in INPUTS:
        with ms.disable_jit():
            expected = outcome(function, values)
        got = outcome(compiled, values)
        assert close(got, expected), (values, got, expected)


@pytest.mark.parametrize("function", GRAPHS, ids=lambda function: function.__name__)
def test_called_functions_rebind_variables(function: Callable[..., Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if function in FALLS_BACK else "error", ms.FallbackWarning)
        check(ms.jit(function), function)


def any_of_a_generator(x: Any) -> Any:
    y = x * 0

    def bump(a: Any) -> Any:
        nonlocal y
        y = y + a
        return y.sum() > 0

    return any(bump(v * x) for v in x), all(bump(v * x) for v in x), y


def any_of_a_map(x: Any) -> Any:
    seen = [x * 0]

    def note(a: Any) -> Any:
        seen[0] = seen[0] + a
        return a > 0

    return any(map(note, x)), seen[0]


def all_in_place(x: Any) -> Any:
    y = x * 1

    def bump(a: Any) -> Any:
        y.__imul__(2)
        return a > 0

    return all(bump(v) for v in x), y


@pytest.mark.parametrize("function", [any_of_a_generator, any_of_a_map, all_in_place])
def test_any_and_all_stop_where_python_does(function: Callable[..., Any]) -> None:
    """Code that changes something for an item runs as often as in Python: which is known to the run alone."""
    compiled = ms.jit(function)
    with pytest.warns(ms.FallbackWarning, match="Make a list of the items first"):
        check(compiled, function)


def test_any_and_all_of_items_that_change_nothing_are_a_graph() -> None:
    @ms.jit(fullgraph=True)
    def function(x: Any) -> Any:
        def large(v: Any) -> Any:
            return v * 2 > 1 if v > 0 else v < -3

        return any(large(v) for v in x), all(map(large, x)), any(v > 100 for v in x if x.size)

    for values in ([0.1, 0.2, 0.3], [1.0, 2.0, 3.0], [0.1, -4.0, 200.0]):
        x = Tensor(np.array(values * 30))
        flags = [v * 2 > 1 if v > 0 else v < -3 for v in values]
        assert [bool(flag) for flag in function(x)] == [any(flags), all(flags), max(values) > 100]


def test_a_variable_that_only_one_branch_binds_falls_back() -> None:
    def function(x: Any) -> Any:
        def bind(a: Any) -> Any:
            nonlocal y
            y = a * 2
            return y

        z = bind(x) if x.sum() > 0 else x
        if False:
            y = x
        return z, y

    with pytest.warns(ms.FallbackWarning, match="'y' is bound by a call in one branch"):
        first, second = ms.jit(function)(Tensor([1.0, 2.0]))
    assert numbers([first, second]) == [[2.0, 4.0], [2.0, 4.0]]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_gradients_through_variables_that_calls_rebind(sign: float) -> None:
    def function(x: Any) -> Any:
        y = x * 2

        def bump(a: Any) -> Any:
            nonlocal y
            y = y * a
            return y.sum() > 0

        z = bump(x) if x.sum() > 0 else bump(x * x)
        w = x[0] > 0 and bump(x)
        return (y * y).sum() + z * 1.0 + w * 1.0

    x = Tensor(np.array([1.5, 0.5]) * sign)
    with ms.disable_jit():
        expected = numbers(ms.grad(function)(x))
    assert close(numbers(ms.jit(ms.grad(function), fullgraph=True)(x)), expected)
