"""Which outputs of a kernel may use the memory of an input."""

from __future__ import annotations

from collections.abc import Sequence

from ...runtime.native.language import INDEX, Array, Kernel
from ...runtime.native.stages import COLUMN, KernelStages, divide

FEWEST_COLUMNS = 8  # of a row that is overwritten after it was reduced


def overwritten(kernel: Kernel, inputs: Sequence[int]) -> frozenset[tuple[int, int]]:
    """The outputs that may use an input's memory. `inputs`: for each array that is read, which input it is."""
    stages = divide(kernel)
    if stages.passes > 1 and kernel.extents[-1] < FEWEST_COLUMNS:
        return frozenset()  # rather unrolled
    read, written = kernel.arrays[: len(inputs)], kernel.arrays[len(inputs) :]
    once: dict[int, Array | None] = {}  # the array of each input, if it is read at one place
    for array, position in zip(read, inputs, strict=True):
        once[position] = None if position in once else array
    free: dict[tuple[object, ...], list[tuple[int, Array]]] = {}  # by the elements that are read: there are many
    for position, single in once.items():
        if single is None or single.bounds or single.at:
            continue
        if single.role != INDEX or _is_read_at_once(single, kernel):
            free.setdefault((single.strides, single.offset), []).append((position, single))
    last = {name: now for now, names in enumerate(stages.needed) for name in names}
    pairs = set()
    for number, out in enumerate(written):
        moves = all(step for step, extent in zip(out.strides, kernel.extents, strict=True) if extent > 1)
        if out.role == "out" and moves:
            for position, array in free.get((out.strides, out.offset), ()):
                if _is_read_before(last.get(array.name, 0), out, stages):
                    pairs.add((number, position))
    return frozenset(pairs)


def _is_read_at_once(index: Array, kernel: Kernel) -> bool:
    """Whether the positions of each vector of columns are read together, for one input, before outputs are written."""
    moved = [array for array in kernel.arrays if any(place.array == index.name for place in array.at)]
    return len(moved) == 1 and moved[0].role == "in" and divide(kernel).passes < 2 and bool(index.strides[-1])


def _is_read_before(last: int, out: Array, stages: KernelStages) -> bool:
    """Whether no pass over a row reads an input, at last in this one, after the one that writes an output."""
    return stages.passes < 2 or (stages.at[out.name] == COLUMN and last <= stages.stage[out.name])
