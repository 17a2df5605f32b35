"""Speculative parallel generation of normal numbers: threads draw parts of what one generator would draw.

NumPy's ziggurat takes one word of random bits for most numbers, and more for one in 80. So nobody knows beforehand
where in the stream the draw of a later number begins. Each thread guesses that one begins at the first word of its
piece. A wrong guess sets itself right within a few numbers: as soon as a number ends at the same word for the thread
and for the true sequence, which goes on from the end of the piece before, all that follow are the same. The numbers are
therefore those of one generator, to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from . import processors, threads

Array = np.ndarray[Any, np.dtype[Any]]

PIECE = 1 << 18
"""Words of random bits that one thread takes at once."""
FIRST = 16
"""Numbers at the start of a piece whose ends are known. A wrong guess needs one or two."""
SMALL = 1 << 20
"""Numbers up to which one thread draws all."""
MOST_THREADS = 8
"""Each has 4 MB of numbers."""


def fill(flat: Array, behind: Callable[[int], np.random.Generator], scale: Callable[[Array], object]) -> None:
    """Fill a vector of Float32 with normal numbers, and call `scale` with each part of it.

    Args:
        flat: the vector.
        behind: gives a new generator that starts behind so many words of the stream, a multiple of 8.
        scale: changes the numbers of a part, one by one.
    """
    count = min(processors.thread_count(), MOST_THREADS) if flat.size > SMALL else 1
    done = _together(flat, behind, scale, count) if count > 1 else 0
    if done == flat.size:
        return
    generator = behind(0)
    passed = np.empty(min(PIECE, done), np.float32)
    for start in range(0, done, PIECE):
        generator.standard_normal(dtype=np.float32, out=passed[: done - start])
    for start in range(done, flat.size, PIECE // 4):  # what was just drawn is still in the cache when it is scaled
        part = flat[start : start + PIECE // 4]
        generator.standard_normal(dtype=np.float32, out=part)
        scale(part)


class _Piece:
    """The numbers whose draws begin in one piece of the stream, if its first word begins one.

    Attributes:
        numbers: the numbers.
        ends: for the first numbers, the word behind each; one more at the start of the piece itself.
        over: how many words of the next piece the last number takes; negative if the guesses of sizes were wrong.
    """

    def __init__(self, generator: np.random.Generator, memory: Array) -> None:
        self.generator = generator
        self.start = _taken(generator)
        self.numbers = memory
        self.ends = [0]
        self.over = -1

    def draw(self) -> None:
        """Draw all numbers."""
        taken = 0
        while taken < FIRST:
            self.numbers[taken] = self.next()
            taken += 1
            self.ends.append(self.position())
        left = PIECE - self.ends[-1]
        while left > 0:
            some = left - left // 16 if left > 1 << 12 else left // 2 if left > 8 else 1
            self.generator.standard_normal(dtype=np.float32, out=self.numbers[taken : taken + some])
            taken += some
            left = PIECE - self.position()
            if left < 0 and some > 1:
                return
        self.numbers, self.over = self.numbers[:taken], -left

    def next(self) -> Any:
        """The next number."""
        return self.generator.standard_normal(dtype=np.float32)

    def position(self) -> int:
        """The words of the stream that are taken, counted from the start of the piece."""
        return _taken(self.generator) - self.start


def _taken(generator: np.random.Generator) -> int:
    """The words of the stream that a generator has taken, up to the ends of counts."""
    state: Any = generator.bit_generator.state
    counts = int(state["state"]["counter"][0])  # of 8 words each; the last ones may still be in a buffer
    return 8 * counts - 2 * (4 - state["buffer_pos"]) - state["has_uint32"]


def _together(
    flat: Array, behind: Callable[[int], np.random.Generator], scale: Callable[[Array], object], count: int
) -> int:
    """Fill a vector on several threads. Returns how many numbers could be filled: all, but for improbable streams."""
    done = first = 0
    before: _Piece | None = None
    memory = np.empty((4 * count, PIECE), np.float32)
    while done < flat.size:
        pieces = [_Piece(behind((first + number) * PIECE), row) for number, row in enumerate(memory)]
        _share([piece.draw for piece in pieces], count)
        parts: list[Callable[[], None]] = []
        for piece in pieces:
            joined = _joined(before, piece)
            if joined is None:
                flat = flat[:done]  # no more
                break
            parts.append(partial(_write, flat[done : done + joined.size], joined, scale))
            done, before = min(flat.size, done + joined.size), piece
        _share(parts, count)
        first += len(pieces)
    return done


def _share(work: Sequence[Callable[[], None]], count: int) -> None:
    threads.share(lambda number, _: work[number](), len(work), count)


def _write(part: Array, numbers: Array, scale: Callable[[Array], object]) -> None:
    part[:] = numbers[: part.size]
    scale(part)


def _joined(before: _Piece | None, piece: _Piece) -> Array | None:
    """The numbers that follow those of the piece before; None if that cannot be told."""
    if piece.over < 0:
        return None
    position = 0 if before is None else before.over
    between: list[Any] = []
    while position not in piece.ends:
        if before is None or position > piece.ends[-1]:
            return None
        between.append(before.next())
        position = before.position() - PIECE
    numbers = piece.numbers[piece.ends.index(position) :]
    return np.concatenate([np.array(between, np.float32), numbers]) if between else numbers
