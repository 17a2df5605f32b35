"""Functions behind the initializers that programs import to write their own (`mindspore.common.initializer`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

import numpy as np

from ...frontend.control_flow import random_draws
from ...runtime import initial_numbers
from .. import initializer as _initializers
from ..initializer.draws import _filled, _gain, _truncated

Array = np.ndarray[Any, np.dtype[Any]]


def _calculate_fan_in_and_fan_out(shape: Any) -> tuple[int, int]:
    """(fan_in, fan_out) of a weight.

    Raises:
        ValueError: for a shape of fewer than two dimensions.
    """
    sizes = tuple(shape)
    if len(sizes) < 2:
        raise ValueError(
            "'fan_in' and 'fan_out' can not be computed for tensor with fewer than 2 dimensions, but got dimensions "
            f"{len(sizes)}."
        )
    field = math.prod(sizes[2:])
    return sizes[1] * field, sizes[0] * field


def _calculate_correct_fan(shape: Any, mode: str) -> int:
    """The fan that a mode means.

    Raises:
        ValueError: for a mode other than 'fan_in' and 'fan_out', or a shape of fewer than two dimensions.
    """
    modes = ("fan_in", "fan_out")
    if str(mode).lower() not in modes:
        raise ValueError(f"'mode' {mode} not supported, please use one of {list(modes)}.")
    return _calculate_fan_in_and_fan_out(shape)[modes.index(mode.lower())]


def _calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """The recommended gain of a nonlinearity: the ratio of standard deviations before and after it.

    Raises:
        ValueError: for an unknown nonlinearity, or a slope that is no number.
    """
    if nonlinearity == "leaky_relu" and param is None:
        param = 0.01
    return _gain(nonlinearity, 0 if param is None else param)


def _calculate_in_and_out(arr: Any) -> tuple[int, int]:
    """(number of inputs, number of outputs) of a layer with this weight.

    Raises:
        ValueError: for an array of fewer than two dimensions.
    """
    shape = arr.shape
    if len(shape) < 2:
        raise ValueError(
            "If initialize data with xavier uniform, the dimension of data must be greater than 1, "
            f"but got {len(shape)}."
        )
    return _calculate_fan_in_and_fan_out(shape)


def _assignment(arr: Array, num: Any) -> Array:
    """An array with new numbers: the same memory, but for an array without dimensions."""
    if arr.shape == ():
        return np.full((1,), num, arr.dtype).reshape(())
    arr[...] = num
    return arr


def _numpy_seed() -> int:
    """A seed for initial values, from NumPy's global generator."""
    return random_draws.draw_initial(initial_numbers.initial_seed)


def _init_random_normal(mean: float, sigma: float, shape: tuple[int, ...]) -> Array:
    """Numbers from N(mean, sigma²)."""
    return _filled(shape, initial_numbers.normal, mean, sigma)


def _init_random_uniform(a: float, b: float, shape: tuple[int, ...]) -> Array:
    """Numbers from the uniform distribution on [a, b)."""
    return _filled(shape, initial_numbers.uniform, a, b)


def _init_truncated_normal(a: float, b: float, mean: float, sigma: float, shape: tuple[int, ...]) -> Array:
    """Numbers from N(mean, sigma²) in [a, b]."""
    return _filled(shape, _truncated, mean, sigma, a, b)


def _init_random_normal_inplace(mean: float, sigma: float, arr: Array) -> None:
    """Fill an array from N(mean, sigma²)."""
    arr[...] = _init_random_normal(mean, sigma, arr.shape)


def _init_random_uniform_inplace(a: float, b: float, arr: Array) -> None:
    """Fill an array from the uniform distribution on [a, b)."""
    arr[...] = _init_random_uniform(a, b, arr.shape)


def _init_truncated_normal_inplace(a: float, b: float, mean: float, sigma: float, arr: Array) -> None:
    """Fill an array from N(mean, sigma²) in [a, b]."""
    arr[...] = _init_truncated_normal(a, b, mean, sigma, arr.shape)


def _register(*aliases: str) -> Callable[[Any], Any]:
    """For a class of initializers: `initializer("its name", shape)` then finds it, by its name in small letters too."""

    def decorate(kind: Any) -> Any:
        for name in (kind.__name__.lower(), *aliases):
            _initializers._BY_NAME[name.lower()] = kind
        return kind

    return decorate


class _Aliases(MutableMapping[str, Any]):
    """The classes of initializers by their names, read and written."""

    def __getitem__(self, name: str) -> Any:
        return _initializers._BY_NAME[name]

    def __setitem__(self, name: str, kind: Any) -> None:
        _initializers._BY_NAME[name.lower()] = kind

    def __delitem__(self, name: str) -> None:
        del _initializers._BY_NAME[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_initializers._BY_NAME)

    def __len__(self) -> int:
        return len(_initializers._BY_NAME)


_INITIALIZER_ALIAS = _Aliases()
