"""Groups of Parameters, what optimizers refuse, and optimizers of one's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from optimizer_steps import parameter, run

import mycel as ms
from mycel import Parameter, Tensor, nn, ops

# Groups


def test_groups() -> None:
    a, b, c = parameter([[1.0, -2.0], [3.0, 4.0]], "a"), parameter([1.0, -2.0], "b"), parameter([1.0], "c")
    optimizer = nn.Momentum(
        [
            {"params": [a], "lr": 0.5, "weight_decay": 0.1, "grad_centralization": True},
            {"params": [b], "lr": nn.ExponentialDecayLR(0.1, 0.5, 1)},
            {"params": [c]},
            {"order_params": [c, b, a]},
        ],
        learning_rate=0.1, momentum=0.9, weight_decay=0.2,
    )  # fmt: skip
    assert [p.name for p in optimizer.parameters] == ["c", "b", "a"]
    assert optimizer.is_group
    assert optimizer.is_group_lr
    assert optimizer.is_group_params_ordered
    assert optimizer.dynamic_lr
    assert [float(rate.asnumpy()) for rate in optimizer.get_lr()] == pytest.approx([0.1, 0.1, 0.5])
    assert optimizer.get_weight_decay() == pytest.approx((0.2, 0.2, 0.1))
    assert optimizer.get_lr_parameter(c).name == "learning_rate"
    assert optimizer.get_lr_parameter(a).name == "learning_rate_group_0"
    assert type(optimizer.get_lr_parameter([b])[0]).__name__ == "ExponentialDecayLR"
    for _ in range(2):
        optimizer((Tensor([1.0]), Tensor([1.0, -0.25]), Tensor([[1.0, 2.0], [3.0, 5.0]])))
    np.testing.assert_allclose(a.asnumpy(), [[-0.5675, -4.565], [-1.7025, -3.695]], rtol=1e-5)
    np.testing.assert_allclose(b.asnumpy(), [0.7672, -1.8739], rtol=1e-5)
    np.testing.assert_allclose(c.asnumpy(), [0.6544], rtol=1e-5)


def test_groups_of_fixed_rates_share_the_optimizer_rate() -> None:
    a, b = parameter([1.0], "a"), parameter([1.0], "b")
    optimizer = nn.SGD([{"params": [a], "lr": 1.0}, {"params": [b]}], learning_rate=0.1)
    optimizer((Tensor([0.5]), Tensor([0.5])))
    assert a.asnumpy().tolist() == pytest.approx([0.5])
    assert b.asnumpy().tolist() == pytest.approx([0.95])
    assert [rate.name for rate in optimizer.get_lr()] == ["learning_rate_group_0", "learning_rate"]


def test_weight_decay_leaves_out_beta_and_gamma_without_groups() -> None:
    own = [parameter([1.0, 2.0], name) for name in ("w", "bn.gamma", "bias", "bn.beta")]
    optimizer = nn.Momentum(own, 0.1, 0.9, weight_decay=0.1, loss_scale=2.0)
    assert optimizer.decay_flags == (True, False, True, False)
    assert optimizer.weight_decay == pytest.approx(0.2)
    assert optimizer.exec_weight_decay
    assert optimizer.need_scale
    assert optimizer.reciprocal_scale == 0.5
    decayed = optimizer.decay_weight((Tensor([1.0, 1.0]),) * 4)
    np.testing.assert_allclose(decayed[0].asnumpy(), [1.2, 1.4], rtol=1e-6)
    np.testing.assert_array_equal(decayed[1].asnumpy(), [1, 1])


def test_weight_decay_that_changes() -> None:
    class Decay(nn.Cell):
        def construct(self, step: Tensor) -> Tensor:
            return step.astype(ms.float32) * 0.1

    own = parameter([1.0, 2.0])
    optimizer = nn.Momentum([own], 0.1, 0.0, weight_decay=Decay())
    assert optimizer.dynamic_weight_decay
    run(optimizer, own, ([1.0, 1.0], [1.0, 1.0]))
    np.testing.assert_allclose(own.asnumpy(), [0.791, 1.781], rtol=1e-5)
    with pytest.raises(TypeError, match="does not take a Cell"):
        nn.SGD([parameter([1.0])], 0.1, weight_decay=Decay())


def test_centralization_of_whole_tiles() -> None:
    own = parameter(np.zeros((16, 16, 1, 1)))
    optimizer = nn.Momentum([{"params": [own], "grad_centralization": True}], 1.0, 0.0)
    gradient = np.arange(256.0, dtype=np.float32).reshape(16, 16, 1, 1)
    optimizer((Tensor(gradient),))
    np.testing.assert_allclose(own.asnumpy(), -(gradient - gradient.mean(axis=(1, 2, 3), keepdims=True)), atol=1e-4)


def test_a_list_of_one_rate_serves_one_step() -> None:
    w = parameter([1.0])
    with pytest.warns(UserWarning, match="one step: for all steps give the number 0.5"):
        optimizer = nn.SGD([w], Tensor([0.5]))
    optimizer((Tensor([1.0]),))
    assert w.asnumpy().tolist() == [0.5]
    with pytest.raises(IndexError):
        optimizer((Tensor([1.0]),))


# What is refused


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: nn.SGD([], 0.1), ValueError, "must not be empty"),
        (lambda: nn.SGD(None, 0.1), ValueError, "None"),
        (lambda: nn.SGD([1], 0.1), TypeError, "list of Parameters"),
        (lambda: nn.SGD({"w": parameter([1.0])}, 0.1), TypeError, "got dict: give list"),
        (lambda: nn.SGD([parameter([1.0]), parameter([1.0])], 0.1), ValueError, "already exists"),
        (lambda: nn.SGD([{"params": []}], 0.1), ValueError, "must not be empty"),
        (lambda: nn.SGD([{"params": [parameter([1.0])], "foo": 1}], 0.1), KeyError, "foo"),
        (lambda: nn.SGD([parameter([1.0])], -0.1), ValueError, "learning rate"),
        (lambda: nn.SGD([parameter([1.0])], None), TypeError, "learning rate"),
        (lambda: nn.SGD([parameter([1.0])], []), ValueError, "empty"),
        (lambda: nn.SGD([parameter([1.0])], weight_decay=-1.0), ValueError, "weight_decay"),
        (lambda: nn.SGD([parameter([1.0])], weight_decay="a"), TypeError, "weight_decay"),
        (lambda: nn.SGD([parameter([1.0])], loss_scale=0.0), ValueError, "loss_scale"),
        (lambda: nn.SGD([parameter([1.0])], momentum=-1.0), ValueError, "momentum"),
        (lambda: nn.SGD([parameter([1.0])], nesterov=True), ValueError, "nesterov"),
        (lambda: nn.Adam([parameter([1.0])], beta1=1.0), ValueError, "beta1"),
        (lambda: nn.Adam([parameter([1.0])], beta1=2), TypeError, "beta1"),
        (lambda: nn.Adam([parameter([1.0])], eps=0.0), ValueError, "eps"),
        (lambda: nn.Adam([parameter([1.0])], use_nesterov=1), TypeError, "use_nesterov"),
        (lambda: nn.FTRL([parameter([1.0])], lr_power=1.0), ValueError, "lr_power"),
        (lambda: nn.Adagrad([parameter([1.0])], accum=-1.0), ValueError, "accum"),
        (lambda: nn.Adadelta([parameter([1.0])], rho=1.5), ValueError, "rho"),
        (lambda: nn.AdaFactor([parameter([1.0])], learning_rate=0.1), ValueError, "relative_step"),
        (lambda: nn.PolynomialDecayLR(0.1, 0.01, 0, 0.5), ValueError, "decay_steps"),
        (lambda: nn.CosineDecayLR(0.2, 0.1, 3), ValueError, "min_lr"),
    ],
)  # fmt: skip
def test_refusals(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_gradients_that_do_not_fit() -> None:
    optimizer = nn.SGD([parameter([1.0, 2.0])], 0.1)
    with pytest.raises(ValueError, match="1 Parameters, but got 2"):
        optimizer((Tensor([1.0, 1.0]), Tensor([1.0, 1.0])))
    with pytest.raises(ValueError, match=r"shape \(2,\)"):
        optimizer((Tensor([1.0]),))
    with pytest.raises(TypeError, match="tuple of gradients"):
        optimizer(Tensor([1.0, 1.0]))


def test_a_group_twice_or_in_a_wrong_order() -> None:
    own = parameter([1.0])
    with pytest.raises(RuntimeError, match="already"):
        nn.SGD([{"params": [own]}, {"params": [own]}])
    with pytest.raises(ValueError, match="order_params"):
        nn.SGD([{"params": [own]}, {"order_params": [own, parameter([1.0], "v")]}])


# Optimizers of one's own


class Descent(nn.Optimizer):
    """Plain descent, as users write it."""

    def __init__(self, params: Any, learning_rate: Any, weight_decay: float = 0.0, loss_scale: float = 1.0) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.update = ops.MultitypeFuncGraph("descent")
        self.update.register("Tensor", "Tensor", "Tensor")(
            lambda rate, p, g: ops.depend(True, ops.assign(p, p - rate * g))
        )

    def construct(self, gradients: Any) -> Any:
        """One step."""
        gradients = self.flatten_gradients(gradients)
        gradients = self.decay_weight(gradients)
        gradients = self.gradients_centralization(gradients)
        gradients = self.scale_grad(gradients)
        rate = self.get_lr()
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        return self.hyper_map(ops.partial(self.update, rate), self.parameters, gradients)


@pytest.mark.parametrize("compiled", [False, True])
def test_an_optimizer_of_ones_own(compiled: bool) -> None:
    own = parameter([1.0, 2.0])
    optimizer: Any = Descent([own], [0.5, 0.25], weight_decay=0.1, loss_scale=2.0)
    step = ms.jit(lambda gradient: optimizer((gradient,))) if compiled else lambda gradient: optimizer((gradient,))
    step(Tensor([2.0, 2.0]))
    np.testing.assert_allclose(own.asnumpy(), [1 - 0.5 * 1.1, 2 - 0.5 * 1.2], rtol=1e-6)
    before = own.asnumpy()
    step(Tensor([2.0, 2.0]))
    np.testing.assert_allclose(own.asnumpy(), before - 0.25 * (1 + 0.1 * before), rtol=1e-6)
    assert optimizer.global_step.asnumpy().tolist() == [2]


def test_no_gradient_flows_through_an_update() -> None:
    own = parameter([3.0])
    optimizer = nn.SGD([own], 0.5)

    def loss(x: Tensor) -> Tensor:
        optimizer((x,))
        return (own * own).sum()

    gradient = ms.grad(loss, 0)(Tensor([1.0]))
    assert gradient.asnumpy().tolist() == [0.0]
    assert own.asnumpy().tolist() == [2.5]


def test_parameter_update_cell() -> None:
    own = parameter([1.0, 2.0])
    nn.ParameterUpdate(own)(Tensor([5.0, 6.0]))
    assert own.asnumpy().tolist() == [5.0, 6.0]


def test_what_an_optimizer_was_made_with() -> None:
    class Plain(nn.Optimizer):
        """A step against the gradient."""

        @nn.opt_init_args_register
        def __init__(self, params: Any, learning_rate: Any = 0.5, factor: float = 2.0) -> None:
            super().__init__(learning_rate, params)
            self.factor = factor

        def construct(self, gradients: Any) -> Any:
            for own, gradient in zip(self.parameters, gradients, strict=True):
                ops.assign_sub(own, self.get_lr() * self.factor * gradient)
            return True

    with nn.no_init_parameters():
        parameters = [Parameter(Tensor([1.0, 2.0]), name="w")]
    optimizer = Plain(parameters, ms.Tensor(0.25))
    assert optimizer.init_params == {"params": parameters}
    assert optimizer.init_learning_rate == 0.25
    assert optimizer.init_args == {"factor": 2.0}
    optimizer((Tensor([2.0, 4.0]),))
    assert parameters[0].asnumpy().tolist() == [0.0, 0.0]


def test_averaged_descent_reads_the_rate_of_its_own_step():
    weight = ms.Parameter(Tensor([1.0, -2.0]), name="w")
    optimizer = nn.ASGD([weight], [0.5, 0.25])
    for expected in ([0.5, -2.5], [0.0, -3.0]):  # the second step is as long as `eta` of the first one says
        optimizer((Tensor([1.0, 1.0]),))
        np.testing.assert_allclose(weight.asnumpy(), expected, atol=1e-3)


def test_a_cell_in_place_of_its_parameters() -> None:
    with pytest.raises(TypeError, match=r"Adam takes a list of Parameters .* but got Dense: give its trainable_params"):
        nn.Adam(nn.Dense(3, 2))
