"""Residuals of loops that the backward computes again: equal to those of unrolled loops, and fewer bytes in stacks."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gradcheck import gradient_graph, type_of
from loops import scan, while_loop

from mycel.compiler import ops
from mycel.compiler.ir.graph import Graph
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.loops import Loop
from mycel.compiler.ir.verifier import verify
from mycel.compiler.ops.loop_residuals import LEAST_RESIDUAL
from mycel.compiler.pipeline import compile_graph
from mycel.compiler.transforms.symbolic import record

SIZE, LENGTH = LEAST_RESIDUAL + 4, 5
Body = Callable[[Any, list[Any], Any, Any], list[Any]]


def moved(x: Any, shift: int) -> Any:
    return ops.roll(x, shift=(shift,), axis=(0,))


def recorded(body: Body, count: int, size: int = SIZE, unrolled: bool = False) -> tuple[Graph, list[np.ndarray]]:
    """A loop over `count` states with rows and a constant, and arrays for it."""

    def program(rows: Any, constant: Any, *initial: Any) -> Any:
        if not unrolled:
            return scan(list(initial), [rows], lambda i, state, row: (body(i, state, row[0], constant), []), LENGTH)
        state = list(initial)
        for i in range(LENGTH):
            row = ops.reshape(ops.slice(rows, start=(i, 0), stop=(i + 1, size), step=(1, 1)), shape=(size,))
            state = body(ops.cast(ops.full(shape=(), value=i, dtype=rows.type.dtype), dtype=INT), state, row, constant)
        return tuple(state)

    generator = np.random.default_rng(0)
    shapes = [(LENGTH, size), (size,), *[(size,)] * count]
    arrays = [generator.uniform(-0.5, 0.5, shape) for shape in shapes]
    return verify(record("f", map(type_of, arrays), program)), arrays


INT = type_of(np.zeros((), np.int64)).dtype


def stacked_bytes(graph: Graph) -> int:
    """The bytes of the stacks of all loops."""
    loops = [Loop.of(node) for node in graph.nodes if node.op.kind == "loop"]
    return sum(value.type.nbytes for loop in loops if not loop.reverse for value in loop.stacks)


def compared(body: Body, count: int) -> int:
    """The gradients of a loop are those of its iterations one by one. Returns the bytes that it stacks."""
    found = []
    for unrolled in (False, True):
        graph, arrays = recorded(body, count, unrolled=unrolled)
        joint, _ = gradient_graph(graph, range(len(arrays)), [0])
        seeds = [np.ones(SIZE)]
        wanted = interpret(joint, [*arrays, *seeds])
        for one, other in zip(compile_graph(joint, name="f").run(*arrays, *seeds), wanted, strict=True):
            np.testing.assert_allclose(one, other, 1e-10, 1e-12)
        found.append((joint, wanted))
    for one, other in zip(found[0][1], found[1][1], strict=True):
        np.testing.assert_allclose(one, other, 1e-10, 1e-12)
    return stacked_bytes(found[0][0])


ROW = 8 * SIZE * LENGTH


def test_one_state_in_place_of_what_follows_from_it() -> None:
    def body(i: Any, state: list[Any], row: Any, constant: Any) -> list[Any]:
        (u,) = state
        left, right = moved(u, 1), moved(u, -1)
        return [u - 0.1 * u * (right - left) + 0.05 * (right - 2.0 * u + left) * (u * u)]

    assert compared(body, 1) == ROW


def test_rows_constants_and_the_number_of_the_iteration() -> None:
    def body(i: Any, state: list[Any], row: Any, constant: Any) -> list[Any]:
        u, v = state
        number = ops.cast(i, dtype=u.type.dtype) * 0.1
        mixed = (u + row) * (constant - number)
        return [mixed * mixed * (u - row) * 0.1, 0.5 * v]

    assert compared(body, 2) == ROW


def test_costly_values_stay() -> None:
    def body(i: Any, state: list[Any], row: Any, constant: Any) -> list[Any]:
        (u,) = state
        e = ops.exp(u)
        return [ops.tanh(e * row) * 0.5]

    assert compared(body, 1) == 2 * ROW  # exp and tanh


def test_what_follows_from_costly_values_is_computed_again() -> None:
    def body(i: Any, state: list[Any], row: Any, constant: Any) -> list[Any]:
        (u,) = state
        e = ops.tanh(u)
        return [0.5 * e + 0.1 * ops.sin((e + row) * (e - 1.0))]

    assert compared(body, 1) == ROW


def test_two_states_are_not_stacked_for_one_value() -> None:
    def body(i: Any, state: list[Any], row: Any, constant: Any) -> list[Any]:
        u, v = state
        s = u + v
        return [0.5 * s * s, v * 0.9]

    assert compared(body, 2) == ROW


def test_small_values_are_stacked() -> None:
    def body(i: Any, state: list[Any], row: Any, constant: Any) -> list[Any]:
        (u,) = state
        return [u * 0.5 * (moved(u, 1) - moved(u, -1)) + row]

    graph, arrays = recorded(body, 1, 64)
    assert stacked_bytes(gradient_graph(graph, range(len(arrays)), [0])[0]) == 2 * 8 * 64 * LENGTH


def test_loops_that_data_end() -> None:
    def program(x: Any) -> Any:
        def test(state: Any) -> Any:
            return ops.less(ops.max(state[0], axis=(0,), keepdims=False), 50.0)

        return while_loop([x], test, lambda s: [s[0] + 0.2 * s[0] * (moved(s[0], 1) + 2.0 * moved(s[0], -1))])

    x = np.random.default_rng(0).uniform(0.5, 1.0, SIZE)
    graph = verify(record("f", [type_of(x)], program))
    joint, _ = gradient_graph(graph, [0], [0])
    arrays, step = [x, np.ones(SIZE)], 1e-6
    found = interpret(joint, arrays)[-1]
    for one, other in zip(compile_graph(joint, name="f").run(*arrays), interpret(joint, arrays), strict=True):
        np.testing.assert_allclose(one, other, 1e-10)
    for place in (0, 17, SIZE - 1):
        change = np.zeros(SIZE)
        change[place] = step
        up, down = (interpret(graph, [x + sign * change])[0].sum() for sign in (1, -1))
        np.testing.assert_allclose(found[place], (up - down) / (2 * step), 1e-5)


def drawn_value(kind: int, shift: int, x: Any, y: Any, i: Any) -> Any:
    """A value of an iteration."""
    if kind == 0:
        return x * y
    if kind == 1:
        return moved(x, 1 + shift) - 0.5 * y
    if kind == 2:
        return ops.tanh(x)
    if kind == 3:
        return x * ops.cast(i, dtype=x.type.dtype) * 0.1 + y
    if kind == 4:
        part = ops.slice(x, start=(2,), stop=(SIZE - 1,), step=(1,))
        return ops.pad(part, low=(1,), high=(2,), value=0)
    return ops.maximum(x, y) * 0.7


@pytest.mark.parametrize("seed", range(8))
def test_random_iterations(seed: int) -> None:
    draw = random.Random(seed)
    count = draw.randint(1, 3)
    plan = [(draw.randrange(6), draw.randrange(9), draw.randrange(9)) for _ in range(draw.randint(3, 8))]
    results = [draw.randrange(9) for _ in range(count)]

    def body(i: Any, state: list[Any], row: Any, constant: Any) -> list[Any]:
        values = [*state, row, constant]
        for kind, first, second in plan:
            x, y = values[first % len(values)], values[second % len(values)]
            values.append(drawn_value(kind, first, x, y, i))
        return [0.5 * values[-1 - each % len(plan)] for each in results]

    compared(body, count)
