"""Quotients and rests of floats in machine code are NumPy's, to the last bit."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native import remainders
from mycel.runtime.native.builder import Builder, Constants
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.native.functions import divide

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def _numbers(dtype: str, seed: int) -> np.ndarray:
    """Floats of usual and of all magnitudes, small integers, and special ones."""
    random, count, limits = np.random.default_rng(seed), 20_000, np.finfo(dtype)
    special = [0.0, -0.0, 1, np.inf, -np.inf, np.nan, limits.max, limits.tiny, limits.smallest_subnormal, 0.1]
    usual = random.standard_normal(count) * 10.0 ** random.uniform(-3, 3, count)
    bits = random.integers(0, 1 << 64, count, dtype=np.uint64).astype(f"u{limits.bits // 8}").view(dtype)
    kinds = [usual, bits, random.integers(-50, 50, count), random.choice(special, count)]
    with np.errstate(all="ignore"):
        return np.choose(random.choice(4, count, p=[0.4, 0.2, 0.3, 0.1]), kinds).astype(dtype)


@pytest.mark.parametrize("function", ["fmod", "remainder", "floor_divide"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_agree_with_numpy(dtype: str, function: str) -> None:
    """Also for multiples and their neighbours, for huge quotients, and for zeros of both signs."""
    x, y = _numbers(dtype, 0), _numbers(dtype, 1)
    factors = np.random.default_rng(2).integers(-100, 100, len(x)).astype(dtype)
    with np.errstate(all="ignore"):
        x[::3] = (y * factors)[::3]
        x[::9] = np.nextafter(x[::9], np.float64(0).astype(dtype))
        expected = getattr(np, function)(x, y)
    lines = [f"{role} {name} {dtype}[{len(x)}] {x.itemsize}" for role, name in (("in", "x"), ("in", "y"), ("out", "z"))]
    out = np.empty_like(x)
    assert compile_kernel("\n".join([f"over {len(x)}", *lines, f"z = {function}(x, y)"]))(x, y, out)
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(
        np.signbit(out), np.signbit(expected) & ~np.isnan(out) | np.signbit(out) & np.isnan(out)
    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("number", [0.02, -3.0, 7.0, 1000.0, 0.19, 1e-8, 1e30, 1.1])
def test_quotients_by_constants_are_exact(number: float, dtype: str) -> None:
    generator, divisor = np.random.default_rng(0), np.dtype(dtype).type(number)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, np.finfo(dtype).max, np.finfo(dtype).tiny * 2.0**100]
    multiples = np.arange(-2000, 2000) * divisor  # quotients near integers, and near the middle between two
    random = generator.standard_normal(20_000) * 10.0 ** generator.integers(-9, 9, 20_000)
    with np.errstate(all="ignore"):
        x = np.concatenate([special, multiples, multiples / 2, random]).astype(dtype)
        expected = x / divisor
    y = np.empty_like(x)
    lines = [f"over {x.size}", *[f"{name} {dtype}[{x.size}] {x.itemsize}" for name in ("in x", "out y")]]
    assert compile_kernel("\n".join([*lines, f"y = divide(x, {number})"]))(x, y)
    np.testing.assert_array_equal(y, expected)
    np.testing.assert_array_equal(np.signbit(y[y == y]), np.signbit(expected[y == y]))


@pytest.mark.parametrize("number", [0.02, 1.11, -1.61, 3.0])
def test_all_quotients_by_a_constant_are_exact(number: float) -> None:
    """One x of all would have another quotient by 1.11, and by 1.61, if they were two products."""
    x = (np.arange(1 << 23, dtype=np.uint32) | np.uint32(0x3F800000)).view(np.float32)
    y = np.empty_like(x)
    lines = f"over {x.size}\nin x float32[{x.size}] 4\nout y float32[{x.size}] 4\ny = divide(x, {number})"
    assert compile_kernel(lines)(x, y)
    np.testing.assert_array_equal(y, x / np.float32(number))


@pytest.mark.parametrize("width", [4, 8])
def test_most_constants_have_a_reciprocal_in_two_parts(width: int) -> None:
    numbers = np.linspace(1.001, 1.999, 999).astype(f"f{width}").tolist()
    found = [remainders.reciprocal(number, width) for number in numbers]
    assert 0.8 < sum(parts is not None for parts in found) / len(found) < 0.95
    for number, parts in zip(numbers, found, strict=True):
        if parts is not None:
            assert 0 <= parts[1] < parts[0] / 2**22
            assert abs(sum(map(Fraction, parts)) * Fraction(number) - 1) < 2 ** -(12 * width - 3)


def test_divisions_by_constants_are_products(monkeypatch: pytest.MonkeyPatch) -> None:
    operations = []
    monkeypatch.setattr(Builder, "divide", lambda builder, x, y: operations.append(y))
    builder = Builder(4, Constants(), [0])
    for number in (0.02, 1.11, 4.0, 0.0):
        divide(builder, builder.new("float32"), builder.constant(number, "float32"))
    assert len(operations) == 2  # 1.11 and 0
