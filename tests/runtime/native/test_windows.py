"""Inputs with bounds: read where they are inside, zero elsewhere, in machine code and in NumPy."""

from __future__ import annotations

import itertools
import mmap
import time

import numpy as np
import pytest
from searches import chequered

from mycel.runtime.machine.executable import Function, unavailable
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.check import check
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.language import parse

MAKERS = pytest.mark.parametrize(
    "make", [compile_kernel, lambda text: evaluator(parse(text), text)], ids=["code", "numpy"]
)


@MAKERS
@pytest.mark.parametrize("columns", [1, 3, 7, 8, 9, 16, 17, 40])
def test_moved_arrays_are_zero_where_they_are_not(make: type[Function], columns: int) -> None:
    """Every shift of a matrix by rows and columns, with a sum of each row and of each column."""
    rows, size = 5, 4 * columns
    x = np.arange(1, rows * columns + 1, dtype=np.float32).reshape(rows, columns)
    for down, right in itertools.product((-2, 0, 1, 4), {-columns + 1, -1, 0, 1, columns - 1}):
        if abs(right) >= columns:
            continue
        bounds = [*sorted((max(down, 0), rows + min(down, 0))), max(right, 0), columns + min(right, 0)]
        text = f"""
            over {rows} {columns}
            in x float32[{rows},{columns}] {size} 4 from {-down * size - right * 4} within {" ".join(map(str, bounds))}
            in z float32[{rows},{columns}] {size} 4
            out y float32[{rows},{columns}] {size} 4
            out r float32[{rows}] 4 0
            add c float32[{columns}] 0 4
            y = add(x, z)
            r = row_add(x)
            c = x
        """
        expected = np.zeros_like(x)
        top, bottom, left, end = bounds
        expected[top:bottom, left:end] = x[top - down : bottom - down, left - right : end - right]
        y, r, c = np.empty_like(x), np.empty(rows, np.float32), np.empty(columns, np.float32)
        assert make(text)(x, x, y, r, c)
        np.testing.assert_array_equal(y, expected + x)
        np.testing.assert_array_equal(r, expected.sum(1))
        np.testing.assert_array_equal(c, expected.sum(0))


@MAKERS
@pytest.mark.parametrize(
    ("columns", "dtype"), chequered([1, 3, 8, 9, 17, 40], ["float16", "int8", "uint8", "int16", "uint16", "bool"])
)
def test_moved_narrow_numbers_are_zero_where_they_are_not(make: type[Function], dtype: str, columns: int) -> None:
    """Every shift of a matrix by rows and columns, in code and in NumPy."""
    rows, size, random = 4, np.dtype(dtype).itemsize, np.random.default_rng(columns)
    x = random.integers(-63, 64, (rows, columns)).astype(dtype)
    for down, right in itertools.product((-1, 0, 2), {-columns + 1, -1, 0, 1, columns - 1}):
        if abs(right) >= columns:
            continue
        top, bottom, left, end = max(down, 0), rows + min(down, 0), max(right, 0), columns + min(right, 0)
        first = -size * (down * columns + right)
        text = f"""
            over {rows} {columns}
            in x {dtype}[{rows},{columns}] {size * columns} {size} from {first} within {top} {bottom} {left} {end}
            out y {dtype}[{rows},{columns}] {size * columns} {size}
            out z float32[{rows},{columns}] {4 * columns} 4
            y = copy(x)
            z = cast(x, float32)
        """
        expected = np.zeros_like(x)
        expected[top:bottom, left:end] = x[top - down : bottom - down, left - right : end - right]
        y, z = np.empty_like(x), np.empty(x.shape, np.float32)
        assert make(text)(x, y, z)
        np.testing.assert_array_equal(y, expected)
        np.testing.assert_array_equal(z, expected)


