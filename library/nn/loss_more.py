"""Loss functions of pairs, margins, segmentations and sequences."""

from __future__ import annotations

import math
from typing import Any

from ...frontend.values.operands import in_single
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from .activation import get_activation
from .checks import check_choice, check_number, check_positive_int
from .loss import LossBase, check_same_shape, reduced

_TAKES_TENSORS = True  # its Cells say which input should be a Tensor; Cell reads this

__all__ = [
    "CTCLoss",
    "CosineEmbeddingLoss",
    "DiceLoss",
    "FocalLoss",
    "GaussianNLLLoss",
    "HingeEmbeddingLoss",
    "MarginRankingLoss",
    "MultiClassDiceLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "MultilabelMarginLoss",
    "PoissonNLLLoss",
    "SampledSoftmaxLoss",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]


class CosineEmbeddingLoss(LossBase):
    """How far pairs are from being alike (label 1) or unlike (label -1), by the cosine between them.

    Args:
        margin: cosines below it do not count for unlike pairs; in [-1, 1].
        reduction: 'mean', 'sum' or 'none'.

    Inputs:
        logits_x1, logits_x2: [N, D].
        labels: [N], 1 or -1.

    Raises:
        ValueError: if margin is outside [-1, 1].
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        if not -1 <= check_number(margin, "margin", "CosineEmbeddingLoss") <= 1:
            raise ValueError(f"For 'CosineEmbeddingLoss', the 'margin' should be in [-1, 1], but got {margin}")
        self.margin = margin

    @in_single(3)
    def construct(self, logits_x1: Any, logits_x2: Any, labels: Any) -> Any:
        """The loss of each pair, reduced."""
        check_same_shape(logits_x1, logits_x2, "logits_x1 and logits_x2", "CosineEmbeddingLoss")
        product = ops.sum(logits_x1 * logits_x2, 1)
        squares = ops.sum(ops.square(logits_x1), 1) * ops.sum(ops.square(logits_x2), 1)
        cosine = product / ops.sqrt(squares + 0.000001**2)
        zero = ops.zeros_like(cosine)
        alike = ops.where(labels == 1, 1.0 - cosine, zero)
        unlike = ops.where(labels == -1, ops.maximum(cosine - self.margin, zero), zero)
        return reduced(alike + unlike, self.reduction)


class MarginRankingLoss(LossBase):
    """max(0, -labels·(logits1 - logits2) + margin), for labels of 1 and -1.

    Args:
        margin: the margin.
        reduction: 'mean', 'sum' or 'none'.
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        check_number(margin, "margin", "MarginRankingLoss")
        self.margin = margin

    @in_single(3)
    def construct(self, logits1: Any, logits2: Any, labels: Any) -> Any:
        """The ranking loss, reduced."""
        return reduced(ops.relu(-labels * (logits1 - logits2) + self.margin), self.reduction)


