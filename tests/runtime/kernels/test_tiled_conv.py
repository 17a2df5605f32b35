"""Convolutions by Winograd's tiles against direct sums: sizes, paddings, threads, numbers that are not finite."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from mycel.runtime import processors
from mycel.runtime.kernels import conv as kernels, tiled_conv
from mycel.runtime.kernels.tiled_conv import plan_tiles
from mycel.runtime.kernels.windows import Convolution
from mycel.runtime.machine.array_functions import SWITCH, can_transform
from mycel.runtime.machine.product import has_wide_code

pytestmark = pytest.mark.skipif(not can_transform(), reason="no machine code")
Case = tuple[Callable[..., np.ndarray], tuple[Any, ...], str]


@pytest.fixture(autouse=True)
def fresh_plans(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No convolution is computed directly, which would be preferred to tiles, and no plan outlives the test."""
    monkeypatch.setattr(kernels, "plan_direct", lambda *sizes: None)
    kernels.plans.cache_clear()
    yield
    kernels.plans.cache_clear()


@pytest.fixture
def direct(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., np.ndarray]]:
    """A kernel without tiles."""

    def run(kernel: Callable[..., np.ndarray], *arguments: Any) -> np.ndarray:
        with monkeypatch.context() as patch:
            patch.setattr(kernels, "plan_tiles", lambda *arguments: None)
            kernels.plans.cache_clear()
            return kernel(*arguments)

    yield run
    plan_tiles.cache_clear()


def cases(x: np.ndarray, w: np.ndarray, padding: Any, dilation: Any = 1) -> list[Case]:
    """The three kernels and their arguments."""
    out = kernels.conv(x, w, 1, padding, dilation)
    dout = np.random.default_rng(1).standard_normal(out.shape).astype(x.dtype)
    return [
        (kernels.conv, (x, w, 1, padding, dilation), "forward"),
        (kernels.conv_input_grad, (dout, w, x.shape[2:], 1, padding, dilation), "input"),
        (kernels.conv_weight_grad, (dout, x, w.shape[2:], 1, padding, dilation), "weight"),
    ]


