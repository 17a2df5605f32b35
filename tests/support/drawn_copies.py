"""Random copies and sums of arrays with short rows: arrays of many layouts, and arrays that do not fit together."""

from __future__ import annotations

from typing import Any

import numpy as np
from drawn_products import Place

from mycel.runtime.machine.array_functions import compile_copy
from mycel.runtime.machine.product import vector_bytes
from mycel.runtime.machine.sizes import NARROW, WIDTH

COLUMNS = (1, 2, 3, 7, 8, 14, 15, 16, 17, 28, 31, 32, 33, 40, 64, 65)


class DrawnCopy:
    """What is read and where to. `place` gives an array memory of its own, where each access outside is noticed.

    Attributes:
        source, target: arrays of one shape; the target is full of 7, as the array that it is a part of.
        adds: whether the source is added.
        taken: whether machine code takes such rows.
    """

    def __init__(self, seed: int, place: Place = np.copy) -> None:
        self.random = random = np.random.default_rng(seed)
        rows = tuple(int(n) for n in random.integers(1, 5, random.integers(1, 6)))
        columns = int(random.choice(COLUMNS))
        step, distance = int(random.choice([1, 1, 2, 2, 3, -1])), int(random.choice([1, 1, 2, 3]))
        self.adds = bool(random.random() < 0.5)
        source = place(random.standard_normal((*rows, (columns - 1) * abs(step) + 1)).astype(np.float32))
        self.source = source[..., ::step]
        self.whole = place(np.full((*rows, (columns - 1) * distance + 1 + int(random.integers(3))), 7, np.float32))
        self.target = self.whole[..., : (columns - 1) * distance + 1 : distance]
        if len(rows) > 1 and random.random() < 0.5:
            first, second = (int(n) for n in random.permutation(len(rows))[:2])
            self.source, self.target = (array.swapaxes(first, second) for array in (self.source, self.target))
        if random.random() < 0.3:
            self.source = self.source[::-1]
        if random.random() < 0.2:
            self.source = np.broadcast_to(self.source[:1], self.source.shape)
        plain = columns == 1 or (step == distance == 1) or (step, distance) == (1, 2)
        self.taken = plain or ((step, distance) == (2, 1) and not self.adds)

    def check(self) -> None:
        """Copy and compare, with AVX2 and AVX-512; AssertionError where something differs."""
        wanted = self.source + np.float32(7) if self.adds else self.source.copy()
        for width in (NARROW, WIDTH):
            done = compile_copy(width)(self.source, self.target, *(self.target,) * self.adds)
            assert done is (self.taken and width <= vector_bytes()), self.describe()
            if done:
                np.testing.assert_array_equal(self.target, wanted, f"{width} {self.describe()}")
                self.target[...] = 7
            assert (self.whole == 7).all(), f"written beside, {width}: {self.describe()}"

    def check_refusal(self) -> None:
        """Arrays that do not fit are refused, and nothing is written."""
        given: list[Any] = [self.source, self.target]
        position, axis = int(self.random.integers(2)), int(self.random.integers(self.source.ndim))
        array = given[position]
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
        if position == 1:
            wrong.append(np.broadcast_to(self.target, self.target.shape))
        given[position] = wrong[int(self.random.integers(len(wrong)))]
        for width in (NARROW, WIDTH):
            done = compile_copy(width)(*given, *(given[1],) * self.adds)
            assert done is False, f"{width}, {position}, {self.describe()}"
        assert (self.whole == 7).all()

    def describe(self) -> str:
        """What a failure tells."""
        return f"{self.source.shape} {self.source.strides} to {self.target.strides}, adds {self.adds}"
