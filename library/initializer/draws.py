"""Numbers that initializers draw: normal, uniform and truncated, with the fans and gains that scale them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...frontend.control_flow.random_draws import draw_initial
from ...runtime import draws, initial_numbers
from ...runtime.random import RandomState

Array = np.ndarray


def _filled(shape: Any, fill: Callable[..., None], *arguments: float) -> Array:
    """A new Float32 array, filled by a function of `initial_numbers`."""
    numbers = np.empty(shape, np.float32)
    draw_initial(fill, numbers.reshape(-1), *arguments)
    return numbers


def _fill(arr: Array, fill: Callable[..., None], *arguments: float) -> None:
    """Fill an array. Threads share a large one; the numbers do not depend on that."""
    if arr.dtype == np.float32 and arr.dtype.isnative and arr.flags.carray:
        draw_initial(fill, arr.reshape(-1), *arguments)
    else:
        arr[...] = _filled(arr.shape, fill, *arguments)


def _normal(shape: tuple[int, ...]) -> Array:
    return _filled(shape, initial_numbers.normal, 0.0, 1.0)


def _fill_normal(arr: Array, sigma: float, mean: float = 0.0) -> None:
    _fill(arr, initial_numbers.normal, mean, sigma)


def _fill_uniform(arr: Array, scale: float) -> None:
    """Fill an array with numbers in [-scale, scale)."""
    _fill(arr, initial_numbers.uniform, -scale, scale)


def _fill_truncated_normal(arr: Array, mean: float, sigma: float, low: float, high: float) -> None:
    if low >= high:
        raise ValueError(f"a truncated normal distribution needs bounds with a < b, but got {low} and {high}")
    _fill(arr, _truncated, mean, sigma, low, high)


def _truncated(flat: Array, mean: float, sigma: float, low: float, high: float) -> None:
    """Fill a vector; in tails with other numbers than MindSpore's."""
    if not initial_numbers.truncated_normal(flat, mean, sigma, low, high):
        own = RandomState(initial_numbers.initial_seed())
        draws.truncated_normal(flat.shape, np.float32, mean, sigma, low, high, flat, own)


def _fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """(fan_in, fan_out) of a weight of this shape."""
    if len(shape) == 0:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def _both_fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """(fan_in, fan_out) of a weight of at least two dimensions. ValueError for a vector."""
    return _fan(shape, "fan_in"), _fan(shape, "fan_out")


def _fan(shape: tuple[int, ...], mode: str) -> int:
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"an initializer's 'mode' should be 'fan_in' or 'fan_out', but got {mode!r}")
    if len(shape) < 2:
        raise ValueError(f"fan_in and fan_out exist for two dimensions and more, but the shape is {shape}")
    return _fans(shape)[mode == "fan_out"]


def _gain(nonlinearity: str, slope: float) -> float:
    if nonlinearity in ("linear", "sigmoid") or nonlinearity.startswith("conv"):
        return 1.0
    if nonlinearity == "tanh":
        return 5 / 3
    if nonlinearity == "relu":
        return math.sqrt(2)
    if nonlinearity == "leaky_relu":
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"an initializer's 'negative_slope' should be a number, but got {slope!r}")
        return math.sqrt(2 / (1 + slope * slope))
    raise ValueError(
        f"an initializer's 'nonlinearity' should be 'leaky_relu', 'relu', 'tanh', 'sigmoid' or 'linear', "
        f"but got {nonlinearity!r}"
    )
