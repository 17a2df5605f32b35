"""Running a Cell: hooks, casts, custom backward and recomputation around its construct, eagerly or in a trace."""

from __future__ import annotations

from typing import Any

from ..compiler import ops
from ..compiler.ir import Value
from ..compiler.symbolic import Symbol
from ..runtime.dtypes import DType
from . import cell as cell_module, control, tree
from .cell import Cell
from .dispatch import apply, cast
from .errors import check_gradients
from .mutable import plain
from .outermost import run_outermost
from .state import STATE
from .tensor import Tensor
from .trace import Trace, wrap

_PACKAGE = __name__.split(".")[0] + "."


def run_cell(cell: Cell, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What calling the Cell gives: eagerly, or recorded in the trace of this thread."""
    return run_outermost(_run, (cell, args, kwargs), {}) if STATE.trace is None else _run(cell, args, kwargs)


def _run(cell: Cell, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run the Cell with all that is around its construct."""
    trace = STATE.trace
    if trace is not None:
        trace.guards.visit(cell) if _is_library(cell) else trace.guards.visit_class(cell)
    for hook in list(cell._forward_pre_hooks.values()):
        changed = control.call(hook, cell, args)
        if changed is not None:
            args = changed if isinstance(changed, tuple) else (changed,)
    if cell._float_dtype is not None:
        args = _cast_inputs(args, cell._float_dtype)
    if trace is not None and hasattr(cell, "bprop"):
        result = _call_with_bprop(trace, cell, args, kwargs)
    elif trace is not None and cell._recompute:
        result = _recomputed(trace, cell, args, kwargs)
    elif STATE.tape is not None and hasattr(cell, "bprop"):
        result = STATE.tape.custom(cell.construct, cell.bprop, args, kwargs)
    else:
        result = call_construct(cell, args, kwargs)
    for hook in list(cell._forward_hooks.values()):
        changed = control.call(hook, cell, args, result)
        if changed is not None:
            result = changed
    if cell._backward_hooks:
        result = _with_backward_hooks(cell, args, result)
    return result


def call_construct(cell: Cell, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The Cell's construct; while tracing, in its converted form if it is the user's."""
    if STATE.trace is None:
        return cell.construct(*plain_all(args), **kwargs)
    if _is_library(cell):
        return cell.construct(*args, **kwargs)
    return control.call(cell.construct, *args, **kwargs)


def plain_all(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arguments without the marks of `mutable`."""
    return tuple(map(plain, args))


def _is_library(cell: Cell) -> bool:
    """Whether the class of the Cell is one of mycel's own, whose construct traces as it is."""
    return type(cell).__module__.startswith(_PACKAGE) and "construct" not in cell.__dict__


def _cast_inputs(args: tuple[Any, ...], dtype: DType) -> tuple[Any, ...]:
    def leaf(tensor: Tensor) -> Tensor:
        return cast(tensor, dtype) if tensor.dtype.is_float else tensor

    return tuple(tree.map_tensors(leaf, arg) for arg in args)


def _call_with_bprop(trace: Trace, cell: Cell, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Record a call whose derivative is the Cell's `bprop(self, *inputs, out, dout)`."""
    call = CustomCall(trace, args)
    result = call.record_forward(lambda *inner: call_construct(cell, inner, kwargs))

    def backward(*values: Any) -> Any:
        gradients = control.call(cell.bprop, *values)
        check_gradients(f"bprop of {type(cell).__name__}", gradients, len(args))
        return gradients

    return call.finish(result, backward)


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
        """Trace the forward into a graph of its own; the result, on symbols of that graph."""
        with self.trace.scope("forward") as scope:
            inputs = [scope.recorder.parameter(t._type, "") for t in self.tensors]
            result = function(*self._replaced(inputs))
            self.updates = [(t, s) for t, s in self.trace.updates(scope)]
            outputs = [self.trace.read(tensor) for tensor in tree.tensors(result)]
            self.forward = scope.recorder.finish([*outputs, *[symbol for _, symbol in self.updates]])
            self.count = len(outputs)
            self.captures: list[Value] = list(scope.recorder.captures)
        return result

    def finish(self, result: Any, backward: Any) -> Any:
        """Trace the backward `(*inputs, out, dout) -> gradients` and record the node; the result on its outputs."""
        trace, forward = self.trace, self.forward
        outer = trace.recorder
        with trace.scope("backward") as scope:
            inner = [scope.recorder.parameter(value.type, value.name) for value in forward.parameters]
            outs = [scope.recorder.parameter(type, "out") for type in forward.types]
            douts = [scope.recorder.parameter(type, "dout") for type in forward.types]
            given = self._replaced(inner[: len(self.tensors)])
            out_values, dout_values = iter(map(wrap, outs)), iter(map(wrap, douts))
            out = tree.map_tensors(lambda _: next(out_values), result)
            dout = tree.map_tensors(lambda _: next(dout_values), result)
            gradients = backward(*given, out, dout)
            found = [_fit(g, t) for g, t in _pair(self.args, gradients)]
            symbols = [
                ops.zeros_as(symbol) if tensor is None else trace.read(tensor)
                for tensor, symbol in zip(found, inner, strict=False)
            ]
            graph = scope.recorder.finish(symbols)
            extra = list(scope.recorder.captures)
            count = len(scope.recorder.parameters) - len(extra)
            parameters = graph.parameters[:count]
        # What only the backward reads becomes an input of the forward as well, so that one list of operands serves
        # both.
        from dataclasses import replace

        n = len(forward.parameters)
        forward_extra = tuple(Value(value.type, value.name) for value in extra)
        own = tuple(scope.recorder.captures[value] for value in extra)
        forward = replace(forward, parameters=(*forward.parameters, *forward_extra))
        graph = replace(graph, parameters=(*parameters[:n], *own, *parameters[n:]))
        operands = [*[outer.lift(trace.read(t)) for t in self.tensors], *self.captures, *extra]
        attrs = {"forward": forward, "backward": graph, "given": len(self.tensors)}
        node = outer.append(ops.custom_call, operands, attrs)
        values = [Symbol(value, outer) for value in node.outputs]
        for (target, _), symbol in zip(self.updates, values[self.count :], strict=True):
            trace.write_target(target, symbol)
        fresh = iter(map(wrap, values[: self.count]))
        return tree.map_tensors(lambda _: next(fresh), result)


def _pair(args: tuple[Any, ...], gradients: Any) -> list[tuple[Any, Tensor]]:
    """(gradient or None, input tensor) for every tensor in the arguments."""
    pairs: list[tuple[Any, Tensor]] = []
    for arg, gradient in zip(args, gradients, strict=True):
        wanted = tree.tensors(arg)
        found = tree.leaves(gradient) if wanted and tree.children(arg) is not None else [gradient] * len(wanted)
        pairs += zip(found, wanted, strict=True)
    return pairs


def _fit(gradient: Any, like: Tensor) -> Tensor | None:
    """A gradient that a user's function returned, as a tensor of the input's type; None for zero."""
    if gradient is None:
        return None
    if not isinstance(gradient, Tensor):
        gradient = Tensor(gradient, like.dtype)
    gradient = cast(gradient, like.dtype)
    if gradient._type.shape != like._type.shape:
        raise ValueError(
            f"a gradient for an input of shape {like.shape} should have that shape, but has shape {gradient.shape}"
        )
    return gradient


def _recomputed(trace: Trace, cell: Cell, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Record a Cell whose intermediates the backward computes again."""
    outer = trace.recorder
    with trace.scope(type(cell).__name__) as scope:
        result = call_construct(cell, args, kwargs)
        updates = trace.updates(scope)
        outputs = [trace.read(tensor) for tensor in tree.tensors(result)]
        body = scope.recorder.finish([*outputs, *[symbol for _, symbol in updates]])
        captures = list(scope.recorder.captures)
    if any(node.has_effect for node in body.nodes):
        results = list(outer.inline(body, [Symbol(value, outer) for value in captures]))
    else:
        node = outer.append(ops.recomputed, captures, {"body": body})
        results = [Symbol(value, outer) for value in node.outputs]
    for (target, _), symbol in zip(updates, results[len(outputs) :], strict=True):
        trace.write_target(target, symbol)
    fresh = iter(map(wrap, results[: len(outputs)]))
    return tree.map_tensors(lambda _: next(fresh), result)


def _with_backward_hooks(cell: Cell, args: tuple[Any, ...], result: Any) -> Any:
    """Call the hooks `(cell, grad_input, grad_output)` with the gradient of the output as it passes."""
    outputs = tree.tensors(result)
    if not outputs:
        return result
    hooked = []
    for output in outputs:

        def passing(dout: Any) -> Any:
            for hook in list(cell._backward_hooks.values()):
                changed = control.call(hook, cell, (dout,), (dout,))
                if changed is not None:
                    dout = changed[0] if isinstance(changed, tuple) else changed
            return dout

        hooked.append(insert_gradient_of(output, passing))
    fresh = iter(hooked)
    return tree.map_tensors(lambda _: next(fresh), result)


def insert_gradient_of(x: Tensor, function: Any) -> Tensor:
    """x, whose passing gradient goes through `function`."""
    trace = STATE.trace
    if trace is not None:
        call = CustomCall(trace, (x,))
        result = call.record_forward(lambda value: apply(ops.copy, value))
        return call.finish(result, lambda value, out, dout: (control.call(function, dout),))
    if STATE.tape is not None:
        return STATE.tape.custom(
            lambda value: apply(ops.copy, value), lambda value, out, dout: (function(dout),), (x,), {}
        )
    return x


cell_module._hooks["run_cell"] = run_cell
