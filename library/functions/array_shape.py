"""Array functions that change a tensor's shape, or say it: reshape, transpose, squeeze, size, rank, …"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import (
    drop_axes,
    has_unknown,
    insert_axes,
    many_axes,
    one_axis,
    open_like,
    shape_of,
    unpack,
    whole_numbers,
)
from ...frontend.values.dispatch import apply
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...frontend.values.traced_tensor import is_traced
from ...runtime import dtypes
from ..docstrings import like
from .documentation import common
from .math import floor_divide
from .table import known_as, made

__all__ = [
    "adjoint", "atleast_1d", "atleast_2d", "atleast_3d", "dtype", "dyn_shape", "expand_dims", "flatten", "moveaxis",
    "numel", "permute", "rank", "ravel", "reshape", "shape", "size", "squeeze", "swapaxes", "swapdims", "t",
    "transpose", "unsqueeze", "view_as",
]  # fmt: skip


@known_as(primitive="Reshape")
def reshape(input: Tensor, shape: Any) -> Tensor:
    """The tensor with the same elements in C order in another shape; one size may be -1.

    Args:
        shape: a tuple of ints.

    Raises:
        ValueError: if the number of elements does not fit.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.reshape(ms.Tensor([1, 2, 3, 4]), (2, -1)))
        [[1 2]
         [3 4]]
    """
    x = need_tensor(input, "reshape")
    if has_unknown(shape):
        return _reshape_open(x, tuple(shape))
    return apply(prims.reshape, x, shape=whole_numbers(shape, "reshape", "shape"))


def _reshape_open(x: Tensor, shape: tuple[Any, ...]) -> Tensor:
    """A reshape to a shape with sizes that only the run knows."""
    free = [place for place, item in enumerate(shape) if isinstance(item, int) and item == -1]
    unknown = [place for place, item in enumerate(shape) if isinstance(item, Tensor) and is_traced(item)]
    if len(unknown) == 1 and not free:  # then the number of elements says it as well
        known = tuple(-1 if place == unknown[0] else int(item) for place, item in enumerate(shape))
        if 0 not in known:
            return apply(prims.reshape, x, shape=known)
    if len(free) > 1:
        raise ValueError(f"reshape: at most one size may be -1, but got {shape}")
    if free:
        rest: Any = 1
        for place, item in enumerate(shape):
            rest = rest if place == free[0] else item * rest
        shape = (*shape[: free[0]], floor_divide(x.size, rest), *shape[free[0] + 1 :])
    return apply(prims.reshape_like, x, open_like(shape, "reshape"))


def named_shape(shape: tuple[Any, ...], named: dict[str, Any], function: str) -> Any:
    if set(named) - {"shape"} or (named and shape):
        raise TypeError(f"{function}() takes a shape, but got the arguments {', '.join(named)}")
    return named["shape"] if named else unpack(shape)


@known_as(method="view_as reshape_as")
def view_as(input: Tensor, other: Tensor) -> Tensor:
    """The tensor in the shape of `other`.

    Args:
        other: a tensor of the shape wanted, of any dtype.

    Raises:
        ValueError: if the numbers of elements differ.

    Examples:
        >>> print(ops.view_as(Tensor([1, 2]), Tensor([[3], [4]])))
        [[1]
         [2]]
    """
    like = need_tensor(other, "view_as", "other")
    return _in_shape_of(need_tensor(input, "view_as"), like)


def _in_shape_of(x: Tensor, like: Tensor) -> Tensor:
    if like._type.is_static:
        return apply(prims.reshape, x, shape=like._type.static_shape)
    return apply(prims.reshape_like, x, like)


@known_as(primitive="Transpose")
def transpose(input: Tensor, dims: Any) -> Tensor:
    """The tensor with its dimensions in another order.

    Args:
        dims: the order, a tuple of all dimensions.

    Raises:
        ValueError: if `dims` is no permutation of the dimensions.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.transpose(ms.ops.ones((2, 3)), (1, 0)).shape)
        (3, 2)
    """
    x = need_tensor(input, "transpose")
    axes = many_axes(dims, x.ndim, "transpose", "dims")
    if len(axes) != x.ndim:
        raise ValueError(f"transpose: 'dims' should be a permutation of {x.ndim} dimensions, but got {dims}")
    return apply(prims.transpose, x, axes=axes)


@common
def permute(input: Tensor, axis: Any) -> Tensor:
    """The tensor with its dimensions in another order; see `transpose`.

    Args:
        axis: the order, a tuple of all dimensions.

    Raises:
        ValueError: if `axis` is out of range, or `axis` does not name each dimension once.

    Examples:
        >>> from mycel import ops
        >>> print(ops.permute(ops.ones((1, 2, 3)), (2, 0, 1)).shape)
        (3, 1, 2)
    """
    return transpose(input, axis)


@known_as(mint=True, method=True)
def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """The tensor with two dimensions exchanged.

    Args:
        axis0, axis1: the two dimensions.

    Raises:
        ValueError: if one is out of range.

    Examples:
        >>> from mycel import ops
        >>> print(ops.swapaxes(ops.ones((1, 2, 3)), 0, 2).shape)
        (3, 2, 1)
    """
    x = need_tensor(input, "swapaxes")
    rank = max(x.ndim, 1)  # a 0-d tensor counts as one of one dimension
    first, second = one_axis(axis0, rank, "swapaxes", "axis0"), one_axis(axis1, rank, "swapaxes", "axis1")
    order = list(range(rank))
    order[first], order[second] = order[second], order[first]
    return apply(prims.transpose, x, axes=tuple(order[: x.ndim]))


@known_as(method=True)
@like(swapaxes)
def swapdims(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """The tensor with two dimensions exchanged.

    Args:
        dim0, dim1: the two dimensions.

    Examples:
        >>> print(ops.swapdims(ops.ones((1, 2, 3)), 0, 2).shape)
        (3, 2, 1)
    """
    return swapaxes(input, dim0, dim1)


@known_as("movedim", method="moveaxis movedim")
def moveaxis(x: Tensor, source: Any, destination: Any) -> Tensor:
    """The tensor with the dimensions `source` moved to the positions `destination`, the others in their order.

    Args:
        source, destination: ints, or tuples of ints.

    Raises:
        ValueError: if the two name a different number of dimensions, or one twice.

    Examples:
        >>> from mycel import ops
        >>> print(ops.moveaxis(ops.ones((1, 2, 3)), 0, 2).shape)
        (2, 3, 1)
    """
    x = need_tensor(x, "moveaxis", "x")
    origins = many_axes(source, x.ndim, "moveaxis", "source")
    places = many_axes(destination, x.ndim, "moveaxis", "destination")
    if len(origins) != len(places):
        raise ValueError(f"moveaxis: 'source' and 'destination' differ in length, {source} and {destination}")
    order = [axis for axis in range(x.ndim) if axis not in origins]
    for place, origin in sorted(zip(places, origins, strict=True)):
        order.insert(place, origin)
    return transpose(x, tuple(order))


@known_as(mint=True, method=True, primitive="TExt")
def t(input: Tensor) -> Tensor:
    """The transpose of a matrix; vectors and 0-d tensors are returned unchanged. ValueError for more dimensions.

    Args:
        input: a tensor of at most two dimensions.

    Raises:
        ValueError: if there are more dimensions.

    Examples:
        >>> print(ops.t(Tensor([[1, 2], [3, 4]])))
        [[1 3]
         [2 4]]
    """
    x = need_tensor(input, "t")
    if x.ndim > 2:
        raise ValueError(f"t() takes tensors of at most two dimensions, but got shape {x.shape}; use swapaxes")
    return swapaxes(x, 0, 1) if x.ndim == 2 else x


@known_as(method=True)
def adjoint(x: Tensor) -> Tensor:
    """The conjugate of the tensor with its last two dimensions exchanged.

    Args:
        x: a tensor of at least two dimensions.

    Raises:
        ValueError: if there are fewer than two dimensions.

    Examples:
        >>> print(ops.adjoint(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[1. 3.]
         [2. 4.]]
    """
    return apply(prims.conj, swapaxes(x, -1, -2))


@common
def squeeze(input: Tensor, axis: Any = None) -> Tensor:
    """The tensor without its dimensions of size one, or without those of them that `axis` names.

    Args:
        axis: an axis, or a tuple of axes; None: all of size one.

    Raises:
        ValueError: if `axis` is out of range, or a named axis is not of size one.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.squeeze(ms.ops.ones((1, 3, 1))).shape)
        (3,)
    """
    x = need_tensor(input, "squeeze")
    shape = shape_of(x)
    axes = range(x.ndim) if axis is None or axis == () else many_axes(axis, max(x.ndim, 1), "squeeze")
    if any(shape[place : place + 1] == (None,) for place in axes):
        shape = x._type.static_shape  # a graph has to know how many dimensions are left
    return drop_axes(x, tuple(place for place in sorted(axes) if shape[place : place + 1] == (1,)))


@known_as(method=True, primitive="ExpandDims")
def expand_dims(input_x: Tensor, axis: Any) -> Tensor:
    """The tensor with a new dimension of size one before position `axis` (negative ones count from the end).

    Args:
        axis: the position of the new dimension.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.expand_dims(ms.Tensor([1, 2]), -1).shape)
        (2, 1)
    """
    x = need_tensor(input_x, "expand_dims", "input_x")
    axes = whole_numbers(axis, "expand_dims", "axis")
    return insert_axes(x, tuple(sorted(many_axes(axes, x.ndim + len(axes), "expand_dims"))))


@known_as(mint=True, primitive="ExpandDimsView")
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """The tensor with a new dimension of size one before position `dim`.

    Args:
        dim: the position of the new dimension.

    Raises:
        ValueError: if `dim` is out of range.

    Examples:
        >>> print(ops.unsqueeze(Tensor([1, 2]), 1))
        [[1]
         [2]]
    """
    x = need_tensor(input, "unsqueeze")
    return insert_axes(x, (one_axis(dim, x.ndim + 1, "unsqueeze", "dim"),))


@known_as(primitive="Flatten")
def flatten(input: Tensor, order: str = "C", *, start_dim: int = 1, end_dim: int = -1) -> Tensor:
    """The tensor with the dimensions from `start_dim` to `end_dim` made one.

    Args:
        order: "C" or "F": in which order the elements of the dimensions are read.
        start_dim, end_dim: the first and the last of the dimensions.

    Raises:
        ValueError: if `start_dim` comes after `end_dim`, or `order` is another word.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.flatten(ms.ops.ones((2, 3, 4))).shape)
        (2, 12)
    """
    x = need_tensor(input, "flatten")
    if order not in ("C", "F"):
        raise ValueError(f"flatten: 'order' should be 'C' or 'F', but got {order!r}")
    if order == "F":
        x = permute(x, tuple(reversed(range(x.ndim))))
    if x.ndim == 0:
        return apply(prims.reshape, x, shape=(1,))
    if x.ndim == 1 and start_dim == 1:
        start_dim = 0
    first, last = one_axis(start_dim, x.ndim, "flatten", "start_dim"), one_axis(end_dim, x.ndim, "flatten", "end_dim")
    if first > last:
        raise ValueError(f"flatten: 'start_dim' {start_dim} comes after 'end_dim' {end_dim}")
    shape = shape_of(x)
    joined = _product(shape[first : last + 1])
    return _reshape_known(x, (*shape[:first], joined, *shape[last + 1 :]))


def _product(shape: tuple[int | None, ...]) -> int | None:
    return None if None in shape else math.prod(shape)  # type: ignore[arg-type]


def _reshape_known(x: Tensor, shape: tuple[int | None, ...]) -> Tensor:
    """x in a shape with at most one unknown size, or in one that leaves an unknown size where it is."""
    return apply(prims.reshape, x, shape=tuple(-1 if size is None else size for size in shape))


@known_as(mint=True, method=True)
def ravel(input: Tensor) -> Tensor:
    """The elements in C order, in one dimension.

    Examples:
        >>> print(ops.ravel(Tensor([[1, 2], [3, 4]])))
        [1 2 3 4]
    """
    return apply(prims.reshape, need_tensor(input, "ravel"), shape=(-1,))


def _atleast(function: str, expand: Callable[[Tensor], Tensor]) -> Callable[..., Any]:
    def convert(inputs: Any) -> Any:
        """Each tensor with at least {count} dimensions: missing ones are added, with size one.

        Args:
            inputs: a tensor of any shape and dtype, or a tuple or list of tensors.

        Returns:
            A tensor, or a tuple of them.

        Raises:
            TypeError: if one is no Tensor.

        Examples:
            >>> from mycel import Tensor, ops
            >>> print(ops.{name}(Tensor(1.0)).shape)
            {shape}
        """
        if isinstance(inputs, (tuple, list)):
            return tuple(expand(need_tensor(item, function, "inputs")) for item in inputs)
        return expand(need_tensor(inputs, function, "inputs"))

    count = int(function[-2])
    return made(convert, function, count=count, shape=(1,) * count)


atleast_1d = _atleast("atleast_1d", lambda x: insert_axes(x, (0,)) if x.ndim == 0 else x)
atleast_2d = _atleast("atleast_2d", lambda x: insert_axes(x, tuple(range(2 - x.ndim))))
atleast_3d = _atleast(
    "atleast_3d", lambda x: insert_axes(x, {0: (0, 1, 2), 1: (0, 2), 2: (2,)}[x.ndim]) if x.ndim < 3 else x
)


@known_as(primitive="Shape")
def shape(input_x: Tensor) -> tuple[int, ...]:
    """The shape, a tuple of ints.

    Examples:
        >>> print(ops.shape(Tensor([[1, 2]])))
        (1, 2)
    """
    return need_tensor(input_x, "shape", "input_x").shape


@known_as(primitive="Size")
def size(input_x: Tensor) -> int:
    """Number of elements.

    Examples:
        >>> print(ops.size(Tensor([[1, 2]])))
        2
    """
    return need_tensor(input_x, "size", "input_x").size


@known_as(primitive="Rank")
def rank(input_x: Tensor) -> int:
    """Number of dimensions.

    Examples:
        >>> print(ops.rank(Tensor([[1, 2]])))
        2
    """
    return need_tensor(input_x, "rank", "input_x").ndim


@known_as(mint=True, method="numel nelement")
def numel(input: Tensor) -> int:
    """Number of elements.

    Examples:
        >>> print(ops.numel(Tensor([[1, 2], [3, 4]])))
        4
    """
    return need_tensor(input, "numel").size


@known_as(primitive="DType")
def dtype(x: Tensor) -> dtypes.DType:
    """The element type.

    Examples:
        >>> print(ops.dtype(Tensor([1.0])))
        Float32
    """
    return need_tensor(x, "dtype", "x").dtype


@known_as(primitive="TensorShape")
def dyn_shape(input_x: Tensor) -> Tensor:
    """The shape as a tensor of Int64.

    Examples:
        >>> print(ops.dyn_shape(Tensor([[1, 2]])))
        [1 2]
    """
    return Tensor(list(need_tensor(input_x, "dyn_shape", "input_x").shape), dtypes.int64)
