"""Elementwise arithmetic of tensors: sums, products, quotients, powers, extrema, and combinations of them."""

from __future__ import annotations

from typing import Any

from ...compiler import ops as prims
from ...frontend.values.dispatch import apply, cast, common_dtype, is_weak
from ...frontend.values.logic import maximum, minimum
from ...frontend.values.operands import Operand, as_number, as_operand, binary as in_common_dtype, fits, promoted
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from ..docstrings import Shared
from .documentation import common
from .table import PROMOTED, binary, known_as, on_two

__all__ = [
    "add", "div", "float_power", "floor_divide", "floormod", "fmod", "maximum", "minimum", "mul", "pow",
    "remainder", "sub", "true_divide", "truncate_div", "truncate_mod",
]  # fmt: skip

_shared = Shared("Raises:\n    ValueError: if the shapes cannot be broadcast together.\n", common)


add = binary(
    "add", prims.add, "Sum of two tensors, or of a tensor and a number.", "Tensor([1.0, 2.0]), 3 -> [4. 5.]",
    also="tensor_add", numpy=True, primitive="Add TensorAdd AddExt",
)  # fmt: skip


@known_as("tensor_sub subtract", mint="sub", numpy="subtract", primitive="Sub SubExt Subs", shared=_shared)
def sub(input: Operand, other: Operand, *, alpha: Any = 1) -> Tensor:
    """`input - alpha * other`, elementwise with broadcasting.

    Args:
        input, other: a tensor of any shape, or a number.
        alpha: the factor of `other`.

    Examples:
        >>> print(ops.sub(Tensor([5.0, 2.0]), 1))
        [4. 1.]
    """
    return in_common_dtype(prims.subtract, input, _times(input, other, alpha), "sub")


def add_scaled(input: Operand, other: Operand, *, alpha: Any = 1) -> Tensor:
    """`input + alpha * other`, elementwise with broadcasting (as the method `add`)."""
    return in_common_dtype(prims.add, input, _times(input, other, alpha), "add")


def _times(input: Operand, other: Operand, alpha: Any) -> Operand:
    """`alpha * other`, of tensors in the dtype of their sum."""
    if isinstance(alpha, (int, float)) and alpha == 1:
        return other
    if isinstance(input, Tensor) and isinstance(other, Tensor):
        other = cast(other, common_dtype(input, other))
    return mul(other, alpha) if isinstance(other, Tensor) else other * alpha


@known_as(
    "tensor_mul tensor_muls multiply", mint=True, numpy="multiply", method="mul", inplace=True, primitive="Mul Muls",
    shared=_shared,
)  # fmt: skip
def mul(input: Operand, other: Operand) -> Tensor:
    """Product of two tensors, or of a tensor and a number, elementwise with broadcasting.

    Args:
        input, other: a tensor of any shape, or a number.

    Examples:
        >>> print(ops.mul(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        [3. 8.]
    """
    return in_common_dtype(prims.multiply, *_scalars_follow(input, other), "mul")


def _scalars_follow(x: Operand, y: Operand) -> tuple[Operand, Operand]:
    """The operands of a product or quotient: a 0-d tensor beside one with dimensions takes its dtype, within a kind.

    So MindSpore has it for these two; sums and the rest count 0-d tensors as any others.
    """
    if isinstance(x, Tensor) and isinstance(y, Tensor) and x.ndim != y.ndim and x.dtype is not y.dtype:
        if x.ndim == 0 and _same_kind(x, y):
            return cast(x, y.dtype), y
        if y.ndim == 0 and _same_kind(y, x):
            return x, cast(y, x.dtype)
    return x, y


def _same_kind(scalar: Tensor, tensor: Tensor) -> bool:
    a, b = scalar.dtype, tensor.dtype
    return not is_weak(scalar) and ((a.is_float and b.is_float) or (a.is_integer and b.is_integer))


@known_as(numpy="divide true_divide", method=True, shared=_shared)
def true_divide(dividend: Operand, divisor: Operand) -> Tensor:
    """Quotient, elementwise with broadcasting; of integers and booleans in Float32.

    Args:
        dividend, divisor: a tensor of any shape, or a number.

    Examples:
        >>> print(ops.true_divide(Tensor([1, 3]), 2))
        [0.5 1.5]
    """
    if type(dividend) is Tensor and dividend._data.dtype.kind == "f" and fits(dividend, divisor):
        return apply(prims.divide, dividend, divisor)
    x, y = _scalars_follow(as_operand(dividend, "div", "input"), as_operand(divisor, "div"))
    dtype = common_dtype(x, y)
    if dtype.is_float or dtype.is_complex:
        return in_common_dtype(prims.divide, x, y, "div")
    return as_number(apply(prims.divide, *promoted(x, y, dtype=dtypes.float32)), x, y)


