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
from typing import TYPE_CHECKING, Any

from ...runtime.records import dataclass
from .. import ops
from ..ir.dependence import active_values, live_nodes
from ..ir.graph import Graph, Node, make_node
from ..ir.naming import ValueNames
from ..ir.values import Location, Operand, Value
from .loop_invariants import move_invariants
from .rules import RuleTemplate, cotangents_of, fitted, template_of
from .symbolic import Recorder, Symbol, record

if TYPE_CHECKING:
    from .branch_templates import BranchTemplate


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
    if "" in [value.name for node in graph.all_nodes for value in node.outputs]:
        names.fill(graph)
    return _Reverse(graph, wrt, names, Recorder(graph.name, names=names)).run(outputs)


class _Reverse:
    """One walk through a graph, from its last node to its first.

    Attributes:
        active: the values that depend on the parameters at `wrt`.
        scope: stands for the forward graph, whose values the symbols of the backward graph read.
        cotangents: the partial cotangents of the values met so far.
        nodes: the forward nodes; those that hold graphs may gain outputs.
        is_pruned: whether all that was recorded is of use.
    """

    def __init__(self, graph: Graph, wrt: Sequence[int], names: ValueNames, scope: Recorder) -> None:
        self.graph = graph
        self.parameters = [graph.parameters[position] for position in wrt]
        self.active = active_values(graph, self.parameters)
        self.scope = scope
        self.names = names
        self.recorder = Backward(graph.name + "_backward", scope)
        self.cotangents: dict[Operand, Operand] = {}
        self.nodes = list(graph.nodes)
        self.is_pruned = True

    def run(self, outputs: Sequence[int]) -> Derivative:
        """The derivative of these outputs."""
        graph, recorder = self.graph, self.recorder
        seeds = tuple([position for position in dict.fromkeys(outputs) if graph.outputs[position] in self.active])
        seed_values = [self.seed(position) for position in seeds]
        for index in range(len(self.nodes) - 1, -1, -1):
            self.visit(index)
        found = [self.cotangent(parameter) for parameter in self.parameters]
        results = tuple([cotangent for cotangent in found if cotangent is not None])
        for node in recorder.nodes:
            for value in node.outputs:
                if not value.name:
                    self.names.number(value, node.op.name)
        numbers = itertools.count()
        positions = tuple([None if cotangent is None else next(numbers) for cotangent in found])
        residuals = tuple(recorder.captures)
        parameters = (*recorder.captures.values(), *seed_values)
        backward = Graph(recorder.name, parameters, tuple(recorder.nodes), results)
        if not self.is_pruned:
            backward, residuals = _prune(backward, residuals)
        return Derivative(graph.with_nodes(tuple(self.nodes)), backward, residuals, seeds, positions)

    def inner(self, graph: Graph, wrt: Sequence[int], outputs: Sequence[int]) -> Derivative:
        """The derivative of a graph that a node holds; `differentiate` has prepared it together with the outer one."""
        return _Reverse(graph, wrt, self.names, self.scope).run(outputs)

    def seed(self, position: int) -> Value:
        """The parameter of the backward graph for an output's cotangent."""
        output = self.graph.outputs[position]
        named = isinstance(output, Value) and output.name
        seed = Value(output.type, f"d_{output.name}" if named else f"dout{position}")  # type: ignore[union-attr]
        self.accumulate(output, seed)
        return seed

    def accumulate(self, value: Operand, cotangent: Operand, location: Location | None = None) -> None:
        """Add to a value's cotangent."""
        known = self.cotangents.get(value)
        if known is not None:
            node = make_node(ops.add, (known, cotangent), None, location)
            self.recorder.nodes.append(node)
            cotangent = node.output
        self.cotangents[value] = cotangent

    def cotangent(self, value: Value) -> Operand | None:
        """The complete cotangent of a value, named after the value; None is zero."""
        found = self.cotangents.pop(value, None)
        if isinstance(found, Value):
            give = self.names.improve if found.name else self.names.give
            give(found, f"d_{value.name}")
        return found

    def visit(self, index: int) -> None:
        """Propagate the cotangents of a node's outputs to its inputs."""
        node = self.nodes[index]
        op, active = node.op, self.active
        if not op.crosses and self.cotangents.keys().isdisjoint(node.outputs):
            return
        douts = list(map(self.cotangent, node.outputs))
        wanted = list(map(active.__contains__, node.inputs))
        if op.crosses:
            if not all(value.type.dtype.is_float or value.type.dtype.is_complex for value in node.outputs):
                self.is_pruned = False
                return
        elif True not in wanted:
            self.is_pruned = False
            return
        found = self.by_template(index, wanted, douts)
        if found is None:  # an empty list is that of a message received, which has no inputs
            found = self.recorded(index, wanted, douts)
        cotangents = self.cotangents
        for place, cotangent in enumerate(found):
            if cotangent is not None:
                operand = node.inputs[place]
                if operand in cotangents:
                    self.accumulate(operand, cotangent, node.location)
                else:
                    cotangents[operand] = cotangent

    def by_template(
        self, index: int, wanted: Sequence[bool], douts: Sequence[Operand | None]
    ) -> list[Operand | None] | None:
        """The cotangents of a node's inputs, if there is a template for it."""
        node = self.nodes[index]
        if node.op.linearize is None:
            template = template_of(node, wanted, douts, Backward)
            return None if template is None else self.copied(template, node, douts)
        if node.op.kind != "branch":
            return None
        from .branch_templates import branch_template  # late: few programs have branches

        branch = branch_template(node, wanted, douts, Backward, _reverse)
        return None if branch is None else self.copied_branch(branch, index, douts)

    def copied_branch(
        self, template: BranchTemplate, index: int, douts: Sequence[Operand | None]
    ) -> list[Operand | None] | None:
        """The cotangents of a branch's inputs, by a template of its derivative, if it can be copied."""
        from .branch_templates import Copies

        node, recorder, names = self.nodes[index], self.recorder, self.names
        if not recorder.captures.keys().isdisjoint(node.inputs):
            captured = [recorder.captures.get(operand) for operand in node.inputs]  # type: ignore[arg-type]
            if any(dout is not None and dout in captured for dout in douts):  # the cond would have it once
                return None
        self.nodes[index] = made = template.forward(node, names)
        values: list[Any] = [*made.inputs, *made.outputs]
        for place in template.reads:
            values[place] = recorder.capture(values[place])
        values += douts
        recorder.nodes += Copies(node, names).nodes(template.body, values)
        self.is_pruned = self.is_pruned and template.is_whole
        given = iter([values[place] for place in template.body.outputs])
        return [next(given) if is_given else None for is_given in template.results]

    def copied(self, template: RuleTemplate, node: Node, douts: Sequence[Operand | None]) -> list[Operand | None]:
        """The cotangents of a node's inputs, by a template of its rule."""
        recorder = self.recorder
        values: list[Any] = [*node.inputs, *node.outputs]
        for place in template.reads:
            values[place] = recorder.capture(values[place])
        values += douts
        values += template.numbers
        for op, places, attrs, types in template.nodes:
            outputs = tuple(map(Value, types))
            inputs = tuple(map(values.__getitem__, places))
            recorder.nodes.append(Node(op, inputs, outputs, attrs, node.location))
            values += outputs
        self.is_pruned = self.is_pruned and template.is_whole
        return [None if place is None else values[place] for place in template.results]

    def recorded(self, index: int, wanted: Sequence[bool], douts: Sequence[Operand | None]) -> list[Operand | None]:
        """The cotangents of a node's inputs, by running the rule of its op."""
        node, recorder, scope = self.nodes[index], self.recorder, self.scope
        self.is_pruned = False
        recorder.locate = lambda: node.location
        inputs = [Symbol(operand, scope) for operand in node.inputs]
        given = [None if dout is None else Symbol(dout, recorder) for dout in douts]
        with recorder:
            if node.op.linearize is None:
                found = cotangents_of(node, inputs, [Symbol(value, scope) for value in node.outputs], given, wanted)
            else:
                linear = node.op.linearize(node, wanted, [dout is not None for dout in douts], self.inner)
                self.nodes[index] = linear.node
                results = linear.backward(inputs, [Symbol(value, scope) for value in linear.node.outputs], given)
                found = fitted(node, inputs, results, wanted)
        return [None if symbol is None else recorder.lift(symbol) for symbol in found]


def _reverse(
    graph: Graph, wrt: Sequence[int], outputs: Sequence[int], names: ValueNames, scope: Recorder
) -> Derivative:
    """The derivative of a graph that a node holds, under these names."""
    return _Reverse(graph, wrt, names, scope).run(outputs)


def _prune(backward: Graph, residuals: tuple[Value, ...]) -> tuple[Graph, tuple[Value, ...]]:
    """Drop unused nodes and parameters, so that no forward value is saved in vain."""
    kept, live = live_nodes(backward.nodes, backward.outputs)
    count = len(residuals)
    pairs = [(p, r) for p, r in zip(backward.parameters[:count], residuals, strict=True) if p in live]
    parameters = (*[p for p, _ in pairs], *backward.parameters[count:])
    pruned = Graph(backward.name, parameters, tuple(kept), backward.outputs)
    return pruned, tuple(r for _, r in pairs)
