"""Sinking of checks: what iterations of a loop assert is asserted once, behind it, so that kernels may compute them.

    %y = scan(9, %x) {                         %y, %held = scan(9, %x, True) {
      assert_(%c)                                %both = logical_and(%held, %c)
      return %h                                  return %h, %both
    }                                          }
                                               assert_(%held)

A loop that a test ends also ends where a check fails. Of several checks those of the iteration count in which the first
one fails. Checks whose texts have operands stay, and so do those beside effects, and beside what may raise another
error first, or may never end where a check fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import TypeVar

from .. import ops
from ..ir.graph import Graph, Node, make_node
from ..ir.loops import Loop
from ..ir.op import Op
from ..ir.subgraphs import map_subgraphs
from ..ir.values import Operand, Value, literal
from ..ops.control import BOOL

T = TypeVar("T")
TRUE = literal(True, BOOL.dtype)


def sink_checks(graph: Graph, inside: bool = False) -> Graph:
    """Move checks behind loops, and inside of these behind branches."""
    if ops.assert_ not in graph.ops:
        return graph
    nodes: list[Node] = []
    for node in graph.nodes:
        loop = node.op.kind == "loop"
        node = map_subgraphs(node, partial(sink_checks, inside=inside or loop))
        if loop:
            nodes += _behind_loop(node)
        elif inside and node.op.kind == "branch":
            nodes += _behind_branch(node)
        else:
            nodes.append(node)
    return graph.with_nodes(tuple(nodes))


def _is_check(node: Node) -> bool:
    return node.op is ops.assert_ and len(node.inputs) == 1


def _is_silent(node: Node) -> bool:
    """Whether a node has no effect, ends for any numbers, and raises nothing, but for checks."""
    if node.op.kind == "loop" and Loop.of(node).test is not None:
        return False
    if node.op.kind in ("branch", "loop"):
        return all(_is_silent(inner) for graph in node.subgraphs for inner in graph.nodes)
    return _is_check(node) or node.is_speculatable or not (node.inputs or node.op.has_effect)


def _checks(graph: Graph) -> list[Node]:
    """The checks of a graph that may be moved behind it."""
    return [node for node in graph.nodes if _is_check(node)] if all(map(_is_silent, graph.nodes)) else []


def _flags(checks: Sequence[Node]) -> list[Value]:
    return [Value(BOOL, "held") for _ in checks]


def _inserted(items: Sequence[T], position: int, new: Sequence[T]) -> tuple[T, ...]:
    return (*items[:position], *new, *items[position:])


def _new(nodes: list[Node], op: Op, *operands: Operand) -> Value:
    """The value of a new node."""
    nodes.append(make_node(op, operands))
    return nodes[-1].output


def _held(nodes: list[Node], before: Sequence[Value], checks: Sequence[Node], counted: bool) -> list[Value]:
    """Which checks have held up to this iteration. If others follow one in which some fail, all hold in these."""
    now = [check.inputs[0] for check in checks]
    if counted and len(checks) > 1:
        failed = _new(nodes, ops.logical_not, reduce(partial(_new, nodes, ops.logical_and), before))
        now = [_new(nodes, ops.logical_or, value, failed) for value in now]
    return [_new(nodes, ops.logical_and, *each) for each in zip(before, now, strict=True)]


def _behind(node: Node, checks: Sequence[Node], held: Sequence[Value]) -> list[Node]:
    return [node, *[check.with_inputs((value,)) for check, value in zip(checks, held, strict=True)]]


def _behind_branch(node: Node) -> list[Node]:
    """A branch, and behind it what its sides check."""
    sides: dict[str, Graph] = {name: node.attrs[name] for name in ("then", "orelse")}
    found = {name: _checks(side) for name, side in sides.items()}
    checks = [*found["then"], *found["orelse"]]
    if not checks:
        return [node]
    for name, side in sides.items():
        held = [check.inputs[0] if check in found[name] else TRUE for check in checks]
        kept = tuple(inner for inner in side.nodes if inner not in checks)
        sides[name] = side.with_nodes(kept, (*side.outputs, *held))
    flags = _flags(checks)
    return _behind(replace(node, attrs={**node.attrs, **sides}, outputs=(*node.outputs, *flags)), checks, flags)


def _behind_loop(node: Node) -> list[Node]:
    """A loop, and behind it what its iterations check."""
    loop = Loop.of(node)
    body, test, at = loop.body, loop.test, loop.carried
    checks = _checks(body)
    if not checks or (test is not None and not all(map(_is_silent, test.nodes))):
        return [node]
    before, after = _flags(checks), _flags(checks)
    nodes = [inner for inner in body.nodes if inner not in checks]
    held = _held(nodes, before, checks, test is None)
    outputs = list(body.outputs)
    attrs = {**node.attrs, "carried": at + len(checks)}
    if test is not None:
        flags = _flags(checks)
        if loop.again is not None:  # the test stays a state
            for value in held:
                outputs[loop.again] = _new(nodes, ops.logical_and, outputs[loop.again], value)
        tested, result = list(test.nodes), test.outputs[0]
        for value in flags if loop.again is None else ():
            result = _new(tested, ops.logical_and, result, value)
        parameters = _inserted(test.parameters, at, flags)
        attrs["test"] = replace(test, parameters=parameters, nodes=tuple(tested), outputs=(result,))
    attrs["body"] = replace(
        body,
        parameters=_inserted(body.parameters, loop.first + at, before),
        nodes=tuple(nodes),
        outputs=_inserted(outputs, at, held),
    )
    inputs = _inserted(node.inputs, loop.first + at, [TRUE] * len(checks))
    return _behind(Node(node.op, inputs, _inserted(node.outputs, at, after), attrs, node.location), checks, after)
