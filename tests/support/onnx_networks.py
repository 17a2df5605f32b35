"""Small networks of many families, with an input of each, for files that other programs read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import mycel as ms
from mycel import Parameter, Tensor, nn, ops

RNG = np.random.default_rng(0)


def numbers(*shape: int) -> Tensor:
    return Tensor(RNG.normal(size=shape).astype(np.float32))


def labels(count: int, *shape: int) -> Tensor:
    return Tensor(RNG.integers(0, count, shape).astype(np.int32))


class Residual(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, stride=2, pad_mode="pad", padding=1)
        self.bn1, self.bn2 = nn.BatchNorm2d(8), nn.BatchNorm2d(8)
        self.conv1, self.conv2 = nn.Conv2d(8, 8, 3), nn.Conv2d(8, 8, 3)
        self.pool = nn.MaxPool2d(3, 2, pad_mode="same")
        self.fc = nn.Dense(8, 4)

    def construct(self, x: Tensor) -> Tensor:
        x = self.pool(ops.relu(self.bn1(self.stem(x))))
        x = ops.relu(x + self.bn2(self.conv2(ops.relu(self.conv1(x)))))
        return self.fc(x.mean((2, 3)))


class Mobile(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.deep = nn.Conv2d(4, 4, 3, group=4, has_bias=True)
        self.point = nn.Conv2d(4, 8, 1)
        self.bn, self.act = nn.BatchNorm2d(8), nn.HSwish()
        self.squeeze, self.excite = nn.Dense(8, 2), nn.Dense(2, 8)
        self.fc = nn.Dense(8, 4)

    def construct(self, x: Tensor) -> Tensor:
        x = self.act(self.bn(self.point(self.deep(x))))
        weights = ops.sigmoid(self.excite(ops.relu6(self.squeeze(x.mean((2, 3))))))
        return self.fc((x * weights.reshape(-1, 8, 1, 1)).mean((2, 3)))


class Attention(nn.Cell):
    """The vision transformer's block: patches, attention with several heads, an MLP."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = nn.Conv2d(3, 16, 4, stride=4, pad_mode="valid", has_bias=True)
        self.cls = Parameter(numbers(1, 1, 16), name="cls")
        self.norm1, self.norm2 = nn.LayerNorm((16,)), nn.LayerNorm((16,))
        self.qkv, self.out = nn.Dense(16, 48), nn.Dense(16, 16)
        self.up, self.down, self.head = nn.Dense(16, 32), nn.Dense(32, 16), nn.Dense(16, 4)

    def construct(self, x: Tensor) -> Tensor:
        x = self.patch(x)
        b, c = x.shape[:2]
        x = ops.concat((ops.broadcast_to(self.cls, (b, 1, c)), x.reshape(b, c, -1).transpose(0, 2, 1)), 1)
        q, k, v = ops.split(self.qkv(self.norm1(x)).reshape(b, -1, 3, 4, 4).transpose(2, 0, 3, 1, 4), 1)
        scores = ops.softmax(ops.matmul(q[0], k[0].swapaxes(-1, -2)) / 2.0)
        x = x + self.out(ops.matmul(scores, v[0]).transpose(0, 2, 1, 3).reshape(b, -1, 16))
        x = x + self.down(ops.gelu(self.up(self.norm2(x))))
        return self.head(x[:, 0])


