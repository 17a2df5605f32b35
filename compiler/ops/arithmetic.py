"""Elementwise arithmetic: the ops that symbols' operators record, powers and roots, division with rest, bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..code import Call, Code, Constant
from ..ir import Literal, Node, Operand
from ..op import Op, Sample
from ..spelling import spell
from ..types import TensorType
from . import infer
from .comparison import equal, greater, less, same_inputs, select
from .samples import binary_samples, integers, pair as pair, unary_samples, with_integers

Array = np.ndarray


def is_number(operand: Operand, value: float) -> bool:
    """Whether an operand is this literal number (0.0 is not -0.0)."""
    return isinstance(operand, Literal) and operand.value == value and not isinstance(operand.value, complex)


def keeps_type(node: Node, operand: Operand) -> Operand | None:
    """`operand` as a replacement for the node's output where the types agree."""
    return operand if operand.type == node.output.type else None


add = Op(
    "add",
    kind="elementwise",
    infer=infer.broadcast_numeric,
    kernel=np.add,
    vjp=lambda x, y, out, dout: (dout, dout),
    rewrites=(
        lambda node: keeps_type(node, node.inputs[0]) if is_number(node.inputs[1], 0) else None,
        lambda node: keeps_type(node, node.inputs[1]) if is_number(node.inputs[0], 0) else None,
    ),
    native=True,
    writes_out=True,
    commutative=True,
    samples=with_integers(binary_samples()),
    doc="Sum of x and y.",
)
subtract = Op(
    "subtract",
    kind="elementwise",
    infer=infer.broadcast_numeric,
    kernel=np.subtract,
    vjp=lambda x, y, out, dout: (dout, -dout),
    rewrites=(lambda node: keeps_type(node, node.inputs[0]) if is_number(node.inputs[1], 0) else None,),
    native=True,
    writes_out=True,
    samples=with_integers(binary_samples()),
    doc="Difference of x and y.",
)
multiply = Op(
    "multiply",
    kind="elementwise",
    infer=infer.broadcast,
    kernel=np.multiply,
    vjp=lambda x, y, out, dout: (dout * y, dout * x),
    rewrites=(
        lambda node: keeps_type(node, node.inputs[0]) if is_number(node.inputs[1], 1) else None,
        lambda node: keeps_type(node, node.inputs[1]) if is_number(node.inputs[0], 1) else None,
    ),
    native=True,
    writes_out=True,
    commutative=True,
    samples=with_integers(binary_samples()),
    doc="Product of x and y.",
)
divide = Op(
    "divide",
    kind="elementwise",
    infer=infer.broadcast_float,
    kernel=np.true_divide,
    vjp=lambda x, y, out, dout: (dout / y, -(dout * out) / y),
    rewrites=(lambda node: keeps_type(node, node.inputs[0]) if is_number(node.inputs[1], 1) else None,),
    native=True,
    writes_out=True,
    samples=binary_samples(0.5, 2.0),
    doc="Quotient of x and y (floating-point).",
)
negative = Op(
    "negative",
    kind="elementwise",
    infer=infer.broadcast_numeric,
    kernel=np.negative,
    vjp=lambda x, out, dout: -dout,
    native=True,
    writes_out=True,
    samples=with_integers(unary_samples()),
    doc="The negated x.",
)


def _root_power(x: Array, out: Array | None) -> Array:
    """x to the power 0.5: NumPy takes the square root for one exponent, which differs at -0.0 and -inf."""
    endless = x == -np.inf
    result = np.asarray(np.sqrt(x, out=out))
    np.absolute(result, out=result)
    if endless.any():
        np.copyto(result, np.inf, where=endless)
    return result


def _kernel_power(x: Array, y: Array, out: Array | None = None) -> Array:
    x, y = np.asarray(x), np.asarray(y)
    if y.ndim == 0 and x.dtype.kind == "f" and y == 0.5:
        return _root_power(x, out)
    if x.dtype.kind != "i" or not (y < 0).any():
        return np.power(x, y, out=out)
    # NumPy refuses integers to negative powers. The exact result rounded to zero: only 1 and -1 have one; 0 has none.
    odd = np.where(y % 2 == 0, x.dtype.type(1), x)
    root = np.where(np.abs(x) == 1, odd, np.where(x == 0, np.iinfo(x.dtype).min, 0))
    result = np.where(y < 0, root, np.power(x, np.maximum(y, 0))).astype(x.dtype)
    if out is None:
        return result
    np.copyto(out, result)
    return out


