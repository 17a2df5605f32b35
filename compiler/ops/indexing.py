"""Ops that read and write the elements that NumPy index expressions select: index, index_update, index_add."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.kernels import positions as _positions  # `positions` is a function here
from ...runtime.kernels.scatter import accumulate_at
from ...runtime.native.counts import FEW, assign_at, compile_assignment, last_at
from ..ir.attributes import INDEX_ITEMS
from ..ir.code import Item, MadeFunction
from ..ir.graph import Node
from ..ir.op import Op, Sample
from ..ir.rules import Batch
from ..ir.spelling import spell
from ..ir.types import TensorType
from ..ir.values import literal
from .assembling import write_box
from .comparison import equal, less, logical_and, select
from .conversion import cast
from .creation import constant, iota, zeros_as, zeros_of
from .index_batching import OPERAND, Spec, inputs_of, read_rows, write_rows
from .infer import same_dtype
from .parts import of_each
from .places import by_spec, gather_by, scatter_by
from .reduction import max as largest
from .regions import infer_region
from .samples import pair
from .shape import broadcast_to, drop_axes, insert_axes
from .slicing import check_fits, slice_axis, start_from


def index_key(spec: Spec, operands: Sequence[np.ndarray]) -> tuple[Any, ...]:
    """The NumPy index for a spec and the arrays of its operands."""
    key, places = _known_part(spec, *map(type, spec))  # True is equal to 1
    found, remaining = [*key], iter(operands)
    for place in places:
        entry = found[place]
        if entry == OPERAND:
            array = next(remaining)
            found[place] = np.array(array, None if array.dtype.kind in "bi" else np.intp)
        else:
            found[place] = slice(*[int(next(remaining).item()) if part == OPERAND else part for part in entry])
    return tuple(found)


@lru_cache(maxsize=4096)
def _known_part(spec: Spec, *_: type) -> tuple[list[Any], list[int]]:
    """The NumPy index for a spec, where it is known without the operands, and the places of the other entries."""
    key: list[Any] = list(spec)
    places = []
    for place, entry in enumerate(spec):
        if entry == OPERAND or (isinstance(entry, tuple) and OPERAND in entry):
            places.append(place)
        elif isinstance(entry, tuple):
            key[place] = slice(*entry)
    return key, places


def range_error(error: IndexError, x: np.ndarray) -> IndexError:
    """The error in place of NumPy's about an index of `x`."""
    found = re.match(r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)$", str(error))
    if found is None:
        return IndexError(str(error))
    position, axis, size = map(int, found.groups())
    return _positions.range_error(position, size, axis, x.shape)


def may_repeat(spec: Spec, operands: Sequence[Any]) -> bool:
    """Whether an index expression may select an element twice. Only integer tensors with several elements do."""
    return any(
        not bound and not operand.dtype.is_bool and operand.rank > 0 and operand.shape != (1,) * operand.rank
        for (_, bound), operand in zip(inputs_of(spec), [operand.type for operand in operands], strict=True)
    )


def _is_view(spec: Spec, operands: Sequence[np.ndarray]) -> bool:
    return len(operands) == sum(bound for _, bound in inputs_of(spec))


def _kernel_index(x: np.ndarray, *operands: np.ndarray, spec: Spec) -> np.ndarray:
    try:
        result = x[index_key(spec, operands)]
    except IndexError as error:
        raise range_error(error, x) from None
    return result.copy() if _is_view(spec, operands) else result


def _vjp_index(x: Any, *rest: Any, spec: Spec) -> tuple[Any, ...]:
    *operands, _, dout = rest
    return (index_add(zeros_as(x), dout, *operands, spec=spec), *[None] * len(operands))


def positions(*values: int) -> np.ndarray:
    """A sample vector of Int64."""
    return np.array(values, np.int64)


_WHOLE = (None, None, 1)
_MASK = np.array([[True, False, True], [False, True, True]])


def _sample_specs() -> list[tuple[Spec, tuple[np.ndarray, ...]]]:
    one, bound = np.array(1, np.int64), np.array(2, np.int64)
    return [
        ((2, _WHOLE), ()),
        ((OPERAND, None, (0, 4, 2)), (one,)),
        ((_WHOLE, (1, OPERAND, 1)), (bound,)),
        ((OPERAND,), (positions(1, -1, 1),)),
        (((3, 0, -1), OPERAND), (positions(4, 0).reshape(2, 1),)),
        ((OPERAND, OPERAND), (positions(1, 0), positions(2, 2))),
    ]


def _read_samples() -> list[Sample]:
    samples = [Sample((*pair((4, 5)), *operands), {"spec": spec}) for spec, operands in _sample_specs()]
    return [*samples, Sample((*pair((2, 3)), _MASK), {"spec": (OPERAND,)})]


