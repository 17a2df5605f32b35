# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.runtime.dtypes import DType
from typing import Any
from mycel.frontend.values.tensor import (
    AnySize as AnySize, Tensor as Tensor, ambiguous as ambiguous, is_tensor as is_tensor, is_traced as is_traced,
    numbers_break as numbers_break, tensor as tensor, to_array as to_array, wrap as wrap,
)
from mycel.library.mindspore.sparse import (
    COOTensor as COOTensor, CSRTensor as CSRTensor, RowTensor as RowTensor, SparseTensor as SparseTensor,
    coo2csr as coo2csr, coo_concat as coo_concat, csr2coo as csr2coo, csr_gather as csr_gather, csr_mm as csr_mm,
    csr_softmax as csr_softmax, dense_to_sparse_coo as dense_to_sparse_coo,
    dense_to_sparse_csr as dense_to_sparse_csr, RowTensor as _RowTensorInner,
)
RowTensorInner = _RowTensorInner

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
