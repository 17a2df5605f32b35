"""Names that may stand for one tensor or another, as only the run knows: what is recorded to update the right ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from both_modes import assert_same, plain

import mycel as ms
from mycel import Parameter, Tensor, ops

ROUNDS = range(12)


def swaps(x: Tensor, w: Tensor) -> tuple[Tensor, Tensor]:
    for limit in ROUNDS:
        if x.sum() > limit:
            x, w = w, x
    if x is w:
        x = x + 100
    return x, w


def update_after_swaps(x: Tensor, w: Tensor) -> tuple[Tensor, Tensor]:
    for limit in ROUNDS:
        if x.sum() > limit:
            x, w = w, x
    w += 0.5
    return x, w


def one_name(x: Tensor, w: Tensor) -> tuple[Tensor, Tensor]:
    for limit in ROUNDS:
        if x.sum() > limit:
            w = x
        w += 1
    return x, w


def loops(rounds: int):
    def run(x: Tensor, w: Tensor) -> tuple[Tensor, Tensor]:
        for limit in range(rounds):
            if x.sum() > limit:
                x, w = w, x
                for number in range(20):
                    if x.max() > number:
                        x = x * 0.5
                    else:
                        w += 0.125
        return x, w

    return run


def given() -> tuple[Tensor, Tensor]:
    return Tensor(np.array([1.0, 2.0, 3.0])), Tensor(np.array([0.5, 7.0, -3.0]))


@pytest.mark.parametrize("function", [swaps, update_after_swaps, one_name, loops(2), loops(4)])
def test_each_tensor_gets_the_updates_of_its_names(function):
    expected, found = function(*given()), ms.jit(function)(*given())
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy())


def test_two_names_that_only_change_places_are_known_to_be_two_tensors():
    text = str(ms.jit(swaps).stages(*given()).forward)
    assert "logical_" not in text
    assert "100" not in text


def test_conditions_are_recorded_if_they_are_needed():
    # Four times the conditions for each of twice the loops, and no more.
    two, four = (str(ms.jit(loops(rounds)).stages(*given()).forward).count(" = ") for rounds in (2, 4))
    assert four < 9 * two


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_gradients_end_at_an_update_of_what_may_be_a_parameter(sign: float) -> None:
    """By MindSpore's rule, also where only the run knows whether the name stands for the Parameter."""

    def gradients(v: Tensor) -> Any:
        weight = Parameter(Tensor([0.5, -1.0, 0.25]), name="w")

        def loss(v: Tensor) -> Tensor:
            h = weight if v[0] > 0 else v * 2
            h[2] = v[1]
            h *= v
            return (ops.sin(weight) + ops.cos(h) * v).sum()

        return ms.grad(loss, 0, [weight])(v), weight

    given = np.array([1.0, 2.0, 3.0], np.float32) * sign
    with ms.disable_jit():
        expected = gradients(Tensor(given))
    assert_same(plain(gradients(Tensor(given))), plain(expected))


KINDS = {
    "a method": lambda chosen, x: chosen.set_data(x * 2),
    "a name": lambda chosen, x: x * len(chosen.name),
    "a write": lambda chosen, x: setattr(chosen, "requires_grad", False),
    "whether it has": lambda chosen, x: x * (2 if hasattr(chosen, "set_data") else 3),
    "a default": lambda chosen, x: x * (2 if getattr(chosen, "layerwise_parallel", None) is None else 3),
    "isinstance": lambda chosen, x: x * (2 if isinstance(chosen, (Parameter, int)) else 3),
    "type": lambda chosen, x: x * (2 if type(chosen) is Parameter else 3),
}


@pytest.mark.filterwarnings("ignore::mycel.FallbackWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_only_python_knows_more_of_what_may_be_a_parameter_than_tensors_have(kind: str) -> None:
    def results(value: float, compiled: bool) -> Any:
        one, two = Parameter(Tensor([1.0]), name="one"), Parameter(Tensor([5.0]), name="second")

        def function(x: Tensor) -> Any:
            chosen = one if x > 0 else two
            return KINDS[kind](chosen, x)

        found = (ms.jit(function) if compiled else function)(Tensor([value]))
        return plain([found, one, two, one.requires_grad, two.requires_grad])

    for value in (1.0, -1.0):
        assert results(value, True) == results(value, False)


def test_a_graph_knows_that_what_may_be_a_parameter_is_a_tensor() -> None:
    weight = Parameter(Tensor([3.0]))

    @ms.jit(fullgraph=True)
    def function(x: Tensor) -> Any:
        chosen = weight if x > 0 else x
        return chosen * 2 if isinstance(chosen, Tensor) and isinstance(x, (Tensor, float)) else None

    assert plain(function(Tensor([2.0]))) == plain(Tensor([6.0]))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_a_gradient_function_names_is_no_other_tensor_behind_it(sign: float) -> None:
    """An optimizer updates a Parameter that the loss has named, or not, as only the run knows."""

    def weights_after(jit: bool) -> Tensor:
        p = Parameter(Tensor([1.0, 2.0]), name="p")

        def loss(x: Tensor) -> Tensor:
            named = p if x.sum() > 0 else x
            return (named * named * x).sum()

        def step(x: Tensor) -> Tensor:
            value, (slope,) = ms.value_and_grad(loss, None, [p])(x)
            p[...] = p - 0.1 * slope
            return value

        (ms.jit(step) if jit else step)(Tensor([sign, sign]))
        return p

    np.testing.assert_allclose(weights_after(True).asnumpy(), weights_after(False).asnumpy())
