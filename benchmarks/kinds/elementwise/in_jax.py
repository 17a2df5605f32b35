"""Elementwise operations and reductions in JAX."""

from typing import Any

import jax
import jax.numpy as jnp


def softmax_rows(x: Any, w: Any) -> Any:
    """A weighted softmax."""
    return (jax.nn.softmax(x, -1) * w).sum()


def log_softmax_first(x: Any, w: Any) -> Any:
    """Along the first axis."""
    return (jax.nn.log_softmax(x, 0) * w).mean()


def logsumexp_middle(x: Any) -> Any:
    """Along the middle axis."""
    return jnp.tanh(jax.nn.logsumexp(x, 1)).sum()


def layer_norm(x: Any, scale: Any, shift: Any) -> Any:
    """With weights."""
    mean = x.mean(-1, keepdims=True)
    variance = jnp.square(x - mean).mean(-1, keepdims=True)
    y = (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + shift
    return jnp.tanh(y).mean()


layer_norm_tiny = layer_norm


def rms_norm(x: Any, scale: Any) -> Any:
    """By the root of the mean square."""
    y = x * jax.lax.rsqrt(jnp.square(x).mean(-1, keepdims=True) + 1e-6) * scale
    return (y * jax.nn.sigmoid(y)).mean()


def group_norm(x: Any, scale: Any) -> Any:
    """Eight groups of channels."""
    n, c, h, w = x.shape
    groups = x.reshape(n, 8, -1)
    mean = groups.mean(-1, keepdims=True)
    variance = jnp.square(groups - mean).mean(-1, keepdims=True)
    y = ((groups - mean) / jnp.sqrt(variance + 1e-5)).reshape(n, c, h, w) * scale
    return jax.nn.relu(y).mean()


def gelu(x: Any) -> Any:
    """By erf."""
    return jax.nn.gelu(x, approximate=False).sum()


def mish(x: Any) -> Any:
    """SiLU and mish."""
    return (jax.nn.silu(x) + jax.nn.mish(x)).mean()


def swiglu(x: Any, gate: Any) -> Any:
    """A gated unit."""
    return jnp.square(x * jax.nn.silu(gate)).mean()


def adam(p: Any, g: Any, m: Any, v: Any) -> Any:
    """The new parameters and moments."""
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p - 1e-3 * (m / 0.19) / (jnp.sqrt(v / 0.002) + 1e-8), m, v


def adam_small(p: Any, g: Any, m: Any, v: Any) -> Any:
    """With decay."""
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p * 0.9999 - 1e-3 * (m / 0.19) / (jnp.sqrt(v / 0.002) + 1e-8), m, v


def lion(p: Any, g: Any, m: Any) -> Any:
    """The sign of a mean."""
    step = jnp.sign(0.9 * m + 0.1 * g)
    return p - 1e-3 * (step + 0.01 * p), 0.99 * m + 0.01 * g


def cross_entropy(x: Any, labels: Any) -> Any:
    """With smoothed labels."""
    logs = jax.nn.log_softmax(x, 1)
    picked = jnp.take_along_axis(logs, labels[:, None], 1)[:, 0]
    return -(0.9 * picked + 0.1 * logs.mean(1)).mean()


def focal(x: Any, labels: Any) -> Any:
    """Of logits and labels 0 or 1."""
    y = labels.astype(x.dtype)
    p = jax.nn.sigmoid(x)
    loss = jax.nn.relu(x) - x * y + jnp.log1p(jnp.exp(-jnp.abs(x)))
    right = p * y + (1 - p) * (1 - y)
    return (loss * jnp.square(1 - right)).mean()


def normal_cdf(x: Any) -> Any:
    """The normal distribution."""
    return 0.5 * (1 + jax.lax.erf(x * 0.7071067811865476))


def call_prices(spot: Any, strike: Any, time: Any, sigma: Any) -> Any:
    """Prices of call options."""
    spread = sigma * jnp.sqrt(time)
    d1 = (jnp.log(spot / strike) + (0.02 + sigma * sigma / 2) * time) / spread
    return spot * normal_cdf(d1) - strike * jnp.exp(-0.02 * time) * normal_cdf(d1 - spread)


def black_scholes(spot: Any, strike: Any, time: Any, sigma: Any) -> Any:
    """The sum of prices; its gradient is delta."""
    return call_prices(spot, strike, time, sigma).sum()


black_scholes_double = call_prices


def pairwise(x: Any, y: Any) -> Any:
    """The mean distance."""
    d = x[:, None, :] - y[None, :, :]
    return jnp.sqrt(jnp.square(d).sum(-1) + 1e-6).mean()


def rbf(x: Any, y: Any) -> Any:
    """exp of squared distances."""
    d = x[:, None, :] - y[None, :, :]
    return jnp.exp(-0.1 * jnp.square(d).sum(-1))


def mandelbrot(a: Any, b: Any) -> Any:
    """How many iterations stay within a radius."""

    def step(_: Any, held: Any) -> Any:
        x, y, count = held
        inside = x * x + y * y < 4
        x, y = jnp.where(inside, x * x - y * y + a, x), jnp.where(inside, 2 * x * y + b, y)
        return x, y, count + inside.astype(a.dtype)

    zero = jnp.zeros_like(a)
    return jax.lax.fori_loop(0, 40, step, (zero, zero, zero))[2]


def butterflies(x: Any) -> Any:
    """Sums and differences of halves."""
    for _ in range(10):
        a, b = x[:, :512], x[:, 512:]
        x = jnp.concatenate([a + b, a - b], 1) * 0.70710678
    return jnp.tanh(x).sum()


def quantise(x: Any) -> Any:
    """Rounded to 256 levels."""
    return (jnp.clip(jnp.round(x / 0.02) + 3, -128, 127) - 3) * 0.02


def hash(x: Any) -> Any:
    """Three rounds of shifts and products."""
    for _ in range(3):
        x = ((x ^ (x >> 7)) * 2053 + 13849) & 0x3FF
    return x


def moments(x: Any) -> Any:
    """Four numbers."""
    mean = x.mean()
    d = x - mean
    variance = jnp.square(d).mean()
    return mean, variance, (d * d * d).mean() / variance**1.5, jnp.square(d * d).mean() / variance**2


def correlation(x: Any, y: Any) -> Any:
    """Of two vectors."""
    x, y = x - x.mean(), y - y.mean()
    return (x * y).sum() / jnp.sqrt(jnp.square(x).sum() * jnp.square(y).sum())


def double_chain(x: Any) -> Any:
    """Roots, logarithms, sines."""
    for _ in range(3):
        x = jnp.sqrt(1 + x * x) - 0.5 * jnp.log(1 + x) * jnp.sin(x)
    return x.mean()


def masks(x: Any, y: Any) -> Any:
    """Choices between functions."""
    inside = jnp.logical_and(x > -1, x < y)
    z = jnp.where(inside, x * y, jnp.where(y > 0, x - y, jnp.abs(x)))
    return jnp.where(jnp.isnan(z), jnp.zeros_like(z), z).mean()


def reduce_first(x: Any) -> Any:
    """Three reductions of columns."""
    return x.sum(0), x.max(0), jnp.sqrt(jnp.square(x).sum(0))


def standardise(x: Any, w: Any) -> Any:
    """By the columns' mean and variance."""
    y = (x - x.mean(0)) / (x.std(0) + 1e-5)
    return (y * w).mean()


def norms(x: Any) -> Any:
    """Of rows: sum, root of squares, largest."""
    one, two, most = jnp.abs(x).sum(1), jnp.sqrt(jnp.square(x).sum(1)), jnp.abs(x).max(1)
    return (one / (two + most)).mean()


def cosine(x: Any, y: Any) -> Any:
    """Of rows."""
    sizes = jnp.linalg.norm(x, axis=1) * jnp.linalg.norm(y, axis=1)
    return ((x * y).sum(1) / jnp.maximum(sizes, 1e-8)).mean()


def outer(a: Any, b: Any) -> Any:
    """The sum over all pairs."""
    return jnp.sin(a[:, None] * b[None, :] + a[:, None]).mean()


def causal(x: Any, v: Any) -> Any:
    """Each row sees the columns up to its own."""
    mask = jnp.tril(jnp.ones_like(x[0]))
    return (jax.nn.softmax(jnp.where(mask > 0, x, -1e9), -1) * v).sum()


def polynomial(x: Any) -> Any:
    """Of degree 8."""
    y = 0.01 * x + 0.1
    for c in (-0.3, 0.2, 0.5, -0.7, 0.11, 0.13, 1.0):
        y = y * x + c
    return y


def special(x: Any) -> Any:
    """erf, lgamma, log1p."""
    return (jax.lax.erf(x) * jax.lax.lgamma(x) + jnp.log1p(x)).sum()


def sum_exp(x: Any) -> Any:
    """log of the sum of exp."""
    return jnp.log(jnp.exp(x).sum())


def dot(x: Any, y: Any) -> Any:
    """The mean product."""
    return (x * y).mean()


def chain_tiny(x: Any, y: Any) -> Any:
    """A dozen operations."""
    z = jnp.tanh(x * y) + jnp.exp(-x * x)
    z = z / (1 + jnp.abs(y)) - jax.nn.sigmoid(z) * x
    return jnp.sqrt(1 + z * z).sum()


def huber(x: Any, y: Any) -> Any:
    """Square near 0, then linear."""
    d = jnp.abs(x - y)
    return jnp.where(d < 1, 0.5 * d * d, d - 0.5).mean()


def rotary(x: Any, angle: Any) -> Any:
    """Both halves rotated."""
    a, b = x[..., :32], x[..., 32:]
    c, s = jnp.cos(angle), jnp.sin(angle)
    return jnp.square(jnp.concatenate([a * c - b * s, a * s + b * c], -1) - 0.5).mean()


def mixture(x: Any, mean: Any, scale: Any, weight: Any) -> Any:
    """The mean negative logarithm of the density."""
    z = (x[:, None] - mean) * jnp.exp(-scale)
    parts = jax.nn.log_softmax(weight, 0) - scale - 0.5 * z * z
    return -jax.nn.logsumexp(parts, 1).mean()


def boxes(a: Any, b: Any) -> Any:
    """Areas in common by areas in either."""
    low_a, high_a, low_b, high_b = a[:, :2], a[:, :2] + a[:, 2:], b[:, :2], b[:, :2] + b[:, 2:]
    sides = jnp.clip(jnp.minimum(high_a[:, None], high_b[None]) - jnp.maximum(low_a[:, None], low_b[None]), 0.0)
    inner = sides[..., 0] * sides[..., 1]
    area_a, area_b = a[:, 2] * a[:, 3], b[:, 2] * b[:, 3]
    return inner / (area_a[:, None] + area_b[None] - inner)


def colours(x: Any) -> Any:
    """Hue, saturation and value of each pixel."""
    r, g, b = x[..., 0], x[..., 1], x[..., 2]
    most, least = x.max(-1), x.min(-1)
    d = most - least + 1e-6
    hue = jnp.where(most == r, (g - b) / d, jnp.where(most == g, 2 + (b - r) / d, 4 + (r - g) / d)) / 6
    return hue - jnp.floor(hue), d / most, most
