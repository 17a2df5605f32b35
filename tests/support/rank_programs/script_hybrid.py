"""A transformer cut over data and model, as MindSpore's tutorials write it."""

import sys

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.communication import get_group_size, get_rank, init
from mindspore.parallel.auto_parallel import AutoParallel

ms.set_context(mode=ms.GRAPH_MODE)
init()
rank, size = get_rank(), get_group_size()
dp, mp = (size // 2, 2) if size > 1 else (1, 1)
ms.set_seed(3)


class Block(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.width = heads, width
        self.q, self.k, self.v, self.o = (nn.Dense(width, width) for _ in range(4))
        for d in (self.q, self.k, self.v):
            d.matmul.shard(((dp, 1), (mp, 1)))
            d.bias_add.shard(((dp, mp), (mp,)))
        self.o.matmul.shard(((dp, mp), (1, mp)))
        self.o.bias_add.shard(((dp, 1), (1,)))
        self.qk = ops.BatchMatMul(transpose_b=True).shard(((dp, mp, 1, 1), (dp, mp, 1, 1)))
        self.av = ops.BatchMatMul().shard(((dp, mp, 1, 1), (dp, mp, 1, 1)))
        self.softmax = ops.Softmax(-1).shard(((dp, mp, 1, 1),))
        self.up, self.down = nn.Dense(width, 4 * width), nn.Dense(4 * width, width)
        self.up.matmul.shard(((dp, 1), (mp, 1)))
        self.down.matmul.shard(((dp, mp), (1, mp)))
        self.gelu = ops.GeLU().shard(((dp, mp),))
        self.norm = nn.LayerNorm((width,))

    def split(self, x, b, t):
        return x.reshape((b, t, self.heads, self.width // self.heads)).transpose(0, 2, 1, 3)

    def construct(self, x, b, t):
        q, k, v = self.split(self.q(x), b, t), self.split(self.k(x), b, t), self.split(self.v(x), b, t)
        a = self.av(self.softmax(self.qk(q, k) / 2.0), v)
        x = x + self.o(a.transpose(0, 2, 1, 3).reshape((b * t, self.width)))
        return self.norm(x + self.down(self.gelu(self.up(x))))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 16)
        self.embed.gather.shard(((mp, 1), (dp, 1)))
        self.block = Block(16, 4)
        self.head = nn.Dense(16, 20, has_bias=False)
        self.head.matmul.shard(((dp, 1), (mp, 1)))

    def construct(self, ids):
        b, t = ids.shape
        x = self.embed(ids).reshape((b * t, 16))
        return self.head(self.block(x, b, t))


class WithLoss(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.loss = nn.CrossEntropyLoss()

    def construct(self, ids, target):
        return self.loss(self.net(ids), target.reshape((-1,)))


net = Net()
opt = nn.Momentum(net.trainable_params(), 0.2, 0.9)
step = nn.TrainOneStepCell(WithLoss(net), opt)
if "auto" in sys.argv:
    step = AutoParallel(step, parallel_mode="semi_auto")
    step.dataset_strategy("full_batch")
else:
    ms.set_auto_parallel_context(
        parallel_mode="semi_auto_parallel",
        device_num=size,
        dataset_strategy="full_batch",
        enable_parallel_optimizer="zero" in sys.argv,
    )
rng = np.random.default_rng(0)
losses = []
for _i in range(10):
    ids = rng.integers(0, 20, (4, 6)).astype(np.int32)
    losses.append(float(step(Tensor(ids), Tensor((ids * 3 + 1) % 20))))
ms.save_checkpoint(net, sys.argv[1] + ".ckpt")
d = ms.load_checkpoint(sys.argv[1] + ".ckpt")
print(f"rank {rank} is done")
np.savez(sys.argv[1] + f"_{rank}", losses=losses, **{k: v.asnumpy() for k, v in d.items()})
