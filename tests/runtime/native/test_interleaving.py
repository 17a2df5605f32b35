"""Columns of short rows that kernels read and write as whole vectors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from drawn_rows import DrawnRows
from native_fuzz import GuardedMemory
from searches import chequered

from mycel.runtime.machine.executable import Function, permutes_bytes, unavailable
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.check import check
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.language import parse
from mycel.runtime.native.stages import width_of

MAKERS: tuple[Callable[[str], Function], ...] = (
    lambda text: compile_kernel(text, wide=True),
    lambda text: compile_kernel(text, wide=False),
    lambda text: evaluator(parse(text), text),
)


def turning(rows: int, columns: int, dtype: str, outer: int = 1) -> str:
    """A kernel that moves the columns of rows by one, and adds a number to each row."""
    width = np.dtype(dtype).itemsize
    step, loops = columns * width, (f"{rows * columns * width} ",) if outer > 1 else ("",)
    shape = f"{dtype}[{outer * rows},{columns}]"
    lines = [f"over {outer} {rows}" if outer > 1 else f"over {rows}"]
    for role, name in (("in", "x"), ("out", "y")):
        for column in range(columns):
            same = f" is {name}0 from {column * width}" if column else ""
            lines.append(f"{role} {name}{column} {shape} {loops[0]}{step}{same}")
    number = f"{rows * width} " if outer > 1 else ""
    lines.insert(1, f"in a {dtype}[{outer * rows}] {number}{width}")
    lines += [f"y{column} = add(x{(column + 1) % columns}, a)" for column in range(columns)]
    return "\n".join(lines)


@pytest.mark.skipif(unavailable() is not None, reason="there is no machine code")
@pytest.mark.parametrize(
    ("dtype", "columns"),
    chequered(["float32", "float64", "int32", "uint8", "int16", "float16"], [2, 3, 4, 5, 6, 7, 9, 11, 16]),
)
def test_columns_are_exchanged_between_registers(columns: int, dtype: str) -> None:
    draw = np.random.default_rng(columns)
    for rows, outer in ((1, 1), (16, 1), (37, 1), (21, 3)):
        x = (100 * draw.random((outer * rows, columns))).astype(dtype)
        a = (100 * draw.random(outer * rows)).astype(dtype)
        text = turning(rows, columns, dtype, outer)
        for make in MAKERS:
            y = np.zeros_like(x)
            assert make(text)(a, *[x] * columns, *[y] * columns)
            assert np.array_equal(y, np.roll(x, -1, 1) + a[:, None])


@pytest.mark.skipif(not permutes_bytes(), reason="bytes stay in their part of a vector")
@pytest.mark.parametrize("channels", [3, 4])
def test_bytes_of_pixels_run_in_lanes_of_bytes(channels: int) -> None:
    """Mirrored pixels, whose channels change places, and one channel that is written alone."""
    x = np.random.default_rng(0).integers(0, 256, (5, 100, channels)).astype(np.uint8)
    step, row = channels, 100 * channels
    shape = f"uint8[5,100,{channels}]"
    lines = ["over 5 100"]
    for role, name, move, first in (("in", "x", -step, row - step), ("out", "y", step, 0)):
        for channel in range(channels):
            same = f" is {name}0" if channel else ""
            lines.append(f"{role} {name}{channel} {shape} {row} {move}{same} from {first + channel}")
    lines += [f"out z {shape} {row} {step} from 1"]
    lines += [f"y{channel} = x{channels - 1 - channel}" for channel in range(channels)]
    text = "\n".join([*lines, "z = add(x0, x1)"])
    assert width_of(parse(text)) == 1
    for make in MAKERS:
        y, z = np.zeros_like(x), np.zeros_like(x)
        assert make(text)(*[x] * channels, *[y] * channels, z)
        np.testing.assert_array_equal(y, x[:, ::-1, ::-1])
        np.testing.assert_array_equal(z[..., 1], x[:, ::-1, 0] + x[:, ::-1, 1])
        z[..., 1] = 0
        assert not z.any()


@pytest.mark.skipif(unavailable() is not None, reason="there is no machine code")
def test_columns_are_those_of_one_array() -> None:
    function, x = compile_kernel(turning(40, 3, "float32")), np.ones((40, 3), "float32")
    a, y = np.ones(40, "float32"), np.zeros((40, 3), "float32")
    assert not function(a, x, x, x.copy(), y, y, y)
    assert not function(a, x, x, x, y, y.copy(), y)
    assert not y.any()


@pytest.mark.parametrize("same", ["y0", "x2", "none", "a"])
def test_an_array_is_one_of_its_kind_before(same: str) -> None:
    text = turning(40, 3, "float32").replace("is x0 from 4", f"is {same} from 4")
    with pytest.raises(Unsupported, match="another array"):
        check(parse(text))


@pytest.mark.skipif(unavailable() is not None, reason="there is no machine code")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("columns", [2, 3, 4, 6, 7, 8])
def test_rows_whose_columns_are_computed_alike_stay_vectors(columns: int, dtype: str) -> None:
    """Some are read again by column: the sums of the rows; and one number differs in the last kernel."""
    width, draw = np.dtype(dtype).itemsize, np.random.default_rng(columns)
    x, a = draw.random((45, columns)).astype(dtype), draw.random(45).astype(dtype)
    lines = ["over 45", f"in a {dtype}[45] {width}", f"in b {dtype}[] 0"]
    for role, name in (("in", "x"), ("out", "y")):
        for column in range(columns):
            same = f" is {name}0 from {column * width}" if column else ""
            lines.append(f"{role} {name}{column} {dtype}[45,{columns}] {columns * width}{same}")
    for column in range(columns):
        lines += [f"s{column} = subtract(x{column}, a)", f"e{column} = exp(s{column})"]
        lines.append(f"t{column} = add({f't{column - 1}' if column else 0.0}, s{column})")
    for number, last in ((2.0, 2.0), (2.0, 4.0), (0.0, -0.0)):
        ends = [last if column == columns - 1 else number for column in range(columns)]
        ends_text = [f"z{column} = multiply(e{column}, b)" for column in range(columns)]
        ends_text += [f"n{column} = maximum(z{column}, t{columns - 1})" for column in range(columns)]
        ends_text += [f"y{column} = divide(n{column}, {end!r})" for column, end in enumerate(ends)]
        text = "\n".join([*lines, *ends_text])
        s, b = x - a[:, None], np.array(2.5, dtype)
        with np.errstate(divide="ignore"):
            want = np.maximum(np.exp(s) * b, s.sum(1, keepdims=True)) / np.array(ends, dtype)
        for make in MAKERS:
            y = np.zeros_like(x)
            assert make(text)(a, b, *[x] * columns, *[y] * columns)
            assert np.allclose(y, want, 1e-5)


@pytest.mark.skipif(unavailable() is not None, reason="there is no machine code")
@pytest.mark.parametrize("columns", [2, 3, 4, 5, 8])
def test_sums_of_rows_and_what_is_computed_with_them(columns: int) -> None:
    draw = np.random.default_rng(columns)
    x = draw.random((53, columns)).astype("float32")
    size = 4 * columns
    same = [f" is {{}}0 from {4 * column}" if column else "" for column in range(columns)]
    lines = ["over 53"]
    lines += [f"in x{c} float32[53,{columns}] {size}{same[c].format('x')}" for c in range(columns)]
    lines += [f"out y{c} float32[53,{columns}] {size}{same[c].format('y')}" for c in range(columns)]
    lines += [f"e{c} = exp(x{c})" for c in range(columns)]
    lines += ["s0 = e0", *[f"s{c} = add(s{c - 1}, e{c})" for c in range(1, columns)]]
    lines += [f"d{c} = subtract(x{c}, s{columns - 1})" for c in range(columns)]
    lines += [f"y{c} = multiply(d{c}, e{c})" for c in range(columns)]
    e = np.exp(x.astype("float64"))
    want = (x - e.sum(1, keepdims=True)) * e
    for make in MAKERS:
        y = np.zeros_like(x)
        assert make("\n".join(lines))(*[x] * columns, *[y] * columns)
        assert np.allclose(y, want, 1e-5)


@pytest.mark.skipif(unavailable() is not None, reason="there is no machine code")
def test_columns_that_are_also_added_up_or_read_by_others() -> None:
    """Sums over all rows, and an output that another one reads."""
    x = np.random.default_rng(3).random((50, 2)).astype("float32")
    lines = ["over 50", "in x0 float32[50,2] 8", "in x1 float32[50,2] 8 is x0 from 4", "in a float32[50] 4"]
    for name in "yz":
        lines += [f"out {name}0 float32[50,2] 8", f"out {name}1 float32[50,2] 8 is {name}0 from 4"]
    lines += ["out t float32[] 0", "y0 = add(x0, a)", "y1 = add(x1, a)", "t = row_add(y1)"]
    lines += ["z0 = multiply(y1, y1)", "z1 = multiply(y0, 2.0)"]
    a = x[:, 0].copy()
    for make in MAKERS:
        y, z, t = np.zeros_like(x), np.zeros_like(x), np.zeros((), "float32")
        assert make("\n".join(lines))(x, x, a, y, y, z, z, t)
        want = x + a[:, None]
        assert np.array_equal(y, want)
        assert np.allclose(t, want[:, 1].sum())
        assert np.array_equal(z, np.stack([want[:, 1] ** 2, want[:, 0] * 2], 1))


@pytest.mark.skipif(unavailable() is not None, reason="there is no machine code")
@pytest.mark.parametrize("seeds", [range(24), pytest.param(range(24, 120), marks=pytest.mark.slow)])
def test_random_rows(seeds: range) -> None:
    memory = GuardedMemory(40, 64)
    for seed in seeds:
        memory.turn()
        DrawnRows(seed, lambda array, seed=seed: memory.copy(array, seed % 4 > 0)).check()  # type: ignore[misc]


def test_an_output_in_the_memory_of_an_input_that_another_output_reads() -> None:
    """Columns that are computed alike are read before any output is written."""
    columns = ("", "_1", "_2")
    arrays = [("in", name) for name in "abce"] + [("out", name) for name in "uv"]
    lines = ["over 1003"]
    for role, name in arrays:
        for number, column in enumerate(columns):
            place = f" is {name} from {8 * number}" if number else ""
            lines.append(f"{role} {name}{column} float64[1003,3] 24{place}")
    for column in columns:
        lines += [
            f"t{column} = add(a{column}, b{column})",
            f"u{column} = add(c{column}, e{column})",
            f"v{column} = add(t{column}, u{column})",
        ]
    a, b, c, e = np.random.default_rng(0).standard_normal((4, 1003, 3))
    u, v = c + e, a + b + (c + e)
    for make in MAKERS[:2]:
        given = [x.copy() for x in (a, b, c, e)]
        out = np.empty_like(v)
        assert make("\n".join(lines))(*[x for x in (*given, given[0], out) for _ in columns])
        np.testing.assert_array_equal(given[0], u)
        np.testing.assert_array_equal(out, v)


PAIRS = """over {0}
in b complex{1}[{0}] {2}
in x complex{1}[{0}] {2} from {3}
in r float{3}[{0}] {3}
in z complex{1}[{0}] {2} is x from 0
out y complex{1}[{0}] {2}
out v complex{1}[{0}] {2} is y from {3}
s = multiply(x, r)
t = multiply(z, b)
y = subtract(s, t)
v = add(s, t)
"""


@pytest.mark.parametrize("size", [1, 3, 8, 21, 64, 2100])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_parts_of_complex_numbers_are_columns(dtype: str, size: int) -> None:
    width = np.dtype(dtype).itemsize
    text = PAIRS.format(size, width * 8, width, width // 2).replace(f"float{width // 2}", f"float{width * 4}")
    assert str(parse(str(parse(text)))) == str(parse(text))
    draw = np.random.default_rng(size)
    b, x = (draw.normal(size=(2, size)) + 1j * draw.normal(size=(2, size))).astype(dtype)
    r = draw.normal(size=size).astype(x.real.dtype)
    s, t = x.imag * r, x.real * b.real
    for make in MAKERS:
        y = np.zeros_like(x)
        function = make(text)
        assert not function(b, x, r, x, y.view(r.dtype), y.view(r.dtype))
        assert function(b, x, r, x, y, y)
        assert np.allclose(y, s - t + 1j * (s + t))
