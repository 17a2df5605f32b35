"""The sizes of matrices that are inverted, factored or solved for in loops of machine code."""

from __future__ import annotations

import math

from ..records import NamedTuple
from .sizes import SIZE, SIZES, Shape

NUMBER = 8
"""The bytes of a number in working memory: they are float64 for all matrices."""
DTYPES = ("float32", "float64")
INVERSES = ("inverse", "adjugate", "eigen", "svd")
"""Kinds whose right-hand sides are the identity."""
SYMMETRIC = ("cholesky", "eigen", "eigenvalues")
"""Kinds of symmetric matrices."""
ROTATIONS = (*SYMMETRIC[1:], "svd", "singular_values")
"""Kinds that are computed by rotations."""
TURNED = 8
"""Rows of a matrix for these, at most."""
RESULTS = {"pivots": 1, "determinant": 0}
"""Kinds whose results are no matrices: how many of its dimensions they have."""
FACTOR = "factor"
"""The kind of LU factors. The order of rows stands where others have right-hand sides."""
REFLECTIONS = ("qr", "complement", "triangular")
"""Kinds for matrices that need not be square, by Householder reflections."""
MANY = 12
"""Small matrices from this number on are computed side by side."""
TRIANGLES = ("lower", "upper")
"""Kinds of triangular equations. NumPy has no function for these."""
FEWEST_BLOCKS = 7
"""Blocks of rows from which on pivots are found in a copy of their columns."""
LARGEST = {"float32": 768, "float64": 1024}
"""Rows of a matrix at most, and the square of this is the most elements of right-hand sides: working memory is float64,
and LAPACK has two threads."""
NARROW_LARGEST = {"float32": 128, "float64": 256}
"""The same with AVX2: LAPACK computes in the precision of the matrices."""
LARGEST_TRIANGLE = 1024
"""The same for triangular equations."""
REFLECTED = 1 << 20
"""Elements of a matrix that is factored by reflections, and of the orthogonal matrix, in whole vectors, at most. The
code grows with the columns, of which there are at most REFLECTED_COLUMNS."""
REFLECTED_COLUMNS = 1 << 12


