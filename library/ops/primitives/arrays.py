"""Primitives that shape, join, pick and write elements: a table from names to functions."""

from __future__ import annotations

import math
from typing import Any

from ....frontend.values.dispatch import cast
from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from .primitive import REQUIRED, Row, function_named as f, make_classes


def _gather(self: Any, x: Any, indices: Any, axis: Any) -> Tensor:
    return f("gather")(x, indices, int(axis), self.batch_dims)


def _split(self: Any, x: Any) -> Any:
    axis = self.axis + x.ndim if self.axis < 0 else self.axis
    length = int(x.shape[axis])
    if self.output_num < 1 or length % self.output_num:
        raise ValueError(f"Split: {self.output_num} parts do not divide dimension {axis} of shape {x.shape}")
    return f("split")(x, length // self.output_num, axis)


def _split_sizes(self: Any, x: Any) -> Any:
    return f("split")(x, tuple(self.size_splits), self.split_dim)


def _strided_slice(self: Any, x: Any, begin: Any, end: Any, strides: Any) -> Tensor:
    masks = {name: getattr(self, name) for name in _MASKS}
    return f("strided_slice")(x, begin, end, strides, **masks)


_MASKS = {"begin_mask": 0, "end_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0}


def _pad(self: Any, x: Any) -> Tensor:
    flat = [number for pair in reversed(tuple(self.paddings)) for number in pair]
    if len(flat) != 2 * x.ndim:
        raise ValueError(f"Pad: 'paddings' should have a pair for each dimension of {x.shape}, but got {self.paddings}")
    return f("pad")(x, flat)


def _pad_with(self: Any, x: Any, paddings: Any, value: Any = None) -> Tensor:
    counts = list(paddings.tolist() if isinstance(paddings, Tensor) else paddings)
    if not self.paddings_contiguous:
        half = len(counts) // 2
        counts = [item for pair in zip(counts[:half], counts[half:], strict=True) for item in pair]
    mode = {"edge": "replicate", "wrap": "circular"}.get(self.mode, self.mode)
    return f("pad")(x, counts, mode, value if mode == "constant" else None)


def _stack(self: Any, values: Any) -> Tensor:
    return f("stack")(values, self.axis)


def _concat(self: Any, *values: Any) -> Tensor:
    return f("concat")(values[0] if len(values) == 1 else values, self.axis)


def _unstack(self: Any, x: Any) -> Any:
    return f("unstack")(x, self.axis)


def _meshgrid(self: Any, values: Any) -> Any:
    return f("meshgrid")(*values, indexing=self.indexing)


def _area(sizes: Any) -> int:
    pair = sizes if isinstance(sizes, (tuple, list)) else (sizes, sizes)
    return int(math.prod(pair if len(pair) > 1 else (*pair, *pair)))


def _im2col(self: Any, x: Any) -> Tensor:
    """The windows of images: (N, C, elements of a window, windows)."""
    columns = f("unfold")(x, self.ksizes, self.dilations, self.pads, self.strides)
    return f("reshape")(columns, (x.shape[0], x.shape[1], _area(self.ksizes), -1))


def _one_hot(self: Any, indices: Any, depth: Any, on_value: Any, off_value: Any) -> Tensor:
    """Without gradients for the two values, as in MindSpore."""
    stop = f("stop_gradient")
    return f("one_hot")(indices, depth, stop(on_value), stop(off_value), self.axis)


def _sort(self: Any, x: Any) -> Any:
    return f("sort")(x, self.axis, self.descending)


def _topk(self: Any, x: Any, k: Any) -> Any:
    return f("topk")(x, k, None, True, self.sorted)


def _diagonal_part(self: Any, x: Any) -> Tensor:
    """The elements of a tensor of shape (d…, d…) whose two halves of indices agree."""
    half = x.ndim // 2
    if x.ndim % 2 or x.shape[:half] != x.shape[half:]:
        raise ValueError(f"DiagPart: a shape of two equal halves is expected, but got {x.shape}")
    lead = x.shape[:half]
    count = 1
    for size in lead:
        count *= size
    return f("reshape")(f("diagonal")(f("reshape")(x, (count, count))), lead)


def _in_place_rows(name: str) -> Row:
    return (lambda self, x, v: f(name)(x, v, self.indices)), {"indices": REQUIRED}


def _writes(name: str) -> Row:
    return name, {"use_locking": False}


def _index_add(self: Any, x: Any, indices: Any, y: Any) -> Tensor:
    return f("index_add")(x, indices, y, self.axis)


def _search(self: Any, sequence: Any, values: Any, sorter: Any = None) -> Tensor:
    return cast(f("searchsorted")(sequence, values, right=self.right, sorter=sorter), dtypes.as_dtype(self.dtype))


def _reverse_sequence(self: Any, x: Any, seq_lengths: Any) -> Tensor:
    return f("reverse_sequence")(x, seq_lengths, self.seq_dim, self.batch_dim)


def _embedding_lookup(self: Any, table: Any, indices: Any, offset: Any = 0) -> Tensor:
    """The rows at indices minus an offset; zeros where that is no row."""
    places = f("sub")(indices, offset)
    count = int(table.shape[0])
    inside = f("logical_and")(f("greater_equal")(places, 0), f("less")(places, count))
    rows = f("gather")(table, f("where")(inside, places, 0), 0)
    for _ in range(rows.ndim - inside.ndim):
        inside = f("expand_dims")(inside, -1)
    return f("where")(inside, rows, 0)


def _in_top_k(self: Any, predictions: Any, targets: Any) -> Tensor:
    return f("intopk")(predictions, targets, self.k)


def _fill_diagonal(self: Any, x: Any) -> Tensor:
    from ...functions.array_matrix import fill_diagonal

    return fill_diagonal(x, self.fill_value, self.wrap)


TABLE: dict[str, Row] = {
    "Concat": (_concat, {"axis": 0}),
    "Stack": (_stack, {"axis": 0}),
    "Pack": (_stack, {"axis": 0}),
    "StackExt": (lambda self, values, dim=0: f("stack")(values, dim), {}),
    "Unstack": (_unstack, {"axis": 0, "num": None}),
    "Unpack": (_unstack, {"axis": 0, "num": None}),
    "Split": (_split, {"axis": 0, "output_num": 1}),
    "SplitV": (_split_sizes, {"size_splits": REQUIRED, "split_dim": REQUIRED, "num_split": REQUIRED}),
    "Squeeze": ("squeeze", {"axis": ()}),
    "BroadcastTo": (lambda self, x: f("broadcast_to")(x, self.shape), {"shape": REQUIRED}),
    "Gather": (_gather, {"batch_dims": 0}),
    "GatherV2": (_gather, {"batch_dims": 0}),
    "SparseGatherV2": (_gather, {"batch_dims": 0}),
    "EmbeddingLookup": (_embedding_lookup, {}),
    "StridedSlice": (_strided_slice, _MASKS),
    "Pad": (_pad, {"paddings": REQUIRED}),
    "PadV3": (_pad_with, {"mode": "constant", "paddings_contiguous": True}),
    "MirrorPad": ("mirror_pad", {"mode": "REFLECT"}),
    "Padding": ("padding", {"pad_dim_size": 8}),
    "ReverseV2": (lambda self, x: f("flip")(x, self.axis), {"axis": REQUIRED}),
    "ReverseSequence": (_reverse_sequence, {"seq_dim": REQUIRED, "batch_dim": 0}),
    "Roll": (lambda self, x: f("roll")(x, self.shifts, self.dims), {"shifts": REQUIRED, "dims": None}),
    "Meshgrid": (_meshgrid, {"indexing": "xy"}),
    "OneHot": (_one_hot, {"axis": -1}),
    "Sort": (_sort, {"axis": -1, "descending": False}),
    "TopK": (_topk, {"sorted": True}),
    "InTopK": (_in_top_k, {"k": REQUIRED}),
    "SearchSorted": (_search, {"dtype": dtypes.int64, "right": False}),
    "Bucketize": (lambda self, x: f("bucketize")(x, self.boundaries, right=True), {"boundaries": REQUIRED}),
    "InvertPermutation": (lambda self, order: tuple(order.index(place) for place in range(len(order))), {}),
    "DynamicShape": (lambda self, x: f("dyn_shape")(x), {"dtype": 9}),
    "DiagPart": (_diagonal_part, {}),
    "MatrixDiagV3": ("matrix_diag", {"align": "RIGHT_LEFT"}),
    "MatrixDiagPartV3": ("matrix_diag_part", {"align": "RIGHT_LEFT"}),
    "MatrixSetDiagV3": ("matrix_set_diag", {"align": "RIGHT_LEFT"}),
    "FillDiagonal": (_fill_diagonal, {"fill_value": REQUIRED, "wrap": False}),
    "Tril": ("tril", {"diagonal": 0}),
    "Triu": ("triu", {"diagonal": 0}),
    "TrilIndices": (
        lambda self: f("tril_indices")(self.row, self.col, self.offset, dtype=self.dtype),
        {"row": REQUIRED, "col": REQUIRED, "offset": 0, "dtype": dtypes.int32},
    ),
    "TriuIndices": (
        lambda self: f("triu_indices")(self.row, self.col, self.offset, dtype=self.dtype),
        {"row": REQUIRED, "col": REQUIRED, "offset": 0, "dtype": dtypes.int32},
    ),
    "TensorScatterElements": ("tensor_scatter_elements", {"axis": 0, "reduction": "none"}),
    "ScatterElements": ("tensor_scatter_elements", {"axis": 0, "reduction": "none"}),
    "ScatterNdUpdate": _writes("scatter_nd_update"),
    "ScatterNdAdd": _writes("scatter_nd_add"),
    "ScatterNdSub": _writes("scatter_nd_sub"),
    "ScatterNdMul": _writes("scatter_nd_mul"),
    "ScatterNdDiv": _writes("scatter_nd_div"),
    "ScatterNdMax": _writes("scatter_nd_max"),
    "ScatterNdMin": _writes("scatter_nd_min"),
    "ScatterUpdate": _writes("scatter_update"),
    "ScatterAdd": _writes("scatter_add"),
    "ScatterSub": _writes("scatter_sub"),
    "ScatterMul": _writes("scatter_mul"),
    "ScatterDiv": _writes("scatter_div"),
    "ScatterMax": _writes("scatter_max"),
    "ScatterMin": _writes("scatter_min"),
    "IndexAdd": (_index_add, {"axis": REQUIRED, "use_lock": True, "check_index_bound": True}),
    "InplaceAdd": _in_place_rows("inplace_add"),
    "InplaceSub": _in_place_rows("inplace_sub"),
    "InplaceUpdate": _in_place_rows("inplace_update"),
    "InplaceIndexAdd": (lambda self, x, i, y: f("inplace_index_add")(x, i, y, self.axis), {"axis": REQUIRED}),
    "SpaceToDepth": ("space_to_depth", {"block_size": REQUIRED}),
    "DepthToSpace": ("depth_to_space", {"block_size": REQUIRED}),
    "SpaceToBatchND": (
        lambda self, x: f("space_to_batch_nd")(x, self.block_shape, self.paddings),
        {"block_shape": REQUIRED, "paddings": REQUIRED},
    ),
    "SpaceToBatch": (
        lambda self, x: f("space_to_batch_nd")(x, self.block_size, self.paddings),
        {"block_size": REQUIRED, "paddings": REQUIRED},
    ),
    "BatchToSpaceND": (
        lambda self, x: f("batch_to_space_nd")(x, self.block_shape, self.crops),
        {"block_shape": REQUIRED, "crops": REQUIRED},
    ),
    "BatchToSpace": (
        lambda self, x: f("batch_to_space_nd")(x, self.block_size, self.crops),
        {"block_size": REQUIRED, "crops": REQUIRED},
    ),
    "UniqueConsecutive": ("unique_consecutive", {"return_inverse": False, "return_counts": False, "dim": None}),
    "Im2Col": (
        lambda self, x: f("reshape")(
            f("unfold")(x, self.ksizes, self.dilations, self.pads, self.strides),
            (x.shape[0], x.shape[1], _area(self.ksizes), -1),
        ),
        {"ksizes": REQUIRED, "strides": 1, "dilations": 1, "pads": 0},
    ),
}
CLASSES = make_classes(TABLE, __name__)
globals().update(CLASSES)
__all__ = list(CLASSES)
