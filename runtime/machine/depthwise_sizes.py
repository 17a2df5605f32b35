"""The sizes that depthwise convolutions in machine code compute at once."""

from __future__ import annotations

LANES = 16
"""Sums that the gradient of an element of a weight consists of."""
MOST_COLUMNS = 8
"""Columns of a kernel whose gradients are computed at once."""
