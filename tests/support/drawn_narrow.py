"""Kernels of bools and integers of 8 and 16 bits, drawn at random: those that run in lanes of 8 and 16 bits."""

from __future__ import annotations

import numpy as np
from drawn_kernels import COMPARISONS, LOGIC, DrawnKernel

from mycel.runtime.native.language import SIZES


class DrawnNarrow(DrawnKernel):
    """A random kernel of narrow numbers, in rows that are long enough for narrow lanes."""

    def __init__(self, seed: int) -> None:
        self.random = random = np.random.default_rng(seed)
        self.kind, self.floats, self.state, self.turn, self.scans = "exact", False, False, 0, 0
        dtypes = [
            ["bool"],
            ["int8", "bool"],
            ["uint8", "bool"],
            ["int8", "uint8"],
            ["int16", "uint16", "bool", "uint8"],
        ]
        self.drawn = dtypes[int(random.integers(len(dtypes)))]
        self.dtype = self.drawn[0]
        least = 64 // max(SIZES[dtype] for dtype in self.drawn)
        rows = tuple(int(n) for n in random.integers(1, 6, random.integers(0, 3)))
        self.extents = (*rows, least + int(random.choice([0, 1, 3, 15, 16, 31, 33, 63, 64, 67, 129, 200])))
        self.begin()
        for number in range(int(random.choice([2, 3, 4, 14]))):
            self.input(f"x{number}")
        for _ in range(int(random.integers(1, 9))):
            self.statement()
        for number in range(int(random.integers(1, 4))):
            name, dtype = self.any_of(None)
            self.body.append(f"y{number} = copy({name})")
            self.declare("out", f"y{number}", dtype, self.dense(self.extents, dtype), room=0)
        self.text = "\n".join([*self.lines, *self.body])
        if len(self.extents) == 1 and random.random() < 0.5:
            self.share_columns()

    def input(self, name: str) -> None:
        """An input whose columns are near each other, in either direction, or are one number."""
        dtype = str(self.random.choice(self.drawn))
        strides = list(self.dense(self.extents, dtype))
        if self.random.random() < 0.5:
            strides = [int(self.random.choice([0, 1, 2, -1, 70])) * SIZES[dtype] for _ in self.extents]
            strides[-1] = int(self.random.choice([0, 1, 1, -1, 2, 3, -3, 4])) * SIZES[dtype]
        self.declare("in", name, dtype, tuple(strides), bounds=self.draw_bounds(strides, dtype))

    def any_of(self, dtype: str | None) -> tuple[str, str]:
        """A value, of a dtype if one is given, and its dtype."""
        found = [pair for pair in self.dtypes.items() if dtype in (None, pair[1])]
        return found[int(self.random.integers(len(found)))]

    def mask(self) -> str:
        """A bool, made if there is none."""
        found = [name for name, dtype in self.dtypes.items() if dtype == "bool"]
        return str(self.random.choice(found)) if found else self.add("bool", f"not_equal({self.any_of(None)[0]}, 1)")

    def statement(self) -> None:
        """A statement that makes a value."""
        random = self.random
        x, dtype = self.any_of(None)
        y, choice = self.any_of(dtype)[0], random.random()
        if dtype != "bool" and random.random() < 0.3:
            y = str(random.integers(128))
        if choice < 0.15:
            self.add("bool", f"{random.choice(COMPARISONS)}({x}, {y})")
        elif choice < 0.25:
            self.add("bool", f"{random.choice(LOGIC)}({x}, {self.mask()})")
        elif choice < 0.35:
            self.add(dtype, f"select({self.mask()}, {x}, {y})")
        elif choice < 0.45:
            kind = str(random.choice(self.drawn))
            self.add(kind, f"cast({x}, {kind})")
        elif dtype == "bool":
            function = str(random.choice(["bitwise_and", "bitwise_or", "bitwise_xor", "maximum", "minimum"]))
            self.add(dtype, f"{function}({x}, {y})" if choice < 0.9 else f"logical_not({x})")
        elif choice < 0.55:
            self.add(dtype, f"{random.choice(['negative', 'absolute', 'bitwise_not'])}({x})")
        elif choice < 0.65:
            self.add(dtype, f"{random.choice(['left_shift', 'right_shift'])}({x}, {random.integers(18)})")
        elif choice < 0.7:
            self.add(dtype, f"mask_bits({x}, {self.mask()})")
        else:
            names = ["add", "subtract", "multiply", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor"]
            self.add(dtype, f"{random.choice(names)}({x}, {y})")
