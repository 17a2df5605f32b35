"""QR factorizations in machine code, against LAPACK's, and what they leave to it."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_reflections import DrawnReflections

from mycel.runtime.machine.array_functions import compile_elimination
from mycel.runtime.machine.elimination_sizes import elimination_sizes
from mycel.runtime.machine.product import has_products, vector_bytes

pytestmark = pytest.mark.skipif(not has_products(), reason="no machine code here")


def test_random_matrices() -> None:
    """With signs as LAPACK gives them."""
    refused = 0
    for seed in range(80):
        drawn = DrawnReflections(seed)
        drawn.check_refusal()
        drawn.check()
        refused += drawn.refused
    assert refused > 4


@pytest.mark.parametrize("shape", [(128, 60), (60, 130), (500, 5)])
def test_large_matrices(shape: tuple[int, int]) -> None:
    matrix = np.random.default_rng(0).standard_normal(shape)
    sizes = elimination_sizes(vector_bytes() // 8, "qr", False, "float64", shape)
    assert sizes is not None
    q, r = (np.empty_like(part) for part in np.linalg.qr(matrix))
    assert compile_elimination("qr", False, *sizes)(matrix, q, r, np.empty(sizes.room)) is True
    for found, wanted in zip((q, r), np.linalg.qr(matrix), strict=True):
        np.testing.assert_allclose(found, wanted, 0, 1e-12)


def test_shapes_without_a_function() -> None:
    for kind, shape in (("qr", (0, 3)), ("qr", (1 << 10, 1 << 10)), ("complement", (3, 3)), ("complement", (3, 4))):
        assert elimination_sizes(4, kind, False, "float32", shape) is None
    assert elimination_sizes(4, "qr", False, "complex64", (3, 3)) is None
