"""Mistakes in programs that would otherwise pass without a word, or end in a message about mycel's insides."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops

X = Tensor(np.ones((1, 2), np.float32))
Y = Tensor(np.ones((1, 1), np.float32))


class NoReturn(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(2, 1)

    def construct(self, x: Tensor, label: Any = None) -> Any:
        self.dense(x)


def no_return(x: Tensor) -> Any:
    x * x


def _wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


@_wrapped
def decorated(
    x: Tensor,
) -> Any:
    return None


def a_number(x: Tensor) -> Any:
    return 3.0


def no_first(x: Tensor) -> Any:
    return None, x


def _train(sens: Any = None) -> Any:
    net = NoReturn()
    return nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1), sens)(X)


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["eager", "graph"])
def mode(request: pytest.FixtureRequest) -> Any:
    ms.set_context(mode=request.param)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize(
    ("call", "defined", "told"),
    [
        (lambda: ms.value_and_grad(NoReturn(), None, NoReturn().trainable_params())(X), NoReturn.construct, "None"),
        (lambda: ms.grad(NoReturn())(X), NoReturn.construct, "None"),
        (lambda: ms.grad(ms.jit(no_return))(X), no_return, "None"),
        (lambda: ms.jit(ms.grad(no_return))(X), no_return, "None"),
        (lambda: ops.GradOperation(get_all=True)(no_return)(X), no_return, "None"),
        (lambda: ms.grad(no_first, has_aux=True)(X), no_first, "None"),
        (lambda: ms.grad(decorated)(X), decorated, "None"),
        (lambda: ms.grad(a_number)(X), a_number, "float 3.0"),
        (lambda: ms.vjp(no_return, X), no_return, "None"),
        (lambda: ms.jacrev(no_return)(X), no_return, "None"),
        (_train, NoReturn.construct, "None"),
        (lambda: _train(2.0), NoReturn.construct, "None"),
    ],
)
def test_a_function_that_returns_no_loss(call: Callable[[], Any], defined: Any, told: str, mode: None) -> None:
    with pytest.raises(
        TypeError, match=rf"nothing to differentiate .* it returns {told}. .* should return the loss"
    ) as e:
        call()
    lines, first = inspect.getsourcelines(defined)
    first += next(number for number, line in enumerate(lines) if line.strip().startswith("def "))
    assert f"\n  at {__file__}:{first}, in {defined.__name__}\n    def {defined.__name__}" in str(e.value)


def test_a_function_that_returns_no_loss_in_a_fallback() -> None:
    def reads(x: Tensor) -> Any:
        x.asnumpy()

    with pytest.warns(ms.FallbackWarning), pytest.raises(TypeError, match="nothing to differentiate"):
        ms.jit(ms.grad(reads))(X)
