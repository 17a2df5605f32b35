"""A model that fits a line: its network, and its data behind the methods of datasets."""

from __future__ import annotations

from typing import Any

import numpy as np

from mycel import Model, Tensor, nn

INPUTS = np.array([[1.0], [2.0], [3.0], [4.0]], np.float32)
BATCHES = [(INPUTS[:2], 2 * INPUTS[:2]), (INPUTS[2:], 2 * INPUTS[2:])]


class Dataset:
    """Batches behind the methods of MindSpore's datasets."""

    def __init__(self, batches: Any = tuple(BATCHES)) -> None:
        self.batches = batches
        self.passes = 0

    def get_dataset_size(self) -> int:
        return len(self.batches)

    def create_tuple_iterator(self, num_epochs: int = -1, output_numpy: bool = False) -> Any:
        self.passes += 1
        return iter([[Tensor(part) for part in batch] for batch in self.batches])


def line(**options: Any) -> nn.Cell:
    """A line through zero, without weights yet."""
    return nn.Dense(1, 1, weight_init="zeros", bias_init="zeros", **options)


def model_of(rate: Any = 0.02, **options: Any) -> tuple[nn.Cell, Model]:
    """A line and its model."""
    net = line()
    return net, Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), rate), **options)
