"""Models of different kinds for the benchmarks: each gives a training or gradient step, and its inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import mycel as ms
from mycel import Parameter, Tensor, nn, ops

Step = Callable[..., Any]


def random(*shape: int, seed: int = 0) -> Tensor:
    """A float32 tensor of normal numbers."""
    return Tensor(np.random.default_rng(seed).standard_normal(shape).astype(np.float32))


def labels(count: int, classes: int) -> Tensor:
    """An int32 tensor of class indices."""
    return Tensor(np.random.default_rng(1).integers(0, classes, count).astype(np.int32))


def training_step(net: nn.Cell, loss_fn: Callable[..., Any], optimizer: Any) -> Step:
    """Forward, backward, update."""
    gradient = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)

    def step(x: Tensor, y: Tensor) -> Tensor:
        loss, gradients = gradient(x, y)
        optimizer(gradients)
        return loss

    return step


def tiny_mlp() -> tuple[Step, tuple[Any, ...]]:
    """Three dense layers of 32, batch 16, Momentum."""
    net = nn.SequentialCell(nn.Dense(32, 32), nn.Tanh(), nn.Dense(32, 32), nn.Tanh(), nn.Dense(32, 1))
    optimizer = nn.Momentum(net.trainable_params(), 1e-3, 0.9)
    return training_step(net, nn.MSELoss(), optimizer), (random(16, 32), random(16, 1))


def mlp() -> tuple[Step, tuple[Any, ...]]:
    """784-512-512-10, batch 64, Adam."""
    net = nn.SequentialCell(nn.Dense(784, 512), nn.ReLU(), nn.Dense(512, 512), nn.ReLU(), nn.Dense(512, 10))
    optimizer = nn.Adam(net.trainable_params(), 1e-3)
    return training_step(net, nn.CrossEntropyLoss(), optimizer), (random(64, 784), labels(64, 10))


class SmallCNN(nn.Cell):
    """Two convolutions with batch norm and pooling, one dense layer."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.SequentialCell(
            nn.Conv2d(1, 8, 3, pad_mode="same"), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2, 2),
            nn.Conv2d(8, 16, 3, pad_mode="same"), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(),
        )  # fmt: skip
        self.out = nn.Dense(16 * 7 * 7, 10)

    def construct(self, x: Tensor) -> Tensor:
        """Class scores."""
        return self.out(self.body(x))


def cnn() -> tuple[Step, tuple[Any, ...]]:
    """A small CNN with batch norm on 28 x 28 images, batch 32, Momentum."""
    net = SmallCNN()
    net.set_train()
    optimizer = nn.Momentum(net.trainable_params(), 1e-2, 0.9)
    return training_step(net, nn.CrossEntropyLoss(), optimizer), (random(32, 1, 28, 28), labels(32, 10))


class Recurrent(nn.Cell):
    """An LSTM whose last state is scored."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(32, 64, batch_first=True)
        self.out = nn.Dense(64, 4)

    def construct(self, x: Tensor) -> Tensor:
        """Class scores."""
        outputs, _ = self.lstm(x)
        return self.out(outputs[:, -1])


def lstm() -> tuple[Step, tuple[Any, ...]]:
    """An LSTM of 64 over 20 steps, batch 16, Adam."""
    net = Recurrent()
    optimizer = nn.Adam(net.trainable_params(), 1e-3)
    return training_step(net, nn.CrossEntropyLoss(), optimizer), (random(16, 20, 32), labels(16, 4))


class Block(nn.Cell):
    """Self-attention and a two-layer network, each with layer norm and a residual connection."""

    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self.size, self.heads = size, heads
        self.norm1, self.norm2 = nn.LayerNorm((size,)), nn.LayerNorm((size,))
        self.qkv, self.project = nn.Dense(size, 3 * size), nn.Dense(size, size)
        self.up, self.down = nn.Dense(size, 4 * size), nn.Dense(4 * size, size)
        self.softmax, self.gelu = nn.Softmax(-1), nn.GELU()

    def construct(self, x: Tensor) -> Tensor:
        """x of shape (batch, positions, size), transformed."""
        batch, positions, size = x.shape
        parts = self.qkv(self.norm1(x)).reshape(batch, positions, 3, self.heads, size // self.heads)
        query, key, value = parts.transpose(2, 0, 3, 1, 4)
        weights = self.softmax(ops.matmul(query, key.swapaxes(-1, -2)) / (size // self.heads) ** 0.5)
        x = x + self.project(ops.matmul(weights, value).transpose(0, 2, 1, 3).reshape(batch, positions, size))
        return x + self.down(self.gelu(self.up(self.norm2(x))))


def attention() -> tuple[Step, tuple[Any, ...]]:
    """A transformer block of 128 with 4 heads over 64 positions, batch 4, Adam."""
    net = Block(128, 4)
    optimizer = nn.Adam(net.trainable_params(), 1e-4)
    return training_step(net, nn.MSELoss(), optimizer), (random(4, 64, 128), random(4, 64, 128))


def chain() -> tuple[Step, tuple[Any, ...]]:
    """Value and gradient of an elementwise chain of 16 operations on 1M elements."""

    def f(x: Tensor) -> Tensor:
        for _ in range(4):
            x = ops.tanh(x) * 1.1 + ops.sigmoid(x) * x
        return x.mean()

    return ms.value_and_grad(f), (random(1000, 1000),)


def newton() -> tuple[Step, tuple[Any, ...]]:
    """The gradient through 20 iterations of a `while` on a tensor."""

    def f(x: Tensor) -> Tensor:
        count, y = Tensor(0, ms.int32), x
        while count < 20:
            y = y - (y * y * y - x) / (3 * y * y + 1e-3)
            count = count + 1
        return y.sum()

    return ms.grad(f), (Tensor(np.linspace(1, 2, 64).astype(np.float32)),)


def fine_tuning() -> tuple[Step, tuple[Any, ...]]:
    """A step that updates one Parameter of a frozen net."""
    weight = Parameter(random(256, 256), name="weight")
    frozen = random(256, 256, seed=2)

    def f(x: Tensor) -> Tensor:
        return ops.square(ops.matmul(ops.tanh(ops.matmul(x, frozen)), weight)).mean()

    return ms.value_and_grad(f, None, weight), (random(128, 256),)


MODELS: dict[str, Callable[[], tuple[Step, tuple[Any, ...]]]] = {
    "tiny MLP": tiny_mlp,
    "MLP": mlp,
    "CNN": cnn,
    "LSTM": lstm,
    "attention": attention,
    "chain of 1M": chain,
    "while loop": newton,
    "fine-tuning": fine_tuning,
}
