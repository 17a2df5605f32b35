"""Python's operations on numbers, strings, tuples and lists under MindSpore's names (`mindspore.ops.functional`)."""

from __future__ import annotations

import math
import operator
from typing import Any

from ...frontend.values import tree
from ...frontend.values.traced_tensor import TracedTensor

__all__ = [
    "bit_and", "bit_or", "bool_and", "bool_eq", "bool_not", "bool_or", "dict_getitem", "in_dict", "is_", "is_not",
    "is_sequence_value_unknown", "isconstant",
    "list_equal", "list_getitem", "list_len", "list_setitem", "make_dict", "make_list", "make_range", "make_slice",
    "make_tuple", "not_in_dict", "scalar_add", "scalar_div", "scalar_eq", "scalar_floordiv", "scalar_ge", "scalar_gt",
    "scalar_le", "scalar_lt", "scalar_mod", "scalar_mul", "scalar_ne", "scalar_pow", "scalar_sub", "scalar_uadd",
    "scalar_usub", "sequence_len", "shape_mul", "string_concat", "string_eq", "tuple_equal", "tuple_getitem",
    "tuple_reversed", "tuple_setitem",
]  # fmt: skip

scalar_add, scalar_sub, scalar_mul, scalar_div = operator.add, operator.sub, operator.mul, operator.truediv
scalar_floordiv, scalar_mod, scalar_pow = operator.floordiv, operator.mod, operator.pow
scalar_eq, scalar_ne, scalar_lt, scalar_le = operator.eq, operator.ne, operator.lt, operator.le
scalar_gt, scalar_ge, scalar_uadd, scalar_usub = operator.gt, operator.ge, operator.pos, operator.neg
bit_and, bit_or, bool_not, bool_eq = operator.and_, operator.or_, operator.not_, operator.eq
is_, is_not, string_eq, string_concat = operator.is_, operator.is_not, operator.eq, operator.add
tuple_equal, list_equal = operator.eq, operator.eq
tuple_getitem, list_getitem, dict_getitem = operator.getitem, operator.getitem, operator.getitem
list_len, sequence_len, shape_mul, make_slice = len, len, math.prod, slice


def bool_and(x: Any, y: Any) -> Any:
    """`x and y`."""
    return x and y


def bool_or(x: Any, y: Any) -> Any:
    """`x or y`."""
    return x or y


def isconstant(x: Any) -> bool:
    """Whether a value is known while compiling: no tensor or number that only the run knows is in it."""
    return not any(isinstance(leaf, TracedTensor) for leaf in tree.leaves(x))


def is_sequence_value_unknown(x: Any) -> bool:
    """Whether only the run knows some numbers of a tuple or list."""
    return not isconstant(x)


def in_dict(key: Any, mapping: dict[Any, Any]) -> bool:
    """`key in mapping`."""
    return key in mapping


def not_in_dict(key: Any, mapping: dict[Any, Any]) -> bool:
    """`key not in mapping`."""
    return key not in mapping


def make_tuple(*items: Any) -> tuple[Any, ...]:
    """The tuple of the arguments."""
    return items


def make_list(*items: Any) -> list[Any]:
    """The list of the arguments."""
    return list(items)


def make_dict(keys: Any, values: Any) -> dict[Any, Any]:
    """The dict of some keys and their values."""
    return dict(zip(keys, values, strict=True))


def make_range(*limits: int) -> tuple[int, ...]:
    """The numbers of `range(*limits)` as a tuple."""
    return tuple(range(*limits))


def tuple_reversed(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """The tuple from its end to its start."""
    return items[::-1]


def tuple_setitem(items: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """A tuple like `items` with `value` at `index`."""
    changed = [*items]
    changed[index] = value
    return tuple(changed)


def list_setitem(items: list[Any], index: int, value: Any) -> list[Any]:
    """The list with `value` at `index`."""
    items[index] = value
    return items
