"""Random words in machine code are those of NumPy's generator; only whole arrays of the right kind are filled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mycel.runtime.machine.array_functions import compile_philox
from mycel.runtime.machine.product import refuses
from mycel.runtime.random import RandomState, State

Array = np.ndarray[Any, np.dtype[Any]]

native = pytest.mark.skipif(compile_philox() is refuses, reason="no machine code here")
DRAWN = [State(0, 0), State(2**128 - 1, 2**128 - 1), State(3 << 64 | 5, 7)]


def numpys(draw: State) -> np.random.Philox:
    """NumPy's generator of the words of a draw."""
    return np.random.Philox(key=draw.seed, counter=draw.draws << 128)


def stream(draw: State) -> Any:
    generator = RandomState(1)
    generator.state = draw
    return generator.next_stream()


@pytest.mark.parametrize("draw", DRAWN)
@pytest.mark.parametrize("counts", [(3,), (4096,), (1000, 4000, 257), (8, 8192, 2), (0, 1024, 512, 1)])
def test_words_are_those_of_numpy(draw: State, counts: tuple[int, ...]) -> None:
    """However they are asked for, and what a generator draws behind them."""
    bits, wanted = stream(draw), numpys(draw)
    for count in counts:
        np.testing.assert_array_equal(bits.words(count), wanted.random_raw(count))
    following = np.random.Generator(wanted).random(5)
    np.testing.assert_array_equal(bits.generator().random(5), following)


@native
def test_the_function_fills_its_rows_and_counts() -> None:
    """Nothing before and behind them; the state goes on behind the last row."""
    state = np.zeros(24, np.uint64)
    whole = np.full((12, 4), 9, np.uint64)
    assert compile_philox()(state, whole[3:9])
    assert state.tolist() == [6] + [0] * 23
    assert (whole == 9).all(axis=1).tolist() == [True] * 3 + [False] * 6 + [True] * 3


@native
@pytest.mark.parametrize(
    ("state", "words"),
    [
        (np.zeros(23, np.uint64), np.zeros((3, 4), np.uint64)),
        (np.zeros(24, np.int64), np.zeros((3, 4), np.uint64)),
        (np.zeros(24, np.uint64), np.zeros((3, 5), np.uint64)),
        (np.zeros(24, np.uint64), np.zeros((0, 4), np.uint64)),
        (np.zeros(24, np.uint64), np.zeros((6, 4), np.uint64)[::2]),
        (np.zeros(24, np.uint64), np.zeros(12, np.uint64)),
        (np.zeros(24, np.uint64), [[0] * 4]),
    ],
)
def test_other_arrays_are_refused(state: Array, words: Any) -> None:
    before = np.array(words)
    assert not compile_philox()(state, words)
    np.testing.assert_array_equal(words, before)
    assert not state.any()


@native
def test_arrays_that_cannot_be_written_are_refused() -> None:
    state, words = np.zeros(24, np.uint64), np.zeros((3, 4), np.uint64)
    words.flags.writeable = False
    assert not compile_philox()(state, words)
    words, state.flags.writeable = np.zeros((3, 4), np.uint64), False
    assert not compile_philox()(state, words)
