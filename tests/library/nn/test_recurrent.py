"""Recurrent and attention layers: numbers recorded from MindSpore 2.10, eagerly and compiled, and gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tensors import T

import mycel as ms
from mycel import Tensor, nn

Row = tuple[str, Callable[[], Any], Callable[[Any], Any], list[str]]  # name, layer, its call, shapes and first numbers


def drawn(seed: int, *shape: int) -> Tensor:
    """Numbers in [-1, 1), of two digits."""
    return T(np.round(np.random.RandomState(seed).uniform(-1, 1, shape), 2))


def fixed(layer: Any) -> Any:
    """The layer with given numbers in its Parameters."""
    draw = np.random.RandomState(0)
    for parameter in layer.get_parameters():
        parameter.set_data(T(np.round(draw.uniform(-0.5, 0.5, parameter.shape), 2)))
    return layer.set_train(False)


x, h0, c0, z = drawn(1, 3, 2, 2), drawn(2, 1, 2, 3), drawn(3, 1, 2, 3), T(np.zeros((4, 2, 3)))
q, k, k3, v5 = drawn(5, 2, 3, 4), drawn(6, 2, 5, 4), drawn(7, 2, 5, 3), drawn(8, 2, 5, 6)
m = T(np.triu(np.ones((3, 5)), 2), ms.bool_)

ROWS: list[Row] = [
    (
        "rnncell",
        lambda: nn.RNNCell(2, 3),
        lambda layer: layer(x[0], h0[0]),
        [
            "2x3: -0.343804 -0.350751 0.404485 -0.445442 -0.260831 0.715469",
        ],
    ),
    (
        "rnncell relu",
        lambda: nn.RNNCell(2, 3, nonlinearity="relu"),
        lambda layer: layer(x[0], h0[0]),
        [
            "2x3: 0 0 0.429 0 0 0.8983",
        ],
    ),
    (
        "lstmcell",
        lambda: nn.LSTMCell(2, 3),
        lambda layer: layer(x[0], (h0[0], c0[0])),
        [
            "2x3: 0.103358 -0.062754 0.067742 -0.019861 0.066796 0.27243",
            "2x3: 0.366221 -0.102486 0.117221 -0.066547 0.180974 0.539278",
        ],
    ),
    (
        "grucell",
        lambda: nn.GRUCell(2, 3),
        lambda layer: layer(x[0], h0[0]),
        [
            "2x3: -0.086785 -0.179316 0.088676 -0.339768 0.423992 -0.119221",
        ],
    ),
    (
        "rnn",
        lambda: nn.RNN(2, 3),
        lambda layer: layer(x, h0),
        [
            "3x2x3: -0.343804 -0.350751 0.404485 -0.445442 -0.260831 0.715469 -0.2692 -0.256284 0.375647",
            "1x2x3: -0.033888 -0.157234 0.499189 0.030141 -0.155779 0.572574",
        ],
    ),
    (
        "gru",
        lambda: nn.GRU(2, 3),
        lambda layer: layer(x, h0),
        [
            "3x2x3: -0.086785 -0.179316 0.088676 -0.339768 0.423992 -0.119221 -0.39174 0.392087 -0.094229",
            "1x2x3: -0.279422 0.381468 -0.231148 -0.213618 0.386966 -0.259784",
        ],
    ),
    (
        "lstm",
        lambda: nn.LSTM(2, 3),
        lambda layer: layer(x, (h0, c0)),
        [
            "3x2x3: 0.103358 -0.062754 0.067742 -0.019861 0.066796 0.272429 -0.001686 -0.031497 0.078402",
            "1x2x3: 0.030771 -0.143054 0.124681 0.056895 -0.179397 0.194411",
            "1x2x3: 0.085164 -0.296496 0.233855 0.151677 -0.351736 0.364946",
        ],
    ),
    (
        "rnn relu",
        lambda: nn.RNN(2, 3, nonlinearity="relu"),
        lambda layer: layer(x, h0),
        [
            "3x2x3: 0 0 0.429 0 0 0.8983 0 0 0.55933",
            "1x2x3: 0.134392 0 0.598288 0.129099 0 0.707265",
        ],
    ),
    (
        "lstm 2 bi",
        lambda: nn.LSTM(2, 3, num_layers=2, bidirectional=True),
        lambda layer: layer(x, (z, z)),
        [
            "3x2x6: 0.013059 -0.098553 0.03727 0.161727 -0.275482 0.248653 0.014022 -0.096166 0.02285",
            "4x2x3: -0.172946 -0.08962 0.107675 -0.173774 -0.113743 0.159211 -0.107743 0.183434 0.102603",
            "4x2x3: -0.384608 -0.245943 0.19666 -0.359143 -0.295853 0.288637 -0.308032 0.47689 0.193247",
        ],
    ),
    (
        "lstm 2 bi nobias",
        lambda: nn.LSTM(2, 3, num_layers=2, bidirectional=True, has_bias=False),
        lambda layer: layer(x, (z, z)),
        [
            "3x2x6: 0.004822 -0.008468 0.008294 0.000313 0.01957 0.005269 0.004407 -0.002763 -0.008191",
            "4x2x3: -0.033365 0.065523 0.053626 -0.014859 0.043777 0.099832 -0.013466 -0.046102 0.016365",
            "4x2x3: -0.067453 0.135441 0.106777 -0.028096 0.085346 0.194622 -0.030024 -0.091162 0.033157",
        ],
    ),
    (
        "gru 2 bi nh",
        lambda: nn.GRU(2, 3, num_layers=2, bidirectional=True),
        lambda layer: layer(x),
        [
            "3x2x6: 0.207323 0.124704 0.120038 -0.451573 0.166191 -0.193884 0.145829 0.110139 0.119621",
            "4x2x3: 0.325293 -0.081785 -0.310451 0.446236 -0.115736 -0.244701 -0.017576 -0.343915 -0.000286",
        ],
    ),
    (
        "lstm bf nh",
        lambda: nn.LSTM(2, 3, batch_first=True),
        lambda layer: layer(x.swapaxes(0, 1)),
        [
            "2x3x3: 0.064962 -0.154152 0.12802 -0.009395 -0.057609 0.100525 0.029061 -0.154864 0.135074",
            "1x2x3: 0.029061 -0.154864 0.135074 0.059634 -0.188318 0.180478",
            "1x2x3: 0.081513 -0.320143 0.254533 0.159035 -0.370288 0.335255",
        ],
    ),
    (
        "lstm seq",
        lambda: nn.LSTM(2, 3),
        lambda layer: layer(x, (h0, c0), T([3, 2], ms.int32)),
        [
            "3x2x3: 0.103358 -0.062754 0.067742 -0.019861 0.066796 0.27243 -0.001686 -0.031497 0.078402",
            "1x2x3: 0.030771 -0.143054 0.124681 -0.012199 -0.052088 0.188636",
            "1x2x3: 0.085164 -0.296496 0.233855 -0.040939 -0.125301 0.390279",
        ],
    ),
    (
        "gru seq",
        lambda: nn.GRU(2, 3, bidirectional=True),
        lambda layer: layer(x, None, T([3, 2], ms.int32)),
        [
            "3x2x6: 0.120049 -0.306793 0.390011 0.147889 0.040687 0.247895 -0.016109 0.031173 0.472886",
            "2x2x3: 0.113942 -0.32796 0.568668 0.019489 -0.106547 0.572814 0.147889 0.040687 0.247895",
        ],
    ),
    (
        "rnn nobias",
        lambda: nn.RNN(2, 3, has_bias=False),
        lambda layer: layer(x, h0),
        [
            "3x2x3: -0.22451 -0.250832 -0.363576 -0.335488 -0.155723 0.088071 -0.436176 -0.159143 -0.033423",
            "1x2x3: -0.044141 -0.012612 -0.055734 -0.007796 -0.015453 0.081058",
        ],
    ),
    (
        "mha bf",
        lambda: nn.MultiheadAttention(4, 2, batch_first=True),
        lambda layer: layer(q, k, k),
        [
            "2x3x4: -0.069442 -0.231119 -0.183221 -0.20791 -0.060546 -0.231621 -0.191809 -0.204785 -0.059556",
            "2x3x5: 0.228086 0.177711 0.185096 0.194578 0.21453 0.197882 0.207206 0.202794 0.198061",
        ],
    ),
    (
        "mha",
        lambda: nn.MultiheadAttention(4, 2),
        lambda layer: layer(q.swapaxes(0, 1), k.swapaxes(0, 1), k.swapaxes(0, 1)),
        [
            "3x2x4: -0.069442 -0.231119 -0.183221 -0.20791 -0.093637 -0.309161 -0.161822 -0.132876 -0.060546",
            "2x3x5: 0.228086 0.177711 0.185096 0.194578 0.21453 0.197882 0.207206 0.202794 0.198061",
        ],
    ),
    (
        "mha nw",
        lambda: nn.MultiheadAttention(4, 2, batch_first=True),
        lambda layer: layer(q, k, k, need_weights=False),
        [
            "2x3x4: -0.069442 -0.231119 -0.183221 -0.20791 -0.060546 -0.231621 -0.191809 -0.204785 -0.059556",
        ],
    ),
    (
        "mha naw",
        lambda: nn.MultiheadAttention(4, 2, batch_first=True),
        lambda layer: layer(q, k, k, average_attn_weights=False),
        [
            "2x3x4: -0.069442 -0.231119 -0.183221 -0.20791 -0.060546 -0.231621 -0.191809 -0.204785 -0.059556",
            "2x2x3x5: 0.202513 0.174595 0.19539 0.209431 0.21807 0.210417 0.204826 0.197749 0.192073",
        ],
    ),
    (
        "mha mask",
        lambda: nn.MultiheadAttention(4, 2, batch_first=True),
        lambda layer: layer(q, k, k, attn_mask=m),
        [
            "2x3x4: -0.006432 -0.166382 -0.008514 -0.308528 -0.039895 -0.226181 -0.049715 -0.240445 -0.057495",
            "2x3x5: 0.560415 0.439585 0 0 0 0.325377 0.340922 0.333701 0",
        ],
    ),
    (
        "mha fmask",
        lambda: nn.MultiheadAttention(4, 2, batch_first=True),
        lambda layer: layer(q, k, k, attn_mask=T(np.triu(np.full((3, 5), -5.0), 2))),
        [
            "2x3x4: -0.007622 -0.1675 -0.011245 -0.30682 -0.040116 -0.22624 -0.051284 -0.240049 -0.057512",
            "2x3x5: 0.554922 0.435228 0.00307 0.003232 0.003548 0.32397 0.339446 0.332256 0.002187",
        ],
    ),
    (
        "mha kpm",
        lambda: nn.MultiheadAttention(4, 2, batch_first=True),
        lambda layer: layer(q, k, k, key_padding_mask=T([[0, 0, 0, 1, 1], [0, 0, 0, 0, 1]], ms.bool_)),
        [
            "2x3x4: -0.045987 -0.224689 -0.028922 -0.245952 -0.039895 -0.226181 -0.049715 -0.240445 -0.038276",
            "2x3x5: 0.385028 0.300878 0.314094 0 0 0.325377 0.340922 0.333701 0",
        ],
    ),
    (
        "mha biaskv",
        lambda: nn.MultiheadAttention(4, 2, batch_first=True, add_bias_kv=True),
        lambda layer: layer(q, k, k),
        [
            "2x3x4: 0.0994 -0.071721 0.198868 -0.47881 0.097168 -0.067206 0.216347 -0.473115 0.096371",
            "2x3x6: 0.192375 0.14968 0.155734 0.163662 0.180602 0.157947 0.163156 0.170837 0.167198",
        ],
    ),
    (
        "mha zero",
        lambda: nn.MultiheadAttention(4, 2, batch_first=True, add_zero_attn=True),
        lambda layer: layer(q, k, k),
        [
            "2x3x4: -0.093321 -0.25442 -0.186431 -0.234744 -0.086958 -0.256165 -0.193233 -0.233757 -0.084732",
            "2x3x6: 0.189781 0.147639 0.153591 0.161405 0.178129 0.169455 0.164923 0.172711 0.169037",
        ],
    ),
    (
        "mha kdim",
        lambda: nn.MultiheadAttention(4, 2, batch_first=True, kdim=3, vdim=6),
        lambda layer: layer(q, k3, v5),
        [
            "2x3x4: 0.119416 0.036001 -0.418552 0.610544 0.131718 0.03585 -0.404727 0.613969 0.12104",
            "2x3x5: 0.214045 0.19952 0.181233 0.219758 0.185445 0.2324 0.188852 0.188897 0.193319",
        ],
    ),
    (
        "mha unb",
        lambda: nn.MultiheadAttention(4, 2),
        lambda layer: layer(q[0], k[0], k[0]),
        [
            "3x4: -0.069442 -0.231119 -0.183221 -0.20791 -0.060546 -0.231621 -0.191809 -0.204785 -0.059556",
            "3x5: 0.228086 0.177711 0.185096 0.194578 0.21453 0.197882 0.207206 0.202794 0.198061",
        ],
    ),
    (
        "tel",
        lambda: nn.TransformerEncoderLayer(4, 2, 6, batch_first=True),
        lambda layer: layer(q),
        [
            "2x3x4: 0.062689 1.04067 -0.469849 0.146609 0.21042 0.547886 -0.062945 -0.0509 -0.052036",
        ],
    ),
    (
        "tel nf",
        lambda: nn.TransformerEncoderLayer(4, 2, 6, norm_first=True, activation="gelu"),
        lambda layer: layer(q),
        [
            "2x3x4: -0.613796 0.762567 -0.741236 0.864445 -0.00779 0.235899 0.323471 -0.007271 -0.609277",
        ],
    ),
    (
        "tel mask",
        lambda: nn.TransformerEncoderLayer(4, 2, 6, batch_first=True),
        lambda layer: layer(q, src_mask=T(np.triu(np.ones((3, 3)), 1), ms.bool_)),
        [
            "2x3x4: 0.080249 1.04525 -0.446484 0.107481 0.214458 0.539749 -0.0625 -0.037225 -0.052036",
        ],
    ),
    (
        "tdl",
        lambda: nn.TransformerDecoderLayer(4, 2, 6, batch_first=True),
        lambda layer: layer(q, k),
        [
            "2x3x4: -0.197216 0.057121 0.560073 -0.428264 -0.721493 0.1294 0.440861 -0.355409 -0.056612",
        ],
    ),
    (
        "te",
        lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 6, batch_first=True), 2, nn.LayerNorm((4,))),
        lambda layer: layer(q),
        [
            "2x3x4: -0.700214 -1.11454 0.016017 -0.372778 -0.703129 -1.1408 0.044009 -0.322168 -0.703146",
        ],
    ),
    (
        "td",
        lambda: nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 6, batch_first=True), 2),
        lambda layer: layer(q, k),
        [
            "2x3x4: -0.735239 -0.151147 -0.29111 -0.14404 -0.715318 -0.160294 -0.386652 -0.149782 -0.739318",
        ],
    ),
    (
        "tr",
        lambda: nn.Transformer(4, 2, 1, 1, 6, batch_first=True),
        lambda layer: layer(k, q),
        [
            "2x3x4: -0.46877 -0.520567 -0.600604 -0.027738 -0.450901 -0.511728 -0.643536 0.005758 -0.503081",
        ],
    ),
    (
        "tr mask",
        lambda: nn.Transformer(4, 2, 1, 1, 6, batch_first=True),
        lambda layer: layer(k, q, tgt_mask=T(np.triu(np.ones((3, 3)), 1), ms.bool_)),
        [
            "2x3x4: -0.485315 -0.518854 -0.594312 -0.059052 -0.451527 -0.511518 -0.643887 0.004727 -0.503081",
        ],
    ),
]


def flat(value: Any) -> list[Tensor]:
    """The tensors of nested tuples."""
    return [leaf for item in value for leaf in flat(item)] if isinstance(value, tuple) else [value]


@pytest.mark.parametrize(("make", "run", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
@pytest.mark.parametrize("compiled", [False, True])
def test_numbers(make: Any, run: Any, expected: list[str], compiled: bool) -> None:
    layer = fixed(make())
    results = flat(run(ms.jit(layer) if compiled else layer))
    assert len(results) == len(expected)
    for result, text in zip(results, expected, strict=True):
        shape, _, numbers = text.partition(":")
        assert "x".join(map(str, result.shape)) == shape
        values = np.array(numbers.split(), float)
        np.testing.assert_allclose(result.asnumpy().reshape(-1)[: len(values)], values, rtol=1e-4, atol=3e-6)


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
@pytest.mark.parametrize("length", [3, 9])
def test_long_sequences_are_recorded_once(kind: str, length: int) -> None:
    layer = fixed(getattr(nn, kind)(2, 3, bidirectional=True))
    sequence = drawn(4, length, 2, 2)
    stepwise = layer.construct(sequence)  # eagerly, one step after the other
    for a, b in zip(flat(stepwise), flat(ms.jit(layer)(sequence)), strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
def test_gradients_against_differences(kind: str) -> None:
    layer = fixed(getattr(nn, kind)(2, 3))
    sequence = drawn(4, 7, 2, 2)

    def loss(sequence: Tensor) -> Tensor:
        outputs, _ = layer(sequence)
        return (outputs * outputs).sum()

    dx, weights = ms.grad(loss, 0, layer.trainable_params())(sequence)
    direction = np.random.default_rng(0).normal(size=sequence.shape).astype(np.float32)
    step = 1e-2
    difference = (loss(sequence + step * T(direction)) - loss(sequence - step * T(direction))).asnumpy() / (2 * step)
    np.testing.assert_allclose((dx.asnumpy() * direction).sum(), difference, rtol=2e-2, atol=1e-3)
    weight = layer.weight_hh_l0
    kept = weight.asnumpy()
    direction = np.random.default_rng(1).normal(size=weight.shape).astype(np.float32)
    values = []
    for sign in (1, -1):
        weight.set_data(T(kept + sign * step * direction))
        values.append(float(loss(sequence).asnumpy()))
    position = [p.name for p in layer.trainable_params()].index(weight.name)
    expected = (values[0] - values[1]) / (2 * step)
    np.testing.assert_allclose((weights[position].asnumpy() * direction).sum(), expected, rtol=2e-2, atol=1e-3)


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_gradients_of_short_sequences_agree_with_the_tape(kind: str, length: int) -> None:
    layer = fixed(getattr(nn, kind)(4, 5))
    sequence = drawn(4, length, 2, 4)

    def loss(sequence: Tensor) -> Tensor:
        return layer(sequence)[0].sum()

    gradient = ms.grad(loss, 0, layer.trainable_params())
    dx, weights = gradient(sequence)
    with ms.disable_jit():
        expected_dx, expected = gradient(sequence)
    for ours, theirs in zip((dx, *weights), (expected_dx, *expected), strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.asnumpy(), rtol=1e-4, atol=1e-5)


def test_names_of_parameters() -> None:
    layer = nn.LSTM(2, 3, num_layers=2, bidirectional=True, has_bias=False)
    assert [(p.name, p.shape) for p in layer.get_parameters()] == [
        ("weight_ih_l0", (12, 2)), ("weight_ih_l0_reverse", (12, 2)), ("weight_ih_l1", (12, 6)),
        ("weight_ih_l1_reverse", (12, 6)), ("weight_hh_l0", (12, 3)), ("weight_hh_l0_reverse", (12, 3)),
        ("weight_hh_l1", (12, 3)), ("weight_hh_l1_reverse", (12, 3)),
    ]  # fmt: skip
    assert [p.name for p in nn.GRUCell(2, 3).get_parameters()] == ["weight_ih", "weight_hh", "bias_ih", "bias_hh"]
    attention = nn.MultiheadAttention(4, 2, kdim=3, vdim=5, add_bias_kv=True)
    assert [p.name for p in attention.get_parameters()] == [
        "q_proj_weight", "k_proj_weight", "v_proj_weight", "in_proj_bias", "bias_k", "bias_v", "out_proj.weight",
        "out_proj.bias",
    ]  # fmt: skip
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2)
    names = [p.name for p in encoder.get_parameters()]
    assert names[0] == "layers.0.self_attn.in_proj_weight"
    assert names[-1] == "layers.1.norm2.beta"
    assert encoder.layers[0].dense1.weight is not encoder.layers[1].dense1.weight


def test_default_numbers() -> None:
    for parameter in nn.LSTM(20, 30).get_parameters():
        assert 0.8 / np.sqrt(30) < np.abs(parameter.asnumpy()).max() <= 1 / np.sqrt(30)
    attention = nn.MultiheadAttention(40, 2)
    assert 0.9 * np.sqrt(6 / 160) < np.abs(attention.in_proj_weight.asnumpy()).max() <= np.float32(np.sqrt(6 / 160))
    assert not attention.in_proj_bias.asnumpy().any()


def test_attention_is_softmax_of_products() -> None:
    layer = fixed(nn.MultiheadAttention(4, 1, has_bias=False, batch_first=True))
    weight, out = layer.in_proj_weight.asnumpy(), layer.out_proj.weight.asnumpy()
    query, key, value = (q.asnumpy() @ weight[:4].T, k.asnumpy() @ weight[4:8].T, k.asnumpy() @ weight[8:].T)
    scores = np.exp(query @ key.transpose(0, 2, 1) / 2)
    shares = scores / scores.sum(axis=-1, keepdims=True)
    result, shown = layer(q, k, k)
    np.testing.assert_allclose(shown.asnumpy(), shares, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(result.asnumpy(), shares @ value @ out.T, rtol=1e-4, atol=1e-6)


def test_dropout_between_layers_only_in_training() -> None:
    layer = nn.GRU(2, 3, num_layers=2, dropout=0.5)
    first, second = layer(x)[0].asnumpy(), layer(x)[0].asnumpy()
    np.testing.assert_array_equal(first, second)
    layer.set_train()
    assert np.abs(layer(x)[0].asnumpy() - first).max() > 0


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: nn.LSTM(2, 3)(x[0]), ValueError, "3 dimensions"),
        (lambda: nn.LSTM(2, 3)(x, h0), TypeError, "tuple"),
        (lambda: nn.GRU(2, 3)(x, T(np.zeros((1, 2, 4)))), ValueError, "shape"),
        (lambda: nn.LSTM(0, 3), ValueError, "input_size"),
        (lambda: nn.LSTM(2, 3, dropout=1.5), ValueError, "dropout"),
        (lambda: nn.RNN(2, 3, nonlinearity="x"), ValueError, "nonlinearity"),
        (lambda: nn.RNNCell(2, 3)(x, h0[0]), ValueError, "shape"),
        (lambda: nn.LSTMCell(2, 3)(x[0], h0[0]), TypeError, "tuple"),
        (lambda: nn.MultiheadAttention(5, 2), ValueError, "divisible"),
        (lambda: nn.MultiheadAttention(4, 2)(q[..., :3], k, k), ValueError, "should be 4"),
        (lambda: nn.TransformerEncoderLayer(4, 2, activation="x"), ValueError, "activation"),
    ],
)
def test_refusals(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()
