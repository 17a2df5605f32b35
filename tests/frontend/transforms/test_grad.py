"""`grad` and its kin: every form of positions, weights and outputs, and their errors."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, ParameterTuple, Tensor, nn, ops


def numbers(value: object) -> object:
    """Tensors as lists, in the same containers."""
    if isinstance(value, Tensor):
        return value.asnumpy().tolist()
    if isinstance(value, (tuple, list)):
        return type(value)(numbers(item) for item in value)
    return value


def f(x: Tensor, y: Tensor) -> Tensor:
    return x * x * y


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor([2.0]), name="w")
        self.b = Parameter(Tensor([1.0]), name="b")

    def construct(self, x: Tensor) -> Tensor:
        return x * x * self.w + self.b


X, Y = Tensor([3.0]), Tensor([5.0])


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (0, [30.0]),
        (1, [9.0]),
        ((0,), [30.0]),
        ((0, 1), ([30.0], [9.0])),
        ((1, 0), ([9.0], [30.0])),
    ],
)
def test_positions(position: object, expected: object) -> None:
    assert numbers(ms.grad(f, position)(X, Y)) == expected


def test_weights_and_positions() -> None:
    net = Net()
    assert numbers(ms.grad(net, None, net.w)(X)) == [9.0]
    assert numbers(ms.grad(net, None, [net.w])(X)) == ([9.0],)
    assert numbers(ms.grad(net, None, ParameterTuple([net.b, net.w]))(X)) == ([1.0], [9.0])
    assert numbers(ms.grad(net, 0, net.trainable_params())(X)) == ([12.0], ([9.0], [1.0]))
    assert numbers(ms.grad(net, (0,), net.b)(X)) == ([12.0], [1.0])


def test_value_and_grad_runs_forward_once() -> None:
    net = Net()
    value, gradients = ms.value_and_grad(net, 0, net.trainable_params())(X)
    assert numbers(value) == [19.0]
    assert numbers(gradients) == ([12.0], ([9.0], [1.0]))


def test_several_outputs_add_up_and_auxiliary_ones_do_not() -> None:
    def two(x: Tensor) -> tuple[Tensor, Tensor]:
        return x * x, x * 10

    assert numbers(ms.grad(two)(X)) == [16.0]
    assert numbers(ms.grad(two, has_aux=True)(X)) == ([6.0], ([30.0],))
    assert numbers(ms.value_and_grad(two, has_aux=True)(X)) == (([9.0], [30.0]), [6.0])
    assert numbers(ms.grad(lambda x: (x * x, ops.stop_gradient(x * 10)))(X)) == [6.0]


def test_ids() -> None:
    net = Net()
    pairs = ms.grad(f, (0, 1), return_ids=True)(X, Y)
    assert numbers(pairs) == ((0, [30.0]), (1, [9.0]))
    assert numbers(ms.get_grad(pairs, 1)) == [9.0]
    both = ms.grad(net, 0, net.trainable_params(), return_ids=True)(X)
    assert numbers(ms.get_grad(both, net.b)) == [1.0]
    with pytest.raises(RuntimeError, match="Can not find"):
        ms.get_grad(both, 7)


def test_grad_operation() -> None:
    net = Net()
    assert numbers(ops.GradOperation()(f)(X, Y)) == [30.0]
    assert numbers(ops.GradOperation(get_all=True)(f)(X, Y)) == ([30.0], [9.0])
    assert numbers(ops.GradOperation(get_by_list=True)(net, net.trainable_params())(X)) == ([9.0], [1.0])
    assert numbers(ops.GradOperation(get_all=True, get_by_list=True)(net, net.trainable_params())(X)) == (
        ([12.0],),
        ([9.0], [1.0]),
    )
    assert numbers(ops.GradOperation(sens_param=True)(f)(X, Y, Tensor([10.0]))) == [300.0]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"grad_position": None}, ValueError, "can not be None at the same time"),
        ({"grad_position": -1}, ValueError, "must be >= 0"),
        ({"grad_position": (0, 0)}, ValueError, "duplicate"),
        ({"grad_position": "x"}, TypeError, "grad_position"),
        ({"weights": [3]}, TypeError, "Parameters"),
        ({"has_aux": 1}, TypeError, "has_aux"),
    ],
)
def test_wrong_requests(arguments: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ms.grad(f, **arguments)


def test_wrong_calls() -> None:
    with pytest.raises(IndexError, match="out of range"):
        ms.grad(f, 2)(X, Y)
    with pytest.raises(ValueError, match="has_aux"):
        ms.grad(f, has_aux=True)(X, Y)
    with pytest.raises(RuntimeError, match="Function"):
        ms.grad(3)


def test_unused_inputs_and_weights_have_zero_gradients() -> None:
    other = Parameter(Tensor([[1.0, 2.0]]), name="other")
    assert numbers(ms.grad(lambda x, y: x * 1, (0, 1), [other])(X, Y)) == (([1.0], [0.0]), ([[0.0, 0.0]],))


def test_higher_orders() -> None:
    def cube(x: Tensor) -> Tensor:
        return x * x * x

    assert numbers(ms.grad(ms.grad(cube))(X)) == [18.0]
    assert numbers(ms.grad(ms.grad(ms.grad(cube)))(X)) == [6.0]
    assert numbers(ms.grad(lambda x, y: ms.grad(f)(x, y), 1)(X, Y)) == [6.0]


def test_grad_inside_jit_inside_grad() -> None:
    @ms.jit
    def inner(x: Tensor) -> Tensor:
        return ms.grad(lambda v: v * v * v)(x) * x

    assert numbers(ms.grad(inner)(X)) == [81.0]


def test_a_cell_may_define_its_own_backward() -> None:
    class Clip(nn.Cell):
        def construct(self, x: Tensor) -> Tensor:
            return x * 2

        def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
            return (dout * 100 + out,)

    clip = Clip()
    assert numbers(clip(X)) == [6.0]
    assert numbers(ms.grad(clip)(X)) == [106.0]
    assert numbers(ms.grad(lambda x: clip(x) * x)(X)) == [3 * 100.0 + 6 + 6]


def test_recomputed_cells_give_the_same_gradient() -> None:
    net = nn.SequentialCell(nn.Dense(4, 8), nn.Tanh(), nn.Dense(8, 1))
    x = Tensor(np.linspace(-1, 1, 12).reshape(3, 4), ms.float32)
    weights = net.trainable_params()
    expected = numbers(ms.grad(net, 0, weights)(x))
    net.recompute()
    found = ms.grad(net, 0, weights)(x)
    assert np.allclose(numbers(found)[0], expected[0], atol=1e-6)
    for one, other in zip(numbers(found)[1], expected[1], strict=True):
        assert np.allclose(one, other, atol=1e-6)


def test_forward_updates_happen_once() -> None:
    counter = Parameter(Tensor([0.0]), name="counter")

    def loss(x: Tensor) -> Tensor:
        ops.assign_add(counter, Tensor([1.0]))
        return x * x

    gradient = ms.value_and_grad(loss)
    gradient(X)
    gradient(X)
    assert counter.asnumpy() == [2.0]


def test_keyword_arguments_reach_the_function() -> None:
    assert numbers(ms.grad(lambda x, *, power: x**power)(X, power=2)) == [6.0]


def test_mutable_containers_have_gradients_of_their_structure() -> None:
    def total(pair: tuple[Tensor, list[Tensor]]) -> Tensor:
        return pair[0] * 2 + pair[1][0] * 3

    gradient = ms.grad(total)(ms.mutable((X, [Y])))
    assert numbers(gradient) == ([2.0], [[3.0]])


def test_jacobians_and_products() -> None:
    def g(x: Tensor) -> Tensor:
        return ops.stack((x[0] * x[1], x[1] * 3))

    x = Tensor([2.0, 5.0])
    expected = [[5.0, 2.0], [0.0, 3.0]]
    assert numbers(ms.jacrev(g)(x)) == expected
    assert numbers(ms.jacfwd(g)(x)) == expected
    assert numbers(ms.jvp(g, x, Tensor([1.0, 10.0]))) == ([10.0, 15.0], [25.0, 30.0])
    output, pull = ms.vjp(g, x)
    assert numbers(output) == [10.0, 15.0]
    assert numbers(pull(Tensor([1.0, 10.0]))) == ([5.0, 32.0],)


def test_vmap_over_grad() -> None:
    per_sample = ms.vmap(ms.grad(lambda w, x: ((w * x).sum()) ** 2), in_axes=(None, 0))
    rows = Tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    assert numbers(per_sample(Tensor([1.0, 2.0]), rows)) == [[2.0, 0.0], [0.0, 4.0], [6.0, 6.0]]


def test_derivatives_along_curves() -> None:
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    f = lambda x: ops.exp(ops.sin(x))  # noqa: E731
    value, third = ops.derivative(f, x, 3)
    np.testing.assert_allclose(value.asnumpy(), np.exp(np.sin(x.asnumpy())), rtol=1e-5)
    expected = ms.grad(ms.grad(ms.grad(f)))(x)
    np.testing.assert_allclose(third.asnumpy(), expected.asnumpy(), rtol=1e-4)
    value, series = ops.jet(lambda x, y: x * y, (Tensor(2.0), Tensor(3.0)), (Tensor([1.0, 4.0]), Tensor([5.0, 0.0])))
    assert (float(value), series.asnumpy().tolist()) == (6.0, [3 + 10, 4 * 3 + 2 * 5])
    values, derivatives = ops.derivative(lambda n: (n * n, n * 3), Tensor([2, 3]), 1)
    assert [item.asnumpy().tolist() for item in (*values, *derivatives)] == [[4, 9], [6, 9], [4, 6], [3, 3]]
    for arguments, error in (
        ((f, x, 0), ValueError),
        ((f, x, 1.0), TypeError),
        ((f, 3, 1), TypeError),
        ((3, x, 1), TypeError),
    ):
        with pytest.raises(error):
            ops.derivative(*arguments)
    with pytest.raises(ValueError, match="should have shape"):
        ops.jet(f, x, Tensor([1.0]))


def test_a_compiled_gradient_has_the_name_of_its_function() -> None:
    def loss(x: Tensor) -> Tensor:
        return (x * x).sum()

    gradient = ms.jit(ms.grad(loss))
    gradient(Tensor([1.0, 2.0]))
    assert str(gradient.explain()).startswith("loss_grad: 1 trace")
    assert ms.grad(loss).__name__ == "loss_grad"
    assert repr(ms.grad(loss)) == "<gradient of loss>"
