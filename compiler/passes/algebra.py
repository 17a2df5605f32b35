"""Peephole rules that see the producers of a node's inputs: folding, broadcasts, shapes, signs, sums, products.

A rule is a function `(rewriter, node) -> operand | None`; it returns an equal, cheaper value. A decorator says on which
nodes the rule is tried; rules of one op are tried in the order of this file.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...runtime.dtypes import limits
from .. import ops
from ..ir.graph import Node
from ..ir.op import Kind, Op
from ..ir.types import broadcast_shapes
from ..ir.values import Literal, Operand, literal
from .rewriter import Rewriter, Rule

BY_KIND: dict[str, list[Rule]] = {}
BY_OP: dict[Op, list[Rule]] = {}


def for_kind(kind: Kind) -> Callable[[Rule], Rule]:
    """Try a rule on every node of a kind."""

    def note(rule: Rule) -> Rule:
        BY_KIND.setdefault(kind, []).append(rule)
        return rule

    return note


def for_op(*tried: Op) -> Callable[[Rule], Rule]:
    """Try a rule on every node of these ops, before the rules for its kind."""

    def note(rule: Rule) -> Rule:
        for op in tried:
            BY_OP.setdefault(op, []).append(rule)
        return rule

    return note


@for_kind("elementwise")
def fold(rewriter: Rewriter, node: Node) -> Operand | None:
    """Compute an elementwise op on literals now."""
    if not all(isinstance(operand, Literal) for operand in node.inputs) or node.output.type.shape != ():
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


@for_kind("view")
def view_of_splat(rewriter: Rewriter, node: Node) -> Operand | None:
    """A view of a splat is a splat."""
    out = node.output.type
    if len(node.inputs) != 1 or not out.is_static or out.dtype is not node.inputs[0].type.dtype:
        return None
    value = splat(rewriter, node.inputs[0])
    return None if value is None else make_full(rewriter, node, value)


LARGEST_MASK = 1 << 16  # elements of a triangle that the program keeps


@for_op(ops.tril)
def triangle_of_splat(rewriter: Rewriter, node: Node) -> Operand | None:
    """A triangle of one number, such as the mask of what is not later, is a constant."""
    value, type = splat(rewriter, node.inputs[0]), node.output.type
    if value is None or not type.is_static or not 0 < type.size <= LARGEST_MASK:
        return None
    whole = np.full(type.static_shape, value.value, type.dtype.np)
    return rewriter.make(ops.constant, (), value=node.op.kernel(whole, **node.attrs))


def without_broadcast(rewriter: Rewriter, operand: Operand) -> Operand:
    """The operand before it was broadcast, or before it got leading dimensions of size one."""
    while True:
        value = splat(rewriter, operand)
        if value is not None:
            return value
        node = rewriter.producer(operand)
        if node is None or len(node.inputs) != 1:
            return operand
        if node.op is not ops.broadcast_to and not (node.op is ops.reshape and _adds_leading_ones(node)):
            return operand
        operand = node.inputs[0]


def _adds_leading_ones(node: Node) -> bool:
    before, after = node.inputs[0].type.shape, node.output.type.shape
    lead = len(after) - len(before)
    return lead > 0 and after[lead:] == before and all(size == 1 for size in after[:lead])


@for_kind("elementwise")
def absorb_broadcast(rewriter: Rewriter, node: Node) -> Operand | None:
    """An elementwise op broadcasts its inputs itself; and it is cheaper before a broadcast than after."""
    out = node.output.type
    if not out.is_static or not node.inputs:
        return None
    inputs = [without_broadcast(rewriter, operand) for operand in node.inputs]
    if all(new is old for new, old in zip(inputs, node.inputs, strict=True)):
        return None
    shape = broadcast_shapes(*[operand.type.shape for operand in inputs])
    if shape == out.shape:
        return rewriter.make(node.op, inputs, **node.attrs)
    if math.prod(size or 0 for size in shape) == out.size:  # only dimensions of size one are missing
        return None
    small = rewriter.make(node.op, inputs, **node.attrs)
    return rewriter.make(ops.broadcast_to, [small], shape=out.static_shape)


@for_op(ops.reshape)
def merge_reshapes(rewriter: Rewriter, node: Node) -> Operand | None:
    """A reshape of a reshape is one reshape."""
    inner = rewriter.producer(node.inputs[0], ops.reshape)
    if inner is None or not (inner.inputs[0].type.is_static and node.output.type.is_static):
        return None
    return rewriter.make(ops.reshape, inner.inputs, shape=node.output.type.static_shape)


@for_op(ops.transpose)
def transpose_is_reshape(rewriter: Rewriter, node: Node) -> Operand | None:
    """A transpose that moves only dimensions of size one is a reshape."""
    type = node.inputs[0].type
    moved = [axis for axis in node.attrs["axes"] if type.shape[axis] != 1]
    if moved != sorted(moved) or not type.is_static or node.attrs["axes"] == tuple(range(type.rank)):
        return None
    return rewriter.make(ops.reshape, node.inputs, shape=node.output.type.static_shape)


@for_op(ops.transpose)
def merge_transposes(rewriter: Rewriter, node: Node) -> Operand | None:
    """A transpose of a transpose is one transpose."""
    inner = rewriter.producer(node.inputs[0], ops.transpose)
    if inner is None:
        return None
    axes = tuple(inner.attrs["axes"][axis] for axis in node.attrs["axes"])
    return rewriter.make(ops.transpose, inner.inputs, axes=axes)


@for_op(ops.broadcast_to)
def merge_broadcasts(rewriter: Rewriter, node: Node) -> Operand | None:
    """A broadcast of a broadcast is one broadcast, which also adds leading dimensions."""
    inner = rewriter.producer(node.inputs[0])
    if inner is None or not (inner.op is ops.broadcast_to or (inner.op is ops.reshape and _adds_leading_ones(inner))):
        return None
    return rewriter.make(ops.broadcast_to, inner.inputs, shape=node.attrs["shape"])


@for_op(ops.transpose)
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


def swap_axes(rank: int) -> tuple[int, ...]:
    """The permutation that exchanges the last two of `rank` axes."""
    return (*range(rank - 2), rank - 1, rank - 2)


@for_op(ops.matmul)
def flatten_product(rewriter: Rewriter, node: Node) -> Operand | None:
    """(…, m, k) @ (k, n) is one product of (… m, k) and (k, n)."""
    a, b = node.inputs
    if not (a.type.rank > 2 and b.type.rank == 2 and a.type.is_static and b.type.is_static):
        return None
    rows = math.prod(a.type.static_shape[:-1])
    flat = rewriter.make(ops.reshape, [a], shape=(rows, a.type.shape[-1]))
    product = rewriter.make(ops.matmul, [flat, b])
    return rewriter.make(ops.reshape, [product], shape=node.output.type.static_shape)


@for_op(ops.sum)
def sum_without_axes(rewriter: Rewriter, node: Node) -> Operand | None:
    """A sum over dimensions of size one is a reshape, in which -0.0 becomes 0.0."""
    type = node.inputs[0].type
    if not type.is_static or any(type.shape[axis] != 1 for axis in node.attrs["axis"]):
        return None
    found = rewriter.make(ops.reshape, node.inputs, shape=node.output.type.static_shape)
    if type.dtype.is_integer or type.dtype.is_bool:
        return found
    return rewriter.make(ops.add, [found, literal(0, type.dtype)])


@for_op(ops.sum)
def sum_of_negative(rewriter: Rewriter, node: Node) -> Operand | None:
    """The sum of -x is 0 less the sum of x: a sum that is 0.0 stays 0.0."""
    inner = rewriter.producer(node.inputs[0], ops.negative)
    if inner is None:
        return None
    total = rewriter.make(ops.sum, inner.inputs, **node.attrs)
    return rewriter.make(ops.subtract, [literal(0, total.type.dtype), total])


@for_op(ops.sum)
def sum_of_broadcast(rewriter: Rewriter, node: Node) -> Operand | None:
    """A sum over dimensions that a broadcast has added is a product with their size."""
    inner = rewriter.producer(node.inputs[0], ops.broadcast_to)
    value = splat(rewriter, node.inputs[0])
    type = node.inputs[0].type
    if not type.is_static or not (type.dtype.is_float or type.dtype.is_integer):
        return None
    if value is not None:
        count = math.prod(type.static_shape[axis] for axis in node.attrs["axis"])
        folded = fold_pair(ops.multiply, value, literal(count, type.dtype))
        return None if folded is None else make_full(rewriter, node, folded)
    if inner is None:
        return None
    x = inner.inputs[0]
    lead = type.rank - x.type.rank
    made = [axis for axis in node.attrs["axis"] if axis < lead or x.type.shape[axis - lead] != type.shape[axis]]
    if not made:
        return None
    kept = tuple(axis - lead for axis in node.attrs["axis"] if axis not in made)
    ones = tuple(axis - lead for axis in made if axis >= lead)
    axes = tuple(sorted((*kept, *ones)))
    count = math.prod(type.static_shape[axis] for axis in made)
    if type.dtype.is_float and count > 1 / limits(type.dtype).eps:
        return None
    keepdims = node.attrs["keepdims"]
    result = rewriter.make(ops.sum, [x], axis=axes, keepdims=keepdims) if axes else x
    return spread(rewriter, rewriter.make(ops.multiply, [result, literal(count, type.dtype)]), node)


def spread(rewriter: Rewriter, operand: Operand, node: Node) -> Operand:
    """An operand with as many elements as the node's output, reshaped to it; other operands are broadcast to it."""
    out = node.output.type.static_shape
    if math.prod(operand.type.static_shape) == math.prod(out):
        return rewriter.make(ops.reshape, [operand], shape=out)
    return rewriter.make(ops.broadcast_to, [operand], shape=out)