def _vjp_power(x: Any, y: Any, out: Any, dout: Any) -> tuple[Any, Any]:
    if isinstance(y.operand, Literal):
        exponent = y.operand.value
        if exponent == 0:
            return None, None
        if exponent == 1:
            return dout, None
        factor = x if exponent == 2 else power(x, exponent - 1)
        return dout * (factor * exponent), None
    from .elementwise import log  # elementwise is built on this module

    # Where y is 0 the power is 1 for every x, so the derivative is 0, not 0 * x**-1. The logarithm is taken of what is
    # positive only, so that neither this nor the next derivative meets its pole.
    lowered = select(equal(y, 0), 1, y - 1)
    dx = dout * (y * power(x, lowered))
    if not x.dtype.is_float:
        return dx, None
    positive = greater(x, 0)
    dy = select(positive, dout * out * log(select(positive, x, 1)), 0)
    return dx, dy


def _lower_power(x: Any, y: Any) -> Any:
    if not isinstance(y.operand, Literal) or isinstance(y.operand.value, (bool, complex)):
        return None
    exponent = y.operand.value
    if x.dtype.is_float and exponent in (0.5, -0.5, -1.0):
        # Unlike its square root, the power of -0.0 is that of 0.0, and the power of -inf that of inf.
        root = x if exponent == -1.0 else select(equal(x, -math.inf), math.inf, absolute(sqrt(x)))
        return root if exponent == 0.5 else 1.0 / root
    if not 1 < exponent <= 8 or exponent != int(exponent):
        return None
    result, base, left = None, x, int(exponent)
    while left:  # by squaring; NumPy's power is many times slower than these few products
        if left % 2:
            result = base if result is None else result * base
        left //= 2
        if left:
            base = base * base
    return result


def _power_samples() -> list[Sample]:
    return [
        *binary_samples(0.3, 2.0)(),
        Sample((*pair((5,), low=0.3), np.array(2.0))),
        Sample((np.array([-1.5, -1.5, 0.0, 0.0, 2.0]), np.array([2.0, 3.0, 0.0, 2.0, -1.0])), gradient=False),
        Sample((np.array([2, 1, -1, 3, -3], np.int32), np.array([-1, -2, -3, 2, 3], np.int32)), gradient=False),
        Sample((np.array([2, 3], np.uint8), np.array([2, 3], np.uint8)), gradient=False),
    ]


power = Op(
    "power",
    kind="elementwise",
    infer=infer.broadcast_numeric,
    kernel=_kernel_power,
    vjp=_vjp_power,
    lower=_lower_power,
    rewrites=(lambda node: keeps_type(node, node.inputs[0]) if is_number(node.inputs[1], 1) else None,),
    writes_out=True,
    samples=_power_samples,
    doc="x to the power y; the derivative by y is 0 where x is not positive.",
)
square = Op(
    "square",
    kind="elementwise",
    infer=infer.broadcast_numeric,
    kernel=np.square,
    vjp=lambda x, out, dout: dout * (x * 2),
    lower=lambda x: x * x,
    writes_out=True,
    samples=with_integers(unary_samples()),
    doc="x times x.",
)
sqrt = Op(
    "sqrt",
    kind="elementwise",
    infer=infer.broadcast_float,
    kernel=np.sqrt,
    vjp=lambda x, out, dout: dout * 0.5 / out,
    native=True,
    writes_out=True,
    samples=unary_samples(0.5, 4.0),
    doc="Square root of x; its derivative at 0 is inf.",
)


def _kernel_rsqrt(x: Array, out: Array | None = None) -> Array:
    root = np.sqrt(x, out=out)
    return np.true_divide(root.dtype.type(1), root, out=out)


rsqrt = Op(
    "rsqrt",
    kind="elementwise",
    infer=infer.broadcast_float,
    kernel=_kernel_rsqrt,
    vjp=lambda x, out, dout: dout * -0.5 * out / x,
    lower=lambda x: 1.0 / sqrt(x),
    writes_out=True,
    samples=unary_samples(0.5, 4.0),
    doc="One over the square root of x.",
)
reciprocal = Op(
    "reciprocal",
    kind="elementwise",
    infer=infer.broadcast_float,
    kernel=np.reciprocal,
    vjp=lambda x, out, dout: -dout * out * out,
    lower=lambda x: 1.0 / x,
    writes_out=True,
    samples=unary_samples(0.5, 4.0),
    doc="One over x.",
)


