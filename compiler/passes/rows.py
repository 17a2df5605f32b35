"""Joins of rows: a stack of a tensor's own rows is that tensor, or a slice of it.

    %a: f32[1, 4] = slice(%x, start=(0, 0), stop=(1, 4))        %y: f32[2, 4] = slice(%x, start=(0, 0), stop=(2, 4))
    %b: f32[1, 4] = slice(%x, start=(1, 0), stop=(2, 4))
    %y: f32[2, 4] = concatenate(%a, %b, axis=0)

The rows may be reshaped, in reverse, or every second one, and other parts may stand between them. Lists that a loop has
filled are stacked so. Their gradients are sums of such rows, padded to their places: these are joined, too, before
other rules compute something with each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...runtime.records import dataclass
from .. import ops
from ..ir.graph import Graph, Node, make_node, uses
from ..ir.naming import take_name
from ..ir.op import Op
from ..ir.subgraphs import map_subgraphs
from ..ir.values import Literal, Operand


def join_rows(graph: Graph) -> Graph:
    """Take joins of neighbouring rows from their tensor at once."""
    if ops.concatenate not in graph.ops and ops.pad not in graph.ops:
        return graph
    return _Joining(graph).run()


class _Joining:
    """One walk through a graph.

    Attributes:
        nodes: the new nodes.
        producers: the nodes of values so far.
        inner: sums that only another sum reads.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes: list[Node] = []
        self.producers: dict[Operand, Node] = {}
        self.mapping: dict[Operand, Operand] = {}
        self.inner = _inner_sums(graph)

    def run(self) -> Graph:
        """The new graph."""
        for node in self.graph.nodes:
            if not self.mapping.keys().isdisjoint(node.inputs):
                node = node.with_inputs([self.mapping.get(item, item) for item in node.inputs])
            node = map_subgraphs(node, join_rows)
            new = self.joined(node) if node.op is ops.concatenate else None
            if node.op is ops.add and node.output not in self.inner and node.output.type.is_static:
                new = self.summed(node)
            if new is None:
                self.nodes.append(node)
                self.producers.update((value, node) for value in node.outputs)
            else:
                self.mapping[node.output] = new
                take_name(new, node.output)
        outputs = tuple(self.mapping.get(item, item) for item in self.graph.outputs)
        return self.graph.with_nodes(tuple(self.nodes), outputs)

    def make(self, like: Node, op: Op, inputs: Sequence[Operand], **attrs: Any) -> Operand:
        """The output of a new node."""
        node = make_node(op, inputs, attrs, like.location)
        self.nodes.append(node)
        self.producers[node.output] = node
        return node.output

    # Sums of padded rows

    def summed(self, node: Node) -> Operand | None:
        """A sum of rows of one tensor that are padded to their places: these rows. None for other sums."""
        others: list[Operand] = []
        found: dict[tuple[int, int, int], Operand] = {}
        pending = list(node.inputs)
        while pending:
            operand = pending.pop()
            made = self.producers.get(operand)
            place = _place(made)
            if operand in self.inner and made is not None and made.op is ops.add:
                pending += made.inputs
            elif made is not None and place is not None and place not in found:
                found[place] = made.inputs[0]
            else:
                others.append(operand)
        places = sorted(found)
        if len(places) < 2 or any(axis != places[0][0] for axis, _, _ in places):
            return None
        axis, known = places[0][0], 0
        for _, start, stop in places:
            if start != known:
                return None
            known = stop
        if known != node.output.type.static_shape[axis]:
            return None
        parts = [found[place] for place in places]
        merged = self.merged(node, parts, axis)
        if len(merged) == len(parts):
            return None
        total = self.concatenation(node, merged, axis)
        for operand in others:
            total = self.make(node, ops.add, [operand, total])
        return total

    # Rows of one tensor

    def joined(self, node: Node) -> Operand | None:
        """A concatenation with runs of neighbouring rows as one part each; None if there are none."""
        if not node.output.type.is_static:
            return None
        parts = self.merged(node, node.inputs, node.attrs["axis"])
        return None if len(parts) == len(node.inputs) else self.concatenation(node, parts, node.attrs["axis"])

    def concatenation(self, like: Node, parts: Sequence[Operand], axis: int) -> Operand:
        """Parts behind each other."""
        return parts[0] if len(parts) == 1 else self.make(like, ops.concatenate, parts, axis=axis)

    def merged(self, like: Node, parts: Sequence[Operand], axis: int) -> list[Operand]:
        """The parts of a concatenation, with runs of neighbouring rows as one part each."""
        rows = [self.rows(part) for part in parts]
        found: list[Operand] = []
        begin = 0
        while begin < len(parts):
            first, end = rows[begin], begin + 1
            step = None
            while first is not None and end < len(parts):
                before, here = rows[end - 1], rows[end]
                assert before is not None
                if here is None or here.x is not first.x or (axis and parts[end].type != parts[begin].type):
                    break
                by = _step(before, here)
                if by is None or (step is not None and by != step):
                    break
                step, end = by, end + 1
            if first is None or step is None:
                found.append(parts[begin])
            else:
                found.append(self.run_of(like, parts[begin:end], [row for row in rows[begin:end] if row], step, axis))
            begin = end
        return found

    def rows(self, operand: Operand) -> _Rows | None:
        """The rows of a tensor whose elements an operand has, in their order."""
        node = self.producers.get(operand)
        while node is not None and node.op is ops.reshape:
            node = self.producers.get(node.inputs[0])
        if node is None or not node.inputs or not node.inputs[0].type.is_static or not operand.type.is_static:
            return None
        x = node.inputs[0]
        if node.op is ops.take and node.attrs["axis"] == 0 and isinstance(node.inputs[1], Literal):
            at = node.inputs[1].value
            size = x.type.static_shape[0]
            return _Rows(x, at, at + 1) if isinstance(at, int) and 0 <= at < size else None
        if node.op is not ops.slice or not x.type.rank:
            return None
        bounds = zip(node.attrs["start"], node.attrs["stop"], node.attrs["step"], x.type.static_shape, strict=True)
        (start, stop, step), *others = [slice(*part).indices(size) for *part, size in bounds]
        if (
            step != 1
            or start >= stop
            or any(cut != (0, size, 1) for cut, size in zip(others, x.type.static_shape[1:], strict=True))
        ):
            return None
        return _Rows(x, start, stop)

    def run_of(self, like: Node, parts: Sequence[Operand], rows: Sequence[_Rows], step: int, axis: int) -> Operand:
        """Neighbouring parts as one: a selection of rows of their tensor, in the form of the parts."""
        x, rest = rows[0].x, rows[0].x.type.static_shape[1:]
        low, high = min(row.start for row in rows), max(row.stop for row in rows)
        found: Operand = x
        if (low, high, abs(step)) != (0, x.type.static_shape[0], 1):
            ends = {"start": (low, *[0] * len(rest)), "stop": (high, *rest)}
            found = self.make(like, ops.slice, [x], **ends, step=(abs(step), *[1] * len(rest)))
        if step < 0:
            found = self.make(like, ops.reverse, [found], axes=(0,))
        shape = parts[0].type.static_shape
        if axis:
            found = self.reshaped(like, found, (len(parts), *shape))
            order = (*range(1, axis + 1), 0, *range(axis + 1, len(shape) + 1))
            found = self.make(like, ops.transpose, [found], axes=order)
        size = sum(part.type.static_shape[axis] for part in parts)
        return self.reshaped(like, found, (*shape[:axis], size, *shape[axis + 1 :]))

    def reshaped(self, like: Node, operand: Operand, shape: tuple[int, ...]) -> Operand:
        """An operand in another shape."""
        return operand if operand.type.shape == shape else self.make(like, ops.reshape, [operand], shape=shape)


