"""Copies and sums of arrays with short rows: in machine code where there is some."""

from __future__ import annotations

import numpy as np

from ..machine.copy import compile_copy
from .precision import Array


def copy_to(target: Array, source: Array) -> None:
    """`np.copyto(target, source)` for arrays of one shape."""
    if not (source.dtype.char == "f" and compile_copy()(source.squeeze(), target.squeeze())):
        np.copyto(target, source)


def add_to(target: Array, source: Array) -> None:
    """`np.add(target, source, out=target)` for arrays of one shape."""
    if source.dtype.char == "f":
        landing = target.squeeze()
        if compile_copy()(source.squeeze(), landing, landing):
            return
    np.add(target, source, out=target)
