"""Tensors for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

import mycel as ms


def T(values: Any, dtype: Any = ms.float32) -> ms.Tensor:
    """A tensor of these numbers."""
    return ms.Tensor(np.array(values), dtype)
