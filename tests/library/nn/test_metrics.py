"""Metrics, by numbers recorded with MindSpore."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from fitted_line import BATCHES, model_of
from tensors import T

import mycel as ms
from mycel import Tensor, nn, train

SCORES = T([[0.2, 0.5], [0.3, 0.1], [0.9, 0.6]])
LABELS = T([1, 0, 1], ms.int32)
MANY = T([[1.0, 0, 1], [0, 1, 1]]), T([[1, 0, 0], [0, 1, 1]], ms.int32)
TEN = Tensor((np.arange(30).reshape(3, 10) % 7).astype(np.float32)), T([1, 0, 6], ms.int32)
PAIR = T([1.0, 2.0]), T([1.5, 4.0])
BINARY = T([1, 0, 1, 0], ms.int32), T([1, 0, 0, 1], ms.int32)
TEXT = (
    [["i", "have", "a", "pen", "on", "my", "desk"]],
    [[["i", "have", "a", "pen", "in", "my", "desk"], ["there", "is", "a", "pen", "on", "the", "desk"]]],
)


@pytest.mark.parametrize(
    ("make", "inputs", "expected"),
    [
        (lambda: train.Accuracy(), (SCORES, LABELS), 2 / 3),
        (lambda: train.Accuracy(), (SCORES, T([[0, 1], [1, 0], [0, 1]], ms.int32)), 2 / 3),
        (lambda: train.Accuracy("multilabel"), MANY, 0.5),
        (lambda: train.Precision(), (SCORES, LABELS), [0.5, 1.0]),
        (lambda: train.Precision("multilabel"), MANY, [0.5, 1.0, 0.5, 1.0]),
        (lambda: train.Recall(), (SCORES, LABELS), [1.0, 0.5]),
        (lambda: train.Recall("multilabel"), MANY, [1.0, 1.0, 1.0, 1.0]),
        (lambda: train.F1(), (SCORES, LABELS), [2 / 3, 2 / 3]),
        (lambda: train.Fbeta(2.0), (SCORES, LABELS), [0.83333333, 0.55555556]),
        (lambda: train.Top1CategoricalAccuracy(), (SCORES, LABELS), 2 / 3),
        (lambda: train.Top5CategoricalAccuracy(), TEN, 1 / 3),
        (lambda: train.TopKCategoricalAccuracy(3), TEN, 1 / 3),
        (lambda: train.MAE(), PAIR, 1.25),
        (lambda: train.MSE(), PAIR, 2.125),
        (lambda: train.Loss(), (T(2.5),), 2.5),
        (lambda: train.Loss(), (T([2.5, 1.0]),), 1.75),
        (lambda: train.Perplexity(), (SCORES, LABELS), 2.2314431850023855),
        (lambda: train.Perplexity(0), (SCORES, LABELS), 1.8257418694340384),
    ],
)
def test_metrics_over_two_batches(make: Any, inputs: Any, expected: Any) -> None:
    metric = make()
    metric.clear()
    for _ in range(2):
        metric.update(*inputs)
    np.testing.assert_allclose(metric.eval(), expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("make", "inputs", "expected"),
    [
        (lambda: train.ConfusionMatrix(2), BINARY, [[1, 1], [1, 1]]),
        (lambda: train.ConfusionMatrix(2, "prediction"), BINARY, [[0.5, 0.5], [0.5, 0.5]]),
        (lambda: train.ConfusionMatrix(3, "target"), BINARY, [[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 0]]),
        (lambda: train.ConfusionMatrix(2, "all"), BINARY, np.full((2, 2), 0.25)),
        (lambda: train.CosineSimilarity(), (np.array([[1.0, 2], [3, 4]]),), [[0, 0.9838699], [0.9838699, 0]]),
        (lambda: train.CosineSimilarity("dot", "mean", False), (np.array([[1.0, 2], [3, 4]]),), [8, 18]),
        (lambda: train.Dice(), (SCORES, T([[0, 1], [1, 0], [0, 1]])), 0.20467793022896577),
        (lambda: train.BleuScore(), TEXT, 0.5946035575013605),
    ],
)
def test_metrics_over_one_batch(make: Any, inputs: Any, expected: Any) -> None:
    metric = make()
    metric.clear()
    metric.update(*inputs)
    np.testing.assert_allclose(metric.eval(), expected, rtol=1e-6)


def test_averages() -> None:
    for metric, expected in ((train.Precision(), 0.75), (train.Recall(), 0.75), (train.Fbeta(2.0), 0.6944444444)):
        metric.clear()
        metric.update(SCORES, LABELS)
        np.testing.assert_allclose(metric.eval(True), expected)


def test_roc_and_area() -> None:
    metric = train.ROC(pos_label=1)
    metric.clear()
    metric.update(T([3.0, 1, 4, 2]), T([0, 1, 2, 3]))
    misses, hits, thresholds = metric.eval()
    np.testing.assert_allclose(misses, [0, 1 / 3, 2 / 3, 1, 1])
    assert np.asarray(hits).tolist() == [0, 0, 0, 0, 1]
    assert np.asarray(thresholds).tolist() == [5, 4, 3, 2, 1]
    assert train.auc(np.array([0, 0.5, 1]), np.array([0, 0.5, 1.0])) == 0.5
    assert train.auc(np.array([1.0, 0]), np.array([1.0, 0])) == 0.5
    with pytest.raises(ValueError, match="rises or falls"):
        train.auc(np.array([0.0, 1, 0.5]), np.ones(3))
    assert train.auc(np.array([0.0, 1, 0.5]), np.ones(3), reorder=True) == 1.0


class Sum(train.Metric):
    """A metric of one's own."""

    def __init__(self) -> None:
        super().__init__()
        self.clear()

    def clear(self) -> None:
        self.sum = 0.0

    def update(self, *inputs: Any) -> None:
        self.sum += self._convert_data(inputs[0]).sum()

    def eval(self) -> Any:
        return self.sum


def test_a_metric_of_ones_own() -> None:
    net, model = model_of(metrics={"sum": Sum()})
    assert model.eval(BATCHES) == {"sum": 0.0}
    net.bias.set_data(T([1.0]))
    assert model.eval(BATCHES) == {"sum": 4.0}
    chosen = train.Accuracy().set_indexes([0, 2])
    assert chosen.indexes == [0, 2]
    chosen.clear()
    chosen.update(SCORES, T([3.0]), LABELS)
    np.testing.assert_allclose(chosen.eval(), 2 / 3)


def test_metrics_by_name() -> None:
    assert isinstance(train.get_metric_fn("precision", eval_type="classification"), train.Precision)
    assert set(nn.get_metrics({"mse", "acc"})) == {"mse", "acc"}
    assert {"accuracy", "loss", "topk"} <= set(train.names())
    with pytest.raises(KeyError, match="nothing"):
        train.get_metric_fn("nothing")


def test_metrics_that_cannot_be_had() -> None:
    empty = train.MAE()
    empty.clear()
    with pytest.raises(RuntimeError):
        empty.eval()
    with pytest.raises(TypeError):
        train.Accuracy("foo")
    metric = train.Accuracy()
    metric.clear()
    metric.update(SCORES, LABELS)
    with pytest.raises(ValueError, match="class"):
        metric.update(T([[1.0, 2.0, 3.0]]), T([1], ms.int32))
    with pytest.raises(ValueError, match="shape"):
        train.Accuracy().update(SCORES, T([1, 0], ms.int32))
