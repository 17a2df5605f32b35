"""Elementwise ops, reductions, and products of matrices."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ....compiler.ir.graph import Node
from ....runtime import dtypes
from .writer import NoForm, Rule, Writer


def direct(kind: str, **attributes: Any) -> Rule:
    """The rule of an op that is one operator."""

    def rule(w: Writer, node: Node, *inputs: str) -> Any:
        return w.add(kind, *inputs, **attributes)

    return rule


def by_type(kind: str, of_bools: str) -> Rule:
    """The rule of an op that is one operator on numbers and another on truth values."""

    def rule(w: Writer, node: Node, *inputs: str) -> Any:
        return w.add(of_bools if node.inputs[0].type.dtype.is_bool else kind, *inputs)

    return rule


def ordered(kind: str) -> Rule:
    """A comparison of order, which ONNX has for numbers only."""

    def rule(w: Writer, node: Node, *inputs: str) -> Any:
        if node.inputs[0].type.dtype.is_bool:
            inputs = tuple(w.cast(name, dtypes.int32) for name in inputs)
        return w.add(kind, *inputs)

    return rule


def same(w: Writer, node: Node, x: str, *rest: str, **attributes: Any) -> str:
    """The rule of ops that return their first operand."""
    return x


def logarithm(base: float) -> Rule:
    def rule(w: Writer, node: Node, x: str) -> Any:
        return w.add("Div", w.add("Log", x), w.like(node.inputs[0], math.log(base)))

    return rule


def expm1(w: Writer, node: Node, x: str) -> Any:
    """2·tanh(x/2) / (1 - tanh(x/2)) near 0, where exp(x) - 1 loses digits."""
    one, two, limit = (w.like(node.inputs[0], number) for number in (1, 2, 0.5))
    slope = w.add("Tanh", w.add("Div", x, two))
    near = w.add("Div", w.add("Mul", slope, two), w.add("Sub", one, slope))
    return w.add("Where", w.add("Less", w.add("Abs", x), limit), near, w.add("Sub", w.add("Exp", x), one))


def log1p(w: Writer, node: Node, x: str) -> Any:
    """log(u) · x / (u - 1) with u = 1 + x near 0: the rounding of u cancels."""
    one, limit = (w.like(node.inputs[0], number) for number in (1, 0.5))
    whole = w.add("Add", x, one)
    log, rest = w.add("Log", whole), w.add("Sub", whole, one)
    near = w.add("Where", w.add("Equal", whole, one), x, w.add("Div", w.add("Mul", log, x), rest))
    return w.add("Where", w.add("Less", w.add("Abs", x), limit), near, log)


def trunc(w: Writer, node: Node, x: str) -> Any:
    return w.add("Mul", w.add("Sign", x), w.add("Floor", w.add("Abs", x)))


def isfinite(w: Writer, node: Node, x: str) -> Any:
    if not node.inputs[0].type.dtype.is_float:
        return w.add("Equal", x, x)
    return w.add("Not", w.add("Or", w.add("IsNaN", x), w.add("IsInf", x)))


def never(kind: str) -> Rule:
    """A test of floats, which holds for no other number."""

    def rule(w: Writer, node: Node, x: str) -> Any:
        return w.add(kind, x) if node.inputs[0].type.dtype.is_float else w.add("Not", w.add("Equal", x, x))

    return rule


def whole(kind: str) -> Rule:
    """The rule of rounding; integers need none."""

    def rule(w: Writer, node: Node, x: str) -> Any:
        return w.add(kind, x) if node.inputs[0].type.dtype.is_float else x

    return rule


def erfc(w: Writer, node: Node, x: str) -> Any:
    return w.add("Sub", w.like(node.inputs[0], 1), w.add("Erf", x))


def atan2(w: Writer, node: Node, y: str, x: str) -> Any:
    zero, pi = (w.like(node.inputs[0], number) for number in (0, math.pi))
    below = w.add("Less", w.add("Div", w.like(node.inputs[0], 1), y), zero)  # -0.0 is, too
    turn = w.add("Where", w.add("Or", w.add("Less", y, zero), below), w.add("Neg", pi), pi)
    turned = w.add("Add", w.add("Atan", w.add("Div", y, x)), w.add("Where", w.add("Less", x, zero), turn, zero))
    upright = w.add("Mul", w.add("Sign", y), w.like(node.inputs[0], math.pi / 2))
    return w.add("Where", w.add("Equal", x, zero), upright, turned)


def remainder(w: Writer, node: Node, x: str, y: str) -> Any:
    if node.inputs[0].type.dtype.is_integer:
        return w.add("Mod", x, y)
    rest, zero = w.add("Mod", x, y, fmod=1), w.like(node.inputs[0], 0)
    opposite = w.add("Less", w.add("Mul", rest, w.add("Sign", y)), zero)
    return w.add("Where", opposite, w.add("Add", rest, y), rest)


def floor_divide(w: Writer, node: Node, x: str, y: str) -> Any:
    quotient = w.add("Div", w.add("Sub", x, remainder(w, node, x, y)), y)
    return quotient if node.inputs[0].type.dtype.is_integer else w.add("Round", quotient)


def power(w: Writer, node: Node, x: str, y: str) -> Any:
    wide, back = widened(w, node.inputs[0].type.dtype)
    return back(w.add("Pow", wide(x), wide(y)))


def select(w: Writer, node: Node, condition: str, x: str, y: str) -> Any:
    wide, back = widened(w, node.output.type.dtype)
    return back(w.add("Where", condition, wide(x), wide(y)))


def widened(w: Writer, dtype: dtypes.DType) -> tuple[Callable[[str], str], Callable[[str], str]]:
    """Casts to a dtype that ONNX Runtime computes with, of small integers and truth values, and back."""
    if not (dtype.is_bool or (dtype.is_integer and dtype.bits < 32)):
        return (lambda name: name), (lambda name: name)
    return (lambda name: w.cast(name, dtypes.int32)), (lambda name: w.cast(name, dtype))


def shifted(kind: str) -> Rule:
    def rule(w: Writer, node: Node, x: str, y: str) -> Any:
        factor = w.add("Pow", w.like(node.inputs[0], 2), y)
        return w.add("Mul", x, factor) if kind == "left" else floor_divide(w, node, x, factor)

    return rule


def not_equal(w: Writer, node: Node, x: str, y: str) -> Any:
    return w.add("Not", w.add("Equal", x, y))


def mask_bits(w: Writer, node: Node, x: str, condition: str) -> Any:
    return w.add("Where", condition, x, w.like(node.inputs[0], 0))


def cast(w: Writer, node: Node, x: str, *, dtype: Any) -> Any:
    return w.cast(x, dtype)


def reduction(kind: str, of_bools: str | None = None) -> Rule:
    def rule(w: Writer, node: Node, x: str, *, axis: tuple[int, ...], keepdims: bool) -> Any:
        if not axis:
            return x
        wide, back = widened(w, node.inputs[0].type.dtype)
        chosen = of_bools if of_bools and node.inputs[0].type.dtype.is_bool else kind
        return back(w.add(chosen, wide(x), w.ints(*axis), keepdims=int(keepdims)))

    return rule


def mean(w: Writer, node: Node, x: str, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    dtype = node.inputs[0].type.dtype
    if dtype.is_integer:  # the mean of integers loses its fraction
        x = w.cast(x, dtypes.float64)
    found = w.add("ReduceMean", x, w.ints(*axis), keepdims=int(keepdims)) if axis else x
    return w.cast(found, dtype) if dtype.is_integer else found


def logsumexp(w: Writer, node: Node, x: str, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    if not axis:
        return x
    axes, zero = w.ints(*axis), w.like(node.inputs[0], 0)
    top = w.add("ReduceMax", x, axes)
    top = w.add("Where", w.add("Or", w.add("IsInf", top), w.add("IsNaN", top)), zero, top)
    found = w.add("Add", w.add("Log", w.add("ReduceSum", w.add("Exp", w.add("Sub", x, top)), axes)), top)
    return found if keepdims else w.add("Squeeze", found, axes)


def _hot(w: Writer, node: Node, labels: str, axis: int, ignore: int | None) -> tuple[Any, Any]:
    """Where each label's class is, as truth values of the shape of the logits; and which labels count."""
    type = node.inputs[0].type
    if type.shape[axis] is None:
        raise NoForm("the number of classes is known only to the run")
    labels = w.cast(labels, dtypes.int64)
    sizes = [type.shape[axis] if each == axis else 1 for each in range(type.rank)]
    classes = w.constant(np.arange(type.shape[axis] or 0).reshape([size or 0 for size in sizes]), np.int64)
    counts = None
    if ignore is not None:
        counts = w.add("Not", w.add("Equal", labels, w.constant(ignore, np.int64)))
    return w.add("Equal", w.add("Unsqueeze", labels, w.ints(axis)), classes), counts


