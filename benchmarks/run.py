"""Graph mode against eager mode on models of different kinds: a table, a JSON file and a plot.

    python benchmarks/run.py [--only NAME] [--pin CPU] [--seconds S] [--rounds N] [--out FOLDER]

Both modes take turns within each round, so a change of the machine's speed hits both; the ratio is the median over
the rounds of eager's time by graph's. Eager runs the same ops one by one, with gradients from a tape. The first call
compiles; "again" is the first call of the same function compiled anew, its program loaded from a cache on disk.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from models import MODELS

import mycel as ms


def median_call(call: Callable[[], Any], seconds: float) -> float:
    """Median seconds of a call, over as many as fit the time (at least three)."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def peak_bytes(call: Callable[[], Any]) -> int:
    """The most that one call allocates."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def measure(name: str, rounds: int, seconds: float) -> dict[str, Any]:
    """All figures of one model."""
    ms.set_seed(0)
    step, inputs = MODELS[name]()
    graph = ms.jit(step)
    began = time.perf_counter()
    graph(*inputs)
    first = time.perf_counter() - began
    stages = graph.stages(*inputs)
    anew = ms.jit(step)
    began = time.perf_counter()
    anew(*inputs)
    again = time.perf_counter() - began

    def eager() -> None:
        with ms.disable_jit():
            step(*inputs)

    eager()
    pairs = []
    for _ in range(rounds):
        pairs.append((median_call(lambda: graph(*inputs), seconds), median_call(eager, seconds)))
    return {
        "model": name,
        "graph_us": statistics.median(pair[0] for pair in pairs) * 1e6,
        "eager_us": statistics.median(pair[1] for pair in pairs) * 1e6,
        "ratio": statistics.median(pair[1] / pair[0] for pair in pairs),
        "ratio_low": min(pair[1] / pair[0] for pair in pairs),
        "ratio_high": max(pair[1] / pair[0] for pair in pairs),
        "first_call_ms": first * 1e3,
        "again_ms": again * 1e3,
        "compiler_ms": sum(stages.seconds.values()) * 1e3,
        "graph_peak_mb": (peak_bytes(lambda: graph(*inputs)) + stages.plan.nbytes) / 2**20,
        "planned_mb": stages.plan.usage.peak / 2**20,
        "eager_peak_mb": peak_bytes(eager) / 2**20,
        "nodes_before": stages.joint.count_nodes(),
        "nodes_after": stages.optimized.count_nodes(),
    }


COLUMNS = (
    ("model", "model", "s"), ("graph_us", "graph µs", ".0f"), ("eager_us", "eager µs", ".0f"),
    ("ratio", "eager/graph", ".1f"), ("ratio_low", "low", ".1f"), ("ratio_high", "high", ".1f"),
    ("first_call_ms", "first call ms", ".0f"), ("again_ms", "again ms", ".0f"), ("graph_peak_mb", "graph MB", ".2f"),
    ("planned_mb", "planned MB", ".2f"), ("eager_peak_mb", "eager MB", ".2f"),
    ("nodes_before", "nodes", "d"), ("nodes_after", "after", "d"),
)  # fmt: skip


def table(rows: list[dict[str, Any]]) -> str:
    """The figures as a Markdown table."""
    lines = [f"| {' | '.join(title for _, title, _ in COLUMNS)} |", f"|{' --- |' * len(COLUMNS)}"]
    for row in rows:
        lines.append(f"| {' | '.join(format(row[key], form) for key, _, form in COLUMNS)} |")
    return "\n".join(lines)


def environment() -> dict[str, Any]:
    """The machine and versions of the measurement."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "mycel": ms.__version__,
        "machine": platform.machine(),
        "system": platform.system(),
        "processors": os.cpu_count(),
        "held_to": sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def plot(rows: list[dict[str, Any]], path: Path) -> None:
    """Bars of eager's time by graph's, and of the memory that each takes."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import FuncFormatter

    names = [row["model"] for row in rows]
    places = np.arange(len(rows))
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 0.45 * len(rows) + 1.8), layout="constrained")
    ratios = [row["ratio"] for row in rows]
    spread = [[r["ratio"] - r["ratio_low"] for r in rows], [r["ratio_high"] - r["ratio"] for r in rows]]
    left.barh(places, ratios, xerr=spread, color="#2a7f62", ecolor="#555555", capsize=3)
    left.axvline(1, color="black", linewidth=1)
    left.set(
        xscale="log", yticks=places, yticklabels=names, xlabel="times faster than eager mode", title="Time of a step"
    )
    for place, ratio, high in zip(places, ratios, spread[1], strict=True):
        left.text(ratio + high, place, f"  {ratio:.1f}x", va="center")
    left.set_xlim(min(0.8, *[row["ratio_low"] * 0.8 for row in rows]), max(row["ratio_high"] for row in rows) * 2)
    left.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}x"))
    right.barh(places - 0.2, [row["graph_peak_mb"] for row in rows], 0.4, label="graph", color="#2a7f62")
    right.barh(places + 0.2, [row["eager_peak_mb"] for row in rows], 0.4, label="eager", color="#c8a14b")
    right.set(yticks=places, yticklabels=names, xscale="log", xlabel="MB", title="Peak memory of a step")
    right.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    right.legend()
    for axes in (left, right):
        axes.invert_yaxis()
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], help="only this model; repeatable")
    parser.add_argument("--pin", type=int, metavar="CPU", help="hold it to this processor and one thread")
    parser.add_argument("--seconds", type=float, default=0.4, help="time for each mode in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--out", type=Path, default=Path("bench"), help="folder for graph_eager.json and graph_eager.png"
    )
    chosen = parser.parse_args()
    if chosen.pin is not None:
        os.sched_setaffinity(0, {chosen.pin})
        if os.environ.get("OPENBLAS_NUM_THREADS") != "1":  # read when NumPy is loaded: start again
            os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    names = chosen.only or list(MODELS)
    for name in names:
        if name not in MODELS:
            parser.error(f"there is no model '{name}'; there are {', '.join(MODELS)}")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MYCEL_CACHE"] = folder
        for name in names:
            print(f"{name} ...", file=sys.stderr, flush=True)
            rows.append(measure(name, chosen.rounds, chosen.seconds))
    print(table(rows))
    chosen.out.mkdir(parents=True, exist_ok=True)
    path = chosen.out / "graph_eager.json"
    path.write_text(json.dumps({"environment": environment(), "results": rows}, indent=1) + "\n")
    written = [path]
    try:
        plot(rows, chosen.out / "graph_eager.png")
        written.append(chosen.out / "graph_eager.png")
    except ImportError:
        print("no plot: it needs matplotlib (pip install 'mycel-graph[bench]')", file=sys.stderr)
    print(f"\nwritten: {', '.join(map(str, written))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
