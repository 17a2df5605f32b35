"""Positions along an axis that only the run knows: their range, and the error of one outside of it.

NumPy reads positions, masks, numbers that it counts, and the keys of a stable order twice: to look at them, and to use
them. If another thread changes them in between, it reads and writes outside of arrays. So it gets copies.
"""

from __future__ import annotations

import numpy as np

from ..shown import standard


@standard
class PositionError(IndexError, RuntimeError):
    """An index out of range that only the run can know; MindSpore raises RuntimeError for these.

    Attributes:
        names: in a kernel, the numbers of two names, of the array that is read or combined at it, and of the positions.
        found: the position, the size that it leaves, and the dimension and the shape, if they are known.
    """

    names: tuple[int, int] | None = None
    found: tuple[int, int, int | None, tuple[int, ...]] | None = None


def range_error(position: int, size: int, axis: int | None, shape: tuple[int, ...]) -> PositionError:
    """The error for a position outside of [-size, size), with the axis and the shape if they are known."""
    error = PositionError()
    set_place(error, position, size, axis, shape)
    return error


def set_place(error: PositionError, position: int, size: int, axis: int | None, shape: tuple[int, ...]) -> None:
    """Have an error of a position say which it is, of what."""
    error.found = position, size, axis, shape
    where = f"dimension {axis}, of size {size}, of a tensor of shape {shape}" if axis is not None else f"size {size}"
    in_range = f"it should be in the range [0, {size}), or count from the end"
    error.args = (f"index {position} is out of range for {where}: {in_range}",)


LOWEST = -(1 << 31)
"""The lowest position where negative ones leave out what has them: kernels read 32 bits of each."""


def below_message(position: int, size: int) -> str:
    """The message for a position outside of [LOWEST, size), where negative ones leave out what has them."""
    return (
        f"index {position} is out of range: it should be below {size}; negative ones, from {LOWEST} on, leave out what "
        "has them"
    )


def segment_places(ids: np.ndarray, count: int, *, out: np.ndarray | None = None) -> np.ndarray:
    """The ids as int32, or int64 if they have 64 bits, with `count` for each negative one. Raises PositionError for one
    outside of [LOWEST, count)."""
    low, high = (int(ids.min()), int(ids.max())) if ids.size else (0, -1)
    if high >= count or low < LOWEST:
        raise PositionError(below_message(high if high >= count else low, count))
    result = np.empty(ids.shape, np.int64 if ids.itemsize == 8 else np.int32) if out is None else out
    np.copyto(result, ids, casting="unsafe")
    np.copyto(result, count, where=ids < 0)
    return result


def checked_indices(indices: np.ndarray, size: int, axis: int, shape: tuple[int, ...]) -> np.ndarray:
    """A copy of an array of indices. Raises PositionError where one leaves [-size, size)."""
    own = np.array(indices, np.intp if indices.dtype.kind == "i" else None, order="C")
    if own.size:
        low, high = own.min(), own.max()
        if low < -size or high >= size:
            raise range_error(int(high if high >= size else low), size, axis, shape)
    return own
