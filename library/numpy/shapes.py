"""`mycel.numpy`: shapes, turns, padding, and tensors joined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...frontend.errors.spelling import check_keywords
from ...frontend.values.arguments import one_axis
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..docstrings import Shared
from ..functions.table import made
from .creation import _shape
from .documentation import common
from .elementwise import tensor_of

_shared = Shared(
    """
    Args:
        arys: tensors, numbers or sequences.

    Raises:
        TypeError: if `arys` holds no numbers.
    """,
    common,
)


@_shared
def reshape(x: Any, new_shape: Any) -> Tensor:
    """The tensor in another shape.

    Args:
        new_shape: the shape, one size of which may be -1.

    Examples:
        >>> print(mnp.reshape([1, 2], (2, 1)))
        [[1]
         [2]]
    """
    return ops.reshape(tensor_of(x), new_shape)


@_shared
def ravel(x: Any) -> Tensor:
    """The elements in one dimension.

    Examples:
        >>> print(mnp.ravel([[1, 2], [3, 4]]))
        [1 2 3 4]
    """
    return ops.ravel(tensor_of(x))


@_shared
def transpose(a: Any, axes: Any = None) -> Tensor:
    """The tensor with its dimensions permuted, or reversed.

    Args:
        axes: the order of all dimensions; None: reversed.

    Examples:
        >>> print(mnp.transpose([[1, 2]]).shape)
        (2, 1)
    """
    x = tensor_of(a)
    return ops.transpose(x, tuple(reversed(range(x.ndim))) if axes is None else axes)


@_shared
def expand_dims(a: Any, axis: Any) -> Tensor:
    """The tensor with new dimensions of size one at these places of the result.

    Args:
        axis: the positions of the new dimensions, an int or a tuple.

    Examples:
        >>> print(mnp.expand_dims([1, 2], 0).shape)
        (1, 2)
    """
    return ops.expand_dims(tensor_of(a), axis)


@_shared
def squeeze(a: Any, axis: Any = None) -> Tensor:
    """The tensor without dimensions of size one.

    Args:
        axis: the axis, or a tuple of axes, of size one; None: all.

    Examples:
        >>> print(mnp.squeeze([[1, 2]]))
        [1 2]
    """
    return ops.squeeze(tensor_of(a), axis)


@_shared
def swapaxes(x: Any, axis1: int, axis2: int) -> Tensor:
    """The tensor with two dimensions exchanged.

    Args:
        axis1: the first axis.
        axis2: the second axis.

    Examples:
        >>> print(mnp.swapaxes(mnp.ones((1, 2)), 0, 1).shape)
        (2, 1)
    """
    return ops.swapaxes(tensor_of(x), axis1, axis2)


@_shared
def moveaxis(a: Any, source: Any, destination: Any) -> Tensor:
    """The tensor with dimensions moved to other places.

    Args:
        source, destination: ints, or tuples of ints.

    Examples:
        >>> print(mnp.moveaxis(mnp.ones((1, 2)), 0, 1).shape)
        (2, 1)
    """
    return ops.moveaxis(tensor_of(a), source, destination)


@_shared
def rollaxis(x: Any, axis: int, start: int = 0) -> Tensor:
    """The tensor with one dimension moved before another.

    Args:
        start: before which dimension.

    Examples:
        >>> print(mnp.rollaxis(mnp.ones((1, 2)), 1).shape)
        (2, 1)
    """
    value = tensor_of(x)
    place = one_axis(axis, value.ndim, "rollaxis")
    goal = start if start == value.ndim else one_axis(start, value.ndim, "rollaxis", "start")
    return ops.moveaxis(value, place, goal - 1 if goal > place else goal)


@_shared
def broadcast_to(array: Any, shape: Any) -> Tensor:
    """The tensor broadcast to a shape.

    Args:
        array: a tensor or nested sequence of numbers, of any shape.

    Raises:
        TypeError: if `array` holds no numbers.

    Examples:
        >>> print(mnp.broadcast_to([1], (3,)))
        [1 1 1]
    """
    return ops.broadcast_to(tensor_of(array), _shape(shape))


def broadcast_arrays(*args: Any) -> list[Tensor]:
    """The tensors broadcast to their common shape.

    Args:
        args: tensors or sequences whose shapes can be broadcast together.

    Raises:
        TypeError: if `args` holds no numbers.
        ValueError: if the shapes cannot be broadcast together.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(*mnp.broadcast_arrays([1], [2, 3]))
        [1 1] [2 3]
    """
    return list(ops.broadcast_tensors(*map(tensor_of, args)))


@_shared
def atleast_1d(*arys: Any) -> Any:
    """Tensors with at least one dimension.

    Raises:
        TypeError: if an argument is of another kind.

    Examples:
        >>> print(mnp.atleast_1d(1).shape)
        (1,)
    """
    return _each(ops.atleast_1d, arys)


@_shared
def atleast_2d(*arys: Any) -> Any:
    """Tensors with at least two dimensions.

    Examples:
        >>> print(mnp.atleast_2d([1, 2]).shape)
        (1, 2)
    """
    return _each(ops.atleast_2d, arys)


@_shared
def atleast_3d(*arys: Any) -> Any:
    """Tensors with at least three dimensions.

    Examples:
        >>> print(mnp.atleast_3d([1, 2]).shape)
        (1, 2, 1)
    """
    return _each(ops.atleast_3d, arys)


def _each(function: Any, values: tuple[Any, ...]) -> Any:
    results = [function(tensor_of(item)) for item in values]
    return results[0] if len(results) == 1 else results


@_shared
def flip(m: Any, axis: Any = None) -> Tensor:
    """The tensor with the order of its elements along some axes (all by default) reversed.

    Args:
        axis: the axis, or a tuple of axes; None: all.

    Examples:
        >>> print(mnp.flip([1, 2, 3]))
        [3 2 1]
    """
    x = tensor_of(m)
    return ops.flip(x, tuple(range(x.ndim)) if axis is None else axis)


def _flipped(name: str, axis: int, lines: str, printed: str) -> Callable[[Any], Tensor]:
    """`flipud` and `fliplr`."""

    def run(m: Any) -> Tensor:
        """The tensor with the order of its {lines} reversed.

        Examples:
            >>> print(mnp.{name}([[1, 2], [3, 4]]))
            {printed}
        """
        return flip(m, axis)

    return _shared(made(run, name, lines=lines, printed=printed))


flipud = _flipped("flipud", 0, "rows", "[[3 4]\n     [1 2]]")
fliplr = _flipped("fliplr", 1, "columns", "[[2 1]\n     [4 3]]")


@_shared
def rot90(a: Any, k: int = 1, axes: Any = (0, 1)) -> Tensor:
    """The tensor turned by 90 degrees k times in a plane.

    Args:
        k: how often.
        axes: the two axes of the plane.

    Examples:
        >>> print(mnp.rot90([[1, 2], [3, 4]]))
        [[2 4]
         [1 3]]
    """
    return ops.rot90(tensor_of(a), k, axes)


@_shared
def roll(a: Any, shift: Any, axis: Any = None) -> Tensor:
    """The tensor with its elements moved on.

    Args:
        shift: how far, an int or one for each axis.
        axis: the axis, or a tuple of axes; None: all elements in order.

    Examples:
        >>> print(mnp.roll([1, 2, 3], 1))
        [3 1 2]
    """
    return ops.roll(tensor_of(a), shift, axis)


@_shared
def tile(a: Any, reps: Any) -> Tensor:
    """The tensor repeated as a whole.

    Args:
        reps: how often, an int or one for each dimension.

    Examples:
        >>> print(mnp.tile([1, 2], 2))
        [1 2 1 2]
    """
    return ops.tile(tensor_of(a), _shape(reps))


@_shared
def repeat(a: Any, repeats: Any, axis: int | None = None) -> Tensor:
    """The tensor with each element repeated.

    Args:
        repeats: how often, an int or one for each element.

    Examples:
        >>> print(mnp.repeat([1, 2], 2))
        [1 1 2 2]
    """
    return ops.repeat_interleave(tensor_of(a), repeats, axis)


def pad(
    arr: Any, pad_width: Any, mode: str = "constant", stat_length: Any = None, constant_values: Any = 0,
    end_values: Any = 0, reflect_type: str = "even", **kwargs: Any,
) -> Tensor:  # fmt: skip
    """The tensor padded: "constant", "edge", "reflect", "symmetric", "wrap", "maximum", "mean", "minimum".

    Args:
        arr: a tensor or nested sequence of numbers, of any shape.
        pad_width: one number, one pair, or a pair for each axis.
        mode: one of these modes.
        stat_length: how many elements at the edges count for the modes of extrema, mean and median; None: all.
        constant_values: one number, or pairs as in `pad_width`.
        end_values: the numbers at the ends for "linear_ramp".
        reflect_type: "even" or "odd".
        kwargs: none: modes that are functions, which take them, are not supported.

    Raises:
        ValueError: for another mode. TypeError: for other arguments by name.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.pad([1, 2], 1))
        [0 1 2 0]
    """
    check_keywords("pad", kwargs, ())
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
    if mode == "linear_ramp":
        for axis, ((low, high), ends) in enumerate(zip(widths, _per_axis(end_values, x.ndim), strict=True)):
            parts = [x]
            for place, (count, end) in enumerate(zip((low, high), ends, strict=True)):
                size = int(x.shape[axis])
                edge = ops.index_select(x, axis, Tensor([place * (size - 1)]))
                steps = np.arange(count)[:: 1 - 2 * place] / max(count, 1)
                shares = Tensor(steps.reshape(-1, *[1] * (x.ndim - axis - 1)), dtypes.float32)
                ramp = ops.cast(ops.add(ops.mul(ops.sub(edge, end), shares), end), x.dtype)
                parts.insert(place * len(parts), ramp)
            x = ops.concat(parts, axis)
        return x
    names = {"edge": "replicate", "reflect": "reflect", "symmetric": "symmetric", "wrap": "circular"}
    if mode not in names or reflect_type != "even":
        raise ValueError(f"pad: the mode {mode!r} with reflect_type {reflect_type!r} is not supported")
    return ops.array_pad.pad_with_itself(x, [(int(low), int(high)) for low, high in widths], names[mode])


def _per_axis(value: Any, rank: int) -> list[tuple[Any, Any]]:
    items = np.array(value.tolist() if isinstance(value, Tensor) else value)
    return [(low, high) for low, high in np.broadcast_to(items, (rank, 2)).tolist()]
