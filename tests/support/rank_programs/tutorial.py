"""Data parallel training as MindSpore's tutorials write it, unchanged."""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn
from mindspore.communication import get_group_size, get_rank, init

ms.set_context(mode=ms.GRAPH_MODE)
ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)
init()
ms.set_seed(1)


class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(28 * 28, 10, weight_init="normal", bias_init="zeros")
        self.relu = nn.ReLU()

    def construct(self, x):
        x = self.flatten(x)
        logits = self.relu(self.fc(x))
        return logits


net = Network()
images = np.random.default_rng(0).standard_normal((96, 28, 28)).astype(np.float32)
labels = (images[:, :5, 0] > 0).sum(1).astype(np.int32)


def create_dataset(batch_size):
    rank_id = get_rank()
    rank_size = get_group_size()
    dataset = ds.NumpySlicesDataset((images, labels), ["image", "label"], num_shards=rank_size, shard_id=rank_id)
    dataset = dataset.batch(batch_size)
    return dataset


data_set = create_dataset(8)
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.SGD(net.trainable_params(), 1e-2)


def forward_fn(data, target):
    logits = net(data)
    loss = loss_fn(logits, target)
    return loss, logits


grad_fn = ms.value_and_grad(forward_fn, None, net.trainable_params(), has_aux=True)
grad_reducer = nn.DistributedGradReducer(optimizer.parameters)
seen = []

for epoch in range(3):
    for image, label in data_set:
        (loss_value, _), grads = grad_fn(image, label)
        grads = grad_reducer(grads)
        optimizer(grads)
        if epoch == 0:
            seen.append(image.asnumpy())
    print(f"epoch: {epoch}, loss is {loss_value}")

# Each image was some process's, and the Parameters are the same everywhere.
rows = ms.ops.AllGather()(ms.Tensor(np.concatenate(seen))).asnumpy()
assert sorted(row[0, 0] for row in rows) == sorted(images[:, 0, 0])
weights = ms.ops.AllGather()(net.fc.weight.reshape((1, 10, 784))).asnumpy()
assert (weights[0] == weights[-1]).all()
print(f"rank {get_rank()} is done")
