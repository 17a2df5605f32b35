"""Which nodes may be in a kernel."""

from __future__ import annotations

from functools import lru_cache

from ...runtime.dtypes import DType
from ...runtime.machine import executable
from ...runtime.native.language import (
    CHOOSING,
    COMBINED,
    IN_LANES,
    LANES,
    RECURRENCE,
    SCAN,
    Number,
)
from ...runtime.native.statements import is_known
from ...runtime.native.unsigned import is_unsigned
from ..ir.code import Reduction
from ..ir.graph import Node
from ..ir.op import Op
from ..ir.types import TensorType
from ..ir.values import Literal, type_of

FEWEST = 512  # elements from which on a kernel copies sooner than NumPy
LONGEST = 2048  # elements of rows of narrow numbers, which NumPy reduces as fast if they are longer


def is_available() -> bool:
    """Whether this process has machine code."""
    return executable.unavailable() is None


def lane_bytes(node: Node) -> int | None:
    """The element size of a node that may be in a kernel (0 for bools alone); None for a node that may not."""
    op = node.op
    if len(node.outputs) != 1:
        return None
    if op.kind == "elementwise":
        return elementwise_lanes(*elementwise_types(node))
    if not (op.keeps_order or op.kind == "reduction" or op.scan or op.placed or op.windows is not None):
        return None
    dtypes = []
    for operand in (node.inputs[0], *node.outputs) if op.placed else (*node.inputs, *node.outputs):
        shape = operand.type.shape
        if None in shape or 0 in shape:
            return None
        dtypes.append(operand.type.dtype.numpy_name)
    sizes = {LANES.get(dtype, 0) for dtype in dtypes if dtype != "bool"}
    if len(sizes) > 1 or 0 in sizes:
        return None
    one = op.placed and node.outputs[0].type.size == 1  # which a kernel reads where a pointer has moved
    if not (op.keeps_order or op.windows or one or _chooses(node) or IN_LANES.keys().isdisjoint(dtypes)):
        return None
    if (op.kind == "reduction" or op.scan or (op.placed and not one)) and any(
        map(is_unsigned, {*dtypes} - IN_LANES.keys())
    ):
        return None
    if op.kind == "reduction":
        emit = op.emit
        if not isinstance(emit, Reduction) or emit.ufunc not in COMBINED or not node.attrs["axis"] or not sizes:
            return None
    elif op.scan:
        if not sizes or not _is_scan(node):
            return None
    elif op.placed:
        if not one and (not sizes or "bool" in dtypes):
            return None
    elif op.windows is not None:
        if op.windows(node) is None:
            return None
    elif not op.keeps_order or ("dtype" in op.attrs and "bool" in dtypes):
        return None
    return sizes.pop() if sizes else 0


Given = tuple[TensorType | DType, ...]


def elementwise_types(node: Node) -> tuple[Op, Given, TensorType]:
    """The op of an elementwise node, the types of its inputs, or the dtypes of literals, and its output's type."""
    given: Given = tuple(map(type_of, node.inputs))
    if Literal in map(type, node.inputs):
        given = tuple([each.type.dtype if each.__class__ is Literal else each.type for each in node.inputs])
    return node.op, given, node.outputs[0].type


@lru_cache(maxsize=4096)
def elementwise_lanes(op: Op, given: Given, made: TensorType) -> int | None:
    """`lane_bytes` of an elementwise node by its op and types."""
    shapes = [type.shape for type in (*given, made) if isinstance(type, TensorType)]
    if any(None in shape or 0 in shape for shape in shapes):
        return None
    dtypes = [type.numpy_name if isinstance(type, DType) else type.dtype.numpy_name for type in (*given, made)]
    if op.paired:
        return LANES[dtypes[0]]
    sizes = {LANES.get(dtype, 0) for dtype in dtypes if dtype != "bool"}
    if len(sizes) > 1 or 0 in sizes or not op.native or set(op.attrs) - {"dtype"}:
        return None
    *names, result = dtypes
    numbers = [Number(1, name) if isinstance(type, DType) else name for type, name in zip(given, names, strict=True)]
    if not is_known(op.name, tuple(numbers), result):
        return None
    return sizes.pop() if sizes else 0


def _chooses(node: Node) -> bool:
    """Whether a node is the maximum or the minimum of short rows."""
    emit, shape = node.op.emit, node.inputs[0].type.static_shape
    is_choice = isinstance(emit, Reduction) and emit.ufunc in CHOOSING
    return is_choice and node.attrs["axis"] == (len(shape) - 1,) and shape[-1] <= LONGEST


def _is_scan(node: Node) -> bool:
    """Whether a node is a running reduction along the last axis that includes each element's own value."""
    dtype, type = node.inputs[0].type.dtype.numpy_name, node.output.type
    if node.attrs.get("exclusive") or node.attrs["axis"] != type.rank - 1 or type.static_shape[-1] < 2:
        return False
    if f"{SCAN}{node.op.scan}" == RECURRENCE:
        return {operand.type.dtype for operand in node.inputs} == {type.dtype} and dtype != "bool"
    return type.dtype.numpy_name == dtype != "bool" and is_known(node.op.scan, (dtype, dtype), dtype)