@for_op(ops.sum)
def sum_of_products(rewriter: Rewriter, node: Node) -> Operand | None:
    """The sum over a batch of products is one product with the batch in the inner dimension."""
    product = rewriter.producer(node.inputs[0], ops.matmul)
    if product is None or not rewriter.used_once(node.inputs[0]):
        return None
    a, b = product.inputs
    rank = product.output.type.rank
    batch = tuple(range(rank - 2))
    if not batch or node.attrs["axis"] != batch or not a.type.rank == b.type.rank == rank:
        return None
    if not (a.type.is_static and b.type.is_static) or a.type.shape[:-2] != b.type.shape[:-2]:
        return None
    inner = math.prod(a.type.static_shape[:-2]) * a.type.static_shape[-1]
    rows, columns = product.output.type.static_shape[-2:]
    upright = rewriter.make(ops.transpose, [a], axes=swap_axes(rank))
    left = rewriter.make(ops.transpose, [rewriter.make(ops.reshape, [upright], shape=(inner, rows))], axes=(1, 0))
    right = rewriter.make(ops.reshape, [b], shape=(inner, columns))
    result = rewriter.make(ops.matmul, [left, right])
    return rewriter.make(ops.reshape, [result], shape=node.output.type.static_shape)


@for_op(ops.sum)
def merge_sums(rewriter: Rewriter, node: Node) -> Operand | None:
    """A sum of a sum is one sum."""
    inner = rewriter.producer(node.inputs[0], ops.sum)
    if inner is None or not rewriter.used_once(node.inputs[0]) or inner.attrs["keepdims"] != node.attrs["keepdims"]:
        return None
    first: tuple[int, ...] = inner.attrs["axis"]
    if node.attrs["keepdims"]:
        axes = set(first) | set(node.attrs["axis"])
    else:
        kept = [axis for axis in range(inner.inputs[0].type.rank) if axis not in first]
        axes = set(first) | {kept[axis] for axis in node.attrs["axis"]}
    return rewriter.make(ops.sum, inner.inputs, axis=tuple(sorted(axes)), keepdims=node.attrs["keepdims"])


