"""Random kernels of short rows whose columns lie side by side: they are read and written as whole vectors."""

from __future__ import annotations

import numpy as np
from drawn_products import Place

from mycel.runtime.native.check import check
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.language import COMPLEX, SIZES, parse


class DrawnRows:
    """Steps compute all columns alike, or with other columns, numbers of the row, a number of its own, or sums. Rows
    that come in may be read from the last to the first, at positions, and their columns in another order. Two columns
    of floats may be complex numbers. `place` gives an array memory of its own, where each access outside is noticed."""

    def __init__(self, seed: int, place: Place = np.copy) -> None:
        self.random = random = np.random.default_rng(seed)
        self.dtype, self.place = str(random.choice(["float32", "float64", "int32", "int64", "uint8", "int16"])), place
        self.columns = int(random.choice([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 16]))
        self.rows, self.outer = int(random.choice([1, 5, 8, 16, 32, 33, 70, 150])), int(random.choice([1, 1, 3]))
        if SIZES[self.dtype] < 4 and random.random() < 0.7:  # those that run in narrow lanes
            self.columns, self.rows = (
                int(random.choice([2, 3, 4])),
                int(random.choice([48, 64, 65, 127, 128, 191, 300])),
            )
        if random.random() < 0.2:  # as complex numbers have
            self.dtype, self.columns = str(random.choice(list(COMPLEX))), 2
        self.lines: list[str] = []
        self.arrays: list[np.ndarray] = []
        self.families: list[list[str]] = []
        self.singles: list[str] = []
        self.body: list[str] = []
        for number in range(int(random.integers(1, 4))):
            self.declare("in", f"x{number}", self.columns)
        for number in range(int(random.integers(1, 3))):
            self.declare("in", f"a{number}", 1)
        for number in range(int(random.integers(1, 9))):
            self.step(f"s{number}")
        for number in range(int(random.integers(1, 4))):
            self.declare("out", f"y{number}", self.columns)
            chosen = self.families[-1 - int(random.integers(min(3, len(self.families))))]
            for column, source in enumerate(chosen):
                other = "1" if random.random() < 0.02 else self.singles[-1]
                self.body.append(f"y{number}c{column} = subtract({source}, {other})")
        if self.singles[-1] != "a0" and random.random() < 0.5:
            self.declare("out", "z", 1)
            self.body.append(f"z = add({self.singles[-1]}, {self.families[0][-1]})")
        shared = -(-self.rows // 64)
        head = [f"shared {shared}"] if self.outer == 1 and random.random() < 0.5 else []
        extents = f"over {self.outer} {self.rows}" if self.outer > 1 else f"over {self.rows}"
        self.text = "\n".join([*head, extents, *self.lines, *self.body])

    def declare(self, role: str, name: str, columns: int) -> None:
        """An array of rows, now and then with one before; each column is the same argument."""
        size, more = SIZES[self.dtype], int(self.random.random() < 0.2)
        count = self.rows * self.outer + more
        step = columns * size
        back = role == "in" and self.random.random() < 0.3
        one, first = (-step, (self.rows - 1) * step) if back else (step, 0)
        moves = f"{self.rows * step} {one}" if self.outer > 1 else f"{one}"
        names = [f"{name}c{column}" for column in range(columns)] if columns > 1 else [name]
        table, at = count, ""
        if role == "in" and size >= 4 and columns > 1 and not back and self.random.random() < 0.3:
            table, moves, first, more = int(self.random.integers(1, 100)), " ".join(["0"] * len(moves.split())), 0, 0
            at = f" at {self.positions(name, table)} {step} {table}"
        array = self.random.integers(-9, 10, (table, columns)).astype(self.dtype)
        kind = f"{self.dtype}[{table},{columns}]"
        if columns == 2 and self.dtype in COMPLEX and self.random.random() < 0.5:
            array, kind = array.view(COMPLEX[self.dtype])[:, 0], f"{COMPLEX[self.dtype]}[{table}]"
        array = self.place(array)
        for column, each in enumerate(names):
            offset = more * step + column * size + first
            words = (f" is {names[0]}" if column else "") + (f" from {offset}" if offset else "") + at
            self.lines.append(f"{role} {each} {kind} {moves}{words}")
            self.arrays.append(array)
        if role == "in":
            if columns > 1:
                self.families.append(names)
                if self.random.random() < 0.3:
                    self.families.append([str(each) for each in self.random.choice(names, columns)])
            else:
                self.singles.append(name)

    def positions(self, name: str, most: int) -> str:
        """The name of an array with a position for each row; negative ones count from the end, or are the last."""
        dtype = str(self.random.choice(["int32", "int64"]))
        size, count = SIZES[dtype], self.rows * self.outer
        moves = f"{self.rows * size} {size}" if self.outer > 1 else f"{size}"
        self.lines.append(f"index {name}i {dtype}[{count}] {moves}")
        self.arrays.append(self.place(self.random.integers(-most, most, count).astype(dtype)))
        return f"{name}i"

    def step(self, name: str) -> None:
        """Statements of one kind for all columns, or a sum of them."""
        random = self.random
        function = str(random.choice(["add", "subtract", "maximum", "minimum"]))
        family = self.families[int(random.integers(len(self.families)))]
        if random.random() < 0.2:
            self.singles.append(name)
            self.body.append(f"{name}c0 = copy({family[0]})")
            for column in range(1, self.columns):
                new = name if column == self.columns - 1 else f"{name}c{column}"
                self.body.append(f"{new} = {function}({name}c{column - 1}, {family[column]})")
            return
        kind, other = random.random(), self.families[int(random.integers(len(self.families)))]
        turned = [*other[1:], other[0]] if random.random() < 0.2 else other
        single = self.singles[int(random.integers(len(self.singles)))]
        second = turned if kind < 0.4 else [single] * self.columns if kind < 0.8 else ["2"] * self.columns
        if random.random() < 0.1:
            second = [*second[:-1], "3"]
        new = [f"{name}c{column}" for column in range(self.columns)]
        pairs = zip(new, family, second, strict=True)
        self.body += [f"{one} = {function}({x}, {y})" for one, x, y in pairs]
        self.families.append(new)

    def check(self) -> None:
        """Compare with NumPy; AssertionError where something differs."""
        check(parse(self.text))
        found = {id(array): array.copy() for array in self.arrays}
        assert evaluator(parse(self.text), self.text)(*[found[id(array)] for array in self.arrays])
        before = {id(array): array.copy() for array in self.arrays}
        for wide in (True, False, None):
            for array in self.arrays:
                array[...] = before[id(array)]
            assert compile_kernel(self.text, wide=wide)(*self.arrays) is True, self.text
            for array in self.arrays:
                np.testing.assert_array_equal(array, found[id(array)], self.text)
