"""Method tables: Tensor gets its operators and methods from the functions of the library."""

from __future__ import annotations

from ...frontend.errors.hints import TENSOR_HINTS
from ...frontend.errors.spelling import Hint
from ...frontend.transforms import hooks
from ...frontend.values.tensor import Tensor
from .. import functions as ops
from ..functions.methods import TENSOR_METHODS
from . import (
    inplace as tensor_inplace,
    operators as tensor_operators,
    properties as tensor_properties,
)


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
