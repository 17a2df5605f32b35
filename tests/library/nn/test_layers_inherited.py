"""Users' Cells derived from layers: the attributes that inherited code reads are guarded, though it is not
converted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn


class Doubled(nn.BatchNorm1d):
    """A layer that calls its base."""

    def construct(self, x: Tensor) -> Tensor:
        return super().construct(x) * 2


class DoubledAlone(nn.BatchNorm1d):
    """The same, compiled by itself."""

    @ms.jit
    def construct(self, x: Tensor) -> Tensor:
        return super().construct(x) * 2


class Same(nn.BatchNorm1d):
    """A layer with nothing of its own."""


def jitted(cell: nn.Cell) -> Any:
    """A compiled function that calls the Cell."""
    return ms.jit(lambda x: cell(x))


@pytest.mark.parametrize(
    ("kind", "factor", "compiled"), [(Doubled, 2, jitted), (DoubledAlone, 2, lambda cell: cell), (Same, 1, jitted)]
)
def test_training_and_evaluation(kind: Any, factor: int, compiled: Any) -> None:
    cell = kind(1)
    run = compiled(cell)
    x = Tensor(np.array([[1.0], [3.0]], np.float32))
    for _ in range(2):
        cell.set_train(False)
        cell.moving_mean.set_data(Tensor(np.zeros(1, np.float32)))
        cell.moving_variance.set_data(Tensor(np.ones(1, np.float32)))
        np.testing.assert_allclose(run(x).asnumpy(), factor * x.asnumpy(), rtol=1e-4)
        cell.set_train(True)
        np.testing.assert_allclose(run(x).asnumpy(), [[-factor], [factor]], rtol=1e-4)
        assert cell.moving_mean.asnumpy()[0] > 0


class Squares(nn.LossBase):
    """A loss that leaves the reduction to its base."""

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return self.get_loss((logits - labels) ** 2)


def test_attributes_of_a_loss() -> None:
    loss = Squares("mean")
    run = ms.jit(lambda a, b: loss(a, b))
    values = Tensor([1.0, 2.0]), Tensor([0.0, 0.0])
    assert float(run(*values).asnumpy()) == 2.5
    loss.reduce = False
    assert run(*values).asnumpy().tolist() == [1.0, 4.0]


class Line(nn.Dense):
    """A layer whose construct is called by another method."""

    def go(self, x: Tensor) -> Tensor:
        return self.construct(x)


def test_cells_and_parameters_of_a_layer() -> None:
    line = Line(1, 1, weight_init="ones", bias_init="zeros")
    run = ms.jit(lambda x: line.go(x))
    x = Tensor([[-2.0]])
    assert run(x).asnumpy().tolist() == [[-2.0]]
    line.weight = Parameter(Tensor([[2.0]]), name="weight")
    assert run(x).asnumpy().tolist() == [[-4.0]]
    line.activation, line.activation_flag = nn.ReLU(), True
    assert run(x).asnumpy().tolist() == [[0.0]]


def test_a_layer_that_stays_is_traced_once() -> None:
    cell = Doubled(1)
    run = ms.jit(lambda x: cell(x))
    for _ in range(3):
        run(Tensor([[1.0], [2.0]]))
    assert len(run._entries) == 1
