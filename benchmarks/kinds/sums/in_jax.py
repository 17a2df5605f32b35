"""Running sums in JAX."""

from typing import Any

import jax.numpy as jnp
from jax import lax


def cumsum_columns(x: Any) -> Any:
    """The mean of a function of running sums."""
    return jnp.tanh(0.05 * jnp.cumsum(x, 0)).mean()


def cumsum_rows(x: Any) -> Any:
    """The mean of a function of running sums."""
    return jnp.tanh(0.05 * jnp.cumsum(x, -1)).mean()


def remaining(x: Any) -> Any:
    """The mean of a function of what is left."""
    after = lax.cumsum(x, 1, reverse=True) - x
    return jnp.square(after * 0.1).mean()


def products(x: Any) -> Any:
    """The mean of products of numbers near 1."""
    return jnp.cumprod(1.0 + 0.05 * x, 1).mean()


def transmittance(density: Any, colour: Any) -> Any:
    """The mean square of the colours that arrive."""
    passed = jnp.cumprod(jnp.exp(-density), 1)
    before = jnp.concatenate((jnp.ones_like(passed[:, :1]), passed[:, :-1]), 1)
    weight = before * (1.0 - jnp.exp(-density))
    return jnp.square((weight[:, :, None] * colour).sum(1)).mean()


def maxima(x: Any) -> Any:
    """The mean squared distance from the highest so far."""
    value = jnp.cumsum(x, 0)
    return jnp.square(lax.cummax(value, 0) - value).mean()


def partial_likelihood(x: Any) -> Any:
    """The mean of the logarithms."""
    return (x - lax.cumlogsumexp(x, 0, reverse=True)).mean()


def logsumexp_middle(x: Any) -> Any:
    """The mean of squares."""
    return jnp.square(lax.cumlogsumexp(x, 1)).mean()


def narrow(x: Any) -> Any:
    """The mean of a function of running sums."""
    return jnp.tanh(0.05 * jnp.cumsum(x, 0)).mean()


def long(x: Any) -> Any:
    """The mean of a function of running sums."""
    return jnp.tanh(0.05 * jnp.cumsum(x, 0)).mean()


def integral_image(x: Any) -> Any:
    """The variance within boxes."""

    def boxes(x: Any) -> Any:
        total = jnp.pad(jnp.cumsum(jnp.cumsum(x, 0), 1), ((1, 0), (1, 0)))
        return (total[9:, 9:] - total[:-9, 9:] - total[9:, :-9] + total[:-9, :-9]) / 81

    return (boxes(x * x) - jnp.square(boxes(x))).mean()