def _infer_real(*types: TensorType) -> TensorType:
    result = infer.broadcast_numeric(*types)
    if result.dtype.is_complex:
        raise TypeError(f"operands should be real numbers, but got {result.dtype}")
    return result


def _infer_absolute(x: TensorType) -> TensorType:
    from .conversion import real_dtype

    return infer.broadcast_numeric(x).with_dtype(real_dtype(x.dtype))


def _vjp_absolute(x: Any, out: Any, dout: Any) -> Any:
    if not x.dtype.is_complex:
        return dout * sign(x)
    from .conversion import cast, conj

    return conj(x) * cast(dout / select(equal(out, 0), 1, out), dtype=x.dtype)


absolute = Op(
    "absolute",
    kind="elementwise",
    infer=_infer_absolute,
    kernel=np.absolute,
    vjp=_vjp_absolute,
    native=True,
    writes_out=True,
    samples=with_integers(unary_samples(), Sample((np.array([3 + 4j, -1j, 0j]),), gradient=False)),
    doc="Magnitude of x; its derivative at 0 is 0.",
)


def _kernel_sign(x: Array, *, out: Array | None = None) -> Array:
    if out is None or not np.may_share_memory(x, out):
        return np.sign(x, out=out)
    np.copyto(out, np.sign(x))  # in place NumPy takes ten times as long
    return out


sign = Op(
    "sign",
    kind="elementwise",
    infer=_infer_real,
    kernel=_kernel_sign,
    native=True,
    writes_out=True,
    samples=with_integers(unary_samples(), Sample((np.array([0.0, -0.0, np.nan, np.inf]),))),
    doc="-1, 0 or 1 as x is negative, zero or positive.",
)


def _rest_samples() -> list[Sample]:
    divisors = np.array([2.0, -2.0, 3.0, -3.0])
    values = np.array([[7.3, 7.3, -7.3, -7.3], [0.4, -0.4, 1.5, -1.5]])
    return [
        Sample((values, divisors)),
        Sample((np.array(5.5), divisors)),
        Sample((np.array([7, 7, -7, -7], np.int32), np.array([2, -2, 2, -2], np.int32)), gradient=False),
        Sample((*integers((3, 4), low=0, high=99, dtype=np.uint8), np.array(7, np.uint8)), gradient=False),
    ]


floor_divide = Op(
    "floor_divide",
    kind="elementwise",
    infer=_infer_real,
    kernel=np.floor_divide,
    writes_out=True,
    samples=_rest_samples,
    doc="The quotient of x and y rounded down.",
)


def _vjp_remainder(x: Any, y: Any, out: Any, dout: Any) -> tuple[Any, Any]:
    return dout, -dout * floor_divide(x, y)


def _vjp_fmod(x: Any, y: Any, out: Any, dout: Any) -> tuple[Any, Any]:
    # (x - out) is y times the truncated quotient.
    quotient = floor_divide(x - out, y) if x.dtype.is_integer else _truncate((x - out) / y)
    return dout, -dout * quotient


def _truncate(quotient: Any) -> Any:
    from .elementwise import round as round_  # the quotient is whole up to rounding

    return round_(quotient)


remainder = Op(
    "remainder",
    kind="elementwise",
    infer=_infer_real,
    kernel=np.remainder,
    vjp=_vjp_remainder,
    writes_out=True,
    samples=_rest_samples,
    doc="x minus y times the quotient rounded down: the rest has the sign of y, as Python's %.",
)
fmod = Op(
    "fmod",
    kind="elementwise",
    infer=_infer_real,
    kernel=np.fmod,
    vjp=_vjp_fmod,
    writes_out=True,
    samples=_rest_samples,
    doc="x minus y times the quotient rounded towards zero: the rest has the sign of x, as C's fmod.",
)


def _extremum(better: Op) -> Any:
    """The rule of maximum (`better` is greater) and minimum (less): ties share, half to each (nothing for integers)."""

    def vjp(x: Any, y: Any, out: Any, dout: Any) -> tuple[Any, Any]:
        half = select(equal(x, y), dout * 0.5, 0)
        return select(better(x, y), dout, half), select(better(y, x), dout, half)

    return vjp


