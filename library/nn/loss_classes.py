"""Losses of class scores."""

from __future__ import annotations

from typing import Any

from ...frontend.api.checks import check_value_type
from ...frontend.values.operands import in_single
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from .activation_smooth import LogSoftmax
from .checks import check_number, need_type
from .held import primitives
from .loss import LossBase, check_same_shape, reduced

_TAKES_TENSORS = True

__all__ = [
    "BCELoss", "BCEWithLogitsLoss", "CTCLoss", "CrossEntropyLoss", "FocalLoss", "NLLLoss",
    "SoftmaxCrossEntropyWithLogits",
]  # fmt: skip


class SoftmaxCrossEntropyWithLogits(LossBase):
    """The cross entropy between labels and the softmax of scores: -sum over c of labels[c] · log(softmax(logits)[c]).

    Args:
        sparse: whether labels are class indices in place of probabilities. Default: False.
        reduction: 'none', 'mean' or 'sum'. Default: 'none'.

    Inputs:
        logits: a float tensor of shape [N, C].
        labels: an int tensor of shape [N] with `sparse`, else a tensor of the shape and dtype of the logits.

    Outputs:
        A float tensor of shape [N] for 'none'; a 0-d one for 'mean' and 'sum'.

    Raises:
        TypeError: if sparse is no bool, an input is no Tensor, or class indices are no ints.
        ValueError: for another reduction or other shapes.

    Examples:
        >>> import mycel as ms
        >>> loss = ms.nn.SoftmaxCrossEntropyWithLogits(sparse=True)
        >>> print(loss(ms.Tensor([[0.0, 0.0]]), ms.Tensor([1], ms.int32)).shape)
        (1,)
    """

    _held = primitives(
        "OneHot",
        softmax_cross_entropy="SoftmaxCrossEntropyWithLogits",
        sparse_softmax_cross_entropy="SparseSoftmaxCrossEntropyWithLogits",
        on_value=lambda layer: Tensor(1.0, dtypes.float32),
        off_value=lambda layer: Tensor(0.0, dtypes.float32),
        is_cpugpu=lambda layer: True,
    )

    def __init__(self, sparse: bool = False, reduction: str = "none") -> None:
        super().__init__(reduction)
        self.sparse = need_type(sparse, bool, "For 'SoftmaxCrossEntropyWithLogits', the 'sparse' should be a bool")

    def construct(self, logits: Any, labels: Any) -> Tensor:
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
    """The cross entropy between targets and the softmax of scores: -weight[y] · log(softmax(logits)[y]) for the class
    y.

    Args:
        weight: a float Tensor [C], the weight of each class. Default: None, for 1.
        ignore_index: an int, the class index that does not count. Default: -100.
        reduction: 'mean' (weighted), 'sum' or 'none'. Default: 'mean'.
        label_smoothing: a number in [0, 1], the share of the target that is spread over all classes. Default: 0.0.

    Inputs:
        logits: a float tensor of shape [C], [N, C] or [N, C, d1, ...].
        labels: an int32 tensor of class indices of shape [], [N] or [N, d1, ...], or probabilities: a tensor of the
            shape and dtype of the logits.

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; for 'none' one of the shape of the class indices.

    Raises:
        TypeError: if an argument has the wrong type, or an input is no Tensor.
        ValueError: if label_smoothing is outside [0, 1], for another reduction or other shapes.

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
        need_type(weight, Tensor | None, "For 'CrossEntropyLoss', the 'weight' should be a Tensor")
        if not 0.0 <= label_smoothing <= 1.0:
            raise ValueError(
                f"For 'CrossEntropyLoss', the 'label_smoothing' should be in [0, 1], but got {label_smoothing}"
            )
        self.weight = weight
        self.ignore_index = check_value_type("ignore_index", ignore_index, (int,), "CrossEntropyLoss")
        self.label_smoothing = label_smoothing

    def construct(self, logits: Any, labels: Any) -> Tensor:
        """The cross entropy, reduced."""
        return ops.cross_entropy(logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing)


class NLLLoss(LossBase):
    """The negative log likelihood of classes, given log probabilities: -weight[y] · logits[y] for the class y.

    Args:
        weight: a float Tensor [C], the weight of each class. Default: None, for 1.
        ignore_index: an int, the class index that does not count. Default: -100.
        reduction: 'mean' (weighted), 'sum' or 'none'. Default: 'mean'.

    Inputs:
        logits: a float tensor of shape [C], [N, C] or [N, C, d1, ...], the log probabilities.
        labels: an int32 tensor of class indices of shape [], [N] or [N, d1, ...].

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; for 'none' one of the shape of the labels.

    Raises:
        TypeError: if an argument has the wrong type, or an input is no Tensor.
        ValueError: for another reduction or other shapes.

    Examples:
        >>> import mycel as ms
        >>> print(ms.nn.NLLLoss()(ms.Tensor([[-0.5, -1.0]]), ms.Tensor([1], ms.int32)))
        1.0
    """

    def __init__(self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = need_type(weight, Tensor | None, "For 'NLLLoss', the 'weight' should be a Tensor or None")
        self.ignore_index = ignore_index

    def construct(self, logits: Any, labels: Any) -> Tensor:
        """The negative log likelihood, reduced."""
        return ops.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class BCELoss(LossBase):
    """The binary cross entropy of probabilities: -(labels · log(logits) + (1 - labels) · log(1 - logits)).

    Args:
        weight: a Tensor that multiplies the loss of each element; its shape broadcasts with the input. Default: None.
        reduction: 'mean', 'sum' or 'none'. Default: 'mean'.

    Inputs:
        logits: a float tensor of any shape, probabilities in [0, 1].
        labels: a float tensor of the same shape, numbers in [0, 1].

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; a float tensor of the shape of the logits for 'none'.

    Raises:
        TypeError: if an argument has the wrong type, or an input is no Tensor.
        ValueError: for another reduction, or inputs of different shapes.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.BCELoss()(Tensor([0.5, 0.5]), Tensor([1.0, 0.0])))
        0.6931472
    """

    def __init__(self, weight: Any = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.weight = weight

    def construct(self, logits: Any, labels: Any) -> Tensor:
        """The binary cross entropy, reduced."""
        return ops.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """The binary cross entropy of logits: `BCELoss` of sigmoid(input), without loss of precision.

    Args:
        reduction: 'mean', 'sum' or 'none'. Default: 'mean'.
        weight: a Tensor that multiplies the loss of each element; its shape broadcasts with the input. Default: None.
        pos_weight: a Tensor that multiplies the part of the positive label. Default: None.

    Inputs:
        input: a float tensor of any shape, the scores.
        target: a float tensor of the same shape, numbers in [0, 1].

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; a float tensor of the shape of the input for 'none'.

    Raises:
        TypeError: if an argument has the wrong type, or an input is no Tensor.
        ValueError: for another reduction, or shapes that do not broadcast.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.BCEWithLogitsLoss()(Tensor([0.0, 0.0]), Tensor([1.0, 0.0])))
        0.6931472
    """

    def __init__(self, reduction: str = "mean", weight: Any = None, pos_weight: Any = None) -> None:
        super().__init__(reduction)
        self.weight = weight
        self.pos_weight = pos_weight

    def construct(self, input: Any, target: Any) -> Tensor:
        """The binary cross entropy, reduced."""
        return ops.binary_cross_entropy_with_logits(
            input, target, weight=self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


class FocalLoss(LossBase):
    """The cross entropy of classes, smaller for those that are recognised well: -(1 - p)^gamma · log(p), p =
    softmax(logits)[y].

    Args:
        weight: a float Tensor [C], the weight of each class. Default: None, for 1.
        gamma: a number: the larger, the less well recognised classes count. Default: 2.0.
        reduction: 'mean', 'sum' or 'none'. Default: 'mean'.

    Inputs:
        logits: a float tensor of shape [N, C], [N, C, H] or [N, C, H, W].
        labels: an int tensor of class indices of shape [N, 1], [N, 1, H] or [N, 1, H, W], or a one-hot tensor of the
            shape of the logits.

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; for 'none' a float tensor of shape [N], or [N, C] of one-hot labels.

    Raises:
        TypeError: if gamma is no number, weight is no Tensor, or an input is none.
        ValueError: for another reduction or other shapes.

    Examples:
        >>> import mycel as ms
        >>> print(ms.nn.FocalLoss()(ms.Tensor([[0.0, 0.0]]), ms.Tensor([[1]], ms.int32)))
        0.1732868
    """

    _held = primitives("ExpandDims GatherD Tile DType", squeeze=lambda layer: ops.Squeeze(1))

    def __init__(self, weight: Any = None, gamma: float = 2.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        check_number(gamma, "gamma", "FocalLoss")
        need_type(weight, Tensor | None, "For 'FocalLoss', the 'weight' should be a Tensor")
        self.gamma = float(gamma)
        self.weight = weight
        self.logsoftmax = LogSoftmax(1)

    @in_single(2)
    def construct(self, logits: Any, labels: Any) -> Tensor:
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
        log_probability = self.logsoftmax(scores)
        one_class = wanted.shape[1] == 1
        if one_class:
            target = ops.one_hot(ops.cast(ops.squeeze(wanted, 1), dtypes.int32), classes, 1.0, 0.0, 1)
        else:
            target = wanted
        target = ops.cast(target, log_probability.dtype)
        weighted = log_probability * target
        if self.weight is not None:
            weighted = weighted * ops.reshape(self.weight, (1, classes, 1))
        loss = -ops.pow(1.0 - ops.exp(log_probability), self.gamma) * weighted
        # An index names one class for each position; probabilities weigh all, and each class has its own loss.
        loss = ops.mean(ops.sum(loss, 1) if one_class else loss, -1)
        return reduced(loss, self.reduction)


class CTCLoss(LossBase):
    """Connectionist temporal classification: the negative log likelihood of label sequences, whatever their alignment.

    Args:
        blank: an int, the index of the blank class. Default: 0.
        reduction: 'mean' (each loss divided by its target's length), 'sum' or 'none'. Default: 'mean'.
        zero_infinity: whether infinite losses count as zero. Default: False.

    Inputs:
        log_probs: a float tensor of shape [T, N, C] or [T, C], the log probabilities of each step.
        targets: an int tensor of shape [N, S], or [sum of the target lengths].
        input_lengths: a tuple of ints or an int tensor of shape [N], how many steps each sequence has.
        target_lengths: the same for the targets.

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; a float tensor of shape [N] for 'none'.

    Raises:
        TypeError: if an argument has the wrong type, or log_probs is no float Tensor.
        ValueError: if blank is out of range, for another reduction or other shapes.

    Examples:
        >>> import mycel as ms
        >>> steps = ms.ops.log_softmax(ms.ops.zeros((2, 1, 2)), -1)
        >>> loss = ms.nn.CTCLoss()
        >>> print(loss(steps, ms.Tensor([[1]], ms.int32), ms.Tensor([2], ms.int32), ms.Tensor([1], ms.int32)))
        0.2876821
    """

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def construct(self, log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any) -> Tensor:
        """The loss of each sequence, reduced."""
        loss, _ = ops.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )
        return loss
