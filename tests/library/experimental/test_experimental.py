"""Optimizers and schedules of `experimental.optim`: numbers recorded from MindSpore 2.10, and errors."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn, ops
from mycel.experimental import optim

X = Tensor(np.arange(8).reshape(4, 2).astype(np.float32) / 8)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.linspace(-1, 1, 6).reshape(2, 3).astype(np.float32)), name="w")
        self.bias = Parameter(Tensor(np.array([0.1, -0.2, 0.3], np.float32)), name="bias")

    def construct(self, x):
        return ((ops.matmul(x, self.w) + self.bias) ** 2).mean()


OPTIMIZERS = [
    ("SGD", False, "0.1", [0.15794, -0.15554, 0.04644]),
    ("SGD", False, "0.1, momentum=0.9, weight_decay=0.01", [0.24911, -0.07236, -0.39973]),
    ("SGD", False, "0.1, 0.9, nesterov=True", [0.23352, -0.08026, -0.3604]),
    ("SGD", True, "0.1", [0.16234, -0.15388, 0.03475]),
    ("Adam", False, "0.1", [0.04012, -0.10664, -0.24515]),
    ("Adam", False, "0.1, amsgrad=True, weight_decay=0.1", [-0.00076, 0.00534, -0.24119]),
    ("Adam", False, "0.1, maximize=True", [-0.58036, -0.87249, 1.00386]),
    ("Adam", True, "0.1", [0.13535, -0.13861, -0.31109]),
    ("AdamW", False, "0.1", [0.03896, -0.10573, -0.24456]),
    ("AdamW", True, "0.1", [0.13409, -0.13805, -0.31077]),
    ("Adadelta", False, "1.0", [0.12165, -0.17899, 0.2771]),
    ("Adadelta", False, "0.5, weight_decay=0.1", [0.11116, -0.18861, 0.28846]),
    ("Adadelta", True, "0.1", [0.10232, -0.19769, 0.29767]),
    ("Adagrad", False, "0.1", [0.11587, -0.10569, 0.00079]),
    (
        "Adagrad",
        False,
        "0.1, lr_decay=0.1, weight_decay=0.1, initial_accumulator_value=0.2",
        [0.15938, -0.12139, 0.06305],
    ),
    ("Adagrad", True, "0.1", [0.17665, -0.09797, -0.02646]),
    ("Adamax", False, "0.1", [0.10483, -0.1204, -0.1455]),
    ("Adamax", False, "0.1, weight_decay=0.1", [0.0539, 0.02563, -0.14219]),
    ("Adamax", True, "0.1", [0.20251, -0.11983, -0.19711]),
    ("ASGD", False, "0.1", [0.15793, -0.15553, 0.04644]),
    ("ASGD", False, "0.1, t0=2.0, weight_decay=0.1", [0.14755, -0.14466, 0.04158]),
    ("ASGD", True, "0.1", [0.16233, -0.15387, 0.03474]),
    ("NAdam", False, "0.1", [0.07121, -0.09086, -0.0768]),
    ("NAdam", False, "0.1, weight_decay=0.1", [0.07776, 0.02012, -0.07462]),
    ("NAdam", True, "0.1", [0.14662, -0.08843, -0.12645]),
    ("RAdam", False, "0.1", [0.15679, -0.15686, 0.0776]),
    ("RAdam", False, "0.1, weight_decay=0.1", [0.1504, -0.14781, 0.06778]),
    ("RAdam", True, "0.1", [0.15833, -0.15624, 0.0737]),
    ("RMSprop", False, "0.1", [0.09874, -0.11406, -0.08233]),
    ("RMSprop", False, "0.1, momentum=0.9, centered=True, weight_decay=0.1", [0.04609, -0.13816, -0.32681]),
    ("RMSprop", True, "0.1", [0.12079, -0.10122, -0.1488]),
    ("Rprop", False, "0.1", [-0.018, -0.1375, -0.04672]),
    ("Rprop", False, "0.1, etas=(0.4, 1.3)", [0.1288, -0.07616, -0.05844]),
    ("Rprop", True, "0.1", [0.224, -0.095, -0.1504]),
]


@pytest.mark.parametrize(("kind", "grouped", "arguments", "expected"), OPTIMIZERS)
def test_seven_steps(kind, grouped, arguments, expected):
    net = Net()
    params = [{"params": [net.w], "lr": 0.05}, {"params": [net.bias]}] if grouped else net.trainable_params()
    optimizer = eval(f"optim.{kind}(params, {arguments})", {"optim": optim, "params": params})
    gradient = ms.value_and_grad(net, None, net.trainable_params())
    for _ in range(7):
        optimizer(gradient(X)[1])
    np.testing.assert_allclose(net.bias.asnumpy(), expected, rtol=1e-3, atol=1e-4)


SCHEDULES = [
    (lambda L, o: L.StepLR(o, 2, 0.5), [0.1, 0.05, 0.05, 0.025, 0.025, 0.0125, 0.0125]),
    (lambda L, o: L.MultiStepLR(o, [2, 4], 0.5), [0.1, 0.05, 0.05, 0.025, 0.025, 0.025, 0.025]),
    (lambda L, o: L.ConstantLR(o, 0.5, 3), [0.05, 0.05, 0.1, 0.1, 0.1, 0.1, 0.1]),
    (lambda L, o: L.LinearLR(o, 0.5, 1.0, 4), [0.0625, 0.075, 0.0875, 0.1, 0.1, 0.1, 0.1]),
    (lambda L, o: L.ExponentialLR(o, 0.8), [0.08, 0.064, 0.0512, 0.04096, 0.032768, 0.026214, 0.020972]),
    (lambda L, o: L.PolynomialLR(o, 4, 2.0), [0.05625, 0.025, 0.00625, 0.0, 0.0, 0.0, 0.0]),
    (lambda L, o: L.LambdaLR(o, lambda e: 0.9**e), [0.09, 0.081, 0.0729, 0.06561, 0.059049, 0.053144, 0.04783]),
    (
        lambda L, o: L.LambdaLR(o, [lambda e: 0.9**e, lambda e: 1.0 / (e + 1)]),
        [0.05, 0.033333, 0.025, 0.02, 0.016667, 0.014286, 0.0125],
    ),
    (lambda L, o: L.MultiplicativeLR(o, lambda e: 0.9), [0.09, 0.081, 0.0729, 0.06561, 0.059049, 0.053144, 0.04783]),
    (lambda L, o: L.CosineAnnealingLR(o, 3, 0.01), [0.0775, 0.0325, 0.01, 0.0325, 0.0775, 0.1, 0.0775]),
    (lambda L, o: L.CosineAnnealingWarmRestarts(o, 2, 2, 0.01), [0.055, 0.1, 0.08682, 0.055, 0.02318, 0.1, 0.096575]),
    (lambda L, o: L.CyclicLR(o, 0.01, 0.1, 2, 3), [0.055, 0.1, 0.07, 0.04, 0.01, 0.055, 0.1]),
    (lambda L, o: L.CyclicLR(o, 0.01, 0.1, 2, mode="triangular2"), [0.055, 0.1, 0.055, 0.01, 0.0325, 0.055, 0.0325]),
    (
        lambda L, o: L.SequentialLR(o, [L.ConstantLR(o, 0.5, 2), L.ExponentialLR(o, 0.5)], [3]),
        [0.05, 0.1, 0.1, 0.05, 0.025, 0.0125, 0.00625],
    ),
]


@pytest.mark.parametrize(("make", "expected"), SCHEDULES)
def test_rates(make, expected):
    net = Net()
    optimizer = optim.SGD([{"params": [net.w], "lr": 0.05}, {"params": [net.bias]}], 0.1)
    schedule = make(optim.lr_scheduler, optimizer)
    for step, rates in enumerate(expected):
        schedule.step()
        found = [float(rate.asnumpy()) for rate in schedule.get_last_lr()]
        np.testing.assert_allclose(found[1], rates, rtol=1e-4, atol=1e-6, err_msg=str(step))
        assert [float(group["lr"].asnumpy()) for group in optimizer.param_groups] == found


def test_a_cyclic_schedule_keeps_the_first_rate_of_others():
    optimizer = optim.SGD([Net().w], 0.1)
    schedules = optim.lr_scheduler
    schedules.StepLR(optimizer, 5)
    assert schedules.CyclicLR(optimizer, 0.01, 0.5, 2).base_lrs == [0.01]
    assert schedules.CosineAnnealingWarmRestarts(optimizer, 2).base_lrs == [0.1]


def test_a_plateau_lowers_the_rate():
    net = Net()
    optimizer = optim.SGD(net.trainable_params(), 0.1)
    schedule = optim.lr_scheduler.ReduceLROnPlateau(optimizer, "min", 0.5, patience=1, cooldown=1, min_lr=0.02)
    rates = []
    for loss in (1.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5):
        schedule.step(loss)
        rates.append(round(float(optimizer.param_groups[0]["lr"].asnumpy()), 6))
    assert rates == [0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.025, 0.025, 0.025]


def test_a_compiled_step_follows_the_schedule():
    net = Net()
    optimizer = optim.SGD([net.bias], 1.0)
    schedule = optim.lr_scheduler.ExponentialLR(optimizer, 0.5)

    @ms.jit
    def step(gradient):
        return optimizer((gradient,))

    before = net.bias.asnumpy().copy()
    for expected in (1.0, 1.5, 1.75):
        step(Tensor(np.ones(3, np.float32)))
        schedule.step()
        np.testing.assert_allclose(before - net.bias.asnumpy(), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda L, o: L.StepLR("a", 1), TypeError, "is not an Optimizer"),
        (lambda L, o: L.StepLR(o, 0), ValueError, "'step_size' should be at least 1"),
        (lambda L, o: L.LinearLR(o, 0.0), ValueError, "'start_factor' should be in"),
        (lambda L, o: L.LambdaLR(o, [abs, abs]), ValueError, "expected 1 functions"),
        (lambda L, o: L.MultiStepLR(o, 3), TypeError, "'milestones' should be a list"),
        (lambda L, o: L.CyclicLR(o, 0.1, 1.0, mode="square"), ValueError, "'mode' should be"),
        (lambda L, o: L.SequentialLR(o, [L.StepLR(o, 1)], [1]), ValueError, "need 0 milestones"),
        (lambda L, o: L.ReduceLROnPlateau(o, factor=1.0), ValueError, "should be below 1"),
        (lambda L, o: optim.Rprop([Net().w], etas=(1.0, 2.0)), ValueError, "'etas' should be"),
        (lambda L, o: optim.NAdam([Net().w], betas=(1.0, 0.9)), ValueError, "'betas' should be"),
    ],
)
def test_errors(make, error, message):
    with pytest.raises(error, match=message):
        make(optim.lr_scheduler, optim.SGD([Net().w], 0.1))


def test_rates_have_names_and_are_not_saved():
    net = nn.Dense(2, 1)
    optimizer = optim.Adam([{"params": [net.weight], "lr": 0.5}, {"params": [net.bias]}], lr=0.25)
    assert [rate.name for rate in optimizer.lrs] == ["learning_rate_group_0", "learning_rate_group_1"]
    assert [float(rate.asnumpy()) for rate in optimizer.lrs] == [0.5, 0.25]
    assert not any("learning_rate" in name for name in optimizer.parameters_dict())
