"""Networks of products in MindSpore's names."""

from typing import Any

from mindspore import mint, nn, ops
from workloads_mycel import _adam, training

functional = mint.nn.functional


def _norm(x: Any) -> Any:
    return ops.layer_norm(x, x.shape[-1:])


def _split(x: Any, heads: int) -> Any:
    return x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)


def _attend(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    """Attention; no score where the mask is true."""
    scores = ops.matmul(query, key.swapaxes(-1, -2)) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = ops.masked_fill(scores, mask, float("-inf"))
    return ops.matmul(ops.softmax(scores, -1), value)


def _later(positions: int) -> Any:
    """Where a position is after another."""
    return ops.triu(ops.ones((positions, positions)), 1).bool()


def _block(x: Any, w: Any, heads: int, mask: Any = None) -> Any:
    """A transformer block."""
    query, key, value = (_split(part, heads) for part in ops.chunk(ops.matmul(_norm(x), w[0]), 3, -1))
    mixed = _attend(query, key, value, mask)
    x = x + ops.matmul(mixed.swapaxes(1, 2).reshape(x.shape), w[1])
    return x + ops.matmul(ops.gelu(ops.matmul(_norm(x), w[2])), w[3])


def vision(patch: Any, place: Any, *rest: Any) -> Any:
    """A vision transformer for one image."""
    *weights, out, image = rest
    patches = image.reshape(1, 3, 8, 8, 8, 8).transpose(0, 2, 4, 1, 3, 5).reshape(1, 64, 192)
    x = ops.matmul(patches, patch) + place
    for first in range(0, len(weights), 4):
        x = _block(x, weights[first : first + 4], 3)
    return ops.matmul(_norm(x).mean(1), out)


def text(table: Any, place: Any, a: Any, b: Any, c: Any, d: Any, out: Any, tokens: Any, wanted: Any) -> Any:
    """A language model of one block."""
    x = _block(functional.embedding(tokens, table) + place, (a, b, c, d), 4, _later(64))
    return ops.cross_entropy(ops.matmul(_norm(x), out).reshape(-1, 512), wanted.reshape(-1))


class Block(nn.Cell):  # type: ignore[misc]
    """A transformer block."""

    def __init__(self) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm((128,), epsilon=1e-5)
        self.qkv, self.out = nn.Dense(128, 384), nn.Dense(128, 128)
        self.norm2 = nn.LayerNorm((128,), epsilon=1e-5)
        self.up, self.down = nn.Dense(128, 512), nn.Dense(512, 128)
        self.gelu = nn.GELU(False)

    def construct(self, x: Any) -> Any:
        """x of (batch, positions, 128), transformed."""
        query, key, value = (_split(part, 4) for part in ops.chunk(self.qkv(self.norm1(x)), 3, -1))
        x = x + self.out(_attend(query, key, value).swapaxes(1, 2).reshape(x.shape))
        return x + self.down(self.gelu(self.up(self.norm2(x))))


def blocks() -> Any:
    """A training step with Adam."""
    return training("networks/blocks", nn.SequentialCell(Block(), Block()), nn.MSELoss(), _adam)


def causal(query: Any, key: Any, value: Any) -> Any:
    """Attention to what came before."""
    return ops.square(_attend(query, key, value, _later(256))).mean()


def cross(wq: Any, wkv: Any, out: Any, x: Any, others: Any, mask: Any) -> Any:
    """Attention to another sequence where the mask is not zero."""
    query = _split(ops.matmul(x, wq), 4)
    key, value = (_split(part, 4) for part in ops.chunk(ops.matmul(others, wkv), 2, -1))
    mixed = _attend(query, key, value, (mask == 0)[:, None, None, :])
    return ops.square(ops.matmul(mixed.swapaxes(1, 2).reshape(x.shape), out)).mean()


def cached(a: Any, b: Any, c: Any, d: Any, x: Any, keys: Any, values: Any) -> Any:
    """A block for one more token of each text."""
    query, key, value = (part.reshape(4, 8, 1, 32) for part in ops.chunk(ops.matmul(_norm(x), a), 3, -1))
    keys, values = ops.cat([keys, key], 2), ops.cat([values, value], 2)
    mixed = _attend(query, keys, values)
    x = x + ops.matmul(mixed.reshape(4, 256), b)
    return x + ops.matmul(ops.gelu(ops.matmul(_norm(x), c)), d), keys, values


def mixer(a: Any, b: Any, c: Any, d: Any, x: Any) -> Any:
    """Two-layer networks over patches and over channels."""
    x = x + ops.matmul(ops.gelu(ops.matmul(_norm(x).swapaxes(1, 2), a)), b).swapaxes(1, 2)
    return ops.square(x + ops.matmul(ops.gelu(ops.matmul(_norm(x), c)), d)).mean()


def autoencoder(a: Any, a1: Any, b: Any, b1: Any, c: Any, c1: Any, d: Any, d1: Any, x: Any) -> Any:
    """Rows through a narrow layer and back."""
    y = ops.relu(ops.matmul(ops.relu(ops.matmul(x, a) + a1), b) + b1)
    return ops.square(ops.matmul(ops.relu(ops.matmul(y, c) + c1), d) + d1 - x).mean()


def gates(w: Any, u: Any, bias: Any, x: Any) -> Any:
    """A long short-term memory, step by step."""
    state = memory = ops.zeros((16, 128))
    for step in range(8):
        i, f, g, o = ops.chunk(ops.matmul(x[step], w) + ops.matmul(state, u) + bias, 4, 1)
        memory = ops.sigmoid(f) * memory + ops.sigmoid(i) * ops.tanh(g)
        state = ops.sigmoid(o) * ops.tanh(memory)
    return ops.square(state).mean()


def adapter(a1: Any, b1: Any, a2: Any, b2: Any, a3: Any, b3: Any, w1: Any, w2: Any, w3: Any, x: Any) -> Any:
    """Dense layers that are adapted by products of low rank."""
    for a, b, w in ((a1, b1, w1), (a2, b2, w2), (a3, b3, w3)):
        x = ops.relu(ops.matmul(x, w) + ops.matmul(ops.matmul(x, a), b) * 0.5)
    return ops.square(x).mean()


def vocabulary(w: Any, x: Any, wanted: Any) -> Any:
    """The loss of scores for all words."""
    return ops.cross_entropy(ops.matmul(x, w), wanted)


def experts(up: Any, down: Any, x: Any) -> Any:
    """Each expert's two layers on its own rows."""
    y = ops.relu(ops.einsum("bei,eij->bej", x, up))
    return ops.square(ops.einsum("bej,eji->bei", y, down)).mean()


def normalized(a: Any, a1: Any, b: Any, b1: Any, c: Any, c1: Any, x: Any) -> Any:
    """Dense layers, each with a layer norm, an activation and what it skips; dropout is off."""
    for w, bias in ((a, a1), (b, b1), (c, c1)):
        x = x + ops.dropout(ops.gelu(_norm(ops.matmul(x, w) + bias)), 0.1, training=False)
    return ops.square(x).mean()


def tiny(a: Any, a1: Any, b: Any, b1: Any, c: Any, c1: Any, x: Any) -> Any:
    """A small network."""
    x = ops.tanh(ops.matmul(ops.tanh(ops.matmul(x, a) + a1), b) + b1)
    return ops.square(ops.matmul(x, c) + c1).mean()
