"""The reference interpreter of graphs: it runs each node's kernel in order. All other ways to run a graph must agree
with it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np

from .graph import Graph, Node
from .values import Literal, Operand, Value


class Watch(Protocol):
    """An observer of every node that an interpreter runs, also in inner graphs."""

    def skips(self, node: Node) -> bool:
        """Whether the node is not run; then it has no outputs."""

    def ran(self, node: Node, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        """Called after a node has run, with its input and output arrays."""


class _Watching(threading.local):
    watch: Watch | None = None


_WATCHING = _Watching()


@contextmanager
def watched_by(watch: Watch) -> Iterator[None]:
    """While this context is open, `watch` observes the interpreters of this thread."""
    before, _WATCHING.watch = _WATCHING.watch, watch
    try:
        yield
    finally:
        _WATCHING.watch = before


def interpret(graph: Graph, arguments: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    """The outputs of the graph for these arrays."""
    if len(arguments) != len(graph.parameters):
        raise TypeError(f"graph {graph.name} takes {len(graph.parameters)} arrays, but got {len(arguments)}")
    environment: dict[Value, Any] = dict(zip(graph.parameters, arguments, strict=True))

    def read(operand: Operand) -> np.ndarray:
        return operand.array if isinstance(operand, Literal) else environment[operand]

    watch = _WATCHING.watch
    with np.errstate(all="ignore"):  # as in MindSpore, 0/0 is a nan and no warning
        for node in graph.nodes:
            if watch is not None and watch.skips(node):
                continue
            inputs = [read(operand) for operand in node.inputs]
            result = node.op.kernel(*inputs, **node.attrs)
            results = result if isinstance(result, tuple) else (result,) if node.outputs else ()
            for value, array in zip(node.outputs, results, strict=True):
                environment[value] = np.asarray(array)
            if watch is not None:
                watch.ran(node, inputs, [environment[value] for value in node.outputs])
    return tuple(read(operand) for operand in graph.outputs)
