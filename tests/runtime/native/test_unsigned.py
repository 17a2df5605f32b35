"""Unsigned integers in machine code: NumPy's results on all bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import has_masked_vectors, unavailable
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.language import parse

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

WIDTHS = [False, True] if has_masked_vectors() else [False]
BINARY = (
    "add", "subtract", "multiply", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift",
    "right_shift", "less", "less_equal", "greater", "greater_equal", "equal", "not_equal",
)  # fmt: skip
DIVISIONS = ("floor_divide", "remainder", "fmod")


def _numbers(bits: int, count: int, seed: int) -> np.ndarray:
    """Unsigned integers of all magnitudes, the extremes among them."""
    random, limit = np.random.default_rng(seed), 1 << bits
    known = [0, 1, 2, 3, 7, limit - 1, limit - 2, limit // 2, limit // 2 - 1, limit // 2 + 1]
    drawn = [int(x) for x in random.integers(0, limit - 1, count, dtype=np.uint64)]
    return random.permutation(np.array(known * 3 + [x >> int(random.integers(bits)) for x in drawn], f"uint{bits}"))


def _run(statement: str, dtype: str, out: str, *arrays: np.ndarray, wide: bool) -> list[np.ndarray]:
    """The results of a kernel of one statement: of machine code, and of NumPy in its place."""
    count, size = len(arrays[0]), arrays[0].itemsize
    lines = [f"in x{number} {dtype}[{count}] {size}" for number in range(len(arrays))]
    last = 1 if out == "bool" else size
    text = "\n".join([f"over {count}", *lines, f"out y {out}[{count}] {last}", f"y = {statement}"])
    results = []
    for function in (compile_kernel(text, wide=wide), evaluator(parse(text), text)):
        results.append(np.empty(count, out))
        with np.errstate(all="ignore"):
            assert function(*arrays, results[-1])
    return results


@pytest.mark.parametrize(("wide", "bits", "function"), chequered(WIDTHS, [32, 64], [*BINARY, *DIVISIONS]))
def test_functions_of_two(function: str, bits: int, wide: bool) -> None:
    """By arrays and by constants."""
    x, y, dtype = _numbers(bits, 3000, 1), _numbers(bits, 3000, 2), f"uint{bits}"
    if function.endswith("shift"):
        y %= np.array(bits + 3, dtype)
    if function in DIVISIONS and bits == 64:
        with pytest.raises(Unsupported):
            _run(f"{function}(x0, x1)", dtype, dtype, x, y, wide=wide)
        return
    numpy: Callable[..., Any] = getattr(np, function)
    with np.errstate(all="ignore"):
        expected = numpy(x, y)
    for found in _run(f"{function}(x0, x1)", dtype, str(expected.dtype), x, y, wide=wide):
        np.testing.assert_array_equal(found, expected)
    for number in (0, 1, 5, 31, (1 << bits) - 1):
        with np.errstate(all="ignore"):
            expected = numpy(x, np.array(number, dtype))
        for found in _run(f"{function}(x0, {number})", dtype, str(expected.dtype), x, wide=wide):
            np.testing.assert_array_equal(found, expected, f"by {number}")


@pytest.mark.parametrize("wide", WIDTHS)
@pytest.mark.parametrize("bits", [32, 64])
def test_casts(bits: int, wide: bool) -> None:
    """To signed integers and back, to bools and to floats, which are rounded once."""
    x, dtype = _numbers(bits, 3000, 3), f"uint{bits}"
    for other in (f"int{bits}", "bool", f"float{bits}"):
        for found in _run(f"cast(x0, {other})", dtype, other, x, wide=wide):
            np.testing.assert_array_equal(found, x.astype(other))
    signed = x.view(f"int{bits}")
    for found in _run(f"cast(x0, {dtype})", f"int{bits}", dtype, signed, wide=wide):
        np.testing.assert_array_equal(found, x)
    for function in ("bitwise_not", "absolute", "negative"):
        for found in _run(f"{function}(x0)", dtype, dtype, x, wide=wide):
            np.testing.assert_array_equal(found, getattr(np, function.replace("bitwise_not", "invert"))(x))


@pytest.mark.parametrize(
    "text",
    [
        "over 64\nin x uint32[64] 4\nadd s uint32[] 0\ns = x",
        "over 4 8\nin x uint32[4,8] 32 4\nout s uint32[4] 4 0\ns = row_add(x)",
        "over 64\nin x uint32[64] 4\nout s uint32[64] 4\ns = scan_add(x)",
        "over 64\nin x float32[64] 4\nout s uint32[64] 4\ns = cast(x, uint32)",
        "over 64\nin x uint32[64] 4\nout s uint32[64] 4\ns = add(x, -1)",
        "over 64\nin x uint32[64] 4\nout s uint32[64] 4\ns = sign(x)",
        "over 64\nin x uint32[64] 4\nin y int32[64] 4\nout s uint32[64] 4\ns = add(x, y)",
        "over 64\nindex i int32[64] 4\nin x uint32[64] 4\nadd s uint32[9] 0 at i 4 9\ns = x",
    ],
)
def test_what_is_not_for_unsigned_integers(text: str) -> None:
    """Sums, scans and casts of floats are refused."""
    with pytest.raises(Unsupported):
        compile_kernel(text)


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
def test_programs(dtype: type) -> None:
    """A hash is one kernel; sums of unsigned integers are NumPy's."""

    def f(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        for shift in (16, 13, 16):
            x = ops.bitwise_xor(x, ops.bitwise_right_shift(x, shift)) * y
        return x, ops.maximum(x, y), x > y, ops.roll(x, 3, 0), x.sum()

    x, y = _numbers(np.dtype(dtype).itemsize * 8, 500, 4).astype(dtype), _numbers(32, 500, 5).astype(dtype)
    expected = x
    for shift in (16, 13, 16):
        expected = (expected ^ (expected >> np.array(shift, dtype))) * y
    compiled = ms.jit(f)
    results = [result.asnumpy() for result in compiled(Tensor(x), Tensor(y))]
    known = [
        expected,
        np.maximum(expected, y),
        expected > y,
        np.roll(expected, 3),
        f(Tensor(x), Tensor(y))[4].asnumpy(),
    ]
    for found, wanted in zip(results, known, strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert "right_shift(" in compiled.stages(Tensor(x), Tensor(y)).program.partition("def ")[0]
