"""Resizing against values that MindSpore 2.10 gave on CPU, plain interpolation formulas, and its own transpose."""

import itertools
from typing import Any

import numpy as np
import pytest

from mycel.runtime.kernels import axis_maps, resize as module
from mycel.runtime.kernels.resize import COORDINATES, MODES, resize, resize_grad

Array = np.ndarray[Any, np.dtype[Any]]

IMAGE = np.array([[[[1, 2, 4], [8, 3, 0]]]], np.float32)
RECORDED = [
    ("linear", "half_pixel", [[1, 1.625, 2.75, 4], [4.5, 3.25, 2.3125, 2], [8, 4.875, 1.875, 0]]),
    (
        "linear",
        "align_corners",
        [[1, 1.666667, 2.666667, 4], [4.5, 3.166666, 2.333333, 2], [8, 4.666666, 2, 0]],
    ),
    (
        "linear",
        "asymmetric",
        [[1, 1.75, 3, 4], [5.666667, 3.416667, 2, 1.333333], [8, 4.25, 1.5, 0]],
    ),
    (
        "cubic",
        "half_pixel",
        [
            [0.465888, 1.249877, 2.901462, 4.385242],
            [4.604478, 3.281572, 2.173059, 1.973881],
            [8.743068, 5.313266, 1.444655, -0.437482],
        ],
    ),
    (
        "cubic",
        "align_corners",
        [[1, 1.463316, 2.740036, 4], [4.5, 3.184480, 2.120547, 2], [8, 4.905644, 1.501058, 0]],
    ),
    (
        "cubic",
        "asymmetric",
        [
            [1, 1.5625, 3.09375, 4.210938],
            [5.798764, 3.541455, 1.679828, 1.107272],
            [8.777778, 4.769965, 0.802083, -0.819444],
        ],
    ),
    ("nearest", "asymmetric", [[1, 1, 2, 2, 4], [1, 1, 2, 2, 4], [8, 8, 3, 3, 0]]),
    ("nearest", "half_pixel", [[1, 1, 2, 4, 4], [8, 8, 3, 0, 0], [8, 8, 3, 0, 0]]),
    ("nearest", "align_corners", [[1, 2, 2, 4, 4], [8, 3, 3, 0, 0], [8, 3, 3, 0, 0]]),
]


@pytest.mark.parametrize(("mode", "coordinates", "expected"), RECORDED)
def test_as_recorded(mode: str, coordinates: str, expected: list[list[float]]) -> None:
    """Every mode and choice of coordinates."""
    result = resize(IMAGE, np.shape(expected), mode, coordinates)
    np.testing.assert_allclose(result[0, 0], expected, atol=2e-6)


def test_given_scales() -> None:
    """The step follows from the scale, not from the sizes."""
    x = np.arange(8, dtype=np.float32).reshape(1, 1, 2, 2, 2)
    result = resize(x, (3, 3, 3), "linear", scales=(1.7, 1.7, 1.7))
    expected = [[0, 0.382353, 0.970588], [1.529412, 1.911764, 2.5], [3.882352, 4.264706, 4.852940]]
    np.testing.assert_allclose(result[0, 0, :, 0], expected, atol=3e-6)
    result = resize(x, (3, 3, 3), "nearest", "asymmetric", (1.7, 1.7, 1.7))
    np.testing.assert_array_equal(result[0, 0, :, 0], [[0, 0, 1], [0, 0, 1], [4, 4, 5]])
    result = resize(x, (2, 2, 3), "linear", scales=(None, 1.0, None))
    np.testing.assert_allclose(result, resize(x, (2, 2, 3), "linear"))


