"""Tensors made of a shape, a range or other tensors: zeros, full, arange, linspace, eye, one_hot, tril, meshgrid."""

from __future__ import annotations

import builtins
import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.errors.user_files import user_level
from ...frontend.state import STATE
from ...frontend.values.arguments import need_type, whole_number
from ...frontend.values.dispatch import Number, apply, as_tensor, cast
from ...frontend.values.operands import as_literal, need_tensor, number_kind
from ...frontend.values.tensor import Tensor
from ...frontend.values.traced_tensor import TracedTensor, wrap
from ...runtime import dtypes
from ...runtime.dtypes import DType
from .table import known_as, made

__all__ = [
    "fill", "fills", "full", "full_like", "meshgrid", "one_hot", "ones", "ones_like", "scalar_cast",
    "scalar_to_array", "scalar_to_tensor", "tuple_to_array", "zeros", "zeros_like",
]  # fmt: skip


def shape_of(size: Any, function: str, name: str = "size") -> tuple[Any, ...]:
    """A shape given as an int, a tuple or list of ints, or a tensor of ints; traced numbers stay in it.

    Raises:
        TypeError: if it is anything else.
        ValueError: if a size is negative.
    """
    if isinstance(size, Tensor) and not isinstance(size, TracedTensor) and size.ndim:
        size = size.tolist()
    elif isinstance(size, TracedTensor) and size.ndim:
        size = list(size)
    given = tuple(size) if isinstance(size, (tuple, list)) else (size,)
    result = []
    for item in given:
        if isinstance(item, TracedTensor) and item.dtype.is_integer:
            result.append(item)
            continue
        if isinstance(item, (bool, float, TracedTensor)) or not hasattr(item, "__index__"):
            raise TypeError(f"{function}: '{name}' should be an int or a tuple of ints, but got {size!r}")
        length = item.__index__()
        if length < 0:
            raise ValueError(f"{function}: the sizes in '{name}' should not be negative, but got {size!r}")
        result.append(length)
    return tuple(result)


def filled(shape: tuple[Any, ...], value: Any, dtype: DType) -> Tensor:
    """A tensor of one value; of a shape in which traced numbers may stand."""
    if dtype.is_bool:
        value = bool(value)
    elif dtype.is_integer:
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"tensors of {dtype} have no {value}")
        value = as_literal(int(value), dtype)
    if not any(isinstance(item, TracedTensor) for item in shape):
        return apply(prims.full, shape=shape, value=value, dtype=dtype)
    sizes = [cast(item, dtypes.int64) for item in shape if isinstance(item, TracedTensor)]
    known = tuple(None if isinstance(item, TracedTensor) else item for item in shape)
    return apply(prims.open_full, *sizes, shape=known, value=value, dtype=dtype)


def open_range(length: Any) -> Tensor:
    """0, 1, … up to a number that only the run knows."""
    return apply(prims.open_iota, cast(length, dtypes.int64))


def _kind(what: str, dtype: Any) -> DType:
    """The dtype of new tensors, Float32 if none is given."""
    if type(dtype) is int:
        raise TypeError(
            f"{what}: 'dtype' should be a dtype, but got {dtype}: the sizes go into one tuple, as in (2, 3)"
        )
    return dtypes.as_dtype(dtype or dtypes.float32)


@known_as(mint=True, primitive="Zeros")
def zeros(size: Any, dtype: DType | None = None) -> Tensor:
    """Zeros of a shape.

    Args:
        size: an int, a tuple or list of ints, or a tensor of ints.
        dtype: the dtype; None: Float32.

    Raises:
        TypeError: if `size` is anything else.
        ValueError: if a size is negative.

    Examples:
        >>> from mycel import ops
        >>> print(ops.zeros((2, 2)))
        [[0. 0.]
         [0. 0.]]
    """
    return filled(shape_of(size, "zeros"), 0, _kind("zeros", dtype))


@known_as(primitive="Ones")
def ones(shape: Any, dtype: DType | None = None) -> Tensor:
    """Ones of a shape; arguments as for `zeros`.

    Args:
        shape: the shape, a tuple of ints.
        dtype: the dtype; None: Float32.

    Raises:
        ValueError: if a size is negative.

    Examples:
        >>> from mycel import ops
        >>> print(ops.ones(3))
        [1. 1. 1.]
    """
    return filled(shape_of(shape, "ones", "shape"), 1, _kind("ones", dtype))


def full(size: Any, fill_value: Any, *, dtype: DType | None = None) -> Tensor:
    """A tensor of one value.

    Args:
        size: an int, or a tuple or list of ints.
        fill_value: a number, or a tensor of one element.
        dtype: the dtype; None: Int64, whatever the value (as in MindSpore), but that of the value in `mint`.

    Raises:
        TypeError: if `size` is not made of ints, or `fill_value` is no number.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.full((2,), 7.5, dtype=ms.float32))
        [7.5 7.5]
    """
    shape = shape_of(size, "full")
    if dtype is None and isinstance(fill_value, float) and not fill_value.is_integer():
        warnings.warn(
            f"full: {fill_value} becomes an integer of Int64, the dtype if none is given: give dtype=mycel.float32",
            UserWarning,
            stacklevel=user_level(),
        )
    return _filled_with(shape, fill_value, dtypes.as_dtype(dtype or dtypes.int64), "full")


