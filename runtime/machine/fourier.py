"""Fourier transforms along an axis, in machine code for AVX-512 or AVX2, on real and imaginary parts that lie apart."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .fourier_sizes import FourierSizes
from .product import machine_function, vector_bytes
from .sizes import NARROW

if TYPE_CHECKING:
    from .executable import Function

Shape = tuple[int, ...]


@lru_cache(maxsize=1024)
def fourier_sizes(
    kind: str, dtype: str, shape: Shape, axis: int, length: int, inverse: bool, scale: float, ends: float
) -> FourierSizes | None:
    """The sizes of transforms of so many numbers along an axis, and the vectors that suit them; None where there is no
    machine code for them."""
    most = vector_bytes()
    for vector in (most, NARROW) if most > NARROW else (most,) if most else ():
        before, after = shape[:axis], shape[axis + 1 :]
        sizes = FourierSizes(kind, dtype, before, length, after, inverse, float(scale), float(ends), vector)
        if sizes.way:
            return sizes
    return None


def compile_fourier(*sizes: Any) -> Function:
    """The function (*given, *made, room) for arrays of these `FourierSizes`; complex ones are two arrays. It returns
    True; for other arrays it returns False and writes nothing."""
    return _compiled(FourierSizes(*sizes))[0]


@lru_cache(maxsize=256)
def compile_separation(dtype: str, shape: Shape, together: bool) -> Function:
    """The function (complex numbers, real parts, imaginary parts) that takes arrays apart; or `together`, with the
    complex numbers last, puts them together. The dtype is that of the parts."""

    def assemble() -> bytes:
        from .separation_code import SeparationCode

        return SeparationCode(dtype, shape, together, vector_bytes()).assemble()

    return machine_function(assemble, "separation", f"separation: {dtype}, {shape}")


def has_separation(dtype: str, shape: Shape) -> bool:
    """Whether there is such a function."""
    return 0 < vector_bytes() <= math.prod(shape) * (4 if dtype == "float32" else 8)


def fourier_room(sizes: FourierSizes) -> int:
    """The elements of the vector that the function works in."""
    return _compiled(sizes)[1]


@lru_cache(maxsize=64)  # tables of long transforms are large
def _compiled(sizes: FourierSizes) -> tuple[Function, int]:
    kept: list[Any] = []  # the tables, which the code reads
    room = [1]

    def assemble() -> bytes:
        from .fourier_code import FourierCode

        code, tables, room[0] = FourierCode(sizes).assemble()
        kept.append(tables)
        return code

    return machine_function(assemble, "fourier", f"fourier: {sizes.kind}, {sizes.dtype}", (kept,)), room[0]
