"""Random matrix products: arrays of many sizes and layouts, and arrays that do not fit together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mycel.runtime.kernels.products import unpaired
from mycel.runtime.machine.product import (
    compile_matmul,
    compile_narrow_matmul,
    has_pairs,
    has_products,
    has_wide_code,
)
from mycel.runtime.machine.sizes import FEWEST_COLUMNS, takes

SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 47, 48, 49, 64, 65, 80, 96, 113, 129, 200)
DEEP = (1, 2, 8, 15, 16, 17, 33, 100, 383, 384, 385, 500, 769, 1200)
WIDE = (143, 144, 145, 287, 288, 289, 300, 433, 577)
TOLERANCE = {"float32": 3e-5, "float64": 1e-12}

Place = Callable[[np.ndarray], np.ndarray]


class DrawnProduct:
    """Operands and a result. `place` gives an array memory of its own, where each access outside of it is noticed.
    With `pairs` the bits of each float32 are two bfloat16.

    Attributes:
        a, b: the operands, with leading dimensions that broadcast, of any strides that the function takes.
        out: the result's array, which is full of 7.
        whole: the array that `out` is a part of; nothing else of it may change.
        function: that of this machine, or that for AVX2; for one thread or more.
        taken: whether it takes products of such sizes.
    """

    def __init__(self, seed: int, place: Place = np.copy, pairs: bool = False) -> None:
        self.random = random = np.random.default_rng(seed)
        self.place = place
        self.pairs = pairs
        self.dtype = "float32" if pairs else str(random.choice(["float32", "float64"], p=[0.7, 0.3]))
        rows, depth, columns = (int(random.choice(SIZES)) for _ in range(3))
        if random.random() < 0.2:
            depth = int(random.choice(DEEP))
        if random.random() < 0.15:
            columns = int(random.choice(WIDE))
        if random.random() < 0.05:
            rows = int(random.choice((385, 400)))
        self.lead = tuple(
            int(random.integers(1, 4)) for _ in range(random.choice([0, 1, 2, 4], p=[0.6, 0.2, 0.15, 0.05]))
        )
        self.a = self.operand(self.leading(), rows, depth, free=True)
        self.b = self.operand(self.leading(), depth, columns, free=False)
        gap = int(random.choice([0, 0, 1, 5]))
        self.whole = place(np.full((*self.lead, rows, columns + gap), 7, self.dtype))
        self.out = self.whole[..., :columns]
        narrow = not pairs and (seed % 2 == 1 or not has_wide_code())
        threads = 1 + seed // 2 % 3
        self.function = (
            compile_narrow_matmul(self.dtype, threads) if narrow else compile_matmul(self.dtype, pairs, threads)
        )
        fewest = FEWEST_COLUMNS[self.out.itemsize] if narrow else 1
        straight = self.b.strides[-1] == self.b.itemsize
        nbytes = self.b.itemsize if straight else None
        self.taken = takes(rows, depth, columns, fewest, nbytes) and (straight or depth >= fewest)
        self.adds = bool(random.random() < 0.3)

    def leading(self) -> tuple[int, ...]:
        """Leading dimensions that broadcast to those of the result."""
        kept = self.lead[int(self.random.integers(len(self.lead) + 1)) :] if self.random.random() < 0.4 else self.lead
        return tuple(size if self.random.random() < 0.8 else 1 for size in kept)

    def operand(self, lead: tuple[int, ...], rows: int, columns: int, free: bool) -> np.ndarray:
        """An operand; with any strides if `free`."""
        layout = str(self.random.choice(["rows", "columns", "gaps", "turned", "spread"]))
        shape = (*lead, rows, columns)
        if layout == "columns":
            return self.numbers((*lead, columns, rows)).swapaxes(-1, -2)
        if layout == "gaps":
            return self.numbers((*lead, rows, columns + 3))[..., 1 : columns + 1]
        if layout == "turned":
            return self.numbers(shape)[..., ::-1, ::-1] if free else self.numbers(shape)[..., ::-1, :]
        if layout == "spread" and free:
            return self.numbers((*lead, 2 * rows, 3 * columns))[..., ::2, ::3]
        if layout == "spread":
            return np.broadcast_to(self.numbers((*lead, 1, columns)), shape)
        return self.numbers(shape)

    def numbers(self, shape: tuple[int, ...]) -> np.ndarray:
        """Numbers in memory of their own."""
        drawn = self.random.standard_normal(shape).astype(self.dtype)
        if self.pairs:
            other = self.random.standard_normal(shape).astype(self.dtype).view(np.int32)
            drawn = (drawn.view(np.int32) & (-1 << 16) | other >> 16 & 0xFFFF).view(np.float32)
        return self.place(drawn)

    def product(self) -> np.ndarray:
        """The product in double precision."""
        a, b = self.a, self.b
        if self.pairs:
            a, b = unpaired(a, -1), unpaired(b, -2)
        return np.matmul(a.astype(np.float64), b.astype(np.float64))

    def check(self) -> None:
        """Multiply and compare with NumPy in double precision; AssertionError where results differ."""
        before = 7.0 if self.adds else 0.0
        wanted = before + self.product()
        done = self.function(self.a, self.b, self.out, *(self.out,) * self.adds)
        text = self.describe()
        if not done:
            assert not (self.taken and (has_pairs() if self.pairs else has_products())), f"refused: {text}"
            assert (self.whole == 7).all(), f"written to: {text}"
            return
        scale = max(1.0, float(np.abs(wanted).max()))
        worst = float(np.abs(self.out - wanted).max()) / scale
        assert worst <= TOLERANCE[self.dtype], f"differs by {worst}: {text}"
        assert (self.whole[..., self.out.shape[-1] :] == 7).all(), f"written beside: {text}"

    def check_refusal(self) -> None:
        """Arrays that do not fit are refused, and nothing is written."""
        spoiled: dict[str, Any] = {"a": self.a, "b": self.b, "out": self.out}
        name = str(self.random.choice(list(spoiled)))
        array = spoiled[name]
        axis = int(self.random.integers(array.ndim))
        wider = np.full([size + (position == axis) for position, size in enumerate(array.shape)], 7, self.dtype)
        other = "float64" if self.dtype == "float32" else "float32"
        wrong: list[Any] = [wider, array.astype(other), array[..., :0, :], array.tolist(), array.ravel(), None, 3]
        if name == "out":
            wrong.append(np.broadcast_to(self.out, self.out.shape))
        spoiled[name] = wrong[int(self.random.integers(len(wrong)))]
        if spoiled[name] is wider and axis < array.ndim - 2 and fits(**spoiled):
            return
        assert self.function(*spoiled.values()) is False, f"{name}, {self.describe()}"
        assert (self.whole == 7).all()

    def describe(self) -> str:
        """What a failure tells."""
        parts = [f"{name} {array.shape} {array.strides}" for name, array in
                 (("a", self.a), ("b", self.b), ("out", self.out))]  # fmt: skip
        return f"{self.dtype} {', '.join(parts)}, adds {self.adds}"


def fits(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> bool:
    """Whether the leading dimensions of the operands broadcast to those of the result."""
    try:
        return all(np.broadcast_shapes(x.shape[:-2], out.shape[:-2]) == out.shape[:-2] for x in (a, b))
    except ValueError:
        return False
