"""Double buffering: loops whose next state cannot be computed over the old one exchange two arrays and copy none."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest
from gradcheck import gradient_graph, type_of
from loops import scan

from mycel.compiler import ops
from mycel.compiler.ir.interpret import interpret
from mycel.compiler.ir.verifier import verify
from mycel.compiler.pipeline import Options, compile_graph
from mycel.compiler.transforms.symbolic import record
from mycel.runtime.machine.executable import unavailable

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
OFF = frozenset({"tiny_loops"})
SWAP = re.compile(r"\((\w+), (\w+)\) = \(\2, \1\)")


def compared(graph: Any, arrays: list[np.ndarray], off: frozenset[str] = OFF) -> str:
    """A program computes what the interpreter does, several times. Returns the text of its loops."""
    wanted = interpret(graph, arrays)
    for disabled in (off | {"whole_loops"}, off | {"in_place"}, off):
        compiled = compile_graph(graph, name="f", options=Options(disabled, debug=True))
        for _ in range(3):
            for found, expected in zip(compiled.run(*arrays), wanted, strict=True):
                np.testing.assert_allclose(found, expected, rtol=2e-4, atol=2e-5)
    text = compiled.source
    return "".join(re.findall(r"@compile_(?:flushed_)?loop\n.*?\n\n", text, re.DOTALL))


def moved(x: Any, shift: int) -> Any:
    return ops.roll(x, shift=(shift,), axis=(0,))


@pytest.mark.parametrize("length", [1, 2, 7, 8, 200])
@pytest.mark.parametrize("reverse", [False, True])
def test_shifted_reads(length: int, reverse: bool) -> None:
    def program(u: Any) -> Any:
        def body(index: Any, state: Any, rows: Any) -> Any:
            return [0.5 * state[0] + 0.25 * (moved(state[0], 1) + moved(state[0], -1))], []

        return scan([u], [], body, length, reverse)

    graph = verify(record("f", [type_of(np.zeros(5000, np.float32))], program))
    arrays = [np.float32(np.random.default_rng(0).normal(size=5000))]
    inside = compared(graph, arrays)
    assert SWAP.search(inside) or length < 7
    assert "[...]" not in inside
    inside = compared(gradient_graph(graph, [0], [0])[0], [*arrays, np.ones(5000, np.float32)])
    assert len(SWAP.findall(inside)) == 2 or length < 7


def test_views_that_kernels_read_by_the_name_of_the_whole() -> None:
    """A second kernel reads the middle of the old state after the next one is computed."""

    def program(u: Any, v: Any) -> Any:
        def body(index: Any, state: Any, rows: Any) -> Any:
            a, b = state
            middle = ops.slice(a, start=(1, 1), stop=(59, 99), step=(1, 1))
            return [0.5 * a + 0.3 * moved(ops.tanh(a), 1), b + middle], []

        return scan([u, v], [], body, 9)

    arrays = [np.float32(np.random.default_rng(1).normal(size=size)) for size in ((60, 100), (58, 98))]
    inside = compared(verify(record("f", [type_of(each) for each in arrays], program)), arrays)
    assert SWAP.search(inside)
    assert "[...]" not in inside


def test_states_that_read_each_other() -> None:
    """Two states change roles, one is updated in place, and one takes the old value of another."""

    def program(u: Any, v: Any) -> Any:
        def body(index: Any, state: Any, rows: Any) -> Any:
            a, b, c, _ = state
            new = 0.5 * (moved(a, 2) + moved(b, 3))
            return [new, 0.5 * (moved(new, 1) - c), c * 0.9 + 0.1, a], []

        return scan([u, v, u, v], [], body, 9)

    x, y = (np.float32(np.random.default_rng(seed).normal(size=3000)) for seed in range(2))
    inside = compared(verify(record("f", [type_of(x), type_of(y)], program)), [x, y])
    assert SWAP.search(inside)


def drawn(seed: int) -> tuple[Any, list[np.ndarray]]:
    """A random loop with moved reads of its states, rows, stacks and the number of the iteration."""
    draw = random.Random(seed)
    size, length, states = draw.choice([40, 300, 9000]), draw.choice([2, 3, 16, 17]), draw.randint(1, 3)
    plan = [(draw.choice(["moved", "same", "row", "number"]), draw.randrange(8), draw.randrange(8)) for _ in range(5)]
    results = [draw.randrange(8) for _ in range(states)]
    stacked = [draw.randrange(8) for _ in range(draw.choice([0, 0, 1, 2]))]
    reverse = draw.random() < 0.5

    def program(rows: Any, *initial: Any) -> Any:
        def body(index: Any, state: Any, given: Any) -> Any:
            values = list(state)
            for kind, first, second in plan:
                x, y = values[first % len(values)], values[second % len(values)]
                if kind == "moved":
                    values.append(0.5 * moved(x, 1 + first) + 0.4 * y)
                elif kind == "same":
                    values.append(ops.tanh(x) - 0.5 * y)
                elif kind == "row":
                    values.append(0.5 * x + given[0])
                else:
                    values.append(0.5 * y + ops.cast(index, dtype=x.type.dtype) * 0.01)
            new = [values[-1 - each % len(plan)] for each in results]
            return new, [values[each % len(values)] for each in stacked]

        return scan(list(initial), [rows], body, length, reverse)

    generator = np.random.default_rng(seed)
    return program, [np.float32(0.5 * generator.normal(size=s)) for s in ((length, size), *[(size,)] * states)]


@pytest.mark.parametrize("first", [0, pytest.param(10, marks=pytest.mark.slow)])
def test_random_loops_and_their_gradients(first: int) -> None:
    swaps = 0
    for seed in range(first, first + 10):
        program, arrays = drawn(seed)
        graph = verify(record("f", map(type_of, arrays), program))
        swaps += bool(SWAP.search(compared(graph, arrays)))
        joint, _ = gradient_graph(graph, range(len(arrays)), [0])
        swaps += bool(SWAP.search(compared(joint, [*arrays, np.ones_like(arrays[1])])))
    assert swaps > 1
