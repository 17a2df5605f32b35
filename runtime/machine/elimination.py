"""Inverses, solutions and Cholesky factors of large matrices, in machine code for AVX-512 or AVX2."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .elimination_sizes import EliminationSizes
from .product import machine_function, wide_function
from .sizes import WIDTH

if TYPE_CHECKING:
    from .executable import Function


@lru_cache(maxsize=256)
def compile_elimination(kind: str, transposed: bool, *sizes: Any) -> Function:
    """A function of matrices of these `EliminationSizes`, and a vector to work in, of `EliminationSizes.room`.

    The kind is "inverse", "adjugate" (the inverse times the determinant), "cholesky", "determinant" or "pivots"
    (matrices, results, room), or "solve", "lower" or "upper" (matrices, right-hand sides, results, room). The last two
    read only this triangle of the matrices. The product of the pivots (lead, rows) is the determinant (lead). With
    `transposed`, "solve", "lower" and "upper" solve for transposed matrices.

    It computes in float64, and returns True. It returns False for other arrays, and where it finds no result, and
    results count for nothing then: where a matrix is singular, or almost, or not positive definite, or a result is not
    finite.
    """

    known = EliminationSizes(*sizes)
    wide = known.width == WIDTH

    def assemble() -> bytes:
        from .elimination_code import EliminationCode
        from .narrow_elimination_code import NarrowEliminationCode
        from .narrow_stack_code import NarrowStackCode
        from .stack_code import StackCode

        if known.side_by_side:
            return (StackCode if wide else NarrowStackCode)(kind, transposed, known).assemble()
        return (EliminationCode if wide else NarrowEliminationCode)(kind, transposed, known).assemble()

    make = wide_function if wide else machine_function
    return make(assemble, kind, f"{kind}: arrays of {known.dtype}")
