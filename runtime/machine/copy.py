"""Copies of arrays with short rows, in machine code for processors with AVX-512; NumPy's take 15 ns for each row."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from .product import has_products

if TYPE_CHECKING:
    from .executable import Function


def _refuses(*arrays: np.ndarray) -> bool:
    return False


@cache
def compile_copy() -> Function:
    """The function `copy(source, target)` for arrays of float32, of one shape with 2 to 6 axes.

    `copy(source, target, target)` adds. It returns True; for arrays that it does not take it returns False and writes
    nothing.
    """
    if not has_products():
        return _refuses
    from .copy_code import CopyCode  # late, as the code itself: `import mycel` needs neither
    from .executable import make_function

    try:
        return make_function(CopyCode().assemble(), "copy", "copy(source, target): arrays of float32")
    except OSError:
        return _refuses
