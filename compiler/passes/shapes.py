"""Peephole rules of shapes, which see the producers of a node's inputs: constants, broadcasts, transposes, casts."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter

import numpy as np

from ...runtime.dtypes import float32
from .. import ops
from ..ir.graph import Node
from ..ir.types import Shape, broadcast_shapes
from ..ir.values import Literal, Operand, literal
from .rewriter import Rewriter, Rules, reads, reads_only

RULES = Rules()

SMALLER = 8  # times that what an outer product is computed of is smaller than it, at least


@RULES.for_kind("elementwise")
@reads_only(Literal)
def fold(rewriter: Rewriter, node: Node) -> Operand | None:
    """Compute an elementwise op on literals now."""
    if node.output.type.shape != () or not all(isinstance(operand, Literal) for operand in node.inputs):
        return None
    with np.errstate(all="ignore"):
        result = node.op.kernel(*[operand.array for operand in node.inputs], **node.attrs)  # type: ignore[union-attr]
    return literal(np.asarray(result).item(), node.output.type.dtype)


def splat(rewriter: Rewriter, operand: Operand) -> Literal | None:
    """The number that an operand is a splat of; None for other operands."""
    if isinstance(operand, Literal):
        return operand
    node = rewriter.producer(operand, ops.full)
    return literal(node.attrs["value"], node.output.type.dtype) if node is not None else None


def make_full(rewriter: Rewriter, node: Node, value: Literal) -> Operand:
    """A splat of the node's output type."""
    type = node.output.type
    if type.shape == ():
        return value
    return rewriter.make(ops.full, (), shape=type.static_shape, value=value.value, dtype=type.dtype)


@RULES.for_kind("view")
@reads(Literal, ops.full)
def view_of_splat(rewriter: Rewriter, node: Node) -> Operand | None:
    """A view of a splat is a splat."""
    out = node.output.type
    if len(node.inputs) != 1 or not out.is_static or out.dtype is not node.inputs[0].type.dtype:
        return None
    value = splat(rewriter, node.inputs[0])
    return None if value is None else make_full(rewriter, node, value)


LARGEST_MASK, LARGEST_TABLE = 1 << 16, 1 << 14  # elements of a triangle, and of other numbers, that the program keeps


@RULES.for_kind("elementwise")
@reads_only(Literal, ops.iota, ops.constant, ops.full, ops.reshape, ops.transpose, ops.broadcast_to, ops.slice)
def fold_numbers(rewriter: Rewriter, node: Node) -> Operand | None:
    """Constant folding: what is computed of counted numbers alone, as a window or a mask is, is a constant."""
    type = node.output.type
    if not type.is_static or not 0 < type.size <= LARGEST_TABLE:
        return None
    known: list[np.ndarray] = []
    for operand in node.inputs:
        found = _numbers(rewriter, operand)
        if found is None:
            return None
        known.append(found)
    if not any(any(one.strides) for one in known):
        return None
    with np.errstate(all="ignore"):
        return rewriter.make(ops.constant, (), value=np.asarray(node.op.kernel(*known, **node.attrs)))


def _numbers(rewriter: Rewriter, operand: Operand) -> np.ndarray | None:
    """The numbers of an operand that is computed of no input; those of a splat once."""
    views: list[Node] = []
    node = rewriter.producer(operand)
    while node is not None and node.op.kind == "view" and len(node.inputs) == 1:
        views.append(node)
        operand = node.inputs[0]
        node = rewriter.producer(operand)
    if isinstance(operand, Literal):
        found = operand.array
    elif node is None or not operand.type.is_static or node.op is ops.undefined:
        return None
    elif node.op is ops.full:
        found = np.broadcast_to(np.asarray(node.attrs["value"], operand.type.dtype.np), operand.type.static_shape)
    elif node.op.kind == "creation" and operand.type.size <= LARGEST_TABLE:  # a slice of more may read few
        found = np.asarray(node.op.kernel(**node.attrs))
    else:
        return None
    for view in reversed(views):
        found = np.asarray(view.op.kernel(found, **view.attrs))
    return found


