"""Primitives of factorizations in packed form: LU with pivots, QR with Householder's vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from .....compiler import ops as prims
from .....frontend.values.arguments import cut
from .....frontend.values.dispatch import apply, cast
from .....frontend.values.tensor import Tensor
from .....runtime import dtypes
from ....functions.array_shape import swapaxes
from ....functions.linalg import matmul
from ..primitive import Row, make_classes


def _order(data: Tensor, pivots: Any) -> Tensor:
    """The matrices that bring rows into the order of the factors."""
    rows = int(data.shape[-2])
    order = apply(prims.pivot_order, pivots, count=rows)
    one, zero = Tensor(1, data.dtype), Tensor(0, data.dtype)
    result: Tensor = apply(prims.one_hot, order, one, zero, depth=rows, axis=order.ndim)
    return result


def _unpacked(self: Any, data: Any, pivots: Any) -> tuple[Tensor, Tensor, Tensor]:
    """From a packed LU factorisation the row order (a matrix), the lower and the upper factor."""
    rows, columns = map(int, data.shape[-2:])
    least = min(rows, columns)
    below = apply(prims.tril, cut(data, data.ndim - 1, 0, least), k=-1)
    lower = apply(prims.add, below, Tensor(np.eye(rows, least), data.dtype))
    upper = apply(prims.triu, cut(data, data.ndim - 2, 0, least), k=0)
    return swapaxes(_order(data, pivots), -1, -2), lower, upper


def _lu_solution(self: Any, b: Any, data: Any, pivots: Any) -> Tensor:
    """The solution of equations whose matrix is given as a packed LU factorisation; halfway in double precision."""
    wide = dtypes.complex128 if data.dtype.is_complex else dtypes.float64
    order, lower, upper = _unpacked(self, cast(data, wide), pivots)
    first = apply(prims.solve, lower, matmul(swapaxes(order, -1, -2), cast(b, wide)))
    return cast(apply(prims.solve, upper, first), b.dtype)


def _geqrf(self: Any, x: Any) -> tuple[Tensor, Tensor]:
    packed, factors = apply(prims.geqrf, x)
    return packed, factors


def _orgqr(self: Any, x: Any, tau: Any) -> Tensor:
    result: Tensor = apply(prims.householder_product, x, tau, columns=int(x.shape[-1]))
    return result


def _ormqr(self: Any, x: Any, tau: Any, other: Any) -> Tensor:
    turn = apply(prims.householder_product, x, tau, columns=int(x.shape[-2]))
    if self.transpose:
        turn = swapaxes(apply(prims.conj, turn) if turn.dtype.is_complex else turn, -1, -2)
    return matmul(turn, other) if self.left else matmul(other, turn)


TABLE: dict[str, Row] = {
    "LuUnpack": (_unpacked, {"unpack_data": True, "unpack_pivots": True}),
    "LuSolve": (_lu_solution, {}),
    "Geqrf": (_geqrf, {}),
    "Orgqr": (_orgqr, {}),
    "Ormqr": (_ormqr, {"left": True, "transpose": False}),
}
CLASSES = make_classes(TABLE, globals())
