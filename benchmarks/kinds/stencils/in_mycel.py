"""Stencils in MindSpore's names."""

from typing import Any

from mindspore import ops


def blur(x: Any) -> Any:
    """The square of a box filter."""
    p = ops.pad(x, (1, 1, 1, 1))
    n, m = x.shape
    total = x * 0
    for i in range(3):
        for j in range(3):
            total = total + p[i : i + n, j : j + m]
    return ops.square(total / 9).mean()
