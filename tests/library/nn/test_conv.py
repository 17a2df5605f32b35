"""Convolutions and pooling: numbers recorded from MindSpore 2.10, eagerly and compiled, and gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from layer_numbers import A, Row, check_layer
from tensors import T

import mycel as ms
from mycel import Tensor, nn, ops


def W(*shape: int) -> Tensor:
    """The numbers 0, 1, … 4, 0, 1, … in a shape."""
    return T(np.arange(int(np.prod(shape))).reshape(shape) % 5)


ROWS: list[Row] = [
    (
        "c2t same",
        lambda: nn.Conv2dTranspose(1, 1, 3, stride=2, weight_init=W(1, 1, 3, 3)),
        lambda: (A(1, 1, 3, 3),),
        "1x1x6x6: 0 0 0 1 2 2 0 0 3 4 6 8 0 3 7 6 13 9 9 12 12 16 15 20 3 12 25 8 17 11 18 24 0 0 3 4",
    ),
    (
        "c2t valid",
        lambda: nn.Conv2dTranspose(1, 1, 2, stride=3, pad_mode="valid", weight_init=W(1, 1, 2, 2)),
        lambda: (A(1, 1, 2, 2),),
        "1x1x6x6: 0 0 0 0 1 0 0 0 0 2 3 0 0 0 0 0 0 0 0 2 0 0 3 0 4 6 0 6 9 0 0 0 0 0 0 0",
    ),
    (
        "c2t pad",
        lambda: nn.Conv2dTranspose(
            1, 2, 3, stride=2, pad_mode="pad", padding=1, output_padding=1, weight_init=W(1, 2, 3, 3)
        ),
        lambda: (A(1, 1, 2, 2),),
        "1x2x4x4: 0 3 4 0 2 5 5 0 8 9 12 0 0 0 0 0 0 2 3 0 0 14 1 0 6 14 9 0 0 0 0 0",
    ),
    (
        "c2t pad4",
        lambda: nn.Conv2dTranspose(
            2, 2, 3, stride=2, pad_mode="pad", padding=(0, 1, 1, 0), group=2, weight_init=W(2, 1, 3, 3)
        ),
        lambda: (A(1, 2, 2, 2),),
        "1x2x4x4: 0 0 1 2 0 3 4 0 2 5 5 9 8 9 12 0 0 24 0 5 12 26 15 20 4 14 5 10 18 24 0 0",
    ),
    (
        "c2t dil",
        lambda: nn.Conv2dTranspose(1, 1, 2, stride=1, pad_mode="valid", dilation=2, weight_init=W(1, 1, 2, 2)),
        lambda: (A(1, 1, 2, 2),),
        "1x1x4x4: 0 0 0 1 0 0 2 3 0 2 0 3 4 6 6 9",
    ),
    (
        "c2t same even",
        lambda: nn.Conv2dTranspose(1, 1, 4, stride=2, pad_mode="same", weight_init=W(1, 1, 4, 4)),
        lambda: (A(1, 1, 2, 2),),
        "1x1x4x4: 0 4 0 1 2 7 13 6 0 16 7 7 8 9 14 0",
    ),
    (
        "c1t",
        lambda: nn.Conv1dTranspose(1, 1, 3, stride=2, pad_mode="same", weight_init=W(1, 1, 3)),
        lambda: (A(1, 1, 3),),
        "1x1x6: 0 0 0 1 2 2",
    ),
    (
        "c1t pad",
        lambda: nn.Conv1dTranspose(1, 1, 3, stride=2, pad_mode="pad", padding=1, weight_init=W(1, 1, 3)),
        lambda: (A(1, 1, 3),),
        "1x1x5: 0 0 1 2 2",
    ),
    (
        "c3t",
        lambda: nn.Conv3dTranspose(1, 1, 2, stride=2, pad_mode="same", weight_init=W(1, 1, 2, 2, 2)),
        lambda: (A(1, 1, 2, 2, 2),),
        "1x1x4x4x4: 0 0 0 1 0 0 2 3 0 2 0 3",
    ),
    (
        "c3",
        lambda: nn.Conv3d(1, 1, 2, weight_init=W(1, 1, 2, 2, 2)),
        lambda: (A(1, 1, 3, 3, 3),),
        "1x1x3x3x3: 44 43 26 41 40 5 4 9 12 49 41 26 25 31 19 14 19 20 8 14 4 19 25 10 4 5 0",
    ),
    (
        "c1 pad",
        lambda: nn.Conv1d(2, 2, 3, pad_mode="pad", padding=2, dilation=2, stride=2, group=2, weight_init=W(2, 1, 3)),
        lambda: (A(1, 2, 6),),
        "1x2x3: 4 10 4 24 22 15",
    ),
    (
        "c2 same d",
        lambda: nn.Conv2d(1, 1, 3, stride=2, dilation=2, weight_init=W(1, 1, 3, 3)),
        lambda: (A(1, 1, 6, 6),),
        "1x1x3x3: 10 19 26 45 38 17 17 33 17",
    ),
    (
        "c2 same even",
        lambda: nn.Conv2d(1, 1, 2, stride=1, weight_init=W(1, 1, 2, 2)),
        lambda: (A(1, 1, 3, 3),),
        "1x1x3x3: 19 25 10 16 8 2 0 1 0",
    ),
    (
        "mp dil",
        lambda: nn.MaxPool2d(2, 1, pad_mode="pad", dilation=2),
        lambda: (A(1, 1, 4, 4),),
        "1x1x2x2: 3 4 6 6",
    ),
    (
        "mp 3d",
        lambda: nn.MaxPool2d(2, 2),
        lambda: (A(1, 4, 4),),
        "1x2x2: 5 6 6 4",
    ),
    (
        "ap 3d",
        lambda: nn.AvgPool2d(2, 2),
        lambda: (A(1, 4, 4),),
        "1x2x2: 2.5 2.75 3.5 2",
    ),
    (
        "ap div",
        lambda: nn.AvgPool2d(2, 2, pad_mode="pad", divisor_override=3),
        lambda: (A(1, 1, 4, 4),),
        "1x1x2x2: 3.333333 3.666667 4.666667 2.666667",
    ),
    (
        "mp1 2d",
        lambda: nn.MaxPool1d(2, 2),
        lambda: (A(1, 4),),
        "1x2: 1 3",
    ),
    (
        "ap1 2d",
        lambda: nn.AvgPool1d(2, 2),
        lambda: (A(1, 4),),
        "1x2: 0.5 2.5",
    ),
    (
        "ap same",
        lambda: nn.AvgPool2d(3, 1, pad_mode="same"),
        lambda: (A(1, 1, 3, 3),),
        "1x1x3x3: 2 2.5 3 2.333333 2.444444 2.166667 3.25 3.166667 2.5",
    ),
    (
        "ap same nc",
        lambda: nn.AvgPool2d(3, 1, pad_mode="same", count_include_pad=False),
        lambda: (A(1, 1, 3, 3),),
        "1x1x3x3: 2 2.5 3 2.333333 2.444444 2.166667 3.25 3.166667 2.5",
    ),
    (
        "am1",
        lambda: nn.AdaptiveMaxPool1d(2),
        lambda: (A(1, 2, 4),),
        "1x2x2: 1 3 5 6",
    ),
    (
        "ap2 None",
        lambda: nn.AdaptiveAvgPool2d((None, 2)),
        lambda: (A(1, 1, 3, 4),),
        "1x1x3x2: 0.5 2.5 4.5 3 1.5 3.5",
    ),
    (
        "ap3",
        lambda: nn.AdaptiveAvgPool3d(2),
        lambda: (A(1, 1, 3, 3, 3),),
        "1x1x2x2x2: 3 3.125 3.375 2.625 3.25 3.375 2.75 2.875",
    ),
    (
        "am3",
        lambda: nn.AdaptiveMaxPool3d(2),
        lambda: (A(1, 1, 4, 4, 4),),
        "1x1x2x2x2: 6 6 6 6 6 6 6 6",
    ),
    (
        "lp1",
        lambda: nn.LPPool1d(2, 2),
        lambda: (A(1, 2, 4),),
        "1x2x2: 1 3.605551 6.403124 6",
    ),
    (
        "lp2",
        lambda: nn.LPPool2d(2, 2, 1),
        lambda: (A(1, 1, 3, 3),),
        "1x1x2x2: 5.09902 6.78233 7.81025 6.480741",
    ),
    (
        "mu",
        lambda: nn.MaxUnpool2d(2),
        lambda: (*nn.MaxPool2d(2, 2, pad_mode="pad", return_indices=True)(A(1, 1, 4, 4)),),
        "1x1x4x4: 0 0 0 0 0 5 6 0 0 0 0 4 0 6 0 0",
    ),
    (
        "mp same False",
        lambda: nn.MaxPool2d(3, 2, pad_mode="same"),
        lambda: (A(1, 1, 6, 6),),
        "1x1x3x3: 6 4 5 6 6 3 5 6 6",
    ),
    (
        "mp valid False",
        lambda: nn.MaxPool2d(3, 2, pad_mode="valid"),
        lambda: (A(1, 1, 6, 6),),
        "1x1x2x2: 6 4 6 6",
    ),
    (
        "mp pad False",
        lambda: nn.MaxPool2d(3, 2, pad_mode="pad", padding=1),
        lambda: (A(1, 1, 6, 6),),
        "1x1x3x3: 6 3 5 6 6 4 5 6 6",
    ),
    (
        "mp pad True",
        lambda: nn.MaxPool2d(3, 2, pad_mode="pad", padding=1, ceil_mode=True),
        lambda: (A(1, 1, 6, 6),),
        "1x1x4x4: 6 3 5 5 6 6 4 4 5 6 6 2 3 5 6 0",
    ),
    (
        "ap same False",
        lambda: nn.AvgPool2d(3, 2, pad_mode="same"),
        lambda: (A(1, 1, 6, 6),),
        "1x1x3x3: 2.333333 2 3.5 4.222222 2.333333 1.5 3.5 4.333333 1.75",
    ),
    (
        "ap valid False",
        lambda: nn.AvgPool2d(3, 2, pad_mode="valid"),
        lambda: (A(1, 1, 6, 6),),
        "1x1x2x2: 2.333333 2 4.222222 2.333333",
    ),
    (
        "ap valid True",
        lambda: nn.AvgPool2d(3, 2, pad_mode="valid", ceil_mode=True),
        lambda: (A(1, 1, 6, 6),),
        "1x1x3x3: 2.333333 2 3.5 4.222222 2.333333 1.5 3.5 4.333333 1.75",
    ),
    (
        "ap pad False",
        lambda: nn.AvgPool2d(3, 2, pad_mode="pad", padding=1),
        lambda: (A(1, 1, 6, 6),),
        "1x1x3x3: 0.777778 1 2.333333 2.888889 2.333333 2 2.333333 4.222222 2.333333",
    ),
    (
        "ap pad True",
        lambda: nn.AvgPool2d(3, 2, pad_mode="pad", padding=1, ceil_mode=True),
        lambda: (A(1, 1, 6, 6),),
        "1x1x4x4: 0.777778 1 2.333333 1.5 2.888889 2.333333 2 1.5 2.333333 4.222222 2.333333 0.5 0.833333 2 1.833333 0",
    ),
    (
        "ap nc same False",
        lambda: nn.AvgPool2d(3, 2, pad_mode="same", count_include_pad=False),
        lambda: (A(1, 1, 6, 6),),
        "1x1x3x3: 2.333333 2 3.5 4.222222 2.333333 1.5 3.5 4.333333 1.75",
    ),
    (
        "ap nc valid False",
        lambda: nn.AvgPool2d(3, 2, pad_mode="valid", count_include_pad=False),
        lambda: (A(1, 1, 6, 6),),
        "1x1x2x2: 2.333333 2 4.222222 2.333333",
    ),
    (
        "ap nc valid True",
        lambda: nn.AvgPool2d(3, 2, pad_mode="valid", ceil_mode=True, count_include_pad=False),
        lambda: (A(1, 1, 6, 6),),
        "1x1x3x3: 2.333333 2 3.5 4.222222 2.333333 1.5 3.5 4.333333 1.75",
    ),
    (
        "ap nc pad False",
        lambda: nn.AvgPool2d(3, 2, pad_mode="pad", padding=1, count_include_pad=False),
        lambda: (A(1, 1, 6, 6),),
        "1x1x3x3: 1.75 1.5 3.5 4.333333 2.333333 2 3.5 4.222222 2.333333",
    ),
    (
        "ap nc pad True",
        lambda: nn.AvgPool2d(3, 2, pad_mode="pad", padding=1, ceil_mode=True, count_include_pad=False),
        lambda: (A(1, 1, 6, 6),),
        "1x1x4x4: 1.75 1.5 3.5 4.5 4.333333 2.333333 2 3 3.5 4.222222 2.333333 1 2.5 4 3.666667 0",
    ),
    (
        "mp1 same False",
        lambda: nn.MaxPool1d(3, 2, pad_mode="same"),
        lambda: (A(1, 1, 6),),
        "1x1x3: 2 4 5",
    ),
    (
        "mp1 valid False",
        lambda: nn.MaxPool1d(3, 2, pad_mode="valid"),
        lambda: (A(1, 1, 6),),
        "1x1x2: 2 4",
    ),
    (
        "mp1 pad False",
        lambda: nn.MaxPool1d(3, 2, pad_mode="pad", padding=1),
        lambda: (A(1, 1, 6),),
        "1x1x3: 1 3 5",
    ),
    (
        "mp1 pad True",
        lambda: nn.MaxPool1d(3, 2, pad_mode="pad", padding=1, ceil_mode=True),
        lambda: (A(1, 1, 6),),
        "1x1x4: 1 3 5 5",
    ),
    (
        "ap1 same False",
        lambda: nn.AvgPool1d(3, 2, pad_mode="same"),
        lambda: (A(1, 1, 6),),
        "1x1x3: 1 3 4.5",
    ),
    (
        "ap1 valid False",
        lambda: nn.AvgPool1d(3, 2, pad_mode="valid"),
        lambda: (A(1, 1, 6),),
        "1x1x2: 1 3",
    ),
    (
        "ap1 valid True",
        lambda: nn.AvgPool1d(3, 2, pad_mode="valid", ceil_mode=True),
        lambda: (A(1, 1, 6),),
        "1x1x3: 1 3 4.5",
    ),
    (
        "ap1 pad False",
        lambda: nn.AvgPool1d(3, 2, pad_mode="pad", padding=1),
        lambda: (A(1, 1, 6),),
        "1x1x3: 0.333333 2 4",
    ),
    (
        "ap1 pad True",
        lambda: nn.AvgPool1d(3, 2, pad_mode="pad", padding=1, ceil_mode=True),
        lambda: (A(1, 1, 6),),
        "1x1x4: 0.333333 2 4 2.5",
    ),
    (
        "mp3 same False",
        lambda: nn.MaxPool3d(3, 2, pad_mode="same"),
        lambda: (A(1, 1, 4, 4, 4),),
        "1x1x2x2x2: 6 6 6 6 6 6 6 6",
    ),
    (
        "mp3 valid False",
        lambda: nn.MaxPool3d(3, 2, pad_mode="valid"),
        lambda: (A(1, 1, 4, 4, 4),),
        "1x1x1x1x1: 6",
    ),
    (
        "mp3 pad False",
        lambda: nn.MaxPool3d(3, 2, pad_mode="pad", padding=1),
        lambda: (A(1, 1, 4, 4, 4),),
        "1x1x2x2x2: 6 6 6 6 6 6 6 6",
    ),
    (
        "mp3 pad True",
        lambda: nn.MaxPool3d(3, 2, pad_mode="pad", padding=1, ceil_mode=True),
        lambda: (A(1, 1, 4, 4, 4),),
        "1x1x3x3x3: 6 6 5 6 6 6 6 6 3 6 6 6 6 6 6 5 6 5 6 6 6 5 6 6 5 6 0",
    ),
    (
        "ap3 same False",
        lambda: nn.AvgPool3d(3, 2, pad_mode="same"),
        lambda: (A(1, 1, 4, 4, 4),),
        "1x1x2x2x2: 3.111111 2.037037 1.925926 1.259259 2 1.222222 1.407407 0.777778",
    ),
    (
        "ap3 valid False",
        lambda: nn.AvgPool3d(3, 2, pad_mode="valid"),
        lambda: (A(1, 1, 4, 4, 4),),
        "1x1x1x1x1: 3.111111",
    ),
    (
        "ap3 valid True",
        lambda: nn.AvgPool3d(3, 2, pad_mode="valid", ceil_mode=True),
        lambda: (A(1, 1, 4, 4, 4),),
        "1x1x2x2x2: 3.111111 3.055556 2.888889 2.833333 3 2.75 3.166667 2.625",
    ),
    (
        "ap3 pad False",
        lambda: nn.AvgPool3d(3, 2, pad_mode="pad", padding=1),
        lambda: (A(1, 1, 4, 4, 4),),
        "1x1x2x2x2: 0.777778 1.185185 1.37037 1.888889 1.333333 1.962963 1.851852 3.111111",
    ),
    (
        "ap3 pad True",
        lambda: nn.AvgPool3d(3, 2, pad_mode="pad", padding=1, ceil_mode=True),
        lambda: (A(1, 1, 4, 4, 4),),
        "1x1x3x3x3: 0.777778 1.185185 0.555556 1.37037 1.888889 0.888889 0.666667 0.722222 0.333333 "
        "1.333333 1.962963 1.055556 1.851852 3.111111 1.666667 0.833333 1.611111 0.666667 0.722222 1 "
        "0.666667 0.944444 1.777778 0.75 0.75 0.916667 0",
    ),
]


@pytest.mark.parametrize(("make", "inputs", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_numbers(make: Any, inputs: Any, expected: str) -> None:
    check_layer(make, inputs, expected)


def plain_conv(x: np.ndarray, w: np.ndarray, stride: int, pad: int) -> np.ndarray:
    """A convolution by loops, for comparison."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    n, _, height, width = x.shape
    outputs, _, k, _ = w.shape
    rows, columns = (height - k) // stride + 1, (width - k) // stride + 1
    result = np.zeros((n, outputs, rows, columns))
    for i in range(rows):
        for j in range(columns):
            patch = x[:, :, i * stride : i * stride + k, j * stride : j * stride + k]
            result[:, :, i, j] = np.einsum("nchw,ochw->no", patch, w)
    return result


