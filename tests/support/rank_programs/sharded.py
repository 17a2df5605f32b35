"""Layers that are cut over processes, against the same network in one process: losses and Parameters of 20 steps."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import mycel as ms
from mycel import Parameter, Tensor, nn, ops
from mycel.communication import get_group_size, init

STEPS, BATCH = 20, 8
folder = Path(sys.argv[1])
init()
size = get_group_size()
ms.set_context(mode=ms.GRAPH_MODE)
ROWS = 2 if size == 4 else 1  # parts of the batch where layers are cut, too
COLUMNS = size // ROWS


class Mlp(nn.Cell):
    """Two layers: the first one is cut by columns, the second one by rows."""

    def __init__(self, parts: bool) -> None:
        super().__init__()
        self.up, self.down = nn.Dense(12, 16), nn.Dense(16, 6)
        self.relu, self.norm = ops.ReLU(), nn.LayerNorm((12,))
        if parts:
            self.up.matmul.shard(((ROWS, 1), (COLUMNS, 1)))
            self.up.bias_add.shard(((ROWS, COLUMNS), (COLUMNS,)))
            self.relu.shard(((ROWS, COLUMNS),))
            self.down.matmul.shard(((ROWS, COLUMNS), (1, COLUMNS)), ((size, 1),))

    def construct(self, x: Tensor) -> Tensor:
        return self.down(self.relu(self.up(self.norm(x))))


class Classifier(nn.Cell):
    """A table that is cut by rows, and classes that are cut."""

    def __init__(self, parts: bool) -> None:
        super().__init__()
        self.table = Parameter(Tensor(np.random.default_rng(1).standard_normal((20, 8)).astype(np.float32)), "table")
        self.weight = Parameter(Tensor(np.random.default_rng(2).standard_normal((8, 20)).astype(np.float32)), "weight")
        self.gather, self.matmul, self.mean = ops.Gather(), ops.MatMul(), ops.ReduceMean()
        if parts:
            self.gather.shard(((COLUMNS, 1), (ROWS, 1)))
            self.mean.shard(((size, 1, 1),))
            self.matmul.shard(((ROWS, 1), (1, COLUMNS)))

    def construct(self, x: Tensor) -> Tensor:
        return self.matmul(self.mean(self.gather(self.table, x, 0), 1), self.weight)


class Block(nn.Cell):
    """A block of a transformer: heads and hidden units are cut."""

    def __init__(self, parts: bool) -> None:
        super().__init__()
        self.table = nn.Embedding(20, 16)
        self.norms = nn.CellList([nn.LayerNorm((16,)), nn.LayerNorm((16,))])
        self.q, self.k, self.v, self.out = nn.Dense(16, 16), nn.Dense(16, 16), nn.Dense(16, 16), nn.Dense(16, 16)
        self.up, self.down, self.head = nn.Dense(16, 32), nn.Dense(32, 16), nn.Dense(16, 20)
        self.scores, self.mixed, self.softmax = ops.BatchMatMul(transpose_b=True), ops.BatchMatMul(), ops.Softmax()
        if parts:
            for layer in (self.q, self.k, self.v, self.up, self.head):
                layer.matmul.shard(((ROWS, 1), (COLUMNS, 1)))
            for layer in (self.out, self.down):
                layer.matmul.shard(((ROWS, COLUMNS), (1, COLUMNS)))
            heads = (ROWS, COLUMNS, 1, 1)
            self.scores.shard((heads, heads))
            self.softmax.shard((heads,))
            self.mixed.shard((heads, heads))
            self.table.gather.shard(((1, COLUMNS), (ROWS, 1)))

    def heads(self, x: Tensor) -> Tensor:
        return x.reshape((BATCH, 6, 4, 4)).transpose((0, 2, 1, 3))

    def construct(self, x: Tensor) -> Tensor:
        x = self.table(x)
        y = self.norms[0](x)
        q, k, v = self.heads(self.q(y)), self.heads(self.k(y)), self.heads(self.v(y))
        mixed = self.mixed(self.softmax(self.scores(q, k) * 0.5), v)
        x = x + self.out(mixed.transpose((0, 2, 1, 3)).reshape((BATCH, 6, 16)))
        x = x + self.down(ops.gelu(self.up(self.norms[1](x))))
        return self.head(x).reshape((-1, 20))


generator = np.random.default_rng(0)
tokens = generator.integers(0, 20, (STEPS, BATCH, 6)).astype(np.int32)
NETS: dict[str, tuple[Any, np.ndarray, np.ndarray]] = {
    "mlp": (
        Mlp, generator.standard_normal((STEPS, BATCH, 12)).astype(np.float32),
        generator.integers(0, 6, (STEPS, BATCH)).astype(np.int32),
    ),
    "classifier": (Classifier, tokens, tokens[:, :, 0]),
    "block": (Block, tokens, np.roll(tokens, -1, 2).reshape(STEPS, -1)),
}  # fmt: skip


def train(name: str) -> tuple[list[float], nn.Cell, nn.Cell]:
    """The losses of all steps, the network, and the step."""
    make, data, labels = NETS[name]
    ms.set_seed(3)
    net = make(size > 1)
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9, weight_decay=1e-3)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), optimizer).set_train()
    return [float(step(Tensor(x), Tensor(y))) for x, y in zip(data, labels, strict=True)], net, step


if size > 1:
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=size, dataset_strategy="full_batch")
for name in NETS:
    losses, net, step = train(name)
    again, _, _ = train(name)
    assert losses == again, name
    rank = ms.communication.get_rank()
    ms.save_checkpoint(net, str(folder / f"{name}{size}-{rank}.ckpt"))
    saved = ms.load_checkpoint(str(folder / f"{name}{size}-{rank}.ckpt"))
    own = [parameter._data.copy() for parameter in net.get_parameters()]
    ms.load_param_into_net(net, saved)  # whole numbers go into parts
    assert all(np.array_equal(p._data, numbers) for p, numbers in zip(net.get_parameters(), own, strict=True))
    held = sum(parameter._data.nbytes for parameter in net.get_parameters())
    whole = sum(np.prod(parameter.shape) * 4 for parameter in net.get_parameters())
    assert size == 1 or held < whole, name
    if rank == 0:
        np.savez(folder / f"{name}{size}.npz", np.array(losses), *[saved[key].asnumpy() for key in sorted(saved)])
print("done")
