"""Integers of 32 bits as ones of 64, and back, in machine code: loops call it, and NumPy takes some 200 ns."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from .product import machine_function

if TYPE_CHECKING:
    from .executable import Function


@lru_cache(maxsize=64)
def compile_cast(source: str, target: str, rank: int) -> Function:
    """The function (source, target) for arrays of one shape, one of int32 and the other one of int64.

    It returns True; for other arrays it returns False and writes nothing.
    """

    def assemble() -> bytes:
        from .assembler import JUMP_NOT_EQUAL, R12, RAX, RDI, RSI, Memory
        from .fixed_boundary import COUNT, FixedBoundary
        from .narrow_assembler import NarrowAssembler
        from .product_boundary import FrameWords

        code, at = NarrowAssembler(), FrameWords.at
        dtypes, again = [np.dtype(source), np.dtype(target)], code.new_label()
        boundary = FixedBoundary(code, dtypes, [(None,) * rank] * 2, {1}, 1)
        boundary.enter()
        for register, place in ((RSI, 0), (RDI, 1), (R12, COUNT)):
            code.load(register, at(place))
        code.place(again)
        code.load_signed(RAX, Memory(RSI))  # for int64 the lower half
        (code.store if dtypes[1].itemsize == 8 else code.store_word)(Memory(RDI), RAX)
        code.add(RSI, dtypes[0].itemsize)
        code.add(RDI, dtypes[1].itemsize)
        code.decrement(R12)
        code.jump(again, JUMP_NOT_EQUAL)
        boundary.leave()
        return code.finish()

    return machine_function(assemble, "cast", f"cast(source, target): {source} as {target}")
