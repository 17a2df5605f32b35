"""Tensors that loops fill row by row: values and gradients agree with eager mode, and no iteration carries them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from both_modes import agrees_with_its_gradient
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.ir.loops import Loop

ROWS = 48


def fill(x: Any) -> Any:
    out = ops.zeros_like(x)
    h = ops.zeros_like(x[0])
    for t in range(x.shape[0]):
        h = ops.tanh(0.5 * h + x[t])
        out[t] = h
    return out


def fill_backwards(x: Any) -> Any:
    out = x.copy()
    h = ops.zeros_like(x[0])
    for t in range(x.shape[0] - 2, 0, -1):
        h = ops.tanh(0.5 * h + x[t])
        out[t] = h
    return out


def two_behind(x: Any) -> Any:
    y = x.copy()
    for i in range(2, x.shape[0]):
        y[i] = 0.5 * y[i - 1] - 0.3 * y[i - 2] + y[i]
    return y


def two_behind_from_the_end(x: Any) -> Any:
    y = x.copy()
    for i in range(x.shape[0] - 3, -1, -1):
        y[i] = 0.5 * y[i + 1] - 0.3 * y[i + 2] * x[i]
    return y


def beside(x: Any) -> Any:
    y = x.copy()
    for i in range(1, x.shape[0] - 1):
        y[i] = y[i - 1] + 2.0 * y[i + 1] - y[i]
    return 1e-6 * y


def every_second(x: Any) -> Any:
    y = ops.concat((x, x), 0)
    for i in range(1, x.shape[0]):
        y[2 * i + 1] = 0.5 * y[2 * i - 1] + x[i]
    return y


def read_again(x: Any) -> Any:
    y, total = ops.zeros_like(x), ops.zeros_like(x[0])
    for i in range(x.shape[0]):
        y[i] = ops.sin(x[i]) + total
        total = total + 0.1 * y[i]
    return y + total


def one_number(x: Any) -> Any:
    y = x.copy()
    for i in range(x.shape[0]):
        y[i] = x[i].sum()
    return y


def two_tensors(x: Any) -> Any:
    y, z = x.copy(), ops.zeros_like(x)
    for i in range(1, x.shape[0]):
        z[i] = 0.5 * y[i - 1] - z[i - 1]
        y[i] = z[i]
    return y + 2.0 * z


def vector(x: Any) -> Any:
    y = ops.zeros((x.shape[0],))
    for i in range(1, x.shape[0]):
        y[i] = 0.9 * y[i - 1] + x[i, 0]
    return y


def far_behind(x: Any) -> Any:
    y = x.copy()
    for i in range(7, x.shape[0]):
        y[i] = 0.5 * y[i - 7] + y[i]
    return y


def whole_is_read(x: Any) -> Any:
    y = x.copy()
    for i in range(x.shape[0]):
        y[i] = 0.01 * y.sum(0) + x[i]
    return y


FILLED = [fill, fill_backwards, two_behind, two_behind_from_the_end, beside, every_second, read_again, one_number]
FILLED += [two_tensors, vector]


@pytest.mark.parametrize(("function", "count"), chequered([*FILLED, far_behind, whole_is_read], [ROWS, 9]))
def test_agrees_with_eager_mode(function: Callable[..., Any], count: int) -> None:
    x = Tensor(np.random.default_rng(0).standard_normal((count, 3)).astype(np.float32))
    agrees_with_its_gradient(function, x)


@pytest.mark.parametrize("function", FILLED)
def test_no_iteration_carries_the_whole(function: Callable[..., Any]) -> None:
    x = ops.ones((ROWS, 3))
    graph = ms.jit(function).stages(x).forward
    loops = [Loop.of(node) for node in graph.nodes if node.op.name == "scan"]
    assert loops
    for loop in loops:
        assert all(ROWS not in value.type.shape for value in loop.body.parameters)


def test_a_tensor_that_is_read_whole_is_carried() -> None:
    graph = ms.jit(whole_is_read).stages(ops.ones((ROWS, 3))).forward
    (loop,) = [Loop.of(node) for node in graph.nodes if node.op.name == "scan"]
    assert any(ROWS in value.type.shape for value in loop.body.parameters)
