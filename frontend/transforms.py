"""`jvp`, `vjp`, `jacfwd`, `jacrev`, `vmap`: function transformations, built on gradient functions and the scan op."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..compiler import ops
from ..compiler.ir import literal
from ..compiler.symbolic import Symbol
from ..runtime import dtypes
from . import control, tree
from .dispatch import apply
from .grad import GradientFunction, Request, check_weights
from .jit import Compiled
from .state import STATE
from .tensor import Tensor
from .trace import Trace, wrap


class Transformed:
    """A function made from a function: it is recorded in the trace of this thread, or compiled when called outside
    one."""

    def __init__(self, function: Callable[..., Any], traced: Callable[..., Any], what: str) -> None:
        self.function = function
        self._traced = traced
        self.name = f"{what}_{getattr(function, '__name__', type(function).__name__)}"
        self._compiled = Compiled(self, traced=traced, name=self.name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the transformed function."""
        return self._compiled(*args, **kwargs) if STATE.trace is None else self._traced(*args, **kwargs)

    def stages(self, *args: Any, **kwargs: Any) -> Any:
        """Every stage of compiling it for these arguments."""
        return self._compiled.stages(*args, **kwargs)

    def explain(self) -> Any:
        """Every trace made so far, and why."""
        return self._compiled.explain()


def _check(function: Any, what: str) -> None:
    if not callable(function):
        raise TypeError(f"{what} takes a function or a Cell, but got {type(function).__name__}")


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


_JVP: dict[Any, Transformed] = {}


def _cached(store: dict[Any, Transformed], key: Any, make: Callable[[], Transformed], function: Any) -> Transformed:
    found = store.get(key)
    if found is None or found.function is not function:
        if len(store) > 256:
            store.clear()
        found = store[key] = make()
    return found


def jvp(fn: Callable[..., Any], inputs: Any, v: Any, has_aux: bool = False) -> Any:
    """The output of `fn` and the product of its Jacobian with the vector `v` (forward mode).

    The tangent is the derivative of the transposed product by its (irrelevant) cotangent, so one set of rules serves
    both modes.

    Args:
        fn: a function or Cell of tensors.
        inputs: its input, or a tuple of them.
        v: a tensor like the input, or a tuple of them.
        has_aux: whether only the first output is differentiated; the others come third.

    Returns:
        (output, tangent), or (output, tangent, auxiliary output) with `has_aux`.

    Raises:
        TypeError: if fn is not callable or the vectors are not as many as the inputs.
        ValueError: if a vector has another shape than its input.

    Examples:
        >>> import mycel as ms
        >>> output, tangent = ms.jvp(lambda x: x * x, ms.Tensor([3.0]), ms.Tensor([2.0]))
        >>> print(output, tangent)
        [9.] [12.]
    """
    _check(fn, "jvp")
    points, vectors = _as_tuple(inputs), _as_tuple(v)
    if len(points) != len(vectors):
        raise TypeError(f"jvp needs one vector for each input, but got {len(points)} inputs and {len(vectors)} vectors")
    for point, vector in zip(points, vectors, strict=True):
        if not isinstance(point, Tensor) or not isinstance(vector, Tensor):
            raise TypeError("jvp takes tensors as inputs and vectors")
        if point._type.shape != vector._type.shape:
            raise ValueError(f"the vector for an input of shape {point.shape} has shape {vector.shape}")
    count = len(points)

    def traced(*values: Any) -> Any:
        return _traced_jvp(fn, values[:count], values[count:], has_aux)

    function = _cached(_JVP, (id(fn), count, has_aux), lambda: Transformed(fn, traced, "jvp"), fn)
    return function(*points, *vectors)


def _traced_jvp(fn: Callable[..., Any], points: Sequence[Tensor], vectors: Sequence[Tensor], has_aux: bool) -> Any:
    inner = GradientFunction(fn, Request("all", None, has_aux=has_aux, value=True, sens=True))
    result = control.call(fn, *points)
    output: Any = result[0] if has_aux else result
    aux: tuple[Any, ...] = result[1:] if has_aux else ()

    def transposed(*cotangents: Any) -> Any:
        sens = iter(cotangents)
        return inner(*points, tree.map_tensors(lambda _: next(sens), output))[1]

    outer = GradientFunction(transposed, Request("all", None, sens=True))
    zeros = [apply(ops.zeros_like, tensor) for tensor in tree.tensors(output)]
    found = iter(outer(*zeros, tuple(vectors)))
    tangent = tree.map_tensors(lambda _: next(found), output)
    if not has_aux:
        return output, tangent
    others: Any = aux[0] if len(aux) == 1 else aux
    return output, tangent, others


