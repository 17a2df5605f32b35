"""A recogniser of text as projects write it for MindSpore: names of its internal modules, a decoder derived from
RNNCellBase, an initializer of its own, Model with a callback. The numbers are MindSpore 2.10's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms

PROGRAM = """
import mindspore as ms
import mindspore.dataset as ds
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from mindspore import Model, Tensor
from mindspore._checkparam import twice
from mindspore.common.initializer import (
    Initializer, _assignment, _calculate_fan_in_and_fan_out, _register, initializer,
)
from mindspore.nn.layer.rnn_cells import RNNCellBase, _gru_cell
from mindspore.train.callback import Callback
from mindspore.train.model import ParallelMode
from mindspore.parallel._utils import _get_device_num, _is_sharding_propagation

assert tuple(map(int, ms.__version__.split(".")[:2])) >= (2, 0)
assert ParallelMode.STAND_ALONE == "stand_alone" and _get_device_num() == 1 and not _is_sharding_propagation()


@_register("waves")
class Waves(Initializer):
    def _initialize(self, arr):
        fan_in, fan_out = _calculate_fan_in_and_fan_out(arr.shape)
        _assignment(arr, np.sin(np.arange(arr.size)).reshape(arr.shape) * (1 / fan_in + 1 / fan_out))


class Decoder(RNNCellBase):
    def __init__(self, input_size, hidden_size):
        super().__init__(input_size, hidden_size, True, num_chunks=3)

    def construct(self, x, h):
        return _gru_cell(x, h, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)


class Recogniser(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, twice(3), weight_init="waves", has_bias=True, bias_init="zeros")
        self.decoder = Decoder(8, 6)
        for parameter in self.decoder.get_parameters():
            parameter.set_data(initializer("waves" if parameter.ndim == 2 else "zeros", parameter.shape))
        self.out = nn.Dense(6, 3)
        self.out.weight.set_data(Tensor(np.linspace(-1, 1, 18).reshape(3, 6), ms.float32))
        self.out.bias.set_data(Tensor(np.arange(3), ms.float32))

    def construct(self, x):
        features = ops.relu(self.conv(x)).mean(3)
        rows = features.shape[0]
        h, found = ops.zeros((rows, 6), ms.float32), []
        for step in range(4):
            h = self.decoder(features[:, :, 2 * step : 2 * step + 2].reshape(rows, -1), h)
            found.append(self.out(h))
        return ops.stack(found, 1)


class WithLoss(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def construct(self, x, y):
        return ops.cross_entropy(self.net(x).reshape(-1, 3), y.reshape(-1))


class Losses(Callback):
    def __init__(self):
        self.found = []

    def step_end(self, run_context):
        self.found.append(float(np.asarray(run_context.original_args().net_outputs)))


def train():
    random = np.random.RandomState(0)
    images = random.randn(6, 1, 8, 8).astype(np.float32)
    labels = random.randint(0, 3, (6, 4)).astype(np.int32)
    net, losses = Recogniser(), Losses()
    data = ds.GeneratorDataset(list(zip(images, labels)), ["x", "y"], shuffle=False).batch(3)
    model = Model(WithLoss(net), optimizer=nn.Adam(net.trainable_params(), 0.05))
    model.train(3, data, callbacks=[losses], dataset_sink_mode=False)
    return losses.found, float(sum((p.asnumpy() ** 2).sum() for p in net.get_parameters()))
"""


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_it_trains_as_in_mindspore(mode: int, tmp_path: Path, as_without_mindspore: None) -> None:
    ms.install_as_mindspore()
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, "utf-8")
    program: dict[str, Any] = {"__name__": "program", "__file__": str(path)}
    exec(compile(PROGRAM, str(path), "exec"), program)
    ms.set_context(mode=mode)
    try:
        losses, squares = program["train"]()
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    np.testing.assert_allclose(losses, [1.5704, 0.9657, 1.1761, 1.0788, 1.0661, 0.9949], atol=2e-4)
    assert squares == pytest.approx(19.341, abs=2e-3)
