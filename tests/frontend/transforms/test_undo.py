"""Outside of graph mode a gradient that follows a call of the same Cell does not repeat its effects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, ParameterTuple, Tensor, nn, ops


class Counting(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([2.0]), name="w")
        self.calls = Parameter(Tensor(0.0), name="calls", requires_grad=False)

    def construct(self, x: Any) -> Any:
        self.calls += 1
        return (self.w * x * self.calls).sum()


def gradients(net: Counting, x: Any) -> Any:
    return ops.GradOperation(get_by_list=True)(net, ParameterTuple(net.trainable_params()))(x)


@pytest.mark.parametrize(("marked", "calls", "slope"), [(True, 1.0, 3.0), (False, 2.0, 6.0)])
def test_a_marked_cell_is_run_once(marked: bool, calls: float, slope: float) -> None:
    net, x = Counting().set_grad(marked), Tensor([3.0])
    net(x)
    found = gradients(net, x)
    assert float(net.calls) == calls
    assert found[0].asnumpy().tolist() == [slope]


def test_only_the_first_gradient_on_the_same_tensor_is_free() -> None:
    net, x = Counting().set_grad(), Tensor([3.0])
    net(x)
    gradients(net, x)
    assert gradients(net, x)[0].asnumpy().tolist() == [6.0]
    net(x)
    gradients(net, Tensor([3.0]))  # another tensor
    assert float(net.calls) == 4.0


def test_values_between_and_sensitivities() -> None:
    net, x = Counting().set_grad(), Tensor([3.0])
    loss = net(x)
    net.w.set_data(Tensor([5.0]))
    value, found = ms.value_and_grad(net, None, net.trainable_params())(x)
    assert float(value) == 15.0
    assert found[0].asnumpy().tolist() == [3.0]
    net(x)
    sens = ops.GradOperation(get_by_list=True, sens_param=True)(net, net.trainable_params())(x, loss)
    assert sens[0].asnumpy().tolist() == [36.0]
    assert float(net.calls) == 2.0


def test_a_loss_and_its_gradient_drop_the_same_elements() -> None:
    class Drop(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.drop = nn.Dropout(p=0.5)

        def construct(self, x: Any) -> Any:
            return self.drop(x)

    net = Drop().set_train().set_grad()
    x = ops.ones((200,), ms.float32)
    np.testing.assert_array_equal(net(x).asnumpy(), ms.grad(net)(x).asnumpy())


def test_a_step_that_is_subclassed_moves_averages_once() -> None:
    class Step(nn.TrainOneStepCell):
        def construct(self, *inputs: Any) -> Any:
            loss = self.network(*inputs)
            grads = self.grad(self.network, self.weights)(*inputs, ops.ones_like(loss))
            return ops.depend(loss, self.optimizer(grads))

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.bn, self.fc = nn.BatchNorm1d(2), nn.Dense(2, 1, "ones", "zeros")

        def construct(self, x: Any) -> Any:
            return self.fc(self.bn(x)).sum()

    net = Net()
    step = Step(net, nn.SGD(net.trainable_params(), 0.1)).set_train()
    for _ in range(3):
        step(Tensor([[1.0, 2.0], [3.0, 5.0]]))
    np.testing.assert_allclose(net.bn.moving_mean.asnumpy(), [0.542, 0.9485], rtol=1e-5)
    np.testing.assert_allclose(net.bn.moving_variance.asnumpy(), [1.271, 1.9485], rtol=1e-5)
