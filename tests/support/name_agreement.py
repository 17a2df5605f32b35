"""Whether the stages of a function agree about names: the same values in all graphs, in the plan and in the program."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from mycel.compiler.ir.graph import Graph, Node, walk
from mycel.compiler.ir.interpret import interpret, watched_by
from mycel.frontend.compilation.stages import Stages


class _Recording:
    """What each named value is, in the order of the run."""

    def __init__(self) -> None:
        self.found: dict[str, list[np.ndarray]] = {}

    def skips(self, node: Node) -> bool:
        return False

    def ran(self, node: Node, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        for value, array in zip(node.outputs, outputs, strict=True):
            if node.op.name == "undefined" and array.dtype.kind == "f":
                array.fill(np.nan)  # nothing reads it, so passes may give it other numbers
            self.found.setdefault(value.name, []).append(np.array(array))


def names(graph: Graph) -> set[str]:
    """The names of all values, those of inner graphs included."""
    nodes = list(walk(graph))
    inner = {value.name for node in nodes for below in node.subgraphs for value in below.parameters}
    return {value.name for value in graph.parameters} | inner | {v.name for node in nodes for v in node.outputs}


def defined(text: str) -> set[str]:
    """The names that a printed graph defines."""
    return set(re.findall(r"%(\w+): ", text))


def disagreements(stages: Stages, seed: int = 0) -> list[Any]:
    """Where stages do not agree. Inputs are drawn at random."""
    found: list[Any] = []
    joint = names(stages.joint)
    for stage, graph in (("forward", stages.forward), ("backward", stages.backward)):
        if graph is not None and not names(graph) <= joint:
            found.append((stage, "not in joint", sorted(names(graph) - joint)))
    arguments = _drawn(stages.joint, seed)
    last = _values(stages.joint, arguments)
    for stage, graph in {**stages.graphs(), **stages.passes}.items():
        if defined(str(graph)) != names(graph):
            found.append((stage, "text", sorted(defined(str(graph)) ^ names(graph))))
        outputs = [value.name for node in graph.nodes for value in node.outputs]
        found += [(stage, "twice", name) for name in set(outputs) if outputs.count(name) > 1]
    for stage, graph in stages.passes.items():
        values = _values(graph, arguments)
        found += [(stage, "value", name) for name in values if name in last and not _same(values[name], last[name])]
        last.update(values)
    optimized = names(stages.optimized)
    for buffer in stages.plan.buffers:
        if buffer.name not in optimized and re.sub("_(copy|scratch|sums)$", "", buffer.name) not in optimized:
            found.append(("plan", "no value", buffer.name))
    return found + _lifetimes(stages)


def _drawn(graph: Graph, seed: int) -> list[np.ndarray]:
    generator = np.random.default_rng(seed)
    arrays = []
    for parameter in graph.parameters:
        numbers = generator.normal(size=parameter.type.static_shape)
        kind = parameter.type.dtype.np.kind
        arrays.append(np.asarray(numbers if kind == "f" else abs(numbers * 3)).astype(parameter.type.dtype.np))
    return arrays


def _values(graph: Graph, arguments: Sequence[np.ndarray]) -> dict[str, list[np.ndarray]]:
    recording = _Recording()
    with watched_by(recording), np.errstate(all="ignore"):
        interpret(graph, [array.copy() for array in arguments])
    return recording.found


def _same(some: list[np.ndarray], others: list[np.ndarray]) -> bool:
    """Whether two runs gave a value the same numbers, where these are defined in the `others`. A loop may run a node
    less often than another."""
    return len(some) != len(others) or all(
        a.shape == b.shape and a.dtype == b.dtype and np.all(np.isclose(a, b, rtol=1e-5, atol=1e-6) | (b != b))
        for a, b in zip(some, others, strict=True)
    )


def _lifetimes(stages: Stages) -> list[Any]:
    """Buffers that the program names in lines outside of those that the plan has."""
    bind: Any = ast.parse(stages.program).body[-1]
    function = [each for each in bind.body if isinstance(each, ast.FunctionDef)][-1]
    lines: dict[str, list[int]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            lines.setdefault(node.id, []).append(node.lineno - function.lineno)
    wrong = []
    for row in stages.plan.table().splitlines()[1:]:
        name, *_, first, last = row.split()
        read = lines.get(name, [int(first)])
        if not int(first) <= min(read) <= max(read) <= int(last) <= function.body[-1].lineno - function.lineno:
            wrong.append(("plan", name, int(first), int(last), min(read), max(read)))
    return wrong
