"""Producer cloning and algebra for padded reads, so that kernels read shifted inputs directly.

    %p: f32[6] = pad(%x, low=(1,), high=(1,))        %s: f32[4] = pad(%x, low=(1,), high=(-1,))
    %s: f32[4] = slice(%p, start=(0,), stop=(4,))    %y: f32[4] = tanh(%s)
    %y: f32[4] = tanh(%s)

A slice of a padded value becomes a padding; signs and factors move out of paddings. A part that is added to a large
part of a sum is padded and added (`place_windows` turns it into `index_add` again if no kernel takes it). Two slices
that change places become a roll. A roll of what is computed cheaply from parameters is computed from their rolls. Then
each elementwise reader gets a padding of its own, for its kernel.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...runtime.native.language import LANES
from .. import ops
from ..analysis.views import blank, view_of
from ..ir.graph import Graph, Node, walk
from ..ir.op import Op
from ..ir.values import Literal, Operand, Value
from ..kernels import eligible
from .cloning import clone_producers, is_fusible
from .padded_states import carry_unpadded
from .rewriter import Rewriter, Rule
from .shapes import crop_is_slice, merge_reshapes

LARGE_PART = 4  # of a large sum: one that is smaller than a fourth is added in place, with no pass over the rest
MOST_ROLLS = 2  # of one value: each roll computes it again
MOST_TERMS = 8  # nodes that compute this value
SMALL_SUM = 4096  # elements, which a kernel passes over sooner than NumPy is called


BY_OP: dict[Op, tuple[Rule, ...]] = {ops.pad: (crop_is_slice,)}
CONCERNED: set[frozenset[Op]] = {frozenset([ops.pad])}
"""Sets of ops: a graph has all of one if rules are to be tried on it."""


def _for_op(op: Op, concerned: bool = True, beside: Sequence[Op] = ()) -> Callable[[Rule], Rule]:
    """Try a rule on every node of an op, after the earlier rules. `concerned`: whether such nodes are enough for it,
    with these ops `beside` them."""

    def note(rule: Rule) -> Rule:
        BY_OP[op] = (*BY_OP.get(op, ()), rule)
        CONCERNED.update([frozenset([op, *beside])] if concerned else ())
        return rule

    return note


_for_op(ops.reshape, concerned=False)(merge_reshapes)


def spread_windows(graph: Graph) -> Graph:
    """Place paddings next to the elementwise nodes that read them. Without machine code nothing changes."""
    given = graph.ops
    concerned = any(op.windows is not None for op in given) or any(each <= given for each in CONCERNED)
    concerned = concerned and any(map(_has_rules, walk(graph)))
    if ops.cast in given and ops.slice in given:
        concerned = concerned or any(map(_is_widening, walk(graph)))
    if not (concerned and eligible.is_available()):
        return graph
    graph = carry_unpadded(graph)
    rewriter = Rewriter(graph, _rules(graph), spread_windows)
    for node in graph.nodes:
        rewriter.visit(node)
    outputs = tuple(map(rewriter.current, graph.outputs))
    rewritten = graph.with_nodes(tuple(rewriter.nodes), outputs)
    return clone_producers(rewritten, lambda node: bool(node.op.windows) and eligible.lane_bytes(node) is not None)


def _is_widening(node: Node) -> bool:
    """Whether a node casts integers to wider ones, which kernels do as they read."""
    if node.op is not ops.cast:
        return False
    source, target = node.inputs[0].type.dtype, node.output.type.dtype
    return source.is_integer and target.is_integer and source.bits < target.bits <= 32


def _has_rules(node: Node) -> bool:
    """Whether a rule may apply to this node. Most programs have no such node, and need no new graph."""
    return node.op.windows is not None or node.op in BY_OP


def place_windows(graph: Graph) -> Graph:
    """Add padded parts that no kernel reads in place, without the zeros around them."""
    if ops.pad not in graph.ops:
        return graph
    rewriter = Rewriter(graph, lambda node: (_placed,) if node.op is ops.add else (), place_windows)
    for node in graph.nodes:
        rewriter.visit(node)
    return graph.with_nodes(tuple(rewriter.nodes), tuple(map(rewriter.current, graph.outputs)))


def _rules(graph: Graph) -> Callable[[Node], Sequence[Rule]]:
    """The rules for a node of a graph."""

    def is_whole(node: Node) -> bool:
        """Whether a slice leaves out no elements between others."""
        return set(node.attrs["step"]) == {1}

    def is_fused(node: Node) -> bool:
        """Whether only kernels read a slice without steps, or the slice was made here."""
        readers = graph.readers.get(node.output, ())
        known = node.output in graph.producers
        return is_whole(node) and (not known or (bool(readers) and all(map(is_fusible, readers))))

    def is_read(value: Value) -> bool:
        """Whether only kernels read a value, or slices of it that only they read."""
        readers = graph.readers.get(value, ())
        return bool(readers) and all(
            is_fusible(reader)
            or (reader is not None and reader.op is ops.slice and is_whole(reader) and is_read(reader.output))
            for reader in readers
        )

    def slice_of_cast(rewriter: Rewriter, node: Node) -> Operand | None:
        """A slice of integers that were cast to wider ones is cast, which takes kernels no time."""
        made = rewriter.producer(node.inputs[0], ops.cast)
        if made is None or not (_is_widening(made) and is_whole(node) and is_read(node.output)):
            return None
        part = rewriter.make(ops.slice, made.inputs, **node.attrs)
        return rewriter.make(ops.cast, [part], dtype=node.output.type.dtype)

    def slice_of_sum(rewriter: Rewriter, node: Node) -> Operand | None:
        """A slice of a sum or scaled value of padded values is a sum of slices, if nothing else reads the whole."""
        whole = node.inputs[0]
        if not rewriter.used_once(whole) or not is_fused(node) or not _holds_pad(rewriter, whole):
            return None
        return _sliced(rewriter, node, whole, 0) if _padded(rewriter, whole) is None else None

    def slice_of_pad(rewriter: Rewriter, node: Node) -> Operand | None:
        """A slice of a padded value is its input with less padding."""
        inner = rewriter.producer(node.inputs[0], ops.pad)
        if inner is None or not inner.output.type.is_static or not is_fused(node):
            return None
        zeros = _padded(rewriter, node.inputs[0]) is inner
        if not (zeros or _is_number(inner)):
            return None
        x = inner.inputs[0]
        bounds = zip(node.attrs["start"], node.attrs["stop"], inner.output.type.static_shape, strict=True)
        cuts = [slice(start, stop).indices(size)[:2] for start, stop, size in bounds]
        low = tuple(before - start for before, (start, _) in zip(inner.attrs["low"], cuts, strict=True))
        places = zip(low, x.type.static_shape, cuts, strict=True)
        high = tuple(stop - start - before - size for before, size, (start, stop) in places)
        if any(size + min(before, 0, after, before + after) <= 0
               for before, size, after in zip(low, x.type.static_shape, high, strict=True)):  # fmt: skip
            return None
        if not zeros or x in complete:
            return rewriter.make(ops.pad, [x], **{**inner.attrs, "low": low, "high": high})
        return _pad(rewriter, x, {"low": low, "high": high}, is_added(node))

    def pad_with_number(rewriter: Rewriter, node: Node) -> Operand | None:
        """As `_pad_with_number`, along one axis or where kernels read the value. Slices of it become paddings of their
        own."""
        readers = graph.readers.get(node.output, ()) if node.output in graph.producers else ()
        if any(reader is not None and reader.op is ops.slice and is_fused(reader) for reader in readers):
            return None
        axes = sum(map(any, zip(node.attrs["low"], node.attrs["high"], strict=True)))
        return _pad_with_number(rewriter, node) if axes == 1 or all(map(is_fusible, readers)) else None

    def pad_of_scale(rewriter: Rewriter, node: Node) -> Operand | None:
        """As `_pad_of_scale`. A factor stays with what is computed for this padding alone, and read at several places:
        it is stored with its factor, and no reader scales it."""
        x = node.inputs[0]
        if not ops.pad.windows(node) or x in complete:  # type: ignore[misc]
            return None
        found = _scale(rewriter.producer(x))
        own = (
            found is not None and len(graph.readers.get(found[0], ())) == 1 and is_fusible(rewriter.producer(found[0]))
        )
        if own and len(graph.readers.get(node.output, ())) > 1:
            complete.add(x)
            return None
        bounds = {"low": node.attrs["low"], "high": node.attrs["high"]}
        return _pad_of_scale(rewriter, x, bounds, node.output in graph.producers and is_added(node))

    def is_added(node: Node) -> bool:
        """Whether a value is only added to others that are no padded negatives. It is if it was made here."""
        others: list[Operand] = []
        for reader in graph.readers.get(node.output, ()):
            if reader is None or reader.op is not ops.add or reader.inputs == (node.output, node.output):
                return False
            others += [operand for operand in reader.inputs if operand is not node.output]
        return not any(_is_negative(_scale(before_padding(other))) for other in others)

    def before_padding(operand: Operand) -> Node | None:
        """The node whose value is padded or sliced to an operand."""
        made = graph.producers.get(operand)
        while made is not None and (made.op is ops.pad or made.op is ops.slice):
            made = graph.producers.get(made.inputs[0])
        return made

    rolled: dict[Operand, int] = {}
    for node in graph.nodes:
        if node.op is ops.roll:
            operand = node.inputs[0]
            while (scaled := _scale(graph.producers.get(operand))) is not None:
                operand = scaled[0]
            rolled[operand] = rolled.get(operand, 0) + 1

    def roll_of_terms(rewriter: Rewriter, node: Node) -> Operand | None:
        """As `_roll_of_terms`, of what is rolled a few times."""
        is_static = node.output.type.is_static
        return _roll_of_terms(rewriter, node) if is_static and rolled.get(node.inputs[0], 1) <= MOST_ROLLS else None

    complete: set[Operand] = set()
    rules = {**BY_OP, ops.slice: (slice_of_pad, slice_of_sum, slice_of_cast)}
    rules[ops.roll] = (*BY_OP[ops.roll], roll_of_terms)
    rules[ops.pad] = (*BY_OP[ops.pad], pad_with_number, pad_of_scale)
    return lambda node: rules.get(node.op, ())


DEEPEST = 32  # how far a sum is searched for paddings


def _is_linear(node: Node) -> bool:
    """Whether a node is cheap, elementwise and linear: its inputs are tensors of its own shape, and numbers."""
    if node.op.kind != "elementwise" or not node.op.cheap or node.attrs:
        return False
    return all(isinstance(operand, Literal) or operand.type == node.output.type for operand in node.inputs)


def _sliced(rewriter: Rewriter, node: Node, operand: Operand, readers: int) -> Operand:
    """The slice of an operand, computed from slices of its inputs, if nothing else reads the operand."""
    made = rewriter.producer(operand)
    alone = isinstance(operand, Value) and rewriter.counts.get(operand, 0) == readers
    if made is None or not alone or not _is_linear(made) or not _holds_pad(rewriter, operand):
        return rewriter.make(ops.slice, [operand], **node.attrs)
    parts = [part if isinstance(part, Literal) else _sliced(rewriter, node, part, 1) for part in made.inputs]
    return rewriter.make(made.op, parts)


def _holds_pad(rewriter: Rewriter, operand: Operand) -> bool:
    """Whether an operand is computed elementwise from a padded value. Looks at each value once: sums share parts."""
    seen: set[Operand] = set()
    level = [operand]
    for _ in range(DEEPEST + 1):
        below: list[Operand] = []
        for value in level:
            if value in seen:
                continue
            seen.add(value)
            if _padded(rewriter, value) is not None:
                return True
            made = rewriter.producer(value)
            if made is not None and _is_linear(made):
                below += made.inputs
        level = below
    return False


def _padded(rewriter: Rewriter, operand: Operand) -> Node | None:
    """The node that pads an operand with zeros, where kernels may."""
    node = rewriter.producer(operand, ops.pad)
    return node if node is not None and eligible.lane_bytes(node) is not None else None


@_for_op(ops.pad)
def _pad_of_pad(rewriter: Rewriter, node: Node) -> Operand | None:
    """Paddings with zeros add up, unless the inner one removes elements where the outer one would add zeros."""
    inner = _padded(rewriter, node.inputs[0])
    if inner is None or not ops.pad.windows(node):  # type: ignore[misc]
        return None
    ends = [(*inner.attrs["low"], *inner.attrs["high"]), (*node.attrs["low"], *node.attrs["high"])]
    if any(first < 0 < second for first, second in zip(*ends, strict=True)):
        return None
    total = [first + second for first, second in zip(*ends, strict=True)]
    low, high = tuple(total[: len(total) // 2]), tuple(total[len(total) // 2 :])
    if any(size + min(before, 0, after, before + after) <= 0
           for before, size, after in zip(low, inner.inputs[0].type.static_shape, high, strict=True)):  # fmt: skip
        return None
    return rewriter.make(ops.pad, inner.inputs, low=low, high=high, value=0)


def _scale(node: Node | None) -> tuple[Operand, float] | None:
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


def _pad_of_scale(rewriter: Rewriter, x: Operand, bounds: Mapping[str, Any], is_added: bool) -> Operand | None:
    """A padding of x, where x is scaled by a finite number: the scale moves behind the padding.

    It keeps zeros, but a negative one makes them -0.0. That moves only into a sum with other zeros (`is_added`).
    """
    inner = rewriter.producer(x)
    found = _scale(inner)
    if inner is None or found is None or (_is_negative(found) and not is_added):
        return None
    padded = _pad(rewriter, found[0], bounds, is_added)
    return rewriter.make(inner.op, [padded if operand is found[0] else operand for operand in inner.inputs])


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


@_for_op(ops.index_add)
def _sum_of_pad(rewriter: Rewriter, node: Node) -> Operand | None:
    """A part that is added to a large part of a sum is padded and added, so that one kernel computes the whole sum."""
    total, value = node.inputs[0], node.inputs[1]
    if len(node.inputs) != 2 or not (total.type.is_static and value.type.is_static) or total.type.dtype.is_bool:
        return None
    spec, shape = node.attrs["spec"], total.type.static_shape
    if len(spec) != len(shape) or value.type.rank != len(shape):
        return None
    if value.type.size * LARGE_PART < total.type.size > SMALL_SUM:
        return None
    if not all(isinstance(part, tuple) and len(part) == 3 and part[2] == 1 for part in spec):
        return None
    cuts = [slice(*part).indices(size)[:2] for part, size in zip(spec, shape, strict=True)]
    if tuple(stop - start for start, stop in cuts) != value.type.static_shape or isinstance(value, Literal):
        return None
    low = tuple(start for start, _ in cuts)
    high = tuple(size - stop for (_, stop), size in zip(cuts, shape, strict=True))
    if not value.type.size or value.type.dtype is not total.type.dtype:
        return None
    return rewriter.make(ops.add, [total, _pad(rewriter, value, {"low": low, "high": high}, True)])


@_for_op(ops.roll)
@_for_op(ops.reverse)
def _moved_scale(rewriter: Rewriter, node: Node) -> Operand | None:
    """A scaled value, rolled or reversed, is the moved value, scaled: several factors of one value then read the same
    one, and none of them is stored."""
    operand, scales = node.inputs[0], []
    while node.op is ops.roll or rewriter.used_once(operand):
        made = rewriter.producer(operand)
        found = _scale(made)
        if made is None or found is None:
            break
        scales.append(made)
        operand = found[0]
    if not scales:
        return None
    moved = rewriter.make(node.op, [operand], **node.attrs)
    for made in reversed(scales):
        moved = rewriter.make(made.op, [part if isinstance(part, Literal) else moved for part in made.inputs])
    return moved


def _roll_of_terms(rewriter: Rewriter, node: Node) -> Operand | None:
    """A roll of what follows cheaply from values that come from outside, as states of a loop do, is computed from their
    rolls: the kernel that reads it then computes it, and it is not stored."""
    moved: dict[Operand, Operand] = {}
    terms: dict[Operand, Node] = {}
    pending = [node.inputs[0]]
    while pending:
        operand = pending.pop()
        made = rewriter.producer(operand)
        if isinstance(operand, Literal):
            moved[operand] = operand
        elif operand.type.shape != node.output.type.shape:
            return None
        elif made is None and operand.type == node.output.type:
            moved[operand] = node.output
        elif made is None or not made.op.cheap or made.op.kind != "elementwise" or len(terms) == MOST_TERMS:
            return None
        elif operand not in terms:
            terms[operand] = made
            pending += made.inputs

    def value(operand: Operand) -> Operand:
        if moved.get(operand) is node.output:
            moved[operand] = rewriter.make(ops.roll, [operand], **node.attrs)
        elif operand not in moved:
            made = terms[operand]
            moved[operand] = rewriter.make(made.op, [value(part) for part in made.inputs], **made.attrs)
        return moved[operand]

    return value(node.inputs[0]) if terms else None


@_for_op(ops.add, concerned=False)
def _sum_of_reshapes(rewriter: Rewriter, node: Node) -> Operand | None:
    """The sum of two paddings in another shape is their sum, in that shape: one kernel then makes all of it.

    Such paddings are gradients of every second element, which are columns of two.
    """
    found = [rewriter.producer(operand, ops.reshape) for operand in node.inputs]
    parts = [made.inputs[0] for made in found if made is not None and rewriter.used_once(made.output)]
    if len(parts) < 2 or parts[0].type != parts[1].type:
        return None
    for part in parts:
        made = rewriter.producer(part)
        if made is None or not (made.op is ops.add or _padded(rewriter, part) is not None):
            return None
    return rewriter.make(ops.reshape, [rewriter.make(ops.add, parts)], shape=node.output.type.static_shape)


@_for_op(ops.reshape, concerned=False)
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
    if x.type.dtype.is_bool:
        return None
    copy = rewriter.make(ops.copied, [rewriter.make(ops.broadcast_to, [x], shape=shape)])
    made = rewriter.producer(copy, ops.copied)
    if made is None or eligible.lane_bytes(made) is None:
        return None
    return rewriter.make(ops.reshape, [copy], shape=final)


@_for_op(ops.broadcast_to, beside=(ops.reshape,))
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


@_for_op(ops.concatenate)
def _rotation(rewriter: Rewriter, node: Node) -> Operand | None:
    """The end of a tensor followed by its beginning is the tensor, rolled."""
    axis = node.attrs["axis"]
    found = [rewriter.producer(operand, ops.slice) for operand in node.inputs]
    parts = [part for part in found if part is not None]
    if len(found) != 2 or len(parts) != 2 or parts[0].inputs[0] is not parts[1].inputs[0]:
        return None
    x = parts[0].inputs[0]
    if x.type != node.output.type or not x.type.is_static:
        return None
    size, cuts = x.type.static_shape[axis], []
    for part in parts:
        bounds = zip(part.attrs["start"], part.attrs["stop"], part.attrs["step"], x.type.static_shape, strict=True)
        for position, (start, stop, step, extent) in enumerate(bounds):
            cut = slice(start, stop, step).indices(extent)
            if position == axis:
                cuts.append(cut)
            elif cut != (0, extent, 1):
                return None
    (first, end, one), (begin, last, other) = cuts
    if (end, begin, one, other) != (size, 0, 1, 1) or last != first:
        return None
    return rewriter.make(ops.roll, [x], shift=(size - first,), axis=(axis,))


def _is_number(node: Node) -> bool:
    """Whether a node pads with another number than zero, of a dtype that kernels add."""
    return node.attrs["value"] != 0 and node.output.type.dtype.numpy_name in LANES


def _pad_with_number(rewriter: Rewriter, node: Node) -> Operand | None:
    """A padding with another number is a padding with zeros, and that number added where they are.

    Elsewhere -0.0 is added, which changes nothing, not even the sign of zeros. There is a vector of numbers for each
    axis; of two of them the one that is farther from zero counts.
    """
    attrs: Any = node.attrs
    x, out, low, high, value = node.inputs[0], node.output.type, *map(attrs.get, ("low", "high", "value"))
    if not _is_number(node) or not x.type.is_static or not x.type.size:
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


@_for_op(ops.shift)
def _shift_with_number(rewriter: Rewriter, node: Node) -> Operand | None:
    """A shift that leaves a number is one that leaves zeros, and that number added where they are, as of paddings."""
    x, out, axis, offset = node.inputs[0], node.output.type, node.attrs["axis"], node.attrs["offset"]
    if ops.shift.windows(node) or not out.is_static or not out.size or not offset:  # type: ignore[misc]
        return None
    if not out.dtype.is_float or out.dtype.numpy_name not in LANES:
        return None
    added = np.full(out.static_shape[axis], -0.0, out.dtype.np)
    added[slice(0, offset) if offset > 0 else slice(offset, None)] = node.attrs["fill"]
    shape = [-1 if place == axis else 1 for place in range(out.rank)]
    zeros = rewriter.make(ops.shift, [x], axis=axis, offset=offset, fill=0.0)
    return rewriter.make(ops.add, [zeros, rewriter.make(ops.constant, [], value=added.reshape(shape))])


@_for_op(ops.concatenate)
def _scaled_parts(rewriter: Rewriter, node: Node) -> Operand | None:
    """Parts of which some are only negated or scaled are joined as they are, and each is scaled where it is read."""
    out, axis = node.output.type, node.attrs["axis"]
    if not (out.is_static and out.dtype.is_float) or eligible.lane_bytes(node) is None:
        return None
    parts, factors = [], []
    for part in node.inputs:
        found = _scale(rewriter.producer(part)) if rewriter.used_once(part) else None
        operand, factor = found or (part, 1.0)
        parts.append(operand)
        factors += [factor] * part.type.static_shape[axis]
    if parts == list(node.inputs):
        return None
    shape = [len(factors) if place == axis else 1 for place in range(out.rank)]
    scale = rewriter.make(ops.constant, [], value=np.reshape(np.array(factors, out.dtype.np), shape))
    return rewriter.make(ops.multiply, [rewriter.make(ops.concatenate, parts, axis=axis), scale])


def _placed(rewriter: Rewriter, node: Node) -> Operand | None:
    """x + pad(y) is x with y added in place."""
    for total, other in (node.inputs, node.inputs[::-1]):
        made = _padded(rewriter, other)
        if made is None or not rewriter.used_once(other) or total.type != node.output.type:
            continue
        if isinstance(total, Literal) or min((*made.attrs["low"], *made.attrs["high"]), default=-1) < 0:
            continue
        sizes = made.inputs[0].type.static_shape
        if not made.inputs[0].type.size:
            continue
        spec = tuple((low, low + size, 1) for low, size in zip(made.attrs["low"], sizes, strict=True))
        return rewriter.make(ops.index_add, [total, made.inputs[0]], spec=spec)
    return None
