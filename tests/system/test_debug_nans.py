"""`debug_nans`: the first operation that makes nan or inf of finite numbers is an error with its line and ranges."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import mycel as ms
import mycel.dataset as ds
from mycel import Parameter, Tensor, nn, ops, train
from mycel.frontend.errors.classes import NonFiniteError

INF = float("inf")


@pytest.fixture(autouse=True)
def debugging() -> Iterator[None]:
    ms.set_context(debug_nans=True)
    yield
    ms.set_context(debug_nans=False)


def x() -> Tensor:
    return Tensor([0.0, 1.0, 2.0])


def straight(x: Any) -> Any:
    y = x * 2
    z = ops.log(y - 1.0)  # here
    return (z + 1).sum()


def fused(x: Any) -> Any:
    y = ops.exp(ops.tanh(x) * 200.0)  # here
    return ops.tanh(y * 0.5 - y).sum() + y.sum()


def counted(x: Any) -> Any:
    for _ in range(40):
        x = x * x + x * 3  # here
    return x


def looped(x: Any) -> Any:
    y = x
    while y.sum() < 1e6:
        y = ops.exp(y)  # here
    return y


def branched(x: Any) -> Any:
    if x.sum() > 0:
        y = 1.0 / x  # here
    else:
        y = x
    return y + 1


def harmless_before(x: Any) -> Any:
    unused = ops.exp(ops.log(x))  # -inf, and 0 again
    return unused * 0 + ops.sqrt(x - 1.0)  # here


def narrowed(x: Any) -> Any:
    return (x * 1e30).astype(ms.float16)  # here


def out_of_infinities(x: Any) -> Any:
    return ops.softmax(ops.where(x > 100, x, -INF))  # here


MAKE: list[tuple[Callable[..., Any], str]] = [
    (straight, "log makes nan out of finite numbers\n  input 0: float32[3], from -1.0 to 3.0\n"),
    (fused, "exp makes inf out of finite numbers\n  input 0: float32[3], from 0.0 to 192."),
    (counted, "makes inf out of finite numbers"),
    (looped, "exp makes inf out of finite numbers"),
    (branched, "divide makes inf out of finite numbers"),
    (harmless_before, "sqrt makes nan out of finite numbers\n  input 0: float32[3], from -1.0 to 1.0\n"),
    (narrowed, "cast makes inf out of finite numbers"),
    (out_of_infinities, "softmax makes nan out of infinities\n  input 0: float32[3], from -inf to -inf\n"),
]


def line_of(function: Any) -> int:
    lines, first = inspect.getsourcelines(function)
    return next(number for number, line in enumerate(lines, first) if line.rstrip().endswith("# here"))


def check(call: Callable[[], Any], words: str, line: int) -> str:
    with pytest.raises(FloatingPointError) as caught:
        call()
    assert type(caught.value) is NonFiniteError
    text = str(caught.value)
    assert words in text
    assert text.count("\n  at ") == 1
    assert f"test_debug_nans.py:{line}, in " in text
    assert "not finite" in text
    return text


@pytest.mark.parametrize(("function", "words"), MAKE, ids=[function.__name__ for function, _ in MAKE])
def test_graph(function: Any, words: str) -> None:
    """Through kernels, loops and branches; the traceback stands at the line."""
    compiled = ms.jit(function)
    check(lambda: compiled(x()), words, line_of(function))
    check(lambda: compiled(x()), words, line_of(function))  # the fast path
    with pytest.raises(NonFiniteError) as caught:
        compiled(x())
    assert traceback.extract_tb(caught.tb)[-1].lineno == line_of(function)


@pytest.mark.parametrize(("function", "words"), MAKE, ids=[function.__name__ for function, _ in MAKE])
def test_eager(function: Any, words: str) -> None:
    """Op by op: a nan is an error even if later ops remove it."""
    if function is harmless_before:
        words, line = "log makes inf out of finite numbers", line_of(function) - 1
    else:
        line = line_of(function)
    text = check(lambda: function(x()), words, line)
    if hasattr(traceback.FrameSummary("", 0, ""), "colno"):
        assert "^" in text
    with ms.disable_jit():
        check(lambda: ms.jit(function)(x()), words, line)


def root(x: Any) -> Any:
    return ops.sqrt(x).sum()  # here


def quotient(x: Any) -> Any:
    return (1.0 / x).sum()  # here


@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_gradients(mode: str) -> None:
    """Says which pass made it."""

    def gradient(function: Any) -> Any:
        if mode == "graph":
            return ms.value_and_grad(function)(x())
        with ms.disable_jit():
            return ms.value_and_grad(function)(x())

    check(lambda: gradient(root), "out of finite numbers, in the backward pass", line_of(root))
    forward = ", in the forward pass" if mode == "graph" else ""
    check(lambda: gradient(quotient), f"divide makes inf out of finite numbers{forward}\n", line_of(quotient))


def second_order(x: Any) -> Any:
    return (x**1.5).sum()  # here


def test_a_gradient_of_a_gradient() -> None:
    once = ms.grad(second_order)
    assert once(x()).asnumpy()[0] == 0.0
    check(
        lambda: ms.grad(lambda a: once(a).sum())(x()),
        "makes inf out of finite numbers, in the backward",
        line_of(second_order),
    )


def passes_on(x: Any) -> Any:
    return (x * 2 + 1).sum()


def masked(x: Any) -> Any:
    scores = ops.where(x > 0, x, -INF)
    return ops.softmax(scores), scores, ops.masked_fill(x, x > 1, -INF), ops.full((2,), INF, dtype=ms.float32)


@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_what_is_no_error(mode: str) -> None:
    """A nan in inputs, Parameters or constants is no error."""
    weight = Parameter(Tensor([1.0, INF, 2.0]), name="weight")
    run = ms.jit if mode == "graph" else lambda function: function
    assert np.isnan(run(passes_on)(Tensor([float("nan"), 1.0])).asnumpy())
    assert np.isinf(run(lambda a: a * weight)(x() + 1).asnumpy()).any()
    softmax, scores, *_ = run(masked)(x())
    assert np.isfinite(softmax.asnumpy()).all()
    assert np.isinf(scores.asnumpy()).any()
    assert run(straight)(x() + 1).asnumpy().dtype == np.float32


class Net(nn.Cell):
    def __init__(self, bias: float = 0.0) -> None:
        super().__init__()
        self.dense = nn.Dense(3, 1, weight_init="ones")
        self.bias = bias

    def construct(self, x: Any) -> Any:
        return ops.log(self.dense(x) + self.bias)  # here


def test_parameters_and_the_generator_are_as_before() -> None:
    """Also where the program writes into them before the result is known."""
    weight = Parameter(Tensor([1.0, 2.0]), name="weight")

    @ms.jit
    def step(x: Any) -> Any:
        weight.set_data(weight * 2)
        noise = ops.rand((2,))
        return ops.log(x * weight) + noise

    step(Tensor(1.0))
    ms.set_seed(3)
    drawn = step(Tensor(1.0)).asnumpy()
    ms.set_seed(3)
    before = weight.asnumpy().copy()
    with pytest.raises(NonFiniteError, match="log makes nan"):
        step(Tensor(-1.0))
    assert (weight.asnumpy() == before).all()
    weight.set_data(Tensor(before / 2))
    assert (step(Tensor(1.0)).asnumpy() == drawn).all()


def test_what_is_printed_is_printed_once(capfd: pytest.CaptureFixture[str]) -> None:
    @ms.jit
    def shown(x: Any) -> Any:
        print("seen", x.sum())
        return ops.log(x)

    with pytest.raises(NonFiniteError):
        shown(x())
    assert capfd.readouterr().out.count("seen") == 1


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def test_training_steps(mode: int) -> None:
    """A step of an optimizer in which the loss has no logarithm; the weights stay."""
    ms.set_context(mode=mode)
    try:
        net = Net()
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.1))
        step.set_train()
        good, bad = Tensor(np.ones((2, 3), np.float32)), Tensor(-np.ones((2, 3), np.float32))
        label = Tensor(np.zeros((2, 1), np.float32))
        step(good, label)
        before = [weight.asnumpy().copy() for weight in net.trainable_params()]
        check(lambda: step(bad, label), "log makes nan out of finite numbers", line_of(Net.construct))
        assert all((weight.asnumpy() == old).all() for weight, old in zip(net.trainable_params(), before, strict=True))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_model_train() -> None:
    rows = np.stack([np.ones(3), -np.ones(3)]).astype(np.float32)
    data = ds.NumpySlicesDataset((rows, np.zeros((2, 1), np.float32)), ["x", "y"], shuffle=False).batch(1)
    net = Net()
    model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 1e-3))
    check(lambda: model.train(1, data, dataset_sink_mode=False), "log makes nan", line_of(Net.construct))


def test_the_switch() -> None:
    """Off, nothing is looked at, and compiled functions are compiled anew when it changes."""
    compiled = ms.jit(straight)
    with pytest.raises(NonFiniteError):
        compiled(x())
    ms.set_context(debug_nans=False)
    assert ms.get_context("debug_nans") is False
    assert np.isnan(compiled(x()).asnumpy())
    assert np.isnan(straight(x()).asnumpy())
    ms.set_context(debug_nans=True)
    with pytest.raises(NonFiniteError):
        compiled(x())
    with pytest.raises(TypeError, match="debug_nans"):
        ms.set_context(debug_nans="yes")


@pytest.mark.parametrize(("value", "on"), [("1", True), ("0", False), ("", False)])
def test_the_environment(value: str, on: bool) -> None:
    code = "import mycel as ms; print(ms.get_context('debug_nans'))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "MYCEL_DEBUG_NANS": value}
    )
    assert done.stdout.strip() == str(on), done.stderr
