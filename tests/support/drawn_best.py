"""Random rows whose best elements machine code finds, by ranks and by insertion."""

from __future__ import annotations

from typing import Any

import numpy as np
from drawn_products import Place

from mycel.runtime.machine.array_functions import MOST_BEST, MOST_RANKED
from mycel.runtime.machine.best_code import BestCode, RankCode
from mycel.runtime.machine.executable import make_function


class DrawnBest:
    """Rows with equal elements and special ones. `place` gives an array memory of its own, where each access outside is
    noticed."""

    def __init__(self, seed: int, place: Place = np.copy) -> None:
        self.random = random = np.random.default_rng(seed)
        self.kind, self.positions, self.largest = random.choice(["f", "i"]), random.choice(["i", "l"]), seed % 2 > 0
        length = int(random.choice([random.integers(1, 40), random.integers(1, 1500)]))
        self.count = int(random.integers(1, min(length, MOST_BEST) + 1))
        shape = int(random.integers(1, 5)), length
        x = random.integers(-9, 9, shape).astype(self.kind)
        specials = [np.nan, np.inf, -np.inf, -0.0] if self.kind == "f" else [-(2**31), 2**31 - 1]
        for special in specials:
            x[random.random(shape) < random.choice([0, 0.1])] = special
        self.x = place(np.sort(x, 1) if random.random() < 0.2 else x)
        self.values = place(np.zeros((shape[0], self.count), self.kind))
        self.places = place(np.zeros((shape[0], self.count), self.positions))
        self.made = [BestCode, RankCode] if length <= MOST_RANKED else [BestCode]

    def check(self) -> None:
        """Compare with a stable sort; AssertionError where something differs."""
        x, last = self.x, self.x.shape[1] - 1
        order = (
            last - np.argsort(x[:, ::-1], 1, kind="stable")[:, ::-1] if self.largest else x.argsort(1, kind="stable")
        )
        wanted = order[:, : self.count]
        for made in self.made:
            code = made(self.kind, self.positions, last + 1, self.count, self.largest).assemble()
            function: Any = make_function(code, "best", "")
            assert function(x, self.values, self.places), self.describe()
            np.testing.assert_array_equal(self.places, wanted, self.describe())
            np.testing.assert_array_equal(self.values, np.take_along_axis(x, wanted, 1), self.describe())

    def check_refusal(self) -> None:
        """Rows of another length are refused."""
        code = self.made[0](self.kind, self.positions, self.x.shape[1] + 1, self.count, self.largest).assemble()
        assert not make_function(code, "best", "")(self.x, self.values, self.places)

    def describe(self) -> str:
        """What was drawn."""
        return (
            f"{self.count} of {self.kind}{self.x.shape}, {self.positions}, {'largest' if self.largest else 'smallest'}"
        )