@RULES.for_op(ops.tril)
@reads(Literal, ops.full)
def triangle_of_splat(rewriter: Rewriter, node: Node) -> Operand | None:
    """A triangle of one number, such as the mask of what is not later, is a constant."""
    value, type = splat(rewriter, node.inputs[0]), node.output.type
    if value is None or not type.is_static or not 0 < type.size <= LARGEST_MASK:
        return None
    whole = np.full(type.static_shape, value.value, type.dtype.np)
    return rewriter.make(ops.constant, (), value=node.op.kernel(whole, **node.attrs))


def without_broadcast(rewriter: Rewriter, operand: Operand) -> Operand:
    """The operand before it was broadcast, or before it got leading dimensions of size one."""
    source, made = rewriter.source, rewriter.producers
    kind = source[operand]
    while kind is _BROADCAST or (kind is _RESHAPE and _adds_leading_ones(made[operand])):
        operand = made[operand].inputs[0]
        kind = source[operand]
    if kind is not _FULL:
        return operand
    node = made[operand]
    return literal(node.attrs["value"], node.output.type.dtype)


def _adds_leading_ones(node: Node) -> bool:
    before, after = node.inputs[0].type.shape, node.output.type.shape
    lead = len(after) - len(before)
    return lead > 0 and after[lead:] == before and all(size == 1 for size in after[:lead])


_shape_of: Callable[[Operand], Shape] = attrgetter("type.shape")
# Python reads these names sooner than those of the module of all ops.
_BROADCAST = ops.broadcast_to
_RESHAPE = ops.reshape
_FULL = ops.full


@lru_cache(maxsize=1024)
def _together(*shapes: Shape) -> tuple[Shape, int]:
    """What shapes are broadcast to, and the elements of that; 0 if only the run knows them."""
    shape = broadcast_shapes(*shapes)
    return shape, 0 if None in shape else math.prod(shape)  # type: ignore[arg-type]


@RULES.for_kind("elementwise")
@reads(ops.broadcast_to, ops.reshape, ops.full)
def absorb_broadcast(rewriter: Rewriter, node: Node) -> Node | None:
    """An elementwise op broadcasts its inputs itself; and it is cheaper before a broadcast than after."""
    out, source = node.outputs[0].type, rewriter.source
    if not out.is_static or not node.inputs:
        return None
    inputs = list(node.inputs)
    changes = False
    for place, operand in enumerate(node.inputs):
        made = source[operand]
        if made is _BROADCAST or made is _RESHAPE or made is _FULL:  # perhaps of fewer dimensions or elements
            inputs[place] = found = without_broadcast(rewriter, operand)
            changes = changes or found is not operand
    if not changes:
        return None
    shape, size = _together(*map(_shape_of, inputs))
    if shape == out.shape:
        return node.with_inputs(inputs)
    if size == out.size:
        return None  # only dimensions of size one are missing
    small = rewriter.make(node.op, inputs, **node.attrs)
    return Node(ops.broadcast_to, (small,), node.outputs, {"shape": out.static_shape}, node.location)


@RULES.for_op(ops.reshape)
@reads(ops.reshape)
def merge_reshapes(rewriter: Rewriter, node: Node) -> Operand | None:
    """A reshape of a reshape is one reshape."""
    inner = rewriter.producer(node.inputs[0], ops.reshape)
    if inner is None or not (inner.inputs[0].type.is_static and node.output.type.is_static):
        return None
    return rewriter.make(ops.reshape, inner.inputs, shape=node.output.type.static_shape)


@RULES.for_op(_RESHAPE)
def drop_leading_ones_before(rewriter: Rewriter, node: Node) -> Operand | None:
    """Leading dimensions of size one are dropped before elementwise ops of slices, as in y[0] of computed numbers: then
    kernels compute these with what reads them."""
    x, shape = node.inputs[0], node.output.type.shape
    lead = len(x.type.shape) - len(shape)
    if not shape or lead <= 0 or x.type.shape != (1,) * lead + shape or None in shape:
        return None
    return _with_last_axes(rewriter, x, len(shape)) if _is_of_slices(rewriter, x, len(shape), 0) else None


