"""The reference interpreter of graphs: it runs each node's kernel in order. All other ways to run a graph must agree
with it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
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


def repeated(graph: Graph) -> Callable[[Sequence[np.ndarray]], list[np.ndarray]]:
    """A function that gives the outputs of a small graph again and again, without what `interpret` looks up each time.

    Nobody watches it, and who calls it says what NumPy does with errors.
    """
    places = {value: at for at, value in enumerate(graph.parameters)}
    constants: list[np.ndarray] = []

    def place(operand: Operand) -> int:
        if not isinstance(operand, Literal):
            return places[operand]
        constants.append(operand.array)
        return -len(constants)  # from the end: the last list of values has them there

    steps = []
    for node in graph.nodes:
        steps.append((node.op.kernel, [place(operand) for operand in node.inputs], node.attrs))
        for value in node.outputs:
            places[value] = len(places)
    results = [place(operand) for operand in graph.outputs]
    constants.reverse()
    first, count = len(graph.parameters), len(places)

    def run(arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
        values: list[Any] = [*arguments, *[None] * (count - first), *constants]
        at = first
        for kernel, inputs, attrs in steps:
            result = kernel(*[values[each] for each in inputs], **attrs)
            for array in result if isinstance(result, tuple) else (result,):
                values[at] = np.asarray(array)
                at += 1
        return [values[each] for each in results]

    return run


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
