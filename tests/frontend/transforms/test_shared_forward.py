"""A function that is called and differentiated at the same arguments runs once, as in MindSpore."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn, ops

X = Tensor(np.array([[1.0, 2.0], [3.0, 5.0]], np.float32))


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(2, momentum=0.5)
        self.drop = nn.Dropout(p=0.5)
        self.w = Parameter(Tensor([1.0, 1.0]), name="w")
        self.count = Parameter(Tensor(0.0), name="count", requires_grad=False)

    def construct(self, x: Tensor) -> Tensor:
        self.count = self.count + 1
        print("forward")
        return self.drop(self.norm(x) * self.w + self.count * 3)


class Step(nn.Cell):
    """As MindSpore's TrainOneStepCell: the loss, then the gradients."""

    def __init__(self, net: nn.Cell) -> None:
        super().__init__()
        self.net = net
        self.weights = ms.ParameterTuple(net.trainable_params())
        self.grad = ops.GradOperation(get_by_list=True)

    def construct(self, x: Tensor) -> Any:
        loss = self.net(x)
        return loss, self.grad(self.net, self.weights)(x)


def test_statistics_masks_and_prints_once(capsys: pytest.CaptureFixture[str]) -> None:
    net = Net()
    net.set_train()
    step = ms.jit(Step(net))
    for number in range(1, 3):
        out, (dw, _, dbeta) = step(X)
        assert capsys.readouterr().out.split() == ["forward"]
        assert float(net.count) == number
        mask = out.asnumpy() != 0
        np.testing.assert_allclose(dbeta.asnumpy(), 2 * mask.sum(0), rtol=1e-5)
        normal = (X.asnumpy() - X.asnumpy().mean(0)) / np.sqrt(X.asnumpy().var(0) + net.norm.eps)
        np.testing.assert_allclose(dw.asnumpy(), (2 * mask * normal).sum(0), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(net.norm.moving_mean.asnumpy(), X.asnumpy().mean(0) * 0.75, rtol=1e-5)


def test_functions_share_their_draws() -> None:
    def noisy(w: Tensor) -> Tensor:
        return w * ops.standard_normal((64,))

    w = ops.ones((64,), ms.float32)
    value, slope = ms.jit(lambda w: (noisy(w), ms.grad(noisy)(w)))(w)
    np.testing.assert_array_equal(value.asnumpy(), slope.asnumpy())
    first, second = ms.jit(lambda w: (noisy(w), noisy(w)))(w)
    assert not np.array_equal(first.asnumpy(), second.asnumpy())


def test_loops_are_shared(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: Tensor) -> Tensor:
        print("once")
        while x.sum() < 100:
            x = x * x + 1
        return x.sum()

    x = Tensor([2.0, 1.0])
    value, slope = ms.jit(lambda x: (f(x), ms.grad(f)(x)))(x)
    expected, expected_slope = ms.value_and_grad(f)(x)
    assert float(value) == float(expected)
    np.testing.assert_allclose(slope.asnumpy(), expected_slope.asnumpy())
    assert capsys.readouterr().out.split() == ["once", "once"]


def count_of(function: Any, *args: Tensor) -> int:
    """How often the function's graph takes the tangent."""
    return sum(node.op.name == "tan" for node in function.stages(*args).joint.nodes)


def test_only_the_same_call_is_shared() -> None:
    w = Parameter(Tensor([2.0]), name="w")
    count = Parameter(Tensor(0.0), name="count")

    def f(x: Tensor) -> Tensor:
        return ops.tan(x * w)

    def counting(x: Tensor) -> Tensor:
        ops.assign_add(count, Tensor(1.0))
        return ops.tan(x) * count

    x = Tensor([0.3])
    assert count_of(ms.jit(lambda x: (f(x), ms.grad(f)(x))), x) == 1
    assert count_of(ms.jit(lambda x: (f(x), ms.grad(f)(x + 1))), x) == 2

    @ms.jit
    def changed_in_between(x: Tensor) -> Any:
        value = f(x)
        ops.assign(w, w * 2)
        return value, ms.grad(f)(x)

    value, slope = changed_in_between(x)
    np.testing.assert_allclose(value.asnumpy(), np.tan([0.6]), rtol=1e-5)
    np.testing.assert_allclose(slope.asnumpy(), 4 / np.cos([1.2]) ** 2, rtol=1e-5)

    @ms.jit
    def counted_in_between(x: Tensor) -> Any:
        value = counting(x)
        ops.assign_add(count, Tensor(10.0))
        return value, ms.grad(counting)(x)

    value, slope = counted_in_between(x)
    np.testing.assert_allclose(value.asnumpy(), np.tan([0.3]), rtol=1e-5)
    np.testing.assert_allclose(slope.asnumpy(), 12 / np.cos([0.3]) ** 2, rtol=1e-5)
    assert float(count) == 12.0


def test_arguments_that_stand_elsewhere_too() -> None:
    @ms.jit
    def f(x: Tensor) -> Any:
        g = lambda a: ops.tan(a) * x  # noqa: E731
        return g(x), ms.grad(g)(x)

    x = Tensor(0.5)
    value, slope = f(x)
    np.testing.assert_allclose([float(value), float(slope)], [np.tan(0.5) * 0.5, 0.5 / np.cos(0.5) ** 2], rtol=1e-5)


def test_products_and_jacobians_run_functions_once() -> None:
    count = Parameter(Tensor(0.0), name="count")

    def f(x: Tensor) -> Tensor:
        ops.assign_add(count, Tensor(1.0))
        return x * x * count

    x, v = Tensor([3.0, 4.0]), Tensor([1.0, 2.0])
    for number, run in enumerate(
        (
            lambda: ms.jvp(f, x, v),
            lambda: [pull(v) for pull in [ms.vjp(f, x)[1]] * 2],
            lambda: ms.jit(lambda x: ms.vjp(f, x)[1](v))(x),
            lambda: ms.jacrev(f)(x),
            lambda: ms.jacfwd(f)(x),
        ),
        1,
    ):
        run()
        assert float(count) == number
    drop = nn.Dropout(p=0.5).set_train()
    ones = ops.ones((32,), ms.float32)
    out, pull = ms.vjp(drop, ones)
    np.testing.assert_array_equal(pull(ones)[0].asnumpy(), out.asnumpy())
    out, tangent = ms.jvp(drop, ones, ones)
    np.testing.assert_array_equal(tangent.asnumpy(), out.asnumpy())


def in_a_while(x, bound):
    def g(y):
        while y.sum() < bound:
            y = y * 1.5
        return y.sum()

    return g(x), ms.grad(g)(x), g(x * 2)


def in_a_while_that_reads_more(x, bound):
    scale = x * 2

    def g(y):
        total = y
        while total.sum() < bound:
            total = total * 1.5 + (scale.sum() * y)
        return total.sum()

    first = g(x)
    return first, ms.value_and_grad(g)(x), g(first), ms.grad(g)(x)


@pytest.mark.parametrize("function", [in_a_while, in_a_while_that_reads_more])
def test_what_a_loop_computes_alike_in_each_iteration(function):
    """The derivative computes it before the loop; the call that it shares had it inside."""
    for bound in (20, 3, -1):
        expected = function(Tensor([1.0, 2.0]), Tensor(bound))
        compiled = ms.jit(function, fullgraph=True)(Tensor([1.0, 2.0]), Tensor(bound))
        assert str(compiled) == str(expected)
