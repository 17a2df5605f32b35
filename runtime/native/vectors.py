"""The instruction sets that kernels are written in: AVX2, with vectors of 32 bytes, and AVX-512, with 64."""

from __future__ import annotations

from typing import NamedTuple

from ..machine.assembler import Assembler
from ..machine.executable import has_masked_vectors
from ..machine.vector_assembler import VectorAssembler
from .builder import VECTOR, Unsupported
from .language import SCAN, Kernel, is_scattered
from .pieces import Piece
from .placed_pieces import PlacedPiece
from .stages import width_of
from .wide_pieces import WidePiece
from .windows import divide_columns


class Vectors(NamedTuple):
    """An instruction set: the bytes of its vectors, its assembler, and its basic blocks."""

    nbytes: int
    assembler: type[Assembler]
    piece: type[Piece]


AVX2 = Vectors(VECTOR, Assembler, PlacedPiece)
AVX512 = Vectors(2 * VECTOR, VectorAssembler, WidePiece)

FARTHEST = (1 << 31) // 16  # bytes from one column to the next, of 16 that are gathered together


def choose_vectors(kernel: Kernel, wide: bool | None = None) -> Vectors:
    """The instruction set for a kernel: AVX-512 where the processor has it, and a row takes fewer vectors of it.

    With `wide` the length of rows does not matter; False asks for AVX2. Scans and scattered columns, which go from lane
    to lane, have code for AVX2 alone.
    """
    if wide is False or not has_masked_vectors():
        return AVX2
    lanes, columns = VECTOR // width_of(kernel), kernel.extents[-1]
    if wide is None and columns <= lanes:
        return AVX2
    if any(statement.function.startswith(SCAN) for statement in kernel.statements):
        return AVX2
    if any(is_scattered(array, kernel) or abs(array.strides[-1]) >= FARTHEST for array in kernel.arrays):
        return AVX2
    try:
        divide_columns(kernel, width_of(kernel), AVX512.nbytes)
    except Unsupported:  # the columns have too many bounds for vectors of this size
        return AVX2
    return AVX512
