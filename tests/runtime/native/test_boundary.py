"""Everything that reaches a kernel from outside is checked first: arguments, texts, pieces; and refusals of the
system."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hostile_arrays import wrong_for

from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native import codegen
from mycel.runtime.native.arguments import by_copies
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.check import check
from mycel.runtime.native.codegen import compile_kernel, machine_code
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.language import parse

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

MIXED = """
over 3 5
in x float32[3,5] 20 4
in m bool[5] 0 1
in n int32[3,1] 4 0
out y float32[3,5] 20 4
out k bool[3,5] 5 1
add s float32[5] 0 4
f = cast(n, float32)
z = multiply(x, f)
y = select(m, z, x)
k = greater(y, 0.0)
s = y
"""


def arrays_of(text: str) -> list[np.ndarray]:
    """Arrays as a kernel's text says."""
    return [np.full(array.shape, 3, array.dtype) for array in parse(text).arrays]


def test_a_name_that_nothing_has_is_no_number_of_another() -> None:
    """Names become numbers before kernels are compared: v0, v1, …"""
    text = "over 4\nin a float32[4] 4\nin b float32[4] 4\nout y float32[4] 4\ny = add(a, v1)"
    with pytest.raises(Unsupported, match="reads v1"):
        compile_kernel(text)
    gathered = "over 4\nindex i int32[4] 4\nin x float32[4] 0 at v0 4 4\nout y float32[4] 4\ny = x"
    with pytest.raises(Unsupported, match="is at v0"):
        compile_kernel(gathered)


@pytest.mark.parametrize("make", [compile_kernel, lambda text: evaluator(parse(text), text)], ids=["code", "numpy"])
def test_arguments_other_than_declared_are_refused_and_nothing_is_written(make: Callable[[str], Any]) -> None:
    kernel, count = make(MIXED), 0
    declared = parse(MIXED).arrays
    for position, array in enumerate(declared):
        for what, wrong in wrong_for(arrays_of(MIXED)[position], array.role not in ("in", "state")).items():
            given: list[Any] = arrays_of(MIXED)
            given[position] = wrong
            before = pickle.dumps(given)
            assert kernel(*given) is False, (array.name, what)
            assert pickle.dumps(given) == before, (array.name, what)
            count += 1
    assert count >= 90
    given = arrays_of(MIXED)
    assert kernel() is False
    assert kernel(*given[:-1]) is False
    assert kernel(*given, given[0]) is False
    assert kernel(*given) is True
    assert (given[5] == 15 * 3).all() or (given[5] == 3 * 9).all()


def test_copies_are_made_for_equal_dtypes_and_all_else_is_an_error() -> None:
    text = "over 4\nin x float32[4] 4\nout y float32[4] 4\ny = add(x, x)"
    kernel, y = compile_kernel(text), np.zeros(4, np.float32)
    x = np.arange(4, dtype=np.float32)
    for given in (pickle.loads(pickle.dumps(x)), x.astype(">f4"), x.view(np.dtype("f4", metadata={"a": 1}))):
        assert given.dtype is not x.dtype
        y[:] = 0
        by_copies(kernel, 1, given, y)
        np.testing.assert_array_equal(y, 2 * x)
        turned = np.zeros(4, given.dtype)
        by_copies(kernel, 1, x, turned)
        np.testing.assert_array_equal(turned, 2 * x)
    longs = np.arange(4, dtype=np.longlong)
    assert longs.dtype is not np.dtype(np.int64)
    out = np.zeros(4, np.int64)
    by_copies(compile_kernel("over 4\nin x int64[4] 8\nout y int64[4] 8\ny = add(x, x)"), 1, longs, out)
    np.testing.assert_array_equal(out, 2 * longs)
    y[:] = 7
    for wrong in (x[:3], np.zeros((2, 2), np.float32), x.astype(np.float64), x.astype(np.int32), x > 0):
        with pytest.raises(TypeError, match=r"x, is to be float32\[4\], but is"):
            by_copies(kernel, 1, wrong, y)
        with pytest.raises(TypeError, match=r"y, is to be float32\[4\], but is"):
            by_copies(kernel, 1, x, wrong.copy())
    assert (y == 7).all()


