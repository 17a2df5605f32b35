"""Losses of margins between classes, between pairs and between triplets."""

from __future__ import annotations

from typing import Any

from ...frontend.values.operands import in_single, need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from ..functions.requirements import require_range, require_signs
from .checks import check_bool, check_choice, check_number, check_positive
from .held import primitives
from .loss import LossBase, check_same_shape, reduced
from .sections import REDUCTION, sections

_TAKES_TENSORS = True

__all__ = [
    "CosineEmbeddingLoss", "HingeEmbeddingLoss", "MarginRankingLoss", "MultiLabelSoftMarginLoss", "MultiMarginLoss",
    "MultilabelMarginLoss", "TripletMarginLoss", "TripletMarginWithDistanceLoss",
]  # fmt: skip


class MultiLabelSoftMarginLoss(LossBase):
    """The mean over classes of the binary cross entropy of scores.

    Args:
        weight: a float Tensor [C], the weight of each class. Default: None, for 1.
        reduction: 'mean', 'sum' or 'none'. Default: 'mean'.

    Inputs:
        x: a float tensor of shape [N, C], the scores.
        target: a float tensor of shape [N, C], 0 or 1.

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; a float tensor of shape [N] for 'none'.

    Raises:
        TypeError: if an input is no Tensor.
        ValueError: for another reduction, or shapes that do not broadcast.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.MultiLabelSoftMarginLoss()(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]])))
        0.6931472
    """

    def __init__(self, weight: Any = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight

    @in_single(2)
    def construct(self, x: Any, target: Any) -> Tensor:
        """The loss of each row, reduced."""
        loss = -(target * ops.logsigmoid(x) + (1.0 - target) * ops.logsigmoid(-x))
        if self.weight is not None:
            loss = loss * self.weight
        return reduced(ops.mean(loss, -1), self.reduction)


@sections(**REDUCTION)
class MultilabelMarginLoss(LossBase):
    """The sum of max(0, 1 - (x[y] - x[i])) over target classes y and other classes i, divided by C.

    Inputs:
        x: a float tensor of shape [C] or [N, C], the scores.
        target: an int tensor of the same shape: class indices, of which those after the first negative one do not
            count.

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; a float tensor of shape [N] for 'none'.

    Raises:
        TypeError: if an input is no Tensor.
        ValueError: for another reduction, or inputs of different shapes.

    Examples:
        >>> import mycel as ms
        >>> print(ms.nn.MultilabelMarginLoss()(ms.Tensor([[0.5, 0.0]]), ms.Tensor([[0, -1]], ms.int32)))
        0.25
    """

    _held = primitives(multilabel_margin_loss=lambda layer: ops.MultilabelMarginLoss(layer.reduction))

    @in_single(2)
    def construct(self, x: Any, target: Any) -> Tensor:
        """The loss of each row, reduced."""
        check_same_shape(x, target, "x and target", "MultilabelMarginLoss")
        scores, wanted = (x, target) if x.ndim == 2 else (ops.expand_dims(x, 0), ops.expand_dims(target, 0))
        classes = scores.shape[1]
        counts = ops.cast(
            ops.equal(ops.cumsum(ops.cast(wanted < 0, dtypes.int32), 1), 0), scores.dtype
        )  # before the first -1
        hot = ops.one_hot(ops.maximum(wanted, 0), classes, 1.0, 0.0) * ops.expand_dims(counts, -1)  # [N, target, class]
        is_target = ops.minimum(ops.sum(hot, 1), 1.0)
        chosen = ops.sum(hot * ops.expand_dims(scores, 1), -1)  # the score of each target
        margins = ops.relu(1.0 - (ops.expand_dims(chosen, -1) - ops.expand_dims(scores, 1)))
        margins = margins * ops.expand_dims(counts, -1) * ops.expand_dims(1.0 - is_target, 1)
        loss = ops.sum(margins, (1, 2)) / classes
        return reduced(loss if x.ndim == 2 else ops.squeeze(loss, 0), self.reduction)


class MultiMarginLoss(LossBase):
    """The sum of max(0, margin - x[y] + x[i])^p over the classes i other than the target y, divided by C.

    Args:
        p: 1 or 2, the power. Default: 1.
        margin: a number. Default: 1.0.
        reduction: 'mean', 'sum' or 'none'. Default: 'mean'.
        weight: a float Tensor [C], the weight of each target class. Default: None, for 1.

    Inputs:
        x: a float tensor of shape [N, C], the scores.
        target: an int tensor of shape [N], the class indices.
        weight: a float tensor of shape [C], in place of the argument. Default: None.

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; a float tensor of shape [N] for 'none'.

    Raises:
        TypeError: if margin is no number, or an input is no Tensor.
        ValueError: if p is not 1 or 2, or for another reduction.

    Examples:
        >>> import mycel as ms
        >>> print(ms.nn.MultiMarginLoss()(ms.Tensor([[0.5, 0.0]]), ms.Tensor([0], ms.int32)))
        0.25
    """

    _held = primitives(multi_margin_loss=lambda layer: ops.MultiMarginLoss(layer.p, layer.margin, layer.reduction))

    def __init__(self, p: int = 1, margin: float = 1.0, reduction: str = "mean", weight: Any = None) -> None:
        super().__init__(reduction)
        self.p = check_choice(p, (1, 2), "p", "MultiMarginLoss")
        check_number(margin, "margin", "MultiMarginLoss")
        self.margin = margin
        self.weight = weight

    @in_single(2)
    def construct(self, x: Any, target: Any, weight: Any = None) -> Tensor:
        """The loss of each row, reduced."""
        weight = self.weight if weight is None else weight
        classes = x.shape[1]
        what = f"MultiMarginLoss: 'target' should be classes from 0 to {classes - 1}"
        require_range(target, 0, classes - 1, what)
        hot = ops.cast(ops.one_hot(target, classes, 1.0, 0.0), x.dtype)
        chosen = ops.sum(hot * x, 1, True)
        margins = ops.relu(self.margin - chosen + x)
        if self.p == 2:
            margins = ops.square(margins)
        if weight is not None:
            margins = margins * ops.sum(hot * weight, 1, True)
        return reduced(ops.sum(margins * (1.0 - hot), 1) / classes, self.reduction)


class CosineEmbeddingLoss(LossBase):
    """How far pairs are from being alike, by the cosine between them: 1 - cos for the label 1, max(0, cos - margin)
    for -1.

    Args:
        margin: a number in [-1, 1]: cosines below it do not count for unlike pairs. Default: 0.0.
        reduction: 'mean', 'sum' or 'none'. Default: 'mean'.

    Inputs:
        logits_x1: a float tensor of shape [N, D].
        logits_x2: a float tensor of shape [N, D].
        labels: an int or float tensor of shape [N], 1 (alike) or -1 (unlike).

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; a float tensor of shape [N] for 'none'.

    Raises:
        TypeError: if margin is no number, or an input is no Tensor.
        ValueError: if margin is outside [-1, 1], for another reduction, inputs of different shapes, or other labels.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.CosineEmbeddingLoss()(Tensor([[1.0, 0.0]]), Tensor([[0.0, 1.0]]), Tensor([1])))
        1.0
    """

    _held = primitives("Maximum")

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        if not -1 <= check_number(margin, "margin", "CosineEmbeddingLoss") <= 1:
            raise ValueError(f"For 'CosineEmbeddingLoss', the 'margin' should be in [-1, 1], but got {margin}")
        self.margin = margin

    @in_single(3)
    def construct(self, logits_x1: Any, logits_x2: Any, labels: Any) -> Tensor:
        """The loss of each pair, reduced."""
        check_same_shape(logits_x1, logits_x2, "logits_x1 and logits_x2", "CosineEmbeddingLoss")
        if labels.shape != logits_x1.shape[:1]:
            raise ValueError(
                f"For 'CosineEmbeddingLoss', there should be a label for each of the {logits_x1.shape[0]} pairs, but "
                f"the labels have shape {labels.shape}"
            )
        require_signs(need_tensor(labels, "CosineEmbeddingLoss", "labels"), "CosineEmbeddingLoss: 'labels'")
        product = ops.sum(logits_x1 * logits_x2, 1)
        squares = ops.sum(ops.square(logits_x1), 1) * ops.sum(ops.square(logits_x2), 1)
        cosine = product / ops.sqrt(squares + 0.000001**2)
        zero = ops.zeros_like(cosine)
        alike = ops.where(labels == 1, 1.0 - cosine, zero)
        unlike = ops.where(labels == -1, ops.maximum(cosine - self.margin, zero), zero)
        return reduced(alike + unlike, self.reduction)


_MARGIN = {
    "Args": "reduction: 'mean', 'sum' or 'none'. Default: 'mean'.",
    "Outputs": "A 0-d float tensor for 'mean' and 'sum'; a float tensor of the shape of the inputs for 'none'.",
    "Raises": """
        TypeError: if margin is no number, or an input is no Tensor.
        ValueError: for another reduction, or shapes that do not broadcast.
    """,
}


@sections(**_MARGIN)
class MarginRankingLoss(LossBase):
    """max(0, -target · (input1 - input2) + margin) of each element. With the target 1 the first input should be larger.

    Args:
        margin: a number. Default: 0.0.

    Inputs:
        input1: a float tensor of any shape.
        input2: a float tensor of the same shape.
        target: a tensor of numbers of the same shape, 1 or -1.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.MarginRankingLoss()(Tensor([1.0]), Tensor([3.0]), Tensor([1.0])))
        2.0
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        check_number(margin, "margin", "MarginRankingLoss")
        self.margin = margin

    @in_single(3)
    def construct(self, input1: Any, input2: Any, target: Any) -> Tensor:
        """The ranking loss, reduced."""
        return reduced(ops.relu(-target * (input1 - input2) + self.margin), self.reduction)


@sections(**_MARGIN)
class HingeEmbeddingLoss(LossBase):
    """The logits where the label is 1, max(0, margin - logits) where it is -1.

    Args:
        margin: a number. Default: 1.0.

    Inputs:
        logits: a float tensor of any shape, distances.
        labels: a tensor of numbers of the same shape, 1 or -1.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.HingeEmbeddingLoss()(Tensor([0.5, 0.25]), Tensor([1.0, -1.0])))
        0.625
    """

    def __init__(self, margin: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        check_number(margin, "margin", "HingeEmbeddingLoss")
        self.margin = margin

    @in_single(2)
    def construct(self, logits: Any, labels: Any) -> Tensor:
        """The hinge loss, reduced."""
        zero = ops.zeros_like(logits)
        near = ops.where(labels == 1, logits, zero)
        far = ops.where(labels == -1, ops.relu(self.margin - logits), zero)
        return reduced(near + far, self.reduction)


class TripletMarginLoss(LossBase):
    """How much nearer an anchor is to a positive than to a negative, up to a margin: max(0, d(x, pos) - d(x, neg) +
    margin).

    Args:
        p: an int: d is the distance in the p-norm. Default: 2.
        swap: whether the distance of positive and negative counts if it is smaller. Default: False.
        eps: a number, added to differences. Default: 1e-6.
        reduction: 'mean', 'sum' or 'none'. Default: 'mean'.
        margin: a number; other than 1.0 it goes before the input of this name. Default: 1.0.

    Inputs:
        x: a float tensor of shape [..., D], the anchors.
        positive: a float tensor of the same shape.
        negative: a float tensor of the same shape.
        margin: a number or a 0-d float tensor. Default: 1.0.

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; a float tensor of shape [...] for 'none'.

    Raises:
        TypeError: if an input is no Tensor.
        ValueError: for another reduction, or shapes that do not broadcast.

    Examples:
        >>> from mycel import Tensor, nn
        >>> loss = nn.TripletMarginLoss()
        >>> print(loss(Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0]]), Tensor([[0.0, 5.0]])))
        0.9999995
    """

    def __init__(
        self, p: int = 2, swap: bool = False, eps: float = 1e-06, reduction: str = "mean", margin: float = 1.0
    ) -> None:
        super().__init__(reduction)
        self.p = p
        self.swap = swap
        self.eps = eps
        self.margin = margin

    def _distance(self, x: Any, y: Any) -> Any:
        difference = ops.abs(x - y + self.eps)
        if self.p == 2:
            return ops.sqrt(ops.sum(ops.square(difference), -1))
        return ops.pow(ops.sum(ops.pow(difference, self.p), -1), 1.0 / self.p)

    @in_single(4)
    def construct(self, x: Any, positive: Any, negative: Any, margin: Any = 1.0) -> Tensor:
        """The loss of each triplet, reduced."""
        margin = margin if self.margin == 1.0 else self.margin  # as in MindSpore
        far = self._distance(x, negative)
        if self.swap:
            far = ops.minimum(far, self._distance(positive, negative))
        return reduced(ops.relu(self._distance(x, positive) - far + margin), self.reduction)


class TripletMarginWithDistanceLoss(LossBase):
    """`TripletMarginLoss` with any distance: max(0, d(x, pos) - d(x, neg) + margin).

    Args:
        distance_function: a function of two tensors that gives their distances. Default: None, for the Euclidean
            distance over the second dimension, or of vectors.
        swap: whether the distance of positive and negative counts if it is smaller. Default: False.
        reduction: 'mean', 'sum' or 'none'. Default: 'mean'.
        margin: a positive number. Default: 1.0.

    Inputs:
        x: a float tensor, the anchors; with the usual distance of shape [N, D, ...].
        positive: a float tensor of the same shape.
        negative: a float tensor of the same shape.

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; for 'none' a float tensor of the shape of the distances.

    Raises:
        TypeError: if margin is no number, or an input is no Tensor.
        ValueError: if margin is not positive, for another reduction, or for shapes that do not broadcast.

    Examples:
        >>> from mycel import Tensor, nn
        >>> loss = nn.TripletMarginWithDistanceLoss()
        >>> print(loss(Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0]]), Tensor([[0.0, 5.0]])))
        1.0
    """

    _held = primitives("Minimum Maximum")

    def __init__(
        self, distance_function: Any = None, swap: bool = False, reduction: str = "mean", margin: float = 1.0
    ) -> None:
        super().__init__(reduction)
        self.distance_function = distance_function if distance_function is not None else _euclidean
        self.swap = check_bool(swap, "swap", "TripletMarginWithDistanceLoss")
        self.margin = check_positive(margin, "margin", "TripletMarginWithDistanceLoss")

    @in_single(4)
    def construct(self, x: Any, positive: Any, negative: Any) -> Tensor:
        """The loss of each triplet, reduced."""
        near, far = self.distance_function(x, positive), self.distance_function(x, negative)
        if self.swap:
            far = ops.minimum(far, self.distance_function(positive, negative))
        return reduced(ops.relu(near - far + self.margin), self.reduction)


def _euclidean(x: Any, y: Any) -> Any:
    squares = ops.square(x - y)
    return ops.sqrt(ops.sum(squares, min(squares.ndim, 2) - 1))
