"""Running reductions along the columns of a row, in machine code and in NumPy, from either end."""

from __future__ import annotations

import numpy as np
import pytest
from searches import chequered

from mycel.runtime.machine.executable import Function
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.check import check
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.language import parse

MAKERS = pytest.mark.parametrize(
    "make", [compile_kernel, lambda text: evaluator(parse(text), text)], ids=["code", "numpy"]
)


@MAKERS
@pytest.mark.parametrize(
    ("dtype", "function"),
    chequered(["float32", "float64", "int32", "int64"], ["add", "multiply", "maximum", "minimum"]),
)
def test_scans_are_those_of_numpy(make: type[Function], dtype: str, function: str) -> None:
    """Whole vectors and remainders, forwards and backwards, beside a reduction of the same row."""
    size = np.dtype(dtype).itemsize
    for columns in (2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 40):
        last = f"from {(columns - 1) * size}"
        for step, start in ((size, ""), (-size, last)):
            text = f"""
                over 3 {columns}
                in x {dtype}[3,{columns}] {columns * size} {step} {start}
                out y {dtype}[3,{columns}] {columns * size} {step} {start}
                out r {dtype}[3] {size} 0
                t = multiply(x, 2)
                y = scan_{function}(t)
                r = row_maximum(y)
            """
            x = np.random.default_rng(0).integers(-2, 3, (3, columns)).astype(dtype)
            y, r = np.empty_like(x), np.empty(3, dtype)
            assert make(text)(x, y, r)
            seen = x if step > 0 else x[:, ::-1]
            expected = getattr(np, function).accumulate(seen * 2, 1, dtype=dtype)
            np.testing.assert_array_equal(y if step > 0 else y[:, ::-1], expected)
            np.testing.assert_array_equal(r, expected.max(1))


@MAKERS
def test_nan_and_infinities_stay_in_their_row(make: type[Function]) -> None:
    """From a nan on all is nan, up to the end of the row; the next row begins anew."""
    text = "over 2 20\nin x float32[2,20] 80 4\nout y float32[2,20] 80 4\nout z float32[2,20] 80 4"
    text += "\ny = scan_add(x)\nz = scan_maximum(x)"
    x = np.ones((2, 20), np.float32)
    x[0, 9], x[1, 3] = np.nan, np.inf
    y, z = np.empty_like(x), np.empty_like(x)
    assert make(text)(x, y, z)
    np.testing.assert_array_equal(y, np.cumsum(x, 1))
    np.testing.assert_array_equal(z, np.maximum.accumulate(x, 1))


EXTREME = (0.0, -0.0, 1.0, -2.0, 1e20, 1e-20, -1e30, 1e-38, 1e-42, np.inf, np.nan)


@MAKERS
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_go_out_of_range_where_those_of_numpy_do(make: type[Function], dtype: str) -> None:
    """Not where the product of some neighbours does: after 0, or after a small number, large ones are no infinity."""
    size = np.dtype(dtype).itemsize
    text = f"over 200 19\nin x {dtype}[200,19] {19 * size} {size}\nout y {dtype}[200,19] {19 * size} {size}"
    x = np.random.default_rng(0).choice(np.array(EXTREME, dtype), (200, 19), p=[0.1] * 9 + [0.05] * 2)
    x = x if dtype == "float32" else np.sign(x) * np.abs(x) ** 8
    y = np.empty_like(x)
    assert make(text + "\ny = scan_multiply(x)")(x, y)
    with np.errstate(all="ignore"):
        expected = np.cumprod(x, 1)
    np.testing.assert_array_equal(y, expected)
    assert ((np.signbit(y) == np.signbit(expected)) | np.isnan(y)).all()


@MAKERS
@pytest.mark.parametrize("function", ["add", "maximum", "minimum"])
def test_scans_have_the_zeros_of_numpy(make: type[Function], function: str) -> None:
    """A sum of -0.0 is -0.0; of equal zeros an extremum is the last one."""
    text = f"over 90 21\nin x float32[90,21] 84 4\nout y float32[90,21] 84 4\ny = scan_{function}(x)"
    x = np.random.default_rng(0).choice(np.array([0, -0.0], np.float32), (90, 21))
    x[:20] = -0.0
    y = np.empty_like(x)
    assert make(text)(x, y)
    wanted = [x[:, 0]]
    for column in range(1, 21):
        wanted.append(getattr(np, function)(wanted[-1], x[:, column]))
    np.testing.assert_array_equal(np.signbit(y), np.signbit(np.stack(wanted, 1)))


@MAKERS
def test_the_same_value_at_every_column(make: type[Function]) -> None:
    """A scan of a value that is the same for all columns differs from column to column."""
    text = "over 2 11\nin x float32[2] 4 0\nout y float32[2,11] 44 4\ny = scan_add(x)"
    x, y = np.array([1, 2], np.float32), np.empty((2, 11), np.float32)
    assert make(text)(x, y)
    np.testing.assert_array_equal(y, x[:, None] * np.arange(1, 12))


