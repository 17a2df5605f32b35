"""Kernels with positions: rows and elements gathered and scattered, in every width, and refused arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from native_fuzz import GuardedMemory
from searches import chequered

from mycel.runtime.kernels.positions import PositionError
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native.arguments import by_copies
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.codegen import compile_kernel, machine_code
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.language import parse, without_names

COMBINED = {"add": np.add, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum}
FIRST = {"add": 0, "multiply": 1, "maximum": -np.inf, "minimum": np.inf}


def both(text: str, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """The results of a kernel in copies of arrays, after a comparison with NumPy."""
    assert str(parse(str(parse(text)))) == str(parse(text))
    found, expected = [array.copy() for array in arrays], [array.copy() for array in arrays]
    assert compile_kernel(text)(*found) is True
    assert evaluator(parse(text), text)(*expected) is True
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, 1e-5, 1e-5)
    return found


@pytest.mark.parametrize("columns", [1, 3, 8, 20])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("positions", ["int32", "int64"])
def test_rows_are_gathered_and_scattered(positions: str, dtype: str, columns: int) -> None:
    rng, size, each = np.random.default_rng(columns), np.dtype(dtype).itemsize, np.dtype(positions).itemsize
    x, w = rng.standard_normal((17, columns)).astype(dtype), rng.standard_normal(33).astype(dtype)
    source, target = (rng.integers(-count, count, 33).astype(positions) for count in (17, 5))
    text = f"""
        over 33 {columns}
        index source {positions}[33] {each} 0
        index target {positions}[33] {each} 0
        in x {dtype}[17,{columns}] 0 {size} at source {columns * size} 17
        in w {dtype}[33] {size} 0
        out y {dtype}[33,{columns}] {columns * size} {size}
        add total {dtype}[5,{columns}] 0 {size} at target {columns * size} 5
        y = multiply(x, w)
        total = y
    """
    *_, y, total = both(text, [source, target, x, w, np.zeros((33, columns), dtype), np.ones((5, columns), dtype)])
    np.testing.assert_array_equal(y, x[source] * w[:, None])
    expected = np.zeros_like(total)
    np.add.at(expected, target, y)
    np.testing.assert_array_equal(total, expected)  # one after the other, so to the last bit


@pytest.mark.parametrize("columns", [1, 4, 9])
@pytest.mark.parametrize("positions", ["int32", "int64"])
def test_columns_of_one_array(positions: str, columns: int) -> None:
    """Columns of rows at two positions; with more arrays than registers for pointers, distances are in bytes."""
    rng, each, count = np.random.default_rng(columns), np.dtype(positions).itemsize, 37
    lines = [f"over {count}", f"index i {positions}[{count},2] {2 * each}", f"index j {positions}[{count}] {each}"]
    for role, letter in (("in", "x"), ("add", "y")):
        for column in range(columns):
            start = f" from {4 * column}" if column else ""
            lines.append(
                f"{role} {letter}{column} float32[5,6,{columns}] 0{start} at i {24 * columns} 5 j {4 * columns} 6"
            )
    text = "\n".join([*lines, *[f"y{column} = multiply(x{column}, 2.0)" for column in range(columns)]])
    i, j = (rng.integers(-size, size, shape).astype(positions) for size, shape in ((5, (count, 2)), (6, count)))
    x, expected = rng.standard_normal((5, 6, columns)).astype(np.float32), np.zeros((5, 6, columns), np.float32)
    np.add.at(expected, (i[:, 0], j), 2 * x[i[:, 0], j])
    for kernel in (compile_kernel(text), evaluator(parse(text), text)):
        y = np.ones_like(x)
        assert kernel(i, j, *[x] * columns, *[y] * columns) is True
        np.testing.assert_array_equal(y, expected)
    if columns > 1:
        with pytest.raises(Unsupported, match=r"only a part of v\d+ is initialised"):
            compile_kernel("\n".join(line for line in text.splitlines() if "y0" not in line))


@pytest.mark.parametrize("role", list(COMBINED))
@pytest.mark.parametrize("columns", [1, 5, 8, 19])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("positions", ["int32", "int64"])
def test_each_column_has_a_position(positions: str, dtype: str, columns: int, role: str) -> None:
    rng, size, each = np.random.default_rng(columns), np.dtype(dtype).itemsize, np.dtype(positions).itemsize
    i = rng.integers(-7, 7, (4, columns)).astype(positions)
    x, v = rng.standard_normal((4, 7)).astype(dtype), rng.standard_normal((4, columns)).astype(dtype)
    rows = np.arange(4)[:, None]
    text = f"""
        over 4 {columns}
        index i {positions}[4,{columns}] {columns * each} {each}
        in x {dtype}[4,7] {7 * size} 0 at i {size} 7
        in v {dtype}[4,{columns}] {columns * size} {size}
        out y {dtype}[4,{columns}] {columns * size} {size}
        {role} by_row {dtype}[4,7] {7 * size} 0 at i {size} 7
        {role} by_column {dtype}[7,{columns}] 0 {size} at i {columns * size} 7
        y = multiply(x, v)
        by_row = y
        by_column = v
    """
    shapes = (4, columns), (4, 7), (7, columns)
    *_, y, by_row, by_column = both(text, [i, x, v, *[np.full(shape, 9, dtype) for shape in shapes]])
    np.testing.assert_array_equal(y, x[rows, i] * v)
    for found, key, value in ((by_row, (rows, i), y), (by_column, (i, np.arange(columns)), v)):
        expected = np.full_like(found, FIRST[role])
        COMBINED[role].at(expected, key, value)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("positions", ["int32", "int64"])
def test_runs_of_equal_positions(positions: str, dtype: str) -> None:
    """Sorted positions: sums are added in the same order, to the last bit."""
    rng, size, each = np.random.default_rng(0), np.dtype(dtype).itemsize, np.dtype(positions).itemsize
    for high in (1, 3, 40):
        i, v = np.sort(rng.integers(-high, high, 203)).astype(positions), rng.standard_normal(203).astype(dtype)
        text = f"""
            over 203
            index i {positions}[203] {each}
            in v {dtype}[203] {size}
            add s {dtype}[40] 0 at i {size} 40
            add ones {dtype}[40] 0 at i {size} 40
            s = v
            ones = 1.0
        """
        *_, s, ones = both(text, [i, v, np.ones(40, dtype), np.ones(40, dtype)])
        expected = np.zeros(40, dtype)
        np.add.at(expected, i, v)
        np.testing.assert_array_equal(s, expected)
        np.testing.assert_array_equal(ones, np.bincount(i % 40, minlength=40))


def test_elements_by_several_positions() -> None:
    rng = np.random.default_rng(0)
    x, i, j = rng.standard_normal((6, 5)), rng.integers(-6, 6, 21), rng.integers(0, 5, 21).astype(np.int32)
    text = """
        over 21
        index i int64[21] 8
        index j int32[21] 4
        in x float64[6,5] 0 at i 40 6 j 8 5
        in z float64[6,5] 0 at i 40 6 j 8 5
        add counts float64[5,6] 0 at j 48 5 i 8 6
        add sums float64[6,5] 0 at i 40 6 j 8 5
        maximum most float64[6,5] 0 at i 40 6 j 8 5
        out last float64[6,5] 0 at i 40 6 j 8 5
        add whole float64[] 0
        counts = 1.0
        t = multiply(x, 2.0)
        sums = t
        most = t
        last = z
        s = row_add(x)
        whole = s
    """
    given = [np.empty((5, 6)), np.empty((6, 5)), np.empty((6, 5)), np.zeros((6, 5)), np.empty(())]
    *_, counts, sums, most, last, whole = both(text, [i, j, x, x + 1, *given])
    times = np.zeros((6, 5))
    np.add.at(times, (i, j), 1)
    np.testing.assert_allclose(sums, 2 * x * times)
    np.testing.assert_array_equal(most, np.where(times, 2 * x, -np.inf))
    np.testing.assert_array_equal(last, np.where(times, x + 1, 0))
    expected = np.zeros((5, 6))
    np.add.at(expected, (j, i), 1)
    np.testing.assert_array_equal(counts, expected)
    np.testing.assert_allclose(whole, x[i, j].sum())


def gather(positions: str = "int32", count: int = 40) -> str:
    each = np.dtype(positions).itemsize
    return f"""
        over {count} 3
        index i {positions}[{count}] {each} 0
        in x float32[7,3] 0 4 at i 12 7
        out y float32[{count},3] 12 4
        y = x
    """


@pytest.mark.parametrize("count", [1, 3, 8, 40, 43])
@pytest.mark.parametrize("positions", ["int32", "int64"])
def test_a_position_outside_is_refused_before_anything_is_written(positions: str, count: int) -> None:
    text = gather(positions, count)
    limits = np.iinfo(positions)
    for wrong in (7, -8, 1000, limits.max, limits.min, limits.min + 7, limits.max - 7):
        for place in {0, count // 2, count - 1}:
            i, x, y = np.zeros(count, positions), np.ones((7, 3), np.float32), np.zeros((count, 3), np.float32)
            i[place] = wrong
            for kernel in (compile_kernel(text), evaluator(parse(text), text)):
                assert kernel(i, x, y) is False
                assert not y.any()
                with pytest.raises(PositionError, match=rf"index {wrong} is out of range for dimension 0, of size 7"):
                    by_copies(kernel, 1, i, x, y)
    for right in (6, -7):
        i[:] = right
        assert compile_kernel(text)(i, x, y) is True


@pytest.mark.parametrize("role", list(COMBINED))
@pytest.mark.parametrize("columns", [1, 5, 8, 35])
@pytest.mark.parametrize("by_row", [False, True])
@pytest.mark.parametrize("positions", ["int32", "int64"])
def test_negative_positions_that_are_the_last_one(positions: str, by_row: bool, columns: int, role: str) -> None:
    rng, each = np.random.default_rng(columns), np.dtype(positions).itemsize
    shape, moves = ((6,), f"{each} 0") if by_row else ((6, columns), f"{each * columns} {each}")
    lowest, limits = -(1 << 31), np.iinfo(positions)
    i = rng.choice([lowest, lowest + 1, -(1 << 20), -10, -9, -2, -1, *range(8)], shape).astype(positions)
    x, v = rng.standard_normal(9).astype(np.float32), rng.standard_normal((6, columns)).astype(np.float32)
    text = f"""
        over 6 {columns}
        index i {positions}[{",".join(map(str, shape))}] {moves}
        in x float32[9] 0 0 at i 4 9-
        in v float32[6,{columns}] {4 * columns} 4
        out y float32[6,{columns}] {4 * columns} 4
        {role} total float32[9,{columns}] 0 4 at i {4 * columns} 9-
        y = add(x, v)
        total = v
    """
    *_, y, total = both(text, [i, x, v, np.zeros_like(v), np.zeros((9, columns), np.float32)])
    places = np.broadcast_to(np.where(i < 0, 8, i).reshape(6, -1), (6, columns))
    np.testing.assert_array_equal(y, x[places] + v)
    expected = np.full_like(total, FIRST[role])
    COMBINED[role].at(expected, (places, np.arange(columns)), v)
    np.testing.assert_allclose(total, expected, 1e-6)
    for wrong in {8, 9, limits.max, *([limits.min, lowest - 1] if each == 8 else [])}:
        i.reshape(-1)[-1] = wrong
        for kernel in (compile_kernel(text), evaluator(parse(text), text)):
            y[:] = 0
            assert kernel(i, x, v, y, total) is False
            assert not y.any()
            with pytest.raises(PositionError, match=f"index {wrong} is out of range: it should be below 8"):
                by_copies(kernel, 2, i, x, v, y, total)
    with pytest.raises(Unsupported, match="two meanings"):
        compile_kernel(text.replace("9-\n        in v", "9\n        in v"))


@pytest.mark.parametrize("count", [3, 40])
@pytest.mark.parametrize("positions", ["int32", "int64"])
def test_there_may_be_no_position_but_negative_ones(positions: str, count: int) -> None:
    i, x = np.full(count, -2, positions), np.array([7], np.float32)
    text = f"""
        over {count}
        index i {positions}[{count}] {i.itemsize}
        in x float32[1] 0 at i 4 1-
        out y float32[{count}] 4
        y = x
    """
    assert (both(text, [i, x, np.zeros(count, np.float32)])[-1] == 7).all()
    i[count // 2] = 0
    assert compile_kernel(text)(i, x, np.zeros(count, np.float32)) is False


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
@pytest.mark.parametrize("number", [1_000_000_000, -1_000_000_000])
@pytest.mark.parametrize("each", [0, 4])
def test_a_position_that_changes_later_reaches_nothing_outside(each: int, number: int) -> None:
    """An output over the positions stands for another thread: each row but the first finds a large number there."""
    text = f"""
        over 5 16
        index i int32[5,16] 64 {each}
        in x int32[7] 0 0 at i 4 7
        in v int32[] 0 0
        out y int32[5,16] 64 4
        add s int32[22] 0 {4 - each} at i 4 7
        y = v
        s = add(x, 1)
    """
    memory = np.full((6, 16), 2, np.int32)
    total = np.zeros(22, np.int32)
    given = memory[:5], np.arange(10, 17, dtype=np.int32), np.array(number, np.int32), memory[1:], total
    assert compile_kernel(text)(*given) is True
    assert (memory[1:] == number).all()
    assert total.sum() == 16 * 13 + 4 * 16 * 17  # the third element once, then the last


def test_what_is_no_kernel() -> None:
    text = gather()
    machine_code(str(without_names(parse(text))))
    for before, after in (
        ("at i 12 7", "at j 12 7"), ("at i 12 7", "at i 12 8"), ("at i 12 7", "at i 24 7"), ("at i 12 7", "at i 13 7"),
        ("at i 12 7", "at i -12 7"), ("at i 12 7", "at i 12 0"), ("at i 12 7", "at x 12 7"), ("0 4 at", "4 4 at"),
        ("index i int32", "index i float32"), ("index i int32[40] 4 0", "index i int32[40] 4 4"),
        ("index i int32[40] 4 0", "index i int32[40] 8 0"), ("y = x", "y = i"), ("in x float32", "in x bool"),
        ("out y float32[40,3] 12 4", "out y float32[40,3] 12 4 at i 12 7"),

    ):  # fmt: skip
        assert before in text
        with pytest.raises(Unsupported):
            compile_kernel(text.replace(before, after))


@pytest.mark.parametrize("positions", ["int32", "int64"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_values_are_written_at_positions(dtype: str, positions: str) -> None:
    """The last of several values stays, and so does what no position names; threads do not share this."""
    rng, size, each = np.random.default_rng(0), np.dtype(dtype).itemsize, np.dtype(positions).itemsize
    i, j = rng.integers(-9, 9, 30).astype(positions), rng.integers(-50, 50, (30, 11)).astype(positions)
    v = (rng.standard_normal((30, 11)) * 9).astype(dtype)
    text = f"""
        over 30 11
        index i {positions}[30] {each} 0
        index j {positions}[30,11] {11 * each} {each}
        in v {dtype}[30,11] {11 * size} {size}
        out rows {dtype}[9,11] 0 {size} at i {11 * size} 9
        out elements {dtype}[50] 0 0 at j {size} 50
        rows = v
        elements = v
    """
    *_, rows, elements = both(text, [i, j, v, np.full((9, 11), 7, dtype), np.full(50, 7, dtype)])
    expected, single = np.full((9, 11), 7, dtype), np.full(50, 7, dtype)
    for number in range(30):
        expected[i[number]] = v[number]
        for column in range(11):
            single[j[number, column]] = v[number, column]
    np.testing.assert_array_equal(rows, expected)
    np.testing.assert_array_equal(elements, single)
    with pytest.raises(Unsupported):
        compile_kernel(f"shared 2\n{text.strip()}")


def test_arrays_of_any_kind_are_copied_for_it() -> None:
    rng: Any = np.random.default_rng(0)
    kernel = compile_kernel(gather())
    i, x = rng.integers(-7, 7, 80).astype(np.int32)[::2], np.asfortranarray(rng.standard_normal((7, 3)), np.float32)
    y = np.zeros((40, 6), np.float32)[:, ::2]
    assert kernel(i, x, y) is False
    by_copies(kernel, 1, i, x, y)
    np.testing.assert_array_equal(y, x[i])


COMPUTED = """
over 5 1
in i int32[5] 4 0
state x float32[4] 0 0 at p 4 4
out y float32[4] 0 0 at p 4 4
p = add(i, 1)
z = add(x, 1.0)
y = z
"""


@pytest.mark.parametrize("make", [compile_kernel, lambda text: evaluator(parse(text), text)], ids=["code", "numpy"])
@pytest.mark.parametrize("wrong", [3, -6])
@pytest.mark.parametrize("head", ["", "flush"])
def test_computed_positions(make: Any, wrong: int, head: str) -> None:
    x, i = np.zeros(4, np.float32), np.array([0, 2, -2, 0, -5], np.int32)
    assert make(head + COMPUTED)(i, x, x) is True
    np.testing.assert_array_equal(x, [1, 2, 0, 2])
    i[2] = wrong
    with pytest.raises(PositionError, match=f"index {wrong + 1} is out of range for dimension 0, of size 4") as raised:
        make(head + COMPUTED)(i, x, x)
    assert np.float32(1e-20) * np.float32(1e-20) > 0  # behind an error, too, NumPy keeps denormals
    assert raised.value.names is not None
    np.testing.assert_array_equal(x, [1, 3, 0, 3])  # up to the iteration that fails


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("p = add(i, 1)\nz = add(x, 1.0)", "z = add(x, 1.0)\np = add(i, 1)"),
        ("p = add(i, 1)", "p = cast(i, float32)"),
        ("5 1", "5 2"),
        ("at p 4 4", "at p 4 4-"),
        ("at p 4 4", "at p 4 5"),
        ("at p 4 4", "at p 4 4 i 0 2 q 4 1"),
        ("add(x, 1.0)", "row_add(x)"),
        ("out y", "add y"),
        ("over", "shared 5\nover"),
        ("state x float32[4] 0 0 at p 4 4", "state x float32[4] 0 0 at x 4 4"),
    ],
)
def test_computed_positions_of_another_form_are_refused(old: str, new: str) -> None:
    assert old in COMPUTED
    with pytest.raises(Unsupported):
        compile_kernel(COMPUTED.replace(old, new))


@pytest.mark.parametrize(
    ("weight", "shape", "bits", "given"),
    chequered(["1", "w", "p"], [(1, 2), (3, 7), (2, 8), (5, 40), (3, 1000)], [32, 64], [False, True]),
)
def test_sums_at_positions_that_are_computed_for_each_column(
    given: bool, bits: int, shape: tuple[int, int], weight: str
) -> None:
    """Also where the positions are an output, and other values go to other columns."""
    rows, columns = shape
    size, number, whole = bits // 8, f"float{bits}", f"int{bits}"
    text = f"""
