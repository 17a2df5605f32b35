"""Learning rates of optimizers: one for each step, schedules, and lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn, ops

GRADIENTS = ([1.0, -0.25], [0.5, 0.5], [-2.0, 0.1])


def parameter(values: Any, name: str = "w", dtype: Any = ms.float32) -> Parameter:
    """A Parameter of these numbers."""
    return Parameter(Tensor(np.array(values), dtype), name=name)


def run(optimizer: Any, own: Parameter, gradients: Any = GRADIENTS) -> list[float]:
    """The Parameter's numbers after each step."""
    seen: list[float] = []
    for gradient in gradients:
        optimizer((Tensor(np.array(gradient), own.dtype),))
        seen += own.asnumpy().reshape(-1).tolist()
    return seen


@pytest.mark.parametrize(
    "rate", [[0.1, 0.2], Tensor([0.1, 0.2]), np.array([0.1, 0.2]), (value for value in (0.1, 0.2))], ids=type
)
def test_one_rate_for_each_step(rate: Any) -> None:
    own = parameter([0.0])
    optimizer = nn.SGD([own], learning_rate=rate)
    assert optimizer.dynamic_lr
    assert float(optimizer.get_lr().asnumpy()) == pytest.approx(0.1)
    assert run(optimizer, own, ([-1.0], [-1.0])) == pytest.approx([0.1, 0.3])
    with pytest.raises(RuntimeError, match=r"should be in the range \[0, 2\)"):
        optimizer((Tensor([-1.0]),))


def test_schedules() -> None:
    own = parameter([0.0])
    optimizer = nn.SGD([own], learning_rate=nn.ExponentialDecayLR(1.0, 0.5, 1))
    assert run(optimizer, own, [[-1.0]] * 4) == pytest.approx([1.0, 1.5, 1.75, 1.875])


def test_fixed_rate_is_a_parameter_that_can_be_set() -> None:
    own = parameter([0.0])
    optimizer = nn.SGD([own], learning_rate=Tensor(0.5))
    run(optimizer, own, [[-1.0]])
    optimizer.learning_rate.set_data(Tensor(0.25))
    assert run(optimizer, own, [[-1.0]]) == pytest.approx([0.75])
    ops.assign(optimizer.learning_rate, Tensor(1.0))
    assert run(optimizer, own, [[-1.0]]) == pytest.approx([1.75])


SCHEDULES = [
    ("ExponentialDecayLR", (0.1, 0.9, 4), [0.1, 0.0974004, 0.0924021, 0.09, 0.0876603, 0.0788943]),
    ("ExponentialDecayLR", (0.1, 0.9, 4, True), [0.1, 0.1, 0.1, 0.09, 0.09, 0.081]),
    ("NaturalExpDecayLR", (0.1, 0.9, 4), [0.1, 0.040657, 0.0067206, 0.0027324, 0.0011109, 3.03539e-05]),
    ("NaturalExpDecayLR", (0.1, 0.9, 4, True), [0.1, 0.1, 0.1, 0.0027324, 0.0027324, 7.46586e-05]),
    ("InverseDecayLR", (0.1, 0.9, 4), [0.1, 0.0816327, 0.0597015, 0.0526316, 0.0470588, 0.0330579]),
    ("InverseDecayLR", (0.1, 0.9, 4, True), [0.1, 0.1, 0.1, 0.0526316, 0.0526316, 0.0357143]),
    ("CosineDecayLR", (0.01, 0.1, 4), [0.1, 0.0868198, 0.0231802, 0.01, 0.01, 0.01]),
    ("PolynomialDecayLR", (0.1, 0.01, 4, 0.5), [0.1, 0.0879423, 0.055, 0.01, 0.01, 0.01]),
    ("PolynomialDecayLR", (0.1, 0.01, 4, 2.0, True), [0.1, 0.060625, 0.015625, 0.01, 0.0226563, 0.015625]),
    ("WarmUpLR", (0.1, 4), [0.0, 0.025, 0.075, 0.1, 0.1, 0.1]),
]


@pytest.mark.parametrize(("name", "arguments", "expected"), SCHEDULES)
def test_rates_of_schedules(name: str, arguments: tuple[Any, ...], expected: list[float]) -> None:
    schedule = getattr(nn, name)(*arguments)
    rates = [float(schedule(Tensor(step, ms.int32)).asnumpy()) for step in (0, 1, 3, 4, 5, 9)]
    assert rates == pytest.approx(expected, rel=1e-4)
    assert schedule(Tensor([3], ms.int32)).shape == (1,)


LISTS = [
    (nn.piecewise_constant_lr, ([2, 5], [0.1, 0.05]), [0.1, 0.1, 0.05, 0.05, 0.05]),
    (nn.exponential_decay_lr, (0.1, 0.9, 6, 2, 1), [0.1, 0.1, 0.09, 0.09, 0.081, 0.081]),
    (nn.exponential_decay_lr, (0.1, 0.9, 6, 2, 2, True), [0.1, 0.1, 0.1, 0.1, 0.09, 0.09]),
    (nn.natural_exp_decay_lr, (0.1, 0.9, 6, 2, 2), [0.1, 0.1, 0.040657, 0.040657, 0.0165299, 0.0165299]),
    (nn.natural_exp_decay_lr, (0.1, 0.9, 6, 2, 2, True), [0.1, 0.1, 0.1, 0.1, 0.0165299, 0.0165299]),
    (nn.inverse_decay_lr, (0.1, 0.5, 6, 1, 2), [0.1, 0.08, 0.0666667, 0.0571429, 0.05, 0.0444444]),
    (nn.cosine_decay_lr, (0.01, 0.1, 6, 2, 2), [0.1, 0.1, 0.055, 0.055, 0.01, 0.01]),
    (nn.polynomial_decay_lr, (0.1, 0.01, 6, 2, 2, 0.5), [0.1, 0.1, 0.0736396, 0.0736396, 0.01, 0.01]),
    (nn.polynomial_decay_lr, (0.1, 0.01, 8, 2, 2, 0.5, True),
     [0.1, 0.1, 0.0736396, 0.0736396, 0.01, 0.01, 0.055, 0.055]),
    (nn.warmup_lr, (0.1, 6, 2, 2), [0.0, 0.0, 0.05, 0.05, 0.1, 0.1]),
]  # fmt: skip


@pytest.mark.parametrize(("function", "arguments", "expected"), LISTS)
def test_lists_of_rates(function: Any, arguments: tuple[Any, ...], expected: list[float]) -> None:
    assert function(*arguments) == pytest.approx(expected, rel=1e-5)
