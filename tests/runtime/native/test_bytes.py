"""Bytes (uint8) that kernels read and cast."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.codegen import compile_kernel

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

ALL = np.arange(256, dtype=np.uint8)


@pytest.mark.parametrize("wide", [False, None])
@pytest.mark.parametrize("dtype", ["float32", "int32", "uint32", "float16", "bool"])
def test_casts_of_all_bytes(dtype: str, wide: bool | None) -> None:
    size = np.dtype(dtype).itemsize
    text = f"over 256\nin x uint8[256] 1\nout y {dtype}[256] {size}\ny = cast(x, {dtype})\n"
    found = np.empty(256, dtype)
    compile_kernel(text, wide=wide)(ALL, found)
    np.testing.assert_array_equal(found, ALL.astype(dtype))


@pytest.mark.parametrize("wide", [False, None])
@pytest.mark.parametrize("columns", [1, 2, 7, 8, 9, 16, 31, 40])
@pytest.mark.parametrize(("step", "start"), [(1, 0), (2, 1), (3, 2), (-1, 127), (0, 5)])
def test_columns_of_any_stride(columns: int, step: int, start: int, wide: bool | None) -> None:
    text = (
        f"over 2 {columns}\nin x uint8[256] 128 {step} from {start}\n"
        f"out y float32[2,{columns}] {4 * columns} 4\nc = cast(x, float32)\ny = multiply(c, 0.5)\n"
    )
    found = np.empty((2, columns), np.float32)
    compile_kernel(text, wide=wide)(ALL, found)
    chosen = 128 * np.arange(2)[:, None] + start + step * np.arange(columns)
    np.testing.assert_array_equal(found, ALL[chosen] * np.float32(0.5))


@pytest.mark.parametrize(
    "text",
    [
        "over 8\nin x uint8[8] 1\nout y uint8[8] 1\ny = copy(x)\n",
        "over 8\nin x uint8[8] 1\nout y uint8[8] 1\ny = cast(x, uint8)\n",
        "over 8\nin x int32[8] 4\nout y uint8[8] 1\ny = cast(x, uint8)\n",
        "over 8\nin x bool[8] 1\nout y uint8[8] 1\ny = cast(x, uint8)\n",
        "over 8\nin x float32[8] 4\nout y uint8[8] 1\ny = cast(x, uint8)\n",
        "over 8\nin x uint8[8] 1\nout y float64[8] 8\ny = cast(x, float64)\n",
        "over 8\nin x uint8[8] 1\nin z uint8[8] 1\nout y bool[8] 1\ny = less(x, z)\n",
        "over 8\nin x uint8[6] 1 from -1 within 1 7\nout y float32[8] 4\ny = cast(x, float32)\n",
        "over 8\nindex i int32[8] 4\nin x uint8[9] 0 at i 1 9\nout y float32[8] 4\ny = cast(x, float32)\n",
    ],
)
def test_nothing_else_is_done_with_bytes(text: str) -> None:
    with pytest.raises(Unsupported):
        compile_kernel(text)


def test_pictures_are_normalised_in_one_kernel() -> None:
    pictures = np.random.default_rng(0).integers(0, 256, (2, 9, 8, 3)).astype(np.uint8)

    def normalised(x: Any) -> Any:
        return (x.astype(ms.float32) / 255.0 - Tensor([0.4, 0.5, 0.6])) / Tensor([0.2, 0.3, 0.4])

    compiled = ms.jit(normalised)
    found = compiled(Tensor(pictures)).asnumpy()
    with ms.disable_jit():
        wanted = normalised(Tensor(pictures)).asnumpy()
    np.testing.assert_allclose(found, wanted, rtol=1e-6)
    assert [node.op.name for node in compiled.stages(Tensor(pictures)).optimized.nodes][-1:] == ["kernel"]
    assert "cast" not in {node.op.name for node in compiled.stages(Tensor(pictures)).optimized.nodes}
