"""The functions of `mycel.numpy` that make, shape, join and reduce arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...frontend.values.dispatch import cast, common_dtype
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from .elementwise import array, in_dtype, operand, tensor_of

# Creation


def asarray(a: Any, dtype: Any = None) -> Tensor:
    """A tensor of numbers or nested sequences; tensors as they are."""
    return array(a, dtype, copy=False)


def asfarray(a: Any, dtype: Any = dtypes.float32) -> Tensor:
    """A floating-point tensor of numbers or nested sequences."""
    return array(a, dtype)


def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Tensor:
    """start, start + step, … below stop; of ints Int32, of floats Float32.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.arange(3))
        [0 1 2]
    """
    first, last = (0, start) if stop is None else (start, stop)
    by = 1 if step is None else step
    result = ops.arange(first, last, by)
    return in_dtype(result, dtype or (dtypes.int32 if result.dtype is dtypes.int64 else None))


def _shape(shape: Any) -> Any:
    return (shape,) if isinstance(shape, int) else tuple(shape)


def zeros(shape: Any, dtype: Any = dtypes.float32) -> Tensor:
    """A tensor of zeros."""
    return ops.zeros(_shape(shape), dtypes.as_dtype(dtype))


def ones(shape: Any, dtype: Any = dtypes.float32) -> Tensor:
    """A tensor of ones."""
    return ops.ones(_shape(shape), dtypes.as_dtype(dtype))


def empty(shape: Any, dtype: Any = dtypes.float32) -> Tensor:
    """A tensor of zeros (numbers are never left uninitialised)."""
    return zeros(shape, dtype)


def full(shape: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    """A tensor of one value (or of values broadcast)."""
    value = in_dtype(tensor_of(fill_value), dtype)
    return ops.broadcast_to(value, _shape(shape))


def _like(fill: Any) -> Any:
    def like(a: Any, dtype: Any = None, shape: Any = None) -> Tensor:
        source = tensor_of(a)
        return fill(source.shape if shape is None else shape, dtype or source.dtype)

    like.__doc__ = f"As `{fill.__name__}`, with the shape and dtype of `a` unless others are given."
    like.__name__ = f"{fill.__name__}_like"
    return like


zeros_like = _like(zeros)
ones_like = _like(ones)
empty_like = _like(empty)


def full_like(a: Any, fill_value: Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """A tensor of one value, with the shape and dtype of `a` unless others are given."""
    source = tensor_of(a)
    return full(source.shape if shape is None else shape, fill_value, dtype or source.dtype)


def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = dtypes.float32) -> Tensor:
    """A matrix of zeros with ones on the k-th diagonal."""
    return Tensor(np.eye(N, M, k), dtypes.as_dtype(dtype))


def identity(n: int, dtype: Any = dtypes.float32) -> Tensor:
    """The identity matrix."""
    return eye(n, dtype=dtype)


def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = dtypes.float32) -> Tensor:
    """A matrix of ones up to the k-th diagonal, zeros above."""
    return Tensor(np.tri(N, M, k), dtypes.as_dtype(dtype))


def linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None, axis: int = 0
) -> Any:
    """`num` numbers at equal distances from `start` to `stop`; with `retstep` the distance too."""
    first, last = tensor_of(start), tensor_of(stop)
    pieces = max(num - 1 if endpoint else num, 1)
    first, last = (cast(item, dtypes.float32) if not item.dtype.is_float else item for item in (first, last))
    step = ops.div(ops.sub(last, first), float(pieces))
    steps = Tensor(np.arange(num), dtypes.float32)
    steps = ops.reshape(steps, (num, *(1,) * step.ndim))
    values = ops.add(ops.mul(steps, step), first)
    values = in_dtype(ops.moveaxis(values, 0, axis) if axis else values, dtype)
    return (values, step) if retstep else values


def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Tensor:
    """`base` to the powers of `linspace`."""
    return in_dtype(ops.pow(base, linspace(start, stop, num, endpoint, False, None, axis)), dtype)


def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Tensor:
    """`num` numbers with equal ratios from `start` to `stop`."""
    low, high = (ops.log(cast(tensor_of(item), dtypes.float32)) for item in (start, stop))
    return in_dtype(ops.exp(linspace(low, high, num, endpoint, False, None, axis)), dtype)


def meshgrid(*xi: Any, sparse: bool = False, indexing: str = "xy") -> list[Tensor]:
    """Coordinate tensors of a grid; with `sparse` not spread over the other dimensions."""
    vectors = [ops.ravel(tensor_of(item)) for item in xi]
    if not sparse:
        return list(ops.meshgrid(*vectors, indexing=indexing))
    order = list(range(len(vectors)))
    if indexing == "xy" and len(vectors) > 1:
        order[:2] = [1, 0]
    return [
        ops.reshape(vector, tuple(-1 if place == order.index(at) else 1 for place in range(len(vectors))))
        for at, vector in enumerate(vectors)
    ]


def indices(dimensions: Any, dtype: Any = dtypes.int32, sparse: bool = False) -> Any:
    """The positions along each dimension of a grid."""
    lines = [Tensor(np.arange(size), dtypes.as_dtype(dtype)) for size in dimensions]
    return meshgrid(*lines, sparse=sparse, indexing="ij")


def ix_(*args: Any) -> tuple[Tensor, ...]:
    """Vectors shaped so that they select the grid of their positions."""
    count = len(args)
    return tuple(
        ops.reshape(tensor_of(item), tuple(-1 if place == at else 1 for place in range(count)))
        for at, item in enumerate(args)
    )


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """The rows and the columns of the lower triangle of a matrix."""
    return tuple(Tensor(item, dtypes.int32) for item in np.tril_indices(n, k, m))


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """The rows and the columns of the upper triangle of a matrix."""
    return tuple(Tensor(item, dtypes.int32) for item in np.triu_indices(n, k, m))


def _window(name: str) -> Any:
    def window(M: int) -> Tensor:
        return Tensor(getattr(np, name)(M), dtypes.float32)

    window.__name__, window.__doc__ = name, f"The {name} window of M points."
    return window


hamming, hanning, blackman, bartlett = map(_window, ("hamming", "hanning", "blackman", "bartlett"))


def vander(x: Any, N: int | None = None, increasing: bool = False) -> Tensor:
    """The matrix whose columns are the powers of a vector."""
    table = ops.vander(tensor_of(x), N)
    return ops.flip(table, 1) if increasing else table


# Shapes


def reshape(x: Any, new_shape: Any) -> Tensor:
    """The tensor in another shape."""
    return ops.reshape(tensor_of(x), new_shape)


def ravel(x: Any) -> Tensor:
    """The elements in one dimension."""
    return ops.ravel(tensor_of(x))


def transpose(a: Any, axes: Any = None) -> Tensor:
    """The tensor with its dimensions permuted, or reversed."""
    x = tensor_of(a)
    return ops.transpose(x, tuple(reversed(range(x.ndim))) if axes is None else axes)


def expand_dims(a: Any, axis: Any) -> Tensor:
    """The tensor with new dimensions of size one at these places of the result."""
    return ops.expand_dims(tensor_of(a), axis)


def squeeze(a: Any, axis: Any = None) -> Tensor:
    """The tensor without dimensions of size one."""
    return ops.squeeze(tensor_of(a), axis)


def swapaxes(x: Any, axis1: int, axis2: int) -> Tensor:
    """The tensor with two dimensions exchanged."""
    return ops.swapaxes(tensor_of(x), axis1, axis2)


def moveaxis(a: Any, source: Any, destination: Any) -> Tensor:
    """The tensor with dimensions moved to other places."""
    return ops.moveaxis(tensor_of(a), source, destination)


def rollaxis(x: Any, axis: int, start: int = 0) -> Tensor:
    """The tensor with one dimension moved before another."""
    value = tensor_of(x)
    place = axis + value.ndim if axis < 0 else axis
    goal = start + value.ndim if start < 0 else start
    return ops.moveaxis(value, place, goal - 1 if goal > place else goal)


def broadcast_to(array: Any, shape: Any) -> Tensor:
    """The tensor broadcast to a shape."""
    return ops.broadcast_to(tensor_of(array), _shape(shape))


def broadcast_arrays(*args: Any) -> list[Tensor]:
    """The tensors broadcast to their common shape."""
    return list(ops.broadcast_tensors(*map(tensor_of, args)))


def atleast_1d(*arys: Any) -> Any:
    """Tensors with at least one dimension."""
    return _each(ops.atleast_1d, arys)


def atleast_2d(*arys: Any) -> Any:
    """Tensors with at least two dimensions."""
    return _each(ops.atleast_2d, arys)


def atleast_3d(*arys: Any) -> Any:
    """Tensors with at least three dimensions."""
    return _each(ops.atleast_3d, arys)


def _each(function: Any, values: tuple[Any, ...]) -> Any:
    results = [function(tensor_of(item)) for item in values]
    return results[0] if len(results) == 1 else results


def flip(m: Any, axis: Any = None) -> Tensor:
    """The tensor with the order of its elements along some axes (all by default) reversed."""
    x = tensor_of(m)
    return ops.flip(x, tuple(range(x.ndim)) if axis is None else axis)


def flipud(m: Any) -> Tensor:
    """The tensor with the order of its rows reversed."""
    return flip(m, 0)


def fliplr(m: Any) -> Tensor:
    """The tensor with the order of its columns reversed."""
    return flip(m, 1)


def rot90(a: Any, k: int = 1, axes: Any = (0, 1)) -> Tensor:
    """The tensor turned by 90 degrees k times in a plane."""
    return ops.rot90(tensor_of(a), k, axes)


def roll(a: Any, shift: Any, axis: Any = None) -> Tensor:
    """The tensor with its elements moved on."""
    return ops.roll(tensor_of(a), shift, axis)


def tile(a: Any, reps: Any) -> Tensor:
    """The tensor repeated as a whole."""
    return ops.tile(tensor_of(a), _shape(reps))


def repeat(a: Any, repeats: Any, axis: int | None = None) -> Tensor:
    """The tensor with each element repeated."""
    return ops.repeat_interleave(tensor_of(a), repeats, axis)


def pad(
    arr: Any,
    pad_width: Any,
    mode: str = "constant",
    stat_length: Any = None,
    constant_values: Any = 0,
    end_values: Any = 0,
    reflect_type: str = "even",
    **kwargs: Any,
) -> Tensor:
    """The tensor padded: "constant", "edge", "reflect", "symmetric", "wrap", "maximum", "mean", "minimum".

    Args:
        pad_width: one number, one pair, or a pair for each axis.
        constant_values: one number, or pairs as in `pad_width`.

    Raises:
        ValueError: for another mode.
    """
    x = tensor_of(arr)
    widths = _per_axis(pad_width, x.ndim)
    if mode in ("constant", "empty"):
        for axis, ((low, high), (first, last)) in enumerate(
            zip(widths, _per_axis(constant_values, x.ndim), strict=True)
        ):
            zeros = [0] * (2 * (x.ndim - axis))
            x = ops.pad(x, [*zeros[:-2], low, 0], "constant", first)
            x = ops.pad(x, [*zeros[:-2], 0, high], "constant", last)
        return x
    if mode in ("maximum", "minimum", "mean"):
        for axis, (low, high) in enumerate(widths):
            best = getattr(ops, {"maximum": "amax", "minimum": "amin", "mean": "mean"}[mode])(x, axis, True)
            parts = [ops.tile(best, tuple(n if at == axis else 1 for at in range(x.ndim))) for n in (low, high) if n]
            x = ops.concat(([parts[0]] if low else []) + [x] + (parts[-1:] if high else []), axis)
        return x
    names = {"edge": "replicate", "reflect": "reflect", "symmetric": "symmetric", "wrap": "circular"}
    if mode not in names or reflect_type != "even":
        raise ValueError(f"pad: the mode {mode!r} with reflect_type {reflect_type!r} is not supported")
    return ops.array_pad.pad_with_itself(x, [(int(low), int(high)) for low, high in widths], names[mode])


def _per_axis(value: Any, rank: int) -> list[tuple[Any, Any]]:
    items = np.array(value.tolist() if isinstance(value, Tensor) else value)
    return [(low, high) for low, high in np.broadcast_to(items, (rank, 2)).tolist()]


# Joining and splitting


def concatenate(arrays: Any, axis: int | None = 0) -> Tensor:
    """Tensors one after the other along an axis; None: their elements in one dimension."""
    parts = [tensor_of(item) for item in (arrays if not isinstance(arrays, Tensor) else list(arrays))]
    if axis is None:
        return ops.concat([ops.ravel(part) for part in parts], 0)
    return ops.concat(parts, axis)


def stack(arrays: Any, axis: int = 0) -> Tensor:
    """Tensors one after the other along a new axis."""
    parts = [tensor_of(item) for item in (arrays if not isinstance(arrays, Tensor) else list(arrays))]
    dtype = common_dtype(*parts)
    return ops.stack([cast(part, dtype) for part in parts], axis)


def vstack(tup: Any) -> Tensor:
    """Tensors one after the other along the first axis."""
    return ops.vstack([tensor_of(item) for item in tup])


def hstack(tup: Any) -> Tensor:
    """Tensors one after the other along the second axis."""
    return ops.hstack([tensor_of(item) for item in tup])


def dstack(tup: Any) -> Tensor:
    """Tensors one after the other along the third axis."""
    return ops.dstack([tensor_of(item) for item in tup])


def column_stack(tup: Any) -> Tensor:
    """Tensors one after the other along the second axis; vectors as columns."""
    return ops.column_stack([tensor_of(item) for item in tup])


def append(arr: Any, values: Any, axis: int | None = None) -> Tensor:
    """Values after a tensor along an axis; None: of all elements in one dimension."""
    return concatenate((arr, values), axis)


def split(x: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """The tensor cut into equal parts, or before each of the indices. ValueError if equal parts do not make it up."""
    value = tensor_of(x)
    if isinstance(indices_or_sections, int):
        length = value.shape[axis]
        if length % indices_or_sections:
            raise ValueError(
                f"split: {indices_or_sections} parts do not divide dimension {axis} of shape {value.shape}"
            )
        return ops.split(value, length // indices_or_sections, axis)
    return list(ops.tensor_split(value, tuple(indices_or_sections), axis))


def array_split(x: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """The tensor cut into parts of nearly equal size, or before each of the indices."""
    return ops.tensor_split(tensor_of(x), indices_or_sections, axis)


def vsplit(x: Any, indices_or_sections: Any) -> Any:
    """The tensor cut along its first axis."""
    return split(x, indices_or_sections, 0)


def hsplit(x: Any, indices_or_sections: Any) -> Any:
    """The tensor cut along its second axis."""
    return split(x, indices_or_sections, 1)


def dsplit(x: Any, indices_or_sections: Any) -> Any:
    """The tensor cut along its third axis."""
    return split(x, indices_or_sections, 2)


# Picking


def take(a: Any, indices: Any, axis: int | None = None, mode: str = "clip") -> Tensor:
    """The rows along an axis at some indices; without an axis, elements."""
    return ops.array_gather.take_method(tensor_of(a), tensor_of(indices), axis, mode)


def take_along_axis(arr: Any, indices: Any, axis: int | None) -> Tensor:
    """For each place of the indices the element at that position along an axis."""
    x, places = tensor_of(arr), tensor_of(indices)
    if axis is None:
        return ops.gather_elements(ops.ravel(x), 0, ops.ravel(places))
    rank = x.ndim
    place = axis + rank if axis < 0 else axis
    full = tuple(places.shape[at] if at == place else max(x.shape[at], places.shape[at]) for at in range(rank))
    x = ops.broadcast_to(x, tuple(x.shape[at] if at == place else full[at] for at in range(rank)))
    return ops.gather_elements(x, place, ops.broadcast_to(places, full))


def choose(a: Any, choices: Any, mode: str = "clip") -> Tensor:
    """At each place the element of the choice that the index names."""
    return ops.array_gather.choose(
        tensor_of(a), choices if isinstance(choices, Tensor) else [tensor_of(item) for item in choices], mode
    )


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Tensor:
    """At each place the element of the first choice whose condition is True."""
    choices = [tensor_of(item) for item in choicelist]
    result: Any = ops.mul(ops.zeros_like(choices[0]), 0)
    result = ops.add(result, operand(default))
    for condition, picked in reversed(list(zip(condlist, choices, strict=True))):
        result = ops.where(tensor_of(condition), picked, result)
    return result


def argwhere(a: Any) -> Tensor:
    """The positions of the elements that are not zero, one a row."""
    return ops.argwhere(tensor_of(a))


def diag(v: Any, k: int = 0) -> Tensor:
    """Of a vector the matrix with it on a diagonal; of a matrix the diagonal."""
    return ops.array_matrix.numpy_diag(tensor_of(v), k)


def diagflat(v: Any, k: int = 0) -> Tensor:
    """The matrix with all elements on a diagonal."""
    return ops.diagflat(tensor_of(v), k)


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonals over two axes."""
    return ops.diagonal(tensor_of(a), offset, axis1, axis2)


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Tensor:
    """The sums of the diagonals over two axes."""
    return in_dtype(ops.array_matrix.trace_method(tensor_of(a), offset, axis1, axis2), dtype)


