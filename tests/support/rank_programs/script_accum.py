"""Gradients accumulated over steps, reduced and clipped in a Cell of one's own, as MindSpore's tutorials write it."""

import sys

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.communication import get_group_size, get_rank, init

ms.set_context(mode=ms.GRAPH_MODE)
init()
ms.set_auto_parallel_context(
    parallel_mode="data_parallel", gradients_mean=True, device_num=get_group_size(), global_rank=get_rank()
)
ms.set_seed(1)
rank, size = get_rank(), get_group_size()


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense1 = nn.Dense(16, 32, activation="relu")
        self.dense2 = nn.Dense(32, 4)

    def construct(self, x):
        return self.dense2(self.dense1(x))


class Accumulate(nn.Cell):
    def __init__(self, net, loss_fn, optimizer, steps):
        super().__init__(auto_prefix=False)
        self.net, self.loss_fn, self.optimizer = net, loss_fn, optimizer
        self.weights = optimizer.parameters
        self.inner = self.weights.clone(prefix="accum_", init="zeros")
        self.counter = Parameter(Tensor(0, ms.int32), name="counter_")
        self.steps = steps
        self.reducer = nn.DistributedGradReducer(self.weights)
        self.hyper_map = ops.HyperMap()
        self.grad_fn = ops.value_and_grad(self.forward, None, self.weights)

    def forward(self, x, y):
        return self.loss_fn(self.net(x), y)

    def construct(self, x, y):
        loss, grads = self.grad_fn(x, y)
        loss = ops.depend(loss, self.hyper_map(ops.partial(add_grad), self.inner, grads))
        self.counter = self.counter + 1
        if self.counter % self.steps == 0:
            total = self.hyper_map(ops.partial(scale, Tensor(1.0 / self.steps, ms.float32)), self.inner)
            total = self.reducer(total)
            total = ops.clip_by_global_norm(total, 0.5)
            self.optimizer(total)
            self.hyper_map(ops.partial(zero), self.inner)
        return loss


add_grad = ops.MultitypeFuncGraph("add_grad")


@add_grad.register("Tensor", "Tensor")
def _add(a, g):
    return ops.assign_add(a, g)


scale = ops.MultitypeFuncGraph("scale")


@scale.register("Tensor", "Tensor")
def _scale(s, g):
    return g * s


zero = ops.MultitypeFuncGraph("zero")


@zero.register("Tensor")
def _zero(a):
    return ops.assign(a, ops.zeros_like(a))


rng = np.random.default_rng(0)
X = rng.standard_normal((96, 16)).astype(np.float32)
Y = rng.integers(0, 4, 96).astype(np.int32)
data = ds.NumpySlicesDataset({"x": X, "y": Y}, shuffle=False, num_shards=size, shard_id=rank).batch(24 // size)
net = Net()
opt = nn.AdamWeightDecay(net.trainable_params(), learning_rate=0.01)
step = Accumulate(net, nn.CrossEntropyLoss(), opt, 2)
losses = []
for _epoch in range(3):
    for x, y in data.create_tuple_iterator():
        loss = step(x, y)
        losses.append(float(ops.AllReduce()(loss) / size))
np.savez(sys.argv[1] + f"_{rank}", losses=losses, **{k: v.asnumpy() for k, v in net.parameters_dict().items()})
print(f"rank {rank} is done")
