"""Interleaved access: the columns of short rows that lie side by side in memory are read and written as whole vectors,
and exchanged between registers.

    x_0 = [a0 a1 a2 a3 …]              [a0 b0 c0 a1 b1 c1 …]
    x_1 = [b0 b1 b2 b3 …]      <->     [… a5 b5 c5 a6 b6 …]
    x_2 = [c0 c1 c2 c3 …]              [… b10 c10 a11 b11 …]

Every prime factor of the number of columns is a step. Each of them exchanges the elements of two vectors, or three, or
five, and so on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from .builder import Builder, Value
from .functions import is_cheap
from .language import SCAN, SIZES, Array, Kernel, Number, is_scattered
from .stages import COLUMN, KernelStages


def interleaved(kernel: Kernel, arguments: Sequence[object]) -> dict[str, tuple[str, ...]]:
    """For each array that is a column of whole rows all columns of these, in order. `arguments`: what is the same for
    arrays of the same memory."""
    alike: list[tuple[tuple[object, ...], list[Array]]] = []  # not by hashes, which symbolic sizes have none of
    for array, argument in zip(kernel.arrays, arguments, strict=True):
        if is_column(array) and (not array.at or is_scattered(array, kernel)):
            step = _step_of(array)
            row = argument, array.role, array.dtype, array.shape, array.strides, array.offset // step, array.at
            others = next((arrays for known, arrays in alike if known == row), None)
            if others is None:
                alike.append((row, [array]))
            else:
                others.append(array)
    found: dict[str, tuple[str, ...]] = {}
    for _, arrays in alike:
        step, size = _step_of(arrays[0]), SIZES[arrays[0].dtype]
        columns = {int(array.offset % step): array.name for array in arrays}
        if sorted(columns) == [*range(0, step, size)]:
            names = tuple([columns[offset] for offset in sorted(columns)])
            found.update(dict.fromkeys(names, names))
    return found


def is_column(array: Array) -> bool:
    """Whether an array may be one of several columns of short rows, which lie side by side or at positions."""
    return array.role in ("in", "out") and not array.bounds and _step_of(array) >= 2 * SIZES[array.dtype]


def _step_of(array: Array) -> int:
    """The bytes from one row to the next, or between those of neighbouring positions; 0 for what is no column."""
    step, place = array.strides[-1], array.at[0] if len(array.at) == 1 else None
    if not array.at:
        return abs(step) if array.role == "in" else step
    return place.stride if place and array.role == "in" and not step else 0


def parted(builder: Builder, vectors: Sequence[Value]) -> list[Value]:
    """The columns of adjacent vectors of rows, as many as there are columns."""
    count = len(vectors)
    if count == 1:
        return [*vectors]
    factor, columns = _factor(count), [*vectors]
    steps = [_spread(builder, vectors[at : at + factor]) for at in range(0, count, factor)]
    for first in range(factor):
        columns[first::factor] = parted(builder, [step[first] for step in steps])
    return columns


def joined(builder: Builder, columns: Sequence[Value]) -> list[Value]:
    """The adjacent vectors of rows of these columns."""
    count = len(columns)
    if count == 1:
        return [*columns]
    factor = _factor(count)
    streams = [joined(builder, columns[first::factor]) for first in range(factor)]
    return [one for step in zip(*streams, strict=True) for one in _merged(builder, step)]


def repeated(builder: Builder, value: Value, count: int) -> list[Value]:
    """The adjacent vectors of rows of so many columns, which are all the same."""
    lanes = builder.vector // builder.width
    return [
        _permuted(builder, value, [(number * lanes + lane) // count for lane in range(lanes)])
        for number in range(count)
    ]


def moved(builder: Builder, vectors: Sequence[Value], columns: Sequence[int], back: bool) -> list[Value]:
    """The adjacent vectors of rows with others of as many columns, by their numbers. `back`: the last row first."""
    count, lanes = len(columns), builder.vector // builder.width
    rows = range(lanes)[:: -1 if back else 1]
    places = [divmod(row * count + column, lanes) for row in rows for column in columns]
    return [_chosen(builder, vectors, places[at : at + lanes]) for at in range(0, len(places), lanes)]


def exchanges(count: int) -> int:
    """The instructions that exchange the elements of each of so many vectors."""
    factor = _factor(count)
    return factor - 1 + (exchanges(count // factor) if factor < count else 0)


def _factor(count: int) -> int:
    return next(factor for factor in range(2, count + 1) if not count % factor)


def _spread(builder: Builder, vectors: Sequence[Value]) -> list[Value]:
    """Every so many-th element of some vectors, from each of the first ones on."""
    count, lanes = len(vectors), builder.vector // builder.width
    places = [[divmod(lane * count + first, lanes) for lane in range(lanes)] for first in range(count)]
    if builder.wide:
        return [_chosen(builder, vectors, each) for each in places]
    if count == 2:
        order = [*range(0, lanes, 2), *range(1, lanes, 2)]
        return _halves(builder, [_permuted(builder, one, order) for one in vectors])
    return [_permuted(builder, _mixed(builder, vectors, each), [lane for _, lane in each]) for each in places]


def _merged(builder: Builder, vectors: Sequence[Value]) -> list[Value]:
    """The elements of some vectors in turn."""
    count, lanes = len(vectors), builder.vector // builder.width
    places = [[divmod(number * lanes + lane, count)[::-1] for lane in range(lanes)] for number in range(count)]
    if builder.wide:
        return [_chosen(builder, vectors, each) for each in places]
    if count == 2:
        order = [number for lane in range(lanes // 2) for number in (lane, lane + lanes // 2)]
        return [_permuted(builder, one, order) for one in _halves(builder, vectors)]
    turned = []
    for first, vector in enumerate(vectors):
        back = {(lane * count + first) % lanes: lane for lane in range(lanes)}
        turned.append(_permuted(builder, vector, [back[lane] for lane in range(lanes)]))
    return [_mixed(builder, turned, [(number, lane) for lane, (number, _) in enumerate(each)]) for each in places]


def _chosen(builder: Builder, vectors: Sequence[Value], places: Sequence[tuple[int, int]]) -> Value:
    """The lanes at these places, a vector and a lane of it each."""
    found: Value | None = None
    lanes = len(places)
    for number in sorted({number for number, _ in places}):
        if found is None:
            found, now = vectors[number], [lane for _, lane in places]
            continue
        order = [lanes + at if source == number else now[lane] for lane, (source, at) in enumerate(places)]
        found = builder.emit("from_two", found.dtype, found, vectors[number], builder.lanes(order))
        now = [*range(lanes)]
    assert found is not None
    return found if now == [*range(lanes)] else _permuted(builder, found, now)


def _mixed(builder: Builder, vectors: Sequence[Value], places: Sequence[tuple[int, int]]) -> Value:
    """The lanes at these places, in their own lanes."""
    words, found = builder.width // 4, vectors[0]
    for number, vector in enumerate(vectors[1:], 1):
        lanes = [lane * words + word for source, lane in places if source == number for word in range(words)]
        if lanes:
            found = builder.emit("mixed", vector.dtype, found, vector, immediate=sum(1 << lane for lane in lanes))
    return found


def _halves(builder: Builder, vectors: Sequence[Value]) -> list[Value]:
    """The first halves of two vectors, and the last ones."""
    return [builder.emit("halves", vectors[0].dtype, *vectors, immediate=which) for which in (0x20, 0x31)]


def _permuted(builder: Builder, vector: Value, order: Sequence[int]) -> Value:
    """The lanes of a vector in another order."""
    if builder.wide:
        return builder.emit("from_two", vector.dtype, vector, vector, builder.lanes(order))
    words = builder.width // 4
    order = [lane * words + word for lane in order for word in range(words)]
    return builder.emit("permute", vector.dtype, builder.lanes(order, 4), vector)


class RowOrder:
    """Finds outputs whose columns are all computed alike. They are computed of adjacent vectors of rows then, and
    nothing is exchanged.

    Attributes:
        needed: the values of rows, not of columns, that this takes.
    """

    def __init__(self, stages: KernelStages, together: Mapping[str, tuple[str, ...]], wide: bool) -> None:
        self.stages = stages
        self.wide = wide
        self.together = together
        self.reads = Counter([name for one in stages.kernel.statements for name in one.arguments])
        self.needed: set[str] = set()
        self.cost: dict[tuple[str, ...], int | None] = {}

    def pays(self, names: tuple[str, ...]) -> bool:
        """Whether it takes fewer instructions to compute an output so than to exchange its elements."""
        before, self.needed = self.needed, set()
        self.cost.clear()
        possible = self.of(names)
        cost = sum(filter(None, self.cost.values()))
        if possible and cost <= exchanges(len(names)):
            self.needed |= before
            return True
        self.needed = before
        return False

    def of(self, names: tuple[str, ...]) -> bool:
        """Whether all columns are computed alike; `cost` keeps the instructions that this adds."""
        if names not in self.cost:
            self.cost[names] = self.found(names)
        return self.cost[names] is not None

    def found(self, names: tuple[str, ...]) -> int | None:
        """The instructions for one step; None if columns differ."""
        stages = self.stages
        if len({*names}) == 1:
            self.needed.add(names[0])
            return int(stages.level[names[0]] == COLUMN)
        if names[0] in stages.inputs:
            row = self.together.get(names[0], ())
            if row == names and stages.inputs[names[0]].strides[-1] >= 0:
                return 0
            return 1 if self.wide and len(row) == len(names) and {*row} >= {*names} else None
        statements = [stages.statements[name] for name in names if name in stages.statements]
        kinds = {(one.function, one.dtype, len(one.arguments)) for one in statements}
        if len(statements) < len(names) or len(kinds) > 1 or statements[0].function.startswith((SCAN, "row_")):
            return None
        if any(stages.level[name] != COLUMN for name in names):
            return None  # what these are computed of is not kept for the columns
        again = any(self.reads[name] > (name not in self.together) for name in names)
        if again and not is_cheap(statements[0].function):
            return None
        for arguments in zip(*[one.arguments for one in statements], strict=True):
            if isinstance(arguments[0], Number):
                if len({*map(repr, arguments)}) > 1:
                    return None
            elif not self.of(tuple(map(str, arguments))):
                return None
        return int(again)
