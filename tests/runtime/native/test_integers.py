"""Integers divided in machine code: exact for all numbers and divisors."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.codegen import compile_kernel

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

FUNCTIONS = ("floor_divide", "remainder", "fmod")


def _numbers(bits: int, count: int) -> np.ndarray:
    """Integers of all magnitudes, the extremes among them."""
    random, limit = np.random.default_rng(count), 1 << bits - 1
    known = [0, 1, -1, 2, -2, 3, -3, 7, -7, 10, -10, limit - 1, limit - 2, 1 - limit, -limit, limit // 2, -limit // 2]
    drawn = [int(random.integers(-limit, limit)) >> int(random.integers(bits)) for _ in range(count)]
    return np.array(known + drawn, f"int{bits}")


def _around(multiples: np.ndarray, divisor: int) -> np.ndarray:
    """Numbers, the second half of which lie around multiples of a divisor."""
    random, half = np.random.default_rng(7), len(multiples) // 2
    found = multiples.copy()
    with np.errstate(over="ignore"):
        near = found[half:] // np.array(divisor or 1, found.dtype) * np.array(divisor, found.dtype)
        found[half:] = near + random.integers(-1, 2, len(near)).astype(found.dtype)
    return found


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("bits", [32, 64])
def test_division_by_constants(bits: int, function: str) -> None:
    """Multiplications and shifts give NumPy's quotients and rests, by every power of two and its neighbours, too."""
    divisors = {int(divisor) for divisor in _numbers(bits, 40)}
    for power in range(bits):
        divisors |= {sign * (1 << power) + more for sign in (-1, 1) for more in (-1, 0, 1)}
    dtype, size = f"int{bits}", bits // 8
    limits = np.iinfo(dtype)
    for divisor in sorted(divisor for divisor in divisors if limits.min <= divisor <= limits.max):
        x = _around(_numbers(bits, 200), divisor)
        text = f"over {len(x)}\nin x {dtype}[{len(x)}] {size}\nout y {dtype}[{len(x)}] {size}\n"
        out = np.empty_like(x)
        assert compile_kernel(f"{text}y = {function}(x, {divisor})")(x, out)
        with np.errstate(all="ignore"):
            expected = getattr(np, function)(x, np.array(divisor, dtype))
        np.testing.assert_array_equal(out, expected, f"{function} by {divisor}")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_division_by_arrays(function: str) -> None:
    """Quotients by arrays of 32 bits are exact, and 0 for a divisor 0."""
    x, y = _numbers(32, 30000), np.random.default_rng(1).permutation(_numbers(32, 30000))
    with np.errstate(all="ignore"):
        x[::3] = x[::3] // y[::3] * y[::3] + np.random.default_rng(2).integers(-1, 2, len(x[::3])).astype(np.int32)
        x[:4], y[:4] = (-(2**31), -(2**31), 5, -5), (-1, 1, 0, 0)
        expected = getattr(np, function)(x, y)
    text = f"over {len(x)}\nin x int32[{len(x)}] 4\nin y int32[{len(x)}] 4\nout z int32[{len(x)}] 4\n"
    out = np.empty_like(x)
    assert compile_kernel(f"{text}z = {function}(x, y)")(x, y, out)
    np.testing.assert_array_equal(out, expected)


def test_what_machine_code_does_not_divide() -> None:
    """No instruction divides 64-bit integers by arrays."""
    lines = [f"{role} {name} int64[9] 8" for role, name in (("in", "x"), ("in", "y"), ("out", "z"))]
    with pytest.raises(Unsupported):
        compile_kernel("\n".join(["over 9", *lines, "z = floor_divide(x, y)"]))


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_programs(dtype: type) -> None:
    """Compiled programs divide in kernels, or call NumPy where kernels cannot, with the same results."""

    def f(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        return x // 7 + x % -1000, x // (y + 10), x % (y + 10)

    x, y = (np.arange(-300, 300, dtype=dtype) * 12345, np.arange(600, dtype=dtype) % 9 - 4)
    kernels = ms.jit(f)
    results = kernels(Tensor(x), Tensor(y))
    for result, expected in zip(results, (x // 7 + x % -1000, x // (y + 10), x % (y + 10)), strict=True):
        np.testing.assert_array_equal(result.asnumpy(), expected)
    assert "floor_divide(x" in kernels.stages(Tensor(x), Tensor(y)).program


def test_floats_become_integers() -> None:
    """Fractions are lost towards zero; what no integer stands for is as in NumPy."""
    x = np.array([1.9, -1.9, 0.5, -0.0, 2**31 - 128, 2**31, -(2**31), 1e30, np.inf, -np.inf, np.nan] * 3, np.float32)
    out = np.empty(len(x), np.int32)
    text = f"over {len(x)}\nin x float32[{len(x)}] 4\nout y int32[{len(x)}] 4\ny = cast(x, int32)"
    assert compile_kernel(text)(x, out)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(out, x.astype(np.int32))


@pytest.mark.parametrize("function", ["left_shift", "right_shift"])
@pytest.mark.parametrize("bits", [32, 64])
def test_shifts(bits: int, function: str) -> None:
    """By constants and by arrays; a count that is negative or too large leaves nothing but the sign."""
    x, dtype, size = _numbers(bits, 500), f"int{bits}", bits // 8
    counts = np.random.default_rng(3).integers(-3, bits + 3, len(x)).astype(dtype)
    array = f"{dtype}[{len(x)}] {size}"
    out, wide = np.empty_like(x), np.empty_like(x)
    assert compile_kernel(f"over {len(x)}\nin x {array}\nin y {array}\nout z {array}\nz = {function}(x, y)")(
        x, counts, out
    )
    for count in range(-3, bits + 3):
        assert compile_kernel(f"over {len(x)}\nin x {array}\nout z {array}\nz = {function}(x, {count})")(x, wide)
        beyond = np.where(x < 0, -1, 0) if function == "right_shift" else np.zeros_like(x)
        expected = getattr(np, function)(x, np.array(count, dtype)) if 0 <= count < bits else beyond.astype(dtype)
        np.testing.assert_array_equal(wide, expected, f"by {count}")
        np.testing.assert_array_equal(out[counts == count], expected[counts == count], f"by {count}")
