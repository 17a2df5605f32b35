"""mint.distributed in PyNative mode, as MindSpore's tutorials write it."""

import sys

import mindspore as ms
import mindspore.mint.distributed as dist
import numpy as np
from mindspore import Tensor, mint

ms.set_context(mode=ms.PYNATIVE_MODE)
dist.init_process_group(backend="mccl")
rank, size = dist.get_rank(), dist.get_world_size()
ms.set_seed(10 + rank)
net = mint.nn.Sequential(mint.nn.Linear(12, 32), mint.nn.GELU(), mint.nn.Linear(32, 5))
if rank == 0:
    ms.set_seed(10)
for p in net.get_parameters():
    dist.broadcast(p, src=0)
halves = (
    [dist.new_group(list(range(0, size, 2))), dist.new_group(list(range(1, size, 2)))] if size > 1 else [None, None]
)
mine = halves[rank % 2]
opt = mint.optim.AdamW(net.trainable_params(), lr=0.01)
loss_fn = mint.nn.CrossEntropyLoss()
grad_fn = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, net.trainable_params())
rng = np.random.default_rng(0)
losses = []
for _i in range(12):
    X = rng.standard_normal((16, 12)).astype(np.float32)
    Y = rng.integers(0, 5, 16).astype(np.int32)
    k = 16 // size
    loss, grads = grad_fn(Tensor(X[rank * k : (rank + 1) * k]), Tensor(Y[rank * k : (rank + 1) * k]))
    handles = [dist.all_reduce(g, op="sum", async_op=True) for g in grads]
    loss = loss.copy()
    dist.all_reduce(loss)
    for h in reversed(handles):
        if h is not None:
            h.wait()
    opt(tuple(g / size for g in grads))
    losses.append(float(loss) / size)
if size > 1:
    t = Tensor([float(rank)])
    dist.all_reduce(t, group=mine)
    assert float(t[0]) == sum(range(rank % 2, size, 2)), t
    outs = [mint.zeros((2,)) for _ in range(size)]
    h = dist.all_gather(outs, Tensor([rank, rank + 1.0]).astype(ms.float32), async_op=True)
    h.wait()
    assert [float(o[0]) for o in outs] == list(range(size))
    objs = [None] * size
    dist.all_gather_object(objs, {"rank": rank, "x": [1, 2]})
    assert [o["rank"] for o in objs] == list(range(size))
    r = mint.zeros((3,))
    if rank == 0:
        dist.send(Tensor(np.arange(3, dtype=np.float32)), dst=1)
    elif rank == 1:
        dist.recv(r, src=0)
        assert r.asnumpy().tolist() == [0, 1, 2]
    ops_ = [
        dist.P2POp("isend", Tensor([float(rank)]), (rank + 1) % size),
        dist.P2POp("irecv", (got := mint.zeros((1,))), (rank - 1) % size),
    ]
    for h in dist.batch_isend_irecv(ops_):
        h.wait()
    assert float(got[0]) == (rank - 1) % size
    assert dist.get_global_rank(mine, 0) == rank % 2
    assert dist.get_group_rank(mine, rank) == rank // 2
    assert len(dist.get_process_group_ranks(mine)) == size // 2
    dist.barrier(mine)
    dist.destroy_process_group(mine)
print(f"rank {rank} is done")
np.savez(sys.argv[1] + f"_{rank}", losses=losses, **{k: v.asnumpy() for k, v in net.parameters_dict().items()})
dist.destroy_process_group()
