"""The workloads in MindSpore's names: on mycel after `mycel.install_as_mindspore()`, unchanged on MindSpore."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindspore as ms
import programs
import workloads
from mindspore import Parameter, Tensor, nn, ops

Step = Callable[..., Any]


def _tensors(name: str) -> tuple[Any, ...]:
    return tuple(Tensor(array) for array in workloads.inputs(name))


def training(name: str, net: Any, loss_of: Any, make_optimizer: Callable[[Any], Any]) -> Step:
    """Forward, backward, update, as one compiled function."""
    parameters = net.trainable_params()
    for parameter, array in zip(parameters, workloads.weights(name), strict=True):
        parameter.set_data(Tensor(array))
    optimizer = make_optimizer(parameters)

    def loss(x: Any, y: Any) -> Any:
        return loss_of(net(x), y)

    gradient = ms.value_and_grad(loss, None, optimizer.parameters)

    def step(x: Any, y: Any) -> Any:
        value, gradients = gradient(x, y)
        optimizer(gradients)
        return value

    return ms.jit(step)


def _momentum(parameters: Any) -> Any:
    return nn.Momentum(parameters, workloads.MOMENTUM_RATE, workloads.MOMENTUM)


def _adam(parameters: Any) -> Any:
    return nn.Adam(parameters, workloads.ADAM_RATE)


class DenseLoss(nn.Cell):
    """One dense layer and its squared error; the prediction comes along."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(3, 1, has_bias=False)
        self.loss = nn.MSELoss()

    def construct(self, x: Any, y: Any) -> Any:
        """Loss and prediction."""
        prediction = self.dense(x).squeeze()
        return self.loss(prediction, y), prediction


def dense_grad() -> Step:
    """Value and gradients by input, target and weight."""
    net = DenseLoss()
    net.dense.weight.set_data(Tensor(workloads.weights("dense_grad")[0]))
    gradient = ms.value_and_grad(net, (0, 1), net.trainable_params(), has_aux=True)

    def step(x: Any, y: Any) -> Any:
        return gradient(x, y)

    return ms.jit(step)


def mlp_tiny() -> Step:
    """A small network with tanh."""
    net = nn.SequentialCell(nn.Dense(32, 32), nn.Tanh(), nn.Dense(32, 32), nn.Tanh(), nn.Dense(32, 1))
    return training("mlp_tiny", net, nn.MSELoss(), _momentum)


def mlp_adam() -> Step:
    """A classifier with ReLU."""
    net = nn.SequentialCell(nn.Dense(784, 512), nn.ReLU(), nn.Dense(512, 512), nn.ReLU(), nn.Dense(512, 10))
    return training("mlp_adam", net, nn.CrossEntropyLoss(), _adam)


def lenet() -> Step:
    """Two convolutions with pooling, three dense layers."""
    net = nn.SequentialCell(
        nn.Conv2d(1, 6, 5, pad_mode="valid", has_bias=True), nn.ReLU(), nn.MaxPool2d(2, 2),
        nn.Conv2d(6, 16, 5, pad_mode="valid", has_bias=True), nn.ReLU(), nn.MaxPool2d(2, 2),
        nn.Flatten(), nn.Dense(400, 120), nn.ReLU(), nn.Dense(120, 84), nn.ReLU(), nn.Dense(84, 10),
    )  # fmt: skip
    return training("lenet", net, nn.CrossEntropyLoss(), _momentum)


def _chain() -> Step:
    def function(x: Any) -> Any:
        for _ in range(4):
            x = ops.tanh(x) * 1.1 + ops.sigmoid(x) * x - 0.3 * ops.square(x)
        return x.mean()

    gradient = ms.value_and_grad(function, 0)

    def step(x: Any) -> Any:
        return gradient(x)

    return ms.jit(step)


