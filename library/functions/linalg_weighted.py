"""Products of matrices and vectors, added to a tensor with weights."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.values.dispatch import Number, apply, cast
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ..docstrings import Shared
from .documentation import common
from .linalg import matmul, mv, outer, ranked, same_dtype
from .table import known_as

__all__ = ["addbmm", "addmm", "addmv", "addr", "baddbmm"]

_shared = Shared(
    """
    Args:
        batch1: matrices of shape (B, n, m).
        batch2: matrices of shape (B, m, p).
        beta: the factor of `input`.
        alpha: the factor of the product.

    Raises:
        ValueError: if the shapes do not fit.
    """,
    common,
)


def _weighted(function: str, input: Any, product: Tensor, beta: Any, alpha: Any) -> Tensor:
    """beta * input + alpha * product."""
    base = need_tensor(input, function)
    same_dtype(function, base, product)
    for name, factor in (("beta", beta), ("alpha", alpha)):
        if not isinstance(factor, (*Number, Tensor)):
            raise TypeError(f"{function}: '{name}' should be a number, but got {type(factor).__name__}")
    scaled = product if _is_one(alpha) else apply(prims.multiply, product, _factor(alpha, product))
    kept = base if _is_one(beta) else apply(prims.multiply, base, _factor(beta, base))
    return apply(prims.add, kept, scaled)


def _is_one(factor: Any) -> bool:
    return not isinstance(factor, Tensor) and factor == 1


def _factor(value: Any, like: Tensor) -> Any:
    return cast(value, like.dtype) if isinstance(value, Tensor) else int(value) if like.dtype.is_integer else value


@known_as(mint=True, method=True, inplace=True, primitive="Addmm", shared=_shared)
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta * input + alpha * (mat1 @ mat2).

    Args:
        input: a tensor that can be broadcast to the shape (n, p).
        mat1: a matrix of shape (n, m).
        mat2: a matrix of shape (m, p).

    Examples:
        >>> print(ops.addmm(Tensor([[1.0]]), Tensor([[2.0]]), Tensor([[3.0]])))
        [[7.]]
    """
    return _weighted("addmm", input, matmul(*ranked("addmm", 2, mat1, mat2)), beta, alpha)


@known_as(mint=True, method=True, primitive="Addmv", shared=_shared)
def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta * input + alpha * (mat @ vec).

    Args:
        input: a tensor that can be broadcast to the shape (n).
        mat: a matrix of shape (n, m).
        vec: a vector of shape (m).

    Examples:
        >>> print(ops.addmv(Tensor([1.0]), Tensor([[2.0, 3.0]]), Tensor([4.0, 5.0])))
        [24.]
    """
    return _weighted("addmv", input, mv(mat, vec), beta, alpha)


@known_as(method=True, shared=_shared)
def addr(x: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta * x + alpha * outer(vec1, vec2).

    Args:
        x: a tensor that can be broadcast to the shape (n, m).
        vec1: a vector of shape (n).
        vec2: a vector of shape (m).
        beta: the factor of `x`.

    Examples:
        >>> print(ops.addr(Tensor([[1.0]]), Tensor([2.0]), Tensor([3.0])))
        [[7.]]
    """
    return _weighted("addr", x, outer(vec1, vec2), beta, alpha)


@known_as(method=True, shared=_shared)
def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta * input + alpha * (batch1 @ batch2), for batches of matrices.

    Args:
        input: a tensor that can be broadcast to the shape (B, n, p).

    Examples:
        >>> print(ops.baddbmm(Tensor([[[1.0]]]), Tensor([[[2.0]]]), Tensor([[[3.0]]])))
        [[[7.]]]
    """
    x, y = need_tensor(batch1, "baddbmm", "batch1"), need_tensor(batch2, "baddbmm", "batch2")
    return _weighted("baddbmm", input, matmul(x, y), beta, alpha)


@known_as(mint=True, method=True, primitive="Addbmm", shared=_shared)
def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta * input + alpha * the sum of batch1 @ batch2 over the batch.

    Args:
        input: a tensor that can be broadcast to the shape (n, p).

    Examples:
        >>> print(ops.addbmm(Tensor([[1.0]]), Tensor([[[2.0]]]), Tensor([[[3.0]]])))
        [[7.]]
    """
    x, y = ranked("addbmm", 3, batch1, batch2)
    product = apply(prims.sum, matmul(x, y), axis=(0,), keepdims=False)
    return _weighted("addbmm", input, product, beta, alpha)