class HingeEmbeddingLoss(LossBase):
    """logits for the label 1, max(0, margin - logits) for the label -1.

    Args:
        margin: the margin.
        reduction: 'mean', 'sum' or 'none'.
    """

    def __init__(self, margin: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        check_number(margin, "margin", "HingeEmbeddingLoss")
        self.margin = margin

    @in_single(2)
    def construct(self, logits: Any, labels: Any) -> Any:
        """The hinge loss, reduced."""
        zero = ops.zeros_like(logits)
        near = ops.where(labels == 1, logits, zero)
        far = ops.where(labels == -1, ops.relu(self.margin - logits), zero)
        return reduced(near + far, self.reduction)


class MultiLabelSoftMarginLoss(LossBase):
    """The mean over classes of the binary cross entropy of scores.

    Args:
        weight: a weight for each class.
        reduction: 'mean', 'sum' or 'none'.

    Inputs:
        x, target: [N, C].
    """

    def __init__(self, weight: Any = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight

    @in_single(2)
    def construct(self, x: Any, target: Any) -> Any:
        """The loss of each row, reduced."""
        loss = -(target * ops.logsigmoid(x) + (1.0 - target) * ops.logsigmoid(-x))
        if self.weight is not None:
            loss = loss * self.weight
        return reduced(ops.mean(loss, -1), self.reduction)


class MultilabelMarginLoss(LossBase):
    """The margins between the scores of target classes and of the others.

    Args:
        reduction: 'mean', 'sum' or 'none'.

    Inputs:
        x: [C] or [N, C].
        target: int of the same shape: class indices, of which those after the first negative one do not count.
    """

    @in_single(2)
    def construct(self, x: Any, target: Any) -> Any:
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
    """The margins between the score of the target class and of the others, to a power.

    Args:
        p: 1 or 2.
        margin: the margin.
        reduction: 'mean', 'sum' or 'none'.
        weight: a weight for each class.

    Inputs:
        x: [N, C].
        target: int [N].
    """

    def __init__(self, p: int = 1, margin: float = 1.0, reduction: str = "mean", weight: Any = None) -> None:
        super().__init__(reduction)
        self.p = check_choice(p, (1, 2), "p", "MultiMarginLoss")
        check_number(margin, "margin", "MultiMarginLoss")
        self.margin = margin
        self.weight = weight

    @in_single(2)
    def construct(self, x: Any, target: Any, weight: Any = None) -> Any:
        """The loss of each row, reduced."""
        weight = self.weight if weight is None else weight
        classes = x.shape[1]
        hot = ops.cast(ops.one_hot(target, classes, 1.0, 0.0), x.dtype)
        chosen = ops.sum(hot * x, 1, True)
        margins = ops.relu(self.margin - chosen + x)
        if self.p == 2:
            margins = ops.square(margins)
        if weight is not None:
            margins = margins * ops.sum(hot * weight, 1, True)
        return reduced(ops.sum(margins * (1.0 - hot), 1) / classes, self.reduction)


class GaussianNLLLoss(LossBase):
    """The negative log likelihood of targets under normal distributions.

    Args:
        full: whether to add the constant log(2π)/2.
        eps: the least variance.
        reduction: 'mean', 'sum' or 'none'.

    Inputs:
        logits: the means.
        labels: the targets.
        var: the variances, of the shape of the means, or with a last axis of one or without it.
    """

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction)
        if check_number(eps, "eps", "GaussianNLLLoss") <= 0:
            raise ValueError(f"For 'GaussianNLLLoss', the 'eps' should be positive, but got {eps}")
        self.full = full
        self.eps = eps

    @in_single(3)
    def construct(self, logits: Any, labels: Any, var: Any) -> Any:
        """The negative log likelihood, reduced."""
        if var.ndim == logits.ndim - 1:
            var = ops.expand_dims(var, -1)
        var = var + ops.stop_gradient(ops.maximum(var, self.eps) - var)
        loss = 0.5 * (ops.log(var) + ops.square(logits - labels) / var)
        if self.full:
            loss = loss + 0.5 * math.log(2 * math.pi)
        return reduced(loss, self.reduction)


class PoissonNLLLoss(LossBase):
    """The negative log likelihood of counts under Poisson distributions.

    Args:
        log_input: whether the input is the logarithm of the rate.
        full: whether to add Stirling's approximation of log(target!).
        eps: added to the rate before its logarithm is taken.
        reduction: 'mean', 'sum' or 'none'.
    """

    def __init__(self, log_input: bool = True, full: bool = False, eps: float = 1e-08, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    @in_single(3)
    def construct(self, input: Any, target: Any) -> Any:
        """The negative log likelihood, reduced."""
        if self.log_input:
            loss = ops.exp(input) - target * input
        else:
            loss = input - target * ops.log(input + self.eps)
        if self.full:
            large = target > 1
            safe = ops.where(large, target, ops.ones_like(target))
            stirling = safe * ops.log(safe) - safe + 0.5 * ops.log(2 * math.pi * safe)
            loss = loss + ops.where(large, stirling, ops.zeros_like(stirling))
        return reduced(loss, self.reduction)


class FocalLoss(LossBase):
    """The cross entropy of classes, less for those that are recognised well.

    Args:
        weight: a weight for each class.
        gamma: how much less.
        reduction: 'mean', 'sum' or 'none'.

    Inputs:
        logits: [N, C], [N, C, H] or [N, C, H, W].
        labels: of as many dimensions: int class indices with C = 1, or one-hot.
    """

    def __init__(self, weight: Any = None, gamma: float = 2.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        check_number(gamma, "gamma", "FocalLoss")
        if weight is not None and not isinstance(weight, Tensor):
            raise TypeError(f"For 'FocalLoss', the 'weight' should be a Tensor, but got {type(weight).__name__}")
        self.gamma = float(gamma)
        self.weight = weight

    @in_single(2)
    def construct(self, logits: Any, labels: Any) -> Any:
        """The focal loss of each position, reduced."""
        if logits.ndim != labels.ndim:
            raise ValueError(
                f"FocalLoss: logits and labels should have as many dimensions, but have {logits.ndim} and {labels.ndim}"
            )
        if not 2 <= logits.ndim <= 4:
            raise ValueError(f"FocalLoss takes logits of 2 to 4 dimensions, but the shape is {logits.shape}")
        n, classes = logits.shape[:2]
        scores = ops.reshape(logits, (n, classes, -1)) if logits.ndim > 2 else ops.expand_dims(logits, 2)
        wanted = ops.reshape(labels, (n, labels.shape[1], -1)) if labels.ndim > 2 else ops.expand_dims(labels, 2)
        log_probability = ops.log_softmax(scores, 1)
        if wanted.shape[1] == 1:
            target = ops.one_hot(ops.cast(ops.squeeze(wanted, 1), dtypes.int32), classes, 1.0, 0.0, 1)
        else:
            target = wanted
        target = ops.cast(target, log_probability.dtype)
        chosen = ops.sum(log_probability * target, 1)
        if self.weight is not None:
            factor = ops.sum(target * ops.reshape(self.weight, (1, classes, 1)), 1)
            weighted = chosen * factor
        else:
            weighted = chosen
        share = ops.pow(1.0 - ops.exp(chosen), self.gamma)
        loss = ops.mean(-share * weighted, 1)
        return reduced(ops.expand_dims(loss, 1) if self.reduction == "none" else loss, self.reduction)


class TripletMarginLoss(LossBase):
    """How much nearer an anchor is to a positive than to a negative, up to a margin.

    Args:
        p: of the norm.
        swap: whether the distance of positive and negative counts if it is smaller.
        eps: added to differences.
        reduction: 'mean', 'sum' or 'none'.
        margin: the margin; an input `margin` takes its place.
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
    def construct(self, x: Any, positive: Any, negative: Any, margin: Any = None) -> Any:
        """The loss of each triplet, reduced."""
        margin = self.margin if margin is None else margin
        far = self._distance(x, negative)
        if self.swap:
            far = ops.minimum(far, self._distance(positive, negative))
        return reduced(ops.relu(self._distance(x, positive) - far + margin), self.reduction)


class TripletMarginWithDistanceLoss(LossBase):
    """As TripletMarginLoss, with any distance.

    Args:
        distance_function: of two tensors; None: the Euclidean distance over the last axis.
        swap: whether the distance of positive and negative counts if it is smaller.
        reduction: 'mean', 'sum' or 'none'.
        margin: the margin.
    """

    def __init__(
        self, distance_function: Any = None, swap: bool = False, reduction: str = "mean", margin: float = 1.0
    ) -> None:
        super().__init__(reduction)
        if check_number(margin, "margin", "TripletMarginWithDistanceLoss") <= 0:
            raise ValueError(f"For 'TripletMarginWithDistanceLoss', the 'margin' should be positive, but got {margin}")
        self.distance_function = distance_function if distance_function is not None else _euclidean
        self.swap = swap
        self.margin = margin

    @in_single(4)
    def construct(self, x: Any, positive: Any, negative: Any) -> Any:
        """The loss of each triplet, reduced."""
        near, far = self.distance_function(x, positive), self.distance_function(x, negative)
        if self.swap:
            far = ops.minimum(far, self.distance_function(positive, negative))
        return reduced(ops.relu(near - far + self.margin), self.reduction)


def _euclidean(x: Any, y: Any) -> Any:
    return ops.sqrt(ops.sum(ops.square(x - y), -1))


class DiceLoss(LossBase):
    """1 - 2·|A·B| / (|A|² + |B|²), for a segmentation.

    Args:
        smooth: added against division by zero.

    Inputs:
        logits, label: of one shape.
    """

    def __init__(self, smooth: float = 1e-5) -> None:
        super().__init__()
        if check_number(smooth, "smooth", "DiceLoss") <= 0:
            raise ValueError(f"For 'DiceLoss', the 'smooth' should be positive, but got {smooth}")
        self.smooth = smooth

    @in_single(3)
    def construct(self, logits: Any, label: Any) -> Any:
        """The dice loss."""
        check_same_shape(logits, label, "logits and label", "DiceLoss")
        common = ops.sum(logits * label)
        squares = ops.sum(ops.square(logits)) + ops.sum(ops.square(label))
        return 1.0 - 2.0 * common / (squares + self.smooth)


class MultiClassDiceLoss(LossBase):
    """The mean of the dice losses of classes.

    Args:
        weights: [classes, dims], multiplies the loss of each class.
        ignore_indiex: class that does not count.
        activation: applied to the logits before: None, a name or a Cell.
    """

    def __init__(self, weights: Any = None, ignore_indiex: int | None = None, activation: Any = "softmax") -> None:
        super().__init__()
        self.weights = weights
        self.ignore_index = ignore_indiex
        self.activation: Any = get_activation(activation) if isinstance(activation, str) else activation
        self.dice = DiceLoss()

    @in_single(3)
    def construct(self, logits: Any, label: Any) -> Any:
        """The mean dice loss."""
        check_same_shape(logits, label, "logits and label", "MultiClassDiceLoss")
        if self.activation is not None:
            logits = self.activation(logits)
        total: Any = 0.0
        for channel in range(label.shape[1]):
            if channel == self.ignore_index:
                continue
            loss = self.dice(logits[:, channel], label[:, channel])
            total = total + (loss if self.weights is None else loss * self.weights[channel])
        return total / label.shape[1]


class CTCLoss(LossBase):
    """Connectionist temporal classification: the likelihood of label sequences, whatever their alignment.

    Args:
        blank: index of the blank class.
        reduction: 'mean', 'sum' or 'none'.
        zero_infinity: whether infinite losses count as zero.

    Inputs:
        log_probs: [T, N, C] or [T, C].
        targets: [N, S] or all sequences joined.
        input_lengths, target_lengths: [N].
    """

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def construct(self, log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any) -> Any:
        """The loss of each sequence, reduced."""
        loss, _ = ops.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )
        return loss


class SampledSoftmaxLoss(LossBase):
    """The cross entropy over the target class and some classes drawn at random, for very many classes.

    Args:
        num_sampled: how many classes to draw.
        num_classes: how many there are.
        num_true: target classes of each row.
        sampled_values: (classes, expected counts of targets, expected counts of the classes), in place of a draw.
        remove_accidental_hits: whether drawn classes that are targets are left out.
        seed: of the draw.
        reduction: 'none', 'mean' or 'sum'.

    Inputs:
        weights: [C, D]. biases: [C]. labels: int [N, num_true]. logits: [N, D].
    """

    def __init__(
        self,
        num_sampled: int,
        num_classes: int,
        num_true: int = 1,
        sampled_values: Any = None,
        remove_accidental_hits: bool = True,
        seed: int = 0,
        reduction: str = "none",
    ) -> None:
        super().__init__(reduction)
        self.num_sampled = check_positive_int(num_sampled, "num_sampled", "SampledSoftmaxLoss")
        self.num_classes = check_positive_int(num_classes, "num_classes", "SampledSoftmaxLoss")
        self.num_true = check_positive_int(num_true, "num_true", "SampledSoftmaxLoss")
        if num_sampled > num_classes:
            raise ValueError(
                "For 'SampledSoftmaxLoss', the 'num_sampled' should be at most 'num_classes', but got "
                f"{num_sampled} and "
                f"{num_classes}"
            )
        if sampled_values is not None and len(sampled_values) != 3:
            raise ValueError(
                f"For 'SampledSoftmaxLoss', the 'sampled_values' should be 3 tensors, but got {len(sampled_values)}"
            )
        self.sampled_values = sampled_values
        self.remove_accidental_hits = remove_accidental_hits
        self.seed = seed

    def construct(self, weights: Any, biases: Any, labels: Any, logits: Any) -> Any:
        """The loss of each row, reduced."""
        if labels.ndim == 1:
            labels = ops.expand_dims(labels, 1)
        if self.sampled_values is not None:
            sampled, true_counts, sampled_counts = self.sampled_values
        else:
            sampled, true_counts, sampled_counts = self._draw(labels)
        rows = labels.shape[0]
        flat = ops.reshape(labels, (-1,))
        true_weights = ops.reshape(ops.gather(weights, flat, 0), (rows, self.num_true, -1))
        true_scores = ops.sum(true_weights * ops.expand_dims(logits, 1), -1)
        true_scores = true_scores + ops.reshape(ops.gather(biases, flat, 0), (rows, self.num_true))
        scores = ops.matmul(logits, ops.transpose(ops.gather(weights, sampled, 0), (1, 0)))
        scores = scores + ops.gather(biases, sampled, 0)
        if self.remove_accidental_hits:
            hits = ops.equal(ops.expand_dims(labels, 2), ops.reshape(sampled, (1, 1, -1)))
            scores = scores + ops.cast(ops.any(hits, 1), scores.dtype) * -1e37
        everything = ops.cat((true_scores - ops.log(true_counts), scores - ops.log(sampled_counts)), 1)
        log_probability = ops.log_softmax(everything, -1)[:, : self.num_true]
        return reduced(-ops.sum(log_probability, 1) / self.num_true, self.reduction)

    def _draw(self, labels: Any) -> tuple[Any, Any, Any]:
        """Distinct classes, more often low ones, and how often targets and they are expected."""
        size = self.num_classes
        ranks = ops.log(ops.cast(ops.arange(size) + 1, dtypes.float32))
        step = ops.log(ops.cast(ops.arange(size) + 2, dtypes.float32)) - ranks
        probability = step / math.log(size + 1)
        # The largest of log(p) + Gumbel noise are a draw without replacement.
        noise = -ops.log(-ops.log(ops.rand(size) * (1 - 2e-7) + 1e-7))
        _, sampled = ops.topk(ops.log(probability) + noise, self.num_sampled)
        expected = 1.0 - ops.pow(1.0 - probability, float(self.num_sampled))
        shape = (labels.shape[0], self.num_true)
        return (
            sampled,
            ops.reshape(ops.gather(expected, ops.reshape(labels, (-1,)), 0), shape),
            ops.gather(expected, sampled, 0),
        )
