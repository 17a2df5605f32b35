"""The sizes that depthwise convolutions in machine code compute at once."""

from __future__ import annotations

MOST_ROWS = 8
"""Rows of a kernel whose taps are computed at once."""
