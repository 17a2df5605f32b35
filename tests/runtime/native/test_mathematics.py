"""Elementary functions in machine code: their errors, over numbers of all sizes, and their corner cases."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mycel.runtime.machine.executable import has_masked_vectors, library_function, unavailable
from mycel.runtime.native import codegen, statements
from mycel.runtime.native.builder import Builder, Constants
from mycel.runtime.native.language import SIZES
from mycel.runtime.native.mathematics import FUNCTIONS
from mycel.runtime.native.trigonometry import LARGEST

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

Array = np.ndarray
INF, NAN = math.inf, math.nan
WIDTHS = [4, 8]
WIDE = [False, True] if has_masked_vectors() else [False]
DTYPES = {4: np.dtype(np.float32), 8: np.dtype(np.float64)}
NAMES = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh",
    "atan2": "arctan2",
}  # fmt: skip
LEAST_TWO = ["power", "atan2"]


def run(name: str, width: int, *arrays: Any, wide: bool | None = None) -> Array:
    """The function's values in machine code."""
    dtype = DTYPES[width]
    given = [np.ascontiguousarray(array, dtype) for array in arrays]
    out = np.empty_like(given[0])
    names = ["x", "y"][: len(given)]
    lines = [
        f"over {out.size}",
        *(f"in {argument} {dtype}[{out.size}] {width}" for argument in names),
        f"out result {dtype}[{out.size}] {width}",
    ]
    kernel = codegen.compile_kernel("\n".join([*lines, f"result = {name}({', '.join(names)})"]), wide=wide)
    assert kernel(*given, out)
    return out


def expected(name: str, width: int, *arrays: Array) -> Array:
    """The function's values in a wider type."""
    with np.errstate(all="ignore"):
        wider = np.float64 if width == 4 else np.longdouble
        wide = [np.asarray(array, DTYPES[width]).astype(wider) for array in arrays]
        if name == "sigmoid":
            return 1 / (1 + np.exp(-wide[0]))
        if name in ("erf", "erfc"):  # Python has them in double precision
            function: Callable[[float], float] = getattr(math, name)
            return np.array([function(float(x)) for x in wide[0]])
        return getattr(np, NAMES.get(name, name))(*wide)


def error(got: Array, wanted: Array, width: int) -> Array:
    """By how many units of the last place numbers differ; inf where one is no number, inf or zero of another sign."""
    dtype = DTYPES[width]
    with np.errstate(all="ignore"):
        rounded = wanted.astype(dtype)
        digits, least = (24, -149) if width == 4 else (53, -1074)
        unit = np.ldexp(wanted.dtype.type(1), np.maximum(np.frexp(wanted)[1] - digits, least))
        result = np.abs((got - wanted) / unit)
        same = (got == rounded) & (np.signbit(got) == np.signbit(rounded)) | (np.isnan(got) & np.isnan(rounded))
        # Beside the largest number inf is a neighbour.
        largest = np.finfo(dtype).max
        beside = (np.minimum(np.abs(got), np.abs(rounded)) == largest) & (np.signbit(got) == np.signbit(rounded))
        odd = ~np.isfinite(got) | ~np.isfinite(rounded) | ((got == 0) & (rounded == 0))
    return np.where(odd, np.where(same, 0, np.where(beside, 1, np.inf)), result).astype(np.float64)


def spread(width: int, seed: int = 0) -> Array:
    """Numbers of all sizes: evenly spaced bits, and common numbers."""
    random = np.random.default_rng(seed)
    bits = np.uint32 if width == 4 else np.uint64
    every = np.linspace(0, 1, 6000, endpoint=False) + random.uniform(0, 1 / 6000)
    patterns = (every * 2.0 ** (8 * width)).astype(bits).view(DTYPES[width])
    common = [random.normal(0, scale, 2000) for scale in (0.1, 1, 10, 300)]
    ends = random.uniform(1, 2, (12, 40)) * 2.0 ** -np.arange(12)[:, None]
    near = [start + sign * ends.ravel() ** 6 for start in (-1, 0, 1) for sign in (-1, 1)]
    corners = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, INF, -INF, NAN, 5e-324, -5e-324])
    with np.errstate(all="ignore"):
        return np.concatenate([patterns, *(part.astype(DTYPES[width]) for part in (*common, *near, corners))])