over {rows} {columns}
in x {number}[{rows},{columns}] {columns * size} {size}
in w {number}[{rows}] {size} 0
{f"out p {whole}[{rows},{columns}] {columns * size} {size}" if given else ""}
add h {whole if weight == "p" else number}[6] 0 0 at {"p" if given else "q"} {size} 6
out y {number}[{rows},{columns}] {columns * size} {size}
f = multiply(x, 4.0)
q = cast(f, {whole})
{"p = q" if given or weight == "p" else ""}
y = exp(f)
h = {f"{number}(1.0)" if weight == "1" else weight}
"""
    rng = np.random.default_rng(columns)
    x, w = np.dtype(number).type(rng.uniform(-1.49, 1.49, shape)), np.dtype(number).type(rng.normal(size=rows))
    target = np.zeros(6, whole if weight == "p" else number)
    places = [np.zeros(shape, whole)] if given else []
    *_, found, y = both(text, [x, w, *places, target, np.zeros_like(x)])
    at = (x * x.dtype.type(4)).astype(whole)
    wanted = np.zeros_like(target)
    np.add.at(wanted, at, {"1": 1, "w": w[:, None], "p": at}[weight])
    np.testing.assert_allclose(found, wanted, 1e-5, 1e-5)
    np.testing.assert_allclose(y, np.exp(x * x.dtype.type(4)), 1e-5)
    for wrong in (6, -7):
        x[-1, -1] = wrong / 4
        for make in (compile_kernel, lambda text: evaluator(parse(text), text)):
            with pytest.raises(PositionError, match=f"index {wrong} is out of range"):
                make(text)(x, w, *places, target, y)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("over", "shared 2\nover"),
        ("[6] 0 0 at q 4 6", "[6] 0 4 at q 4 2"),
        ("at q 4 6", "at q 4 6-"),
        ("add h", "maximum h"),
        ("y = q", "s = row_add(x)\ny = q"),
    ],
)
def test_such_sums_of_another_form_are_refused(old: str, new: str) -> None:
    text = """over 2 8
