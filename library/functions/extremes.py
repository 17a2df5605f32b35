"""The largest and smallest elements over axes, and their positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.op import Op
from ...frontend.values.arguments import need_flags
from ...frontend.values.dispatch import apply, as_tensor, cast
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..docstrings import Shared
from .documentation import common
from .reduce import Axis, axis_of, over_all_by_default, reduced
from .table import known_as, made

__all__ = ["amax", "amin", "aminmax", "argmax", "argmin", "max", "min", "reduce_max", "reduce_min"]

_shared = Shared(
    """
    Args:
        input: a tensor of any shape, of a real dtype.
        where: a Bool tensor; elements where it does not hold are left out (needs `initial`).
        initial: the most that a value can be.
        axis: the axis, or a tuple of axes; (): all.
    """,
    common,
)


def _extremum(op: Op, input: Tensor, axis: Axis, keepdims: bool, initial: Any, where: Any, function: str) -> Tensor:
    x = need_tensor(input, function)
    better = prims.maximum if op is prims.max else prims.minimum
    if where is not None:
        if initial is None:
            raise ValueError(f"{function}: 'initial' should be given along with 'where'")
        x = apply(prims.select, need_tensor(where, function, "where"), x, as_tensor(initial, x.dtype))
    result = reduced(op, x, axis, keepdims, function)
    if initial is not None:
        result = apply(better, result, as_tensor(initial, x.dtype))
    return result


@known_as(method=True, shared=_shared)
def amax(
    input: Tensor, axis: Axis = None, keepdims: bool = False, *, initial: Any = None, where: Tensor | None = None
) -> Tensor:
    """The largest element over axes; equal ones share the gradient.

    Args:
        axis: the axes: None for all, an int or a tuple of ints.
        keepdims: whether they stay as dimensions of size one.
        initial: the least that the result can be.

    Raises:
        ValueError: if an axis is out of range or given twice, or the tensor is empty along one.

    Examples:
        >>> print(ops.amax(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [2. 4.]
    """
    return _extremum(prims.max, input, axis, keepdims, initial, where, "amax")


@known_as(method=True, shared=_shared)
def amin(
    input: Tensor, axis: Axis = None, keepdims: bool = False, *, initial: Any = None, where: Tensor | None = None
) -> Tensor:
    """The smallest element over axes; equal ones share the gradient. Arguments as for `amax`.

    Args:
        axis: the axis, or a tuple of axes; None: all.

    Examples:
        >>> print(ops.amin(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [1. 3.]
    """
    return _extremum(prims.min, input, axis, keepdims, initial, where, "amin")


def with_position(
    largest: bool, input: Tensor, axis: int, keepdims: bool, function: str, initial: Any = None, where: Any = None
) -> tuple[Tensor, Tensor]:
    """The extreme elements along an axis and the positions of the first ones."""
    need_flags(function, keepdims=keepdims)
    x = need_tensor(input, function)
    position = axis_or_scalar(axis, x.ndim, function)
    if where is not None:
        if initial is None:
            raise ValueError(f"{function}: 'initial' should be given along with 'where'")
        x = apply(prims.select, need_tensor(where, function, "where"), x, as_tensor(initial, x.dtype))
    if initial is not None:
        x = apply(prims.maximum if largest else prims.minimum, x, as_tensor(initial, x.dtype))
    if position is None:
        return x, as_tensor(0, dtypes.int64)
    where_op = prims.argmax if largest else prims.argmin
    index = apply(where_op, x, axis=position, dtype=dtypes.int64)
    if keepdims:
        index = _keep(index, position)
    # The element found gets the whole gradient.
    found = _keep(index, position) if not keepdims else index
    values = apply(prims.take_along, x, found, axis=position)
    if not keepdims:
        op, attrs = prims.drop_axes_step(values._type, (position,))
        values = apply(op, values, **attrs)
    return values, index


def _keep(x: Tensor, axis: int) -> Tensor:
    op, attrs = prims.insert_axes_step(x._type, (axis,))
    return apply(op, x, **attrs)


def axis_or_scalar(axis: Any, rank: int, function: str) -> int | None:
    if rank == 0:
        axis_of(axis, 1, function)
        return None
    return axis_of(axis, rank, function)


def _with_place(name: str, largest: bool, word: str, limit: str, printed: str) -> Callable[..., tuple[Tensor, Tensor]]:
    """`max` and `min`."""
    over_axes = amax if largest else amin

    def run(
        input: Tensor, axis: int | None = None, keepdims: bool = False, *, initial: Any = None,
        where: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        """The {word} elements along an axis, and the positions of the first ones.

        Args:
            axis: an axis; None takes the {word} of all, with position 0, both 0-d.
            keepdims: whether the axis stays as a dimension of size one.
            initial: the {limit} that a value can be.

        Returns:
            A tuple of the values and the positions (Int64).

        Raises:
            ValueError: if the axis is out of range, or the tensor is empty along it.

        Examples:
            >>> values, positions = ops.{name}(Tensor([[1.0, 5.0], [7.0, 4.0]]), 1)
            >>> print(values, positions)
            {printed}
        """
        if axis is None:
            need_flags(name, keepdims=keepdims)
            return over_axes(input, initial=initial, where=where), as_tensor(0, dtypes.int64)
        return with_position(largest, input, axis, keepdims, name, initial, where)

    return _shared(made(run, name, word=word, limit=limit, printed=printed))


max = _with_place("max", True, "largest", "least", "[5. 7.] [1 0]")
min = _with_place("min", False, "smallest", "most", "[1. 4.] [0 1]")


@known_as(method=True)
def aminmax(input: Tensor, *, axis: int | None = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """The smallest and the largest elements along an axis (None: of all).

    Args:
        axis: the axis; None: all elements.

    Examples:
        >>> low, high = ops.aminmax(Tensor([[1.0, 5.0], [7.0, 4.0]]), axis=1)
        >>> print(low, high)
        [1. 4.] [5. 7.]
    """
    return amin(input, axis, keepdims), amax(input, axis, keepdims)


def position_of(op: Op, input: Tensor, axis: int | None, keepdims: bool, dtype: DType, function: str) -> Tensor:
    """The positions of the first extreme elements along an axis; of all elements in order where it is None."""
    need_flags(function, keepdims=keepdims)
    x = need_tensor(input, function)
    if x.dtype.is_bool:
        x = cast(x, dtypes.int32)
    if axis is None or x.ndim == 0:
        if axis is not None:
            axis_of(axis, 1, function)
        flat = apply(prims.reshape, x, shape=(-1,))
        return apply(op, flat, axis=0, dtype=dtypes.int64 if x.ndim == 0 else dtype)
    position = axis_of(axis, x.ndim, function)
    result = apply(op, x, axis=position, dtype=dtype)
    return _keep(result, position) if keepdims else result


@known_as()
def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The positions (Int64) of the first largest elements along an axis; of all elements in order where it is None.

    Args:
        dim: the dimension; a negative one counts from the end.
        keepdim: whether the reduced dimensions stay as dimensions of size one.

    Raises:
        ValueError: if the axis is out of range.

    Examples:
        >>> print(ops.argmax(Tensor([[1.0, 5.0], [7.0, 4.0]]), 1))
        [1 0]
    """
    return position_of(prims.argmax, input, dim, keepdim, dtypes.int64, "argmax")


@known_as()
def argmin(input: Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """The positions (Int32; Int64 of a number) of the first smallest elements along an axis; None: of all in order.

    Examples:
        >>> print(ops.argmin(Tensor([[1.0, 5.0], [7.0, 4.0]]), 1))
        [0 1]
    """
    return position_of(prims.argmin, input, axis, keepdims, dtypes.int32, "argmin")


reduce_max = over_all_by_default("reduce_max", amax, "[5. 7.]")
reduce_min = over_all_by_default("reduce_min", amin, "[1. 4.]")
