"""The special functions against the known values of SciPy, over their whole range and at their corners."""

from __future__ import annotations

import numpy as np
import pytest

from mycel.runtime.kernels import bessel, error_function, gamma_function

special = pytest.importorskip("scipy.special")
CORNERS = np.array([0.0, -0.0, 1.0, -1.0, 2.0, -2.0, np.inf, -np.inf, np.nan])
RANGE = np.concatenate([np.linspace(-25.3, 40, 4001), 10.0 ** np.arange(-9, 9), CORNERS])
UNIT = np.concatenate([np.linspace(-1, 1, 2001), 1 - 10.0 ** -np.arange(1, 16), [1.5, np.nan]])


@pytest.mark.parametrize(
    ("kernel", "reference", "points", "tolerance"),
    [
        (error_function.erf, special.erf, RANGE, 4e-15),
        (error_function.erfc, special.erfc, RANGE, 2e-13),
        (error_function.erfinv, special.erfinv, UNIT, 4e-15),
        (gamma_function.lgamma, special.gammaln, RANGE[-np.inf != RANGE], 1e-13),
        (gamma_function.digamma, special.digamma, RANGE, 1e-12),
    ],
)
def test_double_precision(kernel, reference, points, tolerance) -> None:  # type: ignore[no-untyped-def]
    with np.errstate(all="ignore"):
        expected = reference(points)
    np.testing.assert_allclose(kernel(points), expected, rtol=tolerance, atol=tolerance)
    out = np.empty_like(points)
    assert kernel(points, out=out) is out
    np.testing.assert_array_equal(out, kernel(points))


@pytest.mark.parametrize("order", [1, 2, 5])
def test_polygamma(order: int) -> None:
    points = RANGE[RANGE > 0]
    np.testing.assert_allclose(gamma_function.polygamma(order, points), special.polygamma(order, points), rtol=1e-13)


def test_zeta_and_its_derivative_by_the_order() -> None:
    x, q = (
        grid.reshape(-1) for grid in np.meshgrid([1.01, 1.5, 2.0, 3.7, 12.0, 40.0], [0.01, 0.3, 1.0, 2.5, 30.0, 1e4])
    )
    expected = special.zeta(x, q)
    np.testing.assert_allclose(gamma_function.zeta(x, q), expected, rtol=1e-13)
    step = 1e-2 * np.minimum(x - 1, 0.1)
    near = [special.zeta(x + k * step, q) - special.zeta(x - k * step, q) for k in (1, 2)]
    slope = (8 * near[0] - near[1]) / (12 * step)
    np.testing.assert_allclose(gamma_function.zeta_by_order(x, q), slope, rtol=2e-6, atol=1e-12)


def test_zeta_of_negative_numbers_and_of_steep_orders() -> None:
    """Powers of whole orders are real. Very many terms are left out of none."""
    q, x = np.array([-0.5, -3.25, -20.5, -35.75]), np.array([2.0, 3.0, 4.0, 5.0])
    terms = (q[:, None] + np.arange(60)) ** -x[:, None]
    np.testing.assert_allclose(gamma_function.zeta(x, q), terms.sum(1) + special.zeta(x, q + 60), rtol=1e-13)
    corners = gamma_function.zeta(np.array([2.0, 2.5, 1e30, 1e30, np.inf]), np.array([-3.0, -3.5, 1.0, 2.0, 1.0]))
    np.testing.assert_array_equal(corners, [np.inf, np.nan, 1.0, 0.0, 1.0])


def test_bessel_functions_of_tiny_and_huge_numbers() -> None:
    """K of tiny numbers is -log(x / 2) - γ, or 1 / x; of huge numbers it is 0, of negative ones nan."""
    tiny = np.array([1e-300, 1e-35, 1e-31, 1e-29, 1e-5])
    for kernel, reference in (
        (bessel.k0, special.k0), (bessel.k1, special.k1), (bessel.k0e, special.k0e), (bessel.k1e, special.k1e),
    ):  # fmt: skip
        np.testing.assert_allclose(kernel(tiny), reference(tiny), rtol=1e-10)
        assert kernel(np.array([np.inf])) == 0
        assert np.isnan(kernel(np.array([-1.0, -np.inf, np.nan]))).all()
    largest = np.array([np.finfo(np.float64).max])
    assert bessel.i0(largest) == bessel.i1(largest) == np.inf
    np.testing.assert_allclose(bessel.i0e(largest), 1 / np.sqrt(2 * np.pi) / np.sqrt(largest), rtol=1e-12)


