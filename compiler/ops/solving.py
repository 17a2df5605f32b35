"""Inverses and solutions of square matrices, in stacks; derivatives after Giles (2008)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...runtime.dtypes import float32, float64
from ...runtime.kernels.products import DTYPES
from ...runtime.machine.array_functions import compile_elimination
from ...runtime.machine.elimination_sizes import NUMBER, EliminationSizes, elimination_sizes
from ...runtime.machine.product import vector_bytes
from ...runtime.machine.sizes import SIZE, takes_square
from ..ir.attributes import FLAG, optional
from ..ir.code import Attempt, Code, MadeFunction
from ..ir.graph import Node
from ..ir.op import Op, Sample
from ..ir.rules import Batch
from ..ir.types import TensorType, broadcast_shapes, show_shape
from .batching import leading
from .conversion import cast
from .diagonals import tril, triu
from .infer import same_dtype
from .joining import concatenate
from .linalg import attempt_small, matmul, swap_last
from .samples import pair
from .slicing import slice_axis

Array = np.ndarray
Kind = Callable[[Mapping[str, Any]], tuple[str, bool]]
"""The kind of a function of machine code for a node's attributes, and whether it is for transposed matrices."""
SMALL = ("inverse", "solve", "cholesky")
HALVED, SIDES = 128, 32  # rows of a triangle, and right-hand sides, from which on products of halves take less time


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

    def run(*arrays: Array, out: Array | None = None, scratch: Array | None = None) -> Any:
        try:
            result = function(*arrays)
        except np.linalg.LinAlgError as error:
            raise ValueError(f"{what}: {str(error).lower()}") from None
        if out is None:
            return result
        np.copyto(out, result)
        return out

    return run


def all_finite(what: str, x: Array) -> Array:
    """A copy of an array, which nobody changes. ValueError unless all its numbers are finite."""
    own = np.array(x)
    if not np.isfinite(own).all():
        raise ValueError(f"{what}: all numbers should be finite, but some are infinite or nan")
    return own


def of_ufunc(
    what: str, function: Callable[..., Any], ufunc: str = "", places: tuple[int, ...] = (0,), finite: bool = False
) -> Callable[..., Any]:
    """As `of_linalg`, but first a ufunc below numpy.linalg is tried, in the matrices' precision.

    It takes a quarter of the time of a call, and gives nan where it fails. Then the function finds the error, if it is
    one. `places` has the op's results, of which the first one tells that, in the order of the function's; exchanges
    alone. `finite`: whether the function never ends for infinite numbers.
    """
    whole, quick = of_linalg(what, lambda *arrays: _all(function(*arrays))), _below_linalg(ufunc)

    in_order = places == tuple(range(len(places)))

    def run(*arrays: Array, out: Any = None, scratch: Array | None = None) -> Any:
        if finite:
            arrays = (all_finite(what, arrays[0]),)
        given: tuple[Any, ...] = (None,) * len(places) if out is None else _all(out)
        targets = given if in_order else tuple(given[place] for place in places)
        found: tuple[Any, ...] = ()
        total: Any = math.nan
        if quick is not None and 0 not in [array.size for array in arrays]:
            found = _all(quick(*arrays, out=targets))
            first = found[places[0]]
            total = first.item(0) if arrays[0].ndim == 2 else np.add.reduce(first, None)
        if total != total:
            found = whole(*arrays)
            for target, part in zip(targets, found, strict=True):
                if target is not None:
                    np.copyto(target, part)
        if out is not None:
            return out
        ordered = found if in_order else tuple(found[place] for place in places)
        return ordered if len(ordered) > 1 else ordered[0]

    return run


def _below_linalg(name: str) -> Any:
    return getattr(getattr(np.linalg, "_umath_linalg", None), name, None)


def _all(results: Any) -> tuple[Any, ...]:
    if results.__class__ is tuple:
        return results
    return tuple(results) if isinstance(results, tuple) else (results,)


def scratch_of(kind: Kind) -> Callable[..., TensorType | None]:
    """The working memory of a function of machine code (`runtime/machine/array_functions.py`)."""

    def scratch(*types: TensorType, **attrs: Any) -> TensorType | None:
        sizes = sizes_of(types, *kind(attrs))
        return None if sizes is None else TensorType(types[0].dtype, (sizes.room,))

    return scratch


def emit_elimination(kind: Kind) -> Callable[..., Code | None]:
    """The code template of such a function, or of one for a few small matrices."""

    def emit(node: Node, arguments: Sequence[str], *outs: str | None) -> Code | None:
        types, (what, transposed) = [operand.type for operand in node.inputs], kind(node.attrs)
        names = [out for out in outs if out is not None]
        if (
            len(names) < len(outs)
            or not all(type.is_static for type in types)
            or types[0].dtype.numpy_name not in DTYPES
        ):
            return None
        sizes = sizes_of(types, what, transposed)
        if sizes is not None:
            name = f"{what}{'_transposed' * transposed}_{'x'.join(map(str, types[0].static_shape))}"
            made = MadeFunction(compile_elimination, (what, transposed, *sizes), name)
            return Attempt(made, (*arguments, *names), None, with_scratch=True)
        if transposed or what not in SMALL or not takes_square(*[type.static_shape for type in types]):
            return None
        return attempt_small(what, node, arguments, *names)

    return emit


