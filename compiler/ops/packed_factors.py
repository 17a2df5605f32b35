"""Factorizations in packed form, as in LAPACK: Householder vectors and factors, pivots of LU."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.kernels import householder
from ...runtime.machine.elimination_sizes import FACTOR
from ..ir.attributes import SIZE
from ..ir.op import NoDerivative, Op, Sample
from ..ir.types import TensorType, UnknownShapeError, show_shape
from .along import take_along
from .arithmetic import sqrt
from .batching import leading
from .comparison import equal, less, select
from .composite import vjp_by
from .conversion import real_dtype
from .creation import constant
from .diagonals import tril, triu
from .infer import same_dtype
from .joining import concatenate
from .linalg import matmul, swap_last
from .reduction import sum as sum_
from .shape import broadcast_to, drop_axes, insert_axes
from .slicing import slice_axis
from .solving import (
    always,
    attempt_elimination,
    emit_elimination,
    need_matrices,
    scratch_of,
    solve_triangle,
    well_conditioned,
)
from .sorting import argsort

Array = np.ndarray


def _known(what: str, x: Any) -> tuple[int, int]:
    rows, columns = x.shape[-2:]
    if rows is None or columns is None:
        raise UnknownShapeError(f"the gradient of {what} needs matrices of known size, but got {x.type}")
    return rows, columns


def _infer_geqrf(x: TensorType) -> tuple[TensorType, TensorType]:
    need_matrices("geqrf", x, complex=True)
    rows, columns = x.shape[-2:]
    return x, x.with_shape((*x.shape[:-2], None if rows is None or columns is None else min(rows, columns)))


def _reflection(column: Any) -> tuple[Any, Any, Any]:
    """For columns (…, n, 1): the number that remains of each, the factor, and the vector below its leading one."""
    axis = column.rank - 2
    alpha, tail = slice_axis(column, axis, 0, 1), slice_axis(column, axis, 1, column.shape[axis])
    rest = sum_(tail * tail, axis=(axis,), keepdims=True)
    idle = equal(rest, 0)
    length = sqrt(select(idle, 1, alpha * alpha + rest))
    reflected = select(less(alpha, 0), length, -length)
    beta = select(idle, alpha, reflected)
    factor = select(idle, 0, (reflected - alpha) / reflected)
    return beta, factor, tail / select(idle, 1, alpha - reflected)


def _geqrf_composite(x: Any) -> tuple[Any, Any]:
    """The factorization, column by column, by differentiable ops."""
    rows, columns = _known("geqrf", x)
    down, right = x.rank - 2, x.rank - 1
    block, parts, factors = x, [], []
    for step in range(min(rows, columns)):
        beta, factor, tail = _reflection(slice_axis(block, right, 0, 1))
        others = slice_axis(block, right, 1, columns - step)
        vector = concatenate(beta * 0 + 1, tail, axis=down)
        others = others - factor * matmul(vector, matmul(swap_last(vector), others))
        parts.append((concatenate(beta, slice_axis(others, down, 0, 1), axis=right), tail))
        block = slice_axis(others, down, 1, rows - step)
        factors.append(drop_axes(factor, (right,)))
    for row, tail in reversed(parts):
        block = concatenate(row, concatenate(tail, block, axis=right), axis=down)
    return block, concatenate(*factors, axis=x.rank - 2)


def _vjp_geqrf(x: Any, out: Any, dout: Any) -> Any:
    if x.dtype.is_complex:
        return NoDerivative("geqrf: no derivative is known for complex matrices; qr has one for real ones")
    return _geqrf_rule(x, out, dout)


_geqrf_rule = vjp_by(_geqrf_composite)

geqrf: Op = Op(
    "geqrf",
    infer=_infer_geqrf,
    kernel=householder.geqrf,
    vjp=_vjp_geqrf,
    batch=leading,
    samples=lambda: [
        Sample((well_conditioned(3),)),
        Sample((well_conditioned(4)[:, :2],)),
        Sample((well_conditioned(3, 2)[:, :2],)),
        Sample((well_conditioned(2) * (1 + 1j),), gradient=False),
    ],
    doc="The QR factorization in packed form: R with Householder's vectors below its diagonal, and their factors.",
)


def _infer_product(packed: TensorType, factors: TensorType, *, columns: int) -> TensorType:
    need_matrices("householder_product", packed, complex=True)
    same_dtype(packed, factors)
    rows, most = packed.shape[-2:]
    count = factors.shape[-1] if factors.rank == packed.rank - 1 else -1
    if count == -1 or (None not in (count, most) and count > most):  # type: ignore[operator]
        raise ValueError(
            f"Householder's factors of shape {show_shape(factors.shape)} do not fit vectors of shape "
            f"{show_shape(packed.shape)}"
        )
    if rows is not None and columns > rows:
        raise ValueError(f"an orthogonal matrix of {rows} rows has no {columns} columns")
    return packed.with_shape((*packed.shape[:-1], columns))


def _product_composite(packed: Any, factors: Any, *, columns: int) -> Any:
    """The product, reflection by reflection, by differentiable ops."""
    rows, width = _known("householder_product", packed)
    last = packed.rank - 1
    vectors = tril(packed, k=-1) + constant(value=np.eye(rows, width, dtype=packed.dtype.np))
    result: Any = constant(value=np.eye(rows, columns, dtype=packed.dtype.np))
    for step in range(factors.shape[-1] - 1, -1, -1):
        vector = slice_axis(vectors, last, step, step + 1)
        factor = insert_axes(slice_axis(factors, last - 1, step, step + 1), (last,))
        result = result - factor * matmul(vector, matmul(swap_last(vector), result))
    return result


_product_rule = vjp_by(_product_composite)


def _vjp_product(packed: Any, factors: Any, out: Any, dout: Any, *, columns: int) -> Any:
    if packed.dtype.is_complex:
        unknown = NoDerivative("orgqr: no derivative is known for complex matrices")
        return unknown, unknown
    return _product_rule(packed, factors, out, dout, columns=columns)


def _product_samples() -> list[Sample]:
    found = []
    for matrices, columns in ((well_conditioned(3), 3), (well_conditioned(4)[:, :2], 4), (well_conditioned(3, 2), 2)):
        found.append(Sample(householder.geqrf(matrices), {"columns": columns}))
    return found


householder_product: Op = Op(
    "householder_product",
    infer=_infer_product,
    attrs={"columns": SIZE},
    kernel=householder.product,
    vjp=_vjp_product,
    batch=leading,
    samples=_product_samples,
    doc="The first columns of the orthogonal matrices that geqrf gave in packed form.",
)


def _infer_pivot_order(pivots: TensorType, *, count: int) -> TensorType:
    if not pivots.dtype.is_integer:
        raise TypeError(f"pivots should be integers, but got {pivots.dtype}")
    if pivots.rank < 1:
        raise ValueError("pivots should be vectors, but got a number")
    if pivots.shape[-1] is not None and pivots.shape[-1] > count:
        raise ValueError(f"{pivots.shape[-1]} pivots are too many for {count} rows")
    return pivots.with_shape((*pivots.shape[:-1], count)).with_dtype(dtypes.int64)


pivot_order: Op = Op(
    "pivot_order",
    infer=_infer_pivot_order,
    attrs={"count": SIZE},
    kernel=householder.pivot_order,
    batch=leading,
    samples=lambda: [
        Sample((np.array([2, 2, 3], np.int32),), {"count": 3}),
        Sample((np.array([[1, 3], [2, 2]]),), {"count": 4}),
    ],
    doc="The order of rows after each was exchanged with its pivot, which counts from 1.",
)


def _infer_lu(x: TensorType) -> tuple[TensorType, TensorType]:
    need_matrices("lu", x, complex=True)
    return x, x.with_shape(x.shape[:-1]).with_dtype(real_dtype(x.dtype))


def _kernel_lu(x: Array, out: Any = None, scratch: Array | None = None) -> Any:
    """Machine code, as in programs, so that the factors are the same there; else NumPy."""
    found = None if np.iscomplexobj(x) else attempt_elimination(FACTOR, x, out)
    if found is not None:
        return found
    packed, order = householder.lu(x)
    order = order.astype(packed.real.dtype)
    for target, part in zip(out or (), (packed, order), strict=False):
        np.copyto(target, part)
    return out or (packed, order)


def _vjp_lu(x: Any, out: tuple[Any, Any], dout: tuple[Any, Any]) -> Any:
    """The rows of x in order are L @ U: first their derivative is found, and then put back in the order of x.

    Beyond their square parts, the rows of L are rows @ U⁻¹, and the columns of U are L⁻¹ @ columns."""
    rows, columns = _known("lu", x)
    if x.dtype.is_complex:
        return NoDerivative("lu: no derivative is known for complex matrices")
    (packed, order), (dpacked, _), least = out, dout, min(rows, columns)
    if dpacked is None:
        return None
    down, right = x.rank - 2, x.rank - 1
    wide, axis = columns > rows, down if rows > columns else right
    first, dfirst = (slice_axis(each, axis, 0, least) for each in (packed, dpacked))
    last, dlast = (slice_axis(each, axis, least, max(rows, columns)) for each in (packed, dpacked))
    lower, upper = tril(first, k=-1) + constant(value=np.eye(least, dtype=x.dtype.np)), triu(first, k=0)

    def over_lower(dy: Any) -> Any:
        return solve_triangle(lower, dy, lower=True, transposed=True)

    def over_upper(dy: Any) -> Any:
        return swap_last(solve_triangle(upper, swap_last(dy), lower=False, transposed=False))

    beyond = None
    if wide:
        beyond = over_lower(dlast)
        dfirst = dfirst - tril(matmul(beyond, swap_last(last)), k=-1)
    elif rows > columns:
        beyond = over_upper(dlast)
        dfirst = dfirst - triu(matmul(swap_last(last), beyond), k=0)
    inner = tril(matmul(swap_last(lower), tril(dfirst, k=-1)), k=-1)
    inner = inner + triu(matmul(triu(dfirst, k=0), swap_last(upper)), k=0)
    dx = over_upper(over_lower(inner))
    if beyond is not None:
        dx = concatenate(dx, beyond, axis=axis)
    places = insert_axes(argsort(order, axis=order.rank - 1, descending=False, dtype=dtypes.int64), (right,))
    return take_along(dx, broadcast_to(places, shape=x.shape), axis=down)


def _lu_samples() -> list[Sample]:
    square = well_conditioned(3)[[2, 0, 1]]
    return [
        Sample((square,)),
        Sample((well_conditioned(3, 2),)),
        Sample((well_conditioned(5)[::-1, :2].copy(),)),
        Sample((well_conditioned(5, 2)[:, [1, 0], :3],)),
        Sample((square * (1 + 1j),), gradient=False),
    ]


lu: Op = Op(
    "lu",
    infer=_infer_lu,
    kernel=_kernel_lu,
    emit=emit_elimination(always(FACTOR)),
    scratch=scratch_of(always(FACTOR)),
    c_order=True,
    vjp=_vjp_lu,
    batch=leading,
    samples=_lu_samples,
    doc="L, without its diagonal of ones, and U in one matrix; and the order of rows, as floats: x[order] is L @ U.",
)


def _infer_exchanges(order: TensorType, *, count: int) -> TensorType:
    if not order.dtype.is_integer:
        raise TypeError(f"an order of rows should be integers, but got {order.dtype}")
    if order.rank < 1:
        raise ValueError("an order of rows should be a vector, but got a number")
    return order.with_shape((*order.shape[:-1], count)).with_dtype(dtypes.int32)


exchanges: Op = Op(
    "exchanges",
    infer=_infer_exchanges,
    attrs={"count": SIZE},
    kernel=householder.exchanges,
    batch=leading,
    samples=lambda: [
        Sample((np.array([2, 0, 1]),), {"count": 3}),
        Sample((np.array([[1, 0, 2], [0, 2, 1]], np.int32),), {"count": 2}),
    ],
    doc="With which row each of the first rows is exchanged in turn, counted from 0, for an order of rows.",
)
