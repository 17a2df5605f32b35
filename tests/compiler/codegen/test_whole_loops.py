"""Loops of calls as functions of the program: random ones against the interpreter, and where Python keeps the loop."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest
from gradcheck import gradient_graph, type_of
from loops import scan, while_loop

import mycel as ms
from mycel import Tensor, ops as public
from mycel.compiler import ops
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.parser import parse
from mycel.compiler.ir.verifier import verify
from mycel.compiler.pipeline import Options, compile_graph
from mycel.compiler.transforms.symbolic import record
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
OFF = frozenset({"tiny_loops", "loop_kernels"})


def drawn(seed: int) -> tuple[Any, list[np.ndarray], bool]:
    """A random loop with products, reductions, argmax, rows, and states that swap, and arrays for it."""
    draw = random.Random(seed)
    n, length, reverse = draw.choice([3, 5, 8]), draw.choice([1, 2, 7, 20]), draw.random() < 0.4
    kinds = [draw.choice(["product", "row", "best", "softmax", "number", "transposed"]) for _ in range(4)]
    swapped, stacked = draw.random() < 0.3, draw.sample(range(5), draw.randint(1, 4))

    def program(rows: Any, numbers: Any, w: Any, h: Any, g: Any) -> Any:
        def body(index: Any, state: Any, given: Any) -> Any:
            h, g = state
            row, number = given
            values = [row, h * number, g - row]
            for kind in kinds:
                x = draw_value(values)
                if kind == "product":
                    values.append(ops.tanh(ops.matmul(x, w)))
                elif kind == "row":
                    values.append(x * row + ops.cast(index, dtype=ms.float32) * 0.01)
                elif kind == "best":
                    best = ops.reshape(ops.argmax(ops.matmul(w, x), axis=0, dtype=ms.int64), shape=())
                    values.append(x + ops.cast(best, dtype=ms.float32) * 0.1)
                elif kind == "softmax":
                    e = ops.exp(x - ops.max(x, axis=(0,), keepdims=True))
                    values.append(e / ops.sum(e, axis=(0,), keepdims=True))
                elif kind == "number":
                    values.append(ops.minimum(x * number, 2.0))
                else:
                    values.append(ops.matmul(ops.transpose(w, axes=(1, 0)), ops.sin(x)))
            new = ops.sin(values[-1]), ops.tanh(values[-2] + h)
            return new[::-1] if swapped else new, [[*values, *new, h][at] for at in stacked]

        counted = random.Random(seed + 1)

        def draw_value(values: list[Any]) -> Any:
            return counted.choice(values)

        return scan([h, g], [rows, numbers], body, length, reverse)

    generator = np.random.default_rng(seed)
    shapes = (length, n), (length,), (n, n), (n,), (n,)
    return program, [np.float32(0.5 * generator.normal(size=shape)) for shape in shapes], "best" not in kinds


def compared(graph: Any, arrays: list[np.ndarray]) -> str:
    """A program computes what the interpreter does; with views with gaps as inputs, and without functions for loops,
    too. Returns its text."""
    wanted = interpret(graph, arrays)
    sources = []
    for off in (OFF, OFF | {"whole_loops"}):
        compiled = compile_graph(graph, name="f", options=Options(off))
        sources.append(compiled.source)
        gaps = [np.repeat(array, 2, -1)[..., ::2] if array.ndim else array for array in arrays]
        for given in (arrays, gaps, arrays):
            for found, expected in zip(compiled.run(*given), wanted, strict=True):
                np.testing.assert_allclose(found, expected, rtol=2e-4, atol=2e-5)
    assert "compile_loop" not in sources[1]
    return sources[0]


def test_random_loops_and_their_gradients() -> None:
    whole = 0
    for seed in range(16):
        program, arrays, smooth = drawn(seed)
        graph = verify(record("f", map(type_of, arrays), program))
        whole += "@compile_loop" in compared(graph, arrays)
        if smooth:
            joint, _ = gradient_graph(graph, range(5), [0])
            whole += "@compile_loop" in compared(joint, [*arrays, np.ones_like(arrays[-1])])
    assert whole > 12


def test_no_iterations() -> None:
    text = """graph f(%a: f32[0, 3], %s: f32[3]) {
      %y: f32[3], %r: f32[0, 3] = scan(0, %s, %a, carried=1, scanned=1, length=0, reverse=False) {
        body = graph body(%i: i64[], %s: f32[3], %b: f32[3]) {
          %t: f32[3] = tanh(%s) %u: f32[3] = add(%t, %b) return %u, %s } }
      return %y, %r }"""
    assert "compile_loop" not in compared(parse(text, ops.OPS), [np.zeros((0, 3), np.float32), np.ones(3, np.float32)])


def test_a_state_may_be_a_row_of_the_stack() -> None:
    def program(x: Any, w: Any) -> Any:
        def body(index: Any, state: Any, rows: Any) -> Any:
            new = ops.tanh(ops.matmul(state[0], w) + rows[0])
            return [new], [new, state[0], new]

        return scan([ops.matmul(w, w)], [x], body, 30)

    random = np.random.default_rng(0)
    arrays = [np.float32(0.2 * random.normal(size=shape)) for shape in ((30, 12, 12), (12, 12))]
    assert "@compile_loop" in compared(verify(record("f", map(type_of, arrays), program)), arrays)


@pytest.mark.parametrize("start", [0.5, 5.0, 100.0])
def test_tests_of_data_end_loops(start: float) -> None:
    def program(x: Any, w: Any) -> Any:
        def test(state: Any) -> Any:
            return ops.less(ops.max(state[0], axis=(0,), keepdims=False), 50.0)

        return while_loop([x], test, lambda state: [ops.matmul(w, state[0]) + 0.1])

    arrays = [np.full(9, start, np.float32), np.eye(9, dtype=np.float32) * 1.2]
    assert "@compile_loop" in compared(verify(record("f", map(type_of, arrays), program)), arrays)


def inserted(keys: Tensor, table: Tensor) -> tuple[Tensor, Tensor]:
    """A hash table with linear probing: a loop that data end, in a counted one."""
    probes = Tensor(0, ms.int32)
    for t in range(keys.shape[0]):
        at = keys[t] * 7
        n = Tensor(0, ms.int32)
        while table[at] >= 0 and n < 40:
            at = at + 1
            n = n + 1
        table[at] = keys[t]
        probes = probes + n
    return table, probes


def test_a_kernel_that_a_test_ends_may_stand_inside() -> None:
    step = ms.jit(inserted)
    keys, empty = np.array([1, 2, 2, 1, 3, 1, 2, 0, 0, 2] * 2, np.int32), -np.ones(50, np.int32)
    found = step(Tensor(keys), Tensor(empty))
    wanted = inserted(Tensor(keys), Tensor(empty))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())
    source = str(step.stages(Tensor(keys), Tensor(empty)).program)
    inside = source[source.index("@compile_loop") : source.index("def bind")]
    assert re.search(r"while \w+:", inside)
    assert "[...] =" not in inside  # small states are moved by kernels
    keys[7] = 7  # the last element, and one behind it
    keys[8] = 7
    with pytest.raises(IndexError, match=r"while table\[at\] >= 0"):
        step(Tensor(keys), Tensor(empty))


def filtered(x: Tensor, w: Tensor, table: Tensor, ids: Tensor) -> Tensor:
    """A loop whose iterations read at positions."""
    h = public.zeros((48,))
    for t in range(x.shape[0]):
        h = public.tanh(w @ h + x[t])
        h = h + table[ids[t]]
    return h


def test_an_error_inside_is_the_users_line() -> None:
    step = ms.jit(filtered)
    random = np.random.default_rng(0)
    x, w, table = (Tensor(np.float32(random.normal(size=shape))) for shape in ((40, 48), (48, 48), (5, 48)))
    ids = np.zeros(40, np.int32)
    step(x, w, table, Tensor(ids))
    assert "@compile_loop" in str(step.stages(x, w, table, Tensor(ids)).program)
    ids[20] = 7
    with pytest.raises(IndexError, match=r"h = h \+ table\[ids\[t\]\]"):
        step(x, w, table, Tensor(ids))
    ids[20] = 4
    np.testing.assert_allclose(
        step(x, w, table, Tensor(ids)).asnumpy(), filtered(x, w, table, Tensor(ids)).asnumpy(), rtol=1e-4, atol=1e-5
    )


def test_profiles_give_figures_of_each_line_inside() -> None:
    step = ms.jit(filtered)
    random = np.random.default_rng(0)
    x, w, table = (Tensor(np.float32(random.normal(size=shape))) for shape in ((40, 48), (48, 48), (5, 48)))
    ids = Tensor(np.zeros(40, np.int32))
    step(x, w, table, ids)
    lines = [line for line in str(step.profile(x, w, table, ids)).splitlines() if re.search(r" 40 .*\.py:\d+$", line)]
    assert len(lines) == 2


def test_calls_of_numpy_inside_may_have_words_for_arguments() -> None:
    """Transposed equations, in the gradient, are NumPy's where machine code refuses them."""

    def by_solutions(matrix: Any, x: Any) -> Any:
        for _ in range(20):
            x = public.solve(matrix, x)
        return x.sum()

    matrix = np.random.default_rng(0).uniform(-0.1, 0.1, (9, 9)) + np.eye(9)
    gradient = ms.jit(ms.grad(by_solutions, 1))(Tensor(matrix), Tensor(np.ones((9, 2)))).asnumpy()
    wanted = np.linalg.solve(np.linalg.matrix_power(matrix.T, 20), np.ones((9, 2)))
    np.testing.assert_allclose(gradient, wanted, 1e-9)