def attempt_elimination(kind: str, x: Array, out: Any) -> Any:
    """The results of such a function; None where there is none, or it finds none."""
    dtype, x = x.dtype.name, np.ascontiguousarray(x)
    sizes = elimination_sizes(vector_bytes() // NUMBER, kind, False, dtype, x.shape) if vector_bytes() else None
    if sizes is None:
        return None
    shapes: list[Any] = [shape[len(sizes.lead) :] for shape in sizes.shapes(kind)[1:]]
    made = [np.empty((*sizes.lead, *shape), x.dtype) for shape in shapes]
    if not compile_elimination(kind, False, *sizes)(x, *made, np.empty(sizes.room, x.dtype)):
        return None
    for target, part in zip(() if out is None else _all(out), made, strict=False):
        np.copyto(target, part)
    return out if out is not None else made[0] if len(made) == 1 else tuple(made)


def sizes_of(types: Sequence[TensorType], kind: str, transposed: bool) -> EliminationSizes | None:
    """The sizes of such a function; None if there is none."""
    if not all(type.is_static for type in types) or not vector_bytes():
        return None
    return elimination_sizes(
        vector_bytes() // NUMBER, kind, transposed, types[0].dtype.numpy_name, *[type.static_shape for type in types]
    )


def always(kind: str) -> Kind:
    """The kind of a function for any attributes."""
    return lambda attrs: (kind, False)


def well_conditioned(size: int, *lead: int) -> Array:
    """Sample matrices far from singular, with distinct eigenvalues."""
    noise = np.random.default_rng(0).uniform(-0.5, 0.5, (*lead, size, size))
    return noise + np.diag(1.5 + np.arange(size))


def square_type(what: str, complex: bool = False) -> Callable[[TensorType], TensorType]:
    """The type rule of functions of square matrices that give matrices of their shape."""

    def infer(x: TensorType, **attrs: bool) -> TensorType:
        need_matrices(what, x, square=True, complex=complex)
        return x

    return infer


def square_samples() -> list[Sample]:
    """Sample square matrices, alone and in a stack."""
    return [Sample((well_conditioned(3),)), Sample((well_conditioned(2, 2),)), Sample((well_conditioned(1),))]


# Solving


def _vjp_inverse(x: Any, out: Any, dout: Any, **attrs: bool) -> Any:
    turned = swap_last(out)
    return -matmul(matmul(turned, dout), turned)


_inverse = of_ufunc("inverse", np.linalg.inv, "inv")


def _kernel_inverse(x: Array, *, or_nan: bool = False, out: Array | None = None, scratch: Array | None = None) -> Array:
    quick = _below_linalg("inv") if or_nan else None
    return _inverse(x, out=out) if quick is None else quick(x, out=out)


inverse: Op = Op(
    "inverse",
    attrs={"or_nan": optional(FLAG)},
    infer=square_type("inverse", complex=True),
    kernel=_kernel_inverse,
    emit=emit_elimination(always("inverse")),
    scratch=scratch_of(always("inverse")),
    c_order=True,
    vjp=_vjp_inverse,
    batch=leading,
    samples=square_samples,
    doc="The inverses of square matrices, or nan for singular ones.",
)


def _infer_solve(a: TensorType, b: TensorType, **attrs: bool) -> TensorType:
    need_matrices("solve", a, square=True, complex=True)
    need_matrices("solve", b, complex=True)
    same_dtype(a, b)
    if None not in (a.shape[-1], b.shape[-2]) and a.shape[-1] != b.shape[-2]:
        raise ValueError(
            f"solve: matrices of shape {show_shape(a.shape)} do not fit right-hand sides of shape {show_shape(b.shape)}"
        )
    return a.with_shape((*broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-1], b.shape[-1]))


_solve = of_ufunc("solve", np.linalg.solve, "solve")


def _kernel_solve(
    a: Array, b: Array, *, transposed: bool = False, out: Array | None = None, scratch: Array | None = None
) -> Array:
    return _solve(np.swapaxes(a, -1, -2) if transposed else a, b, out=out)


def _vjp_solve(a: Any, b: Any, out: Any, dout: Any, *, transposed: bool = False) -> tuple[Any, Any]:
    db = solve(a, dout, transposed=not transposed)
    return -_outer(db, out, transposed), db


def _outer(db: Any, out: Any, transposed: bool) -> Any:
    """The negative cotangent of a matrix that was solved for."""
    return matmul(out, swap_last(db)) if transposed else matmul(db, swap_last(out))


def _batch_solve(batch: Batch, a: Any, b: Any, **attrs: bool) -> Any:
    return solve(*batch.aligned((a, b)), **attrs)


