"""Gradients from the tape are equal to those of the graph."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn, ops
from mycel.frontend.values import tree


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    """These tests are about eager runs, so their warnings are ignored."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ms.FallbackWarning)
        yield


def numbers(value: Any) -> Any:
    """Tensors as arrays, in the same containers."""
    if isinstance(value, Tensor):
        return value.asnumpy()
    if isinstance(value, (tuple, list)):
        return type(value)(numbers(item) for item in value)
    return value


def same(one: Any, other: Any) -> None:
    """Check that nested results are close."""
    if isinstance(one, (tuple, list)):
        assert type(one) is type(other)
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            same(a, b)
    else:
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=2e-5)  # sums that cancel


def both_ways(make: Callable[[], Any], *arguments: Any) -> Any:
    """The results of a gradient function by a graph and, checked to be the same, by the tape."""
    compiled = make()
    by_graph = numbers(compiled(*arguments))
    assert [trace.eager for trace in compiled.explain().traces] == [""]
    with ms.disable_jit():
        by_tape = numbers(make()(*arguments))
    same(by_graph, by_tape)
    return by_tape


class Net(nn.Cell):
    """A small network with typical tape operations: matrices, broadcasting, reuse, reductions, several outputs."""

    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([[1.0, -2.0], [0.5, 3.0]]), name="w")
        self.b = Parameter(Tensor([0.1, -0.2]), name="b")
        self.unused = Parameter(Tensor([1.0]), name="unused")

    def construct(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        h = ops.tanh(ops.matmul(x, self.w) + self.b)
        return ((h - y) ** 2).mean() + (h * h).sum() * 0.1, h


X, Y = Tensor([[1.0, 2.0], [0.5, -1.0], [0.3, 0.2]]), Tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
FORMS = [
    ("first", 0, False),
    ("both", (0, 1), False),
    ("weights", None, True),
    ("everything", (0, 1), True),
]


@pytest.mark.parametrize("has_aux", [False, True])
@pytest.mark.parametrize("function", [ms.grad, ms.value_and_grad])
@pytest.mark.parametrize(("name", "positions", "weights"), FORMS)
def test_every_form_of_gradient(name: str, positions: Any, weights: bool, function: Any, has_aux: bool) -> None:
    net = Net()
    wanted = net.trainable_params() if weights else None
    both_ways(lambda: function(net, positions, wanted, has_aux), X, Y)


def test_sensitivities() -> None:
    net = Net()
    operation = ops.GradOperation(get_all=True, get_by_list=True, sens_param=True)
    seeds = (Tensor(2.0), ops.ones((3, 2)) * 0.5)
    with_graph = numbers(operation(net, net.trainable_params())(X, Y, seeds))
    with ms.disable_jit():
        with_tape = numbers(operation(net, net.trainable_params())(X, Y, seeds))
    same(with_graph, with_tape)


def test_a_function_that_reads_numbers() -> None:
    def f(x: Tensor) -> Tensor:
        rounds = int(x.sum().asnumpy())
        for _ in range(rounds):
            x = x * 2
        return (x * x).sum()

    gradient = ms.grad(f)
    assert gradient(Tensor([1.0, 1.0])).asnumpy().tolist() == [32.0, 32.0]
    assert gradient(Tensor([1.0, 0.0])).asnumpy().tolist() == [8.0, 0.0]
    assert "asnumpy()" in gradient.explain().traces[0].eager


def test_numbers_that_are_read_do_not_carry_a_gradient() -> None:
    def f(x: Tensor) -> Tensor:
        return x * float(x.asnumpy())

    assert ms.grad(f)(Tensor(3.0)).asnumpy() == 3.0


def test_weights_of_a_network_that_reads_numbers() -> None:
    class Reads(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = Parameter(Tensor([2.0]), name="w")

        def construct(self, x: Tensor) -> Tensor:
            scale = 10.0 if x.asnumpy()[0] > 0 else 1.0
            return x * self.w * scale

    net = Reads()
    value, gradient = ms.value_and_grad(net, None, net.w)(Tensor([3.0]))
    assert value.asnumpy() == [60.0]
    assert gradient.asnumpy() == [30.0]
    assert ms.grad(net)(Tensor([-3.0])).asnumpy() == [2.0]


@pytest.mark.filterwarnings("ignore:.* does not use 1 of the 3 Parameters:UserWarning")
def test_training_on_the_tape_is_training_on_the_graph() -> None:
    def train() -> list[np.ndarray]:
        net = Net()
        optimizer = nn.Adam(net.trainable_params(), 0.1)
        step = ms.value_and_grad(net, None, optimizer.parameters, has_aux=True)
        for _ in range(5):
            _, gradients = step(X, Y)
            optimizer(gradients)
        return [parameter.asnumpy() for parameter in net.get_parameters()]

    with_graph = train()
    with ms.disable_jit():
        with_tape = train()
    same(with_graph, with_tape)
    assert not np.allclose(with_tape[0], Net().w.asnumpy())


def test_parameters_that_are_assigned_on_the_way() -> None:
    p = Parameter(Tensor([3.0]), name="p")

    def f(x: Tensor) -> Tensor:
        y = x * p
        ops.assign(p, p * 10)
        return y * p

    for _ in range(2):
        p.set_data(Tensor([3.0]))
        by_x, by_p = ms.grad(f, 0, p)(Tensor([2.0]))
        with_graph = by_x.asnumpy(), by_p.asnumpy(), p.asnumpy()
        p.set_data(Tensor([3.0]))
        with ms.disable_jit():
            by_x, by_p = ms.grad(f, 0, p)(Tensor([2.0]))
        same(with_graph, (by_x.asnumpy(), by_p.asnumpy(), p.asnumpy()))
        assert p.asnumpy() == [30.0]
        assert by_x.asnumpy() == [90.0]
        assert by_p.asnumpy() == [66.0]  # as in MindSpore, what is assigned counts as the Parameter itself


def test_parameters_given_as_arguments() -> None:
    p = Parameter(Tensor([3.0]), name="p")
    by_first, by_second = both_ways(lambda: ms.grad(lambda a, b: a * a * b, (0, 1)), p, p)
    assert (by_first, by_second) == ([18.0], [9.0])


def test_one_tensor_in_two_places() -> None:
    x = Tensor([3.0])
    assert both_ways(lambda: ms.grad(lambda a, b: a * a * b, (0, 1)), x, x) == ([18.0], [9.0])
    assert both_ways(lambda: ms.grad(lambda a: a + a), x) == [2.0]
    assert both_ways(lambda: ms.grad(lambda a: a), x) == [1.0]
    assert both_ways(lambda: ms.grad(lambda a: (a, a)), x) == [2.0]


def test_stopped_gradients_and_views() -> None:
    def f(x: Tensor) -> Tensor:
        y = x.reshape((2, 2)).transpose(1, 0)
        return (y * ops.stop_gradient(y))[0].sum() + y[1, 1] * 3

    assert both_ways(lambda: ms.grad(f), Tensor([1.0, 2.0, 3.0, 4.0])).tolist() == [1.0, 0.0, 3.0, 3.0]


def test_updates_in_place() -> None:
    def f(x: Tensor) -> Tensor:
        y = x * 2
        y[0] = x[1] * x[1]
        y += x
        return (y * y).sum()

    x = Tensor([1.0, 2.0, 3.0])
    assert both_ways(lambda: ms.grad(f), x).tolist() == [10.0, 76.0, 54.0]
    assert x.asnumpy().tolist() == [1.0, 2.0, 3.0]


def test_integers_and_branches() -> None:
    def f(x: Tensor, indices: Tensor) -> Tensor:
        chosen = ops.gather(x, indices, 0)
        return chosen.sum() * 2 if chosen.sum() > 0 else -chosen.sum()

    x = Tensor([1.0, -5.0, 2.0])
    assert both_ways(lambda: ms.grad(f), x, Tensor([0, 2, 2])).tolist() == [2.0, 0.0, 4.0]
    assert both_ways(lambda: ms.grad(f), x, Tensor([1, 0])).tolist() == [-1.0, -1.0, 0.0]


class Doubled(nn.Cell):
    """Twice its input, with a derivative of its own."""

    def construct(self, x: Tensor) -> Tensor:
        return x * 2

    def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
        return (dout * 100 + out,)


def test_custom_derivatives_and_hooks() -> None:
    assert both_ways(lambda: ms.grad(Doubled()), Tensor([3.0])) == [106.0]

    class Seen(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.inner = nn.ReLU()
            self.inner.register_backward_hook(lambda cell, grad_input, grad_output: (grad_output[0] * 7,))

        def construct(self, x: Tensor) -> Tensor:
            return self.inner(x) * 3

    assert both_ways(lambda: ms.grad(Seen()), Tensor([2.0])) == [21.0]


def test_normalisation_and_dropout() -> None:
    class Deep(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.conv = nn.Conv2d(1, 2, 3, weight_init="ones")
            self.norm = nn.BatchNorm2d(2)
            self.drop = nn.Dropout(p=0.4)
            self.dense = nn.Dense(32, 3, weight_init="ones")
            self.loss = nn.CrossEntropyLoss()

        def construct(self, x: Tensor, y: Tensor) -> Tensor:
            h = self.drop(ops.relu(self.norm(self.conv(x))))
            return self.loss(self.dense(h.reshape((x.shape[0], -1))), y)

    generator = np.random.default_rng(0)
    x = Tensor(generator.normal(size=(4, 1, 4, 4)).astype(np.float32))
    y = Tensor([0, 1, 2, 1], ms.int32)
    results = []
    for tape in (False, True):
        ms.set_seed(3)
        net = Deep().set_train()
        gradient = ms.value_and_grad(net, 0, net.trainable_params())
        if tape:
            with ms.disable_jit():
                results.append(numbers(gradient(x, y)))
        else:
            results.append(numbers(gradient(x, y)))
        results[-1] = (results[-1], net.norm.moving_mean.asnumpy())
    same(*results)


def cubic(x: Tensor) -> Tensor:
    return (x**3 * ops.sin(x)).sum()


def penalty(x: Tensor, w: Tensor) -> Tensor:
    gradient = ms.grad(lambda v: (ops.tanh(v * w) * v).sum())(x)
    return ops.sqrt((gradient * gradient).sum())


class Scaled(nn.Cell):
    """A Parameter, a changed derivative inside."""

    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([1.5, 2.0]), name="w")
        self.doubled = Doubled()

    def construct(self, x: Tensor) -> Tensor:
        return (ops.exp(x * self.w) * self.doubled(x)).sum()


def pushed(x: Tensor) -> Tensor:
    return ms.jvp(cubic, x, Tensor([2.0, 1.0]))[1]


def pulled(x: Tensor) -> Tensor:
    value, back = ms.vjp(cubic, x)
    return (back(value * 2)[0] ** 2).sum()


def with_its_value(x: Tensor) -> Tensor:
    value, gradient = ms.value_and_grad(cubic)(x)
    return value * gradient.sum() + (gradient * x).sum()


def with_a_cotangent(x: Tensor) -> Tensor:
    return ops.GradOperation(sens_param=True)(lambda v: v**3)(x, x * x).sum()


NET = Scaled()
NESTED = {
    "second": lambda x: ms.grad(ms.grad(cubic))(x),
    "third": lambda x: ms.grad(ms.grad(ms.grad(cubic)))(x),
    "of a gradient's norm": lambda x: ms.grad(penalty, (0, 1))(x, Tensor([2.0, 1.0])),
    "weights, then input": lambda x: ms.grad(lambda v: ms.grad(NET, None, NET.w)(v).sum())(x),
    "input, then weights": lambda x: ms.grad(lambda v: (ms.grad(NET)(v) ** 2).sum(), None, [NET.w])(x),
    "Hessian": lambda x: (ms.jacrev(ms.grad(cubic))(x), ms.jacfwd(ms.grad(cubic))(x)),
    "jvp of a gradient": lambda x: ms.jvp(ms.grad(cubic), x, Tensor([2.0, 1.0])),
    "gradient of a jvp": lambda x: ms.grad(pushed)(x),
    "gradient of a vjp": lambda x: ms.grad(pulled)(x),
    "gradient of a value and gradient": lambda x: ms.grad(with_its_value)(x),
    "gradient through the cotangent": lambda x: ms.grad(with_a_cotangent)(x),
}


@pytest.mark.parametrize("name", NESTED)
def test_gradients_of_gradients_on_tapes(name: str) -> None:
    function, x = NESTED[name], Tensor([0.3, 0.7])
    expected = function(x)
    with ms.disable_jit():
        found = function(x)
    same([t.asnumpy() for t in tree.tensors(found)], [t.asnumpy() for t in tree.tensors(expected)])


def test_second_derivatives_of_what_cannot_be_traced() -> None:
    def reads(x: Tensor) -> Tensor:
        return x**3 * float(x.asnumpy() > 0)

    with pytest.warns(ms.FallbackWarning):
        assert ms.grad(ms.grad(reads))(Tensor(2.0)).asnumpy() == 12.0


def test_the_tape_is_left_after_an_error() -> None:
    def fails(x: Tensor) -> Tensor:
        float(x.asnumpy())
        raise ValueError("half-way")

    with pytest.raises(ValueError, match="half-way"):
        ms.grad(fails)(Tensor(1.0))
    assert ms.grad(lambda x: x * x)(Tensor(3.0)).asnumpy() == 6.0
    assert ms.jit(lambda x: x * x)(Tensor(3.0)).asnumpy() == 9.0


class Wrong(Doubled):
    """Its derivative is no tensor, nor a tuple of them."""

    def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> Any:
        return "dout"


def test_errors_on_the_tape() -> None:
    with ms.disable_jit():
        with pytest.raises(ValueError, match="has_aux is True, origin fn requires more than one outputs"):
            ms.grad(lambda x: x, has_aux=True)(Tensor(1.0))
        with pytest.raises(IndexError, match="grad_position 1 is out of range"):
            ms.grad(lambda x: x, 1)(Tensor(1.0))
        with pytest.raises(TypeError, match="bprop"):
            ms.grad(Wrong())(Tensor(1.0))


def test_what_is_appended_outside_of_graph_mode_stays() -> None:
    seen: list[int] = []

    def square(x: Tensor) -> Tensor:
        seen.append(len(seen))
        return x * x

    gradient = ms.grad(square)
    with pytest.warns(ms.FallbackWarning, match="it changes a list from outside"):
        assert gradient(Tensor(3.0)) == 6.0
    assert gradient(Tensor(4.0)) == 8.0
    assert seen == [0, 1]


def test_backward_hooks_append_outside_of_graph_mode() -> None:
    seen: list[int] = []
    layer = ms.nn.ReLU()
    layer.register_backward_hook(lambda cell, grad_input, grad_output: seen.append(len(grad_output)))
    with pytest.warns(ms.FallbackWarning, match="it changes a list from outside"):
        assert ms.grad(lambda x: layer(x * 2))(Tensor(1.0)) == 2.0
    assert seen == [1]


def test_jacobians_of_jacobians() -> None:
    def f(x: Tensor) -> Tensor:
        return (x * x * x).sum()

    with ms.disable_jit():
        for outer in (ms.jacrev, ms.jacfwd):
            for inner in (ms.jacrev, ms.jacfwd):
                found = outer(inner(f))(Tensor([1.0, 2.0]))
                np.testing.assert_allclose(found.asnumpy(), [[6.0, 0.0], [0.0, 12.0]])
