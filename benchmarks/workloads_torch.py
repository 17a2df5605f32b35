"""The workloads on PyTorch: op by op, or with `torch.compile`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import programs
import torch
import workloads
from torch import nn
from torch.nn import functional

Step = Callable[..., Any]


def _tensors(name: str) -> list[Any]:
    tensors = [torch.from_numpy(array.copy()) for array in workloads.inputs(name)]
    return [tensor.long() if tensor.dtype == torch.int32 else tensor for tensor in tensors]


def _weights(name: str) -> list[Any]:
    return [torch.from_numpy(array).requires_grad_() for array in workloads.weights(name)]


def training(name: str, net: Any, loss_of: Any, make_optimizer: Callable[[Any], Any], compiled: Any) -> Step:
    """Forward, backward, update."""
    with torch.no_grad():
        for parameter, array in zip(net.parameters(), workloads.weights(name), strict=True):
            parameter.copy_(torch.from_numpy(array))
    optimizer = make_optimizer(net.parameters())
    forward = compiled(lambda x, y: loss_of(net(x), y))

    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad(set_to_none=True)
        loss = forward(x, y)
        loss.backward()
        optimizer.step()
        return loss

    return step


def _momentum(parameters: Any) -> Any:
    return torch.optim.SGD(parameters, workloads.MOMENTUM_RATE, workloads.MOMENTUM)


def _adam(parameters: Any) -> Any:
    return torch.optim.Adam(parameters, workloads.ADAM_RATE)


def dense_grad(compiled: Any) -> Step:
    """Value and gradients by input, target and weight."""
    (weight,) = _weights("dense_grad")

    def function(x: Any, y: Any) -> Any:
        prediction = (x @ weight.T).squeeze()
        return functional.mse_loss(prediction, y), prediction

    function = compiled(function)

    def step(x: Any, y: Any) -> Any:
        loss, _ = function(x, y)
        return loss, torch.autograd.grad(loss, (x, y, weight))

    return step


def mlp_tiny(compiled: Any) -> Step:
    """A small network with tanh."""
    net = nn.Sequential(nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
    return training("mlp_tiny", net, functional.mse_loss, _momentum, compiled)


def mlp_adam(compiled: Any) -> Step:
    """A classifier with ReLU."""
    net = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))
    return training("mlp_adam", net, functional.cross_entropy, _adam, compiled)


def lenet(compiled: Any) -> Step:
    """Two convolutions with pooling, three dense layers."""
    net = nn.Sequential(
        nn.Conv2d(1, 6, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
    )  # fmt: skip
    return training("lenet", net, functional.cross_entropy, _momentum, compiled)


def _chain(compiled: Any) -> Step:
    def function(x: Any) -> Any:
        for _ in range(4):
            x = torch.tanh(x) * 1.1 + torch.sigmoid(x) * x - 0.3 * torch.square(x)
        return x.mean()

    function = compiled(function)

    def step(x: Any) -> Any:
        value = function(x)
        return value, torch.autograd.grad(value, x)

    return step


class TransformerBlock(nn.Module):  # type: ignore[misc]
    """Self-attention and a two-layer network, each after a layer norm and with a residual connection."""

    def __init__(self) -> None:
        super().__init__()
        size = workloads.SIZE
        self.norm1 = nn.LayerNorm(size)
        self.qkv, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.norm2 = nn.LayerNorm(size)
        self.up, self.down = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)

    def forward(self, x: Any) -> Any:
        """x of shape (batch, positions, size), transformed."""
        batch, positions, size, heads = workloads.BATCH, workloads.POSITIONS, workloads.SIZE, workloads.HEADS
        parts = self.qkv(self.norm1(x)).view(batch, positions, 3, heads, size // heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        scores = torch.softmax(query @ key.transpose(-1, -2) / (size / heads) ** 0.5, -1)
        x = x + self.out((scores @ value).transpose(1, 2).reshape(batch, positions, size))
        return x + self.down(functional.gelu(self.up(self.norm2(x))))


def transformer(compiled: Any) -> Step:
    """A transformer block trained on a squared error."""
    return training("transformer", TransformerBlock(), functional.mse_loss, _adam, compiled)


def rnn(compiled: Any) -> Step:
    """A recurrent layer written as a loop over its steps."""
    by_input, by_state = _weights("rnn")

    def function(x: Any) -> Any:
        state = x[0] * 0
        for step in range(workloads.STEPS):
            state = torch.tanh(x[step] @ by_input + state @ by_state)
        return (state * state).mean()

    function = compiled(function)

    def step(x: Any) -> Any:
        value = function(x)
        return value, torch.autograd.grad(value, (by_input, by_state))

    return step


def convnet(compiled: Any) -> Step:
    """Three convolutions, two of them with batch norm."""
    net = nn.Sequential(
        nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(64, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(1024, 10),
    )  # fmt: skip
    return training("convnet", net, functional.cross_entropy, _momentum, compiled)


def while_50(compiled: Any) -> Step:
    """Newton's iteration for the cube root."""

    def function(x: Any) -> Any:
        y = x
        for _ in range(workloads.ITERATIONS):
            y = y - (y * y * y - x) / (3 * y * y + 1e-3)
        return y.sum()

    function = compiled(function)
    return lambda x: torch.autograd.grad(function(x), x)


