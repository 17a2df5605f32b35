"""Running sums in MindSpore's names."""

from typing import Any

from mindspore import ops


def cumsum_columns(x: Any) -> Any:
    """The mean of a function of running sums."""
    return ops.tanh(0.05 * ops.cumsum(x, 0)).mean()
