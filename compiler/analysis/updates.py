"""Update analysis: the nodes of a program that only compute new numbers of Parameters, and so may run last."""

from __future__ import annotations

from collections.abc import Container, Mapping

from .. import ops
from ..ir.graph import Graph, Node
from ..ir.values import Literal, Operand, Value


def parameters_seen(graph: Graph) -> dict[Operand, frozenset[Value]]:
    """For each value the parameters whose memory it may share."""
    roots: dict[Operand, frozenset[Value]] = {value: frozenset((value,)) for value in graph.parameters}
    for node in graph.nodes:
        if node.op.separate:
            continue
        if node.op is ops.pack or node.op.kind == "view" or not (node.op.writes_out or node.op.holds_graphs):
            seen = frozenset().union(*[roots.get(operand, frozenset()) for operand in node.inputs])
            if seen:
                roots.update((value, seen) for value in node.outputs)
    return roots


def find_updates(graph: Graph, roots: Mapping[Operand, frozenset[Value]] | None = None) -> set[Node]:
    """The elementwise nodes that feed only donated outputs, and whose only large inputs are the parameters that these
    are written to. Groups that give such outputs may reduce, too; what others reduce would live until the end.

    Another input could share memory with a parameter that has been overwritten by then.
    """
    if not graph.donated:
        return set()
    roots = roots if roots is not None else parameters_seen(graph)
    written = {graph.parameters[parameter] for parameter in graph.donated.values()}
    written |= {node.output for node in graph.nodes if node.op is ops.pack and written.issuperset(node.inputs)}
    elsewhere: set[Operand] = {operand for i, operand in enumerate(graph.outputs) if i not in graph.donated}
    given = {graph.outputs[position] for position in graph.donated}
    updates: set[Node] = set()
    for node in reversed(graph.nodes):
        kinds = ("elementwise",) if given.isdisjoint(node.outputs) else ("elementwise", "reduction")
        movable = elsewhere.isdisjoint(node.outputs) and _cannot_fail(node, kinds)
        if movable and all(_harmless(operand, written, roots) for operand in node.inputs):
            updates.add(node)
        else:
            elsewhere.update(node.inputs)
    return updates


def _cannot_fail(node: Node, kinds: Container[str]) -> bool:
    """Whether a node is certain to be computed, if it is of one of these kinds or a group of such nodes."""
    if node.op.infallible or node.attrs.get("inside"):
        return True
    if node.op.holds_graphs:
        return node.op.is_group and all(_cannot_fail(inner, kinds) for inner in node.attrs["body"].nodes)
    return node.op.kind in kinds and node.op.writes_out and len(node.outputs) == 1 and node.output.type.is_static


def _harmless(operand: Operand, written: set[Value], roots: Mapping[Operand, frozenset[Value]]) -> bool:
    if isinstance(operand, Literal) or operand in written or operand.type.shape == ():
        return True
    return not roots.get(operand)
