"""Products, inverses, solutions and Cholesky factors of a few small matrices, in machine code made for their shapes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from .product import compile_matmul, refuses
from .sizes import Shape

if TYPE_CHECKING:
    from .executable import Function


def has_small() -> bool:
    """Whether this machine has such functions."""
    return _unavailable()() is None


@cache
def _unavailable() -> Callable[[], str | None]:
    from .executable import unavailable  # late, and once: each product asks

    return unavailable


@lru_cache(maxsize=1024)
def compile_small(what: str, dtype: str, *shapes: Shape) -> Function:
    """The function "matmul", "vector" (a product of a matrix and a vector), "inverse", "solve" or "cholesky" of arrays
    of float32 or float64 of these shapes.

    It takes the operands and the result, and returns True. It returns False, and the result counts for nothing, for
    other arrays, and where it finds no result: then NumPy looks for it, and for the error. That is where a matrix is
    singular, or almost, or not positive definite, or a result is nan. Matrices that are multiplied may be transposed
    views, and are otherwise given to the function for all shapes (`product.py`). Where there is no machine code it
    returns False for all arrays.
    """
    if not has_small():
        return refuses
    from .executable import make_function  # late, as the code itself

    keeps: tuple[object, ...] = ()
    try:
        if what == "vector":
            from .vector_code import assemble as assemble_vector

            code = assemble_vector(dtype, shapes)
        elif what == "matmul":
            from .small_product_code import assemble as assemble_product

            general = _general(dtype)
            code, keeps = assemble_product(dtype, shapes, ctypes.addressof(general.address)), (general,)
        else:
            from .small_code import assemble

            code = assemble(what, dtype, shapes)
        return make_function(code, what, f"{what} of {dtype} {shapes}", keeps)
    except OSError:
        return refuses


class _General:
    """The function for products of all shapes. It is made when it is first called: few small products need it."""

    def __init__(self, dtype: str) -> None:
        from .assembler import RDI, Assembler
        from .executable import code_address, make_function
        from .python_calls import call_object

        self.dtype = dtype
        code = Assembler()
        code.constant(RDI, id(self))
        call_object(code)
        self._first = make_function(code.finish(), "matmul", "")
        self.address = ctypes.c_size_t(code_address(self._first) or 0)
        """That of the code which makes the function; later, the function's own."""

    def __call__(self, *arguments: object) -> bool:
        from .executable import code_address

        function = compile_matmul(self.dtype)
        self.address.value = code_address(function) or self.address.value
        return function(*arguments)


_general = cache(_General)