class TransformerBlock(nn.Cell):
    """Self-attention and a two-layer network, each after a layer norm and with a residual connection."""

    def __init__(self) -> None:
        super().__init__()
        size = workloads.SIZE
        self.norm1 = nn.LayerNorm((size,), epsilon=1e-5)
        self.qkv, self.out = nn.Dense(size, 3 * size), nn.Dense(size, size)
        self.norm2 = nn.LayerNorm((size,), epsilon=1e-5)
        self.up, self.down = nn.Dense(size, 4 * size), nn.Dense(4 * size, size)
        self.softmax, self.gelu = nn.Softmax(-1), nn.GELU(False)

    def construct(self, x: Any) -> Any:
        """x of shape (batch, positions, size), transformed."""
        batch, positions, size, heads = workloads.BATCH, workloads.POSITIONS, workloads.SIZE, workloads.HEADS
        parts = self.qkv(self.norm1(x)).reshape(batch, positions, 3, heads, size // heads).transpose(2, 0, 3, 1, 4)
        scores = self.softmax(ops.matmul(parts[0], parts[1].swapaxes(-1, -2)) / (size / heads) ** 0.5)
        mixed = ops.matmul(scores, parts[2]).transpose(0, 2, 1, 3).reshape(batch, positions, size)
        x = x + self.out(mixed)
        return x + self.down(self.gelu(self.up(self.norm2(x))))


def transformer() -> Step:
    """A transformer block trained on a squared error."""
    return training("transformer", TransformerBlock(), nn.MSELoss(), _adam)


def rnn() -> Step:
    """A recurrent layer written as a loop over its steps."""
    first, second = workloads.weights("rnn")
    by_input, by_state = Parameter(Tensor(first), name="by_input"), Parameter(Tensor(second), name="by_state")

    def function(x: Any) -> Any:
        state = x[0] * 0
        for step in range(workloads.STEPS):
            state = ops.tanh(ops.matmul(x[step], by_input) + ops.matmul(state, by_state))
        return (state * state).mean()

    gradient = ms.value_and_grad(function, None, [by_input, by_state])

    def step(x: Any) -> Any:
        return gradient(x)

    return ms.jit(step)


def convnet() -> Step:
    """Three convolutions, two of them with batch norm."""
    net = nn.SequentialCell(
        nn.Conv2d(3, 32, 3, pad_mode="same", has_bias=True), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2, 2),
        nn.Conv2d(32, 64, 3, pad_mode="same", has_bias=True), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2, 2),
        nn.Conv2d(64, 64, 3, pad_mode="same", has_bias=True), nn.ReLU(), nn.MaxPool2d(2, 2),
        nn.Flatten(), nn.Dense(1024, 10),
    )  # fmt: skip
    net.set_train()
    return training("convnet", net, nn.CrossEntropyLoss(), _momentum)


def while_50() -> Step:
    """Newton's iteration for the cube root, under a `while` on a tensor."""

    def function(x: Any) -> Any:
        count, y = Tensor(0, ms.int32), x
        while count < workloads.ITERATIONS:
            y = y - (y * y * y - x) / (3 * y * y + 1e-3)
            count = count + 1
        return y.sum()

    gradient = ms.grad(function)

    def step(x: Any) -> Any:
        return gradient(x)

    return ms.jit(step)


def _value_and_grad(function: Callable[..., Any], count: int = 1) -> Step:
    """The compiled value of a function, and its gradients by its first inputs."""
    gradient = ms.value_and_grad(function, tuple(range(count)) if count > 1 else 0)

    def step(*inputs: Any) -> Any:
        return gradient(*inputs)

    return ms.jit(step)


def stencil() -> Step:
    """Heat flow by slices of what has zeros around it."""

    def function(u: Any) -> Any:
        for _ in range(workloads.FLOW_STEPS):
            p = ops.pad(u, (1, 1, 1, 1))
            u = u + 0.1 * (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4.0 * u)
        return ops.square(u).mean()

    return _value_and_grad(function)


def ring() -> Step:
    """Upwind differences of neighbours on a ring."""

    def function(u: Any, speed: Any) -> Any:
        for _ in range(workloads.FLOW_STEPS):
            left, right = u - ops.roll(u, 1, 0), ops.roll(u, -1, 0) - u
            u = u - 0.1 * (ops.relu(speed) * left - ops.relu(-speed) * right)
        return ops.square(u).mean()

    return _value_and_grad(function)


def running_sums() -> Step:
    """What has come up to each place of a row."""

    def function(x: Any) -> Any:
        return ops.tanh(0.05 * ops.cumsum(x, 1)).mean()

    return _value_and_grad(function)


def running_products() -> Step:
    """What has been multiplied up to each place of a row."""

    def function(x: Any) -> Any:
        return ops.tanh(ops.cumprod(1.0 + 0.05 * ops.tanh(x), 1)).mean()

    return _value_and_grad(function)


def graph_net() -> Step:
    """Messages from node to node, added up."""

    def function(x: Any, matrix: Any, weight: Any, source: Any, target: Any) -> Any:
        for _ in range(2):
            messages = ops.gather(ops.matmul(x, matrix) * 0.1, source, 0) * weight
            x = ops.relu(ops.unsorted_segment_sum(messages, target, workloads.NODES))
        return ops.square(x).mean()

    return _value_and_grad(function, 3)


