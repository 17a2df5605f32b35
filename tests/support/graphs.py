"""Hypothesis strategies for random well-typed graphs over many ops, with nested control flow, and arguments for them.

    graph, arguments = draw(graphs())              # every kind of op: integers, booleans, rounding, sorting, casts …
    graph, arguments = draw(graphs(smooth=True))   # float64, differentiable at the arguments: for difference quotients

Numbers stay small: each value carries a bound, and one that might grow large is squashed by tanh.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from loops import cond, scan, while_loop

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.op import ACTIVE
from mycel.compiler.ir.types import TensorType, broadcast_shapes
from mycel.compiler.ir.values import literal
from mycel.compiler.ir.verifier import verify
from mycel.compiler.transforms.symbolic import Symbol, record
from mycel.runtime import dtypes
from mycel.runtime.dtypes import DType

Array = np.ndarray[Any, np.dtype[Any]]
Draw = Callable[[st.SearchStrategy[Any]], Any]

LARGEST_BOUND = 4.0
MOST_ELEMENTS = 100
MOST_STEPS = 8
SHAPES = st.lists(st.sampled_from([1, 2, 3]), max_size=3).map(tuple)
# No value that a computation is likely to hit: where a comparison turns, the result jumps.
THRESHOLDS = st.sampled_from([-0.73129, -0.11937, 0.23717, 0.61803])

LAYER = """\
graph layer(%x: f32[8, 4], %w: f32[4, 3], %b: f32[3]) {
  %t3: f32[8, 3] = matmul(%x, %w)                             # net.py:7
  %t4: f32[8, 3] = add(%t3, %b)
  %y: f32[8, 3] = maximum(%t4, 0.0)
  %total: f32[3] = sum(%y, axis=(0,), keepdims=False)
  return %y, %total, 2:i32
}"""


class Float(NamedTuple):
    """A floating-point symbol, and a number that its elements do not exceed in magnitude."""

    symbol: Symbol
    bound: float


def _positive(x: Any) -> Any:
    return x * x + 0.5


# Smooth functions of any number, with the bound of their value for a bound of the argument.
UNARY: dict[str, tuple[Callable[[Any], Any], Callable[[float], float]]] = {
    "negative": (lambda x: -x, lambda b: b),
    "square": (ops.square, lambda b: b * b),
    "sqrt": (lambda x: ops.sqrt(_positive(x)), lambda b: b + 1),
    "rsqrt": (lambda x: ops.rsqrt(_positive(x)), lambda b: 1.5),
    "reciprocal": (lambda x: ops.reciprocal(_positive(x)), lambda b: 2),
    "power": (lambda x: ops.power(x, 3), lambda b: b**3),
    "exp": (ops.exp, math.exp),
    "expm1": (ops.expm1, math.exp),
    "log": (lambda x: ops.log(_positive(x)), lambda b: b + 1),
    "log1p": (lambda x: ops.log1p(x * x), lambda b: b + 1),
    "sin": (ops.sin, lambda b: 1),
    "cos": (ops.cos, lambda b: 1),
    "atan": (ops.atan, lambda b: 1.6),
    "asin": (lambda x: ops.asin(ops.tanh(x) * 0.7), lambda b: 1),
    "sinh": (ops.sinh, math.exp),
    "asinh": (ops.asinh, lambda b: b),
    "tanh": (ops.tanh, lambda b: 1),
    "erf": (ops.erf, lambda b: 1),
    "sigmoid": (ops.sigmoid, lambda b: 1),
    "softplus": (ops.softplus, lambda b: b + 1),
    "log_sigmoid": (ops.log_sigmoid, lambda b: b + 1),
    "gelu": (lambda x: ops.gelu(x, approximate="none"), lambda b: b),
    "gelu_tanh": (lambda x: ops.gelu(x, approximate="tanh"), lambda b: b),
    "relu": (ops.relu, lambda b: b),
    "absolute": (ops.absolute, lambda b: b),
    "clip": (lambda x: ops.clip(x, -0.41, 0.77), lambda b: 1),
    "copy": (ops.copy, lambda b: b),
}
BINARY: dict[str, tuple[Callable[[Any, Any], Any], Callable[[float, float], float]]] = {
    "add": (ops.add, lambda a, b: a + b),
    "subtract": (ops.subtract, lambda a, b: a + b),
    "multiply": (ops.multiply, lambda a, b: a * b),
    "divide": (lambda x, y: x / _positive(y), lambda a, b: 2 * a),
    "maximum": (ops.maximum, max),
    "minimum": (ops.minimum, max),
    "atan2": (lambda x, y: ops.atan2(x, _positive(y)), lambda a, b: 1.6),
    "power": (lambda x, y: ops.power(_positive(x), ops.tanh(y)), lambda a, b: a * a + 2),
}
REDUCTIONS: dict[str, tuple[Any, Callable[[float, int], float]]] = {
    "sum": (ops.sum, lambda b, n: b * n),
    "mean": (ops.mean, lambda b, n: b),
    "prod": (ops.prod, lambda b, n: max(b, 1.0) ** n),
    "max": (ops.max, lambda b, n: b),
    "min": (ops.min, lambda b, n: b),
    "logsumexp": (ops.logsumexp, lambda b, n: b + math.log(n)),
}
ALONG: dict[str, tuple[Callable[..., Any], Callable[[float, int], float]]] = {
    "cumsum": (lambda x, axis: ops.cumsum(x, axis=axis, exclusive=False, reverse=True), lambda b, n: b * n),
    "cumprod": (
        lambda x, axis: ops.cumprod(x, axis=axis, exclusive=True, reverse=False),
        lambda b, n: max(b, 1.0) ** n,
    ),
    "cummax": (lambda x, axis: ops.cummax(x, axis=axis)[0], lambda b, n: b),
    "logcumsumexp": (
        lambda x, axis: ops.logcumsumexp(x, axis=axis, exclusive=False, reverse=False),
        lambda b, n: b + math.log(n),
    ),
    "softmax": (lambda x, axis: ops.softmax(x, axis=axis), lambda b, n: 1),
    "log_softmax": (lambda x, axis: ops.log_softmax(x, axis=axis), lambda b, n: 2 * b + math.log(n)),
    "sort": (lambda x, axis: ops.sort(x, axis=axis, descending=True, dtype=dtypes.int32)[0], lambda b, n: b),
    "topk": (lambda x, axis: ops.topk(x, k=1, axis=axis, largest=False, dtype=dtypes.int32)[0], lambda b, n: b),
    "reverse": (lambda x, axis: ops.reverse(x, axes=(axis,)), lambda b, n: b),
    "roll": (lambda x, axis: ops.roll(x, shift=(1,), axis=(axis,)), lambda b, n: b),
    "shift": (lambda x, axis: ops.shift(x, axis=axis, offset=-1, fill=0.25), lambda b, n: b),
}
# With jumps, or without derivative.
ROUGH = ("floor", "ceil", "round", "trunc", "sign", "stop_gradient")
INTEGER_BINARY = ("add", "subtract", "multiply", "maximum", "bitwise_and", "bitwise_xor", "floor_divide", "remainder")
COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
LOGIC = ("logical_and", "logical_or", "logical_xor")


class Builder:
    """Symbols of a graph under construction, from which each step makes another."""

    def __init__(self, draw: Draw, smooth: bool, dtype: DType, nesting: int) -> None:
        self.draw = draw
        self.smooth = smooth
        self.dtype = dtype
        self.nesting = nesting
        self.floats: list[Float] = []
        self.integers: list[Symbol] = []
        self.booleans: list[Symbol] = []

    def inner(self) -> Builder:
        """A builder for a sub-graph, which may read all that is here."""
        result = Builder(self.draw, self.smooth, self.dtype, self.nesting - 1)
        result.floats, result.integers, result.booleans = list(self.floats), list(self.integers), list(self.booleans)
        return result

    def choose(self, options: Sequence[Any]) -> Any:
        """One of these."""
        return self.draw(st.sampled_from(options))

    def keep(self, symbol: Symbol, bound: float) -> Float:
        """Add a floating-point symbol, squashed where it might be large."""
        if bound > LARGEST_BOUND:
            symbol, bound = ops.tanh(symbol * (2.0 / min(bound, 1e4))), 1.0
        self.floats.append(Float(symbol, float(bound)))
        return self.floats[-1]

    def any_float(self) -> Float:
        """A floating-point symbol so far."""
        return self.choose(self.floats)

    def with_axis(self) -> Float:
        """A floating-point symbol of one dimension or more."""
        found = [each for each in self.floats if each.symbol.rank]
        if found:
            return self.choose(found)
        each = self.any_float()
        return Float(ops.broadcast_to(each.symbol, shape=(2,)), each.bound)

    def axis(self, x: Symbol) -> int:
        """An axis of x."""
        return self.draw(st.integers(0, x.rank - 1))

    def fit(self, x: Symbol, shape: tuple[int, ...]) -> Symbol:
        """x, or its mean, in a shape."""
        if x.shape == shape:
            return x
        scalar = ops.mean(x, axis=tuple(range(x.rank)), keepdims=False)
        return scalar if shape == () else ops.broadcast_to(scalar, shape=shape)

    def condition(self) -> Symbol:
        """A boolean scalar."""
        scalar = self.fit(self.any_float().symbol, ())
        return ops.less(scalar, self.draw(THRESHOLDS))

    # Steps

    def unary(self) -> None:
        """A function of one symbol."""
        function, bound = UNARY[self.choose(sorted(UNARY))]
        x = self.any_float()
        self.keep(function(x.symbol), bound(x.bound))

    def binary(self) -> None:
        """A function of two symbols, or of one and a number."""
        function, bound = BINARY[self.choose(sorted(BINARY))]
        x, y = self.any_float(), self.any_float()
        if self.draw(st.integers(0, 4)) == 0:
            number = self.choose([1.0, 0.5, -2.0, 0.0, 3.0])
            y = Float(Symbol(literal(number, self.dtype), ACTIVE.recorder), abs(number))
        try:
            shape = broadcast_shapes(x.symbol.shape, y.symbol.shape)
        except ValueError:
            y = Float(self.fit(y.symbol, ()), y.bound)
            shape = x.symbol.shape
        if math.prod(size or 0 for size in shape) <= MOST_ELEMENTS:
            self.keep(function(x.symbol, y.symbol), bound(x.bound, y.bound))

    def reduction(self) -> None:
        """A reduction over some axes."""
        op, bound = REDUCTIONS[self.choose(sorted(REDUCTIONS))]
        x = self.any_float()
        axis = tuple(a for a in range(x.symbol.rank) if self.draw(st.booleans()))
        count = math.prod(x.symbol.type.static_shape[a] for a in axis)
        self.keep(op(x.symbol, axis=axis, keepdims=self.draw(st.booleans())), bound(x.bound, count))

    def along(self) -> None:
        """An op that works along one axis."""
        function, bound = ALONG[self.choose(sorted(ALONG))]
        x = self.with_axis()
        axis = self.axis(x.symbol)
        self.keep(function(x.symbol, axis), bound(x.bound, x.symbol.type.static_shape[axis]))

    def choice(self) -> None:
        """A choice between two symbols by a comparison."""
        x, y, z = self.any_float(), self.any_float(), self.any_float()
        shape = x.symbol.type.static_shape
        y_symbol, z_symbol = self.fit(y.symbol, shape), self.fit(z.symbol, self.choose([(), shape]))
        self.keep(ops.select(ops.less(y_symbol, self.draw(THRESHOLDS)), x.symbol, z_symbol), max(x.bound, z.bound))

    def product(self) -> None:
        """A matrix product, with or without batches."""
        x, y = self.with_axis(), self.any_float()
        inner = x.symbol.shape[-1]
        columns = self.draw(st.integers(1, 3))
        shape = self.choose([(inner,), (inner, columns), (2, inner, columns)])
        y_symbol = self.fit(y.symbol, shape)
        if x.symbol.rank > 2 and len(shape) > 2:
            y_symbol = self.fit(y.symbol, (inner, columns))
        if y_symbol.rank == 2 and self.draw(st.booleans()):
            y_symbol = y_symbol * ops.reshape(ops.iota(start=1, step=1, size=inner, dtype=self.dtype), shape=(inner, 1))
            y = Float(y_symbol, y.bound * inner)
        self.keep(ops.matmul(x.symbol, y_symbol), x.bound * y.bound * inner)

    def shape(self) -> None:
        """An op that moves numbers without changing them."""
        x, bound = self.with_axis()
        axis = self.axis(x)
        sizes = x.type.static_shape
        whole = (0,) * x.rank
        ends = tuple(size - (1 if position == axis else 0) for position, size in enumerate(sizes))
        moves: list[Callable[[], Any]] = [
            lambda: ops.reshape(x, shape=(-1,)),
            lambda: ops.transpose(x, axes=tuple(self.draw(st.permutations(range(x.rank))))),
            lambda: ops.expand_dims(x, axes=(axis,)),
            lambda: ops.broadcast_to(x, shape=(2, *sizes)),
            lambda: ops.slice(x, start=whole, stop=ends, step=(1,) * x.rank),
            lambda: ops.pad(x, low=(1,) * x.rank, high=whole, value=0.3),
            lambda: ops.concatenate(x, ops.reverse(x, axes=(axis,)), axis=axis),
            lambda: ops.take(x, ops.constant(value=np.array([0, sizes[axis] - 1, 0])), axis=axis),
        ]
        made = self.choose(moves)()
        if made.type.size and made.type.size <= MOST_ELEMENTS:
            self.keep(made, max(bound, 0.3))

    def rough(self) -> None:
        """An op with jumps, on integers or on booleans, or a cast; for graphs that nobody compares with quotients."""
        kind = self.choose(["float", "integer", "compare", "logic", "to_integer", "to_float", "position", "mask"])
        x = self.any_float()
        if kind == "float":
            self.keep(ops.OPS[self.choose(ROUGH)](x.symbol), x.bound + 1)
        elif kind == "compare":
            self.booleans.append(ops.OPS[self.choose(COMPARISONS)](x.symbol, self.draw(THRESHOLDS)))
        elif kind == "to_integer":
            self.integers.append(ops.cast(x.symbol * 3.0, dtype=dtypes.int32))
        elif kind == "position":
            y = self.with_axis().symbol
            self.integers.append(ops.argmax(y, axis=self.axis(y), dtype=dtypes.int32))
        elif kind == "integer" and self.integers:
            y = self.choose(self.integers)
            self.integers.append(ops.OPS[self.choose(INTEGER_BINARY)](y, self.choose([3, -2, 7])))
        elif kind == "to_float" and self.integers:
            self.keep(ops.tanh(ops.cast(self.choose(self.integers), dtype=self.dtype)), 1)
        elif kind == "logic" and self.booleans:
            y = self.choose(self.booleans)
            self.booleans.append(ops.OPS[self.choose(LOGIC)](y, ops.logical_not(y)))
        elif kind == "mask" and self.booleans:
            mask = self.choose(self.booleans)
            self.keep(ops.select(mask, self.fit(x.symbol, mask.type.static_shape), 0.0), x.bound)

    def branch(self) -> None:
        """A cond whose branches give values of the same shapes."""
        shapes = [self.any_float().symbol.type.static_shape for _ in range(self.draw(st.integers(1, 2)))]

        def side() -> list[Symbol]:
            inner = self.inner()
            inner.steps(3)
            return [inner.fit(inner.bounded(), shape) for shape in shapes]

        for symbol in cond(self.condition(), side, side):
            self.keep(symbol, LARGEST_BOUND)

    def loop(self) -> None:
        """A while_loop over a counter and one or two floating-point values."""
        start = [self.any_float() for _ in range(self.draw(st.integers(1, 2)))]
        trips = self.draw(st.integers(0, 3))
        zero = ops.iota(start=0, step=1, size=1, dtype=dtypes.int64)
        counter = ops.reshape(zero, shape=())

        def body(state: Sequence[Symbol]) -> list[Symbol]:
            return [ops.add(state[0], 1), *self.next_state(state[1:])]

        init = [counter, *[ops.tanh(each.symbol) for each in start]]
        stacked, early = self.draw(st.booleans()), self.draw(st.booleans())
        threshold = self.draw(THRESHOLDS)

        def test(state: Sequence[Symbol]) -> Symbol:
            """Stop after so many iterations, or (so that the runs of a nested loop differ) depending on the numbers."""
            left = ops.less(state[0], trips)
            return ops.logical_and(left, ops.less(self.fit(state[1], ()), threshold)) if early else left

        results = while_loop(init, test, body, lambda s: [ops.sin(s[1])] if stacked else [])
        for symbol in results[1 : len(init)]:
            self.keep(symbol, LARGEST_BOUND)
        if stacked:
            self.keep(ops.sum(results[-1], axis=tuple(range(results[-1].rank)), keepdims=False), trips + 1)

    def next_state(self, state: Sequence[Symbol]) -> list[Symbol]:
        """The values that a loop's body makes of its state."""
        inner = self.inner()
        inner.floats += [Float(symbol, LARGEST_BOUND) for symbol in state]
        inner.steps(3)
        return [ops.tanh(inner.fit(inner.bounded(), s.type.static_shape) + s * 0.5) for s in state]

    def counted(self) -> None:
        """A scan over rows, with a state, stacked outputs, in either direction."""
        x = self.with_axis()
        length = x.symbol.type.static_shape[0]
        start = ops.tanh(self.any_float().symbol)

        def body(index: Symbol, state: Sequence[Symbol], rows: Sequence[Symbol]) -> Any:
            shape = state[0].type.static_shape
            new = self.next_state([state[0], self.fit(rows[0], shape)])
            return [new[0]], [ops.add(new[1], ops.cast(index, dtype=self.dtype))]

        last, stack = scan([start], [x.symbol], body, length, self.draw(st.booleans()))
        self.keep(last, LARGEST_BOUND)
        if stack.type.size <= MOST_ELEMENTS:
            self.keep(stack, LARGEST_BOUND + length)

    def bounded(self) -> Symbol:
        """The symbol made last."""
        return self.floats[-1].symbol

    def steps(self, most: int, least: int = 1) -> None:
        """Take some steps."""
        kinds = [self.unary, self.binary, self.binary, self.reduction, self.along, self.choice, self.product]
        kinds += [self.shape, self.shape]
        if not self.smooth:
            kinds += [self.rough, self.rough]
        if self.nesting:
            kinds += [self.branch, self.loop, self.counted]
        for _ in range(self.draw(st.integers(least, most))):
            self.choose(kinds)()