def _value_and_grad(function: Step, compiled: Any, count: int = 1) -> Step:
    """The value of a function, and its gradients by its first inputs."""
    function = compiled(function)

    def step(*inputs: Any) -> Any:
        value = function(*inputs)
        return value, torch.autograd.grad(value, inputs[:count])

    return step


def stencil(compiled: Any) -> Step:
    """Heat flow by slices of what has zeros around it."""

    def function(u: Any) -> Any:
        for _ in range(workloads.FLOW_STEPS):
            p = functional.pad(u, (1, 1, 1, 1))
            u = u + 0.1 * (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4.0 * u)
        return torch.square(u).mean()

    return _value_and_grad(function, compiled)


def ring(compiled: Any) -> Step:
    """Upwind differences of neighbours on a ring."""

    def function(u: Any, speed: Any) -> Any:
        for _ in range(workloads.FLOW_STEPS):
            left, right = u - torch.roll(u, 1, 0), torch.roll(u, -1, 0) - u
            u = u - 0.1 * (torch.relu(speed) * left - torch.relu(-speed) * right)
        return torch.square(u).mean()

    return _value_and_grad(function, compiled)


def running_sums(compiled: Any) -> Step:
    """What has come up to each place of a row."""
    return _value_and_grad(lambda x: torch.tanh(0.05 * torch.cumsum(x, 1)).mean(), compiled)


def running_products(compiled: Any) -> Step:
    """What has been multiplied up to each place of a row."""
    return _value_and_grad(lambda x: torch.tanh(torch.cumprod(1.0 + 0.05 * torch.tanh(x), 1)).mean(), compiled)


def graph_net(compiled: Any) -> Step:
    """Messages from node to node, added up."""

    def function(x: Any, matrix: Any, weight: Any, source: Any, target: Any) -> Any:
        for _ in range(2):
            messages = ((x @ matrix) * 0.1).index_select(0, source) * weight
            x = torch.relu(messages.new_zeros(workloads.NODES, 32).index_add(0, target, messages))
        return torch.square(x).mean()

    return _value_and_grad(function, compiled, 3)


def factors(compiled: Any) -> Step:
    """Products of rows of two tables."""

    def function(first: Any, second: Any, wanted: Any, rows: Any, columns: Any) -> Any:
        found = (first.index_select(0, rows) * second.index_select(0, columns)).sum(1)
        return torch.square(found - wanted).mean()

    return _value_and_grad(function, compiled, 2)


def embedding(compiled: Any) -> Step:
    """A table of vectors, trained on a squared error."""
    return training("embedding", nn.Embedding(4000, 64), functional.mse_loss, _adam, compiled)


