"""Gathers, scatters, segments and searches in JAX."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import workloads
from jax.scipy.ndimage import map_coordinates


def warp(image: Any, flow: Any) -> Any:
    """The image where the flow comes from, between four pixels."""
    n, m = image.shape
    rows = jnp.clip(jnp.arange(n)[:, None] + flow[0], 0.0, n - 1.001)
    columns = jnp.clip(jnp.arange(m)[None] + flow[1], 0.0, m - 1.001)
    top, left = jnp.floor(rows), jnp.floor(columns)
    down, right = rows - top, columns - left
    i, j = top.astype(jnp.int32), left.astype(jnp.int32)
    upper = image[i, j] * (1 - right) + image[i, j + 1] * right
    lower = image[i + 1, j] * (1 - right) + image[i + 1, j + 1] * right
    return jnp.square(upper * (1 - down) + lower * down).mean()


def grids(image: Any, points: Any) -> Any:
    """The square of samples."""
    n, m = image.shape[2:]

    def sample(channel: Any, points: Any) -> Any:
        return map_coordinates(channel, [(points[..., 1] + 1) * (n - 1) / 2, (points[..., 0] + 1) * (m - 1) / 2], 1)

    return jnp.square(jax.vmap(jax.vmap(sample, (0, None)))(image, points)).mean()


def _adam(weight: Any, state: Any, gradient: Any) -> Any:
    first, second, count = state
    count = count + 1
    first = 0.9 * first + 0.1 * gradient
    second = 0.999 * second + 0.001 * gradient * gradient
    rate = 1e-3 * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
    return weight - rate * first / (jnp.sqrt(second) + 1e-8), (first, second, count)


def _sgd(weight: Any, state: Any, gradient: Any) -> Any:
    return weight - 1e-3 * gradient, state


def _step(name: str, loss_of: Callable[..., Any], optimizer: Callable[..., Any]) -> Any:
    weight = jnp.asarray(workloads.weights(name)[0])
    held = [weight, (weight * 0, weight * 0, jnp.zeros(())) if optimizer is _adam else ()]

    def update(weight: Any, state: Any, *inputs: Any) -> Any:
        loss, gradient = jax.value_and_grad(loss_of)(weight, *inputs)
        return loss, *optimizer(weight, state, gradient)

    compiled = jax.jit(update, donate_argnums=(0, 1))

    def step(*inputs: Any) -> Any:
        loss, held[0], held[1] = compiled(*held, *inputs)
        return loss, held[0]

    return step


def adam_table() -> Any:
    """Rows of a table, trained on a squared error."""
    return _step("indices/adam_table", lambda table, rows, wanted: jnp.square(table[rows] - wanted).mean(), _adam)


def _distance(weight: Any, wanted: Any) -> Any:
    return jnp.square(weight - wanted).sum()


def sgd_large() -> Any:
    """A vector drawn to another one."""
    return _step("indices/sgd_large", _distance, _sgd)


def adam_large() -> Any:
    """A vector drawn to another one."""
    return _step("indices/adam_large", _distance, _adam)


def rows_of_large(table: Any, rows: Any) -> Any:
    """The squared length of each row."""
    return jnp.square(table[rows]).sum(1)


def scatter_add(values: Any, places: Any) -> Any:
    """The square of sums at places."""
    return jnp.square(jax.ops.segment_sum(values, places, 20000)).mean()


def histogram(x: Any) -> Any:
    """Counts between -4 and 4."""
    bins = jnp.floor((x + 4) * 32).astype(jnp.int32)
    bins = jnp.where(x == 4, 255, bins)
    inside = (x >= -4) & (x <= 4)
    return jnp.zeros(256).at[bins].add(jnp.where(inside, 1.0, 0.0))


def counts(weights: Any, classes: Any) -> Any:
    """The logarithm of weighted counts."""
    return jnp.log(1 + jnp.square(jnp.zeros(1000).at[classes].add(weights))).sum()


def segment_max(x: Any, segments: Any) -> Any:
    """The square of the greatest of each segment."""
    return jnp.square(jax.ops.segment_max(x, segments, 500)).mean()


def segment_means(x: Any, groups: Any) -> Any:
    """The squared distance of rows from the mean of their group."""
    sums = jax.ops.segment_sum(x, groups, 400)
    numbers = jax.ops.segment_sum(jnp.ones(groups.shape[0]), groups, 400)
    return jnp.square(x - (sums / jnp.maximum(numbers, 1.0)[:, None])[groups]).mean()


def one_hot(table: Any, x: Any, classes: Any) -> Any:
    """Rows of a table, chosen by a product."""
    return jnp.tanh(((jax.nn.one_hot(classes, 64) @ table) * x).sum(1)).mean()


def bag(table: Any, scores: Any, rows: Any) -> Any:
    """Embeddings with the weights of a softmax."""
    weights = jax.nn.softmax(scores, -1)
    return jnp.square((table[rows] * weights[..., None]).sum(1)).mean()


def tiny_lookup(table: Any, weight: Any, rows: Any, classes: Any) -> Any:
    """A classifier of embeddings."""
    scores = jax.nn.log_softmax(jnp.tanh(table[rows]) @ weight)
    return -jnp.take_along_axis(scores, classes[:, None], 1).mean()


def ranked(scores: Any, wanted: Any) -> Any:
    """The likelihood of an order."""
    order = jnp.argsort(wanted, -1, descending=True)
    ordered = jnp.take_along_axis(scores, order, 1)
    sums = jnp.cumsum(jnp.exp(ordered)[:, ::-1], 1)[:, ::-1]
    return (jnp.log(sums) - ordered).mean()


def topk(x: Any) -> Any:
    """A softmax over the greatest."""
    found, _ = jax.lax.top_k(x, 16)
    return jnp.square(jax.nn.softmax(found, -1)).sum(1).mean()


def sorted_rows(x: Any, y: Any) -> Any:
    """The distance of distributions."""
    return jnp.abs(jnp.sort(x, 1) - jnp.sort(y, 1)).mean()


def interpolated(x: Any, values: Any, places: Any) -> Any:
    """Values between those of a table."""
    above = jnp.searchsorted(places, x, side="right")
    below = above - 1
    start, end = places[below], places[above]
    part = (x - start) / (end - start)
    return jnp.square(values[below] * (1 - part) + values[above] * part).mean()


def masked(x: Any, new: Any, rows: Any) -> Any:
    """Numbers above 1 are halved, rows are replaced."""
    y = jnp.where(x > 1, 0.5 * x, x).at[rows].set(new)
    return (y * jnp.tanh(y)).mean()


def sparse_product(values: Any, x: Any, rows: Any, columns: Any) -> Any:
    """The square of a product."""
    return jnp.square(jax.ops.segment_sum(values[:, None] * x[columns], rows, 3000)).mean()


def added_transposed(x: Any) -> Any:
    """A symmetric matrix."""
    return 0.5 * (x + x.T)


def divided(x: Any, y: Any) -> Any:
    """Quotients and rests."""
    return x // y, x % y


def bit_counts(x: Any) -> Any:
    """Bits added up in pairs, fours, and bytes."""
    x = x - ((x >> 1) & 0x55555555)
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    x = x + (x >> 8)
    return (x + (x >> 16)) & 0x3F
