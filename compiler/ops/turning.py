"""Copies that passes make: transposes and broadcasts, because kernels read what is side by side and NumPy copies
slowly; and arguments that should share no memory with the parameters that a program writes to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...runtime.arena import aligned_copy
from ...runtime.machine.array_functions import compile_turn
from ...runtime.machine.product import has_products
from ...runtime.machine.sizes import SIZES, as_matrices
from ..ir.attributes import INTS
from ..ir.code import Attempt, Code, MadeFunction
from ..ir.graph import Node
from ..ir.op import Op, Sample
from ..ir.types import TensorType
from .samples import pair
from .shape import transpose
from .windows import Window

LEAST = 1 << 14  # elements from which on the copy pays
NARROW = 32  # bytes of rows and columns from which on it does: a vector of each


def is_worth_turning(x: TensorType, axes: tuple[int, ...]) -> bool:
    """Whether a kernel that reads the transpose of x is slower than a copy and a kernel that reads it."""
    return x.is_static and x.size >= LEAST and min(_matrices(x, axes)) * x.dtype.np.itemsize >= NARROW


def _matrices(x: TensorType, axes: tuple[int, ...]) -> tuple[int, int]:
    """Rows and columns of the matrices that machine code transposes; 0 where there is none."""
    size = x.dtype.np.itemsize
    if x.dtype.np.name not in SIZES and not (x.dtype.is_complex and size == 8):
        return 0, 0
    if not x.is_static or not x.size or not has_products():
        return 0, 0
    rows, columns = (as_matrices(x.static_shape, axes) or (0, 0, 0))[1:]
    return (0, 0) if size < 4 and (rows * size < 16 or columns * size < 8) else (rows, columns)


def _emit(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
    (x,) = (operand.type for operand in node.inputs)
    axes = node.attrs["axes"]
    if out is None or not all(_matrices(x, axes)):
        return None
    made = MadeFunction(compile_turn, (x.dtype.np.name, x.static_shape, axes), "turn")
    return Attempt(made, (*arguments, out), None)


def _kernel(x: np.ndarray, *, axes: tuple[int, ...], out: np.ndarray | None = None) -> np.ndarray:
    turned = np.transpose(x, axes)
    if out is None:
        return np.ascontiguousarray(turned)
    np.copyto(out, turned)
    return out


turned: Op = Op(
    "turned",
    attrs={"axes": INTS},
    infer=transpose.infer,
    kernel=_kernel,
    emit=_emit,
    vjp=lambda x, out, dout, *, axes: transpose.vjp(x, out, dout, axes=axes),  # type: ignore[misc]
    internal=True,
    samples=lambda: [Sample(pair((2, 3, 4)), {"axes": (2, 0, 1)}), Sample(pair((2, 3)), {"axes": (1, 0)})],
    doc="As transpose, in memory of its own.",
)


def _copy(x: np.ndarray, *, out: np.ndarray | None = None) -> np.ndarray:
    result = np.empty(x.shape, x.dtype) if out is None else out
    np.copyto(result, x)
    return result


copied: Op = Op(
    "copied",
    infer=lambda x: x,
    kernel=_copy,
    vjp=lambda x, out, dout: dout,
    windows=lambda node: (Window(0, (0,) * node.output.type.rank),),
    internal=True,
    samples=lambda: [Sample(pair((2, 3))), Sample(pair(()))],
    doc="x in memory of its own, in C order.",
)


def _infer(x: TensorType, *written: TensorType) -> TensorType:
    return x


def _apart(x: np.ndarray, *written: np.ndarray) -> np.ndarray:
    # Kernels take arrays without gaps. They would copy another one themselves, in the middle of the updates.
    if x.flags.c_contiguous and x.flags.aligned and not any(np.may_share_memory(x, array) for array in written):
        return x
    return aligned_copy(x)


def _vjp(x: Any, *values: Any) -> tuple[Any, ...]:
    *written, _, dout = values
    return (dout, *[None for _ in written])


apart: Op = Op(
    "apart",
    infer=_infer,
    kernel=_apart,
    vjp=_vjp,
    separate=True,
    internal=True,
    samples=lambda: [Sample(pair((2, 3), (4,), ())), Sample(pair((3,)))],
    doc="x itself, or a copy where it may share memory with one of the other tensors.",
)
