"""Limits of memory as users give them: `jit(memory_limit=…)`, JitConfig, `set_context`; Cells that are recomputed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops


class Block(nn.Cell):
    """A residual block with much between its ends."""

    def __init__(self) -> None:
        super().__init__()
        self.up, self.down, self.act = nn.Dense(16, 64), nn.Dense(64, 16), nn.GELU()

    def construct(self, x: Tensor) -> Tensor:
        """x of shape (n, 16)."""
        return x + self.down(self.act(self.up(x)))


X = Tensor(np.random.default_rng(0).standard_normal((256, 16)).astype(np.float32))


def gradient_of(net: nn.Cell) -> object:
    """Value and gradients by the weights."""
    return ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())


def deep() -> nn.Cell:
    """Five blocks with the same weights in every call."""
    ms.set_seed(0)
    return nn.SequentialCell(*[Block() for _ in range(5)])


@pytest.fixture
def device_memory() -> Iterator[None]:
    """Undoes the settings of a test."""
    before = ms.get_context("max_device_memory")
    yield
    ms.set_context(max_device_memory=before)


def arrays(result: object) -> list[np.ndarray]:
    """All tensors of a result."""
    value, gradients = result  # type: ignore[misc]
    return [value.asnumpy(), *[gradient.asnumpy() for gradient in gradients]]


def test_a_gradient_within_a_limit() -> None:
    """Half the memory, the same numbers to the last bit."""
    gradient = gradient_of(deep())
    free = ms.jit(lambda x: gradient(x))  # type: ignore[operator]
    peak = free.stages(X).plan.usage.peak
    limited = ms.jit(lambda x: gradient(x), memory_limit=int(0.6 * peak))  # type: ignore[operator]
    assert limited.stages(X).plan.usage.peak <= 0.6 * peak
    for ours, theirs in zip(arrays(limited(X)), arrays(free(X)), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_recomputed_cells_take_less() -> None:
    """`Cell.recompute` lowers the plan's peak by itself, and under a limit as well."""
    peaks = []
    for recomputed in (False, True):
        net = deep()
        if recomputed:
            for block in net:
                block.recompute()
        peaks.append(gradient_of(net).stages(X).plan.usage.peak)  # type: ignore[attr-defined]
    assert peaks[1] < 0.7 * peaks[0]


def test_recomputed_calls_take_less() -> None:
    """`ms.recompute` does it for one call of a Cell or a function."""
    net = deep()
    blocks = list(net)

    def whole(x: Tensor) -> Tensor:
        for block in blocks:
            x = ms.recompute(block, x)
        return ms.recompute(lambda y: ops.tanh(y) * 2, x).sum()

    def plain(x: Tensor) -> Tensor:
        for block in blocks:
            x = block(x)
        return (ops.tanh(x) * 2).sum()

    ours, theirs = (ms.value_and_grad(function, None, net.trainable_params()) for function in (whole, plain))
    assert ours.stages(X).plan.usage.peak < 0.7 * theirs.stages(X).plan.usage.peak
    for one, other in zip(arrays(ours(X)), arrays(theirs(X)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(ms.recompute(blocks[0], X).asnumpy(), blocks[0](X).asnumpy(), rtol=1e-6)
    with pytest.raises(TypeError, match="recompute takes a Cell or a function"):
        ms.recompute(3, X)


def test_the_error_names_function_and_lines() -> None:
    """A limit that nothing can meet."""

    @ms.jit(memory_limit="20KB")
    def product(x: Tensor) -> Tensor:
        return ops.matmul(ops.tanh(x), ops.exp(x)).sum()

    with pytest.raises(ms.MemoryLimitError, match="the smallest plan found for 'product' takes") as caught:
        product(ops.ones((100, 100)))
    assert "test_memory_limit.py:" in str(caught.value)
    assert isinstance(caught.value, MemoryError)
    assert float(product(ops.ones((10, 10)))) > 0  # smaller arguments fit


def test_a_limit_for_a_cell() -> None:
    """By its JitConfig."""
    net = Block()
    net.set_jit_config(ms.JitConfig(memory_limit="1KB"))
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        with pytest.raises(ms.MemoryLimitError, match="the smallest plan found for 'Block' takes"):
            net(X)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert ms.jit(net.construct, jit_config=ms.JitConfig(memory_limit="1GB"))(X).shape == (256, 16)


class Limited(nn.Cell):
    """A Cell whose construct has a limit."""

    @ms.jit(memory_limit="1KB")
    def construct(self, x: Tensor) -> Tensor:
        """x of any shape."""
        return ops.tanh(x)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_a_limit_for_a_construct(mode: int) -> None:
    """It holds in either mode."""
    ms.set_context(mode=mode)
    try:
        with pytest.raises(ms.MemoryLimitError, match="takes 16384 bytes"):
            Limited()(X)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_a_limit_for_the_device(device_memory: None) -> None:
    """It is for whatever is compiled from then on, where nothing else is said."""
    ms.set_context(max_device_memory="1KB")
    with pytest.raises(ms.MemoryLimitError):
        ms.grad(lambda x: ops.tanh(x).sum())(X)
    assert ms.jit(lambda x: ops.tanh(x), memory_limit="1MB")(X).shape == (256, 16)


def test_malformed_limits(device_memory: None) -> None:
    """They are refused where they are given."""
    with pytest.raises(ValueError, match="'memory_limit' should be a number of bytes"):
        ms.jit(lambda x: x, memory_limit="much")
    with pytest.raises(TypeError, match="'memory_limit' should be an int or text"):
        ms.jit(lambda x: x, memory_limit=1.5)
    with pytest.raises(ValueError, match="number of bytes"):
        ms.JitConfig(memory_limit="much")
    with pytest.raises(ValueError, match="number of bytes"):
        ms.set_context(max_device_memory="much")
