"""Elementwise arithmetic: the ops that symbols' operators record."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ir import Literal, Node, Operand
from ..op import Op, Sample
from . import infer


def is_number(operand: Operand, value: float) -> bool:
    """Whether an operand is this literal number (0.0 is not -0.0)."""
    return isinstance(operand, Literal) and operand.value == value and not isinstance(operand.value, complex)


def keeps_type(node: Node, operand: Operand) -> Operand | None:
    """`operand` as a replacement for the node's output where the types agree."""
    return operand if operand.type == node.output.type else None


def pair(*shapes: tuple[int, ...], low: float = -2.0, high: float = 2.0, seed: int = 0) -> tuple[np.ndarray, ...]:
    """Float64 sample arrays of these shapes, uniform in [low, high)."""
    generator = np.random.default_rng(seed)
    return tuple(generator.uniform(low, high, shape) for shape in shapes)


def binary_samples(low: float = -2.0, high: float = 2.0) -> Any:
    """Samples for a binary op: equal shapes, broadcasting both ways, a scalar."""
    return lambda: [
        Sample(pair((3, 4), (3, 4), low=low, high=high)),
        Sample(pair((3, 4), (4,), low=low, high=high)),
        Sample(pair((2, 1, 4), (3, 1), low=low, high=high)),
        Sample(pair((), (2, 3), low=low, high=high)),
    ]


def unary_samples(low: float = -2.0, high: float = 2.0) -> Any:
    """Samples for a unary op: a matrix and a scalar."""
    return lambda: [Sample(pair((3, 4), low=low, high=high)), Sample(pair((), low=low, high=high, seed=1))]


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
    writes_out=True,
    commutative=True,
    samples=binary_samples(),
    doc="Sum of x and y.",
)
subtract = Op(
    "subtract",
    kind="elementwise",
    infer=infer.broadcast_numeric,
    kernel=np.subtract,
    vjp=lambda x, y, out, dout: (dout, -dout),
    rewrites=(lambda node: keeps_type(node, node.inputs[0]) if is_number(node.inputs[1], 0) else None,),
    writes_out=True,
    samples=binary_samples(),
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
    writes_out=True,
    commutative=True,
    samples=binary_samples(),
    doc="Product of x and y.",
)
divide = Op(
    "divide",
    kind="elementwise",
    infer=infer.broadcast_float,
    kernel=np.true_divide,
    vjp=lambda x, y, out, dout: (dout / y, -(dout * out) / y),
    rewrites=(lambda node: keeps_type(node, node.inputs[0]) if is_number(node.inputs[1], 1) else None,),
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
    writes_out=True,
    samples=unary_samples(),
    doc="The negated x.",
)

OPS = (add, subtract, multiply, divide, negative)
