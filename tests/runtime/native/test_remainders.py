"""Quotients and rests of floats in machine code are NumPy's, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native.codegen import compile_kernel

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
