"""Steps of optimizers on one Parameter."""

from __future__ import annotations

from typing import Any

import numpy as np

import mycel as ms
from mycel import Parameter, Tensor

GRADIENTS = ([1.0, -0.25], [0.5, 0.5], [-2.0, 0.1])
"""Of a Parameter of two elements."""


def parameter(values: Any, name: str = "w", dtype: Any = ms.float32) -> Parameter:
    """A Parameter of these numbers."""
    return Parameter(Tensor(np.array(values), dtype), name=name)


def run(optimizer: Any, own: Parameter, gradients: Any = GRADIENTS) -> list[float]:
    """The Parameter's numbers after each step."""
    seen: list[float] = []
    for gradient in gradients:
        optimizer((Tensor(np.array(gradient), own.dtype),))
        seen += own.asnumpy().reshape(-1).tolist()
    return seen
