"""The benchmark of several processes: its model of clusters, and its table."""

from __future__ import annotations

import importlib
import math
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "benchmarks"


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(FOLDER))
    yield importlib.import_module
    for name in ("distributed", "distributed_model", "distributed_steps"):
        sys.modules.pop(name, None)


def test_the_model_of_a_step(modules: Any) -> None:
    model = modules("distributed_model")
    assert model.message_seconds(100, 2, 0.5, 50.0) == pytest.approx(2 * 0.5 + 100 / 50)
    # A message that has ended before the rest is computed costs nothing; what is left of the last one does.
    assert model.step_seconds(1.0, [(0.2, 40), (1.0, 0)], 2, 0.0, 100.0) == (1.0, "computation")
    step, limit = model.step_seconds(1.0, [(0.2, 10), (1.0, 50)], 2, 0.0, 100.0)
    assert (step, limit) == (pytest.approx(1.5), "the last message")
    step, limit = model.step_seconds(1.0, [(0.2, 300), (0.9, 50)], 2, 0.0, 100.0)
    assert (step, limit) == (pytest.approx(0.2 + 3.5 + 0.1), "bandwidth")
    assert model.step_seconds(1.0, [(1.0, 1)], 512, 0.1, 1e9)[1] == "latency"
    assert math.isclose(model.step_seconds(1.0, [], 8, 0.1, 1.0)[0], 1.0)


def test_the_table(modules: Any) -> None:
    module = modules("distributed")
    about = {"nbytes": 100, "sent": 100, "alone": [0.001, 0.002], "sums": [0.002, 0.003]}
    found = module.summary({"mycel": {**about, "step": [0.003, 0.002]}, "torch": {**about, "step": [0.0015, 0.008]}})
    assert found["torch"]["ratios"] == [1.375, 2.25, 3.125]
    results = {"mycel": {"mlp 1": {**found["mycel"], "step": 0.001}, "mlp 2": found["mycel"]}}
    text = module.table({**results, "torch": {"mlp 2": found["torch"]}}, ["mlp"], [1, 2])
    assert "| mlp | 2 | 2.00 | 1.00 | 50% | 50% |" in text
    assert text.endswith("| 1.50 | 1.00 | – | 75% | 2.25 (1.38 to 3.12) |")
    assert module.ratio_text(0.8, 0.9, 1.1) == "**0.90** (0.80 to 1.10)"
