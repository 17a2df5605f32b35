"""The programs of a guide to gradients: forms of `grad` and `value_and_grad`, loss scaling, custom train steps.

The expected texts are those that MindSpore 2 prints for the same programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from guide import inputs, printed

import mycel as ms
from mycel import Parameter, Tensor, nn, ops
from mycel.amp import DynamicLossScaler, StaticLossScaler, all_finite


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "eager"], autouse=True)
def mode(request: pytest.FixtureRequest) -> Iterator[int]:
    """Every test runs in both modes."""
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=ms.PYNATIVE_MODE)


class Regression(nn.Cell):
    """Two outputs: the loss and the prediction."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(2, 1, has_bias=False)
        self.criterion = nn.MSELoss()

    def construct(self, features: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        predicted = self.dense(features).squeeze()
        return self.criterion(predicted, target), predicted


def regression() -> Regression:
    """The network with weights 3 and -1: predicts 1 for (2, 5), so a target of 4 gives a loss of 9."""
    net = Regression()
    net.dense.weight.set_data(Tensor([[3, -1]], ms.float32))
    return net


BY_FEATURES = "Tensor(shape=[1, 2], dtype=Float32, value=\n[[-1.80000000e+01,  6.00000000e+00]])"
BY_WEIGHT = "Tensor(shape=[1, 2], dtype=Float32, value=\n[[-1.20000000e+01, -3.00000000e+01]])"
BY_TARGET = "Tensor(shape=[], dtype=Float32, value= 6)"
LOSS = "Tensor(shape=[], dtype=Float32, value= 9)"
PREDICTED = "Tensor(shape=[], dtype=Float32, value= 1)"
ROWS = [
    pytest.param(0, False, "[[-18.   6.]]", id="first"),
    pytest.param(1, False, "6.0", id="second"),
    pytest.param((0, 1), False, f"({BY_FEATURES}, {BY_TARGET})", id="both"),
    pytest.param(None, True, f"({BY_WEIGHT},)", id="weights"),
    pytest.param(0, True, f"({BY_FEATURES}, ({BY_WEIGHT},))", id="first and weights"),
    pytest.param((0, 1), True, f"(({BY_FEATURES}, {BY_TARGET}), ({BY_WEIGHT},))", id="both and weights"),
]


def test_names_and_numbers_of_a_network(capsys: pytest.CaptureFixture[str]) -> None:
    net = regression()
    shown = [printed(capsys, "name:", p.name, "data:", p.data.asnumpy()) for p in net.trainable_params()]
    assert shown == ["name: dense.weight data: [[ 3. -1.]]"]
    assert printed(capsys, *net(*inputs())) == "9.0 1.0"


@pytest.mark.parametrize(("grad_position", "weights", "expected"), ROWS)
def test_every_row_of_grad(
    grad_position: Any, weights: bool, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    net = regression()
    wanted = net.trainable_params() if weights else None
    gradient, others = ms.grad(net, grad_position=grad_position, weights=wanted, has_aux=True)(*inputs())
    assert printed(capsys, gradient) == expected
    assert printed(capsys, others) == f"({PREDICTED},)"


@pytest.mark.parametrize(("grad_position", "weights", "expected"), ROWS)
def test_every_row_of_value_and_grad(
    grad_position: Any, weights: bool, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    net = regression()
    wanted = net.trainable_params() if weights else None
    value, gradient = ms.value_and_grad(net, grad_position=grad_position, weights=wanted, has_aux=True)(*inputs())
    assert printed(capsys, value) == f"({LOSS}, {PREDICTED})"
    assert printed(capsys, gradient) == expected


@pytest.mark.parametrize("function", [ms.grad, ms.value_and_grad])
def test_the_row_without_anything_to_differentiate_by(function: Any) -> None:
    with pytest.raises(ValueError, match=r"`grad_position` and `weight` can not be None at the same time."):
        function(regression(), grad_position=None, weights=None, has_aux=True)(*inputs())


def test_weights_in_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    net = regression()
    weight = net.dense.weight
    bare = ms.grad(net, None, weight, has_aux=True)(*inputs())[0]
    assert printed(capsys, bare) == "[[-12. -30.]]"
    for several in ([weight], (weight,), ms.ParameterTuple([weight])):
        gradients = ms.grad(net, None, several, has_aux=True)(*inputs())[0]
        assert printed(capsys, gradients) == f"({BY_WEIGHT},)"


def test_several_outputs_are_summed(capsys: pytest.CaptureFixture[str]) -> None:
    net = regression()

    class Summed(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.inner = net

        def construct(self, features: Tensor, target: Tensor) -> Tensor:
            loss, predicted = self.inner(features, target)
            return loss + predicted

    gradient = ms.grad(net, grad_position=0, weights=None, has_aux=False)(*inputs())
    assert printed(capsys, gradient) == "[[-15.   5.]]"
    assert printed(capsys, ms.grad(Summed(), 0)(*inputs())) == "[[-15.   5.]]"


def test_functions_of_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    def product(a: Tensor, b: Tensor) -> Tensor:
        return a**3 * b

    def two(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
        return a**3 * b, a

    a, b = Tensor(2.0), Tensor(5.0)
    assert printed(capsys, "by a", ms.grad(product, grad_position=0)(a, b)) == "by a 60.0"
    assert printed(capsys, "by b", ms.grad(product, grad_position=1)(a, b)) == "by b 8.0"
    assert printed(capsys, "both outputs", ms.grad(two)(a, b)) == "both outputs 61.0"
    gradient, _ = ms.grad(two, grad_position=0, has_aux=True)(a, b)
    assert printed(capsys, "first output", gradient) == "first output 60.0"


LOGISTIC_BY_W = """Tensor(shape=[3, 2], dtype=Float32, value=
[[ 2.50000000e-01, -2.50000000e-01],
 [ 5.00000000e-01, -5.00000000e-01],
 [-2.50000000e-01,  2.50000000e-01]])"""
LOGISTIC_BY_B = "Tensor(shape=[2], dtype=Float32, value= [ 2.50000000e-01, -2.50000000e-01])"


def logistic() -> tuple[Any, Any, Any, tuple[Tensor, ...]]:
    """A logistic loss with logits 0: with the logits as second output, and with them stopped."""

    def loss(x: Tensor, y: Tensor, w: Tensor, b: Tensor) -> Tensor:
        z = ops.matmul(x, w) + b
        return ops.binary_cross_entropy_with_logits(z, y, ops.ones_like(z), ops.ones_like(z))

    def with_logits(x: Tensor, y: Tensor, w: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
        z = ops.matmul(x, w) + b
        return ops.binary_cross_entropy_with_logits(z, y, ops.ones_like(z), ops.ones_like(z)), z

    def with_stopped_logits(x: Tensor, y: Tensor, w: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
        z = ops.matmul(x, w) + b
        return ops.binary_cross_entropy_with_logits(z, y, ops.ones_like(z), ops.ones_like(z)), ops.stop_gradient(z)

    x = Tensor([1.0, 2.0, -1.0], ms.float32)
    y = Tensor([0.0, 1.0], ms.float32)
    w = Parameter(Tensor([[1, 0], [0, 1], [1, 2]], ms.float32), name="w")
    b = Parameter(ops.zeros(2, ms.float32), name="b")
    return loss, with_logits, with_stopped_logits, (x, y, w, b)


def test_a_function_of_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    loss, with_logits, with_stopped_logits, arguments = logistic()
    assert printed(capsys, loss(*arguments)) == "0.6931472"
    assert printed(capsys, ms.grad(loss, (2, 3))(*arguments)) == f"({LOGISTIC_BY_W}, {LOGISTIC_BY_B})"
    assert printed(capsys, ms.grad(with_stopped_logits, (2, 3))(*arguments)) == f"({LOGISTIC_BY_W}, {LOGISTIC_BY_B})"
    gradients, (logits,) = ms.grad(with_logits, (2, 3), has_aux=True)(*arguments)
    assert printed(capsys, gradients) == f"({LOGISTIC_BY_W}, {LOGISTIC_BY_B})"
    assert printed(capsys, logits) == "[0. 0.]"
    by_w, by_b = ms.grad(with_logits, (2, 3))(*arguments)
    assert printed(capsys, by_w) == "[[ 1.25  0.75]\n [ 2.5   1.5 ]\n [-1.25 -0.75]]"
    assert printed(capsys, by_b) == "[1.25 0.75]"


def test_the_same_with_a_cell_whose_parameters_are_shared(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, _, (x, y, w, b) = logistic()

    class Linear(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = w
            self.b = b

        def construct(self, x: Tensor) -> Tensor:
            return ops.matmul(x, self.w) + self.b

    model = Linear()
    criterion = nn.BCEWithLogitsLoss()

    def forward(x: Tensor, y: Tensor) -> Tensor:
        return criterion(model(x), y)

    loss, gradients = ms.value_and_grad(forward, None, weights=model.trainable_params())(x, y)
    assert printed(capsys, loss) == "0.6931472"
    assert printed(capsys, gradients) == f"({LOGISTIC_BY_W}, {LOGISTIC_BY_B})"


def test_static_loss_scaler(capsys: pytest.CaptureFixture[str]) -> None:
    net = regression()
    scaler = StaticLossScaler(256.0)

    def forward(features: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        loss, predicted = net(features, target)
        return scaler.scale(loss), predicted

    (loss, _), gradients = ms.value_and_grad(forward, None, weights=net.trainable_params(), has_aux=True)(*inputs())
    assert printed(capsys, loss) == "2304.0"
    scaled = "(Tensor(shape=[1, 2], dtype=Float32, value=\n[[-3.07200000e+03, -7.68000000e+03]]),)"
    assert printed(capsys, gradients) == scaled
    assert printed(capsys, scaler.unscale(loss)) == "9.0"
    assert printed(capsys, scaler.unscale(gradients)) == f"({BY_WEIGHT},)"
    assert printed(capsys, all_finite(gradients)) == "True"


def test_a_print_inside_what_is_differentiated(mode: int, capfd: pytest.CaptureFixture[str]) -> None:
    net = regression()

    def forward(features: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        loss, predicted = net(features, target)
        print("loss", loss)
        return loss, predicted

    function = ms.value_and_grad(forward, None, weights=net.trainable_params(), has_aux=True)
    capfd.readouterr()
    for _ in range(2):
        function(*inputs())
    # In graph mode each value is on a line of its own, and scalars are bare numbers.
    line = "loss\n9\n" if mode == ms.GRAPH_MODE else "loss 9.0\n"
    assert capfd.readouterr().out == 2 * line


def test_dynamic_loss_scaler(capsys: pytest.CaptureFixture[str]) -> None:
    scaler = DynamicLossScaler(scale_value=64.0, scale_factor=2, scale_window=2)
    assert printed(capsys, scaler.scale(Tensor(0.5))) == "32.0"
    shown = []
    for value in (1.0, float("inf"), 1.0, float("nan"), 1.0, 1.0, 1.0):
        finite = all_finite((Tensor([value, 2.0]), Tensor(1.0)))
        scaler.adjust(finite)
        shown.append((bool(finite), float(scaler.scale_value.asnumpy())))
    assert shown == [
        (True, 64.0), (False, 32.0), (True, 32.0), (False, 16.0), (True, 16.0), (True, 32.0), (True, 32.0)
    ]  # fmt: skip


def test_clip_by_global_norm(capsys: pytest.CaptureFixture[str]) -> None:
    gradients = (Tensor([3.0, 4.0]), Tensor([[12.0]]))
    first, second = ops.clip_by_global_norm(gradients)
    np.testing.assert_allclose(first.asnumpy(), [3 / 13, 4 / 13], rtol=1e-6)
    np.testing.assert_allclose(second.asnumpy(), [[12 / 13]], rtol=1e-6)
    first, second = ops.clip_by_global_norm(gradients, 26.0)
    assert printed(capsys, first) == "[3. 4.]"
    assert printed(capsys, second) == "[[12.]]"
    first, second = ops.clip_by_global_norm(gradients, clip_norm=6.5)
    assert printed(capsys, first) == "[1.5 2. ]"
    assert printed(capsys, second) == "[[6.]]"


def test_parameters_given_as_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    """The gradient is by the argument: the same Parameter at another place counts for that place."""
    p = Parameter(Tensor([3.0]), name="p")

    def square_times(a: Tensor, b: Tensor) -> Tensor:
        return a * a * b

    by_first, by_second = ms.grad(square_times, (0, 1))(p, p)
    assert printed(capsys, by_first, by_second) == "[18.] [9.]"
    assert printed(capsys, ms.grad(square_times)(p, Tensor([2.0]))) == "[12.]"

    def doubled_first(a: Parameter) -> Tensor:
        ops.assign(a, a * 2)
        return a * a

    assert printed(capsys, ms.grad(doubled_first)(p), p.asnumpy()) == "[12.] [6.]"


def test_hyper_map_and_partial(capsys: pytest.CaptureFixture[str]) -> None:
    clip = ops.MultitypeFuncGraph("clip")

    @clip.register("Number", "Tensor")
    def clip_tensor(limit: float, value: Tensor) -> Tensor:
        return ops.clip_by_value(value, Tensor(-limit), Tensor(limit))

    @clip.register("Number", "Number")
    def clip_number(limit: float, value: float) -> float:
        return limit if value > limit else value

    mapped = ops.HyperMap()(ops.partial(clip, 2.0), (Tensor([1.0, 5.0]), (Tensor([-3.0]),)))
    assert printed(capsys, mapped[0], mapped[1][0]) == "[1. 2.] [-2.]"
    assert ops.HyperMap()(ops.partial(clip, 2.0), (1.0, 5.0)) == (1.0, 2.0)
    assert printed(capsys, *ops.Map()(ops.tensor_add, (Tensor(1.0), Tensor(2.0)), (Tensor(3.0), Tensor(4.0)))) == (
        "4.0 6.0"
    )


def test_gradients_with_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    net = regression()
    gradients, _ = ms.grad(net, (0, 1), net.trainable_params(), has_aux=True, return_ids=True)(*inputs())
    by_position, by_name = gradients
    assert [position for position, _ in by_position] == [0, 1]
    assert [name for name, _ in by_name] == ["dense.weight"]
    assert printed(capsys, ms.get_grad(gradients, 1)) == "6.0"
    assert printed(capsys, ms.get_grad(gradients, net.dense.weight)) == "[[-12. -30.]]"
