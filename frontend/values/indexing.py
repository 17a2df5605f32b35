"""Indexing: `x[key]` and `x[key] = value` on tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...compiler import ops as prims
from ...compiler.ir.types import TensorType
from ...compiler.ops.index_plan import Step, plan_assignment, plan_index
from ...runtime import dtypes
from ..state import STATE
from .arguments import drop_axes
from .dispatch import Number, apply, as_tensor, cast, is_weak
from .operands import as_literal
from .tensor import Tensor
from .traced_tensor import TracedTensor

__all__ = ["getitem", "setitem"]


def getitem(x: Tensor, key: Any) -> Tensor:
    """The selection `x[key]`.

    Args:
        x: a tensor.
        key: ints, slices (whose bounds may be tensors), None, Ellipsis, True, tensors, arrays and lists of integers or
            booleans, alone or in a tuple (in which tuples count as lists).

    Raises:
        IndexError: if the key is none of these, or out of range.
        TypeError: if a 0-d tensor is indexed by an int or slice.
    """
    if not x._type.shape and not isinstance(key, (tuple, type(None), type(Ellipsis), bool, Tensor)):
        raise TypeError("a 0-d tensor cannot be indexed")
    result = x
    plain = _plain(key)
    block = _block(x, key) if plain is None else None
    found = block.read() if block is not None else None
    if found is not None:
        return found
    selects = plain is None and _has_tensor_bounds(key)  # whether tensors choose the elements, which then are copies
    for op, operands, attrs in _plan(key, plain, x._type):
        result = apply(op, result, *operands, **attrs)
        selects = selects or not all(map(is_weak, operands))
    if result is x:
        result = apply(prims.copy, x)
    if not selects:
        result._base = (x, key)
    return result


def _block(x: Tensor, key: Any) -> Any:
    """The block of known size that a slice whose bounds move with a loop chooses; None if there is none."""
    for item in key if isinstance(key, tuple) else (key,):
        if isinstance(item, slice) and isinstance(item.start, TracedTensor):
            return STATE.trace.block(x, key)
    return None


def _has_tensor_bounds(key: Any) -> bool:
    """Whether a bound of a slice is a tensor. It counts as one even if its number is known."""
    if isinstance(key, tuple):
        return any(map(_has_tensor_bounds, key))
    if not isinstance(key, slice):
        return False
    return any(isinstance(bound, Tensor) and not is_weak(bound) for bound in (key.start, key.stop, key.step))


def _plan(key: Any, plain: Any, type: TensorType) -> Sequence[Step]:
    """The steps that read an index. They are cached if `_plain` has a form of the index, because they depend on nothing
    else."""
    if plain is None:
        return plan_index(tensors_in(key), type, type_of_item)
    found = _PLANS.get((plain, type.shape))
    if found is None:
        if len(_PLANS) > 10_000:
            _PLANS.clear()
        found = _PLANS[plain, type.shape] = tuple(plan_index(key, type, type_of_item))
    return found


_PLANS: dict[Any, tuple[Step, ...]] = {}


def _plain(key: Any) -> Any:
    """A hashable form of an index made of ints, slices of ints, None and Ellipsis; None of any other."""
    kind = type(key)
    if kind is int:
        return (key,)
    if kind is slice:
        bounds = (key.start, key.stop, key.step)
        return bounds if all(bound is None or type(bound) is int for bound in bounds) else None
    if kind is not tuple:
        return None
    parts = []
    for item in key:
        part = (item,) if item is None or item is Ellipsis else _plain(item) if type(item) is not tuple else None
        if part is None:
            return None
        parts.append(part)
    return ("tuple", *parts)


def setitem(x: Tensor, key: Any, value: Any) -> Tensor:
    """The tensor that x is after `x[key] = value`: the value is cast to x's dtype and broadcast.

    Raises:
        IndexError: if the key is no index, or out of range.
        TypeError: if the value is no tensor, number, or sequence of numbers.
        ValueError: if the value does not broadcast into the selection.
    """
    block = _block(x, key)
    written = block.written(value) if block is not None else None
    if written is not None:
        return written
    operands, attrs, region = plan_assignment(tensors_in(key), x._type, type_of_item)
    if not isinstance(value, (Tensor, *Number, list, tuple, np.ndarray, np.generic)):
        raise TypeError(f"a tensor can be assigned numbers, tensors, tuples and lists, but got {type(value).__name__}")
    if isinstance(value, (complex, np.complexfloating)):
        value = as_literal(complex(value), x.dtype)
    value = cast(as_tensor(value, x.dtype), x.dtype)
    surplus = value.ndim - len(region)
    if surplus > 0 and set(value._type.shape[:surplus]) == {1}:
        value = drop_axes(value, tuple(range(surplus)))
    return apply(prims.index_update, x, value, *operands, **attrs)


def type_of_item(item: Any) -> TensorType | None:
    """The type of a tensor in an index."""
    return item._type if isinstance(item, Tensor) else None


def tensors_in(key: Any) -> Any:
    """The index with its sequences as tensors; a list that holds sequences or slices means a tuple of them.

    Raises:
        IndexError: for what cannot be an index.
    """
    if isinstance(key, tuple):
        return tuple(
            _index_tensor(Tensor(list(item))) if isinstance(item, (list, tuple)) else tensors_in(item) for item in key
        )
    if isinstance(key, list) and any(_is_entry(item) for item in key):
        return tensors_in(tuple(key))
    if isinstance(key, (list, range, np.ndarray)):
        return _index_tensor(Tensor(list(key) if isinstance(key, range) else key))
    if isinstance(key, np.integer):
        return int(key)
    if isinstance(key, Tensor):
        return _index_tensor(key)
    if isinstance(key, (float, complex, str)):
        raise IndexError(f"a tensor's index must be int or bool, slices, None or '...', but got {key!r}")
    return key


def _is_entry(item: Any) -> bool:
    """Whether an item of a list can only be one entry of an index."""
    return (
        isinstance(item, (slice, list, tuple)) or item is None or item is Ellipsis
        or (isinstance(item, (Tensor, np.ndarray)) and item.ndim > 0)
    )  # fmt: skip


def note_range(tensor: Tensor, what: str = "an index by a tensor", error: type[Exception] = IndexError) -> bool:
    """Whether only the run knows if indices are out of range. Traced code that may want to catch that runs eagerly."""
    if not (isinstance(tensor, TracedTensor) and tensor.dtype.is_integer and tensor._known_numbers() is None):
        return False
    STATE.trace.may_fail(error, f"{what}, which may be out of range,")
    return True


def _index_tensor(tensor: Tensor) -> Tensor:
    if note_range(tensor) and isinstance(tensor, TracedTensor) and tensor._number is not None:
        return tensor
    if not (tensor.dtype.is_integer or tensor.dtype.is_bool):
        if tensor._type.shape == (0,):
            return cast(tensor, prims.INDEX.dtype)
        raise IndexError(
            f"a tensor used as an index must be int or bool, but its dtype is {tensor.dtype}{dtypes.AS_INTEGERS}"
        )
    return tensor
