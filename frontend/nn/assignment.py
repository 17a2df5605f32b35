"""Giving Parameters new numbers from library code: at once, or as a write of the trace that no gradient flows through."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiler import ops as prims
from ..dispatch import cast
from ..parameter import Parameter
from ..state import STATE
from ..tensor import Tensor


def assign(parameter: Parameter, value: Any) -> None:
    """Let the Parameter have the numbers of `value`, cast to its dtype."""
    tensor = value if isinstance(value, Tensor) else Tensor(value, parameter.dtype)
    tensor = cast(tensor, parameter.dtype)
    trace = STATE.trace
    if trace is not None:
        trace.write(parameter, prims.assign(trace.read(parameter), trace.read(tensor)))
    else:
        np.copyto(parameter._data, tensor._data)
