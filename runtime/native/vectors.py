"""The instruction sets that kernels are written in: AVX2, with vectors of 32 bytes, and AVX-512, with 64."""

from __future__ import annotations

from dataclasses import replace

from ..machine.assembler import Assembler
from ..machine.executable import computes_halves, has_masked_vectors
from ..machine.vector_assembler import VectorAssembler
from ..records import NamedTuple
from .builder import VECTOR, Unsupported
from .functions import is_cheap
from .language import COMBINED, FLOAT16, NEAR, SCAN, SIZES, Kernel, is_scattered
from .pieces import Piece
from .placed_pieces import PlacedPiece
from .stages import width_of
from .wide_pieces import WidePiece
from .windows import column_cuts


class Vectors(NamedTuple):
    """An instruction set: the bytes of its vectors, its assembler, and its basic blocks."""

    nbytes: int
    assembler: type[Assembler]
    piece: type[Piece]


AVX2 = Vectors(VECTOR, Assembler, PlacedPiece)
AVX512 = Vectors(2 * VECTOR, VectorAssembler, WidePiece)

NEAR_ALONE = 6  # elements that columns are apart, at most, where AVX-512 pays for what is only read and added up
FARTHEST = (1 << 31) // 16  # bytes from one column to the next, of 16 that are gathered together


def choose_vectors(kernel: Kernel, wide: bool | None = None) -> Vectors:
    """The instruction set for a kernel: AVX-512 where the processor has it, and rows are long enough.

    With `wide` their length does not matter; False asks for AVX2. Scans and scattered columns, which go from lane to
    lane, have code for AVX2 alone.
    """
    if wide is False or not has_masked_vectors():
        return AVX2
    width = width_of(kernel)
    if wide is None and not _pays(kernel, width):
        return AVX2
    if any(statement.function.startswith(SCAN) for statement in kernel.statements):
        return AVX2
    if any(is_scattered(array, kernel) or abs(array.strides[-1]) >= FARTHEST for array in kernel.arrays):
        return AVX2
    try:
        column_cuts(kernel, width, AVX512.nbytes)
    except Unsupported:  # the columns have too many bounds for vectors of this size
        return AVX2
    return AVX512


def with_halves(kernel: Kernel) -> Kernel:
    """A kernel for AVX-512, as one that computes with float16 as it is in memory, if it has no other numbers.

    Where the processor does, these are the same results: one operation in float32, rounded, is the nearest half.
    """
    if not computes_halves() or FLOAT16 not in kernel.dtypes or not kernel.dtypes <= {FLOAT16, "bool"}:
        return kernel
    if not all(is_cheap(one.function) for one in kernel.statements):  # divisions take longer
        return kernel
    made = replace(kernel, halves=True)
    width = width_of(made)
    try:
        column_cuts(kernel, width, AVX512.nbytes)
    except Unsupported:
        return kernel
    return made if width < 4 else kernel


def _pays(kernel: Kernel, width: int) -> bool:
    """Whether rows take less time in vectors of AVX-512.

    A vector that is stored under a mask is slow to load again: the load waits until the store has reached the cache. So
    whole vectors of AVX2 are better for short rows, and for longer ones that the next row reads again. Short rows that
    are only added up take longer with AVX-512, because the lanes of a larger vector have to be added up in the end; and
    so do columns that lie far apart, which are gathered. Kernels of narrow lanes always have AVX-512: AVX2 has no masks
    for such lanes.
    """
    if width < 4:
        return True
    columns, lanes = kernel.extents[-1], VECTOR // width
    most = NEAR if computes(kernel) else NEAR_ALONE
    near = {width * apart for apart in range(-most, most + 1)}
    together = {one.same for one in kernel.arrays}
    read = [
        array
        for array in kernel.arrays
        if array.role == "in" and SIZES[array.dtype] > 1 and not array.same and array.name not in together
    ]
    apart = {array.strides[-1] * width // min(SIZES[array.dtype], width) for array in read}  # halves are narrower
    if columns <= lanes or not apart <= near:
        return False
    again = any(array.role == "state" or (array.role in COMBINED and array.strides[-1]) for array in kernel.arrays)
    if not columns % lanes and columns % (2 * lanes) and columns <= (32 if again else 8) * lanes:
        return False
    reduced = any(statement.function.startswith("row_") for statement in kernel.statements)
    return columns > (8 if again else 3 if reduced else 0) * lanes or computes(kernel)


def computes(kernel: Kernel) -> bool:
    """Whether columns need functions that take more than a few instructions."""
    columns = {array.name for array in kernel.arrays if array.strides[-1]}
    for name, function, arguments, _ in kernel.statements:
        if not function.startswith("row_") and not columns.isdisjoint(arguments):
            if not is_cheap(function):
                return True
            columns.add(name)
    return False
