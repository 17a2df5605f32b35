"""Random convolutions by direct sums in machine code, and their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
from drawn_products import Place

from mycel.runtime.kernels.windows import output_spatial
from mycel.runtime.machine.direct import compile_direct
from mycel.runtime.machine.direct_sizes import KINDS, DirectSizes
from mycel.runtime.machine.product import has_products

COLUMNS = (1, 4, 7, 8, 14, 16, 17, 28, 30, 33)
CHANNELS = (1, 2, 3, 8, 15, 16, 17, 31, 33, 40, 48, 80)


class DrawnDirect:
    """Images, a weight and results. `place` gives an array memory of its own, where each access outside is noticed.

    Numbers are small and whole, so that sums are exact; what is written is full of 7 before.
    """

    def __init__(self, seed: int, place: Place = np.copy) -> None:
        self.random = random = np.random.default_rng(seed)
        self.kind = str(random.choice(KINDS))

        def pair(low: int, high: int) -> tuple[int, int]:
            return int(random.integers(low, high)), int(random.integers(low, high))

        channels, outputs = (int(n) for n in random.choice(CHANNELS, 2))
        image = int(random.integers(1, 9)), int(random.choice(COLUMNS))
        kernel, stride, dilation = pair(1, 5), pair(1, 5 if self.kind == "input" else 4), pair(1, 3)
        low, high = pair(0, 4), pair(0, 4)
        padded = [size + sum(ends) for size, ends in zip(image, zip(low, high, strict=True), strict=True)]
        kernel = tuple(min(k, (size - 1) // d + 1) for k, size, d in zip(kernel, padded, dilation, strict=True))  # type: ignore[assignment]
        made: Any = output_spatial(image, kernel, stride, tuple(zip(low, high, strict=True)), dilation)
        self.sizes = DirectSizes(channels, outputs, image, made, kernel, stride, dilation, low)
        number = int(random.integers(1, 4))
        self.padded = (number, channels, *padded)

        def numbers(*shape: int) -> np.ndarray:
            return place(random.integers(-3, 4, shape).astype(np.float32))

        self.images, self.results = numbers(number, channels, *image), numbers(number, outputs, *made)
        self.weight = numbers(outputs, channels, *kernel)
        self.room = place(np.full(self.sizes.room(self.kind), 7, np.float32))
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
        inside = whole[:, :, sizes.low[0] :, sizes.low[1] :][:, :, : sizes.image[0], : sizes.image[1]]
        if self.kind != "input":
            inside[...] = self.images
        made = np.zeros(self.results.shape)
        weight = np.zeros(self.weight.shape)
        ends = zip(sizes.stride, sizes.dilation, sizes.made, strict=True)
        axes = [lambda k, s=s, d=d, m=m: slice(k * d, k * d + (m - 1) * s + 1, s) for s, d, m in ends]  # type: ignore[misc]
        for i in range(sizes.kernel[0]):
            for j in range(sizes.kernel[1]):
                seen = whole[:, :, axes[0](i), axes[1](j)]
                if self.kind == "forward":
                    made += np.einsum("ncyx,oc->noyx", seen, self.weight[:, :, i, j])
                elif self.kind == "input":
                    seen += np.einsum("noyx,oc->ncyx", self.results, self.weight[:, :, i, j])
                else:
                    weight[:, :, i, j] = np.einsum("ncyx,noyx->oc", seen, self.results)
        return {"forward": made, "input": inside, "weight": weight}[self.kind]

    def check(self) -> None:
        """Compute and compare; AssertionError where something differs."""
        wanted = self.wanted()
        done = compile_direct(self.kind, *self.sizes)(*self.arguments())
        assert done is has_products(), self.describe()
        if done:
            np.testing.assert_array_equal(self.written, wanted, self.describe())

    def describe(self) -> str:
        """What a failure tells."""
        return f"{self.kind} of {len(self.images)} images: {self.sizes}"
