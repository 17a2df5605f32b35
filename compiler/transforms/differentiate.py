"""Reverse-mode differentiation: it derives a separate backward graph from a forward graph, and appends it.

    forward:   parameters -> outputs                      every value is there for the backward graph to read
    backward:  residuals, cotangents of outputs -> cotangents of parameters
    joint:     parameters, cotangents -> outputs, cotangents of parameters

The rules (`Op.vjp`) are ordinary code over ops that runs on symbols. A forward value that a rule reads becomes a
parameter of the backward graph: a residual. A zero cotangent is None until something needs its numbers. Ops that hold
graphs (cond, while_loop, scan) have `linearize` in place of a rule: it returns the node with further outputs for the
backward, and the backward.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...runtime.records import dataclass
from .. import ops
from ..ir.dependence import active_values
from ..ir.graph import Graph, Node
from ..ir.naming import ValueNames
from ..ir.op import NoDerivative
from ..ir.types import TensorType
from ..ir.values import Operand, Value
from .loop_invariants import move_invariants
from .symbolic import Recorder, Symbol, record


@dataclass(frozen=True)
class Derivative:
    """A forward graph and its backward graph.

    Attributes:
        forward: the graph differentiated; nodes that hold graphs may have gained outputs, `outputs` are as they were.
        backward: from `residuals` and the cotangents of the outputs in `seeds` to the cotangents that are not zero.
        residuals: the forward values that the first parameters of `backward` stand for.
        seeds: positions of the outputs whose cotangents the last parameters of `backward` stand for.
        gradients: for each parameter asked for, the position of its cotangent in `backward.outputs`; None is zero.
    """

    forward: Graph
    backward: Graph
    residuals: tuple[Value, ...]
    seeds: tuple[int, ...]
    gradients: tuple[int | None, ...]

    def append(self, wrt: Sequence[int], name: str | None = None) -> Graph:
        """Forward and backward as one graph: from parameters and cotangents to outputs and cotangents of the parameters
        `wrt`."""
        forward, backward = self.forward, self.backward
        recorder = Recorder(name or f"{forward.name}_joint")
        recorder.parameters = list(forward.parameters)
        recorder.nodes = list(forward.nodes)
        count = len(self.residuals)
        seeds = [recorder.parameter(value.type, value.name) for value in backward.parameters[count:]]
        with recorder:
            residuals = [Symbol(value, recorder) for value in self.residuals]
            results = recorder.inline(backward, [*residuals, *seeds])
            outputs: list[Any] = list(forward.outputs)
            for position, where in zip(wrt, self.gradients, strict=True):
                parameter = Symbol(forward.parameters[position], recorder)
                outputs.append(ops.zeros_as(parameter) if where is None else results[where])
            return recorder.finish(outputs)


class Backward(Recorder):
    """The recorder in which derivative rules run."""

    def pullback(
        self, function: Callable[..., Any], inputs: Sequence[Symbol], douts: Sequence[Symbol | None]
    ) -> tuple[Symbol | None, ...]:
        """The cotangents of the inputs of a function of symbols, from those of its results; None is zero."""
        graph = record("composite", [symbol.type for symbol in inputs], function)
        present = [position for position, symbol in enumerate(douts) if symbol is not None]
        wrt = [position for position, symbol in enumerate(inputs) if symbol.dtype.is_float or symbol.dtype.is_complex]
        derivative = differentiate(graph, wrt, present)
        seeds = [douts[position] for position in derivative.seeds]
        results = self.inline(derivative.append(wrt), [*inputs, *seeds])[len(graph.outputs) :]
        cotangents: list[Symbol | None] = [None] * len(inputs)
        for position, result, where in zip(wrt, results, derivative.gradients, strict=True):
            cotangents[position] = None if where is None else result
        return tuple(cotangents)


def differentiate(
    graph: Graph, wrt: Sequence[int], outputs: Sequence[int], names: ValueNames | None = None
) -> Derivative:
    """The derivative of the outputs at `outputs` by the parameters at `wrt`.

    New values get names that are not in `names` (by default: in the graph).
    """
    # Without this a loop would stack loop-invariant values for its backward.
    moved = move_invariants(graph)
    names = names if names is not None else ValueNames.of(moved)
    if moved is not graph:
        names.adopt(moved)
    graph = moved
    names.fill(graph)
    return _Reverse(graph, wrt, names).run(outputs)


class _Reverse:
    """One walk through a graph, from its last node to its first.

    Attributes:
        active: the values that depend on the parameters at `wrt`.
        scope: stands for the forward graph, whose values the symbols of the backward graph read.
        cotangents: the partial cotangents of the values met so far.
        nodes: the forward nodes; those that hold graphs may gain outputs.
    """

    def __init__(self, graph: Graph, wrt: Sequence[int], names: ValueNames) -> None:
        self.graph = graph
        self.parameters = [graph.parameters[position] for position in wrt]
        self.active = active_values(graph, self.parameters)
        self.scope = Recorder(graph.name, names=names)
        self.names = names
        self.recorder = Backward(f"{graph.name}_backward", parent=self.scope)
        self.cotangents: dict[Operand, Symbol] = {}
        self.nodes = list(graph.nodes)

    def run(self, outputs: Sequence[int]) -> Derivative:
        """The derivative of these outputs."""
        graph, recorder = self.graph, self.recorder
        seeds = tuple(position for position in dict.fromkeys(outputs) if graph.outputs[position] in self.active)
        with recorder:
            seed_values = [self.seed(position) for position in seeds]
            for index in range(len(self.nodes) - 1, -1, -1):
                self.visit(index)
        found = [self.cotangent(parameter) for parameter in self.parameters]
        results = [recorder.lift(cotangent) for cotangent in found if cotangent is not None]
        numbers = itertools.count()
        positions = tuple(None if cotangent is None else next(numbers) for cotangent in found)
        parameters = (*recorder.captures.values(), *seed_values)
        backward = Graph(recorder.name, parameters, tuple(recorder.nodes), tuple(results))
        backward, residuals = _prune(backward, tuple(recorder.captures))
        return Derivative(graph.with_nodes(tuple(self.nodes)), backward, residuals, seeds, positions)

    def seed(self, position: int) -> Value:
        """The parameter of the backward graph for an output's cotangent."""
        output = self.graph.outputs[position]
        named = isinstance(output, Value) and output.name
        seed = Value(output.type, f"d_{output.name}" if named else f"dout{position}")  # type: ignore[union-attr]
        self.accumulate(output, Symbol(seed, self.recorder))
        return seed

    def accumulate(self, value: Operand, cotangent: Symbol) -> None:
        """Add to a value's cotangent."""
        known = self.cotangents.get(value)
        self.cotangents[value] = cotangent if known is None else ops.add(known, cotangent)

    def cotangent(self, value: Value) -> Symbol | None:
        """The complete cotangent of a value, named after the value; None is zero."""
        found = self.cotangents.get(value)
        if found is not None and found.recorder is self.recorder:
            self.names.improve(found.operand, f"d_{value.name}")
        return found

    def visit(self, index: int) -> None:
        """Propagate the cotangents of a node's outputs to its inputs."""
        node = self.nodes[index]
        douts = [self.cotangent(value) for value in node.outputs]
        for value in node.outputs:
            self.cotangents.pop(value, None)
        wanted = [operand in self.active for operand in node.inputs]
        if node.op.crosses:
            if not all(value.type.dtype.is_float or value.type.dtype.is_complex for value in node.outputs):
                return
        elif all(dout is None for dout in douts) or not any(wanted):
            return
        self.recorder.locate = lambda: node.location
        inputs = [Symbol(operand, self.scope) for operand in node.inputs]
        results = self.results(index, inputs, wanted, douts)
        for operand, symbol, want, result in zip(node.inputs, inputs, wanted, results, strict=True):
            if want and isinstance(result, NoDerivative):
                raise ValueError(result.message if node.location is None else f"{result.message} ({node.location})")
            if want and result is not None:
                self.accumulate(operand, _fit(node, symbol.type, result, symbol))

    def results(
        self, index: int, inputs: list[Symbol], wanted: Sequence[bool], douts: list[Symbol | None]
    ) -> Sequence[Symbol | None]:
        """The cotangents of a node's inputs, by the rule of its op."""
        node = self.nodes[index]
        if node.op.linearize is None:
            return _apply_rule(node, inputs, [Symbol(value, self.scope) for value in node.outputs], douts)
        inner = partial(differentiate, names=self.names)
        linear = node.op.linearize(node, wanted, [dout is not None for dout in douts], inner)
        self.nodes[index] = linear.node
        outputs = [Symbol(value, self.scope) for value in linear.node.outputs]
        given: Sequence[Symbol | None] = linear.backward(inputs, outputs, douts)
        return given


