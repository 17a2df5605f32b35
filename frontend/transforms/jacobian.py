"""Jacobians: `jacrev` and `jacfwd` compute one product for a batch of all unit tensors of the outputs or inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiler import ops
from ...compiler.transforms.symbolic import Symbol
from ...runtime import dtypes
from ..state import STATE
from ..tracing.trace import Trace
from ..values import tree
from ..values.dispatch import apply
from ..values.tensor import Tensor
from .grad import GradientFunction, Request, check_each_position
from .linear import LinearizedCall, linearize
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
    check_each_position(items, "should not be negative")
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
    return _jacobian(fn, "jacrev", grad_position, has_aux, _rows)


def jacfwd(fn: Callable[..., Any], grad_position: int | tuple[int, ...] = 0, has_aux: bool = False) -> Transformed:
    """The function that gives the Jacobian of `fn` in forward mode: suited to few inputs and many outputs.

    Arguments, results and errors are those of `jacrev`.

    Examples:
        >>> import mycel as ms
        >>> print(ms.jacfwd(lambda x: x * x)(ms.Tensor([3.0])))
        [[6.]]
    """
    return _jacobian(fn, "jacfwd", grad_position, has_aux, _columns)


Blocks = list[list[Tensor]]
"""For each output the Jacobian by each input."""


def _jacobian(
    fn: Callable[..., Any],
    what: str,
    grad_position: int | tuple[int, ...],
    has_aux: bool,
    blocks: Callable[[Trace, LinearizedCall, Any, list[Tensor]], Blocks],
) -> Transformed:
    """A function that gives Jacobians. `blocks` records them from a linearized function, its output and inputs."""
    check_function(fn, what, has_aux)
    positions, bare = _positions(grad_position)
    gradient = GradientFunction(fn, Request(positions, None, has_aux=has_aux, sens=True))

    def answer(output: Any, aux: Any, found: Blocks) -> Any:
        by_output = tuple(items[0] if bare else tuple(items) for items in found)
        jacobian = by_output if isinstance(output, (tuple, list)) else by_output[0]
        return (jacobian, aux[0] if len(aux) == 1 else aux) if has_aux else jacobian

    def traced(*args: Any, **kwargs: Any) -> Any:
        trace = STATE.trace
        assert trace is not None
        _check_range(positions, args)
        linear = linearize(gradient, args, kwargs)
        output, aux = gradient.differentiated(linear.value)
        inputs = [tensor for position in positions for tensor in tree.tensors(args[position])]
        return answer(output, aux, blocks(trace, linear, output, inputs))

    def eager(*args: Any, **kwargs: Any) -> Any:
        _check_range(positions, args)
        value, back = linearize_on_tape(gradient, args, kwargs)
        output, aux = gradient.differentiated(value)
        return answer(output, aux, _rows_on_tape(back, tree.tensors(output)))

    return Transformed(fn, traced, what, eager)


def _rows(trace: Trace, linear: LinearizedCall, output: Any, inputs: list[Tensor]) -> Blocks:
    """The Jacobians in reverse mode: a cotangent for each element of each output."""
    tensors = tree.tensors(output)
    found: Blocks = []
    for which, like in enumerate(tensors):

        def row(seed: Tensor, which: int = which) -> Any:
            seeds = [seed if k == which else apply(ops.zeros_like, t) for k, t in enumerate(tensors)]
            return linear.back(tuple(seeds))

        stacked = tree.tensors(_for_each_unit(trace, like, row))
        found.append([_unstacked(jacobian, like) for jacobian in stacked])
    return found


def _columns(trace: Trace, linear: LinearizedCall, output: Any, inputs: list[Tensor]) -> Blocks:
    """The Jacobians in forward mode: a tangent for each element of each input, moved to the last axes."""
    columns: Blocks = []
    for which, point in enumerate(inputs):

        def column(vector: Tensor, which: int = which) -> Any:
            return tree.tensors(push(linear, output, [vector], which))

        rank = point.ndim
        wholes = [_unstacked(tangent, point) for tangent in _for_each_unit(trace, point, column)]
        columns.append([apply(ops.transpose, whole, axes=(*range(rank, whole.ndim), *range(rank))) for whole in wholes])
    return [list(found) for found in zip(*columns, strict=True)]


def _for_each_unit(trace: Trace, like: Tensor, function: Callable[..., Any]) -> Any:
    """The results of a function for each unit tensor of a space, stacked."""
    with trace.recorder:
        basis = _identity(like)
    return stacked_rows(trace, [basis], like._type.size, function)


def _unstacked(batch: Tensor, like: Tensor) -> Tensor:
    """A batch over the unit tensors of a space, with the first axis replaced by the axes of the space."""
    return apply(ops.reshape, batch, shape=(*like._type.static_shape, *batch._type.static_shape[1:]))


def _rows_on_tape(back: Callable[[Any], Any], tensors: list[Tensor]) -> Blocks:
    """The Jacobians, row by row, of a function that runs op by op."""
    found: Blocks = []
    for which, like in enumerate(tensors):
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
        found.append(shaped)
    return found


__all__ = ["jacfwd", "jacrev"]