def drawn(seed: int) -> tuple[np.ndarray, np.ndarray, Any, tuple[int, int]]:
    """Images, weight, padding and dilation."""
    random = np.random.default_rng(seed)
    channels, outputs = (int(n) for n in random.choice([8, 16, 17, 24, 40], 2))
    height, width = (int(n) for n in random.integers(6, 40, 2))
    most = np.minimum(random.integers(1, 9, 2), (height // 3, width // 3))
    dilation = (1, 1) if seed % 2 else tuple(int(n) for n in most)
    padding = tuple(tuple(int(n) for n in random.integers(0, 2 * d + 1, 2)) for d in dilation)
    x = random.standard_normal((int(random.integers(1, 9)), channels, height, width)).astype(np.float32)
    w = (random.standard_normal((outputs, channels, 3, 3)) / np.sqrt(9 * channels)).astype(np.float32)
    return x, w, padding, dilation


def tiled() -> tuple[np.ndarray, np.ndarray, Any]:
    """A convolution that has tiles, as both of its gradients have."""
    random = np.random.default_rng(0)
    x, w = random.standard_normal((3, 16, 15, 14)), random.standard_normal((24, 16, 3, 3)) / 12
    padding = ((1, 1), (0, 2))
    for purpose in ("forward", "input", "weight"):
        assert plan_tiles(Convolution(purpose, x.shape, w.shape, 1, padding, 1, 1, np.dtype(np.float32))) is not None
    return x.astype(np.float32), w.astype(np.float32), padding


def test_random_convolutions_agree_with_direct_sums(direct: Callable[..., np.ndarray]) -> None:
    count, spread = 0, 0
    for seed in range(120):
        x, w, padding, dilation = drawn(seed)
        for kernel, arguments, purpose in cases(x, w, padding, dilation):
            tiled = plan_tiles(Convolution(purpose, x.shape, w.shape, 1, padding, dilation, 1, x.dtype)) is not None
            count, spread = count + tiled, spread + (tiled and dilation != (1, 1))
            wanted = direct(kernel, *[a.astype(np.float64) if isinstance(a, np.ndarray) else a for a in arguments])
            size = kernels.conv_scratch_size(Convolution(purpose, x.shape, w.shape, 1, padding, dilation))
            scratch, out = np.full(size, np.nan, np.float32), np.full(wanted.shape, 7, np.float32)
            assert kernel(*arguments, out=out, scratch=scratch) is out
            worst = abs(out - wanted).max() / abs(wanted).max()
            assert worst < 2e-5, (seed, purpose, x.shape, w.shape, padding, dilation, worst)
    assert count > (150 if has_wide_code() else 90)
    assert spread > (60 if has_wide_code() else 5)


@pytest.mark.parametrize("taps", [3, 5])
@pytest.mark.parametrize("axes", [1, 2])
def test_kernels_of_one_row_agree_with_direct_sums(taps: int, axes: int, direct: Callable[..., np.ndarray]) -> None:
    count, spread = 0, 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        channels, outputs = (int(n) for n in random.choice([8, 16, 17, 24, 40], 2))
        dilation = 1 if seed % 2 else int(random.integers(1, 9))
        sides = (*random.integers(1, 9, axes - 1), int(random.integers(taps * dilation, 150)))
        x = random.standard_normal((int(random.integers(1, 9)), channels, *sides)).astype(np.float32)
        w = random.standard_normal((outputs, channels, *(1,) * (axes - 1), taps)) / np.sqrt(taps * channels)
        w = w.astype(np.float32)
        padding = (*((0, 0),) * (axes - 1), tuple(int(n) for n in random.integers(0, (taps - 1) * dilation + 1, 2)))
        dilations = (3, dilation)[-axes:]
        for kernel, arguments, purpose in cases(x, w, padding, dilations):
            tiled = plan_tiles(Convolution(purpose, x.shape, w.shape, 1, padding, dilations, 1, x.dtype)) is not None
            count, spread = count + tiled, spread + (tiled and dilation > 1)
            wanted = direct(kernel, *[a.astype(np.float64) if isinstance(a, np.ndarray) else a for a in arguments])
            size = kernels.conv_scratch_size(Convolution(purpose, x.shape, w.shape, 1, padding, dilations))
            scratch, out = np.full(size, np.nan, np.float32), np.full(wanted.shape, 7, np.float32)
            assert kernel(*arguments, out=out, scratch=scratch) is out
            worst = abs(out - wanted).max() / abs(wanted).max()
            assert worst < 2e-5, (seed, purpose, x.shape, w.shape, padding, dilation, worst)
    assert count > (70 if has_wide_code() else 40)
    assert (spread > 15) is has_wide_code()


def test_what_has_no_tiles() -> None:
    takes = ((8, 16, 14, 14), (16, 16, 3, 3), 1, 1, 1, 1, np.dtype(np.float32))
    assert plan_tiles(Convolution("forward", *takes)) is not None
    others: dict[int, list[Any]] = {
        0: [(8, 2, 14, 14), (1, 16, 4, 4)], 1: [(16, 16, 5, 5), (2, 16, 3, 3)], 2: [2, (1, 2)], 3: [3, (0, 3)],
        4: [9, (1, 12)], 6: [np.dtype(np.float64), np.dtype(np.float16)],
    }  # fmt: skip
    for position, values in others.items():
        for value in values:
            changed = [value if place == position else given for place, given in enumerate(takes)]
            if position == 0:
                changed[1] = (16, value[1], 3, 3)
            assert plan_tiles(Convolution("forward", *changed)) is None, value
    for kernel in ((1, 3), (5,)):
        image = (8, 16, 40, 40)[: 2 + len(kernel)]
        assert plan_tiles(Convolution("forward", image, (16, 16, *kernel), 1, 0)) is not None
    for kernel in ((3, 1), (1, 4), (1, 9), (1, 1), (9,), (3, 1, 1), (1, 1, 3)):
        image = (8, 16, 40, 40, 40)[: 2 + len(kernel)]
        assert plan_tiles(Convolution("forward", image, (16, 16, *kernel), 1, 0)) is None
    assert plan_tiles(Convolution("forward", (8, 32, 14, 14), (32, 16, 3, 3), 1, 1, 1, 2, np.dtype(np.float32))) is None


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 3e38])
def test_numbers_that_are_not_finite_spoil_no_neighbours(value: float, direct: Callable[..., np.ndarray]) -> None:
    x, w, padding = tiled()
    for kernel, arguments, _ in cases(x, w, padding):
        arguments[0][0, 2, 5, 3] = value
        with np.errstate(all="ignore"):
            wanted, found = direct(kernel, *arguments), kernel(*arguments)
        assert np.isfinite(wanted).any()
        np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
        np.testing.assert_array_equal(np.isinf(found), np.isinf(wanted))
        arguments[0][0, 2, 5, 3] = 0


