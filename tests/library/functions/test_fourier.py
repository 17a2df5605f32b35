"""Fourier transforms and eigenvalues against NumPy, eager and compiled, and gradients."""

from __future__ import annotations

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops

REAL = np.random.default_rng(0).normal(size=(3, 4, 5)).astype(np.float32)
COMPLEX = (REAL + 1j * REAL[::-1]).astype(np.complex64)
CALLS = [
    ({}, {}),
    ({"n": 3}, {"n": 3}),
    ({"n": 8, "dim": 1}, {"n": 8, "axis": 1}),
    ({"dim": 0, "norm": "ortho"}, {"axis": 0, "norm": "ortho"}),
    ({"norm": "forward"}, {"norm": "forward"}),
]
MANY = [
    ({}, {}),
    ({"s": (2, 6), "dim": (0, 2)}, {"s": (2, 6), "axes": (0, 2)}),
    ({"dim": (1, 2), "norm": "ortho"}, {"axes": (1, 2), "norm": "ortho"}),
]


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@pytest.mark.parametrize(("ours", "theirs"), CALLS)
def test_one_axis(name, ours, theirs):
    values = REAL if name in ("rfft", "ihfft") else COMPLEX
    expected = getattr(np.fft, name)(values, **theirs)
    function = getattr(ops, name)
    for run in (function, ms.jit(lambda x: function(x, **ours), fullgraph=True)):
        result = run(Tensor(values), **(ours if run is function else {})).asnumpy()
        assert result.dtype == (np.float32 if name in ("irfft", "hfft") else np.complex64)
        np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
@pytest.mark.parametrize(("ours", "theirs"), MANY)
def test_several_axes(name, ours, theirs):
    values = REAL if name == "rfftn" else COMPLEX
    expected = getattr(np.fft, name)(values, **{"axes": (0, 1, 2), **theirs})
    np.testing.assert_allclose(getattr(ops, name)(Tensor(values), **ours).asnumpy(), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["fft2", "ifft2", "rfft2", "irfft2"])
def test_two_axes(name):
    values = REAL if name == "rfft2" else COMPLEX
    expected = getattr(np.fft, name)(values)
    np.testing.assert_allclose(getattr(ops, name)(Tensor(values)).asnumpy(), expected, rtol=1e-4, atol=1e-4)


