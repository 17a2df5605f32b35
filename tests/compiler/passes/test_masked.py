"""Masked elements are computed with all others: each rule by itself, and programs with their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rewriting import assert_fires, assert_stays

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.kernels import eligible
from mycel.compiler.passes import masked

GIVEN = "(%x: f32[5, 4], %y: f32[5, 4], %m: bool[5, 4], %r: bool[5], %i: i64[3])"
CHOSEN = "%v: f32[?] = index(%x, %m, spec=('operand',)) %w: f32[?] = multiply(%v, 0.5)"
ROWS = "%v: f32[?, 4] = index(%x, %r, spec=('operand', (0, 4, 1)))"
CASES = {
    "assigned_is_chosen": [
        f"{CHOSEN} %z: f32[5, 4] = index_update(%y, %w, %m, spec=('operand',)) return %z",
        f"{ROWS} %z: f32[5, 4] = index_update(%y, %v, %r, spec=('operand',)) return %z",
    ],
    "added_is_chosen": [f"{CHOSEN} %z: f32[5, 4] = index_add(%y, %w, %m, spec=('operand',)) return %z"],
    "sum_of_chosen": [
        f"{CHOSEN} %z: f32[] = sum(%w, axis=(0,), keepdims=False) return %z",
        f"{ROWS} %z: f32[1, 4] = sum(%v, axis=(0,), keepdims=True) return %z",
        f"{ROWS} %w: f32[?] = max(%v, axis=(1,), keepdims=False)"
        " %z: f32[] = sum(%w, axis=(0,), keepdims=False) return %z",
    ],
    "mean_of_chosen": [
        f"{CHOSEN} %z: f32[] = mean(%w, axis=(0,), keepdims=False) return %z",
        f"{ROWS} %z: f32[] = mean(%v, axis=(0, 1), keepdims=False) return %z",
    ],
    "sum_of_chosen_like": [
        f"{ROWS} %k: f32[4] = sum(%y, axis=(0,), keepdims=False) %z: f32[4] = sum_like(%v, %k) return %z",
        f"{ROWS} %k: f32[1, 1] = sum(%y, axis=(0, 1), keepdims=True) %z: f32[1, 1] = sum_like(%v, %k) return %z",
    ],
    "number_of_chosen": [f"{CHOSEN} %z: i64[] = extent(%w, axis=0) return %z"],
}
MISSES = {
    "assigned_is_chosen": [
        "%v: f32[?] = index(%x, %m, spec=('operand',)) %p: bool[5, 4] = greater(%x, 0.0)"
        " %z: f32[5, 4] = index_update(%y, %v, %p, spec=('operand',)) return %z",
        "%v: f32[3, 4] = index(%x, %i, spec=('operand',))"
        " %z: f32[5, 4] = index_update(%y, %v, %i, spec=('operand',)) return %z",
    ],
    "sum_of_chosen": [
        f"{ROWS} %z: f32[?] = sum(%v, axis=(1,), keepdims=False) return %z",
        f"{CHOSEN} %u: f32[?] = cumsum(%w, axis=0, exclusive=False, reverse=False)"
        " %z: f32[] = sum(%u, axis=(0,), keepdims=False) return %z",
    ],
    "mean_of_chosen": [
        f"{CHOSEN} %u: f32[?] = concatenate(%v, %w, axis=0)"
        " %z: f32[] = mean(%u, axis=(0,), keepdims=False) return %z",
    ],
    "number_of_chosen": [f"{CHOSEN} %u: f32[?] = concatenate(%v, %w, axis=0) %z: i64[] = extent(%u, axis=0) return %z"],
}  # fmt: skip


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in CASES.items() for text in texts])
def test_fires(name: str, text: str) -> None:
    assert_fires(masked.RULES, name, f"{GIVEN} {{ {text} }}")


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in MISSES.items() for text in texts])
def test_stays(name: str, text: str) -> None:
    assert_stays(masked.RULES, name, f"{GIVEN} {{ {text} }}")


def leaky(x: Any, w: Any) -> Any:
    y = x * 1
    y[y < 0] *= 0.1
    y[y > w.max()] = y[y > w.max()] ** 2 - 1
    return y.sum(0)


def logarithms(x: Any, w: Any) -> Any:
    """Infinite gradients of elements that are not chosen."""
    chosen = x[x > 0]
    return ops.log(chosen).sum() + ops.sqrt(chosen).mean() + (chosen - chosen.mean()).std()


def rows(x: Any, w: Any) -> Any:
    chosen = x[x[:, 0] > 0]
    y = x * 2
    y[x[:, 1] > 0] += w
    y[x[:, 2] > 1] = w
    return ((chosen - chosen.mean(0)) * w).sum(0) + (chosen**2).sum(1).mean() + y.mean(0)


def iterated(x: Any, w: Any) -> Any:
    y = x * w
    for _ in range(6):
        y[y > 1] -= 0.5
        y[y < -1] = y[y < -1] * 0.5 + 0.1
    return y.sum(1)


@pytest.mark.parametrize("program", [leaky, logarithms, rows, iterated])
def test_programs(program: Any) -> None:
    rng = np.random.default_rng(0)
    x, w = Tensor(rng.standard_normal((57, 4)).astype(np.float32)), Tensor(rng.random(4).astype(np.float32))
    x[3, 2], x[5, 0] = 0.0, 0.0
    function = ms.value_and_grad(lambda x, w: (program(x, w) ** 2).sum(), (0, 1))
    compiled, plain = ms.jit(function), ms.jit(function, passes_off=["simplify"])
    (value, found), (expected, gradients) = compiled(x, w), plain(x, w)
    np.testing.assert_allclose(value.asnumpy(), expected.asnumpy(), 1e-4)
    for one, other in zip(found, gradients, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-3, 1e-3)
    if eligible.is_available():
        assert not any(f"= kernels['{name}']" in compiled.stages(x, w).program for name in ("index", "index_update"))


def test_nothing_is_chosen() -> None:
    compiled = ms.jit(lambda x: (x[x > 9].sum(), x[x > 9].mean(), x[x > 9].shape[0]))
    total, mean, number = compiled(Tensor(np.zeros((3, 5), np.float32)))
    assert (float(total), bool(np.isnan(mean.asnumpy())), int(number)) == (0.0, True, 0)
