"""Gathers, scatters, segments and searches in PyTorch."""

from collections.abc import Callable
from typing import Any

import torch
import workloads
from torch.nn import functional


def warp(image: Any, flow: Any) -> Any:
    """The image where the flow comes from, between four pixels."""
    n, m = image.shape
    rows = torch.clamp(torch.arange(n)[:, None] + flow[0], 0.0, n - 1.001)
    columns = torch.clamp(torch.arange(m)[None] + flow[1], 0.0, m - 1.001)
    top, left = torch.floor(rows), torch.floor(columns)
    down, right = rows - top, columns - left
    i, j = top.long(), left.long()
    upper = image[i, j] * (1 - right) + image[i, j + 1] * right
    lower = image[i + 1, j] * (1 - right) + image[i + 1, j + 1] * right
    return torch.square(upper * (1 - down) + lower * down).mean()


def grids(image: Any, points: Any) -> Any:
    """The square of samples."""
    return torch.square(functional.grid_sample(image, points, align_corners=True)).mean()


def _step(name: str, loss_of: Callable[..., Any], make: Callable[[Any], Any], compiled: Any) -> Any:
    weight = torch.from_numpy(workloads.weights(name)[0]).requires_grad_()
    optimizer = make([weight])
    loss_of = compiled(loss_of)

    def step(*inputs: Any) -> Any:
        optimizer.zero_grad(set_to_none=True)
        loss = loss_of(weight, *inputs)
        loss.backward()
        optimizer.step()
        return loss

    return step


def adam_table(compiled: Any) -> Any:
    """Rows of a table, trained on a squared error."""

    def loss(table: Any, rows: Any, wanted: Any) -> Any:
        return torch.square(functional.embedding(rows, table) - wanted).mean()

    return _step("indices/adam_table", loss, lambda ps: torch.optim.Adam(ps, 1e-3, fused=True), compiled)


def _distance(weight: Any, wanted: Any) -> Any:
    return torch.square(weight - wanted).sum()


def sgd_large(compiled: Any) -> Any:
    """A vector drawn to another one."""
    return _step("indices/sgd_large", _distance, lambda parameters: torch.optim.SGD(parameters, 1e-3), compiled)


def adam_large(compiled: Any) -> Any:
    """A vector drawn to another one."""
    return _step("indices/adam_large", _distance, lambda ps: torch.optim.Adam(ps, 1e-3, fused=True), compiled)


def rows_of_large(table: Any, rows: Any) -> Any:
    """The squared length of each row."""
    return torch.square(table[rows]).sum(1)


def scatter_add(values: Any, places: Any) -> Any:
    """The square of sums at places."""
    return torch.square(torch.zeros(20000).index_add(0, places, values)).mean()


def histogram(x: Any) -> Any:
    """Counts between -4 and 4."""
    return torch.histc(x, 256, -4.0, 4.0)


def counts(weights: Any, classes: Any) -> Any:
    """The logarithm of weighted counts."""
    return torch.log(1 + torch.square(torch.zeros(1000).index_add(0, classes, weights))).sum()


def segment_max(x: Any, segments: Any) -> Any:
    """The square of the greatest of each segment."""
    start = torch.full((500, x.shape[1]), -torch.inf)
    places = segments[:, None].expand(x.shape)
    return torch.square(start.scatter_reduce(0, places, x, "amax")).mean()


def segment_means(x: Any, groups: Any) -> Any:
    """The squared distance of rows from the mean of their group."""
    sums = torch.zeros(400, x.shape[1]).index_add(0, groups, x)
    numbers = torch.zeros(400).index_add(0, groups, torch.ones(groups.shape[0]))
    return torch.square(x - (sums / numbers.clamp(min=1.0)[:, None])[groups]).mean()


def one_hot(table: Any, x: Any, classes: Any) -> Any:
    """Rows of a table, chosen by a product."""
    return torch.tanh(((functional.one_hot(classes, 64).float() @ table) * x).sum(1)).mean()


def bag(table: Any, scores: Any, rows: Any) -> Any:
    """Embeddings with the weights of a softmax."""
    weights = torch.softmax(scores, -1)
    return torch.square((functional.embedding(rows, table) * weights[..., None]).sum(1)).mean()


def tiny_lookup(table: Any, weight: Any, rows: Any, classes: Any) -> Any:
    """A classifier of embeddings."""
    return functional.cross_entropy(torch.tanh(functional.embedding(rows, table)) @ weight, classes)


def ranked(scores: Any, wanted: Any) -> Any:
    """The likelihood of an order."""
    order = torch.argsort(wanted, -1, descending=True)
    ordered = torch.gather(scores, 1, order)
    sums = torch.flip(torch.cumsum(torch.flip(torch.exp(ordered), (1,)), 1), (1,))
    return (torch.log(sums) - ordered).mean()


def topk(x: Any) -> Any:
    """A softmax over the greatest."""
    found, _ = torch.topk(x, 16)
    return torch.square(torch.softmax(found, -1)).sum(1).mean()


def sorted_rows(x: Any, y: Any) -> Any:
    """The distance of distributions."""
    return torch.abs(torch.sort(x, 1)[0] - torch.sort(y, 1)[0]).mean()


def interpolated(x: Any, values: Any, places: Any) -> Any:
    """Values between those of a table."""
    above = torch.searchsorted(places, x.detach(), right=True)
    below = above - 1
    start, end = places[below], places[above]
    part = (x - start) / (end - start)
    return torch.square(values[below] * (1 - part) + values[above] * part).mean()


def masked(x: Any, new: Any, rows: Any) -> Any:
    """Numbers above 1 are halved, rows are replaced."""
    y = torch.where(x > 1, 0.5 * x, x)
    y[rows] = new
    return (y * torch.tanh(y)).mean()


def sparse_product(values: Any, x: Any, rows: Any, columns: Any) -> Any:
    """The square of a product."""
    found = torch.zeros(3000, 32).index_add(0, rows, values[:, None] * x[columns])
    return torch.square(found).mean()


def added_transposed(x: Any) -> Any:
    """A symmetric matrix."""
    return 0.5 * (x + x.T)


def divided(x: Any, y: Any) -> Any:
    """Quotients and rests."""
    return x // y, x % y


def bit_counts(x: Any) -> Any:
    """Bits added up in pairs, fours, and bytes."""
    x = x.int()
    x = x - ((x >> 1) & 0x55555555)
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    x = x + (x >> 8)
    return (x + (x >> 16)) & 0x3F