class Shifted(nn.Cell):
    """Swin's windows: rolled, cut into windows, with a table of relative positions."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Parameter(numbers(9, 1), name="table")
        grid = np.stack(np.meshgrid(range(2), range(2), indexing="ij")).reshape(2, -1)
        relative = grid[:, :, None] - grid[:, None] + 1
        self.places = Tensor((relative[0] * 3 + relative[1]).reshape(-1).astype(np.int32))
        self.qkv, self.head = nn.Dense(8, 24), nn.Dense(8, 4)

    def construct(self, x: Tensor) -> Tensor:
        x = ops.roll(x, (-1, -1), (1, 2))
        b = x.shape[0]
        windows = x.reshape(b, 2, 2, 2, 2, 8).transpose(0, 1, 3, 2, 4, 5).reshape(-1, 4, 8)
        q, k, v = ops.split(self.qkv(windows), 8, 2)
        bias = self.table[self.places].reshape(1, 4, 4)
        y = ops.matmul(ops.softmax(ops.matmul(q, k.swapaxes(-1, -2)) + bias), v)
        return self.head(y.reshape(b, -1, 8).mean(1))


class NeXt(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.deep = nn.Conv2d(8, 8, 7, group=8)
        self.norm, self.gamma = nn.LayerNorm((8,)), Parameter(numbers(8), name="gamma")
        self.up, self.down, self.head = nn.Dense(8, 16), nn.Dense(16, 8), nn.Dense(8, 4)

    def construct(self, x: Tensor) -> Tensor:
        y = self.norm(self.deep(x).transpose(0, 2, 3, 1))
        y = self.gamma * self.down(ops.gelu(self.up(y), "tanh"))
        return self.head((x.transpose(0, 2, 3, 1) + y).mean((1, 2)))


class Unet(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.down1, self.down2 = nn.Conv2d(2, 4, 3), nn.Conv2d(4, 8, 3)
        self.pool = nn.AvgPool2d(2, 2)
        self.up = nn.Conv2dTranspose(8, 4, 2, stride=2, pad_mode="valid")
        self.last = nn.Conv2d(8, 4, 1)

    def construct(self, x: Tensor) -> Tensor:
        a = ops.elu(self.down1(x))
        b = self.up(ops.leaky_relu(self.down2(self.pool(a))))
        return self.last(ops.concat((a, b), 1)).mean((2, 3))


class Pyramid(nn.Cell):
    """A detector's neck: levels of several sizes, resized and added, and boxes decoded."""

    def __init__(self) -> None:
        super().__init__()
        self.c1, self.c2 = nn.Conv2d(3, 6, 3, stride=2), nn.Conv2d(6, 6, 3, stride=2)
        self.head = nn.Conv2d(6, 4, 1, has_bias=True)

    def construct(self, x: Tensor) -> Tensor:
        a = ops.silu(self.c1(x))
        b = ops.silu(self.c2(a))
        a = a + ops.interpolate(b, size=(4, 4), mode="bilinear")
        y = self.head(a).transpose(0, 2, 3, 1).reshape(x.shape[0], -1, 4)
        return ops.concat((ops.sigmoid(y[..., :2]), ops.exp(ops.clamp(y[..., 2:], -4, 4))), -1).mean(1)


class Causal(nn.Cell):
    """GPT: tokens and positions, a causal mask, the embedding's weight as the last layer."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens, self.places = nn.Embedding(11, 8), nn.Embedding(6, 8)
        self.qkv, self.norm = nn.Dense(8, 24), nn.LayerNorm((8,))
        self.head = nn.Dense(8, 4)

    def construct(self, ids: Tensor) -> Tensor:
        t = ids.shape[1]
        x = self.tokens(ids) + self.places(ops.arange(t))
        q, k, v = ops.split(self.qkv(self.norm(x)), 8, 2)
        mask = ops.tril(ops.ones((t, t), ms.bool_))
        scores = ops.masked_fill(ops.matmul(q, k.swapaxes(-1, -2)) / 8**0.5, ops.logical_not(mask), -1e9)
        return self.head((x + ops.matmul(ops.softmax(scores), v))[:, -1])


class Encoder(nn.Cell):
    """BERT's: a mask made of the padding, a pooled first token."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens = nn.Embedding(11, 8)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True)
        self.head = nn.Dense(8, 4)

    def construct(self, ids: Tensor) -> Tensor:
        x = self.layer(self.tokens(ids))
        weights = ops.cast(ops.not_equal(ids, 0), ms.float32).expand_dims(-1)
        return self.head(ops.tanh((x * weights).sum(1) / (weights.sum(1) + 1e-6)))


