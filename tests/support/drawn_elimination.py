"""Random matrices for functions that solve, invert and factor in loops: of all sizes, in stacks, singular ones, wrong
ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from drawn_products import Place

from mycel.runtime.machine.array_functions import compile_elimination
from mycel.runtime.machine.elimination_sizes import MANY, elimination_sizes
from mycel.runtime.machine.product import has_products, has_wide_code
from mycel.runtime.machine.sizes import SIZE

TOLERANCE = {
    ("float32", False): 2e-6, ("float32", True): 1e-3, ("float64", False): 1e-11, ("float64", True): 1e-10
}  # fmt: skip
"""By the dtype, and whether small matrices are computed side by side, in their own precision."""
KINDS = ("inverse", "adjugate", "solve", "cholesky", "determinant", "pivots", "lower", "upper", "factor")
SOLVED = ("solve", "lower", "upper")


class DrawnElimination:
    """One function and its arguments. `place` gives an array memory of its own, where each access outside is noticed.

    Attributes:
        kind: the name of the function.
        given: the operands, the result, which is full of 7, and the vector to work in.
        wanted: the result; None where the function is to leave it to NumPy.
    """

    def __init__(self, seed: int, place: Place = np.copy, largest: int = 40) -> None:
        self.random = random = np.random.default_rng(seed)
        self.dtype = str(random.choice(["float32", "float64"]))
        self.kind = str(random.choice(KINDS))
        self.transposed = self.kind in SOLVED and bool(random.integers(2))
        lanes = 4 if seed % 2 or not has_wide_code() else 8
        while True:
            operands, size = self.draw(largest)
            shapes = [array.shape for array in operands]
            sizes = elimination_sizes(lanes, self.kind, self.transposed, self.dtype, *shapes)
            if sizes is not None:
                break
        products = self.kind == "adjugate" and sizes.side_by_side and size <= 3  # of any matrices
        self.wanted = None if not products and self.spoil(operands[0], size) else self.result(*operands)
        self.operands = [place(array) for array in operands]
        vector = shapes[0][:-1]
        shape = {"pivots": vector, "factor": vector, "determinant": vector[:-1]}.get(self.kind, shapes[-1])
        self.given: list[Any] = [*self.operands, place(np.full(shape, 7, self.dtype))]
        if self.kind == "factor":  # the packed factors, before the order of rows
            self.given.insert(1, place(np.full_like(self.operands[0], 7)))
        self.given.append(place(np.full(sizes.room, np.nan, self.dtype)))
        self.side_by_side = sizes.side_by_side
        self.function = compile_elimination(self.kind, self.transposed, *sizes)

    def draw(self, largest: int) -> tuple[list[np.ndarray], int]:
        """Matrices far from singular, and right-hand sides; and the number of rows."""
        random = self.random
        size, columns = (int(number) for number in random.integers(1, largest, 2))
        lead = tuple(int(n) for n in random.integers(1, 4, random.choice([0, 0, 1, 2])))
        if random.random() < 0.4:  # many small ones
            size, columns, lead = 1 + size % SIZE, 1 + columns % SIZE, (*lead[1:], int(random.integers(MANY, 40)))
        a = random.standard_normal((*lead, size, size)) / (2 * size**0.5) + np.eye(size)
        if self.kind in ("cholesky", "lower", "upper"):
            a = a @ np.swapaxes(a, -1, -2) + np.eye(size)
        else:
            a = np.take(a, random.permutation(size), axis=-2)
        b = random.standard_normal((*lead, size, columns))
        return [array.astype(self.dtype) for array in ([a, b] if self.kind in SOLVED else [a])], size

    def spoil(self, a: np.ndarray, size: int) -> bool:
        """Perhaps make one of the matrices singular, negative or nan; whether it is."""
        if self.random.random() > 0.3:
            return False
        matrix = a[tuple(int(self.random.integers(n)) for n in a.shape[:-2])]
        row = int(self.random.integers(size))
        kind = self.random.integers(3) if self.kind not in ("lower", "upper") else 0
        if kind == 0:
            matrix[row] = 0
            matrix[:, row] = 0
        elif kind == 1:
            matrix[row, int(self.random.integers(size))] = np.nan
        else:
            matrix[...] = -1
        return bool(kind != 2 or size > 1 or self.kind == "cholesky") or self.spoil(a, size)

    def result(self, a: np.ndarray, b: np.ndarray | None = None) -> np.ndarray:
        """The result in double precision."""
        matrices = a.astype(np.float64)
        if self.kind in ("lower", "upper"):
            matrices = (np.tril if self.kind == "lower" else np.triu)(matrices)
        if b is not None:
            return np.asarray(np.linalg.solve(np.swapaxes(matrices, -1, -2) if self.transposed else matrices, b))
        if self.kind == "factor":
            return matrices
        if self.kind == "adjugate":
            return np.asarray(np.linalg.det(matrices)[..., None, None] * np.linalg.inv(matrices))
        functions = {"inverse": np.linalg.inv, "cholesky": np.linalg.cholesky}
        return np.asarray(functions.get(self.kind, np.linalg.det)(matrices))

    def check(self) -> None:
        """Compute and compare; AssertionError where something differs."""
        before = [array.copy() for array in self.operands]
        with np.errstate(all="ignore"):
            done = self.function(*self.given)
        assert done is (self.wanted is not None and has_products()), self.describe()
        for array, was in zip(self.operands, before, strict=True):
            np.testing.assert_array_equal(array, was, self.describe())
        if not done:
            return
        got, wanted = self.given[-2].astype(np.float64), np.asarray(self.wanted)
        if self.kind == "pivots":
            got = got.prod(axis=-1)
        if self.kind == "factor":
            got = self.product(self.given[1], got.astype(int))
        if self.kind in ("pivots", "determinant"):  # their sizes differ
            got, wanted = got / wanted, np.ones_like(wanted)
        bound = TOLERANCE[self.dtype, self.side_by_side] * (1 + np.abs(wanted).max())
        np.testing.assert_allclose(got, wanted, 0, bound, err_msg=self.describe())

    def product(self, packed: np.ndarray, order: np.ndarray) -> np.ndarray:
        """The matrices of which these are LU factors, whose pivots should be the largest."""
        lower, upper = np.tril(packed.astype(np.float64), -1) + np.eye(packed.shape[-1]), np.triu(packed)
        assert np.abs(lower).max() <= 1, self.describe()
        result = np.empty(packed.shape)
        np.put_along_axis(result, order[..., None], lower @ upper, -2)
        return result

    def check_refusal(self) -> None:
        """Arrays that do not fit are refused, and nothing is written."""
        given, random = list(self.given), self.random
        position = int(random.integers(len(given)))
        array = given[position]
        wider = np.full([size + 1 for size in array.shape] or [2], 7, self.dtype)
        other = "float32" if self.dtype == "float64" else "float64"
        wrong: list[Any] = [wider, array.astype(other), array[None], array.tolist(), None]
        if array.ndim > 1 and min(array.shape) > 1:
            wrong += [array.swapaxes(-1, -2), wider[tuple(slice(size) for size in array.shape)]]
        if position >= len(given) - 2:
            wrong.append(np.broadcast_to(array, array.shape))
        given[position] = wrong[int(random.integers(len(wrong)))]
        assert self.function(*given) is False, f"{position}, {self.describe()}"
        assert self.function(*self.given[1:]) is False
        assert all((array == 7).all() for array in self.given[len(self.operands) : -1])

    def describe(self) -> str:
        """What a failure tells."""
        turned = " transposed" * self.transposed
        return f"{self.kind}{turned} of {[array.shape for array in self.operands]}, {self.dtype}"
