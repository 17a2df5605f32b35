"""Algebra for reads and sums at few places: one element of each row, as a loss on log-probabilities takes it.

    %y: f32[9, 5] = subtract(%x, %m)                 %g: f32[9, 1] = gathered(%x, %i, axes=(0, -1), region=(9, 1))
    %g: f32[9, 1] = gathered(%y, %i, …)              %h: f32[9, 1] = subtract(%g, %m)

Few elements are read before they are computed with, not behind; a sum of scattered values is a sum of these values. A
value at one place of each row is a select of it where the column has that number, which readers compute.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ...runtime.dtypes import int32, int64
from .. import ops
from ..ir.graph import Graph, Node
from ..ir.op import Op
from ..ir.values import Literal, Operand, literal
from .axis_sums import sum_of_broadcast
from .cloning import is_fusible
from .dce import eliminate_dead_code
from .rewriter import Rewriter, Rule
from .shapes import splat
from .sparse_products import counts

FEW = 4  # times as many elements are computed where this many are read
LARGE = 1 << 16  # elements of a tensor with sums in few rows that is not stored
LONG = 16  # elements of such rows
KEPT = 8  # times as many elements as a tensor has are kept of a value that is added to it, until the last one is there


def choose_early(graph: Graph) -> Graph:
    """Apply the rules to a graph whose reads and sums at places are `gathered` and `scattered`."""
    if not any(node.op.placed for node in graph.nodes):
        return graph
    graph = eliminate_dead_code(_rewritten(graph, _rules))
    read = {
        (index, size)
        for node in graph.nodes
        if node.op is ops.gathered
        for _, size, index in _positions(node, _target(node), node.inputs[1:])
    }

    def as_select(rewriter: Rewriter, node: Node) -> Operand | None:
        """Only elementwise readers compute the select, and another node has checked the positions."""
        readers = graph.readers.get(node.output, ())
        checked = all((index, size) in read for _, size, index in _positions(node, _target(node), node.inputs[1:]))
        return _selected(rewriter, node) if checked and readers and all(map(is_fusible, readers)) else None

    return _rewritten(graph, lambda op: (as_select,) if op is ops.scattered else ())


def use_last_place(graph: Graph) -> Graph:
    """Kernels read ids of segments as they are: negative ones are the last place, which no other id is."""
    if not any(node.op is ops.segment_places for node in graph.nodes):
        return graph
    changed = _rewritten(graph, lambda op: (_negatives_last,) if op.placed else ())
    return eliminate_dead_code(changed)


def store_few_rows(graph: Graph) -> Graph:
    """A large tensor with sums in few of its rows, which elementwise nodes read, need not be stored: they read a tensor
    of these rows, and zeros for the others. As its gradient, an embedding's has a row for each of its readers."""
    if not any(_has_few_rows(node) for node in graph.nodes):
        return graph

    def few(rewriter: Rewriter, node: Node) -> Operand | None:
        readers = graph.readers.get(node.output, ())
        shape = node.output.type.shape
        fits = all(one is not None and is_fusible(one) and one.output.type.shape == shape for one in readers)
        return _few_rows(rewriter, node) if readers and fits and _has_few_rows(node) else None

    return _rewritten(graph, lambda op: (few,) if op is ops.scattered else ())


def add_together(graph: Graph) -> Graph:
    """Sums at elements that are added up are one sum: so are gradients of an image that is read at four neighbours of
    each point, and of rows that are looked up twice. Values are kept until the last one is there: none is much larger
    than the tensor."""

    def together(rewriter: Rewriter, node: Node) -> Operand | None:
        found: list[Node] = []
        for operand in node.inputs:
            shaped = rewriter.producer(operand, ops.reshape)
            made = rewriter.producer(shaped.inputs[0] if shaped else operand, ops.scattered)
            if made is None or not rewriter.used_once(operand) or (shaped and rewriter.counts[made.output] > 1):
                return None
            found.append(made)
        attrs, shape = found[0].attrs, node.output.type.static_shape
        region = attrs["region"]
        if attrs != found[1].attrs or attrs["reduction"] != "add" or found[0] is found[1]:
            return None
        size = math.prod(attrs["shape"])
        if math.prod(shape) != size or math.prod(region) > KEPT * size:
            return None
        total = rewriter.make(ops.scattered, [*found[0].inputs, *found[1].inputs], **attrs)
        return total if total.type.shape == shape else rewriter.make(ops.reshape, [total], shape=shape)

    if sum(node.op is ops.scattered for node in graph.nodes) < 2:
        return graph
    return _rewritten(graph, lambda op: (together,) if op is ops.add else ())


def _has_few_rows(node: Node) -> bool:
    """Whether values are added to whole rows, to few of them."""
    if node.op is not ops.scattered or node.attrs["reduction"] != "add" or len(node.inputs) != 2:
        return False
    axes, region, shape = node.attrs["axes"], node.attrs["region"], node.attrs["shape"]
    if not region or not node.inputs[1].type.is_static:
        return False
    if axes != (ops.AT, *range(1, len(region))) or region[1:] != shape[1:] or node.inputs[1].type.size != region[0]:
        return False
    return math.prod(shape) >= LARGE and shape[-1] >= LONG and region[0] * FEW < shape[0]


