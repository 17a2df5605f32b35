"""Layers with inputs, and the numbers that MindSpore 2.10 gave for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from tensors import T

import mycel as ms
from mycel import Tensor

Row = tuple[str, Callable[[], Any], Callable[[], Any], str]  # name, layer, inputs, shape and numbers of the result


def A(*shape: int) -> Tensor:
    """The numbers 0, 1, … 6, 0, 1, … in a shape."""
    return T(np.arange(int(np.prod(shape))).reshape(shape) % 7)


def check_layer(make: Callable[[], Any], inputs: Callable[[], Any], expected: str) -> None:
    """The result of the layer, eagerly and compiled, has the shape, and begins with the numbers."""
    layer = make()
    shape, _, numbers = expected.partition(":")
    values = np.array(numbers.split(), float)
    for run in (layer, ms.jit(layer)):
        result = run(*inputs())
        assert "x".join(map(str, result.shape)) == shape
        np.testing.assert_allclose(result.asnumpy().reshape(-1)[: len(values)], values, rtol=3e-5, atol=2e-6)