@pytest.mark.parametrize(("stride", "pad"), [(1, 0), (1, 1), (2, 1)])
def test_conv2d_against_loops(stride: int, pad: int) -> None:
    draw = np.random.default_rng(0)
    x, w, b = draw.normal(size=(2, 3, 6, 5)), draw.normal(size=(4, 3, 3, 3)), draw.normal(size=4)
    layer = nn.Conv2d(3, 4, 3, stride, "pad", pad, has_bias=True, weight_init=T(w), bias_init=T(b))
    expected = plain_conv(x, w, stride, pad) + b.reshape(4, 1, 1)
    np.testing.assert_allclose(layer(T(x)).asnumpy(), expected, rtol=1e-4, atol=1e-4)


def test_gradients_of_conv2d() -> None:
    layer = nn.Conv2d(
        1, 1, 2, pad_mode="valid", has_bias=True, weight_init=T([[[[1.0, 2.0], [3.0, 4.0]]]]), bias_init=T([0.0])
    )
    x = T(np.arange(9).reshape(1, 1, 3, 3))
    dx, (dw, db) = ms.grad(layer, 0, layer.trainable_params())(x)
    assert dx.asnumpy().tolist() == [[[[1, 3, 2], [4, 10, 6], [3, 7, 4]]]]
    assert dw.asnumpy().tolist() == [[[[8, 12], [20, 24]]]]
    assert db.asnumpy().tolist() == [4]


