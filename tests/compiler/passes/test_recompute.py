"""Values that the backward pass computes again: which, the same numbers, and the memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops
from mycel.compiler import ops as compiler_ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes import recompute

RNG = np.random.default_rng(0)


def normal(*shape: int) -> Tensor:
    return Tensor(RNG.standard_normal(shape).astype(np.float32))


X, W, V, U, T = (normal(rows, 16) for rows in (12, 16, 16, 16, 12))


def gelus(x: Tensor, w: Tensor, v: Tensor) -> Tensor:
    """What follows from the products is kept; only they are."""
    return (ops.gelu(ops.gelu(x @ w, approximate="none") @ v, approximate="none") @ U).sum()


def norms(x: Tensor, w: Tensor, v: Tensor) -> Tensor:
    """A normalization keeps the differences from the mean."""
    y = ops.layer_norm(x @ w, (16,), ops.ones(16), ops.zeros(16))
    return ops.square(y @ v).sum()


def views(x: Tensor, w: Tensor, v: Tensor) -> Tensor:
    """Products read transposed and reshaped values."""
    y = ops.gelu(x @ w, approximate="none").reshape(4, 3, 16)
    z = ops.gelu(y @ v, approximate="none").transpose(2, 0, 1)
    return ops.square(z.reshape(16, 12) @ T).sum()


def relus(x: Tensor, w: Tensor, v: Tensor) -> Tensor:
    """Of what follows from a product one value is kept: to keep the product saves nothing."""
    return (ops.relu(x @ w) @ v).sum()


def kept(x: Tensor, w: Tensor, v: Tensor) -> Any:
    """A result is there anyway; what else the backward pass reads is computed again."""
    y = ops.gelu(x @ w, approximate="none")
    return (y @ v).sum(), y


def looped(x: Tensor, w: Tensor, v: Tensor) -> Tensor:
    """A branch of the data reads what is computed again."""
    y = ops.gelu(x @ w, approximate="none")
    z = y @ v
    if z.sum() > 0:
        z = z * y
    return ops.square(z).sum()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small values count as large ones, whatever they cost."""
    monkeypatch.setattr(recompute, "LEAST", 1)
    monkeypatch.setattr(recompute, "ENOUGH", 1)
    monkeypatch.setattr(recompute, "SHARE", 1e9)


def barriers(graph: Graph) -> int:
    return sum(node.op is recompute.ops.barrier for node in graph.nodes)


FUNCTIONS = [(gelus, 2), (norms, 1), (views, 2), (relus, 0), (kept, 1), (looped, 1)]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("function", "leaves"), FUNCTIONS)
def test_numbers_and_what_is_read_again(function: Any, leaves: int) -> None:
    gradient = ms.value_and_grad(function, (0, 1, 2), has_aux=function is kept)
    compiled = [ms.jit(lambda *x: gradient(*x), passes_off=off) for off in ([], ["recompute"])]
    passes = compiled[0].stages(X, W, V).passes
    assert "recompute" not in compiled[1].stages(X, W, V).passes
    assert barriers(verify(passes["recompute"])) == leaves
    found, expected = (_flat(each(X, W, V)) for each in compiled)
    assert len(found) == len(expected) >= 4
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def _flat(result: Any) -> list[np.ndarray]:
    return [result.asnumpy()] if isinstance(result, Tensor) else [array for each in result for array in _flat(each)]


EARLY_VIEW = """graph f(%x: f32[4, 4], %w: f32[4, 4], %l: f32[4, 4, 4]) {
  %u: f32[4, 4] = matmul(%x, %w)
  %v: f32[16] = reshape(%u, shape=(16,))
  %a: f32[16] = sin(%v)
  %b: f32[16] = cos(%v)
  %a2: f32[4, 4] = reshape(%a, shape=(4, 4))
  %b2: f32[4, 4] = reshape(%b, shape=(4, 4))
  %v2: f32[4, 4] = reshape(%v, shape=(4, 4))
  %p: f32[4, 4] = matmul(%a2, %b2)
  %q: f32[4, 4] = matmul(%p, %p)
  %r: f32[4, 4] = matmul(%q, %v2)
  %s: f32[4, 4] = matmul(%a2, %r)
  %t: f32[4, 4] = matmul(%b2, %s)
  return %t
}"""
SMALL_LEAF = """graph f(%x: f32[4, 4], %w: f32[4, 4], %l: f32[4, 4, 4]) {
  %u: f32[4, 4, 4] = matmul(%l, %w)
  %k: f32[4, 4] = matmul(%x, %w)
  %j: f32[4, 4, 4] = add(%u, %k)
  %a: f32[4, 4, 4] = sin(%j)
  %b: f32[4, 4] = cos(%k)
  %c: f32[4, 4] = sin(%k)
  %d: f32[4, 4] = matmul(%b, %c)
  %e: f32[4, 4, 4] = matmul(%a, %d)
  %m: f32[4, 4, 4] = matmul(%e, %d)
  %n: f32[4, 4, 4] = matmul(%m, %m)
  %o: f32[4, 4, 4] = matmul(%n, %a)
  %p: f32[4, 4, 4] = matmul(%o, %u)
  %q: f32[4, 4, 4] = matmul(%p, %b)
  %r: f32[4, 4, 4] = matmul(%q, %c)
  return %r
}"""


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("text", [EARLY_VIEW, SMALL_LEAF])
def test_copies_are_read_behind_their_places(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others read a view before what is computed from it, or compute from what is small for them."""
    monkeypatch.setattr(recompute, "SMALL", 4)
    graph = verify(parse(text, compiler_ops.OPS))
    made = verify(recompute.recompute_values(graph))
    assert barriers(made) == (1 if text is EARLY_VIEW else 2)
    inputs = [normal(4, 4).asnumpy(), normal(4, 4).asnumpy(), normal(4, 4, 4).asnumpy()]
    np.testing.assert_array_equal(interpret(made, inputs)[0], interpret(graph, inputs)[0])


@pytest.mark.usefixtures("small")
def test_a_forward_pass_is_left() -> None:
    compiled = ms.jit(gelus)
    passes = compiled.stages(X, W, V).passes
    names = list(passes)
    assert passes["recompute"] is passes[names[names.index("recompute") - 1]]


def test_costly_values_and_small_graphs_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recompute, "LEAST", 1)
    for most, share in ((1 << 30, 1e9), (1, 0.0)):
        monkeypatch.setattr(recompute, "ENOUGH", most)
        monkeypatch.setattr(recompute, "SHARE", share)
        compiled = ms.jit(ms.grad(gelus, (0, 1, 2)))
        assert barriers(compiled.stages(X, W, V).passes["recompute"]) == 0


def test_memory() -> None:
    """Ten layers, most of which keep 8 MB of a product, not 16 of what follows from it."""
    layers = nn.SequentialCell([one for _ in range(10) for one in (nn.Dense(1024, 1024), nn.GELU(False))])
    gradient = ms.grad(lambda x: ops.square(layers(x)).sum(), None, layers.trainable_params())
    x = normal(2048, 1024)
    peaks = [ms.jit(lambda x: gradient(x), passes_off=off).stages(x).plan.nbytes for off in ([], ["recompute"])]
    assert peaks[0] < 0.85 * peaks[1]
    assert peaks[1] > 150 << 20
