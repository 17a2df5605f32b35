"""Integers divided, and multiplied, in machine code: exact for all numbers."""

from __future__ import annotations

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor
from mycel.runtime.machine.executable import has_masked_vectors, unavailable
from mycel.runtime.native.codegen import compile_kernel

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

FUNCTIONS = ("floor_divide", "remainder", "fmod")
WIDTHS = [False, True] if has_masked_vectors() else [False]


def _numbers(bits: int, count: int) -> np.ndarray:
    """Integers of all magnitudes, the extremes among them."""
    random, limit = np.random.default_rng(count), 1 << bits - 1
    known = [0, 1, -1, 2, -2, 3, -3, 7, -7, 10, -10, limit - 1, limit - 2, 1 - limit, -limit, limit // 2, -limit // 2]
    drawn = random.integers(-limit, limit, count, np.int64) >> random.integers(bits, size=count)
    return np.concatenate([np.array(known, f"int{bits}"), drawn.astype(f"int{bits}")])


def _around(multiples: np.ndarray, divisor: int) -> np.ndarray:
    """Numbers, the second half of which lie around multiples of a divisor."""
    random, half = np.random.default_rng(7), len(multiples) // 2
    found = multiples.copy()
    with np.errstate(over="ignore"):
        near = found[half:] // np.array(divisor or 1, found.dtype) * np.array(divisor, found.dtype)
        found[half:] = near + random.integers(-1, 2, len(near)).astype(found.dtype)
    return found


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("wide", WIDTHS)
def test_division_by_constants(wide: bool, bits: int, function: str, every: int) -> None:
    """Multiplications and shifts give NumPy's quotients and rests, by every third power of two and its neighbours, too;
    by every one among the slow tests."""
    divisors = {int(divisor) for divisor in _numbers(bits, 40)}
    for power in (*range(0, bits, every), bits - 2, bits - 1):
        divisors |= {sign * (1 << power) + more for sign in (-1, 1) for more in (-1, 0, 1)}
    dtype, size = f"int{bits}", bits // 8
    limits = np.iinfo(dtype)
    kept = sorted(divisor for divisor in divisors if limits.min <= divisor <= limits.max)
    numbers = _numbers(bits, 200)
    for some in (kept[start : start + 6] for start in range(0, len(kept), 6)):  # a kernel of each would take long
        given = [_around(numbers, divisor) for divisor in some]
        out = [np.empty_like(x) for x in given]
        text = f"over {len(numbers)}\n"
        for place in ("in x", "out y"):
            text += "".join(f"{place}{each} {dtype}[{len(numbers)}] {size}\n" for each in range(len(some)))
        text += "\n".join(f"y{each} = {function}(x{each}, {divisor})" for each, divisor in enumerate(some))
        assert compile_kernel(text, wide=wide)(*given, *out)
        for divisor, x, got in zip(some, given, out, strict=True):
            with np.errstate(all="ignore"):
                expected = getattr(np, function)(x, np.array(divisor, dtype))
            np.testing.assert_array_equal(got, expected, f"{function} by {divisor}")


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("bits", [32, 64])
def test_division_by_arrays(bits: int, function: str, wide: bool) -> None:
    """Quotients by arrays are exact, and 0 for a divisor 0."""
    dtype, size = f"int{bits}", bits // 8
    x, y = _numbers(bits, 30000), np.random.default_rng(1).permutation(_numbers(bits, 30000))
    with np.errstate(all="ignore"):
        x[::3] = x[::3] // y[::3] * y[::3] + np.random.default_rng(2).integers(-1, 2, len(x[::3])).astype(dtype)
        limit = 1 << bits - 1
        x[:6], y[:6] = (-limit, -limit, 5, -5, limit - 1, limit - 1), (-1, 1, 0, 0, -1, 1)
        expected = getattr(np, function)(x, y)
    array = f"{dtype}[{len(x)}] {size}"
    text = f"over {len(x)}\nin x {array}\nin y {array}\nout z {array}\n"
    out = np.empty_like(x)
    assert compile_kernel(f"{text}z = {function}(x, y)", wide=wide)(x, y, out)
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_programs(dtype: type) -> None:
    """Compiled programs divide in kernels, with NumPy's results."""

    def f(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        return x // 7 + x % -1000, x // (y + 10), x % (y + 10)

    x, y = (np.arange(-300, 300, dtype=dtype) * 12345, np.arange(600, dtype=dtype) % 9 - 4)
    kernels = ms.jit(f)
    results = kernels(Tensor(x), Tensor(y))
    for result, expected in zip(results, (x // 7 + x % -1000, x // (y + 10), x % (y + 10)), strict=True):
        np.testing.assert_array_equal(result.asnumpy(), expected)
    program = kernels.stages(Tensor(x), Tensor(y)).program
    assert "floor_divide(x" in program
    assert "np." not in program.partition("def ")[2]


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize("bits", [32, 64])
def test_floats_become_integers(bits: int, wide: bool) -> None:
    """Fractions are lost towards zero; what no integer stands for is as in NumPy."""
    limit, apart = 2.0 ** (bits - 1), 2.0 ** (7 if bits == 32 else 10)
    known = [1.9, -1.9, 0.5, -0.5, -0.0, limit - apart, limit, -limit, 1e30, -1e30, np.inf, -np.inf, np.nan]
    drawn = np.random.default_rng(5).standard_normal(500) * 2.0 ** np.random.default_rng(6).integers(-2, bits + 2, 500)
    x = np.array([*known, *drawn], f"float{bits}")
    out, size = np.empty(len(x), f"int{bits}"), bits // 8
    text = (
        f"over {len(x)}\nin x {x.dtype}[{len(x)}] {size}\nout y {out.dtype}[{len(x)}] {size}\ny = cast(x, {out.dtype})"
    )
    assert compile_kernel(text, wide=wide)(x, out)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(out, x.astype(out.dtype))


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize("bits", [32, 64])
def test_integers_become_floats(bits: int, wide: bool) -> None:
    """They are rounded to the nearest float."""
    x, size = _numbers(bits, 3000), bits // 8
    out = np.empty(len(x), f"float{bits}")
    text = (
        f"over {len(x)}\nin x {x.dtype}[{len(x)}] {size}\nout y {out.dtype}[{len(x)}] {size}\ny = cast(x, {out.dtype})"
    )
    assert compile_kernel(text, wide=wide)(x, out)
    np.testing.assert_array_equal(out, x.astype(out.dtype))


@pytest.mark.parametrize("function", ["left_shift", "right_shift"])
@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("wide", WIDTHS)
def test_shifts(wide: bool, bits: int, function: str) -> None:
    """By constants and by arrays; a count that is negative or too large leaves nothing but the sign."""
    x, dtype, size = _numbers(bits, 500), f"int{bits}", bits // 8
    counts = np.random.default_rng(3).integers(-3, bits + 3, len(x)).astype(dtype)
    array = f"{dtype}[{len(x)}] {size}"
    out, shifted = np.empty_like(x), np.empty_like(x)
    text = f"over {len(x)}\nin x {array}\nin y {array}\nout z {array}\nz = {function}(x, y)"
    assert compile_kernel(text, wide=wide)(x, counts, out)
    for count in range(-3, bits + 3):
        text = f"over {len(x)}\nin x {array}\nout z {array}\nz = {function}(x, {count})"
        assert compile_kernel(text, wide=wide)(x, shifted)
        beyond = np.where(x < 0, -1, 0) if function == "right_shift" else np.zeros_like(x)
        expected = getattr(np, function)(x, np.array(count, dtype)) if 0 <= count < bits else beyond.astype(dtype)
        np.testing.assert_array_equal(shifted, expected, f"by {count}")
        np.testing.assert_array_equal(out[counts == count], expected[counts == count], f"by {count}")


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("wide", WIDTHS)
def test_products_of_rows_wrap_around(wide: bool, bits: int) -> None:
    """Long rows have several accumulators, which are multiplied at the end."""
    dtype, size = f"int{bits}", bits // 8
    limits = np.iinfo(dtype)
    for count in (1, 7, 16, 31, 32, 33, 49, 64, 200):
        x = np.random.default_rng(count).integers(limits.min, limits.max, count, dtype) | 1
        text = f"over {count}\nin x {dtype}[{count}] {size}\nout y {dtype}[] 0\ny = row_multiply(x)\n"
        out = np.empty((), dtype)
        assert compile_kernel(text, wide=wide)(x, out)
        assert out == np.multiply.reduce(x, dtype=dtype), count
