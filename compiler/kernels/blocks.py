"""Loop tiling of fused groups: the graph for one block of rows, and the size of a block."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ...runtime.calibration import CACHE_SHARE, SMALLEST_FOR_THREADS, Thresholds
from ...runtime.processors import cache_bytes, thread_count, worth_sharing
from ...runtime.records import dataclass
from .. import ops
from ..analysis.sums import product_with_ones
from ..ir.code import Reduction
from ..ir.graph import Graph, Node, make_node
from ..ir.types import TensorType
from ..ir.values import Literal, Operand, Value

SMALLEST_BLOCK = 2048  # elements; in smaller ones calls would take longer than numbers
PIECES = 4  # for each thread: one that is held up by others leaves the rest to the other threads


@dataclass(frozen=True)
class Block:
    """The graph of a fused group for one block of rows.

    Attributes:
        graph: the group's nodes on blocks; a value that has the rows has them as its first dimension.
        rows: number of rows of the whole group.
        size: rows of a block; the last block may be smaller.
        threads: how many threads may run blocks.
        piece: rows that a thread takes at a time, a number of blocks; sums over the rows add up piece by piece.
        inputs: for each parameter of `graph` the input of the group, whether it has the rows, and the shape to see it
            in.
        outputs: for each output of `graph` the shape to see the group's output in, and for reductions over the
            blocks the ufunc.
    """

    graph: Graph
    rows: int
    size: int
    piece: int
    threads: int
    inputs: tuple[tuple[int, bool, tuple[int, ...]], ...]
    outputs: tuple[tuple[tuple[int, ...], str | None], ...]

    @property
    def pieces(self) -> int:
        """In how many pieces the rows are taken."""
        return -(-self.rows // self.piece)


def make_block(node: Node, threads: bool = True, measured: Callable[[], Thresholds] | None = None) -> Block:
    """The block of a fused node, for one thread, or for several if the node is large.

    Measured thresholds are only for groups of elementwise nodes, whose numbers do not depend on the division. Sums add
    up block by block. So their blocks depend only on the number of processors and the size of their cache, and results
    are the same from run to run, whatever was measured.
    """
    body: Graph = node.attrs["body"]
    used = Thresholds(int(cache_bytes() * CACHE_SHARE), SMALLEST_FOR_THREADS)
    if measured is not None and all(inner.op.kind in ("elementwise", "view") for inner in body.nodes):
        used = measured()
    elements = max(value.type.size for inner in body.nodes for value in inner.outputs)
    elements = max([elements, *[value.type.size for value in body.parameters]])
    shape = _rows(body, node.attrs["rows"])
    rows = math.prod(shape)
    most = min(rows, thread_count()) if threads else 1
    count = worth_sharing(most, elements * len(body.nodes), used.thread_work)
    size = min(rows, max(1, used.tile_bytes // max(1, _bytes_per_row(body, rows))))
    size = _even(min(size, -(-rows // count)), rows)
    if rows % size and any(inner.op is ops.reshape for inner in body.nodes):
        size = _dividing(size, rows, elements)
    return _Blocking(body, shape, size, node.attrs.get("products", False)).run(rows, count)


def _rows(body: Graph, count: int) -> tuple[int, ...]:
    """The dimensions that are the group's rows."""
    return (
        body.nodes[0].inputs[0].type.static_shape[:count]
        if _is_reduction(body.nodes[0])
        else (body.nodes[0].output.type.static_shape[:count])
    )


def _is_reduction(node: Node) -> bool:
    return node.op.kind == "reduction"


def _bytes_per_row(body: Graph, rows: int) -> int:
    """The most bytes that are live at once for a row, from the first to the last use of each value."""
    last: dict[Operand, int] = {}
    first: dict[Operand, int] = {}
    for time, node in enumerate(body.nodes):
        for operand in (*node.inputs, *node.outputs):
            if isinstance(operand, Value) and operand.type.size >= rows:
                last[operand] = time
                first.setdefault(operand, time)
    change = [0] * (len(body.nodes) + 1)
    for operand, start in first.items():
        change[start] += operand.type.nbytes // rows
        change[last[operand] + 1] -= operand.type.nbytes // rows
    most = now = 0
    for step in change:
        now += step
        most = max(most, now)
    return most


