"""NumPy's floor: the cost of a program's calls, elements, bytes and products at the machine's best rates.

A program cannot be faster than this as long as every operation is a call of NumPy. The floor of a workload is

    calls x cost of a call
    + the larger of (elements x cost of an element + flops / rate of products) and bytes / bandwidth

with calls, elements and flops counted in mycel's optimised graph, bytes only of its inputs and outputs, and rates
measured on the machine: the rate of elements for each function separately, on arrays that fit into the cache.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import workloads

from mycel.compiler.analysis.costs import node_cost
from mycel.compiler.ir.graph import Graph, Node
from mycel.compiler.ir.loops import Loop
from mycel.compiler.ir.values import Literal, Value
from mycel.compiler.pipeline import Options, optimize
from mycel.runtime.processors import thread_count

ELEMENTS = "elements: "  # before the name of a function of NumPy, in counts and rates
PLAIN = ELEMENTS + "multiply"  # whatever is no function of NumPy is counted like a multiplication

THREADED = 1 << 16  # elements from which work can be divided among the processors


def work(graph: Graph, workload: str) -> dict[str, float]:
    """The work of a graph in NumPy calls."""
    total = {"calls": 0.0, "elements": 0.0, "flops": 0.0, "bytes": 0.0, "largest": 0.0}
    _add(graph, 1, total, workload)
    ends = {value: None for value in (*graph.parameters, *graph.outputs) if isinstance(value, Value)}
    total["bytes"] = float(sum(value.type.nbytes for value in ends if value.type.is_static))
    return total


def _add(graph: Graph, times: int, total: dict[str, float], workload: str) -> None:
    for node in graph.nodes:
        if node.op.is_group:
            _add(node.attrs["body"], times, total, workload)
        elif node.subgraphs:
            for inner in node.subgraphs:
                _add(inner, times * _iterations(node, workload), total, workload)
        elif node.op.kind not in ("view", "creation"):
            _add_node(node, times, total)


def _iterations(node: Node, workload: str) -> int:
    """How often the sub-graphs of a node run."""
    if node.op.kind != "loop":
        return 1
    count = node.inputs[0]
    if Loop.of(node).test is None and isinstance(count, Literal):
        return int(count.value.real)
    return workloads.ITERATIONS if workload == "while_50" else workloads.STEPS


def _add_node(node: Node, times: int, total: dict[str, float]) -> None:
    total["calls"] += times
    flops = node_cost(node).flops
    total["flops"] += times * flops
    if flops or not all(value.type.is_static for value in node.outputs):
        return
    sizes = [operand.type.size for operand in (*node.inputs, *node.outputs) if operand.type.is_static]
    size = max(sizes, default=0)
    total["largest"] = max(total["largest"], size)
    total["elements"] += times * size
    kernel = node.op.kernel
    known = isinstance(kernel, np.ufunc) and hasattr(np, kernel.__name__) and not node.attrs
    key = ELEMENTS + kernel.__name__ if known else PLAIN
    total[key] = total.get(key, 0.0) + times * size


def machine(work: dict[str, float]) -> dict[str, float]:
    """Best rates: nanoseconds of a call, and of an element of each function the work needs; GF/s, GB/s of copies."""
    small, wide = np.ones(16, np.float32), np.ones((768, 768), np.float32)
    much, other = np.ones(1 << 24, np.float32), np.ones(1 << 24, np.float32)
    out_small, out_wide = np.empty_like(small), np.empty_like(wide)
    copied = _best(lambda: np.copyto(other, much), 1)
    return {
        "call_ns": _call_ns(small, out_small),
        **{key: _element_ns(key.removeprefix(ELEMENTS)) for key in {PLAIN: 0, **work} if key.startswith(ELEMENTS)},
        "gflops": 2 * 768**3 / _best(lambda: wide.dot(wide, out_wide), 1) / 1e9,
        "gigabytes": 2 * much.nbytes / copied / 1e9,
        "threads": float(thread_count()),
    }


def _call_ns(small: np.ndarray, out: np.ndarray) -> float:
    """Nanoseconds of a call of NumPy on a few elements, from a loop that does nothing else."""
    add, times, best = np.add, 2000, float("inf")
    for _ in range(10):
        began = time.perf_counter_ns()
        for _ in range(times):
            add(small, small, out)
        best = min(best, (time.perf_counter_ns() - began) / times)
    return best


def _element_ns(name: str) -> float:
    """Nanoseconds of an element of a function of NumPy, in single precision, or of integers where it takes no other."""
    function = getattr(np, name)
    for dtype in (np.float32, np.int32):
        arrays = [np.full(1 << 16, 0.5 if dtype is np.float32 else 1, dtype)] * function.nin
        try:
            out = function(*arrays)
        except TypeError:
            continue
        return _best(functools.partial(function, *arrays, out=out), 10) * 1e9 / arrays[0].size
    raise TypeError(f"{name} takes neither floats nor integers")


def _best(call: Callable[[], Any], times: int) -> float:
    """The least time of a call in ten series of some calls."""
    best = float("inf")
    call()
    for _ in range(10):
        began = time.perf_counter()
        for _ in range(times):
            call()
        best = min(best, (time.perf_counter() - began) / times)
    return best


def best_rates(measured: list[dict[str, float]]) -> dict[str, float]:
    """The best of several measurements: another program on the machine only ever makes them worse."""
    keys = {key: None for rates in measured for key in rates}
    times = ("call_ns", ELEMENTS)
    return {
        key: (min if key.startswith(times) else max)(rates[key] for rates in measured if key in rates) for key in keys
    }


def on_numpy(stages: Any) -> Any:
    """The optimised graph of a function for NumPy alone, from its stages: without kernels of machine code."""
    return optimize(stages.joint, Options(frozenset({"kernels"})))[-1][1]


def floor(work: dict[str, float], rates: dict[str, float]) -> dict[str, float]:
    """The floor in microseconds, and its parts."""
    threads = rates["threads"] if work["largest"] >= THREADED else 1.0
    parts = {
        "calls": work["calls"] * rates["call_ns"] / 1e3,
        "elements": sum(work[key] * rates[key] for key in work if key.startswith(ELEMENTS)) / threads / 1e3,
        "products": work["flops"] / rates["gflops"] / 1e3,
        "bytes": work["bytes"] / rates["gigabytes"] / 1e3,
    }
    total = parts["calls"] + max(parts["elements"] + parts["products"], parts["bytes"])
    return {**parts, "total": total}
