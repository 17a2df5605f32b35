"""Integers of 8 and 16 bits in machine code: NumPy's results on all numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from drawn_narrow import DrawnNarrow
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import has_masked_vectors, unavailable
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.language import parse
from mycel.runtime.native.narrow_blocks import near_shuffles
from mycel.runtime.native.stages import width_of
from mycel.runtime.native.words import with_words

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

WIDTHS = [False, True] if has_masked_vectors() else [False]
DTYPES = ("int8", "uint8", "int16", "uint16")
COMPARISONS = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")
BINARY = (
    "add", "subtract", "multiply", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift",
    "right_shift", "floor_divide", "remainder", "fmod", *COMPARISONS,
)  # fmt: skip
UNARY = {"negative": "negative", "absolute": "absolute", "sign": "sign", "bitwise_not": "invert"}


def _numbers(dtype: str, seed: int = 0) -> np.ndarray:
    """All numbers of 8 bits, or many of 16, in any order, the extremes among them."""
    bits = 8 * np.dtype(dtype).itemsize
    known = np.array([0, 1, 2, 127, 128, 255, (1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1])
    drawn = np.random.default_rng(seed).permutation(np.concatenate([known, np.arange(1 << bits)]))
    return drawn[:5003].astype(dtype)


def _run(statement: str, out: str, *arrays: np.ndarray, wide: bool | None) -> list[np.ndarray]:
    """The results of a kernel of one statement: of machine code, and of NumPy in its place."""
    count = len(arrays[0])
    lines = [f"in x{n} {x.dtype}[{count}] {x.itemsize}" for n, x in enumerate(arrays)]
    text = "\n".join([f"over {count}", *lines, f"out y {out}[{count}] {np.dtype(out).itemsize}", f"y = {statement}"])
    results = []
    for function in (compile_kernel(text, wide=wide), evaluator(parse(text), text)):
        results.append(np.empty(count, out))
        with np.errstate(all="ignore"):
            assert function(*arrays, results[-1])
    return results


@pytest.mark.parametrize(("wide", "dtype", "function"), chequered(WIDTHS, DTYPES, BINARY))
def test_functions_of_two(function: str, dtype: str, wide: bool) -> None:
    """By arrays and by numbers."""
    x, y = _numbers(dtype, 1), _numbers(dtype, 2)
    if function.endswith("shift"):
        y = (y % 20).astype(dtype)
    out = "bool" if function in COMPARISONS else dtype
    numpy: Any = getattr(np, function)
    with np.errstate(all="ignore"):
        for found in _run(f"{function}(x0, x1)", out, x, y, wide=wide):
            np.testing.assert_array_equal(found, numpy(x, y))
        for number in (1, 3, 7, 100):
            for found in _run(f"{function}(x0, {number})", out, x, wide=wide):
                np.testing.assert_array_equal(found, numpy(x, np.array(number, dtype)))


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_functions_of_one_and_casts(dtype: str, wide: bool) -> None:
    x, mask = _numbers(dtype), _numbers(dtype, 3) > 50
    for function, name in UNARY.items():
        if function != "sign" or not dtype.startswith("u"):
            for found in _run(f"{function}(x0)", dtype, x, wide=wide):
                np.testing.assert_array_equal(found, getattr(np, name)(x))
    for found in _run("select(x0, x1, 7)", dtype, mask, x, wide=wide):
        np.testing.assert_array_equal(found, np.where(mask, x, np.array(7, dtype)))
    for other in (*DTYPES, "int32", "uint32", "float32", "float16", "bool"):
        with np.errstate(all="ignore"):
            for found in _run(f"cast(x0, {other})", other, x, wide=wide):
                np.testing.assert_array_equal(found, x.astype(other))
            y = x.astype(other) if other != "float16" else (x % 100).astype(other)
            y = y * y if other in ("int32", "uint32") else y * np.float32(1.7) - 9 if other == "float32" else y
            for found in _run(f"cast(x0, {dtype})", dtype, y, wide=wide):
                np.testing.assert_array_equal(found, y.astype(dtype))


@pytest.mark.parametrize(
    ("columns", "places", "dtype", "wide"),
    chequered(
        [1, 2, 7, 8, 9, 16, 31, 40],
        [(1, 0), (2, 1), (3, 2), (-1, 127), (-3, 127), (0, 5)],
        DTYPES,
        WIDTHS,
    ),
)
def test_columns_of_any_stride(columns: int, places: tuple[int, int], dtype: str, wide: bool) -> None:
    (step, start), size = places, np.dtype(dtype).itemsize
    text = (
        f"over 2 {columns}\nin x {dtype}[256] {128 * size} {step * size} from {start * size}\n"
        f"out y float32[2,{columns}] {4 * columns} 4\nout z {dtype}[2,{columns}] {columns * size} {size}\n"
        f"out s {dtype}[2] {size} 0\nin t {dtype}[2] {size} 0\n"
        f"c = cast(x, float32)\ny = multiply(c, 0.5)\nz = add(x, t)\ns = multiply(t, t)\n"
    )
    x, t = np.arange(256).astype(dtype), np.array([3, 250]).astype(dtype)
    y, z, s = np.empty((2, columns), np.float32), np.empty((2, columns), dtype), np.empty(2, dtype)
    assert compile_kernel(text, wide=wide)(x, y, z, s, t)
    chosen = x[128 * np.arange(2)[:, None] + start + step * np.arange(columns)]
    np.testing.assert_array_equal(y, chosen * np.float32(0.5))
    np.testing.assert_array_equal(z, chosen + t[:, None])
    np.testing.assert_array_equal(s, t * t)


@pytest.mark.parametrize(
    ("lanes", "stride", "size", "pieces"),
    [(16, 3, 1, 3), (16, -3, 1, 3), (16, 4, 1, 4), (8, 3, 1, 2), (8, 4, 2, 2), (8, -4, 2, 2), (16, 5, 1, 0),
     (16, 4, 2, 0), (8, 2, 1, 0), (8, 3, 2, 0)],
)  # fmt: skip
def test_columns_near_each_other_are_shuffled(lanes: int, stride: int, size: int, pieces: int) -> None:
    """Few pieces of memory, none of which begins before the first element or ends behind the last one."""
    found = near_shuffles(lanes, stride, size)
    assert len(found) == pieces
    memory, begin = np.arange(200, dtype=np.uint8), 100
    result = np.zeros(16, np.uint8)
    for first, order in found:
        taken = np.frombuffer(order, np.uint8)
        result += np.where(taken < 128, memory[begin + first :][taken % 128], 0)
        assert min(0, stride * (lanes - 1)) <= first <= max(0, stride * (lanes - 1)) + size - 16
    if pieces:
        wanted = [begin + stride * lane + byte for lane in range(lanes) for byte in range(size)]
        assert result[: lanes * size].tolist() == wanted


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize(
    "given", ["int32 int8", "int32 uint8", "int32 int16", "int32 bool", "int64 bool", "float32 float16"]
)
@pytest.mark.parametrize(("columns", "apart"), [(2, 2), (7, 3), (8, 2), (16, 5), (37, 3), (50, 4)])
def test_columns_are_written_apart(columns: int, apart: int, given: str, wide: bool) -> None:
    """What lies between them stays."""
    lanes, dtype = given.split()
    size, width = np.dtype(dtype).itemsize, np.dtype(lanes).itemsize
    statement = "greater(x, 3)" if dtype == "bool" else f"cast(x, {dtype})"
    text = (
        f"over 3 {columns}\nin x {lanes}[3,{columns}] {width * columns} {width}\n"
        f"out y {dtype}[3,{columns},{apart}] {size * columns * apart} {size * apart} from {size}\ny = {statement}\n"
    )
    x = np.random.default_rng(columns).integers(-99, 100, (3, columns)).astype(lanes)
    expected = np.ones((3, columns, apart), dtype)
    expected[..., 1] = x > 3 if dtype == "bool" else x.astype(dtype)
    for function in (compile_kernel(text, wide=wide), evaluator(parse(text), text)):
        y = np.ones((3, columns, apart), dtype)
        assert function(x, y)
        np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize(
    "text",
    [
        "over 8\nin x uint8[8] 1\nout y float64[8] 8\ny = cast(x, float64)\n",
        "over 8\nin x uint8[8] 1\nin z int8[8] 1\nout y bool[8] 1\ny = less(x, z)\n",
        "over 8\nin x uint8[8] 1\nin z int32[8] 4\nout y int32[8] 4\ny = add(x, z)\n",
        "over 8\nindex i int32[8] 4\nin x uint8[9] 0 at i 1 9\nout y float32[8] 4\ny = cast(x, float32)\n",
        "over 8\nin x int16[8] 2\nadd y int16[] 0\ny = copy(x)\n",
        "over 8\nin x int16[8] 2\nout y int16[] 0\ny = row_maximum(x)\n",
        "over 8\nin x int16[8] 2\nout y float16[8] 2\ny = bitcast(x, float16)\n",
        "over 8\nin x uint8[8] 1\nout y uint8[8] 1\ny = add(x, 256)\n",
    ],
)
def test_what_is_not_done(text: str) -> None:
    with pytest.raises(Unsupported):
        compile_kernel(text)


def test_pictures_are_normalised_in_one_kernel() -> None:
    pictures = np.random.default_rng(0).integers(0, 256, (2, 9, 8, 3)).astype(np.uint8)

    def normalised(x: Any) -> Any:
        return (x.astype(ms.float32) / 255.0 - Tensor([0.4, 0.5, 0.6])) / Tensor([0.2, 0.3, 0.4])

    _in_one_kernel(normalised, pictures, rtol=1e-6)


def test_pictures_are_blended_in_one_kernel() -> None:
    random = np.random.default_rng(0)
    pictures = random.integers(0, 256, (2, 3, 19, 23)).astype(np.uint8)

    def blended(x: Any) -> Any:
        y = ops.clamp((x[0].astype(ms.int16) - 128) * 3 // 2 + 140, 0, 255).astype(ms.uint8)
        return ops.where(y > x[1], y - x[1], ops.maximum(x[1] * 3, y))

    _in_one_kernel(blended, pictures, rtol=0)


def _in_one_kernel(function: Any, pictures: np.ndarray, rtol: float) -> None:
    compiled = ms.jit(function)
    found = compiled(Tensor(pictures)).asnumpy()
    with ms.disable_jit():
        wanted = function(Tensor(pictures)).asnumpy()
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=rtol)
    names = [node.op.name for node in compiled.stages(Tensor(pictures)).optimized.nodes]
    assert names[-1] == "kernel"
    assert not {"cast", "fused", "maximum"} & set(names)


@pytest.mark.parametrize("dtype", ["float16", "uint8"])
def test_rolls_are_read_by_kernels(dtype: str) -> None:
    """A step of a stencil is one kernel."""
    x = Tensor((9 * np.random.default_rng(0).random((20, 30))).astype(dtype))
    step = ms.jit(lambda u: u * (ops.roll(u, 1, 0) + ops.roll(u, -1, 1) - 2 * u))
    y = x.asnumpy()
    np.testing.assert_array_equal(step(x).asnumpy(), y * (np.roll(y, 1, 0) + np.roll(y, -1, 1) - 2 * y))
    assert step.stages(x).program.count("compile_kernel('") == 1
    assert "roll(" not in step.stages(x).program.partition("def bind")[2]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1001, 3), (2, 40, 9), (33, 100)])
def test_the_greatest_and_the_least_of_short_rows_are_kernels(shape: tuple[int, ...], dtype: str) -> None:
    """Not those of columns, which NumPy compares."""
    x = np.resize(_numbers(dtype), shape)

    def extremes(x: Tensor) -> tuple[Tensor, ...]:
        return ops.amax(x, -1), ops.amin(x, -1) + x[..., 0], x - ops.amax(x, -1, True), ops.amax(x, 0)

    function = ms.jit(extremes)
    high, low = x.max(-1), x.min(-1)
    expected = high, low + x[..., 0], x - high[..., None], x.max(0)
    for found, number in zip(function(Tensor(x)), expected, strict=True):
        np.testing.assert_array_equal(found.asnumpy(), number)
    assert "kernels['min']" not in function.stages(Tensor(x)).program


@pytest.mark.parametrize("shape", [(1001, 3), (70000, 2), (4, 300, 5)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions_along_columns_are_kernels(dtype: str, shape: tuple[int, ...]) -> None:
    """Also of so many large numbers that 32 bits do not hold their sum."""
    x = np.resize(_numbers(dtype), shape)
    limits = np.iinfo(dtype)
    axis = len(shape) - 2

    def reductions(x: Tensor) -> tuple[Tensor, ...]:
        return ops.amax(x, axis), ops.amin(x, axis), x.astype(ms.int64).sum(axis), ops.argmax(x, -1), x.argmin(-1)

    function = ms.jit(reductions)
    for each in (x, np.full(shape, limits.max, dtype), np.full(shape, limits.min, dtype)):
        total = each.sum(axis, dtype=np.int64)
        expected = each.max(axis), each.min(axis), total, each.argmax(-1), each.argmin(-1)
        for found, number in zip(function(Tensor(each)), expected, strict=True):
            np.testing.assert_array_equal(found.asnumpy(), number)
    program = function.stages(Tensor(x)).program
    assert not any(f"kernels['{name}']" in program for name in ("max", "min", "argmax", "argmin", "sum"))


def test_sums_of_large_integers_along_columns_are_kernels() -> None:
    x = np.random.default_rng(0).integers(-(1 << 62), 1 << 62, (1000, 3))
    function = ms.jit(lambda x: x.sum(0))
    np.testing.assert_array_equal(function(Tensor(x)).asnumpy(), x.sum(0))
    assert "compile_kernel" in function.stages(Tensor(x)).program


@pytest.mark.parametrize("columns", [2, 3, 5, 7])
def test_bools_move_along_short_rows_in_kernels(columns: int) -> None:
    """NumPy moves them row by row."""
    x = np.random.default_rng(columns).random((1001, 6, columns)) < 0.5
    for function, expected in (
        (lambda x: ops.cat([x, x], -1), np.concatenate([x, x], -1)),
        (lambda x: ops.stack([x, x], 1), np.stack([x, x], 1)),
        (lambda x: ops.roll(x, 1, -1), np.roll(x, 1, -1)),
        (
            lambda x: ops.cat([x[..., 1:], ops.logical_not(x[..., :1])], -1),
            np.concatenate([x[..., 1:], ~x[..., :1]], -1),
        ),
    ):
        compiled = ms.jit(function)
        np.testing.assert_array_equal(compiled(Tensor(x)).asnumpy(), expected)
        assert "compile_kernel" in compiled.stages(Tensor(x)).program


def test_bools_of_short_rows_are_compared_in_kernels() -> None:
    x = np.random.default_rng(0).random((2001, 5)) < 0.5
    compiled = ms.jit(lambda x: (x == x[:1], ops.logical_xor(x, x[:, 1:2])))
    for found, expected in zip(compiled(Tensor(x)), (x == x[:1], x ^ x[:, 1:2]), strict=True):
        np.testing.assert_array_equal(found.asnumpy(), expected)
    assert "compile_kernel" in compiled.stages(Tensor(x)).program


def test_halves_are_cast_to_and_from_64_bits() -> None:
    """As float32, to the same numbers."""
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    finite = every[np.isfinite(every)]
    rng = np.random.default_rng(0)
    large = np.concatenate([rng.integers(-limit, limit, 3000) for limit in (9, 2100, 70_000, 1 << 40, 1 << 62)])
    with np.errstate(all="ignore"):
        for x, dtype in ((every, ms.float64), (finite, ms.int64), (large, ms.float16), (large / 7, ms.float16)):
            compiled = ms.jit(lambda x, dtype=dtype: x.astype(dtype))
            expected = x.astype(str(dtype).lower())
            np.testing.assert_array_equal(compiled(Tensor(x)).asnumpy(), expected)
            assert "compile_kernel" in compiled.stages(Tensor(x)).program


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize("dtype", [*DTYPES, "float16"])
def test_columns_in_reverse_order(dtype: str, wide: bool) -> None:
    """Whole vectors are turned around; the last columns are read one by one."""
    for count in (5, 16, 33, 100):
        x = np.resize(_numbers("uint8", count).astype(dtype), (3, count))
        size = x.itemsize
        text = (
            f"over 3 {count}\nin x {dtype}[3,{count}] {count * size} {-size} from {(count - 1) * size}\n"
            f"out y {dtype}[3,{count}] {count * size} {size}\ny = x"
        )
        for function in (compile_kernel(text, wide=wide), evaluator(parse(text), text)):
            y = np.empty_like(x)
            assert function(x, y)
            np.testing.assert_array_equal(y, x[:, ::-1])


@pytest.mark.parametrize("dtype", [*DTYPES, "uint32", "float16", "bool"])
def test_triangles_are_kernels(dtype: str) -> None:
    for shape in ((7, 5), (500, 3), (300, 301)):
        x = np.resize(_numbers("uint8") > 90 if dtype == "bool" else _numbers("uint8").astype(dtype), shape)
        compiled = ms.jit(lambda x: (ops.tril(x, 1), ops.triu(x, -2)))
        for found, expected in zip(compiled(Tensor(x)), (np.tril(x, 1), np.triu(x, -2)), strict=True):
            np.testing.assert_array_equal(found.asnumpy(), expected)
        assert "kernels['tri" not in compiled.stages(Tensor(x)).program


NARROW = """
over 5 300
in x uint8[5,300] 300 1
in m bool[300] 0 -1 from 299
out y uint8[5,300] 300 1
a = add(x, 3)
y = select(m, a, x)
"""


@pytest.mark.parametrize(
    ("text", "width"),
    [
        (NARROW, 1),
        (NARROW.replace("uint8", "bool").replace("add(x, 3)", "logical_not(x)"), 1),
        (NARROW.replace("over 5 300", "over 5 40"), 4),  # too short
        (NARROW.replace("x uint8[5,300] 300 1", "x uint8[5,900] 900 3"), 1),
        (NARROW.replace("x uint8[5,300] 300 1", "x uint8[5,1500] 1500 5"), 4),  # too far apart
        (NARROW.replace("add(x, 3)", "floor_divide(x, 3)"), 4),
        (NARROW.replace("add(x, 3)", "left_shift(x, 3)"), 1),
        (NARROW.replace("add(x, 3)", "left_shift(x, x)"), 4),
        (NARROW.replace("a = add(x, 3)", "b = cast(x, int16)\nc = add(b, 300)\na = cast(c, uint8)"), 2),
        (NARROW.replace("a = add(x, 3)", "b = cast(x, int32)\nc = add(b, 3)\na = cast(c, uint8)"), 4),
        (NARROW.replace("uint8[5,300] 300 1", "float16[5,300] 600 2").replace("add(x, 3)", "copy(x)"), 2),
        (NARROW.replace("uint8[5,300] 300 1", "float16[5,300] 600 2"), 4),
    ],
)
def test_the_bytes_of_a_lane(text: str, width: int) -> None:
    kernel = parse(text)
    assert width_of(kernel) == width
    columns = kernel.extents[-1]
    x = np.random.default_rng(1).integers(0, 256, kernel.arrays[0].shape).astype(kernel.arrays[0].dtype)
    results = []
    for function in (compile_kernel(text), compile_kernel(text, wide=False), evaluator(kernel, text)):
        results.append(np.zeros(kernel.arrays[2].shape, x.dtype))
        assert function(x, np.arange(300) % 3 > 0, results[-1])
    for found in results[:2]:
        np.testing.assert_array_equal(found[:, :columns], results[2][:, :columns])


@pytest.mark.parametrize("wide", WIDTHS)
def test_random_kernels_of_narrow_lanes(wide: bool) -> None:
    for seed in range(150):
        drawn = DrawnNarrow(seed)
        found, expected = ([array.copy() for array in drawn.arrays] for _ in range(2))
        assert compile_kernel(drawn.text, wide=wide)(*drawn.arguments(found)), drawn.text
        evaluator(parse(drawn.text), drawn.text)(*drawn.arguments(expected))
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other, drawn.text)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "uint16", "float16"])
def test_flips_and_neighbours_of_narrow_numbers(dtype: str) -> None:
    x = (np.arange(7 * 211) % 251 % 7 - 3).reshape(7, 211).astype(dtype)

    def f(x: Tensor) -> tuple[Tensor, ...]:
        p = ops.pad(x, (1, 2, 1, 0))
        return ops.flip(x, (1,)), ops.roll(x, 3, 1) == x, ops.where(x > 1, p[1:, :-3], p[:-1, 3:])

    for found, wanted in zip(ms.jit(f)(Tensor(x)), f(Tensor(x)), strict=True):
        np.testing.assert_array_equal(found.asnumpy(), wanted.asnumpy())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("wide", WIDTHS)
def test_no_instruction_rotates_narrow_numbers(dtype: str, wide: bool) -> None:
    bits, x = 8 * np.dtype(dtype).itemsize, _numbers(dtype)
    text = (
        f"over {len(x)}\nin x {dtype}[{len(x)}] {x.itemsize}\nout y {dtype}[{len(x)}] {x.itemsize}\n"
        f"a = left_shift(x, 3)\nb = right_shift(x, {bits - 3})\nc = bitwise_and(b, 7)\ny = bitwise_or(a, c)"
    )
    function, y = compile_kernel(text, wide=wide), np.empty_like(x)
    assert type(function).__name__ == "builtin_function_or_method"
    assert function(x, y)
    np.testing.assert_array_equal(y, x << 3 | x >> bits - 3 & 7)


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize(
    ("dtype", "end", "narrow"),
    [
        ("uint8", "e = subtract(c, d)", True),
        ("uint8", "f = multiply(c, 128)\ne = maximum(f, d)", True),  # 32,640 at most
        ("uint8", "f = multiply(c, 129)\ne = maximum(f, d)", False),
        ("uint8", "f = multiply(c, d)\ng = add(f, 128)\ne = right_shift(g, 8)", True),  # a byte of a sum
        ("uint8", "f = multiply(c, d)\ne = right_shift(f, 9)", False),
        ("uint8", "f = multiply(c, d)\ng = right_shift(f, 8)\ne = minimum(g, 200)", False),
        ("int8", "e = multiply(c, d)", True),
        ("uint8", "f = multiply(c, 64)\ng = absolute(subtract_)\ne = add(f, g)", True),
        ("uint8", "e = minimum(c, 40000)", False),
        ("uint8", "e = minimum(c, int32(100))", True),
        ("uint8", "f = less(c, d)\ne = select(f, c, -3)", True),
        ("uint8", "f = less(c, 70000)\ne = select(f, c, d)", False),
        ("int16", "e = right_shift(c, 3)", True),
        ("int16", "f = add(c, 1)\ne = absolute(f)", False),
        ("uint16", "e = bitwise_and(c, 255)", False),
        ("int8", "f = bitwise_and(c, d)\ne = maximum(f, 3)", False),
        ("uint8", "f = bitwise_and(c, d)\ne = maximum(f, 3)", True),
        ("uint8", "f = left_shift(c, 9)\ng = add(f, d)\ne = right_shift(g, 3)", True),
        ("uint8", "e = right_shift(c, 17)", False),
    ],
)
def test_numbers_of_bytes_that_have_room_are_words(dtype: str, end: str, narrow: bool, wide: bool) -> None:
    """Those that may have more than 16 bits are if nobody reads their upper bits."""
    size = np.dtype(dtype).itemsize
    statements = ["c = cast(x, int32)", "d = cast(y, int32)", "subtract_ = subtract(c, d)"]
    arrays = [f"in {name} {dtype}[300] {size}" for name in "xy"]
    if dtype == "int16":
        statements.pop()
    text = "\n".join(["over 300", *arrays, "out z uint8[300] 1", *statements, end, "z = cast(e, uint8)"])
    kernel = parse(text)
    assert (with_words(kernel) is not kernel) == narrow
    x, y = _numbers(dtype, 1), _numbers(dtype, 2)
    for first in range(0, len(x) - 300, 300):
        found, expected = np.empty((2, 300), np.uint8)
        given = x[first : first + 300], y[first : first + 300]
        assert compile_kernel(text, wide=wide)(*given, found)
        assert evaluator(kernel, text)(*given, expected)
        np.testing.assert_array_equal(found, expected)


def test_words_need_long_rows_and_no_longer_arrays() -> None:
    for text in (
        "over 5\nin x uint8[5] 1\nout z uint8[5] 1\na = cast(x, int32)\nz = cast(a, uint8)",
        "over 99\nin x uint8[99] 1\nout a int32[99] 4\na = cast(x, int32)",
        "over 99\nin x int32[99] 4\nout z uint8[99] 1\na = cast(x, int32)\nz = cast(a, uint8)",
        "over 9 99\nin x uint8[9,99] 99 1\nadd s int32[9] 4 0\na = cast(x, int32)\ns = row_add(a)",
    ):
        assert with_words(parse(text)) == parse(text)
