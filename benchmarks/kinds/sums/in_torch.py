"""Running sums in PyTorch."""

from typing import Any

import torch
from torch.nn import functional


def cumsum_columns(x: Any) -> Any:
    """The mean of a function of running sums."""
    return torch.tanh(0.05 * torch.cumsum(x, 0)).mean()


def cumsum_rows(x: Any) -> Any:
    """The mean of a function of running sums."""
    return torch.tanh(0.05 * torch.cumsum(x, -1)).mean()


def remaining(x: Any) -> Any:
    """The mean of a function of what is left."""
    after = torch.flip(torch.cumsum(torch.flip(x, (1,)), 1), (1,)) - x
    return torch.square(after * 0.1).mean()


def products(x: Any) -> Any:
    """The mean of products of numbers near 1."""
    return torch.cumprod(1.0 + 0.05 * x, 1).mean()


def transmittance(density: Any, colour: Any) -> Any:
    """The mean square of the colours that arrive."""
    passed = torch.cumprod(torch.exp(-density), 1)
    before = torch.cat((torch.ones_like(passed[:, :1]), passed[:, :-1]), 1)
    weight = before * (1.0 - torch.exp(-density))
    return torch.square((weight[:, :, None] * colour).sum(1)).mean()


def maxima(x: Any) -> Any:
    """The mean squared distance from the highest so far."""
    value = torch.cumsum(x, 0)
    return torch.square(torch.cummax(value, 0)[0] - value).mean()


def partial_likelihood(x: Any) -> Any:
    """The mean of the logarithms."""
    return (x - torch.flip(torch.logcumsumexp(torch.flip(x, (0,)), 0), (0,))).mean()


def logsumexp_middle(x: Any) -> Any:
    """The mean of squares."""
    return torch.square(torch.logcumsumexp(x, 1)).mean()


def narrow(x: Any) -> Any:
    """The mean of a function of running sums."""
    return torch.tanh(0.05 * torch.cumsum(x, 0)).mean()


def long(x: Any) -> Any:
    """The mean of a function of running sums."""
    return torch.tanh(0.05 * torch.cumsum(x, 0)).mean()


def integral_image(x: Any) -> Any:
    """The variance within boxes."""

    def boxes(x: Any) -> Any:
        total = functional.pad(torch.cumsum(torch.cumsum(x, 0), 1), (1, 0, 1, 0))
        return (total[9:, 9:] - total[:-9, 9:] - total[9:, :-9] + total[:-9, :-9]) / 81

    return (boxes(x * x) - torch.square(boxes(x))).mean()
