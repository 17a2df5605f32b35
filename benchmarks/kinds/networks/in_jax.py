"""Networks of products in JAX."""

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from workloads_jax import _adam, training


def _norm(x: Any) -> Any:
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5)


def _gelu(x: Any) -> Any:
    return jax.nn.gelu(x, approximate=False)


def _split(x: Any, heads: int) -> Any:
    return x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)


def _attend(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    """Attention; only where the mask is true."""
    scores = query @ key.swapaxes(-1, -2) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = jnp.where(mask, scores, -jnp.inf)
    return jax.nn.softmax(scores, -1) @ value


def _earlier(positions: int) -> Any:
    return jnp.tril(jnp.ones((positions, positions), bool))


def _block(x: Any, w: Any, heads: int, mask: Any = None) -> Any:
    """A transformer block."""
    query, key, value = (_split(part, heads) for part in jnp.split(_norm(x) @ w[0], 3, -1))
    mixed = _attend(query, key, value, mask)
    x = x + mixed.swapaxes(1, 2).reshape(x.shape) @ w[1]
    return x + _gelu(_norm(x) @ w[2]) @ w[3]


def _cross_entropy(scores: Any, classes: Any) -> Any:
    return -jnp.take_along_axis(jax.nn.log_softmax(scores), classes[:, None], 1).mean()


def vision(patch: Any, place: Any, *rest: Any) -> Any:
    """A vision transformer for one image."""
    *weights, out, image = rest
    patches = image.reshape(1, 3, 8, 8, 8, 8).transpose(0, 2, 4, 1, 3, 5).reshape(1, 64, 192)
    x = patches @ patch + place
    for first in range(0, len(weights), 4):
        x = _block(x, weights[first : first + 4], 3)
    return _norm(x).mean(1) @ out


def text(table: Any, place: Any, a: Any, b: Any, c: Any, d: Any, out: Any, tokens: Any, wanted: Any) -> Any:
    """A language model of one block."""
    x = _block(table[tokens] + place, (a, b, c, d), 4, _earlier(64))
    return _cross_entropy((_norm(x) @ out).reshape(-1, 512), wanted.reshape(-1))


def blocks() -> Any:
    """A training step with Adam."""

    def loss(w: Any, x: Any, y: Any) -> Any:
        for f in range(0, len(w), 12):
            parts = jnp.split((_norm(x) * w[f] + w[f + 1]) @ w[f + 2].T + w[f + 3], 3, -1)
            query, key, value = (_split(part, 4) for part in parts)
            mixed = _attend(query, key, value).swapaxes(1, 2).reshape(x.shape)
            x = x + mixed @ w[f + 4].T + w[f + 5]
            inner = _gelu((_norm(x) * w[f + 6] + w[f + 7]) @ w[f + 8].T + w[f + 9])
            x = x + inner @ w[f + 10].T + w[f + 11]
        return jnp.square(x - y).mean()

    return training("networks/blocks", loss, _adam)


def causal(query: Any, key: Any, value: Any) -> Any:
    """Attention to what came before."""
    return jnp.square(_attend(query, key, value, _earlier(256))).mean()


def cross(wq: Any, wkv: Any, out: Any, x: Any, others: Any, mask: Any) -> Any:
    """Attention to another sequence where the mask is not zero."""
    query = _split(x @ wq, 4)
    key, value = (_split(part, 4) for part in jnp.split(others @ wkv, 2, -1))
    mixed = _attend(query, key, value, (mask != 0)[:, None, None, :])
    return jnp.square(mixed.swapaxes(1, 2).reshape(x.shape) @ out).mean()


def cached(a: Any, b: Any, c: Any, d: Any, x: Any, keys: Any, values: Any) -> Any:
    """A block for one more token of each text."""
    query, key, value = (part.reshape(4, 8, 1, 32) for part in jnp.split(_norm(x) @ a, 3, -1))
    keys, values = jnp.concatenate([keys, key], 2), jnp.concatenate([values, value], 2)
    x = x + _attend(query, keys, values).reshape(4, 256) @ b
    return x + _gelu(_norm(x) @ c) @ d, keys, values


def mixer(a: Any, b: Any, c: Any, d: Any, x: Any) -> Any:
    """Two-layer networks over patches and over channels."""
    x = x + (_gelu(_norm(x).swapaxes(1, 2) @ a) @ b).swapaxes(1, 2)
    return jnp.square(x + _gelu(_norm(x) @ c) @ d).mean()


def autoencoder(a: Any, a1: Any, b: Any, b1: Any, c: Any, c1: Any, d: Any, d1: Any, x: Any) -> Any:
    """Rows through a narrow layer and back."""
    y = jax.nn.relu(jax.nn.relu(x @ a + a1) @ b + b1)
    return jnp.square(jax.nn.relu(y @ c + c1) @ d + d1 - x).mean()


def gates(w: Any, u: Any, bias: Any, x: Any) -> Any:
    """A long short-term memory, step by step."""

    def move(held: Any, x: Any) -> Any:
        state, memory = held
        i, f, g, o = jnp.split(x @ w + state @ u + bias, 4, 1)
        memory = jax.nn.sigmoid(f) * memory + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(memory), memory), None

    zeros = jnp.zeros((16, 128))
    return jnp.square(lax.scan(move, (zeros, zeros), x)[0][0]).mean()


def adapter(a1: Any, b1: Any, a2: Any, b2: Any, a3: Any, b3: Any, w1: Any, w2: Any, w3: Any, x: Any) -> Any:
    """Dense layers that are adapted by products of low rank."""
    for a, b, w in ((a1, b1, w1), (a2, b2, w2), (a3, b3, w3)):
        x = jax.nn.relu(x @ w + x @ a @ b * 0.5)
    return jnp.square(x).mean()


def vocabulary(w: Any, x: Any, wanted: Any) -> Any:
    """The loss of scores for all words."""
    return _cross_entropy(x @ w, wanted)


def experts(up: Any, down: Any, x: Any) -> Any:
    """Each expert's two layers on its own rows."""
    y = jax.nn.relu(jnp.einsum("bei,eij->bej", x, up))
    return jnp.square(jnp.einsum("bej,eji->bei", y, down)).mean()


def normalized(a: Any, a1: Any, b: Any, b1: Any, c: Any, c1: Any, x: Any) -> Any:
    """Dense layers, each with a layer norm, an activation and what it skips; dropout is off."""
    for w, bias in ((a, a1), (b, b1), (c, c1)):
        x = x + _gelu(_norm(x @ w + bias))
    return jnp.square(x).mean()


def tiny(a: Any, a1: Any, b: Any, b1: Any, c: Any, c1: Any, x: Any) -> Any:
    """A small network."""
    return jnp.square(jnp.tanh(jnp.tanh(x @ a + a1) @ b + b1) @ c + c1).mean()
