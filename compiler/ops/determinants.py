"""Determinants of square matrices, in stacks, and their adjugates; derivatives after Giles (2008)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..ir.op import Op, Sample
from ..ir.types import TensorType
from .arithmetic import absolute, sign
from .batching import leading
from .composite import vjp_by
from .elementwise import log
from .infer import check_like
from .linalg import matmul, swap_last
from .reduction import prod, sum as sum_
from .samples import pair
from .shape import drop_axes, insert_axes
from .slicing import slice_axis
from .solving import (
    always,
    emit_elimination,
    inverse,
    need_matrices,
    of_linalg,
    scratch_of,
    sizes_of,
    square_samples,
    square_type,
    well_conditioned,
)

Array = np.ndarray


def _infer_determinant(x: TensorType) -> TensorType:
    need_matrices("determinant", x, square=True, complex=True)
    return x.with_shape(x.shape[:-2])


def _infer_slogdet(x: TensorType) -> tuple[TensorType, TensorType]:
    need_matrices("slogdet", x, square=True, complex=True)
    return x.with_shape(x.shape[:-2]), x.with_shape(x.shape[:-2])


def _spread(x: Any) -> Any:
    """The symbol of one number for each matrix, in a shape that broadcasts with the matrices."""
    return insert_axes(x, (x.rank, x.rank + 1))


def _kernel_pivots(x: Array, out: Array | None = None, scratch: Array | None = None) -> Array:
    """NumPy gives no pivots: equal ones of the same product."""
    if out is None:
        out = np.empty(x.shape[:-1], x.dtype)
    if x.size:
        sign, logarithm = np.linalg.slogdet(x)
        out[...] = np.exp(logarithm / x.shape[-1])[..., None]
        out[..., 0] *= sign
    return out


pivots: Op = Op(
    "pivots",
    infer=lambda x: _infer_determinant(x).with_shape(x.shape[:-1]),
    kernel=_kernel_pivots,
    emit=emit_elimination(always("pivots")),
    scratch=scratch_of(always("pivots")),
    c_order=True,
    batch=leading,
    samples=lambda: [replace(sample, gradient=False) for sample in square_samples()],
    internal=True,
    doc="Numbers whose product is the determinant of a square matrix.",
)


def _kernel_slogdet(x: Array) -> tuple[Array, Array]:
    """Of a matrix with nan both are nan; NumPy's sign would depend on its pivots."""
    sign, logarithm = np.linalg.slogdet(x)
    return np.where(np.isnan(logarithm), logarithm, sign).astype(x.dtype), logarithm.astype(x.dtype)


def _by_pivots(x: Any) -> tuple[Any, Any] | None:
    """slogdet by one call for the pivots, and a kernel."""
    if sizes_of([x.type], "pivots", False) is None:
        return None
    values, axis = pivots(x), (x.rank - 2,)
    return prod(sign(values), axis=axis, keepdims=False), sum_(log(absolute(values)), axis=axis, keepdims=False)


def _by_minors(x: Any) -> Any:
    """Determinants of up to three rows as sums of products: for kernels."""
    if None in x.shape or not x.dtype.is_float or not 1 <= x.shape[-1] <= 3 or 0 in x.shape:
        return None

    def item(row: int, column: int) -> Any:
        return drop_axes(slice_axis(slice_axis(x, -2, row, row + 1), -1, column, column + 1), (x.rank - 2, x.rank - 1))

    a, *others = [[item(row, column) for column in range(x.shape[-1])] for row in range(x.shape[-1])]
    if not others:
        return a[0] * 1.0
    b = others[0]
    if len(a) == 2:
        return a[0] * b[1] - a[1] * b[0]
    c = others[1]
    minors = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]]
    return a[0] * minors[0] + a[1] * minors[1] + a[2] * minors[2]


