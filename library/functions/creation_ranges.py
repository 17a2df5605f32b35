"""Tensors of numbers at equal distances; identity matrices, triangles, diagonals."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...frontend.errors.classes import GraphBreak
from ...frontend.state import STATE
from ...frontend.values.arguments import whole_number
from ...frontend.values.dispatch import apply, as_tensor, cast
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..docstrings import Shared, like
from .creation import constant, filled, number_of, open_range, shape_of
from .documentation import common
from .table import known_as, made

__all__ = [
    "arange", "diag", "diagflat", "eye", "linspace", "logspace", "make_range", "range", "tril", "tril_indices", "triu",
    "triu_indices",
]  # fmt: skip


def _is_open(*values: Any) -> bool:
    """Whether one of the numbers is only known to the run."""
    trace = STATE.trace
    return trace is not None and any(isinstance(item, Tensor) and not trace.is_known(item) for item in values)


def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: DType | None = None) -> Tensor:
    """Numbers from start to before end, a step apart; `arange(end)` starts at 0.

    Args:
        start: the first number.
        end: the bound, not reached.
        step: the distance, not 0; with a negative one the numbers fall.
        dtype: the dtype; None: Int64 for ints, Float32 if one of the numbers is a float.

    Raises:
        ValueError: if the step is 0, or leads away from the end.
        TypeError: if one of them is no number.

    Examples:
        >>> from mycel import ops
        >>> print(ops.arange(0, 5, 2))
        [0 2 4]
    """
    if end is None:
        start, end = 0, start
    if _is_open(start, end, step):
        return _open_range(start, end, step, dtype)
    first, last, gap = (
        number_of(value, "arange", name) for value, name in ((start, "start"), (end, "end"), (step, "step"))
    )
    for name, value in (("start", first), ("end", last), ("step", gap)):
        if not math.isfinite(value):
            raise ValueError(f"arange: '{name}' should be finite, but got {value}")
    if gap == 0:
        raise ValueError("arange: 'step' should not be 0")
    if (gap > 0 and first > last) or (gap < 0 and first < last):
        raise ValueError(f"arange: a step of {gap} leads away from 'end', from {first} to {last}")
    is_float = any(isinstance(value, float) for value in (first, last, gap))
    wanted = dtypes.as_dtype(dtype) if dtype is not None else dtypes.float32 if is_float else dtypes.int64
    size = max(0, math.ceil((last - first) / gap))
    if is_float and wanted.is_integer:
        return cast(Tensor(np.arange(size) * gap + first), wanted)
    return apply(prims.iota, start=first, step=gap, size=size, dtype=wanted)


def _open_range(start: Any, end: Any, step: Any, dtype: DType | None) -> Tensor:
    """A range whose bounds only the run knows."""
    for value, name in ((start, "start"), (end, "end"), (step, "step")):
        is_whole = value.dtype.is_integer if isinstance(value, Tensor) else isinstance(value, int)
        if not is_whole:
            raise GraphBreak(f"arange with a floating-point '{name}' that only the run knows has no known size")
    from .math import add, floor_divide, maximum, mul, sub

    count = floor_divide(sub(as_tensor(end, dtypes.int64), start), step)
    exact = mul(count, step)
    rest = sub(sub(as_tensor(end, dtypes.int64), start), exact)
    count = add(count, cast(apply(prims.not_equal, rest, 0), dtypes.int64))
    numbers = add(mul(open_range(maximum(count, 0)), step), start)
    return cast(numbers, dtypes.as_dtype(dtype or dtypes.int64))


@known_as("tensor_range")
def range(start: Any, end: Any, step: Any, maxlen: int = 1_000_000) -> Tensor:
    """As `arange`, all bounds given.

    Args:
        start, end, step: numbers.
        maxlen: accepted.

    Raises:
        ValueError: if `step` is 0.

    Examples:
        >>> from mycel import ops
        >>> print(ops.range(0, 6, 2))
        [0 2 4]
    """
    return arange(start, end, step)


def linspace(start: Any, end: Any, steps: Any) -> Tensor:
    """`steps` numbers from start to end, both included, at equal distances (Float32, or Float64 of such tensors).

    Args:
        start, end: numbers, or 0-d tensors.
        steps: how many.

    Raises:
        ValueError: if `steps` is not positive.

    Examples:
        >>> from mycel import ops
        >>> print(ops.linspace(0, 1, 5))
        [0.   0.25 0.5  0.75 1.  ]
    """
    count = number_of(steps, "linspace", "steps")
    if isinstance(count, (bool, float)):
        raise TypeError(f"linspace: 'steps' should be an int, but got {count!r}")
    if count <= 0:
        raise ValueError(f"linspace: 'steps' should be positive, but got {count}")
    for value, name in ((start, "start"), (end, "end")):
        if isinstance(value, Tensor) and value.ndim:
            raise ValueError(f"linspace: '{name}' should be a number, but got a tensor of shape {value.shape}")
    wide = any(isinstance(value, Tensor) and value.dtype is dtypes.float64 for value in (start, end))
    dtype = dtypes.float64 if wide else dtypes.float32
    if not _is_open(start, end):
        first, last = number_of(start, "linspace", "start"), number_of(end, "linspace", "end")
        return constant(np.linspace(first, last, count).astype(dtype.np))
    low, high = as_tensor(start, dtype), as_tensor(end, dtype)
    weights = constant((np.arange(count) / max(count - 1, 1)).astype(dtype.np))
    rising = apply(prims.multiply, weights, high)
    return apply(prims.add, apply(prims.multiply, apply(prims.subtract, 1.0, weights), low), rising)


def logspace(start: Any, end: Any, steps: Any, base: float = 10, *, dtype: DType = dtypes.float32) -> Tensor:
    """`base` to the powers that `linspace(start, end, steps)` gives.

    Args:
        start, end: numbers, or 0-d tensors.
        steps: how many.
        base: the base.
        dtype: the dtype.

    Raises:
        ValueError: if `steps` is negative.

    Examples:
        >>> from mycel import ops
        >>> print(ops.logspace(0.0, 2.0, 3))
        [  1.  10. 100.]
    """
    exponents = cast(linspace(start, end, steps), dtypes.float64)
    return cast(apply(prims.power, float(base), exponents), dtypes.as_dtype(dtype))


def make_range(*args: int) -> tuple[int, ...]:
    """The numbers of Python's `range`, as a tuple.

    Args:
        args: as for Python's `range`.

    Raises:
        TypeError: if one is no int.

    Examples:
        >>> from mycel import ops
        >>> ops.make_range(1, 4)
        (1, 2, 3)
    """
    return tuple(builtins.range(*args))


_shared = Shared(
    """
    Args:
        offset: which diagonal, counted upwards from the main one.
        row, col: the size of the matrix.
        dtype: the dtype.

    Raises:
        TypeError: if a size is no int.
    """,
    common,
)


@known_as(mint=True, primitive="Eye")
def eye(n: Any, m: Any = None, dtype: DType | None = None) -> Tensor:
    """A matrix of n rows and m columns (None: n) with ones on its diagonal and zeros elsewhere.

    Args:
        n, m: the sizes.
        dtype: the dtype; None: Float32.

    Raises:
        ValueError: if n or m is negative.

    Examples:
        >>> from mycel import ops
        >>> print(ops.eye(2))
        [[1. 0.]
         [0. 1.]]
    """
    rows = shape_of(n, "eye", "n")[0]
    columns = rows if m is None else shape_of(m, "eye", "m")[0]
    wanted = dtypes.as_dtype(dtype or dtypes.float32)
    return constant(np.eye(rows, columns, dtype=wanted.np))


@known_as(mint=True, method=True, primitive="TrilExt")
def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangles of matrices, up to a diagonal; zeros above.

    Args:
        input: matrices, a tensor of at least two dimensions.
        diagonal: the last diagonal that stays, counted upwards from the main one.

    Raises:
        ValueError: if there are fewer than two dimensions.

    Examples:
        >>> print(ops.tril(Tensor([[1, 2], [3, 4]])))
        [[1 0]
         [3 4]]
    """
    return apply(prims.tril, need_tensor(input, "tril"), k=whole_number(diagonal, "tril", "diagonal"))