def _is_of_slices(rewriter: Rewriter, operand: Operand, rank: int, others: int) -> bool:
    """Whether an operand of more dimensions is computed of slices for a reader alone, or for so many others."""
    made = rewriter.producer(operand)
    if made is None or operand.type.rank <= rank:
        return operand.type.rank <= rank
    if made.op.kind != "elementwise":
        return bool(others) and made.op is ops.slice
    found = rewriter.counts.get(made.output, 0) <= others
    return found and all(_is_of_slices(rewriter, x, rank, 1) for x in made.inputs)


def _with_last_axes(rewriter: Rewriter, operand: Operand, rank: int) -> Operand:
    """An operand without its leading dimensions."""
    made = rewriter.producer(operand)
    if operand.type.rank <= rank:
        return operand
    if made is not None and made.op.kind == "elementwise":
        inputs = [_with_last_axes(rewriter, x, rank) for x in made.inputs]
        return rewriter.make(made.op, inputs, **made.attrs)
    return rewriter.make(_RESHAPE, [operand], shape=operand.type.static_shape[-rank:])


@RULES.for_kind("reduction")
def reduction_is_reshape(rewriter: Rewriter, node: Node) -> Operand | None:
    """A reduction over axes of one element each is a reshape."""
    given, made = node.inputs[0].type, node.output.type
    if not given.is_static or given.size != made.size or not made.size or given.dtype is not made.dtype:
        return None
    return rewriter.make(ops.reshape, node.inputs, shape=made.static_shape)


@RULES.for_op(ops.argmax, ops.argmin)
def only_position(rewriter: Rewriter, node: Node) -> Operand | None:
    """The position of the one element along an axis is zero."""
    type = node.inputs[0].type
    if not type.is_static or type.shape[node.attrs["axis"]] != 1:
        return None
    return rewriter.make(ops.full, [], shape=node.output.type.static_shape, value=0, dtype=node.output.type.dtype)


@RULES.for_op(ops.transpose)
def transpose_is_reshape(rewriter: Rewriter, node: Node) -> Operand | None:
    """A transpose that moves only dimensions of size one is a reshape."""
    type = node.inputs[0].type
    moved = [axis for axis in node.attrs["axes"] if type.shape[axis] != 1]
    if moved != sorted(moved) or not type.is_static or node.attrs["axes"] == tuple(range(type.rank)):
        return None
    return rewriter.make(ops.reshape, node.inputs, shape=node.output.type.static_shape)


@RULES.for_op(ops.transpose)
@reads(ops.transpose)
def merge_transposes(rewriter: Rewriter, node: Node) -> Operand | None:
    """A transpose of a transpose is one transpose."""
    inner = rewriter.producer(node.inputs[0], ops.transpose)
    if inner is None:
        return None
    axes = tuple(inner.attrs["axes"][axis] for axis in node.attrs["axes"])
    return rewriter.make(ops.transpose, inner.inputs, axes=axes)


@RULES.for_op(ops.slice)
def slice_of_all_is_reverse(rewriter: Rewriter, node: Node) -> Operand | None:
    """A slice of all elements, from the last to the first along some axes, is a reverse."""
    type, steps = node.inputs[0].type, node.attrs["step"]
    if min(steps, default=1) != -1 or not type.is_static or node.output.type != type:
        return None
    return rewriter.make(ops.reverse, node.inputs, axes=tuple(axis for axis, by in enumerate(steps) if by < 0))


@RULES.for_op(ops.reverse)
@reads(ops.reverse)
def merge_reverses(rewriter: Rewriter, node: Node) -> Operand | None:
    """A reverse of a reverse is one along those axes that only one of them has."""
    inner = rewriter.producer(node.inputs[0], ops.reverse)
    if inner is None:
        return None
    axes = tuple(sorted({*node.attrs["axes"]} ^ {*inner.attrs["axes"]}))
    return rewriter.make(ops.reverse, inner.inputs, axes=axes) if axes else inner.inputs[0]


