"""Numbers that initializers draw: normal, uniform and truncated, with the fans and gains that scale them."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ...runtime import draws, normals, processors, threads
from ...runtime.random import initial_generator, initial_generators

Array = np.ndarray


BLOCK = 1 << 15  # numbers that are drawn at once
PIECE = 1 << 19  # numbers of one piece of a large array; threads share the pieces


def _normal(shape: tuple[int, ...]) -> Array:
    return initial_generator().standard_normal(shape, np.float32)


def _fill_normal(arr: Array, sigma: float, mean: float | None = None) -> None:
    """Fill an array with normal numbers. Threads share a large one; the numbers do not depend on that."""

    def scale(block: Array) -> None:
        block *= sigma
        if mean is not None:
            block += mean

    whole = _plain(arr)
    normals.fill(whole.reshape(-1), initial_generators(), scale)
    if whole is not arr:
        arr[...] = whole


def _fill_uniform(arr: Array, scale: float) -> None:
    """Fill an array with numbers in [-scale, scale). Threads share a large one; the numbers do not depend on that."""
    behind = initial_generators()

    def fill_piece(piece: int, thread: int) -> None:
        generator = behind(piece * PIECE)

        def fill(block: Array) -> None:
            generator.random(dtype=np.float32, out=block)
            block *= np.float32(2)
            block -= np.float32(1)
            block *= scale

        _fill_in_blocks(flat[piece * PIECE : (piece + 1) * PIECE], fill)

    whole = _plain(arr)
    flat = whole.reshape(-1)
    threads.share(fill_piece, -(-flat.size // PIECE), processors.thread_count() if flat.size > PIECE else 1)
    if whole is not arr:
        arr[...] = whole


def _plain(arr: Array) -> Array:
    """An array itself if it has Float32 numbers side by side, or another one of its shape."""
    is_plain = arr.dtype == np.float32 and arr.dtype.isnative and arr.flags.carray
    return arr if is_plain else np.empty(arr.shape, np.float32)


def _fill_in_blocks(arr: Array, fill: Callable[[Array], None]) -> None:
    """Fill an array with Float32 numbers, block by block: each is still in the cache when it is scaled."""
    whole = _plain(arr)
    flat = whole.reshape(-1)
    for start in range(0, flat.size, BLOCK):
        fill(flat[start : start + BLOCK])
    if whole is not arr:
        arr[...] = whole


def _fill_truncated_normal(arr: Array, mean: float, sigma: float, low: float, high: float) -> None:
    if low >= high:
        raise ValueError(f"a truncated normal distribution needs bounds with a < b, but got {low} and {high}")
    draws.truncated_normal(arr.shape, np.float32, mean, sigma, low, high, out=arr)


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
