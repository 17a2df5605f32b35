"""Alias separation: large arguments that updates of Parameters read share no memory with these Parameters.

    %a = multiply(%g, 0.1)                       %h = apart(%g, %p, %q)
    %b = subtract(%p, %a)                        %a = multiply(%h, 0.1)
                                                 %b = subtract(%p, %a)

An argument may be a view of a Parameter. Then it has other numbers once the Parameter is written, so nodes that read it
cannot be among the updates, which run last and write in place. An optimizer that is called with gradients would compute
all that depends on them first, in arrays of its own. The run looks at the addresses, in less than a microsecond for
each Parameter, and copies an argument that is such a view.
"""

from __future__ import annotations

from .. import ops
from ..analysis.updates import find_updates, parameters_seen
from ..ir.graph import Graph, make_node
from ..ir.naming import take_name
from ..ir.values import Operand, Value

LEAST = 1 << 12  # elements of an argument for each Parameter that is written, from which on this pays


def separate_arguments(graph: Graph) -> Graph:
    """Compare the addresses of arguments that would be read by updates if they were no views of Parameters."""
    written = [graph.parameters[position] for position in graph.donated.values()]
    least = LEAST * len(written)
    large = {x for x in graph.parameters if x.type.is_static and x.type.size >= least}.difference(written)
    if not written or not large:
        return graph
    roots = parameters_seen(graph)
    known = find_updates(graph, roots)
    possible = find_updates(graph, {operand: seen - large for operand, seen in roots.items()})
    read = {x for node in possible - known for operand in node.inputs for x in roots.get(operand, ())} & large
    if not read:
        return graph
    apart: dict[Operand, Value] = {}
    nodes = []
    for x in graph.parameters:
        if x in read:
            nodes.append(make_node(ops.apart, (x, *written), {}, None))
            apart[x] = nodes[-1].output
            take_name(apart[x], x)
    for node in graph.nodes:
        inputs = [apart.get(operand, operand) for operand in node.inputs]
        nodes.append(node.with_inputs(inputs) if inputs != list(node.inputs) else node)
    return graph.with_nodes(tuple(nodes))
