"""Factorizations of matrices, in stacks; derivatives after Giles (2008)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.machine.elimination_sizes import TURNED
from ..ir.attributes import FLAG, optional
from ..ir.op import Op, Sample
from ..ir.types import Dimension, TensorType, UnknownShapeError
from .arithmetic import maximum
from .batching import leading
from .comparison import greater, select
from .composite import kernel_by
from .conversion import cast
from .creation import constant, zeros_as
from .diagonals import tril
from .infer import same_dtype
from .joining import concatenate
from .linalg import matmul, swap_last
from .shape import insert_axes
from .slicing import slice_axis
from .solving import (
    always,
    attempt_elimination,
    emit_elimination,
    halves,
    inverse,
    is_halved,
    need_matrices,
    of_linalg,
    of_ufunc,
    scratch_of,
    solve,
    solve_triangle,
    square_type,
    well_conditioned,
)

Array = np.ndarray
LARGE = 256  # rows of a matrix that is factored in halves, in the precision of its products


def _symmetric(x: Array) -> Array:
    total = x + x.swapaxes(-1, -2)
    total *= 0.5
    return total


def _symmetric_samples() -> list[Sample]:
    return [Sample((_symmetric(well_conditioned(3)),)), Sample((_symmetric(well_conditioned(2, 2)),))]


def symmetrize(x: Any) -> Any:
    """The symbol of the symmetric parts of matrices."""
    return (x + swap_last(x)) * 0.5


def _identity(x: Any) -> Any:
    """A mask of the diagonals of matrices, for symbols x of known size there."""
    size = x.shape[-1]
    if size is None:
        raise UnknownShapeError(f"the gradient of a factorization needs matrices of known size, but got {x.type}")
    return constant(value=np.eye(size, dtype=np.bool_))


_cholesky = of_ufunc("cholesky", np.linalg.cholesky, "cholesky_lo")


def _vjp_cholesky(x: Any, out: Any, dout: Any) -> Any:
    inner = matmul(swap_last(out), dout)
    size = x.shape[-1]
    if size is None:
        inner = (tril(inner, k=0) + tril(inner, k=-1)) * 0.5
    else:  # the same in a kernel
        lower = np.tri(size, dtype=np.bool_)
        half = (lower - 0.5 * np.eye(size)).astype(x.dtype.np)
        inner = select(constant(value=lower), inner * constant(value=half), 0)
    if is_halved(out, size):
        inner = solve_triangle(out, inner, lower=True, transposed=True)
        return symmetrize(solve_triangle(out, swap_last(inner), lower=True, transposed=True))
    inverted = inverse(out) if size is None else solve_triangle(out, _eye(out, size), lower=True, transposed=False)
    return symmetrize(matmul(matmul(swap_last(inverted), inner), inverted))


def _cholesky_by_halves(x: Any) -> Any:
    """The factor of one half, of what is beside it, and of the rest of the other half."""
    if x.shape[-1] is None or x.shape[-1] < LARGE or x.dtype is not dtypes.float32:
        return None
    first, above, below, second = halves(x, -2, -1)
    factor = cholesky(first)
    beside = solve_triangle(factor, (above + swap_last(below)) * 0.5, lower=True, transposed=False)
    turned = swap_last(beside)
    rest = cholesky(second - matmul(turned, beside))
    rows = concatenate(factor, zeros_as(beside), axis=x.rank - 1), concatenate(turned, rest, axis=x.rank - 1)
    return concatenate(*rows, axis=x.rank - 2)


def _eye(like: Any, size: int) -> Any:
    """The symbol of identity matrices."""
    one = constant(value=np.eye(size, dtype=like.dtype.np))
    return one if like.rank == 2 else zeros_as(like) + one


cholesky: Op = Op(
    "cholesky",
    infer=square_type("cholesky"),
    kernel=lambda x, out=None, scratch=None: _cholesky(_symmetric(x), out=out),
    emit=emit_elimination(always("cholesky")),
    native_definition=_cholesky_by_halves,
    scratch=scratch_of(always("cholesky")),
    c_order=True,
    vjp=_vjp_cholesky,
    batch=leading,
    samples=_symmetric_samples,
    doc="The lower triangular L for which L @ Lᵀ is the (symmetric part of the) positive definite matrix.",
)


def _infer_eigh(x: TensorType) -> tuple[TensorType, TensorType]:
    need_matrices("eigh", x, square=True)
    return x.with_shape(x.shape[:-1]), x


def _gaps(values: Any) -> Any:
    """The symbol of 1 / (values[j] - values[i]), 0 on the diagonal."""
    differences = insert_axes(values, (values.rank - 1,)) - insert_axes(values, (values.rank,))
    same = _identity(differences)
    return select(same, 0, 1 / select(same, 1, differences))


def _on_diagonal(values: Any) -> Any:
    """The symbol of matrices with these numbers on their diagonals."""
    column = insert_axes(values, (values.rank,))
    return select(_identity(insert_axes(values, (values.rank - 1,))), column, 0)


def _vjp_eigh(x: Any, out: tuple[Any, Any], dout: tuple[Any, Any], **attrs: bool) -> Any:
    (values, vectors), (dvalues, dvectors) = out, dout
    inner = None
    if dvalues is not None:
        inner = _on_diagonal(dvalues)
    if dvectors is not None:
        turning = _gaps(values) * matmul(swap_last(vectors), dvectors)
        inner = turning if inner is None else inner + turning
    return symmetrize(matmul(matmul(vectors, inner), swap_last(vectors)))


_eigh = of_ufunc("eigh", np.linalg.eigh, "eigh_lo", (0, 1))
_eigvalsh = of_ufunc("eigh", np.linalg.eigvalsh, "eigvalsh_lo")


def _by_rotations(kind: str, function: Any, general: bool = False) -> Any:
    """The kernel of an op: machine code, as in programs, so that vectors have the same signs there; else a function of
    NumPy, for symmetric parts unless the matrices are `symmetric`."""

    def run(x: Array, symmetric: bool = general, out: Any = None, scratch: Array | None = None) -> Any:
        found = attempt_elimination(kind, x, out) if x.shape[-1] <= TURNED else None
        return function(x if symmetric else _symmetric(x), out=out) if found is None else found

    return run


eigenvalues: Op = Op(
    "eigenvalues",
    attrs={"symmetric": optional(FLAG)},
    infer=lambda x, **attrs: _infer_eigh(x)[0],
    kernel=_by_rotations("eigenvalues", _eigvalsh),
    emit=emit_elimination(always("eigenvalues")),
    scratch=scratch_of(always("eigenvalues")),
    c_order=True,
    native_definition=lambda x, symmetric=False: None if symmetric else eigenvalues(symmetrize(x), symmetric=True),
    batch=leading,
    samples=lambda: [replace(sample, gradient=False) for sample in _symmetric_samples()],
    internal=True,
    doc="Eigenvalues, in ascending order, of (the symmetric parts of) square matrices.",
)
eigh: Op = Op(
    "eigh",
    attrs={"symmetric": optional(FLAG)},  # x is known to be so
    alone=eigenvalues,
    infer=lambda x, **attrs: _infer_eigh(x),
    kernel=_by_rotations("eigen", _eigh),
    emit=emit_elimination(always("eigen")),
    scratch=scratch_of(always("eigen")),
    c_order=True,
    native_definition=lambda x, symmetric=False: None if symmetric else eigh(symmetrize(x), symmetric=True),
    vjp=_vjp_eigh,
    batch=leading,
    samples=_symmetric_samples,
    doc="Eigenvalues, in ascending order, and eigenvectors, in columns, of (the symmetric parts of) square matrices.",
)


def _any_samples() -> list[Sample]:
    matrices = (well_conditioned(3), well_conditioned(4)[:, :2], well_conditioned(3, 2)[:, :2])
    return [Sample((each,)) for each in matrices]


def _smaller(x: TensorType) -> Dimension:
    rows, columns = x.shape[-2:]
    return None if rows is None or columns is None else min(rows, columns)


def _infer_svd(x: TensorType) -> tuple[TensorType, ...]:
    need_matrices("svd", x)
    count, lead = _smaller(x), x.shape[:-2]
    shapes = ((*lead, count), (*lead, x.shape[-2], count), (*lead, count, x.shape[-1]))
    return tuple(map(x.with_shape, shapes))


def _vjp_svd(x: Any, out: tuple[Any, ...], dout: tuple[Any, ...]) -> Any:
    (s, u, vt), (ds, du, dvt) = out, dout
    column, row = insert_axes(s, (s.rank,)), insert_axes(s, (s.rank - 1,))
    inner = _on_diagonal(ds) if ds is not None else None
    outside = None
    if du is not None:
        turned = _gaps(s * s) * matmul(swap_last(u), du)
        part = (turned + swap_last(turned)) * row
        inner = part if inner is None else inner + part
        if x.shape[-2] != s.shape[-1]:
            beyond = du / row
            outside = matmul(beyond - matmul(u, matmul(swap_last(u), beyond)), vt)
    if dvt is not None:
        turned = _gaps(s * s) * matmul(vt, swap_last(dvt))
        part = (turned + swap_last(turned)) * column
        inner = part if inner is None else inner + part
        if x.shape[-1] != s.shape[-1]:
            beyond = dvt / column
            part = matmul(u, beyond - matmul(matmul(beyond, swap_last(vt)), vt))
            outside = part if outside is None else outside + part
    result = matmul(matmul(u, inner), vt)
    return result if outside is None else result + outside


def _of_triangle(x: Any) -> Any:
    """The singular values of matrices that are not square: those of R, where machine code finds them."""
    rows, columns = x.shape[-2:]
    if rows is None or columns is None or rows == columns or not 0 < min(rows, columns) <= TURNED:
        return None
    return singular_values(triangular_factor(x if rows > columns else swap_last(x)))


singular_values: Op = Op(
    "singular_values",
    infer=lambda x: _infer_svd(x)[0],
    kernel=_by_rotations(
        "singular_values",
        of_ufunc("svd", lambda x: np.linalg.svd(x, compute_uv=False), "svd", finite=True),
        general=True,
    ),
    emit=emit_elimination(always("singular_values")),
    scratch=scratch_of(always("singular_values")),
    c_order=True,
    native_definition=_of_triangle,
    batch=leading,
    samples=lambda: [replace(sample, gradient=False) for sample in _any_samples()],
    internal=True,
    doc="The singular values of matrices, in descending order.",
)
svd: Op = Op(
    "svd",
    alone=singular_values,
    infer=_infer_svd,
    kernel=_by_rotations(
        "svd", of_ufunc("svd", lambda x: np.linalg.svd(x, full_matrices=False), "svd_s", (1, 0, 2), True), general=True
    ),
    emit=emit_elimination(always("svd")),
    scratch=scratch_of(always("svd")),
    c_order=True,
    vjp=_vjp_svd,
    batch=leading,
    samples=_any_samples,
    doc="The singular values in descending order, U and Vᵀ, as many as the smaller dimension: x is U·diag(s)·Vᵀ.",
)


def _pseudo_inverse(x: Any, relative: Any, absolute: Any) -> Any:
    values, u, vt = svd(x)
    large = greater(values, maximum(slice_axis(values, values.rank - 1, 0, 1) * relative, absolute))
    inverted = select(large, 1 / select(large, values, 1), 0)
    return matmul(swap_last(vt) * insert_axes(inverted, (inverted.rank - 1,)), swap_last(u))


def _vjp_pseudo_inverse(x: Any, relative: Any, absolute: Any, out: Any, dout: Any) -> Any:
    """After Golub and Pereyra (1973), for matrices of constant rank; also where singular values are equal."""
    turned, dturned = swap_last(out), swap_last(dout)
    right = matmul(dturned, matmul(out, turned))
    left = matmul(turned, matmul(out, dturned))
    right, left = right - matmul(x, matmul(out, right)), left - matmul(matmul(left, out), x)
    return right + left - matmul(matmul(turned, dout), turned), None, None


def _infer_pseudo_inverse(x: TensorType, relative: TensorType, absolute: TensorType) -> TensorType:
    need_matrices("pinv", x)
    same_dtype(x, relative, absolute)
    return x.with_shape((*x.shape[:-2], x.shape[-1], x.shape[-2]))


pseudo_inverse: Op = Op(
    "pseudo_inverse",
    infer=_infer_pseudo_inverse,
    kernel=kernel_by(_pseudo_inverse),
    native_definition=_pseudo_inverse,
    vjp=_vjp_pseudo_inverse,
    batch=lambda batch, x, *bounds: NotImplemented if any(batch.mapped[1:]) else pseudo_inverse(x, *bounds),
    samples=lambda: [replace(sample, inputs=(*sample.inputs, 1e-6, 0.0)) for sample in _any_samples()],
    doc="The pseudo-inverses of matrices. Singular values count as zero up to a part of the largest, or a number.",
)


def _infer_qr(x: TensorType) -> tuple[TensorType, TensorType]:
    need_matrices("qr", x)
    count, lead = _smaller(x), x.shape[:-2]
    return x.with_shape((*lead, count, x.shape[-1])), x.with_shape((*lead, x.shape[-2], count))


def _vjp_qr(x: Any, out: tuple[Any, Any], dout: tuple[Any, Any]) -> Any:
    rows, columns = x.shape[-2:]
    if rows is None or columns is None:
        raise UnknownShapeError(f"the gradient of qr needs matrices of known size, but got {x.type}")
    (r, q), (dr, dq) = out, dout
    rest = None
    if columns > rows:  # x is (X, Y) and r is (U, V): X is q @ U, and V is qᵀ @ Y
        axis = x.rank - 1
        if dr is not None:
            beyond = slice_axis(dr, axis, rows, columns)
            rest = matmul(q, beyond)
            dq = _plus(matmul(slice_axis(x, axis, rows, columns), swap_last(beyond)), dq)
            dr = slice_axis(dr, axis, 0, rows)
        else:
            rest = zeros_as(slice_axis(x, axis, rows, columns))
        r = slice_axis(r, axis, 0, rows)
    inner = None if dr is None else matmul(r, swap_last(dr))
    if dq is not None:
        inner = _plus(-matmul(swap_last(dq), q), inner)
    inner = tril(inner, k=0) + swap_last(tril(inner, k=-1))
    # (dq + q @ inner) @ r⁻ᵀ
    sides = swap_last(_plus(matmul(q, inner), dq))
    result = swap_last(solve_triangle(r, sides, lower=False, transposed=False))
    return result if rest is None else concatenate(result, rest, axis=x.rank - 1)


def _plus(x: Any, y: Any) -> Any:
    """A sum; None is zero."""
    return x if y is None else x + y


def _by_reflections(kind: str, function: Any) -> Any:
    """The kernel of an op: machine code, as in programs, which is sooner; else a function of NumPy."""

    def run(x: Array, out: Any = None, scratch: Array | None = None) -> Any:
        found = attempt_elimination(kind, x, out)
        return function(x, out=out) if found is None else found

    return run


triangular_factor: Op = Op(
    "triangular_factor",
    infer=lambda x: _infer_qr(x)[0],
    kernel=_by_reflections("triangular", of_ufunc("qr", lambda x: np.linalg.qr(x, mode="r"))),
    emit=emit_elimination(always("triangular")),
    scratch=scratch_of(always("triangular")),
    c_order=True,
    batch=leading,
    samples=lambda: [replace(sample, gradient=False) for sample in _any_samples()],
    internal=True,
    doc="The upper triangular R of QR factorizations.",
)
qr_factors: Op = Op(
    "qr_factors",
    alone=triangular_factor,
    infer=_infer_qr,
    kernel=_by_reflections("qr", of_ufunc("qr", np.linalg.qr, places=(1, 0))),
    emit=emit_elimination(always("qr")),
    scratch=scratch_of(always("qr")),
    c_order=True,
    vjp=_vjp_qr,
    batch=leading,
    samples=_any_samples,
    doc="The upper triangular R and Q with orthonormal columns, as many as the smaller dimension, with x = Q @ R.",
)


def _infer_complement(x: TensorType) -> TensorType:
    need_matrices("complement", x)
    rows, columns = x.shape[-2:]
    return x.with_shape((*x.shape[:-1], None if rows is None or columns is None else rows - columns))


complement: Op = Op(
    "complement",
    infer=_infer_complement,
    kernel=_by_reflections(
        "complement",
        of_linalg("complement", lambda x: np.linalg.qr(x, mode="complete")[0][..., x.shape[-1] :].copy()),
    ),
    emit=emit_elimination(always("complement")),
    scratch=scratch_of(always("complement")),
    c_order=True,
    batch=leading,
    samples=lambda: [Sample((well_conditioned(4)[:, :2],)), Sample((well_conditioned(3, 2)[:, :, :1],))],
    doc="Orthonormal columns that make a square matrix of one with orthonormal columns; any will do: no derivative.",
)


_COMPLEX = {
    dtypes.float32: dtypes.complex64,
    dtypes.float64: dtypes.complex128,
    dtypes.complex64: dtypes.complex64,
    dtypes.complex128: dtypes.complex128,
}


def _infer_eig(x: TensorType) -> tuple[TensorType, TensorType]:
    need_matrices("eig", x, square=True, complex=True)
    return TensorType(_COMPLEX[x.dtype], x.shape[:-1]), TensorType(_COMPLEX[x.dtype], x.shape)


def _complex(function: Any) -> Any:
    """A function of NumPy, with complex results in any case: NumPy's are real where all imaginary parts are zero."""

    def run(x: Array) -> Any:
        dtype, found = np.result_type(x.dtype, np.complex64), function(x)
        return tuple(part.astype(dtype) for part in found) if isinstance(found, tuple) else found.astype(dtype)

    return run


