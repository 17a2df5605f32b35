"""Linearization: a function is recorded together with its pullback, which maps cotangents to gradients."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...compiler import ops
from ...compiler.ir.graph import Graph
from ...compiler.ir.values import Operand, Value
from ...compiler.transforms.differentiate import Derivative, differentiate
from ...compiler.transforms.symbolic import Recorder, Symbol
from ...runtime.dtypes import DType
from ...runtime.records import dataclass
from ..control_flow import calls as control
from ..errors.user_files import user_level
from ..state import CONTEXT, STATE
from ..tracing.outline import Outlined, outlined
from ..tracing.signature import replace_leaves
from ..tracing.trace import Trace
from ..values import tree
from ..values.dispatch import as_tensor, cast
from ..values.inplace import is_number
from ..values.mutable import is_mutable, plain
from ..values.parameter import Parameter, stand_in
from ..values.tensor import Tensor
from ..values.traced_tensor import TracedTensor, wrap
from .custom_call import conjugate
from .hooks import hooked_gradient
from .request import GradientSpec

LEFT_OUT = object()
"""Stands for the gradient of an argument that has none: a number, or a container that is a compile-time constant."""


@dataclass(frozen=True)
class Pullback:
    """The pullback of a function, from cotangents to gradients: a `LinearizedCall` without the values of the trace.

    Attributes:
        gradient: the gradient function; it knows the requested form of gradients.
        derivative: the graphs.
        dtypes: of the outputs that are differentiated.
        args: the arguments; only the structure matters.
        positions: the arguments asked for.
        replaced: for each argument that has a gradient, the positions of its tensors among the gradients.
    """

    gradient: GradientSpec
    derivative: Derivative
    dtypes: tuple[DType, ...]
    args: tuple[Any, ...]
    positions: tuple[int, ...]
    replaced: dict[int, list[int]]

    def seeds(self, trace: Trace, outputs: Sequence[Symbol], sens: Any) -> list[Symbol]:
        """The cotangents of the outputs: those of `sens`, or ones."""
        positions, name = self.derivative.seeds, self.gradient.name
        if sens is None:
            return [ones_as(outputs[position]) for position in positions]
        given = [sens] if isinstance(sens, (Tensor, int, float)) else tree.leaves(sens)
        if len(given) != len(outputs):
            raise ValueError(f"{name} has {len(outputs)} outputs, but sens gives {len(given)} sensitivities")
        result = []
        for position in positions:
            item = given[position]
            if isinstance(item, Tensor) and not is_number(item) and item.dtype is not self.dtypes[position]:
                raise TypeError(
                    f"the sensitivity should have the dtype of the output of {name}, {self.dtypes[position]}, but is "
                    f"{item.dtype}"
                )
            symbol = trace.read(cast(as_tensor(item), self.dtypes[position]))
            if symbol.shape != outputs[position].shape:
                try:
                    symbol = ops.broadcast_as(symbol, outputs[position])
                except ValueError as error:
                    raise ValueError(f"the sensitivity does not fit the output of {name}: {error}") from None
            result.append(conjugate(symbol))
        return result

    def back(
        self,
        residuals: Sequence[Symbol],
        outputs: Sequence[Symbol],
        arguments: Sequence[Symbol],
        sens: Any,
        once: bool = False,
    ) -> Any:
        """Record the gradients, in the requested form. `once`: this is done once, without a copy of the backward."""
        trace: Trace | None = STATE.trace
        assert trace is not None
        nodes, first = trace.recorder.nodes, len(trace.recorder.nodes)
        seeds = self.seeds(trace, outputs, sens)
        backward = self.derivative.backward
        for parameter, seed in zip(backward.parameters[len(backward.parameters) - len(seeds) :], seeds, strict=True):
            trace.root.names.improve(seed.operand, parameter.name)
        if once:
            recorder = trace.recorder
            given = recorder.adopt(backward, [*residuals, *seeds])
            cotangents = tuple([Symbol(given.get(each, each), recorder) for each in backward.outputs])
        else:
            cotangents = trace.recorder.inline(backward, [*residuals, *seeds])
        if CONTEXT.debug_nans:
            trace.went_back(nodes[first:])
        gradients = [
            wrap(ops.zeros_as(symbol) if where is None else conjugate(cotangents[where]))
            for symbol, where in zip(arguments, self.derivative.gradients, strict=True)
        ]
        found: list[Any] = []
        for position in self.positions:
            if position not in self.replaced:
                found.append(LEFT_OUT)
                continue
            mine = iter([gradients[index] for index in self.replaced[position]])
            found.append(_gradient_tree(self.args[position], mine))
        parameters = self.gradient.request.weights or ()
        weights = [
            hooked_gradient(weight, gradient)
            for weight, gradient in zip(parameters, gradients[len(gradients) - len(parameters) :], strict=True)
        ]
        return self.gradient.arrange(self.positions, found, weights)


@dataclass(frozen=True)
class LinearizedCall:
    """The recorded call of a function to differentiate.

    Attributes:
        value: the function's result.
        pullback: from cotangents to gradients.
        residuals, outputs, arguments: the values of the trace that it needs: what the backward graph reads, the outputs
            that are differentiated, and what they are differentiated by.
    """

    value: Any
    pullback: Pullback
    residuals: tuple[Symbol, ...]
    outputs: tuple[Symbol, ...]
    arguments: tuple[Symbol, ...]

    def back(self, sens: Any = None, once: bool = False) -> Any:
        """The gradients for cotangents of the output (None: ones). `once`: nobody asks for them again."""
        return self.pullback.back(self.residuals, self.outputs, self.arguments, sens, once)


class _Inputs:
    """The inputs by which a function is differentiated: tensors among its arguments, and weights.

    Attributes:
        symbols: their symbols in the enclosing graph, in the order of the parameters of the function's own graph.
        replaced: for each argument that has a gradient, the positions of its tensors among the symbols.
    """

    def __init__(self, trace: Trace, gradient: GradientSpec, args: tuple[Any, ...], outermost: bool) -> None:
        self.trace = trace
        self.args = args
        self.positions = gradient.positions(args)
        self.weights = gradient.request.weights or ()
        self.outermost = outermost
        self.symbols: list[Symbol] = []
        self.replaced: dict[int, list[int]] = {}
        self._inner: Recorder
        self._stood_for: dict[int, Parameter] = {}  # states of stand-ins to the Parameters that were given as arguments
        self._weight_symbols: dict[int, Symbol] = {}

    def bind(self, inner: Recorder) -> list[Any]:
        """The arguments, on parameters of the function's own graph. From then on the weights stand for its parameters,
        too."""
        self._inner = inner
        new_args = list(self.args)
        for position in self.positions:
            if not differentiable(self.args[position], self.outermost):
                continue
            first = len(self.symbols)
            new_args[position] = replace_leaves(self.args[position], self._fresh, parameters=True)
            self.replaced[position] = list(range(first, len(self.symbols)))
        trace = self.trace
        for weight in self.weights:
            self.symbols.append(trace.read(weight))
            trace.guards.read_hooks(weight)
            trace.write(weight, inner.parameter(weight._type, weight.name))
        self._weight_symbols = {id(trace.states[id(weight)]): trace.read(weight) for weight in self.weights}
        return new_args

    def _fresh(self, leaf: Any) -> Any:
        """The parameter for a leaf of an argument."""
        if not isinstance(leaf, Tensor):
            return leaf
        self.symbols.append(self.trace.read(leaf))
        if isinstance(leaf, Parameter):
            new = stand_in(leaf, leaf._data)
            self._stood_for[id(self.trace.bind(new, self._inner.parameter(leaf._type, leaf.name)))] = leaf
            return new
        number = leaf._number if isinstance(leaf, TracedTensor) else None
        return wrap(self._inner.parameter(leaf._type, _name_of(leaf, f"x{len(self.symbols) - 1}")), number)

    def keeps(self, target: Any, symbol: Symbol, before: Symbol) -> bool:
        """Whether an update counts outside. Updates of tensors that the function made, and the binding of a weight, do
        not."""
        from_outside = before.recorder is not self._inner or id(target) in self._stood_for
        return from_outside and self._weight_symbols.get(id(target)) is not symbol

    def write(self, target: Any, symbol: Symbol) -> None:
        """Give an updated tensor, or the Parameter that it stood for, new numbers."""
        if id(target) in self._stood_for:
            self.trace.write(self._stood_for[id(target)], symbol)
        else:
            self.trace.write_target(target, symbol)


def linearize(
    gradient: GradientSpec, args: tuple[Any, ...], kwargs: dict[str, Any], outermost: bool = False
) -> LinearizedCall:
    """Record the gradient function's function once, and derive its backward graph.

    Args:
        gradient: the gradient function.
        args, kwargs: the function's arguments (no sensitivity among them).
        outermost: whether they are the arguments of the compiled function: their plain containers are constants.
    """
    trace: Trace | None = STATE.trace
    assert trace is not None
    gradient.check_arguments(args, kwargs)
    inputs = _Inputs(trace, gradient, args, outermost)
    with trace.scope(gradient.name) as scope:
        new_args = inputs.bind(scope.recorder)
        result = control.call(gradient.function, *new_args, **kwargs)
        chosen, _ = gradient.differentiated(result)
        function = outlined(trace, scope, result, inputs.keeps)
    differentiated = tree.tensors(chosen)
    derivative = _derivative(gradient, function, inputs, len(differentiated))
    trace.derivatives.append(derivative)
    values, is_shared = _inlined(trace, gradient, function, inputs, derivative)
    outer = trace.recorder
    results = [Symbol(values.get(operand, operand), outer) for operand in function.graph.outputs]
    fresh = iter([_like(tensor, symbol) for tensor, symbol in zip(function.tensors, results, strict=False)])
    value = tree.map_tensors(lambda _: next(fresh), result)
    if not is_shared:
        function.apply_changes(trace, results, inputs.write)
    dtypes = tuple(tensor.dtype for tensor in differentiated)
    pullback = Pullback(gradient, derivative, dtypes, args, inputs.positions, inputs.replaced)
    residuals = tuple([Symbol(values.get(value, value), outer) for value in derivative.residuals])
    return LinearizedCall(value, pullback, residuals, tuple(results[: len(differentiated)]), tuple(inputs.symbols))


def _explicit(function: Outlined) -> list[Value]:
    """The parameters of a function's graph that are its differentiated inputs."""
    return [value for value in function.graph.parameters if value not in function.captures]