@known_as("divide", mint="div divide", method="divide", inplace=True, primitive="Div")
def div(input: Operand, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
    """Quotient, elementwise with broadcasting.

    Args:
        input: the dividend.
        other: the divisor.
        rounding_mode: None for the true quotient (of integers in Float32), "floor" to round it down, "trunc" to
            round it towards zero; rounded quotients keep the dtype.

    Raises:
        ValueError: if `rounding_mode` is anything else, or the shapes cannot be broadcast together.

    Examples:
        >>> print(ops.div(Tensor([-7.0, 7.0]), 2, rounding_mode="floor"))
        [-4.  3.]
    """
    if rounding_mode is None:
        return true_divide(input, other)
    if rounding_mode == "floor":
        return floor_divide(input, other)
    if rounding_mode == "trunc":
        return truncate_div(input, other)
    raise ValueError(f"div: 'rounding_mode' should be None, 'floor' or 'trunc', but got {rounding_mode!r}")


floor_divide = binary(
    "floor_divide", prims.floor_divide, "The quotient rounded down, as Python's `//`.",
    "Tensor([7, -7]), 2 -> [ 3 -4]", also="floordiv tensor_floordiv", inplace=True,
    everywhere="FloorDiv FloorDivScalar",
)  # fmt: skip


remainder = binary(
    "remainder", prims.remainder,
    "The rest of the division rounded down, with the sign of the divisor, as Python's `%`.",
    "Tensor([7, -7]), 3 -> [1 2]", also="mod", numpy="remainder mod", inplace=True, primitive="FloorMod",
)  # fmt: skip


fmod = binary(
    "fmod", prims.fmod, "The rest of the division rounded towards zero, with the sign of the dividend, as C's fmod.",
    "Tensor([7, -7]), 3 -> [ 1 -1]", everywhere="FmodScalar FmodTensor",
)  # fmt: skip


@on_two(
    "The quotient rounded towards zero, elementwise with broadcasting; integers stay integers.",
    "Tensor([7, -7]), 2 -> [ 3 -3]", PROMOTED, arguments=("x", "y"), primitive="TruncateDiv",
)  # fmt: skip
def truncate_div(x: Any, y: Any) -> Tensor:
    if common_dtype(x, y).is_integer:
        return apply(prims.floor_divide, apply(prims.subtract, x, apply(prims.fmod, x, y)), y)
    return apply(prims.trunc, apply(prims.divide, x, y))


pow = binary(
    "pow", prims.power, "`input` to the power `exponent`; integers stay integers.",
    "Tensor([1.0, 2.0, 3.0]), 2 -> [1. 4. 9.]", arguments=("input", "exponent"), also="pows tensor_pow", numpy="power",
    inplace=True, everywhere="Pow PowScalarTensor PowTensorScalar",
)  # fmt: skip


@known_as(mint=True)
def float_power(input: Operand, exponent: Operand) -> Tensor:
    """`input` to the power `exponent` in double precision (Float64, or Complex128 where an operand is complex).

    Args:
        input, exponent: a tensor of any shape, or a number.

    Raises:
        ValueError: if the shapes cannot be broadcast together.

    Examples:
        >>> print(ops.float_power(Tensor([1, 2, 3]), 2))
        [1. 4. 9.]
    """
    x, y = as_operand(input, "float_power", "input"), as_operand(exponent, "float_power", "exponent")
    dtype = dtypes.complex128 if common_dtype(x, y).is_complex else dtypes.float64
    return apply(prims.power, *promoted(x, y, dtype=dtype))


truncate_mod = binary(
    "truncate_mod", prims.fmod, "The rest of the division rounded towards zero, with the sign of the dividend.",
    "Tensor([7, -7]), 3 -> [ 1 -1]", arguments=("x", "y"), primitive="Mod TruncateMod",
)  # fmt: skip
floormod = binary(
    "floormod", prims.remainder, "The rest of the division rounded down, with the sign of the divisor.",
    "Tensor([7, -7]), 3 -> [1 2]", arguments=("x", "y"), also="tensor_mod",
)  # fmt: skip


# Written for traced control flow, below the library.
known_as(everywhere=True)(maximum)
known_as(everywhere=True)(minimum)
