"""MindSpore's primitives as attributes of layers, which subclasses use in their own `construct`."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops

ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "BatchNorm1d": (3,), "BatchNorm2d": (3,), "BatchNorm3d": (3,), "BiDense": (3, 4, 2), "CELU": (0.5,),
    "Conv1d": (2, 4, 3), "Conv1dTranspose": (2, 4, 3), "Conv2d": (2, 4, 3), "Conv2dTranspose": (2, 4, 3),
    "Conv3d": (2, 4, 3), "Conv3dTranspose": (2, 4, 3), "Dense": (3, 2), "Embedding": (4, 2),
    "CentralCrop": (0.5,), "ChannelShuffle": (2,), "Pad": (((1, 1),),), "LSTM": (3, 4), "GRU": (3, 4), "RNN": (3, 4),
    "DynamicLossScaleUpdateCell": (4.0, 2, 3), "ExponentialDecayLR": (0.1, 0.9, 4),
    "NaturalExpDecayLR": (0.1, 0.9, 4), "InverseDecayLR": (0.1, 0.9, 4), "CosineDecayLR": (0.01, 0.1, 4),
    "PolynomialDecayLR": (0.1, 0.01, 4, 0.5), "WarmUpLR": (0.1, 4), "GLU": (), "GroupNorm": (2, 4),
    "InstanceNorm1d": (3,), "InstanceNorm2d": (3,), "InstanceNorm3d": (3,), "L1Regularizer": (0.5,),
    "LayerNorm": ((3,),), "Linear": (3, 2), "PReLU": (3,), "Roll": (1, 0), "SampledSoftmaxLoss": (2, 4),
    "SyncBatchNorm": (3,), "TimeDistributed": (None, 1), "Unflatten": (1, (1, 2)),
    "AdaptiveAvgPool1d": (2,), "AdaptiveAvgPool2d": (2,), "AdaptiveAvgPool3d": (2,),
    "LPPool1d": (2, 2), "LPPool2d": (2, 2), "AdaptiveMaxPool1d": (2,), "AdaptiveMaxPool2d": (2,),
    "AdaptiveMaxPool3d": (2,),
}  # fmt: skip
LAYERS = sorted(
    name
    for name, kind in ((name, getattr(nn, name)) for name in dir(nn) if name[0] != "_")
    if inspect.isclass(kind) and issubclass(kind, nn.Cell) and kind._held and kind.__name__ == name
    and not issubclass(kind, (nn.Optimizer, nn.TrainOneStepCell))
)  # fmt: skip


def made(name: str) -> Any:
    """A layer by the name of its class."""
    return getattr(nn, name)(*ARGUMENTS.get(name, ()))


@pytest.mark.parametrize("name", LAYERS)
def test_attributes_are_made_once(name: str) -> None:
    layer = made(name)
    for attribute in layer._held:
        value = getattr(layer, attribute)
        assert getattr(layer, attribute) is value
        if not isinstance(value, (bool, int, float, str, tuple, type(None), Tensor)):
            assert callable(value), attribute
    copied = pickle.loads(pickle.dumps(copy.deepcopy(layer)))
    assert {attribute for attribute in layer._held if hasattr(copied, attribute)} == set(layer._held)


def test_enough_layers_have_them() -> None:
    assert len(LAYERS) > 90


def test_an_attribute_of_the_user_goes_before_them() -> None:
    class Net(nn.ReLU):
        def __init__(self) -> None:
            super().__init__()
            self.relu = nn.ReLU6()

        def construct(self, input: Any) -> Any:
            return self.relu(input)

    net = Net()
    assert [name for name, _ in net.cells_and_names()] == ["", "relu"]
    assert net(Tensor([7.0])).asnumpy().tolist() == [6.0]
    with pytest.raises(AttributeError, match="has no attribute 'relu7'"):
        _ = net.relu7


class StandardizedConv(nn.Conv2d):
    """A convolution with weights of mean 0."""

    def construct(self, x: Any) -> Any:
        weight = self.weight - self.weight.mean((1, 2, 3), keep_dims=True)
        out = self.conv2d(x, weight)
        return self.bias_add(out, self.bias) if self.has_bias else out


class ScaledDense(nn.Dense):
    """A layer as MindSpore writes it, with a factor."""

    def construct(self, x: Any) -> Any:
        shape = self.shape_op(x)
        x = self.reshape(x, (-1, shape[-1]))
        out = self.bias_add(self.matmul(x, self.weight), self.bias)
        return self.reshape(out, (*shape[:-1], -1)) * 2


class OwnLayerNorm(nn.LayerNorm):
    """The primitive's first output."""

    def construct(self, input_x: Any) -> Any:
        return self.layer_norm(input_x, self.gamma, self.beta)[0]


class OwnBatchNorm(nn.BatchNorm2d):
    """A choice between both primitives."""

    def construct(self, x: Any) -> Any:
        if self.training:
            return self.bn_train(x, self.gamma, self.beta, self.moving_mean, self.moving_variance)[0]
        return self.bn_infer(x, self.gamma, self.beta, self.moving_mean, self.moving_variance)[0]


