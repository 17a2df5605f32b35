"""Argument checks: axes, sizes, choices and tensors in the form that ops take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

import numpy as np

from ...compiler import ops as prims
from ...compiler.ir.types import Shape
from ...runtime import dtypes
from .dispatch import apply, cast
from .operands import need_tensor
from .tensor import Tensor
from .traced_tensor import is_traced


def _type_name(value: Any) -> str:
    return type(value).__name__


def need_type(value: Any, kinds: Any, what: str, shown: Callable[[Any], str] = _type_name) -> Any:
    """The value, if it is of a type or union of types; else a TypeError: `what`, and its type. Only bool takes a bool.

    Args:
        shown: what the message says of the value; its type by default.

    Examples:
        >>> from mycel.frontend.values.arguments import need_type
        >>> need_type(True, int | float, "'scale' should be a number")
        Traceback (most recent call last):
        TypeError: 'scale' should be a number, but got bool
    """
    allowed = get_args(kinds) or (kinds,)
    if not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed):
        raise TypeError(f"{what}, but got {shown(value)}")
    return value


def need_flags(function: str, **flags: Any) -> None:
    """Raise TypeError for an argument that is neither bool nor int, such as a string, which Python takes for True."""
    for name, value in flags.items():
        if not isinstance(value, (bool, int, np.bool_, Tensor)):
            raise TypeError(f"{function}: '{name}' should be a bool, but got {_type_name(value)}")


def listed(tensors: Any, axis: Any, function: str) -> Any:
    """Tensors to put together along an axis: a sequence, or the rows of one tensor."""
    if not isinstance(tensors, Tensor):
        return tensors
    if isinstance(axis, Tensor) and axis.ndim > 0:
        raise TypeError(f"{function}: the tensors should be in one list or tuple, but 'axis' is a Tensor, too")
    return [tensors[position] for position in range(len(tensors))]


def need_tensors(values: Any, function: str, name: str = "tensors") -> list[Tensor]:
    """The tensors of a sequence. TypeError for anything else in it, ValueError if it is empty."""
    if not isinstance(values, (tuple, list)):
        raise TypeError(f"{function}: '{name}' should be a tuple or list of Tensors, but got {type(values).__name__}")
    if not values:
        raise ValueError(f"{function}: '{name}' should hold at least one Tensor")
    return [need_tensor(item, function, f"{name}[{position}]") for position, item in enumerate(values)]


def shape_of(x: Tensor) -> Shape:
    """The static shape: None for a dimension that only the run knows."""
    return x._type.shape


def whole_number(value: Any, function: str, name: str) -> int:
    """An int, from an int or a Tensor of one integer."""
    if isinstance(value, (bool, float)) or not hasattr(value, "__index__"):
        raise TypeError(f"{function}: '{name}' should be an int, but got {type(value).__name__} {value!r}")
    if isinstance(value, Tensor) and value.ndim > 0 and value._type.shape not in ((1,), (None,)):
        raise TypeError(f"{function}: '{name}' should be an int, but got a Tensor of shape {value.shape}")
    return value.__index__()


def whole_numbers(value: Any, function: str, name: str) -> tuple[int, ...]:
    """A tuple of ints, from an int, a sequence of ints, or a Tensor of integers."""
    if isinstance(value, (tuple, list)):
        return tuple(whole_number(item, function, name) for item in value)
    if isinstance(value, Tensor) and value.ndim == 1:
        return tuple(whole_number(item, function, name) for item in value.tolist())
    return (whole_number(value, function, name),)


def has_unknown(shape: Any) -> bool:
    """Whether a shape has sizes that only the run knows."""
    return isinstance(shape, (tuple, list)) and any(isinstance(item, Tensor) and is_traced(item) for item in shape)


def open_like(shape: Any, function: str) -> Tensor:
    """A tensor of a shape with sizes that only the run knows."""
    unknown = [cast(item, dtypes.int64) for item in shape if isinstance(item, Tensor) and is_traced(item)]
    known = tuple(
        None if isinstance(item, Tensor) and is_traced(item) else whole_number(item, function, "shape")
        for item in shape
    )
    return apply(prims.open_full, *unknown, shape=known, value=False, dtype=dtypes.bool_)


def unpack(values: tuple[Any, ...]) -> Any:
    """The arguments of `f(1, 2)` or `f((1, 2))`: the only argument if it is a sequence, else all arguments."""
    if len(values) == 1 and (
        isinstance(values[0], (tuple, list)) or (isinstance(values[0], Tensor) and values[0].ndim > 0)
    ):
        return values[0]
    return values


def named_several(given: tuple[Any, ...], named: dict[str, Any], names: Sequence[str], takes: str) -> Any:
    """What `f(1, 2)` or `f((1, 2))` got, or got by one of some names; `takes` begins the error for other names."""
    for name in names:
        if set(named) == {name} and not given:
            return named[name]
    if named:
        raise TypeError(f"{takes}, but got the arguments {', '.join(named)}")
    return unpack(given)


def one_axis(axis: Any, rank: int, function: str, name: str = "axis") -> int:
    """An axis counted from the front; ValueError where it is out of range."""
    place = whole_number(axis, function, name)
    if not -rank <= place < rank:
        raise ValueError(f"{function}: the {name} value must be in [{-rank}, {rank}), but got {place}")
    return place + rank if place < 0 else place


def many_axes(axis: Any, rank: int, function: str, name: str = "axis") -> tuple[int, ...]:
    """Axes counted from the front, in the order given; ValueError for one out of range or given twice."""
    result = tuple(one_axis(item, rank, function, name) for item in whole_numbers(axis, function, name))
    if len(set(result)) != len(result):
        raise ValueError(f"{function}: '{name}' should name each dimension once, but got {axis}")
    return result


def choice(value: Any, allowed: tuple[str, ...], function: str, name: str) -> str:
    """The word, if it is allowed; else a ValueError that lists the allowed ones."""
    if value not in allowed:
        raise ValueError(f"{function}: '{name}' should be one of {', '.join(map(repr, allowed))}, but got {value!r}")
    return value


def alternative(given: Any, other: Any, default: Any) -> Any:
    """An argument with two names, given under either, or the default."""
    return given if given is not None else other if other is not None else default


def cut(x: Tensor, axis: int, start: int | None, stop: int | None, step: int = 1) -> Tensor:
    """A slice of x along one axis."""
    bounds = [prims.normalize_slice(None, None, 1, size) for size in shape_of(x)]
    bounds[axis] = prims.normalize_slice(start, stop, step, shape_of(x)[axis])
    starts, stops, steps = zip(*bounds, strict=True)
    return apply(prims.slice, x, start=starts, stop=stops, step=steps)


def insert_axes(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    """x with new dimensions of size one at these (sorted) axes of the result."""
    if not axes:
        return x
    op, attrs = prims.insert_axes_step(x._type, axes)
    return apply(op, x, **attrs)


def drop_axes(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    """x without these (sorted) dimensions of size one."""
    if not axes:
        return x
    op, attrs = prims.drop_axes_step(x._type, axes)
    return apply(op, x, **attrs)
