"""Loss scaling, overflow checks, mixed precision, and the wrappers that train with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tensors import T

import mycel as ms
from mycel import Parameter, Tensor, amp, nn, ops

# Scalers


def test_static_scaler() -> None:
    scaler = amp.StaticLossScaler(8.0)

    @ms.jit
    def run(loss: Tensor, first: Tensor, second: Tensor) -> Any:
        return scaler.scale(loss), scaler.unscale((first, second)), scaler.adjust(True)

    loss, gradients, changed = run(T(3.0), T([16.0]), T([8.0, 4.0], ms.float16))
    assert float(loss.asnumpy()) == 24.0
    assert [g.asnumpy().tolist() for g in gradients] == [[2.0], [1.0, 0.5]]
    assert [g.dtype for g in gradients] == [ms.float32, ms.float16]
    assert changed is False
    assert isinstance(scaler.scale_value, Parameter)
    assert isinstance(scaler.unscale([T([8.0])]), list)


@pytest.mark.parametrize("compiled", [False, True])
def test_dynamic_scaler_follows_overflows(compiled: bool) -> None:
    scaler = amp.DynamicLossScaler(scale_value=16, scale_factor=2, scale_window=3)
    adjust = ms.jit(lambda finite: scaler.adjust(finite)) if compiled else scaler.adjust
    seen = []
    for finite in (True, True, True, True, False, True, True, True):
        assert adjust(Tensor(finite)) is True
        seen.append((float(scaler.scale_value.asnumpy()), int(scaler.counter.asnumpy())))
    assert seen == [(16, 1), (16, 2), (32, 0), (32, 1), (16, 0), (16, 1), (16, 2), (32, 0)]


def test_dynamic_scaler_is_never_below_one() -> None:
    scaler = amp.DynamicLossScaler(1, 2, 3)
    scaler.adjust(Tensor(False))
    assert float(scaler.scale_value.asnumpy()) == 1.0


def test_all_finite() -> None:
    assert bool(amp.all_finite((T([1.0]), T([2.0], ms.float16))))
    for bad in (np.inf, -np.inf, np.nan):
        assert not bool(amp.all_finite((T([1.0]), T([bad]))))
    assert not bool(ms.jit(amp.all_finite)((T([1.0]), T([np.inf]))))
    with pytest.raises(ValueError, match="at least one"):
        amp.all_finite(())


def test_a_step_that_skips_overflows() -> None:
    weight = Parameter(T([1.0]), name="w")
    scaler = amp.DynamicLossScaler(scale_value=2.0**10, scale_factor=2, scale_window=100)
    gradient = ms.value_and_grad(lambda x: scaler.scale((weight * x).sum()), None, [weight])

    @ms.jit
    def step(x: Tensor) -> Any:
        loss, gradients = gradient(x)
        finite = amp.all_finite(gradients)
        if finite:
            gradients = scaler.unscale(gradients)
            ops.assign_sub(weight, gradients[0] * 0.1)
        scaler.adjust(finite)
        return scaler.unscale(loss), finite

    assert bool(step(T([2.0]))[1])
    np.testing.assert_allclose(weight.asnumpy(), [0.8], rtol=1e-6)
    assert not bool(step(T([3e38]))[1])
    np.testing.assert_allclose(weight.asnumpy(), [0.8], rtol=1e-6)
    assert float(scaler.scale_value.asnumpy()) == 512.0


# Managers and update cells


def test_managers() -> None:
    fixed = amp.FixedLossScaleManager(128.0, drop_overflow_update=False)
    assert fixed.get_loss_scale() == 128.0
    assert not fixed.get_drop_overflow_update()
    assert fixed.get_update_cell() is None
    assert type(amp.FixedLossScaleManager(64.0).get_update_cell()).__name__ == "FixedLossScaleUpdateCell"
    dynamic = amp.DynamicLossScaleManager(init_loss_scale=16, scale_factor=2, scale_window=2)
    seen = []
    for overflow in (True, False, False, True):
        dynamic.update_loss_scale(overflow)
        seen.append(dynamic.get_loss_scale())
    assert seen == [8, 8, 16, 8]
    assert dynamic.get_drop_overflow_update()
    assert type(dynamic.get_update_cell()).__name__ == "DynamicLossScaleUpdateCell"


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("make", [lambda n: T([float(n)]), lambda n: Tensor(np.full((1, 1), n, np.int32)), bool, int])
def test_overflow_as_numbers_of_any_rank(make: Any, compiled: bool) -> None:
    """Any number but zero is an overflow."""
    cell, scale = nn.DynamicLossScaleUpdateCell(1024, 2, 3), Parameter(T(1024.0), name="scale")
    run = ms.jit(lambda overflow: cell(scale, overflow)) if compiled else lambda overflow: cell(scale, overflow)
    for number, expected in ((1, 512), (2, 256), (0, 256), (0, 256), (0, 512), (1, 256)):
        overflow = run(make(number))
        assert overflow.shape == ()
        assert bool(overflow) is (number != 0)
        assert scale.shape == ()
        assert float(scale.asnumpy()) == expected


@pytest.mark.parametrize("compiled", [False, True])
def test_dynamic_update_cell(compiled: bool) -> None:
    cell = nn.DynamicLossScaleUpdateCell(1024, 2, 3)
    assert cell.get_loss_scale() == 1024
    assert [p.name for p in cell.get_parameters()] == ["current_iterator_step", "last_overflow_iterator_step"]
    scale = Parameter(T(1024.0), name="scale")
    run = ms.jit(lambda overflow: cell(scale, overflow)) if compiled else lambda overflow: cell(scale, overflow)
    seen = []
    for overflow in (False, False, False, True, False):
        assert bool(run(Tensor(overflow))) is overflow
        seen.append(float(scale.asnumpy()))
    assert seen == [1024, 1024, 2048, 1024, 1024]


# Mixed precision


class Net(nn.Cell):
    """A network with layers of several kinds."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(2, 3)
        self.bn = nn.BatchNorm1d(3)
        self.fc2 = nn.Dense(3, 1)

    def construct(self, x: Tensor) -> Any:
        """The results of the layers."""
        first = self.fc(x)
        second = self.bn(first)
        return self.fc2(ops.relu(second)), first, second


