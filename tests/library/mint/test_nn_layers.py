"""Layers of mint.nn: how they print, and the running statistics of batch normalisation. The texts are MindSpore's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, mint, ops

TEXTS = {
    "Linear(3, 2)": "Linear(input_features=3, output_features=2, has_bias=True)",
    "Linear(3, 2, bias=False)": "Linear(input_features=3, output_features=2)",
    "Conv1d(3, 4, 3, bias=False)": (
        "Conv1d(input_channels=3, output_channels=4, kernel_size=(3,), stride=(1,), padding=(0,), dilation=(1,), "
        "groups=1, bias=False)"
    ),
    "ConvTranspose2d(3, 4, (2, 3), stride=2)": (
        "ConvTranspose2d(input_channels=3, output_channels=4, kernel_size=(2, 3), stride=(2, 2), padding=(0, 0), "
        "dilation=(1, 1), groups=1, bias=True)"
    ),
    "BatchNorm2d(3)": "BatchNorm2d(num_features=3, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)",
    "LayerNorm(3)": "LayerNorm(normalized_shape=(3,), eps=1e-05, elementwise_affine=True)",
    "GroupNorm(2, 4, affine=False)": "GroupNorm(num_groups=2, num_channels=4, eps=1e-05, affine=False)",
    "Embedding(3, 4, padding_idx=0)": (
        "Embedding(num_embeddings=3, embedding_dim=4, padding_idx=0, max_norm=None, norm_type=2.0, "
        "scale_grad_by_freq=False, dtype=Float32)"
    ),
    "AdaptiveAvgPool2d((2, None))": "AdaptiveAvgPool2d(output_size=(2, None))",
    "ReLU()": "ReLU()",
}


@pytest.mark.parametrize("made", TEXTS)
def test_layers_print_their_arguments(made: str) -> None:
    kind, arguments = made.split("(", 1)
    assert repr(eval(f"cls({arguments}", {"cls": getattr(mint.nn, kind)})) == TEXTS[made]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_batch_norm_counts_batches(mode: int) -> None:
    ms.set_context(mode=mode)
    x = Tensor(np.random.default_rng(0).normal(size=(3, 4, 2)).astype(np.float32))
    layer = mint.nn.BatchNorm1d(2).set_train()
    for row in x:
        layer(row)
    assert [p.name for p in layer.get_parameters()][2:] == ["running_mean", "running_var", "num_batches_tracked"]
    assert layer.num_batches_tracked.dtype == ms.int64
    assert int(layer.num_batches_tracked) == 3
    layer.set_train(False)(x[0])
    assert int(layer.num_batches_tracked) == 3


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_batch_norm_without_momentum_averages_all_batches(mode: int) -> None:
    ms.set_context(mode=mode)
    x = np.random.default_rng(1).normal(size=(3, 4, 2)).astype(np.float32)
    layer = mint.nn.BatchNorm1d(2, momentum=None).set_train()
    for row in x:
        layer(Tensor(row))
    np.testing.assert_allclose(layer.running_mean.asnumpy(), x.mean((0, 1)), atol=1e-6)
    np.testing.assert_allclose(layer.running_var.asnumpy(), x.var(1, ddof=1).mean(0), rtol=1e-5)


def test_same_padding_needs_a_stride_of_one() -> None:
    with pytest.raises(ValueError, match="stride of 1"):
        mint.nn.Conv2d(3, 4, 3, stride=2, padding="same")


@pytest.mark.parametrize(
    ("padding", "expected"), [((1, 2), (2, 2, 1, 1)), ("valid", (0, 0, 0, 0)), ("same", (1, 2, 1, 1))]
)
def test_what_subclasses_of_convolutions_use(padding: Any, expected: tuple[int, ...]) -> None:
    class Doubled(mint.nn.Conv2d):
        def construct(self, input: Tensor) -> Tensor:
            padded = ops.pad(input, self._reversed_padding)
            return self.conv2d(padded, self.weight, self.bias, self.stride, 0, self.dilation, self.groups) * 2

    layer = Doubled(2, 3, (3, 4), padding=padding)
    assert layer._reversed_padding == expected
    assert layer.output_padding == (0, 0)
    x = ops.randn(1, 2, 6, 7)
    np.testing.assert_allclose(
        layer(x).asnumpy(), 2 * mint.nn.Conv2d.construct(layer, x).asnumpy(), rtol=1e-5, atol=1e-6
    )


def test_what_subclasses_of_linear_use() -> None:
    class Negative(mint.nn.Linear):
        def construct(self, x: Tensor) -> Tensor:
            return -self.dense(x, self.weight, self.bias)

    x = ops.randn(2, 3)
    for bias in (True, False):
        layer = Negative(3, 4, bias=bias)
        assert layer.has_bias is bias
        np.testing.assert_allclose(layer(x).asnumpy(), -mint.nn.Linear.construct(layer, x).asnumpy(), rtol=1e-6)


def test_a_transposed_convolution_of_a_given_output_size() -> None:
    layer = mint.nn.ConvTranspose2d(2, 3, 3, stride=2, padding=1, output_padding=1)
    image = ops.ones((1, 2, 4, 4))
    whole = layer(image).asnumpy()
    assert whole.shape == (1, 3, 8, 8)
    for size in ([7, 8], (1, 3, 8, 7)):
        found = layer(image, output_size=size).asnumpy()
        assert found.shape[2:] == tuple(size)[-2:]
        np.testing.assert_allclose(found[..., :7, :7], whole[..., :7, :7], rtol=1e-5)
    with pytest.raises(ValueError, match=r"'output_size' should be from \[7, 7\] to \[8, 8\] for an input of shape"):
        layer(image, (9, 8))
    with pytest.raises(ValueError, match="'output_size' should have 2 or 4 numbers"):
        layer(image, [8])
    with pytest.raises(ValueError, match="'padding_mode' should be 'zeros', but got 'reflect'"):
        mint.nn.ConvTranspose2d(2, 3, 3, padding_mode="reflect")
