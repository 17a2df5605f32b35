"""Random matrices for QR factorizations in machine code: tall, wide, in stacks, of lower rank, without a result."""

from __future__ import annotations

from typing import Any

import numpy as np
from drawn_products import Place

from mycel.runtime.machine.array_functions import compile_elimination
from mycel.runtime.machine.elimination_sizes import elimination_sizes
from mycel.runtime.machine.product import has_products, has_wide_code

TOLERANCE = {"float32": 1e-6, "float64": 1e-13}


class DrawnReflections:
    """One function and its arguments. `place` gives an array memory of its own, where each access outside is noticed.

    Attributes:
        kind: "qr", "triangular" or "complement".
        given: the matrices, the results, which are full of 7, and the vector to work in.
        known: whether LAPACK finds the same: not where the rank is lower, because rounding decides then.
        refused: whether the function leaves them to NumPy.
    """

    def __init__(self, seed: int, place: Place = np.copy, largest: int = 24) -> None:
        self.random = random = np.random.default_rng(seed)
        self.dtype = str(random.choice(["float32", "float64"]))
        lanes = 4 if seed % 2 or not has_wide_code() else 8
        rows, columns = (int(number) for number in random.integers(1, largest, 2))
        self.kind = str(random.choice(["qr", "triangular", "complement"][: 3 if rows > columns else 2]))
        lead = tuple(int(n) for n in random.integers(1, 4, random.choice([0, 0, 1, 2])))
        self.matrices = random.standard_normal((*lead, rows, columns)).astype(self.dtype)
        self.known, self.refused = True, not has_products()
        self.spoil()
        sizes = elimination_sizes(lanes, self.kind, False, self.dtype, self.matrices.shape)
        assert sizes is not None
        count = min(rows, columns)
        r, q = (count, columns), (rows, count)
        shapes = {"qr": [r, q], "triangular": [r], "complement": [(rows, rows - columns)]}[self.kind]
        self.given: list[Any] = [place(self.matrices)]
        self.given += [place(np.full((*lead, *shape), 7, self.dtype)) for shape in shapes]
        self.given.append(place(np.full(sizes.room, np.nan, self.dtype)))
        self.function = compile_elimination(self.kind, False, *sizes)

    def spoil(self) -> None:
        """Perhaps let one column be zero, a multiple of another one, not finite, or too large or small for squares."""
        kind, column = self.random.integers(12), self.random.integers(self.matrices.shape[-1])
        if kind < 3:
            first = self.matrices[..., 0].copy()
            self.matrices[..., column] = [0.0 * first, -0.0 * first, 2 * first][kind]
            self.known = False
        elif kind == 3:
            self.matrices.flat[self.random.integers(self.matrices.size)] = self.random.choice([np.nan, np.inf])
            self.refused = True
        elif kind == 4 and self.dtype == "float64":
            self.matrices[..., 0] *= self.random.choice([1e-200, 1e200])
            self.refused |= self.matrices.shape[-2] > 1
        elif kind == 5:
            self.matrices[..., 1:, :] = 0
            self.known = self.matrices.shape[-1] == 1 or self.matrices.shape[-2] == 1

    def check(self) -> None:
        """Compute and compare; AssertionError where something differs."""
        with np.errstate(all="ignore"):
            done = self.function(*self.given)
        assert done is not self.refused, self.describe()
        np.testing.assert_array_equal(self.given[0], self.matrices, self.describe())
        if not done:
            return
        for found, wanted in self.pairs(*[part.astype(np.float64) for part in self.given[:-1]]):
            bound = TOLERANCE[self.dtype] * (10 + np.abs(self.matrices).max())
            np.testing.assert_allclose(found, wanted, 0, bound, err_msg=self.describe())

    def pairs(self, matrices: np.ndarray, *results: np.ndarray) -> list[tuple[Any, Any]]:
        """What is found, and what it should be."""
        (q_there, r_there), count = np.linalg.qr(matrices, mode="complete"), min(matrices.shape[-2:])
        pairs: list[tuple[Any, Any]] = []
        there: list[tuple[Any, Any]] = []
        if self.kind != "complement":
            r = results[0]
            pairs += [(np.tril(r, -1), 0), (np.swapaxes(r, -1, -2) @ r, np.swapaxes(matrices, -1, -2) @ matrices)]
            there.append((r, r_there[..., :count, :]))
        if self.kind != "triangular":
            q = results[-1]
            turned = np.swapaxes(q, -1, -2)
            pairs.append((turned @ q, np.zeros((*q.shape[:-2], 1, 1)) + np.eye(q.shape[-1])))
            pairs.append((q @ results[0], matrices) if self.kind == "qr" else (turned @ matrices, 0))
            there.append((q, q_there[..., :count] if self.kind == "qr" else q_there[..., count:]))
        return pairs + there * self.known

    def check_refusal(self) -> None:
        """Arrays that do not fit are refused, and nothing is written."""
        given, random = list(self.given), self.random
        position = int(random.integers(len(given)))
        array = given[position]
        other = "float32" if self.dtype == "float64" else "float64"
        wider = np.full([size + 1 for size in array.shape], 7, self.dtype)
        wrong: list[Any] = [wider, np.full(array.shape, 7, other), array[None], array.tolist(), None]
        if position:
            wrong.append(np.broadcast_to(array, array.shape))
        given[position] = wrong[int(random.integers(len(wrong)))]
        assert self.function(*given) is False, f"{position}, {self.describe()}"
        assert self.function(*self.given[1:]) is False
        assert all((result == 7).all() for result in self.given[1:-1])

    def describe(self) -> str:
        """What a failure tells."""
        return f"{self.kind} of {self.matrices.shape}, {self.dtype}"
