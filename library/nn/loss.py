"""`LossBase`, the base of losses."""

from __future__ import annotations

from typing import Any

from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from .checks import check_choice
from .held import primitives

_TAKES_TENSORS = True

__all__ = ["LossBase"]

REDUCTIONS = ("mean", "sum", "none")


def check_reduction(reduction: Any, owner: str) -> str:
    """'mean', 'sum' or 'none'. ValueError for anything else."""
    check_choice(reduction, REDUCTIONS, "reduction", owner)
    return str(reduction)


def reduced(loss: Any, reduction: str) -> Any:
    """The elements unchanged, or their mean or sum."""
    if reduction == "none":
        return loss
    return ops.mean(loss) if reduction == "mean" else ops.sum(loss)


def check_same_shape(first: Any, second: Any, names: str, owner: str) -> None:
    """ValueError unless both tensors have one shape."""
    if first._type.shape != second._type.shape:
        raise ValueError(f"{owner}: {names} should have the same shape, but have {first.shape} and {second.shape}")


class LossBase(Cell):
    """Base of losses: `get_loss` weights and reduces the result of a subclass.

    Args:
        reduction: 'mean', 'sum' or 'none'. Default: 'mean'.

    Inputs:
        logits: a float tensor of any shape, as the subclass says.
        labels: a tensor, as the subclass says.

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; a tensor of the shape of the losses for 'none'.

    Raises:
        ValueError: for another reduction.
        NotImplementedError: if a subclass has no `construct`.

    Examples:
        >>> import mycel as ms
        >>> from mycel import nn, ops
        >>> class Absolute(nn.LossBase):
        ...     def construct(self, logits, labels):
        ...         return self.get_loss(ops.abs(logits - labels))
        >>> print(Absolute()(ms.Tensor([1.0, 3.0]), ms.Tensor([0.0, 0.0])))
        2.0
    """

    _held = primitives("Mul Cast ReduceMean ReduceSum")

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = check_reduction(reduction, type(self).__name__)
        self.average = reduction != "sum"
        self.reduce = reduction != "none"

    def get_axis(self, x: Any) -> tuple[int, ...]:
        """All axes of x."""
        return tuple(range(x.ndim))

    def get_loss(self, x: Any, weights: Any = 1.0) -> Any:
        """x times the weights, reduced, in the dtype of x (computed in float32 at least)."""
        dtype = x.dtype
        wide = ops.cast(x, dtypes.float32) if dtype in (dtypes.float16, dtypes.bfloat16) else x
        if isinstance(weights, Tensor) or weights != 1.0:
            wide = wide * weights
        if self.reduce:
            wide = ops.mean(wide) if self.average else ops.sum(wide)
        return wide if wide.dtype is dtype or not dtype.is_float else ops.cast(wide, dtype)

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """The loss, which a subclass defines. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'construct'")
