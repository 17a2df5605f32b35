"""Loops carry states without their paddings: in which programs, and numbers and gradients stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, mint, ops
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

COUNT = 19


def padded(x: Any, value: float = 0.0) -> Any:
    """A vector between two elements."""
    return mint.nn.functional.pad(x, [1, 1], "constant", value)


def middle(x: Any) -> Any:
    """The difference of neighbours on both sides."""
    return x[2:] - 2.0 * x[1:-1] + x[:-2]


def heat(u: Any, p: Any) -> Any:
    """One state, and one that stays."""
    for _ in range(COUNT):
        u = padded(u[1:-1] + 0.1 * middle(u) * p[1:-1])
    return u


def wave(u: Any, p: Any) -> Any:
    """A state, and the one before it."""
    for _ in range(COUNT):
        u, p = padded(2.0 * u[1:-1] - p[1:-1] + 0.1 * middle(u)), u
    return u, p


def both(u: Any, p: Any) -> Any:
    """Two states with paddings, and one that is computed otherwise."""
    k = p * 0.5
    for _ in range(COUNT):
        u, p, k = padded(p[1:-1] + 0.1 * middle(u)), padded(ops.tanh(u[:-2]) * k[2:]), ops.sin(k + u)
    return u + p, k


def crossed(u: Any, p: Any) -> Any:
    """Each state comes from the other one."""
    for _ in range(COUNT):
        u, p = padded(0.5 * middle(p)), padded(0.5 * middle(u))
    return u * p


def ones(u: Any, p: Any) -> Any:
    """The elements around are no zeros."""
    for _ in range(COUNT):
        u = padded(u[1:-1] + 0.1 * middle(u), 1.0)
    return u + p


def stacked(u: Any, p: Any) -> Any:
    """The states are results, too."""
    found = []
    for _ in range(COUNT):
        u = padded(u[1:-1] + 0.1 * middle(u))
        found.append(u)
    return ops.stack(found) * p


def counted(u: Any, p: Any) -> Any:
    """The number of the iteration counts."""
    for i in range(COUNT):
        u = padded(u[1:-1] + i * middle(u))
    return u + p


def sums(u: Any, p: Any) -> Any:
    """What reads the state reads all of it."""
    for _ in range(COUNT):
        u = padded(ops.cumsum(u, 0)[1:-1] * 0.1)
    return u + p


def lagged(u: Any, p: Any) -> Any:
    """The state before is read as a whole, but not that one."""
    for _ in range(COUNT):
        u, p = padded(u[1:-1] + 0.1 * ops.cumsum(p, 0)[1:-1]), u
    return u + p


CARRIED: dict[Callable[[Any, Any], Any], int] = {heat: 1, wave: 2, both: 2, crossed: 2, lagged: 1}


@pytest.mark.parametrize("function", [*CARRIED, ones, stacked, counted, sums])
def test_states_without_paddings(function: Callable[[Any, Any], Any]) -> None:
    """They are carried in some programs, and numbers and gradients are those of the plain function."""
    rng = np.random.default_rng(1)
    arrays = [rng.standard_normal(70).astype(np.float32) for _ in range(2)]
    u, p = map(Tensor, arrays)
    compiled = ms.jit(function)
    stages = compiled.stages(u, p)
    (loop,) = (node for node in stages.passes["windows"].nodes if node.op.name == "scan")
    shorter = [value for value in loop.outputs if value.type.static_shape[-1:] == (68,)]
    assert len(shorter) == CARRIED.get(function, 0)
    for found, wanted in zip(_flat(compiled(u, p)), _flat(function(u, p)), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)

    def loss(u: Any, p: Any) -> Any:
        return sum(ops.square(x).sum() for x in _tensors(function(u, p)))

    gradients = [ms.grad(loss, (0, 1)), ms.jit(ms.grad(loss, (0, 1)))]
    for wanted, found in zip(*[_flat(each(u, p)) for each in gradients], strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4 * np.abs(wanted).max())


def _tensors(found: Any) -> tuple[Any, ...]:
    return found if isinstance(found, tuple) else (found,)


def _flat(found: Any) -> list[Any]:
    return [each.asnumpy() for each in _tensors(found)]
