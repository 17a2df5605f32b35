"""Elements in another order along dimensions: rolled, reversed, rotated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.errors.spelling import check_keywords
from ...frontend.values.arguments import many_axes, one_axis, shape_of, unpack, whole_number, whole_numbers
from ...frontend.values.dispatch import apply
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .array_shape import ravel, reshape, swapaxes, transpose
from .table import known_as, made, method

__all__ = ["flip", "fliplr", "flipud", "reverse", "reverse_sequence", "roll", "rot90"]


@known_as(mint=True, method=True)
def roll(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    """The tensor with its elements moved on; those pushed out come in at the other end.

    Args:
        shifts: by how much, one int or one a dimension of `dims`.
        dims: along which dimensions. None: through all elements in C order.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.roll(ms.Tensor([1, 2, 3]), 1))
        [3 1 2]
    """
    x = need_tensor(input, "roll")
    steps = whole_numbers(shifts, "roll", "shifts")
    if dims is None:
        flat = apply(prims.roll, ravel(x), shift=(sum(steps),), axis=(0,))
        return apply(prims.reshape, flat, shape=tuple(-1 if size is None else size for size in shape_of(x)))
    axes = tuple(one_axis(axis, x.ndim, "roll", "dims") for axis in whole_numbers(dims, "roll", "dims"))
    if len(axes) != len(steps):
        steps = steps * len(axes) if len(steps) == 1 else steps
        if len(axes) != len(steps):
            raise ValueError(f"roll: 'shifts' {shifts} and 'dims' {dims} should be of one length")
    return apply(prims.roll, x, shift=steps, axis=axes)


@known_as(mint=True)
def flip(input: Tensor, dims: Any) -> Tensor:
    """The tensor with the order of its elements along some dimensions reversed.

    Args:
        dims: a tuple of dimensions.

    Examples:
        >>> print(ops.flip(Tensor([[1, 2], [3, 4]]), (1,)))
        [[2 1]
         [4 3]]
    """
    x = need_tensor(input, "flip")
    return apply(prims.reverse, x, axes=tuple(sorted(many_axes(dims, x.ndim, "flip", "dims"))))


@method("flip")
def flip_method(self: Tensor, *dims: Any, **named: Any) -> Tensor:
    """The tensor with the order of its elements along some dimensions reversed.

    Args:
        dims: dimensions, a tuple or several ints.
        named: `dims` by its name.

    Raises:
        ValueError: if a dimension is out of range.

    Examples:
        >>> print(Tensor([1, 2, 3]).flip(0))
        [3 2 1]
    """
    check_keywords("flip", named, () if dims else ("dims",))
    return flip(self, named["dims"] if named else unpack(dims))


@known_as(method=True)
def reverse(x: Tensor, axis: Any) -> Tensor:
    """The tensor with the order of its elements along some axes reversed.

    Args:
        axis: a tuple of axes.

    Examples:
        >>> print(ops.reverse(Tensor([1, 2, 3]), (0,)))
        [3 2 1]
    """
    return flip(need_tensor(x, "reverse", "x"), axis)


def _reversed(name: str, axis: int, lines: str, rank: str, few: str, printed: str) -> Callable[[Tensor], Tensor]:
    """`fliplr` and `flipud`."""

    def run(input: Tensor) -> Tensor:
        """The tensor with the order of its {lines} reversed.

        Args:
            input: a tensor of at least {rank}.

        Raises:
            ValueError: if there {few}.

        Examples:
            >>> print(ops.{name}(Tensor([[1, 2], [3, 4]])))
            {printed}
        """
        return flip(input, axis)

    return known_as(method=True)(made(run, name, lines=lines, rank=rank, few=few, printed=printed))


fliplr = _reversed("fliplr", 1, "columns", "two dimensions", "are fewer than two dimensions", "[[2 1]\n     [4 3]]")
flipud = _reversed("flipud", 0, "rows", "one dimension", "is no dimension", "[[3 4]\n     [1 2]]")


@known_as(method=True)
def rot90(input: Tensor, k: int, dims: Any) -> Tensor:
    """The tensor turned by 90 degrees `k` times in the plane of two dimensions, from the first towards the second.

    Args:
        k: how often.
        dims: the two dimensions of the plane.

    Raises:
        ValueError: if `dims` does not name two dimensions.

    Examples:
        >>> print(ops.rot90(Tensor([[1, 2], [3, 4]]), 1, (0, 1)))
        [[2 4]
         [1 3]]
    """
    x = need_tensor(input, "rot90")
    axes = many_axes(dims, x.ndim, "rot90", "dims")
    if len(axes) != 2:
        raise ValueError(f"rot90: 'dims' should name two dimensions, but got {dims}")
    turns = whole_number(k, "rot90", "k") % 4
    if turns == 0:
        return x
    if turns == 2:
        return flip(x, axes)
    return flip(swapaxes(x, *axes), axes[turns == 3])  # rows that are mirrored are copied whole


@known_as(method=True)
def reverse_sequence(x: Tensor, seq_lengths: Tensor, seq_dim: int, batch_dim: int = 0) -> Tensor:
    """The tensor in which, for each entry of the batch, the first `seq_lengths` elements of `seq_dim` are reversed.

    Args:
        x: a tensor of at least two dimensions.
        seq_lengths: a vector of integers, one for each entry of the batch.
        seq_dim: the dimension of the sequences.
        batch_dim: the dimension of the batch.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.reverse_sequence(Tensor([[1, 2, 3], [4, 5, 6]]), Tensor([2, 3]), 1))
        [[2 1 3]
         [6 5 4]]
    """
    x = need_tensor(x, "reverse_sequence", "x")
    lengths = need_tensor(seq_lengths, "reverse_sequence", "seq_lengths")
    along, batch = (
        one_axis(seq_dim, x.ndim, "reverse_sequence", "seq_dim"),
        one_axis(batch_dim, x.ndim, "reverse_sequence"),
    )
    if along == batch:
        raise ValueError(f"reverse_sequence: 'seq_dim' and 'batch_dim' should differ, but both are {seq_dim}")
    order = [batch, along, *(axis for axis in range(x.ndim) if axis not in (batch, along))]
    moved = transpose(x, tuple(order))
    count, length = int(moved.shape[0]), int(moved.shape[1])
    steps = Tensor(np.arange(length).reshape(1, length), dtypes.int64)
    ends = apply(prims.cast, reshape(lengths, (count, 1)), dtype=dtypes.int64)
    mirrored = apply(prims.subtract, apply(prims.subtract, ends, 1), steps)
    positions = apply(prims.select, apply(prims.less, steps, ends), mirrored, steps)
    rows = Tensor(np.arange(count).reshape(count, 1), dtypes.int64)
    picked = apply(prims.index, moved, rows, positions, spec=(prims.OPERAND, prims.OPERAND))
    return transpose(picked, tuple(int(place) for place in np.argsort(order)))
