"""Loops over tiny tensors as kernels of single elements, against the interpreter, and their gradients."""

from __future__ import annotations

import signal
import traceback
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor
from mycel.compiler import ops
from mycel.compiler.ir.graph import walk
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.kernels import eligible
from mycel.compiler.kernels.loops import translate_loop
from mycel.compiler.kernels.tiny_loops import duration
from mycel.compiler.pipeline import Compiled, Options, compile_graph
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.language import parse as parse_kernel

pytestmark = pytest.mark.skipif(not eligible.is_available(), reason="no machine code here")


class Drawn:
    """A random scan over tiny tensors, as text."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.dtype = str(self.random.choice(["f32", "f64"]))
        self.reverse, self.length = bool(self.random.integers(2)), int(self.random.integers(1, 6))
        self.lines: list[str] = []
        self.values: list[tuple[str, tuple[int, ...]]] = []

    def shape(self) -> tuple[int, ...]:
        return tuple(int(n) for n in self.random.integers(1, 4, self.random.integers(0, 3)))

    def typed(self, shape: tuple[int, ...]) -> str:
        return f"{self.dtype}[{', '.join(map(str, shape))}]"

    def add(self, shape: tuple[int, ...], code: str) -> None:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name}: {self.typed(shape)} = {code}")
        self.values.append((name, shape))

    def pick(self) -> tuple[str, tuple[int, ...]]:
        return self.values[int(self.random.integers(len(self.values)))]

    def node(self) -> None:
        """One more node, if a drawn one fits."""
        x, shape = self.pick()
        kind, rank = int(self.random.integers(10)), len(shape)
        if kind < 3:
            y, _ = (v for v in [self.pick() for _ in range(9)] + [(x, shape)] if v[1] in (shape, ())).__next__()
            op = self.random.choice(["add", "multiply", "subtract", "maximum"])
            self.add(shape, f"{op}({x}, {y})")
        elif kind == 3:
            self.add(shape, f"{self.random.choice(['tanh', 'negative', 'sin'])}({x})")
        elif kind == 4 and rank:
            low = [int(self.random.integers(n)) for n in shape]
            high = [int(self.random.integers(a + 1, n + 1)) for a, n in zip(low, shape, strict=True)]
            new = tuple(b - a for a, b in zip(low, high, strict=True))
            text = ", ".join(f"{k}=({', '.join(map(str, v))},)" for k, v in
                             (("start", low), ("stop", high), ("step", [1] * rank)))  # fmt: skip
            self.add(new, f"slice({x}, {text})")
        elif kind == 5:
            new = (int(np.prod(shape, dtype=int)),)
            self.add(new, f"reshape({x}, shape={new})")
        elif kind == 8 and not rank:
            new = self.shape()
            self.add(new, f"full(shape={new}, value={self.random.choice([0, 1.5, -0.0])}, dtype={self.dtype})")
        elif kind == 6 and rank == 2:
            self.add(shape[::-1], f"transpose({x}, axes=(1, 0))")
        elif kind == 7 and rank:
            y = next(v for v in [self.pick() for _ in range(9)] + [(x, shape)] if v[1][1:] == shape[1:] and v[1])
            new = (shape[0] + y[1][0], *shape[1:])
            if new[0] < 9:
                self.add(new, f"concatenate({x}, {y[0]}, axis=0)")
        elif kind == 8 and rank:
            axis = int(self.random.integers(rank))
            op = self.random.choice(["sum", "max"])
            self.add(shape[:axis] + shape[axis + 1 :], f"{op}({x}, axis=({axis},), keepdims=False)")
        elif kind == 9 and rank == 2:
            found = [v for v in [self.pick() for _ in range(9)] if len(v[1]) == 2 and v[1][0] == shape[1]]
            if found:
                self.add((shape[0], found[0][1][1]), f"matmul({x}, {found[0][0]})")

    def text(self) -> str:
        states = [self.shape() for _ in range(self.random.integers(1, 4))]
        rows = [self.shape() for _ in range(self.random.integers(0, 3))]
        constants = [self.shape() for _ in range(self.random.integers(0, 3))]
        own = [(f"%s{i}", s) for i, s in enumerate(states)]
        xs, cs = [(f"%x{i}", s) for i, s in enumerate(rows)], [(f"%c{i}", s) for i, s in enumerate(constants)]
        self.values = [*own, *xs, *cs]
        if self.random.integers(3) == 0:
            self.lines += ["%j: i64[] = add(%i, 2:i64)", "%k: bool[] = greater(%j, 3:i64)"]
            self.lines.append(f"%n: {self.dtype}[] = cast(%j, dtype={self.dtype})")
            self.lines.append(f"%o: {self.dtype}[] = select(%k, %n, 0.5:{self.dtype})")
            self.values += [("%n", ()), ("%o", ())]
        for _ in range(self.random.integers(4, 16)):
            self.node()
        following = [[v for v, s in self.values if s == shape][-1] for shape in states]
        stacked = [self.pick() for _ in range(self.random.integers(0, 3))]
        n = self.length
        given = [*own, *[(v, (n, *s)) for v, s in xs], *cs]
        outputs = [*[(f"%r{i}", s) for i, s in enumerate(states)],
                   *[(f"%q{i}", (n, *s)) for i, (_, s) in enumerate(stacked)]]  # fmt: skip
        made = ", ".join(f"{v}: {self.typed(s)}" for v, s in outputs)
        body = ", ".join(["%i: i64[]", *[f"{v}: {self.typed(s)}" for v, s in (*own, *xs, *cs)]])
        results = ", ".join([*following, *[v for v, _ in stacked]])
        return (
            f"graph f({', '.join(f'{v}: {self.typed(s)}' for v, s in given)}) {{ "
            f"{made} = scan({n}, {', '.join(v for v, _ in given)}, carried={len(own)}, scanned={len(xs)}, "
            f"length={n}, reverse={self.reverse}) {{ body = graph body({body}) {{ {' '.join(self.lines)} "
            f"return {results} }} }} return {', '.join(v for v, _ in outputs)} }}"
        )


def compiled(text: str, *disabled: str) -> Compiled:
    return compile_graph(parse(text, ops.OPS), name="f", options=Options(frozenset(disabled), debug=True))


def kernels_agree(source: str) -> None:
    """The kernels of a program's text, on random numbers, against NumPy."""
    for text in source.split("compile_kernel('''")[1:]:
        kernel = parse_kernel(text.split("'''")[0])
        random = np.random.default_rng(0)
        shared: dict[tuple[int, ...], np.ndarray] = {}
        arrays = []
        for array in kernel.arrays:  # elements of one state have one memory, for all their roles
            if array.role in ("state", "out"):
                made = shared.setdefault(array.shape, random.normal(size=array.shape).astype(array.dtype))
            else:
                made = random.normal(size=array.shape).astype(array.dtype)
            arrays.append(made)
        copies = {id(made): made.copy() for made in arrays}
        others = [copies[id(made)] for made in arrays]
        assert compile_kernel(str(kernel))(*arrays)
        assert evaluator(kernel, str(kernel))(*others)
        for found, wanted in zip(arrays, others, strict=True):
            np.testing.assert_allclose(found, wanted, rtol=2e-4, atol=1e-4)


