"""Products: the form that is computed fastest, and large ones in parts for several threads.

%t: f32[512, 512] = transpose(%w)        %t: f32[512, 8] = transpose(%a)
%y: f32[8, 512] = matmul(%a, %t)         %u: f32[512, 8] = matmul(%w, %t)
                                         %y: f32[8, 512] = transpose(%u)
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ...runtime.machine.product import has_products, has_wide_code
from ...runtime.processors import PARALLEL_FLOPS, TEAM_FLOPS, worth_sharing
from ...runtime.threads import sharing
from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.loops import Loop
from ..ir.naming import take_name
from ..ir.op import Op
from ..ir.subgraphs import map_inside
from ..ir.types import TensorType
from ..ir.values import Operand, Value
from ..kernels import eligible
from .dce import eliminate_dead_code

FEW_ROWS = 64
VECTOR = 16  # columns
PACKED = 16  # elements that machine code packs in the time in which a transposed one is read
LARGE_MATRIX = 1 << 16  # elements
MANY_PRODUCTS = 4
LARGEST_COPIED = 1 << 18  # elements
SMALLEST_OUTER = 1 << 12  # elements
LONGEST_SUMMED = 8  # elements of a row that is summed as it is computed: longer ones take long to compile
MANY_ROWS, FEW_COLUMNS = 1000, 4
MOST_NUMBERS, MOST_NARROW_NUMBERS = 24, 9  # of a tiny matrix, with AVX-512 and without


def arrange_products(graph: Graph) -> Graph:
    """Turn a @ w.T with few rows a and a large w into (w @ a.T).T; copy a transposed matrix that many products read.

    A product of a column and a row becomes a multiplication. One with a column or a row becomes a sum where the other
    factor has short rows that kernels compute: they need not be stored. Without AVX-512, which reads the columns of
    short rows fast, they must be computed from less than they hold. A product of many short rows by a tiny matrix is
    computed column by column.
    """
    if ops.matmul not in graph.ops:
        return graph
    arranged = _Arranged(graph)
    mapping = arranged.mapping.keys()
    for node in map_inside(graph, arrange_products).nodes:
        arranged.add(node if mapping.isdisjoint(node.inputs) else node.with_inputs(arranged.given(node.inputs)))
    made = graph.with_nodes(tuple(arranged.nodes), tuple(arranged.given(graph.outputs)))
    return eliminate_dead_code(made) if arranged.short else made  # sums read no transposed rows


class _Arranged:
    """The nodes of the arranged graph.

    Attributes:
        nodes: the nodes so far.
        producers: for each value of the old graph its node.
        readers: for each transposed matrix how many products have it on the right.
        looped: the transposed matrices that loops read.
        copies: the copies of transposed matrices.
        short: matrices of short rows that are computed element by element, by those of the old graph.
        notes: whether there may be such matrices.
        mapping: values of the old graph that are others now.
    """

    def __init__(self, graph: Graph) -> None:
        self.nodes: list[Node] = []
        self.producers = graph.producers
        self.readers: dict[Operand, int] = {}
        self.looped: set[Operand] = set()
        self.copies: dict[Operand, Value] = {}
        self.short: dict[Operand, Operand] = {}
        self.notes = any(map(_has_short_rows, graph.value_types)) and eligible.is_available()
        self._readers = graph.readers
        self.mapping: dict[Operand, Operand] = {}
        for node in graph.nodes:
            if node.op is ops.matmul and self.is_transposed(node.inputs[1]):
                self.readers[node.inputs[1]] = self.readers.get(node.inputs[1], 0) + 1
        for node in graph.holders:
            self.looped.update(operand for operand in _read_in_loop(node) if self.is_transposed(operand))

    def is_transposed(self, operand: Operand) -> bool:
        """Whether this is a matrix that a node has transposed."""
        return _is_transposed(self.producers.get(operand))

    def given(self, operands: Iterable[Operand]) -> list[Operand]:
        """The new operands for operands of the old graph."""
        return [self.mapping.get(operand, operand) for operand in operands]

    def add(self, node: Node) -> None:
        """Add a node, in its best form."""
        if self.looped and _is_loop(node):
            fixed = [self.copied(x, node) if x in self.looped and _is_copied(x) else x for x in node.inputs]
            self.nodes.append(node.with_inputs(fixed))
        elif node.op is not ops.matmul:
            self.nodes.append(node)
            if self.notes:
                self.note(node)
        elif _is_outer(node):
            product = make_node(ops.multiply, list(node.inputs), None, node.location, node.output.name)
            self.nodes.append(product)
            self.mapping[node.output] = product.output
            self.note(product, node.output)
        elif not self.sum(node) and not self.column_by_column(node):
            self.product(node)

    def note(self, node: Node, old: Value | None = None) -> None:
        """Note whether a node, whose output may be new, computes short rows that it pays to sum at once."""
        if node.op.kind != "elementwise" and node.op is not ops.broadcast_to:
            return
        type = node.output.type
        if not (self.notes and _has_short_rows(type)):
            return
        columns = type.static_shape[1]
        if has_wide_code() or all(
            x in self.short or (x.type.is_static and x.type.size * columns <= type.size) for x in node.inputs
        ):
            self.short[node.output] = old or node.output

    def sum(self, node: Node) -> bool:
        """Add a product with a column or a row as a sum, if the other factor has short rows that need not be stored."""
        a, b = node.inputs
        if not self.short or max(a.type.rank, b.type.rank) > 2:
            return False
        for line, rows, axis in ((b, a, 1), (a, b, 0)):
            if not _is_line(line, axis):
                continue
            made = self.producers.get(rows)
            if made is not None and _is_transposed(made):
                (rows,), axis = self.given(made.inputs), 1 - axis
            if rows in self.short and line.type.dtype == rows.type.dtype:
                break
        else:
            return False
        if not all(map(self.computes, self._readers.get(self.short[rows], ()))):
            return False
        size, shape = rows.type.static_shape[axis], node.output.type.static_shape
        beside = make_node(ops.reshape, [line], {"shape": (1, size) if axis else (size, 1)}, node.location)
        product = make_node(ops.multiply, [rows, beside.output], None, node.location)
        total = make_node(ops.sum, [product.output], {"axis": (axis,), "keepdims": False}, node.location)
        whole = make_node(ops.reshape, [total.output], {"shape": shape}, node.location, node.output.name)
        self.nodes += [beside, product, total, whole]
        self.mapping[node.output] = whole.output
        return True

    def computes(self, node: Node | None) -> bool:
        """Whether a kernel computes short rows where this node reads them: they are no result, and no large product
        reads them."""
        if node is None:
            return False
        if node.op is ops.matmul:
            return any(map(_is_line, node.inputs, (0, 1)))
        if node.op is ops.transpose:
            return all(map(self.computes, self._readers.get(node.output, ())))
        return node.op.kind in {"elementwise", "reduction"}

    def column_by_column(self, node: Node) -> bool:
        """Add a product of many short rows, as of points in space, by a tiny matrix as the sums that its columns are:
        kernels compute them sooner, and with their neighbours."""
        a, b = node.inputs
        if b.type.rank != 2 or not _is_tiny(b.type) or not _has_many_rows(a.type):
            return False
        nodes, shape = self.nodes, node.output.type.static_shape

        def add(op: Op, inputs: list[Operand], attrs: dict[str, Any] | None = None) -> Value:
            nodes.append(make_node(op, inputs, attrs, node.location))
            return nodes[-1].output

        def part(x: Operand, *places: int) -> Value:
            """What stands at positions along the last axes, without these."""
            lead = x.type.static_shape[: x.type.rank - len(places)]
            start, stop = (*[0] * len(lead), *places), (*lead, *[place + 1 for place in places])
            return add(
                ops.reshape,
                [add(ops.slice, [x], {"start": start, "stop": stop, "step": (1,) * len(start)})],
                {"shape": lead},
            )

        depth, columns = b.type.static_shape
        lines = [part(a, place) for place in range(depth)]
        found: list[Operand] = []
        for column in range(columns):
            products = [add(ops.multiply, [line, part(b, place, column)]) for place, line in enumerate(lines)]
            total = products[0]
            for product in products[1:]:
                total = add(ops.add, [total, product])
            found.append(add(ops.reshape, [total], {"shape": (*shape[:-1], 1)}))
        self.mapping[node.output] = add(ops.concatenate, found, {"axis": len(shape) - 1})
        take_name(self.mapping[node.output], node.output)
        return True

    def product(self, node: Node) -> None:
        """Add a product of matrices."""
        a, b = node.inputs
        readers = self.readers.get(b, 0)
        if readers and (readers >= MANY_PRODUCTS or b in self.copies) and _is_copied(b):
            self.nodes.append(node.with_inputs([a, self.copied(b, node)]))
        elif readers and _is_better_turned(a, b):
            turned = make_node(ops.transpose, [a], {"axes": (1, 0)}, node.location)
            product = make_node(ops.matmul, [self.producers[b].inputs[0], turned.output], None, node.location)
            back = make_node(ops.transpose, [product.output], {"axes": (1, 0)}, node.location)
            self.nodes += [turned, product, back]
            self.mapping[node.output] = back.output
            take_name(back.output, node.output)
        else:
            self.nodes.append(node)

    def copied(self, operand: Operand, node: Node) -> Value:
        """The copy of a transposed matrix, made before this node if there is none yet."""
        if operand not in self.copies:
            self.nodes.append(make_node(ops.copy, [operand], None, node.location))
            self.copies[operand] = self.nodes[-1].output
        return self.copies[operand]


def _has_short_rows(type: TensorType) -> bool:
    """Whether a matrix has rows that are short enough to be summed as they are computed, and many of them."""
    if type.rank != 2 or not type.is_static or not type.dtype.is_float or type.dtype.bits < 32:
        return False
    return 2 <= type.static_shape[1] <= LONGEST_SUMMED and type.size >= SMALLEST_OUTER


def _is_tiny(type: TensorType) -> bool:
    """Whether the second factor of a product has few numbers."""
    if not type.is_static or type.dtype.numpy_name not in ("float32", "float64") or not eligible.is_available():
        return False
    depth, columns = type.static_shape
    most = MOST_NUMBERS if has_wide_code() else MOST_NARROW_NUMBERS
    return 1 < depth <= LONGEST_SUMMED and 1 < columns <= FEW_COLUMNS and depth * columns <= most


def _has_many_rows(type: TensorType) -> bool:
    return type.is_static and type.rank > 1 and math.prod(type.static_shape[:-1]) >= MANY_ROWS


def _is_outer(node: Node) -> bool:
    """Whether each element of a product is one product of two numbers: a column by a row, or a batch of these.

    For two small matrices the product is the cheapest call.
    """
    a, b = node.inputs
    if not (a.type.rank >= 2 and b.type.rank >= 2 and a.type.shape[-1] == 1 and node.output.type.is_static):
        return False
    return node.output.type.rank > 2 or node.output.type.size >= SMALLEST_OUTER


def _is_line(x: Operand, axis: int) -> bool:
    """Whether a factor is a vector, or a matrix of one element along an axis."""
    return x.type.rank == 1 or (x.type.rank == 2 and x.type.shape[axis] == 1)


def _is_transposed(node: Node | None) -> bool:
    return node is not None and node.op is ops.transpose and node.attrs["axes"] == (1, 0) and node.output.type.is_static


def _is_loop(node: Node) -> bool:
    if node.op.kind != "loop":
        return False
    length = Loop.of(node).length
    return length is None or length >= MANY_PRODUCTS


def _read_in_loop(node: Node) -> list[Operand]:
    """Loop-invariant values that are the second factor of products in a loop of several iterations."""
    if not _is_loop(node):
        return []
    loop = Loop.of(node)
    factors = {inner.inputs[1] for inner in loop.body.nodes if inner.op is ops.matmul}
    first = loop.rows.stop
    pairs = zip(loop.body.parameters[first:], node.inputs[first:], strict=True)
    return [operand for parameter, operand in pairs if parameter in factors]


def _is_copied(operand: Operand) -> bool:
    return operand.type.size <= LARGEST_COPIED


def _is_better_turned(a: Operand, b: Operand) -> bool:
    """Whether w @ a.T saves the BLAS more time than moving the result back costs."""
    if a.type.rank != 2 or not a.type.is_static or a.type.dtype.bits < 32:
        return False
    rows, columns = a.type.static_shape[0], b.type.static_shape[1]
    if not 4 <= rows <= FEW_ROWS or b.type.size < LARGE_MATRIX or columns < 2 * rows:
        return False
    if not has_products():
        return True
    if has_wide_code() and a.type.dtype.bits == 32:
        return False  # it turns such a product itself
    # Machine code packs w.T; packing some elements takes as long as reading one of a transposed result. a.T has
    # columns by the vector.
    return b.type.static_shape[0] >= PACKED * rows and rows >= 12 and rows + 8 > -(-rows // VECTOR) * VECTOR


def share_products(graph: Graph) -> Graph:
    """Replace large products by `shared_matmul`, if threads of our own may share them (see `runtime/threads.py`)."""
    threads = sharing.threads()
    return _share_products(graph, threads) if threads > 1 else graph


def _share_products(graph: Graph, threads: int) -> Graph:
    if "matmul" not in [op.kind for op in graph.ops]:
        return graph
    nodes: list[Node] = []
    mapping: dict[Operand, Operand] = {}
    least = TEAM_FLOPS if has_products() else PARALLEL_FLOPS
    for node in map_inside(graph, lambda body: _share_products(body, threads)).nodes:
        if mapping and not mapping.keys().isdisjoint(node.inputs):
            node = node.with_inputs(mapping.get(operand, operand) for operand in node.inputs)
        count = worth_sharing(threads, node.flops, least) if _is_shareable(node) else 1
        if count > 1:
            op = node.op if "threads" in node.op.attrs else ops.shared_matmul
            shared = make_node(op, list(node.inputs), {**node.attrs, "threads": count}, node.location)
            shared.output.name = node.output.name
            mapping[node.output] = shared.output
            node = shared
        nodes.append(node)
    outputs = tuple(mapping.get(operand, operand) for operand in graph.outputs)
    return graph.with_nodes(tuple(nodes), outputs)


def _is_shareable(node: Node) -> bool:
    if node.op.kind != "matmul":
        return False
    return False not in [operand.type.rank >= 2 and operand.type.dtype.bits >= 32 for operand in node.inputs]
