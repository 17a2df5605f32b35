"""Loops that cannot be rerolled: each runs as it does in Python, and errors are those of its iterations."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest
from both_modes import assert_same, plain
from rerolled_loops import ROUNDS, rows, x3

import mycel as ms
from mycel import Tensor, ops

# What is left as it was

counter = 0


def appends(x: Any) -> Any:
    found = []
    for i in range(ROUNDS):
        x = x * 0.9
        found.append(x.sum() + i)
    return x, found


def python_numbers(x: Any) -> Any:
    n, scale = 0, 1.0
    for i in range(ROUNDS):
        x = x + n * scale
        n += i % 3
        scale *= 0.5
    return x, n, scale, ops.zeros((n, 1))


def doubles(x: Any) -> Any:
    for i in range(ROUNDS):
        x = x + 0.1 * i - 1 / (i + 3) ** 2
    return x


def shapes(x: Any) -> Any:
    for i in range(ROUNDS):
        x = x + ops.ones((i + 1, 3)).sum(0)
    return x


def growing(x: Any) -> Any:
    for i in range(ROUNDS):
        x = ops.concat((x, x[i : i + 1]))
    return x


def strings(x: Any) -> Any:
    table = {f"k{i}": float(i) for i in range(ROUNDS)}
    for i in range(ROUNDS):
        x = x + table[f"k{i}"]
    return x


def parts(x: Any) -> Any:
    functions = [ops.sin, ops.cos] * ROUNDS
    for i in range(ROUNDS):
        x = functions[i](x)
    return x


def leaves_early(x: Any) -> Any:
    for i in range(ROUNDS):
        x = x * 0.9
        if i == 7:
            break
    return x, i


def returns_early(x: Any) -> Any:
    for _ in range(ROUNDS):
        x = x * 1.5
        if x.sum() > 40:
            return x, True
    return x, False


def rows_until(x: Any) -> Any:
    for row in rows:
        x = x * 0.9 + row
        if x.sum() > 1:
            break
    return x, row


def iterators(x: Any) -> Any:
    items = iter(range(100))
    for _ in range(ROUNDS):
        x = x + next(items)
    return x, next(items)


def catches(x: Any) -> Any:
    known = [1.0, 2.0]
    for i in range(ROUNDS):
        try:
            x = x + known[i]
        except IndexError:
            x = x - 0.5
    return x


def writes_global(x: Any) -> Any:
    global counter
    for _ in range(ROUNDS):
        x = x * 0.9
        counter = counter + 1
    return x, counter


def writes_through_function(x: Any) -> Any:
    seen = 0

    def note(value: Any) -> Any:
        nonlocal seen
        seen += 2
        return value + seen

    for _ in range(ROUNDS):
        x = note(x) * 0.5
    return x, seen


def known_tensors(x: Any) -> Any:
    n = Tensor(1)
    for i in range(ROUNDS):
        x = x + n
        n = n + i
    return x, ops.zeros((int(n) % 7 + 1,))


def changes_dtype(x: Any) -> Any:
    for i in range(ROUNDS):
        x = x.astype(ms.float16 if i % 2 else ms.float32) + 1
    return x


def grows_outside_list(x: Any, kept: Any) -> Any:
    for i in range(ROUNDS):
        kept[0] = kept[0] + i
        x = x + kept[0]
    return x


def previous(x: Any) -> Any:
    before = -1
    for i in range(ROUNDS):
        x = x * 0.5 + before
        before = i
    return x, before


FALLBACKS = [
    appends, python_numbers, doubles, shapes, growing, strings, parts, leaves_early, returns_early, rows_until,
    iterators, catches, writes_global, writes_through_function, known_tensors, changes_dtype, previous,
]  # fmt: skip


@pytest.mark.parametrize("function", FALLBACKS)
def test_fallbacks(function: Callable[..., Any]) -> None:
    global counter
    counter = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled = ms.jit(function)
        results = [plain(compiled(x3)) for _ in range(2)]
    assert not compiled.explain().traces[0].eager
    counter = 0
    with ms.disable_jit():
        for result in results:
            assert_same(result, plain(function(x3)))


def test_argument_list_of_numbers() -> None:
    compiled = ms.jit(grows_outside_list)
    with ms.disable_jit():
        expected = plain(grows_outside_list(x3, [1]))
    with pytest.warns(UserWarning, match="a graph changes a copy of a list from outside"):
        got = compiled(x3, [1])
    assert_same(plain(got), expected)
