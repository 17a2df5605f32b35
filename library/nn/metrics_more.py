"""Metrics of confusion, similarity, overlap, language and ranking."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np

from .checks import check_bool, check_choice, check_int, check_number, check_positive, check_positive_int
from .metric import Metric, Ratio, rearrange_inputs
from .sections import ERRORS, sections


class ConfusionMatrix(Metric):
    """How often each class (row) was taken for each class (column).

    Args:
        num_classes: a positive int.
        normalize: 'no_norm', 'target' (rows add up to 1), 'prediction' (columns do) or 'all'. Default: 'no_norm'.
        threshold: a float, above which a score of two classes counts. Default: 0.5.

    Inputs:
        inputs: predictions, scores of shape [N, C] or int class indices [N], and labels: int class indices of shape
            [N].

    Outputs:
        `eval` gives a float array of shape [num_classes, num_classes].

    Raises:
        TypeError: if an argument has the wrong type.
        ValueError: for another normalize, or another number of inputs.
        RuntimeError: if `eval` is called before `update`.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.ConfusionMatrix(2)
        >>> metric.update(ms.Tensor([1, 0, 1]), ms.Tensor([1, 0, 0]))
        >>> metric.eval().tolist()
        [[1.0, 1.0], [0.0, 1.0]]
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
        """Reset the metric."""
        self.confusion_matrix = np.zeros((self.num_classes, self.num_classes))
        self._is_update = False

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
        self.confusion_matrix += counts.reshape(self.num_classes, self.num_classes)
        self._is_update = True

    def eval(self) -> np.ndarray:
        """The matrix."""
        if not self._is_update:
            raise RuntimeError("ConfusionMatrix has no samples: call 'update' before 'eval'")
        matrix = self.confusion_matrix
        if self.normalize == "no_norm":
            return matrix
        total = {
            "target": matrix.sum(axis=1, keepdims=True),
            "prediction": matrix.sum(axis=0, keepdims=True),
            "all": matrix.sum(),
        }[self.normalize]
        return np.divide(matrix, total, out=np.zeros_like(matrix), where=np.asarray(total) != 0)


class CosineSimilarity(Metric):
    """The similarity of each two rows of a matrix.

    Args:
        similarity: 'cosine' or 'dot'. Default: 'cosine'.
        reduction: 'none', or 'mean' or 'sum' over rows. Default: 'none'.
        zero_diagonal: whether the similarity of a row with itself is zero. Default: True.

    Inputs:
        inputs: an array or tensor of numbers of shape [N, D].

    Outputs:
        `eval` gives a float array of shape [N, N], or [N] with a reduction.

    Raises:
        ValueError: for another similarity or reduction, or another number of inputs.
        RuntimeError: if `eval` is called before `update`.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.CosineSimilarity()
        >>> metric.update(ms.Tensor([[1.0, 0.0], [3.0, 4.0]]))
        >>> metric.eval().round(2).tolist()
        [[0.0, 0.6000000238418579], [0.6000000238418579, 0.0]]
    """

    def __init__(self, similarity: str = "cosine", reduction: str = "none", zero_diagonal: bool = True) -> None:
        super().__init__()
        self.similarity = check_choice(similarity, ("cosine", "dot"), "similarity", "CosineSimilarity")
        self.reduction = check_choice(reduction, ("none", "sum", "mean"), "reduction", "CosineSimilarity")
        self.zero_diagonal = check_bool(zero_diagonal, "zero_diagonal", "CosineSimilarity")
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
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


