"""Reverse-mode differentiation as a pass: a forward graph gives a separate backward graph, which is appended to it.

    forward:   parameters -> outputs                      every value is there for the backward graph to read
    backward:  residuals, cotangents of outputs -> cotangents of parameters
    joint:     parameters, cotangents -> outputs, cotangents of parameters

The rules (`Op.vjp`) are ordinary code over ops that runs on symbols. A forward value that a rule reads becomes a
parameter of the backward graph: a residual. Zero cotangents are None until something needs their numbers. Ops that
hold graphs (cond, while_loop, scan) have `linearize` in place of a rule: it gives the node again with outputs for
what its backward reads, and that backward.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .. import ops
from ..ir.dependence import active_values
from ..ir.graph import Graph, Node
from ..ir.op import NoDerivative
from ..ir.types import TensorType
from ..ir.values import Operand, Value
from .loop_invariants import hoist_invariants
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
        """Forward and backward as one graph: parameters, cotangents -> outputs, cotangents of the parameters `wrt`."""
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
    """The recorder that rules of differentiation run in."""

    def pullback(
        self, function: Callable[..., Any], inputs: Sequence[Symbol], douts: Sequence[Symbol | None]
    ) -> tuple[Symbol | None, ...]:
        """The cotangents of the inputs of a function of symbols, for those of its results; None is zero."""
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


def differentiate(graph: Graph, wrt: Sequence[int], outputs: Sequence[int]) -> Derivative:
    """The derivative of the outputs at `outputs` by the parameters at `wrt`."""
    graph = hoist_invariants(graph)  # or a loop would stack, for its backward, what is alike in every iteration
    active = active_values(graph, [graph.parameters[position] for position in wrt])
    scope = Recorder(graph.name)  # stands for the forward graph: backward symbols read its values
    recorder = Backward(f"{graph.name}_backward", parent=scope)
    cotangents: dict[Value, Symbol] = {}
    nodes = list(graph.nodes)
    seeds = tuple(position for position in dict.fromkeys(outputs) if graph.outputs[position] in active)
    seed_values: list[Value] = []

    def accumulate(value: Operand, cotangent: Symbol) -> None:
        if value in cotangents:
            cotangents[value] = ops.add(cotangents[value], cotangent)  # type: ignore[index]
        else:
            cotangents[value] = cotangent  # type: ignore[index]

    with recorder:
        for position in seeds:
            output = graph.outputs[position]
            seed = Value(
                output.type, f"d{output.name}" if isinstance(output, Value) and output.name else f"dout{position}"
            )
            seed_values.append(seed)
            accumulate(output, Symbol(seed, recorder))
        for index in range(len(nodes) - 1, -1, -1):
            node = nodes[index]
            douts = [cotangents.pop(value, None) for value in node.outputs]
            if all(dout is None for dout in douts):
                continue
            wanted = [operand in active for operand in node.inputs]
            if not any(wanted):
                continue
            recorder.locate = lambda node=node: node.location
            inputs = [Symbol(operand, scope) for operand in node.inputs]
            if node.op.linearize is not None:
                linear = node.op.linearize(node, wanted, [dout is not None for dout in douts], differentiate)
                nodes[index] = linear.node
                results = linear.backward(inputs, [Symbol(value, scope) for value in linear.node.outputs], douts)
            else:
                results = _apply_rule(node, inputs, [Symbol(value, scope) for value in node.outputs], douts)
            for operand, symbol, want, result in zip(node.inputs, inputs, wanted, results, strict=True):
                if want and isinstance(result, NoDerivative):
                    raise ValueError(result.message if node.location is None else f"{result.message} ({node.location})")
                if want and result is not None:
                    accumulate(operand, _fit(node, symbol.type, result, symbol))
        found = [cotangents.get(graph.parameters[position]) for position in wrt]
    positions: list[int | None] = []
    results_out: list[Operand] = []
    for cotangent in found:
        positions.append(None if cotangent is None else len(results_out))
        if cotangent is not None:
            results_out.append(recorder.lift(cotangent))
    residuals = tuple(recorder.captures)
    backward = Graph(
        recorder.name,
        (*recorder.captures.values(), *seed_values),
        tuple(recorder.nodes),
        tuple(results_out),
    )
    backward, residuals = _prune(backward, residuals)
    return Derivative(replace(graph, nodes=tuple(nodes)), backward, residuals, seeds, tuple(positions))


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
    """The cotangent brought to its input's type: here, once for all rules, broadcasting is undone."""
    if cotangent.dtype is not type.dtype:
        raise TypeError(f"the vjp of {node.op.name} gave a cotangent {cotangent.type} for an input {type}")
    return cotangent if cotangent.type == type and type.is_static else ops.sum_as(cotangent, like)


def _prune(backward: Graph, residuals: tuple[Value, ...]) -> tuple[Graph, tuple[Value, ...]]:
    """Drop what nothing reads, so that no forward value is saved for nothing."""
    live: set[Operand] = set(backward.outputs)
    kept: list[Node] = []
    for node in reversed(backward.nodes):
        if node.has_effect or any(value in live for value in node.outputs):
            live.update(node.inputs)
            kept.append(node)
    count = len(residuals)
    pairs = [(p, r) for p, r in zip(backward.parameters[:count], residuals, strict=True) if p in live]
    parameters = (*[p for p, _ in pairs], *backward.parameters[count:])
    pruned = replace(backward, parameters=parameters, nodes=tuple(reversed(kept)))
    return pruned, tuple(r for _, r in pairs)