@dataclass(frozen=True)
class _Rows:
    """Neighbouring rows of a tensor."""

    x: Operand
    start: int
    stop: int


def _step(before: _Rows, here: _Rows) -> int | None:
    """By how much the rows of a part are behind those of the part before, where that continues it: 1 for a part of any
    size that follows at once; other steps are between single rows."""
    if here.start == before.stop:
        return 1
    single = here.stop - here.start == before.stop - before.start == 1
    return here.start - before.start if single and here.start != before.start else None


def _place(node: Node | None) -> tuple[int, int, int] | None:
    """The axis along which a node pads with zeros, and from where to where its input stands."""
    if node is None or node.op is not ops.pad or node.attrs["value"] != 0:
        return None
    low, high = node.attrs["low"], node.attrs["high"]
    padded = [axis for axis in range(len(low)) if low[axis] or high[axis]]
    if len(padded) != 1 or min(*low, *high) < 0 or not node.output.type.is_static:
        return None
    (axis,) = padded
    return axis, low[axis], low[axis] + node.inputs[0].type.static_shape[axis]


def _inner_sums(graph: Graph) -> set[Operand]:
    """Values that only a sum of their type reads."""
    counts: dict[Any, int] = {**uses(graph)}
    return {
        operand
        for node in graph.nodes
        if node.op is ops.add
        for operand in node.inputs
        if counts.get(operand, 0) == 1 and operand.type == node.output.type
    }
