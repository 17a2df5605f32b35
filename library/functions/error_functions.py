"""The error function and related ones, elementwise."""

from __future__ import annotations

from ...compiler import ops as prims
from .table import unary

__all__ = ["erf", "erfc", "erfinv"]


erf = unary(
    "erf", prims.erf, "The error function of each element.", "Tensor([0.0]) -> [0.]", mint=True, method=True,
    primitive="Erf",
)  # fmt: skip
erfc = unary(
    "erfc", prims.erfc, "One less the error function of each element, exact for large ones.", "Tensor([0.0]) -> [1.]",
    mint=True, method=True, primitive="Erfc",
)  # fmt: skip
erfinv = unary(
    "erfinv", prims.erfinv, "What the error function takes to each element.", "Tensor([0.0]) -> [0.]", mint=True,
    method=True, inplace=True, primitive="Erfinv",
)  # fmt: skip
