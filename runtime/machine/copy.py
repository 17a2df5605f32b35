"""Copies of arrays with short rows, in machine code for AVX-512 or AVX2; NumPy's take 15 ns for each row."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from .product import machine_function, vector_bytes, wide_function
from .sizes import WIDTH

if TYPE_CHECKING:
    from .executable import Function


@cache
def compile_copy(width: int | None = None) -> Function:
    """The function `copy(source, target)` for arrays of float32, of one shape with 2 to 6 axes.

    `copy(source, target, target)` adds. It returns True; for arrays that it does not take it returns False and writes
    nothing. `width`: the bytes of its vectors, by default of the longest that the processor has.
    """

    def assemble() -> bytes:
        if wide:
            from .copy_code import CopyCode

            return CopyCode().assemble()
        from .narrow_copy_code import NarrowCopyCode

        return NarrowCopyCode().assemble()

    wide = (width or vector_bytes()) == WIDTH
    return (wide_function if wide else machine_function)(assemble, "copy", "copy(source, target): arrays of float32")
