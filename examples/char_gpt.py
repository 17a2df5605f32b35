"""Train a small GPT on characters. The text is the licence of this repository.

python examples/char_gpt.py
"""

from pathlib import Path

import numpy as np

import mycel as ms
from mycel import Parameter, Tensor, nn, ops

TEXT = Path(__file__).resolve().parent.parent / "LICENSE"
LENGTH, WIDTH, HEADS, LAYERS, BATCH, STEPS = 32, 64, 4, 2, 16, 200


class Block(nn.Cell):
    """Causal attention and an MLP. Each reads a normalised input and adds to the stream."""

    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm((WIDTH,)), nn.LayerNorm((WIDTH,))
        self.qkv, self.project = nn.Dense(WIDTH, 3 * WIDTH), nn.Dense(WIDTH, WIDTH)
        self.mlp = nn.SequentialCell(nn.Dense(WIDTH, 4 * WIDTH), nn.GELU(), nn.Dense(4 * WIDTH, WIDTH))

    def attend(self, x):
        batch, length, _ = x.shape
        # Three tensors of shape (batch, head, position, width of a head).
        q, k, v = self.qkv(x).reshape(batch, length, 3, HEADS, WIDTH // HEADS).transpose(2, 0, 3, 1, 4)
        scores = q @ k.swapaxes(-1, -2) / (WIDTH // HEADS) ** 0.5
        past = ops.tril(ops.ones((length, length), ms.bool_))
        weights = ops.softmax(ops.where(past, scores, -1e9), -1)
        return self.project((weights @ v).transpose(0, 2, 1, 3).reshape(batch, length, WIDTH))

    def construct(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Cell):
    """From the numbers of characters to the logits of the next ones."""

    def __init__(self, characters):
        super().__init__()
        self.embedding = nn.Embedding(characters, WIDTH, embedding_table=ms.common.initializer.Normal(0.1))
        self.position = Parameter(
            Tensor(np.random.default_rng(1).normal(0, 0.1, (LENGTH, WIDTH)).astype(np.float32)), name="position"
        )
        self.blocks = nn.SequentialCell([Block() for _ in range(LAYERS)])
        self.norm, self.head = nn.LayerNorm((WIDTH,)), nn.Dense(WIDTH, characters)

    def construct(self, tokens):
        return self.head(self.norm(self.blocks(self.embedding(tokens) + self.position)))


def sample(net, characters, start, count):
    """Go on with a text: always the most probable next character."""
    tokens = [characters.index(c) for c in start]
    for _ in range(count):
        window = tokens[-LENGTH:]
        padded = np.zeros((1, LENGTH), np.int32)  # one shape for all lengths: the net is compiled once
        padded[0, : len(window)] = window
        tokens.append(int(net(Tensor(padded))[0, len(window) - 1].argmax()))
    return "".join(characters[t] for t in tokens)


def main():
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(0)
    text = TEXT.read_text("utf-8")
    characters = sorted(set(text))
    tokens = np.array([characters.index(c) for c in text], np.int32)
    generator = np.random.default_rng(0)

    net = GPT(len(characters))
    optimizer = nn.Adam(net.trainable_params(), learning_rate=3e-3, beta2=0.99)

    def forward(x, y):
        return ops.cross_entropy(net(x).reshape(-1, len(characters)), y.reshape(-1))

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def step(x, y):
        loss, grads = gradient(x, y)
        optimizer(grads)
        return loss

    print(f"{len(text)} characters, {sum(p.size for p in net.trainable_params())} weights")
    for number in range(STEPS + 1):
        starts = generator.integers(0, len(tokens) - LENGTH, BATCH)[:, None]
        batch = tokens[starts + np.arange(LENGTH + 1)]
        loss = step(Tensor(batch[:, :-1]), Tensor(batch[:, 1:]))
        if number % 50 == 0:
            print(f"step {number:3d}  loss {float(loss):.3f}")
    print(repr(sample(net, characters, "Licensed under the ", 40)))


if __name__ == "__main__":
    main()