CASES = [((5,), (3,)), ((5,), (12,)), ((4, 6), (9, 3)), ((1, 5), (3, 1)), ((3, 2, 4), (2, 5, 4)), ((6, 6), (6, 6))]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize(("spatial", "size"), CASES)
@pytest.mark.parametrize("band", [2, 64])
def test_gradient_is_the_transpose(
    monkeypatch: pytest.MonkeyPatch, spatial: tuple[int, ...], size: tuple[int, ...], dtype: Any, band: int
) -> None:
    """⟨resize(x), d⟩ = ⟨x, gradient(d)⟩ for all x and d, whatever the blocks; also into `out`."""
    monkeypatch.setattr(axis_maps, "BAND", band)
    module._axis_map.cache_clear()
    generator = np.random.default_rng(0)
    x, dout = (generator.standard_normal((2, 3, *shape)).astype(dtype) for shape in (spatial, size))
    tolerance = {np.float64: 1e-10, np.float32: 1e-3, np.float16: 0.2}[dtype]
    for how in itertools.product(MODES, COORDINATES):
        result, dx = resize(x, size, *how), resize_grad(dout, spatial, *how)
        assert result.dtype == dx.dtype == dtype
        assert result.shape == dout.shape
        assert dx.shape == x.shape
        products = [(a.astype(float) * b.astype(float)).sum() for a, b in ((result, dout), (x, dx))]
        np.testing.assert_allclose(*products, atol=tolerance, err_msg=str(how))
        for kernel, inputs, expected in ((resize, (x, size), result), (resize_grad, (dout, spatial), dx)):
            for out in (np.full(expected.shape, 7, dtype), np.full((*expected.shape, 2), 7, dtype)[..., 0]):
                assert kernel(*inputs, *how, out=out) is out
                np.testing.assert_array_equal(out, expected, err_msg=str(how))
    module._axis_map.cache_clear()


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_straight_lines_stay_straight(coordinates: str) -> None:
    """Linear interpolation of positions gives positions, between the middles of the first and last element."""
    result = resize(np.arange(50.0)[None, None], (120,), "linear", coordinates)[0, 0]
    numbers = np.arange(120)
    expected = {
        "half_pixel": np.clip((numbers + 0.5) * 50 / 120 - 0.5, 0, 49),
        "align_corners": numbers * 49 / 119,
        "asymmetric": np.clip(numbers * 50 / 120, 0, 49),
    }[coordinates]
    np.testing.assert_allclose(result, expected, atol=1e-4)


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.bool_])
def test_nearest_of_any_dtype(dtype: Any) -> None:
    """Elements are copied, whatever they are."""
    x = np.array([[[0, 1, 1, 0]]], dtype)
    result = resize(x, (8,), "nearest")
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, np.repeat(x, 2, axis=2))


def test_infinite_elements_reach_their_neighbours_only() -> None:
    """No 0 · inf from elements that have no part in an output."""
    x = np.array([[[1.0, 2.0, 3.0, np.inf]]])
    np.testing.assert_array_equal(resize(x, (2,), "linear"), [[[1.5, np.inf]]])


@pytest.mark.parametrize("value", [np.inf, np.nan])
@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_an_infinite_gradient_reaches_its_neighbours_only(mode: str, value: float) -> None:
    dout = np.ones((2, 1, 40, 6), np.float32)
    expected = resize_grad(dout, (20, 6), mode)
    dout[0, 0, 0, 3] = value
    found = resize_grad(dout, (20, 6), mode)
    assert not np.isfinite(found[0, 0, 0, 3])
    np.testing.assert_allclose(found[0, 0, 4:], expected[0, 0, 4:], atol=1e-5)
    np.testing.assert_allclose(found[1], expected[1], atol=1e-5)


def test_wrong_arguments_are_named() -> None:
    """The message says what was expected and what was found."""
    with pytest.raises(ValueError, match="expected a mode of nearest, linear, cubic"):
        resize(IMAGE, (3, 3), "bilinear")
    with pytest.raises(ValueError, match="but got 'linear' and 'corners'"):
        resize(IMAGE, (3, 3), "linear", "corners")
    with pytest.raises(ValueError, match=r"cannot resize an input of spatial shape \(2, 3\) to \(3,\)"):
        resize(IMAGE, (3,), "linear")