@pytest.mark.parametrize("first", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (30, 60))])
def test_random_loops(first: int) -> None:
    count = 0
    for seed in range(first, first + 30):
        text = Drawn(seed).text()
        graph = parse(text, ops.OPS)
        random = np.random.default_rng(seed)
        arrays = [np.asarray(random.normal(size=v.type.static_shape) * 0.5, v.type.dtype.np) for v in graph.parameters]
        with np.errstate(all="ignore"):
            expected = interpret(graph, arrays)
        program = compiled(text)
        count += any(node.op is ops.loop_kernel for node in walk(program.plan.graph))
        for run in (program, program, compiled(text, "kernels")):
            for found, wanted in zip(run.run(*arrays), expected, strict=True):
                assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
                np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-4, err_msg=text)
        if seed % 10 == 0:
            kernels_agree(program.source)
    assert count > 17


def test_few_values_wait_in_registers() -> None:
    """One element is computed after the other, not one operation on all elements after the other."""

    def adaptive(x: Any) -> Any:
        mean = squares = x * 0
        for _ in range(50):
            slope = x * x - ms.ops.cat([x[1:], x[:1]])
            mean = 0.9 * mean + 0.1 * slope
            squares = 0.9 * squares + 0.1 * slope * slope
            x = x - 0.01 * mean / (ms.ops.sqrt(squares) + 1e-6)
        return x

    compiled, x = ms.jit(adaptive), Tensor(np.linspace(1, 2, 5, dtype=np.float32))
    np.testing.assert_allclose(compiled(x).asnumpy(), adaptive(x).asnumpy(), 1e-5)
    texts = compiled.stages(x).program.split("compile_kernel('''")[1:]
    kernel = max((parse_kernel(text.split("'''")[0]) for text in texts), key=lambda kernel: len(kernel.statements))
    last = {a: at for at, statement in enumerate(kernel.statements) for a in statement.arguments if isinstance(a, str)}
    outputs = {array.name for array in kernel.arrays if array.role == "out"}
    computed = [(at, each.name) for at, each in enumerate(kernel.statements) if each.name not in outputs]
    alive = [sum(at < now < last.get(name, at) for at, name in computed) for now in range(len(kernel.statements))]
    assert len(kernel.statements) > 70
    assert max(alive) < 9