@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3", "auto"])
def test_auto_mixed_precision(level: str) -> None:
    inner = Net()
    net = amp.auto_mixed_precision(inner, level)
    x = T([[1.0, 2.0], [3.0, 4.0]])
    assert [out.dtype for out in net(x)] == [ms.float32] * 3
    assert {p.dtype for p in net.get_parameters()} == {ms.float32}
    half = {"O0": [], "O1": [], "auto": [], "O2": [0, 1, 2], "O3": [0, 1, 2]}[level]
    assert [position for position, out in enumerate(inner(x)) if out.dtype == ms.float16] == half
    dx, weights = ms.grad(lambda x: net(x)[0].sum(), 0, net.trainable_params())(x)
    assert {dx.dtype, *[w.dtype for w in weights]} == {ms.float32}
    assert inner.fc.weight.name == "fc.weight"


def test_half_precision_is_used_at_o1() -> None:
    layer = nn.Dense(1, 1, weight_init=T([[1.0]]), bias_init="zeros")
    net = amp.auto_mixed_precision(layer, "O1")
    assert net(T([[1.0001]])).asnumpy().tolist() == [[1.0]]  # the nearest number of half precision
    assert nn.Dense(1, 1, weight_init=T([[1.0]]), bias_init="zeros")(T([[1.0001]])).asnumpy()[0, 0] != 1.0


def test_custom_mixed_precision() -> None:
    net = amp.custom_mixed_precision(Net(), white_list=[nn.Dense])
    assert net.fc._float_dtype == ms.float16
    assert net.bn._float_dtype is None
    assert amp.custom_mixed_precision(Net(), black_list=[nn.BatchNorm1d])(T([[1.0, 2.0]]))[0].dtype == ms.float32
    assert nn.Dense in amp.get_white_list()
    assert nn.LayerNorm in amp.get_black_list()
    for given in ({"white_list": [3]}, {"black_list": [ops.MatMul]}, {"white_list": nn.Dense}):
        with pytest.raises(TypeError, match=f"'{next(iter(given))}' should be a list of classes of Cells"):
            amp.custom_mixed_precision(Net(), **given)


