"""Inputs of kernels that are as a transpose is: squares change rows and columns on their way to a buffer."""

from __future__ import annotations

import re
from typing import Any
from unittest import mock

import numpy as np
import pytest
from drawn_turned import DrawnTurned
from native_fuzz import GuardedMemory, kernel_case

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native import turned_rows
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.check import check
from mycel.runtime.native.codegen import compile_kernel, forget
from mycel.runtime.native.language import parse
from mycel.runtime.native.turned_rows import buffer_bytes, turned_inputs

pytestmark = pytest.mark.skipif(unavailable() is not None, reason="there is no machine code")


def test_random_kernels_between_protected_pages() -> None:
    memory, turned = GuardedMemory(), 0
    for seed in range(1, 8 * 60, 8):
        kernel_case(seed, memory)
        turned += bool(turned_inputs(parse(DrawnTurned(seed).text)))
    assert turned > 25


def text(dtype: str, *extents: int, pieces: int = 0) -> str:
    """A kernel that adds an array to the transpose of another, whose rows are three elements longer."""
    size, (*outer, rows, columns) = np.dtype(dtype).itemsize, extents
    first, second = [size * rows * columns][: len(outer)], [size * (rows + 3) * columns][: len(outer)]
    lead = "".join(f"{extent}," for extent in outer)
    whole, strides = f"{dtype}[{lead}{rows},{columns}]", " ".join(map(str, (*first, size * columns, size)))
    lines = [f"shared {pieces}"] if pieces else []
    lines += [f"over {' '.join(map(str, extents))}", f"in x {whole} {strides}"]
    lines += [f"in y {dtype}[{lead}{columns},{rows + 3}] {' '.join(map(str, (*second, size, size * (rows + 3))))}"]
    return "\n".join([*lines, f"out z {whole} {strides}", "z = add(x, y)"])


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_blocks_of_all_sizes(dtype: str, wide: bool) -> None:
    """Rows and columns that fill no squares, buffers of one square and more, and pieces that begin anywhere."""
    draw = np.random.default_rng(0)
    for extents, pieces in (
        ((64, 64), 0), ((83, 79), 0), ((16, 128), 0), ((131, 17), 0), ((3, 70, 33), 0),
        ((150, 40), 7), ((67, 67), 3), ((5, 33, 65), 2), ((40, 300), 40),
    ):  # fmt: skip
        for room in (0, turned_rows.ROOM):
            with mock.patch.object(turned_rows, "ROOM", room):
                forget()
                kernel = compile_kernel(text(dtype, *extents, pieces=pieces), wide=wide)
            assert turned_inputs(parse(text(dtype, *extents, pieces=pieces)))
            *lead, rows, columns = extents
            x = draw.integers(-99, 99, extents).astype(dtype)
            y = draw.integers(-99, 99, (*lead, columns, rows + 3)).astype(dtype)
            z = np.zeros_like(x)
            assert kernel(x, y, z)
            np.testing.assert_array_equal(z, x + y[..., :rows].swapaxes(-1, -2))
    forget()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("in y float16[64,67] 2 134", "halves are wider in lanes"),
        ("in y float32[64,67] 4 268 within 0 60 0 64", "bounds"),
        ("in y float32[64,640] 8 2560", "rows are no neighbours"),
        ("in y float32[640,8] 4 32", "columns are near each other"),
    ],
)
def test_what_is_read_where_it_lies(line: str, why: str) -> None:
    kernel = text("float32", 64, 64).splitlines()
    kernel[2] = line
    if "float16" in line:
        kernel[-1:] = ["w = cast(y, float32)", "z = add(x, w)"]
    assert not turned_inputs(parse("\n".join(kernel))), why


def test_the_whole_input_is_checked() -> None:
    with pytest.raises(Unsupported):
        check(parse(text("float32", 64, 64).replace("[64,67]", "[64,66]")))


def test_programs_need_no_copy() -> None:
    def f(a: Any, b: Any) -> Any:
        return ops.tanh(a) * b.T + 1.0

    def loss(a: Any, b: Any) -> Any:
        return (ops.exp(a.T) * b + a.T / (1.0 + b * b)).sum()

    draw = np.random.default_rng(1)
    x, y = (draw.standard_normal(shape).astype(np.float32) for shape in ((200, 300), (300, 200)))
    compiled, gradient = ms.jit(f), ms.value_and_grad(loss, (0, 1))
    np.testing.assert_allclose(compiled(Tensor(x), Tensor(y)).asnumpy(), np.tanh(x) * y.T + 1, 1e-5, 1e-5)
    value, (da, db) = gradient(Tensor(x), Tensor(y))
    whole = 1 + y * y
    np.testing.assert_allclose(value.asnumpy(), (np.exp(x.T) * y + x.T / whole).sum(), 1e-4)
    np.testing.assert_allclose(da.asnumpy(), (np.exp(x.T) * y + 1 / whole).T, 1e-5, 1e-5)
    np.testing.assert_allclose(db.asnumpy(), np.exp(x.T) - x.T * 2 * y / whole**2, 1e-4, 1e-4)
    stages = compiled.stages(Tensor(x), Tensor(y))
    assert "turned(" not in str(stages.optimized)
    kernel = parse(str(stages.program).partition("compile_kernel('''")[2].partition("'''")[0])
    allocated = re.search(r"allocated in a run: ([\d,]+) bytes", str(stages.plan))
    assert allocated is not None
    assert int(allocated[1].replace(",", "")) >= x.nbytes + buffer_bytes(kernel) > x.nbytes