def _derivative(gradient: GradientSpec, function: Outlined, inputs: _Inputs, count: int) -> Derivative:
    """The derivative of the first `count` outputs. Warns of weights on which they do not depend."""
    graph, explicit = function.graph, _explicit(function)
    weights = inputs.weights
    if not gradient.told_of_unused and weights:
        own = dict(zip(explicit[len(explicit) - len(weights) :], weights, strict=True))
        gradient.told_of_unused = _warn_of_unused(gradient.name, graph, count, own)
    names = inputs.trace.root.names
    return differentiate(graph, [graph.parameters.index(value) for value in explicit], list(range(count)), names)


def _inlined(
    trace: Trace, gradient: GradientSpec, function: Outlined, inputs: _Inputs, derivative: Derivative
) -> tuple[dict[Operand, Operand], bool]:
    """The values of the enclosing graph for those of the forward graph that are others there.

    Also whether an earlier call of the function is used: then its side effects have been applied.
    """
    outer, graph = trace.recorder, function.graph
    given = dict(zip(_explicit(function), inputs.symbols, strict=True))
    given.update({value: Symbol(outside, outer) for value, outside in function.captures.items()})
    earlier = trace.earlier_call(gradient.function, graph, given) if graph.nodes else None
    if earlier is not None:
        return _share(trace, graph, derivative.forward, *earlier), True
    return outer.adopt(derivative.forward, [given[value] for value in graph.parameters]), False