GOOD = "over 2 8\nin x float32[2,8] 32 4\nout y float32[2,8] 32 4\ny = scan_add(x)"
BAD = {
    "of an unknown function": ("scan_add(x)", "scan_divide(x)"),
    "of two": ("scan_add(x)", "scan_add(x, x)"),
    "of a number": ("scan_add(x)", "scan_add(1.0)"),
    "of nothing": ("scan_add(x)", "scan_(x)"),
    "of bools": ("y = scan_add(x)", "b = less(x, 0.0)\nc = scan_maximum(b)\ny = select(c, x, 1.0)"),
    "of one column": ("over 2 8", "over 2 1"),
    "too many": ("y = ", "".join(f"t{n} = scan_multiply(x)\n" for n in range(4)) + "y = "),
}


@pytest.mark.parametrize("what", BAD)
def test_scans_that_are_none_are_refused(what: str) -> None:
    """They are no kernels, in machine code or in NumPy."""
    check(parse(GOOD))
    text = GOOD.replace(*BAD[what])
    assert text != GOOD
    with pytest.raises(Unsupported):
        compile_kernel(text)


@MAKERS
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_recurrences_go_from_column_to_column(make: type[Function], dtype: str) -> None:
    """Forwards and backwards, on whole vectors and what is left."""
    size = np.dtype(dtype).itemsize
    for columns in (2, 3, 5, 8, 9, 16, 31, 64):
        last = f"from {(columns - 1) * size}"
        for step, start in ((size, ""), (-size, last)):
            lines = [
                f"{name} {dtype}[4,{columns}] {columns * size} {step} {start}" for name in ("in a", "in b", "out y")
            ]
            text = "\n".join([f"over 4 {columns}", *lines, "y = scan_recurrence(a, b)"])
            random = np.random.default_rng(columns)
            a, b = (random.integers(-2, 3, (4, columns)).astype(dtype) for _ in range(2))
            y = np.empty_like(a)
            assert make(text)(a, b, y)
            expected = np.zeros_like(a)
            for row in range(4):
                before = a.dtype.type(0)
                for column in range(columns)[:: 1 if step > 0 else -1]:
                    before = expected[row, column] = a[row, column] * before + b[row, column]
            np.testing.assert_allclose(y, expected, 1e-6 if dtype == "float32" else 0)


@MAKERS
def test_large_factors_of_nothing_give_nothing(make: type[Function]) -> None:
    """Eight of them would be infinite, and infinity times zero no number."""
    text = "over 1 24\nin a float32[24] 0 4\nin b float32[24] 0 4\nout y float32[24] 0 4\ny = scan_recurrence(a, b)"
    a, b, y = np.full(24, 1e20, np.float32), np.zeros(24, np.float32), np.ones(24, np.float32)
    assert make(text)(a, b, y)
    assert not y.any()


@MAKERS
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_recurrences_go_out_of_range_where_each_step_does(make: type[Function], dtype: str) -> None:
    """Not where the product of some factors does; and the first factor of a row has no influence."""
    size = np.dtype(dtype).itemsize
    lines = [f"{name} {dtype}[300,19] {19 * size} {size}" for name in ("in a", "in b", "out y")]
    random = np.random.default_rng(0)
    large = 100 if dtype == "float32" else 800  # powers of two, so that rounding once or twice is the same
    a = np.ldexp(random.choice([0, 1, -1], (300, 19)), random.choice([-large, 0, large], (300, 19))).astype(dtype)
    b = random.choice(np.array([0, -0.0, 1, -2], dtype), (300, 19))
    a[:100, 0], a[100:200, 0] = np.inf, np.nan
    y = np.empty_like(a)
    assert make("\n".join(["over 300 19", *lines, "y = scan_recurrence(a, b)"]))(a, b, y)
    expected = np.empty_like(a)
    with np.errstate(all="ignore"):
        expected[:, 0] = b[:, 0]
        for column in range(1, 19):
            expected[:, column] = a[:, column] * expected[:, column - 1] + b[:, column]
    assert np.isinf(expected).any()
    np.testing.assert_array_equal(y, expected)


def test_recurrences_have_factors_and_terms_of_one_dtype() -> None:
    """Anything else is no kernel."""
    head = "over 2 9\nin x float32[9] 0 4\nin z int32[9] 0 4\nin m bool[9] 0 1\nout y float32[2,9] 36 4\n"
    check(parse(head + "y = scan_recurrence(x, x)"))
    for wrong in ("x", "x, z", "m, m", "x, 1.0", "x, x, x"):
        with pytest.raises(Unsupported):
            check(parse(head + f"y = scan_recurrence({wrong})"))
