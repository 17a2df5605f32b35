"""Which large products several threads share, and which products of short rows are sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops as functions
from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.passes import products
from mycel.compiler.transforms.symbolic import record
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.machine.product import has_wide_code


@pytest.mark.parametrize(
    ("types", "threads"),
    [
        (("f32[64, 64]", "f32[64, 64]"), 3), (("f64[64, 64]", "f64[64, 64]"), 3),
        (("f32[2, 64, 64]", "f32[64, 64]"), 3),
        (("f16[64, 64]", "f16[64, 64]"), 1), (("f32[64, 64]", "f32[64]"), 1), (("f32[64]", "f32[64, 64]"), 1),
        (("f32[4, 4]", "f32[4, 4]"), 1),
    ],
)  # fmt: skip
def test_large_products_are_shared(types: tuple[str, str], threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PARALLEL_FLOPS", "TEAM_FLOPS"):
        monkeypatch.setattr(products, name, 2 * 64**3 // 3 - 1)
    monkeypatch.setattr(products.sharing, "threads", lambda: 3, raising=False)
    graph = record_product(*types)
    (node,) = products.share_products(graph).nodes
    assert node.op.name == ("shared_matmul" if threads > 1 else "matmul")
    assert node.attrs.get("threads", 1) == threads
    monkeypatch.setattr(products.sharing, "threads", lambda: 1, raising=False)
    assert products.share_products(graph) is graph


def record_product(a: str, b: str) -> Graph:
    """The graph of one product."""
    types = [parse(f"graph t(%x: {type}) {{ return %x }}", ops.OPS).parameters[0].type for type in (a, b)]
    return record("product", types, lambda x, y: ops.matmul(x, y))


def layers(x: Any, a: Any, b: Any, c: Any, m: Any = functions) -> Any:
    """A layer of a few units between single numbers, or more."""
    return (m.square(m.tanh(x @ a + b) @ c)).sum()


def turned(x: Any, a: Any, b: Any, c: Any, m: Any = functions) -> Any:
    """Rows added up, as vectors and as matrices, with factors from other rows."""
    rows = m.tanh(x @ a + b)
    return (m.square(x[:, 0] @ rows) + (rows.T @ x)[:, 0]).sum() + (x.T @ rows * c.reshape((-1,))).sum()


def kept(x: Any, a: Any, b: Any, c: Any, m: Any = functions) -> Any:
    """Rows that a product reads, too."""
    rows = m.tanh(x @ a + b)
    return m.square(rows @ c).sum() + m.square(rows.T @ rows).sum()


@pytest.mark.parametrize("is_vector", [False, True])
@pytest.mark.parametrize(
    ("function", "shape", "is_sum"),
    [
        (layers, (2048, 1, 8), True), (layers, (9001, 1, 3), True), (layers, (1000, 1, 9), False),
        (layers, (100, 1, 4), False), (layers, (2048, 3, 4), False), (turned, (3001, 1, 5), True),
        (kept, (2048, 1, 4), False),
    ],
)  # fmt: skip
def test_short_rows_are_summed_where_they_are_computed(
    function: Callable[..., Any], shape: tuple[int, int, int], is_sum: bool, is_vector: bool
) -> None:
    """Values and gradients are right, and only rows that are stored anyway are multiplied."""
    rows, inner, columns = shape
    draw = np.random.default_rng(0).normal
    given = [draw(size=(rows, inner)), draw(size=(inner, columns)), draw(size=columns)]
    given.append(draw(size=columns if is_vector else (columns, 1)))
    tensors = [Tensor(each) for each in given]
    gradient = ms.value_and_grad(function, (0, 1, 2, 3))
    value, slopes = gradient(*tensors)
    np.testing.assert_allclose(value.asnumpy(), function(*given, m=np), rtol=1e-10)
    for number, slope in enumerate(slopes):
        step = draw(size=given[number].shape)
        moved = [[*given[:number], given[number] + far * step, *given[number + 1 :]] for far in (1e-6, -1e-6)]
        values = [function(*each, m=np) for each in moved]
        expected = (values[0] - values[1]) / 2e-6
        np.testing.assert_allclose((slope.asnumpy() * step).sum(), expected, rtol=1e-6, atol=1e-5)
    assert (" = matmul(" not in str(gradient.stages(*tensors).optimized)) == (is_sum and unavailable() is None)


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
def test_short_rows_that_follow_from_others_are_summed_with_wide_vectors() -> None:
    draw = np.random.default_rng(0).normal
    given = [draw(size=shape) for shape in ((2048, 3), (3, 7), (7,), (7, 1))]
    tensors = [Tensor(each) for each in given]
    compiled = ms.jit(layers)
    np.testing.assert_allclose(compiled(*tensors).asnumpy(), layers(*given, m=np), rtol=1e-10)
    assert str(compiled.stages(*tensors).optimized).count(" = matmul(") == (1 if has_wide_code() else 2)


@pytest.mark.parametrize(
    ("types", "many"),
    [
        (("f32[1200, 3]", "f32[3, 3]"), True), (("f64[3, 400, 2]", "f64[2, 4]"), True),
        (("f32[900, 3]", "f32[3, 3]"), False), (("f32[1200, 3]", "f32[3, 5]"), False),
        (("f32[1200, 9]", "f32[9, 2]"), False), (("f16[1200, 3]", "f16[3, 3]"), False),
    ],
)  # fmt: skip
def test_products_of_many_short_rows_are_columns(types: tuple[str, str], many: bool) -> None:
    graph = record_product(*types)
    found = products.arrange_products(graph)
    assert (found.nodes[-1].op is ops.concatenate) == (many and unavailable() is None)
    generator = np.random.default_rng(0)
    x, y = (generator.standard_normal(value.type.static_shape) for value in graph.parameters)
    arrays = [x.astype(value.type.dtype.np) for x, value in zip((x, y), graph.parameters, strict=True)]
    np.testing.assert_allclose(interpret(found, arrays)[0], interpret(graph, arrays)[0], 1e-5, 1e-5)
    assert found.nodes[-1].output.type == graph.nodes[-1].output.type
