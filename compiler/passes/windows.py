"""Producer cloning and algebra for padded reads, so that kernels read shifted inputs directly.

    %p: f32[6] = pad(%x, low=(1,), high=(1,))        %s: f32[4] = pad(%x, low=(1,), high=(-1,))
    %s: f32[4] = slice(%p, start=(0,), stop=(4,))    %y: f32[4] = tanh(%s)
    %y: f32[4] = tanh(%s)

The rules of `paddings.py`, `rolls.py` and `repeats.py` move paddings, rolls and copies next to the nodes that read
them. Then each elementwise reader gets a padding of its own, for its kernel. `place_windows` adds padded parts in place
that no kernel reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from .. import ops
from ..ir.graph import Graph, Node, walk
from ..ir.op import Op
from ..ir.values import Literal, Operand
from ..kernels import eligible
from . import paddings, repeats, rolls, small_integers
from .cloning import clone_producers
from .padded_states import carry_unpadded
from .paddings import is_widening, padded
from .rewriter import Rewriter, Rule, Source

TABLES = (paddings, rolls, repeats, small_integers)


def spread_windows(graph: Graph) -> Graph:
    """Place paddings next to the elementwise nodes that read them. Without machine code nothing changes."""
    if not (_is_concerned(graph) and eligible.is_available()):
        return graph
    graph = carry_unpadded(graph)
    rewriter = Rewriter(graph, lambda node: _rules_of(node.op, rewriter.sources(node)), spread_windows)
    return clone_producers(rewriter.run(), lambda node: bool(node.op.windows) and eligible.lane_bytes(node) is not None)


def _is_concerned(graph: Graph) -> bool:
    """Whether rules may apply. Most programs have no such nodes, and need no new graph."""
    given = graph.ops
    if any(op.windows is not None for op in given) or any(table.RULES.begin(given) for table in TABLES):
        return True
    return ops.cast in given and ops.slice in given and any(map(is_widening, walk(graph)))


@lru_cache(maxsize=4096)
def _rules_of(op: Op, sources: tuple[Source, ...]) -> Sequence[Rule]:
    """The rules to try on a node of an op whose inputs come from `sources`."""
    return tuple(rule for table in TABLES for rule in table.RULES.of(op, sources))


def place_windows(graph: Graph) -> Graph:
    """Add padded parts that no kernel reads in place, without the zeros around them."""
    if ops.pad not in graph.ops:
        return graph
    rewriter = Rewriter(graph, lambda node: (_placed,) if node.op is ops.add else (), place_windows)
    return rewriter.run(lambda op: op is ops.add)


def _placed(rewriter: Rewriter, node: Node) -> Operand | None:
    """x + pad(y) is x with y added in place."""
    for total, other in (node.inputs, node.inputs[::-1]):
        made = padded(rewriter, other)
        if made is None or not rewriter.used_once(other):
            continue
        if not total.type == node.output.type == other.type:  # one that is repeated is added in several places
            continue
        if isinstance(total, Literal) or min((*made.attrs["low"], *made.attrs["high"]), default=-1) < 0:
            continue
        sizes = made.inputs[0].type.static_shape
        if not made.inputs[0].type.size:
            continue
        spec = tuple((low, low + size, 1) for low, size in zip(made.attrs["low"], sizes, strict=True))
        return rewriter.make(ops.index_add, [total, made.inputs[0]], spec=spec)
    return None
