"""Dependency injection: functions that Tensor, Parameter and Cell need from packages above them.

The root of mycel calls `install` once, when all its modules are loaded. Nothing else sets these functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...runtime.dtypes import DType
from ...runtime.records import dataclass


@dataclass
class Services:
    """The functions that were installed.

    Attributes:
        run_cell: runs a Cell on arguments and keyword arguments, with its hooks and casts.
        compile_cell: makes the compiled function of a Cell.
        filled: makes the array that an initializer, a number or a name of an initializer fills.
        initial_tensor: makes the tensor that an initializer fills.
    """

    run_cell: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]
    compile_cell: Callable[[Any], Any]
    filled: Callable[[Any, tuple[int, ...], DType], np.ndarray]
    initial_tensor: Callable[[Any, Any, Any], Any]


def _not_installed(*arguments: Any) -> Any:
    """The placeholder while the package is being loaded."""
    raise RuntimeError("mycel is not loaded yet: import mycel first")


SERVICES = Services(_not_installed, _not_installed, _not_installed, _not_installed)


def install(
    *,
    run_cell: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any],
    compile_cell: Callable[[Any], Any],
    filled: Callable[[Any, tuple[int, ...], DType], np.ndarray],
    initial_tensor: Callable[[Any, Any, Any], Any],
) -> None:
    """Give `SERVICES` its functions."""
    SERVICES.run_cell, SERVICES.compile_cell = run_cell, compile_cell
    SERVICES.filled, SERVICES.initial_tensor = filled, initial_tensor
