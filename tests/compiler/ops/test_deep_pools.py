"""Pooling over three axes by windows over two, and then over one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gradcheck import type_of

from mycel.compiler import ops
from mycel.compiler.ir.verifier import verify
from mycel.compiler.kernels import eligible
from mycel.compiler.pipeline import compile_graph
from mycel.compiler.transforms.symbolic import record
from mycel.runtime.kernels import pool as kernels

pytestmark = pytest.mark.skipif(not eligible.is_available(), reason="machine code is off")


def drawn(seed: int) -> tuple[np.ndarray, dict[str, Any]]:
    """An image with equal numbers, so that windows have several maxima, and windows."""
    random = np.random.default_rng(seed)

    def three(low: int, high: int) -> tuple[int, ...]:
        return tuple(int(number) for number in random.integers(low, high, 3))

    kernel = three(1, 4)
    low = [int(random.integers(0, size // 2 + 1)) for size in kernel]
    windows = {"kernel": kernel, "stride": three(1, 4), "padding": tuple(zip(low, low, strict=True))}
    x = random.integers(0, 4, (2, 3, *three(4, 8))).astype(np.float32)
    return x, {**windows, "ceil_mode": bool(random.random() < 0.3)}


def run(function: Any, *arrays: np.ndarray) -> np.ndarray:
    """The result of a function on symbols, which no pooling over three axes computes."""
    compiled = compile_graph(verify(record("f", [type_of(array) for array in arrays], function)), name="f")
    pools = [node for node in compiled.stages["lower_for_kernels"].nodes if "kernel" in node.attrs and node.op.kernel]
    assert not [node for node in pools if len(node.attrs["kernel"]) == 3]
    found: np.ndarray = compiled.run(*arrays)[0]
    return found


@pytest.mark.parametrize("seed", range(12))
def test_maxima_and_their_gradient(seed: int) -> None:
    """The first maximum of each window receives its gradient, where planes come one after the other, too."""
    x, windows = drawn(seed)
    windows = {**windows, "dilation": (1, 1, 1) if seed % 2 else (2, 1, 1)}
    try:
        pooled = kernels.max_pool(x, **windows)
    except ValueError:  # the kernel is too long
        return
    np.testing.assert_array_equal(run(lambda x: ops.max_pool(x, **windows), x), pooled)
    dout = np.random.default_rng(seed).integers(-3, 4, pooled.shape).astype(np.float32)
    wanted = kernels.max_pool_grad(x, pooled, dout, **windows)
    found = run(lambda x, pooled, dout: ops.max_pool_grad(x, pooled, dout, **windows), x, pooled, dout)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("seed", range(12))
def test_means_and_their_gradient(seed: int) -> None:
    x, windows = drawn(seed)
    windows |= {"count_include_pad": bool(seed % 2), "divisor": None if seed % 3 else 5}
    given = {"count_include_pad": windows["count_include_pad"], "divisor_override": windows["divisor"]}
    plain = {key: windows[key] for key in ("kernel", "stride", "padding", "ceil_mode")}
    pooled = kernels.avg_pool(x, **plain, **given)
    np.testing.assert_allclose(run(lambda x: ops.avg_pool(x, **windows), x), pooled, rtol=1e-5, atol=1e-6)
    wanted = kernels.avg_pool_grad(pooled, x.shape[2:], **plain, **given)
    found = run(lambda dout: ops.avg_pool_grad(dout, spatial=x.shape[2:], **windows), pooled)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
