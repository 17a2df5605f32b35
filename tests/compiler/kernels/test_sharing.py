"""Threads share kernels that read and add up at positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.memory import groups
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def in_own_rows(x: Any, index: Any) -> Any:
    """Rows of the gradient belong to one index of the outermost loop each."""
    return ops.tanh(ops.gather_elements(x, 1, index)).sum()


def in_one_vector(x: Any, index: Any) -> Any:
    """All rows add to the same elements."""
    return ops.tanh(x[0][index]).sum()


@pytest.mark.parametrize("function", [in_own_rows, in_one_vector])
@pytest.mark.parametrize("rows", [6, 7])
@pytest.mark.parametrize("threads", [2, 3])
def test_sums_at_positions(function: Any, rows: int, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each element of the gradient adds up the slopes of all that read it."""
    monkeypatch.setattr(groups, "thread_count", lambda: threads)
    monkeypatch.setattr(groups, "worth_sharing", lambda *_: threads)
    random = np.random.default_rng(rows)
    x = random.normal(size=(rows, 500)).astype(np.float32)
    index = random.integers(-500, 500, (rows, 4000)).astype(np.int32)
    gradient = ms.jit(ms.value_and_grad(function))
    value, slopes = gradient(Tensor(x), Tensor(index))
    which = np.arange(rows)[:, None] if function is in_own_rows else np.zeros((rows, 1), int)
    read, wanted = np.tanh(x[which, index]), np.zeros_like(x)
    np.add.at(wanted, (which, index), 1 - read * read)
    np.testing.assert_allclose(value.asnumpy(), read.sum(), rtol=1e-4)
    np.testing.assert_allclose(slopes.asnumpy(), wanted, rtol=1e-4, atol=1e-4)
    kernels = gradient.stages(Tensor(x), Tensor(index)).program.split("compile_kernel(")
    (text,) = [text for text in kernels if " at index" in text and "add d_" in text]
    assert "shared" in text
    assert (f"[{rows},500] 2000 0 at" in text.partition("add d_")[2]) == (function is in_own_rows)


def test_sums_of_neighbouring_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The accumulators of short rows' columns lie side by side in those of a piece."""
    monkeypatch.setattr(groups, "thread_count", lambda: 2)
    monkeypatch.setattr(groups, "worth_sharing", lambda *_: 2)
    random = np.random.default_rng(0)
    x, centres = random.normal(size=20_000).astype(np.float32), np.linspace(-1, 1, 8, dtype=np.float32)

    def density(centres: Any, x: Any) -> Any:
        z = x[:, None] - centres
        return ops.log(ops.exp(-0.5 * z * z).sum(1)).mean()

    gradient = ms.jit(ms.grad(density))
    z = x[:, None].astype(float) - centres
    weights = np.exp(-0.5 * z * z)
    wanted = (z * weights / weights.sum(1, keepdims=True)).mean(0)
    np.testing.assert_allclose(gradient(Tensor(centres), Tensor(x)).asnumpy(), wanted, rtol=1e-3, atol=1e-6)
    text = gradient.stages(Tensor(centres), Tensor(x)).program
    assert "shared" in text
    assert ",8] 0 0 from 4" in text
