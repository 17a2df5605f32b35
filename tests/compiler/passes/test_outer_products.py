"""Sums that loops carry are moved behind them: products, sums at positions, differences; the same numbers as before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.kernels import eligible

native = pytest.mark.skipif(not eligible.is_available(), reason="no machine code here")


def columns(table: Any, rows: Any, x: Any) -> Any:
    for t in range(50):
        x = ops.tanh(x * 0.5 + table[:, rows[t]])
    return x.sum()


def chosen(table: Any, rows: Any, x: Any) -> Any:
    """A row and a column of one table in each iteration."""
    for t in range(50):
        x = ops.tanh(x * 0.5 + table[rows[t]][:5] + table[:, rows[t]])
    return (x * x).sum()


def several(table: Any, rows: Any, x: Any) -> Any:
    """Rows at several positions, some of them the same in all iterations."""
    for t in range(1, 50):
        x = ops.sin(x + table[rows[t - 1 : t + 1]].sum(0)[:5] - table[rows[:2]].mean(0)[:5])
    return (x * x).sum()


def elements(table: Any, rows: Any, x: Any) -> Any:
    for t in range(50):
        x = ops.tanh(x + table[rows[t], rows[t]]) * table[1, rows[t]]
    return x.sum()


def subtracted(table: Any, rows: Any, x: Any) -> Any:
    for _ in range(50):
        x = ops.tanh(x - table[:, 0] * (x - table[:, 1]))
    return x.sum()


def outer(table: Any, rows: Any, x: Any) -> Any:
    for t in range(50):
        x = ops.tanh(table @ x + 0.1 * table[rows[t]] - 0.2 * (x @ table))
    return x.sum()


FOUND: dict[Any, tuple[float, dict[tuple[int, tuple[int, ...]], float]]] = {}


def in_numbers(function: Any, table: Any, rows: Any, x: Any) -> tuple[float, dict[tuple[int, tuple[int, ...]], float]]:
    """The value, and differences by every fourth element: eagerly, once for all settings."""
    if function not in FOUND:
        given, differences = [table.asnumpy(), x.asnumpy()], {}
        for position, array in enumerate(given):
            for index in list(np.ndindex(*array.shape))[::4]:
                ends = []
                for step in (1e-6, -1e-6):
                    moved = [each.copy() for each in given]
                    moved[position][index] += step
                    ends.append(float(function(Tensor(moved[0]), rows, Tensor(moved[1])).asnumpy()))
                differences[position, index] = (ends[0] - ends[1]) / 2e-6
        FOUND[function] = float(function(table, rows, x).asnumpy()), differences
    return FOUND[function]


@pytest.mark.parametrize(
    ("function", "off"),
    chequered(
        [columns, chosen, several, elements, subtracted, outer],
        [(), ("outer_products",), ("kernels",), ("places",)],
    ),
)
def test_gradients(function: Any, off: tuple[str, ...]) -> None:
    """As eagerly, and as without the pass."""
    random = np.random.default_rng(0)
    size = (5, 5)
    table, x = Tensor(random.normal(size=size)), Tensor(random.normal(size=5))
    rows = Tensor(random.integers(-5, 5, 50).astype(np.int32))
    gradient = ms.value_and_grad(ms.jit(function, passes_off=list(off)), (0, 2))
    value, slopes = gradient(table, rows, x)
    expected, differences = in_numbers(function, table, rows, x)
    np.testing.assert_allclose(value.asnumpy(), expected, rtol=1e-9)
    for (position, index), wanted in differences.items():
        np.testing.assert_allclose(slopes[position].asnumpy()[index], wanted, rtol=1e-4, atol=1e-7)


@native
@pytest.mark.parametrize("function", [columns, chosen])
def test_what_is_scattered_is_stacked(function: Any) -> None:
    """The loop has no table: it is made behind it, once."""
    random = np.random.default_rng(1)
    table, x = Tensor(random.normal(size=(5, 400))), Tensor(random.normal(size=5))
    rows = Tensor(random.integers(0, 5, 50).astype(np.int32))
    gradient = ms.value_and_grad(function, 0)
    text = str(dict(gradient.stages(table, rows, x).passes)["outer_products"])
    inside = text[text.index("reverse=True") :]
    inside = inside[: inside.index("return")]
    assert "[5, 400]" not in inside.split("body_backward(", 1)[1].split(") {", 1)[1]


def of_each(x: Any, w: Any) -> Any:
    """The gradient of a recurrent net for each row by itself."""

    def loss(row: Any, w: Any) -> Any:
        h = row
        for _ in range(50):
            h = ops.tanh(h @ w + row)
        return (h * h).sum()

    return ms.vmap(ms.grad(loss, 1), (0, None))(x, w)


def of_heads(x: Any, w: Any) -> Any:
    """A recurrent net for each of several matrices."""

    def loss(w: Any) -> Any:
        h = x.reshape(2, 3, 4)
        for _ in range(50):
            h = ops.tanh(h @ ops.stack([w, w * 0.5]) + 0.1)
        return (h * h).sum()

    return ms.grad(loss)(w)


@pytest.mark.parametrize(("function", "stacked"), [(of_each, "f64[6, 50, 4]"), (of_heads, "f64[2, 150, 4]")])
def test_products_of_batches_are_stacked(function: Any, stacked: str) -> None:
    """One product of all iterations for each matrix; the numbers are those of a loop that adds them up."""
    random = np.random.default_rng(2)
    x, w = Tensor(random.normal(size=(6, 4))), Tensor(random.normal(size=(4, 4)))
    compiled = ms.jit(function)
    without = ms.jit(function, passes_off=["outer_products", "kernels"])
    np.testing.assert_allclose(compiled(x, w).asnumpy(), without(x, w).asnumpy(), rtol=1e-9)
    np.testing.assert_allclose(compiled(x, w).asnumpy(), function(x, w).asnumpy(), rtol=1e-9)
    assert stacked in str(dict(compiled.stages(x, w).passes)["outer_products"])


@pytest.mark.parametrize("shape", [(0, 4), (3, 0, 4), (0, 1, 4), (0, 2, 4), (2, 0, 2, 4)])
def test_empty_products_are_left(shape: tuple[int, ...]) -> None:
    def loss(w: Any, h: Any) -> Any:
        for _ in range(40):
            h = ops.tanh(h @ w)
        return h.sum()

    w = Tensor(np.ones((*shape[:-2], 4, 4)))
    gradient = ms.grad(loss)(w, Tensor(np.ones(shape)))
    np.testing.assert_array_equal(gradient.asnumpy(), np.zeros(w.shape))


@pytest.mark.parametrize(("size", "stacked"), [(1024, True), (1025, False)])
def test_large_whole_terms_are_not_stacked(size: int, stacked: bool) -> None:
    """The kernel of an iteration adds them up; a stack of them would be as large as all iterations need."""

    def total(x: Any) -> Any:
        y, result = x, ops.zeros_like(x)
        for _ in range(40):
            y = ops.tanh(y + x)
            result = result + y
        return result

    x = Tensor(np.random.default_rng(1).normal(size=size))
    compiled = ms.jit(total)
    np.testing.assert_allclose(compiled(x).asnumpy(), total(x).asnumpy(), rtol=1e-9)
    stages = compiled.stages(x)
    assert (f"f64[40, {size}]" in str(dict(stages.passes)["outer_products"])) == stacked