# Units of the last place, for float32 and float64.
LIMITS = {
    "exp": (0.9, 1.1),
    "expm1": (1.4, 2.1),
    "log": (0.9, 1.2),
    "log1p": (1.5, 1.8),
    "log2": (1.5, 1.4),
    "log10": (1.9, 1.7),
    "power": (1.0, 1.2),
    "sigmoid": (2.3, 2.1),
    "erf": (1.7, 1.7),
    "erfc": (3.0, 4.3),
    "sinh": (2.0, 2.3),
    "cosh": (1.3, 1.4),
    "tanh": (2.1, 2.1),
    "asinh": (1.7, 2.2),
    "acosh": (1.7, 2.3),
    "atanh": (1.9, 2.3),
    "asin": (1.4, 1.7),
    "acos": (1.1, 1.3),
    "atan": (1.7, 2.7),
    "atan2": (2.0, 2.8),
    "sin": (1.6, 1.5),
    "cos": (1.5, 1.5),
    "tan": (2.1, 2.4),
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in LEAST_TWO])
def test_accuracy(name: str, width: int) -> None:
    x = spread(width)
    if name in ("sin", "cos", "tan"):  # around where the C library's functions take over
        bound = LARGEST[width]
        x = np.concatenate([x, np.linspace(-1.5 * bound, 1.5 * bound, 4001, dtype=DTYPES[width])])
    errors = error(run(name, width, x), expected(name, width, x), width)
    worst = int(np.argmax(errors))
    limit = LIMITS[name][WIDTHS.index(width)] + (1 if name in ("erf", "erfc") and width == 8 else 0)
    assert errors[worst] <= limit, f"{name}({x[worst]!r}) is off by {errors[worst]}"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", LEAST_TWO)
def test_accuracy_of_functions_of_two(name: str, width: int) -> None:
    random = np.random.default_rng(3)
    x, y = spread(width, 1), random.permutation(spread(width, 2))
    if name == "power":  # results of all sizes, for all sizes of x
        with np.errstate(all="ignore"):
            wide = 151 if width == 4 else 1076
            fitting = (random.uniform(-wide, wide, x.size) / np.log2(np.abs(x.astype(np.float64)))).astype(x.dtype)
        x, y = np.concatenate([x, np.abs(x)]), np.concatenate([y, fitting])
    errors = error(run(name, width, x, y), expected(name, width, x, y), width)
    worst = int(np.argmax(errors))
    limit = LIMITS[name][WIDTHS.index(width)]
    assert errors[worst] <= limit, f"{name}({x[worst]!r}, {y[worst]!r}) is off by {errors[worst]}"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", LEAST_TWO)
def test_corners_of_functions_of_two(name: str, width: int) -> None:
    dtype = DTYPES[width]
    tiny, large = np.finfo(dtype).smallest_subnormal, np.finfo(dtype).max
    sizes = [0.0, tiny, 0.5, 1.0, 1.5, 2.0, 3.0, 2.0**24 + 2, 2.0**53 - 1, large, INF]
    corners = np.array([*sizes, *(-size for size in sizes), NAN], dtype)
    x, y = (grid.ravel() for grid in np.meshgrid(corners, corners))
    got, wanted = run(name, width, x, y), expected(name, width, x, y)
    assert float(error(got, wanted, width).max()) <= 2


CORNERS: dict[str, list[tuple[float, float]]] = {
    "exp": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (1e30, INF), (-1e30, 0.0)],
    "expm1": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0), (-1e30, -1.0), (1e30, INF)],
    "log": [(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, NAN), (-INF, NAN)],
    "log2": [(0.0, -INF), (1.0, 0.0), (8.0, 3.0), (2.0**-126, -126.0), (INF, INF), (-1.0, NAN)],
    "log10": [(0.0, -INF), (1.0, 0.0), (1000.0, 3.0), (1e10, 10.0), (INF, INF), (-1.0, NAN)],
    "log1p": [(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (INF, INF), (-1.5, NAN), (-INF, NAN)],
    "tanh": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (1e30, 1.0), (-30.0, -1.0)],
    "sigmoid": [(0.0, 0.5), (-0.0, 0.5), (INF, 1.0), (-INF, 0.0), (1e30, 1.0), (-1e30, 0.0)],
    "erf": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (7.0, 1.0)],
    "erfc": [(0.0, 1.0), (-0.0, 1.0), (INF, 0.0), (-INF, 2.0), (30.0, 0.0)],
    "sinh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (1e30, INF)],
    "cosh": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (-1e30, INF)],
    "asinh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF)],
    "acosh": [(1.0, 0.0), (0.5, NAN), (-1.0, NAN), (-1e30, NAN), (INF, INF), (-INF, NAN)],
    "atanh": [(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (INF, NAN)],
    "sin": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)],
    "cos": [(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN)],
    "tan": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)],
    "asin": [(0.0, 0.0), (-0.0, -0.0), (1.5, NAN), (-INF, NAN)],
    "acos": [(1.0, 0.0), (1.5, NAN), (-1.5, NAN), (INF, NAN)],
    "atan": [(0.0, 0.0), (-0.0, -0.0)],
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", CORNERS)
def test_corners(name: str, width: int) -> None:
    x, wanted = np.array([*CORNERS[name], (NAN, NAN)], DTYPES[width]).T
    got = run(name, width, x)
    np.testing.assert_array_equal(got, wanted)
    numbers = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(got[numbers]), np.signbit(wanted[numbers]))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["expm1", "log1p", "tanh", "sinh", "asinh", "atanh", "sin", "tan", "asin", "atan"])
