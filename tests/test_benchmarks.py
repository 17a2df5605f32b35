"""The benchmarks run: every workload gives the same results in graph mode and op by op; reports of made-up figures."""

import argparse
import importlib
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from memory_use import assert_as_planned

import mycel as ms
from mycel.frontend.values import tree

FOLDER = Path(__file__).resolve().parent.parent / "benchmarks"
MODULES = (
    "against",
    "compile_time",
    "floors",
    "models",
    "peers",
    "programs",
    "report",
    "worker",
    "workloads",
    "workloads_mycel",
)
NAMES = [
    "dense_grad", "mlp_tiny", "mlp_adam", "lenet", "chain_100", "chain_1m", "transformer", "rnn", "convnet", "while_50",
    "stencil", "ring", "running_sums", "running_products", "graph_net", "factors", "embedding", "points", "kalman",
    "inverted",
]  # fmt: skip


@pytest.fixture
def benchmark_module(monkeypatch, as_without_mindspore):
    """Import a module of the benchmarks, with mycel under MindSpore's name; all is undone after the test."""
    monkeypatch.syspath_prepend(str(FOLDER))
    before = dict(sys.modules)
    ms.install_as_mindspore()

    yield importlib.import_module
    for name in set(sys.modules) - set(before):
        if name in MODULES or name.partition(".")[0] == "kinds":
            del sys.modules[name]
    ms.set_context(mode=ms.PYNATIVE_MODE)


def arrays(result):
    return [tensor.asnumpy() for tensor in tree.tensors(result)]


def three_calls(module, name, eager):
    """The results of three calls, so that updates of Parameters and of the optimizer's state show."""
    step, inputs = module.build(name, "graph")
    results = []
    for _ in range(3):
        if not eager:
            results.append(arrays(step(*inputs)))
        elif len(results) == 2 and all(map(np.array_equal, *results)):
            results.append(results[0])  # it has no state, and takes long op by op
        else:
            with ms.disable_jit():
                results.append(arrays(step(*inputs)))
    return results


def assert_same(graph, eager):
    for ours, theirs in zip(graph, eager, strict=True):
        for a, b in zip(ours, theirs, strict=True):
            largest = np.abs(b).max(initial=1) if b.dtype.kind == "f" else 1  # sums may cancel
            np.testing.assert_allclose(a, b, rtol=2e-3, atol=2e-5 * largest)


def programs():
    """The programs by kind; one of twelve is no slow test."""
    texts = {path.parent.name: path.read_text() for path in sorted((FOLDER / "kinds").glob("*/inputs.py"))}
    names = [f"{kind}/{name}" for kind, text in texts.items() for name in re.findall(r'^    "(\w+)": ', text, re.M)]
    return [pytest.param(name, marks=[pytest.mark.slow] * (count % 12 > 0)) for count, name in enumerate(names)]


@pytest.mark.parametrize("name", programs())
def test_program(benchmark_module, name):
    """Each program of a kind gives the same results in graph mode and op by op."""
    module = benchmark_module("workloads_mycel")
    graph = three_calls(module, name, eager=False)
    assert all(np.isfinite(array).all() for results in graph for array in results)
    assert_same(graph, three_calls(module, name, eager=True))


def test_each_program_is_written_in_each_framework(benchmark_module):
    module = benchmark_module("programs")
    for kind in module.KINDS:
        names = [name.partition("/")[2] for name in module.names(kind)]
        assert [f"{kind}/{name}" for name in names] == [
            each.values[0] for each in programs() if kind == each.values[0].partition("/")[0]
        ]
        for framework in ("mycel", "jax", "torch"):
            text = (FOLDER / "kinds" / kind / f"in_{framework}.py").read_text()
            assert [name for name in names if not re.search(rf"^(def {name}\(|{name} = )", text, re.M)] == []


