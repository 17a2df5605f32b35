"""Products of integers of few bits, which floats compute: exact at the limits, too."""

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
