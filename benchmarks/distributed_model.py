"""A model of data parallel steps on clusters that are not there: efficiency, from what was measured on one machine.

    python benchmarks/distributed_model.py build/benchmarks/distributed.json

A sum of b bytes over n processes, on links of a latency and a bandwidth, takes

    2 log2(n) latency + 2 (n - 1) / n b / bandwidth

as MPI's algorithms for short and long messages need. A message begins when its last gradient is there and the message
before it has ended; a step ends when it has computed everything and the last message is there.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence

# Between machines: seconds of one small message, and bytes a second, by the name of the link.
LINKS = {"10 Gb/s": (3e-5, 1.25e9), "100 Gb/s": (5e-6, 12.5e9)}
SIZES = (8, 64, 512)


def message_seconds(nbytes: int, size: int, latency: float, bandwidth: float) -> float:
    """How long a sum over so many processes takes."""
    return 2 * math.log2(size) * latency + 2 * (size - 1) / size * nbytes / bandwidth


def step_seconds(
    alone: float, begins: Sequence[tuple[float, int]], size: int, latency: float, bandwidth: float
) -> tuple[float, str]:
    """How long a step takes, and what limits it.

    Args:
        alone: seconds of a step without communication.
        begins: for each message the part of the step that is computed when it begins, and its bytes.
    """
    free, costs = 0.0, [message_seconds(nbytes, size, latency, bandwidth) for _, nbytes in begins]
    for (part, _), cost in zip(begins, costs, strict=True):
        free = max(free, part * alone) + cost
    last = max([part for part, _ in begins], default=1.0)
    step = max(last * alone, free) + (1 - last) * alone  # what is computed after the last message: the update
    exposed = step - alone
    if exposed < 0.02 * alone:
        return step, "computation"
    start = 2 * math.log2(size) * latency * len(begins)
    if start > 0.5 * sum(costs):
        return step, "latency"
    return step, "the last message" if sum(costs) - costs[-1] <= last * alone else "bandwidth"


def table(results: dict[str, dict[str, dict]]) -> str:
    """Efficiency for each model, link and number of processes, and what limits the largest of them."""
    lines = ["| model | link | " + " | ".join(map(str, SIZES)) + " | limited by |", f"|{' --- |' * (len(SIZES) + 3)}"]
    for key, row in results["mycel"].items():
        model, size = key.split()
        if size != "2":
            continue
        alone = results["mycel"].get(f"{model} 1", row)["step"]
        for name, (latency, bandwidth) in LINKS.items():
            found = [step_seconds(alone, row["begins"], n, latency, bandwidth) for n in SIZES]
            cells = [model, name, *[f"{alone / step:.0%}" for step, _ in found], found[-1][1]]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(table(json.load(file)["results"]))
