"""Rewrites of graphs: by one rule alone, and whether the graphs before and after give the same numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph, Node
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.values import Operand
from mycel.compiler.ir.verifier import verify
from mycel.compiler.passes.dce import eliminate_dead_code
from mycel.compiler.passes.rewriter import Rewriter, Rule, Rules


def by_name(rules: Rules) -> dict[str, Rule]:
    """The rules by their names."""
    return {rule.__name__: rule for table in (rules.by_op, rules.by_kind) for some in table.values() for rule in some}


def with_rule(rules: Rules, name: str, text: str) -> tuple[Graph, Graph, int]:
    """A graph, its rewriting by one rule alone, and how often the rule fired."""
    graph = verify(parse(f"graph f{text}", ops.OPS))
    tried = by_name(rules)[name]
    fired = 0

    def counted(rewriter: Rewriter, node: Node) -> Operand | None:
        nonlocal fired
        result = tried(rewriter, node)
        fired += result is not None
        return result

    def on(node: Node) -> Sequence[Rule]:
        return [counted] if tried in rules.of(node.op, rewriter.sources(node)) else []

    rewriter = Rewriter(graph, on, lambda inner: inner)
    for node in graph.nodes:
        rewriter.visit(node)
    outputs = tuple(map(rewriter.current, graph.outputs))
    result = verify(eliminate_dead_code(Graph("f", graph.parameters, tuple(rewriter.nodes), outputs)))
    return graph, result, fired


def assert_fires(rules: Rules, name: str, text: str) -> None:
    """A rule applies to a graph, and the result gives the same numbers."""
    before, after, fired = with_rule(rules, name, text)
    assert fired
    assert_alike(before, after)


def assert_stays(rules: Rules, name: str, text: str) -> None:
    """A rule does not apply to a graph."""
    assert not with_rule(rules, name, text)[2]


def arguments(graph: Graph) -> list[np.ndarray]:
    """Numbers for a graph's parameters; three for each size that only the run knows."""
    rng = np.random.default_rng(0)
    shapes = [tuple(3 if size is None else size for size in value.type.shape) for value in graph.parameters]
    drawn = [rng.uniform(0.5, 4.0, shape) * rng.choice((-1, 1), shape) for shape in shapes]
    return [array.astype(value.type.dtype.np) for array, value in zip(drawn, graph.parameters, strict=True)]


def assert_alike(before: Graph, after: Graph) -> None:
    arrays = arguments(before)
    for found, expected in zip(interpret(after, arrays), interpret(before, arrays), strict=True):
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=2e-3 if expected.dtype == np.float16 else 1e-5, atol=1e-5)