def _update_samples() -> list[Sample]:
    samples = []
    for spec, operands in _sample_specs():
        region = np.empty((4, 5))[index_key(spec, operands)].shape
        samples.append(Sample((*pair((4, 5), region), *operands), {"spec": spec}))
    samples.append(Sample((*pair((4, 5), ()), positions(1, 1)), {"spec": (OPERAND,)}))
    return [*samples, Sample((*pair((2, 3), (4,)), _MASK), {"spec": (OPERAND,)})]


def _batch_index(batch: Batch, x: Any, *operands: Any, spec: Spec) -> Any:
    return read_rows(batch, index, x, operands, spec)


def _infer_index(x: TensorType, *operands: TensorType, spec: Spec) -> TensorType:
    return x.with_shape(infer_region(x.shape, operands, spec))


index: Op = Op(
    "index",
    parts=of_each,
    attrs={"spec": INDEX_ITEMS},
    infer=_infer_index,
    kernel=_kernel_index,
    vjp=_vjp_index,
    batch=_batch_index,
    gathers=lambda x, *operands, spec: gather_by(by_spec(x, operands, spec), x),
    samples=_read_samples,
    doc="x[…] for any NumPy index; `spec` holds what is known before the run, operands are tensors among the items.",
)


def _infer_index_write(x: TensorType, value: TensorType, *operands: TensorType, spec: Spec) -> TensorType:
    same_dtype(x, value)
    check_fits(value.shape, infer_region(x.shape, operands, spec))
    return x


def _kernel_index_update(
    x: np.ndarray, value: np.ndarray, *operands: np.ndarray, spec: Spec, out: np.ndarray | None = None
) -> np.ndarray:
    result = start_from(x, out)
    if value.ndim == 0 and spec == (OPERAND,) and operands[0].dtype == np.bool_:
        mask = operands[0]
        np.copyto(result, value, where=mask.reshape(mask.shape + (1,) * (x.ndim - mask.ndim)))
        return result
    try:
        key = index_key(spec, operands)
        if not (any(operand.ndim for operand in operands) and assign_at(result, key, value)):
            result[key] = value
    except IndexError as error:
        raise range_error(error, x) from None
    return result


def _vjp_index_update(x: Any, value: Any, *rest: Any, spec: Spec) -> tuple[Any, ...]:
    *operands, _, dout = rest
    dvalue = index(dout, *operands, spec=spec)
    if may_repeat(spec, operands):
        dvalue = dvalue * index_last(dout, *operands, spec=spec)
    dx = index_update(dout, literal(0, dout.dtype), *operands, spec=spec)
    return (dx, dvalue, *[None] * len(operands))


def _batch_index_update(batch: Batch, x: Any, value: Any, *operands: Any, spec: Spec) -> Any:
    if spec == (OPERAND,) and operands[0].dtype.is_bool and value.rank == batch.mapped[1]:
        # One value for all that a mask takes, which may be another number of elements in each row.
        mask, stacked = batch.stack(operands[0], batch.mapped[2]), batch.stack(x, batch.mapped[0])
        mask = insert_axes(mask, tuple(range(mask.rank, stacked.rank)))
        return select(mask, batch.align(value, batch.mapped[1], batch.rank([x, value], 0)), stacked)
    return write_rows(batch, index_update, x, value, operands, spec)


def _emit_index_update(node: Node, arguments: Sequence[str], out: str | None) -> Item | None:
    """An assignment, if the index is known and takes something, or one position of each of some axes."""
    spec = node.attrs["spec"]
    known = all(type(entry) is int or (isinstance(entry, tuple) and OPERAND not in entry) for entry in spec)
    if out is None or not spec:
        return None
    if not known:
        return _assigned_by_function(node, arguments)
    return Item(", ".join(spell(entry) if isinstance(entry, int) else _bounds(*entry) for entry in spec))


def _assigned_by_function(node: Node, arguments: Sequence[str]) -> Item | None:
    """An assignment at positions of one shape, by machine code; None for others."""
    x, value, *positions = [operand.type for operand in node.inputs]
    if not all(type.is_static for type in (x, value, *positions)) or x.dtype.np.name not in _CHOSEN:
        return None
    common = positions[0].static_shape if positions else ()
    if any(each.shape != common or each.dtype.np.name not in ("int32", "int64") for each in positions):
        return None
    axes = axes_of_positions(x.static_shape, node.attrs["spec"], len(common))
    if axes is None or axes.count(-1) != len(positions) or not 0 < x.size < 1 << 31:
        return None
    region = [size for size, axis in zip(x.static_shape, axes, strict=True) if axis >= 0]
    region[axes.index(-1) : axes.index(-1)] = common
    if value.shape not in ((), tuple(region)) or not 0 < math.prod(region) < 1 << 31:
        return None
    sizes = tuple(each.dtype.np.itemsize for each in positions)
    given = x.dtype.np.name, x.static_shape, axes, sizes, value.static_shape, *([common] if common else [])
    made = MadeFunction(compile_assignment, given, "assign")
    return Item("", made, (*arguments[2:], arguments[1]))


