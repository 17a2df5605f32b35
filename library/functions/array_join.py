"""Array functions that put tensors together and cut them apart: concat, stack, split, chunk, repeat_interleave, …"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import (
    alternative,
    cut,
    insert_axes,
    listed,
    need_tensors,
    one_axis,
    shape_of,
    whole_number,
    whole_numbers,
)
from ...frontend.values.dispatch import apply, promote
from ...frontend.values.logic import stack
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import Shared
from .array_shape import atleast_1d, atleast_2d, atleast_3d, ravel, reshape
from .creation import meshgrid
from .documentation import common
from .table import known_as, method

__all__ = [
    "block_diag", "cartesian_prod", "cat", "column_stack", "combinations", "concat", "dstack", "hstack",
    "repeat_elements", "repeat_interleave", "row_stack", "stack", "vstack",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        tensors: a tuple or list of tensors whose shapes fit.

    Raises:
        ValueError: if the shapes do not fit.
    """,
    common,
)


@_shared
def concat(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Tensors one after the other along an axis. Their dtypes are promoted as in arithmetic.

    Args:
        tensors: a tuple or list of tensors of one shape, but for that axis.

    Raises:
        ValueError: if the shapes differ in another axis, or there are no tensors.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.concat((ms.Tensor([1, 2]), ms.Tensor([3]))))
        [1 2 3]
    """
    parts = promote(*need_tensors(listed(tensors, axis, "concat"), "concat"))
    if parts[0].ndim == 0:
        raise ValueError("concat: 0-d tensors cannot be concatenated; use stack")
    place = one_axis(axis, parts[0].ndim, "concat")
    first = shape_of(parts[0])
    for part in parts[1:]:
        other = shape_of(part)
        if len(other) != len(first) or any(
            a != b
            for at, (a, b) in enumerate(zip(first, other, strict=True))
            if at != place and a is not None and b is not None
        ):
            raise ValueError(
                f"concat: shapes must match except along axis {place}, but got {parts[0].shape} and {part.shape}"
            )
    return apply(prims.concatenate, *parts, axis=place)


@_shared
def cat(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Tensors one after the other along an axis; see `concat`.

    Args:
        tensors: a tuple or list of tensors of one shape, but for that axis.

    Raises:
        ValueError: if `axis` is out of range, or the shapes do not fit, or the axis is out of range.

    Examples:
        >>> print(ops.cat([Tensor([1]), Tensor([2, 3])]))
        [1 2 3]
    """
    return concat(tensors, axis)


def at_least(x: Any, rank: int, function: str) -> Tensor:
    if need_tensor(x, function).ndim < rank:
        raise ValueError(f"{function} needs a tensor of at least {rank} dimensions, but got shape {x.shape}")
    return x


@known_as(mint=True, shared=_shared)
def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Tensors one after the other along the second axis (vectors and numbers along the first).

    Examples:
        >>> print(ops.hstack([Tensor([1]), Tensor([2, 3])]))
        [1 2 3]
    """
    parts = atleast_1d(tuple(tensors))
    return concat(parts, 0 if parts[0].ndim == 1 else 1)


@_shared
def vstack(inputs: Sequence[Tensor]) -> Tensor:
    """Tensors one after the other along the first axis; vectors as rows.

    Args:
        inputs: a tuple or list of tensors whose shapes fit.

    Examples:
        >>> print(ops.vstack([Tensor([1, 2]), Tensor([3, 4])]))
        [[1 2]
         [3 4]]
    """
    return concat(atleast_2d(tuple(inputs)), 0)


@_shared
def row_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Tensors one after the other along the first axis; vectors as rows.

    Examples:
        >>> print(ops.row_stack([Tensor([1, 2]), Tensor([3, 4])]))
        [[1 2]
         [3 4]]
    """
    return vstack(tensors)


@known_as(mint=True, shared=_shared)
def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Tensors one after the other along the third axis.

    Examples:
        >>> print(ops.dstack([Tensor([1, 2]), Tensor([3, 4])]))
        [[[1 3]
          [2 4]]]
    """
    return concat(atleast_3d(tuple(tensors)), 2)


@_shared
def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Tensors one after the other along the second axis; vectors as columns.

    Args:
        tensors: a tuple or list of tensors of one length, vectors or matrices.

    Examples:
        >>> print(ops.column_stack([Tensor([1, 2]), Tensor([3, 4])]))
        [[1 3]
         [2 4]]
    """
    return concat(
        [reshape(part, (-1, 1)) if part.ndim < 2 else part for part in need_tensors(tensors, "column_stack")], 1
    )