@for_op(ops.remainder)
def remainder_by_power_of_two(rewriter: Rewriter, node: Node) -> Operand | None:
    """The remainder of an integer by 2, 4, 8, … is its last bits, which kernels compute; of a negative one, too."""
    x, y = node.inputs
    if not isinstance(y, Literal) or not x.type.dtype.is_integer or x.type != node.output.type:
        return None
    value = y.value
    if not isinstance(value, int) or value < 1 or value & (value - 1):
        return None
    return rewriter.make(ops.bitwise_and, [x, literal(value - 1, x.type.dtype)])


@for_op(ops.exp)
def exp_of_log_softmax(rewriter: Rewriter, node: Node) -> Operand | None:
    """exp(a - log(sum(exp(a)))), with a = x - max(x), is exp(a) over the sum: the exponentials are there already."""
    outer = rewriter.producer(node.inputs[0], ops.subtract)
    if outer is None:
        return None
    a, whole = outer.inputs
    logarithm, shifted = rewriter.producer(whole, ops.log), rewriter.producer(a, ops.subtract)
    total = None if logarithm is None else rewriter.producer(logarithm.inputs[0], ops.sum)
    powers = None if total is None else rewriter.producer(total.inputs[0], ops.exp)
    if powers is None or total is None or shifted is None or powers.inputs[0] is not a:
        return None
    highest = rewriter.producer(shifted.inputs[1], ops.max)
    if highest is None or highest.inputs[0] is not shifted.inputs[0] or highest.attrs != total.attrs:
        return None
    return rewriter.make(ops.divide, [powers.output, total.output])


