"""Hooks: functions of the user that see, and may change, the inputs, outputs and gradients of Cells and tensors."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from ...compiler import ops
from ...compiler.ir.graph import Node
from ...compiler.ir.types import TensorType
from ...compiler.ir.values import Operand, Value
from ...compiler.transforms.symbolic import Recorder, Symbol
from ..control_flow import calls as control
from ..errors.classes import GraphBreak
from ..state import STATE
from ..tracing.outline import outlined
from ..tracing.trace import Trace
from ..values import tree
from ..values.cell import Cell
from ..values.cell_hooks import Changes
from ..values.dispatch import apply
from ..values.parameter import Parameter
from ..values.tensor import Tensor
from ..values.traced_tensor import wrap
from .backward import UserBackward
from .custom_call import custom_call, insert_gradient_of, pass_through

_NUMBERS = itertools.count()
TENSOR_HOOK = "a hook of a tensor"

# Cells: forward


def before(cell: Cell, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a Cell after its forward pre-hooks."""
    for hook, with_kwargs in list(cell._forward_pre_hooks.values()):
        changed = control.call(hook, cell, args, kwargs) if with_kwargs else control.call(hook, cell, args)
        if changed is None:
            continue
        if not with_kwargs:
            args = changed if isinstance(changed, tuple) else (changed,)
        elif isinstance(changed, tuple) and len(changed) == 2 and isinstance(changed[1], dict):
            args, kwargs = changed
        else:
            raise RuntimeError(
                f"a forward pre-hook with keyword arguments should return None or (args, kwargs), but that of "
                f"{type(cell).__name__} returned {type(changed).__name__}"
            )
    return args, kwargs


