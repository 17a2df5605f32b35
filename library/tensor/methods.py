"""Tensors get their operators and methods, and what they ask of modules built on them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...frontend.errors.hints import TENSOR_HINTS
from ...frontend.errors.spelling import Hint
from ...frontend.state import STATE
from ...frontend.transforms import hooks
from ...frontend.values.inplace import assign_parameter
from ...frontend.values.known import known_numbers, traced_shape
from ...frontend.values.tensor import Tensor, _hooks, wrap
from ...runtime import dtypes
from .. import functions as ops
from ..functions.methods import TENSOR_METHODS
from . import (
    inplace as tensor_inplace,
    operators as tensor_operators,
    properties as tensor_properties,
)


def convert(data: Any, dtype: Any = None) -> Tensor:
    """`Tensor(data)` while tracing, of a traced tensor or of a sequence in which one stands."""
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(data, Tensor):
        own: Tensor = wrap(STATE.trace.read(data))  # updates of it leave the original as it is
        return own if wanted is None else ops.cast(own, wanted)
    items = [convert(item) if isinstance(item, (Tensor, list, tuple)) else Tensor(item) for item in data]
    if wanted is None:
        wanted = items[0].dtype
        for item in items[1:]:
            wanted = dtypes.of_numpy(np.result_type(wanted.np, item.dtype.np)) if item.dtype is not wanted else wanted
        if wanted is dtypes.float64 and all(item.dtype is not wanted for item in items):
            wanted = dtypes.float32
    return ops.stack([ops.cast(item, wanted) for item in items])


def attach() -> None:
    """Give Tensor its operators and methods, and errors with a hint for what PyTorch and NumPy have besides."""
    tables = (
        TENSOR_METHODS,
        *ops.METHOD_TABLES,
        tensor_inplace.TENSOR_METHODS,
        tensor_properties.TENSOR_METHODS,
        hooks.TENSOR_METHODS,
    )
    for table in (*tables, tensor_operators.operators()):
        for name, item in table.items():
            setattr(Tensor, name, item)
    for name, text in TENSOR_HINTS.items():
        setattr(Tensor, name, Hint(name, text))


attach()
_hooks["assign"] = assign_parameter
_hooks["convert"] = convert
_hooks["known"] = known_numbers
_hooks["traced_shape"] = traced_shape
