"""Reverse-mode differentiation of branches: a forward cond that also outputs residuals, and a cond of backward graphs.

%y = cond(%p, %x) { then: tanh(%x), orelse: negative(%x) }
forward:   %y, %t = cond(%p, %x) { then: %t = tanh(%x), twice; orelse: negative(%x), undefined }
backward:  %dx = cond(%p, %t, %dy) { then: %dy * (1 - %t * %t), orelse: negative(%dy) }
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from ..ir.graph import Graph, Node
from ..ir.op import ACTIVE, Op
from ..ir.rules import Differentiate, Linearized, Recorder, Symbol
from ..ir.types import TensorType
from ..ir.values import Value
from .branches import record_branches
from .conversion import assume_shape
from .creation import undefined, zeros_as

BRANCHES = ("then", "orelse")


def linearize_cond(
    cond: Op, node: Node, wanted: Sequence[bool], present: Sequence[bool], differentiate: Differentiate
) -> Linearized:
    """The rule `Op.linearize` of cond."""
    derivative = _CondDerivative(node, wanted, present, differentiate)

    def backward(inputs: list[Symbol], outs: list[Symbol], douts: list[Symbol | None]) -> list[Symbol | None]:
        return derivative.backward(cond, inputs, outs, douts)

    return Linearized(derivative.forward(), backward)


class _CondDerivative:
    """The derivative of one cond.

    Attributes:
        active: positions of the operands, without the condition, that cotangents are wanted of.
        branches: the derivative of each branch.
        saved: for each branch the residuals that become outputs of the cond.
        live: which of the active operands have a cotangent in some branch.
    """

    def __init__(
        self, node: Node, wanted: Sequence[bool], present: Sequence[bool], differentiate: Differentiate
    ) -> None:
        self.node = node
        self.active = [position for position, want in enumerate(wanted[1:]) if want]
        outputs = [position for position, here in enumerate(present) if here]
        self.branches = {key: differentiate(node.attrs[key], self.active, outputs) for key in BRANCHES}
        self.saved: dict[str, list[Value]] = {}
        for key, each in self.branches.items():
            parameters = set(each.forward.parameters)
            self.saved[key] = [value for value in each.residuals if value not in parameters]
        then, orelse = self.branches.values()
        pairs = zip(then.gradients, orelse.gradients, strict=True)
        self.live = [i for i, (one, other) in enumerate(pairs) if one is not None or other is not None]

    def forward(self) -> Node:
        """The cond with the saved values of both branches as outputs. Each branch defines only its own."""
        further = ACTIVE.recorder.further
        extra = [further(value.type, value.name) for key in BRANCHES for value in self.saved[key]]
        attrs = {}
        for key in BRANCHES:
            more = [value if other == key else value.type for other in BRANCHES for value in self.saved[other]]
            attrs[key] = _with_outputs(self.branches[key].forward, more)
        node = self.node
        return Node(node.op, node.inputs, (*node.outputs, *extra), attrs, node.location)

    def backward(
        self, cond: Op, inputs: list[Symbol], outs: list[Symbol], douts: list[Symbol | None]
    ) -> list[Symbol | None]:
        """Record the cond of the backward graphs. Returns the cotangents of the operands."""
        residuals = outs[len(self.node.outputs) :]
        count = len(self.saved["then"])
        given = {"then": residuals[:count], "orelse": residuals[count:]}

        def branch(key: str) -> Any:
            return lambda recorder: self.record_branch(recorder, key, inputs[1:], given[key], douts)

        results = record_branches(cond, inputs[0], branch("then"), branch("orelse"))
        cotangents: list[Symbol | None] = [None] * len(inputs)
        for i, result in zip(self.live, results, strict=True):
            cotangents[1 + self.active[i]] = result
        return cotangents

    def record_branch(
        self, recorder: Recorder, key: str, operands: list[Symbol], saved: list[Symbol], douts: list[Symbol | None]
    ) -> list[Any]:
        """The cotangents of the live operands in one branch."""
        derivative = self.branches[key]
        known = dict(zip(derivative.forward.parameters, operands, strict=True))
        known.update(zip(self.saved[key], saved, strict=True))
        arguments: list[Any] = [known[value] for value in derivative.residuals]
        for position in derivative.seeds:
            dout: Any = douts[position]
            # The cond's output may have sizes `?` where the branches differ; the branch knows its own.
            own = derivative.forward.outputs[position].type
            arguments.append(dout if dout.type is own else assume_shape(dout, shape=own.shape))
        given, results = recorder.adopt(derivative.backward, arguments), derivative.backward.outputs
        found = []
        for i in self.live:
            where = derivative.gradients[i]
            if where is None:
                found.append(zeros_as(operands[self.active[i]]))
            else:
                found.append(given.get(results[where], results[where]))
        return found


@lru_cache(maxsize=256)
def _attributes(type: TensorType) -> dict[str, Any]:
    return {"shape": type.shape, "dtype": type.dtype}


def _with_outputs(graph: Graph, extra: Sequence[Value | TensorType]) -> Graph:
    """The graph with more outputs. A bare type stands for a value that this branch does not have: one placeholder
    stands for all of a type, or branches inside one another would have as many as all of them save."""
    if not extra:
        return graph
    missing = {item: Value(item) for item in extra if isinstance(item, TensorType)}
    nodes = [Node(undefined, (), (value,), _attributes(item), None) for item, value in missing.items()]
    outputs = [missing[item] if isinstance(item, TensorType) else item for item in extra]
    return graph.with_nodes((*graph.nodes, *nodes), (*graph.outputs, *outputs))
