"""Whether a program takes as much memory as its plan says."""

from __future__ import annotations

import contextlib
import gc
import os
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from mycel.compiler.ir.graph import Graph
from mycel.compiler.pipeline import compile_graph
from mycel.runtime import arenas
from mycel.runtime.arena import recycled
from mycel.runtime.kernels import together
from mycel.runtime.kernels.conv_plan import plan_conv
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.program import Program

OBJECTS = 32768  # bytes of the arrays' own objects, frames and the like
BUFFERS = 8192 * 8 * 4  # NumPy's own for casts and broadcast operands: so many elements, bytes and operands


def measured(call: Callable[[], Any]) -> int:
    """The most bytes that a call allocates."""
    recycled.clear()
    gc.disable()  # what was garbage before does not count: it is not traced
    tracemalloc.start()
    try:
        result = call()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.enable()
    del result
    return peak


@contextlib.contextmanager
def one_processor() -> Iterator[None]:
    """No threads share work: what several allocate at once depends on their timing."""
    with pytest.MonkeyPatch.context() as patch:
        if hasattr(os, "sched_getaffinity"):
            patch.setattr(os, "sched_getaffinity", lambda process: {0})
        patch.setattr(os, "cpu_count", lambda: 1)
        plan_conv.cache_clear()
        yield
    plan_conv.cache_clear()


def kept_bytes() -> int:
    """The bytes of the records of calls that kernels keep."""
    return sum(calls.records.nbytes for calls in together._kept._calls.values())


@one_processor()
def assert_as_planned(graph: Graph, arrays: list[np.ndarray]) -> None:
    """The first run takes the plan's peak and the records of the calls that are kept for its arena, later runs only
    the allocations besides the arena."""
    compiled = compile_graph(graph, name="tried")
    usage = compiled.plan.usage
    made = compiled.program
    compiled.run(*arrays)  # kernels keep what they work out for shapes
    arenas._blocks.clear()  # the next program gets memory of its own
    program = Program("tried", made.source, made.arena_bytes, made.constants, made.kernels)
    before = kept_bytes()
    first = measured(lambda: program.run(*arrays))
    kept = max(kept_bytes() - before, 0)  # old ones are dropped when there are too many
    later = measured(lambda: program.run(*arrays))
    objects = OBJECTS + 400 * len(compiled.plan.storage)
    assert usage.peak <= first + objects, (usage, first)
    bound = usage.constants if unavailable() else 0  # NumPy's zeros and ones are filled when the arena is bound
    assert first <= usage.peak + bound + kept + objects + BUFFERS, (usage, first, kept)
    assert usage.allocated <= later + OBJECTS, (usage, later)
    assert later <= usage.allocated + OBJECTS + BUFFERS, (usage, later)