def test_names(benchmark_module):
    assert list(benchmark_module("workloads").WORKLOADS) == NAMES
    assert list(benchmark_module("workloads_mycel").BUILDERS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_workload(benchmark_module, name):
    module = benchmark_module("workloads_mycel")
    graph = three_calls(module, name, eager=False)
    assert all(np.isfinite(array).all() for results in graph for array in results)
    assert_same(graph, three_calls(module, name, eager=True))


# Each takes two seconds, in which memory is measured: every third by default, all of them among the slow tests.
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (count % 3 > 0)) for count, name in enumerate(NAMES)]
)
def test_memory_of_a_workload(benchmark_module, name):
    """The arena is within a tenth of the largest live set, and the plan's peak is the measured one."""
    step, inputs = benchmark_module("workloads_mycel").build(name, "graph")
    stages = step.stages(*inputs)
    usage = stages.plan.usage
    assert usage.live <= usage.arena <= 1.1 * usage.live
    arrays = [np.ones(value.type.static_shape, value.type.dtype.np) for value in stages.joint.parameters]
    assert_as_planned(stages.joint, arrays)


@pytest.mark.parametrize(
    "name", ["tiny MLP", "MLP", "CNN", "LSTM", "attention", "chain of 1M", "while loop", "fine-tuning"]
)
def test_model(benchmark_module, name):
    models = benchmark_module("models")

    def calls(eager):
        ms.set_seed(0)
        step, inputs = models.MODELS[name]()
        if not eager:
            return [arrays(function(*inputs)) for function in [ms.jit(step)] * 3]
        with ms.disable_jit():
            return [arrays(step(*inputs)) for _ in range(3)]

    assert_same(calls(eager=False), calls(eager=True))


def test_floor(benchmark_module):
    floors, module = benchmark_module("floors"), benchmark_module("workloads_mycel")
    step, inputs = module.build("mlp_tiny", "graph")
    work = floors.work(step.stages(*inputs).optimized, "mlp_tiny")
    # Forward, weight gradients, and input gradients of all layers but the first.
    products = 2 * 16 * (2 * (32 * 32 + 32 * 32 + 32) + 32 * 32 + 32 - 32 * 32)
    assert products * 0.9 <= work["flops"] <= products * 1.4  # sums may be products, too
    assert work["calls"] > 20
    assert sum(work[key] for key in work if key.startswith("elements: ")) == work["elements"] > work["elements: tanh"]
    measured = floors.machine(work)
    assert min(measured["elements: tanh"], measured["elements: multiply"]) > 0
    rates = {**measured, "call_ns": 250, "gflops": 100, "gigabytes": 10, "threads": 2}
    floor = floors.floor(work, rates)
    assert floor["calls"] == work["calls"] * 0.25
    assert floor["total"] >= floor["calls"] + floor["products"]
    best = floors.best_rates([rates, {**rates, "call_ns": 300, "gflops": 120}])
    assert (best["call_ns"], best["gflops"]) == (250, 120)


def test_a_worker_answers():
    run = subprocess.run(
        [sys.executable, str(FOLDER / "worker.py"), "mycel", "graph", "dense_grad"],
        input="time 0.01\npeak\nfloor\n", capture_output=True, text=True, check=True,
    )  # fmt: skip
    first, timed, peak, floor = map(json.loads, run.stdout.splitlines())
    assert first["version"] == ms.__version__
    assert first["first_ms"] > 0
    assert timed["us"] > 0
    assert timed["calls"] >= 1
    assert peak["peak_mb"] is None or peak["peak_mb"] > 0
    assert peak["step_mb"] is None or peak["step_mb"] > 0
    assert floor["work"]["calls"] > 0
    assert min(floor["rates"].values()) > 0


