"""Training steps under memory limits: the peak of the plan, the time of a step, and the smallest peak that is found.

    python benchmarks/memory.py

The steps with and without a limit run in turn, so that a change of the machine's speed affects all. Times are medians,
relative to the step without a limit. A megabyte has 1,048,576 bytes, as in `memory_limit="25MB"`.
"""

from __future__ import annotations

import re
import statistics
import time
from typing import Any

import mycel as ms

ms.install_as_mindspore()

import workloads_mycel  # noqa: E402  its MindSpore is mycel

LIMITS = {"transformer": ("25MB", "20MB"), "convnet": ("18MB", "14MB")}
ROUNDS = 25
MEGABYTE = 1 << 20


def smallest_peak(name: str, inputs: tuple[Any, ...]) -> float:
    """The smallest peak that the error for an impossible limit names, in MB."""
    step: Any = getattr(workloads_mycel, name)()
    try:
        ms.jit(step.function, memory_limit=MEGABYTE).compile(*inputs)
    except ms.MemoryLimitError as error:
        found = re.search(r"at least (\d+) bytes", str(error))
        assert found
        return int(found.group(1)) / MEGABYTE
    return 1.0


def measure(name: str) -> str:
    """A row of the table."""
    inputs = workloads_mycel._tensors(name)
    steps: list[Any] = [getattr(workloads_mycel, name)()]
    for limit in LIMITS[name]:
        step: Any = getattr(workloads_mycel, name)()
        steps.append(ms.jit(step.function, memory_limit=limit))
    times: list[list[float]] = [[] for _ in steps]
    for _ in range(ROUNDS):
        for each, found in zip(steps, times, strict=True):
            start = time.perf_counter()
            each(*inputs)
            found.append(time.perf_counter() - start)
    medians = [statistics.median(found) for found in times]
    peaks = [each.stages(*inputs).plan.usage.peak / MEGABYTE for each in steps]
    cells = [f"{peak:.1f}, {median / medians[0]:.2f}" for peak, median in zip(peaks, medians, strict=True)]
    return f"| {name} | {' | '.join(cells)} | {smallest_peak(name, inputs):.1f} |"


def main() -> None:
    print("| peak in MB, time of a step | without | | | least found |\n| --- | --- | --- | --- | --- |")
    for name in LIMITS:
        print(measure(name))


if __name__ == "__main__":
    main()
