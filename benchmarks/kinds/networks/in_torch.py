"""Networks of products in PyTorch."""

from typing import Any

import torch
from torch import nn
from torch.nn import functional
from workloads_torch import _adam, training


def _norm(x: Any) -> Any:
    return functional.layer_norm(x, x.shape[-1:])


def _split(x: Any, heads: int) -> Any:
    return x.reshape(*x.shape[:2], heads, -1).transpose(1, 2)


def _block(x: Any, w: Any, heads: int, causal: bool = False) -> Any:
    """A transformer block, with scaled_dot_product_attention."""
    query, key, value = (_split(part, heads) for part in (_norm(x) @ w[0]).chunk(3, -1))
    mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=causal)
    x = x + mixed.transpose(1, 2).reshape(x.shape) @ w[1]
    return x + functional.gelu(_norm(x) @ w[2]) @ w[3]


def vision(patch: Any, place: Any, *rest: Any) -> Any:
    """A vision transformer for one image."""
    *weights, out, image = rest
    patches = image.reshape(1, 3, 8, 8, 8, 8).permute(0, 2, 4, 1, 3, 5).reshape(1, 64, 192)
    x = patches @ patch + place
    for first in range(0, len(weights), 4):
        x = _block(x, weights[first : first + 4], 3)
    return _norm(x).mean(1) @ out


def text(table: Any, place: Any, a: Any, b: Any, c: Any, d: Any, out: Any, tokens: Any, wanted: Any) -> Any:
    """A language model of one block."""
    x = _block(functional.embedding(tokens, table) + place, (a, b, c, d), 4, causal=True)
    return functional.cross_entropy((_norm(x) @ out).reshape(-1, 512), wanted.reshape(-1))


class Block(nn.Module):  # type: ignore[misc]
    """A transformer block."""

    def __init__(self) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(128)
        self.qkv, self.out = nn.Linear(128, 384), nn.Linear(128, 128)
        self.norm2 = nn.LayerNorm(128)
        self.up, self.down = nn.Linear(128, 512), nn.Linear(512, 128)

    def forward(self, x: Any) -> Any:
        """x of (batch, positions, 128), transformed."""
        query, key, value = (_split(part, 4) for part in self.qkv(self.norm1(x)).chunk(3, -1))
        mixed = functional.scaled_dot_product_attention(query, key, value)
        x = x + self.out(mixed.transpose(1, 2).reshape(x.shape))
        return x + self.down(functional.gelu(self.up(self.norm2(x))))


def blocks(compiled: Any) -> Any:
    """A training step with Adam."""
    return training("networks/blocks", nn.Sequential(Block(), Block()), functional.mse_loss, _adam, compiled)


def causal(query: Any, key: Any, value: Any) -> Any:
    """Attention to what came before."""
    return torch.square(functional.scaled_dot_product_attention(query, key, value, is_causal=True)).mean()


def cross(wq: Any, wkv: Any, out: Any, x: Any, others: Any, mask: Any) -> Any:
    """Attention to another sequence where the mask is not zero."""
    query = _split(x @ wq, 4)
    key, value = (_split(part, 4) for part in (others @ wkv).chunk(2, -1))
    seen = (mask != 0)[:, None, None, :]
    mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=seen)
    return torch.square(mixed.transpose(1, 2).reshape(x.shape) @ out).mean()


def cached(a: Any, b: Any, c: Any, d: Any, x: Any, keys: Any, values: Any) -> Any:
    """A block for one more token of each text."""
    query, key, value = (part.reshape(4, 8, 1, 32) for part in (_norm(x) @ a).chunk(3, -1))
    keys, values = torch.cat([keys, key], 2), torch.cat([values, value], 2)
    mixed = functional.scaled_dot_product_attention(query, keys, values)
    x = x + mixed.reshape(4, 256) @ b
    return x + functional.gelu(_norm(x) @ c) @ d, keys, values


def mixer(a: Any, b: Any, c: Any, d: Any, x: Any) -> Any:
    """Two-layer networks over patches and over channels."""
    x = x + (functional.gelu(_norm(x).transpose(1, 2) @ a) @ b).transpose(1, 2)
    return torch.square(x + functional.gelu(_norm(x) @ c) @ d).mean()


def autoencoder(a: Any, a1: Any, b: Any, b1: Any, c: Any, c1: Any, d: Any, d1: Any, x: Any) -> Any:
    """Rows through a narrow layer and back."""
    y = torch.relu(torch.relu(x @ a + a1) @ b + b1)
    return torch.square(torch.relu(y @ c + c1) @ d + d1 - x).mean()


def gates(w: Any, u: Any, bias: Any, x: Any) -> Any:
    """A long short-term memory, step by step."""
    state = memory = torch.zeros(16, 128)
    for step in range(8):
        i, f, g, o = (x[step] @ w + state @ u + bias).chunk(4, 1)
        memory = torch.sigmoid(f) * memory + torch.sigmoid(i) * torch.tanh(g)
        state = torch.sigmoid(o) * torch.tanh(memory)
    return torch.square(state).mean()


def adapter(a1: Any, b1: Any, a2: Any, b2: Any, a3: Any, b3: Any, w1: Any, w2: Any, w3: Any, x: Any) -> Any:
    """Dense layers that are adapted by products of low rank."""
    for a, b, w in ((a1, b1, w1), (a2, b2, w2), (a3, b3, w3)):
        x = torch.relu(x @ w + x @ a @ b * 0.5)
    return torch.square(x).mean()


def vocabulary(w: Any, x: Any, wanted: Any) -> Any:
    """The loss of scores for all words."""
    return functional.cross_entropy(x @ w, wanted)


def experts(up: Any, down: Any, x: Any) -> Any:
    """Each expert's two layers on its own rows."""
    y = torch.relu(torch.einsum("bei,eij->bej", x, up))
    return torch.square(torch.einsum("bej,eji->bei", y, down)).mean()


def normalized(a: Any, a1: Any, b: Any, b1: Any, c: Any, c1: Any, x: Any) -> Any:
    """Dense layers, each with a layer norm, an activation and what it skips; dropout is off."""
    for w, bias in ((a, a1), (b, b1), (c, c1)):
        x = x + functional.dropout(functional.gelu(_norm(x @ w + bias)), 0.1, training=False)
    return torch.square(x).mean()


def tiny(a: Any, a1: Any, b: Any, b1: Any, c: Any, c1: Any, x: Any) -> Any:
    """A small network."""
    return torch.square(torch.tanh(torch.tanh(x @ a + a1) @ b + b1) @ c + c1).mean()
