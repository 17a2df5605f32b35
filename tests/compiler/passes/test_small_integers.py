"""Integers made of bytes that kernels store for slices are stored as words where they have room."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

BYTES = np.random.default_rng(0).integers(0, 256, (150, 180)).astype(np.uint8)
NUMBERS = [number * number % 97 for number in range(300)]


def _rows(x: Any, factor: int) -> Any:
    x = x.astype(ms.int32 if isinstance(x, Tensor) else np.int32)
    return (x[:, :-2] + x[:, 1:-1] * factor + x[:, 2:]) - 5


def _box(x: Any, factor: int) -> Any:
    s = _rows(x, factor)
    return s[:-2] + 2 * s[1:-1] + s[2:]


@pytest.mark.parametrize(("factor", "stored"), [(2, "int16"), (200, "int32"), (1 << 24, "int32"), (-120, "int16")])
def test_sums_that_are_read_again(factor: int, stored: str) -> None:
    """As words where the least and the greatest number have room in 16 bits."""

    def last(x: Tensor) -> Tensor:
        return ops.bitwise_right_shift(_box(x, factor), 4)

    compiled = ms.jit(last)
    np.testing.assert_array_equal(compiled(Tensor(BYTES)).asnumpy(), _box(BYTES, factor) >> 4)
    assert f"out s {stored}" in _renamed(compiled.stages(Tensor(BYTES)).program)


def _renamed(program: str) -> str:
    """The program with one name for what its first kernel gives."""
    first = next(line for line in program.splitlines() if line.startswith("out "))
    return program.replace(first, " ".join(["out", "s", *first.split()[2:]]))


def test_results_stay() -> None:
    """What is returned, too, or read by others than slices, has the dtype that it has."""
    x = Tensor(BYTES)
    found = ms.jit(lambda x: (_rows(x, 2), _box(x, 2), _rows(x, 2).sum()))(x)
    assert [one.dtype for one in found[:2]] == [ms.int32, ms.int32]
    np.testing.assert_array_equal(found[0].asnumpy(), _rows(BYTES, 2))
    np.testing.assert_array_equal(found[1].asnumpy(), _box(BYTES, 2))
    assert int(found[2]) == int(_rows(BYTES, 2).sum())


def test_intermediate_numbers_that_are_too_large() -> None:
    """Numbers that wrap on the way are not taken for what they would be."""

    def wrapped(x: Any) -> Any:
        y = x.astype(ms.int32 if isinstance(x, Tensor) else np.int32)
        s = (y[:, 1:] * (1 << 24) + y[:, :-1]) // (1 << 24)
        return s[1:] - s[:-1]

    np.testing.assert_array_equal(ms.jit(wrapped)(Tensor(BYTES)).asnumpy(), wrapped(BYTES))


def test_values_of_long_chains() -> None:
    """They stay as they are: to find the range of each value of the chain would take a call inside of a call."""

    def chain(x: Any, least: Any, most: Any) -> Any:
        y = x
        for number in NUMBERS:
            y = least(most(y - x % (number + 3), 3) * 2 + number, 200)
        return y[1:] + y[:-1]

    found = ms.jit(lambda x: chain(x.astype(ms.int32), ops.minimum, ops.maximum))(Tensor(BYTES))
    np.testing.assert_array_equal(found.asnumpy(), chain(BYTES.astype(np.int32), np.minimum, np.maximum))
