"""Parameters of layers in the memory that an initializer has filled."""

from __future__ import annotations

from typing import Any

from ...frontend.values.parameter import Parameter, owning
from ..initializer import Initializer, initializer


def initial_parameter(init: Any, shape: Any, dtype: Any, name: str) -> Parameter:
    """A Parameter with the numbers of an initializer, or of a Tensor.

    What one of mycel's own initializers has made is not copied: nobody else has it.
    """
    tensor = initializer(init, shape, dtype)
    is_own = isinstance(init, (str, int, float)) or type(init).__module__ == Initializer.__module__
    if is_own and tensor.dtype.np.itemsize >= 4:  # narrow numbers are not aligned
        return owning(tensor._data, name)
    return Parameter(tensor, name=name)
