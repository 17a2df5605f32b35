"""Fourier transforms in machine code: as exact as NumPy's on random sizes, and only for arrays that fit."""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
import pytest
from hostile_arrays import wrong_for

from mycel.runtime.kernels import fourier as kernels
from mycel.runtime.machine.array_functions import (
    compile_fourier,
    compile_separation,
    fourier_room,
    fourier_sizes,
    has_separation,
)
from mycel.runtime.machine.fourier_sizes import COMPLEX, FROM_HALF, TO_HALF, FourierSizes, radices_of, roots
from mycel.runtime.machine.product import vector_bytes

pytestmark = pytest.mark.skipif(not vector_bytes(), reason="there is no machine code")

LENGTHS = (
    2,
    4,
    6,
    8,
    10,
    12,
    14,
    16,
    20,
    22,
    26,
    30,
    32,
    45,
    48,
    56,
    64,
    70,
    74,
    100,
    126,
    128,
    143,
    200,
    256,
    400,
    500,
    602,
)
LENGTHS += (666, 1000, 1024)
KINDS = (COMPLEX, TO_HALF, FROM_HALF)


class Drawn:
    """Transforms of random sizes, and what longer numbers give."""

    def __init__(self, seed: int, kind: str | None = None) -> None:
        draw = np.random.default_rng(seed)
        dtype, kind = str(draw.choice(["float32", "float64"])), kind or KINDS[seed % 3]
        self.sizes = FourierSizes(
            kind,
            dtype,
            (int(draw.choice([1, 2, 5, 16, 17, 40])),),
            int(draw.choice(LENGTHS)),
            (int(draw.choice([1, 1, 1, 4, 8, 13, 16, 17, 33])),),
            bool(draw.integers(2)) and kind != COMPLEX,
            float(draw.choice([1.0, 0.3])),
            float(draw.choice([1.0, 2.0, 0.5])),
            int(draw.choice([32, vector_bytes()])),
        )
        sizes = self.sizes
        self.given = [
            draw.standard_normal(sizes.shape(sizes.given)).astype(dtype) for _ in range(2 - (sizes.kind == TO_HALF))
        ]
        self.made = [np.full(sizes.shape(sizes.made), 7, dtype) for _ in range(2 - (sizes.kind == FROM_HALF))]
        if sizes.way:
            self.arguments = [*self.given, *self.made, np.full(fourier_room(sizes), np.nan, dtype)]

    def by_numpy(self, dtype: type) -> np.ndarray:
        """The same by NumPy, in this precision."""
        sizes = self.sizes
        given = [each.astype(dtype) for each in self.given]
        x = given[0] if len(given) == 1 else given[0] + 1j * given[1]
        attrs = {"axis": 1, "inverse": sizes.inverse, "scale": sizes.scale, "ends": sizes.ends}
        if sizes.kind == COMPLEX:
            return kernels.dft(x, axes=(1,), inverse=False, scale=sizes.scale)
        if sizes.kind == TO_HALF:
            return kernels.half_dft(x, **attrs)
        return kernels.real_dft(x, count=sizes.length, **attrs)

    def result(self) -> np.ndarray:
        """What the function gives."""
        assert compile_fourier(*self.sizes)(*self.arguments) is True
        return self.made[0] if len(self.made) == 1 else self.made[0] + 1j * self.made[1]


def distance(a: np.ndarray, b: np.ndarray) -> float:
    """The root of the mean square of differences, by that of b."""
    return float(np.sqrt((np.abs(a - b) ** 2).mean() / (np.abs(b) ** 2).mean()))


def test_random_sizes_are_exact() -> None:
    """NumPy transforms single precision in double; the errors here are those of libraries that do not."""
    ways: Counter[str] = Counter()
    for seed in range(240):
        drawn = Drawn(seed)
        ways[drawn.sizes.way] += 1
        if not drawn.sizes.way:
            continue
        error = distance(drawn.result(), drawn.by_numpy(np.float64))
        assert error < (1.6e-7 if drawn.sizes.dtype == "float32" else 6e-16), drawn.sizes
    assert min(ways[way] for way in ("columns", "rows", "divided")) > 8, ways


