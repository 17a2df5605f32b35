"""Copies of transposed arrays, in machine code for AVX-512 or AVX2: leading dimensions stay, and two groups of
others change places, as rows and columns of matrices."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from .product import has_wide_code, machine_function
from .sizes import Shape

if TYPE_CHECKING:
    from .executable import Function


@lru_cache(maxsize=256)
def compile_turn(dtype: str, shape: Shape, axes: Shape) -> Function:
    """The function (source, target) that writes the transpose of an array of this shape, which `as_matrices` takes.

    The dtype has 4 or 8 bytes, and no dimension is zero. It returns True; for other arrays it returns False and writes
    nothing.
    """

    def assemble() -> bytes:
        if has_wide_code():
            from .turn_code import TurnCode

            return TurnCode(dtype, shape, axes).assemble()
        from .turn_code import NarrowTurnCode

        return NarrowTurnCode(dtype, shape, axes).assemble()

    return machine_function(assemble, "turn", f"turn(source, target): {dtype}, {shape}")
