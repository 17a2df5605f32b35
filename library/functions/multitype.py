"""Python's operators as functions of MindSpore's names (`mindspore.ops.composite.multitype_ops`)."""

from __future__ import annotations

import operator
from typing import Any

from .creation import ones_like, zeros_like

__all__ = [
    "add", "bitwise_and", "bitwise_or", "bitwise_xor", "div", "equal", "floordiv", "getitem", "greater",
    "greater_equal", "in_", "invert", "left_shift", "less", "less_equal", "logical_and", "logical_not", "logical_or",
    "mod", "mul", "negative", "not_equal", "not_in_", "ones_like", "pow_", "right_shift", "setitem", "sub", "uadd",
    "zeros_like",
]  # fmt: skip

add, sub, mul, div, mod, pow_ = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.mod, operator.pow,
)  # fmt: skip
floordiv, negative, uadd, invert = operator.floordiv, operator.neg, operator.pos, operator.invert
equal, not_equal, less, less_equal = operator.eq, operator.ne, operator.lt, operator.le
greater, greater_equal, getitem = operator.gt, operator.ge, operator.getitem
bitwise_and, bitwise_or, bitwise_xor = operator.and_, operator.or_, operator.xor
left_shift, right_shift = operator.lshift, operator.rshift


def in_(item: Any, container: Any) -> Any:
    """`item in container`."""
    return item in container


def not_in_(item: Any, container: Any) -> Any:
    """`item not in container`."""
    return item not in container


def logical_and(x: Any, y: Any) -> Any:
    """`x and y`; of tensors element by element."""
    return operator.and_(x.bool(), y.bool()) if hasattr(x, "asnumpy") and hasattr(y, "asnumpy") else x and y


def logical_or(x: Any, y: Any) -> Any:
    """`x or y`; of tensors element by element."""
    return operator.or_(x.bool(), y.bool()) if hasattr(x, "asnumpy") and hasattr(y, "asnumpy") else x or y


def logical_not(x: Any) -> Any:
    """`not x`; of a tensor element by element."""
    return x.bool().logical_not() if hasattr(x, "asnumpy") else not x


def setitem(container: Any, index: Any, value: Any) -> Any:
    """The container with `value` at `index`."""
    container[index] = value
    return container