def _solve_samples() -> list[Sample]:
    return [
        Sample((well_conditioned(3), *pair((3, 2)))),
        Sample((well_conditioned(2, 2), *pair((2, 2, 1)))),
        Sample((well_conditioned(2), *pair((3, 2, 2)))),
    ]


def _kind_solve(attrs: Mapping[str, Any]) -> tuple[str, bool]:
    return "solve", attrs.get("transposed", False)


def _solve_by_inverse(a: Any, b: Any, *, transposed: bool = False) -> Any:
    """For few right-hand sides; as accurate as elimination in Float64, or with a step of refinement."""
    size, columns = a.shape[-1], b.shape[-1]
    if None in (size, columns) or size <= SIZE or 4 * columns > size or not a.dtype.is_float:
        return None
    a = swap_last(a) if transposed else a
    if a.dtype is float32:
        return cast(matmul(inverse(cast(a, dtype=float64)), cast(b, dtype=float64)), dtype=float32)
    inverted = inverse(a)
    x = matmul(inverted, b)
    return x + matmul(inverted, b - matmul(a, x))


solve: Op = Op(
    "solve",
    attrs={"transposed": optional(FLAG)},
    infer=_infer_solve,
    kernel=_kernel_solve,
    emit=emit_elimination(_kind_solve),
    scratch=scratch_of(_kind_solve),
    c_order=True,
    vjp=_vjp_solve,
    with_fixed=_solve_by_inverse,
    batch=_batch_solve,
    samples=lambda: [*_solve_samples(), Sample((well_conditioned(3), *pair((3, 2))), {"transposed": True})],
    doc="The x for which a @ x is b, for square matrices a (or their transposes) and right-hand sides b in columns.",
)


def _kind_triangle(attrs: Mapping[str, Any]) -> tuple[str, bool]:
    return "lower" if attrs["lower"] else "upper", attrs["transposed"]


def _kernel_triangle(
    a: Array, b: Array, *, lower: bool, transposed: bool, out: Array | None = None, scratch: Array | None = None
) -> Array:
    if not np.diagonal(a, 0, -2, -1).all():  # LU factors, whose rows are exchanged, may hide it by rounding
        raise ValueError("solve: singular matrix")
    return _kernel_solve((np.tril if lower else np.triu)(a), b, transposed=transposed, out=out)


def is_halved(a: Any, columns: int | None) -> bool:
    """Whether products of halves of the symbol of matrices a take less time than its function of machine code."""
    return a.shape[-1] is not None and columns is not None and a.shape[-1] >= HALVED and columns >= SIDES


def halves(x: Any, *axes: int) -> list[Any]:
    """The parts of the symbol of matrices, cut in halves along each of these axes, rows first."""
    parts = [x]
    for axis in axes:
        middle = -(-x.shape[axis] // (2 * SIZE)) * SIZE
        bounds = (0, middle), (middle, x.shape[axis])
        parts = [slice_axis(part, x.rank + axis, *each) for part in parts for each in bounds]
    return parts


def _triangle_by_halves(a: Any, b: Any, *, lower: bool, transposed: bool) -> Any:
    """One half is solved for, and its product with what is beside the diagonal taken from the other half."""
    if not is_halved(a, b.shape[-1]) or a.shape[:-2] != b.shape[:-2] or a.dtype.is_complex:
        return None
    first, above, below, second = halves(a, -2, -1)
    here, there = halves(b, -2)
    beside = below if lower else above
    beside = swap_last(beside) if transposed else beside
    begins = lower != transposed
    if not begins:
        first, second, here, there = second, first, there, here
    x = solve_triangle(first, here, lower=lower, transposed=transposed)
    y = solve_triangle(second, there - matmul(beside, x), lower=lower, transposed=transposed)
    return concatenate(*((x, y) if begins else (y, x)), axis=b.rank - 2)


def _vjp_triangle(a: Any, b: Any, out: Any, dout: Any, *, lower: bool, transposed: bool) -> tuple[Any, Any]:
    db = solve_triangle(a, dout, lower=lower, transposed=not transposed)
    da = -_outer(db, out, transposed)
    return tril(da, k=0) if lower else triu(da, k=0), db


solve_triangle: Op = Op(
    "solve_triangle",
    attrs={"lower": FLAG, "transposed": FLAG},
    infer=_infer_solve,
    kernel=_kernel_triangle,
    emit=emit_elimination(_kind_triangle),
    scratch=scratch_of(_kind_triangle),
    c_order=True,
    vjp=_vjp_triangle,
    native_definition=_triangle_by_halves,
    batch=lambda batch, a, b, **attrs: solve_triangle(*batch.aligned((a, b)), **attrs),
    samples=lambda: [
        replace(sample, attrs={"lower": lower, "transposed": transposed})
        for sample, lower, transposed in zip(
            _solve_samples() * 2, (True, False) * 3, (True, True, False) * 2, strict=True
        )
    ],
    doc="As solve, for the lower or upper triangles of a; the other triangle is not read.",
)
