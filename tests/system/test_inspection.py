"""Introspection of Cells, gradients and Models; the log of compilations."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn

X = Tensor(np.ones((2, 4), np.float32))
Y = Tensor(np.zeros((2, 3), np.float32))


class Square(nn.Cell):
    """Has no attributes of the names of methods."""

    def construct(self, x: Any) -> Any:
        y = x * x
        return y


def test_a_cell_shows_what_it_is_compiled_to() -> None:
    net = Square()
    assert "%y: " in str(net.stages(X).joint)
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net(X)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert len(net.explain().traces) == 1
    assert net.profile(X).lines


def test_stages_at_the_prompt_are_one_line() -> None:
    shown = repr(ms.jit(lambda x: x + 1).stages(X))
    assert shown.startswith("<stages of <lambda>: converted, forward, joint, optimized, plan, program; ")
    assert "\n" not in shown


def test_a_cell_without_a_name_shows_what_it_is_compiled_to() -> None:
    assert "%y: " in str(Square().stages(X).joint)
    assert Square().profile(X).lines
    assert not Square().explain().traces


def test_attributes_of_a_cell_come_first() -> None:
    class Staged(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.stages = nn.CellList([Square(), Square()])
            self.profile = 3

        def construct(self, x: Any) -> Any:
            for stage in self.stages:
                x = stage(x)
            return x

    net = Staged()
    assert len(net.stages) == 2
    assert net.profile == 3
    assert len(net.explain().traces) == 0


def test_training_steps_and_models_show_what_they_are_compiled_to() -> None:
    net = nn.Dense(4, 3)
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    model = ms.Model(net, nn.MSELoss(), optimizer)
    for shown in (step, model):
        stages = shown.stages(X, Y)
        assert stages.backward is not None
        assert "d_weight" in str(stages.backward)
        assert shown.profile(X, Y).lines
        assert len(shown.explain().traces) == 1


def test_gradients_show_what_they_are_compiled_to() -> None:
    for gradient in (ms.grad(Square()), ms.value_and_grad(lambda x: (x * x).sum())):
        assert gradient.stages(X).backward is not None
        assert gradient.profile(X).lines
        assert len(gradient.explain().traces) == 1


def test_graphs_after_passes_are_written_with_what_changed(tmp_path: Path) -> None:
    @ms.jit
    def f(x: Any) -> Any:
        return ms.ops.tanh(x) + ms.ops.tanh(x)

    ms.set_context(save_graphs=True, save_graphs_path=str(tmp_path))
    try:
        f(X)
    finally:
        ms.set_context(save_graphs=False, save_graphs_path=".")
    stages = f.stages(X)
    (diff,) = tmp_path.glob("f_pass_*_cse.diff")
    text = diff.read_text("utf-8")
    assert text.startswith("--- ")
    assert "-  %tanh_2: " in text
    assert text.rstrip() == stages.diff("cse")
    assert len(list(tmp_path.glob("f_pass_*.ir"))) == len(stages.passes)
    with pytest.raises(KeyError):
        stages.diff("joint")


def test_a_kind_of_log_that_does_not_exist_is_told_of_once(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    @ms.jit
    def f(x: Any) -> Any:
        return x + 2

    monkeypatch.setenv("MYCEL_LOG", "compile, compille")
    with pytest.warns(UserWarning, match=r"called 'compille'; there is 'compile'\. Did you mean 'compile'\?") as caught:
        f(X)
    assert caught[0].filename == __file__
    f(Y)  # and not again
    assert len(capfd.readouterr().err.splitlines()) == 2
    for none in ("off", "", "0"):
        monkeypatch.setenv("MYCEL_LOG", none)
        ms.jit(lambda x: x + 3)(X)
    assert not capfd.readouterr().err


def test_each_trace_is_logged(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    @ms.jit
    def f(x: Any) -> Any:
        return x + 1

    f(X)
    assert not capfd.readouterr().err
    monkeypatch.setenv("MYCEL_LOG", "compile")
    f(Y)
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("mycel compile: f(float32[2, 3]): other arguments than (float32[2, 4]); ")
    assert "nodes" in line
    f(Y)
    assert not capfd.readouterr().err
    ms.set_context(log="")
    try:
        f(Tensor(1.0))
        assert not capfd.readouterr().err
        ms.set_context(log="compile")
        f(Tensor(1))
        assert "f(int64[])" in capfd.readouterr().err
    finally:
        ms.frontend.state.CONTEXT.settings.pop("log")


def test_the_log_has_kinds() -> None:
    with pytest.raises(ValueError, match="log"):
        ms.set_context(log="compiel")


def test_a_function_that_is_traced_again_and_again_is_warned_of_once() -> None:
    @ms.jit
    def f(x: Any, scale: float) -> Any:
        return x * scale

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for number in range(40):
            f(X, number / 2)
    (told,) = caught
    assert "'f' has been traced 32 times" in str(told.message)
    assert "31 times: other arguments" in str(told.message)
    assert str(told.message).splitlines()[1].endswith("14.5), (float32[2, 4], 15.0), (float32[2, 4], 15.5)")
    assert told.filename == __file__


def test_what_a_prompt_and_a_notebook_show() -> None:
    """No raw records: a line at the prompt, the text in a notebook."""

    @ms.jit
    def f(x: Any) -> Any:
        return (x * 2).sum()

    stages = f.stages(X)
    assert repr(stages.joint) == "<graph f: 2 nodes>"
    assert repr(stages.plan).startswith("<plan of f: ")
    assert repr(stages.plan.usage) == str(stages.plan.usage)
    f(X)
    (trace,) = f.explain().traces
    assert repr(trace) == str(trace)

    class Printer:
        found = ""

        def text(self, text: str) -> None:
            self.found += text

    for shown in (stages.joint, stages.plan):
        printer = Printer()
        shown._repr_pretty_(printer, False)
        assert printer.found == str(shown)