def vanishing(x: Any, w: Any) -> Any:
    """What 45 iterations make of x is smaller than all normal numbers of float32."""
    for _ in range(45):
        x = public.matmul(x, w)
    return x.sum()


def halved(x: Any, w: Any) -> Any:
    """The same, element by element."""
    for _ in range(140):
        x = x * 0.5
    return (x + w.sum()).sum()


def once(x: Any, w: Any) -> Any:
    """The same without a loop."""
    return public.tanh(x * 1e-20) * w.sum() * 1e-20


@pytest.mark.parametrize("function", [vanishing, halved, once])
def test_denormals_vanish_in_machine_code(function: Any) -> None:
    """Processors may take a hundred times longer for them."""
    scale = 1 / 7.5 if function is vanishing else 1.0
    x, w = Tensor(np.ones((4, 8), np.float32)), Tensor(np.eye(8, dtype=np.float32) * np.float32(scale))
    least = np.finfo(np.float32).tiny
    with ms.disable_jit():
        eager = ms.grad(function)(x, w).asnumpy()
    assert (np.abs(eager) < least).all()
    assert (eager != 0).all()
    assert (ms.jit(ms.grad(function))(x, w).asnumpy() == 0).all()
    if function is not halved:
        eager = function(x, w).asnumpy()
        assert (eager != 0).all()
        assert (ms.jit(function)(x, w).asnumpy() == 0).all()


@pytest.mark.parametrize("size", [4097, 70_000])
def test_denormals_vanish_in_long_kernels_of_loops_that_python_runs(size: int) -> None:
    def function(x: Any) -> Any:
        i = Tensor(0)
        while i < 20:
            if x.max() > 1:
                x = x + 1
            else:
                x = x * 0.5
            i = i + 1
        return x

    compiled = ms.jit(function)
    x = Tensor(np.full(size, 1e-37, np.float32))
    assert "compile_loop" not in compiled.stages(x).program
    assert (compiled(x).asnumpy() == 0).all()
