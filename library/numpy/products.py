"""`mycel.numpy`: covariances, products of matrices and norms."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from ...frontend.values.arguments import need_flags
from ...frontend.values.dispatch import cast, common_dtype
from ...frontend.values.tensor import Tensor
from .. import functions as ops
from ..docstrings import Shared
from ..functions.table import made
from .documentation import common
from .elementwise import in_dtype, tensor_of
from .reductions import _float

_shared = Shared(
    """
    Args:
        y: further variables; None: none.
        rowvar: whether the rows are the variables.
        x1, x2: a tensor or nested sequence of numbers, of any shape.
    """,
    common,
)


@_shared
def cov(
    m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None, fweights: Any = None,
    aweights: Any = None, dtype: Any = None,
) -> Tensor:  # fmt: skip
    """The covariances of variables (rows, or columns).

    Args:
        bias: whether to divide by the count.
        ddof: what is subtracted from the count in the divisor; None: as `bias` says.
        fweights: how often each observation counts; None: once.
        aweights: the weights of the observations; None: ones.

    Examples:
        >>> print(mnp.cov([[1.0, 3.0]]))
        2.0
    """
    x = ops.atleast_2d(_float(m))
    need_flags("cov", rowvar=rowvar)
    x = x if rowvar or x.shape[0] == 1 else ops.swapaxes(x, 0, 1)
    if y is not None:
        other = ops.atleast_2d(_float(y))
        x = ops.concat((x, other if rowvar or other.shape[0] == 1 else ops.swapaxes(other, 0, 1)), 0)
    weights = [None if item is None else tensor_of(item) for item in (fweights, aweights)]
    correction = ddof if ddof is not None else 0 if bias else 1
    return in_dtype(ops.squeeze(ops.cov(x, correction=correction, fweights=weights[0], aweights=weights[1])), dtype)


@_shared
def corrcoef(x: Any, y: Any = None, rowvar: bool = True, dtype: Any = None) -> Tensor:
    """The correlations of variables (rows, or columns).

    Examples:
        >>> print(mnp.corrcoef([[1.0, 2.0], [2.0, 4.0]]))
        [[1. 1.]
         [1. 1.]]
    """
    table = cov(x, y, rowvar)
    if table.ndim == 0:
        return in_dtype(ops.div(table, table), dtype)
    sizes = ops.sqrt(ops.diagonal(table))
    result = ops.div(ops.div(table, ops.expand_dims(sizes, 1)), sizes)
    return in_dtype(ops.clamp(result, -1.0, 1.0), dtype)


@_shared
def matmul(x1: Any, x2: Any, dtype: Any = None) -> Tensor:
    """The matrix product.

    Raises:
        TypeError: if `x1` or `x2` holds no numbers.

    Examples:
        >>> print(mnp.matmul([[1.0, 2.0]], [[3.0], [4.0]]))
        [[11.]]
    """
    return in_dtype(ops.matmul(tensor_of(x1), tensor_of(x2)), dtype)


def _joined(a: Any, b: Any) -> tuple[Tensor, Tensor]:
    first, second = tensor_of(a), tensor_of(b)
    dtype = common_dtype(first, second)
    return cast(first, dtype), cast(second, dtype)


@_shared
def dot(a: Any, b: Any) -> Tensor:
    """The sums of products over the last dimension of the first and the last but one of the second tensor.

    Raises:
        TypeError: if `a` or `b` holds no numbers.

    Examples:
        >>> print(mnp.dot([1.0, 2.0], [3.0, 4.0]))
        11.0
    """
    x, y = _joined(a, b)
    if x.ndim == 0 or y.ndim == 0:
        return ops.mul(x, y)
    return ops.tensor_dot(x, y, ((x.ndim - 1,), (builtins.max(y.ndim - 2, 0),)))


def _product(name: str, what: str, printed: str, numbers: str) -> Callable[[Any, Any], Tensor]:
    """The products that are as in `ops`."""

    def run(a: Any, b: Any) -> Tensor:
        """The {what}.

        Raises:
            TypeError: if `a` or `b` holds no numbers.

        Examples:
            >>> print(mnp.{name}({numbers}))
            {printed}
        """
        return getattr(ops, name)(*_joined(a, b))

    return _shared(made(run, name, what=what, numbers=numbers, printed=printed))


inner = _product("inner", "sums of products over the last dimensions", "11.0", "[1.0, 2.0], [3.0, 4.0]")
kron = _product("kron", "Kronecker product", "[3 4 6 8]", "[1, 2], [3, 4]")


@_shared
def outer(a: Any, b: Any) -> Tensor:
    """The products of all pairs of elements.

    Raises:
        TypeError: if `a` or `b` holds no numbers.

    Examples:
        >>> print(mnp.outer([1, 2], [3, 4]))
        [[3 4]
         [6 8]]
    """
    x, y = _joined(a, b)
    return ops.outer(ops.ravel(x), ops.ravel(y))


@_shared
def tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    """The sums of products over some axes of each tensor.

    Args:
        axes: how many axes, or the axes of both.

    Raises:
        TypeError: if `a` or `b` holds no numbers.

    Examples:
        >>> print(mnp.tensordot([[1.0, 2.0]], [[3.0], [4.0]], 1))
        [[11.]]
    """
    return ops.tensor_dot(*_joined(a, b), axes)


def multi_dot(arrays: Any) -> Tensor:
    """The product of several matrices.

    Args:
        arrays: a tuple or list of tensors.

    Raises:
        TypeError: if an argument is of another kind.

    Examples:
        >>> import mycel.numpy as mnp
        >>> print(mnp.multi_dot(([[2.0]], [[3.0]])))
        [[6.]]
    """
    return ops.multi_dot([tensor_of(item) for item in arrays])


@_shared
def cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Tensor:
    """The vector products of vectors of three elements.

    Args:
        axisa, axisb, axisc: the axes of the vectors in both inputs and the result.
        axis: one for all three.

    Raises:
        TypeError: if `a` or `b` holds no numbers.

    Examples:
        >>> print(mnp.cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]))
        [0. 0. 1.]
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = _joined(a, b)
    x, y = ops.moveaxis(x, axisa, -1), ops.moveaxis(y, axisb, -1)
    if x.shape[-1] == y.shape[-1] == 2:
        return ops.sub(ops.mul(x[..., 0], y[..., 1]), ops.mul(x[..., 1], y[..., 0]))
    x, y = (ops.pad(part, [0, 1]) if part.shape[-1] == 2 else part for part in (x, y))
    return ops.moveaxis(ops.cross(x, y, -1), -1, axisc)


@_shared
def matrix_power(a: Any, n: int) -> Tensor:
    """A square matrix to a whole power.

    Args:
        a: a square matrix.
        n: the power, an int.

    Examples:
        >>> print(mnp.matrix_power([[2.0]], 3))
        [[8.]]
    """
    return ops.matrix_power(_float(a), n)


@_shared
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The norm of all elements, of vectors or of matrices.

    Args:
        ord: the order of the norm; None: the root of the sum of squares.
        axis: one axis, or two; None: all elements.
        keepdims: whether the reduced axes stay as dimensions of size one.

    Examples:
        >>> print(mnp.norm([3.0, 4.0]))
        5.0
    """
    return ops.norm(_float(x), ord, axis, keepdims)