class Relative(nn.Cell):
    """T5's: RMS normalization, buckets of relative positions, a gated MLP."""

    def __init__(self) -> None:
        super().__init__()
        self.bias, self.scale = nn.Embedding(8, 1), Parameter(ops.ones((8,)), name="scale")
        self.q, self.wi, self.gate, self.wo = nn.Dense(8, 8), nn.Dense(8, 12), nn.Dense(8, 12), nn.Dense(12, 4)

    def construct(self, x: Tensor) -> Tensor:
        t = x.shape[1]
        x = x * ops.rsqrt(ops.square(x).mean(-1, True) + 1e-6) * self.scale
        places = ops.arange(t)
        near = ops.minimum(ops.abs(places.reshape(1, -1) - places.reshape(-1, 1)), 7)
        scores = ops.matmul(self.q(x), x.swapaxes(-1, -2)) + self.bias(near)[..., 0]
        y = ops.matmul(ops.log_softmax(scores), x)
        return self.wo(ops.gelu(self.gate(y)) * self.wi(y)).mean(1)


class Tagger(nn.Cell):
    def __init__(self, kind: Any = nn.LSTM) -> None:
        super().__init__()
        self.tokens = nn.Embedding(11, 6)
        self.rnn = kind(6, 5, batch_first=True, bidirectional=True)
        self.head = nn.Dense(10, 4)

    def construct(self, ids: Tensor) -> Tensor:
        return self.head(self.rnn(self.tokens(ids))[0].mean(1))


class Gated(Tagger):
    def __init__(self) -> None:
        super().__init__(nn.GRU)


class Variational(nn.Cell):
    """A VAE with the noise as an input."""

    def __init__(self) -> None:
        super().__init__()
        self.enc, self.dec = nn.Dense(6, 8), nn.Dense(4, 4)

    def construct(self, x: Tensor) -> Tensor:
        mean, log = ops.split(ops.softplus(self.enc(x)), 4, 1)
        z = mean + ops.exp(0.5 * log) * 0.3
        kl = -0.5 * (1 + log - mean * mean - ops.exp(log)).sum(1, keepdims=True)
        return ops.sigmoid(self.dec(z)) + 0.01 * kl


class Graphs(nn.Cell):
    """A GNN: messages along edges are gathered and added."""

    def __init__(self) -> None:
        super().__init__()
        self.src, self.dst = Tensor([0, 1, 2, 3, 0], ms.int32), Tensor([1, 2, 3, 0, 2], ms.int32)
        self.own, self.other = nn.Dense(6, 4), nn.Dense(6, 4)

    def construct(self, x: Tensor) -> Tensor:
        messages = ops.gather(self.other(x), self.src, 0)
        total = ops.zeros((4, 4), ms.float32).index_add(0, self.dst, messages)
        return ops.relu(self.own(x)) + total


class Flow(nn.Cell):
    """Affine couplings, with the logarithm of the Jacobian."""

    def __init__(self) -> None:
        super().__init__()
        self.nets = nn.CellList([nn.Dense(3, 6) for _ in range(2)])

    def construct(self, x: Tensor) -> Tensor:
        total = 0.0
        for net in self.nets:
            a, b = ops.chunk(x, 2, 1)
            scale, shift = ops.chunk(ops.tanh(net(a)), 2, 1)
            x = ops.concat((b * ops.exp(scale) + shift, a), 1)
            total = total + scale.sum(1, keepdims=True)
        return x[:, :4] - 0.1 * total


class Diffusion(nn.Cell):
    """A denoiser: sines of the time, FiLM, group normalization."""

    def __init__(self) -> None:
        super().__init__()
        self.time, self.conv, self.norm = nn.Dense(8, 8), nn.Conv2d(3, 8, 3), nn.GroupNorm(2, 8)
        self.head = nn.Dense(8, 4)

    def construct(self, x: Tensor) -> Tensor:
        steps = ops.exp(-ops.arange(0, 4).astype(ms.float32))
        at = ops.arange(1, x.shape[0] + 1).astype(ms.float32).expand_dims(1) * steps
        film = self.time(ops.concat((ops.sin(at), ops.cos(at)), 1)).reshape(-1, 8, 1, 1)
        return self.head(ops.mish(self.norm(self.conv(x)) * (1 + film)).mean((2, 3)))


