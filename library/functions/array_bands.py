"""Bands of several diagonals of matrices: taken out, put in, and made into matrices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import whole_number
from ...frontend.values.dispatch import apply
from ...frontend.values.tensor import Tensor
from .array_join import stack
from .array_pad import pad

ALIGNMENTS = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")


def band(k: Any, align: str) -> tuple[int, int] | None:
    """The lowest and the highest diagonal where `k` names two numbers; None where it names one."""
    if align not in ALIGNMENTS:
        raise ValueError(f"'align' should be one of {', '.join(ALIGNMENTS)}, but got {align!r}")
    numbers = k.tolist() if isinstance(k, Tensor) else k
    if not isinstance(numbers, (list, tuple)) or len(numbers) < 2:
        return None
    low, high = map(int, numbers)
    if low > high:
        raise ValueError(f"'k' should name a lowest and a highest diagonal, but got {numbers}")
    return low, high


def single(k: Any, name: str) -> int:
    """The one number that a number, a sequence or a tensor holds."""
    if isinstance(k, (tuple, list)):
        (k,) = k
    return whole_number(k.item() if isinstance(k, Tensor) else k, "matrix_diag", name)


def _lengths(rows: int, columns: int, limits: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The diagonals from the highest to the lowest, and how long each is."""
    for offset in range(limits[1], limits[0] - 1, -1):
        length = min(rows + min(offset, 0), columns - max(offset, 0))
        if length < 1:
            raise ValueError(f"a matrix ({rows}, {columns}) has no diagonal {offset}")
        yield offset, length


def _starts_left(offset: int, align: str) -> bool:
    """Whether diagonals are left-aligned; the first word of `align` is for those above the main one."""
    above, below = align.split("_")
    return (above if offset >= 0 else below) == "LEFT"


def part(x: Tensor, limits: tuple[int, int], padding: Any, align: str) -> Tensor:
    """The diagonals of a band as rows, filled up with `padding` to the length of the longest."""
    rows, columns = map(int, x.shape[-2:])
    found = list(_lengths(rows, columns, limits))
    longest = max(length for _, length in found)
    fill = padding.item() if isinstance(padding, Tensor) else padding
    lines = []
    for offset, length in found:
        line = apply(prims.diagonal, x, offset=offset, axis1=x.ndim - 2, axis2=x.ndim - 1)
        gap = longest - length
        lines.append(pad(line, (0, gap) if _starts_left(offset, align) else (gap, 0), "constant", fill))
    return stack(lines, -2)


def put(x: Tensor, lines: Tensor, limits: tuple[int, int], align: str) -> Tensor:
    """The matrices with the diagonals of a band replaced."""
    rows, columns = map(int, x.shape[-2:])
    longest = int(lines.shape[-1])
    for place, (offset, length) in enumerate(_lengths(rows, columns, limits)):
        line = lines[..., place, :length] if _starts_left(offset, align) else lines[..., place, longest - length :]
        x = apply(prims.diagonal_scatter, x, line, offset=offset, axis1=x.ndim - 2, axis2=x.ndim - 1)
    return x


def matrices(lines: Tensor, limits: tuple[int, int], rows: int, columns: int, padding: Any, align: str) -> Tensor:
    """Matrices with the diagonals of a band, and `padding` elsewhere; -1 stands for the least size."""
    longest = int(lines.shape[-1])
    least = longest - min(limits[1], 0), longest + max(limits[0], 0)
    if rows == columns == -1:
        rows = columns = max(least)
    sizes = (least[0] if rows == -1 else rows, least[1] if columns == -1 else columns)
    fill = padding.item() if isinstance(padding, Tensor) else padding
    filled = apply(prims.full, shape=(*lines._type.static_shape[:-2], *sizes), value=fill, dtype=lines.dtype)
    return put(filled, lines, limits, align)