def vjp(fn: Callable[..., Any], *inputs: Any, weights: Any = None, has_aux: bool = False) -> Any:
    """The output of `fn`, and the function that multiplies vectors by its Jacobian from the left (reverse mode).

    Args:
        fn: a function or Cell of tensors.
        inputs: its arguments.
        weights: Parameters to differentiate by as well.
        has_aux: whether only the first output is differentiated; the others come third.

    Returns:
        (output, function), or (output, function, auxiliary output) with `has_aux`. The function takes a cotangent for
        each output
        and gives a tuple of gradients, one an input; with weights, (that tuple, tuple of the weights' gradients).

    Raises:
        TypeError: if fn is not callable or weights are no Parameters.

    Examples:
        >>> import mycel as ms
        >>> y, pull = ms.vjp(lambda x: x ** 3, ms.Tensor([1.0, 2.0]))
        >>> print(pull(ms.Tensor([1.0, 10.0]))[0])
        [  3. 120.]
    """
    _check(fn, "vjp")
    parameters, bare = check_weights(weights)
    gradient = GradientFunction(fn, Request("all", parameters, bare_weight=bare, has_aux=has_aux, sens=True))
    result = control.call(fn, *inputs) if STATE.trace is not None else fn(*inputs)

    def pull(*sens: Any) -> Any:
        """The product of these cotangents with the Jacobian."""
        found = gradient(*inputs, sens[0] if len(sens) == 1 else tuple(sens))
        return found[0] if has_aux else found

    if not has_aux:
        return result, pull
    gradient.differentiated(result)  # says so when there is no auxiliary output
    return result[0], pull, result[1] if len(result) == 2 else result[1:]


def map_rows(trace: Trace, rows: Sequence[Symbol], length: int, function: Callable[..., Any]) -> Any:
    """Record `function` on each row of the symbols, as one scan; the results stacked along a new first axis."""
    outer = trace.recorder
    with trace.scope("rows") as scope:
        scope.recorder.parameter(ops.INDEX, "i")
        slices = [wrap(scope.recorder.parameter(s.type.with_shape(s.shape[1:]), "row")) for s in rows]
        result = function(*slices)
        if trace.updates(scope):
            raise RuntimeError("a function that is mapped over rows should not update tensors or Parameters in place")
        tensors = tree.tensors(result)
        body = scope.recorder.finish([trace.read(tensor) for tensor in tensors])
        captures = list(scope.recorder.captures)
    operands = [literal(length, dtypes.int64), *[outer.lift(row) for row in rows], *captures]
    attrs = {"body": body, "carried": 0, "scanned": len(rows), "length": length, "reverse": False}
    node = outer.append(ops.scan, operands, attrs)
    stacked = iter([wrap(Symbol(value, outer)) for value in node.outputs])
    return tree.map_tensors(lambda _: next(stacked), result)


def _identity(like: Tensor) -> Symbol:
    """The basis of the tensor's space: its unit tensors, stacked."""
    shape = like._type.static_shape
    size = 1
    for length in shape:
        size *= length
    row = ops.iota(start=0, step=1, size=size, dtype=dtypes.int64)
    same = ops.equal(ops.reshape(row, shape=(size, 1)), ops.reshape(row, shape=(1, size)))
    return ops.reshape(ops.cast(same, dtype=like.dtype), shape=(size, *shape))


def _size(tensor: Tensor) -> int:
    size = 1
    for length in tensor._type.static_shape:
        size *= length
    return size


