"""Custom derivatives: a call with its own backward is one node of the graph, or one step of the tape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...compiler import ops
from ...compiler.ir.values import Value
from ...compiler.transforms.symbolic import Symbol
from ..control_flow import calls as control
from ..control_flow.surroundings import ANEW
from ..errors.classes import GraphBreak
from ..state import STATE
from ..tracing.outline import outlined
from ..tracing.trace import Trace, TraceScope
from ..values import tree
from ..values.dispatch import apply
from ..values.tensor import Tensor
from ..values.traced_tensor import wrap
from .backward import UserBackward


def conjugate(symbol: Symbol) -> Symbol:
    """Convert a user's gradient to a cotangent of the graph's rules, or back. They differ for complex numbers."""
    return ops.conj(symbol) if symbol.dtype.is_complex else symbol


class CustomCall:
    """Records a function together with a function for its backward as one node."""

    def __init__(self, trace: Trace, args: tuple[Any, ...]) -> None:
        self.trace = trace
        self.args = args
        self.tensors = [tensor for arg in args for tensor in tree.tensors(arg)]

    def _replaced(self, symbols: list[Symbol]) -> list[Any]:
        fresh = iter([wrap(symbol) for symbol in symbols])
        return [tree.map_tensors(lambda _: next(fresh), arg) for arg in self.args]

    def record_forward(self, function: Any) -> Any:
        """Trace the forward into a graph of its own. Returns the result, on symbols of that graph."""
        with self.trace.scope("forward") as scope:
            inputs = [scope.recorder.parameter(t._type, "") for t in self.tensors]
            result = function(*self._replaced(inputs))
            self.forward = outlined(self.trace, scope, result)
        return result

    def finish(self, result: Any, backward: Any) -> Any:
        """Trace the backward `(*inputs, out, dout) -> gradients`, one fitting gradient (None: zero) for each tensor in
        the arguments, and record the node. Returns the result on its outputs."""
        trace, forward = self.trace, self.forward.graph
        outer = trace.recorder
        with trace.scope("backward") as scope:
            inner = [scope.recorder.parameter(value.type, value.name) for value in forward.parameters]
            outs = [scope.recorder.parameter(type, "out") for type in forward.types]
            douts = [scope.recorder.parameter(type, "dout") for type in forward.types]
            given = self._replaced(inner[: len(self.tensors)])
            out_values, dout_values = iter(map(wrap, outs)), iter(wrap(conjugate(dout)) for dout in douts)
            out = tree.map_tensors(lambda _: next(out_values), result)
            dout = tree.map_tensors(lambda _: next(dout_values), result)
            outside = trace.builder.flow.outside
            before = outside.now()
            found = backward(*given, out, dout)
            outside.check_unchanged(before, "in the backward pass")
            _check_unchanged(trace, scope)
            symbols = [
                ops.zeros_as(symbol) if tensor is None else conjugate(trace.read(tensor))
                for tensor, symbol in zip(found, inner, strict=False)
            ]
            graph = scope.recorder.finish(symbols)
            extra = list(scope.recorder.captures)
            count = len(scope.recorder.parameters) - len(extra)
            parameters = graph.parameters[:count]
        # A value that only the backward reads becomes an input of the forward, too, so that one list of operands serves
        # both.
        n = len(forward.parameters)
        forward_extra = tuple(Value(value.type, value.name) for value in extra)
        own = tuple(scope.recorder.captures[value] for value in extra)
        forward = replace(forward, parameters=(*forward.parameters, *forward_extra))
        graph = replace(graph, parameters=(*parameters[:n], *own, *parameters[n:]))
        operands = [*[outer.lift(trace.read(t)) for t in self.tensors], *self.forward.captures.values(), *extra]
        attrs = {"forward": forward, "backward": graph, "given": len(self.tensors)}
        node = outer.append(ops.custom_call, operands, attrs)
        values = [Symbol(value, outer) for value in node.outputs]
        self.forward.apply_changes(trace, values)
        fresh = iter(map(wrap, values))
        return tree.map_tensors(lambda _: next(fresh), result)


def _check_unchanged(trace: Trace, scope: TraceScope) -> None:
    """Raise GraphBreak if a backward function, whose scope is about to end, has changed what is outside of it: its node
    gives gradients alone."""
    for owner, name in ((trace.attributes[key][0], key[1]) for key in scope.attributes if key in trace.attributes):
        kind = type(owner).__name__
        raise GraphBreak(f"in the backward pass the attribute '{name}' of an object of {kind} is set, {ANEW}")
    for _, before in scope.written.values():
        if before.recorder is not scope.recorder:
            raise GraphBreak(f"in the backward pass a tensor from outside is changed, {ANEW}")


def custom_call(
    function: Callable[..., tuple[Any, ...]], backward: Callable[..., tuple[Any, ...]], tensors: tuple[Tensor, ...]
) -> tuple[Any, ...]:
    """The tuple `function(*tensors)`. In a trace or on a tape its derivative is `backward(*tensors, out, dout)`."""
    trace: Trace | None = STATE.trace
    if trace is not None:
        call = CustomCall(trace, tensors)
        return call.finish(call.record_forward(function), backward)
    if STATE.tape is not None:
        return STATE.tape.custom(function, backward, tensors, {})
    return tensors


def pass_through(tensors: tuple[Tensor, ...], passing: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> tuple[Any, ...]:
    """The tensors. In the backward pass their gradients go together through a function."""

    def backward(*values: Any) -> tuple[Any, ...]:
        return tuple(control.call(passing, tuple(values[-1])))

    return custom_call(lambda *items: tuple(apply(ops.copy, item) for item in items), backward, tensors)


def insert_gradient_of(x: Tensor, function: Callable[[Any], Any], what: str) -> Tensor:
    """x, whose gradient passes through `function` in the backward pass. None leaves the gradient alone. `what` is its
    name in errors."""

    hook = UserBackward(what, function)

    def passing(douts: tuple[Any, ...]) -> tuple[Any, ...]:
        changed = hook.fit(control.call(function, douts[0]), douts[0])
        return (douts[0] if changed is None else changed,)

    return pass_through((x,), passing)[0]
