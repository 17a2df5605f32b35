"""Convolutional networks in JAX."""

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from workloads_jax import _adam, _cross_entropy, training

_AXES = {3: ("NCH", "OIH", "NCH"), 4: ("NCHW", "OIHW", "NCHW"), 5: ("NCHWD", "OIHWD", "NCHWD")}


def conv(x: Any, w: Any, stride: int = 1, padding: int = 0, dilation: int = 1, groups: int = 1) -> Any:
    """A convolution of one to three axes, channels first."""
    n = x.ndim - 2
    return lax.conv_general_dilated(
        x, w, (stride,) * n, [(padding, padding)] * n, rhs_dilation=(dilation,) * n, dimension_numbers=_AXES[x.ndim],
        feature_group_count=groups,
    )  # fmt: skip


def up(x: Any, w: Any) -> Any:
    """A transposed convolution of 4 x 4 with stride 2: its weight is (in, out, 4, 4)."""
    w = jnp.flip(w, (2, 3)).swapaxes(0, 1)
    return lax.conv_general_dilated(
        x, w, (1, 1), [(2, 2), (2, 2)], lhs_dilation=(2, 2), dimension_numbers=_AXES[4]
    )  # fmt: skip


def normalized(x: Any, scale: Any, shift: Any) -> Any:
    """Batch norm by the statistics of the batch."""
    axes = (0, *range(2, x.ndim))
    shape = (-1, *(1,) * (x.ndim - 2))
    mean, variance = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale.reshape(shape) + shift.reshape(shape)


def maxima(x: Any, size: int, stride: int, padding: int = 0) -> Any:
    """Maxima of windows."""
    n = x.ndim - 2
    pads = [(0, 0), (0, 0), *[(padding, padding)] * n]
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, *(size,) * n), (1, 1, *(stride,) * n), pads)


def means(x: Any, size: int, stride: int, padding: int = 0) -> Any:
    """Means of windows; what is padded counts."""
    pads = [(0, 0), (0, 0), (padding, padding), (padding, padding)]
    return lax.reduce_window(x, 0.0, lax.add, (1, 1, size, size), (1, 1, stride, stride), pads) / size**2


def residual(a: Any, s1: Any, b1: Any, b: Any, s2: Any, b2: Any, x: Any) -> Any:
    """A residual block of two convolutions."""
    y = jax.nn.relu(normalized(conv(x, a, padding=1), s1, b1))
    y = normalized(conv(y, b, padding=1), s2, b2)
    return jnp.square(jax.nn.relu(x + y)).mean()


def bottleneck(
    a: Any, s1: Any, b1: Any, b: Any, s2: Any, b2: Any, c: Any, s3: Any, b3: Any, d: Any, s4: Any, b4: Any, x: Any
) -> Any:
    """A bottleneck of stride 2, and a convolution of what it skips."""
    y = jax.nn.relu(normalized(conv(x, a), s1, b1))
    y = jax.nn.relu(normalized(conv(y, b, stride=2, padding=1), s2, b2))
    y = normalized(conv(y, c), s3, b3)
    return jnp.square(jax.nn.relu(y + normalized(conv(x, d, stride=2), s4, b4))).mean()


def grouped(a: Any, s1: Any, b1: Any, b: Any, s2: Any, b2: Any, c: Any, s3: Any, b3: Any, x: Any) -> Any:
    """A residual block whose middle convolution has groups."""
    y = jax.nn.relu(normalized(conv(x, a), s1, b1))
    y = jax.nn.relu(normalized(conv(y, b, padding=1, groups=4), s2, b2))
    return jnp.square(jax.nn.relu(x + normalized(conv(y, c), s3, b3))).mean()


def dilated(a: Any, b: Any, c: Any, d: Any, e: Any, x: Any) -> Any:
    """Convolutions of several dilations side by side."""
    parts = [conv(x, a)] + [conv(x, w, padding=rate, dilation=rate) for w, rate in ((b, 2), (c, 4), (d, 8))]
    return jnp.square(conv(jax.nn.relu(jnp.concatenate(parts, 1)), e)).mean()


def audio(
    a: Any, s1: Any, b1: Any, b: Any, s2: Any, b2: Any, c: Any, s3: Any, b3: Any, d: Any, s4: Any, b4: Any, out: Any,
    x: Any,
) -> Any:  # fmt: skip
    """Convolutions over time."""
    x = jax.nn.relu(normalized(conv(x, a, stride=4, padding=4), s1, b1))
    x = jax.nn.relu(normalized(conv(x, b, stride=2, padding=2), s2, b2))
    x = jax.nn.relu(normalized(conv(x, c, stride=2, padding=2), s3, b3))
    x = jax.nn.relu(normalized(conv(x, d, padding=1), s4, b4))
    return -jax.nn.log_softmax(x.mean(2) @ out.T, 1).mean()


