"""GEMM batching: many small products, sums of products, and sums of padded parts become few large ones.

    %a: f32[2, 4] = slice(%x, 0, 2)          %t: f32[6, 4] = matmul(%x, %w)
    %p: f32[2, 4] = matmul(%a, %w)           %p: f32[2, 4] = slice(%t, 0, 2)
    %b: f32[4, 4] = slice(%x, 2, 6)          %q: f32[4, 4] = slice(%t, 2, 6)
    %q: f32[4, 4] = matmul(%b, %w)

An unrolled loop, such as a recurrent net over its steps, leaves one product for each step, all with the same matrix. If
their rows are adjacent in one tensor, they become one product of all these rows. In the backward pass the gradient of
the matrix is a sum of products over the steps; it becomes one product, with all steps in the inner dimension. The
gradient of the tensor that was cut is a sum of parts padded with zeros; it becomes a concatenation, or, if small
parts overlap in part, additions to slices.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any

from ...runtime.records import NamedTuple
from .. import ops
from ..ir.graph import Graph, Node, make_node, uses
from ..ir.op import Op
from ..ir.subgraphs import map_inside
from ..ir.values import Literal, Operand, Value
from ..kernels.eligible import lane_bytes
from .dce import eliminate_dead_code
from .paddings import LARGE_PART

SMALL = 1 << 16  # elements; copying this many is cheaper than the calls that it saves


class Span(NamedTuple):
    """A contiguous range of elements of a tensor."""

    base: Value
    start: int
    size: int


def batch_products(graph: Graph) -> Graph:
    """Batch products and sums of products as above, also in sub-graphs, until nothing can be merged any more: a merged
    product can be a term of a sum that merges with others."""
    if ops.matmul not in graph.ops and ops.pad not in graph.ops:
        return graph
    graph = map_inside(graph, batch_products)
    if not _has_parts(graph) or (merged := _merge_sums(_merge_rows(graph))) is graph:
        return graph
    # What was merged is not merged again; and terms in sub-graphs can be merged that gave results which nothing reads.
    return batch_products(eliminate_dead_code(merged))


def _has_parts(graph: Graph) -> bool:
    """Whether there are two products or pads; pads that are reshaped are no parts of a sum."""
    reshaped = {node.inputs[0] for node in graph.nodes if node.op is ops.reshape}
    parts = [node for node in graph.nodes if node.op is ops.matmul or node.op is ops.pad]
    return sum(node.output not in reshaped for node in parts) >= 2


class _Nodes:
    """New nodes of a graph, the values that they compute, and the replacements for values that are no longer
    computed."""

    def __init__(self, producers: dict[Operand, Node], mapping: Mapping[Operand, Operand]) -> None:
        self.nodes: list[Node] = []
        self.producers = producers
        self.mapping = mapping
        self.known: dict[Any, Value] = {}

    def add(self, like: Node, op: Op, *inputs: Operand, **attrs: Any) -> Value:
        """The output of a new node at the position of another. Equal nodes are added once."""
        inputs = tuple(self.mapping.get(operand, operand) for operand in inputs)
        key = (op, inputs, tuple(attrs.items()))
        if key not in self.known:
            node = make_node(op, inputs, attrs, like.location)
            self.nodes.append(node)
            self.producers[node.output] = node
            self.known[key] = node.output
        return self.known[key]

    def reshape(self, like: Node, x: Value, shape: tuple[int, ...]) -> Value:
        """x in a shape."""
        return x if x.type.shape == shape else self.add(like, ops.reshape, x, shape=shape)


def find_span(operand: Operand, producers: Mapping[Operand, Node]) -> Span | None:
    """The span of an operand in the tensor that it was cut from; None if it is not contiguous there."""
    if not isinstance(operand, Value) or not operand.type.is_static:
        return None
    node = producers.get(operand)
    known = node is not None and (node.op is ops.reshape or node.op is ops.slice)
    if node is None or not known or not node.inputs[0].type.is_static:
        return Span(operand, 0, operand.type.size)
    inner = find_span(node.inputs[0], producers)
    if inner is None or node.op is ops.reshape:
        return inner
    before, after = node.inputs[0].type.static_shape, operand.type.static_shape
    starts, steps = node.attrs["start"], node.attrs["step"]
    split = next((axis for axis, size in enumerate(after) if size != 1), len(after))
    if any(step != 1 for step in steps) or after[split + 1 :] != before[split + 1 :] or None in starts:
        return None
    offset = sum(start * math.prod(before[axis + 1 :]) for axis, start in enumerate(starts))
    return Span(inner.base, inner.start + offset, operand.type.size)


def _rows(nodes: _Nodes, like: Node, span: Span, columns: int) -> Value:
    """The elements of a span as a matrix with this number of columns."""
    whole = nodes.reshape(like, span.base, (span.base.type.size // columns, columns))
    first, count = span.start // columns, span.size // columns
    if count == whole.type.shape[0]:
        return whole
    return nodes.add(like, ops.slice, whole, start=(first, 0), stop=(first + count, columns), step=(1, 1))


def _merge_rows(graph: Graph) -> Graph:
    """Merge products of adjacent rows with the same matrix."""
    if ops.slice not in graph.ops:
        return graph
    producers = dict(graph.producers)
    found: dict[tuple[Value, Operand, int], list[tuple[Span, Node]]] = {}
    for node in graph.nodes:
        if node.op is ops.matmul and node.inputs[0].type.rank == node.inputs[1].type.rank == 2:
            a, b = node.inputs
            span = find_span(a, producers)
            columns = a.type.shape[1]
            if span is None or not columns or span.base is a or span.start % columns or span.base.type.size % columns:
                continue
            found.setdefault((span.base, b, columns), []).append((span, node))
    run_of: dict[Node, list[tuple[Span, Node]]] = {}
    for items in found.values():
        for run in _runs(sorted(items, key=lambda item: item[0].start)):
            run_of.update((node, run) for _, node in run)
    if not run_of:
        return graph
    mapping: dict[Operand, Operand] = {}
    nodes = _Nodes(producers, mapping)
    for node in graph.nodes:
        if node in run_of and node.output not in mapping:
            run = run_of[node]
            columns = node.inputs[0].type.static_shape[1]
            span = Span(run[0][0].base, run[0][0].start, sum(each.size for each, _ in run))
            product = nodes.add(node, ops.matmul, _rows(nodes, node, span, columns), node.inputs[1])
            first, width = 0, product.type.static_shape[1]
            for each, other in run:
                last = first + each.size // columns
                part = nodes.add(node, ops.slice, product, start=(first, 0), stop=(last, width), step=(1, 1))
                mapping[other.output] = part
                first = last
        elif node not in run_of:
            nodes.nodes.append(_moved(node, mapping))
    outputs = tuple(mapping.get(operand, operand) for operand in graph.outputs)
    return graph.with_nodes(tuple(nodes.nodes), outputs)


def _moved(node: Node, mapping: Mapping[Operand, Operand]) -> Node:
    if not mapping.keys().isdisjoint(node.inputs):
        return node.with_inputs(mapping.get(operand, operand) for operand in node.inputs)
    return node


def _runs(items: Sequence[tuple[Span, Node]]) -> Iterable[list[tuple[Span, Node]]]:
    """Runs of two or more adjacent spans."""
    run: list[tuple[Span, Node]] = []
    for item in items:
        if run and item[0].start != run[-1][0].start + run[-1][0].size:
            if len(run) > 1:
                yield run
            run = []
        run.append(item)
    if len(run) > 1:
        yield run


def _merge_sums(graph: Graph) -> Graph:
    """Merge the terms of sums of products, of sums over rows, and of padded parts."""
    trees = {node for node in graph.nodes if node.op is ops.add and _is_sum(node)}
    if not trees:
        return graph
    counts = uses(graph)
    producers = dict(graph.producers)
    inner: set[Operand] = set()  # sums that go into another sum and nowhere else
    for node in trees:
        inner.update([x for x in node.inputs if producers.get(x) in trees and counts[x] == 1])
    mapping: dict[Operand, Operand] = {}
    nodes = _Nodes(producers, mapping)
    for node in graph.nodes:
        moved = _moved(node, mapping)
        if node in trees and node.output not in inner:
            terms = _terms(node, inner, producers)
            merged = _merge_terms(nodes, node, [mapping.get(term, term) for term in terms], counts)
            if merged is not None:
                mapping[node.output] = merged
                continue
        nodes.nodes.append(moved)
    if not mapping:
        return graph
    outputs = tuple(mapping.get(operand, operand) for operand in graph.outputs)
    return graph.with_nodes(tuple(nodes.nodes), outputs)


def _is_sum(node: Node) -> bool:
    """Whether an addition is of tensors of one type."""
    type = node.output.type
    return type.is_static and all(x.type == type for x in node.inputs)


def _terms(node: Node, inner: set[Operand], producers: Mapping[Operand, Node]) -> list[Operand]:
    """The terms of a tree of additions, in order of computation."""
    result: list[Operand] = []
    pending: list[Operand] = list(node.inputs)
    while pending:
        operand = pending.pop()
        if operand in inner:
            pending += producers[operand].inputs
        else:
            result.append(operand)
    return result


def _merge_terms(nodes: _Nodes, node: Node, terms: list[Operand], counts: Mapping[Operand, int]) -> Operand | None:
    """The sum of these terms, with terms of one kind merged; None if no two can be merged."""
    products: list[Node] = []
    sums: dict[Any, list[Node]] = {}
    pads: list[Node] = []
    rest: list[Operand] = []
    for term in terms:
        made = nodes.producers.get(term)
        if made is not None and made.op is ops.pad and made.attrs["value"] == 0:
            pads.append(made)  # one that others read too costs no more than its part of the concatenation
            continue
        if counts.get(term) != 1:
            made = None
        if made is not None and _is_outer_product(made, nodes.producers):
            products.append(made)
        elif made is not None and made.op is ops.sum and made.attrs["axis"] == (0,) and not made.attrs["keepdims"]:
            sums.setdefault(made.inputs[0].type.shape[1:], []).append(made)
        else:
            rest.append(term)
    merged: list[Operand] = []
    if _is_worth_merging(products):
        merged.append(_one_product(nodes, node, products))
    else:
        rest += [each.output for each in products]
    for group in sums.values():
        if len(group) > 1 and sum(each.inputs[0].type.size for each in group) <= SMALL:
            rows = _summed(nodes, node, [each.inputs[0] for each in group])
            merged.append(nodes.add(node, ops.sum, rows, axis=(0,), keepdims=False))
        else:
            rest += [each.output for each in group]
    parts = _one_concatenation(nodes, node, pads)
    placed: list[Node] = []
    if parts is not None:
        merged.append(parts)
    else:
        placed = [pad for pad in pads if _is_placed(pad) and counts.get(pad.output) == 1]
        rest += [pad.output for pad in pads if pad not in placed]
    if not merged and not placed:
        return None
    whole = [*merged, *rest] or [placed.pop(0).output]
    total = whole[0]
    for term in whole[1:]:
        total = nodes.add(node, ops.add, total, term)
    for pad in placed:
        total = nodes.add(node, ops.index_add, total, pad.inputs[0], spec=_place(pad))
    return total


def _is_placed(pad: Node) -> bool:
    """Whether a padded part lies completely inside of the padded tensor, and is better added there: kernels add large
    parts with their zeros."""
    part, whole = pad.inputs[0].type, pad.output.type
    if part.size * LARGE_PART >= whole.size and lane_bytes(pad) is not None:
        return False
    return part.size > 0 and min((*pad.attrs["low"], *pad.attrs["high"]), default=-1) >= 0


def _place(pad: Node) -> tuple[tuple[int, int, int], ...]:
    """The slices of the sum that a padded part covers."""
    sizes = pad.inputs[0].type.static_shape
    return tuple((low, low + size, 1) for low, size in zip(pad.attrs["low"], sizes, strict=True))


def _is_outer_product(node: Node, producers: Mapping[Operand, Node]) -> bool:
    """Whether the node is a product of a transposed matrix with a matrix."""
    if node.op is not ops.matmul or not all(x.type.rank == 2 and x.type.is_static for x in node.inputs):
        return False
    left = producers.get(node.inputs[0])
    return left is not None and left.op is ops.transpose and isinstance(node.inputs[1], Value)


def _is_worth_merging(products: Sequence[Node]) -> bool:
    """Whether one product costs less, including the copies that make its rows adjacent."""
    if len(products) < 2:
        return False
    copied = sum(operand.type.size for node in products for operand in node.inputs)
    return copied <= max(SMALL, 2 * (len(products) - 1) * products[0].output.type.size)


def _one_product(nodes: _Nodes, node: Node, products: Sequence[Node]) -> Value:
    left = {product: nodes.producers[product.inputs[0]].inputs[0] for product in products}
    spans = {product: find_span(left[product], nodes.producers) for product in products}
    if all(spans.values()):
        products = sorted(products, key=lambda product: spans[product].start)  # type: ignore[union-attr]
    rows = _stacked(nodes, node, [left[product] for product in products])
    columns = _stacked(nodes, node, [product.inputs[1] for product in products])
    return nodes.add(node, ops.matmul, nodes.add(node, ops.transpose, rows, axes=(1, 0)), columns)


def _stacked(nodes: _Nodes, node: Node, parts: Sequence[Operand]) -> Value:
    """Matrices one below the other."""
    return _adjacent(nodes, node, parts) or nodes.add(node, ops.concatenate, *parts, axis=0)


def _summed(nodes: _Nodes, node: Node, parts: Sequence[Operand]) -> Operand:
    """A tensor whose rows add up to those of these: their sum if it is smaller than a copy of them."""
    if len({part.type for part in parts}) == 1 and _adjacent(nodes, node, parts) is None:
        return reduce(lambda total, part: nodes.add(node, ops.add, total, part), parts)
    return _stacked(nodes, node, parts)


def _adjacent(nodes: _Nodes, node: Node, parts: Sequence[Operand]) -> Value | None:
    """The tensor that matrices were cut from, if they are adjacent in it in this order."""
    spans = [find_span(part, nodes.producers) for part in parts]
    columns = parts[0].type.shape[-1]
    first = spans[0]
    end = first.start if first is not None else 0
    for span in spans:
        if first is None or span is None or span.base is not first.base or span.start != end:
            return None
        end += span.size
    assert first is not None
    if parts[0].type.rank != 2 or not columns or first.start % columns or first.base.type.size % columns:
        return None
    return _rows(nodes, node, Span(first.base, first.start, end - first.start), columns)


def _one_concatenation(nodes: _Nodes, node: Node, pads: Sequence[Node]) -> Value | None:
    """Parts that are padded along one axis, each alone in its place or with others in the same, as a concatenation."""
    type = node.output.type
    axes = {
        axis
        for pad in pads
        for axis, (low, high) in enumerate(zip(pad.attrs["low"], pad.attrs["high"], strict=True))
        if low or high
    }
    if len(pads) < 2 or len(axes) != 1 or any(isinstance(pad.inputs[0], Literal) for pad in pads):
        return None
    (axis,) = axes
    places: dict[tuple[int, int], list[Operand]] = {}
    for pad in pads:
        places.setdefault((pad.attrs["low"][axis], pad.attrs["high"][axis]), []).append(pad.inputs[0])
    ends = [(low, type.static_shape[axis] - high) for low, high in sorted(places)]
    if len(places) < 2 or any(start < end for (_, end), (start, _) in pairwise([(0, 0), *ends])):
        return None
    if any(high < 0 for _, high in places):
        return None
    parts: list[Operand] = []
    at = 0

    def fill(until: int) -> None:
        if until > at:
            shape = (*type.static_shape[:axis], until - at, *type.static_shape[axis + 1 :])
            zero = False if type.dtype.is_bool else 0.0 if type.dtype.is_float else 0
            parts.append(nodes.add(node, ops.full, shape=shape, value=zero, dtype=type.dtype))

    for (low, end), (_, there) in zip(ends, sorted(places.items()), strict=True):
        fill(low)
        parts.append(reduce(lambda total, part: nodes.add(node, ops.add, total, part), there))
        at = end
    fill(type.static_shape[axis])
    return nodes.add(node, ops.concatenate, *parts, axis=axis)
