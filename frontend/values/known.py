"""What tracing knows of a traced tensor before the run: its shape, and numbers that are part of the program."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...compiler.ir.values import Literal
from .dispatch import apply
from .tensor import TracedTensor, wrap


def known_numbers(tensor: TracedTensor) -> np.ndarray | None:
    """The numbers of a traced tensor that stands for a literal of the program; None of any other."""
    operand = tensor._symbol.operand
    return np.asarray(operand.value, operand.type.dtype.np) if isinstance(operand, Literal) else None


def traced_shape(tensor: TracedTensor) -> tuple[Any, ...]:
    """The shape, in which dimensions that only the run can know are traced Python ints."""
    return tuple(
        wrap(apply(prims.extent, tensor, axis=axis)._symbol, int) if size is None else size
        for axis, size in enumerate(tensor._static_shape)
    )