def _few_rows(rewriter: Rewriter, node: Node) -> Operand:
    """The rows that have sums, in the order of their last values, and behind them a row of zeros."""
    value, index = node.inputs
    (count, *rest), rows = node.attrs["region"], node.attrs["shape"][0]
    flat = rewriter.make(ops.reshape, [index], shape=(count,))
    numbers = rewriter.make(ops.iota, [], start=0, step=1, size=count, dtype=int32)
    slots = rewriter.make(
        ops.scattered, [numbers, flat], axes=(ops.AT,), region=(count,), shape=(rows,), reduction="maximum"
    )
    own = rewriter.make(ops.gathered, [slots, flat], axes=(ops.AT,), region=(count,))
    ones = (1,) * len(rest)
    own, slots = (rewriter.make(ops.reshape, [x], shape=(*x.type.static_shape, *ones)) for x in (own, slots))
    sums = rewriter.make(ops.scattered, [value, own], **{**node.attrs, "shape": (count + 1, *rest)})
    axes = ops.LAST, *node.attrs["axes"][1:]
    return rewriter.make(ops.gathered, [sums, slots], axes=axes, region=(rows, *rest), inside=True)


def _negatives_last(rewriter: Rewriter, node: Node) -> Operand | None:
    """`segment_places(%i, count=n - 1)` as a position of n is %i."""
    axes, inputs = list(node.attrs["axes"]), list(node.inputs)
    for number, (axis, size, index) in enumerate(_positions(node, _target(node), node.inputs[1:])):
        given = index
        while (made := rewriter.producer(given, ops.reshape)) is not None:
            given = made.inputs[0]
        made = rewriter.producer(given, ops.segment_places)
        if made is not None and made.attrs["count"] == size - 1 and made.inputs[0].type == made.output.type:
            (ids,), shape = made.inputs, index.type.static_shape
            inputs[1 + number] = ids if given is index else rewriter.make(ops.reshape, [ids], shape=shape)
            axes[axis] = ops.LAST
    if axes == list(node.attrs["axes"]):
        return None
    return rewriter.make(node.op, inputs, **{**node.attrs, "axes": tuple(axes)})


def _rules(op: Op) -> Sequence[Rule]:
    """The rules for nodes of an op, before scatters become selects."""
    if op.placed == "read":
        return (_along_rows, _gathered_before)
    if op.placed:
        return (_along_rows,)
    return (_sum_of_scattered, sum_of_broadcast) if op is ops.sum else ()


def _rewritten(graph: Graph, rules: Callable[[Op], Sequence[Rule]]) -> Graph:
    """The graph with the rules for each op applied to its nodes."""
    return Rewriter(graph, lambda node: rules(node.op), lambda inner: inner).run(rules)


def _target(node: Node) -> tuple[int, ...]:
    """The shape that positions index: that of what is read, or of the result of a scatter."""
    whole = node.output if node.op is ops.scattered else node.inputs[0]
    return whole.type.static_shape


def _positions(node: Node, shape: Sequence[int], indices: Sequence[Operand]) -> list[tuple[int, int, Operand]]:
    """The axes with positions, their sizes, and the positions."""
    axes = [axis for axis, entry in enumerate(node.attrs["axes"]) if entry < 0]
    return [(axis, shape[axis], index) for axis, index in zip(axes, indices, strict=True)]


def _along_rows(rewriter: Rewriter, node: Node) -> Operand | None:
    """Positions 0, 1, 2, … along a dimension of the region are that dimension."""
    region, axes = node.attrs["region"], list(node.attrs["axes"])
    kept: list[Operand] = []
    for axis, size, index in _positions(node, _target(node), node.inputs[1:]):
        shape = (*(1,) * (len(region) - index.type.rank), *index.type.static_shape)
        along = [dimension for dimension, extent in enumerate(shape) if extent > 1]
        if len(along) == 1 and along[0] not in axes and region[along[0]] <= size:
            (dimension,) = along
            if shape[dimension] == region[dimension] and counts(rewriter, index, region[dimension], whole=True):
                axes[axis] = dimension
                continue
        kept.append(index)
    if len(kept) == len(node.inputs) - 1 or not kept:
        return None
    return rewriter.make(node.op, [node.inputs[0], *kept], **{**node.attrs, "axes": tuple(axes)})


def _source(rewriter: Rewriter, operand: Operand) -> bool:
    """Whether a value comes, by way of elementwise nodes that read one value of its shape, from no such node."""
    while (made := rewriter.producer(operand)) is not None and made.op.kind == "elementwise":
        whole = _whole(made)
        if whole is None:
            return False
        operand = whole
    return made is None or (made.op.kind not in ("reduction", "kernel") and made.op.windows is None)


def _whole(node: Node) -> Operand | None:
    """The only input with the shape of an elementwise node; others are numbers, or have size 1 along some axes."""
    shape, found = node.output.type.static_shape, []
    for operand in node.inputs:
        if isinstance(operand, Literal):
            continue
        if not operand.type.is_static or operand.type.rank != len(shape):
            return None
        if operand.type.static_shape == shape:
            found.append(operand)
    return found[0] if len(found) == 1 else None