def _apply_rule(
    node: Node, inputs: list[Symbol], outputs: list[Symbol], douts: list[Symbol | None]
) -> Sequence[Symbol | None]:
    assert node.op.vjp is not None
    if len(outputs) == 1:
        result = node.op.vjp(*inputs, outputs[0], douts[0], **node.attrs)
    else:
        result = node.op.vjp(*inputs, tuple(outputs), tuple(douts), **node.attrs)
    if not isinstance(result, (tuple, list)):
        result = (result,)
    if len(result) != len(inputs):
        raise TypeError(f"the vjp of {node.op.name} gave {len(result)} cotangents for {len(inputs)} inputs")
    return result


def _fit(node: Node, type: TensorType, cotangent: Symbol, like: Symbol) -> Symbol:
    """The cotangent converted to its input's type. Broadcasting is undone here, once for all rules."""
    if cotangent.dtype is not type.dtype:
        raise TypeError(f"the vjp of {node.op.name} gave a cotangent {cotangent.type} for an input {type}")
    return cotangent if cotangent.type == type and type.is_static else ops.sum_as(cotangent, like)


def _prune(backward: Graph, residuals: tuple[Value, ...]) -> tuple[Graph, tuple[Value, ...]]:
    """Drop unused nodes and parameters, so that no forward value is saved in vain."""
    live: set[Operand] = set(backward.outputs)
    kept: list[Node] = []
    for node in reversed(backward.nodes):
        if not live.isdisjoint(node.outputs) or node.has_effect:
            live.update(node.inputs)
            kept.append(node)
    count = len(residuals)
    pairs = [(p, r) for p, r in zip(backward.parameters[:count], residuals, strict=True) if p in live]
    parameters = (*[p for p, _ in pairs], *backward.parameters[count:])
    pruned = Graph(backward.name, parameters, tuple(reversed(kept)), backward.outputs)
    return pruned, tuple(r for _, r in pairs)
