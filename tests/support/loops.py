"""Builders of cond, while_loop and scan from Python functions on symbols, for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from mycel.compiler import ops
from mycel.compiler.ir.op import ACTIVE
from mycel.compiler.ir.values import Value, literal
from mycel.compiler.ops.control import INDEX, record_cond
from mycel.compiler.transforms.symbolic import Recorder, Symbol
from mycel.runtime import dtypes

Symbols = Sequence[Symbol]


def cond(pred: Symbol, then: Callable[[], Sequence[Any]], orelse: Callable[[], Sequence[Any]]) -> tuple[Symbol, ...]:
    """The symbols of `then` if pred holds, else those of `orelse`; both may read any symbol outside."""
    return record_cond(pred, lambda recorder: then(), lambda recorder: orelse())


def while_loop(
    init: Symbols,
    test: Callable[[Symbols], Any],
    body: Callable[[Symbols], Any],
    stacked: Callable[[Symbols], Sequence[Any]] = lambda state: (),
) -> tuple[Symbol, ...]:
    """The last state, the number of iterations, and the results of `stacked` for the state of each iteration,
    stacked."""
    outer: Recorder = ACTIVE.recorder
    finished = []
    for name, function in (("test", lambda s: [test(s)]), ("body", lambda s: [*body(s), *stacked(s)])):
        inner = Recorder(name, parent=outer)
        with inner:
            state = [inner.parameter(symbol.type, "state") for symbol in init]
            finished.append((inner, inner.finish(function(state))))
    captured = list(dict.fromkeys(value for inner, _ in finished for value in inner.captures))
    graphs = []
    for inner, graph in finished:
        extra = tuple(inner.captures.get(value) or Value(value.type, value.name) for value in captured)
        graphs.append(replace(graph, parameters=(*graph.parameters[: len(init)], *extra)))
    attrs = {"test": graphs[0], "body": graphs[1], "carried": len(init)}
    node = outer.append(ops.while_loop, [*map(outer.lift, init), *captured], attrs)
    return tuple(Symbol(value, outer) for value in node.outputs)


def scan(
    init: Symbols,
    xs: Symbols,
    body: Callable[[Symbol, Symbols, Symbols], tuple[Sequence[Any], Sequence[Any]]],
    length: int | Symbol,
    reverse: bool = False,
) -> tuple[Symbol, ...]:
    """The last state and stacks of `body(index, state, rows) -> (state, stacked)`; the length may be a symbol."""
    outer: Recorder = ACTIVE.recorder
    inner = Recorder("body", parent=outer)
    with inner:
        index = inner.parameter(INDEX, "i")
        state = [inner.parameter(symbol.type, "state") for symbol in init]
        rows = [inner.parameter(symbol.type.with_shape(symbol.shape[1:]), "row") for symbol in xs]
        next_state, stacked = body(index, state, rows)
        graph = inner.finish([*next_state, *stacked])
    known = isinstance(length, int)
    count = literal(length, dtypes.int64) if isinstance(length, int) else outer.lift(length)
    attrs = {
        "body": graph,
        "carried": len(init),
        "scanned": len(xs),
        "length": length if known else None,
        "reverse": reverse,
    }
    node = outer.append(ops.scan, [count, *map(outer.lift, init), *map(outer.lift, xs), *inner.captures], attrs)
    return tuple(Symbol(value, outer) for value in node.outputs)
