"""Rates of confusion, as recorded from MindSpore 2.10, and errors."""

from __future__ import annotations

import numpy as np
import pytest

from mycel import Tensor, nn

GUESS = Tensor([[[0, 1, 1], [1, 0, 1]], [[1, 0, 0], [0, 1, 1]]])
TRUTH = Tensor([[[0, 1, 0], [1, 1, 1]], [[0, 1, 0], [1, 1, 1]]])
# Name, whether it is computed for each sample and class, how that is reduced, value.
RECORDED = [
    ("tpr", False, "mean", 0.625),
    ("tpr", True, "mean", 0.583333),
    ("tpr", True, "sum", 2.333333),
    ("specificity", False, "mean", 0.5),
    ("specificity", True, "mean", 0.5),
    ("specificity", True, "sum", 1.0),
    ("precision", False, "mean", 0.714286),
    ("precision", True, "mean", 0.625),
    ("precision", True, "sum", 2.5),
    ("npv", False, "mean", 0.4),
    ("npv", True, "mean", 0.375),
    ("npv", True, "sum", 1.5),
    ("miss_rate", False, "mean", 0.375),
    ("miss_rate", True, "mean", 0.416667),
    ("miss_rate", True, "sum", 1.666667),
    ("fall_out", False, "mean", 0.5),
    ("fall_out", True, "mean", 0.5),
    ("fall_out", True, "sum", 1.0),
    ("fdr", False, "mean", 0.285714),
    ("fdr", True, "mean", 0.375),
    ("fdr", True, "sum", 1.5),
    ("for", False, "mean", 0.6),
    ("for", True, "mean", 0.625),
    ("for", True, "sum", 2.5),
    ("pt", False, "mean", 0.472136),
    ("pt", True, "mean", 0.707107),
    ("pt", True, "sum", 1.414214),
    ("ts", False, "mean", 0.5),
    ("ts", True, "mean", 0.458333),
    ("ts", True, "sum", 1.833333),
    ("accuracy", False, "mean", 0.583333),
    ("accuracy", True, "mean", 0.583333),
    ("accuracy", True, "sum", 2.333333),
    ("ba", False, "mean", 0.5625),
    ("ba", True, "mean", 0.5),
    ("ba", True, "sum", 1.0),
    ("f1_score", False, "mean", 0.666667),
    ("f1_score", True, "mean", 0.566667),
    ("f1_score", True, "sum", 2.266667),
    ("mcc", False, "mean", 0.119523),
    ("mcc", True, "mean", 0.0),
    ("mcc", True, "sum", 0.0),
    ("fm", False, "mean", 0.668153),
    ("fm", True, "mean", 0.585025),
    ("fm", True, "sum", 2.3401),
    ("bm", False, "mean", 0.125),
    ("bm", True, "mean", 0.0),
    ("bm", True, "sum", 0.0),
    ("mk", False, "mean", 0.114286),
    ("mk", True, "mean", 0.0),
    ("mk", True, "sum", 0.0),
]


@pytest.mark.parametrize(("name", "each", "decrease", "expected"), RECORDED)
def test_rates(name, each, decrease, expected):
    metric = nn.ConfusionMatrixMetric(True, name, each, decrease)
    metric.update(GUESS, TRUTH)
    np.testing.assert_allclose(metric.eval(), expected, rtol=1e-5)
    assert each or metric.eval().shape == (1,)


def test_updates_add_up_and_a_class_may_be_left_out():
    metric = nn.ConfusionMatrixMetric(False, "recall")
    metric.update(GUESS, TRUTH)
    metric.update(TRUTH, TRUTH)
    assert metric.eval() == pytest.approx(10 / 12)
    metric.clear()
    metric.update(TRUTH, TRUTH)
    assert metric.eval() == 1.0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: nn.ConfusionMatrixMetric(metric_name="luck"), NotImplementedError, "no metric 'luck'"),
        (lambda: nn.ConfusionMatrixMetric(decrease="least"), ValueError, "decrease"),
        (lambda: nn.ConfusionMatrixMetric().update(GUESS, TRUTH[:, :1]), ValueError, "one shape"),
        (lambda: nn.ConfusionMatrixMetric().update(GUESS, TRUTH * 2), ValueError, "zeros and ones"),
        (lambda: nn.ConfusionMatrixMetric(calculation_method=True).eval(), RuntimeError, "no samples"),
    ],
)
def test_errors(call, error, message):
    with pytest.raises(error, match=message):
        call()
