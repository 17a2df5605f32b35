"""Metrics of evaluation, computed with NumPy over the batches of a dataset."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..tensor import Tensor
from .checks import check_bool, check_choice, check_number, check_positive_int

__all__ = [
    "F1",
    "MAE",
    "MSE",
    "ROC",
    "Accuracy",
    "BleuScore",
    "ConfusionMatrix",
    "CosineSimilarity",
    "Dice",
    "Fbeta",
    "Loss",
    "Metric",
    "Perplexity",
    "Precision",
    "Recall",
    "Top1CategoricalAccuracy",
    "Top5CategoricalAccuracy",
    "TopKCategoricalAccuracy",
    "auc",
    "get_metric_fn",
    "get_metrics",
    "names",
    "rearrange_inputs",
]


def rearrange_inputs(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator of a metric's `update`: it gets the inputs at the positions given to `set_indexes`."""

    @functools.wraps(func)
    def wrapper(self: Any, *inputs: Any) -> Any:
        indexes = self.indexes
        chosen = inputs if indexes is None or len(inputs) < len(indexes) else [inputs[index] for index in indexes]
        return func(self, *chosen)

    return wrapper


class Metric:
    """Base of metrics: a subclass defines `clear()`, `update(*inputs)` and `eval()`.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.MAE()
        >>> metric.clear()
        >>> metric.update(ms.Tensor([1.0, 2.0]), ms.Tensor([1.5, 2.0]))
        >>> float(metric.eval())
        0.25
    """

    def __init__(self) -> None:
        self._indexes: list[int] | None = None

    @property
    def indexes(self) -> list[int] | None:
        """The positions of the inputs to take, or None."""
        return getattr(self, "_indexes", None)

    def set_indexes(self, indexes: list[int]) -> Metric:
        """Let `update` take the inputs at these positions; returns the metric. ValueError unless a list of ints."""
        if not isinstance(indexes, list) or not all(isinstance(item, int) for item in indexes):
            raise ValueError(f"set_indexes takes a list of ints, but got {indexes!r}")
        self._indexes = indexes
        return self

    def __call__(self, *inputs: Any) -> Any:
        """The metric of these inputs alone."""
        self.clear()
        self.update(*inputs)
        return self.eval()

    def clear(self) -> None:
        """Forget what was given so far."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'clear'")

    def update(self, *inputs: Any) -> None:
        """Take the outputs of one batch."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'update'")

    def eval(self) -> Any:
        """The metric of everything given so far."""
        raise NotImplementedError(f"{type(self).__name__} should define the method 'eval'")

    def _convert_data(self, data: Any) -> np.ndarray:
        """A tensor, list or array as a NumPy array. TypeError for anything else."""
        if isinstance(data, Tensor):
            return data.asnumpy()
        if isinstance(data, (list, tuple)):
            return np.array(data)
        if isinstance(data, np.ndarray):
            return data
        raise TypeError(f"{type(self).__name__} takes tensors, lists and arrays, but got {type(data).__name__}")

    def _need(self, inputs: tuple[Any, ...], count: int) -> list[np.ndarray]:
        if len(inputs) != count:
            raise ValueError(f"{type(self).__name__}.update takes {count} inputs, but got {len(inputs)}")
        return [self._convert_data(item) for item in inputs]

    def _some(self, count: float) -> None:
        if count == 0:
            raise RuntimeError(f"{type(self).__name__} has no samples: call 'update' before 'eval'")