@MAKERS
@pytest.mark.parametrize(("columns", "dtype"), chequered([2, 3, 8, 17, 40], ["float32", "float64", "int32"]))
def test_one_element_for_the_columns_inside_of_bounds(make: type[Function], columns: int, dtype: str) -> None:
    """What a row has once may fill a part of it: the gradient of a mean of a slice."""
    rows, size = 5, np.dtype(dtype).itemsize
    x = np.arange(1, rows + 1).astype(dtype)
    z = np.arange(rows * columns).reshape(rows, columns).astype(dtype)
    for (low, high), (top, end) in itertools.product(
        itertools.combinations({0, 1, columns // 2, columns - 1, columns}, 2), [(0, rows), (1, rows), (2, 4)]
    ):
        low, high = sorted((low, high))
        text = f"""
            over {rows} {columns}
            in x {dtype}[{rows}] {size} 0 within {top} {end} {low} {high}
            in z {dtype}[{rows},{columns}] {size * columns} {size}
            out y {dtype}[{rows},{columns}] {size * columns} {size}
            y = add(x, z)
        """
        expected = z.copy()
        expected[top:end, low:high] += x[top:end, None]
        y = np.empty_like(z)
        assert make(text)(x, z, y)
        np.testing.assert_array_equal(y, expected)


@MAKERS
def test_pieces_know_their_rows(make: type[Function]) -> None:
    """A kernel that threads share compares the rows of the whole, not of the piece."""
    text = """
        shared 2
        over 5 9
        in x float32[5,9] 36 4 from -36 within 1 5 0 9
        out y float32[5,9] 36 4
        y = negative(x)
    """
    x, y = np.arange(45, dtype=np.float32).reshape(5, 9), np.empty((5, 9), np.float32)
    kernel = make(text)
    assert kernel(x, y)
    np.testing.assert_array_equal(y[1:], -x[:-1])
    assert not y[0].any()


@MAKERS
@pytest.mark.parametrize(("size", "pieces"), [(64, 1), (65, 2), (200, 4), (1003, 8), (640, 5)])
@pytest.mark.parametrize("far", [1, 17, 64, 130])
def test_pieces_of_columns_know_their_columns(make: type[Function], size: int, pieces: int, far: int) -> None:
    """Bounds are those of the whole, wherever a piece begins and ends."""
    far = min(far, size - 1)
    text = f"""
        shared {pieces}
        over {size}
        in x float32[{size}] 4 from {-4 * far} within {far} {size}
        in w float32[{size}] 4 from {4 * (size - far)} within 0 {far}
        in z float32[{size}] 4
        out y float32[{size}] 4
        r = overlay(x, w)
        y = add(r, z)
    """
    x, z = np.random.default_rng(size).standard_normal((2, size)).astype(np.float32)
    y = np.empty_like(z)
    assert make(text)(x, x, z, y)
    np.testing.assert_array_equal(y, np.roll(x, far) + z)


@MAKERS
def test_overlaid_parts_keep_signs_and_nan(make: type[Function]) -> None:
    """Rolled values keep all bits: -0 stays -0, nan stays nan."""
    text = """
        over 9
        in x float32[9] 4 from -8 within 2 9
        in w float32[9] 4 from 28 within 0 2
        out y float32[9] 4
        y = overlay(x, w)
    """
    x = np.array([-0.0, 1, 2, np.nan, 4, 5, 6, -0.0, np.inf], np.float32)
    y = np.empty_like(x)
    assert make(text)(x, x, y)
    np.testing.assert_array_equal(y.view(np.int32), np.roll(x, 2).view(np.int32))


@MAKERS
def test_what_is_outside_is_not_read(make: type[Function]) -> None:
    """One element of an array of one is read, be the loops as large as they may; nothing comes from beside it."""
    beside = np.full(64, np.nan, np.float32)
    x, y = beside[32:33], np.empty((6, 20), np.float32)
    x[0] = 5
    text = """
        over 6 20
        in x float32[1] 80 4 from -172 within 2 3 3 4
        out y float32[6,20] 80 4
        y = copy(x)
    """
    assert make(text)(x, y)
    assert y[2, 3] == 5
    assert np.count_nonzero(y) == 1


GOOD = """
    over 4 8
    in x float32[4,8] 32 4 from -32 within 1 4 0 8
    out y float32[4,8] 32 4
    y = negative(x)
"""
BAD = {
    "reads before its memory": ("within 1 4 0 8", "within 0 4 0 8"),
    "reads behind its memory": ("from -32 within 1 4", "from 32 within 0 4"),
    "too few": ("within 1 4 0 8", "within 1 4"),
    "too many": ("within 1 4 0 8", "within 1 4 0 8 0 1"),
    "empty": ("within 1 4 0 8", "within 4 4 0 8"),
    "the wrong way round": ("within 1 4 0 8", "within 4 1 0 8"),
    "beyond the loop": ("within 1 4 0 8", "within 1 5 0 8"),
    "before the loop": ("within 1 4 0 8", "within -1 4 0 8"),
    "of an output": ("out y float32[4,8] 32 4", "out y float32[4,8] 32 4 within 0 4 0 8"),
    "of a sum": ("out y float32[4,8] 32 4", "add y float32[4,8] 32 4 within 0 4 0 8"),
    "of columns apart": ("32 4 from -32 within 1 4 0 8", "16 8 from -16 within 1 2 0 2"),
    "by parts of elements": ("from -32", "from -30"),
}


@pytest.mark.parametrize("what", BAD)
def test_bounds_that_are_none_are_refused(what: str) -> None:
    """Bounds that let a kernel read beside its array, or that machine code cannot keep, are no kernel."""
    check(parse(GOOD))
    text = GOOD.replace(*BAD[what])
    assert text != GOOD
    with pytest.raises(Unsupported):
        check(parse(text))


def test_too_many_bounds_of_columns_are_refused() -> None:
    """Each place where a bound lies has code of its own."""
    arrays = [f"in x{n} float32[400] 4 within {9 * n + 1} 400" for n in range(30)]
    body = [f"t{n} = negative(x{n})" for n in range(30)]
    text = "\n".join(["over 400", *arrays, "out y float32[400] 4", *body, "y = t0"])
    with pytest.raises(Unsupported, match="too many bounds"):
        check(parse(text))


def test_an_odd_number_of_bounds_cannot_be_read() -> None:
    """A bound has two ends."""
    with pytest.raises(ValueError, match="cannot be read"):
        parse(GOOD.replace("within 1 4 0 8", "within 1 4 0"))


@pytest.mark.skipif(unavailable() is not None, reason="no machine code")
def test_rows_outside_of_bounds_read_nothing() -> None:
    """A masked load of no lane takes hundreds of cycles where the memory is not there: before and behind an array there
    may be none."""
    text = """
        over 3 4096
        in x float32[1,4096] 16384 4 within 0 1 0 4096
        in y float32[1,4096] 16384 4 from -16384 within 1 2 0 4096
        in z float32[1,4096] 16384 4 from -32768 within 2 3 0 4096
        out w float32[3,4096] 16384 4
        v = overlay(x, y)
        w = overlay(v, z)
    """
    kernel, w = compile_kernel(text), np.empty((3, 4096), np.float32)

    def least(x: np.ndarray) -> float:
        times = []
        for _ in range(50):
            began = time.perf_counter()
            assert kernel(x, x, x, w)
            times.append(time.perf_counter() - began)
        return min(times)

    alone = mmap.mmap(-1, 64 * 16384)
    rows = np.frombuffer(alone, np.float32).reshape(64, 1, 4096)
    rows[...] = 1.0
    assert max(least(rows[0]), least(rows[-1])) < 8 * least(rows[32])
    np.testing.assert_array_equal(w, 1.0)
