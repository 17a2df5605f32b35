"""Jacobian products: `jvp` and `vjp`, and the base of functions that are made from functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...compiler import ops
from ..compilation.compiled import CompiledFunction
from ..compilation.doors import guarded
from ..compilation.inspection import Inspectable
from ..compilation.target import Target
from ..errors.tracebacks import leaving
from ..state import STATE
from ..values import tree
from ..values.dispatch import apply
from ..values.tensor import Tensor
from ..values.traced_tensor import wrap
from .grad import GradientFunction, Request, check_weights
from .linear import LinearizedCall, Pullback, linearize as linearize_call
from .tape import Tape, as_gradient, linearize_on_tape, seeds_of

__all__ = ["jvp", "linearize", "vjp"]


@guarded
class Transformed(Inspectable):
    """A function made from a function. A call inside a trace is recorded; any other call runs a compiled program.

    It has `stages`, `profile`, `explain` and `compile` as compiled functions do.
    """

    def __init__(
        self, function: Callable[..., Any], traced: Callable[..., Any], what: str, eager: Callable[..., Any]
    ) -> None:
        self.function = function
        self._what = what
        self._traced = traced
        self._eager = eager
        self.name = f"{what}_{getattr(function, '__name__', type(function).__name__).strip('<>')}"
        self._compiled = CompiledFunction(Target(self, traced=traced, eager=eager, name=self.name, owned=True))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the transformed function."""
        try:
            return self._compiled(*args, **kwargs) if STATE.trace is None else self._traced(*args, **kwargs)
        except Exception as error:
            leaving(error)
            raise

    def __repr__(self) -> str:
        return f"<{self._what} of {getattr(self.function, '__name__', type(self.function).__name__)}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> Transformed:
        return Transformed(self.function, self._traced, self._what, self._eager)


def check_function(function: Any, what: str, has_aux: Any = False) -> None:
    """Raise TypeError unless `fn` is callable and the flag is a bool."""
    if not isinstance(has_aux, bool):
        raise TypeError(f"'has_aux' of {what} should be a bool, but got {type(has_aux).__name__}")
    if not callable(function):
        raise TypeError(f"{what} takes a function or a Cell, but got {type(function).__name__}")


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


_JVP: dict[Any, Transformed] = {}


def cached(store: dict[Any, Transformed], key: Any, make: Callable[[], Transformed], function: Any) -> Transformed:
    """The function stored under a key. It is made again if the stored one is not for this function."""
    found = store.get(key)
    if found is None or found.function is not function:
        if len(store) > 256:
            store.clear()
        found = store[key] = make()
    return found


def jvp(fn: Callable[..., Any], inputs: Any, v: Any, has_aux: bool = False) -> Any:
    """The output of `fn` and the product of its Jacobian with the vector `v` (forward mode).

    The tangent is the derivative of the transposed product by its (irrelevant) cotangent, so one set of rules serves
    both modes. fn runs once.

    Args:
        fn: a function or Cell of tensors.
        inputs: its input, or a tuple of them.
        v: a tensor like the input, or a tuple of them.
        has_aux: whether only the first output is differentiated; the others come third.

    Returns:
        (output, tangent), or (output, tangent, auxiliary output) with `has_aux`.

    Raises:
        TypeError: if fn is not callable, inputs are no tensors, or a vector has another dtype than its input.
        ValueError: if the vectors are not as many as the inputs, or one has another shape.

    Examples:
        >>> import mycel as ms
        >>> output, tangent = ms.jvp(lambda x: x * x, ms.Tensor([3.0]), ms.Tensor([2.0]))
        >>> print(output, tangent)
        [9.] [12.]
    """
    check_function(fn, "jvp", has_aux)
    points, vectors = _as_tuple(inputs), _as_tuple(v)
    if len(points) != len(vectors):
        raise ValueError(
            f"'v' of jvp has invalid length: should be {len(points)}, as the inputs, but got {len(vectors)}"
        )
    for point, vector in zip(points, vectors, strict=True):
        if not isinstance(point, Tensor) or not isinstance(vector, Tensor):
            raise TypeError("jvp takes tensors as inputs and vectors")
        if point._type.shape != vector._type.shape:
            raise ValueError(f"the vector for an input of shape {point.shape} has shape {vector.shape}")
        if point.dtype is not vector.dtype:
            raise TypeError(f"the vector for an input of dtype {point.dtype} has dtype {vector.dtype}")
    count = len(points)

    def make() -> Transformed:
        gradient = GradientFunction(fn, Request("all", None, has_aux=has_aux, sens=True))

        def traced(*values: Any) -> Any:
            linear = linearize_call(gradient, values[:count], {})
            output, _ = gradient.differentiated(linear.value)
            return _with_aux(linear.value, output, push(linear, output, values[count:]), has_aux)

        def eager(*values: Any) -> Any:
            return _push_on_tape(gradient, values[:count], values[count:])

        return Transformed(fn, traced, "jvp", eager)

    return cached(_JVP, (id(fn), count, has_aux), make, fn)(*points, *vectors)


