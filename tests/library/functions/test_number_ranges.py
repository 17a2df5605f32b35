"""Python numbers that tensors of integers cannot hold: wrapped as MindSpore does, or an error that says so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops

ONES = np.ones((2, 2), np.int8)


@pytest.mark.parametrize("transform", [lambda f: f, ms.jit])
def test_full_wraps_as_other_functions_do(transform: Any) -> None:
    """300 is 44 in eight bits, in `full` as in `where`."""
    assert np.array_equal(transform(lambda: ops.full((2,), 300, dtype=ms.int8))().asnumpy(), np.full(2, 44, np.int8))
    mask = Tensor(np.eye(2) > 0)
    assert np.array_equal(transform(lambda x: ops.where(mask, x, 300))(Tensor(ONES)).asnumpy(), [[1, 44], [44, 1]])


@pytest.mark.parametrize("transform", [lambda f: f, ms.jit])
@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_integers_have_no_infinity(transform: Any, value: float) -> None:
    """The error names the number and the dtype."""
    with pytest.raises(ValueError, match=f"tensors of Int32 have no {value}"):
        transform(lambda: ops.full((2,), value, dtype=ms.int32))()
    mask = Tensor(np.eye(2) > 0)
    with pytest.raises(ValueError, match=f"masked_fill: tensors of Int32 have no {value}"):
        transform(lambda x: ops.masked_fill(x, mask, value))(Tensor(ONES.astype(np.int32)))


@pytest.mark.parametrize("transform", [lambda f: f, ms.jit])
@pytest.mark.parametrize("operation", [lambda x: x < 10**30, lambda x: x == -(10**30), lambda x: x + (1 << 64)])
def test_numbers_beyond_64_bits(transform: Any, operation: Any) -> None:
    """They do not wrap around, which would compare with another number."""
    with pytest.raises(ValueError, match="is beyond 64 bits"):
        transform(operation)(Tensor(ONES))


@pytest.mark.parametrize("make", [Tensor, Tensor.from_numpy])
def test_bytes_in_the_other_order(make: Any) -> None:
    """The error says how to put them in order."""
    with pytest.raises(TypeError, match=r"not supported: write \.astype\(np\.float32\)"):
        make(np.ones(3, np.dtype(np.float32).newbyteorder()))


def test_numbers_beyond_64_bits_are_told() -> None:
    assert ms.Tensor(2**63).dtype is ms.uint64
    for make in (lambda: ms.Tensor(2**64), lambda: ms.Tensor([2**64]), lambda: ms.Tensor(-(2**70), ms.int32)):
        with pytest.raises(ValueError, match="beyond 64 bits"):
            make()
    with pytest.raises(OverflowError, match="a whole number among the arguments"):
        ms.ops.diagonal(ms.Tensor([[1.0, 2.0]]), 2**70)


def test_polygamma_ends() -> None:
    found = ms.ops.polygamma(1, ms.Tensor([-1e9 - 0.5, -7.25], ms.float64))
    assert np.allclose(found.asnumpy(), [np.pi**2, np.pi**2 / np.sin(7.25 * np.pi) ** 2 - 0.1288666], rtol=1e-4)
    with pytest.raises(ValueError, match="at most 170"):
        ms.ops.polygamma(2**40, ms.Tensor([1.0]))
