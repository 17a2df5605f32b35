"""Numbers of BFloat16 in kernels: NumPy's results, rounded after each operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable

pytest.importorskip("ml_dtypes")
pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

BITS = np.random.default_rng(0).integers(0, 1 << 32, 40_000, dtype=np.uint32)
TIES = (BITS & 0xFFFF0000) | 0x8000
SINGLE = np.concatenate([BITS, TIES, TIES + 1, TIES - 1, np.uint32([0x7F7FFFFF, 0x7F800000, 0x7F800001])]).view("f4")
ALL = (np.arange(1 << 16, dtype=np.uint32) << 16).view("f4")

FUNCTIONS: list[Callable[..., Any]] = [
    lambda x, y: x.astype(ms.float32),
    lambda x, y: x + y * 0.3 - 1,
    lambda x, y: -ops.maximum(x, y) / (ops.abs(y) + 2),
    lambda x, y: ops.where(x < y, x * x, ops.sqrt(ops.abs(y))),
    lambda x, y: ops.clamp(x, -100.0, 100.0).astype(ms.int32),
    lambda x, y: x > y,
    lambda x, y: (x.astype(ms.float32) * 1.1).astype(ms.bfloat16) + y,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_all_numbers(function: Callable[..., Any]) -> None:
    x, y = Tensor(ALL).astype(ms.bfloat16), Tensor(np.random.default_rng(1).permutation(ALL)).astype(ms.bfloat16)
    if function is FUNCTIONS[4]:
        x = ops.where(ops.isnan(x), ops.zeros_like(x), x)
    _agrees(function, x, y)


@pytest.mark.parametrize("value", [2, -1.5, True, float("inf")])
def test_numbers_around_padded_arrays_are_numbers(value: float) -> None:
    """They were taken for bits."""
    x = Tensor(np.ones((1, 17, 5))).astype(ms.bfloat16)
    compiled = ms.jit(lambda x: ops.pad(x * 2, (1, 1), value=value) * 4)
    assert "pad(" in str(compiled.stages(x).optimized)
    np.testing.assert_array_equal(compiled(x).astype(ms.float32)[0, 0].asnumpy(), [4 * value, *[8.0] * 5, 4 * value])


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.uint8, np.float64])
def test_rounding(dtype: Any) -> None:
    with np.errstate(all="ignore"):
        x = Tensor((SINGLE if np.dtype(dtype).kind == "f" else BITS).astype(dtype))
    _agrees(lambda x, y: x.astype(ms.bfloat16), x, x, cast=np.dtype(dtype).itemsize < 8)


def _agrees(function: Callable[..., Any], x: Tensor, y: Tensor, cast: bool = True) -> None:
    compiled = ms.jit(function)
    with np.errstate(all="ignore"):
        found = compiled(x, y).asnumpy()
        with ms.disable_jit():
            wanted = function(x, y).asnumpy()
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found.astype("f8"), wanted.astype("f8"))
    if cast:
        names = {node.op.name for node in compiled.stages(x, y).optimized.nodes}
        assert names <= {"kernel", "bitcast", "constant"}


def test_results_without_more_digits_are_not_rounded() -> None:
    x = Tensor(ALL).astype(ms.bfloat16)
    compiled = ms.jit(lambda x: ops.round(-ops.maximum(ops.abs(x), 0.3)))
    assert "32767" not in compiled.stages(x).program
    _agrees(lambda x, y: ops.round(-ops.maximum(ops.abs(x), 0.3)), x, x)


MOVES = {
    "repeated": lambda x: x.repeat_interleave(2, -1),
    "repeated rows": lambda x: x.repeat_interleave(3, 0),
    "padded": lambda x: ops.pad(x, (1, 1, 1, 1)),
    "every second": lambda x: x[:, ::2],
    "reversed rows": lambda x: ops.flip(x, (0,)),
    "joined": lambda x: ops.cat([x, x], 1),
    "rolled": lambda x: ops.roll(x, 1, 1),
    "turned and flat": lambda x: x.T.reshape(-1),
    "computed": lambda x: ops.flip(ops.roll(x * 2, 1, 0), (0,)),
    "computed, some columns": lambda x: (x + 1)[::2, 1:],
}


@pytest.mark.parametrize("name", MOVES)
def test_moves(name: str) -> None:
    """Numbers of BFloat16 are moved as bits, by kernels."""
    x = Tensor(np.random.default_rng(0).standard_normal((500, 5)).astype(np.float32)).astype(ms.bfloat16)
    compiled, plain = (
        ms.jit(lambda x: MOVES[name](x), passes_off=off) for off in ([], ["lower_for_kernels", "kernels"])
    )
    found, expected = compiled(x), plain(x)
    assert found.dtype == expected.dtype == ms.bfloat16
    np.testing.assert_array_equal(found.astype(ms.float32).asnumpy(), expected.astype(ms.float32).asnumpy())
    program = compiled.stages(x).program
    assert "compile_kernel" in program or "turn" in program
    assert ".copy()" not in program


def test_float64_is_rounded_once_to_float16() -> None:
    """Also between two numbers, and just beside the middle, which float32 has not; NumPy is slow where it warns."""
    bits = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    every = bits[np.isfinite(bits)].astype(np.float64)
    middle = (every[:-1] + every[1:]) / 2
    beside = [np.nextafter(middle, way) for way in (-np.inf, np.inf)]
    far = [65520.0, np.nextafter(65520.0, 0), 1e300, -1e300, 1e-320, np.inf, -np.inf, np.nan]
    least_nan = np.array([0x7FF0000000000001], np.uint64).view(np.float64)
    x = np.concatenate([every, middle, *beside, middle * (1 + 2.0**-30), far, least_nan])
    function = ms.jit(lambda x: x.astype(ms.float16))
    with np.errstate(all="ignore"):
        wanted = x.astype(np.float16)
    found = function(Tensor(x)).asnumpy()
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(np.signbit(found[:-2]), np.signbit(wanted[:-2]))
    assert "int64" in function.stages(Tensor(x)).program


def test_float16_beside_nodes_without_inputs() -> None:
    @ms.jit
    def f(x: Tensor) -> tuple[Tensor, Tensor]:
        return x.astype(ms.float16) * ops.eye(3, 3, ms.float16), ops.zeros((2,), ms.float16)

    np.testing.assert_array_equal(f(Tensor(np.arange(3.0)))[0].asnumpy(), np.diag(np.arange(3.0)))
