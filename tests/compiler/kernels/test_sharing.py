"""Threads share kernels that read and add up at positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.memory import groups
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native.language import MOST_ROWS

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


@pytest.mark.parametrize(
    "shape", [(20_000, 41), (3, 9000, 40), (2, 8192, 40), (130, 100, 40), (70_000, 33), (2, 9001, 35)]
)
def test_sums_of_too_many_rows_for_one_piece(shape: tuple[int, ...]) -> None:
    """A kernel adds up as many rows one after the other as stay exact, in each of its pieces."""
    x = (np.random.default_rng(0).random(shape) + 0.5).astype(np.float32)
    compiled = ms.jit(lambda x: ((x[..., 1:] * x[..., 1:]).sum(), x[..., 1:].max()))
    total, most = compiled(Tensor(x))
    np.testing.assert_allclose(total.asnumpy(), (x[..., 1:].astype(np.float64) ** 2).sum(), 2e-6)
    assert most.asnumpy() == x[..., 1:].max()
    alone = ms.jit(lambda x: (x[..., 1:] * x[..., 1:]).sum())
    np.testing.assert_allclose(alone(Tensor(x)).asnumpy(), (x[..., 1:].astype(np.float64) ** 2).sum(), 2e-6)
    program = alone.stages(Tensor(x)).program
    in_pieces = int(np.prod(shape[1:-1])) <= MOST_ROWS
    assert not in_pieces or (program.count("compile_kernel('''") == 1 and "shared" in program)


def test_rows_at_positions_are_added_up_in_pieces() -> None:
    random = np.random.default_rng(0)
    table, rows = random.random((900, 64)).astype(np.float32), random.integers(0, 900, 30_000).astype(np.int32)
    compiled = ms.jit(lambda table, rows: ops.square(table[rows]).sum())
    found = compiled(Tensor(table), Tensor(rows)).asnumpy()
    np.testing.assert_allclose(found, (table[rows].astype(np.float64) ** 2).sum(), 2e-6)
    assert compiled.stages(Tensor(table), Tensor(rows)).program.count("compile_kernel('''") == 1
