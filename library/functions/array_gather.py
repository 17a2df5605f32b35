"""Array functions that pick elements: gather, gather_elements, gather_nd, take, masked_select, nonzero, one_hot, …"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.errors.spelling import bound, check_keywords
from ...frontend.values.arguments import choice, insert_axes, need_flags, one_axis, shape_of, whole_number
from ...frontend.values.dispatch import apply, cast, common_dtype
from ...frontend.values.indexing import note_range
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import Shared
from .array_broadcast import broadcast_to
from .array_shape import moveaxis, ravel, reshape
from .comparison import select, where
from .documentation import common
from .table import known_as, method

__all__ = [
    "argwhere", "gather", "gather_d", "gather_elements", "gather_nd", "index_select", "masked_scatter",
    "masked_select", "nonzero", "take",
]  # fmt: skip

_shared = Shared(
    """
    Args:
        dim: the dimension.
    """,
    common,
)


def need_indices(value: Any, function: str, name: str) -> Tensor:
    """A Tensor of integers; TypeError for anything else."""
    indices = need_tensor(value, function, name)
    if not indices.dtype.is_integer:
        raise TypeError(
            f"{function}: '{name}' should hold integers, but its dtype is {indices.dtype}{dtypes.AS_INTEGERS}"
        )
    return indices


def need_positions(value: Any, function: str, name: str) -> Tensor:
    """Indices of a function that raises an IndexError where one is out of range."""
    indices = need_indices(value, function, name)
    note_range(indices, f"{function}() with an index")
    return indices


def steps_along(count: int, axis: int, rank: int) -> Tensor:
    """0, 1, 2, … `count` numbers along one axis of a tensor of this rank."""
    return Tensor(np.arange(count).reshape([count if place == axis else 1 for place in range(rank)]), dtypes.int64)


def gather(input_params: Tensor, input_indices: Any, axis: int, batch_dims: int = 0) -> Tensor:
    """The rows of a tensor along an axis at some indices.

    Args:
        input_params: a tensor of any shape and dtype.
        input_indices: a Tensor of integers, of any shape, which takes the place of the axis in the result's shape.
        axis: the axis; a negative one counts from the end.
        batch_dims: number of leading dimensions that the two tensors have in common.

    Raises:
        IndexError: if an index is out of range.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.gather(ms.Tensor([10, 20, 30]), ms.Tensor([2, 0]), 0))
        [30 10]
    """
    x = need_tensor(input_params, "gather", "input_params")
    indices = need_positions(input_indices, "gather", "input_indices")
    place = one_axis(axis, x.ndim, "gather")
    shared = whole_number(batch_dims, "gather", "batch_dims")
    shared = shared + indices.ndim if shared < 0 else shared
    if shared == 0:
        return apply(prims.take, x, indices, axis=place)
    if not 0 <= shared <= min(indices.ndim, place):
        raise ValueError(f"gather: 'batch_dims' should be at most {min(indices.ndim, place)}, but got {batch_dims}")
    moved = moveaxis(x, place, shared)
    rank = indices.ndim
    grid = [steps_along(int(indices.shape[lead]), lead, rank) for lead in range(shared)]
    picked = apply(prims.index, moved, *grid, indices, spec=(prims.OPERAND,) * (shared + 1))
    width = rank - shared  # how many dimensions the indices put in place of the axis
    source = tuple(range(shared, shared + width))
    return moveaxis(picked, source, tuple(place + offset for offset in range(width))) if width else picked


@method("gather")
def gather_method(self: Tensor, *positional: Any, **named: Any) -> Tensor:
    """`x.gather(input_indices, axis)` as `ops.gather`; `x.gather(dim, index)` as `ops.gather_elements`.

    Args:
        positional, named: the arguments of `ops.gather` or of `ops.gather_elements`.

    Raises:
        TypeError: if `named` is no Tensor, or an index is no Tensor.

    Examples:
        >>> print(Tensor([[1, 2], [3, 4]]).gather(1, Tensor([[0], [1]])))
        [[1]
         [4]]
    """
    by_element = "dim" in named or "index" in named or (positional and not isinstance(positional[0], Tensor))
    return (gather_elements if by_element else gather)(self, *positional, **named)


@known_as(method=True, shared=_shared)
def gather_elements(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """For each place of `index` the element of the tensor at that position along `dim`.

    Args:
        index: integers of as many dimensions as `input`; a 0-d tensor counts as a vector of one element, too.

    Raises:
        ValueError: if `index` has another number of dimensions, or is larger in one that is not `dim`.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.gather_elements(ms.Tensor([[1, 2], [3, 4]]), 1, ms.Tensor([[1], [0]])))
        [[2]
         [3]]
    """
    x, indices = need_tensor(input, "gather_elements"), need_positions(index, "gather_elements", "index")
    axis = one_axis(dim, max(x.ndim, 1), "gather_elements", "dim")
    vector = x if x.ndim else reshape(x, (1,))
    if vector.ndim == 1 and indices.ndim == 0:
        return reshape(apply(prims.gather_elements, vector, reshape(indices, (1,)), axis=0), ())
    return apply(prims.gather_elements, vector, indices, axis=axis)


@known_as(primitive="GatherD", shared=_shared)
def gather_d(x: Tensor, dim: int, index: Tensor) -> Tensor:
    """For each place of `index` the element of the tensor at that position along `dim`; see `gather_elements`.

    Args:
        index: integers of as many dimensions as `x`.

    Raises:
        ValueError: if `dim` is out of range, or the shapes do not fit.

    Examples:
        >>> print(ops.gather_d(Tensor([[1, 2], [3, 4]]), 1, Tensor([[0], [1]])))
        [[1]
         [4]]
    """
    return gather_elements(x, dim, index)


@known_as(method=True, primitive="GatherNd GatherNdExt", shared=_shared)
def gather_nd(input_x: Tensor, indices: Tensor) -> Tensor:
    """The elements or blocks of a tensor whose leading positions are the rows of `indices`.

    Args:
        indices: integers of shape (..., k), a position in each row.

    Raises:
        IndexError: if an index is out of range.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.gather_nd(ms.Tensor([[1, 2], [3, 4]]), ms.Tensor([[1, 0], [0, 1]])))
        [3 2]
    """
    x = need_tensor(input_x, "gather_nd", "input_x")
    return apply(prims.gather_nd, x, need_positions(indices, "gather_nd", "indices"))


@_shared
def index_select(input: Tensor, axis: int, index: Tensor) -> Tensor:
    """The rows of a tensor along an axis at the indices of a vector.

    Args:
        index: a vector of integers.

    Raises:
        ValueError: if `axis` is out of range.
        IndexError: if an index is out of range.

    Examples:
        >>> print(ops.index_select(Tensor([[1, 2], [3, 4]]), 1, Tensor([1])))
        [[2]
         [4]]
    """
    x, indices = need_tensor(input, "index_select"), need_positions(index, "index_select", "index")
    if indices.ndim > 1:
        raise ValueError(f"index_select: 'index' should be a vector, but its shape is {indices.shape}")
    place = one_axis(axis, x.ndim, "index_select")
    return apply(prims.take, x, ravel(indices) if indices.ndim == 0 else indices, axis=place)


@method("index_select", shared=common)
def index_select_method(self: Tensor, axis: Any = None, index: Any = None, *, dim: Any = None) -> Tensor:
    """The rows of the tensor along an axis at the indices of a vector.

    Args:
        index: a vector of integers.

    Raises:
        TypeError: if `index` is no Tensor.
        ValueError: if `axis` is out of range, or the axis is out of range.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([[1, 2], [3, 4]]).index_select(1, Tensor([1])))
        [[2]
         [4]]
    """
    return index_select(self, dim if axis is None else axis, index)


@known_as(mint=True, primitive="Take", shared=_shared)
def take(input: Tensor, index: Tensor) -> Tensor:
    """The elements, counted in C order, at some indices.

    Args:
        index: integers of any shape.

    Raises:
        IndexError: if an index is out of range.

    Examples:
        >>> print(ops.take(Tensor([[1, 2], [3, 4]]), Tensor([0, 3])))
        [1 4]
    """
    return apply(prims.take, ravel(need_tensor(input, "take")), need_indices(index, "take", "index"), axis=0)


@method("take", shared=_shared)
def take_method(
    self: Tensor, indices: Any = None, axis: int | None = None, mode: str = "clip", *, index: Any = None
) -> Tensor:
    """The rows along an axis at some indices (out of range: "clip" or "wrap"); without an axis, elements in C order.

    Args:
        indices, index: integers of any shape.
        mode: "clip", "wrap" or "raise".

    Raises:
        TypeError: if `indices` is no Tensor.
        ValueError: if `axis` is out of range, or `mode` is another word.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([[1, 2], [3, 4]]).take(Tensor([0, 3])))
        [1 4]
    """
    x = ravel(self) if axis is None else self
    wanted = indices if indices is not None else index
    picks = wanted if isinstance(wanted, Tensor) else Tensor(wanted, dtypes.int64)
    place = 0 if axis is None else one_axis(axis, x.ndim, "take")
    if mode not in ("clip", "wrap", "raise"):
        raise ValueError(f"take: 'mode' should be 'clip', 'wrap' or 'raise', but got {mode!r}")
    length = int(x.shape[place])
    if mode == "wrap":
        picks = apply(prims.remainder, picks, length)
    elif mode == "clip" and index is None:
        picks = apply(prims.clip, picks, 0, length - 1)
    return apply(prims.take, x, picks, axis=place)


@known_as(mint=True, method=True, primitive="MaskedSelect", shared=_shared)
def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The elements where a mask (broadcast against the tensor) is True, in one dimension.

    Args:
        mask: a Bool tensor that can be broadcast against `input`.

    Raises:
        TypeError: if `mask` is not Bool.

    Examples:
        >>> import mycel as ms
        >>> x = ms.Tensor([1, 2, 3])
        >>> print(ms.ops.masked_select(x, x > 1))
        [2 3]
    """
    x, where = need_tensor(input, "masked_select"), need_tensor(mask, "masked_select", "mask")
    if not where.dtype.is_bool:
        raise TypeError(f"masked_select: 'mask' should be Bool, but its dtype is {where.dtype}")
    if shape_of(x) != shape_of(where):
        from ...compiler.ir.types import broadcast_shapes

        both = tuple(-1 if size is None else size for size in broadcast_shapes(shape_of(x), shape_of(where)))
        x, where = broadcast_to(x, both), broadcast_to(where, both)
    if x.ndim == 0:
        x, where = insert_axes(x, (0,)), insert_axes(where, (0,))
    return apply(prims.index, x, where, spec=(prims.OPERAND,))