class EliminationSizes(NamedTuple):
    """A matrix with its right-hand sides in working memory: whole vectors, and whole blocks of rows.

    Attributes:
        lanes: the float64 numbers of a vector, 8 with AVX-512 and 4 with AVX2.
        dtype: "float32" or "float64".
        lead: the leading dimensions of all arrays.
        rows: the rows of a matrix.
        columns: the columns of its right-hand sides, or of the orthogonal matrix; 0 if there is none.
        across: the columns of a matrix that is factored by reflections; 0 for others, which are square.
        beyond: whether the columns of the orthogonal matrix are those after the first ones.
        stacked: whether even one matrix is computed side by side with others.
        alone: whether even small matrices are computed one after the other.
    """

    lanes: int
    dtype: str
    lead: Shape
    rows: int
    columns: int
    across: int = 0
    beyond: bool = False
    stacked: bool = False
    alone: bool = False

    @property
    def size(self) -> int:
        """The bytes of an element of the arrays."""
        return SIZES[self.dtype]

    @property
    def width(self) -> int:
        """The bytes of a vector."""
        return self.lanes * NUMBER

    @property
    def blocks(self) -> int:
        """Blocks of rows of a square matrix, and vectors of the columns of any."""
        return -(-(self.across or self.rows) // self.lanes)

    @property
    def padded(self) -> int:
        """Rows in working memory."""
        return self.rows + self.lanes + 3 if self.across else self.blocks * self.lanes

    @property
    def panels(self) -> int:
        """Vectors of columns that are factored by reflections."""
        return -(-min(self.rows, self.across) // self.lanes)

    @property
    def vectors(self) -> int:
        """Vectors of right-hand sides."""
        return -(-self.columns // self.lanes)

    @property
    def stride(self) -> int:
        """The bytes from a row to the next: an odd number of vectors, so that columns spread over the cache."""
        beside = max(self.blocks, self.vectors) if self.across else self.blocks + self.vectors
        return (beside | 1) * self.width

    @property
    def side_by_side(self) -> bool:
        """Whether many small matrices are computed side by side (`stack_code.py`)."""
        many = max(self.rows, self.columns) <= SIZE and math.prod(self.lead) >= MANY
        return self.stacked or (many and not self.across and not self.alone)

    @property
    def by_columns(self) -> bool:
        """Whether pivots are found in a copy of their columns (`column_pivots.py`)."""
        return self.lanes == 8 and self.blocks >= FEWEST_BLOCKS and not self.across

    @property
    def column(self) -> int:
        """The bytes from such a column to the next: an odd number of vectors."""
        return (self.blocks | 1) * self.width

    @property
    def columns_at(self) -> int:
        """Where the columns are in working memory."""
        return self.padded * (self.stride + NUMBER)

    @property
    def room(self) -> int:
        """The elements of working memory: rows, a number for each, and what aligns them."""
        if self.side_by_side:
            values = self.rows if self.stacked else 0
            return (self.rows * (self.rows + self.columns) + values + 1) * self.width // self.size
        numbers = self.padded * NUMBER
        if self.across:
            numbers = (self.panels * (self.padded + self.lanes + 1) + 3) * self.width
        elif self.by_columns:
            numbers += self.lanes * self.column + 2 * self.width
        return (self.padded * self.stride + numbers + self.width) // self.size

    def shapes(self, kind: str) -> list[tuple[int | None, ...]]:
        """The shapes of a function's arrays but for the working memory; None for the leading dimensions."""
        lead, square = (None,) * len(self.lead), (self.rows, self.across or self.rows)
        if kind in REFLECTIONS:
            triangle, orthogonal = (min(self.rows, self.across), self.across), (self.rows, self.columns)
            results = [orthogonal] if self.beyond else [triangle, orthogonal] if self.columns else [triangle]
            return [(*lead, *square), *[(*lead, *shape) for shape in results]]
        if kind == FACTOR:
            return [(*lead, *square)] * 2 + [(*lead, self.rows)]
        if kind in ROTATIONS:
            matrix, values = (*lead, *square), (*lead, self.rows)
            return [matrix, values, matrix, matrix][: 2 if not self.columns else 4 if kind == "svd" else 3]
        if kind in RESULTS:
            return [(*lead, *square), (*lead, *square[: RESULTS[kind]])]
        if not self.columns or kind in INVERSES:
            return [(*lead, *square)] * 2
        return [(*lead, *square), *[(*lead, self.rows, self.columns)] * 2]


def elimination_sizes(lanes: int, kind: str, transposed: bool, dtype: str, *shapes: Shape) -> EliminationSizes | None:
    """The sizes of a function (`array_functions.py`) for operands of these shapes; None if there is none for them.

    Examples:
        >>> elimination_sizes(8, "solve", False, "float32", (3, 20, 20), (3, 20, 1))
        EliminationSizes(lanes=8, dtype='float32', lead=(3,), rows=20, columns=1)
        >>> elimination_sizes(8, "inverse", False, "float32", (8, 8)) is None  # small.py is for these
        True
    """
    a, *others = shapes
    if kind in REFLECTIONS:
        return _reflection_sizes(lanes, kind, dtype, a)
    rows, columns = a[-1], 0
    if kind in INVERSES or others:
        columns = others[0][-1] if others else rows
    if dtype not in DTYPES or not all(a) or len(a) > 6 or a[-2] != rows:
        return None
    most = LARGEST_TRIANGLE if kind in TRIANGLES else (LARGEST if lanes == 8 else NARROW_LARGEST)[dtype]
    if max(rows, rows * columns / most) > most:
        return None
    if any(other[:-1] != a[:-1] or not other[-1] for other in others):
        return None
    if kind in ROTATIONS:
        fits = rows <= TURNED and (lanes == 8 or math.prod(a[:-2]) >= MANY)
        return EliminationSizes(lanes, dtype, a[:-2], rows, columns, stacked=True) if fits else None
    if kind == FACTOR:
        return EliminationSizes(lanes, dtype, a[:-2], rows, 1, alone=True)
    sizes = EliminationSizes(lanes, dtype, a[:-2], rows, columns)
    small = kind in ("inverse", "solve", "cholesky") and not transposed and max(rows, columns) <= SIZE
    return None if small and not sizes.side_by_side else sizes


def _reflection_sizes(lanes: int, kind: str, dtype: str, a: Shape) -> EliminationSizes | None:
    beyond, (rows, across) = kind == "complement", a[-2:]
    columns = rows - across if beyond else min(rows, across)
    if dtype not in DTYPES or not all(a) or len(a) > 6 or columns < 1 or across > REFLECTED_COLUMNS:
        return None
    if rows * sum(-(-count // lanes) * lanes for count in (across, columns)) > REFLECTED:
        return None
    columns = 0 if kind == "triangular" else columns
    return EliminationSizes(lanes, dtype, a[:-2], rows, columns, across, beyond)
