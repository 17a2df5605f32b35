"""Progress of a training: lines without tqdm or a terminal, a bar with them; loss curves."""

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, train

BATCHES = [(Tensor(np.full((2, 1), 1.0, np.float32)), Tensor(np.full((2, 1), 2.0, np.float32)))] * 4


def model_of(**settings: Any) -> ms.Model:
    """A model of one layer."""
    net = nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
    return ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.0), **settings)


def test_a_line_an_epoch(capsys: pytest.CaptureFixture[str]) -> None:
    model_of().train(2, BATCHES, callbacks=train.ProgressBar())
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["epoch 1/2", "epoch 2/2"]
    for line in lines:
        assert re.fullmatch(r"epoch ./2: 4 steps, loss 1\.0000, [\d.]+ s, [\d.]+ steps/s", line)


def test_metrics_and_epochs_that_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    model_of(metrics={"mse"}).fit(5, BATCHES, BATCHES, callbacks=train.ProgressBar(), initial_epoch=3)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["epoch 4/5", "epoch 5/5"]
    assert "mse 1.0000" in lines[0]


def test_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    model_of().train(2, BATCHES, callbacks=train.ProgressBar(bar=True))
    shown = capsys.readouterr()
    assert not shown.out
    assert "epoch 2/2: 100%" in shown.err
    assert "4/4" in shown.err
    assert "loss 1.0000" in shown.err


def test_a_bar_that_is_stopped_is_closed(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    bar = train.ProgressBar(bar=True)
    stop = train.LambdaCallback(on_train_step_end=lambda context: context.request_stop())
    model_of().train(3, BATCHES, callbacks=[bar, stop])
    assert bar._shown is None
    assert "1/4" in capsys.readouterr().err


def test_without_tqdm(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "tqdm" else found(name, *rest))
    monkeypatch.setattr(sys, "stderr", type("Terminal", (), {"isatty": lambda self: True, "write": lambda *_: None})())
    model_of().train(1, BATCHES, callbacks=train.ProgressBar())
    assert capsys.readouterr().out.startswith("epoch 1/1: 4 steps")
    with pytest.raises(ModuleNotFoundError, match="pip install 'mycel-graph"):
        train.ProgressBar(bar=True)
    with pytest.raises(TypeError, match="a bool or None"):
        train.ProgressBar(bar="yes")  # type: ignore[arg-type]


def test_curves(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    history = train.History()
    with pytest.raises(ValueError, match="before a training"):
        history.plot()
    model_of(metrics={"mse"}).fit(3, BATCHES, BATCHES, valid_frequency=2, callbacks=history)
    assert history.losses == [1.0] * 12
    path = tmp_path / "loss.png"
    figure = history.plot(path)
    assert path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert figure._repr_png_()[:4] == b"\x89PNG"
    left, right = figure.axes
    assert [line.get_label() for line in left.lines] == ["loss"]
    assert right.lines[0].get_xdata() == [8]  # the metric was measured after the second epoch
    assert [text.get_text() for text in left.get_legend().get_texts()] == ["loss", "mse"]


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    history = train.History()
    model_of().train(1, BATCHES, callbacks=history)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ModuleNotFoundError, match="pip install 'mycel-graph"):
        history.plot()