@pytest.mark.parametrize("switch", ["machine code", "numpy"])
def test_kernels_of_programs_make_copies_themselves(switch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if switch == "numpy":
        monkeypatch.setattr(codegen, "unavailable", lambda: "switched off")
    text = "over 4\nin x float32[4] 4\nout y float32[4] 4\ny = add(x, x)"
    kernel, y, x = codegen.complete_kernel(text), np.zeros(4, np.float32), np.arange(8, dtype=np.float32)
    refused = sys.getrefcount(False)
    for part in (x[:4], x[::2], x[::-2], x[:4].astype(">f4"), x[7:3:-1]):
        y[:] = 7
        assert kernel(part, y) is not False
        np.testing.assert_array_equal(y, 2 * part)
        kernel(part, x[1::2])
        np.testing.assert_array_equal(x[1::2], y)
        x[:] = np.arange(8)
    for _ in range(100):
        kernel(x[::2], y)
    assert abs(sys.getrefcount(False) - refused) < 50
    y[:] = 7
    for given, error in (
        ((x, y), r"x, is to be float32\[4\], but is float32\[8\]"),
        ((x[:4], x[:4].astype(np.float64)), r"y, is to be float32\[4\], but is float64"),
        ((x[:4],), "takes 2 arrays, but was given 1"),
        ((), "takes 2 arrays, but was given 0"),
    ):
        with pytest.raises(TypeError, match=error):
            kernel(*given)
    locked = np.zeros(4, np.float32)
    locked.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        kernel(x[:4], locked)
    assert (y == 7).all()
    assert not locked.any()
    alone = codegen.refusing_kernel(kernel)
    assert alone(x[::2], y) is False
    assert (y == 7).all()
    assert alone(x[:4], y) is True
    del kernel  # the function alone keeps the code
    assert alone(x[:4], y) is True
    assert (y == 2 * x[:4]).all()


COLUMNS = "shared 2\nover 99\nin x float32[99] 4\nout y float32[99] 4\ny = x"
SHARED = "shared 3\nover 5 5\nin x float32[5,5] 20 4\nout y float32[5,5] 20 4\nadd s float32[3,5] 0 4\ny = x\ns = x"


@pytest.mark.parametrize("make", [compile_kernel, lambda text: evaluator(parse(text), text)], ids=["code", "numpy"])
def test_pieces_of_shared_kernels(make: Callable[[str], Any]) -> None:
    """The last one may be shorter; each has sums of its own. Numbers of pieces that do not come out are refused."""
    x, y, s = arrays_of(SHARED)
    x[:] = np.arange(25).reshape(5, 5)
    assert make(SHARED)(x, y, s) is True
    np.testing.assert_array_equal(y, x)
    np.testing.assert_array_equal(s, [x[:2].sum(0), x[2:4].sum(0), x[4]])
    for pieces in (4, 6, -1, 1 << 40):
        text = SHARED.replace("shared 3", f"shared {pieces}")
        with pytest.raises((Unsupported, ValueError)):
            make(text)
    with pytest.raises(TypeError, match=r"x, is to be float32\[5,5\], but is float32\[5,4\]"):
        by_copies(make(SHARED), 2, x[:, :4].copy(), y, s)


GOOD = "over 3 4\nin x float32[3,4] 16 4\nout y float32[3,4] 16 4\ny = add(x, 1.0)"
BAD_TEXTS = {
    "an extent of 0": GOOD.replace("over 3 4", "over 0 4"),
    "a negative extent": GOOD.replace("over 3 4", "over 3 -4"),
    "no loops": GOOD.replace("over 3 4\n", ""),
    "endless loops": GOOD.replace("over 3 4", f"over {1 << 40} {1 << 40}"),
    "too many rows": GOOD.replace("over 3 4", "over 4 4"),
    "too many columns": GOOD.replace("over 3 4", "over 3 5"),
    "an input that is too small": GOOD.replace("in x float32[3,4]", "in x float32[3,3]"),
    "an output that is too small": GOOD.replace("out y float32[3,4]", "out y float32[2,4]"),
    "a stride too large": GOOD.replace("x float32[3,4] 16 4", "x float32[3,4] 20 4"),
    "a stride below the start": GOOD.replace("x float32[3,4] 16 4", "x float32[3,4] -16 4"),
    "an offset too large": GOOD.replace("x float32[3,4] 16 4", "x float32[3,4] 16 4 from 4"),
    "a negative offset": GOOD.replace("x float32[3,4] 16 4", "x float32[3,4] 16 4 from -4"),
    "an offset of the output": GOOD.replace("y float32[3,4] 16 4", "y float32[3,4] 16 4 from 16"),
    "backwards beyond the start": GOOD.replace("x float32[3,4] 16 4", "x float32[3,4] -16 4 from 28"),
    "parts of elements": GOOD.replace("x float32[3,4] 16 4", "x float32[4,4] 18 4"),
    "a stride less": GOOD.replace("x float32[3,4] 16 4", "x float32[3,4] 16"),
    "a stride more": GOOD.replace("x float32[3,4] 16 4", "x float32[3,4] 16 4 4"),
    "an empty array": GOOD.replace("x float32[3,4]", "x float32[0,4]"),
    "a huge array": GOOD.replace("x float32[3,4]", f"x float32[{1 << 62}]"),
    "a shape that overflows": GOOD.replace("x float32[3,4]", f"x float32[{1 << 32},{1 << 32}]"),
    "columns far apart": f"over 2 9\nin x float32[2,{9 << 28}] 4 {1 << 30}\nout y float32[2,9] 36 4\ny = x",
    "a name twice": GOOD.replace("in x float32[3,4] 16 4", "in x float32[3,4] 16 4\nin x float32[3,4] 16 4"),
    "a value twice": f"{GOOD}\ny = x",
    "an input that is computed": f"{GOOD}\nx = y",
    "an unknown name": GOOD.replace("add(x, 1.0)", "add(x, z)"),
    "a name before it is there": GOOD.replace("y = add(x, 1.0)", "y = add(x, z)\nz = add(x, x)"),
    "an output of nothing": GOOD.replace("y = ", "z = "),
    "an output that is read": GOOD.replace("add(x, 1.0)", "add(x, y)"),
    "an unknown function": GOOD.replace("add(", "addd("),
    "an unknown reduction": GOOD.replace("add(x, 1.0)", "row_divide(x)"),
    "a row of a number": GOOD.replace("add(x, 1.0)", "row_add(1.0)"),
    "a row of two": GOOD.replace("add(x, 1.0)", "row_add(x, x)"),
    "an argument less": GOOD.replace("add(x, 1.0)", "add(x)"),
    "an argument more": GOOD.replace("add(x, 1.0)", "add(x, x, x)"),
    "a cast to nothing": GOOD.replace("add(x, 1.0)", "cast(x)"),
    "a dtype for what takes none": GOOD.replace("add(x, 1.0)", "add(x, x, int32)"),
    "another dtype of the output": GOOD.replace("out y float32", "out y int32"),
    "an output of a bool": GOOD.replace("add(x, 1.0)", "less(x, 1.0)"),
    "numbers of two widths": GOOD.replace("out y float32[3,4] 16 4", "out y float64[3,4] 32 8"),
    "a cast to another width": GOOD.replace("add(x, 1.0)", "cast(x, float64)"),
    "floats beside integers": GOOD.replace("y = ", "i = cast(x, bool)\nj = cast(i, int32)\ny = ").replace("1.0", "j"),
    "a number of another width": GOOD.replace("1.0", "float64(1.0)"),
    "a fraction as an integer": GOOD.replace("1.0", "int32(1.5)"),
    "an integer too large": GOOD.replace("1.0", f"int32({1 << 31})"),
    "nan as an integer": GOOD.replace("1.0", "int32(nan)"),
    "inf as an integer": GOOD.replace("1.0", "int32(inf)"),
    "sums with unequal gaps": "over 3 4\nin x float32[3,4] 16 4\nadd y float32[18] 20 8\ny = x",
    "sums too small": "over 3 4\nin x float32[3,4] 16 4\nadd y float32[3] 0 4\ny = x",
    "sums of bools": "over 3 4\nin x bool[3,4] 4 1\nmaximum y bool[4] 0 1\ny = x",
    "sums beyond the start": "over 3 4\nin x float32[3,4] 16 4\nadd y float32[8] 0 -4 from 12\ny = x",
    "sums too small for the pieces": SHARED.replace("[3,5]", "[2,5]"),
    "more pieces than rows": SHARED.replace("shared 3", "shared 7").replace("[3,5]", "[7,5]"),
    "too many pieces of columns": COLUMNS.replace("shared 2", "shared 3"),
    "pieces of columns that are added up": COLUMNS.replace("y = x", "s = row_add(x)\ny = add(x, s)"),
    "pieces of columns that are scanned": COLUMNS.replace("y = x", "y = scan_add(x)"),
    "pieces of a state": COLUMNS.replace("in x", "state x"),
    "pieces that write one element": COLUMNS.replace("y float32[99] 4", "y float32[] 0").replace("y = x", "y = 1.0"),
    "too many arrays": "\n".join(
        ["over 4", *(f"in x{i} float32[4] 4" for i in range(900)), "out y float32[4] 4", "y = x0"]
    ),
    "too many loops": f"over {'1 ' * 90}\nout y float32[1] {'0 ' * 90}\ny = float32(1.0)",
    "no output": "over 4\nin x float32[4] 4\ny = x",
}  # fmt: skip


def test_denormals_change_nothing_of_a_check() -> None:
    kernel = parse(GOOD)
    dtypes = check(kernel)
    assert kernel.flushed() != kernel
    assert check(kernel.flushed()) is dtypes


def test_the_text_that_the_bad_ones_are_made_of_is_good() -> None:
    check(parse(GOOD))
    check(parse(SHARED))


@pytest.mark.parametrize("what", BAD_TEXTS)
def test_bad_texts_are_no_kernels(what: str) -> None:
    kernel = parse(BAD_TEXTS[what])
    with pytest.raises(Unsupported):
        check(kernel)
    with pytest.raises(Unsupported):
        compile_kernel(BAD_TEXTS[what])
    with pytest.raises(Unsupported):
        machine_code(BAD_TEXTS[what])


UNREADABLE = ["over x", "in x float32 4", "in x int12[4] 2", "sideways x float32[4] 4", "in x float32[-4] 4",
              "in x float32[4 4] 4", "shared", "y = ", "y = add(",
              "in x float32[4] 4 from", "y == add(x, x)"]  # fmt: skip


@pytest.mark.parametrize("line", UNREADABLE)
def test_lines_that_cannot_be_read(line: str) -> None:
    with pytest.raises((ValueError, Unsupported)):
        compile_kernel(f"over 4\nout y float32[4] 4\n{line}\ny = float32(1.0)")