in x int32[2,8] 32 4
in w int32[2] 4 0
add h int32[6] 0 0 at q 4 6
out y int32[2,8] 32 4
q = add(x, 1)
y = q
h = w"""
    compile_kernel(text)
    assert old in text
    with pytest.raises(Unsupported):
        compile_kernel(text.replace(old, new))


@pytest.mark.skipif(unavailable() is not None, reason="there is no machine code")
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("columns", [2, 3, 4, 5, 7])
def test_whole_rows_at_positions_reach_nothing_beside_them(columns: int, dtype: str) -> None:
    """Columns that are computed alike, and those that change places; the array begins or ends at protected memory."""
    width, memory, draw = np.dtype(dtype).itemsize, GuardedMemory(4, 64), np.random.default_rng(columns)
    lines = ["over 45", "index i int32[45] 4"]
    for role, name, shape, step, end in (("in", "x", 6, 0, f"at i {width * columns} 6"), ("out", "y", 45, 1, "")):
        for column in range(columns):
            same = f"is {name}0 from {column * width}" if column else ""
            lines.append(f"{role} {name}{column} {dtype}[{shape},{columns}] {step * width * columns} {same} {end}")
    for turn, at_end in ((0, True), (0, False), (1, True), (1, False)):
        memory.turn()
        text = "\n".join([*lines, *[f"y{each} = add(x{(each + turn) % columns}, 2.0)" for each in range(columns)]])
        x = memory.copy((100 * draw.random((6, columns))).astype(dtype), at_end)
        i = draw.integers(-6, 6, 45).astype(np.int32)
        text = text if dtype != "int32" else text.replace("2.0", "2")
        for kernel in (compile_kernel(text), evaluator(parse(text), text)):
            y = np.zeros((45, columns), dtype)
            assert kernel(i, *[x] * columns, *[y] * columns)
            assert np.array_equal(y, np.roll(x[i], -turn, 1) + y.dtype.type(2))