def test_tiny_numbers_are_their_own_result(name: str, width: int) -> None:
    least = np.finfo(DTYPES[width]).smallest_subnormal
    x = np.array([least, -least, 3 * least, 1001 * least, -np.finfo(DTYPES[width]).tiny], DTYPES[width])
    np.testing.assert_array_equal(run(name, width, x), x)


@pytest.mark.parametrize("width", WIDTHS)
def test_exponentials_end_where_those_of_numpy_do(width: int) -> None:
    top, bottom = (88.72284, -103.97208) if width == 4 else (709.782712893384, -745.1332191019412)
    steps = np.arange(-30, 31) * np.finfo(DTYPES[width]).eps
    x = np.concatenate([top * (1 + steps), bottom * (1 + steps)]).astype(DTYPES[width])
    with np.errstate(all="ignore"):
        wanted = np.exp(x)
    got = run("exp", width, x)
    np.testing.assert_array_equal(np.isinf(got), np.isinf(wanted))
    np.testing.assert_array_equal(got == 0, wanted == 0)


# From where on the result is 0, and multiples of that.
ENDS = {"exp": (-103.9721, -745.1333), "sigmoid": (-103.9721, -745.1333), "erfc": (10.0545, 27.2269)}
BEYOND = [1.02, 1.1, 1.2, 1.3, 1.5, 1.7, 2.0, 3.0, 7.0, 100.0, 1e4, 1e7, 1e12, 1e30, INF]


@pytest.mark.parametrize("wide", WIDE)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ENDS)
def test_results_at_the_end_of_the_range(name: str, width: int, wide: bool) -> None:
    """Denormal results are those of NumPy, up to the last one; beyond are zeros."""
    end = ENDS[name][WIDTHS.index(width)]
    x = np.concatenate([np.linspace(0.8, 1.1, 4001), 1 + np.arange(-40, 41) * 1e-6, BEYOND]) * end
    x = x.astype(DTYPES[width])
    errors = error(run(name, width, x, wide=wide), expected(name, width, x), width)
    worst = int(np.argmax(errors))
    assert errors[worst] <= LIMITS[name][WIDTHS.index(width)] + 1, f"{name}({x[worst]!r}) is off by {errors[worst]}"


@pytest.mark.parametrize("wide", WIDE)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", [*ENDS, "power", "log1p", "asinh"])
def test_results_of_zero_take_no_tiny_steps(name: str, width: int, wide: bool) -> None:
    """Processors take long for numbers too small for their digits, so masked elements (-1e9, -inf) should meet none."""
    underflow = 16  # the exception's bit, as the processor has it
    call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
    clear, test = (call(library_function(name)) for name in ("feclearexcept", "fetestexcept"))
    dtype = DTYPES[width]
    end = ENDS.get(name, (-150.0, -1075.0))[WIDTHS.index(width)]
    x = np.array([0.0, 1.0, -1.0, *(float(factor) * end for factor in BEYOND)], dtype)
    y, out = np.full_like(x, 2.0), np.empty_like(x)
    given = {"power": [y, x]}.get(name, [x])
    names = ["a", "b"][: len(given)]
    lines = [*(f"in {one} {dtype}[{x.size}] {width}" for one in names), f"out c {dtype}[{x.size}] {width}"]
    text = "\n".join([f"over {x.size}", *lines, f"c = {name}({', '.join(names)})"])
    kernel = codegen.compile_kernel(text, wide=wide)
    assert kernel(*given, out)
    clear(underflow)
    kernel(*given, out)
    assert not test(underflow)
    if name in ENDS or name == "power":
        assert not out[3:].any()


@pytest.mark.skipif(not has_masked_vectors(), reason="the processor has no AVX-512")
@pytest.mark.parametrize("width", WIDTHS)
def test_exponentials_where_no_mask_register_is_free(width: int) -> None:
    dtype, count = DTYPES[width], 9
    lines = ["over 40", f"in x {dtype}[40] {width}", f"out y {dtype}[40] {width}"]
    lines += [f"m{k} = less(x, {-25.0 * k})" for k in range(count)]
    lines += ["e0 = exp(x)", *(f"e{k + 1} = select(m{k}, e{k}, {float(k)})" for k in range(count))]
    x = np.linspace(-300, 5, 40, dtype=dtype)
    x[:3] = -INF, -1e9, NAN
    y = np.empty_like(x)
    assert codegen.compile_kernel("\n".join([*lines, f"y = copy(e{count})"]), wide=True)(x, y)
    wanted = np.exp(x)
    for k in range(count):
        wanted = np.where(x < -25.0 * k, wanted, dtype.type(k))
    np.testing.assert_allclose(y, wanted, rtol=1e-6, atol=np.finfo(dtype).smallest_subnormal)


