"""Index expressions on a batch of rows: the batch becomes one more item in front."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..ir.op import Op
from ..ir.rules import Batch
from ..ir.types import TensorType
from .shape import insert_axes, transpose

OPERAND = "operand"
"""In a spec: the next operand of the op, an index tensor, a mask, or a bound of a slice."""

Spec = tuple[Any, ...]
"""What an index expression says, one entry an item: an int, None (a new axis), True (a new axis that index tensors
broadcast with), OPERAND, or (start, stop, step), in which OPERAND stands for a bound given by a tensor of one element.
Dimensions past the last entry are taken whole."""


def inputs_of(spec: Spec) -> Iterator[tuple[int, bool]]:
    """For each operand the position of its entry, and whether it is a bound of a slice."""
    for position, entry in enumerate(spec):
        if entry == OPERAND:
            yield position, False
        elif isinstance(entry, tuple):
            yield from ((position, True) for part in entry if part == OPERAND)


def _layout(spec: Spec, operands: Sequence[TensorType], rank: int, first: int) -> list[tuple[str, int]]:
    """The origin of each dimension of a selection from a tensor of this rank: an entry, counted from `first`, a
    dimension that index tensors broadcast to, or one past the last entry, both counted from the back."""
    kinds: dict[int, TensorType | None] = dict.fromkeys(range(len(spec)))
    for (position, bound), operand in zip(inputs_of(spec), operands, strict=True):
        if not bound:
            kinds[position] = operand
    tensors: list[TensorType] = [kind for kind in kinds.values() if kind is not None]
    advanced = any(kind.rank > 0 or kind.dtype.is_bool for kind in tensors) or any(entry is True for entry in spec)
    result: list[tuple[str, int]] = []
    places: list[int] = []
    place = axis = common = 0
    for position, entry in enumerate(spec):
        if entry is None or isinstance(entry, tuple):
            result.append(("entry", position - first))
            axis += entry is not None
            continue
        if advanced:
            place = place if places else len(result)
            places.append(position)
        tensor = kinds[position]
        if entry is True or (tensor is not None and tensor.dtype.is_bool):
            common = max(common, 1)
        elif tensor is not None:
            common = max(common, tensor.rank)
        axis += 0 if entry is True else tensor.rank if tensor is not None and tensor.dtype.is_bool else 1
    if advanced:
        if places[-1] - places[0] + 1 != len(places):
            place = 0
        result[place:place] = [("common", common - 1 - dimension) for dimension in range(common)]
    return [*result, *[("rest", rank - 1 - here) for here in range(axis, rank)]]


def _batched(
    batch: Batch, operands: Sequence[Any], mapped: Sequence[bool], spec: Spec, rank: int, leading: bool
) -> tuple[Spec, list[Any], list[int]] | None:
    """The index expression on a batch, its operands, and the positions of the batch and of a row's dimensions in its
    selection. None if rows may select different numbers of elements."""
    for (_, bound), operand, here in zip(inputs_of(spec), operands, mapped, strict=True):
        if here and (bound or operand.dtype.is_bool):
            return None
    rows = [
        operand.type.with_shape(operand.shape[1:]) if here else operand.type
        for operand, here in zip(operands, mapped, strict=True)
    ]
    row = _layout(spec, rows, rank, 0)
    if not any(mapped):
        whole = ((None, None, 1), *spec)
        new = _layout(whole, rows, rank + 1, 1)
        return whole, list(operands), [new.index(label) for label in [("entry", -1), *row]]
    common = sum(kind == "common" for kind, _ in row)
    given = [batch.align(operand, here, common) for operand, here in zip(operands, mapped, strict=True)]
    if leading:
        spec, given = (OPERAND, *spec), [batch.rows(common), *given]
    new = _layout(spec, [operand.type for operand in given], rank + leading, int(leading))
    return spec, given, [new.index(label) for label in [("common", common), *row]]


def read_rows(batch: Batch, op: Op, x: Any, operands: Sequence[Any], spec: Spec) -> Any:
    """The result of `op(x, *operands, spec=spec)`, a selection, on a batch."""
    mapped = batch.mapped[1:]
    found = _batched(batch, operands, mapped, spec, x.rank - batch.mapped[0], batch.mapped[0])
    if found is None:
        return NotImplemented
    spec, given, order = found
    return _permuted(op(x, *given, spec=spec), order)


def write_rows(batch: Batch, op: Op, x: Any, value: Any, operands: Sequence[Any], spec: Spec) -> Any:
    """The result of `op(x, value, *operands, spec=spec)`, a write to a selection, on a batch."""
    found = _batched(batch, operands, batch.mapped[2:], spec, x.rank - batch.mapped[0], True)
    if found is None:
        return NotImplemented
    spec, given, order = found
    value = batch.align(value, batch.mapped[1], len(order) - 1)
    if order != sorted(order):
        value = insert_axes(value, tuple(range(len(order) - value.rank)))
        value = transpose(value, axes=tuple(order.index(place) for place in range(len(order))))
    return op(batch.stack(x, batch.mapped[0]), value, *given, spec=spec)


def _permuted(x: Any, order: Sequence[int]) -> Any:
    return x if list(order) == sorted(order) else transpose(x, axes=tuple(order))