def test_arrays_of_other_layouts() -> None:
    x, w, padding = tiled()
    for kernel, arguments, _ in cases(x, w, padding):
        wanted = kernel(*arguments)
        for change in (
            lambda a: a[..., ::-1].copy()[..., ::-1],
            lambda a: np.asfortranarray(a),
            lambda a: np.frombuffer(b"\0" + a.tobytes(), np.uint8)[1:].view(np.float32).reshape(a.shape),
            lambda a: a.astype(np.dtype(np.float32, metadata={"a": 1})),
        ):
            changed = [change(a) if isinstance(a, np.ndarray) else a for a in arguments]
            np.testing.assert_array_equal(kernel(*changed), wanted)
        spread = np.full((*wanted.shape, 2), 7, np.float32)[..., 0]
        kernel(*arguments, out=spread)
        np.testing.assert_array_equal(spread, wanted)


def test_threads_share_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those of one image. Sums over blocks may be rounded in another order."""
    x = np.random.default_rng(0).standard_normal((1, 32, 64, 48)).astype(np.float32)
    w = np.random.default_rng(1).standard_normal((32, 32, 3, 3)).astype(np.float32)
    results = []
    for threads in (1, 3):
        plan_tiles.cache_clear()
        kernels.plans.cache_clear()
        monkeypatch.setattr(tiled_conv, "thread_count", lambda threads=threads: threads)
        monkeypatch.setattr(tiled_conv, "TEAM_FLOPS", 1)
        plan = plan_tiles(Convolution("forward", x.shape, w.shape, 1, 1, 1, 1, x.dtype))
        assert plan is not None
        assert len(plan.parts) == threads
        results.append([kernel(*arguments) for kernel, arguments, _ in cases(x, w, 1)])
    plan_tiles.cache_clear()
    for one, several in zip(*results, strict=True):
        np.testing.assert_allclose(one, several, atol=1e-5 * abs(one).max())
    np.testing.assert_array_equal(results[0][0], results[1][0])


def test_a_variable_switches_tiles_off() -> None:
    script = """
import numpy as np
from mycel.runtime.kernels.tiled_conv import plan_tiles
from mycel.runtime.kernels.windows import Convolution
print(plan_tiles(Convolution("forward", (8, 16, 14, 14), (16, 16, 3, 3), 1, 1, 1, 1, np.dtype(np.float32))) is None)
"""
    for switch, wanted in (("off", "True"), ("on", "False")):
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True,
            env={**os.environ, SWITCH: switch},
        )  # fmt: skip
        assert done.stdout.strip() == wanted


@pytest.mark.skipif(not can_transform(1), reason="there is no code for tiles")
def test_blocks_grow_with_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their tiles fill a fourth of the second-level cache."""
    assert processors.cache_bytes() // 16 == tiled_conv.BLOCK_ELEMENTS
    convolution = Convolution("forward", (4, 32, 56, 56), (32, 32, 3, 3), 1, 1)
    counts = []
    for megabytes in (1, 2, 4):
        monkeypatch.setattr(tiled_conv, "BLOCK_ELEMENTS", (megabytes << 20) // 16)
        tiled_conv.plan_tiles.cache_clear()
        plan = tiled_conv.plan_tiles(convolution)
        assert plan is not None
        counts.append(sum(map(len, plan.parts)))
    tiled_conv.plan_tiles.cache_clear()
    assert counts == [56, 28, 16]