def test_transposed_convolution_is_the_adjoint() -> None:
    draw = np.random.default_rng(1)
    w = T(draw.normal(size=(4, 3, 3, 3)))
    forward = nn.Conv2d(3, 4, 3, 2, "same", weight_init=w)
    backward = nn.Conv2dTranspose(4, 3, 3, 2, "same", weight_init=w)
    x, y = T(draw.normal(size=(2, 3, 6, 8))), T(draw.normal(size=(2, 4, 3, 4)))
    left = (forward(x) * y).sum().asnumpy()
    np.testing.assert_allclose(left, (x * backward(y)).sum().asnumpy(), rtol=1e-4)


def test_channels_last() -> None:
    draw = np.random.default_rng(2)
    x, w = draw.normal(size=(2, 5, 6, 3)), T(draw.normal(size=(4, 3, 3, 3)))
    last = nn.Conv2d(3, 4, 3, weight_init=w, data_format="NHWC")(T(x))
    first = nn.Conv2d(3, 4, 3, weight_init=w)(T(x.transpose(0, 3, 1, 2)))
    np.testing.assert_allclose(last.asnumpy(), first.asnumpy().transpose(0, 2, 3, 1), rtol=1e-4, atol=1e-5)
    pooled = nn.MaxPool2d(2, 2, data_format="NHWC")(T(x)).asnumpy()
    expected = nn.MaxPool2d(2, 2)(T(x.transpose(0, 3, 1, 2))).asnumpy()
    np.testing.assert_array_equal(pooled, expected.transpose(0, 2, 3, 1))


