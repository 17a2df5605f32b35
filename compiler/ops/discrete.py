"""Elementwise ops on integers (divisions rounded down, remainders of both kinds), and on the bits and neighbours of
floats; some only passes use."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runtime import dtypes
from ...runtime.dtypes import DType
from ..ir.attributes import DTYPE
from ..ir.code import Call
from ..ir.op import Op, Sample
from ..ir.types import TensorType, broadcast_shapes
from . import infer
from .arithmetic import infer_real
from .batching import leading
from .comparison import equal, less, logical_and, select
from .elementwise import round as round_
from .infer import elementwise_op
from .samples import booleans, integers, pair

Array = np.ndarray


gcd: Op = elementwise_op(
    "gcd",
    infer.whole,
    np.gcd,
    commutative=True,
    samples=lambda: [
        Sample(integers((3, 4), (3, 4), low=-20, high=20)),
        Sample(integers((2, 1, 4), (3, 1), low=0, high=90, dtype=np.uint8)),
    ],
    doc="The greatest common divisor of x and y.",
)


def _kernel_bit_count(x: Array, out: Array | None = None) -> Array:
    # NumPy counts the bits of magnitudes; the result counts those of the two's complement.
    return np.bitwise_count(np.asarray(x).view(f"u{x.dtype.itemsize}"), out=out)


bit_count: Op = elementwise_op(
    "bit_count",
    lambda x: infer.whole(x).with_dtype(dtypes.uint8),
    _kernel_bit_count,
    samples=lambda: [Sample(integers((3, 4), low=-99, high=99)), Sample(integers((), low=1, high=9, dtype=np.int8))],
    doc="How many bits of x are set.",
)


def _vjp_nextafter(x: Any, y: Any, out: Any, dout: Any) -> tuple[Any, Any]:
    return dout, None


def _next_bits(x: Any, y: Any) -> Any:
    """Numbers of one sign are in the order of their bits. Zero has none."""
    whole = {dtypes.float32: dtypes.int32, dtypes.float64: dtypes.int64}.get(x.dtype)
    if whole is None or y.dtype is not x.dtype:
        return None
    bits = bitcast(x, dtype=whole)
    found = select(equal(less(x, y), less(0.0, x)), bits + 1, bits - 1)
    found = select(equal(x, 0.0), 1, found)
    found = select(logical_and(equal(x, 0.0), less(y, 0.0)), 1 - (1 << whole.bits - 1), found)
    found = select(equal(x, y), bitcast(y, dtype=whole), found)
    known = logical_and(equal(x, x), equal(y, y))
    return bitcast(select(known, found, int(np.array(np.nan, x.dtype.np).view(whole.np))), dtype=x.dtype)


nextafter: Op = elementwise_op(
    "nextafter",
    infer.broadcast_real,
    np.nextafter,
    vjp=_vjp_nextafter,
    native_definition=_next_bits,
    samples=lambda: [
        Sample(pair((3, 4), (4,))),
        Sample((np.array([0.0, 1.0, np.inf], np.float32), np.array([1.0, 0.0, 0.0], np.float32)), gradient=False),
    ],
    doc="The number next to x on the way to y.",
)


def _infer_bitcast(x: TensorType, *, dtype: DType) -> TensorType:
    if dtype.is_bool and not x.dtype.is_bool:
        raise TypeError(f"bitcast: the bytes of {x.dtype} need not be 0 or 1, as those of Bool")
    if x.dtype.np.itemsize != dtype.np.itemsize:
        raise TypeError(f"bitcast: {x.dtype} and {dtype} differ in size")
    return x.with_dtype(dtype)


def _emit_bitcast(node: Any, arguments: Any, out: str | None) -> Call | None:
    dtype = node.attrs["dtype"]  # NumPy has no name for bfloat16
    return None if dtype is dtypes.bfloat16 else Call(".view", (*arguments, f"np.{dtype.np.name}"))


bitcast = Op(
    "bitcast",
    kind="view",
    keeps_order=True,
    cheap=True,
    attrs={"dtype": DTYPE},
    infer=_infer_bitcast,
    kernel=lambda x, *, dtype: np.asarray(x).view(dtype.np),
    batch=leading,
    emit=_emit_bitcast,
    samples=lambda: [Sample(pair((3, 4)), {"dtype": dtypes.int64}, gradient=False)],
    doc="The bits of x read as another dtype of the same size.",
)


def _infer_mask_bits(x: TensorType, condition: TensorType) -> TensorType:
    if not x.dtype.is_integer or not condition.dtype.is_bool:
        raise TypeError(f"mask_bits: operands should be an integer and Bool, but got {x.dtype} and {condition.dtype}")
    return TensorType(x.dtype, broadcast_shapes(x.shape, condition.shape))


def _emit_mask_bits(node: Any, arguments: Any, out: str | None) -> Call:
    return Call("np.multiply", (*arguments, out) if out else tuple(arguments))


mask_bits = elementwise_op(
    "mask_bits",
    _infer_mask_bits,
    np.multiply,
    emit=_emit_mask_bits,
    native=True,
    cheap=True,
    samples=lambda: [
        Sample((*integers((3, 4)), *booleans((3, 4)))),
        Sample((*integers((3, 1)), *booleans((4,)))),
    ],
    doc="x where the condition holds, no bits elsewhere.",
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


floor_divide = elementwise_op(
    "floor_divide",
    infer_real,
    np.floor_divide,
    native=True,
    samples=_rest_samples,
    doc="The quotient of x and y rounded down.",
)


def _vjp_remainder(x: Any, y: Any, out: Any, dout: Any) -> tuple[Any, Any]:
    return dout, -dout * floor_divide(x, y)


def _vjp_fmod(x: Any, y: Any, out: Any, dout: Any) -> tuple[Any, Any]:
    # (x - out) is y times the truncated quotient, which in floating point is whole up to rounding.
    quotient = floor_divide(x - out, y) if x.dtype.is_integer else round_((x - out) / y)
    return dout, -dout * quotient


remainder = elementwise_op(
    "remainder",
    infer_real,
    np.remainder,
    vjp=_vjp_remainder,
    native=True,
    samples=_rest_samples,
    doc="x minus y times the quotient rounded down: the rest has the sign of y, as Python's %.",
)


fmod = elementwise_op(
    "fmod",
    infer_real,
    np.fmod,
    vjp=_vjp_fmod,
    native=True,
    samples=_rest_samples,
    doc="x minus y times the quotient rounded towards zero: the rest has the sign of x, as C's fmod.",
)
