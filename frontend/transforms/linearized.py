"""Linear approximation: `linearize` gives a function's value at a point and its derivative there as a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler import ops
from ..compilation.doors import guarded
from ..values.dispatch import apply
from ..values.tensor import Tensor
from .products import jvp

__all__ = ["linearize"]


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
