"""Metrics of evaluation, computed with NumPy over the batches of a dataset, and the table of their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .metric import MAE, MSE, Loss, Metric, rearrange_inputs
from .metrics_classes import (
    F1,
    Accuracy,
    Fbeta,
    Precision,
    Recall,
    Top1CategoricalAccuracy,
    Top5CategoricalAccuracy,
    TopKCategoricalAccuracy,
)
from .metrics_more import ROC, BleuScore, ConfusionMatrix, CosineSimilarity, Dice, Perplexity, auc
from .metrics_rates import ConfusionMatrixMetric
from .metrics_surfaces import HausdorffDistance, MeanSurfaceDistance, OcclusionSensitivity, RootMeanSquareDistance

__all__ = [
    "F1", "MAE", "MSE", "ROC", "Accuracy", "BleuScore", "ConfusionMatrix", "ConfusionMatrixMetric",
    "CosineSimilarity", "Dice", "Fbeta", "HausdorffDistance", "Loss", "MeanSurfaceDistance", "Metric",
    "OcclusionSensitivity", "Perplexity", "Precision", "Recall", "RootMeanSquareDistance",
    "Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy", "auc", "get_metric_fn",
    "get_metrics", "names", "rearrange_inputs",
]  # fmt: skip

_METRICS: dict[str, Callable[..., Any]] = {
    "F1": F1,
    "acc": Accuracy,
    "accuracy": Accuracy,
    "auc": auc,
    "bleu_score": BleuScore,
    "confusion_matrix": ConfusionMatrix,
    "confusion_matrix_metric": ConfusionMatrixMetric,
    "cosine_similarity": CosineSimilarity,
    "dice": Dice,
    "hausdorff_distance": HausdorffDistance,
    "loss": Loss,
    "mae": MAE,
    "mean_surface_distance": MeanSurfaceDistance,
    "mse": MSE,
    "occlusion_sensitivity": OcclusionSensitivity,
    "perplexity": Perplexity,
    "precision": Precision,
    "recall": Recall,
    "roc": ROC,
    "root_mean_square_distance": RootMeanSquareDistance,
    "top_1_accuracy": Top1CategoricalAccuracy,
    "top_5_accuracy": Top5CategoricalAccuracy,
    "topk": TopKCategoricalAccuracy,
}


def names() -> list[str]:
    """The names of all metrics that `get_metric_fn` knows.

    Returns:
        A list of strings.

    Raises:
        TypeError: if an argument is given.

    Examples:
        >>> from mycel import nn
        >>> "accuracy" in nn.names()
        True
    """
    return sorted(_METRICS)


def get_metric_fn(name: str, *args: Any, **kwargs: Any) -> Any:
    """Make a metric by its name.

    Args:
        name: a string such as 'accuracy' or 'loss'.
        args: for the metric's class.
        kwargs: for the metric's class.

    Returns:
        The metric.

    Raises:
        KeyError: if no metric has this name.

    Examples:
        >>> from mycel import nn
        >>> type(nn.get_metric_fn("mse")).__name__
        'MSE'
    """
    if name not in _METRICS:
        raise KeyError(f"there is no metric named {name!r}; the names are {', '.join(names())}")
    return _METRICS[name](*args, **kwargs)


def get_metrics(metrics: Any) -> dict[str, Metric]:
    """Metrics as a dict: a dict itself; for a set or list of names new metrics.

    Args:
        metrics: a dict of names to metrics, a set or list of names, or None.

    Returns:
        A dict of names to metrics; None for None.

    Raises:
        TypeError: for anything else, or a value that is no metric.
        KeyError: if no metric has a name.

    Examples:
        >>> from mycel import nn
        >>> list(nn.get_metrics(["mse"]))
        ['mse']
    """
    if isinstance(metrics, dict):
        for name, metric in metrics.items():
            if not isinstance(name, str) or not isinstance(metric, Metric):
                raise TypeError(f"'metrics' should be of names and Metrics, but '{name}' is a {type(metric).__name__}")
        return metrics
    if isinstance(metrics, Iterable) and not isinstance(metrics, str):
        return {name: get_metric_fn(name) for name in metrics}
    raise TypeError(f"'metrics' should be a dict, or a set of names, but got {type(metrics).__name__}")
