"""Losses of elements: differences, and negative log likelihoods of numbers."""

from __future__ import annotations

import math
from typing import Any

from ...frontend.values.operands import in_single
from ...frontend.values.tensor import Tensor
from .. import ops
from .checks import check_bool, check_choice, check_not_negative, check_positive
from .held import primitives
from .loss import LossBase, reduced
from .sections import PAIR, REDUCTION, sections

_TAKES_TENSORS = True

__all__ = [
    "GaussianNLLLoss", "HuberLoss", "KLDivLoss", "L1Loss", "MAELoss", "MSELoss", "PoissonNLLLoss", "RMSELoss",
    "SmoothL1Loss", "SoftMarginLoss",
]  # fmt: skip


@sections(**REDUCTION, **PAIR)
class L1Loss(LossBase):
    """The absolute difference: |logits - labels| of each element, then its mean or sum.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.L1Loss()(Tensor([1.0, 2.0]), Tensor([0.0, 4.0])))
        1.5
    """

    def construct(self, logits: Any, labels: Any) -> Tensor:
        """|logits - labels|, reduced."""
        return ops.l1_loss(logits, labels, self.reduction)


@sections(**REDUCTION, **PAIR)
class MSELoss(LossBase):
    """The squared difference: (logits - labels)² of each element, then its mean or sum.

    Examples:
        >>> import mycel as ms
        >>> print(ms.nn.MSELoss()(ms.Tensor([1.0, 2.0]), ms.Tensor([0.0, 4.0])))
        2.5
    """

    def construct(self, logits: Any, labels: Any) -> Tensor:
        """(logits - labels)², reduced."""
        return ops.mse_loss(logits, labels, self.reduction)


class RMSELoss(LossBase):
    """The root of the mean squared difference: sqrt(mean((logits - label)²)).

    Inputs:
        logits: a float tensor of any shape.
        label: a tensor of numbers of the same shape, or of one that broadcasts with it.

    Outputs:
        A 0-d float tensor.

    Raises:
        TypeError: if an input is no Tensor.
        ValueError: for shapes that do not broadcast.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.RMSELoss()(Tensor([1.0, 2.0]), Tensor([0.0, 1.0])))
        1.0
    """

    _held = primitives("DType")

    def __init__(self) -> None:
        super().__init__()
        self.MSELoss = MSELoss()

    @in_single(3)
    def construct(self, logits: Any, label: Any) -> Tensor:
        """sqrt(mean((logits - label)²))."""
        return ops.sqrt(self.MSELoss(logits, label))


@sections(**REDUCTION, Outputs=PAIR["Outputs"], Raises=PAIR["Raises"])
class MAELoss(LossBase):
    """The absolute difference: |logits - label| of each element, then its mean or sum.

    Inputs:
        logits: a float tensor of any shape.
        label: a tensor of numbers of the same shape, or of one that broadcasts with it.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.MAELoss()(Tensor([1.0, 2.0]), Tensor([0.0, 4.0])))
        1.5
    """

    _held = primitives("Abs")

    def construct(self, logits: Any, label: Any) -> Tensor:
        """|logits - label|, reduced."""
        return self.get_loss(ops.abs(logits - label))


