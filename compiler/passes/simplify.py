"""Algebraic simplification: a walk that replaces every node by an equal, cheaper value while any rule applies.

    %a: f32[4] = negative(%x)                %b: f32[4] = subtract(%y, %x)
    %b: f32[4] = add(%y, %a)

An op's own rules (`Op.rewrites`) see only the node; those of `algebra.py`, `choices.py`, `shapes.py`, `joined.py` and
`assigned.py` also see the producers of its inputs. Rules preserve nan, inf and types (a product with zero is not
replaced by zero); sums may be rounded in another order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ..ir.graph import Graph, Node
from ..ir.op import Op
from . import algebra, assigned, choices, joined, shapes, sparse_products
from .rewriter import Rewriter, Rule, Source


def simplify(graph: Graph) -> Graph:
    """Apply every rule to every node, also in sub-graphs."""
    rewriter = Rewriter(graph, lambda node: _rules_of(node.op, rewriter.sources(node)), simplify)
    for node in graph.nodes:
        rewriter.visit(node)
    return graph.with_nodes(tuple(rewriter.nodes), tuple(map(rewriter.current, graph.outputs)))


def simplifications(rewriter: Rewriter, node: Node) -> Sequence[Rule]:
    """The rules to try on a node."""
    return _rules_of(node.op, rewriter.sources(node))


@lru_cache(maxsize=4096)
def _rules_of(op: Op, sources: tuple[Source, ...]) -> Sequence[Rule]:
    tables = (sparse_products, algebra, choices, shapes, joined, assigned)
    return tuple(rule for table in tables for rule in table.RULES.of(op, sources))
