"""Copies and sums of arrays with short rows: in machine code where there is some."""

from __future__ import annotations

from functools import cache

import numpy as np

from ..machine.array_functions import compile_copy
from .precision import Array
from .together import MachineCall


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


def add_rows(target: Array, source: Array) -> bool:
    """Add to arrays of one shape row by row, in order, so that rows of the target may overlap; False: not these."""
    if source.dtype.char != "f":
        return False
    landing = target.squeeze()
    return bool(compile_copy()(source.squeeze(), landing, landing))


def add_to(target: Array, source: Array) -> None:
    """`np.add(target, source, out=target)` for arrays of one shape."""
    if not add_rows(target, source):
        np.add(target, source, out=target)


def copy_call(target: Array, source: Array) -> MachineCall:
    """`copy_to` for arrays of float32, as a call that threads share."""
    return MachineCall(compile_copy(), (source.squeeze(), target.squeeze()), _copy)


def add_call(target: Array, source: Array) -> MachineCall:
    """`add_to` for arrays of float32, as a call that threads share."""
    landing = target.squeeze()
    return MachineCall(compile_copy(), (source.squeeze(), landing, landing), _add)


def _copy(source: Array, target: Array) -> None:
    np.copyto(target, source)


def _add(source: Array, target: Array, _: Array) -> None:
    np.add(target, source, out=target)


def zeros(*shape: int) -> Array:
    """Zeros of float32, of which there is one row in memory, which stays: kept calls may refer to it."""
    return np.broadcast_to(_zero_row(shape[-1].bit_length())[: shape[-1]], shape)


@cache
def _zero_row(bits: int) -> Array:
    return np.zeros(1 << bits, np.float32)
