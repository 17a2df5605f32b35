"""Whether a program takes as much memory as its plan says."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

from mycel.compiler.ir import Graph
from mycel.compiler.pipeline import Options, compile_graph
from mycel.runtime.program import Program

OBJECTS = 32768  # bytes of the arrays' own objects, frames and the like
BUFFERS = 8192 * 8 * 4  # NumPy's own for casts and broadcast operands: so many elements, bytes and operands


def measured(call: Callable[[], Any]) -> int:
    """The most bytes that a call allocates."""
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        result = call()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.enable()
    del result
    return peak


def assert_as_planned(graph: Graph, arrays: list[np.ndarray], commits: dict[int, int] | None = None) -> None:
    """The first run takes the plan's peak, later ones what is allocated besides the arena."""
    compiled = compile_graph(graph, name="tried", commits=commits, options=Options(frozenset({"threads"})))
    usage = compiled.plan.usage
    made = compiled.program
    compiled.run(*arrays)  # kernels keep what they work out for shapes
    program = Program("tried", made.source, made.arena_bytes, made.constants, made.kernels)
    first = measured(lambda: program.run(*arrays))
    later = measured(lambda: program.run(*arrays))
    objects = OBJECTS + 400 * len(compiled.plan.places)
    assert usage.peak <= first + objects, (usage, first)
    assert first <= usage.peak + objects + BUFFERS, (usage, first)
    assert usage.allocated <= later + OBJECTS, (usage, later)
    assert later <= usage.allocated + OBJECTS + BUFFERS, (usage, later)
