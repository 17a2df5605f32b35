"""Sums of many short rows, column by column: the accumulators of a column lie side by side, apart from those of others.

    over 100 90                          over 100 90
    ...                                  ...
    add s_0 float32[90,3] 0 12           add s_0 float32[3,90] 0 4
    add s_1 float32[90,3] 0 12 from 4    add s_1 float32[3,90] 0 4 from 360
    add s_2 float32[90,3] 0 12 from 8    add s_2 float32[3,90] 0 4 from 720

Each is read and written as often as there are rows; whole vectors take a tenth of the time of elements that lie apart.
The program turns them around once, in the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from ...runtime.native.language import COMBINED, SIZES, Array, Kernel
from ..ir.types import TensorType

FEWEST_ROWS = 3  # that are added up in an accumulator
FEWEST = 1 << 13  # elements that are added up


def with_turned_sums(
    kernel: Kernel, outputs: Sequence[int], types: Sequence[TensorType], alone: Callable[[], bool]
) -> tuple[Kernel, frozenset[int]]:
    """A kernel whose sums of short rows are turned, and which outputs are turned. `outputs`: for each array that the
    kernel writes, its output. `types`: those of the outputs. `alone`: whether no threads share the kernel."""
    if not any(array.role in COMBINED for array in kernel.arrays):
        return kernel, frozenset()
    first = len(kernel.arrays) - len(outputs)
    columns: dict[int, list[Array]] = {}
    for position, array in zip(outputs, kernel.arrays[first:], strict=True):
        columns.setdefault(position, []).append(array)
    turned = frozenset([each for each, arrays in columns.items() if _is_worth_it(kernel, arrays, types[each], alone)])
    if not turned:
        return kernel, turned
    arrays = [
        _turned(array, types[position]) if position in turned else array
        for position, array in zip(outputs, kernel.arrays[first:], strict=True)
    ]
    return replace(kernel, arrays=(*kernel.arrays[:first], *arrays)), turned


def _is_worth_it(kernel: Kernel, arrays: Collection[Array], type: TensorType, alone: Callable[[], bool]) -> bool:
    """Whether these are the accumulators of all columns, in which enough rows are added up."""
    array, *others = arrays
    count, size = len(arrays), SIZES[array.dtype]
    if count < 2 or array.role not in COMBINED or not type.is_static or type.static_shape[-1] != count:
        return False
    if array.strides[-1] != count * size or any(stride % (count * size) for stride in array.strides):
        return False
    if any(other.role != array.role or other.strides != array.strides for other in others):
        return False
    if any(each.at or each.bounds for each in arrays):
        return False
    if {each.offset // size % count for each in arrays} != {*range(count)}:
        return False
    again = math.prod([extent for stride, extent in zip(array.strides, kernel.extents, strict=True) if not stride])
    if again < FEWEST_ROWS or math.prod(kernel.extents) * count < FEWEST:
        return False
    return not array.strides[0] or alone()  # threads share what each index of the first loop has for itself


def _turned(array: Array, type: TensorType) -> Array:
    """One column of an array of short rows, in one whose columns lie one after the other."""
    size, columns = SIZES[array.dtype], type.static_shape[-1]
    rows = type.size // columns
    row, column = divmod(array.offset // size, columns)
    strides = tuple([stride // columns for stride in array.strides])
    return array._replace(shape=(columns, rows), strides=strides, offset=(column * rows + row) * size)
