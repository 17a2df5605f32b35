"""Range analysis: numbers of 32 bits that are made of bytes or bools, and have room in 16 bits, are words.

    in x uint8[640] 1                     in x uint8[640] 1
    in y uint8[640] 1             ->      in y uint8[640] 1
    a = cast(x, int32)                    a = cast(x, int16)
    b = cast(y, int32)                    b = cast(y, int16)
    d = subtract(a, b)                    d = subtract(a, b)

A vector has twice as many of them. Numbers that may need more bits are words, too, where nobody reads their upper bits:
those of which a shift and a cast leave a byte, as in mixtures of pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .check import check
from .demanded_bits import OF_EACH_BIT, OF_LOWER_BITS, demanded_bits
from .functions import SHIFTS
from .language import SIZES, Kernel, Number, Statement
from .narrow import CORNERS, Range, corners, limits_of
from .stages import width_of

LONG, SHORT = "int32", "int16"
WORDS = limits_of(SHORT)
LOWER = (*OF_EACH_BIT, *OF_LOWER_BITS, *SHIFTS)
"""Functions whose lower bits depend on no upper ones, but those that `demanded_bits` tells of."""


def with_words(kernel: Kernel) -> Kernel:
    """The kernel with int16 for each int32, or the same one."""
    if not any(statement.dtype == LONG for statement in kernel.statements):
        return kernel
    if any(SIZES[array.dtype] > 2 or array.at for array in kernel.arrays):
        return kernel
    dtypes = check(kernel)
    if any("float" in dtype for dtype in dtypes.values()):
        return kernel
    wanted = demanded_bits(kernel, dtypes)
    ranges: dict[str, Range | None] = {  # None: only the lower bits are right
        name: (0, 1) if dtype == "bool" else limits_of(dtype) for name, dtype in dtypes.items() if SIZES[dtype] < 4
    }
    for statement in kernel.statements:
        most = 15 if statement.function in SHIFTS else WORDS[1]  # bits by which a word is shifted
        if any(isinstance(x, Number) and not WORDS[0] <= x.value <= most for x in statement.arguments):
            return kernel
        if SIZES[dtypes[statement.name]] > 2:
            if dtypes[statement.name] != LONG:
                return kernel
            given = [ranges[x] if isinstance(x, str) else (int(x.value), int(x.value)) for x in statement.arguments]
            known = [one for one in given if one is not None]
            found = range_of(statement.function, known) if len(known) == len(given) else None
            if found is None or not WORDS[0] <= found[0] <= found[1] <= WORDS[1]:
                found = None
                if statement.function not in LOWER or not 0 <= wanted.get(statement.name, 0) < 1 << 16:
                    return kernel
            ranges[statement.name] = found
    made = replace(kernel, statements=tuple(map(_as_words, kernel.statements)))
    return made if width_of(made) == SIZES[SHORT] else kernel


def range_of(function: str, given: Sequence[Range]) -> Range | None:
    """The least and the greatest number that a function gives for integers; None where that is not known."""
    kept = given[1:] if function == "select" else given
    if function in CORNERS:
        return corners(function, given)
    if function in ("cast", "copy", "select", "overlay"):
        return min(low for low, _ in kept), max(high for _, high in kept)
    if function == "right_shift" and given[1][0] == given[1][1] and given[1][0] >= 0:
        return given[0][0] >> given[1][0], given[0][1] >> given[1][0]
    if function == "bitwise_and" and max(low for low, _ in given) >= 0:
        return 0, min(high for low, high in given if low >= 0)
    return None


def _as_words(statement: Statement) -> Statement:
    arguments = [
        x._replace(dtype=SHORT) if isinstance(x, Number) and x.dtype == LONG else x for x in statement.arguments
    ]
    dtype = SHORT if statement.dtype == LONG else statement.dtype
    return statement._replace(arguments=tuple(arguments), dtype=dtype)
