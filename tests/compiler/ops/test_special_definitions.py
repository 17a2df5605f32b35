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

TINY = [0.0, -0.0, 5e-324, -5e-324, 1e-300, -1e-300, 1e-40, -1e-40]
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
        (ops.erfinv, error_function.erfinv, np.float32, UNIT, 3e-7),
        (ops.bessel_j0, bessel.j0, np.float32, RANGE, 3e-7),
        (ops.bessel_j1, bessel.j1, np.float32, RANGE, 3e-7),
        (ops.bessel_y0, bessel.y0, np.float32, RANGE, 3e-7),
        (ops.bessel_y1, bessel.y1, np.float32, RANGE, 3e-7),
        (ops.bessel_i1, bessel.i1, np.float32, RANGE, 3e-7),
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
