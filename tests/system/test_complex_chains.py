"""Random chains of complex numbers: graphs compute what eager mode does, also of arrays that kernels copy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable

SHAPE = (6, 21)
LEAVES = "a", "b", "row", "column", "one", "r"


def draw(rng: np.random.Generator, depth: int) -> Callable[[dict[str, Any]], Any]:
    """A random function of shape `SHAPE`, or of one that broadcasts to it."""
    if not depth:
        name = LEAVES[rng.integers(len(LEAVES))]
        return lambda given: given[name]
    x, y = draw(rng, depth - 1), draw(rng, int(rng.integers(depth)))
    number = complex(*rng.normal(size=2).round(2)) if rng.integers(2) else round(float(rng.normal()), 2)
    forms: list[Callable[[Any, Any], Any]] = [
        lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x * y, lambda x, y: x * y + ops.conj(x) * y,
        lambda x, y: x * number, lambda x, y: number - x, lambda x, y: ops.conj(x) + y, lambda x, y: -x * y,
        lambda x, y: x / (3.0 + ops.abs(y)), lambda x, y: x / (y * ops.conj(y) + 2.0),
        lambda x, y: ops.exp(x * 0.1) * y, lambda x, y: ops.where(ops.real(x) > 0.3, x, y),
        lambda x, y: ops.roll(x + y, 2, -1) * x if x.ndim else x,
        lambda x, y: ops.Complex()(ops.real(x), ops.imag(x) * 2.0) + y, lambda x, y: x * ops.imag(y),
        lambda x, y: (x + y).sum(-1, keepdims=True) * 0.1 + y if (x + y).ndim else x,
        lambda x, y: (x * y).mean(0, keepdims=True) + x if (x * y).ndim else x,
        lambda x, y: ops.swapaxes(ops.swapaxes(x * y, 0, 1) * 2.0, 0, 1) if (x * y).ndim == 2 else y,
        lambda x, y: ops.cat(((x + y)[..., :4], (x - y)[..., 4:]), -1) if (x + y).shape[-1:] == (21,) else x,
        lambda x, y: ops.stack((x + y, x * y), -1)[..., 1] - ops.stack((x, x * 2.0)).sum(0),
    ]  # fmt: skip
    form = forms[rng.integers(len(forms))]
    return lambda given: form(x(given), y(given))


def inputs(rng: np.random.Generator, kind: str) -> dict[str, Any]:
    """Arguments: `kind` is the memory that they lie in."""
    found = {}
    for name, shape in zip(LEAVES, (SHAPE, SHAPE, SHAPE[1:], (SHAPE[0], 1), (), SHAPE), strict=True):
        x = rng.normal(size=shape) + 1j * rng.normal(size=shape)
        given = np.asarray(x.real if name == "r" else x)
        if kind == "strided" and shape:
            given = np.repeat(given, 2, -1)[..., ::2]
        if kind == "unaligned":
            memory = np.zeros(given.nbytes + 1, np.uint8)[1:].view(given.dtype)
            given = np.copyto(memory, given.reshape(-1)) or memory.reshape(shape)
        found[name] = given
    return found


@pytest.mark.parametrize("seed", range(24))
def test_graphs_compute_what_eager_mode_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chain, arrays = draw(rng, 5), inputs(rng, ("whole", "strided", "unaligned")[seed % 3])
    dtype, tolerance = (np.complex64, 2e-4) if seed % 2 else (np.complex128, 1e-11)
    given = {
        name: x.astype(dtype if x.dtype.kind == "c" else dtype(0).real.dtype, copy=False) for name, x in arrays.items()
    }
    names = [*given]

    def function(*values: Any) -> Any:
        result = chain(dict(zip(names, values, strict=True)))
        return result, result * 2.0, ops.abs(result).sum()

    tensors = [Tensor(x) for x in given.values()]
    with ms.disable_jit():
        expected = [np.asarray(each.asnumpy()) for each in function(*tensors)]
    for options in ({}, {"passes_off": ["part_views"]}, {"passes_off": ["kernels"]}):
        compiled = ms.jit(function, **options)
        for _ in range(2):
            for found, wanted in zip(compiled(*tensors), expected, strict=True):
                assert found.asnumpy().dtype == wanted.dtype
                scale = max(1.0, np.abs(wanted).max())
                np.testing.assert_allclose(found.asnumpy(), wanted, rtol=tolerance, atol=tolerance * scale)


@pytest.mark.parametrize("seed", range(40, 47))
def test_gradients_are_those_of_eager_mode(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chain, given = draw(rng, 4), inputs(rng, "whole")
    names = [*given]

    def loss(*values: Any) -> Any:
        result = chain(dict(zip(names, values, strict=True)))
        return (ops.real(result * ops.conj(result)) * 0.5 + ops.real(result)).mean()

    tensors = [Tensor(x) for x in given.values()]
    places = tuple(range(len(tensors)))
    with ms.disable_jit():
        expected = ms.grad(loss, places)(*tensors)
    for options in ({}, {"passes_off": ["part_views"]}, {"passes_off": ["kernels"]}):
        found = ms.grad(ms.jit(loss, **options), places)(*tensors)
        for one, wanted in zip(found, expected, strict=True):
            np.testing.assert_allclose(one.asnumpy(), wanted.asnumpy(), rtol=1e-9, atol=1e-9)


def test_chains_of_many_sizes_are_one_kernel() -> None:
    """Also past the caches, with rest columns, in place of what nothing reads any more, and of no elements."""

    @ms.jit
    def function(a: Any, b: Any) -> Any:
        return a * b + ops.conj(a) * b - a / 2

    for dtype in (np.complex64, np.complex128):
        for size in (0, 1, 2, 3, 7, 16, 31, 1000, 4097, 1 << 20):
            x = np.arange(2.0 * size).view(np.complex128)[: size or None].astype(dtype) / max(size, 1)
            a, b = Tensor(x), Tensor(x[::-1].copy())
            expected = x * x[::-1] + x.conj() * x[::-1] - x / 2
            np.testing.assert_allclose(function(a, b).asnumpy(), expected, rtol=1e-4, atol=1e-5)
            if size and unavailable() is None:
                assert [node.op.name for node in function.stages(a, b).optimized.nodes][-1] == "kernel"


def test_parts_of_arguments_that_are_updated() -> None:
    parameter = ms.Parameter(Tensor(np.arange(12.0) * (1 + 2j)), name="p")

    @ms.jit
    def step(x: Any) -> Any:
        before = parameter * x
        ops.assign(parameter, ops.roll(parameter, 1, 0) * x + ops.conj(parameter))
        return before, ops.real(parameter)

    value = parameter.asnumpy().copy()
    for _ in range(3):
        before, real = step(Tensor(0.5 + 0.25j, ms.complex128))
        np.testing.assert_allclose(before.asnumpy(), value * (0.5 + 0.25j))
        value = np.roll(value, 1) * (0.5 + 0.25j) + value.conj()
        np.testing.assert_allclose(parameter.asnumpy(), value)
        np.testing.assert_allclose(real.asnumpy(), value.real)


@pytest.mark.parametrize(
    ("shape", "axis"), [((2, 40), 0), ((21, 2, 16), 1), ((300, 2), 1), ((3, 2, 130), 1), ((9, 2, 5), 1)]
)
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_gates_on_halves_are_one_kernel(dtype: Any, shape: tuple[int, ...], axis: int) -> None:
    """Where halves are stacked in long rows, or element by element, the kernel that computes them writes them there."""
    rng = np.random.default_rng(1)
    state, gate = [(rng.normal(size=size) + 1j * rng.normal(size=size)).astype(dtype) for size in (shape, (2, 2))]

    @ms.jit
    def step(s: Any, u: Any) -> Any:
        a, b = (s[0], s[1]) if axis == 0 else (s[:, 0], s[:, 1])
        return ops.stack([u[0, 0] * a + u[0, 1] * b, u[1, 0] * a + u[1, 1] * b], axis), ops.stack([a, a * b], axis)

    found = [each.asnumpy() for each in step(Tensor(state), Tensor(gate))]
    a, b = np.moveaxis(state, axis, 0)
    expected = (
        np.stack([gate[0, 0] * a + gate[0, 1] * b, gate[1, 0] * a + gate[1, 1] * b], axis),
        np.stack([a, a * b], axis),
    )
    for one, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, wanted, rtol=1e-5, atol=1e-5)
    names = [node.op.name for node in step.stages(Tensor(state), Tensor(gate)).optimized.nodes]
    assert "complex" not in names
    if unavailable() is None:
        assert ("concatenate" in names) == (axis == 0 or shape[-1] == 5)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_magnitudes_of_all_sizes(dtype: Any) -> None:
    """Squares of large and small numbers neither overflow nor vanish, and quotients by real numbers keep edges."""
    rng, limits = np.random.default_rng(3), np.finfo(dtype)
    size = np.exp2(rng.uniform(limits.minexp + 40, limits.maxexp - 4, 4000))
    x = (size * np.exp(1j * rng.uniform(0, 7, 4000))).astype(dtype)
    edges = [0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, limits.max, limits.tiny]
    x[: len(edges) ** 2] = [complex(a, b) for a in edges for b in edges]
    found, whole = ms.jit(lambda x: (ops.abs(x) * 1.0, x / ops.abs(x)))(Tensor(x))
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(found.asnumpy(), np.abs(x), rtol=4 * limits.eps)
        np.testing.assert_allclose(whole.asnumpy()[64:], (x / np.abs(x))[64:], rtol=8 * limits.eps)


def test_loops_do_not_keep_planes_of_what_is_computed_before() -> None:
    x = Tensor((np.arange(60) * (0.01 + 0.02j)).reshape(5, 12))

    @ms.jit
    def orbit(x: Any) -> Any:
        z = x * 0
        for _ in range(12):
            z = z * z + x * 0.3
        return ops.abs(z)

    assert "separate" not in [node.op.name for node in orbit.stages(x).optimized.nodes]
    z = x.asnumpy() * 0
    for _ in range(12):
        z = z * z + x.asnumpy() * 0.3
    np.testing.assert_allclose(orbit(x).asnumpy(), np.abs(z), rtol=1e-6)


@pytest.mark.parametrize("sizes", [(1, 5), (5, 1), (4, 4), (1, 1)])
def test_sizes_that_only_the_run_knows_are_broadcast(sizes: tuple[int, int]) -> None:
    """A sum with a real tensor, and parts of two sizes: one of them may turn out to be one element."""

    def function(x: Any, y: Any) -> Any:
        a, b = x[x > 0], y[y > 0]
        c, d = ops.cat([a, a]), ops.cat([b, b])
        z = ops.Complex()(a, a)
        w = ops.Complex()(c, d[:1])
        return ops.view_as_real(z + b), (b - z)[::-1], ops.view_as_real(w), ops.Complex()(d[:1], c)

    given = [np.where(np.arange(8) < size, np.arange(8.0) + number, -1) for number, size in enumerate(sizes, 1)]
    x, y = (Tensor(each.astype(np.float32)) for each in given)
    for found, wanted in zip(ms.jit(function)(x, y), function(x, y), strict=True):
        np.testing.assert_array_equal(found.asnumpy(), wanted.asnumpy())