@st.composite
def graphs(
    draw: Draw, smooth: bool = False, nesting: int = 2, dtype: DType = dtypes.float64
) -> tuple[Graph, list[Array]]:
    """A verified graph over many ops, and arguments of its parameters' types.

    Args:
        draw: given by Hypothesis.
        smooth: only ops that are differentiable at (almost all) arguments, so that difference quotients mean something.
        nesting: how deep control flow may be nested; 0 for none.
        dtype: of the floating-point values.
    """
    shapes = draw(st.lists(SHAPES, min_size=1, max_size=3))
    generator = np.random.default_rng(draw(st.integers(0, 2**16)))
    arguments = [np.asarray(generator.uniform(-1.5, 1.5, shape), dtype.np) for shape in shapes]

    def program(*symbols: Symbol) -> list[Symbol]:
        builder = Builder(draw, smooth, dtype, nesting)
        builder.floats = [Float(symbol, 1.5) for symbol in symbols]
        builder.steps(MOST_STEPS, least=3)
        results = [builder.bounded()]
        results += [builder.any_float().symbol for _ in range(draw(st.integers(0, 2)))]
        if not smooth:
            results += builder.integers[-1:] + builder.booleans[-1:]
        return results

    graph = record("drawn", [TensorType(dtype, shape) for shape in shapes], program)
    return verify(graph), arguments
