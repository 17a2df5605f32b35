"""Dynamic loss scaling, with overflow on one process, as MindSpore's tutorials write it."""

import sys

import mindspore as ms
import numpy as np
from mindspore import Tensor, amp, nn, ops
from mindspore.communication import get_group_size, get_rank, init

ms.set_context(mode=ms.GRAPH_MODE)
init()
rank, size = get_rank(), get_group_size()
ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)
ms.set_seed(2)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, has_bias=True)
        self.bn = nn.SyncBatchNorm(4)
        self.fc = nn.Dense(4 * 8 * 8, 3)

    def construct(self, x):
        return self.fc(ops.flatten(ops.relu(self.bn(self.conv(x)))))


net = Net()
net = amp.auto_mixed_precision(net, "O0")
loss_fn = nn.CrossEntropyLoss()
opt = nn.Momentum(net.trainable_params(), 0.05, 0.9)
scaler = amp.DynamicLossScaler(scale_value=2**10, scale_factor=2, scale_window=3)


def forward(x, y):
    logits = net(x)
    loss = loss_fn(logits, y)
    return scaler.scale(loss), logits


grad_fn = ms.value_and_grad(forward, None, opt.parameters, has_aux=True)
reducer = nn.DistributedGradReducer(opt.parameters)


@ms.jit
def train_step(x, y):
    (loss, _), grads = grad_fn(x, y)
    loss = scaler.unscale(loss)
    grads = reducer(grads)
    finite = amp.all_finite(grads)
    scaler.adjust(finite)
    if finite:
        opt(scaler.unscale(grads))
    return loss, finite


rng = np.random.default_rng(0)
losses, flags, scales = [], [], []
for i in range(10):
    X = rng.standard_normal((8, 1, 8, 8)).astype(np.float32)
    Y = rng.integers(0, 3, 8).astype(np.int32)
    if i == 4:
        X[7] = np.inf  # only the last rank has it
    k = 8 // size
    loss, finite = train_step(Tensor(X[rank * k : (rank + 1) * k]), Tensor(Y[rank * k : (rank + 1) * k]))
    losses.append(float(ops.AllReduce()(ops.nan_to_num(loss)) / size) if i != 4 else 0)
    flags.append(bool(finite))
    scales.append(float(scaler.scale_value))
print(f"rank {rank} is done")
np.savez(
    sys.argv[1] + f"_{rank}",
    losses=losses,
    flags=flags,
    scales=scales,
    **{k: v.asnumpy() for k, v in net.parameters_dict().items()},
)
