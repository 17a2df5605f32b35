"""The names of arguments and inputs of layers, losses, optimizers and metrics are those of MindSpore 2.10."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from mycel import Tensor, nn

RECORDED: dict[str, dict[str, list[str]]] = json.loads(
    (Path(__file__).parents[2] / "recorded" / "layer_arguments.json").read_text()
)


def names(function: Any) -> list[str]:
    """The names of a function's parameters but `self`."""
    return [name for name in inspect.signature(function).parameters if name != "self"]


def test_names() -> None:
    for name, recorded in RECORDED.items():
        kind = getattr(nn, name)
        if "init" in recorded:
            assert names(kind) == recorded["init"], name
        if "construct" in recorded:
            assert names(kind.construct) == recorded["construct"], name
    assert len(RECORDED) > 220


def test_inputs_can_be_given_by_name() -> None:
    x = Tensor([-1.0, 2.0])
    assert nn.ReLU()(input=x).asnumpy().tolist() == [0.0, 2.0]
    assert nn.Mish()(input_x=x).shape == (2,)
    assert float(nn.MAELoss()(logits=x, label=x)) == 0.0
    assert float(nn.BCEWithLogitsLoss()(input=x * 0, target=x * 0)) == pytest.approx(0.6931472)