@pytest.mark.parametrize("width", WIDTHS)
def test_logarithms_to_base_two_and_ten_of_their_powers_are_whole(width: int) -> None:
    powers = np.arange(-126, 128) if width == 4 else np.arange(-1022, 1024)
    np.testing.assert_array_equal(run("log2", width, np.ldexp(1.0, powers)), powers)
    powers = np.arange(-37, 39) if width == 4 else np.arange(-307, 309)
    np.testing.assert_array_equal(run("log10", width, [float(f"1e{power}") for power in powers]), powers)


def test_every_function_has_its_limits() -> None:
    assert set(LIMITS) == set(FUNCTIONS)
    assert set(CORNERS) == set(LIMITS) - set(LEAST_TWO)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_dtypes_are_known_without_instructions(name: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = (dtype,) * (2 if name in ("power", "atan2") else 1)
    builder = Builder(SIZES[dtype], Constants(), [0])
    wanted = FUNCTIONS[name](builder, *map(builder.new, given)).dtype
    monkeypatch.setattr(statements, "apply", None)
    assert statements.result_of.__wrapped__(name, given, None, SIZES[dtype]).dtype == wanted == dtype


@pytest.mark.parametrize("width", WIDTHS)
def test_calls_of_one_function_share_their_loop_over_lanes(width: int) -> None:
    """Some lanes of some calls are beyond the series: each goes on where it came from, with all values in place."""

    def text(count: int) -> str:
        dtype = DTYPES[width]
        arrays = [f"in x {dtype}[61] {width}", f"out y {dtype}[61] {width}", f"out z {dtype}[61] {width}"]
        lines = ["v0 = copy(x)", "w0 = copy(x)"]
        for k in range(1, count + 1):
            lines += [f"a{k} = multiply(x, {float(k)})", f"s{k} = sin(a{k})", f"c{k} = cos(s{k})"]
            lines += [f"v{k} = add(s{k}, v{k - 1})", f"w{k} = add(c{k}, w{k - 1})"]
        return "\n".join(["over 61", *arrays, *lines, f"y = copy(v{count})", f"z = copy(w{count})"])

    generator = np.random.RandomState(width)
    x = np.where(generator.rand(61) < 0.2, LARGEST[width] / 3, 1) * generator.randn(61)
    x = x.astype(DTYPES[width])
    y, z = np.empty_like(x), np.empty_like(x)
    assert codegen.compile_kernel(text(7))(x, y, z)
    sines = [np.sin(x * DTYPES[width].type(k)) for k in range(1, 8)]
    scale = np.abs(x) + 1
    np.testing.assert_array_less(np.abs(sum(sines, x) - y) / scale, 1e-5)
    np.testing.assert_array_less(np.abs(sum(map(np.cos, sines), x) - z) / scale, 1e-5)
    code = codegen.machine_code(text(7))
    for name in ("sin", "cos"):
        address = library_function(name + "f" * (width == 4))
        assert code.count(address.to_bytes(8, "little")) == 1


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("base", [2.0, 0.5, 8.0, 16.0, 10.0, 0.3, 1.0625, 1e30])
def test_powers_of_constants(base: float, width: int) -> None:
    """The logarithm of the base is known; whole powers of two are exact."""
    dtype, most = DTYPES[width], (140 if width == 4 else 1090) / max(1.0, abs(math.log2(base)))
    drawn = np.concatenate([np.random.default_rng(0).uniform(-most, most, 9000), np.arange(-99.0, 99)])
    y = np.concatenate([drawn.astype(dtype), spread(width)])
    out = np.empty_like(y)
    lines = [f"in y {dtype}[{len(y)}] {width}", f"out z {dtype}[{len(y)}] {width}", f"z = power({base!r}, y)"]
    assert codegen.compile_kernel("\n".join([f"over {len(y)}", *lines]))(y, out)
    wanted = expected("power", width, np.full(len(y), base), y)
    assert error(out, wanted, width).max() <= LIMITS["power"][width == 8]
    if base in (2.0, 0.5, 8.0, 16.0):
        whole = slice(9000, len(drawn))
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(out[whole], wanted[whole].astype(dtype))
