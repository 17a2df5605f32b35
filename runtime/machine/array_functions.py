"""Functions on arrays in machine code, for AVX-512 or AVX2: each is assembled when it is first asked for.

Each returns True. For arrays that it does not take it returns False and writes nothing; where there is no machine code
for it, these are all. The modules `…_sizes.py` say which sizes there are functions for, `…_code.py` have their code.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from ..environment import is_off
from .fourier_sizes import FourierSizes
from .product import compile_matmul, has_wide_code, machine_function, refuses, vector_bytes, wide_function
from .sizes import NARROW, SIZES, WIDTH, Shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from .executable import Function

MOST_BEST = 384  # elements that are sought in each row
MOST_RANKED = 384  # elements of a row, of which each is compared with each other one

SWITCH = "MYCEL_WINOGRAD"
"""An environment variable; with "off" all convolutions are direct sums."""


def _function(wide: bool, assemble: Callable[[], bytes], name: str, doc: str) -> Function:
    return (wide_function if wide else machine_function)(assemble, name, doc)


@cache
def compile_copy(width: int | None = None) -> Function:
    """The function `copy(source, target)` for arrays of float32, of one shape with 2 to 6 axes.

    `copy(source, target, target)` adds. `width`: the bytes of its vectors, by default of the longest that the processor
    has. NumPy's copies take 15 ns for each row.
    """

    def assemble() -> bytes:
        if wide:
            from .copy_code import CopyCode

            return CopyCode().assemble()
        from .narrow_copy_code import NarrowCopyCode

        return NarrowCopyCode().assemble()

    wide = (width or vector_bytes()) == WIDTH
    return _function(wide, assemble, "copy", "copy(source, target): arrays of float32")


@lru_cache(maxsize=256)
def compile_turn(dtype: str, shape: Shape, axes: Shape) -> Function:
    """The function (source, target) that writes the transpose of an array of this shape, which `as_matrices` takes.

    No dimension is zero. Matrices of fewer than 4 bytes an element have at least 8 bytes in a row and 16 in a column.
    """

    def assemble() -> bytes:
        if SIZES.get(dtype, 8) < 4:  # of 8 bytes are complex numbers, too
            from .narrow_turn_code import ByteTurnCode

            return ByteTurnCode(dtype, shape, axes).assemble()
        if has_wide_code():
            from .turn_code import TurnCode

            return TurnCode(dtype, shape, axes).assemble()
        from .narrow_turn_code import NarrowTurnCode

        return NarrowTurnCode(dtype, shape, axes).assemble()

    return machine_function(assemble, "turn", f"turn(source, target): {dtype}, {shape}")


def costs(length: int, count: int) -> tuple[float, float]:
    """About how many ns a row takes: by ranks, and by insertion if the row is in no order."""
    ranked = 0.04 * length**2 + 1.5 * length if length <= MOST_RANKED else math.inf
    return ranked, count * (1 + math.log(length / count)) * (10 + 0.2 * count) + 0.1 * length


@lru_cache(maxsize=64)
def compile_best(dtype: str, positions: str, length: int, count: int, largest: bool, lead: int = 1) -> Function:
    """The function (x, values, positions) for rows of float32 or int32 of a length, of which it finds so many.

    Dtypes are characters; positions are int32 or int64. Of equal elements the first one comes first; nan counts as the
    largest. `lead`: the dimensions before the rows.
    """

    def assemble() -> bytes:
        from .best_code import BestCode, RankCode

        ranked, inserted = costs(length, count)
        made = RankCode if ranked < inserted else BestCode
        return made(dtype, positions, length, count, largest, lead).assemble()

    return machine_function(assemble, "best", f"best(x, values, positions): {count} of rows of {length} {dtype}")


@lru_cache(maxsize=64)
def compile_quick(dtype: str, length: int | None = None, lead: int = 0) -> Function:
    """The function (numbers, numbers in order, room) for vectors of 4 or 8 bytes; or rows of a length, with `lead`
    dimensions before them, and room for one. It returns False, too, for nan, and where it takes too long: what it has
    written counts for nothing then."""

    def assemble() -> bytes:
        from .quick_code import QuickCode

        return QuickCode(dtype, length, lead).assemble()

    return wide_function(assemble, "quick", f"quick(numbers, in order, room): {dtype}")


@lru_cache(maxsize=256)
def compile_search(
    dtype: str, length: int, right: bool, positions: str, rank: int = 1, row: int | None = None
) -> Function:
    """The function (sequence, values, positions) that finds where values would be put into an ordered vector of a
    length: before equal numbers, or to their right. With `row`, each so many values have a vector of their own. Nan in
    the sequence is behind all numbers. It returns False if a value is nan; what it has written counts for nothing then.
    """

    def assemble() -> bytes:
        from .search_code import SearchCode

        return SearchCode(dtype, length, right, positions, rank, row).assemble()

    return machine_function(assemble, "search", f"search(sequence, values, positions): {length} {dtype}")


@cache
def compile_philox() -> Function:
    """The function (state, words) that fills rows of four uint64 with the next blocks of Philox 4x64-10. The state is a
    counter of four words, to which the first row adds 1, and two keys for each of ten rounds."""

    def assemble() -> bytes:
        from .philox_code import PhiloxCode

        return PhiloxCode().assemble()

    return machine_function(assemble, "philox", "philox(state, words): uint64")


@cache
def compile_depthwise(kind: str, rows: int, stride: int, dilation: int) -> Function:
    """The function "forward" or "weight", for arrays of float32, and kernels of at most `MOST_ROWS` rows, with a stride
    and a dilation along rows. `forward(seen, weight, out, out)` adds to `out`.
    """

    def assemble() -> bytes:
        from .depthwise_code import DepthwiseCode

        return DepthwiseCode(kind, rows, stride, dilation).assemble()

    return wide_function(assemble, kind, f"{kind}: arrays of float32")


@lru_cache(maxsize=1024)
def compile_narrow_depthwise(kind: str, rows: int, stride: int, dilation: int, width: int) -> Function:
    """The same for AVX2, and results of so many columns."""

    def assemble() -> bytes:
        from .narrow_depthwise_code import NarrowDepthwiseCode

        return NarrowDepthwiseCode(kind, rows, stride, dilation, width).assemble()

    return machine_function(assemble, kind, f"{kind}: arrays of float32 with {width} columns")


def has_depthwise() -> bool:
    """Whether this machine has the functions."""
    return vector_bytes() > 0


@lru_cache(maxsize=512)
def compile_direct(kind: str, *sizes: Any) -> Function:
    """The function "forward" (images, weight, results, room), "input" (gradients, weight, images' gradient, room) or
    "weight" (images, gradients, weight's gradient, room).

    `sizes` are the fields of `DirectSizes`, and `room` is a vector of `DirectSizes.room(kind)`. "input" returns False,
    too, if there are zeros around the gradients and a weight is infinite or nan.
    """
    from .direct_sizes import DirectSizes

    found = DirectSizes(*sizes)
    wide = found.width == WIDTH

    def assemble() -> bytes:
        if wide:
            from .direct_code import DirectCode

            return DirectCode(kind, found).assemble()
        from .direct_code import NarrowDirectCode

        return NarrowDirectCode(kind, found).assemble()

    return _function(wide, assemble, kind, f"{kind}: arrays of these sizes")


@cache
def compile_transform(kind: str, spread: int = 1, taps: int = 9) -> Function:
    """Winograd's transform "input", "output" or "gradient", as `tile_code.KINDS` describes them, for convolutions.

    `transform(images, tiles, top, left, first)` reads or writes images (number, channels, height, width), and tiles
    (numbers of a tile, channels, number, rows of tiles, columns of tiles), both of float32. Pixels in a row are
    neighbours in memory, and so are tiles. `top` and `left` are the rows and columns of zeros before an image, `first`
    the number of the first row of tiles. "output" returns False, too, if a result is infinite or nan: in tiles such a
    pixel spoils its neighbours.

    Args:
        kind: of the transform.
        spread: d, at most 8, for dilated kernels: a tile's columns are d pixels apart, and d tiles begin side by side.
        taps: of the kernel, 9 for 3 by 3, or 3 or 5 for one row; with 5 the spread is at most 7.
    """

    def assemble() -> bytes:
        from .tile_code import TileCode

        return TileCode(kind, spread, taps).assemble()

    return wide_function(assemble, kind, f"{kind}(images, tiles, top, left, first)")


@lru_cache(maxsize=1024)
def compile_narrow_transform(kind: str, taps: int, width: int, left: int, wide: int) -> Function:
    """The same without spread, for AVX2: images of `width` columns, `wide` tiles in a row, and this argument `left`."""

    def assemble() -> bytes:
        from .narrow_tile_code import NarrowTileCode

        return NarrowTileCode(kind, taps, width, left, wide).assemble()

    return machine_function(assemble, kind, f"{kind}(images, tiles, top, left, first)")


def transform_of_size(kind: str, spread: int, taps: int, width: int, left: int, wide: int) -> Function:
    """The transform for images and tiles of these sizes, by the widest vectors that the processor has."""
    if has_wide_code():
        return compile_transform(kind, spread, taps)
    return compile_narrow_transform(kind, taps, width, left, wide)


def can_transform(spread: int = 1) -> bool:
    """Whether this machine has the transforms, and the variable does not switch them off."""
    if is_off(SWITCH):
        return False
    if has_wide_code():
        return refuses not in map(compile_transform, ("input", "output", "gradient"))
    return spread == 1 and refuses is not compile_narrow_transform("input", 9, 4, 1, 2)


@lru_cache(maxsize=512)
def compile_pool(kind: str, *sizes: Any) -> Function:
    """The function "maximum" or "add" (images, results, room), "spread" (sums' gradients, target, room) or "gradient"
    (maxima, gradients, images, target, room).

    `sizes` are the fields of `PoolSizes`. Images and their gradient `target` are (batch, channels, *image), the others
    (batch, channels, *windows), and `room` is a vector of `PoolSizes.room(kind)`. Windows are those of frames: images
    with their padding, whose columns are sorted by their remainder by the stride ("phases"), so that neighbouring
    windows see neighbours.
    """
    from .pool_sizes import PoolSizes

    whole = PoolSizes(*sizes)
    wide = whole.vector == WIDTH

    def assemble() -> bytes:
        if wide:
            from .pool_code import PoolCode

            return PoolCode(kind, whole).assemble()
        from .narrow_pool_code import NarrowPoolCode

        return NarrowPoolCode(kind, whole).assemble()

    return _function(wide, assemble, kind, f"{kind}: arrays of {whole.dtype}")


@lru_cache(maxsize=256)
def compile_elimination(kind: str, transposed: bool, *sizes: Any) -> Function:
    """A function of matrices of these `EliminationSizes`, and a vector to work in, of `EliminationSizes.room`.

    The kind is "inverse", "adjugate" (the inverse times the determinant), "cholesky", "determinant" or "pivots"
    (matrices, results, room), or "solve", "lower" or "upper" (matrices, right-hand sides, results, room). The last two
    read only this triangle of the matrices. The product of the pivots (lead, rows) is the determinant (lead). "eigen"
    (matrices, eigenvalues, eigenvectors, room) and "eigenvalues" are for symmetric ones, "svd" (matrices, values, U,
    Vᵀ, room) and "singular_values" for any. "factor" (matrices, packed LU factors, the order of rows, room) gives this
    order as numbers of the dtype. With `transposed`, "solve", "lower" and "upper" solve for transposed ones.

    It computes in float64. It returns False, too, where it finds no result, and results count for nothing then: where
    a matrix is singular, or almost, or not positive definite, or a result is not finite.
    """
    from .elimination_sizes import SYMMETRIC, EliminationSizes

    known = EliminationSizes(*sizes)
    wide = known.width == WIDTH

    def assemble() -> bytes:
        if known.side_by_side:
            if known.stacked:
                from .eigen_code import EigenCode, SingularCode
                from .narrow_eigen_code import NarrowEigenCode, NarrowSingularCode

                codes = (EigenCode, SingularCode) if wide else (NarrowEigenCode, NarrowSingularCode)
                return codes[kind not in SYMMETRIC](kind, False, known).assemble()
            from .narrow_stack_code import NarrowStackCode
            from .stack_code import StackCode

            return (StackCode if wide else NarrowStackCode)(kind, transposed, known).assemble()
        from .elimination_code import EliminationCode
        from .narrow_elimination_code import NarrowEliminationCode

        return (EliminationCode if wide else NarrowEliminationCode)(kind, transposed, known).assemble()

    return _function(wide, assemble, kind, f"{kind}: arrays of {known.dtype}")


def has_small() -> bool:
    """Whether this machine has such functions."""
    return _unavailable()() is None


@cache
def _unavailable() -> Callable[[], str | None]:
    from .executable import unavailable  # late, and once: each product asks

    return unavailable


@lru_cache(maxsize=1024)
def compile_small(what: str, dtype: str, *shapes: Shape) -> Function:
    """The function "matmul", "vector" (a product of a matrix and a vector), "inverse", "solve" or "cholesky" of arrays
    of float32 or float64 of these shapes.

    It takes the operands and the result, and returns True. It returns False, and the result counts for nothing, for
    other arrays, and where it finds no result: then NumPy looks for it, and for the error. That is where a matrix is
    singular, or almost, or not positive definite, or a result is nan. Matrices that are multiplied may be transposed
    views, and are otherwise given to the function for all shapes (`product.py`). Where there is no machine code it
    returns False for all arrays.
    """
    if not has_small():
        return refuses
    from .executable import make_function  # late, as the code itself

    keeps: tuple[object, ...] = ()
    try:
        if what == "vector":
            from .vector_code import assemble as assemble_vector

            code = assemble_vector(dtype, shapes)
        elif what == "matmul":
            from .small_product_code import assemble as assemble_product

            general = _general(dtype)
            code, keeps = assemble_product(dtype, shapes, ctypes.addressof(general.address)), (general,)
        else:
            from .small_code import assemble

            code = assemble(what, dtype, shapes)
        return make_function(code, what, f"{what} of {dtype} {shapes}", keeps)
    except OSError:
        return refuses


class _General:
    """The function for products of all shapes. It is made when it is first called: few small products need it."""

    def __init__(self, dtype: str) -> None:
        from .assembler import RDI, Assembler
        from .executable import code_address, make_function
        from .python_calls import call_object

        self.dtype = dtype
        code = Assembler()
        code.constant(RDI, id(self))
        call_object(code)
        self._first = make_function(code.finish(), "matmul", "")
        self.address = ctypes.c_size_t(code_address(self._first) or 0)
        """That of the code which makes the function; later, the function's own."""

    def __call__(self, *arguments: object) -> bool:
        from .executable import code_address

        function = compile_matmul(self.dtype)
        self.address.value = code_address(function) or self.address.value
        return function(*arguments)


_general = cache(_General)


@lru_cache(maxsize=1024)
def fourier_sizes(
    kind: str, dtype: str, shape: Shape, axis: int, length: int, inverse: bool, scale: float, ends: float
) -> FourierSizes | None:
    """The sizes of transforms of so many numbers along an axis, and the vectors that suit them; None where there is no
    machine code for them."""
    most = vector_bytes()
    for vector in (most, NARROW) if most > NARROW else (most,) if most else ():
        before, after = shape[:axis], shape[axis + 1 :]
        sizes = FourierSizes(kind, dtype, before, length, after, inverse, float(scale), float(ends), vector)
        if sizes.way:
            return sizes
    return None


def compile_fourier(*sizes: Any) -> Function:
    """The function (*given, *made, room) for arrays of these `FourierSizes`; complex ones are two arrays. It returns
    True; for other arrays it returns False and writes nothing."""
    return _compiled_fourier(FourierSizes(*sizes))[0]


@lru_cache(maxsize=256)
def compile_separation(dtype: str, shape: Shape, together: bool) -> Function:
    """The function (complex numbers, real parts, imaginary parts) that takes arrays apart; or `together`, with the
    complex numbers last, puts them together. The dtype is that of the parts."""

    def assemble() -> bytes:
        from .separation_code import SeparationCode

        return SeparationCode(dtype, shape, together, vector_bytes()).assemble()

    return machine_function(assemble, "separation", f"separation: {dtype}, {shape}")


def has_separation(dtype: str, shape: Shape) -> bool:
    """Whether there is such a function."""
    return 0 < vector_bytes() <= math.prod(shape) * (4 if dtype == "float32" else 8)


def fourier_room(sizes: FourierSizes) -> int:
    """The elements of the vector that the function works in."""
    return _compiled_fourier(sizes)[1]


@lru_cache(maxsize=64)  # tables of long transforms are large
def _compiled_fourier(sizes: FourierSizes) -> tuple[Function, int]:
    kept: list[Any] = []  # the tables, which the code reads
    room = [1]

    def assemble() -> bytes:
        from .fourier_code import assemble

        code, tables, room[0] = assemble(sizes)
        kept.append(tables)
        return code

    return machine_function(assemble, "fourier", f"fourier: {sizes.kind}, {sizes.dtype}", (kept,)), room[0]