def _by_singular_values(x: Array) -> tuple[Array, Array, Array, Array]:
    """The conjugates of U and Vᴴ, the singular values, and the determinant of U Vᴴ; nan where x is not finite."""
    finite = np.isfinite(x).all((-2, -1), keepdims=True)
    u, values, v = np.linalg.svd(np.where(finite, x, np.eye(x.shape[-1])))
    signs = (np.linalg.det(u) * np.linalg.det(v))[..., None, None]
    return u.conj(), v.conj(), values, np.where(finite, signs, np.nan)


def _kernel_adjugate(x: Array, out: Array | None = None, scratch: Array | None = None) -> Array:
    """Each column is multiplied with the singular values of the others."""
    u, v, values, signs = _by_singular_values(x)
    others = np.where(np.eye(x.shape[-1], dtype=bool), 1, values[..., None, :]).prod(axis=-1)[..., None, :]
    result = out if out is not None else np.empty_like(x)
    result[...] = (np.swapaxes(v, -1, -2) * signs * others) @ np.swapaxes(u, -1, -2)
    return result


def _slope_by_inverse(x: Any, dout: Any) -> Any:
    found, turned = adjugate(x), swap_last(inverse(x, or_nan=True))
    trace = sum_(dout * found, axis=(x.rank - 2, x.rank - 1), keepdims=True)
    return trace * turned - matmul(matmul(swap_last(found), dout), turned)


def _kernel_slope(x: Array, dout: Array) -> Array:
    """The adjugate of a diagonal matrix changes by products of all but two of its numbers."""
    u, v, values, signs = _by_singular_values(x)
    some = np.eye(x.shape[-1], dtype=bool)
    others = np.where(some | some[:, None], 1, values[..., None, None, :]).prod(axis=-1) * ~some
    inner = v @ dout @ u
    sides = (others @ np.diagonal(inner, axis1=-2, axis2=-1)[..., None]) * some
    return np.asarray(u @ ((sides - others * inner) * signs) @ v, x.dtype)


def _infer_slope(x: TensorType, dout: TensorType) -> TensorType:
    check_like("adjugate_slope", x, dout)
    return square_type("adjugate", complex=True)(x)


adjugate_slope: Op = Op(
    "adjugate_slope",
    infer=_infer_slope,
    kernel=_kernel_slope,
    vjp=vjp_by(_slope_by_inverse),
    batch=leading,
    samples=lambda: [Sample((well_conditioned(3), *pair((3, 3)))), Sample((well_conditioned(2, 2), *pair((2, 2, 2))))],
    internal=True,
    doc="What a cotangent of adjugates is for the matrices.",
)
adjugate: Op = Op(
    "adjugate",
    infer=square_type("adjugate", complex=True),
    kernel=_kernel_adjugate,
    emit=emit_elimination(always("adjugate")),
    scratch=scratch_of(always("adjugate")),
    c_order=True,
    vjp=lambda x, out, dout: adjugate_slope(x, dout),
    batch=leading,
    samples=square_samples,
    internal=True,
    doc="The transposed cofactors of square matrices: inverses times determinants, also where there is no inverse.",
)


determinant: Op = Op(
    "determinant",
    infer=_infer_determinant,
    kernel=of_linalg("determinant", np.linalg.det),
    emit=emit_elimination(always("determinant")),
    scratch=scratch_of(always("determinant")),
    c_order=True,
    native_definition=_by_minors,
    vjp=lambda x, out, dout: _spread(dout) * swap_last(adjugate(x)),
    batch=leading,
    samples=square_samples,
    doc="The determinants of square matrices.",
)
slogdet: Op = Op(
    "slogdet",
    infer=_infer_slogdet,
    kernel=_kernel_slogdet,
    native_definition=_by_pivots,
    vjp=lambda x, out, dout: None if dout[1] is None else _spread(dout[1]) * swap_last(inverse(x, or_nan=True)),
    batch=leading,
    samples=square_samples,
    doc="The signs of the determinants of square matrices, and the logarithms of their absolute values.",
)