def axes_of_positions(shape: Sequence[int], spec: Spec, rank: int = 0) -> tuple[int, ...] | None:
    """For each axis that of the region that an index takes; -1 where a position indexes it. None if there are no
    positions, if they stand apart, or if parts of an axis are taken. `rank`: of the positions, whose axes come where
    the first one indexes."""
    axes, count = list[int](), 0
    for size, entry in zip(shape, (*spec, *[(None, None, 1)] * (len(shape) - len(spec))), strict=False):
        if entry == OPERAND:
            count += rank * (-1 not in axes)
            axes.append(-1)
        elif type(entry) is tuple and OPERAND not in entry and slice(*entry).indices(size) == (0, size, 1):
            axes.append(count)
            count += 1
        else:
            return None
    taken = [number for number, axis in enumerate(axes) if axis < 0]
    if not taken or len(axes) < len(shape) or taken[-1] - taken[0] >= len(taken):
        return None
    return tuple(axes)


_CHOSEN = ("float32", "float64", "int32", "int64")
MOST_ASSIGNED = 4096  # elements of a tensor that is computed anew to assign some of them, in a kernel
MOST_PAIRED = 256  # positions of which each is compared with each other one
MOST_SELECTED = 1 << 14  # the same, at positions that only the run knows


def _by_mask(x: Any, value: Any, *, spec: Spec) -> Any:
    """index_update of a small tensor, at known positions, as a choice, for kernels."""
    if not spec or None in (*x.shape, *value.shape) or not 0 < math.prod(x.shape) <= MOST_ASSIGNED:
        return None
    if not all(type(entry) is int or isinstance(entry, tuple) for entry in spec) or x.dtype.np.name not in _CHOSEN:
        return None
    rest = [entry for entry in spec if isinstance(entry, tuple)]
    numbers = len(spec) - len(rest)
    whole = [slice(*entry).indices(size) == (0, size, 1) for entry, size in zip(rest, x.shape[numbers:], strict=False)]
    if value.rank and not (value.rank <= x.rank - numbers and list(spec[numbers:]) == rest and all(whole)):
        return None  # it does not broadcast as it stands
    mask = np.zeros(x.shape, np.bool_)
    mask[index_key(spec, ())] = True
    return select(constant(value=mask), value, x)


def _bounds(*bounds: int | None) -> str:
    return ":".join("" if bound is None else spell(bound) for bound in bounds)


def _at_numbers(x: Any, value: Any, positions: Sequence[Any], spec: Spec) -> Any:
    """index_update of a small tensor at one position of each of some axes, as a choice, for kernels."""
    if None in (*x.shape, *value.shape) or not 0 < x.type.size <= MOST_SELECTED or x.dtype.np.name not in _CHOSEN:
        return None
    axes = tuple(axis for axis, entry in enumerate(spec) if entry == OPERAND)
    if (
        len(axes) < len(positions)
        or not 0 <= x.rank - len(axes) - value.rank <= (value.rank == 0 or axes[-1] < len(axes)) * x.rank
    ):
        return None
    if any(
        axis not in axes and (type(e) is not tuple or slice(*e).indices(n) != (0, n, 1))
        for axis, (e, n) in enumerate(zip(spec, x.shape, strict=False))
    ):
        return None
    chosen = None
    for axis, position in zip(axes, positions, strict=True):
        line = iota(
            start=0, step=1, size=x.shape[axis], dtype=dtypes.int64 if x.dtype.np.itemsize == 8 else dtypes.int32
        )
        # The position is read from the line, which refuses those that are out of range.
        mask = equal(insert_axes(line, tuple(range(1, x.rank - axis))), index(line, position, spec=(OPERAND,)))
        chosen = mask if chosen is None else logical_and(chosen, mask)
    return select(chosen, insert_axes(value, axes) if value.rank == x.rank - len(axes) else value, x)


def _update_in_kernels(x: Any, value: Any, *operands: Any, spec: Spec) -> Any:
    """A choice by a mask, or what is around a box and in it; None where NumPy is to assign."""
    if not operands:
        chosen = _by_mask(x, value, spec=spec)
        return write_box(x, value, spec) if chosen is None else chosen
    if not any(each.rank or each.dtype.is_bool for each in operands):
        return _at_numbers(x, value, operands, spec)
    mask = operands[0]
    rest = list(zip(spec[1:], x.shape[mask.rank :], strict=False))
    if spec[0] != OPERAND or not mask.dtype.is_bool or value.rank or None in (*mask.shape, *x.shape):
        return None
    if len(operands) > 1 or any(type(e) is not tuple or slice(*e).indices(n) != (0, n, 1) for e, n in rest):
        return None
    return select(insert_axes(mask, tuple(range(mask.rank, x.rank))), value, x)