@known_as(method=True, primitive="NonZero", shared=_shared)
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The positions of the elements that are not zero, one a row; with `as_tuple` one tensor a dimension.

    Args:
        as_tuple: whether to give one tensor a dimension.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.nonzero(ms.Tensor([0, 5, 6])))
        [[1]
         [2]]
    """
    need_flags("nonzero", as_tuple=as_tuple)
    x = need_tensor(input, "nonzero")
    if not as_tuple:
        return apply(prims.nonzero, x)
    rows = apply(prims.nonzero, insert_axes(x, (0,)) if x.ndim == 0 else x)
    return tuple(rows[:, place] for place in range(max(x.ndim, 1)))


@known_as(method=True, shared=_shared)
def argwhere(input: Tensor) -> Tensor:
    """The positions of the elements that are not zero, one a row.

    Examples:
        >>> print(ops.argwhere(Tensor([[1, 0], [0, 2]])))
        [[0 0]
         [1 1]]
    """
    return nonzero(input)


def ravel_single(x: Tensor) -> Tensor:
    """A tensor of one element without dimensions."""
    return reshape(x, ()) if x.ndim else x


@known_as(method=True, inplace=True, primitive="MaskedScatter", shared=_shared)
def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """The tensor with the elements where the mask is True replaced by those of `source`, in order.

    Args:
        mask: a Bool tensor that can be broadcast to the shape of `input`.
        source: a tensor of the dtype of `input` with enough elements.

    Raises:
        TypeError: if `input`, `mask` or `source` is no Tensor, or `mask` is not Bool.
        ValueError: if `source` has too few elements.

    Examples:
        >>> print(ops.masked_scatter(Tensor([1, 2, 3]), Tensor([True, False, True]), Tensor([8, 9])))
        [8 2 9]
    """
    x, where = need_tensor(input, "masked_scatter"), need_tensor(mask, "masked_scatter", "mask")
    whole = broadcast_to(where, tuple(-1 if size is None else size for size in shape_of(x)))
    flags = cast(ravel(whole), dtypes.int64)
    order = apply(prims.cumsum, flags, axis=0, exclusive=True, reverse=False)
    values = ravel(need_tensor(source, "masked_scatter", "source"))
    picked = apply(prims.take, values, apply(prims.minimum, order, int(values.shape[0]) - 1), axis=0)
    flat = apply(prims.select, ravel(whole), picked, ravel(x))
    return reshape(flat, tuple(-1 if size is None else size for size in shape_of(x)))


@method("choose")
def choose(self: Tensor, choices: Any, mode: str = "clip") -> Tensor:
    """At each place the element of the choice (a tensor, or one of a sequence) that the tensor of indices names.

    Args:
        choices: a tuple or list of tensors, or one tensor of them.
        mode: "raise", "wrap" or "clip": what happens to indices out of range.

    Raises:
        ValueError: if `mode` is another word.
        IndexError: if an index is out of range and `mode` is "raise".

    Examples:
        >>> print(Tensor([0, 1]).choose([Tensor([1, 2]), Tensor([3, 4])]))
        [1 4]
    """
    choice(mode, ("raise", "wrap", "clip"), "choose", "mode")
    table = choices if isinstance(choices, Tensor) else None
    if table is None:
        from .array_broadcast import broadcast_tensors
        from .array_join import stack

        parts = broadcast_tensors(*[item if isinstance(item, Tensor) else Tensor(item) for item in choices])
        dtype = common_dtype(*parts)
        table = stack([cast(part, dtype) for part in parts], 0)
    picks = need_indices(self, "choose", "self")
    count = int(table.shape[0])
    if mode == "raise":  # negative ones, too
        picks = apply(prims.select, apply(prims.less, picks, 0), apply(prims.subtract, picks, count), picks)
    else:
        picks = apply(prims.remainder, picks, count) if mode == "wrap" else apply(prims.clip, picks, 0, count - 1)
    from ...compiler.ir.types import broadcast_shapes

    shape = broadcast_shapes(tuple(table.shape[1:]), picks.shape)
    picks = broadcast_to(picks, shape)
    lacking = len(shape) - (table.ndim - 1)
    table = insert_axes(table, tuple(range(1, 1 + lacking))) if lacking else table
    table = broadcast_to(table, (count, *shape))
    return reshape(gather_elements(table, 0, insert_axes(picks, (0,))), picks.shape)


@method("select")
def select_method(self: Tensor, *positional: Any, **named: Any) -> Tensor:
    """`x.select(condition, y)`: x where True, y elsewhere; `x.select(dim, index)`: one position of a dimension.

    Args:
        positional, named: a condition and the other values, or a dimension and an index.

    Raises:
        ValueError: if the dimension is out of range.

    Examples:
        >>> print(Tensor([[1, 2], [3, 4]]).select(0, 1))
        [3 4]
    """
    if "condition" in named or (positional and isinstance(positional[0], Tensor) and "dim" not in named):
        condition, y = bound("select", ("condition", "y"), positional, named)
        return select(condition, self, y)
    return axis_row(self, *bound("select", ("dim", "index"), positional, named))


def axis_row(x: Tensor, dim: int, index: Any) -> Tensor:
    """The tensor at one position along a dimension, without that dimension."""
    axis = one_axis(dim, x.ndim, "select", "dim")
    return x[(_ALL,) * axis + (index,)]


_ALL = slice(None)


@method("where")
def where_method(self: Tensor, condition: Any, y: Any = None, **named: Any) -> Tensor:
    """`x.where(condition, y)`: x where the condition is True, y elsewhere.

    Args:
        condition: a Bool tensor.
        y: a tensor or number.
        named: `y` by its other names.

    Raises:
        TypeError: if `condition` is no Tensor, or `condition` is not Bool.

    Examples:
        >>> print(Tensor([1, 2]).where(Tensor([True, False]), 0))
        [1 0]
    """
    check_keywords("where", named, ("other",))
    return where(condition, self, named.get("other", y))