@common
def repeat_interleave(input: Tensor, repeats: Any, axis: int | None = None) -> Tensor:
    """The tensor with every element along an axis repeated.

    Args:
        repeats: how often: one int, or one for each position along the axis (a tuple, list or Tensor).
        axis: the axis. None: the elements in one dimension.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.repeat_interleave(ms.Tensor([1, 2]), 2))
        [1 1 2 2]
    """
    x = need_tensor(input, "repeat_interleave")
    if axis is None:
        x, axis = ravel(x), 0
    place = one_axis(axis, x.ndim, "repeat_interleave")
    counts = whole_numbers(repeats, "repeat_interleave", "repeats")
    if min(counts) < 0:
        raise ValueError(f"repeat_interleave: 'repeats' should not be negative, but got {repeats}")
    if len(counts) == 1:
        return _repeat(x, counts[0], place)
    length = int(x.shape[place])
    if len(counts) != length:
        raise ValueError(f"repeat_interleave: {len(counts)} counts are given for dimension {place} of shape {x.shape}")
    if sum(counts) >= 1 << 60:  # NumPy counts on, beyond its integers
        raise ValueError(f"repeat_interleave: {sum(counts)} elements are too many")
    order = np.repeat(np.arange(length), counts)
    return apply(prims.take, x, Tensor(order, dtypes.int64), axis=place)


def _repeat(x: Tensor, count: int, axis: int) -> Tensor:
    if count == 0:
        return cut(x, axis, 0, 0)
    shape = shape_of(x)
    wide = insert_axes(x, (axis + 1,))
    if None in shape:
        spread = apply(prims.concatenate, *[wide] * count, axis=axis + 1)
    else:
        spread = apply(prims.broadcast_to, wide, shape=(*shape[: axis + 1], count, *shape[axis + 1 :]))
    length = shape[axis]
    joined = (*shape[:axis], None if length is None else length * count, *shape[axis + 1 :])
    return apply(prims.reshape, spread, shape=tuple(-1 if size is None else size for size in joined))


@method("repeat_interleave", shared=_shared)
def repeat_interleave_method(
    self: Tensor, repeats: Any, axis: int | None = None, *, dim: int | None = None, output_size: int | None = None
) -> Tensor:
    """The tensor with every element along an axis repeated; see `ops.repeat_interleave`.

    Args:
        repeats: how often, an int or a vector of integers.
        output_size: accepted.

    Raises:
        ValueError: if `axis` is out of range, or a count is negative, or the axis is out of range.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([1, 2]).repeat_interleave(2))
        [1 1 2 2]
    """
    return repeat_interleave(self, repeats, alternative(axis, dim, None))


@_shared
def repeat_elements(x: Tensor, rep: int, axis: int = 0) -> Tensor:
    """The tensor with every element along an axis repeated `rep` times.

    Args:
        rep: how often.

    Raises:
        ValueError: if `axis` is out of range.

    Examples:
        >>> print(ops.repeat_elements(Tensor([1, 2]), 2))
        [1 1 2 2]
    """
    return repeat_interleave(need_tensor(x, "repeat_elements", "x"), whole_number(rep, "repeat_elements", "rep"), axis)


def block_diag(*inputs: Tensor) -> Tensor:
    """A matrix with the given matrices (or vectors, as rows) along its diagonal and zeros elsewhere.

    Args:
        inputs: tensors of at most two dimensions.

    Raises:
        TypeError: if `inputs` is no Tensor, or one is no Tensor.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.block_diag(Tensor([[1.0]]), Tensor([[2.0, 3.0]])))
        [[1. 0. 0.]
         [0. 2. 3.]]
    """
    matrices = promote(*[atleast_2d(item) for item in need_tensors(inputs, "block_diag", "inputs")])
    columns = sum(matrix.shape[1] for matrix in matrices)
    rows, before = [], 0
    for matrix in matrices:
        width = matrix.shape[1]
        rows.append(apply(prims.pad, matrix, low=(0, before), high=(0, columns - before - width), value=0))
        before += width
    return concat(rows, 0)


def cartesian_prod(*inputs: Tensor) -> Tensor:
    """All combinations of one element of each vector, one a row.

    Args:
        inputs: vectors.

    Raises:
        TypeError: if `inputs` is no Tensor, or one is no Tensor.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.cartesian_prod(Tensor([1, 2]), Tensor([3, 4])))
        [[1 3]
         [1 4]
         [2 3]
         [2 4]]
    """
    vectors = need_tensors(inputs, "cartesian_prod", "inputs")
    if len(vectors) == 1:
        return vectors[0]
    return stack([ravel(grid) for grid in meshgrid(*vectors, indexing="ij")], 1)


@_shared
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All combinations of `r` elements of a vector, one a row.

    Args:
        input: a vector.
        r: how many elements each combination has.
        with_replacement: whether an element may occur again.

    Raises:
        ValueError: if `input` is no vector.

    Examples:
        >>> print(ops.combinations(Tensor([1, 2, 3])))
        [[1 2]
         [1 3]
         [2 3]]
    """
    x = need_tensor(input, "combinations")
    if x.ndim != 1:
        raise ValueError(f"combinations: 'input' should be a vector, but got shape {x.shape}")
    pick = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = [list(row) for row in pick(range(int(x.shape[0])), r)]
    if not rows:
        return reshape(cut(x, 0, 0, 0), (0, r))
    return apply(prims.take, x, Tensor(rows, dtypes.int64), axis=0)
