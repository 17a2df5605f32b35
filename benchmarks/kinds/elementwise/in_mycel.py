"""Elementwise operations and reductions in MindSpore's names."""

from typing import Any

from mindspore import ops


def softmax_rows(x: Any, w: Any) -> Any:
    """A weighted softmax."""
    return (ops.softmax(x, -1) * w).sum()


def log_softmax_first(x: Any, w: Any) -> Any:
    """Along the first axis."""
    return (ops.log_softmax(x, 0) * w).mean()


def logsumexp_middle(x: Any) -> Any:
    """Along the middle axis."""
    return ops.tanh(ops.logsumexp(x, 1)).sum()


def layer_norm(x: Any, scale: Any, shift: Any) -> Any:
    """With weights."""
    mean = x.mean(-1, keep_dims=True)
    variance = ops.square(x - mean).mean(-1, keep_dims=True)
    y = (x - mean) * ops.rsqrt(variance + 1e-5) * scale + shift
    return ops.tanh(y).mean()


layer_norm_tiny = layer_norm


def rms_norm(x: Any, scale: Any) -> Any:
    """By the root of the mean square."""
    y = x * ops.rsqrt(ops.square(x).mean(-1, keep_dims=True) + 1e-6) * scale
    return (y * ops.sigmoid(y)).mean()


def group_norm(x: Any, scale: Any) -> Any:
    """Eight groups of channels."""
    n, c, h, w = x.shape
    groups = x.reshape(n, 8, -1)
    mean = groups.mean(-1, keep_dims=True)
    variance = ops.square(groups - mean).mean(-1, keep_dims=True)
    y = ((groups - mean) / ops.sqrt(variance + 1e-5)).reshape(n, c, h, w) * scale
    return ops.relu(y).mean()


def gelu(x: Any) -> Any:
    """By erf."""
    return ops.gelu(x).sum()


def mish(x: Any) -> Any:
    """SiLU and mish."""
    return (ops.silu(x) + ops.mish(x)).mean()


def swiglu(x: Any, gate: Any) -> Any:
    """A gated unit."""
    return ops.square(x * ops.silu(gate)).mean()


def adam(p: Any, g: Any, m: Any, v: Any) -> Any:
    """The new parameters and moments."""
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p - 1e-3 * (m / 0.19) / (ops.sqrt(v / 0.002) + 1e-8), m, v


def adam_small(p: Any, g: Any, m: Any, v: Any) -> Any:
    """With decay."""
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p * 0.9999 - 1e-3 * (m / 0.19) / (ops.sqrt(v / 0.002) + 1e-8), m, v


def lion(p: Any, g: Any, m: Any) -> Any:
    """The sign of a mean."""
    step = ops.sign(0.9 * m + 0.1 * g)
    return p - 1e-3 * (step + 0.01 * p), 0.99 * m + 0.01 * g


def cross_entropy(x: Any, labels: Any) -> Any:
    """With smoothed labels."""
    return ops.cross_entropy(x, labels, label_smoothing=0.1)


def focal(x: Any, labels: Any) -> Any:
    """Of logits and labels 0 or 1."""
    y = labels.astype(x.dtype)
    p = ops.sigmoid(x)
    loss = ops.relu(x) - x * y + ops.log1p(ops.exp(-ops.abs(x)))
    right = p * y + (1 - p) * (1 - y)
    return (loss * ops.square(1 - right)).mean()


def normal_cdf(x: Any) -> Any:
    """The normal distribution."""
    return 0.5 * (1 + ops.erf(x * 0.7071067811865476))


def call_prices(spot: Any, strike: Any, time: Any, sigma: Any) -> Any:
    """Prices of call options."""
    spread = sigma * ops.sqrt(time)
    d1 = (ops.log(spot / strike) + (0.02 + sigma * sigma / 2) * time) / spread
    return spot * normal_cdf(d1) - strike * ops.exp(-0.02 * time) * normal_cdf(d1 - spread)


def black_scholes(spot: Any, strike: Any, time: Any, sigma: Any) -> Any:
    """The sum of prices; its gradient is delta."""
    return call_prices(spot, strike, time, sigma).sum()


black_scholes_double = call_prices


def pairwise(x: Any, y: Any) -> Any:
    """The mean distance."""
    d = x[:, None, :] - y[None, :, :]
    return ops.sqrt(ops.square(d).sum(-1) + 1e-6).mean()


def rbf(x: Any, y: Any) -> Any:
    """exp of squared distances."""
    d = x[:, None, :] - y[None, :, :]
    return ops.exp(-0.1 * ops.square(d).sum(-1))


def mandelbrot(a: Any, b: Any) -> Any:
    """How many iterations stay within a radius."""
    x, y, count = ops.zeros_like(a), ops.zeros_like(a), ops.zeros_like(a)
    for _ in range(40):
        inside = x * x + y * y < 4
        x, y = ops.where(inside, x * x - y * y + a, x), ops.where(inside, 2 * x * y + b, y)
        count = count + inside.astype(a.dtype)
    return count


def butterflies(x: Any) -> Any:
    """Sums and differences of halves."""
    for _ in range(10):
        a, b = x[:, :512], x[:, 512:]
        x = ops.cat([a + b, a - b], 1) * 0.70710678
    return ops.tanh(x).sum()


def quantise(x: Any) -> Any:
    """Rounded to 256 levels."""
    return (ops.clamp(ops.round(x / 0.02) + 3, -128, 127) - 3) * 0.02


