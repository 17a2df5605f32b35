"""Which large products several threads share."""

from __future__ import annotations

import pytest

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.parser import parse
from mycel.compiler.passes import products
from mycel.compiler.transforms.symbolic import record


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
