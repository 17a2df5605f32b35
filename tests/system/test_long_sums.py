"""Rounding errors of long float32 sums hardly grow with the number of terms: NumPy and a BLAS add up parts, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.machine.product import compile_matmul, has_products


def error(found: Any, exact: np.ndarray) -> float:
    """The root of the mean square of the errors, relative to that of the exact numbers."""
    return float(np.sqrt(np.square(np.asarray(found, np.float64) - exact).mean() / np.square(exact).mean()))


def normal(x: np.ndarray) -> np.ndarray:
    """A softmax of float64."""
    shifted = np.exp(x - x.max(-1, keepdims=True))
    return shifted / shifted.sum(-1, keepdims=True)


# A function, the same of float64 by NumPy, and the largest error; NumPy's of float32 is about a half of it.
FORMS: dict[str, tuple[Callable[[Any], Any], Callable[[np.ndarray], Any], float]] = {
    "sum": (lambda x: x.sum(), lambda x: x.sum(), 1.2e-7),
    "sum of rows": (lambda x: x.sum(1), lambda x: x.sum(1), 6e-8),
    "mean": (lambda x: x.mean(1), lambda x: x.mean(1), 1.2e-7),
    "var": (lambda x: x.var(1, ddof=1), lambda x: x.var(1, ddof=1), 1.2e-7),
    "squares": (lambda x: (x * x).sum(1), lambda x: (x * x).sum(1), 6e-8),
    "exp": (lambda x: ops.exp(x).sum(1), lambda x: np.exp(x).sum(1), 1e-7),
    "norm": (lambda x: ops.norm(x, dim=1), lambda x: np.sqrt((x * x).sum(1)), 8e-8),
    "softmax": (lambda x: ops.softmax(x, 1), normal, 1.2e-7),
    "logsumexp": (lambda x: ops.logsumexp(x, 1), lambda x: np.log(np.exp(x).sum(1)), 1e-7),
    "cumsum": (lambda x: ops.cumsum(x, 1), lambda x: x.cumsum(1), 1.5e-5),
}


@pytest.mark.parametrize(("name", "size"), chequered(FORMS, [10_000, 300_000, 1_000_000]))
def test_sums(name: str, size: int) -> None:
    function, exact, most = FORMS[name]
    x = np.random.default_rng(size).random((4, size), np.float32)
    assert error(ms.jit(function)(Tensor(x)).asnumpy(), exact(x.astype(np.float64))) < most


def test_sums_of_rows_of_different_sizes() -> None:
    """The rounding errors of one row have no influence on the next one."""
    x = np.random.default_rng(0).random((3, 200_000), np.float32) * np.array([[1e30], [1], [1e-20]], np.float32)
    found = ms.jit(lambda x: x.sum(1))(Tensor(x)).asnumpy()
    np.testing.assert_allclose(found, x.astype(np.float64).sum(1), rtol=2e-7)


@pytest.mark.parametrize(
    ("place", "number", "expected"),
    [(5, np.inf, np.inf), (900_000, -np.inf, -np.inf), (7, np.nan, np.nan), (999_999, 3e38, 3e38)],
)
def test_sums_of_special_numbers(place: int, number: float, expected: float) -> None:
    x = np.ones(1_000_000, np.float32)
    x[place] = number
    np.testing.assert_equal(ms.jit(lambda x: x.sum())(Tensor(x)).asnumpy(), np.float32(expected))


@pytest.mark.parametrize("layout", ["rows", "columns"])
@pytest.mark.parametrize("depth", [1000, 5000, 50_000])
def test_products(depth: int, layout: str) -> None:
    random = np.random.default_rng(depth)
    a = random.standard_normal((24, depth)).astype(np.float32)
    b = random.standard_normal((32, depth)).astype(np.float32)
    exact = a.astype(np.float64) @ b.T
    if layout == "columns":
        found = ms.jit(lambda a, b: a @ b.T)(Tensor(a), Tensor(b))
    else:
        found = ms.jit(lambda a, b: a @ b)(Tensor(a), Tensor(np.ascontiguousarray(b.T)))
    assert error(found.asnumpy(), exact) < 6e-7


@pytest.mark.parametrize("rows", [4, 12, 24])
def test_products_of_one_thread(rows: int) -> None:
    """Few rows, which read a large matrix in parts of some rows of it."""
    random = np.random.default_rng(rows)
    for depth in (4000, 9000, 50_000):
        a, b = (random.standard_normal(shape).astype(np.float32) for shape in ((rows, depth), (depth, 32)))
        found = np.empty((rows, 32), np.float32)
        assert compile_matmul("float32")(a, b, found) is has_products()
        assert not has_products() or error(found, a.astype(np.float64) @ b) < 6e-7


@pytest.mark.skipif(unavailable() is not None, reason="products are those of the BLAS, which adds up otherwise")
@pytest.mark.parametrize("kernel", [1, 3])
def test_convolutions_of_many_channels(kernel: int) -> None:
    """And gradients by the input, which are sums over the channels of the result."""
    random = np.random.default_rng(kernel)
    x = random.standard_normal((1, 2048, 6, 6)).astype(np.float32)
    w = random.standard_normal((8, 2048, kernel, kernel)).astype(np.float32)
    found = ms.jit(ops.conv2d)(Tensor(x), Tensor(w)).asnumpy()
    windows = np.lib.stride_tricks.sliding_window_view(x.astype(np.float64), (kernel, kernel), (2, 3))
    assert error(found, np.einsum("bchwij,ocij->bohw", windows, w.astype(np.float64))) < 6e-7

    turned = Tensor(np.ascontiguousarray(w.swapaxes(0, 1)))
    gradient = ms.jit(ms.grad(lambda y, w, x: (ops.conv2d(y, w) * x).sum()))
    found = gradient(Tensor(np.zeros((1, 8, 5 + kernel, 5 + kernel), np.float32)), turned, Tensor(x)).asnumpy()
    exact = np.zeros(found.shape)
    for i, j in np.ndindex(kernel, kernel):
        exact[:, :, i : i + 6, j : j + 6] += np.einsum("bchw,oc->bohw", x.astype(np.float64), w[:, :, i, j])
    assert error(found, exact) < 6e-7
