"""Primitives of sparse tensors and matrices given as places and values; NumPy computes them, outside of graphs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .....frontend.values.tensor import Tensor
from ..primitive import Row, make_classes, takes, tensor
from .host import _array, _number

Array = np.ndarray


def _sizes(shape: Any) -> tuple[int, ...]:
    return tuple(int(size) for size in _array(shape))


def _dense(indices: Any, values: Any, shape: Any) -> Array:
    array = np.zeros(_sizes(shape), _array(values).dtype)
    np.add.at(array, tuple(_array(indices).T), _array(values))
    return array


def _reorder(self: Any, indices: Any, values: Any, shape: Any) -> tuple[Tensor, Tensor]:
    """The same sparse tensor with its places in the order of rows."""
    order = np.lexsort(_array(indices).T[::-1])
    return Tensor(_array(indices)[order], indices.dtype), Tensor(_array(values)[order], values.dtype)


def _reshape(self: Any, indices: Any, shape: Any, new_shape: Any) -> tuple[Tensor, Tensor]:
    old, wanted = _sizes(shape), list(_sizes(new_shape))
    if -1 in wanted:
        wanted[wanted.index(-1)] = math.prod(old) // -math.prod(wanted)
    flat = np.ravel_multi_index(tuple(_array(indices).T), old)
    places = np.stack(np.unravel_index(flat, wanted), -1)
    return Tensor(places, indices.dtype), Tensor(np.array(wanted), shape.dtype)


def _cut(places: Array, values: Array, start: Array, size: Array) -> tuple[Array, Array]:
    kept = ((places >= start) & (places < start + size)).all(-1)
    return places[kept] - start, values[kept]


def _slice(self: Any, indices: Any, values: Any, shape: Any, start: Any, size: Any) -> tuple[Tensor, Tensor, Tensor]:
    """The part of a sparse tensor from a place on."""
    first, whole = _array(start), _array(shape)
    extent = np.clip(np.minimum(_array(size), whole - first), 0, None)
    places, found = _cut(_array(indices), _array(values), first, extent)
    return Tensor(places, indices.dtype), Tensor(found, values.dtype), Tensor(extent, shape.dtype)


def _split(self: Any, split_dim: Any, indices: Any, values: Any, shape: Any) -> tuple[tuple[Tensor, ...], ...]:
    axis, whole, count = int(_number(split_dim)), _array(shape), int(self.num_split)
    parts, start = [], np.zeros_like(whole)
    for number in range(count):
        size = whole.copy()
        size[axis] = whole[axis] // count + (number < whole[axis] % count)
        places, found = _cut(_array(indices), _array(values), start, size)
        parts.append((Tensor(places, indices.dtype), Tensor(found, values.dtype), Tensor(size, shape.dtype)))
        start = start.copy()
        start[axis] += size[axis]
    return tuple(zip(*parts, strict=True))


def _concat(self: Any, indices: Any, values: Any, shapes: Any) -> tuple[Tensor, Tensor, Tensor]:
    axis = int(self.concat_dim)
    start, places = 0, []
    for each, shape in zip(indices, shapes, strict=True):
        moved = _array(each).copy()
        moved[:, axis] += start
        places.append(moved)
        start += int(_array(shape)[axis])
    joined, found = np.concatenate(places), np.concatenate([_array(each) for each in values])
    size = _array(shapes[0]).copy()
    size[axis] = start
    order = np.lexsort(joined.T[::-1])
    return (
        Tensor(joined[order], indices[0].dtype), Tensor(found[order], values[0].dtype), Tensor(size, shapes[0].dtype),
    )  # fmt: skip


def _with_dense(operation: Callable[[Array, Array], Array]) -> Any:
    """The values of a sparse tensor combined with those of a dense one at their places."""

    def run(self: Any, indices: Any, values: Any, shape: Any, x: Any) -> Tensor:
        other = np.broadcast_to(_array(x), _sizes(shape))[tuple(_array(indices).T)]
        return Tensor(operation(_array(values), other), values.dtype)

    return run


def _union(first: Any, second: Any) -> Array:
    return np.unique(np.concatenate([_array(first), _array(second)]), axis=0)


def _extreme(operation: Callable[[Array, Array], Array]) -> Any:
    def run(
        self: Any, indices: Any, values: Any, shape: Any, indices2: Any, values2: Any, shape2: Any
    ) -> tuple[Tensor, Tensor]:
        places = _union(indices, indices2)
        at = tuple(places.T)
        result = operation(_dense(indices, values, shape)[at], _dense(indices2, values2, shape2)[at])
        return Tensor(places, indices.dtype), Tensor(result, values.dtype)

    return run


def _add(
    self: Any, indices: Any, values: Any, shape: Any, indices2: Any, values2: Any, shape2: Any, thresh: Any
) -> tuple[Tensor, Tensor, Tensor]:
    """The sum of two sparse tensors without what is less than a bound."""
    places = _union(indices, indices2)
    at = tuple(places.T)
    total = _dense(indices, values, shape)[at] + _dense(indices2, values2, shape2)[at]
    kept = np.abs(total) >= _number(thresh)
    return Tensor(places[kept], indices.dtype), Tensor(total[kept], values.dtype), shape


def _softmax(self: Any, indices: Any, values: Any, shape: Any) -> Tensor:
    """The softmax of what each row of the last dimension holds."""
    places, numbers = _array(indices), _array(values).astype(np.float64)
    _, rows = np.unique(places[:, :-1], axis=0, return_inverse=True)
    rows = rows.ravel()
    top = np.full(rows.max(initial=-1) + 1, -np.inf)
    np.maximum.at(top, rows, numbers)
    raised = np.exp(numbers - top[rows])
    total = np.zeros_like(top)
    np.add.at(total, rows, raised)
    return Tensor(raised / total[rows], values.dtype)


def _fill_rows(self: Any, indices: Any, values: Any, shape: Any, default: Any) -> tuple[Tensor, ...]:
    """A sparse matrix with a default where a row is empty; which rows were, and where the old values are now."""
    places, numbers, rows = _array(indices), _array(values), _sizes(shape)[0]
    empty = ~np.isin(np.arange(rows), places[:, 0])
    added = np.zeros((int(empty.sum()), places.shape[1]), places.dtype)
    added[:, 0] = np.nonzero(empty)[0]
    joined = np.concatenate([places, added])
    found = np.concatenate([numbers, np.full(len(added), _number(default), numbers.dtype)])
    order = np.argsort(joined[:, 0], kind="stable")
    back = np.argsort(order)[: len(places)]
    return (
        Tensor(joined[order], indices.dtype),
        Tensor(found[order], values.dtype),
        Tensor(empty),
        Tensor(back, indices.dtype),
    )


def _to_dense(self: Any, indices: Any, shape: Any, values: Any, default: Any) -> Tensor:
    places = _array(indices)
    places = places if places.ndim == 2 else places.reshape(-1, 1)
    array = np.full(_sizes(shape), _number(default), _array(values).dtype)
    array[tuple(places.T)] = _array(values)
    return Tensor(array, values.dtype)


def _added_product(self: Any, indices: Any, values: Any, shape: Any, x2: Any, x3: Any, alpha: Any, beta: Any) -> Tensor:
    product = _dense(indices, values, shape) @ _array(x2)
    return Tensor(_number(alpha) * product + _number(beta) * _array(x3), values.dtype)


def _sparse_added_product(
    self: Any, indices: Any, values: Any, shape: Any, indices2: Any, values2: Any, shape2: Any, x3: Any, alpha: Any,
    beta: Any,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """beta · x1 + alpha · x2 @ x3, sparse: the places of x1, then those of the product; places are columns."""
    second = _array(indices2).T
    dense = _dense(second, values2, shape2) @ _array(x3)
    rows = np.unique(second[:, 0])
    columns = np.arange(dense.shape[1])
    places = np.stack([np.repeat(rows, len(columns)), np.tile(columns, len(rows))])
    found = _number(alpha) * dense[tuple(places)]
    joined = np.concatenate([_array(indices), places.astype(_array(indices).dtype)], 1)
    numbers = np.concatenate([_number(beta) * _array(values), found])
    return Tensor(joined, indices.dtype), Tensor(numbers, values.dtype), shape


# Matrices in compressed rows: the shape, where batches begin, where rows begin, columns, values.


def _matrix(shape: Any, batches: Any, rows: Any, columns: Any, values: Any) -> tuple[Array, Array]:
    """The dense matrices (batch, rows, columns), and a mask of what is stored."""
    sizes = _sizes(shape)
    full = sizes if len(sizes) == 3 else (1, *sizes)
    array, mask = np.zeros(full, _array(values).dtype), np.zeros(full, bool)
    starts, pointers = _array(batches), _array(rows).reshape(full[0], full[1] + 1)
    for batch in range(full[0]):
        for row in range(full[1]):
            span = slice(starts[batch] + pointers[batch, row], starts[batch] + pointers[batch, row + 1])
            array[batch, row, _array(columns)[span]] = _array(values)[span]
            mask[batch, row, _array(columns)[span]] = True
    return array, mask


def _compressed(array: Array, mask: Array, rank: int, like: Any, dtype: Any) -> tuple[Tensor, ...]:
    counts = mask.sum(-1)
    pointers = np.concatenate([np.zeros((len(mask), 1), int), counts.cumsum(-1)], 1)
    batches = np.concatenate([[0], counts.sum(-1).cumsum()])
    shape = array.shape if rank == 3 else array.shape[1:]
    whole = [np.array(shape), batches, pointers.ravel(), np.nonzero(mask)[-1]]
    return (*(Tensor(item, like.dtype) for item in whole), Tensor(array[mask], dtype))


def _csr_to_dense(self: Any, *parts: Any) -> Tensor:
    array, _ = _matrix(*parts)
    return Tensor(array if len(parts[0]) == 3 else array[0], parts[4].dtype)


def _csr_to_sparse(self: Any, *parts: Any) -> tuple[Tensor, Tensor, Tensor]:
    array, mask = _matrix(*parts)
    places = np.argwhere(mask if len(parts[0]) == 3 else mask[0])
    return Tensor(places, parts[0].dtype), Tensor(array[mask], parts[4].dtype), parts[0]


def _stored(shape: tuple[int, ...], places: Array) -> Array:
    mask = np.zeros(shape, bool)
    mask[tuple(places.T)] = True
    return mask if len(shape) == 3 else mask[None]


def _dense_to_csr(self: Any, x: Any, indices: Any) -> tuple[Tensor, ...]:
    array = _array(x)
    mask = _stored(array.shape, _array(indices))
    return _compressed(array if array.ndim == 3 else array[None], mask, array.ndim, indices, x.dtype)


def _sparse_to_csr(self: Any, indices: Any, values: Any, shape: Any) -> tuple[Tensor, ...]:
    array = _dense(indices, values, shape)
    mask = _stored(array.shape, _array(indices))
    return _compressed(array if array.ndim == 3 else array[None], mask, array.ndim, indices, values.dtype)


def _csr_transpose(self: Any, *parts: Any) -> tuple[Tensor, ...]:
    array, mask = (np.swapaxes(item, 1, 2) for item in _matrix(*parts))
    return _compressed(np.conj(array) if self.conjugate else array, mask, len(parts[0]), parts[0], parts[4].dtype)


def _csr_add(self: Any, *given: Any) -> tuple[Tensor, ...]:
    (first, mask), (second, other) = _matrix(*given[:5]), _matrix(*given[5:10])
    total = _number(given[10]) * first + _number(given[11]) * second
    return _compressed(total, mask | other, len(given[0]), given[0], given[4].dtype)


def _turned(array: Array, transpose: bool, adjoint: bool) -> Array:
    array = np.swapaxes(array, -1, -2) if transpose or adjoint else array
    return np.conj(array) if adjoint else array


def _csr_product(self: Any, *given: Any) -> Tensor:
    first = _turned(_matrix(*given[:5])[0], self.transpose_x1, self.adjoint_x1)
    result = first @ _turned(_array(given[5]), self.transpose_x2, self.adjoint_x2)
    result = result if len(given[0]) == 3 else result[0]
    result = np.swapaxes(result, -1, -2) if self.transpose_output else result
    return Tensor(np.conj(result) if self.conjugate_output else result, given[4].dtype)


def _csr_csr_product(self: Any, *given: Any) -> tuple[Tensor, ...]:
    (first, mask), (second, other) = _matrix(*given[:5]), _matrix(*given[5:10])
    product = _turned(first, self.transpose_a, self.adjoint_a) @ _turned(second, self.transpose_b, self.adjoint_b)
    left = _turned(mask, self.transpose_a or self.adjoint_a, False).astype(int)
    right = _turned(other, self.transpose_b or self.adjoint_b, False).astype(int)
    return _compressed(product, left @ right > 0, len(given[0]), given[0], given[4].dtype)


def _csr_softmax(self: Any, *parts: Any) -> tuple[Tensor, ...]:
    array, mask = _matrix(*parts)
    raised = np.where(mask, np.exp(array - np.where(mask, array, -np.inf).max(-1, keepdims=True, initial=-1e30)), 0)
    total = raised.sum(-1, keepdims=True)
    shares = raised / np.where(total == 0, 1, total)
    return _compressed(shares, mask, len(parts[0]), parts[0], parts[4].dtype)


_TURNS = {"transpose_a": False, "transpose_b": False, "adjoint_a": False, "adjoint_b": False}
TABLE: dict[str, Row] = {
    "SparseReorder": (_reorder, {}),
    "SparseReshape": (_reshape, {}),
    "SparseSlice": (_slice, {}),
    "SparseSplit": (_split, {"num_split": 1}),
    "SparseConcat": (_concat, {"concat_dim": 0}),
    "SparseDenseCwiseAdd": (_with_dense(np.add), {}),
    "SparseDenseCwiseMul": (_with_dense(np.multiply), {}),
    "SparseDenseCwiseDiv": (_with_dense(np.divide), {}),
    "SparseSparseMaximum": (_extreme(np.maximum), {}),
    "SparseSparseMinimum": (_extreme(np.minimum), {}),
    "SparseAdd": (_add, {}),
    "SparseSoftmax": (_softmax, {}),
    "SparseFillEmptyRows": (_fill_rows, {}),
    "SparseToDenseV2": (_to_dense, {"validate_indices": True}),
    "SparseAddmm": (_added_product, {}),
    "Sspaddmm": (_sparse_added_product, {}),
    "CSRSparseMatrixToDense": (_csr_to_dense, {}),
    "CSRSparseMatrixToSparseTensor": (_csr_to_sparse, {}),
    "DenseToCSRSparseMatrix": (_dense_to_csr, {}),
    "SparseTensorToCSRSparseMatrix": (_sparse_to_csr, {}),
    "SparseMatrixNNZ": (tensor(lambda self, *parts: Tensor(np.diff(_array(parts[1])).astype(np.int32))), {}),
    "SparseMatrixTranspose": (_csr_transpose, {"conjugate": False}),
    "SparseMatrixAdd": (_csr_add, {}),
    "SparseMatrixMatMul": (
        _csr_product,
        {"transpose_x1": False, "transpose_x2": False, "adjoint_x1": False, "adjoint_x2": False,
         "transpose_output": False, "conjugate_output": False},
    ),
    "SparseMatrixSparseMatMul": (_csr_csr_product, _TURNS),
    "SparseMatrixSoftmax": (_csr_softmax, takes("dtype")),
}  # fmt: skip
CLASSES = make_classes(TABLE, globals())
