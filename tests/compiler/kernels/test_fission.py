"""Loop fission: which kernels a program has whose rows need costly functions, and that its numbers stay."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from drawn_groups import DrawnGroups, agree

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.ir.graph import Graph, Node
from mycel.compiler.kernels import fission
from mycel.compiler.kernels.translation import Translation
from mycel.compiler.passes import make_kernels
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

ROWS, COLUMNS = 1000, 24
SEEDS = 5, 28, 29, 41, 52  # of drawn graphs with groups that can be divided


def tensors(rows: int = ROWS, columns: int = COLUMNS, dtype: Any = np.float32) -> tuple[Tensor, Tensor]:
    random = np.random.default_rng(rows)
    return Tensor(random.standard_normal((rows, columns)).astype(dtype)), Tensor(
        random.standard_normal(rows).astype(dtype)
    )


def loops(function: Callable[..., Any], *inputs: Tensor) -> list[str]:
    """The loops of the kernels of a program, in order."""
    return re.findall(r"^over (.*)$", ms.jit(function).stages(*inputs).program, re.MULTILINE)


def before(x: Any, w: Any) -> Any:
    return ops.tanh(w).expand_dims(1) * x


def after(x: Any, w: Any) -> Any:
    return ops.log((x * x).sum(1)) * w


def between(x: Any, w: Any) -> Any:
    return ops.sigmoid((x * x).sum(1, keepdims=True) + w.expand_dims(1)) * x


def every(x: Any, w: Any) -> Any:
    """Costly functions before the rows, between two passes over them, and after."""
    y = ops.exp(w).expand_dims(1) * x
    z = ops.tanh(y.sum(1, keepdims=True)) * x
    return ops.log(1.0 + ops.square(z).sum(1)).mean() + ops.amax(z, 1) * ops.exp(w)


def outer(x: Any, w: Any) -> Any:
    """What is the same along the loop in the middle, and is computed in each of its iterations."""
    y = ops.tanh(x[:, :16].reshape(ROWS, 1, 16))
    return y * w[:20].reshape(1, 20, 1) + x[:, :20].reshape(ROWS, 20, 1)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (before, ["1000", "1000 24"]),
        (after, ["1000 24", "1000"]),
        (between, ["1000 24", "1000", "1000 24"]),
    ],
)
def test_costly_functions_of_rows_have_a_kernel(function: Any, expected: list[str]) -> None:
    assert loops(function, *tensors()) == expected


@pytest.mark.parametrize(
    "function",
    [
        lambda x, w: (w * 2 + 1).expand_dims(1) * x,
        lambda x, w: ops.softmax(x, -1),
        lambda x, w: ops.layer_norm(x, x.shape[-1:]),
        lambda x, w: x / ops.sqrt(ops.square(x).sum(1, keepdims=True)),
    ],
)
def test_cheap_functions_of_rows_have_none(function: Any) -> None:
    """Nor do quotients: the rows would have to be read again."""
    assert loops(function, *tensors()) in (["1000 24"], ["250 24"])  # one row at a time, or four


def test_few_or_short_rows_stay_whole() -> None:
    assert loops(before, *tensors(8)) == ["8 24"]
    assert loops(before, *tensors(1000, 4)) == ["1000"]  # a vector has eight rows


def test_sixteen_rows_are_divided() -> None:
    weights, row = tensors(16, 16)

    def once(weights: Any, row: Any) -> Any:
        return ops.logsumexp(weights + row, 1)

    def often(weights: Any, row: Any) -> Any:
        for _ in range(50):
            row = once(weights, row)
        return row

    assert loops(once, weights, row) == ["16 16", "16"]
    assert loops(often, weights, row)[:2] == ["16 16", "16"]
    np.testing.assert_allclose(
        ms.jit(often)(weights, row).asnumpy(), often(weights, row).asnumpy(), rtol=2e-5, atol=1e-5
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("function", "kernels"), [(before, 2), (after, 2), (between, 3), (every, 5), (outer, 2)])
def test_numbers_and_gradients_stay(function: Any, kernels: int, dtype: Any) -> None:
    inputs = tensors(dtype=dtype)
    assert len(loops(function, *inputs)) >= kernels
    run = ms.value_and_grad(lambda x, w: function(x, w).mean(), (0, 1))
    tolerance = 1e-4 if dtype is np.float32 else 1e-9
    for found, expected in zip(flat(ms.jit(run)(*inputs)), flat(run(*inputs)), strict=True):
        np.testing.assert_allclose(found, expected, tolerance, tolerance / 10)


def flat(found: Any) -> list[np.ndarray]:
    value, gradients = found
    return [value.asnumpy(), *[gradient.asnumpy() for gradient in gradients]]


def test_numbers_beside_infinite_ones() -> None:
    """Sums over all rows of what the rows need, which are no numbers in some."""
    x, w = tensors()

    def unreduced(x: Any, w: Any) -> Any:
        p = ops.where(w > 1, ops.log(w - 1.5), ops.exp(w * 60))
        return (p.expand_dims(1) * x).sum(0), p.sum(), ops.isfinite(p), p

    assert loops(unreduced, x, w)[0] == "1000"
    with np.errstate(all="ignore"):
        for found, expected in zip(ms.jit(unreduced)(x, w), unreduced(x, w), strict=True):
            np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), 1e-5, atol=1e-37)


def test_all_ways_to_divide_drawn_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    divided = []

    def distributed(body: Graph, translation: Translation) -> list[list[Node]]:
        found = fission._Fission(body, translation).parts()
        divided.append(len(found))
        return found

    monkeypatch.setattr(make_kernels, "distributed", distributed)
    monkeypatch.setattr(fission._Fission, "is_better", lambda *_: True)
    for seed in SEEDS:
        drawn = DrawnGroups(seed, richer=True)
        agree(drawn.graph, drawn.arrays, drawn.tolerance)
    assert max(divided) > 3