def points(compiled: Any) -> Step:
    """Short rows: their lengths, and a softmax."""

    def function(x: Any) -> Any:
        direction = x / torch.sqrt(torch.square(x).sum(1, keepdim=True) + 1e-3)
        return (direction * torch.softmax(x, 1)).mean()

    return _value_and_grad(function, compiled)


def kalman(compiled: Any) -> Step:
    """A filter: products and inverses of small matrices, step by step."""

    def function(move: Any, look: Any, seen: Any) -> Any:
        move, one = 0.2 * move, torch.eye(4)
        state, spread, total = torch.zeros(4, 1), one, torch.zeros(())
        for step in range(workloads.FILTER_STEPS):
            state, spread = move @ state, move @ spread @ move.T + one
            error = seen[step] - look @ state
            gain = spread @ look.T @ torch.linalg.inv(look @ spread @ look.T + 0.5 * torch.eye(2))
            state, spread = state + gain @ error, (one - gain @ look) @ spread
            total = total + torch.square(error).sum()
        return total / workloads.FILTER_STEPS

    return _value_and_grad(function, compiled, 2)


class Inverted(nn.Module):  # type: ignore[misc]
    """An inverted residual, a convolution of stride 2, the mean of each channel, and a dense layer."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Sequential(
            nn.Conv2d(32, 96, 1, bias=False), nn.BatchNorm2d(96), nn.ReLU6(),
            nn.Conv2d(96, 96, 3, padding=1, groups=96, bias=False), nn.BatchNorm2d(96), nn.ReLU6(),
            nn.Conv2d(96, 32, 1, bias=False), nn.BatchNorm2d(32),
        )  # fmt: skip
        self.down = nn.Sequential(nn.Conv2d(32, 64, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(64), nn.ReLU())
        self.dense = nn.Linear(64, 10)

    def forward(self, x: Any) -> Any:
        """Scores of images (batch, 32, height, width)."""
        return self.dense(self.down(x + self.inner(x)).mean((2, 3)))


def inverted(compiled: Any) -> Step:
    """An inverted residual trained as a classifier."""
    return training("inverted", Inverted(), functional.cross_entropy, _momentum, compiled)


BUILDERS: dict[str, Callable[[Any], Step]] = {
    "dense_grad": dense_grad, "mlp_tiny": mlp_tiny, "mlp_adam": mlp_adam, "lenet": lenet, "chain_100": _chain,
    "chain_1m": _chain, "transformer": transformer, "rnn": rnn, "convnet": convnet, "while_50": while_50,
    "stencil": stencil, "ring": ring, "running_sums": running_sums, "running_products": running_products,
    "graph_net": graph_net, "factors": factors, "embedding": embedding, "points": points, "kalman": kalman,
    "inverted": inverted,
}  # fmt: skip
_BY_INPUT = (
    "dense_grad", "chain_100", "chain_1m", "while_50", "stencil", "ring", "running_sums", "running_products",
    "graph_net", "factors", "points", "kalman",
)  # fmt: skip
"""Workloads that differentiate by their inputs."""


def build(name: str, mode: str) -> tuple[Step, tuple[Any, ...]]:
    """The step of a workload and its inputs; `mode` is "eager" or "compile"."""
    tensors = _tensors(name)
    if name in _BY_INPUT:
        tensors = [tensor.requires_grad_() if tensor.is_floating_point() else tensor for tensor in tensors]
    compiled = torch.compile if mode == "compile" else lambda function: function
    if "/" not in name:
        return BUILDERS[name](compiled), tuple(tensors)
    found, count = programs.function(name, "torch"), programs.find(name).gradients
    if count is None:
        return found(compiled), tuple(tensors)
    for tensor in tensors[:count]:
        tensor.requires_grad_()
    return (_value_and_grad(found, compiled, count) if count else compiled(found)), tuple(tensors)


def wait(result: Any) -> None:
    """Nothing: a call returns when all is computed."""


def number(result: Any) -> float:
    """The sum of the first tensor of a result."""
    while isinstance(result, (tuple, list)):
        result = result[0]
    return float(result.detach().sum())
