"""One framework and one workload in a process of its own, which measures when it is told to.

    python worker.py FRAMEWORK MODE WORKLOAD [--pin CPU]

It prints one JSON object on each line. The first comes when the workload has been built and called; then each line of
standard input is a command: `time SECONDS` gives the median of as many calls as fit, `peak` the memory of a call,
`floor` the work of mycel's program in NumPy calls, and the machine's best rates.

There are two figures of memory. `peak_mb` is the most anonymous memory during a call beyond that before the first call;
it includes everything that the compilation has left behind. `step_mb` is the memory of a step: its growth during a
warmed call, after free memory has gone back to the system, plus the arena that mycel keeps. Gradients that PyTorch
keeps until the next step are released first: they count as well.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import importlib
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

MODULES = {
    "mycel": "workloads_mycel",
    "mindspore": "workloads_mycel",
    "jax": "workloads_jax",
    "torch": "workloads_torch",
}
WARM_CALLS = 3  # the last of them gives the number that is compared among frameworks


def status(field: str) -> int:
    """A line of the process's memory status in bytes; 0 where the system does not tell."""
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            for line in file:
                if line.startswith(f"{field}:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def highest() -> int:
    """The most anonymous memory since the high-water mark started anew, in bytes."""
    return status("VmHWM") - status("RssFile") - status("RssShmem")


def peak(call: Callable[[], Any], before: int | None = None) -> float | None:
    """The most anonymous memory during a call, in MB beyond `before`, or beyond what there is at its start; None where
    the system does not tell."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")  # the high-water mark starts anew
    except OSError:
        return None
    if before is None:
        before = highest()  # Linux counts it less exactly than what is in use: the same error in both figures
    call()
    return (highest() - before) / 2**20


def growth(call: Callable[[], Any]) -> float | None:
    """By how many MB memory grows during a call that starts with all free memory returned to the system."""
    call()
    gc.collect()
    if "mycel" in sys.modules:
        sys.modules["mycel.runtime.arena"].recycled.clear()
    if "torch" in sys.modules:  # gradients that it keeps until the next step
        kept = [x for x in gc.get_objects() if issubclass(type(x), sys.modules["torch"].Tensor)]
        for leaf in [x for x in kept if x.is_leaf]:
            leaf.grad = None
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError) as error:
        print(f"free memory is not returned to the system first: {error}", file=sys.stderr)
    return peak(call)


def median(call: Callable[[], Any], seconds: float) -> tuple[float, int]:
    """Median seconds of a call, over as many as fit the time, and how many these were."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while not times or time.perf_counter() < end:
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return statistics.median(times), len(times)


def warm_up(framework: str) -> None:
    """Have the framework compile something small, so that the first call of the workload times its compiler alone."""
    if framework == "jax":
        import jax

        jax.jit(lambda x: x + 1)(1.0)
    elif framework == "torch":
        import torch

        torch.ones(2, requires_grad=True).sum().backward()
    else:
        import mindspore as ms

        def add_one(x: Any) -> Any:
            return x + 1

        ms.jit(add_one)(ms.Tensor([1.0]))


def main() -> int:
    """Build, then answer commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("framework", choices=MODULES)
    parser.add_argument("mode")
    parser.add_argument("workload")
    parser.add_argument("--pin", type=int, help="stay on this processor")
    chosen = parser.parse_args()
    if chosen.pin is not None:
        os.sched_setaffinity(0, {chosen.pin})
    out, sys.stdout = sys.stdout, sys.stderr  # what a framework prints is no answer

    def answer(**values: Any) -> None:
        print(json.dumps(values), file=out, flush=True)

    began = time.perf_counter()
    if chosen.framework == "mycel":
        import mycel

        mycel.install_as_mindspore()
    module = importlib.import_module(MODULES[chosen.framework])
    imported = time.perf_counter() - began
    version = importlib.import_module(chosen.framework).__version__
    warm_up(chosen.framework)
    step, inputs = module.build(chosen.workload, chosen.mode)

    def call() -> None:
        module.wait(step(*inputs))

    before = status("RssAnon")
    began = time.perf_counter()
    call()
    first = time.perf_counter() - began
    for _ in range(WARM_CALLS - 1):
        result = step(*inputs)
    number = module.number(result)
    del result
    answer(version=version, import_ms=imported * 1e3, first_ms=first * 1e3, number=number)
    for line in sys.stdin:
        command, *arguments = line.split()
        if command == "time":
            seconds, calls = median(call, float(arguments[0]))
            answer(us=seconds * 1e6, calls=calls)
        elif command == "peak":
            beyond = peak(call, before)
            step_mb = growth(call)
            if step_mb is not None and chosen.framework == "mycel":
                step_mb += step.stages(*inputs).plan.nbytes / 2**20
            answer(peak_mb=beyond, step_mb=step_mb)
        elif command == "floor":  # of mycel alone
            import floors

            work = floors.work(floors.on_numpy(step.stages(*inputs)), chosen.workload)
            answer(work=work, rates=floors.machine(work))
    return 0


if __name__ == "__main__":
    sys.exit(main())
