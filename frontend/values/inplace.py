"""In-place updates: at once, or as a write of the trace, so that every alias sees the new numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...compiler.ir.types import show_shape
from ...runtime.watch import assigned
from ..state import STATE
from .dispatch import apply, cast
from .parameter import Parameter, as_value, replace_data
from .tensor import Tensor
from .traced_tensor import TracedTensor


def assign_inplace(tensor: Tensor, new: Any) -> Tensor:
    """Let `tensor` have the numbers of `new`, cast to its own dtype; gives `tensor`.

    Raises:
        RuntimeError: if the shapes differ.
    """
    value = cast(new, tensor.dtype) if isinstance(new, Tensor) else Tensor(new, tensor.dtype)
    _check_shapes(tensor, value)
    trace = STATE.trace
    if trace is not None:
        if isinstance(tensor, Parameter):
            trace.write(tensor, prims.assign(trace.read(tensor), trace.read(value)))
        else:
            trace.write(tensor, trace.read(value))
    elif isinstance(tensor, Parameter) and STATE.tape is not None:  # which still needs the numbers from before
        replace_data(tensor, STATE.tape.apply(prims.assign, (Tensor._wrap(tensor._data), value), {})._data)
    elif isinstance(tensor, Parameter):
        if STATE.undo:
            STATE.undo.note(tensor)
        np.copyto(tensor._data, value._data)
        assigned(tensor._data)
    elif tensor._shares and STATE.tape is None:
        np.copyto(tensor._data, value._data)
    else:
        if isinstance(value, Parameter):  # whose memory changes with it
            value = apply(prims.copy, value)
        replace_data(tensor, value._data)
    return tensor


def _check_shapes(tensor: Tensor, value: Tensor) -> None:
    """Raise RuntimeError, as MindSpore's Assign does, if an update in place would change the shape."""
    have, new = tensor._type.shape, value._type.shape
    fits = len(have) == len(new) and all(a == b or a is None or b is None for a, b in zip(have, new, strict=True))
    if not fits:
        raise RuntimeError(
            f"a tensor of shape {show_shape(have)} cannot be updated in place with numbers of shape "
            f"{show_shape(new)}: the two must have the same shape; "
            "give the result a name of its own (`y = x + z` in place of `x += z`)"
        )


def updated(tensor: Tensor) -> Tensor:
    """The result of a function that has updated a Parameter: its current numbers, as a tensor. Other values are
    returned unchanged.

    In a trace the result is the Parameter, which stands for its numbers.
    """
    return apply(prims.copy, tensor) if STATE.trace is None and isinstance(tensor, Parameter) else tensor


def assign_parameter(parameter: Parameter, value: Any) -> Parameter:
    """Assign the numbers of `value` to a Parameter, as `ops.assign` does. Returns the Parameter.

    Raises:
        TypeError: if `value` is of a kind or width that the Parameter's dtype does not hold.
        ValueError: if the shapes differ.
    """
    tensor = as_value(parameter, value)
    shape = tensor._type.shape
    if shape != parameter._type.shape:
        if not (not shape or set(shape) == {1}) or parameter.size != 1:
            raise ValueError(
                f"Parameter '{parameter.name}' has shape {parameter.shape}, but is assigned a value of shape "
                f"{tensor.shape}: the value must have the same shape"
            )
        tensor = apply(prims.reshape, tensor, shape=parameter._type.static_shape)
    assign_inplace(parameter, tensor)
    return parameter


def is_number(tensor: Any) -> bool:
    """Whether a traced tensor stands for a Python number, which is never updated in place."""
    return isinstance(tensor, TracedTensor) and tensor._number is not None
