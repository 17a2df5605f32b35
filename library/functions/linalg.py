"""Products of matrices and tensors; norms are in linalg_norm, decompositions in linalg_solve."""

from __future__ import annotations

import math
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.types import show_shape
from ...frontend.errors.classes import ProductError
from ...frontend.values.arguments import insert_axes, many_axes, need_type, one_axis, shape_of, whole_number
from ...frontend.values.dispatch import apply, cast, promote
from ...frontend.values.operands import need_tensor
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import like as _like
from .array_shape import moveaxis, permute, reshape, swapaxes
from .documentation import common
from .table import known_as, method

__all__ = [
    "batch_dot", "bmm", "cross", "dot", "einsum", "ger", "inner", "kron", "matmul", "mm", "multi_dot", "mv",
    "outer", "tensor_dot", "vander", "vecdot",
]  # fmt: skip


def same_dtype(function: str, *tensors: Tensor) -> None:
    """Raise TypeError unless the tensors have one dtype."""
    for tensor in tensors[1:]:
        if tensor.dtype is not tensors[0].dtype:
            raise TypeError(
                f"{function}: the dtypes of the operands must be same, but got {tensors[0].dtype} and {tensor.dtype}"
                f"{dtypes.as_one(tensors[0].dtype, tensor.dtype)}"
            )


def _inner(function: str, x: Tensor, y: Tensor, rows: int) -> None:
    """Raise ProductError unless the last dimension of x fits the dimension `rows` of y."""
    a, b = shape_of(x)[-1], shape_of(y)[rows]
    if a is not None and b is not None and a != b:
        raise ProductError(
            f"{function}: the inner dimensions must be equal, but shapes {show_shape(shape_of(x))} and "
            f"{show_shape(shape_of(y))} have {a} and {b}"
        )


@known_as(mint=True, primitive="MatMulExt")
def matmul(input: Tensor, other: Tensor) -> Tensor:
    """The matrix product over the last two dimensions; the others are broadcast, vectors are rows or columns.

    Args:
        input: a tensor of at least one dimension.
        other: a tensor of at least one dimension, whose sizes fit.

    Raises:
        TypeError: if the dtypes differ: they are not promoted.
        RuntimeError: if the inner dimensions differ.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.matmul(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[3.0], [4.0]])))
        [[11.]]
    """
    x, y = need_tensor(input, "matmul"), need_tensor(other, "matmul", "other")
    same_dtype("matmul", x, y)
    if x.ndim and y.ndim:
        _inner("matmul", x, y, -2 if y.ndim > 1 else 0)
    return apply(prims.matmul, x, y)


def ranked(function: str, rank: int, *tensors: Any) -> tuple[Tensor, ...]:
    result = tuple(need_tensor(item, function, f"argument {place}") for place, item in enumerate(tensors))
    for item in result:
        if item.ndim != rank:
            raise ValueError(f"{function}: tensors of {rank} dimensions are expected, but got shape {item.shape}")
    same_dtype(function, *result)
    return result