def volume(a: Any, b: Any, x: Any) -> Any:
    """Convolutions of volumes."""
    x = maxima(jax.nn.relu(conv(x, a, padding=1)), 2, 2)
    return jnp.square(conv(x, b, padding=1)).mean()


def decoder(a: Any, b: Any, c: Any, d: Any, z: Any, wanted: Any) -> Any:
    """Images from codes."""
    x = jax.nn.relu(z @ a.T).reshape(-1, 64, 4, 4)
    x = jax.nn.sigmoid(up(jax.nn.relu(up(jax.nn.relu(up(x, b)), c)), d))
    return jnp.square(x - wanted).mean()


def unet(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, x: Any) -> Any:
    """Two levels of a network that goes down and up."""

    def twice(x: Any) -> Any:
        return jnp.repeat(jnp.repeat(x, 2, 2), 2, 3)

    top = jax.nn.relu(conv(jax.nn.relu(conv(x, a, padding=1)), b, padding=1))
    middle = jax.nn.relu(conv(maxima(top, 2, 2), c, padding=1))
    middle = jax.nn.relu(conv(middle, d, padding=1))
    low = jax.nn.relu(conv(maxima(middle, 2, 2), e, padding=1))
    low = jax.nn.relu(conv(jnp.concatenate([twice(low), middle], 1), f, padding=1))
    low = jax.nn.relu(conv(jnp.concatenate([twice(low), top], 1), g, padding=1))
    return jnp.square(conv(low, h)).mean()


def mobile(
    a: Any, b: Any, b1: Any, c: Any, d: Any, d1: Any, e: Any, f: Any, f1: Any, g: Any, h: Any, h1: Any, out: Any, x: Any
) -> Any:
    """Depthwise and pointwise convolutions."""
    for depth, point, bias, stride in ((a, b, b1, 1), (c, d, d1, 2), (e, f, f1, 1), (g, h, h1, 2)):
        x = jax.nn.relu6(conv(x, depth, stride=stride, padding=1, groups=x.shape[1]))
        x = jax.nn.relu6(conv(x, point) + bias[:, None, None])
    return x.mean((2, 3)) @ out.T


def classifier(
    a: Any, a1: Any, b: Any, b1: Any, c: Any, c1: Any, d: Any, d1: Any, e: Any, e1: Any, f: Any, f1: Any, out: Any,
    x: Any,
) -> Any:  # fmt: skip
    """Pairs of convolutions and a maximum."""
    for w, w1, v, v1 in ((a, a1, b, b1), (c, c1, d, d1), (e, e1, f, f1)):
        x = jax.nn.relu(conv(x, w, padding=1) + w1[:, None, None])
        x = maxima(jax.nn.relu(conv(x, v, padding=1) + v1[:, None, None]), 2, 2)
    return x.mean((2, 3)) @ out.T


def excited(
    a: Any, s1: Any, b1: Any, b: Any, s2: Any, b2: Any, down: Any, up: Any, c: Any, s3: Any, b3: Any, x: Any
) -> Any:
    """An inverted residual with squeeze and excitation."""
    y = jax.nn.silu(normalized(conv(x, a), s1, b1))
    y = jax.nn.silu(normalized(conv(y, b, padding=2, groups=96), s2, b2))
    gate = jax.nn.sigmoid(jax.nn.silu(y.mean((2, 3)) @ down.T) @ up.T)
    y = normalized(conv(y * gate[:, :, None, None], c), s3, b3)
    return jnp.square(x + y).mean()


def pools(a: Any, b: Any, c: Any, x: Any) -> Any:
    """Maxima of 3 x 3 with stride 2, means of 3 x 3, means of 2 x 2."""
    x = maxima(jax.nn.relu(conv(x, a)), 3, 2, 1)
    x = means(jax.nn.relu(conv(x, b)), 3, 1, 1)
    x = means(jax.nn.relu(conv(x, c)), 2, 2)
    return jnp.square(x).mean()


def trained() -> Any:
    """A training step with Adam."""

    def loss(w: Any, x: Any, y: Any) -> Any:
        x = jax.nn.relu(normalized(conv(x, w[0], padding=1), *w[1:3]))
        inner = jax.nn.relu(normalized(conv(x, w[3], padding=1), *w[4:6]))
        x = jax.nn.relu(x + normalized(conv(inner, w[6], padding=1), *w[7:9]))
        inner = jax.nn.relu(normalized(conv(x, w[9], stride=2, padding=1), *w[10:12]))
        inner = normalized(conv(inner, w[12], padding=1), *w[13:15])
        x = jax.nn.relu(normalized(conv(x, w[15], stride=2), *w[16:18]) + inner)
        return _cross_entropy(x.mean((2, 3)) @ w[18].T + w[19], y)

    return training("convolutions/trained", loss, _adam)
