"""Random depthwise convolutions in machine code: images of many layouts, and arrays that do not fit together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from drawn_products import Place

from mycel.runtime.machine.array_functions import compile_depthwise, compile_narrow_depthwise
from mycel.runtime.machine.product import vector_bytes
from mycel.runtime.machine.sizes import NARROW, WIDTH

COLUMNS = (1, 3, 7, 14, 15, 16, 17, 28, 32, 40)


class DrawnDepthwise:
    """What taps see, the weight, and results. `place` gives an array memory of its own, where each access outside is
    noticed. Numbers are small and whole, so that sums are exact; what is written is full of 7 before.
    """

    def __init__(self, seed: int, place: Place = np.copy) -> None:
        self.random = random = np.random.default_rng(seed)
        self.kind = str(random.choice(["forward", "weight"]))
        lead = tuple(int(n) for n in random.integers(1, 4, 2))
        rows, columns = (int(n) for n in random.integers(1, 9, 2))
        height, width = int(random.integers(1, 20)), int(random.choice(COLUMNS))
        step, below, beside = (int(n) for n in random.integers(1, 3, 3))
        images = (*lead, (height - 1) * step + (rows - 1) * below + 1, width + (columns - 1) * beside)
        x = place(random.integers(-4, 5, images).astype(np.float32))
        shape, steps = (*lead, rows, columns, height, width), x.strides
        strides = (*steps[:2], steps[2] * below, steps[3] * beside, steps[2] * step, steps[3])
        common = math.gcd(step, below)
        sizes = self.kind, rows, step // common, below // common
        self.functions = {NARROW: compile_narrow_depthwise(*sizes, width), WIDTH: compile_depthwise(*sizes)}
        self.seen = np.lib.stride_tricks.as_strided(x, shape, strides)
        turned, kernel = random.random() < 0.5, (lead[1], rows, columns)
        self.weights = {}
        for vector in self.functions:
            weight = random.integers(-4, 5, kernel) if self.kind == "forward" else np.full((*kernel, vector // 4), 7)
            whole = place(weight.astype(np.float32))
            self.weights[vector] = whole[:, ::-1, ::-1] if turned else whole
        gap = int(random.integers(3))
        out = random.integers(-4, 5, (*lead, height, width + gap)) if self.kind == "weight" else np.full(
            (*lead, height, width + gap), 7
        )  # fmt: skip
        self.whole = place(out.astype(np.float32))
        self.out = self.whole[..., :width]
        self.adds = self.kind == "forward" and bool(random.random() < 0.4)

    def arguments(self, vector: int) -> list[Any]:
        """What the function with vectors of so many bytes takes."""
        return [self.seen, self.weights[vector], self.out]

    def check(self) -> None:
        """Compute and compare, with AVX2 and AVX-512; AssertionError where something differs."""
        for vector, function in self.functions.items():
            given, weight = self.arguments(vector), self.weights[vector]
            if self.kind == "forward":
                self.whole.fill(7)
                wanted = np.einsum("ncijyx,cij->ncyx", self.seen, weight) + 7 * self.adds
            else:
                wanted = np.einsum("ncijyx,ncyx->cij", self.seen, self.out)
            done = function(*given, *(self.out,) * self.adds)
            assert done is (vector <= vector_bytes()), self.describe()
            if done:
                found = self.out if self.kind == "forward" else weight.sum(axis=-1)
                np.testing.assert_array_equal(found, wanted, f"{vector} {self.describe()}")
                if self.kind == "forward":
                    assert (self.whole[..., self.out.shape[-1] :] == 7).all(), f"written beside: {self.describe()}"

    def check_refusal(self) -> None:
        """Arrays that do not fit are refused, and nothing is written."""
        for vector in self.functions:
            self.check_refusal_of(vector)

    def check_refusal_of(self, vector: int) -> None:
        """The same for vectors of so many bytes."""
        given = self.arguments(vector)
        position = int(self.random.integers(3))
        array = given[position]
        axis = int(self.random.integers(array.ndim))
        wider = np.full([size + (place == axis) for place, size in enumerate(array.shape)], 7, np.float32)
        wrong: list[Any] = [
            wider,
            array.astype(np.float64),
            array[..., :0],
            array[None],
            array.ravel(),
            array.tolist(),
            None,
        ]
        written = 2 if self.kind == "forward" else 1
        if position == written:
            wrong.append(np.broadcast_to(array, array.shape))
        given[position] = wrong[int(self.random.integers(len(wrong)))]
        kept = self.arguments(vector)[written].copy()
        assert self.functions[vector](*given) is False, f"{vector}, {position}, {self.describe()}"
        assert (self.arguments(vector)[written] == kept).all()

    def describe(self) -> str:
        """What a failure tells."""
        return f"{self.kind}: {self.seen.shape} {self.seen.strides} to {self.out.strides}, adds {self.adds}"
