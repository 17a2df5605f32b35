"""Calls of Cells: hooks, casts, custom backward and recomputation around `construct`.

Outside of graph mode a training step calls its network for the loss, and the gradient function runs it again. The two
are one computation: moving averages move once, and dropout leaves out the same elements. So a call of a Cell with
`set_grad()` notes the numbers of Parameters before it assigns to them: an undo log. The gradient starts from these, and
leaves Parameters and random generator as it found them. Other Cells are not noted, as in MindSpore.
"""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiler import ops
from ...compiler.transforms.symbolic import Symbol
from ...runtime import random
from ...runtime.dtypes import DType
from ..compilation.scopes import run_outermost
from ..control_flow import calls as control
from ..errors.classes import not_a_tensor
from ..state import STATE
from ..tracing.outline import outlined
from ..tracing.trace import Trace
from ..values import tree
from ..values.cell import Cell
from ..values.cell_inputs import without_self
from ..values.dispatch import cast
from ..values.mutable import plain
from ..values.parameter import Parameter
from ..values.tensor import Tensor
from ..values.traced_tensor import wrap
from . import hooks
from .backward import UserBackward
from .custom_call import CustomCall

KEPT = 4  # calls, for steps that call several Cells before they ask for gradients


class UndoLog:
    """What a call of a Cell has changed: the numbers of Parameters before it, and the random generator's state.

    Args:
        cell: the Cell.
        args: the positional arguments of the call.
    """

    def __init__(self, cell: Cell, args: tuple[Any, ...]) -> None:
        self.cell = weakref.ref(cell)
        self.args = [weakref.ref(arg) if isinstance(arg, Tensor) else arg for arg in args]
        self.before: dict[int, tuple[Parameter, np.ndarray]] = {}
        self.random = random.get_state()

    def note(self, parameter: Parameter) -> None:
        """Keep the numbers of a Parameter, which is assigned to after this, if it is the first time."""
        if id(parameter) not in self.before:
            self.before[id(parameter)] = parameter, parameter._data.copy()

    def fits(self, function: Any, args: tuple[Any, ...]) -> bool:
        """Whether it is about a call of this Cell on these objects."""
        return self.cell() is function and len(args) == len(self.args) and all(map(_is, self.args, args))

    def around(self, call: Callable[[], Any]) -> Any:
        """Make a call from the state before the noted one. It leaves no trace."""
        now = [(parameter, parameter._data.copy()) for parameter, _ in self.before.values()]
        state = random.get_state()
        try:
            random.set_state(self.random)
            for parameter, numbers in self.before.values():
                parameter.set_data(Tensor._wrap(numbers))
            return call()
        finally:
            random.set_state(state)
            for parameter, numbers in now:
                parameter.set_data(Tensor._wrap(numbers))


def _is(kept: Any, arg: Any) -> bool:
    if isinstance(kept, weakref.ref):
        return kept() is arg
    return kept is arg or (isinstance(arg, (bool, int, float, str)) and type(kept) is type(arg) and bool(kept == arg))


def noted(call: Callable[[], Any], cell: Cell, args: tuple[Any, ...]) -> Any:
    """Make a call of a Cell, with a log of it for a gradient that follows."""
    log = STATE.undo = UndoLog(cell, args)
    try:
        result = call()
    finally:
        STATE.undo = None
    if log.before or log.random != random.get_state():
        STATE.undone = [*(old for old in STATE.undone if not old.fits(cell, args)), log][-KEPT:]
    return result


def follows(function: Any, args: tuple[Any, ...]) -> UndoLog | None:
    """The log of the last call of a Cell on these arguments, which is forgotten."""
    for log in reversed(STATE.undone):
        if log.fits(function, args):
            STATE.undone = [other for other in STATE.undone if other is not log]
            return log
    return None


