"""`mycel.mint.special`: special functions."""

from __future__ import annotations

from .functional import log_softmax
from .table import Table as _Table

_TABLE = _Table(
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
__getattr__ = _TABLE.find
__all__ = [*_TABLE.rows, "log_softmax"]


def __dir__() -> list[str]:
    return sorted(__all__)
