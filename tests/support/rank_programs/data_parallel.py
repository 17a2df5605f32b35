"""n processes with batches of B / n against one process with batches of B: losses, Parameters, files and metrics."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import mycel as ms
from mycel import Parameter, Tensor, nn, ops
from mycel.communication import create_group, get_group_size, get_rank, init
from mycel.library.distributed.data_parallel import gather_arrays

STEPS, BATCH = 20, 16
folder = Path(sys.argv[1])
init()
rank, size = get_rank(), get_group_size()


class Block(nn.Cell):
    """Attention and a layer, as in a GPT."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm((width,))
        self.inner, self.outer = nn.Dense(width, 3 * width), nn.Dense(width, width)
        self.width = width

    def construct(self, x: Tensor) -> Tensor:
        q, k, v = ops.split(self.inner(self.norm(x)), self.width, axis=2)
        scores = ops.softmax(ops.bmm(q, k.swapaxes(1, 2)) / self.width**0.5)
        return x + self.outer(ops.gelu(ops.bmm(scores, v)))


class Gpt(nn.Cell):
    """A language model of one block."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(20, 16)
        self.block = Block(16)
        self.head = nn.Dense(16, 20)

    def construct(self, x: Tensor) -> Tensor:
        return self.head(self.block(self.table(x))).reshape(-1, 20)


def lenet() -> nn.Cell:
    return nn.SequentialCell(
        nn.Conv2d(1, 4, 3, pad_mode="valid"), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Conv2d(4, 6, 3, pad_mode="valid"),
        nn.ReLU(), nn.Flatten(), nn.Dense(6 * 9, 10),
    )  # fmt: skip


def large() -> nn.Cell:
    """As the net of 100 MB, but narrower."""
    hidden = [layer for _ in range(6) for layer in (nn.Dense(256, 256), nn.ReLU())]
    return nn.SequentialCell(*hidden, nn.Dense(256, 10))


def mlp() -> nn.Cell:
    return nn.SequentialCell(nn.Dense(12, 24), nn.SyncBatchNorm(24), nn.Tanh(), nn.Dense(24, 10))


generator = np.random.default_rng(0)
classes = generator.integers(0, 10, (STEPS, BATCH)).astype(np.int32)
tokens = generator.integers(0, 20, (STEPS, BATCH, 8)).astype(np.int32)
NETS: dict[str, tuple[Any, np.ndarray, np.ndarray]] = {
    "mlp": (mlp, generator.standard_normal((STEPS, BATCH, 12)).astype(np.float32), classes),
    "lenet": (lenet, generator.standard_normal((STEPS, BATCH, 1, 12, 12)).astype(np.float32), classes),
    "large": (large, generator.standard_normal((STEPS, BATCH, 256)).astype(np.float32), classes),
    "gpt": (Gpt, tokens, np.roll(tokens, -1, 2).reshape(STEPS, BATCH, 8)),
}


def train(name: str, parts: int, part: int, broadcast: bool = False) -> tuple[list[float], nn.Cell]:
    """The losses of all steps, and the network, in one of so many processes."""
    make, data, labels = NETS[name]
    ms.set_seed(3 + (part if broadcast else 0))
    ms.set_auto_parallel_context(
        parallel_mode="data_parallel" if parts > 1 else "stand_alone",
        gradients_mean=True,
        parameter_broadcast=broadcast,
    )
    net = make()
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9, weight_decay=1e-3)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), optimizer).set_train()
    share = BATCH // parts
    own = slice(part * share, (part + 1) * share)
    losses = []
    for x, y in zip(data[:, own], labels[:, own], strict=True):
        losses.append(float(step(Tensor(x), Tensor(y.reshape(-1)))))
    return losses, net


def numbers(net: nn.Cell) -> list[np.ndarray]:
    return [parameter.asnumpy() for parameter in net.get_parameters()]


for name in NETS:
    losses, net = train(name, size, rank)
    again, same = train(name, size, rank)
    assert losses == again, name
    for one, other in zip(numbers(net), numbers(same), strict=True):
        np.testing.assert_array_equal(one, other, err_msg=name)
    everyone = gather_arrays(numbers(net))
    for one, other in zip(everyone[0], everyone[-1], strict=True):
        np.testing.assert_array_equal(one, other, err_msg=name)
    mean = np.mean(gather_arrays([np.array(losses)]), axis=0)[0]
    if rank == 0:
        np.savez(folder / f"{name}.npz", mean, *numbers(net))

# Other seeds on each process: broadcasting makes the Parameters equal all the same.
_, net = train("lenet", size, rank, broadcast=True)
everyone = gather_arrays(numbers(net))
for one, other in zip(everyone[0], everyone[-1], strict=True):
    np.testing.assert_array_equal(one, other)

# Dropout differs between the processes; other draws do not.
ms.set_auto_parallel_context(parallel_mode="data_parallel", parameter_broadcast=False)
ms.set_seed(5)
masks = gather_arrays([ops.dropout(ops.ones((50,))).asnumpy(), ops.rand(50).asnumpy()])
assert size == 1 or not np.array_equal(masks[0][0], masks[-1][0])
np.testing.assert_array_equal(masks[0][1], masks[-1][1])

# Metrics are of all data; a checkpoint is written once.
net = lenet()
data = [(Tensor(NETS["lenet"][1][0]), Tensor(classes[0])), (Tensor(NETS["lenet"][1][1]), Tensor(classes[1]))]
share = BATCH // size
own = slice(rank * share, (rank + 1) * share)
shards = [(x[own], y[own]) for x, y in data]
model = ms.Model(net, nn.CrossEntropyLoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"accuracy", "loss"})
config = ms.train.CheckpointConfig(save_checkpoint_steps=1)
model.train(1, shards, ms.train.ModelCheckpoint("net", str(folder / "saved"), config))
assert sorted(path.name for path in (folder / "saved").glob("*.ckpt")) == ["net-1_1.ckpt", "net-1_2.ckpt"]
found = model.eval(shards)
right = (model.predict(data[0][0]).argmax(1) == data[0][1]).sum() + (
    model.predict(data[1][0]).argmax(1) == data[1][1]
).sum()
assert found["accuracy"] == int(right) / (2 * BATCH)

# A scale of losses follows the gradients of all processes: an overflow on one of them is one of all.
weight = Parameter(Tensor([1.0]), "w")


class Product(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = weight

    def construct(self, x: Tensor) -> Tensor:
        return (self.w * x).sum()


net = Product()
manager = nn.DynamicLossScaleUpdateCell(loss_scale_value=8.0, scale_factor=2, scale_window=100)
scaled = nn.TrainOneStepWithLossScaleCell(net, nn.SGD([weight], 0.1), manager)
_, overflow, _ = scaled(Tensor([np.inf if rank == size - 1 else 1.0]))
assert bool(overflow)
assert weight.asnumpy()[0] == 1.0
assert float(scaled.scale_sense.asnumpy()) == 4.0

# Groups.
half = [r for r in range(size) if r % 2 == rank % 2]
create_group(f"half{rank % 2}", half)
assert get_group_size(f"half{rank % 2}") == len(half)
total = ops.AllReduce(group=f"half{rank % 2}")(Tensor([float(rank)]))
assert total.asnumpy()[0] == sum(half)
print(f"rank {rank} is done")
