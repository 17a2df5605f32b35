"""Matrix products in machine code, for AVX-512 or AVX2: one function for all shapes of a dtype.

`matmul(a, b, out)` writes `a @ b` to `out`, and `matmul(a, b, out, out)` adds it. It takes arrays of 2 to 6 dimensions
of any strides, but for these: neighbours in a row of `out` must be neighbours in memory, and so must be those in a row
or in a column of `b`. With AVX2 a matrix `out` has as many columns as a vector has elements, or more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from .sizes import NARROW, WIDTH

if TYPE_CHECKING:
    from .executable import Function


def refuses(*arguments: object) -> bool:
    """In place of a function that this machine does not have: it takes no arguments."""
    return False


def wide_function(assemble: Callable[[], bytes], name: str, doc: str) -> Function:
    """The function of machine code for AVX-512; `refuses` where the processor or the system has no place for it."""
    return machine_function(assemble, name, doc) if has_wide_code() else refuses


def machine_function(assemble: Callable[[], bytes], name: str, doc: str, keeps: tuple[object, ...] = ()) -> Function:
    """The function of machine code for AVX2; `refuses` where the processor or the system has no place for it. It keeps
    some objects alive."""
    from .executable import make_function, unavailable  # late, as the code itself: `import mycel` needs neither

    if unavailable() is not None:
        return refuses
    try:
        return make_function(assemble(), name, doc, keeps)
    except OSError:
        return refuses


@cache
def compile_matmul(dtype: str, pairs: bool = False, threads: int = 1) -> Function:
    """The function `matmul(a, b, out)` for float32 or float64.

    `pairs`: the bits of each float32 of `a` and `b` are two bfloat16, whose products with those of the other one are
    added. To this one denormal numbers are zeros. `threads`: so many share the product, in the scope of `sharing`.

    It returns True. For arrays that it does not take it returns False and writes nothing; where there is no machine
    code for it, these are all.
    """

    if pairs:
        return _matmul(dtype, True, True, threads) if has_pairs() else refuses
    return _matmul(dtype, True, False, threads) if has_wide_code() else compile_narrow_matmul(dtype, threads)


@cache
def compile_narrow_matmul(dtype: str, threads: int = 1) -> Function:
    """The same for AVX2, which takes no matrices with fewer columns than a vector has elements."""
    return _matmul(dtype, False, False, threads)


def _matmul(dtype: str, wide: bool, pairs: bool, threads: int) -> Function:
    def assemble() -> bytes:
        if wide:
            from .product_code import ProductCode

            return ProductCode(dtype, pairs, threads).assemble()
        from .narrow_product_code import NarrowProductCode

        return NarrowProductCode(dtype, threads=threads).assemble()

    make = wide_function if wide else machine_function
    return make(assemble, "matmul", f"matmul(a, b, out): {dtype} matrices")


def vector_bytes() -> int:
    """The bytes of the vectors that there is code for on this machine; 0 without machine code."""
    from .executable import has_wide_vectors, unavailable

    if unavailable() is not None:
        return 0
    return WIDTH if has_wide_vectors() else NARROW


def has_products() -> bool:
    """Whether this machine has the function."""
    return vector_bytes() > 0


def has_pairs() -> bool:
    """Whether this machine multiplies pairs of bfloat16, and the variable MYCEL_BF16 does not switch that off."""
    from .executable import multiplies_pairs

    return has_wide_code() and multiplies_pairs()


def has_wide_code() -> bool:
    """Whether this machine has code for AVX-512."""
    return vector_bytes() == WIDTH
