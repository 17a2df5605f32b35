"""Columns of short rows that kernels read and write as whole vectors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from mycel.runtime.machine.executable import Function, unavailable
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.check import check
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.language import parse

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
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("columns", [2, 3, 4, 5, 6, 7, 9, 11, 16])
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