def run_cell(cell: Cell, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of a call of the Cell: computed eagerly, or recorded in the trace of this thread."""
    if STATE.trace is not None:
        return _run(cell, args, kwargs)
    if cell.requires_grad and STATE.undo is None and STATE.tape is None and not kwargs:
        return noted(lambda: run_outermost(_run, (cell, args, kwargs), {}), cell, args)
    return run_outermost(_run, (cell, args, kwargs), {})


def _run(cell: Cell, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run the Cell. In a trace, its nodes carry its path."""
    trace: Trace | None = STATE.trace
    if trace is None:
        return _run_around(cell, args, kwargs)
    trace.guards.visit(cell) if _is_library(cell) else trace.guards.visit_class(cell)
    if id(cell) not in trace.cells:
        _note_paths(cell, "", trace.cells)
    sites = trace.sites
    before = sites.enter(trace.cells[id(cell)][1])
    try:
        return _run_around(cell, args, kwargs)
    finally:
        sites.leave(before)


def _note_paths(cell: Cell, path: str, known: dict[int, tuple[Any, str]]) -> None:
    """Store the paths of a Cell and of its sub-cells, with which the names of their Parameters begin. The outermost
    Cell, and those inside of one that gives its Parameters no prefix, such as TrainOneStepCell, are named by their
    classes."""
    if id(cell) not in known:
        known[id(cell)] = cell, path or type(cell).__name__
        for name, inner in cell._cells.items():
            if inner is not None:
                _note_paths(inner, (f"{path}.{name}" if path else name) if cell._auto_prefix else "", known)


def _run_around(cell: Cell, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run the Cell with everything around its construct."""
    args, kwargs = hooks.before(cell, args, kwargs)
    if cell._takes_tensors:
        for value in args:
            if not isinstance(value, Tensor):
                _check_inputs(cell, args)
                break
    if cell._float_dtype is not None:
        args = _cast_inputs(args, cell._float_dtype)
    if cell._backward_hooks or cell._backward_pre_hooks:
        return hooks.around(cell, args, lambda inner: _run_inner(cell, inner, kwargs))
    return _run_inner(cell, args, kwargs)


def _check_inputs(cell: Cell, args: tuple[Any, ...]) -> None:
    """Raise TypeError if an input of a layer is a NumPy array, or if the first one is a list, number or None instead of
    a Tensor."""
    parameters = list(inspect.signature(cell.construct).parameters.values())
    for position, (parameter, value) in enumerate(zip(parameters, args, strict=False)):
        wrong: tuple[type, ...] = (np.ndarray,)
        if position == 0 and parameter.default is parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL:
            wrong = (np.ndarray, list, dict, set, str, int, float, complex, type(None))
        if isinstance(value, wrong):
            raise not_a_tensor(type(cell).__name__, parameter.name, value)


def _run_inner(cell: Cell, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The Cell's construct, or its replacement, and its forward hooks."""
    trace: Trace | None = STATE.trace
    has_backward = "bprop" in cell.__dict__ or hasattr(type(cell), "bprop")
    if trace is not None and has_backward:
        result = _call_with_bprop(trace, cell, args, kwargs)
    elif trace is not None and cell._recompute:
        result = _recomputed(trace, type(cell).__name__, lambda: call_construct(cell, args, kwargs))
    elif STATE.tape is not None and has_backward:
        result = STATE.tape.custom(cell.construct, _backward(cell, len(args)), args, kwargs)
    else:
        result = call_construct(cell, args, kwargs)
    return hooks.after(cell, args, kwargs, result)


def call_construct(cell: Cell, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The Cell's construct. In a trace the user's construct runs in its converted form."""
    if STATE.trace is None:
        try:
            return cell.construct(*plain_all(args), **kwargs)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:  # construct has not begun
                error.args = (f"{error}{without_self(cell, len(args))}",)
            raise
    if _is_library(cell):
        return cell.construct(*args, **kwargs)
    return control.call(cell.construct, *args, **kwargs)


def plain_all(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arguments without the marks of `mutable`."""
    return tuple(map(plain, args))


def _is_library(cell: Cell) -> bool:
    """Whether the class of the Cell is one of mycel's own, whose construct is traced without conversion."""
    return cell._is_own and "construct" not in cell.__dict__


def _cast_inputs(args: tuple[Any, ...], dtype: DType) -> tuple[Any, ...]:
    def leaf(tensor: Tensor) -> Tensor:
        return cast(tensor, dtype) if tensor.dtype.is_float else tensor

    return tuple(tree.map_tensors(leaf, arg) for arg in args)


def _call_with_bprop(trace: Trace, cell: Cell, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Record a call whose derivative is the Cell's `bprop(self, *inputs, out, dout)`."""
    call = CustomCall(trace, args)
    result = call.record_forward(lambda *inner: call_construct(cell, inner, kwargs))

    return call.finish(result, _backward(cell, len(args)))


def _backward(cell: Cell, count: int) -> Callable[..., list[Tensor | None]]:
    """The Cell's `bprop` as the backward of a custom call: from inputs, output and its gradient to the tensors'
    gradients."""
    own = getattr(cell, "users_bprop", None)  # that which the `bprop` of a Cell of the library runs
    what = f"bprop of {type(cell).__name__}" if own is None else own.what
    function = UserBackward(what, cell.bprop if own is None else own.function)

    def backward(*values: Any) -> list[Tensor | None]:
        gradients = function.call(*values)
        if own is not None and not isinstance(gradients, tuple):
            gradients = (gradients,)
        return function.fitted(values[:count], gradients)

    return backward


def recompute(block: Any, *args: Any, use_reentrant: bool = True, output_recompute: bool = False, **kwargs: Any) -> Any:
    """Call a Cell or function whose intermediates the backward pass computes again in place of keeping them.

    Args:
        block: the Cell or function.
        args, kwargs: its arguments.
        use_reentrant, output_recompute: accepted.

    Returns:
        What it returns.

    Raises:
        TypeError: if `block` cannot be called.

    Examples:
        >>> import mycel as ms
        >>> def block(x):
        ...     return ms.ops.tanh(ms.ops.exp(x))
        >>> print(ms.grad(lambda x: ms.recompute(block, x) * 2)(ms.Tensor(0.0)).round(4))
        0.8399
    """
    if not callable(block):
        raise TypeError(f"recompute takes a Cell or a function, but got {type(block).__name__}")
    trace: Trace | None = STATE.trace
    if trace is None:
        return block(*args, **kwargs)
    name = type(block).__name__ if isinstance(block, Cell) else getattr(block, "__name__", "block")
    return _recomputed(trace, name, lambda: control.call(block, *args, **kwargs))


def _recomputed(trace: Trace, name: str, call: Callable[[], Any]) -> Any:
    """Record a call whose intermediate values the backward pass computes again."""
    outer = trace.recorder
    with trace.scope(name) as scope:
        result = call()
        block = outlined(trace, scope, result)
    captures = [*block.captures.values()]
    if any(node.has_effect for node in block.graph.nodes):
        results = list(outer.inline(block.graph, [Symbol(value, outer) for value in captures]))
    else:
        node = outer.append(ops.recomputed, captures, {"body": block.graph})
        results = [Symbol(value, outer) for value in node.outputs]
    block.apply_changes(trace, results)
    fresh = iter(map(wrap, results))
    return tree.map_tensors(lambda _: next(fresh), result)
