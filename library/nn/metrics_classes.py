"""Metrics of classification: accuracy, precision, recall and their kin."""

from __future__ import annotations

from typing import Any

import numpy as np

from .checks import check_bool, check_positive, check_positive_int
from .metric import Metric, Ratio, rearrange_inputs
from .sections import DECISIONS, FOR_EACH_CLASS, SCORES, sections


class _Classification(Metric):
    """The base of classification metrics: it reads predictions and labels."""

    _class_num: int

    def __init__(self, eval_type: str = "classification") -> None:
        super().__init__()
        if eval_type not in ("classification", "multilabel"):
            raise TypeError(f"'eval_type' should be 'classification' or 'multilabel', but got {eval_type!r}")
        self._type = eval_type
        self.clear()

    def _read(self, inputs: tuple[Any, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Scores and labels, checked; labels of classification as indices."""
        name = type(self).__name__
        scores, labels = self._need(inputs, 2)
        if self._type == "classification" and scores.ndim == labels.ndim and _is_one_hot(labels):
            labels = labels.argmax(axis=1)
        classes = scores.shape[1] if scores.ndim > 1 else scores.shape[0]
        if self._class_num and classes != self._class_num:
            raise ValueError(f"{name}: the number of classes changed from {self._class_num} to {classes}")
        self._class_num = classes
        if self._type == "classification":
            if scores.ndim != labels.ndim + 1 or scores.shape[:1] + scores.shape[2:] != labels.shape:
                raise ValueError(
                    f"{name}: labels should have the shape of the predictions without axis 1, but the shapes are "
                    f"{labels.shape} and {scores.shape}"
                )
        elif scores.shape != labels.shape:
            raise ValueError(
                f"{name}: with 'multilabel' predictions and labels should have one shape, but have {scores.shape} and "
                f"{labels.shape}"
            )
        elif not np.isin(scores, (0, 1)).all() or not np.isin(labels, (0, 1)).all():
            raise ValueError(f"{name}: with 'multilabel' predictions and labels should be zeros and ones")
        return scores, labels


def _is_one_hot(labels: np.ndarray) -> bool:
    return labels.ndim > 1 and bool(np.all((labels == 0) | (labels == 1)) and np.all(labels.sum(axis=1) == 1))


@sections(**DECISIONS)
class Accuracy(_Classification):
    """The share of right predictions.

    Outputs:
        `eval` gives a float number in [0, 1].

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.Accuracy()
        >>> metric.update(ms.Tensor([[0.2, 0.8], [0.9, 0.1]]), ms.Tensor([1, 1]))
        >>> float(metric.eval())
        0.5
    """

    def clear(self) -> None:
        """Reset the metric."""
        self._correct_num = 0
        self._total_num = 0
        self._class_num = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take scores and labels."""
        scores, labels = self._read(inputs)
        if self._type == "classification":
            right = scores.argmax(axis=1) == labels
        else:
            columns = (
                np.swapaxes(scores, 1, -1).reshape(-1, self._class_num),
                np.swapaxes(labels, 1, -1).reshape(-1, self._class_num),
            )
            right = (columns[0] == columns[1]).all(axis=1)
        self._correct_num += int(right.sum())
        self._total_num += right.size

    def eval(self) -> float:
        """The share."""
        self._some(self._total_num)
        return self._correct_num / self._total_num


class _Hits(_Classification):
    """Counts of true positives against others, for each class (or sample, with 'multilabel')."""

    _counted = property(lambda metric: metric._others, doc="The others, which MindSpore names in each class.")

    def clear(self) -> None:
        """Reset the metric."""
        self._class_num = 0
        self._true_positives: np.ndarray = np.zeros(0)
        self._others: np.ndarray = np.zeros(0)

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take scores and labels."""
        scores, labels = self._read(inputs)
        if self._type == "classification":
            truth = np.eye(self._class_num)[labels.reshape(-1).astype(np.int64)]
            guess = np.eye(self._class_num)[scores.argmax(axis=1).reshape(-1)]
            axis = 0
        else:
            truth = np.swapaxes(labels, 1, -1).reshape(-1, self._class_num).astype(np.float64)
            guess = np.swapaxes(scores, 1, -1).reshape(-1, self._class_num).astype(np.float64)
            axis = 1
        hits, others = (truth * guess).sum(axis=axis), self._reference(truth, guess).sum(axis=axis)
        if self._type == "multilabel":
            self._true_positives = np.concatenate([self._true_positives, hits])
            self._others = np.concatenate([self._others, others])
        elif self._true_positives.size:
            self._true_positives, self._others = self._true_positives + hits, self._others + others
        else:
            self._true_positives, self._others = hits, others

    def _reference(self, truth: np.ndarray, guess: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def eval(self, average: bool = False) -> Any:
        """The share for each class, or their mean."""
        check_bool(average, "average", type(self).__name__)
        self._some(self._true_positives.size)
        result = self._true_positives / (self._others + 1e-20)
        return float(result.mean()) if average else result


@sections(**DECISIONS, **FOR_EACH_CLASS)
class Precision(_Hits):
    """Of the predictions of a class, the share that is right: TP / (TP + FP).

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.Precision()
        >>> metric.update(ms.Tensor([[0.2, 0.8], [0.1, 0.9]]), ms.Tensor([1, 0]))
        >>> metric.eval().tolist()
        [0.0, 0.5]
    """

    def _reference(self, truth: np.ndarray, guess: np.ndarray) -> np.ndarray:
        return guess

    _positives = _Hits._counted


@sections(**DECISIONS, **FOR_EACH_CLASS)
class Recall(_Hits):
    """Of the members of a class, the share that is found: TP / (TP + FN).

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.Recall()
        >>> metric.update(ms.Tensor([[0.2, 0.8], [0.1, 0.9]]), ms.Tensor([1, 0]))
        >>> metric.eval().tolist()
        [0.0, 1.0]
    """

    def _reference(self, truth: np.ndarray, guess: np.ndarray) -> np.ndarray:
        return truth

    _actual_positives = _Hits._counted


@sections(Inputs=SCORES["Inputs"])
class Fbeta(Metric):
    """The weighted harmonic mean of precision P and recall R for each class: (1 + β²) · P · R / (β² · P + R).

    Args:
        beta: a positive float, β: the weight of recall.

    Outputs:
        `eval` gives a float array of shape [C]; `eval(True)` its mean, a number.

    Raises:
        ValueError: if beta is not positive, for another number of inputs, or other shapes.
        RuntimeError: if `eval` is called before `update`.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.Fbeta(2.0)
        >>> metric.update(ms.Tensor([[0.2, 0.8], [0.9, 0.1]]), ms.Tensor([1, 0]))
        >>> metric.eval().tolist()
        [1.0, 1.0]
    """

    def __init__(self, beta: float) -> None:
        super().__init__()
        self._beta = check_positive(beta, "beta", "Fbeta")
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
        self._precision = Precision()
        self._recall = Recall()

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take scores and labels."""
        self._precision.update(*inputs)
        self._recall.update(*inputs)

    def eval(self, average: bool = False) -> Any:
        """The mean for each class, or their mean."""
        check_bool(average, "average", "Fbeta")
        hits, positive, guessed = self._precision._true_positives, self._recall._others, self._precision._others
        self._some(hits.size)
        square = self._beta**2
        result = (1 + square) * hits / (square * positive + guessed + 1e-20)
        return float(result.mean()) if average else result


@sections(**SCORES)
class F1(Fbeta):
    """The harmonic mean of precision P and recall R for each class: 2 · P · R / (P + R).

    Outputs:
        `eval` gives a float array of shape [C]; `eval(True)` its mean, a number.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.F1()
        >>> metric.update(ms.Tensor([[0.2, 0.8], [0.9, 0.1]]), ms.Tensor([1, 0]))
        >>> metric.eval().tolist()
        [1.0, 1.0]
    """

    def __init__(self) -> None:
        super().__init__(1.0)


@sections(Inputs=SCORES["Inputs"])
class TopKCategoricalAccuracy(Ratio):
    """The share of samples whose class is among the k with the best scores.

    Args:
        k: a positive int.

    Outputs:
        `eval` gives a float number in [0, 1].

    Raises:
        TypeError: if k is no int.
        ValueError: if k is not positive, or for another number of inputs.
        RuntimeError: if `eval` is called before `update`.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.TopKCategoricalAccuracy(2)
        >>> metric.update(ms.Tensor([[0.1, 0.2, 0.7], [0.6, 0.3, 0.1]]), ms.Tensor([1, 2]))
        >>> float(metric.eval())
        0.5
    """

    _parts = ("_correct_num", "_samples_num")
    _correct_num: int
    _samples_num: int

    def __init__(self, k: int) -> None:
        super().__init__()
        self.k = check_positive_int(k, "k", "TopKCategoricalAccuracy")

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take scores [N, C] and labels [N] or one-hot."""
        scores, labels = self._need(inputs, 2)
        if scores.ndim == labels.ndim and _is_one_hot(labels):
            labels = labels.argmax(axis=1)
        best = np.argsort(-scores, axis=1, kind="stable")[:, : self.k]
        self._correct_num += int((best == labels.reshape(-1, 1)).any(axis=1).sum())
        self._samples_num += best.shape[0]


@sections(**SCORES)
class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose class has the best score.

    Outputs:
        `eval` gives a float number in [0, 1].

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.Top1CategoricalAccuracy()
        >>> metric.update(ms.Tensor([[0.1, 0.2, 0.7], [0.6, 0.3, 0.1]]), ms.Tensor([2, 2]))
        >>> float(metric.eval())
        0.5
    """

    def __init__(self) -> None:
        super().__init__(1)


@sections(Raises=SCORES["Raises"])
class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose class is among the five with the best scores.

    Inputs:
        inputs: predictions, scores of shape [N, C] with at least 5 classes, and labels: int class indices [N] or
            one-hot numbers [N, C].

    Outputs:
        `eval` gives a float number in [0, 1].

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.Top5CategoricalAccuracy()
        >>> metric.update(ms.ops.arange(8.0).reshape(1, 8), ms.Tensor([3]))
        >>> float(metric.eval())
        1.0
    """

    def __init__(self) -> None:
        super().__init__(5)
