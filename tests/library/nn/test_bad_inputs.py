"""Inputs of layers that are no Tensors, and bad numbers for optimizers: clear errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import nn

LAYERS: list[Callable[[], nn.Cell]] = [
    lambda: nn.Dense(2, 3),
    lambda: nn.ReLU(),
    lambda: nn.Conv2d(1, 1, 2),
    lambda: nn.LayerNorm((2,)),
    lambda: nn.BatchNorm1d(2),
    lambda: nn.MaxPool2d(2),
    lambda: nn.Embedding(3, 2),
    lambda: nn.Dropout(),
]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("value", [1, 1.5, True, 2j, "a", None, [1.0], {}, set()], ids=repr)
def test_layers_say_that_they_take_tensors(value: Any, mode: int) -> None:
    ms.set_context(mode=mode)
    try:
        for make in LAYERS:
            layer = make()
            with pytest.raises(TypeError, match=f"should be a Tensor, but got {type(value).__name__}"):
                layer(value)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), np.float32("nan")])
def test_learning_rates_and_weight_decays_are_finite(value: float) -> None:
    parameters = nn.Dense(2, 3).trainable_params()
    with pytest.raises(ValueError, match="learning rate should be finite"):
        nn.SGD(parameters, value)
    with pytest.raises(ValueError, match="'weight_decay' should be finite"):
        nn.SGD(parameters, 0.1, weight_decay=float(value))


@pytest.mark.parametrize("layer", [nn.ReLU, nn.Tanh, nn.Sigmoid])
def test_layers_without_arguments_name_themselves(layer: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=rf"^{layer.__name__}\.__init__\(\) takes 1 positional argument but 2"):
        layer(ms.Tensor(1.0))