class Primitives(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.product, self.plus, self.relu = ops.MatMul(transpose_b=True), ops.Add(), nn.ReLU()

    def construct(self, x: Any) -> Any:
        return self.product(x, x), self.plus(x, x), self.relu(x)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_primitives_in_half_precision(mode: int) -> None:
    ms.set_context(mode=mode)
    x = T([[1.0001]])
    nets = [amp.auto_mixed_precision(Primitives(), level) for level in ("O0", "O1", "auto")]
    nets.append(amp.custom_mixed_precision(Primitives(), white_list=[ops.Add]))
    rounded = [[out.item() in (1.0, 2.0) for out in net(x)] for net in nets]
    assert rounded == [[False] * 3, [True, False, True], [False] * 3, [False, True, False]]
    assert {out.dtype for net in nets for out in net(x)} == {ms.float32}
    np.testing.assert_allclose(ms.grad(lambda x: nets[1](x)[0].sum())(x).asnumpy(), [[2.0]], atol=1e-3)


# Wrappers


def net_and_step(cell: Any, **options: Any) -> tuple[Any, Any]:
    """A net with one weight of 2, and the wrapper around it."""
    net = nn.Dense(1, 1, weight_init=T([[2.0]]), has_bias=False)
    optimizer = nn.SGD(net.trainable_params(), learning_rate=0.1)
    return net, cell(nn.WithLossCell(net, nn.MSELoss()), optimizer, **options)


X, Y = T([[1.0], [2.0]]), T([[1.0], [1.0]])


def test_wrappers_of_loss_and_gradient() -> None:
    net = nn.Dense(1, 1, weight_init=T([[2.0]]), bias_init=T([0.0]))
    cell = nn.WithLossCell(net, nn.MSELoss())
    assert float(cell(X, Y).asnumpy()) == 5.0
    assert cell.backbone_network is net
    assert [p.name for p in cell.trainable_params()] == ["weight", "bias"]
    loss, out, label = nn.WithEvalCell(net, nn.MSELoss())(X, Y)
    assert (float(loss.asnumpy()), out.asnumpy().tolist(), label.asnumpy().tolist()) == (5.0, [[2], [4]], [[1], [1]])
    dw, db = nn.WithGradCell(net, nn.MSELoss())(X, Y)
    assert (dw.asnumpy().tolist(), db.asnumpy().tolist()) == ([[7]], [4])
    value, (dw,) = nn.ForwardValueAndGrad(cell, [net.weight], get_by_list=True)(X, Y)
    assert (float(value.asnumpy()), dw.asnumpy().tolist()) == (5.0, [[7]])
    value, gradients = nn.ForwardValueAndGrad(cell, get_all=True, sens_param=True)(X, Y, T(2.0))
    assert len(gradients) == 2
    assert gradients[0].asnumpy().tolist() == [[4], [12]]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_train_one_step(mode: int) -> None:
    ms.set_context(mode=mode)
    try:
        net, train = net_and_step(nn.TrainOneStepCell)
        assert float(train(X, Y).asnumpy()) == 5.0
        np.testing.assert_allclose(net.weight.asnumpy(), [[1.3]], rtol=1e-6)
        net, train = net_and_step(nn.TrainOneStepCell, sens=3.0)
        assert float(train(T([[1.0]]), T([[1.0]])).asnumpy()) == 1.0
        np.testing.assert_allclose(net.weight.asnumpy(), [[1.4]], rtol=1e-6)
        net, train = net_and_step(nn.TrainOneStepCell, return_grad=True)
        _, gradients = train(X, Y)
        assert {name: g.asnumpy().tolist() for name, g in gradients.items()} == {"weight": [[7.0]]}
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_frozen_parameters_stay() -> None:
    net = nn.SequentialCell(
        nn.Dense(1, 1, weight_init=T([[2.0]]), has_bias=False), nn.Dense(1, 1, weight_init=T([[3.0]]), has_bias=False)
    )
    net[0].weight.requires_grad = False
    train = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    assert float(train(T([[1.0]]), T([[0.0]])).asnumpy()) == 36.0
    assert net[0].weight.asnumpy().tolist() == [[2.0]]
    np.testing.assert_allclose(net[1].weight.asnumpy(), [[0.6]], rtol=1e-6)


SCALES = [
    lambda: T(1024.0),
    lambda: 1024.0,
    lambda: nn.FixedLossScaleUpdateCell(1024.0),
    lambda: amp.FixedLossScaleManager(1024.0),
]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_train_one_step_with_loss_scale(scale: Any, mode: int) -> None:
    ms.set_context(mode=mode)
    try:
        net, train = net_and_step(nn.TrainOneStepWithLossScaleCell, scale_sense=scale())
        loss, overflow, sense = train(X, Y)
        assert (float(loss.asnumpy()), bool(overflow), float(sense.asnumpy())) == (5.0, False, 1024.0)
        np.testing.assert_allclose(net.weight.asnumpy(), [[1.3]], rtol=1e-6)
        _, overflow, _ = train(T([[1e30]]), T([[1.0]]))
        assert bool(overflow)
        np.testing.assert_allclose(net.weight.asnumpy(), [[1.3]], rtol=1e-6)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_loss_scale_that_adapts() -> None:
    cell = nn.DynamicLossScaleUpdateCell(16.0, 2, 2)
    _, train = net_and_step(nn.TrainOneStepWithLossScaleCell, scale_sense=cell)
    names = {p.name for p in train.get_parameters()}
    assert names >= {"scale_sense", "current_iterator_step", "last_overflow_iterator_step"}
    seen = []
    for x in (1.0, 1e30, 1.0, 1.0):
        train(T([[x]]), T([[1.0]]))
        seen.append(float(train.scale_sense.asnumpy()))
    assert seen == [16.0, 8.0, 8.0, 16.0]
    train.set_sense_scale(T(4.0))
    assert float(train.scale_sense.asnumpy()) == 4.0


def test_a_train_cell_derived_from_the_one_with_loss_scale() -> None:
    scaled = ops.MultitypeFuncGraph("grad_scale")

    @scaled.register("Tensor", "Tensor")
    def unscale(scale: Tensor, gradient: Tensor) -> Tensor:
        return gradient * ops.cast(1.0 / scale, ops.dtype(gradient))

    class Clipping(nn.TrainOneStepWithLossScaleCell):
        def __init__(self, network: nn.Cell, optimizer: nn.Optimizer, scale_sense: Any, clip: float) -> None:
            super().__init__(network, optimizer, amp.FixedLossScaleManager(scale_sense))
            self.clip = clip

        def construct(self, x: Tensor, y: Tensor) -> Any:
            weights = self.weights
            loss = self.network(x, y)
            scaling_sens = self.scale_sense
            status, scaling_sens = self.start_overflow_check(loss, scaling_sens)
            filled = ops.ones_like(loss) * ops.cast(scaling_sens, ops.dtype(loss))
            gradients = self.grad(self.network, weights)(x, y, filled)
            gradients = self.hyper_map(ops.partial(scaled, scaling_sens), gradients)
            gradients = ops.clip_by_global_norm(gradients, self.clip)
            gradients = self.grad_reducer(gradients)
            condition = self.get_overflow_status(status, gradients)
            overflow = self.process_loss_scale(condition)
            if not overflow:
                self.optimizer(gradients)
            return loss, condition, scaling_sens

    for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=mode)
        try:
            net, train = net_and_step(Clipping, scale_sense=8.0, clip=2.0)
            loss, overflow, scale = train(X, Y)
            assert (float(loss.asnumpy()), bool(overflow), float(scale.asnumpy())) == (5.0, False, 8.0)
            np.testing.assert_allclose(net.weight.asnumpy(), [[1.8]], rtol=1e-5)
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)


