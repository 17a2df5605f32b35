"""Rules for paddings, and slices of them, so that kernels read shifted inputs directly.

A slice of a padded value becomes a padding; signs and factors move out of paddings. A part that is added to a large
part of a sum is padded and added. `windows.py` applies the rules.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...runtime.native.language import LANES
from .. import ops
from ..ir.graph import Graph, Node
from ..ir.values import Literal, Operand, Value
from ..kernels import eligible
from ..ops.windows import MOST_PARTS
from .cloning import is_fusible
from .rewriter import Rewriter, Rules, reads, reads_only
from .shapes import crop_is_slice

RULES = Rules()

LARGE_PART = 4  # of a large sum: one that is smaller than a fourth is added in place, with no pass over the rest
SMALL_SUM = 4096  # elements, which a kernel passes over sooner than NumPy is called
DEEPEST = 32  # how far a sum is searched for paddings

RULES.for_op(ops.pad)(crop_is_slice)


# Slices


def _is_whole(node: Node) -> bool:
    """Whether a slice leaves out no elements between others."""
    return set(node.attrs["step"]) == {1}


def _is_fused(graph: Graph, node: Node) -> bool:
    """Whether only kernels read a slice without steps, or the slice was made here."""
    readers = graph.readers.get(node.output, ())
    known = node.output in graph.producers
    return _is_whole(node) and (not known or (bool(readers) and all(map(is_fusible, readers))))


def _is_read(graph: Graph, value: Value) -> bool:
    """Whether only kernels read a value, or slices of it that only they read."""
    readers = graph.readers.get(value, ())
    return bool(readers) and all(
        is_fusible(reader)
        or (reader is not None and reader.op is ops.slice and _is_whole(reader) and _is_read(graph, reader.output))
        for reader in readers
    )


@RULES.for_op(ops.slice)
@reads(ops.pad)
def _slice_of_pad(rewriter: Rewriter, node: Node) -> Operand | None:
    """A slice of a padded value is its input with less padding."""
    graph, inner = rewriter.graph, rewriter.producer(node.inputs[0], ops.pad)
    if inner is None or not inner.output.type.is_static or not _is_fused(graph, node):
        return None
    zeros = padded(rewriter, node.inputs[0]) is inner
    if not (zeros or _is_number(inner)):
        return None
    bounds = _cropped(inner.inputs[0], inner.output, inner.attrs, node)
    if bounds is None:
        return None
    if not zeros or _keeps_factor(rewriter, inner.inputs[0]):
        return rewriter.make(ops.pad, inner.inputs, **{**inner.attrs, **bounds})
    return _pad(rewriter, inner.inputs[0], bounds, _is_added(graph, node))


def _cropped(x: Operand, whole: Operand, bounds: Mapping[str, Any], cut: Node) -> dict[str, Any] | None:
    """The sizes of the padding that a slice leaves of one of x to the whole; None if it leaves nothing of x."""
    low, high = [], []
    for before, size, extent, start, stop in zip(
        bounds["low"], x.type.static_shape, whole.type.static_shape, cut.attrs["start"], cut.attrs["stop"], strict=True
    ):
        start, stop, _ = slice(start, stop).indices(extent)
        low.append(before - start)
        high.append(stop - start - low[-1] - size)
    found = tuple(low), tuple(high)
    return None if _is_nothing_left(x, *found) else {"low": found[0], "high": found[1]}


def _is_nothing_left(x: Operand, low: tuple[int, ...], high: tuple[int, ...]) -> bool:
    """Whether a padding, perhaps with negative sizes, leaves nothing of x along an axis."""
    for before, size, after in zip(low, x.type.static_shape, high, strict=True):
        if size + min(before, 0, after, before + after) <= 0:
            return True
    return False


@RULES.for_op(ops.slice)
def _slice_of_sum(rewriter: Rewriter, node: Node) -> Operand | None:
    """A slice of a sum or scaled value of padded values is a sum of slices, if nothing else reads the whole."""
    whole = node.inputs[0]
    if not rewriter.used_once(whole) or not _is_fused(rewriter.graph, node) or not _holds_pad(rewriter, whole):
        return None
    return _sliced(rewriter, node, whole, 0) if padded(rewriter, whole) is None else None


def _is_linear(node: Node) -> bool:
    """Whether a node is cheap, elementwise and linear: its inputs are tensors of its own shape, and numbers."""
    if node.op.kind != "elementwise" or not node.op.cheap or node.attrs:
        return False
    made = node.outputs[0].type
    return not [
        1
        for operand in node.inputs
        if operand.type is not made and not isinstance(operand, Literal) and operand.type != made
    ]


def _sliced(rewriter: Rewriter, node: Node, operand: Operand, readers: int) -> Operand:
    """The slice of an operand, computed from slices of its inputs, if nothing else reads the operand."""
    made = rewriter.producer(operand)
    if made is not None and made is padded(rewriter, operand):
        bounds = _cropped(made.inputs[0], operand, made.attrs, node)
        if bounds is not None and not _keeps_factor(rewriter, made.inputs[0]):
            return _pad(rewriter, made.inputs[0], bounds, True)
    alone = isinstance(operand, Value) and rewriter.counts.get(operand, 0) == readers
    place = _place_of_part(made) if made is not None and made.op is ops.index_add and alone else None
    if made is not None and place is not None:
        part, inside = made.inputs[1], _cropped(made.inputs[1], operand, place, node)
        if inside is None:
            return rewriter.make(ops.slice, [_with_part(rewriter, made, place)], **node.attrs)
        return rewriter.make(ops.add, [_sliced(rewriter, node, made.inputs[0], 1), _pad(rewriter, part, inside, True)])
    if made is None or not alone or not _is_linear(made) or not _holds_pad(rewriter, operand):
        return rewriter.make(ops.slice, [operand], **node.attrs)
    parts = [part if isinstance(part, Literal) else _sliced(rewriter, node, part, 1) for part in made.inputs]
    return rewriter.make(made.op, parts)


def _holds_pad(rewriter: Rewriter, operand: Operand) -> bool:
    """Whether an operand is computed elementwise from a padded value, or a sum of parts. Looks at each value once: sums
    share parts."""
    seen: set[Operand] = set()
    level = [operand]
    for _ in range(DEEPEST + 1):
        below: list[Operand] = []
        for value in level:
            if value in seen:
                continue
            seen.add(value)
            if padded(rewriter, value) is not None:
                return True
            made = rewriter.producer(value)
            if made is not None and made.op is ops.index_add and _place_of_part(made) is not None:
                return True
            if made is not None and _is_linear(made):
                below += made.inputs
        level = below
    return False


@RULES.for_op(ops.slice)
@reads(ops.cast)
def _slice_of_cast(rewriter: Rewriter, node: Node) -> Operand | None:
    """A slice of integers that were cast to wider ones is cast, which takes kernels no time."""
    made = rewriter.producer(node.inputs[0], ops.cast)
    if made is None or not (is_widening(made) and _is_whole(node) and _is_read(rewriter.graph, node.output)):
        return None
    part = rewriter.make(ops.slice, made.inputs, **node.attrs)
    return rewriter.make(ops.cast, [part], dtype=node.output.type.dtype)


def is_widening(node: Node) -> bool:
    """Whether a node casts integers to wider ones, which kernels do as they read."""
    if node.op is not ops.cast:
        return False
    source, target = node.inputs[0].type.dtype, node.output.type.dtype
    return source.is_integer and target.is_integer and source.bits < target.bits <= 32


# Paddings


@RULES.for_op(ops.pad)
@reads(ops.pad)
def _pad_of_pad(rewriter: Rewriter, node: Node) -> Operand | None:
    """Paddings with zeros add up, unless the inner one removes elements where the outer one would add zeros."""
    inner = padded(rewriter, node.inputs[0])
    if inner is None or not node.windows:
        return None
    ends = [(*inner.attrs["low"], *inner.attrs["high"]), (*node.attrs["low"], *node.attrs["high"])]
    if any(first < 0 < second for first, second in zip(*ends, strict=True)):
        return None
    total = [first + second for first, second in zip(*ends, strict=True)]
    low, high = tuple(total[: len(total) // 2]), tuple(total[len(total) // 2 :])
    if _is_nothing_left(inner.inputs[0], low, high):
        return None
    return rewriter.make(ops.pad, inner.inputs, low=low, high=high, value=0)


@RULES.for_op(ops.concatenate)
@reads_only(ops.pad)
def _joined_pads(rewriter: Rewriter, node: Node) -> Operand | None:
    """Padded parts one after the other, as the blocks along a diagonal, are parts at their places."""
    pads, start, lows = [padded(rewriter, operand) for operand in node.inputs], 0, list[int]()
    if len(pads) > MOST_PARTS or not node.output.type.is_static:
        return None
    for operand, pad in zip(node.inputs, pads, strict=True):
        if pad is None or not rewriter.used_once(operand) or min(*pad.attrs["low"], *pad.attrs["high"]) < 0:
            return None
        low = [*pad.attrs["low"]]
        low[node.attrs["axis"]] += start
        lows += low
        start += operand.type.static_shape[node.attrs["axis"]]
    parts = [pad.inputs[0] for pad in pads if pad is not None]
    return rewriter.make(ops.assembled, parts, lows=tuple(lows), shape=node.output.type.static_shape)


def _is_number(node: Node) -> bool:
    """Whether a node pads with another number than zero, of a dtype that kernels add."""
    return node.attrs["value"] != 0 and node.output.type.dtype.numpy_name in LANES


@RULES.for_op(ops.pad)
def _pad_with_number(rewriter: Rewriter, node: Node) -> Operand | None:
    """A padding with another number, along one axis or where kernels read it, is a padding with zeros, and that number
    added where they are. Slices of it become paddings of their own.

    Elsewhere -0.0 is added, which changes nothing, not even the sign of zeros. There is a vector of numbers for each
    axis; of two of them the one that is farther from zero counts.
    """
    attrs: Any = node.attrs
    x, out, low, high, value = node.inputs[0], node.output.type, *map(attrs.get, ("low", "high", "value"))
    if not _is_number(node) or not x.type.is_static or not x.type.size:
        return None
    graph = rewriter.graph
    readers = graph.readers.get(node.output, ()) if node.output in graph.producers else ()
    if any(reader is not None and reader.op is ops.slice and _is_fused(graph, reader) for reader in readers):
        return None
    if sum(map(any, zip(low, high, strict=True))) != 1 and not all(map(is_fusible, readers)):
        return None
    numbers: Operand | None = None
    for axis, size in enumerate(out.static_shape):
        if max(low[axis], high[axis]) <= 0:
            continue
        added = np.full(size, value, out.dtype.np)
        added[max(low[axis], 0) : size - max(high[axis], 0)] = -0.0
        shape = [size if place == axis else 1 for place in range(out.rank)]
        vector = rewriter.make(ops.constant, [], value=added.reshape(shape))
        farther = ops.minimum if value < 0 else ops.maximum
        numbers = vector if numbers is None else rewriter.make(farther, [numbers, vector])
    zeros = rewriter.make(ops.pad, [x], low=low, high=high, value=0)
    return None if numbers is None else rewriter.make(ops.add, [zeros, numbers])


@RULES.for_op(ops.shift)
def _shift_with_number(rewriter: Rewriter, node: Node) -> Operand | None:
    """A shift that leaves a number is one that leaves zeros, and that number added where they are, as of paddings."""
    x, out, axis, offset = node.inputs[0], node.output.type, node.attrs["axis"], node.attrs["offset"]
    if node.windows or not out.is_static or not out.size or not offset:
        return None
    if not out.dtype.is_float or out.dtype.numpy_name not in LANES:
        return None
    added = np.full(out.static_shape[axis], -0.0, out.dtype.np)
    added[slice(0, offset) if offset > 0 else slice(offset, None)] = node.attrs["fill"]
    shape = [-1 if place == axis else 1 for place in range(out.rank)]
    zeros = rewriter.make(ops.shift, [x], axis=axis, offset=offset, fill=0.0)
    return rewriter.make(ops.add, [zeros, rewriter.make(ops.constant, [], value=added.reshape(shape))])


@RULES.for_op(ops.pad)
@reads(ops.negative, ops.multiply)
def _scale_of_pad(rewriter: Rewriter, node: Node) -> Operand | None:
    """As `_pad_of_scale`, for a node of the graph. `_slice_of_sum` pads terms of sums of which only a slice is read."""
    if not node.windows or _keeps_factor(rewriter, node.inputs[0]):
        return None
    if _is_sliced(rewriter.graph, node) or _is_result(rewriter, node):
        return None
    bounds = {"low": node.attrs["low"], "high": node.attrs["high"]}
    is_added = node.output in rewriter.graph.producers and _is_added(rewriter.graph, node)
    return _pad_of_scale(rewriter, node.inputs[0], bounds, is_added)


def _is_result(rewriter: Rewriter, node: Node) -> bool:
    """Whether a padding is a result alone, of what a kernel computes: it writes this between zeros (`boxes.py`)."""
    made, readers = scale_of(rewriter.producer(node.inputs[0])), rewriter.graph.readers.get(node.output, ())
    known = made is not None and is_fusible(rewriter.producer(made[0]))
    return known and bool(readers) and all(reader is None for reader in readers)


def _keeps_factor(rewriter: Rewriter, x: Operand) -> bool:
    """Whether what is scaled is computed for a padding alone, which is read at several places: it is stored with its
    factor, and no reader scales it."""
    found, readers = scale_of(rewriter.producer(x)), rewriter.graph.readers
    if found is None or len(readers.get(found[0], ())) != 1 or not is_fusible(rewriter.producer(found[0])):
        return False
    paddings = [reader for reader in readers.get(x, ()) if reader is not None and reader.op is ops.pad]
    return any(len(readers.get(padding.output, ())) > 1 for padding in paddings)


def _is_added(graph: Graph, node: Node) -> bool:
    """Whether a value is only added to others that are no padded negatives. It is if it was made here."""
    others: list[Operand] = []
    for reader in graph.readers.get(node.output, ()):
        if reader is None or reader.op is not ops.add or reader.inputs == (node.output, node.output):
            return False
        others += [operand for operand in reader.inputs if operand is not node.output]
    return not any(_is_negative(scale_of(_before_padding(graph, other))) for other in others)


def _before_padding(graph: Graph, operand: Operand) -> Node | None:
    """The node whose value is padded or sliced to an operand."""
    made = graph.producers.get(operand)
    while made is not None and (made.op is ops.pad or made.op is ops.slice):
        made = graph.producers.get(made.inputs[0])
    return made


def _pad_of_scale(rewriter: Rewriter, x: Operand, bounds: Mapping[str, Any], is_added: bool) -> Operand | None:
    """A padding of x, where x is scaled by a finite number: the scale moves behind the padding.

    It keeps zeros, but a negative one makes them -0.0. That moves only into a sum with other zeros (`is_added`).
    """
    inner = rewriter.producer(x)
    found = scale_of(inner)
    if inner is None or found is None or (_is_negative(found) and not is_added):
        return None
    if _is_stored_instead(rewriter.graph, x, found[0]):
        return None
    padded = _pad(rewriter, found[0], bounds, is_added)
    return rewriter.make(inner.op, [padded if operand is found[0] else operand for operand in inner.inputs])


def _is_stored_instead(graph: Graph, x: Operand, whole: Operand) -> bool:
    """Whether what is scaled to x need not be stored, for else only sums read it, while more than paddings read x."""
    if not any(map(is_fusible, graph.readers.get(x, ()))) or not is_fusible(graph.producers.get(whole)):
        return False
    made = graph.producers.get(x)
    return all(other is made or _is_summed(graph, other) for other in graph.readers.get(whole, ()))


def _is_summed(graph: Graph, reader: Node | None) -> bool:
    """Whether a node is a reduction, or is computed elementwise for reductions alone."""
    if reader is None or not is_fusible(reader):
        return False
    readers = [reader] if reader.op.kind == "reduction" else graph.readers[reader.output]
    return all(each is not None and each.op.kind == "reduction" for each in readers)


def _pad(rewriter: Rewriter, x: Operand, bounds: Mapping[str, Any], is_added: bool) -> Operand:
    """x between zeros, `low` and `high` as `bounds` says."""
    found = _pad_of_scale(rewriter, x, bounds, is_added)
    if found is None:
        found = _pad_of_product(rewriter, x, bounds)
    return rewriter.make(ops.pad, [x], **bounds, value=0) if found is None else found


def _pad_of_product(rewriter: Rewriter, x: Operand, bounds: Mapping[str, Any]) -> Operand | None:
    """A padding of x, where x alone is a product of views by numbers for each row, as in the gradient of an
    autocorrelation: both are padded, and no product is stored."""
    made = rewriter.producer(x, ops.multiply)
    if made is None or not rewriter.used_once(x) or made.output.type.dtype.numpy_name not in LANES:
        return None
    shape = made.output.type.static_shape
    parts: list[Operand] = []
    for operand in made.inputs:
        given = rewriter.producer(operand)
        sizes = (1,) * (len(shape) - operand.type.rank) + operand.type.static_shape
        along = zip(sizes, bounds["low"], bounds["high"], strict=True)
        if operand.type != made.output.type and all(size == 1 or not (low or high) for size, low, high in along):
            parts.append(rewriter.make(ops.broadcast_to, [operand], shape=shape))
        elif operand.type == made.output.type and (given is None or given.op.kind == "view"):
            parts.append(operand)
        else:
            return None
    if made.inputs[0].type == made.inputs[1].type:
        return None
    return rewriter.make(ops.multiply, [rewriter.make(ops.pad, [part], **bounds, value=0) for part in parts])


def scale_of(node: Node | None) -> tuple[Operand, float] | None:
    """What a negation, or a product with a finite number, scales, and by which number."""
    if node is None or node.op.kind != "elementwise" or not node.output.type.dtype.is_float:
        return None
    if node.op is ops.negative:
        return node.inputs[0], -1.0
    if node.op is not ops.multiply:
        return None
    first, second = node.inputs
    factor, other = (first, second) if isinstance(first, Literal) else (second, first)
    if not isinstance(factor, Literal) or isinstance(other, Literal) or other.type != node.output.type:
        return None
    number = factor.value
    return None if isinstance(number, complex) or not math.isfinite(number) else (other, float(number))


def _is_negative(found: tuple[Operand, float] | None) -> bool:
    """Whether a scale makes -0.0 of zeros."""
    return found is not None and math.copysign(1.0, found[1]) < 0


def padded(rewriter: Rewriter, operand: Operand) -> Node | None:
    """The node that pads an operand with zeros, where kernels may."""
    node = rewriter.producer(operand, ops.pad)
    return node if node is not None and eligible.lane_bytes(node) is not None else None


@RULES.for_op(ops.index_add, begins=True)
def _sum_of_pad(rewriter: Rewriter, node: Node) -> Operand | None:
    """A part that is added to a large part of a sum is padded and added, so that one kernel computes the whole sum.

    If only a slice of the sum is read, `_slice_of_sum` does so: most of each padding is cut off again.
    """
    bounds = _place_of_part(node)
    if bounds is None or _is_sliced(rewriter.graph, node):
        return None
    return _with_part(rewriter, node, bounds)


def _with_part(rewriter: Rewriter, node: Node, bounds: Mapping[str, Any]) -> Operand:
    """A sum with a part that is padded as `bounds` says."""
    total, value = node.inputs
    made = rewriter.producer(total, ops.index_add)
    inner = _place_of_part(made) if made is not None and rewriter.counts.get(made.output) == 1 else None
    if made is not None and inner is not None:
        total = _with_part(rewriter, made, inner)
    return rewriter.make(ops.add, [total, _pad(rewriter, value, bounds, True)])


def _is_sliced(graph: Graph, node: Node) -> bool:
    """Whether a sum of parts, or one of its parts, is read by one slice alone, perhaps after more is added to it."""
    for _ in range(DEEPEST):
        readers = graph.readers.get(node.output, ())
        reader = readers[0] if len(readers) == 1 else None
        if reader is None or (reader.op is not ops.index_add and reader.op is not ops.add):
            break
        if reader.output.type != node.output.type:
            return False
        if reader.op is ops.index_add and (reader.inputs[1] is node.output or _place_of_part(reader) is None):
            return False
        node = reader
    whole = node.output.type
    return reader is not None and reader.op is ops.slice and reader.output.type != whole and _is_fused(graph, reader)


def _place_of_part(node: Node) -> dict[str, tuple[int, ...]] | None:
    """How a part is padded that is added to a large part of a sum; None for another one."""
    box = box_of_part(node)
    if box is None:
        return None
    total, value = node.inputs
    if value.type.size * LARGE_PART < total.type.size > SMALL_SUM:
        return None
    high = tuple([size - stop for (_, stop), size in zip(box, total.type.static_shape, strict=True)])
    return {"low": tuple([start for start, _ in box]), "high": high}


def box_of_part(node: Node) -> tuple[tuple[int, int], ...] | None:
    """For each axis of a sum where the part begins and ends that is added to it; None if that is no box."""
    total, value = node.inputs[0], node.inputs[1]
    if len(node.inputs) != 2 or not (total.type.is_static and value.type.is_static) or total.type.dtype.is_bool:
        return None
    spec, shape = node.attrs["spec"], total.type.static_shape
    if len(spec) != len(shape) or value.type.rank != len(shape):
        return None
    if not all(isinstance(part, tuple) and len(part) == 3 and part[2] == 1 for part in spec):
        return None
    box = tuple([slice(*part).indices(size)[:2] for part, size in zip(spec, shape, strict=True)])
    if tuple([stop - start for start, stop in box]) != value.type.static_shape or isinstance(value, Literal):
        return None
    return box if value.type.size and value.type.dtype is total.type.dtype else None
