"""Which outputs of a kernel may use the memory of an input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Any

from ...runtime.native.language import INDEX, Array, Kernel
from ...runtime.native.stages import COLUMN, divide

FEWEST_COLUMNS = 8  # of a row that is overwritten after it was reduced

Elements = tuple[tuple[int, ...], int]  # that an array is read or written at: strides and offset


class Overwritten(Set[tuple[int, int]]):
    """Pairs of an output and an input. They are looked up without being listed: a kernel of single numbers may have as
    many as outputs times inputs."""

    def __init__(self) -> None:
        self.free: dict[Elements, dict[int, int]] = {}  # inputs, and the last pass over a row that reads them
        self.outputs: dict[int, tuple[Elements, int]] = {}  # their elements, and the last pass that may read these

    def __contains__(self, pair: Any) -> bool:
        number, position = pair
        elements, most = self.outputs.get(number, (None, -1))
        return elements is not None and self.free.get(elements, {}).get(position, most + 1) <= most

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for number, (elements, most) in self.outputs.items():
            for position, last in self.free.get(elements, {}).items():
                if last <= most:
                    yield number, position

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"{{{', '.join(map(repr, self))}}}"


def overwritten(kernel: Kernel, inputs: Sequence[int]) -> Overwritten:
    """The outputs that may use an input's memory. `inputs`: for each array that is read, which input it is."""
    pairs = Overwritten()
    stages = divide(kernel)
    if stages.passes > 1 and kernel.extents[-1] < FEWEST_COLUMNS:
        return pairs  # rather unrolled
    read, written = kernel.arrays[: len(inputs)], kernel.arrays[len(inputs) :]
    once: dict[int, Array | None] = {}  # the array of each input, if it is read at one place
    for array, position in zip(read, inputs, strict=True):
        once[position] = None if position in once else array
    last = {name: now for now, names in enumerate(stages.needed) for name in names}
    for position, single in once.items():
        if single is None or single.bounds or single.at:
            continue
        if single.role != INDEX or _is_read_at_once(single, kernel):
            pairs.free.setdefault((single.strides, single.offset), {})[position] = last.get(single.name, 0)
    for number, out in enumerate(written):
        moves = all(step for step, extent in zip(out.strides, kernel.extents, strict=True) if extent > 1)
        if out.role == "out" and moves and (stages.passes < 2 or stages.at[out.name] == COLUMN):
            most = stages.passes if stages.passes < 2 else stages.stage[out.name]
            pairs.outputs[number] = (out.strides, out.offset), most
    return pairs


def _is_read_at_once(index: Array, kernel: Kernel) -> bool:
    """Whether the positions of each vector of columns are read together, for one input, before outputs are written."""
    moved = [array for array in kernel.arrays if any(place.array == index.name for place in array.at)]
    return len(moved) == 1 and moved[0].role == "in" and divide(kernel).passes < 2 and bool(index.strides[-1])
