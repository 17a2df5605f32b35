"""The reference meaning of a graph: run each node's kernel in order. The oracle that every other path must agree
with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .ir import Graph, Literal, Operand, Value


def interpret(graph: Graph, arguments: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    """The outputs of the graph for these arrays."""
    if len(arguments) != len(graph.parameters):
        raise TypeError(f"graph {graph.name} takes {len(graph.parameters)} arrays, but got {len(arguments)}")
    environment: dict[Value, Any] = dict(zip(graph.parameters, arguments, strict=True))

    def read(operand: Operand) -> np.ndarray:
        return operand.array if isinstance(operand, Literal) else environment[operand]

    with np.errstate(all="ignore"):  # as in MindSpore, 0/0 is a nan and no warning
        for node in graph.nodes:
            result = node.op.kernel(*map(read, node.inputs), **node.attrs)
            results = result if isinstance(result, tuple) else (result,) if node.outputs else ()
            for value, array in zip(node.outputs, results, strict=True):
                environment[value] = np.asarray(array)
    return tuple(read(operand) for operand in graph.outputs)
