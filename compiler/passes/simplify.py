"""Algebraic simplification: a walk replaces each node by something equal and cheaper while any rule applies.

    %a: f32[4] = negative(%x)                %b: f32[4] = subtract(%y, %x)
    %b: f32[4] = add(%y, %a)

An op's own rules (`Op.rewrites`) see only the node; those of `algebra.py` also see what computes its inputs. Rules
keep nan, inf and types as they were (nothing becomes zero because it is multiplied by zero); sums may be rounded in
another order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..ir.graph import Graph, Node
from .algebra import BY_KIND, BY_OP
from .rewriter import Rewriter, Rule


def simplify(graph: Graph) -> Graph:
    """Apply every rule to every node, in sub-graphs too."""
    rewriter = Rewriter(graph, _rules, simplify)
    for node in graph.nodes:
        rewriter.visit(node)
    return replace(graph, nodes=tuple(rewriter.nodes), outputs=tuple(map(rewriter.current, graph.outputs)))


def _rules(node: Node) -> Sequence[Rule]:
    return (*BY_OP.get(node.op, ()), *BY_KIND.get(node.op.kind, ()))