def _like(tensor: Tensor, symbol: Symbol) -> TracedTensor:
    """A traced tensor of a symbol. It is a Python number if the other one is."""
    return wrap(symbol, tensor._number if isinstance(tensor, TracedTensor) else None)


def _warn_of_unused(name: str, graph: Graph, count: int, weights: dict[Value, Parameter]) -> bool:
    """Warn if the first `count` outputs of a graph do not depend on some weights of an optimizer. Returns whether they
    do not.

    They do depend on a weight whose gradient happens to be 0, or is stopped.
    """
    needed: set[Operand] = set(graph.outputs[:count])
    for node in reversed(graph.nodes):
        if any(output in needed for output in node.outputs):
            needed.update(node.inputs)
    optimized = {value: weight for value, weight in weights.items() if weight._optimized and weight.requires_grad}
    unused = [weight.name for value, weight in optimized.items() if value not in needed]
    if not unused:
        return False
    shown = ", ".join(unused[:_NAMED]) + (", …" if len(unused) > _NAMED else "")
    warnings.warn(
        f"'{name}' does not use {len(unused)} of the {len(optimized)} Parameters of an optimizer: {shown}. Their "
        "gradients are 0: use them, or leave them out of the optimizer",
        UserWarning,
        stacklevel=user_level(),
    )
    return True