@for_op(ops.add)
def add_signs(rewriter: Rewriter, node: Node) -> Operand | None:
    """x + (-y) is x - y."""
    x, y = node.inputs
    negated = rewriter.producer(y, ops.negative)
    if negated is not None:
        return rewriter.make(ops.subtract, [x, negated.inputs[0]])
    negated = rewriter.producer(x, ops.negative)
    if negated is not None:
        return rewriter.make(ops.subtract, [y, negated.inputs[0]])
    return None


Update = tuple[tuple[slice, ...], Operand]
"""The elements that a node of `update_slice` replaces, and by what."""


@for_op(ops.add)
def sum_of_updates(rewriter: Rewriter, node: Node) -> Operand | None:
    """Sums of values in zeros, each at every second place, say: one of the same places, several side by side.

    So the gradients of strided slices are written to one array, and not added to each other's zeros.
    """
    if node.output.type.dtype.is_bool or not node.output.type.is_static:
        return None
    first, second = (_updates(rewriter, operand) for operand in node.inputs)
    if first is None or second is None:
        return None
    for places, value in second:
        known = [number for number, (others, _) in enumerate(first) if places == others]
        if known:
            total = rewriter.make(ops.add, [first[known[0]][1], value])
            first[known[0]] = places, total
        elif all(_apart(places, others) for others, _ in first):
            first.append((places, value))
        else:
            return None
    result = make_full(rewriter, node, literal(0, node.output.type.dtype))
    for places, value in first:
        start, stop, step = zip(*[(part.start, part.stop, part.step) for part in places], strict=True)
        result = rewriter.make(ops.update_slice, [result, value], start=start, stop=stop, step=step)
    return result


def _updates(rewriter: Rewriter, operand: Operand) -> list[Update] | None:
    """The values that stand in zeros, if nothing else reads the whole."""
    found: list[Update] = []
    while (number := splat(rewriter, operand)) is None:
        node = rewriter.producer(operand, ops.update_slice)
        if node is None or rewriter.counts.get(node.output, 0) != min(len(found), 1):  # inner ones have a reader
            return None
        whole, value = node.inputs
        bounds = zip(node.attrs["start"], node.attrs["stop"], node.attrs["step"], strict=True)
        places = tuple(slice(*part) for part in bounds)
        sizes = zip(places, node.output.type.static_shape, strict=True)
        if tuple(len(range(size)[part]) for part, size in sizes) != value.type.shape:
            return None
        if not all(_apart(places, others) for others, _ in found):
            return None
        found.append((places, value))
        operand = whole
    return found[::-1] if found and number.value == 0 else None


def _apart(first: tuple[slice, ...], second: tuple[slice, ...]) -> bool:
    """Whether no element is in both selections; False if that is not easily seen."""
    for one, other in zip(first, second, strict=True):
        if None in (one.start, one.stop, other.start, other.stop) or min(one.step, other.step) < 1:
            continue
        if min(one.start, one.stop, other.start, other.stop) < 0:
            continue
        if one.stop <= other.start or other.stop <= one.start:
            return True
        if (one.start - other.start) % math.gcd(one.step, other.step):
            return True
    return False


@for_op(ops.subtract)
def subtract_signs(rewriter: Rewriter, node: Node) -> Operand | None:
    """x - (-y) is x + y."""
    negated = rewriter.producer(node.inputs[1], ops.negative)
    return None if negated is None else rewriter.make(ops.add, [node.inputs[0], negated.inputs[0]])


@for_op(ops.negative)
def negative_signs(rewriter: Rewriter, node: Node) -> Operand | None:
    """-(-x) is x, and -(x * c) is x * -c."""
    inner = rewriter.producer(node.inputs[0])
    if inner is None:
        return None
    if inner.op is ops.negative:
        return inner.inputs[0]
    if inner.op is ops.multiply and rewriter.used_once(node.inputs[0]):
        x, factor = _scale(inner)
        if factor is not None:
            return rewriter.make(ops.multiply, [x, literal(-factor.value, factor.type.dtype)])
    return None


def _scale(node: Node) -> tuple[Operand, Literal | None]:
    """The x and c of a product x * c with a literal."""
    x, y = node.inputs
    if isinstance(y, Literal):
        return x, y
    return (y, x) if isinstance(x, Literal) else (x, None)