def _with_aux(value: Any, output: Any, product: Any, has_aux: bool) -> Any:
    if not has_aux:
        return output, product
    return output, product, value[1] if len(value) == 2 else value[1:]


def push(linear: LinearizedCall, output: Any, vectors: Sequence[Tensor], which: int | None = None) -> Any:
    """The product of the Jacobian with vectors, in the structure of the output.

    Args:
        linear: the recorded function.
        output: its output; only the structure matters.
        vectors: one for each tensor that it is differentiated by; or, with `which`, one for the tensor of that number.
        which: the only tensor to move along, None for all.
    """
    likes = tree.tensors(output)

    def transposed(*cotangents: Any) -> Any:
        found = tree.tensors(linear.back(tuple(cotangents)))
        return tuple(found) if which is None else (found[which],)

    outer = GradientFunction(transposed, Request("all", None, sens=True))
    zeros = [apply(ops.zeros_like, tensor) for tensor in likes]
    found = iter(outer(*zeros, tuple(vectors)))
    return tree.map_tensors(lambda _: next(found), output)


def _push_on_tape(gradient: GradientFunction, points: tuple[Any, ...], vectors: tuple[Any, ...]) -> Any:
    """`jvp` of a function that runs op by op: the backward pass is linear in the cotangent, and is differentiated
    itself."""
    value, back = linearize_on_tape(gradient, points, {})
    output, _ = gradient.differentiated(value)
    zeros = [apply(ops.zeros_like, tensor) for tensor in tree.tensors(output)]
    tape = Tape()
    rows = tree.tensors(tape.written(back, (tuple(zeros),)))
    products = iter(tape.backward(seeds_of(rows, vectors), [zero._data for zero in zeros]))
    pushed = tree.map_tensors(lambda _: as_gradient(next(products)), output)
    return _with_aux(value, output, pushed, gradient.request.has_aux)


def vjp(fn: Callable[..., Any], *inputs: Any, weights: Any = None, has_aux: bool = False) -> Any:
    """The output of `fn`, and the function that multiplies vectors by its Jacobian from the left (reverse mode).

    Args:
        fn: a function or Cell of tensors, which runs once.
        inputs: its arguments.
        weights: Parameters to differentiate by as well.
        has_aux: whether only the first output is differentiated; the others come third.

    Returns:
        (output, function), or (output, function, auxiliary output) with `has_aux`. The function takes a cotangent for
        each output and gives a tuple of gradients, one an input; with weights, (that tuple, tuple of the weights'
        gradients).

    Raises:
        TypeError: if fn is not callable or weights are no Parameters.

    Examples:
        >>> import mycel as ms
        >>> y, pull = ms.vjp(lambda x: x ** 3, ms.Tensor([1.0, 2.0]))
        >>> print(pull(ms.Tensor([1.0, 10.0]))[0])
        [  3. 120.]
    """
    check_function(fn, "vjp", has_aux)
    parameters, bare = check_weights(weights)
    gradient = GradientFunction(fn, Request("all", parameters, bare_weight=bare, has_aux=has_aux, sens=True))
    value: Any
    back: Callable[[Any], Any]
    if STATE.trace is not None:
        linear = linearize_call(gradient, inputs, {})
        value, back = linear.value, linear.back
    elif STATE.tape is not None:
        value, back = fn(*inputs), partial(_again, gradient, inputs)
    else:
        value, back = _forward(gradient, fn)(*inputs)

    @guarded
    def pull(*sens: Any) -> Any:
        """The product of these cotangents with the Jacobian."""
        return back(sens[0] if len(sens) == 1 else tuple(sens))

    output, _ = gradient.differentiated(value)
    return _with_aux(value, output, pull, has_aux)


