"""Loss functions of elements and of class scores."""

from __future__ import annotations

from typing import Any

from ...frontend.api.checks import check_value_type
from ...frontend.values.cell import Cell
from ...frontend.values.operands import in_single
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from .checks import check_choice, check_number

_TAKES_TENSORS = True  # its Cells say which input should be a Tensor; Cell reads this

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CrossEntropyLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "LossBase",
    "MAELoss",
    "MSELoss",
    "NLLLoss",
    "RMSELoss",
    "SmoothL1Loss",
    "SoftMarginLoss",
    "SoftmaxCrossEntropyWithLogits",
]

REDUCTIONS = ("mean", "sum", "none")


def check_reduction(reduction: Any, owner: str) -> str:
    """'mean', 'sum' or 'none'. ValueError for anything else."""
    check_choice(reduction, REDUCTIONS, "reduction", owner)
    return str(reduction)


def reduced(loss: Any, reduction: str) -> Any:
    """The mean or sum of all elements, or the elements as they are."""
    if reduction == "none":
        return loss
    return ops.mean(loss) if reduction == "mean" else ops.sum(loss)


def check_same_shape(first: Any, second: Any, names: str, owner: str) -> None:
    """ValueError unless both tensors have one shape."""
    if first._type.shape != second._type.shape:
        raise ValueError(f"{owner}: {names} should have the same shape, but have {first.shape} and {second.shape}")


class LossBase(Cell):
    """Base of losses: `get_loss` weights and reduces what a subclass's construct computed.

    Args:
        reduction: 'mean', 'sum' or 'none'.

    Raises:
        ValueError: for another reduction.

    Examples:
        >>> import mycel as ms
        >>> from mycel import nn, ops
        >>> class Absolute(nn.LossBase):
        ...     def construct(self, logits, labels):
        ...         return self.get_loss(ops.abs(logits - labels))
        >>> print(Absolute()(ms.Tensor([1.0, 3.0]), ms.Tensor([0.0, 0.0])))
        2.0
    """

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
        """What a subclass computes. NotImplementedError in the base."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'construct'")


class L1Loss(LossBase):
    """The absolute difference, |logits - labels|.

    Args:
        reduction: 'mean', 'sum' or 'none'.

    Inputs:
        logits, labels: of one shape, or shapes that broadcast.
    """

    def construct(self, logits: Any, labels: Any) -> Any:
        """|logits - labels|, reduced."""
        return ops.l1_loss(logits, labels, self.reduction)


class MSELoss(LossBase):
    """The squared difference, (logits - labels)².

    Args:
        reduction: 'mean', 'sum' or 'none'.

    Inputs:
        logits, labels: of one shape, or shapes that broadcast.

    Examples:
        >>> import mycel as ms
        >>> print(ms.nn.MSELoss()(ms.Tensor([1.0, 2.0]), ms.Tensor([0.0, 4.0])))
        2.5
    """

    def construct(self, logits: Any, labels: Any) -> Any:
        """(logits - labels)², reduced."""
        return ops.mse_loss(logits, labels, self.reduction)


class RMSELoss(LossBase):
    """The root of the mean squared difference."""

    def __init__(self) -> None:
        super().__init__()

    @in_single(3)
    def construct(self, logits: Any, labels: Any) -> Any:
        """sqrt(mean((logits - labels)²))."""
        return ops.sqrt(ops.mse_loss(logits, labels))


class MAELoss(LossBase):
    """The absolute difference, as L1Loss.

    Args:
        reduction: 'mean', 'sum' or 'none'.
    """

    def construct(self, logits: Any, labels: Any) -> Any:
        """|logits - labels|, reduced."""
        return self.get_loss(ops.abs(logits - labels))


class SmoothL1Loss(LossBase):
    """Squares for small differences, absolute values for large ones.

    Args:
        beta: where the one becomes the other, not negative.
        reduction: 'none', 'mean' or 'sum'.

    Raises:
        ValueError: if beta is negative.
    """

    def __init__(self, beta: float = 1.0, reduction: str = "none") -> None:
        super().__init__(reduction)
        if check_number(beta, "beta", "SmoothL1Loss") < 0:
            raise ValueError(f"For 'SmoothL1Loss', the 'beta' should not be negative, but got {beta}")
        self.beta = beta

    def construct(self, logits: Any, labels: Any) -> Any:
        """The smooth absolute difference, reduced."""
        return ops.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(LossBase):
    """delta times the smooth absolute difference.

    Args:
        reduction: 'mean', 'sum' or 'none'.
        delta: where squares become absolute values, positive.

    Raises:
        ValueError: if delta is not positive.
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction)
        if check_number(delta, "delta", "HuberLoss") <= 0:
            raise ValueError(f"For 'HuberLoss', the 'delta' should be positive, but got {delta}")
        self.delta = delta

    def construct(self, logits: Any, labels: Any) -> Any:
        """The Huber loss, reduced."""
        return ops.huber_loss(logits, labels, self.reduction, self.delta)


class SoftMarginLoss(LossBase):
    """log(1 + exp(-labels · logits)) for labels of 1 and -1.

    Args:
        reduction: 'mean', 'sum' or 'none'.
    """

    def construct(self, logits: Any, labels: Any) -> Any:
        """The soft margin loss, reduced."""
        return ops.soft_margin_loss(logits, labels, self.reduction)


