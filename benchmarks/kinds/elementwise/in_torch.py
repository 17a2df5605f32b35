"""Elementwise operations and reductions in PyTorch."""

from typing import Any

import torch
from torch.nn import functional


def softmax_rows(x: Any, w: Any) -> Any:
    """A weighted softmax."""
    return (torch.softmax(x, -1) * w).sum()


def log_softmax_first(x: Any, w: Any) -> Any:
    """Along the first axis."""
    return (torch.log_softmax(x, 0) * w).mean()


def logsumexp_middle(x: Any) -> Any:
    """Along the middle axis."""
    return torch.tanh(torch.logsumexp(x, 1)).sum()


def layer_norm(x: Any, scale: Any, shift: Any) -> Any:
    """With weights."""
    mean = x.mean(-1, keepdim=True)
    variance = torch.square(x - mean).mean(-1, keepdim=True)
    y = (x - mean) * torch.rsqrt(variance + 1e-5) * scale + shift
    return torch.tanh(y).mean()


layer_norm_tiny = layer_norm


def rms_norm(x: Any, scale: Any) -> Any:
    """By the root of the mean square."""
    y = x * torch.rsqrt(torch.square(x).mean(-1, keepdim=True) + 1e-6) * scale
    return (y * torch.sigmoid(y)).mean()


def group_norm(x: Any, scale: Any) -> Any:
    """Eight groups of channels."""
    n, c, h, w = x.shape
    groups = x.reshape(n, 8, -1)
    mean = groups.mean(-1, keepdim=True)
    variance = torch.square(groups - mean).mean(-1, keepdim=True)
    y = ((groups - mean) / torch.sqrt(variance + 1e-5)).reshape(n, c, h, w) * scale
    return torch.relu(y).mean()


def gelu(x: Any) -> Any:
    """By erf."""
    return functional.gelu(x).sum()


def mish(x: Any) -> Any:
    """SiLU and mish."""
    return (functional.silu(x) + functional.mish(x)).mean()


def swiglu(x: Any, gate: Any) -> Any:
    """A gated unit."""
    return torch.square(x * functional.silu(gate)).mean()


def adam(p: Any, g: Any, m: Any, v: Any) -> Any:
    """The new parameters and moments."""
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p - 1e-3 * (m / 0.19) / (torch.sqrt(v / 0.002) + 1e-8), m, v


def adam_small(p: Any, g: Any, m: Any, v: Any) -> Any:
    """With decay."""
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    return p * 0.9999 - 1e-3 * (m / 0.19) / (torch.sqrt(v / 0.002) + 1e-8), m, v


def lion(p: Any, g: Any, m: Any) -> Any:
    """The sign of a mean."""
    step = torch.sign(0.9 * m + 0.1 * g)
    return p - 1e-3 * (step + 0.01 * p), 0.99 * m + 0.01 * g


def cross_entropy(x: Any, labels: Any) -> Any:
    """With smoothed labels."""
    return functional.cross_entropy(x, labels, label_smoothing=0.1)


def focal(x: Any, labels: Any) -> Any:
    """Of logits and labels 0 or 1."""
    y = labels.to(x.dtype)
    p = torch.sigmoid(x)
    loss = torch.relu(x) - x * y + torch.log1p(torch.exp(-torch.abs(x)))
    right = p * y + (1 - p) * (1 - y)
    return (loss * torch.square(1 - right)).mean()


def normal_cdf(x: Any) -> Any:
    """The normal distribution."""
    return 0.5 * (1 + torch.erf(x * 0.7071067811865476))


def call_prices(spot: Any, strike: Any, time: Any, sigma: Any) -> Any:
    """Prices of call options."""
    spread = sigma * torch.sqrt(time)
    d1 = (torch.log(spot / strike) + (0.02 + sigma * sigma / 2) * time) / spread
    return spot * normal_cdf(d1) - strike * torch.exp(-0.02 * time) * normal_cdf(d1 - spread)


def black_scholes(spot: Any, strike: Any, time: Any, sigma: Any) -> Any:
    """The sum of prices; its gradient is delta."""
    return call_prices(spot, strike, time, sigma).sum()


black_scholes_double = call_prices


def pairwise(x: Any, y: Any) -> Any:
    """The mean distance."""
    d = x[:, None, :] - y[None, :, :]
    return torch.sqrt(torch.square(d).sum(-1) + 1e-6).mean()


def rbf(x: Any, y: Any) -> Any:
    """exp of squared distances."""
    d = x[:, None, :] - y[None, :, :]
    return torch.exp(-0.1 * torch.square(d).sum(-1))


def mandelbrot(a: Any, b: Any) -> Any:
    """How many iterations stay within a radius."""
    x, y, count = torch.zeros_like(a), torch.zeros_like(a), torch.zeros_like(a)
    for _ in range(40):
        inside = x * x + y * y < 4
        x, y = torch.where(inside, x * x - y * y + a, x), torch.where(inside, 2 * x * y + b, y)
        count = count + inside.to(a.dtype)
    return count


def butterflies(x: Any) -> Any:
    """Sums and differences of halves."""
    for _ in range(10):
        a, b = x[:, :512], x[:, 512:]
        x = torch.cat([a + b, a - b], 1) * 0.70710678
    return torch.tanh(x).sum()


def quantise(x: Any) -> Any:
    """Rounded to 256 levels."""
    return (torch.clamp(torch.round(x / 0.02) + 3, -128, 127) - 3) * 0.02


