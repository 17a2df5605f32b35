"""Sums of many short rows: their accumulators have the columns first, whatever is combined, alone and by threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def forces(a: Any, b: Any) -> Any:
    d = a.expand_dims(-2) - b.expand_dims(-3)
    return ((d * d).sum(-1).expand_dims(-1) + 1) * d


def program(kind: str, a: Any, b: Any) -> Any:
    if kind == "both":
        each = forces(a, b)
        return each.sum(-3), each.sum(-2)
    if kind == "beside":
        return forces(a, b).sum(-3) * b, forces(a, b).sum()
    return getattr(forces(a, b), kind)(-3)


def wanted(kind: str, a: np.ndarray, b: np.ndarray) -> Any:
    d = a[..., :, None, :].astype(np.float64) - b[..., None, :, :]
    each = ((d * d).sum(-1)[..., None] + 1) * d
    if kind == "both":
        return each.sum(-3), each.sum(-2)
    if kind == "beside":
        return each.sum(-3) * b, each.sum()
    return getattr(each, kind)(-3)


def outputs(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize("kind", ["sum", "max", "min", "both", "beside"])
@pytest.mark.parametrize(("lead", "rows", "others", "columns"), [
    ((), 40, 90, 3), ((), 9, 311, 7), ((), 200, 33, 2), ((3,), 30, 70, 4), ((2, 2), 17, 50, 5),
])  # fmt: skip
def test_as_numpy(kind: str, lead: tuple[int, ...], rows: int, others: int, columns: int) -> None:
    random = np.random.default_rng(rows)
    for dtype, tolerance in ((np.float32, 1e-4), (np.float64, 1e-11)):
        a, b = (random.standard_normal((*lead, n, columns)).astype(dtype) for n in (rows, others))
        compiled = ms.jit(lambda a, b, kind=kind: program(kind, a, b))
        for found, right in zip(outputs(compiled(Tensor(a), Tensor(b))), outputs(wanted(kind, a, b)), strict=True):
            np.testing.assert_allclose(found, right, atol=tolerance * (1 + np.abs(right).max()))


def test_the_columns_lie_one_after_the_other() -> None:
    a, b = Tensor(np.ones((100, 7), np.float32)), Tensor(np.ones((90, 7), np.float32))
    text = ms.jit(lambda a, b: forces(a, b).sum(0)).stages(a, b).program
    assert "float32[7,90] 0 4 from 360\n" in text[text.index("\nadd ") :]
    few = ms.jit(lambda a, b: forces(a, b).sum(0)).stages(a[:2], b).program
    assert "float32[90,7] 0 28 from 4\n" in few[few.index("\nadd ") :]


def test_gradients_by_both_of_many_pairs() -> None:
    """Enough pairs that threads share them, where there are threads."""
    random = np.random.default_rng(0)
    a, b = (random.standard_normal((n, 3)) for n in (300, 400))
    slopes = ms.jit(ms.grad(lambda a, b: ops.exp(-ops.cdist(a, b)).sum(), (0, 1)))(Tensor(a), Tensor(b))
    d = a[:, None] - b
    distance = np.sqrt((d * d).sum(-1))
    each = (-np.exp(-distance) / distance)[..., None] * d
    for found, right in zip(slopes, (each.sum(1), -each.sum(0)), strict=True):
        np.testing.assert_allclose(found, right, atol=1e-10)
