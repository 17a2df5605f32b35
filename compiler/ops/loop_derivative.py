"""Reverse-mode differentiation of loops: a forward loop that stacks residuals, and a scan over them in reverse, which
carries the cotangents of the state and sums those of constants.

    %y = while_loop(%x) { body: %s -> tanh(%s) }
    forward:   %y, %n, %ts = while_loop(%x) { body: %s -> tanh(%s), stacking it }
    backward:  %dx = scan(%n, %dy, %ts, reverse=True) { body: %i, %ds, %t -> %ds * (1 - %t * %t) }
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import replace
from typing import Any

from ..ir.dependence import active_values
from ..ir.graph import Graph, Node, freeze
from ..ir.loops import INDEX, Loop
from ..ir.op import ACTIVE, Op
from ..ir.rules import Derivative, Differentiate, Linearized, Recorder, Symbol
from ..ir.values import Value
from .arithmetic import add
from .creation import zeros_as
from .loop_residuals import computed_again


def linearize_loop(
    scan: Op, node: Node, wanted: Sequence[bool], present: Sequence[bool], differentiate: Differentiate
) -> Linearized:
    """The rule `Op.linearize` of while_loop and scan. `scan` is the op that the backward uses."""
    derivative = _LoopDerivative(Loop.of(node), wanted, present, differentiate)

    def backward(inputs: list[Symbol], outs: list[Symbol], douts: list[Symbol | None]) -> list[Symbol | None]:
        return derivative.backward(scan, inputs, outs, douts)

    return Linearized(derivative.forward(), backward)


class _LoopDerivative:
    """The derivative of one loop. Positions are those of operands, and so those of the body's parameters.

    Attributes:
        body: the derivative of the body by its active parameters.
        state, xs, constants: positions of the active state, scanned operands and constants that have a cotangent.
        stacked: numbers of the stacks whose cotangents the backward reads.
        views: residuals that are not stacked: the value that they are views of, and by which nodes.
        again: the graph that computes values again which are not stacked, if there is one.
        saved: values that are stacked.
        rows: residuals that are rows of scanned operands.
        shared: residuals that are constants of the loop.
    """

    def __init__(
        self, loop: Loop, wanted: Sequence[bool], present: Sequence[bool], differentiate: Differentiate
    ) -> None:
        self.loop = loop
        operands = range(loop.first, len(loop.node.inputs))
        active = _active_state(loop, {position for position in operands if wanted[position]})
        self.state = [position for position in range(loop.first, loop.rows.start) if position in active]
        others = [position for position in range(loop.rows.start, operands.stop) if position in active]
        seeds = [number for number in range(len(loop.stacked)) if present[loop.finals + number]]
        outputs = [position - loop.first for position in self.state]
        wrt = [*self.state, *others]
        self.body = differentiate(loop.body, wrt, [*outputs, *[loop.carried + number for number in seeds]])
        self.gradients = dict(zip(wrt, self.body.gradients, strict=True))
        others = [position for position in others if self.gradients[position] is not None]
        self.xs = [position for position in others if position in loop.rows]
        self.constants = [position for position in others if position not in loop.rows]
        self.stacked = [number for number in seeds if loop.carried + number in self.body.seeds]
        self.position = {value: position for position, value in enumerate(loop.body.parameters)}
        states = set(loop.states)
        outside = {value for value in loop.body.parameters if value not in states}
        self.views = _views_of_saved(self.body, outside)
        read = dict.fromkeys(self.views[value][0] if value in self.views else value for value in self.body.residuals)
        stacked = [value for value in read if value not in outside]
        self.again = computed_again(self.body, stacked, states, outside)
        if self.again is not None:
            left = [value for value in read if value not in self.again.outputs]
            read = dict.fromkeys([*left, *self.again.parameters])
        self.saved = [value for value in read if value not in outside]
        self.rows = [value for value in read if value in outside and self.position[value] in loop.rows]
        self.shared = [value for value in read if value in outside and self.position[value] >= loop.rows.stop]

    def forward(self) -> Node:
        """The loop with the saved values stacked. Stacks are ragged if an inner loop's own stacks differ in length."""
        loop, inner = self.loop, self.body.forward
        body = replace(inner, outputs=(*inner.outputs, *self.saved))
        further = ACTIVE.recorder.further
        stacks = [further(value.type.with_shape((loop.length, *value.type.shape)), value.name) for value in self.saved]
        attrs = {**loop.node.attrs, "body": body}
        return replace(loop.node, outputs=(*loop.node.outputs, *stacks), attrs=attrs)

    def backward(
        self, scan: Op, inputs: list[Symbol], outs: list[Symbol], douts: list[Symbol | None]
    ) -> list[Symbol | None]:
        """Record the scan in reverse. Returns the cotangents of the operands."""
        outer, loop = ACTIVE.recorder, self.loop
        count = inputs[0] if loop.test is None else outs[loop.carried]
        finals = [position - loop.first for position in self.state]
        initial = [zeros_as(outs[i]) if douts[i] is None else douts[i] for i in finals]
        initial += [zeros_as(inputs[position]) for position in self.constants]
        sequences = [douts[loop.finals + number] for number in self.stacked]
        sequences += [inputs[self.position[value]] for value in self.rows]
        sequences += outs[len(loop.node.outputs) :]
        attrs = {
            "body": self.record_body(outer, initial, sequences),
            "carried": len(initial),
            "scanned": len(sequences),
            "length": loop.length,
            "reverse": not loop.reverse,
        }
        shared = [inputs[self.position[value]] for value in self.shared]
        node = outer.append(scan, outer.operands([count, *initial, *sequences, *shared]), attrs)
        cotangents: list[Symbol | None] = [None] * len(inputs)
        for position, value in zip([*self.state, *self.constants, *self.xs], node.outputs, strict=True):
            cotangents[position] = outer.symbol(value)
        return cotangents

    def record_body(self, outer: Recorder, initial: Sequence[Any], sequences: Sequence[Any]) -> Graph:
        """One iteration of the backward: from index, cotangents of the state, sums, rows and constants to the next
        cotangents and sums."""
        loop, count = self.loop, len(self.state)
        inner: Recorder = outer.inner(f"{loop.body.name}_backward")
        with inner:
            index = inner.parameter(INDEX, "i", own=True)
            carried = [
                inner.parameter(symbol.type, f"d_{loop.body.parameters[position].name}", own=True)
                for symbol, position in zip(initial, [*self.state, *self.constants], strict=True)
            ]
            dstate, sums = carried[:count], carried[count:]
            rows = [
                inner.parameter(symbol.type.with_shape(symbol.shape[1:]), name, own=True)
                for symbol, name in zip(sequences, self.row_names(), strict=True)
            ]
            residuals = self.residuals(inner, index, rows[len(self.stacked) :])
            seeds = {position - loop.first: each for position, each in zip(self.state, dstate, strict=True)}
            seeds.update(zip([loop.carried + number for number in self.stacked], rows, strict=False))
            arguments = [*residuals, *[seeds[position] for position in self.body.seeds]]
            results = inner.inline(self.body.backward, arguments)
            found = {position: results[where] for position, where in self.gradients.items() if where is not None}
            following = [
                found[position] if position in found else zeros_as(like)
                for position, like in zip(self.state, dstate, strict=True)
            ]
            following += [add(total, found[p]) for p, total in zip(self.constants, sums, strict=True)]
            return inner.finish([*following, *[found[position] for position in self.xs]])

    def row_names(self) -> list[str]:
        """The names of rows in an iteration of the backward: those of the forward, `d_` before those of cotangents."""
        outputs = self.loop.node.outputs[self.loop.finals :]
        return [f"d_{outputs[number].name}" for number in self.stacked] + [v.name for v in (*self.rows, *self.saved)]

    def residuals(self, inner: Recorder, index: Symbol, rows: Sequence[Symbol]) -> list[Any]:
        """The operand for each residual of the body in an iteration of the backward."""
        known = dict(zip([*self.rows, *self.saved], rows, strict=True))
        known.update((value, inner.parameter(value.type, value.name or "constant")) for value in self.shared)
        if self.again is not None:
            given = [known.get(value, index) for value in self.again.parameters]
            made: Any = zip(self.again.outputs, inner.inline(self.again, given), strict=True)
            known.update(made)
        found: list[Any] = []
        for value in self.body.residuals:
            base, steps = self.views.get(value, (value, ()))
            symbol: Any = known.get(base, index)
            for view in steps:
                symbol = view.op(symbol, **view.attrs)
            found.append(symbol)
        return found


