"""Elementwise ops on integers, and on the bits and neighbours of floats."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runtime import dtypes
from ..ir.op import Op, Sample
from . import infer
from .records import elementwise_op
from .samples import integers, pair

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


nextafter: Op = elementwise_op(
    "nextafter",
    infer.broadcast_real,
    np.nextafter,
    vjp=_vjp_nextafter,
    samples=lambda: [
        Sample(pair((3, 4), (4,))),
        Sample((np.array([0.0, 1.0, np.inf], np.float32), np.array([1.0, 0.0, 0.0], np.float32)), gradient=False),
    ],
    doc="The number next to x on the way to y.",
)
