"""Vectorization: the graph of a function of one row becomes the graph of the function of a batch of rows.

Every value of the result has the batch as its first axis, or is the same for all rows and computed once. `Op.batch` is
the rule of an op. Ops that broadcast need no rule, and an op without one runs row by row, in a scan of that op.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...runtime import dtypes
from ...runtime.records import dataclass
from .. import ops
from ..ir.dependence import draws, varying_outputs
from ..ir.graph import Graph, Node
from ..ir.op import ACTIVE, Op
from ..ir.rules import UnvectorizableError
from ..ir.values import Literal, Operand, literal
from ..ops.batching import elementwise
from .symbolic import Recorder, Symbol


@dataclass(frozen=True)
class Whole:
    """A result that is the same for every row."""

    symbol: Symbol


class Batch:
    """The batch, for a rule and one use of its op.

    Attributes:
        op: the op.
        size: the number of rows.
        mapped: for each input whether it has the batch as its first axis; the others are the same for all rows.
    """

    def __init__(self, op: Op, size: int, mapped: Sequence[bool]) -> None:
        self.op = op
        self.size = size
        self.mapped = tuple(mapped)

    def rank(self, inputs: Sequence[Symbol], position: int) -> int:
        """The number of dimensions that an input has in one row."""
        return inputs[position].rank - self.mapped[position]

    def with_mapped(self, *mapped: bool) -> Batch:
        """The same batch for a use with other inputs."""
        return Batch(self.op, self.size, mapped)

    def stack(self, x: Symbol, mapped: bool) -> Symbol:
        """x with the batch as its first axis; it is repeated if it has none."""
        if mapped:
            return x
        if x.type.is_static:
            return ops.broadcast_to(x, shape=(self.size, *x.shape))
        again = ops.full(shape=(self.size,), value=0, dtype=dtypes.int64)
        return ops.take(ops.insert_axes(x, (0,)), again, axis=0)

    def stacked(self, inputs: Sequence[Symbol]) -> list[Symbol]:
        """Every input with the batch as its first axis."""
        return [self.stack(x, mapped) for x, mapped in zip(inputs, self.mapped, strict=True)]

    def align(self, x: Symbol, mapped: bool, rank: int) -> Symbol:
        """x reshaped to broadcast with batches of rows of `rank` dimensions."""
        missing = rank + 1 - x.rank
        return ops.insert_axes(x, tuple(range(1, 1 + missing))) if mapped and missing > 0 else x

    def aligned(self, inputs: Sequence[Symbol]) -> list[Symbol]:
        """All inputs reshaped to broadcast with each other."""
        rank = max(self.rank(inputs, position) for position in range(len(inputs)))
        return [self.align(x, mapped, rank) for x, mapped in zip(inputs, self.mapped, strict=True)]

    def fold(self, x: Symbol, axis: int) -> Symbol:
        """x (batch, …) with the batch merged into this axis of its rows."""
        if axis:
            x = ops.transpose(x, axes=(*range(1, axis + 1), 0, *range(axis + 1, x.rank)))
        return ops.flatten_axes(x, axis, axis + 2)

    def unfold(self, x: Symbol, axis: int) -> Symbol:
        """x with the batch split from this axis again."""
        if x.shape.count(None) - (x.shape[axis] is None):
            raise UnvectorizableError(f"{self.op.name} gives {x.type}")
        whole = x.shape[axis]
        part = -1 if whole is None else whole // self.size if self.size else 0
        shape = [size if size is not None else -1 for size in x.shape]
        x = ops.reshape(x, shape=(*shape[:axis], self.size, part, *shape[axis + 1 :]))
        return ops.transpose(x, axes=(axis, *range(axis), *range(axis + 1, x.rank))) if axis else x

    def rows(self, rank: int = 0) -> Symbol:
        """The row numbers, in a shape that broadcasts with batches of rows of `rank` dimensions."""
        numbers = ops.iota(start=0, step=1, size=self.size, dtype=dtypes.int64)
        return ops.insert_axes(numbers, tuple(range(1, 1 + rank)))

    def whole(self, symbol: Symbol) -> Whole:
        """Mark a result as the same for every row."""
        return Whole(symbol)

    def graph(self, graph: Graph, mapped: Sequence[bool], force: Sequence[bool] = ()) -> Graph:
        """A graph among the attributes in batched form. Outputs have the batch if they vary, or if `force` says so."""
        return vectorize_graph(graph, mapped, self.size, force)


def vectorize_graph(graph: Graph, mapped: Sequence[bool], size: int, force: Sequence[bool] = ()) -> Graph:
    """The graph on a batch. `mapped` parameters have the batch as first axis, and so do outputs that vary."""
    recorder = Recorder(graph.name)
    with recorder:
        arguments = [
            recorder.parameter(value.type.with_shape((size, *value.type.shape)) if here else value.type, value.name)
            for value, here in zip(graph.parameters, mapped, strict=True)
        ]
        results = vectorize(graph, mapped, size, arguments)
        wanted = varying_outputs(graph, mapped)
        wanted = [a or b for a, b in zip(wanted, force or wanted, strict=True)]
        batch = Batch(ops.copy, size, ())
        return recorder.finish(
            [batch.stack(x, here) if want else x for (x, here), want in zip(results, wanted, strict=True)]
        )


def vectorize(
    graph: Graph, mapped: Sequence[bool], size: int, arguments: Sequence[Symbol]
) -> list[tuple[Symbol, bool]]:
    """Record the graph on a batch in the active recorder. Returns its outputs, and whether each has the batch as first
    axis.

    Raises:
        UnvectorizableError: where a batch has no such form; nodes may have been recorded by then.
    """
    recorder: Recorder = ACTIVE.recorder
    found: dict[Operand, tuple[Symbol, bool]] = dict(
        zip(graph.parameters, zip(arguments, mapped, strict=True), strict=True)
    )

    def look(operand: Operand) -> tuple[Symbol, bool]:
        return (Symbol(operand, recorder), False) if isinstance(operand, Literal) else found[operand]

    locate = recorder.locate
    try:
        for node in graph.nodes:
            recorder.locate = lambda node=node: node.location
            inputs, flags = zip(*map(look, node.inputs), strict=True) if node.inputs else ((), ())
            if any(flags) or draws(node):
                results = _apply(node, inputs, flags, size)
            else:
                copy = recorder.append(node.op, [recorder.lift(x) for x in inputs], node.attrs)
                results = [(Symbol(value, recorder), False) for value in copy.outputs]
            found.update(zip(node.outputs, results, strict=True))
        return [look(operand) for operand in graph.outputs]
    finally:
        recorder.locate = locate


def _apply(node: Node, inputs: Sequence[Symbol], mapped: Sequence[bool], size: int) -> list[tuple[Symbol, bool]]:
    """One node on a batch."""
    if node.op.kind == "effect" and node.op.batch is None:
        raise UnvectorizableError(f"{node.op.name} acts row by row")
    rule = node.op.batch or (elementwise if node.op.kind == "elementwise" else None)
    results = NotImplemented if rule is None else rule(Batch(node.op, size, mapped), *inputs, **node.attrs)
    if results is NotImplemented:
        return [(symbol, True) for symbol in _row_by_row(node, inputs, mapped, size)]
    if not isinstance(results, (tuple, list)):
        results = () if results is None else (results,)
    return [(item.symbol, False) if isinstance(item, Whole) else (item, True) for item in results]


def _row_by_row(node: Node, inputs: Sequence[Symbol], mapped: Sequence[bool], size: int) -> list[Symbol]:
    """A scan of one node over the rows of its inputs."""
    if not all(value.type.is_static for value in node.outputs):
        raise UnvectorizableError(f"{node.op.name} gives sizes that may differ from row to row")
    outer: Recorder = ACTIVE.recorder
    inner = Recorder("rows", parent=outer)
    with inner:
        inner.parameter(ops.INDEX, "i")
        over = [x for x, here in zip(inputs, mapped, strict=True) if here]
        slices = iter([inner.parameter(x.type.with_shape(x.shape[1:]), "row") for x in over])
        operands = [inner.lift(next(slices) if here else x) for x, here in zip(inputs, mapped, strict=True)]
        body = inner.finish([Symbol(value, inner) for value in inner.append(node.op, operands, node.attrs).outputs])
    operands = [literal(size, dtypes.int64), *[outer.lift(x) for x in over], *inner.captures]
    attrs = {"body": body, "carried": 0, "scanned": len(over), "length": size, "reverse": False}
    return [Symbol(value, outer) for value in outer.append(ops.scan, operands, attrs).outputs]
