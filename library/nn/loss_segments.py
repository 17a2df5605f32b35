"""Losses of segmentations, and of very many classes by sampling."""

from __future__ import annotations

import math
from typing import Any

from ...frontend.values.operands import in_single
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from .activation import get_activation
from .checks import check_positive, check_positive_int
from .held import primitives
from .loss import LossBase, check_same_shape, reduced

_TAKES_TENSORS = True

__all__ = ["DiceLoss", "MultiClassDiceLoss", "SampledSoftmaxLoss"]


class DiceLoss(LossBase):
    """1 - 2 · sum(A · B) / (sum(A²) + sum(B²) + smooth), for a segmentation A and its label B.

    Args:
        smooth: a positive number, against division by zero. Default: 1e-5.

    Inputs:
        logits: a float tensor of any shape, numbers in [0, 1].
        label: a float tensor of the same shape, 0 or 1.

    Outputs:
        A 0-d float tensor.

    Raises:
        TypeError: if smooth is no number, or an input is no Tensor.
        ValueError: if smooth is not positive, or for inputs of different shapes.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.DiceLoss()(Tensor([1.0, 0.0]), Tensor([1.0, 1.0])))
        0.33333558
    """

    _held = primitives("Reshape")

    def __init__(self, smooth: float = 1e-5) -> None:
        super().__init__()
        self.smooth = check_positive(smooth, "smooth", "DiceLoss")

    @in_single(3)
    def construct(self, logits: Any, label: Any) -> Tensor:
        """The dice loss."""
        check_same_shape(logits, label, "logits and label", "DiceLoss")
        common = ops.sum(logits * label)
        squares = ops.sum(ops.square(logits)) + ops.sum(ops.square(label))
        return 1.0 - 2.0 * common / (squares + self.smooth)


class MultiClassDiceLoss(LossBase):
    """The mean of the `DiceLoss` of each class.

    Args:
        weights: a float Tensor [C, ...], multiplies the loss of each class. Default: None.
        ignore_indiex: an int, a class that does not count. Default: None.
        activation: a name or a Cell, applied to the logits first; None: none. Default: 'softmax'.

    Inputs:
        logits: a float tensor of shape [N, C, ...].
        label: a float tensor of the same shape, 0 or 1.

    Outputs:
        A 0-d float tensor.

    Raises:
        TypeError: if an input is no Tensor.
        KeyError: if no activation has that name.
        ValueError: for inputs of different shapes.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.MultiClassDiceLoss(activation=None)(Tensor([[1.0, 0.0]]), Tensor([[1.0, 1.0]])))
        0.5000025
    """

    _held = primitives("Reshape")

    def __init__(self, weights: Any = None, ignore_indiex: int | None = None, activation: Any = "softmax") -> None:
        super().__init__()
        self.weights = weights
        self.ignore_index = ignore_indiex
        self.binarydiceloss = DiceLoss()
        self.activation: Any = get_activation(activation) if isinstance(activation, str) else activation

    @in_single(3)
    def construct(self, logits: Any, label: Any) -> Tensor:
        """The mean dice loss."""
        check_same_shape(logits, label, "logits and label", "MultiClassDiceLoss")
        if self.activation is not None:
            logits = self.activation(logits)
        total: Any = 0.0
        for channel in range(label.shape[1]):
            if channel == self.ignore_index:
                continue
            loss = self.binarydiceloss(logits[:, channel], label[:, channel])
            total = total + (loss if self.weights is None else loss * self.weights[channel])
        return total / label.shape[1]


class SampledSoftmaxLoss(LossBase):
    """The cross entropy over the target classes and some classes drawn at random, for very many classes.

    Args:
        num_sampled: a positive int, how many classes to draw.
        num_classes: a positive int, how many there are.
        num_true: a positive int, the target classes of each row. Default: 1.
        sampled_values: three Tensors in place of a draw: classes, expected counts of the targets, expected counts of
            the classes. Default: None.
        remove_accidental_hits: whether drawn classes that are targets are left out. Default: True.
        seed: an int, of the draw. Default: 0.
        reduction: 'none', 'mean' or 'sum'. Default: 'none'.

    Inputs:
        weights: a float tensor of shape [C, D].
        biases: a float tensor of shape [C].
        labels: an int tensor of shape [N, num_true] or [N].
        logits: a float tensor of shape [N, D].

    Outputs:
        A float tensor of shape [N] for 'none'; a 0-d one for 'mean' and 'sum'.

    Raises:
        TypeError: if a number is no int, or an input is no Tensor.
        ValueError: if a number is not positive, num_sampled is larger than num_classes, or sampled_values are not
            three.

    Examples:
        >>> import mycel as ms
        >>> loss = ms.nn.SampledSoftmaxLoss(num_sampled=2, num_classes=4)
        >>> weights, biases = ms.ops.ones((4, 3)), ms.ops.zeros(4)
        >>> print(loss(weights, biases, ms.Tensor([[1]]), ms.ops.ones((1, 3))).shape)
        (1,)
    """

    _held = primitives(
        "Reshape Shape Exp Log OnesLike ZerosLike ExpandDims DType",
        slice_op="Slice",
        gather_v2="Gather",
        matmul=lambda layer: ops.MatMul(transpose_b=True),
        reduce_max_true=lambda layer: ops.ReduceMax(True),
        reduce_sum_true=lambda layer: ops.ReduceSum(True),
        concat_dim0="Concat",
        concat_dim1=lambda layer: ops.Concat(1),
    )

    def __init__(
        self, num_sampled: int, num_classes: int, num_true: int = 1, sampled_values: Any = None,
        remove_accidental_hits: bool = True, seed: int = 0, reduction: str = "none",
    ) -> None:  # fmt: skip
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

    def construct(self, weights: Any, biases: Any, labels: Any, logits: Any) -> Tensor:
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
