"""Errors for memory that the system refuses: which operation asked for it, how many bytes, and at which line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...runtime.arena import ALIGNMENT, ArenaError
from .classes import OutOfMemoryError

if TYPE_CHECKING:
    from ...compiler.ir.graph import Node

ADVICE = "Smaller batches take less, and `jit(memory_limit=...)` computes values again in place of keeping them"


def of_op(error: MemoryError, name: str) -> OutOfMemoryError:
    """The error for an op that ran by itself."""
    return OutOfMemoryError(f"{name}: out of memory{_asked(error)}. {ADVICE}")


def of_program(error: MemoryError, name: str, node: Node | None, holders: list[str]) -> OutOfMemoryError:
    """The error for a compiled function.

    Args:
        error: the error of NumPy or of the arena.
        name: the function's name.
        node: the node that ran; None where the arena was made.
        holders: lines with the contents of the arena at its peak.
    """
    if node is not None:
        asked = _asked(error, node) or f": it gives {', '.join(str(value.type) for value in node.outputs)}"
        return OutOfMemoryError(f"{node.op.name} in '{name}': out of memory{asked}. {ADVICE}")
    if isinstance(error, ArenaError):
        shown = "\n".join([" It holds most with:", *holders, ADVICE]) if holders else f" {ADVICE}"
        return OutOfMemoryError(f"'{name}': out of memory: its arena takes {error.nbytes} bytes.{shown}")
    return OutOfMemoryError(f"'{name}': out of memory{_asked(error)}. {ADVICE}")


def _asked(error: MemoryError, node: Node | None = None) -> str:
    """The number of bytes that were asked for, and for what; empty if the error does not say."""
    shape, dtype = getattr(error, "shape", None), getattr(error, "dtype", None)
    if shape is None or dtype is None:
        return f": {error}" if error.args else ""
    nbytes = math.prod(shape) * dtype.itemsize
    for value in () if node is None else node.outputs:  # a kernel asks for their bytes, and some more to align them
        type = value.type
        if type.is_static and type.nbytes <= nbytes <= type.nbytes + ALIGNMENT:
            nbytes, shape, dtype = type.nbytes, type.static_shape, type.dtype.np
    return f": it asked for {nbytes} bytes, an array of shape {tuple(shape)} and dtype {dtype}"
