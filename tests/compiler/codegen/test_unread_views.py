"""Views that only kernels read are not made, and results that are joined from small parts are copied once."""

from __future__ import annotations

from typing import Any

import numpy as np

import mycel as ms
from mycel import Tensor, ops


def smooth(x: Any) -> Any:
    state, rows = x[0], []
    for step in range(20):
        state = 0.9 * state + 0.1 * x[step]
        rows.append(x[step] - state)
    return ops.stack(rows)


def test_rows_of_an_argument_and_of_a_result() -> None:
    x = np.random.default_rng(5).standard_normal((20, 30)).astype(np.float32)
    function = ms.jit(smooth)
    state, wanted = x[0], []
    for row in x:
        state = np.float32(0.9) * state + np.float32(0.1) * row
        wanted.append(row - state)
    first = function(Tensor(x))
    np.testing.assert_allclose(first.asnumpy(), wanted, 1e-5, 1e-6)
    function(Tensor(2 * x))
    np.testing.assert_allclose(first.asnumpy(), wanted, 1e-5, 1e-6)  # the result is an array of its own
    run = function.stages(Tensor(x)).program.partition("def smooth")[2]
    assert "= x[" not in run
    assert run.count(".copy()") == 1


def test_views_that_others_read_are_made() -> None:
    x = np.random.default_rng(6).standard_normal((6, 8)).astype(np.float32)

    @ms.jit
    def both(x: Any) -> Any:
        part = x[2]
        return ops.exp(part).sum(), part, ops.sort(x[3])[0]

    found = both(Tensor(x))
    for one, other in zip(found, (np.exp(x[2]).sum(), x[2], np.sort(x[3])), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other, 1e-5)
