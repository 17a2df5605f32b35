"""Control flow on a batch of rows: batch rules for the ops that hold graphs.

If the rows of a batch disagree, a branch or an iteration runs for all of them, and each row keeps its own results. Rows
that do not take part then run on the numbers of a row that does. So nothing that they compute can fail, or turn
gradients of zero into nan.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...runtime import dtypes
from ..ir.dependence import varying_outputs
from ..ir.graph import Graph
from ..ir.op import ACTIVE
from ..ir.rules import Batch, Recorder, Symbol, UnvectorizableError
from ..ir.values import literal
from .arithmetic import add
from .branches import record_branches
from .comparison import less, logical_and, logical_not, select
from .conversion import cast, stop_gradient
from .creation import zeros_of
from .gathering import take
from .reduction import any as any_, argmax, max as max_, sum as sum_
from .shape import insert_axes, transpose


def _inline(graph: Graph, arguments: Sequence[Any]) -> tuple[Symbol, ...]:
    return ACTIVE.recorder.inline(graph, arguments)


def _fit(mask: Any, x: Any) -> Any:
    """A mask of rows in a shape that broadcasts with a batch x."""
    return insert_axes(mask, tuple(range(1, x.rank)))


def _choose(mask: Any, x: Any, other: Any) -> Any:
    return select(_fit(mask, x), x, other)


def _standing_in(mask: Any, items: Sequence[Any], mapped: Sequence[bool], used: Sequence[bool]) -> list[Any]:
    """Each batch among the items, with rows outside of the mask replaced by the first row inside. Other items stay."""
    first = argmax(cast(mask, dtype=dtypes.int32), axis=0, dtype=dtypes.int64)
    return [
        _choose(mask, x, stop_gradient(insert_axes(take(x, first, axis=0), (0,)))) if here and need else x
        for x, here, need in zip(items, mapped, used, strict=True)
    ]


def _used(graph: Graph) -> list[bool]:
    """For each parameter whether something reads it."""
    read = {operand for node in graph.nodes for operand in node.inputs} | set(graph.outputs)
    return [value in read for value in graph.parameters]


def _need_static(batch: Batch, graph: Graph) -> None:
    if not all(type.is_static for type in graph.types):
        raise UnvectorizableError(f"{batch.op.name} gives sizes that may differ from row to row")


def batch_cond(batch: Batch, pred: Any, *operands: Any, then: Graph, orelse: Graph) -> Any:
    """If all rows have one condition: a cond of batches. Else both branches, each for the rows that take it."""
    mapped = batch.mapped[1:]
    if not batch.mapped[0]:
        force = [a or b for a, b in zip(varying_outputs(then, mapped), varying_outputs(orelse, mapped), strict=True)]
        graphs = {name: batch.graph(graph, mapped, force) for name, graph in (("then", then), ("orelse", orelse))}
        return _marked(batch, batch.op(pred, *operands, **graphs), force)
    _need_static(batch, then)
    _need_static(batch, orelse)
    everything = [True] * len(then.outputs)

    def run(mask: Any, graph: Graph) -> tuple[Any, ...]:
        batched = batch.graph(graph, mapped, everything)

        def taken(_: Recorder) -> Sequence[Any]:
            return _inline(batched, _standing_in(mask, operands, mapped, _used(graph)))

        return record_branches(
            batch.op, any_(mask, axis=(0,), keepdims=False), taken, lambda _: [zeros_of(type) for type in batched.types]
        )

    results = zip(run(pred, then), run(logical_not(pred), orelse), strict=True)
    return tuple(_choose(pred, a, b) for a, b in results)


def _marked(batch: Batch, results: Any, mapped: Sequence[bool]) -> tuple[Any, ...]:
    items = results if isinstance(results, tuple) else () if results is None else (results,)
    return tuple(x if here else batch.whole(x) for x, here in zip(items, mapped, strict=True))


def _state_flags(body: Graph, first: int, flags: Sequence[bool], carried: int) -> list[bool]:
    """The parameters of a loop's body that vary from row to row after all iterations."""
    flags = list(flags)
    while True:
        grown = list(flags)
        for position, here in enumerate(varying_outputs(body, flags)[:carried]):
            grown[first + position] = grown[first + position] or here
        if grown == flags:
            return flags
        flags = grown


def _swap(x: Any) -> Any:
    """A stack of batches as a batch of stacks, or back."""
    return transpose(x, axes=(1, 0, *range(2, x.rank)))


