"""Gathers, scatters, segments and searches in MindSpore's names."""

from collections.abc import Callable
from typing import Any

import mindspore as ms
import workloads
from mindspore import Parameter, Tensor, nn, ops


def warp(image: Any, flow: Any) -> Any:
    """The image where the flow comes from, between four pixels."""
    n, m = image.shape
    rows = ops.clamp(ops.arange(n).reshape(n, 1) + flow[0], 0.0, n - 1.001)
    columns = ops.clamp(ops.arange(m).reshape(1, m) + flow[1], 0.0, m - 1.001)
    top, left = ops.floor(rows), ops.floor(columns)
    down, right = rows - top, columns - left
    i, j = top.astype(ms.int32), left.astype(ms.int32)
    upper = image[i, j] * (1 - right) + image[i, j + 1] * right
    lower = image[i + 1, j] * (1 - right) + image[i + 1, j + 1] * right
    return ops.square(upper * (1 - down) + lower * down).mean()


def grids(image: Any, points: Any) -> Any:
    """The square of samples."""
    return ops.square(ops.grid_sample(image, points, "bilinear", "zeros", True)).mean()


def _step(name: str, loss_of: Callable[..., Any], make: Callable[[Any], Any]) -> Any:
    weight = Parameter(Tensor(workloads.weights(name)[0]), name="weight")
    optimizer = make([weight])
    gradient = ms.value_and_grad(lambda *inputs: loss_of(weight, *inputs), None, optimizer.parameters)

    def step(*inputs: Any) -> Any:
        value, gradients = gradient(*inputs)
        optimizer(gradients)
        return value

    return ms.jit(step)


def adam_table() -> Any:
    """Rows of a table, trained on a squared error."""

    def loss(table: Any, rows: Any, wanted: Any) -> Any:
        return ops.square(ops.gather(table, rows, 0) - wanted).mean()

    return _step("indices/adam_table", loss, lambda parameters: nn.Adam(parameters, 1e-3))


def _distance(weight: Any, wanted: Any) -> Any:
    return ops.square(weight - wanted).sum()


def sgd_large() -> Any:
    """A vector drawn to another one."""
    return _step("indices/sgd_large", _distance, lambda parameters: nn.SGD(parameters, 1e-3))


def adam_large() -> Any:
    """A vector drawn to another one."""
    return _step("indices/adam_large", _distance, lambda parameters: nn.Adam(parameters, 1e-3))


def rows_of_large(table: Any, rows: Any) -> Any:
    """The squared length of each row."""
    return ops.square(ops.gather(table, rows, 0)).sum(1)


def scatter_add(values: Any, places: Any) -> Any:
    """The square of sums at places."""
    return ops.square(ops.unsorted_segment_sum(values, places, 20000)).mean()


def histogram(x: Any) -> Any:
    """Counts between -4 and 4."""
    return ops.histc(x, 256, -4.0, 4.0)


def counts(weights: Any, classes: Any) -> Any:
    """The logarithm of weighted counts."""
    return ops.log(1 + ops.square(ops.zeros(1000).index_add(0, classes, weights))).sum()


def segment_max(x: Any, segments: Any) -> Any:
    """The square of the greatest of each segment."""
    return ops.square(ops.unsorted_segment_max(x, segments, 500)).mean()


def segment_means(x: Any, groups: Any) -> Any:
    """The squared distance of rows from the mean of their group."""
    sums = ops.unsorted_segment_sum(x, groups, 400)
    numbers = ops.unsorted_segment_sum(ops.ones(groups.shape[0]), groups, 400)
    return ops.square(x - ops.gather(sums / ops.maximum(numbers, 1.0).reshape(-1, 1), groups, 0)).mean()


def one_hot(table: Any, x: Any, classes: Any) -> Any:
    """Rows of a table, chosen by a product."""
    chosen = ops.matmul(ops.one_hot(classes, 64, 1.0, 0.0), table)
    return ops.tanh((chosen * x).sum(1)).mean()


def bag(table: Any, scores: Any, rows: Any) -> Any:
    """Embeddings with the weights of a softmax."""
    weights = ops.softmax(scores, -1)
    return ops.square((ops.gather(table, rows, 0) * weights.expand_dims(2)).sum(1)).mean()


def tiny_lookup(table: Any, weight: Any, rows: Any, classes: Any) -> Any:
    """A classifier of embeddings."""
    return ops.cross_entropy(ops.matmul(ops.tanh(ops.gather(table, rows, 0)), weight), classes)


def ranked(scores: Any, wanted: Any) -> Any:
    """The likelihood of an order."""
    order = ops.argsort(wanted, -1, True)
    ordered = ops.gather_elements(scores, 1, order)
    sums = ops.flip(ops.cumsum(ops.flip(ops.exp(ordered), (1,)), 1), (1,))
    return (ops.log(sums) - ordered).mean()


def topk(x: Any) -> Any:
    """A softmax over the greatest."""
    found, _ = ops.topk(x, 16)
    return ops.square(ops.softmax(found, -1)).sum(1).mean()


def sorted_rows(x: Any, y: Any) -> Any:
    """The distance of distributions."""
    return ops.abs(ops.sort(x, 1)[0] - ops.sort(y, 1)[0]).mean()


def interpolated(x: Any, values: Any, places: Any) -> Any:
    """Values between those of a table."""
    above = ops.searchsorted(places, x, right=True)
    below = above - 1
    start, end = places[below], places[above]
    part = (x - start) / (end - start)
    return ops.square(values[below] * (1 - part) + values[above] * part).mean()


def masked(x: Any, new: Any, rows: Any) -> Any:
    """Numbers above 1 are halved, rows are replaced."""
    y = ops.where(x > 1, 0.5 * x, x)
    y[rows] = new
    return (y * ops.tanh(y)).mean()


def sparse_product(values: Any, x: Any, rows: Any, columns: Any) -> Any:
    """The square of a product."""
    found = ops.unsorted_segment_sum(values.expand_dims(1) * ops.gather(x, columns, 0), rows, 3000)
    return ops.square(found).mean()


def added_transposed(x: Any) -> Any:
    """A symmetric matrix."""
    return 0.5 * (x + x.T)


def divided(x: Any, y: Any) -> Any:
    """Quotients and rests."""
    return x // y, x % y


def bit_counts(x: Any) -> Any:
    """Bits added up in pairs, fours, and bytes."""
    right = ops.bitwise_right_shift
    x = x - (right(x, 1) & 0x55555555)
    x = (x & 0x33333333) + (right(x, 2) & 0x33333333)
    x = (x + right(x, 4)) & 0x0F0F0F0F
    x = x + right(x, 8)
    return (x + right(x, 16)) & 0x3F
