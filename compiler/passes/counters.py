"""Counters of loops in 32 bits: kernels have numbers of one width, and other states are of 32 bits.

%n2: i64[] = scan(500, 0:i64) {          %m2: i32[] = scan(500, 0:i32) {
  %a: i64[] = add(%n, 1:i64)               %a: i32[] = add(%m, 1:i32)
  %b: i64[] = select(%c, %a, %n)           %b: i32[] = select(%c, %a, %m)
}                                        }
                                         %n2: i64[] = cast(%m2, dtype=i64)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...runtime.dtypes import int32, int64
from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.loops import Loop
from ..ir.subgraphs import map_subgraphs
from ..ir.types import TensorType
from ..ir.values import Literal, Operand, Value, literal
from .dce import eliminate_dead_code

LARGEST = 1 << 31


def narrow_counters(graph: Graph) -> Graph:
    """Replace states of loops that start with a number and change by a few in each iteration."""
    if all(op.kind != "loop" for op in graph.ops):
        return graph
    nodes: list[Node] = []
    mapping: dict[Operand, Operand] = {}
    for node in graph.nodes:
        node = map_subgraphs(node.with_inputs(mapping.get(x, x) for x in node.inputs), narrow_counters)
        nodes += _narrowed(node, mapping) if node.op.kind == "loop" else [node]
    return graph.with_nodes(tuple(nodes), tuple(mapping.get(x, x) for x in graph.outputs))


def _narrowed(node: Node, mapping: dict[Operand, Operand]) -> list[Node]:
    """A loop with counters of 32 bits, and the casts behind it, which `mapping` gets."""
    loop = Loop.of(node)
    made: dict[Operand, Node] = {each.output: each for each in loop.body.nodes if len(each.outputs) == 1}
    counters = [number for number in range(loop.carried) if _is_counter(loop, number, made)]
    if not counters:
        return [node]
    inputs, parameters, nodes = list(node.inputs), list(loop.body.parameters), list[Node]()
    small: dict[Operand, Operand] = {}
    wide: dict[Operand, Operand] = {}
    for number in counters:
        state = loop.states[number]
        small[state] = parameters[loop.first + number] = Value(TensorType(int32, ()), state.name)
        nodes.append(make_node(ops.cast, (small[state],), {"dtype": int64}, node.location))
        wide[state] = nodes[-1].output
        inputs[loop.first + number] = literal(_whole(loop.initial[number]) or 0, int32)
    twins = {each for number in counters for each in _chain(loop.body.outputs[number], loop.states[number], made)}
    for each in loop.body.nodes:
        if _may_read_32_bits(each, small):
            nodes.append(each.with_inputs(_in_32_bits(x, small) for x in each.inputs))
            continue
        nodes.append(each.with_inputs(wide.get(x, x) for x in each.inputs))
        if each in twins:
            inner = [_in_32_bits(x, small) for x in each.inputs]
            nodes.append(make_node(each.op, inner, each.attrs, each.location))
            small[each.output] = nodes[-1].output
    outputs = [small[x] if k in counters else wide.get(x, x) for k, x in enumerate(loop.body.outputs)]
    new = replace(loop.body, parameters=tuple(parameters), nodes=tuple(nodes), outputs=tuple(outputs))
    attrs = {**node.attrs, "body": eliminate_dead_code(new)}
    if loop.test is not None:
        assert loop.again is not None
        attrs["test"] = replace(loop.test, parameters=tuple(parameters), outputs=(parameters[loop.again],))
    found = [make_node(node.op, tuple(inputs), attrs, node.location)]
    mapping.update(zip(node.outputs, found[0].outputs, strict=True))
    for number in counters:
        found.append(make_node(ops.cast, (found[0].outputs[number],), {"dtype": int64}, node.location))
        mapping[node.outputs[number]] = found[-1].output
    return found


def _is_counter(loop: Loop, number: int, made: dict[Operand, Node]) -> bool:
    """Whether a state stays within 32 bits."""
    state, start = loop.states[number], _whole(loop.initial[number])
    step = _step(loop.body.outputs[number], state, made) if state.type == TensorType(int64, ()) else None
    if step is None or start is None:
        return False
    low, high = step
    output = loop.body.outputs[number]
    # What is computed on the way is this far at most; and so is the last value, which a test of the one before allows.
    aside = sum(abs(_whole(node.inputs[1]) or 0) for node in _chain(output, state, made) if node.op is ops.add)
    if loop.test is None:
        length = loop.length or LARGEST
        return start + low * length - aside > -LARGEST and start + high * length + aside < LARGEST
    limit = None if loop.again is None else _limit(loop.body.outputs[loop.again], (state, output), made)
    return limit is not None and low >= 0 and start - aside > -LARGEST and max(start, limit) + high + aside < LARGEST


def _whole(operand: Operand) -> int | None:
    """The integer that an operand is; None for others."""
    return operand.value if isinstance(operand, Literal) and isinstance(operand.value, int) else None


def _limit(test: Operand, counter: Sequence[Operand], made: dict[Operand, Node]) -> int | None:
    """A number that a counter does not exceed where a test holds; None if there is none."""
    node = made.get(test)
    if node is not None and node.op is ops.logical_and:
        return next((found for x in node.inputs if (found := _limit(x, counter, made)) is not None), None)
    small = node is not None and node.op is ops.less and node.inputs[0] in counter
    return _whole(node.inputs[1]) if node is not None and small else None


def _step(operand: Operand, state: Value, made: dict[Operand, Node]) -> tuple[int, int] | None:
    """How much an operand is more than a state, at least and at most; None if that is not known."""
    node = made.get(operand)
    if operand is state or node is None:
        return (0, 0) if operand is state else None
    if node.op is ops.select:
        one, other = (_step(x, state, made) for x in node.inputs[1:])
        return None if one is None or other is None else (min(one[0], other[0]), max(one[1], other[1]))
    change = _whole(node.inputs[1]) if node.op is ops.add else None
    step = None if change is None else _step(node.inputs[0], state, made)
    return None if step is None or change is None else (step[0] + change, step[1] + change)


def _chain(operand: Operand, state: Value, made: dict[Operand, Node]) -> list[Node]:
    """The nodes that `_step` looks at."""
    if operand is state or operand not in made:
        return []
    node = made[operand]
    return [node, *[each for x in node.inputs[node.op is ops.select :] for each in _chain(x, state, made)]]


def _may_read_32_bits(node: Node, small: dict[Operand, Operand]) -> bool:
    """Whether a node casts a counter, or compares it with a number."""
    if node.op is ops.cast:
        return node.inputs[0] in small
    compares = node.op.kind == "elementwise" and len(node.inputs) == 2 and node.output.type.dtype.is_bool
    number = _whole(node.inputs[1]) if compares and node.inputs[0] in small else None
    return number is not None and -LARGEST <= number < LARGEST


def _in_32_bits(operand: Operand, small: dict[Operand, Operand]) -> Operand:
    """An operand of a counter's node."""
    number = _whole(operand)
    return literal(number, int32) if number is not None else small.get(operand, operand)
