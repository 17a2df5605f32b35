"""NumPy's own floor: what a program's calls, elements, bytes and products cost at the machine's best rates.

A program cannot be faster than this as long as every operation is a call of NumPy. The floor of a workload is

    calls x cost of a call
    + the larger of (elements x cost of an element + flops / rate of products) and bytes / bandwidth

with calls, elements and flops counted in mycel's optimised graph, bytes only of what goes in and out of it, and the
rates measured on the machine before.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import workloads

from mycel.compiler.costs import node_cost
from mycel.compiler.ir import Graph, Literal, Node, Value
from mycel.runtime.threads import thread_count

SLOW = frozenset(["exp", "expm1", "log", "log1p", "tanh", "sigmoid", "erf", "sin", "cos", "power", "logistic"])
"""Elementwise ops that cost like a tanh; all others are counted like a multiplication."""

THREADED = 1 << 16  # elements from which work can be divided among the processors


def work(graph: Graph, workload: str) -> dict[str, float]:
    """What a graph asks of NumPy in one run."""
    total = {"calls": 0.0, "elements": 0.0, "slow": 0.0, "flops": 0.0, "bytes": 0.0, "largest": 0.0}
    _add(graph, 1, total, workload)
    ends = {value: None for value in (*graph.parameters, *graph.outputs) if isinstance(value, Value)}
    total["bytes"] = float(sum(value.type.nbytes for value in ends if value.type.is_static))
    return total


def _add(graph: Graph, times: int, total: dict[str, float], workload: str) -> None:
    for node in graph.nodes:
        if "rows" in node.attrs:
            _add(node.attrs["body"], times, total, workload)
        elif node.subgraphs:
            for inner in node.subgraphs:
                _add(inner, times * _iterations(node, workload), total, workload)
        elif node.op.kind not in ("view", "creation"):
            _add_node(node, times, total)


def _iterations(node: Node, workload: str) -> int:
    """How often the sub-graphs of a node run."""
    if "carried" not in node.attrs:
        return 1
    count = node.inputs[0]
    if "test" not in node.attrs and isinstance(count, Literal):
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
    total["slow" if node.op.name in SLOW else "elements"] += times * size


def machine() -> dict[str, float]:
    """The machine's best rates: nanoseconds of a call and of an element, GF/s of products, GB/s of copies."""
    small, large, wide = np.ones(16, np.float32), np.full(1 << 16, 0.5, np.float32), np.ones((768, 768), np.float32)
    much, other = np.ones(1 << 24, np.float32), np.ones(1 << 24, np.float32)
    out_small, out_large, out_wide = np.empty_like(small), np.empty_like(large), np.empty_like(wide)
    copied = _best(lambda: np.copyto(other, much), 1)
    return {
        "call_ns": _call_ns(small, out_small),
        "element_ns": _best(lambda: np.multiply(large, large, out_large), 20) * 1e9 / large.size,
        "slow_element_ns": _best(lambda: np.tanh(large, out_large), 10) * 1e9 / large.size,
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
    return {key: (min if key.endswith("_ns") else max)(rates[key] for rates in measured) for key in measured[0]}


def floor(work: dict[str, float], rates: dict[str, float]) -> dict[str, float]:
    """The floor in microseconds, and its parts."""
    threads = rates["threads"] if work["largest"] >= THREADED else 1.0
    parts = {
        "calls": work["calls"] * rates["call_ns"] / 1e3,
        "elements": (work["elements"] * rates["element_ns"] + work["slow"] * rates["slow_element_ns"]) / threads / 1e3,
        "products": work["flops"] / rates["gflops"] / 1e3,
        "bytes": work["bytes"] / rates["gigabytes"] / 1e3,
    }
    total = parts["calls"] + max(parts["elements"] + parts["products"], parts["bytes"])
    return {**parts, "total": total}