class SmoothL1Loss(LossBase):
    """With d = |logits - labels|: d² / (2 · beta) where d < beta, d - beta / 2 elsewhere.

    Args:
        beta: a number that is not negative, where squares become absolute values. Default: 1.0.
        reduction: 'none', 'mean' or 'sum'. Default: 'none'.

    Inputs:
        logits: a float tensor of any shape.
        labels: a float tensor of the same shape.

    Outputs:
        A float tensor of the shape of the logits for 'none'; a 0-d one for 'mean' and 'sum'.

    Raises:
        TypeError: if beta is no number, or an input is no float Tensor.
        ValueError: if beta is negative, for another reduction, or for inputs of different shapes.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.SmoothL1Loss()(Tensor([1.0, 2.0]), Tensor([0.5, 4.0])))
        [0.125 1.5  ]
    """

    _held = primitives(smooth_l1_loss=lambda layer: ops.SmoothL1Loss(layer.beta, layer.reduction))

    def __init__(self, beta: float = 1.0, reduction: str = "none") -> None:
        super().__init__(reduction)
        self.beta = check_not_negative(beta, "beta", "SmoothL1Loss")

    def construct(self, logits: Any, labels: Any) -> Tensor:
        """The smooth absolute difference, reduced."""
        return ops.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(LossBase):
    """With d = |logits - labels|: d² / 2 where d <= delta, delta · (d - delta / 2) elsewhere.

    Args:
        reduction: 'mean', 'sum' or 'none'. Default: 'mean'.
        delta: a positive number, where squares become absolute values. Default: 1.0.

    Inputs:
        logits: a float tensor of any shape.
        labels: a float tensor of the same shape, or of one that broadcasts with it.

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; for 'none' a float tensor of the shape of both inputs broadcast.

    Raises:
        TypeError: if delta is no number, or an input is no Tensor.
        ValueError: if delta is not positive, or for another reduction.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.HuberLoss()(Tensor([1.0, 2.0]), Tensor([0.5, 4.0])))
        0.8125
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction)
        self.delta = check_positive(delta, "delta", "HuberLoss")

    def construct(self, logits: Any, labels: Any) -> Tensor:
        """The Huber loss, reduced."""
        return ops.huber_loss(logits, labels, self.reduction, self.delta)


@sections(**REDUCTION)
class SoftMarginLoss(LossBase):
    """log(1 + exp(-labels · logits)) of each element, for labels of 1 and -1.

    Inputs:
        logits: a float tensor of any shape, the scores.
        labels: a float tensor of the same shape, 1 or -1.

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; a float tensor of the shape of the logits for 'none'.

    Raises:
        TypeError: if an input is no Tensor.
        ValueError: for another reduction, or inputs of different shapes.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.SoftMarginLoss()(Tensor([0.0, 0.0]), Tensor([1.0, -1.0])))
        0.6931472
    """

    def construct(self, logits: Any, labels: Any) -> Tensor:
        """The soft margin loss, reduced."""
        return ops.soft_margin_loss(logits, labels, self.reduction)


class KLDivLoss(LossBase):
    """The Kullback-Leibler divergence of log probabilities from probabilities: labels · (log(labels) - logits).

    Args:
        reduction: 'mean', 'sum', 'batchmean' (the sum divided by N) or 'none'. Default: 'mean'.

    Inputs:
        logits: a float tensor of any shape [N, ...], log probabilities.
        labels: a float tensor of the same shape, probabilities.

    Outputs:
        A 0-d float tensor, or one of the shape of the logits for 'none'.

    Raises:
        TypeError: if an input is no Tensor.
        ValueError: for another reduction, or inputs of different shapes.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.KLDivLoss("sum")(Tensor([-0.6931472, -0.6931472]), Tensor([1.0, 0.0])))
        0.6931472
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = check_choice(reduction, ("mean", "sum", "none", "batchmean"), "reduction", "KLDivLoss")

    def construct(self, logits: Any, labels: Any) -> Tensor:
        """The divergence, reduced."""
        return ops.kl_div(logits, labels, self.reduction)


class GaussianNLLLoss(LossBase):
    """The negative log likelihood of targets under normal distributions: (log(var) + (logits - labels)² / var) / 2.

    Args:
        full: whether the constant log(2π) / 2 is added. Default: False.
        eps: a positive number, the least variance. Default: 1e-6.
        reduction: 'mean', 'sum' or 'none'. Default: 'mean'.

    Inputs:
        logits: a float tensor of any shape, the means.
        labels: a float tensor of the same shape, the targets.
        var: a float tensor, the variances: of the same shape, or with a last axis of 1, or without the last axis.

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; a float tensor of the shape of the logits for 'none'.

    Raises:
        TypeError: if an argument has the wrong type, or an input is no Tensor.
        ValueError: if eps is not positive, for another reduction, or for shapes that do not broadcast.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.GaussianNLLLoss()(Tensor([1.0, 2.0]), Tensor([0.0, 4.0]), Tensor([1.0, 1.0])))
        1.25
    """

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.full = check_bool(full, "full", "GaussianNLLLoss")
        self.eps = check_positive(eps, "eps", "GaussianNLLLoss")

    def construct(self, logits: Any, labels: Any, var: Any) -> Tensor:
        """The negative log likelihood, reduced."""
        return ops.gaussian_nll_loss(logits, labels, var, self.full, self.eps, self.reduction)


class PoissonNLLLoss(LossBase):
    """The negative log likelihood of counts under Poisson distributions: exp(input) - target · input.

    Args:
        log_input: whether the input is the logarithm of the rate; otherwise it is the rate. Default: True.
        full: whether Stirling's approximation of log(target!) is added. Default: False.
        eps: a number, added to the rate before its logarithm is taken. Default: 1e-8.
        reduction: 'mean', 'sum' or 'none'. Default: 'mean'.

    Inputs:
        input: a float tensor of any shape.
        target: a float tensor of the same shape, the counts.

    Outputs:
        A 0-d float tensor for 'mean' and 'sum'; a float tensor of the shape of the input for 'none'.

    Raises:
        TypeError: if an input is no Tensor.
        ValueError: for another reduction, or shapes that do not broadcast.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.PoissonNLLLoss()(Tensor([0.0, 0.0]), Tensor([1.0, 2.0])))
        1.0
    """

    _held = primitives("Maximum")

    def __init__(self, log_input: bool = True, full: bool = False, eps: float = 1e-08, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    @in_single(3)
    def construct(self, input: Any, target: Any) -> Tensor:
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
