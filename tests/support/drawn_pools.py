"""Random poolings in machine code: windows of all kinds, and arrays that do not fit together."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from drawn_products import Place

from mycel.runtime.kernels.windows import output_spatial
from mycel.runtime.machine.array_functions import compile_pool
from mycel.runtime.machine.executable import Function, unavailable
from mycel.runtime.machine.pool_sizes import PoolSizes
from mycel.runtime.machine.product import has_wide_code

KINDS = ("maximum", "add", "gradient", "spread")
VECTORS = (32, 64)
"""Bytes of the vectors of AVX2, and of AVX-512."""
COLUMNS = (1, 3, 7, 8, 15, 16, 17, 31, 32, 33, 40, 65)


class DrawnPool:
    """Images and their windows. `place` gives an array memory of its own, where each access outside is noticed.

    Numbers are few and whole, so that sums are exact and windows have several maxima; what is written is full of 7
    before.
    """

    def __init__(self, seed: int, place: Place = np.copy) -> None:
        self.random = random = np.random.default_rng(seed)
        self.kind, self.dtype = str(random.choice(KINDS)), str(random.choice(["float32", "float64"]))

        def pair(low: int, high: int) -> tuple[int, int]:
            return int(random.integers(low, high)), int(random.integers(low, high))

        image = int(random.integers(1, 9)), int(random.choice(COLUMNS))
        kernel, stride, dilation = pair(1, 5), pair(1, 5), pair(1, 3)
        self.low, high = pair(0, 3), pair(0, 3)
        padded = [size + sum(ends) for size, ends in zip(image, zip(self.low, high, strict=True), strict=True)]
        kernel = tuple(min(k, (size - 1) // d + 1) for k, size, d in zip(kernel, padded, dilation, strict=True))  # type: ignore[assignment]
        windows = output_spatial(padded, kernel, stride, (0, 0), dilation)
        reach = [(w - 1) * s + (k - 1) * d + 1 for w, s, k, d in zip(windows, stride, kernel, dilation, strict=True)]
        covering = kernel == stride and dilation == (1, 1) and reach == padded
        height, width = map(max, zip(padded, reach, strict=True))
        self.sizes = PoolSizes(
            self.dtype, image, self.low, height, width, kernel, stride, dilation, windows, covering, 64  # type: ignore[arg-type]
        )  # fmt: skip
        number = int(random.integers(1, 4))
        self.images = place(random.integers(-2, 3, (number, 2, *image)).astype(self.dtype))
        if self.kind == "maximum" and random.random() < 0.3:
            self.images[random.random(self.images.shape) < 0.1] = np.nan
        self.padding = {"maximum": -np.inf, "add": 0.0, "gradient": np.nan}.get(self.kind)
        shape = (number, 2, *windows)
        if self.kind == "gradient":
            maxima = self.combined(np.fmax)
            self.given = [place(maxima), place(random.integers(-4, 5, shape).astype(self.dtype)), self.images]
            self.written = place(np.full(self.images.shape, 7, self.dtype))
        elif self.kind == "spread":
            self.given = [place(random.integers(-4, 5, shape).astype(self.dtype))]
            self.written = place(np.full(self.images.shape, 7, self.dtype))
        else:
            self.given = [self.images]
            self.written = place(np.full(shape, 7, self.dtype))
        lengths = {vector: self.sizes_of(vector).room(self.kind) for vector in VECTORS}
        self.rooms = {vector: place(np.full(length, 7, self.dtype)) for vector, length in lengths.items()}

    def sizes_of(self, vector: int) -> PoolSizes:
        """The sizes for vectors of so many bytes."""
        return self.sizes._replace(vector=vector)

    def function(self, vector: int) -> Function:
        """The function of machine code."""
        return compile_pool(self.kind, *self.sizes_of(vector))

    def arguments(self, vector: int) -> list[Any]:
        """What the function takes."""
        return [*self.given, self.written, self.rooms[vector]]

    def padded(self) -> np.ndarray:
        """The images in their padding."""
        sizes = self.sizes
        whole = np.full((*self.images.shape[:2], sizes.height, sizes.width), self.padding or 0.0, self.dtype)
        whole[..., self.low[0] :, self.low[1] :][..., : sizes.image[0], : sizes.image[1]] = self.images
        return whole

    def taps(self) -> list[tuple[Any, ...]]:
        """What each tap sees of the images in their padding."""
        ends = zip(self.sizes.kernel, self.sizes.stride, self.sizes.dilation, self.sizes.windows, strict=True)
        axes = [[slice(k * d, k * d + (w - 1) * s + 1, s) for k in range(taps)] for taps, s, d, w in ends]
        return [(..., *pair) for pair in itertools.product(*axes)]

    def combined(self, combine: np.ufunc) -> np.ndarray:
        """Each window's elements combined."""
        found = self.padded()
        result: np.ndarray = combine.reduce([found[tap] for tap in self.taps()])
        return result

    def wanted(self) -> np.ndarray:
        """What the function should write."""
        if self.kind in ("add", "maximum"):
            return self.combined(np.add if self.kind == "add" else np.maximum)
        whole, first, gradients = self.padded(), self.given[0], self.given[-2 if self.kind == "gradient" else 0]
        landing, free = np.zeros_like(whole), np.ones(first.shape, bool)
        for tap in self.taps():
            chosen = free & (whole[tap] == first) if self.kind == "gradient" else free
            landing[tap] += np.where(chosen, gradients, 0)
            free = free & ~chosen if self.kind == "gradient" else free
        return landing[..., self.low[0] :, self.low[1] :][..., : self.sizes.image[0], : self.sizes.image[1]]

    def check(self) -> None:
        """Compute and compare, with AVX2 and AVX-512; AssertionError where something differs."""
        for vector, there in zip(VECTORS, (unavailable() is None, has_wide_code()), strict=True):
            for _ in range(2):  # padding is still there
                self.written.fill(7)
                done = self.function(vector)(*self.arguments(vector))
                assert done is there, self.describe()
                if done:
                    np.testing.assert_array_equal(self.written, self.wanted(), f"{vector} {self.describe()}")

    def describe(self) -> str:
        """What a failure tells."""
        return f"{self.kind} of {self.images.shape}: {self.sizes}"
