"""Programs with kernels of machine code give what they give without, for any shapes, views, layouts and threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mycel.compiler import lifetimes_groups, ops
from mycel.compiler.ir import Graph, literal
from mycel.compiler.op import ACTIVE
from mycel.compiler.pipeline import Compiled, Options, compile_graph
from mycel.compiler.symbolic import Symbol, record
from mycel.compiler.text import parse
from mycel.compiler.types import TensorType
from mycel.runtime import dtypes
from mycel.runtime.native.executable import unavailable
from mycel.runtime.native.functions import FUNCTIONS

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

TYPES = {"float32": dtypes.float32, "float64": dtypes.float64, "int32": dtypes.int32, "int64": dtypes.int64}
BINARY = (ops.add, ops.subtract, ops.multiply, ops.maximum, ops.minimum)
COMPARISONS = (ops.equal, ops.not_equal, ops.less, ops.less_equal, ops.greater, ops.greater_equal)


class Drawn:
    """A random graph of groups, views of what they read and write, and Parameters that it updates.

    Floats are small multiples of 1/4, so that nothing is rounded and results agree to the last bit.
    """

    def __init__(self, seed: int) -> None:
        self.random = random = np.random.default_rng(seed)
        self.base = tuple(int(n) for n in random.choice([1, 2, 3, 5, 7, 8, 9, 16, 17], random.integers(0, 4)))
        self.dtypes = [str(name) for name in random.choice(list(TYPES), 2, p=[0.5, 0.2, 0.15, 0.15])]
        names = random.choice(["bool", *self.dtypes, *self.dtypes], random.integers(1, 5))
        self.types = [TensorType(TYPES.get(str(name), dtypes.bool_), self.shape()) for name in names]
        self.commits: dict[int, int] = {}
        self.values: list[Symbol] = []
        self.graph: Graph = record("drawn", self.types, self.body)

    def shape(self) -> tuple[int, ...]:
        """One that broadcasts with the others."""
        shape = [size if self.random.random() < 0.75 else 1 for size in self.base]
        return tuple(shape[int(self.random.integers(0, len(shape) + 1)) * (self.random.random() < 0.3) :])

    def choose(self, options: Any) -> Any:
        """One of these."""
        return options[int(self.random.integers(len(options)))]

    def body(self, *parameters: Symbol) -> list[Symbol]:
        """Steps, and outputs of which some are written to parameters."""
        self.values += parameters
        for _ in range(int(self.random.integers(2, 20))):
            self.step()
        outputs = [self.choose(self.values) for _ in range(int(self.random.integers(1, 4)))]
        for number, parameter in enumerate(parameters):
            fitting = [value for value in self.values if value.type == parameter.type and value is not parameter]
            if fitting and self.random.random() < 0.4:
                self.commits[len(outputs)] = number
                outputs.append(self.choose(fitting))
        return outputs

    def pick(self, kind: str) -> Symbol | None:
        """A value of a dtype, or any number or bool, earlier ones more often."""
        found = [v for v in self.values if v.dtype.name == kind or (kind == "number" and not v.dtype.is_bool)]
        return found[int(len(found) * self.random.random() ** 0.6)] if found else None

    def bounded(self, x: Symbol) -> Symbol:
        """A float as a small multiple of 1/4."""
        return ops.minimum(ops.maximum(ops.round(x * 4.0) * 0.25, -8.0), 8.0) if x.dtype.is_float else x

    def step(self) -> None:
        """Add a value, unless the shapes do not fit."""
        x = self.pick("number")
        if x is None:
            self.values.append(ops.cast(self.values[0], dtype=TYPES[self.dtypes[0]]))
            return
        kinds = self.binary, self.binary, self.masked, self.reduction, self.reduction, self.seen, self.other
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
            number = self.choose((0.5, -1.0, 2.0, -0.0)) if x.dtype.is_float else self.choose((-2, 0, 3))
            y = Symbol(literal(number, x.dtype), ACTIVE.recorder)
        return self.bounded(self.choose(BINARY)(x, y))

    def masked(self, x: Symbol) -> Symbol:
        """A comparison, or one of two where a bool holds."""
        y, mask = self.pick(x.dtype.name), self.pick("bool")
        return self.choose(COMPARISONS)(x, y) if mask is None or self.random.random() < 0.5 else ops.select(mask, x, y)

    def reduction(self, x: Symbol) -> Symbol | None:
        """A sum or extreme over some axes, often read again by what it is of."""
        if not x.rank:
            return None
        count = int(self.random.integers(1, x.rank + 1))
        axis = tuple(sorted(int(a) for a in self.random.choice(x.rank, count, replace=False)))
        if self.random.random() < 0.5:
            axis = tuple(range(x.rank - count, x.rank))
        value = self.choose((ops.sum, ops.max, ops.min))(x, axis=axis, keepdims=self.random.random() < 0.7)
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
        """A cast, what no kernel computes, or a function of one value."""
        kind = int(self.random.integers(4))
        if kind == 0:
            return self.bounded(ops.cast(self.bounded(x), dtype=TYPES[self.choose(self.dtypes)]))
        if kind == 1 and x.rank:
            return ops.cumsum(ops.sign(x), axis=0, exclusive=False, reverse=False)
        return self.choose((ops.negative, ops.absolute, ops.sign))(x)

    def arrays(self, seed: int) -> list[np.ndarray]:
        """Arguments of any layout; what is written to does not share memory."""
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
            elif kind == 3 and number not in self.commits.values():
                array = np.broadcast_to(array.ravel()[:1].reshape((1,) * array.ndim), array.shape)
            elif kind == 4:
                plain, array = array, np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
                array[...] = plain
            if kind == 5 and number not in self.commits.values():
                array.flags.writeable = False
            result.append(array)
        return result


def compiled(graph: Graph, *disabled: str, commits: dict[int, int] | None = None) -> Compiled:
    """The program of a graph, checked on the way."""
    return compile_graph(graph, name="f", commits=commits, options=Options(debug=True, disabled=frozenset(disabled)))


def agree(graph: Graph, make: Callable[[int], list[np.ndarray]], commits: dict[int, int], tolerance: float) -> str:
    """Results and arguments are as without kernels, in three runs; the program."""
    program, plain = compiled(graph, commits=commits), compiled(graph, "kernels", "fuse", commits=commits)
    for seed in (0, 1, 0):
        arrays, expected_arrays = make(seed), make(seed)
        with np.errstate(all="ignore"):
            found, expected = program.run(*arrays), plain.run(*expected_arrays)
        for a, b in zip([*found, *arrays], [*expected, *expected_arrays], strict=True):
            assert (a.dtype, a.shape) == (b.dtype, b.shape)
            np.testing.assert_allclose(a, b, tolerance, tolerance, err_msg=program.source)
    return program.source


def same(text: str, *arrays: np.ndarray, tolerance: float = 1e-5) -> str:
    """As `agree`, of a graph's text; the program."""
    return agree(parse(text, ops.OPS), lambda seed: [array.copy() for array in arrays], {}, tolerance)


