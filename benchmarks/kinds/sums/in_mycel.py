"""Running sums in MindSpore's names."""

from typing import Any

from mindspore import ops


def cumsum_columns(x: Any) -> Any:
    """The mean of a function of running sums."""
    return ops.tanh(0.05 * ops.cumsum(x, 0)).mean()


def cumsum_rows(x: Any) -> Any:
    """The mean of a function of running sums."""
    return ops.tanh(0.05 * ops.cumsum(x, -1)).mean()


def remaining(x: Any) -> Any:
    """The mean of a function of what is left."""
    after = ops.flip(ops.cumsum(ops.flip(x, (1,)), 1), (1,)) - x
    return ops.square(after * 0.1).mean()


def products(x: Any) -> Any:
    """The mean of products of numbers near 1."""
    return ops.cumprod(1.0 + 0.05 * x, 1).mean()


def transmittance(density: Any, colour: Any) -> Any:
    """The mean square of the colours that arrive."""
    passed = ops.cumprod(ops.exp(-density), 1)
    before = ops.cat((ops.ones_like(passed[:, :1]), passed[:, :-1]), 1)
    weight = before * (1.0 - ops.exp(-density))
    return ops.square((weight[:, :, None] * colour).sum(1)).mean()


def maxima(x: Any) -> Any:
    """The mean squared distance from the highest so far."""
    value = ops.cumsum(x, 0)
    return ops.square(ops.cummax(value, 0)[0] - value).mean()


def partial_likelihood(x: Any) -> Any:
    """The mean of the logarithms."""
    return (x - ops.flip(ops.logcumsumexp(ops.flip(x, (0,)), 0), (0,))).mean()


def logsumexp_middle(x: Any) -> Any:
    """The mean of squares."""
    return ops.square(ops.logcumsumexp(x, 1)).mean()


def narrow(x: Any) -> Any:
    """The mean of a function of running sums."""
    return ops.tanh(0.05 * ops.cumsum(x, 0)).mean()


def long(x: Any) -> Any:
    """The mean of a function of running sums."""
    return ops.tanh(0.05 * ops.cumsum(x, 0)).mean()


def integral_image(x: Any) -> Any:
    """The variance within boxes."""

    def boxes(x: Any) -> Any:
        total = ops.pad(ops.cumsum(ops.cumsum(x, 0), 1), (1, 0, 1, 0))
        return (total[9:, 9:] - total[:-9, 9:] - total[9:, :-9] + total[:-9, :-9]) / 81

    return (boxes(x * x) - ops.square(boxes(x))).mean()
