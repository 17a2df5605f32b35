"""Copies of the views that kernels cannot read where they lie.

    %r: f32[8] = reverse(%x, axes=(0,))           %r: f32[8] = reverse(%x, axes=(0,))
    %y: f32[9] = kernel(%r) { ... }               %c: f32[8] = kernel(%r) { ... copied ... }
                                                  %y: f32[9] = kernel(%c) { ... }

A kernel follows most views in the memory of their base. Some have no form for it: a kernel that reads bounded pieces of
reversed columns, for example. The rows that a loop hands to the kernels in its body are arrays in C order, too. Without
a copy in the graph, each call would make one with NumPy. Operands of ops whose machine code reads C order alone
(`Op.c_order`) are copied, too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...runtime.native.builder import Unsupported
from ...runtime.native.language import SIZES
from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.loops import Loop
from ..ir.values import Operand, Value
from ..kernels import eligible
from ..kernels.groups import seen_in_base, translate
from ..kernels.short_rows import READ_AGAIN, unrolled
from ..kernels.translation import Layout

FEW = 1 << 10  # elements up to which one kernel makes several copies
FEWEST = 256  # times that elements are read at least, below which no copy pays

Producers = Mapping[Operand, Node]


def copy_unreadable(graph: Graph) -> Graph:
    """Copy the views that kernels, those of loops and other machine code cannot read where they lie."""
    producers: Producers = {
        node.output: node for node in graph.nodes if node.op.kind == "view" and len(node.inputs) == 1
    }
    if not producers:
        return graph
    copies: dict[Operand, Operand] = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        if producers.keys().isdisjoint(node.inputs):
            nodes.append(node)
            continue
        inputs = list(node.inputs)
        positions = _unreadable(node, producers)
        for operands in _together([operand for operand in map(inputs.__getitem__, positions) if operand not in copies]):
            copied = _copy(operands, node)
            nodes += copied
            copies.update(zip(operands, [value for each in copied for value in each.outputs], strict=True))
        for position in positions:
            inputs[position] = copies[inputs[position]]
        nodes.append(node.with_inputs(inputs) if positions else node)
    return graph.with_nodes(tuple(nodes)) if copies else graph


def _unreadable(node: Node, producers: Producers) -> list[int]:
    """The positions of a node's inputs that have to be copied."""
    if node.op is ops.kernel:
        return _of_kernel(node, producers)
    if node.op.c_order:
        seen = [seen_in_base(operand, producers) for operand in node.inputs]
        return [position for position, found in enumerate(seen) if found and not found[0].flags.c_contiguous]
    return _of_loop(node, producers) if node.op.kind == "loop" else []


def _of_kernel(node: Node, producers: Producers) -> list[int]:
    """The views that a kernel has no form for, if it has one for their copies, and those that it reads again and again
    and whose elements lie apart."""
    layouts: dict[int, Layout] = {}
    apart: dict[int, np.ndarray] = {}
    for position, operand in enumerate(node.inputs):
        found = seen_in_base(operand, producers)
        if found is not None:
            seen, layouts[position] = found
            if not seen.flags.c_contiguous:
                apart[position] = seen
    copied: list[int] = []
    for position in sorted(apart, key=lambda position: _has_near_columns(apart[position])):
        if _is_readable(node.attrs["body"], layouts):
            break
        copied.append(position)
        del layouts[position]
    return copied + _read_again(node.attrs["body"], layouts, apart) if apart else []


def _read_again(body: Graph, layouts: Mapping[int, Layout], apart: Mapping[int, np.ndarray]) -> list[int]:
    """The views whose elements a kernel reads many times each, in vectors of elements that lie apart."""
    try:
        translation = unrolled(translate(body, layouts))
    except Unsupported:
        return []
    kernel = translation.kernel
    runs = math.prod(kernel.extents)
    found = [
        position
        for array, position in zip(kernel.arrays, translation.inputs, strict=False)
        if position in apart and position in layouts
        and array.strides[-1] not in (0, SIZES[array.dtype])
        and FEWEST <= apart[position].size * READ_AGAIN <= runs
    ]  # fmt: skip
    return list(dict.fromkeys(found))  # a kernel of short rows has an array for each column of an input


def _has_near_columns(array: np.ndarray) -> bool:
    """Whether the last axis has its elements side by side: then most kernels can read it."""
    return array.strides[-1] == array.itemsize


def _is_readable(body: Graph, layouts: Mapping[int, Layout]) -> bool:
    """Whether there is a kernel that reads its inputs with these layouts."""
    try:
        translate(body, layouts)
    except Unsupported:
        return False
    return True


def _of_loop(node: Node, producers: Producers) -> list[int]:
    """The stacks whose rows are no arrays in C order, and are read by kernels of the body, also through views."""
    loop = Loop.of(node)
    read: set[Operand] = {*loop.body.outputs}  # which kernels move
    for inner in reversed(loop.body.nodes):
        if inner.op is ops.kernel or (inner.op.kind == "view" and not read.isdisjoint(inner.outputs)):
            read.update(inner.inputs)
    result = []
    for position in loop.rows:
        found = seen_in_base(node.inputs[position], producers) if loop.body.parameters[position] in read else None
        if found is not None and len(found[0]) and not found[0][0].flags.c_contiguous:
            result.append(position)
    return result


def _together(operands: Sequence[Operand]) -> list[list[Operand]]:
    """Those of them that one kernel copies: small arrays of one type, for which a call takes longer than the copy."""
    found: dict[object, list[Operand]] = {}
    for operand in dict.fromkeys(operands):
        found.setdefault(operand.type if operand.type.size <= FEW else operand, []).append(operand)
    return [*found.values()]


def _copy(operands: Sequence[Operand], reader: Node) -> list[Node]:
    """The kernel that copies arrays of one type; where there is none, NumPy's copies."""
    names = [operand.name if isinstance(operand, Value) else "" for operand in operands]
    parameters, results = [[Value(operands[0].type, name) for name in names] for _ in range(2)]
    copies = [make_node(ops.copied, (parameter,), {}, reader.location) for parameter in parameters]
    if not eligible.lane_bytes(copies[0]):
        return [replace(copy, inputs=(operand,)) for copy, operand in zip(copies, operands, strict=True)]
    body = Graph("block", tuple(parameters), tuple(copies), tuple([copy.output for copy in copies]))
    return [Node(ops.kernel, tuple(operands), tuple(results), {"body": body}, reader.location)]