def _filled_with(shape: tuple[Any, ...], value: Any, dtype: DType, function: str) -> Tensor:
    if isinstance(value, Tensor):
        if value.ndim and value._type.shape != (1,):
            raise ValueError(f"{function}: 'fill_value' should be a number, but got a tensor of shape {value.shape}")
        zero = filled(shape, 0, dtype)
        flat = apply(prims.reshape, cast(value, dtype), shape=())
        return apply(prims.select, apply(prims.equal, zero, zero), flat, zero)
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, Number):
        raise TypeError(f"{function}: 'fill_value' should be a number, but got {type(value).__name__}")
    return filled(shape, value, dtype)


@known_as(primitive="Fill")
def fill(type: DType | None, shape: Any, value: Any) -> Tensor:
    """A tensor of one value, as `full` with the arguments in another order.

    Args:
        type: the dtype; None: that of the number.
        shape: the shape, a tuple of ints.
        value: the number.

    Raises:
        ValueError: if a size is negative.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.fill(ms.float32, (2,), 3))
        [3. 3.]
    """
    return _filled_with(shape_of(shape, "fill", "shape"), value, dtypes.as_dtype(type or dtypes.int64), "fill")


@known_as(mint=True, primitive="FullLike")
def full_like(input: Tensor, fill_value: Any, *, dtype: DType | None = None) -> Tensor:
    """A tensor of one value in the shape, and without `dtype` the dtype, of another.

    Args:
        fill_value: the number, or a 0-d tensor.

    Examples:
        >>> print(ops.full_like(Tensor([1.0, 2.0]), 7))
        [7. 7.]
    """
    x = need_tensor(input, "full_like")
    wanted = dtypes.as_dtype(dtype) if dtype is not None else x.dtype
    if None not in x._type.shape:
        return _filled_with(x._type.shape, fill_value, wanted, "full_like")
    zero = apply(prims.zeros_like, cast(x, wanted))
    value = as_tensor(fill_value, wanted)
    return apply(prims.select, apply(prims.equal, zero, zero), value, zero)


@known_as(primitive="Fills")
def fills(x: Tensor, value: Any) -> Tensor:
    """A tensor of the shape and dtype of x, filled with a number.

    Args:
        value: the number, or a 0-d tensor.

    Examples:
        >>> print(ops.fills(Tensor([1.0, 2.0]), 7))
        [7. 7.]
    """
    return full_like(x, value)


def _filled_like(name: str, number: int, word: str, primitive: str) -> Callable[..., Tensor]:
    """`zeros_like` and `ones_like`."""

    def run(input: Tensor, *, dtype: DType | None = None) -> Tensor:
        """{word} in the shape, and without `dtype` the dtype, of a tensor.

        Examples:
            >>> print(ops.{name}(Tensor([1.0, 2.0])))
            [{number}. {number}.]
        """
        return full_like(need_tensor(input, name), number, dtype=dtype)

    return known_as(mint=True, primitive=primitive)(made(run, name, word=word, number=number))


zeros_like = _filled_like("zeros_like", 0, "Zeros", "ZerosLike ZerosLikeExt")
ones_like = _filled_like("ones_like", 1, "Ones", "OnesLike OnesLikeExt")


def constant(array: np.ndarray) -> Tensor:
    """A tensor of numbers known now; while tracing a part of the program."""
    return Tensor(array)


def one_hot(indices: Tensor, depth: Any, on_value: Any = 1, off_value: Any = 0, axis: int = -1) -> Tensor:
    """For each index a vector of `off_value` with `on_value` at its position; all off where it is out of range.

    Args:
        indices: a tensor of integers.
        depth: the length of the vectors.
        on_value: a number or 0-d tensor.
        off_value: a number or 0-d tensor, of the same dtype.
        axis: where the new dimension goes.

    Raises:
        TypeError: if the indices are no integers, or the two values differ in dtype.
        ValueError: if `depth` is negative.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.one_hot(Tensor([0, 2]), 3))
        [[1 0 0]
         [0 0 1]]
    """
    x = need_tensor(indices, "one_hot", "indices")
    if not x.dtype.is_integer:
        raise TypeError(f"one_hot: 'indices' should be integers, but their dtype is {x.dtype}{dtypes.AS_INTEGERS}")
    length = whole_number(depth, "one_hot", "depth")
    if length < 0:
        raise ValueError(f"one_hot: 'depth' should not be negative, but got {length}")
    on, off = as_tensor(on_value), as_tensor(off_value)
    if on.dtype is not off.dtype:
        raise TypeError(
            f"one_hot: 'on_value' and 'off_value' should have one dtype, but got {on.dtype} and {off.dtype}"
        )
    rank = x.ndim + 1
    position = axis + rank if axis < 0 else axis
    if not 0 <= position < rank:
        raise ValueError(f"one_hot: 'axis' should be in [{-rank}, {rank}), but got {axis}")
    op, attrs = prims.insert_axes_step(x._type, (position,))
    spread = apply(op, x, **attrs)
    numbers = constant(np.arange(length, dtype=x.dtype.np).reshape([-1] + [1] * (rank - 1 - position)))
    return apply(prims.select, apply(prims.equal, spread, numbers), on, off)