def exact(x: np.ndarray) -> np.ndarray:
    """The transform of each row by its definition, in long numbers."""
    count = x.shape[-1]
    places = np.outer(np.arange(count), np.arange(count)) % count
    angles = -2 * np.pi * places.astype(np.longdouble) / count
    return x.astype(np.clongdouble) @ (np.cos(angles) + 1j * np.sin(angles))


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_share_transforms(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """In parts of the matrices, with numbers as exact; and programs ask for the scratch of all parts."""
    monkeypatch.setattr(kernels, "worth_sharing", lambda *amounts: threads)
    kernels._plan.cache_clear()
    shared = 0
    for seed in range(60):
        drawn = Drawn(seed)
        sizes = drawn.sizes
        how = {"axis": 1, "inverse": sizes.inverse, "scale": sizes.scale}
        if sizes.kind == COMPLEX:
            found = kernels.dft_parts(*drawn.given, axis=1, scale=sizes.scale)
        elif sizes.kind == TO_HALF:
            found = kernels.half_dft_parts(*drawn.given, **how, ends=sizes.ends)
        else:
            found = kernels.real_dft_parts(*drawn.given, **how, count=sizes.length, ends=sizes.ends)
        exact = drawn.by_numpy(np.float64)
        result = found if isinstance(found, np.ndarray) else found[0] + 1j * found[1]
        assert distance(result, exact) < (1.6e-7 if sizes.dtype == "float32" else 6e-16), sizes
        of_sizes = sizes.kind, sizes.dtype, drawn.given[0].shape, 1, sizes.length, *sizes[5:8]
        plan = kernels._plan(*of_sizes)
        if plan is not None and len(plan.parts) > 1:
            shared += 1
            assert kernels.single_sizes(*of_sizes) is None
            assert sum(part.outer for part in plan.parts) == sizes.outer
            assert kernels.scratch_size(*of_sizes) == sum(map(fourier_room, plan.parts))
    kernels._plan.cache_clear()
    assert shared > 15


@pytest.mark.parametrize("count", [30, 64, 256, 720, 1024])
def test_double_precision_is_as_exact_as_numpy(count: int) -> None:
    draw = np.random.default_rng(count)
    x = draw.standard_normal((8, count)) + 1j * draw.standard_normal((8, count))
    real, imag = kernels.dft_parts(x.real.copy(), x.imag.copy(), axis=1, scale=1.0)
    expected = exact(x)
    assert distance(real + 1j * imag, expected) < 2 * distance(np.fft.fft(x), expected) + 2e-17


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_other_factors_have_the_same_code(dtype: str) -> None:
    """Its tables are others: the results of each are as exact."""
    draw = np.random.default_rng(3)
    x = draw.standard_normal((2, 1, 480)).astype(dtype)
    for scale in (0.3, 1.0, 1 / 480):
        assert fourier_sizes(COMPLEX, dtype, (1, 480), 1, 480, False, scale, 1.0).way == "divided"
        real, imag = kernels.dft_parts(x[0], x[1], axis=1, scale=scale)
        expected = np.fft.fft(x[0].astype(np.float64) + 1j * x[1]) * scale
        assert distance(real + 1j * imag, expected) < (2e-7 if dtype == "float32" else 6e-16)


@pytest.mark.parametrize("count", [1 << 15, 100_000, 3 * 5 * 7 * 256])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_long_rows(count: int, dtype: str) -> None:
    draw = np.random.default_rng(1)
    x = draw.standard_normal((2, 3, count)).astype(dtype)
    real, imag = kernels.dft_parts(x[0], x[1], axis=1, scale=1.0)
    expected = np.fft.fft(x[0].astype(np.float64) + 1j * x[1])
    assert distance(real + 1j * imag, expected) < (4e-7 if dtype == "float32" else 1e-15)
    real, imag = kernels.half_dft_parts(x[0], axis=1, inverse=False, scale=1.0, ends=1.0)
    assert distance(real + 1j * imag, np.fft.rfft(x[0].astype(np.float64))) < (4e-7 if dtype == "float32" else 1e-15)
    back = kernels.real_dft_parts(real, imag, axis=1, count=count, inverse=True, scale=1 / count, ends=1.0)
    assert distance(back, x[0]) < (8e-7 if dtype == "float32" else 2e-15)


def of_kind(kind: str, way: str) -> Drawn:
    """Transforms that are computed in this way, of several rows."""
    drawn = (Drawn(seed, kind) for seed in range(1000))
    return next(one for one in drawn if one.sizes.way == way and one.sizes.outer > 1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", ["columns", "rows", "divided"])
def test_arguments_that_do_not_fit_are_refused_and_nothing_is_written(kind: str, way: str) -> None:
    drawn = of_kind(kind, way)
    function = compile_fourier(*drawn.sizes)
    for position, array in enumerate(drawn.arguments):
        wrong = wrong_for(array, written=position >= len(drawn.given))
        wrong["more"] = np.concatenate([array, array])
        for what, value in wrong.items():
            changed = [*drawn.arguments]
            changed[position] = value
            assert function(*changed) is False, (position, what)
    for count in ((), drawn.arguments[:-1], (*drawn.arguments, drawn.arguments[-1])):
        assert function(*count) is False
    assert all((each == 7).all() for each in drawn.made)
    assert distance(drawn.result(), drawn.by_numpy(np.float64)) < 1e-6


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [16, 4000])
def test_nothing_is_left_behind(kind: str, rows: int) -> None:
    """Few and many rows, where other threads run: no reference is kept, and none is lost."""
    sizes = fourier_sizes(kind, "float32", (rows, 33 if kind == FROM_HALF else 64), 1, 64, False, 1.0, 1.0)
    assert sizes is not None
    read = [np.ones(sizes.shape(sizes.given), np.float32) for _ in range(2 - (kind == TO_HALF))]
    made = [np.ones(sizes.shape(sizes.made), np.float32) for _ in range(2 - (kind == FROM_HALF))]
    given = [*read, *made, np.empty(fourier_room(sizes), np.float32)]
    before = [sys.getrefcount(array) for array in given]
    for _ in range(10):
        assert compile_fourier(*sizes)(*given) is True
    assert [sys.getrefcount(array) for array in given] == before


def test_what_lies_around_is_neither_read_nor_written() -> None:
    for seed in range(60):
        drawn = Drawn(seed)
        if not drawn.sizes.way:
            continue
        expected = drawn.result()
        framed = [np.full(array.size + 64, np.nan, array.dtype) for array in drawn.arguments]
        inner = [frame[32 : 32 + array.size].reshape(array.shape)
                 for frame, array in zip(framed, drawn.arguments, strict=True)]  # fmt: skip
        for target, array in zip(inner, drawn.arguments, strict=True):
            target[...] = array
        assert compile_fourier(*drawn.sizes)(*inner) is True
        count = len(drawn.given)
        for result, array in zip(inner[count : count + len(drawn.made)], drawn.made, strict=True):
            np.testing.assert_array_equal(result, array)
        assert all(np.isnan(frame[:32]).all() and np.isnan(frame[-32:]).all() for frame in framed)
        assert np.isfinite(expected).all()


@pytest.mark.parametrize(
    ("shape", "axis"), [((1 << 20, 64), 0), ((1 << 10, 1 << 20), 0), ((4, 0, 8), 0), ((3, 1), 1), ((4, 1 << 22), 1)]
)
def test_sizes_without_code(shape: tuple[int, ...], axis: int) -> None:
    """Columns that would need much room, distances that instructions do not hold, and nothing to transform."""
    sizes = fourier_sizes(COMPLEX, "float32", shape, axis, shape[axis], False, 1.0, 1.0)
    assert sizes is None or 0 in shape


def test_roots_are_exact_at_quarters() -> None:
    assert roots(np.arange(9), 8)[::2].tolist() == [1, -1j, -1, 1j, 1]


@pytest.mark.parametrize(
    ("count", "expected"), [(47, None), (94, None), (86, (2, 43)), (8, (8,)), (1024, (8, 8, 4, 4)), (30, (2, 5, 3))]
)
def test_radices(count: int, expected: tuple[int, ...] | None) -> None:
    assert radices_of(count, 64) == expected


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(16,), (3, 7), (2, 5, 101)])
def test_complex_numbers_are_taken_apart_and_put_together(dtype: str, shape: tuple[int, ...]) -> None:
    assert has_separation(dtype, shape)
    draw = np.random.default_rng(3)
    x = (draw.normal(size=shape) + 1j * draw.normal(size=shape)).astype(np.result_type(dtype, np.complex64))
    real, imag, again = np.zeros(shape, dtype), np.zeros(shape, dtype), np.zeros_like(x)
    apart, together = (compile_separation(dtype, shape, way) for way in (False, True))
    assert apart(x, real, imag) is True
    assert together(real, imag, again) is True
    for one, other in ((real, x.real), (imag, x.imag), (again, x)):
        np.testing.assert_array_equal(one, other)
    for function, given, read in ((apart, [x, real, imag], 1), (together, [real, imag, again], 2)):
        for position, array in enumerate(given):
            wrong = wrong_for(array, written=position >= read)
            for what, value in wrong.items():
                changed = [*given]
                changed[position] = value
                assert function(*changed) is False, (position, what)
    assert not has_separation(dtype, (1,))
