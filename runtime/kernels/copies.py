"""Copies and sums of arrays with short rows: in machine code where there is some."""

from __future__ import annotations

import numpy as np

from ..machine.copy import compile_copy
from .precision import Array


def copy_to(target: Array, source: Array) -> None:
    """`np.copyto(target, source)` for arrays of one shape."""
    if not (source.dtype.char == "f" and compile_copy()(source.squeeze(), target.squeeze())):
        np.copyto(target, source)


def copy_rows(target: Array, source: Array) -> None:
    """`np.copyto(target, source)` for arrays with rows of a few elements, which are often one and the same.

    Then columns are copied: of 2 equal elements in a tenth of the time.
    """
    if source.strides[-1]:
        np.copyto(target, source)
        return
    for column in range(source.shape[-1]):
        copy_to(target[..., column], source[..., column])


def add_to(target: Array, source: Array) -> None:
    """`np.add(target, source, out=target)` for arrays of one shape."""
    if source.dtype.char == "f":
        landing = target.squeeze()
        if compile_copy()(source.squeeze(), landing, landing):
            return
    np.add(target, source, out=target)
