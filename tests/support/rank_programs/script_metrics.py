"""Metrics, dropout, loss scaling, shards of uneven data and comm_func, as MindSpore's tutorials write it."""

import sys

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, nn, ops, train
from mindspore.communication import (
    comm_func,
    get_group_size,
    get_rank,
    init,
)

ms.set_context(mode=ms.PYNATIVE_MODE if "py" in sys.argv else ms.GRAPH_MODE)
init("mccl")
rank, size = get_rank(), get_group_size()
ms.set_seed(1)
ms.set_auto_parallel_context(
    parallel_mode="data_parallel",
    gradients_mean="sum" not in sys.argv,
    comm_fusion={"allreduce": {"mode": "size", "config": 1}},
    all_reduce_fusion_config=[1, 3],
)
assert ms.get_auto_parallel_context("parallel_mode") == "data_parallel"
x = ops.ones((64, 64))
m = ops.dropout(x, 0.5, training=True)
rows = ops.AllGather()(m.reshape((1, -1))).asnumpy()
assert size == 1 or (rows[0] != rows[1]).any()
same = ops.AllGather()(ms.ops.standard_normal((1, 8))).asnumpy()
assert (same[0] == same[-1]).all()


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.d = nn.Dense(6, 3)

    def construct(self, x):
        return self.d(x)


net = Net()
opt = nn.Lamb(net.trainable_params(), 0.01)
cell = nn.TrainOneStepWithLossScaleCell(
    nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")),
    opt,
    nn.DynamicLossScaleUpdateCell(2**8, 2, 3),
)
cell.set_train()
rng = np.random.default_rng(0)
X = rng.standard_normal((70, 6)).astype(np.float32)
Y = rng.integers(0, 3, 70).astype(np.int32)
losses = []
for i in range(6):
    k = 8 // size
    s = i * 8 + rank * k
    xb = X[s : s + k].copy()
    loss, over, scale = cell(Tensor(xb), Tensor(Y[s : s + k]))
    losses.append(float(ops.AllReduce()(loss)) / size)
# uneven shards: all have equally many rows
d = ds.NumpySlicesDataset((X, Y), ["x", "y"], shuffle=False, num_shards=size, shard_id=rank).batch(5)
n = d.get_dataset_size()
cnt = sum(len(b[0]) for b in d.create_tuple_iterator())
allc = ops.AllGather()(Tensor([cnt])).asnumpy()
assert len(set(allc.tolist())) == 1, allc
metrics = {
    "acc": train.Accuracy(),
    "f1": train.F1(),
    "loss": train.Loss(),
    "conf": train.ConfusionMatrix(3),
    "prec": train.Precision(),
    "rec": train.Recall(),
}
model = train.Model(
    net,
    nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
    opt,
    metrics={k: metrics[k] for k in ("acc", "f1", "loss", "prec", "rec")},
)
k = 64 // size
dd = ds.NumpySlicesDataset((X[:64], Y[:64]), ["x", "y"], shuffle=False, num_shards=size, shard_id=rank).batch(
    32 // size
)
ev = model.eval(dd)
out, h = comm_func.all_reduce(Tensor([1.0, rank]), async_op=True)
h.wait()
assert out.asnumpy().tolist() == [size, sum(range(size))]
g, _ = comm_func.all_gather_into_tensor(Tensor([float(rank)]))
assert g.asnumpy().tolist() == list(range(size))
s = comm_func.scatter_tensor(Tensor(np.arange(size * 2, dtype=np.float32)), src=0)
assert s.asnumpy().tolist() == [2 * rank, 2 * rank + 1]
a, _ = comm_func.all_to_all_single_with_output_shape((size,), Tensor(np.full(size, float(rank), np.float32)))
assert a.asnumpy().tolist() == list(range(size))
print(f"rank {rank} is done")
np.savez(
    sys.argv[1] + f"_{rank}",
    losses=losses,
    ev=np.concatenate([np.ravel(ev[k]) for k in sorted(ev)]),
    **{k: v.asnumpy() for k, v in net.parameters_dict().items()},
)
