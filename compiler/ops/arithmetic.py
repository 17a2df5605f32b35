"""Elementwise arithmetic: the ops for Python's operators on symbols, powers and roots, integer division, bounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...runtime.kernels.precision import deliver, is_half, widen
from ..ir import triangles
from ..ir.code import Call, Code, Constant
from ..ir.graph import Node
from ..ir.op import Op, Sample
from ..ir.spelling import spell
from ..ir.types import TensorType
from ..ir.values import Literal, Operand, literal
from . import infer
from .comparison import equal, greater, greater_equal, less, same_inputs, select
from .conversion import cast, conj, infer_in_reals
from .infer import elementwise_op
from .parts import Parts, of_exact_product, of_negative, of_sum
from .samples import binary_samples, integers, pair as pair, unary_samples, with_integers

Array = np.ndarray


def is_number(operand: Operand, value: float) -> bool:
    """Whether an operand is this literal number (0.0 is not -0.0)."""
    if not isinstance(operand, Literal) or operand.value != value or isinstance(operand.value, complex):
        return False
    return not isinstance(operand.value, float) or math.copysign(1.0, operand.value) == math.copysign(1.0, value)


def neutral(number: float, *places: int) -> tuple[Callable[[Node], Operand | None], ...]:
    """Rewrites of `x op number` to x, for an op of two operands and the positions in which the number is neutral."""

    def rewrite(node: Node) -> Operand | None:
        for place in places:
            operand, other = node.inputs[place], node.inputs[1 - place]
            if operand.__class__ is Literal and is_number(operand, number) and other.type == node.output.type:
                return other
        return None

    return (rewrite,)


add = elementwise_op(
    "add",
    infer.broadcast,
    np.add,
    parts=of_sum,
    above=triangles.of_sum,
    vjp=lambda x, y, out, dout: (dout, dout),
    rewrites=neutral(-0.0, 1, 0),  # 0.0 is not: -0.0 + 0.0 is 0.0
    native=True,
    cheap=True,
    commutative=True,
    samples=with_integers(binary_samples()),
    doc="Sum of x and y.",
)
subtract = elementwise_op(
    "subtract",
    infer.broadcast_numeric,
    np.subtract,
    parts=of_sum,
    above=triangles.of_difference,
    vjp=lambda x, y, out, dout: (dout, -dout),
    rewrites=neutral(0, 1),
    native=True,
    cheap=True,
    samples=with_integers(binary_samples()),
    doc="Difference of x and y.",
)
multiply = elementwise_op(
    "multiply",
    infer.broadcast,
    np.multiply,
    parts=of_exact_product,
    above=triangles.of_product,
    vjp=lambda x, y, out, dout: (dout * y, dout * x),
    rewrites=neutral(1, 1, 0),
    native=True,
    cheap=True,
    commutative=True,
    samples=with_integers(binary_samples()),
    doc="Product of x and y.",
)


def _over(real: Any, imag: Any, divisor: Any) -> Parts:
    """Both over a real number, with one division. The reciprocals of the largest numbers are denormal, which kernels
    take for 0; so these are made smaller first."""
    dtype = divisor.dtype
    large = greater(absolute(divisor), float(np.finfo(dtype.np).max) / 16)
    scale = select(large, literal(1 / 16, dtype), literal(1.0, dtype))
    factor = 1.0 / (divisor * scale)
    return Parts(real * scale * factor, imag * scale * factor)


def _quotient_of_parts(op: Op, x: Parts, y: Parts) -> Parts:
    """The quotient by Smith's method, as NumPy has it: without squares of large and of small numbers."""
    a, b = x.filled()
    if y.imag is None:  # the ratio of the divisor's parts is a zero
        c = y.real
        ratio = select(less(c, 0.0), literal(-0.0, c.dtype), literal(0.0, c.dtype))
        return _over(a + b * ratio, b - a * ratio, select(equal(c, 0.0), 0.0, c))
    c, d = y.filled()
    wide = greater_equal(absolute(c), absolute(d))
    large, small = select(wide, c, d), select(wide, d, c)
    zero = equal(large, 0.0)
    ratio = small / select(zero, 1.0, large)
    real = select(wide, a, b) + select(wide, b, a) * ratio
    imag = select(wide, b - a * ratio, b * ratio - a)
    return _over(real, imag, select(zero, 0.0, large + small * ratio))


divide = elementwise_op(
    "divide",
    infer.broadcast_float,
    np.true_divide,
    parts=_quotient_of_parts,
    above=triangles.of_quotient,
    vjp=lambda x, y, out, dout: (dout / y, -(dout * out) / y),
    rewrites=neutral(1, 1),
    native=True,
    samples=binary_samples(0.5, 2.0),
    doc="Quotient of x and y (floating-point).",
)
negative = elementwise_op(
    "negative",
    infer.broadcast_numeric,
    np.negative,
    parts=of_negative,
    above=triangles.of_zero,
    vjp=lambda x, out, dout: -dout,
    native=True,
    exact=True,
    cheap=True,
    samples=with_integers(unary_samples()),
    doc="The negated x.",
)


