"""Products of bfloat16: the processor multiplies pairs of them, and adds in float32.

%a: f32[64, 512] = cast(%x)              %a: f32[64, 256] = pairs(%x, axis=-1)
%b: f32[512, 100] = cast(%w)             … %e and %o, the even and the odd rows of %w, as integers
%y: f32[64, 100] = matmul(%a, %b)        %p: i32[256, 100] = bitwise_or(left_shift(%o, 16), %e)
                                         %b: f32[256, 100] = bitcast(%p, dtype=f32)
                                         %y: f32[64, 100] = paired_matmul(%a, %b, threads=1)

Pairs that are neighbours in memory are read where they are. Denormal numbers are zeros to the processor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from ...runtime.dtypes import bfloat16, float32, int32, uint16
from ...runtime.machine.product import compile_matmul, has_pairs
from .. import ops
from ..analysis.views import blank, view_of
from ..ir.code import Attempt
from ..ir.graph import Graph, Node
from ..ir.op import Op
from ..ir.values import Operand, literal
from .cse import eliminate_common_subexpressions
from .dce import eliminate_dead_code
from .rewriter import Rewriter, Rule, Rules
from .shapes import swap_axes

RULES = Rules()


def multiply_pairs(graph: Graph) -> Graph:
    """Replace products of bfloat16 that were cast to float32."""
    if not has_pairs() or not any(type.dtype is bfloat16 for type in graph.value_types):
        return graph
    rewriter = Rewriter(graph, lambda node: _rules().get(node.op, ()), multiply_pairs)
    return eliminate_common_subexpressions(eliminate_dead_code(rewriter.run(_rules().__contains__)))


@RULES.for_op(ops.matmul)
def _multiplied(rewriter: Rewriter, node: Node) -> Operand | None:
    """A product by pairs, if its operands were cast."""
    code = node.op.emit and node.op.emit(node, ["", ""], "")
    if not isinstance(code, Attempt) or code.function.maker is not compile_matmul:
        return None
    pairs = _operands(rewriter, node, -1, -2)
    return rewriter.make(ops.paired_matmul, pairs, threads=1) if pairs else None


@RULES.for_op(ops.transpose)
def _stored_turned(rewriter: Rewriter, node: Node) -> Operand | None:
    """A product that only its transpose reads, perhaps rounded, is one of transposed matrices: its rows are stored."""
    rounded = rewriter.producer(node.inputs[0], ops.cast)
    made = rewriter.producer(rounded.inputs[0] if rounded else node.inputs[0], ops.paired_matmul)
    rank = node.output.type.rank
    if made is None or node.attrs["axes"] != swap_axes(rank):
        return None
    if not rewriter.used_once(node.inputs[0]) or (rounded and not rewriter.used_once(rounded.inputs[0])):
        return None
    a, b = made.inputs
    turned = rewriter.make(ops.paired_matmul, [_turned(rewriter, b), _turned(rewriter, a)], threads=1)
    return rewriter.make(ops.cast, [turned], dtype=rounded.output.type.dtype) if rounded else turned


@cache
def _rules() -> Mapping[Op, Sequence[Rule]]:
    """The rules by ops. Those of convolutions are entered when bfloat16 is first seen, for they load much code."""
    RULES.for_op(ops.conv)(_convolved("forward", 1, 1))
    RULES.for_op(ops.conv_input_grad)(_convolved("input", 1, 0))
    RULES.for_op(ops.conv_weight_grad)(_convolved("weight", 0, 0))
    return RULES.by_op


def _convolved(purpose: str, *axes: int) -> Rule:
    """The rule of a convolution, or of its gradient, which adds up these axes of its operands."""
    from ...runtime.kernels.direct_conv import plan_direct
    from ...runtime.kernels.windows import Convolution

    def rule(rewriter: Rewriter, node: Node) -> Operand | None:
        windows = dict(node.attrs)
        pairs = _operands(rewriter, node, *axes, even=2 * windows["groups"] if axes[0] else 2)
        if not pairs:
            return None
        first, second, made = (value.type.static_shape for value in (*pairs, node.output))
        x, w = {"forward": (first, second), "input": (made, second), "weight": (second, made)}[purpose]
        for name in ("spatial", "kernel"):
            windows.pop(name, None)
        if plan_direct(Convolution(purpose, x, w, **windows), True) is None:
            return None
        return rewriter.make(node.op, pairs, **node.attrs, pairs=True)

    return rule


def _operands(rewriter: Rewriter, node: Node, *axes: int, even: int = 1) -> list[Operand]:
    """The pairs of both operands along these axes, if they are bfloat16 that was cast to float32, of known sizes. The
    length of the first axis is a multiple of `even`."""
    types = [value.type for value in (node.output, *node.inputs)]
    if len(types) != 3 or types[0].dtype is not float32 or not all(type.is_static for type in types):
        return []
    if types[1].static_shape[axes[0]] % even:
        return []
    found = [_bits(rewriter, operand) for operand in node.inputs]
    return [_paired(rewriter, x, axis) for x, axis in zip(found, axes, strict=True) if x] if all(found) else []


def _bits(rewriter: Rewriter, operand: Operand) -> Operand | None:
    """The bits of numbers of bfloat16, which may have been cast and looked at in other ways; None of others. Views are
    of bits, so that kernels read through them."""
    made = rewriter.producer(operand)
    views = made is not None and made.op.kind == "view" and len(made.inputs) == 1 and made.op is not ops.bitcast
    if operand.type.dtype is bfloat16 and not views:
        return rewriter.make(ops.bitcast, [operand], dtype=uint16)
    if made is None or not (views or (made.op is ops.cast and made.inputs[0].type.dtype is bfloat16)):
        return None
    x = _bits(rewriter, made.inputs[0])
    return rewriter.make(made.op, [x], **made.attrs) if x and views else x


def _paired(rewriter: Rewriter, x: Operand, axis: int) -> Operand:
    """Neighbours along an axis as the bits of float32."""
    make, length, along = rewriter.make, x.type.static_shape[axis], axis % x.type.rank
    if length % 2 == 0 and _are_neighbours(rewriter, x, axis):
        return make(ops.pairs, [x], axis=axis)
    if axis == -1:  # rows of pairs are written
        return _turned(rewriter, _paired(rewriter, _turned(rewriter, x), -2))
    rank = x.type.rank
    if length % 2:
        last = tuple(int(other == along) for other in range(rank))
        x = make(ops.pad, [x], low=(0,) * rank, high=last, value=0)
    each = [make(ops.cast, [_every_second(rewriter, x, along, first)], dtype=int32) for first in (0, 1)]
    upper = make(ops.left_shift, [each[1], literal(16, int32)])
    return make(ops.bitcast, [make(ops.bitwise_or, [each[0], upper])], dtype=float32)


def _turned(rewriter: Rewriter, x: Operand) -> Operand:
    """Matrices with rows and columns exchanged."""
    made, rank = rewriter.producer(x, ops.transpose), x.type.rank
    axes = swap_axes(rank)
    if made is not None:
        x, axes = made.inputs[0], tuple([made.attrs["axes"][axis] for axis in axes])
    return x if axes == tuple(range(rank)) else rewriter.make(ops.transpose, [x], axes=axes)


def _every_second(rewriter: Rewriter, x: Operand, along: int, first: int) -> Operand:
    shape = x.type.static_shape
    steps = [2 if axis == along else 1 for axis in range(len(shape))]
    start = tuple(first * (step - 1) for step in steps)
    return rewriter.make(ops.slice, [x], start=start, stop=shape, step=tuple(steps))


def _are_neighbours(rewriter: Rewriter, x: Operand, axis: int) -> bool:
    """Whether neighbours along an axis are neighbours in memory, where float32 may be."""
    array = _layout(rewriter, x)
    others = [step for step, size in zip(array.strides, array.shape, strict=True) if size > 1]
    return (
        array.strides[axis] == 2
        and sum(step % 4 for step in others) == 2
        and array.__array_interface__["data"][0] % 4 == 0
    )


def _layout(rewriter: Rewriter, x: Operand) -> np.ndarray[Any, Any]:
    """An array without content that has the strides of a value."""
    made = rewriter.producer(x)
    array = None
    if made is not None and made.op.kind == "view":
        array = view_of(made, _layout(rewriter, made.inputs[0]))
    return blank(x.type) if array is None else array