@sections(**ERRORS)
class Dice(Ratio):
    """The dice coefficient of segmentations: the mean over updates of 2 · sum(A · B) / (sum(A²) + sum(B²) + smooth).

    Args:
        smooth: a positive float, against division by zero. Default: 1e-5.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.Dice()
        >>> metric.update(ms.Tensor([[1.0, 0.0]]), ms.Tensor([[1.0, 1.0]]))
        >>> round(float(metric.eval()), 4)
        0.6667
    """

    _parts = ("_dice_coeff_sum", "_samples_num")
    _dice_coeff_sum: float
    _samples_num: int

    def __init__(self, smooth: float = 1e-5) -> None:
        super().__init__()
        self.smooth = check_positive(smooth, "smooth", "Dice")

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take predictions and labels of one shape."""
        guess, truth = self._need(inputs, 2)
        if guess.shape != truth.shape:
            raise ValueError(
                f"Dice: predictions and labels should have one shape, but have {guess.shape} and {truth.shape}"
            )
        union = float(np.square(guess).sum() + np.square(truth).sum())
        self._dice_coeff_sum += 2 * float((guess * truth).sum()) / (union + self.smooth)
        self._samples_num += truth.shape[0]


class Perplexity(Ratio):
    """The exponential of the mean of -log(probability of the label).

    Args:
        ignore_label: an int, a label that does not count. Default: None.

    Inputs:
        inputs: probabilities, an array or tensor of floats of shape [N, C], and labels: ints of shape [N].

    Outputs:
        `eval` gives a float number.

    Raises:
        TypeError: if ignore_label is no int.
        ValueError: for another number of inputs.
        RuntimeError: if `eval` is called before `update`.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.Perplexity()
        >>> metric.update(ms.Tensor([[0.5, 0.5]]), ms.Tensor([1]))
        >>> float(metric.eval())
        2.0000000038093084
    """

    _parts = ("_sum_metric", "_num_inst")
    _sum_metric: float
    _num_inst: int

    def __init__(self, ignore_label: int | None = None) -> None:
        super().__init__()
        if ignore_label is not None:
            check_int(ignore_label, "ignore_label", "Perplexity")
        self.ignore_label = ignore_label

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
        self._sum_metric -= float(np.log(np.maximum(1e-10, chosen)).sum())
        self._num_inst += count

    def eval(self) -> float:
        """The perplexity."""
        return math.exp(super().eval())


class BleuScore(Metric):
    """The BLEU score of translations against references: how many of their n-grams the references have.

    Args:
        n_gram: an int from 1 to 4, up to how many words. Default: 4.
        smooth: whether counts are smoothed. Default: False.

    Inputs:
        inputs: candidates, a list of sentences, and references, a list of lists of sentences; a sentence is a list of
            strings of any shape and dtype of text.

    Outputs:
        `eval` gives a float number in [0, 1].

    Raises:
        ValueError: if n_gram is out of range, for another number of inputs, or lists of different lengths.
        RuntimeError: if `eval` is called before `update`.

    Examples:
        >>> from mycel import nn
        >>> metric = nn.BleuScore(n_gram=1)
        >>> metric.update([["a", "cat"]], [[["a", "cat"]]])
        >>> float(metric.eval())
        1.0
    """

    def __init__(self, n_gram: int = 4, smooth: bool = False) -> None:
        super().__init__()
        if not 1 <= check_positive_int(n_gram, "n_gram", "BleuScore") <= 4:
            raise ValueError(f"For 'BleuScore', the 'n_gram' should be from 1 to 4, but got {n_gram}")
        self.n_gram = n_gram
        self.smooth = check_bool(smooth, "smooth", "BleuScore")
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
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
    """The receiver operating characteristic: the rates of false and true positives for each threshold.

    Args:
        class_num: an int, the number of classes; None and 1 stand for two. Default: None.
        pos_label: an int, the positive class of two. Default: None, for 1.

    Inputs:
        inputs: scores, an array or tensor of floats of shape [N] or [N, C], and labels: ints of shape [N].

    Outputs:
        `eval` gives three float arrays of shape [thresholds]: rates of false positives, of true positives, thresholds;
        for several classes three lists of them.

    Raises:
        TypeError: if an argument has the wrong type.
        ValueError: for another number of inputs, or other shapes.
        RuntimeError: if `eval` is called before `update`.

    Examples:
        >>> import mycel as ms
        >>> metric = ms.nn.ROC(pos_label=1)
        >>> metric.update(ms.Tensor([0.1, 0.4, 0.8]), ms.Tensor([0, 0, 1]))
        >>> false_positives, true_positives, thresholds = metric.eval()
        >>> true_positives.tolist()
        [0.0, 1.0, 1.0, 1.0]
    """

    def __init__(self, class_num: int | None = None, pos_label: int | None = None) -> None:
        super().__init__()
        self.class_num = class_num if class_num is None else check_positive_int(class_num, "class_num", "ROC")
        self.pos_label = pos_label
        self.clear()

    def clear(self) -> None:
        """Reset the metric."""
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
        x: an array or list of numbers, such as the rates of false positives of `ROC`; lists of arrays are joined.
        y: the same for the other coordinate.
        reorder: whether to sort by x first. Default: False.

    Returns:
        A float.

    Raises:
        TypeError: for anything but arrays or lists.
        ValueError: if x neither rises nor falls throughout.

    Examples:
        >>> import numpy as np
        >>> from mycel import nn
        >>> float(nn.auc(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0])))
        0.75
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