def _gathered_before(rewriter: Rewriter, node: Node) -> Operand | None:
    """Few elements of what is computed elementwise: read first."""
    x, *indices = node.inputs
    made = rewriter.producer(x)
    if made is None or made.op.kind != "elementwise" or not x.type.is_static or not node.output.type.size:
        return None
    if node.output.type.size * FEW > x.type.size or _whole(made) is None or not _source(rewriter, x):
        return None
    given = [_chosen(rewriter, node, operand, x.type.static_shape, indices) for operand in made.inputs]
    operands = [operand for operand in given if operand is not None]
    return rewriter.make(made.op, operands, **made.attrs) if len(operands) == len(given) else None


def _chosen(
    rewriter: Rewriter, node: Node, operand: Operand, shape: Sequence[int], indices: Sequence[Operand]
) -> Operand | None:
    """The elements of an operand of an elementwise node of a shape; None for one that cannot be chosen so."""
    if isinstance(operand, Literal):
        return operand
    axes, region, sizes = node.attrs["axes"], node.attrs["region"], operand.type.static_shape
    if sizes == tuple(shape):
        return rewriter.make(ops.gathered, [operand, *indices], axes=axes, region=region)
    kept = [axis for axis, size in enumerate(sizes) if size > 1]
    entries = tuple(axes[axis] for axis in kept)
    found = [index for axis, _, index in _positions(node, shape, indices) if axis in kept]
    if found:
        flat = rewriter.make(ops.reshape, [operand], shape=tuple(sizes[axis] for axis in kept))
        return rewriter.make(ops.gathered, [flat, *found], axes=entries, region=region)
    if list(entries) != sorted(set(entries)) or any(region[axes[axis]] != sizes[axis] for axis in kept):
        return None
    spread = tuple(size if dimension in entries else 1 for dimension, size in enumerate(region))
    return rewriter.make(ops.reshape, [operand], shape=spread)


def _sum_of_scattered(rewriter: Rewriter, node: Node) -> Operand | None:
    """Scattered values added up along the axes that have positions are the values, added up."""
    made = rewriter.producer(node.inputs[0], ops.scattered)
    if made is None or made.attrs["reduction"] != "add":
        return None
    value, axes, region = made.inputs[0], made.attrs["axes"], made.attrs["region"]
    kept = [axis for axis in range(len(axes)) if axis not in node.attrs["axis"]]
    entries = [axes[axis] for axis in kept]
    if min(entries, default=0) < 0 or entries != sorted(entries) or isinstance(value, Literal):
        return None
    if any(region[entry] != made.attrs["shape"][axis] for axis, entry in zip(kept, entries, strict=True)):
        return None
    if value.type.static_shape != region:
        value = rewriter.make(ops.broadcast_to, [value], shape=region)
    summed = tuple(dimension for dimension in range(len(region)) if dimension not in entries)
    total = rewriter.make(ops.sum, [value], axis=summed, keepdims=False) if summed else value
    return rewriter.make(ops.reshape, [total], shape=node.output.type.static_shape)


def _selected(rewriter: Rewriter, node: Node) -> Operand | None:
    """One value for each row, at the column that a position says: a select, if the columns are the last axis."""
    value, *indices = node.inputs
    axes, region, shape = node.attrs["axes"], node.attrs["region"], node.attrs["shape"]
    entries, dtype = axes[:-1], node.output.type.dtype
    if node.attrs["reduction"] != "add" or axes[-1] != ops.AT or min(entries, default=0) < 0 or not dtype.is_float:
        return None
    (index,) = indices
    sizes = tuple(region[entry] for entry in entries)
    if list(entries) != sorted(entries) or sizes != shape[:-1] or math.prod(region) != math.prod(sizes):
        return None
    if index.type.static_shape != region or dtype.bits not in (32, 64):
        return None
    rows = (*sizes, 1)
    number = splat(rewriter, value)
    if number is None and value.type.static_shape != region:
        return None
    given = rewriter.make(ops.reshape, [value], shape=rows) if number is None else number
    view = rewriter.producer(index, ops.reshape)
    # A view of its own: kernels read positions of other arrays whole, but these row by row.
    index = rewriter.make(ops.reshape, [index if view is None else view.inputs[0]], shape=rows)
    kind = index.type.dtype
    negative = rewriter.make(ops.less, [index, literal(0, kind)])
    forward = rewriter.make(ops.add, [index, literal(shape[-1], kind)])
    place: Operand = rewriter.make(ops.select, [negative, forward, index])
    numbers = int32 if dtype.bits == 32 else int64
    if kind is not numbers:
        place = rewriter.make(ops.cast, [place], dtype=numbers)
    columns = rewriter.make(ops.iota, [], start=0, step=1, size=shape[-1], dtype=numbers)
    hot = rewriter.make(ops.equal, [place, columns])
    return rewriter.make(ops.select, [hot, given, literal(0, dtype)])