def test_build_train_network() -> None:
    net = nn.Dense(1, 1, weight_init=T([[2.0]]), has_bias=False)
    manager = amp.FixedLossScaleManager(4.0, drop_overflow_update=False)
    optimizer = nn.SGD(net.trainable_params(), 0.1, loss_scale=4.0)
    train = amp.build_train_network(net, optimizer, nn.MSELoss(), loss_scale_manager=manager)
    assert type(train) is nn.TrainOneStepCell
    assert train.training
    train(X, Y)
    np.testing.assert_allclose(net.weight.asnumpy(), [[1.3]], rtol=1e-6)
    train = amp.build_train_network(
        net,
        nn.SGD(net.trainable_params(), 0.1),
        nn.MSELoss(),
        "O2",
        loss_scale_manager=amp.DynamicLossScaleManager(16.0),
    )
    assert type(train) is nn.TrainOneStepWithLossScaleCell
    assert train(X, Y)[0].dtype == ms.float32


def test_micro_batches() -> None:
    net = nn.WithLossCell(nn.Dense(1, 1, weight_init="ones", bias_init="zeros"), nn.MSELoss())
    x = T([[0.0], [1.0], [2.0], [3.0]])
    for cell in (nn.MicroBatchInterleaved(net, 2), nn.PipelineCell(net, 2), nn.GradAccumulationCell(net, 2)):
        assert float(cell(x, x * 2).asnumpy()) == 7.0


