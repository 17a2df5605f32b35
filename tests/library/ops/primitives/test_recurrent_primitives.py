"""Recurrent layers and attention as primitives, against the layers and products they stand for."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, mint, nn, ops

DRAW = np.random.default_rng(0)


def drawn(*shape):
    return DRAW.normal(size=shape).astype(np.float32)


def test_dynamic_rnn_is_an_lstm():
    steps, batch, inputs, hidden = 3, 2, 4, 5
    layer = nn.LSTM(inputs, hidden)
    x, h, c = drawn(steps, batch, inputs), drawn(1, batch, hidden), drawn(1, batch, hidden)
    expected, (last_h, last_c) = layer(Tensor(x), (Tensor(h), Tensor(c)))
    parts = {name: layer.parameters_dict()[name].asnumpy() for name in layer.parameters_dict()}
    order = [0, 2, 1, 3]  # i f j o of the layer as i j f o
    rows = [np.concatenate([np.split(parts[name], 4)[place] for place in order]) for name in
            ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")]  # fmt: skip
    weight, bias = np.concatenate([rows[0].T, rows[1].T]), rows[2] + rows[3]
    primitive = ops.DynamicRNN()
    for run in (primitive, ms.jit(lambda *inputs: primitive(*inputs), fullgraph=True)):
        results = run(Tensor(x), Tensor(weight), Tensor(bias), None, Tensor(h), Tensor(c))
        assert [item.shape for item in results] == [(steps, batch, hidden)] * 8
        np.testing.assert_allclose(results[0].asnumpy(), expected.asnumpy(), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(results[1][-1].asnumpy(), last_h[0].asnumpy(), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(results[2][-1].asnumpy(), last_c[0].asnumpy(), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(np.tanh(results[2].asnumpy()), results[7].asnumpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("gate_order", ["rzh", "zrh"])
def test_dynamic_gru_is_a_gru(gate_order):
    steps, batch, inputs, hidden = 3, 2, 4, 5
    layer = nn.GRU(inputs, hidden)
    x, h = drawn(steps, batch, inputs), drawn(1, batch, hidden)
    expected, last = layer(Tensor(x), Tensor(h))
    order = [0, 1, 2] if gate_order == "rzh" else [1, 0, 2]
    rows = [np.concatenate([np.split(layer.parameters_dict()[name].asnumpy(), 3)[place] for place in order]) for name in
            ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")]  # fmt: skip
    primitive = ops.DynamicGRUV2(gate_order=gate_order)
    y, output, *gates = primitive(Tensor(x), Tensor(rows[0].T), Tensor(rows[1].T), Tensor(rows[2]), Tensor(rows[3]),
                                  None, Tensor(h))  # fmt: skip
    assert len(gates) == 4
    np.testing.assert_allclose(y.asnumpy(), expected.asnumpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(output[-1].asnumpy(), last[0].asnumpy(), rtol=1e-4, atol=1e-5)


def attention(q, k, v, scale, mask=None):
    scores = np.einsum("bnsd,bntd->bnst", q, k) * scale
    if mask is not None:
        scores = np.where(mask, -1e30, scores)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return np.einsum("bnst,bntd->bnsd", weights / weights.sum(-1, keepdims=True), v)


@pytest.mark.parametrize("layout", ["BSH", "SBH", "BNSD", "BSND"])
@pytest.mark.parametrize("heads", [4, 2, 1])
def test_flash_attention(layout, heads):
    q, k, v = drawn(2, 4, 3, 8), drawn(2, heads, 5, 8), drawn(2, heads, 5, 8)
    mask = np.triu(np.ones((3, 5), np.uint8), 2)

    def laid(x):
        if layout == "BNSD":
            return Tensor(x)
        if layout == "BSND":
            return Tensor(x.transpose(0, 2, 1, 3).copy())
        order = (0, 2, 1, 3) if layout == "BSH" else (2, 0, 1, 3)
        moved = x.transpose(order)
        return Tensor(moved.reshape(*moved.shape[:2], -1))

    shared = [np.repeat(x, 4 // heads, 1) for x in (k, v)]
    for given in (None, mask):
        expected = laid(attention(q, *shared, 0.3, given)).asnumpy()
        options = {"attn_mask": None if given is None else Tensor(given), "input_layout": layout, "scalar_value": 0.3}
        result = ops.flash_attention_score(laid(q), laid(k), laid(v), 4, **options)
        np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-4, atol=1e-5)
    highest, summed, _, out = ops.FlashAttentionScore(4, scale_value=0.3, input_layout=layout)(
        laid(q), laid(k), laid(v)
    )
    assert highest.shape == summed.shape == (2, 4, 3, 8)
    np.testing.assert_allclose(out.asnumpy(), laid(attention(q, *shared, 0.3)).asnumpy(), rtol=1e-4, atol=1e-5)


def test_gradient_of_flash_attention():
    q, k, v = (Tensor(drawn(1, 2, 3, 4)) for _ in range(3))

    def plain(q, k, v):
        weights = ops.softmax(ops.matmul(q, ops.swapaxes(k, -1, -2)) * 0.5, -1)
        return (ops.matmul(weights, v) ** 2).sum()

    def flash(q, k, v):
        return (ops.flash_attention_score(q, k, v, 2, scalar_value=0.5, input_layout="BNSD") ** 2).sum()

    for ours, theirs in zip(ms.grad(flash, (0, 1, 2))(q, k, v), ms.grad(plain, (0, 1, 2))(q, k, v), strict=True):
        np.testing.assert_allclose(ours.asnumpy(), theirs.asnumpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: ops.DynamicRNN(direction="BIDIRECTIONAL")(x, x, x), "'direction' should be 'UNIDIRECTIONAL'"),
        (lambda x: ops.DynamicRNN()(x, ops.ones((3, 8)), ops.ones(8)), "do not fit"),
        (lambda x: ops.DynamicGRUV2(gate_order="hrz")(x, x, x), "'gate_order' should be"),
        (lambda x: ops.flash_attention_score(x, x, x, 3), "3 heads do not divide"),
        (lambda x: ops.flash_attention_score(x, x, x, 2, input_layout="TND"), "'input_layout' should be one of"),
        (lambda x: ops.flash_attention_score(x, x, x, 2, padding_mask=x), "'padding_mask' is not supported"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call(ops.ones((2, 3, 4)))


def test_extended_names_are_those_of_mint():
    assert ops.topk_ext is mint.topk
    assert ops.argmax_ext is mint.argmax
    with pytest.raises(AttributeError, match="has no 'nothing_ext'"):
        _ = ops.nothing_ext
