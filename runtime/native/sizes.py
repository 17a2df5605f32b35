"""Kernels that differ in sizes alone: what they have in common, and one of them with other, or symbolic, sizes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from .language import Array, Kernel
from .turned_rows import turned_inputs


def kind_of(kernel: Kernel, statements: object) -> tuple[Hashable, tuple[int, ...]] | None:
    """What a kernel has in common with those that only have other sizes, and its sizes: shapes, strides of all loops
    but the innermost one, offsets, bounds and extents, but for zeros. `statements`: what they have in common of these.
    None for a kernel whose arrays are moved by positions: errors of these name sizes; and for one with buffers.
    """
    if turned_inputs(kernel):
        return None
    sizes: list[int] = []
    arrays = []
    for array in kernel.arrays:
        if array.at:
            return None
        numbers = _numbers(array)
        sizes += [number for number in numbers if number]
        zeros = tuple([not number for number in numbers])
        kind = array.role, array.name, array.argument[0], len(array.shape)
        arrays.append((*kind, array.strides[-1:], array.same, zeros))
    sizes += kernel.extents
    return (len(kernel.extents), *arrays, statements, kernel.pieces, kernel.until, kernel.flush), tuple(sizes)


def _numbers(array: Array) -> tuple[int, ...]:
    bounds = [index for pair in array.bounds for index in pair]
    return (*array.shape, *array.strides[:-1], array.offset, *bounds)


def with_sizes(kernel: Kernel, sizes: Sequence[Any]) -> Kernel:
    """The kernel with other sizes, in the order of `kind_of`."""
    rest = iter(sizes)
    arrays = []
    for array in kernel.arrays:
        numbers = [next(rest) if number else 0 for number in _numbers(array)]
        rank, loops = len(array.shape), len(array.strides) - 1
        offset, *cuts = numbers[rank + loops :]
        arrays.append(
            array._replace(
                shape=tuple(numbers[:rank]),
                strides=(*numbers[rank : rank + loops], *array.strides[-1:]),
                offset=offset,
                bounds=tuple(zip(cuts[::2], cuts[1::2], strict=True)),
            )
        )
    return Kernel(tuple(rest), tuple(arrays), kernel.statements, kernel.pieces, kernel.until, kernel.flush)
