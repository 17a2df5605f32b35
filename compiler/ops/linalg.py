"""Matrix products."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ...runtime.dtypes import float32
from ...runtime.kernels.precision import deliver, is_half, widen
from ...runtime.kernels.products import DTYPES, banded_matmul as banded, matmul_in_parts, matmul_of_pairs, multiplied
from ...runtime.machine.array_functions import compile_small, has_small
from ...runtime.machine.product import compile_matmul, has_products, has_wide_code
from ...runtime.machine.sizes import FEWEST_COLUMNS, LEADING, takes, takes_product, takes_vector
from ..ir.attributes import INT, SIZE, TEXT
from ..ir.code import Attempt, Call, Code, MadeFunction
from ..ir.graph import Node
from ..ir.layouts import Cuts, labelled
from ..ir.op import Op, Sample
from ..ir.rules import Batch
from ..ir.types import Shape, TensorType, broadcast_shapes, show_shape
from .arithmetic import multiply
from .infer import same_dtype
from .joining import concatenate
from .parts import Parts, of_product
from .reduction import sum as sum_, sum_as
from .samples import pair
from .shape import drop_axes, insert_axes, reshape, transpose
from .slicing import slice_axis


def _infer_matmul(a: TensorType, b: TensorType) -> TensorType:
    dtype = same_dtype(a, b)
    if a.rank < 1 or b.rank < 1:
        raise ValueError(f"matmul: operands should have at least one dimension, but got {a} and {b}")
    inner_a, inner_b = a.shape[-1], b.shape[-2] if b.rank > 1 else b.shape[0]
    if inner_a is not None and inner_b is not None and inner_a != inner_b:
        raise ValueError(
            f"matmul: inner dimensions differ, {show_shape(a.shape)} @ {show_shape(b.shape)}: {inner_a} and {inner_b}"
        )
    batch: Shape = broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return TensorType(dtype, batch + (a.shape[-2:-1] if a.rank > 1 else ()) + (b.shape[-1:] if b.rank > 1 else ()))


def swap_last(x: Any) -> Any:
    """The symbol x with its last two dimensions exchanged."""
    axes = list(range(x.rank))
    axes[-2:] = [axes[-1], axes[-2]]
    return transpose(x, axes=tuple(axes))


def _vjp_matmul(a: Any, b: Any, out: Any, dout: Any) -> tuple[Any, Any]:
    if a.rank == 1 and b.rank == 1:
        return dout * b, dout * a
    if a.rank == 1:  # (k) @ (..., k, n) is (..., n)
        row = insert_axes(dout, (dout.rank - 1,))
        da = drop_axes(matmul(row, swap_last(b)), (dout.rank - 1,))
        return sum_as(da, a), sum_as(matmul(insert_axes(a, (1,)), row), b)
    if b.rank == 1:  # (..., m, k) @ (k) is (..., m)
        column = insert_axes(dout, (dout.rank,))
        db = drop_axes(matmul(swap_last(a), column), (dout.rank,))
        return matmul(column, insert_axes(b, (0,))), sum_as(db, b)
    da = sum_as(matmul(dout, swap_last(b)), a)
    if a.dtype.is_half and b.rank == 2 < a.rank and a.type.is_static:  # one product, which is rounded once
        a, dout = (reshape(x, shape=(-1, x.shape[-1])) for x in (a, dout))
    return da, sum_as(matmul(swap_last(a), dout), b)


def _emit_matmul(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
    a, b = (operand.type for operand in node.inputs)
    flat = a.rank <= 2 and b.rank <= 2 and a.dtype.kind in "fc"
    if out is None:
        return Call(".dot", tuple(arguments)) if flat else None
    code: Code | None = Call(".dot", (*arguments, out)) if flat else None
    small = _small_kind(a, b)
    if small and has_small():
        return attempt_small(small, node, arguments, out, code)
    if _is_native(node):
        otherwise = Call(".dot" if flat else "np.matmul", (*arguments, out))
        code = Attempt(MadeFunction(compile_matmul, (a.dtype.numpy_name,), "matmul"), (*arguments, out), otherwise)
    return code


def _emit_shared(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
    if out is None or not _is_native(node):
        return None
    name, threads = node.output.type.dtype.numpy_name, node.attrs["threads"]
    return Attempt(MadeFunction(compile_matmul, (name, False, threads), "shared_matmul"), (*arguments, out), None)


@lru_cache(maxsize=256)
def _small_kind(a: TensorType, b: TensorType) -> str:
    """The function of `small.py` for a product of these; "" if it has none."""
    if not (a.is_static and b.is_static and a.dtype.numpy_name in DTYPES):
        return ""
    given = a.dtype.np.itemsize, a.static_shape, b.static_shape
    return "matmul" if takes_product(*given) else "vector" if takes_vector(*given) else ""


def attempt_small(
    what: str, node: Node, arguments: Sequence[str], out: str, otherwise: Code | None = None
) -> Code | None:
    """The code that computes a node by the function for its shapes, if there is any."""
    if not has_small():
        return otherwise
    made = _small_function(what, *[value.type for value in (*node.inputs, *node.outputs)])
    return Attempt(made, (*arguments, out), otherwise)  # type: ignore[arg-type]


@lru_cache(maxsize=256)
def _small_function(what: str, *types: TensorType) -> MadeFunction:
    shapes = [type.static_shape for type in types]
    name = f"{what}_{'x'.join(map(str, shapes[0]))}"
    return MadeFunction(compile_small, (what, types[0].dtype.numpy_name, *shapes), name)


def _is_native(node: Node) -> bool:
    """Whether machine code multiplies these faster than the BLAS."""
    a, b = (operand.type for operand in node.inputs)
    name, ranks = a.dtype.numpy_name, (a.rank, b.rank)
    if name not in DTYPES or min(ranks) < 2 or max(ranks) > 2 + LEADING or not has_products():
        return False
    rows, depth, columns = a.shape[-2], a.shape[-1], b.shape[-1]
    nbytes = a.dtype.np.itemsize
    fewest = 1 if has_wide_code() else FEWEST_COLUMNS[nbytes]
    return rows is None or depth is None or columns is None or takes(rows, depth, columns, fewest, nbytes)


def _batch_matmul(batch: Batch, a: Any, b: Any) -> Any:
    (here, there), ranks = batch.mapped, (batch.rank((a, b), 0), batch.rank((a, b), 1))
    if ranks == (1, 1):
        if here and there:
            return sum_(multiply(a, b), axis=(1,), keepdims=False)
        return matmul(a, b) if here else matmul(b, a)
    if ranks == (2, 1) and not here:  # one product of matrices: (batch, k) @ (k, m)
        return matmul(b, swap_last(a))
    if ranks == (1, 2) and not there:
        return matmul(a, b)
    rank = max(*ranks, 2)
    if ranks[0] == 1:
        a = insert_axes(a, (a.rank - 1,))
    if ranks[1] == 1:
        b = insert_axes(b, (b.rank,))
    result = matmul(batch.align(a, here, rank), batch.align(b, there, rank))
    if ranks[1] == 1:
        return drop_axes(result, (result.rank - 1,))
    return drop_axes(result, (result.rank - 2,)) if ranks[0] == 1 else result


def _kernel_matmul(a: Any, b: Any, out: Any = None) -> Any:
    if is_half(a.dtype):
        return deliver(multiplied(widen(a), widen(b)), a.dtype, out)
    return multiplied(a, b, out)


def _flops(inputs: Sequence[TensorType], outputs: Sequence[TensorType], **attrs: Any) -> int:
    return 2 * outputs[0].known_size * (inputs[0].shape[-1] or 0)


def _cuts_matmul(node: Node) -> Cuts:
    """Processes that have parts of the inner dimension have sums of a part of the products."""
    (a, b), out = (operand.type.shape for operand in node.inputs), node.output.type.shape
    lead, other, made = labelled(a[:-2], b[:-2], out[: len(out) - (len(a) > 1) - (len(b) > 1)])
    rows, columns = ("rows",) * (len(a) > 1), ("columns",) * (len(b) > 1)
    return Cuts(((*lead, *rows, "inner"), (*other, "inner", *columns)), ((*made, *rows, *columns),), "sum")


def _parts(op: Op, a: Parts, b: Parts) -> Parts:
    """One product of all parts is quicker than four: of real rows above imaginary ones, with columns likewise."""
    rank = max(a.known.rank, b.known.rank)
    if None in (*a, *b) or min(a.known.rank, b.known.rank) < 2:
        return of_product(op, a, b)
    rows, columns = a.known.shape[-2], b.known.shape[-1]
    whole = op(concatenate(*a, axis=a.known.rank - 2), concatenate(*b, axis=b.known.rank - 1))

    def part(down: int, right: int) -> Any:
        lines = slice_axis(whole, rank - 2, down * rows, (down + 1) * rows)
        return slice_axis(lines, rank - 1, right * columns, (right + 1) * columns)

    return Parts(part(0, 0) - part(1, 1), part(0, 1) + part(1, 0))


matmul: Op = Op(
    "matmul",
    parts=_parts,
    cuts=_cuts_matmul,
    kind="matmul",
    flops=_flops,
    emit=_emit_matmul,
    infer=_infer_matmul,
    kernel=_kernel_matmul,
    single=True,
    vjp=_vjp_matmul,
    batch=_batch_matmul,
    samples=lambda: [
        Sample(pair((2, 3), (3, 4))),
        Sample(pair((2, 2, 3), (2, 3, 4))),
        Sample(pair((2, 1, 2, 3), (3, 3, 4))),
        Sample(pair((2, 2, 3), (3, 4))),
        Sample(pair((3,), (3,))),
        Sample(pair((3,), (2, 3, 4))),
        Sample(pair((2, 2, 3), (3,))),
        Sample(pair((3,), (3, 4))),
        Sample(pair((2, 3), (3,))),
    ],
    doc="Matrix product over the last two dimensions, the others broadcast; vectors as NumPy's matmul treats them.",
)

shared_matmul: Op = Op(
    "shared_matmul",
    kind="matmul",
    flops=_flops,
    internal=True,
    attrs={"threads": SIZE},
    emit=_emit_shared,
    infer=lambda a, b, *, threads: _infer_matmul(a, b),
    kernel=matmul_in_parts,
    vjp=lambda a, b, out, dout, *, threads: _vjp_matmul(a, b, out, dout),
    batch=lambda batch, a, b, *, threads: _batch_matmul(batch, a, b),
    samples=lambda: [
        Sample(pair((2, 3), (3, 4)), {"threads": 2}),
        Sample(pair((5, 3), (3, 2)), {"threads": 3}),
        Sample(pair((3, 1, 2, 3), (2, 3, 4)), {"threads": 2}),
        Sample(pair((1, 2, 3), (3, 4)), {"threads": 2}),
    ],
    doc="A matrix product in as many parts as threads, which share them; operands of two dimensions or more.",
)


def _banded_samples() -> list[Sample]:
    (a, b), square = pair((2, 5, 5), (2, 5, 3)), pair((5, 2), (2, 5))
    return [
        Sample((np.tril(a), b), {"band": "lower", "threads": 1}, gradient=False),
        Sample((np.triu(a), b), {"band": "upper", "threads": 2}, gradient=False),
        Sample(square, {"band": "result", "threads": 1}),
    ]


def _cuts_banded(node: Node) -> Cuts:
    """The rule of a product, but matrices are whole."""
    cuts = _cuts_matmul(node)
    return Cuts(tuple((*labels[:-2], None, None) for labels in cuts.inputs), ((*cuts.outputs[0][:-2], None, None),))


banded_matmul: Op = Op(
    "banded_matmul",
    kind="matmul",
    flops=lambda inputs, outputs, **attrs: _flops(inputs, outputs) // 2,
    internal=True,
    attrs={"band": TEXT, "threads": SIZE},
    infer=lambda a, b, *, band, threads: _infer_matmul(a, b),
    cuts=_cuts_banded,
    kernel=banded,
    vjp=lambda a, b, out, dout, *, band, threads: _vjp_matmul(a, b, out, dout),
    batch=lambda batch, a, b, *, band, threads: _batch_matmul(batch, a, b),
    samples=_banded_samples,
    doc="A matrix product of which a triangle is left out: of the first operand, where that is zero, or of the result.",
)


def _infer_pairs(x: TensorType, *, axis: int) -> TensorType:
    shape = list(x.static_shape)
    if x.dtype.bits != 16 or shape[axis] % 2:
        raise TypeError(f"pairs: expected an even number of halves along axis {axis}, but got {x}")
    shape[axis] //= 2
    return TensorType(float32, tuple(shape))


def _kernel_pairs(x: Any, *, axis: int) -> Any:
    rows = x.swapaxes(axis, -1)
    if rows.strides[-1] != 2:  # elements of an argument lie apart
        rows = np.ascontiguousarray(rows)
    return rows.view(np.float32).swapaxes(axis, -1)


pairs: Op = Op(
    "pairs",
    kind="view",
    internal=True,
    attrs={"axis": INT},
    infer=_infer_pairs,
    kernel=_kernel_pairs,
    samples=lambda: [Sample((np.zeros((3, 4), np.float16),), {"axis": -1}, gradient=False)],
    doc="Two neighbours along an axis as the bits of one float32.",
)


def _emit_paired(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
    if out is None:
        return None
    made = MadeFunction(compile_matmul, ("float32", True, node.attrs["threads"]), "paired_matmul")
    return Attempt(made, (*arguments, out), None)


paired_matmul: Op = Op(
    "paired_matmul",
    kind="matmul",
    flops=_flops,
    internal=True,
    attrs={"threads": SIZE},
    emit=_emit_paired,
    infer=lambda a, b, *, threads: _infer_matmul(a, b),
    kernel=matmul_of_pairs,
    samples=lambda: [Sample((np.ones((2, 3), "f4"), np.ones((3, 4), "f4")), {"threads": 1}, gradient=False)],
    doc="A matrix product of pairs of bfloat16 (`pairs`), in float32.",
)
