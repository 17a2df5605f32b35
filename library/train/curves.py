"""Curves of a training, drawn with matplotlib."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

SMOOTHED = 0.05  # share of the steps over which the mean is taken


def draw_curves(losses: Sequence[float], metrics: Mapping[str, tuple[Sequence[int], Sequence[Any]]]) -> Any:
    """The loss of each step with a running mean, and metrics with an axis of their own.

    Args:
        losses: of each step.
        metrics: by name, after how many steps, and which value; what is no number is left out.

    Returns:
        A Figure of matplotlib.

    Raises:
        ModuleNotFoundError: if matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        text = "curves need matplotlib: pip install 'mycel-graph[plot]'"
        raise ModuleNotFoundError(text, name=error.name) from None

    class Shown(Figure):  # type: ignore[misc, unused-ignore]
        """A figure that notebooks show without any set-up."""

        def _repr_png_(self) -> bytes:
            written = io.BytesIO()
            self.savefig(written, format="png")
            return written.getvalue()

    figure = Shown(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    steps = np.arange(1, len(losses) + 1)
    axes.plot(steps, losses, color="tab:blue", alpha=0.35, linewidth=1, label="loss")
    width = max(1, round(len(losses) * SMOOTHED))
    if width > 1:
        sums = np.cumsum([0.0, *losses])
        first = np.maximum(steps - width, 0)
        means = (sums[steps] - sums[first]) / (steps - first)
        axes.plot(steps, means, color="tab:blue", label=f"mean of {width} steps")
    axes.set_xlabel("step")
    axes.set_ylabel("loss")
    if min(losses) > 0 and max(losses) / min(losses) > 50:
        axes.set_yscale("log")
    handles, labels = axes.get_legend_handles_labels()
    shown = {name: curve for name, curve in metrics.items() if curve[1] and np.isscalar(curve[1][0])}
    if shown:
        right = axes.twinx()
        for number, (name, (at, values)) in enumerate(shown.items()):
            right.plot(at, values, "o-", markersize=3, color=f"C{number + 1}", label=name)
        right.set_ylabel(", ".join(shown))
        more_handles, more_labels = right.get_legend_handles_labels()
        handles, labels = handles + more_handles, labels + more_labels
    axes.legend(handles, labels, loc="best")
    return figure
