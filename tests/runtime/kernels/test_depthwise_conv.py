"""Depthwise convolutions and their gradients, by their own kernels, against those of matrix products."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from mycel.runtime.kernels import conv as kernels, depthwise_conv
from mycel.runtime.kernels.depthwise_conv import plan_depthwise
from mycel.runtime.kernels.windows import Convolution
from mycel.runtime.machine.product import vector_bytes
from mycel.runtime.machine.sizes import NARROW, WIDTH


@pytest.fixture(autouse=True, params=[NARROW, WIDTH], ids=["AVX2", "AVX-512"])
def fresh_plans(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Plans are for vectors of this length. No plan made with patches outlives the test."""
    if request.param > vector_bytes():
        pytest.skip("the processor has no such vectors, or machine code is off")
    monkeypatch.setattr(depthwise_conv, "vector_bytes", lambda: request.param)
    plan_depthwise.cache_clear()
    kernels.plans.cache_clear()
    yield
    plan_depthwise.cache_clear()
    kernels.plans.cache_clear()


def drawn(seed: int) -> tuple[np.ndarray, np.ndarray, tuple[Any, ...]]:
    """Images, weight, and stride, padding, dilation and groups; over one axis or two."""
    random = np.random.default_rng(seed)
    axes, channels = int(random.integers(1, 3)), int(random.integers(2, 9))
    kernel = tuple(int(n) for n in random.integers(1, 12, axes))
    stride, dilation = (tuple(int(n) for n in random.integers(1, most, axes)) for most in (4, 3))
    padding = tuple((int(low), int(high)) for low, high in random.integers(0, 5, (axes, 2)))
    room = random.integers(1, 25, axes)
    spatial = [int(size) + (taps - 1) * far for size, taps, far in zip(room, kernel, dilation, strict=True)]
    x = random.standard_normal((int(random.integers(1, 4)), channels, *spatial)).astype(np.float32)
    w = random.standard_normal((channels, 1, *kernel)).astype(np.float32)
    return x, w, (stride, padding, dilation, channels)


def results(x: np.ndarray, w: np.ndarray, arguments: tuple[Any, ...], scratch: bool = False) -> list[np.ndarray]:
    """Those of all three kernels; with a scratch array full of nan, and an array for the result."""
    out = np.empty_like(kernels.conv(x, w, *arguments))
    dout = np.random.default_rng(1).standard_normal(out.shape).astype(x.dtype)
    calls: tuple[tuple[str, Any, tuple[Any, ...], np.ndarray], ...] = (
        ("forward", kernels.conv, (x, w), out),
        ("input", kernels.conv_input_grad, (dout, w, x.shape[2:]), x),
        ("weight", kernels.conv_weight_grad, (dout, x, w.shape[2:]), w),
    )
    found = []
    for purpose, kernel, inputs, like in calls:
        more: dict[str, Any] = {}
        if scratch:
            size = kernels.conv_scratch_size(Convolution(purpose, x.shape, w.shape, *arguments, x.dtype))
            more = {"out": np.full(like.shape, 7, x.dtype), "scratch": np.full(size, np.nan, np.float32)}
        found.append(kernel(*inputs, *arguments, **more))
    return found


def test_random_convolutions_agree_with_products(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0
    for seed in range(80):
        x, w, arguments = drawn(seed)
        count += plan_depthwise(Convolution("forward", x.shape, w.shape, *arguments, x.dtype)) is not None
        found = results(x, w, arguments, scratch=True)
        with monkeypatch.context() as patch:
            for name in ("plan_depthwise", "plan_direct", "plan_tiles"):
                patch.setattr(kernels, name, lambda *arguments: None)
            kernels.plans.cache_clear()
            wanted = results(x.astype(np.float64), w.astype(np.float64), arguments)
        # the cotangents are the same numbers, rounded
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, other, atol=2e-5 * max(1, abs(other).max()), err_msg=str((seed, x.shape)))
    assert count > 60


@pytest.mark.parametrize("parts", [1, 3])
def test_threads_and_blocks_give_the_same(parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    x, w, _ = drawn(1)
    x = np.random.default_rng(0).standard_normal((5, 7, 30, 20)).astype(np.float32)
    w = np.random.default_rng(1).standard_normal((7, 1, 5, 5)).astype(np.float32)
    arguments = (2, 2, 1, 7)
    wanted = results(x, w, arguments)
    monkeypatch.setattr(depthwise_conv, "thread_count", lambda: parts)
    monkeypatch.setattr(depthwise_conv, "TEAM_FLOPS", 1)
    monkeypatch.setattr(depthwise_conv, "BLOCK_ELEMENTS", 3000)
    plan_depthwise.cache_clear()
    kernels.plans.cache_clear()
    plan = plan_depthwise(Convolution("forward", x.shape, w.shape, *arguments, x.dtype))
    assert plan is not None
    assert len(plan.parts) == parts
    found = results(x, w, arguments)
    plan_depthwise.cache_clear()
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5 * abs(other).max())


def test_arrays_of_other_layouts() -> None:
    x, w, arguments = drawn(4)
    wanted = results(x, w, arguments)
    for change in (
        lambda a: np.asfortranarray(a),
        lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
        lambda a: np.frombuffer(b"\0" + a.tobytes(), np.uint8)[1:].view(np.float32).reshape(a.shape),
        lambda a: a.astype(np.dtype(np.float32, metadata={"a": 1})),
    ):
        for one, other in zip(results(change(x), change(w), arguments), wanted, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-5 * max(1, abs(other).max()))


def test_a_weight_that_is_not_finite_makes_no_more_nan_than_products_do() -> None:
    dout, w = np.ones((1, 2, 4, 4), np.float32), np.ones((2, 1, 3, 3), np.float32)
    w[0, 0, 1, 1] = np.inf
    found = kernels.conv_input_grad(dout, w, (8, 8), 2, 1, 1, 2)
    assert not np.isnan(found).any()
    assert np.isinf(found[0, 0]).sum() == 16