def test_an_expansion_ends_where_it_no_longer_pays() -> None:
    (node,) = parse(
        "graph f(%s: f32[2, 2]) { %r: f32[2, 2] = scan(9, %s, carried=1, scanned=0, length=9, reverse=False) "
        "{ body = graph body(%i: i64[], %s: f32[2, 2]) { %v: f32[2, 2] = matmul(%s, %s) return %v } } return %r }",
        ops.OPS,
    ).nodes
    loop = replace(node, op=ops.loop_kernel)
    needed = duration(translate_loop(loop).kernel)
    assert duration(translate_loop(loop, limit=needed).kernel) == needed > 0
    with pytest.raises(Unsupported, match="longer than its calls"):
        translate_loop(loop, limit=needed / 2)


def hunters(p: Any, y: Any) -> Any:
    for _ in range(60):
        y = y + 0.02 * ms.ops.stack([p[0] * y[0] - p[1] * y[0] * y[1], p[2] * y[0] * y[1] - p[3] * y[1]])
    return (y**2).sum()


def chain(p: Any, y: Any) -> Any:
    """A product of matrices, normalized; the sum of logarithms is carried."""
    a = ms.ops.softmax(p.reshape(2, 2), -1)
    total = 0.0
    for _ in range(50):
        y = y @ a + 0.1
        s = y.sum()
        total = total + ms.ops.log(s)
        y = y / s
    return total


def shifted(p: Any, y: Any) -> Any:
    for _ in range(50):
        y = ms.ops.tanh(ms.ops.cat([y[1:] * p[:1], y[:1] - p[1:2]], 0)) + p[2] * ms.ops.flip(y, (0,))
    return y.sum() * p[3]


