"""From Python's index expressions to ops: the ops that read and write x[key]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ir.op import Op
from ..ir.types import Dimension, Shape, TensorType, show_shape
from .gathering import take
from .index_batching import OPERAND, Spec
from .indexing import index, index_add, index_update
from .regions import check_position, infer_region
from .shape import drop_axes_step, insert_axes_step
from .slicing import normalize_slice, slice as slice_op

_WHOLE = (None, None, 1)

TypeOf = Callable[[Any], "TensorType | None"]
"""Tells tensors among the items of an index expression: their type, None for anything else."""

Step = tuple[Op, tuple[Any, ...], dict[str, Any]]
"""One op to apply to a tensor: the op, the operands that follow the tensor, the attributes."""


def parse_index(key: Any, shape: Shape, type_of: TypeOf) -> tuple[Spec, list[Any]]:
    """The spec of an index expression on a tensor of this shape, and the tensors in it.

    `key` is the argument of `__getitem__`: ints, slices (with ints or tensors as bounds), None, Ellipsis, True and
    tensors (lists must be tensors already), alone or in a tuple. IndexError says what does not fit.
    """
    spec: list[Any] = []
    operands: list[Any] = []
    axis = 0
    for item in _for_each_axis(list(key) if isinstance(key, tuple) else [key], shape, type_of):
        if type_of(item) is not None:
            spec.append(OPERAND)
            operands.append(item)
        elif item is None:
            spec.append(None)
        elif isinstance(item, (bool, np.bool_)):
            if not item:
                raise IndexError("a tensor can be indexed by the bool True (which adds a dimension), but not by False")
            spec.append(True)
        elif isinstance(item, slice):
            spec.append(_parse_slice(item, shape[axis], type_of, operands))
        else:
            spec.append(_parse_position(item, axis, shape))
        axis += _axes_of(item, type_of)
    if OPERAND not in spec:
        spec = [None if entry is True else entry for entry in spec]
    return tuple(spec), operands


def _axes_of(item: Any, type_of: TypeOf) -> int:
    """How many dimensions of the tensor an item is for."""
    type = type_of(item)
    if type is not None:
        return type.rank if type.dtype.is_bool else 1
    return 0 if item is None or item is Ellipsis or isinstance(item, (bool, np.bool_)) else 1


def _for_each_axis(items: list[Any], shape: Shape, type_of: TypeOf) -> list[Any]:
    """The items with whole slices for the dimensions that an Ellipsis, or nothing, stands for."""
    used = sum(_axes_of(item, type_of) for item in items)
    ellipses = [position for position, item in enumerate(items) if item is Ellipsis]
    if len(ellipses) > 1:
        raise IndexError("an index can have only one Ellipsis ('...')")
    if used > len(shape):
        raise IndexError(
            f"too many indices for a tensor of shape {show_shape(shape)}: the dim of index, {used}, cannot be "
            f"greater than indexed data, {len(shape)}"
        )
    at = ellipses[0] if ellipses else len(items)
    return [*items[:at], *[slice(None)] * (len(shape) - used), *items[at + 1 :]]


def _parse_position(item: Any, axis: int, shape: Shape) -> int:
    if not hasattr(item, "__index__"):
        raise IndexError(
            f"a tensor can be indexed by integers, slices, '...', None, True, tensors and lists of integers or bools, "
            f"but got {item!r} of type {type(item).__name__}"
        )
    position = item.__index__()
    check_position(position, axis, shape)
    size = shape[axis]
    return position + size if position < 0 and size is not None else position


def _parse_slice(item: slice, size: Dimension, type_of: TypeOf, operands: list[Any]) -> tuple[Any, Any, Any]:
    parts: list[Any] = []
    for bound in (item.start, item.stop, item.step):
        if type_of(bound) is not None:
            parts.append(OPERAND)
            operands.append(bound)
        elif bound is None or hasattr(bound, "__index__"):
            parts.append(None if bound is None else bound.__index__())
        else:
            raise IndexError(f"bounds of slices should be integers, tensors or None, but got {bound!r}")
    start, stop, step = parts
    if OPERAND in parts:
        return (start, stop, 1 if step is None else step)
    return normalize_slice(start, stop, step, size)


def plan_index(key: Any, type: TensorType, type_of: TypeOf) -> list[Step]:
    """The steps that read an index expression of a tensor of this type.

    Ints, slices and new axes are views; one tensor of integers among them is `take`, if the axes of its result stand
    where it stands; the rest is `index`.
    """
    spec, operands = parse_index(key, type.shape, type_of)
    types = [found for found in map(type_of, operands) if found is not None]
    infer_region(type.shape, types, spec)
    if not operands:
        return _plan_view(spec, type)
    if len(operands) > 1 or OPERAND not in spec or types[0].dtype.is_bool or not _stays(spec, types[0].rank):
        return [(index, tuple(operands), {"spec": spec})]
    if spec[0] == OPERAND and types[0].rank == 0:
        # A row, which a loop may read without the others, then what the spec takes of it.
        return [(take, tuple(operands), {"axis": 0}), *_plan_view(spec[1:], type.with_shape(type.shape[1:]))]
    return _plan_take(spec, operands[0], types[0], type)


def _stays(spec: Spec, rank: int) -> bool:
    """Whether the axes of a tensor of this rank stand in the result where the tensor stands in the spec. NumPy moves
    them to the front if a slice or a new axis separates the tensor from an int."""
    if any(entry is True for entry in spec):
        return False
    chosen = [place for place, entry in enumerate(spec) if entry == OPERAND or isinstance(entry, int)]
    return rank == 0 or chosen[-1] - chosen[0] + 1 == len(chosen)


def _plan_take(spec: Spec, operand: Any, indices: TensorType, type: TensorType) -> list[Step]:
    """The slices and ints of a spec, then one tensor of integers, then the new axes."""
    place = spec.index(OPERAND) - spec[: spec.index(OPERAND)].count(None)
    bounds = [entry for entry in spec if entry is not None]
    bounds[place] = normalize_slice(None, None, None, type.shape[place])
    steps = _plan_view(tuple(bounds), type)
    left = [entry for entry in spec if not isinstance(entry, int)]
    axis = left.index(OPERAND) - left[: left.index(OPERAND)].count(None)
    taken = take.infer(_type_after(type, steps), indices, axis=axis)
    steps.append((take, (operand,), {"axis": axis}))
    new: list[bool] = []  # for each dimension of the result, whether it is a new axis
    for entry in left:
        new += [False] * indices.rank if entry == OPERAND else [entry is None]
    return steps + _plan_new_axes(tuple(axis for axis, here in enumerate(new) if here), taken)


def _type_after(type: TensorType, steps: Sequence[Step]) -> TensorType:
    for op, _, attrs in steps:
        inferred = op.infer(type, **attrs)
        assert isinstance(inferred, TensorType)
        type = inferred
    return type


def _plan_new_axes(axes: tuple[int, ...], type: Any) -> list[Step]:
    if not axes:
        return []
    op, attrs = insert_axes_step(type, axes)
    return [(op, (), attrs)]


def _plan_view(spec: Spec, type: TensorType) -> list[Step]:
    """A slice, then dropped and added dimensions, each if needed."""
    steps: list[Step] = []
    entries = [entry for entry in spec if entry is not None]
    bounds = [(entry, entry + 1 or None, 1) if isinstance(entry, int) else entry for entry in entries]
    if bounds != [normalize_slice(None, None, None, size) for size in type.shape]:
        start, stop, step = zip(*bounds, strict=True)
        steps.append((slice_op, (), {"start": start, "stop": stop, "step": step}))
    dropped = tuple(axis for axis, entry in enumerate(entries) if isinstance(entry, int))
    if dropped:
        op, attrs = drop_axes_step(_type_after(type, steps), dropped)
        steps.append((op, (), attrs))
    kept = [entry for entry in spec if not isinstance(entry, int)]
    added = tuple(axis for axis, entry in enumerate(kept) if entry is None)
    return steps + _plan_new_axes(added, _type_after(type, steps))


def plan_assignment(key: Any, type: TensorType, type_of: TypeOf) -> tuple[tuple[Any, ...], dict[str, Any], Shape]:
    """The plan of `index_update` (x[key] = value) or `index_add` (x[key] += value) for an x of this type: the operands
    that follow the value, the attributes, and the shape of the selection, to which the value is broadcast."""
    spec, operands = parse_index(key, type.shape, type_of)
    types = [found for found in map(type_of, operands) if found is not None]
    return tuple(operands), {"spec": spec}, infer_region(type.shape, types, spec)


def get_item(x: Any, key: Any) -> Any:
    """The symbol x[key], for a key of symbols and Python values."""
    for op, operands, attrs in plan_index(key, x.type, symbol_type):
        x = op(x, *operands, **attrs)
    return x


def set_item(x: Any, key: Any, value: Any) -> Any:
    """The symbol x after x[key] = value."""
    operands, attrs, _ = plan_assignment(key, x.type, symbol_type)
    return index_update(x, value, *operands, **attrs)


def add_item(x: Any, key: Any, value: Any) -> Any:
    """The symbol x after x[key] += value. An element that the key names several times is added to several times."""
    operands, attrs, _ = plan_assignment(key, x.type, symbol_type)
    return index_add(x, value, *operands, **attrs)


def symbol_type(item: Any) -> TensorType | None:
    """The type of a symbol; None for anything else."""
    type = getattr(item, "type", None)
    return type if isinstance(type, TensorType) else None
