"""Numbers of 32 and 64 bits, integers and floats, as others of these, in machine code: loops call it, and NumPy takes
some 200 ns."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from .product import machine_function

if TYPE_CHECKING:
    from .executable import Function


def has_cast(source: str, target: str) -> bool:
    """Whether there is such a function."""
    return {source, target} <= {"int32", "int64", "float32", "float64"} and source != target


@lru_cache(maxsize=64)
def compile_cast(source: str, target: str, rank: int) -> Function:
    """The function (source, target) for arrays of one shape and dtypes with `has_cast`. Floats out of range become the
    lowest integer, as in NumPy on these processors.

    It returns True; for other arrays it returns False and writes nothing.
    """

    def assemble() -> bytes:
        from .assembler import JUMP_NOT_EQUAL, MAP_0F, PF2, PF3, R12, RAX, RDI, RSI, Form, Memory
        from .fixed_boundary import COUNT, FixedBoundary
        from .frame_words import FrameWords
        from .narrow_assembler import NarrowAssembler

        code, at = NarrowAssembler(), FrameWords.at
        dtypes, again = [np.dtype(source), np.dtype(target)], code.new_label()
        boundary = FixedBoundary(code, dtypes, [(None,) * rank] * 2, {1}, 1)
        boundary.enter()
        for register, place in ((RSI, 0), (RDI, 1), (R12, COUNT)):
            code.load(register, at(place))
        code.place(again)
        prefixes = {"float32": PF3, "float64": PF2}
        both = source in prefixes and target in prefixes
        if both:
            code.vector(Form(prefixes[source], MAP_0F, 0x5A), 0, 1, Memory(RSI), bits=128)
        elif source in prefixes:  # truncated to 64 bits where these are wanted
            code.vector(Form(prefixes[source], MAP_0F, 0x2C, target == "int64"), RAX, 0, Memory(RSI), bits=128)
        elif target in prefixes or dtypes[1].itemsize == 8:
            (code.load if dtypes[0].itemsize == 8 else code.load_signed)(RAX, Memory(RSI))
        else:
            code.load_signed(RAX, Memory(RSI))  # the lower half
        if target in prefixes:
            if not both:
                code.vector(Form(prefixes[target], MAP_0F, 0x2A, 1), 0, 0, RAX, bits=128)
            code.vector(Form(prefixes[target], MAP_0F, 0x11), 0, 0, Memory(RDI), bits=128)
        else:
            (code.store if dtypes[1].itemsize == 8 else code.store_word)(Memory(RDI), RAX)
        code.add(RSI, dtypes[0].itemsize)
        code.add(RDI, dtypes[1].itemsize)
        code.decrement(R12)
        code.jump(again, JUMP_NOT_EQUAL)
        boundary.leave()
        return code.finish()

    return machine_function(assemble, "cast", f"cast(source, target): {source} as {target}")
