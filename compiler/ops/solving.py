"""Inverses, solutions and determinants of square matrices, in stacks; derivatives after Giles (2008)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...runtime.kernels.products import DTYPES
from ...runtime.machine.small_sizes import takes_square
from ..ir.code import Code
from ..ir.graph import Node
from ..ir.op import Op, Sample
from ..ir.rules import Batch
from ..ir.types import TensorType, broadcast_shapes, show_shape
from .batching import leading
from .infer import same_dtype
from .linalg import attempt_small, matmul, swap_last
from .samples import pair
from .shape import insert_axes

Array = np.ndarray


def need_matrices(what: str, x: TensorType, square: bool = False, complex: bool = False) -> None:
    """Raise TypeError or ValueError unless x holds (square) matrices of float32, float64 or complex numbers."""
    if not (x.dtype.is_float and x.dtype.bits >= 32) and not (complex and x.dtype.is_complex):
        raise TypeError(f"{what}: matrices should be Float32 or Float64, but got {x.dtype}")
    if x.rank < 2:
        raise ValueError(f"{what}: a tensor of at least two dimensions is needed, but got shape {show_shape(x.shape)}")
    rows, columns = x.shape[-2:]
    if square and None not in (rows, columns) and rows != columns:
        raise ValueError(f"{what}: matrices should be square, but got shape {show_shape(x.shape)}")


def of_linalg(what: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of numpy.linalg, with errors that name the operation."""

    def run(*arrays: Array, out: Array | None = None) -> Any:
        try:
            result = function(*arrays)
        except np.linalg.LinAlgError as error:
            raise ValueError(f"{what}: {str(error).lower()}") from None
        if out is None:
            return result
        np.copyto(out, result)
        return out

    return run


def for_one(what: str, function: Callable[..., Any], ufunc: str) -> Callable[..., Any]:
    """As `of_linalg`; for single matrices the ufunc below numpy.linalg, which takes a quarter of the time of a call.

    It gives nan where it fails. Then numpy.linalg finds the error, if it is one.
    """
    whole, quick = of_linalg(what, function), getattr(getattr(np.linalg, "_umath_linalg", None), ufunc, None)

    def run(*arrays: Array, out: Array | None = None) -> Any:
        if quick is not None and all(array.ndim == 2 and array.size for array in arrays):
            result = quick(*arrays, out=out)
            first = result.item(0)
            if first == first:  # no nan
                return result
        return whole(*arrays, out=out)

    return run


def emit_small(what: str) -> Callable[..., Code | None]:
    """The code template of a function of small square matrices, and right-hand sides."""

    def emit(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
        types = [operand.type for operand in node.inputs]
        if out is None or not all(type.is_static for type in types) or types[0].dtype.np.name not in DTYPES:
            return None
        if not takes_square(*[type.static_shape for type in types]):
            return None
        return attempt_small(what, node, arguments, out)

    return emit


def well_conditioned(size: int, *lead: int, seed: int = 0) -> Array:
    """Sample matrices far from singular, with distinct eigenvalues."""
    noise = np.random.default_rng(seed).uniform(-0.5, 0.5, (*lead, size, size))
    return noise + np.diag(1.5 + np.arange(size))


def square_type(what: str, complex: bool = False) -> Callable[[TensorType], TensorType]:
    def infer(x: TensorType) -> TensorType:
        need_matrices(what, x, square=True, complex=complex)
        return x

    return infer


def square_samples() -> list[Sample]:
    return [Sample((well_conditioned(3),)), Sample((well_conditioned(2, 2),)), Sample((well_conditioned(1),))]


# Solving


def _vjp_inverse(x: Any, out: Any, dout: Any) -> Any:
    turned = swap_last(out)
    return -matmul(matmul(turned, dout), turned)


inverse: Op = Op(
    "inverse",
    infer=square_type("inverse", complex=True),
    kernel=for_one("inverse", np.linalg.inv, "inv"),
    emit=emit_small("inverse"),
    vjp=_vjp_inverse,
    batch=leading,
    samples=square_samples,
    doc="The inverses of square matrices.",
)


def _infer_solve(a: TensorType, b: TensorType) -> TensorType:
    need_matrices("solve", a, square=True, complex=True)
    need_matrices("solve", b, complex=True)
    same_dtype(a, b)
    if None not in (a.shape[-1], b.shape[-2]) and a.shape[-1] != b.shape[-2]:
        raise ValueError(
            f"solve: matrices of shape {show_shape(a.shape)} do not fit right-hand sides of shape {show_shape(b.shape)}"
        )
    return a.with_shape((*broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-1], b.shape[-1]))


def _vjp_solve(a: Any, b: Any, out: Any, dout: Any) -> tuple[Any, Any]:
    db = solve(swap_last(a), dout)
    return -matmul(db, swap_last(out)), db


def _batch_solve(batch: Batch, a: Any, b: Any) -> Any:
    return solve(*batch.aligned((a, b)))


solve: Op = Op(
    "solve",
    infer=_infer_solve,
    kernel=for_one("solve", np.linalg.solve, "solve"),
    emit=emit_small("solve"),
    vjp=_vjp_solve,
    batch=_batch_solve,
    samples=lambda: [
        Sample((well_conditioned(3), *pair((3, 2)))),
        Sample((well_conditioned(2, 2), *pair((2, 2, 1)))),
        Sample((well_conditioned(2), *pair((3, 2, 2)))),
    ],
    doc="The x for which a @ x is b, for square matrices a and right-hand sides b in columns.",
)


# Determinants


def _infer_determinant(x: TensorType) -> TensorType:
    need_matrices("determinant", x, square=True, complex=True)
    return x.with_shape(x.shape[:-2])


def _infer_slogdet(x: TensorType) -> tuple[TensorType, TensorType]:
    need_matrices("slogdet", x, square=True, complex=True)
    return x.with_shape(x.shape[:-2]), x.with_shape(x.shape[:-2])


def _spread(x: Any) -> Any:
    """The symbol of one number for each matrix, in a shape that broadcasts with the matrices."""
    return insert_axes(x, (x.rank, x.rank + 1))


determinant: Op = Op(
    "determinant",
    infer=_infer_determinant,
    kernel=of_linalg("determinant", np.linalg.det),
    vjp=lambda x, out, dout: _spread(dout * out) * swap_last(inverse(x)),
    batch=leading,
    samples=square_samples,
    doc="The determinants of square matrices; differentiable where they are not singular.",
)
slogdet: Op = Op(
    "slogdet",
    infer=_infer_slogdet,
    kernel=lambda x: tuple(part.astype(x.dtype) for part in np.linalg.slogdet(x)),
    vjp=lambda x, out, dout: None if dout[1] is None else _spread(dout[1]) * swap_last(inverse(x)),
    batch=leading,
    samples=square_samples,
    doc="The signs of the determinants of square matrices, and the logarithms of their absolute values.",
)
