"""Windows as columns, and columns summed: machine code and NumPy against one tap after the other."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from mycel.runtime.kernels import windows as kernels

Windows = dict[str, Any]


def drawn(random: np.random.Generator) -> tuple[tuple[int, ...], Windows]:
    """A spatial shape, and windows that fit into it."""
    while True:
        axes = int(random.integers(1, 4))
        kernel, stride, dilation, size = (
            tuple(map(int, random.integers(*limits, axes))) for limits in ((1, 5), (1, 5), (1, 3), (3, 20))
        )
        padding = tuple((int(low), int(high)) for low, high in random.integers(0, 3, (axes, 2)))
        windows = {"kernel": kernel, "stride": stride, "padding": padding, "dilation": dilation}
        reach = [(taps - 1) * spread + 1 for taps, spread in zip(kernel, dilation, strict=True)]
        if all(length + sum(edges) >= far for length, edges, far in zip(size, padding, reach, strict=True)):
            return size, windows


def taps(shape: tuple[int, ...], windows: Windows) -> tuple[tuple[int, ...], list[tuple[Any, Any]]]:
    """How many windows there are, and for each tap of a padded image its key in columns and its elements."""
    counts = kernels.output_spatial(shape, *(windows[key] for key in ("kernel", "stride", "padding", "dilation")))
    keys = []
    for tap in itertools.product(*map(range, windows["kernel"])):
        elements = (
            slice(place * spread, place * spread + (count - 1) * step + 1, step)
            for place, spread, count, step in zip(tap, windows["dilation"], counts, windows["stride"], strict=True)
        )
        keys.append(((slice(None), slice(None), *tap), (slice(None), slice(None), *elements)))
    return counts, keys


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32"])
def test_columns_and_their_sums(dtype: str) -> None:
    """Copies are exact; each element adds its taps in their order."""
    random = np.random.default_rng(7)
    for _ in range(150):
        size, windows = drawn(random)
        x = random.integers(-9, 9, (2, 3, *size)).astype(dtype)
        x = x[:, ::-1] if random.random() < 0.3 else x
        padding = ((0, 0), (0, 0), *windows["padding"])
        padded, (counts, keys) = np.pad(x, padding), taps(size, windows)
        columns = np.zeros((2, 3, *windows["kernel"], *counts), dtype)
        summed = np.zeros(padded.shape, dtype)
        for key, elements in keys:
            columns[key] = padded[elements]
        y = (columns * 0.37).astype(dtype)
        for key, elements in keys:
            summed[elements] += y[key]
        flat = columns.reshape(2, 3 * len(keys), -1)
        out = np.empty_like(flat)
        np.testing.assert_array_equal(kernels.unfold(x, **windows), flat)
        assert kernels.unfold(x, **windows, out=out) is out
        np.testing.assert_array_equal(out, flat)
        wanted = summed[tuple(slice(low, low + length) for (low, _), length in zip(padding, x.shape, strict=True))]
        found = kernels.fold(y.reshape(flat.shape), size, **windows)
        if dtype == "float16":  # summed in float32
            np.testing.assert_allclose(found.astype(float), wanted.astype(float), rtol=1e-2, atol=1e-2)
        else:
            np.testing.assert_array_equal(found, wanted)


def test_rows_apart_are_taken_apart() -> None:
    """The target of columns may have gaps; there may be no image."""
    x = np.arange(12.0, dtype=np.float32).reshape(1, 1, 3, 4)
    windows: Windows = {"kernel": (2, 2), "stride": (1, 1), "padding": ((0, 0),) * 2, "dilation": (1, 1)}
    out = np.zeros((1, 4, 12), np.float32)[:, :, ::2]
    np.testing.assert_array_equal(kernels.unfold(x, **windows, out=out), kernels.unfold(x, **windows))
    assert kernels.unfold(x[:0], **windows).shape == (0, 4, 6)
    assert kernels.fold(np.zeros((0, 4, 6), np.float32), (3, 4), **windows).shape == (0, 1, 3, 4)
