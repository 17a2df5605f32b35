"""QR factorizations in machine code, against LAPACK's, and what they leave to it."""

from __future__ import annotations

import numpy as np
import pytest
from drawn_reflections import DrawnReflections

from mycel.runtime.machine.array_functions import compile_elimination
from mycel.runtime.machine.elimination_sizes import elimination_sizes
from mycel.runtime.machine.product import has_products, has_wide_code

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


@pytest.mark.parametrize("lanes", [4, pytest.param(8, marks=pytest.mark.skipif(not has_wide_code(), reason="AVX2"))])
@pytest.mark.parametrize("shape", [(128, 60), (60, 130), (500, 5), (203, 197), (77, 77)])
def test_large_matrices(shape: tuple[int, int], lanes: int) -> None:
    """With several panels, and columns beside them in threes and alone."""
    matrix = np.random.default_rng(0).standard_normal(shape)
    q, r = np.linalg.qr(matrix)
    for kind, wanted in (("qr", [r, q]), ("triangular", [r])):
        sizes = elimination_sizes(lanes, kind, False, "float64", shape)
        assert sizes is not None
        found = [np.empty_like(part) for part in wanted]
        assert compile_elimination(kind, False, *sizes)(matrix, *found, np.full(sizes.room, np.nan)) is True
        for part, there in zip(found, wanted, strict=True):
            np.testing.assert_allclose(part, there, 0, 1e-11)


def test_shapes_without_a_function() -> None:
    for kind, shape in (("qr", (0, 3)), ("qr", (1 << 10, 1 << 10)), ("complement", (3, 3)), ("complement", (3, 4))):
        assert elimination_sizes(4, kind, False, "float32", shape) is None
    assert elimination_sizes(4, "qr", False, "complex64", (3, 3)) is None