def hash(x: Any) -> Any:
    """Three rounds of shifts and products."""
    for _ in range(3):
        x = ((x ^ ops.bitwise_right_shift(x, 7)) * 2053 + 13849) & 0x3FF
    return x


def moments(x: Any) -> Any:
    """Four numbers."""
    mean = x.mean()
    d = x - mean
    variance = ops.square(d).mean()
    return mean, variance, (d * d * d).mean() / variance**1.5, ops.square(d * d).mean() / variance**2


def correlation(x: Any, y: Any) -> Any:
    """Of two vectors."""
    x, y = x - x.mean(), y - y.mean()
    return (x * y).sum() / ops.sqrt(ops.square(x).sum() * ops.square(y).sum())


def double_chain(x: Any) -> Any:
    """Roots, logarithms, sines."""
    for _ in range(3):
        x = ops.sqrt(1 + x * x) - 0.5 * ops.log(1 + x) * ops.sin(x)
    return x.mean()


def masks(x: Any, y: Any) -> Any:
    """Choices between functions."""
    inside = ops.logical_and(x > -1, x < y)
    z = ops.where(inside, x * y, ops.where(y > 0, x - y, ops.abs(x)))
    return ops.where(ops.isnan(z), ops.zeros_like(z), z).mean()


def reduce_first(x: Any) -> Any:
    """Three reductions of columns."""
    return x.sum(0), x.max(axis=0), ops.sqrt(ops.square(x).sum(0))


def standardise(x: Any, w: Any) -> Any:
    """By the columns' mean and variance."""
    y = (x - x.mean(0)) / (x.std(0) + 1e-5)
    return (y * w).mean()


def norms(x: Any) -> Any:
    """Of rows: sum, root of squares, largest."""
    one, two, most = ops.abs(x).sum(1), ops.sqrt(ops.square(x).sum(1)), ops.abs(x).max(axis=1)
    return (one / (two + most)).mean()


def cosine(x: Any, y: Any) -> Any:
    """Of rows."""
    return ops.cosine_similarity(x, y, dim=1).mean()


def outer(a: Any, b: Any) -> Any:
    """The sum over all pairs."""
    return ops.sin(a[:, None] * b[None, :] + a[:, None]).mean()


def causal(x: Any, v: Any) -> Any:
    """Each row sees the columns up to its own."""
    mask = ops.tril(ops.ones_like(x[0]))
    return (ops.softmax(ops.where(mask > 0, x, -1e9), -1) * v).sum()


def polynomial(x: Any) -> Any:
    """Of degree 8."""
    y = 0.01 * x + 0.1
    for c in (-0.3, 0.2, 0.5, -0.7, 0.11, 0.13, 1.0):
        y = y * x + c
    return y


def special(x: Any) -> Any:
    """erf, lgamma, log1p."""
    return (ops.erf(x) * ops.lgamma(x) + ops.log1p(x)).sum()


def sum_exp(x: Any) -> Any:
    """log of the sum of exp."""
    return ops.log(ops.exp(x).sum())


def dot(x: Any, y: Any) -> Any:
    """The mean product."""
    return (x * y).mean()


def chain_tiny(x: Any, y: Any) -> Any:
    """A dozen operations."""
    z = ops.tanh(x * y) + ops.exp(-x * x)
    z = z / (1 + ops.abs(y)) - ops.sigmoid(z) * x
    return ops.sqrt(1 + z * z).sum()


def huber(x: Any, y: Any) -> Any:
    """Square near 0, then linear."""
    d = ops.abs(x - y)
    return ops.where(d < 1, 0.5 * d * d, d - 0.5).mean()


def rotary(x: Any, angle: Any) -> Any:
    """Both halves rotated."""
    a, b = x[..., :32], x[..., 32:]
    c, s = ops.cos(angle), ops.sin(angle)
    return ops.square(ops.cat([a * c - b * s, a * s + b * c], -1) - 0.5).mean()


def mixture(x: Any, mean: Any, scale: Any, weight: Any) -> Any:
    """The mean negative logarithm of the density."""
    z = (x[:, None] - mean) * ops.exp(-scale)
    parts = ops.log_softmax(weight, 0) - scale - 0.5 * z * z
    return -ops.logsumexp(parts, 1).mean()


def boxes(a: Any, b: Any) -> Any:
    """Areas in common by areas in either."""
    low_a, high_a, low_b, high_b = a[:, :2], a[:, :2] + a[:, 2:], b[:, :2], b[:, :2] + b[:, 2:]
    sides = ops.clamp(ops.minimum(high_a[:, None], high_b[None]) - ops.maximum(low_a[:, None], low_b[None]), min=0.0)
    inner = sides[..., 0] * sides[..., 1]
    area_a, area_b = a[:, 2] * a[:, 3], b[:, 2] * b[:, 3]
    return inner / (area_a[:, None] + area_b[None] - inner)


def colours(x: Any) -> Any:
    """Hue, saturation and value of each pixel."""
    r, g, b = x[..., 0], x[..., 1], x[..., 2]
    most, least = x.max(axis=-1), x.min(axis=-1)
    d = most - least + 1e-6
    hue = ops.where(most == r, (g - b) / d, ops.where(most == g, 2 + (b - r) / d, 4 + (r - g) / d)) / 6
    return hue - ops.floor(hue), d / most, most
