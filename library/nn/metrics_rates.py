"""Rates that a table of right and wrong decisions gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .checks import check_bool, check_choice
from .metric import Metric, rearrange_inputs

Array = Any
_RATES: dict[str, tuple[str, Callable[[Array, Array, Array, Array], Array]]] = {
    "tpr": ("sensitivity recall hit_rate true_positive_rate", lambda tp, fp, tn, fn: tp / (tp + fn)),
    "tnr": ("specificity selectivity true_negative_rate", lambda tp, fp, tn, fn: tn / (fp + tn)),
    "ppv": ("precision positive_predictive_value", lambda tp, fp, tn, fn: tp / (tp + fp)),
    "npv": ("negative_predictive_value", lambda tp, fp, tn, fn: tn / (tn + fn)),
    "fnr": ("miss_rate false_negative_rate", lambda tp, fp, tn, fn: fn / (tp + fn)),
    "fpr": ("fall_out false_positive_rate", lambda tp, fp, tn, fn: fp / (fp + tn)),
    "fdr": ("false_discovery_rate", lambda tp, fp, tn, fn: fp / (tp + fp)),
    "for": ("false_omission_rate", lambda tp, fp, tn, fn: fn / (tn + fn)),
    "pt": ("prevalence_threshold", lambda tp, fp, tn, fn: _threshold(tp / (tp + fn), tn / (fp + tn))),
    "ts": ("threat_score critical_success_index csi", lambda tp, fp, tn, fn: tp / (tp + fn + fp)),
    "acc": ("accuracy", lambda tp, fp, tn, fn: (tp + tn) / (tp + fp + tn + fn)),
    "ba": ("balanced_accuracy", lambda tp, fp, tn, fn: (tp / (tp + fn) + tn / (fp + tn)) / 2),
    "f1": ("f1_score", lambda tp, fp, tn, fn: 2 * tp / (2 * tp + fn + fp)),
    "mcc": (
        "matthews_correlation_coefficient",
        lambda tp, fp, tn, fn: (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
    ),
    "fm": ("fowlkes_mallows_index", lambda tp, fp, tn, fn: np.sqrt(tp / (tp + fp) * tp / (tp + fn))),
    "bm": ("informedness bookmaker_informedness", lambda tp, fp, tn, fn: tp / (tp + fn) + tn / (fp + tn) - 1),
    "mk": ("markedness deltap", lambda tp, fp, tn, fn: tp / (tp + fp) + tn / (tn + fn) - 1),
}
_NAMES = {alias: name for name, (aliases, _) in _RATES.items() for alias in (name, *aliases.split())}
_DECREASES = ("none", "mean", "sum", "mean_batch", "sum_batch", "mean_channel", "sum_channel")


def _threshold(tpr: Array, tnr: Array) -> Array:
    return (np.sqrt(tpr * (1 - tnr)) + tnr - 1) / (tpr + tnr - 1)


def _mean(values: Array, known: Array, axis: int) -> tuple[Array, Array]:
    """The mean of the known values, and their number."""
    count = known.sum(axis=axis)
    return np.where(count > 0, values.sum(axis=axis) / np.maximum(count, 1), 0.0), count


class ConfusionMatrixMetric(Metric):
    """A rate of right or wrong decisions, such as the sensitivity, from the counts of true and false positives and
    negatives.

    Args:
        skip_channel: whether the first class counts; False leaves it out. Default: True.
        metric_name: the rate, under one of its names, such as 'sensitivity', 'precision', 'f1_score'. Default:
            'sensitivity'.
        calculation_method: whether to compute it for each sample and class and then reduce; else of all counts.
            Default: False.
        decrease: how to reduce: 'none', 'mean', 'sum', 'mean_batch', 'sum_batch', 'mean_channel' or 'sum_channel'.
            Default: 'mean'.

    Inputs:
        inputs: predictions and labels, one-hot numbers 0 and 1 of shape [N, C] or [N, C, ...].

    Outputs:
        `eval` gives a float64 array of shape (1,) without `calculation_method`, else one of the shape that is left
        after the reduction.

    Raises:
        NotImplementedError: for another name.
        ValueError: for another way to reduce, or another number of inputs.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.ConfusionMatrixMetric(metric_name="precision")
        >>> metric.update(ms.Tensor([[0, 1], [1, 0]]), ms.Tensor([[0, 1], [0, 1]]))
        >>> metric.eval().tolist()
        [0.5]
    """

    def __init__(
        self, skip_channel: bool = True, metric_name: str = "sensitivity", calculation_method: bool = False,
        decrease: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__()
        self.skip_channel = check_bool(skip_channel, "skip_channel", "ConfusionMatrixMetric")
        self.calculation_method = check_bool(calculation_method, "calculation_method", "ConfusionMatrixMetric")
        self.decrease = check_choice(decrease, _DECREASES, "decrease", "ConfusionMatrixMetric")
        name = str(metric_name).replace(" ", "_").lower()
        if name not in _NAMES:
            raise NotImplementedError(f"ConfusionMatrixMetric has no metric {metric_name!r}, but {', '.join(_NAMES)}")
        self.metric_name = _NAMES[name]
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._counts = np.zeros(4)
        self._total: Array = 0.0
        self._known: Array = 0.0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take predictions and labels, zeros and ones of shape (N, C, …)."""
        guess, truth = self._need(inputs, 2)
        if guess.shape != truth.shape or guess.ndim < 2:
            raise ValueError(
                f"ConfusionMatrixMetric: one shape (N, C, …) is expected, not {guess.shape}, {truth.shape}"
            )
        if not np.isin(truth, (0, 1)).all():
            raise ValueError("ConfusionMatrixMetric: the labels should be zeros and ones")
        if not self.skip_channel and truth.shape[1] > 1:
            guess, truth = guess[:, 1:], truth[:, 1:]
        both = (guess + truth).reshape(*truth.shape[:2], -1)
        flat = truth.reshape(both.shape)
        right, nothing, positive = (both == 2).sum(-1), (both == 0).sum(-1), flat.sum(-1)
        counts = np.stack([right, flat.shape[-1] - positive - nothing, nothing, positive - right], -1).astype(float)
        if self.calculation_method:
            reduced, known = self._reduced(self._rate(counts))
            self._total = self._total + reduced * known
            self._known = self._known + known
        else:
            self._counts += counts.sum(axis=(0, 1))

    def _rate(self, counts: Array) -> Array:
        with np.errstate(all="ignore"):
            result = _RATES[self.metric_name][1](*np.moveaxis(counts, -1, 0))
        return np.where(np.isfinite(result), result, np.nan)

    def _reduced(self, rates: Array) -> tuple[Array, Array]:
        known = (~np.isnan(rates)).astype(float)
        values = np.nan_to_num(rates)
        if self.decrease == "none":
            return values, known
        if self.decrease == "sum":
            return values.sum(), known.sum()
        how, _, which = self.decrease.partition("_")
        if how == "sum":
            axis = 0 if which == "batch" else 1
            return values.sum(axis=axis), known.sum(axis=axis)
        if which:
            return _mean(values, known, 0 if which == "batch" else 1)
        values, count = _mean(values, known, 1)
        return _mean(values, (count > 0).astype(float), 0)

    def eval(self) -> Any:
        """The rate."""
        if not self.calculation_method:
            return self._rate(self._counts[None])
        if not np.any(self._known):
            raise RuntimeError("ConfusionMatrixMetric has no samples: call 'update' before 'eval'")
        return self._total / self._known
