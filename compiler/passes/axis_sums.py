"""Peephole rules of sums along axes, which see the producers of a node's inputs: products, broadcasts, other sums."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...runtime.dtypes import limits
from .. import ops
from ..ir.graph import Node
from ..ir.values import Literal, Operand, literal
from .algebra import fold_pair
from .rewriter import Rewriter, Rules, reads
from .shapes import make_full, splat, swap_axes

RULES = Rules()


@RULES.for_op(ops.sum)
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


@RULES.for_op(ops.sum)
def sum_without_axes(rewriter: Rewriter, node: Node) -> Operand | None:
    """A sum over dimensions of size one is a reshape, in which -0.0 becomes 0.0."""
    type = node.inputs[0].type
    if not type.is_static or any(type.shape[axis] != 1 for axis in node.attrs["axis"]):
        return None
    found = rewriter.make(ops.reshape, node.inputs, shape=node.output.type.static_shape)
    if type.dtype.is_integer or type.dtype.is_bool:
        return found
    return rewriter.make(ops.add, [found, literal(0, type.dtype)])


@RULES.for_op(ops.sum)
@reads(ops.negative)
def sum_of_negative(rewriter: Rewriter, node: Node) -> Operand | None:
    """The sum of -x is 0 less the sum of x: a sum that is 0.0 stays 0.0."""
    inner = rewriter.producer(node.inputs[0], ops.negative)
    if inner is None:
        return None
    total = rewriter.make(ops.sum, inner.inputs, **node.attrs)
    return rewriter.make(ops.subtract, [literal(0, total.type.dtype), total])


@RULES.for_op(ops.sum)
@reads(ops.broadcast_to, ops.full, Literal)
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


@RULES.for_op(ops.sum)
@reads(ops.sum)
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


@RULES.for_op(ops.sum)
@reads(ops.reshape)
def merge_sums_of_split(rewriter: Rewriter, node: Node) -> Operand | None:
    """A sum of a sum whose axes were split is one sum of what was summed, split first."""
    split = rewriter.producer(node.inputs[0], ops.reshape)
    inner = None if split is None else rewriter.producer(split.inputs[0], ops.sum)
    if split is None or inner is None or inner.attrs["keepdims"] or not inner.inputs[0].type.is_static:
        return None
    if not rewriter.used_once(node.inputs[0]) or rewriter.counts[inner.output] > 1:
        return None
    groups = _split_sizes(inner.output.type.static_shape, split.output.type.static_shape)
    if groups is None:
        return None
    shape, axes, kept = list[int](), list[int](), list[int]()
    for axis, size in enumerate(inner.inputs[0].type.static_shape):
        if axis in inner.attrs["axis"]:
            axes.append(len(shape))
            shape.append(size)
        else:
            sizes = next(groups)
            kept += range(len(shape), len(shape) + len(sizes))
            shape += sizes
    axes += [kept[axis] for axis in node.attrs["axis"]]
    whole = rewriter.make(ops.reshape, inner.inputs, shape=tuple(shape))
    total = rewriter.make(ops.sum, [whole], axis=tuple(sorted(axes)), keepdims=False)
    return rewriter.make(ops.reshape, [total], shape=node.output.type.static_shape)


def _split_sizes(shape: tuple[int, ...], parts: tuple[int, ...]) -> Iterator[list[int]] | None:
    """For each dimension of a shape the sizes of those that a reshape splits it into; None if it joins some."""
    groups, left = [], list(parts)
    for size in shape:
        group = [left.pop(0)] if left else []
        while left and math.prod(group) < size:
            group.append(left.pop(0))
        if not group or math.prod(group) != size:
            return None
        groups.append(group)
    return None if left else iter(groups)
