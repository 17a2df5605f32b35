"""Random small matrices for the functions that are made for their shapes: in all layouts, singular ones, wrong ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from drawn_products import Place

from mycel.runtime.machine.array_functions import compile_small, has_small
from mycel.runtime.machine.sizes import takes_product, takes_square, takes_vector

TOLERANCE = {"float32": 2e-3, "float64": 1e-8}


class DrawnSmall:
    """One function and its arguments. `place` gives an array memory of its own, where each access outside is noticed.

    Attributes:
        what: the name of the function.
        given: the operands, and the result, which is full of 7.
        wanted: the result; None where the function is to leave it to NumPy.
    """

    def __init__(self, seed: int, place: Place = np.copy) -> None:
        self.random = random = np.random.default_rng(seed)
        self.dtype = str(random.choice(["float32", "float64"]))
        self.what = str(random.choice(["matmul", "vector", "inverse", "solve", "cholesky"]))
        self.wanted: np.ndarray | None
        self.products = self.what in ("matmul", "vector")
        operands, self.wanted = self.product() if self.products else self.square()
        self.operands = [
            place(array) if array.flags.c_contiguous else np.swapaxes(place(np.swapaxes(array, -1, -2)), -1, -2)
            for array in operands
        ]
        shape = self.wanted.shape if self.wanted is not None else operands[-1].shape
        self.given: list[Any] = [*self.operands, place(np.full(shape, 7, self.dtype))]
        self.function = compile_small(self.what, self.dtype, *[array.shape for array in self.given])

    def numbers(self, *shape: int) -> np.ndarray:
        """Random numbers."""
        return np.asarray(self.random.standard_normal(shape).astype(self.dtype))

    def product(self) -> tuple[list[np.ndarray], np.ndarray]:
        """Two operands, some transposed, and their product; some have infinite numbers and nan."""
        random = self.random
        takes, most = (takes_product, 18) if self.what == "matmul" else (takes_vector, 90)
        while True:
            a, b = (tuple(int(n) for n in random.integers(1, most, random.choice([1, 2, 2, 2]))) for _ in range(2))
            b = (a[-1], *b[1:])
            if self.what == "vector" and random.random() < 0.5:
                a, b = ((1, *a[1:]), b) if random.random() < 0.5 else (a, (*b[:1], *[1] * (len(b) - 1)))
            if self.what == "matmul" and random.random() < 0.4 and len(a) == len(b) == 2:
                lead = tuple(int(n) for n in random.integers(1, 5, random.choice([1, 2])))
                a, b = [((*lead, *a), (*lead, *b)), ((*lead, *a), b), (a, (*lead, *b))][int(random.integers(3))]
            if takes(np.dtype(self.dtype).itemsize, a, b):
                break
        operands = [self.numbers(*shape) for shape in (a, b)]
        for array in operands:
            if random.random() < 0.1:
                array.flat[random.integers(array.size)] = random.choice([np.inf, -np.inf, np.nan])
        with np.errstate(all="ignore"):
            wanted = np.asarray(operands[0] @ operands[1])
        return [self.transposed(array) if random.random() < 0.4 else array for array in operands], wanted

    def transposed(self, array: np.ndarray) -> np.ndarray:
        """The same numbers, with the columns of each matrix together."""
        if array.ndim < 2:
            return array
        return np.swapaxes(np.ascontiguousarray(np.swapaxes(array, -1, -2)), -1, -2)

    def square(self) -> tuple[list[np.ndarray], np.ndarray | None]:
        """Square matrices far from singular, or one that is singular, or not positive definite, or nan."""
        random, size = self.random, int(self.random.integers(1, 9))
        lead = tuple(int(n) for n in random.integers(1, 4, random.choice([0, 0, 1, 2])))
        a = self.numbers(*lead, size, size) + np.eye(size, dtype=self.dtype) * self.dtype_number(2 * size)
        a = np.take(a, random.permutation(size), axis=-2)
        b = self.numbers(*lead, size, int(random.integers(1, 9)))
        if self.what == "cholesky":
            a = (a @ np.swapaxes(a, -1, -2) + np.eye(size)).astype(self.dtype)
        operands = [a, b] if self.what == "solve" else [a]
        assert takes_square(*[array.shape for array in operands])
        if random.random() < 0.3:
            matrix = a[tuple(int(random.integers(n)) for n in lead)]
            kind = random.integers(3)
            if kind == 0:
                matrix[random.integers(size)] = 0
                matrix[:, 0] = 0
            elif kind == 1:
                matrix[random.integers(size), random.integers(size)] = np.nan
            else:
                matrix[...] = -1
            if kind != 2 or self.what == "cholesky" or size > 1:
                return operands, None
        function = {"inverse": np.linalg.inv, "solve": np.linalg.solve, "cholesky": np.linalg.cholesky}[self.what]
        return operands, function(*operands)

    def dtype_number(self, number: float) -> np.generic:
        """The number in this dtype."""
        return np.dtype(self.dtype).type(number)

    def check(self) -> None:
        """Compute and compare; AssertionError where something differs."""
        before = [array.copy() for array in self.operands]
        done = self.function(*self.given)
        assert done is (self.wanted is not None and has_small()), self.describe()
        for array, was in zip(self.operands, before, strict=True):
            np.testing.assert_array_equal(array, was, self.describe())
        if done:
            tolerance = TOLERANCE[self.dtype]
            np.testing.assert_allclose(self.given[-1], self.wanted, tolerance, tolerance, err_msg=self.describe())

    def check_refusal(self) -> None:
        """Arrays that do not fit are refused, and nothing is written."""
        given, random = list(self.given), self.random
        position = int(random.integers(len(given)))
        array = given[position]
        wider = np.full([size + 1 for size in array.shape] or [2], 7, self.dtype)
        other = "float32" if self.dtype == "float64" else "float64"
        wrong: list[Any] = [wider, array.astype(other), array[None], array.tolist(), None]
        if array.ndim == 2 and min(array.shape) > 1 and not self.products:
            wrong.append(wider[:-1, :-1])
        if position == len(given) - 1:
            wrong.append(np.broadcast_to(array, array.shape))
        if self.what == "matmul" and min(array.ndim for array in given) >= 2:
            del wrong[2]  # the function for all shapes may take one axis more
        given[position] = wrong[int(random.integers(len(wrong)))]
        assert self.function(*given) is False, f"{position}, {self.describe()}"
        assert self.function(*self.given[1:]) is False
        assert (self.given[-1] == 7).all()

    def describe(self) -> str:
        """What a failure tells."""
        return f"{self.what} of {[(array.shape, array.strides) for array in self.operands]}, {self.dtype}"
