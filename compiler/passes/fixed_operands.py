"""Loop-invariant code motion of parts of nodes: ops whose first operand is the same again and again are divided.

    %y = scan(30, %x, %a) {                   %c = inverse(%a)
      %x = solve(%a, %x)                      %y = scan(30, %x, %c) {
      return %x                                 %x = matmul(%c, %x)
    }                                           return %x
                                              }

An op says how in its record: `Op.with_fixed`. The part that depends on this operand alone leaves the loop later, or is
merged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from ..ir.graph import Graph, Node, walk
from ..ir.loops import Loop
from ..ir.values import Operand
from .lower import lower

FEWEST = 4  # iterations, or nodes that read one operand


def divide_by_fixed(graph: Graph) -> Graph:
    """Divide nodes whose first operand is a constant of a counted loop, or the first operand of several."""
    if not any(op.with_fixed for op in graph.ops):
        return graph
    reads: Counter[Operand] = Counter()
    for node in walk(graph):
        if node.op.with_fixed:
            reads[node.inputs[0]] += 1
        if node.op.kind == "loop":
            loop = Loop.of(node)
            reads.update(dict.fromkeys(loop.body.parameters[loop.rows.stop :], loop.length or 0))

    def definition(node: Node) -> Callable[..., Any] | None:
        return node.op.with_fixed if node.inputs and reads[node.inputs[0]] >= FEWEST else None

    return lower(graph, definition=definition)
