"""Random transforms of images to tiles and back, for convolutions with kernels of 3 by 3."""

from __future__ import annotations

from typing import Any

import numpy as np
from drawn_products import Place

from mycel.runtime.machine.array_functions import compile_narrow_transform, compile_transform
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.machine.product import has_wide_code

PIXELS = np.array([[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]])
RESULTS = np.array([[1, 1, 1, 0], [0, 1, -1, -1]])
SIX_PIXELS = np.array(
    [[4, 0, -5, 0, 1, 0], [0, -4, -4, 1, 1, 0], [0, 4, -4, -1, 1, 0], [0, -2, -1, 2, 1, 0], [0, 2, -1, -2, 1, 0],
     [0, 4, 0, -5, 0, 1]]
)  # fmt: skip
SIX_RESULTS = np.array([[1, 1, 1, 1, 1, 0], [0, 1, -1, 2, -2, 1]])
MATRICES = {3: (PIXELS, RESULTS), 5: (SIX_PIXELS, SIX_RESULTS), 9: (PIXELS, RESULTS)}


class DrawnTransform:
    """Images, tiles and numbers. `place` gives an array memory of its own, where each access outside of it is noticed.

    All numbers are small and whole, so that results are exact. What is written is full of 7 before, as its
    surroundings are.
    """

    def __init__(self, seed: int, place: Place = np.copy) -> None:
        self.random = random = np.random.default_rng(seed)
        self.kind = str(random.choice(["input", "output", "gradient"]))
        self.taps = int(random.choice([3, 5, 9]))
        self.row = 1 if self.taps < 9 else 2  # rows of pixels for a row of tiles
        self.pixels, self.results = MATRICES[self.taps]
        self.number, self.channels = (int(n) for n in random.integers(1, 4, 2))
        self.tall, self.height = int(random.integers(1, 7)), int(random.integers(1, 14))
        self.spread = int(random.choice([1, 1, 1, 2, 3, 4, 5, 6, 7, 8][: 9 if self.taps == 5 else 10]))
        self.wide = -(-int(random.choice([1, 2, 3, 7, 8, 15, 16, 17, 20, 33])) // self.spread) * self.spread
        width = int(random.integers(1, 2 * self.wide + (1 if self.kind == "output" else 5)))
        self.top, self.left = (int(n) for n in random.integers(0, 4, 2)) if self.kind == "input" else (0, 0)
        self.first = int(random.integers(0, 3))
        gap = int(random.choice([0, 0, 1, 5]))
        images = self.numbers((self.number, self.channels, self.height, width + gap), self.kind != "output")
        numbers = len(self.pixels) ** self.row
        tiles = self.numbers((numbers, self.channels, self.number, self.tall, self.wide + gap), self.kind == "output")
        self.all_images, self.all_tiles = place(images), place(tiles)
        self.images, self.tiles = self.all_images[..., :width], self.all_tiles[..., : self.wide]

    def numbers(self, shape: tuple[int, ...], given: bool) -> np.ndarray:
        """Numbers, or 7 for what is written."""
        return (self.random.integers(-9, 10, shape) if given else np.full(shape, 7)).astype(np.float32)

    def arguments(self) -> list[Any]:
        """What the function takes."""
        return [self.images, self.tiles, self.top, self.left, self.first]

    def framed(self) -> np.ndarray:
        """The images with zeros around them, on all sides as many as any tile reaches."""
        rows, columns = self.top, self.left
        beyond = 2 * (self.first + self.tall + self.wide) + 6 * self.spread
        frame = [(0, 0), (0, 0), (rows, beyond), (columns, beyond)]
        return np.pad(self.images.astype(np.float64), frame)[:, :, self.row * self.first :]

    def wanted(self) -> tuple[np.ndarray, np.ndarray]:
        """What images and tiles should be afterwards."""
        images, tiles = self.images.astype(np.float64), self.tiles.astype(np.float64)
        rows = self.row * self.tall
        if self.kind == "output":
            across = self.results
            down = across if self.row == 2 else np.ones((1, 1))
            whole = tiles.reshape(down.shape[1], across.shape[1], *tiles.shape[1:])
            whole = np.einsum("ia,abcnyx,jb->ncyixj", down, whole, across)
            whole = whole.reshape(self.number, self.channels, rows, -1, self.spread, 2)
            whole = whole.swapaxes(4, 5).reshape(self.number, self.channels, rows, 2 * self.wide)
            part = images[:, :, self.row * self.first : self.row * (self.first + self.tall)]
            part[...] = whole[:, :, : part.shape[2], : part.shape[3]]
            return images, tiles
        across = self.pixels if self.kind == "input" else self.results.T
        down = across if self.row == 2 else np.ones((1, 1))
        reach = (across.shape[1] - 1) * self.spread + 1
        windows = np.lib.stride_tricks.sliding_window_view(self.framed(), (down.shape[1], reach), axis=(2, 3))
        first = [tile + tile // self.spread * self.spread for tile in range(self.wide)]
        windows = windows[:, :, :: self.row][:, :, : self.tall, first, :, :: self.spread]
        return images, np.einsum("ai,ncyxij,bj->abcnyx", down, windows, across).reshape(tiles.shape)

    def check(self) -> None:
        """Transform and compare, also without AVX-512; AssertionError where something differs."""
        images, tiles = self.wanted()
        written = self.all_images if self.kind == "output" else self.all_tiles
        functions = [(compile_transform(self.kind, self.spread, self.taps), has_wide_code())]
        if self.spread == 1:
            sizes = self.images.shape[-1], self.left, self.wide
            functions.append((compile_narrow_transform(self.kind, self.taps, *sizes), unavailable() is None))
        for function, there in functions:
            written[...] = 7
            done = function(*self.arguments())
            assert done is there, self.describe()
            if not done:
                continue
            np.testing.assert_array_equal(self.images, images, self.describe())
            np.testing.assert_array_equal(self.tiles, tiles, self.describe())
            inside = self.images if self.kind == "output" else self.tiles
            assert (written[..., inside.shape[-1] :] == 7).all(), self.describe()

    def describe(self) -> str:
        """What a failure tells."""
        return f"{self.kind} {self.spread} {self.taps}: {self.images.shape}, {self.tiles.shape}, {self.arguments()[2:]}"
