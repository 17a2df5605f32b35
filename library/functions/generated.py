"""Functions that MindSpore generates (`nllloss_impl` and the like), with its order of arguments and results."""

from __future__ import annotations

from typing import Any

from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .array_sort import unique_consecutive
from .creation import meshgrid, zeros_like
from .extremes import max as _max, min as _min
from .nn_functional import binary_cross_entropy_with_logits, nll_loss
from .representation import cast

__all__ = [
    "argmax_with_value_impl", "argmin_with_value_impl", "binary_cross_entropy_with_logits_impl", "meshgrid_impl",
    "nllloss_impl", "unique_consecutive_impl",
]  # fmt: skip


def argmax_with_value_impl(input: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Any, Any]:
    """The indices of the largest elements along an axis, and the elements."""
    values, indices = _max(input, axis, keep_dims)
    return indices, values


def argmin_with_value_impl(input: Tensor, axis: int = 0, keep_dims: bool = False) -> tuple[Any, Any]:
    """The indices of the smallest elements along an axis, and the elements."""
    values, indices = _min(input, axis, keep_dims)
    return indices, values


def binary_cross_entropy_with_logits_impl(
    input: Tensor, target: Tensor, weight: Any = None, posWeight: Any = None, reduction: Any = "mean"
) -> Any:
    """`ops.binary_cross_entropy_with_logits`."""
    return binary_cross_entropy_with_logits(input, target, weight, posWeight, reduction)


def meshgrid_impl(inputs: Any, indexing: str = "xy") -> Any:
    """`ops.meshgrid` of a tuple of tensors."""
    return meshgrid(*inputs, indexing=indexing)


def nllloss_impl(
    logits: Tensor, labels: Tensor, weight: Any, reduction: str = "mean", ignore_index: int = -100
) -> tuple[Any, Any]:
    """`ops.nll_loss`, and the sum of the weights of the labels."""
    loss = nll_loss(logits, labels, weight, ignore_index, reduction)
    counted = cast(labels != ignore_index, weight.dtype)
    total = (weight[labels * cast(counted, labels.dtype)] * counted).sum()
    return loss, total


def unique_consecutive_impl(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Any = None
) -> tuple[Any, Any, Any]:
    """`ops.unique_consecutive`, with zeros for outputs that are not requested."""
    found = unique_consecutive(input, return_inverse, return_counts, dim)
    several = list(found) if isinstance(found, tuple) else [found]
    nothing = zeros_like(Tensor(0, dtypes.int64))
    values = several.pop(0)
    inverse = several.pop(0) if return_inverse else nothing
    return values, inverse, several.pop(0) if return_counts else nothing
