"""Stacks of counted loops: a loop stacks each state once, a kernel copies it there, and casts follow the loop.

    %ys = scan(8, %xs) {                     %ts = scan(8, %xs) {
      %t: i32[4] = ...                         %t: i32[4] = ...
      %y: i64[4] = cast(%t)                    return %t
      return %y                              }
    }                                        %ys: i64[8, 4] = cast(%ts)

A cast that kernels do not have would be a call of NumPy in every iteration, and so would a copy to a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .. import ops
from ..ir.graph import Graph, Node, make_node, uses
from ..ir.loops import Loop
from ..ir.naming import take_name
from ..ir.values import Operand, Value
from ..kernels import eligible
from ..ops.shape import insert_axes
from ..ops.slicing import slice_axis
from ..transforms.symbolic import Recorder, Symbol
from .dce import eliminate_dead_code

LARGE = 1 << 14  # bytes of a stack


def arrange_stacks(graph: Graph) -> Graph:
    """Arrange what the counted loops of a graph stack; not those in sub-graphs."""
    if not any(node.op.kind == "loop" for node in graph.nodes):
        return graph
    nodes: list[Node] = []
    mapping: dict[Operand, Operand] = {}
    for node in graph.nodes:
        if mapping and any(operand in mapping for operand in node.inputs):
            node = node.with_inputs(mapping.get(operand, operand) for operand in node.inputs)
        if node.op is not ops.scan:
            nodes.append(_with_moves(node) if node.op.kind == "loop" else node)
            continue
        new, behind = _without_casts(node, mapping)
        nodes += [_with_moves(_with_copies(new)), *_states_once(node, new, mapping), *behind]
    graph = graph.with_nodes(tuple(nodes), tuple(mapping.get(operand, operand) for operand in graph.outputs))
    return eliminate_dead_code(graph)


def _states_once(node: Node, new: Node, mapping: dict[Operand, Operand]) -> list[Node]:
    """Nodes that make the stack of a state before each iteration of that after each one, if a loop has both: they are
    parts of one tensor."""
    loop, recorder = Loop.of(new), Recorder("")
    recorder.locate = lambda: node.location
    outputs = list(loop.body.outputs)
    with recorder:
        for start, state, result in zip(
            new.inputs[1:], loop.body.parameters[1:], outputs[: loop.carried], strict=False
        ):
            if state is result or not {state, result} <= {*outputs[loop.carried :]}:
                continue
            before, after = (outputs.index(one, loop.carried) for one in (state, result))
            type = new.outputs[after].type
            if type.is_static and type.nbytes >= LARGE and isinstance(start, Value):
                parts = [insert_axes(Symbol(start, recorder), (0,)), Symbol(new.outputs[after], recorder)]
                whole = ops.concatenate(*(parts[::-1] if loop.reverse else parts), axis=0)
                first = int(loop.reverse)
                part = slice_axis(whole, 0, first, first + type.static_shape[0])
                mapping[node.outputs[before]] = recorder.lift(part)
    return recorder.nodes


def _without_casts(node: Node, mapping: dict[Operand, Operand]) -> tuple[Node, list[Node]]:
    """A loop that stacks what it would cast to longer elements, or give another shape, and the nodes that do that
    behind it; `mapping` gets the values that they make."""
    loop = Loop.of(node)
    producers: dict[Operand, Node] = {value: inner for inner in loop.body.nodes for value in inner.outputs}
    counts, outputs = uses(loop.body), list(loop.body.outputs)
    moved: list[int] = []
    for position in range(loop.carried, len(outputs)):
        value = outputs[position]
        if not isinstance(value, Value):
            continue
        cast = producers.get(value)
        if cast is None or len(cast.inputs) != 1 or cast.inputs[0] not in producers:
            continue
        alone = value not in outputs[: loop.carried] and node.outputs[position].type.is_static
        if cast.op is ops.reshape and alone and not _is_part(cast.inputs[0], producers):
            outputs[position] = cast.inputs[0]
            moved.append(position)
        elif cast.op is not ops.cast or counts[value] != 1:
            continue
        elif cast.inputs[0].type.dtype.bits < value.type.dtype.bits and eligible.lane_bytes(cast) is None:
            outputs[position] = cast.inputs[0]
            moved.append(position)
    if not moved:
        return node, []
    body = eliminate_dead_code(loop.body.with_nodes(loop.body.nodes, tuple(outputs)))
    new = make_node(node.op, node.inputs, {**node.attrs, "body": body}, node.location)
    casts = []
    for position, (old, value) in enumerate(zip(node.outputs, new.outputs, strict=True)):
        take_name(value, old)
        mapping[old] = value
        if position in moved:
            if old.type.dtype is value.type.dtype:
                cast = make_node(ops.reshape, (value,), {"shape": old.type.static_shape}, node.location)
            else:
                cast = make_node(ops.cast, (value,), {"dtype": old.type.dtype}, node.location)
            take_name(cast.output, old)
            mapping[old] = cast.output
            casts.append(cast)
    return new, casts


def _with_copies(node: Node) -> Node:
    """A counted loop in which kernels stack the values that come into an iteration, the state that leaves it, and
    views of parts."""
    body, carried = node.attrs["body"], node.attrs["carried"]
    producers: dict[Operand, Node] = {value: inner for inner in body.nodes for value in inner.outputs}
    outputs = list(body.outputs)
    first: list[Node] = []
    last: list[Node] = []
    for position in range(carried, len(outputs)):
        given = outputs[position]
        comes_in = given in body.parameters
        copy = make_node(ops.copy, (given,), {}, node.location)
        lies_elsewhere = comes_in or given in outputs[:carried] or _is_part(given, producers)
        if not lies_elsewhere or eligible.lane_bytes(copy) is None:
            continue
        take_name(copy.output, given)
        (first if comes_in else last).append(copy)
        outputs[position] = copy.output
    if not first and not last:
        return node
    body = body.with_nodes((*first, *body.nodes, *last), tuple(outputs))
    return replace(node, attrs={**node.attrs, "body": body})


def _with_moves(node: Node) -> Node:
    """A loop in which kernels move a state to another one, as soon as nothing reads that any more, and copy the states
    that leave an iteration as views of parts."""
    body, states = node.attrs["body"], Loop.of(node).states
    outputs, nodes = list(body.outputs), list(body.nodes)
    producers: dict[Operand, Node] = {value: inner for inner in nodes for value in inner.outputs}
    for position, state in enumerate(states):
        given = outputs[position]
        copy = make_node(ops.copy, (given,), {}, node.location)
        moves = _is_part(given, producers) or (given is not state and given in states)
        if not moves or eligible.lane_bytes(copy) is None:
            continue
        readers = [number for number, inner in enumerate(nodes) if state in inner.inputs or inner.op.holds_graphs]
        made = nodes.index(producers[given]) if given in producers else -1
        nodes.insert(max([made, *readers]) + 1, copy)
        take_name(copy.output, given)
        outputs[position] = copy.output
    return replace(node, attrs={**node.attrs, "body": body.with_nodes(tuple(nodes), tuple(outputs))})


def _is_part(operand: Operand, producers: Mapping[Operand, Node]) -> bool:
    """Whether a value is a view of a part of another, or in another order."""
    made = producers.get(operand)
    while made is not None and made.op.kind == "view":
        if not made.op.keeps_order:
            return True
        made = producers.get(made.inputs[0])
    return False