def test_one_process() -> None:
    from mycel.communication import get_group_size, get_rank, init

    init()
    assert (get_rank(), get_group_size()) == (0, 1)
    reducer = nn.DistributedGradReducer([], True, 1)
    assert reducer((X,))[0] is X
    ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)
    try:
        _, train = net_and_step(nn.TrainOneStepCell)
        assert train.reducer_flag
        assert float(train(X, Y).asnumpy()) == 5.0
        assert ms.get_auto_parallel_context("parallel_mode") == "data_parallel"
    finally:
        ms.reset_auto_parallel_context()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: amp.StaticLossScaler(0.5), ValueError, "must be > 1"),
        (lambda: amp.StaticLossScaler("a"), TypeError, "scale_value"),
        (lambda: amp.DynamicLossScaler(16, 2.5, 3), TypeError, "scale_factor"),
        (lambda: amp.DynamicLossScaler(16, 2, 0), ValueError, "scale_window"),
        (lambda: amp.FixedLossScaleManager(0.5), ValueError, "loss_scale"),
        (lambda: amp.DynamicLossScaleManager(0), ValueError, "init_loss_scale"),
        (lambda: amp.auto_mixed_precision(Net(), "O9"), ValueError, "O9"),
        (lambda: amp.auto_mixed_precision(3, "O1"), TypeError, "Cell"),
        (lambda: amp.auto_mixed_precision(Net(), "O1", ms.float64), ValueError, "float16"),
        (lambda: net_and_step(nn.TrainOneStepWithLossScaleCell, scale_sense="a"), TypeError, "scale_sense"),
        (lambda: net_and_step(nn.TrainOneStepWithLossScaleCell, scale_sense=T([1.0, 2.0])), ValueError, "shape"),
        (lambda: nn.DistributedGradReducer([], True, 0), ValueError, "degree"),
        (lambda: ms.set_auto_parallel_context(foo=1), ValueError, "foo"),
    ],
)
def test_refusals(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_there_is_no_overflow_in_nothing() -> None:
    """Of no gradients none is infinite; of some, one is enough."""
    net = nn.WithLossCell(nn.Dense(2, 1), nn.MSELoss())
    cell = nn.TrainOneStepWithLossScaleCell(net, nn.SGD(net.trainable_params()), Tensor(1.0))
    for nothing in ((), [], ((), [])):
        status = cell.get_overflow_status(False, nothing)
        assert isinstance(status, Tensor)
        assert status.dtype is ms.bool_
        assert status.shape == ()
        assert not bool(status)
    fine, spoilt = Tensor([1.0, 2.0]), Tensor([1.0, float("inf")])
    assert not bool(cell.get_overflow_status(False, (fine, fine)))
    assert bool(cell.get_overflow_status(False, (fine, spoilt)))
    assert bool(cell.get_overflow_status(False, (spoilt, fine)))