def hash(x: Any) -> Any:
    """Three rounds of shifts and products."""
    for _ in range(3):
        x = ((x ^ (x >> 7)) * 2053 + 13849) & 0x3FF
    return x


def moments(x: Any) -> Any:
    """Four numbers."""
    mean = x.mean()
    d = x - mean
    variance = torch.square(d).mean()
    return mean, variance, (d * d * d).mean() / variance**1.5, torch.square(d * d).mean() / variance**2


def correlation(x: Any, y: Any) -> Any:
    """Of two vectors."""
    x, y = x - x.mean(), y - y.mean()
    return (x * y).sum() / torch.sqrt(torch.square(x).sum() * torch.square(y).sum())


def double_chain(x: Any) -> Any:
    """Roots, logarithms, sines."""
    for _ in range(3):
        x = torch.sqrt(1 + x * x) - 0.5 * torch.log(1 + x) * torch.sin(x)
    return x.mean()


def masks(x: Any, y: Any) -> Any:
    """Choices between functions."""
    inside = torch.logical_and(x > -1, x < y)
    z = torch.where(inside, x * y, torch.where(y > 0, x - y, torch.abs(x)))
    return torch.where(torch.isnan(z), torch.zeros_like(z), z).mean()


def reduce_first(x: Any) -> Any:
    """Three reductions of columns."""
    return x.sum(0), x.amax(0), torch.sqrt(torch.square(x).sum(0))


def standardise(x: Any, w: Any) -> Any:
    """By the columns' mean and variance."""
    y = (x - x.mean(0)) / (x.std(0, correction=0) + 1e-5)
    return (y * w).mean()


def norms(x: Any) -> Any:
    """Of rows: sum, root of squares, largest."""
    one, two, most = torch.abs(x).sum(1), torch.sqrt(torch.square(x).sum(1)), torch.abs(x).amax(1)
    return (one / (two + most)).mean()


def cosine(x: Any, y: Any) -> Any:
    """Of rows."""
    return functional.cosine_similarity(x, y, dim=1).mean()


def outer(a: Any, b: Any) -> Any:
    """The sum over all pairs."""
    return torch.sin(a[:, None] * b[None, :] + a[:, None]).mean()


def causal(x: Any, v: Any) -> Any:
    """Each row sees the columns up to its own."""
    mask = torch.tril(torch.ones_like(x[0]))
    return (torch.softmax(torch.where(mask > 0, x, -1e9), -1) * v).sum()


def polynomial(x: Any) -> Any:
    """Of degree 8."""
    y = 0.01 * x + 0.1
    for c in (-0.3, 0.2, 0.5, -0.7, 0.11, 0.13, 1.0):
        y = y * x + c
    return y


def special(x: Any) -> Any:
    """erf, lgamma, log1p."""
    return (torch.erf(x) * torch.lgamma(x) + torch.log1p(x)).sum()


def sum_exp(x: Any) -> Any:
    """log of the sum of exp."""
    return torch.log(torch.exp(x).sum())


def dot(x: Any, y: Any) -> Any:
    """The mean product."""
    return (x * y).mean()


def chain_tiny(x: Any, y: Any) -> Any:
    """A dozen operations."""
    z = torch.tanh(x * y) + torch.exp(-x * x)
    z = z / (1 + torch.abs(y)) - torch.sigmoid(z) * x
    return torch.sqrt(1 + z * z).sum()


def huber(x: Any, y: Any) -> Any:
    """Square near 0, then linear."""
    d = torch.abs(x - y)
    return torch.where(d < 1, 0.5 * d * d, d - 0.5).mean()


def rotary(x: Any, angle: Any) -> Any:
    """Both halves rotated."""
    a, b = x[..., :32], x[..., 32:]
    c, s = torch.cos(angle), torch.sin(angle)
    return torch.square(torch.cat([a * c - b * s, a * s + b * c], -1) - 0.5).mean()


def mixture(x: Any, mean: Any, scale: Any, weight: Any) -> Any:
    """The mean negative logarithm of the density."""
    z = (x[:, None] - mean) * torch.exp(-scale)
    parts = torch.log_softmax(weight, 0) - scale - 0.5 * z * z
    return -torch.logsumexp(parts, 1).mean()


def boxes(a: Any, b: Any) -> Any:
    """Areas in common by areas in either."""
    low_a, high_a, low_b, high_b = a[:, :2], a[:, :2] + a[:, 2:], b[:, :2], b[:, :2] + b[:, 2:]
    sides = torch.clamp(
        torch.minimum(high_a[:, None], high_b[None]) - torch.maximum(low_a[:, None], low_b[None]), min=0.0
    )
    inner = sides[..., 0] * sides[..., 1]
    area_a, area_b = a[:, 2] * a[:, 3], b[:, 2] * b[:, 3]
    return inner / (area_a[:, None] + area_b[None] - inner)


def colours(x: Any) -> Any:
    """Hue, saturation and value of each pixel."""
    r, g, b = x[..., 0], x[..., 1], x[..., 2]
    most, least = x.amax(-1), x.amin(-1)
    d = most - least + 1e-6
    hue = torch.where(most == r, (g - b) / d, torch.where(most == g, 2 + (b - r) / d, 4 + (r - g) / d)) / 6
    return hue - torch.floor(hue), d / most, most
