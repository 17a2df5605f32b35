"""Dense layers, dropout, activations, normalization, embeddings and containers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tensors import T

import mycel as ms
from mycel import Tensor, nn, ops


def A(*shape: int) -> Tensor:
    """The numbers 0, 1, … 6, 0, 1, … in a shape."""
    return T(np.arange(int(np.prod(shape))).reshape(shape) % 7)


# Dense, Dropout and activations


def test_dense() -> None:
    layer = nn.Dense(2, 2, weight_init=T([[1.0, -2.0], [0.5, 3.0]]), bias_init=T([0.5, -0.5]), activation="relu")
    x = T([[1.0, 2.0], [-1.0, 0.0]])
    assert layer(x).asnumpy().tolist() == [[0, 6], [0, 0]]
    assert layer(T(np.ones((2, 1, 2)))).shape == (2, 1, 2)
    plain = nn.Dense(2, 3, has_bias=False)
    assert [p.name for p in plain.get_parameters()] == ["weight"]
    assert repr(plain) == "Dense(input_channels=2, output_channels=3)"
    assert repr(layer) == (
        "Dense(\n  input_channels=2, output_channels=2, has_bias=True, activation=ReLU()\n  (activation): ReLU()\n)"
    )


def test_default_numbers_of_dense() -> None:
    layer = nn.Dense(200, 300)
    for parameter in layer.get_parameters():
        numbers = parameter.asnumpy()
        assert 0.9 / np.sqrt(200) < np.abs(numbers).max() <= np.float32(1 / np.sqrt(200))  # to which draws are rounded


def test_gradients_of_dense() -> None:
    draw = np.random.default_rng(0)
    x, w, dout = draw.normal(size=(4, 3)), draw.normal(size=(2, 3)), draw.normal(size=(4, 2))
    layer = nn.Dense(3, 2, weight_init=T(w), bias_init="zeros")
    dx, (dw, db) = ms.grad(lambda x: (layer(x) * T(dout)).sum(), 0, layer.trainable_params())(T(x))
    np.testing.assert_allclose(dx.asnumpy(), dout @ w, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(dw.asnumpy(), dout.T @ x, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(db.asnumpy(), dout.sum(axis=0), rtol=1e-5, atol=1e-6)


def test_half_precision_by_to_float() -> None:
    layer = nn.Dense(2, 1, weight_init=T([[1.0, 2.0]]), has_bias=False).to_float(ms.float16)
    assert layer(T([[1.0, 1.5]])).dtype == ms.float16
    dx, (dw,) = ms.grad(lambda x: layer(x).astype(ms.float32) * 3, 0, layer.trainable_params())(T([[1.0, 1.5]]))
    assert (dx.dtype, dw.dtype) == (ms.float32, ms.float32)
    assert dw.asnumpy().tolist() == [[3.0, 4.5]]


@pytest.mark.parametrize("layer", [nn.Dense(2, 1), nn.Conv1d(2, 1, 1), nn.Conv2dTranspose(2, 1, 1)])
def test_half_inputs_need_to_float(layer: nn.Cell) -> None:
    x = ops.ones((1, 2, 2, 2)[: 4 if isinstance(layer, nn.Conv2dTranspose) else 3], ms.float16)
    for call in (layer, ms.jit(lambda x: layer(x))):
        with pytest.raises(
            TypeError, match=r"but are Float16 and Float32: .*astype\(mycel.float32\).*to_float\(mycel.float16\)"
        ):
            call(x)
    assert layer.to_float(ms.float16)(x).dtype == ms.float16


def test_dropout() -> None:
    layer = nn.Dropout(p=0.25)
    x = ops.ones((200, 100))
    np.testing.assert_array_equal(layer(x).asnumpy(), x.asnumpy())
    layer.set_train()
    for out in (layer(x).asnumpy(), ms.jit(layer)(x).asnumpy()):
        kept = out != 0
        np.testing.assert_allclose(out[kept], 1 / 0.75, rtol=1e-6)
        assert abs(kept.mean() - 0.75) < 0.02
    assert repr(layer) == "Dropout(p=0.25)"
    assert repr(nn.Dropout(keep_prob=0.9)) == "Dropout(keep_prob=0.9)"
    np.testing.assert_array_equal(nn.Dropout(p=0.0).set_train()(x).asnumpy(), x.asnumpy())


def test_dropout_of_channels() -> None:
    layer = nn.Dropout2d(p=0.5).set_train()
    out = layer(ops.ones((20, 30, 2, 3))).asnumpy().reshape(600, 6)
    assert ((out == 0).all(axis=1) | (out == 2).all(axis=1)).all()
    assert 200 < (out == 0).all(axis=1).sum() < 400


def test_eager_and_compiled_draws_agree() -> None:
    layer = nn.Dropout(p=0.5).set_train()
    ms.set_seed(3)
    first = layer(ops.ones((10,))).asnumpy()
    ms.set_seed(3)
    np.testing.assert_array_equal(ms.jit(layer)(ops.ones((10,))).asnumpy(), first)


ACTIVATIONS = {
    "relu": "0 0 0 1.5",
    "relu6": "0 0 0 1.5",
    "elu": "-0.8646648 -0.3934695 0 1.5",
    "gelu": "-0.0454023 -0.1542859 0 1.3995717",
    "sigmoid": "0.1192029 0.3775407 0.5 0.8175745",
    "tanh": "-0.9640276 -0.4621172 0 0.9051483",
    "softmax": "0.0217457 0.0974573 0.1606799 0.7201172",
    "logsoftmax": "-3.8283412 -2.3283412 -1.8283412 -0.3283413",
    "hswish": "-0.3333333 -0.2083333 0 1.125",
    "hsigmoid": "0.1666667 0.4166667 0.5 0.75",
    "silu": "-0.2384058 -0.1887703 0 1.2263618",
    "softsign": "-0.6666667 -0.3333333 0 0.6",
    "logsigmoid": "-2.126928 -0.974077 -0.6931472 -0.2014133",
    "tanhshrink": "-1.0359724 -0.0378828 0 0.5948517",
    "selu": "-1.5201665 -0.6917582 0 1.5760515",
    "leakyrelu": "-0.4 -0.1 0 1.5",
    "softshrink": "-1.5 0 0 1",
    "hshrink": "-2 0 0 1.5",
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name: str) -> None:
    layer = nn.get_activation(name)
    x = T([-2.0, -0.5, 0.0, 1.5])
    expected = np.array(ACTIVATIONS[name].split(), float)
    np.testing.assert_allclose(layer(x).asnumpy(), expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(ms.jit(layer)(x).asnumpy(), expected, rtol=1e-5, atol=1e-6)


def test_prelu() -> None:
    layer = nn.PReLU(channel=1, w=0.25)
    x = T([[[-2.0, 4.0]]])
    assert layer(x).asnumpy().tolist() == [[[-0.5, 4.0]]]
    dx, (dw,) = ms.grad(layer, 0, layer.trainable_params())(x)
    assert dx.asnumpy().tolist() == [[[0.25, 1.0]]]
    assert dw.asnumpy().tolist() == [-2.0]
    assert [p.name for p in layer.get_parameters()] == ["a"]


def test_softmax_over_two_axes() -> None:
    x = T([[1.0, 2.0], [3.0, 4.0]])
    out = nn.Softmax((0, 1))(x).asnumpy()
    np.testing.assert_allclose(out, np.exp(x.asnumpy()) / np.exp(x.asnumpy()).sum(), rtol=1e-5)


# Normalization


def test_batch_norm_in_training() -> None:
    layer = nn.BatchNorm1d(2, momentum=0.9)
    layer.set_train()
    out = layer(T([[1.0, 10.0], [3.0, 30.0]])).asnumpy()
    np.testing.assert_allclose(out, [[-0.999995, -1], [0.999995, 1]], rtol=1e-6)
    np.testing.assert_allclose(layer.moving_mean.asnumpy(), [0.2, 2.0], rtol=1e-6)
    np.testing.assert_allclose(layer.moving_variance.asnumpy(), [1.1, 20.9], rtol=1e-6)
    layer.set_train(False)
    layer(T([[1.0, 10.0], [3.0, 30.0]]))
    np.testing.assert_allclose(layer.moving_mean.asnumpy(), [0.2, 2.0], rtol=1e-6)


def test_batch_norm_in_compiled_training() -> None:
    layer = nn.BatchNorm2d(2, momentum=0.5, use_batch_statistics=True)
    compiled = ms.jit(layer)
    x = A(2, 2, 2, 2)
    expected = [-1.6329877, -0.8164938, 0, 0.8164938, 0.2554879, 0.664268, 1.073049, -1.3796344]
    np.testing.assert_allclose(compiled(x).asnumpy().reshape(-1)[:8], expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(layer.moving_mean.asnumpy(), [1.0, 1.6875], rtol=1e-6)
    np.testing.assert_allclose(layer.moving_variance.asnumpy(), [1.3571429, 3.919643], rtol=1e-6)
    layer.use_batch_statistics = False
    np.testing.assert_allclose(compiled(x).asnumpy().reshape(-1)[0], -1 / np.sqrt(1.3571429 + 1e-5), rtol=1e-5)


@pytest.mark.parametrize("training", [True, False])
def test_gradients_of_batch_norm(training: bool) -> None:
    draw = np.random.default_rng(0)
    x, dout = draw.normal(size=(6, 3)), draw.normal(size=(6, 3))
    layer = nn.BatchNorm1d(3, gamma_init=T([1.0, 2.0, 0.5]), moving_var_init=T([1.0, 2.0, 3.0])).set_train(training)

    def loss(x: Tensor) -> Tensor:
        return (layer(x) * T(dout)).sum()

    def plain(x: np.ndarray) -> float:
        gamma = np.array([1.0, 2.0, 0.5])
        mean, variance = (x.mean(axis=0), x.var(axis=0)) if training else (np.zeros(3), np.array([1.0, 2.0, 3.0]))
        return float(((x - mean) / np.sqrt(variance + 1e-5) * gamma * dout).sum())

    dx, (dgamma, dbeta) = ms.grad(loss, 0, [layer.gamma, layer.beta])(T(x))
    direction = draw.normal(size=x.shape)
    expected = (plain(x + 1e-5 * direction) - plain(x - 1e-5 * direction)) / 2e-5
    np.testing.assert_allclose((dx.asnumpy() * direction).sum(), expected, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(dbeta.asnumpy(), dout.sum(axis=0), rtol=1e-4, atol=1e-5)
    assert dgamma.shape == (3,)


def test_statistics_move_once_in_a_training_step() -> None:
    net = nn.SequentialCell(nn.Dense(1, 1, weight_init=T([[1.0]]), has_bias=False), nn.BatchNorm1d(1, momentum=0.5))
    train = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    train.set_train()
    loss = train(T([[1.0], [3.0]]), T([[0.0], [1.0]]))
    assert float(loss.asnumpy()) == pytest.approx(0.499995, rel=1e-5)
    assert net[1].moving_mean.asnumpy().tolist() == [1.0]
    np.testing.assert_allclose(net[1].gamma.asnumpy(), [0.9000015], rtol=1e-6)
    np.testing.assert_allclose(net[1].beta.asnumpy(), [0.1], rtol=1e-5)


def test_layer_norm_against_numpy() -> None:
    draw = np.random.default_rng(3)
    x, gamma, beta, dout = (draw.normal(size=size) for size in ((2, 3, 4), (4,), (4,), (2, 3, 4)))
    layer = nn.LayerNorm((4,), gamma_init=T(gamma), beta_init=T(beta), epsilon=1e-5)

    def plain(x: np.ndarray) -> np.ndarray:
        centred = x - x.mean(axis=-1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5) * gamma + beta

    np.testing.assert_allclose(layer(T(x)).asnumpy(), plain(x), rtol=1e-4, atol=1e-5)
    dx, (dgamma, dbeta) = ms.grad(lambda x: (layer(x) * T(dout)).sum(), 0, layer.trainable_params())(T(x))
    direction = draw.normal(size=x.shape)
    expected = ((plain(x + 1e-5 * direction) - plain(x - 1e-5 * direction)) / 2e-5 * dout).sum()
    np.testing.assert_allclose((dx.asnumpy() * direction).sum(), expected, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(dbeta.asnumpy(), dout.sum(axis=(0, 1)), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(
        dgamma.asnumpy(), (dout * (plain(x) - beta) / gamma).sum(axis=(0, 1)), rtol=1e-3, atol=1e-4
    )


def test_half_precision_normalization_computes_in_single() -> None:
    x = T([[1000.0, 1000.0, 1000.0, 1001.0]], ms.float16)
    out = nn.LayerNorm((4,))(x)
    assert out.dtype == ms.float16
    np.testing.assert_allclose(out.asnumpy(), [[-0.577, -0.577, -0.577, 1.732]], rtol=2e-3)


def test_instance_norm_is_group_norm_of_single_channels() -> None:
    x = A(2, 3, 4, 5)
    np.testing.assert_allclose(nn.InstanceNorm2d(3)(x).asnumpy(), nn.GroupNorm(3, 3)(x).asnumpy(), rtol=1e-5, atol=1e-6)


def test_names_of_parameters() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.fc = nn.Dense(2, 3)
            self.bn = nn.BatchNorm1d(3)
            self.ln = nn.LayerNorm((3,))
            self.table = nn.Embedding(4, 3)

    expected = ["fc.weight", "fc.bias", "bn.moving_mean", "bn.moving_variance", "bn.gamma", "bn.beta", "ln.gamma",
                "ln.beta", "table.embedding_table"]  # fmt: skip
    assert [p.name for p in Net().get_parameters()] == expected
    assert [p.name for p in Net().trainable_params()] == [name for name in expected if "moving" not in name]
    assert [p.name for p in nn.BatchNorm2d(3, affine=False).trainable_params()] == []
    assert [p.name for p in nn.BatchNorm3d(3).get_parameters()][:1] == ["bn2d.moving_mean"]


# Embeddings


def test_embedding_padding_and_gradient() -> None:
    table = nn.Embedding(3, 2, embedding_table="ones", padding_idx=1)
    ids = T([0, 1, 1], ms.int32)
    assert table(ids).asnumpy().tolist() == [[1, 1], [0, 0], [0, 0]]
    (gradient,) = ms.grad(table, None, table.trainable_params())(ids)
    assert gradient.asnumpy().tolist() == [[1, 1], [2, 2], [0, 0]]
    with pytest.raises(RuntimeError, match="out of range"):
        table(T([5], ms.int32))


# Containers


def names(cell: nn.Cell) -> list[str]:
    """The names of the Parameters."""
    return [p.name for p in cell.get_parameters()]


def test_sequential_cell() -> None:
    from collections import OrderedDict

    net = nn.SequentialCell(OrderedDict([("a", nn.Dense(2, 2)), ("r", nn.ReLU())]))
    assert names(net) == ["a.weight", "a.bias"]
    assert repr(net[:1]) == "SequentialCell(\n  (a): Dense(input_channels=2, output_channels=2, has_bias=True)\n)"
    net = nn.SequentialCell([nn.Dense(2, 2), nn.ReLU(), nn.Dense(2, 2)])
    net.append(nn.Tanh())
    assert names(net) == ["0.weight", "0.bias", "2.weight", "2.bias"]
    del net[0]
    assert names(net) == ["1.weight", "1.bias"]
    assert len(net) == 3
    assert isinstance(net[-1], nn.Tanh)
    net[0] = nn.Dense(2, 3)
    assert names(net) == ["0.weight", "0.bias", "1.weight", "1.bias"]
    assert len(nn.SequentialCell()) == 0


def test_cell_list() -> None:
    layers = nn.CellList([nn.Dense(2, 2), nn.Dense(2, 2)])
    layers.insert(0, nn.Dense(3, 3))
    assert names(layers) == ["0.weight", "0.bias", "1.weight", "1.bias", "2.weight", "2.bias"]
    del layers[0]
    layers.extend([nn.Dense(1, 1)])
    layers += [nn.ReLU()]
    assert len(layers) == 4
    assert names(layers[1:]) == ["0.weight", "0.bias", "1.weight", "1.bias"]
    with pytest.raises(NotImplementedError):
        layers(T([1.0]))


def test_containers_inside_a_cell_name_what_is_added_later() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.CellList([nn.Dense(2, 2)])
            self.layers.append(nn.Dense(2, 2))
            self.blocks = nn.SequentialCell([nn.SequentialCell(nn.Dense(2, 2))])

    expected = [
        "layers.0.weight",
        "layers.0.bias",
        "layers.1.weight",
        "layers.1.bias",
        "blocks.0.0.weight",
        "blocks.0.0.bias",
    ]
    assert names(Net()) == expected


def test_cell_dict() -> None:
    cells = nn.CellDict({"a": nn.Dense(2, 2)})
    cells.update([("b", nn.ReLU())])
    cells["c"] = nn.Dense(1, 1)
    assert list(cells.keys()) == ["a", "b", "c"]
    assert names(cells) == ["a.weight", "a.bias", "c.weight", "c.bias"]
    assert isinstance(cells.pop("b"), nn.ReLU)
    assert "b" not in cells
    assert len(cells) == 2
    with pytest.raises(KeyError):
        cells["b"]


# What is refused


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: nn.Dense(3, 2)(T([[1.0, 2.0]])), ValueError, "input dimensions must be equal"),
        (lambda: nn.Dense(0, 2), ValueError, "in_channels"),
        (lambda: nn.Dense(3, 2, weight_init=T([[1.0]])), ValueError, "shape"),
        (lambda: nn.Dense(3, 2, has_bias=1), TypeError, "has_bias"),
        (lambda: nn.Dropout(p=1.5), ValueError, r"\[0, 1\)"),
        (lambda: nn.Dropout(p=1.0), ValueError, r"\[0, 1\)"),
        (lambda: nn.Dropout(keep_prob=0.0), ValueError, "keep_prob"),
        (lambda: nn.Flatten()(T([1.0, 2.0])), ValueError, "out of range"),
        (lambda: nn.get_activation("foo"), KeyError, "foo"),
        (lambda: nn.BatchNorm2d(2)(A(1, 2)), ValueError, "4 dimensions"),
        (lambda: nn.BatchNorm2d(3)(A(1, 2, 2, 2)), ValueError, "num_features"),
        (lambda: nn.BatchNorm2d(3, momentum=2.0), ValueError, "momentum"),
        (lambda: nn.LayerNorm(3), TypeError, "normalized_shape"),
        (lambda: nn.LayerNorm((2,))(A(2, 3)), ValueError, "shape"),
        (lambda: nn.GroupNorm(2, 3), ValueError, "divisible"),
        (lambda: nn.GroupNorm(2, 4)(A(1, 2, 1, 1)), ValueError, "num_channels"),
        (lambda: nn.Embedding(3, 2, padding_idx=3), ValueError, "padding_idx"),
        (lambda: nn.Pad([(1, 1)]), TypeError, "paddings"),
        (lambda: nn.SequentialCell(3), TypeError, "SequentialCell"),
        (lambda: nn.SequentialCell(nn.ReLU(), 3), TypeError, "Cells"),
        (lambda: nn.SequentialCell(nn.ReLU())[7], IndexError, "7"),
        (lambda: nn.CellList([1]), TypeError, "Cells"),
        (lambda: nn.CellDict({"a.b": nn.ReLU()}), KeyError, "a.b"),
        (lambda: nn.CellDict({"keys": nn.ReLU()}), KeyError, "keys"),
        (lambda: nn.CellDict([("a", nn.ReLU(), 3)]), ValueError, "pairs"),
        (lambda: nn.PReLU(2, T([1.0])), ValueError, "2 numbers"),
    ],
)
def test_refusals(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()
