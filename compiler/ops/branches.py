"""Recording of branches: each in a recorder of its own; then both get the same parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..ir.graph import Graph
from ..ir.op import ACTIVE, Op
from ..ir.rules import Recorder, Symbol
from ..ir.values import Operand, Value, type_of

Branch = Callable[[Recorder], Sequence[Any]]


def record_branches(cond: Op, pred: Symbol, then: Branch, orelse: Branch) -> tuple[Any, ...]:
    """Record the op `cond` in the active recorder. The branches may read values from outside."""
    outer = ACTIVE.recorder
    branches = []
    for name, function in (("then", then), ("orelse", orelse)):
        inner = outer.inner(name)
        with inner:
            branches.append((inner, inner.lifted(function(inner))))
    return finish_branches(cond, outer, pred, branches)


def finish_branches(
    cond: Op, outer: Recorder, pred: Symbol, branches: Sequence[tuple[Recorder, tuple[Operand, ...]]]
) -> tuple[Any, ...]:
    """Record the op `cond` for two finished branches, each with its outputs. Both get the same parameters: all that
    either captured."""
    (then, _), (orelse, _) = branches
    captured = tuple({**then.captures, **orelse.captures})
    graphs = []
    for inner, outputs in branches:
        parameters = [inner.captures.get(value) or Value(value.type, value.name) for value in captured]
        graphs.append(Graph(inner.name, tuple(parameters), tuple(inner.nodes), outputs))
    left, right = [list(map(type_of, graph.outputs)) for graph in graphs]
    plain = left == right and pred.dtype.is_bool and not pred.rank  # else the types are to be inferred, or an error
    attrs = {"then": graphs[0], "orelse": graphs[1]}
    node = outer.append(cond, (outer.lift(pred), *captured), attrs, types=left if plain else None)
    return tuple(map(outer.symbol, node.outputs))