LARGEST_ROW = 1 << 15  # elements


def _emit_extremum(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
    """Against a number, in single precision, a row of it that is broadcast: three times as fast.

    NumPy has vector instructions for two arrays only; this takes the longest row that leaves out the first dimension,
    of which the last block of a fused group may have less.
    """
    type = node.output.type
    numbers = [isinstance(operand, Literal) for operand in node.inputs]
    if sum(numbers) != 1 or type.dtype.np != np.float32 or type.rank < 2 or not type.is_static:
        return None
    number = numbers.index(True)
    if node.inputs[1 - number].type.shape != type.shape:
        return None
    tails = [type.static_shape[i:] for i in range(1, type.rank)]
    shape = next((tail for tail in tails if math.prod(tail) <= LARGEST_ROW), ())
    if math.prod(shape) < 64:
        return None
    value: float = node.inputs[number].value  # type: ignore[assignment, union-attr]
    row = Constant(
        f"np.full({spell(shape)}, {spell(value)}, np.float32)", f"row_{arguments[number].removeprefix('c_')}"
    )
    given = (arguments[0], row) if number else (row, arguments[1])
    return Call(f"np.{node.op.name}", given, (("out", out),) if out else ())


maximum = Op(
    "maximum",
    kind="elementwise",
    infer=infer.broadcast,
    kernel=np.maximum,
    emit=_emit_extremum,
    vjp=_extremum(greater),
    rewrites=(same_inputs,),
    native=True,
    writes_out=True,
    commutative=True,
    samples=with_integers(binary_samples()),
    doc="The larger of x and y, nan where either is; equal ones share the gradient.",
)
minimum = Op(
    "minimum",
    kind="elementwise",
    infer=infer.broadcast,
    kernel=np.minimum,
    emit=_emit_extremum,
    vjp=_extremum(less),
    rewrites=(same_inputs,),
    native=True,
    writes_out=True,
    commutative=True,
    samples=with_integers(binary_samples()),
    doc="The smaller of x and y, nan where either is; equal ones share the gradient.",
)


def _kernel_clip(x: Array, low: Array, high: Array, out: Array | None = None) -> Array:
    return np.minimum(np.maximum(x, low), high, out=out)


def _vjp_clip(x: Any, low: Any, high: Any, out: Any, dout: Any) -> tuple[Any, Any, Any]:
    raised = maximum(x, low)
    draised, dhigh = _extremum(less)(raised, high, out, dout)
    dx, dlow = _extremum(greater)(x, low, raised, draised)
    return dx, dlow, dhigh


clip = Op(
    "clip",
    kind="elementwise",
    infer=infer.broadcast,
    kernel=_kernel_clip,
    vjp=_vjp_clip,
    lower=lambda x, low, high: minimum(maximum(x, low), high),
    writes_out=True,
    samples=lambda: [
        Sample((*pair((3, 4)), np.array(-1.0), np.array(0.7))),
        Sample(pair((3, 4), (4,), (3, 1), seed=5)),
        Sample((*integers((9,)), np.array(-2, np.int32), np.array(3, np.int32)), gradient=False),
    ],
    doc="x no smaller than low, then no larger than high; at a bound half of the gradient passes.",
)


def _vjp_clamp(x: Any, low: Any, high: Any, out: Any, dout: Any) -> tuple[Any, Any, Any]:
    above = greater(maximum(x, low), high)
    below = less(x, low)
    draised = select(above, 0, dout)
    return select(below, 0, draised), select(below, draised, 0), select(above, dout, 0)


clamp = Op(
    "clamp",
    kind="elementwise",
    infer=infer.broadcast,
    kernel=_kernel_clip,
    vjp=_vjp_clamp,
    lower=lambda x, low, high: minimum(maximum(x, low), high),
    writes_out=True,
    samples=lambda: [
        Sample((*pair((3, 4)), np.array(-1.0), np.array(0.7))),
        Sample(pair((3, 4), (4,), (3, 1), seed=5)),
        Sample((*integers((9,)), np.array(-2, np.int32), np.array(3, np.int32)), gradient=False),
    ],
    doc="x no smaller than low, then no larger than high; an x at a bound passes the whole gradient.",
)
