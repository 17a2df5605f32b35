"""Kernels, drawn at random, some of whose inputs have neighbouring rows, not columns, side by side in memory."""

from __future__ import annotations

from drawn_kernels import DrawnKernel

from mycel.runtime.native.language import SIZES


class DrawnTurned(DrawnKernel):
    """A random kernel of rows and columns that fill vectors; every other input is as a transpose is."""

    stateful = 0.0  # so many iterations would make errors of rounding large

    def draw_extents(self) -> tuple[int, ...]:
        """One to three loops, of which the last two are long."""
        random = self.random
        outer = [int(n) for n in random.integers(1, 4, random.integers(0, 2))]
        return (*outer, *[int(n) for n in random.integers(14, 90, 2)])

    def input(self, name: str) -> None:
        """An input of any layout, or one whose columns are some rows apart."""
        random, size = self.random, SIZES[self.dtype]
        if random.random() < 0.5:
            super().input(name)
            return
        step = size * (self.extents[-2] + int(random.integers(3)))
        outer = [int(random.choice([0, step * self.extents[-1], size])) for _ in self.extents[:-2]]
        self.declare("in", name, self.dtype, (*outer, size, step))