def batch_while(batch: Batch, *operands: Any, test: Graph, body: Graph, carried: int) -> Any:
    """A loop over batches, which runs while any row continues. Rows that are done keep their state."""
    flags = _state_flags(body, 0, batch.mapped, carried)
    if not varying_outputs(test, flags)[0]:
        state = [batch.stack(x, here) if need else x for x, here, need in _zip(operands, batch.mapped, flags)]
        out = varying_outputs(body, flags)
        force = [*flags[:carried], *out[carried:]]
        attrs = {"test": batch.graph(test, flags), "body": batch.graph(body, flags, force), "carried": carried}
        results = batch.op(*state, **attrs)
        items = results if isinstance(results, tuple) else (results,)
        stacks = [_swap(x) if here else x for x, here in zip(items[carried + 1 :], force[carried:], strict=True)]
        return _marked(batch, (*items[: carried + 1], *stacks), [*force[:carried], False, *force[carried:]])
    _need_static(batch, body)
    flags = [here or position < carried for position, here in enumerate(batch.mapped)]
    flags = _state_flags(body, 0, flags, carried)
    state = [batch.stack(x, here) if need else x for x, here, need in _zip(operands, batch.mapped, flags)]
    test_batch = batch.graph(test, flags, [True])
    body_batch = batch.graph(body, flags, [True] * len(body.outputs))
    (going,) = _inline(test_batch, state)
    trips = batch.stack(_zero(), False)

    def step(recorder: Recorder, values: list[Any], constants: list[Any]) -> list[Any]:
        *now, going, trips = values
        arguments = _standing_in(going, [*now, *constants], flags, _used(body))
        results = _inline(body_batch, arguments)
        after = [_choose(going, new, old) for new, old in zip(results[:carried], now, strict=True)]
        (again,) = _inline(test_batch, [*after, *constants])
        return [*after, logical_and(going, again), add(trips, cast(going, dtype=dtypes.int64)), *results[carried:]]

    outer: Recorder = ACTIVE.recorder
    values, constants = [*state[:carried], going, trips], state[carried:]
    test_graph = _sub_graph(outer, "test", values, constants, lambda _, v, c: [any_(v[-2], axis=(0,), keepdims=False)])
    body_graph = _sub_graph(outer, body.name, values, constants, step)
    results = batch.op(*values, *constants, test=test_graph, body=body_graph, carried=len(values))
    stacks = [_swap(x) for x in results[len(values) + 1 :]]
    return (*results[:carried], results[carried + 1], *stacks)


def _zero() -> Any:
    return ACTIVE.recorder.symbol(literal(0, dtypes.int64))


def _zip(*items: Sequence[Any]) -> Any:
    return zip(*items, strict=True)


def _sub_graph(outer: Recorder, name: str, values: Sequence[Any], constants: Sequence[Any], build: Any) -> Graph:
    """The graph that `build(recorder, values, constants)` records, with parameters of these symbols' types."""
    inner = outer.apart(name)
    with inner:
        given = [inner.parameter(symbol.type) for symbol in (*values, *constants)]
        return inner.finish(build(inner, given[: len(values)], given[len(values) :]))


def batch_scan(
    batch: Batch,
    count: Any,
    *operands: Any,
    body: Graph,
    carried: int,
    scanned: int,
    length: int | None,
    reverse: bool,
) -> Any:
    """A scan over batches. If rows have different counts, rows past their end keep their state."""
    ragged = batch.mapped[0]
    first = [False, *[here or (ragged and position < carried) for position, here in enumerate(batch.mapped[1:])]]
    flags = _state_flags(body, 1, first, carried)
    given = [batch.stack(x, here) if need else x for x, here, need in _zip(operands, batch.mapped[1:], flags[1:])]
    attrs: dict[str, Any] = {"carried": carried, "scanned": scanned, "length": length, "reverse": reverse}
    end = carried + scanned
    given[carried:end] = [
        _swap(x) if here else x for x, here in zip(given[carried:end], flags[1 + carried : 1 + end], strict=True)
    ]
    if not ragged:
        force = [*flags[1 : 1 + carried], *varying_outputs(body, flags)[carried:]]
        graph = batch.graph(body, flags, force)
        results = batch.op(count, *given, body=graph, **attrs)
    else:
        _need_static(batch, body)
        force = [True] * len(body.outputs)
        graph = batch.graph(body, flags, force)

        def step(index: Any, values: list[Any], rest: list[Any], counts: Any) -> list[Any]:
            here = less(index, counts)
            arguments = _standing_in(here, [*values, *rest], flags[1:], _used(body)[1:])
            results = _inline(graph, [index, *arguments])
            kept = [_choose(here, new, old) for new, old in zip(results[:carried], values, strict=True)]
            return [*kept, *results[carried:]]

        outer: Recorder = ACTIVE.recorder
        rows = [x if k < carried or k >= end else _Row(x) for k, x in enumerate(given)]
        whole = _sub_graph(
            outer,
            body.name,
            [_zero(), *rows],
            [count],
            lambda _, v, c: step(v[0], v[1 : 1 + carried], v[1 + carried :], c[0]),
        )
        results = batch.op(max_(count, axis=(0,), keepdims=False), *given, count, body=whole, **attrs)
    items = results if isinstance(results, tuple) else () if results is None else (results,)
    items = tuple(
        _swap(x) if here and position >= carried else x
        for position, (x, here) in enumerate(zip(items, force, strict=True))
    )
    return _marked(batch, items, force)


class _Row:
    """One iteration's row of a scanned batch."""

    def __init__(self, x: Any) -> None:
        self.type = x.type.with_shape(x.shape[1:])


def batch_custom_call(batch: Batch, *inputs: Any, forward: Graph, backward: Graph, given: int) -> Any:
    """The user's forward and backward, both on batches. Cotangents of values that all rows share are summed."""
    mapped = batch.mapped
    outputs = [True] * len(forward.outputs)
    batched = batch.graph(forward, mapped, outputs)
    flags = [*mapped, *outputs, *outputs]
    back = batch.graph(backward, flags, [True] * len(backward.outputs))
    recorder = ACTIVE.recorder.apart(backward.name)
    with recorder:
        results = recorder.inline(back, [recorder.parameter(value.type, value.name) for value in back.parameters])
        summed = [
            x if here else sum_(x, axis=(0,), keepdims=False) for x, here in zip(results, mapped[:given], strict=True)
        ]
        whole = recorder.finish(summed)
    return batch.op(*inputs, forward=batched, backward=whole, given=given)


def batch_recomputed(batch: Batch, *inputs: Any, body: Graph) -> Any:
    """The body on batches. It is still computed again in the backward pass."""
    return _marked(batch, batch.op(*inputs, body=batch.graph(body, batch.mapped)), varying_outputs(body, batch.mapped))
