"""Tensors cut into several along an axis."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from ...frontend.values.arguments import alternative, cut, drop_axes, one_axis, shape_of, whole_number, whole_numbers
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ..docstrings import Shared, like
from .array_join import at_least
from .documentation import common
from .table import known_as, method

__all__ = ["chunk", "dsplit", "hsplit", "split", "tensor_split", "unbind", "unstack", "vsplit"]

_shared = Shared(
    """
    Args:
        chunks: how many parts.
    """,
    common,
)


@known_as(method=True, shared=_shared)
def unstack(input_x: Tensor, axis: int = 0) -> tuple[Tensor, ...]:
    """The tensors that lie along an axis, as a tuple, without that axis.

    Examples:
        >>> print(*ops.unstack(Tensor([[1, 2], [3, 4]])))
        [1 2] [3 4]
    """
    return unbind(need_tensor(input_x, "unstack", "input_x"), axis)


@known_as(method=True, shared=_shared)
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The tensors that lie along a dimension, as a tuple, without that dimension.

    Args:
        dim: the dimension; a negative one counts from the end.

    Raises:
        ValueError: if `dim` is out of range.

    Examples:
        >>> print(*ops.unbind(Tensor([[1, 2], [3, 4]])))
        [1 2] [3 4]
    """
    x = need_tensor(input, "unbind")
    axis = one_axis(dim, x.ndim, "unbind", "dim")
    count = int(x.shape[axis])
    return tuple(drop_axes(cut(x, axis, place, place + 1), (axis,)) for place in range(count))


def _parts(x: Tensor, axis: int, counts: Sequence[int]) -> tuple[Tensor, ...]:
    ends = list(itertools.accumulate(counts, initial=0))
    return tuple(cut(x, axis, begin, end) for begin, end in itertools.pairwise(ends))


@known_as(primitive="SplitWithSize SplitTensor")
def split(tensor: Tensor, split_size_or_sections: Any, axis: int = 0) -> tuple[Tensor, ...]:
    """The tensor cut along an axis into parts.

    Args:
        tensor: a tensor of any shape and dtype.
        split_size_or_sections: the size of the parts (the last may be smaller), or a tuple or list of their sizes.

    Raises:
        ValueError: if the size is not positive, or the sizes do not make up the axis.

    Examples:
        >>> import mycel as ms
        >>> print([part.shape for part in ms.ops.split(ms.ops.ones((5, 2)), 2)])
        [(2, 2), (2, 2), (1, 2)]
    """
    x = need_tensor(tensor, "split", "tensor")
    place = one_axis(axis, x.ndim, "split")
    if isinstance(split_size_or_sections, (tuple, list)):
        counts = whole_numbers(split_size_or_sections, "split", "split_size_or_sections")
        length = shape_of(x)[place]
        if min(counts, default=0) < 0 or (length is not None and sum(counts) != length):
            raise ValueError(f"split: parts of sizes {counts} do not make up dimension {place} of shape {x.shape}")
        return _parts(x, place, counts)
    step = whole_number(split_size_or_sections, "split", "split_size_or_sections")
    if step <= 0:
        raise ValueError(f"split: 'split_size_or_sections' should be positive, but got {step}")
    length = int(x.shape[place])
    return tuple(cut(x, place, begin, min(begin + step, length)) for begin in range(0, max(length, 1), step))


