"""Elementwise comparison, logic and bits of tensors, and choices by them: where, clamp, masked_fill, isclose."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.op import Op
from ...frontend.values.arguments import need_flags
from ...frontend.values.dispatch import apply, cast, is_weak
from ...frontend.values.logic import choose, equal, logical, logical_and, logical_not, logical_or, where
from ...frontend.values.operands import Operand, as_operand, binary as in_common_dtype, in_dtype, need_tensor, promoted
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ...runtime.dtypes import DType
from .documentation import anything
from .table import OfTwo, binary, known_as, on_one

__all__ = [
    "approximate_equal", "bitwise_and", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor",
    "clamp", "clip_by_value", "equal", "greater", "greater_equal", "invert", "is_complex", "is_floating_point",
    "is_nonzero", "is_tensor", "isclose", "isreal", "less", "less_equal", "logical_and", "logical_not", "logical_or",
    "logical_xor", "masked_fill", "not_equal", "select", "where",
]  # fmt: skip


def _compared(name: str, short: str, op: Op, summary: str, example: str, primitive: str, also: str = "") -> OfTwo:
    """A comparison, which has a short name, too."""
    both = f"{name} {short}"
    return binary(
        name, op, summary, example, returns="a Bool tensor of the broadcast shape",
        also=f"{short} {also}", mint=both, numpy=True, method=both, primitive=primitive,
    )  # fmt: skip


not_equal = _compared(
    "not_equal", "ne", prims.not_equal, "Whether two differ.", "Tensor([1, 2]), 1 -> [False  True]", "NotEqual"
)
less = _compared(
    "less", "lt", prims.less, "Whether `input` is less than `other`.", "Tensor([1, 2]), 2 -> [ True False]",
    "Less LessScalar", "tensor_lt",
)  # fmt: skip
less_equal = _compared(
    "less_equal", "le", prims.less_equal, "Whether `input` is at most `other`.", "Tensor([1, 2]), 1 -> [ True False]",
    "LessEqual", "tensor_le",
)  # fmt: skip
greater = _compared(
    "greater", "gt", prims.greater, "Whether `input` is greater than `other`.", "Tensor([1, 2]), 1 -> [False  True]",
    "Greater", "tensor_gt",
)  # fmt: skip
greater_equal = _compared(
    "greater_equal", "ge", prims.greater_equal, "Whether `input` is at least `other`.",
    "Tensor([1, 2]), 2 -> [False  True]", "GreaterEqual GreaterEqualScalar", "tensor_ge",
)  # fmt: skip


@known_as(everywhere="LogicalXor")
def logical_xor(input: Operand, other: Operand) -> Tensor:
    """Whether exactly one is true (numbers other than 0 are), elementwise with broadcasting.

    Args:
        input, other: a tensor of any shape, or a number.

    Examples:
        >>> print(ops.logical_xor(Tensor([True, False]), True))
        [False  True]
    """
    return logical(prims.logical_xor, input, other, "logical_xor")


def _bits(word: str, summary: str, example: str, op: Op) -> OfTwo:
    """An operation on the bits of integers, or on booleans."""
    name = f"bitwise_{word}"
    primitive = f"Bitwise{word.capitalize()}"
    return binary(
        name, op, summary, example,
        mint=True, numpy=True, method=True, primitive=f"{primitive} {primitive}Scalar {primitive}Tensor",
    )  # fmt: skip


bitwise_and = _bits(
    "and", "The bits set in both integers; for booleans whether both hold.", "Tensor([6, 5]), 3 -> [2 1]",
    prims.bitwise_and,
)  # fmt: skip
bitwise_or = _bits(
    "or", "The bits set in one of the integers or both; for booleans whether one holds.", "Tensor([6, 5]), 3 -> [7 7]",
    prims.bitwise_or,
)  # fmt: skip
bitwise_xor = _bits(
    "xor", "The bits set in exactly one of the integers; for booleans whether they differ.",
    "Tensor([6, 5]), 3 -> [5 6]", prims.bitwise_xor,
)  # fmt: skip
bitwise_left_shift = binary(
    "bitwise_left_shift", prims.left_shift, "The bits of integers moved up by `other` places.",
    "Tensor([3, 8]), 2 -> [12 32]", method=True, primitive="LeftShift",
)  # fmt: skip


bitwise_right_shift = binary(
    "bitwise_right_shift", prims.right_shift, "The bits of integers moved down by `other` places; the sign is kept.",
    "Tensor([3, 8]), 1 -> [1 4]", method=True, primitive="RightShift",
)  # fmt: skip


@known_as(numpy="invert bitwise_not", method=True, primitive="Invert")
def invert(x: Tensor) -> Tensor:
    """Every bit of integers turned over.

    Args:
        x: a tensor of integers, of any shape.

    Raises:
        TypeError: if the dtype is no integer one.

    Examples:
        >>> print(ops.invert(Tensor([3, 8])))
        [-4 -9]
    """
    return apply(prims.bitwise_not, need_tensor(x, "invert", "x"))


@known_as(primitive="Select")
def select(condition: Tensor, input: Operand, other: Operand) -> Tensor:
    """As `where`.

    Args:
        condition: a Bool tensor of any shape.
        input, other: a tensor that can be broadcast with it, or a number.

    Examples:
        >>> print(ops.select(Tensor([True, False]), Tensor([1, 2]), 0))
        [1 0]
    """
    return choose(condition, input, other, "select")


@known_as(mint=True, method=True, inplace=True, primitive="MaskedFill MaskedFillScalar")
def masked_fill(input_x: Tensor, mask: Tensor, value: Operand) -> Tensor:
    """`input_x` with `value` where the mask holds.

    Args:
        mask: a Bool tensor that broadcasts with it.
        value: a number or a 0-d tensor, cast to the dtype of `input_x`.

    Raises:
        TypeError: if the mask is not Bool, or the value is neither number nor tensor.

    Examples:
        >>> print(ops.masked_fill(Tensor([1.0, 2.0]), Tensor([True, False]), -1))
        [-1.  2.]
    """
    x = need_tensor(input_x, "masked_fill", "input_x")
    mask = need_tensor(mask, "masked_fill", "mask")
    if not mask.dtype.is_bool:
        raise TypeError(f"masked_fill: the dtype of 'mask' should be Bool, but got {mask.dtype}")
    value = as_operand(value, "masked_fill", "value")
    if isinstance(value, Tensor) and value.ndim:
        raise ValueError(f"masked_fill: 'value' should be a number or a 0-d tensor, but its shape is {value.shape}")
    if isinstance(value, Tensor):
        value = cast(value, x.dtype)
    elif x.dtype.is_integer:
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"masked_fill: tensors of {x.dtype} have no {value}")
        value = int(value)
    elif x.dtype.is_bool:
        value = bool(value)
    return apply(prims.select, mask, in_dtype(value, x.dtype), x)


@known_as(
    "clip", mint="clamp clip", functional=True, method="clamp clip", inplace=True, primitive="ClampScalar ClampTensor"
)
def clamp(input: Tensor, min: Operand | None = None, max: Operand | None = None) -> Tensor:
    """`input` no smaller than `min`, then no larger than `max`.

    Args:
        input: a tensor of any shape, of a real dtype.
        min: the lower bound, a number or tensor; None for no bound.
        max: the upper bound, a number or tensor; None for no bound.

    Returns:
        A tensor of the common dtype. An element at a bound passes the gradient (of `clip_by_value`, half of it).

    Raises:
        ValueError: if both bounds are None.

    Examples:
        >>> print(ops.clamp(Tensor([-2.0, 0.5, 3.0]), -1, 1))
        [-1.   0.5  1. ]
    """
    values = _bounded(need_tensor(input, "clamp"), min, max, "clamp", "'min' and 'max'")
    if len(values) == 3:
        return apply(prims.clamp, *values)
    x, bound = values
    beyond = apply(prims.less if max is None else prims.greater, x, bound)
    return apply(prims.select, beyond, in_dtype(bound, x.dtype), x)


def _bounded(x: Tensor, low: Any, high: Any, function: str, names: str) -> list[Any]:
    """x and the bounds there are, in one dtype."""
    if low is None and high is None:
        raise ValueError(f"{function}: at least one of {names} should not be None")
    return list(promoted(x, *[as_operand(bound, function, names) for bound in (low, high) if bound is not None]))


def clip_by_value(
    x: Tensor | Sequence[Tensor], clip_value_min: Operand | None = None, clip_value_max: Operand | None = None
) -> Any:
    """A tensor, or each of a tuple or list of tensors, between two bounds; the dtype of `x` is kept.

    Args:
        x: a tensor of any shape and dtype, or a tuple or list of tensors.
        clip_value_min: the lower bound, a number or tensor; None for no bound.
        clip_value_max: the upper bound, a number or tensor; None for no bound.

    Raises:
        ValueError: if both bounds are None.

    Examples:
        >>> from mycel import Tensor, ops
        >>> print(ops.clip_by_value(Tensor([-2.0, 0.5, 3.0]), -1, 1))
        [-1.   0.5  1. ]
    """
    if isinstance(x, (tuple, list)):
        return tuple(clip_by_value(item, clip_value_min, clip_value_max) for item in x)
    tensor = need_tensor(x, "clip_by_value", "x")
    names = "'clip_value_min' and 'clip_value_max'"
    low, high = (_bound(bound, tensor.dtype) for bound in (clip_value_min, clip_value_max))
    values = _bounded(tensor, low, high, "clip_by_value", names)
    if len(values) == 3:
        return apply(prims.clip, *values)
    return apply(prims.maximum if high is None else prims.minimum, *values)


def _bound(bound: Any, dtype: DType) -> Any:
    """A bound in a dtype: tensors are cast, and numbers lose their fraction where integers are asked for."""
    if isinstance(bound, Tensor):
        return cast(bound, dtype)
    return int(bound) if dtype.is_integer and isinstance(bound, float) else bound


@known_as(mint=True)
def isclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Whether two are equal within tolerances: `abs(input - other) <= atol + rtol * abs(other)`, elementwise.

    Infinities are close only to themselves, nan only with `equal_nan` to nan.

    Args:
        other: a tensor that can be broadcast with `input`.
        rtol: the relative tolerance.
        atol: the absolute tolerance.
        equal_nan: whether nan is close to nan.

    Raises:
        ValueError: if the shapes cannot be broadcast together.

    Examples:
        >>> print(ops.isclose(Tensor([1.0, 2.0]), Tensor([1.0, 2.1])))
        [ True False]
    """
    need_flags("isclose", equal_nan=equal_nan)
    x, y = promoted(need_tensor(input, "isclose"), need_tensor(other, "isclose", "other"))
    if not x.dtype.is_float:
        x, y = cast(x, dtypes.float64), cast(y, dtypes.float64)
    gap = apply(prims.absolute, apply(prims.subtract, x, y))
    allowed = apply(prims.add, apply(prims.multiply, apply(prims.absolute, y), rtol), atol)
    near = apply(prims.logical_and, apply(prims.isfinite, y), apply(prims.less_equal, gap, allowed))
    result = apply(prims.logical_or, apply(prims.equal, x, y), near)
    if equal_nan:
        both = apply(prims.logical_and, apply(prims.isnan, x), apply(prims.isnan, y))
        result = apply(prims.logical_or, result, both)
    return result


