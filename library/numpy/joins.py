"""NumPy's functions that join arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...frontend.values.dispatch import cast, common_dtype
from ...frontend.values.tensor import Tensor
from .. import functions as ops
from ..docstrings import Shared
from ..functions.table import made
from .documentation import common
from .elementwise import tensor_of

_shared = Shared(
    """
    Args:
        tup: a tuple or list of tensors.
        arrays: a tuple or list of tensors.

    Raises:
        TypeError: if an argument is of another kind.
    """,
    common,
)


@_shared
def concatenate(arrays: Any, axis: int | None = 0) -> Tensor:
    """Tensors one after the other along an axis; None: their elements in one dimension.

    Examples:
        >>> print(mnp.concatenate(([1], [2, 3])))
        [1 2 3]
    """
    parts = [tensor_of(item) for item in (arrays if not isinstance(arrays, Tensor) else list(arrays))]
    if axis is None:
        return ops.concat([ops.ravel(part) for part in parts], 0)
    return ops.concat(parts, axis)


@_shared
def stack(arrays: Any, axis: int = 0) -> Tensor:
    """Tensors one after the other along a new axis.

    Examples:
        >>> print(mnp.stack(([1, 2], [3, 4])))
        [[1 2]
         [3 4]]
    """
    parts = [tensor_of(item) for item in (arrays if not isinstance(arrays, Tensor) else list(arrays))]
    dtype = common_dtype(*parts)
    return ops.stack([cast(part, dtype) for part in parts], axis)


def _joining(name: str, where: str, printed: str, arrays: str = "[1, 2], [3, 4]") -> Callable[[Any], Tensor]:
    """The functions that join arrays of any number of dimensions."""

    def run(tup: Any) -> Tensor:
        """Tensors one after the other along the {where}.

        Examples:
            >>> print(mnp.{name}(({arrays})))
            {printed}
        """
        return getattr(ops, name)([tensor_of(item) for item in tup])

    return _shared(made(run, name, where=where, arrays=arrays, printed=printed))


vstack = _joining("vstack", "first axis", "[[1 2]\n     [3 4]]")
hstack = _joining("hstack", "second axis", "[1 2 3]", "[1], [2, 3]")
dstack = _joining("dstack", "third axis", "[[[1 3]\n      [2 4]]]")
column_stack = _joining("column_stack", "second axis; vectors as columns", "[[1 3]\n     [2 4]]")


@_shared
def append(arr: Any, values: Any, axis: int | None = None) -> Tensor:
    """Values after a tensor along an axis; None: of all elements in one dimension.

    Args:
        values: a tensor or sequence.
        axis: the axis; None: all elements in one dimension.

    Raises:
        TypeError: if `arr` or `values` holds no numbers.

    Examples:
        >>> print(mnp.append([1, 2], [3]))
        [1 2 3]
    """
    return concatenate((arr, values), axis)
