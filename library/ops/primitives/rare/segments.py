"""Primitives of segments, sparse rows, orders and layouts of data, from public functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .....frontend.values.arguments import one_axis
from .....frontend.values.dispatch import cast
from .....frontend.values.tensor import Tensor
from .....runtime import dtypes
from ..primitive import Row, function_named as f, make_classes, takes


def _segments(kind: str, empty: float | None) -> Any:
    """A reduction of the rows with the same number; the numbers do not fall."""

    def run(self: Any, x: Any, segment_ids: Any) -> Tensor:
        count = int(segment_ids[-1].asnumpy()) + 1
        ids = cast(segment_ids, dtypes.int32)
        if kind == "mean":
            return _segment_means(x, ids, count)
        result = f(f"unsorted_segment_{kind}")(x, ids, count)
        if empty is None:
            return result
        return f("where")(_spread(f("equal")(_counts(ids, count), 0), x.ndim), cast(Tensor(empty), x.dtype), result)

    return run


def _counts(ids: Any, count: int) -> Tensor:
    return f("unsorted_segment_sum")(f("ones")(tuple(ids.shape), dtypes.int32), ids, count)


def _spread(rows: Any, rank: int) -> Tensor:
    return f("reshape")(rows, (rows.shape[0],) + (1,) * (rank - 1))


def _segment_means(x: Any, ids: Any, count: int, root: bool = False) -> Tensor:
    total = f("unsorted_segment_sum")(x, ids, count)
    sizes = cast(f("maximum")(_counts(ids, count), 1), x.dtype)
    return total / _spread(f("sqrt")(sizes) if root else sizes, x.ndim)


def _sparse_segments(kind: str) -> Any:
    """A reduction of picked rows with the same number, as many as `num_segments` says, or the last number."""

    def run(self: Any, x: Any, indices: Any, segment_ids: Any, num_segments: Any = None) -> Tensor:
        last = segment_ids[-1].asnumpy() + 1 if num_segments is None else num_segments
        count = int(last.asnumpy().item() if isinstance(last, Tensor) else last)
        rows, ids = f("gather")(x, indices, 0), cast(segment_ids, dtypes.int32)
        if kind == "sum":
            return f("unsorted_segment_sum")(rows, ids, count)
        return _segment_means(rows, ids, count, root=kind == "root")

    return run


def _bound(right: bool) -> Any:
    def run(self: Any, sorted_x: Any, values: Any) -> Tensor:
        return cast(f("searchsorted")(sorted_x, values, right=right), self.out_type)

    return run


def _confusion_matrix(self: Any, labels: Any, predictions: Any, weights: Any = None) -> Tensor:
    """How often each class (row) was taken for each (column), optionally weighted."""
    count = int(self.num_classes)
    dtype = dtypes.as_dtype(getattr(dtypes, self.dtype)) if isinstance(self.dtype, str) else self.dtype
    places = cast(labels, dtypes.int32) * count + cast(predictions, dtypes.int32)
    ones = f("ones")(tuple(labels.shape), dtype) if weights is None else cast(weights, dtype)
    return f("reshape")(f("unsorted_segment_sum")(ones, places, count * count), (count, count))


def _columns_to_image(self: Any, x: Any, output_size: Any) -> Tensor:
    sizes = tuple(int(size) for size in (output_size.tolist() if isinstance(output_size, Tensor) else output_size))
    columns = f("reshape")(x, (x.shape[0], x.shape[1] * x.shape[2], x.shape[3]))
    return f("fold")(columns, sizes, self.kernel_size, self.dilation, self.padding, self.stride)


def _median(self: Any, x: Any) -> tuple[Tensor, Tensor]:
    middle = f("nanmedian" if self.ignore_nan else "median")
    if self.global_median:
        value, place = middle(f("ravel")(x), 0, False)
        return value, f("zeros_like")(place)
    values, places = middle(x, self.axis, self.keep_dims)
    return values, places


def _euclidean_norm(self: Any, x: Any, axes: Any = ()) -> Tensor:
    chosen = tuple(axes.tolist()) if isinstance(axes, Tensor) else tuple(axes) if not isinstance(axes, int) else axes
    wide = x if x.dtype.is_float or x.dtype.is_complex else cast(x, dtypes.float64)
    squares = f("square")(f("abs")(wide))
    return cast(f("sqrt")(f("sum")(squares, chosen or None, keepdim=self.keep_dims)), x.dtype)


def _nuclear_norm(self: Any, x: Any) -> Tensor:
    axes = tuple(self.dim) if self.dim is not None else (0, 1)
    first, second = (one_axis(axis, x.ndim, "NuclearNorm", "dim") for axis in axes)
    moved = f("moveaxis")(x, (first, second), (-2, -1))
    total: Tensor = f("sum")(f("svd")(moved, False, False), -1)
    if self.keepdim:
        for axis in sorted((first, second)):
            total = f("expand_dims")(total, axis)
    return total


def _equal_count(self: Any, x: Any, y: Any) -> Tensor:
    return f("reshape")(cast(f("sum")(cast(f("equal")(x, y), dtypes.int64)), x.dtype), (1,))


def _format_order(source: str, target: str) -> list[int]:
    if sorted(source) != sorted(target):
        raise ValueError(f"formats should have the same letters, but got {source!r} and {target!r}")
    return [source.index(letter) for letter in target]


def _dimension_map(self: Any, x: Any) -> Tensor:
    """Numbers of dimensions in one format, as those of another."""
    table = Tensor(np.array(_format_order(self.src_format, self.dst_format)), x.dtype)
    return f("gather")(table, f("floor_mod")(x, 4), 0)


def _permute_format(self: Any, x: Any) -> Tensor:
    """A vector (or pairs) with an entry for each dimension in one format, in the order of another."""
    order = [self.src_format.index(letter) for letter in self.dst_format]
    if len(x) != len(order):  # only the two spatial ones
        spatial = [letter for letter in self.src_format if letter in "HW"]
        order = [spatial.index(letter) for letter in self.dst_format if letter in "HW"]
    return f("gather")(x, Tensor(np.array(order)), 0)


def _index_put(self: Any, x: Any, values: Any, indices: Any) -> Tensor:
    """The tensor with values at positions that a tensor for each of the first dimensions gives."""
    places = f("stack")(_same_shape(indices), -1)
    shape = (*places.shape[:-1], *x.shape[len(indices) :])
    updates = f("broadcast_to")(values, tuple(map(int, shape)))
    return f("tensor_scatter_add" if self.accumulate else "tensor_scatter_update")(x, places, updates)


def _same_shape(indices: Any) -> list[Tensor]:
    shape = np.broadcast_shapes(*(tuple(map(int, item.shape)) for item in indices))
    return [f("broadcast_to")(item, shape) for item in indices]


def _scatter_along(self: Any, x: Any, indices: Any, updates: Any) -> Tensor:
    return f("tensor_scatter_elements")(x, indices, updates, self.axis, "add")


def _bit_pack(self: Any, x: Any, threshold: Any) -> Tensor:
    """For each eight elements a byte of which of them are larger, the first one in the highest bit."""
    larger = cast(f("greater")(x, threshold), dtypes.int32)
    grouped = f("reshape")(larger, (*x.shape[:-1], -1, 8))
    return cast(f("sum")(grouped * Tensor(2 ** np.arange(7, -1, -1), dtypes.int32), -1), dtypes.uint8)


def _nth_element(self: Any, x: Any, n: Any) -> Tensor:
    place = int(n.asnumpy().item()) if isinstance(n, Tensor) else int(n)
    return f("sort")(x, -1, self.reverse)[0][..., place]


def _sparse_to_dense(self: Any, indices: Any, values: Any, shape: Any) -> Tensor:
    sizes = tuple(shape.tolist()) if isinstance(shape, Tensor) else tuple(shape)
    return f("tensor_scatter_add")(f("zeros")(sizes, values.dtype), _rows(indices), values)


def _rows(indices: Any) -> Any:
    return indices if indices.ndim == 2 else f("expand_dims")(indices, 1)


def _sparse_dense_add(self: Any, indices: Any, values: Any, shape: Any, x: Any) -> Tensor:
    return f("tensor_scatter_add")(x, _rows(indices), values)


def _sparse_dense_product(self: Any, indices: Any, values: Any, shape: Any, dense: Any) -> Tensor:
    matrix = _sparse_to_dense(self, indices, values, shape)
    if self.adjoint_st:
        matrix = f("conj")(f("swapaxes")(matrix, 0, 1)) if matrix.dtype.is_complex else f("swapaxes")(matrix, 0, 1)
    return f("matmul")(matrix, f("swapaxes")(dense, 0, 1) if self.adjoint_dt else dense)


def _triangular_solve(self: Any, matrix: Any, rhs: Any) -> Tensor:
    """The solution of triangular equations; the other half of the matrix is not read."""
    kept = f("tril" if self.lower else "triu")(matrix)
    if self.adjoint:
        kept = f("swapaxes")(kept, -1, -2)
        kept = f("conj")(kept) if kept.dtype.is_complex else kept
    return _solved(kept, rhs)


def _solved(matrix: Any, rhs: Any) -> Tensor:
    return f("matrix_solve")(matrix, rhs)


def _tridiagonal_product(self: Any, above: Any, middle: Any, below: Any, rhs: Any) -> Tensor:
    """A matrix of three diagonals, given as rows (..., 1, m), times a matrix."""
    parts = [f("swapaxes")(part, -1, -2) for part in (above, middle, below)]
    zero = f("zeros_like")(rhs[..., :1, :])
    down = f("concat")((zero, rhs[..., :-1, :]), -2)
    up = f("concat")((rhs[..., 1:, :], zero), -2)
    return parts[0] * up + parts[1] * rhs + parts[2] * down


def _tridiagonal_solution(self: Any, diagonals: Any, rhs: Any) -> Tensor:
    """The solution of equations with a matrix of three diagonals (..., 3, m)."""
    size = int(diagonals.shape[-1])
    above, middle, below = (diagonals[..., row, :] for row in range(3))
    matrix = f("diag_embed")(middle)
    if size > 1:
        matrix = matrix + f("diag_embed")(above[..., :-1], 1) + f("diag_embed")(below[..., 1:], -1)
    return _solved(matrix, rhs)


def _triplet(self: Any, x: Any, positive: Any, negative: Any, margin: Any) -> Tensor:
    limit = float(margin.asnumpy().item()) if isinstance(margin, Tensor) else float(margin)
    return f("triplet_margin_loss")(x, positive, negative, limit, self.p, self.eps, self.swap, self.reduction)


def _ragged_range(self: Any, starts: Any, limits: Any, deltas: Any) -> tuple[Tensor, Tensor]:
    """Ranges one behind the other, and where each of them ends."""
    rows = np.broadcast_arrays(*(np.atleast_1d(item.asnumpy()) for item in (starts, limits, deltas)))
    ranges = [np.arange(*row) for row in zip(*rows, strict=True)]
    ends = np.concatenate([[0], np.cumsum([len(row) for row in ranges])])
    values = np.concatenate(ranges) if ranges else np.zeros(0)
    return Tensor(ends, self.Tsplits), Tensor(values, starts.dtype)


def _upsampled(mode: str) -> Row:
    def run(self: Any, x: Any, output_size: Any = None, scales: Any = None) -> Tensor:
        corners = {"align_corners": bool(self.align_corners)} if mode == "trilinear" else {}
        sizes = None if output_size is None else tuple(output_size)
        factors = None if scales is None else tuple(scales)
        return f("interpolate")(x, size=sizes, scale_factor=factors, mode=mode, **corners)

    return run, {} if mode == "nearest" else {"align_corners": False}


TABLE: dict[str, Row] = {
    "SegmentSum": (_segments("sum", None), {}),
    "SegmentMean": (_segments("mean", None), {}),
    "SegmentMax": (_segments("max", 0.0), {}),
    "SegmentMin": (_segments("min", 0.0), {}),
    "SegmentProd": (_segments("prod", None), {}),
    "SparseSegmentSum": (_sparse_segments("sum"), {}),
    "SparseSegmentSumWithNumSegments": (_sparse_segments("sum"), {}),
    "SparseSegmentMean": (_sparse_segments("mean"), {}),
    "SparseSegmentMeanWithNumSegments": (_sparse_segments("mean"), {}),
    "SparseSegmentSqrtN": (_sparse_segments("root"), {}),
    "SparseSegmentSqrtNWithNumSegments": (_sparse_segments("root"), {}),
    "LowerBound": (_bound(False), {"out_type": dtypes.int32}),
    "UpperBound": (_bound(True), {"out_type": dtypes.int32}),
    "ConfusionMatrix": (_confusion_matrix, takes("num_classes", dtype="int32")),
    "ConjugateTranspose": (lambda self, x, perm: f("conj")(f("transpose")(x, tuple(perm))), {}),
    "Col2Im": (_columns_to_image, takes("kernel_size", dilation=1, padding=0, stride=1)),
    "Median": (_median, {"global_median": False, "axis": 0, "keep_dims": False, "ignore_nan": False}),
    "EuclideanNorm": (_euclidean_norm, {"keep_dims": False}),
    "NuclearNorm": (_nuclear_norm, {"dim": None, "keepdim": False}),
    "EqualCount": (_equal_count, {}),
    "DataFormatDimMap": (_dimension_map, {"src_format": "NHWC", "dst_format": "NCHW"}),
    "DataFormatVecPermute": (_permute_format, {"src_format": "NHWC", "dst_format": "NCHW"}),
    "IndexPut": (_index_put, {"accumulate": 0}),
    "ParallelConcat": (lambda self, values: f("concat")(tuple(values), 0), {}),
    "ScatterAddWithAxis": (_scatter_along, {"axis": 0}),
    "CompareAndBitpack": (_bit_pack, {}),
    "NthElement": (_nth_element, {"reverse": False}),
    "SparseToDense": (_sparse_to_dense, {}),
    "SparseTensorDenseAdd": (_sparse_dense_add, {}),
    "SparseTensorDenseMatmul": (_sparse_dense_product, {"adjoint_st": False, "adjoint_dt": False}),
    "MatrixTriangularSolve": (_triangular_solve, {"lower": True, "adjoint": False}),
    "TridiagonalMatMul": (_tridiagonal_product, {}),
    "TridiagonalSolve": (_tridiagonal_solution, {"partial_pivoting": True}),
    "TripletMarginLoss": (_triplet, {"p": 2, "swap": False, "eps": 1e-6, "reduction": "mean"}),
    "RaggedRange": (_ragged_range, takes("Tsplits")),
    "UpsampleNearest3D": _upsampled("nearest"),
    "UpsampleTrilinear3D": _upsampled("trilinear"),
    "LerpScalar": "lerp",
    "AddV2": "add",
    "ReLUV3": "relu",
    "SequenceMask": "sequence_mask",
}
CLASSES = make_classes(TABLE, globals())