def after(cell: Cell, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> Any:
    """The result of a Cell after its forward hooks."""
    for hook, with_kwargs in list(cell._forward_hooks.values()):
        given = (args, kwargs, result) if with_kwargs else (args, result)
        changed = control.call(hook, cell, *given)
        if changed is not None:
            result = changed
    return result


# Cells: backward


def around(cell: Cell, args: tuple[Any, ...], run: Callable[[tuple[Any, ...]], Any]) -> Any:
    """The result of `run(args)`, with the Cell's backward hooks on the gradients of its inputs and outputs.

    The hooks on the inputs need the gradients of the outputs, too. They get them as gradients of tokens: zeros, one for
    each output, which are made together with the inputs and end together with the outputs.
    """
    tensors = tuple(tensor for arg in args for tensor in tree.tensors(arg))
    if STATE.trace is not None:
        return _around_traced(STATE.trace, cell, args, tensors, run)
    if STATE.tape is None:
        return run(args)
    seen: list[Any] = []

    def backward(*values: Any) -> tuple[Any, ...]:
        return _changed_inputs(cell, tuple(values[-1]), tuple(seen))

    if tensors and cell._backward_hooks:
        copies = iter(STATE.tape.custom(lambda *items: tuple(apply(ops.copy, t) for t in items), backward, tensors, {}))
        args = tuple(tree.map_tensors(lambda _: next(copies), arg) for arg in args)
    result = run(args)

    def passing(douts: tuple[Any, ...]) -> tuple[Any, ...]:
        seen[:] = _changed_outputs(cell, douts)
        return tuple(seen)

    hooked = iter(pass_through(tuple(tree.tensors(result)), passing))
    return tree.map_tensors(lambda _: next(hooked), result)


def _around_traced(
    trace: Trace, cell: Cell, args: tuple[Any, ...], tensors: tuple[Tensor, ...], run: Callable[[tuple[Any, ...]], Any]
) -> Any:
    """`around` in a trace. The call is outlined: the tokens are made before it, with the types of its outputs."""
    with trace.scope(type(cell).__name__) as scope:
        inner = [scope.recorder.parameter(tensor._type, "") for tensor in tensors]
        given = iter(map(wrap, inner))
        result = run(tuple(tree.map_tensors(lambda _: next(given), arg) for arg in args))
        call = outlined(trace, scope, result)
    count = len(call.tensors)
    inputs, tokens = _hook_inputs(cell, tensors, call.graph.types[:count])
    own = dict(zip([symbol.operand for symbol in inner], map(trace.read, inputs), strict=True))
    outer = trace.recorder
    arguments = [own[value] if value in own else Symbol(call.captures[value], outer) for value in call.graph.parameters]
    results = outer.inline(call.graph, arguments)
    call.apply_changes(trace, results)
    outputs = iter(_hook_outputs(cell, tuple(map(wrap, results[:count])), tokens))
    return tree.map_tensors(lambda _: next(outputs), result)


def _hook_inputs(
    cell: Cell, tensors: tuple[Tensor, ...], types: Sequence[TensorType]
) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    """The inputs, whose gradients pass through the backward hooks, and a token for each output of these types."""
    if not (tensors and types and cell._backward_hooks):
        return tensors, ()
    if not all(type.is_static for type in types):
        raise GraphBreak(f"a backward hook of {type(cell).__name__} needs outputs of known size")

    def forward(*items: Any) -> tuple[Any, ...]:
        zeros = [wrap(ops.zeros_of(type)) for type in types]
        return (*[apply(ops.copy, item) for item in items], *zeros)

    def backward(*values: Any) -> tuple[Any, ...]:
        douts = tuple(values[-1])
        return _changed_inputs(cell, douts[: len(tensors)], douts[len(tensors) :])

    made = custom_call(forward, backward, tensors)
    return made[: len(tensors)], made[len(tensors) :]


def _hook_outputs(cell: Cell, outputs: tuple[Tensor, ...], tokens: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """The outputs, whose gradients pass through the backward pre-hooks, and then to the tokens."""
    if not outputs:
        return outputs

    def forward(*items: Any) -> tuple[Any, ...]:
        return tuple(apply(ops.copy, item) for item in items[: len(outputs)])

    def backward(*values: Any) -> tuple[Any, ...]:
        changed = _changed_outputs(cell, tuple(values[-1]))
        return changed + (changed if tokens else ())

    return custom_call(forward, backward, (*outputs, *tokens))


def _changed_inputs(cell: Cell, grad_input: tuple[Any, ...], grad_output: tuple[Any, ...]) -> tuple[Any, ...]:
    """The gradients of the inputs after the backward hooks."""
    for hook in list(cell._backward_hooks.values()):
        changed = control.call(hook, cell, grad_input, grad_output)
        grad_input = UserBackward(f"a backward hook of {type(cell).__name__}", hook).several(changed, grad_input)
    return grad_input


def _changed_outputs(cell: Cell, grad_output: tuple[Any, ...]) -> tuple[Any, ...]:
    """The gradients of the outputs after the backward pre-hooks."""
    for hook in list(cell._backward_pre_hooks.values()):
        changed = control.call(hook, cell, grad_output)
        grad_output = UserBackward(f"a backward pre-hook of {type(cell).__name__}", hook).several(changed, grad_output)
    return grad_output


# Tensors


class TensorHook:
    """A hook on a tensor's gradient. `remove()` removes it."""

    def __init__(self, tensor: Tensor, undo: Callable[[], None]) -> None:
        self._tensor = tensor
        self._undo: Callable[[], None] | None = undo

    def remove(self) -> None:
        """Remove the hook. A second call is no error."""
        if self._undo is not None:
            self._undo()
            self._undo = None


def register_hook(self: Tensor, hook: Callable[[Any], Any]) -> TensorHook:
    """Let the gradient of this tensor go through a function on its way back.

    Inside of a function that is differentiated the hook gets the whole gradient of the tensor. Outside it is for
    Parameters: their gradients go through it from here on.

    Args:
        hook: a function from the gradient to a new gradient, or None for no change.

    Returns:
        A handle, whose `remove()` takes the hook away.

    Raises:
        TypeError: if hook is no function.

    Examples:
        >>> import mycel as ms
        >>> def f(x):
        ...     y = x * 3
        ...     y.register_hook(lambda gradient: gradient * 2)
        ...     return y * y
        >>> print(ms.grad(f)(ms.Tensor(1.0)))
        36.0
    """
    if not callable(hook):
        raise TypeError(f"Expected a callable hook function, but got {type(hook).__name__}")
    if STATE.trace is not None:
        return TensorHook(self, _hook_symbol(STATE.trace, self, hook))
    if STATE.tape is not None and not isinstance(self, Parameter):
        return TensorHook(self, STATE.tape.hook(self, hook))
    if self._gradient_hooks is None:
        self._gradient_hooks = OrderedDict()
    hooks, number = self._gradient_hooks, next(_NUMBERS)
    hooks[number] = hook
    Changes.version += 1

    def forget() -> None:
        hooks.pop(number, None)
        Changes.version += 1

    return TensorHook(self, forget)


def _hook_symbol(trace: Trace, tensor: Tensor, hook: Callable[[Any], Any]) -> Callable[[], None]:
    """Put a hook on the symbol of a tensor, for uses before and after. Returns a function that removes it."""
    target = trace.target(tensor)
    symbol = trace.symbol_of(target)
    recorder = trace.recorder
    start = len(recorder.nodes)
    hooked = trace.read(insert_gradient_of(wrap(symbol), hook, TENSOR_HOOK))
    trace.stand_in(target, hooked)
    if symbol.recorder is recorder and isinstance(symbol.operand, Value):
        _hook_earlier_uses(recorder, start, symbol.operand, hooked.operand)

    def undo() -> None:
        if trace.symbol_of(target) is hooked:
            trace.stand_in(target, symbol)
        if not recorder.closed:
            recorder.nodes[:] = [_reading(node, hooked.operand, symbol.operand) for node in recorder.nodes]

    return undo


def _hook_earlier_uses(recorder: Recorder, start: int, value: Value, hooked: Operand) -> None:
    """Move the nodes of a hook, from `start` on, directly after the node of the value, so that all readers come later.

    Nothing is moved if the hook itself reads a value that is computed later.
    """
    nodes = recorder.nodes
    made = next((place + 1 for place, node in enumerate(nodes) if value in node.outputs), 0)
    between, own = nodes[made:start], nodes[start:]
    later = {output for node in between for output in node.outputs}
    if any(operand in later for node in own for operand in node.inputs):
        return
    nodes[made:] = [*own, *[_reading(node, value, hooked) for node in between]]


def _reading(node: Node, before: Operand, after: Operand) -> Node:
    """The node with one operand replaced by another."""
    if before not in node.inputs:
        return node
    return node.with_inputs(after if operand is before else operand for operand in node.inputs)


TENSOR_METHODS = {"register_hook": register_hook}


def hooked_gradient(tensor: Tensor, gradient: Tensor) -> Tensor:
    """A Parameter's gradient after the Parameter's hooks."""
    for hook in list((tensor._gradient_hooks or {}).values()):
        changed = UserBackward(TENSOR_HOOK, hook).fit(control.call(hook, gradient), gradient)
        gradient = gradient if changed is None else changed
    return gradient
