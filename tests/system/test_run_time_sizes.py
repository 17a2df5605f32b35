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
    "joined to a known size": lambda y: ops.cat([y[:2, None] * ops.ones((1, 3)), y[:1, None] * ops.ones((1, 3))])[:1],
    "spectra": lambda y: ops.irfft(ops.stack([y, 2 * y, -y]) * (1 + 0.5j), 4, 0),
    "reshape to no columns": lambda y: y[:, None][:, 1:].reshape((y.shape[0], 0)),
}  # fmt: skip

BESIDE_KNOWN: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "first of sums": lambda some, x: (some + x[:3])[:1],
    "first of rows": lambda some, x: ops.fmod(some[:, None], ops.stack([x[:3], x[1:]], 1))[:1],
    "elements added": lambda some, x: ops.tensor_scatter_elements(
        ops.stack([x, x]), Tensor([[0], [0]]), ops.stack([some, some])[:, :1], 1, "add"
    ),
    "eigenvalues": lambda some, x: ops.eigvals(ops.stack([x[:3], x[1:], x[:3] * x[1:]])[:, some > 0]),
    "joined with known columns": lambda some, x: 2 * ops.cat([ops.stack([x, -x])[:, x > 0], ops.ones((1, 3))]),
}
OF_THREE = "eigenvalues", "joined with known columns"

EAGERLY: dict[str, Callable[[Tensor], Tensor]] = {
    "squeeze": lambda y: ops.squeeze(y[:, None]),
    "squeeze an axis": lambda y: ops.squeeze(ops.stack([y, y]), 1),
    "repeated beside nothing": lambda y: ops.repeat_interleave(y[:, None][:, 1:], 3, 0),
    "two unknown sizes": lambda y: ops.repeat_interleave(y[:, None] * y, 2, 0),
    "mapped": lambda y: ms.vmap(lambda row: row.sum())(y[:, None] * ops.ones((1, 3))),
    "indices": lambda y: ops.gather_nd(ops.ones((4, 4)), ops.stack([y, y])[:, :2].astype(ms.int32) % 2),
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


@pytest.mark.filterwarnings("error::mycel.FallbackWarning")
@pytest.mark.parametrize("name", BESIDE_KNOWN)
def test_programs_beside_known_sizes(name: str) -> None:
    def f(x: Tensor) -> Tensor:
        return BESIDE_KNOWN[name](x[x > 0], x)

    compiled = ms.jit(f)
    for numbers in (INPUTS[0], INPUTS[2]) if name not in OF_THREE else INPUTS[:1]:
        x = Tensor(numbers)
        np.testing.assert_allclose(compiled(x).asnumpy(), f(x).asnumpy(), rtol=1e-5, strict=True)


@pytest.mark.parametrize("name", EAGERLY)
def test_what_needs_the_size_runs_eagerly(name: str) -> None:
    with pytest.warns(ms.FallbackWarning, match="known at run time|only the run knows|known before the run"):
        check(EAGERLY[name])


MAY_FIT: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "single rows": lambda some, x: ops.broadcast_to(some[:1], (1,)),
    "rows of a norm": lambda some, x: ops.layer_norm(ops.stack([some, some]), (4,), x, x),
    "rows added": lambda some, x: ops.index_add(x, Tensor([0, 1, 2, 3], ms.int32), some, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", MAY_FIT)
def test_what_may_have_the_size_runs_eagerly(name: str) -> None:
    """Whether sizes fit, a graph cannot know: it raised ValueError."""
    compiled = ms.jit(lambda x: MAY_FIT[name](x[x > 0], x))
    x = Tensor([1.0, 2.0, 4.0, 3.0])
    with pytest.warns(ms.FallbackWarning):
        assert compiled(x).asnumpy().tolist() == MAY_FIT[name](x, x).asnumpy().tolist()


def test_sizes_that_do_not_fit_in_the_run() -> None:
    x = Tensor([1.0, 2.0, 4.0, 3.0])
    fits = pytest.raises(ValueError, match=r"'normalized_shape' \(4,\) is not the end of the shape \(3,\)")
    with pytest.warns(ms.FallbackWarning), fits:
        ms.jit(lambda x: ops.layer_norm(x[x > 1], (4,), x, x))(x)


def test_strict_code_that_needs_the_size() -> None:
    strict = ms.jit(lambda x: ops.squeeze(x[x > 0]), fullgraph=True)
    with pytest.raises(ms.GraphError, match=r"cannot be compiled to a graph: the shape of f32\[\?\] is only known"):
        strict(Tensor(INPUTS[0]))


def test_sizes_that_are_no_integers() -> None:
    with pytest.raises(TypeError, match="zeros: 'size' should be an int or a tuple of ints, but got"):
        ms.jit(lambda x: ops.zeros((2, x.sum())))(Tensor(INPUTS[0]))
