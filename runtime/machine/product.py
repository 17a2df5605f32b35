"""Matrix products in machine code, for processors with AVX-512: one function for all shapes of a dtype.

`matmul(a, b, out)` writes `a @ b` to `out`, and `matmul(a, b, out, out)` adds it. It takes arrays of 2 to 6 dimensions
of any strides, but for these: neighbours in a row of `out` must be neighbours in memory, and so must be those in a row
or in a column of `b`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .executable import Function


def refuses(*arguments: object) -> bool:
    """In place of a function that this machine does not have: it takes no arguments."""
    return False


def wide_function(assemble: Callable[[], bytes], name: str, doc: str) -> Function:
    """The function of machine code for AVX-512; `refuses` where the processor or the system has no place for it."""
    return machine_function(assemble, name, doc) if has_products() else refuses


def machine_function(assemble: Callable[[], bytes], name: str, doc: str) -> Function:
    """The function of machine code for AVX2; `refuses` where the processor or the system has no place for it."""
    from .executable import make_function, unavailable  # late, as the code itself: `import mycel` needs neither

    if unavailable() is not None:
        return refuses
    try:
        return make_function(assemble(), name, doc)
    except OSError:
        return refuses


@cache
def compile_matmul(dtype: str) -> Function:
    """The function `matmul(a, b, out)` for float32 or float64.

    It returns True. For arrays that it does not take it returns False and writes nothing; where there is no machine
    code for it, these are all.
    """

    def assemble() -> bytes:
        from .product_code import ProductCode

        return ProductCode(dtype).assemble()

    return wide_function(assemble, "matmul", f"matmul(a, b, out): {dtype} matrices")


def has_products() -> bool:
    """Whether this machine has the function."""
    from .executable import has_wide_vectors, unavailable

    return unavailable() is None and has_wide_vectors()
