"""Large blocks that move with the counter of a loop are read where they lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor
from mycel.runtime.machine.executable import unavailable

N = 20_000  # elements of a block: those of all iterations have more than 2 MB


def filtered(x: Any, h: Any) -> Any:
    y = x[:N] * 0.0
    for i in range(33):
        y = y + h[i] * x[i : i + N]
    return y


def backwards(x: Any, h: Any) -> Any:
    y = x[:N] * 0.0
    for i in range(32, -1, -1):
        y = y * 0.5 + h[i] * x[2 * i + 1 : 2 * i + 1 + N]
    return y


def columns(x: Any, h: Any) -> Any:
    x = x.reshape(4, -1)
    y = 0.0 * x[:, :4900]
    for i in range(33):
        y = y + h[i] * x[:, 3 * i + 3 : 3 * i + 4903]
    return y


@pytest.mark.parametrize("name", ["filtered", "backwards", "columns"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_values_and_gradients_stay(name: str, dtype: Any) -> None:
    random = np.random.default_rng(0)
    x, h = Tensor(random.standard_normal(N + 80).astype(dtype)), Tensor(0.1 * random.random(33).astype(dtype))
    function: Any = globals()[name]
    compiled = ms.jit(function)
    plain = ms.jit(function, passes_off=["moving_blocks"])
    close: Any = {"rtol": 1e-4, "atol": 1e-4 if dtype == np.float32 else 1e-12}
    np.testing.assert_allclose(compiled(x, h).asnumpy(), plain(x, h).asnumpy(), **close)
    assert "dynamic_slice(" not in compiled.stages(x, h).program
    assert "dynamic_slice(" in plain.stages(x, h).program

    def loss(*given: Any) -> Any:
        return (function(*given) ** 2).mean()

    found = ms.grad(loss, (0, 1))(x, h)
    wanted = ms.grad(ms.jit(loss, passes_off=["moving_blocks"]), (0, 1))(x, h)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-3, atol=1e-4)


@pytest.mark.skipif(bool(unavailable()), reason="there is no machine code")
def test_tiles_read_blocks_that_overlap() -> None:
    """A tile of the sum stays in the cache, and so does what the iterations read of it."""
    x, h = Tensor(np.ones(N + 80, np.float32)), Tensor(np.ones(33, np.float32))
    text = ms.jit(filtered).stages(x, h).program
    assert any(line.startswith("over ") and line.split()[2:3] == ["33"] for line in text.splitlines()), text
