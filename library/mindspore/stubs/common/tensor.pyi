# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel.common.sparse_tensor import *
from mycel.runtime.dtypes import DType
from typing import Any
from mycel.frontend.values.tensor import (
    AnySize as AnySize, Tensor as Tensor, ambiguous as ambiguous, is_tensor as is_tensor, is_traced as is_traced,
    numbers_break as numbers_break, tensor as tensor, to_array as to_array, wrap as wrap,
)

UNKNOWN_BASE: Any

class TracedTensor(Tensor):
    """A tensor that stands for a value of the graph being traced. An update in place changes its `_symbol`."""
    @property
    def shape(self) -> Any:
        """The shape. A dimension that only the run knows is a traced number."""
    @property
    def ndim(self) -> int:
        """Number of dimensions."""
    @property
    def dtype(self) -> DType:
        """The element type."""