@known_as()
def approximate_equal(x: Tensor, y: Tensor, tolerance: float = 1e-5) -> Tensor:
    """Whether `abs(x - y) < tolerance`, elementwise.

    Args:
        y: a tensor that can be broadcast with `x`.
        tolerance: the tolerance.

    Examples:
        >>> print(ops.approximate_equal(Tensor([1.0, 2.0]), Tensor([1.0, 2.1])))
        [ True False]
    """
    first, second = need_tensor(x, "approximate_equal", "x"), need_tensor(y, "approximate_equal", "y")
    gap = in_common_dtype(prims.subtract, first, second, "approximate_equal")
    return apply(prims.less, apply(prims.absolute, gap), tolerance)


@on_one(
    "Whether the elements have no imaginary part, elementwise.", "Tensor([1.0, 2.0]) -> [ True  True]", takes="any",
    returns="a Bool tensor of the same shape", method=True,
)  # fmt: skip
def isreal(x: Tensor) -> Tensor:
    if not x.dtype.is_complex:
        return apply(prims.logical_or, apply(prims.equal, x, x), True)
    return apply(prims.equal, apply(prims.imag, x), 0)


@anything
def is_tensor(obj: Any) -> bool:
    """Whether an object is a Tensor.

    Examples:
        >>> ops.is_tensor(Tensor([1.0])), ops.is_tensor(1.0)
        (True, False)
    """
    return isinstance(obj, Tensor) and not is_weak(obj)


