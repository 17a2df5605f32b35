"""Sums of outer products become one GEMM: a loop stacks the factors, and the product follows the loop.

    %w, %ys = scan(8, %w0, %as, %bs) {       %ys, %ss, %ts = scan(8, %as, %bs) {
      %p = matmul(%a, %b)                      return %y, %s, %t
      %w = add(%w, %p)                       }
      return %w, %y                          %p = matmul(%ss, %ts)
    }                                        %w = add(%w0, %p)

The backward of a loop adds to the gradient of a matrix in every iteration: a product with few rows, and an addition as
large as the matrix. With the rows of all iterations stacked, it is one product. Sums of rows, of small terms, and at
positions of an iteration, as the gradient of a row that it chose, are moved behind the loop, too. A sum of several
terms is divided if one of them is a product or at positions.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ...runtime.records import dataclass
from .. import ops
from ..ir.graph import Graph, Node, Replacement, uses
from ..ir.loops import Loop
from ..ir.op import Op
from ..ir.subgraphs import map_subgraphs
from ..ir.values import Operand, Value
from .dce import eliminate_dead_code
from .places import place_scatters
from .shapes import swap_axes

MOST_STACKED = 1 << 21  # elements that a sum may stack, which the loop would not have kept
SMALL_TERM = 1 << 12  # elements; of larger ones adding up takes longer than the calls that stacking saves
SMALL_WHOLE = 1 << 10  # elements of a term that is no sum: the kernel that computes a larger one adds it up as fast


def sum_outer_products(graph: Graph) -> Graph:
    """Move sums that a scan of known length carries, and does not otherwise read, behind it; also in sub-graphs."""
    if not any(op.kind == "loop" for op in graph.ops):
        return graph
    nodes: list[Node] = []
    mapping: dict[Operand, Operand] = {}
    producers: dict[Operand, Node] = {}
    for node in graph.nodes:
        node = map_subgraphs(node, sum_outer_products)
        if mapping and any(operand in mapping for operand in node.inputs):
            node = node.with_inputs(mapping.get(operand, operand) for operand in node.inputs)
        loop = Loop.of(node) if node.op.kind == "loop" else None
        if loop is not None and loop.length is not None and loop.test is None:
            node = replace(node, attrs={**node.attrs, "body": place_scatters(loop.body)})
            found = _find_sums(Loop.of(node), loop.length)
            if found:
                new = _Loop(node).without(found, producers, mapping)
                producers.update((value, each) for each in new for value in each.outputs)
                nodes += new
                continue
        producers.update((value, node) for value in node.outputs)
        nodes.append(node)
    outputs = tuple(mapping.get(operand, operand) for operand in graph.outputs)
    return graph.with_nodes(tuple(nodes), outputs)


@dataclass(frozen=True)
class _Sum:
    """A sum that a loop carries at `position`: of products of `parts`, which have so many `rows`, for each of a `batch`
    of matrices; or, if there are no rows, of one part over `axis`; or at positions: `scattered` is the node, and
    `parts` its inputs that change. `sign`: by which op it is added."""

    position: int
    parts: tuple[Value, ...]
    axis: tuple[int, ...] = ()
    keepdims: bool = False
    rows: int = 0
    batch: tuple[int, ...] = ()
    scattered: Node | None = None
    sign: Op = ops.add

    @property
    def is_plain(self) -> bool:
        """Whether it is a sum of whole terms."""
        return not self.rows and not self.axis and self.scattered is None


def _find_sums(loop: Loop, length: int) -> list[_Sum]:
    """The sums that the body of a scan carries and does not otherwise read."""
    body, carried = loop.body, loop.carried
    producers: dict[Operand, Node] = {value: inner for inner in body.nodes for value in inner.outputs}
    counts: dict[Operand, int] = dict(uses(body).items())
    invariant: set[Operand] = {*body.parameters[loop.rows.stop :]}
    kept = {value for value in loop.stacked if isinstance(value, Value)}
    kept.update(body.parameters[loop.rows.start : loop.rows.stop])
    found: list[_Sum] = []
    for position in range(carried):
        total = body.parameters[1 + position]
        if counts.get(total) != 1 or not total.type.is_static:
            continue
        added = _added(body.outputs[position], total, producers, counts)
        if added is None:
            continue
        term, sign = added
        if term.type != total.type or term not in producers:
            continue
        several = [_parts(position, each, sign, producers, invariant) for each in _summands(term, producers, counts)]
        if any(each.is_plain for each in several):
            several = [_parts(position, term, sign, producers, invariant)]
        if any(part in invariant or not isinstance(part, Value) for each in several for part in each.parts):
            continue
        new = sum(part.type.size for part in {part for each in several for part in each.parts} if part not in kept)
        if new * length <= MOST_STACKED and (new <= SMALL_TERM or new <= 2 * total.type.size):
            if total.type.size > SMALL_WHOLE and any(each.is_plain for each in several):
                continue
            found += several
    return found


def _added(
    result: Operand, total: Value, producers: Mapping[Operand, Node], counts: Mapping[Operand, int]
) -> tuple[Operand, Op] | None:
    """What is added to a total, or subtracted from it, to get a result, and by which op; None if it is something
    else."""
    adding = producers.get(result)
    if adding is None or not (adding.op is ops.add or adding.op is ops.subtract) or counts[adding.output] != 1:
        return None
    first, second = adding.inputs
    if first is total:
        return second, adding.op
    return (first, ops.add) if second is total and adding.op is ops.add else None


def _summands(term: Operand, producers: Mapping[Operand, Node], counts: Mapping[Operand, int]) -> list[Operand]:
    """The terms that are only added up to get a term; this one if it is no such sum."""
    node = producers.get(term)
    if node is None or node.op is not ops.add or counts[term] != 1:
        return [term]
    if any(operand.type != term.type or operand not in producers for operand in node.inputs):
        return [term]
    return [each for operand in node.inputs for each in _summands(operand, producers, counts)]


def _parts(
    position: int, term: Operand, sign: Op, producers: Mapping[Operand, Node], invariant: Collection[Operand]
) -> _Sum:
    """The values to stack for a term, so that it can be summed later."""
    node = producers[term]
    if node.op is ops.matmul and all(x.type.rank > 1 and x.type.is_static and x.type.size for x in node.inputs):
        a, b = node.inputs
        *batch, rows, _ = b.type.static_shape
        left = producers.get(a)
        if (*batch,) == a.type.static_shape[:-2]:
            parts: tuple[Operand, ...] = ()
            if left is not None and left.op is ops.transpose and left.attrs["axes"] == swap_axes(a.type.rank):
                parts = left.inputs[0], b
            elif rows == 1:
                parts = tuple([_before_reshape(x, producers) for x in node.inputs])
            if parts:
                return _Sum(position, parts, rows=rows, batch=(*batch,), sign=sign)  # type: ignore[arg-type]
    if node.op is ops.sum and node.inputs[0].type.is_static and isinstance(node.inputs[0], Value):
        return _Sum(position, (node.inputs[0],), tuple(node.attrs["axis"]), node.attrs["keepdims"], sign=sign)
    if node.op is ops.scattered and node.attrs["reduction"] == "add":
        varying = tuple(each for each in node.inputs if each not in invariant or each is node.inputs[0])
        return _Sum(position, varying, scattered=node, sign=sign)  # type: ignore[arg-type]
    return _Sum(position, (term,), sign=sign)  # type: ignore[arg-type]


def _before_reshape(x: Operand, producers: Mapping[Operand, Node]) -> Operand:
    """A value with the same elements in the same order, of any shape."""
    while x in producers and producers[x].op is ops.reshape:
        (x,) = producers[x].inputs
    return x


class _Loop(Replacement):
    """A scan that is being rewritten, and new nodes behind it."""

    def without(
        self, sums: Sequence[_Sum], producers: dict[Operand, Node], mapping: dict[Operand, Operand]
    ) -> list[Node]:
        """The loop without these sums and the nodes that compute them. `mapping` gets their replacements."""
        node, attrs = self.node, self.node.attrs
        body: Graph = attrs["body"]
        carried, scanned, length = attrs["carried"], attrs["scanned"], attrs["length"]
        gone = {each.position for each in sums}
        states = [i for i in range(carried) if i not in gone]
        stacked: dict[Operand, Operand] = {}
        for position in range(1 + carried, 1 + carried + scanned):
            stacked[body.parameters[position]] = node.inputs[position]
        for operand, value in zip(body.outputs[carried:], node.outputs[carried:], strict=True):
            stacked.setdefault(operand, value)
        more: list[Value] = []
        stacks: list[Value] = []
        counter = body.parameters[0]
        if any(counter in each.parts for each in sums):
            stacked[counter] = self.add(ops.iota, start=0, step=1, size=length, dtype=counter.type.dtype)
        for part in dict.fromkeys(part for each in sums for part in each.parts):
            if part not in stacked:
                more.append(part)
                stacks.append(Value(part.type.with_shape((length, *part.type.static_shape)), part.name))
                stacked[part] = stacks[-1]
        inner = replace(
            body,
            parameters=tuple(value for i, value in enumerate(body.parameters) if i - 1 not in gone),
            outputs=(*[body.outputs[i] for i in states], *body.outputs[carried:], *more),
        )
        loop = replace(
            node,
            inputs=tuple(operand for i, operand in enumerate(node.inputs) if i - 1 not in gone),
            outputs=(*[node.outputs[i] for i in states], *node.outputs[carried:], *stacks),
            attrs={**attrs, "body": eliminate_dead_code(inner), "carried": len(states)},
        )
        outside: dict[Operand, Operand] = dict(
            zip(body.parameters[1 + carried + scanned :], node.inputs[1 + carried + scanned :], strict=True)
        )
        for each in sums:
            if each.scattered is None:
                total = self.total(each, [stacked[part] for part in each.parts])
            else:
                total = self.at_positions(each.scattered, {**outside, **stacked}, stacked)
            start = mapping.get(node.outputs[each.position], node.inputs[1 + each.position])
            made = producers.get(start)
            if each.sign is not ops.add or made is None or made.op is not ops.full or made.attrs["value"] != 0:
                total = self.add(each.sign, start, total)
            mapping[node.outputs[each.position]] = total
        return [loop, *self.nodes]

    def at_positions(self, node: Node, known: Mapping[Operand, Operand], stacked: Collection[Operand]) -> Value:
        """A sum at positions over all iterations. `known`: what an iteration's operands are outside; `stacked`:
        those of which each iteration has its own."""
        attrs, length = node.attrs, self.node.attrs["length"]
        rank = len(attrs["region"])
        inputs: list[Operand] = []
        for operand in node.inputs:
            given = known.get(operand, operand)
            if operand in stacked and operand.type.rank < rank:
                shape = (length, *(1,) * (rank - operand.type.rank), *operand.type.static_shape)
                given = self.add(ops.reshape, given, shape=shape)
            inputs.append(given)
        axes = tuple(axis if axis < 0 else axis + 1 for axis in attrs["axes"])
        return self.add(ops.scattered, *inputs, **{**attrs, "axes": axes, "region": (length, *attrs["region"])})

    def factor(self, each: _Sum, stack: Operand) -> Value:
        """The rows of all iterations one below the other, for each matrix of the batch."""
        batch, rows, length = each.batch, each.rows, self.node.attrs["length"]
        columns = stack.type.size // (math.prod(batch) * rows * length)
        if batch:
            rank = len(batch)
            stack = self.add(ops.reshape, stack, shape=(length, *batch, rows, columns))
            stack = self.add(ops.transpose, stack, axes=(*range(1, rank + 1), 0, rank + 1, rank + 2))
        return self.add(ops.reshape, stack, shape=(*batch, length * rows, columns))

    def total(self, each: _Sum, stacks: Sequence[Operand]) -> Value:
        """A sum over all iterations."""
        if each.rows:
            left, right = (self.factor(each, stack) for stack in stacks)
            return self.add(ops.matmul, self.add(ops.transpose, left, axes=swap_axes(left.type.rank)), right)
        axis = (0, *[a + 1 for a in each.axis])
        if not each.keepdims:
            return self.add(ops.sum, stacks[0], axis=axis, keepdims=False)
        total = self.add(ops.sum, stacks[0], axis=axis, keepdims=True)
        return self.add(ops.reshape, total, shape=total.type.static_shape[1:])