@method("split", shared=_shared)
def split_method(
    self: Tensor, split_size_or_sections: Any = None, axis: int | None = None, *, split_size: Any = None,
    dim: int | None = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    """The tensor cut along an axis into parts; see `ops.split`.

    Args:
        split_size_or_sections, split_size: the size of each part, or a tuple of sizes.

    Raises:
        ValueError: if `axis` is out of range, or the sizes do not fit.

    Examples:
        >>> from mycel import Tensor
        >>> print(*Tensor([1, 2, 3]).split(2))
        [1 2] [3]
    """
    return split(self, alternative(split_size_or_sections, split_size, None), alternative(axis, dim, 0))


@_shared
def chunk(input: Tensor, chunks: int, axis: int = 0) -> tuple[Tensor, ...]:
    """The tensor split along an axis into at most `chunks` parts of equal size (the last may be smaller).

    Raises:
        ValueError: if `axis` is out of range, or `chunks` is not positive, or the axis is out of range.

    Examples:
        >>> print(*ops.chunk(Tensor([1, 2, 3]), 2))
        [1 2] [3]
    """
    x = need_tensor(input, "chunk")
    place = one_axis(axis, x.ndim, "chunk")
    count = whole_number(chunks, "chunk", "chunks")
    if count <= 0:
        raise ValueError(f"chunk: 'chunks' should be positive, but got {chunks}")
    return split(x, max(1, -(-int(x.shape[place]) // count)), place)


@method("chunk", shared=_shared)
def chunk_method(self: Tensor, chunks: int, axis: int | None = None, *, dim: int | None = None) -> tuple[Tensor, ...]:
    """The tensor split along an axis into at most `chunks` parts; see `ops.chunk`.

    Raises:
        ValueError: if `axis` is out of range, or `chunks` is not positive, or the axis is out of range.

    Examples:
        >>> from mycel import Tensor
        >>> print(*Tensor([1, 2, 3]).chunk(2))
        [1 2] [3]
    """
    return chunk(self, chunks, alternative(axis, dim, 0))


@known_as(method=True, shared=_shared)
def tensor_split(input: Tensor, indices_or_sections: Any, axis: int = 0) -> tuple[Tensor, ...]:
    """The tensor split along an axis into parts of nearly equal size, or before each of the indices.

    Args:
        indices_or_sections: into how many parts, or the indices before which to cut.

    Examples:
        >>> print(*ops.tensor_split(Tensor([1, 2, 3]), 2))
        [1 2] [3]
    """
    x = need_tensor(input, "tensor_split")
    place = one_axis(axis, x.ndim, "tensor_split")
    length = int(x.shape[place])
    if isinstance(indices_or_sections, (tuple, list)):
        indices = whole_numbers(indices_or_sections, "tensor_split", "indices_or_sections")
        return tuple(cut(x, place, begin, end) for begin, end in zip((0, *indices), (*indices, None), strict=True))
    count = whole_number(indices_or_sections, "tensor_split", "indices_or_sections")
    if count <= 0:
        raise ValueError(f"tensor_split: 'indices_or_sections' should be positive, but got {count}")
    small, extra = divmod(length, count)
    return _parts(x, place, [small + 1] * extra + [small] * (count - extra))


@known_as(method=True, shared=_shared)
def vsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """The tensor cut along its first axis; see `tensor_split`.

    Args:
        input: a tensor of at least one dimension.
        indices_or_sections: into how many parts, or the indices before which to cut.

    Raises:
        ValueError: if there is no dimension.

    Examples:
        >>> print(*ops.vsplit(Tensor([[1], [2]]), 2))
        [[1]] [[2]]
    """
    return tensor_split(at_least(input, 2, "vsplit"), indices_or_sections, 0)


@known_as(method=True, shared=_shared)
@like(vsplit)
def hsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """The tensor cut along its second axis (the first, of vectors); see `tensor_split`.

    Examples:
        >>> print(*ops.hsplit(Tensor([1, 2, 3, 4]), 2))
        [1 2] [3 4]
    """
    x = at_least(input, 1, "hsplit")
    return tensor_split(x, indices_or_sections, 0 if x.ndim == 1 else 1)


@known_as(method=True, shared=_shared)
def dsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """The tensor cut along its third axis; see `tensor_split`.

    Args:
        input: a tensor of at least three dimensions.
        indices_or_sections: into how many parts, or the indices before which to cut.

    Raises:
        ValueError: if there are fewer than three dimensions.

    Examples:
        >>> from mycel import ops
        >>> print(ops.dsplit(ops.ones((1, 1, 4)), 2)[0].shape)
        (1, 1, 2)
    """
    return tensor_split(at_least(input, 3, "dsplit"), indices_or_sections, 2)
