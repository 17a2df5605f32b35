"""Layers in parts by AutoParallel, as MindSpore's newer tutorials write it, unchanged."""

import mindspore as ms
import numpy as np
from mindspore import nn, ops
from mindspore.communication import get_group_size, get_rank, init
from mindspore.nn.utils import no_init_parameters
from mindspore.parallel.auto_parallel import AutoParallel

ms.set_context(mode=ms.GRAPH_MODE)
init()
parts = get_group_size()
generator = np.random.default_rng(0)
data = ms.Tensor(generator.standard_normal((16, 12)).astype(np.float32))
label = ms.Tensor((generator.standard_normal(16) > 0).astype(np.int32))


class Network(nn.Cell):
    def __init__(self, first, second):
        super().__init__()
        self.fc1, self.relu, self.fc2 = nn.Dense(12, 32), nn.ReLU(), nn.Dense(32, 2)
        if first:
            self.fc1.matmul.shard(((1, 1), (parts, 1)))
        if second:
            self.fc2.matmul.shard(((1, parts), (1, parts)))

    def construct(self, x):
        return self.fc2(self.relu(self.fc1(x)))


def train(mode, first, second):
    ms.set_seed(1)
    with no_init_parameters():
        net = Network(first, second)
        optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    loss_fn = nn.CrossEntropyLoss()

    def forward_fn(data, target):
        logits = net(data)
        return loss_fn(logits, target), logits

    grad_fn = ms.value_and_grad(forward_fn, None, net.trainable_params(), has_aux=True)

    class TrainStep(nn.Cell):
        def __init__(self):
            super().__init__()
            self.network = net
            self.optimizer = optimizer

        def construct(self, data, target):
            (loss_value, _), grads = grad_fn(data, target)
            return ops.depend(loss_value, self.optimizer(grads))

    parallel_net = TrainStep()
    if mode:
        parallel_net = AutoParallel(parallel_net, parallel_mode=mode)
        parallel_net.dataset_strategy("full_batch")
    losses = [float(parallel_net(data, label).asnumpy()) for _ in range(20)]
    return losses, net


expected, _ = train(None, False, False)
for mode, first, second in (("semi_auto", True, True), ("sharding_propagation", True, False)):
    losses, net = train(mode, first, second)
    np.testing.assert_allclose(losses, expected, rtol=1e-5)
    assert net.fc1.weight.asnumpy().shape == (32 // parts, 12)
    assert losses[-1] < losses[0] / 2, losses
print(f"rank {get_rank()} is done")
