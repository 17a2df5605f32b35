"""Lists of values that a condition keeps or replaces, as the states of a Markov chain: one loop, and eager results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops

RANDOM = np.random.default_rng(2)
STEPS, CHANCES = RANDOM.normal(size=(40, 2)).astype(np.float32), RANDOM.random(40, np.float32)


def chain(steps: Tensor, chances: Tensor) -> Any:
    """States, and how often one was accepted."""
    x, density, accepted, out = ops.zeros(2), Tensor(0.0), Tensor(0), []
    for t in range(40):
        y = x + steps[t]
        new = -(y * y).sum()
        if ops.log(chances[t]) < new - density:
            x, density = y, new
            accepted = accepted + 1
        out.append(x)
    return ops.stack(out), x, accepted


def two_lists(steps: Tensor, chances: Tensor) -> Any:
    """Two lists, of a state that is kept and of what is computed with it; a second loop goes on from there."""
    x, out, others = ops.zeros(2), [], []
    for t in range(40):
        if chances[t] < 0.5:
            x = x * 0.5 + steps[t]
        out.append(x)
        others.append(x * x)
    for t in range(40):
        if chances[t] > 0.5:
            x = x - steps[t]
        out.append(x)
    return ops.stack(out), ops.stack(others)


def changed(steps: Tensor, chances: Tensor) -> Any:
    """The list after an item was updated in place, which may be another one, too."""
    x, out = ops.zeros(2), []
    for t in range(40):
        if chances[t] < 0.5:
            x = x + steps[t]
        out.append(x)
    out[7] += 1
    x += 2
    return ops.stack(out), x


def swapped(steps: Tensor, chances: Tensor) -> Any:
    """Two states, which change places or stay."""
    x, y, out = steps[0] * 1, steps[1] * 2, []
    for t in range(40):
        if chances[t] < 0.5:
            x, y = y, x + steps[t]
        out.append(x)
    return ops.stack(out), x, y


def updated(steps: Tensor, chances: Tensor) -> Any:
    """The list of a state that is updated in place, so that its items change behind its back."""
    x, out = ops.zeros(2), []
    for t in range(40):
        if chances[t] < 0.5:
            x = steps[t] * 2
        x += 1
        out.append(x)
    return ops.stack(out), x


@pytest.mark.filterwarnings("ignore::mycel.FallbackWarning")
@pytest.mark.parametrize("function", [chain, two_lists, changed, swapped, updated])
def test_agrees_with_eager_mode(function: Any) -> None:
    given = Tensor(STEPS), Tensor(CHANCES)
    for ours, theirs in zip(ms.jit(function)(*given), function(*given), strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.asnumpy(), rtol=1e-4, atol=1e-6)


def test_the_chain_is_one_loop() -> None:
    """Its graph has one node for all iterations, and its gradient goes through them."""
    given = Tensor(STEPS), Tensor(CHANCES)
    assert str(ms.jit(chain).stages(*given).forward).count(" = scan(") == 1
    slope = ms.grad(lambda steps, chances: (chain(steps, chances)[0] ** 2).sum())(*given).asnumpy()
    wanted = np.zeros_like(STEPS)
    states, kept = chain(*given)[0].asnumpy(), np.zeros(2, np.float32)
    after = np.flip(np.cumsum(np.flip(2 * states, 0), 0), 0)
    for t in range(40):
        if (states[t] != kept).any():
            wanted[t], kept = after[t], states[t]
    np.testing.assert_allclose(slope, wanted, rtol=1e-3, atol=1e-4)


def test_a_state_with_the_name_of_the_function() -> None:
    """A loop's array of this name stands outside of the compiled function, which gets another name."""

    def state(x: Tensor, w: Tensor) -> Tensor:
        state, out = ops.zeros(8), []
        for t in range(x.shape[0]):
            state = ops.tanh(x[t] @ w + state)
            out.append(state)
        return ops.stack(out)

    x, w = (Tensor(RANDOM.normal(size=shape).astype(np.float32)) for shape in ((40, 4), (4, 8)))
    np.testing.assert_allclose(ms.jit(state)(x, w).asnumpy(), state(x, w).asnumpy(), rtol=1e-4, atol=1e-6)
    assert "def state_program(" in str(ms.jit(state).stages(x, w).program)
