"""`mycel.mint.special`: special functions."""

from __future__ import annotations

from .functional import log_softmax
from .table import table as _table

_FUNCTIONS = _table(
    {
        "erfc(input)": "erfc",
        "exp2(input)": "exp2",
        "expm1(input)": "expm1",
        "log1p(input)": "log1p",
        "round(input, *, decimals=0)": "round",
        "sinc(input)": "sinc",
    },
    __name__,
)
globals().update(_FUNCTIONS)
__all__ = [*_FUNCTIONS, "log_softmax"]
