"""`jacfwd`, `jacrev`: Jacobians, one batched product with the unit tensors of the arguments or of the results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiler import ops
from ...compiler.transforms.symbolic import Symbol
from ...runtime import dtypes
from ..state import STATE
from ..values import tree
from ..values.dispatch import apply
from ..values.tensor import Tensor
from .grad import GradientFunction, Request
from .linear import linearize
from .products import Transformed, check_function, push
from .tape import linearize_on_tape
from .vmap import stacked_rows


def _identity(like: Tensor) -> Symbol:
    """The basis of the tensor's space: its unit tensors, stacked."""
    shape, size = like._type.static_shape, like._type.size
    row = ops.iota(start=0, step=1, size=size, dtype=dtypes.int64)
    same = ops.equal(ops.reshape(row, shape=(size, 1)), ops.reshape(row, shape=(1, size)))
    return ops.reshape(ops.cast(same, dtype=like.dtype), shape=(size, *shape))


def _positions(grad_position: int | tuple[int, ...]) -> tuple[tuple[int, ...], bool]:
    if isinstance(grad_position, bool) or not isinstance(grad_position, (int, tuple)):
        raise TypeError(f"'grad_position' must be int or tuple of ints, but got {grad_position!r}")
    items = grad_position if isinstance(grad_position, tuple) else (grad_position,)
    if not items:
        raise ValueError("'grad_position' should not be empty")
    for item in items:
        if isinstance(item, bool) or not isinstance(item, int):
            raise TypeError(f"each element in 'grad_position' must be int, but got {item!r}")
        if item < 0:
            raise ValueError(f"'grad_position' should not be negative, but got {item}")
    if len(set(items)) != len(items):
        raise ValueError(f"'grad_position' has duplicate positions: {items}")
    return items, len(items) == 1


def _check_range(positions: tuple[int, ...], args: tuple[Any, ...]) -> None:
    """ValueError for a position past the arguments."""
    for position in positions:
        if position >= len(args):
            raise ValueError(
                f"The element in grad_position must belong to [0, {len(args)}), as many as there are positional "
                f"arguments, but got {position}"
            )


def jacrev(fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False) -> Transformed:
    """The function that gives the Jacobian of `fn` in reverse mode: suited to few outputs and many inputs.

    Args:
        fn: a function or Cell of tensors.
        grad_position: which argument to differentiate by; a tuple of several gives a tuple of Jacobians.
        has_aux: whether only the first output is differentiated; the Jacobian then comes with the other outputs.

    Returns:
        A function of fn's arguments that gives a tensor of shape (*output.shape, *input.shape); for several outputs
        a tuple. fn runs once.

    Raises:
        TypeError: if fn is not callable, positions are no ints, has_aux is no bool. ValueError: for a position that is
            negative, named twice or past the arguments.

    Examples:
        >>> import mycel as ms
        >>> print(ms.jacrev(lambda x: x * x)(ms.Tensor([1.0, 2.0])))
        [[2. 0.]
         [0. 4.]]
    """
    check_function(fn, "jacrev", has_aux)
    positions, bare = _positions(grad_position)
    gradient = GradientFunction(fn, Request(positions, None, has_aux=has_aux, sens=True))

    def traced(*args: Any, **kwargs: Any) -> Any:
        trace = STATE.trace
        assert trace is not None
        _check_range(positions, args)
        linear = linearize(gradient, args, kwargs)
        output, aux = gradient.differentiated(linear.value)
        tensors = tree.tensors(output)

        def rows_of(which: int, like: Tensor) -> Any:
            def row(seed: Tensor) -> Any:
                seeds = [seed if k == which else apply(ops.zeros_like, t) for k, t in enumerate(tensors)]
                return linear.back(tuple(seeds))

            with trace.recorder:
                basis = _identity(like)
            stacked = stacked_rows(trace, [basis], like._type.size, row)
            shaped = [
                apply(ops.reshape, jacobian, shape=(*like._type.static_shape, *jacobian._type.static_shape[1:]))
                for jacobian in tree.tensors(stacked)
            ]
            return shaped[0] if bare else tuple(shaped)

        jacobians = tuple(rows_of(which, like) for which, like in enumerate(tensors))
        answer = jacobians[0] if not isinstance(output, (tuple, list)) else jacobians
        return (answer, aux[0] if len(aux) == 1 else aux) if has_aux else answer

    return Transformed(fn, traced, "jacrev", _on_tape(gradient, bare))


