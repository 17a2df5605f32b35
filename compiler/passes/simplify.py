"""Algebraic simplification: a walk that replaces every node by an equal, cheaper value while any rule applies.

    %a: f32[4] = negative(%x)                %b: f32[4] = subtract(%y, %x)
    %b: f32[4] = add(%y, %a)

An op's own rules (`Op.rewrites`) see only the node; those of `algebra.py`, `axis_sums.py`, `choices.py`, `shapes.py`,
`joined.py`, `masked.py` and `assigned.py` also see the producers of its inputs. Rules preserve nan, inf and types (a
product with zero is not replaced by zero); sums may be rounded in another order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from ..ir.graph import Graph, Node
from ..ir.op import Op
from . import algebra, assigned, axis_sums, choices, joined, masked, shapes, sparse_products
from .rewriter import Rewriter, Rule, tried_on


def simplify(graph: Graph) -> Graph:
    """Apply every rule to every node, also in sub-graphs."""
    rewriter = Rewriter(graph, lambda node: rules((node.op, *map(source, node.inputs))), simplify)
    source, rules = rewriter.source.__getitem__, _RULES.__getitem__
    return rewriter.run()


def simplifications(rewriter: Rewriter, node: Node) -> Sequence[Rule]:
    """The rules to try on a node."""
    return _RULES.__getitem__((node.op, *rewriter.sources(node)))


class _Rules(dict[tuple[Any, ...], Sequence[Rule]]):
    """The rules for an op, and what the inputs of a node come from."""

    def __missing__(self, key: tuple[Any, ...]) -> Sequence[Rule]:
        found = tried_on(_written(key[0]), key[1:])
        if len(self) >= MOST_KNOWN:
            self.clear()
        self[key] = found
        return found


@cache
def _written(op: Op) -> tuple[Rule, ...]:
    """The rules of all files for nodes of an op."""
    tables = (sparse_products, algebra, axis_sums, choices, shapes, joined, masked, assigned)
    return tuple([rule for table in tables for rule in table.RULES.written(op)])


MOST_KNOWN = 4096
_RULES = _Rules()
