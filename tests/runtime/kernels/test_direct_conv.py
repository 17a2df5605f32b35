"""Convolutions by direct sums against products: strides, one axis, threads, and numbers that are not finite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from mycel.runtime.kernels import conv as kernels, direct_conv
from mycel.runtime.kernels.windows import Convolution
from mycel.runtime.machine.product import has_products, vector_bytes
from mycel.runtime.machine.sizes import NARROW, WIDTH

needs_vectors = pytest.mark.skipif(not has_products(), reason="machine code is off, or the processor has no AVX2")
CASES: list[tuple[tuple[int, ...], tuple[int, ...], tuple[Any, ...]]] = [
    ((3, 16, 8, 8), (16, 16, 3, 3), (1, 1, 1)),
    ((3, 16, 9, 7), (32, 16, 3, 3), (2, 1, 1)),
    ((2, 16, 12, 12), (48, 16, 1, 1), (2, 0, 1)),
    ((2, 3, 21, 19), (64, 3, 7, 7), (2, 3, 1)),
    ((2, 16, 9, 31), (16, 16, 5, 3), ((3, 1), ((1, 2), (0, 1)), (1, 2))),
    ((4, 16, 40), (32, 16, 5), (2, 2, 1)),
]
Computed = tuple[np.ndarray, np.ndarray, np.ndarray]


@pytest.fixture(autouse=True)
def fresh_plans() -> Iterator[None]:
    """No plan made with patches outlives the test."""
    yield
    kernels.plans.cache_clear()


def computed(x: np.ndarray, w: np.ndarray, arguments: tuple[Any, ...]) -> Computed:
    """A convolution and its gradients."""
    made = kernels.conv(x, w, *arguments)
    dout = np.random.default_rng(1).standard_normal(made.shape).astype(x.dtype)
    return (
        made,
        kernels.conv_input_grad(dout, w, x.shape[2:], *arguments),
        kernels.conv_weight_grad(dout, x, w.shape[2:], *arguments),
    )


def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute by other ways."""
    monkeypatch.setattr(kernels, "plan_direct", lambda *sizes: None)
    kernels.plans.cache_clear()


@needs_vectors
@pytest.mark.parametrize(("x_shape", "w_shape", "arguments"), CASES)
@pytest.mark.parametrize("threads", [1, 2])
def test_results_and_gradients(
    monkeypatch: pytest.MonkeyPatch,
    x_shape: tuple[int, ...],
    w_shape: tuple[int, ...],
    arguments: tuple[Any, ...],
    threads: int,
) -> None:
    random = np.random.default_rng(0)
    x, w = random.standard_normal(x_shape).astype(np.float32), random.standard_normal(w_shape).astype(np.float32)
    direct_conv.plan_direct.cache_clear()
    kernels.plans.cache_clear()
    monkeypatch.setattr(direct_conv, "worth_sharing", lambda most, work, least: threads)
    plan = direct_conv.plan_direct(Convolution("forward", x_shape, w_shape, *arguments, 1, x.dtype))
    assert plan is not None
    assert plan.threads == threads
    found = computed(x, w, arguments)
    for array in (x[::-1], np.asfortranarray(x)):  # images of another layout
        np.testing.assert_array_equal(kernels.conv(array, w, *arguments), kernels.conv(array.copy(), w, *arguments))
    direct_conv.plan_direct.cache_clear()
    without(monkeypatch)
    for one, other in zip(found, computed(x, w, arguments), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)


@needs_vectors
@pytest.mark.parametrize(
    ("x_shape", "w_shape", "arguments", "parts"),
    [
        ((1, 32, 9, 9), (64, 32, 3, 3), (2, 1, 1, 1), (4, 4, 4)),
        ((2, 32, 9, 9), (64, 32, 3, 3), (2, 1, 1, 1), (2, 2, 2)),
        ((1, 48, 9, 9), (48, 16, 3, 3), (2, 1, 1, 3), (1, 1, 1)),  # three groups for four threads
        ((1, 32, 9, 9), (64, 8, 3, 3), (1, 1, 1, 4), (4, 4, 4)),
        ((1, 32, 60), (64, 32, 5), (2, 2, 1, 1), (4, 4, 4)),
    ],
)
def test_threads_divide_the_channels_of_few_images(
    monkeypatch: pytest.MonkeyPatch,
    x_shape: tuple[int, ...],
    w_shape: tuple[int, ...],
    arguments: tuple[Any, ...],
    parts: tuple[int, ...],
) -> None:
    """As many parts as there are threads for each image, of whole vectors; and the numbers stay the same."""
    random = np.random.default_rng(0)
    x, w = random.standard_normal(x_shape).astype(np.float32), random.standard_normal(w_shape).astype(np.float32)
    found = []
    for threads in (1, 4):
        direct_conv.plan_direct.cache_clear()
        kernels.plans.cache_clear()
        monkeypatch.setattr(direct_conv, "worth_sharing", lambda most, work, least, threads=threads: threads)
        monkeypatch.setattr(direct_conv, "_time", lambda *sizes: 0.0)
        plans = [
            direct_conv.plan_direct(Convolution(purpose, x_shape, w_shape, *arguments, x.dtype))
            for purpose in ("forward", "input", "weight")
        ]
        if threads == 4 and vector_bytes() == WIDTH:
            assert tuple(plan.parts for plan in plans if plan is not None) == parts
        found.append(computed(x, w, arguments))
    direct_conv.plan_direct.cache_clear()
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


