"""Method tables: Tensor gets its operators and methods from the functions of the library."""

from __future__ import annotations

from typing import Any

from ...frontend.errors.absent import Hint
from ...frontend.errors.hints import TENSOR_HINTS
from ...frontend.transforms import hooks
from ...frontend.values.tensor import Tensor
from ..functions import dtype_methods, shape_methods, table
from . import inplace as tensor_inplace, operators as tensor_operators, properties as tensor_properties


def attach() -> None:
    """Give Tensor its operators and methods, and errors with a hint for names of PyTorch and NumPy."""
    tables: tuple[dict[str, Any], ...] = (
        {name: record.run for name, record in table.names("method").items()},
        shape_methods.PROPERTIES,
        dtype_methods.PROPERTIES,
        tensor_inplace.methods(),
        tensor_properties.TENSOR_METHODS,
        hooks.TENSOR_METHODS,
        tensor_operators.operators(),
    )
    for members in tables:
        for name, item in members.items():
            setattr(Tensor, name, item)
    for name, text in TENSOR_HINTS.items():
        setattr(Tensor, name, Hint(name, text))
