"""Attributes of MindSpore's metrics and schedules that subclasses read."""

from __future__ import annotations

import numpy as np
import pytest

from mycel import Tensor, nn

SCORES = Tensor(np.array([[0.2, 0.8], [0.9, 0.1], [0.7, 0.3]], np.float32))
LABELS = Tensor(np.array([1, 0, 1]))


class Percent(nn.Accuracy):
    """The accuracy in percent."""

    def eval(self) -> float:
        return 100 * self._correct_num / self._total_num


def test_accuracy() -> None:
    metric = Percent()
    metric.update(SCORES, LABELS)
    assert metric.eval() == pytest.approx(200 / 3)


@pytest.mark.parametrize(
    ("metric", "inputs", "names"),
    [
        (nn.Loss(), (Tensor(2.0),), {"_sum_loss": 2.0, "_total_num": 1}),
        (nn.MAE(), (SCORES, SCORES + 1), {"_abs_error_sum": 6.0, "_samples_num": 3}),
        (nn.MSE(), (SCORES, SCORES + 1), {"_squared_error_sum": 6.0, "_samples_num": 3}),
        (nn.TopKCategoricalAccuracy(1), (SCORES, LABELS), {"_correct_num": 2, "_samples_num": 3}),
        (nn.Precision(), (SCORES, LABELS), {"_true_positives": [1, 1], "_positives": [2, 1]}),
        (nn.Recall(), (SCORES, LABELS), {"_true_positives": [1, 1], "_actual_positives": [1, 2]}),
        (nn.ConfusionMatrix(2), (LABELS, LABELS), {"confusion_matrix": [[1, 0], [0, 2]], "_is_update": True}),
        (nn.Dice(), (Tensor([[1.0]]), Tensor([[1.0]])), {"_dice_coeff_sum": 1.0, "_samples_num": 1}),
    ],
)
def test_counts(metric: nn.Metric, inputs: tuple[Tensor, ...], names: dict[str, object]) -> None:
    metric.update(*inputs)
    for name, value in names.items():
        np.testing.assert_allclose(getattr(metric, name), value, rtol=1e-4)


class Restarted(nn.ExponentialDecayLR):
    """A schedule that writes the base's formula itself."""

    def construct(self, global_step: Tensor) -> Tensor:
        share = self.cast(global_step, self.decay_rate_dtype) / self.decay_steps
        return self.learning_rate * self.pow(self.decay_rate, share)

    decay_rate_dtype = Tensor(1.0).dtype


def test_schedule() -> None:
    step = Tensor(3)
    expected = nn.ExponentialDecayLR(0.1, 0.5, 2)(step)
    assert float(Restarted(0.1, 0.5, 2)(step)) == pytest.approx(float(expected))
