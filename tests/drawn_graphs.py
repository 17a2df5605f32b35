"""A Hypothesis strategy for graphs: elementwise ops with broadcasting, reductions, views, products, branches, loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from mycel.compiler import ops
from mycel.compiler.differentiate import append, differentiate
from mycel.compiler.ir import Graph, literal
from mycel.compiler.op import ACTIVE
from mycel.compiler.ops.control import record_cond
from mycel.compiler.symbolic import Recorder, Symbol, record
from mycel.compiler.types import TensorType
from mycel.runtime import dtypes
from mycel.runtime.dtypes import DType

Draw = Callable[[st.SearchStrategy[Any]], Any]

MOST_ELEMENTS = 200
SHAPES = st.lists(st.integers(1, 4), max_size=3).map(tuple)
NUMBERS = st.sampled_from([0.0, 1.0, -1.0, 2.0, 0.5, -0.3])
UNARY = ("negative", "tanh", "sin", "absolute", "square", "sign")
BINARY = ("add", "subtract", "multiply", "maximum", "minimum")
COMPARE = ("less", "greater_equal", "equal")


class Pool:
    """The symbols of one graph under construction, and the steps that add to them."""

    def __init__(self, draw: Draw, symbols: Sequence[Symbol], dtype: DType, nesting: int) -> None:
        self.draw = draw
        self.symbols = list(symbols)
        self.dtype = dtype
        self.nesting = nesting

    def pick(self) -> Symbol:
        """Any symbol so far."""
        return self.draw(st.sampled_from(self.symbols))

    def add(self, symbol: Symbol) -> None:
        """Keep a symbol if it is not too large."""
        if symbol.type.is_static and symbol.type.size <= MOST_ELEMENTS:
            self.symbols.append(symbol)

    def number(self) -> Symbol:
        """A literal."""
        return Symbol(literal(self.draw(NUMBERS), self.dtype), ACTIVE.recorder)

    def step(self) -> None:
        """Add one or a few nodes."""
        steps = [self.unary, self.binary, self.binary, self.choice, self.reduce, self.view, self.product, self.create]
        if self.nesting:
            steps += [self.branch, self.loop, self.count]
        self.draw(st.sampled_from(steps))()

    def unary(self) -> None:
        """A function of one symbol."""
        self.add(getattr(ops, self.draw(st.sampled_from(UNARY)))(self.pick()))

    def pair(self) -> tuple[Symbol, Symbol]:
        """Two symbols that broadcast together; one may be a number."""
        x, y = self.pick(), self.pick()
        if self.draw(st.integers(0, 3)) == 0 or not _broadcastable(x.shape, y.shape):
            y = self.number()
        return (x, y) if self.draw(st.booleans()) else (y, x)

    def binary(self) -> None:
        """A function of two symbols; products are squashed so that nothing overflows."""
        name = self.draw(st.sampled_from(BINARY))
        result = getattr(ops, name)(*self.pair())
        self.add(ops.tanh(result) if name == "multiply" and self.draw(st.booleans()) else result)

    def choice(self) -> None:
        """A comparison and a selection."""
        x, y = self.pair()
        if not isinstance(x.shape, tuple) or not (x.shape or y.shape):
            return
        condition = getattr(ops, self.draw(st.sampled_from(COMPARE)))(x, y)
        self.add(ops.select(condition, x, y))

    def reduce(self) -> None:
        """A sum or extremum over some axes."""
        x = self.pick()
        axis = tuple(sorted(self.draw(st.sets(st.integers(0, x.rank - 1))))) if x.rank else ()
        op = self.draw(st.sampled_from([ops.sum, ops.sum, ops.max]))
        self.add(ops.tanh(op(x, axis=axis, keepdims=self.draw(st.booleans()))))

    def view(self) -> None:
        """Another look at a symbol."""
        x = self.pick()
        kind = self.draw(st.sampled_from(["flatten", "split", "transpose", "broadcast", "slice", "expand"]))
        if kind == "flatten":
            self.add(ops.reshape(x, shape=(-1,)))
        elif kind == "split":
            size = x.type.size
            factor = self.draw(st.sampled_from([n for n in (1, 2, 3, 4) if size % n == 0]))
            self.add(ops.reshape(x, shape=(factor, size // factor)))
        elif kind == "transpose":
            self.add(ops.transpose(x, axes=tuple(self.draw(st.permutations(range(x.rank))))))
        elif kind == "broadcast":
            front = self.draw(st.integers(1, 3))
            shape = tuple(self.draw(st.integers(1, 3)) if size == 1 else size for size in x.shape)
            self.add(ops.broadcast_to(x, shape=(front, *shape) if self.draw(st.booleans()) else shape))
        elif kind == "slice" and x.rank:
            start = tuple(self.draw(st.integers(0, size - 1)) for size in x.shape)
            self.add(ops.slice(x, start=start, stop=x.shape, step=(1,) * x.rank))
        elif kind == "expand":
            at = self.draw(st.integers(0, x.rank))
            self.add(ops.reshape(x, shape=(*x.shape[:at], 1, *x.shape[at:])))

    def product(self) -> None:
        """A matrix product, of whatever fits."""
        x, y = self.pick(), self.pick()
        if x.rank and y.rank and x.shape[-1] == (y.shape[-2] if y.rank > 1 else y.shape[0]):
            if _broadcastable(x.shape[:-2], y.shape[:-2]):
                self.add(ops.tanh(ops.matmul(x, y)))
        elif x.rank >= 2:
            axes = (*range(x.rank - 2), x.rank - 1, x.rank - 2)
            self.add(ops.tanh(ops.matmul(x, ops.transpose(x, axes=axes))))

    def create(self) -> None:
        """A tensor out of nothing."""
        shape = self.draw(SHAPES)
        self.add(ops.full(shape=shape, value=self.draw(NUMBERS), dtype=self.dtype))

    def nested(self, symbols: Sequence[Symbol], steps: int) -> Pool:
        """A pool of a sub-graph, after some steps."""
        pool = Pool(self.draw, symbols, self.dtype, self.nesting - 1)
        for _ in range(self.draw(st.integers(0, steps))):
            pool.step()
        return pool

    def like(self, pool: Pool, x: Symbol) -> Symbol:
        """A symbol of the pool in the type of x."""
        y = pool.pick()
        if y.shape == x.shape:
            return y
        return ops.broadcast_to(ops.tanh(ops.sum(y, axis=tuple(range(y.rank)), keepdims=False)), shape=x.shape)

    def condition(self) -> Symbol:
        """A scalar truth value."""
        x = self.pick()
        return ops.less(ops.sum(x, axis=tuple(range(x.rank)), keepdims=False), self.number())

    def branch(self) -> None:
        """A cond whose branches read what is around them."""
        likes = [self.pick() for _ in range(self.draw(st.integers(1, 2)))]
        inputs = [*likes, *[self.pick() for _ in range(2)]]

        def build(recorder: Recorder) -> list[Symbol]:
            pool = self.nested(inputs, 3)
            return [self.like(pool, x) for x in likes]

        for symbol in record_cond(self.condition(), build, build):
            self.add(symbol)

    def body(self, states: Sequence[Symbol], others: Sequence[Symbol]) -> list[Symbol]:
        """The next states of a loop, and one value to stack."""
        pool = self.nested([*states, *others], 3)
        return [*[ops.tanh(self.like(pool, state)) for state in states], pool.pick()]

    def loop(self) -> None:
        """A while_loop of a few iterations."""
        states = [self.pick() for _ in range(self.draw(st.integers(1, 2)))]
        constants = [self.pick() for _ in range(self.draw(st.integers(0, 2)))]
        trips = float(self.draw(st.integers(0, 3)))
        types = [TensorType(self.dtype, ()), *[symbol.type for symbol in (*states, *constants)]]
        count = 1 + len(states)

        def step(i: Symbol, *inner: Symbol) -> list[Symbol]:
            *new, item = self.body(inner[: len(states)], inner[len(states) :])
            return [i + 1.0, *new, item]

        test = record("test", types, lambda i, *inner: ops.less(i, trips))
        body = record("body", types, step)
        start = Symbol(literal(0.0, self.dtype), ACTIVE.recorder)
        results = ops.while_loop(start, *states, *constants, test=test, body=body, carried=count)
        for symbol in results[1:count]:
            self.add(symbol)
        self.add(ops.cast(results[count], dtype=self.dtype))

    def count(self) -> None:
        """A scan over the rows of a symbol."""
        states = [self.pick() for _ in range(self.draw(st.integers(1, 2)))]
        rows = self.pick()
        if not rows.rank:
            rows = ops.broadcast_to(rows, shape=(3,))
        length = rows.shape[0]
        index = TensorType(dtypes.int64, ())
        types = [index, *[symbol.type for symbol in states], rows.type.with_shape(rows.shape[1:])]
        body = record("body", types, lambda i, *inner: self.body(inner[:-1], inner[-1:]))
        results = ops.scan(
            Symbol(literal(length, dtypes.int64), ACTIVE.recorder),
            *states,
            rows,
            body=body,
            carried=len(states),
            scanned=1,
            length=length,
            reverse=self.draw(st.booleans()),
        )
        for symbol in results:
            self.add(symbol)


def _broadcastable(*shapes: Sequence[Any]) -> bool:
    try:
        np.broadcast_shapes(*map(tuple, shapes))
    except ValueError:
        return False
    return True


@st.composite
def graphs(draw: Draw, most_steps: int = 10, nesting: int = 1, gradient: bool | None = None) -> Graph:
    """A graph of a few parameters; with `gradient` (drawn by default) a joint graph with the derivatives of its sum."""
    dtype = draw(st.sampled_from([dtypes.float64, dtypes.float32]))
    types = [TensorType(dtype, shape) for shape in draw(st.lists(SHAPES, min_size=1, max_size=3))]

    def build(*symbols: Symbol) -> list[Symbol]:
        pool = Pool(draw, symbols, dtype, nesting)
        for _ in range(draw(st.integers(1, most_steps))):
            pool.step()
        return [pool.symbols[-1], *[pool.pick() for _ in range(draw(st.integers(0, 2)))]]

    graph = record("drawn", types, build)
    if gradient is None:
        gradient = draw(st.booleans())
    if gradient:
        wrt = range(len(graph.parameters))
        graph = append(differentiate(graph, wrt, range(len(graph.outputs))), wrt)
    return graph


class Case:
    """A graph and arrays to run it on; shows as text in failures."""

    def __init__(self, graph: Graph, arrays: list[np.ndarray]) -> None:
        self.graph = graph
        self.arrays = arrays

    def __repr__(self) -> str:
        return f"\n{self.graph}\n{self.arrays}"


@st.composite
def cases(draw: Draw, most_steps: int = 10, nesting: int = 1, gradient: bool | None = None) -> Case:
    """A random graph with arguments."""
    graph = draw(graphs(most_steps, nesting, gradient))
    return Case(graph, draw(arguments(graph)))


@st.composite
def arguments(draw: Draw, graph: Graph) -> list[np.ndarray]:
    """Arrays for the parameters of a graph; some are not contiguous, some share memory."""
    generator = np.random.default_rng(draw(st.integers(0, 99)))
    arrays: list[np.ndarray] = []
    for value in graph.parameters:
        shape, dtype = value.type.static_shape, value.type.dtype.np
        twin = [array for array in arrays if array.shape == shape]
        kind = draw(st.sampled_from(["plain", "strided", "turned", "shared"]))
        if kind == "shared" and twin:
            arrays.append(twin[0])
        elif kind == "strided" and shape:
            arrays.append(generator.normal(size=(*shape[:-1], 2 * shape[-1])).astype(dtype)[..., ::2])
        elif kind == "turned":
            arrays.append(generator.normal(size=shape[::-1]).astype(dtype).T)
        else:
            arrays.append(np.asarray(generator.normal(size=shape)).astype(dtype))
    return arrays


def assert_same(found: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> None:
    """Outputs agree in dtype, shape and, up to rounding, numbers."""
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert isinstance(a, np.ndarray)
        assert (a.dtype, a.shape) == (b.dtype, b.shape), f"{a.dtype}{a.shape} in place of {b.dtype}{b.shape}"
        tolerance = 2e-4 if a.dtype == np.float32 else 1e-9
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)
