"""Primitives that shape, join, pick and write elements: a table from names to functions."""

from __future__ import annotations

import math
from typing import Any

from ....frontend.values.dispatch import cast
from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from .primitive import Row, function_named as f, make_classes, takes, tensor


def _gather(self: Any, x: Any, indices: Any, axis: Any) -> Tensor:
    return f("gather")(x, indices, int(axis), self.batch_dims)


def _split(self: Any, x: Any) -> Any:
    axis = self.axis + x.ndim if self.axis < 0 else self.axis
    length = int(x.shape[axis])
    if self.output_num < 1 or length % self.output_num:
        raise ValueError(f"Split: {self.output_num} parts do not divide dimension {axis} of shape {x.shape}")
    return f("split")(x, length // self.output_num, axis)


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


def _unstack(self: Any, x: Any) -> Any:
    return f("unstack")(x, self.axis)


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


def _diagonal_part(self: Any, x: Any) -> Tensor:
    """The elements of a tensor of shape (d…, d…) whose two halves of indices agree."""
    half = x.ndim // 2
    if x.ndim % 2 or x.shape[:half] != x.shape[half:]:
        raise ValueError(f"DiagPart: a shape of two equal halves is expected, but got {x.shape}")
    lead = x.shape[:half]
    count = math.prod(lead)
    return f("reshape")(f("diagonal")(f("reshape")(x, (count, count))), lead)


def _in_place_rows(name: str) -> Row:
    return (lambda self, x, v: f(name)(x, v, self.indices)), takes("indices")


def _triangle(name: str) -> Row:
    def run(self: Any) -> Tensor:
        return f(name)(self.row, self.col, self.offset, dtype=self.dtype)

    return run, takes("row col", offset=0, dtype=dtypes.int32)


def _blocks(name: str, size: str, edges: str) -> Row:
    """Blocks of images moved to the batch or back; `size` and `edges` are the names of the arguments."""
    return (lambda self, x: f(name)(x, getattr(self, size), getattr(self, edges))), takes(f"{size} {edges}")


def _writes(name: str) -> Row:
    return name, {"use_locking": False}


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


def _fill_diagonal(self: Any, x: Any) -> Tensor:
    from ...functions.array_matrix import fill_diagonal

    return fill_diagonal(x, self.fill_value, self.wrap)


TABLE: dict[str, Row] = {
    "Concat": (
        tensor(lambda self, *values: f("concat")(values[0] if len(values) == 1 else values, self.axis)),
        {"axis": 0},
    ),
    "Stack": (_stack, {"axis": 0}),
    "Pack": (_stack, {"axis": 0}),
    "StackExt": (lambda self, values, dim=0: f("stack")(values, dim), {}),
    "Unstack": (_unstack, {"axis": 0, "num": None}),
    "Unpack": (_unstack, {"axis": 0, "num": None}),
    "Split": (_split, {"axis": 0, "output_num": 1}),
    "SplitV": (
        lambda self, x: f("split")(x, tuple(self.size_splits), self.split_dim),
        takes("size_splits split_dim num_split"),
    ),
    "Squeeze": ("squeeze", {"axis": ()}),
    "BroadcastTo": (lambda self, x: f("broadcast_to")(x, self.shape), takes("shape")),
    "Gather": (_gather, {"batch_dims": 0}),
    "GatherV2": (_gather, {"batch_dims": 0}),
    "SparseGatherV2": (_gather, {"batch_dims": 0}),
    "EmbeddingLookup": (_embedding_lookup, {}),
    "StridedSlice": (_strided_slice, _MASKS),
    "Pad": (_pad, takes("paddings")),
    "PadV3": (_pad_with, {"mode": "constant", "paddings_contiguous": True}),
    "MirrorPad": ("mirror_pad", {"mode": "REFLECT"}),
    "Padding": ("padding", {"pad_dim_size": 8}),
    "ReverseV2": (lambda self, x: f("flip")(x, self.axis), takes("axis")),
    "ReverseSequence": (_reverse_sequence, takes("seq_dim", batch_dim=0)),
    "Roll": (lambda self, x: f("roll")(x, self.shifts, self.dims), takes("shifts", dims=None)),
    "Meshgrid": (lambda self, values: f("meshgrid")(*values, indexing=self.indexing), {"indexing": "xy"}),
    "OneHot": (_one_hot, {"axis": -1}),
    "Sort": (lambda self, x: f("sort")(x, self.axis, self.descending), {"axis": -1, "descending": False}),
    "TopK": (lambda self, x, k: f("topk")(x, k, None, True, self.sorted), {"sorted": True}),
    "InTopK": (tensor(lambda self, predictions, targets: f("intopk")(predictions, targets, self.k)), takes("k")),
    "SearchSorted": (_search, {"dtype": dtypes.int64, "right": False}),
    "Bucketize": (lambda self, x: f("bucketize")(x, self.boundaries, right=True), takes("boundaries")),
    "InvertPermutation": (lambda self, order: tuple(order.index(place) for place in range(len(order))), {}),
    "DynamicShape": (lambda self, x: f("dyn_shape")(x), {"dtype": 9}),
    "DiagPart": (_diagonal_part, {}),
    "MatrixDiagV3": ("matrix_diag", {"align": "RIGHT_LEFT"}),
    "MatrixDiagPartV3": ("matrix_diag_part", {"align": "RIGHT_LEFT"}),
    "MatrixSetDiagV3": ("matrix_set_diag", {"align": "RIGHT_LEFT"}),
    "FillDiagonal": (_fill_diagonal, takes("fill_value", wrap=False)),
    "Tril": ("tril", {"diagonal": 0}),
    "Triu": ("triu", {"diagonal": 0}),
    "TrilIndices": _triangle("tril_indices"),
    "TriuIndices": _triangle("triu_indices"),
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
    "IndexAdd": (
        tensor(lambda self, x, indices, y: f("index_add")(x, indices, y, self.axis)),
        takes("axis", use_lock=True, check_index_bound=True),
    ),
    "InplaceAdd": _in_place_rows("inplace_add"),
    "InplaceSub": _in_place_rows("inplace_sub"),
    "InplaceUpdate": _in_place_rows("inplace_update"),
    "InplaceIndexAdd": (lambda self, x, i, y: f("inplace_index_add")(x, i, y, self.axis), takes("axis")),
    "SpaceToDepth": ("space_to_depth", takes("block_size")),
    "DepthToSpace": ("depth_to_space", takes("block_size")),
    "SpaceToBatchND": _blocks("space_to_batch_nd", "block_shape", "paddings"),
    "SpaceToBatch": _blocks("space_to_batch_nd", "block_size", "paddings"),
    "BatchToSpaceND": _blocks("batch_to_space_nd", "block_shape", "crops"),
    "BatchToSpace": _blocks("batch_to_space_nd", "block_size", "crops"),
    "UniqueConsecutive": ("unique_consecutive", {"return_inverse": False, "return_counts": False, "dim": None}),
    "Im2Col": (_im2col, takes("ksizes", strides=1, dilations=1, pads=0)),
}
CLASSES = make_classes(TABLE, globals())
