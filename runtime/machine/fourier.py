"""Fourier transforms along an axis, in machine code for AVX-512 or AVX2, on real and imaginary parts that lie apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from .fourier_sizes import FourierSizes
from .product import machine_function, vector_bytes
from .sizes import NARROW


class Transform(NamedTuple):
    """A function of machine code, the table that it reads, and the elements that it works in."""

    run: Callable[..., bool]
    table: np.ndarray
    room: int


@lru_cache(maxsize=1024)
def sizes_of(
    kind: str, dtype: str, outer: int, length: int, inner: int, inverse: bool, scale: float, ends: float
) -> FourierSizes | None:
    """The sizes with the vectors that suit them; None where there is no machine code for them."""
    most = vector_bytes()
    for vector in (most, NARROW) if most > NARROW else (most,) if most else ():
        sizes = FourierSizes(kind, dtype, outer, length, inner, inverse, scale, ends, vector)
        if sizes.way:
            return sizes
    return None


@lru_cache(maxsize=256)
def compile_transform(sizes: FourierSizes) -> Transform:
    """The function (*given, *made, table, room) for arrays of these shapes. It returns True; for other arrays it
    returns False and writes nothing."""
    found: list[tuple[np.ndarray, int]] = []

    def assemble() -> bytes:
        from .fourier_code import FourierCode

        code, table, room = FourierCode(sizes).assemble()
        found.append((table, room))
        return code

    run = machine_function(assemble, "transform", f"transform: {sizes.kind}, {sizes.dtype}")
    table, room = found[0] if found else (np.zeros(1, sizes.dtype), 1)
    return Transform(run, table, room)
