"""Training steps as the guide writes them: gradients inside Cells, loss scaling, clipping, accumulation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from guide import printed

import mycel as ms
from mycel import Parameter, Tensor, nn, ops


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "eager"], autouse=True)
def mode(request: pytest.FixtureRequest) -> Iterator[int]:
    """Every test runs in both modes."""
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=ms.PYNATIVE_MODE)


def test_gradient_accumulation() -> None:
    """Two halves of a batch, added up and divided, train as the whole batch does."""

    class Accumulator:
        def __init__(self, optimizer: Any, steps: int) -> None:
            self.optimizer = optimizer
            self.steps = steps
            self.sums = optimizer.parameters.clone(prefix="accumulated", init="zeros")
            self.counter = Parameter(Tensor(1, ms.int32), "counter")
            self.map = ops.HyperMap()

        def __call__(self, gradients: Any) -> bool:
            self.map(ops.partial(ops.assign_add), self.sums, gradients)
            if self.counter % self.steps == 0:
                self.optimizer(self.map(ops.partial(divided, Tensor(float(self.steps))), self.sums))
                self.map(ops.partial(cleared), self.sums)
            ops.assign_add(self.counter, Tensor(1, ms.int32))
            return True

    def divided(steps: Tensor, value: Tensor) -> Tensor:
        return value / steps

    def cleared(value: Parameter) -> bool:
        return ops.assign(value, ops.zeros_like(value))

    data = np.array([[1.0, 2.0], [0.5, -1.0], [2.0, 0.0], [-1.0, 1.0]], np.float32)
    targets = np.array([[1.0], [0.0], [2.0], [-1.0]], np.float32)
    results = []
    for parts in (1, 2):
        net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        criterion = nn.MSELoss()
        optimizer = nn.SGD(net.trainable_params(), 0.1)
        accumulate = Accumulator(optimizer, parts)

        def forward(x: Tensor, y: Tensor, net: Any = net, criterion: Any = criterion) -> Tensor:
            return criterion(net(x), y)

        gradient = ms.value_and_grad(forward, None, optimizer.parameters)
        size = 4 // parts
        for _ in range(3):
            for start in range(0, 4, size):
                _, gradients = gradient(Tensor(data[start : start + size]), Tensor(targets[start : start + size]))
                accumulate(gradients)
        results.append((net.weight.asnumpy(), net.bias.asnumpy()))
    np.testing.assert_allclose(results[0][0], results[1][0], rtol=1e-5)
    np.testing.assert_allclose(results[0][1], results[1][1], rtol=1e-5)
    assert not np.allclose(results[0][0], 1.0)


class Distance(nn.Cell):
    """Squared distance of a scaled first input from the second; the third does not count."""

    def __init__(self, start: float = 2.0) -> None:
        super().__init__()
        self.factor = Parameter(Tensor([start]), name="factor")

    def construct(self, x: Tensor, y: Tensor, unused: Tensor) -> Tensor:
        return ((x * self.factor - y) ** 2).sum()


def distance_inputs(x: float = 1.0) -> tuple[Tensor, Tensor, Tensor]:
    """With a factor of 2 the loss is 1 and its gradient -2."""
    return Tensor([x]), Tensor([3.0]), Tensor([7.0])


def test_the_documented_step(capsys: pytest.CaptureFixture[str]) -> None:
    """A train step with GradOperation(get_by_list=True), a reducer and the helpers for several processes."""
    from mycel.parallel._utils import _get_device_num, _get_gradients_mean, _get_parallel_mode

    class Step(nn.Cell):
        def __init__(self, network: nn.Cell, optimizer: Any, reduce: bool) -> None:
            super().__init__(auto_prefix=False)
            self.network = network
            self.network.set_grad()
            self.optimizer = optimizer
            self.weights = self.optimizer.parameters
            self.grad = ops.GradOperation(get_by_list=True)
            self.grad_reducer = ops.identity
            modes = (ms.ParallelMode.DATA_PARALLEL, ms.ParallelMode.HYBRID_PARALLEL)
            self.reducer_flag = _get_parallel_mode() in modes
            if self.reducer_flag or reduce:
                self.grad_reducer = nn.DistributedGradReducer(self.weights, _get_gradients_mean(), _get_device_num())

        def construct(self, *inputs: Tensor) -> Tensor:
            loss = self.network(*inputs)
            grads = self.grad(self.network, self.weights)(*inputs)
            grads = self.grad_reducer(grads)
            self.optimizer(grads)
            return loss

    net = Distance()
    step = Step(net, nn.SGD(net.trainable_params(), 0.25), reduce=False)
    assert [parameter.name for parameter in step.weights] == ["factor"]
    assert printed(capsys, step(*distance_inputs()), net.factor.asnumpy()) == "1.0 [2.5]"
    assert printed(capsys, step(*distance_inputs()), net.factor.asnumpy()) == "0.25 [2.75]"


GRAD_SCALE = ops.MultitypeFuncGraph("grad_scale")


@GRAD_SCALE.register("Tensor", "Tensor")
def unscaled(scale: Tensor, grad: Tensor) -> Tensor:
    """A gradient divided by the scale."""
    return grad * ops.cast(ops.Reciprocal()(scale), ops.dtype(grad))


class ScaledStep(nn.TrainOneStepWithLossScaleCell):
    """A train step of one's own on the library's, with gradients that may be clipped."""

    def __init__(self, network: nn.Cell, optimizer: Any, scale_sense: Any = 1, grad_clip: bool = False) -> None:
        if isinstance(scale_sense, (int, float)):
            scale_sense = ms.FixedLossScaleManager(scale_sense)
        super().__init__(network, optimizer, scale_sense)
        self.grad_clip = grad_clip

    def construct(self, x: Tensor, y: Tensor, unused: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        weights = self.weights
        loss = self.network(x, y, unused)
        scaling_sens = self.scale_sense
        status, scaling_sens = self.start_overflow_check(loss, scaling_sens)
        filled = ops.ones_like(loss) * ops.cast(scaling_sens, ops.dtype(loss))
        grads = self.grad(self.network, weights)(x, y, unused, filled)
        grads = self.hyper_map(ops.partial(GRAD_SCALE, scaling_sens), grads)
        if self.grad_clip:
            grads = ops.clip_by_global_norm(grads)
        grads = self.grad_reducer(grads)
        cond = self.get_overflow_status(status, grads)
        overflow = self.process_loss_scale(cond)
        if not overflow:
            self.optimizer(grads)
        return loss, cond, scaling_sens


@pytest.mark.parametrize("scale", [1, 1024.0, "fixed", "dynamic"])
def test_a_step_with_loss_scaling_trains(scale: Any, capsys: pytest.CaptureFixture[str]) -> None:
    managers: dict[Any, Any] = {"fixed": ms.FixedLossScaleManager, "dynamic": ms.DynamicLossScaleManager}
    sense = managers[scale](2.0**10) if scale in managers else scale
    expected = 1024.0 if scale in managers else float(scale)
    net = Distance()
    step = ScaledStep(net, nn.SGD(net.trainable_params(), 0.25), sense)
    for loss, factor in ((1.0, 2.5), (0.25, 2.75), (0.0625, 2.875)):
        got, overflow, sens = step(*distance_inputs())
        assert got.asnumpy() == loss
        assert not overflow
        assert sens.asnumpy() == expected
        assert net.factor.asnumpy() == [factor]


def test_a_step_that_clips_gradients() -> None:
    net = Distance()
    step = ScaledStep(net, nn.SGD(net.trainable_params(), 0.25), 8, grad_clip=True)
    step(*distance_inputs())
    np.testing.assert_allclose(net.factor.asnumpy(), [2.25], rtol=1e-6)  # a gradient of norm 2 is clipped to 1


def test_an_overflow_skips_the_update_and_lowers_a_dynamic_scale() -> None:
    net = Distance()
    manager = ms.DynamicLossScaleManager(init_loss_scale=64, scale_factor=2, scale_window=2)
    step = ScaledStep(net, nn.SGD(net.trainable_params(), 0.25), manager)
    before = net.factor.asnumpy()
    _, overflow, _ = step(*distance_inputs(float("inf")))
    assert overflow
    np.testing.assert_array_equal(net.factor.asnumpy(), before)
    assert step.scale_sense.asnumpy() == 32.0
    scales = []
    for _ in range(4):
        _, overflow, _ = step(*distance_inputs())
        assert not overflow
        scales.append(float(step.scale_sense.asnumpy()))
    assert scales == [32.0, 64.0, 64.0, 128.0]
    np.testing.assert_allclose(net.factor.asnumpy(), [2.9375])


def test_a_fixed_scale_skips_the_update_too() -> None:
    net = Distance()
    step = ScaledStep(net, nn.SGD(net.trainable_params(), 0.25), 1024.0)
    _, overflow, sens = step(*distance_inputs(float("nan")))
    assert overflow
    assert net.factor.asnumpy() == [2.0]
    assert sens.asnumpy() == 1024.0


def test_the_library_steps_train(capsys: pytest.CaptureFixture[str]) -> None:
    class Scaled(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.factor = Parameter(Tensor([2.0]), name="factor")

        def construct(self, x: Tensor) -> Tensor:
            return x * self.factor

    for make in (
        lambda network, optimizer: nn.TrainOneStepCell(network, optimizer),
        lambda network, optimizer: nn.TrainOneStepWithLossScaleCell(network, optimizer, Tensor(64.0, ms.float32)),
    ):
        net = Scaled()
        step = make(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.25)).set_train()
        result = step(Tensor([1.0]), Tensor([3.0]))
        loss = result[0] if isinstance(result, tuple) else result
        assert printed(capsys, loss, net.factor.asnumpy()) == "1.0 [2.5]"


def test_a_gradient_inside_construct(capsys: pytest.CaptureFixture[str]) -> None:
    class Product(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.z = Parameter(Tensor([2.0], ms.float32), name="z")

        def construct(self, x: Tensor, y: Tensor) -> Tensor:
            return ops.matmul(x * self.z, y)

    class ByInput(nn.Cell):
        def __init__(self, net: nn.Cell) -> None:
            super().__init__()
            self.net = net

        def construct(self, x: Tensor, y: Tensor) -> Tensor:
            return ms.grad(self.net)(x, y)

    class ByEverything(nn.Cell):
        def __init__(self, net: nn.Cell) -> None:
            super().__init__()
            self.net = net
            self.weights = ms.ParameterTuple(net.trainable_params())
            self.grad = ops.GradOperation(get_all=True, get_by_list=True)

        def construct(self, x: Tensor, y: Tensor) -> Any:
            return self.grad(self.net, self.weights)(x, y)

    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    y = Tensor([[1.0, 0.0], [2.0, 1.0]])
    assert printed(capsys, ByInput(Product())(x, y)) == "[[2. 6.]\n [2. 6.]]"
    by_inputs, by_weights = ByEverything(Product())(x, y)
    assert printed(capsys, by_inputs[1], by_weights[0]) == "[[ 8.  8.]\n [12. 12.]] [22.]"


def test_grad_operation_in_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    net = Distance()
    weights = ms.ParameterTuple(net.trainable_params())
    x, y, unused = distance_inputs()

    def shown(operation: Any, *extra: Any) -> str:
        given = operation(net, weights) if operation.get_by_list else operation(net)
        return printed(capsys, given(x, y, unused, *extra))

    assert shown(ops.GradOperation()) == "[-4.]"
    every = "(Tensor(shape=[1], dtype=Float32, value= [-4.00000000e+00]), Tensor(shape=[1], dtype=Float32, value= "
    every += "[ 2.00000000e+00]), Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00]))"
    by_weight = "(Tensor(shape=[1], dtype=Float32, value= [-2.00000000e+00]),)"
    assert shown(ops.GradOperation(get_all=True)) == every
    assert shown(ops.GradOperation(get_by_list=True)) == by_weight
    assert shown(ops.GradOperation(get_all=True, get_by_list=True)) == f"({every}, {by_weight})"
    assert shown(ops.GradOperation(sens_param=True), Tensor(0.5)) == "[-2.]"
    assert shown(ops.GradOperation(get_by_list=True, sens_param=True), Tensor(2.0)) == by_weight.replace("2.0", "4.0")