def test_a_framework_that_stops_answering_loses_its_own_figures_only(benchmark_module):
    peers = benchmark_module("peers")

    class Runner:
        """Answers so many times."""

        def __init__(self, answers):
            self.answers, self.closed = answers, False

        def ask(self, question, timeout):
            self.answers -= 1
            if self.answers < 0:
                raise peers.NoAnswerError("killed")
            return {"us": 7.0}

        def close(self):
            self.closed = True

    runners = {"mycel": Runner(9), "jax": Runner(1), "torch": Runner(9)}
    running, results = dict(runners), {name: {"us": []} for name in runners}
    chosen = argparse.Namespace(rounds=3, seconds=0.1, patience=1)
    peers.time_rounds(running, results, chosen)
    assert results == {"mycel": {"us": [7.0] * 3}, "jax": {"error": "killed"}, "torch": {"us": [7.0] * 3}}
    assert (list(running), runners["jax"].closed) == (["mycel", "torch"], True)


def rows():
    peers = {
        "mycel": {"us": [10.0, 20.0], "first_ms": 5.0, "peak_mb": 1.0, "step_mb": 0.5, "number": 1.0},
        "jax": {"us": [5.0, 30.0], "first_ms": 50.0, "peak_mb": None, "step_mb": None, "number": 1.0001},
        "torch": {"us": [40.0, 40.0], "first_ms": 2.0, "peak_mb": 2.0, "step_mb": 0.25, "number": 3.0},
        "torch-compile": {"error": "no answer in 90 s"},
    }
    return peers


def test_summary_and_tables(benchmark_module, tmp_path):
    peers, report = benchmark_module("peers"), benchmark_module("report")
    summary = peers.summary(rows())
    assert summary["jax"]["ratio"] == 1.0
    assert (summary["jax"]["ratio_low"], summary["jax"]["ratio_high"]) == (0.5, 1.5)
    assert summary["torch"]["ratio"] == 3.0
    assert summary["jax"]["agrees"]
    assert not summary["torch"]["agrees"]
    table = [{"workload": "lenet", "about": "", "peers": summary}]
    where = {
        "versions": {"mycel": "1", "jax": "2"}, "processor": "P", "processors": 2, "pinned_to": 0, "rounds": 2,
        "seconds": 0.1, "load_before": 0.5, "load_after": 0.5, "date": "today",
    }  # fmt: skip
    text = report.markdown(table, list(summary), where)
    assert "| lenet | 15.0 | 17.5 | 40.0 | – | – | 1.00 (JAX jit) |" in text
    assert "1 lines, geometric mean 1.00; below 1.2: lenet 1.00." in text
    assert "torch.compile: no answer in 90 s" in text
    assert "PyTorch gives 3.0, mycel 1.0" in text
    pytest.importorskip("matplotlib")
    report.plot(table, list(summary), where, tmp_path / "peers.png")
    assert (tmp_path / "peers.png").stat().st_size > 10_000


def test_compile_time(benchmark_module, capsys):
    """Every family of programs runs, with its gradient; growth is the slope of the logarithms."""
    module = benchmark_module("compile_time")
    for family in module.FAMILIES:
        module.table(replace(family, sizes=(2, 3, 4)), repeat=1, largest=3)
        _, title, _, *rows = capsys.readouterr().out.splitlines()
        assert title == family.title
        assert [row.split()[0] for row in rows[:2]] == ["2", "3"]
        assert len(rows) == 2 + family.grows
    assert module.exponent([(10, 9.0), (100, 1.0), (1000, 100.0), (10_000, 10_000.0)]) == pytest.approx(2)


@pytest.mark.parametrize(
    ("now", "slower"), [([1.3, 1.4, 1.2], True), ([1.3, 0.9, 1.4], False), ([1.05, 1.02, 1.01], False)]
)
def test_a_workload_is_slower_where_all_rounds_say_so(benchmark_module, now, slower):
    times = {"base": [100.0] * 3, "now": [100 * each for each in now], "base first": [5.0], "now first": [7.0]}
    line, found = benchmark_module("against").row("ring", times, 1.1)
    assert found is slower
    assert ("**" in line) is slower
    assert line.endswith("| 5 | 7 |")
