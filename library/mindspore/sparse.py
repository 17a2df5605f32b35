"""The names of MindSpore's sparse tensors. Scripts that mention them run; to make one is an error."""

from __future__ import annotations

from typing import Any


class SparseTensor:
    """A kind of sparse tensor of MindSpore's.

    Raises:
        NotImplementedError: when one is made.

    Examples:
        >>> import mycel as ms
        >>> isinstance(ms.Tensor([1.0]), ms.SparseTensor)
        False
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        raise NotImplementedError(
            f"{type(self).__name__}: sparse tensors are not supported; use dense tensors, with ops.gather and "
            "ops.tensor_scatter_add where rows are picked or added to"
        )


class COOTensor(SparseTensor):
    """A sparse tensor of coordinates and values; making one raises NotImplementedError.

    Examples:
        >>> import mycel as ms
        >>> issubclass(ms.COOTensor, ms.SparseTensor)
        True
    """


class CSRTensor(SparseTensor):
    """A sparse matrix by rows; making one raises NotImplementedError.

    Examples:
        >>> import mycel as ms
        >>> issubclass(ms.CSRTensor, ms.SparseTensor)
        True
    """


class RowTensor(SparseTensor):
    """A tensor given by some of its rows; making one raises NotImplementedError.

    Examples:
        >>> import mycel as ms
        >>> issubclass(ms.RowTensor, ms.SparseTensor)
        True
    """
