"""Copies of arrays with short rows, in machine code for processors with AVX-512; NumPy's take 15 ns for each row."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from .product import wide_function

if TYPE_CHECKING:
    from .executable import Function


@cache
def compile_copy() -> Function:
    """The function `copy(source, target)` for arrays of float32, of one shape with 2 to 6 axes.

    `copy(source, target, target)` adds. It returns True; for arrays that it does not take it returns False and writes
    nothing.
    """

    def assemble() -> bytes:
        from .copy_code import CopyCode

        return CopyCode().assemble()

    return wide_function(assemble, "copy", "copy(source, target): arrays of float32")