def test_trigamma_of_negative_numbers() -> None:
    x = np.array([-0.5, -3.3, -10.7])
    expected = np.pi**2 / np.sin(np.pi * x) ** 2 - special.polygamma(1, 1 - x)
    np.testing.assert_allclose(gamma_function.polygamma(1, x), expected, rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_erf_in_lower_precision(dtype: type) -> None:
    x = RANGE[~(np.abs(RANGE) > 6e4) | np.isinf(RANGE)].astype(dtype)
    result = error_function.erf(x)
    assert result.dtype == dtype
    np.testing.assert_allclose(result, special.erf(x.astype(np.float64)), rtol=0, atol=2.5 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize(
    ("kernel", "reference", "points"),
    [(error_function.erfc, special.erfc, RANGE), (error_function.erfinv, special.erfinv, UNIT)],
)
def test_complement_and_inverse_in_lower_precision(kernel, reference, points, dtype) -> None:  # type: ignore[no-untyped-def]
    x = points[~(np.abs(points) > 6e4) | np.isinf(points)].astype(dtype)
    result = kernel(x)
    assert result.dtype == dtype
    info = np.finfo(dtype)
    expected = reference(x.astype(np.float64))
    np.testing.assert_allclose(result, expected, rtol=max(5.5e-7, info.eps), atol=2 * info.smallest_subnormal)
    x = np.linspace(-0.999, 0.999, 100_001).astype(np.float32)
    expected = reference(x.astype(np.float64))
    np.testing.assert_allclose(kernel(x), expected, rtol=5.5e-7)


@pytest.mark.parametrize("name", ["i0", "i0e", "i1", "i1e", "j0", "j1", "y0", "y1", "k0", "k0e", "k1", "k1e"])
def test_bessel_functions_over_their_whole_range(name: str) -> None:
    """By all pieces of polynomials and all series; relative to the height of waves for J and Y.

    Where x is larger, SciPy before 1.18 rounds the phase of the waves.
    """
    x = np.concatenate([np.linspace(0, 60, 20001), 10.0 ** np.linspace(-20, 3.6, 10001), [0.0, 25.0, 500.0, 512.0]])
    for points in (x, -x, x[:1].reshape(())):
        with np.errstate(all="ignore"):
            expected, found = getattr(special, name)(points), getattr(bessel, name)(points)
            heights = np.sqrt(2 / np.pi / np.maximum(np.abs(points), 1)) if name[0] in "jy" else 0.0
            limit = 4e-13 * np.maximum(np.abs(expected), heights)
            near = (np.abs(found - expected) <= limit) | (found == expected) | (np.isnan(found) & np.isnan(expected))
        assert np.shape(found) == np.shape(points)
        assert np.all(near), points[~near][:5]
    assert np.isnan(getattr(bessel, name)(np.array([np.nan]))).all()


VERY_LARGE = [8195.96320482, 123456.789, 1e10]
WAVES = {
    "j0": [-0.002883851446309917, -0.0015205971298614324, 2.175591750246892e-06],
    "y0": [0.008328156878030327, -0.0016865362645723143, -7.676508175792937e-06],
    "j1": [0.008327980962318456, -0.001686542423004578, -7.676508175684158e-06],
    "y1": [0.0028843595162343734, 0.0015205902994019696, -2.175591750630717e-06],
}


@pytest.mark.parametrize("name", WAVES)
def test_waves_of_very_large_numbers(name: str) -> None:
    """As they are to the last digits, by Hankel's series with 60 digits."""
    x = np.array(VERY_LARGE)
    found = getattr(bessel, name)(x)
    assert np.all(np.abs(found - WAVES[name]) <= 1e-15 * np.sqrt(2 / (np.pi * x)))


@pytest.mark.parametrize("scale", [1.0, 30.0, 1000.0])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_incomplete_functions_of_many_numbers(scale: float, dtype: type) -> None:
    """More than are summed at a time, whose sums have few terms and many."""
    random = np.random.default_rng(0)
    a, b, u, spread = (random.random(7000) for _ in range(4))
    a, b, u = ((x * size + 1e-3).astype(dtype) for x, size in ((a, scale), (b, scale), (u, 0.99)))
    x = (a * np.exp(spread - 0.5)).astype(dtype)
    tolerance = 1e-11 if dtype is np.float64 else 2e-7
    for found, reference, given in (
        (gamma_function.igamma, special.gammainc, (a, x)), (gamma_function.igammac, special.gammaincc, (a, x)),
        (gamma_function.betainc, special.betainc, (a, b, u)),
    ):  # fmt: skip
        result = found(*given)
        assert result.dtype == dtype
        expected = reference(*[one.astype(np.float64) for one in given])
        np.testing.assert_allclose(result, expected, rtol=tolerance, atol=1e-30 if dtype is np.float64 else 1e-37)
    whole = gamma_function.igamma(a.reshape(70, 100), x.reshape(70, 100))
    np.testing.assert_array_equal(whole.reshape(-1), gamma_function.igamma(a, x))


LARGE = 10 ** np.linspace(3.9, 9, 52)[:, None]
FAR = LARGE + np.array([-4.0, -2.0, -1.0, -0.01, 0.0, 0.5, 2.0, 4.0]) * np.sqrt(LARGE)


@pytest.mark.parametrize(("name", "reference"), [("igamma", "gammainc"), ("igammac", "gammaincc")])
def test_incomplete_gamma_functions_of_large_orders(name: str, reference: str) -> None:
    """A series would need more and more terms."""
    found = gamma_function.KERNELS[name](LARGE, FAR)
    np.testing.assert_allclose(found, getattr(special, reference)(LARGE, FAR), rtol=1e-8, atol=1e-30)


def test_slopes_of_incomplete_gamma_functions_of_large_orders() -> None:
    """First and second derivatives by the order, as differences have them; where they leave the series, too."""
    deviation = np.sqrt(LARGE)
    first, second = (gamma_function.igamma_by_order(LARGE, FAR, times=times) for times in (1, 2))
    before, here, after = (special.gammainc(LARGE + step * deviation, FAR) for step in (-1e-3, 0.0, 1e-3))
    np.testing.assert_allclose(first * deviation, (after - before) / 2e-3, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(second * deviation**2, (after - 2 * here + before) / 1e-6, rtol=1e-2, atol=1e-3)
    np.testing.assert_array_equal(gamma_function.igamma_by_order(np.array([9e3, 30.0]), np.array([1.1e4, 1e6])), 0.0)


def test_incomplete_beta_functions_of_nan_are_nan() -> None:
    one, nan = np.ones(3), np.full(3, np.nan)
    for given in ((nan, one), (one, nan)):
        assert np.isnan(gamma_function.betainc(*given, np.array([0.0, 0.5, 1.0]))).all()
