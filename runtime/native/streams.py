"""Stores past the caches, for kernels whose arrays do not fit into them.

A plain store to memory that is in no cache first reads its line: what is written crosses the memory bus twice. A store
past the caches (non-temporal) does not read it. Such a store needs the address of a whole vector. So a kernel with
them has two functions in one piece of code: one with plain stores, and one that is taken if all addresses are right.
"""

from __future__ import annotations

import math

import numpy as np

from ..machine.assembler import JUMP_EQUAL, JUMP_NOT_EQUAL, R8, RAX, RCX, RDX, RSI, Assembler, Memory
from ..machine.executable import DATA, TYPE, has_distant_cache
from ..processors import cache_bytes
from .interleaving import interleaved
from .language import READ, SIZES, Array, Kernel, piece_rows
from .mathematics import FUNCTIONS
from .stages import divide, width_of

LARGEST = 32 << 20  # bytes of all arrays from which on stores go past the caches, however large these are said to be
SHARE = 3 / 4  # of the shared cache: arrays that take more come from memory in part, as it keeps what others read, too


def large() -> float:
    """Bytes of all arrays from which on stores go past the caches."""
    return min(LARGEST, SHARE * cache_bytes(3, LARGEST))


def large_alone() -> float:
    """Bytes of an output from which on it is written past the caches by a kernel that waits for each line.

    Where the shared cache is hardly faster than memory, lines are not read from there either, if a core's own cache
    cannot hold them.
    """
    return cache_bytes() if has_distant_cache() else math.inf


LONG_ROW = 4096  # bytes of a row, at least: a line that is written in part is slow to leave


def streamed(kernel: Kernel, vector: int) -> frozenset[str]:
    """The outputs of a kernel that are written past the caches, in vectors of so many bytes."""
    whole = [array for array in kernel.arrays if not array.same]
    nbytes = {array.name: math.prod(array.shape) * SIZES[array.dtype] for array in whole}
    if sum(nbytes.values()) < large():
        least = large_alone()
        nbytes = {name: size for name, size in nbytes.items() if size >= least}
        if not nbytes or not _is_quick(kernel):
            return frozenset()
    if any(array.at or array.bounds for array in kernel.arrays) or divide(kernel).passes > 1:
        return frozenset()
    together = interleaved(kernel, [array.same or array.name for array in kernel.arrays])
    return frozenset(
        one.name
        for one in whole
        if one.name in nbytes and _is_streamed(one, kernel, vector, one.name in together and SIZES[one.dtype] >= 4)
    )


def prefetched(kernel: Kernel) -> str:
    """The input that a kernel prefetches: the only one that it reads once from end to end, if its arrays do not fit
    into a core's cache; empty if there is none.

    A core prefetches by itself, but not far enough while it computes much from each line. With several such inputs, as
    of an optimizer, it computes less from each, and more instructions take time.
    """
    whole = [array for array in kernel.arrays if not array.same]
    if sum(math.prod(array.shape) * SIZES[array.dtype] for array in whole) <= cache_bytes():
        return ""
    again = {array.same for array in kernel.arrays}
    found = [array.name for array in whole if array.role in READ and all(array.strides)]
    return found[0] if len(found) == 1 and found[0] not in again else ""


def _is_quick(kernel: Kernel) -> bool:
    """Whether a kernel has no polynomials: while those are computed, lines are read."""
    return not any(statement.function in FUNCTIONS for statement in kernel.statements)


def _is_streamed(array: Array, kernel: Kernel, vector: int, together: bool) -> bool:
    """Whether all rows of an output are long, and begin at the address of a whole vector if the array does. `together`:
    whether its columns are written with those beside them."""
    width = SIZES[array.dtype]
    *outer, inner = array.strides
    if array.role != "out" or width != width_of(kernel) or not (inner == width or (together and inner > 0)):
        return False
    if kernel.extents[-1] * inner < LONG_ROW:
        return False
    if kernel.pieces:
        outer.append(piece_rows(kernel) * array.strides[0])
    return not any(stride % vector for stride in (array.offset, *outer))


def two_functions(
    kernel: Kernel, names: frozenset[str], past: bytes, plain: bytes, vector: int
) -> tuple[bytes, int, int]:
    """Code that goes on as `past` if the outputs of these names begin at whole vectors and are no input's memory, and
    where `past` and `plain` are in it.

    Otherwise, or if an argument is no array, it goes on as `plain`. Either function looks at its arguments itself.
    """
    code = Assembler()
    otherwise = code.new_label()
    code.compare(RDX, len(kernel.arrays))
    code.jump(otherwise, JUMP_NOT_EQUAL)
    code.constant(R8, id(np.ndarray))
    for position, _ in enumerate(kernel.arrays):
        code.load(RAX, Memory(RSI, 8 * position))
        code.compare_registers(R8, Memory(RAX, TYPE))
        code.jump(otherwise, JUMP_NOT_EQUAL)
    for position, array in enumerate(kernel.arrays):
        if array.name not in names:
            continue
        code.load(RAX, Memory(RSI, 8 * position))
        code.load(RCX, Memory(RAX, DATA))
        code.load(RAX, RCX)
        code.bit_and(RAX, vector - 1)
        code.jump(otherwise, JUMP_NOT_EQUAL)
        for other, source in enumerate(kernel.arrays):
            if source.role in READ:
                code.load(RAX, Memory(RSI, 8 * other))
                code.compare_registers(RCX, Memory(RAX, DATA))
                code.jump(otherwise, JUMP_EQUAL)
    first = code.new_label()
    code.jump(first)
    code.align(vector)
    code.place(otherwise)
    start = len(code.code)
    code.code += plain
    code.align(vector)
    code.place(first)
    head = code.finish()
    return head + past, len(head), start
