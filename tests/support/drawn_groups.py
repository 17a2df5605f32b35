"""Random graphs of groups, views, loops and updates; programs with kernels are compared with those without."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from loops import scan

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.op import ACTIVE
from mycel.compiler.ir.types import TensorType
from mycel.compiler.ir.values import literal
from mycel.compiler.pipeline import Compiled, Options, compile_graph
from mycel.compiler.transforms.differentiate import differentiate
from mycel.compiler.transforms.symbolic import Symbol, record
from mycel.runtime import dtypes

TYPES = {name: getattr(dtypes, name) for name in ("float32", "float64", "int32", "int64", "float16")}
NARROW = {name: getattr(dtypes, name) for name in ("int8", "uint8", "int16", "uint16", "bfloat16")}
ALL_TYPES = {**TYPES, **NARROW}
dtypes.require_bfloat16()
PLAIN = ("lower_for_kernels", "kernels", "fuse")
"""The passes without which NumPy computes a program op by op."""
BINARY = (ops.add, ops.subtract, ops.multiply, ops.maximum, ops.minimum)
COMPARISONS = (ops.equal, ops.not_equal, ops.less, ops.less_equal, ops.greater, ops.greater_equal)


class DrawnGroups:
    """A random graph of groups, views of their inputs and outputs, and Parameters that it updates.

    Floats are small multiples of 1/4, so that nothing is rounded and results agree to the last bit; with `richer`
    there are loops, and some graphs are of smooth functions, with their derivatives.
    """

    def __init__(self, seed: int, richer: bool = False) -> None:
        self.random = random = np.random.default_rng(seed)
        self.base = tuple(int(n) for n in random.choice([1, 2, 3, 5, 7, 8, 9, 16, 17], random.integers(0, 4)))
        self.dtypes = [str(name) for name in random.choice(list(TYPES), 2, p=[0.45, 0.15, 0.12, 0.13, 0.15])]
        if richer and random.random() < 0.4:
            self.dtypes[int(random.integers(2))] = str(random.choice(list(NARROW)))
        self.richer, self.smooth, self.tolerance = richer, richer and random.random() < 0.4, 0.0
        if self.smooth:
            self.dtypes = [str(random.choice(["float32", "float64"]))] * 2
            self.tolerance = 5e-3 if self.dtypes[0] == "float32" else 1e-8
        names = random.choice(["bool", *self.dtypes, *self.dtypes], random.integers(1, 5))
        self.types = [TensorType(ALL_TYPES.get(str(name), dtypes.bool_), self.shape()) for name in names]
        self.donated: dict[int, int] = {}
        self.values: list[Symbol] = []
        self.graph: Graph = record("drawn", self.types, self.body)
        if self.smooth:
            self.differentiate()
        self.graph = replace(self.graph, donated=self.donated)

    def differentiate(self) -> None:
        """Add the gradients by all floats."""
        graph = self.graph
        wrt = [number for number, value in enumerate(graph.parameters) if value.type.dtype.is_float]
        outputs = [number for number, output in enumerate(graph.outputs) if output.type.dtype.is_float]
        if wrt and outputs:
            self.graph = differentiate(graph, wrt, outputs).append(wrt)
            self.types += [value.type for value in self.graph.parameters[len(graph.parameters) :]]

    def shape(self) -> tuple[int, ...]:
        """One that broadcasts with the others."""
        shape = [size if self.random.random() < 0.75 else 1 for size in self.base]
        return tuple(shape[int(self.random.integers(0, len(shape) + 1)) * (self.random.random() < 0.3) :])

    def choose(self, options: Any) -> Any:
        """One of these."""
        return options[int(self.random.integers(len(options)))]

    def body(self, *parameters: Symbol) -> list[Symbol]:
        """Steps and outputs, some of which are written to parameters."""
        self.values += parameters
        for _ in range(int(self.random.integers(2, 20))):
            self.step()
        outputs = [self.choose(self.values) for _ in range(int(self.random.integers(1, 4)))]
        for number, parameter in enumerate(parameters):
            fitting = [value for value in self.values if value.type == parameter.type and value is not parameter]
            if fitting and not self.smooth and self.random.random() < 0.4:
                self.donated[len(outputs)] = number
                outputs.append(self.choose(fitting))
        return outputs

    def pick(self, kind: str) -> Symbol | None:
        """A value of a dtype, or any number or bool, earlier ones more often."""
        found = [v for v in self.values if v.dtype.name == kind or (kind == "number" and not v.dtype.is_bool)]
        return found[int(len(found) * self.random.random() ** 0.6)] if found else None

    def bounded(self, x: Symbol) -> Symbol:
        """A float as a small multiple of 1/4."""
        if self.smooth:
            return ops.tanh(x) if x.dtype.is_float else x
        return ops.minimum(ops.maximum(ops.round(x * 4.0) * 0.25, -8.0), 8.0) if x.dtype.is_float else x

    def step(self) -> None:
        """Add a value, unless the shapes do not fit."""
        x = self.pick("number")
        if x is None:
            self.values.append(ops.cast(self.values[0], dtype=ALL_TYPES[self.dtypes[0]]))
            return
        kinds: tuple[Callable[[Symbol], Symbol | None], ...]
        kinds = self.binary, self.binary, self.masked, self.reduction, self.reduction, self.seen, self.other
        if self.smooth:
            kinds = self.binary, self.function, self.function, self.reduction, self.seen, self.moved
        if x.rank and x.type.size and self.random.random() < 0.15:
            kinds = (self.chosen,)
        if self.richer and self.random.random() < 0.15:
            kinds = (self.loop,)
        made = self.choose(kinds)
        try:
            value = made(x)
        except (TypeError, ValueError):  # shapes that do not broadcast
            return
        if value is not None and np.prod(value.shape) <= 20000:
            self.values.append(value)

    def binary(self, x: Symbol) -> Symbol:
        """Arithmetic on two values, or on one and a number."""
        y = self.pick(x.dtype.name)
        if self.random.random() < 0.3:
            least = 5 if x.dtype.kind == "u" else -2
            number = self.choose((0.5, -1.0, 2.0, -0.0)) if x.dtype.is_float else self.choose((least, 0, 3))
            y = Symbol(literal(number, x.dtype), ACTIVE.recorder)
        return self.bounded(self.choose(BINARY[:3] if self.smooth else BINARY)(x, y))

    def function(self, x: Symbol) -> Symbol:
        """A smooth function of small numbers."""
        x = self.bounded(x)
        functions = ops.sin, ops.cos, ops.exp, ops.tanh, ops.erf, ops.expm1, ops.atan, ops.asinh, ops.negative, ops.cosh
        if self.random.random() < 0.3:
            return self.choose((ops.log, ops.sqrt))(x * x + 1.0)
        return self.choose(functions)(x)

    def loop(self, x: Symbol) -> Symbol:
        """Some iterations that each update two values, often rows of values."""
        y, z = self.pick(x.dtype.name) or x, self.pick(x.dtype.name) or x
        rows = [z] if z.rank and z.shape[0] and self.random.random() < 0.5 else []
        length = int(z.shape[0]) if rows else int(self.random.integers(1, 6))
        function = self.choose(BINARY[:3] if self.smooth else BINARY)
        reduced = y.rank > 0 and self.random.random() < 0.3

        def body(index: Symbol, state: Any, given: Any) -> tuple[list[Symbol], list[Symbol]]:
            first, second = state
            change = given[0] if given else z
            other = ops.max(second, axis=(second.rank - 1,), keepdims=True) if reduced else second
            after = self.bounded(function(ops.minimum(other, first) if not self.smooth else first + other, change))
            if after.type != first.type:
                raise ValueError("the shapes do not fit")
            return [after, second if self.random.random() < 0.5 else self.bounded(second + second)], [first, after]

        made = scan([x, y], rows, body, length, reverse=bool(self.random.random() < 0.5))
        self.values += made[1:3]
        return self.choose((made[0], made[3]))

    def masked(self, x: Symbol) -> Symbol:
        """A comparison, or one of two where a bool holds."""
        y, mask = self.pick(x.dtype.name), self.pick("bool")
        return self.choose(COMPARISONS)(x, y) if mask is None or self.random.random() < 0.5 else ops.select(mask, x, y)

    def reduction(self, x: Symbol) -> Symbol | None:
        """A sum or extreme over some axes, often combined with its operand."""
        if not x.rank:
            return None
        count = int(self.random.integers(1, x.rank + 1))
        axis = tuple(sorted(int(a) for a in self.random.choice(x.rank, count, replace=False)))
        if self.random.random() < 0.5:
            axis = tuple(range(x.rank - count, x.rank))
        reductions = (ops.sum,) if self.smooth else (ops.sum, ops.max, ops.min)
        value = self.choose(reductions)(x, axis=axis, keepdims=self.random.random() < 0.7)
        value = self.bounded(ops.cast(value, dtype=x.dtype))
        if value.rank == x.rank and self.random.random() < 0.6:
            self.values.append(value)
            return self.bounded(x - value)
        return value

    def seen(self, x: Symbol) -> Symbol | None:
        """A view."""
        if not x.rank:
            return ops.broadcast_to(x, shape=self.base)
        shape, axis = list(x.shape), int(self.random.integers(x.rank))
        kind = int(self.random.integers(5))
        if kind == 0:
            return ops.transpose(x, axes=tuple(int(a) for a in self.random.permutation(x.rank)))
        if kind == 1:
            return ops.reverse(x, axes=(axis,))
        if kind == 2:
            start = tuple(int(self.random.integers(size)) if self.random.random() < 0.4 else 0 for size in shape)
            return ops.slice(x, start=start, stop=tuple(shape), step=tuple(self.choose((1, 1, 2)) for _ in shape))
        if kind == 3:
            merged = [*shape[:axis], int(np.prod(shape[axis : axis + 2])), *shape[axis + 2 :]]
            return ops.reshape(x, shape=tuple(merged))
        part = next((n for n in (2, 3, 4) if shape[axis] % n == 0), 1)
        return ops.reshape(x, shape=(*shape[:axis], part, shape[axis] // part, *shape[axis + 1 :]))

    def other(self, x: Symbol) -> Symbol:
        """A cast, an op without a kernel, or a function of one value."""
        kind = int(self.random.integers(6))
        if kind >= 4 and x.rank:
            return self.moved(x)
        if kind == 0:
            return self.bounded(ops.cast(self.bounded(x), dtype=ALL_TYPES[self.choose(self.dtypes)]))
        if kind == 1 and x.rank:
            running, options = self.choose((ops.cumsum, ops.cumprod)), (self.random.random(2) < 0.3).tolist()
            axis = x.rank - 1 if self.random.random() < 0.7 else 0
            return running(ops.sign(x), axis=axis, exclusive=options[0] and options[1], reverse=options[1])
        return self.choose((ops.negative, ops.absolute, ops.sign))(x)

    def moved(self, x: Symbol) -> Symbol:
        """A shifted, rolled or padded value, perhaps cut again, or a part that is added to a value."""
        shape, axis, kind = list(x.shape), int(self.random.integers(x.rank)), int(self.random.integers(5))
        count = int(self.random.integers(-3, 4))
        if kind == 0:
            return ops.roll(x, shift=(count,), axis=(axis,))
        if kind == 1:
            return ops.roll(x, shift=(count, 1), axis=(axis, 0))
        if kind == 2:
            return ops.shift(x, axis=axis, offset=count, fill=self.choose((0, 0, 1)))
        low = tuple(int(n) for n in self.random.integers(-1, 3, x.rank))
        high = tuple(int(n) for n in self.random.integers(-1, 3, x.rank))
        if any(size + first + last < 1 for size, first, last in zip(shape, low, high, strict=True)):
            return x
        if kind == 3:  # back to the shape that it had, moved
            return ops.pad(x, low=low, high=tuple(-n for n in low), value=0)
        wide = ops.pad(x * 2.0 if x.dtype.is_float else x, low=low, high=high, value=self.choose((0, 0, 2)))
        if self.random.random() < 0.3:
            return wide
        start = tuple(int(self.random.integers(max(size - 1, 1))) for size in wide.shape)
        return self.bounded(ops.slice(wide, start=start, stop=wide.shape, step=(1,) * x.rank))

    def indices(self, size: int, shape: tuple[int, ...]) -> Symbol:
        """Positions in an axis of a size, some from the end."""
        dtype = np.int32 if self.random.random() < 0.5 else np.int64
        return ops.constant(value=self.random.integers(-size, size, shape).astype(dtype))

    def chosen(self, x: Symbol) -> Symbol:
        """Rows or elements at positions, or sums of such."""
        shape, axis, kind = x.shape, int(self.random.integers(x.rank)), int(self.random.integers(5))
        if kind == 0:
            counts = tuple(int(n) for n in self.random.integers(1, 6, self.random.integers(0, 3)))
            return ops.take(x, self.indices(shape[axis], counts), axis=axis)
        if kind == 1:
            region = tuple(int(self.random.integers(1, size + 1)) for size in shape)
            return ops.gather_elements(x, self.indices(shape[axis], region), axis=axis)
        if kind == 2:
            count = int(self.random.integers(1, 9))
            where = [self.indices(size, (count,)) for size in shape[: axis + 1]]
            return ops.index(x, *where, spec=(ops.OPERAND,) * (axis + 1))
        size = int(self.random.integers(1, 6))
        target = (*shape[:axis], size, *shape[axis + 1 :])
        zeros = ops.full(shape=target, value=0, dtype=x.dtype)
        if kind == 3:
            return self.bounded(ops.take_add(zeros, self.indices(size, (shape[axis],)), x, axis=axis))
        how = "add" if self.smooth else self.choose(("add", "maximum", "minimum"))
        least = 1 if x.dtype.kind == "u" else -3
        filled = zeros if how == "add" else ops.full(shape=target, value=least, dtype=x.dtype)
        return self.bounded(ops.scatter_elements(filled, self.indices(size, shape), x, axis=axis, reduction=how))

    def arrays(self, seed: int) -> list[np.ndarray]:
        """Arguments of any layout; arrays to be written to do not share memory."""
        random, result = np.random.default_rng(seed), []
        for number, type in enumerate(self.types):
            array = np.asarray(random.integers(-16, 17, type.static_shape)).astype(type.dtype.np)
            if type.dtype.is_float:
                array = np.asarray(array / np.asarray(4, array.dtype))
            kind = int(random.integers(6))
            if kind == 0 and array.ndim:
                array = np.repeat(array, 2, -1)[..., ::2]
            elif kind == 1:
                array = array.T.copy().T
            elif kind == 2 and array.ndim:
                array = array[::-1].copy()[::-1]
            elif kind == 3 and number not in self.donated.values():
                array = np.broadcast_to(array.ravel()[:1].reshape((1,) * array.ndim), array.shape)
            elif kind == 4:
                plain, array = array, np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
                array[...] = plain
            if kind == 5 and number not in self.donated.values():
                array.flags.writeable = False
            result.append(array)
        return result


def compiled(graph: Graph, *disabled: str, debug: bool = True) -> Compiled:
    """The program of a graph, checked on the way."""
    return compile_graph(graph, name="f", options=Options(debug=debug, disabled=frozenset(disabled)))


def agree(graph: Graph, make: Callable[[int], list[np.ndarray]], tolerance: float, debug: bool = True) -> str:
    """Results and arguments are as without kernels, in three runs; the program."""
    program, plain = compiled(graph, debug=debug), compiled(graph, *PLAIN, debug=debug)
    for seed in (0, 1, 0):
        arrays, expected_arrays = make(seed), make(seed)
        with np.errstate(all="ignore"):
            found, expected = program.run(*arrays), plain.run(*expected_arrays)
        for a, b in zip([*found, *arrays], [*expected, *expected_arrays], strict=True):
            assert (a.dtype, a.shape) == (b.dtype, b.shape)
            np.testing.assert_allclose(a, b, tolerance, tolerance, err_msg=program.source)
    return program.source
