"""Elementwise comparisons, logic on booleans and on bits, and the choice between two tensors."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...runtime import dtypes
from ..ir import triangles
from ..ir.graph import Node
from ..ir.op import Infer, Op, Sample
from ..ir.types import TensorType, broadcast_shapes
from ..ir.values import Literal, Operand
from . import infer
from .infer import elementwise_op
from .parts import of_choice
from .samples import booleans, integers, pair


def _compare_samples() -> list[Sample]:
    return [
        Sample(pair((3, 4), (3, 4))),
        Sample(pair((2, 1, 4), (3, 1))),
        Sample(integers((20,), (20,), low=0, high=3)),
        Sample((np.array([1.0, np.nan, np.inf, 0.0]), np.array([1.0, np.nan, np.inf, -0.0]))),
    ]


def _comparison(name: str, kernel: np.ufunc, doc: str, commutative: bool = False) -> Op:
    return elementwise_op(
        name,
        infer.compare,
        kernel,
        native=True,
        cheap=True,
        commutative=commutative,
        samples=_compare_samples,
        doc=doc,
    )


equal = _comparison("equal", np.equal, "Whether x equals y.", commutative=True)
not_equal = _comparison("not_equal", np.not_equal, "Whether x differs from y.", commutative=True)
less = _comparison("less", np.less, "Whether x is less than y.")
less_equal = _comparison("less_equal", np.less_equal, "Whether x is at most y.")
greater = _comparison("greater", np.greater, "Whether x is greater than y.")
greater_equal = _comparison("greater_equal", np.greater_equal, "Whether x is at least y.")


def same_inputs(node: Node) -> Operand | None:
    """The rewrite of `x op x` to x."""
    x, y = node.inputs
    return x if x == y and x.type == node.output.type and x.type.is_static else None


def _neutral(value: bool) -> Any:
    """The rewrite of `x op value` to x."""

    def rewrite(node: Node) -> Operand | None:
        for operand, other in (node.inputs, node.inputs[::-1]):
            if isinstance(other, Literal) and other.value is value and operand.type == node.output.type:
                return operand
        return None

    return rewrite


def _on_bits(infer: Infer, name: str, kernel: np.ufunc, *rewrites: Any, **record: Any) -> Op:
    return elementwise_op(
        name,
        infer,
        kernel,
        rewrites=rewrites,
        native=True,
        cheap=True,
        commutative=True,
        **record,
    )


def _logic_samples() -> list[Sample]:
    return [Sample(booleans((3, 4), (3, 4))), Sample(booleans((2, 1, 4), (3, 1)))]


def _bit_samples() -> list[Sample]:
    return [
        Sample(integers((3, 4), (3, 4))),
        Sample(integers((2, 1, 4), (3, 1), low=0, high=250, dtype=np.uint8)),
        Sample(booleans((3, 4), (4,))),
    ]


_logic = partial(_on_bits, infer.logical, samples=_logic_samples)
_bitwise = partial(_on_bits, infer.bitwise, samples=_bit_samples)

logical_and = _logic(
    "logical_and", np.logical_and, same_inputs, _neutral(True), above=triangles.of_both,
    doc="Whether both x and y hold.",
)  # fmt: skip
logical_or = _logic(
    "logical_or", np.logical_or, same_inputs, _neutral(False), above=triangles.of_either, doc="Whether x or y holds."
)
logical_xor = _logic("logical_xor", np.logical_xor, _neutral(False), doc="Whether exactly one of x and y holds.")
logical_not = elementwise_op(
    "logical_not",
    infer.logical,
    np.logical_not,
    above=triangles.of_negation,
    native=True,
    cheap=True,
    samples=lambda: [Sample(booleans((3, 4))), Sample(booleans(()))],
    doc="Whether x does not hold.",
)


bitwise_and = _bitwise("bitwise_and", np.bitwise_and, same_inputs, doc="The bits set in both x and y.")
bitwise_or = _bitwise("bitwise_or", np.bitwise_or, same_inputs, doc="The bits set in x or y.")
bitwise_xor = _bitwise("bitwise_xor", np.bitwise_xor, doc="The bits set in exactly one of x and y.")
bitwise_not = elementwise_op(
    "bitwise_not",
    infer.bitwise,
    np.invert,
    native=True,
    cheap=True,
    samples=lambda: [Sample(integers((3, 4))), Sample(booleans((3,)))],
    doc="Every bit of x turned over.",
)


def _shift(name: str, kernel: np.ufunc, doc: str) -> Op:
    return elementwise_op(
        name,
        infer.whole,
        kernel,
        native=True,
        samples=lambda: [
            Sample((*integers((3, 4), low=-90, high=90), *integers((3, 4), low=0, high=20))),
            Sample((*integers((3, 4), low=-90, high=90), *integers((4,), low=0, high=20))),
        ],
        doc=doc,
    )


left_shift = _shift("left_shift", np.left_shift, "The bits of x moved up by y places.")
right_shift = _shift("right_shift", np.right_shift, "The bits of x moved down by y places, keeping the sign.")


def _infer_select(condition: TensorType, x: TensorType, y: TensorType) -> TensorType:
    if condition.dtype is not dtypes.bool_:
        raise TypeError(f"select: the condition should be Bool, but got {condition.dtype}")
    return TensorType(infer.same_dtype(x, y), broadcast_shapes(condition.shape, x.shape, y.shape))


# Integers of the width of a number, on which multiplying by 0 or 1 keeps or clears it exactly (nan and inf too).
_BITS = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}
_FEW = 256  # elements, up to which one call of NumPy is as quick as three


def _is_plain_zero(x: np.ndarray) -> bool:
    return x.ndim == 0 and not any(x.tobytes())


def _kernel_select(condition: np.ndarray, x: np.ndarray, y: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    condition, x, y = np.asarray(condition), np.asarray(x), np.asarray(y)
    bits, keep = (np.bool_, np.logical_and) if x.dtype == np.bool_ else (_BITS.get(x.itemsize), np.multiply)
    if bits is not None and (_is_plain_zero(y) or _is_plain_zero(x)):
        # For rules with a mask: several times faster than np.where.
        kept, mask = (x, condition) if _is_plain_zero(y) else (y, np.logical_not(condition))
        result = np.empty(np.broadcast_shapes(kept.shape, mask.shape), x.dtype) if out is None else out
        keep(kept.view(bits), mask, out=result.view(bits))
        return result
    if bits is not None and condition.size > _FEW:  # np.where branches, and a random condition is hard to predict
        different = keep(np.bitwise_xor(x.view(bits), y.view(bits)), condition)
        chosen = np.bitwise_xor(different, y.view(bits), out=None if out is None else out.view(bits))
        return chosen.view(x.dtype) if out is None else out
    if out is None:
        return np.where(condition, x, y)
    np.copyto(out, np.where(condition, x, y))
    return out


def _known_choice(node: Node) -> Operand | None:
    condition, x, y = node.inputs
    chosen: Operand | None = None
    if type(condition) is Literal:
        chosen = x if condition.value else y
    elif x == y:
        chosen = x
    return chosen if chosen is not None and chosen.type == node.output.type and chosen.type.is_static else None


def _select_samples() -> list[Sample]:
    def make(*shapes: tuple[int, ...]) -> Sample:
        return Sample((*booleans(shapes[0], seed=3), *pair(*shapes[1:])))

    return [
        make((3, 4), (3, 4), (3, 4)),
        make((4,), (3, 4), ()),
        make((3, 1), (), (1, 4)),
        make((), (2, 3), (3,)),
        Sample((*booleans((5,)), *integers((5,), (5,)))),
        Sample((*booleans((300,)), *booleans((2, 300)), *booleans((1,)))),
        Sample((*booleans((300,)), *integers((300,), (), dtype=np.int8))),
        Sample((*booleans((3, 4)), *pair((3, 4)), np.array(0.0))),
        Sample((*booleans((3, 4)), np.array(0.0), *pair((4,)))),
        Sample((*booleans((3,)), np.array([np.nan, np.inf, -np.inf]), np.array(0.0)), gradient=False),
        Sample((*booleans((3, 4)), *pair((3, 4)), np.array(-0.0)), gradient=False),
    ]


select: Op = elementwise_op(
    "select",
    _infer_select,
    _kernel_select,
    parts=of_choice,
    above=triangles.of_choice,
    vjp=lambda condition, x, y, out, dout: (None, select(condition, dout, 0), select(condition, 0, dout)),
    rewrites=(_known_choice,),
    native=True,
    exact=True,
    cheap=True,
    samples=_select_samples,
    doc="x where the condition holds, y elsewhere.",
)
