"""Numbers of BFloat16 in kernels: the upper halves of float32's bits.

    %y: bf16[9] = exp(%x)      %u: u16[9] = bitcast(%x, dtype=u16)
                               %i: i32[9] = left_shift(cast(%u, dtype=i32), 16)
                               %e: f32[9] = exp(bitcast(%i, dtype=f32))
                               ... and the bits of %e, rounded to even, shifted back

Each result is rounded, as NumPy's is, but a nan has its usual bits. Ops with `Op.exact` need no rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...runtime.dtypes import DType, bfloat16, float32, int32, uint16
from .. import ops
from ..ir.attributes import NUMBER
from ..ir.graph import Node
from ..ir.values import Literal, literal
from ..transforms.symbolic import Symbol

QUIET = 0x7FC00000
"""The bits of a float32 that is nan."""


def definition_by_bits(node: Node) -> Callable[..., Any] | None:
    """What computes an elementwise node on BFloat16 by the bits of float32, and moves such numbers as bits; None for
    other nodes."""
    if node.op.windows is not None and node.output.type.dtype is bfloat16:
        bits = _in_bits(node)
        return lambda *inputs, **attrs: ops.bitcast(node.op(*map(_bits, inputs), **attrs | bits), dtype=bfloat16)
    if node.op.kind != "elementwise" or not node.op.native:
        return None
    if all(operand.type.dtype is not bfloat16 for operand in (*node.inputs, *node.outputs)):
        return None
    if node.op is ops.cast:
        return lambda x, dtype: _narrowed(_widened(x), dtype)

    def define(*inputs: Any, **attrs: Any) -> Any:
        if attrs.get("dtype") is bfloat16:
            attrs["dtype"] = float32
        return _narrowed(node.op(*map(_widened, inputs), **attrs), node.output.type.dtype, node.op.exact)

    return define


def _in_bits(node: Node) -> dict[str, int]:
    """The bits of numbers that the op writes itself, as those around padded arrays, by the name of the attribute."""
    numbers = {name: node.attrs[name] for name, kind in node.op.attrs.items() if kind is NUMBER}
    return {name: int(np.asarray(value, bfloat16.np).view(np.uint16)) for name, value in numbers.items()}


def _bits(x: Symbol) -> Symbol:
    return ops.bitcast(x, dtype=uint16)


def _widened(x: Symbol) -> Symbol:
    """A number of BFloat16 as float32; any other as it is."""
    if x.dtype is not bfloat16:
        return x
    if isinstance(x.operand, Literal):
        return Symbol(literal(float(bfloat16.np.type(x.operand.value)), float32), x.recorder)
    bits = ops.left_shift(ops.cast(_bits(x), dtype=int32), 16)
    return ops.bitcast(bits, dtype=float32)


def _narrowed(x: Symbol, dtype: DType, exact: bool = False) -> Symbol:
    """A number in another dtype: float32 as the nearest BFloat16, of two the one that is even, unless it is one."""
    if x.dtype is dtype:
        return x
    if dtype is not bfloat16:
        return ops.cast(x, dtype=dtype)
    x = x if x.dtype is float32 else ops.cast(x, dtype=float32)
    bits = ops.bitcast(x, dtype=int32)
    if not exact:
        rounded = bits + (ops.bitwise_and(ops.right_shift(bits, 16), 1) + 0x7FFF)
        bits = ops.select(ops.isnan(x), QUIET, rounded)
    return ops.bitcast(ops.cast(ops.right_shift(bits, 16), dtype=uint16), dtype=bfloat16)