@RULES.for_op(ops.transpose)
@reads(ops.reverse)
def mirror_after_transpose(rewriter: Rewriter, node: Node) -> Operand | None:
    """What is mirrored and then transposed is transposed first: transposes of whole arrays are copied in registers."""
    inner = rewriter.producer(node.inputs[0], ops.reverse)
    if inner is None or not rewriter.used_once(node.inputs[0]):
        return None
    axes = node.attrs["axes"]
    mirrored = tuple(place for place, axis in enumerate(axes) if axis in inner.attrs["axes"])
    return rewriter.make(ops.reverse, [rewriter.make(ops.transpose, inner.inputs, axes=axes)], axes=mirrored)


@RULES.for_op(ops.broadcast_to)
@reads(ops.broadcast_to, ops.reshape)
def merge_broadcasts(rewriter: Rewriter, node: Node) -> Operand | None:
    """A broadcast of a broadcast is one broadcast, which also adds leading dimensions."""
    inner = rewriter.producer(node.inputs[0])
    if inner is None or not (inner.op is ops.broadcast_to or (inner.op is ops.reshape and _adds_leading_ones(inner))):
        return None
    return rewriter.make(ops.broadcast_to, inner.inputs, shape=node.attrs["shape"])


@RULES.for_op(ops.transpose)
@reads(ops.matmul)
def transposed_product(rewriter: Rewriter, node: Node) -> Operand | None:
    """(a @ b) transposed is b transposed @ a transposed, which the BLAS computes without moving elements."""
    product = rewriter.producer(node.inputs[0], ops.matmul)
    if product is None or not rewriter.used_once(node.inputs[0]):
        return None
    a, b = product.inputs
    rank = node.output.type.rank
    axes = swap_axes(rank)
    if node.attrs["axes"] != axes or not a.type.rank == b.type.rank == rank:
        return None
    return rewriter.make(
        ops.matmul, [rewriter.make(ops.transpose, [b], axes=axes), rewriter.make(ops.transpose, [a], axes=axes)]
    )


@RULES.for_op(ops.transpose)
def transposed_outer_product(rewriter: Rewriter, node: Node) -> Operand | None:
    """The transpose of what is computed of smaller operands, as an outer product, is computed of theirs."""
    made, axes, type = rewriter.producer(node.inputs[0]), node.attrs["axes"], node.inputs[0].type
    if made is None or made.op.kind != "elementwise" or not type.is_static or not rewriter.used_once(node.inputs[0]):
        return None
    given = made.inputs
    if not given or any(not each.type.is_static or SMALLER * each.type.size > type.size for each in given):
        return None
    if len(made.outputs) > 1 or any(isinstance(attribute, tuple) for attribute in made.attrs.values()):
        return None

    def turned(operand: Operand) -> Operand:
        shape = operand.type.static_shape
        if math.prod(shape) == 1:
            return operand
        whole = rewriter.make(ops.reshape, [operand], shape=(1,) * (type.rank - len(shape)) + shape)
        return rewriter.make(ops.transpose, [whole], axes=axes)

    return rewriter.make(made.op, [turned(each) for each in given], **made.attrs)


@RULES.for_op(ops.transpose)
@reads(ops.cast)
def transposed_rounded_product(rewriter: Rewriter, node: Node) -> Operand | None:
    """The transpose of a product that is rounded to halves is a rounded transpose."""
    inner = rewriter.producer(node.inputs[0], ops.cast)
    if inner is None or not node.output.type.dtype.is_half or not rewriter.used_once(node.inputs[0]):
        return None
    if rewriter.producer(inner.inputs[0], ops.matmul) is None:
        return None
    turned = rewriter.make(ops.transpose, inner.inputs, **node.attrs)
    return rewriter.make(ops.cast, [turned], **inner.attrs)


