"""NumPy's functions that make grids and indices of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..docstrings import like
from .documentation import common
from .elementwise import tensor_of


def meshgrid(*xi: Any, sparse: bool = False, indexing: str = "xy") -> list[Tensor]:
    """Coordinate tensors of a grid; with `sparse` not spread over the other dimensions.

    Args:
        xi: vectors.
        sparse: whether the coordinates are not spread over the other dimensions.
        indexing: "xy" or "ij".

    Raises:
        TypeError: if `xi` or `sparse` holds no numbers.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.meshgrid([1, 2], [3])[0])
        [[1 2]]
    """
    vectors = [ops.ravel(tensor_of(item)) for item in xi]
    if not sparse:
        return list(ops.meshgrid(*vectors, indexing=indexing))
    order = list(range(len(vectors)))
    if indexing == "xy" and len(vectors) > 1:
        order[:2] = [1, 0]
    return [
        ops.reshape(vector, tuple(-1 if place == order.index(at) else 1 for place in range(len(vectors))))
        for at, vector in enumerate(vectors)
    ]


@common
def indices(dimensions: Any, dtype: Any = dtypes.int32, sparse: bool = False) -> Any:
    """The positions along each dimension of a grid.

    Args:
        dimensions: the shape of the grid, a tuple of ints.
        sparse: whether the positions are not spread over the other dimensions.

    Raises:
        TypeError: if an argument is of another kind.

    Examples:
        >>> print(mnp.indices((1, 2))[1])
        [[0 1]]
    """
    lines = [Tensor(np.arange(size), dtypes.as_dtype(dtype)) for size in dimensions]
    return meshgrid(*lines, sparse=sparse, indexing="ij")


def ix_(*args: Any) -> tuple[Tensor, ...]:
    """Vectors shaped so that they select the grid of their positions.

    Args:
        args: vectors.

    Raises:
        TypeError: if `args` holds no numbers.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.ix_([0, 1], [2])[0].shape)
        (2, 1)
    """
    count = len(args)
    return tuple(
        ops.reshape(tensor_of(item), tuple(-1 if place == at else 1 for place in range(count)))
        for at, item in enumerate(args)
    )


@common
def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """The rows and the columns of the lower triangle of a matrix.

    Args:
        n: the number of rows.
        m: the number of columns; None: as many as rows.

    Raises:
        TypeError: if an argument is of another kind.

    Examples:
        >>> print(*mnp.tril_indices(2))
        [0 1 1] [0 0 1]
    """
    return tuple(Tensor(item, dtypes.int32) for item in np.tril_indices(n, k, m))


@common
@like(tril_indices)
def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """The rows and the columns of the upper triangle of a matrix.

    Examples:
        >>> print(*mnp.triu_indices(2))
        [0 0 1] [0 1 1]
    """
    return tuple(Tensor(item, dtypes.int32) for item in np.triu_indices(n, k, m))
