"""Methods of tensors on shapes, with other arguments than the functions of the same names."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.values.arguments import cut, named_several, one_axis, unpack, whole_numbers
from ...frontend.values.dispatch import apply
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import like
from .array_shape import adjoint, flatten, named_shape, ravel, reshape, squeeze, swapaxes, transpose
from .documentation import no_arguments
from .table import method


@method("reshape")
def reshape_method(self: Tensor, *shape: Any, **named: Any) -> Tensor:
    """The tensor in another shape, given as a tuple or as several ints; see `ops.reshape`.

    Args:
        shape: the shape, a tuple or several ints, one of which may be -1.
        named: `shape` by its name.

    Raises:
        ValueError: if the numbers of elements differ.

    Examples:
        >>> print(Tensor([1, 2]).reshape(2, 1))
        [[1]
         [2]]
    """
    return reshape(self, named_shape(shape, named, "reshape"))


@method("view")
@like(reshape_method)
def view(self: Tensor, *shape: Any, **named: Any) -> Tensor:
    """The tensor in another shape, given as a tuple or as several ints; of a dtype, its bytes read as that dtype.

    Args:
        shape: the shape, a tuple or several ints, or a dtype.
        named: `shape` or `dtype` by name.

    Examples:
        >>> print(Tensor([1, 2]).view(2, 1))
        [[1]
         [2]]
    """
    if not shape and "dtype" in named:
        shape = (dtypes.as_dtype(named.pop("dtype")),)
    if len(shape) == 1 and not named and isinstance(shape[0], dtypes.DType):
        return Tensor(np.ascontiguousarray(self.asnumpy()).view(dtypes.as_dtype(shape[0]).np))
    return reshape(self, named_shape(shape, named, "view"))


@method("transpose")
def transpose_method(self: Tensor, *axes: Any, **named: Any) -> Tensor:
    """The tensor with its dimensions permuted: `x.transpose()` reverses them, `x.transpose((0, 2, 1))` or
    `x.transpose(0, 2, 1)` orders them, and `x.transpose(dim0, dim1)` exchanges two.

    Args:
        axes: the order, a tuple or several ints, or two dimensions to exchange.
        named: `axes` by its name.

    Raises:
        ValueError: if a dimension is out of range or named twice.

    Examples:
        >>> print(Tensor([[1, 2]]).transpose().shape)
        (2, 1)
    """
    if named:
        if set(named) == {"axes"} and not axes:
            return transpose(self, named["axes"])
        dims = dict(zip(("dim0", "dim1"), axes, strict=False)) | named
        if set(dims) != {"dim0", "dim1"} or len(dims) != len(axes) + len(named):
            raise TypeError(f"transpose() takes axes, or dim0 and dim1, but got the arguments {', '.join(named)}")
        return swapaxes(self, dims["dim0"], dims["dim1"])
    if not axes or axes == (None,):
        return transpose(self, tuple(reversed(range(self.ndim))))
    if len(axes) == 2:
        return swapaxes(self, *axes)
    return transpose(self, unpack(axes))


@method("permute")
def permute_method(self: Tensor, *axis: Any, **named: Any) -> Tensor:
    """The tensor with its dimensions in the order given, as a tuple or as several ints.

    Args:
        axis: the order of all dimensions, a tuple or several ints.
        named: `axis` or `dims` by name.

    Raises:
        ValueError: if `axis` is out of range, or not each dimension is named once.

    Examples:
        >>> print(Tensor([[1, 2]]).permute(1, 0))
        [[1]
         [2]]
    """
    return transpose(self, named_several(axis, named, ("axis", "dims"), "permute() takes the order of the dimensions"))


def _reversed_dims(self: Tensor) -> Tensor:
    """The tensor with its dimensions reversed."""
    return transpose(self, tuple(reversed(range(self.ndim))))


def _matrix_transpose(self: Tensor) -> Tensor:
    """The tensor with its last two dimensions exchanged."""
    return swapaxes(self, -2, -1)


def _conjugate_transpose(self: Tensor) -> Tensor:
    """The conjugate of a matrix with its dimensions exchanged."""
    return adjoint(self)


@method("squeeze")
def squeeze_method(self: Tensor, *axis: Any, **named: Any) -> Tensor:
    """The tensor without its dimensions of size one; see `ops.squeeze`.

    Args:
        axis: axes of size one, a tuple or several ints; none: all of them.
        named: `axis` or `dim` by name.

    Raises:
        ValueError: if `axis` is out of range, or a named axis is not of size one.

    Examples:
        >>> print(Tensor([[1, 2]]).squeeze())
        [1 2]
    """
    for name in ("axis", "dim"):
        if set(named) == {name} and not axis:
            return squeeze(self, named[name])
    if named:
        raise TypeError(f"squeeze() takes 'axis', but got the arguments {', '.join(named)}")
    return squeeze(self, None if axis in ((), (None,)) else unpack(axis))


@method("flatten")
def flatten_method(self: Tensor, order: Any = "C", *positional: int, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The tensor with the dimensions from `start_dim` to `end_dim` made one; all of them by default.

    Args:
        order: "C" or "F", the order of the elements.
        positional: `start_dim` and `end_dim` by position.
        start_dim, end_dim: the first and the last of the dimensions.

    Raises:
        ValueError: if `order` is another word, or a dimension is out of range.

    Examples:
        >>> print(Tensor([[1, 2], [3, 4]]).flatten())
        [1 2 3 4]
    """
    if isinstance(order, int):
        start_dim, order = order, "C"
        if positional:
            (end_dim,) = positional
    return flatten(self, order, start_dim=start_dim, end_dim=end_dim)