@RULES.for_op(ops.cast)
@reads(ops.transpose)
def widen_before_transpose(rewriter: Rewriter, node: Node) -> Operand | None:
    """Halves are widened before a transpose: products read the view of what others read, too."""
    inner = rewriter.producer(node.inputs[0], ops.transpose)
    if inner is None or not inner.output.type.dtype.is_half or node.output.type.dtype is not float32:
        return None
    given = [reader for reader in rewriter.graph.readers.get(inner.inputs[0], ()) if reader is not None]
    casts = [reader.output for reader in given if reader.op is ops.cast and reader.output.type.dtype is float32]
    known = [value for value in casts if value in rewriter.producers]
    wide = known[0] if known else rewriter.make(ops.cast, inner.inputs, dtype=float32)
    return rewriter.make(ops.transpose, [wide], **inner.attrs)


def swap_axes(rank: int) -> tuple[int, ...]:
    """The permutation that exchanges the last two of `rank` axes."""
    return (*range(rank - 2), rank - 1, rank - 2)


@RULES.for_op(ops.matmul)
def flatten_product(rewriter: Rewriter, node: Node) -> Operand | None:
    """(…, m, k) @ (k, n) is one product of (… m, k) and (k, n), and so with a vector (k)."""
    a, b = node.inputs
    if not (a.type.rank > 2 and 0 < b.type.rank <= 2 and a.type.is_static and b.type.is_static):
        return None
    rows = math.prod(a.type.static_shape[:-1])
    flat = rewriter.make(ops.reshape, [a], shape=(rows, a.type.shape[-1]))
    product = rewriter.make(ops.matmul, [flat, b])
    return rewriter.make(ops.reshape, [product], shape=node.output.type.static_shape)


@RULES.for_op(ops.solve, ops.solve_triangle)
def join_right_sides(rewriter: Rewriter, node: Node) -> Operand | None:
    """One matrix that is solved for a batch of right-hand sides is factored once, with all their columns."""
    a, b = node.inputs
    if not (a.type.rank == 2 < b.type.rank and a.type.is_static and b.type.is_static):
        return None
    *batch, rows, columns = b.type.static_shape
    count = math.prod(batch)
    if not count:  # nothing is solved, so a singular matrix is no error
        return None
    several = rewriter.make(ops.reshape, [b], shape=(count, rows, columns))
    turned = rewriter.make(ops.transpose, [several], axes=(1, 0, 2))
    joined = rewriter.make(ops.reshape, [turned], shape=(rows, count * columns))
    solved = rewriter.make(node.op, [a, joined], **node.attrs)
    apart = rewriter.make(ops.reshape, [solved], shape=(rows, count, columns))
    back = rewriter.make(ops.transpose, [apart], axes=(1, 0, 2))
    return rewriter.make(ops.reshape, [back], shape=(*batch, rows, columns))


@RULES.for_op(ops.cast)
@reads(ops.cast)
def merge_casts(rewriter: Rewriter, node: Node) -> Operand | None:
    """A cast of a lossless cast is one cast."""
    inner = rewriter.producer(node.inputs[0], ops.cast)
    if inner is None:
        return None
    before, between, after = inner.inputs[0].type.dtype, inner.output.type.dtype, node.output.type.dtype
    if before.is_bool or not np.can_cast(before.np, between.np, "safe"):
        return None
    if before.is_integer and not between.is_integer:
        if before.bits == 64:  # NumPy calls this cast safe, but it rounds
            return None
        if after.is_integer and not np.can_cast(before.np, after.np, "safe"):  # integers out of range wrap, floats not
            return None
    return rewriter.make(ops.cast, inner.inputs, dtype=after)


@RULES.for_op(ops.pad)
def crop_is_slice(rewriter: Rewriter, node: Node) -> Operand | None:
    """Padding that only removes elements is a slice, which copies nothing."""
    x, low, high = node.inputs[0], node.attrs["low"], node.attrs["high"]
    if not x.type.is_static or max((*low, *high), default=1) > 0:
        return None
    stop = tuple(size + after for size, after in zip(x.type.static_shape, high, strict=True))
    return rewriter.make(ops.slice, [x], start=tuple(-before for before in low), stop=stop, step=(1,) * len(low))
