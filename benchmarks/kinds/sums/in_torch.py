"""Running sums in PyTorch."""

from typing import Any

import torch


def cumsum_columns(x: Any) -> Any:
    """The mean of a function of running sums."""
    return torch.tanh(0.05 * torch.cumsum(x, 0)).mean()