def _kernel_multiply_add(x: Array, y: Array, z: Array, out: Array | None = None) -> Array:
    return np.add(np.multiply(x, y), z, out=out)


multiply_add = elementwise_op(
    "multiply_add",
    infer.broadcast_float,
    _kernel_multiply_add,
    vjp=lambda x, y, z, out, dout: (dout * y, dout * x, dout),
    native=True,
    cheap=True,
    samples=lambda: [Sample(pair((3, 4), (4,), (3, 1), seed=3)), Sample(pair((5,), (5,), (5,), seed=4))],
    doc="x times y, plus z (floating-point); kernels of machine code round once.",
)
square = elementwise_op(
    "square",
    infer.broadcast_numeric,
    np.square,
    vjp=lambda x, out, dout: dout * (x * 2),
    definition=lambda x: x * x,
    samples=with_integers(unary_samples()),
    doc="x times x.",
)


def _root_of_parts(op: Op, x: Parts) -> Parts:
    """The root in the right half of the plane; the sign of a zero says on which side of the cut a number is."""
    a, b = x.filled()
    near, beyond = within_range(x)
    wide = op(0.5 * absolute(near.real) + 0.5 * absolute_of_parts(absolute, near))
    height = absolute(b)
    wide = select(equal(height, math.inf), height, select(beyond, wide * 2.0, wide))  # also where a is nan
    over = select(equal(wide, 0.0), 1.0, wide)  # the magnitude of a number next to 0 may be 0
    narrow = select(equal(height, math.inf), height, height / over * 0.5)
    left = less(a, 0.0)
    imag = select(left, wide, narrow)
    below = less(select(equal(b, 0.0), 1.0 / b, b), 0.0)
    return Parts(select(left, narrow, wide), select(below, -imag, imag))


sqrt = elementwise_op(
    "sqrt",
    infer.broadcast_float,
    np.sqrt,
    parts=_root_of_parts,
    vjp=lambda x, out, dout: dout * 0.5 / out,
    native=True,
    samples=unary_samples(0.5, 4.0),
    doc="Square root of x; its derivative at 0 is inf.",
)


def _kernel_rsqrt(x: Array, out: Array | None = None) -> Array:
    root = np.sqrt(x, out=out)
    return np.true_divide(root.dtype.type(1), root, out=out)


rsqrt = elementwise_op(
    "rsqrt",
    infer.broadcast_float,
    _kernel_rsqrt,
    vjp=lambda x, out, dout: dout * -0.5 * out / x,
    definition=lambda x: 1.0 / sqrt(x),
    samples=unary_samples(0.5, 4.0),
    doc="One over the square root of x.",
)


def _kernel_reciprocal(x: Array, out: Array | None = None) -> Array:
    return np.divide(x.dtype.type(1), x, out=out)  # np.reciprocal is another one for complex numbers


reciprocal = elementwise_op(
    "reciprocal",
    infer.broadcast_float,
    _kernel_reciprocal,
    vjp=lambda x, out, dout: -dout * out * out,
    definition=lambda x: 1.0 / x,
    samples=unary_samples(0.5, 4.0),
    doc="One over x.",
)


def infer_real(*types: TensorType) -> TensorType:
    """The common type of operands of an ordered dtype."""
    result = infer.broadcast_numeric(*types)
    if result.dtype.is_complex:
        raise TypeError(f"operands should be real numbers, but got {result.dtype}")
    return result


def _vjp_absolute(x: Any, out: Any, dout: Any) -> Any:
    if not x.dtype.is_complex:
        return dout * sign(x)
    return conj(x) * cast(dout / select(equal(out, 0), 1, out), dtype=x.dtype)