_NAMED = 5  # Parameters that a warning names


def _share(
    trace: Trace, graph: Graph, forward: Graph, values: dict[Operand, Operand], positions: Sequence[int]
) -> dict[Operand, Operand]:
    """Let the nodes of an earlier call be the forward graph of a derivative, so that one run of the function serves
    both.

    Nodes that gained outputs in the derivative gain them there. Nodes that the forward graph computes before a loop,
    but the earlier call in each iteration, are placed before that loop.

    Args:
        trace: the trace, whose innermost recorder has the call.
        graph: the function's graph as the call has recorded it.
        forward: the forward graph of the derivative.
        values: for each value of the function's graph the value of the call.
        positions: of the call's nodes.

    Returns:
        For each value of the forward graph the value of the earlier call.
    """
    nodes = trace.recorder.nodes
    known, added = 0, 0
    for node in forward.nodes:
        index = positions[known] + added
        read = dict(zip(graph.nodes[known].inputs, nodes[index].inputs, strict=True))
        is_moved = bool(node.outputs) and node.outputs[0] not in values
        have = () if is_moved else nodes[index].outputs
        fresh = tuple(Value(value.type, value.name) for value in node.outputs[len(have) :])
        inputs = tuple(read.get(operand, values.get(operand, operand)) for operand in node.inputs)
        values.update(zip(node.outputs[len(have) :], fresh, strict=True))
        if is_moved:
            trace.insert(index, replace(node, inputs=inputs, outputs=fresh))
            added += 1
            continue
        if fresh or len(inputs) != len(nodes[index].inputs):
            nodes[index] = replace(node, inputs=inputs, outputs=(*have, *fresh))
        known += 1
    return values


def ones_as(x: Symbol) -> Symbol:
    """A symbol of ones of the type of x."""
    if x.type.is_static:
        one = True if x.dtype.is_bool else 1.0 if x.dtype.is_float else 1
        return ops.full(shape=x.shape, value=one, dtype=x.dtype)
    return ops.add(ops.zeros_like(x), 1)


def _gradient_tree(argument: Any, gradients: Any) -> Any:
    """The gradients in the structure of the argument. Parts that are no tensors have gradients of zero."""

    def leaf(value: Any) -> Any:
        if not isinstance(value, Tensor):
            return zero_beside(value)
        gradient = next(gradients)
        number = value._number if isinstance(value, TracedTensor) else None
        return gradient if number is None else zero_beside(number())

    return tree.map_tree(leaf, plain(argument))


def zero_beside(value: Any) -> Any:
    """The gradient of an argument's part that is no tensor: the number 0 of its kind; None for None."""
    return None if value is None else 0.0 if isinstance(value, float) else 0


def differentiable(argument: Any, outermost: bool) -> bool:
    """Whether an argument has a gradient: a tensor, or a container of tensors that is no compile-time constant."""
    if isinstance(argument, Tensor):
        return True
    if not tree.tensors(argument):
        return is_mutable(argument) and bool(tree.leaves(argument))
    return is_mutable(argument) or not outermost


def _name_of(leaf: Any, otherwise: str) -> str:
    operand = leaf._symbol.operand if isinstance(leaf, TracedTensor) else None
    return getattr(operand, "name", "") or otherwise