class Policy(nn.Cell):
    """PPO: logarithms of probabilities of actions, entropy, a clipped ratio."""

    def __init__(self) -> None:
        super().__init__()
        self.body, self.pi, self.v = nn.Dense(6, 8), nn.Dense(8, 4), nn.Dense(8, 1)

    def construct(self, x: Tensor) -> Tensor:
        h = ops.tanh(self.body(x))
        logs = ops.log_softmax(self.pi(h))
        ratio = ops.exp(logs + 1.3)
        surrogate = ops.minimum(ratio, ops.clip_by_value(ratio, 0.8, 1.2))
        return surrogate + 0.01 * (ops.exp(logs) * logs).sum(-1, keepdims=True) + 0.1 * self.v(h)


class Branching(nn.Cell):
    """A mixture of experts that a condition of the data chooses, and a loop until a fixed point."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b, self.w = nn.Dense(6, 4), nn.Dense(6, 4), nn.Dense(4, 4)

    def construct(self, x: Tensor) -> Tensor:
        if x.sum() > 0:
            y = self.a(x)
        else:
            y = self.b(x) * 2
        i = Tensor(0)
        while i < 3 and (y * y).sum() > 1e-3:
            y = ops.tanh(self.w(y)) + 0.1 * y
            i = i + 1
        return y


class Recurrent(nn.Cell):
    """A cell of one's own in a long Python loop over the steps."""

    def __init__(self) -> None:
        super().__init__()
        self.cell, self.out = nn.Dense(9, 3), nn.Dense(3, 4)

    def construct(self, x: Tensor) -> Tensor:
        h = ops.zeros((x.shape[0], 3), ms.float32)
        for i in range(x.shape[1]):
            h = ops.tanh(self.cell(ops.concat((x[:, i], h), 1)))
        return self.out(h)


class Convolutional1d(nn.Cell):
    """WaveNet's: dilated causal convolutions with gates."""

    def __init__(self) -> None:
        super().__init__()
        self.f, self.g = (nn.Conv1d(6, 6, 2, dilation=2, pad_mode="valid", has_bias=True) for _ in range(2))
        self.out = nn.Conv1d(6, 4, 1)

    def construct(self, x: Tensor) -> Tensor:
        y = ops.pad(x, (2, 0))
        return self.out(ops.tanh(self.f(y)) * ops.sigmoid(self.g(y)) + x).mean(-1)


def perceptron() -> nn.Cell:
    layers = [nn.Dense(6, 8), nn.ReLU(), nn.Dropout(p=0.0), nn.Dense(8, 8), nn.SeLU(), nn.Dense(8, 4)]
    return nn.SequentialCell(*layers)


NETS: dict[str, tuple[Callable[[], nn.Cell], Tensor]] = {
    "mlp": (perceptron, numbers(4, 6)),
    "resnet": (Residual, numbers(4, 3, 16, 16)),
    "mobilenet": (Mobile, numbers(4, 4, 6, 6)),
    "vit": (Attention, numbers(4, 3, 8, 8)),
    "swin": (Shifted, numbers(4, 4, 4, 8)),
    "convnext": (NeXt, numbers(4, 8, 6, 6)),
    "unet": (Unet, numbers(4, 2, 8, 8)),
    "detector": (Pyramid, numbers(4, 3, 8, 8)),
    "gpt": (Causal, labels(11, 4, 6)),
    "bert": (Encoder, labels(11, 4, 6)),
    "t5": (Relative, numbers(4, 5, 8)),
    "lstm": (Tagger, labels(11, 4, 6)),
    "gru": (Gated, labels(11, 4, 6)),
    "vae": (Variational, numbers(4, 6)),
    "gnn": (Graphs, numbers(4, 6)),
    "flow": (Flow, numbers(4, 6)),
    "diffusion": (Diffusion, numbers(4, 3, 6, 6)),
    "ppo": (Policy, numbers(4, 6)),
    "control flow": (Branching, numbers(4, 6)),
    "rnn": (Recurrent, numbers(4, 40, 6)),
    "wavenet": (Convolutional1d, numbers(4, 6, 9)),
}
