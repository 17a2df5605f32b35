"""What is padded with its own edges along two axes is put together by one kernel, where no kernel reads it; what is
computed of repeated elements is computed as these are copied."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable

MODES = {"replicate": "edge", "reflect": "reflect", "circular": "wrap"}


@pytest.mark.parametrize(
    ("mode", "widths", "dtype"),
    chequered(
        [*MODES],
        [(2, 2, 2, 2), (1, 3, 0, 2), (3, 0, 2, 1), (1, 1, 0, 0)],
        ["float32", "float64", "int8", "bool", "float16"],
    ),
)
@pytest.mark.parametrize("shape", [(5, 7), (2, 3, 33, 20), (4, 70, 50)])
def test_elements_are_those_of_numpy(mode: str, widths: tuple[int, ...], dtype: str, shape: tuple[int, ...]) -> None:
    x = (10 * np.random.default_rng(0).standard_normal(shape)).astype(dtype)
    left, right, top, bottom = widths

    def padded(x: Any) -> Any:
        return ops.pad(x if x.ndim > 2 else x[None], list(widths), mode=mode)

    wanted = np.pad(
        x if x.ndim > 2 else x[None], [*[(0, 0)] * (max(x.ndim, 3) - 2), (top, bottom), (left, right)], MODES[mode]
    )
    np.testing.assert_array_equal(ms.jit(padded)(Tensor(x)).asnumpy(), wanted)


@pytest.mark.skipif(unavailable() is not None, reason="there is no machine code")
@pytest.mark.parametrize("mode", [*MODES])
def test_one_kernel_puts_all_together(mode: str) -> None:
    x, w = Tensor(np.ones((2, 3, 30, 20), np.float32)), Tensor(np.ones((4, 3, 3, 3), np.float32))

    def padded(x: Any) -> Any:
        return ops.pad(x, [1, 2, 2, 1], mode=mode)

    for text in (
        str(ms.jit(padded).stages(x).optimized),
        str(ms.jit(lambda x, w: ops.conv2d(padded(x), w)).stages(x, w).optimized),
    ):
        assert text.count("assembled(") == 1
        assert "concatenate(" not in text
    blurred = str(ms.jit(lambda x: padded(x)[..., 1:, 1:] + padded(x)[..., :-1, :-1]).stages(x).optimized)
    assert "assembled" not in blurred  # kernels read these


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int32", "bool"])
def test_repeated_elements_are_computed_with_as_they_are_copied(dtype: str) -> None:
    x = Tensor((10 * np.random.default_rng(0).standard_normal((2, 300, 200))).astype(dtype))
    one = Tensor(np.ones((), dtype))

    def scaled(x: Any, one: Any) -> Any:
        y = x.repeat_interleave(2, 1).repeat_interleave(2, 2)
        return ops.logical_not(y) if dtype == "bool" else ops.relu(3 * y + one) - 2

    def read_again(x: Any, one: Any) -> Any:
        y = x.repeat_interleave(2, 1).repeat_interleave(2, 2)
        return scaled(x, one), y, (y == y.flip(1)).sum(0)

    for function in (scaled, read_again):
        found, wanted = (ms.jit(function, passes_off=off)(x, one) for off in ((), ("windows",)))
        for each, other in zip(found, wanted, strict=True) if function is read_again else [(found, wanted)]:
            np.testing.assert_array_equal(each.asnumpy(), other.asnumpy())
    if unavailable() is None and dtype in ("float32", "float64", "int32"):
        assert ms.jit(scaled).stages(x, one).program.count("compile_kernel('''") == 1
