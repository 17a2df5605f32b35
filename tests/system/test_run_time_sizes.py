"""Tensors whose size only the run knows: compiled, they give what eager mode gives, also when they are empty."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops

INPUTS = ([1.0, 2.0, -1.0, 3.0], [-1.0, -2.0, -1.0, -4.0], [-1.0, 2.0, -3.0, -4.0])

IN_GRAPHS: dict[str, Callable[[Tensor], Tensor]] = {
    "softmax": lambda y: ops.softmax(y, 0),
    "softmax of rows": lambda y: ops.softmax(ops.stack([y, y]), 1),
    "log_softmax": lambda y: ops.log_softmax(y, 0),
    "sorted beside nothing": lambda y: ops.bucketize(y[:, None][:, 1:], [-1.0, 2.0]),
    "reshape to no columns": lambda y: y[:, None][:, 1:].reshape((y.shape[0], 0)),
}  # fmt: skip

EAGERLY: dict[str, Callable[[Tensor], Tensor]] = {
    "squeeze": lambda y: ops.squeeze(y[:, None]),
    "squeeze an axis": lambda y: ops.squeeze(ops.stack([y, y]), 1),
    "repeated beside nothing": lambda y: ops.repeat_interleave(y[:, None][:, 1:], 3, 0),
    "segments": lambda y: ops.unsorted_segment_sum(y, (ops.arange(y.shape[0]) % 2).astype(ms.int32), 3),
}


def check(function: Callable[[Tensor], Tensor]) -> None:
    def f(x: Tensor) -> Tensor:
        return function(x[x > 0])

    compiled = ms.jit(f)
    for numbers in INPUTS:
        x = Tensor(numbers)
        found, expected = compiled(x), f(x)
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-6, strict=True)


@pytest.mark.filterwarnings("error::mycel.FallbackWarning")
@pytest.mark.parametrize("name", IN_GRAPHS)
def test_programs(name: str) -> None:
    check(IN_GRAPHS[name])


@pytest.mark.parametrize("name", EAGERLY)
def test_what_needs_the_size_runs_eagerly(name: str) -> None:
    with pytest.warns(ms.FallbackWarning, match="only known at run time|only the run knows"):
        check(EAGERLY[name])


def test_strict_code_that_needs_the_size() -> None:
    strict = ms.jit(lambda x: ops.squeeze(x[x > 0]), fullgraph=True)
    with pytest.raises(ms.GraphError, match=r"cannot be compiled to a graph: the shape of f32\[\?\] is only known"):
        strict(Tensor(INPUTS[0]))