@known_as(mint=True, method=True)
@like(tril)
def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangles of matrices, from a diagonal; zeros below.

    Args:
        input: matrices, a tensor of at least two dimensions.
        diagonal: the first diagonal that stays, counted upwards from the main one.

    Examples:
        >>> print(ops.triu(Tensor([[1, 2], [3, 4]])))
        [[1 2]
         [0 4]]
    """
    return apply(prims.triu, need_tensor(input, "triu"), k=whole_number(diagonal, "triu", "diagonal"))


def _indices_of(name: str, words: str, printed: str) -> Callable[..., Tensor]:
    """`tril_indices` and `triu_indices`."""

    def run(row: int, col: int, offset: int = 0, *, dtype: DType = dtypes.int64) -> Tensor:
        """The rows and columns of the {words} a diagonal: a tensor of shape (2, count).

        Examples:
            >>> from mycel import ops
            >>> print(ops.{name}(2, 2))
            {printed}
        """
        offset = whole_number(offset, name, "offset")
        if min(whole_number(row, name, "row"), whole_number(col, name, "col")) < 0:
            raise ValueError(f"{name}: 'row' and 'col' should not be negative, but got {row} and {col}")
        return constant(np.stack(getattr(np, name)(row, offset, col)).astype(dtypes.as_dtype(dtype).np))

    return _shared(made(run, name, words=words, printed=printed))


tril_indices = _indices_of("tril_indices", "lower triangle of a matrix, up to", "[[0 1 1]\n     [0 0 1]]")
triu_indices = _indices_of("triu_indices", "upper triangle of a matrix, from", "[[0 0 1]\n     [0 1 1]]")


@known_as(method=True, shared=_shared)
def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """A matrix of zeros with the elements of a tensor, in order, on a diagonal.

    Raises:
        TypeError: if `input` is no Tensor.

    Examples:
        >>> print(ops.diagflat(Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    x = apply(prims.reshape, need_tensor(input, "diagflat"), shape=(-1,))
    size = x.shape[0] + abs(offset)
    base = filled((size, size), 0, x.dtype)
    return apply(prims.diagonal_scatter, base, x, offset=offset, axis1=0, axis2=1)


@known_as(method=True, primitive="Diag", shared=_shared)
def diag(input: Tensor) -> Tensor:
    """Zeros of the shape of `input` twice over, with its elements where both halves of the index agree.

    Raises:
        TypeError: if `input` is no Tensor.
        ValueError: if there is no dimension.

    Examples:
        >>> print(ops.diag(Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    x = need_tensor(input, "diag")
    return apply(prims.reshape, diagflat(x), shape=(*x.shape, *x.shape))
