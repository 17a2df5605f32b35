"""Loop unrolling of short rows: each column becomes statements of its own, and the rows become the columns.

    over 900 3                                over 900
    in x float32[900,3] 12 4                  in x_0 float32[900,3] 12
    out n float32[900] 4 0                    in x_1 float32[900,3] 12 from 4
    n = row_add(x)                            in x_2 float32[900,3] 12 from 8
                                              out n float32[900] 4
                                              n_1 = add(x_0, x_1)
                                              n = add(n_1, x_2)

A row of three elements fills no vector, and its sum takes longer than that of eight rows side by side. So do the
maximum and the sum of a row of ten, and running sums of a row of five. A value that moves along such a row exchanges
the names of its columns. A loop of two or three iterations around short
rows is unrolled, too, where arrays have bounds in it: then no bounds are left (gradients of every second element along
two axes). So are two loops over the few elements of a block: what repeats rows of three, or turns matrices of 3 by 3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from ...runtime.machine.executable import has_masked_vectors
from ...runtime.native.builder import VECTOR, Unsupported
from ...runtime.native.check import check
from ...runtime.native.functions import is_cheap
from ...runtime.native.interleaving import exchanges
from ...runtime.native.language import (
    COMBINED,
    MOST_ROWS,
    RECURRENCE,
    SCAN,
    SHORT_SUM,
    SIZES,
    Argument,
    Array,
    Kernel,
    Number,
    Statement,
    crosses,
    elements,
    moves_along,
    names_of,
    without_names,
)
from ...runtime.native.stages import divide, width_of
from ...runtime.native.vectors import computes
from .divided_rows import LEAST, divided
from .loop_nest import FEW, LONGEST_ROW, SHORT_SCAN
from .translation import FEWEST_ROWS, Translation, keep
from .translator import BACK, MOVE

MOST_ARRAYS = 56
MOST_STATEMENTS = 40  # of rows longer than a vector
MOST_BYTES = 80  # of a row that is unrolled, though it is longer than two vectors
MOST_UNROLLED = 320  # statements, where neighbouring rows are neighbours in memory
LARGE = 1 << 15  # elements of rows that are worth some more statements
READ_AGAIN = 8  # times; an input that is read so often is copied with its axes exchanged
FEWEST_BESIDE = 4  # where other loops are around these
LONGEST_BLOCK, MOST_OF_BLOCK = 40, 64  # elements of two loops that are unrolled, and their statements

MOST_KNOWN = 64  # translations that are kept with what became of them

T = TypeVar("T")

_known: dict[int, tuple[Translation, Translation]] = {}


def unrolled(translation: Translation) -> Translation:
    """A translation whose rows are not short; the same one if they are not, or cannot be unrolled. Several ask for the
    same."""
    found = _known.get(id(translation))
    if found is None:
        found = keep(_known, id(translation), (translation, _unrolled(translation)), MOST_KNOWN)
    return found[1]


def _unrolled(translation: Translation) -> Translation:
    kernel = translation.kernel
    last = len(kernel.extents) - 1
    if _are_blocks(kernel):
        return _without(_without(translation, last), last - 1)
    if not is_short(kernel):
        return translation
    few = [loop for loop in range(last) if kernel.extents[loop] <= FEW and _is_plain(kernel)]
    bounded = [loop for loop in few if any(crosses(array, loop, kernel.extents) for array in kernel.arrays)]
    if not bounded:
        return _without(translation, last)
    made = _without(translation, bounded[0])
    return translation if made is translation else unrolled(made)


def without_moves(translation: Translation) -> Translation:
    """A translation, unrolled if it moves values along short rows, or adds up so many that they must be added side by
    side, in parts. Raises `Unsupported` if it cannot be."""
    kernel = translation.kernel
    moves = any(one.function == MOVE or one.function.startswith(BACK) for one in kernel.statements)
    adds = _adds_short_rows(kernel) and _adds_many(kernel)
    if not moves and not adds:
        return translation
    last = len(kernel.extents) - 1
    if adds and not moves and _have_blocks(kernel):
        made = _unroll(_unroll(translation, last), last - 1)
    elif is_short(kernel):
        made = _unroll(translation, last)
    else:
        raise Unsupported("what moves is computed here, or many rows are added up")
    if adds:
        made = divided(made, made.kernel.extents[0] // LEAST)
        if made.kernel.extents[-1] > LONGEST_ROW or _adds_many(made.kernel):
            raise Unsupported("many rows are added up")
    return made


def _adds_short_rows(kernel: Kernel) -> bool:
    """Whether sums of short rows are added up."""
    rows = {one.name for one in kernel.statements if one.function.startswith("row_")}
    sums = {array.name for array in kernel.arrays if array.role in COMBINED}
    copies = [one for one in kernel.statements if one.name in sums and not rows.isdisjoint(one.arguments)]
    return kernel.extents[-1] <= SHORT_SUM and bool(copies)


def _adds_many(kernel: Kernel) -> bool:
    """Whether so many rows are added up in an element that one after the other would be inexact."""
    sums = [array for array in kernel.arrays if array.role in COMBINED and not array.at and not array.strides[-1]]
    floats = [array for array in sums if array.dtype.startswith("float")]
    moves = [zip(array.strides[:-1], kernel.extents, strict=False) for array in floats]
    return any(math.prod([extent for stride, extent in each if not stride]) > MOST_ROWS for each in moves)


def _without(translation: Translation, loop: int) -> Translation:
    """A translation with a loop unrolled; the same one if it cannot be."""
    try:
        return _unroll(translation, loop)
    except Unsupported:
        return translation


def _unroll(translation: Translation, loop: int) -> Translation:
    kernel = translation.kernel
    unrolling = _Unrolling(kernel, loop)
    made = unrolling.run()
    check(made)
    stages = divide(made)
    known = dict(zip(names_of(kernel), translation.origins, strict=True))
    origins = []
    for name in names_of(made):
        number, suffix = known[unrolling.origin[name]]
        origins.append((number, suffix))
    positions = [unrolling.position[array.name] for array in made.arrays]
    count = len(translation.inputs)
    inputs = tuple(translation.inputs[position] for position in positions if position < count)
    outputs = tuple(translation.outputs[position - count] for position in positions if position >= count)
    return replace(
        translation,
        kernel=without_names(made),
        origins=tuple(origins),
        inputs=inputs,
        outputs=outputs,
        in_place=translation.in_place if stages.passes < 2 else frozenset(),
    )


def is_short(kernel: Kernel) -> bool:
    """Whether rows fill no vector."""
    if len(kernel.extents) < 2 or kernel.pieces:
        return False
    if kernel.extents[-2] < (FEWEST_BESIDE if len(kernel.extents) > 2 else FEWEST_ROWS):
        return False
    if not 2 <= kernel.extents[-1] < _longest(kernel):
        return False
    if any(array.role == "state" or _is_cut(array, kernel) for array in kernel.arrays):
        return False
    last = len(kernel.extents) - 1
    if any(array.at and not moves_along(array, last, kernel) for array in kernel.arrays if array.role in COMBINED):
        return False
    # An array that is the same for all rows is read once.
    moving = [array for array in kernel.arrays if moves_along(array, last - 1, kernel)]
    return sum(kernel.extents[-1] if array.strides[-1] else 1 for array in moving) <= MOST_ARRAYS


def _are_blocks(kernel: Kernel) -> bool:
    """Whether a kernel repeats the short rows of blocks, or turns them around. Then a block is a short row."""
    return _is_plain(kernel) and _have_blocks(kernel)


def _have_blocks(kernel: Kernel) -> bool:
    """Whether the two inner loops are over few elements of a block, and blocks lie one behind the other."""
    if len(kernel.extents) < 3 or kernel.pieces:
        return False
    *_, blocks, rows, columns = kernel.extents
    size = rows * columns
    if blocks < FEWEST_ROWS or not 2 <= columns < VECTOR // width_of(kernel):
        return False
    if size > LONGEST_BLOCK or size * len(kernel.statements) > MOST_OF_BLOCK:
        return False
    if any(array.role == "state" or array.at or array.bounds for array in kernel.arrays):
        return False
    return all(map(partial(_is_block, kernel), kernel.arrays))


def _is_block(kernel: Kernel, array: Array) -> bool:
    """Whether what an array has in the two inner loops lies side by side, and the next of it behind."""
    expected = SIZES[array.dtype]
    inner = zip(array.strides[-2:], kernel.extents[-2:], strict=True)
    for stride, extent in sorted((stride, extent) for stride, extent in inner if stride):
        if stride != expected:
            return False
        expected *= extent
    return array.strides[-3] in (0, expected)


def _longest(kernel: Kernel) -> int:
    """The columns that rows have at least to be no short ones: a vector, or two if each row is reduced more than once,
    because the steps of a reduction wait for each other; some more if it is three times, and costly columns would not
    fill vectors. With AVX-512 rows that fill these vectors are short, too, if they are reduced, and up to half more if
    one array alone has columns in memory. Many rows may have some more columns that are exchanged as whole vectors.
    Elements at positions are moved one by one, unless they are whole rows: those of rows of more than two only if the
    rows take long anyway.
    Running sums of six and more are faster along the row, but for those from the end, whose columns are turned
    around."""
    placed = [array for array in kernel.arrays if array.at]
    if placed and all(map(partial(_is_whole, kernel), placed)):
        return VECTOR // width_of(kernel)
    if placed:
        return min(VECTOR // width_of(kernel), FEW + 1) if _takes_long(kernel) else 3
    if any(statement.function.startswith(SCAN) for statement in kernel.statements):
        return SHORT_SCAN if all(array.strides[-1] >= 0 for array in kernel.arrays) else VECTOR // 4
    reductions = sum(statement.function.startswith("row_") for statement in kernel.statements)
    lanes = VECTOR // width_of(kernel)
    if reductions and len(kernel.statements) * kernel.extents[-1] <= MOST_UNROLLED and are_rows_adjacent(kernel):
        return 4 * lanes + 1
    if not reductions and math.prod(kernel.extents) >= LARGE and _are_side_by_side(kernel):
        return lanes + FEW
    twice = reductions > 1 and len(kernel.statements) <= MOST_STATEMENTS
    if twice and reductions > 2 and kernel.extents[-1] % lanes and computes(kernel):
        return MOST_BYTES // width_of(kernel) + 1
    is_wide = has_masked_vectors()
    if twice:
        return 2 * lanes + 1 if is_wide else 2 * lanes
    if not (reductions and is_wide):
        return lanes
    along = [array for array in kernel.arrays if array.strides[-1] and any(array.strides[:-1])]
    some_more = len(along) == 1 and (exchanges(kernel.extents[-1]) <= lanes or computes(kernel))  # not eleven, say
    return (lanes * 3 // 2 if some_more else lanes) + 1


def _is_whole(kernel: Kernel, array: Array) -> bool:
    """Whether an array is read in whole rows, at positions: vectors have their columns."""
    size = SIZES[array.dtype]
    rows = len(array.at) == 1 and array.at[0].stride == size * kernel.extents[-1]
    return rows and array.role == "in" and array.strides[-1] == size == width_of(kernel)


def _are_side_by_side(kernel: Kernel) -> bool:
    """Whether the columns of each row lie side by side, and its neighbours' columns behind them or, of one column each,
    beside them."""
    size = width_of(kernel)
    moves = [array.strides[-2:] for array in kernel.arrays if array.strides[-1]]
    return all(row in (size, kernel.extents[-1] * size) and column == size for row, column in moves)


def _takes_long(kernel: Kernel) -> bool:
    """Whether rows are combined with others in memory, or need functions of more than a few instructions."""
    combined = any(array.role in COMBINED and not array.at and array.strides[-1] for array in kernel.arrays)
    return combined or not all(is_cheap(statement.function) for statement in kernel.statements)


def far_rows(translation: Translation) -> set[int]:
    """The inputs that keep short rows from being unrolled well, if these are all: their columns should not be the last
    axis, but the first one. They are small, and read several times."""
    kernel, found = translation.kernel, set[int]()
    reductions = any(statement.function.startswith("row_") for statement in kernel.statements)
    if not reductions or len(kernel.extents) < 2 or not 2 <= kernel.extents[-1] <= VECTOR:
        return set()
    near: list[Array] = []
    for array, number in zip(kernel.arrays, translation.inputs, strict=False):
        size = SIZES[array.dtype]
        again = math.prod(kernel.extents) >= READ_AGAIN * math.prod(array.shape)
        whole = math.prod(array.shape) == elements(array, kernel.extents)
        if array.strides[-1] == size and array.strides[-2] > size and again and whole and not array.bounds:
            found.add(number)
            near.append(array._replace(strides=(*array.strides[:-2], size, 0)))
        else:
            near.append(array)
    near += kernel.arrays[len(near) :]
    return found if found and is_short(replace(kernel, arrays=tuple(near))) else set()


def are_rows_adjacent(kernel: Kernel) -> bool:
    """Whether all arrays have the same or adjacent elements for neighbouring rows: these fill vectors."""
    return all(array.strides[-2] in (0, SIZES[array.dtype]) for array in kernel.arrays)


def _is_cut(array: Array, kernel: Kernel) -> bool:
    """Whether an array has bounds in the loop over rows, whose elements do not lie side by side."""
    return crosses(array, len(kernel.extents) - 2, kernel.extents) and array.strides[-2] not in (0, SIZES[array.dtype])


def _is_plain(kernel: Kernel) -> bool:
    """Whether each element is computed by itself, and written to a place of its own."""
    rows = any(statement.function.startswith(("row_", SCAN)) for statement in kernel.statements)
    return not rows and not any(array.role in COMBINED for array in kernel.arrays)


class _Unrolling:
    """One kernel while a loop of it is unrolled: that over columns, or one of a plain kernel.

    Attributes:
        origin: for each new name the old one.
        position: for each new array that of the old one.
    """

    def __init__(self, kernel: Kernel, loop: int) -> None:
        self.kernel = kernel
        self.loop = loop
        self.columns = kernel.extents[loop]
        self.statements: list[Statement] = []
        self.waiting: list[Statement] = []
        self.origin: dict[str, str] = {}
        self.position: dict[str, int] = {}
        self.zeros: set[str | Argument] = set()  # names of what is zero
        # What has a part for each column:
        self.split = {array.name for array in kernel.arrays if moves_along(array, loop, kernel)}
        self.accumulators = {array.name: array for array in kernel.arrays if array.role in COMBINED}

    def run(self) -> Kernel:
        """The kernel without its columns."""
        for statement in self.kernel.statements:
            each = statement.function.removeprefix(BACK).startswith((SCAN, MOVE)) or not self.split.isdisjoint(
                statement.arguments
            )
            if each and not statement.function.startswith("row_"):
                self.split.add(statement.name)
        arrays = [part for position, array in enumerate(self.kernel.arrays) for part in self.array(position, array)]
        for statement in self.kernel.statements:
            self.statement(statement)
        self.flush()
        return Kernel(self.others(self.kernel.extents), tuple(arrays), tuple(self.statements))

    def others(self, items: tuple[T, ...]) -> tuple[T, ...]:
        """What belongs to the other loops."""
        return (*items[: self.loop], *items[self.loop + 1 :])

    def part(self, name: str, column: int | None) -> str:
        """The name of a value in a column; a value that all columns share has one name."""
        new = f"{name}_c{column or 0}" if name in self.split else name
        self.origin[new] = name
        return new

    def array(self, position: int, array: Array) -> list[Array]:
        """An array for each column. It is zero in columns outside of its bounds."""
        parts = []
        bounds, extents = self.others(array.bounds), self.others(self.kernel.extents)
        whole = all(pair == (0, extent) for pair, extent in zip(bounds, extents, strict=False))
        for column in range(self.columns) if array.name in self.split else (None,):
            offset = array.offset + (column or 0) * array.strides[self.loop]
            name = self.part(array.name, column)
            if array.bounds and column is not None and column not in range(*array.bounds[self.loop]):
                self.zeros.add(name)
                self.statements.append(Statement(name, "copy", (Number(0, array.dtype),)))
                continue
            self.position[name] = position
            steps = self.others(array.strides)
            at = tuple(place._replace(array=self.part(place.array, column)) for place in array.at)
            parts.append(array._replace(name=name, strides=steps, offset=offset, bounds=() if whole else bounds, at=at))
        return parts

    def add(self, name: str, function: str, arguments: Sequence[Argument], old: str, dtype: str | None = None) -> None:
        """Append a statement. `old` is the name in the old kernel that it serves."""
        self.origin[name] = old
        self.statements.append(Statement(name, function, tuple(arguments), dtype))

    def statement(self, statement: Statement) -> None:
        """The statements that a statement becomes."""
        name, function, arguments, _ = statement
        if function.startswith("row_"):
            self.flush()
            self.reduce(name, function.removeprefix("row_"), arguments[0])
            return
        if function == MOVE:
            self.flush()
            self.move(statement)
            return
        if function.removeprefix(BACK).startswith(SCAN):
            self.flush()
            self.scan(name, function, arguments)
            return
        if name in self.split:
            self.waiting.append(statement)
        else:
            self.column(statement, None)

    def flush(self) -> None:
        """The statements that wait, column by column: so few values live at once."""
        for column in range(self.columns) if self.waiting else ():
            for statement in self.waiting:
                self.column(statement, column)
        self.waiting = []

    def column(self, statement: Statement, column: int | None) -> None:
        """A statement in one column, or in all that share it."""
        name, function, arguments, dtype = statement
        new = self.part(name, column)
        given = [self.part(x, column) if isinstance(x, str) else x for x in arguments]
        if function == "overlay" and not self.zeros.isdisjoint(given):
            given = [x for x in given if x not in self.zeros] or given[:1]
            self.zeros.update([new] if given[0] in self.zeros else ())
            self.add(new, "copy", given, name)
            return
        array = self.accumulators.get(name)
        if array is None or array.at or self.others(array.strides)[-1]:
            self.add(new, function, given, name, dtype)
            return
        value = given[0]
        if function != "copy" or not isinstance(value, str):
            raise Unsupported("what adds up is computed")
        self.add(f"{new}_row", f"row_{array.role}", [value], name)
        self.add(new, "copy", [f"{new}_row"], name)

    def move(self, statement: Statement) -> None:
        """A value a few columns further on, or back: each column is another one's, or zero."""
        name, _, (argument, distance), dtype = statement
        if not isinstance(argument, str) or not isinstance(distance, Number):
            raise Unsupported("a number moves")
        for column in range(self.columns):
            new, source = self.part(name, column), column - int(distance.value)
            if 0 <= source < self.columns:
                self.add(new, "copy", [self.part(argument, source)], name)
            else:
                self.zeros.add(new)
                self.add(new, "copy", [Number(0, dtype)], name)

    def scan(self, name: str, function: str, arguments: Sequence[Argument]) -> None:
        """A running reduction, or a recurrence: each column from the one before."""
        if not all(isinstance(argument, str) for argument in arguments):
            raise Unsupported("a number is scanned")
        before, columns = "", range(self.columns)
        for column in reversed(columns) if function.startswith(BACK) else columns:
            new = self.part(name, column)
            *factors, term = [self.part(str(argument), column) for argument in arguments]
            if not before:
                self.add(new, "copy", [term], name)
            elif function.removeprefix(BACK) == RECURRENCE:
                self.add(f"{new}_p", "multiply", [*factors, before], name)
                self.add(new, "add", [f"{new}_p", term], name)
            else:
                self.add(new, function.removeprefix(BACK).removeprefix(SCAN), [before, term], name)
            before = new

    def reduce(self, name: str, function: str, argument: Argument) -> None:
        """The columns of a value, combined one after the other."""
        if not isinstance(argument, str) or name in self.split:
            raise Unsupported("a number is no row")
        total = self.part(argument, 0)
        for column in range(1, self.columns):
            new = name if column == self.columns - 1 else f"{name}_r{column}"
            self.add(new, function, [total, self.part(argument, column)], name)
            total = new