def _active_state(loop: Loop, active: set[int]) -> set[int]:
    """Positions of body parameters that depend on the active ones after all iterations."""
    body = loop.body
    while True:
        values = active_values(body, [body.parameters[position] for position in sorted(active)])
        grown = active | {loop.first + i for i in range(loop.carried) if body.outputs[i] in values}
        if grown == active:
            return active
        active = grown


def _views_of_saved(derivative: Derivative, outside: Collection[Value]) -> dict[Value, tuple[Value, list[Node]]]:
    """Residuals that are views of values that the backward has anyway, of values of the same size, or of one that is no
    larger than all its views; and those that are equal to another one: the base, and the nodes of the view.

    They are not stacked. The backward applies these nodes to a row of the base.
    """
    nodes = {
        node.output: node
        for node in derivative.forward.nodes
        if node.op.kind == "view" and len(node.inputs) == 1 and node.output.type.is_static
        and isinstance(node.inputs[0], Value) and node.inputs[0].type.is_static
    }  # fmt: skip
    whole = {value for value in derivative.residuals if value not in nodes}
    found: dict[Value, tuple[Value, list[Node]]] = {}
    others: dict[Value, list[tuple[Value, list[Node]]]] = {}  # by the value that they are views of
    for value in derivative.residuals:
        base: Any = value
        steps: list[Node] = []
        while base in nodes:
            steps = [nodes[base], *steps]
            base = nodes[base].inputs[0]
            if base in outside or base in whole or base.type.size == value.type.size:
                found[value] = base, steps
        if steps and (value not in found or found[value][0] in nodes):
            others.setdefault(base, []).append((value, steps))
    for root, views in others.items():
        _share(root, views, found)
    return found


def _share(
    root: Value, views: Sequence[tuple[Value, list[Node]]], found: dict[Value, tuple[Value, list[Node]]]
) -> None:
    """Note in `found` that views are views of their root, if that is no larger than all of them; if it is, those that
    are equal become the same."""
    first: dict[Hashable, Value] = {}
    same: dict[Value, Value] = {}
    for value, steps in views:
        key = tuple((step.op, freeze(sorted(step.attrs.items()))) for step in steps)
        same[value] = first.setdefault(key, value)
    if root.type.is_static and root.type.size <= sum(value.type.size for value in first.values()):
        found.update((value, (root, steps)) for value, steps in views)
        return
    found.update((value, found.get(one, (one, []))) for value, one in same.items() if one is not value)