def _again(gradient: GradientFunction, inputs: tuple[Any, ...], sens: Any) -> Any:
    """The gradients, computed by another run of the function."""
    return gradient(*inputs, sens)


_FORWARD: dict[Any, Transformed] = {}


def _forward(gradient: GradientFunction, fn: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled function that gives the output and a function from cotangents to gradients."""

    def traced(*args: Any) -> Any:
        linear = linearize_call(gradient, args, {}, outermost=True)
        symbols = [*linear.residuals, *linear.outputs, *linear.arguments]
        counts = (len(linear.residuals), len(linear.outputs))
        if not all(symbol.type.is_static for symbol in symbols):
            return linear.value, (), None
        return linear.value, [wrap(symbol) for symbol in symbols], _CompiledPullback(linear.pullback, counts)

    def eager(*args: Any) -> Any:
        value, back = linearize_on_tape(gradient, args, {})
        return value, (), back

    request = gradient.request
    key = (
        id(fn),
        request.weights is None,
        tuple([id(weight) for weight in request.weights or ()]),
        request.bare_weight,
        request.has_aux,
    )
    function = cached(_FORWARD, key, lambda: Transformed(fn, traced, "vjp", eager), fn)

    def run(*args: Any) -> tuple[Any, Callable[[Any], Any]]:
        value, saved, back = function(*args)
        if back is None:  # residuals have sizes that only the run knows
            return value, partial(_again, gradient, args)
        return value, partial(back, saved) if isinstance(back, _CompiledPullback) else back

    return run


class _CompiledPullback:
    """The compiled pullback of one graph: from residuals and cotangents to gradients."""

    def __init__(self, pullback: Pullback, counts: tuple[int, int]) -> None:
        residuals, outputs = counts

        def traced(saved: list[Any], sens: Any) -> Any:
            trace = STATE.trace
            assert trace is not None
            symbols = [trace.read(tensor) for tensor in saved]
            end = residuals + outputs
            return pullback.back(symbols[:residuals], symbols[residuals:end], symbols[end:], sens)

        self.name = f"{pullback.gradient.name}_pullback"
        self._compiled = CompiledFunction(Target(self, traced=traced, name=self.name, owned=True))

    def __call__(self, saved: list[Any], sens: Any) -> Any:
        return self._compiled(saved, sens)


def linearize(fn: Callable[..., Any], inputs: Any) -> tuple[Any, Callable[[Any], Any]]:
    """The output of `fn` at a point, and the function that maps a vector there to the product of fn's Jacobian with it.

    The product is that of `jvp`, compiled once; fn runs again for each vector.

    Args:
        fn: a function or Cell of tensors.
        inputs: its input, or a tuple or list of them.

    Returns:
        (output, jvp function). The jvp function takes a tensor like the input, or a tuple or list of them, and gives a
        tangent of the structure, shapes and dtypes of the output.

    Raises:
        TypeError: if fn is not callable, or inputs are no tensors.
        ValueError: when called with another number of vectors than there are inputs.

    Examples:
        >>> import mycel as ms
        >>> from mycel import ops
        >>> output, tangent = ops.linearize(lambda x: x * x, ms.Tensor([3.0]))
        >>> print(output, tangent(ms.Tensor([2.0])), tangent(ms.Tensor([10.0])))
        [9.] [12.] [60.]
    """
    points = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    zeros = tuple([apply(ops.zeros_like, point) if isinstance(point, Tensor) else point for point in points])

    @guarded
    def tangent(v: Any) -> Any:
        return jvp(fn, points, v)[1]

    return jvp(fn, points, zeros)[0], tangent
