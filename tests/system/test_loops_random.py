"""Random loops over tiny tensors and tables do the same in a graph and eagerly, errors of positions included."""

from __future__ import annotations

import itertools
import linecache
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import currently_in_test_context, given, note, settings, strategies as st
from loop_writer import LoopWriter

import mycel as ms
from mycel import Tensor, ops

_numbers = itertools.count()
FLOATS = 5  # arguments that are no integers


def define(text: str) -> Any:
    """The function of a text that has a file of its own."""
    filename = f"<random loop {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names: dict[str, Any] = {"__name__": "random_loop", "ops": ops}
    exec(compile(text, filename, "exec"), names)
    return names["f"]


def drawn(writer: LoopWriter, seed: int) -> list[np.ndarray]:
    """The arguments of a random function."""
    draw = np.random.default_rng(seed)
    kind = np.int32 if seed % 3 else np.int64
    floats = [draw.standard_normal(size) for size in ((), (), 3, writer.size, (writer.size, writer.columns))]
    integers = [draw.integers(0, high, size) for high, size in ((5, writer.size), (9, ()), (6, ()), (60, ()))]
    return [*floats, *[np.asarray(array, kind) for array in integers]]


def run(function: Callable[..., Any], arrays: list[np.ndarray]) -> Any:
    """The results as arrays, or the class of the error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ms.FallbackWarning)
            return [result.asnumpy() for result in function(*map(Tensor, arrays))]
    except IndexError:
        return IndexError


def agree(found: Any, wanted: Any) -> bool:
    """Whether results are equal up to rounding."""
    if IndexError in (found, wanted):
        return found is wanted
    return all(
        one.dtype == other.dtype and np.allclose(one, other, rtol=1e-7, atol=1e-7, equal_nan=True)
        for one, other in zip(found, wanted, strict=True)
    )


def compare(seed: int) -> str:
    """A random function compiled and eager gives the same. Returns how it ended."""
    writer = LoopWriter(Random(seed))
    text = writer.program()
    if currently_in_test_context():
        note(text)
    function, arrays = define(text), drawn(writer, seed)
    with ms.disable_jit(), np.errstate(all="ignore"):
        wanted = run(function, arrays)
    found = run(ms.jit(function), arrays)
    if wanted is IndexError and found is not IndexError:
        return "not read"  # what nobody reads is not computed
    if not agree(found, wanted):
        moved = [array * (1 + 1e-14) if number < FLOATS else array for number, array in enumerate(arrays)]
        with ms.disable_jit(), np.errstate(all="ignore"):
            assert not agree(run(function, moved), wanted), (text, arrays, found, wanted)
        return "unstable"
    return "error" if found is IndexError else "agrees"


def test_random_loops() -> None:
    ways = [compare(seed) for seed in range(13)]
    assert ways.count("agrees") >= 7
    assert ways.count("error") >= 1


@pytest.mark.slow
@settings(max_examples=2_000, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_many_random_loops(seed: int) -> None:
    compare(seed)