def absolute_of_parts(op: Op, x: Parts) -> Any:
    """The magnitude. Large and small numbers get a factor, so that their squares are in range: a power of two."""
    if x.imag is None:
        return op(x.real)
    a, b = map(op, x.filled())
    most = np.finfo(a.dtype.numpy_name).maxexp  # 128 or 1024
    larger, far = maximum(a, b), 2.0 ** (most * 3 // 4)
    is_large, is_small = greater(larger, 2.0 ** (most * 3 // 8)), less(larger, 2.0 ** -(most * 3 // 8))
    up, same, down = [literal(number, a.dtype) for number in (far, 1.0, 1 / far)]
    factor = select(is_large, down, select(is_small, up, same))
    c, d = a * factor, b * factor
    finite = sqrt(c * c + d * d) * select(is_large, up, select(is_small, down, same))
    return select(equal(a, math.inf), a, select(equal(b, math.inf), b, finite))  # also where the other is nan


def within_range(x: Parts) -> tuple[Parts, Any]:
    """A quarter of x where its magnitude may exceed all numbers, x elsewhere, and where that is."""
    a, b = x.filled()
    largest = float(np.finfo(a.dtype.numpy_name).max)
    beyond = greater(maximum(absolute(a), absolute(b)), largest / 2)
    return Parts(select(beyond, a * 0.25, a), select(beyond, b * 0.25, b)), beyond


absolute = elementwise_op(
    "absolute",
    infer_in_reals,
    np.absolute,
    parts=absolute_of_parts,
    vjp=_vjp_absolute,
    native=True,
    exact=True,
    cheap=True,
    samples=with_integers(unary_samples(), Sample((np.array([3 + 4j, -1j, 0j]),), gradient=False)),
    doc="Magnitude of x; its derivative at 0 is 0.",
)


def _kernel_sign(x: Array, *, out: Array | None = None) -> Array:
    if is_half(x.dtype):  # zeros of BFloat16 would keep their signs
        return deliver(np.sign(widen(x)), x.dtype, out)
    if out is None or not np.may_share_memory(x, out):
        return np.sign(x, out=out)
    np.copyto(out, np.sign(x))  # in place NumPy takes ten times as long
    return out


sign = elementwise_op(
    "sign",
    infer_real,
    _kernel_sign,
    native=True,
    samples=with_integers(unary_samples(), Sample((np.array([0.0, -0.0, np.nan, np.inf]),))),
    doc="-1, 0 or 1 as x is negative, zero or positive.",
)


def _extremum(better: Op) -> Any:
    """The derivative rule of maximum (`better` is greater) and minimum (less). Equal operands get half of the gradient
    each (integers none).

    If one of them is nan, both get the whole gradient, as in MindSpore.
    """

    def vjp(x: Any, y: Any, out: Any, dout: Any) -> tuple[Any, Any]:
        part = select(equal(x, y), dout * 0.5, dout)
        return select(better(y, x), 0, part), select(better(x, y), 0, part)

    return vjp


LARGEST_ROW = 1 << 15  # elements


def _emit_extremum(node: Node, arguments: Sequence[str], out: str | None) -> Code | None:
    """The code for an extremum with a number in single precision: the number is broadcast to a row, which is three
    times as fast.

    NumPy has vector instructions only for two arrays. The row is the longest one without the first dimension, because
    the last block of a fused group may have fewer rows.
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


def _bound(name: str, ufunc: np.ufunc, better: Op, doc: str) -> Op:
    return elementwise_op(
        name, infer.broadcast, ufunc, emit=_emit_extremum, vjp=_extremum(better), rewrites=(same_inputs,), native=True,
        cheap=True, commutative=True, exact=True, samples=with_integers(binary_samples()), doc=doc,
    )  # fmt: skip


maximum = _bound(
    "maximum", np.maximum, greater, "The larger of x and y, nan where either is; equal ones share the gradient."
)
minimum = _bound(
    "minimum", np.minimum, less, "The smaller of x and y, nan where either is; equal ones share the gradient."
)


def _kernel_clip(x: Array, low: Array, high: Array, out: Array | None = None) -> Array:
    return np.minimum(np.maximum(x, low), high, out=out)


def _vjp_clip(x: Any, low: Any, high: Any, out: Any, dout: Any) -> tuple[Any, Any, Any]:
    raised = maximum(x, low)
    draised, dhigh = _extremum(less)(raised, high, out, dout)
    dx, dlow = _extremum(greater)(x, low, raised, draised)
    return dx, dlow, dhigh


def _vjp_clamp(x: Any, low: Any, high: Any, out: Any, dout: Any) -> tuple[Any, Any, Any]:
    above = greater(maximum(x, low), high)
    below = less(x, low)
    draised = select(above, 0, dout)
    return select(below, 0, draised), select(below, draised, 0), select(above, dout, 0)


def _limited(name: str, vjp: Callable[..., Any], at_bounds: str) -> Op:
    """An op that keeps x between two bounds."""
    return elementwise_op(
        name,
        infer.broadcast,
        _kernel_clip,
        vjp=vjp,
        definition=lambda x, low, high: minimum(maximum(x, low), high),
        samples=lambda: [
            Sample((*pair((3, 4)), np.array(-1.0), np.array(0.7))),
            Sample(pair((3, 4), (4,), (3, 1), seed=5)),
            Sample((*integers((9,)), np.array(-2, np.int32), np.array(3, np.int32)), gradient=False),
        ],
        doc=f"x no smaller than low, then no larger than high; {at_bounds}.",
    )


clip = _limited("clip", _vjp_clip, "at a bound half of the gradient passes")
clamp = _limited("clamp", _vjp_clamp, "an x at a bound passes the whole gradient")