class Loss(Metric):
    """The mean of the losses."""

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        """Forget what was given so far."""
        self._sum = 0.0
        self._count = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take a loss: a number, or a tensor of which the mean is taken."""
        (loss,) = self._need(inputs, 1)
        self._sum += float(np.mean(loss))
        self._count += 1

    def eval(self) -> float:
        """The mean."""
        self._some(self._count)
        return self._sum / self._count


class _MeanError(Metric):
    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        """Forget what was given so far."""
        self._sum = 0.0
        self._samples = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take predictions and targets."""
        prediction, target = self._need(inputs, 2)
        self._sum += float(self._errors(prediction.reshape(target.shape) - target).sum())
        self._samples += target.shape[0]

    def _errors(self, difference: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def eval(self) -> float:
        """The mean over samples."""
        self._some(self._samples)
        return self._sum / self._samples


class MAE(_MeanError):
    """The sum of absolute errors over the number of samples."""

    def _errors(self, difference: np.ndarray) -> np.ndarray:
        return np.abs(difference)


class MSE(_MeanError):
    """The sum of squared errors over the number of samples."""

    def _errors(self, difference: np.ndarray) -> np.ndarray:
        return np.square(difference)


class _Classification(Metric):
    """What metrics of classification share: how predictions and labels are read."""

    def __init__(self, eval_type: str = "classification") -> None:
        super().__init__()
        if eval_type not in ("classification", "multilabel"):
            raise TypeError(f"'eval_type' should be 'classification' or 'multilabel', but got {eval_type!r}")
        self._type = eval_type
        self._class_num = 0

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
        return scores, labels


def _is_one_hot(labels: np.ndarray) -> bool:
    return labels.ndim > 1 and bool(np.all((labels == 0) | (labels == 1)) and np.all(labels.sum(axis=1) == 1))


class Accuracy(_Classification):
    """The share of right predictions.

    Args:
        eval_type: 'classification' (scores of classes and class indices or one-hot) or 'multilabel' (zeros and ones).
    """

    def __init__(self, eval_type: str = "classification") -> None:
        super().__init__(eval_type)
        self.clear()

    def clear(self) -> None:
        """Forget what was given so far."""
        self._correct = 0
        self._total = 0
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
        self._correct += int(right.sum())
        self._total += right.size

    def eval(self) -> float:
        """The share."""
        self._some(self._total)
        return self._correct / self._total


class _Hits(_Classification):
    """Counts of true positives against others, for each class (or sample, with 'multilabel')."""

    def __init__(self, eval_type: str = "classification") -> None:
        super().__init__(eval_type)
        self.clear()

    def clear(self) -> None:
        """Forget what was given so far."""
        self._class_num = 0
        self._hits: np.ndarray = np.zeros(0)
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
            self._hits = np.concatenate([self._hits, hits])
            self._others = np.concatenate([self._others, others])
        elif self._hits.size:
            self._hits, self._others = self._hits + hits, self._others + others
        else:
            self._hits, self._others = hits, others

    def _reference(self, truth: np.ndarray, guess: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def eval(self, average: bool = False) -> Any:
        """The share for each class, or their mean."""
        check_bool(average, "average", type(self).__name__)
        self._some(self._hits.size)
        result = self._hits / (self._others + 1e-20)
        return float(result.mean()) if average else result


class Precision(_Hits):
    """Of the predictions of a class, the share that is right.

    Args:
        eval_type: 'classification' or 'multilabel'.
    """

    def _reference(self, truth: np.ndarray, guess: np.ndarray) -> np.ndarray:
        return guess


class Recall(_Hits):
    """Of the members of a class, the share that is found.

    Args:
        eval_type: 'classification' or 'multilabel'.
    """

    def _reference(self, truth: np.ndarray, guess: np.ndarray) -> np.ndarray:
        return truth


class Fbeta(Metric):
    """The weighted harmonic mean of precision and recall, for each class.

    Args:
        beta: the weight of recall, positive.
    """

    def __init__(self, beta: float) -> None:
        super().__init__()
        if check_number(beta, "beta", "Fbeta") <= 0:
            raise ValueError(f"Fbeta's 'beta' should be positive, but got {beta}")
        self._beta = beta
        self.clear()

    def clear(self) -> None:
        """Forget what was given so far."""
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
        hits, positive, guessed = self._precision._hits, self._recall._others, self._precision._others
        self._some(hits.size)
        square = self._beta**2
        result = (1 + square) * hits / (square * positive + guessed + 1e-20)
        return float(result.mean()) if average else result


class F1(Fbeta):
    """The harmonic mean of precision and recall, for each class."""

    def __init__(self) -> None:
        super().__init__(1.0)


class TopKCategoricalAccuracy(Metric):
    """The share of samples whose class is among the k with the best scores.

    Args:
        k: positive.
    """

    def __init__(self, k: int) -> None:
        super().__init__()
        self.k = check_positive_int(k, "k", "TopKCategoricalAccuracy")
        self.clear()

    def clear(self) -> None:
        """Forget what was given so far."""
        self._correct = 0
        self._samples = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take scores [N, C] and labels [N] or one-hot."""
        scores, labels = self._need(inputs, 2)
        if scores.ndim == labels.ndim and _is_one_hot(labels):
            labels = labels.argmax(axis=1)
        best = np.argsort(-scores, axis=1, kind="stable")[:, : self.k]
        self._correct += int((best == labels.reshape(-1, 1)).any(axis=1).sum())
        self._samples += best.shape[0]

    def eval(self) -> float:
        """The share."""
        self._some(self._samples)
        return self._correct / self._samples


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose class has the best score."""

    def __init__(self) -> None:
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of samples whose class is among the five with the best scores."""

    def __init__(self) -> None:
        super().__init__(5)


class ConfusionMatrix(Metric):
    """How often each class (row) was taken for each class (column).

    Args:
        num_classes: how many.
        normalize: 'no_norm', 'target' (rows sum to 1), 'prediction' (columns do) or 'all'.
        threshold: above which a score counts, of two classes.
    """

    def __init__(self, num_classes: int, normalize: str = "no_norm", threshold: float = 0.5) -> None:
        super().__init__()
        self.num_classes = check_positive_int(num_classes, "num_classes", "ConfusionMatrix")
        self.normalize = check_choice(
            normalize, ("no_norm", "target", "prediction", "all"), "normalize", "ConfusionMatrix"
        )
        self.threshold = check_number(threshold, "threshold", "ConfusionMatrix")
        self.clear()

    def clear(self) -> None:
        """Forget what was given so far."""
        self._matrix = np.zeros((self.num_classes, self.num_classes))
        self._updated = False

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take predictions (classes or scores) and labels."""
        guess, truth = self._need(inputs, 2)
        if guess.ndim == truth.ndim + 1:
            guess = guess.argmax(axis=1)
        elif guess.dtype.kind == "f":
            guess = guess > self.threshold
        index = truth.reshape(-1).astype(np.int64) * self.num_classes + guess.reshape(-1).astype(np.int64)
        counts = np.bincount(index, minlength=self.num_classes**2)
        self._matrix += counts.reshape(self.num_classes, self.num_classes)
        self._updated = True

    def eval(self) -> np.ndarray:
        """The matrix."""
        if not self._updated:
            raise RuntimeError("ConfusionMatrix has no samples: call 'update' before 'eval'")
        matrix = self._matrix
        if self.normalize == "no_norm":
            return matrix
        total = {
            "target": matrix.sum(axis=1, keepdims=True),
            "prediction": matrix.sum(axis=0, keepdims=True),
            "all": matrix.sum(),
        }[self.normalize]
        return np.divide(matrix, total, out=np.zeros_like(matrix), where=np.asarray(total) != 0)


class CosineSimilarity(Metric):
    """The similarity of each two rows.

    Args:
        similarity: 'cosine' or 'dot'.
        reduction: 'none', 'mean' or 'sum' over rows.
        zero_diagonal: whether the similarity of a row with itself is zero.
    """

    def __init__(self, similarity: str = "cosine", reduction: str = "none", zero_diagonal: bool = True) -> None:
        super().__init__()
        self.similarity = check_choice(similarity, ("cosine", "dot"), "similarity", "CosineSimilarity")
        self.reduction = check_choice(reduction, ("none", "sum", "mean"), "reduction", "CosineSimilarity")
        self.zero_diagonal = check_bool(zero_diagonal, "zero_diagonal", "CosineSimilarity")
        self.clear()

    def clear(self) -> None:
        """Forget what was given so far."""
        self._result: np.ndarray | None = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take rows [N, D]."""
        (rows,) = self._need(inputs, 1)
        if self.similarity == "cosine":
            rows = rows / np.linalg.norm(rows, ord=2, axis=1)[:, None]
        self._result = rows @ rows.T
        if self.zero_diagonal:
            np.fill_diagonal(self._result, 0)

    def eval(self) -> np.ndarray:
        """The similarities."""
        if self._result is None:
            raise RuntimeError("CosineSimilarity has no samples: call 'update' before 'eval'")
        if self.reduction == "none":
            return self._result
        return np.asarray(self._result.mean(axis=-1) if self.reduction == "mean" else self._result.sum(axis=-1))


class Dice(Metric):
    """The dice coefficient of segmentations, over samples.

    Args:
        smooth: added against division by zero.
    """

    def __init__(self, smooth: float = 1e-5) -> None:
        super().__init__()
        if check_number(smooth, "smooth", "Dice") <= 0:
            raise ValueError(f"Dice's 'smooth' should be positive, but got {smooth}")
        self.smooth = smooth
        self.clear()

    def clear(self) -> None:
        """Forget what was given so far."""
        self._sum = 0.0
        self._samples = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take predictions and labels of one shape."""
        guess, truth = self._need(inputs, 2)
        if guess.shape != truth.shape:
            raise ValueError(
                f"Dice: predictions and labels should have one shape, but have {guess.shape} and {truth.shape}"
            )
        union = float(np.square(guess).sum() + np.square(truth).sum())
        self._sum += 2 * float((guess * truth).sum()) / (union + self.smooth)
        self._samples += truth.shape[0]

    def eval(self) -> float:
        """The coefficient."""
        self._some(self._samples)
        return self._sum / self._samples


class Perplexity(Metric):
    """exp of the mean negative logarithm of the probability of the labels.

    Args:
        ignore_label: label that does not count.
    """

    def __init__(self, ignore_label: int | None = None) -> None:
        super().__init__()
        self.ignore_label = ignore_label
        self.clear()

    def clear(self) -> None:
        """Forget what was given so far."""
        self._sum = 0.0
        self._count = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take probabilities [..., C] and labels [...]."""
        probabilities, labels = self._need(inputs, 2)
        if labels.size * probabilities.shape[-1] != probabilities.size:
            raise ValueError(
                f"Perplexity: probabilities should have the shape of the labels and one axis more, but the shapes are "
                f"{probabilities.shape} and {labels.shape}"
            )
        flat = labels.reshape(-1).astype(np.int64)
        chosen = probabilities.reshape(-1, probabilities.shape[-1])[np.arange(flat.size), flat]
        count = flat.size
        if self.ignore_label is not None:
            ignored = flat == self.ignore_label
            count -= int(ignored.sum())
            chosen = np.where(ignored, 1, chosen)
        self._sum -= float(np.log(np.maximum(1e-10, chosen)).sum())
        self._count += count

    def eval(self) -> float:
        """The perplexity."""
        self._some(self._count)
        return math.exp(self._sum / self._count)


class BleuScore(Metric):
    """The BLEU score of translations against references.

    Args:
        n_gram: up to how many words, 1 to 4.
        smooth: whether counts are smoothed.
    """

    def __init__(self, n_gram: int = 4, smooth: bool = False) -> None:
        super().__init__()
        if not 1 <= check_positive_int(n_gram, "n_gram", "BleuScore") <= 4:
            raise ValueError(f"BleuScore's 'n_gram' should be from 1 to 4, but got {n_gram}")
        self.n_gram = n_gram
        self.smooth = check_bool(smooth, "smooth", "BleuScore")
        self.clear()

    def clear(self) -> None:
        """Forget what was given so far."""
        self._matches = np.zeros(self.n_gram)
        self._totals = np.zeros(self.n_gram)
        self._length = 0.0
        self._reference_length = 0.0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take a list of translations (lists of words) and a list of their references (lists of lists of words)."""
        if len(inputs) != 2:
            raise ValueError(f"BleuScore.update takes 2 inputs, but got {len(inputs)}")
        candidates, references = inputs
        if len(candidates) != len(references):
            raise ValueError(
                f"BleuScore takes as many translations as lists of references, but "
                f"got {len(candidates)} and {len(references)}"
            )
        for candidate, known in zip(candidates, references, strict=True):
            self._length += len(candidate)
            self._reference_length += min((len(one) for one in known), key=lambda size: abs(len(candidate) - size))
            allowed: Counter[tuple[Any, ...]] = Counter()
            for one in known:
                allowed |= self._grams(one)
            own = self._grams(candidate)
            for gram, count in (own & allowed).items():
                self._matches[len(gram) - 1] += count
            for gram, count in own.items():
                self._totals[len(gram) - 1] += count

    def _grams(self, words: Any) -> Counter[tuple[Any, ...]]:
        return Counter(
            tuple(words[start : start + size])
            for size in range(1, self.n_gram + 1)
            for start in range(len(words) - size + 1)
        )

    def eval(self) -> float:
        """The score."""
        self._some(self._length)
        if self._matches.min() == 0 and not self.smooth:
            return 0.0
        extra = 1.0 if self.smooth else 0.0
        precision = (self._matches + extra) / (self._totals + extra)
        score = math.exp(float(np.log(precision).mean()))
        if self._length > self._reference_length:
            return score
        return score * math.exp(1 - self._reference_length / self._length)


class ROC(Metric):
    """The receiver operating characteristic: rates of false and true positives for each threshold.

    Args:
        class_num: number of classes; None or 1: two.
        pos_label: the positive class of two; None: 1.
    """

    def __init__(self, class_num: int | None = None, pos_label: int | None = None) -> None:
        super().__init__()
        self.class_num = class_num if class_num is None else check_positive_int(class_num, "class_num", "ROC")
        self.pos_label = pos_label
        self.clear()

    def clear(self) -> None:
        """Forget what was given so far."""
        self._scores: list[np.ndarray] = []
        self._labels: list[np.ndarray] = []

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take scores ([N], or [N, C]) and labels [N]."""
        scores, labels = self._need(inputs, 2)
        if scores.ndim > 1 and (self.class_num or 1) == 1 and scores.ndim == labels.ndim + 1:
            self.class_num = scores.shape[1]
        if scores.ndim > 1 and (self.class_num or 1) > 1:
            self._scores.append(np.moveaxis(scores, 1, -1).reshape(-1, scores.shape[1]))
        else:
            self._scores.append(scores.reshape(-1))
        self._labels.append(labels.reshape(-1))

    def eval(self) -> tuple[Any, Any, Any]:
        """(false positive rates, true positive rates, thresholds); lists of them for more than two classes."""
        if not self._scores:
            raise RuntimeError("ROC has no samples: call 'update' before 'eval'")
        scores, labels = np.concatenate(self._scores), np.concatenate(self._labels)
        if scores.ndim == 1:
            return _roc_curve(scores, labels == (1 if self.pos_label is None else self.pos_label))
        curves = [_roc_curve(scores[:, label], labels == label) for label in range(scores.shape[1])]
        first, second, third = zip(*curves, strict=True)
        return list(first), list(second), list(third)


def _roc_curve(scores: np.ndarray, positive: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    order = np.argsort(-scores, kind="stable")
    scores, positive = scores[order], positive[order]
    ends = np.append(np.nonzero(np.diff(scores))[0], scores.size - 1)
    hits = np.concatenate([[0], np.cumsum(positive)[ends]])
    misses = np.concatenate([[0], (1 + ends) - hits[1:]])
    if hits[-1] <= 0 or misses[-1] <= 0:
        raise ValueError("ROC needs positive and negative samples")
    thresholds = np.concatenate([[scores[0] + 1], scores[ends]]).astype(scores.dtype)
    return misses / misses[-1], hits / hits[-1], thresholds


def auc(x: Any, y: Any, reorder: bool = False) -> float:
    """The area under a curve, by trapezoids.

    Args:
        x, y: coordinates, such as rates of `ROC`; lists of them are joined.
        reorder: whether to sort by x first.

    Raises:
        TypeError: for anything but arrays or lists. ValueError: if x neither rises nor falls throughout.
    """
    if not isinstance(x, (np.ndarray, list)) or not isinstance(y, (np.ndarray, list)):
        raise TypeError(f"auc takes arrays or lists, but got {type(x).__name__} and {type(y).__name__}")
    first, second = (
        np.concatenate([np.atleast_1d(np.asarray(part)) for part in item]) if isinstance(item, list) else item
        for item in (x, y)
    )
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(f"auc takes x and y of one length, but the shapes are {first.shape} and {second.shape}")
    direction = 1
    if reorder:
        order = np.lexsort((second, first))
        first, second = first[order], second[order]
    else:
        steps = np.diff(first)
        if np.any(steps < 0):
            if not np.all(steps <= 0):
                raise ValueError("auc needs an x that rises or falls throughout: set 'reorder', or sort it")
            direction = -1
    return float(direction * np.sum(np.diff(first) * (second[1:] + second[:-1]) / 2))


_METRICS: dict[str, Callable[..., Any]] = {
    "F1": F1,
    "acc": Accuracy,
    "accuracy": Accuracy,
    "auc": auc,
    "bleu_score": BleuScore,
    "confusion_matrix": ConfusionMatrix,
    "cosine_similarity": CosineSimilarity,
    "dice": Dice,
    "loss": Loss,
    "mae": MAE,
    "mse": MSE,
    "perplexity": Perplexity,
    "precision": Precision,
    "recall": Recall,
    "roc": ROC,
    "top_1_accuracy": Top1CategoricalAccuracy,
    "top_5_accuracy": Top5CategoricalAccuracy,
    "topk": TopKCategoricalAccuracy,
}


def names() -> list[str]:
    """The names of metrics."""
    return sorted(_METRICS)


def get_metric_fn(name: str, *args: Any, **kwargs: Any) -> Any:
    """A metric by its name. KeyError if there is none of it."""
    if name not in _METRICS:
        raise KeyError(f"there is no metric named {name!r}; the names are {', '.join(names())}")
    return _METRICS[name](*args, **kwargs)


def get_metrics(metrics: Any) -> dict[str, Metric]:
    """Metrics as a dict: of a dict as they are, of a set or list of names new ones.

    Raises:
        TypeError: for anything else.
    """
    if isinstance(metrics, dict):
        for name, metric in metrics.items():
            if not isinstance(name, str) or not isinstance(metric, Metric):
                raise TypeError(f"'metrics' should be of names and Metrics, but '{name}' is a {type(metric).__name__}")
        return metrics
    if isinstance(metrics, Iterable) and not isinstance(metrics, str):
        return {name: get_metric_fn(name) for name in metrics}
    raise TypeError(f"'metrics' should be a dict, or a set of names, but got {type(metrics).__name__}")
