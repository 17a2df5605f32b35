"""MindSpore's sparse tensors, which this package has by name only: scripts that mention them run, those that make one
are told."""

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
    """A tensor of which some rows are given; making one raises NotImplementedError.

    Examples:
        >>> import mycel as ms
        >>> issubclass(ms.RowTensor, ms.SparseTensor)
        True
    """
