"""Taylor-mode differentiation: `jet` and `derivative` give derivatives of higher order along a curve."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...compiler import ops
from ...runtime import dtypes
from ..control_flow import calls as control
from ..values import tree
from ..values.dispatch import apply, cast
from ..values.tensor import Tensor
from .products import Transformed, cached, check_function, jvp


def _inputs(primals: Any, what: str) -> tuple[Tensor, ...]:
    items = tuple(primals) if isinstance(primals, (tuple, list)) else (primals,)
    for item in items:
        if not isinstance(item, Tensor):
            raise TypeError(f"{what}: 'primals' should be a Tensor or a tuple of them, but got {type(item).__name__}")
    return tuple(item if item.dtype.is_float else cast(item, dtypes.float32) for item in items)


def _along(fn: Callable[..., Any], points: tuple[Tensor, ...], curves: tuple[list[Tensor], ...]) -> Callable[..., Any]:
    """fn along the curve with the given derivatives at 0, as a function of the curve's parameter t."""

    def at(t: Tensor) -> Any:
        inputs = []
        for point, derivatives in zip(points, curves, strict=True):
            place = point
            for order, derivative in enumerate(derivatives, 1):
                power = apply(ops.power, cast(t, point.dtype), float(order))
                place = place + derivative * power / float(math.factorial(order))
            inputs.append(place)
        return control.call(fn, *inputs)

    return at


_JETS: dict[Any, Transformed] = {}


def _derivatives(fn: Callable[..., Any], points: tuple[Tensor, ...], curves: tuple[list[Tensor], ...]) -> list[Any]:
    """The value of fn and its derivatives along the curve, as many as the curve has."""
    count, most = len(points), len(curves[0])

    def make() -> Transformed:
        def traced(*tensors: Tensor) -> list[Any]:
            rows = [list(tensors[count + most * number : count + most * (number + 1)]) for number in range(count)]
            function = _along(fn, tensors[:count], tuple(rows))

            def of(order: int) -> Callable[[Tensor], tuple[Any, ...]]:
                if order == 0:
                    return lambda t: (function(t),)
                lower = of(order - 1)

                def higher(t: Tensor) -> tuple[Any, ...]:
                    values, tangents = jvp(lower, t, Tensor(1.0))
                    return (values[0], *tangents)

                return higher

            return list(of(most)(Tensor(0.0)))

        return Transformed(fn, traced, "jet", traced)

    function = cached(_JETS, (id(fn), count, most), make, fn)
    return list(function(*points, *[derivative for row in curves for derivative in row]))


def _transposed(values: list[Any], combine: Callable[[list[Tensor]], Tensor]) -> Any:
    """One tensor for each tensor of an output, made from its values in all entries; lists for tuples."""
    columns = [combine(list(column)) for column in zip(*map(tree.tensors, values), strict=True)]
    return columns if isinstance(values[0], (tuple, list)) else columns[0]


def jet(fn: Callable[..., Any], primals: Any, series: Any) -> tuple[Any, Any]:
    """The output of `fn` and its derivatives along a curve with given derivatives.

    Args:
        fn: a function or Cell of tensors.
        primals: its input, or a tuple of them; integers become Float32.
        series: for each input a tensor of shape (n, *input.shape): the first to n-th derivatives of the curve.

    Returns:
        (output, tensor of shape (n, *output.shape) with its first to n-th derivatives); lists for several outputs.

    Raises:
        TypeError: if fn is not callable or inputs are no tensors. ValueError: if a series does not fit its input.

    Examples:
        >>> import mycel as ms
        >>> value, series = ms.ops.jet(lambda x: x ** 3, ms.Tensor(2.0), ms.Tensor([1.0, 0.0, 0.0]))
        >>> print(value, series)
        8.0 [12. 12.  6.]
    """
    check_function(fn, "jet")
    points = _inputs(primals, "jet")
    rows = tuple(series) if isinstance(series, (tuple, list)) else (series,)
    if len(rows) != len(points):
        raise ValueError(f"jet needs a series for each input, but got {len(rows)} for {len(points)}")
    curves = []
    for point, row in zip(points, rows, strict=True):
        if not isinstance(row, Tensor):
            raise TypeError(f"jet: 'series' should be a Tensor or a tuple of them, but got {type(row).__name__}")
        if row.ndim != point.ndim + 1 or row.shape[1:] != point.shape or row.shape[0] != rows[0].shape[0]:
            raise ValueError(
                f"jet: the series for an input of shape {point.shape} should have shape (n, *{point.shape}), with one "
                f"n for all, but has shape {row.shape}"
            )
        curves.append([cast(row[number], point.dtype) for number in range(row.shape[0])])
    if not curves[0]:
        raise ValueError("jet: 'series' should hold a derivative or more")
    values = _derivatives(fn, points, tuple(curves))

    def stack(items: list[Tensor]) -> Tensor:
        return apply(ops.concatenate, *[apply(ops.expand_dims, item, axes=(0,)) for item in items], axis=0)

    return _transposed(values[:1], lambda items: items[0]), _transposed(values[1:], stack)


def derivative(fn: Callable[..., Any], primals: Any, order: int) -> tuple[Any, Any]:
    """The output of `fn` and its derivative of an order by each element of the inputs, moved all at once.

    Args:
        fn: a function or Cell of tensors, elementwise for the derivative to be the usual one.
        primals: its input, or a tuple of them; integers become Float32.
        order: the order, from 1.

    Returns:
        (output, derivative); lists for several outputs.

    Raises:
        TypeError: if fn is not callable, inputs are no tensors or the order is no int. ValueError: if it is below 1.

    Examples:
        >>> import mycel as ms
        >>> print(*ms.ops.derivative(lambda x: x ** 3, ms.Tensor([1.0, 2.0]), 2))
        [1. 8.] [ 6. 12.]
    """
    check_function(fn, "derivative")
    if isinstance(order, bool) or not isinstance(order, int):
        raise TypeError(f"derivative: 'order' should be an int, but got {type(order).__name__}")
    if order < 1:
        raise ValueError(f"derivative: 'order' should be at least 1, but got {order}")
    points = _inputs(primals, "derivative")

    def direction(point: Tensor) -> list[Tensor]:
        zeros = apply(ops.zeros_like, point)
        return [zeros + 1, *[zeros] * (order - 1)]

    values = _derivatives(fn, points, tuple([direction(point) for point in points]))
    return tuple(_transposed([value], lambda items: items[0]) for value in (values[0], values[-1]))


__all__ = ["derivative", "jet"]
