"""Collectives in a training loop of one's own, in PyNative mode, as MindSpore's tutorials write it, unchanged."""

import mindspore as ms
import mindspore.mint.distributed as dist
import numpy as np
from mindspore import Tensor, mint, nn, ops
from mindspore.mint.distributed import all_gather, all_reduce, broadcast, get_rank, get_world_size, init_process_group

ms.set_device("CPU")
ms.set_context(mode=ms.PYNATIVE_MODE)
init_process_group()
this_rank = get_rank()
rank_size = get_world_size()

# Messages around a ring.
next_rank, prev_rank = (this_rank + 1) % rank_size, (this_rank - 1) % rank_size
x = Tensor(np.full(3, this_rank), dtype=ms.float32)
out = mint.zeros(3, dtype=ms.float32)
if this_rank % 2 == 0:
    dist.send(x, next_rank)
    dist.recv(out, prev_rank)
else:
    dist.recv(out, prev_rank)
    dist.send(x, next_rank)
assert (out.asnumpy() == prev_rank).all()

# Parameters of rank 0 for all; gradients summed one by one, asynchronously.
ms.set_seed(this_rank)
net = nn.SequentialCell(nn.Dense(4, 8), nn.Tanh(), nn.Dense(8, 1))
for param in net.trainable_params():
    broadcast(param, src=0)
loss_fn = nn.MSELoss()
optimizer = nn.SGD(net.trainable_params(), 0.1)
grad_fn = ms.value_and_grad(lambda data, label: loss_fn(net(data), label), None, optimizer.parameters)
generator = np.random.default_rng(7)
data = generator.standard_normal((32, 4)).astype(np.float32)
label = np.sin(data.sum(1, keepdims=True))
share = slice(this_rank * 32 // rank_size, (this_rank + 1) * 32 // rank_size)
losses = []
for _ in range(60):
    loss, grads = grad_fn(Tensor(data[share]), Tensor(label[share]))
    handles = [all_reduce(grad, async_op=True) for grad in grads]
    for handle in handles:
        handle.wait()
    optimizer(tuple(grad / rank_size for grad in grads))
    total = loss.copy()
    all_reduce(total)
    losses.append(float(total) / rank_size)
assert losses[-1] < losses[0] / 2, losses

weights = [mint.zeros((8, 4), dtype=ms.float32) for _ in range(rank_size)]
all_gather(weights, net[0].weight.value())
assert all((each.asnumpy() == weights[0].asnumpy()).all() for each in weights)

# A group of its own, and objects.
group = dist.new_group(list(range(rank_size)))
total = Tensor([1.0])
all_reduce(total, group=group)
assert float(total) == rank_size
seen = [None] * rank_size
dist.all_gather_object(seen, {"rank": this_rank})
assert [each["rank"] for each in seen] == list(range(rank_size))
assert ops.AllReduce()(Tensor([2.0])).asnumpy()[0] == 2.0 * rank_size
dist.barrier()
dist.destroy_process_group()
print(f"rank {this_rank} is done")