def factors() -> Step:
    """Products of rows of two tables."""

    def function(first: Any, second: Any, wanted: Any, rows: Any, columns: Any) -> Any:
        found = (ops.gather(first, rows, 0) * ops.gather(second, columns, 0)).sum(1)
        return ops.square(found - wanted).mean()

    return _value_and_grad(function, 2)


def embedding() -> Step:
    """A table of vectors, trained on a squared error."""
    return training("embedding", nn.Embedding(4000, 64), nn.MSELoss(), _adam)


def points() -> Step:
    """Short rows: their lengths, and a softmax."""

    def function(x: Any) -> Any:
        direction = x / ops.sqrt(ops.square(x).sum(1, keepdims=True) + 1e-3)
        return (direction * ops.softmax(x, 1)).mean()

    return _value_and_grad(function)


def kalman() -> Step:
    """A filter: products and inverses of small matrices, step by step."""

    def function(move: Any, look: Any, seen: Any) -> Any:
        move, one = 0.2 * move, ops.eye(4, 4, ms.float32)
        state, spread = ops.zeros((4, 1), ms.float32), one
        total = ops.zeros((), ms.float32)
        for step in range(workloads.FILTER_STEPS):
            state, spread = move @ state, move @ spread @ move.T + one
            error = seen[step] - look @ state
            gain = spread @ look.T @ ops.inverse(look @ spread @ look.T + 0.5 * ops.eye(2, 2, ms.float32))
            state, spread = state + gain @ error, (one - gain @ look) @ spread
            total = total + ops.square(error).sum()
        return total / workloads.FILTER_STEPS

    return _value_and_grad(function, 2)


class Inverted(nn.Cell):
    """An inverted residual, a convolution of stride 2, the mean of each channel, and a dense layer."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.SequentialCell(
            nn.Conv2d(32, 96, 1), nn.BatchNorm2d(96), nn.ReLU6(),
            nn.Conv2d(96, 96, 3, pad_mode="pad", padding=1, group=96), nn.BatchNorm2d(96), nn.ReLU6(),
            nn.Conv2d(96, 32, 1), nn.BatchNorm2d(32),
        )  # fmt: skip
        self.down = nn.SequentialCell(
            nn.Conv2d(32, 64, 3, stride=2, pad_mode="pad", padding=1), nn.BatchNorm2d(64), nn.ReLU()
        )
        self.dense = nn.Dense(64, 10)

    def construct(self, x: Any) -> Any:
        """Scores of images (batch, 32, height, width)."""
        return self.dense(self.down(x + self.inner(x)).mean((2, 3)))


def inverted() -> Step:
    """An inverted residual trained as a classifier."""
    net = Inverted()
    net.set_train()
    return training("inverted", net, nn.CrossEntropyLoss(), _momentum)


BUILDERS: dict[str, Callable[[], Step]] = {
    "dense_grad": dense_grad, "mlp_tiny": mlp_tiny, "mlp_adam": mlp_adam, "lenet": lenet, "chain_100": _chain,
    "chain_1m": _chain, "transformer": transformer, "rnn": rnn, "convnet": convnet, "while_50": while_50,
    "stencil": stencil, "ring": ring, "running_sums": running_sums, "running_products": running_products,
    "graph_net": graph_net, "factors": factors, "embedding": embedding, "points": points, "kalman": kalman,
    "inverted": inverted,
}  # fmt: skip


def build(name: str, mode: str) -> tuple[Step, tuple[Any, ...]]:
    """The compiled step of a workload and its inputs."""
    ms.set_context(mode=ms.GRAPH_MODE)
    if "/" not in name:
        return BUILDERS[name](), _tensors(name)
    found, count = programs.function(name, "mycel"), programs.find(name).gradients
    step = found() if count is None else _value_and_grad(found, count) if count else ms.jit(found)
    return step, _tensors(name)


def first(result: Any) -> Any:
    """The first tensor of a result."""
    while isinstance(result, (tuple, list)):
        result = result[0]
    return result


def wait(result: Any) -> None:
    """Wait until a result is there: MindSpore computes after the call has returned, mycel before."""
    if ms.__name__ == "mindspore":
        first(result).asnumpy()


def number(result: Any) -> float:
    """The sum of the first tensor of a result."""
    return float(first(result).asnumpy().sum())
