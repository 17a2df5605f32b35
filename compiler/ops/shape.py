"""Ops that change a tensor's shape and move no data: reshape, transpose, broadcast_to, and forms for run-time
shapes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir.attributes import INT, INTS, SIZES
from ..ir.code import Call, Code
from ..ir.graph import Node
from ..ir.layouts import Cuts, Label, labelled
from ..ir.op import Op, Sample
from ..ir.rules import Batch
from ..ir.types import Shape, TensorType, UnknownShapeError, broadcast_shapes, show_shape
from ..ir.values import Operand, Value
from .batching import leading, shifted
from .parts import of_each
from .samples import pair


def _infer_reshape(x: TensorType, *, shape: tuple[int, ...]) -> TensorType:
    if not x.is_static and (shape.count(-1) > 1 or (-1 in shape and 0 in shape)):
        raise UnknownShapeError(f"reshape: only the run knows what -1 stands for in {shape}")
    if shape.count(-1) > 1:
        raise ValueError(f"reshape: at most one dimension may be -1, but got {shape}")
    if any(size < -1 for size in shape):
        raise ValueError(f"reshape: dimensions should be at least -1, but got {shape}")
    known = math.prod(size for size in shape if size != -1)
    if not x.is_static:
        return x.with_shape(tuple(None if size == -1 else size for size in shape))
    if -1 in shape:
        if known == 0 or x.size % known:
            raise ValueError(f"reshape: {x.size} elements of shape {show_shape(x.shape)} do not fit into {shape}")
        return x.with_shape(tuple(x.size // known if size == -1 else size for size in shape))
    if known != x.size:
        raise ValueError(
            f"reshape: a tensor of shape {show_shape(x.shape)} has {x.size} elements, but shape {shape} needs {known}"
        )
    return x.with_shape(shape)


def static_reshape_attr(type: TensorType) -> tuple[int, ...]:
    """The shape attribute that gives a tensor of this type (at most one `?`)."""
    return tuple(-1 if size is None else size for size in type.shape)


def reshape_as(x: Any, like: Any) -> Any:
    """The symbol x in the shape of `like`, for static shapes and for shapes that only the run knows."""
    if x.shape == like.shape and like.type.is_static:
        return x
    if like.shape.count(None) <= 1 and (like.type.is_static or 0 not in like.shape):
        return reshape(x, shape=static_reshape_attr(like.type))
    return reshape_like(x, like)


def _emit_reshape(node: Node, arguments: Sequence[str], out: str | None) -> Code:
    before, after = node.inputs[0].type.shape, node.output.type.shape
    if len(before) == 2 and after == before[::-1] and 1 in before:  # a row to a column, or back: quicker so
        return f"{arguments[0]}.T"
    return Call(".reshape", (*arguments, node.attrs["shape"]))


def _batch_reshape(batch: Batch, x: Any, *, shape: tuple[int, ...]) -> Any:
    if -1 in shape and 0 in (batch.size, *x.shape):  # without elements -1 cannot be inferred
        shape = static_reshape_attr(_infer_reshape(x.type.with_shape(x.shape[1:]), shape=shape))
    return reshape(x, shape=(batch.size, *shape))


def _cuts_reshape(node: Node) -> Cuts | None:
    """Of dimensions that are merged, or made of one, the first can be cut."""
    before, after = node.inputs[0].type.shape, node.output.type.shape
    if None in before or None in after or 0 in before:
        return None
    given: list[Label] = [None] * len(before)
    made: list[Label] = [None] * len(after)
    left = [axis for axis, size in enumerate(before) if size != 1]
    right = [axis for axis, size in enumerate(after) if size != 1]
    while left and right:
        i, j = left.pop(0), right.pop(0)
        given[i] = made[j] = i
        one, other = before[i] or 1, after[j] or 1
        while one != other:
            if one < other:
                one *= before[left.pop(0)] or 1
            else:
                other *= after[right.pop(0)] or 1
    return Cuts((tuple(given),), (tuple(made),), attrs=lambda shape: {"shape": shape})


reshape: Op = Op(
    "reshape",
    parts=of_each,
    cuts=_cuts_reshape,
    kind="view",
    keeps_order=True,
    attrs={"shape": INTS},
    emit=_emit_reshape,
    infer=_infer_reshape,
    kernel=lambda x, *, shape: np.reshape(x, shape),
    vjp=lambda x, out, dout, *, shape: reshape_as(dout, x),
    batch=_batch_reshape,
    rewrites=(lambda node: _same(node),),
    samples=lambda: [
        Sample(pair((2, 6)), {"shape": (3, 4)}),
        Sample(pair((2, 3)), {"shape": (-1,)}),
        Sample(pair(()), {"shape": (1, 1)}),
    ],
    doc="x with the same elements in C order in another shape; one dimension may be -1.",
)


def _same(node: Node) -> Operand | None:
    x = node.inputs[0]
    return x if isinstance(x, Value) and x.type is node.outputs[0].type and x.type.is_static else None


def _infer_transpose(x: TensorType, *, axes: tuple[int, ...]) -> TensorType:
    if sorted(axes) != list(range(x.rank)):
        raise ValueError(f"transpose: axes should be a permutation of {tuple(range(x.rank))}, but got {axes}")
    return x.with_shape(tuple(x.shape[axis] for axis in axes))


def inverse_permutation(axes: tuple[int, ...]) -> tuple[int, ...]:
    """The permutation that undoes `axes`."""
    return tuple(axes.index(position) for position in range(len(axes)))


def _batch_transpose(batch: Batch, x: Any, *, axes: tuple[int, ...]) -> Any:
    return transpose(x, axes=(0, *[axis + 1 for axis in axes]))


def _cuts_transpose(node: Node) -> Cuts:
    (labels,) = labelled(node.inputs[0].type.shape)
    return Cuts((labels,), (tuple(labels[axis] for axis in node.attrs["axes"]),))


transpose: Op = Op(
    "transpose",
    parts=of_each,
    cuts=_cuts_transpose,
    kind="view",
    attrs={"axes": INTS},
    emit=lambda node, arguments, out: (
        f"{arguments[0]}.T" if node.attrs["axes"] == (1, 0) else Call(".transpose", (*arguments, node.attrs["axes"]))
    ),
    infer=_infer_transpose,
    kernel=lambda x, *, axes: np.transpose(x, axes),
    vjp=lambda x, out, dout, *, axes: transpose(dout, axes=inverse_permutation(axes)),
    batch=_batch_transpose,
    rewrites=(lambda node: node.inputs[0] if node.attrs["axes"] == tuple(range(len(node.attrs["axes"]))) else None,),
    samples=lambda: [Sample(pair((2, 3, 4)), {"axes": (2, 0, 1)}), Sample(pair((2, 3)), {"axes": (1, 0)})],
    doc="x with its dimensions permuted.",
)


def _infer_broadcast_to(x: TensorType, *, shape: tuple[int, ...]) -> TensorType:
    if broadcast_shapes(x.shape, shape) != tuple(shape):
        raise ValueError(f"broadcast_to: shape {show_shape(x.shape)} cannot be broadcast to {show_shape(shape)}")
    return x.with_shape(tuple(shape))


def _batch_broadcast_to(batch: Batch, x: Any, *, shape: tuple[int, ...]) -> Any:
    return broadcast_to(batch.align(x, True, len(shape)), shape=(batch.size, *shape))


def _cuts_broadcast_to(node: Node) -> Cuts:
    given, made = labelled(node.inputs[0].type.shape, node.output.type.shape)
    return Cuts((given,), (made,), attrs=lambda shape: {"shape": shape})


broadcast_to: Op = Op(
    "broadcast_to",
    parts=of_each,
    cuts=_cuts_broadcast_to,
    kind="view",
    attrs={"shape": SIZES},
    infer=_infer_broadcast_to,
    kernel=lambda x, *, shape: np.broadcast_to(x, shape),
    vjp=lambda x, out, dout, *, shape: dout,  # the caller undoes broadcasting
    batch=_batch_broadcast_to,
    rewrites=(_same,),
    samples=lambda: [Sample(pair((3, 1)), {"shape": (2, 3, 4)}), Sample(pair(()), {"shape": (2, 2)})],
    doc="x repeated along new and one-sized dimensions (a view).",
)


def _infer_like(x: TensorType, like: TensorType) -> TensorType:
    return x.with_shape(like.shape)


def _batch_broadcast_like(batch: Batch, x: Any, like: Any) -> Any:
    x, like = batch.stacked((x, like))
    return broadcast_like(batch.align(x, True, like.rank - 1), like)


def _batch_sum_like(batch: Batch, x: Any, like: Any) -> Any:
    x, like = batch.stacked((x, like))
    total = sum_like(x, batch.align(like, True, x.rank - 1))
    return drop_axes(total, tuple(range(1, 1 + x.rank - like.rank)))


reshape_like: Op = Op(
    "reshape_like",
    infer=_infer_like,
    kernel=lambda x, like: np.reshape(x, like.shape),
    vjp=lambda x, like, out, dout: (reshape_as(dout, x), None),
    batch=leading,
    samples=lambda: [Sample(pair((2, 3), (3, 2)))],
    doc="x in the shape that `like` has at run time.",
)
broadcast_like: Op = Op(
    "broadcast_like",
    infer=_infer_like,
    kernel=lambda x, like: np.broadcast_to(x, like.shape),
    vjp=lambda x, like, out, dout: (dout, None),  # the caller undoes broadcasting
    batch=_batch_broadcast_like,
    samples=lambda: [Sample(pair((3,), (2, 3)))],
    doc="x broadcast to the shape that `like` has at run time.",
)


def _kernel_sum_like(x: np.ndarray, like: np.ndarray) -> np.ndarray:
    lead = x.ndim - like.ndim
    axes = tuple(range(lead)) + tuple(
        axis + lead for axis, size in enumerate(like.shape) if size == 1 and x.shape[axis + lead] != 1
    )
    return np.add.reduce(x, axis=axes, dtype=x.dtype).reshape(like.shape) if axes else x.reshape(like.shape)


sum_like: Op = Op(
    "sum_like",
    infer=_infer_like,
    kernel=_kernel_sum_like,
    vjp=lambda x, like, out, dout: (broadcast_like(dout, x), None),
    batch=_batch_sum_like,
    samples=lambda: [Sample(pair((2, 3), (3,))), Sample(pair((2, 3), (2, 1)))],
    doc="x summed over the axes along which a tensor of the shape of `like` was broadcast.",
)


def broadcast_as(x: Any, like: Any) -> Any:
    """The symbol x broadcast to the shape of `like`, for static shapes and for shapes that only the run knows."""
    if like.type.is_static:
        return x if x.shape == like.shape else broadcast_to(x, shape=like.shape)
    return broadcast_like(x, like)


def expand_axes(x: Any, axes: tuple[int, ...], shape: Shape) -> Any:
    """The symbol x with the reduced `axes` of `shape` inserted as dimensions of size one."""
    return x if x.rank == len(shape) else insert_axes(x, axes)


def _infer_expand_dims(x: TensorType, *, axes: tuple[int, ...]) -> TensorType:
    rank = x.rank + len(axes)
    if list(axes) != sorted(set(axes)) or any(not 0 <= axis < rank for axis in axes):
        raise ValueError(f"expand_dims: axes should be sorted, distinct and in [0, {rank}), but got {axes}")
    sizes = iter(x.shape)
    return x.with_shape(tuple(1 if axis in axes else next(sizes) for axis in range(rank)))


def _infer_squeeze(x: TensorType, *, axes: tuple[int, ...]) -> TensorType:
    if len(set(axes)) < len(axes):
        raise ValueError(f"squeeze: axes {axes} name a dimension twice")
    for axis in axes:
        if not 0 <= axis < x.rank:
            raise ValueError(f"squeeze: axes should be in [0, {x.rank}), but got {axes}")
        if x.shape[axis] not in (1, None):
            raise ValueError(f"squeeze: dimension {axis} of shape {show_shape(x.shape)} is not of size 1")
    return x.with_shape(tuple(size for axis, size in enumerate(x.shape) if axis not in axes))


def _batch_expand_dims(batch: Batch, x: Any, *, axes: tuple[int, ...]) -> Any:
    return expand_dims(x, axes=tuple(axis + 1 for axis in axes))


expand_dims: Op = Op(
    "expand_dims",
    kind="view",
    attrs={"axes": INTS},
    infer=_infer_expand_dims,
    kernel=lambda x, *, axes: np.expand_dims(x, axes),
    vjp=lambda x, out, dout, *, axes: squeeze(dout, axes=axes),
    batch=_batch_expand_dims,
    rewrites=(lambda node: None if node.attrs["axes"] else node.inputs[0],),
    samples=lambda: [Sample(pair((2, 3)), {"axes": (0, 2)})],
    doc="x with new dimensions of size one; for shapes that reshape cannot write, with several `?`.",
)
squeeze: Op = Op(
    "squeeze",
    kind="view",
    attrs={"axes": INTS},
    infer=_infer_squeeze,
    kernel=lambda x, *, axes: np.squeeze(x, axes),
    vjp=lambda x, out, dout, *, axes: expand_dims(dout, axes=axes),
    batch=shifted("axes"),
    rewrites=(lambda node: None if node.attrs["axes"] else node.inputs[0],),
    samples=lambda: [Sample(pair((1, 2, 1, 3)), {"axes": (0, 2)})],
    doc="x without some dimensions of size one; for shapes that reshape cannot write, with several `?`.",
)


def _reshapes_to(x: TensorType, shape: Shape) -> bool:
    """Whether one reshape attribute can express this shape of the same elements."""
    return x.is_static or (shape.count(None) <= 1 and 0 not in shape)


def insert_axes_step(x: TensorType, axes: tuple[int, ...]) -> tuple[Op, dict[str, Any]]:
    """The op and attributes that insert dimensions of size one at these axes of the result, for a tensor of this
    type."""
    shape = _infer_expand_dims(x, axes=axes).shape
    if _reshapes_to(x, shape):
        return reshape, {"shape": tuple(-1 if size is None else size for size in shape)}
    return expand_dims, {"axes": axes}


def drop_axes_step(x: TensorType, axes: tuple[int, ...]) -> tuple[Op, dict[str, Any]]:
    """The op and attributes that drop dimensions of size one at these axes of a tensor of this type."""
    shape = _infer_squeeze(x, axes=axes).shape
    if _reshapes_to(x, shape) and all(x.shape[axis] == 1 for axis in axes):
        return reshape, {"shape": tuple(-1 if size is None else size for size in shape)}
    return squeeze, {"axes": axes}


def insert_axes(x: Any, axes: tuple[int, ...]) -> Any:
    """The symbol x with new dimensions of size one at these (sorted) axes of the result."""
    if not axes:
        return x
    op, attrs = insert_axes_step(x.type, axes)
    return op(x, **attrs)


def drop_axes(x: Any, axes: tuple[int, ...]) -> Any:
    """The symbol x without these dimensions, which must have size one."""
    if not axes:
        return x
    op, attrs = drop_axes_step(x.type, axes)
    return op(x, **attrs)


def _merged(shape: Shape, start: int, stop: int) -> Shape:
    inner = shape[start:stop]
    size = None if None in inner and 0 not in inner else 0 if 0 in inner else math.prod(inner)  # type: ignore[arg-type]
    return (*shape[:start], size, *shape[stop:])


def _infer_merge_axes(x: TensorType, *, start: int, stop: int) -> TensorType:
    if not 0 <= start < stop <= x.rank:
        raise ValueError(f"merge_axes: there are no dimensions {start} to {stop - 1} in shape {show_shape(x.shape)}")
    return x.with_shape(_merged(x.shape, start, stop))


def _batch_merge_axes(batch: Batch, x: Any, *, start: int, stop: int) -> Any:
    return merge_axes(x, start=start + 1, stop=stop + 1)


merge_axes: Op = Op(
    "merge_axes",
    kind="view",
    attrs={"start": INT, "stop": INT},
    infer=_infer_merge_axes,
    kernel=lambda x, *, start, stop: np.reshape(x, _merged(x.shape, start, stop)),
    vjp=lambda x, out, dout, *, start, stop: reshape_as(dout, x),
    batch=_batch_merge_axes,
    samples=lambda: [Sample(pair((2, 3, 4)), {"start": 0, "stop": 2}), Sample(pair((2, 3)), {"start": 1, "stop": 2})],
    doc="x with the dimensions from start to stop made one; for shapes that reshape cannot write, with several `?`.",
)


def flatten_axes(x: Any, start: int, stop: int) -> Any:
    """The symbol x with the dimensions from start to stop (exclusive) merged into one."""
    shape = _infer_merge_axes(x.type, start=start, stop=stop).shape
    if _reshapes_to(x.type, shape):
        return reshape(x, shape=tuple(-1 if size is None else size for size in shape))
    return merge_axes(x, start=start, stop=stop)