def forced(p: Any, y: Any) -> Any:
    """What depends on the number of the iteration alone is part of the program."""
    for t in range(50):
        y = y + 0.02 * ms.ops.stack([y[1], p[1] * 0.1 * t - p[0] * ms.ops.sin(y[0])]) * p[2 + t // 25]
    return y.sum()


@pytest.mark.parametrize("function", [hunters, chain, shifted, forced])
def test_gradients(function: Any) -> None:
    """Whole loops and their backward are kernels; gradients are those of finite differences."""
    p, y = np.array([1.1, 0.4, 0.1, 0.4]), np.array([1.5, 1.0])
    gradient = ms.value_and_grad(function, (0, 1))
    value, slopes = gradient(Tensor(p), Tensor(y))
    assert "for i" not in str(gradient.stages(Tensor(p), Tensor(y)).program)
    np.testing.assert_allclose(value.asnumpy(), function(Tensor(p), Tensor(y)).asnumpy(), rtol=1e-9)
    for position, (given, slope) in enumerate(zip((p, y), slopes, strict=True)):
        for number in range(given.size):
            values = []
            for step in (1e-6, -1e-6):
                moved = [p.copy(), y.copy()]
                moved[position][number] += step
                values.append(float(function(*map(Tensor, moved)).asnumpy()))
            wanted = (values[0] - values[1]) / 2e-6
            np.testing.assert_allclose(slope.asnumpy()[number], wanted, rtol=1e-5, atol=1e-7)


def test_positions_of_the_iteration() -> None:
    """Elements are read at positions that rows give; negative ones count from the end; those outside are errors."""

    @ms.jit
    def walked(table: Any, rows: Any) -> Any:
        state = table[0]
        for t in range(50):
            state = ms.ops.flip(state, (0,)) * 0.5 + table[rows[t]]
        return state

    random = np.random.default_rng(0)
    table, rows = random.normal(size=(7, 2)).astype(np.float32), random.integers(-7, 7, 50).astype(np.int32)
    expected = table[0]
    for row in rows:
        expected = expected[::-1] * np.float32(0.5) + table[row]
    np.testing.assert_allclose(walked(Tensor(table), Tensor(rows)).asnumpy(), expected, rtol=1e-5)
    assert "for i" not in str(walked.stages(Tensor(table), Tensor(rows)).program)
    rows[13] = 7
    with pytest.raises(IndexError):
        walked(Tensor(table), Tensor(rows))


def table_text(seed: int) -> str:
    """A random scan that reads and writes a table at positions that it computes, as text."""
    random = np.random.default_rng(seed)
    rank, n = int(random.integers(1, 3)), int(random.integers(1, 6))
    sizes, whole = (40,) if rank == 1 else (8, 5), ["%k", "%p"]
    table, scalars, tables, lines = f"f32[{', '.join(map(str, sizes))}]", ["%x"], ["%t"], list[str]()
    for number in range(int(random.integers(4, 14))):
        at = [str(random.choice(whole[2:] or whole)) for _ in sizes]
        kind, name = int(random.integers(4)) if number > 1 else 4, f"%v{number}"
        if kind < 2:
            axes = f"({'-1, ' * rank})".replace(", )", ")" if rank > 1 else ",)")
            lines.append(f"{name}: f32[] = gathered({random.choice(tables)}, {', '.join(at)}, axes={axes}, region=())")
            scalars.append(name)
        elif kind == 2:
            lines.append(
                f"{name}: f32[] = {random.choice(['add', 'multiply'])}({random.choice(scalars)}, {scalars[-1]})"
            )
            scalars.append(name)
        elif kind == 3:
            spec = f"({', '.join(['OPERAND'] * rank)}{',' * (rank == 1)})".replace("OPERAND", "'operand'")
            lines.append(
                f"{name}: {table} = index_update({tables[-1]}, {random.choice(scalars)}, {', '.join(at)}, spec={spec})"
            )
            tables.append(name)
        if kind == 4:
            lines.append(f"{name}a: i32[] = add({random.choice(whole)}, {random.choice(whole)})")
            lines.append(f"{name}b: i32[] = remainder({name}a, 3:i32)")
            lines.append(f"{name}: i32[] = subtract({name}b, {random.choice([0, 3])}:i32)")
            whole.append(name)
    if seed % 3 == 0:  # a loop that a test ends
        values = f"%t: {table}, %p: i32[], %c: i64[], %k: i32[], %x: f32[]"
        lines += [
            "%d: i64[] = add(%c, 1:i64)",
            f"%e: bool[] = less(%d, {n}:i64)",
            f"%h: bool[] = less({scalars[-1]}, 1.0)",
        ]
        lines.append("%j: bool[] = logical_and(%e, %h)")
        return (
            f"graph f(%t: {table}, %p: i32[], %k: i32[], %x: f32[]) {{ %g: bool[], %r: {table}, %q: i32[], %m: i64[], "
            f"%z: i64[] = while_loop(True, %t, %p, 0:i64, %k, %x, carried=4) {{ "
            f"test = graph test(%a: bool[], {values}) {{ return %a }} "
            f"body = graph body(%a: bool[], {values}) {{ {' '.join(lines)} "
            f"return %j, {tables[-1]}, {whole[-1]}, %d }} }} return %r, %q, %m }}"
        )
    given = f"%t: {table}, %p: i32[], %k: i32[{n}], %x: f32[{n}]"
    made = f"%r: {table}, %q: i32[], %z: f32[{n}]"
    body = f"%i: i64[], %t: {table}, %p: i32[], %k: i32[], %x: f32[]"
    return (
        f"graph f({given}) {{ {made} = scan({n}, %t, %p, %k, %x, carried=2, scanned=2, length={n}, reverse=False) "
        f"{{ body = graph body({body}) {{ {' '.join(lines)} return {tables[-1]}, {whole[-1]}, {scalars[-1]} }} }} "
        f"return %r, %q, %z }}"
    )


@pytest.mark.parametrize("first", [0, pytest.param(30, marks=pytest.mark.slow)])
def test_random_tables(first: int) -> None:
    count = 0
    for seed in range(first, first + 30):
        text = table_text(seed)
        random = np.random.default_rng(seed)
        arrays = [
            np.asarray(random.normal(size=v.type.static_shape), v.type.dtype.np)
            if v.type.dtype.is_float
            else np.asarray(random.integers(-9, 9, v.type.static_shape), np.int32)
            for v in parse(text, ops.OPS).parameters
        ]
        expected = interpret(parse(text, ops.OPS), arrays)
        program = compiled(text)
        count += any(node.op is ops.loop_kernel for node in walk(program.plan.graph))
        for run in (program, compiled(text, "kernels")):
            for found, wanted in zip(run.run(*arrays), expected, strict=True):
                np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5, err_msg=text)
    assert count > 24


