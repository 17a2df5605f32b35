"""Checkpoints for networks that they do not fit, those of MindSpore's training, and prefixes of names."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, Tensor, nn


@pytest.fixture
def warnings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr("mycel.library.saving.serialization.log.warning", found.append)
    return found


def test_a_network_that_nothing_fits(warnings: list[str]) -> None:
    net = nn.Dense(2, 3)
    given = {f"layer{number}.w": Parameter(Tensor([1.0])) for number in range(9)}
    assert ms.load_param_into_net(net, given) == (["weight", "bias"], list(given))
    (warning,) = warnings
    assert "2 of the network's 2 Parameters get nothing: 'weight', 'bias'" in warning
    assert "9 of the 9 tensors given are not used: 'layer0.w', 'layer1.w'" in warning
    assert "and 4 more" in warning
    assert "No name is the same" in warning


def test_a_network_that_fits_in_part(warnings: list[str], tmp_path: Path) -> None:
    net = nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 1))
    before = {parameter.name: parameter.asnumpy() for parameter in net.get_parameters()}
    given = {"0.weight": Parameter(Tensor(np.ones((3, 2), np.float32))), "x": Parameter(Tensor([1.0]))}
    with pytest.raises(RuntimeError, match=r"3 of the network's 4 Parameters get nothing: '0\.bias'.*strict_load=True"):
        ms.load_param_into_net(net, given, strict_load=True)
    for parameter in net.get_parameters():
        np.testing.assert_array_equal(parameter.asnumpy(), before[parameter.name])
    assert warnings == []
    assert ms.load_param_into_net(net, given) == (["0.bias", "1.weight", "1.bias"], ["x"])
    assert warnings == [
        "load_param_into_net: 3 of the network's 4 Parameters get nothing: '0.bias', '1.weight', '1.bias'; 1 of the 2 "
        "tensors given are not used: 'x'"
    ]
    ms.save_checkpoint(given, tmp_path / "a.ckpt")
    with pytest.raises(RuntimeError, match="get nothing"):
        ms.load_checkpoint(tmp_path / "a.ckpt", net, strict_load=True)
    ms.load_checkpoint(tmp_path / "a.ckpt", net)
    assert len(warnings) == 2


def test_tensors_that_no_parameter_takes(warnings: list[str]) -> None:
    net = nn.Dense(2, 3)
    given = {**net.parameters_dict(), "moment": Parameter(Tensor([1.0, 2.0])), "epoch": Parameter(Tensor(3)), "s": "x"}
    assert ms.load_param_into_net(net, given) == ([], ["moment", "epoch", "s"])
    assert warnings == ["load_param_into_net: 1 of the 4 tensors given are not used: 'moment'"]
    with pytest.raises(RuntimeError, match="not used: 'moment'"):
        ms.load_param_into_net(net, given, strict_load=True)
    del given["moment"]
    assert ms.load_param_into_net(net, given, strict_load=True) == ([], ["epoch", "s"])  # what was appended
    assert len(warnings) == 1


def test_nothing_changes_when_one_does_not_fit() -> None:
    net = nn.Dense(2, 3)
    before = net.weight.asnumpy()
    given = {"weight": Parameter(Tensor(before + 1)), "bias": Parameter(Tensor(np.zeros(4, np.float32)))}
    with pytest.raises(RuntimeError, match="same shape"):
        ms.load_param_into_net(net, given)
    np.testing.assert_array_equal(net.weight.asnumpy(), before)


def test_the_warning_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import mycel as ms; ms.load_param_into_net(ms.nn.Dense(2, 3), {'q': ms.Parameter(ms.Tensor([1.0]))})",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "2 of the network's 2 Parameters get nothing" in done.stderr


RECORDED = Path(__file__).resolve().parents[2] / "recorded" / "checkpoints"


def _training(name: str) -> Any:
    """A training step whose checkpoint after two steps MindSpore 2.10 has written."""
    net = nn.SequentialCell(nn.Dense(3, 4), nn.Tanh(), nn.Dense(4, 2))
    weights = net.trainable_params()
    optimizers = {
        "adam": lambda: nn.Adam([{"params": weights[:2], "lr": 0.1}, {"params": weights[2:]}], 0.05),
        "momentum": lambda: nn.Momentum(weights, nn.ExponentialDecayLR(0.1, 0.9, 2), 0.9, weight_decay=0.01),
        "rmsprop": lambda: nn.RMSProp(weights, 0.02, centered=True),
    }
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    return nn.TrainOneStepCell(loss, optimizers[name]())


@pytest.mark.parametrize("name", ["adam", "momentum", "rmsprop"])
def test_training_goes_on_from_a_checkpoint_of_mindspore(name: str, tmp_path: Path) -> None:
    """Moments, learning rates and steps are found by their names, and written in the same order."""
    x, y = Tensor(np.linspace(-1, 1, 12).reshape(4, 3).astype(np.float32)), Tensor(np.array([0, 1, 1, 0], np.int32))
    step = _training(name)
    given = ms.load_checkpoint(str(RECORDED / f"{name}.ckpt"))
    assert ms.load_param_into_net(step, given) == ([], ["epoch"])
    ms.save_checkpoint(step, str(tmp_path / "own"), append_dict={"epoch": 2})
    own = ms.load_checkpoint(str(tmp_path / "own.ckpt"))
    assert list(own) == list(given)
    assert all(np.array_equal(own[key].asnumpy(), given[key].asnumpy()) for key in given if key != "epoch")
    expected = json.loads((RECORDED / "losses.json").read_text())[name]
    assert np.allclose([float(step(x, y).asnumpy()) for _ in range(3)], expected, atol=1e-5)


def test_an_encrypted_checkpoint_is_told() -> None:
    with pytest.raises(ValueError, match="the checkpoint is encrypted: load it with MindSpore"):
        ms.load_checkpoint(str(RECORDED / "encrypted.ckpt"))


def test_names_with_a_prefix(warnings: list[str]) -> None:
    inner = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 1))
    given = {f"net.{name}": Parameter(p.value(), name) for name, p in inner.parameters_dict().items()}
    given["head.1.bias"] = Parameter(Tensor([7.0]))
    given["epoch"] = Parameter(Tensor(3.0))
    net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 1))
    missing, unused = ms.load_param_into_net(net, given)
    assert (missing, unused) == ([], list(given))
    for parameter, wanted in zip(net.get_parameters(), inner.get_parameters(), strict=True):
        np.testing.assert_array_equal(parameter.asnumpy(), wanted.asnumpy())
    assert "the names begin with 'net.', which is left out" in warnings[0]
    assert "1 of the 6 tensors given are not used: 'head.1.bias'" in warnings[1]


def test_several_prefixes_and_a_strict_load(warnings: list[str]) -> None:
    first, second = nn.Dense(2, 3), nn.Dense(2, 3, "ones", "ones")
    given = {"a.weight": Parameter(second.weight.value()), "b_bias": Parameter(second.bias.value()), "c.weight": "text"}
    with pytest.raises(RuntimeError, match="asks for the same names"):
        ms.load_param_into_net(first, given, strict_load=True)
    assert ms.load_param_into_net(first, given)[0] == []
    assert first.weight.asnumpy().sum() == 6.0
    assert first.bias.asnumpy().sum() == 3.0
    assert len(warnings) == 2
