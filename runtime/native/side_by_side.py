"""How many vectors of columns an iteration computes side by side, so that chains of dependent instructions overlap."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from .functions import is_cheap
from .language import SCAN, SIZES, Argument, Kernel, Statement
from .stages import COLUMN, KernelStages

PINNED = 6  # reductions of one pass that stay in registers
WORTH_TWO_WAYS = 1 << 14  # elements from which on two vectors are computed side by side
SHORT = 100  # steps of a vector that are soon written twice
ELEMENTS_FOR_STEP = 1 << 9
WORTH_DEEP = 1 << 11  # elements from which on it is so for deep chains
DEEP = 48  # statements of a chain of which no two are side by side as they are: a processor looks some 300 steps ahead


def is_worth_it(length: int, longest: int, kernel: Kernel) -> bool:
    """Whether vectors of so many steps overlap too little by themselves. Long code is written for many elements."""
    if length <= longest and (length <= SHORT or has_many_elements(length, kernel)):
        return True
    return depth(kernel) >= DEEP


def has_many_elements(length: int, kernel: Kernel) -> bool:
    """Whether time that is won for each of the elements makes up for writing so many steps again."""
    return math.prod(kernel.extents) >= ELEMENTS_FOR_STEP * length


def depth(kernel: Kernel) -> int:
    """The number of statements in the longest chain of which each reads what the one before has made."""
    deep: dict[Argument, int] = {}
    for statement in kernel.statements:
        deep[statement.name] = 1 + max((deep.get(argument, 0) for argument in statement.arguments), default=0)
    return max(deep.values(), default=0)


def are_whole_rows(stages: KernelStages, most: int, lanes: int) -> bool:
    """Whether rows that are read again have up to `most` columns: registers have them all at once."""
    kernel, columns = stages.kernel, stages.kernel.extents[-1]
    if stages.passes < 2 or columns > most or len(kernel.extents) < 2:
        return False
    return not any(function.startswith(SCAN) for _, function, _, _ in kernel.statements) and not any(
        array.bounds or array.at or array.role == "state" or array.strides[-1] not in (0, SIZES[array.dtype])
        for array in kernel.arrays
    )


def vectors_at_once(
    stages: KernelStages, lanes: int, number: int, reductions: Sequence[Statement], together: Collection[str]
) -> int:
    """The number of vectors that an iteration of a pass computes: most for a sum of what takes little time. `together`:
    columns that are read and written with those beside them."""
    kernel = stages.kernel
    if len(reductions) > PINNED // 2 or any(array.bounds or array.at for array in kernel.arrays):
        return 1
    arrays, slow = [array for array in stages.outputs if stages.at[array.name] == COLUMN], not reductions
    for name in stages.needed[number]:
        if name in stages.inputs:
            arrays.append(stages.inputs[name])
        elif stages.computed.get(name, number) == number:
            function = stages.statements[name].function
            if function.startswith(SCAN):
                return 1
            slow = slow or not is_cheap(function)
    others = [array for array in arrays if array.strides[-1] != SIZES[array.dtype]]
    if any(SIZES[one.dtype] < 4 or one.strides[-1] < 0 or one.name not in together for one in others):
        return 1
    columns = kernel.extents[-1]
    if slow:  # such code is twice as long
        is_deep = depth(kernel) >= DEEP or bool(together)  # lanes wait for each other where columns are exchanged
        enough = WORTH_DEEP if not reductions and is_deep else WORTH_TWO_WAYS
        return 2 if columns >= 8 * lanes and math.prod(kernel.extents) >= enough else 1
    ways = 4 if len(reductions) == 1 else 2
    return ways if columns >= 2 * ways * lanes else 1
