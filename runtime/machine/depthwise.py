"""Depthwise convolutions in machine code for processors with AVX-512: `depthwise_code.py` says what they compute."""

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
def compile_depthwise(kind: str) -> Function:
    """The function "forward" or "weight", for arrays of float32. `forward(seen, weight, out, out)` adds to `out`.

    It returns True; for arrays that it does not take it returns False and writes nothing.
    """
    if not has_products():
        return _refuses
    from .depthwise_code import DepthwiseCode  # late, as the code itself: `import mycel` needs neither
    from .executable import make_function

    try:
        return make_function(DepthwiseCode(kind).assemble(), kind, f"{kind}: arrays of float32")
    except OSError:
        return _refuses


def has_depthwise() -> bool:
    """Whether this machine has the functions."""
    return _refuses not in (compile_depthwise("forward"), compile_depthwise("weight"))
