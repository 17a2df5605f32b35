"""Rules for broadcasts that a reshape copies, as in `repeat` and `tile`, so that a kernel copies them, and for edges
that are repeated along several axes. `windows.py` applies the rules."""

from __future__ import annotations

from ...runtime.dtypes import bfloat16, uint16
from .. import ops
from ..analysis.views import blank, view_of
from ..ir.graph import Node
from ..ir.values import Operand
from ..kernels import eligible
from .cloning import is_fusible
from .materialize import FEWEST_BOOLS
from .rewriter import Rewriter, Rules, reads
from .shapes import merge_reshapes

RULES = Rules()

MOST_EDGES = 9  # parts: edges and corners along two axes

RULES.for_op(ops.reshape)(merge_reshapes)


@RULES.for_op(ops.reshape)
@reads(ops.broadcast_to)
def _copied_broadcast(rewriter: Rewriter, node: Node) -> Operand | None:
    """Where a reshape copies a broadcast, as in `repeat` and `tile`, a kernel copies it."""
    made = rewriter.producer(node.inputs[0], ops.broadcast_to)
    if made is None or not (made.inputs[0].type.is_static and node.output.type.is_static) or not node.output.type.size:
        return None
    seen = view_of(made, blank(made.inputs[0].type))
    if seen is None or view_of(node, seen) is not None:
        return None
    return _copied(rewriter, made.inputs[0], made.output.type.static_shape, node.output.type.static_shape)


def _copied(rewriter: Rewriter, x: Operand, shape: tuple[int, ...], final: tuple[int, ...]) -> Operand | None:
    """x, broadcast to a shape and copied, in the final shape; None where no kernel copies it."""
    if x.type.dtype.is_bool and shape[-1] >= FEWEST_BOOLS:
        return None
    dtype = x.type.dtype
    if dtype is bfloat16:
        x = rewriter.make(ops.bitcast, [x], dtype=uint16)
    copy = rewriter.make(ops.copied, [rewriter.make(ops.broadcast_to, [x], shape=shape)])
    made = rewriter.producer(copy, ops.copied)
    if made is None or eligible.lane_bytes(made) is None:
        return None
    whole = rewriter.make(ops.reshape, [copy], shape=final)
    return rewriter.make(ops.bitcast, [whole], dtype=dtype) if dtype is bfloat16 else whole


@RULES.for_kind("elementwise")
@reads(ops.reshape)
def _computed_with_repeats(rewriter: Rewriter, node: Node) -> Operand | None:
    """What is computed of a copied broadcast and of numbers is computed as it is copied, by one kernel."""
    large = {operand for operand in node.inputs if operand.type.shape != ()}
    if len(large) != 1 or len(node.outputs) > 1:
        return None
    (whole,) = large
    outer = rewriter.producer(whole, ops.reshape)
    if outer is None or not rewriter.used_once(whole) or node.output.type.shape != whole.type.shape:
        return None
    copy = rewriter.producer(outer.inputs[0])
    if copy is None or not (copy.op is ops.copied or copy.op.kind == "elementwise") or not node.output.type.is_static:
        return None
    sources = [operand for operand in copy.inputs if operand.type.shape != ()]
    repeats = [rewriter.producer(operand, ops.broadcast_to) for operand in sources]
    if len(sources) != 1 or repeats[0] is None:
        return None
    given = sources[0] if copy.op is ops.copied else copy.output
    made = rewriter.make(node.op, [given if operand is whole else operand for operand in node.inputs], **node.attrs)
    return rewriter.make(ops.reshape, [made], shape=node.output.type.static_shape)


@RULES.for_op(ops.broadcast_to, begins=True)
@reads(ops.reshape)
def _broadcast_of_copy(rewriter: Rewriter, node: Node) -> Operand | None:
    """A broadcast of what a kernel copies to broadcast it is one broadcast, copied: `repeat` along two axes."""
    outer = rewriter.producer(node.inputs[0], ops.reshape)
    copy = rewriter.producer(outer.inputs[0], ops.copied) if outer is not None else None
    inner = rewriter.producer(copy.inputs[0], ops.broadcast_to) if copy is not None else None
    if outer is None or inner is None or not node.output.type.is_static:
        return None
    x, whole = inner.inputs[0], inner.output.type.static_shape
    before = (1,) * (len(whole) - x.type.rank) + x.type.static_shape
    dimensions = [pair for pair in zip(before, whole, strict=True) if pair[1] > 1]
    lead = node.output.type.rank - outer.output.type.rank
    sizes = (1,) * lead + outer.output.type.static_shape
    narrow: list[int] = []
    wide: list[int] = []
    for size, extent in zip(sizes, node.output.type.static_shape, strict=True):
        count = 1
        while count < size:
            small, large = dimensions.pop(0)
            narrow, wide, count = [*narrow, small], [*wide, large], count * large
        if count != size:
            return None
        if extent != size:
            narrow, wide = [*narrow, 1], [*wide, extent]
    given = rewriter.make(ops.reshape, [x], shape=tuple(narrow))
    return _copied(rewriter, given, tuple(wide), node.output.type.static_shape)


@RULES.for_op(ops.concatenate)
@reads(ops.concatenate)
def _edges_of_edges(rewriter: Rewriter, node: Node) -> Operand | None:
    """What is joined with its own edges along one axis and then along another one, as in paddings that no kernel reads,
    is put together at once."""
    found = [rewriter.producer(operand, ops.concatenate) for operand in node.inputs]
    inner, type = next(filter(None, found)), node.output.type
    axis, other, readers = node.attrs["axis"], inner.attrs["axis"], rewriter.graph.readers.get(node.output, ())
    if axis == other or len(found) * len(inner.inputs) > MOST_EDGES or not (readers and type.is_static and type.size):
        return None
    if any(reader is not None and (is_fusible(reader) or reader.op.kind == "view") for reader in readers):
        return None
    parts: list[Operand] = []
    lows: list[int] = []
    low = [0] * type.rank
    for operand in node.inputs:
        low[other] = 0
        for part in inner.inputs:
            taken = _taken(rewriter, operand, inner, part)
            if taken is None:
                return None
            parts.append(taken)
            lows += low
            low[other] += part.type.static_shape[other]
        low[axis] += operand.type.static_shape[axis]
    return rewriter.make(ops.assembled, parts, lows=tuple(lows), shape=type.static_shape)


def _taken(rewriter: Rewriter, operand: Operand, joined: Node, part: Operand) -> Operand | None:
    """What an operand, which is cut from a concatenation along another axis, has of one of its parts."""
    if operand is joined.output:
        return part
    made, axis = rewriter.producer(operand), joined.attrs["axis"]
    source = _taken(rewriter, made.inputs[0], joined, part) if made is not None and len(made.inputs) == 1 else None
    if made is None or source is None or source.type.rank != operand.type.rank:
        return None
    size = source.type.static_shape[axis]

    def own(sizes: tuple[int, ...]) -> tuple[int, ...]:
        return (*sizes[:axis], size, *sizes[axis + 1 :])

    if operand.type.shape[axis] != joined.output.type.shape[axis]:
        return None
    if made.op is ops.broadcast_to:
        return rewriter.make(ops.broadcast_to, [source], shape=own(made.attrs["shape"]))
    if made.op is ops.slice and made.attrs["step"][axis] == 1:
        return rewriter.make(ops.slice, [source], **{**made.attrs, "stop": own(made.attrs["stop"])})
    if made.op is ops.reverse and axis not in made.attrs["axes"]:
        return rewriter.make(ops.reverse, [source], **made.attrs)
    return None
