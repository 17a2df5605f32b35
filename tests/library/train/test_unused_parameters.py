"""An optimizer over Parameters that the loss does not use: a warning names them, once, and gives no false alarm."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, nn, ops

X = Tensor(np.ones((1, 2), np.float32))
Y = Tensor(np.ones((1, 2), np.float32))


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["eager", "graph"], autouse=True)
def mode(request: pytest.FixtureRequest) -> Iterator[None]:
    ms.set_context(mode=request.param)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


class Net(nn.Cell):
    """Two layers, of which `how` says what becomes of the second."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.how = how
        self.used = nn.Dense(2, 2)
        self.other = nn.Dense(2, 2)

    def construct(self, x: Any) -> Any:
        out = self.used(x)
        if self.how == "forgotten":
            return out
        if self.how == "overwritten":
            out = self.other(x)
            return self.used(x)
        if self.how == "stopped":
            return out + ops.stop_gradient(self.other(x))
        if self.how == "masked":
            return ops.where(out > 1e9, self.other(x), out)
        if self.how == "times zero":
            return out + 0 * self.other(x)
        if self.how == "branch" and out.sum() > 1e9:
            return self.other(out)
        if self.how == "loop":
            for _ in range(3):
                out = self.other(out)
        return out


def _by_cell(net: Any, optimizer: Any) -> Callable[[], Any]:
    train = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    return lambda: train(X, Y)


def _by_scaled_cell(net: Any, optimizer: Any) -> Callable[[], Any]:
    train = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer, 2.0)
    return lambda: train(X, Y)


def _by_function(net: Any, optimizer: Any) -> Callable[[], Any]:
    def forward(x: Any, y: Any) -> Any:
        out = net(x)
        return nn.MSELoss()(out, y), out

    gradient = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    def step() -> Any:
        (loss, _), gradients = gradient(X, Y)
        optimizer(gradients)
        return loss

    return step


@pytest.mark.parametrize("way", [_by_cell, _by_scaled_cell, _by_function])
@pytest.mark.parametrize("how", ["forgotten", "overwritten"])
def test_parameters_that_the_loss_does_not_use(how: str, way: Any) -> None:
    net = Net(how)
    step = way(net, nn.SGD(net.trainable_params(), 0.1))
    text = r"does not use 2 of the 4 Parameters of an optimizer: other.weight, other.bias. Their gradients are 0"
    with pytest.warns(UserWarning, match=text) as caught:
        step()
    assert [item.filename for item in caught] == [__file__]
    with warnings.catch_warnings():  # once
        warnings.simplefilter("error")
        step()


@pytest.mark.parametrize(
    ("way", "how"),
    chequered([_by_cell, _by_scaled_cell, _by_function], ["stopped", "masked", "times zero", "branch", "loop"]),
)
def test_gradients_that_may_be_zero(how: str, way: Any) -> None:
    net = Net(how)
    way(net, nn.SGD(net.trainable_params(), 0.1))()


def test_parameters_that_are_frozen_or_in_no_optimizer() -> None:
    net = Net("forgotten")
    for parameter in net.other.get_parameters():
        parameter.requires_grad = False
    _by_cell(net, nn.SGD(list(net.get_parameters()), 0.1))()
    net = Net("forgotten")
    _by_cell(net, nn.SGD(net.used.trainable_params(), 0.1))()
    net = Net("forgotten")
    gradients = ms.grad(net, None, net.trainable_params())(X)
    assert not gradients[2].asnumpy().any()


def test_many_names_are_counted() -> None:
    class Wide(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.CellList([nn.Dense(2, 2) for _ in range(20)])

        def construct(self, x: Any) -> Any:
            return self.layers[0](x)

    net = Wide()
    with pytest.warns(UserWarning, match=r"38 of the 40 .*: layers.1.weight, .*layers.3.weight, …\. Their"):
        _by_cell(net, nn.Adam(net.trainable_params()))()