def tril(m: Any, k: int = 0) -> Tensor:
    """The lower triangles of matrices."""
    return ops.tril(tensor_of(m), k)


def triu(m: Any, k: int = 0) -> Tensor:
    """The upper triangles of matrices."""
    return ops.triu(tensor_of(m), k)


def unique(x: Any, return_inverse: bool = False) -> Any:
    """The different elements in the order they occur; optionally which of them each element is."""
    values, inverse = ops.unique(ops.ravel(tensor_of(x)))
    return (values, inverse) if return_inverse else values


def copy(a: Any) -> Tensor:
    """A copy of the tensor."""
    return array(a)


def size(a: Any, axis: int | None = None) -> int:
    """Number of elements, or of those along an axis."""
    x = tensor_of(a)
    return x.size if axis is None else x.shape[axis]


def unravel_index(indices: Any, shape: Any, order: str = "C") -> tuple[Tensor, ...]:
    """The positions in a tensor of a shape of elements counted in C (or F) order."""
    rest = ops.clip(tensor_of(indices), 0, math.prod(shape) - 1)
    places = []
    for length in reversed(shape) if order == "C" else shape:
        places.append(ops.floor_mod(rest, length))
        rest = ops.floor_divide(rest, length)
    return tuple(reversed(places)) if order == "C" else tuple(places)


def ravel_multi_index(multi_index: Any, dims: Any, mode: str = "clip", order: str = "C") -> Tensor:
    """The counts in C (or F) order of elements at positions in a tensor of a shape."""
    strides = np.cumprod([1, *(reversed(dims[1:]) if order == "C" else dims[:-1])])
    steps = strides[::-1] if order == "C" else strides
    total: Any = 0
    for place, length, step in zip(multi_index, dims, steps.tolist(), strict=True):
        value = tensor_of(place)
        value = ops.floor_mod(value, length) if mode == "wrap" else ops.clip(value, 0, length - 1)
        total = ops.add(ops.mul(value, step), total)
    return total
