"""The report of the comparison with other frameworks: tables in Markdown and a plot."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

LABELS = {
    "mycel": "mycel",
    "mindspore": "MindSpore",
    "jax": "JAX jit",
    "torch": "PyTorch",
    "torch-compile": "torch.compile",
}
COLOURS = {
    "mycel": "#2a7f62",
    "mindspore": "#b5573c",
    "jax": "#3b6fb0",
    "torch": "#e0a030",
    "torch-compile": "#8a6fa8",
}
CLOSE = 1.2
"""A ratio below this is named under the table."""
Rows = list[dict[str, Any]]


def markdown(rows: Rows, peers: list[str], where: dict[str, Any]) -> str:
    """All tables: times of a step, ratios, first calls, memory and the floor."""
    others = [peer for peer in peers if peer != "mycel"]
    parts = [
        "## Time of a step in microseconds (median of the rounds)",
        _table(
            ["workload", *[LABELS[peer] for peer in peers], "NumPy's floor", "best other / mycel"],
            [[row["workload"], *[_time(row, peer) for peer in peers], _floor(row), _best(row, others)] for row in rows],
        ),
        "A bold ratio is below 1: there mycel is behind.",
        _overall(rows, others),
        "## The others' time by mycel's: median of the rounds (lowest to highest)",
        _table(
            ["workload", *[LABELS[peer] for peer in others]],
            [[row["workload"], *[_ratio(row, peer) for peer in others]] for row in rows],
        ),
        "## Peak memory of a step in MB: growth during a warmed call, and the arena that mycel keeps",
        _table(
            ["workload", *[LABELS[peer] for peer in peers]],
            [[row["workload"], *[_value(row, peer, "step_mb", ".1f") for peer in peers]] for row in rows],
        ),
        "## First call in milliseconds, and memory in MB beyond what was in use before, with what compiling leaves",
        _table(
            ["workload", *[f"{LABELS[peer]} ms" for peer in peers], *[f"{LABELS[peer]} MB" for peer in peers]],
            [
                [
                    row["workload"],
                    *[_value(row, peer, "first_ms", ".0f") for peer in peers],
                    *[_value(row, peer, "peak_mb", ".1f") for peer in peers],
                ]
                for row in rows
            ],
        ),
        "## NumPy's floor: calls x cost + larger of (elements x cost + flops / rate) and bytes / bandwidth",
        _table(
            [
                "workload",
                "calls",
                "elements",
                "Mflop",
                "MB",
                "calls µs",
                "elements µs",
                "products µs",
                "bytes µs",
            ],
            [_parts(row) for row in rows if "floor" in row["peers"]["mycel"]],
        ),
        _rates(rows),
        _problems(rows),
        _environment(where),
    ]
    return "\n\n".join(part for part in parts if part)


def _table(titles: list[str], rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(titles)} |", f"| --- |{' ---: |' * (len(titles) - 1)}"]
    return "\n".join([*lines, *[f"| {' | '.join(row)} |" for row in rows]])


def _value(row: dict[str, Any], peer: str, key: str, form: str) -> str:
    value = row["peers"].get(peer, {}).get(key)
    return "–" if value is None else format(value, form)


def _time(row: dict[str, Any], peer: str) -> str:
    value = row["peers"].get(peer, {}).get("median_us")
    if value is None:
        return "–"
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def _floor(row: dict[str, Any]) -> str:
    found = row["peers"]["mycel"].get("floor")
    return "–" if found is None else f"{found['total']:,.1f}" if found["total"] < 100 else f"{found['total']:,.0f}"


def best_ratio(row: dict[str, Any], others: list[str]) -> tuple[float, str] | None:
    """The ratio of the fastest other framework to mycel, and which that is."""
    ratios = [(row["peers"][peer]["ratio"], peer) for peer in others if "ratio" in row["peers"].get(peer, {})]
    return min(ratios, default=None)


def _overall(rows: Rows, others: list[str]) -> str:
    """The geometric mean of the ratios, and the lowest ones."""
    found = sorted((best[0], row["workload"]) for row in rows if (best := best_ratio(row, others)) is not None)
    if not found:
        return ""
    mean = math.exp(sum(math.log(ratio) for ratio, _ in found) / len(found))
    low = ", ".join(f"{name} {ratio:.2f}" for ratio, name in found if ratio < CLOSE)
    return f"{len(found)} lines, geometric mean {mean:.2f}; below {CLOSE}: {low or 'none'}."


def _best(row: dict[str, Any], others: list[str]) -> str:
    found = best_ratio(row, others)
    if found is None:
        return "–"
    ratio, peer = found
    text = f"{ratio:.2f}" if ratio >= 1 else f"**{ratio:.2f}**"
    return f"{text} ({LABELS[peer]})"


def _ratio(row: dict[str, Any], peer: str) -> str:
    result = row["peers"].get(peer, {})
    if "ratio" not in result:
        return "–"
    return f"{result['ratio']:.2f} ({result['ratio_low']:.2f} to {result['ratio_high']:.2f})"


def _parts(row: dict[str, Any]) -> list[str]:
    work, floor = row["peers"]["mycel"]["work"], row["peers"]["mycel"]["floor"]
    counts = [f"{work['calls']:,.0f}", f"{work['elements']:,.0f}"]
    sizes = [f"{work['flops'] / 1e6:,.2f}", f"{work['bytes'] / 1e6:,.2f}"]
    return [
        row["workload"],
        *counts,
        *sizes,
        *[f"{floor[key]:,.1f}" for key in ("calls", "elements", "products", "bytes")],
    ]


def _rates(rows: Rows) -> str:
    """The best rates that were measured, beside any of the workloads."""
    measured = [row["peers"]["mycel"]["rates"] for row in rows if "rates" in row["peers"]["mycel"]]
    if not measured:
        return ""
    keys = {key: None for rates in measured for key in rates}
    least = {key: min(rates[key] for rates in measured if key in rates) for key in keys}
    most = {key: max(rates[key] for rates in measured if key in rates) for key in keys}
    elements = sorted((least[key], key.removeprefix("elements: ")) for key in keys if key.startswith("elements: "))
    return (
        f"Rates while measuring: a call {least['call_ns']:.0f} to {most['call_ns']:.0f} ns, "
        f"products {least['gflops']:.0f} to {most['gflops']:.0f} GF/s, copies "
        f"{least['gigabytes']:.1f} to {most['gigabytes']:.1f} GB/s; ns of an element at best: "
        + ", ".join(f"{name} {time:.2f}" for time, name in elements)
        + "."
    )


def _problems(rows: Rows) -> str:
    lines = []
    for row in rows:
        for peer, result in row["peers"].items():
            if "error" in result:
                lines.append(f"- {row['workload']}, {LABELS[peer]}: {result['error']}")
            elif result.get("agrees") is False:
                own = row["peers"]["mycel"]["number"]
                lines.append(f"- {row['workload']}: {LABELS[peer]} gives {result['number']}, mycel {own}")
    return "\n".join(["No figures, or other results:", "", *lines]) if lines else ""


def _environment(where: dict[str, Any]) -> str:
    versions = ", ".join(f"{LABELS[peer]} {version}" for peer, version in where["versions"].items())
    held = "all processors" if where["pinned_to"] is None else f"held to processor {where['pinned_to']}, one thread"
    loads = ""
    if where["load_before"] is not None:
        loads = f"; load {where['load_before']:.1f} before, {where['load_after']:.1f} after"
    return (
        f"{versions}; {where['processor']} ({where['processors']} processors, {held}); {where['rounds']} rounds of "
        f"{where['seconds']} s each{loads}; {where['date']}"
    )


def plot(rows: Rows, peers: list[str], where: dict[str, Any], path: Path) -> None:
    """Bars of every framework's time by mycel's, with their spread, and of the first calls."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import FuncFormatter

    others = [peer for peer in peers if peer != "mycel"]
    figure, (left, right) = pyplot.subplots(
        1, 2, figsize=(13, 0.2 * len(rows) * (len(others) + 1.5) + 2), layout="constrained", width_ratios=(3, 2)
    )
    height = 0.8 / max(1, len(others))
    for index, peer in enumerate(others):
        shown = [(place, row["peers"][peer]) for place, row in enumerate(rows) if "ratio" in row["peers"].get(peer, {})]
        places = [place + (index - (len(others) - 1) / 2) * height for place, _ in shown]
        ratios = [result["ratio"] for _, result in shown]
        spread = [[r["ratio"] - r["ratio_low"] for _, r in shown], [r["ratio_high"] - r["ratio"] for _, r in shown]]
        left.barh(
            places, [ratio - 1 for ratio in ratios], height * 0.92, left=1, xerr=spread, color=COLOURS[peer],
            label=LABELS[peer], error_kw={"ecolor": "#444444", "elinewidth": 0.8, "capsize": 1.5},
        )  # fmt: skip
        for place, (_, result) in zip(places, shown, strict=True):
            text = f"{result['ratio']:.2f}" if result["ratio"] < 10 else f"{result['ratio']:.0f}"
            if result["ratio"] >= 1:
                left.text(result["ratio_high"], place, f" {text}", va="center", fontsize=7)
            else:
                left.text(result["ratio_low"], place, f"{text} ", va="center", ha="right", fontsize=7)
    left.axvline(1, color=COLOURS["mycel"], linewidth=2)
    names = []
    for row in rows:
        own = row["peers"]["mycel"].get("median_us")
        names.append(f"{row['workload']}\nmycel {_readable(own)}" if own else row["workload"])
    left.set(xscale="log", xlabel="time of a step by mycel's (right of the line: mycel is faster)", title="Step")
    left.set_yticks(range(len(rows)), names)
    low, high = left.get_xlim()
    left.set_xlim(low / 1.3, high * 1.5)
    left.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}x"))
    height = 0.8 / len(peers)
    for index, peer in enumerate(peers):
        shown = [
            (place, row["peers"][peer]) for place, row in enumerate(rows) if "first_ms" in row["peers"].get(peer, {})
        ]
        places = [place + (index - (len(peers) - 1) / 2) * height for place, _ in shown]
        right.barh(places, [r["first_ms"] for _, r in shown], height * 0.92, color=COLOURS[peer], label=LABELS[peer])
    right.set(xscale="log", xlabel="milliseconds", title="First call (compiling included)")
    right.set_yticks(range(len(rows)), [row["workload"] for row in rows])
    right.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    for axes in (left, right):
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="x", color="#dddddd", linewidth=0.6)
        axes.set_axisbelow(True)
    handles, labels = right.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(peers), frameon=False)
    held = "" if where["pinned_to"] is None else ", all held to one core"
    figure.supxlabel(
        f"{where['processor']}{held}; bars are medians of {where['rounds']} rounds, whiskers their spread", fontsize=8
    )
    figure.savefig(path, dpi=120)


def _readable(microseconds: float) -> str:
    if microseconds < 1000:
        return f"{microseconds:.3g} µs"
    return f"{microseconds / 1000:.3g} ms"