index_update: Op = Op(
    "index_update",
    parts=of_each,
    attrs={"spec": INDEX_ITEMS},
    emit=_emit_index_update,
    infer=_infer_index_write,
    kernel=_kernel_index_update,
    vjp=_vjp_index_update,
    batch=_batch_index_update,
    native_definition=_update_in_kernels,
    inplace=True,
    samples=_update_samples,
    doc="x after x[…] = value (broadcast); where an element is named twice the last value stays.",
)


def _kernel_index_last(x: np.ndarray, *operands: np.ndarray, spec: Spec, out: np.ndarray | None = None) -> np.ndarray:
    return last_at(x.shape, index_key(spec, operands), x.dtype, out)


def _last_in_kernels(x: Any, *operands: Any, spec: Spec) -> Any:
    """Few positions along one axis are compared with each other; None for others."""
    if len(operands) != 1 or operands[0].rank != 1 or not operands[0].dtype.is_integer or None in x.shape:
        return None
    axes, count = axes_of_positions(x.shape, spec, 1), operands[0].shape[0]
    if axes is None or count is None or not 0 < count <= MOST_PAIRED:
        return None
    region = [*x.shape]
    region[axes.index(-1)] = count
    if math.prod(region) >= FEW:  # the pass of places has one node for all of them
        return None
    at = select(less(operands[0], 0), operands[0] + x.shape[axes.index(-1)], operands[0])
    same = equal(insert_axes(at, (1,)), insert_axes(at, (0,)))
    order = iota(start=0, step=1, size=count, dtype=dtypes.int32)
    later = less(insert_axes(order, (1,)), insert_axes(order, (0,)))
    replaced = largest(cast(logical_and(same, later), dtype=dtypes.int32), axis=(1,), keepdims=False)
    last = select(equal(replaced, 0), literal(1, x.dtype), literal(0, x.dtype))
    last = insert_axes(last, tuple(axis for axis in range(x.rank) if axes[axis] >= 0))
    return broadcast_to(last, shape=tuple(region))


def _batch_index_last(batch: Batch, x: Any, *operands: Any, spec: Spec) -> Any:
    if not any(batch.mapped[1:]):  # the numbers of x do not matter
        row = drop_axes(slice_axis(x, 0, 0, 1), (0,)) if batch.size else zeros_of(x.type.with_shape(x.shape[1:]))
        return batch.whole(index_last(row, *operands, spec=spec))
    stacked = batch.stack(x, batch.mapped[0])
    return read_rows(batch.with_mapped(True, *batch.mapped[1:]), index_last, stacked, operands, spec)


def _batch_index_add(batch: Batch, x: Any, value: Any, *operands: Any, spec: Spec) -> Any:
    return write_rows(batch, index_add, x, value, operands, spec)


index_last: Op = Op(
    "index_last",
    attrs={"spec": INDEX_ITEMS},
    infer=_infer_index,
    kernel=_kernel_index_last,
    batch=_batch_index_last,
    native_definition=_last_in_kernels,
    stays=(index, index_update),
    samples=lambda: [
        Sample((*pair((4,)), positions(1, 2, 1)), {"spec": (OPERAND,)}, gradient=False),
        Sample((*pair((2, 4, 3)), positions(-1, 3, 0)), {"spec": ((None, None, 1), OPERAND)}, gradient=False),
    ],
    doc="1 where x[…] = value leaves that element of the value in place, 0 where a later one replaces it.",
)


def _kernel_index_add(
    x: np.ndarray, value: np.ndarray, *operands: np.ndarray, spec: Spec, out: np.ndarray | None = None
) -> np.ndarray:
    result = start_from(x, out)
    key = index_key(spec, operands)
    repeats = any(isinstance(item, np.ndarray) and item.dtype != np.bool_ and item.size > 1 for item in key)
    try:
        if repeats:
            if not assign_at(result, key, value, np.add):
                accumulate_at(np.add, result, key, value)
        else:
            result[key] += value
    except IndexError as error:
        raise range_error(error, x) from None
    return result


index_add: Op = Op(
    "index_add",
    parts=of_each,
    attrs={"spec": INDEX_ITEMS},
    infer=_infer_index_write,
    kernel=_kernel_index_add,
    vjp=lambda x, value, *rest, spec: (
        rest[-1],
        index(rest[-1], *rest[:-2], spec=spec),
        *[None] * (len(rest) - 2),
    ),
    batch=_batch_index_add,
    scatters=lambda x, value, *operands, spec: scatter_by(by_spec(x, operands, spec), x, value),
    inplace=True,
    samples=_update_samples,
    doc="x after x[…] += value (broadcast), where elements named several times are added to several times.",
)
