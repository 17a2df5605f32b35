"""The instruction sets that kernels are written in: AVX2, with vectors of 32 bytes."""

from __future__ import annotations

from typing import NamedTuple

from ..machine.assembler import Assembler
from .builder import VECTOR
from .pieces import Piece
from .placed_pieces import PlacedPiece


class Vectors(NamedTuple):
    """An instruction set: the bytes of its vectors, its assembler, and its basic blocks."""

    nbytes: int
    assembler: type[Assembler]
    piece: type[Piece]


AVX2 = Vectors(VECTOR, Assembler, PlacedPiece)