def jacfwd(fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False) -> Transformed:
    """The function that gives the Jacobian of `fn` in forward mode: suited to few inputs and many outputs.

    Arguments, results and errors are those of `jacrev`.

    Examples:
        >>> import mycel as ms
        >>> print(ms.jacfwd(lambda x: x * x)(ms.Tensor([1.0, 2.0])))
        [[2. 0.]
         [0. 4.]]
    """
    check_function(fn, "jacfwd", has_aux)
    positions, bare = _positions(grad_position)
    gradient = GradientFunction(fn, Request(positions, None, has_aux=has_aux, sens=True))

    def traced(*args: Any, **kwargs: Any) -> Any:
        trace = STATE.trace
        assert trace is not None
        _check_range(positions, args)
        linear = linearize(gradient, args, kwargs)
        output, aux = gradient.differentiated(linear.value)
        points = [point for position in positions for point in tree.tensors(args[position])]
        columns: list[list[Any]] = []
        for which, point in enumerate(points):

            def column(vector: Tensor, which: int = which) -> Any:
                return tree.tensors(push(linear, output, [vector], which))

            with trace.recorder:
                basis = _identity(point)
            stacked = stacked_rows(trace, [basis], point._type.size, column)
            rank = point.ndim
            shaped = []
            for tangent in stacked:
                whole = apply(ops.reshape, tangent, shape=(*point._type.static_shape, *tangent._type.static_shape[1:]))
                shaped.append(apply(ops.transpose, whole, axes=(*range(rank, whole.ndim), *range(rank))))
            columns.append(shaped)
        per_output = [found[0] if bare else tuple(found) for found in zip(*columns, strict=True)]
        answer = per_output[0] if not isinstance(output, (tuple, list)) else tuple(per_output)
        return (answer, aux[0] if len(aux) == 1 else aux) if has_aux else answer

    return Transformed(fn, traced, "jacfwd", _on_tape(gradient, bare))


def _on_tape(gradient: GradientFunction, bare: bool) -> Callable[..., Any]:
    """The Jacobian row by row, of a function that runs op by op."""

    def eager(*args: Any, **kwargs: Any) -> Any:
        _check_range(gradient.request.positions, args)  # type: ignore[arg-type]
        value, back = linearize_on_tape(gradient, args, kwargs)
        output, aux = gradient.differentiated(value)
        tensors = tree.tensors(output)

        def rows_of(which: int, like: Tensor) -> Any:
            rows = []
            for number in range(like._data.size):
                seeds = [np.zeros_like(tensor._data) for tensor in tensors]
                seeds[which].reshape(-1)[number] = 1
                rows.append(tree.tensors(back(tuple(map(Tensor._wrap, seeds)))))
            shaped = []
            for column in zip(*rows, strict=True):  # joined by operations, which a tape around this one sees
                flat = [apply(ops.reshape, row, shape=(1, row._data.size)) for row in column]
                joined = apply(ops.concatenate, *flat, axis=0)
                shaped.append(apply(ops.reshape, joined, shape=(*like.shape, *column[0].shape)))
            return shaped[0] if bare else tuple(shaped)

        jacobians = tuple(rows_of(which, like) for which, like in enumerate(tensors))
        answer = jacobians[0] if not isinstance(output, (tuple, list)) else jacobians
        return (answer, aux[0] if len(aux) == 1 else aux) if gradient.request.has_aux else answer

    return eager


__all__ = ["jacfwd", "jacrev"]