def _positions(grad_position: int | tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
    if isinstance(grad_position, bool) or not isinstance(grad_position, (int, tuple)):
        raise TypeError(f"'grad_position' should be an int or a tuple of ints, but got {grad_position!r}")
    items = grad_position if isinstance(grad_position, tuple) else (grad_position,)
    for item in items:
        if isinstance(item, bool) or not isinstance(item, int):
            raise TypeError(f"'grad_position' should hold ints, but got {item!r}")
        if item < 0:
            raise ValueError(f"'grad_position' should not be negative, but got {item}")
    return items, isinstance(grad_position, int)


def jacrev(fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False) -> Transformed:
    """The function that gives the Jacobian of `fn`, row by row, in reverse mode: suited to few outputs and many inputs.

    Args:
        fn: a function or Cell of tensors.
        grad_position: which argument to differentiate by; a tuple of them gives a tuple of Jacobians.
        has_aux: whether only the first output is differentiated; the Jacobian then comes with the other outputs.

    Returns:
        A function of fn's arguments that gives a tensor of shape (*output.shape, *input.shape); for several outputs
        a tuple.

    Raises:
        TypeError: if fn is not callable or positions are no ints. ValueError: for a negative position.

    Examples:
        >>> import mycel as ms
        >>> print(ms.jacrev(lambda x: x * x)(ms.Tensor([1.0, 2.0])))
        [[2. 0.]
         [0. 4.]]
    """
    _check(fn, "jacrev")
    positions, bare = _positions(grad_position)
    gradient = GradientFunction(fn, Request(positions, None, has_aux=has_aux, sens=True))

    def traced(*args: Any, **kwargs: Any) -> Any:
        trace = STATE.trace
        assert trace is not None
        result = control.call(fn, *args, **kwargs)
        output, aux = gradient.differentiated(result)
        tensors = tree.tensors(output)

        def rows_of(which: int, like: Tensor) -> Any:
            def row(seed: Tensor) -> Any:
                seeds = [seed if k == which else apply(ops.zeros_like, t) for k, t in enumerate(tensors)]
                sens = seeds[0] if len(seeds) == 1 else tuple(seeds)
                found = gradient(*args, sens=sens, **kwargs)
                return found[0] if has_aux else found

            with trace.recorder:
                basis = _identity(like)
            stacked = map_rows(trace, [basis], _size(like), row)
            shaped = [
                apply(ops.reshape, jacobian, shape=(*like._type.static_shape, *jacobian._type.static_shape[1:]))
                for jacobian in stacked
            ]
            return shaped[0] if bare else tuple(shaped)

        jacobians = tuple(rows_of(which, like) for which, like in enumerate(tensors))
        answer = jacobians[0] if not isinstance(output, (tuple, list)) else jacobians
        return (answer, aux[0] if len(aux) == 1 else aux) if has_aux else answer

    return Transformed(fn, traced, "jacrev")


def jacfwd(fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False) -> Transformed:
    """The function that gives the Jacobian of `fn`, column by column, in forward mode: suited to few inputs and many
    outputs.

    Arguments, results and errors are those of `jacrev`.

    Examples:
        >>> import mycel as ms
        >>> print(ms.jacfwd(lambda x: x * x)(ms.Tensor([1.0, 2.0])))
        [[2. 0.]
         [0. 4.]]
    """
    _check(fn, "jacfwd")
    positions, bare = _positions(grad_position)

    def traced(*args: Any, **kwargs: Any) -> Any:
        trace = STATE.trace
        assert trace is not None
        columns: list[list[Any]] = []
        result: Any = None
        for position in positions:
            if position >= len(args):
                raise IndexError(f"grad_position {position} is out of range: there are {len(args)} arguments")
            point = args[position]

            def column(vector: Tensor, position: int = position, point: Tensor = point) -> Any:
                def at(x: Tensor) -> Any:
                    return control.call(fn, *args[:position], x, *args[position + 1 :], **kwargs)

                return tree.tensors(_traced_jvp(at, [point], [vector], has_aux)[1])

            with trace.recorder:
                basis = _identity(point)
            stacked = map_rows(trace, [basis], _size(point), column)
            rank = len(point._type.static_shape)
            shaped = []
            for tangent in stacked:
                whole = apply(ops.reshape, tangent, shape=(*point._type.static_shape, *tangent._type.static_shape[1:]))
                axes = (*range(rank, whole.ndim), *range(rank))
                shaped.append(apply(ops.transpose, whole, axes=axes))
            columns.append(shaped)
        result = control.call(fn, *args, **kwargs)
        output = result[0] if has_aux else result
        per_output = [found[0] if bare else tuple(found) for found in zip(*columns, strict=True)]
        answer = per_output[0] if not isinstance(output, (tuple, list)) else tuple(per_output)
        if not has_aux:
            return answer
        return answer, result[1] if len(result) == 2 else result[1:]

    return Transformed(fn, traced, "jacfwd")


def _axes_tree(value: Any, axes: Any, what: str) -> list[tuple[Any, int | None]]:
    """(leaf, axis) for every leaf of a value; an axis given for a container holds for all in it."""
    found = tree.children(value)
    if found is None:
        if axes is not None and not isinstance(axes, int):
            raise TypeError(f"{what} should be an int or None for a tensor, but got {axes!r}")
        return [(value, axes)]
    items = found[0]
    if not isinstance(axes, (tuple, list)):
        return [pair for item in items for pair in _axes_tree(item, axes, what)]
    if len(axes) != len(items):
        raise ValueError(f"{what} has {len(axes)} entries for {len(items)} values")
    return [pair for item, axis in zip(items, axes, strict=True) for pair in _axes_tree(item, axis, what)]


def vmap(fn: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Transformed:
    """The function `fn` mapped over an axis of its arguments.

    Args:
        fn: a function or Cell of tensors.
        in_axes: the axis of each argument to map over; None for an argument that stays whole; an int for all.
        out_axes: where the mapped axis goes in the outputs.

    Returns:
        A function of fn's arguments, whose results have the mapped axis added.

    Raises:
        TypeError: if fn is not callable or an axis is no int. ValueError: if no argument is mapped, or lengths differ.

    Examples:
        >>> import mycel as ms
        >>> dot = lambda a, b: (a * b).sum()
        >>> print(ms.vmap(dot, in_axes=(0, None))(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([1.0, 1.0])))
        [3. 7.]
    """
    _check(fn, "vmap")

    def traced(*args: Any) -> Any:
        trace = STATE.trace
        assert trace is not None
        axes = in_axes if isinstance(in_axes, (tuple, list)) else (in_axes,) * len(args)
        pairs = _axes_tree(args, tuple(axes), "in_axes")
        rows: list[Symbol] = []
        lengths = set()
        for leaf, axis in pairs:
            if axis is None or not isinstance(leaf, Tensor):
                continue
            rank = leaf.ndim
            if not -rank <= axis < rank:
                raise ValueError(f"in_axes {axis} is out of range for a tensor of shape {leaf.shape}")
            moved = _move(leaf, axis % rank, 0)
            lengths.add(moved._type.static_shape[0])
            rows.append(trace.read(moved))
        if not lengths:
            raise ValueError("vmap needs an argument to map over: in_axes is None for all of them")
        if len(lengths) > 1:
            raise ValueError(f"the mapped axes of vmap's arguments differ in length: {sorted(lengths)}")

        def row(*slices: Tensor) -> Any:
            given = iter(slices)
            fresh = iter(
                [next(given) if axis is not None and isinstance(leaf, Tensor) else leaf for leaf, axis in pairs]
            )
            return control.call(fn, *[tree.map_tree(lambda _: next(fresh), arg) for arg in args])

        result = map_rows(trace, rows, lengths.pop(), row)
        placed = iter(_axes_tree(result, out_axes, "out_axes"))

        def place(leaf: Any) -> Any:
            _, axis = next(placed)
            if not isinstance(leaf, Tensor) or axis is None:
                return leaf
            return _move(leaf, 0, axis % leaf.ndim)

        return tree.map_tree(place, result)

    return Transformed(fn, traced, "vmap")


def _move(x: Tensor, source: int, target: int) -> Tensor:
    """The tensor with one axis moved."""
    if source == target:
        return x
    axes = [axis for axis in range(x.ndim) if axis != source]
    axes.insert(target, source)
    return apply(ops.transpose, x, axes=tuple(axes))


__all__ = ["jacfwd", "jacrev", "jvp", "vjp", "vmap"]