FUNCTIONS = {
    "fft": lambda x: ops.fft(x, n=6),
    "ifft": lambda x: ops.ifft(x, dim=1, norm="forward"),
    "rfft": lambda x: ops.rfft(x, norm="ortho"),
    "irfft": lambda x: ops.irfft(x, n=7),
    "hfft": ops.hfft,
    "ihfft": ops.ihfft,
    "rfft2": ops.rfft2,
    "irfftn": ops.irfftn,
    "eigvals": lambda x: ops.eigvals(x[:, :4, :4] * 0.1 + Tensor(np.diag([1.0, 2.0, 3.0, 4.0]))),
    "svd": lambda x: ops.svd(x, full_matrices=True)[1],
    "qr": lambda x: ops.qr(ops.swapaxes(x, 1, 2), "complete")[1],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_against_differences(name):
    function = FUNCTIONS[name]
    draw = np.random.default_rng(1)
    values, direction = draw.normal(size=(2, *REAL.shape))

    def loss(x):
        result = function(x)
        parts = (ops.real(result), ops.imag(result)) if result.dtype in (ms.complex64, ms.complex128) else (result,)
        total = Tensor(0.0, ms.float64)
        for place, part in enumerate(parts):
            weights = np.random.default_rng(2 + place).normal(size=part.shape)
            total = total + (part * Tensor(weights)).sum()
        return total

    slope = (ms.grad(loss)(Tensor(values)).asnumpy() * direction).sum()
    step = 1e-5
    after, before = (loss(Tensor(values + sign * step * direction)).asnumpy() for sign in (1, -1))
    assert np.isclose(slope, (after - before) / (2 * step), rtol=1e-4, atol=1e-5)


def test_frequencies_and_shifts():
    np.testing.assert_allclose(ops.fftfreq(5, 0.5).asnumpy(), np.fft.fftfreq(5, 0.5), rtol=1e-6)
    np.testing.assert_allclose(ops.rfftfreq(6, 2.0).asnumpy(), np.fft.rfftfreq(6, 2.0), rtol=1e-6)
    assert ops.fftfreq(4, dtype=ms.float64).dtype == ms.float64
    for name in ("fftshift", "ifftshift"):
        for dim in (None, 1, (0, 2)):
            result = getattr(ops, name)(Tensor(REAL), dim)
            np.testing.assert_array_equal(result.asnumpy(), getattr(np.fft, name)(REAL, dim))


def test_primitive():
    whole = ops.FFTWithSize(2, False, True, "backward", False)(Tensor(REAL))
    np.testing.assert_allclose(whole.asnumpy(), np.fft.fft2(REAL), rtol=1e-4, atol=1e-4)
    half = ops.FFTWithSize(1, False, True)(Tensor(REAL))
    np.testing.assert_allclose(half.asnumpy(), np.fft.rfft(REAL), rtol=1e-4, atol=1e-4)
    back = ops.FFTWithSize(1, True, True, signal_sizes=(5,))(half)
    np.testing.assert_allclose(back.asnumpy(), REAL, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: ops.fft(REAL), TypeError, "should be a Tensor"),
        (lambda: ops.rfft(Tensor(COMPLEX)), TypeError, "real numbers are expected"),
        (lambda: ops.fft(Tensor(REAL), dim=3), ValueError, r"'dim' should be in \[-3, 3\)"),
        (lambda: ops.fft(Tensor(REAL), n=0), ValueError, "'n' should be positive"),
        (lambda: ops.fft(Tensor(REAL), norm="none"), ValueError, "'norm' should be"),
        (lambda: ops.fftn(Tensor(REAL), dim=(0, 0)), ValueError, "different dimensions"),
        (lambda: ops.fftn(Tensor(REAL), (3,), (0, 1)), ValueError, "one length"),
        (lambda: ops.eig(Tensor(REAL)), ValueError, "square"),
        (lambda: ms.grad(lambda x: ops.real(ops.eig(x)[1]).sum())(Tensor(np.eye(2))), ValueError, "no derivative"),
    ],
)
def test_errors(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_eigenvalues_and_vectors_belong_together():
    matrices = REAL[:, :4, :4]
    values, vectors = (item.asnumpy() for item in ops.eig(Tensor(matrices)))
    assert values.dtype == np.complex64
    np.testing.assert_allclose(matrices @ vectors, vectors * values[:, None, :], rtol=1e-3, atol=1e-3)
    np.testing.assert_array_equal(ops.eigvals(Tensor(matrices)).asnumpy(), values)


def test_square_factors():
    for shape in ((4, 2), (2, 4), (3, 3)):
        x = Tensor(REAL[0].reshape(-1)[: shape[0] * shape[1]].reshape(shape))
        s, u, v = (item.asnumpy() for item in ops.svd(x, full_matrices=True))
        assert u.shape == (shape[0],) * 2
        assert v.shape == (shape[1],) * 2
        middle = np.zeros(shape, np.float32)
        np.fill_diagonal(middle, s)
        np.testing.assert_allclose(u @ middle @ v.T, x.asnumpy(), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(u @ u.T, np.eye(shape[0]), atol=1e-5)
        q, r = (item.asnumpy() for item in ops.qr(x, "complete"))
        assert (q.shape, r.shape) == ((shape[0],) * 2, shape)
        np.testing.assert_allclose(q @ r, x.asnumpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("count", "dtype", "axis"), chequered([74, 106, 202, 254], [np.float32, np.float64], [0, 1]))
def test_real_numbers_of_even_lengths_with_large_factors(count: int, dtype: type, axis: int) -> None:
    """Both ways, with either norm; the imaginary parts of the ends count for nothing."""
    random, halves = np.random.default_rng(0), count // 2 + 1
    shape, half = ((count, 5), (halves, 5)) if axis == 0 else ((5, count), (5, halves))
    x, z = random.normal(size=shape).astype(dtype), random.normal(size=half) + 1j * random.normal(size=half)
    z = z.astype(np.complex64 if dtype is np.float32 else np.complex128)
    tolerance = 1e-4 if dtype is np.float32 else 1e-11
    for norm in ("backward", "ortho"):
        for name, given, n in (("rfft", x, None), ("irfft", z, count), ("ihfft", x, None), ("hfft", z, count)):
            function = getattr(ops, name)
            f = ms.jit(lambda x, function=function, n=n, norm=norm: function(x, n, axis, norm), fullgraph=True)
            found, expected = f(Tensor(given)).asnumpy(), getattr(np.fft, name)(given, n, axis, norm)
            assert found.dtype == (dtype if name in ("irfft", "hfft") else z.dtype)
            np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


def test_gradients_of_transforms_of_large_factors() -> None:
    x = np.random.default_rng(0).normal(size=(2, 94))
    weights = Tensor(np.random.default_rng(1).normal(size=(2, 94)))

    def f(x: Tensor) -> Tensor:
        return (ops.irfft(ops.rfft(x) * ops.rfft(weights), 94) ** 3).sum()

    gradient = ms.jit(ms.grad(f))(Tensor(x)).asnumpy()
    for index in ((0, 0), (1, 1), (0, 93), (1, 46)):
        step = np.zeros_like(x)
        step[index] = 1e-5
        expected = (f(Tensor(x + step)) - f(Tensor(x - step))).item() / 2e-5
        np.testing.assert_allclose(gradient[index], expected, rtol=1e-5)
