"""Special functions in kernels against those of NumPy arrays, over their whole range and at their corners."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.kernels import bessel, error_function, gamma_function
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

TINY = [0.0, -0.0, 3e-308, -3e-308, 1e-300, -1e-300, 1e-40, -1e-40]
CORNERS = [
    *TINY,
    1.0,
    -1.0,
    2.0,
    -2.0,
    1e300,
    -1e300,
    -1e306,
    -1.7e308,
    -4503599627370497.0,
    2.5e305,
    1e306,
    np.inf,
    -np.inf,
    np.nan,
]
POWERS = 10.0 ** np.arange(-9, 9)
RANGE = np.concatenate([np.linspace(-25.3, 40, 4001), np.linspace(-0.999, 2.5, 999), POWERS, -POWERS, CORNERS])
UNIT = np.concatenate([np.linspace(-1, 1, 2001), 1 - 10.0 ** -np.arange(1, 16), CORNERS])


@pytest.mark.parametrize(
    ("op", "kernel", "dtype", "points", "tolerance"),
    [
        (ops.lgamma, gamma_function.lgamma, np.float32, RANGE, 3e-7),
        (ops.lgamma, gamma_function.lgamma, np.float64, RANGE, 3e-14),
        (ops.digamma, gamma_function.digamma, np.float32, RANGE, 3e-7),
        (ops.digamma, gamma_function.digamma, np.float64, RANGE, 3e-14),
        (partial(ops.polygamma, 1), partial(gamma_function.polygamma, 1), np.float32, RANGE, 3e-7),
        (partial(ops.polygamma, 1), partial(gamma_function.polygamma, 1), np.float64, RANGE, 3e-14),
        *[
            (
                partial(ops.polygamma, n),
                partial(gamma_function.polygamma, n),
                dtype,
                RANGE[abs(RANGE) > 1e-30],
                tolerance,
            )
            for n in (2, 3, 4)
            for dtype, tolerance in ((np.float32, 3e-7), (np.float64, 1e-12))
        ],
        (ops.erfinv, error_function.erfinv, np.float32, UNIT, 3e-7),
        (ops.erfinv, error_function.erfinv, np.float64, UNIT, 4e-15),
        (ops.bessel_j0, bessel.j0, np.float32, RANGE, 3e-7),
        (ops.bessel_j1, bessel.j1, np.float32, RANGE, 3e-7),
        (ops.bessel_y0, bessel.y0, np.float32, RANGE, 3e-7),
        (ops.bessel_y1, bessel.y1, np.float32, RANGE, 3e-7),
        *[
            (getattr(ops, f"bessel_{n}"), getattr(bessel, n), np.float32, RANGE, 4e-7)
            for n in ("i0", "i1", "i0e", "i1e")
        ],
    ],
)
def test_in_kernels(op: Any, kernel: Callable[..., Any], dtype: type, points: Any, tolerance: float) -> None:
    with np.errstate(all="ignore"):
        x = points.astype(dtype)
        expected = kernel(x)
    function = ms.jit(lambda x: op(x))
    found = function(Tensor(x)).asnumpy()
    assert "compile_kernel" in function.stages(Tensor(x)).program
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
    zeros = (x == 0) | ((expected == 0) & np.isfinite(x))  # a wave that fades out has no sign
    np.testing.assert_array_equal(np.signbit(found[zeros]), np.signbit(expected[zeros]))


@pytest.mark.parametrize("op", [ops.lgamma, ops.digamma, ops.erfinv, ops.bessel_i0, partial(ops.polygamma, 1)])
@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16])
def test_halves_are_computed_in_kernels(op: Any, dtype: Any) -> None:
    """In float32, like eager ones, and rounded once."""
    x = Tensor(np.concatenate([np.linspace(-0.99, 5, 200), [0.0, 100.0, np.inf, np.nan]]), dtype)
    function = ms.jit(lambda x: op(x))
    expected = op(x)
    assert function(x).dtype is expected.dtype is dtype
    assert "compile_kernel" in function.stages(x).program
    found, wanted = (each.astype(ms.float32).asnumpy() for each in (function(x), expected))
    np.testing.assert_allclose(found, wanted, rtol=8e-3 if dtype is ms.bfloat16 else 1e-3, atol=1e-6)


def test_zeta_of_float64_is_computed_in_kernels() -> None:
    draw = np.random.default_rng(0)
    for low, high in ((1e-8, 3.0), (1.0, 40.0), (100.0, 1e8), (-20.0, -0.01)):
        q = draw.uniform(low, high, 300)
        s = np.concatenate(
            [1.0 + draw.exponential(3.0, 200), draw.integers(1, 40, 94), [1.0, 0.5, 700, 1e5, np.inf, np.nan]]
        )
        s = np.round(s) if low < 0 else s
        function = ms.jit(lambda s, q: ops.zeta(s, q))
        found = function(Tensor(s), Tensor(q)).asnumpy()
        assert "compile_kernel" in function.stages(Tensor(s), Tensor(q)).program
        np.testing.assert_allclose(found, gamma_function.zeta(s, q), rtol=1e-13 if low < 0 else 2e-15, atol=1e-290)


def test_modified_bessel_functions_of_the_largest_arguments() -> None:
    """The exponential function overflows sooner; at infinity they are infinite."""
    x = np.array([88.0, 89.5, 91.0, -91.5, np.inf, -np.inf], np.float32)
    for name, sign in (("i0", 1), ("i1", np.sign(x))):
        op, kernel = getattr(ops, f"bessel_{name}"), getattr(bessel, name)
        found = ms.jit(lambda x, op=op: op(x))(Tensor(x)).asnumpy()
        np.testing.assert_allclose(found, kernel(x), rtol=4e-7)
        assert np.isfinite(found[:4]).all()
        np.testing.assert_array_equal(found[4:], (np.inf * sign * np.ones(6))[4:])
        wide = np.array([711.0, 713.9])
        found = ms.jit(lambda x, op=op: op(x))(Tensor(wide)).asnumpy()
        np.testing.assert_allclose(found, kernel(wide), rtol=1e-14)
        assert np.isfinite(found).all()


@pytest.mark.parametrize(("name", "slope"), [("i0", 0.0), ("i1", 0.5), ("i1e", 0.5), ("j0", 0.0), ("j1", 0.5)])
def test_gradients_of_bessel_functions_at_zero(name: str, slope: float) -> None:
    first = ms.grad(getattr(ops, f"bessel_{name}"))
    zero = Tensor(np.float32(0))
    assert first(zero) == slope
    assert np.isfinite(ms.grad(first)(zero).asnumpy())


def test_zeta_in_kernels() -> None:
    """Orders of all sizes, negative numbers, corners."""
    random = np.random.default_rng(0)
    corners = np.array([0, 1, 2, 3, -3, 2.5, -0.5, 1e5, 1e30, np.inf, -np.inf, np.nan])
    grid = [part.reshape(-1) for part in np.meshgrid(corners, corners)]
    orders = np.concatenate([random.uniform(1, 9, 2000), random.uniform(9, 200, 500), random.integers(1, 9, 2000)])
    starts = np.concatenate(
        [10 ** random.uniform(-3, 3, 2000), random.uniform(0.8, 3, 500), random.uniform(-40, 5, 2000)]
    )
    inputs = [np.concatenate([*pair]).astype(np.float32) for pair in zip((orders, starts), grid, strict=True)]
    function = ms.jit(lambda x, q: ops.zeta(x, q))
    found = function(*map(Tensor, inputs)).asnumpy()
    assert "compile_kernel" in function.stages(*map(Tensor, inputs)).program
    np.testing.assert_allclose(found, gamma_function.zeta(*inputs), rtol=3e-7, atol=1e-37)
    few = ms.jit(lambda x: ops.zeta(x, 2.0))(Tensor(inputs[0][:3])).asnumpy()
    np.testing.assert_allclose(few, gamma_function.zeta(inputs[0][:3], np.float32(2.0)), rtol=3e-7)


@pytest.mark.parametrize("name", ["igamma", "igammac", "betainc"])
def test_loops_of_the_incomplete_functions(name: str) -> None:
    """Small and large orders, arguments near and far from them, corners; each element as if it were alone."""
    rng = np.random.default_rng(0)
    corners = np.array([0, -0.0, 1, -1, 0.5, 1e-30, 1e20, np.inf, -np.inf, np.nan])
    first, second = 10 ** rng.uniform(-3, 4, (2, 3000))
    second[:1000] = first[:1000] * rng.uniform(0.9, 1.1, 1000)
    if name != "betainc":
        first[:500] = 10 ** rng.uniform(3, 9, 500)
        second[:500] = first[:500] + np.sqrt(first[:500]) * rng.uniform(-4, 4, 500)
    inputs = [first, second, rng.uniform(0, 1, 3000)][: 3 if name == "betainc" else 2]
    grid = [part.reshape(-1) for part in np.meshgrid(*[corners] * len(inputs))]
    inputs = [np.concatenate(pair).astype(np.float32) for pair in zip(inputs, grid, strict=True)]
    function = ms.jit(lambda *inputs: getattr(ops, name)(*inputs))
    found = function(*map(Tensor, inputs)).asnumpy()
    assert "while_loop" in str(function.stages(*map(Tensor, inputs)).optimized)
    expected = gamma_function.KERNELS[name](*inputs)
    np.testing.assert_allclose(found, expected, rtol=3e-7, atol=1e-13)
    alone = ms.jit(lambda *inputs: getattr(ops, name)(*inputs))(*[Tensor(each[7:8]) for each in inputs])
    np.testing.assert_array_equal(alone.asnumpy(), found[7:8])


def test_slopes_of_the_incomplete_gamma_function_by_its_order() -> None:
    a, x = 10 ** np.random.default_rng(2).uniform(-2, 2, (2, 2000)).astype(np.float32)
    a[:4], x[:4] = [1, 2, -1, np.nan], [0, np.inf, 1, 1]
    a[4:500] = 10 ** np.linspace(3.9, 9, 496)  # large orders have formulas of their own
    x[4:500] = a[4:500] + np.sqrt(a[4:500]) * np.random.default_rng(3).uniform(-12, 12, 496)
    slopes = ms.jit(ms.grad(lambda a, x: ops.igamma(a, x)))
    found = slopes(Tensor(a), Tensor(x)).asnumpy()
    assert "while_loop" in str(slopes.stages(Tensor(a), Tensor(x)).optimized)
    expected = gamma_function.igamma_by_order(a, x)
    np.testing.assert_allclose(found, expected, rtol=3e-7, atol=1e-10)


def test_incomplete_functions_of_rows_under_conditions_and_in_loops() -> None:
    a, x = np.random.default_rng(1).uniform(0.5, 9, (2, 4, 30)).astype(np.float32)

    def function(a: Any, x: Any) -> Any:
        total = a[0] * 0
        for row in range(4):
            if (x[row].sum() > 0) & (a[row, 0] > 0.6):
                total = total + ops.igamma(a[row], x[row])
            else:
                total = total - ops.igammac(a[row], x[row])
        return total.sum()

    value, slopes = ms.jit(ms.value_and_grad(function, (0, 1)))(Tensor(a), Tensor(x))
    expected, by_hand = ms.value_and_grad(function, (0, 1))(Tensor(a), Tensor(x))
    np.testing.assert_allclose(value.asnumpy(), expected.asnumpy(), rtol=1e-5)
    for slope, other in zip(slopes, by_hand, strict=True):
        np.testing.assert_allclose(slope.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-6)


def test_logit_beside_one() -> None:
    """Differences from 1 are exact, also those by which gradients are divided."""
    x = np.array([1 - 2.0**-24, 2.0**-60, 0.5, 0.0, 1.0, -0.5, 2.0, np.nan], np.float32)
    wide = x.astype(np.float64)
    with np.errstate(all="ignore"):
        wanted, slopes = np.log(wide / (1 - wide)), 1 / (wide * (1 - wide))
    for mode in (lambda f: f, ms.jit):
        np.testing.assert_allclose(mode(ops.logit)(Tensor(x)).asnumpy(), wanted, rtol=2e-7)
        np.testing.assert_allclose(mode(ms.grad(ops.logit))(Tensor(x)).asnumpy(), slopes, rtol=3e-7)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_next_numbers(dtype: type) -> None:
    random = np.random.default_rng(0)
    with np.errstate(all="ignore"):
        corners = np.array([*CORNERS, np.finfo(dtype).max, -np.finfo(dtype).max, np.finfo(dtype).tiny]).astype(dtype)
        x = np.concatenate([np.repeat(corners, len(corners)), random.standard_normal(500).astype(dtype)])
        y = np.concatenate([np.tile(corners, len(corners)), random.standard_normal(500).astype(dtype)])
        wanted = np.nextafter(x, y)
    function = ms.jit(lambda x, y: ops.nextafter(x, y))
    found = function(Tensor(x), Tensor(y)).asnumpy()
    assert "compile_kernel" in function.stages(Tensor(x), Tensor(y)).program
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(np.signbit(found)[found == 0], np.signbit(wanted)[wanted == 0])
    np.testing.assert_array_equal(
        function(Tensor(x[:5, None]), Tensor(y[-3:])).asnumpy(), np.nextafter(x[:5, None], y[-3:])
    )