@known_as(mint=True, method=True, primitive="Mm")
def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices.

    Args:
        input: a matrix of shape (n, m).
        mat2: a matrix of shape (m, p).

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.mm(Tensor([[2.0]]), Tensor([[3.0]])))
        [[6.]]
    """
    return matmul(*ranked("mm", 2, input, mat2))


@known_as(method=True)
def bmm(input_x: Tensor, mat2: Tensor) -> Tensor:
    """The products of the matrices of two batches, of shapes (…, n, m) and (…, m, p).

    Args:
        input_x: matrices of shape (..., n, m).
        mat2: matrices of shape (..., m, p).

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.bmm(Tensor([[[2.0]]]), Tensor([[[3.0]]])))
        [[[6.]]]
    """
    x, y = need_tensor(input_x, "bmm", "input_x"), need_tensor(mat2, "bmm", "mat2")
    if x.ndim < 3 or y.ndim != x.ndim:
        raise ValueError(f"bmm: batches of matrices are expected, but got shapes {x.shape} and {y.shape}")
    return matmul(x, y)


@known_as(primitive="Mv")
def mv(mat: Tensor, vec: Tensor) -> Tensor:
    """The product of a matrix and a vector.

    Args:
        mat: a matrix of shape (n, m).
        vec: a vector of shape (m).

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.mv(Tensor([[1.0, 2.0]]), Tensor([3.0, 4.0])))
        [11.]
    """
    (matrix,), (vector,) = ranked("mv", 2, mat), ranked("mv", 1, vec)
    return matmul(matrix, vector)


def dot(input: Tensor, other: Tensor) -> Tensor:
    """The sums of products over the last dimension of the first tensor and the last but one of the second.

    Args:
        input: a floating-point tensor of at least one dimension.
        other: a tensor of the dtype of `input` whose sizes fit.

    Raises:
        ValueError: if one has fewer than two dimensions, or the sizes differ.
        TypeError: if the dtypes differ.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.dot(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])))
        [[11.]]
    """
    x, y = need_tensor(input, "dot"), need_tensor(other, "dot", "other")
    if x.ndim < 2 or y.ndim < 2:
        raise ValueError(f"dot: tensors of at least two dimensions are expected, but got {x.shape} and {y.shape}")
    same_dtype("dot", x, y)
    return tensor_dot(x, y, ((x.ndim - 1,), (y.ndim - 2,)))


@method("dot")
def dot_method(self: Tensor, other: Tensor) -> Tensor:
    """The product of two vectors, summed; of more dimensions as `ops.dot`.

    Args:
        other: a tensor of the dtype of this one.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(Tensor([1.0, 2.0]).dot(Tensor([3.0, 4.0])))
        11.0
    """
    return matmul(self, other) if self.ndim == 1 and other.ndim == 1 else dot(self, other)


@known_as(mint=True, method=True, primitive="Outer")
def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """The products of each element of one vector with each of another.

    Args:
        input: a vector.
        vec2: a vector.

    Raises:
        ValueError: if one is no vector.

    Examples:
        >>> print(ops.outer(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        [[3. 4.]
         [6. 8.]]
    """
    (x,), (y,) = ranked("outer", 1, input), ranked("outer", 1, vec2)
    x, y = promote(x, y)
    return apply(prims.multiply, insert_axes(x, (1,)), y)


@known_as(method=True, primitive="Ger")
@_like(outer)
def ger(input: Tensor, vec2: Tensor) -> Tensor:
    """The products of each element of one vector with each of another.

    Examples:
        >>> print(ops.ger(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        [[3. 4.]
         [6. 8.]]
    """
    return outer(input, vec2)


@known_as(method=True, primitive="Inner")
def inner(input: Tensor, other: Tensor) -> Tensor:
    """The sums of products over the last dimensions of two tensors.

    Args:
        input: a tensor of any shape.
        other: a tensor whose last dimension is of the same size.

    Raises:
        ValueError: if the sizes do not fit.

    Examples:
        >>> print(ops.inner(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        11.0
    """
    x, y = need_tensor(input, "inner"), need_tensor(other, "inner", "other")
    if x.ndim == 0 or y.ndim == 0:
        return apply(prims.multiply, *promote(x, y))
    return tensor_dot(x, y, ((x.ndim - 1,), (y.ndim - 1,)))


@common
def vecdot(x: Tensor, y: Tensor, *, axis: int = -1) -> Tensor:
    """The sums of products of two tensors along an axis (of the conjugate of x, for complex ones).

    Args:
        y: a tensor of the shape of `x`, or one that can be broadcast with it.

    Raises:
        ValueError: if `axis` is out of range, or the shapes do not fit.

    Examples:
        >>> print(ops.vecdot(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        11.0
    """
    first, second = promote(need_tensor(x, "vecdot", "x"), need_tensor(y, "vecdot", "y"))
    product = apply(prims.multiply, apply(prims.conj, first) if first.dtype.is_complex else first, second)
    return apply(prims.sum, product, axis=(one_axis(axis, product.ndim, "vecdot"),), keepdims=False)


def tensor_dot(x1: Tensor, x2: Tensor, axes: Any) -> Tensor:
    """The sums of products of two tensors over some axes of each.

    Args:
        x1, x2: tensors of at least one dimension.
        axes: how many, the last of the first tensor and the first of the second; or two tuples of axes, or two ints.

    Raises:
        ValueError: if the sizes of the axes differ.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.tensor_dot(ms.ops.ones((2, 3, 4)), ms.ops.ones((3, 4, 5)), 2).shape)
        (2, 5)
    """
    x, y = need_tensor(x1, "tensor_dot", "x1"), need_tensor(x2, "tensor_dot", "x2")
    same_dtype("tensor_dot", x, y)
    if isinstance(axes, int):
        if not 0 <= axes <= min(x.ndim, y.ndim):
            raise ValueError(f"tensor_dot: 'axes' should be at most {min(x.ndim, y.ndim)}, but got {axes}")
        left, right = tuple(range(x.ndim - axes, x.ndim)), tuple(range(axes))
    else:
        if not isinstance(axes, (tuple, list)):
            raise TypeError(f"tensor_dot: 'axes' should be an int, or two of them, but got {axes!r}")
        first, second = axes
        left, right = many_axes(first, x.ndim, "tensor_dot", "axes"), many_axes(second, y.ndim, "tensor_dot", "axes")
    if len(left) != len(right) or any(x.shape[a] != y.shape[b] for a, b in zip(left, right, strict=True)):
        raise ValueError(f"tensor_dot: axes {axes} of shapes {x.shape} and {y.shape} do not fit")
    rows = [axis for axis in range(x.ndim) if axis not in left]
    columns = [axis for axis in range(y.ndim) if axis not in right]
    lengths = [int(x.shape[axis]) for axis in left]
    result = tuple(x.shape[axis] for axis in rows) + tuple(y.shape[axis] for axis in columns)
    a = reshape(permute(x, (*rows, *left)), (-1, math.prod(lengths)))
    b = reshape(permute(y, (*right, *columns)), (math.prod(lengths), -1))
    return reshape(apply(prims.matmul, a, b), result)


@known_as(primitive="BatchDot")
def batch_dot(x1: Tensor, x2: Tensor, axes: Any = None) -> Tensor:
    """For each entry of the batch (the first dimension) the sums of products over one axis of each tensor.

    Args:
        x1, x2: tensors of at least two dimensions with one batch size.
        axes: one axis for both, or two; None: the last of the first and the last but one of the second tensor.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> print(ops.batch_dot(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]])))
        [[11.]]
    """
    x, y = need_tensor(x1, "batch_dot", "x1"), need_tensor(x2, "batch_dot", "x2")
    same_dtype("batch_dot", x, y)
    if x.ndim < 2 or y.ndim < 2 or x.shape[0] != y.shape[0]:
        raise ValueError(f"batch_dot: batches of one size are expected, but got shapes {x.shape} and {y.shape}")
    given = (x.ndim - 1, max(y.ndim - 2, 1)) if axes is None else (axes, axes) if isinstance(axes, int) else tuple(axes)
    left, right = one_axis(given[0], x.ndim, "batch_dot", "axes"), one_axis(given[1], y.ndim, "batch_dot", "axes")
    if left == 0 or right == 0:
        raise ValueError(f"batch_dot: 'axes' {axes} should not name the batch")
    if x.shape[left] != y.shape[right]:
        raise ValueError(f"batch_dot: axes {given} of shapes {x.shape} and {y.shape} differ in size")
    a, b = moveaxis(x, left, -1), moveaxis(y, right, 1)
    result = (*a.shape[:-1], *b.shape[2:])
    count, depth = x.shape[0], int(x.shape[left])
    product = apply(prims.matmul, reshape(a, (count, -1, depth)), reshape(b, (count, depth, -1)))
    flat = reshape(product, result)
    return insert_axes(flat, (1,)) if flat.ndim == 1 else flat


@known_as(mint=True, primitive="EinsumExt")
def einsum(equation: str, *operands: Any) -> Tensor:
    """Einstein's summation, as `numpy.einsum` writes it.

    Args:
        equation: the subscripts, such as "ij,jk->ik".
        operands: the tensors.

    Raises:
        ValueError: if the equation and the operands do not fit.

    Examples:
        >>> import mycel as ms
        >>> print(ms.ops.einsum("ij,j->i", ms.Tensor([[1.0, 2.0]]), ms.Tensor([3.0, 4.0])))
        [11.]
    """
    need_type(equation, str, "einsum: 'equation' should be a string")
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = tuple(operands[0])
    tensors = promote(*[need_tensor(item, "einsum", "operands") for item in operands])
    return prims.einsum_plan(equation, tensors, apply, shape_of)


@known_as(primitive="Kron")
def kron(input: Tensor, other: Tensor) -> Tensor:
    """The Kronecker product: each element of the first tensor times the whole second one, in its place.

    Args:
        other: a tensor of any shape.

    Examples:
        >>> print(ops.kron(Tensor([1, 2]), Tensor([3, 4])))
        [3 4 6 8]
    """
    x, y = promote(need_tensor(input, "kron"), need_tensor(other, "kron", "other"))
    rank = max(x.ndim, y.ndim)
    x, y = insert_axes(x, tuple(range(rank - x.ndim))), insert_axes(y, tuple(range(rank - y.ndim)))
    spread = apply(
        prims.multiply, insert_axes(x, tuple(range(1, 2 * rank, 2))), insert_axes(y, tuple(range(0, 2 * rank, 2)))
    )
    return reshape(spread, tuple(int(a) * int(b) for a, b in zip(x.shape, y.shape, strict=True)))


@known_as(mint=True, method=True)
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The vector products of vectors of three elements along a dimension, the first of size 3 by default.

    Args:
        other: a tensor whose shape broadcasts with that of `input`.
        dim: the dimension; a negative one counts from the end.

    Raises:
        ValueError: if the shapes do not broadcast, `dim` is out of range, or the dimension is not of size 3.

    Examples:
        >>> print(ops.cross(Tensor([1.0, 0.0, 0.0]), Tensor([0.0, 1.0, 0.0])))
        [0. 0. 1.]
    """
    x, y = promote(need_tensor(input, "cross"), need_tensor(other, "cross", "other"))
    if x.shape != y.shape:
        from .array_broadcast import broadcast_tensors  # late: `import mycel` needs the products here alone

        x, y = broadcast_tensors(x, y)
    if dim is None:
        places = [place for place, size in enumerate(x.shape) if size == 3]
        if not places:
            raise ValueError(f"cross: no dimension of shape {x.shape} is of size 3")
        dim = places[0]
    axis = one_axis(dim, x.ndim, "cross", "dim")
    if x.shape[axis] != 3 or y.shape[axis] != 3:
        raise ValueError(f"cross: dimension {dim} of shapes {x.shape} and {y.shape} should be of size 3")

    def turned(value: Tensor, by: int) -> Tensor:
        return apply(prims.roll, value, shift=(by,), axis=(axis,))

    return apply(
        prims.subtract,
        apply(prims.multiply, turned(x, -1), turned(y, 1)),
        apply(prims.multiply, turned(x, 1), turned(y, -1)),
    )


def multi_dot(tensors: Any) -> Tensor:
    """The product of several matrices, in the order that needs the fewest multiplications.

    Args:
        tensors: a tuple or list of matrices; the first and the last may be vectors.

    Raises:
        ValueError: if the shapes do not fit.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.multi_dot([Tensor([[2.0]]), Tensor([[3.0]])]))
        [[6.]]
    """
    items = [need_tensor(item, "multi_dot", "tensors") for item in tensors]
    if len(items) < 2:
        raise ValueError("multi_dot needs at least two tensors")
    while len(items) > 1:
        costs = []
        for place in range(len(items) - 1):
            x, y = items[place], items[place + 1]
            costs.append((x.size * (y.size // max(int(x.shape[-1]), 1)), place))
        _, best = min(costs)
        items[best : best + 2] = [matmul(items[best], items[best + 1])]
    return items[0]


def transposed_matmul(x: Tensor, y: Tensor, transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    """The matrix product with either operand's last two dimensions exchanged first."""
    first = swapaxes(x, -1, -2) if transpose_a else x
    second = swapaxes(y, -1, -2) if transpose_b else y
    if first.ndim > 1 and second.ndim > 1 and shape_of(first)[-1] != shape_of(second)[-2]:
        a, b = shape_of(first)[-1], shape_of(second)[-2]
        if a is not None and b is not None:
            raise ValueError(
                f"For 'MatMul' the input dimensions must be equal, but got 'x1_col': {a} and 'x2_row': {b} "
                f"of shapes {x.shape} and {y.shape}"
            )
    return matmul(first, second)


@common
def vander(x: Tensor, N: int | None = None) -> Tensor:
    """The matrix whose columns are decreasing powers of a vector.

    Args:
        x: a vector; integers count as Int64.
        N: how many columns; None: as many as there are elements.

    Raises:
        ValueError: if `N` is not positive.

    Examples:
        >>> print(ops.vander(Tensor([1.0, 2.0]), 2))
        [[1. 1.]
         [2. 1.]]
    """
    (values,) = ranked("vander", 1, x)
    values = cast(values, dtypes.int64) if values.dtype.is_integer else values
    count = int(values.shape[0]) if N is None else whole_number(N, "vander", "N")
    column = insert_axes(values, (1,))
    powers = [apply(prims.power, column, power) for power in range(count - 1, -1, -1)]
    from .array_join import concat

    return concat(powers, 1)
