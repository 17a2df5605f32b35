# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.runtime.dtypes import DType
from typing import Any
from mycel.frontend.values.tensor import (
    AnySize, Tensor, ambiguous, is_tensor, is_traced, numbers_break, tensor, to_array, wrap,
)
from mycel.library.mindspore.sparse import COOTensor, CSRTensor, RowTensor, SparseTensor

__all__ = [
    "AnySize", "COOTensor", "CSRTensor", "RowTensor", "SparseTensor", "Tensor", "TracedTensor", "UNKNOWN_BASE",
    "ambiguous", "is_tensor", "is_traced", "numbers_break", "tensor", "to_array", "wrap",
]

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