@pytest.mark.parametrize("length", [40, 40_000])
def test_a_computed_position_outside_is_an_error_of_its_line(length: int) -> None:
    """A kernel that lets other threads run, too, gets the lock back before it raises the error."""

    @ms.jit
    def walked(table: Any, rows: Any) -> Any:
        at = Tensor(0, ms.int32)
        for t in range(rows.shape[0]):
            at = at + rows[t]
            table[at] = table[at] + 1.0
        return table

    rows = np.zeros(length, np.int32)
    rows[3::4], rows[1::4] = -6, 6
    found = walked(Tensor(np.zeros(7, np.float32)), Tensor(rows)).asnumpy()
    np.testing.assert_array_equal(found, np.array([length / 2, 0, 0, 0, 0, 0, length / 2], np.float32))
    shown = str(walked.stages(Tensor(np.zeros(7, np.float32)), Tensor(rows)).program)
    assert f"over {length} 1" in shown
    rows[-2] = 8
    with pytest.raises(IndexError, match=r"index 14 is out of range.*size 7") as raised:
        walked(Tensor(np.zeros(7, np.float32)), Tensor(rows))
    assert "table[at] = table[at] + 1.0" in "".join(traceback.format_exception(raised.value))


def test_gradients_through_tables() -> None:
    """The gradient of a loop that reads and writes a table agrees with finite differences."""

    def total(table: Any, rows: Any) -> Any:
        at, sum_ = Tensor(0, ms.int32), Tensor(0.0, ms.float64)
        for t in range(12):
            table[at] = ms.ops.sin(table[at]) * 1.1 + sum_ * 0.1
            at = (at + rows[t]) % 5
            sum_ = sum_ + table[at]
        return sum_

    random = np.random.default_rng(0)
    table, rows = random.normal(size=5), Tensor(random.integers(0, 5, 12).astype(np.int32))
    slope = ms.jit(ms.grad(total))(Tensor(table), rows).asnumpy()
    for number in range(5):
        step = np.zeros(5)
        step[number] = 1e-6
        values = [float(total(Tensor(table + sign * step), rows).asnumpy()) for sign in (1, -1)]
        np.testing.assert_allclose(slope[number], (values[0] - values[1]) / 2e-6, rtol=1e-5)


