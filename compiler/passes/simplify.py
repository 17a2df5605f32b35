"""Algebraic simplification: a walk that replaces every node by an equal, cheaper value while any rule applies.

    %a: f32[4] = negative(%x)                %b: f32[4] = subtract(%y, %x)
    %b: f32[4] = add(%y, %a)

An op's own rules (`Op.rewrites`) see only the node; those of `algebra.py`, `shapes.py`, `joined.py` and `assigned.py`
also see the producers of its inputs. Rules preserve nan, inf and types (a product with zero is not replaced by zero);
sums may be rounded in another order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from .. import ops
from ..ir.graph import Graph, Node
from ..ir.op import Op
from . import algebra, assigned, joined, shapes
from .one_hot import product_of_one_hot
from .rewriter import Rewriter, Rule


def simplify(graph: Graph) -> Graph:
    """Apply every rule to every node, also in sub-graphs."""
    rewriter = Rewriter(graph, _rules, simplify)
    for node in graph.nodes:
        rewriter.visit(node)
    return graph.with_nodes(tuple(rewriter.nodes), tuple(map(rewriter.current, graph.outputs)))


def _rules(node: Node) -> Sequence[Rule]:
    return _rules_of(node.op)


@lru_cache(maxsize=1024)
def _rules_of(op: Op) -> Sequence[Rule]:
    first = (product_of_one_hot,) if op is ops.matmul else ()
    return (*first, *algebra.RULES.of(op), *shapes.RULES.of(op), *joined.RULES.of(op), *assigned.RULES.of(op))