@for_op(ops.multiply, ops.divide)
def product_signs(rewriter: Rewriter, node: Node) -> Operand | None:
    """(-x) * (-y) is x * y, (-x) * c is x * -c, x * -1 is -x. Any other sign moves out of a product."""
    x, y = node.inputs
    other, factor = _scale(node)
    if node.op is ops.multiply and factor is not None and factor.value == -1 and factor.type.dtype.kind != "u":
        return rewriter.make(ops.negative, [other]) if other.type == node.output.type else None
    first, second = rewriter.producer(x, ops.negative), rewriter.producer(y, ops.negative)
    if first is not None and second is not None:
        return rewriter.make(node.op, [first.inputs[0], second.inputs[0]])
    if first is not None and isinstance(y, Literal):
        return rewriter.make(node.op, [first.inputs[0], literal(-y.value, y.type.dtype)])
    if second is not None and isinstance(x, Literal):
        return rewriter.make(node.op, [literal(-x.value, x.type.dtype), second.inputs[0]])
    if first is not None or second is not None:
        inputs = [x if first is None else first.inputs[0], y if second is None else second.inputs[0]]
        return rewriter.make(ops.negative, [rewriter.make(node.op, inputs)])
    return None


@for_op(ops.add)
def double(rewriter: Rewriter, node: Node) -> Operand | None:
    """x * c + x * c is x * 2c."""
    x, y = node.inputs
    inner = rewriter.producer(x, ops.multiply)
    if x is not y or inner is None or not rewriter.used_once(x):
        return None
    other, factor = _scale(inner)
    if factor is None or other.type != node.output.type:
        return None
    product = fold_pair(ops.multiply, factor, literal(2, factor.type.dtype))
    return None if product is None else rewriter.make(ops.multiply, [other, product])


@for_op(ops.multiply)
def merge_scales(rewriter: Rewriter, node: Node) -> Operand | None:
    """(x * c) * d is x * (c d), where c d neither overflows nor underflows."""
    outer, d = _scale(node)
    inner = rewriter.producer(outer, ops.multiply)
    if d is None or inner is None or not rewriter.used_once(outer) or node.output.type.dtype.is_bool:
        return None
    x, c = _scale(inner)
    if c is None or x.type != node.output.type:
        return None
    product = fold_pair(ops.multiply, c, d)
    return None if product is None else rewriter.make(ops.multiply, [x, product])


MODERATE = 2.0**-12, 2.0**12


@for_op(ops.multiply)
def gather_scales(rewriter: Rewriter, node: Node) -> Operand | None:
    """(x * c) * (y * d) is (x * y) * (c d), for moderate factors, so that x * y is in range if the whole is."""
    x, y = node.inputs
    left, right = rewriter.producer(x, ops.multiply), rewriter.producer(y, ops.multiply)
    if left is None or right is None or x is y or not (rewriter.used_once(x) and rewriter.used_once(y)):
        return None
    (a, c), (b, d) = _scale(left), _scale(right)
    if c is None or d is None or not c.type.dtype.is_float:
        return None
    if not all(MODERATE[0] <= abs(factor.value) <= MODERATE[1] for factor in (c, d)):
        return None
    product = fold_pair(ops.multiply, c, d)
    if product is None:
        return None
    return rewriter.make(ops.multiply, [rewriter.make(ops.multiply, [a, b]), product])


def fold_pair(op: Op, a: Literal, b: Literal) -> Literal | None:
    """The op on two literals; None if a float leaves the normal range."""
    dtype = a.type.dtype
    with np.errstate(all="ignore"):
        value: Any = np.asarray(op.kernel(a.array, b.array)).item()
    if dtype.is_float:
        in_range = limits(dtype).tiny <= abs(value) < np.inf
        if not in_range and not (value == 0 and (a.value == 0 or b.value == 0)):
            return None
    return None if dtype.is_complex else literal(value, dtype)


@for_op(ops.cast)
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


@for_op(ops.pad)
def crop_is_slice(rewriter: Rewriter, node: Node) -> Operand | None:
    """Padding that only removes elements is a slice, which copies nothing."""
    x, low, high = node.inputs[0], node.attrs["low"], node.attrs["high"]
    if not x.type.is_static or max((*low, *high), default=1) > 0:
        return None
    stop = tuple(size + after for size, after in zip(x.type.static_shape, high, strict=True))
    return rewriter.make(ops.slice, [x], start=tuple(-before for before in low), stop=stop, step=(1,) * len(low))