@method("dim ndimension")
def dim(self: Tensor) -> int:
    """Number of dimensions.

    Raises:
        TypeError: if an argument is given.

    Examples:
        >>> print(Tensor([[1, 2]]).dim())
        2
    """
    return self.ndim


@method("stride")
def stride(self: Tensor, dim: int | None = None) -> Any:
    """Elements to step in each dimension of a C-contiguous tensor, or in one of them.

    Args:
        dim: the dimension; a negative one counts from the end.

    Raises:
        ValueError: if `dim` is out of range.
        IndexError: if the dimension is out of range.

    Examples:
        >>> print(Tensor([[1, 2], [3, 4]]).stride())
        [2, 1]
    """
    steps, step = [], 1
    for length in reversed(self.shape):
        steps.append(step)
        step *= length
    steps.reverse()
    return list(steps) if dim is None else steps[one_axis(dim, self.ndim, "stride", "dim")]


@method("contiguous", shared=no_arguments)
def contiguous(self: Tensor) -> Tensor:
    """The tensor itself: its elements are in C order.

    Examples:
        >>> print(Tensor([1, 2]).contiguous())
        [1 2]
    """
    return self


@method("is_contiguous", shared=no_arguments)
def is_contiguous(self: Tensor) -> bool:
    """Whether the elements are in C order: always.

    Examples:
        >>> print(Tensor([1, 2]).is_contiguous())
        True
    """
    return True


@method("resize")
def resize(self: Tensor, *new_shape: Any) -> Tensor:
    """The first elements in another shape, filled up with zeros where there are too few.

    Args:
        new_shape: the shape, a tuple or several ints.

    Raises:
        ValueError: if a size is negative.

    Examples:
        >>> print(Tensor([1, 2]).resize(3))
        [1 2 0]
    """
    wanted = whole_numbers(unpack(new_shape), "resize", "new_shape")
    flat, count = ravel(self), math.prod(wanted)
    if count <= self.size:
        return reshape(cut(flat, 0, 0, count), wanted)
    return reshape(apply(prims.pad, flat, low=(0,), high=(count - self.size,), value=0), wanted)


PROPERTIES = {
    "T": property(_reversed_dims),
    "mT": property(_matrix_transpose),
    "H": property(_conjugate_transpose),
    "mH": property(_conjugate_transpose),
}
"""Properties of tensors."""
