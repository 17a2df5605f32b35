"""`Model.train` says once when the loss is no number any more."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import nn


def _data(*values: float) -> Any:
    pairs = [(np.full(2, value, np.float32), np.ones(1, np.float32)) for value in values]
    return ms.dataset.GeneratorDataset(pairs, ["data", "label"], shuffle=False).batch(1)


def _model(rate: float = 0.1, **options: Any) -> Any:
    net = nn.Dense(2, 1, weight_init="ones")
    return ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), rate), **options)


def test_a_loss_that_is_nan() -> None:
    with pytest.warns(UserWarning, match=r"the loss is nan in step 3, of epoch 1: a lower learning rate") as caught:
        _model().train(2, _data(1.0, 1.0, np.nan, 1.0))
    (warning,) = caught  # once, though every later loss is nan
    assert warning.filename == __file__


def test_a_loss_that_is_infinite() -> None:
    with pytest.warns(UserWarning, match=r"the loss is infinite in step 2, of epoch 1"):
        _model(0.0).train(1, _data(1.0, np.inf))


def test_every_training_says_it() -> None:
    model = _model()
    for _ in range(2):
        with pytest.warns(UserWarning, match="the loss is nan"):
            model.train(1, _data(np.nan))


def test_finite_losses_and_overflows_are_fine() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _model().train(2, _data(1.0, 2.0))
        manager = ms.amp.DynamicLossScaleManager(2.0**127, 2, 1000)
        _model(loss_scale_manager=manager).train(1, _data(1e18, 1e18))  # the scaled gradients are infinite


def test_a_network_without_a_number_as_loss() -> None:
    class Counts(nn.Cell):
        def construct(self, data: Any, label: Any) -> Any:
            return data.sum().astype(ms.int32)

    ms.Model(Counts()).train(1, _data(1.0))