@known_as(method=True)
def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype is a real floating-point one.

    Examples:
        >>> ops.is_floating_point(Tensor([1.0])), ops.is_floating_point(Tensor([1]))
        (True, False)
    """
    return need_tensor(input, "is_floating_point").dtype.is_float


@known_as(method=True, primitive="IsComplex")
def is_complex(input: Tensor) -> bool:
    """Whether the dtype is a complex one.

    Examples:
        >>> ops.is_complex(Tensor([1.0]))
        False
    """
    return need_tensor(input, "is_complex").dtype.is_complex


def is_nonzero(input: Tensor) -> Any:
    """Whether the only element is not zero.

    Args:
        input: a tensor of one element, of any dtype.

    Raises:
        ValueError: if there are several elements.

    Examples:
        >>> from mycel import Tensor, ops
        >>> ops.is_nonzero(Tensor([2.0]))
        True
    """
    return bool(need_tensor(input, "is_nonzero"))


# Written for traced control flow, below the library.
known_as("eq", mint="eq", numpy=True, method="equal eq", primitive="Equal EqScalar")(equal)
known_as(mint=True, numpy=True, primitive="LogicalAnd")(logical_and)
known_as(mint=True, numpy=True, primitive="LogicalOr")(logical_or)
known_as(everywhere="LogicalNot")(logical_not)