def test_indices_and_unpooling() -> None:
    x = A(1, 1, 4, 4)
    out, where = nn.MaxPool2d(2, 2, pad_mode="pad", return_indices=True)(x)
    assert out.asnumpy().tolist() == [[[[5, 6], [6, 4]]]]
    assert where.asnumpy().tolist() == [[[[5, 6], [13, 11]]]]
    back = nn.MaxUnpool2d(2)(out, where)
    assert back.asnumpy().tolist() == [[[[0, 0, 0, 0], [0, 5, 6, 0], [0, 0, 0, 4], [0, 6, 0, 0]]]]
    out, where = nn.AdaptiveMaxPool2d(2, True)(A(1, 1, 3, 3))
    assert where.asnumpy().tolist() == [[[[4, 5], [6, 5]]]]


def test_gradients_of_pooling() -> None:
    x = T([[[[1.0, 5.0], [7.0, 7.0]]]])
    assert ms.grad(nn.MaxPool2d(2, 2))(x).asnumpy().tolist() == [[[[0, 0], [1, 0]]]]
    assert ms.grad(nn.AvgPool2d(2, 2))(x).asnumpy().tolist() == [[[[0.25, 0.25], [0.25, 0.25]]]]


def test_parameters_and_default_numbers() -> None:
    layer = nn.Conv2d(20, 30, 3, has_bias=True)
    assert [(p.name, p.shape) for p in layer.get_parameters()] == [("weight", (30, 20, 3, 3)), ("bias", (30,))]
    bound = np.float32(1 / np.sqrt(180))  # to which draws are rounded
    for parameter in layer.get_parameters():
        numbers = parameter.asnumpy()
        assert np.abs(numbers).max() <= bound
        assert np.abs(numbers).max() > 0.8 * bound
    assert [p.shape for p in nn.Conv1d(3, 4, 3).get_parameters()] == [(4, 3, 1, 3)]
    assert [p.shape for p in nn.Conv2dTranspose(3, 4, 3).get_parameters()] == [(3, 4, 3, 3)]
    text = repr(nn.Conv2d(3, 4, 3, weight_init="ones"))
    assert text == (
        "Conv2d(input_channels=3, output_channels=4, kernel_size=(3, 3), stride=(1, 1), pad_mode=same, padding=0, "
        "dilation=(1, 1), group=1, has_bias=False, weight_init=ones, bias_init=None, format=NCHW)"
    )
    assert repr(nn.MaxPool2d(2, 2)) == "MaxPool2d(kernel_size=2, stride=2, pad_mode=VALID)"
    assert repr(nn.AvgPool1d(2)) == "AvgPool1d(kernel_size=(1, 2), stride=(1, 1), pad_mode=VALID)"


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: nn.Conv2d(3, 4, 3, pad_mode="foo"), ValueError, "pad_mode"),
        (lambda: nn.Conv2d(3, 4, 3, padding=1), ValueError, "padding"),
        (lambda: nn.Conv2d(3, 4, 0), ValueError, "kernel_size"),
        (lambda: nn.Conv2d(3, 4, "a"), TypeError, "kernel_size"),
        (lambda: nn.Conv2d(3, 4, 3, stride=0), ValueError, "stride"),
        (lambda: nn.Conv2d(3, 4, 3, group=2), ValueError, "group"),
        (lambda: nn.Conv2d(3, 4, 3, pad_mode="pad", padding=-1), ValueError, "padding"),
        (lambda: nn.Conv2d(3, 4, 3, pad_mode="pad", padding=(1, 1)), ValueError, "4 ints"),
        (lambda: nn.Conv2d(3, 4, 3, has_bias=1), TypeError, "has_bias"),
        (lambda: nn.Conv2d(0, 4, 3), ValueError, "in_channels"),
        (lambda: nn.Conv2d(3, 4, 3, weight_init=T(np.ones((1, 1, 2, 2)))), ValueError, "shape"),
        (lambda: nn.Conv2d(3, 4, 3)(A(1, 2, 4, 4)), RuntimeError, "C_in"),
        (lambda: nn.Conv2d(3, 4, 3)(A(3, 4, 4)), ValueError, "4 dimensions"),
        (lambda: nn.Conv2d(1, 1, 5, pad_mode="valid")(A(1, 1, 3, 3)), ValueError, "larger"),
        (lambda: nn.MaxPool2d(0), ValueError, "kernel_size"),
        (lambda: nn.MaxPool2d(2, pad_mode="foo"), ValueError, "pad_mode"),
        (lambda: nn.MaxPool2d(2, padding=1), ValueError, "padding"),
        (lambda: nn.MaxPool2d(2, ceil_mode=True), ValueError, "pad_mode 'pad'"),
        (lambda: nn.MaxPool2d(3, pad_mode="pad", padding=2), ValueError, "half"),
        (lambda: nn.Conv2dTranspose(1, 1, 3, output_padding=1), ValueError, "output_padding"),
    ],
)
def test_refusals(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_channels_that_stand_last_are_told() -> None:
    words = r"is 8 \(shape \(1, 8, 9, 3\)\), but in_channels is 3, as the last axis: put it second, with ops.movedim"
    with pytest.raises(RuntimeError, match=words):
        nn.Conv2d(3, 4, 3)(ops.ones((1, 8, 9, 3)))
    with pytest.raises(RuntimeError, match=r"but in_channels is 3$"):
        nn.Conv2d(3, 4, 3)(ops.ones((1, 4, 9, 8)))