def test_loops_that_a_test_ends() -> None:
    """A loop over tiny states whose end depends on them is one kernel, also where it does nothing, or runs for long."""

    @ms.jit
    def root(x: Any, d: Any) -> Any:
        y, n = x, 0
        while d > 1e-6 and n < 50:
            new = 0.5 * (y + x / y)
            d = ms.ops.abs(new - y)
            y = new
            n = n + 1
        return y, n

    def expected(x: float, d: float) -> tuple[float, int]:
        y, n = np.float32(x), 0
        while d > 1e-6 and n < 50:
            new = np.float32(0.5) * (y + np.float32(x) / y)
            y, d, n = new, abs(new - y), n + 1
        return float(y), n

    for x, d in ((2.0, 1.0), (3.0, 0.0), (1e6, 1.0), (float("nan"), 1.0)):
        y, n = root(Tensor(x, ms.float32), Tensor(d, ms.float32))
        assert int(n) == expected(x, d)[1]
        np.testing.assert_allclose(y.asnumpy(), expected(x, d)[0], rtol=1e-6)
    assert "\nwhile " in str(root.stages(Tensor(2.0, ms.float32), Tensor(1.0, ms.float32)).program)

    @ms.jit
    def halved(x: Any, last: Any) -> Any:
        k = Tensor(0.0)
        while k < last:
            x, k = x * 0.5 + 1.0, k + 1.0
        return x, k

    x, k = halved(Tensor(0.0), Tensor(40_000.0))
    assert (x.asnumpy(), k.asnumpy()) == (2.0, 40_000.0)
    slope = ms.jit(ms.grad(lambda x: root(x, Tensor(1.0, ms.float32))[0]))(Tensor(4.0, ms.float32))
    np.testing.assert_allclose(slope.asnumpy(), 0.25, rtol=1e-4)


def test_endless_kernels_can_be_interrupted() -> None:
    """A signal's handler runs between the calls of a kernel."""

    class StoppedError(Exception):
        pass

    def stop(*_: Any) -> None:
        raise StoppedError

    @ms.jit
    def endless(x: Any) -> Any:
        while x > -1.0:
            x = x * 0.5
        return x

    endless.compile(Tensor(1.0))
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(StoppedError):
            endless(Tensor(1.0))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_loop_with_a_test_in_a_loop_over_rows() -> None:
    """Keys are put into a table, each at the first place that is free."""

    @ms.jit
    def inserted(keys: Any, table: Any) -> Any:
        for t in range(keys.shape[0]):
            at = (keys[t] * 7 + 3) % 64
            n = Tensor(0, ms.int32)
            while table[at] >= 0 and n < 64:
                at = (at + 1) % 64
                n = n + 1
            table[at] = keys[t]
        return table

    keys = np.random.default_rng(0).permutation(1000)[:40].astype(np.int32)
    expected = np.full(64, -1, np.int32)
    for key in keys:
        at = (key * 7 + 3) % 64
        while expected[at] >= 0:
            at = (at + 1) % 64
        expected[at] = key
    table = Tensor(np.full(64, -1, np.int32))
    np.testing.assert_array_equal(inserted(Tensor(keys), table).asnumpy(), expected)
    np.testing.assert_array_equal(table.asnumpy(), expected)


def test_a_loop_that_only_carries_what_kernels_cannot_compute() -> None:
    """Bfloat16 has no machine code: NumPy computes such loops."""

    def carried(x: Any, y: Any) -> Any:
        for _ in range(35):
            x = x + x[:1] * 2
            y = y[::-1]
        return x, y

    found = ms.jit(carried)(Tensor(np.arange(1, 10)), Tensor(np.arange(5, dtype=np.float32)).astype(ms.bfloat16))
    np.testing.assert_array_equal(found[0].asnumpy(), 3**35 + np.arange(9))
    np.testing.assert_array_equal(found[1].astype(ms.float32).asnumpy(), np.arange(5)[::-1])