def cross_entropy(w: Writer, node: Node, logits: str, labels: str, *, axis: int, ignore: int | None) -> Any:
    zero = w.like(node.inputs[0], 0)
    total = logsumexp(w, node, logits, axis=(axis,), keepdims=False)
    hot, counts = _hot(w, node, labels, axis, ignore)
    own = w.add("ReduceSum", w.add("Where", hot, logits, zero), w.ints(axis), keepdims=0)
    losses = w.add("Sub", total, own)
    return (losses if counts is None else w.add("Where", counts, losses, zero)), total


def cross_entropy_grad(
    w: Writer, node: Node, logits: str, labels: str, total: str, dout: str, *, axis: int, ignore: int | None
) -> Any:
    zero = w.like(node.inputs[0], 0)
    hot, counts = _hot(w, node, labels, axis, ignore)
    scale = w.add("Unsqueeze", dout if counts is None else w.add("Where", counts, dout, zero), w.ints(axis))
    likely = w.add("Exp", w.add("Sub", logits, w.add("Unsqueeze", total, w.ints(axis))))
    return w.add("Sub", w.add("Mul", likely, scale), w.add("Where", hot, scale, zero))


def truth(kind: str) -> Rule:
    """`any` and `all`: sums of 0 and 1, which are also right for empty tensors."""

    def rule(w: Writer, node: Node, x: str, *, axis: tuple[int, ...], keepdims: bool) -> Any:
        numbers = w.cast(w.cast(x, dtypes.bool_), dtypes.int32)
        found = w.add(kind, numbers, w.ints(*axis), keepdims=int(keepdims)) if axis else numbers
        return w.cast(found, dtypes.bool_)

    return rule


