"""Profilers: their records and files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops, profiler
from mycel.frontend.state import STATE


@pytest.fixture(autouse=True)
def nobody_observes() -> Iterator[None]:
    yield
    assert STATE.observer is None


def names(recorded: profiler.Profiler) -> list[tuple[str, int]]:
    return sorted((record.name, len(record.calls)) for record in recorded.records.values())


def test_names_of_the_module() -> None:
    shown = [name for name in dir(profiler) if not name.startswith("_")]
    assert {"Profiler", "schedule", "tensorboard_trace_handler"} <= set(shown)
    assert all(getattr(profiler, name).__module__.endswith("reports.profiler") for name in shown)
    assert profiler._ExperimentalConfig


def test_a_training_is_recorded(tmp_path: Path) -> None:
    net = nn.Dense(3, 2)
    loss = nn.MSELoss()
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    gradient = ms.value_and_grad(lambda x, y: loss(net(x), y), None, net.trainable_params())
    x, y = ops.ones((4, 3), ms.float32), ops.zeros((4, 2), ms.float32)
    recorded = ms.Profiler(output_path=str(tmp_path / "out"))
    losses = []
    for _ in range(3):
        value, gradients = gradient(x, y)
        optimizer(gradients)
        losses.append(value.item())
    before = net.weight.asnumpy().copy()
    recorded.add_metadata("why", "test")
    recorded.add_metadata_json("numbers", "[1, 2]")
    recorded.analyse()
    assert losses[2] < losses[0]
    assert np.array_equal(net.weight.asnumpy(), before)
    content = json.loads((tmp_path / "out" / "profile.json").read_text("utf-8"))
    by_name = {entry["name"]: entry for entry in content["functions"]}
    assert [entry["calls"] for name, entry in by_name.items() if name.endswith("_grad")] == [3]
    assert any("matmul" in node["op"] for entry in by_name.values() for node in entry["nodes"])
    assert content["metadata"] == {"why": "test", "numbers": [1, 2]}
    text = (tmp_path / "out" / "profile.txt").read_text("utf-8")
    assert "matmul" in text
    assert "test_profiler.py" in text
    events = json.loads((tmp_path / "out" / "trace_view.json").read_text("utf-8"))["traceEvents"]
    assert len(events) == sum(entry["calls"] for entry in by_name.values())
    assert all(event["dur"] > 0 for event in events)


def test_graph_mode_is_recorded() -> None:
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = nn.SequentialCell(nn.Dense(3, 2), nn.ReLU())
        recorded = ms.Profiler()
        net(ops.ones((4, 3), ms.float32))
        net(ops.ones((4, 3), ms.float32))
        net(ops.ones((5, 3), ms.float32))
        recorded.stop()
    finally:
        ms.set_context(mode=before)
    assert names(recorded) == [("SequentialCell", 1), ("SequentialCell", 2)]


def test_start_and_stop() -> None:
    f = ms.jit(lambda x: x * 2)
    x = Tensor([1.0])
    recorded = ms.Profiler(start_profile=False)
    f(x)
    with pytest.raises(RuntimeError, match="start"):
        recorded.stop()
    recorded.start()
    with pytest.raises(RuntimeError, match="already"):
        recorded.start()
    with pytest.raises(RuntimeError, match="already"):
        profiler.Profiler()
    assert f(x).asnumpy().tolist() == [2.0]
    recorded.stop()
    f(x)
    recorded.start()
    f(x)
    recorded.stop()
    assert [count for _, count in names(recorded)] == [2]


def test_errors_leave_the_recording_as_it_was() -> None:
    f = ms.jit(lambda x: x.reshape(3))
    with profiler.Profiler(start_profile=False) as recorded:
        with pytest.raises(ValueError, match="reshape"):
            f(Tensor([1.0]))
        ms.jit(lambda x: x + 1)(Tensor([1.0]))
    assert len(recorded.records) == 2


def test_schedules(tmp_path: Path) -> None:
    plan = profiler.schedule(skip_first=1, wait=1, warmup=1, active=2, repeat=1)
    assert [plan(step).name for step in range(7)] == [
        "NONE", "NONE", "WARM_UP", "RECORD", "RECORD_AND_SAVE", "NONE", "NONE"
    ]  # fmt: skip
    f = ms.jit(lambda x: x * 2)
    seen: list[Any] = []
    with profiler.profile(
        activities=[profiler.ProfilerActivity.CPU],
        schedule=profiler.schedule(wait=1, active=2, repeat=2),
        on_trace_ready=lambda p: seen.append(names(p)),
    ) as recorded:
        for _ in range(8):
            f(Tensor([1.0]))
            recorded.step()
    assert [[count for _, count in turn] for turn in seen] == [[2], [2]]
    with pytest.raises(RuntimeError, match="start"):
        recorded.step()
    for wrong in ({"wait": -1, "active": 1}, {"wait": 0, "active": 0}):
        with pytest.raises(ValueError, match="should be"):
            profiler.schedule(**wrong)


def test_handlers_write_a_folder_for_each_turn(tmp_path: Path) -> None:
    f = ms.jit(lambda x: x * 2)
    handler = profiler.tensorboard_trace_handler(str(tmp_path / "out"))
    with profiler.profile(schedule=profiler.schedule(wait=0, active=1, repeat=2), on_trace_ready=handler) as recorded:
        for _ in range(2):
            f(Tensor([1.0]))
            recorded.step()
    found = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("profile.txt"))
    assert found == ["out/profile.txt", "out/turn_2/profile.txt"]


def test_what_has_no_graph_is_named(tmp_path: Path) -> None:
    f = ms.jit(lambda x: Tensor(x.asnumpy() * 2))
    with pytest.warns(ms.FallbackWarning), profiler.Profiler(start_profile=False, output_path=tmp_path) as recorded:
        f(Tensor([1.0]))
    recorded.analyse()
    assert "asnumpy" in (tmp_path / "profile.txt").read_text("utf-8")


def test_nothing_compiled_is_said(tmp_path: Path) -> None:
    recorded = ms.Profiler(output_path=tmp_path)
    ops.ones((2,), ms.float32).tanh()
    recorded.analyse()
    assert "No compiled function" in (tmp_path / "profile.txt").read_text("utf-8")
    for wrong in ({"start_profile": 1}, {"output_path": 3}, {"schedule": 3}):
        with pytest.raises(TypeError):
            ms.Profiler(**wrong)
