"""Range analysis: integers that kernels store for readers of slices, and that have room in 16 bits, are stored so.

    %s: i32[...] = add(%a, %b)                     %s: i32[...] = add(%a, %b)
    %t: i32[...] = slice(%s, start=(1, 0), ...)    %w: i16[...] = cast(%s, dtype=i16)
                                                   %u: i32[...] = cast(%w, dtype=i32)
                                                   %t: i32[...] = slice(%u, start=(1, 0), ...)

They take half the memory, and kernels of bytes and words have twice the lanes (`runtime/native/words.py`). `windows.py`
applies the rule.
"""

from __future__ import annotations

from ...runtime.dtypes import int16, int32
from ...runtime.native.narrow import Range, limits_of
from ...runtime.native.words import WORDS, range_of
from .. import ops
from ..ir.graph import Node
from ..ir.values import Literal, Operand
from .cloning import is_fusible
from .rewriter import Rewriter, Rules

RULES = Rules()

SMALLEST = 1 << 14  # elements; fewer stay in the nearest cache
MOST = 64  # values whose ranges are asked for; each asks for those that it is computed of


@RULES.for_kind("elementwise")
def _stored_as_words(rewriter: Rewriter, node: Node) -> Operand | None:
    """What has been computed of bytes is stored as words; slices are of these (`paddings.py`)."""
    type, readers = node.output.type, rewriter.graph.readers.get(node.output, ())
    if type.dtype is not int32 or node.op is ops.cast or not (type.is_static and type.size >= SMALLEST):
        return None
    if not readers or not all(each is not None and each.op is ops.slice for each in readers) or not is_fusible(node):
        return None
    made = rewriter.make(node.op, node.inputs, **node.attrs)
    found = _range(rewriter, made, {})
    if found is None or not WORDS[0] <= found[0] <= found[1] <= WORDS[1]:
        return None
    return rewriter.make(ops.cast, [rewriter.make(ops.cast, [made], dtype=int16)], dtype=int32)


def _range(rewriter: Rewriter, operand: Operand, known: dict[Operand, Range | None]) -> Range | None:
    """The least and the greatest number that an integer may be; None where that is not known."""
    if operand not in known and len(known) < MOST:
        known[operand] = None
        known[operand] = _found(rewriter, operand, known)
    return known.get(operand)


def _found(rewriter: Rewriter, operand: Operand, known: dict[Operand, Range | None]) -> Range | None:
    dtype = operand.type.dtype
    if isinstance(operand, Literal):
        return (operand.value, operand.value) if isinstance(operand.value, int) else None
    if dtype.is_bool or (dtype.is_integer and dtype.bits < int32.bits):
        return (0, 1) if dtype.is_bool else limits_of(dtype.np.name)
    made = rewriter.producer(operand)
    if made is None or dtype is not int32 or made.op.kind not in ("elementwise", "view"):
        return None
    given = [_range(rewriter, each, known) for each in made.inputs]
    ranges = [one for one in given if one is not None]
    if len(ranges) < len(given):
        return None
    found = ranges[0] if made.op.kind == "view" else range_of(made.op.name, ranges)
    low, high = limits_of("int32")
    return found if found is not None and low <= found[0] <= found[1] <= high else None
