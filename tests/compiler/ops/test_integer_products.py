"""Products of integers, which floats compute: exact at the limits, too."""

from __future__ import annotations

import re

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize(
    ("a", "b", "depth", "out"),
    [("int8", "int8", 7, "int32"), ("uint8", "int16", 2000, "int64"), ("int16", "int16", 1 << 12, "int64")],
)
def test_products_of_short_integers_are_exact(a: str, b: str, depth: int, out: str, low: bool) -> None:
    random, to = np.random.default_rng(0), getattr(ms, out)
    ranges = ((np.iinfo(a), (3, depth)), (np.iinfo(b), (depth, 2)))
    x, y = (
        np.full(shape, (of.min or of.max) if low else random.integers(of.min, of.max + 1, shape), of.dtype)
        for of, shape in ranges
    )

    @ms.jit
    def product(x: Tensor, y: Tensor) -> Tensor:
        return ops.matmul(x.astype(to), y.astype(to))

    found = product(Tensor(x), Tensor(y)).asnumpy()
    np.testing.assert_array_equal(found, x.astype(out) @ y.astype(out), strict=True)
    assert re.search(r"f(32|64)\[3, 2\] = matmul", str(product.stages(Tensor(x), Tensor(y)).optimized))


@pytest.mark.parametrize("large", [0, 1, 2])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"])
@pytest.mark.parametrize("shapes", [((40, 33), (33, 50)), ((3, 17, 65), (65, 33)), ((2, 40, 40), (2, 40, 40))])
def test_products_of_any_integers_are_numpys(shapes: tuple[tuple[int, ...], ...], dtype: str, large: int) -> None:
    random, of = np.random.default_rng(large), np.iinfo(dtype)
    low, high = (max(of.min, -9), 9) if not large else (of.min // 64, of.max // 64) if large == 1 else (of.min, of.max)
    x, y = (random.integers(low, high, shape, dtype, endpoint=True) for shape in shapes)
    if large == 2:
        x[..., 0], y[..., 0, :] = of.min, of.max

    @ms.jit
    def product(x: Tensor, y: Tensor) -> Tensor:
        return ops.matmul(x, y)

    for found in (product(Tensor(x), Tensor(y)), ops.matmul(Tensor(x), Tensor(y))):
        np.testing.assert_array_equal(found.asnumpy(), np.matmul(x, y), strict=True)
