"""Random convolutions by direct sums in machine code, and their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
from drawn_products import Place

from mycel.runtime.kernels.windows import output_spatial
from mycel.runtime.machine.array_functions import compile_direct
from mycel.runtime.machine.direct_sizes import KINDS, DirectSizes
from mycel.runtime.machine.product import has_wide_code, vector_bytes
from mycel.runtime.machine.sizes import NARROW, WIDTH

COLUMNS = (1, 4, 7, 8, 14, 16, 17, 28, 30, 33)
WIDTHS = (WIDTH, NARROW) if has_wide_code() else (NARROW,)
CHANNELS = (1, 2, 3, 8, 15, 16, 17, 31, 33, 40, 48, 80)


class DrawnDirect:
    """Images, a weight and results. `place` gives an array memory of its own, where each access outside is noticed.

    Vectors are those of AVX-512 or of AVX2. Numbers are small and whole, so that sums are exact; what is written is
    full of 7 before.
    """

    def __init__(self, seed: int, place: Place = np.copy) -> None:
        self.random = random = np.random.default_rng(seed)
        self.kind = str(random.choice(KINDS))

        axes = int(random.choice([1, 2, 2, 3]))

        def pair(low: int, high: int) -> tuple[int, ...]:
            return tuple(int(number) for number in random.integers(low, high, axes))

        channels, outputs = (int(n) for n in random.choice(CHANNELS, 2))
        groups, size = int(random.choice([1, 1, 2, 3])), int(random.choice([4, 4, 8]))
        image = *map(int, random.integers(1, 6 if axes == 3 else 9, axes - 1)), int(random.choice(COLUMNS))
        kernel, stride, dilation = pair(1, 5), pair(1, 5 if self.kind == "input" else 4), pair(1, 3)
        low, high = pair(0, 4), pair(0, 4)
        padded = [size + sum(ends) for size, ends in zip(image, zip(low, high, strict=True), strict=True)]
        kernel = tuple(min(k, (size - 1) // d + 1) for k, size, d in zip(kernel, padded, dilation, strict=True))
        made: Any = output_spatial(image, kernel, stride, tuple(zip(low, high, strict=True)), dilation)
        number, width = int(random.integers(1, 4)), WIDTHS[seed % len(WIDTHS)]
        self.sizes = DirectSizes(channels, outputs, image, made, kernel, stride, dilation, low, groups, size, width)
        self.padded = (number, channels * groups, *padded)

        dtype = np.dtype(f"float{8 * size}")

        def numbers(*shape: int) -> np.ndarray:
            return place(random.integers(-3, 4, shape).astype(dtype))

        self.images, self.results = numbers(number, channels * groups, *image), numbers(number, outputs * groups, *made)
        self.weight = numbers(outputs * groups, channels, *kernel)
        self.room = place(np.full(self.sizes.room(self.kind), 7, dtype))
        self.written.fill(7)

    @property
    def written(self) -> np.ndarray:
        """The array that is computed."""
        return {"forward": self.results, "input": self.images, "weight": self.weight}[self.kind]

    def arguments(self) -> list[Any]:
        """What the function takes."""
        others = {
            "forward": (self.images, self.weight),
            "input": (self.results, self.weight),
            "weight": (self.images, self.results),
        }
        return [*others[self.kind], self.written, self.room]

    def wanted(self) -> np.ndarray:
        """What the function should write."""
        sizes = self.sizes
        whole = np.zeros(self.padded, np.float64)
        inside = whole[(..., *(slice(low, low + size) for low, size in zip(sizes.low, sizes.image, strict=True)))]
        if self.kind != "input":
            inside[...] = self.images
        made, results = np.zeros(self.results.shape), _groups(self.results, sizes.groups)
        weight = np.zeros(self.weight.shape)
        ends = list(zip(sizes.stride, sizes.dilation, sizes.made, strict=True))
        by_group = self.weight.reshape(sizes.groups, sizes.outputs, sizes.channels, *sizes.kernel)
        sums = weight.reshape(by_group.shape)
        for taps in np.ndindex(sizes.kernel):
            cut = [slice(k * d, k * d + (m - 1) * s + 1, s) for k, (s, d, m) in zip(taps, ends, strict=True)]
            seen, factors = _groups(whole[(..., *cut)], sizes.groups), by_group[(..., *taps)]
            if self.kind == "forward":
                made += np.einsum("ngc...,goc->ngo...", seen, factors).reshape(made.shape)
            elif self.kind == "input":
                whole[(..., *cut)] += np.einsum("ngo...,goc->ngc...", results, factors).reshape(
                    seen.shape[0], -1, *seen.shape[3:]
                )
            else:
                flat = (*seen.shape[:3], -1)
                sums[(..., *taps)] = np.einsum(
                    "ngcp,ngop->goc", seen.reshape(flat), results.reshape(*results.shape[:3], -1)
                )
        return {"forward": made, "input": inside, "weight": weight}[self.kind]

    def check(self) -> None:
        """Compute and compare; AssertionError where something differs."""
        wanted = self.wanted()
        done = compile_direct(self.kind, *self.sizes)(*self.arguments())
        assert done is bool(vector_bytes()), self.describe()
        if done:
            np.testing.assert_array_equal(self.written, wanted, self.describe())

    def describe(self) -> str:
        """What a failure tells."""
        return f"{self.kind} of {len(self.images)} images: {self.sizes}"


def _groups(array: np.ndarray, groups: int) -> np.ndarray:
    """With an axis of groups before the channels."""
    return array.reshape(len(array), groups, -1, *array.shape[2:])