class OwnMaxPool(nn.MaxPool2d):
    """The primitive."""

    def construct(self, x: Any) -> Any:
        return self.max_pool(x)


class OwnLoss(nn.SoftmaxCrossEntropyWithLogits):
    """The primitives, and `get_loss`."""

    def construct(self, logits: Any, labels: Any) -> Any:
        labels = self.one_hot(labels, ops.shape(logits)[-1], self.on_value, self.off_value)
        return self.get_loss(self.softmax_cross_entropy(logits, labels)[0])


def numbers(*shape: int) -> Tensor:
    """A tensor with different numbers."""
    return Tensor(np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32))


def with_numbers(layer: Any) -> Any:
    """The layer with different numbers in its Parameters."""
    for place, parameter in enumerate(layer.trainable_params()):
        values = np.sin(np.arange(parameter.size) + place).reshape(parameter.shape)
        parameter.set_data(Tensor(values.astype(np.float32)))
    return layer


# What MindSpore 2.10 gave: the sum of the result times cos(0), cos(1), ….
RECORDED = {
    "conv": (lambda: StandardizedConv(2, 3, 3, has_bias=True), (numbers(1, 2, 4, 4),), 1.2916752),
    "padded": (lambda: StandardizedConv(2, 3, 3, 2, "pad", 1), (numbers(1, 2, 5, 5),), 0.0034214),
    "dense": (lambda: ScaledDense(3, 2), (numbers(2, 2, 3),), 1.5257872),
    "layer": (lambda: OwnLayerNorm((4,), epsilon=1e-5), (numbers(3, 4),), 3.3616913),
    "batch": (lambda: OwnBatchNorm(2).set_train(), (numbers(2, 2, 2, 2),), 5.1356709),
    "moving": (lambda: OwnBatchNorm(2), (numbers(2, 2, 2, 2),), 4.244362),
    "pool": (lambda: OwnMaxPool(2, 2), (numbers(1, 2, 4, 4),), 2.66085),
    "loss": (lambda: OwnLoss(True, "mean"), (numbers(2, 3), Tensor([1, 2], ms.int32)), 0.8007762),
}


def checked_sum(net: Callable[..., Any], inputs: tuple[Any, ...]) -> float:
    """One number that tells whether all of the result is right."""
    out = net(*inputs).asnumpy().astype(np.float64).ravel()
    return float((out * np.cos(np.arange(out.size))).sum())


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("name", RECORDED)
def test_subclasses_agree_with_mindspore(name: str, mode: int) -> None:
    make, inputs, expected = RECORDED[name]
    ms.set_context(mode=mode)
    try:
        assert checked_sum(with_numbers(make()), inputs) == pytest.approx(expected, rel=2e-5, abs=1e-5)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_parameters_of_recurrent_layers() -> None:
    layer = nn.LSTM(3, 4, 2, bidirectional=True)
    assert [own.name for own in layer.w_ih_list] == [
        "weight_ih_l0", "weight_ih_l0_reverse", "weight_ih_l1", "weight_ih_l1_reverse",
    ]  # fmt: skip
    assert len(nn.GRU(3, 4, has_bias=False).b_ih_list) == 0
    assert layer.is_lstm
    assert len(layer.trainable_params()) == 16


@pytest.mark.parametrize("kind", [nn.RNNCell, nn.LSTMCell, nn.GRUCell])
def test_parameters_are_drawn_again(kind: Any) -> None:
    cell = kind(3, 4)
    before = [own.asnumpy().copy() for own in cell.get_parameters()]
    cell.reset_parameters()
    for old, own in zip(before, cell.get_parameters(), strict=True):
        assert np.abs(own.asnumpy()).max() <= 0.5
        assert not np.array_equal(old, own.asnumpy())


class ScaledStep(nn.TrainOneStepWithLossScaleCell):
    """A step as MindSpore's models write it: with the attributes of its base."""

    def construct(self, *inputs: Any) -> Any:
        loss = self.network(*inputs)
        scaling_sens = self.scale_sense
        _, scaling_sens = self.start_overflow_check(loss, scaling_sens)
        sens = scaling_sens * ops.ones_like(loss)
        gradients = self.grad(self.network, self.weights)(*inputs, sens)
        gradients = self.hyper_map(ops.partial(divided, scaling_sens), gradients)
        overflow = self.equal(self.base0, 1)
        if not overflow:
            loss = ops.depend(loss, self.optimizer(gradients))
        return loss, overflow


divided = ops.MultitypeFuncGraph("divided")


@divided.register("Tensor", "Tensor")
def _divide(scale, gradient):
    return gradient / scale


def test_a_step_with_its_own_construct() -> None:
    net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
    with_loss, optimizer = nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.25)
    step = ScaledStep(with_loss, optimizer, nn.FixedLossScaleUpdateCell(1024.0))
    loss, _ = step(Tensor([[1.0]]), Tensor([[0.0]]))
    assert float(loss) == 1.0
    assert net.weight.asnumpy().tolist() == [[0.5]]
