"""Updating tensors in place: at once, or as a write of the trace, so that every alias sees the new numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compiler import ops as prims
from .dispatch import cast
from .parameter import Parameter, as_value, replace_data
from .state import STATE
from .tensor import Tensor, TracedTensor


def assign_inplace(tensor: Tensor, new: Any) -> Tensor:
    """Let `tensor` have the numbers of `new`, cast to its own dtype; gives `tensor`."""
    value = cast(new, tensor.dtype) if isinstance(new, Tensor) else Tensor(new, tensor.dtype)
    trace = STATE.trace
    if trace is not None:
        if isinstance(tensor, Parameter):
            trace.write(tensor, prims.assign(trace.read(tensor), trace.read(value)))
        else:
            trace.write(tensor, trace.read(value))
    elif isinstance(tensor, Parameter) and STATE.tape is None:  # a tape still needs the numbers from before
        np.copyto(tensor._data, value._data)
    else:
        replace_data(tensor, value._data)
    return tensor


def assign_parameter(parameter: Parameter, value: Any) -> Parameter:
    """As `ops.assign`: the Parameter with the numbers of `value`.

    Raises:
        TypeError: if `value` is of a kind or width that the Parameter's dtype does not hold.
        ValueError: if the shapes differ.
    """
    tensor = as_value(parameter, value)
    shape = tensor._type.shape
    if shape != parameter._type.shape:
        if not (not shape or set(shape) == {1}) or parameter.size != 1:
            raise ValueError(
                f"Parameter '{parameter.name}' has shape {parameter.shape}, but is assigned a value of shape {tensor.shape}"
            )
        from .dispatch import apply

        tensor = apply(prims.reshape, tensor, shape=parameter._type.static_shape)
    assign_inplace(parameter, tensor)
    return parameter


def is_number(tensor: Any) -> bool:
    """Whether a traced tensor stands for a Python number, which is never updated in place."""
    return isinstance(tensor, TracedTensor) and tensor._number is not None
