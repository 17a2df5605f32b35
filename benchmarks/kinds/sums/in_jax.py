"""Running sums in JAX."""

from typing import Any

import jax.numpy as jnp


def cumsum_columns(x: Any) -> Any:
    """The mean of a function of running sums."""
    return jnp.tanh(0.05 * jnp.cumsum(x, 0)).mean()