class SoftmaxCrossEntropyWithLogits(LossBase):
    """The cross entropy between labels and the softmax of scores.

    Args:
        sparse: whether labels are class indices [N] in place of probabilities [N, C].
        reduction: 'none', 'mean' or 'sum'.

    Inputs:
        logits: [N, C].
        labels: int [N] with `sparse`, else of the type of the logits.

    Examples:
        >>> import mycel as ms
        >>> loss = ms.nn.SoftmaxCrossEntropyWithLogits(sparse=True)
        >>> print(loss(ms.Tensor([[0.0, 0.0]]), ms.Tensor([1], ms.int32)).shape)
        (1,)
    """

    def __init__(self, sparse: bool = False, reduction: str = "none") -> None:
        super().__init__(reduction)
        if not isinstance(sparse, bool):
            raise TypeError(
                f"For 'SoftmaxCrossEntropyWithLogits', the 'sparse' should be a bool, but got {type(sparse).__name__}"
            )
        self.sparse = sparse

    def construct(self, logits: Any, labels: Any) -> Any:
        """The cross entropy of each row, reduced."""
        if logits.ndim != 2:
            raise ValueError(f"SoftmaxCrossEntropyWithLogits takes logits of shape [N, C], but got {logits.shape}")
        if self.sparse:
            if labels.ndim != 1:
                raise ValueError(
                    f"SoftmaxCrossEntropyWithLogits takes class indices of shape [N], but got {labels.shape}"
                )
            if not labels.dtype.is_integer:
                raise TypeError(
                    "SoftmaxCrossEntropyWithLogits: with 'sparse' the labels should be integers, but their dtype is "
                    f"{labels.dtype}{dtypes.AS_INTEGERS}"
                )
            return ops.cross_entropy(logits, ops.cast(labels, dtypes.int32), reduction=self.reduction)
        check_same_shape(logits, labels, "logits and labels", "SoftmaxCrossEntropyWithLogits")
        loss = ops.softmax_cross_entropy_with_logits(logits, labels)
        return reduced(loss, self.reduction)


class CrossEntropyLoss(LossBase):
    """The cross entropy between targets and the softmax of scores.

    Args:
        weight: a weight for each class, [C].
        ignore_index: class index that does not count.
        reduction: 'mean', 'sum' or 'none'.
        label_smoothing: share in [0, 1] of the target that is spread over all classes.

    Inputs:
        logits: [C], [N, C] or [N, C, d1, …].
        labels: int32 class indices [], [N] or [N, d1, …], or probabilities of the shape of the logits.

    Examples:
        >>> import mycel as ms
        >>> loss = ms.nn.CrossEntropyLoss()
        >>> print(loss(ms.Tensor([[0.0, 0.0]]), ms.Tensor([1], ms.int32)).asnumpy().round(4))
        0.6931
    """

    def __init__(
        self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean", label_smoothing: float = 0.0
    ) -> None:
        super().__init__(reduction)
        if weight is not None and not isinstance(weight, Tensor):
            raise TypeError(f"For 'CrossEntropyLoss', the 'weight' should be a Tensor, but got {type(weight).__name__}")
        if not 0.0 <= label_smoothing <= 1.0:
            raise ValueError(
                f"For 'CrossEntropyLoss', the 'label_smoothing' should be in [0, 1], but got {label_smoothing}"
            )
        self.weight = weight
        self.ignore_index = check_value_type("ignore_index", ignore_index, (int,), "CrossEntropyLoss")
        self.label_smoothing = label_smoothing

    def construct(self, logits: Any, labels: Any) -> Any:
        """The cross entropy, reduced."""
        return ops.cross_entropy(logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing)


class NLLLoss(LossBase):
    """The negative log likelihood of classes, given log probabilities.

    Args:
        weight: a weight for each class, [C].
        ignore_index: class index that does not count.
        reduction: 'mean', 'sum' or 'none'.
    """

    def __init__(self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight
        self.ignore_index = ignore_index

    def construct(self, logits: Any, labels: Any) -> Any:
        """The negative log likelihood, reduced."""
        return ops.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class BCELoss(LossBase):
    """The cross entropy of probabilities of yes and no.

    Args:
        weight: multiplies the loss of each element.
        reduction: 'mean', 'sum' or 'none'.

    Inputs:
        logits: probabilities.
        labels: of the same shape, between 0 and 1.
    """

    def __init__(self, weight: Any = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight

    def construct(self, logits: Any, labels: Any) -> Any:
        """The binary cross entropy, reduced."""
        return ops.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """The cross entropy of scores of yes and no, of which the sigmoid is the probability.

    Args:
        reduction: 'mean', 'sum' or 'none'.
        weight: multiplies the loss of each element.
        pos_weight: multiplies the part of the positive label.
    """

    def __init__(self, reduction: str = "mean", weight: Any = None, pos_weight: Any = None) -> None:
        super().__init__(reduction)
        self.weight = weight
        self.pos_weight = pos_weight

    def construct(self, logits: Any, labels: Any) -> Any:
        """The binary cross entropy, reduced."""
        return ops.binary_cross_entropy_with_logits(
            logits, labels, weight=self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


class KLDivLoss(LossBase):
    """The Kullback-Leibler divergence of log probabilities from probabilities.

    Args:
        reduction: 'mean', 'sum', 'batchmean' or 'none'.
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = check_choice(reduction, ("mean", "sum", "none", "batchmean"), "reduction", "KLDivLoss")

    def construct(self, logits: Any, labels: Any) -> Any:
        """The divergence, reduced."""
        return ops.kl_div(logits, labels, self.reduction)
