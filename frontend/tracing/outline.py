"""Outlining: a function is recorded into a graph of its own, together with its side effects.

The caller inlines the graph, and then applies the side effects: updates of tensors in place, and attribute writes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...compiler.ir.graph import Graph
from ...compiler.ir.values import Value
from ...compiler.transforms.symbolic import Symbol
from ...runtime.records import dataclass
from ..values import tree
from ..values.tensor import Tensor
from ..values.traced_tensor import wrap
from .trace import Trace, TraceScope


@dataclass(frozen=True)
class Outlined:
    """A recorded function.

    Attributes:
        result: its returned value.
        tensors: the tensors in the result.
        updates: the updated objects, with the symbols of their new numbers.
        attributes: the attributes that it wrote: (identity of the object, name) to the object and the value.
        graph: its outputs are the tensors, then the updates, then the tensors in the attributes.
        captures: parameters of the graph to the values outside that they stand for.
    """

    result: Any
    tensors: list[Tensor]
    updates: list[tuple[Any, Symbol]]
    attributes: dict[tuple[int, str], tuple[Any, Any]]
    graph: Graph
    captures: dict[Value, Value]

    def apply_changes(
        self, trace: Trace, results: Sequence[Symbol], write: Callable[[Any, Symbol], None] | None = None
    ) -> None:
        """Apply the side effects outside.

        Args:
            results: the symbols of the graph's outputs outside.
            write: gives an updated object a symbol; by default `Trace.write_target`.
        """
        write = write or trace.write_target
        changed = results[len(self.tensors) :]
        for (target, _), symbol in zip(self.updates, changed, strict=False):
            write(target, symbol)
        held = iter([wrap(symbol) for symbol in changed[len(self.updates) :]])
        for (_, name), (owner, value) in self.attributes.items():
            trace.set_attribute(owner, name, tree.map_tensors(lambda _: next(held), value))


def outlined(
    trace: Trace, scope: TraceScope, result: Any, keeps: Callable[[Any, Symbol, Symbol], bool] | None = None
) -> Outlined:
    """The outlined function of a scope that is about to end.

    Args:
        result: the returned value of the function.
        keeps: whether an update counts; it gets the updated object, its symbol now, and its symbol before.
    """
    tensors = tree.tensors(result)
    updates = [
        (target, symbol)
        for (target, symbol), (_, before) in zip(trace.updates(scope), scope.written.values(), strict=True)
        if keeps is None or keeps(target, symbol, before)
    ]
    attributes = {key: trace.attributes[key] for key in scope.attributes if key in trace.attributes}
    outputs = [trace.read(tensor) for tensor in tensors]
    outputs += [symbol for _, symbol in updates]
    outputs += [trace.read(tensor) for _, value in attributes.values() for tensor in tree.tensors(value)]
    graph = scope.recorder.finish(outputs)
    captures = {value: outside for outside, value in scope.recorder.captures.items()}
    return Outlined(result, tensors, updates, attributes, graph, captures)
