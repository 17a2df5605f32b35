"""Loop collapsing for kernels: adjacent dimensions become one loop if every array steps through them evenly.

    dimensions 4, 8, 16                               over 32 16
    in x, strides 512 64 4; in w, strides 0 0 4       in x float32[4,8,16] 64 4
                                                      in w float32[16] 0 4

The innermost loop is over columns. The result of a reduction over exactly the columns can be used in the rest of its
row. Any other reduction is accumulated in an output, which nothing in the kernel reads.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence, Set
from functools import lru_cache
from typing import NoReturn

from ...runtime.native.builder import Unsupported
from ...runtime.native.functions import is_cheap
from ...runtime.native.language import CHOOSING, INDEX, MOST_ROWS, READ, SHORT_SUM, Argument, Array, Kernel, Statement
from ...runtime.native.places import MOST_KEPT
from ...runtime.records import NamedTuple

LONGEST_ROW = 8192  # elements that are added up one after the other; longer rows are added up in parts
SHORT_ROW = 64  # elements; of shorter ones bounds of rows are bounds of elements
FEW = 4  # iterations of a loop that is unrolled, and elements of the rows in it
LANES = 8  # parts of a long axis begin at whole vectors
SHORT_SCAN = 6  # columns from which on a scan along the row is faster than unrolled columns
MOST_PIECES = 64  # of a kernel that adds up too many rows for one of them
LEAST_ROW, LEAST_COSTLY = 32, 48  # elements of rows in such a kernel; where its functions are costly
LONGEST_USED_ROW = 65536  # of rows whose sum the group itself reads


class Sum(NamedTuple):
    """A reduction: the name of its value, its operand and operation, the dimensions of the operand and those that are
    reduced. One of narrow numbers is computed as a wide number."""

    name: str
    argument: Argument
    ufunc: str
    dimensions: frozenset[int]
    reduced: frozenset[int]
    is_float: bool
    is_narrow: bool = False


class Misplaced(Unsupported):
    """A reduction cannot be accumulated in these loops, which are those of all nodes. `name`: that of its value, or of
    one behind it with which it cannot be."""

    def __init__(self, name: str, text: str, final: bool = False) -> None:
        super().__init__(text)
        self.name, self.final = name, final


class LoopNest:
    """The loops over the dimensions of an iteration space.

    Attributes:
        sizes: of the dimensions.
        items: the statements and reductions of the kernel, in order.
        scanned: the dimensions along which scans go.
        reverse: whether scans go from the end.
    """

    def __init__(
        self,
        sizes: Sequence[int],
        items: Sequence[Statement | Sum],
        scanned: Set[frozenset[int]],
        reverse: bool,
    ) -> None:
        self.sizes = sizes
        self.items = items
        self.sums = [item for item in items if type(item) is Sum]
        self.scanned = scanned
        self.reverse = reverse

    def kernel(self, arrays: Sequence[Array]) -> Kernel:
        """The kernel, with dimensions combined into loops. `arrays` have strides and bounds for each dimension."""
        groups = self.collapsed(arrays)
        columns = frozenset(groups[-1]) if groups else frozenset()
        extents = [math.prod(self.sizes[d] for d in group) for group in groups] or [1]
        strides = {array.name: tuple(array.strides[group[-1]] for group in groups) or (0,) for array in arrays}
        bounds = {array.name: tuple(self.bounds(array, group) for group in groups) for array in arrays if array.bounds}
        if self.scanned - {columns}:
            raise Unsupported("a scan goes along another loop than the columns")
        part = self.part_of_rows(columns, extents[-1])
        if part is None and extents[-1] > MOST_KEPT and _computes_positions(arrays):
            part = _part(extents[-1], MOST_KEPT, 8)
            if part is None:
                raise Unsupported("a row is too long to keep its positions")
        if part is not None:
            if bounds or self.scanned:
                self.refuse_bounds(columns, bounds, "long rows of what has bounds are added up")
            extents[-1:] = [extents[-1] // part, part]
            strides = {name: (*steps[:-1], steps[-1] * part, steps[-1]) for name, steps in strides.items()}
        roles: dict[str, str] = {}
        statements: list[Statement] = []
        for item in self.items:
            if isinstance(item, Statement):
                statements.append(item)
            elif item.reduced == columns and part is None:
                statements.append(Statement(item.name, f"row_{item.ufunc}", (item.argument,)))
            else:
                roles[item.name] = item.ufunc
                statements += self.accumulation(item, columns, extents, arrays)
        final = [
            a._replace(role=roles.get(a.name, a.role), strides=strides[a.name], bounds=bounds.get(a.name, ()))
            for a in arrays
        ]
        if self.reverse:
            final = [_reversed(array, extents[-1]) for array in final]
        return Kernel(tuple(extents), tuple(final), tuple(statements))

    def refuse_bounds(self, columns: frozenset[int], bounded: Collection[str], text: str) -> NoReturn:
        """Raise the error that there are reads within bounds, and sums of rows, with the first item that has both
        before it or is one of them."""
        sums = [n for n, item in enumerate(self.items) if isinstance(item, Sum) and item.reduced >= columns]
        statements = [(n, item) for n, item in enumerate(self.items) if isinstance(item, Statement)]
        reads = [n for n, item in statements if not {*bounded}.isdisjoint(item.arguments)]
        if sums and reads:
            raise Misplaced(self.items[max(sums[0], reads[0])].name, text, final=True)
        raise Unsupported(text)

    def collapsed(self, arrays: Sequence[Array]) -> list[list[int]]:
        """Loop collapsing: the dimensions in groups. All arrays step through each group as through one dimension."""
        groups: list[list[int]] = []
        for dimension, size in enumerate(self.sizes):
            together = bool(groups) and all(
                array.strides[dimension - 1] == array.strides[dimension] * size
                and (not array.bounds or self.may_collapse(array, dimension))
                for array in arrays
            )
            along = [*[s.reduced for s in self.sums], *self.scanned]
            if together and all((dimension in loop) == (dimension - 1 in loop) for loop in along):
                groups[-1].append(dimension)
            else:
                groups.append([dimension])
        return groups

    def may_collapse(self, array: Array, dimension: int) -> bool:
        """Whether a dimension of an array with bounds may be one loop with the one before it.

        Bounds of long rows stay in loops over rows, which threads can share, and those in loops of a few iterations
        around short rows, which are unrolled.
        """
        before, here = array.bounds[dimension - 1 : dimension + 1]
        if dimension + 1 < len(self.sizes) and self.sizes[-1] <= FEW >= self.sizes[dimension - 1]:
            return before == (0, self.sizes[dimension - 1]) and here == (0, self.sizes[dimension])
        short = self.sizes[dimension] < SHORT_ROW or before == (0, self.sizes[dimension - 1])
        return here == (0, self.sizes[dimension]) and short

    def bounds(self, array: Array, group: Sequence[int]) -> tuple[int, int]:
        """The bounds of an array in a loop over some dimensions. Only the first of them may have bounds."""
        inner = math.prod(self.sizes[dimension] for dimension in group[1:])
        low, high = array.bounds[group[0]]
        return low * inner, high * inner

    def part_of_rows(self, columns: frozenset[int], length: int) -> int | None:
        """How many elements of a row are summed at a time; None for the whole row."""
        used = {name for item in self.items if isinstance(item, Statement) for name in item.arguments}
        used |= {item.argument for item in self.sums}
        inner = [s for s in self.sums if s.name in used]
        if any(s.reduced != columns for s in inner):
            raise Unsupported("a reduction over other dimensions than the last is read again")
        if length <= LONGEST_ROW or not any(s.reduced >= columns for s in self.sums):
            return None
        part = None if inner else _part(length)
        if part is None and length > LONGEST_USED_ROW:
            raise Unsupported("a row is too long to be added up")
        return part

    def accumulation(
        self, item: Sum, columns: frozenset[int], extents: Sequence[int], arrays: Sequence[Array]
    ) -> list[Statement]:
        """The statements of a reduction over the tiled axis, which is accumulated in an output."""
        if item.is_narrow:
            raise Misplaced(item.name, "memory has no numbers as wide")
        every, along = frozenset(range(len(self.sizes))), item.dimensions & columns
        if item.dimensions | columns != every or along not in (columns, frozenset()):
            raise Misplaced(item.name, "what is added up is the same along a loop")
        row = extents[-1]
        rows = math.prod(self.sizes[dimension] for dimension in item.reduced) // row
        apart = row <= SHORT_SUM and not (_part(rows) or 1) % LANES  # short rows are added side by side, in parts
        apart = apart or item.ufunc in CHOOSING or not item.is_float or self.has_pieces(extents, arrays)
        if item.reduced >= columns and rows > MOST_ROWS and not apart:
            raise Misplaced(item.name, "too many rows are added up one after the other")
        if not item.reduced >= columns:
            return [Statement(item.name, "copy", (item.argument,))]
        total = f"{item.name}_row"
        return [Statement(total, f"row_{item.ufunc}", (item.argument,)), Statement(item.name, "copy", (total,))]

    def has_pieces(self, extents: Sequence[int], arrays: Sequence[Array]) -> bool:
        """Whether all that is added up is one number, of few enough rows in each piece of the kernel (`sharing.py`)."""
        every = frozenset(range(len(self.sizes)))
        if any(item.reduced != every for item in self.sums) or any(
            each.at and each.role not in READ for each in arrays
        ):
            return False
        row = extents[-1]
        vectors = -(-row // LANES) * LANES <= 1.1 * row  # the rest of a row takes as long as a vector
        cheap = all(is_cheap(item.function) for item in self.items if isinstance(item, Statement))
        long = row >= LEAST_ROW and (cheap or (vectors and row >= LEAST_COSTLY))
        return long and 1 < least_pieces(extents) <= MOST_PIECES


def least_pieces(extents: Sequence[int]) -> int:
    """The least number of pieces of which each adds up no more than MOST_ROWS rows one after the other; 1 if there is
    none."""
    rows = math.prod(extents[1:-1])
    return -(-extents[0] // (MOST_ROWS // rows)) if len(extents) > 1 and 0 < rows <= MOST_ROWS else 1


def _reversed(array: Array, columns: int) -> Array:
    """An array whose columns are read from the last to the first."""
    stride = array.strides[-1]
    bounds = tuple((columns - high, columns - low) for low, high in array.bounds[-1:])
    return array._replace(
        strides=(*array.strides[:-1], -stride),
        offset=array.offset + stride * (columns - 1),
        bounds=(*array.bounds[:-1], *bounds),
    )


def _computes_positions(arrays: Sequence[Array]) -> bool:
    """Whether the kernel computes where it adds."""
    given = {array.name for array in arrays if array.role == INDEX}
    return any(place.array not in given for array in arrays for place in array.at)


@lru_cache(maxsize=256)
def _part(size: int, most: int = LONGEST_ROW, last: int = 1) -> int | None:
    """A number of elements to sum at a time that divides `size`: a multiple of 8 if there is one."""
    for step in dict.fromkeys((8, last)):
        for part in range(most // step * step, 255, -step):
            if size % part == 0:
                return part
    return None