def extremum(kind: str) -> Rule:
    def rule(w: Writer, node: Node, x: str, *, axis: int, dtype: Any) -> Any:
        if node.inputs[0].type.dtype.is_bool:
            x = w.cast(x, dtypes.int32)
        return w.cast(w.add(kind, x, axis=axis, keepdims=0), dtype)

    return rule


def matmul(w: Writer, node: Node, x: str, y: str) -> Any:
    if node.inputs[0].type.dtype.is_bool:
        raise NoForm("MatMul takes numbers")
    return w.add("MatMul", x, y)


def cumulative_sum(w: Writer, node: Node, x: str, *, axis: int, exclusive: bool, reverse: bool) -> Any:
    return w.add("CumSum", x, w.constant(axis, "int64"), exclusive=int(exclusive), reverse=int(reverse))


def along_axis(kind: str) -> Rule:
    def rule(w: Writer, node: Node, x: str, *, axis: int) -> Any:
        return w.add(kind, x, axis=axis)

    return rule


RULES: dict[str, Rule] = {
    **{
        name: direct(name.capitalize())
        for name in (
            "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "erf", "exp", "log", "reciprocal", "relu",
            "sigmoid", "sign", "sin", "sinh", "softplus", "sqrt", "tan", "tanh",
        )
    },
    "absolute": direct("Abs"), "negative": direct("Neg"), "logical_not": direct("Not"),
    "ceil": whole("Ceil"), "floor": whole("Floor"), "round": whole("Round"), "trunc": trunc,
    "add": by_type("Add", "Or"), "subtract": direct("Sub"), "multiply": by_type("Mul", "And"), "divide": direct("Div"),
    "multiply_add": lambda w, node, x, y, z: w.add("Add", w.add("Mul", x, y), z),
    "maximum": by_type("Max", "Or"), "minimum": by_type("Min", "And"), "power": power,
    "fmod": direct("Mod", fmod=1), "remainder": remainder, "floor_divide": floor_divide, "atan2": atan2,
    "expm1": expm1, "log1p": log1p, "log2": logarithm(2), "log10": logarithm(10), "erfc": erfc,
    "isfinite": isfinite, "isinf": never("IsInf"), "isnan": never("IsNaN"),
    "equal": direct("Equal"), "not_equal": not_equal, "greater": ordered("Greater"), "less": ordered("Less"),
    "greater_equal": ordered("GreaterOrEqual"), "less_equal": ordered("LessOrEqual"),
    "logical_and": direct("And"), "logical_or": direct("Or"), "logical_xor": direct("Xor"),
    "bitwise_and": by_type("BitwiseAnd", "And"), "bitwise_or": by_type("BitwiseOr", "Or"),
    "bitwise_xor": by_type("BitwiseXor", "Xor"), "bitwise_not": by_type("BitwiseNot", "Not"),
    "left_shift": shifted("left"), "right_shift": shifted("right"),
    "select": select, "mask_bits": mask_bits, "cast": cast,
    "stop_gradient": same, "barrier": same, "assume_shape": same, "copy": same, "shard": same,
    "sum": reduction("ReduceSum", "ReduceMax"), "max": reduction("ReduceMax"), "min": reduction("ReduceMin"),
    "prod": reduction("ReduceProd", "ReduceMin"), "any": truth("ReduceSum"), "all": truth("ReduceMin"), "mean": mean,
    "logsumexp": logsumexp, "argmax": extremum("ArgMax"), "argmin": extremum("ArgMin"), "cumsum": cumulative_sum,
    "softmax_cross_entropy": cross_entropy, "softmax_cross_entropy_grad": cross_entropy_grad, "matmul": matmul,
    "determinant": direct("Det"), "softmax": along_axis("Softmax"), "log_softmax": along_axis("LogSoftmax"),
}  # fmt: skip