def _vjp_eig(x: Any, out: tuple[Any, Any], dout: tuple[Any, Any]) -> Any:
    vectors, (dvalues, dvectors) = out[1], dout
    if dvectors is not None:
        raise ValueError("eig: eigenvectors are determined up to a factor, and have no derivative; eigenvalues have")
    if dvalues is None:
        return None
    turned = swap_last(vectors)
    result = solve(turned, insert_axes(dvalues, (dvalues.rank,)) * turned)
    return cast(result, dtype=x.dtype)


def _eig_samples() -> list[Sample]:
    return [Sample((x,), gradient=False) for x in (well_conditioned(3), well_conditioned(2, 2) * (1 + 1j))]


eigvals: Op = Op(
    "eigvals",
    infer=lambda x: _infer_eig(x)[0],
    kernel=of_ufunc("eig", _complex(np.linalg.eigvals), "eigvals", finite=True),
    batch=leading,
    samples=_eig_samples,
    internal=True,
    doc="Eigenvalues, complex, of square matrices.",
)
eig: Op = Op(
    "eig",
    alone=eigvals,
    infer=_infer_eig,
    kernel=of_ufunc("eig", _complex(np.linalg.eig), "eig", (0, 1), finite=True),
    vjp=_vjp_eig,
    batch=leading,
    samples=_eig_samples,
    doc="Eigenvalues and eigenvectors, in columns, of square matrices, complex; the eigenvalues are differentiable.",
)
