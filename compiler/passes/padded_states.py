"""Loop rotation: counted loops carry what they pad at the end of an iteration, and pad it where the next one reads it.

    %y: f32[6] = scan(20, %x) {              %v = add(slice(%x, …), slice(%x, …))
      %v = add(slice(%s, …), slice(%s, …))   %w: f32[4] = scan(19, %v) {
      return pad(%v, low=(1,), high=(1,))      %s: f32[6] = pad(%t, low=(1,), high=(1,))
    }                                          return add(slice(%s, …), slice(%s, …))
                                             }
                                             %y = pad(%w, low=(1,), high=(1,))

The kernels of an iteration then read shifted values, and none copies the state between its edges. The first iteration
stands before the loop. The second one does, too, if one state holds the previous value of another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.loops import INDEX, Loop
from ..ir.values import Literal, Operand, Value
from ..kernels import eligible
from .cloning import is_fusible
from .dce import eliminate_dead_code

MOST_FIRST = 2  # iterations before the loop

_Padded = dict[int, tuple[Node, int]]


def carry_unpadded(graph: Graph) -> Graph:
    """Rotate the loops of a graph, but not those in sub-graphs."""
    if ops.scan not in graph.ops or ops.pad not in graph.ops:
        return graph
    nodes = [made for node in graph.nodes for made in (_rotated(node) if node.op is ops.scan else [node])]
    return eliminate_dead_code(graph.with_nodes(tuple(nodes)))


def _rotated(node: Node) -> list[Node]:
    """The first iterations, the loop, and the paddings behind it; the node alone if it has no such states."""
    loop, body = Loop.of(node), node.attrs["body"]
    padded = {} if body.has_effect or body.holders else _padded(loop)
    first = max([depth for _, depth in padded.values()], default=0)
    if not first < (loop.length or 0) or not padded or body.outputs[loop.carried :] or loop.scanned:
        return [node]
    if body.readers.get(body.parameters[0]) or not isinstance(node.inputs[0], Literal):
        return [node]
    nodes: list[Node] = []
    state, carried, constants = loop.initial, [*loop.initial], node.inputs[loop.rows.stop :]
    for _ in range(first):
        given: dict[Operand, Operand] = dict(zip(body.parameters[1:], (*state, *constants), strict=True))
        for inner in body.nodes:
            outputs = tuple(Value(value.type, value.name) for value in inner.outputs)
            nodes.append(replace(inner, inputs=tuple(given.get(x, x) for x in inner.inputs), outputs=outputs))
            given.update(zip(inner.outputs, outputs, strict=True))
        state = tuple(given.get(value, value) for value in body.outputs)
        carried = _carried(loop, padded, given, carried)
    states = [*loop.states]
    for at in padded:
        states[at] = Value(carried[at].type, states[at].name)
    pads = [replace(made, inputs=(states[at],), outputs=(loop.states[at],)) for at, (made, _) in padded.items()]
    results = tuple(_carried(loop, padded, {}, states))
    parameters = (body.parameters[0], *states, *body.parameters[loop.rows.stop :])
    inside = replace(body.with_nodes((*pads, *body.nodes), results), parameters=parameters)
    length = (loop.length or 0) - first
    attrs = {**node.attrs, "body": inside, "length": length}
    new = make_node(node.op, (Literal(length, INDEX), *carried, *constants), attrs, node.location)
    values = [
        made if at in padded else old for at, (made, old) in enumerate(zip(new.outputs, node.outputs, strict=True))
    ]
    last = [replace(made, inputs=(values[at],), outputs=(node.outputs[at],)) for at, (made, _) in padded.items()]
    return [*nodes, replace(new, outputs=tuple(values)), *last]


def _carried(loop: Loop, padded: _Padded, given: Mapping[Operand, Operand], states: Sequence[Operand]) -> list[Operand]:
    """What the loop carries after an iteration before which it carried `states`. `given`: values for the body's own."""
    found: list[Operand] = []
    for at, value in enumerate(loop.body.outputs[: loop.carried]):
        if at in padded and value in loop.states:
            found.append(states[loop.states.index(value)])
        else:
            own = padded[at][0].inputs[0] if at in padded else value
            found.append(given.get(own, own))
    return found


def _padded(loop: Loop) -> _Padded:
    """The states that are a padding with zeros after some iterations: by position, the padding, and after how many."""
    body = loop.body
    found: _Padded = {}
    for depth in range(1, MOST_FIRST + 1):
        for at, value in enumerate(body.outputs[: loop.carried]):
            if value in loop.states:
                made, before = found.get(loop.states.index(value), (None, 0))
            else:
                made, before = _padding(body, value), 0
            shifted = all(map(_is_read_shifted, body.readers.get(loop.states[at], ())))
            if made is not None and before == depth - 1 and shifted:
                found[at] = made, depth
    return found


def _padding(body: Graph, value: Operand) -> Node | None:
    """The node that pads with zeros what a kernel computes, if it makes a value."""
    made = body.producers.get(value)
    if made is None or made.op is not ops.pad or eligible.lane_bytes(made) is None:
        return None
    whole = min(*made.attrs["low"], *made.attrs["high"]) >= 0
    return made if whole and is_fusible(body.producers.get(made.inputs[0])) else None


def _is_read_shifted(node: Node | None) -> bool:
    """Whether kernels may read a padding of a state, or it is the next state."""
    return node is None or node.op is ops.slice or is_fusible(node)
