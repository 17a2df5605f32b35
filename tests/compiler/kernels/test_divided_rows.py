"""Threads share the columns of kernels over one axis; those that add up along it are divided into rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.compiler import ops as prims
from mycel.compiler.ir.parser import parse
from mycel.compiler.kernels.groups import translate
from mycel.compiler.memory import groups
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native.builder import Unsupported

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


@pytest.fixture(autouse=True)
def three_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels of any size are shared."""
    monkeypatch.setattr(groups, "worth_sharing", lambda *_: 3)
    monkeypatch.setattr(groups, "thread_count", lambda: 3)


def ring(x: Any, far: int) -> Any:
    return ops.tanh(ops.roll(x, 1, 0) - 2 * x + ops.roll(x, -1, 0)) * ops.roll(x, far, 0)


def string(x: Any, far: int) -> Any:
    inner = x[2:] - 2 * x[1:-1] + x[:-2]
    return x + 0.1 * ops.pad(inner, (1, 1)) + ops.pad(x[far:], (0, far))


def mixture(x: Any, far: int) -> Any:
    z = x[:, None] - ops.arange(5).astype(x.dtype)
    return ops.logsumexp(-0.5 * z * z, 1).mean() + x[: 24 * 1024].sum()


@pytest.mark.parametrize(
    ("program", "sizes", "dtype"),
    chequered(
        [ring, string, mixture],
        [(49152, 7), (49152, 4096), (65536, 5000), (61440, 1), (49160, 3), (40961, 5)],
        [np.float32, np.float64],
    ),
)
def test_values_and_gradients_are_those_of_single_operations(program: Any, sizes: tuple[int, int], dtype: Any) -> None:
    size, far = sizes
    x = Tensor(np.random.default_rng(size).standard_normal(size).astype(dtype))

    def loss(x: Any) -> Any:
        return (program(x, far) * 0.5).sum()

    found = ms.jit(lambda x: program(x, far))(x), ms.jit(ms.grad(loss))(x)
    with ms.disable_jit():
        expected = program(x, far), ms.grad(loss)(x)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-4, 1e-5)


def test_neighbours_along_one_axis_are_shared() -> None:
    x = Tensor(np.ones(65536, np.float32))
    source = ms.jit(lambda x: ring(x, 3)).stages(x).program
    assert "shared 12\nflush\nover 65536\n" in source
    assert " within 1 65536\n" in source


def test_sums_along_one_axis_are_shared() -> None:
    x = Tensor(np.ones(49152, np.float32))
    source = ms.jit(ms.grad(lambda x, w: ops.logsumexp(x[:, None] * w, 1).mean(), (0, 1))).stages(
        x, Tensor(np.ones(5, np.float32))
    ).program  # fmt: skip
    assert "over 12 4096\n" in source
    assert "shared 12\n" in source


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("columns", [2, 3, 7])
def test_sums_of_unrolled_columns_are_shared(columns: int, dtype: Any) -> None:
    """Accumulators with gaps: each piece has all columns of them."""
    random = np.random.default_rng(columns)
    x, y = (Tensor(random.standard_normal((size, columns)).astype(dtype)) for size in (120, 1000))

    def energy(x: Any, y: Any) -> Any:
        d = x[:, None] - y[None]
        return ops.sqrt((d * d).sum(-1) + 0.1).mean()

    found = ms.grad(energy, (0, 1))
    source = found.stages(x, y).program
    assert "shared 12\n" in source
    expected = ms.jit(ms.grad(energy, (0, 1)), passes_off=["kernels"])(x, y)
    for one, other in zip(found(x, y), expected, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-4, 1e-6)


@pytest.mark.parametrize("first", ["%s: f32[] = sum(%x, axis=(0,), keepdims=False)", "%t: f32[65536] = negative(%x)"])
def test_what_does_not_fit_is_named(first: str) -> None:
    """Sums of long rows beside bounds: the node with which there are both, without which the others are a kernel."""
    nodes = [
        first,
        "%r: f32[65536] = roll(%x, shift=(1,), axis=(0,))",
        "%y: f32[65536] = multiply(%r, %x)",
        "%z: f32[] = max(%x, axis=(0,), keepdims=False)",
    ]
    outputs = ", ".join(f"%{node[1]}" for node in nodes)
    graph = parse("graph f(%x: f32[65536]) {\n" + "\n".join(nodes) + f"\nreturn {outputs}\n}}", prims.OPS)
    with pytest.raises(Unsupported, match="bounds") as caught:
        translate(graph)
    assert caught.value.final
    assert graph.nodes[caught.value.position or 0].output.name == ("r" if "sum" in first else "z")