@needs_vectors
def test_infinity_spoils_no_neighbour(monkeypatch: pytest.MonkeyPatch) -> None:
    """An infinite weight makes nan of the gradient where other ways do, and an infinite pixel reaches its windows."""
    random = np.random.default_rng(0)
    x, w = random.standard_normal((2, 16, 8, 8)).astype(np.float32), np.ones((16, 16, 3, 3), np.float32)
    x[0, 0, 3, 3], w[0, 0, 0, 0] = np.inf, np.nan
    found = [computed(x, w, (stride, 1, 1)) for stride in (1, 2)]
    without(monkeypatch)
    for stride, of_stride in zip((1, 2), found, strict=True):
        for one, other in zip(of_stride, computed(x, w, (stride, 1, 1)), strict=True):
            np.testing.assert_array_equal(np.isfinite(one), np.isfinite(other))


@needs_vectors
@pytest.mark.parametrize(
    ("x_shape", "outputs"),
    [((3, 32, 7, 7), 48), ((8, 24, 14, 14), 144), ((8, 96, 7, 7), 24), ((1, 512, 7, 7), 128), ((4, 32, 50), 64),
     ((2, 16, 3, 5, 7), 32)],
)  # fmt: skip
def test_kernels_of_one_tap(monkeypatch: pytest.MonkeyPatch, x_shape: tuple[int, ...], outputs: int) -> None:
    random = np.random.default_rng(0)
    x = random.standard_normal(x_shape).astype(np.float32)
    w = random.standard_normal((outputs, x_shape[1], *(1 for _ in x_shape[2:]))).astype(np.float32)
    kernels.plans.cache_clear()
    arguments = (1, 0, 1, 1)
    assert direct_conv.plan_direct(Convolution("weight", x_shape, w.shape, *arguments, x.dtype)) is not None
    found = computed(x, w, arguments)
    without(monkeypatch)
    for one, other in zip(found, computed(x, w, arguments), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-3)


@needs_vectors
def test_kernels_of_one_tap_are_products_where_vectors_are_full() -> None:
    def chosen(kind: str, x_shape: tuple[int, ...], outputs: int) -> bool:
        w_shape = (outputs, x_shape[1], 1, 1)
        convolution = Convolution(kind, x_shape, w_shape, 1, 0, 1, 1, np.dtype(np.float32))
        return direct_conv.plan_direct(convolution) is not None

    assert chosen("forward", (2, 32, 7, 7), 48) == (direct_conv.vector_bytes() == direct_conv.WIDTH)
    assert not chosen("forward", (2, 32, 8, 8), 48)
    assert chosen("input", (8, 32, 14, 14), 192)
    assert chosen("input", (1, 256, 7, 7), 256)
    assert not chosen("input", (1, 128, 7, 7), 512)
    assert not chosen("weight", (1, 512, 7, 7), 512)


@pytest.mark.parametrize("width", [WIDTH, NARROW])
def test_estimates_depend_on_the_maker_of_the_processor(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    """Where caches are slow beside products, copies and tiles pay for fewer convolutions."""
    if vector_bytes() < width:
        pytest.skip("the processor has no such vectors")
    monkeypatch.setattr(direct_conv, "vector_bytes", lambda: width)

    def chosen(kind: str, x_shape: tuple[int, ...], w_shape: tuple[int, ...], stride: int, padding: int) -> bool:
        convolution = Convolution(kind, x_shape, w_shape, stride, padding, 1, 1, np.dtype(np.float32))
        direct_conv.plan_direct.cache_clear()
        return direct_conv.plan_direct(convolution) is not None

    few_channels = ("weight", (4, 64, 64, 64), (3, 64, 5, 5), 2, 0)  # 1.2 ms, and 3.2 with copies
    small_tiles = ("weight", (16, 16, 56, 56), (16, 16, 3, 3), 1, 1)  # 2.3 ms, and 3.6 by tiles
    large_tiles = ("forward", (8, 64, 28, 28), (64, 64, 3, 3), 1, 1)  # 3.0 ms, and 2.3 by tiles
    # 32 µs, and 92 with copies, which take many calls.
    short = Convolution("input", (1, 8, 14, 14), (64, 2, 3, 3), 1, 0, 2, 4, np.dtype(np.float32))
    for intel in (False, True):
        monkeypatch.setattr(direct_conv, "is_from_intel", lambda intel=intel: intel)
        assert chosen(*few_channels) == intel
        assert direct_conv.plan_direct(short) is not None
        assert chosen(*small_tiles) == (intel == (width == WIDTH))  # by vectors of AVX2 it is the other way round
        assert not chosen(*large_tiles)
    direct_conv.plan_direct.cache_clear()
