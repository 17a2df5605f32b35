"""Functions of two tensors beyond the arithmetic operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ...compiler import ops as prims
from ...compiler.ir.op import Op
from ...frontend.values.dispatch import apply, as_tensor, common_dtype
from ...frontend.values.logic import maximum
from ...frontend.values.operands import (
    Operand,
    as_operand,
    in_dtype,
    in_single,
    need_float,
    need_tensor,
    promoted,
    to_float,
)
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .functions import signbit
from .math import add, mul, sub, true_divide
from .table import PROMOTED, OfTwo, Pair, known_as, made, on_two

__all__ = [
    "addcdiv", "addcmul", "addn", "copysign", "fmax", "fmin", "gcd", "hypot", "lcm", "ldexp", "lerp", "logaddexp",
    "logaddexp2", "nextafter", "xdivy", "xlogy",
]  # fmt: skip


def _ignoring_nan(name: str, is_better: Op, which: str, printed: str) -> OfTwo:
    """`fmax` and `fmin`: where both numbers are equal the first one counts, and all of the gradient goes to it."""

    def compute(x: Any, y: Any) -> Tensor:
        dtype = apply(prims.maximum, x, y).dtype
        x, y = as_tensor(x, dtype), as_tensor(y, dtype)
        first = apply(is_better, x, y)
        first = apply(prims.logical_or, first, apply(prims.isnan, y)) if dtype.is_float else first
        return apply(prims.select, first, x, y)

    compute.__name__ = name
    summary = f"The {which} of two, elementwise with broadcasting; where one is nan the other."
    example = f'Tensor([1.0, float("nan")]), 2 -> {printed}'
    return on_two(summary, example, PROMOTED, method=True, primitive=name.capitalize())(compute)


fmax = _ignoring_nan("fmax", prims.greater_equal, "larger", "[2. 2.]")
fmin = _ignoring_nan("fmin", prims.less_equal, "smaller", "[1. 2.]")


def _added(name: str, sign: str, combine: Callable[[Tensor, Tensor], Tensor], example: str) -> Any:
    """The function that adds a multiple of a product or quotient."""

    def run(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Operand = 1) -> Tensor:
        """`input + value * tensor1 {sign} tensor2`, with broadcasting.

        Args:
            input: a tensor of any shape.
            tensor1, tensor2: tensors that can be broadcast with it.
            value: the factor, a number.

        Raises:
            ValueError: if the shapes cannot be broadcast together.

        Examples:
            >>> from mycel import Tensor, ops
            >>> print(ops.{name}({given}))
            {printed}
        """
        first, second = need_tensor(tensor1, name, "tensor1"), need_tensor(tensor2, name, "tensor2")
        return add(need_tensor(input, name), mul(combine(first, second), value))

    given, _, printed = example.partition(" -> ")
    return known_as(method=True, primitive=name.capitalize())(made(run, name, sign=sign, given=given, printed=printed))


addcmul = _added("addcmul", "*", mul, "Tensor([1.0]), Tensor([2.0]), Tensor([3.0]), 10 -> [61.]")
addcdiv = _added("addcdiv", "/", true_divide, "Tensor([1.0]), Tensor([6.0]), Tensor([3.0]), 10 -> [21.]")


@known_as("accumulate_n", primitive="AddN AccumulateNV2")
def addn(x: Sequence[Tensor] | Tensor) -> Tensor:
    """Sum of tensors of one shape and dtype.

    Args:
        x: a tensor, or a tuple or list of tensors of one shape and dtype.

    Raises:
        TypeError: if the dtypes differ.
        ValueError: if the shapes differ, or there is no tensor.

    Examples:
        >>> print(ops.addn([Tensor([1.0]), Tensor([2.0]), Tensor([3.0])]))
        [6.]
    """
    items = [x] if isinstance(x, Tensor) else list(x)
    if not items:
        raise ValueError("addn: 'x' should hold at least one Tensor")
    first = need_tensor(items[0], "addn", "x[0]")
    total = first
    for position, item in enumerate(items[1:], 1):
        other = need_tensor(item, "addn", f"x[{position}]")
        if other.dtype is not first.dtype:
            raise TypeError(f"addn: all tensors should have one dtype, but got {first.dtype} and {other.dtype}")
        if other._type.shape != first._type.shape:
            raise ValueError(f"addn: all tensors should have one shape, but got {first.shape} and {other.shape}")
        total = add(total, other)
    return total


@known_as(mint=True, method=True, primitive="Lerp")
def lerp(input: Tensor, end: Tensor, weight: Operand) -> Tensor:
    """`input + weight * (end - input)`, with broadcasting.

    Args:
        input, end: floating-point tensors of shapes that can be broadcast together.
        weight: a tensor that can be broadcast with them, or a number.

    Raises:
        TypeError: if `input` or `end` is not of a floating-point dtype.

    Examples:
        >>> print(ops.lerp(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]), 0.5))
        [2. 3.]
    """
    x = need_float(need_tensor(input, "lerp"), "lerp")
    y = need_float(need_tensor(end, "lerp", "end"), "lerp")
    return add(x, mul(sub(y, x), weight))


def _second(value: Operand, function: str, name: str) -> Operand:
    """A number itself, else a tensor."""
    return value if isinstance(value, (int, float)) else need_tensor(value, function, name)


@known_as(numpy=True, method=True, primitive="Hypot")
@in_single(2)
def hypot(input: Tensor, other: Operand) -> Tensor:
    """Length of the hypotenuse, `sqrt(input**2 + other**2)`, with broadcasting.

    Args:
        input: a tensor; integers count as Float32.
        other: a tensor that can be broadcast with it, or a number.

    Examples:
        >>> print(ops.hypot(Tensor([3.0]), Tensor([4.0])))
        [5.]
    """
    if isinstance(other, Tensor) and not isinstance(input, Tensor):
        input, other = other, input
    x, y = to_float(need_tensor(input, "hypot")), _second(other, "hypot", "other")
    x, y = promoted(x, to_float(y) if isinstance(y, Tensor) else as_tensor(float(y), x.dtype))
    # The larger one times a root between 1 and sqrt(2): squares of large and small numbers leave the range of floats.
    first, second = apply(prims.absolute, x), apply(prims.absolute, y)
    high, low = apply(prims.maximum, first, second), apply(prims.minimum, first, second)
    ratio = apply(prims.divide, low, apply(prims.select, apply(prims.equal, high, 0.0), 1.0, high))
    ratio = apply(prims.select, apply(prims.equal, low, high), 1.0, ratio)  # of two that are inf, too
    return apply(prims.multiply, high, apply(prims.sqrt, apply(prims.add, apply(prims.square, ratio), 1.0)))


def _floats(input: Tensor, other: Tensor, function: str, names: tuple[str, str]) -> tuple[Any, Any]:
    """Two floating-point tensors in one dtype."""
    x = need_float(need_tensor(input, function, names[0]), function)
    y = need_float(need_tensor(other, function, names[1]), function)
    return promoted(x, y)


_FLOATS = Pair(
    _floats,
    "floating-point tensors of shapes that can be broadcast together",
    "if an argument is no Tensor, or not of a floating-point dtype.",
)


def _log_sum(x: Tensor, y: Tensor, base: Any) -> Tensor:
    highest = apply(prims.stop_gradient, maximum(x, y))
    # Where the larger one is infinite it is the result, and the differences below would be nan.
    highest = apply(prims.select, apply(prims.isfinite, highest), highest, 0.0)
    if base == 2:
        total = add(pow(2.0, sub(x, highest)), pow(2.0, sub(y, highest)))
        return add(highest, apply(prims.log2, total))
    total = add(apply(prims.exp, sub(x, highest)), apply(prims.exp, sub(y, highest)))
    return add(highest, apply(prims.log, total))


@on_two(
    "`log(exp(input) + exp(other))` without overflow, with broadcasting.",
    "Tensor([1000.0]), Tensor([1000.0]) -> [1000.6932]", _FLOATS, everywhere="LogAddExp",
)  # fmt: skip
def logaddexp(x: Tensor, y: Tensor) -> Tensor:
    return _log_sum(x, y, None)


@on_two(
    "`log2(2**input + 2**other)` without overflow, with broadcasting.", "Tensor([2.0]), Tensor([2.0]) -> [3.]",
    _FLOATS, everywhere="LogAddExp2",
)  # fmt: skip
def logaddexp2(x: Tensor, y: Tensor) -> Tensor:
    return _log_sum(x, y, 2)


def _float_tensors(x: Operand, y: Operand, function: str, names: tuple[str, str]) -> tuple[Any, Any]:
    """Two operands as tensors of one dtype, integers in Float32."""
    x, y = as_operand(x, function, names[0]), as_operand(y, function, names[1])
    dtype = common_dtype(x, y)
    if not (dtype.is_float or dtype.is_complex):
        dtype = dtypes.float32
    x, y = promoted(x, y, dtype=dtype)
    return as_tensor(x, dtype), as_tensor(y, dtype)


_NUMBERS = replace(PROMOTED, prepare=_float_tensors)


@on_two(
    "`input * log(other)`, and 0 where `input` is 0, with broadcasting.",
    "Tensor([0.0, 2.0]), Tensor([0.0, 1.0]) -> [0. 0.]", _NUMBERS, mint=True, method=True,
    primitive="Xlogy XLogYScalarOther XLogYScalarSelf",
)  # fmt: skip
def xlogy(x: Tensor, y: Tensor) -> Tensor:
    defined = apply(prims.logical_or, apply(prims.not_equal, x, 0), apply(prims.greater, y, 0))
    return apply(prims.multiply, x, apply(prims.log, apply(prims.select, defined, y, 1.0)))


@on_two(
    "`x / y`, and 0 where `x` is 0, with broadcasting.", "Tensor([0.0, 2.0]), Tensor([0.0, 4.0]) -> [0.  0.5]",
    _NUMBERS, arguments=("x", "y"), method=True, primitive="Xdivy",
)  # fmt: skip
def xdivy(x: Tensor, y: Tensor) -> Tensor:
    zero = apply(prims.equal, x, 0)
    return apply(prims.select, zero, 0.0, apply(prims.divide, x, apply(prims.select, zero, 1.0, y)))


@known_as(method=True)
def ldexp(x: Tensor, other: Operand) -> Tensor:
    """`x * 2**other`, with broadcasting.

    Args:
        other: a tensor that can be broadcast with `x`, or a number.

    Raises:
        ValueError: if the shapes cannot be broadcast together.

    Examples:
        >>> print(ops.ldexp(Tensor([1.5]), Tensor([3])))
        [12.]
    """
    x = to_float(need_tensor(x, "ldexp", "x"))
    return mul(x, pow(2.0, in_dtype(_second(other, "ldexp", "other"), x.dtype)))


@on_two(
    "The magnitude of `x` with the sign of `other`, with broadcasting; of integers in Float32.",
    "Tensor([1.0, -2.0]), -1.0 -> [-1. -2.]", _NUMBERS, arguments=("x", "other"), method=True,
)  # fmt: skip
def copysign(x: Tensor, y: Tensor) -> Tensor:
    magnitude = apply(prims.absolute, x)
    return apply(prims.select, signbit(y), apply(prims.negative, magnitude), magnitude)


def _integers(input: Tensor, other: Operand, function: str, names: tuple[str, str]) -> tuple[Any, Any]:
    """Two tensors of integers in one dtype; the second may be a number."""
    x, y = promoted(need_tensor(input, function, names[0]), _second(other, function, names[1]))
    if not x.dtype.is_integer:
        raise TypeError(f"{function}: '{names[0]}' and '{names[1]}' should be tensors of integers, but got {x.dtype}")
    return x, y


_INTEGERS = Pair(
    _integers,
    "tensors of integers of shapes that can be broadcast together",
    "if an argument is no Tensor, or one is not of integers.",
)


@on_two(
    "The greatest common divisor of integers, elementwise with broadcasting.",
    "Tensor([12, 7]), Tensor([8, 5]) -> [4 1]", _INTEGERS, everywhere=True,
)  # fmt: skip
def gcd(x: Tensor, y: Tensor) -> Tensor:
    return apply(prims.gcd, x, y)


@on_two(
    "The least common multiple of integers, elementwise with broadcasting; 0 where either is 0.",
    "Tensor([4, 6]), Tensor([6, 8]) -> [12 24]", _INTEGERS, numpy=True, method=True, primitive="Lcm",
)  # fmt: skip
def lcm(x: Tensor, y: Tensor) -> Tensor:
    divisor = apply(prims.maximum, apply(prims.gcd, x, y), 1)
    return apply(prims.absolute, apply(prims.multiply, apply(prims.floor_divide, x, divisor), y))


@known_as(method=True, primitive="NextAfter")
def nextafter(input: Tensor, other: Tensor) -> Tensor:
    """The next floating-point number after `input` towards `other`.

    Args:
        input, other: floating-point tensors of shapes that can be broadcast together.

    Raises:
        TypeError: if one is no floating-point Tensor.

    Examples:
        >>> import numpy as np
        >>> from mycel import Tensor, ops
        >>> bool(ops.nextafter(Tensor([0.0]), Tensor([1.0])) > 0)
        True
    """
    x = need_float(need_tensor(input, "nextafter"), "nextafter", complex_too=False)
    y = need_float(need_tensor(other, "nextafter", "other"), "nextafter", complex_too=False)
    return apply(prims.nextafter, *promoted(x, y))