def meshgrid(*inputs: Tensor, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Coordinate matrices of vectors.

    Args:
        inputs: two or more vectors of one dtype.
        indexing: "xy" (the first two dimensions of the results exchanged) or "ij".

    Raises:
        TypeError: if an input is no Tensor.
        ValueError: if their dtypes differ, or one is no vector.

    Examples:
        >>> from mycel import Tensor, ops
        >>> x, y = ops.meshgrid(Tensor([1, 2, 3]), Tensor([4, 5]))
        >>> print(x)
        [[1 2 3]
         [1 2 3]]
    """
    vectors: Sequence[Any] = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], (tuple, list)) else inputs
    tensors = [need_tensor(item, "meshgrid", f"inputs[{place}]") for place, item in enumerate(vectors)]
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: 'indexing' should be 'xy' or 'ij', but got {indexing!r}")
    if len({item.dtype for item in tensors}) > 1:
        raise ValueError(f"meshgrid: all tensors should have one dtype, but got {[item.dtype for item in tensors]}")
    count = len(tensors)
    order = list(builtins.range(count))
    if indexing == "xy" and count > 1:
        order[:2] = [1, 0]
    for item in tensors:
        if item.ndim != 1:
            raise ValueError(f"meshgrid: the inputs should be vectors, but one has shape {item.shape}")
    sizes = tuple(tensors[place].shape[0] for place in order)
    results = []
    for place, item in enumerate(tensors):
        shape = [1] * count
        shape[order.index(place)] = -1
        results.append(apply(prims.broadcast_to, apply(prims.reshape, item, shape=tuple(shape)), shape=sizes))
    return tuple(results)


@known_as(primitive="ScalarToTensor")
def scalar_to_tensor(input_x: Any, dtype: DType = dtypes.float32) -> Tensor:
    """A number as a 0-d tensor.

    Args:
        input_x: a number.
        dtype: the dtype.

    Raises:
        TypeError: if it is no number.

    Examples:
        >>> from mycel import ops
        >>> print(ops.scalar_to_tensor(3))
        3.0
    """
    if not isinstance(input_x, Number) and not (isinstance(input_x, TracedTensor) and input_x._number):
        raise TypeError(f"scalar_to_tensor: 'input_x' should be a number, but got {type(input_x).__name__}")
    return cast(as_tensor(input_x), dtypes.as_dtype(dtype))


@known_as(primitive="ScalarToArray")
def scalar_to_array(input_x: Any) -> Tensor:
    """A number as a 0-d tensor of its own dtype.

    Args:
        input_x: a number.

    Raises:
        TypeError: if `input_x` is no number.

    Examples:
        >>> from mycel import ops
        >>> print(ops.scalar_to_array(3))
        3
    """
    return as_tensor(input_x)


@known_as(primitive="ScalarCast")
def scalar_cast(input_x: Any, input_y: DType) -> Any:
    """A Python number as one of another type.

    Args:
        input_x: a number.
        input_y: a dtype.

    Raises:
        TypeError: if `input_x` is no number.

    Examples:
        >>> import mycel as ms
        >>> ms.ops.scalar_cast(3.7, ms.int64)
        3
    """
    dtype = dtypes.as_dtype(input_y)
    if isinstance(input_x, TracedTensor) and input_x._number is not None:
        return wrap(STATE.trace.read(cast(input_x, dtype)), number_kind(dtype))
    value = number_of(input_x, "scalar_cast", "input_x")
    return bool(value) if dtype.is_bool else int(value) if dtype.is_integer else float(value)


@known_as(primitive="TupleToArray")
def tuple_to_array(input_x: Sequence[Any]) -> Tensor:
    """A tuple of numbers as a tensor: Int32 of ints, Float32 where one is a float.

    Args:
        input_x: a tuple of numbers, or a range.

    Raises:
        TypeError: if it is neither.

    Examples:
        >>> from mycel import ops
        >>> print(ops.tuple_to_array((1, 2, 3)))
        [1 2 3]
    """
    need_type(input_x, tuple | list | builtins.range, "tuple_to_array: 'input_x' should be a tuple of numbers")
    result = Tensor(list(input_x))
    return cast(result, dtypes.float32 if result.dtype.is_float else dtypes.int32)


def number_of(value: Any, function: str, name: str) -> Any:
    """A Python number given as one or as a tensor of one element known now.

    Raises:
        TypeError: if it is anything else.
        GraphBreak: if only the run knows it.
    """
    if isinstance(value, Tensor):
        return value.item()
    if isinstance(value, np.generic):
        return value.item()
    return need_type(value, bool | int | float, f"{function}: '{name}' should be a number")
