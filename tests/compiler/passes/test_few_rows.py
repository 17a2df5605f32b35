"""Gradients of large embeddings, of which few rows are not zero: not stored, and the same numbers and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Parameter, Tensor, nn, ops
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

ROWS, COLUMNS = 4096, 32
RNG = np.random.default_rng(0)


class Table(nn.Cell):
    """An embedding, and a loss of it."""

    def __init__(self) -> None:
        super().__init__()
        start = np.random.default_rng(1).standard_normal((ROWS, COLUMNS)).astype(np.float32)
        self.table = Parameter(Tensor(start), name="table")

    def construct(self, i: Tensor, y: Tensor) -> Tensor:
        return ops.square(ops.gather(self.table, i, 0) - y).sum()


def trained(optimizer: Any, i: Tensor, y: Tensor, off: list[str], steps: int = 3) -> tuple[list[Any], Any]:
    """All parameters after some steps, and what the step was compiled to."""
    net = Table()
    update = optimizer(net.trainable_params())
    gradient = ms.value_and_grad(net, None, net.trainable_params())

    @ms.jit(passes_off=off)
    def step(i: Tensor, y: Tensor) -> Tensor:
        loss, gradients = gradient(i, y)
        update(gradients)
        return loss

    for _ in range(steps):
        step(i, y)
    return [item.asnumpy() for item in (*net.trainable_params(), *update.get_parameters())], step.stages(i, y)


OPTIMIZERS = {
    "sgd": lambda p: nn.SGD(p, 0.1),
    "momentum": lambda p: nn.Momentum(p, 0.1, 0.9),
    "adam": lambda p: nn.Adam(p, 0.01),
}
IDS = {
    "some": RNG.integers(0, ROWS, 100),
    "often": RNG.integers(0, 5, 100),
    "negative": RNG.integers(-ROWS, ROWS, 100),
    "one": np.array([ROWS - 1]),
    "ends": np.array([0, ROWS - 1, 0, -1, -ROWS]),
}


@pytest.mark.parametrize(("optimizer", "ids"), chequered(OPTIMIZERS, IDS))
def test_numbers_and_memory(optimizer: str, ids: str) -> None:
    i = Tensor(IDS[ids].astype(np.int32))
    y = Tensor(RNG.standard_normal((*i.shape, COLUMNS)).astype(np.float32))
    found, stages = trained(OPTIMIZERS[optimizer], i, y, [])
    expected, _ = trained(OPTIMIZERS[optimizer], i, y, ["places", "kernels"])
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
    assert stages.plan.nbytes < ROWS * COLUMNS * 4 / 2


def test_gradients_that_are_results_are_stored() -> None:
    net, i = Table(), Tensor(IDS["some"].astype(np.int32))
    y = Tensor(RNG.standard_normal((100, COLUMNS)).astype(np.float32))
    (found,) = ms.grad(net, None, net.trainable_params())(i, y)
    expected = np.zeros((ROWS, COLUMNS), np.float32)
    np.add.at(expected, IDS["some"], 2 * (net.table.asnumpy()[IDS["some"]] - y.asnumpy()))
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("wrong", [ROWS, -ROWS - 1])
def test_a_wrong_id_changes_nothing(wrong: int) -> None:
    net = Table()
    update = nn.Adam(net.trainable_params(), 0.01)
    gradient = ms.value_and_grad(net, None, net.trainable_params())

    @ms.jit
    def step(i: Tensor, y: Tensor) -> Tensor:
        loss, gradients = gradient(i, y)
        update(gradients)
        return loss

    before = [item.asnumpy().copy() for item in (*net.trainable_params(), *update.get_parameters())]
    with pytest.raises(IndexError, match=str(wrong)):
        step(Tensor(np.array([3, wrong, 5], np.int32)), ops.zeros((3, COLUMNS)))
    for item, kept in zip((*net.trainable_params(), *update.get_parameters()), before, strict=True):
        np.testing.assert_array_equal(item.asnumpy(), kept)
