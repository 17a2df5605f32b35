"""Tape-based automatic differentiation: the ops that ran are replayed backwards, with the same rules as in graphs.

It is used for functions that cannot be traced as a whole, for example because they read a tensor's numbers. The
backward of each op is the graph that `differentiate` derives from that op, so there is one set of rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...compiler.ir.graph import Graph, freeze
from ...compiler.ir.interpret import interpret, watched_by
from ...compiler.ir.op import Op
from ...compiler.ir.types import TensorType
from ...compiler.transforms.differentiate import differentiate
from ...compiler.transforms.symbolic import record
from ...runtime import dtypes
from ...runtime.records import dataclass
from ..errors.user_files import SourceSpan, span_of_caller
from ..state import CONTEXT, STATE
from ..values import tree
from ..values.dispatch import apply, as_tensor, cast, run
from ..values.inplace import assign_parameter
from ..values.mutable import is_mutable, plain
from ..values.nonfinite import Checking
from ..values.parameter import Parameter, replace_data, stand_in
from ..values.tensor import Tensor
from .backward import UserBackward
from .hooks import TENSOR_HOOK, hooked_gradient
from .linear import LEFT_OUT, differentiable, zero_beside
from .request import GradientSpec


@dataclass
class Step:
    """One op that ran: its input and output arrays, and its backward.

    `back` takes the cotangents of the outputs and, for each input, whether its cotangent is needed.
    """

    inputs: list[np.ndarray]
    outputs: list[np.ndarray]
    back: Callable[[Sequence[np.ndarray | None], tuple[bool, ...]], Sequence[np.ndarray | None]]
    span: SourceSpan | None = None  # the user's line, where nan and inf are looked for


class Tape:
    """The ops that ran, in order. Tensors are identified by their arrays, which no op changes.

    Inside another tape both are recorded. The backward of the inner tape is recorded on the outer one, which gives
    gradients of gradients.
    """

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.hooks: dict[int, list[Callable[[Any], Any]]] = {}  # on the gradients of arrays, by id
        self.kept: list[np.ndarray] = []
        self._previous: Tape | None = None

    def written(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Any:
        """Call a function while this tape records."""
        self._previous = STATE.tape
        return STATE.keeping(self._write, function, args, kwargs or {})

    def _write(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        STATE.set_tape(self)
        return function(*args, **kwargs)

    def assign(self, parameter: Parameter, value: Any) -> Parameter:
        """As `set_data` without a tape."""
        real = isinstance(value, Tensor) and not value.dtype.is_complex
        return assign_parameter(parameter, cast(value, parameter.dtype) if real else value)

    def apply(self, op: Op, operands: Sequence[Any], attrs: Mapping[str, Any]) -> Any:
        """Run an op and record it."""
        result = run(op, tuple(operands), dict(attrs))
        results = result if isinstance(result, tuple) else (result,)
        inputs = [item._data for item in operands if isinstance(item, Tensor)]
        for tensor in results:
            if tensor is not None and any(tensor._data is array for array in inputs):
                tensor._data = tensor._data.view()
        if result is not None and (op.vjp is not None or op.linearize is not None):
            self.record(_step(op, operands, attrs, [tensor._data for tensor in results]))
        return result

    def record(self, step: Step) -> None:
        """Record a step on this tape and on those around it."""
        tape: Tape | None = self
        while tape is not None:
            tape.steps.append(step)
            tape = tape._previous

    def hook(self, tensor: Tensor, function: Callable[[Any], Any]) -> Callable[[], None]:
        """Let the complete gradient of a tensor pass through a function, on the tapes around this one, too. Returns a
        function that removes the hook."""
        array = tensor._data
        found: list[list[Callable[[Any], Any]]] = []
        tape: Tape | None = self
        while tape is not None:
            found.append(tape.hooks.setdefault(id(array), []))
            tape.kept.append(array)
            found[-1].append(function)
            tape = tape._previous

        def undo() -> None:
            for functions in found:
                functions.remove(function)

        return undo

    def _hooked(self, array: np.ndarray, cotangent: np.ndarray | None) -> np.ndarray | None:
        """The gradient of an array after its hooks."""
        for function in self.hooks.get(id(array), ()):
            if cotangent is None:
                return None
            before = as_gradient(cotangent)
            changed = UserBackward(TENSOR_HOOK, function).fit(function(before), before)
            cotangent = cotangent if changed is None else as_gradient(changed._data)._data
        return cotangent

    def custom(self, forward: Any, backward: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run `forward` with the derivative `backward(*inputs, out, dout)`, which gives a fitting gradient for each
        tensor in the arguments, None for zero."""
        STATE.set_tape(None)
        try:
            result = forward(*args, **kwargs)
        finally:
            STATE.set_tape(self)
        inputs = [tensor for arg in args for tensor in tree.tensors(arg)]
        outputs = tree.tensors(result)
        for tensor in outputs:
            tensor._data = tensor._data.view()

        def back(douts: Sequence[np.ndarray | None], needed: tuple[bool, ...]) -> list[np.ndarray | None]:
            values = iter(
                as_gradient(np.zeros_like(t._data) if d is None else d) for t, d in zip(outputs, douts, strict=True)
            )
            dout = tree.map_tensors(lambda _: next(values), result)
            found = backward(*args, result, dout)
            return [None if item is None else as_gradient(item._data)._data for item in found]

        self.record(Step([tensor._data for tensor in inputs], [tensor._data for tensor in outputs], back))
        return result

    def backward(self, seeds: Mapping[int, np.ndarray], wanted: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The cotangents of the `wanted` arrays, from cotangents by the ids of output arrays."""
        cotangents: dict[int, np.ndarray] = dict(seeds)
        active = self._active(wanted)
        for step in reversed(self.steps):
            needed = tuple(id(array) in active for array in step.inputs)
            if not any(needed):
                continue
            douts = [self._hooked(array, cotangents.get(id(array))) for array in step.outputs]
            if all(dout is None for dout in douts):
                continue
            with watched_by(Checking(step.span)) if CONTEXT.debug_nans else nullcontext():
                results = step.back(douts, needed)
            for array, need, result in zip(step.inputs, needed, results, strict=True):
                if need and result is not None:
                    before = cotangents.get(id(array))
                    cotangents[id(array)] = result if before is None else _sum(before, result)
        found = [self._hooked(array, cotangents.get(id(array))) for array in wanted]
        return [np.zeros_like(a) if result is None else result for a, result in zip(wanted, found, strict=True)]

    def _active(self, wanted: Sequence[np.ndarray]) -> set[int]:
        """The arrays, by id, that depend on the wanted ones, or that have hooks."""
        active = {id(array) for array in wanted} | self.hooks.keys()
        for step in self.steps:
            if any(id(array) in active for array in step.inputs):
                active.update(map(id, step.outputs))
        return active


@dataclass(frozen=True)
class Reverse:
    """The backward of a graph: the values to compute again, and the backward graph."""

    graph: Graph
    forward: Graph
    backward: Graph
    seeds: tuple[int, ...]
    gradients: tuple[int | None, ...]


_GRAPHS: dict[Any, Graph] = {}  # of single ops
_REVERSES: dict[Any, Reverse] = {}  # by a graph's identity, the outputs that have a cotangent, the inputs that need one


def _reverse(graph: Graph, present: tuple[int, ...], needed: tuple[bool, ...]) -> Reverse:
    """The backward of a graph from cotangents of some outputs to those of some inputs; cached."""
    found = _REVERSES.get((id(graph), present, needed))
    if found is None:
        inputs = [position for position, need in enumerate(needed) if need]
        derivative = differentiate(graph, inputs, present)
        forward = replace(derivative.forward, outputs=derivative.residuals)
        where = dict(zip(inputs, derivative.gradients, strict=True))
        gradients = tuple(where.get(position) for position in range(len(needed)))
        found = _REVERSES[id(graph), present, needed] = Reverse(
            graph, forward, derivative.backward, tuple(derivative.seeds), gradients
        )
    return found


def _run(graph: Graph, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The outputs of a graph. If a tape records, this is a step on it."""
    with np.errstate(all="ignore"):
        results = list(interpret(graph, arrays))
    tape = STATE.tape
    if tape is not None:
        taken = {id(array) for array in arrays}
        for position, result in enumerate(results):
            if id(result) in taken:  # arrays tell values apart
                results[position] = result.view()
            taken.add(id(results[position]))
        tape.record(_graph_step(graph, arrays, results))
    return results


def _graph_step(graph: Graph, arrays: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> Step:
    """The step for a graph that ran."""

    def back(douts: Sequence[np.ndarray | None], needed: tuple[bool, ...]) -> list[np.ndarray | None]:
        present = tuple(position for position, dout in enumerate(douts) if dout is not None)
        reverse = _reverse(graph, present, needed)
        given: Any = [douts[position] for position in reverse.seeds]
        results = _run(reverse.backward, [*_run(reverse.forward, arrays), *given])
        return [None if where is None else results[where] for where in reverse.gradients]

    return Step(list(arrays), list(outputs), back, span_of_caller() if CONTEXT.debug_nans else None)


def _sum(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The sum of two cotangents of one array."""
    if STATE.tape is None:
        with np.errstate(all="ignore"):  # as where the graph adds them
            return one + other
    kind = TensorType(dtypes.of_numpy(one.dtype), one.shape)
    graph = _GRAPHS.get(("sum", kind))
    if graph is None:
        graph = _GRAPHS["sum", kind] = record("sum", [kind, kind], lambda x, y: x + y)
    return _run(graph, [one, other])[0]


def _step(op: Op, operands: Sequence[Any], attrs: Mapping[str, Any], outputs: list[np.ndarray]) -> Step:
    arrays = [item._data for item in operands if isinstance(item, Tensor)]
    types = [TensorType(dtypes.of_numpy(array.dtype), array.shape) for array in arrays]
    numbers = tuple(None if isinstance(item, Tensor) else item for item in operands)

    key: Any = (op.name, tuple(types), tuple(map(freeze, numbers)), tuple((k, freeze(v)) for k, v in attrs.items()))
    graph = _GRAPHS.get(key)
    if graph is None:

        def call(*symbols: Any) -> Any:
            given = iter(symbols)
            return op(*[next(given) if item is None else item for item in numbers], **attrs)

        graph = _GRAPHS[key] = record(op.name, types, call)
    return _graph_step(graph, arrays, outputs)


def as_gradient(array: np.ndarray) -> Tensor:
    """Convert a cotangent of the rules to a user's gradient, or back. They differ for complex numbers (see
    `conjugate`)."""
    tensor = Tensor._wrap(array)
    return apply(prims.conj, tensor) if tensor.dtype.is_complex else tensor


def seeds_of(outputs: Sequence[Tensor], given: Sequence[Any]) -> dict[int, np.ndarray]:
    """The cotangents of some tensors, by the ids of their arrays."""
    seeds: dict[int, np.ndarray] = {}
    for output, item in zip(outputs, given, strict=True):
        tensor = cast(as_tensor(item), output.dtype)
        if tensor.shape != output.shape:
            tensor = apply(prims.broadcast_to, tensor, shape=output.shape)
        before, seed = seeds.get(id(output._data)), as_gradient(tensor._data)._data
        seeds[id(output._data)] = seed if before is None else _sum(before, seed)
    return seeds


def gradient_on_tape(gradient: GradientSpec, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of the gradient function, with the function run eagerly on a tape."""
    args, kwargs, sens = gradient.split_sens(args, kwargs)
    result, back = linearize_on_tape(gradient, args, kwargs)
    answer = back(sens)
    if gradient.request.value:
        return result, answer
    return (answer, result[1:]) if gradient.request.has_aux else answer


def linearize_on_tape(
    gradient: GradientSpec, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Callable[[Any], Any]]:
    """The result of the gradient function's function, run eagerly on a tape, and a function from cotangents (None:
    ones) to gradients."""
    gradient.check_arguments(args, kwargs)
    positions = gradient.positions(args)
    weights = gradient.request.weights or ()
    new_args = [plain(arg) for arg in args]
    stood_for: list[tuple[Parameter, Parameter, np.ndarray]] = []

    def own(tensor: Tensor) -> Tensor:
        view = tensor._data.view()
        if STATE.tape is not None:
            STATE.tape.record(Step([tensor._data], [view], lambda douts, needed: douts))
        if not isinstance(tensor, Parameter):
            return Tensor._wrap(view)
        new = stand_in(tensor, view)
        stood_for.append((tensor, new, view))
        return new

    for position in positions:  # arrays of their own, so that arguments are told apart
        new_args[position] = tree.map_tensors(own, new_args[position])
    wanted = [[t._data for t in tree.tensors(new_args[p])] if differentiable(args[p], True) else [] for p in positions]
    parameters = [weight._data for weight in weights]
    tape = Tape()
    result = tape.written(gradient.function, tuple(new_args), kwargs)
    for parameter, new, before in stood_for:
        if new._data is not before:
            replace_data(parameter, new._data)
    chosen, _ = gradient.differentiated(result)
    outputs = tree.tensors(chosen)

    def back(sens: Any) -> Any:
        given = [1] * len(outputs) if sens is None else [sens] if isinstance(sens, Tensor) else tree.leaves(sens)
        seeds = seeds_of(outputs, given)
        found = iter(tape.backward(seeds, [*[array for arrays in wanted for array in arrays], *parameters]))
        trees = [
            tree.map_tree(
                lambda leaf: as_gradient(next(found)) if isinstance(leaf, Tensor) else zero_beside(leaf),
                new_args[position],
            )
            if arrays or is_mutable(args[position])
            else LEFT_OUT
            for position, arrays in zip(positions, wanted, strict=True)
        ]
        return gradient.arrange(positions, trees, [hooked_gradient(p, as_gradient(next(found))) for p in weights])

    return result, back
