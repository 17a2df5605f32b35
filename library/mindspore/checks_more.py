"""Further checks of arguments (`mindspore._checkparam`): types by decorators, sizes for several axes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from ...frontend.api.checks import check_value_type

__all__ = ["args_type_check", "check_input_data", "check_number", "once", "triple", "twice"]

_SIGNS: dict[Any, Callable[[Any, Any], bool]] = {
    1: lambda a, b: a == b, 2: lambda a, b: a != b, 3: lambda a, b: a < b,
    4: lambda a, b: a <= b, 5: lambda a, b: a > b, 6: lambda a, b: a >= b,
}  # fmt: skip


def args_type_check(*type_args: Any, **type_kwargs: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """For a function: its arguments should be of these types, given by place or by name, or None.

    Raises:
        TypeError: at a call with an argument of another type.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)
        kinds = signature.bind_partial(*type_args, **type_kwargs).arguments
        kinds = kinds.get("kwargs", kinds)

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            given = signature.bind(*args, **kwargs).arguments
            for name, value in given.get("kwargs", given).items():
                if value is not None and name in kinds and not isinstance(value, kinds[name]):
                    raise TypeError(f"The parameter '{name}' must be {kinds[name]}, but got {type(value)}")
            return function(*args, **kwargs)

        return checked

    return decorate


def _expand_tuple(n_dimensions: int) -> Callable[[Any], tuple[int, ...]]:
    """A function from a size to one size for each axis.

    Raises:
        TypeError: from the function, for what is neither an int nor a tuple of as many ints.
    """

    def convert(size: Any) -> tuple[int, ...]:
        sizes = (size,) * n_dimensions if isinstance(size, int) and not isinstance(size, bool) else size
        whole = isinstance(sizes, tuple) and all(isinstance(s, int) and not isinstance(s, bool) for s in sizes)
        if not whole or len(sizes) != n_dimensions:
            raise TypeError(f"a size should be an int or a tuple of {n_dimensions} ints, but got {size!r}")
        return sizes

    return convert


once, twice, triple = _expand_tuple(1), _expand_tuple(2), _expand_tuple(3)


def check_number(arg_value: Any, value: Any, rel: Any, arg_type: Any = int, *names: Any) -> Any:
    """A number that is in a relation to another; the number.

    Raises:
        TypeError: for another type.
        ValueError: if the relation does not hold.
    """
    name = names[0] if names else "number"
    check_value_type(name, arg_value, [arg_type])
    if not _SIGNS[rel](arg_value, value):
        raise ValueError(f"The '{name}' should be in relation {rel} to {value}, but got {arg_value}.")
    return arg_value


def check_input_data(*data: Any, data_class: Any) -> None:
    """Values, or those in lists and dicts, of some types.

    Raises:
        ValueError: for an empty list.
        TypeError: for another type.
    """
    for item in data:
        if isinstance(item, (list, tuple)):
            check_input_data(*item, data_class=data_class)
        elif isinstance(item, dict):
            check_input_data(*item.values(), data_class=data_class)
        elif not isinstance(item, data_class):
            raise TypeError(f"The types of input data should be {data_class}, but got {type(item)}.")
