"""Softmax and its variants."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.values.arguments import one_axis
from ...frontend.values.dispatch import apply, cast
from ...frontend.values.operands import floating, need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import Shared
from .array_shape import reshape
from .documentation import common
from .table import known_as, method

__all__ = ["log_softmax", "softmax", "softmin"]

_shared = Shared(
    """
    Args:
        dtype: the dtype to convert to first.
    """,
    common,
)


def softmax(input: Tensor, axis: Any = -1, *, dtype: Any = None) -> Tensor:
    """exp(x) over its sum along an axis (or a tuple of axes), computed without overflow.

    Args:
        input: a floating-point tensor of at least one dimension.
        axis: the axis, or a tuple of axes.
        dtype: the dtype to convert to first.

    Raises:
        TypeError: if the tensor is not floating-point.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.softmax(ms.Tensor([0.0, 0.0])))
        [0.5 0.5]
    """
    x = need_tensor(input, "softmax")
    x = floating(x if dtype is None else cast(x, dtypes.as_dtype(dtype)), "softmax")
    if isinstance(axis, (tuple, list)):
        if len(axis) != 1:
            return _softmax_over(x, tuple(one_axis(place, x.ndim, "softmax") for place in axis))
        (axis,) = axis
    if x.ndim == 0:
        return reshape(apply(prims.softmax, reshape(x, (1,)), axis=0), ())
    return apply(prims.softmax, x, axis=one_axis(axis, x.ndim, "softmax"))


def _softmax_over(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    total = apply(prims.logsumexp, x, axis=tuple(sorted(axes)), keepdims=True)
    return apply(prims.exp, apply(prims.subtract, x, total))


@known_as(method=True, shared=_shared)
def log_softmax(logits: Tensor, axis: int = -1) -> Tensor:
    """The logarithm of `softmax` along an axis, computed without overflow.

    Args:
        logits: a floating-point tensor of at least one dimension.

    Examples:
        >>> print(ops.log_softmax(Tensor([0.0, 0.0])))
        [-0.6931472 -0.6931472]
    """
    x = floating(logits, "log_softmax", "logits")
    return apply(prims.log_softmax, x, axis=one_axis(axis, x.ndim, "log_softmax"))


@_shared
def softmin(x: Tensor, axis: int = -1, *, dtype: Any = None) -> Tensor:
    """`softmax` of the negated tensor.

    Args:
        x: a floating-point tensor of at least one dimension.

    Examples:
        >>> print(ops.softmin(Tensor([0.0, 0.0])))
        [0.5 0.5]
    """
    x = need_tensor(x, "softmin", "x")
    return softmax(apply(prims.negative, x if dtype is None else cast(x, dtypes.as_dtype(dtype))), axis)


@method("softmax", shared=_shared)
def softmax_method(self: Tensor, axis: Any = None, dtype: Any = None, *, dim: Any = None) -> Tensor:
    """exp(x) over its sum along an axis; see `ops.softmax`.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([0.0, 0.0]).softmax())
        [0.5 0.5]
    """
    return softmax(self, axis if axis is not None else dim if dim is not None else -1, dtype=dtype)