def _even(size: int, rows: int) -> int:
    """A number of rows a little below `size` that divides all rows, if there is one; else `size`."""
    return next((smaller for smaller in range(size, max(1, size * 3 // 4) - 1, -1) if rows % smaller == 0), size)


def _dividing(size: int, rows: int, elements: int) -> int:
    """A number of rows that divides all rows. Then shapes in the code of a block hold for every block."""
    largest = next(smaller for smaller in range(size, 0, -1) if rows % smaller == 0)
    return largest if largest * elements // rows >= SMALLEST_BLOCK else rows


def _of_any_rows(node: Node) -> Node:
    """A node of a block whose code holds for the last block, too, which has fewer rows."""
    if node.op is not ops.reshape:
        return node
    return replace(node, attrs={"shape": (-1, *node.attrs["shape"][1:])})


class _Blocking:
    """Rewrites the nodes of a group for blocks."""

    def __init__(self, body: Graph, shape: tuple[int, ...], size: int, products: bool) -> None:
        self.products = products
        self.even = math.prod(shape) % size == 0
        self.body = body
        self.shape = shape
        self.size = size
        self.inside: dict[Operand, Value] = {}
        self.position = {value: i for i, value in enumerate(body.parameters)}
        self.parameters: dict[tuple[Operand, bool, tuple[int, ...]], Value] = {}

    def run(self, rows: int, threads: int) -> Block:
        """The block."""
        nodes: list[Node] = []
        combined: dict[Value, str] = {}
        for node in self.body.nodes:
            new = self.node(node)
            written = product_with_ones(new) if self.products and node.op is ops.sum else None
            if written and self.may_multiply(node, written):
                nodes += written if self.even else map(_of_any_rows, written)
            else:
                nodes.append(new)
            new = nodes[-1]
            self.inside[node.output] = new.output
            if _is_reduction(node) and node.attrs["axis"][0] == 0 and isinstance(node.op.emit, Reduction):
                combined[new.output] = node.op.emit.ufunc
        outputs = tuple(self.inside[value] for value in self.body.outputs)
        shapes = tuple(
            (type.static_shape if value in combined else (rows, *type.static_shape[1:]), combined.get(value))
            for value, type in ((value, value.type) for value in outputs)
        )
        inputs = tuple(
            (self.position[value], has_rows, ((rows, *shape) if has_rows else shape))  # type: ignore[index]
            for value, has_rows, shape in self.parameters
        )
        graph = Graph(self.body.name, tuple(self.parameters.values()), tuple(nodes), outputs)
        blocks = -(-rows // self.size)
        pieces = 1 if threads == 1 else min(blocks, PIECES * threads)
        return Block(graph, rows, self.size, -(-blocks // pieces) * self.size, threads, inputs, shapes)

    def may_multiply(self, node: Node, written: list[Node]) -> bool:
        """Whether a sum may become these nodes, a product with ones: if blocks differ in rows, and the sum is not over
        the rows.

        It must also not merge several rows, each with several sums, into one.
        """
        if self.even:
            return True
        one_each = written[-1].output.type.size == self.size
        return node.attrs["axis"][0] != 0 and (one_each or all(inner.op is not ops.reshape for inner in written))

    def node(self, node: Node) -> Node:
        """A node for blocks."""
        count, out = len(self.shape), node.output.type
        attrs: Mapping[str, Any] = node.attrs
        if node.op.kind == "elementwise":
            inputs = [self.read(operand, out.rank) for operand in node.inputs]
        else:
            inputs = [self.read(node.inputs[0], node.inputs[0].type.rank)]
            if _is_reduction(node):
                axis = [a - count + 1 for a in node.attrs["axis"] if a >= count]
                attrs = {**attrs, "axis": tuple([0, *axis] if node.attrs["axis"][0] == 0 else axis)}
            elif "shape" in attrs:
                attrs = {**attrs, "shape": (self.size, *out.static_shape[count:])}
        new = make_node(node.op, inputs, attrs, node.location)
        new.output.name = node.output.name
        return new

    def read(self, operand: Operand, rank: int) -> Operand:
        """The operand of a node of this rank, on a block."""
        if isinstance(operand, Literal) or operand in self.inside:
            return self.inside.get(operand, operand)
        count = len(self.shape)
        full = (1,) * (rank - operand.type.rank) + operand.type.static_shape
        has_rows = full[:count] == self.shape
        tail = full[count:]
        key = (operand, has_rows, tail)
        if key not in self.parameters:
            shape = (self.size, *tail) if has_rows else tail
            self.parameters[key] = Value(TensorType(operand.type.dtype, shape), operand.name)
        return self.parameters[key]
