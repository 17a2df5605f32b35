"""Operators in parts (semi-automatic parallelism), as MindSpore's tutorials write it, unchanged."""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn, ops
from mindspore.common.initializer import initializer
from mindspore.communication import get_group_size, get_rank, init

ms.set_context(mode=ms.GRAPH_MODE)
ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.SEMI_AUTO_PARALLEL, full_batch=True, gradients_mean=True)
init()
ms.set_seed(1)
parts = get_group_size()


class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.flatten = ops.Flatten()
        self.fc1_weight = ms.Parameter(initializer("normal", [6 * 6, 32], ms.float32))
        self.fc2_weight = ms.Parameter(initializer("normal", [32, 32], ms.float32))
        self.fc3_weight = ms.Parameter(initializer("normal", [32, 10], ms.float32))
        self.matmul1 = ops.MatMul()
        self.relu1 = ops.ReLU()
        self.matmul2 = ops.MatMul()
        self.relu2 = ops.ReLU()
        self.matmul3 = ops.MatMul()

    def construct(self, x):
        x = self.flatten(x)
        x = self.matmul1(x, self.fc1_weight)
        x = self.relu1(x)
        x = self.matmul2(x, self.fc2_weight)
        x = self.relu2(x)
        return self.matmul3(x, self.fc3_weight)


net = Network()
net.matmul1.shard(((1, parts), (parts, 1)))
net.relu1.shard(((parts, 1),))
net.matmul2.shard(((1, 1), (1, parts)))
net.relu2.shard(((1, parts),))


def create_dataset(batch_size):
    generator = np.random.default_rng(0)
    images = generator.standard_normal((64, 6, 6)).astype(np.float32)
    labels = (images[:, :, 0] > 0).sum(1).astype(np.int32)
    return ds.NumpySlicesDataset((images, labels), ["image", "label"], shuffle=False).batch(batch_size)


data_set = create_dataset(16)
optimizer = nn.Adam(net.trainable_params(), 1e-2)
loss_fn = nn.CrossEntropyLoss()


def forward_fn(data, target):
    logits = net(data)
    loss = loss_fn(logits, target)
    return loss, logits


grad_fn = ms.value_and_grad(forward_fn, None, net.trainable_params(), has_aux=True)


@ms.jit
def train_step(inputs, targets):
    (loss_value, _), grads = grad_fn(inputs, targets)
    optimizer(grads)
    return loss_value


losses = []
for epoch in range(16):
    for image, label in data_set:
        loss_output = train_step(image, label)
        losses.append(float(loss_output.asnumpy()))
    if get_rank() == 0:
        print(f"epoch: {epoch}, loss is {loss_output}")
assert losses[-1] < losses[0] / 2, losses
assert net.fc2_weight.asnumpy().shape == (32, 32 // parts)
print(f"rank {get_rank()} is done")
