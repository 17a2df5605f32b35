"""Variables that a loop hands on to others, as filters do with their older values: agrees with eager mode, and is one
node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops

COUNT = 50


def filtered(c: Any, x: Any) -> Any:
    y1 = y2 = x1 = x2 = ops.zeros_like(x[0])
    out = []
    for t in range(x.shape[0]):
        y = c[0] * x[t] + c[1] * x1 + c[2] * x2 - c[3] * y1 - c[4] * y2
        x2, x1 = x1, x[t]
        y2, y1 = y1, y
        out.append(y)
    return ops.stack(out)


def without_a_list(c: Any, x: Any) -> Any:
    y1, y2, total = x[0], x[1], x[2]
    for t in range(x.shape[0]):
        y = ops.tanh(c[0] * y1 - c[1] * y2 + x[t])
        y2, y1 = y1, y
        total = total + y * y2
    return total + y1 - 2.0 * y2


def changed_afterwards(c: Any, x: Any) -> Any:
    """The variables are items of the list."""
    y1 = y2 = y3 = ops.zeros_like(x[0])
    out = []
    for t in range(x.shape[0]):
        y = c[0] * y1 + c[1] * y3 + x[t]
        y3, y2, y1 = y2, y1, y
        out.append(y)
    y1 += 1.0
    y2 += 10.0
    y3 *= 2.0
    return ops.stack(out) + y1 - y2 * y3


def items_changed_afterwards(c: Any, x: Any) -> Any:
    y1 = y2 = ops.zeros_like(x[0])
    out = []
    for t in range(x.shape[0]):
        y = c[0] * y1 + c[1] * y2 + x[t]
        y2, y1 = y1, y
        out.append(y)
    out[-1] += 1.0
    out[-2] *= 3.0
    out[-3] *= 0.0
    return ops.stack(out) + y1 - y2


def swapped(c: Any, x: Any) -> Any:
    a, b, out = x[0], x[1], []
    for t in range(x.shape[0]):
        a, b = b, a
        out.append(a * c[0] + x[t])
    a += 1.0
    return ops.stack(out) + a - 2.0 * b


def changed_in_between(c: Any, x: Any) -> Any:
    y1, y2, out = ops.zeros_like(x[0]), ops.ones_like(x[0]), []
    for t in range(x.shape[0]):
        y = c[0] * y1 + c[1] * y2 + x[t]
        y2, y1 = y1, y
        y2 += 0.5
        out.append(y)
    return ops.stack(out) + y1 - y2


def older_ones_in_a_list(c: Any, x: Any) -> Any:
    y1, y2, out, older = ops.zeros_like(x[0]), ops.ones_like(x[0]), [], []
    for t in range(x.shape[0]):
        y = c[0] * y1 + c[1] * y2 + x[t]
        older.append(y2)
        y2, y1 = y1, y
        out.append(y)
    y2 += 1.0
    out[-3] += 5.0
    return ops.stack(out) + ops.stack(older) + y1 - y2


def both_the_same(c: Any, x: Any) -> Any:
    y1 = y2 = ops.zeros_like(x[0])
    out = []
    for t in range(x.shape[0]):
        y = c[0] * y1 + c[1] * y2 + x[t]
        y1 = y2 = y
        out.append(y)
    y1 += 1.0
    return ops.stack(out) + y2


PROGRAMS = [filtered, without_a_list, changed_afterwards, items_changed_afterwards, swapped, changed_in_between]
PROGRAMS += [older_ones_in_a_list, both_the_same]


@pytest.mark.parametrize(("function", "count"), chequered(PROGRAMS, [COUNT, 7]))
def test_agrees_with_eager_mode(function: Callable[..., Any], count: int) -> None:
    random = np.random.default_rng(0)
    c, x = np.float32([0.3, 0.2, 0.1, -0.4, 0.2]), random.standard_normal((count, 3)).astype(np.float32)

    def loss(c: Any, x: Any) -> Any:
        return ops.square(function(c, x)).sum()

    results = []
    for eager in (False, True):
        given = Tensor(c), Tensor(x)
        if eager:
            with ms.disable_jit():
                results.append((function(*given), *ms.value_and_grad(loss, (0, 1))(*given)))
        else:
            results.append((ms.jit(function)(*given), *ms.value_and_grad(loss, (0, 1))(*given)))
    (value, first, gradients), (expected, other, known) = results
    for one, two in zip((value, first, *gradients), (expected, other, *known), strict=True):
        np.testing.assert_allclose(one.asnumpy(), two.asnumpy(), rtol=2e-4, atol=1e-4)


@pytest.mark.parametrize("function", [filtered, without_a_list])
def test_it_is_one_node(function: Callable[..., Any]) -> None:
    given = ops.ones((5,)), ops.ones((COUNT, 3))
    names = [node.op.name for node in ms.jit(function).stages(*given).forward.nodes]
    assert names.count("scan") == 1
    assert names.count("multiply") < 9


@pytest.mark.parametrize("whole", [True, False])
def test_iterators_over_ranges(whole: bool) -> None:
    """Also the rest of one, which is at its end afterwards."""

    def function(x: Any) -> Any:
        numbers = reversed(range(x.shape[0]))
        if not whole:
            next(numbers)
        h = x[0]
        for t in numbers:
            h = ops.tanh(h + x[t] * t)
        return h, list(numbers)

    x = Tensor(np.random.default_rng(0).standard_normal((COUNT, 3)).astype(np.float32))
    found, left = ms.jit(function)(x)
    with ms.disable_jit():
        expected, _ = function(x)
    assert not left
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-5)
    assert "scan" in [node.op.name for node in ms.jit(function).stages(x).forward.nodes]
