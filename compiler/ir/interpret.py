"""The reference meaning of a graph: run each node's kernel in order. The oracle that every other path must agree
with."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np

from .graph import Graph, Node
from .values import Literal, Operand, Value


class Watch(Protocol):
    """Is told of every node that an interpreter runs, those of inner graphs included."""

    def skips(self, node: Node) -> bool:
        """Whether the node is not to be run; it has no outputs then."""

    def ran(self, node: Node, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> None:
        """The node ran on these arrays and gave those."""


class _Watching(threading.local):
    watch: Watch | None = None


_WATCHING = _Watching()


@contextmanager
def watched_by(watch: Watch) -> Iterator[None]:
    """Tell `watch` of what interpreters of this thread run while this context is open."""
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