@pytest.mark.parametrize("seed", range(80))
def test_random_groups_agree(seed: int) -> None:
    drawn = Drawn(seed)
    agree(drawn.graph, drawn.arrays, drawn.commits, 0)


@pytest.fixture
def three_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels of any size are shared."""
    monkeypatch.setattr(lifetimes_groups, "worth_sharing", lambda *_: 3)
    monkeypatch.setattr(lifetimes_groups, "thread_count", lambda: 3)


@pytest.mark.usefixtures("three_threads")
@pytest.mark.parametrize("seed", range(80))
def test_random_groups_agree_where_threads_share_them(seed: int) -> None:
    drawn = Drawn(seed)
    agree(drawn.graph, drawn.arrays, drawn.commits, 0)


@pytest.mark.usefixtures("three_threads")
def test_threads_add_up_rows_each_where_they_belong() -> None:
    """What adds up over a middle axis also moves with the outermost loop, which is what threads share."""
    x = np.random.default_rng(0).integers(0, 9, (7, 60, 11)).astype(np.float32)
    source = same("graph f(%x: f32[7, 60, 11]) { %a: f32[7, 60, 11] = multiply(%x, 2.0) "
                  "%b: f32[7, 11] = sum(%a, axis=(1,), keepdims=False) return %b }", x)  # fmt: skip
    assert "share_kernel" in source


@pytest.mark.usefixtures("three_threads")
def test_threads_do_not_divide_a_row_that_is_reduced() -> None:
    x = np.arange(96, dtype=np.float32)
    source = same("graph f(%x: f32[96]) { %a: f32[96] = multiply(%x, 2.0) %b: f32[1] = sum(%a, axis=(0,), "
                  "keepdims=True) %c: f32[96] = subtract(%a, %b) return %c }", x)  # fmt: skip
    assert "compile_kernel" in source


def test_views_that_upset_the_loops_are_copied() -> None:
    """A reduction over two axes is one loop in C order, but not in a transposed view."""
    x = np.random.default_rng(0).normal(size=(2, 3, 5)).astype(np.float32)
    source = same("graph f(%x: f32[2, 3, 5]) { %v: f32[2, 5, 3] = transpose(%x, axes=(0, 2, 1)) "
                  "%a: f32[2, 5, 3] = multiply(%v, 2.0) %b: f32[2, 1, 1] = sum(%a, axis=(1, 2), keepdims=True) "
                  "%c: f32[2, 5, 3] = subtract(%a, %b) return %c }", x)  # fmt: skip
    assert "compile_kernel" in source


def test_the_extreme_of_anything_and_a_constant_nan_is_nan() -> None:
    for function in ("maximum", "minimum"):
        for arguments in ("%a, nan", "nan, %a"):
            source = same(f"graph f(%x: f32[9]) {{ %a: f32[9] = multiply(%x, 2.0) "
                          f"%b: f32[9] = {function}({arguments}) return %b }}", np.ones(9, np.float32))  # fmt: skip
            assert "compile_kernel" in source


def test_sums_of_many_short_rows_stay_precise() -> None:
    """300000 sums of rows, one after the other, would lose three digits."""
    text = ("graph f(%x: f32[300000, 8], %b: f32[8]) { %a: f32[300000, 8] = add(%x, %b) "
            "%c: f32[] = sum(%a, axis=(0, 1), keepdims=False) return %c }")  # fmt: skip
    x, b = np.full((300000, 8), 0.1, np.float32), np.zeros(8, np.float32)
    (total,) = compiled(parse(text, ops.OPS)).run(x, b)
    assert total == pytest.approx(240000, rel=1e-5)


def test_casts_without_an_instruction_and_many_arrays() -> None:
    same("graph f(%x: f64[9]) { %a: f64[9] = multiply(%x, 2.0:f64) %b: i64[9] = cast(%a, dtype=i64) "
         "%c: i64[9] = add(%b, 1:i64) return %c }", np.linspace(-3, 3, 9))  # fmt: skip
    types = [TensorType(dtypes.float32, (9,))] * 90
    graph = record("f", types, lambda first, *rest: sum((x * 2.0 for x in rest), first))
    agree(graph, lambda seed: [np.full(9, number, np.float32) for number in range(90)], {}, 0)


def test_what_ops_say_of_kernels_is_so() -> None:
    """Each op that says that kernels have it is one of their functions, and the other way round."""
    for op in ops.OPS.values():
        assert not op.native or op.name in FUNCTIONS, op.name
    composite = {"sigmoid", "power", "bitcast"}  # those are lowered, or views
    assert {name for name in FUNCTIONS if not ops.OPS[name].native} == composite
