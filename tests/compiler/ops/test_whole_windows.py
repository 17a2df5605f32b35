"""Convolutions whose window is the whole image."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler.kernels import eligible

CASES = [
    ((4, 3, 5, 5), (7, 3, 5, 5), 1, True),
    ((4, 3, 5, 6), (7, 3, 5, 6), (2, 3), True),
    ((1, 2, 1, 4), (5, 2, 1, 4), 1, True),
    ((3, 2, 2, 3, 2), (4, 2, 2, 3, 2), 1, True),
    ((4, 3, 5, 5), (7, 3, 4, 5), 1, False),
]


@pytest.mark.skipif(not eligible.is_available(), reason="machine code is off")
@pytest.mark.parametrize(("image", "weight", "stride", "whole"), CASES)
def test_such_a_convolution_and_its_gradients_are_products(image: Any, weight: Any, stride: Any, whole: bool) -> None:
    random = np.random.default_rng(0)
    x, w = (Tensor(random.standard_normal(shape).astype(np.float32)) for shape in (image, weight))
    convolve = ops.conv2d if len(image) == 4 else ops.conv3d

    def loss(x: Any, w: Any) -> Any:
        return (convolve(x, w, stride=stride) ** 2).sum()

    gradient = ms.value_and_grad(loss, (0, 1))
    text = str(gradient.stages(x, w).optimized)
    assert ("matmul(" in text) is whole
    assert ("= conv(" not in text and "conv_input_grad" not in text and "conv_weight_grad" not in text) is whole
    others = ms.jit(passes_off=["lower_for_kernels"])(gradient)
    (value, slopes), (expected, gradients) = gradient(x, w), others(x, w)
    for one, other in zip((value, *slopes), (expected, *gradients), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-4, atol=1e-4)
