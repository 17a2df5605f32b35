"""Spread, order statistics and norms of tensors over axes, and updates of Parameters by function."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...runtime import dtypes
from ..dispatch import apply, as_tensor, cast
from ..inplace import assign_parameter
from ..tensor import Tensor
from .operands import need_tensor
from .reduce import axes_of, axis_of, mean, sum

__all__ = [
    "assign", "assign_add", "assign_sub", "diff", "erf", "erfc", "erfinv", "digamma", "lgamma", "logsumexp", "median",
    "std", "std_mean", "stop_gradient", "typeof", "var", "var_mean", "gammaln", "print_",
]  # fmt: skip


def _floating(x: Tensor, function: str) -> Tensor:
    x = need_tensor(x, function)
    return x if x.dtype.is_float or x.dtype.is_complex else cast(x, dtypes.float32)


def var(input: Tensor, axis: Any = None, ddof: Any = 0, keepdims: bool = False) -> Tensor:
    """Variance over axes (all by default): the mean squared distance from the mean, over n - ddof.

    Args:
        ddof: an int, or a bool as in PyTorch's `unbiased`.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.var(Tensor([1.0, 3.0])))
        1.0
    """
    x = _floating(input, "var")
    axes = axes_of(axis, x.ndim, "var")
    count = 1
    for position in axes:
        count *= x.shape[position]
    centred = x - mean(x, axes, True) if axes else x - x
    total = sum(centred * centred, axes, keepdims) if axes else centred
    return total / (count - int(ddof))  # type: ignore[no-any-return]


def std(input: Tensor, axis: Any = None, ddof: Any = 0, keepdims: bool = False) -> Tensor:
    """Standard deviation: the square root of `var`."""
    return apply(prims.sqrt, var(input, axis, ddof, keepdims))  # type: ignore[no-any-return]


def var_mean(input: Tensor, axis: Any = None, ddof: Any = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Variance and mean."""
    return var(input, axis, ddof, keepdims), mean(_floating(input, "var_mean"), axis, keepdims)


def std_mean(input: Tensor, axis: Any = None, ddof: Any = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean."""
    return std(input, axis, ddof, keepdims), mean(_floating(input, "std_mean"), axis, keepdims)


def logsumexp(input: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The logarithm of the sum of exponentials over axes, safe from overflow."""
    x = _floating(input, "logsumexp")
    axes = axes_of(axis, x.ndim, "logsumexp")
    return apply(prims.logsumexp, x, axis=axes, keepdims=bool(keepdims))  # type: ignore[no-any-return]


def median(input: Tensor, axis: Any = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """The middle value along an axis (the lower of two) and its position."""
    x = need_tensor(input, "median")
    position = axis_of(axis, x.ndim, "median")
    from .array_sort import sort

    values, indices = sort(x, position)
    middle = (x.shape[position] - 1) // 2
    key = tuple(slice(middle, middle + 1) if k == position else slice(None) for k in range(x.ndim))
    value, index = values[key], cast(indices[key], dtypes.int64)
    if keepdims:
        return value, index
    return value.squeeze(position), index.squeeze(position)


def diff(x: Tensor, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """The n-th difference of neighbours along an axis."""
    x = need_tensor(x, "diff", "x")
    position = axis_of(axis, x.ndim, "diff")
    from .array_join import concat

    parts = [part for part in (prepend, x, append) if part is not None]
    if len(parts) > 1:
        x = concat([as_tensor(part, x.dtype) for part in parts], position)
    for _ in range(n):
        later = tuple(slice(1, None) if k == position else slice(None) for k in range(x.ndim))
        sooner = tuple(slice(None, -1) if k == position else slice(None) for k in range(x.ndim))
        x = x[later] - x[sooner]  # type: ignore[operator]
    return x


def _unary(name: str, doc: str) -> Any:
    op = getattr(prims, name)

    def function(input: Tensor) -> Tensor:
        return apply(op, _floating(input, name))  # type: ignore[no-any-return]

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


erf = _unary("erf", "The error function, elementwise.")
erfc = _unary("erfc", "One minus the error function, elementwise.")
erfinv = _unary("erfinv", "The inverse of the error function, elementwise.")
lgamma = _unary("lgamma", "The logarithm of the gamma function's magnitude, elementwise.")
digamma = _unary("digamma", "The derivative of lgamma, elementwise.")
gammaln = lgamma


def stop_gradient(value: Any) -> Any:
    """`value` (a tensor, or containers of them), through which no gradient passes.

    Examples:
        >>> import mycel as ms
        >>> print(ms.grad(lambda x: x * ms.ops.stop_gradient(x))(ms.Tensor(3.0)))
        3.0
    """
    from .. import tree

    return tree.map_tensors(lambda tensor: apply(prims.stop_gradient, tensor), value)


def assign(variable: Any, value: Any) -> Any:
    """Give a Parameter new numbers; the Parameter. Reads after it see them; no gradient flows through the assignment.

    Raises:
        TypeError: if `value` is of a kind or width that the Parameter's dtype does not hold.
        ValueError: if the shapes differ.
    """
    return assign_parameter(variable, value)


def assign_add(variable: Any, value: Any) -> Any:
    """Add `value` to a Parameter in place; the Parameter."""
    return assign_parameter(variable, cast(variable + as_tensor(value, None), variable.dtype))


def assign_sub(variable: Any, value: Any) -> Any:
    """Subtract `value` from a Parameter in place; the Parameter."""
    return assign_parameter(variable, cast(variable - as_tensor(value, None), variable.dtype))


def typeof(x: Any) -> Any:
    """The dtype of a tensor, or the Python type of anything else."""
    return x.dtype if isinstance(x, Tensor) else type(x)


def print_(*inputs: Any) -> None:
    """Print, also from compiled functions."""
    from .. import control

    control.call(print, *inputs)
