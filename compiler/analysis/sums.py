"""Strength reduction of a sum to a product with ones, where the BLAS is faster and its rounding is accurate enough."""

from __future__ import annotations

import math

from .. import ops
from ..ir.graph import Node, make_node
from ..ir.op import Op
from ..ir.values import Literal, Operand, Value

# The BLAS adds up in a few running sums, where NumPy halves: over more numbers than these its rounding would show.
MOST_ADDED = 4096
MOST_ADDED_DOWN = 65536  # NumPy too adds whole rows one by one


def product_with_ones(node: Node) -> list[Node] | None:
    """The nodes of a product that computes a sum, the last one of the sum's type. None if a product is not better."""
    x, out, axis = node.inputs[0], node.output.type, node.attrs["axis"]
    if isinstance(x, Literal) or not x.type.is_static or x.type.dtype.kind != "f" or x.type.dtype.bits < 32:
        return None
    rank, added = x.type.rank, math.prod(x.type.static_shape[a] for a in axis)
    kept = x.type.size // added if added else 0
    if kept == 0 or added < 2:
        return None
    last = axis == tuple(range(rank - len(axis), rank))
    first = axis == tuple(range(len(axis)))
    # Over a middle dimension NumPy's reduction adds rows one by one, and each may be short.
    middle = not (first or last) and axis == tuple(range(axis[0], axis[0] + len(axis)))
    most = MOST_ADDED if last else MOST_ADDED_DOWN if middle or (first and kept > 1) else 0
    if added > most:
        return None
    nodes: list[Node] = []

    def add(op: Op, *inputs: Operand, **attrs: object) -> Value:
        nodes.append(make_node(op, inputs, attrs, node.location))
        return nodes[-1].output

    dtype = x.type.dtype
    ones = add(ops.full, shape=(added,), value=1.0, dtype=dtype)
    shape: tuple[int, ...] = (added,) if kept == 1 else (kept, added) if last else (added, kept)
    if middle:
        lead = math.prod(x.type.static_shape[: axis[0]])
        shape = (lead, added, kept // lead)
    flat = x if x.type.shape == shape else add(ops.reshape, x, shape=shape)
    total = add(ops.matmul, flat, ones) if last else add(ops.matmul, ones, flat)
    if total.type.shape != out.shape:
        add(ops.reshape, total, shape=out.static_shape)
    nodes[-1].output.name = node.output.name
    return nodes
